#!/bin/sh
# The DRAGNN host, compiled against an installed tree: its transitions and scores are those of the
# single graph, sentence by sentence, on any machine, with any batch, any number of threads and
# sessions, and however links are fed. BUILDDIR has a build.
# shellcheck disable=SC2016 # backquotes in messages
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
build=$(cd "$SRCDIR" && cd "${BUILDDIR:-build}" && pwd)
CC=${CC:-cc}
failed() { failures=$((failures + 1)); echo "FAILED: $*"; }
[ "${HIATON_SANITIZERS:-no}" = no ] || { echo "the library is tested in builds without sanitizers"; exit 77; }
command -v pkg-config >/dev/null || { echo "there is no pkg-config"; exit 77; }

prefix=$scratch/prefix
make -s -C "$build" install-library install-dist_dragnnDATA install-dist_trainingDATA prefix="$prefix" \
    made_folders="$scratch/made" >make.log 2>&1 || { failed "make install"; cat make.log; exit 1; }
PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
mkdir programs
cp -r "$prefix/share/hiaton/dragnn" "$prefix/share/hiaton/training" programs
chmod -R u+w programs
# shellcheck disable=SC2046,SC2086 # words
$CC -Wall -Wextra -Werror -O1 -I. programs/dragnn/*.c $(pkg-config --cflags --libs hiaton libfyaml) -pthread \
    -o dragnn >compile.log 2>&1 || { failed "the host is not compiled"; cat compile.log; exit 1; }
cd programs/dragnn || exit 1
dragnn() { ../../dragnn "$@"; }
file=../training/sentences.conllu

# --- as the single graph -------------------------------------------------------

settings='-s tensor.math=reference'
# shellcheck disable=SC2086
expect 0 train -q single.df m=16 --held 4 --batch 4 --rate 0.02 --epochs 3 $settings -o trained
sed -i 's/m: 64/m: 16/' parse.yaml numbers.yaml
sed 's|^param \([a-z]*\) : .*|\1 = file("trained/\1.npy")|' single.df >one.df
for sentence in 0 3 9 19 29; do
    # shellcheck disable=SC2086
    expect 0 interp -q one.df first=$sentence count=1 m=16 $settings
    echo "$sentence $(tr -d '(,)' <out)"
done >single.txt
for sentence in 0 3 9 19 29; do
    dragnn -e -s $sentence:1:1 parse.yaml $file
done >host.txt 2>&1
same single.txt host.txt

# --- whatever carries it -------------------------------------------------------

dragnn -e parse.yaml $file >whole.txt 2>err.txt || { failed "dragnn"; cat err.txt; }
# variant WHAT OPTION...: the host says the same.
variant() {
    what=$1
    shift
    dragnn -e "$@" >variant.txt 2>err.txt || { failed "$what"; cat err.txt; }
    cmp -s whole.txt variant.txt || { failed "$what: another outcome"; diff whole.txt variant.txt | head -n 5; }
}
variant "batches of 3" -b 3 parse.yaml $file
variant "all sentences at once" -b 40 parse.yaml $file
variant "8 threads" -j 8 parse.yaml $file
variant "8 threads, batches of 2" -j 8 -b 2 parse.yaml $file
printf 'base: default\nplacement.policy: random\npe.count: 7\n' >random.yaml
printf 'base: default\ntensor.batch.until: idle\nunit.tensor.latency: 100\n' >idle.yaml
for machine in ideal random.yaml idle.yaml tf-executor; do
    sed "s/^machine: .*/machine: $machine/" parse.yaml >machine.yaml
    variant "on $machine" -s 0:1:0 machine.yaml $file
done
sed '/^machine:/d' parse.yaml >untimed.yaml
variant "without a machine" untimed.yaml $file
variant "links as numbers of rows" numbers.yaml $file

# A beam of 4: the same with any threads and batches; no score of the whole file is worse than that
# of greed.
dragnn -e -k 4 parse.yaml $file >beam.txt
dragnn -e -k 4 -j 8 -b 3 parse.yaml $file >beams.txt
same beam.txt beams.txt
total() { awk '{ score += $6 } END { printf "%.6f\n", score }' "$1"; }
[ "$(printf '%s\n%s\n' "$(total whole.txt)" "$(total beam.txt)" | sort -g | tail -n 1)" = "$(total beam.txt)" ] ||
    failed "a beam of 4 finds worse scores: $(total beam.txt), $(total whole.txt)"

# --- a pool --------------------------------------------------------------------

# Eight threads make at most 8 sessions. They may make fewer, so that memory is compared with one
# thread: what is allocated when all sentences are done, in KiB, which is the same in each run.
dragnn -v -j 8 -s 10:1:1 -r 64 parse.yaml $file 2>err.txt >/dev/null || { failed "8 threads"; cat err.txt; }
awk '/sessions in the pool/ { found = $1 >= 1 && $1 <= 8 } END { exit !found }' err.txt ||
    failed "expected 1 to 8 sessions: $(cat err.txt)"
allocated() {
    dragnn -v "$@" parse.yaml $file 2>err.txt >/dev/null || { failed "dragnn $*"; cat err.txt; }
    awk '/^1 sessions in the pool/ { print $6; found = 1 } END { exit !found }' err.txt ||
        failed "expected one session: $(cat err.txt)"
}
# A session that left 1 KiB behind would show as 936. The longest sentence, which is number 10,
# needs the most that sentences with 3 to 23 words can need. 128 KiB are 1 MiB for a pool of 8.
few=$(allocated -s 10:1:1 -r 64)
many=$(allocated -s 10:1:1 -r 1000)
[ "$((many - few))" -le 128 ] || failed "1000 sentences leave $((many - few)) KiB more than 64"
mixed=$(allocated -r 25)
[ "$((mixed - few))" -le 128 ] || failed "1000 sentences of mixed lengths leave $((mixed - few)) KiB more than 64 long ones"

# --- what is wrong -------------------------------------------------------------

# refused EXPECTED OPTION...: the host ends with status 2 and this message.
refused() {
    wanted=$1
    shift
    dragnn "$@" >out.txt 2>err.txt
    [ $? = 2 ] || failed "dragnn $*: the status is not 2"
    grep -qF "$wanted" err.txt || { failed "dragnn $*: expected $wanted"; cat err.txt; }
}
refused 'usage: dragnn' parse.yaml
refused 'dragnn: expected a number from 1 on; found `0`' -b 0 parse.yaml $file
refused 'dragnn: cannot open absent.yaml' absent.yaml $file
refused 'dragnn: cannot open absent.conllu' parse.yaml absent.conllu
printf '1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tb\t_\n' >short.conllu
refused 'dragnn: short.conllu:3:1: sentence 1 of the batch: expected 10 fields, separated by tabs; found 3' \
    parse.yaml short.conllu
sed 's/hidden: m/hidden: 17/' parse.yaml >wrong.yaml
refused 'the network of `tagger`' wrong.yaml $file
sed 's/m: 16/n: 16/; s/hidden: m/hidden: n/' parse.yaml >wrong.yaml
refused 'no network has the input `n`, a hyperparameter' wrong.yaml $file
sed 's/\[tagger.df\]/[single.df]/' parse.yaml >wrong.yaml
refused 'dragnn: ' wrong.yaml $file
# Places are those of the file, where several are joined.
printf 'zero = 0\n-- two\n' >first.df
sed 's/\[tagger.df\]/[first.df, second.df]/' parse.yaml >wrong.yaml
sed 's/^result = .*/result = nothing/' tagger.df >second.df
refused 'dragnn: second.df:9:10: unknown name `nothing`' wrong.yaml $file
sed 's/^result = .*/result = [7][length(rows)]/' tagger.df >second.df
refused 'the network of `tagger` ended in second.df:9:13: index out of range' wrong.yaml $file
exit $((failures > 0))
