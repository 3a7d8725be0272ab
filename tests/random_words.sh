#!/usr/bin/env bash
# Random words of every format on every target, in both directions, against llvm-mc 22: see scripts/compare_llvm.py. The same words on
# every run; the first line says which. Chips that know two sizes of waves are asked about both.
# Usage: tests/random_words.sh GFXISA [COUNT]
set -uo pipefail
gfxisa=$(realpath "$1")
count=${2:-20000}
cd "$(dirname "$0")/.."
if ! command -v llvm-mc-22 >/dev/null && [ ! -x /usr/lib/llvm-22/bin/llvm-mc ]; then
  echo "skipped: llvm-mc-22 is not installed, and there is nothing else to compare with"
  exit 77
fi
status=0
scripts/compare_llvm.py --gfxisa "$gfxisa" --random "$count" || status=1
scripts/compare_llvm.py --gfxisa "$gfxisa" --random $((count / 2)) --seed 2 --wave 64 --arch rdna1 rdna2 rdna3 rdna3.5 rdna4 || status=1
exit $status
