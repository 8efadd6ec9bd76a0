libhiaton_a_SOURCES += \
  traces/profile.c \
  traces/profile.h \
  traces/series.c \
  traces/series.h \
  traces/stats.c \
  traces/stats.def \
  traces/stats.h
