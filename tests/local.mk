# Unit tests are programs tests/unit_X.c on libcheck, listed without the .c; shell tests
# are run by sh and end with 77 to be skipped.

unit_tests += \
  tests/unit_array \
  tests/unit_cli \
  tests/unit_combinations \
  tests/unit_compare \
  tests/unit_evaluate \
  tests/unit_executor \
  tests/unit_examples \
  tests/unit_expanding \
  tests/unit_file \
  tests/unit_figures \
  tests/unit_generate \
  tests/unit_hold \
  tests/unit_isa \
  tests/unit_isa_check \
  tests/unit_lang \
  tests/unit_lang_messages \
  tests/unit_lang_random \
  tests/unit_lib \
  tests/unit_loop \
  tests/unit_machine \
  tests/unit_memory \
  tests/unit_model \
  tests/unit_network \
  tests/unit_room \
  tests/unit_simulation \
  tests/unit_stores \
  tests/unit_structures \
  tests/unit_summary \
  tests/unit_sweep \
  tests/unit_traces \
  tests/unit_turns \
  tests/unit_verify

shell_tests += \
  tests/alone.sh \
  tests/cli.sh \
  tests/compare.sh \
  tests/deep.sh \
  tests/edited.sh \
  tests/emit.sh \
  tests/endings.sh \
  tests/experiments.sh \
  tests/fixed.sh \
  tests/fuzz.sh \
  tests/identities.sh \
  tests/layers.sh \
  tests/manual.sh \
  tests/oracle.sh \
  tests/output.sh \
  tests/property.sh \
  tests/reproduce.sh \
  tests/results.sh \
  tests/series.sh \
  tests/slurm.sh \
  tests/sweep.sh \
  tests/sweep_full.sh \
  tests/sweep_kill.sh \
  tests/table1.sh \
  tests/table1_executor.sh \
  tests/usage.sh

# Run from the source tree, and no tests.
test_scripts = \
  tests/bench.sh \
  tests/expect.sh

# Included by unit tests.
test_headers = \
  tests/cases.h \
  tests/examples.h \
  tests/isa.h \
  tests/lang.h \
  tests/main.h \
  tests/rig.h \
  tests/support.h

# Folders of inputs and expected outputs, distributed whole.
test_data = \
  tests/diagnostics \
  tests/experiments \
  tests/fuzz \
  tests/regressions

# The evaluator, and the program that compares it with everything that runs graphs.
evaluate_sources = \
  tests/evaluate.c \
  tests/evaluate.h \
  tests/evaluate_inside.h \
  tests/evaluate_scalar.c
generate_sources = \
  tests/generate.c \
  tests/generate.h \
  tests/generate_expr.c \
  tests/generate_inside.h \
  tests/generate_loop.c
property_sources = \
  tests/compare.c \
  tests/compare.h \
  tests/compare_forms.c \
  tests/compare_inside.h \
  tests/draw.c \
  tests/draw.h \
  $(generate_sources) \
  tests/placeless.h \
  tests/property.c \
  tests/shrink.c \
  tests/shrink.h \
  tests/shuffle.c \
  tests/shuffle.h
# The second simulator, and the program that compares the engines with it.
oracle_sources = \
  tests/oracle/arrays.c \
  tests/oracle/compare.c \
  tests/oracle/compare.h \
  tests/oracle/copies.c \
  tests/oracle/executor.c \
  tests/oracle/fire.c \
  tests/oracle/loops.c \
  tests/oracle/main.c \
  tests/oracle/match.c \
  tests/oracle/memory.c \
  tests/oracle/network.c \
  tests/oracle/numbers.c \
  tests/oracle/oracle.h \
  tests/oracle/place.c \
  tests/oracle/program.c \
  tests/oracle/result.c \
  tests/oracle/room.c \
  tests/oracle/run.c \
  tests/oracle/settings.c \
  tests/oracle/state.h \
  tests/oracle/tags.c \
  tests/oracle/turn.c \
  tests/oracle/values.c
# What no compiled program has.
oracle_programs = \
  tests/oracle/freed.df \
  tests/oracle/half.asm \
  tests/oracle/later.asm \
  tests/oracle/parts.df \
  tests/oracle/stores.asm \
  tests/oracle/third.asm \
  tests/oracle/twice.asm \
  tests/oracle/uneven.asm
tests_oracle_compare_SOURCES = \
  $(oracle_sources) \
  tests/draw.c \
  tests/draw.h \
  $(generate_sources) \
  tests/shrink.c \
  tests/shrink.h
tests_oracle_compare_LDADD = $(hiaton_LDADD)
tests_unit_combinations_SOURCES = tests/unit_combinations.c tests/draw.c tests/draw.h
tests_unit_evaluate_SOURCES = tests/unit_evaluate.c $(evaluate_sources)
tests_unit_executor_SOURCES = tests/unit_executor.c tests/draw.c tests/draw.h
tests_unit_generate_SOURCES = \
  tests/unit_generate.c \
  tests/shrink.c \
  tests/shrink.h \
  $(evaluate_sources) \
  $(generate_sources)
tests_unit_structures_SOURCES = tests/unit_structures.c tests/shuffle.c tests/shuffle.h
tests_property_SOURCES = $(property_sources) $(evaluate_sources)
tests_property_LDADD = $(hiaton_LDADD)

# Fuzz targets: with libFuzzer if configured so (make fuzz), else with a main that runs
# the files it is given; tests/fuzz.sh runs the corpus through either.
fuzz_targets = assembly compare experiment image language results settings
fuzz_programs = $(fuzz_targets:%=tests/fuzz_%)
fuzz_common = \
  tests/fuzz/execute.c \
  tests/fuzz/fuzz.c \
  tests/fuzz/fuzz.h
fuzz_main = tests/fuzz/replay.c
fuzz_sources = $(fuzz_targets:%=tests/fuzz/%.c) $(fuzz_common) $(fuzz_main)

if !FUZZERS
fuzz_common += $(fuzz_main)
endif
tests_fuzz_assembly_SOURCES = tests/fuzz/assembly.c $(fuzz_common)
tests_fuzz_assembly_LDADD = $(hiaton_LDADD)
tests_fuzz_assembly_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_compare_SOURCES = tests/fuzz/compare.c $(fuzz_common)
tests_fuzz_compare_LDADD = $(hiaton_LDADD)
tests_fuzz_compare_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_experiment_SOURCES = tests/fuzz/experiment.c $(fuzz_common)
tests_fuzz_experiment_LDADD = $(hiaton_LDADD)
tests_fuzz_experiment_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_image_SOURCES = tests/fuzz/image.c $(fuzz_common)
tests_fuzz_image_LDADD = $(hiaton_LDADD)
tests_fuzz_image_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_language_SOURCES = tests/fuzz/language.c tests/placeless.h $(fuzz_common)
tests_fuzz_language_LDADD = $(hiaton_LDADD)
tests_fuzz_language_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_results_SOURCES = tests/fuzz/results.c $(fuzz_common)
tests_fuzz_results_LDADD = $(hiaton_LDADD)
tests_fuzz_results_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_settings_SOURCES = tests/fuzz/settings.c $(fuzz_common)
tests_fuzz_settings_LDADD = $(hiaton_LDADD)
tests_fuzz_settings_LDFLAGS = $(FUZZ_LDFLAGS)

check_PROGRAMS = \
  $(unit_tests) \
  tests/fuzz_assembly \
  tests/fuzz_compare \
  tests/fuzz_experiment \
  tests/fuzz_image \
  tests/fuzz_language \
  tests/fuzz_results \
  tests/fuzz_settings \
  tests/oracle_compare \
  tests/property
TESTS = $(unit_tests) $(shell_tests)
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

# 99 is a status hiaton itself never has, so a sanitizer's finding is never taken for an
# expected failure; the time limits of libcheck are for builds without sanitizers.
AM_TESTS_ENVIRONMENT = \
  HIATON='$(abs_builddir)/hiaton$(EXEEXT)'; export HIATON; \
  SRCDIR='$(abs_srcdir)'; export SRCDIR; \
  BUILDDIR='$(abs_builddir)'; export BUILDDIR; \
  ASAN_OPTIONS=exitcode=99:detect_stack_use_after_return=1; export ASAN_OPTIONS; \
  UBSAN_OPTIONS=exitcode=99:print_stacktrace=1; export UBSAN_OPTIONS; \
  CK_DEFAULT_TIMEOUT=120; export CK_DEFAULT_TIMEOUT;

EXTRA_DIST += \
  $(oracle_programs) \
  $(shell_tests) \
  $(test_data) \
  $(test_headers) \
  $(test_scripts) \
  tests/cppcheck.suppress \
  tests/examples.tbl \
  tests/identities.awk \
  tests/table1.csv \
  tests/usage.tbl

# A folder is distributed with all that a build has left in it.
dist-hook:
	cd $(distdir)/tests/fuzz && rm -rf *.o .deps .dirstamp
