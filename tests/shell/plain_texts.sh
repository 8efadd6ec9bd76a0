#!/bin/sh
# Every reader of a text skips a byte-order mark at its start, names characters that nobody sees,
# and refuses a byte 0, UTF-16 and a folder: nothing is lost without a word.
# shellcheck disable=SC2016 # backquotes of messages
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

mark=$(printf '\357\273\277')
blank=$(printf '\302\240') # no-break space

cat >fib.df <<'TEXT'
input n = 5
result = fib(n)
fib(k) = if k <= 1 then 1 else fib(k - 1) + fib(k - 2)
TEXT
printf 'port in xs : [int]\nresult = sum(xs)\n' >port.df
"$HIATON" graph --stage=image fib.df -o fib.s || fail 'an assembly text'
cp "$SRCDIR/analysis/energies/horowitz-45nm.yaml" energy.yaml
"$HIATON" run fib.df --by=line --json >profile.json || fail 'a profile'
for kind in csv trees conllu; do
    case $kind in
    csv) echo 'result = file("data.csv")' ;;
    trees) printf '(left, right, word, label) = trees("data.trees")\nresult = label\n' ;;
    conllu) printf '(form, tag, head, label, first, count, a, b) = conllu("data.conllu", 0, 1)\nresult = head\n' ;;
    esac >$kind.df
done

# reader FILE TEXT ARGUMENT...: the file holds the text, and hiaton reads it by these arguments.
reader() {
    file=$1 text=$2
    shift 2
    rm -rf "$file"
    printf '%b' "$text" >"$file"
    expect 0 "$@"
    cp out without
    printf '%s%b' "$mark" "$text" >"$file"
    expect 0 "$@"
    same without out
    printf '%b\000\n' "$text" >"$file"
    refuses "$@"
    printf '\377\376r\000e\000s\000' >"$file"
    refuses "$@"
    rm "$file"
    mkdir "$file"
    refuses "$@"
    grep -q 'Is a directory\|folder' err || fail 'it is a folder'
    # What nobody sees has a name.
    rmdir "$file"
    printf '%s%b' "$blank" "$text" >"$file"
    refuses "$@"
    grep -q 'U+00A0' err || fail 'a no-break space has no name'
    grep -q "$blank" err && fail 'a no-break space is quoted'
    return 0
}

# refuses ARGUMENT...: exit status 2, and nothing is printed as if it were a result.
refuses() {
    expect 2 "$@"
    [ -s out ] && fail 'a result'
    return 0
}

printf 'base: default\npe.count: 4\n' >kept.yaml
reader p.df 'result = 1 + 2\n' interp -q p.df
reader p.s "$(cat fib.s)" run -q p.s
reader e.yaml 'program: fib.df\ninputs: {n: [3]}\n' sweep list e.yaml
reader m.yaml "$(cat kept.yaml)" run -q -m ./m.yaml fib.df
reader t.yaml "$(cat energy.yaml)" run -q --energy ./t.yaml fib.df
reader xs.txt '1\n20: 2\n' run -q port.df --port xs=xs.txt
reader matrix.csv 'from,to,tokens\n0,1,1\n' network -s network.topology=mesh -s pe.count=4 --pattern=matrix \
    --matrix matrix.csv --show
reader data.csv '.5,1\n2,3\n' interp -q csv.df
reader data.trees '(1 (1 a) (1 b))\n' interp -q trees.df
reader data.conllu '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n' interp -q conllu.df
reader words.conllu '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n' trees words.conllu
reader trees.txt '(0 (1 a) (1 b))\n(4 (1 a) (1 b))\n' trees --shortest 1 trees.txt
reader net.yaml 'pes: [0, 0, 1, 1]\nlinks: [0-1]\n' run -q fib.df -s network.topology=file -s network.file=net.yaml \
    -s pe.count=4
reader map.yaml 'default: 0\nfunctions: {fib: 1}\n' run -q fib.df -s cluster.nodes=2 -s partition.by=file \
    -s partition.file=map.yaml
if [ -e "$BUILDDIR/hiaton-simgrid.so" ]; then
    "$HIATON" platform star --nodes 3 -o star.xml || fail 'a platform'
    reader p.xml "$(cat star.xml)" run -q fib.df -s network.topology=simgrid -s network.platform=p.xml \
        -s cluster.nodes=3
fi
last='run --params'
mkdir -p params/w.npy
printf 'param w : [2] = zeros\nresult = w\n' >w.df
refuses run -q w.df --params params
mkdir data.npy
echo 'result = file("data.npy")' >npy.df
refuses interp -q npy.df
for command in run 'graph' 'disasm' 'results show' 'replay' 'trace text' 'report' 'analyse'; do
    # shellcheck disable=SC2086
    refuses $command data.npy
done

# A name that has what nobody sees, and what comes first in a message.
printf 'result = n + 1\ninput n%s = 2\n' "$blank" >p.df
refuses interp -q p.df
err_has 'p.df:2:8: error: unexpected character U+00A0, a no-break space; write a blank'
printf 'result = 1\342\200\213\n' >p.df
refuses interp -q p.df
err_has 'p.df:1:11: error: unexpected character U+200B, a zero-width space; delete it'
err_has '    1 | result = 1?'
printf 'program: fib.df\ninputs: {n%s: [3]}\n' "$blank" >e.yaml
refuses sweep list e.yaml
err_has '`n<U+00A0>`'
err_has 'U+00A0 is a no-break space that nobody sees: write a blank'
refuses run fib.df "n=5$blank"
err_has 'expected int, found `5<U+00A0>`; U+00A0 is a no-break space'
refuses run "fib.df$blank"
err_has 'cannot read fib.df<U+00A0>'

# A device without an end fills no memory. A link to nothing is not a name that was mistyped.
ln -s /dev/zero endless.npy
echo 'result = file("endless.npy")' >endless.df
refuses run endless.df
err_has 'cannot read endless.npy: the device has no end'
refuses interp /dev/zero
refuses replay /dev/zero
expect 2 interp - </dev/null
ln -s nothing.npy missing.npy
echo 'result = file("missing.npy")' >missing.df
refuses run missing.df
err_has 'cannot read missing.npy: No such file or directory; it is a link to a file that does not exist'

# Nothing that a file or its name says commands a terminal.
escape=$(printf '\033]0;title\007\015')
shown=0
tame() {
    shown=$((shown + 1))
    if tr -d '\n\t\040-\176' <err | LC_ALL=C tr -d '\240-\377' | grep -q .; then
        fail "a message has control characters: $(od -c err | head -n 5)"
    fi
    err_has '<0x1b>]0;title<0x07>'
}
printf '1,%s\n' "$escape" >data.csv
echo 'result = file("data.csv")' >csv.df
refuses run csv.df
tame
err_has '    1 | 1,?]0;title?'
printf 'program: fib.df\n"%s": 3\n' '\e]0;title\a' >e.yaml
refuses sweep list e.yaml
tame
refuses run "$escape"
tame
printf 'result = 1 +\n' >"a${escape}b.df"
refuses run "a${escape}b.df"
tame
refuses run fib.df "n=$escape"
tame
refuses run fib.df -s "$escape=3"
tame

# Standard input has one reader.
cp kept.yaml m.yaml
printf 'port in xs : [int]\nport in zs : [int]\nresult = sum(xs) + sum(zs)\n' >two.df
refuses run two.df --port xs=- --port zs=-
err_has 'the ports `xs` and `zs` share standard input'
for again in - /dev/stdin; do
    for given in "- --port xs=$again" "-m - $again"; do
        text=m.yaml
        [ "${given#- }" = "$given" ] || text=port.df
        # shellcheck disable=SC2086,SC2002 # a pipe is wanted
        cat $text | "$HIATON" run $given >out 2>err
        [ $? -eq 2 ] || fail "$given: accepted"
        last="run $given"
        err_has 'is read twice'
    done
done
mkfifo pipe
refuses run two.df --port xs=pipe --port zs=pipe
err_has 'the ports `xs` and `zs` share pipe'
expect 0 run -q two.df --port xs=/dev/null --port zs=/dev/null
echo 4 >both.txt
expect 0 run -q two.df --port xs=both.txt --port zs=./both.txt
out_is 8
printf 'port in xs : [int]\nport out ys = [x | x <- xs]\nport out zs = [x + 1 | x <- xs]\nresult = 1\n' >outs.df
echo kept >one
for other in one ./one; do
    refuses run outs.df --port xs=both.txt --port ys=one --port zs=$other
    err_has 'the ports `ys` and `zs` share'
    [ "$(cat one)" = kept ] || fail 'a file is overwritten'
done
refuses run outs.df --port xs=both.txt --port ys=- --port zs=-
err_has 'share standard output'

exit $((failures > 0))
