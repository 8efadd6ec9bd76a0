libhiaton_a_SOURCES += \
  programs/compile.c \
  programs/compile.h \
  programs/graph/build.c \
  programs/graph/build.h \
  programs/graph/build_array.c \
  programs/graph/build_expr.c \
  programs/graph/build_loop.c \
  programs/graph/build_name.c \
  programs/graph/build_options.h \
  programs/graph/build_tensor.c \
  programs/graph/builder.h \
  programs/graph/region.c \
  programs/graph/region.h \
  programs/graph/static_graph.c \
  programs/graph/static_graph.h \
  programs/syntax/ast.c \
  programs/syntax/ast.h \
  programs/syntax/builtins.def \
  programs/syntax/cursor.c \
  programs/syntax/cursor.h \
  programs/syntax/foreign.c \
  programs/syntax/foreign.h \
  programs/syntax/lex.c \
  programs/syntax/lex.h \
  programs/syntax/parse.c \
  programs/syntax/parse.h \
  programs/syntax/parse_expr.c \
  programs/syntax/parse_loop.c \
  programs/syntax/parse_param.c \
  programs/syntax/parser.h \
  programs/syntax/print.c \
  programs/syntax/print.h \
  programs/syntax/tensors.def \
  programs/types/blame_condition.c \
  programs/types/blame_condition.h \
  programs/types/data.c \
  programs/types/data.h \
  programs/types/default_types.c \
  programs/types/default_types.h \
  programs/types/depend.c \
  programs/types/depend.h \
  programs/types/infer.c \
  programs/types/infer.h \
  programs/types/infer_inside.h \
  programs/types/infer_tensor.c \
  programs/types/resolve.c \
  programs/types/resolve.h \
  programs/types/shapes.c \
  programs/types/shapes.h \
  programs/types/tensor_builtin.c \
  programs/types/tensor_builtin.h \
  programs/types/type.c \
  programs/types/type.h

dist_examples_DATA += \
  programs/examples/ack.df \
  programs/examples/binomial.df \
  programs/examples/calendar.df \
  programs/examples/collatz.df \
  programs/examples/factorial.df \
  programs/examples/fft.df \
  programs/examples/fib.df \
  programs/examples/gauss.df \
  programs/examples/gcd.df \
  programs/examples/gradient.df \
  programs/examples/hanoi.df \
  programs/examples/histogram.df \
  programs/examples/hofstadter.df \
  programs/examples/integrate.df \
  programs/examples/jacobi.df \
  programs/examples/lcs.df \
  programs/examples/mandelbrot.df \
  programs/examples/matmul.df \
  programs/examples/mergesort.df \
  programs/examples/newton.df \
  programs/examples/parity.df \
  programs/examples/partitions.df \
  programs/examples/power.df \
  programs/examples/primes.df \
  programs/examples/queens.df \
  programs/examples/sieve.df \
  programs/examples/tak.df \
  programs/examples/wavefront.df

# Experiments find programs as ../examples/NAME.df, here and where they are installed. A
# NAME.full.yaml is NAME.yaml with larger sizes, and has the same tables and figures.
dist_experiments_DATA += \
  programs/experiments/body-arguments-1.df \
  programs/experiments/body-arguments-2.df \
  programs/experiments/body-arguments-3.df \
  programs/experiments/body-arguments-4.df \
  programs/experiments/body-arguments-6.df \
  programs/experiments/body-arguments-8.df \
  programs/experiments/body-executed-0.df \
  programs/experiments/body-executed-128.df \
  programs/experiments/body-executed-16.df \
  programs/experiments/body-executed-256.df \
  programs/experiments/body-executed-32.df \
  programs/experiments/body-executed-512.df \
  programs/experiments/body-executed-64.df \
  programs/experiments/body-executed-8.df \
  programs/experiments/body-skipped-0.df \
  programs/experiments/body-skipped-128.df \
  programs/experiments/body-skipped-16.df \
  programs/experiments/body-skipped-256.df \
  programs/experiments/body-skipped-32.df \
  programs/experiments/body-skipped-512.df \
  programs/experiments/body-skipped-64.df \
  programs/experiments/body-skipped-8.df \
  programs/experiments/causes.full.yaml \
  programs/experiments/causes.yaml \
  programs/experiments/fifo-lifo.full.yaml \
  programs/experiments/fifo-lifo.yaml \
  programs/experiments/k-bounds.full.yaml \
  programs/experiments/k-bounds.yaml \
  programs/experiments/matching.full.yaml \
  programs/experiments/matching.yaml \
  programs/experiments/networks-clusters.full.yaml \
  programs/experiments/networks-clusters.yaml \
  programs/experiments/networks-tags.full.yaml \
  programs/experiments/networks-tags.yaml \
  programs/experiments/networks.full.yaml \
  programs/experiments/networks.yaml \
  programs/experiments/speedup.full.yaml \
  programs/experiments/speedup.yaml \
  programs/experiments/strategies-arguments.full.yaml \
  programs/experiments/strategies-arguments.yaml \
  programs/experiments/strategies-bodies.full.yaml \
  programs/experiments/strategies-bodies.yaml \
  programs/experiments/strategies-network.full.yaml \
  programs/experiments/strategies-network.yaml \
  programs/experiments/strategies-pes.full.yaml \
  programs/experiments/strategies-pes.yaml \
  programs/experiments/suite.full.yaml \
  programs/experiments/suite.yaml \
  programs/experiments/sum-of-steps.df \
  programs/experiments/tag-schemes.full.yaml \
  programs/experiments/tag-schemes.yaml

# Run from the source tree, not installed.
program_scripts = \
  programs/experiments/bodies.sh \
  programs/table1.sh
EXTRA_DIST += $(program_scripts)
