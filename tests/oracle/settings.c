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
    if (strcmp(key, "fault.list") == 0) {
        snprintf(settings->fault_list, sizeof settings->fault_list, "%s", value);
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
