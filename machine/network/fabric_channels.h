/* Channels with buffers and credits, and the switch of a router, for fabric_channels.c and
 * fabric_switch.c. */
#ifndef MACHINE_NETWORK_FABRIC_CHANNELS_H
#define MACHINE_NETWORK_FABRIC_CHANNELS_H

#include "machine/network/fabric_internal.h"

/* A request of the first packet of a buffer for an output link, in a class there. */
struct request {
    uint32_t in, channel; /* place of the input link at its router; virtual channel */
    uint32_t link;        /* output link */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

struct fabric_channels {
    uint32_t per_link, speedup, iterations, capacity;
    bool is_oldest;
    uint32_t *first; /* first channel of each class, then the number of channels */
    struct fabric_list *buffers; /* per channel of each link */
    uint32_t *credits;           /* credits at the near end, per channel of each link */
    uint32_t *credit_delay;      /* per link */
    uint64_t *port_free; /* cycle when each port into the switch is free, per link */
    uint32_t *place_in;  /* place of a link among those to its router */
    uint32_t *place_out; /* place of a link among those that leave its router */
    uint32_t *grants_at; /* input that has priority, per output link */
    uint32_t *accepts_at,
        *channel_at;          /* output and channel with priority, per input link */
    struct fabric_set active; /* routers that have packets */
    uint32_t *words_first;    /* first word in `occupied`, per router */
    uint64_t *occupied;       /* bit per input and channel: its buffer has packets */
    uint64_t waiting;         /* packets in buffers */

    /* The router that is being served: */
    LIB_VEC(struct request) requests;
    LIB_VEC(uint32_t) ins;        /* inputs with requests, ascending */
    LIB_VEC(uint32_t) granted;    /* indices of requests */
    uint32_t *ports_left;         /* per input */
    uint32_t *best_in, *best_out; /* indices of requests, or NONE */
    uint32_t *asked;              /* number of requests per output */
};

/* Returns the channel of a link with the most credits, among the channels `first` to `end` - 1; the
 * first one of equal ones; or FABRIC_NONE if there is no credit. Sets `sum` to the sum of
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

/* As fabric_most_credits, among the channels of a class. */
static inline uint32_t fabric_most_of_class(const struct machine_fabric *f, uint32_t link,
                                            uint32_t cls, uint64_t *sum)
{
    const struct fabric_channels *c = f->channels;
    if (f->links[link].has_one_class)
        return fabric_most_credits(c, link, 0, c->per_link, sum);
    return fabric_most_credits(c, link, c->first[cls], c->first[cls + 1], sum);
}

/* Puts a packet that passed a link into a place behind it. */
void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel);

/* Removes and returns the first packet of a buffer. */
uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel);

/* Moves all packets of a router that can move. */
void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router);

#endif
