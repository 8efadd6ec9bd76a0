libinternal_a_SOURCES += \
  traces/call_tree.c \
  traces/call_tree.h \
  traces/digests.c \
  traces/digests.h \
  traces/event_counts.h \
  traces/events.c \
  traces/events.def \
  traces/events.h \
  traces/exports/chakra.c \
  traces/exports/columns.c \
  traces/exports/columns.h \
  traces/exports/csv.c \
  traces/exports/exporter.c \
  traces/exports/exporter.h \
  traces/exports/exports_internal.h \
  traces/exports/konata.c \
  traces/exports/paje.c \
  traces/exports/perfetto.c \
  traces/exports/protobuf.c \
  traces/exports/protobuf.h \
  traces/exports/scene.c \
  traces/exports/scene.h \
  traces/exports/sqlite.c \
  traces/exports/stacks.c \
  traces/exports/timeline.c \
  traces/exports/vcd.c \
  traces/files/chunks.h \
  traces/files/chunks_internal.h \
  traces/files/chunks_read.c \
  traces/files/chunks_write.c \
  traces/files/event_block.c \
  traces/files/event_block.h \
  traces/files/event_file.c \
  traces/files/event_file.h \
  traces/files/event_file_read.c \
  traces/files/event_planes.h \
  traces/filter.c \
  traces/filter.h \
  traces/links.h \
  traces/live_tags.c \
  traces/live_tags.h \
  traces/live_tokens.c \
  traces/live_tokens.h \
  traces/part_counts.c \
  traces/outcome.h \
  traces/part_counts.h \
  traces/present.c \
  traces/present.h \
  traces/profile.c \
  traces/profile.h \
  traces/results/column.c \
  traces/results/column.h \
  traces/results/database.c \
  traces/results/database.h \
  traces/results/detail.c \
  traces/results/detail.h \
  traces/results/epochs.h \
  traces/results/export.c \
  traces/results/export.h \
  traces/results/images.c \
  traces/results/images.h \
  traces/results/kept.c \
  traces/results/kept.h \
  traces/results/layout.c \
  traces/results/layout.h \
  traces/results/merge.c \
  traces/results/merge.h \
  traces/results/reader.c \
  traces/results/reader.h \
  traces/series.c \
  traces/series.h \
  traces/stats.c \
  traces/stats.def \
  traces/stats.h \
  traces/steps.c \
  traces/steps.h \
  traces/token_value.c \
  traces/token_value.h \
  traces/window.c \
  traces/window.h

# Without the library OTF2 the format is there, and says so.
if HAVE_OTF2
libinternal_a_SOURCES += traces/exports/otf2.c
else
libinternal_a_SOURCES += traces/exports/otf2_missing.c
endif
