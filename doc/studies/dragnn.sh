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

"$hiaton" run parsing.df count=8 -s tensor.math=reference -s loop.bound=1 --analyse=causes |
    sed -n '/^causes.causes/,$p'
"$hiaton" run parsing.df count=8 -s tensor.math=reference -s loop.bound=1 -s pe.units=4 -s unit.tensor.flops=4096 \
    -s unit.tensor.bytes=512 --analyse=causes | sed -n '/^causes.causes/,$p'
"$hiaton" run parsing.df count=8 -s tensor.math=reference -s loop.bound=1 --by=opcode | sed -n '/opcode  *share/,$p'
