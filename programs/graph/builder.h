/* Functions that build forms (programs/form/form.h) from the syntax tree. A form is built in an
 * arena of its own, b->scratch, and freed once the graph has its nodes. Values are ids of the form.
 * Entries are added at b->at: at the end of a block, with the position of the expression that is
 * being built. */
#ifndef PROGRAMS_GRAPH_BUILDER_H
#define PROGRAMS_GRAPH_BUILDER_H

#include "lib/arena_map.h"
#include "lib/memory.h"
#include "programs/form/form.h"
#include "programs/graph/build.h"
#include "programs/syntax/ast.h"

/* A name in scope: of a `let`, a loop variable or an index. */
struct programs_bound {
    const struct programs_binding *binding;
    struct form_ids values;
    /* The LOOP whose variable has this name, while the loop's `return` is built and the name was
     * not used there: EXITs give the final values. NULL otherwise. */
    struct form_entry *loop;
    uint32_t variable; /* index in the loop of the variable's first part */
};

struct programs_builder {
    const struct programs_ast *ast;
    const struct programs_options *options;
    struct lib_arena *arena;
    struct lib_arena *scratch; /* of the form that is being built */
    struct form_place at;      /* place in that form */
    struct isa_graph *graph;
    /* parameter values of the current function */
    struct form_ids *param_values;
    uint32_t *input_index; /* for each input of the tree: index in the graph */
    uint32_t
        *given_index; /* for each constant that is given: its first tensor in `graph` */
    uint32_t *port_index; /* for each constant that is a port: index in `graph` */
    /* For each constant, if alias_known: the literal or input that it renames, or NULL. */
    const struct programs_expr **aliases;
    bool *alias_known;
    struct form_program forms;
    const struct programs_pass *passes;
    const char *fault; /* of the first form that is not legal; NULL: none */
    /* expressions with `grad` built so far */
    LIB_VEC(const struct programs_expr *) gradients;
    struct form_ids linked; /* routines that have become functions of the graph */
    struct form_calls_walk reached;
    uint32_t **cells; /* cells[c][n]: first cell for name n of equation c */
    LIB_ARENA_LIST(struct programs_bound) bound; /* names in scope, the innermost last */
    /* In the arena `scratch`, for each position: index in `bound` of the name last bound there.
     * May be stale. */
    struct lib_arena_map bound_at;
};

/* Returns the place where entries are added, with another position. */
static inline struct form_place programs_build_at(const struct programs_builder *b,
                                                  struct lib_pos pos)
{
    return form_at(b->at.block, pos);
}

/* --- values ----------------------------------------------------------------------------- */

struct form_ids programs_build_values(struct programs_builder *b, uint32_t count);
struct form_ids programs_build_value(struct programs_builder *b, uint32_t value);

enum isa_type programs_build_type(struct programs_type *type);

/* Sets *types to the types of the values that `type` is flattened to, with a type of their own
 * (FORM_WHOLES) for tensors of ints and bools. */
void programs_build_form_types(struct programs_builder *b, struct programs_type *type,
                               enum isa_type **types, uint32_t *count);

/* --- names ------------------------------------------------------------------------------ */

/* Returns the name of part `k` of `width` parts of a named value: "x", or "x.0". */
const char *programs_build_part_name(struct programs_builder *b,
                                     const struct programs_binding *binding, uint32_t k,
                                     uint32_t width);

/* Brings a name into scope. The caller ends the scope by setting `bound.count` back. */
struct programs_bound *programs_build_bind(struct programs_builder *b,
                                           const struct programs_binding *binding,
                                           struct form_ids values);

/* Returns the values of a name in scope. */
struct form_ids programs_build_bound(struct programs_builder *b,
                                     const struct programs_binding *binding);

bool programs_build_is_literal(const struct programs_expr *e);
isa_value programs_build_literal(const struct programs_expr *e);

/* Returns the literal or input that a constant renames; NULL if the constant is computed. */
const struct programs_expr *programs_build_alias(struct programs_builder *b,
                                                 const struct programs_binding *binding);

/* --- expressions ------------------------------------------------------------------------ */

struct form_ids programs_build_expr(struct programs_builder *b,
                                    const struct programs_expr *e);

/* Builds all operands of an expression; returns their values in order. */
struct form_ids programs_build_operands(struct programs_builder *b,
                                        const struct programs_expr *e);

uint32_t programs_build_one(struct programs_builder *b, const struct programs_expr *e);

/* Builds an expression in another block of the form. */
struct form_ids programs_build_in(struct programs_builder *b, struct form_block *block,
                                  const struct programs_expr *e);

/* Builds the value of an equation of a `let`, and brings its names into scope. */
void programs_build_equation(struct programs_builder *b,
                             const struct programs_equation *q);

/* --- data (programs/graph/build_data.c) --------------------------------------------------- */

/* Return the values of a CONSTRUCT, a FIELD and a NUMBER. */
struct form_ids programs_build_construct(struct programs_builder *b,
                                         const struct programs_expr *e);
struct form_ids programs_build_field(struct programs_builder *b,
                                     const struct programs_expr *e);
struct form_ids programs_build_number(struct programs_builder *b,
                                      const struct programs_expr *e);

/* --- arrays ----------------------------------------------------------------------------- */

/* Returns element `index` of each array. */
struct form_ids programs_build_fetch(struct programs_builder *b, struct form_place p,
                                     struct form_ids arrays, uint32_t index);

/* What the generator of a COMPREHENSION runs over: a range from `first` on, or arrays whose
 * elements it names. */
struct programs_generator {
    struct form_ids arrays;
    uint32_t first, count; /* of a port, `count` is an array */
    uint32_t step;         /* if has_step; else it is 1 */
    uint32_t known;        /* the count plus 1, if it is a literal; else 0 */
    bool counts_from_0, has_step;
};

struct programs_generator programs_build_generator(struct programs_builder *b,
                                                   const struct programs_expr *e);

/* Adds results for the values that a type is flattened to. */
void programs_build_results(struct programs_builder *b, struct form_entry *made,
                            struct programs_type *type);

/* Adds the TABULATE or FOLLOW of a COMPREHENSION, without results. */
struct form_entry *programs_build_table(struct programs_builder *b,
                                        const struct programs_expr *e,
                                        const struct programs_generator *from);

/* Begins the elements of such an entry. Entries are added in its block from here on. */
void programs_build_start(struct programs_builder *b, const struct programs_expr *e,
                          const struct programs_generator *from, struct form_entry *made);

/* Brings the names of a generator into scope, for its element number `counter`. */
void programs_build_names(struct programs_builder *b, const struct programs_expr *e,
                          const struct programs_generator *from, uint32_t counter);

/* Builds a JOINED (programs/graph/build_joined.c). */
struct form_ids programs_build_joined(struct programs_builder *b,
                                      const struct programs_expr *e);

/* Build calls of `append` and `subarray`. */
struct form_ids programs_build_append(struct programs_builder *b,
                                      const struct programs_expr *e);
struct form_ids programs_build_subarray(struct programs_builder *b,
                                        const struct programs_expr *e);

/* Adds a STORE of an element to an ARRAY, TABULATE or FOLLOW. */
void programs_build_store(struct form_place p, struct form_entry *arrays, uint32_t index,
                          struct form_ids element);

/* --- tensors ---------------------------------------------------------------------------- */

bool programs_build_is_tensor(const struct programs_expr *e);

/* Builds an elementwise operation on one or two values that makes a tensor. */
uint32_t programs_build_kernel(struct form_place p, const struct programs_expr *e,
                               const uint32_t *operands, size_t count);
struct form_ids programs_build_tensor_builtin(struct programs_builder *b,
                                              const struct programs_expr *e);

/* Builds t[i]: a row, or an element of a tensor of rank 1. */
uint32_t programs_build_row(struct form_place p, const struct programs_expr *e,
                            uint32_t tensor, uint32_t index);

uint32_t programs_build_param(struct programs_builder *b, const struct programs_expr *e);
struct form_ids programs_build_given(struct programs_builder *b,
                                     const struct programs_expr *e);

/* --- gradients (programs/graph/build_gradient.c) ----------------------------------------- */

/* Records what gradients need to know of the cells that were last added to the graph: their types,
 * and whether gradients may have rows. The cells hold `value`, of type `type`. */
void programs_build_form_cells(struct programs_builder *b, struct programs_type *type,
                               const struct programs_expr *value);

/* Prepares the routines of a program. In a program with gradients functions are declared when a
 * call of them is first emitted. */
void programs_build_forms(struct programs_builder *b);

/* Builds a call of `grad`: a DERIVE. */
struct form_ids programs_build_gradient(struct programs_builder *b,
                                        const struct programs_expr *e);

/* Returns the index of the graph's function for a routine of programs/form/form.h. Declares the
 * function the first time. */
uint32_t programs_build_link(struct programs_builder *b, uint32_t routine);

/* Checks the arguments and params of a call of `grad`. It is an error if one of them reaches the
 * function's result only through `int` or `floor`, or if the function uses a constant of the
 * program that is computed from a param. Returns false and adds diagnostics on errors. */
bool programs_build_check_gradient(struct programs_builder *b,
                                   const struct programs_expr *e,
                                   struct lib_diags *diags);

/* Builds functions that are called and not yet built, until none is left. Returns false and adds
 * diagnostics after errors. */
bool programs_build_linked(struct programs_builder *b, struct lib_diags *diags);

/* --- forms and nodes (programs/graph/build.c) --------------------------------------------- */

/* Builds the form of a function. */
struct form *programs_build_source(struct programs_builder *b, struct lib_arena *arena,
                                   const struct programs_function *f);
/* Builds the form of the value of a constant, which is not written. */
struct form *programs_build_lone(struct programs_builder *b, struct lib_arena *arena,
                                 const struct programs_equation *q, uint32_t routine);

/* Returns what the passes make of a form: all of them, or those that are not for gradients only. */
struct form *programs_build_passed(struct programs_builder *b, struct form *form,
                                   bool for_gradients);

/* Whether forms of functions are built again, to replace calls. */
bool programs_build_inlines(const struct programs_builder *b);

/* Returns what the optimiser makes of the form of a gradient: a copy, as gradients are made of the
 * form itself too; or that, if no pass is chosen. */
struct form *programs_build_optimised(struct programs_builder *b, struct form *form);

/* Checks a form that a pass has made (form_check). Sets b->fault if it is the first that is not
 * legal. */
void programs_build_check(struct programs_builder *b, const char *pass,
                          const struct form *form);

/* Makes the nodes of a form in function `function` of the graph: its body, or a part of the body of
 * the top level. `pos` is the position of the results (programs/graph/emit.c). */
void programs_build_emit(struct programs_builder *b, struct form *form, uint32_t function,
                         struct lib_pos pos);
/* Builds the form of a function that is declared, or of a constant if `f` is NULL, and makes its
 * nodes. */
void programs_build_form(struct programs_builder *b, const struct programs_function *f,
                         const struct programs_equation *q);

/* Whether a constant is stored in cells. */
bool programs_build_has_cells(struct programs_builder *b,
                              const struct programs_binding *binding);

#endif
