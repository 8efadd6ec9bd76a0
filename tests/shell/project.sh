#!/bin/sh
# What the project has besides the program: workflows call ./quickstart with stages that exist,
# every file of .github is distributed, and ./release has the text of the tag. HIATON is the program.
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
last='(the project)'
: >out
: >err

# --- workflows and templates -------------------------------------------------------

for name in check ci fuzz; do
    file=$SRCDIR/.github/workflows/$name.yml
    [ "$(grep -c '^name:' "$file")" -eq 1 ] || fail "$name.yml: expected one name"
    grep -qE '^ *- run: \./quickstart check( [a-z]+)*$' "$file" || fail "$name.yml does not call ./quickstart check"
    stages=$(sed -n 's|^ *- run: \./quickstart check *||p' "$file")
    for stage in $stages; do
        # shellcheck disable=SC1091
        (. "$SRCDIR/tests/check.sh" && list_stages) | grep -qE "^$stage( |:)" || fail "$name.yml: no stage $stage"
    done
    # Anything else that runs would be a second build beside quickstart's.
    [ "$(grep -c 'run:' "$file")" -eq 1 ] || fail "$name.yml runs something else"
done
grep -q '^  pull_request:' "$SRCDIR/.github/workflows/check.yml" || fail 'check does not run on changes'
grep -q "cron: '[0-9]* [0-9]* \* \* \*'" "$SRCDIR/.github/workflows/ci.yml" || fail 'ci does not run each night'
grep -q "cron: '[0-9]* [0-9]* \* \* [0-6]'" "$SRCDIR/.github/workflows/fuzz.yml" || fail 'fuzz does not run each week'
for file in "$SRCDIR"/.github/*/*.yml; do
    grep -n "$(printf '\t')" "$file" && fail "$file has tabs"
    case $file in *ISSUE_TEMPLATE/config.yml | */workflows/*) continue ;; esac
    grep -q '^body:$' "$file" || fail "$file: expected a body"
done
[ -f "$SRCDIR/.github/PULL_REQUEST_TEMPLATE.md" ] || fail 'no template for changes'
[ -f "$SRCDIR/SECURITY.md" ] || fail 'no SECURITY.md'

# --- the release ---------------------------------------------------------------------

version=$("$HIATON" --version | sed -n 's/^hiaton //p')
"$SRCDIR/release" --tag-text >out 2>err || fail 'no text of the tag'
[ "$(head -n 1 out)" = "Hiaton $version" ] || fail 'the text of the tag does not begin with the version'
[ "$(wc -l <out)" -gt 10 ] || fail 'the text of the tag is short'
grep -q '^## ' out && fail 'the text of the tag has another section'
"$SRCDIR/release" --nonsense >out 2>err
[ $? -eq 2 ] || fail 'a wrong option is accepted'
mkdir other
cp "$SRCDIR/release" "$SRCDIR/configure.ac" "$SRCDIR/CITATION.cff" other
sed 's/^## 0/## 9/' "$SRCDIR/CHANGELOG.md" >other/CHANGELOG.md
other/release --tag-text >out 2>err
[ $? -eq 2 ] || fail 'a version that CHANGELOG.md does not have is accepted'
err_has 'CHANGELOG.md: expected a section '

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
