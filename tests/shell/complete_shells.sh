#!/bin/sh
# bash, zsh and fish complete command lines, where they are installed. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

tab=$(printf '\t')

cat >fact.df <<'TEXT'
input n = 3
input scale = 2.5
result = (fact(n), scale)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
cat >small.yaml <<'TEXT'
program: fact.df
settings: {pe.count: [1, 2]}
tables: [{name: times, rows: pe.count, values: cycles}]
figures: [{name: curve, x: pe.count, y: cycles}]
TEXT
expect 0 sweep run -q small.yaml

# Each line is typed, with a tab behind it, and then the arguments that hiaton gets.
mkdir bin outputs
ln -s "$HIATON" bin/hiaton
PATH=$scratch/bin:$PATH
cat >typed <<'TEXT'
hiaton ru:run
hiaton run --prof:run --profile
hiaton run --set pe.cou:run --set pe.count=
hiaton run --set=network.topology=cr:run --set=network.topology=crossbar
hiaton run --set network.file=fac:run --set network.file=fact.df
hiaton run --set=network.file=./fac:run --set=network.file=./fact.df
hiaton run -m idea:run -m ideal
hiaton sweep run sm:sweep run small.yaml
hiaton run fact.df sc:run fact.df scale=
hiaton compare --columns=cycles,firi:compare --columns=cycles,firings
hiaton results plot small.db c:results plot small.db curve
hiaton sweep run small.yaml --outputs o:sweep run small.yaml --outputs outputs
TEXT

# shell_shows NAME: what it made of these lines is in the file found, a line each.
shell_shows() {
    last="in $1"
    sed 's/.*://' typed >wanted
    tr -d '\r' <found | sed 's|/*>.*||; s|/$||' >found.plain
    cmp -s wanted found.plain || { fail "other completions:"; diff wanted found.plain; }
}

scripts=$SRCDIR/sim/completion
skipped=
if command -v bash >/dev/null && script -qec true /dev/null >out 2>err </dev/null; then
    {
        # shellcheck disable=SC2016 # for bash
        printf '. %s/hiaton; hiaton() { printf "%%s>\\n" "$*" >>found; }\n' "$scripts"
        sed "s/:.*/$tab/" typed
        echo exit
    } >keys
    : >found
    script -qec 'bash --norc --noprofile -i' /dev/null <keys >out 2>err
    shell_shows bash
else
    skipped="$skipped bash"
fi
if command -v zsh >/dev/null; then
    # shellcheck disable=SC2016 # for zsh
    cat >keys.zsh <<'TEXT'
zmodload zsh/zpty || exit
zpty z zsh -f -i
next() { # reads until what was asked for is there
    local piece text=
    while zpty -r z piece; do
        text+=$piece
        [[ $text == *@@*@@* ]] && break
    done
    print -r -- ${${text#*@@}%%@@*}
}
zpty -w z "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; hiaton() { print -r -- $'\100\100'\"\$*\"$'\100\100' }; hiaton ready"
next >/dev/null
while IFS= read -r line; do
    zpty -w z "${line%%:*}"$'\t'
    next
done <typed
TEXT
    timeout 60 zsh -f keys.zsh "$scripts" >found 2>err </dev/null
    shell_shows zsh
else
    skipped="$skipped zsh"
fi
if command -v fish >/dev/null; then
    mkdir home
    # shellcheck disable=SC2016 # for fish
    cat >keys.fish <<'TEXT'
source $argv[1]/hiaton.fish
while read -l line
    set -l typed (string split ':' -- $line)[1]
    set -l words (complete -C "$typed" | string replace -r '\t.*' '')
    string join ' ' -- (string split ' ' -- $typed)[2..-2] $words
end <typed
TEXT
    HOME=$scratch/home fish --no-config keys.fish "$scripts" >found 2>err </dev/null
    shell_shows fish
else
    skipped="$skipped fish"
fi
[ "$failures" -eq 0 ] || exit 1
[ -z "$skipped" ] || {
    echo "SKIPPED: completion in$skipped: not installed (Debian packages bash, bsdutils, zsh, fish)"
    exit 77
}
exit 0
