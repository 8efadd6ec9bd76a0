/* Files of elements for ports, a line each: `VALUE`, or `CYCLE: VALUE` for an element that is
 * fed at the beginning of that cycle; and `CYCLE: end`, or `end`, which closes the port. Without
 * a cycle a line is of the cycle of the line before, the first one of cycle 0; the end of the
 * file closes a port that is open, in the cycle of the last line. Values are written as `hiaton
 * run` prints them: 5, 2.5, true, (1, 2.5) of a tuple, [[1.0, 2.0], [3.0, 4.0]] of a tensor.
 * Empty lines, and what follows a `#`, say nothing. */
#ifndef SIM_SESSION_PORT_FILE_H
#define SIM_SESSION_PORT_FILE_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "sim/session/feeds.h"

/* What a line says. */
struct sim_port_line {
    enum { SIM_PORT_LINE_NOTHING, SIM_PORT_LINE_VALUE, SIM_PORT_LINE_END } what;
    bool has_cycle;
    uint64_t cycle;
    struct machine_fed *parts; /* of a value: in the arena */
};

/* Reads line number `number` of a source, from 1, for a port in. Returns false and adds a
 * diagnostic if it is none. */
bool sim_port_line_read(const struct isa_graph *graph, uint32_t port,
                        const struct lib_source *source, uint32_t number,
                        struct lib_arena *arena, struct sim_port_line *line,
                        struct lib_diags *diags);

/* Reads all of a file for a port in, of which nothing was fed yet, and adds it to the feeds, in
 * whose arena their values lie. Returns false after errors. */
bool sim_port_file_read(struct sim_feeds *feeds, const struct isa_graph *graph,
                        uint32_t port, const struct lib_source *source,
                        struct lib_diags *diags);

/* Puts the feeds of several files in the order of their cycles, and of one cycle in that of the
 * ports. */
void sim_feeds_sort(struct sim_feeds *feeds);

/* Adds an element of a port out as such a line, without its end. */
void sim_port_element_write(const struct isa_exec *exec, const struct isa_port *port,
                            const isa_value *values, struct lib_text *out);

#endif
