#!/bin/sh
# Every command, with a small stack and with little memory: a result or a message and a status, and
# no signal.
# shellcheck disable=SC3045 # ulimit has these options in dash
set -u
[ "${HIATON_SANITIZERS-}" != yes ] || { echo 'sanitizers need much memory'; exit 77; }
ulimit -s 256 || exit 77
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cp "$SRCDIR/programs/examples/fib.df" .
awk 'BEGIN { printf "result = "; for (i = 0; i < 3000; i++) printf "("; printf "1"; for (i = 0; i < 3000; i++) printf ")"; print "" }' >deep.df
printf 'title: t\nprogram: fib.df\n' >sweep.yaml
commands=$("$HIATON" help | sed -n 's/^[a-z ]\{7\}\([a-z]\{2,\}[a-z, ]*\)  .*/\1/p' | tr -d ,)
failed=0

# ends ARGUMENT...: not by a signal, and with a message if it failed.
ends() {
    for room in unlimited 200000 60000; do
        (
            ulimit -v $room
            exec timeout 60 "$HIATON" "$@"
        ) >out 2>err </dev/null
        status=$?
        if [ $status -ge 124 ] || { [ $status -gt 1 ] && ! [ -s err ]; }; then
            echo "FAILED: hiaton $* (ulimit -v $room): status $status"
            failed=1
        fi
    done
}

count=0
for command in $commands; do
    count=$((count + 1))
    ends "$command" --help
    ends "$command" fib.df
    ends "$command" deep.df
done
[ $count -ge 20 ] || { echo "FAILED: only $count commands are in hiaton help: $commands"; failed=1; }
ends sweep run sweep.yaml -o sweep.db
ends results table sweep.db
ends platform star --nodes 4 -o star.xml
exit $failed
