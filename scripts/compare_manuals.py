#!/usr/bin/env python3
"""Texts of the spec that equal, or nearly equal, sentences of the vendor's manuals.

The project's texts are its own: facts come from manuals, sentences do not. This compares the texts of
spec/ and data/ with the sentences in a folder of manuals as text or Markdown (which are not part of the project), by runs of words that both have.

Usage: scripts/compare_manuals.py FOLDER [--words 8] [--share 0.6] [--show 40]

A text is reported when a run of --words words is the same, or when --share of its runs of three words, and at least four of them, stand
together in one sentence of a manual. Exit code 1 when there is any.
"""
import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = re.compile(r'^  (about|describe|note|open|sequence|none|ptx|title)\b ?(.*)$')
# Words that stand for numbers and names of registers say nothing about who wrote a sentence.
WORD = re.compile(r"[a-z][a-z']+")


def words_of(text):
    return WORD.findall(text.lower().replace('_', ' '))


def spec_texts():
    """(file, line, text) of each paragraph: lines of one keyword that follow one another."""
    for path in sorted([*(ROOT / 'spec').rglob('*.isa'), *(ROOT / 'data').glob('*.ref')]):
        start, keyword, parts = 0, None, []
        for number, line in enumerate(path.read_text().split('\n') + [''], 1):
            match = TEXT.match(line)
            if match and match[1] == keyword and match[2]:
                parts.append(match[2])
                continue
            if parts:
                yield path.relative_to(ROOT), start, ' '.join(parts)
            keyword, start, parts = (match[1], number, [match[2]]) if match and match[2] else (None, 0, [])


def sentences(folder):
    for path in sorted(folder.rglob('*')):
        if path.suffix not in ('.md', '.txt'):
            continue
        text = re.sub(r'[|*`#<>\\]', ' ', path.read_text(errors='replace'))
        for part in re.split(r'(?<=[.;:!?])\s+|\n\s*\n', text):
            found = words_of(part)
            if len(found) >= 4:
                yield path.name, found


def runs(words, size):
    return [tuple(words[i:i + size]) for i in range(len(words) - size + 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--words', type=int, default=8, help='length of a run of words that is too long a coincidence')
    parser.add_argument('--share', type=float, default=0.6, help='share of a sentence that is too large a coincidence')
    parser.add_argument('--show', type=int, default=40)
    options = parser.parse_args()

    long_runs, short_runs, known = {}, collections.defaultdict(set), []
    for name, found in sentences(options.folder):
        index = len(known)
        known.append((name, ' '.join(found)))
        for run in runs(found, options.words):
            long_runs.setdefault(run, index)
        for run in set(runs(found, 3)):
            short_runs[run].add(index)
    if not known:
        sys.exit(f'{options.folder}: no .md or .txt file with sentences in it')

    count, reported = 0, []
    for path, line, text in spec_texts():
        for sentence in re.split(r'(?<=[.;:])\s+', text):
            count += 1
            own = words_of(sentence)
            same = next((run for run in runs(own, options.words) if run in long_runs), None)
            if same:
                reported.append((path, line, sentence, known[long_runs[same]], 'words in a row: ' + ' '.join(same)))
                continue
            three = set(runs(own, 3))
            if len(three) < 4:
                continue
            shared = collections.Counter(index for run in three for index in short_runs.get(run, ()))
            if shared:
                index, most = shared.most_common(1)[0]
                if most >= 4 and most / len(three) >= options.share:
                    reported.append((path, line, sentence, known[index], f'{most} of {len(three)} runs of three words'))
    for path, line, sentence, (name, theirs), why in reported[:options.show]:
        print(f'{path}:{line}: {sentence}\n  {name}: {theirs[:240]}\n  {why}')
    print(f'{count} sentences compared with {len(known)} of the manuals: {len(reported)} too near')
    return 1 if reported else 0


if __name__ == '__main__':
    sys.exit(main())
