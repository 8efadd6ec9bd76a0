/* The settings of a machine and the table that describes them.
 *
 * A value is a number, a list, a text or a file. Settings are copied as they are. Numbers and
 * lists stand in them; texts and files are borrowed: who reads settings keeps both, mostly in the
 * arena of a session or an experiment, for as long as any copy of the settings is used. */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "isa/op.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "machine/network/topologies.h"

/* The options of each choice, from 0, in the order of machine/settings.def. */
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
    MACHINE_MAX_PES = 65536, /* of pe.count */
};

/* Those behind `count` are 0, so that lists are equal where their bytes are. */
struct machine_list {
    uint64_t count; /* 0: it is derived, or there is none */
    uint32_t items[MACHINE_LIST_MAX];
};

/* A file that was read, once: what runs depend on is these bytes, whatever happens to the file. */
struct machine_file {
    const char *name;         /* without its folder, for who reads results */
    const char *digest;       /* XXH3-128 of the bytes, in hexadecimal */
    struct lib_source source; /* its name is the path, for diagnostics in the file */
};

/* A value per row of machine/settings.def. */
struct machine_settings {
    uint64_t latency[ISA_UNIT_COUNT]; /* the rows UNIT_LATENCY */
#define NUMBER(key, field, unit, standard, least, greatest, help) uint64_t field;
#define UNIT_LATENCY(...)
#define CHOICE(key, field, options, standard, help) uint64_t field; /* an OPTION of it */
#define LIST(key, field, ...) struct machine_list field;
#define TEXT(key, field, ...) const char *field;
#define PATH(key, field, ...) const struct machine_file *field; /* NULL: none */
#define OWNER(path)
#include "machine/settings.def"
#undef OWNER
#undef PATH
#undef TEXT
#undef LIST
#undef CHOICE
#undef UNIT_LATENCY
#undef NUMBER
    bool has_pe_count; /* it was put; else pe.count follows from the cluster */
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
    size_t offset;            /* of its field in struct machine_settings */
    const char *choices;      /* of a choice, "a|b|c"; else NULL */
    const char *unit;         /* of a number, and of those of a list; else NULL */
    uint64_t standard;        /* of a number or choice */
    uint64_t least, greatest; /* of a number, and of each in a list */
    uint64_t most;            /* numbers in a list; bytes of a text */
    const char *word; /* list, file: the word for an empty one; text: the default */
    const char *help;
};

extern const struct machine_setting machine_setting_table[];
extern const size_t machine_setting_count;

/* NULL: no such setting. */
const struct machine_setting *machine_setting_find(const char *key);

/* The nearest key to a wrong one, or NULL. */
const char *machine_setting_nearest(const char *key);

void machine_settings_default(struct machine_settings *settings);

/* Whether anything is said to be random: one of the components of lib/random.h. */
bool machine_settings_are_random(const struct machine_settings *settings);

/* Whether it is, so that the seed of a run matters: more than one thing can be drawn. */
bool machine_settings_draw(const struct machine_settings *settings);

/* Whether it is a number or a choice, which is one too. */
bool machine_setting_has_number(const struct machine_setting *setting);

/* The value of a number, and of a choice the place of its option. */
uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting);

/* `value` is one that the setting can have. What divides PEs into nodes also says how many there
 * are, as long as pe.count was not put. */
void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value);

/* A value of any kind, as its field is, and its size. */
const void *machine_setting_field(const struct machine_settings *settings,
                                  const struct machine_setting *setting);
size_t machine_setting_size(const struct machine_setting *setting);
void machine_setting_put_field(struct machine_settings *settings,
                               const struct machine_setting *setting, const void *field);

/* The file that is the value; NULL: none, or the setting is of another kind. */
const struct machine_file *machine_setting_file(const struct machine_settings *settings,
                                                const struct machine_setting *setting);

/* Whether two values mean the same: files do if they have the same bytes. */
bool machine_setting_is_equal(const struct machine_settings *a,
                              const struct machine_settings *b,
                              const struct machine_setting *setting);
bool machine_setting_is_standard(const struct machine_settings *settings,
                                 const struct machine_setting *setting);

/* Sets one from text, which a text borrows. On failure returns false and says in `why` what was
 * expected and what was found. A file must be read by who knows where it is: here the only text of
 * one is the word for none (sim/loading/setting.h takes paths). */
bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why);

/* Adds the value as text that machine_setting_set reads; of a file NAME@DIGEST. */
void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out);

/* The same in the words that identify a run: a file is its digest, whatever its name. */
void machine_setting_identify(const struct machine_settings *settings,
                              const struct machine_setting *setting,
                              struct lib_text *out);

/* Adds what is expected of a list, text or file: "1 to 8 numbers of routers from 1 to 65536 with
 * `x` between them, or `derived`". */
void machine_setting_expect(const struct machine_setting *setting, struct lib_text *out);

#endif
