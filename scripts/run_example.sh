#!/usr/bin/env bash
# Runs the bundled xorshift kernel for CDNA 5 and checks its output against the same arithmetic in C++.
# Usage: scripts/run_example.sh GFXISA
set -euo pipefail
gfxisa=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$gfxisa" run examples/kernels/xorshift.gfx1250.co --grid 16384 --arg buf:65536 --arg u32:256 --out 0="$work/out.bin"
g++ -std=gnu++20 -O1 -Isrc -Itests -o "$work/check" examples/check_xorshift.cc
"$work/check" "$work/out.bin"
