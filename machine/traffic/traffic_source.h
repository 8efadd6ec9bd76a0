/* Artificial traffic on a network without a program: PEs only send tokens, at a given load, and
 * take those that arrive.
 *
 * In each cycle a PE sends a token with a fixed probability (Bernoulli injection). Whether a PE
 * sends, and where, depends only on the seed, the PE and the cycle: other networks and settings get
 * the same traffic. Tokens that the network cannot take yet wait at their PEs, in unlimited queues;
 * the wait is part of their latency.
 *
 * Cycles are divided into windows of equal length. */
#ifndef MACHINE_TRAFFIC_TRAFFIC_SOURCE_H
#define MACHINE_TRAFFIC_TRAFFIC_SOURCE_H

#include "machine/settings.h"
#include "machine/traffic/pattern.h"

struct machine_traffic_source;

struct machine_traffic_source_window {
    uint64_t sent;      /* tokens sent in the window */
    uint64_t delivered; /* tokens delivered in the window */
    uint64_t arrived;   /* tokens sent in the window and delivered so far */
    /* Sum over the `arrived` tokens of the cycles from sending to delivery. */
    uint64_t latency;
};

/* Parameters of the traffic. The traffic source owns the graph; other pointers are borrowed. */
struct machine_traffic_source_request {
    struct machine_graph *graph;
    const struct machine_settings *settings;
    const struct machine_pattern *pattern;
    /* Mean tokens that a PE sends per cycle, from 0 to 1. */
    double load;
    /* `bits` is the size of a token. */
    uint64_t seed, bits;
    uint32_t window; /* length of a window in cycles */
};

struct machine_traffic_source *
machine_traffic_source_new(const struct machine_traffic_source_request *request);
void machine_traffic_source_free(struct machine_traffic_source *offer);

/* Simulates `windows` more windows of cycles. */
void machine_traffic_source_run(struct machine_traffic_source *offer, uint32_t windows);

/* Returns the windows simulated so far, and sets *count to their number. */
const struct machine_traffic_source_window *
machine_traffic_source_windows(const struct machine_traffic_source *offer, size_t *count);

/* Begins the measurement of latencies (of tokens sent from now on) and of traffic per link and
 * PE. */
void machine_traffic_source_measure(struct machine_traffic_source *offer);

/* Returns the latency that the given share of the measured tokens does not exceed, in cycles. */
uint64_t machine_traffic_source_quantile(const struct machine_traffic_source *offer,
                                         double share);
/* Returns the tokens per cycle on a link since the measurement began. */
double machine_traffic_source_link(const struct machine_traffic_source *offer,
                                   uint32_t link);
/* Returns how many tokens that PE `pe` sent were delivered since the measurement began. */
uint64_t machine_traffic_source_of_pe(const struct machine_traffic_source *offer,
                                      uint32_t pe);
/* Returns the mean number of links per token since the measurement began. */
double machine_traffic_source_hops(const struct machine_traffic_source *offer);

/* Returns how many tokens are in the network or wait for it. */
uint64_t machine_traffic_source_inside(const struct machine_traffic_source *offer);

#endif
