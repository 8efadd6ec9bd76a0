/* A study of a network alone: what is known of it without running it, and latency and accepted
 * traffic at given loads. */
#ifndef SIM_NETWORK_STUDY_H
#define SIM_NETWORK_STUDY_H

#include "lib/memory.h"
#include "machine/network/proof.h"
#include "machine/settings.h"
#include "machine/traffic/bounds.h"
#include "machine/traffic/traffic_source.h"

/* How it is measured, at each load:
 *   - `warm_up` cycles pass first;
 *   - then windows are measured, at least SIM_STUDY_LEAST of them, until the 95 % interval of the mean latency, of the
 *     means of windows, is within `precision` of it on both sides, or `cycles` have been measured;
 *   - then the traffic goes on until all that was sent in these windows has arrived.
 * A network is saturated at a load if, while it is measured, more than 1 % of what was sent stays
 * behind, or if what was sent does not arrive in twice the time measured. Its latency then grows
 * as long as one looks, and is not told. */
struct sim_study_request {
    struct machine_shape shape;
    const struct machine_settings *settings;
    struct machine_pattern_request pattern;
    uint64_t seed, bits;
    uint64_t warm_up, cycles; /* 0: chosen */
    double precision;
};

enum { SIM_STUDY_LEAST = 10, SIM_STUDY_WARM_UP = 2000, SIM_STUDY_CYCLES = 50000 };

/* What was found at a load. Rates are tokens per PE and cycle. */
struct sim_study_point {
    double load;     /* that was asked for */
    double offered;  /* that was sent in the time measured */
    double accepted; /* that came out in it */
    bool is_saturated;
    double latency;   /* mean, in cycles; NaN if saturated */
    double low, high; /* its 95 % interval; NaN if unknown */
    uint64_t median,
        most; /* latency that half, and 99 % of the tokens do not exceed; 0 if saturated */
    double hops;    /* links between routers, of a token */
    double busiest; /* load of the busiest link between routers */
    uint32_t busiest_link;
    double least_share; /* the least that came of a PE, of what it should be: 1 is even */
    uint64_t cycles;    /* measured */
    double *link_loads; /* of all links, owned; only if asked for */
};

struct sim_study {
    struct sim_study_request request;
    struct machine_graph *graph;
    struct machine_pattern pattern;
    struct machine_proof proof;
    struct machine_distances distances;
    struct machine_bound bound;
    bool has_bound;
    uint32_t between_halves;
    LIB_VEC(struct sim_study_point) points; /* owned */
};

/* Makes the network and what is known of it. false: there is none, or no such pattern. Give back
 * with sim_study_close in either case. */
bool sim_study_open(struct sim_study *study, const struct sim_study_request *request,
                    struct lib_diags *diags);
void sim_study_close(struct sim_study *study);

/* Whether to go on; `cycles` of about `all` are done. */
typedef bool sim_study_look(void *context, uint64_t cycles, uint64_t all);

/* Measures at a load and adds the point. false: interrupted. */
bool sim_study_measure(struct sim_study *study, double load, bool with_links,
                       sim_study_look *look, void *context);

/* The greatest rate that was accepted, of all points; 0: none. */
double sim_study_greatest(const struct sim_study *study);

/* What is known and what was measured, as a text and as JSON; points and loads of links as
 * comma-separated values. Of no points the first two have what is known alone. */
void sim_study_write(const struct sim_study *study, struct lib_text *out);
void sim_study_write_json(const struct sim_study *study, struct lib_text *out);
void sim_study_write_csv(const struct sim_study *study, struct lib_text *out);
void sim_study_write_links(const struct sim_study *study, struct lib_text *out);

#endif
