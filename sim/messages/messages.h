/* Messages and diagnostics on standard error, results on standard output, output files; and exit
 * statuses.
 *
 * A message begins with the command ("hiaton run: ..."), a diagnostic about a file with the file.
 * Colour is used on a terminal only, and not under NO_COLOR. */
#ifndef SIM_MESSAGES_MESSAGES_H
#define SIM_MESSAGES_MESSAGES_H

#include "lib/atomic_file.h"
#include "lib/diag.h"
#include "sim/ending/status.h"

/* Returns the exit status for an error of this kind. */
enum sim_status sim_status_of(enum lib_fault fault);

/* Running command, whose name begins its messages, and how verbose it is. */
struct sim_printer {
    const char *command; /* name of the command: "hiaton run" */
    bool quiet, verbose;
};

/* Writes a line on standard error: "hiaton run: TEXT". */
void sim_say(const struct sim_printer *printer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns SIM_INTERRUPTED. Writes "interrupted" if a signal has stopped the command (sim_stop). */
enum sim_status sim_interrupted(const struct sim_printer *printer);

/* Writes "Try `hiaton run --help' for more information." */
void sim_point_to_help(const struct sim_printer *printer);

/* Writes a diagnostic, as made by lib_diags_write, to standard error. On a terminal the word
 * "error" or "warning" is coloured. */
void sim_print_diagnostic(const char *printed, bool is_warning);

/* Writes the diagnostics, without warnings if `quiet`, and empties the list. Points to --help if
 * the command line was wrong. Returns SIM_INTERNAL if the host is to blame for an error
 * (LIB_DIAG_HOST), SIM_USAGE if there was another error, else SIM_DONE. */
enum sim_status sim_tell(const struct sim_printer *printer, struct lib_diags *diags);

/* Writes a text to the file `path`, or to standard output if `path` is NULL or "-". On failure
 * prints a message and returns SIM_INTERNAL if the disk is full or broken, SIM_USAGE if the file
 * cannot exist. */
enum sim_status sim_put(const struct sim_printer *printer, const char *path,
                        const struct lib_text *text);

/* Output in pieces, for texts that may not fit in memory. A file gets its name when it is
 * closed. */
struct sim_pieces {
    const struct sim_printer *printer;
    struct lib_atomic_file aside;
    bool is_file;
};

/* Opens an output that is written in pieces. Nothing is open unless it returns SIM_DONE. */
enum sim_status sim_pieces_open(struct sim_pieces *pieces,
                                const struct sim_printer *printer, const char *path);
void sim_pieces_add(struct sim_pieces *pieces, const void *bytes, size_t length);
void sim_pieces_put(struct sim_pieces *pieces,
                    /* Writes and empties `text`. */
                    struct lib_text *text);
enum sim_status sim_pieces_close(struct sim_pieces *pieces);

/* Closes an incomplete output: a file at the path stays as it was. */
void sim_pieces_abandon(struct sim_pieces *pieces);

/* Checks, as far as possible without making it, that a file can be made at `path`, so that an error
 * is reported before a long run. */
enum sim_status sim_check_writable(const struct sim_printer *printer, const char *path);

/* Whether standard error is a terminal; and whether messages on it are coloured. */
bool sim_on_terminal(void);
bool sim_in_colour(void);

/* Makes the process check at its exit whether standard output was written, and exit with
 * SIM_INTERNAL if not; and refuse outputs that would overwrite an input (lib/guard.h). Called once,
 * by main. */
void sim_guard_output(void);

#endif
