#!/bin/sh
# Every output of every command where it cannot be written: on a full disk, and where no file may
# grow. The status is 5, a message says why, standard output has no result, and nothing new stays:
# neither a half-written file nor a temporary one. The list has every option with a file or folder
# that the help of the commands shows, so that a new one cannot be forgotten.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# COMMAND|OPTION|the other words. @ is the path of the output, in the folder `disk`.
writers() {
    cat <<'TEXT'
run|--stats|fib.df --stats @
run|--series|fib.df --series @
run|--record|fib.df --record @
run|--record|fib.df --record @ --checkpoint 20
run|--trace|fib.df --trace @
run|--out|tensor.df --out result=@.npy
run|--port|ports.df --port xs=xs.txt --port ys=@
interp|--stats|fib.df --stats @
interp|--port|ports.df --port xs=xs.txt --port ys=@
compare|--output|fib.df -o @
compare|--record|fib.df --record @
compare|--trace|fib.df --trace @
sweep run|--output|rows.yaml -o @.db
sweep run|--csv|rows.yaml --csv @
sweep run|--json|rows.yaml --json @
sweep run|--series|rows.yaml --series @
sweep run|--profile|rows.yaml --profile @
sweep run|--pe|rows.yaml --pe @
sweep run|--links|rows.yaml --links @
sweep run|--epochs|rows.yaml --epochs @
sweep run|--outputs|rows.yaml --outputs disk
sweep run|--output|rows.yaml -o kept.db --record
sweep run|--output|rows.yaml -o kept.db --trace
sweep merge|--output|rows.db rows.db -o @
sweep merge|--csv|rows.db -o merged.db --csv @
sweep merge|--json|rows.db -o merged.db --json @
sweep merge|--series|rows.db -o merged.db --series @
sweep merge|--profile|rows.db -o merged.db --profile @
sweep merge|--pe|rows.db -o merged.db --pe @
sweep merge|--links|rows.db -o merged.db --links @
sweep merge|--epochs|rows.db -o merged.db --epochs @
sweep merge|--outputs|rows.db -o merged.db --outputs disk
sweep emit|--output|slurm rows.yaml -o @
results|--output|show rows.db t -o @
results|--output|show rows.db -o @
results|--output|csv rows.db -o @
results|--output|csv rows.db --detail pe -o @
results|--output|latex rows.db t -o @
results|--output|plot rows.db f -o disk
results|--output|plot rows.db f -o @.svg
results|--output|all rows.db -o disk
results|--output|schema -o @
analyse|--output|fib.df -o @
analyse|--output|fib.df --csv -o @
analyse|--output|fib.df --why-stopped -o @
analyse|--figure|fib.df --figure @.svg
report|--output|fib.df -o @
graph|--output|fib.df -o @
graph|--output|fib.df --format json -o @
graph|--output|fib.df --format svg -o @
compile|--output|fib.df -o @
compile|--output|fib.df -s partition.by=function -s cluster.nodes=2 -s cluster.pes_per_node=1 --parts -o @
compile|--optimise-report|same.df -o /dev/null --optimise share --optimise-report @
asm|--output|fib.s -o @
disasm|--output|fib.img -o @
train|--output|line.df -o disk
train|--figure|line.df --figure @.svg
partition|--output|fib.df -s cluster.nodes=2 -s cluster.pes_per_node=1 --runs 2 -o @
network|--output|-s pe.count=4 -s network.topology=mesh --load 0.1 --cycles 2000 -o @
network|--links|-s pe.count=4 -s network.topology=mesh --load 0.1 --cycles 2000 --links @
network|--figure|-s pe.count=4 -s network.topology=mesh --load 0.1 --cycles 2000 --figure @.svg
platform|--output|star -o @
trees|--output|-o @
TEXT
    # One line for each format of exports.
    "$HIATON" trace export fib.rec --to none -o none 2>&1 </dev/null |
        sed -n 's/.*: expected \(.*\), found .*/\1/p' | sed 's/ or /,/' | tr -d ' ' | tr ',' '\n' |
        sed 's/.*/trace export|--output|fib.rec --to & -o @/'
}

# Options with a file or folder that is read, or whose name is no path.
readers() {
    tr '|' '\n' <<'TEXT' | sed 's/^ *//; s/ *$//'
run --energy|run --from|run --machine|run --params|interp --machine|interp --params
compare --machine|results --experiment|analyse --machine|analyse --port|report --machine
graph --machine|compile --machine|compile --params|train --trees|partition --machine
network --machine|network --matrix|trees --shortest
TEXT
}

# --- inputs ----------------------------------------------------------------------------

cat >fib.df <<'TEXT'
input n = 6
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
echo 'result = tensor([[1.0, 2.0], [3.0, 4.0]])' >tensor.df
printf 'input n = 3\nresult = (n + 1) * (n + 1)\n' >same.df
cat >ports.df <<'TEXT'
port in xs : [int]
port out ys = [2 * x | x <- xs]
result = length(xs)
TEXT
awk 'BEGIN { for (i = 1; i <= 3000; i++) print i }' >xs.txt
cat >line.df <<'TEXT'
param w : [2] = uniform(-0.5, 0.5)
xs = tensor([[1.0, 2.0], [2.0, 1.0]])
input example = 0
examples = 2
loss(i) = let d = reduce_sum(w * gather(xs, i)) - 1.0 in d * d
result = loss(example)
TEXT
cat >rows.yaml <<'TEXT'
program: fib.df
inputs: {n: [4, 5]}
settings: {pe.count: [2, 4]}
series: true
profile: true
pe: true
links: true
tables: [{name: t, rows: inputs.n, columns: pe.count, values: cycles}]
figures: [{name: f, x: pe.count, y: cycles, by: inputs.n}]
TEXT
mkdir disk temporary
expect 0 run -q fib.df --record fib.rec
expect 0 compile fib.df -o fib.img
expect 0 disasm fib.img -o fib.s
expect 0 sweep run -q rows.yaml
# Folders beside kept.db, on the disk.
ln -s disk kept.rec
ln -s disk kept.events
TMPDIR=$scratch/temporary
export TMPDIR

# --- the list is whole -----------------------------------------------------------------

{
    writers | awk -F '|' '{ print $1 " " $2 }'
    readers
} | sort -u >listed
for command in run interp replay train compare 'sweep run' 'sweep merge' 'sweep list' 'sweep emit' \
    'sweep keys' results 'results rerun' partition network analyse 'trace info' 'trace text' \
    'trace export' 'trace diff' report graph machines settings ops compile asm disasm platform trees; do
    # shellcheck disable=SC2086 # words
    "$HIATON" $command --help </dev/null | sed -n 's/^  *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\)=\([^ ]*\).*/\2 \3/p' |
        grep -E '[ =|](FILE|DIR)($|[|@.])' | sed "s/^\([^ ]*\) .*/$command \1/"
done | sort -u >has
last='--help'
comm -13 listed has >new
[ ! -s new ] || fail "not in this test: $(cat new)"
"$HIATON" --help | sed -n 's/^[a-z ]\{7\}\([a-z, ]*[a-z]\)  .*/\1/p' | tr -d ' ' | tr ',' '\n' | sort -u >commands
[ "$(wc -l <commands)" -ge 20 ] || fail 'commands are not found in the help'
while read -r command; do
    cut -d ' ' -f 1 has listed | grep -qx -e "$command" || case $command in
    replay | machines | settings | ops) ;; # they write to standard output alone
    *) fail "the command \`$command' is not in this test" ;;
    esac
done <commands

# --- one output ------------------------------------------------------------------------

has_gnuplot=$(command -v gnuplot || :)
has_dot=$(command -v dot || :)

# can WORDS: whether the programs and libraries that the words need are there.
can() {
    case $1 in
    *--figure* | *'plot '* | *'all '* | *--outputs*) [ -n "$has_gnuplot" ] ;;
    *'--format svg'*) [ -n "$has_dot" ] ;;
    *otf2*) # its library ends the process where no file may grow
        [ "$how" = full ] && "$HIATON" trace export fib.rec --to otf2 -o otf2.try >out 2>err
        ;;
    esac
}

listing() { ls -A . disk temporary | grep -v -x -e out -e err -e all -e before -e after; }

# refuse COMMAND WORDS: fails at its output.
refuse() {
    words=$(echo "$2" | sed 's/@/disk\/new/g')
    last="$1 $words ($how)"
    can "$words" || { echo "skipped: $last"; return; }
    : >out
    : >err
    listing >before
    all=$(
        if [ "$how" = limited ]; then
            ulimit -f 0
            "$HIATON" $1 -q $words 2>&1 >/dev/null </dev/null
        else
            "$HIATON" $1 -q $words 2>&1 >out </dev/null
        fi
        echo "status $?"
    )
    echo "$all" | grep -v '^libgcov' | sed '$d' >err
    status=${all##*status }
    [ "$status" -eq 5 ] || fail "status $status, expected 5"
    grep -q -e 'No space left' -e 'File too large' -e 'disk is full' -e 'disk I/O error' \
        -e 'gnuplot failed' -e 'the program dot failed' -e OTF2 err || fail 'it is not said why'
    ! grep -q '\.tmp' err || fail 'a temporary file is named'
    [ ! -s out ] || fail 'something on standard output'
    case $2 in *kept.db* | *rows.yaml\ --*) rm -f kept.db kept.db-journal ;; esac
    listing >after
    cmp -s before after || { fail 'something stays:'; diff before after; }
    rm -f merged.db
}

every() {
    how=$1
    writers >all
    while IFS='|' read -r command option words <&4; do
        [ -n "$option" ] && refuse "$command" "$words"
    done 4<all
}

if [ "${1-}" = disks ]; then
    mount -t tmpfs -o size=64k none disk || exit 77
    echo before >disk/old
    cat /dev/zero >disk/fill 2>/dev/null
    every full
    [ "$(cat disk/old)" = before ] || fail 'old was touched'
    umount disk
    exit $((failures > 0))
fi

[ -n "${HIATON_QUICK-}" ] || every limited

this=$SRCDIR/tests/shell/full_disk.sh
for unshare in 'unshare -m' 'unshare -rm'; do
    if $unshare mount -t tmpfs none disk 2>/dev/null; then
        $unshare sh "$this" disks
        case $? in
        0) ;;
        77) echo 'skipped: no disk can be mounted here' ;;
        *) failures=$((failures + 1)) ;;
        esac
        break
    fi
done

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
