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


# ---- differences that are not mistakes: what of a set is left out on one side, and why

REASONS = []  # (name, text, rule); a rule gives (words to leave out of ours, words to leave out of LLVM's)


def reason(name, text):
    def add(rule):
        REASONS.append((name, text, rule))
        return rule
    return add


def results(our):
    """Words of the operands that are written."""
    words = set()
    for half in [our] + ([our["second"]] if "second" in our else []):
        words |= our_words({**half, "implicit_writes": []}, "write")
    return words


def is_memory(our):
    return our["encoding"].startswith(("DS", "VDS", "FLAT", "GLOBAL", "SCRATCH", "VFLAT", "VGLOBAL", "VSCRATCH", "MUBUF", "MTBUF",
                                       "VBUFFER", "MIMG", "VIMAGE", "VSAMPLE", "SMEM"))


@reason("pc", "the program counter: LLVM does not list it among registers")
def _(our, their, access, mine, other):
    return {"pc"}, set()


@reason("m0 of DS", "LLVM shares the instructions of the data share on gfx9 with gfx8, where M0 held the limit of addresses")
def _(our, their, access, mine, other):
    is_shared = our["encoding"] == "DS" and re.search(r"_vi$", their["opcode"])
    return set(), {"m0"} if is_shared and access == "read" else set()


@reason("exec", "v_swaprel_b32 leaves lanes that are off alone, as v_swap_b32 does, for which LLVM lists EXEC; v_illegal does nothing with it")
def _(our, their, access, mine, other):
    return {"exec"} if our["mnemonic"].startswith("v_swaprel_b32") else set(), {"exec"} if our["mnemonic"] == "v_illegal" else set()


@reason("mode of atomics", "float arithmetic of memory follows the denormal modes in our bodies; LLVM lists MODE for vector ALU only")
def _(our, their, access, mine, other):
    return ({"mode"} if is_memory(our) and access == "read" else set()), set()


@reason("kept half", "loads of 16 bits keep the other half of the register; LLVM's decoded form leaves that read out")
def _(our, their, access, mine, other):
    is_half = re.search(r"_d16|_D16", our["mnemonic"] + their["opcode"])
    return (results(our) if is_half and is_memory(our) and access == "read" else set()), set()


@reason("kept result", "conditional moves and bit sets keep (part of) the old value; LLVM's decoded form leaves that read out")
def _(our, their, access, mine, other):
    return (results(our) if re.match(r"s_(cmovk?_|bitset[01]_)", our["mnemonic"]) and access == "read" else set()), set()


@reason("relative", "relative moves: M0 chooses the register, so the named one is an input of LLVM's, which forgets EXEC for some")
def _(our, their, access, mine, other):
    if not re.match(r"[sv]_mov(rel|e?rel)", our["mnemonic"]):
        return set(), set()
    operands = our_words({**our, "implicit_reads": [], "implicit_writes": []}, "read") | results(our)
    return operands | {"exec"}, operands


@reason("fork", "forks and joins split EXEC and keep in MODE how many parts wait; LLVM lists neither")
def _(our, their, access, mine, other):
    return ({"exec", "mode"} if re.match(r"s_cbranch_([gi]_fork|join)$", our["mnemonic"]) else set()), set()


@reason("subvector loop", "the register of a subvector loop is saved and restored by it; LLVM lists no result")
def _(our, their, access, mine, other):
    return (results(our) if our["mnemonic"].startswith("s_subvector_loop") and access == "write" else set()), set()


@reason("exec of messages", "messages and the end of a program do not depend on EXEC; LLVM lists it to keep them in order")
def _(our, their, access, mine, other):
    return set(), {"exec"} if re.match(r"s_(sendmsg|endpgm)", our["mnemonic"]) else set()


@reason("hwreg", "LLVM takes every access to a hardware register for one to MODE; we look which register it is")
def _(our, their, access, mine, other):
    return set(), {"mode"} if re.match(r"s_[sg]etreg", our["mnemonic"]) and "mode" not in mine else set()


@reason("gpr index", "whether vector registers are named relative to M0 is a bit of MODE for LLVM; M0 is written in part, which keeps the rest")
def _(our, their, access, mine, other):
    is_index = our["mnemonic"].startswith("s_set_gpr_idx")
    return ({"m0"}, {"mode", "m0"}) if is_index else (set(), set())


@reason("exec of matrices", "matrix instructions work on all lanes whatever EXEC is; LLVM lists it for them as for all vector instructions")
def _(our, their, access, mine, other):
    is_matrix = re.match(r"v_(mfma|smfmac|wmma|swmmac)", our["mnemonic"])
    return set(), {"exec"} if is_matrix and "exec" not in mine else set()


@reason("mode of matrices", "LLVM lists MODE for some of the matrix instructions only; the manuals have them round alike whatever MODE says")
def _(our, their, access, mine, other):
    return set(), {"mode"} if re.match(r"v_s?mfma|v_s?wmma|v_swmmac", our["mnemonic"]) and access == "read" else set()


@reason("scratch", "LLVM leaves FLAT_SCR out of loads from scratch to the data share, and lists it for scalar loads from scratch, whose "
        "base is an operand")
def _(our, their, access, mine, other):
    is_transfer = "SCRATCH" in our["encoding"] and re.search(r"_lds|_LDS", our["mnemonic"] + their["opcode"])
    is_scalar = our["mnemonic"].startswith("s_scratch_")
    return {"flat_scratch"} if is_transfer else set(), {"flat_scratch"} if is_scalar else set()


@reason("m0 left over", "instructions of the data share that need no M0, for which LLVM has no variant that says so")
def _(our, their, access, mine, other):
    is_one = re.match(r"ds_(nop|bpermute_fi|bvh_stack|\w+_src2_)", our["mnemonic"])
    return set(), {"m0"} if is_one and access == "read" else set()


@reason("scalar floats", "scalar minimum and maximum flush denormals as MODE says, conversions towards zero do not ask it; LLVM has it the other way round")
def _(our, their, access, mine, other):
    is_scalar = our["encoding"].startswith("SOP") and access == "read"
    return ({"mode"}, {"mode"} if "_rtz_" in our["mnemonic"] else set()) if is_scalar else (set(), set())


@reason("first signal", "LLVM lists SCC as read by s_barrier_signal_isfirst, which only writes it")
def _(our, their, access, mine, other):
    return set(), {"scc"} if our["mnemonic"] == "s_barrier_signal_isfirst" and access == "read" else set()


@reason("mode of vectors", "which vector operations ask MODE follows from the bodies here (rounding, denormals), from the types of operands in LLVM")
def _(our, their, access, mine, other):
    is_vector = our["encoding"].startswith(("VOP", "VINTERP")) and access == "read"
    return ({"mode"}, {"mode"}) if is_vector else (set(), set())


@reason("exec of nothing", "instructions that do the same whatever EXEC is (no operation, caches, tensors, scalar transcendentals) share a class in LLVM with "
        "those that do not")
def _(our, their, access, mine, other):
    is_free = re.match(r"v_nop|v_clrexcp|v_pipeflush|tensor_|v_s_|ds_nop|ds_gws|buffer_(wb|gl|inv)|global_(wb|inv)|v_readlane|v_writelane", our["mnemonic"])
    return set(), {"exec"} if is_free and access == "read" else set()


@reason("lanes left out", "lanes that DPP, SDWA or a permutation leaves out keep the old result; LLVM makes that a source, we a lane not written")
def _(our, their, access, mine, other):
    is_partial = (our["suffix"] or "").startswith(("DPP", "SDWA")) or re.match(r"v_permlane|l?ds_direct_load", our["mnemonic"])
    return (results(our), results(our)) if is_partial and access == "read" else (set(), set())


@reason("part of a result", "operations that write a half or a byte of the result's register, or add to it: LLVM lists the old value for some only")
def _(our, their, access, mine, other):
    is_part = re.match(r"v_(cvt_(sr|pk|scale)|pk_fmac|mov_b16|swap|dual_|div_fixup_f16|mad_|fma_|interp|cndmask)", our["mnemonic"])
    is_half = any(operand["bits"] == 16 and "write" in operand["access"] for operand in our["operands"])
    return (results(our), results(our)) if (is_part or is_half) and access == "read" else (set(), set())


@reason("sources not sent", "sources of an export that are off are no operands here; LLVM lists their registers, and leaves out M0, the row's number")
def _(our, their, access, mine, other):
    is_export = our["encoding"] in ("EXP", "VEXPORT") and access == "read"
    return ({"m0"}, {word for word in other if isinstance(word, tuple)}) if is_export else (set(), set())


@reason("m0 of interpolation", "from RDNA 3 on interpolation reads registers only; LLVM lists M0, which its loads of parameters read")
def _(our, their, access, mine, other):
    return set(), {"m0"} if our["encoding"].startswith("VINTERP") and access == "read" else set()


@reason("pair's second", "of the second of a pair (VOPD) LLVM takes the even register for the one that is added to")
def _(our, their, access, mine, other):
    if "second" not in our or access != "read":
        return set(), set()
    return results(our), {(word[0], word[1] & ~1) for word in results(our) if isinstance(word, tuple)} | results(our)


@reason("vcc of SDWA", "compares with an SDWA word write the register it names, or VCC; LLVM lists VCC for both")
def _(our, their, access, mine, other):
    return set(), {"vcc"} if our["suffix"] in ("SDWA", "SDWAB") and access == "write" else set()


@reason("odd images", "image words whose fields do not go together: both print the same registers, LLVM's decoded form has others")
def _(our, their, access, mine, other):
    is_odd = our["mnemonic"].startswith("image_") and "MSAA" in our["text"]
    return ({w for w in mine if w[0] == "v"}, {w for w in other if w[0] == "v"}) if is_odd else (set(), set())


@reason("rays", "to be done: the ray that image_bvh8 and image_bvh_dual give back in registers of the address is no result in the spec yet")
def _(our, their, access, mine, other):
    is_ray = re.match(r"image_bvh(8|_dual)_", our["mnemonic"]) and access == "write"
    return set(), {word for word in other if word[0] == "v"} if is_ray else set()


@reason("skip", "s_setvskip is among the compares, for all of which LLVM lists SCC; it writes none")
def _(our, their, access, mine, other):
    return set(), {"scc"} if our["mnemonic"] == "s_setvskip" and access == "write" else set()


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
        ours, theirs = rule(our, their, access, mine, other)
        ours, theirs = ours & (mine - other), theirs & (other - mine)
        if ours or theirs:
            mine, other = mine - ours, other - theirs
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
