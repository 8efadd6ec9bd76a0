/* The network, as the rest of the machine sees it.
 *
 *     PE --> list of the cycle in which a token is formed --> kind of network --> input queue
 *
 * A token that a PE sends to another PE is put into a list (machine_network_list), from which the
 * network brings it to the input queue of its destination. An `ideal` network has no links: its
 * lists are those of the input queues, network.latency later. Other networks are of a kind in
 * MACHINE_NETWORKS, with functions in struct machine_network_kind. */
#ifndef MACHINE_NETWORK_NETWORK_H
#define MACHINE_NETWORK_NETWORK_H

#include "machine/topologies.h"
#include "machine/part.h"
#include "machine/tokens/queue.h"
#include "machine/tokens/set.h"
#include "machine/tokens/wheel.h"
#include "traces/events.h"

struct machine;
struct machine_crossbar;
struct machine_settings;
struct machine_nodes_item;
struct isa_token;
struct lib_arena;
struct traces_network;
struct machine_fabric;
struct machine_grid;

/* Functions of a network that can send several tokens as one message. `message` is the index of a
 * message (struct machine_nodes_item). */
struct machine_network_messages {
    /* Delivers the tokens of an arrived message. */
    void (*release)(struct machine *m, uint32_t message);

    /* Whether the network has a message with this index. */
    bool (*has)(const struct machine *m, uint32_t message);

    /* Emits an event for each token of a message that enters or leaves a queue; `place` and
     * `number` say which queue. */
    void (*tell)(struct machine *m, uint32_t message, enum traces_event_kind kind,
                 enum traces_place place, uint32_t number);
};

/* Functions of a kind of network. Only those whose comment has a default may be NULL. */
struct machine_network_kind {
    /* Functions of a part of the machine; without `reset`, machines cannot be reset. */
    struct machine_part part;
    /* the network connects nodes, even without the setting cluster.nodes */
    bool joins_nodes;
    bool shares_links; /* several tokens can be on a link at once */

    /* Whether settings describe a network of this kind; at most one kind does. */
    bool (*is)(const struct machine_settings *settings);

    /* Whether settings of this kind of network are consistent; if not, adds a diagnostic. Default:
     * true. */
    bool (*fits)(const struct machine_settings *settings, struct lib_diags *diags);
    uint32_t (*count_links)(const struct machine_settings *settings);

    /* Describes the links of the network in *network, which must be all zeros. */
    void (*describe)(const struct machine_settings *settings,
                     struct traces_network *network);

    /* Whether a link takes as long with network.latency=0 as with 1. Default: false. */
    bool (*raises_latency)(const struct machine_settings *settings);

    /* Whether the state of the network can be packed. Default: true. */
    bool (*can_be_saved)(const struct machine_settings *settings);

    struct traces_link_stats (*measure)(const struct machine *m, uint32_t link,
                                        uint64_t time);

    /* Sets the routers at the ends of a link. Default: none. */
    void (*find_ends)(const struct machine *m, uint32_t link, struct traces_link *about);

    /* Returns how often tokens have crossed links. Default: once per token. */
    uint64_t (*hops)(const struct machine *m);
    void (*tell_queued)(struct machine *m);

    /* Called once all parts of a machine are made. Default: nothing. */
    void (*join)(struct machine *m);

    /* Networks of nodes only: puts a token of `bits` bits before the injection link of PE `from`,
     * ahead of others of this cycle. The token's PE is its destination. */
    void (*inject)(struct machine *m, uint32_t from, const struct isa_token *t,
                   uint64_t bits);

    /* Networks of nodes only: sets times[i] to the cycles that a message of `bits` bits takes in an
     * idle network from node i to node i - 1; times[0]: from node 0 to the last node. */
    void (*time_round)(const struct machine *m, uint32_t nodes, uint64_t bits,
                       uint64_t *times);
    /* NULL if each token is sent alone */
    const struct machine_network_messages *messages;
};

/* Kinds of networks: a crossbar (crossbar.c), routers (fabric_part.c), hosts of a platform
 * (machine/simgrid/grid_part.c). */
#define MACHINE_NETWORKS(NETWORK) NETWORK(crossbar) NETWORK(fabric) NETWORK(grid)

#define NETWORK(name) extern const struct machine_network_kind machine_network_##name;
MACHINE_NETWORKS(NETWORK)
#undef NETWORK

struct machine_network {
    /* NULL for an ideal network. */
    const struct machine_network_kind *kind;
    bool has_links;
    uint32_t link_count;

    /* State of the kind of network; at most one is not NULL. */
    struct machine_crossbar *crossbar;
    struct machine_fabric *fabric;
    struct machine_grid *grid; /* a network of the hosts of a platform file */

    /* Tokens that leave their PEs, as a list for each cycle. */
    struct machine_wheel *away;
    uint64_t delay; /* cycles from when a token is formed until it leaves its PE */

    /* Tokens that arrive at output ports or injection links, as a list for each cycle. */
    struct machine_wheel departing;

    /* for each PE: room that it has reserved; NULL without links */
    struct machine_promise *promises;
    /* counter (uint64_t) of the tokens that have left the output port of PE 0 */
    const char *gone;
    size_t gone_step; /* bytes from the counter of a PE to the counter of the next PE */
};

/* Returns the list for tokens that are formed in cycle `when` and leave their PE. */
static inline struct machine_wheel_slot *
machine_network_list(const struct machine_network *network, uint64_t when)
{
    return machine_wheel_at(network->away, when + network->delay);
}

/* Returns the PE to store in a token that leaves PE `from` for PE `to`: `from` if the network has
 * links, else `to`. */
static inline uint32_t machine_network_place(const struct machine_network *network,
                                             uint32_t from, uint32_t to)
{
    return network->has_links ? from : to;
}

/* Room that a PE has reserved in cycle `promised_at` for tokens to other PEs; for finite queues. */
struct machine_promise {
    uint64_t promised, promised_at;
};

/* Makes an ideal network, before the parts of the machine. */
void machine_network_make(struct machine *m);

/* For the functions of a kind's part. machine_network_begin makes what all networks with links
 * have, machine_network_clear empties it for another run, machine_network_end frees it. */
void machine_network_begin(struct machine *m, const struct machine_network_kind *kind,
                           uint32_t link_count);
void machine_network_clear(struct machine *m);
void machine_network_end(struct machine *m);

/* Makes the timing wheel `departing`. Tokens are put into it at most `longest` cycles before they
 * depart. Call after the parts of the machine are made. */
void machine_network_make_wheels(struct machine *m, uint64_t longest);

/* Reserves room for `count` more tokens before the output port or injection link of a PE, until the
 * end of the cycle. Only if the network has links and queues are finite. */
void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count);

/* Returns the kind of network that settings describe, or NULL for an ideal one. */
const struct machine_network_kind *
machine_network_of(const struct machine_settings *settings);

/* Whether settings are consistent with their network; if not, adds a diagnostic. */
bool machine_network_fits(const struct machine_settings *settings,
                          struct lib_diags *diags);

bool machine_network_joins_nodes(const struct machine_settings *settings);

/* Returns for how many cycles a token occupies a link; 1 if bandwidth is 0 (unlimited). */
static inline uint64_t machine_network_occupied(uint64_t bandwidth, uint64_t bits)
{
    return bandwidth ? (bits + bandwidth - 1) / bandwidth : 1;
}

/* Returns how many tokens have left the output port or injection link of a PE. Only if the
 * network has links and queues are finite. */
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

/* Cycles in which links were occupied: sum over all links, and max of a link. */
struct machine_network_load {
    uint64_t busy, most;
};
struct machine_network_load machine_network_load(const struct machine *m);

/* Emits events for tokens that already wait in the network when a stream of events begins. */
void machine_network_tell_queued(struct machine *m);

/* Open, close and reopen the timetable (machine/network/timetable.h). machine_network_open opens it
 * if possible and useful, for a machine that advances to `cycle`. machine_network_close returns
 * whether it was open; if so, machine_network_reopen may open it again. */
void machine_network_open(struct machine *m, uint64_t cycle);
bool machine_network_close(struct machine *m);
void machine_network_reopen(struct machine *m);

#endif
