libhiaton_a_SOURCES += \
  analysis/derive.c \
  analysis/derive.h \
  analysis/student.c \
  analysis/student.h \
  analysis/summary.c \
  analysis/summary.h \
  analysis/table/cube_csv.c \
  analysis/table/sheet.c \
  analysis/table/sheet.h \
  analysis/table/sheet_latex.c \
  analysis/table/sheet_text.c \
  analysis/view/baseline.c \
  analysis/view/baseline.h \
  analysis/view/condition.c \
  analysis/view/condition.h \
  analysis/view/condition_inside.h \
  analysis/view/condition_read.c \
  analysis/view/counted_runs.c \
  analysis/view/counted_runs.h \
  analysis/view/cube.c \
  analysis/view/cube.h \
  analysis/view/keys.c \
  analysis/view/keys.h \
  analysis/view/view_spec.c \
  analysis/view/view_spec.h
