#!/usr/bin/env bash
# Installs playwright-core and axe-core in the versions of tests/site/package-lock.json to build/site-test, for the test of the site;
# does nothing when they are there. Without npm it says so, and the test is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/site-test
if [ -d "$folder/node_modules/playwright-core" ] && cmp -s tests/site/package-lock.json "$folder/package-lock.json"; then exit 0; fi
command -v npm >/dev/null || { echo "note: npm is not to be had here; the test of the site will be skipped"; exit 0; }
mkdir -p "$folder"
cp tests/site/package.json tests/site/package-lock.json "$folder"
# The lock file has the hashes; nothing of the packages is run here.
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund >/dev/null 2>"$folder/npm.log" || {
  rm -rf "$folder/node_modules"
  echo "note: npm could not install playwright-core and axe-core ($folder/npm.log); the test of the site will be skipped"
}
