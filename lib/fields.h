/* Reading YAML into structures: mappings whose keys are known, from a table, and values
 * that are texts, numbers or choices. Whatever is wrong is a diagnostic with its place,
 * what was expected, and the nearest name. */
#ifndef LIB_FIELDS_H
#define LIB_FIELDS_H

#include "lib/memory.h"
#include "lib/yaml.h"

/* What is being read; borrowed, but for what is made, which lives in the arena. */
struct lib_fields {
    struct lib_arena *arena;
    const struct lib_source *source;
    const struct lib_yaml *yaml;
    struct lib_diags *diags;
};

struct lib_field;

/* All keys of a mapping. */
struct lib_field_table {
    const struct lib_field *fields;
    size_t count;
};

/* A key of a mapping: `read` takes the entry's place and what is being filled. The manual is made of
 * `value` and `help` (hiaton sweep keys), and every key has both. */
struct lib_field {
    const char *name; /* dots for keys in keys: "scale.x" */
    void (*read)(struct lib_fields *r, size_t i, void *into);
    bool is_open;      /* also reads `name.more` */
    const char *value; /* what stands there: "TEXT", "ratio|speedup|percent" */
    const char *help;
    const char *item; /* where `inside` is not of the value itself: ".NAME", "[]" */
    const struct lib_field_table
        *inside; /* the keys of the mapping that stands there, or NULL */
};

/* Reads the mapping that is entry `i`, or an item of a sequence, or (LIB_WHOLE) the
 * file. `what` is what it is: "a figure". */
#define LIB_WHOLE SIZE_MAX
enum { LIB_MAX_FIELDS = 32 };
void lib_fields_mapping(struct lib_fields *r, size_t i, const char *what,
                        const struct lib_field *fields, size_t count, void *into);

const struct lib_yaml_entry *lib_fields_entry(const struct lib_fields *r, size_t i);

/* The entries that stand in entry `i`: the first one behind `last` (start with `i`), or
 * SIZE_MAX. */
size_t lib_fields_inside(const struct lib_fields *r, size_t i, size_t last);

/* An error at the key or at the value of an entry. */
void lib_fields_wrong_key(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lib_fields_wrong(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says that entry `i` is not what was expected: "a list of tables". */
void lib_fields_expected(struct lib_fields *r, size_t i, const char *what);

/* What entry `i` holds; false after an error. */
bool lib_fields_text(struct lib_fields *r, size_t i, const char **text);
bool lib_fields_whole(struct lib_fields *r, size_t i, uint64_t least, uint64_t most,
                      uint64_t *number);
bool lib_fields_bool(struct lib_fields *r, size_t i, bool *value);
/* The place of a word among `names`. */
bool lib_fields_choice(struct lib_fields *r, size_t i, const char *const *names,
                       size_t count, unsigned *place);

/* One text or a list of them: calls `found` for each, with its entry. */
void lib_fields_each(struct lib_fields *r, size_t i, const char *what,
                     void (*found)(struct lib_fields *r, size_t i, void *into),
                     void *into);

/* "; did you mean `x`?", or nothing. */
const char *lib_fields_hint(struct lib_fields *r, const char *nearest);
/* What to say of a key that there is not, among those that there are (dots for keys in keys;
 * a name "" is none): "; did you mean `x`?", or, where none is near, which there are at that
 * place: "; expected one of a|b|c", groups of keys by the name of the group. Of a key that
 * holds keys only groups are near. The arena's. */
enum lib_fields_wanted { LIB_FIELDS_KEY, LIB_FIELDS_GROUP };
const char *lib_fields_keys_hint(struct lib_arena *arena, const char *wrong,
                                 enum lib_fields_wanted wanted, size_t count,
                                 const char *(*name)(size_t i, const void *context),
                                 const void *context);
/* lib_fields_hint for the nearest of `names`. */
const char *lib_fields_nearest(struct lib_fields *r, const char *wrong,
                               const char *const *names, size_t count);

#endif
