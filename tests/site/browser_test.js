// The site in headless Chromium, from the disk and from a server of its own.
'use strict';
const fs = require('fs'), http = require('http'), path = require('path');
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [site, executablePath] = process.argv.slice(2);
const root = path.resolve(site);
let failures = 0, checks = 0;

function expect(name, ok, got) {
  ++checks;
  if (ok) return;
  ++failures;
  console.log(`failed: ${name}${got === undefined ? '' : ': ' + JSON.stringify(got)}`);
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const server = http.createServer((request, response) => {
  let file = path.join(root, decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
  if (file.endsWith('/')) file += 'index.html';
  fs.readFile(file, (error, data) => {
    response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(file)] || 'text/plain' });
    response.end(error ? 'not there' : data);
  });
});

function watch(page, base) {
  page.on('console', (message) => { if (message.type() === 'error') expect('no error on the console', false, message.text()); });
  page.on('pageerror', (error) => expect('no error in scripts', false, error.message));
  page.on('request', (request) => { if (!request.url().startsWith(base) && !request.url().startsWith('data:')) expect('no request leaves', false, request.url()); });
}

const pages = ['index.html', 'i/s_bfe_u32/index.html', 'i/v_add_f32/index.html', 'encodings/VOP3.html', 'encodings/index.html', 'operands.html', 'formats.html', 'matrix.html',
  'ptx.html', 'compare/rdna3-rdna4.html', 'compare/index.html', 'decoder.html', 'all.html'];

async function accessibility(browser, base) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      watch(page, base);
      for (const name of pages) {
        await page.goto(base + name);
        await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(`${name} fits ${width} pixels`, wide <= 0, wide);
        await page.evaluate(axe);
        const found = await page.evaluate(() => window.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then((r) => r.violations
          .filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 160)])));
        expect(`axe on ${name}, ${colorScheme}, ${width}`, found.length === 0, found);
      }
      await page.close();
    }
  }
}

// Each generation has its page, its decoder and, where it has such instructions, its matrices.
const generations = {
  cdna1: ['CDNA 1', 37, '0x92800201'], cdna2: ['CDNA 2', 37, '0x92800201'], cdna3: ['CDNA 3', 37, '0x92800201'], cdna4: ['CDNA 4', 37, '0x92800201'], cdna5: ['CDNA 5', 38, '0x93000201'],
  rdna1: ['RDNA 1', 39, '0x93800201'], rdna2: ['RDNA 2', 39, '0x93800201'], rdna3: ['RDNA 3', 38, '0x93000201'], 'rdna3.5': ['RDNA 3.5', 38, '0x93000201'], rdna4: ['RDNA 4', 38, '0x93000201'],
};

async function everyGeneration(browser, base) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  watch(page, base);
  const ready = () => page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  for (const [name, [title, opcode, word]] of Object.entries(generations)) {
    await page.goto(base + 'i/s_bfe_u32/index.html#' + name);
    await page.reload();
    await ready();
    const panel = await page.textContent('.panel:not([hidden])');
    expect(`permalink of ${name}`, (await page.getAttribute(`[id="tab-${name}"]`, 'aria-selected')) === 'true' && panel.includes(`${opcode} (0x${opcode.toString(16)})`), panel.slice(0, 80));

    await page.goto(base + 'index.html');
    await ready();
    const everything = parseInt(await page.textContent('#count'), 10);
    await page.check(`input[name=gen][value="${name}"]`);
    const some = parseInt(await page.textContent('#count'), 10);
    expect(`filter of ${name}`, some > 700 && some < everything, some);

    await page.goto(base + 'matrix.html#' + name);
    await page.reload();
    await ready();
    if (['rdna1', 'rdna2'].includes(name)) {
      expect(`no matrices on ${name}`, await page.$eval(`#matrix select option[value="${name}"]`, (option) => option.disabled));
    } else {
      await page.waitForSelector('#matrix-view button');
      expect(`matrices of ${name}`, (await page.inputValue('#matrix select')) === name, await page.inputValue('#matrix select'));
      await page.click('#matrix-view tr:nth-child(3) td:nth-child(3) button');
      expect(`an element of ${name}`, /^A\[1\]\[(1|one of 0 to 3)\] is in lane \d+, register \d+/.test(await page.textContent('#matrix-answer')), await page.textContent('#matrix-answer'));
      expect(`the chosen element of ${name} is marked`, await page.$$eval('#matrix-view .chosen', (all) => all.length) === 1);
    }
  }
  await page.goto(base + 'decoder.html');
  if (await page.$('#decoder')) {
    for (const [name, [title, , word]] of Object.entries(generations)) {
      await page.selectOption('#arch', name);
      await page.fill('#code', '');
      await page.fill('#code', `s_bfe_u32 s0, s1, s2\n${word}`);
      await page.click('#decoder button');
      await page.waitForFunction((w) => document.querySelectorAll('#decoded section').length === 2 && document.getElementById('decoded').textContent.includes(w), word, { timeout: 60000 }).catch(() => {});
      const items = await page.$$eval('#decoded section', (all) => all.map((one) => one.textContent));
      expect(`the decoder of ${title}`, items.length === 2 && items.every((item) => item.startsWith('s_bfe_u32 s0, s1, s2') && item.includes(word)), items);
    }
  }
  // The keyboard gets out of the grid of elements, which is one stop, and to the end of the page.
  await page.goto(base + 'matrix.html#cdna3');
  await page.waitForSelector('#matrix-view button');
  let last = '';
  for (let i = 0; i < 40 && last !== 'BODY'; ++i) {
    await page.keyboard.press('Tab');
    last = await page.evaluate(() => document.activeElement.tagName);
  }
  expect('no keyboard trap', last === 'BODY', last);
  // On paper: no menus, and what is folded is open.
  await page.goto(base + 'i/s_bfe_u32/index.html#cdna5');
  await ready();
  await page.emulateMedia({ media: 'print' });
  expect('menus are not printed', !(await page.isVisible('.top')) && !(await page.isVisible('.tabs')));
  expect('what is folded is printed', await page.$eval('.panel:not([hidden]) details', (details) => details.getBoundingClientRect().height > 150));
  await page.close();
}

async function behaviour(browser, base) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  watch(page, base);
  const text = (selector) => page.textContent(selector);
  const firstResult = () => page.textContent('#results li b');

  // Search: `/` focuses, typing finds, arrows and Enter open.
  await page.goto(base + 'index.html');
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  await page.keyboard.press('/');
  expect('/ focuses the search', await page.evaluate(() => document.activeElement.id) === 'find');
  await page.keyboard.type('bfe scalar');
  expect('bfe scalar', await firstResult() === 's_bfe_u32', await firstResult());
  await page.fill('#find', 'bfe scaler');
  expect('a mistyped word', await firstResult() === 's_bfe_u32', await firstResult());
  await page.focus('#find');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/i\/s_bfe_u32\//);
  expect('Enter opens the page', /s_bfe_u32/.test(await text('h1')));

  // Tabs, permalinks, the back button.
  await page.goto(base + 'i/s_bfe_u32/index.html#cdna1');
  const shown = () => page.$eval('.panel:not([hidden])', (panel) => panel.dataset.chips);
  expect('a permalink opens its generation', (await shown()).split(' ').includes('cdna1'), await shown());
  expect('opcode on CDNA 1', /37 \(0x25\)/.test(await page.textContent('.panel:not([hidden])')));
  await page.click('#tab-cdna5');
  await page.waitForFunction(() => document.querySelector('#tab-cdna5').getAttribute('aria-selected') === 'true');
  expect('a click changes the tab', (await shown()).split(' ').includes('cdna5') && /38 \(0x26\)/.test(await page.textContent('.panel:not([hidden])')));
  expect('the address follows', (await page.url()).endsWith('#cdna5'), page.url());
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.panel:not([hidden])').dataset.chips.split(' ').includes('cdna1'));
  expect('back goes back', (await page.getAttribute('#tab-cdna1', 'aria-selected')) === 'true');
  await page.focus('#tab-cdna1');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.hash === '#cdna2');
  expect('arrows move between tabs', await page.evaluate(() => document.activeElement.id) === 'tab-cdna2');
  expect('a drawing of bits', await page.$$eval('.panel:not([hidden]) svg rect', (all) => all.length) > 4);

  // The search box on other pages.
  await page.keyboard.press('/');
  await page.keyboard.type('v_add_f3');
  await page.waitForSelector('#found li');
  expect('the box finds', (await text('#found li b')).startsWith('v_add_f3'), await text('#found li b'));
  await page.keyboard.press('Escape');
  expect('Escape closes', await page.isHidden('#found'));

  // An old name leads to the page.
  await page.goto(base + 'i/global_load_dword/index.html');
  await page.waitForURL(/global_load_b32/);

  // Filters, and back from them.
  await page.goto(base + 'index.html');
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  const count = async () => parseInt(await text('#count'), 10);
  const everything = await count();
  await page.check('input[name=gen][value=rdna4]');
  const ofOne = await count();
  await page.selectOption('#enc', 'SOP2');
  const ofSop2 = await count();
  await page.selectOption('#type', 'u64');
  const ofBoth = await count();
  expect('filters narrow', everything > ofOne && ofOne > ofSop2 && ofSop2 > ofBoth && ofBoth > 0, [everything, ofOne, ofSop2, ofBoth]);
  await page.goBack();
  await page.waitForFunction((n) => parseInt(document.getElementById('count').textContent, 10) === n, ofSop2);
  expect('back undoes a filter', await page.inputValue('#type') === '');
  await page.reload();
  await page.waitForFunction((n) => parseInt(document.getElementById('count').textContent, 10) === n, ofSop2);
  expect('the address holds the filters', await page.inputValue('#enc') === 'SOP2');

  // Light and dark.
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await page.click('#theme');
  expect('dark differs', before !== await paper(), before);
  const dark = await paper();
  await page.goto(base + 'formats.html');
  if (!base.startsWith('file:')) expect('dark stays', dark === await paper());
  expect('fp8 table', /448/.test(await page.textContent('main')));

  // Matrix explorer, both ways.
  await page.goto(base + 'matrix.html#cdna3/v_mfma_f32_32x32x8_f16/A');
  await page.waitForSelector('#matrix-view button');
  await page.click('#matrix-view tr:nth-child(6) td:nth-child(7) button');
  expect('an element has its lane', /A\[4\]\[5\] is in lane 36, register 0 \[31:16\]/.test(await text('#matrix-answer')), await text('#matrix-answer'));
  await page.fill('input[name=lane]', '36');
  expect('a lane has its elements', /A\[4\]\[4\].*A\[4\]\[7\]/.test(await text('#matrix-answer')), await text('#matrix-answer'));
  await page.selectOption('select[name=part]', 'D');
  expect('the sum is another layout', await page.$$eval('#matrix-view tr', (rows) => rows.length) === 33);
  await page.goto(base + 'matrix.html#cdna3/v_smfmac_f32_32x32x16_f16/A');
  await page.reload();
  await page.waitForSelector('#matrix-view button');
  await page.click('#matrix-view tr:nth-child(2) td:nth-child(4) button');
  expect('of a sparse matrix the stored elements are shown', /A\[0\]\[one of 4 to 7\] is in lane 0, register 1/.test(await text('#matrix-answer')), await text('#matrix-answer'));
  await page.goto(base + 'matrix.html#rdna4/v_wmma_f32_16x16x16_f16/D');
  await page.reload();
  await page.waitForSelector('#matrix-view button');
  await page.selectOption('#matrix [name=wave]', '64');
  await page.click('#matrix-view tr:nth-child(6) td:nth-child(3) button');
  expect('waves of 64 lanes', /D\[4\]\[1\] is in lane 33, register 0/.test(await text('#matrix-answer')), await text('#matrix-answer'));
  await page.goto(base + 'matrix.html#cdna4/v_mfma_f32_16x16x128_f8f6f4/A');
  await page.reload();
  await page.waitForSelector('#matrix-view button');
  await page.selectOption('#matrix [name=width]', '6');
  await page.click('#matrix-view tr:nth-child(2) td:nth-child(7) button');
  expect('six bits may lie in two registers', /A\[0\]\[5\] is in lane 0, register 0 \[31:30\] and 1 \[3:0\]/.test(await text('#matrix-answer')), await text('#matrix-answer'));

  // The decoder.
  await page.goto(base + 'decoder.html');
  if (await page.$('#decoder')) {
    await page.fill('#code', '0x01,0x02,0x00,0x93\ns_bfe_u32 s0, s1, s2\nffffffff\ns_bfe_u33 s0');
    await page.waitForSelector('#decoded section:nth-child(4)', { timeout: 60000 });
    const items = await page.$$eval('#decoded section', (all) => all.map((one) => one.textContent));
    expect('bytes decode', items[0].startsWith('s_bfe_u32 s0, s1, s2'), items[0]);
    expect('text assembles', /0x93000201/.test(items[1]), items[1]);
    expect('nonsense is an error', !/opcode/.test(items[2].slice(0, 20)), items[2]);
    expect('errors have hints', /s_bfe_u32/.test(items[3]), items[3]);
  } else {
    console.log('note: the site has no decoder');
  }
  await page.close();
}

(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const served = `http://127.0.0.1:${server.address().port}/`;
  try {
    await behaviour(browser, served);
    await behaviour(browser, 'file://' + root + '/');
    await everyGeneration(browser, served);
    await accessibility(browser, served);
  } catch (error) {
    expect('no step fails', false, error.message.split('\n').slice(0, 4).join(' '));
  }
  await browser.close();
  server.close();
  console.log(`browser: ${checks - failures} passed, ${failures} failed`);
  process.exit(failures ? 1 : 0);
})();
