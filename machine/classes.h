/* Classes of PEs: settings class.NAME.KEY, which give some PEs, or workers of an executor, another
 * value of a setting of a PE or worker (doc/model/pe.md, "Classes of PEs"). Their rows are made for
 * a key, and are used like the rows of machine_setting_table. */
#ifndef MACHINE_CLASSES_H
#define MACHINE_CLASSES_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/setting.h"

struct machine_settings;

/* Numbers of the KEYs of settings in which PEs or workers may differ: rows NUMBER_OF_PE,
 * UNIT_LATENCY and OF_UNIT of machine/settings.def. */
enum machine_class_key {
#define NUMBER_OF_PE(key, field, ...) MACHINE_CLASS_OF_##field,
#define UNIT_LATENCY(key, UNIT, ...) MACHINE_CLASS_LATENCY_##UNIT,
#define OF_UNIT(key, field, UNIT, ...) MACHINE_CLASS_OF_##field##_##UNIT,
#include "machine/settings.def"
    MACHINE_CLASS_KEYS
};

enum {
    MACHINE_MAX_CLASSES = 8,
    MACHINE_CLASS_NAME = ISA_MAX_CLASS_NAME + 1, /* bytes of a name with its end */
};

/* A class, as part of the settings of a machine. */
struct machine_class {
    char name[MACHINE_CLASS_NAME]; /* "": no class, also behind it */
    struct lib_setting_ranges pes; /* empty: not set */
    uint64_t
        units; /* classes of function units that its PEs have, as bits; 0: not set, all */
    uint64_t has; /* bit i: values[i] is set */
    uint64_t values[MACHINE_CLASS_KEYS];
};

/* A row that was made, and its key. */
struct machine_class_row {
    struct lib_setting row;
    char key[64];
};

/* Whether a key begins like those of classes. */
bool machine_class_is_key(const char *key);

/* Returns KEY of a valid class.NAME.KEY, and any other key as it is. */
const char *machine_class_key(const char *key);

/* Returns the class that a key names; NULL: the key is no class.NAME.KEY, or there is no such
 * class. */
const struct machine_class *machine_class_find(const struct machine_settings *settings,
                                               const char *key);

/* Makes the row of `key`, class.NAME.KEY, which it borrows. Returns false if there is none, and
 * says why in `why`, if that is not NULL and `key` begins like those of classes. */
bool machine_class_make_row(const char *key, struct lib_setting *row,
                            struct lib_text *why);

/* Returns the KEY with index `index` that classes may have, such as "pes"; NULL: there are no
 * more. */
const char *machine_class_key_at(size_t index);

/* Makes the row of the setting with index `index` of those that classes have, in the order of
 * names and then of machine/settings.def. Returns false behind the last. */
bool machine_class_row_at(const struct machine_settings *settings, size_t index,
                          struct machine_class_row *row);

/* Whether `group` begins keys of classes: class, class.NAME, or class.NAME.GROUP. */
bool machine_class_is_group(const char *group);

/* Whether the setting `base` is not 0 on the machine, or for some class. */
bool machine_class_some(const struct machine_settings *settings, const char *base);

/* Returns the value of a class for the setting `base`, which may differ, or NULL if it has none. */
const uint64_t *machine_class_value(const struct machine_class *of, const char *base);

/* If a class says how long function units take, or how many it has, that its PEs lack, appends a
 * sentence with the first such setting, and returns true. */
bool machine_class_write_idle(const struct machine_class *of, struct lib_text *out);

/* Sets the values of `own`, settings of PEs of class `of`, to those of the class. */
void machine_class_apply(const struct machine_class *of, struct machine_settings *own);

/* Checks that the PEs of classes are in the machine, that no PE is in two, and that the machine may
 * have such classes. Returns false and adds a diagnostic if not. */
bool machine_classes_fit(const struct machine_settings *settings,
                         struct lib_diags *diags);

#endif
