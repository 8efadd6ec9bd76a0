/* The graph builder's inside: what its modules share. programs/graph/build.c builds the
 * equations of a program, programs/graph/build_name.c what names stand for,
 * programs/graph/build_expr.c expressions, programs/graph/build_loop.c loops,
 * programs/graph/build_array.c arrays.
 *
 * Everything lives in the arena of the builder, which goes when the graph is made. */
#ifndef PROGRAMS_GRAPH_BUILDER_H
#define PROGRAMS_GRAPH_BUILDER_H

#include "lib/memory.h"
#include "programs/graph/region.h"
#include "programs/syntax/ast.h"

/* The values of one expression: its type, flattened. */
struct programs_values {
    struct region_value *items;
    uint32_t count;
};

/* A name of a `let`, a variable of a loop or an index, in scope. */
struct programs_bound {
    const struct programs_binding *binding;
    struct programs_values values;
    struct region_loop *loop; /* a variable of a loop that has ended; else NULL */
    uint32_t variable;        /* of that loop: its first part */
};

struct programs_builder {
    const struct programs_ast *ast;
    const struct programs_options *options;
    struct lib_arena *arena;
    struct isa_graph *graph;
    struct programs_values *param_values; /* of the function being built, per parameter */
    uint32_t *function_index;             /* per function of the tree: in the graph */
    uint32_t *input_index;                /* per input of the tree: in the graph */
    uint32_t *port_index; /* per constant of the tree that is a port: in the graph */
    const struct programs_expr **aliases; /* per constant of the tree, once known */
    bool *alias_known;
    struct form_program *forms; /* of a program with gradients; else NULL */
    LIB_VEC(const struct programs_expr *) gradients; /* those built, each once */
    struct form_ids linked; /* routines that the graph has functions for, in order */
    uint32_t **cells;       /* per constant of the tree and name of it: its first cell */
    struct programs_bound *bound; /* the innermost last */
    size_t bound_count, bound_capacity;
};

/* --- values ----------------------------------------------------------------------------- */

struct programs_values programs_build_values(struct programs_builder *b, uint32_t count);
struct programs_values programs_build_value(struct programs_builder *b,
                                            struct region_value value);

/* The type of what is one value. */
enum isa_type programs_build_type(struct programs_type *type);

/* The types of what is any number of values. */
void programs_build_types(struct programs_builder *b, struct programs_type *type,
                          enum isa_type **types, uint32_t *count);

/* The same as forms have them: they tell tensors apart that have no derivative. */
void programs_build_form_types(struct programs_builder *b, struct programs_type *type,
                               enum isa_type **types, uint32_t *count);

/* --- names ------------------------------------------------------------------------------ */

/* What part `k` of `width` of a named value is called: "x", or "x.0" of several. */
const char *programs_build_part_name(struct programs_builder *b,
                                     const struct programs_binding *binding, uint32_t k,
                                     uint32_t width);

isa_value programs_build_literal(const struct programs_expr *e);

/* The literal, or the name of an input, that a constant is another name for; NULL if it has
 * to be computed. */
const struct programs_expr *programs_build_alias(struct programs_builder *b,
                                                 const struct programs_binding *binding);

struct programs_values programs_build_name(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e);

/* Brings a name into scope. It is left by setting `bound_count` back. */
struct programs_bound *programs_build_bind(struct programs_builder *b,
                                           const struct programs_binding *binding,
                                           struct programs_values values);

/* --- expressions ------------------------------------------------------------------------ */

struct programs_values programs_build_expr(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e);

/* The values of all its operands in a row. */
struct programs_values programs_build_operands(struct programs_builder *b,
                                               struct region *r,
                                               const struct programs_expr *e);

/* Of an expression that has one value. */
struct region_value programs_build_one(struct programs_builder *b, struct region *r,
                                       const struct programs_expr *e);

struct programs_values programs_build_loop(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e);

/* --- arrays ----------------------------------------------------------------------------- */

/* An array as written, of its elements. */
struct programs_values programs_build_array(struct programs_builder *b, struct region *r,
                                            const struct programs_expr *e);

/* `own`, if not NULL, is the name that a `let` gives it: it comes into scope before the
 * elements, and stays there. */
struct programs_values programs_build_comprehension(struct programs_builder *b,
                                                    struct region *r,
                                                    const struct programs_expr *e,
                                                    const struct programs_binding *own);

/* The arrays of a port in, which stands at top level. */
struct programs_values programs_build_port(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e);

/* Of the arrays that its first operand is. */
struct programs_values programs_build_index(struct programs_builder *b, struct region *r,
                                            const struct programs_expr *e,
                                            struct programs_values arrays);

/* --- tensors ---------------------------------------------------------------------------- */

/* Whether the value of an expression is a tensor. */
bool programs_build_is_tensor(const struct programs_expr *e);

/* An operation that makes a tensor, of one or two values, element by element. */
struct region_value programs_build_kernel(struct region *r, const struct programs_expr *e,
                                          const struct region_value *operands,
                                          size_t count);
struct programs_values programs_build_tensor_builtin(struct programs_builder *b,
                                                     struct region *r,
                                                     const struct programs_expr *e);
/* t[i]: a row, or an element of a tensor of rank 1. */
struct region_value programs_build_row(struct region *r, const struct programs_expr *e,
                                       struct region_value tensor,
                                       struct region_value index);
/* tensor(array) of an element, of which ints may become reals; and array(tensor) of that type. */
struct region_value programs_build_tensor_of(struct programs_builder *b, struct region *r,
                                             struct region_value array,
                                             enum isa_element_kind element,
                                             struct lib_pos pos);
struct region_value programs_build_array_of(struct region *r, struct region_value tensor,
                                            enum isa_element_kind element,
                                            enum isa_type type, struct lib_pos pos);
struct programs_values programs_build_param(struct programs_builder *b, struct region *r,
                                            const struct programs_expr *e);

/* An array of items. */
struct region_value programs_build_list(struct programs_builder *b, struct region *r,
                                        enum isa_type element,
                                        const struct region_value *items, uint32_t count,
                                        struct lib_pos pos);
/* An element of one. */
struct region_value programs_build_fetch(struct region *r, struct region_value array,
                                         struct region_value index, struct lib_pos pos);

/* Calls a function that takes an array, and the numbers from `low` up to that before `high`. */
struct region_value programs_build_range(struct region *r, uint32_t function,
                                         struct region_value array,
                                         struct region_value low,
                                         struct region_value high, struct lib_pos pos);

/* The sum of its elements. */
struct region_value programs_build_sum_of(struct programs_builder *b, struct region *r,
                                          struct region_value array, struct lib_pos pos);

/* --- gradients (programs/graph/build_gradient.c) ----------------------------------------- */

/* Notes the types of the cells that a value of a type has, which were added to the graph last. */
void programs_build_form_cells(struct programs_builder *b, struct programs_type *type,
                               const struct programs_expr *value);

/* Of a program with gradients, functions are built when the first call of them is. `record` makes
 * the form of a function, `build` its nodes. */
void programs_build_forms(struct programs_builder *b);
uint32_t programs_build_function_of(struct programs_builder *b, struct region *r,
                                    const struct programs_function *f);
struct programs_values programs_build_gradient(struct programs_builder *b,
                                               struct region *r,
                                               const struct programs_expr *e);

/* Returns the function of the graph that a routine is; it is made when something calls it. */
uint32_t programs_build_link(struct programs_builder *b, uint32_t routine);

/* Makes the nodes of a routine that has a form (programs/graph/build_forms.c). */
void programs_build_routine(struct programs_builder *b, uint32_t routine);

/* Checks that what is differentiated by reaches the result with derivatives. Returns false if
 * something was reported (programs/graph/check_gradient.c). */
bool programs_build_check_gradient(struct programs_builder *b,
                                   const struct programs_expr *e,
                                   struct lib_diags *diags);

/* All functions that are called, until there are no more. false: something was reported. */
bool programs_build_linked(struct programs_builder *b, struct lib_diags *diags);

/* A function of the program (programs/graph/build.c): its declaration, and its body in a region. */
void programs_build_declare(struct programs_builder *b,
                            const struct programs_function *f);
void programs_build_body(struct programs_builder *b, const struct programs_function *f,
                         struct region *top);

/* Whether a name of a constant has cells. */
bool programs_build_has_cells(struct programs_builder *b,
                              const struct programs_binding *binding);

/* Calls of the built-in functions. */
struct programs_values programs_build_length(struct programs_builder *b, struct region *r,
                                             const struct programs_expr *e);
struct programs_values programs_build_sum(struct programs_builder *b, struct region *r,
                                          const struct programs_expr *e);

#endif
