libhiaton_a_SOURCES += \
  machine/crossbar.c \
  machine/engine.h \
  machine/executor.c \
  machine/executor.h \
  machine/general.c \
  machine/links.c \
  machine/links.h \
  machine/lowered.c \
  machine/lowered.h \
  machine/machine.c \
  machine/machine.h \
  machine/network.h \
  machine/observe.c \
  machine/part.h \
  machine/pe/backpressure.c \
  machine/pe/backpressure.h \
  machine/pe/graph_copy.c \
  machine/pe/graph_copy.h \
  machine/pe/k_bound.c \
  machine/pe/k_bound.h \
  machine/pe/match.c \
  machine/pe/match.h \
  machine/pe/pe.c \
  machine/pe/pe.h \
  machine/pe/queue.c \
  machine/pe/queue.h \
  machine/pe/structure_memory.c \
  machine/pe/structure_memory.h \
  machine/pe/tag_manager.c \
  machine/pe/tag_manager.h \
  machine/pe/wheel.c \
  machine/pe/wheel.h \
  machine/place.c \
  machine/plain.c \
  machine/plain_pure.c \
  machine/plain_turns.h \
  machine/presets.h \
  machine/reverse.c \
  machine/reverse.h \
  machine/settings.c \
  machine/settings.def \
  machine/settings.h \
  machine/state.h \
  machine/topologies.h \
  machine/verify.c \
  machine/verify.h

# Embedded in the program.
machine_presets = \
  machine/presets/default.yaml \
  machine/presets/ideal.yaml \
  machine/presets/tf-executor.yaml

nodist_libhiaton_a_SOURCES += machine/presets_data.c
CLEANFILES += machine/presets_data.c
EXTRA_DIST += machine/embed.sh $(machine_presets)

machine/presets_data.c: $(machine_presets) machine/embed.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/machine/embed.sh \
	  $(addprefix $(srcdir)/,$(machine_presets)) > $@.tmp && mv $@.tmp $@
