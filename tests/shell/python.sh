#!/bin/sh
# hiaton.py, over the library of an installed tree: its structures are those of hiaton.h, and it
# does what doc/python.md says; by python3 as it is, and by one that has numpy and pandas. BUILDDIR
# has a build.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
build=$(cd "$SRCDIR" && cd "${BUILDDIR:-build}" && pwd)
failed() { failures=$((failures + 1)); echo "FAILED: $*"; }
[ "${HIATON_SANITIZERS:-no}" = no ] || { echo "SKIPPED: the library is tested in builds without sanitizers"; exit 77; }
command -v python3 >/dev/null || { echo "SKIPPED: there is no python3"; exit 77; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || { echo "SKIPPED: python3 is older than 3.8"; exit 77; }

prefix=$scratch/prefix
make -s -C "$build" install-library prefix="$prefix" made_folders="$scratch/made" >make.log 2>&1 || { failed "make install"; cat make.log; exit 1; }
PYTHONPATH=$prefix/share/hiaton/python${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
if command -v pkg-config >/dev/null; then
    found=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=python hiaton)
    [ "$found" = "$prefix/share/hiaton/python" ] || failed "pkg-config says that hiaton.py is in $found"
fi

# --- structures and functions ----------------------------------------------------

# A C program that is compiled only if each structure has the members of the header, and their
# sizes.
cat >layout.py <<'TEXT'
import ctypes, hiaton, re
print("#include <hiaton.h>")
for name, s in vars(hiaton).items():
    if isinstance(s, type) and issubclass(s, ctypes.Structure) and getattr(s, "_fields_", None):
        c_name = re.sub("([a-z])([A-Z])", r"\1_\2", name[1:]).lower()
        c_name = "struct hiaton_" + {"field": "event_field"}.get(c_name, c_name)
        print('_Static_assert(sizeof(%s) == %d, "%s");' % (c_name, ctypes.sizeof(s), c_name))
        for member, kind in s._fields_:
            print('_Static_assert(offsetof(%s, %s) == %d && sizeof(((%s *)0)->%s) == %d, "%s.%s");' % (
                c_name, member, getattr(s, member).offset, c_name, member, ctypes.sizeof(kind), c_name, member))
for name, value in (("NONE", hiaton.NONE), ("NO_NODE", hiaton.NO_NODE), ("TO_RETURN", hiaton.TO_RETURN),
                    ("TO_NOWHERE", hiaton.TO_NOWHERE), ("MAX_RANK", hiaton._MAX_RANK)):
    print('_Static_assert(HIATON_%s == %dU, "%s");' % (name, value, name))
for name in "OK ENDED CANCELLED DIFFERS WAITING MISUSE REJECTED ABSENT NO_ROOM FAILED INT REAL BOOL REAL32 TENSOR".split():
    print('_Static_assert((int)HIATON_%s == %d, "%s");' % (name, getattr(hiaton, "_" + name), name))
TEXT
python3 layout.py >layout.c || failed "layout.py"
[ "$(grep -c offsetof layout.c)" -gt 80 ] || failed "hiaton.py has few structures"
# shellcheck disable=SC2086 # a compiler may be several words
${CC:-cc} -std=c11 -I"$prefix/include" -fsyntax-only layout.c || failed "structures of hiaton.py are not those of hiaton.h"
# All functions but those that Python does without.
sed -n 's/^ *"\([a-z_]*\)": (.*/\1/p' "$SRCDIR/sim/python/hiaton.py" | sort >used
grep -A1 '^HIATON_API' "$prefix/include/hiaton.h" | sed -n 's/^\(HIATON_API .*[ *]\)*hiaton_\([a-z_]*\)(.*/\2/p' |
    grep -v -e '^pool_' -e '^on_exhaustion' -e '^session_item' -e '^session_copy' | sort -u >declared
diff declared used || failed "hiaton.py does not use the functions that hiaton.h declares"

# --- what it does ----------------------------------------------------------------

# The one in the path may be another one than Debian's.
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import numpy, pandas' 2>/dev/null && break
done
cp "$SRCDIR/tests/embed/binding.py" .
for which in python3 "$python"; do
    [ "$which" != none ] || { echo "SKIPPED: numpy and pandas (Debian package python3-pandas): arrays and data frames"; continue; }
    timeout -k 9 300 "$which" binding.py >binding.log 2>&1 || { failed "binding.py, $which"; cat binding.log; }
    head -n 1 binding.log
    [ "$which" != "$python" ] || break
done
# Without numpy, where it is there.
mkdir bare
echo 'raise ImportError' | tee bare/numpy.py >bare/pandas.py
PYTHONPATH=$scratch/bare:$PYTHONPATH timeout -k 9 300 python3 binding.py >binding.log 2>&1 || { failed "binding.py, without numpy"; cat binding.log; }
grep -q '^numpy: none, pandas: none' binding.log || failed "binding.py has numpy"

# --- the plot of the page, and the notebook --------------------------------------

for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import pandas, matplotlib' 2>/dev/null && break
done
if [ "$python" = none ]; then
    echo "SKIPPED: pandas and matplotlib (Debian packages python3-pandas, python3-matplotlib): the plot of doc/python.md, doc/python.ipynb"
    exit $((failures > 0))
fi
awk '$0 == "```df file=fact.df" { inside = 1; next } /^```/ { inside = 0 } inside' "$SRCDIR/doc/python.md" >fact.df
awk '$0 == "```python plot" { inside = 1; next } /^```/ { inside = 0 } inside' "$SRCDIR/doc/python.md" >plot.py
"$python" plot.py >plot.log 2>&1 || { failed "the plot of doc/python.md"; cat plot.log; }
[ -s fact.png ] || failed "the plot of doc/python.md is not written"
# Each cell of the notebook runs, and prints what is noted in it; by a few lines, without a browser.
cat >cells.py <<'TEXT'
import contextlib, io, json, os, sys
os.environ["MPLBACKEND"] = "Agg"
names, wrong = {"__name__": "__main__"}, 0
for number, cell in enumerate(json.load(open(sys.argv[1]))["cells"]):
    if cell["cell_type"] != "code":
        continue
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("".join(cell["source"]), "cell %d" % number, "exec"), names)
    noted = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
    if out.getvalue() != noted:
        print("cell %d prints\n%s\nnoted is\n%s" % (number, out.getvalue(), noted))
        wrong = 1
    print("cell %d: %d characters" % (number, len(out.getvalue())))
sys.exit(wrong)
TEXT
"$python" cells.py "$SRCDIR/doc/python.ipynb" >cells.log 2>&1 || { failed "doc/python.ipynb"; cat cells.log; }
[ "$(grep -c '^cell' cells.log)" -ge 4 ] || failed "doc/python.ipynb has few cells"
exit $((failures > 0))
