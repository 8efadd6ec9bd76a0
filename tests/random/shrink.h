/* Shrinks a failing program: tries changes of its tree one by one, and keeps the changes with which
 * the program still fails. */
#ifndef TESTS_RANDOM_SHRINK_H
#define TESTS_RANDOM_SHRINK_H

#include "lib/text.h"

/* Whether a well-typed program still fails as the first one did. */
typedef bool shrink_test(const char *text, void *context);

/* Replaces `text`, a failing program, by a smaller one that also fails, as programs_print writes
 * it. Runs at most `tests` programs. */
void shrink(struct lib_text *text, unsigned tests, shrink_test *fails, void *context);

#endif
