/* Data and functions shared by networks of routers with finite buffers and with unlimited queues. A
 * packet is a token in transit. */
#ifndef MACHINE_NETWORK_FABRIC_INTERNAL_H
#define MACHINE_NETWORK_FABRIC_INTERNAL_H

#include "lib/memory.h"
#include "lib/state_table.h"
#include "machine/network/fabric.h"
#include "machine/part.h"
#include "machine/network/fabric_set.h"

#include <assert.h>

#define FABRIC_NONE UINT32_MAX

struct fabric_packet {
    struct isa_token token; /* the token, whose PE is its destination */
    uint32_t next;          /* next packet of the same list, or next free packet */
    uint32_t link;          /* link over which the packet has come or is coming */
    uint32_t router;        /* router at the end of `link` */
    uint32_t via;           /* random intermediate router of Valiant's routing */
    uint16_t cls, channel;  /* channel class, and virtual channel on `link` */
    uint32_t mark; /* value that the caller gave to the token (machine_fabric_mark) */
};

/* Data of a packet that is needed only with finite bandwidth or buffers. */
struct fabric_size {
    /* Size in bits, and cycles for which the packet occupies a link; in a cluster, a link between
     * nodes. */
    uint64_t bits, cycles;
    uint64_t since; /* cycle in which the packet arrived in its buffer */
    uint64_t born;  /* cycle in which the packet was injected */
};

struct fabric_list {
    uint32_t first, last; /* first and last packet of the list */
    uint32_t count;
};

/* Context of the tables of members: a fabric, and how its owner packs a token. */
struct fabric_packing {
    struct machine_fabric *fabric;
    void (*token)(struct lib_pack *pack, void *context, struct isa_token *t);
    void *context;
};
void fabric_pack_list(struct lib_pack *pack, const struct fabric_packing *with,
                      struct fabric_list *list);
#define fabric_list_fields_pack(pack, m, list) fabric_pack_list(pack, m, list)
#define fabric_list_fields_clear(m, list) ((void)(*(list) = (struct fabric_list){0}))
#define fabric_list_fields_free(m, list) ((void)(list))

/* A set of links or routers follows from what is packed. */
#define fabric_set_fields_pack(pack, m, set) ((void)0)
#define fabric_set_fields_clear(m, set) fabric_set_clear(set)
#define fabric_set_fields_free(m, set) fabric_set_free(set)

/* With unlimited queues, the member `waits` of `stats` is the sum of the cycles in which packets
 * left, minus the cycles in which they arrived; measuring adds the current cycle for each packet
 * that still waits. */
#define FABRIC_LINK_FIELDS(F)                                                            \
    /* packets that wait before the link; with finite buffers, only of injections */     \
    F(STRUCT, fabric_list, queue)                                                        \
    F(KEPT, uint32_t, delay) /* latency of the link, and of the router after it */       \
    F(KEPT, uint32_t, to)    /* router at the link's end; 0 for an ejection */           \
    F(KEPT, uint32_t, has_one_class)                                                     \
    F(NUMBER, uint64_t, free) /* cycle from which the link is free */                    \
    F(NUMBER, struct traces_link_stats, stats)
struct fabric_link {
    FABRIC_LINK_FIELDS(LIB_STATE_MEMBER)
};

/* Flag of an arrival: a credit of a virtual channel arrives, not a packet. */
#define FABRIC_CREDIT (UINT32_C(1) << 31)

/* An arrival in a cycle beyond the end of the timing wheel. */
#define FABRIC_FAR_FIELDS(F)                                                             \
    F(NUMBER, uint64_t, cycle)                                                           \
    F(NUMBER, uint64_t, order)                                                           \
    F(SCRATCH, uint32_t, what)                                                           \
    F(CALL, pack_what(pack, m, &s->what))
struct fabric_far {
    FABRIC_FAR_FIELDS(LIB_STATE_MEMBER)
};

#define FABRIC_WAVE_FIELDS(F)                                                            \
    F(SCRATCH_VEC, uint32_t, items)                                                      \
    F(CALL, pack_wave(pack, m, s))
struct fabric_wave {
    FABRIC_WAVE_FIELDS(LIB_STATE_MEMBER)
};

struct fabric_channels;

/* `seen` must be the first member: see machine_fabric_see. */
#define MACHINE_FABRIC_FIELDS(F)                                                         \
    F(KEPT, struct machine_fabric_seen, seen)                                            \
    F(KEPT, struct machine_graph *, graph)                                               \
    F(KEPT, uint64_t, seed)                                                              \
    F(KEPT, uint64_t, bandwidth)                                                         \
    F(KEPT, uint64_t, inside)   /* bandwidth of links to and from PEs, inside nodes */   \
    F(KEPT, uint64_t, pace)     /* ticks per cycle (machine_fabric_count_ticks) */       \
    F(KEPT, bool, has_nodes)    /* the network is a cluster's */                         \
    F(KEPT, bool, differs)      /* links differ in bandwidth */                          \
    F(KEPT, bool, stores)       /* store-and-forward switching */                        \
    F(KEPT, bool, has_via)      /* routing is Valiant's */                               \
    F(KEPT, bool, is_tight)     /* buffers are finite */                                 \
    F(KEPT, bool, is_oblivious) /* routes do not depend on waiting packets */            \
    F(KEPT, bool, gives_marks)                                                           \
    F(NUMBER, uint64_t, hops)                                                            \
    F(NUMBER, uint64_t, far_order)                                                       \
    F(NUMBER, uint64_t, stepped)                                                         \
    F(OWNED, unsigned char, links_block)                                                 \
    F(KEPT, struct fabric_link *, links) /* aligned to cache lines, in `links_block` */  \
    F(STRUCT, fabric_set, waiting)       /* links before which packets wait */           \
    F(CALL, pack_links(pack, m))                                                         \
    F(OWNED, struct fabric_packet, packets)                                              \
    F(OWNED, struct fabric_size, sizes) /* for each packet: its size and times */        \
    F(KEPT, uint32_t, packet_capacity)                                                   \
    F(SCRATCH, uint32_t, packet_used)                                                    \
    F(KEPT, uint32_t, free_packet)                                                       \
    /* For each router and PE: 1 + the next link, or 0 if not looked up yet; or NULL. */ \
    F(OWNED, uint32_t, ways)                                                             \
    /* timing wheel of arrivals: a list per cycle */                                     \
    F(STRUCTS, fabric_wave, waves, s->wave_mask + 1)                                     \
    F(KEPT, uint64_t, wave_mask)                                                         \
    F(SCRATCH, uint64_t, in_waves)                                                       \
    F(EACH, fabric_far, far) /* heap of arrivals beyond the end of the wheel */          \
    /* for each PE: number of tokens sent, for Valiant's routing; or NULL */             \
    F(ARRAY, uint64_t, sent, s->sent ? s->graph->pe_count : 0)                           \
    F(SCRATCH_VEC, struct isa_token, delivered)                                          \
    /* for each delivered token: argument `mark` of machine_fabric_inject */             \
    F(SCRATCH_VEC, uint32_t, marks)                                                      \
    F(KEPT, struct fabric_channels *, channels) /* NULL unless buffers are finite */     \
    F(CALL, if (s->channels) fabric_channels_pack(pack, m))
struct machine_fabric {
    MACHINE_FABRIC_FIELDS(LIB_STATE_MEMBER)
};

/* Returns an unused packet of the pool. */
uint32_t fabric_packet_grow(struct machine_fabric *f);
static inline uint32_t fabric_packet_new(struct machine_fabric *f)
{
    const uint32_t packet = f->free_packet;
    f->seen.count++;
    if (__builtin_expect(packet == FABRIC_NONE, 0))
        return fabric_packet_grow(f);
    f->free_packet = f->packets[packet].next;
    return packet;
}

static inline void fabric_packet_free(struct machine_fabric *f, uint32_t packet)
{
    f->packets[packet].next = f->free_packet;
    f->free_packet = packet;
    f->seen.count--;
}

static inline void fabric_list_put(struct machine_fabric *f, struct fabric_list *list,
                                   uint32_t packet)
{
    f->packets[packet].next = FABRIC_NONE;
    if (list->count++)
        f->packets[list->last].next = packet;
    else
        list->first = packet;
    list->last = packet;
}

static inline uint32_t fabric_list_take(const struct machine_fabric *f,
                                        struct fabric_list *list)
{
    const uint32_t packet = list->first;
    list->first = f->packets[packet].next;
    list->count--;
    return packet;
}

/* Schedules an arrival in `cycle`, which is beyond the end of the timing wheel; fabric_send: after
 * `delay` cycles, at least 1. `what` is a packet, or a credit with flag FABRIC_CREDIT. */
void fabric_send_far(struct machine_fabric *f, uint64_t cycle, uint32_t what);
static inline void fabric_send(struct machine_fabric *f, uint64_t now, uint64_t delay,
                               uint32_t what)
{
    assert(delay > 0);
    if (__builtin_expect(delay > f->wave_mask, 0)) {
        fabric_send_far(f, now + delay, what);
        return;
    }
    f->in_waves++;
    *LIB_VEC_PUSH(&f->waves[(now + delay) & f->wave_mask].items) = what;
}

static inline bool fabric_is_ejection(const struct machine_fabric *f, uint32_t link)
{
    return link - f->graph->pe_count < f->graph->pe_count;
}

/* Delivers a packet's token to its PE, and frees the packet. */
static inline void fabric_deliver(struct machine_fabric *f, uint32_t packet)
{
    *LIB_VEC_PUSH(&f->delivered) = f->packets[packet].token;
    if (__builtin_expect(f->gives_marks, 0))
        *LIB_VEC_PUSH(&f->marks) = f->packets[packet].mark;
    fabric_packet_free(f, packet);
}

/* Returns for how many cycles a packet occupies a link, if links differ. For clusters:
 * fabric_node_stores returns whether the packet must pass the link with all its bits before it can
 * continue. */
uint64_t fabric_own_cycles(const struct machine_fabric *f, uint32_t at,
                           const struct fabric_size *size);
bool fabric_node_stores(const struct machine_fabric *f, uint32_t at,
                        const struct fabric_packet *p);

static inline uint64_t fabric_cycles(const struct machine_fabric *f, uint32_t at,
                                     uint32_t packet)
{
    const struct fabric_size *size = &f->sizes[packet];
    if (!f->seen.counts_bits)
        return 1;
    return __builtin_expect(f->differs, 0) ? fabric_own_cycles(f, at, size)
                                           : size->cycles;
}

/* Sends a packet over a free link. Returns the cycles until it waits again or is delivered. */
static inline uint64_t fabric_pass(struct machine_fabric *f, uint32_t at, uint32_t packet,
                                   uint64_t now)
{
    struct fabric_packet *p = &f->packets[packet];
    const struct fabric_size *size = &f->sizes[packet];
    struct fabric_link *link = &f->links[at];
    link->stats.tokens++;
    f->hops += at >= 2 * f->graph->pe_count;
    p->link = at;
    p->router = link->to;
    if (__builtin_expect(!f->seen.counts_bits, 1)) {
        link->free = now + 1;
        return link->delay;
    }
    const uint64_t cycles = fabric_cycles(f, at, packet);
    link->stats.bits += size->bits;
    link->stats.busy += cycles;
    link->free = now + cycles;
    const bool is_whole = f->stores || fabric_is_ejection(f, at) ||
                          (f->has_nodes && fabric_node_stores(f, at, p));
    return link->delay + (is_whole ? cycles - f->pace : 0);
}

/* Removes an arrival in cycle `now` from the heap `far` and sets *what. Returns false if none is
 * left. Call before arrivals of this cycle are taken from the wheel, as these were sent later. */
bool fabric_take_far(struct machine_fabric *f, uint64_t now, uint32_t *what);

void fabric_queues_step(struct machine_fabric *f,
                        const struct machine_fabric_outside *outside, uint64_t now);
void fabric_channels_step(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now);

void fabric_channels_make(struct machine_fabric *f,
                          const struct machine_settings *settings);
void fabric_channels_free(struct machine_fabric *f);
void fabric_channels_reset(struct machine_fabric *f);
bool fabric_channels_wait(const struct machine_fabric *f);
void fabric_list_each(const struct machine_fabric *f, const struct fabric_list *list,
                      enum machine_fabric_where where, uint32_t link,
                      machine_fabric_visit *visit, void *context);

void fabric_channels_pack(struct lib_pack *pack, const struct fabric_packing *with);
void fabric_channels_each(const struct machine_fabric *f, machine_fabric_visit *visit,
                          void *context);
const char *fabric_channels_check(const struct machine_fabric *f);

/* Whether an index is in range: `channel` among the virtual channels of a link; `credit`, which has
 * flag FABRIC_CREDIT, among those of all links. */
bool fabric_has_channel(const struct machine_fabric *f, uint16_t channel);
bool fabric_is_channel(const struct machine_fabric *f, uint32_t credit);

#endif
