/* Traffic on a network without a program: PEs only send, at a given load, and take the tokens that
 * arrive.
 *
 * In each cycle each PE sends a token with the same probability, its load (Bernoulli injection).
 * Whether it sends, and to which PE, depends only on the seed, the PE and the cycle: so runs with
 * other networks and settings offer the same tokens. Tokens that the network does not take wait at
 * their PEs without limit, and their time counts.
 *
 * Cycles are divided into windows of equal length. A token belongs to the window in which it was
 * sent. */
#ifndef MACHINE_TRAFFIC_TRAFFIC_SOURCE_H
#define MACHINE_TRAFFIC_TRAFFIC_SOURCE_H

#include "machine/settings.h"
#include "machine/traffic/pattern.h"

struct machine_traffic_source;

struct machine_traffic_source_window {
    uint64_t sent;      /* tokens sent in it */
    uint64_t delivered; /* tokens delivered in it */
    uint64_t arrived;   /* tokens sent in it and delivered so far */
    uint64_t latency;   /* sum of their cycles from being sent until being delivered */
};

/* The parameters of traffic. All pointers are borrowed, except the graph, whose ownership is taken
 * over. `load` is the mean of tokens per PE and cycle, from 0 to 1. `bits` is the size of a
 * token. */
struct machine_traffic_source_request {
    struct machine_graph *graph;
    const struct machine_settings *settings;
    const struct machine_pattern *pattern;
    double load;
    uint64_t seed, bits;
    uint32_t window; /* cycles */
};

struct machine_traffic_source *
machine_traffic_source_new(const struct machine_traffic_source_request *request);
void machine_traffic_source_free(
    struct machine_traffic_source *offer); /* NULL is allowed */

/* Simulates `windows` more windows. */
void machine_traffic_source_run(struct machine_traffic_source *offer, uint32_t windows);

/* Returns the windows so far. */
const struct machine_traffic_source_window *
machine_traffic_source_windows(const struct machine_traffic_source *offer, size_t *count);

/* Begins the measurement: from now on, latencies of tokens sent later are counted one by one, and
 * the tokens on links and from each PE. */
void machine_traffic_source_measure(struct machine_traffic_source *offer);

/* Return results of the measurement: the latency that a share of the tokens does not exceed; tokens
 * per cycle on a link; delivered tokens of a PE; mean hops of all tokens. */
uint64_t machine_traffic_source_quantile(const struct machine_traffic_source *offer,
                                         double share);
double machine_traffic_source_link(const struct machine_traffic_source *offer,
                                   uint32_t link);
uint64_t machine_traffic_source_of_pe(const struct machine_traffic_source *offer,
                                      uint32_t pe);
double machine_traffic_source_hops(const struct machine_traffic_source *offer);

/* Returns the tokens that are in the network or wait for it. */
uint64_t machine_traffic_source_inside(const struct machine_traffic_source *offer);

#endif
