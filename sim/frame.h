/* Results as they are read: the columns of a database (doc/results.md), and, of those that
 * are wanted, what stands there, column by column, in the order of the experiment.
 *
 * Everything lives in the frame's arena, and columns as long as the frame. */
#ifndef SIM_FRAME_H
#define SIM_FRAME_H

#include "lib/arena.h"
#include "sim/store.h"

struct sim_frame {
    struct lib_arena *arena;
    struct sim_store store;          /* its status says how reading went */
    const char *name, *title, *text; /* of the experiment; "" where there is none */
    const char *text_name;           /* the file that `text` is from */
    uint64_t asked;                  /* runs of the experiment, also those not made yet */
    struct sim_columns columns;
    struct sim_cell **cells; /* by column; NULL: not wanted */
    size_t run_count;
};

/* Opens a database of results and reads what there is, but no runs. false after an error,
 * with its status in `store`. Give back with sim_frame_close in either case. */
bool sim_frame_open(struct sim_frame *frame, const char *path, struct lib_diags *diags);
void sim_frame_close(struct sim_frame *frame);

/* The column of that name, which the layout promises. */
const struct sim_column *sim_frame_column(const struct sim_frame *frame,
                                          const char *name);

/* Says that a column will be looked at; NULL is allowed. */
void sim_frame_want(struct sim_frame *frame, const struct sim_column *column);

/* Reads the runs. false after an error. */
bool sim_frame_load(struct sim_frame *frame);

/* What stands in a column that was wanted. */
struct sim_cell sim_frame_cell(const struct sim_frame *frame, size_t run,
                               const struct sim_column *column);

#endif
