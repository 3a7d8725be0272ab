#!/usr/bin/env bash
# rocminfo and llvm-offload-device-info list the GPU of each target with its figures.
# Usage: agents.sh GFXISA. Exit code 77: neither program is installed.
set -uo pipefail
gfxisa=$1
failures=0
ran=0

expect_has() { # NAME PART TEXT
  grep -Eq -- "$2" <<<"$3" && return
  failures=$((failures + 1))
  printf '%s: no "%s" in:\n%s\n' "$1" "$2" "$3"
}

# Target, compute units, size of a wave, data share in KB, instruction set.
targets='gfx908 120 64 64 gfx908:sramecc\+:xnack-
gfx90a 104 64 64 gfx90a:sramecc\+:xnack-
gfx942 304 64 64 gfx942:sramecc\+:xnack-
gfx950 256 64 160 gfx950:sramecc\+:xnack-
gfx1250 256 32 320 gfx1250:sramecc\+:xnack-
gfx1010 40 32 64 gfx1010:xnack-
gfx1030 80 32 64 gfx1030
gfx1100 96 32 64 gfx1100
gfx1150 16 32 64 gfx1150
gfx1201 64 32 64 gfx1201'

if command -v rocminfo >/dev/null; then
  ran=1
  while read -r target units wave share isa; do
    text=$("$gfxisa" run --arch "$target" -- rocminfo 2>&1) || { echo "rocminfo on $target: exit code $?"; failures=$((failures + 1)); }
    gpu=$(sed -n '/^Agent 2/,$p' <<<"$text")
    expect_has "$target" "Name: +$target " "$gpu"
    expect_has "$target" "Compute Unit: +$units " "$gpu"
    expect_has "$target" "Wavefront Size: +$wave\(" "$gpu"
    expect_has "$target" "Size: +$share\(.*KB" "$gpu"
    expect_has "$target" "amdgcn-amd-amdhsa--$isa *$" "$gpu"
    expect_has "$target" "Done" "$gpu"
  done <<<"$targets"
  text=$("$gfxisa" run --arch gfx90a --devices 2 -- rocminfo 2>&1)
  expect_has "two devices" "^Agent 3" "$text"
else
  echo "rocminfo is not installed: not run"
fi

if command -v llvm-offload-device-info-22 >/dev/null; then
  ran=1
  while read -r target units _ share _; do
    text=$("$gfxisa" run --arch "$target" -- llvm-offload-device-info-22 2>&1) || { echo "device info on $target: exit code $?"; failures=$((failures + 1)); }
    expect_has "$target" "^Name: $target$" "$text"
    expect_has "$target" "^Num Compute Units: $units$" "$text"
    expect_has "$target" "^Work Group Shared Mem Size: $((share * 1024)) B$" "$text"
  done <<<"$targets"
else
  echo "llvm-offload-device-info-22 (liboffload-22-dev) is not installed: not run"
fi

[ $ran = 1 ] || exit 77
[ $failures = 0 ] && echo "all targets are listed"
exit $((failures != 0))
