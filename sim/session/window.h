/* Windows: parts of a run as the user asks for them, `hiaton run --window` (doc/metrics.md, Parts
 * of a run). A window is some cycles, or the first call of a function. */
#ifndef SIM_SESSION_WINDOW_H
#define SIM_SESSION_WINDOW_H

#include "lib/text.h"
#include "sim/session/simulation.h"

struct sim_window {
    const char *text;     /* the window as the user gave it */
    const char *function; /* the window is the first call of this; NULL: it is cycles */
    uint64_t from, to;    /* cycles `from` to `to` - 1; UINT64_MAX: to the end */
};

/* Reads "FROM..TO", "FROM..", "..TO" or the name of a function; the window borrows the text.
 * Returns false and adds the reason to `why` if the text is something else. */
bool sim_window_read(struct sim_window *window, const char *text, struct lib_text *why);

/* Reads cycles alone. */
bool sim_window_read_cycles(struct sim_window *window, const char *text,
                            struct lib_text *why);

/* Returns false if a graph does not have the function of a window; `why` is then the reason, with
 * the nearest name. */
bool sim_window_check(const struct sim_window *window, const struct isa_graph *graph,
                      struct lib_text *why);

/* Advances a simulation, as sim_simulation_advance does. */
typedef enum sim_advanced sim_window_advancer(void *context,
                                              const struct sim_until *until);

/* Advances a simulation to its end by `advance` (NULL: by sim_simulation_advance), and restricts
 * its statistics to the window of its configuration, if any (sim_simulation_begin_part). The
 * graph must have the function of the window. The simulation has not advanced yet, or it continues
 * from a checkpoint at or before sim_window_latest. */
enum sim_advanced sim_window_advance(struct sim_simulation *simulation,
                                     sim_window_advancer *advance, void *context);

/* Returns the latest cycle of a checkpoint from which the window can still be measured. */
uint64_t sim_window_latest(const struct sim_window *window);

/* Adds the reason why a run with this ending has nothing in the window. */
void sim_window_explain(const struct sim_window *window, const struct sim_ending *ending,
                        struct lib_text *out);

#endif
