# Manual pages, in scdoc. The built program fills in its options and tables (doc/man/page.awk), so that no page can
# differ from it.

man_pages = \
  doc/man/hiaton-analyse.1 \
  doc/man/hiaton-asm.1 \
  doc/man/hiaton-compare.1 \
  doc/man/hiaton-compile.1 \
  doc/man/hiaton-disasm.1 \
  doc/man/hiaton-experiment.5 \
  doc/man/hiaton-graph.1 \
  doc/man/hiaton-interp.1 \
  doc/man/hiaton-language.7 \
  doc/man/hiaton-machines.1 \
  doc/man/hiaton-network.1 \
  doc/man/hiaton-ops.7 \
  doc/man/hiaton-partition.1 \
  doc/man/hiaton-platform.1 \
  doc/man/hiaton-replay.1 \
  doc/man/hiaton-report.1 \
  doc/man/hiaton-results.1 \
  doc/man/hiaton-run.1 \
  doc/man/hiaton-settings.7 \
  doc/man/hiaton-sweep.1 \
  doc/man/hiaton-trace.1 \
  doc/man/hiaton-train.1 \
  doc/man/hiaton-trees.1 \
  doc/man/hiaton.1 \
  doc/man/hiaton.3

nodist_man_MANS += $(man_pages)

EXTRA_DIST += $(man_pages:=.scd) doc/man/page.awk

# What `--json' writes, as a JSON Schema; from the tables of the program, like the above.
nodist_pkgdata_DATA += doc/schema.json
CLEANFILES += doc/schema.json
doc/schema.json: hiaton$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./hiaton$(EXEEXT) results schema > $@.tmp && mv $@.tmp $@

# The manual; tests/shell/manual.sh runs its examples. Installed in the same folders as here, so that
# links between pages, and to what stands beside them, lead to something.
nobase_dist_doc_DATA = CITATION.cff LICENSE NOTICE $(call files_of,*.md $(foreach folder,doc doc/gallery doc/model doc/studies,\
  $(addprefix $(folder)/,*.awk *.ipynb *.md *.png *.settings *.sh *.svg *.yaml)))

CLEANFILES += $(man_pages)

$(man_pages): %: %.scd doc/man/page.awk hiaton$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  HIATON=./hiaton$(EXEEXT) $(AWK) -f $(srcdir)/doc/man/page.awk $< > $@.tmp.scd && \
	  $(SCDOC) < $@.tmp.scd > $@.tmp && mv $@.tmp $@ && rm -f $@.tmp.scd

# The ledger of published numbers (doc/published.md): made again, and compared.
.PHONY: ledger
ledger: hiaton$(EXEEXT)
	HIATON=$(abs_builddir)/hiaton$(EXEEXT) $(SHELL) $(srcdir)/doc/ledger.sh
