#!/bin/sh
# Pages of hiaton report in a real browser: the script runs without a mistake, links name what is looked at,
# a large one opens quickly, and it can be printed. Skipped where chromium is not installed.
set -u
about='report'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ "$browser" ] || {
    echo 'no chromium is installed (Debian package chromium): pages are not opened' >&2
    exit 77
}

# look URL OPTION...: what is there when the script has run.
look() {
    url=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" \
        --enable-logging=stderr "$@" "file://$PWD/$url" >dom 2>log </dev/null
}

"$HIATON" run -q --record run.rec "$examples/fib.df" n=8 -s pe.count=4 >out
expect 0 -o run.html run.rec
look run.html --dump-dom
[ -s dom ] || {
    echo 'chromium does not run here: pages are not opened' >&2
    exit 77
}
# has TEXT, of the page when its script has run
has() { grep -qF -- "$1" dom || fail "the page has no: $1"; }
quiet() { grep -E 'CONSOLE|Uncaught|ERR_' log && fail 'the browser complains'; }
quiet
has 'class="js"'
has 'Cycles 0 to 414 of 414'
has 'aria-label="fib: 567 firings'

look 'run.html#gantt=100-160' --dump-dom
quiet
has 'Cycles 100 to 160 of 414'
has 'class="critical"'
has 'clip-path="url(#gantt-clip)"'
grep -o '<title>cycle [0-9]*' dom | sed 's/.* //' | sort -n >cycles
if [ "$(head -n 1 cycles)" -lt 100 ] || [ "$(tail -n 1 cycles)" -ge 160 ]; then fail 'firings of other cycles are drawn'; fi
look 'run.html#analysis-traffic' --dump-dom
has '<details id="analysis-traffic" open="">'

look run.html --print-to-pdf="$PWD/run.pdf"
[ "$(head -c 4 run.pdf)" = %PDF ] || fail 'it cannot be printed'
for width in 360 1200; do
    look run.html --window-size=$width,800 --screenshot="$PWD/shot.png"
    [ "$(wc -c <shot.png)" -gt 10000 ] || fail "nothing is seen at a width of $width"
done

# Spans of time, of which a part is drawn anew.
"$HIATON" run -q --record large.rec "$examples/fib.df" n=15 -s pe.count=64 >out
expect 0 -o large.html large.rec
look 'large.html#gantt=200-400' --dump-dom
quiet
has 'Cycles 200 to 400 of'
has 'class="levels"'

exit $((failures > 0))
