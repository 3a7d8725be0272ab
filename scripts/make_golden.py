#!/usr/bin/env python3
"""Writes tests/golden/CHIP.txt: what llvm-mc 22 says about instruction words of every opcode, for tests that have no llvm-mc.

    scripts/make_golden.py [CHIP...]

A file's lines are

    KIND BYTES [TEXT]

KIND: `=` the text assembles to the same bytes, `>` the text assembles to other bytes (it is only read), `x` the bytes are no instruction, `!`
llvm-mc dies on the bytes. `64=`, `64>` and `64x` say what the same bytes are in a wave of 64 lanes, where that differs. For each mnemonic
there are words whose texts differ in more than numbers. Left out: what llvm-mc's own assembler refuses, and the exceptions of
compare_llvm.py. The choice is the same on every run.
"""
import collections
import concurrent.futures
import os
import random
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from instruction_words import TARGETS, deadly_words, format_names, words_of_format  # noqa: E402
from llvm_oracle import Llvm, is_exception, read_exceptions  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TWO_WAVE_SIZES = ("rdna1", "rdna2", "rdna3", "rdna3.5", "rdna4")
WORDS_PER_FORMAT = 60000
TEXTS_PER_MNEMONIC = 5
INVALID_PER_FORMAT = 40
DEADLY_PER_FORMAT = 12


def shape(text):
    """The text without numbers of registers and values."""
    return re.sub(r"0x[0-9a-f]+|\d+", "#", text.split(" ", 1)[1]) if " " in text else ""


def chosen(name, words, texts):
    """A few words with different shapes for each mnemonic, and some that are invalid."""
    source = random.Random(name)
    shapes, invalid, deadly = collections.defaultdict(lambda: collections.defaultdict(list)), [], []
    for data, text in zip(words, texts):
        if text is None:
            invalid.append(data)
        elif text == "crash":
            deadly.append(data)
        else:
            shapes[text.split(" ")[0]][shape(text)].append((data, text))
    for mnemonic in sorted(shapes):
        kinds = sorted(shapes[mnemonic])
        # The plainest always, and others by chance.
        kinds = kinds[:1] if len(kinds) == 1 else [min(kinds, key=len)] + source.sample(kinds, min(TEXTS_PER_MNEMONIC - 1, len(kinds)))
        for kind in dict.fromkeys(kinds):
            yield source.choice(shapes[mnemonic][kind])
    for data in source.sample(invalid, min(INVALID_PER_FORMAT, len(invalid))):
        yield data, None
    for data in source.sample(deadly, min(DEADLY_PER_FORMAT, len(deadly))):
        yield data, "crash"


def rows_of(chip, name, llvms, exceptions):
    """Rows for waves of 32 and of 64 lanes, as far as the target knows both and they differ; the first of `llvms` is the target's own."""
    words = words_of_format(chip, name, llvms[0].disassemble, WORDS_PER_FORMAT) + list(deadly_words(chip, name, DEADLY_PER_FORMAT))
    picked = list(chosen(name, words, llvms[0].disassemble(words)))
    yield from rows("", chip, picked, llvms[0], exceptions)
    for llvm in llvms[1:]:
        data = [data for data, text in picked if text != "crash"]
        again = zip(data, llvm.disassemble(data))
        yield from rows("64", chip, [row for row in again if row not in picked], llvm, exceptions)


def rows(prefix, chip, picked, llvm, exceptions):
    texts = list(dict.fromkeys(text for _, text in picked if text not in (None, "crash")))
    written = dict(zip(texts, llvm.assemble(texts)))
    for data, text in picked:
        if is_exception(exceptions, chip, "dis %s  %s" % (data.hex(), "<invalid>" if text is None else text)):
            continue
        if text is None or text == "crash":
            yield "%s%s %s" % (prefix, "x" if text is None else "!", data.hex())
        elif written[text] is not None:
            yield "%s%s %s %s" % (prefix, "=" if written[text] == data else ">", data.hex(), text)


def write(chip, llvm_mc, exceptions):
    llvms = [Llvm(llvm_mc, TARGETS[chip])] + ([Llvm(llvm_mc, TARGETS[chip], 64)] if chip in TWO_WAVE_SIZES else [])
    lines = [row for name in format_names(chip) for row in rows_of(chip, name, llvms, exceptions)]
    with open(os.path.join(HERE, "..", "tests", "golden", chip + ".txt"), "w") as out:
        out.writelines(line + "\n" for line in dict.fromkeys(lines))
    return "%s: %d lines" % (chip, len(lines))


def main():
    llvm_mc = shutil.which("llvm-mc-22") or "/usr/lib/llvm-22/bin/llvm-mc"
    exceptions = read_exceptions(os.path.join(HERE, "llvm_exceptions.txt"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(lambda chip: write(chip, llvm_mc, exceptions), sys.argv[1:] or TARGETS):
            print(line, flush=True)


if __name__ == "__main__":
    main()
