# What the tests of doc/results.md share; read by them with `.'. They stand in an empty folder with
# speedup.db and speedup.csv, whose results and inputs try readers: whole numbers beyond 2^53,
# results and digests that look like numbers, gaps.
# shellcheck shell=sh disable=SC2034
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# skip WHAT: it is not installed.
skip() {
    echo "SKIPPED: $*: the examples of doc/results.md were not run"
    exit 77
}

# examples HEADING LANGUAGE: the blocks of a section of the page, one after the other.
examples() {
    awk -v heading="### $1" -v fence='```'"$2" '
        /^##+ / { inside = $0 == heading }
        inside && $0 == "```" { shown = 0; print "" }
        shown
        inside && $0 == fence { shown = 1 }' "$SRCDIR/doc/results.md"
}

cat >one.df <<'TEXT'
input n = 9007199254740993
input flag = true
input wide = 9223372036854775807
result = if flag then n else wide
TEXT
sed '/wide/d' one.df >two.df
echo 'result = n' >>two.df
cat >speedup.yaml <<'TEXT'
program: [one.df, two.df]
settings: {pe.count: [1, 2]}
inputs: {n: [9007199254740993, 89]}
series: true
TEXT
expect 0 sweep run -q speedup.yaml --csv speedup.csv
rm one.df two.df
