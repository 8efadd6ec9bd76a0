/* The settings of a machine, and the table that describes them. The value of a setting is a number,
 * a list, a text or a file. Copies of settings share texts and files; whoever reads them keeps them
 * while a copy is used, usually in the arena of a session or experiment. */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "isa/op.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "machine/network/topologies.h"

/* An enum for each setting that is a choice: its options, from 0, in the order of
 * machine/settings.def. */
#define NUMBER(...)
#define UNIT_LATENCY(...)
#define LIST(...)
#define TEXT(...)
#define PATH(...)
#define OPTION(ENUMERATOR, name) ENUMERATOR,
#define CHOICE(key, field, options, standard, help) enum { options };
#define OWNER(path)
#include "machine/settings.def"
#undef OWNER
#undef PATH
#undef TEXT
#undef LIST
#undef CHOICE
#undef OPTION
#undef UNIT_LATENCY
#undef NUMBER

enum {
    MACHINE_LIST_MAX = 8,
    MACHINE_MAX_PES = 65536, /* max value of the setting pe.count */
};

/* Value of a setting that is a list of numbers. Items after `count` are 0, so that equal lists have
 * equal bytes. */
struct machine_list {
    uint64_t count; /* 0: empty list */
    uint32_t items[MACHINE_LIST_MAX];
};

/* A file that is the value of a setting, with its contents when it was read. */
struct machine_file {
    const char *name;         /* file name without folder */
    const char *digest;       /* XXH3-128 of the bytes, in hexadecimal */
    struct lib_source source; /* contents; source.name is the path, for diagnostics */
};

/* The values of all settings: a member for each row of machine/settings.def. */
struct machine_settings {
    /* Latency in cycles of each class of function unit. */
    uint64_t latency[ISA_UNIT_COUNT];
#define NUMBER(key, field, unit, standard, least, greatest, help) uint64_t field;
#define UNIT_LATENCY(...)
/* Index of the chosen option. */
#define CHOICE(key, field, options, standard, help) uint64_t field;
#define LIST(key, field, ...) struct machine_list field;
#define TEXT(key, field, ...) const char *field;
#define PATH(key, field, ...) const struct machine_file *field; /* NULL: no file */
#define OWNER(path)
#include "machine/settings.def"
#undef OWNER
#undef PATH
#undef TEXT
#undef LIST
#undef CHOICE
#undef UNIT_LATENCY
#undef NUMBER
    bool has_pe_count; /* the user has set pe.count; else it follows from cluster.* */
};

enum machine_setting_kind {
    MACHINE_SETTING_NUMBER,
    MACHINE_SETTING_CHOICE,
    MACHINE_SETTING_LIST,
    MACHINE_SETTING_TEXT,
    MACHINE_SETTING_FILE,
};

struct machine_setting {
    const char *key;
    enum machine_setting_kind kind;
    size_t offset;       /* offset of the value in struct machine_settings */
    const char *choices; /* options of a choice, "a|b|c"; else NULL */
    const char *unit;    /* unit of a number, or of the numbers of a list; else NULL */
    uint64_t standard;   /* default of a number or choice */
    uint64_t least, greatest; /* bounds of a number, or of the numbers of a list */
    uint64_t most;            /* max numbers in a list; max bytes of a text */
    const char *word; /* word that means an empty list, or no file; default of a text */
    const char *help;
};

extern const struct machine_setting machine_setting_table[];
extern const size_t machine_setting_count;

const struct machine_setting *machine_setting_find(const char *key);

/* Returns the key of the setting spelled most like `key`, or NULL. */
const char *machine_setting_nearest(const char *key);

void machine_settings_default(struct machine_settings *settings);

/* Whether some setting asks for something random, such as random placement. */
bool machine_settings_are_random(const struct machine_settings *settings);

/* Whether a run depends on its seed: something is random and has more than one possible outcome. */
bool machine_settings_draw(const struct machine_settings *settings);

/* Whether a setting is a number or a choice, whose value is the index of an option. */
bool machine_setting_has_number(const struct machine_setting *setting);

/* Returns the value of a number, or the index of the chosen option. */
uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting);

/* Sets a number or choice to a valid value. If the setting divides PEs into nodes, pe.count
 * follows, unless the user has set pe.count. */
void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value);

/* Returns the address of the value of a setting of any kind. */
const void *machine_setting_field(const struct machine_settings *settings,
                                  const struct machine_setting *setting);

/* Returns the size in bytes of the value of a setting of any kind. */
size_t machine_setting_size(const struct machine_setting *setting);

/* Copies the value at `field`, of the size that machine_setting_size returns, to the setting. */
void machine_setting_put_field(struct machine_settings *settings,
                               const struct machine_setting *setting, const void *field);

/* Returns the file that is the value of a setting; NULL: no file, or the setting is of another
 * kind. */
const struct machine_file *machine_setting_file(const struct machine_settings *settings,
                                                const struct machine_setting *setting);

/* Whether a setting has equal values in `a` and `b`; files are equal if their bytes are. */
bool machine_setting_is_equal(const struct machine_settings *a,
                              const struct machine_settings *b,
                              const struct machine_setting *setting);
bool machine_setting_is_standard(const struct machine_settings *settings,
                                 const struct machine_setting *setting);

/* Sets a setting from `text`, which a setting of kind TEXT borrows. On failure returns false and
 * sets `why` to what was expected and found. A file can only be set to its word for no file
 * (sim/loading/setting.h reads files). */
bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why);

/* Adds a value as text that machine_setting_set reads; but a file as NAME@DIGEST. */
void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out);

/* Like machine_setting_write, but a file is written as its digest alone: text that identifies a
 * run. */
void machine_setting_identify(const struct machine_settings *settings,
                              const struct machine_setting *setting,
                              struct lib_text *out);

/* Adds a phrase that says what a list, text or file accepts: "1 to 8 numbers of routers from 1 to
 * 65536 with `x` between them, or `derived`". */
void machine_setting_expect(const struct machine_setting *setting, struct lib_text *out);

#endif
