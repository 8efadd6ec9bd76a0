/* Texts in a figure: their width, and their quotation for gnuplot. */
#ifndef ANALYSIS_FIGURE_WORDS_H
#define ANALYSIS_FIGURE_WORDS_H

#include "lib/text.h"

#include <stdbool.h>

/* Returns the width of a text in cm, at 8 points: that of Helvetica, which Arial, Liberation Sans
 * and TeX Gyre Heros share, and a little more for other fonts. */
double analysis_words_width(const char *text);

/* Returns true if a name ends with its unit, as "live_tokens" with "tokens" and "cycles" with
 * "cycles". */
bool analysis_words_say(const char *name, const char *unit);

/* Before a digit in a text: ten to that power. Elsewhere it is a control character from the user,
 * and is left out as all of them are. */
#define ANALYSIS_POWER "\x01"

enum analysis_words_use { ANALYSIS_WORDS_LABEL, ANALYSIS_WORDS_TICK };

/* Adds a text as a string of gnuplot, without markup. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use);

#endif
