libhiaton_a_SOURCES += \
  traces/stats.c \
  traces/stats.def \
  traces/stats.h
