#!/bin/sh
# Completion: what the program offers is what it takes, for every command and option. That the
# shells show
# it: complete_shells.sh. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

tab=$(printf '\t')

# words ARGUMENT...: the words that are offered.
words() { "$HIATON" --complete "$@" 2>err | sed "1d; s/$tab.*//"; }

# offers 'WORD...' ARGUMENT...: these, and no others; of files the first line.
offers() {
    offers_wanted=$1
    shift
    last="--complete $*"
    "$HIATON" --complete "$@" >out 2>err || fail "it failed"
    [ ! -s err ] || fail "something on standard error"
    offers_found=$(sed "s/$tab.*//; /^:nothing\$/d" out | tr '\n' ' ')
    [ "$offers_found" = "${offers_wanted:+$offers_wanted }" ] || fail "offered: $offers_found"
}

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

# --- every command and option --------------------------------------------------

# walk WORD...: a command or a group of them. What is misspelt below is refused with all choices
# that are offered: so both are of one mind. Values that no table has are offered nothing;
# `:unknown' is a name of a value that sim/cli/complete_value.c lacks.
commands=0
walk() {
    case $(words "$@" '' | tr '\n' ' ') in
    *' help ')
        for walk_word in $(words "$@" '' | grep -vx help); do walk "$@" "$walk_word"; done
        return
        ;;
    esac
    commands=$((commands + 1))
    expect 0 --complete "$@" ''
    ! grep -q '^:unknown' out || fail "an argument that completion does not know"
    for option in $(words "$@" --); do
        expect 0 --complete "$@" "$option="
        ! grep -q '^:unknown' out || fail "a value that completion does not know"
        grep -q "$tab\$" out && choices "$option" "$@"
    done
}

# choices OPTION COMMAND...
choices() {
    choices_option=$1
    shift
    choices_words=$(grep "$tab\$" out | cut -f1 | sed 's/.*=//')
    if [ "$1" = results ]; then
        {
            "$HIATON" results show small.db --rows pe.count --values cycles --relative 'pe.count == 1' \
                "$choices_option=xyzzy"
            "$HIATON" results plot small.db --x pe.count --y cycles --relative 'pe.count == 1' \
                "$choices_option=xyzzy"
        } >out 2>err </dev/null
    else
        "$HIATON" "$@" "$choices_option=xyzzy" fact.df >out 2>err </dev/null
    fi
    last="$* $choices_option=xyzzy"
    for choice in $choices_words; do
        grep "expected.*found" err | grep -qwF -e "$choice" || fail "\`$choice' is offered, and not taken"
    done
}

walk
expect 0 --complete results rerun small.db ''
! grep -q '^:unknown' out || fail "an argument that completion does not know"
[ "$commands" -ge 16 ] || fail "only $commands commands were found"

# --- what is offered -----------------------------------------------------------

offers 'run replay results report' r
offers 'sweep' swe
offers '--version' --v
offers 'run' sweep r

# Settings of classes, whose names are the user's; columns are those of the database.
offers 'class.' run -s cla
offers 'class.a.pes= class.a.pe.units=' run -s class.a.p
offers '--set=class.a.stage.form.latency=' run --set=class.a.stage.fo
offers 'class.a.pe.units=1' run -s class.a.pe.units=
offers 'class.a.units=alu' run -s class.a.units=al
offers 'class.a.units=mul' run -s class.a.units=mu
cat >classes.yaml <<'TEXT'
program: fact.df
settings: {class.slow.pes: 0-1, class.slow.unit.alu.latency: [2, 3]}
TEXT
expect 0 sweep run -q classes.yaml
offers 'class.slow.pes class.slow.unit.alu.latency' results show classes.db --rows class
offers 'cycles,class.slow.pes' results show classes.db --values cycles,class.slow.p
offers 'inputs.n inputs.scale' results plot small.db --x inp
offers 'show csv latex plot all rerun schema' results ''
offers ':files db' results rerun ''
offers '--program' results rerun small.db --pro
offers ':files db' results all ''
offers 'slurm make parallel' sweep emit ''
offers ':files yaml' sweep emit make ''
offers ':files yaml' sweep run ''
offers ':folders' sweep run --outputs ''
offers '--profile' run --pr
offers 'static expanding' run --strategy ''
offers 'static' run --strategy s
offers '--strategy=static' run --strategy=s
offers '' run --seed ''
offers ':files' run --stats ''
offers ':files yaml ideal' run -m id
offers ':files yaml horowitz-45nm' run --energy h
offers 'pe.count=' run -s pe.c
offers 'network.topology=crossbar' run --set network.topology=c
offers 'pe.count=16' run --set pe.count=
offers '' run --set no.such=
offers 'n= scale=' run fact.df ''
offers 'scale=' compare --jobs 2 fact.df n=3 s
offers '' run no-such.df n
offers '' run - n
offers 'times curve' results show small.db ''
offers 'curve' results plot small.db ''
offers '' results plot fact.df ''
offers 'cycles,firings' results show small.db --values cycles,fir
offers 'speedup' compare --columns spe
offers 'pe.count' results show small.db --where pe.co
offers 'n= scale=' sweep run small.yaml --input ''
offers 'live_tokens' results plot small.db --series liv
offers 'firings,utilisation' results plot small.db --pe firings,ut
offers 'load,mean_wait' results plot small.db --links load,me
offers 'actual ideal' results plot small.db --profile ''
offers 'run' help ru
offers 'run' help sweep r

count() { "$HIATON" "$@" --json | grep -c '"key": '; }
[ "$(words run -s '' | grep -cvx 'class\.')" -eq "$(count settings)" ] || fail "not all settings are offered"
for statistic in $("$HIATON" settings --statistics | sed '/^$/,$d; s/ .*//'); do
    words compare --columns '' | grep -qxF "$statistic" || fail "\`$statistic' is not offered"
done
exit $((failures > 0))
