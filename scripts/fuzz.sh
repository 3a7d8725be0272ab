#!/usr/bin/env bash
# Runs the fuzz targets (tests/fuzz) under address and undefined-behaviour sanitizers, by clang 22's libFuzzer:
#
#     scripts/fuzz.sh [SECONDS [TARGET...]]     default: 60 s for each target
#
# What it learns is kept in build/fuzz/corpus, so that a later run goes on from there. Ends with exit 1 at the first finding; the input
# that caused it is left in build/fuzz/corpus/TARGET-crash-*.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || for file in tests/fuzz/*_fuzz.cc; do targets+=("$(basename "$file" _fuzz.cc)"); done
command -v clang++-22 >/dev/null || { echo "fuzz.sh: clang++-22 is needed (package clang-22, with libclang-rt-22-dev)" >&2; exit 2; }
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target $(printf '%s_fuzz ' "${targets[@]}")

# Each target starts from what the project has of its kind of input.
seeds() {
  case $1 in
    spec) cp $(git ls-files 'spec/*.isa' 'tests/errors/*.isa') "$2" 2>/dev/null || true ;;
    elf) cp examples/kernels/*.co "$2" ;;
    bundle)
      for object in examples/kernels/*.gfx1100.co; do
        for compress in '' -compress; do
          clang-offload-bundler-22 -type=o $compress -targets=host-x86_64-unknown-linux-gnu-,hipv4-amdgcn-amd-amdhsa--gfx1100 \
            -input=/dev/null -input="$object" -output="$2/$(basename "$object" .co)$compress.hipfb"
        done
      done
      ;;
    assemble) awk 'NR % 40 == 0 {$1 = $2 = ""; print > (dir "/" NR)}' dir="$2" tests/golden/*.txt ;;
  esac
}

for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  [ -d "$corpus" ] || { mkdir -p "$corpus"; seeds "$target" "$corpus"; }
  echo "fuzz: $target for $seconds s"
  "build/fuzz/tests/fuzz/${target}_fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/corpus/$target-" "$corpus" 2>&1 | { grep -E 'ERROR|SUMMARY|error:|stat::(number|average|peak)|Test unit' || true; }
done
echo "fuzz: no finding"
