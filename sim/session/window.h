/* Windows: parts of a run as the user asks for them, `hiaton run --window` (doc/metrics.md, Parts
 * of a run). A window is some cycles, or the first call of a function. */
#ifndef SIM_SESSION_WINDOW_H
#define SIM_SESSION_WINDOW_H

#include "lib/text.h"
#include "sim/session/simulation.h"

struct sim_window {
    const char *text;     /* as it was asked for */
    const char *function; /* from the first call of it to its end; NULL: */
    uint64_t from, to;    /* the cycles from `from` to `to` - 1; UINT64_MAX: to the end */
};

/* Reads "FROM..TO", "FROM..", "..TO" or the name of a function; the window borrows the text. false,
 * and why: it is none. */
bool sim_window_read(struct sim_window *window, const char *text, struct lib_text *why);

/* Whether a graph has the function that a window names, if it does; else why not, with the nearest
 * name. */
bool sim_window_check(const struct sim_window *window, const struct isa_graph *graph,
                      struct lib_text *why);

/* Goes on with a simulation, as sim_simulation_advance does. */
typedef enum sim_advanced sim_window_advancer(void *context,
                                              const struct sim_until *until);

/* Advances a simulation to its end by `advance` (NULL: by sim_simulation_advance), and makes the
 * window of its configuration, if there is one, the part of it (sim_simulation_begin_part). The
 * graph has the function. The simulation has not advanced yet, or goes on from a checkpoint of a
 * cycle that is not behind the first of the window; where a function is asked for, it has not
 * advanced. */
enum sim_advanced sim_window_advance(struct sim_simulation *simulation,
                                     sim_window_advancer *advance, void *context);

/* The greatest cycle from which a simulation may go on. */
uint64_t sim_window_latest(const struct sim_window *window);

/* Why a run that ended so has nothing in the window. */
void sim_window_explain(const struct sim_window *window, const struct sim_ending *ending,
                        struct lib_text *out);

#endif
