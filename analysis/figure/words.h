/* Texts in figures: their width, and quoting for gnuplot. */
#ifndef ANALYSIS_FIGURE_WORDS_H
#define ANALYSIS_FIGURE_WORDS_H

#include "lib/arena.h"
#include "lib/text.h"

#include <stdbool.h>

/* Returns the width of a text in cm at 8 points in Helvetica, Arial, Liberation Sans or TeX Gyre
 * Heros, plus a reserve for wider fonts. */
double analysis_words_width(const char *text);

/* Whether a name ends with its unit, as "live_tokens" ends with "tokens". */
bool analysis_words_say(const char *name, const char *unit);

/* Returns a key as words for a figure: "issue slots" for "issue_slot". The text belongs to the
 * arena. */
const char *analysis_words_of_key(struct lib_arena *arena, const char *key);

/* Returns a key with blanks between its words. The text belongs to the arena. */
const char *analysis_words_plain(struct lib_arena *arena, const char *key);

enum { ANALYSIS_WORDS_LINES = 8 }; /* maximum number of lines of a broken text */

/* A text, broken into lines. */
struct analysis_lines {
    size_t count; /* at least 1 */
    const char *lines[ANALYSIS_WORDS_LINES];
};

/* Breaks a text into the fewest lines, at most ANALYSIS_WORDS_LINES of about equal length, that are
 * not wider than `width` cm. Breaks at blanks; if no such lines fit, within words; returns lines
 * that are too wide if that fails, too. The lines belong to the arena. */
struct analysis_lines analysis_words_wrap(struct lib_arena *arena, const char *text,
                                          double width);

/* In a text, this character before a digit means ten to that power. Control characters in texts of
 * the user are omitted, so it cannot come from there. */
#define ANALYSIS_POWER "\x01"

enum analysis_words_use { ANALYSIS_WORDS_LABEL, ANALYSIS_WORDS_TICK };

/* Adds a text as a gnuplot string, with markup escaped. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use);

#endif
