libhiaton_a_SOURCES +=

# Embedded in the program.
machine_presets =

nodist_libhiaton_a_SOURCES += machine/presets_data.c
CLEANFILES += machine/presets_data.c
EXTRA_DIST += machine/embed.sh $(machine_presets)

machine/presets_data.c: $(machine_presets) machine/embed.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/machine/embed.sh \
	  $(addprefix $(srcdir)/,$(machine_presets)) > $@.tmp && mv $@.tmp $@
