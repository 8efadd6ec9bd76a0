#!/bin/sh
# The figures of doc/gallery, by the commands of its page:
#
#   doc/gallery/gallery.sh [FOLDER]
#
# Each block `sh` of README.md is run at a place where the source tree is seen, and what its pages show is copied
# to FOLDER, which is doc/gallery if it is not given. Pictures of pages (PNG) are only made for doc/gallery, and where
# chromium is installed. HIATON is the program to run, build/hiaton if not given.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
hiaton=${HIATON:-$tree/build/hiaton}
hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/}
to=$(cd "${1:-$here}" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$place/bin"
ln -s "$hiaton" "$place/bin/hiaton"
ln -s "$tree/programs" "$tree/doc" "$place"
browser=$(command -v chromium || true)
[ "$to" = "$here" ] || browser=

awk '/^```sh$/ { in_block = 1; next } /^```/ { in_block = 0 } in_block' "$here/README.md" >"$place/commands"
[ "$browser" ] || {
    grep -v '^chromium ' "$place/commands" >"$place/fewer"
    mv "$place/fewer" "$place/commands"
}
(cd "$place" && LC_ALL=C PATH=$place/bin:$PATH sh -eu commands >/dev/null)

sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$here/README.md" | while read -r figure; do
    case $figure in
        *.png) [ "$browser" ] || continue ;;
    esac
    cp "$place/$figure" "$to"
done
