#!/bin/sh
# hiaton network: what is known of a network, and what is measured, in every form; networks and
# matrices from files; the same seed gives the same bytes. HIATON is the program.
# shellcheck disable=SC2016 # backquotes of messages
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
mesh='-s network.topology=mesh -s pe.count=16 --cycles=3000 --warm-up=500'

# line KEY VALUE: the text has the value.
line() { tr -s ' ' <out | grep -q "^$1 $2\( \|\$\)" || fail "$1 is not $2"; }

# --- forms ---------------------------------------------------------------------

expect 0 network -s network.topology=torus -s pe.count=64 --show
line channel_classes 2
line deadlock_free yes
line between_halves 16
# In the middle one of three nodes are PEs of both halves: no link is between these.
expect 0 network -s cluster.nodes=3 -s cluster.pes_per_node=4 --show
line between_halves 0
out_has 'PEs of both are at one router'
expect 0 network -s cluster.nodes=2 -s cluster.pes_per_node=4 --show
line between_halves 1
# Workers share a queue instead.
expect 2 network -s network.topology=mesh -s pe.count=4 -s executor.workers=2 --show
err_has 'and PEs (executor.workers=0)'
expect 2 network -s network.topology=mesh -s pe.count=4 -s cluster.nodes=2 -s executor.workers=2 --show
# shellcheck disable=SC2086 # several words
for form in '' --json --csv; do
    expect 0 network $mesh --load 0.1,0.9 $form --links links.csv
    cp out first
    cp links.csv first.csv
    expect 0 network $mesh --load 0.1,0.9 $form --links links.csv -o again
    cmp -s first again || fail "$form: another output"
    cmp -s first.csv links.csv || fail "$form: other links"
    expect 0 network $mesh --seed 7 --load 0.1,0.9 $form
    cmp -s first out && fail "$form: the seed changes nothing"
done
# shellcheck disable=SC2086
expect 0 network $mesh --load 0.1,0.9 --csv
awk -F, 'NR == 1 { n = NF } NF != n || NR == 2 && $4 != "false" || NR == 3 && ($4 != "true" || $5 != "") { exit 1 }
    END { exit NR != 3 }' out || fail 'rows'
# Links: two for each PE, 48 between routers, at two loads; what goes in comes out.
awk -F, 'NR > 1 { n++; sum[$3] += $7 } END { d = sum["injection"] - sum["ejection"]
    exit !(n == 160 && d * d < 0.01 * sum["ejection"] * sum["ejection"]) }' links.csv || fail 'links'
# Loads that nobody chose end at the second that is saturated.
# shellcheck disable=SC2086
expect 0 network $mesh --pattern=tornado --csv
[ "$(grep -c true out)" -le 2 ] || fail 'saturated loads'
# shellcheck disable=SC2086
expect 0 network $mesh --load 0.1:0.3:0.1 --csv
[ "$(wc -l <out)" -eq 4 ] || fail 'a range'

# --- files ---------------------------------------------------------------------

cat >net.yaml <<'TEXT'
pes: [0, 0, 1, 2]
links: [0-1, 1-2]
global_links: [2-0]
TEXT
file='-s network.topology=file -s network.file=net.yaml -s pe.count=4'
# shellcheck disable=SC2086
expect 0 network $file --load 0.2 --cycles=2000
line pes 4
line routers 3
line links 6

# refused LINE:COLUMN TEXT: net.yaml is wrong there.
refused() {
    # shellcheck disable=SC2086
    expect 2 network $file --show
    err_has "net.yaml:$1: error: $2"
}
printf 'pes: [0, 0, 1, 2]\nlinks: [0-1, 1-2, 2]\n' >net.yaml
refused 2:19 'expected two routers below 2048, such as 0-1 or 0>1, found `2`'
printf 'pes: [0, 0, 1]\nlinks: [0-1]\n' >net.yaml
refused 1:1 'this network has 3 PEs, and the machine 4; expected pe.count=3'
printf 'pes: [0, 0, 1, 3]\nlinks: [0-1, 1-2]\n' >net.yaml
refused 1:1 'expected a network in which all routers are joined; no links lead from router 0 to router 3'
printf 'pes: [0, 0, 1, 1]\nlinks: [1-1]\n' >net.yaml
refused 2:9 'a link joins two routers; found 1 twice'
printf 'pe: [0, 0, 1, 1]\nlinks: [0-1]\n' >net.yaml
refused 1:1 'unknown key `pe` in a network; did you mean `pes`?'
printf 'links: [0-1]\n' >net.yaml
refused 1:1 'expected `pes`, the router of each PE'

# Links of one direction: the way back is the long one, and a router that no link leaves is refused.
printf 'pes: [0, 1, 2, 3]\nlinks: [0-1, 1-2, 2-3, 0>3]\n' >net.yaml
# shellcheck disable=SC2086
expect 0 network $file --show
line links 7
printf 'pes: [0, 0, 1, 2]\nlinks: [0-1, 1>2]\n' >net.yaml
refused 1:1 'expected a network in which all routers are joined; no links lead from router 2 to router 0'

# Links with a latency and a bandwidth of their own.
printf 'pes: [0, 1]\nlinks: [0-1 latency=30 bandwidth=32]\n' >own.yaml
"$HIATON" run -q --json "$SRCDIR/programs/examples/fib.df" n=8 -s network.topology=file -s network.file=own.yaml \
    -s pe.count=2 >own.json || fail 'links of their own'
printf 'pes: [0, 1]\nlinks: [0-1]\n' >own.yaml
"$HIATON" run -q --json "$SRCDIR/programs/examples/fib.df" n=8 -s network.topology=file -s network.file=own.yaml \
    -s pe.count=2 -s network.latency=30 >same.json || fail 'links of the settings'
busy() { sed -n 's/^  "link_busy": \([0-9]*\),/\1/p' "$1"; }
[ "$(busy own.json)" -gt "$(busy same.json)" ] || fail 'a link has no bandwidth of its own'
for own in 'latency=0' 'latency=10001' 'latency=-1' 'latency' 'bandwidth=0' 'bandwidth=99999999999999999999' \
    'latency=3 latency=4' 'bandwidth=1 bandwidth=1' 'speed=3' 'latency=3x'; do
    printf 'pes: [0, 0, 1, 1]\nlinks: [1>0, 0-1 %s]\n' "$own" >net.yaml
    refused 2:14 'expected '
    grep -q "found \`0-1 $own\`" err || fail "$own is not quoted"
done

# A mesh from a file has the load of the built-in one, and adaptive routing has none.
mesh_file='-s network.topology=file -s network.file=mesh.yaml -s pe.count=16'
printf '%s\n' 'pes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]' \
    'links: [0-1, 1-2, 2-3, 4-5, 5-6, 6-7, 8-9, 9-10, 10-11, 12-13, 13-14, 14-15,' \
    '  0-4, 4-8, 8-12, 1-5, 5-9, 9-13, 2-6, 6-10, 10-14, 3-7, 7-11, 11-15]' >mesh.yaml
# shellcheck disable=SC2086
expect 0 network $mesh_file --show
line most_load 1
# shellcheck disable=SC2086
expect 0 network $mesh_file -s network.routing=adaptive --show
line escape_load 1
! grep -q most_load out || fail 'adaptive routing has no most_load'

# A narrow link is full sooner: 128 bits take 4 cycles on 32 wires, and half the tokens of 2 PEs cross it each way.
printf 'pes: [0, 1]\nlinks: [0-1 bandwidth=32]\n' >narrow.yaml
narrow='-s network.topology=file -s network.file=narrow.yaml -s pe.count=2'
# shellcheck disable=SC2086
expect 0 network $narrow --show
line most_load 0.5
line full_link 'router 0 -> 1'
# shellcheck disable=SC2086
expect 0 network $narrow --show --bits=256 -s network.bandwidth=128
line most_load 0.25
# Measured: just below it nothing piles up, and above it no more is accepted.
# shellcheck disable=SC2086
expect 0 network $narrow --load 0.45,0.9 --cycles=20000 --csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 && $at["saturated"] != "false" { bad = 1 } NR == 3 && $at["saturated"] != "true" { bad = 1 }
    END { exit bad || NR != 3 }' out || fail 'the load of a narrow link is not what is accepted'

# Two more links lower nothing that a mesh carries, here of 5 x 3 routers.
printf '%s\n' 'pes: [1, 13, 2, 12, 6, 3, 8, 4, 10, 14, 7, 5, 11, 9, 0]' \
    'links: [3-9, 12-10, 6-11, 0-14, 3-1, 14-6, 4-11, 2-7, 6-4, 1-10, 5-13, 13-12, 14-5,' \
    '  0-8, 1-7, 11-9, 5-3, 6-3, 9-2, 8-6, 8-4, 10-7, 1-2, 13-1]' >more.yaml
expect 0 network -s network.topology=file -s network.file=more.yaml -s pe.count=15 --show
line most_load 0.8333

# The traffic of a program.
"$HIATON" analyse --only=traffic.matrix --csv -s pe.count=16 "$SRCDIR/programs/examples/fib.df" n=9 \
    -o m.csv || fail 'analyse'
# shellcheck disable=SC2086
expect 0 network $mesh --pattern=matrix --matrix m.csv --load 0.1
out_has matrix
printf 'from,to,tokens\n0,99,3\n' >m.csv
# shellcheck disable=SC2086
expect 2 network $mesh --pattern=matrix --matrix m.csv --load 0.1
err_has 'm.csv:2:3: error: expected a PE from 0 to 15, found `99`'
# A pair of PEs has one row.
printf 'from,to,tokens\n0,1,3\n1,2,1\n0,1,4\n' >m.csv
# shellcheck disable=SC2086
expect 2 network $mesh --pattern=matrix --matrix m.csv --show
err_has 'm.csv:4:1: error: duplicate row from PE 0 to PE 1: expected one row for each pair, found the first in line 2'
# The names of the fields say which is which.
shown() {
    printf "$1" >m.csv
    # shellcheck disable=SC2086
    expect 0 network $mesh --pattern=matrix --matrix m.csv --show
}
shown '0,1,1\n0,2,9\n'
cp out named
for order in 'from,to,tokens\n0,1,1\n0,2,9\n' 'to,from,tokens\n1,0,1\n2,0,9\n' '# x\ntokens,to,from\r\n1,1,0\r\n9,2,0\r\n'; do
    shown "$order"
    same named out
done
for heads in 'from,to' 'from,to,tokens,bytes' 'from,from,tokens' 'source,to,tokens' 'From,To,Tokens' '"from","to","tokens"'; do
    printf '%s\n0,1,1\n' "$heads" >m.csv
    # shellcheck disable=SC2086
    expect 2 network $mesh --pattern=matrix --matrix m.csv --show
    err_has "m.csv:1:1: error: expected the names from,to,tokens in some order, found \`$heads\`"
done

# Both ends of a range of loads are measured.
# shellcheck disable=SC2086
expect 0 network $mesh --cycles 100 --csv --load 0.1:0.3:0.1,0.95:1:0.05
[ "$(cut -d, -f1 out | tr '\n' ' ')" = 'load 0.1 0.2 0.3 0.95 1.0 ' ] || fail 'other loads'

# --- figures -------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
    # shellcheck disable=SC2086
    expect 0 network $mesh --load 0.1:0.5:0.1 --figure curve.svg
    grep -q '<svg' curve.svg || fail 'no figure'
fi

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
