/* Makes a failing program small: tries one edit after the other on its tree, and keeps
 * those after which it still fails. */
#ifndef TESTS_RANDOM_SHRINK_H
#define TESTS_RANDOM_SHRINK_H

#include "lib/text.h"

/* Whether a program, which is well-typed, still fails in the way that matters. */
typedef bool shrink_test(const char *text, void *context);

/* Replaces `text`, a program that fails, by a smaller one that does, as programs_print
 * writes it. Makes at most `tests` tests. */
void shrink(struct lib_text *text, unsigned tests, shrink_test *fails, void *context);

#endif
