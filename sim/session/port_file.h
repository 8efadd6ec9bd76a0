/* Files with elements for input ports, one per line. `VALUE` or `CYCLE: VALUE` feeds an element at
 * the beginning of the cycle; `end` or `CYCLE: end` closes the port.
 *
 * A line without a cycle has the cycle of the line before; the first has cycle 0. The end of the
 * file closes an open port in the cycle of the last line. Values are as `hiaton run` prints them:
 * 5, 2.5, true, (1, 2.5) for a tuple, [[1.0, 2.0], [3.0, 4.0]] for a tensor. Empty lines and text
 * after a `#` are ignored. */
#ifndef SIM_SESSION_PORT_FILE_H
#define SIM_SESSION_PORT_FILE_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "sim/session/feeds.h"

/* One line of a port file. */
struct sim_port_line {
    enum { SIM_PORT_LINE_NOTHING, SIM_PORT_LINE_VALUE, SIM_PORT_LINE_END } what;
    bool has_cycle;
    uint64_t cycle;
    struct machine_fed *parts; /* parts of the value: one, or several of a tuple */
};

/* Reads the line of a source that begins at `at` as a line for an input port. Its number, counted
 * from 1, is for messages. The parts of its value live in `arena`. Returns false and adds a
 * diagnostic if the line is invalid. */
bool sim_port_line_read(const struct isa_graph *graph, uint32_t port,
                        const struct lib_source *source, const char *at, uint32_t number,
                        struct lib_arena *arena, struct sim_port_line *line,
                        struct lib_diags *diags);

/* Reads the file of an input port and adds its elements to `feeds`. Returns false and adds a
 * diagnostic if a line is invalid. */
bool sim_port_file_read(struct sim_feeds *feeds, const struct isa_graph *graph,
                        uint32_t port, const struct lib_source *source,
                        struct lib_diags *diags);

/* Sorts the feeds of several files by cycle, then by port. Feeds of one port keep their order. */
void sim_feeds_sort(struct sim_feeds *feeds);

/* Appends an element of an output port as a line of text, without a newline. */
void sim_port_element_write(const struct isa_exec *exec, const struct isa_port *port,
                            const isa_value *values, struct lib_text *out);

#endif
