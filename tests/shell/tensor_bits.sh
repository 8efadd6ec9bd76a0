#!/bin/sh
# Tensors have the same bits everywhere: what tests/tensor/digests prints is what is pinned in
# tests/data/tensor_digests.txt, by this build and, in the full tests, by gcc and clang at -O0 and
# -O3. OpenBLAS with a fixed core has the same bits whatever the environment says of it.
set -eu
LC_ALL=C
export LC_ALL

SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
BUILDDIR=${BUILDDIR:?where the program is}
digests=$BUILDDIR/tests/tensor/digests
pinned=$SRCDIR/tests/data/tensor_digests.txt

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# same WHAT FILE FILE
same() {
    if diff "$2" "$3" >"$scratch/differences"; then
        echo "same: $1"
    else
        echo "FAILED: $1"
        head -n 10 "$scratch/differences"
        failed=1
    fi
}

# --- the reference -------------------------------------------------------------

"$digests" >"$scratch/built"
same "this build, and what is pinned" "$pinned" "$scratch/built"
[ "$(wc -l <"$pinned")" -ge 80 ] || { echo "FAILED: few lines are pinned"; failed=1; }
# Two lines that are equal would be of operands that are not told apart.
repeated=$(sed 's/.* //' "$pinned" | sort | uniq -d | wc -l)
[ "$repeated" -le 6 ] || { echo "FAILED: $repeated words stand twice"; failed=1; }

# --- the page --------------------------------------------------------------------

sed -n 's/^[A-Z]*([A-Z_0-9]*, "\([^"]*\)".*/\1/p' "$SRCDIR/isa/tensor/kernels.def" \
    "$SRCDIR/isa/tensor/initialisers.def" >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -ge 30 ] || { echo "FAILED: the table of kernels was not found"; failed=1; }
while read -r name; do
    grep -qF -e "\`$name\`" -e "\`$name(" "$SRCDIR/doc/tensors.md" || {
        echo "FAILED: doc/tensors.md does not have $name"
        failed=1
    }
done <"$scratch/names"

# --- other compilers ------------------------------------------------------------

# by COMPILER OPTION...: compiles what the digests need, and runs it
by() {
    command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; return 0; }
    # shellcheck disable=SC2046 # names of files, one a line
    "$@" -std=gnu17 -D_GNU_SOURCE -ffp-contract=off -I"$SRCDIR" -I"$BUILDDIR" $(pkg-config --cflags libxxhash) \
        -o "$scratch/compiled" "$SRCDIR"/isa/tensor/*.c "$SRCDIR"/tests/tensor/digests.c \
        $(printf "$SRCDIR/lib/%s.c\n" arena diag invisible memory name_table pages random shortest text) \
        $(pkg-config --libs libxxhash) -lm
    "$scratch/compiled" >"$scratch/other"
    same "$*" "$pinned" "$scratch/other"
}

if [ -z "${HIATON_QUICK-}" ]; then
    native=
    gcc -march=native -E -x c /dev/null >/dev/null 2>&1 && native=-march=native
    by gcc -O0
    by gcc -O3 $native
    by clang -O0
    by clang -O3 $native
fi

# --- OpenBLAS --------------------------------------------------------------------

status=0
"$digests" haswell >"$scratch/haswell" 2>"$scratch/why" || status=$?
case $status in
0) ;;
3 | 4 | 5)
    echo "skipped: $(cat "$scratch/why")"
    exit $((failed ? 1 : 77))
    ;;
*)
    cat "$scratch/why"
    exit 1
    ;;
esac
cut -d' ' -f1 "$scratch/haswell" | head -n 1 | grep -qx Haswell || { echo "FAILED: another core"; failed=1; }
for core in Prescott Nehalem Sandybridge Haswell SkylakeX Zen; do
    env OPENBLAS_CORETYPE=$core OPENBLAS_NUM_THREADS=3 OMP_NUM_THREADS=2 OPENBLAS_BLOCK_FACTOR=1 \
        OPENBLAS_VERBOSE=2 "$digests" haswell >"$scratch/other" 2>&1
    same "OpenBLAS, and the environment says $core" "$scratch/haswell" "$scratch/other"
    env OPENBLAS_CORETYPE=$core "$digests" >"$scratch/other"
    same "the reference, and the environment says $core" "$pinned" "$scratch/other"
done

# The test of the test: other cores have other bits, so that it is no wonder that these are equal.
if "$digests" nehalem >"$scratch/other"; then
    sed 1d "$scratch/haswell" >"$scratch/one"
    sed 1d "$scratch/other" >"$scratch/two"
    ! cmp -s "$scratch/one" "$scratch/two" || { echo "FAILED: Nehalem and Haswell have the same bits"; failed=1; }
fi
exit $failed
