/* Lexer of assembly: a cursor in a line of a source. Internal to isa/format/.
 *
 * Functions that return bool return false if the cursor is not at what they read. Those with a
 * parameter `what`, which describes it, then report an error too. Slices are borrowed from the
 * source. */
#ifndef ISA_FORMAT_ASM_LEX_H
#define ISA_FORMAT_ASM_LEX_H

#include "lib/arena.h"
#include "lib/diag.h"

struct isa_lex {
    const struct lib_source *source;
    struct lib_diags *diags;
    const char *at;   /* cursor */
    const char *line; /* first byte of the current line */
    const char *end;  /* end of the source */
    uint32_t number;  /* number of the line, from 1 on */
};

struct isa_slice {
    const char *bytes;
    size_t length;
};

void isa_lex_start(struct isa_lex *lex, const struct lib_source *source,
                   struct lib_diags *diags);

/* Moves to the next line, from the cursor on, that is not empty. Returns false at the end of the
 * source. */
bool isa_lex_find_line(struct isa_lex *lex);
void isa_lex_skip_line(struct isa_lex *lex); /* moves to the start of the next line */

/* Whether only blanks and a comment are left of the line. isa_lex_expect_end reports an error if
 * not. */
bool isa_lex_at_end(struct isa_lex *lex);
bool isa_lex_expect_end(struct isa_lex *lex);

/* Moves past `text`, which is punctuation, if the cursor is at it. isa_lex_expect reports an error
 * if not. */
bool isa_lex_accept(struct isa_lex *lex, const char *text);
bool isa_lex_expect(struct isa_lex *lex, const char *text);

/* Returns the next word or sign, for messages. It is empty only at the end of the line. */
struct isa_slice isa_lex_next(struct isa_lex *lex);

/* Reads a word: a letter or _, then letters, digits and any of _ ' . */
bool isa_lex_word(struct isa_lex *lex, struct isa_slice *word);

/* Reads the characters of a type: letters, digits and any of [ ] & */
bool isa_lex_type(struct isa_lex *lex, struct isa_slice *type);

/* Reads an opcode: a word, and a type directly after its dot. */
bool isa_lex_opcode(struct isa_lex *lex, struct isa_slice *opcode);

/* Reads the rest of a label: letters, digits and _ directly at the cursor. */
bool isa_lex_label(struct isa_lex *lex, struct isa_slice *label);

/* Reads the characters of a value: letters, digits and any of _ . + - up to an arrow. */
bool isa_lex_value(struct isa_lex *lex, struct isa_slice *value);

/* Whether the cursor is at a digit. isa_lex_number reads a number. */
bool isa_lex_at_digit(struct isa_lex *lex);
bool isa_lex_number(struct isa_lex *lex, const char *what, uint32_t *number);

/* Read a word or string, and a string, as a NUL-terminated copy in the arena. */
bool isa_lex_name(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                  const char **name);
bool isa_lex_string(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                    const char **string);

/* Reads "@LINE:COLUMN[+SPAN]", or nothing: then the position is all zero. */
bool isa_lex_place(struct isa_lex *lex, struct lib_pos *place);

bool isa_slice_is(struct isa_slice slice, const char *text);

/* Copies a slice to `text`, NUL-terminated, cut to `size` bytes. */
void isa_slice_copy(struct isa_slice slice, char *text, size_t size);
struct lib_pos isa_lex_pos(const struct isa_lex *lex, struct isa_slice slice);

/* Reports that `what` was expected at the cursor. Returns false. */
bool isa_lex_expected(struct isa_lex *lex, const char *what);

/* Reports an error at a slice of the current line. Returns false. */
bool isa_lex_error(struct isa_lex *lex, enum lib_diag_code code, struct isa_slice at,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
