/* The parser's position in the tokens, and its errors.
 *
 * Only the first error of an equation is reported. The cursor then moves to the end of the
 * equation and stays there, so that rules of the grammar may just return after an error. */
#ifndef PROGRAMS_SYNTAX_CURSOR_H
#define PROGRAMS_SYNTAX_CURSOR_H

#include "programs/syntax/lex.h"

struct programs_cursor {
    struct lib_arena *arena; /* memory of messages */
    const struct lib_source *source;
    struct lib_diags *diags;
    const struct programs_token *tokens; /* tokens of the source; borrowed */
    size_t at;
    bool failed;   /* an error was reported in this equation */
    unsigned lets; /* number of `let`s being read, in which `;` ends no equation */
};

static inline const struct programs_token *
programs_cursor_peek(const struct programs_cursor *c)
{
    return &c->tokens[c->at];
}

static inline bool programs_cursor_sees(const struct programs_cursor *c,
                                        enum programs_token_kind kind)
{
    return c->tokens[c->at].kind == kind;
}

/* Returns the current token, and moves past it except at the end of an equation or after an
 * error. */
const struct programs_token *programs_cursor_take(struct programs_cursor *c);

/* Moves past the current token if it has the given kind, and returns true. */
bool programs_cursor_accept(struct programs_cursor *c, enum programs_token_kind kind);

/* Returns position `start`, with a span that reaches to the end of the token before the current one
 * if that is on the same line. */
struct lib_pos programs_cursor_stretch(const struct programs_cursor *c,
                                       struct lib_pos start);

const char *programs_cursor_describe(const struct programs_cursor *c,
                                     const struct programs_token *t);

/* Reports a word with a capital letter, the current token, if the program or the language has the
 * same word with a small one. Returns whether it did. */
bool programs_cursor_report_capital(struct programs_cursor *c);

/* Whether an equation seems to begin at token `at`, the first of a line: `x =` or `f(x, y) =`. */
bool programs_cursor_at_equation(const struct programs_cursor *c, size_t at);

/* Whether token `at`, in column 1, may begin an equation, rather than continue the previous one. */
bool programs_cursor_starts(const struct programs_cursor *c, size_t at);

void programs_cursor_skip(struct programs_cursor *c);

/* Reports an error, unless the equation has one, and skips the rest of the equation. */
void programs_cursor_fail(struct programs_cursor *c, enum lib_diag_code code,
                          struct lib_pos pos, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports that `expected` was expected instead of the current token. */
void programs_cursor_unexpected(struct programs_cursor *c, const char *expected);
/* Reports that `expected` was expected after a complete expression. */
void programs_cursor_unexpected_after(struct programs_cursor *c, const char *expected);

/* Moves past the `)` or `]` that closes `open`, or reports that it is missing. */
void programs_cursor_close(struct programs_cursor *c, const struct programs_token *open);

#endif
