libinternal_a_SOURCES += \
  programs/compile.c \
  programs/compile.h \
  programs/gradient/arrays.c \
  programs/gradient/arrays.h \
  programs/gradient/deferral.c \
  programs/gradient/deferred.c \
  programs/gradient/deferred.h \
  programs/gradient/differentiate.c \
  programs/gradient/differentiate.h \
  programs/gradient/elements.c \
  programs/gradient/expand.c \
  programs/gradient/expand.h \
  programs/gradient/flow.c \
  programs/gradient/flow.h \
  programs/gradient/form.c \
  programs/gradient/form.h \
  programs/gradient/kernels.h \
  programs/gradient/prune.c \
  programs/gradient/rules.c \
  programs/gradient/settle.c \
  programs/gradient/settle.h \
  programs/gradient/sites.c \
  programs/gradient/sites.h \
  programs/gradient/tensors.c \
  programs/gradient/tensors.h \
  programs/gradient/tensors_index.c \
  programs/graph/build.c \
  programs/graph/build.h \
  programs/graph/build_array.c \
  programs/graph/build_expr.c \
  programs/graph/build_forms.c \
  programs/graph/build_gradient.c \
  programs/graph/build_loop.c \
  programs/graph/build_name.c \
  programs/graph/build_options.h \
  programs/graph/build_tensor.c \
  programs/graph/build_tensor_index.c \
  programs/graph/build_tensor_internal.h \
  programs/graph/build_tensor_make.c \
  programs/graph/builder.h \
  programs/graph/check_gradient.c \
  programs/graph/record.c \
  programs/graph/region.c \
  programs/graph/region.h \
  programs/graph/region_internal.h \
  programs/graph/static_graph.c \
  programs/graph/static_graph.h \
  programs/partition/condition.c \
  programs/partition/condition.h \
  programs/partition/map.c \
  programs/partition/map_write.c \
  programs/partition/metis.c \
  programs/partition/moves.c \
  programs/partition/moves.h \
  programs/partition/partition.c \
  programs/partition/partition.h \
  programs/partition/partition_internal.h \
  programs/partition/split.c \
  programs/partition/track.c \
  programs/partition/track.h \
  programs/partition/weights.c \
  programs/partition/weights.h \
  programs/syntax/ast.c \
  programs/syntax/ast.h \
  programs/syntax/builtins.def \
  programs/syntax/cursor.c \
  programs/syntax/cursor.h \
  programs/syntax/lex.c \
  programs/syntax/lex.h \
  programs/syntax/parse.c \
  programs/syntax/parse.h \
  programs/syntax/parse_expr.c \
  programs/syntax/parse_loop.c \
  programs/syntax/parse_param.c \
  programs/syntax/parse_port.c \
  programs/syntax/parser.h \
  programs/syntax/print.c \
  programs/syntax/print.h \
  programs/syntax/syntax_hints.c \
  programs/syntax/syntax_hints.h \
  programs/syntax/tensors.def \
  programs/training.c \
  programs/training.h \
  programs/training_internal.h \
  programs/types/blame_condition.c \
  programs/types/blame_condition.h \
  programs/types/converted.c \
  programs/types/converted.h \
  programs/types/data.c \
  programs/types/data.h \
  programs/types/default_types.c \
  programs/types/default_types.h \
  programs/types/depend.c \
  programs/types/depend.h \
  programs/types/gradient_type.c \
  programs/types/gradient_type.h \
  programs/types/infer.c \
  programs/types/infer.h \
  programs/types/infer_gradient.c \
  programs/types/infer_internal.h \
  programs/types/infer_port.c \
  programs/types/infer_program.c \
  programs/types/infer_tensor.c \
  programs/types/infer_tensor_call.c \
  programs/types/infer_tensor_index.c \
  programs/types/infer_tensor_internal.h \
  programs/types/instance.c \
  programs/types/instance.h \
  programs/types/known.h \
  programs/types/one_type.c \
  programs/types/one_type.h \
  programs/types/resolve.c \
  programs/types/resolve.h \
  programs/types/shapes.c \
  programs/types/shapes.h \
  programs/types/shapes_call.c \
  programs/types/shapes_internal.h \
  programs/types/tensor_builtin.c \
  programs/types/tensor_builtin.h \
  programs/types/type.c \
  programs/types/type.h

# A host of the library, which sees hiaton.h alone (doc/dragnn.md); tests link its parts without networks.
dragnn_sources = \
  programs/dragnn/arc_hybrid.c \
  programs/dragnn/base.c \
  programs/dragnn/base.h \
  programs/dragnn/beam.c \
  programs/dragnn/beam.h \
  programs/dragnn/dragnn.h \
  programs/dragnn/pool.c \
  programs/dragnn/sentence.c \
  programs/dragnn/sentence.h \
  programs/dragnn/session.c \
  programs/dragnn/session.h \
  programs/dragnn/spec.c \
  programs/dragnn/spec.h \
  programs/dragnn/state.c \
  programs/dragnn/state.h \
  programs/dragnn/systems.c \
  programs/dragnn/tagger.c

dist_examples_DATA += \
  programs/examples/ack.df \
  programs/examples/attention.df \
  programs/examples/binomial.df \
  programs/examples/blocks.df \
  programs/examples/calendar.df \
  programs/examples/collatz.df \
  programs/examples/conjugate.df \
  programs/examples/eigen.df \
  programs/examples/factorial.df \
  programs/examples/fft.df \
  programs/examples/fib.df \
  programs/examples/gauss.df \
  programs/examples/gcd.df \
  programs/examples/gradient.df \
  programs/examples/gram.df \
  programs/examples/hanoi.df \
  programs/examples/histogram.df \
  programs/examples/hofstadter.df \
  programs/examples/integrate.df \
  programs/examples/jacobi.df \
  programs/examples/lcs.df \
  programs/examples/lstm.df \
  programs/examples/mandelbrot.df \
  programs/examples/matmul.df \
  programs/examples/mergesort.df \
  programs/examples/mlp.df \
  programs/examples/newton.df \
  programs/examples/parity.df \
  programs/examples/partitions.df \
  programs/examples/power.df \
  programs/examples/primes.df \
  programs/examples/queens.df \
  programs/examples/sieve.df \
  programs/examples/tak.df \
  programs/examples/wavefront.df

# Programs with ports, which a host feeds.
dist_ports_DATA += \
  programs/ports/automaton.df \
  programs/ports/layer.df \
  programs/ports/means.df

# Networks that `hiaton train` trains; trees made by `hiaton trees --count 24 --words 20 --seed 1`; sentences
# of a small grammar.
dist_training_DATA += \
  programs/training/parser.df \
  programs/training/rntn.df \
  programs/training/sentences.conllu \
  programs/training/spirals.df \
  programs/training/treelstm-down.df \
  programs/training/treelstm.df \
  programs/training/treernn-iteration.df \
  programs/training/treernn.df \
  programs/training/trees.txt

# DRAGNN in one graph, and by a host: its sources are installed, and compiled by who uses them.
dragnn_main_sources = \
  programs/dragnn/compute.c \
  programs/dragnn/compute.h \
  programs/dragnn/main.c \
  programs/dragnn/network.c \
  programs/dragnn/network.h
dist_dragnn_DATA += \
  programs/dragnn/numbers.yaml \
  programs/dragnn/parse.yaml \
  programs/dragnn/parser-numbers.df \
  programs/dragnn/parser.df \
  programs/dragnn/single.df \
  programs/dragnn/tagger.df \
  $(dragnn_sources) \
  $(dragnn_main_sources)
EXTRA_PROGRAMS += programs/dragnn/dragnn
programs_dragnn_dragnn_SOURCES = $(dragnn_sources) $(dragnn_main_sources)
programs_dragnn_dragnn_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/sim
programs_dragnn_dragnn_LDADD = libhiaton.a $(library_LIBS)
CLEANFILES += programs/dragnn/dragnn$(EXEEXT)

# Experiments find programs as ../examples/NAME.df, here and where they are installed. A
# NAME.full.yaml is NAME.yaml with larger sizes, and has the same tables and figures.
dist_experiments_DATA += \
  programs/experiments/batching-lstm.df \
  programs/experiments/batching-rnn.df \
  programs/experiments/batching-window.full.yaml \
  programs/experiments/batching-window.yaml \
  programs/experiments/batching.full.yaml \
  programs/experiments/batching.yaml \
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
  programs/experiments/cluster-dragonfly.xml \
  programs/experiments/cluster-fattree-10ns.xml \
  programs/experiments/cluster-fattree-1us.xml \
  programs/experiments/cluster-fattree-slow.xml \
  programs/experiments/cluster-fattree.xml \
  programs/experiments/cluster-star.xml \
  programs/experiments/cluster-torus.xml \
  programs/experiments/clusters-bounds.full.yaml \
  programs/experiments/clusters-bounds.yaml \
  programs/experiments/clusters-latency.full.yaml \
  programs/experiments/clusters-latency.yaml \
  programs/experiments/clusters-models.full.yaml \
  programs/experiments/clusters-models.yaml \
  programs/experiments/clusters-weak.full.yaml \
  programs/experiments/clusters-weak.yaml \
  programs/experiments/clusters-windows.full.yaml \
  programs/experiments/clusters-windows.yaml \
  programs/experiments/clusters.full.yaml \
  programs/experiments/clusters.yaml \
  programs/experiments/distributed-bounds.full.yaml \
  programs/experiments/distributed-bounds.yaml \
  programs/experiments/distributed-loops.full.yaml \
  programs/experiments/distributed-loops.yaml \
  programs/experiments/distributed-partitions.full.yaml \
  programs/experiments/distributed-partitions.yaml \
  programs/experiments/distributed-windows.full.yaml \
  programs/experiments/distributed-windows.yaml \
  programs/experiments/distributed.full.yaml \
  programs/experiments/distributed.yaml \
  programs/experiments/dragnn-pool.full.yaml \
  programs/experiments/dragnn-pool.yaml \
  programs/experiments/fifo-lifo.full.yaml \
  programs/experiments/fifo-lifo.yaml \
  programs/experiments/gradient-chain.df \
  programs/experiments/gradient-tree.df \
  programs/experiments/gradients.full.yaml \
  programs/experiments/gradients.yaml \
  programs/experiments/k-bounds.full.yaml \
  programs/experiments/k-bounds.yaml \
  programs/experiments/loop-alone.df \
  programs/experiments/loop-barrier.df \
  programs/experiments/loop-layers.df \
  programs/experiments/matching.full.yaml \
  programs/experiments/matching.yaml \
  programs/experiments/networks-clusters.full.yaml \
  programs/experiments/networks-clusters.yaml \
  programs/experiments/networks-tags.full.yaml \
  programs/experiments/networks-tags.yaml \
  programs/experiments/networks.full.yaml \
  programs/experiments/networks.yaml \
  programs/experiments/rnn-calls.df \
  programs/experiments/rnn-loop.df \
  programs/experiments/speedup.full.yaml \
  programs/experiments/speedup.yaml \
  programs/experiments/stack-lstm-equal.csv \
  programs/experiments/stack-lstm-grouping.full.yaml \
  programs/experiments/stack-lstm-grouping.yaml \
  programs/experiments/stack-lstm-mixed.csv \
  programs/experiments/stack-lstm-speed.full.yaml \
  programs/experiments/stack-lstm-speed.yaml \
  programs/experiments/stack-lstm-steps.df \
  programs/experiments/stack-lstm-tags.full.yaml \
  programs/experiments/stack-lstm-tags.yaml \
  programs/experiments/stack-lstm.df \
  programs/experiments/stack-lstm.full.yaml \
  programs/experiments/stack-lstm.yaml \
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

# Profiles and maps of machines, made by doc/studies/distributed.sh.
dist_maps_DATA += \
  programs/experiments/maps/fib-16.yaml \
  programs/experiments/maps/fib-2.yaml \
  programs/experiments/maps/fib-32.yaml \
  programs/experiments/maps/fib-4.yaml \
  programs/experiments/maps/fib-64.yaml \
  programs/experiments/maps/fib-8.yaml \
  programs/experiments/maps/fib.json \
  programs/experiments/maps/matmul-16.yaml \
  programs/experiments/maps/matmul-2.yaml \
  programs/experiments/maps/matmul-32.yaml \
  programs/experiments/maps/matmul-4.yaml \
  programs/experiments/maps/matmul-64.yaml \
  programs/experiments/maps/matmul-8.yaml \
  programs/experiments/maps/matmul.json \
  programs/experiments/maps/queens-16.yaml \
  programs/experiments/maps/queens-2.yaml \
  programs/experiments/maps/queens-32.yaml \
  programs/experiments/maps/queens-4.yaml \
  programs/experiments/maps/queens-64.yaml \
  programs/experiments/maps/queens-8.yaml \
  programs/experiments/maps/queens.json \
  programs/experiments/maps/tak-16.yaml \
  programs/experiments/maps/tak-2.yaml \
  programs/experiments/maps/tak-32.yaml \
  programs/experiments/maps/tak-4.yaml \
  programs/experiments/maps/tak-64.yaml \
  programs/experiments/maps/tak-8.yaml \
  programs/experiments/maps/tak.json
# Run from the source tree, not installed.
program_scripts = \
  programs/experiments/bodies.sh \
  programs/table1.sh
EXTRA_DIST += $(program_scripts)
