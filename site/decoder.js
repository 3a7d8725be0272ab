// The page of the live decoder: loads the library (gfxisa-wasm.js) when it is first asked.
(function () {
  'use strict';
  const base = document.documentElement.dataset.root || '';
  const form = document.getElementById('decoder'), input = form.elements.code, arch = form.elements.arch, output = document.getElementById('decoded');
  let loading = null;

  function load() {
    if (!loading) {
      loading = new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = base + 'gfxisa-wasm.js';
        script.onload = () => window.gfxisaModule().then(resolve, reject);
        script.onerror = () => reject(new Error('this copy of the site was made without the decoder'));
        document.head.append(script);
      });
    }
    return loading;
  }

  // Words as llvm-mc writes them (0x80,0x02,..), as bytes in memory order (80020088), or 32-bit words with 0x (0x88000280).
  function bytesOf(line) {
    const clean = line.replace(/[[\]]/g, ' ').trim();
    const parts = clean.split(/[\s,]+/).filter(Boolean);
    if (!parts.length || !parts.every((p) => /^(0x)?[0-9a-f]+$/i.test(p))) return null;
    const out = [];
    for (const part of parts) {
      const isWord = /^0x/i.test(part) && part.length > 4, digits = part.replace(/^0x/i, '');
      if (isWord && digits.length > 8) return null;
      const padded = digits.padStart(isWord ? 8 : digits.length + digits.length % 2, '0'), bytes = padded.match(/../g).map((b) => parseInt(b, 16));
      out.push(...(isWord ? bytes.reverse() : bytes));
    }
    return out;
  }

  const element = (name, text, css) => { const e = document.createElement(name); if (text !== undefined) e.textContent = text; if (css) e.className = css; return e; };

  function show(item) {
    const box = element('section', undefined, 'encoding');
    if (item.error) {
      box.append(element('p', item.error, 'error'));
      if (item.hint) box.append(element('p', item.hint, 'meta'));
      return box;
    }
    const title = element('h3'), link = element('a', item.text, 'mono');
    link.href = base + 'i/' + item.name + '/index.html#' + arch.value;
    title.append(link);
    box.append(title, element('p', item.summary), element('p', item.encoding + (item.suffix ? ' + ' + item.suffix : '') + ', opcode ' + item.opcode + ' · ' + item.words.map((w) => '0x' + w).join(' '), 'meta mono'));
    const scroll = element('div', undefined, 'scroll'), table = element('table'), head = element('tr');
    scroll.tabIndex = 0; scroll.setAttribute('role', 'group'); scroll.setAttribute('aria-label', 'Fields of ' + item.text);
    for (const name of ['Bits', 'Field', 'Value', 'In binary']) head.append(element('th', name));
    table.append(head);
    for (const field of item.fields) {
      const row = element('tr'), high = field.low + field.width - 1, value = BigInt(field.value);
      row.append(element('td', (field.suffix ? '+' : '') + (high === field.low ? high : high + ':' + field.low), 'mono'),
        element('td', ['fixed', 'OP', 'unassigned'][field.role] || field.name.toUpperCase(), 'mono'),
        element('td', value.toString() + (value > 9n ? ' (0x' + value.toString(16) + ')' : ''), 'mono'),
        element('td', value.toString(2).padStart(field.width, '0'), 'mono'));
      table.append(row);
    }
    scroll.append(table); box.append(scroll);
    return box;
  }

  function decodeBytes(module, bytes) {
    const memory = module._malloc(bytes.length);
    module.HEAPU8.set(bytes, memory);
    const json = module.ccall('decode_bytes', 'string', ['string', 'number', 'number'], [arch.value, memory, bytes.length]);
    module._free(memory);
    return JSON.parse(json);
  }

  function run() {
    const lines = input.value.split('\n').map((l) => l.replace(/(\/\/|;).*/, '').trim()).filter(Boolean).slice(0, 200);
    output.textContent = '';
    if (!lines.length) return;
    output.append(element('p', 'Loading the decoder…', 'meta'));
    load().then((module) => {
      output.textContent = '';
      for (const line of lines) {
        const bytes = bytesOf(line);
        const items = bytes ? decodeBytes(module, bytes) : [JSON.parse(module.ccall('assemble_text', 'string', ['string', 'string'], [arch.value, line]))];
        for (const item of items) output.append(show(item));
      }
    }).catch((error) => { output.textContent = ''; output.append(element('p', error.message, 'error')); });
  }

  let timer = 0;
  const later = () => { clearTimeout(timer); timer = setTimeout(run, 250); };
  input.addEventListener('input', later);
  arch.addEventListener('change', run);
  form.addEventListener('submit', (event) => { event.preventDefault(); run(); });
  if (input.value) run();
})();
