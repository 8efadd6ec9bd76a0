# The stages of `./quickstart check': read by quickstart with `.', which has say, complain, quietly,
# configure_in and jobs. A stage is a function stage_NAME. It runs tests and counts them with
# `tests' or `step'.
# shellcheck shell=sh
# shellcheck disable=SC2154 # jobs is quickstart's

# --- lists of stages -----------------------------------------------------------

# What each list has, in the order in which the stages run.
check_stages='main sanitized source pages format'
ci_stages="$check_stages bytes shell"
# The stage whole has the tests of source and pages, whole.
all_stages="main sanitized format bytes whole sanitizers threads clang valgrind distribution fuzz lint arm64"
every_stage="$ci_stages whole sanitizers threads clang valgrind distribution fuzz lint arm64"

about_stage() {
    case $1 in
    main) echo 'the functions of a published table, by build/hiaton' ;;
    sanitized) echo 'fast unit tests, random programs and a call of each command, with ASan and UBSan' ;;
    source) echo 'layers and lists of files, messages, the engines against the second simulator' ;;
    pages) echo 'the examples of the pages that a newcomer reads' ;;
    format) echo 'whether clang-format would change a file' ;;
    bytes) echo 'the same bytes from gcc and clang, -O0 to -O3, of any folder' ;;
    shell) echo 'the other shell tests and unit tests, smaller where they are large' ;;
    whole) echo 'every test, whole' ;;
    sanitizers) echo 'every other test with ASan and UBSan, smaller where it is large' ;;
    threads) echo 'tests of threads with ThreadSanitizer and under helgrind' ;;
    clang) echo 'fast unit tests, compiled by clang' ;;
    valgrind) echo 'unit tests under valgrind' ;;
    distribution) echo 'the tests that read the source tree, from the distribution' ;;
    fuzz) echo '1000 inputs for each of the fuzz targets' ;;
    lint) echo 'cppcheck and shellcheck' ;;
    arm64) echo 'the same numbers from a build for arm64, under qemu' ;;
    *) return 1 ;;
    esac
}

# The stages that the words mean: names of stages, or `ci' or `all'; without a word those of the
# check.
stages_of() {
    [ $# -gt 0 ] || set -- check
    for word in "$@"; do
        case $word in
        check) echo "$check_stages" ;;
        ci) echo "$ci_stages" ;;
        all) echo "$all_stages" ;;
        *)
            about_stage "$word" >/dev/null || {
                complain "there is no stage \`$word'; ./quickstart check --list shows them"
                return 1
            }
            echo "$word"
            ;;
        esac
    done
}

list_stages() {
    for stage in $every_stage; do
        printf '%-13s %s\n' "$stage" "$(about_stage "$stage")"
    done
    printf '\ncheck: %s\nci:    %s\nall:   %s\n' "$check_stages" "$ci_stages" "$all_stages"
}

# --- counting ------------------------------------------------------------------

passed=0
failed=0
skipped=0

# add NAME PASSED FAILED SKIPPED
add() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
    say "$1: $2 passed, $3 failed, $4 skipped ($(($(date +%s) - started)) s)"
}

# count KIND LOG: what automake's summary says. The last such line is the summary's; the
# ones before it are the shown logs of failed tests.
count() {
    number=$(sed -n "s/^# $1: *\\([0-9][0-9]*\\)\$/\\1/p" "$2" | tail -n 1)
    echo "${number:-0}"
}

# tests NAME COMMAND...: a run of the test harness. A run that fails without a failed
# test (it did not compile, say) counts as one failure.
tests() {
    name=$1
    log=build/check-$1.log
    shift
    status=0
    quietly "$log" "$@" || status=1
    pass=$(($(count PASS "$log") + $(count XFAIL "$log")))
    fail=$(($(count FAIL "$log") + $(count XPASS "$log") + $(count ERROR "$log")))
    if [ "$fail" -eq 0 ]; then
        fail=$status
    fi
    add "$name" "$pass" "$fail" "$(count SKIP "$log")"
}

# step NAME COMMAND...: something that is right or wrong as a whole.
step() {
    name=$1
    shift
    if quietly "build/check-$name.log" "$@"; then
        add "$name" 1 0 0
    else
        add "$name" 0 1 0
    fi
}

# tests_in DIRECTORY TESTS: TESTS as make understands them. Only the programs that they need are
# built.
# shellcheck disable=SC2016
tests_in() {
    make -C "$1" -j"$jobs" check VERBOSE=1 TESTS="$2" check_PROGRAMS='$(call programs_of,$(TESTS))'
}

# configured_tests_in DIRECTORY TESTS CONFIGURE-ARGUMENT...
configured_tests_in() {
    directory=$1
    chosen=$2
    shift 2
    configure_in "$directory" "$@" && tests_in "$directory" "$chosen"
}

# --- stages --------------------------------------------------------------------

# The variables in the lists of tests are make's (tests/local.mk). With HIATON_QUICK tests are
# smaller.
stage_main() { step main main_job; }

sanitizers_in() {
    configured_tests_in build-asan "$1" \
        --enable-sanitizers --enable-checks --enable-werror CFLAGS='-O1 -g1'
}
# shellcheck disable=SC2016
stage_sanitized() { HIATON_QUICK=1 tests sanitized sanitizers_in '$(quick_tests)'; }
# shellcheck disable=SC2016
stage_source() { HIATON_QUICK=1 tests source tests_in build '$(source_tests)'; }
stage_pages() {
    HIATON_QUICK=1 PAGES='README.md doc/manual.md doc/running.md doc/language.md doc/assembly.md' \
        tests pages tests_in build tests/shell/manual.sh
}
stage_format() { step format make -C build format-check; }

# shellcheck disable=SC2016
stage_bytes() { tests bytes tests_in build '$(bytes_tests)'; }
# shellcheck disable=SC2016
stage_shell() { HIATON_QUICK=1 tests shell tests_in build '$(filter-out $(source_tests) $(bytes_tests) $(arm64_tests),$(slow_first))'; }

# shellcheck disable=SC2016
stage_whole() { tests whole tests_in build '$(filter-out $(bytes_tests) $(arm64_tests),$(slow_first))'; }
# shellcheck disable=SC2016
stage_sanitizers() {
    HIATON_QUICK=1 tests sanitizers sanitizers_in \
        '$(filter-out $(unsanitized_tests) $(quick_tests),$(slow_first))'
}
# ThreadSanitizer does not know what SimGrid's threads do. Helgrind: see make helgrind.
# shellcheck disable=SC2016
stage_threads() {
    HIATON_QUICK=1 tests threads configured_tests_in build-tsan '$(thread_tests)' \
        --without-simgrid --enable-werror CFLAGS='-O1 -g1 -fsanitize=thread'
    if command -v valgrind >/dev/null; then
        HIATON_QUICK=1 step helgrind make -C build -j"$jobs" helgrind
    else
        say 'threads: SKIPPED: valgrind is not installed: no test under helgrind'
        skipped=$((skipped + 1))
    fi
}
# shellcheck disable=SC2016
stage_clang() {
    HIATON_QUICK=1 tests clang configured_tests_in build-clang '$(fast_unit_tests)' \
        --enable-werror CC=clang CFLAGS=-O2
}
stage_valgrind() { HIATON_QUICK=1 tests valgrind make -C build -j"$jobs" memcheck VERBOSE=1; }
# The warnings of -O2 are those of build/.
# shellcheck disable=SC2016
stage_distribution() {
    HIATON_QUICK=1 tests distribution make -C build -j"$jobs" distcheck VERBOSE=1 \
        TESTS='$(source_tests) $(distribution_tests)' \
        DISTCHECK_CONFIGURE_FLAGS='--enable-werror CFLAGS=-O1'
}
# Always the same inputs: new ones are looked for by hand, with make fuzz. Four targets are left
# out, which need long runs or a recording, or whose inputs try libfyaml more than its reader here.
fuzz_in() {
    configure_in build-fuzz --enable-fuzzers --enable-checks --enable-werror CC=clang \
        CFLAGS='-O1 -gline-tables-only' &&
        make -C build-fuzz -j"$jobs" -k fuzz FUZZ_RUNS=1000 FUZZ_SECONDS=60 FUZZ_SEED=1 \
            TARGET='assembly compare conllu csv energy experiment image language network npy partition parts results trees'
}
stage_fuzz() { step fuzz fuzz_in; }
stage_lint() { step lint make -C build lint; }
# Libraries for arm64 are downloaded once; without them, and without a compiler or qemu, the test says so.
# shellcheck disable=SC2016
stage_arm64() {
    if command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
        quietly build/arm64-root.log sh tests/shell/arm64_root.sh build/arm64/root || true
    fi
    tests arm64 tests_in build '$(arm64_tests)'
    grep -h '^skipped' build/tests/shell/arm64.log || true
}

# check STAGE...: runs the stages, and prints the sum as the last line. Returns 1 if a test failed.
check() {
    begun=$(date +%s)
    for stage in "$@"; do
        started=$(date +%s)
        say "$stage: $(about_stage "$stage")"
        "stage_$stage"
    done
    say "$# stages in $(($(date +%s) - begun)) s"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
