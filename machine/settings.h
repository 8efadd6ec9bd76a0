/* The settings of a machine and the table that describes them. */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "isa/op.h"
#include "lib/text.h"
#include "machine/network/topologies.h"

/* A value per row of machine/settings.def; a choice is the place of its name. */
struct machine_settings {
    uint64_t pe_count, pe_units;
    uint64_t match_latency, fetch_latency, form_latency;
    uint64_t latency[ISA_UNIT_COUNT];
    uint64_t queue_discipline, queue_capacity;
    uint64_t match_store, match_capacity, match_ways;
    uint64_t overflow_latency, overflow_capacity;
    uint64_t tag_scheme, tag_bits, tag_pool, tag_exhausted, spill_latency;
    uint64_t intern_units, intern_latency, intern_bandwidth;
    uint64_t loop_bound, loop_constants;
    uint64_t copy_latency, copy_node_latency, copy_workers, copy_placement, copy_capacity;
    uint64_t placement_policy;
    uint64_t network_topology, network_latency, network_bandwidth, network_capacity;
    uint64_t structure_placement;
    uint64_t executor_workers, executor_live, executor_dead, executor_tag, executor_frame;
    uint64_t executor_lock, executor_copy_lock, executor_dead_frame, executor_inline;
    uint64_t deadness;
    uint64_t stats_interval;
    uint64_t limit_cycles, limit_tokens, limit_memory;
};

/* The choices, in the order of the table. */
enum { MACHINE_FIFO, MACHINE_LIFO };
enum { MACHINE_MATCH_HASH, MACHINE_MATCH_FRAMES };
enum { MACHINE_TAGS_PATH, MACHINE_TAGS_INTERNED, MACHINE_TAGS_POOL };
enum { MACHINE_EXHAUSTED_STALL, MACHINE_EXHAUSTED_SPILL, MACHINE_EXHAUSTED_STOP };
enum { MACHINE_INTERN_PER_PE, MACHINE_INTERN_SHARED };
enum { MACHINE_CONSTANTS_STICKY, MACHINE_CONSTANTS_COPIES };
enum { MACHINE_COPY_AT_CALLER, MACHINE_COPY_PLACED };
enum { MACHINE_PLACE_BY_TAG, MACHINE_PLACE_RANDOM };
enum {
    MACHINE_NETWORK_IDEAL,
#define TOPOLOGY(NAME, name, help) MACHINE_NETWORK_##NAME,
    MACHINE_TOPOLOGIES(TOPOLOGY)
#undef TOPOLOGY
};
enum { MACHINE_STRUCTURE_INTERLEAVED, MACHINE_STRUCTURE_LOCAL };
enum { MACHINE_INLINE_NONE, MACHINE_INLINE_TAG };
enum { MACHINE_SUPPRESS, MACHINE_PROPAGATE };

struct machine_setting {
    const char *key;
    size_t offset;       /* of its uint64_t in struct machine_settings */
    const char *choices; /* "a|b|c"; NULL: a number */
    const char *unit;    /* of a number */
    uint64_t standard, least, greatest;
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

uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting);

/* `value` is one that the setting can have. */
void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value);

/* Sets one from text. On failure returns false and says in `why` what was expected and
 * what was found. */
bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why);

/* Adds the value as text that machine_setting_set reads. */
void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out);

#endif
