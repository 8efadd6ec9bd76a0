#!/bin/sh
# A call of each command, on a small program: status 0, something to show, and nothing on standard
# error. The commands are those that the help lists. What they print is for other tests.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
cp "$examples/fib.df" .
printf 'program: fib.df\ninputs: {n: [4, 5]}\nsettings: {pe.count: [1, 4]}\ntables: [{name: cycles, rows: inputs.n, columns: pe.count, values: cycles}]\n' >sweep.yaml
cat >line.df <<'TEXT'
param w : [2] = uniform(-0.5, 0.5)
xs = tensor([[1.0, 2.0], [2.0, 1.0]])
input example = 0
examples = 2
loss(i) = let d = reduce_sum(w * gather(xs, i)) - 1.0 in d * d
result = loss(example)
TEXT
printf '(4 (2 good) (2 film))\n(0 (2 bad) (2 film))\n' >trees.txt

printf '1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n' >dogs.conllu

called=''
# call COMMAND ARGUMENT...
call() {
    called="$called$1
"
    expect 0 "$@"
    silent
}

call run fib.df n=7
[ "$(head -n 1 out)" = 21 ] || fail "the first line is not 21"
call run fib.df n=7 --record fib.rec
call run fib.df --strategy expanding -s pe.count=4
# On a platform, with an input that is given: the run is opened by the description of its observer.
# SimGrid itself does not free all that it allocates.
if [ -e "${BUILDDIR:-$(dirname "$HIATON")}/hiaton-simgrid.so" ]; then
    leaks=${ASAN_OPTIONS:-}
    export ASAN_OPTIONS="${leaks:+$leaks:}detect_leaks=0"
    call run fib.df n=7 -s network.topology=simgrid -s network.platform="$SRCDIR/programs/experiments/cluster-star.xml" \
        -s cluster.nodes=2 -s cluster.pes_per_node=2 -s network.model=native
    call run fib.df n=7 -s network.topology=simgrid -s network.platform="$SRCDIR/programs/experiments/cluster-star.xml" \
        -s cluster.nodes=2 -s cluster.pes_per_node=2 --record platform.rec
    call replay platform.rec
    ASAN_OPTIONS=$leaks
fi
call interp fib.df n=7
call compare -q fib.df n=5
call sweep run -q sweep.yaml
call results show sweep.db --rows inputs.n --columns pe.count --values cycles
call results csv sweep.db
call replay fib.rec
call trace info fib.rec
call trace text fib.rec
call trace export --to csv fib.rec -o fib.csv
call analyse -q fib.rec
call report -q fib.rec -o fib.html
call graph --format dot fib.df
call compile fib.df -o fib.img
call disasm fib.img -o fib.s
call asm fib.s -o again.img
same fib.img again.img
call partition -q --runs=3 -j 1 fib.df n=5 -s cluster.nodes=2
call network -q --load=0.1 --cycles=500 -s network.topology=mesh -s pe.count=4
call platform -q --nodes=4 star
call machines
call settings
call ops
call trees --shortest=1 trees.txt
call trees dogs.conllu
call train -q --epochs=2 --rate=0.1 line.df

# Each command is called above.
"$HIATON" --complete "" 2>err | sed -n "s/^\([a-z]*\)$(printf '\t').*/\1/p" | grep -vx help >known
while read -r command; do
    echo "$called" | grep -qx "$command" || { last=$command && fail "is not called here"; }
done <known
[ "$(wc -l <known)" -ge 21 ] || fail "the help shows $(wc -l <known) commands"
exit $((failures > 0))
