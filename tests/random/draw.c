#include "tests/random/draw.h"

#include "lib/hash.h"
#include "machine/pe/counted_units.h"
#include "machine/pe/match.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "machine/placement/functions.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUES = 8,
    COPY_SOON = 100, /* cycles of a copy, without those of its nodes */
};

/* What is drawn of a number: one of these values, each as often as it is listed; or,
 * sometimes, any up to `most`. */
struct range {
    const char *key; /* or its beginning, with the point */
    uint64_t most;
    uint64_t values[VALUES];
};

static const struct range ranges[] = {
    {"pe.count", 100, {1, 2, 3, 4, 7, 16, 64, 100}},
    {"pe.units", 4, {1, 1, 1, 0, 0, 2, 3, 4}},
    {"stage.", 2, {0, 1, 1, 1, 0, 2, 2, 3}},
    {"unit.", 5, {1, 1, 2, 2, 3, 4, 12, 40}},
    {"queue.capacity", 300, {0, 0, 0, 0, 0, 4, 32, UINT32_MAX}},
    {"match.capacity", 300, {0, 0, 0, 1, 64, 500, 1000, 4096}},
    {"match.ways", 20, {1, 1, 2, 4, 4, 16, 16, 4096}},
    {"match.overflow.latency", 30, {0, 1, 1, 5, 20, 20, 20, 100}},
    {"match.overflow.capacity", 100, {0, 0, 0, 0, 0, 1, 8, UINT32_MAX}},
    {"match.overflow.bandwidth", 5, {0, 0, 0, 0, 1, 1, 2, 4}}, /* draw_overflow */
    {"match.overflow.banks", 3, {1, 1, 1, 2, 2, 3, 3, 4}},     /* as well */
    {"tag.bits", 48, {1, 3, 5, 8, 16, 32, 32, 48}},
    {"tag.pool", 300, {0, 0, 1, 4, 16, 64, 1000, UINT32_MAX}},
    {"tag.spill.latency", 30, {0, 1, 1, 5, 20, 20, 20, 100}},
    {"tag.intern.latency", 6, {0, 0, 1, 2, 2, 2, 5, 20}},
    {"tag.intern.bandwidth", 5, {0, 0, 1, 1, 1, 2, 4, 4096}},
    {"network.latency", 20, {0, 0, 1, 1, 2, 4, 4, 100}},
    {"network.bandwidth", 200, {0, 0, 0, 0, 1, 16, 64, 1000}},
    {"network.capacity", 100, {0, 0, 0, 0, 0, 2, 16, UINT32_MAX}},
    {"network.concentration", 4, {0, 0, 0, 0, 1, 1, 2, 4}},
    {"network.router.latency", 4, {0, 0, 0, 1, 1, 2, 3, 20}},
    {"network.injection.latency", 4, {0, 0, 1, 1, 1, 1, 2, 9}},
    {"network.ejection.latency", 4, {0, 0, 0, 0, 0, 1, 2, 9}},
    {"network.global.latency", 20, {0, 0, 0, 1, 4, 10, 20, 100}},
    {"network.channels", 12, {1, 2, 2, 4, 4, 8, 8, 64}},
    {"network.speedup", 3, {1, 1, 1, 1, 2, 2, 3, 16}},
    {"network.iterations", 3, {1, 1, 1, 2, 2, 2, 3, 16}},
    {"network.credit.latency", 4, {0, 0, 0, 0, 1, 1, 2, 20}},
    {"cluster.", 0, {0}},          /* draw_cluster */
    {"fault.", 0, {0}},            /* draw_faults */
    {"copy.coordinator.", 0, {0}}, /* draw_copies */
    {"copy.node.bytes", 0, {0}},   /* as well */
    {"copy.latency", 60, {0, 0, 1, 1, 3, 20, 100, 3000}},
    {"copy.node.latency", 4, {0, 0, 0, 1, 1, 2, 5, 200}},
    {"copy.workers", 10, {0, 0, 0, 0, 0, 1, 2, 16}},
    {"copy.capacity", 600, {0, 0, 0, 0, 0, 100, 1000, UINT32_MAX}},
    {"executor.workers", 0, {0}}, /* draw_executor */
    {"executor.", 3000, {0, 0, 1, 7, 100, 500, 1000, 20000}},
    {"loop.bound", 6, {0, 0, 0, 1, 1, 2, 3, 4}},
    {"port.capacity", 0, {0}}, /* hosts say it */
    {"stats.interval", 1000, {0}},
    {"memory.", 0, {0}},    /* draw_memory */
    {"swap.", 0, {0}},      /* as well */
    {"limits.", 0, {0}},    /* not drawn here */
    {"partition.", 0, {0}}, /* compare.c divides what it runs */
    {"port.", 0, {0}},      /* a host that is refused may wait for ever */
};

static bool is_fit(const struct machine_settings *s)
{

    struct lib_diags diags = {0};
    const bool fits = machine_settings_fit(s, &diags);
    lib_diags_free(&diags);
    return fits;
}

uint64_t draw_below(struct draw *draw, uint64_t below)
{
    return lib_hash_mix(lib_hash_mix(draw->seed + 2) + draw->count++) % below;
}

static const struct range *range_of(const char *key)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        size_t length = strlen(ranges[i].key);
        bool is_group = ranges[i].key[length - 1] == '.';
        if (strncmp(ranges[i].key, key, length) == 0 && (is_group || !key[length]))
            return &ranges[i];
    }
    fprintf(stderr, "tests/random/draw.c does not know how to draw %s\n", key);
    abort();
}

static uint64_t draw_number(struct draw *draw, const struct lib_setting *row)
{
    const struct range *range = range_of(row->key);
    if (range->most == 0)
        return row->standard;
    uint64_t value = draw_below(draw, 4) ? range->values[draw_below(draw, VALUES)]
                                         : draw_below(draw, range->most + 1);
    return value < row->least ? row->least : value;
}

bool draw_is_of_platform(const struct lib_setting *row)
{
    static const char *const keys[] = {"network.platform", "network.model",
                                       "cluster.clock",    "cluster.nic.messages",
                                       "cluster.header",   "cluster.window"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(row->key, keys[i]) == 0)
            return true;
    return false;
}

/* What runs compute is compared with what others compute, by the same mathematics. */
static bool is_of_mathematics(const struct lib_setting *row)
{
    return strcmp(row->key, "tensor.math") == 0 || strcmp(row->key, "tensor.core") == 0;
}

/* `simgrid` is the last topology. */
uint64_t draw_options(const struct lib_setting *row)
{
    uint64_t count = 1;
    if (draw_is_of_platform(row) || is_of_mathematics(row) ||
        strcmp(row->key, "partition.by") == 0 ||
        strcmp(row->key, "partition.receive") == 0)
        return 1; /* who divides says so */
    for (const char *p = row->choices; *p; p++)
        count += *p == '|';
    if (strcmp(row->key, "copy.coordinator.choice") == 0)
        return 1; /* draw_copies */
    if (strcmp(row->key, "copy.placement") == 0)
        return MACHINE_COPY_PLACED + 1; /* the others are of clusters */
    return count - (strcmp(row->key, "network.topology") == 0);
}

/* Has settings be those of a network that there is: what does not fit gives way. */
static void fit_settings(struct machine_settings *s)
{
    for (int step = 0; !is_fit(s); step++) {
        if (step == 0)
            s->network_concentration = 0;
        else if (step == 1)
            s->network_routing = MACHINE_ROUTED_DETERMINISTIC;
        else if (step == 2)
            s->network_channels = 4;
        else
            s->network_topology = s->pe_count % 2 ? MACHINE_NETWORK_TORUS
                                                  : MACHINE_NETWORK_MESH;
        assert(step < 5);
    }
}

/* A box that fits, sometimes. */
static void draw_dims(struct draw *draw, struct machine_settings *s)
{
    const bool is_box = s->network_topology == MACHINE_NETWORK_MESH ||
                        s->network_topology == MACHINE_NETWORK_TORUS ||
                        s->network_topology == MACHINE_NETWORK_FLATFLY;
    const uint64_t c = s->network_concentration ? s->network_concentration : 1;
    if (!is_box || s->pe_count < c || draw_below(draw, 3))
        return;
    uint32_t dims[3], left = (uint32_t)(s->pe_count / c);
    for (unsigned d = 0; d < 2; d++) {
        dims[d] = 1 + (uint32_t)draw_below(draw, left);
        while (left % dims[d])
            dims[d]--;
        left /= dims[d];
    }
    dims[2] = left;
    s->network_dims.count = 3;
    memcpy(s->network_dims.items, dims, sizeof dims);
}

/* Where copies of graphs go on a machine with nodes. */
static void draw_copies(struct draw *draw, struct machine_settings *s)
{
    static const uint64_t latencies[VALUES] = {1, 1, 1, 2, 5, 10, 50, 300};
    static const uint64_t bytes[VALUES] = {0, 0, 1, 4, 10, 64, 64, 200};
    s->copy_placement = draw_below(draw, MACHINE_COPY_COORDINATED + 2);
    if (s->copy_placement > MACHINE_COPY_COORDINATED)
        s->copy_placement = MACHINE_COPY_COORDINATED; /* twice as often */
    s->coordinator_node = draw_below(draw, 2) ? 0 : draw_below(draw, s->cluster_nodes);
    s->coordinator_latency = latencies[draw_below(draw, VALUES)];
    s->coordinator_choice = draw_below(draw, 2);
    s->copy_node_bytes = bytes[draw_below(draw, VALUES)];
}

/* Without nodes none is chosen. */
static void forget_cluster(struct machine_settings *s)
{
    s->cluster_nodes = 0;
    s->cluster_pes = 1;
    if (s->copy_placement > MACHINE_COPY_PLACED)
        s->copy_placement = MACHINE_COPY_PLACED;
}

/* One machine in four is a cluster: what was drawn joins nodes of a few PEs, up to 100 in all. */
static void draw_cluster(struct draw *draw, struct machine_settings *s)
{
    static const uint64_t latencies[VALUES] = {0, 0, 1, 1, 1, 2, 3, 9};
    static const uint64_t bandwidths[VALUES] = {0, 0, 0, 16, 40, 64, 200, 1000};
    const uint64_t most = 100 / s->pe_count < 8 ? 100 / s->pe_count : 8;
    if (s->network_topology == MACHINE_NETWORK_IDEAL || draw_below(draw, 4))
        return;
    s->cluster_nodes = s->pe_count;
    s->cluster_pes = 1 + draw_below(draw, most);
    s->pe_count *= s->cluster_pes;
    s->cluster_latency = latencies[draw_below(draw, VALUES)];
    s->cluster_bandwidth = bandwidths[draw_below(draw, VALUES)];
    draw_copies(draw, s);
    fit_settings(s); /* one PE alone has no network, and one node has */
}

static void forget_faults(struct machine_settings *s)
{
    s->fault_delay = s->fault_reorder = s->fault_duplicate = s->fault_loss = 0;
    s->fault_stop_cycles = 0;
    s->fault_list = "none";
    s->cluster_termination = MACHINE_TERMINATION_OMNISCIENT;
}

/* One cluster in two has faults that change nothing that is computed, or counts its messages. */
static void draw_faults(struct draw *draw, struct machine_settings *s)
{
    static const uint64_t shares[VALUES] = {0, 0, 0, 1000, 50000, 300000, 500000, 500000};
    static const uint64_t cycles[VALUES] = {0, 0, 1, 5, 20, 100, 1000, 100000};
    if (!s->cluster_nodes || draw_below(draw, 2))
        return;
    s->fault_seed = draw_below(draw, 3);
    s->fault_delay = shares[draw_below(draw, VALUES)];
    s->fault_delay_cycles = cycles[draw_below(draw, VALUES)];
    s->fault_reorder = shares[draw_below(draw, VALUES)];
    if (draw_below(draw, 3) == 0) {
        s->fault_stop_cycles = cycles[draw_below(draw, VALUES)];
        s->fault_stop_start = draw_below(draw, 300);
        s->fault_stop_node = draw_below(draw, s->cluster_nodes);
    }
    if (draw_below(draw, 2))
        s->cluster_termination = MACHINE_TERMINATION_COUNTED;
}

bool draw_is_of_tensor_units(const struct lib_setting *row)
{
    return strncmp(row->key, "tensor.unit.", 12) == 0 ||
           strncmp(row->key, "tensor.batch.", 13) == 0 ||
           strcmp(row->key, "unit.tensor.launch") == 0;
}

bool draw_is_of_counted_units(const struct lib_setting *row)
{
    const char *end = strrchr(row->key, '.');
    return strncmp(row->key, "issue.", 6) == 0 ||
           strcmp(row->key, "match.bandwidth") == 0 ||
           strcmp(row->key, "match.overflow.bandwidth") == 0 ||
           strcmp(row->key, "match.overflow.banks") == 0 ||
           (strncmp(row->key, "unit.", 5) == 0 &&
            (strcmp(end, ".count") == 0 || strcmp(end, ".interval") == 0));
}

/* Returns the values of a setting of issue queues, or of units that are counted; NULL: it is of
 * neither. */
static const uint64_t *values_before_units(const char *key)
{
    static const uint64_t counts[VALUES] = {0, 0, 0, 1, 1, 1, 2, 3};
    static const uint64_t intervals[VALUES] = {1, 1, 2, 3, 4, 10, 40, 700};
    static const uint64_t capacities[VALUES] = {0, 0, 0, 1, 2, 3, 8, 50};
    static const uint64_t bandwidths[VALUES] = {0, 0, 0, 0, 1, 1, 2, 4};
    const char *end = strrchr(key, '.');
    const bool is_unit = strncmp(key, "unit.", 5) == 0;
    return is_unit && strcmp(end, ".count") == 0      ? counts
           : is_unit && strcmp(end, ".interval") == 0 ? intervals
           : strcmp(key, "issue.capacity") == 0       ? capacities
           : strcmp(key, "match.bandwidth") == 0      ? bandwidths
                                                      : NULL;
}

static void draw_units_of_classes(struct draw *draw, struct machine_settings *s)
{
    for (size_t c = 0; s->classes[c].name[0]; c++)
        for (size_t i = 0; i < machine_setting_count; i++) {
            const char *base = machine_setting_table[i].key;
            const uint64_t *values = values_before_units(base);
            LIB_TEXT_OWN key = {0};
            struct lib_setting row;
            lib_text_printf(&key, "class.%s.%s", s->classes[c].name, base);
            if (values && draw_below(draw, 3) == 0 &&
                machine_class_make_row(lib_text_get(&key), &row, NULL))
                lib_setting_put(s, &row, values[draw_below(draw, VALUES)]);
        }
}

/* Has PEs no issue queues. */
static void forget_counted_units(struct machine_settings *s)
{
    s->match_bandwidth = 0;
    memset(s->unit_count, 0, sizeof s->unit_count);
    for (struct machine_class *of = s->classes; of->name[0]; of++) {
        of->has &= ~(UINT64_C(1) << MACHINE_CLASS_OF_match_bandwidth);
        for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
            of->has &= ~(UINT64_C(1) << (MACHINE_CLASS_OF_unit_count_ALU + 2 * unit));
    }
}

/* On another stream, so that all else is drawn as it is. */
void draw_counted_units(struct draw draw, struct machine_settings *s)
{
    struct lib_diags diags = {0};
    draw.seed = lib_hash_mix(draw.seed ^ 29);
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++) {
        s->unit_count[unit] = values_before_units(
            "unit.alu.count")[draw_below(&draw, VALUES)];
        s->unit_interval[unit] = values_before_units(
            "unit.alu.interval")[draw_below(&draw, VALUES)];
    }
    s->issue_discipline = draw_below(&draw, 2);
    s->issue_capacity = values_before_units("issue.capacity")[draw_below(&draw, VALUES)];
    s->match_bandwidth = values_before_units(
        "match.bandwidth")[draw_below(&draw, VALUES)];
    if (!s->executor_workers)
        draw_units_of_classes(&draw, s);
    if (draw_below(&draw, 3) && machine_counted_units_fit(s, &diags)) {
        lib_diags_free(&diags);
        return;
    }
    lib_diags_free(&diags);
    forget_counted_units(s);
}

/* On another stream, so that all else is drawn as it is. */
static void draw_batch_costs(struct draw draw, struct machine_settings *s)
{
    static const uint64_t grouping[VALUES] = {0, 0, 0, 1, 3, 20, 100, 1000};
    draw.seed = lib_hash_mix(draw.seed ^ 11);
    s->batch_gather = draw_below(&draw, 2);
    s->batch_grouping = grouping[draw_below(&draw, VALUES)];
}

void draw_tensor_units(struct draw *draw, struct machine_settings *s)
{
    static const uint64_t counts[VALUES] = {0, 1, 1, 1, 1, 2, 3, 8};
    static const uint64_t windows[VALUES] = {0, 0, 1, 3, 10, 30, 100, 1000};
    static const uint64_t most[VALUES] = {0, 0, 0, 1, 2, 3, 5, 20};
    static const uint64_t launches[VALUES] = {0, 0, 0, 1, 20, 1000, 1024, 3000};
    s->tensor_launch = launches[draw_below(draw, VALUES)];
    if (draw_below(draw, 4) == 0)
        return;
    s->tensor_units = counts[draw_below(draw, VALUES)];
    s->tensor_unit_of = draw_below(draw, 2);
    s->batch_until = draw_below(draw, MACHINE_BATCH_IDLE + 1);
    s->batch_window = windows[draw_below(draw, VALUES)];
    s->batch_most = most[draw_below(draw, VALUES)];
    draw_batch_costs(*draw, s);
}

/* Finite memories that swap, mostly, for programs of small tensors. */
static void draw_memory(struct draw draw, struct machine_settings *s)
{
    static const uint64_t bytes[VALUES] = {64, 128, 200, 256, 400, 600, 1000, 4000};
    static const uint64_t latencies[VALUES] = {0, 0, 1, 1, 3, 10, 40, 500};
    static const uint64_t bandwidths[VALUES] = {0, 1, 1, 4, 8, 8, 16, 64};
    static const uint64_t ahead[VALUES] = {0, 0, 1, 1, 2, 3, 8, 100};
    draw.seed = lib_hash_mix(draw.seed ^ 5);
    if (draw_below(&draw, 2))
        return;
    s->memory_capacity = bytes[draw_below(&draw, VALUES)];
    if (draw_below(&draw, 4) == 0)
        return;
    s->swap_threshold = 1 + draw_below(&draw, s->memory_capacity);
    s->swap_smallest = draw_below(&draw, 2) ? 0 : draw_below(&draw, 100);
    s->swap_latency = latencies[draw_below(&draw, VALUES)];
    s->swap_bandwidth = bandwidths[draw_below(&draw, VALUES)];
    s->swap_prefetch = ahead[draw_below(&draw, VALUES)];
}

/* Not all machines can have finite memories. */
static void fit_memory(struct machine_settings *s)
{
    struct lib_diags diags = {0};
    if (!machine_memory_fits(s, &diags))
        s->memory_capacity = 0;
    lib_diags_free(&diags);
}

void draw_swaps(struct draw draw, struct machine_settings *s)
{
    static const uint64_t bytes[VALUES] = {200, 256, 400, 400, 600, 600, 1000, 4000};
    static const uint64_t latencies[VALUES] = {0, 0, 1, 3, 3, 10, 40, 500};
    static const uint64_t bandwidths[VALUES] = {0, 1, 1, 1, 4, 8, 8, 64};
    draw.seed = lib_hash_mix(draw.seed ^ 17);
    if (draw_below(&draw, 3))
        return;
    forget_faults(s);
    forget_cluster(s);
    s->executor_workers = 0;
    if (draw_below(&draw, 2)) {
        s->tensor_units = 0;
        s->batch_until = MACHINE_BATCH_NONE;
    }
    s->network_file = NULL;
    s->network_topology = MACHINE_NETWORK_IDEAL;
    s->network_concentration = 0;
    s->network_dims.count = 0;
    s->pe_count = 1 + draw_below(&draw, 2);
    s->memory_capacity = bytes[draw_below(&draw, VALUES)];
    s->swap_threshold = 1 + draw_below(&draw, s->memory_capacity / 4);
    s->swap_smallest = 0;
    s->swap_latency = latencies[draw_below(&draw, VALUES)];
    s->swap_bandwidth = bandwidths[draw_below(&draw, VALUES)];
    s->swap_prefetch = draw_below(&draw, 3);
    fit_memory(s);
    fit_settings(s);
}

bool draw_classes_fit(const struct machine_settings *s)
{
    struct lib_diags diags = {0};
    const bool fits = machine_classes_fit(s, &diags);
    lib_diags_free(&diags);
    return fits;
}

/* Gives the class `of` values of settings: each with half the chance. */
static void draw_class(struct draw *draw, const char *name, struct machine_settings *s)
{
    for (size_t i = 0; i < machine_setting_count; i++) {
        LIB_TEXT_OWN key = {0};
        struct lib_setting row;
        lib_text_printf(&key, "class.%s.%s", name, machine_setting_table[i].key);
        if (!strncmp(machine_setting_table[i].key, "executor.", 9) ==
            !s->executor_workers)
            continue; /* of workers, or of PEs */
        const char *const base = machine_setting_table[i].key;
        if (values_before_units(base) ||
            (!s->queue_capacity && strcmp(base, "queue.capacity") == 0) ||
            (!s->match_capacity && strcmp(base, "match.capacity") == 0))
            continue; /* draw_units_of_classes; what is unlimited stays so */
        if (!machine_class_make_row(lib_text_get(&key), &row, NULL) ||
            draw_below(draw, 2))
            continue;
        const struct machine_settings before = *s;
        lib_setting_put(s, &row, draw_number(draw, &machine_setting_table[i]));
        if (!draw_classes_fit(s))
            *s = before;
    }
}

/* Takes up to three kinds of function units away from a class. */
static void draw_lacks(struct draw *draw, const char *name, struct machine_settings *s)
{
    LIB_TEXT_OWN key = {0};
    struct lib_setting row;
    uint64_t units = (UINT64_C(1) << ISA_UNIT_COUNT) - 1;
    for (uint64_t i = 1 + draw_below(draw, 3); i > 0; i--)
        units &= ~(UINT64_C(1) << draw_below(draw, ISA_UNIT_COUNT));
    lib_text_printf(&key, "class.%s.units", name);
    machine_class_make_row(lib_text_get(&key), &row, NULL);
    lib_setting_put_field(s, &row, &units);
}

static void draw_overflow(struct draw draw, struct machine_settings *s)
{
    draw.seed = lib_hash_mix(draw.seed ^ 29);
    s->overflow_bandwidth =
        range_of("match.overflow.bandwidth")->values[draw_below(&draw, VALUES)];
    s->overflow_banks = 1 + draw_below(&draw, 3);
}

void draw_classes(struct draw draw, struct machine_settings *s)
{
    static const char *const names[] = {"slow", "a", "fast", "b-2"};
    static const char *const functions[VALUES] = {"none",    "none",
                                                  "f0:slow", "f0:a,f1:slow",
                                                  "f1:slow", "f0:slow,g0:slow,f1:slow",
                                                  "g0:a",    "result:slow"};
    draw.seed = lib_hash_mix(draw.seed ^ 23);
    draw_overflow(draw, s);
    const struct machine_settings before = *s;
    if (draw_below(&draw, 4) == 0)
        return;
    const uint64_t count = 1 + draw_below(&draw, 4);
    const uint64_t pes = s->executor_workers ? s->executor_workers : s->pe_count;
    for (uint64_t pe = draw_below(&draw, 3), i = 0; pe < pes; i++) {
        const uint64_t last = pe + draw_below(&draw, pes - pe);
        const uint64_t number = draw_below(&draw, count);
        LIB_TEXT_OWN key = {0}, list = {0}, why = {0};
        struct lib_setting row;
        lib_text_printf(&key, "class.%s.pes", names[number]);
        machine_class_make_row(lib_text_get(&key), &row, NULL);
        lib_setting_write(s, &row, &list);
        lib_text_printf(&list, "%s%" PRIu64 "-%" PRIu64, list.length ? "," : "", pe,
                        last);
        if (!lib_setting_set(s, &row, lib_text_get(&list), &why))
            break; /* too many ranges */
        if (!i || draw_below(&draw, 2))
            draw_class(&draw, names[number], s);
        if (!s->executor_workers && draw_below(&draw, 2))
            draw_lacks(&draw, names[number], s);
        pe = last + 1 + draw_below(&draw, 2) * draw_below(&draw, 4);
    }
    s->placement_functions = functions[draw_below(&draw, VALUES)];
    if (!draw_classes_fit(s))
        *s = before;
}

void draw_capable(struct machine_settings *s, const struct isa_graph *graph)
{
    struct lib_diags diags = {0};
    const struct traces_machine about = machine_describe(s, graph, NULL);
    if (!machine_functions_fit(s->placement_functions, &about, graph, &diags))
        s->placement_functions = "none";
    for (size_t i = 0; !machine_program_fits(s, graph, &diags); i++) {
        if (i >= MACHINE_MAX_CLASSES)
            s->placement_functions = "none";
        else
            s->classes[i].units = 0;
    }
    lib_diags_free(&diags);
}

void draw_on_classes(struct draw draw, const struct machine_settings *s,
                     struct isa_graph *graph)
{
    struct lib_diags diags = {0};
    uint64_t count = 0;
    while (count < MACHINE_MAX_CLASSES && s->classes[count].name[0])
        count++;
    draw.seed = lib_hash_mix(draw.seed ^ 29);
    if (!count || draw_below(&draw, 2))
        return;
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (!graph->functions[f].is_loop && draw_below(&draw, 2))
            isa_graph_set_class(graph, f, s->classes[draw_below(&draw, count)].name);
    if (!machine_program_fits(s, graph, &diags))
        for (uint32_t f = 0; f < graph->function_count; f++)
            isa_graph_set_class(graph, f, NULL);
    lib_diags_free(&diags);
}

void draw_losses(struct draw *draw, struct machine_settings *s)
{
    static const uint64_t shares[VALUES] = {0, 0, 0, 100, 1000, 10000, 50000, 400000};
    static const uint64_t cycles[VALUES] = {0, 0, 0, 0, 0, 1, 100, 10000};
    if (!s->cluster_nodes || s->executor_workers || draw_below(draw, 4))
        return;
    s->fault_loss = shares[draw_below(draw, VALUES)];
    s->fault_duplicate = shares[draw_below(draw, VALUES)];
    s->message_timeout = cycles[draw_below(draw, VALUES)];
    s->fault_delay /= 4;
    s->fault_reorder /= 4;
    while (s->fault_loss + s->fault_duplicate + s->fault_delay + s->fault_reorder >
           1000000)
        s->fault_duplicate /= 2; /* a message has one fault */
    if (s->cluster_nodes > 1 && draw_below(draw, 4) == 0)
        s->fault_list = "lose:0-1:1,duplicate:1-0:2,delay:0-1:3:50,reorder:1-0:1";
    fit_memory(s);
}

void draw_arrays(uint64_t seed, struct programs_settings *settings)
{
    struct draw own = {.seed = lib_hash_mix(seed)};
    settings->array_generator = draw_below(&own, 3) ? PROGRAMS_ARRAYS_TREE
                                                    : PROGRAMS_ARRAYS_CHAIN;
    settings->array_strand = 1 + draw_below(&own, 4);
    settings->array_bound = draw_below(&own, 2) ? 0 : 1 + draw_below(&own, 2);
    settings->grad_loop = draw_below(&own, 2) ? PROGRAMS_GRADIENTS_LOOP
                                              : PROGRAMS_GRADIENTS_CALLS;
}

void draw_passes(uint64_t seed, struct programs_settings *settings)
{
    const unsigned count = draw_options(sim_setting_find("optimise.passes"));
    const uint64_t all = (UINT64_C(1) << count) - 1;
    struct draw own = {.seed = lib_hash_mix(seed ^ UINT64_C(0x9a55e5))};
    settings->unroll = draw_below(&own, 4);
    switch (draw_below(&own, 4)) {
    case 0:
        settings->optimise = all;
        break;
    case 1:
        settings->optimise = UINT64_C(1) << draw_below(&own, count);
        break;
    default:
        settings->optimise = draw_below(&own, all + 1);
        break;
    }
}

void draw_settings(struct draw *draw, struct machine_settings *settings)
{
    struct sim_settings all;
    sim_settings_default(&all);
    for (size_t i = 0; i < sim_setting_count; i++) {
        const struct lib_setting *row = sim_setting_at(i);
        if (row->offset == offsetof(struct machine_settings, tensor_transport))
            continue; /* below: what is drawn behind it stays */
        if (draw_is_of_tensor_units(row) || draw_is_of_counted_units(row) ||
            strncmp(row->key, "array.", 6) == 0 || strcmp(row->key, "grad.loop") == 0 ||
            strncmp(row->key, "optimise.", 9) == 0)
            continue; /* draw_tensor_units, draw_counted_units, draw_arrays, draw_passes */
        if (row->kind == LIB_SETTING_NUMBER)
            lib_setting_put(&all, row, draw_number(draw, row));
        else if (row->kind == LIB_SETTING_CHOICE && draw_options(row) > 1 &&
                 strcmp(row->key, "cluster.termination") != 0) /* draw_faults */
            lib_setting_put(&all, row, draw_below(draw, draw_options(row)));
        /* lists, texts and files stay the defaults */
    }
    *settings = all.machine;
    draw->compile = all.compile;
    draw_arrays(draw->seed + draw->count, &draw->compile);
    settings->tensor_transport = lib_hash_mix(draw->seed + draw->count) % 2;
    fit_settings(settings);
    draw_dims(draw, settings);
    draw_cluster(draw, settings);
    draw_faults(draw, settings);
    draw_memory(*draw, settings);
    fit_memory(settings);
}

void draw_network_file(struct draw *draw, struct machine_settings *settings)
{
#define NETWORK(pes, name, text)                                                         \
    {                                                                                    \
        pes,                                                                             \
        {                                                                                \
            name, name,                                                                  \
            {                                                                            \
                name, text, sizeof text - 1                                              \
            }                                                                            \
        }                                                                                \
    }
    static const struct {
        uint64_t pe_count;
        struct lib_setting_file file;
    } networks[] = {
        NETWORK(1, "one.yaml", "pes: [0]\n"),
        NETWORK(4, "ring.yaml", "pes: [0, 1, 2, 3]\nlinks: [0-1, 1-2, 2-3, 3-0]\n"),
        NETWORK(5, "five.yaml",
                "pes: [0, 1, 2, 3, 4]\nlinks: [0-1, 1-2, 2-3, 3-4, 4-0]\n"),
        NETWORK(4, "way.yaml", "pes: [0, 1, 2, 3]\nlinks: [0-1, 1-2, 2-3, 0>3]\n"),
        NETWORK(9, "box.yaml",
                "pes: [0, 1, 2, 3, 4, 5, 6, 7, 8]\nlinks: [0-1, 1-2, 3-4, 4-5, 6-7, 7-8, "
                "0-3, 3-6, 1-4, 4-7, 2-5, 5-8]\n"),
        NETWORK(6, "leaf.yaml",
                "pes: [1, 1, 3, 3, 4, 4]\nlinks: [1-0, 0-3, 4-0, 1-2, 3-2, 2-4]\n"),
        NETWORK(4, "own.yaml",
                "pes: [0, 1, 2, 3]\nlinks: [0-1 latency=5, 1-2 bandwidth=7, 2-3 "
                "bandwidth=100 latency=2, 3>0, 0>3 latency=9 bandwidth=1, 1-3]\n"),
        NETWORK(6, "ways.yaml",
                "pes: [0, 1, 2, 3, 4, 5]\nlinks: [0-1 bandwidth=33, 1-2, 2-3 latency=1, "
                "3-4, 4-5 latency=40 bandwidth=3, 5-0, 1-4]\n"
                "global_links: [2-5 latency=7]\n"),
        NETWORK(15, "torus.yaml",
                "pes: [7, 1, 12, 3, 4, 9, 14, 0, 8, 5, 10, 13, 2, 6, 11]\nlinks: "
                "[0-1, 1-2, 2-3, 3-4, 4-0, 5-6, 6-7, 7-8, 8-9, 9-5, 10-11, 11-12, "
                "12-13, 13-14, 14-10, 0-5, 5-10, 10-0, 1-6, 6-11, 11-1, 2-7, 7-12, "
                "12-2, 3-8, 8-13, 13-3, 4-9, 9-14, 14-4]\n"),
        NETWORK(16, "ladder.yaml",
                "pes: [9, 10, 7, 2, 11, 15, 6, 5, 13, 8, 0, 1, 12, 3, 4, 14]\nlinks: "
                "[14-5, 12-7, 7-0, 15-12, 1-15, 4-9, 13-14, 15-9, 8-10, 4-11, 2-0, 6-8, "
                "1-4, 3-5, 11-13, 6-2, 12-11, 3-6, 2-10, 0-3, 5-2, 7-13, 9-11, 0-14]\n"),
        NETWORK(15, "mesh.yaml",
                "pes: [1, 13, 2, 12, 6, 3, 8, 4, 10, 14, 7, 5, 11, 9, 0]\nlinks: [3-9, "
                "12-10, 6-11, 0-14, 3-1, 14-6, 4-11, 2-7, 6-4, 1-10, 5-13, 13-12, 14-5, "
                "0-8, 1-7, 11-9, 5-3, 6-3, 9-2, 8-6, 8-4, 10-7, 1-2, 13-1]\n"),
        NETWORK(5, "tree.yaml",
                "pes: [1, 1, 2, 3, 3]\nlinks: [0-1, 0-2]\nglobal_links: [0-3, 0-3]\n"),
        NETWORK(10, "petersen.yaml",
                "pes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
                "links: [0-1, 1-2, 2-3, 3-4, 4-0, 0-5, 1-6, 2-7, 3-8, 4-9, 5-7, 7-9, "
                "9-6, 6-8, 8-5]\n"),
    };
#undef NETWORK
    if (settings->network_topology < MACHINE_NETWORK_BUS || draw_below(draw, 10))
        return;
    const size_t i = draw_below(draw, sizeof networks / sizeof *networks);
    settings->network_topology = MACHINE_NETWORK_FILE;
    settings->network_file = &networks[i].file;
    settings->pe_count = networks[i].pe_count;
    if (settings->cluster_nodes) {
        settings->cluster_nodes = settings->pe_count;
        settings->fault_stop_node %= settings->cluster_nodes;
        settings->pe_count *= settings->cluster_pes;
        settings->coordinator_node %= settings->cluster_nodes;
    }
    settings->network_concentration = 0;
    settings->network_dims.count = 0;
    fit_settings(settings);
    assert(settings->network_topology == MACHINE_NETWORK_FILE);
}

void draw_buffers(struct draw *draw, struct machine_settings *settings)
{
    static const uint64_t pes[] = {2, 4, 4, 6, 8, 8, 9, 16};
    static const uint64_t queues[] = {0, 0, 0, 4, 8, 16, 64, 200};
    settings->executor_workers = 0;
    forget_faults(settings);
    forget_cluster(settings);
    settings->network_file = NULL;
    settings->pe_count = pes[draw_below(draw, 8)];
    settings->network_concentration = 0;
    settings->network_dims.count = 0;
    settings->network_topology = MACHINE_NETWORK_BUS +
                                 draw_below(draw,
                                            MACHINE_NETWORK_FILE - MACHINE_NETWORK_BUS);
    settings->network_capacity = 1 + draw_below(draw, draw_below(draw, 2) ? 2 : 16);
    settings->network_channels = 1 + draw_below(draw, draw_below(draw, 2) ? 4 : 12);
    settings->network_bandwidth = draw_below(draw, 2) ? 0 : 1 + draw_below(draw, 200);
    settings->queue_capacity = queues[draw_below(draw, 8)];
    fit_settings(settings);
    draw_dims(draw, settings);
    draw_cluster(draw, settings);
    draw_faults(draw, settings);
    fit_memory(settings);
}

void draw_limits(struct draw *draw, struct machine_settings *settings)
{
    switch (draw_below(draw, 24)) {
    case 0:
        settings->limit_cycles = 1 + draw_below(draw, 3000);
        break;
    case 1:
        settings->limit_tokens = 1 + draw_below(draw, 3000);
        break;
    case 2:
        settings->limit_memory = UINT64_C(1) << 16;
        break;
    case 3:
        settings->limit_depth = 1 + draw_below(draw, 30);
        break;
    default:
        break;
    }
}

void draw_executor(struct draw *draw, struct machine_settings *settings)
{
    draw_settings(draw, settings);
    forget_faults(settings);
    settings->memory_capacity = 0;
    settings->executor_workers = draw_below(draw, 2) ? 1 + draw_below(draw, 9)
                                                     : 1 + draw_below(draw, 100);
}

/* Whether a key of classes is of a store or queue of finite size. */
static bool is_of_stores(size_t key)
{
    return key == MACHINE_CLASS_OF_match_capacity ||
           key == MACHINE_CLASS_OF_overflow_capacity ||
           key == MACHINE_CLASS_OF_queue_capacity;
}

void draw_unlimited(struct machine_settings *settings)
{
    for (struct machine_class *of = settings->classes; of->name[0]; of++)
        for (size_t key = 0; key < MACHINE_CLASS_KEYS; key++)
            of->has &= ~((uint64_t)is_of_stores(key) << key);
    settings->queue_capacity = settings->network_capacity = 0;
    settings->match_capacity = settings->tag_pool = 0;
    settings->memory_capacity = 0;
    settings->copy_workers = settings->copy_capacity = 0;
    settings->copy_latency %= COPY_SOON;
    settings->copy_node_latency %= 2;
    if (settings->tag_scheme == MACHINE_TAGS_INTERNED)
        settings->tag_scheme = MACHINE_TAGS_PATH;
}

bool draw_is_of_class(const struct machine_settings *s, const char *key)
{
    bool is = false;
    for (const struct machine_class *of = s->classes; of->name[0]; of++)
        is |= machine_class_value(of, key) && *machine_class_value(of, key) > 0;
    return is;
}

bool draw_may_fill(const struct machine_settings *s)
{
    if (s->executor_workers)
        return false;
    return s->queue_capacity || s->network_capacity || s->copy_capacity ||
           s->memory_capacity || draw_is_of_class(s, "queue.capacity") ||
           ((s->match_capacity || draw_is_of_class(s, "match.capacity")) &&
            (s->match_store == MACHINE_MATCH_FRAMES || s->overflow_capacity ||
             draw_is_of_class(s, "match.overflow.capacity")));
}

bool draw_may_exhaust(const struct machine_settings *s)
{
    return !s->executor_workers && s->tag_exhausted != MACHINE_EXHAUSTED_SPILL &&
           (s->tag_scheme == MACHINE_TAGS_INTERNED ||
            (s->tag_scheme == MACHINE_TAGS_POOL && s->tag_pool));
}

static void write_settings(const struct sim_settings *settings, struct lib_text *out)
{
    struct machine_class_row made;
    const struct lib_setting *row;
    for (size_t i = 0; (row = sim_setting_of(settings, i, &made)); i++) {
        if (lib_setting_is_standard(settings, row))
            continue;
        lib_text_printf(out, "%s%s=", out->length ? " " : "", row->key);
        lib_setting_write(settings, row, out);
    }
}

void draw_write(const struct machine_settings *settings, struct lib_text *out)
{
    struct sim_settings all;
    sim_settings_default(&all);
    all.machine = *settings;
    write_settings(&all, out);
}

void draw_write_all(const struct machine_settings *settings,
                    const struct programs_settings *compile, struct lib_text *out)
{
    struct sim_settings all;
    sim_settings_default(&all);
    all.machine = *settings;
    all.compile = *compile;
    write_settings(&all, out);
}
