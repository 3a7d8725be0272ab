#!/usr/bin/env bash
# Fails when a source file is not laid out as .clang-format says; `--fix` lays it out.
set -euo pipefail
cd "$(dirname "$0")/.."
clang_format=$(command -v clang-format-14 || command -v clang-format) || { echo "clang-format is missing"; exit 1; }
mapfile -t files < <(git ls-files --cached --others --exclude-standard 'src/*.cc' 'src/*.h' 'tests/*.cc' 'bench/*.cc' 'include/*.h' 'examples/*.cc')
if [ "${1:-}" = --fix ]; then "$clang_format" -i "${files[@]}"; else "$clang_format" --dry-run -Werror "${files[@]}"; fi
