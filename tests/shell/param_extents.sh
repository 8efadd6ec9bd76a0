#!/bin/sh
# Params of a folder (--params) have the extents that the program declares, also where inputs or
# constants decide these: another shape is an error before the run.
# shellcheck disable=SC2016 # backquotes of messages
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >model.df <<'TEXT'
input n = 3
param w : [n, 2] = ones
param v : [2] = ones
result = (n, shape(w), reduce_sum(w))
loss(i) = real(i) * reduce_sum(w * w) + reduce_sum(v * v)
examples = 4
TEXT
expect 0 train -q model.df n=3 -o model
for command in 'run -q' 'run -q --strategy=expanding' interp; do
    # shellcheck disable=SC2086 # words of a command
    expect 0 $command model.df n=3 --params model
    # shellcheck disable=SC2086
    expect 2 $command model.df n=5 --params model
    err_has 'model.df:2:7: error: param `w`: real[5, 2] is declared, and model/w.npy has real[3, 2]'
done
expect 2 run model.df n=5 --params model --record model.rec
[ ! -e model.rec ] || fail 'a recording of a run that never was'
expect 0 run -q model.df --params model # the default of the input

# Constants that are computed; extents of a program with ports.
printf '1\n2\n' >xs.txt
cat >ports.df <<'TEXT'
input n = 3
rows = twice(n) - n
twice(k) = k + k
param w : [rows, 2] = ones
port in xs : [int]
port out ys = [x + rows | x <- xs]
result = shape(w)
TEXT
expect 0 run -q ports.df n=3 --port xs=xs.txt --port ys=ys.txt --params model
[ "$(tr '\n' ' ' <ys.txt)" = '4 5 ' ] || fail "the port: $(cat ys.txt)"
echo kept >ys.txt
expect 2 run -q ports.df n=4 --port xs=xs.txt --port ys=ys.txt --params model
err_has 'ports.df:4:7: error: param `w`: real[4, 2] is declared'
[ "$(cat ys.txt)" = kept ] || fail 'an output is overwritten'

# Extents that cannot be computed are not compared in silence.
sed 's/^twice(k).*/twice(k) = if k < 4 then k + k else k \/ (k - k)/' ports.df >trap.df
"$HIATON" run trap.df n=4 --port xs=xs.txt --port ys=ys.txt --params model >out 2>err
err_has 'the declared extents of params cannot be computed'

exit $((failures > 0))
