#!/bin/sh
# Settings that are lists and files, from outside: how they are written, what is told of wrong ones,
# and that runs depend on the bytes of a file alone, wherever it is, even when it is gone.
# shellcheck disable=SC2016,SC2015 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR"/programs/examples/fib.df .
mkdir nets elsewhere
printf 'node 0\n\377\001binary\n' >nets/ring.net
name='it'\''s "so": é.net'
printf 'node 0\n' >"nets/$name"
cat >m.yaml <<'TEXT'
network:
  dims: 4x4
  file: nets/ring.net
TEXT

# --- written and read --------------------------------------------------------------------

expect 0 settings
out_has 'network.dims = derived (1 to 8 numbers of routers from 1 to 65536 with `x` between them, or'
out_has 'network.file = none (the path of a file, or `none`)'
expect 0 settings --json
out_has '"most": 8'
out_has '"file": true'
expect 0 machines m.yaml
ring=$(sed -n '/^network:/,$s/^  file: \([^ ]*\).*/\1/p' out)
case $ring in
ring.net@*) ;;
*) fail "the file is $ring" ;;
esac
out_has '  dims: 4x4                 # routers'
# What is printed of a machine is one, where its files are.
expect 0 machines m.yaml --json
cp out listed
expect 0 machines m.yaml
cp out nets/same.yaml
expect 0 machines nets/same.yaml --json
sed 's/same.yaml/m.yaml/' out >again
same listed again
expect 0 run fib.df n=5 --machine m.yaml --json
out_has '"network.dims": "4x4"'
out_has "\"network.file\": \"$ring\""
expect 0 run fib.df n=5 -s network.dims=8 -s "network.file=nets/$name" --json
out_has '"network.dims": "8"'
out_has '"network.file": "it'\''s \"so\": é.net@'
# What is the default is no difference.
expect 0 run fib.df n=5 -s network.dims=derived -s network.file=none --json
out_has '"settings": {}'
printf 'network.file: "nets/it'\''s \\"so\\": é.net"\n' >quoted.yaml
expect 0 machines quoted.yaml
out_has '  file: "it'\''s \"so\": é.net@'
last='--complete run -s network.'
"$HIATON" --complete run -s network.file= >out 2>err
head -n 1 out | grep -q '^:files=$' || fail 'no files are offered'
out_has 'network.file=none'
"$HIATON" --complete run -s network.dims= >out 2>err
out_has 'network.dims=derived'

# A link takes a cycle at least: a latency of 0 is said to be 1, where it is. It is the same run.
# Where no link depends on it, as there is one router, nothing is said.
last='network.latency=0'
for network in crossbar mesh bus 'mesh -s network.router.latency=2' ideal; do
    # shellcheck disable=SC2086 # several words
    "$HIATON" run --json -s network.latency=0 -s network.topology=$network fib.df n=8 >out 2>said || fail "$network"
    # shellcheck disable=SC2086
    "$HIATON" run --json -s network.latency=1 -s network.topology=$network fib.df n=8 >one 2>err || fail "$network"
    zero=$(grep '"cycles"' out)
    case $network in
    *latency* | ideal) [ ! -s said ] && [ "$zero" != "$(grep '"cycles"' one)" ] || fail "$network: $(cat said)" ;;
    *) grep -q 'warning: network.latency=0 counts as 1' said && [ "$zero" = "$(grep '"cycles"' one)" ] ||
        fail "$network: said $(cat said)" ;;
    esac
    [ ! -s err ] || fail "$network: of 1 it says $(cat err)"
done
for network in omega fattree 'mesh -s network.concentration=2'; do
    # shellcheck disable=SC2086
    expect 0 run --json -s pe.count=2 -s network.latency=0 -s network.topology=$network fib.df n=8
    [ ! -s err ] || fail "$network of one router: it says $(cat err)"
    zero=$(grep '"timing_digest"' out)
    # shellcheck disable=SC2086
    expect 0 run --json -s pe.count=2 -s network.latency=9 -s network.topology=$network fib.df n=8
    [ "$zero" = "$(grep '"timing_digest"' out)" ] || fail "$network of one router: another run"
done

# Of many runs it is said once, where it stands.
said='warning: network.latency=0 counts as 1: a link takes a cycle at least; on the network `ideal` 0 is 0'
cat >zero.yaml <<'TEXT'
program: fib.df
grid:
  inputs.n: [3, 4]
  network.latency: [1, 0]
  network.topology: [ideal, mesh, crossbar]
TEXT
expect 0 sweep run -q -o zero.db zero.yaml
[ ! -s err ] || fail "--quiet: $(cat err)"
for what in 'sweep list' 'sweep run -o other.db'; do
    # shellcheck disable=SC2086
    expect 0 $what zero.yaml
    [ "$(grep -c 'counts as 1' err)" -eq 1 ] || fail "$what: $(cat err)"
    err_has "zero.yaml:4:3: $said"
done
sed 's/, mesh, crossbar//' zero.yaml >ideal.yaml
expect 0 sweep list ideal.yaml
! grep -q 'counts as 1' err || fail 'of the ideal network it is said too'
expect 0 compare fib.df n=3..5 -s network.latency=0
[ "$(grep -c "$said" err)" -eq 1 ] || fail "compare: $(cat err)"
expect 0 network -s network.topology=mesh -s network.latency=0 -s pe.count=4
[ "$(grep -c "$said" err)" -eq 1 ] || fail "network: $(cat err)"

# --- wrong ones --------------------------------------------------------------------------

# wrong LINE:COLUMN WHY TEXT: a machine that says so is refused.
wrong() {
    printf '%s\n' "$3" >wrong.yaml
    expect 2 run fib.df n=5 --machine wrong.yaml
    err_has "wrong.yaml:$1: error: $2"
}
list='network.dims: expected 1 to 8 numbers of routers from 1 to 65536 with `x` between them, or `derived`, found'
wrong 1:15 "$list \`4x\`" 'network.dims: 4x'
wrong 1:15 "$list \`0x10\`" 'network.dims: 0x10'
wrong 1:15 "$list \`1x1x1x1x1x1x1x1x1\`" 'network.dims: 1x1x1x1x1x1x1x1x1'
wrong 1:1 "$list \`\`" 'network.dims: ""'
wrong 1:15 "$list a sequence" 'network.dims: [4, 4]'
wrong 1:15 'network.file: cannot read nets/rong.net: No such file or directory' 'network.file: nets/rong.net'
wrong 1:15 'network.file: cannot read nets: Is a directory' 'network.file: nets'
wrong 1:15 'network.file: /dev/zero is too long: expected at most 16777216 bytes' 'network.file: /dev/zero'
wrong 1:16 'network.file: expected the path of a file, or `none`, found `-`; standard input' 'network.file: "-"'
wrong 1:15 'network.file: expected the path of a file, or `none`, found a mapping' 'network.file: {a: b}'
wrong 1:15 'network.file: expected nets/ring.net with the digest 0' 'network.file: nets/ring.net@00000000000000000000000000000000'
expect 2 run fib.df n=5 -s network.file=nets/rings.net
err_has '--set: network.file: cannot read nets/rings.net: No such file or directory; did you mean `nets/ring.net`?'
expect 2 run fib.df n=5 -s network.file=
err_has 'the value of `network.file` is missing'
if [ "$(id -u)" != 0 ]; then
    chmod 0 "nets/$name"
    expect 2 run fib.df n=5 -s "network.file=nets/$name"
    err_has 'Permission denied'
    chmod 600 "nets/$name"
fi
cat >wrong.yaml <<'TEXT'
program: fib.df
inputs: {n: 5}
settings:
  network.file: nets/none.net
grid:
  network.dims: [4x4, 8y8]
zip:
  pe.count: [1, 2]
  network.bandwidth: [1, 2]
TEXT
expect 2 sweep list wrong.yaml
err_has 'wrong.yaml:4:17: error: network.file: cannot read nets/none.net'
err_has "wrong.yaml:6:23: error: $list \`8y8\`"

# --- recordings --------------------------------------------------------------------------

expect 0 run fib.df n=8 --machine m.yaml --record run.rec --checkpoint 100
expect 0 run fib.df n=8 --machine m.yaml --trace run.trc
mv run.rec run.trc elsewhere
mv nets gone
(
    cd elsewhere || exit 1
    for file in run.rec run.trc; do
        "$HIATON" replay $file >said 2>&1 || echo "$file: $(cat said)"
    done
    "$HIATON" run --from run.rec@150 --json >from.json || echo "--from"
    grep -q "\"network.file\": \"$ring\"" from.json || echo "--from without its file"
    printf 'node 1\n' >ring.net
    "$HIATON" replay run.rec -s network.file=ring.net -s network.latency=9 >said 2>&1
    grep -q "network.file *$ring *ring.net@" said || echo "another file is no reason: $(cat said)"
) >failed
[ ! -s failed ] || fail "$(cat failed)"
mv gone nets

# --- sweeps ------------------------------------------------------------------------------

cat >nets.yaml <<'TEXT'
program: fib.df
inputs: {n: 5}
machine: [default, m.yaml]
grid:
  network.file: [nets/ring.net, none]
  network.dims: [4x4, 2x2x4, derived]
TEXT
expect 0 sweep run nets.yaml
err_has '12 runs, 6 of them new'
expect 0 results csv nets.db
cp out nets.csv
out_has ",2x2x4,$ring,"
out_has ',derived,none,'
# The same bytes under another name and in another folder are the same runs.
cp nets/ring.net elsewhere/other.net
expect 0 sweep run nets.yaml --set network.file=elsewhere/other.net,elsewhere/../nets/ring.net
err_has '0 of them new'
# Other bytes are not.
cp nets/ring.net before.net
echo more >>nets/ring.net
expect 0 sweep run nets.yaml
err_has '12 runs, 3 of them new'
cp before.net nets/ring.net
expect 0 sweep run nets.yaml
err_has '12 runs, 0 of them new'
expect 0 results csv nets.db
same nets.csv out
reruns=2
has_sql=$(command -v sqlite3) || {
    echo 'what databases hold is not looked at: sqlite3 is not installed' >&2
    reruns=1
}
[ -z "$has_sql" ] || [ "$(sqlite3 nets.db 'SELECT count(*) FROM files')" = 2 ] || fail "two files are not kept"
# Shards, merged, have what runs need; so has what a database keeps.
expect 0 sweep run nets.yaml --shard 1/2
expect 0 sweep run nets.yaml --shard 2/2
[ -z "$has_sql" ] || sqlite3 nets.1-of-2.db 'DELETE FROM files'
expect 0 sweep merge -o elsewhere/all.db nets.1-of-2.db nets.2-of-2.db
mv nets gone
(
    cd elsewhere || exit 1
    rm ring.net
    "$HIATON" results rerun all.db --all || echo "status $?"
    [ -n "$has_sql" ] || exit 0
    sqlite3 all.db 'DELETE FROM files'
    "$HIATON" results rerun all.db --all && echo "without its file"
    cp ../before.net ring.net
    "$HIATON" results rerun all.db --all || echo "status $?, beside its file"
) >said 2>&1
[ -z "$has_sql" ] || grep -q 'cannot read ring.net' said || fail "a file that is gone is not named"
[ "$(grep -c '^12 of 12 rows hold$' said)" = $reruns ] || fail "$(cat said)"
mv gone nets

# Shards of different bytes are results of different experiments.
rm nets.2-of-2.db
echo more >>nets/ring.net
expect 0 sweep run nets.yaml --shard 2/2
expect 2 sweep merge -o mixed.db nets.1-of-2.db nets.2-of-2.db
err_has 'nets.2-of-2.db: these are results of another experiment, or of another version of it'
cp before.net nets/ring.net

# --- a file that changes meanwhile ---------------------------------------------------------

cat >long.yaml <<'TEXT'
program: fib.df
inputs: {n: [27, 28]}
settings: {network.file: nets/ring.net}
TEXT
"$HIATON" sweep run long.yaml --jobs 1 >said 2>&1 &
sweep=$!
waited=0
while [ ! -s long.db ] && [ $waited -lt 100 ]; do
    sleep 0.05
    waited=$((waited + 1))
done
echo more >>nets/ring.net
wait $sweep || fail "the sweep has failed: $(cat said)"
grep -q 'warning: nets/ring.net has changed since it was read; the runs are of what it was, '"${ring#*@}" said ||
    fail "a file that changed is not told: $(cat said)"
[ -z "$has_sql" ] || [ "$(sqlite3 long.db 'SELECT DISTINCT "network.file" FROM runs')" = "$ring" ] ||
    fail "the runs are not those of the bytes that ran"

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
