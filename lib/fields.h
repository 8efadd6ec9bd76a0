/* Reading YAML into structures. A table describes the keys of a mapping; values are strings,
 * numbers or choices. Each error adds a diagnostic with its position, what was expected, and the
 * most similar known name. */
#ifndef LIB_FIELDS_H
#define LIB_FIELDS_H

#include "lib/memory.h"
#include "lib/yaml.h"

/* Reader of a YAML file. All members are borrowed. Strings that the reader makes live in
 * `arena`. */
struct lib_fields {
    struct lib_arena *arena;
    const struct lib_source *source;
    const struct lib_yaml *yaml;
    struct lib_diags *diags;
    /* Set while the function `read` of a field runs: that field, and the address for its value. */
    const struct lib_field *field;
    void *place;
};

/* Known keys of a YAML mapping. */
struct lib_field_table {
    const struct lib_field *fields;
    size_t count;
};

enum lib_field_kind {
    LIB_FIELD_READ, /* any other type, read by the field's function `read` or `take` */
    LIB_FIELD_FLAG, /* bool; takes no value on the command line */
    LIB_FIELD_TEXT, /* const char *, borrowed */
    LIB_FIELD_PATH, /* const char *, borrowed: name of a file, not empty */
    LIB_FIELD_FILE, /* const char *, borrowed: name of a file other than "-" */
    /* struct lib_texts; users may give the key or option several times */
    LIB_FIELD_TEXTS,
    LIB_FIELD_U64,      /* uint64_t from lib_field.least to lib_field.most */
    LIB_FIELD_UNSIGNED, /* unsigned from lib_field.least to lib_field.most */
    LIB_FIELD_REAL,     /* double, at least lib_field.low and less than lib_field.end */
    /* unsigned or enum: lib_field.least + index of the word in lib_field.value */
    LIB_FIELD_CHOICE,
    /* size_t: index of the YAML entry that has the value, which is read later */
    LIB_FIELD_ENTRY,
};

/* Growing array (LIB_VEC) of borrowed strings. */
struct lib_texts {
    const char **items;
    size_t count, capacity;
};

/* Value of lib_field.given that names the bool at offset `place` of the structure. 1 is added
 * because lib_field.given is 0 if the field has no such bool. */
#define LIB_GIVEN(place) ((place) + 1)

/* Field of a structure that users set, by a key of a YAML mapping or an option of a command. The
 * manual is made from its `value` and `help`. */
struct lib_field {
    const char *name; /* nested keys with dots: "scale.x" */
    char letter;      /* short option, such as 'o' for -o; 0: none */
    enum lib_field_kind kind;
    size_t at; /* offset of the value in the structure, in bytes */
    /* offset of a pointer to another structure, to which `at` then refers; 0: no pointer */
    size_t via;
    /* LIB_GIVEN(offset of a bool to set when the user gives the field); 0: none */
    size_t given;
    /* smallest and largest valid integer; LIB_FIELD_READ: any data for the function `read` */
    uint64_t least, most;
    double low, end;
    const char *expected; /* LIB_FIELD_REAL: valid range in words */
    /* Reads the value of YAML entry i into the structure *into. LIB_FIELD_READ only. */
    void (*read)(struct lib_fields *r, size_t i, void *into);
    /* Parses `text` into *place. Returns false and adds the reason to `why` if it is invalid.
     * LIB_FIELD_READ only. */
    bool (*take)(void *place, const char *text, struct lib_text *why);
    bool
        is_output; /* option whose value names a file or folder that the command writes */
    bool is_open;  /* keys such as `NAME.more` are valid, too, and passed to `read` */
    /* Text that the manual shows as value: "TEXT", "ratio|speedup|percent". NULL for
     * LIB_FIELD_FLAG. */
    const char *value;
    const char *help;
    /* Known keys if the value is or contains mappings, else NULL. `item` says where the value
     * contains them: ".NAME": under any key, "[]": in a list; NULL: it is the mapping itself. */
    const struct lib_field_table *inside;
    const char *item;
};

/* Initialiser of a struct lib_field. `...` sets further members. */
#define LIB_FIELD(name_, kind_, value_, help_, ...)                                      \
    {                                                                                    \
        .name = name_, .kind = LIB_FIELD_##kind_, .value = value_, .help = help_,        \
        __VA_ARGS__                                                                      \
    }

/* Index `i` for lib_fields_mapping: the whole file instead of an entry. */
#define LIB_WHOLE SIZE_MAX
enum { LIB_MAX_FIELDS = 64 };
/* Reads a YAML mapping into *into: the value of entry `i`, or the whole file if `i` is LIB_WHOLE.
 * Messages call the mapping `what`, such as "a figure". */
void lib_fields_mapping(struct lib_fields *r, size_t i, const char *what,
                        const struct lib_field *fields, size_t count, void *into);

/* Sets a field of the structure *into from a borrowed string. If it is invalid, returns false, adds
 * to `why` what was expected, and leaves the structure unchanged. */
bool lib_field_set(const struct lib_field *field, void *into, const char *text,
                   struct lib_text *why);

const struct lib_yaml_entry *lib_fields_entry(const struct lib_fields *r, size_t i);

/* Iterates over the YAML entries directly inside entry `i`. Returns the index of the entry after
 * `last`, or SIZE_MAX. Start with last = i. */
size_t lib_fields_inside(const struct lib_fields *r, size_t i, size_t last);

/* Add an error at the key (lib_fields_wrong_key) or the value of entry `i`. */
void lib_fields_wrong_key(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lib_fields_wrong(struct lib_fields *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the error "expected WHAT, found ..." for YAML entry `i`. */
void lib_fields_expected(struct lib_fields *r, size_t i, const char *what);

/* Read the value of YAML entry `i`. Return false and add a diagnostic if it has the wrong type. */
bool lib_fields_text(struct lib_fields *r, size_t i, const char **text);
bool lib_fields_whole(struct lib_fields *r, size_t i, uint64_t least, uint64_t most,
                      uint64_t *number);
bool lib_fields_bool(struct lib_fields *r, size_t i, bool *value);
/* Reads a word and sets *place to its index in `names`. Returns false and adds a diagnostic if it
 * is not one of them. */
bool lib_fields_choice(struct lib_fields *r, size_t i, const char *const *names,
                       size_t count, unsigned *place);

/* Reads a string or a list of strings: calls found(r, index of the entry, into) for each string.
 * Messages call the value `what`. */
void lib_fields_each(struct lib_fields *r, size_t i, const char *what,
                     void (*found)(struct lib_fields *r, size_t i, void *into),
                     void *into);

const char *lib_fields_hint(struct lib_fields *r, const char *nearest);

/* Keys to suggest instead of an unknown one. GROUP: only keys whose value is a mapping. */
enum lib_fields_wanted { LIB_FIELDS_KEY, LIB_FIELDS_GROUP };
/* Returns advice for the unknown key `wrong`: "; did you mean `x`?", or if no known key is similar,
 * the keys of the same mapping: "; expected one of a|b|c". name(i, context) returns known key i of
 * `count`, with dots for nested keys; "" is skipped. */
const char *lib_fields_keys_hint(struct lib_arena *arena, const char *wrong,
                                 enum lib_fields_wanted wanted, size_t count,
                                 const char *(*name)(size_t i, const void *context),
                                 const void *context);
/* Returns "; did you mean `x`?" for the most similar of `names`, or "" if none is similar. */
const char *lib_fields_nearest(struct lib_fields *r, const char *wrong,
                               const char *const *names, size_t count);

#endif
