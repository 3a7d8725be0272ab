#!/usr/bin/env python3
"""Writes tests/golden/scalar.txt: what llvm-mc 22 says about a sample of scalar instruction words on all ten targets.

Tests read the file where there is no llvm-mc. A line is

    CHIPS KIND BYTES [TEXT]

CHIPS: a hexadecimal number, bit i for the i-th of cdna1-5, rdna1-4 (3.5 before 4). KIND: `=` the text assembles to the same bytes, `>` the text
assembles to other bytes (it is only read), `x` the bytes are no instruction. Left out: what llvm-mc's own assembler refuses, and
the exceptions of compare_llvm.py.
"""
import collections
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from instruction_words import SCALAR_FORMATS, TARGETS, scalar_formats, scalar_words  # noqa: E402
from llvm_oracle import Llvm, is_exception, read_exceptions  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PER_OPCODE = 5


def sample(chip, name):
    """A few words of each opcode, the same ones on every run."""
    groups = collections.defaultdict(list)
    bits, _, (low, width), _, _ = scalar_formats(chip, False)[name]
    for data in scalar_words(chip, name, False):
        word = int.from_bytes(data[:bits // 8], "little")
        groups[word >> low & ((1 << width) - 1)].append(data)
    chosen = []
    for opcode, words in groups.items():
        chosen += random.Random(name + str(opcode)).sample(words, min(PER_OPCODE, len(words)))
    return chosen


def rows_of(chip, llvm_mc, exceptions):
    llvm = Llvm(llvm_mc, TARGETS[chip])
    for name in SCALAR_FORMATS:
        words = sample(chip, name)
        texts = llvm.disassemble(words)
        known = list(dict.fromkeys(text for text in texts if text not in (None, "crash")))
        written = dict(zip(known, llvm.assemble(known)))
        for data, text in zip(words, texts):
            shown = "dis %s  %s" % (data.hex(), "<invalid>" if text is None else text)
            if text == "crash" or is_exception(exceptions, chip, shown):
                continue
            if text is None:
                yield "x", data.hex(), ""
            elif written[text] is not None:
                yield "=" if written[text] == data else ">", data.hex(), text


def main():
    llvm_mc = shutil.which("llvm-mc-22") or "/usr/lib/llvm-22/bin/llvm-mc"
    exceptions = read_exceptions(os.path.join(HERE, "llvm_exceptions.txt"))
    chips_of = collections.defaultdict(int)
    for index, chip in enumerate(TARGETS):
        for row in rows_of(chip, llvm_mc, exceptions):
            chips_of[row] |= 1 << index
    path = os.path.join(HERE, "..", "tests", "golden", "scalar.txt")
    with open(path, "w") as out:
        for (kind, data, text), chips in sorted(chips_of.items(), key=lambda item: (item[0][2].split(" ")[0], item[0][1], item[0])):
            out.write(("%x %s %s %s" % (chips, kind, data, text)).rstrip() + "\n")
    print("%d lines, %d words" % (len(chips_of), sum(bin(chips).count("1") for chips in chips_of.values())))


if __name__ == "__main__":
    main()
