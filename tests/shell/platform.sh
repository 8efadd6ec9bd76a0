#!/bin/sh
# Platforms: `hiaton platform` writes them; runs on them are the same each time, are recorded,
# replayed and analysed, and what cannot be is said. Without SimGrid only what needs none of it is
# tested.
# shellcheck disable=SC2016 # backquotes of messages
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
examples=$SRCDIR/programs/examples
fail() {
    echo "$1"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: hiaton ends with it; out and err have what it wrote.
expect() {
    status=$1
    shift
    "$HIATON" "$@" >out 2>err </dev/null
    found=$?
    [ "$found" -eq "$status" ] || { fail "hiaton $*: expected status $status, found $found"; cat err; }
}
says() {
    grep -qF -- "$1" err || { fail "it does not say: $1"; cat err; }
}

# --- the command ---------------------------------------------------------------------------
for kind in star torus fattree dragonfly; do
    expect 0 platform $kind --nodes 12 --latency 100ns -o $kind.xml
    grep -q 'radical="0-11"' $kind.xml || fail "$kind has not 12 hosts"
    grep -q 'lat="100ns"' $kind.xml || fail "$kind has another latency"
done
expect 0 platform griffon -o griffon.xml
expect 2 platform star --latency soon
says 'expected a time such as 500ns'
expect 2 platform star --bandwidth 12
says 'expected a rate such as'
expect 2 platform star --nodes 1
says 'from 2 to 65536'
expect 2 platform griffon --nodes 4
says 'a real cluster of 92 hosts'
expect 2 platform startle
says 'did you mean `star`'

# --- the platforms of the experiments -----------------------------------------------------------
# They are what the command writes.
made() {
    file=$1
    shift
    expect 0 platform "$@" --nodes 256
    cmp -s out "$SRCDIR/programs/experiments/$file.xml" || fail "$file.xml is not what the command writes"
}
for kind in star fattree torus dragonfly; do
    made cluster-$kind $kind --bandwidth 12.5GBps --latency 100ns
done
made cluster-fattree-10ns fattree --bandwidth 12.5GBps --latency 10ns
made cluster-fattree-1us fattree --bandwidth 12.5GBps --latency 1us
made cluster-fattree-slow fattree --bandwidth 1.25GBps --latency 100ns

# --- settings that do not fit -------------------------------------------------------------
expect 2 run "$examples/fib.df" -s network.topology=simgrid
says 'needs a platform'
expect 2 run "$examples/fib.df" -s network.topology=simgrid -s network.platform=none.xml
says 'none.xml'
expect 2 run "$examples/fib.df" -s network.topology=simgrid -s network.platform=star.xml -s queue.capacity=4
says 'unlimited queues'

if [ ! -e "$BUILDDIR/hiaton-simgrid.so" ]; then
    expect 2 run "$examples/fib.df" -s network.topology=simgrid -s network.platform=star.xml
    says 'built without SimGrid'
    [ $failures -eq 0 ] || exit 1
    echo "SKIPPED: runs on platforms, as this hiaton was built without SimGrid (Debian package libsimgrid-dev)"
    exit 77
fi

# --- platforms that cannot be read ----------------------------------------------------------
echo '<platform version="4.1"><host/></platform>' >bad.xml
expect 2 run "$examples/fib.df" -s network.topology=simgrid -s network.platform=bad.xml
says 'bad.xml:1:1: error: SimGrid cannot read this platform'
expect 2 run "$examples/fib.df" -s network.topology=simgrid -s network.platform=star.xml -s cluster.nodes=13
says 'the machine has 13 nodes, and the platform 12 hosts'

# A route with a link twice: the models would not agree on its time.
repeated() { # LINKS: two hosts; the links are the route from a to b
    { printf '%s\n' '<?xml version="1.0"?>' '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' \
        '<platform version="4.1">' '<zone id="z" routing="Full">' '<host id="a" speed="1Gf"/>' '<host id="b" speed="1Gf"/>' \
        '<link id="l" bandwidth="1GBps" latency="1us"/>' '<link id="m" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>' \
        "<route src=\"a\" dst=\"b\" symmetrical=\"NO\">$1</route>" \
        '<route src="b" dst="a" symmetrical="NO"><link_ctn id="l"/><link_ctn id="m" direction="DOWN"/></route>' \
        '</zone>' '</platform>'; } >repeated.xml
}
for model in simgrid native; do
    repeated '<link_ctn id="l"/><link_ctn id="m" direction="UP"/><link_ctn id="l"/>'
    expect 2 run "$examples/fib.df" n=5 -s network.topology=simgrid -s network.platform=repeated.xml -s pe.count=2 -s network.model=$model
    says 'repeated.xml:9:106: error: duplicate link `l` in the route from host `a` to host `b`: expected each link at most once'
    repeated '<link_ctn id="m" direction="UP"/><link_ctn id="m" direction="UP"/>'
    expect 2 run "$examples/fib.df" n=5 -s network.topology=simgrid -s network.platform=repeated.xml -s pe.count=2 -s network.model=$model
    says 'repeated.xml:9:88: error: duplicate link `m_UP` in the route'
    repeated '<link_ctn id="m" direction="UP"/><link_ctn id="m" direction="DOWN"/>'
    expect 0 run "$examples/fib.df" n=5 -s network.topology=simgrid -s network.platform=repeated.xml -s pe.count=2 -s network.model=$model
done

# --- options in <config> ----------------------------------------------------------------------
# Both models use its factors, which SimGrid's model LV08 has. What native does not use, it says.
# A name in a comment is no option.
sed 's|<platform version="4.1">|&<config><prop id="network/model" value="LV08"/></config>|' star.xml >lv08.xml
sed 's|<platform version="4.1">|&<!-- network/model network/TCP-gamma -->|' star.xml >comment.xml
cycles_of() {
    expect 0 run "$examples/fib.df" n=8 -s network.topology=simgrid -s pe.count=4 --json "$@"
    sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1
}
plain=$(cycles_of -s network.platform=star.xml)
[ "$plain" = "$(cycles_of -s network.platform=comment.xml)" ] || fail "a comment changes the run"
for model in simgrid native; do
    slow=$(cycles_of -s network.platform=lv08.xml -s network.model=$model)
    [ "$slow" -gt $((5 * plain)) ] || fail "$model: $slow cycles with the latencies of LV08, and $plain without"
    ! grep -q warning err || fail "$model: a warning of LV08"
done
sed 's|<platform version="4.1">|&<config><prop id="network/TCP-gamma" value="4194304"/></config>|' star.xml >gamma.xml
cycles_of -s network.platform=gamma.xml -s network.model=native >/dev/null
says 'network.model=native does not use `network/TCP-gamma`'

# --- speeds of hosts --------------------------------------------------------------------------
# No model reads them: a warning, where they are written, unless they say nothing.
sed 's/speed="1Gf"/speed="100Gf"/' star.xml >fast.xml
for model in simgrid native; do
    cycles_of -s network.platform=star.xml -s network.model=$model >/dev/null
    ! grep -q speed err || fail "$model: a warning of the usual speed"
    [ "$plain" = "$(cycles_of -s network.platform=fast.xml)" ] || fail "a speed changes the run"
    cycles_of -s network.platform=fast.xml -s network.model=$model >/dev/null
    says 'warning: `speed` of hosts has no effect'
    [ "$(grep -c 'has no effect' err)" -eq 1 ] || fail "$model: more than one warning of speeds"
done

# SimGrid frees nothing of a run that has not ended.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# --- runs -----------------------------------------------------------------------------------
# Each kind of network, by both models: the result of the interpreter, and the same again.
set -- "$examples/fib.df" n=11 -s network.topology=simgrid -s cluster.nodes=12 -s cluster.pes_per_node=2
for kind in star torus fattree dragonfly griffon; do
    for model in simgrid native; do
        expect 0 run "$@" -s network.platform=$kind.xml -s network.model=$model --json
        grep -q '"result": "144"' out || fail "another result on $kind, $model"
        sed '/"host"/,$d' out >first
        expect 0 run "$@" -s network.platform=$kind.xml -s network.model=$model --json
        sed '/"host"/,$d' out | cmp -s - first || fail "not the same again: $kind, $model"
    done
done

grep -q '"port": "link", "number": [0-9]*, "name": "[^"]*",' out || fail "no link of the platform has its name"
# They are those of the platform that is given, each once.
sed -n 's/.*"port": "link".*"name": "\([^"]*\)".*/\1/p' out >names
[ "$(sort -u names | wc -l)" -eq "$(wc -l <names)" ] || fail "two links have one name"

# No message on its way waits for another: so a bound that is never reached changes nothing, and a
# small one does.
cycles() {
    expect 0 run "$@" -s network.platform=fattree.xml --json
    sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1
}
free=$(cycles "$@" -s cluster.nic.messages=0)
[ "$free" = "$(cycles "$@" -s cluster.nic.messages=100000)" ] || fail "what the longest way holds is held back"
[ "$(cycles "$@")" = "$(cycles "$@" -s cluster.nic.messages=64)" ] || fail "the default is another bound"
[ "$free" -lt "$(cycles "$@" -s cluster.nic.messages=1)" ] || fail "a bound of one message costs nothing"
[ "$free" -lt "$(cycles "$@" -s cluster.window=1000)" ] || fail "a window costs nothing"
[ "$free" -lt "$(cycles "$@" -s cluster.clock=100000000000)" ] || fail "a faster clock has no more cycles"

# --- recordings -------------------------------------------------------------------------------
expect 0 run "$@" -s network.platform=torus.xml --record=run.rec --checkpoint=100 --series=run.csv
says 'cannot be saved'
mv torus.xml gone.xml
expect 0 replay run.rec
grep -q 'the same run' out || fail "the replay differs"
expect 0 trace info run.rec
grep -q 'checkpoints *0' out || fail "there are checkpoints"
expect 0 trace diff run.rec run.rec
expect 0 trace text run.rec --cycles=500..601
expect 0 analyse run.rec --causes
grep -q 'cluster_link_from_' out || fail "no link of the platform is named"
expect 0 analyse run.rec
mv gone.xml torus.xml
expect 0 run "$@" -s network.platform=torus.xml -s network.model=native --record=native.rec --checkpoint=100
expect 0 replay native.rec
expect 0 trace info native.rec
! grep -q 'checkpoints *0$' out || fail "the native model has no checkpoints"
expect 0 analyse native.rec --causes
grep -q 'cluster_link_from_' out || fail "no link of the platform is named (native)"

# --- causes -----------------------------------------------------------------------------------
# A fault holds a message behind the platform: what waits for it has that cause, and all cycles have
# one.
while read -r model faults; do
    settings="-s network.topology=simgrid -s network.platform=star.xml -s pe.count=4 -s network.model=$model"
    # shellcheck disable=SC2086 # words
    set -- "$examples/fib.df" n=8 -s $faults -s fault.delay_cycles=3000 $settings
    expect 0 run "$@" --record=faults.rec --checkpoint=500
    expect 0 analyse faults.rec --causes --json
    cycles=$(sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' out | head -n 1)
    sum=$(sed -n '/"causes": {/,/}/s/^ *"[a-z_]*": \([0-9]*\),*$/\1/p' out | awk '{ sum += $1 } END { print sum }')
    [ "${cycles:-none}" = "$sum" ] || fail "$model $faults: causes are $sum of $cycles cycles"
    grep -q '"fault": [1-9]' out || fail "$model $faults: nothing waits for a fault"
    # In short.
    expect 0 analyse "$@" -q --causes
    grep -q '^  fault ' out || fail "analyse, $model $faults: nothing waits for a fault"
done <<'END'
simgrid fault.list=delay:0-1:0:5000
native fault.list=delay:0-1:0:5000
simgrid fault.reorder=300000
native fault.delay=300000
END
expect 0 report faults.rec -o faults.html

# --- sweeps -----------------------------------------------------------------------------------
cat >sweep.yaml <<END
title: sweep
program: {file: $examples/fib.df, inputs: {n: 8}}
settings:
  network.topology: simgrid
  network.platform: star.xml
  network.model: [simgrid, native]
  cluster.nodes: 12
  cluster.window: [0, 20]
END
expect 0 sweep run sweep.yaml -o sweep.db --jobs 2
expect 0 results csv sweep.db
[ "$(grep -c "completed" out)" -eq 4 ] || { fail "not all runs of the sweep have completed"; cat out; }
# A process holds some 12 runs on SimGrid, and a sweep any number.
sed "s/window: .*/window: {range: [0, 15]}/; s/\[simgrid, native\]/simgrid/" sweep.yaml >many.yaml
expect 0 sweep run many.yaml -o many.db --jobs 1
says '16 runs, 16 of them new; 0 failed'

exit $((failures > 0))
