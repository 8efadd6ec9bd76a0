libhiaton_a_SOURCES += \
  machine/bound.c \
  machine/bound.h \
  machine/copy.c \
  machine/copy.h \
  machine/crossbar.c \
  machine/element.c \
  machine/element.h \
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
  machine/match.c \
  machine/match.h \
  machine/network.h \
  machine/observe.c \
  machine/part.h \
  machine/pe.c \
  machine/pe.h \
  machine/place.c \
  machine/plain.c \
  machine/plain_pure.c \
  machine/plain_turns.h \
  machine/presets.h \
  machine/queue.c \
  machine/queue.h \
  machine/reverse.c \
  machine/reverse.h \
  machine/room.c \
  machine/room.h \
  machine/settings.c \
  machine/settings.def \
  machine/settings.h \
  machine/state.h \
  machine/tagging.c \
  machine/tagging.h \
  machine/topologies.h \
  machine/verify.c \
  machine/verify.h \
  machine/wheel.c \
  machine/wheel.h

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
