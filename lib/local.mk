libhiaton_a_SOURCES += \
  lib/arena.c \
  lib/arena.h \
  lib/diag.c \
  lib/diag.h \
  lib/file.c \
  lib/file.h \
  lib/hash.h \
  lib/json.c \
  lib/json.h \
  lib/memory.c \
  lib/memory.h \
  lib/random.c \
  lib/random.h \
  lib/text.c \
  lib/text.h
