#!/usr/bin/env bash
# scripts/compare_manuals.py finds a sentence of the spec that stands in a manual, and one that nearly does, and no other.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sentence=$(sed -n 's/^  describe \(Unsigned forms fill up with zeros.*\)/\1/p' spec/scalar/bitfield.isa | head -1)
[ -n "$sentence" ] || { echo "the sentence that this test looks for has changed"; exit 1; }
echo 'Vectors are added with the usual rules of arithmetic, and nothing else happens at all.' >"$work/manual.md"
scripts/compare_manuals.py "$work" >"$work/out" || { cat "$work/out"; echo "failed: found what is not there"; exit 1; }
echo "$sentence" >>"$work/manual.md"
scripts/compare_manuals.py "$work" >"$work/out" && { echo "failed: a copied sentence was not found"; exit 1; }
grep -q 'spec/scalar/bitfield.isa' "$work/out" || { cat "$work/out"; echo "failed: found another sentence"; exit 1; }
echo "copied sentences are found"
