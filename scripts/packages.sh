#!/usr/bin/env bash
# Installs the Debian packages that building (default), testing (`test`) or the comparisons in bench/ (`bench`) need; does nothing when
# all are there.
set -euo pipefail

build_packages=(g++ cmake ninja-build pkg-config ccache libfmt-dev libcli11-dev nlohmann-json3-dev libelf-dev
                libmsgpack-cxx-dev libyaml-dev libtbb-dev libdw-dev libzstd-dev zlib1g-dev libhsa-runtime-dev
                libpugixml-dev libminizip-dev libbz2-dev liblzma-dev)
test_packages=(libgtest-dev libbenchmark-dev clang-format-14 groff zsh fish)
# The oracle, the compilers of the test kernels and of HIP programs (whose code objects clang-tools-22 bundles), and what scripts/fuzz.sh
# needs. Tests run without them on what the project ships, and say so.
oracle_packages=(llvm-22 clang-22 clang-tools-22 lld-22 libclc-22 libclang-rt-22-dev)
# GPU programs and libraries that run above our runtime. librocsparse0 is left out for its size (1.3 GB): its test says so.
client_packages=(rocminfo liboffload-22-dev libamdhip64-dev hipcc librocrand-dev librocprim-dev clang-19 clang-tools-19 lld-19 libomp-19-dev)
# What bench/compare_pocl.sh compares with.
bench_packages=(pocl-opencl-icd ocl-icd-opencl-dev)

# The browser of the site's test, and the compiler of its live decoder. A node that brings its own npm is left alone.
site_packages=(chromium nodejs emscripten)
command -v npm >/dev/null || site_packages+=(npm)

missing() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

wanted=("${build_packages[@]}")
[ "${1:-build}" = test ] && wanted+=("${test_packages[@]}")
mapfile -t absent < <(missing "${wanted[@]}")
absent_oracle=() absent_clients=()
[ "${1:-build}" != bench ] || mapfile -t absent_clients < <(missing libbenchmark-dev "${bench_packages[@]}")
if [ "${1:-build}" = test ]; then
  mapfile -t absent_oracle < <(missing "${oracle_packages[@]}")
  mapfile -t absent_clients < <(missing "${client_packages[@]}" "${site_packages[@]}")
fi
if [ ${#absent[@]} -eq 0 ] && [ ${#absent_oracle[@]} -eq 0 ] && [ ${#absent_clients[@]} -eq 0 ]; then exit 0; fi

echo "installing: ${absent[*]} ${absent_oracle[*]} ${absent_clients[*]}"
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq
[ ${#absent[@]} -eq 0 ] || as_root apt-get install -y -qq --no-install-recommends "${absent[@]}" >/dev/null
if [ ${#absent_oracle[@]} -ne 0 ]; then
  as_root apt-get install -y -qq --no-install-recommends "${absent_oracle[@]}" >/dev/null ||
    echo "note: LLVM 22 is not to be had here; the comparisons with it will be skipped"
fi
# One by one: a client that is not to be had here does not keep the others away.
for package in "${absent_clients[@]}"; do
  as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
    echo "note: $package is not to be had here; what needs it will be skipped"
done
