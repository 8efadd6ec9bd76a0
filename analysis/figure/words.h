/* Texts in figures: their width, and quoting for gnuplot. */
#ifndef ANALYSIS_FIGURE_WORDS_H
#define ANALYSIS_FIGURE_WORDS_H

#include "lib/arena.h"
#include "lib/text.h"

#include <stdbool.h>

/* Returns the width of a text in cm at 8 points: that of Helvetica, Arial, Liberation Sans and TeX
 * Gyre Heros, and a little more for other fonts. */
double analysis_words_width(const char *text);

/* Whether a name ends with its unit, as "live_tokens" with "tokens", or "cycles" with "cycles". */
bool analysis_words_say(const char *name, const char *unit);

/* Returns a key as words for a figure: "issue slots" for "issue_slot". Lives in the arena. */
const char *analysis_words_of_key(struct lib_arena *arena, const char *key);

/* Returns a key with blanks between its words. Lives in the arena. */
const char *analysis_words_plain(struct lib_arena *arena, const char *key);

/* A text that was broken into lines. */
enum { ANALYSIS_WORDS_LINES = 8 };
struct analysis_lines {
    size_t count; /* number of lines, at least 1 */
    const char *lines[ANALYSIS_WORDS_LINES];
};

/* Breaks a text into as few lines as fit a width, of about equal length. Breaks at blanks, or
 * within a word that is wider than a line. The lines live in the arena. */
struct analysis_lines analysis_words_wrap(struct lib_arena *arena, const char *text,
                                          double width);

/* In a text, this before a digit means ten to that power. From the user it is a control character,
 * which is left out like all of them. */
#define ANALYSIS_POWER "\x01"

enum analysis_words_use { ANALYSIS_WORDS_LABEL, ANALYSIS_WORDS_TICK };

/* Adds a text as a gnuplot string, with its markup escaped. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use);

#endif
