libhiaton_a_SOURCES += \
  analysis/derive.c \
  analysis/derive.h
