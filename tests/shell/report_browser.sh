#!/bin/sh
# Pages of hiaton report in a real browser: the script runs without a mistake, links name what is
# looked at, it can be printed, and all of it is reached and used by keys alone. Skipped where
# chromium is not installed.
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

# --- by keys -------------------------------------------------------------------

# The browser takes commands from its file 3 and answers in its file 4; a zero byte ends each.
trap '' PIPE
mkfifo commands replies answers
timeout 200 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" \
    --remote-debugging-pipe about:blank 3<commands 4>replies 2>log </dev/null &
stdbuf -oL tr '\0' '\n' <replies >answers &
exec 8>commands 9<answers
asked=0
session=

# ask METHOD [PARAMETERS]: its answer is in $answer.
ask() {
    asked=$((asked + 1))
    printf '{"id":%d,%s"method":"%s","params":%s}\0' $asked "$session" "$1" "${2:-{\}}" >&8
    while read -r answer <&9; do
        case $answer in "{\"id\":$asked,"*) return ;; esac
    done
    fail "the browser does not answer $1"
    exit 1
}

# js EXPRESSION: its value, a text, is in $value. The expression has no double quotes.
js() {
    ask Runtime.evaluate "{\"expression\":\"(async () => String(await ($1)))()\",\"awaitPromise\":true}"
    value=$(printf '%s\n' "$answer" | sed 's/.*"type":"string","value":"\(.*\)"}}.*/\1/')
}

# holds EXPRESSION EXPECTED
holds() {
    js "$1"
    [ "$value" = "$2" ] || fail "$1 is $value, expected $2"
}

# key NAME CODE [TEXT]: as if it was pressed.
key() {
    ask Input.dispatchKeyEvent "{\"type\":\"keyDown\",\"key\":\"$1\",\"windowsVirtualKeyCode\":$2,\"text\":\"${3-}\"}"
    ask Input.dispatchKeyEvent "{\"type\":\"keyUp\",\"key\":\"$1\",\"windowsVirtualKeyCode\":$2}"
}
press() {
    for name; do
        case $name in
        Tab) key Tab 9 ;;
        Enter) key Enter 13 '\r' ;;
        Space) key ' ' 32 ' ' ;;
        Escape) key Escape 27 ;;
        Home) key Home 36 ;;
        Left) key ArrowLeft 37 ;;
        Up) key ArrowUp 38 ;;
        Right) key ArrowRight 39 ;;
        Down) key ArrowDown 40 ;;
        *) key "$name" 0 "$name" ;;
        esac
    done
}

# open_page FILE: in a new tab, at its start.
open_page() {
    session=
    ask Target.createTarget '{"url":"about:blank"}'
    target=$(printf '%s\n' "$answer" | sed 's/.*"targetId":"\([^"]*\)".*/\1/')
    ask Target.attachToTarget "{\"targetId\":\"$target\",\"flatten\":true}"
    session="\"sessionId\":\"$(printf '%s\n' "$answer" | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')\","
    ask Page.navigate "{\"url\":\"file://$PWD/$1\"}"
    js "new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', r)).then(() => location.pathname)"
    [ "$value" = "$PWD/$1" ] || fail "$value is open, expected $1"
}
active='document.activeElement'

# tab_to TEST: presses Tab until it holds of the element that is reached.
tab_to() {
    reached=0
    while [ $reached -lt 200 ]; do
        press Tab
        reached=$((reached + 1))
        js "$1"
        [ "$value" = true ] && return
    done
    fail "by the key Tab one never comes to: $1"
}

open_page run.html
press Tab
holds "$active.className" skip
press Enter
holds 'location.hash' '#main'
tab_to "$active.id === 'gantt-in'"
place="document.getElementById('gantt-place').textContent"
press Enter
holds "$place" 'Cycles 103 to 311 of 414'
press Space
holds "$place" 'Cycles 155 to 259 of 414'
holds 'location.hash' '#gantt=155-259'
holds "$active.id" gantt-in
tab_to "$active.id === 'gantt-tokens'"
press Enter
holds "$active.textContent" 'Show tokens'
holds "getComputedStyle(document.querySelector('#gantt .flights')).display" none
press Space
holds "$active.textContent" 'Hide tokens'
tab_to "$active.id === 'gantt-area'"
press 0
holds "$place" 'Cycles 0 to 414 of 414'
press + +
holds "$place" 'Cycles 155 to 259 of 414'
press Right
holds "$place" 'Cycles 181 to 285 of 414'
press Left Left
holds "$place" 'Cycles 129 to 233 of 414'
press - -
holds "$place" 'Cycles 0 to 414 of 414'
press Tab Enter
holds "$active.parentElement.open" true

# The flame graph: one stop of Tab, and arrows from frame to frame.
"$HIATON" run -q --record sort.rec "$examples/mergesort.df" n=8 -s pe.count=4 >out
expect 0 -o sort.html sort.rec
open_page sort.html
frame="$active.getAttribute('data-n') + ' ' + $active.querySelector('rect').getAttribute('y')"
tab_to "$active.classList.contains('f')"
holds "$active.getAttribute('data-n')" result
js "$frame"
root=${value#* }
press Up
holds "$frame" "sorted $((root - 18))"
press Up Up
holds "$frame" "sorted $((root - 54))"
js "$active.getAttribute('data-x')"
x=$value
press Right
holds "$active.getAttribute('data-n')" merged
holds "Number($active.getAttribute('data-x')) > $x" true
press Left
holds "$active.getAttribute('data-x')" "$x"
press Right Enter
wide="$active.querySelector('rect').getAttribute('width')"
holds "$wide" 1000.00
holds "$active.getAttribute('data-n')" merged
press Right # what is beside it is not shown
holds "$active.getAttribute('data-n')" merged
press Up
holds "$active.getAttribute('data-n')" merged.array
press Down Down
holds "$frame" "sorted $((root - 36))"
press Escape
holds "Number($wide) < 1000" true
press Up Space
holds "$wide" 1000.00
press Home
holds "$active.getAttribute('data-n')" result
press Tab
holds "$active.closest('.flame') === null" true
tab_to "$active.tagName === 'SUMMARY'"
press Space
holds "$active.parentElement.open" true

# Whatever is reached has a name; nothing is wider than a phone, be it folded or not.
stops="[...document.querySelectorAll('a[href], button, summary, [tabindex]')]"
for file in run sort large; do
    open_page $file.html
    holds "$stops.filter(e => !(e.getAttribute('aria-label') || e.textContent).trim()).length" 0
    js "document.querySelectorAll('details').forEach(d => d.open = true)"
    for width in 360 1200; do
        ask Emulation.setDeviceMetricsOverride \
            "{\"width\":$width,\"height\":800,\"deviceScaleFactor\":1,\"mobile\":true}"
        holds 'document.documentElement.scrollWidth' $width
    done
done
session=
ask Browser.close
wait

exit $((failures > 0))
