# Manual pages, in scdoc. Those in man_tables are a hand-written text with a line @TABLE@
# that the built program fills in from its own tables (`hiaton ops --scdoc', `hiaton sweep keys
# --scdoc'), so that the page cannot differ from the program.

man_pages = \
  doc/man/hiaton-analyse.1 \
  doc/man/hiaton-asm.1 \
  doc/man/hiaton-compare.1 \
  doc/man/hiaton-compile.1 \
  doc/man/hiaton-disasm.1 \
  doc/man/hiaton-graph.1 \
  doc/man/hiaton-interp.1 \
  doc/man/hiaton-language.7 \
  doc/man/hiaton-machines.1 \
  doc/man/hiaton-network.1 \
  doc/man/hiaton-partition.1 \
  doc/man/hiaton-platform.1 \
  doc/man/hiaton-replay.1 \
  doc/man/hiaton-report.1 \
  doc/man/hiaton-results.1 \
  doc/man/hiaton-run.1 \
  doc/man/hiaton-sweep.1 \
  doc/man/hiaton-trace.1 \
  doc/man/hiaton-train.1 \
  doc/man/hiaton-trees.1 \
  doc/man/hiaton.1 \
  doc/man/hiaton.3

man_tables = \
  doc/man/hiaton-experiment.5 \
  doc/man/hiaton-ops.7 \
  doc/man/hiaton-settings.7

man_filled = $(man_tables:=.scd)

nodist_man_MANS += $(man_pages) $(man_tables)

EXTRA_DIST += $(man_pages:=.scd) $(man_tables:=.scd.in)

# What `--json' writes, as a JSON Schema; from the tables of the program, like the above.
nodist_pkgdata_DATA += doc/schema.json
CLEANFILES += doc/schema.json
doc/schema.json: hiaton$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./hiaton$(EXEEXT) results schema > $@.tmp && mv $@.tmp $@

# The manual; tests/shell/manual.sh runs its examples. Installed in the same folders as here, so that
# links between pages, and to what stands beside them, lead to something.
nobase_dist_doc_DATA = \
  ARCHITECTURE.md \
  CHANGELOG.md \
  CITATION.cff \
  CONTRIBUTING.md \
  HACKING.md \
  LICENSE \
  NOTICE \
  README.md \
  doc/analyses.md \
  doc/artifact.md \
  doc/assembly.md \
  doc/clusters.md \
  doc/compilers.md \
  doc/distributed-factorial.svg \
  doc/distributed-loop.svg \
  doc/dragnn.md \
  doc/embedding.md \
  doc/experiments.md \
  doc/factorial.svg \
  doc/gallery/README.md \
  doc/gallery/causes.svg \
  doc/gallery/gallery.sh \
  doc/gallery/graph-expanding.svg \
  doc/gallery/graph-fold.svg \
  doc/gallery/graph-functions.svg \
  doc/gallery/graph-heat.svg \
  doc/gallery/graph-image.svg \
  doc/gallery/graph-loop.svg \
  doc/gallery/graph-partitioned.svg \
  doc/gallery/graph-static.svg \
  doc/gallery/graph-tensors.svg \
  doc/gallery/idle_pes.svg \
  doc/gallery/idleness.svg \
  doc/gallery/links.svg \
  doc/gallery/network.svg \
  doc/gallery/occupancy.svg \
  doc/gallery/profile.svg \
  doc/gallery/report.png \
  doc/gallery/run.svg \
  doc/gallery/speedup.svg \
  doc/gallery/state.svg \
  doc/gallery/sweep-bars.svg \
  doc/gallery/sweep-bounds.svg \
  doc/gallery/sweep-boxes.svg \
  doc/gallery/sweep-causes.svg \
  doc/gallery/sweep-heat.svg \
  doc/gallery/sweep-lines.svg \
  doc/gallery/sweep-pe.svg \
  doc/gallery/sweep-points.svg \
  doc/gallery/sweep-profile.svg \
  doc/gallery/sweep-series.svg \
  doc/gallery/sweeps.yaml \
  doc/gallery/timeline.svg \
  doc/gallery/traffic.svg \
  doc/gallery/whatif.svg \
  doc/gradients-firings.svg \
  doc/gradients-naive.svg \
  doc/gradients-paired.svg \
  doc/gradients-waiting.svg \
  doc/gradients.md \
  doc/language.md \
  doc/graphs.md \
  doc/inside.md \
  doc/life-of-an-add.md \
  doc/machine.md \
  doc/manual.md \
  doc/metrics.md \
  doc/model.md \
  doc/model/events.md \
  doc/model/execution.md \
  doc/model/executor.md \
  doc/model/machines.md \
  doc/model/network.md \
  doc/model/pe.md \
  doc/model/tensors.md \
  doc/model/time.md \
  doc/networks.md \
  doc/performance.md \
  doc/ledger.sh \
  doc/published.md \
  doc/python.ipynb \
  doc/python.md \
  doc/replay.md \
  doc/report.md \
  doc/results.md \
  doc/running.md \
  doc/studies/batching-launch.svg \
  doc/studies/batching-methods.svg \
  doc/studies/batching-window-size.svg \
  doc/studies/batching-window-time.svg \
  doc/studies/batching.awk \
  doc/studies/batching.md \
  doc/studies/batching.sh \
  doc/studies/bounds.md \
  doc/studies/bounds.sh \
  doc/studies/bounds.svg \
  doc/studies/bounds.yaml \
  doc/studies/clusters-bounds.svg \
  doc/studies/clusters-latency.svg \
  doc/studies/clusters-models.svg \
  doc/studies/clusters-strong.svg \
  doc/studies/clusters-traffic-fib.svg \
  doc/studies/clusters-traffic-matmul.svg \
  doc/studies/clusters-traffic-mergesort.svg \
  doc/studies/clusters-traffic-tak.svg \
  doc/studies/clusters-weak.svg \
  doc/studies/clusters-windows.svg \
  doc/studies/clusters.md \
  doc/studies/clusters.sh \
  doc/studies/distributed-bounds-rate.svg \
  doc/studies/distributed-loops-rate.svg \
  doc/studies/distributed-partitions-time.svg \
  doc/studies/distributed-platforms-time.svg \
  doc/studies/distributed-time.svg \
  doc/studies/distributed-windows-time.svg \
  doc/studies/distributed.md \
  doc/studies/distributed.sh \
  doc/studies/dragnn-learning.svg \
  doc/studies/dragnn-pool-state.svg \
  doc/studies/dragnn-pool-time.svg \
  doc/studies/dragnn.md \
  doc/studies/dragnn.sh \
  doc/studies/fifo-lifo.awk \
  doc/studies/fifo-lifo.md \
  doc/studies/fifo-lifo.sh \
  doc/studies/fifo-lifo.svg \
  doc/studies/networks-clusters.svg \
  doc/studies/networks-direct.svg \
  doc/studies/networks-switched.svg \
  doc/studies/networks-tags-narrow.svg \
  doc/studies/networks-tags-ratio.svg \
  doc/studies/networks-tags-slowdown.svg \
  doc/studies/networks.md \
  doc/studies/networks.sh \
  doc/studies/receives.sh \
  doc/studies/stack-lstm-bytes.svg \
  doc/studies/stack-lstm-each-cycles.svg \
  doc/studies/stack-lstm-joining-speed.svg \
  doc/studies/stack-lstm-sentences.awk \
  doc/studies/stack-lstm-speed.svg \
  doc/studies/stack-lstm-state.svg \
  doc/studies/stack-lstm.md \
  doc/studies/stack-lstm.sh \
  doc/studies/stack-lstm.svg \
  doc/studies/strategies-arguments-time.svg \
  doc/studies/strategies-bodies-time.svg \
  doc/studies/strategies-network-time.svg \
  doc/studies/strategies-pes-time.svg \
  doc/studies/strategies-workers.svg \
  doc/studies/strategies.md \
  doc/studies/strategies.sh \
  doc/studies/study.sh \
  doc/studies/swapping-memory.svg \
  doc/studies/swapping-time.svg \
  doc/studies/swapping.md \
  doc/studies/swapping.sh \
  doc/studies/swapping.yaml \
  doc/studies/table1.md \
  doc/studies/table1.sh \
  doc/studies/table1.svg \
  doc/studies/table2.awk \
  doc/studies/table2.md \
  doc/studies/table2.settings \
  doc/studies/table2.sh \
  doc/studies/table2.svg \
  doc/studies/treernn-learning.svg \
  doc/studies/treernn.md \
  doc/studies/treernn.sh \
  doc/studies/whatif.md \
  doc/studies/whatif.sh \
  doc/study-bounds.svg \
  doc/study-causes.svg \
  doc/study-gains.svg \
  doc/study-speedup.svg \
  doc/study.md \
  doc/study.sh \
  doc/study.yaml \
  doc/tensors.md \
  doc/training-curves.svg \
  doc/training.md

CLEANFILES += $(man_pages) $(man_tables) $(man_filled)

$(man_pages) $(man_tables): %: %.scd
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SCDOC) < $< > $@.tmp && mv $@.tmp $@

man_command = $(if $(filter experiment.5,$*),sweep keys,$(basename $*))
$(man_filled): doc/man/hiaton-%.scd: doc/man/hiaton-%.scd.in hiaton$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./hiaton$(EXEEXT) $(man_command) --scdoc > $@.table && echo >> $@.table && \
	  $(SED) -e '/^@TABLE@$$/{r $@.table' -e 'd;}' $< > $@.tmp && \
	  mv $@.tmp $@ && rm -f $@.table

# The ledger of published numbers (doc/published.md): made again, and compared.
.PHONY: ledger
ledger: hiaton$(EXEEXT)
	HIATON=$(abs_builddir)/hiaton$(EXEEXT) $(SHELL) $(srcdir)/doc/ledger.sh
