/* Virtual channels with buffers and credits, and the switch inside a router, for fabric_channels.c
 * and fabric_switch.c. */
#ifndef MACHINE_NETWORK_FABRIC_CHANNELS_H
#define MACHINE_NETWORK_FABRIC_CHANNELS_H

#include "machine/network/fabric_internal.h"

/* Request of the first packet of a buffer for an output link, in a channel class of that link. */
struct request {
    uint32_t in, channel; /* index of the input link at its router, and virtual channel */
    uint32_t link;        /* output link */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

struct fabric_channels {
    uint32_t per_link, speedup, iterations, capacity;
    bool is_oldest;
    /* First virtual channel of each class, then the number of channels. */
    uint32_t *first;
    struct fabric_list *buffers; /* packets in each channel of each link */
    uint32_t *credits;           /* credits of the sender for each channel of each link */
    uint32_t *credit_delay;      /* cycles until a credit is back, for each link */
    /* For each link: cycles when its ports into the switch are free. */
    uint64_t *port_free;
    uint32_t *place_in; /* for each link: its index among the input links of its router */
    /* For each link: its index among the output links of its router. */
    uint32_t *place_out;
    uint32_t *grants_at; /* round robin: the next input for each output link */
    /* Round robin: the next output and channel for each input link. */
    uint32_t *accepts_at, *channel_at;
    struct fabric_set active; /* routers that have packets */
    uint32_t *words_first;    /* for each router: its first word in `occupied` */
    /* Bit set of the inputs and channels whose buffers have packets. */
    uint64_t *occupied;
    uint64_t waiting; /* number of packets in buffers */

    /* Work space for the router that is being served: */
    LIB_VEC(struct request) requests;
    LIB_VEC(uint32_t) ins;     /* input links with requests, ascending */
    LIB_VEC(uint32_t) granted; /* granted requests, as indexes */
    uint32_t *ports_left;      /* free ports into the switch, for each input */
    /* Best request of each input and output, as index or NONE. */
    uint32_t *best_in, *best_out;
    uint32_t *asked; /* number of requests for each output */
};

/* Returns the virtual channel of a link with the most credits, among `first` to `end` - 1; the
 * first of equal ones; FABRIC_NONE if no channel has credits. Sets *sum to the sum of their
 * credits. */
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

/* Like fabric_most_credits, for the channels of a class. */
static inline uint32_t fabric_most_of_class(const struct machine_fabric *f, uint32_t link,
                                            uint32_t cls, uint64_t *sum)
{
    const struct fabric_channels *c = f->channels;
    if (f->links[link].has_one_class)
        return fabric_most_credits(c, link, 0, c->per_link, sum);
    return fabric_most_credits(c, link, c->first[cls], c->first[cls + 1], sum);
}

/* Puts a packet that has passed a link into the buffer after it. */
void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel);

/* Removes and returns the first packet of the buffer of a channel. */
uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel);

/* Forwards all packets of a router that can move in this cycle. */
void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router);

#endif
