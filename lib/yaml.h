/* YAML files: what libfyaml reads, as a flat list of keys and values.
 *
 * A file is a mapping. `pe: {count: 4}` and `pe.count: 4` say the same, and both may be
 * mixed. What else YAML has - aliases, several documents - is an error, of the reader or
 * of whoever looks at an entry. */
#ifndef LIB_YAML_H
#define LIB_YAML_H

#include "lib/arena.h"
#include "lib/diag.h"

enum lib_yaml_kind {
    LIB_YAML_SCALAR,
    LIB_YAML_MAPPING,  /* its entries follow, one level deeper */
    LIB_YAML_SEQUENCE, /* its items follow, one level deeper */
    LIB_YAML_ALIAS,
};

/* A key with its value, or an item of a sequence. Text lives in the arena that
 * lib_yaml_read was given. */
struct lib_yaml_entry {
    const char
        *key; /* the path to it, joined by dots; of an item, that of its sequence */
    bool is_item;
    enum lib_yaml_kind kind;
    const char *value; /* of a scalar; else NULL */
    unsigned depth;    /* of the mapping or sequence in which it stands, from 0 */
    struct lib_pos key_pos, value_pos; /* of an item both are that of its value */
};

struct lib_yaml {
    struct lib_yaml_entry *items; /* in the order of the file; owned */
    size_t count, capacity;
};

/* Reads a file. false: it is not YAML of that form; why is in `diags`. */
bool lib_yaml_read(struct lib_yaml *yaml, struct lib_arena *arena,
                   const struct lib_source *source, struct lib_diags *diags);
/* "a sequence"; of an empty scalar "nothing". */
const char *lib_yaml_text(const struct lib_yaml_entry *entry);

/* The entry behind entry `i` and all that stands in it. */
size_t lib_yaml_behind(const struct lib_yaml *yaml, size_t i);

void lib_yaml_free(struct lib_yaml *yaml);

#endif
