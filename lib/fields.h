/* Reading YAML into structures: mappings whose keys are given by a table, and values that are
 * strings, numbers or choices. Each error adds a diagnostic with its position, what was expected,
 * and the nearest known name. */
#ifndef LIB_FIELDS_H
#define LIB_FIELDS_H

#include "lib/memory.h"
#include "lib/yaml.h"

/* Reader of a YAML file. All members are borrowed; strings that it makes live in the arena. */
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

/* Type of a field, and how its value is read. */
enum lib_field_kind {
    LIB_FIELD_READ, /* another type, read by the function `read` or `take` of the field */
    LIB_FIELD_FLAG, /* bool; as an option, it takes no value */
    LIB_FIELD_TEXT, /* const char *, borrowed */
    LIB_FIELD_PATH, /* const char *, borrowed: a file name, not empty */
    LIB_FIELD_FILE, /* like LIB_FIELD_PATH, but not "-" */
    LIB_FIELD_TEXTS,    /* struct lib_texts; may be given several times */
    LIB_FIELD_U64,      /* uint64_t from `least` to `most` */
    LIB_FIELD_UNSIGNED, /* unsigned from `least` to `most` */
    LIB_FIELD_REAL,     /* double with `low` <= value < `end` */
    LIB_FIELD_CHOICE,   /* unsigned or enum: `least` + index of the word in `value` */
    LIB_FIELD_ENTRY,    /* size_t: the number of the entry, which is read later */
};

/* Growing array (LIB_VEC) of borrowed strings. */
struct lib_texts {
    const char **items;
    size_t count, capacity;
};

/* Value of the member `given` for the bool at offset `place`, so that 0 means no bool. */
#define LIB_GIVEN(place) ((place) + 1)

/* Field of a structure that users set: a key of a mapping, or an option of a command. The manual
 * (`hiaton sweep keys`, `hiaton COMMAND --help`) is made from `value` and `help`, which every field
 * has. */
struct lib_field {
    const char *name; /* with dots for nested keys: "scale.x" */
    char letter;      /* short option, such as 'o' for -o; 0: none */
    enum lib_field_kind kind;
    size_t at;  /* offset in the structure */
    size_t via; /* offset of a pointer to the structure that `at` refers to; 0: none */
    /* LIB_GIVEN(offset of a bool that is set when the field is given); 0: none */
    size_t given;
    uint64_t least, most; /* READ: `least` is for `read` */
    double low, end;
    const char *expected; /* REAL: the valid range in words */
    /* READ: reads entry i into *into. */
    void (*read)(struct lib_fields *r, size_t i, void *into);
    /* READ: parses `text` into *place. Returns false and adds the reason to `why` if it is
     * invalid. */
    bool (*take)(void *place, const char *text, struct lib_text *why);
    bool is_open; /* `read` also gets keys such as `NAME.more` */
    /* Value in the manual: "TEXT", "ratio|speedup|percent"; FLAG: NULL. */
    const char *value;
    const char *help;
    /* Keys of the mapping that is the value, or NULL. If the value only contains such mappings,
     * `item` says where: ".NAME" (under any key), "[]" (in a list). */
    const struct lib_field_table *inside;
    const char *item;
};

/* A row of a table of fields; what follows are other members. */
#define LIB_FIELD(name_, kind_, value_, help_, ...)                                      \
    {                                                                                    \
        .name = name_, .kind = LIB_FIELD_##kind_, .value = value_, .help = help_,        \
        __VA_ARGS__                                                                      \
    }

/* Reads a mapping into the structure *into: entry `i`, or the whole file if `i` is LIB_WHOLE.
 * Messages call the mapping `what`, such as "a figure". */
#define LIB_WHOLE SIZE_MAX
enum { LIB_MAX_FIELDS = 64 };
void lib_fields_mapping(struct lib_fields *r, size_t i, const char *what,
                        const struct lib_field *fields, size_t count, void *into);

/* Sets a field of the structure *into from a borrowed text. If the text is invalid, returns false,
 * adds to `why` what was expected, and leaves the field unchanged. */
bool lib_field_set(const struct lib_field *field, void *into, const char *text,
                   struct lib_text *why);

const struct lib_yaml_entry *lib_fields_entry(const struct lib_fields *r, size_t i);

/* Iterates over the entries directly inside entry `i`: returns the one after `last`, or SIZE_MAX.
 * Start with last = i. */
size_t lib_fields_inside(const struct lib_fields *r, size_t i, size_t last);

/* Add an error message at the position of the key, or of the value, of entry `i`. */
void lib_fields_wrong_key(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lib_fields_wrong(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the error "expected WHAT, found ..." about entry `i`; `what` is, for example, "a list of
 * tables". */
void lib_fields_expected(struct lib_fields *r, size_t i, const char *what);

/* Read the value of entry `i`. Return false and add a diagnostic if it has the wrong type. */
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

/* Returns advice for an unknown key: "; did you mean `x`?" if a known key is near, otherwise a list
 * of the known keys: "; expected one of a|b|c". `name` returns the known keys, with dots for nested
 * ones; "" is skipped. LIB_FIELDS_GROUP suggests only keys that contain other keys. The string
 * lives in the arena. */
enum lib_fields_wanted { LIB_FIELDS_KEY, LIB_FIELDS_GROUP };
const char *lib_fields_keys_hint(struct lib_arena *arena, const char *wrong,
                                 enum lib_fields_wanted wanted, size_t count,
                                 const char *(*name)(size_t i, const void *context),
                                 const void *context);
/* Returns "; did you mean `x`?" for the most similar of `names`, or "". */
const char *lib_fields_nearest(struct lib_fields *r, const char *wrong,
                               const char *const *names, size_t count);

#endif
