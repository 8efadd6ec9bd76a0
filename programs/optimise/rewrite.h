/* What the passes of the optimiser share: which entries may be moved or removed, what an
 * instruction computes, and how values are replaced in a form.
 *
 * A pass walks through a form once and notes what becomes of values and entries in a struct
 * rewrite; rewrite_end then changes the form. What was noted is in an arena of its own. */
#ifndef PROGRAMS_OPTIMISE_REWRITE_H
#define PROGRAMS_OPTIMISE_REWRITE_H

#include "programs/form/form.h"

struct rewrite {
    struct form *form;
    struct lib_arena *arena;
    uint32_t value_count, entry_count; /* of the form at the start */
    uint32_t *to;                      /* for each value: what replaces it, or itself */
    const struct form_entry **makers;  /* for each value: the entry whose result it is */
    uint32_t *places;                  /* for each value: the number of that result */
    /* For each entry: 0, it remains; 1, it is removed; 2 or 3, its block 0 or 1 replaces it. */
    uint8_t *fate;
    uint32_t *walked; /* for each LOOP: the last walk that has come to it */
    uint32_t walks;
    bool is_changed;
};

enum { REWRITE_REMAINS, REWRITE_REMOVED, REWRITE_FIRST_BLOCK };

struct rewrite rewrite_start(struct form *form);

/* Removes and replaces what was noted. Frees what rewrite_start made. */
void rewrite_end(struct rewrite *r);

/* Returns what is used in place of a value. */
uint32_t rewrite_value(struct rewrite *r, uint32_t value);

/* Notes that `to` is used in place of a value. */
void rewrite_replace(struct rewrite *r, uint32_t value, uint32_t to);

/* Notes that an entry is removed, or replaced by its block `side`. */
void rewrite_remove(struct rewrite *r, const struct form_entry *e);
void rewrite_open(struct rewrite *r, const struct form_entry *e, unsigned side);

/* Returns the entry that makes a value; NULL: none of those that there were at the start. */
const struct form_entry *rewrite_maker(const struct rewrite *r, uint32_t value);

/* If `value` is a literal, sets *literal to it, and returns true. */
bool rewrite_is_literal(const struct form *form, uint32_t value, isa_value *literal);

/* --- which values are visible ------------------------------------------------------------- */

/* The scopes in which a walk is: the values of an open scope are visible. All BRANCH entries of a
 * conditional share a scope for each side. */
struct scopes {
    const struct form *form;
    bool *is_open;
    LIB_ARENA_LIST(uint32_t) stack;
    struct lib_arena *arena;
};

struct scopes scopes_start(const struct form *form, struct lib_arena *arena);

/* Opens and closes scopes until they are those of the entry to which a walk has come; the blocks of
 * an entry that ends are closed. Returns the scope that the entry is in. */
uint32_t scopes_at(struct scopes *s, const struct form_walk *walk);

/* --- what entries do ---------------------------------------------------------------------- */

/* Whether an entry always gives its results, of its operands alone: it can neither trap nor wait
 * for anything but its operands. */
bool rewrite_is_total(const struct form *form, const struct form_entry *e);

/* Whether an entry gives the same results whenever its operands are the same, and does nothing
 * else but that it may trap, or wait. */
bool rewrite_is_repeatable(const struct form_entry *e);

/* Whether an entry has to be in the block of what uses it: gradients tell scalars among the parts
 * of a VECTOR by the SCALARs that make them. */
bool rewrite_stays(const struct form_entry *e);

/* Computes a pure instruction whose value is the same on all machines. Returns false if it is none,
 * or traps. */
bool rewrite_compute(enum isa_op op, isa_value a, isa_value b, isa_value *value);

/* --- reports -------------------------------------------------------------------------------- */

/* Appends a line that says what a pass did at `pos` to the report of the program, if it has one. */
void rewrite_tell(const struct form *form, struct lib_pos pos, const char *pass,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns the text of an opcode without its type, for reports. */
const char *rewrite_op_label(const struct form_entry *e);

#endif
