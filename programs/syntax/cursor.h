/* The parser's place in the tokens, and how it speaks of errors.
 *
 * Only the first error of an equation is reported: the rest of the equation is skipped,
 * and until the next equation nothing is taken, so that every rule of the grammar comes to
 * its end. The parser therefore needs no way out of its rules but to return. */
#ifndef PROGRAMS_SYNTAX_CURSOR_H
#define PROGRAMS_SYNTAX_CURSOR_H

#include "programs/syntax/lex.h"

struct programs_cursor {
    struct lib_arena *arena; /* for the texts of messages */
    const struct lib_source *source;
    struct lib_diags *diags;
    const struct programs_token *tokens; /* borrowed */
    size_t at;
    bool failed; /* in this equation */
    unsigned
        lets; /* how many lets have their bindings read: in them `;` ends no equation */
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

/* Takes the next token; but the end of an equation stays, and after an error all do. */
const struct programs_token *programs_cursor_take(struct programs_cursor *c);

/* Takes the next token if it is of this kind, and true then. */
bool programs_cursor_accept(struct programs_cursor *c, enum programs_token_kind kind);

/* `start`, made to reach to the last token taken if that is on the same line. */
struct lib_pos programs_cursor_stretch(const struct programs_cursor *c,
                                       struct lib_pos start);

/* What a message calls the token. */
const char *programs_cursor_describe(const struct programs_cursor *c,
                                     const struct programs_token *t);

/* What the language has, but programs cannot use yet; NULL: nothing of that. */
const char *programs_cursor_not_yet(enum programs_token_kind kind);

/* Whether an equation seems to start at token `at`, the first of its line: `x =` or
 * `f(x, y) =`. */
bool programs_cursor_at_equation(const struct programs_cursor *c, size_t at);

/* Whether what stands at token `at`, in column 1, can be meant as an equation, and not as
 * the rest of the one before. */
bool programs_cursor_starts(const struct programs_cursor *c, size_t at);

/* Moves to the end of the equation. */
void programs_cursor_skip(struct programs_cursor *c);

/* Reports an error, unless the equation already has one, and skips the rest. */
void programs_cursor_fail(struct programs_cursor *c, enum lib_diag_code code,
                          struct lib_pos pos, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports the next token where `expected` should stand; the second, where that token
 * stands behind a complete expression. */
void programs_cursor_unexpected(struct programs_cursor *c, const char *expected);
void programs_cursor_unexpected_after(struct programs_cursor *c, const char *expected);

/* Takes the `)` or `]` that closes `open`. */
void programs_cursor_close(struct programs_cursor *c, const struct programs_token *open);

#endif
