libhiaton_a_SOURCES += \
  analysis/cost/cost.c \
  analysis/cost/cost.h \
  analysis/cost/cost_write.c \
  analysis/cost/cost_write.h \
  analysis/derive.c \
  analysis/derive.h \
  analysis/energy.c \
  analysis/energy.def \
  analysis/energy.h \
  analysis/figure/gnuplot.c \
  analysis/figure/gnuplot.h \
  analysis/figure/plot.c \
  analysis/figure/plot.h \
  analysis/figure/plot_axis.c \
  analysis/figure/plot_axis.h \
  analysis/figure/plot_script.c \
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
  analysis/view/condition.c \
  analysis/view/condition.h \
  analysis/view/condition_inside.h \
  analysis/view/condition_read.c \
  analysis/view/counted_runs.c \
  analysis/view/counted_runs.h \
  analysis/view/cube.c \
  analysis/view/cube.h \
  analysis/view/cube_make.c \
  analysis/view/keys.c \
  analysis/view/keys.h \
  analysis/view/view_spec.c \
  analysis/view/view_spec.h

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
