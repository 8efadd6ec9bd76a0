/* Windows: parts of runs to which statistics are restricted (`hiaton run --window`; doc/metrics.md,
 * Parts of a run). A window is a range of cycles, or the first call of a function. */
#ifndef SIM_SESSION_WINDOW_H
#define SIM_SESSION_WINDOW_H

#include "lib/text.h"
#include "sim/session/simulation.h"

struct sim_window {
    const char *text; /* the window as the user wrote it */
    /* Function whose first call is the window; NULL: the window is a range of cycles. */
    const char *function;
    uint64_t from, to; /* cycles `from` to `to` - 1; UINT64_MAX: to the end */
};

/* Reads a window: "FROM..TO", "FROM..", "..TO" or the name of a function. The window borrows
 * `text`. Returns false and appends the reason to `why` if the text is none of these. */
bool sim_window_read(struct sim_window *window, const char *text, struct lib_text *why);

/* Variant of sim_window_read for cycles only, not the name of a function. */
bool sim_window_read_cycles(struct sim_window *window, const char *text,
                            struct lib_text *why);

/* Whether the graph has the function of the window, if any. If not, appends the reason and the
 * nearest name to `why`. */
bool sim_window_check(const struct sim_window *window, const struct isa_graph *graph,
                      struct lib_text *why);

/* A callback that advances a simulation as sim_simulation_advance does. */
typedef enum sim_advanced sim_window_advancer(void *context,
                                              const struct sim_until *until);

/* Advances a simulation to its end, and restricts its statistics to its window, if it has one.
 * `advance` makes each step, with `context` (NULL: sim_simulation_advance). The graph must have the
 * function of the window, and the simulation be at its start, or at a checkpoint not after
 * sim_window_latest. */
enum sim_advanced sim_window_advance(struct sim_simulation *simulation,
                                     sim_window_advancer *advance, void *context);

/* Opens a simulation, advances it until it ends or is stopped, and closes it. If it cannot be
 * opened, returns false, adds diagnostics and zeroes `ending`. */
bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags);

/* Returns the latest cycle at which a run can be resumed so that the window is still measured. */
uint64_t sim_window_latest(const struct sim_window *window);

/* Appends the reason why a run that ended as `ending` has no cycle in the window. */
void sim_window_explain(const struct sim_window *window, const struct sim_ending *ending,
                        struct lib_text *out);

#endif
