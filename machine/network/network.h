/* The network: what the rest of the machine knows of it.
 *
 * What a PE sends to another one is put into the list of the cycle in which it is formed
 * (machine_network_list); all else is done by the part of its kind, which brings tokens into the
 * input queues of PEs. On an `ideal` network that list is one of those that go to input queues,
 * `network.latency` later: there are no links, and no part. Every other network is of one of the
 * kinds in MACHINE_NETWORKS. A kind is a row of functions, struct machine_network_kind; which one
 * a machine has is asked nowhere else.
 *
 * The state of a network is in arrays that belong to it. */
#ifndef MACHINE_NETWORK_NETWORK_H
#define MACHINE_NETWORK_NETWORK_H

#include "machine/network/topologies.h"
#include "machine/part.h"
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
struct machine_nodes_item;
struct isa_token;
struct lib_arena;
struct machine_fabric;
struct machine_grid;

/* Messages of a network which has them in place of tokens (struct machine_nodes_item): it holds,
 * shows and packs their tokens. */
struct machine_network_messages {
    /* One that has come goes on. */
    void (*release)(struct machine *m, uint32_t message);
    bool (*has)(const struct machine *m, uint32_t message); /* of this number */
    /* Tells that its tokens enter or leave a place. */
    void (*tell)(struct machine *m, uint32_t message, enum traces_event_kind kind,
                 enum traces_place place, uint32_t number);
};

/* A kind of network. Functions that may be NULL say so. */
struct machine_network_kind {
    struct machine_part part; /* without `reset`: machines cannot be reset */
    bool joins_nodes;         /* whether or not PEs are divided into nodes */

    /* Of settings: whether the network is of this kind, which is so of one kind at most; and,
     * where it is, */
    bool (*is)(const struct machine_settings *settings);
    /* whether they fit it, else `diags` says why (NULL: they do); */
    bool (*fits)(const struct machine_settings *settings, struct lib_diags *diags);
    uint32_t (*count_links)(const struct machine_settings *settings);
    /* whether a link takes as long with network.latency=0 as with 1 (NULL: none); */
    bool (*raises_latency)(const struct machine_settings *settings);
    /* whether its state can be packed (NULL: it can). */
    bool (*can_be_saved)(const struct machine_settings *settings);

    struct traces_link_stats (*measure)(const struct machine *m, uint32_t link,
                                        uint64_t time);
    /* Between which routers a link is (NULL: it has none). */
    void (*find_ends)(const struct machine *m, uint32_t link, struct traces_link *about);
    /* Links that tokens crossed (NULL: each one). */
    uint64_t (*hops)(const struct machine *m);
    void (*tell_queued)(struct machine *m);
    void (*reverse)(struct machine *m); /* machine_reverse_host; or NULL */

    /* Of networks that join nodes: puts a token of so many bits before the injection of a PE,
     * before what else comes there in this cycle. The token is for its PE. */
    void (*inject)(struct machine *m, uint32_t from, const struct isa_token *t,
                   uint64_t bits);
    /* How long a message of so many bits alone takes from each node to the one before it, and
     * from the first to the last: for nodes that count messages. */
    void (*time_round)(const struct machine *m, uint32_t nodes, uint64_t bits,
                       uint64_t *times);
    const struct machine_network_messages *messages; /* NULL: tokens go one by one */
};

/* Links between PEs (links.c), routers (fabric_part.c), and the hosts of a platform
 * (machine/simgrid/grid_part.c): the rows of the table. */
#define MACHINE_NETWORKS(NETWORK) NETWORK(links) NETWORK(fabric) NETWORK(grid)

#define NETWORK(name) extern const struct machine_network_kind machine_network_##name;
MACHINE_NETWORKS(NETWORK)
#undef NETWORK

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
    const struct machine_network_kind *kind; /* NULL: an ideal one */
    bool has_links;                          /* so many; and then one of these */
    uint32_t link_count;
    const struct machine_topology *topology;
    struct machine_fabric *fabric; /* of routers */
    struct machine_grid *grid;     /* of the hosts of a platform */

    struct machine_wheel *away; /* where what leaves a PE is put, */
    uint64_t delay;             /* so many cycles later than it is formed */

    struct machine_wheel
        departing; /* will be before the output ports of their PEs, or injections */

    struct machine_promise *promises; /* per PE, where there are links */
    const char *gone; /* tokens of the first PE that are through its port, */
    size_t gone_step; /* and so many bytes further those of the next: uint64_t */

    /* Of a crossbar. */
    uint32_t pe_count;
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
struct machine_promise {
    uint64_t promised, promised_at;
};

/* Makes room for tokens that are formed up to so many cycles later. After the parts are made. */
void machine_network_make_wheels(struct machine *m, uint64_t longest);

/* Of machines with finite queues, where there are links: room for more tokens before the output
 * port or injection of a PE is promised until the end of the cycle. */
void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count);

/* The kind of network of these settings; NULL: an ideal one. */
const struct machine_network_kind *
machine_network_of(const struct machine_settings *settings);

/* Whether the settings fit their kind of network. Returns false and adds a diagnostic if not. */
bool machine_network_fits(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* Whether it joins nodes. */
bool machine_network_joins_nodes(const struct machine_settings *settings);

/* For how many cycles a token of so many bits occupies a link; bandwidth 0: for one. */
static inline uint64_t machine_network_occupied(uint64_t bandwidth, uint64_t bits)
{
    return bandwidth ? (bits + bandwidth - 1) / bandwidth : 1;
}

/* Where there are links and queues are finite: tokens of a PE that are through its output port or
 * injection. */
static inline uint64_t machine_network_gone(const struct machine_network *network,
                                            uint32_t pe)
{
    return *(const uint64_t *)(const void *)(network->gone + pe * network->gone_step);
}

/* Writes the statistics of links, ports and hops. stats->cycles and stats->network_tokens are
 * those of the measurement already. */
void machine_network_measure(const struct machine *m, struct traces_stats *stats);

/* Returns what a link or port has done when the cycles before `time` are over. */
struct traces_link_stats machine_link_measure(const struct machine *m, uint32_t link,
                                              uint64_t time);
/* For how many cycles links were occupied, all and the busiest; of cycles that are over. */
struct machine_network_load {
    uint64_t busy, most;
};
struct machine_network_load machine_network_load(const struct machine *m);

/* Tells what waits in the network, at the beginning of a stream of events. */
void machine_network_tell_queued(struct machine *m);

/* Of a machine that advances from here to a cycle: opens the timetable of its network
 * (machine/network/timetable.h), if it can have one now. Closes it, between two cycles, if it is
 * open, which it says; and opens it again. */
void machine_network_open(struct machine *m, uint64_t cycle);
bool machine_network_close(struct machine *m);
void machine_network_reopen(struct machine *m);

#endif
