#!/bin/sh
# Every input of every command where it is missing, a folder, garbage, or cannot be read: the status
# is 2, a message names the input, standard output is empty, and nothing is written.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# The words of a command; @ is the path of the input.
readers() {
    cat <<'TEXT'
run @
run fib.df -m @
run fib.df --energy @.yaml
run --from @@100
run fib.df --params @
run fib.df -s network.topology=file -s network.file=@ -s pe.count=4
run fib.df -s partition.by=file -s partition.file=@ -s cluster.nodes=2
run ports.df --port xs=@
run files.df
interp @
interp fib.df -m @
interp ports.df --port xs=@
compare @
compare fib.df -m @
sweep run @
sweep list @
sweep run machine.yaml
sweep run program.yaml
sweep merge @ -o merged.db
sweep merge rows.db @ -o merged.db
sweep emit make @
results show @
results csv @
results latex @
results plot @ -o nothing.svg
results all @ -o nothing
results show rows.db t --experiment @.yaml
results rerun @ --all
results rerun rows.db --all --program @
replay @
trace info @
trace text @
trace export @ --to csv -o nothing
trace diff @ fib.rec
trace diff fib.rec @
analyse @
analyse fib.df -m @
analyse ports.df --port xs=@
report @ -o nothing
report fib.rec @ -o nothing
graph @
compile @ -o nothing
compile fib.df -m @ -o nothing
asm @ -o nothing
disasm @
train @
train treernn.df --trees @
partition @ -s cluster.nodes=2
network -m @ -s pe.count=4
network --pattern=matrix --matrix=@ -s network.topology=mesh -s pe.count=4
trees --shortest 2 @
TEXT
}

cat >fib.df <<'TEXT'
input n = 6
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >ports.df <<'TEXT'
port in xs : [int]
result = length(xs)
TEXT
cp "$SRCDIR/programs/training/treernn.df" "$SRCDIR/programs/training/trees.txt" .
printf 'program: fib.df\ninputs: {n: [4, 5]}\ntables: [{name: t, rows: inputs.n, values: cycles}]\n' >rows.yaml
expect 0 run -q fib.df --record fib.rec
expect 0 sweep run -q rows.yaml

# refuse INPUT: each command is given that.
refuse() {
    printf 'xs : [2] = file("%s")\nresult = xs\n' "$1" >files.df
    printf 'program: fib.df\nmachine: %s\ninputs.n: 3\n' "$1" >machine.yaml
    printf 'program: %s\ninputs.n: 3\n' "$1" >program.yaml
    ls -A >before
    while read -r line <&4; do
        words=$(echo "$line" | sed "s|@|$1|")
        case $words in *"$1".yaml*) [ "$1" = none ] || continue ;; esac
        # A port fed by what is no regular file reads it while the run waits (ports.sh).
        case $words in *xs=folder | *xs=/proc*) continue ;; esac
        # shellcheck disable=SC2086 # words
        expect 2 $words
        grep -q -e "$1" -e machine.yaml -e program.yaml -e network.file -e partition.file err ||
            fail 'the input is not named'
        [ ! -s out ] || fail 'something on standard output'
    done 4<list
    ls -A >after
    cmp -s before after || { last="$1"; fail 'something stays:'; diff before after; }
}
readers >list
: >before
: >after
mkdir folder
awk 'BEGIN { for (i = 1; i < 3000; i++) printf "%c", 128 + (i * 7919) % 120 }' >garbage
refuse none
refuse folder
refuse garbage
[ ! -e /proc/self/mem ] || refuse /proc/self/mem

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
