libhiaton_a_SOURCES += \
  lib/arena.c \
  lib/arena.h \
  lib/aside.c \
  lib/aside.h \
  lib/diag.c \
  lib/diag.h \
  lib/fields.c \
  lib/fields.h \
  lib/file.c \
  lib/file.h \
  lib/hash.h \
  lib/json.c \
  lib/json.h \
  lib/memory.c \
  lib/memory.h \
  lib/name_table.c \
  lib/name_table.h \
  lib/pack.c \
  lib/pack.h \
  lib/random.c \
  lib/random.h \
  lib/text.c \
  lib/text.h \
  lib/tool.c \
  lib/tool.h \
  lib/yaml.c \
  lib/yaml.h
