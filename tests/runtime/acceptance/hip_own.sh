#!/usr/bin/env bash
# HIP programs compiled by clang 22 against Debian's headers and device library, above our libamdhip64.so.5, on the targets that
# Debian's HIP does not know. Usage: hip_own.sh GFXISA BUILD. Exit code 77: a package is missing.
set -uo pipefail
gfxisa=$1 build=$2
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
[ -f "$build/runtime/hip/libamdhip64.so.5" ] || { echo "our libamdhip64.so.5 was not built (libamdhip64-dev): skipped"; exit 77; }
for tool in clang++-22 clang-offload-bundler-22 llvm-as-22; do
  command -v $tool >/dev/null || { echo "$tool is not installed (scripts/packages.sh test): skipped"; exit 77; }
done
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
[ -f $bitcode/ockl.bc ] || { echo "rocm-device-libs is not installed: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
options=()
run() { # TARGET PART...: leaves what it printed in $text
  local target=$1
  shift
  text=$(MODULE=$work/module.co timeout 200 "$gfxisa" run --arch "$target" "${options[@]}" -- "$work/client" "$@" 2>&1)
}
fail() { echo "$1"; status=1; }

# The library is of an older release: newer targets and version 6 of code objects get their numbers, and its clock is one that they have.
cp -s $bitcode/*.bc "$work" && cp $bitcode/oclc_abi_version_500.bc "$work/oclc_abi_version_600.bc" && rm "$work/ockl.bc"
llvm-dis-22 -o - $bitcode/ockl.bc | sed -e 's/@llvm.amdgcn.s.memrealtime/@llvm.readsteadycounter/' -e 's/"target-features"="+s-memrealtime"//' |
  llvm-as-22 -o "$work/ockl.bc" || exit 1
for entry in gfx942:9402 gfx950:9500 gfx1100:11000 gfx1150:11500 gfx1201:12001 gfx1250:12050; do
  target=${entry%:*}
  echo "@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 ${entry#*:}" |
    llvm-as-22 -o "$work/oclc_isa_version_${target#gfx}.bc" || exit 1
  case $target in gfx9*) wave=64 ;; *) wave=32 ;; esac
  # The headers want a macro that this compiler no longer has.
  flags=(-x hip -std=c++17 -O2 -w -g1 "--rocm-device-lib-path=$work" "-D__AMDGCN_WAVEFRONT_SIZE=$wave" "--offload-arch=$target" --rocm-path=/usr)
  case $target in gfx12*) flags+=(-DWITHOUT_GLOBAL_WAVE_SYNC) ;; esac
  clang++-22 "${flags[@]}" hip_client.hip -o "$work/client" -L/usr/lib/x86_64-linux-gnu -lamdhip64 || exit 1
  clang++-22 "${flags[@]}" --cuda-device-only hip_module.hip -o "$work/module.co" || exit 1
  run $target add reduce atomics streams graph nodes copies managed symbols module lanes dynamic stack occupancy malloc cooperative errors parameters older threads &&
    [ "$text" = passed ] || fail "$target: $text"
  options=(--devices 2)
  run $target devices && [ "$text" = passed ] || fail "$target: two devices: $text"
  options=()
  run $target unsupported && grep -q "^gfxisa: hipMallocArray: this HIP library does not support it" <<<"$text" && grep -qx passed <<<"$text" ||
    fail "$target: what is not supported: $text"
  run $target printf && grep -qx passed <<<"$text" || fail "$target: printf: $text"
  for lane in 0 1 2; do
    grep -qx "lane $lane of 7 says hello  1.75" <<<"$text" || fail "$target: printf: $text"
  done
  run $target assert
  grep -q "Device-side assertion .x == 3' failed" <<<"$text" && grep -q "after the assertion: unspecified launch failure" <<<"$text" ||
    fail "$target: an assertion gives: $text"
  run $target leave && [ "$text" = passed ] || fail "$target: leaving while a kernel runs: $text"
  run $target wild
  grep -q "after the wild store: an illegal memory access was encountered" <<<"$text" || fail "$target: a wild store gives: $text"
  ! ldd "$gfxisa" | grep -q libdw || grep -q "hip_client.hip:[0-9]*)" <<<"$text" || fail "$target: the source line is missing: $text"
done
# What the options say of each kernel of a program, with the client of the last target.
options=(--stats)
run $target reduce graph && grep -qE "^ +1 +[0-9]+ +[0-9]+ +[0-9.]+  .*reduce" <<<"$text" && grep -qE "^ +12 +[0-9]+ +[0-9]+ +[0-9.]+  .*add_one" <<<"$text" ||
  fail "--stats: $text"
options=(--trace)
run $target graph && [ "$(grep -c "^gfxisa: .*add_one.*: grid 1024,1,1 block 256,1,1, 32 waves, [0-9]* instructions" <<<"$text")" = 12 ] ||
  fail "--trace: $text"
options=(--max-instructions 100000)
run $target reduce && [ "$text" = passed ] || fail "--max-instructions stops what is short: $text"
run $target endless && grep -q "^gfxisa: kernel '.*spin.*': more instructions than --max-instructions allows" <<<"$text" &&
  grep -q "^after too many instructions: unspecified launch failure" <<<"$text" || fail "--max-instructions: $text"
options=()

# Messages through a buffer instead of calls, of code object version 5.
flags=(-x hip -std=c++17 -O2 -w "--rocm-device-lib-path=$work" -D__AMDGCN_WAVEFRONT_SIZE=32 --offload-arch=gfx1100 --rocm-path=/usr)
clang++-22 "${flags[@]}" -mcode-object-version=5 -mprintf-kind=buffered -DBUFFERED_PRINTF hip_client.hip -o "$work/client" \
  -L/usr/lib/x86_64-linux-gnu -lamdhip64 || exit 1
run gfx1100 printf && grep -qx passed <<<"$text" && grep -qx "lane 2 of 7 says hello  1.75" <<<"$text" || fail "buffered printf: $text"
[ $status = 0 ] && echo "all targets pass"
exit $status
