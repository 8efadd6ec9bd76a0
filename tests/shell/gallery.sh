#!/bin/sh
# The gallery is as its commands make it: drawings by gnuplot to the byte where it is of the version
# that made them, and graphs, whose places and letters depend on fonts, with as many lines. HIATON
# is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
gallery=$SRCDIR/doc/gallery
for program in gnuplot dot; do
    command -v $program >/dev/null || {
        echo "$program is not installed (Debian package gnuplot-nox, graphviz): the gallery is not made" >&2
        exit 77
    }
done
: >out
: >err

last='doc/gallery/gallery.sh'
mkdir made
HIATON=$HIATON sh "$gallery/gallery.sh" made >out 2>err || fail 'a command of the gallery fails'

# said FILE: with which version of gnuplot it was drawn.
said() { sed -n 's/.*Produced by GNUPLOT \(.*[^ ]\) *<.*/\1/p' "$1"; }
# lines FILE: how many lines a drawing of dot has; its letters, as "fi" may be one, depend on fonts.
lines() { grep "<path" "$1" | grep -vc "stroke:none"; }

figures=$(sed -n 's/^!\[..*\](\(.*\))$/\1/p' "$gallery/README.md")
for figure in $figures; do
    last=$figure
    [ -s "$gallery/$figure" ] || fail 'it is not in the gallery'
    case $figure in
        *.png) continue ;;
        graph-*) [ "$(lines "made/$figure")" = "$(lines "$gallery/$figure")" ] || fail 'another graph is drawn' ;;
        *) [ "$(said "made/$figure")" != "$(said "$gallery/$figure")" ] || same "made/$figure" "$gallery/$figure" ;;
    esac
    grep -q -e 'fill="#ffffff"' -e 'fill:rgb(100%,100%,100%)' "made/$figure" || fail 'it is not white below'
done
[ "$(echo "$figures" | wc -l)" -ge 30 ] || fail 'figures are missing'

last='doc/gallery'
for file in "$gallery"/*.svg "$gallery"/*.png; do
    echo "$figures" | grep -qxF "${file##*/}" || [ ! -e "$file" ] || fail "no page shows ${file##*/}"
done
exit $((failures > 0))
