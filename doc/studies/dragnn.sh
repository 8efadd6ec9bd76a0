#!/bin/sh
# The measurements of doc/studies/dragnn.md: figures of the single program, and its tables as Markdown.
#
#   doc/studies/dragnn.sh TREEBANK [OPTION...]   OPTIONs are those of `hiaton sweep run': -j 4, say
#
# TREEBANK is en_ewt-ud-dev.conllu of Universal Dependencies. Results are kept in the folder dragnn.results of the
# current one: params are learnt there once, in some ten minutes of a processor. HIATON is the program to run,
# build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
treebank=$(cd "$(dirname "${1:?the treebank}")" && pwd)/${1##*/}
shift
keep dragnn
sweep dragnn-pool "$@"
show dragnn-pool dragnn-pool

# --- what is learnt ------------------------------------------------------------------------

if [ ! -e trained/e.npy ]; then
    "$hiaton" train "$programs/dragnn/single.df" --trees "$treebank" --rate 0.003 --warmup 100 --clip 5 --halve 1 \
        --batch 8 --held 200 --epochs 20 -s tensor.math=reference -o trained --figure dragnn-learning.svg
fi
cp dragnn-learning.svg "$here"
sed "s|^param \([a-z]*\) : .*|\1 = file(\"trained/\1.npy\")|; s|\"[^\"]*\.conllu\"|\"$treebank\"|" \
    "$programs/dragnn/single.df" >parsing.df
"$hiaton" interp -q parsing.df -s tensor.math=reference

# --- pools ---------------------------------------------------------------------------------

# What the parser waits for where a component ends before the next one begins: the last row of the tagger.
sed 's/parse(base, n, rows, -1, -1, 0,/parse(base, n, rows, -1, -1, 0 * argmax(rows[n - 1]),/' parsing.df >apart.df
if cmp -s parsing.df apart.df; then exit 1; fi

# numbers PROGRAM BOUND: cycles and what is alive, for eight sentences that were held out.
numbers() {
    "$hiaton" run --json "$1" count=8 -s tensor.math=reference -s loop.bound="$2" |
        awk -F '[: ,]+' '/^  "(cycles|firings|peak_live_tokens|peak_tags|peak_tensor_bytes)"/ { value[$2] = $3 }
            END {
                print value["\"cycles\""], value["\"firings\""], value["\"peak_live_tokens\""], value["\"peak_tags\""],
                    value["\"peak_tensor_bytes\""]
            }'
}
echo
echo '| sentences in flight | cycles | live tokens | activations | bytes of tensors | cycles, one component after the other |'
echo '|---:|---:|---:|---:|---:|---:|'
for bound in 1 2 4 8; do
    echo "$bound $(numbers parsing.df $bound) $(numbers apart.df $bound)"
done | awk '{ printf "| %d | %d | %d | %d | %d | %d |\n", $1, $2, $4, $5, $6, $7 }'

# --- what takes the cycles -----------------------------------------------------------------

"$hiaton" analyse parsing.df count=8 -s tensor.math=reference -s loop.bound=1 --only=causes |
    sed -n '/^causes.causes/,$p'
"$hiaton" analyse parsing.df count=8 -s tensor.math=reference -s loop.bound=1 -s pe.units=4 -s unit.tensor.flops=4096 \
    -s unit.tensor.bytes=512 --only=causes | sed -n '/^causes.causes/,$p'
"$hiaton" run parsing.df count=8 -s tensor.math=reference -s loop.bound=1 --by=opcode | sed -n '/opcode  *share/,$p'

# --- a host beside it ----------------------------------------------------------------------

# DRAGNN is the host, built by `make programs/dragnn/dragnn'.
host=${DRAGNN:-$(dirname "$hiaton")/programs/dragnn/dragnn}
cp "$programs"/dragnn/*.df "$programs"/dragnn/*.yaml .
for spec in parse.yaml numbers.yaml; do
    sed "s|file: [^,]*,|file: $treebank,|" "$programs/dragnn/$spec" >$spec
done
# The sums of the host are those of the single program: transitions as a number, and scores.
"$host" -e -s 9:10:0 parse.yaml "$treebank" |
    awk '{ moves = (moves + $5) % 2147483647; score += $6 } END { printf "%d %.17g\n", moves, score }'

# numbers SPEC OPTION...: cycles, firings, live tokens, activations, bytes of tensors, and numbers in and out.
numbers() {
    "$host" -v "$@" "$treebank" 2>&1 >/dev/null | awk '
        function most(a, b) { return a > b ? a : b }
        /border:/ { into += $2; out += $5 }
        /machine:/ { cycles += $2; firings += $4 }
        /at most:/ { tokens = most(tokens, $3); tags = most(tags, $6); bytes = most(bytes, $8) }
        END { print cycles, firings, tokens, tags, bytes, into, out }'
}
for batch in 1 2 4 8; do
    echo "batch of $batch: $(numbers -b $batch -s 9:10:8 parse.yaml)"
done
for beam in 1 2 4 8; do
    echo "beam of $beam: $(numbers -k $beam -s 9:10:8 parse.yaml)"
    "$host" -v -k $beam -s 9:10:0 parse.yaml "$treebank" 2>&1 >/dev/null | sed -n 1p
done
echo "links as numbers: $(numbers -s 9:10:8 numbers.yaml)"
for threads in 1 2 4 8 16 32; do
    "$host" -v -j $threads -s 9:10:0 -r 2 parse.yaml "$treebank" 2>&1 >/dev/null | sed -n 2p
done
