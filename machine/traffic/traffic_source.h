/* Traffic on a network alone: PEs that do nothing but send, at a given load, and take what comes.
 *
 * In each cycle each PE sends a token with the same probability, its load (Bernoulli injection),
 * whatever happened before. In which cycles it sends depends on the seed, the PE and the cycle
 * alone, and to whom too: so runs of other networks and settings offer the same tokens. What the
 * network does not take waits at its PE without limit, and its time counts.
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
    uint64_t delivered; /* tokens that came out of the network in it */
    uint64_t arrived;   /* of those sent in it, tokens that have come out so far, */
    uint64_t latency;   /* and their cycles from being sent to being out, summed up */
};

/* All are borrowed but for the graph, which is taken over; `settings` are those of the network.
 * `load`: tokens per PE and cycle, from 0 to 1, on average. `bits` of a token: what it occupies
 * where bandwidth is finite. */
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

/* Goes on for so many windows. */
void machine_traffic_source_run(struct machine_traffic_source *offer, uint32_t windows);

/* The windows so far. */
const struct machine_traffic_source_window *
machine_traffic_source_windows(const struct machine_traffic_source *offer, size_t *count);

/* From now on latencies are counted one by one, of tokens that are sent from now on, and what
 * goes through links and comes from each PE. */
void machine_traffic_source_measure(struct machine_traffic_source *offer);

/* Since then: the latency that such a share of the tokens does not exceed; tokens per cycle that
 * went through a link, up to now; tokens of a PE that came out; links that a token crossed, on
 * average of all tokens. */
uint64_t machine_traffic_source_quantile(const struct machine_traffic_source *offer,
                                         double share);
double machine_traffic_source_link(const struct machine_traffic_source *offer,
                                   uint32_t link);
uint64_t machine_traffic_source_of_pe(const struct machine_traffic_source *offer,
                                      uint32_t pe);
double machine_traffic_source_hops(const struct machine_traffic_source *offer);

/* Tokens that are in the network, or wait for it. */
uint64_t machine_traffic_source_inside(const struct machine_traffic_source *offer);

#endif
