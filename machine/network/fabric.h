/* The engine of networks of routers: moves tokens from link to link of a graph
 * (machine/network/graph.h), cycle by cycle, as defined in doc/model.md, "Networks of routers". It
 * does not depend on a machine: the caller injects tokens, steps, and takes the tokens that were
 * delivered.
 *
 *     inject --> injection --> router --> link --> router --> ejection --> delivered
 *
 * A token on its way is a packet. Packets are in a pool; lists refer to them by their numbers,
 * which no order depends on. There are two kinds of networks:
 *
 *     unlimited queues   network.capacity = 0. Each link has a queue before it. A packet chooses
 *                        its link when it comes to a router, and waits there (fabric_queues.c).
 *     finite buffers     Behind each link except ejections there is a buffer per virtual channel.
 *                        A packet moves when it gets a credit for the next buffer
 *                        (fabric_channels.c). */
#ifndef MACHINE_NETWORK_FABRIC_H
#define MACHINE_NETWORK_FABRIC_H

#include "isa/exec/exec.h"
#include "lib/pack.h"
#include "machine/network/graph.h"
#include "machine/settings.h"
#include "traces/stats.h"

struct machine_fabric;

/* The state that is read in every cycle. A fabric begins with it, so that this needs no call. */
struct machine_fabric_seen {
    uint64_t count; /* packets in the network */

    /* Tokens delivered in the last step; the place of a token is its PE. */
    const struct isa_token *delivered;
    size_t delivered_count;

    /* In the last step, a packet moved; a packet did not, for lack of room. Set only with finite
     * room or with listeners. */
    bool moved, held_back;
    bool counts_bits; /* a packet with more bits occupies a link for longer */
};

/* Return the cycles from when a packet of one cycle enters a link until it can enter the next one;
 * and the part of them that belongs to the router behind the link. */
uint64_t machine_fabric_delay(const struct machine_settings *settings,
                              const struct machine_graph *graph, uint32_t link);
uint64_t machine_fabric_router(const struct machine_settings *settings,
                               const struct machine_graph *graph, uint32_t link);

/* Returns the cycles from when a place behind a link is free until the near end has its credit, for
 * a token that occupies links for one cycle. */
uint64_t machine_fabric_credit_delay(const struct machine_settings *settings,
                                     const struct machine_graph *graph, uint32_t link);

/* The places where packets wait: the queue before a link, or the buffers behind it. */
enum machine_fabric_place { MACHINE_FABRIC_QUEUE, MACHINE_FABRIC_BUFFER };

/* Callbacks to the owner of a fabric. Any can be NULL. */
struct machine_fabric_outside {
    void *context;

    /* Returns true if a PE has room for a token; then keep_room reserves it. */
    bool (*has_room)(void *context, uint32_t pe);
    void (*keep_room)(void *context, uint32_t pe);

    /* A token enters or leaves a place. */
    void (*entered)(void *context, enum machine_fabric_place place, uint32_t link,
                    const struct isa_token *t);
    void (*left)(void *context, enum machine_fabric_place place, uint32_t link,
                 const struct isa_token *t, uint64_t until);

    /* With finite buffers. A token passes a link in a channel, out of another one; called before
     * `left`. A token is blocked: there is no credit in the channels from this one on, or no room
     * behind an ejection. */
    void (*passes)(void *context, uint32_t link, uint32_t channel, uint32_t from_channel,
                   const struct isa_token *t, uint64_t until);
    void (*blocked)(void *context, uint32_t link, uint32_t channel,
                    const struct isa_token *t);
};

/* Makes a fabric, and takes over the ownership of the graph. `seed` is for Valiant's routing. */
struct machine_fabric *machine_fabric_new(struct machine_graph *graph,
                                          const struct machine_settings *settings,
                                          uint64_t seed);
void machine_fabric_free(struct machine_fabric *fabric); /* NULL is allowed */

/* Removes all packets and statistics, as in a new fabric with this seed. */
void machine_fabric_reset(struct machine_fabric *fabric, uint64_t seed);

const struct machine_graph *machine_fabric_graph(const struct machine_fabric *fabric);

static inline const struct machine_fabric_seen *
machine_fabric_see(const struct machine_fabric *fabric)
{
    return (const struct machine_fabric_seen *)fabric;
}

/* Returns true if a packet with more bits occupies a link for longer. */
static inline bool machine_fabric_counts_bits(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->counts_bits;
}

/* Returns the number of packets in the network. */
static inline uint64_t machine_fabric_count(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->count;
}

/* Return the results of the last step: see struct machine_fabric_seen. */
static inline bool machine_fabric_moved(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->moved;
}

static inline bool machine_fabric_held_back(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->held_back;
}

/* Returns the tokens delivered in the last step, at most one per PE. The place of a token is its
 * PE. */
static inline const struct isa_token *
machine_fabric_delivered(const struct machine_fabric *fabric, size_t *count)
{
    *count = machine_fabric_see(fabric)->delivered_count;
    return machine_fabric_see(fabric)->delivered;
}

/* Puts a token before the injection of a PE, for any PE, before the step of this cycle. `bits`
 * matter only with finite bandwidth. `mark` is delivered with the token, if the fabric gives
 * marks. */
void machine_fabric_inject(struct machine_fabric *fabric,
                           const struct machine_fabric_outside *outside, uint64_t now,
                           uint32_t pe, uint32_t to, const struct isa_token *t,
                           uint64_t bits, uint32_t mark);

/* Simulates one cycle: packets on their way arrive, and those that can move do. */
void machine_fabric_step(struct machine_fabric *fabric,
                         const struct machine_fabric_outside *outside, uint64_t now);

/* Sets the ticks per cycle, if time is in ticks: links are occupied for `ticks` times as long, and
 * have at least this delay. The settings must be scaled already. Call it before the first packet,
 * and only with unlimited queues. */
void machine_fabric_count_ticks(struct machine_fabric *fabric, uint64_t ticks);

/* Makes the fabric give marks; call it before the first packet. machine_fabric_mark returns the
 * mark of a token delivered in the last step, by its index; machine_fabric_marks_are returns true
 * if all marks of packets are below `below`, or UINT32_MAX. */
void machine_fabric_give_marks(struct machine_fabric *fabric);
uint32_t machine_fabric_mark(const struct machine_fabric *fabric, size_t delivered);
bool machine_fabric_marks_are(const struct machine_fabric *fabric, size_t below);

/* Returns true if packets wait before links or in buffers. */
bool machine_fabric_waits(const struct machine_fabric *fabric);

/* Returns the next cycle in which a step changes something, if nothing is injected until then; or
 * MACHINE_NEVER (UINT64_MAX). `is_stuck` means that nothing moved in the last step, so that a
 * packet before a free link will not move either. */
uint64_t machine_fabric_next(const struct machine_fabric *fabric, uint64_t now,
                             bool is_stuck);

/* Returns how many times links between routers were crossed. */
uint64_t machine_fabric_hops(const struct machine_fabric *fabric);

/* Returns the number of tokens that left the injection of the first PE; `step` bytes further is
 * that of the next PE. */
const uint64_t *machine_fabric_gone(const struct machine_fabric *fabric, size_t *step);

struct traces_link_stats machine_fabric_measure(const struct machine_fabric *fabric,
                                                uint32_t link, uint64_t now);

/* --- state ------------------------------------------------------------------------------------ */

/* Packs a fabric; `pack_token` packs a token. A fabric that is read must be new. */
void machine_fabric_pack(struct lib_pack *pack, struct machine_fabric *fabric,
                         void (*pack_token)(struct lib_pack *pack, void *context,
                                            struct isa_token *t),
                         void *context);

/* The whereabouts of packets, for the verification of machines. */
enum machine_fabric_where {
    MACHINE_FABRIC_WAITS_BEFORE, /* in the queue before a link */
    MACHINE_FABRIC_WAITS_BEHIND, /* in a buffer behind a link */
    MACHINE_FABRIC_COMES,        /* on a link to a router */
    MACHINE_FABRIC_LEAVES,       /* on an ejection to a PE */
};
typedef void machine_fabric_visit(void *context, enum machine_fabric_where where,
                                  uint32_t link, const struct isa_token *t);
void machine_fabric_each(const struct machine_fabric *fabric, machine_fabric_visit *visit,
                         void *context);

/* Checks the counts of a fabric. Returns NULL, or a text about a count that is wrong. */
const char *machine_fabric_check(const struct machine_fabric *fabric);

#endif
