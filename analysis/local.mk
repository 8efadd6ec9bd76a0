libhiaton_a_SOURCES += \
  analysis/causes/causes.def \
  analysis/causes/causes.h \
  analysis/causes/follow.c \
  analysis/causes/follow.h \
  analysis/causes/follow.h \
  analysis/causes/found.c \
  analysis/causes/found.h \
  analysis/causes/inside.h \
  analysis/causes/let_go.c \
  analysis/causes/pieces.c \
  analysis/causes/queues.c \
  analysis/causes/routers.c \
  analysis/causes/stopped.c \
  analysis/causes/stopped.h \
  analysis/causes/tokens.c \
  analysis/causes/walk.c \
  analysis/condition/condition.c \
  analysis/condition/condition.h \
  analysis/condition/condition_inside.h \
  analysis/condition/condition_read.c \
  analysis/cost/cost.c \
  analysis/cost/cost.h \
  analysis/cost/cost_write.c \
  analysis/cost/cost_write.h \
  analysis/derive.c \
  analysis/derive.h \
  analysis/diff/alike.c \
  analysis/diff/alike.h \
  analysis/diff/cone.c \
  analysis/diff/cone.h \
  analysis/diff/details.c \
  analysis/diff/details.h \
  analysis/diff/diff.c \
  analysis/diff/diff.h \
  analysis/diff/diff_json.c \
  analysis/diff/diff_write.c \
  analysis/diff/first.c \
  analysis/diff/first.h \
  analysis/diff/key_map.c \
  analysis/diff/key_map.h \
  analysis/diff/order.c \
  analysis/diff/order.h \
  analysis/diff/pull.c \
  analysis/diff/pull.h \
  analysis/diff/rows.c \
  analysis/diff/rows.h \
  analysis/diff/shifts.c \
  analysis/diff/shifts.h \
  analysis/diff/source.h \
  analysis/diff/walk.h \
  analysis/energy.c \
  analysis/energy.def \
  analysis/energy.h \
  analysis/figure/axis.c \
  analysis/figure/axis.h \
  analysis/figure/chart.c \
  analysis/figure/chart.h \
  analysis/figure/cube_chart.c \
  analysis/figure/cube_chart.h \
  analysis/figure/found.def \
  analysis/figure/found_chart.c \
  analysis/figure/found_chart.h \
  analysis/figure/gnuplot.c \
  analysis/figure/gnuplot.h \
  analysis/figure/guides.c \
  analysis/figure/guides.h \
  analysis/figure/legend.c \
  analysis/figure/legend.h \
  analysis/figure/marks.c \
  analysis/figure/marks.h \
  analysis/figure/plot.h \
  analysis/figure/plot_script.c \
  analysis/figure/room.c \
  analysis/figure/room.h \
  analysis/figure/run_chart.c \
  analysis/figure/run_chart.h \
  analysis/figure/words.c \
  analysis/figure/words.h \
  analysis/report/chain.c \
  analysis/report/chain.h \
  analysis/report/flame.c \
  analysis/report/flame.h \
  analysis/report/gantt.c \
  analysis/report/gantt.h \
  analysis/report/gantt_draw.c \
  analysis/report/html.c \
  analysis/report/html.h \
  analysis/report/listing.c \
  analysis/report/listing.h \
  analysis/stream/analyses.def \
  analysis/stream/calls.c \
  analysis/stream/costs.c \
  analysis/stream/edges.c \
  analysis/stream/edges.h \
  analysis/stream/findings.c \
  analysis/stream/findings.h \
  analysis/stream/findings_write.c \
  analysis/stream/idleness.c \
  analysis/stream/links.c \
  analysis/stream/profile.c \
  analysis/stream/speedup.c \
  analysis/stream/state.c \
  analysis/stream/stream.c \
  analysis/stream/stream.h \
  analysis/stream/summary.c \
  analysis/stream/tags.c \
  analysis/stream/timeline.c \
  analysis/stream/timeline.h \
  analysis/stream/traffic.c \
  analysis/stream/utilisation.c \
  analysis/student.c \
  analysis/student.h \
  analysis/summary.c \
  analysis/summary.h \
  analysis/table/cube_csv.c \
  analysis/table/sheet.c \
  analysis/table/sheet.h \
  analysis/table/sheet_latex.c \
  analysis/table/sheet_text.c \
  analysis/view/baseline.c \
  analysis/view/baseline.h \
  analysis/view/choice.c \
  analysis/view/choice.h \
  analysis/view/counted_runs.c \
  analysis/view/counted_runs.h \
  analysis/view/cube.c \
  analysis/view/cube.h \
  analysis/view/cube_make.c \
  analysis/view/details.c \
  analysis/view/details.h \
  analysis/view/keys.c \
  analysis/view/keys.h \
  analysis/view/labels.c \
  analysis/view/labels.h \
  analysis/view/reference.c \
  analysis/view/reference.h \
  analysis/view/view_figure.c \
  analysis/view/view_spec.c \
  analysis/view/view_spec.h \
  analysis/view/view_spec_inside.h \
  analysis/view/view_table.c

# Embedded in the program.
analysis_energies = \
  analysis/energies/horowitz-45nm.yaml

nodist_libhiaton_a_SOURCES += analysis/energies_data.c
CLEANFILES += analysis/energies_data.c
EXTRA_DIST += $(analysis_energies)

analysis/energies_data.c: $(analysis_energies) machine/embed.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/machine/embed.sh \
	  analysis/energy.h analysis_energy_text analysis_energy_texts \
	  $(addprefix $(srcdir)/,$(analysis_energies)) > $@.tmp && mv $@.tmp $@
