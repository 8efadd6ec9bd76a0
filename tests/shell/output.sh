#!/bin/sh
# Outputs where they cannot be written - full disks, files that may not grow, folders that
# are read-only, closed files: a clear error, the right status, and files that are whole or
# not there. HIATON is the program.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR

HIATON=${HIATON:?the program to test}
failures=0
last=

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n    %s\n' "$last" "$*"
    sed 's/^/    stdout: /' "$scratch/out" | head -n 5
    sed 's/^/    stderr: /' "$scratch/err" | head -n 5
}

# refuse STATUS TEXT ARGUMENT...: hiaton ends with that status, prints nothing on standard
# output, and says one line about it, with TEXT in it.
refuse() {
    wanted=$1
    text=$2
    shift 2
    last="hiaton $*"
    "$HIATON" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    found=$?
    [ "$found" -eq "$wanted" ] || fail "status $found, expected $wanted"
    grep -qF -e "$text" "$scratch/err" || fail "\`$text' is not on standard error"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line on standard error"
    [ ! -s "$scratch/out" ] || fail "something on standard output"
}

# holds FOLDER NAME...: just these files, and `old' as it was where it is one.
holds() {
    folder=$1
    shift
    found=$(cd "$folder" && for name in *; do printf '%s ' "$name"; done)
    [ "$found" = "$*${*:+ }" ] || fail "$folder holds $found, expected $*"
    [ ! -e "$folder/old" ] || [ "$(cat "$folder/old")" = before ] || fail "old was touched"
}

# every_output STATUS TEXT FOLDER: each way to write into FOLDER fails.
every_output() {
    for name in new old; do
        refuse "$1" "cannot write $3/$name: $2" run fib.df --stats "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" run fib.df --json --stats "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" run fib.df --series "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" interp fib.df --stats "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" compile fib.df -o "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" graph fib.df -o "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" disasm fib.img -o "$3/$name"
        refuse "$1" "cannot write $3/$name: $2" asm fib.s -o "$3/$name"
    done
}

# --- disks of our own ----------------------------------------------------------

# In a mount namespace, where a small disk can be made, filled and protected.
disks() {
    scratch=$1
    cd "$scratch" || exit 1
    mount -t tmpfs -o size=32k none disk || exit 77
    echo before >disk/old
    cat /dev/zero >disk/full 2>/dev/null
    last="a full disk"
    every_output 5 "No space left on device" disk
    holds disk full old
    # Room for a part of it.
    rm disk/full
    head -c 28000 /dev/zero >disk/half
    "$HIATON" graph --format json mandelbrot.df >large
    [ "$(wc -c <large)" -gt 8192 ] || fail "not large enough for this test"
    for name in new old; do
        refuse 5 "cannot write disk/$name: No space left on device" \
            graph --format json mandelbrot.df -o "disk/$name"
        refuse 5 "cannot write disk/$name: No space left on device" \
            run fib.df --series "disk/$name" -s stats.interval=1
    done
    holds disk half old
    umount disk
    mount -t tmpfs -o nr_inodes=2 none disk || exit 77 # the folder, and one more
    echo before >disk/old
    last="no more files"
    every_output 5 "No space left on device" disk
    holds disk old
    umount disk
    mount -t tmpfs -o ro none disk || exit 77
    last="a read-only disk"
    every_output 2 "Read-only file system" disk
    umount disk
    exit $((failures > 0))
}

if [ "${1-}" = disks ]; then
    disks "$2"
fi

# --- programs ------------------------------------------------------------------

this=$(cd "$(dirname "$0")" && pwd)/${0##*/}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cp "$this" "$scratch/output.sh"
cp "${SRCDIR:-$(dirname "$0")/../..}/programs/examples/mandelbrot.df" "$scratch"
cd "$scratch" || exit 1
mkdir disk files
echo before >files/old

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
"$HIATON" compile fib.df -o fib.img || exit 1
"$HIATON" disasm fib.img -o fib.s || exit 1

# --- disks ---------------------------------------------------------------------

enter=
for unshare in "unshare -m" "unshare -rm"; do
    if $unshare mount -t tmpfs none disk 2>/dev/null; then
        enter=$unshare
        break
    fi
done
if [ -n "$enter" ]; then
    # shellcheck disable=SC2086 # words
    $enter sh "$scratch/output.sh" disks "$scratch"
    case $? in
    0) ;;
    77) echo "skipped: some disks cannot be mounted here" ;;
    *) failures=$((failures + 1)) ;;
    esac
else
    echo "skipped: full and read-only disks: nothing can be mounted here"
fi

# --- files that may not grow ---------------------------------------------------

# limited ARGUMENT...: what it writes is too large; its message is not.
limited() {
    last="ulimit -f 1; hiaton $*"
    (
        ulimit -f 1 # block of 512 or 1024 bytes; gcov has to go elsewhere, and complains
        export GCOV_PREFIX="$scratch/gcov"
        exec "$HIATON" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    )
    found=$?
    [ "$found" -eq 5 ] || fail "status $found, expected 5"
    [ "$(grep -vc '^libgcov' "$scratch/err")" -eq 1 ] || fail "not one line on standard error"
    grep -qF "File too large" "$scratch/err" || fail "it is not said why"
}
for name in new old; do
    limited run fib.df --stats "files/$name"
    limited run fib.df --series "files/$name"
    limited compile fib.df -o "files/$name"
    limited graph fib.df -o "files/$name"
    [ ! -s out ] || fail "something on standard output"
done
limited graph fib.df
holds files old

# --- folders, devices ----------------------------------------------------------

if [ "$(id -u)" -ne 0 ]; then
    chmod a-w files
    every_output 2 "Permission denied" files
    chmod u+w files
fi
every_output 2 "No such file or directory" none
every_output 2 "Not a directory" fib.df
holds files old
if [ -w /dev/full ]; then
    refuse 5 "cannot write /dev/full: No space left on device" run fib.df --stats /dev/full
    refuse 5 "cannot write /dev/full: No space left on device" run fib.df --series /dev/full
    refuse 5 "cannot write /dev/full: No space left on device" compile fib.df -o /dev/full
    last="hiaton run fib.df --stats files/new >/dev/full"
    "$HIATON" run fib.df --stats files/new >/dev/full 2>err
    [ $? -eq 5 ] || fail "status is not 5"
    [ "$(tail -n 1 files/new)" = "}" ] || fail "the statistics are not whole"
    rm -f files/new
fi

# --- closed files --------------------------------------------------------------

for arguments in "run fib.df" "run fib.df --json" "graph fib.df" "machines" "--version"; do
    last="hiaton $arguments >&-"
    : >out
    # shellcheck disable=SC2086 # words
    "$HIATON" $arguments >&- 2>err
    [ $? -eq 5 ] || fail "status is not 5"
    [ "$(cat err)" = "hiaton: cannot write standard output: Bad file descriptor" ] ||
        fail "what is said"
    # shellcheck disable=SC2086 # words
    "$HIATON" $arguments >&- 2>&- <&-
    [ $? -eq 5 ] || fail "status is not 5 where all are closed"
done
last="hiaton compile fib.df -o files/new, with everything closed"
"$HIATON" compile fib.df -o files/new <&- >&- 2>&- || fail "status $?"
cmp -s fib.img files/new || fail "another image"
rm -f files/new
last="hiaton run none.df 2>&-"
"$HIATON" run none.df 2>&- >out
[ $? -eq 2 ] || fail "status is not 2"
last="hiaton run - <&-"
"$HIATON" run - <&- >out 2>err
[ $? -eq 2 ] || fail "status is not 2"
grep -qF "cannot read -: Bad file descriptor" err || fail "what is said"

# --- a signal (those in the middle of a run are in cli.sh) ----------------------

# Interrupted while it waits for its program: there is nothing to be told.
last="hiaton compile - -o files/new (SIGTERM)"
mkfifo fifo
"$HIATON" compile - -o files/new <fifo >out 2>err &
process=$!
exec 9>fifo
tries=0
until [ "$(cat "/proc/$process/comm")" = hiaton ] || [ $tries -eq 100 ]; do
    sleep 0.1 # it is still the shell
    tries=$((tries + 1))
done
kill -TERM "$process"
exec 9>&-
wait "$process" 2>/dev/null
status=$? # 143 before the command has begun to catch signals
[ $status -eq 130 ] || [ $status -eq 143 ] || fail "not ended by the signal"
holds files old

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
