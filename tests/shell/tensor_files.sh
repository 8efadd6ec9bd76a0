#!/bin/sh
# Tensors in files: what file(), trees() and conllu() read, and what they refuse; what `run --out'
# writes, and where it cannot. Sizes that do not fit are refused before memory is taken. And what is
# said where OpenBLAS cannot have the core that is asked for.
# shellcheck disable=SC2016 # backquotes are those of messages
about=
. "${SRCDIR:-.}/tests/shell/expect.sh"

# npy NAME DESCR FORTRAN SHAPE DATA: version 1.0; the data are octal escapes.
npy() {
    {
        printf '\223NUMPY\001\000\166\000'
        printf '%-117s\n' "{'descr': '$2', 'fortran_order': $3, 'shape': $4, }"
        # shellcheck disable=SC2059 # they are
        printf "$5"
    } >"$1"
}

one='\000\000\000\000\000\000\360\077' # 1.0, 2.0, ... as 8 bytes
two='\000\000\000\000\000\000\000\100'
three='\000\000\000\000\000\000\010\100'
four='\000\000\000\000\000\000\020\100'

# reads FILE RESULT: file() makes that of it.
reads() {
    printf 'result = file("%s")\n' "$1" >reads.df
    expect 0 run -q reads.df
    silent
    out_is "$2"
    expect 0 interp -q reads.df
    out_is "$2"
}

# refuses FILE MESSAGE...: file() does not read it, and says why, where.
refuses() {
    printf 'result = file("%s")\n' "$1" >reads.df
    shift
    expect 2 run reads.df
    for message in "$@"; do
        err_has "$message"
    done
}

# --- .npy ----------------------------------------------------------------------------

npy matrix.npy '<f8' False '(2, 2)' "$one$two$three$four"
npy turned.npy '<f8' True '(2, 2)' "$one$two$three$four"
npy short.npy '<f4' False '(2,)' '\000\000\300\077\000\000\000\300'
npy scalar.npy '<f8' False '()' "$three"
npy none.npy '<f8' False '(0, 3)' ''
reads matrix.npy '[[1.0, 2.0], [3.0, 4.0]]'
reads turned.npy '[[1.0, 3.0], [2.0, 4.0]]'
reads short.npy '[1.5, -2.0]'
reads scalar.npy '3.0'
reads none.npy '[]'

npy whole.npy '<i8' False '(2,)' '\003\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'
npy ints.npy '<i4' True '(2, 2)' '\003\000\000\000\377\377\377\377\000\000\000\000\007\000\000\000'
npy bools.npy '|b1' False '(3,)' '\001\000\001'
npy odd.npy '|b1' False '(3,)' '\001\000\003'
npy unsigned.npy '<u8' False '(2,)' "$one$two"
reads whole.npy '[3, -1]'
reads ints.npy '[[3, 0], [-1, 7]]'
reads bools.npy '[true, false, true]'
npy big.npy '>f8' False '(2,)' "$one$two"
npy five.npy '<f8' False '(1, 1, 1, 1, 1)' "$one"
npy more.npy '<f8' False '(1,)' "$one$two"
npy less.npy '<f8' False '(3,)' "$one$two"
head -c 100 matrix.npy >cut.npy
echo 'no array' >text.npy
kinds="'<f8' or '<f4', little-endian reals of 8 or 4 bytes, '<i8' or '<i4', ints, or '|b1', bools; found"
refuses unsigned.npy "unsigned.npy: error: byte 20: expected $kinds" "<u8"
refuses big.npy "big.npy: error: byte 20: expected $kinds" ">f8"
refuses odd.npy 'odd.npy: error: byte 130: a bool is 0 or 1; found 3'
refuses five.npy 'five.npy: error: byte 73: more than 4 axes'
refuses more.npy 'more.npy: error: byte ' '16 here'
refuses less.npy 'less.npy: error: byte 128: real[3] takes 24 bytes; the file has 16 here'
refuses cut.npy 'cut.npy: error: byte 8: a header of 118 bytes; the file has 90 after this'
refuses text.npy 'text.npy: error: byte 0'
refuses missing.npy "reads.df:1:15: error: cannot read missing.npy: No such file or directory"
mkdir folder.npy
refuses folder.npy 'folder.npy'

# Paths start at the folder of the program.
mkdir below
cp matrix.npy below/own.npy
echo 'result = file("own.npy")' >below/reads.df
expect 0 run -q below/reads.df
out_is '[[1.0, 2.0], [3.0, 4.0]]'

# An image has what was read.
expect 0 compile below/reads.df -o reads.image
rm below/own.npy
expect 0 run -q reads.image
out_is '[[1.0, 2.0], [3.0, 4.0]]'

# --- sizes that do not fit --------------------------------------------------------------

# with_little_memory STATUS ARGUMENT...: with 500 MB of addresses at most; sanitizers need more.
with_little_memory() {
    # shellcheck disable=SC3045 # where there is none, memory is what the host gives
    if (ulimit -v 500000 && "$HIATON" --version) >/dev/null 2>&1; then
        # shellcheck disable=SC3045
        (ulimit -v 500000 && expect "$@" && exit "$failures") || failures=$((failures + 1))
    else
        expect "$@"
    fi
}

npy huge.npy '<f8' False '(2147483647, 2147483647)' "$one"
npy large.npy '<f8' False '(65536, 65536)' "$one"
echo 'result = file("huge.npy")' >huge.df
echo 'result = file("large.npy")' >large.df
with_little_memory 2 run huge.df
err_has 'huge.npy: error: byte 128: real[2147483647, 2147483647] takes more than 18446744073709551615 bytes; the file has 8 here'
with_little_memory 2 run large.df
err_has 'large.npy: error: byte 128: real[65536, 65536] takes 34359738368 bytes; the file has 8 here'
echo 'result = reduce_sum(zeros([65536, 65536]))' >zeros.df
with_little_memory 4 run -q zeros.df
err_has 'limits.memory'
echo 'result = reduce_sum(ones([100, 100]))' >small.df
expect 0 run -q small.df -s limits.memory=100000
expect 4 run -q small.df -s limits.memory=70000
err_has 'limits.memory'

# --- comma-separated values --------------------------------------------------------------

printf '1,2\n3,4' >plain.csv
printf 'height, width ,depth\n 1, 2 ,nan\n\n-inf,1e3,4.5\r\n' >named.csv
printf '7\n8\n9\n' >column.csv
printf '7,8,9\n' >row.csv
reads plain.csv '[[1.0, 2.0], [3.0, 4.0]]'
reads named.csv '[[1.0, 2.0, nan], [-inf, 1000.0, 4.5]]'
reads column.csv '[[7.0], [8.0], [9.0]]'

# No row is taken for names.
printf '.5,-.25\n+1.5,2.5\n' >points.csv
printf '\357\273\2771\n2\n' >mark.csv
printf ',"a b",größe\n1,2,3\n' >quoted.csv
printf '# x,_y,(z)\n1,2,NaN\n' >signs.csv
reads points.csv '[[0.5, -0.25], [1.5, 2.5]]'
reads mark.csv '[[1.0], [2.0]]'
reads quoted.csv '[[1.0, 2.0, 3.0]]'
reads signs.csv '[[1.0, 2.0, nan]]'
for field in 1e400 -1e400 NA N/A null None true '"1"' '1"' 10% '$5' 0x10 1_000 -1.#IND '?' - . '−5' '５' '½' '∞' \
    1e 1..2 '(3)' '#N/A' '1 2'; do
    printf '%s,x\n1,2\n' "$field" >first.csv
    refuses first.csv 'first.csv:1:'
    printf 'x,%s\n1,2\n' "$field" >first.csv
    refuses first.csv 'first.csv:1:'
done
printf '1e400\n1\n' >first.csv
refuses first.csv "first.csv:1:1: error: expected a number up to about 1.8e308; found \`1e400\`"
printf 'NA,NA\n1,2\n' >first.csv
refuses first.csv "expected a number; found \`NA\`; a value that is missing is written nan"

printf '1,2\n3\n' >uneven.csv
printf '1,2\n3,four\n' >word.csv
: >empty.csv
refuses uneven.csv 'uneven.csv:2:1: error: a row of 1 field; the rows above have 2'
refuses word.csv "word.csv:2:3: error: expected a number; found \`four\`"
refuses empty.csv 'empty.csv: error: expected rows of numbers; there is none'

# --- params ------------------------------------------------------------------------------

# param SHAPE FILE: a program
param() { printf 'param w : %s = file("%s")\nresult = w\n' "$1" "$2" >param.df; }

param '[2, 2]' plain.csv
expect 0 run -q param.df
out_is '[[1.0, 2.0], [3.0, 4.0]]'
for file in row.csv column.csv; do
    param '[3]' "$file"
    expect 0 run -q param.df
    out_is '[7.0, 8.0, 9.0]'
done
param '[2]' short.npy
expect 0 run -q param.df
out_is '[1.5, -2.0]'
param '[4]' row.csv
expect 2 run param.df
err_has 'param.df:1:7: error: real[4] is declared, and the file has real[3]'
param '[4]' plain.csv
expect 2 run param.df
err_has 'plain.csv'
param '[2]' matrix.npy
expect 2 run param.df
err_has 'param.df:1:7: error: a param of rank 1, and what is in the file has rank 2'

# --- trees -------------------------------------------------------------------------------

cat >deep.df <<'TEXT'
(left, right, word, label) = trees("trees.txt")
result = (sum([if w >= 0 then 1 else 0 | w <- word]), length(label), depth(length(left) - 1), sum(label))
depth(node) = if left[node] < 0 then 1 else 1 + max(depth(left[node]), depth(right[node]))
TEXT
sed -i 's/w >= 0 then 1 else 0 | w <- word/word[i] >= 0 then 1 else 0 | i <- 0 .. length(word) - 1/' deep.df

# tree_sums: what deep.df comes to, counted by awk: words, nodes, the depth of the last tree,
# labels.
tree_sums() {
    awk '{
            depth = deepest = 0
            for (i = 1; i <= length($0); i++) {
                c = substr($0, i, 1)
                if (c == "(") {
                    nodes++
                    sum += substr($0, i + 1, 1)
                    if (++depth > deepest)
                        deepest = depth
                    if (substr($0, i + 3, 1) != "(")
                        words++
                } else if (c == ")")
                    depth--
            }
        }
        END { printf "(%d, %d, %d, %d)\n", words, nodes, deepest, sum }' "$1"
}

cat >trees.txt <<'TEXT'
(3 (2 It) (4 (2 's) (4 lovely)))
(1 (2 Nearly) (1 terrible))
TEXT
expect 0 run -q deep.df
out_is '(5, 8, 2, 19)'
out_is "$(tree_sums trees.txt)"
expect 0 interp -q deep.df --strategy expanding
out_is '(5, 8, 2, 19)'
cat >all.df <<'TEXT'
(left, right, word, label) = trees("trees.txt")
result = (left, right, word, label)
TEXT
expect 0 run -q all.df
out_is '([-1, -1, -1, 1, 0, -1, -1, 5], [-1, -1, -1, 2, 3, -1, -1, 6], [0, 1, 2, -1, -1, 3, 4, -1], [2, 2, 4, 4, 3, 2, 1, 1])'
echo '(1 (2 a) (3 b) (4 c))' >trees.txt
expect 2 run deep.df
err_has 'trees.txt:1:16: error: a node has two children; this is a third one'
echo '(x a)' >trees.txt
expect 2 run deep.df
err_has 'trees.txt:1:2: error: '
printf 'left = trees("trees.txt")\nresult = 1\n' >wrong.df
echo '(1 a)' >trees.txt
expect 0 run -q wrong.df # four arrays under one name are a tuple
treebank=$SRCDIR/../shared/data/sst/dev.txt
if [ -r "$treebank" ]; then
    head -n 60 "$treebank" >trees.txt
    expect 0 run -q deep.df
    out_is "$(tree_sums trees.txt)"
    expect 0 interp -q deep.df --strategy expanding
    out_is "$(tree_sums trees.txt)"
    cp "$treebank" trees.txt
    printf '(left, right, word, label) = trees("trees.txt")\nresult = length(label)\n' >nodes.df
    expect 0 run -q nodes.df
    out_is "$(tr -cd "(" <trees.txt | wc -c)"
else
    echo "skipped: the trees of ../shared/data/sst/dev.txt: they are not here"
fi

# --- sentences -----------------------------------------------------------------------------

# word ID FORM UPOS HEAD DEPREL: a line of CoNLL-U
word() { printf '%s\t%s\t_\t%s\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{
    echo '# text = Dogs bark'
    word 1 Dogs NOUN 2 nsubj
    word 2 bark VERB 0 root
    echo
    word 1-2 du _ _ _
    word 1 de ADP 3 case
    word 2 le DET 3 det
    word 3 Dogs NOUN 0 root
    echo
    word 1 a X 3 dep
    word 2 b X 4 dep
    word 3 c X 0 root
    word 4 d X 3 dep
} >dogs.conllu
cat >sentences.df <<'TEXT'
(form, tag, head, label, first, size, hybrid, eager) = conllu("dogs.conllu", 2)
result = (form, tag, head, label, first, size, hybrid, eager)
TEXT
dogs='[0, 1, 2, 3, 0, 4, 4, 4, 4], [1, -1, 4, 4, -1, 7, 8, -1, 7], [0, 1, 2, 3, 1, 4, 4, 1, 4], [0, 2, 5], [2, 3, 4], [0, 1, 0, 2, 0, 0, 1, 1, 0, 2, -1, -1, -1, -1, -1, -1, -1, -1], [0, 1, 2, 3, 0, 0, 1, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1]'
expect 0 run -q sentences.df
out_is "([1, 2, 0, 0, 1, 3, 4, 5, 6], $dogs)"
sed -i 's/, 2)/)/' sentences.df
expect 0 interp -q sentences.df --strategy expanding
out_is "([1, 2, 3, 4, 1, 5, 6, 7, 8], $dogs)"
sed -i 's/u")/u", 0, 2)/' sentences.df
expect 0 interp -q sentences.df
out_is "([1, 0, 0, 0, 1, 0, 0, 0, 0], $dogs)"
# wrong_number ARGUMENTS COLUMN: conllu("dogs.conllu"ARGUMENTS) is no call.
wrong_number() {
    printf 'a = conllu("dogs.conllu"%s)\nresult = 1\n' "$1" >wrong.df
    expect 2 run wrong.df
    err_has "wrong.df:1:$2: error: $3"
}
wrong_number ', 1' 27 'expected 0, or an int from 2 on'
wrong_number ', -3' 27 'expected 0, or an int from 2 on'
wrong_number ', 2.0' 27 'expected 0, or an int from 2 on'
wrong_number ', 2, true' 30 'expected 0, or an int from 1 on'
wrong_number ', n' 27 'expected a number, as a literal'
wrong_number ', 2, 1, 1' 31 'expected `,` or `)`, found `,`'
printf 'a = conllu("none.conllu")\nresult = 1\n' >wrong.df
expect 2 run wrong.df
err_has 'none.conllu'
word 1 Dogs NOUN x nsubj >wrong.conllu
printf 'a = conllu("wrong.conllu")\nresult = 1\n' >wrong.df
expect 2 run wrong.df
err_has 'wrong.conllu:1:19: error: expected the ID of the head, or 0; found `x`'
expect 2 trees wrong.conllu
err_has 'wrong.conllu:1:19: error: expected the ID of the head, or 0; found `x`'
expect 2 trees --shuffle dogs.conllu
err_has 'dogs.conllu has sentences'
expect 0 trees dogs.conllu
silent
shows <<'TEXT'
sentence words height arc-hybrid, height arc-eager
       0     2      1 SLSR      1 SLRD
       1     3      2 SSLLSR      2 SSLLRD
       2     4      - not projective
3 sentences, 2 projective; 9 words, 4 in the longest sentence; at most 2 in a stack of arc-hybrid, 2 of arc-eager
TEXT
sentences=$SRCDIR/../shared/data/ud/en_ewt-ud-dev.conllu
if [ -r "$sentences" ]; then
    expect 0 trees "$sentences"
    [ "$(tail -n 1 out)" = '2001 sentences, 1970 projective; 25147 words, 75 in the longest sentence; at most 11 in a stack of arc-hybrid, 11 of arc-eager' ] ||
        fail "$(tail -n 1 out)"
    cp "$sentences" dogs.conllu
    cat >counts.df <<'TEXT'
(form, tag, head, label, first, size, hybrid, eager) = conllu("dogs.conllu", 10)
result = (length(head), length(size), most(form), most(tag), most(label), length(hybrid), length(eager))
most(a) = loop n = 0, m = 0 while n < length(a) do n + 1, max(m, a[n]) return m
TEXT
    expect 0 interp -q counts.df
    out_is "$(awk -F'\t' '/^#/ { next } /^$/ { s++; next } $1 ~ /[-.]/ { next }
        { tags[$4]; labels[$8]; n++; if (s % 10 != 9) forms[$2] }
        END { printf "(%d, %d, %d, %d, %d, %d, %d)\n", n, s, length(forms), length(tags) - 1, length(labels) - 1, 2 * n, 2 * n }' dogs.conllu)"
else
    echo "skipped: the sentences of ../shared/data/ud: they are not here"
fi

# --- what is written ------------------------------------------------------------------------

cat >out.df <<'TEXT'
a = file("matrix.npy")
b = matmul(a, a)
s = real32(a)
cut = slice(b, 0, 0)
count = 3
unused = ones([2])
result = (b, s, cut, count)
TEXT
expect 0 run -q out.df --out a=a.npy --out b=b.npy --out s=s.npy --out cut=none-2.npy
silent
same a.npy matrix.npy
reads b.npy '[[7.0, 10.0], [15.0, 22.0]]'
reads s.npy '[[1.0, 2.0], [3.0, 4.0]]'
grep -q "'<f4'" s.npy || fail "real32 is written as another type"
reads none-2.npy '[]'
for name in a b s none-2; do # what is read is written the same
    printf 'result = file("%s.npy")\n' "$name" >again.df
    expect 0 run -q again.df --out result=again.npy
    same again.npy "$name.npy"
done
expect 0 run --json out.df --out b=json.npy
same json.npy b.npy
for machine in tf-executor ideal; do
    expect 0 run -q out.df --out b=other.npy -m "$machine"
    same other.npy b.npy
done
expect 0 run -q out.df --out b=other.npy -s pe.count=7 -s placement.policy=random --seed 3
same other.npy b.npy
expect 0 run -q out.df --strategy expanding --out b=other.npy
same other.npy b.npy

# no_file STATUS MESSAGE ARGUMENT...: nothing is written
no_file() {
    wanted_status=$1
    message=$2
    shift 2
    expect "$wanted_status" run "$@"
    err_has "$message"
    [ ! -e refused.npy ] || fail "a file was written"
}

no_file 2 "expected NAME=FILE.npy, found \`result'" out.df --out result
no_file 2 "expected NAME=FILE.npy, found \`=refused.npy'" out.df --out =refused.npy
no_file 2 "expected NAME=FILE.npy, found \`b='" out.df --out b=
no_file 2 "expected NAME=FILE.npy, found \`b=refused.txt'" out.df --out b=refused.txt
for name in result count unused nothing f; do # a tuple, an int, not computed, not there
    no_file 2 "the program computes no tensor \`$name\`" out.df --out "$name=refused.npy"
done
no_file 2 'the folder `nowhere` does not exist' out.df --out b=nowhere/refused.npy
no_file 2 'the folder `nowhere` does not exist' out.df --out b=refused.npy --out a=nowhere/a.npy
no_file 4 'limits.cycles' out.df --out b=refused.npy -s limits.cycles=2
printf 'input n = 3\nresult = ones([2]) + ones([n])\n' >trap.df
no_file 3 'real[2] and real[3]' trap.df --out result=refused.npy

# What is there stays, unless a whole file takes its place.
cp matrix.npy kept.npy
expect 3 run trap.df --out result=kept.npy
same kept.npy matrix.npy
expect 0 run -q trap.df n=2 --out result=kept.npy
reads kept.npy '[2.0, 2.0]'
if [ -w /dev/full ]; then
    ln -s /dev/full full.npy
    expect 5 run -q out.df --out b=full.npy
    err_has 'cannot write full.npy: No space left on device'
fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed && chmod 555 closed
    expect 2 run -q out.df --out b=closed/b.npy
    err_has 'Permission denied'
    chmod 755 closed
fi

# --- cores ------------------------------------------------------------------------------------

echo 'result = matmul(tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([1.0, 1.0]))' >core.df
expect 2 run core.df -s tensor.core=haswel
err_has "found \`haswel\`; did you mean \`haswell\`?"
expect 2 run core.df -s tensor.math=openblas
err_has 'tensor.math: expected one of blas|reference'
expect 0 run --json core.df -s tensor.math=reference
out_has '"blas": null'
cores=$("$HIATON" settings --json | sed -n '/"tensor.core"/,/}/p' | tr -d '\n' | sed 's/.*"choices": *\[\([^]]*\)\].*/\1/; s/[",]/ /g')
for core in ${cores:-haswell auto nehalem}; do
    status=0
    "$HIATON" run --json core.df -s tensor.core="$core" >out 2>err || status=$?
    last="run core.df -s tensor.core=$core"
    case $status/$(sed -n 's/.*"blas": "\([^"]*\)".*/\1/p' out) in
    0/OpenBLAS*) silent ;;
    0/reference:*"built without OpenBLAS"*) silent ;;
    0/reference:*) err_has 'warning: matrices are multiplied by the reference: ' ;;
    2/) err_has "has no core \`$core\`, and took " ;;
    *) fail "neither OpenBLAS nor the reference" ;;
    esac
    [ ! -s out ] || out_has '"result": "[3.0, 7.0]"'
done
# valgrind shows a processor without AVX-512.
expect 0 run --json core.df -s tensor.core=auto
if ! grep -q '"blas": "OpenBLAS' out; then
    echo "skipped: what a processor lacks: there is no OpenBLAS"
elif ! command -v valgrind >/dev/null || ! valgrind -q "$HIATON" --version >/dev/null 2>&1; then
    echo "skipped: what a processor lacks: there is no valgrind, or it does not run this build"
else
    last="run core.df -s tensor.core=skylakex, by valgrind"
    valgrind -q "$HIATON" run --json core.df -s tensor.core=skylakex >out 2>err || fail "status $?"
    out_has '"blas": "reference: this processor lacks AVX-512, which the core skylakex of OpenBLAS needs"'
    out_has '"result": "[3.0, 7.0]"'
    err_has 'warning: matrices are multiplied by the reference: this processor lacks AVX-512'
fi

exit $((failures > 0))
