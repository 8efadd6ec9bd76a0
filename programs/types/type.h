/* Types of the language, as inference sees them: variables that are unified.
 *
 * A type is int, real, bool, a tuple of types, an array of a type, a tensor, or a variable: still
 * open, perhaps limited to a class of types. A tensor has two parts: its element, which is real,
 * real32, int or bool, and its rank. Where it is made of others, either may be open for a while.
 * Types live in the arena of the compilation. */
#ifndef PROGRAMS_TYPES_TYPE_H
#define PROGRAMS_TYPES_TYPE_H

#include "isa/tensor/shape.h"
#include "isa/type.h"
#include "lib/arena.h"
#include "lib/text.h"

#include <stdbool.h>
#include <stddef.h>

enum programs_type_kind {
    PROGRAMS_TYPE_VAR,
    PROGRAMS_TYPE_INT,
    PROGRAMS_TYPE_REAL,
    PROGRAMS_TYPE_BOOL,
    PROGRAMS_TYPE_TUPLE,
    PROGRAMS_TYPE_ARRAY,
    PROGRAMS_TYPE_TENSOR,
    PROGRAMS_TYPE_REAL32, /* the element of a tensor: nothing else is one */
    PROGRAMS_TYPE_RANK0,  /* ranks of tensors: RANK0 + 1 is rank 1 */
    PROGRAMS_TYPE_RANK4 = PROGRAMS_TYPE_RANK0 + 4,
    PROGRAMS_TYPE_ERROR, /* of an expression already reported: fits everything */
};

/* What a variable may still become, widest first. */
enum programs_type_class {
    PROGRAMS_CLASS_ANY,
    PROGRAMS_CLASS_SCALAR,  /* int, real or bool: what == compares */
    PROGRAMS_CLASS_NUMERIC, /* int or real */
    PROGRAMS_CLASS_LITERAL, /* the same, of an integer literal: messages say "int" */
    /* Elements of tensors: */
    PROGRAMS_CLASS_NUMBERS, /* int, real or real32 */
    PROGRAMS_CLASS_TRUTHS,  /* bool, real or real32 */
    PROGRAMS_CLASS_REALS,   /* real or real32 */
};

struct programs_type {
    enum programs_type_kind kind;
    enum programs_type_class class; /* VAR */
    struct programs_type *is;       /* VAR: what it turned out to be, or NULL; TUPLE and
                                       ARRAY: an equal type that stands for it, or NULL */
    struct programs_type **parts;   /* TUPLE; ARRAY: one, of its elements; TENSOR: its
                                       element and its rank */
    size_t part_count;
    bool is_shared;  /* VAR: a constant or an input has it (programs/types/instance.h) */
    bool is_generic; /* VAR: a use of a function gets one of its own for it */
    struct programs_type *copy; /* VAR: while a type is copied */
};

/* Parts that a type may have, tuples and arrays within it counted; what keeps every walk over a
 * type short. */
enum { PROGRAMS_TYPE_SIZE_MAX = 1000 };

struct programs_type *programs_type_new(struct lib_arena *arena,
                                        enum programs_type_kind kind);
struct programs_type *programs_type_new_var(struct lib_arena *arena,
                                            enum programs_type_class class);

/* The type of arrays of such elements. */
struct programs_type *programs_type_new_array(struct lib_arena *arena,
                                              struct programs_type *element);

/* The type of tensors of such an element and rank, which may be open. */
struct programs_type *programs_type_new_tensor(struct lib_arena *arena,
                                               struct programs_type *element,
                                               struct programs_type *rank);

enum { PROGRAMS_TENSOR_RANK_MAX = 4, PROGRAMS_RANK_OPEN = -1 };

/* The rank of a type of tensors; PROGRAMS_RANK_OPEN: not known yet. */
int programs_type_tensor_rank(struct programs_type *tensor);

/* The element of a type of tensors; one that is still open is real. */
enum isa_element_kind programs_type_element(struct programs_type *tensor);

/* The type itself, behind any variables that were resolved. */
struct programs_type *programs_type_find(struct programs_type *type);

enum programs_unified {
    PROGRAMS_UNIFIED,
    PROGRAMS_UNIFY_MISMATCH, /* no type is both */
    PROGRAMS_UNIFY_ENDLESS,  /* a type would contain itself */
    PROGRAMS_UNIFY_TOO_LARGE /* than PROGRAMS_TYPE_SIZE_MAX */
};

/* Makes two types one, by resolving variables. After a failure some variables may have
 * been resolved. */
enum programs_unified programs_type_unify(struct programs_type *a,
                                          struct programs_type *b);

/* Whether the type has at most PROGRAMS_TYPE_SIZE_MAX parts. */
bool programs_type_is_small(struct programs_type *type);

/* "int", "(real, bool)", "[int]", "a number"; for messages. */
void programs_type_write(struct programs_type *type, struct lib_text *out);

/* How many arrays stand within one another. */
unsigned programs_type_rank(struct programs_type *type);

/* Number of values that one of the type is flattened to: a scalar or a tensor is one, a tuple
 * those of its parts in a row, an array one array for each that an element is. */
size_t programs_type_width(struct programs_type *type);

/* The types of these values, in order, into `out` (programs_type_width of them). The rank is at
 * most ISA_MAX_RANK. */
void programs_type_flatten(struct programs_type *type, enum isa_type *out);

/* The same, where tensors of ints and bools are of the leaf `wholes`. */
void programs_type_flatten_with(struct programs_type *type, enum isa_type wholes,
                                enum isa_type *out);

#endif
