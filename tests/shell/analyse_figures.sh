#!/bin/sh
# Figures of what analyses find: each is drawn, and of a run, its recording and its file of events
# has the same bytes; what cannot be drawn is said. Stacked bars: parts stand one on the other.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
program=$SRCDIR/programs/examples/matmul.df
cp "$SRCDIR/programs/examples/fib.df" .

# wrong TEXT WORD...
wrong() {
    wrong_text=$1
    shift
    expect 2 analyse "$@"
    err_has "$wrong_text"
}
# shellcheck disable=SC2016 # backquotes of messages
{
wrong 'there is no figure of `trafic`; did you mean `traffic`?' --figure=a.svg --show=trafic "$program"
wrong '`traffic` stands alone in a figure' --figure=a.svg --show=traffic --show=actual "$program"
wrong '`idleness` stands alone in a figure' --figure=a.svg --show=actual,idleness "$program"
wrong '--show says what a figure shows: --figure FILE is missing' --show=traffic "$program"
wrong '`causes` stands alone in a figure' --figure=a.svg --show=causes,actual "$program"
wrong 'the figure shows what is of whole runs' --figure=a.svg --show=causes --cycles=5..9 "$program"
wrong 'expected a name that ends with .pdf, .svg or .png, found `a.jpg`' --figure=a.jpg "$program"
wrong 'the figure shows what is of whole runs' --figure=a.svg --show=ideal --cycles=5..9 "$program"
}
if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is not installed: figures are not drawn" >&2
    exit $((failures > 0))
fi

expect 0 run -q --record run.rec --trace run.trc --level=queues -s pe.count=8 "$program"
shown='actual,ideal,roof live_tokens,waiting tags speedup traffic timeline occupancy links idleness idle_pes causes'
for show in $shown; do
    expect 0 analyse --figure live.svg --show="$show" -s pe.count=8 "$program"
    silent
    [ ! -s out ] || fail 'something is printed'
    for file in run.rec run.trc; do
        expect 0 analyse --figure file.svg --show="$show" $file
        same live.svg file.svg
    done
done
# Tracks of devices need some; a memory shows both ways, also while nothing comes back.
device="$SRCDIR/programs/experiments/rnn-loop.df steps=8 -s pe.count=1 -s grad.mode=paired -s tensor.unit.count=1
    -s memory.capacity=24000 -s swap.threshold=12000 -s swap.latency=10 -s swap.prefetch=64"
# shellcheck disable=SC2086 # words
expect 0 analyse --figure live.svg --show=devices $device
silent
for track in compute out in; do
    grep -q ">$track 0<" live.svg || fail "no track $track"
done
# shellcheck disable=SC2016 # backquotes of messages
wrong '--show: `devices` needs counted tensor units or a finite memory' --figure=a.svg --show=devices run.rec

# Curves of classes need classes.
for show in class_firings class_utilisation; do
    expect 0 analyse --figure live.svg --show=$show -s pe.count=8 -s class.fast.pes=0-1 \
        -s class.fast.pe.units=2 "$program"
    silent
    grep -q '>fast<' live.svg && grep -q '>other PEs<' live.svg || fail 'classes have no names'
    wrong "--show: \`$show\` needs classes of PEs (class.NAME.pes)" --figure=a.svg --show=$show run.rec
done
expect 0 analyse --figure all.pdf run.rec
[ "$(head -c 4 all.pdf)" = %PDF ] || fail 'no PDF'
expect 0 analyse --figure part.svg --cycles=100..200 --only=traffic.matrix run.rec
out_has 'traffic.matrix'
[ -s part.svg ] || fail 'no figure of a part'
"$HIATON" run -q --trace coarse.trc --level=firings "$program" >out
# shellcheck disable=SC2016 # backquotes of messages
wrong '`links` needs `queues`' --figure=a.svg --show=links coarse.trc
# shellcheck disable=SC2016 # backquotes of messages
wrong '`causes` needs `queues`' --figure=a.svg --show=causes coarse.trc

# A heat map of many cells has an image of them in an SVG; in a PNG what is idle has the first
# colour, however thin.
expect 0 analyse --figure large.svg --show=links -s pe.count=256 -s network.topology=mesh fib.df n=10
[ "$(wc -c <large.svg)" -lt 1000000 ] || fail "an SVG of $(wc -c <large.svg) bytes"
grep -q '<image' large.svg || fail 'no image of cells'
expect 0 analyse --figure few.svg --show=links -s pe.count=4 -s network.topology=mesh fib.df n=5
! grep -q '<image' few.svg || fail 'cells of an image that can be seen'
if convert -version 2>/dev/null | grep -q ImageMagick; then
    expect 0 analyse --figure large.png --show=links -s pe.count=256 -s network.topology=mesh fib.df n=10
    convert large.png -format %c histogram:info:- >colours
    awk '/00224E/ { idle = $1 + 0 } /4D6484/ { pale = $1 + 0 } END { exit idle < 100000 || pale > 100 }' colours ||
        fail "idle links are drawn in $(sort -rn colours | sed -n 1,3p)"
fi

# Of more parts than there are colours the least are one: seven have names.
last='parts without a colour'
expect 0 analyse --figure many.svg --show=causes --causes --csv -s pe.count=4 -s match.store=hash \
    -s match.capacity=8 -s match.overflow.latency=30 -s tag.scheme=interned -s loop.bound=2 \
    "$SRCDIR/programs/examples/wavefront.df" n=10
awk -F, '/^# causes.over_time/ { on = 1; next } !on || !$0 { on = 0; next }
    on == 1 { on = 2; next }
    { for (i = 3; i <= NF; i++) { sum[i] += $i; row += $i } if ((row - 1) ^ 2 > 1e-20) bad = 1; row = 0 }
    END { for (i in sum) count += sum[i] > 0; exit bad || count < 9 }' out || fail 'rows do not add up, or few causes'
grep -q '>other<' many.svg || fail 'nothing is left'
[ "$(grep -o '>[a-z][a-z ]*<' many.svg | sort -u | grep -cvE '>(cycle|share of cycles)<')" -eq 8 ] ||
    fail "in the legend: $(grep -o '>[a-z][a-z ]*<' many.svg)"

cat >parts.yaml <<'TEXT'
program: fib.df
inputs.n: 7
grid: {pe.count: [1, 4]}
measure: idleness
figures:
  - {name: parts, kind: stacked, x: pe.count, y: [idleness.working, idleness.network, idleness.nothing]}
TEXT
expect 0 sweep run -q parts.yaml --outputs parts
awk '/^#/ { n++; next } NF == 5 { if ($3 != (n > 2 ? end[$1] : 0) || $2 < $3) exit 1; end[$1] = $2; rows++ }
    END { exit rows != 6 }' parts/parts.dat || fail "$(cat parts/parts.dat)"
sed 's/kind: stacked/kind: stacked, spread: sd, of: mean/' parts.yaml >wrong.yaml
expect 2 sweep list wrong.yaml
err_has 'stacked bars have no spread'
sed 's/kind: stacked/kind: stacked, scale: {y: log2}/' parts.yaml >wrong.yaml
expect 2 sweep list wrong.yaml
err_has 'stacked bars need a linear axis'

# shares of a whole, and what remains of it
sed 's/idleness/causes/; s/y: .*]/y: [causes.issue_slot, causes.link], whole: cycles/' parts.yaml >shares.yaml
expect 0 sweep run -q shares.yaml --outputs shares
expect 0 results csv shares.db --rows=pe.count --values=cycles,causes.issue_slot,causes.link
sed 1d out | awk -F, '{ print NR - 1, $3 / $2, ($3 + $4) / $2, 1 }' >wanted
awk 'NF == 5 { end[$1] = (end[$1] == "" ? $1 : end[$1]) " " $2 }
    END { for (i = 0; i < 2; i++) print end[i] }' shares/parts.dat >found
paste -d' ' wanted found | awk '
    { for (i = 2; i <= 4; i++) if (($i - $(i + 4)) ^ 2 > 1e-10) exit 1; rows++ } NF != 8 { exit 1 }
    END { if (rows != 2) exit 1 }' || fail "$(cat wanted found shares/parts.dat)"
grep -q 'share of cycles' shares/parts.svg || fail 'the axis has no label'
expect 0 results plot shares.db --kind=stacked --x=pe.count --y=causes.issue_slot,causes.link --whole=cycles -o same.svg
sed 's/kind: stacked/kind: bars/' shares.yaml >wrong.yaml
expect 2 sweep list wrong.yaml
err_has 'only stacked bars (kind: stacked) are parts of a'

# Of many PEs figures are as wide as a page, and as high as their rows need.
width() { sed -n 's/^<svg .*width="\([0-9]*\)" height="\([0-9]*\)".*/\1/p;/<svg/,/>/s/^ *width="\([0-9]*\)" height="\([0-9]*\)".*/\1 \2/p' "$1" | head -n 1; }
for show in traffic timeline idle_pes; do
    for count in 16 256; do
        "$HIATON" analyse -q --figure=$show-$count.svg --show=$show -s pe.count=$count fib.df n=6 >out 2>err ||
            fail "$show of $count PEs is not drawn"
    done
    last="--show=$show"
    [ "$(width $show-16.svg | cut -d' ' -f1)" = 321 ] || fail "of 16 PEs: $(width $show-16.svg)"
    [ "$(width $show-256.svg | cut -d' ' -f1)" = 661 ] || fail "of 256 PEs: $(width $show-256.svg)"
done
[ "$(width traffic-256.svg | cut -d' ' -f2)" -gt 500 ] || fail "traffic is $(width traffic-256.svg)"
# Bars touch, and are hatched up to this number.
[ "$(grep -c "fill = 'url" idle_pes-256.svg)" -gt 256 ] || fail "bars of 256 PEs are not hatched"

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
