/* Ports on the command line: `--port NAME=FILE` names the file of the elements that a port in is
 * fed, or the file that the elements of a port out are written to (sim/session/port_file.h). A
 * file that is not regular, and `-`, the standard input, is a pipe: it is read line by line,
 * while the run waits. */
#ifndef SIM_CLI_PORTS_H
#define SIM_CLI_PORTS_H

#include <stdio.h>

#include "sim/cli/options.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* File of a port. */
struct sim_port_end {
    const char *path;     /* NULL: no file was given */
    FILE *stream;         /* of a port out or a pipe; otherwise NULL */
    struct lib_text line; /* scratch */
    uint32_t lines;       /* lines read from a pipe */
    bool is_closed;       /* port in: the pipe has ended */
};

struct sim_ports {
    const struct isa_graph *graph;
    struct lib_arena *arena;
    struct sim_feeds feeds; /* feeds of regular files */
    struct sim_port_end *ends;
    struct lib_text taken; /* lines to print, of ports out without a file */
    bool has_pipes;
    bool only_files; /* no pipes, no outputs */
};

/* Where the feeds of a run come from. */
enum sim_ports_feeder {
    SIM_PORTS_RUN,      /* --port: files and pipes; it says where outputs go to, too */
    SIM_PORTS_FILES,    /* --port: regular files, as the run may be made more than once */
    SIM_PORTS_RECORDED, /* a recording */
};

/* Opens the files of --port. Returns false and adds diagnostics on failure. Must be closed in
 * either case. */
bool sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
                    const struct isa_graph *graph, enum sim_ports_feeder feeder,
                    struct lib_diags *diags);

/* Receivers of the feeds of a pipe. */
struct sim_ports_run {
    struct sim_simulation *simulation;
    struct sim_recorder *recorder; /* NULL: the run is not recorded */
    struct sim_tracer *tracer;     /* NULL: no events are written */
};

/* Writes the elements of ports out that are written and not taken yet. */
void sim_ports_take(struct sim_ports *ports, struct sim_simulation *simulation);

/* Feeds the next line of a pipe to a run that waits. Returns false if no pipe has one, and adds a
 * diagnostic if the line is invalid. */
bool sim_ports_feed(struct sim_ports *ports, const struct sim_ports_run *run,
                    struct lib_diags *diags);

/* Closes the files. Returns false and adds a diagnostic if one could not be written. */
bool sim_ports_close(struct sim_ports *ports, struct lib_diags *diags);

#endif
