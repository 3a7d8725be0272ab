#!/usr/bin/env bash
# HIP programs compiled by clang 22 against Debian's headers, above our libamdhip64.so.5, on the targets that Debian's HIP
# does not know. Usage: hip_own.sh GFXISA BUILD. Exit code 77: a package is missing.
set -uo pipefail
gfxisa=$1 build=$2
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
[ -f "$build/runtime/hip/libamdhip64.so.5" ] || { echo "our libamdhip64.so.5 was not built (libamdhip64-dev): skipped"; exit 77; }
command -v clang++-22 >/dev/null || { echo "clang-22 is not installed: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for target in gfx942 gfx950 gfx1100 gfx1150 gfx1201 gfx1250; do
  # The headers want a macro that this compiler no longer has.
  case $target in gfx9*) wave=64 ;; *) wave=32 ;; esac
  flags=(-x hip -std=c++17 -O2 -w -nogpulib -DWITHOUT_DEVICE_LIBRARY -D__AMDGCN_WAVEFRONT_SIZE=$wave --offload-arch=$target --rocm-path=/usr)
  clang++-22 "${flags[@]}" hip_client.hip -o "$work/client" -L/usr/lib/x86_64-linux-gnu -lamdhip64 || exit 1
  clang++-22 "${flags[@]}" --cuda-device-only hip_module.hip -o "$work/module.co" || exit 1
  text=$(MODULE=$work/module.co timeout 200 "$gfxisa" run --arch $target -- "$work/client" 2>&1)
  code=$?
  [ $code = 0 ] && [ "$text" = passed ] || { echo "$target: exit code $code: $text"; status=1; }
  text=$(timeout 100 "$gfxisa" run --arch $target -- "$work/client" leave 2>&1) && [ "$text" = passed ] ||
    { echo "$target: leaving while a kernel runs: $text"; status=1; }
  text=$(timeout 100 "$gfxisa" run --arch $target -- "$work/client" wild 2>&1)
  grep -q "after the wild store: an illegal memory access was encountered" <<<"$text" || { echo "$target: a wild store gives: $text"; status=1; }
done
[ $status = 0 ] && echo "all targets pass"
exit $status
