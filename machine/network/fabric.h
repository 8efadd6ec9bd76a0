/* The fabric: simulates a network of routers (machine/network/graph.h), cycle by cycle, as defined
 * in doc/model.md, "Networks of routers". The caller, a machine or a study, injects tokens, steps,
 * and takes delivered tokens.
 *
 *     inject --> injection --> router --> link --> router --> ejection --> delivered
 *
 * A token in transit is a packet. There are two kinds of networks:
 *
 *     unlimited queues   network.capacity = 0. Each link has a queue before it. A packet chooses
 *                        its next link when it arrives at a router (fabric_queues.c).
 *     finite buffers     Behind each link except ejections there is a buffer per virtual channel.
 *                        A packet moves when it gets a credit for the next buffer
 *                        (fabric_channels.c).
 */
#ifndef MACHINE_NETWORK_FABRIC_H
#define MACHINE_NETWORK_FABRIC_H

#include "isa/exec/exec.h"
#include "lib/pack.h"
#include "machine/network/graph.h"
#include "machine/settings.h"
#include "traces/stats.h"

struct machine_fabric;

/* State of a fabric that its owner reads in every cycle. It is the first member of struct
 * machine_fabric, so that inline functions can read it although that struct is not public. */
struct machine_fabric_seen {
    uint64_t count; /* number of packets in the network */

    /* Tokens delivered in the last step, at most one per PE. The PE of a token is its
     * destination. */
    const struct isa_token *delivered;
    size_t delivered_count;

    /* Whether in the last step a packet moved, and whether a full buffer or input queue blocked
     * one. Both stay false after a step by `serve_plain` (fabric_queues.c). */
    bool moved, held_back;
    bool counts_bits; /* a packet can occupy a link for more than one step */
};

/* Return the delay of a link for a packet that occupies it for one cycle, and the part of the delay
 * that is due to the router at the link's end. */
uint64_t machine_fabric_delay(const struct machine_settings *settings,
                              const struct machine_graph *graph, uint32_t link);
uint64_t machine_fabric_router(const struct machine_settings *settings,
                               const struct machine_graph *graph, uint32_t link);

/* Returns the bits per cycle of a link; 0: a token takes one cycle. */
uint64_t machine_fabric_bandwidth(const struct machine_settings *settings,
                                  const struct machine_graph *graph, uint32_t link);

/* Returns the delay of a credit, for tokens that occupy links for one cycle: the cycles from when a
 * place in the buffer after a link becomes free until the sender can use it. */
uint64_t machine_fabric_credit_delay(const struct machine_settings *settings,
                                     const struct machine_graph *graph, uint32_t link);

/* Where packets wait: in the queue before a link, or in the buffers after it. */
enum machine_fabric_place { MACHINE_FABRIC_QUEUE, MACHINE_FABRIC_BUFFER };

/* Callbacks of a fabric to its owner; each may be NULL. */
struct machine_fabric_outside {
    void *context;

    /* has_room: whether a PE has room for a token. keep_room: reserves that room. */
    bool (*has_room)(void *context, uint32_t pe);
    void (*keep_room)(void *context, uint32_t pe);

    /* Called when a token enters a queue or buffer of a link, and when it leaves. A token that
     * leaves occupies the next link until cycle `until`. */
    void (*entered)(void *context, enum machine_fabric_place place, uint32_t link,
                    const struct isa_token *t);
    void (*left)(void *context, enum machine_fabric_place place, uint32_t link,
                 const struct isa_token *t, uint64_t until);

    /* Called only with finite buffers. `passes`: a token takes a link and its virtual channel
     * `channel`, coming from `from_channel` of the previous link; called before `left`. `blocked`:
     * a token finds no credit in the virtual channels from `channel` on, or, before an ejection, no
     * room in the PE. */
    void (*passes)(void *context, uint32_t link, uint32_t channel, uint32_t from_channel,
                   const struct isa_token *t, uint64_t until);
    void (*blocked)(void *context, uint32_t link, uint32_t channel,
                    const struct isa_token *t);
};

/* Makes a fabric, which takes ownership of the graph. `seed` is for Valiant's routing. */
struct machine_fabric *machine_fabric_new(struct machine_graph *graph,
                                          const struct machine_settings *settings,
                                          uint64_t seed);
void machine_fabric_free(struct machine_fabric *fabric); /* `fabric` may be NULL */

/* Resets a fabric to the state that a new fabric with this seed has. */
void machine_fabric_reset(struct machine_fabric *fabric, uint64_t seed);

const struct machine_graph *machine_fabric_graph(const struct machine_fabric *fabric);

static inline const struct machine_fabric_seen *
machine_fabric_see(const struct machine_fabric *fabric)
{
    return (const struct machine_fabric_seen *)fabric;
}

/* Whether a packet can occupy a link for more than one step: bandwidth is limited, or steps are
 * ticks (machine_fabric_count_ticks). */
static inline bool machine_fabric_counts_bits(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->counts_bits;
}

static inline uint64_t machine_fabric_count(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->count;
}

/* Return whether in the last step a packet moved, and whether one was blocked. */
static inline bool machine_fabric_moved(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->moved;
}

static inline bool machine_fabric_held_back(const struct machine_fabric *fabric)
{
    return machine_fabric_see(fabric)->held_back;
}

/* Returns the tokens delivered in the last step, at most one per PE. */
static inline const struct isa_token *
machine_fabric_delivered(const struct machine_fabric *fabric, size_t *count)
{
    *count = machine_fabric_see(fabric)->delivered_count;
    return machine_fabric_see(fabric)->delivered;
}

/* Puts a token in the queue before the injection link of PE `pe`, before the step of this cycle.
 * `bits` matters only with finite bandwidth. `mark` is any value of the caller; machine_fabric_mark
 * returns it when the token is delivered, if marks are enabled. */
void machine_fabric_inject(struct machine_fabric *fabric,
                           const struct machine_fabric_outside *outside, uint64_t now,
                           uint32_t pe, uint32_t to, const struct isa_token *t,
                           uint64_t bits, uint32_t mark);

/* Simulates one cycle: packets in transit arrive, and packets that can move do so. */
void machine_fabric_step(struct machine_fabric *fabric,
                         const struct machine_fabric_outside *outside, uint64_t now);

/* Makes each step a tick, of which a cycle has `ticks`, instead of a cycle: tokens occupy links
 * `ticks` times as many steps, and links have at least that delay. The fabric's settings must have
 * times in ticks, and unlimited queues. Call before the first packet. */
void machine_fabric_count_ticks(struct machine_fabric *fabric, uint64_t ticks);

/* Marks: values that the caller gives to tokens (machine_fabric_inject).
 *   machine_fabric_give_marks  enables marks; call before the first packet
 *   machine_fabric_mark        returns the mark of the delivered token with index `delivered`
 *   machine_fabric_marks_are   whether each mark is UINT32_MAX or below `below` */
void machine_fabric_give_marks(struct machine_fabric *fabric);
uint32_t machine_fabric_mark(const struct machine_fabric *fabric, size_t delivered);
bool machine_fabric_marks_are(const struct machine_fabric *fabric, size_t below);

/* Whether packets wait before links or in buffers. */
bool machine_fabric_waits(const struct machine_fabric *fabric);

/* Returns the next cycle in which a step changes something if no token is injected until then; or
 * MACHINE_NEVER. `is_stuck`: whether nothing moved in the last step; if so, packets that wait
 * before free links cannot move now, either. */
uint64_t machine_fabric_next(const struct machine_fabric *fabric, uint64_t now,
                             bool is_stuck);

/* Returns how often tokens have crossed links between routers. */
uint64_t machine_fabric_hops(const struct machine_fabric *fabric);

/* Returns a pointer to the counter of the tokens that have left the injection link of PE 0. The
 * counter of each next PE is *step bytes further. */
const uint64_t *machine_fabric_gone(const struct machine_fabric *fabric, size_t *step);

struct traces_link_stats machine_fabric_measure(const struct machine_fabric *fabric,
                                                uint32_t link, uint64_t now);

/* Packs a fabric, or reads one into a new fabric. `pack_token` packs a token. */
void machine_fabric_pack(struct lib_pack *pack, struct machine_fabric *fabric,
                         void (*pack_token)(struct lib_pack *pack, void *context,
                                            struct isa_token *t),
                         void *context);

/* Where a packet is; for checks of invariants. */
enum machine_fabric_where {
    MACHINE_FABRIC_WAITS_BEFORE, /* in the queue before a link */
    MACHINE_FABRIC_WAITS_BEHIND, /* in a buffer after a link */
    MACHINE_FABRIC_COMES,        /* on a link to a router */
    MACHINE_FABRIC_LEAVES,       /* on the link from a router to a PE */
};
typedef void machine_fabric_visit(void *context, enum machine_fabric_where where,
                                  uint32_t link, const struct isa_token *t);
void machine_fabric_each(const struct machine_fabric *fabric, machine_fabric_visit *visit,
                         void *context);

/* Recounts the counters of a fabric. Returns NULL, or the name of a wrong counter. */
const char *machine_fabric_check(const struct machine_fabric *fabric);

#endif
