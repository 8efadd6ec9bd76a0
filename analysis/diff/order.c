#include "analysis/diff/order.h"

/* A PE. Firings of the run that is ahead wait in `waiting`, from index `head`, for those of the
 * other. */
struct analysis_order_pe {
    bool is_closed; /* a later difference cannot be the first */
    uint32_t ahead;
    uint64_t before;
    size_t head;
    LIB_VEC(struct analysis_fired) waiting;
};

static void close_pe(struct analysis_order_pe *pe)
{
    pe->is_closed = true;
    pe->head = 0;
    LIB_VEC_FREE(&pe->waiting);
}

void analysis_orders_free(struct analysis_orders *o)
{
    for (size_t i = 0; i < o->pes.count; i++)
        close_pe(&o->pes.items[i]);
    LIB_VEC_FREE(&o->pes);
}

static struct analysis_order_pe *pe_of(struct analysis_orders *o, uint32_t number)
{
    while (o->pes.count <= number)
        *LIB_VEC_PUSH(&o->pes) = (struct analysis_order_pe){0};
    return &o->pes.items[number];
}

static struct analysis_fired pop(struct analysis_order_pe *pe)
{
    const struct analysis_fired fired = pe->waiting.items[pe->head++];
    if (pe->head == pe->waiting.count)
        pe->head = pe->waiting.count = 0;
    return fired;
}

static void differs(struct analysis_orders *o, uint32_t number,
                    const struct analysis_fired *first,
                    const struct analysis_fired *second)
{
    struct analysis_order_pe *pe = &o->pes.items[number];
    const uint64_t cycle = first ? first->cycle : second ? second->cycle : UINT64_MAX;
    const struct analysis_order *found = &o->found;
    const bool is_first = !found->is_found || (first && (!found->is_there[0] ||
                                                         cycle < found->fired[0].cycle));
    if (is_first) {
        o->found = (struct analysis_order){.is_found = true,
                                           .pe = number,
                                           .before = pe->before,
                                           .is_there = {first != NULL, second != NULL}};
        if (first)
            o->found.fired[0] = *first;
        if (second)
            o->found.fired[1] = *second;
    }
    close_pe(pe);
}

void analysis_orders_take(struct analysis_orders *o, uint32_t side,
                          const struct analysis_fired *fired)
{
    struct analysis_order_pe *pe = pe_of(o, fired->pe);
    if (pe->is_closed)
        return;
    if (pe->waiting.count == pe->head || pe->ahead == side) {
        pe->ahead = side;
        if (side == 0 && o->found.is_found && fired->cycle >= o->found.fired[0].cycle &&
            pe->waiting.count == pe->head)
            close_pe(pe);
        else
            *LIB_VEC_PUSH(&pe->waiting) = *fired;
        return;
    }
    const struct analysis_fired other = pop(pe);
    const struct analysis_fired *first = side == 0 ? fired : &other;
    const struct analysis_fired *second = side == 0 ? &other : fired;
    if (first->key != second->key)
        differs(o, fired->pe, first, second);
    else
        pe->before++;
}

void analysis_orders_end(struct analysis_orders *o)
{
    for (size_t i = 0; i < o->pes.count; i++) {
        struct analysis_order_pe *pe = &o->pes.items[i];
        if (pe->waiting.count == pe->head)
            continue;
        const struct analysis_fired left = pop(pe);
        differs(o, (uint32_t)i, pe->ahead == 0 ? &left : NULL,
                pe->ahead == 0 ? NULL : &left);
    }
}
