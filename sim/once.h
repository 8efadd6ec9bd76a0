/* Which runs a cube has counted, and where: a run counts once at a place. Where nothing is
 * random, all repetitions and seeds of a combination are one run (sim/expand.h), and ten equal
 * numbers of it would look like ten that agree.
 *
 * Runs are told apart by identity, and by program and machine: two of their names may stand
 * for the same, and were asked for apart. */
#ifndef SIM_ONCE_H
#define SIM_ONCE_H

#include "sim/keys.h"

struct sim_once {
    analysis_column_list columns; /* owned; none where results have no identities */
    struct sim_keys keys;
    struct sim_once_entry *entries; /* in the arena of the keys */
};

/* Says which columns it looks at: before traces_reader_load. */
void sim_once_want(struct traces_reader *frame);

/* `once` must not be moved. Give back with sim_once_free. */
void sim_once_start(struct sim_once *once, const struct traces_reader *frame,
                    struct lib_arena *arena);
void sim_once_free(struct sim_once *once);

/* Whether a run comes to a place for the first time. Compared with another base, which
 * `source` stands for, it gives another number. */
bool sim_once_take(struct sim_once *once, const struct traces_reader *frame, size_t run,
                   size_t place, uint64_t source);

#endif
