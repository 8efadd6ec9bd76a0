libinternal_a_SOURCES += \
  programs/compile.c \
  programs/compile.h \
  programs/form/check.c \
  programs/form/check.h \
  programs/form/form.c \
  programs/form/form.h \
  programs/form/kinds.def \
  programs/form/prune.c \
  programs/form/text.c \
  programs/form/text.h \
  programs/gradient/arrays.c \
  programs/gradient/arrays.h \
  programs/gradient/calls.c \
  programs/gradient/calls.h \
  programs/gradient/components.c \
  programs/gradient/components.h \
  programs/gradient/deferred.c \
  programs/gradient/deferred.h \
  programs/gradient/differentiate.c \
  programs/gradient/differentiate.h \
  programs/gradient/elements.c \
  programs/gradient/elementwise.c \
  programs/gradient/elementwise.h \
  programs/gradient/loops.c \
  programs/gradient/loops.h \
  programs/gradient/rules.c \
  programs/graph/build.c \
  programs/graph/build.h \
  programs/graph/build_data.c \
  programs/graph/build_expr.c \
  programs/graph/build_gradient.c \
  programs/graph/build_joined.c \
  programs/graph/build_tensor.c \
  programs/graph/builder.h \
  programs/graph/check_gradient.c \
  programs/graph/emit.c \
  programs/graph/folds.c \
  programs/graph/folds.h \
  programs/graph/places.c \
  programs/graph/places.h \
  programs/graph/region.c \
  programs/graph/region.h \
  programs/graph/static_graph.c \
  programs/graph/static_graph.h \
  programs/graph/strands.c \
  programs/graph/strands.h \
  programs/optimise/copies.c \
  programs/optimise/dead.c \
  programs/optimise/fold.c \
  programs/optimise/hoist.c \
  programs/optimise/inline.c \
  programs/optimise/loops.c \
  programs/optimise/loops.h \
  programs/optimise/passes.h \
  programs/optimise/rewrite.c \
  programs/optimise/rewrite.h \
  programs/optimise/share.c \
  programs/param_extents.c \
  programs/param_extents.h \
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
  programs/settings/settings.c \
  programs/settings/settings.def \
  programs/settings/settings.h \
  programs/syntax/ast.c \
  programs/syntax/ast.h \
  programs/syntax/builtins.def \
  programs/syntax/cursor.c \
  programs/syntax/cursor.h \
  programs/syntax/lex.c \
  programs/syntax/lex.h \
  programs/syntax/parse.c \
  programs/syntax/parse.h \
  programs/syntax/parse_array.c \
  programs/syntax/parse_datatype.c \
  programs/syntax/parse_expr.c \
  programs/syntax/parse_given.c \
  programs/syntax/parse_loop.c \
  programs/syntax/parse_param.c \
  programs/syntax/parse_pattern.c \
  programs/syntax/parse_port.c \
  programs/syntax/parser.h \
  programs/syntax/pragma.c \
  programs/syntax/pragma.h \
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
  programs/types/datatype.c \
  programs/types/datatype.h \
  programs/types/default_types.c \
  programs/types/default_types.h \
  programs/types/depend.c \
  programs/types/depend.h \
  programs/types/given.c \
  programs/types/given.h \
  programs/types/gradient_type.c \
  programs/types/gradient_type.h \
  programs/types/infer.c \
  programs/types/infer.h \
  programs/types/infer_data.c \
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
  programs/types/match.c \
  programs/types/match.h \
  programs/types/on_class.c \
  programs/types/on_class.h \
  programs/types/one_type.c \
  programs/types/one_type.h \
  programs/types/resolve.c \
  programs/types/resolve.h \
  programs/types/shapes.c \
  programs/types/shapes.h \
  programs/types/shapes_call.c \
  programs/types/shapes_internal.h \
  programs/types/specialise.c \
  programs/types/tensor_builtin.c \
  programs/types/tensor_builtin.h \
  programs/types/type.c \
  programs/types/type.h \
  programs/types/unneeded.c \
  programs/types/unneeded.h

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

dist_examples_DATA += $(call files_of,programs/examples/*.df)

# Programs with ports, which a host feeds.
dist_ports_DATA += $(call files_of,programs/ports/*.df)

# Networks that `hiaton train` trains; trees made by `hiaton trees --count 24 --words 20 --seed 1`; sentences
# of a small grammar.
dist_training_DATA += $(call files_of,programs/training/*.conllu programs/training/*.df programs/training/*.txt)

# DRAGNN in one graph, and by a host: its sources are installed, and compiled by who uses them.
dragnn_main_sources = \
  programs/dragnn/compute.c \
  programs/dragnn/compute.h \
  programs/dragnn/main.c \
  programs/dragnn/network.c \
  programs/dragnn/network.h
dist_dragnn_DATA += $(call files_of,programs/dragnn/*.df programs/dragnn/*.yaml) $(dragnn_sources) $(dragnn_main_sources)
EXTRA_PROGRAMS += programs/dragnn/dragnn
programs_dragnn_dragnn_SOURCES = $(dragnn_sources) $(dragnn_main_sources)
programs_dragnn_dragnn_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/sim
programs_dragnn_dragnn_LDADD = libhiaton.a $(library_LIBS)
CLEANFILES += programs/dragnn/dragnn$(EXEEXT)

# Experiments find programs as ../examples/NAME.df, here and where they are installed. A
# NAME.full.yaml is NAME.yaml with larger sizes, and has the same tables and figures.
dist_experiments_DATA += $(call files_of,programs/experiments/*.csv programs/experiments/*.df programs/experiments/*.xml \
  programs/experiments/*.yaml)

# Profiles and maps of machines, made by doc/studies/distributed.sh.
dist_maps_DATA += $(call files_of,programs/experiments/maps/*.json programs/experiments/maps/*.yaml)
# Run from the source tree, not installed.
program_scripts = \
  programs/experiments/bodies.sh \
  programs/table1.sh
EXTRA_DIST += $(program_scripts)
