/* What the two kinds of networks of routers share (machine/network/fabric.h). */
#ifndef MACHINE_NETWORK_FABRIC_INTERNAL_H
#define MACHINE_NETWORK_FABRIC_INTERNAL_H

#include "lib/memory.h"
#include "machine/network/fabric.h"
#include "machine/part.h"
#include "machine/network/fabric_set.h"

#include <assert.h>

#define FABRIC_NONE UINT32_MAX

struct fabric_packet {
    struct isa_token token; /* its place is the PE to which it goes */
    uint32_t next;          /* behind it in its list, or free like it */
    uint32_t link;          /* over which it comes, or came, */
    uint32_t router;        /* to this one */
    uint32_t via;           /* Valiant's router */
    uint16_t cls, channel;  /* on that link */
    uint32_t mark;          /* that comes out with it */
};

/* What is asked of it only where bandwidth or buffers are finite. */
struct fabric_size {
    uint64_t bits, cycles; /* for which it occupies a link that is not inside a node */
    uint64_t since;        /* when it came where it waits; not used of queues */
    uint64_t born;         /* when it was put in */
};

struct fabric_list {
    uint32_t first, last; /* packets */
    uint32_t count;
};

struct fabric_link {
    struct fabric_list queue; /* before it: of an injection, and of unlimited queues */
    uint32_t
        delay; /* until a packet waits again: latency and router's; of an ejection its latency */
    uint32_t to; /* its router; of an ejection 0 */
    uint32_t has_one_class;
    uint64_t free; /* the cycle from which it is */
    struct traces_link_stats
        stats; /* `waits` as in struct machine_link, where there are queues */
};

/* What comes in a later cycle: a packet, or, marked, a credit of a channel. */
#define FABRIC_CREDIT (UINT32_C(1) << 31)

/* The same, in a cycle beyond the wheel. */
struct fabric_far {
    uint64_t cycle, order;
    uint32_t what;
};

struct fabric_wave {
    LIB_VEC(uint32_t) items;
};

struct fabric_channels; /* fabric_channels.c */

struct machine_fabric {
    struct machine_fabric_seen seen; /* first: see machine_fabric_see */
    struct machine_graph *graph;
    uint64_t seed, bandwidth;
    uint64_t inside;           /* bandwidth of the links of PEs, where there are nodes */
    uint64_t pace;             /* ticks of a cycle: machine_fabric_count_ticks */
    bool has_nodes;            /* of a cluster */
    bool stores;               /* store and forward */
    bool is_reverse;           /* machine_fabric_reverse */
    bool has_via;              /* Valiant's routing */
    bool is_tight;             /* finite buffers */
    bool is_oblivious;         /* ways do not depend on what waits where */
    struct fabric_link *links; /* each at the start of a line, */
    void *links_block;         /* in this block, owned */
    struct fabric_set waiting; /* links before which packets wait */
    struct fabric_packet *packets;
    struct fabric_size *sizes; /* of each packet */
    uint32_t packet_capacity, packet_used, free_packet;
    uint64_t hops;
    uint32_t
        *ways; /* the link and 1 from each router to each PE, as far as known; or NULL */
    struct fabric_wave *waves; /* a wheel */
    uint64_t wave_mask, in_waves;
    uint64_t stepped;               /* the cycle of the last step */
    LIB_VEC(struct fabric_far) far; /* a heap */
    uint64_t far_order;
    uint64_t *sent; /* per PE, where Valiant's routing asks */
    LIB_VEC(struct isa_token) delivered;
    bool gives_marks;
    LIB_VEC(uint32_t) marks;          /* of those that are delivered */
    struct fabric_channels *channels; /* where buffers are finite */
    LIB_VEC(struct fabric_kept {
        uint32_t packet;
        uint64_t delay;
    })
    kept; /* tests only */
};

/* A packet of the pool that nobody names. */
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

/* Something comes after `delay` cycles, at least 1. */
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

/* A packet comes out of the network. */
static inline void fabric_deliver(struct machine_fabric *f, uint32_t packet)
{
    *LIB_VEC_PUSH(&f->delivered) = f->packets[packet].token;
    if (__builtin_expect(f->gives_marks, 0))
        *LIB_VEC_PUSH(&f->marks) = f->packets[packet].mark;
    fabric_packet_free(f, packet);
}

/* For how long a packet occupies a link, and whether it waits behind it for its last bits. Where
 * there are nodes. */
uint64_t fabric_node_cycles(const struct machine_fabric *f, uint32_t at,
                            const struct fabric_size *size);
bool fabric_node_stores(const struct machine_fabric *f, uint32_t at,
                        const struct fabric_packet *p);

/* For how long it does in any network. */
static inline uint64_t fabric_cycles(const struct machine_fabric *f, uint32_t at,
                                     uint32_t packet)
{
    const struct fabric_size *size = &f->sizes[packet];
    if (!f->seen.counts_bits)
        return 1;
    return __builtin_expect(f->has_nodes, 0) ? fabric_node_cycles(f, at, size)
                                             : size->cycles;
}

/* A packet goes through a link, which is free; returns in how many cycles it waits again, or is
 * out. */
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

/* The next packet or credit from beyond the wheel that comes in this cycle; false: none. Before
 * those of the wheel, as it was sent before them. */
bool fabric_take_far(struct machine_fabric *f, uint64_t now, uint32_t *what);

void fabric_queues_step(struct machine_fabric *f,
                        const struct machine_fabric_outside *outside, uint64_t now);
void fabric_channels_step(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now);

void fabric_channels_make(struct machine_fabric *f,
                          const struct machine_settings *settings);
void fabric_channels_free(struct machine_fabric *f);
void fabric_channels_reset(struct machine_fabric *f); /* as machine_fabric_reset */
bool fabric_channels_wait(const struct machine_fabric *f);
struct fabric_packing;
void fabric_pack_list(struct lib_pack *pack, struct machine_fabric *f,
                      const struct fabric_packing *with, struct fabric_list *list);
void fabric_list_each(const struct machine_fabric *f, const struct fabric_list *list,
                      enum machine_fabric_where where, uint32_t link,
                      machine_fabric_visit *visit, void *context);

void fabric_channels_pack(struct lib_pack *pack, struct machine_fabric *f,
                          const struct fabric_packing *with);
void fabric_channels_each(const struct machine_fabric *f, machine_fabric_visit *visit,
                          void *context);
const char *fabric_channels_check(const struct machine_fabric *f);

/* Whether a virtual channel has this number, on a link; and whether a credit is of one. */
bool fabric_has_channel(const struct machine_fabric *f, uint16_t channel);
bool fabric_is_channel(const struct machine_fabric *f, uint32_t credit);

#endif
