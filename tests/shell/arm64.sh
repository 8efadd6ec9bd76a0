#!/bin/sh
# The same numbers on another processor: hiaton is compiled for arm64 and run by qemu, and all examples have the
# same result, statistics and digests as on this one, with tensor.math=reference: by the interpreter, on the default
# machine and on one that takes other ways. So have images, a training, and the pinned bits of tensors. What one
# processor has recorded the other replays, and what a sweep has found it verifies.
#
# Skipped without a cross compiler (Debian package gcc-aarch64-linux-gnu), qemu-aarch64 (qemu-user), and the
# libraries for arm64 in $BUILDDIR/arm64/root, where tests/shell/arm64_root.sh puts them.
set -eu
LC_ALL=C
export LC_ALL
unset NO_COLOR MAKEFLAGS MFLAGS MAKELEVEL

SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
BUILDDIR=$(cd "${BUILDDIR:?where the program is}" && pwd)
native=$BUILDDIR/hiaton
into=$BUILDDIR/arm64
root=$into/root

skip() {
    echo "skipped: $*"
    exit 77
}

command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc (Debian package gcc-aarch64-linux-gnu) is not installed"
command -v qemu-aarch64 >/dev/null || skip "qemu-aarch64 (Debian package qemu-user) is not installed"
[ -e "$root/complete" ] || skip "there are no libraries for arm64: sh tests/shell/arm64_root.sh $root gets them"
[ -x "$SRCDIR/configure" ] || skip "there is no configure in $SRCDIR"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# --- building ------------------------------------------------------------------

build() {
    cat >"$into/pkg-config" <<TEXT
#!/bin/sh
PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
PKG_CONFIG_PATH=
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR PKG_CONFIG_PATH
exec pkg-config "\$@"
TEXT
    chmod +x "$into/pkg-config"
    cd "$into"
    [ -f Makefile ] || "$SRCDIR/configure" -q --host=aarch64-linux-gnu --enable-werror --without-simgrid \
        --without-metis --without-openblas PKG_CONFIG="$into/pkg-config" CFLAGS=-O2 \
        CC="${ARM64_CC:-aarch64-linux-gnu-gcc} --sysroot=$root" || return
    make -j"$(nproc)" hiaton tests/tensor/digests
}
(build) >"$into/build.log" 2>&1 || {
    tail -n 20 "$into/build.log"
    echo "FAILED: building for arm64"
    exit 1
}

# by_qemu PROGRAM: makes $scratch/NAME, which runs it.
by_qemu() {
    printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s" "$@"\n' "$root" "$1" >"$scratch/${1##*/}"
    chmod +x "$scratch/${1##*/}"
}
by_qemu "$into/hiaton"
by_qemu "$into/tests/tensor/digests"
foreign=$scratch/hiaton
"$foreign" --version >"$scratch/version"
head -c 20 "$into/hiaton" | od -An -tx1 -j18 -N2 | grep -q 'b7 00' || fail "$into/hiaton is not for arm64"

# --- the same numbers ------------------------------------------------------------

# call PROGRAM INTO ARGUMENT...: keeps what is printed, without what is of the host, and the status.
call() {
    program=$1
    to=$2
    shift 2
    status=0
    "$program" "$@" >"$to.all" 2>&1 </dev/null || status=$?
    sed '/^  "host": {$/,/^  }$/d' "$to.all" >"$to"
    echo "status $status" >>"$to"
}

runs=0
differing=0
# same ARGUMENT...: whether both processors print the same.
same() {
    runs=$((runs + 1))
    call "$native" "$scratch/here" "$@"
    call "$foreign" "$scratch/there" "$@"
    cmp -s "$scratch/here" "$scratch/there" || {
        differing=$((differing + 1))
        fail "hiaton $* differs on arm64"
        diff "$scratch/here" "$scratch/there" | head -n 10
    }
}

# digests FILE: result and digests alone
digests() { sed -n '/^  "\(result\|value_digest\|timing_digest\)": /p' "$1"; }

most_calls=1000000
[ -z "${HIATON_QUICK-}" ] || most_calls=2500
cd "$SRCDIR"
rows=0
alike=0
while IFS='|' read -r name inputs _ calls; do
    case $name in '#'*) continue ;; esac
    [ "$calls" -le "$most_calls" ] || continue
    rows=$((rows + 1))
    file=programs/examples/$name.df
    # shellcheck disable=SC2086 # inputs are words
    {
        same run --json "$file" $inputs -s tensor.math=reference
        same run --json "$file" $inputs -s tensor.math=reference --strategy expanding -s pe.count=5 \
            -s queue.discipline=lifo -s deadness=propagate -s placement.policy=random --seed 11 --profile
        same interp --json "$file" $inputs -s tensor.math=reference
        call "$native" "$scratch/here" run --json "$file" $inputs
        call "$foreign" "$scratch/there" run --json "$file" $inputs
        digests "$scratch/here" >"$scratch/a"
        digests "$scratch/there" >"$scratch/b"
    }
    if cmp -s "$scratch/a" "$scratch/b"; then
        alike=$((alike + 1))
    else
        echo "without tensor.math=reference $name $inputs has other digests, as it may"
    fi
done <"$SRCDIR/tests/data/examples.tbl"
[ "$rows" -ge 60 ] || fail "only $rows examples were run"
echo "$rows examples, $runs runs with tensor.math=reference, $differing differ; without it $alike examples have the same digests"

# Machines: each preset.
for machine in $("$native" machines | sed -n 's/^\([a-z][a-z0-9-]*\)  *.*/\1/p'); do
    same run --json programs/examples/fft.df n=4 -m "$machine" -s tensor.math=reference
    same run --json programs/examples/lstm.df steps=2 cells=1 -m "$machine" -s tensor.math=reference
done

"$scratch/digests" >"$scratch/bits"
cmp "$scratch/bits" "$SRCDIR/tests/data/tensor_digests.txt" || fail "the bits of tensors"

same compile programs/examples/fft.df -o "$scratch/image"
"$native" compile programs/examples/mlp.df -o "$scratch/here.image"
"$foreign" compile programs/examples/mlp.df -o "$scratch/there.image"
cmp "$scratch/here.image" "$scratch/there.image" || fail "images"

# --- a training ------------------------------------------------------------------

for side in native foreign; do
    eval "program=\$$side"
    "$program" train -q programs/training/spirals.df -s tensor.math=reference --method adam --batch 20 --held 40 \
        --epochs 2 -o "$scratch/$side" >"$scratch/$side.out" 2>&1 || fail "a training ($side): $(cat "$scratch/$side.out")"
done
diff -r "$scratch/native" "$scratch/foreign" || fail "a training"

# --- what the other one has kept ---------------------------------------------------

cat >"$scratch/there.yaml" <<TEXT
program: $SRCDIR/programs/examples/fft.df
strategy: [static, expanding]
inputs.n: [4, 8]
settings: {pe.count: [1, 16], tensor.math: reference}
TEXT
for side in native foreign; do
    eval "program=\$$side"
    "$program" run -q programs/examples/newton.df -s tensor.math=reference --record "$scratch/$side.rec" \
        --checkpoint 300 >"$scratch/out"
    "$program" sweep run -q "$scratch/there.yaml" -o "$scratch/$side.db" --csv "$scratch/$side.csv" ||
        fail "a sweep ($side)"
done
cmp "$scratch/native.csv" "$scratch/foreign.csv" || fail "a sweep"
"$foreign" replay "$scratch/native.rec" || fail "a replay of what was recorded here"
"$native" replay "$scratch/foreign.rec" || fail "a replay of what was recorded on arm64"
"$foreign" results rerun "$scratch/native.db" --all || fail "a sweep of here is not verified on arm64"
"$native" results rerun "$scratch/foreign.db" --all || fail "a sweep of arm64 is not verified here"
exit "$failed"
