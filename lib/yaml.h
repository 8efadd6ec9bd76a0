/* YAML files, read by libfyaml, as a flat list of keys and values.
 *
 * A file is a mapping. `pe: {count: 4}` and `pe.count: 4` mean the same and may be mixed. Aliases
 * and several documents are errors, reported by lib_yaml_read or by the reader of the entry. */
#ifndef LIB_YAML_H
#define LIB_YAML_H

#include "lib/arena.h"
#include "lib/diag.h"

enum lib_yaml_kind {
    LIB_YAML_SCALAR,
    LIB_YAML_MAPPING,  /* the entries inside the mapping follow */
    LIB_YAML_SEQUENCE, /* the items of the sequence follow */
    LIB_YAML_ALIAS,
};

/* Key with its value, or item of a sequence. Strings live in the arena of lib_yaml_read. */
struct lib_yaml_entry {
    /* full key: "pe.count" for `count` inside `pe`; for an item, the key of its sequence */
    const char *key;
    bool is_item;
    enum lib_yaml_kind kind;
    const char *value; /* text of a scalar; NULL for other kinds */
    unsigned depth;    /* number of enclosing mappings and sequences, minus 1 */
    /* position of the key; for an item of a sequence, of its value */
    struct lib_pos key_pos;
    struct lib_pos value_pos;
};

struct lib_yaml {
    struct lib_yaml_entry *items; /* owned; in the order of the file */
    size_t count, capacity;
};

/* Reads a file. Returns false and adds a diagnostic if it is not YAML of the supported form. */
bool lib_yaml_read(struct lib_yaml *yaml, struct lib_arena *arena,
                   const struct lib_source *source, struct lib_diags *diags);

/* Returns the kind of an entry in words, for messages: "a sequence"; "nothing" for an empty
 * scalar. */
const char *lib_yaml_text(const struct lib_yaml_entry *entry);

/* Returns the index of the first entry after entry `i` and all entries inside it. */
size_t lib_yaml_behind(const struct lib_yaml *yaml, size_t i);

void lib_yaml_free(struct lib_yaml *yaml);

#endif
