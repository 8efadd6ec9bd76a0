/* The engine of networks of routers: tokens go from link to link of a graph
 * (machine/network/graph.h), cycle by cycle. It knows no machine: whoever has tokens puts them
 * before the injections, steps, and takes what comes out. doc/model.md, "Networks of routers",
 * defines what happens.
 *
 * A token on its way is a packet. Packets stand in a pool, and lists name them by their number
 * there, which reaches no order. There are two kinds of networks:
 *   - of unlimited queues (network.capacity = 0): each link has one before it. A packet chooses its link
 *     when it comes to a router, and waits before it (fabric_queues.c);
 *   - of finite buffers: behind each link but ejections there is one for each virtual channel, and a packet goes
 *     on when it gets a credit for the next (fabric_channels.c). */
#ifndef MACHINE_NETWORK_FABRIC_H
#define MACHINE_NETWORK_FABRIC_H

#include "isa/exec/exec.h"
#include "lib/pack.h"
#include "machine/network/graph.h"
#include "machine/settings.h"
#include "traces/stats.h"

struct machine_fabric;

/* What is asked of it in every cycle. A fabric begins with it, so that it is asked without a
 * call. */
struct machine_fabric_seen {
    uint64_t count; /* packets that are there now */
    /* What came out in the last step: the place of a token is its PE. */
    const struct isa_token *delivered;
    size_t delivered_count;
    /* In the last step, where room is finite or somebody listens: a packet went on; one did not,
     * for lack of room. */
    bool moved, held_back;
    bool counts_bits; /* a link is occupied for longer where a packet has more bits */
};

/* From when a packet of one cycle goes through a link to when it may go through the next; and
 * what the router behind the link has of that. */
uint64_t machine_fabric_delay(const struct machine_settings *settings,
                              const struct machine_graph *graph, uint32_t link);
uint64_t machine_fabric_router(const struct machine_settings *settings,
                               const struct machine_graph *graph, uint32_t link);

/* From when a place behind a link is free to when its near end has the credit, for a token that
 * occupies links for one cycle. */
uint64_t machine_fabric_credit_delay(const struct machine_settings *settings,
                                     const struct machine_graph *graph, uint32_t link);

/* Where packets wait: the queue before a link, or the buffers behind it. */
enum machine_fabric_place { MACHINE_FABRIC_QUEUE, MACHINE_FABRIC_BUFFER };

/* What the world outside says and hears; what is NULL is not asked, and not told. */
struct machine_fabric_outside {
    void *context;
    /* Whether a PE has room for a token; keeps that room. false: it has not, for now. */
    bool (*has_room)(void *context, uint32_t pe);
    void (*keep_room)(void *context, uint32_t pe);
    void (*entered)(void *context, enum machine_fabric_place place, uint32_t link,
                    const struct isa_token *t);
    void (*left)(void *context, enum machine_fabric_place place, uint32_t link,
                 const struct isa_token *t, uint64_t until);
    /* Of finite buffers, before `left`: a token passes a link, in a channel, out of another one.
     * And it does not: there is no credit in channels from this one on, or no room behind an
     * ejection. */
    void (*passes)(void *context, uint32_t link, uint32_t channel, uint32_t from_channel,
                   const struct isa_token *t, uint64_t until);
    void (*blocked)(void *context, uint32_t link, uint32_t channel,
                    const struct isa_token *t);
};

/* Takes the graph over. `settings` are those of the network; `seed` is Valiant's. */
struct machine_fabric *machine_fabric_new(struct machine_graph *graph,
                                          const struct machine_settings *settings,
                                          uint64_t seed);
void machine_fabric_free(struct machine_fabric *fabric); /* NULL is allowed */

/* Forgets all packets and all that was measured: as new, with this seed. */
void machine_fabric_reset(struct machine_fabric *fabric, uint64_t seed);

const struct machine_graph *machine_fabric_graph(const struct machine_fabric *fabric);

static inline const struct machine_fabric_seen *
machine_fabric_see(const struct machine_fabric *fabric)
{
    return (const struct machine_fabric_seen *)fabric;
}

/* Whether a link is occupied for longer where a packet has more bits. */
static inline bool machine_fabric_counts_bits(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->counts_bits;
}

/* Packets that are there now. */
static inline uint64_t machine_fabric_count(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->count;
}

/* Of the last step, as above. */
static inline bool machine_fabric_moved(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->moved;
}

static inline bool machine_fabric_held_back(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->held_back;
}

/* What came out of the network in the last step: tokens whose place is the PE, which is that of
 * no other. */
static inline const struct isa_token *
machine_fabric_delivered(const struct machine_fabric *fabric, size_t *count)
{
    *count = machine_fabric_see(fabric)->delivered_count;
    return machine_fabric_see(fabric)->delivered;
}

/* Puts a token before the injection of a PE, to go to another or the same. `bits` matter where
 * bandwidth is finite. `mark` comes out with it, where marks are asked for. Before the step of
 * this cycle. */
void machine_fabric_inject(struct machine_fabric *fabric,
                           const struct machine_fabric_outside *outside, uint64_t now,
                           uint32_t pe, uint32_t to, const struct isa_token *t,
                           uint64_t bits, uint32_t mark);

/* One cycle: what is on its way arrives, and what can go on does. */
void machine_fabric_step(struct machine_fabric *fabric,
                         const struct machine_fabric_outside *outside, uint64_t now);

/* Time is in ticks, of which a cycle has so many, before anything is put in: the settings were
 * scaled to it, and a link is occupied for so many times as long, and has a delay of so many at
 * least. Of unlimited queues. */
void machine_fabric_count_ticks(struct machine_fabric *fabric, uint64_t ticks);

/* Marks are asked for, before anything is put in; that of a token which came out in the last
 * step, by its place among these; and whether all that are there are below this one, or
 * UINT32_MAX. */
void machine_fabric_give_marks(struct machine_fabric *fabric);
uint32_t machine_fabric_mark(const struct machine_fabric *fabric, size_t delivered);
bool machine_fabric_marks_are(const struct machine_fabric *fabric, size_t below);

/* Whether there are packets before links or in buffers. */
bool machine_fabric_waits(const struct machine_fabric *fabric);

/* The next cycle in which something happens in a step, if nothing is put in till then;
 * MACHINE_NEVER (UINT64_MAX): none. `is_stuck`: nothing has moved, so that what is free will not
 * move either. */
uint64_t machine_fabric_next(const struct machine_fabric *fabric, uint64_t now,
                             bool is_stuck);

/* Links between routers that were crossed. */
uint64_t machine_fabric_hops(const struct machine_fabric *fabric);

/* Tokens that have gone through the injection of the first PE; `step` bytes further are those of
 * the next. */
const uint64_t *machine_fabric_gone(const struct machine_fabric *fabric, size_t *step);

struct traces_link_stats machine_fabric_measure(const struct machine_fabric *fabric,
                                                uint32_t link, uint64_t now);

/* --- state -------------------------------------------------------------------------------------- */

/* All that it holds; `pack_token` packs a token. Of a fabric that is read, which has just been
 * made. */
void machine_fabric_pack(struct lib_pack *pack, struct machine_fabric *fabric,
                         void (*pack_token)(struct lib_pack *pack, void *context,
                                            struct isa_token *t),
                         void *context);

/* Where packets are, for who verifies a machine. */
enum machine_fabric_where {
    MACHINE_FABRIC_WAITS_BEFORE, /* a link */
    MACHINE_FABRIC_WAITS_BEHIND,
    MACHINE_FABRIC_COMES,  /* to a router, from a link */
    MACHINE_FABRIC_LEAVES, /* to a PE, from an ejection */
};
typedef void machine_fabric_visit(void *context, enum machine_fabric_where where,
                                  uint32_t link, const struct isa_token *t);
void machine_fabric_each(const struct machine_fabric *fabric, machine_fabric_visit *visit,
                         void *context);

/* NULL: what it counts agrees with what it has; else what does not. */
const char *machine_fabric_check(const struct machine_fabric *fabric);

/* For tests only: the host walks links and routers backwards (machine/reverse.h), which changes
 * nothing. */
void machine_fabric_reverse(struct machine_fabric *fabric);

#endif
