#!/bin/sh
# Inputs that are arrays and tensors: written, from files of each format, recorded, swept, refused.
# shellcheck disable=SC2016 # names stand in backquotes
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# begins TEXT: the first line of what was printed.
begins() { [ "$(head -n 1 out)" = "$1" ] || fail "it does not begin with \`$1'"; }

cat >all.df <<'TEXT'
input a = [1, 2, 3]
input n = 2
input e : [(int, int)] = file("e.txt")
input m = [[1.5, 2], [3, 4]]
input w = tensor([[1, 2], [3, 4]])
input b = [(1, true), (2, false)]
input z : [real] = []
x : [(int, real)] = file("x.csv")
result = (a[n] + length(a), e[2], m[1][1], reduce_sum(w), b[0], x, length(z))
TEXT
printf '# edges\n0 1\n1 2\n2\t0\n' >e.txt
printf 'count,weight\n1,2.5\n3,4\n' >x.csv
own='(6, (2, 0), 4.0, 10.0, (1, true), [(1, 2.5), (3, 4.0)], 0)'

# Every engine, both strategies, divided programs, stores that are finite: the same value.
for with in '' '--strategy=expanding' '-m tf-executor' '-m ideal' \
    '-s deadness=propagate' '-s memory.capacity=4096' '-s structure.placement=interleaved' \
    '-m tf-cluster' '-s queue.capacity=64' '--strategy=expanding -m tf-executor'; do
    # shellcheck disable=SC2086 # several words
    expect 0 run -q $with all.df
    begins "$own"
done
expect 0 interp -q all.df
begins "$own"
expect 0 compile all.df -o all.img
expect 0 run -q all.img
begins "$own"
expect 0 disasm all.img
cp out all.asm
expect 0 run -q all.asm a='[7]' n=0
begins '(8, (2, 0), 4.0, 10.0, (1, true), [(1, 2.5), (3, 4.0)], 0)'

# Written values, and files of each format.
expect 0 run -q all.df a='[4, -5,0xff]' z='[1, 2.5e3, -inf]' b='[(3,false),(4,true)]' w='[[1]]'
begins '(258, (2, 0), 4.0, 1.0, (3, false), [(1, 2.5), (3, 4.0)], 3)'
cat >read.df <<'TEXT'
input r : [(int, int, real)] = [(0, 0, 0)]
input p : [(int, int)] = [(0, 0)]
input d : [[real]] = [[0]]
input v : [int] = []
input u : [bool] = []
result = (r, p, d, v, u)
TEXT
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% by hand\n3 3 3\n1 1 0.5\n3 1 -2e1\n2 2 7\n' >s.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 3\n2 1\n' >p.mtx
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n' >d.mtx
printf '9223372036854775807\n-9223372036854775808\n' >v.csv
printf 'true,false,1,0\n' >u.csv
expect 0 run -q read.df r=@s.mtx p=@p.mtx d=@d.mtx v=@v.csv u=@u.csv
begins '([(0, 0, 0.5), (2, 0, -20.0), (0, 2, -20.0), (1, 1, 7.0)], [(0, 2), (1, 0)], [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]], [9223372036854775807, -9223372036854775808], [true, false, true, false])'
printf '[\n (1, 2),\n (3, 4)]\n' >p.txt
expect 0 run -q read.df p=@p.txt d='[[1, 2], [3, 4]]' v=@v.csv
begins '([(0, 0, 0.0)], [(1, 2), (3, 4)], [[1.0, 2.0], [3.0, 4.0]], [9223372036854775807, -9223372036854775808], [])'

# Bad bytes: status 2, line and column, what was found and expected.
# refused TEXT ARGUMENT...
refused() {
    refused=$1
    shift
    expect 2 run -q "$@"
    err_has "$refused"
}
printf '1 2\n3 y\n' >bad
refused 'bad:2:3: error: expected an int; found `y`' read.df p=@bad
printf '1 2\n3\n' >bad
refused 'bad:2:1: error: expected 2 fields, one for each part of a tuple; found 1' read.df p=@bad
printf '1 2\n3 4 5\n' >bad
refused 'bad:2:1: error: expected 2 fields, one for each part of a tuple; found more than 2' \
    read.df p=@bad
printf '1,9223372036854775808\n' >bad
refused 'bad:1:3: error: expected an int of 64 bits; found `9223372036854775808`' read.df p=@bad
printf '1,2\n3,4\n' >bad
refused 'expected [int], found a table of 2 rows and 2 columns' read.df v=@bad
printf 'true\nyes\n' >bad
refused 'bad:2:1: error: expected true or false; found `yes`' read.df u=@bad
printf '[(1, 2), (3; 4)]' >bad
refused 'bad:1:11: error: expected an int, found `3;`' read.df p=@bad
printf '[(1, 2),\n (3, 4)' >bad
refused 'bad:2:8: error: expected `,` or `]`, found the end' read.df p=@bad
refused 'input d:1:10: error: a row of 1 element; the rows before have 2' read.df d='[[1, 2], [3]]'
refused 'input d:1:17: error: expected the end, found `]`' read.df d='[[1, 2], [3, 4]]]'
refused 'input v:1:2: error: expected an int, found `1.5`' read.df v='[1.5]'
refused 'input `v`: expected [int], as `[...]` or from a file as `@PATH`, found `5`' read.df v=5
refused 'input `v`: expected the path of a file, found `-`' read.df v=@-
refused 'input `v`: cannot read none.csv: No such file or directory' read.df v=@none.csv
sed 's/^3 1/4 1/' s.mtx >bad
refused 'bad:5:1: error: expected a row from 1 to 3, found `4`' read.df r=@bad
sed 's/3 3 3/3 4 3/' s.mtx >bad
refused 'bad:3:1: error: a symmetric matrix has as many rows as columns, found 3 and 4' read.df r=@bad
sed '$d' s.mtx >bad
refused 'bad:6:1: error: expected entry 3 of 3, found' read.df r=@bad
sed 's/3 3 3/3 3 2/' s.mtx >bad
refused 'bad:6:1: error: expected the end, after the last entry, found `2`' read.df r=@bad
sed 's/-2e1/-2f1/' s.mtx >bad
refused 'bad:5:5: error: expected a number, found `-2f1`' read.df r=@bad
sed 's/real/complex/' s.mtx >bad
refused 'bad:1:34: error: expected `real`, `integer` or `pattern`; `complex` is not read, found' \
    read.df r=@bad
sed '2s/3 3/3 3 99999999999/' p.mtx >bad
refused 'bad:2:5: error: ' read.df p=@bad
refused 'expected [(int, int)], found a matrix, which is [(int, int, real)]' read.df p=@s.mtx
awk 'BEGIN { for (i = 0; i < 20000; i++) print i }' >big
refused 'big is too long' read.df v=@big -s limits.memory=65536
awk 'BEGIN { for (i = 0; i < 20000; i++) print 1 }' >big
refused 'a tensor of int[20000] takes 160000 bytes; 0 of 65536 bytes' read.df v=@big -s limits.memory=65536

# In the program.
# mistaken TEXT EQUATION
mistaken() {
    printf '%s\nresult = 1\n' "$2" >mistaken.df
    expect 2 interp mistaken.df
    err_has "$1"
}
mistaken 'mistaken.df:1:18: error: expected an int, found a bool' 'input b = [[1], [true]]'
mistaken 'an empty array does not say its type: write `input a : [int] = []`' 'input a = []'
mistaken ':1:20: error: a row of 1 element; the rows before have 2' 'input a = [[1, 2], [3]]'
mistaken 'expected a literal, `[` or `(`: the value of an input is written out, found `n`' 'input a = [1, n]'
mistaken ':1:23: error: expected an int, found a real' 'input a : [int] = [1, 2.5]'
mistaken 'expected an array or a tensor, found a scalar' 'input a : int = [1]'
mistaken 'of constants, only those from files have a type' 'a : [int] = [1]'
printf '1 2\n3 y\n' >bad
mistaken 'bad:2:3: error: expected an int; found `y`' 'a : [(int, int)] = file("bad")'

# A run's record has all inputs, with the digest of files; a recording has the files.
expect 0 run --json all.df e=@e.txt n=1
out_has '"a": [1, 2, 3]'
out_has '"n": 1,'
out_has '"file": "e.txt"'
grep -q '"digest": "[0-9a-f]\{32\}"' out || fail 'no digest of the file'
expect 0 run -q --record=x.rec all.df e=@e.txt a='[4, 5, 6]'
printf '5 5\n6 6\n7 7\n' >other.txt
cp e.txt kept.txt
cp other.txt e.txt
expect 0 replay x.rec
out_has 'the same run'
expect 0 trace info x.rec
out_has 'a=[4, 5, 6], e=@e.txt@'
cp kept.txt e.txt

# Of a file above 16 MiB a recording has the digest: replay refuses another file by its name.
printf 'input v : [int] = []\nresult = v[length(v) - 1] + length(v)\n' >long.df
awk 'BEGIN { for (i = 0; i < 1700000; i++) printf "%d\n", 1000000000 + i }' >long.csv
expect 0 run -q --record=long.rec long.df v=@long.csv
[ "$(wc -c <long.rec)" -lt 100000 ] || fail 'the file is in the recording'
expect 0 replay long.rec
out_has 'the same run'
echo 5 >>long.csv
expect 2 replay long.rec
err_has 'input `v`: expected long.csv with the digest'
rm long.csv
expect 2 replay long.rec
err_has 'input `v`: cannot read long.csv'

# Sweeps: a column for each input, and rows that run again without the files.
cat >x.yaml <<'TEXT'
program: all.df
inputs:
  a: ["[1, 2, 3]", "[4, 5, 6, 7]"]
  e: "@e.txt"
grid:
  pe.count: [1, 4]
TEXT
expect 0 sweep run x.yaml -o x.db
expect 0 results csv x.db
out_has '"[4, 5, 6, 7]"'
mv e.txt gone.txt
expect 0 results rerun x.db 2 3
out_has '2 of 2 rows hold'
mv gone.txt e.txt
expect 0 compare --csv all.df a='[1, 2],[3, 4]' n=0,1
[ "$(wc -l <out)" -ge 5 ] || fail 'not four combinations'
printf 'program: all.df\ninputs:\n  a: [1, 2]\n' >bad.yaml
expect 2 sweep run bad.yaml -o bad.db
err_has 'bad.yaml:3:7: error: input `a`: expected [int], as `[...]` or from a file'
exit $((failures > 0))
