#!/bin/sh
# The examples of doc/results.md in R, where it is installed with DBI and RSQLite. HIATON is the
# program.
set -u
# shellcheck source=tests/shell/elsewhere.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/elsewhere.sh"

command -v Rscript >/dev/null || skip "R (Debian package r-base-core)"
Rscript -e 'library(DBI); RSQLite::SQLite()' >out 2>err </dev/null ||
    skip "RSQLite (Debian package r-cran-rsqlite)"

examples R r | awk 'BEGIN { n = 1 } $0 == "" { n++; next } { print >("example" n ".R") }'
cat >check.R <<'TEXT'
stopifnot(identical(runs$result, rep(c("9007199254740993", "89"), 4)))
for (name in c("result", "value_digest", "timing_digest", "image_digest", "identity"))
    stopifnot(is.character(runs[[name]]))
stopifnot(all(nchar(runs$image_digest) == 32), all(runs$pe.count == c(1, 1, 2, 2)), sum(is.na(runs$inputs.wide)) == 4)
TEXT
cat >exact.R <<'TEXT'
stopifnot(as.character(runs$inputs.n[1]) == "9007199254740993")
stopifnot(as.character(runs$inputs.wide[1]) == "9223372036854775807")
stopifnot(units$unit[units$name == "cycles"] == "cycles")
TEXT
last='in R'
cat example1.R check.R exact.R >of_database.R
cat example2.R check.R >of_text.R
for script in of_database of_text; do
    Rscript $script.R >out 2>err </dev/null || fail "the example $script"
    grep -q '^2 .*2 ' out || fail "no mean of 2 PEs"
done
exit $((failures > 0))
