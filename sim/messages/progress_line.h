/* Line of progress on standard error. On a terminal it is rewritten a few times per second and
 * erased at the end. Elsewhere, with -v, a new line is written every few seconds. */
#ifndef SIM_MESSAGES_PROGRESS_LINE_H
#define SIM_MESSAGES_PROGRESS_LINE_H

#include "sim/messages/messages.h"

struct sim_progress_line {
    /* Writes each line as a new message; NULL: one line is rewritten. */
    const struct sim_printer *printer;
    bool shown, visible;
    double start;
    double next; /* time when the next line is due, in seconds (sim_host_clock) */
};

void sim_progress_line_start(struct sim_progress_line *line,
                             const struct sim_printer *printer);

bool sim_progress_line_is_due(const struct sim_progress_line *line);

/* Writes the line, cut to the width of a terminal. */
void sim_progress_line_write(struct sim_progress_line *line, struct lib_text *text);
void sim_progress_line_end(struct sim_progress_line *line);

/* If a line is due, writes how many runs are done, and how long the others may take. */
void sim_progress_line_show_runs(struct sim_progress_line *line, size_t done,
                                 size_t failed, size_t all);

/* Writes a line, if one is due: how many events were read, and `cycle` as a share of the last cycle
 * `last` (0: unknown). */
void sim_progress_line_show_events(struct sim_progress_line *line, uint64_t events,
                                   uint64_t cycle, uint64_t last);

/* Adds a name and a rounded number: " depth 59.7M". */
void sim_progress_line_add_number(struct lib_text *text, const char *name,
                                  uint64_t number);

void sim_progress_line_add_time(struct lib_text *text, double seconds);

#endif
