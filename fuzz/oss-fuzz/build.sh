#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them.
#
# From the environment, as these services set it: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE,
# SANITIZER, OUT (where the targets go), SRC (not needed: the source is found beside this script)
# and WORK (where the build goes). FRAMEHOUND_FUZZ_TARGETS, names parted by spaces, builds these
# alone. The flags say which sanitizer it is; memory is none of them, since that takes what the
# libraries write, which are not built with it, for uninitialised.
#
# OUT gets for each target NAME: fuzz_NAME, fuzz_NAME_seed_corpus.zip, fuzz_NAME.options and, if
# there are words for it, fuzz_NAME.dict; and lib/ with the libraries that the machines that run the
# targets do not have.
set -eu

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
: "${OUT:?the folder for the targets}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
export CC=${CC:-clang} CXX=${CXX:-clang++}
work=$(mktemp -d "${WORK:-${TMPDIR:-/tmp}}/framehound.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$OUT"

options=(-Dbuildtype=plain -Dtests=disabled -Dwerror=false -Dfuzzing=true -Dfuzz_sanitizers=none)
engine=$LIB_FUZZING_ENGINE
case $LIB_FUZZING_ENGINE in
-*) ;;
*) engine+=,-lc++ ;; # an archive of C++ objects, and we link C
esac
# The old tag, since libraries of libraries are looked for there, too.
# shellcheck disable=SC2016  # $ORIGIN is for the loader
meson setup "$work/build" "$root" "${options[@]}" "-Dfuzz_engine=$engine" \
  '-Dc_link_args=-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib'

# The targets that there are, or those that are asked for.
read -ra names <<<"${FRAMEHOUND_FUZZ_TARGETS:-}"
if [ ${#names[@]} -eq 0 ]; then
  mapfile -t names < <(ninja -C "$work/build" -t targets all |
    sed -n 's|^fuzz/fuzz_\([a-z0-9_]*\): .*|\1|p' | grep -v -E '_(repro|mutants)$' | sort -u)
fi
ninja -C "$work/build" "${names[@]/#/fuzz/fuzz_}" corpus/forge

# What is linked and not of the C library goes with the targets.
copy_libraries() {
  mkdir -p "$OUT/lib"
  ldd "$1" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' |
    grep -v -E '/(ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+))[-.]' |
    while read -r library; do
      cp -Lu "$library" "$OUT/lib/"
    done
}

python3 "$root/fuzz/make_seeds.py" "$work/build/corpus/forge" "$root" "$work/seeds" "${names[@]}"
for name in "${names[@]}"; do
  target=$OUT/fuzz_$name
  cp "$work/build/fuzz/fuzz_$name" "$target"
  copy_libraries "$target"
  python3 "$root/fuzz/oss-fuzz/pack.py" "$root" "$name" "$work" "$target"
done
