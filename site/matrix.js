// The explorer of matrix layouts. A layout says which bit of an element's index each bit of the lane's and the place's number is.
(function () {
  'use strict';
  const all = window.GFXISA_MATRICES, form = document.getElementById('matrix'), view = document.getElementById('matrix-view'), answer = document.getElementById('matrix-answer');
  const { chip, name, wave, width, part, block, lane } = form.elements;

  function option(select, value, text) { const o = document.createElement('option'); o.value = value; o.textContent = text; select.append(o); }
  function refill(select, values, texts) {
    const before = select.value;
    select.textContent = '';
    values.forEach((v, i) => option(select, v, texts ? texts[i] : v));
    if (values.map(String).includes(before)) select.value = before;
  }
  const entry = () => all.find((m) => m[0] === chip.value && m[1] === name.value);
  // What is shown: [lanes of a wave, bits of an element, layouts].
  const current = () => { const m = entry(); return m && (m[2].find((v) => v[0] === +wave.value && v[1] === +width.value) || m[2].find((v) => v[0] === +wave.value) || m[2][0]); };

  // All places (lane, item) with the indices they hold.
  function places(layout, waveSize) {
    const out = [];
    for (let l = 0; l < 1 << layout.lane.length && l < waveSize; ++l) {
      for (let item = 0; item < 1 << layout.item.length; ++item) {
        const index = { i: 0, j: 0, k: 0, b: 0, p: 0 };
        let copy = false;
        const add = (bits, number) => bits.forEach((bit, at) => {
          if (bit === '*') { if (number >> at & 1) copy = true; } else if (number >> at & 1) index[bit[0]] |= 1 << +bit.slice(1);
        });
        add(layout.lane, l); add(layout.item, item);
        out.push({ lane: l, item, index, copy });
      }
    }
    return out;
  }

  function placeText(place, bits) {
    const at = place.item * bits, register = at >> 5;
    if (bits === 64) return place.lane + '.' + 2 * place.item + '–' + (2 * place.item + 1);
    if (at % 32 + bits > 32) return place.lane + '.' + register + ' [31:' + at % 32 + '] and ' + (register + 1) + ' [' + (at % 32 + bits - 33) + ':0]';
    return place.lane + '.' + register + (bits < 32 ? ' [' + (at % 32 + bits - 1) + ':' + at % 32 + ']' : '');
  }

  function draw() {
    const matrix = current();
    view.textContent = '';
    if (!matrix) { answer.textContent = 'This generation has no matrix instruction whose layout is known here.'; return; }
    const layout = matrix[2].find((l) => l.name === part.value) || matrix[2][0], isSparse = layout.item.some((b) => b[0] === 'p');
    const [rowIndex, columnIndex] = { A: ['i', isSparse ? 'p' : 'k'], B: ['k', 'j'], D: ['i', 'j'] }[layout.name];
    const found = places(layout, matrix[0]), blocks = 1 + Math.max(...found.map((p) => p.index.b));
    offer(block, Array.from({ length: blocks }, (_, i) => i));
    const shown = found.filter((p) => p.index.b === +block.value);
    const rows = 1 + Math.max(...shown.map((p) => p.index[rowIndex])), columns = 1 + Math.max(...shown.map((p) => p.index[columnIndex]));
    const table = document.createElement('table'), head = document.createElement('tr');
    table.className = 'tile';
    head.append(document.createElement('td'));
    for (let c = 0; c < columns; ++c) { const th = document.createElement('th'); th.scope = 'col'; th.textContent = columnIndex + c; head.append(th); }
    table.append(head);
    const cells = new Map();
    for (const p of shown) {
      const key = p.index[rowIndex] * columns + p.index[columnIndex];
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(p);
    }
    const wanted = lane.value === '' ? -1 : +lane.value;
    for (let r = 0; r < rows; ++r) {
      const row = document.createElement('tr'), th = document.createElement('th');
      th.scope = 'row'; th.textContent = rowIndex + r; row.append(th);
      for (let c = 0; c < columns; ++c) {
        const td = document.createElement('td'), button = document.createElement('button'), here = cells.get(r * columns + c) || [];
        button.type = 'button';
        const first = here[0];
        if (first) {
          button.textContent = first.lane + '.' + (layout.bits === 64 ? 2 * first.item : first.item * layout.bits >> 5);
          button.tabIndex = r === 0 && c === 0 ? 0 : -1;
          button.setAttribute('aria-label', layout.name + '[' + r + '][' + c + ']: lane ' + here.map((p) => placeText(p, layout.bits)).join(', lane '));
          if (here.some((p) => p.lane === wanted)) button.className = 'hit';
          const say = () => {
            for (const chosen of table.querySelectorAll('.chosen')) chosen.classList.remove('chosen');
            button.classList.add('chosen');
            answer.textContent = layout.name + '[' + r + '][' + (isSparse ? 'one of ' + (c >> 1) * 4 + ' to ' + ((c >> 1) * 4 + 3) : c) + '] is in ' + here.map((p) => 'lane ' + p.lane + ', register ' + placeText(p, layout.bits).slice(String(p.lane).length + 1)).join('; and in ');
          };
          button.addEventListener('click', say); button.addEventListener('focus', say);
        }
        td.append(button); row.append(td);
      }
      table.append(row);
    }
    view.append(table);
    if (wanted >= 0) {
      const held = shown.filter((p) => p.lane === wanted);
      answer.textContent = 'Lane ' + wanted + ' holds ' + (held.length ? held.slice(0, 32).map((p) => layout.name + '[' + p.index[rowIndex] + '][' + p.index[columnIndex] + '] in ' + placeText(p, layout.bits).slice(String(p.lane).length + 1)).join(', ') + (held.length > 32 ? ', …' : '') : 'nothing of this block');
    }
  }

  view.addEventListener('keydown', (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const cell = event.target.closest('td');
    if (!step || !cell) return;
    event.preventDefault();
    const row = view.querySelector('table').rows[cell.parentNode.rowIndex + step[0]], next = row && row.cells[cell.cellIndex + step[1]], button = next && next.querySelector('button');
    if (button) { event.target.tabIndex = -1; button.tabIndex = 0; button.focus(); }
  });

  function remember() { const hash = [chip.value, name.value, part.value].join('/'); if (location.hash.slice(1) !== hash) history.replaceState(null, '', '#' + hash); }
  const unique = (values) => values.filter((v, i) => values.indexOf(v) === i);
  // A choice of one is none.
  function offer(select, values, texts) { refill(select, values, texts); select.closest('label').hidden = values.length < 2; }
  function chips() { refill(name, all.filter((m) => m[0] === chip.value).map((m) => m[1])); parts(); }
  function parts() {
    const m = entry(), waves = m ? unique(m[2].map((v) => v[0])) : [], widths = m ? unique(m[2].map((v) => v[1])) : [];
    offer(wave, waves, waves.map((w) => w + ' lanes'));
    offer(width, widths);
    const matrix = current();
    lane.max = matrix ? matrix[0] - 1 : 63;
    refill(part, matrix ? matrix[2].map((l) => l.name) : [], matrix ? matrix[2].map((l) => l.name === 'D' ? 'C and D' : l.name) : []);
    remember(); draw();
  }
  chip.addEventListener('change', chips); name.addEventListener('change', parts); wave.addEventListener('change', parts); width.addEventListener('change', draw); part.addEventListener('change', () => { remember(); draw(); });
  block.addEventListener('change', draw); lane.addEventListener('input', draw);
  for (const o of Array.from(chip.options)) if (!all.some((m) => m[0] === o.value)) o.disabled = true;
  const [c, n, p] = location.hash.slice(1).split('/');
  chip.value = all.some((m) => m[0] === c) ? c : 'cdna3';
  chips();
  if (n) { name.value = n; parts(); }
  if (p) { part.value = p; draw(); }
})();
