#!/usr/bin/env bash
# The site in a browser: search, filters, tabs, permalinks, the back button, light and dark, the decoder, the matrix explorer; no
# error on the console, no request that leaves the machine, no serious finding of axe-core. Needs chromium, node, and what
# scripts/site_modules.sh installs.
# Exit code 77: something of that is missing, nothing was tested.
# Usage: tests/site/run.sh GFXISA [NODE_MODULES]
set -euo pipefail
gfxisa=$(realpath "$1")
cd "$(dirname "$0")/../.."
modules=${2:-${GFXISA_NODE_MODULES:-build/site-test/node_modules}}
chromium=$(command -v chromium || true)
for need in "$(command -v node || true)" "$chromium"; do
  [ -n "$need" ] || { echo "skipped: node and chromium are needed"; exit 77; }
done
[ -d "$modules/playwright-core" ] && [ -d "$modules/axe-core" ] ||
  { echo "skipped: scripts/site_modules.sh installs what this needs"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$gfxisa" site "$work/site" > "$work/report"
cat "$work/report"
# 200 kB at most until something is seen, and the report says how large all of it is.
paint=$(sed -n 's/^[0-9]* files, [0-9.]* MB in .*; \([0-9]*\) kB to the first paint$/\1/p' "$work/report")
[ -n "$paint" ] && [ "$paint" -lt 200 ] || { echo "failed: $paint kB to the first paint"; exit 1; }
NODE_PATH=$(realpath "$modules") node tests/site/search_test.js "$gfxisa" "$work/site"
NODE_PATH=$(realpath "$modules") node tests/site/browser_test.js "$work/site" "$chromium"
