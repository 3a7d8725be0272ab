#!/usr/bin/env bash
# HIP programs compiled by hipcc, above Debian's libamdhip64-5, on the targets that it knows.
# Usage: hip.sh GFXISA BUILD. Exit code 77: a package is missing.
set -uo pipefail
gfxisa=$1
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
command -v hipcc >/dev/null || { echo "hipcc is not installed: skipped"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
targets=(gfx908 gfx90a gfx1010 gfx1030)
hipcc -std=c++17 -O2 -w "${targets[@]/#/--offload-arch=}" hip_client.hip -o "$work/client" || exit 1
status=0
options=()
run() { # TARGET PART...: leaves what it printed in $text
  local target=$1
  shift
  text=$(MODULE=$work/module.co timeout 300 "$gfxisa" run --arch "$target" "${options[@]}" -- "$work/client" "$@" 2>&1)
}
fail() { echo "$1"; status=1; }

for target in "${targets[@]}"; do
  hipcc --genco --offload-arch="$target" hip_module.hip -o "$work/module.co" || exit 1
  run "$target" add reduce atomics streams graph nodes copies managed symbols module lanes dynamic stack occupancy malloc cooperative errors unsupported threads &&
    [ "$text" = passed ] || fail "$target: $text"
  options=(--devices 2)
  run "$target" devices && [ "$text" = passed ] || fail "$target: two devices: $text"
  options=()
  run "$target" printf && grep -qx passed <<<"$text" || fail "$target: printf: $text"
  for lane in 0 1 2; do
    grep -qx "lane $lane of 7 says hello  1.75" <<<"$text" || fail "$target: printf: $text"
  done
  # An assertion is said and then traps, which ends the program.
  run "$target" assert && fail "$target: an assertion did not end the program: $text"
  grep -q "Device-side assertion .x == 3' failed" <<<"$text" && grep -q "'_ZN12_GLOBAL__N_15claimEi': trap 2" <<<"$text" ||
    fail "$target: an assertion gives: $text"
  GFXISA_FIDELITY=1 run "$target" malloc && grep -q "^gfxisa: not exact: .*v_rcp_iflag_f32" <<<"$text" ||
    fail "$target: what was not exact is not said: $text"
  run "$target" leave && [ "$text" = passed ] || fail "$target: leaving while a kernel runs: $text"
  # This HIP ends the program when a kernel fails; we say why.
  run "$target" wild
  grep -q "access to memory that is not the program's: 4 bytes at" <<<"$text" || fail "$target: a wild store gives: $text"
done
# Code objects of earlier versions.
for version in 3 4; do
  hipcc -std=c++17 -O2 -w --offload-arch=gfx1030 -mcode-object-version=$version hip_client.hip -o "$work/client" || exit 1
  run gfx1030 add reduce symbols dynamic stack && [ "$text" = passed ] || fail "code object version $version: $text"
done
[ $status = 0 ] && echo "all targets pass"
exit $status
