#!/bin/sh
# hiaton report: pages are well-formed, whole in themselves and small; of a program, its recording
# and its file of events they have the same bytes; no text of a program is markup; links lead to
# something; what is wrong is said, and nothing is written then.
set -u
about='report'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
has_xmllint=$(command -v xmllint)
[ "$has_xmllint" ] || echo "xmllint is not installed: whether pages are well-formed is checked roughly" >&2
has_drawings=$(command -v gnuplot && command -v dot)
[ "$has_drawings" ] || echo "gnuplot or dot is not installed: pages lack drawings here" >&2

# said: nothing but that drawings are missing, where they must be.
said() {
    grep -v 'warning: the report lacks' err >rest
    [ ! -s rest ] || fail "$(head -n 1 rest)"
    [ -z "$has_drawings" ] || [ ! -s err ] || fail 'drawings are missing'
}

# has TEXT FILE
has() { grep -qF -- "$1" "$2" || fail "$2 has no: $1"; }

# attributes NAME FILE: the values of an attribute, one a line.
attributes() { grep -o " $1=\"[^\"]*\"" "$2" | sed 's/^[^"]*"//; s/"$//'; }

# sound FILE
sound() {
    [ -z "$has_xmllint" ] || xmllint --noout "$1" 2>why || fail "$1: $(head -n 1 why)"
    attributes id "$1" | LC_ALL=C sort >ids
    [ -z "$(uniq -d ids)" ] || fail "$1: an id stands twice: $(uniq -d ids | head -n 1)"
    attributes href "$1" | sed -n 's/^#//p' | sort -u >links
    [ -s links ] || fail "$1: there are no links"
    [ -z "$(LC_ALL=C comm -23 links ids)" ] ||
        fail "$1: a link to nothing: $(LC_ALL=C comm -23 links ids | head -n 1)"
    attributes aria-labelledby "$1" | tr ' ' '\n' | LC_ALL=C sort -u >named
    [ -z "$(LC_ALL=C comm -23 named ids)" ] || fail "$1: a name that is not there"
    grep -o 'role="region" aria-label="[^"]*"' "$1" | LC_ALL=C sort | uniq -d >twins
    [ ! -s twins ] || fail "$1: two regions have one name: $(head -n 1 twins)"
    # Nothing is asked of others. The two names of SVG are no places.
    # A text of the program may name places, in a line of the source.
    sed 's| xmlns[:a-z]*="http://www.w3.org/[a-z0-9/]*"||g' "$1" | grep -v 'class="code"' |
        grep -nE '(src|href|action|data)="[^#"]|url\([^#]|@import|[a-z]+://[a-z]' >others
    [ ! -s others ] || fail "$1: $(head -n 1 others | cut -c1-120)"
    grep -qF "$PWD" "$1" && fail "$1 has a path of the host"
    [ "$(wc -c <"$1")" -lt 5000000 ] || fail "$1 has $(wc -c <"$1") bytes"
}

# --- one run: the same from everywhere ----------------------------------------------------

# everywhere PROGRAM ARGUMENT...
everywhere() {
    "$HIATON" run -q --record run.rec --trace run.trc --level=queues "$@" >out 2>err
    expect 0 -o live.html "$@"
    said
    [ ! -s out ] || fail 'something is printed'
    sound live.html
    for file in run.rec run.trc run.rec; do
        expect 0 -o file.html $file
        said
        same live.html file.html
    done
}
everywhere "$examples/fib.df" n=8 -s pe.count=4
for section in run metrics timeline source path calls figures graph analyses; do
    has "<section id=\"$section\"" live.html
    has "<a href=\"#$section\">" live.html
done
[ "$(grep -c '<path class="critical" d="M' live.html)" -eq 1 ] || fail 'the path is not drawn'
has 'fib.df on default, pe.count=4: completed after 414 cycles' live.html
has '<code>n=8</code>' live.html
has '<code>pe.count=4</code>' live.html
has '<th scope="row">firings</th><td class="n">569</td>' live.html
has '<tr id="L4">' live.html
has 'result: 569 firings, 100.0 %, 2 its own' live.html
firings=$(sed -n '/<g class="firings">/,/<\/g>/p' live.html | grep -c '<rect')
[ "$firings" -eq 569 ] || fail "$firings firings are drawn, expected 569"
flights=$(sed -n '/<g class="flights">/,/<\/g>/p' live.html | grep -c '<path')
[ "$flights" -eq 141 ] || fail "$flights tokens are drawn, expected 141"
# The shares of lines add up, and the path has all cycles.
sed -n '/<tbody>/,/<\/tbody>/p' live.html | grep -c '<tr id="L' >lines
[ "$(cat lines)" -eq "$(wc -l <"$examples/fib.df")" ] || fail 'not every line is there'
sed -n '/<table id="chain">/,/<\/table>/p' live.html |
    sed -n 's|^<tr><td class="n">\([0-9]*\)</td><td class="n">\([0-9]*\)</td><td class="n">\([0-9]*\)</td>.*|\1 \2 \3|p' |
    awk 'NR > 1 && $1 != last { exit 1 } { last = $2; sum += $3 } END { exit sum != 414 || last != 414 }' ||
    fail 'the path has not all cycles'
everywhere "$examples/matmul.df" -s pe.count=16
everywhere "$examples/wavefront.df" -m tf-executor
has 'worker 0' live.html
everywhere "$examples/fib.df" n=7 --strategy=expanding

# Many events: still one page, and small.
everywhere "$examples/fib.df" n=15 -s pe.count=300
has '<g class="levels">' live.html
has 'A row is 3 of 300 PEs' live.html

# --- texts of programs are no markup ---------------------------------------------------------

cat >'<b>&"x.df' <<'TEXT'
-- </script></style><script>alert(1)</script> ]]> &amp; <!-- " ' <svg onload='x'>
input n = 3
result = f(n) -- <h1 id="run">
f(n) = if n < 1 then 0 else f(n - 1) + 1 -- é 日本 �
TEXT
printf -- '-- \001\177\302\205\357\277\276\377\300\200 \355\240\200 <i>' >>'<b>&"x.df'
expect 0 -o odd.html '<b>&"x.df'
said
sound odd.html
for markup in 'alert(1)</script>' '<svg onload' '<h1 id' '<i>' '<b>&"x'; do
    grep -qF -- "$markup" odd.html && fail "the page has $markup"
done
has '&lt;h1 id=&quot;run&quot;&gt;' odd.html
has '<h1>&lt;b&gt;&amp;&quot;x.df on default' odd.html
[ "$(grep -c '</script>' odd.html)" -eq 2 ] || fail 'there are other scripts'

# --- endings, and what is not at hand ----------------------------------------------------------

printf 'input n = 3\nresult = 1 / (n - 3)\n' >trap.df
expect 0 -o trap.html trap.df
said
sound trap.html
has 'division by zero' trap.html
has '<a href="#L2">line 2</a>' trap.html
"$HIATON" compile "$examples/fib.df" -o fib.image
expect 0 -o image.html fib.image n=5
said
sound image.html
has 'The source is not at hand' image.html
"$HIATON" run -q --trace coarse.trc --level=firings "$examples/fib.df" n=5 >out
expect 0 -o coarse.html coarse.trc
said
sound coarse.html
has 'this needs <code>queues</code>' coarse.html

# --- two runs ------------------------------------------------------------------------------------

"$HIATON" run -q --record a.rec "$examples/fib.df" n=8 -s pe.count=4 >out
"$HIATON" run -q --record b.rec "$examples/fib.df" n=8 -s pe.count=2 >out
expect 0 -o two.html a.rec b.rec
silent
sound two.html
has '<th scope="row">cycles</th><td class="n">414</td><td class="n">' two.html
has '<th scope="row">pe.count</th><td>4</td><td>2</td>' two.html
has 'default, 4 PEs, seed 0' two.html
has 'default, 2 PEs, seed 0' two.html
# The outcome comes first; timelines, causes and figures of both are side by side.
grep -o '<section id="[a-z-]*"' two.html | head -n 1 | grep -q '"outcome"' || fail 'the outcome is not first'
has 'Both have the same result.' two.html
grep -qE 'A takes [0-9.]* % fewer cycles than B' two.html || fail 'no word on which is faster'
has '<h1>A: fib.df on default, pe.count=4; B: fib.df on default, pe.count=2' two.html
for id in a-gantt b-gantt causes; do
    has "id=\"$id\"" two.html
done
sed -n '/<table id="causes">/,/<\/table>/p' two.html | grep 'scope="row">all<' | grep -q '<td class="n">414</td>' ||
    fail 'the causes of A do not add up to its cycles'
sed -n '/<table id="causes">/,/<\/table>/p' two.html | sed 's/<[^>]*>/ /g' |
    awk '$1 == "all" { all = $2 } NF > 5 && $1 != "cause" && $1 != "all" { sum += $2 } END { exit sum != all }' ||
    fail 'the sum of causes is not that of the row all'
if [ -n "$has_drawings" ]; then
    for id in a-figure-actual b-figure-actual a-figure-causes b-figure-causes; do
        has "<figure id=\"$id\"" two.html
    done
fi
"$HIATON" run -q --record worse.rec trap.df >out 2>err
expect 0 -o ends.html a.rec worse.rec
sound ends.html
has 'A completed, and B did not.' ends.html
has 'division by zero' ends.html
"$HIATON" trace diff a.rec b.rec 2>err | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | sed -n '$p' >line
grep -qF -- "$(cat line)" two.html || fail 'the page has not what trace diff says'
expect 0 -o same.html a.rec a.rec
sound same.html
has 'The same program ran with the same inputs on the same machine' same.html

# --- what is wrong -------------------------------------------------------------

# wrong TEXT WORD...: it is refused, and no page is there.
wrong() {
    wrong_text=$1
    shift
    rm -f no.html
    expect 2 "$@"
    err_has "$wrong_text"
    [ ! -e no.html ] || fail 'a page was written'
}
# shellcheck disable=SC2016 # backquotes of messages
{
wrong 'say with -o where to write' a.rec
wrong 'a report is of one FILE, or of two; unexpected argument `c`' -o no.html a.rec b.rec c
wrong 'a recording says on which machine' -o no.html -m default a.rec
wrong 'nosuch' -o no.html nosuch.df
wrong 'nosuch' -o no.html a.rec nosuch.rec
wrong '/nowhere/a.html' -o /nowhere/a.html a.rec
"$HIATON" run -q --trace part.trc --level=all --cycles 10..100 "$examples/fib.df" n=5 >out
wrong 'expected all events of a run, found those of a filter' -o no.html part.trc
"$HIATON" run -q --trace summary.trc --level=summary "$examples/fib.df" n=5 >out
wrong 'expected events of the level `firings` at least, found `summary`' -o no.html summary.trc
}
size=$(wc -c <a.rec)
for place in 40 $((size / 2)) $((size - 20)); do
    head -c "$place" a.rec >damaged.rec
    printf 'x' >>damaged.rec
    tail -c +$((place + 2)) a.rec >>damaged.rec
    wrong 'damaged.rec' -o no.html damaged.rec
done
head -c $((size / 2)) a.rec >damaged.rec
rm -f no.html
"$HIATON" report -o no.html damaged.rec >out 2>err </dev/null
[ -s err ] || fail 'nothing is said of half a recording'

# Of many PEs traffic and bars have the width of the page.
last='report of 256 PEs'
"$HIATON" report -q -o many.html "$SRCDIR/programs/examples/fib.df" n=6 -s pe.count=256 >out 2>err || fail 'there is no page'
if command -v gnuplot >/dev/null; then
    for figure in traffic idle_pes; do
        has "<figure id=\"figure-$figure\" class=\"wide\">" many.html
    done
    has '<figure id="figure-idleness">' many.html
    grep -q 'would be too large' many.html && fail 'a drawing is too large'
fi

# No PE sends anything to another.
last='report without traffic'
echo 'result = 1' >one.df
"$HIATON" report -q -o one.html one.df >out 2>err || fail 'there is no page'
[ ! -s err ] || fail 'something is said'

# Without gnuplot and dot there is a page all the same, and it says what it lacks.
mkdir empty
last='report without gnuplot and dot'
PATH=$PWD/empty "$HIATON" report -o bare.html a.rec >out 2>err || fail 'there is no page'
err_has 'the report lacks what gnuplot draws'
err_has 'the report lacks what dot draws'
sound bare.html
has 'Not drawn: gnuplot could not draw it, or is not installed' bare.html

exit $((failures > 0))
