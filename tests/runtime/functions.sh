#!/usr/bin/env bash
# The functions that the HSA runtime exports, those of Debian's runtime, the table of docs/runtime.md and the conformance test agree.
# Usage: functions.sh BUILD
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$1
command -v nm >/dev/null || { echo "nm is not installed: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "$1"; status=1; }
exports() { nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sort; }

exports "$build/runtime/libhsa-runtime64.so.1" >"$work/ours"
# gfxisa_* is between our libraries; the other is an array for debuggers.
sed 's/@.*//' "$work/ours" | grep -v '^gfxisa_\|^_amdgpu_r_debug$' >"$work/names"
sed -nE 's/^\| `(hsa_[^`]*)` \|.*/\1/p' docs/runtime.md >"$work/table"

# Rows with a * stand for every memory order.
while read -r name; do
  pattern=^${name//\*/[a-z_]*}\$
  grep -q "$pattern" "$work/names" || fail "in the table of docs/runtime.md, not exported: $name"
  grep "$pattern" "$work/names" >>"$work/listed"
done <"$work/table"
while read -r name; do fail "exported, not in the table of docs/runtime.md: $name"; done < <(sort -u "$work/listed" | comm -23 "$work/names" -)

debian=$(find /usr/lib -name libhsa-runtime64.so.1 2>/dev/null | head -1)
if [ -n "$debian" ]; then
  while read -r name; do fail "Debian's runtime exports it, ours does not: $name"; done < <(exports "$debian" | comm -23 - "$work/ours")
else
  echo "note: libhsa-runtime64-1 is not installed: exports are not compared with Debian's"
fi

# What the test calls by name it imports; the loader's functions it finds in a table of functions.
{
  nm -D --undefined-only "$build/tests/runtime_test" | awk '{print $2}' | sed 's/@.*//' | grep '^hsa_'
  grep -oh 'hsa_ven_amd_loader_[a-z_]*' tests/runtime/*_test.cc
} | sort -u >"$work/called"
while read -r name; do fail "no test calls $name"; done < <(comm -23 "$work/names" "$work/called")

# What gives a status has its wrong arguments tested; hsa_init and hsa_shut_down have none.
while read -r name; do
  case $name in *\** | hsa_init | hsa_shut_down | hsa_amd_signal_wait_any) continue ;; esac
  grep -q "\b$name\b" tests/runtime/arguments_test.cc || fail "tests/runtime/arguments_test.cc does not know $name"
done <"$work/table"
[ $status = 0 ] && echo "$(wc -l <"$work/names") functions agree"
exit $status
