#include "sim/explain/stopped.h"

#include <string.h>

#include "machine/describe.h"
#include "sim/explain/causes.h"
#include "sim/loading/setting.h"
#include "sim/session/window.h"

/* Settings to try if the setting `limit` ended a run: `choice`, or the least number that
 * suffices. */
static const struct remedy {
    const char *limit, *key, *choice;
} remedies[] = {
    {"queue.capacity", "queue.capacity", NULL},
    {"queue.capacity", "network.capacity", NULL},
    {"queue.capacity", "queue.discipline", "lifo"},
    {"network.capacity", "network.capacity", NULL},
    {"network.capacity", "queue.discipline", "lifo"},
    {"match.capacity", "match.capacity", NULL},
    {"match.capacity", "match.store", "hash"},
    {"match.capacity", "queue.discipline", "lifo"},
    {"match.overflow.capacity", "match.overflow.capacity", NULL},
    {"match.overflow.capacity", "match.capacity", NULL},
    {"match.overflow.capacity", "queue.discipline", "lifo"},
    {"copy.capacity", "copy.capacity", NULL},
    {"copy.capacity", "queue.discipline", "lifo"},
    {"tag.bits", "tag.bits", NULL},
    {"tag.bits", "tag.exhausted", "spill"},
    {"tag.bits", "queue.discipline", "lifo"},
    {"tag.pool", "tag.pool", NULL},
    {"tag.pool", "tag.exhausted", "spill"},
    {"tag.pool", "queue.discipline", "lifo"},
    {"memory.capacity", "memory.capacity", NULL},
    {"memory.capacity", "swap.threshold", "1"},
    {"memory.capacity", "swap.smallest", "0"},
    {"memory.capacity", "queue.discipline", "lifo"},
};

enum {
    ONE_BY_ONE = 16, /* number of values tried one by one, before values are doubled */
    SMALL = 1000,    /* only below this value */
    MAX_TOKENS = 1 << 25, /* limit of tokens of a trial run */
};

bool sim_stopped_is(enum isa_end end)
{
    return end == ISA_END_DEADLOCKED || end == ISA_END_STORE_FULL ||
           end == ISA_END_TAGS_EXHAUSTED;
}

static bool is_out_of_room(enum isa_end end)
{
    return end == ISA_END_STORE_FULL || end == ISA_END_TAGS_EXHAUSTED;
}

/* --- what waits for what -------------------------------------------------------------- */

static enum analysis_stopped_by stopped_by(const struct sim_ending *ending)
{
    const char *limit = ending->limit ? ending->limit : "";
    if (strncmp(limit, "copy.", 5) == 0)
        return ANALYSIS_STOPPED_BY_COPIES;
    if (strncmp(limit, "match.", 6) == 0)
        return ANALYSIS_STOPPED_BY_STORES;
    if (strncmp(limit, "tag.", 4) == 0)
        return ANALYSIS_STOPPED_BY_IDENTIFIERS;
    if (strcmp(limit, "memory.capacity") == 0)
        return ANALYSIS_STOPPED_BY_MEMORIES;
    return ANALYSIS_STOPPED_BY_QUEUES;
}

/* --- runs ----------------------------------------------------------------------------- */

struct search {
    const struct sim_simulation_config *config;
    struct lib_diags *diags;
    struct sim_stopped *found;
    bool is_over; /* whether a run failed or was stopped */
};

/* Whether a feed of the host had no room in a memory. */
static bool is_refused_feed(const struct sim_ending *ending)
{
    return ending->end == ISA_END_LIMIT && ending->limit &&
           strcmp(ending->limit, "memory.capacity") == 0;
}

struct trial {
    enum isa_end end;
    uint64_t cycles;
    bool goes_on;
};

static struct trial try_settings(struct search *s,
                                 const struct machine_settings *settings)
{
    struct sim_simulation_config config = *s->config;
    struct machine_settings own = *settings;
    struct sim_ending ending;
    struct trial trial = {.end = ISA_END_INTERRUPTED};
    const bool is_limited = own.limit_tokens == 0 || own.limit_tokens > MAX_TOKENS;
    if (is_limited)
        own.limit_tokens = MAX_TOKENS;
    config.settings = &own;
    if (config.code && config.code->propagate != machine_propagates(&own))
        return trial;
    s->found->runs++;
    if (!sim_simulate(&config, &ending, s->diags)) {
        s->is_over = true;
        return trial;
    }
    trial.end = ending.end;
    trial.cycles = ending.stats.cycles;
    s->is_over |= ending.end == ISA_END_INTERRUPTED;
    trial.goes_on = ending.end != ISA_END_INTERRUPTED && !is_out_of_room(ending.end) &&
                    !(is_limited && ending.end == ISA_END_LIMIT) &&
                    !is_refused_feed(&ending);
    sim_ending_free(&ending);
    return trial;
}

static struct trial try_value(struct search *s, const struct lib_setting *setting,
                              uint64_t value)
{
    struct machine_settings settings = *s->config->settings;
    *(uint64_t *)((char *)&settings + setting->offset) = value;
    return try_settings(s, &settings);
}

static char *copy_value(const struct machine_settings *settings,
                        const struct lib_setting *setting)
{
    LIB_TEXT_OWN text = {0};
    lib_setting_write(settings, setting, &text);
    char *copy = lib_mem_new(text.length + 1);
    memcpy(copy, lib_text_get(&text), text.length);
    return copy;
}

static void add_remedy(struct search *s, const struct lib_setting *setting,
                       uint64_t value, const struct trial *trial, const char *fails)
{
    struct machine_settings settings = *s->config->settings;
    struct sim_stopped_remedy *r = LIB_VEC_PUSH(&s->found->remedies);
    *r = (struct sim_stopped_remedy){.key = setting->key,
                                     .now = copy_value(&settings, setting),
                                     .end = trial->end,
                                     .cycles = trial->cycles,
                                     .fails = fails};
    *(uint64_t *)((char *)&settings + setting->offset) = value;
    r->value = copy_value(&settings, setting);
}

/* Finds the least number with which the run continues: tries the next few values, then doubled
 * ones, then bisects, so that the number before it does not suffice. */
static void search_number(struct search *s, const struct lib_setting *setting)
{
    const uint64_t now = lib_setting_get(s->config->settings, setting);
    uint64_t fails = now, works = now;
    struct trial trial = {0}, last = {0};
    enum isa_end failed = s->found->ending.end;
    if (now == 0 || now >= setting->greatest)
        return; /* 0 means unlimited */
    for (uint64_t step = 1; !trial.goes_on && !s->is_over; step++) {
        if (works == setting->greatest)
            return;
        fails = works;
        works = step <= ONE_BY_ONE && now < SMALL ? works + 1 : 2 * works;
        works = works > setting->greatest ? setting->greatest : works;
        if (step > ONE_BY_ONE && works > UINT32_MAX)
            return;
        trial = try_value(s, setting, works);
        if (!trial.goes_on)
            failed = trial.end;
    }
    last = trial;
    while (works - fails > 1 && !s->is_over) {
        const uint64_t middle = fails + (works - fails) / 2;
        trial = try_value(s, setting, middle);
        if (trial.goes_on) {
            works = middle;
            last = trial;
        } else {
            fails = middle;
            failed = trial.end;
        }
    }
    if (!s->is_over)
        add_remedy(s, setting, works, &last, sim_end_name(failed));
}

static void search_choice(struct search *s, const struct lib_setting *setting,
                          const char *choice)
{
    struct machine_settings settings = *s->config->settings;
    LIB_TEXT_OWN why = {0};
    const uint64_t now = lib_setting_get(&settings, setting);
    const bool can = lib_setting_set(&settings, setting, choice, &why);
    const uint64_t value = lib_setting_get(&settings, setting);
    if (!can || value == now)
        return;
    const struct trial trial = try_settings(s, &settings);
    if (trial.goes_on)
        add_remedy(s, setting, value, &trial, NULL);
}

static void search_remedies(struct search *s)
{
    const char *limit = s->found->ending.limit;
    for (size_t i = 0; limit && i < sizeof remedies / sizeof *remedies; i++) {
        const struct remedy *r = &remedies[i];
        const struct lib_setting *setting = sim_setting_find(r->key);
        if (strcmp(r->limit, limit) != 0 || s->is_over)
            continue;
        if (r->choice)
            search_choice(s, setting, r->choice);
        else
            search_number(s, setting);
    }
}

bool sim_stopped_find(const struct sim_simulation_config *config,
                      struct sim_stopped *stopped, struct lib_diags *diags)
{
    struct search search = {.config = config, .diags = diags, .found = stopped};
    *stopped = (struct sim_stopped){.waits = {.cycle = SIZE_MAX}};
    if (!sim_simulate(config, &stopped->ending, diags))
        return false;
    if (stopped->ending.end == ISA_END_INTERRUPTED)
        return false;
    if (!is_out_of_room(stopped->ending.end))
        return true;
    if (!sim_causes_state(config, stopped_by(&stopped->ending), &stopped->waits, diags))
        return false;
    search_remedies(&search);
    return !search.is_over;
}

void sim_stopped_free(struct sim_stopped *stopped)
{
    analysis_stopped_free(&stopped->waits);
    for (size_t i = 0; i < stopped->remedies.count; i++)
        LIB_MEM_FREE(stopped->remedies.items[i].now, stopped->remedies.items[i].value);
    LIB_VEC_FREE(&stopped->remedies);
    sim_ending_free(&stopped->ending);
}
