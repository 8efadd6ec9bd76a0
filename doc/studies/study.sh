# What the scripts of measurements share; read by them with `.'. HIATON is the program to run, build/hiaton if not given.
# shellcheck shell=sh disable=SC2034 # some use what others do not
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../programs
examples=$programs/examples
experiments=$programs/experiments
hiaton=${HIATON:-$here/../../build/hiaton}
case $hiaton in */*) hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/} ;; esac

# keep NAME: results are kept in the folder NAME.results of the current one, so that a second time nothing is run again.
keep() {
    mkdir -p "$1.results"
    cd "$1.results"
}

# sweep EXPERIMENT [OPTION...]: runs it; its figures go beside the page. OPTIONs are those of `hiaton sweep run'.
sweep() {
    experiment=$1
    shift
    "$hiaton" sweep run "$@" "$experiments/$experiment.full.yaml" -o "$experiment.db" --outputs "$experiment"
    cp "$experiment"/*.svg "$here"
}

# show EXPERIMENT OPTION...: a table of its results.
show() {
    database=$1
    shift
    "$hiaton" results show "$database.db" "$@"
    echo
}

# tables EXPERIMENT: all tables that it names.
tables() {
    sed -n '/^tables:/,/^figures:/s/^  - name: //p' "$experiments/$1.full.yaml" | while read -r table; do
        show "$1" "$table"
    done
}
