#!/bin/sh
# programs/examples/heads.df on the heads of a treebank: 17,731 edges between lemmas, read as a list of
# edges, on several machines; awk finds the same. Without the treebank it is skipped.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
begins() { [ "$(head -n 1 out)" = "$1" ] || fail "it does not begin with \`$1'"; }
program=$SRCDIR/programs/examples/heads.df

expect 0 run -q "$program"
begins '(6, 5, 1, 3)'
expect 0 run -q "$program" edges='[]'
begins '(0, 0, 0, 0)'

# finds FILE: what awk finds in a list of edges.
finds() {
    awk '{ if ($1 == $2) loops++
           run = NR > 1 && $1 == before ? run + 1 : 1
           before = $1
           if (run > most) most = run
           for (i = 1; i <= 2; i++) if ($i > last) last = $i }
         END { printf "(%d, %d, %d, %d)\n", NR, last + 1, loops, most }' "$1"
}

data=$SRCDIR/../shared/data/ud/en_ewt-ud-dev.conllu
if [ ! -r "$data" ]; then
    echo "heads.sh: the heads of the treebank are not read: there is no $data"
    [ "$failures" -eq 0 ] || exit 1
    exit 77
fi
# Lemmas are numbered by their first appearance; an edge is there once.
awk -F '\t' '
    function number(lemma) { if (!(lemma in of)) of[lemma] = lemmas++; return of[lemma] }
    $1 ~ /^[0-9]+$/ { lemma[$1] = $3; head[$1] = $7; words = $1 }
    /^$/ { for (i = 1; i <= words; i++)
               if (head[i]) {
                   edge = number(lemma[head[i]]) " " number(lemma[i])
                   if (!(edge in seen)) print edge
                   seen[edge] = 1
               }
           words = 0 }' "$data" | sort -n -k1,1 -k2,2 >edges.txt
[ "$(wc -l <edges.txt)" -eq 17731 ] || fail "there are $(wc -l <edges.txt) edges"
found_by_awk=$(finds edges.txt)
expect 0 interp -q "$program" edges=@edges.txt
begins "$found_by_awk"
expect 0 run -q "$program" edges=@edges.txt --record=heads.rec
begins "$found_by_awk"
if [ -z "${HIATON_QUICK-}" ]; then
    expect 0 run -q --strategy=expanding "$program" edges=@edges.txt
    begins "$found_by_awk"
    expect 0 run -q -m tf-executor "$program" edges=@edges.txt
    begins "$found_by_awk"
fi
tr ' ' ',' <edges.txt >edges.csv
expect 0 interp -q "$program" edges=@edges.csv
begins "$found_by_awk"
rm edges.txt
expect 0 replay heads.rec
out_has 'the same run'
exit $((failures > 0))
