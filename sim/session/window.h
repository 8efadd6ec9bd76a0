/* Windows: the part of a run whose statistics the user wants (`hiaton run --window`;
 * doc/metrics.md, Parts of a run). A window is a range of cycles, or the first call of a
 * function. */
#ifndef SIM_SESSION_WINDOW_H
#define SIM_SESSION_WINDOW_H

#include "lib/text.h"
#include "sim/session/simulation.h"

struct sim_window {
    const char *text; /* the window as the user wrote it */
    /* function whose first call is the window; NULL: a range of cycles */
    const char *function;
    uint64_t from, to; /* cycles `from` to `to` - 1; UINT64_MAX: to the end */
};

/* Reads "FROM..TO", "FROM..", "..TO" or the name of a function. The window borrows the text.
 * Returns false and adds the reason to `why` if the text is none of these. */
bool sim_window_read(struct sim_window *window, const char *text, struct lib_text *why);

/* Reads cycles alone. */
bool sim_window_read_cycles(struct sim_window *window, const char *text,
                            struct lib_text *why);

/* Returns false if the graph lacks the function of a window. Then adds the reason and the
 * nearest name to `why`. */
bool sim_window_check(const struct sim_window *window, const struct isa_graph *graph,
                      struct lib_text *why);

/* A callback that advances a simulation as sim_simulation_advance does. */
typedef enum sim_advanced sim_window_advancer(void *context,
                                              const struct sim_until *until);

/* Advances a simulation to its end by calling `advance` (NULL: sim_simulation_advance).
 * Restricts its statistics to the window of its configuration, if any. The graph must have the
 * function of the window. The simulation has not advanced yet, or it continues from a checkpoint
 * at or before sim_window_latest. */
enum sim_advanced sim_window_advance(struct sim_simulation *simulation,
                                     sim_window_advancer *advance, void *context);

/* Opens a simulation, advances it until it ends or is stopped, and closes it. Returns false and
 * adds diagnostics if it cannot be opened; then `ending` is all zero. */
bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags);

/* Returns the latest cycle at which a run can be resumed and the window still be measured. */
uint64_t sim_window_latest(const struct sim_window *window);

/* Adds the reason why a run that ended as `ending` did no cycle of the window. */
void sim_window_explain(const struct sim_window *window, const struct sim_ending *ending,
                        struct lib_text *out);

#endif
