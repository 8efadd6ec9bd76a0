# Unit tests are programs tests/unit/ROOM/X.c on libcheck, listed without the .c; shell tests
# are run by sh and end with 77 to be skipped.

unit_tests += \
  tests/unit/analysis/bounds \
  tests/unit/analysis/causes \
  tests/unit/analysis/chart \
  tests/unit/analysis/cost \
  tests/unit/analysis/diff \
  tests/unit/analysis/forms \
  tests/unit/analysis/stream \
  tests/unit/analysis/summary \
  tests/unit/analysis/theory \
  tests/unit/isa/accumulators \
  tests/unit/isa/arms \
  tests/unit/isa/check \
  tests/unit/isa/conllu \
  tests/unit/isa/elementary \
  tests/unit/isa/lean \
  tests/unit/isa/loop_constant \
  tests/unit/isa/ports \
  tests/unit/isa/structure_failures \
  tests/unit/isa/structure_programs \
  tests/unit/isa/structures \
  tests/unit/isa/tensor_back \
  tests/unit/isa/tensor_elements \
  tests/unit/isa/tensor_blas \
  tests/unit/isa/tensor_costs \
  tests/unit/isa/tensor_files \
  tests/unit/isa/tensor_index \
  tests/unit/isa/tensor_kernels \
  tests/unit/isa/tensor_shapes \
  tests/unit/isa/text_and_image \
  tests/unit/isa/text_errors \
  tests/unit/lib/exhausted \
  tests/unit/lib/file \
  tests/unit/lib/findings \
  tests/unit/lib/foundations \
  tests/unit/lib/guard \
  tests/unit/lib/memory \
  tests/unit/lib/quote \
  tests/unit/lib/shortest \
  tests/unit/machine/backpressure \
  tests/unit/machine/batches \
  tests/unit/machine/bounds \
  tests/unit/machine/capacities \
  tests/unit/machine/checkpoint \
  tests/unit/machine/combinations \
  tests/unit/machine/divided \
  tests/unit/machine/events \
  tests/unit/machine/executor \
  tests/unit/machine/fabric \
  tests/unit/machine/fabric_plain \
  tests/unit/machine/faults \
  tests/unit/machine/gradients \
  tests/unit/machine/grid \
  tests/unit/machine/issues \
  tests/unit/machine/machine \
  tests/unit/machine/model \
  tests/unit/machine/needs \
  tests/unit/machine/network \
  tests/unit/machine/parts \
  tests/unit/machine/platform \
  tests/unit/machine/proof \
  tests/unit/machine/queue \
  tests/unit/machine/shapes \
  tests/unit/machine/stores \
  tests/unit/machine/swap \
  tests/unit/machine/transport \
  tests/unit/machine/updates \
  tests/unit/machine/verify \
  tests/unit/programs/array \
  tests/unit/programs/data_examples \
  tests/unit/programs/deferred \
  tests/unit/programs/dragnn \
  tests/unit/programs/dragnn_calls \
  tests/unit/programs/examples \
  tests/unit/programs/expanding \
  tests/unit/programs/forms \
  tests/unit/programs/front_end \
  tests/unit/programs/front_end_random \
  tests/unit/programs/gradient_loops \
  tests/unit/programs/gradients \
  tests/unit/programs/loop \
  tests/unit/programs/messages \
  tests/unit/programs/paper_graphs \
  tests/unit/programs/partition \
  tests/unit/programs/ported \
  tests/unit/programs/strands \
  tests/unit/programs/tensor_examples \
  tests/unit/programs/tensor_gradients \
  tests/unit/programs/tensors \
  tests/unit/programs/tensors_random \
  tests/unit/programs/word_examples \
  tests/unit/random/evaluate \
  tests/unit/random/generate \
  tests/unit/sim/budget \
  tests/unit/sim/deadlock_cycle \
  tests/unit/sim/compare \
  tests/unit/sim/damage \
  tests/unit/sim/embed \
  tests/unit/sim/embed_many \
  tests/unit/sim/experiment \
  tests/unit/sim/graph_errors \
  tests/unit/sim/growth \
  tests/unit/sim/handed_rows \
  tests/unit/sim/json_and_yaml \
  tests/unit/sim/network \
  tests/unit/sim/out_of_memory \
  tests/unit/sim/ports \
  tests/unit/sim/recording \
  tests/unit/sim/reset \
  tests/unit/sim/reset_platform \
  tests/unit/sim/setting \
  tests/unit/sim/simulation \
  tests/unit/sim/stopped \
  tests/unit/sim/threads \
  tests/unit/sim/window \
  tests/unit/sim/world \
  tests/unit/traces/chunks \
  tests/unit/traces/event_file \
  tests/unit/traces/live_tokens \
  tests/unit/traces/series_and_profile \
  tests/unit/traces/steps

shell_tests += \
  tests/shell/analyse.sh \
  tests/shell/analyse_figures.sh \
  tests/shell/arm64.sh \
  tests/shell/by.sh \
  tests/shell/calls.sh \
  tests/shell/causes.sh \
  tests/shell/classes.sh \
  tests/shell/cli.sh \
  tests/shell/compare.sh \
  tests/shell/complete.sh \
  tests/shell/complete_shells.sh \
  tests/shell/data.sh \
  tests/shell/deep.sh \
  tests/shell/details.sh \
  tests/shell/divided.sh \
  tests/shell/dragnn.sh \
  tests/shell/dragnn_single.sh \
  tests/shell/edited.sh \
  tests/shell/elsewhere_duckdb.sh \
  tests/shell/elsewhere_pandas.sh \
  tests/shell/elsewhere_r.sh \
  tests/shell/embed.sh \
  tests/shell/emit.sh \
  tests/shell/endings.sh \
  tests/shell/experiments.sh \
  tests/shell/figures.sh \
  tests/shell/fixed.sh \
  tests/shell/fuzz.sh \
  tests/shell/gallery.sh \
  tests/shell/given.sh \
  tests/shell/gradient_bounds.sh \
  tests/shell/graph.sh \
  tests/shell/heads.sh \
  tests/shell/identities.sh \
  tests/shell/idle_pes.sh \
  tests/shell/install.sh \
  tests/shell/keys.sh \
  tests/shell/layers.sh \
  tests/shell/ledger.sh \
  tests/shell/limits.sh \
  tests/shell/manual.sh \
  tests/shell/measure.sh \
  tests/shell/network.sh \
  tests/shell/oracle.sh \
  tests/shell/oracle_mistakes.sh \
  tests/shell/optimise.sh \
  tests/shell/output.sh \
  tests/shell/over_time.sh \
  tests/shell/override.sh \
  tests/shell/owners.sh \
  tests/shell/overwrite.sh \
  tests/shell/param_extents.sh \
  tests/shell/papers.sh \
  tests/shell/partition.sh \
  tests/shell/plain_texts.sh \
  tests/shell/platform.sh \
  tests/shell/platforms.sh \
  tests/shell/ports.sh \
  tests/shell/ports_analysed.sh \
  tests/shell/ports_random.sh \
  tests/shell/project.sh \
  tests/shell/property.sh \
  tests/shell/python.sh \
  tests/shell/quoting.sh \
  tests/shell/record.sh \
  tests/shell/recursion.sh \
  tests/shell/replay.sh \
  tests/shell/report.sh \
  tests/shell/report_browser.sh \
  tests/shell/reproduce.sh \
  tests/shell/rerun.sh \
  tests/shell/rerun_tables.sh \
  tests/shell/full_disk.sh \
  tests/shell/bad_input.sh \
  tests/shell/results.sh \
  tests/shell/series.sh \
  tests/shell/settings.sh \
  tests/shell/slurm.sh \
  tests/shell/signals.sh \
  tests/shell/smoke.sh \
  tests/shell/stack_lstm.sh \
  tests/shell/study.sh \
  tests/shell/suite.sh \
  tests/shell/sweep.sh \
  tests/shell/sweep_full.sh \
  tests/shell/sweep_kill.sh \
  tests/shell/table1.sh \
  tests/shell/table1_executor.sh \
  tests/shell/table2.sh \
  tests/shell/tensor_bits.sh \
  tests/shell/tensor_examples.sh \
  tests/shell/tensor_files.sh \
  tests/shell/texts.sh \
  tests/shell/trace.sh \
  tests/shell/trace_diff.sh \
  tests/shell/trace_export.sh \
  tests/shell/trace_export_read.sh \
  tests/shell/train.sh \
  tests/shell/train_kill.sh \
  tests/shell/train_sweep.sh \
  tests/shell/units.sh \
  tests/shell/whatif.sh \
  tests/shell/window.sh

# Each takes more than some 3 s of a processor. Stages have them first, so that no long one is alone at the end.
slow_tests = \
  tests/shell/arm64.sh \
  tests/shell/calls.sh \
  tests/shell/cli.sh \
  tests/shell/deep.sh \
  tests/shell/divided.sh \
  tests/shell/dragnn.sh \
  tests/shell/dragnn_single.sh \
  tests/shell/endings.sh \
  tests/shell/gallery.sh \
  tests/shell/gradient_bounds.sh \
  tests/shell/heads.sh \
  tests/shell/identities.sh \
  tests/shell/install.sh \
  tests/shell/manual.sh \
  tests/shell/oracle.sh \
  tests/shell/oracle_mistakes.sh \
  tests/shell/platforms.sh \
  tests/shell/ports_random.sh \
  tests/shell/property.sh \
  tests/shell/report.sh \
  tests/shell/signals.sh \
  tests/shell/report_browser.sh \
  tests/shell/results.sh \
  tests/shell/sweep.sh \
  tests/shell/sweep_full.sh \
  tests/shell/sweep_kill.sh \
  tests/shell/tensor_examples.sh \
  tests/shell/trace.sh \
  tests/shell/trace_export.sh \
  tests/shell/trace_export_read.sh \
  tests/unit/analysis/causes \
  tests/unit/analysis/diff \
  tests/unit/analysis/stream \
  tests/unit/machine/combinations \
  tests/unit/machine/events \
  tests/unit/machine/fabric \
  tests/unit/machine/fabric_plain \
  tests/unit/machine/grid \
  tests/unit/machine/shapes \
  tests/unit/random/generate \
  tests/unit/sim/network \
  tests/unit/sim/reset \
  tests/unit/traces/event_file \
  tests/unit/traces/series_and_profile

# What no stage runs under sanitizers, where a process alone costs 30 ms. They test what is
# no C code of the project: pages, lists, shells, programs that read results. Or SimGrid is in their own process,
# and does not free all of its memory. Or they test numbers of runs that
# other tests make there too: examples, experiments, figures, completion.
unsanitized_tests = \
  tests/shell/arm64.sh \
  tests/shell/dragnn.sh \
  tests/shell/embed.sh \
  tests/shell/complete.sh \
  tests/shell/complete_shells.sh \
  tests/shell/elsewhere_duckdb.sh \
  tests/shell/elsewhere_pandas.sh \
  tests/shell/elsewhere_r.sh \
  tests/shell/gallery.sh \
  tests/shell/gradient_bounds.sh \
  tests/shell/identities.sh \
  tests/shell/install.sh \
  tests/shell/keys.sh \
  tests/shell/layers.sh \
  tests/shell/ledger.sh \
  tests/shell/manual.sh \
  tests/shell/param_extents.sh \
  tests/shell/papers.sh \
  tests/shell/python.sh \
  tests/shell/report_browser.sh \
  tests/shell/table1.sh \
  tests/shell/table1_executor.sh \
  tests/shell/trace_export_read.sh \
  tests/unit/sim/reset_platform

# The stages of ./quickstart check (tests/check.sh) choose from these lists. All tests, the long ones first:
slow_first = $(slow_tests) $(filter-out $(slow_tests),$(unit_tests) $(shell_tests))
fast_unit_tests = $(filter-out $(slow_tests),$(unit_tests))
fast_shell_tests = $(filter-out $(slow_tests),$(shell_tests))
# What a change is to pass under sanitizers before it is shown to anybody.
quick_tests = \
  tests/shell/ports_random.sh \
  tests/shell/property.sh \
  $(filter-out tests/unit/analysis/cost tests/unit/machine/needs tests/unit/sim/reset_platform,$(fast_unit_tests)) \
  tests/shell/fuzz.sh \
  tests/shell/smoke.sh
# What several threads do at once: for ThreadSanitizer.
thread_tests = \
  tests/unit/isa/tensor_blas \
  tests/unit/lib/exhausted \
  tests/unit/sim/simulation \
  tests/unit/sim/threads \
  tests/unit/sim/world
# What reads files of the source tree, or must hold at once for them: lists, layers, messages, the second simulator.
source_tests = \
  tests/shell/oracle.sh \
  tests/shell/oracle_mistakes.sh \
  tests/shell/keys.sh \
  tests/shell/layers.sh \
  tests/shell/owners.sh \
  tests/shell/texts.sh
# The same bytes from every compiler, level of optimisation and processor.
bytes_tests = tests/shell/reproduce.sh tests/shell/tensor_bits.sh
# The same numbers on another processor, which needs a cross compiler and qemu.
arm64_tests = tests/shell/arm64.sh
# What else `make distcheck' runs in the distribution, whose files they read.
distribution_tests = \
  tests/shell/cli.sh \
  tests/shell/experiments.sh \
  tests/shell/fuzz.sh \
  tests/shell/install.sh \
  tests/shell/manual.sh \
  tests/shell/param_extents.sh \
  tests/shell/papers.sh \
  tests/unit/isa/text_and_image \
  tests/unit/programs/data_examples \
  tests/unit/programs/examples \
  tests/unit/programs/word_examples
# The programs that tests need, for check_PROGRAMS=... where no others are to be built.
programs_of = $(filter tests/unit/%,$1) \
  $(if $(filter %/fuzz.sh,$1),$(fuzz_programs)) \
  $(if $(filter %/oracle.sh %/oracle_mistakes.sh,$1),tests/oracle_compare) \
  $(if $(filter %/ports_random.sh,$1),tests/random/ports) \
  $(if $(filter %/property.sh,$1),tests/random/property) \
  $(if $(filter %/tensor_bits.sh,$1),tests/tensor/digests) \
  $(if $(filter %/train.sh,$1),tests/tensor/perceptron tests/tensor/treernn)

# Fast unit tests that `make dev' leaves out, as they take more than 3 s there, with all checks, and are of one matter:
# settings without effect, partitioned graphs, proofs of networks, batches of tensor units, checkpoints.
dev_slow_tests = \
  tests/unit/machine/batches \
  tests/unit/machine/checkpoint \
  tests/unit/machine/divided \
  tests/unit/machine/needs \
  tests/unit/machine/proof
# The shell tests that `make dev ROOM=...' runs besides the room's unit tests.
dev_analysis = tests/shell/analyse.sh tests/shell/analyse_figures.sh tests/shell/by.sh tests/shell/causes.sh tests/shell/edited.sh tests/shell/figures.sh tests/shell/gallery.sh tests/shell/over_time.sh tests/shell/study.sh tests/shell/whatif.sh
dev_machine = tests/shell/fixed.sh tests/shell/table1_executor.sh
dev_programs = tests/shell/optimise.sh tests/shell/table1.sh
dev_sim = \
  tests/shell/compare.sh \
  tests/shell/complete.sh \
  tests/shell/edited.sh \
  tests/shell/embed.sh \
  tests/shell/emit.sh \
  tests/shell/experiments.sh \
  tests/shell/fixed.sh \
  tests/shell/given.sh \
  tests/shell/graph.sh \
  tests/shell/keys.sh \
  tests/shell/measure.sh \
  tests/shell/network.sh \
  tests/shell/output.sh \
  tests/shell/override.sh \
  tests/shell/python.sh \
  tests/shell/suite.sh \
  tests/shell/texts.sh \
  tests/shell/trace.sh \
  tests/shell/trace_diff.sh \
  tests/shell/train.sh \
  tests/shell/train_kill.sh \
  tests/shell/train_sweep.sh \
  tests/shell/window.sh
dev_traces = \
  tests/shell/details.sh \
  tests/shell/series.sh \
  tests/shell/trace_export.sh \
  tests/shell/trace_export_read.sh

# Run from the source tree, and no tests.
test_scripts = \
  tests/bench/bench.sh \
  tests/check.sh \
  tests/shell/arm64_root.sh \
  tests/shell/elsewhere.sh \
  tests/shell/expect.sh

# Included by unit tests.
test_headers = \
  tests/tensor/kernels.h \
  tests/unit/analysis/found.h \
  tests/unit/cases.h \
  tests/unit/dragnn.h \
  tests/unit/drawn.h \
  tests/unit/embed.h \
  tests/unit/examples.h \
  tests/unit/fed.h \
  tests/unit/files.h \
  tests/unit/front_end.h \
  tests/unit/isa_texts.h \
  tests/unit/main.h \
  tests/unit/networks.h \
  tests/unit/plain_c.h \
  tests/unit/rig.h \
  tests/unit/structures.h \
  tests/unit/support.h \
  tests/unit/tensor_programs.h \
  tests/unit/tensor_runs.h \
  tests/unit/tensors.h

# Folders of inputs and expected outputs, distributed whole.
test_data = \
  tests/data/calls \
  tests/data/data \
  tests/data/diagnostics \
  tests/data/experiments \
  tests/data/exports \
  tests/data/figures \
  tests/data/regressions \
  tests/embed \
  tests/fuzz

# The evaluator, and the program that compares it with everything that runs graphs.
evaluate_sources = \
  tests/random/evaluate.c \
  tests/random/evaluate.h \
  tests/random/evaluate_data.c \
  tests/random/evaluate_dual.c \
  tests/random/evaluate_gradient.c \
  tests/random/evaluate_internal.h \
  tests/random/evaluate_scalar.c \
  tests/random/evaluate_sum.c
generate_sources = \
  tests/random/generate.c \
  tests/random/generate.h \
  tests/random/generate_case.c \
  tests/random/generate_data.c \
  tests/random/generate_expr.c \
  tests/random/generate_internal.h \
  tests/random/generate_loop.c
property_sources = \
  tests/random/compare.c \
  tests/random/compare.h \
  tests/random/compare_bounds.c \
  tests/random/compare_engine.c \
  tests/random/compare_engine.h \
  tests/random/compare_forms.c \
  tests/random/compare_internal.h \
  tests/random/compare_platform.c \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/draw_platform.c \
  tests/random/draw_platform.h \
  $(generate_sources) \
  tests/random/placeless.h \
  tests/random/property.c \
  tests/random/shrink.c \
  tests/random/shrink.h \
  tests/random/shuffle.c \
  tests/random/shuffle.h \
  tests/unit/recount.c \
  tests/unit/recount.h
# The second simulator, and the program that compares the engines with it.
oracle_sources = \
  tests/oracle/arrays.c \
  tests/oracle/batches.c \
  tests/oracle/buffers.c \
  tests/oracle/causes.c \
  tests/oracle/chain.c \
  tests/oracle/compare.c \
  tests/oracle/compare.h \
  tests/oracle/coordinator.c \
  tests/oracle/copies.c \
  tests/oracle/executor.c \
  tests/random/feeding.c \
  tests/random/feeding.h \
  tests/oracle/fire.c \
  tests/oracle/listed.c \
  tests/oracle/loops.c \
  tests/oracle/machines.c \
  tests/oracle/main.c \
  tests/oracle/match.c \
  tests/oracle/memory.c \
  tests/oracle/network.c \
  tests/oracle/nodes.c \
  tests/oracle/numbers.c \
  tests/oracle/oracle.h \
  tests/oracle/place.c \
  tests/oracle/ports.c \
  tests/oracle/program.c \
  tests/oracle/result.c \
  tests/oracle/room.c \
  tests/oracle/routers.c \
  tests/oracle/routers.h \
  tests/oracle/run.c \
  tests/oracle/shapes.c \
  tests/oracle/settings.c \
  tests/oracle/state.h \
  tests/oracle/swap.c \
  tests/oracle/tags.c \
  tests/oracle/tensors.c \
  tests/oracle/turn.c \
  tests/oracle/units.c \
  tests/oracle/values.c \
  tests/oracle/ways.c \
  tests/oracle/ways.h \
  tests/oracle/why.h
# What no compiled program has.
oracle_programs = \
  tests/oracle/accumulate.df \
  tests/oracle/back.df \
  tests/oracle/closed.asm \
  tests/oracle/deferred.df \
  tests/oracle/freed.df \
  tests/oracle/given.asm \
  tests/oracle/half.asm \
  tests/oracle/later.asm \
  tests/oracle/list.asm \
  tests/oracle/own.asm \
  tests/oracle/paired.asm \
  tests/oracle/parts.df \
  tests/oracle/random.df \
  tests/oracle/pairs.asm \
  tests/oracle/rows.asm \
  tests/oracle/shapes.asm \
  tests/oracle/vectors.asm \
  tests/oracle/elements.df \
  tests/oracle/index.df \
  tests/oracle/tensors.df \
  tests/oracle/stores.asm \
  tests/oracle/swap.df \
  tests/oracle/third.asm \
  tests/oracle/tree.asm \
  tests/oracle/twice.asm \
  tests/oracle/uneven.asm \
  tests/oracle/wrong.asm
tests_oracle_compare_SOURCES = \
  $(oracle_sources) \
  tests/random/draw.c \
  tests/random/draw.h \
  $(generate_sources) \
  tests/random/generate_ports.c \
  tests/random/generate_ports.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/generate_tensors.h \
  tests/random/shrink.c \
  tests/random/shrink.h
tests_oracle_compare_LDADD = $(internal_LIBS)
tests_unit_traces_chunks_SOURCES = tests/unit/traces/chunks.c tests/random/draw.c tests/random/draw.h
tests_unit_traces_event_file_SOURCES = tests/unit/traces/event_file.c tests/random/draw.c tests/random/draw.h
tests_unit_sim_damage_SOURCES = tests/unit/sim/damage.c tests/random/draw.c tests/random/draw.h
tests_unit_sim_reset_SOURCES = tests/unit/sim/reset.c tests/random/draw.c tests/random/draw.h
tests_unit_machine_checkpoint_SOURCES = tests/unit/machine/checkpoint.c tests/random/draw.c tests/random/draw.h
tests_unit_machine_combinations_SOURCES = tests/unit/machine/combinations.c tests/random/draw.c tests/random/draw.h
tests_unit_programs_forms_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/generate.c \
  tests/random/generate.h \
  tests/random/generate_case.c \
  tests/random/generate_data.c \
  tests/random/generate_expr.c \
  tests/random/generate_internal.h \
  tests/random/generate_loop.c \
  tests/random/generate_ports.c \
  tests/random/generate_ports.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors.h \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/gradient_random.c \
  tests/random/gradient_random.h \
  tests/random/gradient_tensors.c \
  tests/random/gradient_tensors.h \
  tests/random/param_random.c \
  tests/random/param_random.h \
  tests/unit/programs/forms.c
tests_unit_programs_gradient_loops_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/gradient_random.c \
  tests/random/gradient_random.h \
  tests/random/gradient_tensors.c \
  tests/random/gradient_tensors.h \
  tests/random/param_random.c \
  tests/random/param_random.h \
  tests/unit/programs/gradient_loops.c
tests_unit_programs_gradients_SOURCES = \
  $(evaluate_sources) \
  tests/random/gradient_random.c \
  tests/random/gradient_random.h \
  tests/unit/programs/gradients.c
tests_unit_programs_tensor_gradients_SOURCES = \
  tests/random/gradient_tensors.c \
  tests/random/gradient_tensors.h \
  tests/unit/programs/tensor_gradients.c
tests_unit_programs_dragnn_SOURCES = tests/unit/programs/dragnn.c $(dragnn_sources)
tests_unit_programs_dragnn_calls_SOURCES = tests/unit/programs/dragnn_calls.c $(dragnn_sources)
tests_unit_programs_deferred_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/param_random.c \
  tests/random/param_random.h \
  tests/unit/programs/deferred.c
tests_unit_sim_handed_rows_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/param_random.c \
  tests/random/param_random.h \
  tests/unit/sim/handed_rows.c
tests_unit_machine_batches_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/generate_tensors.h \
  tests/unit/machine/batches.c
tests_unit_machine_gradients_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/gradient_random.c \
  tests/random/gradient_random.h \
  tests/random/param_random.c \
  tests/random/param_random.h \
  tests/unit/machine/gradients.c
tests_unit_machine_swap_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/unit/machine/swap.c
tests_unit_machine_transport_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/generate_tensors.h \
  tests/unit/machine/transport.c \
  tests/unit/recount.c \
  tests/unit/recount.h
tests_unit_programs_tensors_random_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/generate_tensors.h \
  tests/unit/programs/tensors_random.c
tests_unit_random_evaluate_SOURCES = tests/unit/random/evaluate.c $(evaluate_sources)
tests_unit_analysis_stream_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/random/generate_tensors.c \
  tests/random/generate_tensors_elements.c \
  tests/random/generate_tensors_internal.h \
  tests/random/generate_tensors_rows.c \
  tests/random/generate_tensors.h \
  tests/unit/analysis/stream.c
tests_unit_analysis_causes_SOURCES = tests/unit/analysis/causes.c tests/random/draw.c tests/random/draw.h
tests_unit_machine_events_SOURCES = \
  tests/random/draw.c \
  tests/random/draw.h \
  tests/unit/machine/events.c \
  tests/unit/recount.c \
  tests/unit/recount.h
# For tests/bench/bench.sh, which builds tests/bench/shim.cpp itself, and runs tests/bench/chain.df.
EXTRA_DIST += tests/bench/chain.df tests/bench/parts.awk tests/bench/parts.tbl tests/bench/shim.cpp
tests_bench_carrier_SOURCES = tests/bench/carrier.c
tests_bench_carrier_LDADD = $(internal_LIBS)
tests_bench_sessions_SOURCES = tests/bench/sessions.c
tests_bench_sessions_LDADD = $(internal_LIBS)
# For make bench-threads, on tests/bench/fact.df.
EXTRA_DIST += tests/bench/fact.df
tests_bench_threads_SOURCES = tests/bench/threads.c
tests_bench_threads_LDADD = $(internal_LIBS)
tests_unit_machine_grid_SOURCES = \
  $(generate_sources) \
  tests/random/draw_platform.c \
  tests/random/draw_platform.h \
  tests/unit/machine/grid.c
tests_unit_machine_executor_SOURCES = tests/unit/machine/executor.c tests/random/draw.c tests/random/draw.h
tests_unit_random_generate_SOURCES = \
  tests/random/shrink.c \
  tests/random/shrink.h \
  tests/unit/random/generate.c \
  $(evaluate_sources) \
  $(generate_sources)
tests_unit_isa_structure_failures_SOURCES = tests/unit/isa/structure_failures.c tests/random/shuffle.c tests/random/shuffle.h
tests_unit_isa_structure_programs_SOURCES = tests/unit/isa/structure_programs.c tests/random/shuffle.c tests/random/shuffle.h
# Random programs with ports, and hosts that feed them.
ports_sources = tests/random/generate_ports.c tests/random/generate_ports.h tests/random/ports.c
tests_random_ports_SOURCES = tests/random/draw.c tests/random/draw.h $(ports_sources) $(evaluate_sources)
tests_random_ports_LDADD = $(internal_LIBS)
tests_random_property_SOURCES = $(property_sources) $(evaluate_sources)
tests_random_property_LDADD = $(internal_LIBS)
# What tensors come to, bit by bit; and how long products take.
tensor_sources = tests/tensor/chain.c tests/tensor/digests.c tests/tensor/perceptron.c tests/tensor/treernn.c
tests_tensor_chain_SOURCES = tests/tensor/chain.c
tests_tensor_chain_LDADD = $(internal_LIBS)
tests_tensor_digests_SOURCES = tests/tensor/digests.c
tests_tensor_digests_LDADD = $(internal_LIBS)
# A parser to compare with. It reads sentences and applies transitions by the library.
tests_tensor_perceptron_SOURCES = tests/tensor/perceptron.c
tests_tensor_perceptron_LDADD = $(internal_LIBS)
# Hosts of the library (tests/shell/embed.sh compiles them).
embed_sources = tests/embed/threads.c tests/embed/tree.c
# Plain C, which knows nothing of the library.
tests_tensor_treernn_SOURCES = tests/tensor/treernn.c

# Fuzz targets: with libFuzzer if configured so (make fuzz), else with a main that runs
# the files it is given; tests/shell/fuzz.sh runs the corpus through either.
fuzz_targets = assembly checkpoint compare conllu csv energy experiment image language network npy partition parts recording results settings trace trees
fuzz_programs = $(fuzz_targets:%=tests/fuzz_%)
fuzz_common = \
  tests/fuzz/execute.c \
  tests/fuzz/fuzz.c \
  tests/fuzz/fuzz.h
fuzz_recorded = \
  tests/fuzz/recorded.c \
  tests/fuzz/recorded.h
fuzz_main = tests/fuzz/replay.c
fuzz_sources = $(fuzz_targets:%=tests/fuzz/%.c) $(fuzz_common) $(fuzz_recorded) $(fuzz_main)

if !FUZZERS
fuzz_common += $(fuzz_main)
endif
tests_fuzz_assembly_SOURCES = tests/fuzz/assembly.c $(fuzz_common)
tests_fuzz_assembly_LDADD = $(internal_LIBS)
tests_fuzz_assembly_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_checkpoint_SOURCES = tests/fuzz/checkpoint.c $(fuzz_recorded) $(fuzz_common)
tests_fuzz_checkpoint_LDADD = $(internal_LIBS)
tests_fuzz_checkpoint_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_compare_SOURCES = tests/fuzz/compare.c $(fuzz_common)
tests_fuzz_compare_LDADD = $(internal_LIBS)
tests_fuzz_compare_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_conllu_SOURCES = tests/fuzz/conllu.c $(fuzz_common)
tests_fuzz_conllu_LDADD = $(internal_LIBS)
tests_fuzz_conllu_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_csv_SOURCES = tests/fuzz/csv.c $(fuzz_common)
tests_fuzz_csv_LDADD = $(internal_LIBS)
tests_fuzz_csv_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_energy_SOURCES = tests/fuzz/energy.c $(fuzz_common)
tests_fuzz_energy_LDADD = $(internal_LIBS)
tests_fuzz_energy_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_experiment_SOURCES = tests/fuzz/experiment.c $(fuzz_common)
tests_fuzz_experiment_LDADD = $(internal_LIBS)
tests_fuzz_experiment_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_image_SOURCES = tests/fuzz/image.c $(fuzz_common)
tests_fuzz_image_LDADD = $(internal_LIBS)
tests_fuzz_image_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_language_SOURCES = tests/fuzz/language.c tests/random/placeless.h $(fuzz_common)
tests_fuzz_language_LDADD = $(internal_LIBS)
tests_fuzz_language_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_network_SOURCES = tests/fuzz/network.c $(fuzz_common)
tests_fuzz_network_LDADD = $(internal_LIBS)
tests_fuzz_network_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_npy_SOURCES = tests/fuzz/npy.c $(fuzz_common)
tests_fuzz_npy_LDADD = $(internal_LIBS)
tests_fuzz_npy_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_partition_SOURCES = tests/fuzz/partition.c $(fuzz_common)
tests_fuzz_partition_LDADD = $(internal_LIBS)
tests_fuzz_partition_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_parts_SOURCES = tests/fuzz/parts.c $(fuzz_common)
tests_fuzz_parts_LDADD = $(internal_LIBS)
tests_fuzz_parts_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_recording_SOURCES = tests/fuzz/recording.c $(fuzz_recorded) $(fuzz_common)
tests_fuzz_recording_LDADD = $(internal_LIBS)
tests_fuzz_recording_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_results_SOURCES = tests/fuzz/results.c $(fuzz_common)
tests_fuzz_results_LDADD = $(internal_LIBS)
tests_fuzz_results_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_settings_SOURCES = tests/fuzz/settings.c $(fuzz_common)
tests_fuzz_settings_LDADD = $(internal_LIBS)
tests_fuzz_settings_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_trace_SOURCES = tests/fuzz/trace.c $(fuzz_recorded) $(fuzz_common)
tests_fuzz_trace_LDADD = $(internal_LIBS)
tests_fuzz_trace_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_trees_SOURCES = tests/fuzz/trees.c $(fuzz_common)
tests_fuzz_trees_LDADD = $(internal_LIBS)
tests_fuzz_trees_LDFLAGS = $(FUZZ_LDFLAGS)

check_PROGRAMS = \
  tests/bench/carrier \
  tests/bench/sessions \
  tests/bench/threads \
  tests/fuzz_assembly \
  tests/fuzz_checkpoint \
  tests/fuzz_compare \
  tests/fuzz_conllu \
  tests/fuzz_csv \
  tests/fuzz_energy \
  tests/fuzz_experiment \
  tests/fuzz_image \
  tests/fuzz_language \
  tests/fuzz_network \
  tests/fuzz_npy \
  tests/fuzz_partition \
  tests/fuzz_parts \
  tests/fuzz_recording \
  tests/fuzz_results \
  tests/fuzz_settings \
  tests/fuzz_trace \
  tests/fuzz_trees \
  tests/oracle_compare \
  tests/random/ports \
  tests/random/property \
  tests/tensor/chain \
  tests/tensor/digests \
  tests/tensor/perceptron \
  tests/tensor/treernn
TESTS = $(unit_tests) $(shell_tests)
# Only the unit tests need libcheck. Without it `make check' refuses, and TESTS=... names other tests.
EXTRA_PROGRAMS += $(unit_tests)
if HAVE_CHECK
check_PROGRAMS += $(unit_tests)
else
check_DATA = tests-without-libcheck
unit_test_objects = $(unit_tests:=.$(OBJEXT))
$(unit_test_objects): tests-without-libcheck
endif
tests-without-libcheck:
	@test -z '$(filter tests/unit/%,$(TESTS))' || { \
	  echo 'check: libcheck is not installed (Debian package check), and the unit tests need it;' >&2; \
	  echo 'install it and configure again, or run the others: make check TESTS='\''$$(shell_tests)'\' >&2; \
	  exit 1; }
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

# 99 is a status hiaton itself never has, so a sanitizer's finding is never taken for an
# expected failure; the time limits of libcheck are for builds without sanitizers.
AM_TESTS_ENVIRONMENT = \
  HIATON='$(abs_builddir)/hiaton$(EXEEXT)'; export HIATON; \
  SRCDIR='$(abs_srcdir)'; export SRCDIR; \
  BUILDDIR='$(abs_builddir)'; export BUILDDIR; \
  CC='$(CC)' CXX='$(CXX)' NM='$(NM)'; export CC CXX NM; \
  HIATON_MODULES='$(abs_builddir)'; export HIATON_MODULES; \
  HIATON_SANITIZERS='$(enable_sanitizers)'; export HIATON_SANITIZERS; \
  ASAN_OPTIONS=exitcode=99:detect_stack_use_after_return=1; export ASAN_OPTIONS; \
  UBSAN_OPTIONS=exitcode=99:print_stacktrace=1; export UBSAN_OPTIONS; \
  CK_DEFAULT_TIMEOUT=120; export CK_DEFAULT_TIMEOUT;

EXTRA_DIST += \
  tests/README.md \
  tests/helgrind.supp \
  $(oracle_programs) \
  $(shell_tests) \
  $(test_data) \
  $(test_headers) \
  $(test_scripts) \
  tests/corpus/corpus.sh \
  tests/corpus/settings.tbl \
  tests/corpus/wrong.tbl \
  tests/data/cppcheck.suppress \
  tests/data/examples.tbl \
  tests/data/machine_rooms.tbl \
  tests/data/mistakes.tbl \
  tests/data/table1.csv \
  tests/data/table2.csv \
  tests/data/tensor_digests.txt \
  tests/data/usage.tbl \
  tests/data/warnings.tbl \
  tests/data/whatif.tbl \
  tests/shell/calls.awk \
  tests/shell/identities.awk \
  tests/shell/platforms.awk \
  tests/shell/platforms_drawn.awk

# A folder is distributed with all that a build has left in it.
dist-hook:
	cd $(distdir)/tests/fuzz && rm -rf *.o .deps .dirstamp
