#include "analysis/diff/diff.h"

static uint32_t ask(struct analysis_diff *d, const struct analysis_fired *fired)
{
    *LIB_VEC_PUSH(&d->details) = (struct analysis_detail){.key = fired->key,
                                                          .number = fired->number};
    return (uint32_t)d->details.count - 1;
}

static struct analysis_causal_slice_of run_of(const struct analysis_diff *d,
                                              const struct analysis_source sources[2],
                                              uint32_t side)
{
    return (struct analysis_causal_slice_of){d->alike, &sources[side],
                                             &d->shifts->runs[side], side};
}

/* Finds the first firing that differs, in the run in which it is earlier. */
static void find_origin(struct analysis_diff *d, const struct analysis_source sources[2])
{
    struct analysis_fired origin = {0};
    for (uint32_t side = 0; side < 2; side++) {
        const struct analysis_causal_slice_of of = run_of(d, sources, side);
        struct analysis_fired found;
        if (!analysis_locate(&of, analysis_next_difference(of.run, 0), 0, &found))
            continue;
        if (!d->has_origin || found.cycle < origin.cycle) {
            origin = found;
            d->origin_side = side;
        }
        d->has_origin = true;
    }
    if (!d->has_origin)
        return;
    const struct analysis_causal_slice_of of = run_of(d, sources, d->origin_side);
    d->at.origin = ask(d, &origin);
    d->is_whole &= analysis_reach_find(&of, &origin, &d->reach);
}

/* Finds the firing whose causes are wanted, in run 0 if that has one. */
static bool find_cause_of(struct analysis_diff *d,
                          const struct analysis_source sources[2],
                          const struct analysis_diff_config *config,
                          struct analysis_fired *from)
{
    for (d->cone_side = 0; d->cone_side < 2; d->cone_side++) {
        const struct analysis_causal_slice_of of = run_of(d, sources, d->cone_side);
        const uint64_t index = config->has_at
                                   ? analysis_next_difference(of.run, 0)
                                   : analysis_last_difference(of.run, of.run->fired);
        if (analysis_locate(&of, index, config->has_at ? config->at : 0, from))
            return true;
    }
    return false;
}

static void find_cone(struct analysis_diff *d, const struct analysis_source sources[2],
                      const struct analysis_diff_config *config)
{
    struct analysis_fired from;
    d->has_cone = find_cause_of(d, sources, config, &from);
    if (!d->has_cone)
        return;
    const struct analysis_causal_slice_of of = run_of(d, sources, d->cone_side);
    d->is_whole &= analysis_causal_slice_find(&of, &from, config->at_a_time, &d->cone);
    d->at.cause_of = ask(d, &from);
    d->at.agreeing = ask(d, d->cone.agreeing ? &d->cone.last_agreeing : &from);
    d->at.chain = (uint32_t)d->details.count;
    const size_t count = d->cone.chain.count;
    for (size_t i = 0; i < count; i++)
        if (i < ANALYSIS_DIFF_CHAIN / 2 || i + ANALYSIS_DIFF_CHAIN / 2 >= count)
            ask(d, &d->cone.chain.items[i]);
    d->at.end = (uint32_t)d->details.count;
}

static void find_order(struct analysis_diff *d)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found)
        return;
    d->at.order = (uint32_t)d->details.count;
    for (uint32_t side = 0; side < 2; side++)
        ask(d, &order->fired[order->is_there[side] ? side : !side]);
}

static bool all_agree(const struct analysis_diff *d)
{
    bool agree = !d->shifts->order.is_found;
    for (uint32_t i = 0; i < d->alike->count; i++) {
        const struct analysis_shift *s = &d->shifts->of[i];
        agree &= s->fired[0] == s->matched && s->fired[1] == s->matched &&
                 s->later + s->earlier + s->moved == 0;
    }
    return agree;
}

static void compare_firings(struct analysis_diff *d,
                            const struct analysis_source sources[2],
                            const struct analysis_diff_config *config)
{
    d->shifts = analysis_shifts_find(d->alike, sources, config->most_waiting,
                                     config->at_a_time);
    d->is_whole = d->shifts->is_whole;
    if (d->alike->strategies_differ)
        d->is_same = all_agree(d);
    const bool has_tokens = !d->alike->strategies_differ && d->level >= TRACES_LEVEL_ALL;
    if (d->is_whole && has_tokens)
        find_origin(d, sources);
    if (d->is_whole && has_tokens)
        find_cone(d, sources, config);
    if (!d->is_whole)
        return;
    find_order(d);
    d->is_whole = analysis_details_find(d->alike, sources, d->details.items,
                                        d->details.count, d->arena);
}

struct analysis_diff *analysis_diff_find(const struct analysis_source sources[2],
                                         const struct analysis_diff_config *config)
{
    struct analysis_diff *d = lib_mem_new(sizeof *d);
    *d = (struct analysis_diff){.arena = lib_arena_new(), .level = TRACES_LEVEL_ALL};
    for (uint32_t side = 0; side < 2; side++)
        if (sources[side].level < d->level)
            d->level = sources[side].level;
    d->alike = analysis_node_mapping_new(sources[0].graph, sources[1].graph);
    d->is_whole = true;
    if (!d->alike->strategies_differ) {
        d->first = analysis_first_find(d->alike, sources, d->level, d->arena);
        d->is_whole = d->first.is_whole;
        d->is_same = !d->first.is_found;
    }
    if (d->is_whole && !d->is_same)
        compare_firings(d, sources, config);
    return d;
}

void analysis_diff_free(struct analysis_diff *d)
{
    if (!d)
        return;
    analysis_causal_slice_free(&d->cone);
    LIB_VEC_FREE(&d->details);
    analysis_shifts_free(d->shifts);
    analysis_node_mapping_free(d->alike);
    lib_arena_free(d->arena);
    lib_mem_free(d);
}
