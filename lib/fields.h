/* Reading YAML into structures: mappings whose keys are given by a table, and values that are
 * strings, numbers or choices. Each error adds a diagnostic with its position, what was expected,
 * and the nearest known name. */
#ifndef LIB_FIELDS_H
#define LIB_FIELDS_H

#include "lib/memory.h"
#include "lib/yaml.h"

/* Reader. All members are borrowed; strings that it makes live in the arena. */
struct lib_fields {
    struct lib_arena *arena;
    const struct lib_source *source;
    const struct lib_yaml *yaml;
    struct lib_diags *diags;
    /* What `read` of a field is called for: the field, and its place in the structure. */
    const struct lib_field *field;
    void *place;
};

/* Table of the keys of a mapping. */
struct lib_field_table {
    const struct lib_field *fields;
    size_t count;
};

/* What a value is, where its description alone says how it is read. */
enum lib_field_kind {
    LIB_FIELD_READ,     /* none of these: by `read', or by `take' */
    LIB_FIELD_FLAG,     /* bool; an option that takes no value */
    LIB_FIELD_TEXT,     /* const char *, borrowed */
    LIB_FIELD_PATH,     /* the same: the name of a file, which is not empty */
    LIB_FIELD_FILE,     /* the same, and not `-' */
    LIB_FIELD_TEXTS,    /* struct lib_texts: one more each time */
    LIB_FIELD_U64,      /* uint64_t from `least' to `most' */
    LIB_FIELD_UNSIGNED, /* unsigned from `least' to `most' */
    LIB_FIELD_REAL,     /* double from `low' up to, without it, `end' */
    LIB_FIELD_CHOICE, /* unsigned or enum: `least', and the place of the word in `value' */
    LIB_FIELD_ENTRY,  /* size_t: the entry, which is read later */
};

/* An array for LIB_VEC_PUSH and LIB_VEC_FREE; the texts are borrowed. */
struct lib_texts {
    const char **items;
    size_t count, capacity;
};

/* The place of a bool in a structure, as `given` of a field has it: 0 is no place. */
#define LIB_GIVEN(place) ((place) + 1)

/* Field of a structure that users set: a key of a mapping, or an option of a command. The manual
 * (`hiaton sweep keys`, `hiaton COMMAND --help') is made of `value` and `help`, which every field
 * has. */
struct lib_field {
    const char *name; /* with dots for nested keys: "scale.x" */
    char letter;      /* of an option, besides its name; 0: none */
    enum lib_field_kind kind;
    size_t at; /* place in the structure */
    size_t
        via; /* 0, or the place of a pointer to that structure, for keys of a mapping */
    size_t given; /* LIB_GIVEN of a bool that is set if the field is given; 0: none */
    uint64_t least, most; /* READ: `least' is for `read' */
    double low, end;
    const char *expected; /* REAL: the range in words */
    void (*read)(struct lib_fields *r, size_t i,
                 void *into); /* READ: reads entry i into *into */
    /* READ: reads a text into the place; false, and why: it is none. */
    bool (*take)(void *place, const char *text, struct lib_text *why);
    bool is_open; /* `read` also reads the keys below this one: `name.more` */
    const char
        *value; /* form of the value: "TEXT", "ratio|speedup|percent"; FLAG: NULL */
    const char *help;
    /* Keys of the mapping that is the value, or NULL. If the mapping is not the value itself,
     * `item` is the path to it: ".NAME", "[]". */
    const struct lib_field_table *inside;
    const char *item;
};

/* A row of a table of fields; what follows are other members. */
#define LIB_FIELD(name_, kind_, value_, help_, ...)                                      \
    {                                                                                    \
        .name = name_, .kind = LIB_FIELD_##kind_, .value = value_, .help = help_,        \
        __VA_ARGS__                                                                      \
    }

/* Reads a mapping: entry `i`, or the whole file if `i` is LIB_WHOLE. Messages call it `what`: "a
 * figure". */
#define LIB_WHOLE SIZE_MAX
enum { LIB_MAX_FIELDS = 64 };
void lib_fields_mapping(struct lib_fields *r, size_t i, const char *what,
                        const struct lib_field *fields, size_t count, void *into);

/* Sets a field of *into from a text, which is borrowed. Returns false and adds to `why` what was
 * expected if the text is none of its values; then the field is as it was. */
bool lib_field_set(const struct lib_field *field, void *into, const char *text,
                   struct lib_text *why);

const struct lib_yaml_entry *lib_fields_entry(const struct lib_fields *r, size_t i);

/* Returns the first entry directly below entry `i` after `last`, or SIZE_MAX. Start with last =
 * i. */
size_t lib_fields_inside(const struct lib_fields *r, size_t i, size_t last);

/* Add an error at the key or at the value of an entry. */
void lib_fields_wrong_key(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lib_fields_wrong(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds an error: entry `i` is not `what`, such as "a list of tables". */
void lib_fields_expected(struct lib_fields *r, size_t i, const char *what);

/* Read the value of entry `i`. Return false and add a diagnostic if it has another form. */
bool lib_fields_text(struct lib_fields *r, size_t i, const char **text);
bool lib_fields_whole(struct lib_fields *r, size_t i, uint64_t least, uint64_t most,
                      uint64_t *number);
bool lib_fields_bool(struct lib_fields *r, size_t i, bool *value);
/* Sets *place to the index of the value among `names`. */
bool lib_fields_choice(struct lib_fields *r, size_t i, const char *const *names,
                       size_t count, unsigned *place);

/* Reads one string or a list of strings: calls `found` for the entry of each. */
void lib_fields_each(struct lib_fields *r, size_t i, const char *what,
                     void (*found)(struct lib_fields *r, size_t i, void *into),
                     void *into);

/* Returns "; did you mean `x`?", or "" if `nearest` is NULL. */
const char *lib_fields_hint(struct lib_fields *r, const char *nearest);

/* Returns advice for an unknown key: "; did you mean `x`?" if a known key is near, otherwise the
 * known keys at its level: "; expected one of a|b|c". `name` returns the known keys, with dots
 * for nested ones; "" is skipped. With LIB_FIELDS_GROUP, only keys that have keys below them are
 * near. The string lives in the arena. */
enum lib_fields_wanted { LIB_FIELDS_KEY, LIB_FIELDS_GROUP };
const char *lib_fields_keys_hint(struct lib_arena *arena, const char *wrong,
                                 enum lib_fields_wanted wanted, size_t count,
                                 const char *(*name)(size_t i, const void *context),
                                 const void *context);
/* Returns lib_fields_hint for the nearest of `names`. */
const char *lib_fields_nearest(struct lib_fields *r, const char *wrong,
                               const char *const *names, size_t count);

#endif
