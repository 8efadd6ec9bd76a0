/* Reading assembly, character by character: a cursor in a line of a source. For
 * isa/format/asm_read.c and isa/format/asm_node.c alone.
 *
 * Functions that return bool say false when what they look for is not there; those that
 * take a description of it have then reported an error. Slices are borrowed from the
 * source. */
#ifndef ISA_FORMAT_ASM_LEX_H
#define ISA_FORMAT_ASM_LEX_H

#include "lib/arena.h"
#include "lib/diag.h"

struct isa_lex {
    const struct lib_source *source;
    struct lib_diags *diags;
    const char *at;   /* the cursor */
    const char *line; /* the first byte of its line */
    const char *end;  /* of the source */
    uint32_t number;  /* of the line, from 1 */
};

struct isa_slice {
    const char *bytes;
    size_t length;
};

void isa_lex_start(struct isa_lex *lex, const struct lib_source *source,
                   struct lib_diags *diags);

/* Whether there is a line with something in it from the cursor on; moves to it. */
bool isa_lex_find_line(struct isa_lex *lex);
void isa_lex_skip_line(struct isa_lex *lex); /* to the start of the next */

/* Whether nothing but blanks and a comment is left of the line. */
bool isa_lex_at_end(struct isa_lex *lex);
bool isa_lex_expect_end(struct isa_lex *lex);

/* Steps over `text`, which is punctuation, if it comes next. */
bool isa_lex_accept(struct isa_lex *lex, const char *text);
bool isa_lex_expect(struct isa_lex *lex, const char *text);

/* What comes next, as far as it looks like one word: for an error. Nothing is empty but
 * the end of the line. */
struct isa_slice isa_lex_next(struct isa_lex *lex);

/* A word: a letter or _, then letters, digits and any of _ ' . */
bool isa_lex_word(struct isa_lex *lex, struct isa_slice *word);

/* A type as it stands: letters, digits and any of [ ] & */
bool isa_lex_type(struct isa_lex *lex, struct isa_slice *type);

/* An opcode: a word, and a type directly after its dot. */
bool isa_lex_opcode(struct isa_lex *lex, struct isa_slice *opcode);

/* The rest of a label: letters, digits and _ directly at the cursor. */
bool isa_lex_label(struct isa_lex *lex, struct isa_slice *label);

/* A value as it stands: letters, digits and any of _ . + - up to an arrow. */
bool isa_lex_value(struct isa_lex *lex, struct isa_slice *value);

/* A number; `what` describes it. */
bool isa_lex_at_digit(struct isa_lex *lex);
bool isa_lex_number(struct isa_lex *lex, const char *what, uint32_t *number);

/* A word or string, as a NUL-terminated copy in the arena. */
bool isa_lex_name(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                  const char **name);
bool isa_lex_string(struct isa_lex *lex, struct lib_arena *arena, const char *what,
                    const char **string);

/* "@LINE:COLUMN[+SPAN]", or nothing: then the position is all zero. */
bool isa_lex_place(struct isa_lex *lex, struct lib_pos *place);

bool isa_slice_is(struct isa_slice slice, const char *text);
/* A NUL-terminated copy; cut where it does not fit. */
void isa_slice_copy(struct isa_slice slice, char *text, size_t size);
struct lib_pos isa_lex_pos(const struct isa_lex *lex, struct isa_slice slice);

/* Reports that something else was expected at the cursor. Always false. */
bool isa_lex_expected(struct isa_lex *lex, const char *what);

/* Reports an error at a slice of the current line. Always false. */
bool isa_lex_error(struct isa_lex *lex, enum lib_diag_code code, struct isa_slice at,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
