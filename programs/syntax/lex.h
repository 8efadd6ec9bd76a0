/* The lexer: tokens of a program (doc/language.md, "Words and lines").
 *
 * The lexer reports no errors. Text that is not a token becomes a token of kind ERROR with the
 * message, which the parser reports once, in source order.
 *
 * A comment that begins with `--#`, without another `#`, is a pragma. `--# bound N`
 * (doc/language.md, "Loops") becomes the value `integer` of the following LOOP token;
 * `--# machine N` and `--# on CLASS` become a struct programs_placing, which assigns source lines
 * to machine N or to a class of PEs. Pragmas make no tokens; an error in one becomes a struct
 * programs_mistake instead of an ERROR token.
 *
 * A token END follows the last token of each equation that is ended by a line that begins in
 * column 1, or by the end of the file. Its position is directly after that token. A SEMICOLON
 * may end an equation too, which only the parser can decide. */
#ifndef PROGRAMS_SYNTAX_LEX_H
#define PROGRAMS_SYNTAX_LEX_H

#include "isa/graph.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keywords, which cannot be names. */
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

/* Symbols. `<-` is read as two symbols, because `a<-1` is a comparison. */
#define PROGRAMS_SYMBOLS(SYMBOL)                                                         \
    SYMBOL(EQ, "==")                                                                     \
    SYMBOL(NE, "/=")                                                                     \
    SYMBOL(LE, "<=")                                                                     \
    SYMBOL(GE, ">=")                                                                     \
    SYMBOL(ARROW, "->")                                                                  \
    SYMBOL(DOTS, "..")                                                                   \
    SYMBOL(LT, "<")                                                                      \
    SYMBOL(GT, ">")                                                                      \
    SYMBOL(DEFINE, "=")                                                                  \
    SYMBOL(PLUS, "+")                                                                    \
    SYMBOL(MINUS, "-")                                                                   \
    SYMBOL(POWER, "**")                                                                  \
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
        PROGRAMS_TOKEN_NAME, /* `text` is the word */
    /* `text` is the word, which begins with a capital letter. */
    PROGRAMS_TOKEN_CONSTRUCTOR,
    /* `integer` is at most 2^63, which is for the literal -2^63; any, if it `is_bits` */
    PROGRAMS_TOKEN_INT,
    PROGRAMS_TOKEN_REAL,   /* `real` is a finite number */
    PROGRAMS_TOKEN_STRING, /* `text` is the string without quotes */
    PROGRAMS_TOKEN_DOT,    /* the point before the name of a field, without blanks */
    PROGRAMS_TOKEN_ERROR,  /* text of an error message in `text` */
    PROGRAMS_TOKEN_END,
    PROGRAMS_TOKEN_EOF,
};

struct programs_token {
    enum programs_token_kind kind;
    struct lib_pos pos;
    size_t offset;  /* byte offset of the token in the source */
    bool first;     /* only blanks precede the token on its line */
    bool at_margin; /* the token begins in column 1 */
    bool is_bits;   /* INT: written 0x... or 0b... */
    union {
        const char *text;
        uint64_t integer; /* value of an INT; of a LOOP: N of pragma `bound`, or 0 */
        double real;
    };
};

/* An error in a pragma, with its message. */
struct programs_mistake {
    struct lib_pos pos;
    const char *text;
};

struct programs_placing;

/* Tokens of a source; the caller frees them. Their texts are in the arena. The last token is
 * EOF, and the one before it, if any, is END. */
struct programs_tokens {
    struct programs_token *items;
    size_t count, capacity;
    LIB_VEC(struct programs_mistake) mistakes; /* errors in pragmas, in source order */
    /* Source lines assigned by pragmas `--# machine N` and `--# on CLASS`, in source order. */
    LIB_VEC(struct programs_placing) placings;
};

void programs_tokens_free(struct programs_tokens *tokens);

void programs_lex(struct lib_arena *arena, const struct lib_source *source,
                  struct programs_tokens *tokens);

#endif
