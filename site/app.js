// What every page does: the search box, light and dark, generation tabs; on the home page the filters and the list.
(function () {
  'use strict';
  const base = document.documentElement.dataset.root || '';
  const $ = (selector, inside) => (inside || document).querySelector(selector);
  const $$ = (selector, inside) => Array.from((inside || document).querySelectorAll(selector));

  // A server gives index.html for a folder, so the shorter address is the permalink; a disk does not.
  if (location.protocol !== 'file:' && /\/index\.html$/.test(location.pathname)) {
    history.replaceState(null, '', location.pathname.replace(/index\.html$/, '') + location.search + location.hash);
  }

  // ------------------------------------------------------------------------------------------- light and dark
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  };
  $('#theme').addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem('gfxisa-theme', theme); } catch (e) { /* private windows keep nothing */ }
  });

  // ------------------------------------------------------------------------------------------- the index
  let loading = null, prepared = null;
  function loadIndex() {
    if (!loading) {
      loading = new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = base + 'search-index.js';
        script.onload = () => { prepared = window.gfxisaSearch.prepare(window.GFXISA_INDEX); resolve(window.GFXISA_INDEX); };
        script.onerror = reject;
        document.head.append(script);
      });
    }
    return loading;
  }
  // A long mnemonic breaks behind an underscore.
  function nameOf(name) {
    const out = document.createElement('b');
    name.split(/(?<=_)/).forEach((part, i) => { if (i) out.append(document.createElement('wbr')); out.append(part); });
    return out;
  }
  const linkOf = (name) => base + 'i/' + name + '/index.html';

  // ------------------------------------------------------------------------------------------- the search box
  const box = $('#find'), list = $('#found');
  let active = -1;
  function close() { list.hidden = true; box.setAttribute('aria-expanded', 'false'); box.removeAttribute('aria-activedescendant'); active = -1; }
  function mark(place) {
    const rows = $$('li', list);
    if (!rows.length) return;
    active = (place + rows.length) % rows.length;
    rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === active)));
    box.setAttribute('aria-activedescendant', rows[active].id);
    rows[active].scrollIntoView({ block: 'nearest' });
  }
  function show() {
    const text = box.value;
    if (home) home.search(text);
    if (home || !text.trim()) return close();
    loadIndex().then((index) => {
      if (box.value !== text) return;
      list.textContent = '';
      window.gfxisaSearch.find(prepared, text, 12).forEach((place, i) => {
        const item = index.items[place], row = document.createElement('li'), name = nameOf(item[0]), about = document.createElement('small');
        row.id = 'found-' + i; row.setAttribute('role', 'option'); row.setAttribute('aria-selected', 'false');
        about.textContent = index.abouts[item[2]];
        row.append(name, about);
        row.addEventListener('mousedown', (event) => { event.preventDefault(); location.href = linkOf(item[0]); });
        row.dataset.link = linkOf(item[0]);
        list.append(row);
      });
      list.hidden = !list.children.length;
      box.setAttribute('aria-expanded', String(!list.hidden));
      if (!list.hidden) mark(0);
    });
  }
  box.addEventListener('focus', () => { loadIndex(); if (box.value) show(); });
  box.addEventListener('input', show);
  box.addEventListener('blur', close);
  box.addEventListener('keydown', (event) => {
    if (home && ['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) { event.preventDefault(); return home.key(event.key); }
    if (event.key === 'ArrowDown') { event.preventDefault(); mark(active + 1); }
    else if (event.key === 'ArrowUp') { event.preventDefault(); mark(active - 1); }
    else if (event.key === 'Escape') { box.value = ''; close(); box.blur(); }
    else if (event.key === 'Enter') { event.preventDefault(); const row = $$('li', list)[Math.max(active, 0)]; if (row) location.href = row.dataset.link; }
  });
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); box.focus(); box.select(); }
  });

  // ------------------------------------------------------------------------------------------- generation tabs
  const tabs = $$('.tabs [role=tab]:not(:disabled)'), panels = $$('.panel');
  function select(chip) {
    const tab = tabs.find((t) => t.dataset.chip === chip);
    if (!tab) return false;
    const panel = document.getElementById(tab.getAttribute('aria-controls'));
    for (const t of tabs) {
      t.setAttribute('aria-selected', String(t === tab));
      t.tabIndex = t === tab ? 0 : -1;
      t.classList.toggle('same', t !== tab && t.getAttribute('aria-controls') === panel.id);
    }
    for (const p of panels) p.hidden = p !== panel;
    // On a phone the row of tabs scrolls: the chosen one comes into it.
    const row = tab.parentNode;
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = tab.offsetLeft - row.offsetLeft - 16;
    return true;
  }
  const chipOfHash = () => decodeURIComponent(location.hash.slice(1)).split('/')[0];
  if (tabs.length) {
    const choose = (tab, focus) => { location.hash = tab.dataset.chip; if (focus) tab.focus(); };
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => choose(tab));
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) { event.preventDefault(); choose(tabs[(i + step + tabs.length) % tabs.length], true); }
      });
    });
    const newest = tabs[tabs.length - 1].dataset.chip;
    const refresh = () => { if (!select(chipOfHash()) && !$('.panel:not([hidden]) [id="' + CSS.escape(chipOfHash()) + '"]')) select(newest); };
    addEventListener('hashchange', refresh);
    refresh();
  }

  // ------------------------------------------------------------------------------------------- home: filters and list
  const home = $('#results') ? makeHome() : null;
  function makeHome() {
    const results = $('#results'), count = $('#count'), form = $('#filters'), more = $('#more');
    // On a phone the filters would fill the screen: they wait behind their heading.
    if (matchMedia('(max-width: 52rem)').matches) $('#filter-box').open = false;
    let index = null, shown = 60, hits = [], selected = -1, timer = 0;

    const state = () => ({
      q: box.value.trim(), gen: $$('input[name=gen]:checked', form).map((i) => i.value),
      cat: form.elements.cat.value, enc: form.elements.enc.value, type: form.elements.type.value, fid: form.elements.fid.value
    });
    function hashOf(s) {
      const p = new URLSearchParams();
      if (s.q) p.set('q', s.q);
      if (s.gen.length) p.set('gen', s.gen.join('.' + '.'));
      for (const key of ['cat', 'enc', 'type', 'fid']) if (s[key]) p.set(key, s[key]);
      return p.toString();
    }
    function restore() {
      const p = new URLSearchParams(location.hash.slice(1)), gens = (p.get('gen') || '').split('..');
      box.value = p.get('q') || '';
      for (const input of $$('input[name=gen]', form)) input.checked = gens.includes(input.value);
      for (const key of ['cat', 'enc', 'type', 'fid']) form.elements[key].value = p.get(key) || '';
    }
    function options(select, names) {
      for (const name of names) { const o = document.createElement('option'); o.value = o.textContent = name; select.append(o); }
    }
    function update() {
      if (!index) return;
      const s = state(), mask = s.gen.reduce((m, name) => m | 1 << index.chips.findIndex((c) => c[0] === name), 0);
      const topic = index.topics.indexOf(s.cat), encoding = index.encodings.indexOf(s.enc), type = index.types.indexOf(s.type);
      const accept = (place) => {
        const item = index.items[place];
        return (item[3] & mask) === mask && (topic < 0 || item[1] === topic) && (encoding < 0 || item[7].includes(encoding)) &&
          (type < 0 || item[8].includes(type)) && (!s.fid || item[9] === +s.fid);
      };
      hits = s.q ? window.gfxisaSearch.find(prepared, s.q, 1e6, accept) : index.items.map((_, i) => i).filter(accept);
      selected = -1;
      draw();
    }
    function draw() {
      results.textContent = '';
      for (const place of hits.slice(0, shown)) {
        const item = index.items[place], row = document.createElement('li'), link = document.createElement('a');
        const name = nameOf(item[0]), about = document.createElement('span'), dots = document.createElement('span');
        link.href = linkOf(item[0]);
        about.className = 'about'; about.textContent = index.abouts[item[2]];
        dots.className = 'dots'; dots.setAttribute('role', 'img');
        dots.setAttribute('aria-label', index.chips.filter((_, i) => item[3] >> i & 1).map((c) => c[1]).join(', '));
        index.chips.forEach((chip, i) => {
          if (i && chip[1].split(' ')[0] !== index.chips[i - 1][1].split(' ')[0]) { const gap = document.createElement('i'); gap.className = 'gap'; dots.append(gap); }
          const dot = document.createElement('i'); dot.title = chip[1]; if (item[3] >> i & 1) dot.className = 'on'; dots.append(dot);
        });
        link.append(name, dots, about); row.append(link); results.append(row);
      }
      count.textContent = hits.length + (hits.length === 1 ? ' instruction' : ' instructions');
      more.hidden = hits.length <= shown;
    }
    more.addEventListener('click', () => { shown += 300; draw(); });
    form.addEventListener('change', () => { shown = 60; const hash = hashOf(state()); if (hash !== location.hash.slice(1)) location.hash = hash; update(); });
    form.addEventListener('reset', () => setTimeout(() => { box.value = ''; location.hash = ''; update(); }));
    addEventListener('hashchange', () => { if (location.hash.slice(1) !== hashOf(state())) { restore(); update(); } });
    loadIndex().then((loaded) => {
      index = loaded;
      options(form.elements.cat, index.topics.slice().sort()); options(form.elements.enc, index.encodings.slice().sort());
      options(form.elements.type, index.types.slice().sort());
      restore(); update();
      document.documentElement.dataset.ready = 'yes';
    });
    return {
      search() {
        clearTimeout(timer);
        shown = 60; update();
        // One entry of the history for a pause in typing, not one a letter.
        timer = setTimeout(() => { const hash = hashOf(state()); if (hash !== location.hash.slice(1)) location.hash = hash; }, 500);
      },
      key(key) {
        const links = $$('a', results);
        if (!links.length) return;
        if (key === 'Enter') { location.href = links[Math.max(selected, 0)].href; return; }
        selected = (selected + (key === 'ArrowDown' ? 1 : -1) + links.length) % links.length;
        links.forEach((link, i) => link.classList.toggle('active', i === selected));
        links[selected].scrollIntoView({ block: 'nearest' });
      }
    };
  }
  if (document.documentElement.dataset.ready !== 'yes' && !home) document.documentElement.dataset.ready = 'yes';
})();
