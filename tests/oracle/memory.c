/* "Limits": the state that `limits.memory` bounds. */
#include "tests/oracle/state.h"

/* Whether several tokens share what a site makes. */
static bool is_shared(const struct oracle *o, uint32_t site)
{
    const struct isa_function *callee = oracle_callee(o, site);
    if (callee->is_loop || o->graph->stage != ISA_STAGE_EXPANDING)
        return callee->param_count + oracle_followers(o, site) > 1;
    const struct instr *apply = oracle_find(o, ISA_OP_APPLY, site, NONE);
    return apply && apply->tokens > 1;
}

static bool shares_next(const struct oracle *o, uint32_t function)
{
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->sites[s].callee == function && is_shared(o, s))
            return true;
    return false;
}

/* A frame: 32 bytes, 16 for each slot, 4 for each child. */
uint64_t oracle_frame_bytes(const struct oracle *o, uint32_t function)
{
    const struct isa_function *f = &o->graph->functions[function];
    uint64_t children = f->is_loop && shares_next(o, function);
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        children += o->graph->sites[s].caller == function && is_shared(o, s);
    return 32 + 16 * oracle_slots(o, function) + (4 * children + 15) / 16 * 16;
}

uint64_t oracle_array_bytes(uint64_t arrays, uint64_t elements)
{
    return 48 * arrays + 16 * elements;
}

uint64_t oracle_state_bytes(const struct oracle *o)
{
    return 16 + o->frame_bytes + 24 * o->live_tokens + 24 * o->deferred +
           oracle_array_bytes(o->structures, o->elements) + o->accumulators +
           o->tensors.used;
}

/* Three things end the run in their turn if they alone exceed the limit. */
static bool fit_alone(struct oracle *o, uint64_t bytes)
{
    if (o->s->limit_memory == 0 || bytes <= o->s->limit_memory || oracle_wrong(o, ALONE))
        return true;
    oracle_end(o, ORACLE_LIMIT, "limits.memory");
    return false;
}

bool oracle_frame_fits(struct oracle *o, uint32_t function)
{
    if (o->numbers[function] < o->frames[function])
        return true; /* a freed one is reused */
    return fit_alone(o, 16 + o->frame_bytes + oracle_frame_bytes(o, function));
}

bool oracle_array_fits(struct oracle *o, uint64_t length)
{
    return fit_alone(o, length) && /* the bytes may exceed 64 bits */
           fit_alone(o, oracle_array_bytes(o->structures + 1, o->elements + length) +
                            o->accumulators + o->tensors.used);
}

bool oracle_accumulators_fit(struct oracle *o, const struct isa_node *maker,
                             uint64_t length)
{
    return fit_alone(o, oracle_array_bytes(o->structures + 1, o->elements + length) +
                            o->accumulators + o->tensors.used +
                            oracle_accumulator_bytes(maker->op, maker->type, length));
}

void oracle_tokens_fit(struct oracle *o)
{
    fit_alone(o, 24 * o->live_tokens);
}
