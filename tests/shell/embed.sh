#!/bin/sh
# libhiaton in an installed tree: its names, its pkg-config file, programs in C and C++ that are
# linked with either form of it, and that threads over one program do what processes of `hiaton run'
# do. BUILDDIR has a build.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
build=$(cd "$SRCDIR" && cd "${BUILDDIR:-build}" && pwd)
CC=${CC:-cc}
CXX=${CXX:-c++}
NM=${NM:-nm}
failed() { failures=$((failures + 1)); echo "FAILED: $*"; }
[ "${HIATON_SANITIZERS:-no}" = no ] || { echo "the library is tested in builds without sanitizers"; exit 77; }
command -v pkg-config >/dev/null || { echo "there is no pkg-config"; exit 77; }

prefix=$scratch/prefix
make -s -C "$build" install-library prefix="$prefix" made_folders="$scratch/made" >make.log 2>&1 || { failed "make install"; cat make.log; exit 1; }
PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# --- names -----------------------------------------------------------------------

# What the header declares, and nothing else, is what the libraries show.
grep -A1 '^HIATON_API' "$prefix/include/hiaton.h" | sed -n 's/^\(HIATON_API .*[ *]\)*\(hiaton_[a-z_]*\)(.*/\2/p' | sort -u >declared
$NM -D --defined-only "$prefix/lib/libhiaton.so" | awk '{ print $3 }' | sort >shown
diff declared shown || failed "the shared library shows other names than hiaton.h declares"
$NM -g --defined-only "$prefix/lib/libhiaton.a" | awk 'NF == 3 { print $3 }' | sort >shown
diff declared shown || failed "the static library shows other names than hiaton.h declares"
[ "$(wc -l <declared)" -gt 20 ] || failed "hiaton.h declares too little"
while read -r name; do
    grep -q "\*$name\*" "$SRCDIR/doc/man/hiaton.3.scd" || failed "hiaton(3) does not name $name"
done <declared
if command -v readelf >/dev/null; then
    readelf -d "$prefix/lib/libhiaton.so" | grep -q 'SONAME.*\[libhiaton\.so\.0\]' || failed "the soname"
fi
[ "$(pkg-config --modversion hiaton)" = "$("$HIATON" --version | sed 's/.* //;q')" ] || failed "the version"

# --- programs --------------------------------------------------------------------

# compile OUT LINKING COMPILER FLAG... FILE: by what pkg-config says; LINKING is shared or static.
# Then the rest of the system is linked as it is.
compile() {
    out=$1 linking=$2
    shift 2
    if [ "$linking" = static ]; then
        libs=$(pkg-config --static --libs hiaton | sed 's/-lhiaton/-l:libhiaton.a/')
    else
        libs=$(pkg-config --libs hiaton)
    fi
    # shellcheck disable=SC2046,SC2086 # words
    "$@" $(pkg-config --cflags hiaton) -o "$out" $libs -pthread >compile.log 2>&1 ||
        { failed "$out is not compiled"; cat compile.log; }
}
for linking in shared static; do
    # shellcheck disable=SC2086 # a compiler may be several words
    compile threads."$linking" "$linking" $CC -Wall -Wextra -Werror -std=c11 -O1 "$SRCDIR/tests/embed/threads.c"
    # shellcheck disable=SC2086
    compile tree."$linking" "$linking" $CC -Wall -Wextra -Werror -std=c11 -O1 "$SRCDIR/tests/embed/tree.c"
    ./tree."$linking" >found || failed "tree.c, $linking"
    printf '%s\n' 'key 0, key 1, key 2, key 3, key 4, key 5, key 6, depth 5' 'sum 200010000' | diff - found ||
        failed "tree.c, $linking: what it prints"
    # shellcheck disable=SC2086
    compile plain."$linking" "$linking" $CXX -Wall -Wextra -Werror -std=c++11 "$SRCDIR/tests/embed/plain.cpp"
    [ "$(./plain."$linking")" = "completed 144" ] || failed "plain.cpp, $linking"
done
for std in c11 c17; do
    # shellcheck disable=SC2086
    echo '#include <hiaton.h>' | $CC -x c -std="$std" -pedantic-errors -Wall -Wextra -Werror -Wstrict-prototypes \
        -I"$prefix/include" -fsyntax-only - || failed "hiaton.h as $std"
done

# --- threads ---------------------------------------------------------------------

cat >fib.df <<'TEXT'
input n = 3
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
result = fib(n)
TEXT
printf 'base: default\nplacement.policy: random\npe.count: 7\n' >random.yaml
for machine in ideal random.yaml tf-executor; do
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
        "$HIATON" run --json -m "$machine" --seed="$i" fib.df n="$i" 2>err >json.log || { failed "run"; cat err; }
        printf '%s %s %s %s\n' $i "$(sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p;' json.log | head -n 1)" \
            "$(sed -n 's/.*"timing_digest": "\(.*\)".*/\1/p' json.log)" \
            "$(sed -n 's/.*"value_digest": "\(.*\)".*/\1/p' json.log)"
    done >processes
    for linking in shared static; do
        ./threads."$linking" fib.df "$machine" n 8 12 >found || failed "threads.$linking"
        diff processes found >differ || { failed "$machine, $linking: threads and processes differ"; head differ; }
    done
done
exit $((failures > 0))
