libhiaton_a_SOURCES += \
  traces/profile.c \
  traces/profile.h \
  traces/results/column.c \
  traces/results/column.h \
  traces/results/database.c \
  traces/results/database.h \
  traces/results/detail.c \
  traces/results/detail.h \
  traces/results/export.c \
  traces/results/export.h \
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
  traces/steps.h
