#!/usr/bin/env bash
# OpenMP target regions compiled by clang 19, above its runtime (libomptarget).
# Usage: openmp.sh GFXISA BUILD. Exit code 77: a package is missing.
set -uo pipefail
gfxisa=$1
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
llvm=/usr/lib/llvm-19
for file in bin/clang bin/ld.lld bin/clang-offload-packager lib/libomptarget-amdgpu-gfx90a.bc; do
  [ -e $llvm/$file ] || { echo "$llvm/$file (clang-19, lld-19, clang-tools-19, libomp-19-dev) is not installed: skipped"; exit 77; }
done
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
[ -d $bitcode ] || { echo "rocm-device-libs is not installed: skipped"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The device libraries are older than some targets; what they lack for one is only its number, which nothing here uses.
mkdir "$work/bitcode"
ln -s $bitcode/* "$work/bitcode/"
for number in 942 1100; do
  [ -e "$work/bitcode/oclc_isa_version_$number.bc" ] || ln -s $bitcode/oclc_isa_version_90a.bc "$work/bitcode/oclc_isa_version_$number.bc"
done
status=0
for target in gfx908 gfx90a gfx942 gfx1030 gfx1100; do
  $llvm/bin/clang -O2 -w -fopenmp --offload-arch=$target --rocm-device-lib-path="$work/bitcode" openmp_client.c -o "$work/client" \
    2>"$work/log" || { cat "$work/log"; exit 1; }
  text=$(LD_LIBRARY_PATH=$llvm/lib OMP_TARGET_OFFLOAD=MANDATORY timeout 200 "$gfxisa" run --arch $target -- "$work/client" 2>&1)
  code=$?
  [ $code = 0 ] && [ "$text" = passed ] || { echo "$target: exit code $code: $text"; status=1; }
done
[ $status = 0 ] && echo "all targets pass"
exit $status
