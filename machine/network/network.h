/* The network: what the rest of the machine knows of it.
 *
 * What a PE sends to another one is put into the list of the cycle in which it is formed
 * (machine_network_list); all else is done by the part machine_network_part (machine/part.h), which
 * brings tokens into the input queues of PEs. On an `ideal` network that list is one of those that
 * go to input queues, `network.latency` later: there are no links, and the part is not there. Every
 * other network is made of links (machine/network/links.h), and differs from others in its
 * topology.
 *
 * The state of a network is in arrays that belong to it. */
#ifndef MACHINE_NETWORK_NETWORK_H
#define MACHINE_NETWORK_NETWORK_H

#include "machine/network/topologies.h"
#include "machine/pe/pe.h"
#include "machine/pe/wheel.h"
#include "traces/events.h"

struct machine;
struct machine_way;
struct machine_backwards;
struct machine_leaving;
struct machine_topology;
struct machine_timetable;
struct machine_settings;
struct isa_token;
struct machine_fabric;
struct machine_grid;

/* A link, or port, of a crossbar: machine/network/links.h */
struct machine_link {
    struct machine_queue queue;
    uint64_t free;    /* the cycle from which its port is free */
    uint64_t latency; /* of an input port 0, else at least 1 */

    /* As of machine_link_measure, but for `waits`, from which the cycle is taken away when a token
     * comes, and to which it is added when it goes; and `busy`, 0 where bandwidth is unlimited. */
    struct traces_link_stats stats;

    uint32_t there; /* 0 of an output port */
};

struct machine_network {
    bool has_links; /* and then one of these */
    const struct machine_topology *topology;
    struct machine_fabric *fabric; /* of routers */
    struct machine_grid *grid;     /* of the hosts of a platform */

    struct machine_wheel *away; /* where what leaves a PE is put, */
    uint64_t delay;             /* so many cycles later than it is formed */

    struct machine_wheel
        departing; /* will be before the output ports of their PEs, or injections */

    struct machine_gate *gates; /* per PE, where there are links */

    /* Of a crossbar. */
    uint32_t pe_count, link_count;
    uint64_t bandwidth;
    uint64_t pace; /* how long a port is occupied where time is in ticks: so many times */
    uint64_t latency; /* of the first link */
    struct machine_link *links;
    struct isa_token *rings;         /* owned: the first tokens of their queues */
    struct machine_set waiting;      /* links before which a token waits, */
    bool some_wait;                  /* of which there are some, between two cycles */
    struct machine_way *ways;        /* per cycle: will be before a link; as a wheel */
    uint64_t way_mask, in_ways;      /* and tokens there */
    struct machine_leaving *leaving; /* per PE; NULL: there are no tensors */
    uint32_t leaving_count;
    struct machine_timetable *timetable; /* NULL: it can have none; */
    struct machine_timetable *open;      /* and that, while it is open */
    struct machine_backwards *backwards; /* tests only: see machine/network/links.c */
};

/* The list for tokens that leave their PE, formed at cycle `when`. */
static inline struct machine_wheel_slot *
machine_network_list(const struct machine_network *network, uint64_t when)
{
    return machine_wheel_at(network->away, when + network->delay);
}

/* The place that a token from one PE to another has in that list. */
static inline uint32_t machine_network_place(const struct machine_network *network,
                                             uint32_t from, uint32_t to)
{
    return network->has_links ? from : to;
}

/* Of machines with finite queues: what issues of a PE may send to others in cycle `promised_at`. */
struct machine_gate {
    uint64_t promised, promised_at;
};

/* Makes room for tokens that are formed up to so many cycles later. After the parts are made. */
void machine_network_make_wheels(struct machine *m, uint64_t longest);

/* Of machines with finite queues, where there are links: room for more tokens before the output port or
 * injection of a PE is promised until the end of the cycle. */
void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count);

/* Puts a token of so many bits before the injection of a PE, before what else comes there in this cycle: of a network that
 * joins nodes. The token is for its PE. */
void machine_network_inject(struct machine *m, uint32_t from, const struct isa_token *t,
                            uint64_t bits);

/* For that, of routers and of platforms. */
void machine_fabric_ship(struct machine *m, uint32_t from, const struct isa_token *t,
                         uint64_t bits);
void machine_grid_inject(struct machine *m, uint32_t from, const struct isa_token *t);

/* Links that tokens crossed, of `sent` tokens that were sent to other PEs. */
uint64_t machine_network_hops(const struct machine *m, uint64_t sent);

/* Links and ports, and one of them with what it has done when the cycles before `time` are over. */
uint32_t machine_network_link_count(const struct machine *m);
/* For how many cycles links were occupied, all and the busiest; of cycles that are over. */
struct machine_network_load {
    uint64_t busy, most;
};
struct machine_network_load machine_network_load(const struct machine *m);
struct traces_link machine_link_about(const struct machine *m, uint32_t link,
                                      uint64_t time);

/* Tells what waits in the network, at the beginning of a stream of events. */
void machine_network_tell_queued(struct machine *m);

/* Of a machine that advances from here to a cycle: opens the timetable of its network (machine/network/timetable.h), if
 * it can have one now. Closes it, between two cycles, if it is open, which it says; and opens it again. */
void machine_network_open(struct machine *m, uint64_t cycle);
bool machine_network_close(struct machine *m);
void machine_network_reopen(struct machine *m);

/* For machine_link_count: the links of a crossbar, of routers; 0: the network is another. */
uint32_t machine_crossbar_link_count(const struct machine_settings *settings);
uint32_t machine_fabric_link_count(const struct machine_settings *settings);

/* For machine_latency_is_raised: whether a link has the delay of network.latency=1 though that is 0. */
bool machine_fabric_raises_latency(const struct machine_settings *settings);
uint32_t machine_grid_link_count(const struct machine_settings *settings);

/* Of the hosts of a platform (machine/simgrid/grid.h): whether the network is one, which settings for it fit, and
 * what is asked of it here. */
bool machine_grid_is(const struct machine_settings *settings);
bool machine_grid_fits(const struct machine_settings *settings, struct lib_diags *diags);
uint32_t machine_grid_links(const struct machine_grid *grid);
uint64_t machine_grid_hops(const struct machine_grid *grid);
struct traces_link_stats machine_grid_measure(const struct machine_grid *grid,
                                              uint32_t link, uint64_t time);
void machine_grid_tell_queued(struct machine *m);

/* For faults of messages (machine/nodes/nodes.h): one that has come goes on; whether there is one of this number; and its
 * tokens enter or leave a place. */
void machine_grid_release(struct machine *m, uint32_t message);
bool machine_grid_has_message(const struct machine *m, uint32_t message);
void machine_grid_tell_message(struct machine *m, uint32_t message,
                               enum traces_event_kind kind, enum traces_place place,
                               uint32_t number);

extern const struct machine_part machine_network_part; /* a crossbar */
extern const struct machine_part machine_fabric_part;  /* routers */
extern const struct machine_part machine_grid_part;    /* hosts of a platform */

#endif
