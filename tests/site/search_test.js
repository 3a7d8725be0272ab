// The site's search gives what `gfxisa search` gives.
'use strict';
const { execFileSync } = require('child_process');
const path = require('path');
const [gfxisa, site] = process.argv.slice(2);
global.window = globalThis;
const search = require(path.resolve('site/search.js'));
require(path.join(path.resolve(site), 'search-index.js'));
const prepared = search.prepare(window.GFXISA_INDEX);
let failures = 0, checks = 0;
for (const query of ['bfe scalar', 'bfe scaler', 's_bfe', 'atomic add float', 'mfma bf16', 'bitfield extract', 'barrier signal', 'V_ADD_F32', 'global_load_dword',
  'ds swizzle', 'convert fp8', 'wait counter', 'bfe.u32', 'zzzzqqqq', 'permute lanes', 'barier', 'tensor load']) {
  let theirs = [];
  try {
    theirs = JSON.parse(execFileSync(gfxisa, ['search', ...query.split(' '), '--count', '10', '--format', 'json'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch (error) { theirs = JSON.parse(error.stdout.toString() || '[]'); }
  const ours = search.find(prepared, query, 10).map((place) => window.GFXISA_INDEX.items[place][0]);
  ++checks;
  if (JSON.stringify(ours) !== JSON.stringify(theirs.map((hit) => hit.mnemonic))) {
    ++failures;
    console.log(`${query}:\n  site:    ${ours}\n  command: ${theirs.map((hit) => hit.mnemonic)}`);
  }
}
console.log(`search: ${checks - failures} passed, ${failures} failed`);
process.exit(failures ? 1 : 0);
