/* Settings: the values that a user may set, as members of a struct, and the rows that describe
 * them. A value is a number, the index of an option, a set of words, a list, a list of ranges, a
 * text or a file.
 *
 * Whoever has settings has a table of rows, and a struct with a member for each row. `values` is
 * such a struct. Copies of it share texts and files; whoever reads these keeps them while a copy is
 * used, usually in the arena of a session or experiment. */
#ifndef LIB_SETTING_H
#define LIB_SETTING_H

#include "lib/diag.h"
#include "lib/text.h"

#include <stddef.h>

enum { LIB_SETTING_LIST_MAX = 8, LIB_SETTING_RANGES_MAX = 16 };

/* Value of a setting that is a list of numbers. Items after `count` are 0, so that equal lists have
 * equal bytes. */
struct lib_setting_list {
    uint64_t count; /* 0: empty list */
    uint32_t items[LIB_SETTING_LIST_MAX];
};

/* Value of a setting that is a list of ranges, written 0-1,4: ascending, and merged if they touch,
 * so that equal sets of numbers have equal bytes. */
struct lib_setting_ranges {
    uint64_t count;
    struct lib_setting_range {
        uint32_t first, last;
    } items[LIB_SETTING_RANGES_MAX];
};

/* A file that is the value of a setting, with its contents when it was read. */
struct lib_setting_file {
    const char *name;         /* file name without folder */
    const char *digest;       /* XXH3-128 of the bytes, in hexadecimal */
    struct lib_source source; /* contents; source.name is the path, for diagnostics */
};

enum lib_setting_kind {
    LIB_SETTING_NUMBER, /* uint64_t */
    LIB_SETTING_CHOICE, /* uint64_t: the index of an option */
    LIB_SETTING_WORDS,  /* uint64_t: bit i is set if option i is in the set */
    LIB_SETTING_LIST,   /* struct lib_setting_list */
    LIB_SETTING_RANGES, /* struct lib_setting_ranges */
    LIB_SETTING_TEXT,   /* const char * */
    LIB_SETTING_FILE,   /* const struct lib_setting_file *; NULL: no file */
};

struct lib_setting {
    const char *key;
    enum lib_setting_kind kind;
    size_t offset;       /* offset of the value in the struct */
    const char *choices; /* options of a choice or set, from 0: "a|b|c"; else NULL */
    const char *unit;    /* unit of a number, or of the numbers of a list; else NULL */
    uint64_t standard;   /* default of a number or choice */
    uint64_t least,
        greatest;  /* bounds of a number, or of the numbers of a list or range */
    uint64_t most; /* max numbers in a list; max bytes of a text */
    /* word that means an empty list, no file, or a set of no words; default of a text */
    const char *word;
    const char *help;
    /* Called after a number or choice is set, to change settings that follow from it; or NULL. */
    void (*follow)(void *values, const struct lib_setting *setting);
    /* Of a row that is made for a key: returns the address of the value, or NULL if it is not set;
     * with `adds` sets it first. NULL: the value is at `offset`, and always set. */
    void *(*find)(void *values, const struct lib_setting *setting, bool adds);
};

/* Initialiser of a row, for the member `field` of the struct `values`. */
#define LIB_SETTING_ROW(values, key_, kind_, field, help_, ...)                          \
    {                                                                                    \
        .key = key_, .kind = LIB_SETTING_##kind_, .offset = offsetof(values, field),     \
        .help = help_, __VA_ARGS__                                                       \
    }

/* Sets each setting of a table to its default. */
void lib_settings_default(void *values, const struct lib_setting *table, size_t count);

/* Whether a setting is a number or a choice, whose value is the index of an option. */
bool lib_setting_has_number(const struct lib_setting *setting);

/* Whether a setting has a value. Only rows with `find` may have none: they are written as nothing,
 * and are not the default if they have one. */
bool lib_setting_is_set(const void *values, const struct lib_setting *setting);

/* Returns the value of a number, or the index of the chosen option. */
uint64_t lib_setting_get(const void *values, const struct lib_setting *setting);

/* Sets a number or choice to a valid value, and what follows from it. */
void lib_setting_put(void *values, const struct lib_setting *setting, uint64_t value);

/* Returns the address of the value of a setting of any kind. */
const void *lib_setting_field(const void *values, const struct lib_setting *setting);

/* Returns the size in bytes of the value of a setting of any kind. */
size_t lib_setting_size(const struct lib_setting *setting);

/* Copies the value at `field`, of the size that lib_setting_size returns, to the setting. */
void lib_setting_put_field(void *values, const struct lib_setting *setting,
                           const void *field);

/* Returns the file that is the value of a setting; NULL: no file, or the setting is of another
 * kind. */
const struct lib_setting_file *lib_setting_file(const void *values,
                                                const struct lib_setting *setting);

/* Returns the row of a key in a table of `count` rows, or NULL. */
const struct lib_setting *lib_setting_find(const struct lib_setting *table, size_t count,
                                           const char *key);

/* Whether a setting has equal values in `a` and `b`; files are equal if their bytes are. */
bool lib_setting_is_equal(const void *a, const void *b,
                          const struct lib_setting *setting);
bool lib_setting_is_standard(const void *values, const struct lib_setting *setting);

/* Sets a setting from `text`, which a setting of kind TEXT borrows. On failure returns false and
 * sets `why` to what was expected and found. A file can only be set to its word for no file
 * (sim/loading/setting.h reads files). */
bool lib_setting_set(void *values, const struct lib_setting *setting, const char *text,
                     struct lib_text *why);

/* Adds a value as text that lib_setting_set reads; but a file as NAME@DIGEST. */
void lib_setting_write(const void *values, const struct lib_setting *setting,
                       struct lib_text *out);

/* Like lib_setting_write, but a file is written as its digest alone: text that identifies a run. */
void lib_setting_identify(const void *values, const struct lib_setting *setting,
                          struct lib_text *out);

/* Adds a phrase that says what a list, text or file accepts: "1 to 8 numbers of routers from 1 to
 * 65536 with `x` between them, or `derived`". */
void lib_setting_expect(const struct lib_setting *setting, struct lib_text *out);

#endif
