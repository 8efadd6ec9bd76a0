/* A search for a fast partition of a program: partitions are made, run, and changed.
 *
 *     starts --> best few --> climb: batch of random changes --> best of the batch, if better
 *
 * It begins with the partitions of all methods. From each of the best few it climbs: it makes
 * random changes, several times per batch (programs/partition/moves.h), and takes the best of the
 * batch if that is better. The longer no better partition was found, the more changes it makes at
 * once. The result does not depend on the number of processes. */
#ifndef SIM_SWEEP_SEARCH_H
#define SIM_SWEEP_SEARCH_H

#include "programs/partition/moves.h"
#include "sim/sweep/worker.h"

struct sim_search_request {
    /* Title of the program; all pointers are borrowed for the search. */
    const char *title;
    const struct isa_graph *image;
    const isa_value *inputs;
    const struct machine_settings *settings;
    uint64_t run_seed;               /* seed of the runs */
    uint32_t machines;               /* at least 1 */
    bool schedules;                  /* RECVs, per tag */
    const struct traces_stat *least; /* count to be minimised */
    uint64_t seed;
    size_t runs; /* most runs */
};

/* A partition to be run. */
struct sim_search_candidate {
    const char *name;     /* method of a start; borrowed */
    uint32_t machines;    /* number of machines for which it was made */
    uint64_t seed;        /* seed with which it was made */
    uint32_t *machine_of; /* machine of each node; owned */
    bool is_known;        /* its run has completed */
    uint64_t value;       /* count of its run */
    bool is_over;         /* its run would exceed the best */
};

struct sim_search {
    struct sim_search_request request;
    struct programs_partition_moves *moves;
    LIB_VEC(struct sim_search_candidate) starts; /* those at the beginning */
    LIB_VEC(struct sim_search_candidate) batch;
    struct sim_search_candidate here; /* partition from which it climbs */
    struct sim_search_candidate best; /* best of all; known, if any is */
    size_t done, failed;              /* runs made; runs that failed */
    size_t from;                      /* start from which the best was reached */
    size_t idle;                      /* batches since a better one was found */
    struct lib_text reason;           /* reason of the first failed run */
};

/* Makes the starts. Returns false, after an error, if a partition cannot be made, such as that of a
 * map with mistakes. Free the search with sim_search_close in any case. */
bool sim_search_open(struct sim_search *search, const struct sim_search_request *request,
                     struct lib_diags *diags);

/* Runs partitions, `jobs` at a time, up to the limit on runs or until it is stopped. Returns false
 * if the host gives no processes. */
bool sim_search_run(struct sim_search *search, unsigned jobs,
                    const struct sim_runs_watch *watch, struct lib_diags *diags);
void sim_search_close(struct sim_search *search);

/* Adds the map of the best one. */
void sim_search_write(const struct sim_search *search, struct lib_text *out);

#endif
