#!/usr/bin/env bash
# Fails when a folder of src/ includes one that docs/architecture.md does not let it see.
set -euo pipefail
cd "$(dirname "$0")/.."
declare -A allowed=(
  [base]="" [lang]="base" [core]="base lang" [model]="base lang core"
  [gen]="base lang core model inst/tables.h inst/styles.inc exec/kernel_abi.h"
  [inst]="base" [codec]="base inst" [text]="base inst codec" [query]="base inst codec text gfxisa" [elf]="base inst codec text" [assembler]="base inst codec text elf"
  [machine]="base inst codec exec/kernel_abi.h" [exec]="base core inst codec elf machine text"
  [hip]="base inst codec text elf runtime/private_api.h"
  [runtime]="base inst codec text elf machine exec"
  [doc]="base inst codec text machine exec" [site]="base inst codec text doc machine exec"
  [isa_xml]="base inst text doc"
  [api]="base inst codec text query gfxisa" [cli]="base inst codec text query gfxisa elf assembler machine exec doc site isa_xml"
)
status=0
for folder in src/*/; do
  name=$(basename "$folder")
  [ -n "${allowed[$name]+x}" ] || { echo "src/$name is not in docs/architecture.md"; status=1; continue; }
  while IFS=: read -r file line include; do
    target=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$include")
    case "$target" in */*) ;; *) continue ;; esac
    top=${target%%/*}
    [ "$top" = "$name" ] && continue
    [ "$top" = gen ] && [[ "$file" == *_main.cc ]] && continue
    if [[ " ${allowed[$name]} " != *" $top "* && " ${allowed[$name]} " != *" $target "* ]]; then
      echo "$file:$line: src/$name may not include $target"
      status=1
    fi
  done < <(grep -nE '^#include "' "$folder"*.cc "$folder"*.h 2>/dev/null || true)
done
[ $status -eq 0 ] && echo "include order holds"
exit $status
