/* A search for a partition by which a program runs fast: partitions are made, run, and changed.
 *
 * It begins with the partitions that there are without it. From each of the best few of these it
 * climbs: what it has is changed at random, some at a time (programs/partition/moves.h), and of each
 * such batch the best is taken if it is better. The longer none was, the more is changed at once.
 * How many processes run them changes nothing in what is found. */
#ifndef SIM_SWEEP_SEARCH_H
#define SIM_SWEEP_SEARCH_H

#include "programs/partition/moves.h"
#include "sim/sweep/worker.h"

struct sim_search_request {
    const char *title; /* of the program; all borrowed while there is the search */
    const struct isa_graph *image;
    const isa_value *inputs;
    const struct machine_settings *settings;
    uint64_t run_seed;               /* of the runs */
    uint32_t machines;               /* at least 1 */
    bool schedules;                  /* RECVs, per tag */
    const struct traces_stat *least; /* what shall be least: a count */
    uint64_t seed;
    size_t runs; /* so many at most */
};

/* A partition that was made, and is run. */
struct sim_search_candidate {
    const char *name;     /* of those at the beginning; borrowed */
    uint32_t machines;    /* on which it was made; */
    uint64_t seed;        /* with this */
    uint32_t *machine_of; /* per node; owned */
    bool is_known;        /* it has completed, */
    uint64_t value;       /* with this */
    bool is_over;         /* it would take longer than the best */
};

struct sim_search {
    struct sim_search_request request;
    struct programs_partition_moves *moves;
    LIB_VEC(struct sim_search_candidate) starts; /* those at the beginning */
    LIB_VEC(struct sim_search_candidate) batch;
    struct sim_search_candidate here; /* from where it climbs, */
    struct sim_search_candidate best; /* and the best of all; known, if any is */
    size_t done, failed;              /* runs */
    size_t from;                      /* from which of the starts the best was reached */
    size_t idle;                      /* batches since anything better was found */
    struct lib_text reason;           /* why the first run that failed did */
};

/* Partitions that cannot be made, such as that of a map with mistakes, are told in `diags`:
 * false. To be given back with sim_search_close in any case. */
bool sim_search_open(struct sim_search *search, const struct sim_search_request *request,
                     struct lib_diags *diags);

/* Runs as many partitions as it may, `jobs` at a time, until it is stopped. false where the host
 * gives no processes. */
bool sim_search_run(struct sim_search *search, unsigned jobs,
                    const struct sim_runs_watch *watch, struct lib_diags *diags);
void sim_search_close(struct sim_search *search);

/* Adds the map of the best one. */
void sim_search_write(const struct sim_search *search, struct lib_text *out);

#endif
