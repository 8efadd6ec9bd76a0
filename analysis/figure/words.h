/* Texts in a figure: their width, and their quotation for gnuplot. */
#ifndef ANALYSIS_FIGURE_WORDS_H
#define ANALYSIS_FIGURE_WORDS_H

#include "lib/arena.h"
#include "lib/text.h"

#include <stdbool.h>

/* Returns the width of a text in cm, at 8 points: that of Helvetica, which Arial, Liberation Sans
 * and TeX Gyre Heros share, and a little more for other fonts. */
double analysis_words_width(const char *text);

/* Returns true if a name ends with its unit, as "live_tokens" with "tokens" and "cycles" with
 * "cycles". */
bool analysis_words_say(const char *name, const char *unit);

/* Returns a key of a finding or a column as words: "issue slots" for "issue_slot". They live in the
 * arena. */
const char *analysis_words_of_key(struct lib_arena *arena, const char *key);

/* Returns a key with blanks between its words. It lives in the arena. */
const char *analysis_words_plain(struct lib_arena *arena, const char *key);

/* A text in lines. */
enum { ANALYSIS_WORDS_LINES = 8 };
struct analysis_lines {
    size_t count; /* at least 1 */
    const char *lines[ANALYSIS_WORDS_LINES];
};

/* Divides a text into as few lines as fit into a width, of about the same length. Lines end at
 * blanks; where a word is too wide for a line, between its letters. The lines live in the arena. */
struct analysis_lines analysis_words_wrap(struct lib_arena *arena, const char *text,
                                          double width);

/* Before a digit in a text: ten to that power. Elsewhere it is a control character from the user,
 * and is left out as all of them are. */
#define ANALYSIS_POWER "\x01"

enum analysis_words_use { ANALYSIS_WORDS_LABEL, ANALYSIS_WORDS_TICK };

/* Adds a text as a string of gnuplot, without markup. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use);

#endif
