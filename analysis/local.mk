libhiaton_a_SOURCES += \
  analysis/derive.c \
  analysis/derive.h \
  analysis/student.c \
  analysis/student.h \
  analysis/summary.c \
  analysis/summary.h
