/* Ports on the command line. `--port NAME=FILE` names the file of the elements of an input port, or
 * the file to which the elements of an output port are written (sim/session/port_file.h). A file
 * that is not regular, as `-`, the standard input, is a pipe: it is read line by line while the run
 * waits. */
#ifndef SIM_CLI_PORTS_H
#define SIM_CLI_PORTS_H

#include <stdio.h>

#include "sim/cli/options.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* The file of one port. */
struct sim_port_end {
    const char *path;     /* NULL: no file was given */
    FILE *stream;         /* of an output port or a pipe; otherwise NULL */
    struct lib_text line; /* buffer for a line */
    uint32_t lines;       /* number of lines read from a pipe */
    bool is_closed;       /* the pipe of an input port has ended */
};

struct sim_ports {
    const struct isa_graph *graph;
    struct lib_arena *arena;
    struct sim_feeds feeds;    /* elements of regular files */
    struct sim_port_end *ends; /* files, one per port of the program */
    struct lib_text taken;     /* lines to print, from output ports without a file */
    bool has_pipes;
    bool only_files; /* pipes and output ports are not used */
};

/* Where the elements for input ports come from. */
enum sim_ports_feeder {
    SIM_PORTS_RUN,      /* --port: files and pipes; it also names files of output ports */
    SIM_PORTS_FILES,    /* --port: regular files only, as the run may be repeated */
    SIM_PORTS_RECORDED, /* a recording */
};

/* Opens the files of --port. Returns false and adds diagnostics on failure. Close in either
 * case. */
bool sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
                    const struct isa_graph *graph, enum sim_ports_feeder feeder,
                    struct lib_diags *diags);

/* Receivers of the elements from a pipe. */
struct sim_ports_run {
    struct sim_simulation *simulation;
    struct sim_recorder *recorder; /* NULL: the run is not recorded */
    struct sim_tracer *tracer;     /* NULL: no events are written */
};

/* Writes new elements of output ports to their files. */
void sim_ports_take(struct sim_ports *ports, struct sim_simulation *simulation);

/* Feeds the next line of a pipe to a run that waits. Returns false if no pipe has one; returns
 * false and adds a diagnostic if it is invalid. */
bool sim_ports_feed(struct sim_ports *ports, const struct sim_ports_run *run,
                    struct lib_diags *diags);

/* Closes the files. Returns false and adds a diagnostic if one could not be written. */
bool sim_ports_close(struct sim_ports *ports, struct lib_diags *diags);

#endif
