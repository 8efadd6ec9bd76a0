#!/bin/sh
# shellcheck disable=SC2016 # backquotes, $var
# hiaton trace export: what it writes is read back by programs of others, and they find as many rows
# as there were events. Those that are not installed are named, and the test counts as skipped.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
schemas=$SRCDIR/tests/data/exports
skipped=0

# has PROGRAM PACKAGE: whether it can be used; says so if not.
has() {
    command -v "$1" >/dev/null && return
    case " ${named:-} " in *" $1 "*) ;; *) echo "SKIPPED: there is no $1 (Debian package $2)" ;; esac
    named="${named:-} $1"
    skipped=1
    false
}

is() { [ "$2" -eq "$3" ] || fail "$1: $2, expected $3"; }
of() { sed -n "s/^  \"$1\": \([0-9]*\),.*/\1/p" stats; }
rows() { grep -cE "^[0-9]*,[0-9]*,$1," run.csv; }
export_to() {
    rm -rf run.out
    expect 0 trace export run.rec --to "$1" -o run.out --arrows 1000000
    silent
}

read_sqlite() {
    has sqlite3 sqlite3 || return
    export_to sqlite
    ask() { sqlite3 run.out "$1"; }
    [ "$(ask 'PRAGMA integrity_check')" = ok ] || fail 'the database is damaged'
    is 'events' "$(ask 'SELECT count(*) FROM events')" "$(($(wc -l <run.csv) - 1))"
    is 'fired' "$(ask "SELECT count(*) FROM named_events WHERE event = 'fired' AND opcode <> ''")" \
        "$(of firings)"
    is 'calls' "$(ask 'SELECT sum(is_call) FROM activations')" "$(of calls)"
    is 'activations' "$(ask 'SELECT count(*) FROM activations')" "$made"
    is 'gone' "$(ask 'SELECT count(gone) FROM activations')" "$(rows gone)"
    is 'children older than parents' "$(ask 'SELECT count(*) FROM activations a
        JOIN activations p ON a.parent = p.serial WHERE a.serial <= p.serial OR a.gone > p.gone')" 0
    is 'tokens' "$(ask "SELECT count(*) FROM events WHERE event IN ('taken', 'let go')
        AND \"from\" <> 'the start' AND how IN ('fires', 'matches', 'waits', 'is absorbed')")" \
        "$(of tokens)"
    is 'kinds' "$(ask 'SELECT count(*) FROM events WHERE event NOT IN (SELECT event FROM kinds)')" 0
}

# Values of feeds have the type of their port.
read_sqlite_feeds() {
    has sqlite3 sqlite3 || return
    for type in int:7:integer:7 real:2.5:real:2.5 bool:true:integer:1; do
        (IFS=:; set -- $type
            printf 'port in xs : [%s]\nresult = xs[0]\n' "$1" >port.df
            echo "$2" >feeds.txt
            echo "$4|$3" >expected)
        expect 0 run -q port.df --port xs=feeds.txt --record run.rec
        export_to sqlite
        sqlite3 run.out "SELECT value, typeof(value) FROM events WHERE event = 'feed'" >out
        same expected out
    done
}

# last_count NAME: the last value of a counter of Perfetto, in `decoded`.
last_count() {
    awk -v name="\"$1\"" '
        /^    uuid:/ { uuid = $2 }
        /^    name:/ && $0 ~ name { track = uuid }
        /^    track_uuid:/ { at = $2 }
        /^    counter_value:/ && at == track { value = $2 }
        END { print value }' decoded
}

read_perfetto() {
    has protoc protobuf-compiler || return
    export_to perfetto
    protoc --decode=perfetto.protos.Trace -I"$schemas" "$schemas/perfetto.proto" <run.out >decoded ||
        fail 'protoc cannot read it'
    category() { grep -c "^    category_iids: $1\$" decoded; }
    is 'fires' "$(category 1)" "$(of firings)"
    is 'hiatons' "$(category 2)" "$(of dead_firings)"
    is 'activations' "$(category 4)" "$made"
    is 'begins' "$(grep -c 'type: TYPE_SLICE_BEGIN' decoded)" \
        $((firings + made + $(category 3) + $(category 5)))
    is 'arrows' "$(grep -c '^    flow_ids:' decoded)" "$(rows 'sent( dead)?')"
    is 'arrows that end' "$(grep -c '^    terminating_flow_ids:' decoded)" "$(paired)"
    is 'fields that the schema has not' "$(grep -cE '^ *[0-9]+[ :]' decoded)" 0
    # The viewer shows PEs in their order only if they have ranks, and the root says so.
    is 'ranks' "$(grep -c '^    sibling_order_rank:' decoded)" "$(grep -c '^    process {' decoded)"
    is 'an order' "$(grep -c '^    process_ordering: 1$' decoded)" 1
    # A track of an event, and the parent of a track, is there, and was before.
    awk '
        /^    uuid:/ { there[$2] }
        /^    (track_uuid|parent_uuid):/ && !($2 in there) { print; bad = 1 }
        END { exit bad }' decoded >out || fail 'there is no such track'
    # The top level ends with the run, and no activation is left.
    is 'activations that end' "$(last_count activations)" 0
    # On a track nothing overlaps, and each begin has its end, but for activations that live on.
    awk '
        /^packet/ { time = track = type = 0 }
        /^  timestamp:/ { time = $2 }
        /^    type:/ { type = $2 }
        /^    track_uuid:/ { track = $2 }
        /^}/ && type == "TYPE_SLICE_BEGIN" {
            if (open[track] || time < ended[track]) { print "overlap on track " track " at " time; bad = 1 }
            open[track] = 1
        }
        /^}/ && type == "TYPE_SLICE_END" {
            if (!open[track]) { print "no begin on track " track " at " time; bad = 1 }
            open[track] = 0
            ended[track] = time
        }
        END { exit bad }' decoded >out || fail 'slices do not nest'
}

# How many tokens were taken by an instruction that fired.
paired() {
    expect 0 trace export run.rec --to konata -o run.kanata --arrows 1000000
    grep -c '^W' run.kanata
}

read_chakra() {
    has protoc protobuf-compiler || return
    has perl perl || return
    export_to chakra
    # protoc reads one message: each of the stream becomes a field of it.
    perl -e '
        binmode STDIN; binmode STDOUT; local $/; my ($all, $at, $key) = (<STDIN>, 0, "\x12");
        while ($at < length $all) {
            my ($start, $length, $shift, $byte) = ($at, 0, 0);
            do { $byte = ord substr $all, $at++, 1; $length |= ($byte & 127) << $shift; $shift += 7 }
                while $byte & 128;
            print $key, substr $all, $start, $at - $start + $length;
            ($at, $key) = ($at + $length, "\x0a");
        }' <run.out >wrapped
    protoc --decode=ChakraProtoMsg.Stream -I"$schemas" "$schemas/chakra.proto" <wrapped >decoded ||
        fail 'protoc cannot read it'
    is 'nodes' "$(grep -c '^  type: COMP_NODE$' decoded)" "$firings"
    paired >/dev/null # writes run.kanata
    is 'dependences' "$(grep -c '^  data_deps:' decoded)" "$(grep '^W' run.kanata | sort -u | wc -l)"
    # Chakra's feeder waits without end for a node that names one dependence twice.
    awk '/^  id:/ { id = $2 } /^  data_deps:/ && seen[id, $2]++ { bad = 1; exit } END { exit bad }' decoded ||
        fail 'a node names a dependence twice'
    is 'fields that the schema has not' "$(grep -cE '^ *[0-9]+[ :]' decoded)" 0
    awk '/^  id:/ { id = $2; start = 0 } /^  data_deps:/ { if ($2 >= id) exit bad = 1 }
        END { exit bad }' decoded || fail 'a node depends on a later one'
}

read_vcd() {
    export_to vcd
    for form in fst lxt vzt; do
        to=vcd2$form
        [ $form != lxt ] || to=vcd2lxt2
        has "$to" gtkwave || return
        has "${form}2vcd" gtkwave || return
        "$to" run.out "run.$form" >out 2>err || fail "$to cannot read it"
        "${form}2vcd" "run.$form" >decoded 2>/dev/null || fail "what $to wrote cannot be read"
        is "fired, by $to" "$(awk '
        $1 == "$var" { name[$4] = $5 }
        /^#/ { now = substr($1, 2) }
        /^b/ && name[$2] == "fired" {
            sum += value[$2] * (now - since[$2])
            value[$2] = 0
            since[$2] = now
            for (i = 2; i <= length($1); i++)
                value[$2] = 2 * value[$2] + substr($1, i, 1)
        }
        END { print sum + 0 }' decoded)" "$firings"
        is "signals, by $to" "$(grep -c '^\$var' decoded)" "$(grep -c '^\$var' run.out)"
    done
}

read_paje() {
    has pj_dump pajeng || return
    export_to paje
    pj_dump run.out >decoded 2>err || fail 'pj_dump cannot read it'
    is 'states' "$(grep -c '^State,' decoded)" "$firings"
    is 'links' "$(grep -c '^Link,' decoded)" "$(rows 'sent( dead)?')"
}

read_otf2() {
    rm -rf run.otf2
    if ! "$HIATON" trace export run.rec --to otf2 -o run.otf2 2>err; then
        grep -q 'built without OTF2' err || fail 'it cannot be written'
        echo 'SKIPPED: this hiaton was built without OTF2 (Debian package libopen-trace-format2-dev)'
        skipped=1
        return
    fi
    has otf2-print otf2-tools || return
    export_to otf2
    otf2-print run.out/traces.otf2 >decoded 2>err || fail 'otf2-print cannot read it'
    is 'enter' "$(grep -c '^ENTER' decoded)" "$firings"
    is 'leave' "$(grep -c '^LEAVE' decoded)" "$firings"
    # Each token to another PE is a message, which is received once, by whom it was sent to; of an
    # executor none.
    messages=$(awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        ($3 == "sent" || $3 == "sent dead") && $at["pe"] != $at["to"] { n++ }
        END { print n + 0 }' run.csv)
    case $ran in *executor*) messages=0 ;; esac
    is 'sends' "$(grep -c '^MPI_SEND' decoded)" "$messages"
    is 'receives' "$(grep -c '^MPI_RECV' decoded)" "$messages"
    sed -n 's/^MPI_\([SR]\)[A-Z]* *\([0-9]*\) *\([0-9]*\).*er: \([0-9]*\) ("[^"]*" <\([0-9]*\)>).*Tag: \([0-9]*\),.*/\1 \2 \3 \5 \6/p' decoded |
        awk '
            $1 == "S" { from[$5] = $2; to[$5] = $4; at[$5] = $3 }
            $1 == "R" && (from[$5] != $4 || to[$5] != $2 || at[$5] > $3) { print; bad = 1 }
            $1 == "R" { delete from[$5]; n++ }
            END { exit bad || n != '"$messages"' }' >out || fail 'messages do not match'
    otf2-print -G run.out/traces.otf2 >decoded 2>err || fail 'otf2-print cannot read its definitions'
}

check() {
    ran=$*
    expect 0 run "$@" --json --record run.rec
    cp out stats
    firings=$(($(of firings) + $(of dead_firings)))
    expect 0 trace export run.rec --to csv -o run.csv
    made=$(rows '(present|call|iteration|gather)')
    read_sqlite
    read_perfetto
    read_chakra
    read_vcd
    read_paje
    read_otf2
}
check "$examples/fib.df" n=10
check "$examples/power.df"
check "$examples/jacobi.df" n=4 --strategy expanding
check "$examples/sieve.df" n=12 -s deadness=propagate
check "$examples/queens.df" n=4 -m tf-executor
read_sqlite_feeds

[ "$failures" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || exit 77
