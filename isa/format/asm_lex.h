/* Words of assembly, read from a line of a source. */
#ifndef ISA_FORMAT_ASM_LEX_H
#define ISA_FORMAT_ASM_LEX_H

#include "lib/arena.h"
#include "lib/cursor.h"

/* Reads a word: a letter or _, then letters, digits and any of _ ' . */
bool isa_lex_word(struct lib_cursor *lex, struct lib_slice *word);

/* Reads the characters of a type: letters, digits and any of [ ] & */
bool isa_lex_type(struct lib_cursor *lex, struct lib_slice *type);

/* Reads an opcode: a word, and a type if the word ends with a dot, as in "switch.real". */
bool isa_lex_opcode(struct lib_cursor *lex, struct lib_slice *opcode);

/* Reads a label after its %: letters, digits and _ directly at the cursor. */
bool isa_lex_label(struct lib_cursor *lex, struct lib_slice *label);

/* Reads the characters of a value: letters, digits and any of _ . + - but not an arrow. */
bool isa_lex_value(struct lib_cursor *lex, struct lib_slice *value);

bool isa_lex_number(struct lib_cursor *lex, const char *what, uint32_t *number);

/* isa_lex_name reads a word or a string, isa_lex_string a string. The result is a NUL-terminated
 * copy in the arena. `what` says in messages what is expected. */
bool isa_lex_name(struct lib_cursor *lex, struct lib_arena *arena, const char *what,
                  const char **name);
bool isa_lex_string(struct lib_cursor *lex, struct lib_arena *arena, const char *what,
                    const char **string);

/* Reads a position "@LINE:COLUMN[+SPAN]". If there is none, `place` becomes all zero. */
bool isa_lex_place(struct lib_cursor *lex, struct lib_pos *place);

#endif
