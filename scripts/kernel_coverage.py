#!/usr/bin/env python3
"""Prints how many of a target's instructions the test kernels hold, as compiled by clang 22.

    scripts/kernel_coverage.py [--gfxisa PROGRAM] [--kernels DIR] [--missing TARGET]

The kernels are those of tests/kernels and examples/kernels, which building the tests compiles into build/release/kernels. Counted are mnemonics
without the suffix of an encoding. --missing lists the target's instructions that no kernel holds.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "..", "build", "release")
SUFFIX = re.compile(r"(_e32|_e64|_dpp|_e64_dpp|_sdwa)$")


def lines_of(command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("%s: %s" % (" ".join(command), run.stderr.strip()))
    return run.stdout


def mnemonics_of(gfxisa, path):
    for line in lines_of([gfxisa, "dis", path]).splitlines():
        match = re.match(r"\t([a-z]\w*)( .*|)//", line)
        if match:
            yield SUFFIX.sub("", match.group(1))
            second = re.search(r" :: (\w+)", match.group(2))
            if second:
                yield second.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gfxisa", default=os.path.join(BUILD, "gfxisa"))
    parser.add_argument("--kernels", default=os.path.join(BUILD, "kernels"))
    parser.add_argument("--missing", metavar="TARGET")
    options = parser.parse_args()
    found = collections.defaultdict(collections.Counter)
    for path in sorted(glob.glob(os.path.join(options.kernels, "*.co"))):
        target = re.search(r"\.(gfx\w+)\.", os.path.basename(path)).group(1)
        found[target].update(mnemonics_of(options.gfxisa, path))
    if not found:
        sys.exit("no kernels in %s: build the tests, with clang-22 installed" % options.kernels)
    for target in sorted(found):
        known = {row["mnemonic"] for row in json.loads(lines_of([options.gfxisa, "list", "--arch", target, "--format", "json"]))}
        print("%-8s %5d instructions in the kernels, %4d different, of %4d that the target has" %
              (target, sum(found[target].values()), len(known & set(found[target])), len(known)))
        if options.missing == target:
            print("\n".join("  " + name for name in sorted(known - set(found[target]))))


if __name__ == "__main__":
    main()
