# Unit tests are programs tests/unit_X.c on libcheck, listed without the .c; shell tests
# are run by sh and end with 77 to be skipped.

unit_tests += \
  tests/unit_figures \
  tests/unit_isa \
  tests/unit_isa_check \
  tests/unit_lang \
  tests/unit_lang_random \
  tests/unit_lib \
  tests/unit_machine

shell_tests += \
  tests/layers.sh \
  tests/manual.sh \
  tests/table1.sh

# Included by unit tests.
test_headers = \
  tests/isa.h \
  tests/lang.h \
  tests/support.h

# Folders of inputs and expected outputs, distributed whole.
test_data = \
  tests/diagnostics

check_PROGRAMS = $(unit_tests)
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
  $(shell_tests) \
  $(test_data) \
  $(test_headers) \
  tests/cppcheck.suppress
