/* What the user is told: messages and diagnostics on standard error, results on standard
 * output, output files; and the exit statuses.
 *
 * A message names the command ("hiaton run: ..."); a diagnostic about a file names the
 * file. Colour is used on a terminal only, and not under NO_COLOR. */
#ifndef SIM_MESSAGES_MESSAGES_H
#define SIM_MESSAGES_MESSAGES_H

#include "lib/atomic_file.h"
#include "lib/diag.h"
#include "sim/ending/status.h"

/* What a fault means for the process. */
enum sim_status sim_status_of(enum lib_fault fault);

/* Who is speaking, and how much. */
struct sim_voice {
    const char *command; /* "hiaton run" */
    bool quiet, verbose;
};

/* Writes a line on standard error: "hiaton run: TEXT". */
void sim_say(const struct sim_voice *voice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes "Try `hiaton run --help' for more information." */
void sim_point_to_help(const struct sim_voice *voice);

/* Writes one diagnostic about a file, as lib_diags_write makes it, its kind in colour. */
void sim_print_diagnostic(const char *printed, bool is_warning);

/* Writes the diagnostics, warnings not where quiet, and empties the list. Points to
 * --help if the command line was wrong. Returns SIM_USAGE if there was an error, else
 * SIM_DONE. */
enum sim_status sim_tell(const struct sim_voice *voice, struct lib_diags *diags);

/* Writes a text to standard output, or to the file `path` if that is neither NULL nor
 * "-". On failure says so; SIM_INTERNAL where the disk is full or broken, SIM_USAGE where
 * no such file can be. */
enum sim_status sim_put(const struct sim_voice *voice, const char *path,
                        const struct lib_text *text);

/* The same piece by piece: of what may be too long for the memory. A file has its name when it is
 * closed. */
struct sim_pieces {
    const struct sim_voice *voice;
    struct lib_atomic_file aside;
    bool is_file;
};

/* If it is not SIM_DONE, nothing is open. */
enum sim_status sim_pieces_open(struct sim_pieces *pieces, const struct sim_voice *voice,
                                const char *path);
void sim_pieces_put(struct sim_pieces *pieces, struct lib_text *text); /* empties it */
enum sim_status sim_pieces_close(struct sim_pieces *pieces);

/* Whether a file can be made at `path`, as far as one can tell without making it: said
 * before hours are spent on what it will hold. */
enum sim_status sim_check_writable(const struct sim_voice *voice, const char *path);

/* Whether standard error is a terminal; and one that shall show colours. */
bool sim_on_terminal(void);
bool sim_in_colour(void);

/* Has failures to write standard output found and told when the process exits, then with
 * SIM_INTERNAL. Called once, by main. */
void sim_guard_output(void);

#endif
