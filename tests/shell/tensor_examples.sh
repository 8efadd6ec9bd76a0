#!/bin/sh
# The examples with tensors as whole programs: with a fixed core OpenBLAS has the same bits, and so
# has the reference, whatever OPENBLAS_CORETYPE in the environment says; other cores agree with the
# reference to 1e-12; the interpreter and machines have the same value digests, by both strategies
# and with both kinds of mathematics. Scalars' functions follow tensor.math.
about=
. "${SRCDIR:-.}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# digests: what a run came to, in one word
digests() { sed -n 's/^  "\(result\|value_digest\|timing_digest\)": //p' out | tr '\n' ' '; }
value_digest() { sed -n 's/^  "value_digest": "\(.*\)",*$/\1/p' out; }

expect 0 run --json "$examples/gram.df"
has_blas=$(grep -c '"blas": "OpenBLAS' out)
[ "$has_blas" -eq 1 ] || echo "skipped: OpenBLAS: $(grep '"blas"' out)"

# Those whose processor or OpenBLAS lacks something are not there.
cores=
for core in prescott nehalem sandybridge haswell skylakex zen; do
    [ "$has_blas" -eq 1 ] || break
    if "$HIATON" run --json "$examples/gram.df" -s tensor.core=$core 2>err | grep -q '"blas": "OpenBLAS'; then
        cores="$cores $core"
    else
        echo "skipped: the core $core: $(sed 1q err)"
    fi
done

# near NAME: NAME.npy and reference.npy
near() {
    cat >near.df <<'TEXT'
a = file("reference.npy")
b = file("core.npy")
result = reduce_max(abs(a - b)) <= 1e-12 * reduce_max(abs(a))
TEXT
    expect 0 run -q near.df -s tensor.math=reference
    out_is true
}

checked=0
while read -r name constant inputs; do
    program=$examples/$name.df
    checked=$((checked + 1))
    # shellcheck disable=SC2086 # inputs are words
    for math in reference blas; do
        for strategy in static expanding; do
            expect 0 interp --json "$program" $inputs -s tensor.math=$math --strategy $strategy
            known=$(value_digest)
            expect 0 run --json "$program" $inputs -s tensor.math=$math --strategy $strategy \
                --out "$constant=$math.npy"
            [ "$(value_digest)" = "$known" ] || fail "the value digest is not that of the interpreter"
            expect 0 run --json "$program" $inputs -s tensor.math=$math --strategy $strategy \
                -s pe.count=5 -s deadness=propagate -s queue.discipline=lifo
            expect 0 run --json "$program" $inputs -s tensor.math=$math --strategy $strategy \
                -s placement.policy=random --seed 4
            [ "$(value_digest)" = "$known" ] || fail "the value digest is not that of the interpreter"
        done
    done
    for core in Prescott Nehalem Sandybridge Haswell SkylakeX Zen; do
        # shellcheck disable=SC2086
        for math in reference blas; do
            expect 0 run --json "$program" $inputs -s tensor.math=$math --strategy expanding
            known=$(digests)
            OPENBLAS_CORETYPE=$core
            OPENBLAS_NUM_THREADS=3
            export OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS
            expect 0 run --json "$program" $inputs -s tensor.math=$math --strategy expanding \
                --out "$constant=other.npy"
            unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS
            [ "$(digests)" = "$known" ] || fail "other digests where the environment says $core"
            same "$math.npy" other.npy
        done
    done
    for core in $cores; do
        # shellcheck disable=SC2086
        expect 0 run -q "$program" $inputs -s tensor.core="$core" --out "$constant=core.npy"
        near
    done
done <<'TEXT'
attention attended n=16 width=8
blocks c n=8 size=2
conjugate solution n=20
eigen vector n=12
gram total n=20
lstm hidden steps=12 cells=4
mlp probability n=4
TEXT
[ "$checked" -eq "$(grep -lE 'tensor\(|matmul\(' "$examples"/*.df | grep -c .)" ] ||
    fail "$checked examples with tensors, and there are others"

# --- the test of the test ----------------------------------------------------------------

# Other cores have other bits, and so has the reference.
if [ "$(echo "$cores" | wc -w)" -ge 2 ]; then
    for core in nehalem haswell; do
        expect 0 run -q "$examples/attention.df" n=16 width=8 -s tensor.core=$core --out attended=$core.npy
    done
    ! cmp -s nehalem.npy haswell.npy || fail "Nehalem and Haswell have the same bits"
fi

# --- scalars -----------------------------------------------------------------------------

# Some of many arguments differ in their last bit from the C library's, whichever that is. Digests
# of the reference are those of every processor, compiler and library.
cat >scalars.df <<'TEXT'
input n = 500
result = (sum([f(i) | i <- 0 .. n - 1]), sum([g(i) | i <- 0 .. n - 1]))
f(i) = let x = real(i) / 37.0 in exp(x - 5.0) + sin(100.0 * x) + cos(x)
g(i) = let x = real(i) / 41.0 in log(x + 0.001) + tanh(x - 3.0)
TEXT
cat >scalars.expected <<'TEXT'
(181870.6945684777, 998.3136534612272)
556e5289e257f58a
TEXT
for engine in run interp 'run -s pe.count=3 -s placement.policy=random --strategy expanding' 'run -m tf-executor'; do
    # shellcheck disable=SC2086
    expect 0 $engine --json scalars.df -s tensor.math=reference
    [ "$(value_digest)" = "$(sed -n 2p scalars.expected)" ] || [ "${engine#*expanding}" != "$engine" ] ||
        fail "the value digest is $(value_digest)"
    out_has "\"result\": \"$(sed -n 1p scalars.expected)\""
done
expect 0 run -q scalars.df
{ cat out; sed 1q scalars.expected; } | tr -d "()," | paste -s -d " " | awk '
    { exit !($1 - $3 < 1e-10 && $3 - $1 < 1e-10 && $2 - $4 < 1e-10 && $4 - $2 < 1e-10) }' ||
    fail "the C library and the reference are far apart"

exit $((failures > 0))
