#!/bin/sh
# Figures of graphs: names, the functions that are drawn, folding, SVG and PDF.
# shellcheck disable=SC2016 # backquotes are meant
set -u
about=graph
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

out_has() { grep -qF -e "$1" out || fail "\`$1' is not in it"; }
out_lacks() { if grep -qF -e "$1" out; then fail "\`$1' is in it"; fi; }

cat >parity.df <<'TEXT'
input n = 7
result = even(n, 1)
even(k, step) = if k == 0 then true else odd(k - step, step)
odd(k, step) = if k == 0 then false else even(k - step, steps(step))
steps(s) = loop i = 0, t = (s, s) while i < 3 do i + 1, t return let (a, _) = t in a
TEXT

# --- names -----------------------------------------------------------------------

expect 0 --stage functions --format dot parity.df
silent
out_has 'label=<in <i>step</i>>'
out_has '<i>k</i></font></td>' # a place of a call's box
out_has 'MERGE <i>t.1</i>'
expect 0 --format dot parity.df
out_has 'CALL<sub>1</sub> <i>step</i>'
out_has 'MERGE <i>k</i>'
expect 0 --stage functions --format json parity.df
out_has '"names": ["k", "step"]'
expect 0 parity.df -o parity.s
expect 0 --format dot parity.s # assembly has no names
out_has 'CALL<sub>1,0</sub>'
expect 0 --stage image parity.df -o image.s
expect 0 image.s -o again.s # the stage that it has
cmp -s image.s again.s || fail "the graph of an image is not its own"

# Labels of calls are in the middle: the rows of places are tables of their own.
expect 0 --stage functions --format dot parity.df
out_lacks colspan=\"2\"\>\&
out_has '<tr><td cellpadding="5">odd</td></tr>'

# What leads back up is laid out the other way round, so that it goes through no node.
expect 0 --format dot parity.df
grep -q '\[dir=back\];$' out || fail "no arc leads back"
out_lacks constraint

# --- which functions -------------------------------------------------------------

frames() { sed -n '/^subgraph/{n;s/.*<i>\(.*\)<.i>.*/\1/p;}' out | tr '\n' ' '; }
draws() {
    expected=$1
    shift
    for stage in functions static image expanding; do
        expect 0 --stage $stage --format dot "$@" parity.df
        [ "$(frames)" = "$expected " ] || fail "draws $(frames)"
    done
}
draws 'result even odd steps steps.loop'
draws 'odd' --function odd
draws 'steps steps.loop' --function steps
draws 'result odd' --function=odd,result
draws 'result odd' --function odd --function result
draws 'result' --depth 0
draws 'result even' --depth 1
draws 'result even odd' --depth 2
draws 'even odd' --depth 1 --function even
draws 'result even odd steps steps.loop' --depth 4000000

# What is called and not drawn is a box, with an arc from each CALL and to each RETURN.
expect 0 --format dot --depth 0 parity.df
out_has '<i>even</i>'
[ "$(grep -c -e '-> f1;' -e '-> f1 ' out)" -eq 2 ] || fail "CALLs do not lead to the box"
[ "$(grep -c '^f1 ->' out)" -eq 1 ] || fail "the box does not lead to RETURN"
expect 0 --stage image --format dot --depth 0 parity.df
[ "$(grep -c '^f1 ->' out)" -eq 1 ] || fail "the box does not lead to RETURN"

# --- folding ---------------------------------------------------------------------

draws 'result even odd steps steps.loop' --fold 0
draws 'result' --fold 1
expect 0 --fold 12 --format dot parity.df
err_has 'too large, and folded: odd (14 nodes), steps (18 nodes); --function=NAME draws one'
expect 0 --fold 12 --format dot -q parity.df
silent
draws 'even' --fold 1 --function even --depth 1 # what is named is drawn
expect 0 --fold 1 --stage functions --format dot parity.df
out_has 'label=<not drawn:<br/><i>even</i>'
i=1
{
    echo 'result = f1(5)'
    while [ $i -lt 40 ]; do
        echo "f$i(x) = if x <= 0 then x else f$((i + 1))(x - 1) * 2 + (x % 3) * (x + 4) - x * x"
        i=$((i + 1))
    done
    echo 'f40(x) = x'
} >large.df
expect 0 --format dot large.df
err_has '--fold=0 all'
case $(frames) in 'result f1 f2 '*f40*) ;; *) fail "draws $(frames)" ;; esac
[ "$(grep -c '^n[0-9]* \[' out)" -lt 201 ] || fail "more than 200 nodes"
expect 0 --format dot --fold=0 large.df
silent
case $(frames) in *'f38 f39 f40 ') ;; *) fail "draws $(frames)" ;; esac
expect 0 large.df # what reads back is whole
silent

# --- the stage expanding ---------------------------------------------------------

text='the graphs of the functions, which calls copy'
expect 0 --stage expanding parity.df -o expanding.s
grep -qx "stage expanding  # $text" expanding.s || fail "no comment"
expect 0 expanding.s --strategy=expanding
same out expanding.s
expect 0 --stage expanding --format dot parity.df
out_has "label=\"stage expanding: $text\""
expect 0 --stage expanding --format json parity.df
out_has "\"about\": \"$text\""

# --- formats ---------------------------------------------------------------------

expect 0 --format dot parity.df
cp out parity.dot
expect 0 parity.df -o by-ending.dot # the format is what the file's name ends in
same parity.dot by-ending.dot
expect 0 --format text parity.df -o text.dot
same text.dot parity.s
expect 2 --format gif parity.df
err_has 'expected text, dot, json, svg, pdf or png, found `gif`'
expect 2 --function odd parity.df
err_has 'add --format=svg, pdf, png or dot'
expect 2 --format dot --function ood parity.df
err_has 'the graph has no function `ood`; did you mean `odd`? Its functions: result, even, odd, steps'
expect 2 --format dot --function zebra parity.df
err_has 'no function `zebra`; its functions: result'
expect 2 --format dot --depth=-1 parity.df
err_has '--depth: expected a number from 0 to'
expect 2 --format dot --fold 1e3 parity.df
err_has '--fold: expected a number from 0 to'

# Without the program dot: what is missing, and no file.
mkdir nothing
PATH=$scratch/nothing "$HIATON" graph parity.df -o absent.svg >out 2>err
[ $? -eq 5 ] || fail "without dot"
err_has 'Debian package graphviz'
[ ! -e absent.svg ] || fail "a drawing without dot"
printf '#!/bin/sh\necho half\nexit 1\n' >nothing/dot
chmod +x nothing/dot
echo before >kept.pdf
PATH=$scratch/nothing:$PATH "$HIATON" graph parity.df -o kept.pdf >out 2>err
[ $? -eq 5 ] || fail "with a dot that fails"
[ "$(cat kept.pdf)" = before ] || fail "half a drawing"

if command -v dot >/dev/null; then
    for stage in functions static image expanding; do
        expect 0 --stage $stage parity.df -o drawn.svg
        silent
        grep -q '^<svg' drawn.svg || fail "no SVG"
        grep -q '<text' drawn.svg && fail "letters that depend on the reader's fonts"
        expect 0 --stage $stage parity.df -o drawn.pdf
        [ "$(head -c 5 drawn.pdf)" = %PDF- ] || fail "no PDF"
        grep -aq 'D:19700101000000' drawn.pdf || fail "a PDF that says when it was made"
    done
    expect 0 parity.df -o drawn.png
    [ "$(head -c 4 drawn.png | tail -c 3)" = PNG ] || fail "no PNG"
    expect 0 --format svg --stage expanding parity.df
    cp out once.svg
    expect 0 --format svg --stage expanding parity.df
    same once.svg out
    expect 2 parity.df -o none/drawn.svg
    err_has 'none/drawn.svg'
else
    echo "dot is not installed: nothing is drawn" >&2
fi
# --- heat ------------------------------------------------------------------------

# hot: what stands in the nodes and boxes; heats: its sum. A recording has no names of parameters.
hot() { grep -o '<br/><font point-size="9">[0-9]*</font>' out | sed 's/.*9">//; s/<.*//'; }
heats() { hot | awk '{ s += $1 } END { print s }'; }
cp "$SRCDIR/programs/examples/fft.df" .
"$HIATON" run --json -s pe.count=4 fft.df n=8 >run.json
"$HIATON" run -q --record run.rec --trace run.trc -s pe.count=4 fft.df n=8 >out
for key in firings:firings tokens:tokens busy:firings; do # no hiatons here
    measured=$(sed -n "s/^  \"${key#*:}\": \([0-9]*\),/\1/p" run.json)
    for fold in 0 30; do
        expect 0 --quiet --heat=${key%:*} --fold=$fold --format=dot -s pe.count=4 fft.df n=8
        hot >live
        [ "$(heats)" = "$measured" ] || fail "$key: $(heats), not $measured"
        for file in run.rec run.trc; do
            expect 0 --quiet --heat=${key%:*} --fold=$fold --format=dot $file
            hot | cmp -s - live || fail "$key: $file has another figure"
        done
    done
done
for stage in image expanding; do
    "$HIATON" run --json --strategy="$([ $stage = image ] && echo static || echo expanding)" fft.df n=4 >run.json
    expect 0 --quiet --heat=firings --stage=$stage --fold=0 --format=dot fft.df n=4
    [ "$(heats)" = "$(sed -n 's/^  "firings": \([0-9]*\),/\1/p' run.json)" ] || fail "$stage: $(heats)"
done
expect 2 --heat=firings --stage=static --format=dot fft.df
err_has '--heat is of what is executed: the stages image and expanding'
expect 2 --heat=firings --stage=expanding --format=dot run.rec
err_has 'run.rec is of --strategy=static'
expect 2 --heat=firings fft.df
err_has '--heat is for figures'
expect 2 --format=dot fft.df n=3
err_has 'inputs are of a run, for --heat'
"$HIATON" run -q --trace coarse.trc --level=firings fft.df >out
expect 2 --heat=tokens --format=dot coarse.trc
err_has '--heat=tokens needs `all`'

exit $((failures > 0))
