#!/bin/sh
# Platforms of SimGrid by mutation: whatever one says, a run on it has a result, or ends with status
# 2 and the place in the file, by both models, within 20 s. And valid ones, drawn from a grammar:
# a run on all hosts has the result. N says how many of each there are, SEED from
# which they are drawn; ONLY=NUMBER makes one of each alone. What each says is added to the file
# KEEP, where that is set.
# shellcheck disable=SC2034,SC2317 # words of expect.sh
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
count=${N:-500}
mutants=${N:-120}
[ -n "${N:-}" ] || [ -z "${HIATON_QUICK:-}" ] || { count=15 && mutants=15; }
seed=${SEED:-1}
awk=$SRCDIR/tests/shell/platforms.awk
drawn=$SRCDIR/tests/shell/platforms_drawn.awk
[ -e "$BUILDDIR/hiaton-simgrid.so" ] || { echo "SKIPPED: this hiaton was built without SimGrid (Debian package libsimgrid-dev)"; exit 77; }
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# --- platforms to begin with ------------------------------------------------------------------
for kind in star torus fattree dragonfly; do
    "$HIATON" platform $kind --nodes 8 -o $kind.xml || fail "no platform $kind"
done
"$HIATON" platform griffon -o griffon.xml
head='<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">'
cat >full.xml <<END
$head
  <zone id="w" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf" core="2"><prop id="watts" value="95"/></host>
    <host id="c" speed="1Gf"/>
    <host id="d" speed="1Gf"/>
    <link id="l" bandwidth="125MBps" latency="1us" sharing_policy="SHARED"/>
    <link id="m" bandwidth="1GBps" latency="500ns" sharing_policy="FATPIPE"/>
    <link id="k" bandwidth="10Gbps" latency="2us" sharing_policy="SPLITDUPLEX"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
    <route src="a" dst="c"><link_ctn id="l"/><link_ctn id="m"/></route>
    <route src="a" dst="d"><link_ctn id="k" direction="UP"/></route>
    <route src="b" dst="c"><link_ctn id="m"/></route>
    <route src="b" dst="d"><link_ctn id="l"/><link_ctn id="k" direction="DOWN"/></route>
    <route src="c" dst="d"><link_ctn id="m"/></route>
  </zone>
</platform>
END
cat >zones.xml <<END
$head
  <config><prop id="network/model" value="LV08"/><prop id="network/TCP-gamma" value="4194304"/></config>
  <zone id="world" routing="Full">
    <zone id="left" routing="Floyd">
      <host id="a" speed="1Gf"/>
      <host id="b" speed="1Gf"/>
      <router id="rl"/>
      <link id="a_link" bandwidth="100MBps" latency="10us"/>
      <link id="b_link" bandwidth="100MBps" latency="10us"/>
      <route src="a" dst="rl"><link_ctn id="a_link"/></route>
      <route src="b" dst="rl"><link_ctn id="b_link"/></route>
    </zone>
    <zone id="right" routing="Dijkstra">
      <host id="c" speed="1Gf"/>
      <host id="d" speed="1Gf"/>
      <router id="rr"/>
      <link id="c_link" bandwidth="100MBps" latency="10us"/>
      <link id="d_link" bandwidth="100MBps" latency="10us"/>
      <route src="c" dst="rr"><link_ctn id="c_link"/></route>
      <route src="d" dst="rr"><link_ctn id="d_link"/></route>
    </zone>
    <link id="wide" bandwidth="1.25GBps" latency="50us"/>
    <zoneRoute src="left" dst="right" gw_src="rl" gw_dst="rr"><link_ctn id="wide"/></zoneRoute>
  </zone>
</platform>
END
cat >cabinets.xml <<END
$head
  <zone id="cluster" routing="Cluster">
    <cabinet id="cab1" prefix="node-" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us"/>
    <cabinet id="cab2" prefix="node-" suffix="" radical="4-7" speed="1Gf" bw="125MBps" lat="50us"/>
    <backbone id="bb" bandwidth="2.25GBps" latency="500us"/>
  </zone>
</platform>
END
printf 'result = f(3)\nf(n) = if n == 0 then 0 else 1 + f(n - 1)\n' >f.df

# --- each of them -----------------------------------------------------------------------------
last="run on a platform of SEED=$seed"
# run PLATFORM MODEL PES: the status of a run on PLATFORM.xml.
run() {
    timeout -k 1 20 "$HIATON" run -q f.df -s network.topology=simgrid -s "pe.count=$3" -s "network.platform=$1.xml" \
        -s network.model="$2" >out 2>err </dev/null
    status=$?
    case $status in
    0) grep -qx 3 out || fail "platform $1, $2: another result" ;;
    2) grep -q "$1.xml:[0-9]*:[0-9]*: error: " err || fail "platform $1, $2: no place in the file" ;;
    124 | 137) fail "platform $1, $2: not ended after 20 s" ;;
    *) fail "platform $1, $2: status $status" ;;
    esac
    [ -z "${KEEP:-}" ] || { echo "$1 $2 $status"; cat err; } >>"$KEEP"
}
results=0 refused=0
number=${ONLY:-1}
end=${ONLY:-$count}
while [ "$number" -le "$end" ]; do
    if [ -n "${ONLY:-}" ] || [ "$number" -le "$mutants" ]; then
        awk -v seed="$seed" -v first="$number" -v count="$number" -f "$awk" star.xml torus.xml fattree.xml \
            dragonfly.xml griffon.xml full.xml zones.xml cabinets.xml
        run "m$number" simgrid 4
        simgrid=$status
        run "m$number" native 4
        [ "$simgrid" -eq "$status" ] || fail "platform m$number: simgrid ends with $simgrid, native with $status"
        [ "$simgrid" -eq 0 ] && results=$((results + 1))
        [ "$simgrid" -eq 2 ] && refused=$((refused + 1))
    fi
    awk -v seed="$seed" -v first="$number" -v count="$number" -f "$drawn"
    hosts=$(sed -n 's/^<!-- hosts \([0-9]*\) -->$/\1/p' "d$number.xml")
    for model in simgrid native; do
        run "d$number" $model "$hosts"
        [ "$status" -eq 0 ] || fail "platform d$number, $model: a valid one is refused"
    done
    [ -n "${ONLY:-}" ] || rm -f "m$number.xml" "d$number.xml"
    number=$((number + 1))
done
echo "seed $seed: $results platforms with a result, $refused refused; valid ones: $count"
if [ -z "${ONLY:-}" ] && [ "$results" -eq 0 ]; then fail "every platform is refused"; fi
[ "$failures" -eq 0 ]
