libhiaton_a_SOURCES += \
  programs/ast.c \
  programs/ast.h \
  programs/blame.c \
  programs/blame.h \
  programs/build.c \
  programs/build.h \
  programs/builtins.def \
  programs/compile.c \
  programs/compile.h \
  programs/cursor.c \
  programs/cursor.h \
  programs/depend.c \
  programs/depend.h \
  programs/infer.c \
  programs/infer.h \
  programs/lex.c \
  programs/lex.h \
  programs/names.c \
  programs/names.h \
  programs/options.h \
  programs/parse.c \
  programs/parse.h \
  programs/parse_expr.c \
  programs/parse_loop.c \
  programs/parser.h \
  programs/print.c \
  programs/print.h \
  programs/region.c \
  programs/region.h \
  programs/settle.c \
  programs/settle.h \
  programs/static.c \
  programs/static.h \
  programs/type.c \
  programs/type.h \
  programs/unbuilt.c

dist_examples_DATA += \
  programs/examples/ack.df \
  programs/examples/binomial.df \
  programs/examples/calendar.df \
  programs/examples/collatz.df \
  programs/examples/factorial.df \
  programs/examples/fib.df \
  programs/examples/gcd.df \
  programs/examples/hanoi.df \
  programs/examples/hofstadter.df \
  programs/examples/integrate.df \
  programs/examples/mandelbrot.df \
  programs/examples/newton.df \
  programs/examples/parity.df \
  programs/examples/partitions.df \
  programs/examples/power.df \
  programs/examples/primes.df \
  programs/examples/queens.df \
  programs/examples/tak.df

# Run from the source tree, not installed.
program_scripts = \
  programs/table1.sh
EXTRA_DIST += $(program_scripts)
