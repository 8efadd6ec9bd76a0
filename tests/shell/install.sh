#!/bin/sh
# What `make install' puts where, that links between pages lead to something, and that `make
# uninstall' leaves nothing; configure without what only some need. BUILDDIR has a build.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
build=$(cd "$SRCDIR" && cd "${BUILDDIR:-build}" && pwd)
failed() { failures=$((failures + 1)); echo "FAILED: $*"; }

# make_in TARGET VARIABLE=VALUE...
make_in() {
    make -s -C "$build" "$@" made_folders="$scratch/made" >make.log 2>&1 || {
        failed "make $*"
        cat make.log
    }
}

# --- a staging folder ----------------------------------------------------------

dest=$scratch/dest
make_in install DESTDIR="$dest" prefix=/usr
share=$dest/usr/share
for file in "$dest/usr/bin/hiaton" "$share/man/man5/hiaton-experiment.5" "$share/man/man1/hiaton-run.1" \
    "$share/doc/hiaton/README.md" "$share/doc/hiaton/doc/manual.md" "$share/hiaton/schema.json" \
    "$share/doc/hiaton/doc/studies/table1.md" "$share/doc/hiaton/programs/examples/fib.df" \
    "$share/hiaton/examples/fib.df" "$share/hiaton/experiments/speedup.yaml" \
    "$dest/usr/include/hiaton.h" "$dest/usr/lib/libhiaton.a" "$dest/usr/lib/libhiaton.so" \
    "$dest/usr/lib/pkgconfig/hiaton.pc" "$share/man/man3/hiaton.3" "$share/hiaton/python/hiaton.py" \
    "$share/bash-completion/completions/hiaton" "$share/zsh/site-functions/_hiaton" \
    "$share/fish/vendor_completions.d/hiaton.fish"; do
    [ -f "$file" ] || failed "${file#"$dest"} is not installed"
done
# A page is listed once, in doc/local.mk: what is there must be installed.
for page in "$SRCDIR"/*.md "$SRCDIR"/doc/*.md "$SRCDIR"/doc/*/*.md; do
    [ -f "$share/doc/hiaton/${page#"$SRCDIR"/}" ] || failed "$page is not installed"
done
# links PAGE: where it leads to, without other sites and places in a page.
links() { grep -o '\](\([^)# ]*\)' "$1" | sed 's/^](//; /^[a-z]*:/d; /^$/d' | sort -u; }
for page in "$share/doc/hiaton"/*.md "$share/doc/hiaton"/doc/*.md "$share/doc/hiaton"/doc/*/*.md; do
    for link in $(links "$page"); do
        [ -e "$(dirname "$page")/$link" ] || failed "${page#"$share/doc/hiaton/"} leads to $link"
    done
done
"$dest/usr/bin/hiaton" sweep list "$share/hiaton/experiments/speedup.yaml" >list.log 2>&1 </dev/null ||
    failed "the installed experiments do not find the installed examples"
# doc/replay.md: a reviewer has a database, and nothing else; whoever made it had the installed
# examples.
mkdir author reviewer
awk '/^```yaml file=paper.yaml/ { inside = 1; next } /^```/ { inside = 0 } inside' \
    "$SRCDIR/doc/replay.md" >author/paper.yaml
ln -s "$share/hiaton/examples" author/examples
(cd author && "$dest/usr/bin/hiaton" sweep run paper.yaml) >paper.log 2>&1 </dev/null ||
    { failed "the paper's sweep"; cat paper.log; }
mv author/paper.db reviewer && rm -r author
(cd reviewer && for words in "rerun paper.db --all" "show paper.db cycles" "rerun paper.db 6" "all paper.db"; do
    # shellcheck disable=SC2086 # the words of a command
    "$dest/usr/bin/hiaton" results $words || exit
done) >paper.log 2>&1 </dev/null || { failed "the reviewer's commands"; cat paper.log; }
grep -q '^6 of 6 rows hold$' paper.log || { failed "not all rows hold"; cat paper.log; }
[ -s reviewer/cycles.csv ] || failed "the paper's table is not written"
make_in uninstall DESTDIR="$dest" prefix=/usr
[ ! -e "$dest" ] || { failed "left in the staging folder:"; find "$dest"; }

# --- a prefix where other things are -------------------------------------------

prefix=$scratch/prefix
mkdir -p "$prefix/bin" "$prefix/share/doc/other" "$prefix/share/man/man1"
find "$prefix" | sort >before
make_in install prefix="$prefix"
make_in install prefix="$prefix"
make_in uninstall prefix="$prefix"
find "$prefix" | sort >after
cmp -s before after || { failed "uninstall leaves what was not there, or takes what was:"; diff before after; }

# --- what is not needed ---------------------------------------------------------

# A system without libcheck: configure is content, and make check says what is missing.
cat >pkg-config <<'TEXT'
#!/bin/sh
case " $* " in *" check "* | *"check >= "*) exit 1 ;; esac
exec "$REAL_PKG_CONFIG" "$@"
TEXT
chmod +x pkg-config
REAL_PKG_CONFIG=$(command -v pkg-config)
export REAL_PKG_CONFIG
mkdir without
if (cd without && env -u CHECK_CFLAGS -u CHECK_LIBS PKG_CONFIG="$scratch/pkg-config" \
    "$SRCDIR/configure" --cache-file=/dev/null) >configure.log 2>&1; then
    grep -q 'libcheck .* not found' configure.log || failed "configure does not say that libcheck is missing"
    make -s -C without tests-without-libcheck >make.log 2>&1 && failed "make check without libcheck passes"
    grep -q 'libcheck is not installed' make.log || { failed "it is not said"; cat make.log; }
    # Nor is a unit test compiled, whoever asks for it.
    unit=tests/unit/lib/file
    make -s -C without $unit.o >make.log 2>&1 && failed "a unit test is compiled without libcheck"
    [ "$(grep -c 'libcheck is not installed' make.log)" -eq 1 ] || { failed "it is not said once"; cat make.log; }
    ! grep -q 'check\.h' make.log || { failed "the compiler was asked first"; cat make.log; }
    make -s -C without tests-without-libcheck TESTS=tests/shell/texts.sh >make.log 2>&1 ||
        failed "tests that need no libcheck are refused"
    grep -q '^check_DATA = tests-without-libcheck' without/Makefile || failed "make check does not ask"
else
    failed "configure without libcheck"
    tail -n 5 configure.log
fi
exit $((failures > 0))
