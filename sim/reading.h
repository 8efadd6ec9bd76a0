/* Reading YAML into structures: mappings whose keys are known, from a table, and values
 * that are texts, numbers or choices. Whatever is wrong is a diagnostic with its place,
 * what was expected, and the nearest name. */
#ifndef SIM_READING_H
#define SIM_READING_H

#include "lib/memory.h"
#include "sim/yaml.h"

/* What is being read; borrowed, but for what is made, which lives in the arena. */
struct sim_reading {
    struct lib_arena *arena;
    const struct lib_source *source;
    const struct sim_yaml *yaml;
    struct lib_diags *diags;
};

/* A key of a mapping: `read` takes the entry's place and what is being filled. */
struct sim_field {
    const char *name; /* dots for keys in keys: "scale.x" */
    void (*read)(struct sim_reading *r, size_t i, void *into);
    bool is_open; /* also reads `name.more` */
};

/* Reads the mapping that is entry `i`, or an item of a sequence, or (SIM_WHOLE) the
 * file. `what` is what it is: "a figure". */
#define SIM_WHOLE SIZE_MAX
enum { SIM_MAX_FIELDS = 32 };
void sim_reading_mapping(struct sim_reading *r, size_t i, const char *what,
                         const struct sim_field *fields, size_t count, void *into);

const struct sim_yaml_entry *sim_reading_entry(const struct sim_reading *r, size_t i);

/* The entries that stand in entry `i`: the first one behind `last` (start with `i`), or
 * SIZE_MAX. */
size_t sim_reading_inside(const struct sim_reading *r, size_t i, size_t last);

/* An error at the key or at the value of an entry. */
void sim_reading_wrong_key(struct sim_reading *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sim_reading_wrong(struct sim_reading *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says that entry `i` is not what was expected: "a list of tables". */
void sim_reading_expected(struct sim_reading *r, size_t i, const char *what);

/* What entry `i` holds; false after an error. */
bool sim_reading_text(struct sim_reading *r, size_t i, const char **text);
bool sim_reading_whole(struct sim_reading *r, size_t i, uint64_t least, uint64_t most,
                       uint64_t *number);
bool sim_reading_bool(struct sim_reading *r, size_t i, bool *value);
/* The place of a word among `names`. */
bool sim_reading_choice(struct sim_reading *r, size_t i, const char *const *names,
                        size_t count, unsigned *place);

/* One text or a list of them: calls `found` for each, with its entry. */
void sim_reading_each(struct sim_reading *r, size_t i, const char *what,
                      void (*found)(struct sim_reading *r, size_t i, void *into),
                      void *into);

/* "; did you mean `x`?", or nothing. */
const char *sim_reading_hint(struct sim_reading *r, const char *nearest);
/* The same for the nearest of `names`. */
const char *sim_reading_nearest(struct sim_reading *r, const char *wrong,
                                const char *const *names, size_t count);

#endif
