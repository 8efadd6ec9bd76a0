/* The fabric: simulation of a network of routers. It moves tokens from link to link of a graph
 * (machine/network/graph.h), cycle by cycle, as defined in doc/model.md, "Networks of routers". The
 * caller, a machine or a study, injects tokens, steps, and takes delivered tokens.
 *
 *     inject --> injection --> router --> link --> router --> ejection --> delivered
 *
 * A token in transit is a packet. Packets are in a pool; lists have their indexes, which no order
 * depends on. There are two kinds of networks:
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

/* State that is read in every cycle. It is the first member of a fabric, so that reading needs no
 * call. */
struct machine_fabric_seen {
    uint64_t count; /* number of packets in the network */

    /* Tokens delivered in the last step, each with its PE. */
    const struct isa_token *delivered;
    size_t delivered_count;

    /* In the last step a packet moved, or a packet was blocked by a full buffer. Set only with
     * finite buffers or with events. */
    bool moved, held_back;
    bool counts_bits; /* long packets occupy links for longer */
};

/* Return the delay of a link for a packet of one cycle, and the part of it that belongs to the
 * router at its end. */
uint64_t machine_fabric_delay(const struct machine_settings *settings,
                              const struct machine_graph *graph, uint32_t link);
uint64_t machine_fabric_router(const struct machine_settings *settings,
                               const struct machine_graph *graph, uint32_t link);

/* Returns the cycles until the sender gets a credit for a place that became free after a link, for
 * tokens that occupy links for one cycle. */
uint64_t machine_fabric_credit_delay(const struct machine_settings *settings,
                                     const struct machine_graph *graph, uint32_t link);

/* Places where packets wait: the queue before a link, or the buffers after it. */
enum machine_fabric_place { MACHINE_FABRIC_QUEUE, MACHINE_FABRIC_BUFFER };

/* Callbacks to the owner of a fabric; each may be NULL. */
struct machine_fabric_outside {
    void *context;

    /* Whether a PE has room for a token; keep_room then reserves it. */
    bool (*has_room)(void *context, uint32_t pe);
    void (*keep_room)(void *context, uint32_t pe);

    /* Called when a token enters or leaves a place. */
    void (*entered)(void *context, enum machine_fabric_place place, uint32_t link,
                    const struct isa_token *t);
    void (*left)(void *context, enum machine_fabric_place place, uint32_t link,
                 const struct isa_token *t, uint64_t until);

    /* With finite buffers. `passes`: a token takes a link from one channel to another; called
     * before `left`. `blocked`: no credit in the channels from this one on, or no room after an
     * ejection. */
    void (*passes)(void *context, uint32_t link, uint32_t channel, uint32_t from_channel,
                   const struct isa_token *t, uint64_t until);
    void (*blocked)(void *context, uint32_t link, uint32_t channel,
                    const struct isa_token *t);
};

/* Makes a fabric, which owns the graph from now on. `seed` is for Valiant's routing. */
struct machine_fabric *machine_fabric_new(struct machine_graph *graph,
                                          const struct machine_settings *settings,
                                          uint64_t seed);
void machine_fabric_free(struct machine_fabric *fabric); /* `fabric` may be NULL */

/* Resets a fabric to that of a new one with this seed. */
void machine_fabric_reset(struct machine_fabric *fabric, uint64_t seed);

const struct machine_graph *machine_fabric_graph(const struct machine_fabric *fabric);

static inline const struct machine_fabric_seen *
machine_fabric_see(const struct machine_fabric *fabric)
{
    return (const struct machine_fabric_seen *)fabric;
}

/* Returns true if long packets occupy links for longer. */
static inline bool machine_fabric_counts_bits(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->counts_bits;
}

static inline uint64_t machine_fabric_count(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->count;
}

/* Return results of the last step (struct machine_fabric_seen). */
static inline bool machine_fabric_moved(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->moved;
}

static inline bool machine_fabric_held_back(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->held_back;
}

/* Returns the tokens delivered in the last step, each with its PE; at most one per PE. */
static inline const struct isa_token *
machine_fabric_delivered(const struct machine_fabric *fabric, size_t *count)
{
    *count = machine_fabric_see(fabric)->delivered_count;
    return machine_fabric_see(fabric)->delivered;
}

/* Puts a token in the queue before the injection of a PE. Called before the step of this cycle.
 * `bits` matter only with finite bandwidth. `mark` is returned with the delivered token, if marks
 * are enabled. */
void machine_fabric_inject(struct machine_fabric *fabric,
                           const struct machine_fabric_outside *outside, uint64_t now,
                           uint32_t pe, uint32_t to, const struct isa_token *t,
                           uint64_t bits, uint32_t mark);

/* Simulates one cycle: packets in transit arrive, and those that can move do. */
void machine_fabric_step(struct machine_fabric *fabric,
                         const struct machine_fabric_outside *outside, uint64_t now);

/* Makes the unit of time a tick, `ticks` per cycle: links are occupied `ticks` times as long, and
 * have at least this delay. The settings must be scaled already. Called before the first packet;
 * only for unlimited queues. */
void machine_fabric_count_ticks(struct machine_fabric *fabric, uint64_t ticks);

/* Enables marks of tokens. Called before the first packet. machine_fabric_mark returns the mark of
 * token `i` delivered in the last step. machine_fabric_marks_are returns true if all marks are
 * below `below`, or UINT32_MAX. */
void machine_fabric_give_marks(struct machine_fabric *fabric);
uint32_t machine_fabric_mark(const struct machine_fabric *fabric, size_t delivered);
bool machine_fabric_marks_are(const struct machine_fabric *fabric, size_t below);

/* Returns true if packets wait before links or in buffers. */
bool machine_fabric_waits(const struct machine_fabric *fabric);

/* Returns the next cycle in which a step changes something if nothing is injected until then; or
 * MACHINE_NEVER. `is_stuck`: nothing moved in the last step, so that even packets before free links
 * cannot move. */
uint64_t machine_fabric_next(const struct machine_fabric *fabric, uint64_t now,
                             bool is_stuck);

/* Returns how often tokens crossed links between routers. */
uint64_t machine_fabric_hops(const struct machine_fabric *fabric);

/* Returns a pointer to the number of tokens that left the injection of the first PE; that of the
 * next PE is *step bytes further. */
const uint64_t *machine_fabric_gone(const struct machine_fabric *fabric, size_t *step);

struct traces_link_stats machine_fabric_measure(const struct machine_fabric *fabric,
                                                uint32_t link, uint64_t now);

/* --- state ------------------------------------------------------------------------------------ */

/* Packs a fabric, or reads into a new one. `pack_token` packs a token. */
void machine_fabric_pack(struct lib_pack *pack, struct machine_fabric *fabric,
                         void (*pack_token)(struct lib_pack *pack, void *context,
                                            struct isa_token *t),
                         void *context);

/* Where a packet is, for the verification of machines. */
enum machine_fabric_where {
    MACHINE_FABRIC_WAITS_BEFORE, /* in the queue before a link */
    MACHINE_FABRIC_WAITS_BEHIND, /* in a buffer after a link */
    MACHINE_FABRIC_COMES,        /* on a link to a router */
    MACHINE_FABRIC_LEAVES,       /* on an ejection to a PE */
};
typedef void machine_fabric_visit(void *context, enum machine_fabric_where where,
                                  uint32_t link, const struct isa_token *t);
void machine_fabric_each(const struct machine_fabric *fabric, machine_fabric_visit *visit,
                         void *context);

/* Checks the counters of a fabric by a recount. Returns NULL, or the name of a wrong counter. */
const char *machine_fabric_check(const struct machine_fabric *fabric);

#endif
