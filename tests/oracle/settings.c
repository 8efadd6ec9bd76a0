/* Settings by name: `hiaton settings`. */
#include "tests/oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Settings not of the machine of PEs, without effect on it, or of platforms, which are unknown here
 * (so is the topology `simgrid`). */
static bool is_ignored(const char *key)
{
    static const char *const keys[] = {
        "stats.interval",   "tensor.core",    "network.dims",      "network.file",
        "network.platform", "network.model",  "cluster.clock",     "cluster.nic.messages",
        "cluster.header",   "cluster.window", "partition.by",      "partition.machines",
        "partition.seed",   "partition.file", "partition.profile", "partition.receive"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static uint64_t choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    uint64_t place = 0;
    for (const char *c = choices; c; c = strchr(c, '|'), c = c ? c + 1 : c, place++)
        if (strncmp(c, word, length) == 0 && (c[length] == '|' || c[length] == '\0'))
            return place;
    abort();
}

/* "8x4"; "derived" is empty. */
static void set_dims(struct oracle_settings *settings, const char *text)
{
    unsigned count = 0;
    for (const char *c = text; strcmp(text, "derived") != 0; c++) {
        settings->dims[count++] = strtoull(c, (char **)&c, 10);
        if (*c != 'x')
            break;
    }
    settings->dim_count = count;
}

/* The part of a key from `c` on, up to a point or the end; returns what is behind it. */
static const char *split_key(const char *c, char *to, size_t size)
{
    const size_t length = strcspn(c, ".");
    snprintf(to, size, "%.*s", (int)length, c);
    return c[length] ? c + length + 1 : c + length;
}

/* class.NAME.KEY, `rest` from NAME on. */
static bool set_of_class(struct oracle_settings *settings, const char *rest,
                         const char *value)
{
    struct oracle_class_setting *own = &settings->of_classes[settings->of_class_count];
    if (settings->of_class_count++ == ORACLE_CLASS_SETTINGS)
        abort();
    rest = split_key(rest, own->name, sizeof own->name);
    snprintf(own->key, sizeof own->key, "%s", rest);
    snprintf(own->value, sizeof own->value, "%s", value);
    return true;
}

/* Whether the PE is among "0-3,7". */
static bool has_pe(const char *list, uint64_t pe)
{
    for (char *c = (char *)list; *c;) {
        const uint64_t first = strtoull(c, &c, 10);
        const uint64_t last = *c == '-' ? strtoull(c + 1, &c, 10) : first;
        if (first <= pe && pe <= last)
            return true;
        c += *c == ',';
    }
    return false;
}

static bool is_of(const struct oracle_settings *settings, const char *name, uint64_t pe)
{
    for (size_t i = 0; i < settings->of_class_count; i++) {
        const struct oracle_class_setting *own = &settings->of_classes[i];
        if (strcmp(own->name, name) == 0 && strcmp(own->key, "pes") == 0)
            return has_pe(own->value, pe);
    }
    return false;
}

bool oracle_is_of_class(const struct oracle_settings *settings, const char *name,
                        size_t length, uint64_t pe)
{
    char class[40];
    snprintf(class, sizeof class, "%.*s", (int)length, name);
    return is_of(settings, class, pe);
}

struct oracle_settings *oracle_settings_of_pes(const struct oracle_settings *settings)
{
    if (settings->of_class_count == 0)
        return NULL;
    struct oracle_settings *all = lib_mem_new(settings->pe_count * sizeof *all);
    for (uint64_t pe = 0; pe < settings->pe_count; pe++) {
        all[pe] = *settings;
        for (size_t i = 0; i < settings->of_class_count; i++) {
            const struct oracle_class_setting *own = &settings->of_classes[i];
            if (strcmp(own->key, "pes") != 0 && is_of(settings, own->name, pe) &&
                !oracle_set(&all[pe], own->key, own->value))
                abort();
        }
        if (settings->mistake == ORACLE_MISTAKE_CLASSLESS) {
            all[pe].match_latency = settings->match_latency;
            all[pe].fetch_latency = settings->fetch_latency;
            all[pe].form_latency = settings->form_latency;
        }
    }
    return all;
}

/* "alu control": all other units are lacking. */
static bool set_units(struct oracle_settings *settings, const char *value)
{
    char word[40];
    for (int u = 0; u < ISA_UNIT_COUNT; u++)
        settings->lacks[u] = true;
    for (const char *c = value; *c;
         c += c[strcspn(c, " ")] ? strcspn(c, " ") + 1 : strlen(c)) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(c, " "), c);
        for (int u = 0; u < ISA_UNIT_COUNT; u++)
            if (strcmp(word, isa_unit_name((enum isa_unit)u)) == 0)
                settings->lacks[u] = false;
    }
    return true;
}

bool oracle_set(struct oracle_settings *settings, const char *key, const char *value)
{
#define SETTING(name, field, choices)                                                    \
    if (strcmp(key, name) == 0) {                                                        \
        const char *words = choices;                                                     \
        settings->field = words ? choice(words, value) : strtoull(value, NULL, 10);      \
        return true;                                                                     \
    }
    ORACLE_SETTINGS(SETTING)
#undef SETTING
    if (strcmp(key, "units") == 0)
        return set_units(settings, value);
    if (strncmp(key, "class.", 6) == 0)
        return set_of_class(settings, key + 6, value);
    if (strcmp(key, "fault.list") == 0) {
        snprintf(settings->fault_list, sizeof settings->fault_list, "%s", value);
        return true;
    }
    if (strcmp(key, "placement.functions") == 0) {
        snprintf(settings->functions, sizeof settings->functions, "%s", value);
        return true;
    }
    if (strcmp(key, "network.dims") == 0) {
        set_dims(settings, value);
        return true;
    }
    return is_ignored(key);
}

const char *oracle_mistake_text(enum oracle_mistake mistake)
{
    static const char *const texts[] = {
#define MISTAKE(NAME, text, wrong) text,
        ORACLE_MISTAKES(MISTAKE)
#undef MISTAKE
    };
    return texts[mistake];
}

const char *oracle_end_text(enum oracle_end end)
{
    static const char *const texts[] = {"completed", "trapped",    "deadlocked",
                                        "limit",     "store full", "tags exhausted",
                                        "faulted",   "waiting"};
    return texts[end];
}
