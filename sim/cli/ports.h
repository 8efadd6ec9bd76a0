/* Ports on the command line: `--port NAME=FILE`, of a port in the file of what it is fed, of a
 * port out the file for what is taken (sim/session/port_file.h). What is no regular file, and
 * `-`, the standard input, is a pipe: it is read line by line, and only while the run waits. */
#ifndef SIM_CLI_PORTS_H
#define SIM_CLI_PORTS_H

#include <stdio.h>

#include "sim/cli/options.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* A port with a file. */
struct sim_port_end {
    const char *path; /* NULL: it was not named */
    FILE *stream;     /* of a port out, and of a pipe; else NULL */
    struct lib_text line;
    uint32_t lines; /* of a pipe, read so far */
    uint64_t cycle; /* of the last one */
    bool is_closed; /* a port in: nothing follows */
};

struct sim_ports {
    const struct isa_graph *graph;
    struct lib_arena *arena;
    struct sim_feeds feeds; /* those that files say */
    struct sim_port_end *ends;
    struct lib_text taken; /* of ports out that have no file: lines to print */
    bool has_pipes;
};

/* Opens what --port names. `is_recorded`: what ports in are fed is known already. Returns false
 * after errors; is to be closed in either case. */
bool sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
                    const struct isa_graph *graph, bool is_recorded,
                    struct lib_diags *diags);

/* Who is told of what comes through a pipe. */
struct sim_ports_run {
    struct sim_simulation *simulation;
    struct sim_recorder *recorder; /* or NULL */
    struct sim_tracer *tracer;     /* or NULL */
};

/* Writes what ports out have, as far as it is there. */
void sim_ports_take(struct sim_ports *ports, struct sim_simulation *simulation);

/* The run waits: feeds it the next line of a pipe. Returns false if there is none, or after an
 * error. */
bool sim_ports_feed(struct sim_ports *ports, const struct sim_ports_run *run,
                    struct lib_diags *diags);

/* Closes the files. Returns false and adds a diagnostic if one could not be written. */
bool sim_ports_close(struct sim_ports *ports, struct lib_diags *diags);

#endif
