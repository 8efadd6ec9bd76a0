/* Output for the user: messages and diagnostics on standard error, results on standard output,
 * output files; and exit statuses.
 *
 * A message begins with the command ("hiaton run: ..."), a diagnostic about a file with the file.
 * Colour is used on a terminal only, and not under NO_COLOR. */
#ifndef SIM_MESSAGES_MESSAGES_H
#define SIM_MESSAGES_MESSAGES_H

#include "lib/atomic_file.h"
#include "lib/diag.h"
#include "sim/ending/status.h"

/* Returns the exit status that a kind of error leads to. */
enum sim_status sim_status_of(enum lib_fault fault);

/* The running command, whose name begins its messages, and its verbosity. */
struct sim_printer {
    const char *command; /* "hiaton run" */
    bool quiet, verbose;
};

/* Writes a line on standard error: "hiaton run: TEXT". */
void sim_say(const struct sim_printer *printer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes "Try `hiaton run --help' for more information." */
void sim_point_to_help(const struct sim_printer *printer);

/* Writes a diagnostic to standard error; on a terminal the word "error" or "warning" has a colour.
 * `printed` is the text that lib_diags_write makes of the diagnostic. */
void sim_print_diagnostic(const char *printed, bool is_warning);

/* Writes the diagnostics, without warnings if `quiet`, and empties the list. Points to --help if
 * the command line was wrong. Returns SIM_USAGE if there was an error, else SIM_DONE. */
enum sim_status sim_tell(const struct sim_printer *printer, struct lib_diags *diags);

/* Writes a text to standard output, or to the file `path` if that is neither NULL nor "-". On
 * errors prints a message and returns SIM_INTERNAL if the disk is full or broken, SIM_USAGE if the
 * file cannot exist. */
enum sim_status sim_put(const struct sim_printer *printer, const char *path,
                        const struct lib_text *text);

/* Output in pieces, for texts that may not fit in memory. A file gets its name when it is
 * closed. */
struct sim_pieces {
    const struct sim_printer *printer;
    struct lib_atomic_file aside;
    bool is_file;
};

/* Opens the output. Nothing is open unless this returns SIM_DONE. */
enum sim_status sim_pieces_open(struct sim_pieces *pieces,
                                const struct sim_printer *printer, const char *path);
void sim_pieces_put(struct sim_pieces *pieces,
                    struct lib_text *text); /* empties `text` */
enum sim_status sim_pieces_close(struct sim_pieces *pieces);

/* Checks, as far as possible without making it, that a file can be made at `path`: so that an error
 * is reported before a long run. */
enum sim_status sim_check_writable(const struct sim_printer *printer, const char *path);

/* Whether standard error is a terminal; whether it shows colours. */
bool sim_on_terminal(void);
bool sim_in_colour(void);

/* Makes the process report at its exit that standard output could not be written, with status
 * SIM_INTERNAL. Called once, by main. */
void sim_guard_output(void);

#endif
