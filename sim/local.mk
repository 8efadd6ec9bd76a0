# What hiaton.h declares.
library_sources = \
  sim/library/batch.c \
  sim/library/elements.c \
  sim/library/graph.c \
  sim/library/library_internal.c \
  sim/library/library_internal.h \
  sim/library/look.c \
  sim/library/look.h \
  sim/library/machine.c \
  sim/library/pool.c \
  sim/library/ports.c \
  sim/library/program.c \
  sim/library/recording.c \
  sim/library/session.c \
  sim/library/session_events.c \
  sim/library/session_results.c \
  sim/library/session_state.c

libinternal_a_SOURCES += \
  $(library_sources) \
  sim/cli/analyses.c \
  sim/cli/analyses.h \
  sim/cli/complete.c \
  sim/cli/complete.h \
  sim/cli/complete_value.c \
  sim/cli/dispatch.c \
  sim/cli/dispatch.h \
  sim/cli/execute.c \
  sim/cli/execute.h \
  sim/cli/execute_deliver.c \
  sim/cli/execute_internal.h \
  sim/cli/open.c \
  sim/cli/open.h \
  sim/cli/options.c \
  sim/cli/options.h \
  sim/cli/output_options.c \
  sim/cli/output_options.h \
  sim/cli/ports.c \
  sim/cli/ports.h \
  sim/cli/reference_table.c \
  sim/cli/reference_table.h \
  sim/cli/reporter.c \
  sim/cli/reporter.h \
  sim/cli/scan.c \
  sim/cli/scan.h \
  sim/commands/cmd_analyse.c \
  sim/commands/cmd_analyse.h \
  sim/commands/cmd_analyse_answer.c \
  sim/commands/cmd_analyse_causes.c \
  sim/commands/cmd_analyse_figure.c \
  sim/commands/cmd_analyse_stopped.c \
  sim/commands/cmd_analyse_whatif.c \
  sim/commands/cmd_compare.c \
  sim/commands/cmd_graph.c \
  sim/commands/cmd_image.c \
  sim/commands/cmd_interp.c \
  sim/commands/cmd_machines.c \
  sim/commands/cmd_network.c \
  sim/commands/cmd_ops.c \
  sim/commands/cmd_partition.c \
  sim/commands/cmd_platform.c \
  sim/commands/cmd_replay.c \
  sim/commands/cmd_report.c \
  sim/commands/cmd_results.c \
  sim/commands/cmd_results.h \
  sim/commands/cmd_results_rerun.c \
  sim/commands/cmd_run.c \
  sim/commands/cmd_settings.c \
  sim/commands/cmd_sweep.c \
  sim/commands/cmd_sweep.h \
  sim/commands/cmd_sweep_emit.c \
  sim/commands/cmd_sweep_keys.c \
  sim/commands/cmd_sweep_list.c \
  sim/commands/cmd_sweep_merge.c \
  sim/commands/cmd_sweep_run.c \
  sim/commands/cmd_trace.c \
  sim/commands/cmd_trace.h \
  sim/commands/cmd_trace_diff.c \
  sim/commands/cmd_trace_export.c \
  sim/commands/cmd_trace_info.c \
  sim/commands/cmd_trace_text.c \
  sim/commands/cmd_train.c \
  sim/commands/cmd_trees.c \
  sim/commands/commands.h \
  sim/commands/heat.c \
  sim/commands/heat.h \
  sim/commands/listing.c \
  sim/commands/listing.h \
  sim/compare/comparison.c \
  sim/compare/comparison.h \
  sim/compare/comparison_check.c \
  sim/compare/comparison_why.c \
  sim/compare/comparison_write.c \
  sim/ending/deadlock_cycle.c \
  sim/ending/deadlock_cycle.h \
  sim/ending/ending.c \
  sim/ending/ending.h \
  sim/ending/growth.c \
  sim/ending/growth.h \
  sim/ending/growth_watch.c \
  sim/ending/growth_watch.h \
  sim/ending/idle_pes.c \
  sim/ending/idle_pes.h \
  sim/ending/status.h \
  sim/experiment/columns.c \
  sim/experiment/columns.def \
  sim/experiment/columns.h \
  sim/experiment/effects.c \
  sim/experiment/effects.h \
  sim/experiment/expand.c \
  sim/experiment/expand.h \
  sim/experiment/identity.c \
  sim/experiment/identity.h \
  sim/experiment/experiment.c \
  sim/experiment/experiment.h \
  sim/experiment/files.c \
  sim/experiment/files.h \
  sim/experiment/fit.c \
  sim/experiment/fit.h \
  sim/experiment/fit_views.c \
  sim/experiment/fit_views.h \
  sim/experiment/measures.c \
  sim/experiment/measures.h \
  sim/experiment/override.c \
  sim/experiment/override.h \
  sim/experiment/params.c \
  sim/experiment/params.h \
  sim/experiment/site.c \
  sim/experiment/site.h \
  sim/experiment/suite.c \
  sim/experiment/suite.h \
  sim/experiment/trained.c \
  sim/experiment/trained.h \
  sim/experiment/walk.c \
  sim/experiment/walk.h \
  sim/explain/analysed.c \
  sim/explain/analysed.h \
  sim/explain/causes.c \
  sim/explain/causes.h \
  sim/explain/stopped.c \
  sim/explain/stopped.h \
  sim/explain/trace_diff.c \
  sim/explain/trace_diff.h \
  sim/explain/trace_info.c \
  sim/explain/trace_info.h \
  sim/explain/whatif.c \
  sim/explain/whatif.h \
  sim/explain/whatif_read.c \
  sim/hiaton.h \
  sim/loading/divide.c \
  sim/loading/divide.h \
  sim/loading/energy.c \
  sim/loading/energy.h \
  sim/loading/extents.c \
  sim/loading/extents.h \
  sim/loading/file_kind.c \
  sim/loading/file_kind.h \
  sim/loading/fit.c \
  sim/loading/fit.h \
  sim/loading/inputs.c \
  sim/loading/inputs.h \
  sim/loading/load.c \
  sim/loading/load.h \
  sim/loading/model.h \
  sim/loading/parts.c \
  sim/loading/parts.h \
  sim/loading/setting.c \
  sim/loading/setting.h \
  sim/loading/setup.c \
  sim/loading/setup.h \
  sim/loading/setup_words.c \
  sim/loading/setup_words.h \
  sim/messages/messages.c \
  sim/messages/messages.h \
  sim/messages/progress.c \
  sim/messages/progress.h \
  sim/messages/progress_line.c \
  sim/messages/progress_line.h \
  sim/messages/stop.c \
  sim/messages/stop.h \
  sim/network/study.c \
  sim/network/study.h \
  sim/network/study_findings.c \
  sim/outputs/database_file.c \
  sim/outputs/database_file.h \
  sim/outputs/edited.c \
  sim/outputs/edited.h \
  sim/outputs/figure_file.c \
  sim/outputs/figure_file.h \
  sim/outputs/graphviz.c \
  sim/outputs/graphviz.h \
  sim/outputs/make_outputs.c \
  sim/outputs/make_outputs.h \
  sim/outputs/network_figure.c \
  sim/outputs/network_figure.h \
  sim/outputs/overview.c \
  sim/outputs/overview.h \
  sim/outputs/publish.c \
  sim/outputs/publish.h \
  sim/outputs/results_schema.c \
  sim/outputs/results_schema.h \
  sim/outputs/tensor_files.c \
  sim/outputs/tensor_files.h \
  sim/outputs/training_figure.c \
  sim/outputs/training_figure.h \
  sim/outputs/views.c \
  sim/outputs/views.h \
  sim/replay/event_filter.c \
  sim/replay/event_filter.h \
  sim/replay/event_replay.c \
  sim/replay/event_replay.h \
  sim/replay/event_text.c \
  sim/replay/event_text.h \
  sim/replay/recorded_feeds.c \
  sim/replay/recorder.c \
  sim/replay/recorder.h \
  sim/replay/recording.c \
  sim/replay/recording.h \
  sim/replay/replay.c \
  sim/replay/replay.h \
  sim/replay/replay_findings.c \
  sim/replay/source.c \
  sim/replay/source.h \
  sim/replay/spool.c \
  sim/replay/spool.h \
  sim/replay/tracer.c \
  sim/replay/tracer.h \
  sim/report/drawings.c \
  sim/report/drawings.h \
  sim/report/page.c \
  sim/report/page.h \
  sim/report/report.c \
  sim/report/report.h \
  sim/report/reported.c \
  sim/report/reported.h \
  sim/report/two.c \
  sim/session/description.c \
  sim/session/description.h \
  sim/session/feeds.c \
  sim/session/feeds.h \
  sim/session/host.c \
  sim/session/host.h \
  sim/session/port_file.c \
  sim/session/port_file.h \
  sim/session/record.c \
  sim/session/record.def \
  sim/session/record.h \
  sim/session/series_csv.c \
  sim/session/series_csv.h \
  sim/session/session.c \
  sim/session/session.h \
  sim/session/simulation.c \
  sim/session/simulation.h \
  sim/session/simulation_advance.c \
  sim/session/simulation_internal.h \
  sim/session/simulation_measure.c \
  sim/session/window.c \
  sim/session/window.h \
  sim/sweep/job_scripts.c \
  sim/sweep/job_scripts.h \
  sim/sweep/measuring.c \
  sim/sweep/measuring.h \
  sim/sweep/outcome.c \
  sim/sweep/outcome.h \
  sim/sweep/rerun.c \
  sim/sweep/rerun.h \
  sim/sweep/rerun_details.c \
  sim/sweep/rerun_identity.c \
  sim/sweep/rerun_internal.h \
  sim/sweep/rerun_open.c \
  sim/sweep/rerun_train.c \
  sim/sweep/rerun_findings.c \
  sim/sweep/result_layout.c \
  sim/sweep/result_layout.h \
  sim/sweep/result_writer.c \
  sim/sweep/result_writer.h \
  sim/sweep/search.c \
  sim/sweep/search.h \
  sim/sweep/trained.c \
  sim/sweep/trained.h \
  sim/sweep/worker.c \
  sim/sweep/worker.h \
  sim/training/checkpoint.c \
  sim/training/curves.c \
  sim/training/gradient.c \
  sim/training/gradient.h \
  sim/training/grafts.c \
  sim/training/grafts.h \
  sim/training/model.c \
  sim/training/model.h \
  sim/training/optimiser.c \
  sim/training/optimiser.h \
  sim/training/options.c \
  sim/training/options.def \
  sim/training/options.h \
  sim/training/schedule.c \
  sim/training/schedule.h \
  sim/training/sentences.c \
  sim/training/sentences.h \
  sim/training/training.c \
  sim/training/training.h \
  sim/training/trees.c \
  sim/training/trees.h \
  sim/values/lists.c \
  sim/values/lists.h \
  sim/values/range.c \
  sim/values/range.h \
  sim/values/values.c \
  sim/values/values.h

# What the shells load to complete command lines; they ask the program (sim/cli/complete.h).
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
completion_folders = $(bashcompletiondir) $(zshcompletiondir) $(fishcompletiondir)
dist_bashcompletion_DATA = sim/completion/hiaton
dist_zshcompletion_DATA = sim/completion/_hiaton
dist_fishcompletion_DATA = sim/completion/hiaton.fish

# The styles and the script of reports, embedded in the program.
report_texts = \
  sim/report/report.css \
  sim/report/report.js

nodist_libinternal_a_SOURCES += sim/report/report_data.c
CLEANFILES += sim/report/report_data.c
EXTRA_DIST += $(report_texts)

sim/report/report_data.c: $(report_texts) machine/embed.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/machine/embed.sh \
	  sim/report/page.h sim_report_text sim_report_texts \
	  $(addprefix $(srcdir)/,$(report_texts)) > $@.tmp && mv $@.tmp $@

# The library, of the same objects as the program: those of sim/library/, and what they need of the rest. It
# shows the names of hiaton.h alone: the shared one, as all others are hidden; the static one is a single
# object, in which they are local. The number behind .so. is raised when programs must be compiled again.
include_HEADERS = sim/hiaton.h
hiatonlibdir = $(libdir)
pkgconfigdir = $(libdir)/pkgconfig
library_soname = libhiaton.so.0
library_shared = $(library_soname).$(PACKAGE_VERSION)
library_objects = $(patsubst %.c,%.$(OBJEXT),$(filter %.c,$(library_sources)))
library_LIBS = $(FYAML_LIBS) $(ZSTD_LIBS) $(LIBS)
nodist_hiatonlib_DATA = libhiaton.a $(library_shared)
CLEANFILES += libhiaton.a libhiaton.o libhiaton.so $(library_soname) $(library_shared)
EXTRA_DIST += sim/library/hiaton.pc.in

$(library_shared): $(library_objects) libinternal.a
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(library_soname) \
	  -Wl,--as-needed -o $@.tmp $(library_objects) libinternal.a $(library_LIBS) && \
	  mv $@.tmp $@ && ln -sf $@ $(library_soname) && ln -sf $(library_soname) libhiaton.so
libhiaton.a: $(library_objects) libinternal.a
	$(AM_V_AR)$(CC) $(CFLAGS) -r -nostdlib -o libhiaton.o $(library_objects) libinternal.a && \
	  $(OBJCOPY) --localize-hidden libhiaton.o && rm -f $@ && \
	  $(AR) $(ARFLAGS) $@ libhiaton.o && rm -f libhiaton.o
# As `make install prefix=DIR' is told only now where it goes, hiaton.pc is made where it is installed.
library_pc = $(DESTDIR)$(pkgconfigdir)/hiaton.pc
# The library in Python, for those who have it.
libpythondir = $(pkgdatadir)/python
dist_libpython_DATA = sim/python/hiaton.py
install-library: install-nodist_hiatonlibDATA install-includeHEADERS install-dist_libpythonDATA
	ln -sf $(library_shared) $(DESTDIR)$(libdir)/$(library_soname)
	ln -sf $(library_soname) $(DESTDIR)$(libdir)/libhiaton.so
	$(MKDIR_P) $(DESTDIR)$(pkgconfigdir)
	$(SED) -e 's|@prefix[@]|$(prefix)|' -e 's|@libdir[@]|$(libdir)|' \
	  -e 's|@includedir[@]|$(includedir)|' -e 's|@libpythondir[@]|$(libpythondir)|' -e 's|@VERSION[@]|$(PACKAGE_VERSION)|' \
	  -e 's|@LIBS[@]|$(LIBS)|' $(srcdir)/sim/library/hiaton.pc.in >$(library_pc).tmp
	mv $(library_pc).tmp $(library_pc)
uninstall-library:
	rm -f $(library_pc) $(DESTDIR)$(libdir)/$(library_soname) $(DESTDIR)$(libdir)/libhiaton.so
