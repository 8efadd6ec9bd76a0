/* Types of the language, for inference by unification.
 *
 * A type is int, real, bool, a tuple of types, an array of a type, a tensor, data, or a variable. A
 * variable is open: its type is not known yet, but may be limited to a class of types. A tensor
 * has two parts: its element, which is real, real32, int or bool, and its rank. Either may be
 * open while it depends on other tensors. Types are in the arena of the compilation. */
#ifndef PROGRAMS_TYPES_TYPE_H
#define PROGRAMS_TYPES_TYPE_H

#include "isa/tensor/shape.h"
#include "isa/type.h"
#include "lib/arena.h"
#include "lib/text.h"

#include <stdbool.h>
#include <stddef.h>

struct programs_datatype;
struct programs_expr;
struct programs_field;

enum programs_type_kind {
    PROGRAMS_TYPE_VAR,
    PROGRAMS_TYPE_INT,
    PROGRAMS_TYPE_REAL,
    PROGRAMS_TYPE_BOOL,
    PROGRAMS_TYPE_TUPLE,
    PROGRAMS_TYPE_ARRAY,
    PROGRAMS_TYPE_TENSOR,
    PROGRAMS_TYPE_DATA,   /* of `datatype`; parts: its arguments */
    PROGRAMS_TYPE_REAL32, /* only as the element of a tensor */
    PROGRAMS_TYPE_RANK0,  /* ranks of tensors: RANK0 + 1 is rank 1 */
    PROGRAMS_TYPE_RANK4 = PROGRAMS_TYPE_RANK0 + 4,
    PROGRAMS_TYPE_ERROR, /* type of an expression with an error; fits every type */
};

/* Class of types that a variable may become. */
enum programs_type_class {
    PROGRAMS_CLASS_ANY,
    PROGRAMS_CLASS_SCALAR, /* int, real, bool or data that can be compared: operands of == */
    PROGRAMS_CLASS_NUMERIC, /* int or real */
    PROGRAMS_CLASS_LITERAL, /* int or real, for an integer literal; messages say "int" */
    /* Classes for elements of tensors follow. */
    PROGRAMS_CLASS_NUMBERS, /* int, real or real32 */
    PROGRAMS_CLASS_TRUTHS,  /* bool, real or real32 */
    PROGRAMS_CLASS_REALS,   /* real or real32 */
};

struct programs_function;

/* The expression that fixed a type, and the function that it is in, or NULL. For messages. */
struct programs_reason {
    const struct programs_expr *expr;
    const struct programs_function *within;
};

struct programs_type {
    enum programs_type_kind kind : 8;
    enum programs_type_class class : 8; /* types that a variable may become */
    /* The variable occurs in the type of a constant or input, so that all uses of a function
     * share it. */
    bool is_shared : 1;
    /* The variable belongs to a function's type, and each use has another one in its place. */
    bool is_generic : 1;
    uint32_t part_count;
    /* The type found for a variable, or the equal type that replaces a tuple or array; NULL if
     * there is none. */
    struct programs_type *is;
    const struct programs_datatype *datatype; /* of DATA */
    /* Types of the fields of DATA that is not boxed; NULL: not known yet. */
    struct programs_type **fields;
    /* What first limited the variable or found its type; NULL: not known. */
    const struct programs_reason *reason;
    union {
        /* Parts of a tuple; the element of an array; element and rank of a tensor; arguments of
         * DATA. */
        struct programs_type **parts;
        struct programs_type *copy; /* scratch while the type of a variable is copied */
    };
};

/* Max number of parts of a type, nested ones included. Keeps walks over types short. */
enum { PROGRAMS_TYPE_SIZE_MAX = 1000 };

struct programs_type *programs_type_new(struct lib_arena *arena,
                                        enum programs_type_kind kind);
struct programs_type *programs_type_new_var(struct lib_arena *arena,
                                            enum programs_type_class class);

struct programs_type *programs_type_new_array(struct lib_arena *arena,
                                              struct programs_type *element);

/* Returns a tensor type, whose element and rank may be unknown. */
struct programs_type *programs_type_new_tensor(struct lib_arena *arena,
                                               struct programs_type *element,
                                               struct programs_type *rank);

enum { PROGRAMS_TENSOR_RANK_MAX = 4, PROGRAMS_RANK_OPEN = -1 };

int programs_type_tensor_rank(struct programs_type *tensor);

/* Returns the element type of a tensor type; real if unknown. */
enum isa_element_kind programs_type_element(struct programs_type *tensor);

/* Returns the type that a type was unified with, or the type itself. */
struct programs_type *programs_type_find(struct programs_type *type);

/* Returns what fixed a type, or NULL. */
const struct programs_reason *programs_type_reason(struct programs_type *type);

enum programs_unified {
    PROGRAMS_UNIFIED,
    PROGRAMS_UNIFY_MISMATCH, /* the two types differ */
    PROGRAMS_UNIFY_ENDLESS,  /* the type would contain itself */
    PROGRAMS_UNIFY_TOO_LARGE /* the type would be larger than PROGRAMS_TYPE_SIZE_MAX */
};

/* Unifies two types. After a failure some variables may have been resolved. */
enum programs_unified programs_type_unify(struct programs_type *a,
                                          struct programs_type *b);

bool programs_type_is_small(struct programs_type *type);

/* Adds a type as messages show it: "int", "(real, bool)", "[int]", "a number". */
void programs_type_write(struct programs_type *type, struct lib_text *out);

/* Returns the number of brackets around an array's innermost element. */
unsigned programs_type_rank(struct programs_type *type);

/* Returns the number of values that a value of a type is flattened to: one for a scalar or
 * tensor; for a tuple or data that is not boxed, the sum over its parts; for an array, one array
 * per value of an element. */
size_t programs_type_width(struct programs_type *type);

/* Appends the shape of a value of a type, as struct isa_graph has it of results: "(_, [_])", with
 * names of constructors before the fields of data that is not boxed: "Point(_, _)". */
void programs_type_shape(struct programs_type *type, struct lib_text *out);

/* Sets `out` to the types of the values that a type is flattened to; programs_type_width returns
 * their number. The rank is at most ISA_MAX_RANK. */
void programs_type_flatten(struct programs_type *type, enum isa_type *out);

/* Sets `out` to the types that a type is flattened to, with the type `wholes` for tensors of
 * ints and bools. */
void programs_type_flatten_with(struct programs_type *type, enum isa_type wholes,
                                enum isa_type *out);

#endif
