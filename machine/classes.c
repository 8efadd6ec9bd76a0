#include "machine/classes.h"

#include "machine/describe.h"
#include "machine/settings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "class.";

/* --- settings that may differ --------------------------------------------------------- */

static bool begins(const char *key, const char *beginning)
{
    return strncmp(key, beginning, strlen(beginning)) == 0;
}

/* Keys of the settings that may differ, by number. */
static const char *const bases[] = {
#define NUMBER_OF_PE(key, ...) key,
#define UNIT_LATENCY(key, ...) key,
#define OF_UNIT(key, ...) key,
#include "machine/settings.def"
};
_Static_assert(MACHINE_CLASS_KEYS <= 64, "a bit of `has` for each");

/* Returns MACHINE_CLASS_KEYS if PEs may not differ in the setting `key`. */
static unsigned number_of(const char *key)
{
    unsigned number = 0;
    while (number < MACHINE_CLASS_KEYS && strcmp(bases[number], key) != 0)
        number++;
    return number;
}

/* --- keys ------------------------------------------------------------------------------- */

bool machine_class_is_key(const char *key)
{
    return begins(key, prefix);
}

/* Returns the bytes of NAME in class.NAME.KEY; 0: none, or it is too long or not a name. */
static size_t name_length(const char *key)
{
    const char *name = key + strlen(prefix), *c = name;
    if (!machine_class_is_key(key))
        return 0;
    while (isalnum((unsigned char)*c) || *c == '_' || *c == '-')
        c++;
    const size_t length = (size_t)(c - name);
    return *c == '.' || !*c ? (length < MACHINE_CLASS_NAME ? length : 0) : 0;
}

const char *machine_class_key(const char *key)
{
    const size_t length = name_length(key);
    return length ? key + strlen(prefix) + length + 1 : key;
}

/* --- values ----------------------------------------------------------------------------- */

static int compare_names(const char *key, const struct machine_class *of)
{
    const size_t length = name_length(key);
    const int order = strncmp(key + strlen(prefix), of->name, length);
    return order ? order : of->name[length] ? -1 : 0;
}

/* Returns the class that a key names; NULL: none. With `adds` makes it; the one behind
 * MACHINE_MAX_CLASSES is then one too many (classes_fit). */
static struct machine_class *find_class(struct machine_settings *settings,
                                        const char *key, bool adds)
{
    size_t i = 0;
    struct machine_class *const all = settings->classes;
    while (i < MACHINE_MAX_CLASSES && all[i].name[0] && compare_names(key, &all[i]) > 0)
        i++;
    if (all[i].name[0] && compare_names(key, &all[i]) == 0)
        return &all[i];
    if (!adds)
        return NULL;
    memmove(&all[i + 1], &all[i], (MACHINE_MAX_CLASSES - i) * sizeof *all);
    all[i] = (struct machine_class){0};
    memcpy(all[i].name, key + strlen(prefix), name_length(key));
    return &all[i];
}

const struct machine_class *machine_class_find(const struct machine_settings *settings,
                                               const char *key)
{
    return name_length(key) ? find_class((struct machine_settings *)settings, key, false)
                            : NULL;
}

static void *find_value(void *values, const struct lib_setting *row, bool adds)
{
    struct machine_class *of = find_class(values, row->key, adds);
    if (!of)
        return NULL;
    if (row->kind == LIB_SETTING_RANGES)
        return adds || of->pes.count ? &of->pes : NULL;
    if (row->kind == LIB_SETTING_WORDS)
        return adds || of->units ? &of->units : NULL;
    const unsigned number = number_of(machine_class_key(row->key));
    if (adds)
        of->has |= UINT64_C(1) << number;
    return of->has >> number & 1 ? &of->values[number] : NULL;
}

const uint64_t *machine_class_value(const struct machine_class *of, const char *base)
{
    const unsigned number = number_of(base);
    return of->has >> number & 1 ? &of->values[number] : NULL;
}

bool machine_class_some(const struct machine_settings *settings, const char *base)
{
    bool some = lib_setting_get(settings, machine_setting_find(base)) > 0;
    for (const struct machine_class *of = settings->classes; of->name[0]; of++)
        some |= machine_class_value(of, base) && *machine_class_value(of, base) > 0;
    return some;
}

bool machine_class_write_idle(const struct machine_class *of, struct lib_text *out)
{
#define UNIT(NAME, name, help) name,
    static const char *const names[] = {ISA_UNITS(UNIT)};
#undef UNIT
    for (unsigned number = 0; number < MACHINE_CLASS_KEYS; number++)
        for (int unit = 0; of->units && unit < ISA_UNIT_COUNT; unit++) {
            const size_t length = strlen(names[unit]);
            const char *key = bases[number];
            if (!(of->has >> number & 1) || of->units >> unit & 1 ||
                !begins(key, "unit.") || !begins(key + 5, names[unit]) ||
                key[5 + length] != '.')
                continue;
            lib_text_printf(out, "class.%s.%s has no effect: class.%s.units lacks %s",
                            of->name, key, of->name, names[unit]);
            return true;
        }
    return false;
}

void machine_class_apply(const struct machine_class *of, struct machine_settings *own)
{
    for (unsigned number = 0; number < MACHINE_CLASS_KEYS; number++)
        if (of->has >> number & 1)
            lib_setting_put(own, machine_setting_find(bases[number]), of->values[number]);
}

/* --- rows ------------------------------------------------------------------------------- */

static const char *table_key(size_t i, const void *context)
{
    (void)context;
    return machine_setting_table[i].key;
}

/* Appends the groups of the settings in which PEs of a class may differ, as "pe, stage". */
static void write_groups(struct lib_text *out)
{
    const char *last = "";
    for (size_t i = 0; i < MACHINE_CLASS_KEYS; i++) {
        const size_t length = strcspn(bases[i], ".");
        const bool is_new = strncmp(bases[i], last, length) != 0 || last[length] != '.';
        if (is_new && !begins(bases[i], "executor."))
            lib_text_printf(out, "%s%.*s", *last ? ", " : "", (int)length, bases[i]);
        last = bases[i];
    }
}

static void explain(const char *key, const struct lib_setting *base, struct lib_text *why)
{
    if (!why)
        return;
    if (name_length(key) == 0)
        lib_text_printf(why,
                        "%s: expected a name of up to %d letters, digits, `_` and `-` "
                        "behind `class.`",
                        key, MACHINE_CLASS_NAME - 1);
    else if (base) {
        lib_text_printf(why, "%s: PEs of a class may differ in units and in settings of ",
                        key);
        write_groups(why);
        lib_text_printf(why, ", workers in executor.*.latency, not in %s", base->key);
    } else {
        const char *wrong = key + strlen(prefix) + name_length(key);
        const char *nearest = lib_text_nearest(*wrong ? wrong + 1 : "",
                                               machine_setting_count, table_key, NULL);
        lib_text_printf(why, "%s: unknown setting `%s`", key, *wrong ? wrong + 1 : "");
        if (nearest)
            lib_text_printf(why, "; did you mean `%s`?", nearest);
    }
}

/* Rows that only classes have: PEs, and what they can do. */
#define UNIT(NAME, text, ...) "|" text
static const struct lib_setting own_rows[] = {
    {.key = ".pes",
     .kind = LIB_SETTING_RANGES,
     .unit = "PEs",
     .greatest = MACHINE_MAX_PES - 1,
     .help = "PEs of a class"},
    {.key = ".units",
     .kind = LIB_SETTING_WORDS,
     .choices = &(ISA_UNITS(UNIT))[1],
     .help = "classes of function units that the PEs of a class have; all if not given"},
};
#undef UNIT

const char *machine_class_key_at(size_t index)
{
    const size_t own = sizeof own_rows / sizeof *own_rows;
    return index < own                        ? own_rows[index].key + 1
           : index - own < MACHINE_CLASS_KEYS ? bases[index - own]
                                              : NULL;
}

static const struct lib_setting *find_own(const char *of_pe)
{
    for (size_t i = 0; i < sizeof own_rows / sizeof *own_rows; i++)
        if (strcmp(own_rows[i].key, of_pe) == 0)
            return &own_rows[i];
    return NULL;
}

bool machine_class_make_row(const char *key, struct lib_setting *row,
                            struct lib_text *why)
{
    const size_t length = name_length(key);
    const char *of_pe = key + strlen(prefix) + length;
    const struct lib_setting *base = NULL;
    if (!machine_class_is_key(key))
        return false;
    const struct lib_setting *own = length ? find_own(of_pe) : NULL;
    if (own) {
        *row = *own;
    } else {
        base = length && *of_pe ? machine_setting_find(of_pe + 1) : NULL;
        if (!base || number_of(base->key) == MACHINE_CLASS_KEYS) {
            explain(key, base, why);
            return false;
        }
        *row = *base;
    }
    row->key = key;
    row->find = find_value;
    row->follow = NULL;
    return true;
}

bool machine_class_row_at(const struct machine_settings *settings, size_t index,
                          struct machine_class_row *row)
{
    for (size_t i = 0; i <= MACHINE_MAX_CLASSES && settings->classes[i].name[0]; i++) {
        const struct machine_class *of = &settings->classes[i];
        const bool has_own[] = {of->pes.count > 0, of->units > 0};
        for (size_t k = 0; k < sizeof own_rows / sizeof *own_rows; k++)
            if (has_own[k] && index-- == 0) {
                snprintf(row->key, sizeof row->key, "%s%s%s", prefix, of->name,
                         own_rows[k].key);
                return machine_class_make_row(row->key, &row->row, NULL);
            }
        for (unsigned number = 0; number < MACHINE_CLASS_KEYS; number++)
            if (of->has >> number & 1 && index-- == 0) {
                snprintf(row->key, sizeof row->key, "%s%s.%s", prefix, of->name,
                         bases[number]);
                return machine_class_make_row(row->key, &row->row, NULL);
            }
    }
    return false;
}

bool machine_class_is_group(const char *group)
{
    if (strcmp(group, "class") == 0)
        return true;
    const size_t length = name_length(group);
    if (length == 0)
        return false;
    const char *of_pe = group + strlen(prefix) + length;
    if (!*of_pe)
        return true;
    const size_t of_group = strlen(of_pe + 1);
    for (size_t i = 0; i < machine_setting_count; i++) {
        const char *key = machine_setting_table[i].key;
        if (begins(key, of_pe + 1) && key[of_group] == '.')
            return true;
    }
    return false;
}

/* --- whether they fit ---------------------------------------------------------------------- */

/* Adds a diagnostic. False, for the caller to return. */
#define report(diags, ...) (lib_diag_plain(diags, LIB_DIAG_USAGE, __VA_ARGS__), false)

static bool pes_fit(const struct machine_class *of, uint64_t count, bool has_workers,
                    struct lib_diags *diags)
{
    if (of->pes.count == 0)
        return report(diags,
                      "class.%s.pes is missing: the PEs of the class, as in `0-1,4`",
                      of->name);
    const uint32_t last = of->pes.items[of->pes.count - 1].last;
    if (last >= count)
        return report(diags,
                      "class.%s.pes: expected %s from 0 to %" PRIu64 ", found %" PRIu32
                      " (%s=%" PRIu64 ")",
                      of->name, has_workers ? "workers" : "PEs", count - 1, last,
                      has_workers ? "executor.workers x machines" : "pe.count", count);
    return true;
}

/* Checks that no PE is in two classes. */
static bool are_apart(const struct machine_class *a, const struct machine_class *b,
                      struct lib_diags *diags)
{
    for (uint64_t i = 0; i < a->pes.count; i++)
        for (uint64_t k = 0; k < b->pes.count; k++) {
            const struct lib_setting_range *x = &a->pes.items[i], *y = &b->pes.items[k];
            const uint32_t first = x->first > y->first ? x->first : y->first;
            if (first <= x->last && first <= y->last)
                return report(diags,
                              "class.%s.pes and class.%s.pes: PE %" PRIu32
                              " is in both; a PE is in at most one class",
                              a->name, b->name, first);
        }
    return true;
}

static const char *const stages[] = {"stage.match.latency", "stage.fetch.latency",
                                     "stage.form.latency"};

/* Checks what some machines must have in common on all PEs. */
static bool values_fit(const struct machine_class *of, const struct traces_machine *about,
                       struct lib_diags *diags)
{
    if ((about->tensor_units || about->has_batches) &&
        machine_class_value(of, "unit.tensor.latency"))
        return report(diags,
                      "class.%s.unit.tensor.latency: tensor units that are counted, and "
                      "batches, have one latency on all PEs (tensor.unit.count, "
                      "tensor.batch.until)",
                      of->name);
    for (size_t i = 0; about->sends_releases && i < 3; i++)
        if (machine_class_value(of, stages[i]))
            return report(
                diags,
                "class.%s.%s: releases that are messages take the same stages on "
                "all PEs (partition.releases)",
                of->name, stages[i]);
    return true;
}

/* Checks that a class gives PEs values of PEs alone, and workers those of workers. */
static bool keys_fit(const struct machine_class *of, bool has_workers,
                     struct lib_diags *diags)
{
    if (has_workers && of->units)
        return report(diags, "class.%s.units: workers can do everything", of->name);
    for (unsigned number = 0; number < MACHINE_CLASS_KEYS; number++) {
        if (!(of->has >> number & 1) || begins(bases[number], "executor.") == has_workers)
            continue;
        return report(diags, "class.%s.%s: %s", of->name, bases[number],
                      has_workers
                          ? "workers of a class differ in executor.*.latency alone"
                          : "PEs are no workers: expected executor.workers=N");
    }
    return true;
}

bool machine_classes_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    if (!s->classes[0].name[0])
        return true;
    const struct traces_machine about = machine_describe(s, NULL, NULL);
    if (s->classes[MACHINE_MAX_CLASSES].name[0])
        return report(diags, "class.%s: a machine has at most %d classes of PEs",
                      s->classes[MACHINE_MAX_CLASSES].name, MACHINE_MAX_CLASSES);
    for (const struct machine_class *of = s->classes; of->name[0]; of++) {
        if (!pes_fit(of, about.pe_count, about.has_workers, diags) ||
            !keys_fit(of, about.has_workers, diags))
            return false;
        for (const struct machine_class *other = s->classes; other < of; other++)
            if (!are_apart(other, of, diags))
                return false;
        if (!values_fit(of, &about, diags))
            return false;
    }
    return true;
}
