#!/bin/sh
# The same input gives the same bytes: whatever the compiler, the level of optimisation,
# the folder it was built in, the working directory, the environment. The program is built
# four times from two copies of the sources, and all that it prints and writes about all
# examples and all wrong programs is compared, less what is said of the host.
set -eu
LC_ALL=C
export LC_ALL
unset NO_COLOR MAKEFLAGS MFLAGS

SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)

skip() {
    echo "skipped: $*"
    exit 77
}

[ -z "${HIATON_QUICK-}" ] || skip "done once, in the full tests"
command -v gcc >/dev/null || skip "gcc is not installed"
command -v clang >/dev/null || skip "clang is not installed"
[ -x "$SRCDIR/configure" ] || skip "there is no configure in $SRCDIR"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# --- building ------------------------------------------------------------------

# What contraction of floating-point operations would need: the processor's own FMA.
native=
if gcc -march=native -E -x c /dev/null >/dev/null 2>&1 &&
    clang -march=native -E -x c /dev/null >/dev/null 2>&1; then
    native=-march=native
fi

# copy FOLDER: the sources, without what a build in them has left.
copy() {
    mkdir -p "$1"
    (
        cd "$SRCDIR"
        for file in *; do
            case $file in
            build-aux | *.ac | *.am | *.in | *.m4 | configure) ;;
            *) [ -f "$file/local.mk" ] || continue ;;
            esac
            cp -Rp "$file" "$1"
        done
    )
    chmod -R u+w "$1"
    find "$1" \( -name '*.o' -o -name '*.a' -o -name presets_data.c \) -exec rm -f {} +
}

# build FOLDER NAME COMPILER FLAGS: FOLDER/NAME/hiaton
build() {
    mkdir "$1/$2"
    if ! (cd "$1/$2" && ../configure -q CC="$3" CFLAGS="$4" && make -j2 hiaton) \
        >"$1/$2.log" 2>&1; then
        cat "$1/$2.log"
        echo "FAILED: building $2: $3 $4"
        exit 1
    fi
}

short=$scratch/s
long="$scratch/a-folder/whose-path/is-much-longer/than-that-of/the-other-one"
copy "$short"
copy "$long"
build "$short" gcc-0 gcc -O0
build "$short" clang-3 clang "-O3 $native"
build "$long" gcc-3 gcc "-O3 $native"
build "$long" clang-0 clang -O0

# --- what it prints ------------------------------------------------------------

# keep NAME ARGUMENT...: runs hiaton, and keeps what it prints and its exit status.
keep() {
    name=$1
    shift
    status=0
    "$program" "$@" >"$into/$name.out" 2>"$into/$name.err" </dev/null || status=$?
    echo "$status" >"$into/$name.status"
}

# keep_example NAME FILE INPUTS: the runs of a row of examples.tbl
keep_example() {
    # shellcheck disable=SC2086 # inputs are words
    {
        keep "$1.table" run "$2" $3
        keep "$1.run" run --json "$2" $3 --stats "$into/$1.stats"
        keep "$1.lifo" run --json "$2" $3 -s pe.count=5 -s queue.discipline=lifo \
            -s deadness=propagate -s placement.policy=random --seed 11 \
            --profile --series "$into/$1.series"
        keep "$1.interp" interp --json "$2" $3
        keep "$1.reference" run --json "$2" $3 -s tensor.math=reference
    }
}

# keep_recordings PREFIX: recordings with checkpoints, which are compared too, byte for byte: both
# strategies, random placement, finite queues, an executor.
keep_recordings() {
    while read -r name inputs; do
        file=$1programs/examples/$name.df
        # shellcheck disable=SC2086 # inputs are words
        {
            keep "$name.recorded-1" run --json "$file" $inputs --series "$into/$name.1.csv" \
                --record "$into/$name-1.rec" --checkpoint 300
            keep "$name.recorded-2" run --json "$file" $inputs --strategy expanding --profile \
                -s placement.policy=random -s network.capacity=8 --seed 5 \
                --record "$into/$name-2.rec" --checkpoint 300
            keep "$name.recorded-3" run --json "$file" $inputs -m tf-executor \
                --record "$into/$name-3.rec" --checkpoint 200000
        }
    done <<'TEXT'
fib n=10
fft n=4
sieve n=20
newton a=3.0
TEXT
}

# keep_forms NAME FILE: the forms of a program
keep_forms() {
    for stage in functions static image; do
        for format in text dot json; do
            keep "$1.$stage.$format" graph --stage "$stage" --format "$format" "$2"
        done
    done
    keep "$1.compile" compile "$2" -o "$into/$1.image"
    keep "$1.disasm" disasm "$into/$1.image"
}

# keep_images FILE: the images of a program, with gradients of both modes
keep_images() {
    name=${1##*/}
    for strategy in static expanding; do
        for mode in naive paired; do
            to=$into/${name%.df}.$strategy.$mode.image
            keep "$name.$strategy.$mode" compile --strategy "$strategy" -s "grad.mode=$mode" "$1" -o "$to"
        done
    done
}

# In some seconds, without optimisation.
most_calls=7000

# produce PROGRAM INTO [PREFIX]: all that the program prints, into a new folder. Programs
# are named with the prefix, which is taken away again from what is said about them.
produce() {
    program=$1
    into=$2
    prefix=${3-}
    mkdir "$into"
    rows=0
    while IFS='|' read -r name inputs _ calls; do
        case $name in '#'*) continue ;; esac
        [ "$calls" -le "$most_calls" ] || continue
        rows=$((rows + 1))
        keep_example "$rows-$name" "${prefix}programs/examples/$name.df" "$inputs"
    done <"$SRCDIR/tests/data/examples.tbl"
    for file in "$SRCDIR"/programs/examples/*.df; do
        name=${file##*/}
        keep_forms "${name%.df}" "$prefix${file#"$SRCDIR/"}"
    done
    for file in "$SRCDIR"/programs/*/*.df "$SRCDIR"/tests/oracle/*.df; do
        keep_images "$prefix${file#"$SRCDIR/"}"
    done
    for file in "$SRCDIR"/tests/data/diagnostics/*.df; do
        name=${file##*/}
        keep "wrong-${name%.df}" run "$prefix${file#"$SRCDIR/"}"
    done
    keep_recordings "$prefix"
    for table in ops settings machines; do
        keep "$table" "$table"
        keep "$table.json" "$table" --json
    done
    keep version --version
    for file in "$into"/*.run.out "$into"/*.recorded-?.out "$into"/*.lifo.out "$into"/*.interp.out "$into"/*.reference.out "$into"/*.stats; do
        sed '/^  "host": {$/,/^  }$/d' "$file" >"$into/kept"
        mv "$into/kept" "$file"
    done
    if [ -n "$prefix" ]; then
        for file in "$into"/*.err; do
            sed "s|$prefix||g" "$file" >"$into/kept"
            mv "$into/kept" "$file"
        done
    fi
}

# compare WHAT A B: two folders of outputs
failed=0
compare() {
    if diff -r "$2" "$3" >"$scratch/differences"; then
        echo "same: $1"
    else
        echo "FAILED: $1: $(grep -c '^diff \|^Binary ' "$scratch/differences") files differ"
        head -n 20 "$scratch/differences"
        failed=1
    fi
}

# Two at a time.
cd "$SRCDIR"
produce "$short/gcc-0/hiaton" "$scratch/gcc-0" &
produce "$long/gcc-3/hiaton" "$scratch/gcc-3"
wait $!
produce "$short/clang-3/hiaton" "$scratch/clang-3" &
produce "$long/clang-0/hiaton" "$scratch/clang-0"
wait $!
# As far from the others as an environment can be; 40 kB of it move the stack.
(
    cd /
    padding=$(printf '%40000s' x)
    HOME=/nonexistent LANG=de_DE.UTF-8 LC_ALL=tr_TR.UTF-8 TZ=Pacific/Kiritimati COLUMNS=40
    TERM=xterm-256color MALLOC_PERTURB_=165 TMPDIR=/nonexistent
    export HOME LANG LC_ALL TZ COLUMNS TERM MALLOC_PERTURB_ TMPDIR padding
    produce "$short/gcc-0/hiaton" "$scratch/elsewhere" "$SRCDIR/"
) &
# Where the addresses of a process are random, each of the runs above had others; here
# they are not, and memory is what the host gives.
if command -v setarch >/dev/null && setarch -R true 2>/dev/null; then
    printf '#!/bin/sh\nexec setarch -R "%s" "$@"\n' "$long/gcc-3/hiaton" >"$scratch/fixed"
else
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$long/gcc-3/hiaton" >"$scratch/fixed"
fi
chmod +x "$scratch/fixed"
produce "$scratch/fixed" "$scratch/addresses"
wait $!

# --- whether it is the same ----------------------------------------------------

compare "gcc -O3 and -O0, and two folders" "$scratch/gcc-3" "$scratch/gcc-0"
compare "clang -O3 and gcc -O3" "$scratch/gcc-3" "$scratch/clang-3"
compare "clang -O0 and gcc -O3" "$scratch/gcc-3" "$scratch/clang-0"
compare "another environment and working directory" "$scratch/gcc-0" "$scratch/elsewhere"
compare "addresses that are not random" "$scratch/gcc-3" "$scratch/addresses"

# --- what one build recorded, and another one replays --------------------------------

# replay_by PROGRAM RECORDINGS: from another folder and in another locale.
replay_by() {
    replayed=0
    for file in "$2"/*.rec; do
        replayed=$((replayed + 1))
        if ! (
            cd / && LC_ALL=tr_TR.UTF-8 LANG=de_DE.UTF-8 TZ=Pacific/Kiritimati &&
                export LC_ALL LANG TZ && "$1" replay --json "$file" >"$scratch/replayed"
        ); then
            echo "FAILED: $1 replay $file"
            cat "$scratch/replayed"
            failed=1
        fi
        grep -q '^  "reasons": \[\]' "$scratch/replayed" || {
            echo "FAILED: $1 replay $file: it was recorded elsewhere"
            failed=1
        }
        # From a checkpoint of the other build. The program of a recording has no name of a file.
        number=${file%.rec} number=${number##*-}
        name=${file##*/} name=${name%-?.rec}
        profile=
        [ "$number" != 2 ] || profile=--profile
        "$1" run --from "$file@1000000000" --json $profile >"$scratch/from" || failed=1
        for out in "$scratch/from" "$2/$name.recorded-$number.out"; do
            sed '/^  "host": {$/,/^  }$/d; /^  "program": /d' "$out" >"$scratch/${out##*/}.bare"
        done
        cmp "$scratch/from.bare" "$scratch/$name.recorded-$number.out.bare" || {
            echo "FAILED: $1 run --from $file"
            failed=1
        }
    done
    [ "$replayed" -ge 12 ] || { echo "FAILED: $replayed recordings"; failed=1; }
    echo "replayed: $replayed recordings of ${2##*/} by ${1#"$scratch/"}"
}

replay_by "$long/clang-0/hiaton" "$scratch/gcc-3"
replay_by "$long/gcc-3/hiaton" "$scratch/clang-0"

# --- the test of the test ------------------------------------------------------

# expect STATUS LEAST FILE...: at least so many runs, and each ended with that status.
expect() {
    status=$1
    least=$2
    shift 2
    [ $# -ge "$least" ] || { echo "FAILED: $# runs, expected $least or more"; failed=1; }
    for file in "$@"; do
        [ "$(cat "$file")" = "$status" ] || { echo "FAILED: $file: $(cat "$file")"; failed=1; }
    done
}

programs=0
for file in programs/examples/*.df; do
    programs=$((programs + 1))
    name=${file##*/} name=${name%.df}
    [ -s "$scratch/gcc-3/$name.image" ] || { echo "FAILED: $name: no image"; failed=1; }
    expect 0 1 "$scratch"/gcc-3/*-"$name.run.status"
done
expect 0 30 "$scratch"/gcc-3/*.run.status
expect 0 30 "$scratch"/gcc-3/*.lifo.status
expect 0 30 "$scratch"/gcc-3/*.interp.status
expect 0 30 "$scratch"/gcc-3/*.reference.status
expect 0 $((9 * programs)) "$scratch"/gcc-3/*.text.status "$scratch"/gcc-3/*.dot.status \
    "$scratch"/gcc-3/*.json.status
expect 0 "$programs" "$scratch"/gcc-3/*.disasm.status
expect 0 1 "$scratch/gcc-3/version.status"
expect 2 40 "$scratch"/gcc-3/wrong-*.status

program=$long/gcc-3/hiaton
for seed in 1 2; do
    into=$scratch/seed-$seed
    mkdir "$into"
    keep fib run --json programs/examples/fib.df -s placement.policy=random --seed "$seed"
    # What else tells the seeds apart is not what is looked for.
    sed -i '/^  "seed": /d; /^  "host": {$/,/^  }$/d' "$into/fib.out"
done
if diff -r "$scratch/seed-1" "$scratch/seed-2" >/dev/null; then
    echo "FAILED: runs with two seeds are the same: nothing is noticed"
    failed=1
fi

exit $failed
