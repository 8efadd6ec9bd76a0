/* Ports on the command line. `--port NAME=FILE` names the file from which the elements of an input
 * port are read, or to which the elements of an output port are written (sim/session/port_file.h).
 * An input file that is not regular, such as the standard input `-`, is called a pipe: it is read
 * line by line while the run waits. */
#ifndef SIM_CLI_PORTS_H
#define SIM_CLI_PORTS_H

#include <stdio.h>

#include "lib/atomic_file.h"
#include "sim/cli/options.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"

/* File of one port of a program. */
struct sim_port_end {
    const char *path; /* NULL: the port has no file */
    FILE *stream;     /* open file of an output port, or pipe; else NULL */
    struct lib_atomic_file
        aside;            /* the file of an output port, if it is not standard output */
    struct lib_text line; /* buffer for a line of the file */
    uint32_t lines;       /* number of lines read from a pipe */
    bool is_closed;       /* the pipe has ended */
};

struct sim_ports {
    const struct isa_graph *graph;
    struct lib_arena *arena;
    struct sim_feeds feeds;    /* elements from regular files, for input ports */
    struct sim_port_end *ends; /* files, one per port of the program */
    struct lib_text taken;     /* lines to print, from output ports without a file */
    bool has_pipes;
    bool only_files; /* pipes and output ports are errors, as the run may be repeated */
};

/* Source of the elements for input ports. */
enum sim_ports_feeder {
    SIM_PORTS_RUN,      /* --port: files and pipes; also names files of output ports */
    SIM_PORTS_FILES,    /* --port: regular files only, as the run may be repeated */
    SIM_PORTS_RECORDED, /* the recording that is read */
};

/* Opens the files of --port. Returns false and adds diagnostics on failure. Call sim_ports_close
 * even then. */
bool sim_ports_open(struct sim_ports *ports, const struct sim_options *options,
                    const struct isa_graph *graph, enum sim_ports_feeder feeder,
                    struct lib_diags *diags);

/* Receivers of the elements that are read from a pipe: a run, its recording and its events. */
struct sim_ports_run {
    struct sim_simulation *simulation;
    struct sim_recorder *recorder; /* recorder of the run, or NULL */
    struct sim_tracer *tracer;     /* writer of the run's events, or NULL */
};

/* Writes new elements of output ports to their files. Returns false if one cannot be written, which
 * a diagnostic of this function or of sim_ports_close says. */
bool sim_ports_take(struct sim_ports *ports, struct sim_simulation *simulation,
                    struct lib_diags *diags);

/* Feeds the next line of a pipe to a run that waits. Returns false if no pipe has a line, or, with
 * a diagnostic, if the line is invalid. */
bool sim_ports_feed(struct sim_ports *ports, const struct sim_ports_run *run,
                    struct lib_diags *diags);

/* Closes the files of ports, which appear then. Returns false and adds a diagnostic if one could
 * not be written: it is removed. */
bool sim_ports_close(struct sim_ports *ports, struct lib_diags *diags);

#endif
