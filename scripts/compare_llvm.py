#!/usr/bin/env python3
"""Compares gfxisa with llvm-mc 22, instruction word by instruction word, in both directions.

    scripts/compare_llvm.py                          all SOP formats on all ten targets
    scripts/compare_llvm.py --arch rdna3 cdna5       some targets
    scripts/compare_llvm.py --encoding VOP1 VOP2     other formats (see FORMATS below)
    scripts/compare_llvm.py --full                   all 65536 constants where they have a structure

For each opcode of a format every operand field runs through all of its values while the others stay put. Both
programs disassemble each word; validity and text must agree. Then both assemble the text that llvm-mc printed, and the bytes
must agree. Words that only llvm-mc's disassembler takes, while its assembler says that the target has no such operand, are counted
apart. Other cases in which llvm-mc is at fault are listed in scripts/llvm_exceptions.txt and counted apart.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

TARGETS = {
    "cdna1": "gfx908", "cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950", "cdna5": "gfx1250",
    "rdna1": "gfx1010", "rdna2": "gfx1030", "rdna3": "gfx1100", "rdna3.5": "gfx1150", "rdna4": "gfx1201",
}
EPOCHS = {"cdna5": "gfx12", "rdna1": "gfx10", "rdna2": "gfx10", "rdna3": "gfx11", "rdna3.5": "gfx11", "rdna4": "gfx12"}
SCALAR_FORMATS = ["SOP1", "SOP2", "SOPC", "SOPK", "SOPP"]
LITERALS = [0x12345678, 0, 1, 64, 65, 0xFFFFFFF0, 0xFFFFFFEF, 0x3F800000, 0xBF000000, 0x3E22F983, 0x80000000, 0x3FF00000,
            0xFFFF, 0x3C00, 0xFFFF3C00]
WORD = 0xFFFFFFFF


def epoch_of(chip):
    return EPOCHS.get(chip, "gfx9")


class Field:
    """A field of a format: where it is, a value that is good for most opcodes, and the values to run through."""

    def __init__(self, low, width, default, values=None):
        self.low, self.width, self.default = low, width, default
        self.values = range(1 << width) if values is None else values


def sample_constants(full):
    if full:
        return range(65536)
    values = set(range(0, 300)) | {0xFFFF ^ (1 << i) for i in range(16)} | {1 << i for i in range(16)} | {0xFFFF, 0x1234, 0x7FFF, 0x8001}
    values |= set(range(0, 65536, 331)) | {(i << 11) | 1 for i in range(32)} | {(i << 6) | 0xF801 for i in range(32)}
    values |= {(i << 7) | 1 for i in range(16)} | {(i << 4) | 0x81 for i in range(8)}
    return sorted(values)


def formats(chip, full):
    """Name -> (bits, fixed word, opcode field, opcode values, operand fields)."""
    epoch = epoch_of(chip)
    constants = Field(0, 16, 1, sample_constants(full))
    found = {
        "SOP2": (32, 0x80000000, (23, 7), range(96), [Field(16, 7, 8), Field(8, 8, 24), Field(0, 8, 16)]),
        "SOPK": (32, 0xB0000000, (23, 5), range(29 if epoch == "gfx9" else 32), [Field(16, 7, 8), constants]),
        "SOP1": (32, 0xBE800000, (8, 8), range(256), [Field(16, 7, 8), Field(0, 8, 16)]),
        "SOPC": (32, 0xBF000000, (16, 7), range(128), [Field(8, 8, 24), Field(0, 8, 16)]),
        "SOPP": (32, 0xBF800000, (16, 7), range(128), [constants]),
        "VOP1": (32, 0x7E000000, (9, 8), range(256), [Field(17, 8, 2), Field(0, 9, 256 + 4)]),
        "VOP2": (32, 0x00000000, (25, 6), range(62), [Field(17, 8, 2), Field(9, 8, 6), Field(0, 9, 256 + 4)]),
        "VOPC": (32, 0x7C000000, (17, 8), range(256), [Field(9, 8, 6), Field(0, 9, 256 + 4)]),
    }
    vop3 = 0xD0000000 if epoch == "gfx9" else 0xD4000000
    sources = [Field(50, 9, 256 + 8), Field(41, 9, 256 + 6), Field(32, 9, 256 + 4)]
    found["VOP3"] = (64, vop3, (16, 10), range(1024), [Field(0, 8, 2), Field(61, 3, 0), Field(59, 2, 0), Field(15, 1, 0),
                                                       Field(11, 4, 0), Field(8, 3, 0)] + sources)
    vop3p = 0xD3800000 if epoch == "gfx9" else 0xCC000000
    found["VOP3P"] = (64, vop3p | (3 << 59) | (1 << 14), (16, 7), range(128),
                      [Field(0, 8, 2), Field(61, 3, 0), Field(15, 1, 0), Field(11, 3, 0), Field(8, 3, 0)] + sources)
    if epoch in ("gfx9", "gfx10"):
        found["DS"] = (64, 0xD8000000, (17, 8) if epoch == "gfx9" else (18, 8), range(256),
                       [Field(0, 8, 0, (0, 1, 255)), Field(8, 8, 0, (0, 1, 255)), Field(32, 8, 2), Field(40, 8, 4), Field(48, 8, 6), Field(56, 8, 8)])
    else:
        found["DS"] = (64, 0xD8000000, (18, 8), range(256),
                       [Field(0, 8, 0, (0, 1, 255)), Field(8, 8, 0, (0, 1, 255)), Field(32, 8, 2), Field(40, 8, 4), Field(48, 8, 6), Field(56, 8, 8)])
    return found


def place(word, field, value):
    return word & ~(((1 << field.width) - 1) << field.low) | value << field.low


def as_bytes(word, bits, literal=None):
    data = word.to_bytes(bits // 8, "little")
    return data + (b"" if literal is None else literal)


def words_of(chip, name, full):
    """All instruction words to compare, as bytes, without repeats and in order."""
    bits, fixed, (low, width), opcodes, fields = formats(chip, full)[name]
    out = {}
    for opcode in opcodes:
        base = fixed | opcode << low
        for field in fields:
            base = place(base, field, field.default)
        for field in fields:
            for value in field.values:
                word = place(base, field, value)
                if is_source(field) and value == 255:
                    for literal in LITERALS:
                        out[as_bytes(word, bits, literal.to_bytes(4, "little"))] = None
                elif is_source(field) and value == 254 and chip == "cdna5":
                    for literal in (0x123456789ABCDEF0, 1, 0x3FF0000000000000, 0x80000000):
                        out[as_bytes(word, bits, literal.to_bytes(8, "little"))] = None
                    out[as_bytes(word, bits)] = None
                else:
                    out[as_bytes(word, bits)] = None
                    # Opcodes that always have a second word.
                    if value == field.default:
                        out[as_bytes(word, bits, (0x12345678).to_bytes(4, "little"))] = None
        if len(fields) > 1 and fields[-1].width == 8 and fields[-2].width == 8 and name.startswith("SOP"):
            word = place(place(base, fields[-1], 255), fields[-2], 255)
            out[as_bytes(word, bits, (0x12345678).to_bytes(4, "little"))] = None
    return list(out)


def is_source(field):
    return field.width in (8, 9) and field.low in (0, 8, 32, 41, 50) and field.values == range(1 << field.width)


def hex_line(data):
    return ",".join("0x%02x" % byte for byte in data)


class Llvm:
    """llvm-mc, told to print encodings. It reads all lines as one run of bytes, so after each test line come three words of a
    marker: an instruction that is cut off takes one or two of them, and a bad line shifts nothing."""

    def __init__(self, program, target):
        self.command = [program, "-triple=amdgcn", "-mcpu=" + target, "--show-encoding"]

    def disassemble(self, lines):
        """A text for each line, None when invalid, "crash" when llvm-mc died on it."""
        results = []
        for start in range(0, len(lines), 20000):
            results += self.disassemble_chunk(lines[start:start + 20000])
        return results

    def disassemble_chunk(self, lines):
        markers = [self.marker(index, lines[index:index + 2]) for index in range(len(lines))]
        source = "".join("%s\n%s\n" % (hex_line(data), hex_line(marker * 3)) for data, marker in zip(lines, markers))
        run = subprocess.run(self.command + ["--disassemble"], input=source, capture_output=True, text=True)
        if run.returncode < 0 or run.returncode > 1:
            if len(lines) == 1:
                return ["crash"]
            middle = len(lines) // 2
            return self.disassemble_chunk(lines[:middle]) + self.disassemble_chunk(lines[middle:])
        warned = {int(number) for number in re.findall(r"^<stdin>:(\d+):\d+: warning: invalid", run.stderr, re.M)}
        return self.split(lines, markers, run.stdout, warned)

    @staticmethod
    def marker(index, neighbours):
        words = [data[at:at + 4] for data in neighbours for at in range(0, len(data), 4)]
        candidates = ((0xBF800000 | (index * 7 + 3 + more) & 0xFFFF).to_bytes(4, "little") for more in range(100))
        return next(marker for marker in candidates if marker not in words)

    @staticmethod
    def split(lines, markers, output, warned):
        """The bytes printed are those of the text, which need not be the ones that were read; so markers are counted instead:
        all three are there when an instruction took just the bytes of its line."""
        groups = [[[], 0]]
        for line in output.splitlines():
            match = re.match(r"\s*(.*?)\s*[;/]+ encoding: \[(.*)\]", line)
            if not match:
                continue
            encoding = bytes(int(byte, 16) for byte in match.group(2).split(","))
            is_next = groups[-1][1] > 0 and encoding != markers[len(groups) - 1]
            if is_next and len(groups) < len(lines):
                groups.append([[], 0])
            if encoding == markers[len(groups) - 1]:
                groups[-1][1] += 1
            else:
                groups[-1][0].append(match.group(1))
        if len(groups) != len(lines) or any(count == 0 for _, count in groups):
            sys.exit("llvm-mc's output could not be told apart")
        return [texts[0] if len(texts) == 1 and count == 3 and 2 * at + 1 not in warned and "/*Invalid " not in texts[0] else None
                for at, (texts, count) in enumerate(groups)]

    def assemble(self, texts):
        run = subprocess.run(self.command, input="".join(text + "\n" for text in texts), capture_output=True, text=True)
        return assembled_bytes(texts, run.stdout, run.stderr)


def assembled_bytes(texts, output, errors):
    """Bytes for each line, None for those with an error."""
    failed = {int(number) for number in re.findall(r"^<stdin>:(\d+):\d+: error", errors, re.M)}
    found = iter(re.findall(r"encoding: \[([0-9a-fx,]*)\]", output))
    return [None if number in failed else parse_bytes(next(found, "")) for number, _ in enumerate(texts, 1)]


def parse_bytes(text):
    return bytes(int(byte, 16) for byte in text.split(",")) if text else None


class Gfxisa:
    def __init__(self, program, chip):
        self.program, self.chip = program, chip

    def disassemble(self, lines):
        source = "".join(hex_line(data) + "\n" for data in lines)
        run = subprocess.run([self.program, "dis", "--arch", self.chip, "--hex"], input=source, capture_output=True, text=True)
        results = run.stdout.splitlines()
        if run.returncode != 0 or len(results) != len(lines):
            sys.exit("gfxisa dis failed: exit %d, %d lines for %d\n%s" % (run.returncode, len(results), len(lines), run.stderr))
        return results

    def assemble(self, texts):
        """In runs below the number of errors after which gfxisa stops to list them."""
        return [result for start in range(0, len(texts), 900) for result in self.assemble_chunk(texts[start:start + 900])]

    def assemble_chunk(self, texts):
        run = subprocess.run([self.program, "asm", "--arch", self.chip, "--show-encoding"], input="".join(text + "\n" for text in texts),
                             capture_output=True, text=True)
        return assembled_bytes(texts, run.stdout, run.stderr)


def read_exceptions(path):
    """Lines `TARGETS TAB regular expression of "hex text" TAB evidence`."""
    exceptions = []
    if os.path.exists(path):
        for line in open(path):
            if line.strip() and not line.startswith("#"):
                targets, pattern, _ = line.rstrip("\n").split("\t")
                exceptions.append((targets.split(), re.compile(pattern)))
    return exceptions


def is_exception(exceptions, chip, what):
    return any((targets == ["all"] or chip in targets) and pattern.search(what) for targets, pattern in exceptions)


def compare(chip, name, options, exceptions):
    """Differences and counts for one format on one target."""
    lines = words_of(chip, name, options.full)
    llvm, ours = Llvm(options.llvm_mc, TARGETS[chip]), Gfxisa(options.gfxisa, chip)
    read = list(zip(lines, llvm.disassemble(lines), ours.disassemble(lines)))
    texts = list(dict.fromkeys(theirs for _, theirs, _ in read if theirs not in (None, "crash")))
    written = dict(zip(texts, zip(llvm.assemble(texts), ours.assemble(texts))))
    counts, differences = collections.Counter(), []
    for data, theirs, mine in read:
        compare_read(chip, data, theirs, mine, written, exceptions, counts, differences)
    for text, (theirs, mine) in written.items():
        compare_written(chip, text, theirs, mine, exceptions, counts, differences)
    return counts, differences


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", nargs="+", default=list(TARGETS), choices=list(TARGETS))
    parser.add_argument("--encoding", nargs="+", default=SCALAR_FORMATS)
    parser.add_argument("--full", action="store_true", help="all 65536 constants of SOPK and SOPP")
    parser.add_argument("--gfxisa", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "gfxisa"))
    parser.add_argument("--llvm-mc", default=shutil.which("llvm-mc-22") or "/usr/lib/llvm-22/bin/llvm-mc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=20, help="differences shown for each format and target; 0 shows all")
    options = parser.parse_args()
    exceptions = read_exceptions(os.path.join(os.path.dirname(__file__), "llvm_exceptions.txt"))
    tasks = [(chip, name) for chip in options.arch for name in options.encoding]
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
