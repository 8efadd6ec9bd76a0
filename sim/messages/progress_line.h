/* One line on standard error that says how far something is: where that is a terminal,
 * rewritten a few times a second and erased at the end; elsewhere, if asked with -v, a line
 * more every few seconds. */
#ifndef SIM_MESSAGES_PROGRESS_LINE_H
#define SIM_MESSAGES_PROGRESS_LINE_H

#include "sim/messages/messages.h"

struct sim_progress_line {
    const struct sim_voice *voice; /* of lines that stay; NULL: it is rewritten */
    bool shown, visible;
    double start;
    double next; /* when it may be written again, on the clock of sim_host_clock */
};

void sim_progress_line_start(struct sim_progress_line *line,
                             const struct sim_voice *voice);

/* Whether it is time to write it. */
bool sim_progress_line_is_due(const struct sim_progress_line *line);

/* Writes it; on a terminal cut off where that ends. */
void sim_progress_line_write(struct sim_progress_line *line, struct lib_text *text);
void sim_progress_line_end(struct sim_progress_line *line);

/* Where it is time, writes how many runs are done, and how long the others may take. */
void sim_progress_line_show_runs(struct sim_progress_line *line, size_t done,
                                 size_t failed, size_t all);

/* Where it is time, writes how many events there were, and how far their cycle is on the way to
 * the last one; 0: that is not known. */
void sim_progress_line_show_events(struct sim_progress_line *line, uint64_t events,
                                   uint64_t cycle, uint64_t last);

/* Adds a name and a number of few digits: "  depth 59.7M". */
void sim_progress_line_add_number(struct lib_text *text, const char *name,
                                  uint64_t number);

/* Adds "12 s", "3 min", "2.5 h". */
void sim_progress_line_add_time(struct lib_text *text, double seconds);

#endif
