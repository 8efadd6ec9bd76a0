/* YAML files: what libfyaml reads, as a flat list of keys and values.
 *
 * A file is a mapping. `pe: {count: 4}` and `pe.count: 4` say the same, and both may be
 * mixed. What else YAML has - aliases, several documents - is an error, of the reader or
 * of whoever looks at an entry. */
#ifndef SIM_YAML_H
#define SIM_YAML_H

#include "lib/arena.h"
#include "lib/diag.h"

enum sim_yaml_kind {
    SIM_YAML_SCALAR,
    SIM_YAML_MAPPING,  /* its entries follow, one level deeper */
    SIM_YAML_SEQUENCE, /* its items follow, one level deeper */
    SIM_YAML_ALIAS,
};

/* A key with its value, or an item of a sequence. Text lives in the arena that
 * sim_yaml_read was given. */
struct sim_yaml_entry {
    const char
        *key; /* the path to it, joined by dots; of an item, that of its sequence */
    bool is_item;
    enum sim_yaml_kind kind;
    const char *value; /* of a scalar; else NULL */
    unsigned depth;    /* of the mapping or sequence in which it stands, from 0 */
    struct lib_pos key_pos, value_pos; /* of an item both are that of its value */
};

struct sim_yaml {
    struct sim_yaml_entry *items; /* in the order of the file; owned */
    size_t count, capacity;
};

/* Reads a file. false: it is not YAML of that form; why is in `diags`. */
bool sim_yaml_read(struct sim_yaml *yaml, struct lib_arena *arena,
                   const struct lib_source *source, struct lib_diags *diags);
/* "a sequence"; of an empty scalar "nothing". */
const char *sim_yaml_text(const struct sim_yaml_entry *entry);

/* The entry behind entry `i` and all that stands in it. */
size_t sim_yaml_behind(const struct sim_yaml *yaml, size_t i);

void sim_yaml_free(struct sim_yaml *yaml);

#endif
