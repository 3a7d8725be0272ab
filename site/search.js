// The ranking of `gfxisa search` (src/doc/search.cc), on the index that search-index.js holds. A test compares the two.
(function (root) {
  'use strict';
  const NAME = 400, TOPIC = 120, PTX = 160, ABOUT = 60, EXACT = 4000;
  const meanings = { s: 'scalar', v: 'vector', ds: 'lds' };

  function wordsOf(text) { return text.toLowerCase().match(/[a-z0-9]+/g) || []; }

  function distance(a, b) {
    let before = [], last = [], row = [];
    for (let j = 0; j <= b.length; ++j) row[j] = j;
    for (let i = 1; i <= a.length; ++i) {
      [before, last, row] = [last, row, before];
      row[0] = i;
      for (let j = 1; j <= b.length; ++j) {
        row[j] = Math.min(last[j - 1] + (a[i - 1] !== b[j - 1] ? 1 : 0), last[j] + 1, row[j - 1] + 1);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    return row[b.length];
  }

  function likeness(query, word) {
    if (query === word) return 4;
    if (query.length >= 2 && word.length > query.length && word.startsWith(query)) return 3;
    if (query.length < 4 || /[0-9]/.test(query)) return 0;
    const allowed = query.length >= 8 ? 2 : 1;
    if (Math.abs(query.length - word.length) > allowed) return 0;
    return distance(query, word) <= allowed ? 2 : 0;
  }

  // Index items become entries whose words are numbers, so that a word of the query meets each different word once.
  function prepare(index) {
    const numbers = new Map(), words = [];
    const number = (word) => {
      let n = numbers.get(word);
      if (n === undefined) { n = words.length; numbers.set(word, n); words.push(word); }
      return n;
    };
    const topics = index.topics.map((topic) => {
      const list = wordsOf(topic), out = list.map(number);
      for (let i = 0; i + 1 < list.length; ++i) out.push(number(list[i] + list[i + 1]));
      return out;
    });
    const abouts = index.abouts.map((about) => wordsOf(about).map(number));
    const entries = index.items.map((item, place) => {
      const names = [item[0]].concat(item[5] ? item[5].split(' ') : []);
      const nameWords = [];
      for (const name of names) for (const word of wordsOf(name)) nameWords.push(number(word));
      const topic = topics[item[1]].slice(), meaning = meanings[wordsOf(item[0])[0]];
      if (meaning) topic.push(number(meaning));
      return { place, names, chips: item[3], weight: item[4],
               parts: [[nameWords, NAME], [topic, TOPIC], [wordsOf(item[6] || '').map(number), PTX], [abouts[item[2]], ABOUT]] };
    });
    return { words, entries };
  }

  function pointsOfName(entry, query) {
    let best = 0;
    for (const name of entry.names) {
      if (name === query) return EXACT;
      if (name.length > query.length && name.startsWith(query)) best = EXACT / 4;
      if (name.length > query.length + 1 && name.endsWith('_' + query)) best = Math.max(best, EXACT / 4);
    }
    return best;
  }

  // Places in index.items, best first.
  function find(prepared, text, count, accept) {
    const query = wordsOf(text);
    if (!query.length) return [];
    const likenesses = query.map((word) => prepared.words.map((other) => likeness(word, other)));
    const whole = query.join('_'), ranked = [];
    let most = 0;
    for (const entry of prepared.entries) {
      if (accept && !accept(entry.place)) continue;
      let score = pointsOfName(entry, whole), found = score > 0 ? query.length : 0;
      const isName = found > 0;
      for (const like of likenesses) {
        let best = 0;
        for (const [words, points] of entry.parts) for (const word of words) best = Math.max(best, Math.floor(points * like[word] / 4));
        score += best;
        if (!isName && best > 0) ++found;
      }
      if (found > 0) { ranked.push([found, score, entry.weight, entry.place]); most = Math.max(most, found); }
    }
    return ranked.filter((hit) => hit[0] === most)
      .sort((a, b) => b[1] - a[1] || b[2] - a[2] || a[3] - b[3]).slice(0, count).map((hit) => hit[3]);
  }

  root.gfxisaSearch = { prepare, find };
  if (typeof module !== 'undefined') module.exports = root.gfxisaSearch;
})(typeof window !== 'undefined' ? window : globalThis);
