/* Search for a partition of a program among machines that makes it fast.
 *
 *     starts --> best few --> climb: batch of random changes --> best of the batch, if better
 *
 * The search runs the partitions that all methods make (starts). From each of the best few it
 * climbs: it runs a batch of random changes (programs/partition/moves.h), and moves to the best of
 * them if that is better. While none is better, it makes more and more changes at once. The result
 * does not depend on the number of processes. */
#ifndef SIM_SWEEP_SEARCH_H
#define SIM_SWEEP_SEARCH_H

#include "programs/partition/moves.h"
#include "sim/sweep/worker.h"

struct sim_search_request {
    /* Name of the program in messages. All pointers of this struct are borrowed. */
    const char *title;
    const struct isa_graph *image;
    const isa_value *inputs;
    const struct machine_settings *settings;
    uint64_t run_seed;
    uint32_t machines; /* number of machines; at least 1 */
    /* RECV instructions wait until tag tracking schedules them (programs/partition/track.h) */
    bool schedules;
    const struct traces_stat *least; /* statistic to minimise, such as cycles */
    uint64_t seed;
    size_t runs; /* maximum number of runs */
};

/* A partition to run. */
struct sim_search_candidate {
    const char *name;     /* method that made a partition in `starts`; borrowed */
    uint32_t machines;    /* number of machines that the method was given */
    uint64_t seed;        /* seed that the method was given */
    uint32_t *machine_of; /* owned; index of the machine of each node of the graph */
    bool is_known;        /* the run of this partition completed; `value` is valid */
    uint64_t value;       /* value of the statistic that the search minimises */
    /* The run of this partition was cut off, as it took as many cycles as the run of `here`. */
    bool is_over;
};

struct sim_search {
    struct sim_search_request request;
    struct programs_partition_moves *moves;
    LIB_VEC(struct sim_search_candidate) starts; /* partitions made by all methods */
    LIB_VEC(struct sim_search_candidate) batch;
    struct sim_search_candidate here; /* partition from which the search climbs */
    /* Best partition so far; `is_known` if any run completed. */
    struct sim_search_candidate best;
    size_t done, failed;    /* number of runs made; of these, of runs that failed */
    size_t from;            /* index in `starts` of the partition that led to `best` */
    size_t idle;            /* batches since the climb found a better partition */
    struct lib_text reason; /* why the first failed run failed */
};

/* Makes the partitions to start from: one per method, number of machines and seed. Returns false
 * and adds a diagnostic if one cannot be made, for example because its partition file is invalid.
 * In either case free with sim_search_close. */
bool sim_search_open(struct sim_search *search, const struct sim_search_request *request,
                     struct lib_diags *diags);

/* Runs partitions, `jobs` at a time, until request.runs are done or `watch` stops it. Returns false
 * and adds a diagnostic if the host has no more processes. */
bool sim_search_run(struct sim_search *search, unsigned jobs,
                    const struct sim_runs_watch *watch, struct lib_diags *diags);
void sim_search_close(struct sim_search *search);

/* Appends the best partition as a partition file: the machine of each node. */
void sim_search_write(const struct sim_search *search, struct lib_text *out);

#endif
