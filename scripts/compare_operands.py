#!/usr/bin/env python3
"""Registers read and written by every instruction of the golden files: ours against LLVM's own tables.

    scripts/compare_operands.py [--arch cdna3] [--show 20] [--build build/release]

LLVM's side comes from a small program over its MC libraries (scripts/llvm_registers.cc), compiled here when llvm-22-dev is
installed; ours from `gfxisa dis --json`. Where the two describe hardware in different ways on purpose, the difference has a reason
below (REASONS) and is counted under it; anything else is an error, and the exit code 1.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM = os.environ.get("LLVM_DIR", "/usr/lib/llvm-22")
# The processor whose golden file it is, and the features that make LLVM read registers as our text does.
PROCESSORS = {"cdna1": "gfx908", "cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950", "cdna5": "gfx1250", "rdna1": "gfx1010",
              "rdna2": "gfx1030", "rdna3": "gfx1100", "rdna3.5": "gfx1150", "rdna4": "gfx1200"}


def build_helper(folder):
    source = os.path.join(ROOT, "scripts", "llvm_registers.cc")
    program = os.path.join(folder, "llvm_registers")
    flags = subprocess.run([f"{LLVM}/bin/llvm-config", "--cppflags"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["c++", "-std=c++20", "-O1", "-fno-rtti", source, *flags, f"-L{LLVM}/lib", "-lLLVM-22", f"-Wl,-rpath,{LLVM}/lib",
                    "-o", program], check=True)
    return program


def golden_rows(arch):
    """(bytes, wave) of the rows that both sides decode."""
    with open(os.path.join(ROOT, "tests", "golden", arch + ".txt")) as file:
        for line in file:
            kind, data, text = (line.split(None, 2) + ["", ""])[:3]
            if kind[-1] in "=>" and not text.startswith("<invalid>"):
                yield data, 64 if len(kind) > 1 else 0


def records(command, lines):
    out = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


# ---- registers as sets of words: ("v", 3), ("s", 0), "vcc", "exec", "m0", ...

SPECIAL = {"VCC": "vcc", "VCC_LO": "vcc", "VCC_HI": "vcc", "EXEC": "exec", "EXEC_LO": "exec", "EXEC_HI": "exec", "M0": "m0",
           "SCC": "scc", "SRC_SCC": "scc", "MODE": "mode", "FLAT_SCR": "flat_scratch", "FLAT_SCR_LO": "flat_scratch",
           "FLAT_SCR_HI": "flat_scratch", "XNACK_MASK": "xnack_mask", "XNACK_MASK_LO": "xnack_mask",
           "XNACK_MASK_HI": "xnack_mask", "SRC_VCCZ": "vcc", "SRC_EXECZ": "exec", "LDS_DIRECT": "src_lds_direct"}
SAME = {"src_scc": "scc", "src_vccz": "vcc", "src_execz": "exec"}
FILES = {"SGPR": "s", "VGPR": "v", "AGPR": "a", "TTMP": "t"}
NO_STATE = re.compile(r"^(SGPR_NULL|SRC_|NULL|null|src_)")


def llvm_words(names):
    words = set()
    for name in names:
        name = re.sub(r"_(vi|ci|gfx\w+)$", "", name)
        if name in SPECIAL:
            words.add(SPECIAL[name])
        elif not NO_STATE.match(name):
            for part in re.findall(r"(SGPR|VGPR|AGPR|TTMP)(\d+)", name):
                words.add((FILES[part[0]], int(part[1])))
    return words


def our_words(record, access):
    words = set()
    for operand in record["operands"]:
        if operand["kind"] != "register" or access not in operand["access"]:
            continue
        if operand["class"] == "special":
            name = SAME.get(operand["name"], operand["name"])
            if not NO_STATE.match(name) or name == "src_lds_direct":
                words.add(name)
        else:
            letter = {"sgpr": "s", "vgpr": "v", "agpr": "a", "ttmp": "t"}[operand["class"]]
            words.update((letter, operand["first"] + i) for i in range(operand["count"]))
    words.update(record["implicit_reads" if access == "read" else "implicit_writes"])
    return words


# ---- differences that are not mistakes

REASONS = [
    # (name, reason, predicate(ours, theirs, record, access, ours_only, theirs_only))
]


def reason(name, text):
    def add(function):
        REASONS.append((name, text, function))
        return function
    return add


def compare(arch, rows, gfxisa, helper, statistics, show):
    errors = collections.OrderedDict()
    for wave in (0, 64):
        lines = sorted({data for data, w in rows if w == wave})
        if not lines:
            continue
        ours = records([gfxisa, "dis", "--arch", PROCESSORS[arch], "--hex", "--json"] + (["--wave", "64"] if wave else []), lines)
        features = "+wavefrontsize64" if wave else ""
        theirs = records([helper, PROCESSORS[arch], features], lines)
        for data, our, their in zip(lines, ours, theirs):
            if our["kind"] != "instruction" or "opcode" not in their:
                continue
            halves = [our] + ([our["second"]] if "second" in our else [])
            for access in ("read", "write"):
                mine = set().union(*(our_words(half, access) for half in halves))
                other = llvm_words(their[access + "s"]) | llvm_words(their[f"implicit_{access}s"])
                statistics["instructions"] += access == "read"
                mine, other, names = explain(our, their, access, mine, other)
                for name in names:
                    statistics[name] += 1
                if mine != other:
                    key = (access, our["mnemonic"].split("_")[0], our["encoding"], str(sorted(map(str, mine - other)))[:60],
                           str(sorted(map(str, other - mine)))[:60])
                    errors.setdefault(key, []).append((data, our["text"], their["opcode"], mine - other, other - mine))
    count = sum(map(len, errors.values()))
    for (access, *_), cases in list(errors.items())[:show]:
        data, text, opcode, mine, other = cases[0]
        print(f"{arch} {access}: {text}  [{opcode}] {data}\n    only ours: {sorted(map(str, mine))}  only LLVM: {sorted(map(str, other))}"
              f"  ({len(cases)} like it)")
    return count


def explain(our, their, access, mine, other):
    """Takes away what REASONS explains; returns what is left and the names of the reasons."""
    names = []
    for name, _, rule in REASONS:
        result = rule(our, their, access, mine, other)
        if result is not None and result != (mine, other):
            mine, other = result
            names.append(name)
    return mine, other, names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", action="append", choices=sorted(PROCESSORS))
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--helper", help="the compiled helper program, if there is one already")
    options = parser.parse_args()
    if not os.path.exists(f"{LLVM}/bin/llvm-config") or not os.path.exists(f"{LLVM}/include/llvm/MC/MCInstrDesc.h"):
        print("llvm-22-dev is not installed: nothing to compare with")
        return 0
    errors, statistics = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        helper = options.helper or build_helper(folder)
        for arch in options.arch or list(PROCESSORS):
            count = compare(arch, list(golden_rows(arch)), os.path.join(options.build, "gfxisa"), helper, statistics, options.show)
            print(f"{arch}: {count} unexplained")
            errors += count
    print(f"{statistics['instructions']} instructions; explained differences:")
    for name, text, _ in REASONS:
        print(f"  {statistics[name]:6}  {text}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
