/* Texts in a figure: how wide they are, and how gnuplot is told to show them as they are. */
#ifndef ANALYSIS_FIGURE_WORDS_H
#define ANALYSIS_FIGURE_WORDS_H

#include "lib/text.h"

#include <stdbool.h>

/* In cm, of 8 points: the widths of Helvetica, which Arial, Liberation Sans and TeX Gyre Heros
 * share, and some more for other fonts. */
double analysis_words_width(const char *text);

/* Whether a name says its unit at its end: "live_tokens" and "tokens", "cycles" and "cycles". */
bool analysis_words_say(const char *name, const char *unit);

/* In front of a digit in a text: ten to that power. Elsewhere it is a control character of the
 * user's, and left out as all are. */
#define ANALYSIS_POWER "\x01"

enum analysis_words_use { ANALYSIS_WORDS_LABEL, ANALYSIS_WORDS_TICK };

/* Adds a string of gnuplot that is shown as it is. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use);

#endif
