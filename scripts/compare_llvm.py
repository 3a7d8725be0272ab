#!/usr/bin/env python3
"""Compares gfxisa with llvm-mc 22, instruction word by instruction word, in both directions.

    scripts/compare_llvm.py                          all SOP formats on all ten targets
    scripts/compare_llvm.py --arch rdna3 cdna5       some targets
    scripts/compare_llvm.py --encoding VOP1 DS       some formats (--encoding all: all that the target has)
    scripts/compare_llvm.py --random 1000000         random words for each target: as many of each format that is not scalar
    scripts/compare_llvm.py --random 20000 --seed 7  others (the default seed is 1)
    scripts/compare_llvm.py --wave 64                as wave64, on targets that know both
    scripts/compare_llvm.py --full                   all 65536 constants where they have a structure

For each opcode of a scalar format every operand field runs through all of its values while the others stay put. Each opcode of another
format is tried with random words; words that are instructions are then varied, each bit and each byte. Both programs disassemble each
word; validity and text must agree. Then both assemble the text that llvm-mc printed, and the bytes must agree. Words that only
llvm-mc's disassembler takes, while its assembler says that the target has no such operand, are counted apart. Other cases in which
llvm-mc is at fault are listed in scripts/llvm_exceptions.txt and counted apart.
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from instruction_words import SCALAR_FORMATS, TARGETS, format_names, random_words, words_of_format  # noqa: E402
from llvm_oracle import Gfxisa, Llvm, is_exception, read_exceptions  # noqa: E402


BATCH = 50000  # so many random words at once, that a million fit into memory


def batches(chip, name, llvm, options):
    if name != "random":
        yield words_of_format(chip, name, llvm.disassemble, options.limit, options.full)
        return
    words = random_words(chip, options.random, options.seed)
    while batch := list(dict.fromkeys(itertools.islice(words, BATCH))):
        yield batch


def compare(chip, name, options, exceptions):
    """Differences and counts for one format on one target."""
    llvm, ours = Llvm(options.llvm_mc, TARGETS[chip], options.wave), Gfxisa(options.gfxisa, chip, options.wave)
    counts, differences = collections.Counter(), []
    for lines in batches(chip, name, llvm, options):
        compare_words(chip, lines, llvm, ours, exceptions, counts, differences)
    return counts, differences


def compare_words(chip, lines, llvm, ours, exceptions, counts, differences):
    read = list(zip(lines, llvm.disassemble(lines), ours.disassemble(lines)))
    texts = list(dict.fromkeys(theirs for _, theirs, _ in read if theirs not in (None, "crash")))
    written = dict(zip(texts, zip(llvm.assemble(texts), ours.assemble(texts))))
    for data, theirs, mine in read:
        compare_read(chip, data, theirs, mine, written, exceptions, counts, differences)
    for text, (theirs, mine) in written.items():
        compare_written(chip, text, theirs, mine, exceptions, counts, differences)


def compare_read(chip, data, theirs, mine, written, exceptions, counts, differences):
    counts["words"] += 1
    if theirs == "crash":
        counts["llvm-mc crashes"] += 1
        return
    counts["valid"] += theirs is not None
    if mine.startswith("<invalid>") if theirs is None else mine == theirs:
        counts["same"] += 1
        return
    shown = "%s  %s" % (data.hex(), theirs if theirs is not None else "<invalid>")
    # Its disassembler looks less at the target than its assembler, which then says that there is no such operand.
    if theirs is not None and mine.startswith("<invalid>") and written[theirs][0] is None:
        counts["refused by llvm-mc's own assembler"] += 1
    elif is_exception(exceptions, chip, "dis " + shown):
        counts["exceptions"] += 1
    else:
        differences.append("dis  %-8s %s\n%33s %s" % (chip, shown, "gfxisa:", mine))


def compare_written(chip, text, theirs, mine, exceptions, counts, differences):
    counts["texts"] += 1
    if theirs is None:
        counts["texts llvm-mc cannot assemble"] += 1
    elif theirs == mine:
        counts["same bytes"] += 1
    elif is_exception(exceptions, chip, "asm %s  %s" % (theirs.hex(), text)):
        counts["exceptions"] += 1
    else:
        differences.append("asm  %-8s %s  llvm-mc %s  gfxisa %s" % (chip, text, theirs.hex(), mine.hex() if mine else "refuses"))


def names_for(chip, options):
    if options.random:
        return ["random"]
    if options.encoding == ["all"]:
        return format_names(chip)
    return [name for name in options.encoding if name in format_names(chip)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", nargs="+", default=list(TARGETS), choices=list(TARGETS))
    parser.add_argument("--encoding", nargs="+", default=SCALAR_FORMATS)
    parser.add_argument("--random", type=int, default=0, metavar="COUNT", help="compare COUNT random words for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=300000, help="at most so many varied words for each format and target")
    parser.add_argument("--wave", type=int, choices=(32, 64), default=None)
    parser.add_argument("--full", action="store_true", help="all 65536 constants of SOPK and SOPP")
    parser.add_argument("--gfxisa", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "gfxisa"))
    parser.add_argument("--llvm-mc", default=shutil.which("llvm-mc-22") or "/usr/lib/llvm-22/bin/llvm-mc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=20, help="differences shown for each format and target; 0 shows all")
    options = parser.parse_args()
    exceptions = read_exceptions(os.path.join(os.path.dirname(__file__), "llvm_exceptions.txt"))
    if options.random:
        print("%d random words a target, seed %d%s" % (options.random, options.seed, ", waves of %d" % options.wave if options.wave else ""),
              flush=True)
    tasks = [(chip, name) for chip in options.arch for name in names_for(chip, options)]
    total, count = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (chip, name), (counts, differences) in zip(tasks, pool.map(lambda task: compare(*task, options, exceptions), tasks)):
            total += counts
            count += len(differences)
            summary = ", ".join("%d %s" % (number, what) for what, number in counts.items())
            print("%-8s %-6s %s, %d differences" % (chip, name, summary, len(differences)), flush=True)
            for difference in differences[:options.show or None]:
                print("  " + difference)
    print("total: " + ", ".join("%d %s" % (number, what) for what, number in total.items()) + ", %d differences" % count)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
