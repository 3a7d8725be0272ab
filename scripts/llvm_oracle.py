"""llvm-mc 22 and gfxisa as functions from bytes to text and back."""
import os
import re
import subprocess
import sys


def hex_line(data):
    return ",".join("0x%02x" % byte for byte in data)


MARKERS = 7  # the last word of a line may begin an instruction of five words with a literal of two


class Llvm:
    """llvm-mc, told to print encodings. It reads all lines as one run of bytes, so after each test line come words of a marker: an
    instruction that is cut off takes some of them, and a bad line shifts nothing."""

    # A backtrace for each crash would take longer than all the rest.
    environment = os.environ | {"LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}

    def __init__(self, program, target, wave=None):
        self.command = [program, "-triple=amdgcn", "-mcpu=" + target, "--show-encoding"]
        if wave:
            self.command.append("-mattr=+wavefrontsize%d" % wave)

    def disassemble(self, lines):
        """A text for each line, None when invalid, "crash" when llvm-mc died on it."""
        results = []
        for start in range(0, len(lines), 4000):
            results += self.disassemble_chunk(lines[start:start + 4000])
        return results

    def disassemble_chunk(self, lines):
        markers = [self.marker(index, lines[index:index + 2]) for index in range(len(lines))]
        source = "".join("%s\n%s\n" % (hex_line(data), hex_line(marker * MARKERS)) for data, marker in zip(lines, markers))
        run = subprocess.run(self.command + ["--disassemble"], input=source, capture_output=True, text=True,
                             env=self.environment)
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
        all are there when an instruction took just the bytes of its line."""
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
                groups[-1][0].append(re.sub(" +", " ", match.group(1)))
        if len(groups) != len(lines) or any(count == 0 for _, count in groups):
            sys.exit("llvm-mc's output could not be told apart")
        return [texts[0] if len(texts) == 1 and count == MARKERS and 2 * at + 1 not in warned and "/*Invalid " not in texts[0] else None
                for at, (texts, count) in enumerate(groups)]

    def assemble(self, texts):
        """Labels tell the lines apart: some errors do not keep llvm-mc from printing an encoding."""
        source = "".join("%s\nline%d:\n" % (text, number) for number, text in enumerate(texts))
        run = subprocess.run(self.command, input=source, capture_output=True, text=True)
        failed = {int(number) // 2 for number in re.findall(r"^<stdin>:(\d+):\d+: error", run.stderr, re.M)}
        found = [re.findall(r"encoding: \[([0-9a-fx,]*)\]", part) for part in re.split(r"^line\d+:", run.stdout, flags=re.M)]
        return [None if number in failed else parse_bytes("".join(part[:1])) for number, part in enumerate(found[:len(texts)])]


def assembled_bytes(texts, output, errors):
    """Bytes for each line, None for those with an error."""
    failed = {int(number) for number in re.findall(r"^<stdin>:(\d+):\d+: error", errors, re.M)}
    found = iter(re.findall(r"encoding: \[([0-9a-fx,]*)\]", output))
    return [None if number in failed else parse_bytes(next(found, "")) for number, _ in enumerate(texts, 1)]


def parse_bytes(text):
    return bytes(int(byte, 16) for byte in text.split(",")) if text else None


class Gfxisa:
    def __init__(self, program, chip, wave=None):
        self.program, self.options = program, ["--arch", chip] + (["--wave", str(wave)] if wave else [])

    def disassemble(self, lines):
        source = "".join(hex_line(data) + "\n" for data in lines)
        run = subprocess.run([self.program, "dis", "--hex"] + self.options, input=source, capture_output=True, text=True)
        results = run.stdout.splitlines()
        if run.returncode != 0 or len(results) != len(lines):
            sys.exit("gfxisa dis failed: exit %d, %d lines for %d\n%s" % (run.returncode, len(results), len(lines), run.stderr))
        return results

    def assemble(self, texts):
        """In runs below the number of errors after which gfxisa stops to list them."""
        return [result for start in range(0, len(texts), 900) for result in self.assemble_chunk(texts[start:start + 900])]

    def assemble_chunk(self, texts):
        run = subprocess.run([self.program, "asm", "--show-encoding"] + self.options, input="".join(text + "\n" for text in texts),
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
