/* State of routers with finite buffers: virtual channels, buffers, credits, and the switch inside a
 * router. Shared by fabric_channels.c and fabric_switch.c. */
#ifndef MACHINE_NETWORK_FABRIC_CHANNELS_H
#define MACHINE_NETWORK_FABRIC_CHANNELS_H

#include "machine/network/fabric_internal.h"

/* A request: the first packet of a buffer asks for an output link of its router, in a channel
 * class. */
struct request {
    /* index of the input link at its router, and virtual channel of that link */
    uint32_t in, channel;
    uint32_t link; /* requested output link */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

/* There are `links` links, each with per_link virtual channels. */
#define FABRIC_CHANNELS_FIELDS(F)                                                          \
    F(KEPT, uint32_t, links)                                                               \
    F(KEPT, uint32_t, per_link)                                                            \
    F(KEPT, uint32_t, speedup)                                                             \
    F(KEPT, uint32_t, iterations)                                                          \
    F(KEPT, uint32_t, capacity)                                                            \
    F(KEPT, bool, is_oldest)                                                               \
    /* first virtual channel of each class; the last element is their number */            \
    F(OWNED, uint32_t, first)                                                              \
    /* for each virtual channel of each link: credits that the sender has */               \
    F(ARRAY, uint32_t, credits, (size_t)s->links * s->per_link)                            \
    /* for each link: cycles from a packet's last cycle in the switch until its credit   \
       is back */ \
    F(OWNED, uint32_t, credit_delay)                                                       \
    /* Each input link has `speedup` ports into the switch of its router. For each port: \
       cycle from which it is free. */ \
    F(ARRAY, uint64_t, port_free, (size_t)s->links * s->speedup)                           \
    /* for each link: its index among the input and output links of its router */          \
    F(OWNED, uint32_t, place_in)                                                           \
    F(OWNED, uint32_t, place_out)                                                          \
    /* Round robin: for each output link, the input link to be served next, as in        \
       `place_in`; for each input link, the output link to be served next, as in         \
       `place_out`, and the virtual channel. */ \
    F(ARRAY, uint32_t, grants_at, s->links)                                                \
    F(ARRAY, uint32_t, accepts_at, s->links)                                               \
    F(ARRAY, uint32_t, channel_at, s->links)                                               \
    /* for each virtual channel of each link: packets in its buffer */                     \
    F(STRUCTS, fabric_list, buffers, (size_t)s->links * s->per_link)                       \
    F(STRUCT, fabric_set, active) /* routers that have packets */                          \
    /* for each router: where its bits begin in `occupied`, as index of a word */          \
    F(OWNED, uint32_t, words_first)                                                        \
    /* for each router: a bit for each virtual channel of its input links; 1: its buffer \
       has packets */ \
    F(OWNED, uint64_t, occupied)                                                           \
    F(SCRATCH, uint64_t, waiting) /* number of packets in all buffers */                   \
    F(CALL, if (lib_pack_reads(pack)) list_buffers(pack, m->fabric))                       \
    /* Work space of the router that is being served. First, its requests: */              \
    F(SCRATCH_VEC, struct request, requests)                                               \
    F(SCRATCH_VEC, uint32_t, ins)     /* input links with packets, ascending */            \
    F(SCRATCH_VEC, uint32_t, granted) /* granted requests: indexes into `requests` */      \
    F(OWNED, uint32_t, ports_left) /* for each input link: free ports into the switch */   \
    /* for each input and output link: index of its best request, or FABRIC_NONE */        \
    F(OWNED, uint32_t, best_in)                                                            \
    F(OWNED, uint32_t, best_out)                                                           \
    F(OWNED, uint32_t, asked) /* for each output link: number of requests */
struct fabric_channels {
    FABRIC_CHANNELS_FIELDS(LIB_STATE_MEMBER)
};

/* Returns the virtual channel of a link with the most credits among `first` to `end` - 1, the first
 * of equal ones; FABRIC_NONE if no channel has credits. Sets *sum to all their credits. */
static inline uint32_t fabric_most_credits(const struct fabric_channels *c, uint32_t link,
                                           uint32_t first, uint32_t end, uint64_t *sum)
{
    const uint32_t *credits = c->credits + (size_t)link * c->per_link;
    uint32_t best = FABRIC_NONE;
    *sum = 0;
    for (uint32_t v = first; v < end; v++) {
        *sum += credits[v];
        if (credits[v] && (best == FABRIC_NONE || credits[v] > credits[best]))
            best = v;
    }
    return best;
}

/* Returns the virtual channel of a link with the most credits in class `cls`; in any class if the
 * link has one class (fabric_most_credits). */
static inline uint32_t fabric_most_of_class(const struct machine_fabric *f, uint32_t link,
                                            uint32_t cls, uint64_t *sum)
{
    const struct fabric_channels *c = f->channels;
    if (f->links[link].has_one_class)
        return fabric_most_credits(c, link, 0, c->per_link, sum);
    return fabric_most_credits(c, link, c->first[cls], c->first[cls + 1], sum);
}

/* Takes a credit of virtual channel `channel` for a packet, that is, reserves a place in the buffer
 * after its link. Sends the packet, which arrives `delay` cycles after `now`. */
void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel);

/* Removes and returns the first packet in the buffer of a virtual channel. */
uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel);

/* Forwards the packets of a router that can move in this cycle. */
void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router);

#endif
