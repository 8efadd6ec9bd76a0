#!/bin/sh
# SIGINT and SIGTERM end every kind of command within a second, whatever it waits for and whichever
# library has it: with status 130, no output that is half written, and no temporary file.
#
# The time is what a user sees: from the signal to the end of the process. A second holds on a machine with a processor
# for this test, and three with sanitizers. On a machine with more work than processors the time says little of the
# command, so one that is late is tried again, up to five times: it must be in time once.
# shellcheck disable=SC2034,SC2317 # words of expect.sh
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
signals="INT TERM"
[ -z "${HIATON_QUICK:-}" ] || signals=TERM
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
: >out
: >err
input=/dev/null output=/dev/null
wait_for=0.5
wait_file=
limit=1000 # milliseconds
[ "${HIATON_SANITIZERS-}" != yes ] || limit=3000
processors=$(nproc)

# begun PROCESS: waits until it is hiaton, and no longer the shell that starts it.
begun() {
    tries=0
    until [ "$(cat "/proc/$1/comm" 2>/dev/null)" = hiaton ] || [ $tries -ge 100 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
}

# loaded: whether more processes want to run than there are processors.
loaded() {
    read -r load rest </proc/loadavg
    [ "${load%.*}" -ge "$processors" ]
}

# interrupt SIGNAL ARGUMENT...: sends the signal after a while, or when a file wait_file is there. The status is in found,
# the milliseconds from the signal to the end in took.
interrupt() {
    signal=$1
    shift
    rm -rf place temporary
    mkdir place temporary
    (
        cd place || exit 1
        exec env TMPDIR="$scratch/temporary" "$HIATON" "$@"
    ) <"$input" >"$output" 2>err &
    process=$!
    begun $process
    if [ -n "$wait_file" ]; then
        tries=0
        until [ -n "$(find place -name "$wait_file")" ] || [ $tries -ge 500 ]; do
            tries=$((tries + 1))
            sleep 0.02
        done
    else
        sleep "$wait_for"
    fi
    (
        exec >/dev/null 2>&1
        sleep 20
        kill -9 $process
    ) &
    watch=$!
    took=$(date +%s%N)
    kill "-$signal" $process 2>/dev/null || fail "it had ended before"
    wait $process
    found=$?
    took=$((($(date +%s%N) - took) / 1000000))
    # Not TERM: a shell that has just begun still has the traps of this one.
    kill -9 $watch 2>/dev/null
    wait $watch 2>/dev/null
}

# ends ARGUMENT...: with each signal.
ends() {
    for signal in $signals; do
        last="$* ($signal)"
        interrupt "$signal" "$@"
        again=0
        while [ "$took" -gt $limit ] && [ $again -lt 5 ] && loaded; do
            again=$((again + 1))
            interrupt "$signal" "$@"
        done
        [ "$took" -le $limit ] || fail "it ended $took ms after the signal, expected $limit at most"
        [ $found -eq 130 ] || fail "status $found, expected 130"
        grep -q interrupted err || fail "it does not say that it was interrupted"
        left=$(ls -A temporary)
        [ -z "$left" ] || fail "left in the folder for temporary files: $left"
        left=$(find place -name '*.part' ! -name '*.rec.part' ! -name '*.hev.part' -o -name '*.tmp' -o -name '*.lock' -o -name '.?*' ! -name '..' | head -n 3)
        [ -z "$left" ] || fail "left: $left"
        for file in ${unmade:-}; do
            [ ! -e "place/$file" ] || fail "$file is there"
        done
    done
}

# --- programs that take long -----------------------------------------------------------------
cat >slow.df <<END
result = f(60)
f(n) = if n < 2 then n else f(n - 1) + f(n - 2)
END
cat >ports.df <<END
port in xs : [int]
port out ys : [int]
ys = map(double, xs)
double(x) = 2 * x
result = sum(xs)
END
cat >feed.df <<END
port in xs : [int]
result = sum(xs)
END
awk 'BEGIN { print "result = f0(1)"; for (i = 0; i < 100000; i++) printf "f%d(n) = if n > 9 then n else f%d(n + 1) * %d + f%d(n + 2)\n", i, (i + 1) % 100000, i, (i * 7 + 3) % 100000 }' >huge.df
mkfifo pipe

ends run "$scratch/slow.df"
ends interp "$scratch/slow.df"
unmade=run.rec ends run "$scratch/slow.df" --record run.rec
unmade=
ends compare "$scratch/slow.df"
ends analyse "$scratch/slow.df" --causes
ends report "$scratch/slow.df" -o report.html
unmade=huge.hi ends compile "$scratch/huge.df" -o huge.hi
unmade=

# --- pipes -------------------------------------------------------------------------------------
# A port that is a pipe without a writer, one whose writer waits, and standard input.
ends run "$scratch/feed.df" --port xs="$scratch/pipe"
sleep 100 >pipe &
writer=$!
sleep 0.1
input=pipe ends run "$scratch/feed.df" --port xs=-
input=pipe ends run -
kill $writer
# A pipe that nobody reads.
"$HIATON" run -q "$examples/fib.df" n=12 --record full.rec --trace full.hev >/dev/null 2>err || fail "no recording"
sleep 100 <pipe &
reader=$!
output=pipe ends trace text "$scratch/full.rec"
kill $reader

# --- recordings and files of events, which zstd reads and writes -----------------------------------
ends run "$scratch/slow.df" --trace slow.hev
"$HIATON" run -q "$scratch/slow.df" -s limits.cycles=3000000 --record limit.rec >/dev/null 2>err
"$HIATON" run -q "$scratch/slow.df" -s limits.cycles=100000 --trace limit.hev --level all >/dev/null 2>err
[ -e limit.rec ] && [ -e limit.hev ] || fail "no recording"
ends replay "$scratch/limit.rec"
ends trace text "$scratch/limit.rec"
ends trace text "$scratch/limit.hev"
ends trace diff "$scratch/limit.rec" "$scratch/limit.rec"
unmade=events ends trace export "$scratch/limit.rec" --to csv -o events
unmade=events ends trace export "$scratch/limit.hev" --to sqlite -o events
unmade=events ends trace export "$scratch/limit.rec" --to perfetto -o events
ends analyse "$scratch/limit.rec" --causes
unmade=report.html ends report "$scratch/limit.rec" -o report.html
unmade=

# --- many runs -----------------------------------------------------------------------------------
cat >sweep.yaml <<END
title: slow
program: {file: $scratch/slow.df}
settings: {pe.count: [2, 4, 8]}
END
ends sweep run "$scratch/sweep.yaml" --jobs 2
sed 's/^settings.*/&\nmeasure: [causes]/' sweep.yaml >causes.yaml
ends sweep run "$scratch/causes.yaml" --jobs 2
ends network -s network.topology=mesh -s pe.count=256 --load 0.1:0.9:0.01 --cycles 1000000
ends train "$SRCDIR/programs/training/spirals.df" --epochs 100000 -o params

# --- databases --------------------------------------------------------------------------------------
cat >rows.yaml <<END
program: {file: $examples/fib.df}
inputs.n: [19, 20]
settings: {pe.count: 1, stats.interval: 1}
series: true
figures: [{name: f, x: inputs.n, y: cycles}]
END
for shard in 1 2; do
    "$HIATON" sweep run -q rows.yaml --shard $shard/2 2>err || fail "no database"
done
unmade=merged.db wait_file='merged.db*.tmp' ends sweep merge "$scratch/rows.1-of-2.db" "$scratch/rows.2-of-2.db" -o merged.db
unmade=
ends results rerun "$scratch/rows.2-of-2.db" --all
# A pipe that nobody reads.
sleep 100 <pipe &
reader=$!
output=pipe ends results csv "$scratch/rows.2-of-2.db" --detail series
kill $reader

# --- kernels of tensors, and questions about a recording -----------------------------------------
cat >blas.df <<END
result = reduce_sum(loop i = 0, m = ones([1200, 1200]) while i < 100000 do i + 1, matmul(m, m) * 0.0001 return m)
END
ends run "$scratch/blas.df"
ends analyse "$scratch/slow.df" --what-if unit.alu.latency=2
ends partition "$scratch/slow.df" -s cluster.nodes=4 -s cluster.pes_per_node=1
if "$HIATON" --version | grep -q 'metis: yes'; then
    ends run "$scratch/huge.df" -s partition.by=metis -s cluster.nodes=4 -s cluster.pes_per_node=1
fi

# --- other programs and libraries -----------------------------------------------------------------
mkdir fake
printf '#!/bin/sh\nsleep 100\n' >fake/gnuplot
cp fake/gnuplot fake/dot
chmod +x fake/*
before=$PATH
PATH=$scratch/fake:$PATH
unmade=heat.svg ends network -s network.topology=mesh -s pe.count=16 --figure heat.svg
unmade=graph.svg ends graph "$examples/fib.df" -o graph.svg
unmade=f.svg ends results plot "$scratch/rows.1-of-2.db" f -o f.svg
unmade=f.svg ends results all "$scratch/rows.1-of-2.db"
unmade=
PATH=$before
if [ -e "$BUILDDIR/hiaton-simgrid.so" ]; then
    "$HIATON" platform star --nodes 16 -o star.xml
    for model in simgrid native; do
        ends run "$scratch/slow.df" -s network.topology=simgrid -s pe.count=16 -s network.platform="$scratch/star.xml" \
            -s network.model=$model
    done
    # While SimGrid reads.
    "$HIATON" platform fattree --nodes 65536 -o large.xml
    wait_for=0.3 ends run "$scratch/slow.df" -s network.topology=simgrid -s pe.count=16 \
        -s network.platform="$scratch/large.xml"
fi
exit $((failures > 0))
