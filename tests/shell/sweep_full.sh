#!/bin/sh
# A disk that is full: a clear error, its status, and nothing lost: with more room the same
# command goes on, to the results of a sweep that had room from the start.
set -u
LC_ALL=C
export LC_ALL

HIATON=${HIATON:?the program to test}
scratch=$(mktemp -d)
mounted=
# shellcheck disable=SC2317 # called by the trap
clean() {
    cd /
    [ -z "$mounted" ] || umount "$scratch/small"
    rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 1

fail() {
    echo "FAILED: $*"
    cat err
    exit 1
}

cat >fib.df <<'TEXT'
input n = 5
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
runs=2000
[ -z "${HIATON_QUICK-}" ] || runs=600
printf 'program: fib.df\nsettings: {placement.policy: random}\nrepeat: %s\nseries: true\n' $runs >full.yaml

"$HIATON" sweep run -o calm.db full.yaml --csv calm.csv 2>err || fail "the calm one"
size=$(wc -c <calm.db)

# --- a limit on the size of files, which everybody can set ----------------------------

(
    ulimit -f $((size / 512 / 4)) && "$HIATON" sweep run -o limited.db full.yaml 2>err
)
status=$?
[ $status -eq 5 ] || fail "status $status where files may not grow, expected 5"
grep -q '^hiaton sweep run: limited.db: ' err || fail "it is not said what cannot be written"
"$HIATON" sweep run -o limited.db full.yaml --csv limited.csv 2>err || fail "going on"
cmp calm.csv limited.csv || fail "the results differ"

# --- a small disk ------------------------------------------------------------------------

mkdir small
if ! mount -t tmpfs -o size=$((size / 2)) none small 2>/dev/null; then
    echo "skipped: no tmpfs can be mounted here"
    exit 77
fi
mounted=yes
"$HIATON" sweep run -o small/full.db full.yaml 2>err
status=$?
[ $status -eq 5 ] || fail "status $status on a full disk, expected 5"
grep -q 'small/full.db: database or disk is full; .*make room' err || fail "not clear"
# It is full still: again an error, and what is there stays.
before=$(sqlite3 small/full.db 'SELECT count(*) FROM runs' 2>/dev/null || echo 0)
"$HIATON" sweep run -o small/full.db full.yaml 2>err && fail "there was room after all"
# A file of results that does not fit is not left half written.
cat /dev/zero >small/filler 2>/dev/null
"$HIATON" sweep run -o calm.db full.yaml --csv small/out.csv 2>err
status=$?
[ $status -eq 5 ] || fail "status $status where the file does not fit, expected 5"
[ ! -e small/out.csv ] || fail "half a file"
rm small/filler
mount -o remount,size=$((size * 3)) small || fail "cannot remount"
"$HIATON" sweep run -o small/full.db full.yaml --csv small/out.csv 2>err || fail "going on"
new=$(sed -n 's/.* runs, \([0-9]*\) of them new.*/\1/p' err)
[ "$before" -eq 0 ] || [ "$new" -le $((runs - before)) ] ||
    fail "$new runs are new, though $before were there"
cmp calm.csv small/out.csv || fail "the results differ"
exit 0
