/* Tokens: the words of a program (doc/language.md, "Words and lines").
 *
 * The lexer reports nothing. What it cannot read becomes a token of kind ERROR with the
 * message, so that the parser says it once, in the order of the text.
 *
 * A comment that begins with `--#` is a pragma, unless another `#` follows. There is one,
 * `--# bound N`: N iterations of a loop may be in flight. It is for the last `loop` before
 * it on its line, or, alone on its line, for the first `loop` on the next line. It is no
 * token: the token of the `loop` has the number, or an error stands among the mistakes.
 *
 * Layout is settled here: an END follows the last token of each equation that the next
 * line in column 1, or the end of the file, ends. Its position is just behind that token.
 * An equation may also be ended by a SEMICOLON; which one does, the parser knows. */
#ifndef PROGRAMS_SYNTAX_LEX_H
#define PROGRAMS_SYNTAX_LEX_H

#include "isa/graph.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words that are no names. */
#define PROGRAMS_KEYWORDS(WORD)                                                          \
    WORD(IF, "if")                                                                       \
    WORD(THEN, "then")                                                                   \
    WORD(ELSE, "else")                                                                   \
    WORD(LET, "let")                                                                     \
    WORD(IN, "in")                                                                       \
    WORD(LOOP, "loop")                                                                   \
    WORD(WHILE, "while")                                                                 \
    WORD(DO, "do")                                                                       \
    WORD(RETURN, "return")                                                               \
    WORD(INPUT, "input")                                                                 \
    WORD(PARAM, "param")                                                                 \
    WORD(DATA, "data")                                                                   \
    WORD(CASE, "case")                                                                   \
    WORD(OF, "of")                                                                       \
    WORD(TRUE, "true")                                                                   \
    WORD(FALSE, "false")                                                                 \
    WORD(NOT, "not")                                                                     \
    WORD(AND, "and")                                                                     \
    WORD(OR, "or")

/* `<-` is none of them: `a<-1` compares. The parser takes `<` and `-` where it wants
 * one. */
#define PROGRAMS_SYMBOLS(SYMBOL)                                                         \
    SYMBOL(EQ, "==")                                                                     \
    SYMBOL(NE, "/=")                                                                     \
    SYMBOL(LE, "<=")                                                                     \
    SYMBOL(GE, ">=")                                                                     \
    SYMBOL(DOTS, "..")                                                                   \
    SYMBOL(LT, "<")                                                                      \
    SYMBOL(GT, ">")                                                                      \
    SYMBOL(DEFINE, "=")                                                                  \
    SYMBOL(PLUS, "+")                                                                    \
    SYMBOL(MINUS, "-")                                                                   \
    SYMBOL(STAR, "*")                                                                    \
    SYMBOL(SLASH, "/")                                                                   \
    SYMBOL(PERCENT, "%")                                                                 \
    SYMBOL(LEFT, "(")                                                                    \
    SYMBOL(RIGHT, ")")                                                                   \
    SYMBOL(LEFT_SQUARE, "[")                                                             \
    SYMBOL(RIGHT_SQUARE, "]")                                                            \
    SYMBOL(COMMA, ",")                                                                   \
    SYMBOL(SEMICOLON, ";")                                                               \
    SYMBOL(BAR, "|")

enum programs_token_kind {
#define TOKEN(NAME, text) PROGRAMS_TOKEN_##NAME,
    PROGRAMS_KEYWORDS(TOKEN) PROGRAMS_SYMBOLS(TOKEN)
#undef TOKEN
        PROGRAMS_TOKEN_NAME,    /* text */
    PROGRAMS_TOKEN_CONSTRUCTOR, /* text */
    PROGRAMS_TOKEN_INT,         /* integer: at most 2^63, which needs a minus before it */
    PROGRAMS_TOKEN_REAL,        /* real: finite */
    PROGRAMS_TOKEN_STRING,      /* text, without the quotes */
    PROGRAMS_TOKEN_ERROR,       /* text: the message */
    PROGRAMS_TOKEN_END,         /* of an equation */
    PROGRAMS_TOKEN_EOF,
};

struct programs_token {
    enum programs_token_kind kind;
    struct lib_pos pos;
    size_t offset;  /* of its first byte in the source */
    bool first;     /* nothing but blanks before it on its line */
    bool at_margin; /* not even blanks */
    union {
        const char *text;
        uint64_t integer; /* of a LOOP: what a pragma bounds it to, or 0 */
        double real;
    };
};

/* What is wrong with a pragma. */
struct programs_mistake {
    struct lib_pos pos;
    const char *text;
};

/* Owned by the caller; the texts live in the arena. The last token is EOF, the one before
 * it, if there is one, END. */
struct programs_tokens {
    struct programs_token *items;
    size_t count, capacity;
    LIB_VEC(struct programs_mistake) mistakes; /* in the order of the text */
    LIB_VEC(struct isa_placing) placings;      /* the same */
};

void programs_tokens_free(struct programs_tokens *tokens);

void programs_lex(struct lib_arena *arena, const struct lib_source *source,
                  struct programs_tokens *tokens);

#endif
