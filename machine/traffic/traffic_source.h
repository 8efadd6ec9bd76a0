/* Artificial traffic on a network without a program: PEs only send tokens, at a given load, and
 * take those that arrive.
 *
 * In each cycle each PE sends a token with the same probability, its load (Bernoulli injection).
 * Whether it sends, and to which PE, depends only on the seed, the PE and the cycle: so runs with
 * other networks and settings have the same traffic. Tokens that the network cannot take yet wait
 * at their PEs, in unlimited queues; the wait is part of their latency.
 *
 * Cycles are divided into windows of equal length. A token belongs to the window in which it was
 * sent. */
#ifndef MACHINE_TRAFFIC_TRAFFIC_SOURCE_H
#define MACHINE_TRAFFIC_TRAFFIC_SOURCE_H

#include "machine/settings.h"
#include "machine/traffic/pattern.h"

struct machine_traffic_source;

struct machine_traffic_source_window {
    uint64_t sent;      /* tokens sent in the window */
    uint64_t delivered; /* tokens delivered in the window */
    uint64_t arrived;   /* tokens sent in the window and delivered so far */
    uint64_t latency; /* sum of the cycles of `arrived` tokens from sending to delivery */
};

/* Parameters of traffic. Pointers are borrowed, except the graph, which becomes owned. `load` is
 * the mean number of tokens that a PE sends per cycle, from 0 to 1. `bits` is the size of a
 * token. */
struct machine_traffic_source_request {
    struct machine_graph *graph;
    const struct machine_settings *settings;
    const struct machine_pattern *pattern;
    double load;
    uint64_t seed, bits;
    uint32_t window; /* cycles per window */
};

struct machine_traffic_source *
machine_traffic_source_new(const struct machine_traffic_source_request *request);
void machine_traffic_source_free(struct machine_traffic_source *offer);

/* Simulates `windows` more windows. */
void machine_traffic_source_run(struct machine_traffic_source *offer, uint32_t windows);

/* Returns the windows simulated so far, and sets *count. */
const struct machine_traffic_source_window *
machine_traffic_source_windows(const struct machine_traffic_source *offer, size_t *count);

/* Begins the measurement: counts the latency of each token sent from now on, and tokens per link
 * and PE. */
void machine_traffic_source_measure(struct machine_traffic_source *offer);

/* Return results of the measurement: the latency that the given share of tokens does not exceed;
 * tokens per cycle on a link; delivered tokens of a PE; mean links per token. */
uint64_t machine_traffic_source_quantile(const struct machine_traffic_source *offer,
                                         double share);
double machine_traffic_source_link(const struct machine_traffic_source *offer,
                                   uint32_t link);
uint64_t machine_traffic_source_of_pe(const struct machine_traffic_source *offer,
                                      uint32_t pe);
double machine_traffic_source_hops(const struct machine_traffic_source *offer);

/* Returns how many tokens are in the network or wait for it. */
uint64_t machine_traffic_source_inside(const struct machine_traffic_source *offer);

#endif
