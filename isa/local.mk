libhiaton_a_SOURCES += \
  isa/code.c \
  isa/code.h \
  isa/eval.c \
  isa/eval.def \
  isa/eval.h \
  isa/graph.c \
  isa/graph.h \
  isa/op.c \
  isa/op.h \
  isa/ops.def \
  isa/tag.c \
  isa/tag.h \
  isa/value.c \
  isa/value.h
