#!/usr/bin/env bash
# AMD's libraries as Debian has them, above Debian's HIP: rocRAND's generators, rocPRIM's algorithms, sparse matrices by rocSPARSE and
# hipSPARSE.
# Usage: libraries.sh GFXISA BUILD. Exit code 77: nothing of it is installed.
set -uo pipefail
gfxisa=$1
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
command -v hipcc >/dev/null || { echo "hipcc is not installed: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
ran=0
check() { # NAME TARGET PROGRAM...
  local name=$1 target=$2 text code
  shift 2
  text=$(timeout 300 "$gfxisa" run --arch "$target" -- "$@" 2>&1)
  code=$?
  [ $code = 0 ] && [ "$text" = passed ] || { echo "$name on $target: exit code $code: $text"; status=1; }
}

if [ -f /usr/include/rocrand/rocrand.h ]; then
  ran=1
  hipcc -O1 -std=c++17 -w --offload-arch=gfx90a rocrand_client.cc -o "$work/rocrand" -lrocrand || exit 1
  for target in gfx908 gfx90a gfx1030; do check rocRAND $target "$work/rocrand"; done
else
  echo "librocrand-dev is not installed: not run"
fi
if [ -f /usr/include/rocprim/rocprim.hpp ]; then
  ran=1
  hipcc -O3 -std=c++17 -w --offload-arch=gfx90a --offload-arch=gfx1030 rocprim_client.hip -o "$work/rocprim" || exit 1
  for target in gfx90a gfx1030; do check rocPRIM $target "$work/rocprim"; done
else
  echo "librocprim-dev is not installed: not run"
fi
# This library alone takes 1.3 GB, so scripts/packages.sh does not install it; hipSPARSE is a thin one above it.
if [ -f /usr/include/rocsparse/rocsparse.h ]; then
  ran=1
  hipcc -O1 -std=c++17 -w --offload-arch=gfx90a rocsparse_client.cc -o "$work/rocsparse" -lrocsparse || exit 1
  for target in gfx90a gfx1030; do check rocSPARSE $target "$work/rocsparse"; done
else
  echo "librocsparse-dev is not installed: not run"
fi
if [ -f /usr/include/hipsparse/hipsparse.h ] && [ -f /usr/include/rocsparse/rocsparse.h ]; then
  hipcc -O1 -std=c++17 -w --offload-arch=gfx90a hipsparse_client.cc -o "$work/hipsparse" -lhipsparse || exit 1
  for target in gfx90a gfx1030; do check hipSPARSE $target "$work/hipsparse"; done
else
  echo "libhipsparse-dev is not installed: not run"
fi
[ $ran = 1 ] || exit 77
[ $status = 0 ] && echo "all libraries pass"
exit $status
