/* Tokens in transit between the links of a network: a timing wheel with a list for each cycle in
 * which tokens arrive. */
#ifndef MACHINE_NETWORK_TRANSIT_H
#define MACHINE_NETWORK_TRANSIT_H

#include "isa/exec/exec.h"
#include "machine/part.h"
#include "machine/state_table.h"

/* A token, the link that it goes to, and the link that it passed last. */
#define MACHINE_ON_WAY_FIELDS(F)                                                         \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint32_t, link)                                                            \
    F(SCRATCH, uint32_t, from)                                                           \
    F(CHECK, s->link < m->network.link_count && machine_token_pe(&s->token) < m->pe_count)
struct machine_on_way {
    MACHINE_ON_WAY_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_WAY_FIELDS(F) F(EACH, machine_on_way, tokens)
struct machine_way {
    MACHINE_WAY_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_TRANSIT_FIELDS(F)                                                        \
    F(STRUCTS, machine_way, ways, s->mask + 1)                                           \
    F(KEPT, uint64_t, mask)     /* number of lists, minus 1 */                           \
    F(SCRATCH, uint64_t, count) /* number of tokens in all lists */
struct machine_transit {
    MACHINE_TRANSIT_FIELDS(LIB_STATE_MEMBER)
};

/* Defines the functions of these tables (lib/state_table.h). */
#define MACHINE_TRANSIT_STATE                                                            \
    LIB_STATE(struct machine, machine_on_way, MACHINE_ON_WAY_FIELDS)                     \
    LIB_STATE(struct machine, machine_way, MACHINE_WAY_FIELDS)                           \
    LIB_STATE(struct machine, machine_transit, MACHINE_TRANSIT_FIELDS)

/* Makes the wheel for tokens that arrive at most `longest` cycles later. */
static inline struct machine_transit machine_transit_new(uint64_t longest)
{
    struct machine_transit transit = {.mask = 1};
    while (transit.mask < longest)
        transit.mask = 2 * transit.mask + 1;
    transit.ways = lib_mem_new((transit.mask + 1) * sizeof *transit.ways);
    return transit;
}

static inline struct machine_way *
machine_transit_at(const struct machine_transit *transit, uint64_t cycle)
{
    return &transit->ways[cycle & transit->mask];
}

/* Sets the number of tokens, after the lists were read. */
static inline void machine_transit_count(struct machine_transit *transit)
{
    transit->count = 0;
    for (uint64_t i = 0; i <= transit->mask; i++)
        transit->count += transit->ways[i].tokens.count;
}

/* Returns the next cycle after `now`, but before `end`, in which a token arrives; else
 * MACHINE_NEVER. */
static inline uint64_t machine_transit_next(const struct machine_transit *transit,
                                            uint64_t now, uint64_t end)
{
    for (uint64_t d = 1; transit->count && d <= transit->mask && now + d < end; d++)
        if (machine_transit_at(transit, now + d)->tokens.count)
            return now + d;
    return MACHINE_NEVER;
}

#endif
