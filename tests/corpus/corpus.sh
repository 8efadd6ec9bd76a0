#!/bin/sh
# The corpus: what the program prints and writes, for whoever changes the house and not what it
# does.
#
#   corpus.sh make HIATON FOLDER     writes all outputs of HIATON to FOLDER
#   corpus.sh compare OLD NEW        says what differs between two such folders; status 1 if anything does
#   corpus.sh read HIATON FOLDER     HIATON reads the recordings, files of events and databases in FOLDER,
#                                    and its outputs are compared with those of who wrote them
#
# Each file of FOLDER/out has calls, one behind the other: the words, what it printed, its messages
# and status, and what it wrote. FOLDER/kept has files to be read. With HIATON_QUICK a tenth is
# made, which may be compared with a whole. JOBS says how many processes work (default: one for each
# processor). SRCDIR is the source tree.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR MAKEFLAGS MFLAGS MAKELEVEL
SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
script=$SRCDIR/tests/corpus/corpus.sh
examples=$SRCDIR/programs/examples
export SRCDIR
limits='-s limits.tokens=30000 -s limits.cycles=3000000' # the last of several wins: what settings.tbl says

die() {
    echo "corpus.sh: $*" >&2
    exit 2
}

# --- calls ------------------------------------------------------------------------------

# call WORD...: HIATON with these words, all that it says and how it ends.
call() {
    echo "== $*"
    timeout -k 5 60 "$HIATON" "$@" 2>err </dev/null
    status=$?
    sed 's/^/! /' err
    echo "== status $status"
}

# wrote FILE...: what a call wrote, of what is no text a digest.
wrote() {
    for file in "$@"; do
        echo "== $file"
        case $file in
        *.rec | *.hev | *.hi | *.db | *.npy | *.otf2) sha256sum <"$file" ;;
        *) cat "$file" ;;
        esac
    done 2>&1
}

# What depends on the host and the hour, and not on the program: as JSON, in a row, in a text.
same_everywhere() {
    sed -e '/^  "host": {$/,/^  }$/d' \
        -e 's/"\(wall_seconds\|firings_per_second\|peak_rss_bytes\|seconds\|rss_bytes\|started\|ended\)": [^,}]*/"\1": -/g' \
        -e 's/[0-9.]* examples per second/- examples per second/' "$@"
}

# The inputs of an example with the fewest calls, but more than `least'.
inputs_of() {
    awk -F'|' -v name="$1" -v least="${2:-1}" '$1 == name && $4 > least && (best == "" || $4 < best) { best = $4; inputs = $2 }
        END { print inputs }' "$SRCDIR/tests/data/examples.tbl"
}

# run EXAMPLE PRESET STRATEGY NUMBER: on each machine of the table; of a tenth the tenth that NUMBER
# says.
job_run() {
    cp "$examples/$1.df" .
    ln -s "$files"/*.xml "$files"/map.yaml .
    inputs=$(inputs_of "$1")
    grep -v '^#' "$SRCDIR/tests/corpus/settings.tbl" | awk -v part="$4" -v every="$every" 'NR % every == part % every' >settings
    while read -r line; do
        set -- "$1" "$2" "$3" "$4" --
        for word in $line; do
            case $word in
            seed=*) set -- "$@" "--$word" ;;
            *) set -- "$@" -s "$word" ;;
            esac
        done
        (
            name=$1 preset=$2 strategy=$3
            shift 5
            # shellcheck disable=SC2086 # words
            call run --json -m "$preset" --strategy="$strategy" $limits "$@" "$name.df" $inputs
        )
    done <settings
}

# observe EXAMPLE STRATEGY SETTINGS: all that is said of one run.
job_observe() {
    cp "$examples/$1.df" .
    p=$1.df strategy=--strategy=$2
    shift 2
    inputs=$(inputs_of "${p%.df}")
    set -- "$strategy" -s limits.tokens=20000 "$@"
    # shellcheck disable=SC2086 # words
    {
        call run "$@" --profile --series=series.csv --stats=stats.json --energy=horowitz-45nm "$p" $inputs
        wrote series.csv stats.json
        for by in function line opcode; do
            call run "$@" --by=$by "$p" $inputs
            call run "$@" --by=$by --json "$p" $inputs
        done
        call run "$@" --window=20..200 "$p" $inputs
        call run "$@" --window=20..200 --json --energy=horowitz-45nm "$p" $inputs
        call analyse "$@" --figure=run.svg --thin=mean "$p" $inputs
        wrote run.svg
        call run -q "$@" --record=r.rec --checkpoint=100 --trace=e.hev --level=queues "$p" $inputs
        call run -q "$@" --seed=4 -s placement.policy=random --record=o.rec "$p" $inputs
        call interp "$p" $inputs
        call interp --json "$strategy" "$p" $inputs
    }
    wrote r.rec e.hev
    call replay r.rec
    call replay --json r.rec
    call analyse e.hev
    call analyse --csv e.hev
    call analyse r.rec --json
    call analyse r.rec --cycles=20..150
    call analyse e.hev --figure=a.svg
    wrote a.svg
    for by in function line opcode cause; do
        call analyse --by=$by r.rec
        call analyse --by=$by --json r.rec
    done
    call analyse --causes --csv e.hev
    call analyse --chain r.rec
    call analyse --why=result r.rec
    call analyse --why=cycle:60 --json r.rec
    call analyse --why-stopped r.rec
    call analyse --what-if='unit(alu)=3' --what-if=network.latency=1 r.rec
    call trace info r.rec
    call trace info e.hev
    call trace text --cycles=0..151 --present r.rec
    call trace text --cycles=50..101 --json e.hev
    call trace diff r.rec o.rec
    call trace diff --json r.rec o.rec
    for format in perfetto konata paje vcd chakra csv collapsed speedscope; do
        call trace export e.hev --to=$format -o "x.$format"
        if [ -d "x.$format" ]; then wrote "x.$format"/*; else wrote "x.$format"; fi
    done
    call report r.rec -o page.html
    wrote page.html
}

# compile EXAMPLE: each form of a program.
job_compile() {
    cp "$examples/$1.df" .
    p=$1.df
    inputs=$(inputs_of "$1")
    for dump in parse functions static image; do
        call graph "$p" --stage=$dump
    done
    for settings in loop.constants=copies 'grad.mode=paired -s grad.params=dense'; do
        # shellcheck disable=SC2086
        call graph "$p" --stage=image -s $settings
    done
    for strategy in static expanding; do
        call compile --strategy=$strategy "$p" -o $strategy.hi
        wrote $strategy.hi
        call disasm $strategy.hi
        # shellcheck disable=SC2086
        call run -q $strategy.hi $inputs
    done
    call disasm static.hi -o text.dfa
    call asm text.dfa -o again.hi
    wrote again.hi
    for stage in functions static image expanding; do
        for format in text dot json; do
            call graph --stage=$stage --format=$format "$p"
        done
    done
    for by in function random metis; do
        call graph --stage=partitioned --format=text -s partition.by=$by -s partition.machines=3 "$p"
    done
    # shellcheck disable=SC2086
    {
        call graph --format=dot --heat=busy "$p" $inputs
        call compare "$p" $inputs
        call compare --json -s pe.count=4 "$p" $inputs
        call compare --csv -s cluster.nodes=4 "$p" $inputs
        call compare --latex "$p" $inputs
        call partition -j 1 --runs=6 -s cluster.nodes=3 "$p" $inputs -o found.yaml
    }
    wrote found.yaml
}

# network SETTINGS: a network alone.
job_network() {
    ln -s "$files"/*.xml .
    # shellcheck disable=SC2046 # words
    set -- $(for word in "$@"; do echo "-s $word"; done)
    call network --show "$@"
    call network --show --json "$@"
    for pattern in uniform transpose tornado hotspot neighbour; do
        call network "$@" --pattern=$pattern --load=0.1,0.4 --cycles=1500 --warm-up=200
    done
    call network "$@" --load=0.05:0.6:0.25 --cycles=1500 --warm-up=200 --json --links=links.csv
    wrote links.csv
    call network "$@" --load=0.3 --cycles=1000 --warm-up=200 --csv --figure=n.svg
    wrote n.svg
}

# sweep EXPERIMENT: results, tables and figures.
job_sweep() {
    cp -R "$SRCDIR/programs/examples" "$SRCDIR/programs/experiments" "$SRCDIR/programs/training" .
    cp "$files"/*.yaml experiments
    cd experiments || exit
    call sweep list "$1.yaml"
    call sweep emit make "$1.yaml" --shards=2
    call sweep run -q -j 1 "$1.yaml" -o r.db --csv=r.csv --json=r.json --outputs=figures
    wrote r.csv r.json figures/*.tex figures/*.csv figures/*.gp figures/*.dat figures/*.txt 2>/dev/null
    for detail in pe links series profile epochs; do
        call results csv r.db --detail=$detail
    done
    call results show r.db
    call results show r.db --rows=program --values=cycles,firings --below=mean
    call results csv r.db --rows=pe.count --values=cycles,utilisation
    call results latex r.db --rows=pe.count --columns=program --values=cycles
    call results rerun r.db 1 2
    call results rerun r.db 1 --json
}

# train: what is trained, and trees.
job_train() {
    cp "$SRCDIR"/programs/training/* .
    call train treernn.df --trees=trees.txt --epochs=2 --threads=1 -o t
    wrote t/*.csv
    call train --json spirals.df --epochs=2 --threads=1 --method=sgd --rate=0.1 --momentum=0.9
    call train parser.df --trees=sentences.conllu --epochs=1 --steps=5 --threads=1
    call trees --count=20 --seed=3
    call trees --unroll=treernn.df trees.txt
    call trees --shuffle --seed=2 trees.txt
    call run -q treernn.df
}

# words: what the program says of itself.
job_words() {
    for command in '' run interp compare sweep 'sweep run' 'sweep list' 'sweep merge' 'sweep emit' 'sweep keys' results \
        'results rerun' replay trace 'trace info' 'trace text' 'trace diff' 'trace export' analyse report train trees \
        network platform partition graph compile asm disasm machines settings ops; do
        # shellcheck disable=SC2086
        call $command --help
    done
    call machines
    for machine in default ideal tf-executor tf-cluster; do
        call machines $machine
        call machines --json $machine
    done
    for form in '' --json --scdoc; do
        # shellcheck disable=SC2086
        {
            call settings $form
            call settings --statistics $form
            call settings --energies $form
            call ops $form
            call sweep keys $form
        }
    done
    call results schema
    for kind in star torus fattree dragonfly griffon; do
        call platform $kind
        call platform $kind --nodes 12
    done
    grep -v '^#' "$SRCDIR/tests/corpus/wrong.tbl" | while read -r line; do
        cp "$examples/fib.df" "$examples/mlp.df" "$files"/*.xml .
        # shellcheck disable=SC2086
        call $line
    done
}

# random SEED: calls that are drawn, of all commands and with all settings.
job_random() {
    mkdir calls
    KEEP=$PWD/kept N=$2 SEED=$1 LONGEST=60 "$SRCDIR/tests/shell/calls.sh" >says 2>&1
    cat kept says
}

# kept: files for those who come after.
job_kept() {
    kept=$folder/kept
    mkdir -p "$kept"
    cp "$examples"/*.df "$files"/*.xml .
    while read -r name words; do
        # shellcheck disable=SC2086
        call run -q --record="$name.rec" --trace="$name.hev" --level=queues --checkpoint=200 $words
        cp "$name.rec" "$name.hev" "$kept"
    done <<'ROWS'
plain fib.df n=8
general fib.df n=8 -s queue.capacity=30 -s network.capacity=4
expanding fft.df n=4 --strategy=expanding -s copy.capacity=300
routers matmul.df n=2 -s network.topology=torus -s network.capacity=3
executor ack.df m=2 n=3 -m tf-executor
cluster queens.df n=4 -s cluster.nodes=4 -s cluster.termination=counted -s fault.delay=100000
coordinator fib.df n=6 --strategy=expanding -s cluster.nodes=4 -s copy.placement=coordinator
platform gcd.df -s cluster.nodes=4 -s network.topology=simgrid -s network.platform=star.xml
native fib.df n=8 -s cluster.nodes=4 -s network.topology=simgrid -s network.platform=star.xml -s network.model=native
divided lcs.df n=6 -s partition.by=function -s partition.machines=4
tensors mlp.df n=2 -s memory.capacity=3000 -s swap.threshold=1000
units lstm.df steps=2 cells=1 -s tensor.unit.count=1 -s tensor.batch.until=idle
pools mergesort.df n=5 -s tag.scheme=pool -s tag.pool=9
ROWS
    cat >kept.yaml <<'TEXT'
program: [{file: fib.df, inputs: {n: 8}}, {file: queens.df, inputs: {n: 4}}]
strategy: [static, expanding]
series: true
pe: true
links: true
profile: true
settings:
  pe.count: [2, 4]
TEXT
    call sweep run -q -j 1 kept.yaml -o results.db
    cp results.db "$kept"
    read_kept
}

# What those say who come after: of all in FOLDER/kept.
read_kept() {
    for file in "$folder"/kept/*.rec; do
        name=$(basename "$file" .rec)
        cp "$file" "$folder/kept/$name.hev" .
        call replay "$name.rec"
        call analyse "$name.rec" --json
        call analyse --causes "$name.rec"
        call trace text --cycles=100..201 "$name.rec"
        call trace info "$name.rec"
        call analyse "$name.hev" --csv
        call trace text --cycles=..201 --present "$name.hev"
    done
    cp "$folder/kept/results.db" . || return
    call results csv results.db
    call results show results.db
    for detail in pe links series profile; do
        call results csv results.db --detail=$detail
    done
    call results rerun results.db --all -j 1
}

# --- work -------------------------------------------------------------------------------

# In a folder of its own, so that nothing that is printed has another path.
if [ "${1:-}" = job ]; then
    shift
    folder=$1 files=$1/files every=$2 kind=$3
    output=$(echo "$*" | cut -d ' ' -f 3- | tr -cs '[:alnum:].=\n-' '_')
    shift 3
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" || exit
    "job_$kind" "$@" >"$scratch.out" 2>&1
    same_everywhere "$scratch.out" >"$folder/out/$output"
    rm -f "$scratch.out"
    exit 0
fi

# The jobs, a line each, those that take long first.
jobs() {
    echo kept
    for seed in 1 2 3 4 5 6 7 8 9 10; do echo "random $seed 100"; done
    for name in suite matching fifo-lifo k-bounds causes corpus; do echo "sweep $name"; done
    echo train
    echo words
    n=0
    for topology in crossbar ring mesh torus hypercube omega fattree dragonfly flatfly; do
        n=$((n + 1))
        case $topology in dragonfly) count=72 ;; *) count=16 ;; esac
        echo "network network.topology=$topology pe.count=$count network.latency=$n"
        echo "network network.topology=$topology pe.count=$count network.capacity=8"
    done
    for program in "$examples"/*.df; do
        program=$(basename "$program" .df)
        echo "compile $program"
        echo "observe $program static -s pe.count=4"
        echo "observe $program expanding -s pe.count=3 -s copy.capacity=400"
    done
    for strategy in static expanding; do
        for preset in default ideal tf-executor tf-cluster; do
            for program in "$examples"/*.df; do
                n=$((n + 1))
                echo "run $(basename "$program" .df) $preset $strategy $n"
            done
        done
    done
}

make_corpus() {
    [ -x "$1" ] || die "no program $1"
    HIATON=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
    HIATON_MODULES=${HIATON_MODULES:-$(dirname "$HIATON")}
    export HIATON HIATON_MODULES
    mkdir -p "$2/out" "$2/files" || exit 2
    folder=$(cd "$2" && pwd)
    rm -f "$folder"/out/*
    (
        cd "$folder/files" || exit
        "$HIATON" platform star --nodes 16 -o star.xml
        "$HIATON" platform fattree --nodes 16 -o fattree.xml
        printf 'default: 1\n' >map.yaml
        cat >corpus.yaml <<'TEXT'
program: [../examples/fib.df, ../examples/matmul.df]
strategy: [static, expanding]
repeat: 2
series: true
pe: true
links: true
profile: true
measure: [causes, profile, bounds]
settings:
  pe.count: [2, 4]
  limits.tokens: 20000
TEXT
    )
    every=1
    [ -z "${HIATON_QUICK:-}" ] || every=10
    # Of a tenth every job of runs has a tenth of its machines; of the others each tenth is made.
    jobs | awk -v every="$every" '$1 == "run" || $1 == "kept" || $1 == "words" || ++n % every == 0' |
        xargs -P "${JOBS:-$(nproc)}" -L 1 "$script" job "$folder" "$every"
    echo "$(find "$folder/out" -type f | wc -l) files, $(cat "$folder"/out/* | grep -c '^== status') calls"
}

# differ OLD NEW: the calls of NEW that OLD has otherwise, or not at all.
differ() {
    awk '
        # A call that is made again is another one.
        function begin() { call = $0; while ((file, call) in seen) call = call " (again)"; seen[file, call]; n = 0 }
        FNR == 1 { file++; call = "" }
        call == "" && /^== / { begin() }
        file == 1 { old[call, ++n] = $0; count[call] = n }
        file == 2 { if (old[call, ++n] != $0) differs = 1 }
        /^== status/ {
            if (file == 2 && (differs || n != count[call])) print call
            call = ""
            differs = 0
        }' "$1" "$2"
}

compare() {
    # shellcheck disable=SC2015 # either is missing
    [ -d "$1/out" ] && [ -d "$2/out" ] || die "not two folders of a corpus: $1 $2"
    compared=0
    for file in "$2"/out/*; do
        name=$(basename "$file")
        compared=$((compared + $(grep -ac '^== status' "$file")))
        if [ ! -f "$1/out/$name" ]; then
            echo "$name: only in $2"
        elif ! cmp -s "$1/out/$name" "$file"; then # a tenth of a job is compared with what is there of it
            differ "$1/out/$name" "$file" | sed "s|^|$name: |"
        fi
    done >"$2/differ"
    cat "$2/differ"
    echo "$(wc -l <"$2/differ") of $compared calls differ"
    [ ! -s "$2/differ" ]
}

[ $# -eq 3 ] || set -- help
case $1 in
make) make_corpus "$2" "$3" ;;
compare) compare "$2" "$3" ;;
read)
    HIATON=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
    HIATON_MODULES=${HIATON_MODULES:-$(dirname "$HIATON")}
    export HIATON HIATON_MODULES
    folder=$(cd "$3" && pwd)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" || exit
    cp "$folder"/files/*.xml .
    read_kept >said 2>&1
    mkdir -p old/out new/out
    same_everywhere said >new/out/kept
    cp "$folder"/out/kept old/out/kept
    compare old new
    ;;
*) die 'usage: corpus.sh make HIATON FOLDER | compare OLD NEW | read HIATON FOLDER' ;;
esac
