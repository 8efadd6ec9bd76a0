#include "machine/traffic/traffic_source.h"

#include "lib/memory.h"
#include "lib/random.h"
#include "machine/network/fabric.h"

#include <assert.h>

/* Bins of latencies: short ones are exact, longer ones have 64 steps per power of two. */
enum { EXACT = 1024, STEPS = 64, BINS = EXACT + 54 * STEPS };

enum { BLOCK = 64 }; /* cycles whose senders are drawn at once */

struct machine_traffic_source {
    struct machine_fabric *fabric;
    const struct machine_graph *graph;
    const struct machine_pattern *pattern;
    uint32_t *threshold; /* for each PE: probability of sending, times 2^32 */
    uint64_t seed, bits;
    uint64_t now;
    uint32_t window;
    LIB_VEC(struct machine_traffic_source_window) windows;
    /* For each cycle of the block: PEs that send, in order. */
    LIB_VEC(uint32_t) sends[BLOCK];

    uint64_t from; /* first cycle of the measurement; UINT64_MAX: not begun */
    uint64_t counts[BINS];
    uint64_t *through; /* for each link: tokens before the measurement */
    uint64_t *of_pe;
    uint64_t hops, out; /* `hops` before the measurement; tokens delivered since then */
};

/* --- who sends ------------------------------------------------------------------------------- */

/* Returns 64 random bits, one per cycle, each set with probability threshold / 2^32. For all
 * cycles at once, random numbers of 32 bits are compared with the threshold, bit by bit from the
 * highest, until all comparisons are decided. */
static uint64_t draw_block(const struct machine_traffic_source *o, uint32_t pe,
                           uint64_t block)
{
    const uint32_t threshold = o->threshold[pe];
    uint64_t open = ~UINT64_C(0), below = 0;
    if (threshold == UINT32_MAX)
        return open;
    for (uint32_t bit = 0; bit < 32 && open && threshold << bit; bit++) {
        const uint64_t drawn = lib_random_draw(o->seed, LIB_RANDOM_INJECTION, pe,
                                               block << 5 | bit);
        if (threshold >> (31 - bit) & 1) {
            below |= open & ~drawn;
            open &= drawn;
        } else {
            open &= ~drawn;
        }
    }
    return below;
}

static void plan(struct machine_traffic_source *o)
{
    for (uint32_t c = 0; c < BLOCK; c++)
        o->sends[c].count = 0;
    for (uint32_t pe = 0; pe < o->graph->pe_count; pe++) {
        uint64_t sends = o->threshold[pe] ? draw_block(o, pe, o->now / BLOCK) : 0;
        for (; sends; sends &= sends - 1)
            *LIB_VEC_PUSH(&o->sends[__builtin_ctzll(sends)]) = pe;
    }
}

/* --- setting up ------------------------------------------------------------------------------ */

static uint32_t threshold_of(double load)
{
    const double scaled = load * 0x1p32;
    return scaled >= 0x1p32 ? UINT32_MAX : (uint32_t)scaled;
}

struct machine_traffic_source *
machine_traffic_source_new(const struct machine_traffic_source_request *q)
{
    struct machine_traffic_source *o = lib_mem_new(sizeof *o);
    o->fabric = machine_fabric_new(q->graph, q->settings, q->seed);
    o->graph = machine_fabric_graph(o->fabric);
    o->pattern = q->pattern;
    o->seed = q->seed;
    o->bits = q->bits;
    o->window = q->window;
    o->from = UINT64_MAX;
    o->threshold = lib_mem_new(o->graph->pe_count * sizeof *o->threshold);
    o->through = lib_mem_new(o->graph->link_count * sizeof *o->through);
    o->of_pe = lib_mem_new(o->graph->pe_count * sizeof *o->of_pe);
    for (uint32_t pe = 0; pe < o->graph->pe_count; pe++)
        o->threshold[pe] = threshold_of(q->load * machine_pattern_rate(q->pattern, pe));
    return o;
}

void machine_traffic_source_free(struct machine_traffic_source *o)
{
    if (!o)
        return;
    for (uint32_t c = 0; c < BLOCK; c++)
        LIB_VEC_FREE(&o->sends[c]);
    LIB_VEC_FREE(&o->windows);
    machine_fabric_free(o->fabric);
    LIB_MEM_FREE(o->threshold, o->through, o->of_pe, o);
}

/* --- one cycle ------------------------------------------------------------------------------- */

/* Sends the tokens of a cycle. The value of a token is the cycle, its key the sender. */
static void send(struct machine_traffic_source *o,
                 const struct machine_fabric_outside *outside)
{
    const uint32_t c = o->now % BLOCK;
    for (size_t i = 0; i < o->sends[c].count; i++) {
        const uint32_t pe = o->sends[c].items[i];
        const uint64_t drawn = lib_random_draw(o->seed, LIB_RANDOM_DESTINATION, pe,
                                               o->now);
        const uint32_t to = machine_pattern_draw(o->pattern, pe, drawn);
        const struct isa_token t = {.value = o->now, .key = pe, .depth_owner = to};
        machine_fabric_inject(o->fabric, outside, o->now, pe, to, &t, o->bits, 0);
    }
    o->windows.items[o->now / o->window].sent += o->sends[c].count;
}

static size_t bin_of(uint64_t latency)
{
    if (latency < EXACT)
        return latency;
    const unsigned power = 63 - (unsigned)__builtin_clzll(latency); /* at least 10 */
    return EXACT + (power - 10) * STEPS + (latency >> (power - 6) & (STEPS - 1));
}

/* Returns the max latency in a bin. */
static uint64_t end_of_bin(size_t bin)
{
    if (bin < EXACT)
        return bin;
    const unsigned power = 10 + (unsigned)((bin - EXACT) / STEPS);
    const uint64_t step = (bin - EXACT) % STEPS;
    return ((STEPS + step + 1) << (power - 6)) - 1;
}

static void take(struct machine_traffic_source *o)
{
    size_t count;
    const struct isa_token *t = machine_fabric_delivered(o->fabric, &count);
    o->windows.items[o->now / o->window].delivered += count;
    for (size_t i = 0; i < count; i++, t++) {
        struct machine_traffic_source_window *w = &o->windows.items[t->value / o->window];
        w->arrived++;
        w->latency += o->now - t->value;
        if (o->from != UINT64_MAX)
            o->of_pe[t->key]++;
        if (t->value >= o->from)
            o->counts[bin_of(o->now - t->value)]++;
    }
    o->out += o->from != UINT64_MAX ? count : 0;
}

void machine_traffic_source_run(struct machine_traffic_source *o, uint32_t windows)
{
    const struct machine_fabric_outside outside = {0};
    for (uint64_t left = (uint64_t)windows * o->window; left > 0; left--, o->now++) {
        if (o->now % o->window == 0)
            *LIB_VEC_PUSH(&o->windows) = (struct machine_traffic_source_window){0};
        if (o->now % BLOCK == 0)
            plan(o);
        send(o, &outside);
        machine_fabric_step(o->fabric, &outside, o->now);
        take(o);
    }
}

/* --- what was measured ----------------------------------------------------------------------- */

const struct machine_traffic_source_window *
machine_traffic_source_windows(const struct machine_traffic_source *o, size_t *count)
{
    *count = o->windows.count;
    return o->windows.items;
}

void machine_traffic_source_measure(struct machine_traffic_source *o)
{
    assert(o->from == UINT64_MAX);
    o->from = o->now;
    o->hops = machine_fabric_hops(o->fabric);
    for (uint32_t i = 0; i < o->graph->link_count; i++)
        o->through[i] = machine_fabric_measure(o->fabric, i, o->now).tokens;
}

uint64_t machine_traffic_source_quantile(const struct machine_traffic_source *o,
                                         double share)
{
    uint64_t all = 0, below = 0;
    for (size_t i = 0; i < BINS; i++)
        all += o->counts[i];
    for (size_t i = 0; i < BINS; i++) {
        below += o->counts[i];
        if (all > 0 && (double)below >= share * (double)all)
            return end_of_bin(i);
    }
    return 0;
}

double machine_traffic_source_link(const struct machine_traffic_source *o, uint32_t link)
{
    const uint64_t through = machine_fabric_measure(o->fabric, link, o->now).tokens -
                             o->through[link];
    return o->now > o->from ? (double)through / (double)(o->now - o->from) : 0;
}

uint64_t machine_traffic_source_of_pe(const struct machine_traffic_source *o, uint32_t pe)
{
    return o->of_pe[pe];
}

double machine_traffic_source_hops(const struct machine_traffic_source *o)
{
    return o->out ? (double)(machine_fabric_hops(o->fabric) - o->hops) / (double)o->out
                  : 0;
}

uint64_t machine_traffic_source_inside(const struct machine_traffic_source *o)
{
    return machine_fabric_count(o->fabric);
}
