/* The network, as the rest of the machine sees it.
 *
 *     PE --> list of the cycle in which a token is formed --> kind of network --> input queue
 *
 * A token that a PE sends to another one is put into a list (machine_network_list). The kind of the
 * network brings it to the input queue of its PE. An `ideal` network has no kind and no links: its
 * lists are those of the input queues, `network.latency` later. Every other network is of one of
 * the kinds in MACHINE_NETWORKS, a table of functions, struct machine_network_kind. Nothing else in
 * the machine depends on the kind. */
#ifndef MACHINE_NETWORK_NETWORK_H
#define MACHINE_NETWORK_NETWORK_H

#include "machine/network/topologies.h"
#include "machine/part.h"
#include "machine/pe/pe.h"
#include "machine/pe/wheel.h"
#include "traces/events.h"

struct machine;
struct machine_way;
struct machine_leaving;
struct machine_topology;
struct machine_timetable;
struct machine_settings;
struct machine_nodes_item;
struct isa_token;
struct lib_arena;
struct traces_network;
struct machine_fabric;
struct machine_grid;

/* Functions of a network that sends messages instead of tokens (struct machine_nodes_item), and
 * holds, shows and packs their tokens. */
struct machine_network_messages {
    /* Releases a message that has arrived. */
    void (*release)(struct machine *m, uint32_t message);

    /* Returns true if the network has a message of this number. */
    bool (*has)(const struct machine *m, uint32_t message);

    /* Emits that the tokens of a message enter or leave a place. */
    void (*tell)(struct machine *m, uint32_t message, enum traces_event_kind kind,
                 enum traces_place place, uint32_t number);
};

/* A kind of network. A function can be NULL only if its comment has a default. */
struct machine_network_kind {
    struct machine_part part; /* if it has no `reset`, machines cannot be reset */
    bool joins_nodes;         /* the network joins nodes, even without cluster.nodes */
    bool shares_links;        /* several tokens can be on a link at once */

    /* Returns true if settings have a network of this kind. At most one kind does. */
    bool (*is)(const struct machine_settings *settings);

    /* The following functions take settings of this kind. Returns true if they fit; else adds a
     * diagnostic. Default: true. */
    bool (*fits)(const struct machine_settings *settings, struct lib_diags *diags);
    uint32_t (*count_links)(const struct machine_settings *settings);

    /* Describes the links. `network` is all zeros before. */
    void (*describe)(const struct machine_settings *settings,
                     struct traces_network *network);

    /* Returns true if a link takes as long with network.latency=0 as with 1. Default: false. */
    bool (*raises_latency)(const struct machine_settings *settings);

    /* Returns true if the state can be packed. Default: true. */
    bool (*can_be_saved)(const struct machine_settings *settings);

    struct traces_link_stats (*measure)(const struct machine *m, uint32_t link,
                                        uint64_t time);

    /* Sets the routers at the ends of a link. Default: none. */
    void (*find_ends)(const struct machine *m, uint32_t link, struct traces_link *about);

    /* Returns the links that tokens crossed. Default: one per token. */
    uint64_t (*hops)(const struct machine *m);
    void (*tell_queued)(struct machine *m);

    /* Only for networks that join nodes. Puts a token with `bits` bits before the injection of the
     * PE `from`, ahead of the others of this cycle. It goes to the PE in its place. */
    void (*inject)(struct machine *m, uint32_t from, const struct isa_token *t,
                   uint64_t bits);

    /* Sets the times that a message of `bits` bits takes, without others, from each node to the one
     * before it, and from the first to the last: for nodes that count messages. */
    void (*time_round)(const struct machine *m, uint32_t nodes, uint64_t bits,
                       uint64_t *times);
    const struct machine_network_messages *messages; /* NULL if tokens go one by one */
};

/* The kinds: links between PEs (links.c), routers (fabric_part.c), and hosts of a platform
 * (machine/simgrid/grid_part.c). */
#define MACHINE_NETWORKS(NETWORK) NETWORK(links) NETWORK(fabric) NETWORK(grid)

#define NETWORK(name) extern const struct machine_network_kind machine_network_##name;
MACHINE_NETWORKS(NETWORK)
#undef NETWORK

/* A link or port of a crossbar (machine/network/links.h). */
struct machine_link {
    struct machine_queue queue;
    uint64_t free;    /* cycle from which its port is free */
    uint64_t latency; /* 0 for an input port, else at least 1 */

    /* As those of machine_link_measure, with two exceptions: the cycle is subtracted from `waits`
     * when a token comes and added when it leaves, and `busy` is 0 with unlimited bandwidth. */
    struct traces_link_stats stats;

    uint32_t there; /* tokens before it or on their way to it; 0 for an output port */
};

struct machine_network {
    const struct machine_network_kind *kind; /* NULL for an ideal network */
    bool has_links;
    uint32_t link_count;

    /* At most one of these: */
    const struct machine_topology *topology;
    struct machine_fabric *fabric; /* routers */
    struct machine_grid *grid;     /* hosts of a platform */

    struct machine_wheel *away; /* lists for tokens that leave their PEs */
    uint64_t delay;             /* cycles between forming and that list */

    /* Tokens that come before output ports or injections. */
    struct machine_wheel departing;

    struct machine_promise *promises; /* per PE, if there are links */
    const char *gone; /* tokens that left the port of the first PE: uint64_t */
    size_t gone_step; /* bytes from there to those of the next PE */

    /* Crossbar: */
    uint32_t pe_count;
    uint64_t bandwidth;
    uint64_t pace; /* ticks per cycle, by which the occupation of ports is multiplied */
    uint64_t latency; /* latency of the first link */
    struct machine_link *links;
    struct isa_token *rings;         /* first tokens of their queues; owned */
    struct machine_set waiting;      /* links before which a token waits */
    bool some_wait;                  /* `waiting` is not empty, between two cycles */
    struct machine_way *ways;        /* wheel of tokens that come before links */
    uint64_t way_mask, in_ways;      /* in_ways: tokens in it */
    struct machine_leaving *leaving; /* per PE; NULL without tensors */
    uint32_t leaving_count;
    struct machine_timetable *timetable; /* NULL if there can be none */
    struct machine_timetable *open;      /* the timetable while it is open, else NULL */
};

/* Returns the list for tokens formed at cycle `when` that leave their PE. */
static inline struct machine_wheel_slot *
machine_network_list(const struct machine_network *network, uint64_t when)
{
    return machine_wheel_at(network->away, when + network->delay);
}

/* Returns the place of a token in that list: the PE that it leaves if there are links, else the PE
 * to which it goes. */
static inline uint32_t machine_network_place(const struct machine_network *network,
                                             uint32_t from, uint32_t to)
{
    return network->has_links ? from : to;
}

/* Tokens that issues of a PE may send to others in cycle `promised_at`, with finite queues. */
struct machine_promise {
    uint64_t promised, promised_at;
};

/* Makes wheels for tokens that are formed up to `longest` cycles later, after the parts are
 * made. */
void machine_network_make_wheels(struct machine *m, uint64_t longest);

/* Promises room for `count` more tokens before the output port or injection of a PE, until the end
 * of the cycle. Only with finite queues and links. */
void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count);

/* Returns the kind of network of settings, or NULL for an ideal one. */
const struct machine_network_kind *
machine_network_of(const struct machine_settings *settings);

/* Returns true if settings fit their kind of network; else adds a diagnostic. */
bool machine_network_fits(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* Returns true if the network of settings joins nodes. */
bool machine_network_joins_nodes(const struct machine_settings *settings);

/* Returns the cycles for which a token occupies a link: 1 with bandwidth 0, which is unlimited. */
static inline uint64_t machine_network_occupied(uint64_t bandwidth, uint64_t bits)
{
    return bandwidth ? (bits + bandwidth - 1) / bandwidth : 1;
}

/* Returns the number of tokens that left the output port or injection of a PE. Only with links and
 * finite queues. */
static inline uint64_t machine_network_gone(const struct machine_network *network,
                                            uint32_t pe)
{
    return *(const uint64_t *)(const void *)(network->gone + pe * network->gone_step);
}

/* Writes the statistics of links, ports and hops. stats->cycles and stats->network_tokens must be
 * set. */
void machine_network_measure(const struct machine *m, struct traces_stats *stats);

/* Returns the statistics of a link or port for the cycles before `time`. */
struct traces_link_stats machine_link_measure(const struct machine *m, uint32_t link,
                                              uint64_t time);

/* Cycles, up to now, in which links were occupied: the sum, and those of the busiest link. */
struct machine_network_load {
    uint64_t busy, most;
};
struct machine_network_load machine_network_load(const struct machine *m);

/* Emits the tokens that wait in the network, at the beginning of a stream of events. */
void machine_network_tell_queued(struct machine *m);

/* Opens the timetable of the network (machine/network/timetable.h), if it can have one now, for a
 * machine that advances to a cycle. Between two cycles machine_network_close closes it, and returns
 * true if it was open; machine_network_reopen then opens it again. */
void machine_network_open(struct machine *m, uint64_t cycle);
bool machine_network_close(struct machine *m);
void machine_network_reopen(struct machine *m);

#endif
