/* Studies a network without a program: its properties, and its latency and accepted traffic at
 * given loads. */
#ifndef SIM_NETWORK_STUDY_H
#define SIM_NETWORK_STUDY_H

#include "lib/findings.h"
#include "machine/network/proof.h"
#include "machine/settings.h"
#include "machine/traffic/bounds.h"
#include "machine/traffic/traffic_source.h"

/* Parameters of a study. The measurement at each load has three phases:
 *
 *     warm-up       `warm_up` cycles
 *     measurement   at least SIM_STUDY_LEAST windows, until both ends of the 95 % interval of the
 *                   mean latency, from the means of groups of windows, are within `precision`
 *                   of it (a share: 0.05 is 5 %), or `cycles` were measured
 *     drain         until all tokens sent in these windows have arrived
 *
 * A network is saturated at a load if more than 1 % of the tokens sent during the measurement stay
 * behind, or if they do not arrive within twice the measured time. Its latency then grows without
 * limit, and is not reported. */
struct sim_study_request {
    struct machine_shape shape;
    const struct machine_settings *settings;
    struct machine_pattern_request pattern;
    uint64_t seed, bits;
    uint64_t warm_up, cycles; /* in cycles; 0: default */
    double precision;
};

enum { SIM_STUDY_LEAST = 10, SIM_STUDY_WARM_UP = 2000, SIM_STUDY_CYCLES = 50000 };

/* Results at one load. Rates are in tokens per PE and cycle. */
struct sim_study_point {
    double load;     /* requested rate of tokens */
    double offered;  /* rate of sent tokens during the measurement */
    double accepted; /* rate of delivered tokens during the measurement */
    bool is_saturated;
    double latency;   /* mean, in cycles; NaN if saturated */
    double low, high; /* 95 % interval of `latency`; NaN if unknown */
    /* Median and 99th percentile of the latency; 0 if saturated. */
    uint64_t median, most;
    /* Mean number of links between routers on the way of a token. */
    double hops;
    double busiest; /* load of the busiest link between routers */
    uint32_t busiest_link;
    /* Smallest ratio of a PE: rate of its accepted tokens / its fair share of the accepted rate. */
    double least_share;
    uint64_t cycles;    /* number of measured cycles */
    double *link_loads; /* owned; loads of all links; NULL: not requested */
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
    LIB_VEC(struct sim_study_point) points; /* owned; one point per measured load */
};

/* Makes the network and finds its properties. Returns false and adds a diagnostic if the network or
 * the traffic pattern cannot exist. In either case free the study with sim_study_close. */
bool sim_study_open(struct sim_study *study, const struct sim_study_request *request,
                    struct lib_diags *diags);
void sim_study_close(struct sim_study *study);

/* Callback for progress: `cycles` of about `all` are simulated. Returns false to stop. */
typedef bool sim_study_look(void *context, uint64_t cycles, uint64_t all);

/* Measures the network at one load and adds a point. Returns false if `look` stopped it. */
bool sim_study_measure(struct sim_study *study, double load, bool with_links,
                       sim_study_look *look, void *context);

/* Returns the greatest accepted rate of all points; 0 if there are none. */
double sim_study_greatest(const struct sim_study *study);

/* Appends the properties of the network, and the points, if any; as CSV only the points. */
void sim_study_write(const struct sim_study *study, enum lib_form form,
                     struct lib_text *out);

/* Appends the loads of links as CSV. */
void sim_study_write_links(const struct sim_study *study, struct lib_text *out);

#endif
