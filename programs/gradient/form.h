/* Forms: functions as lists of entries, which can be differentiated.
 *
 * A form has values, and entries, each of which computes values from earlier ones. A conditional is
 * a BRANCH: two blocks of entries, and results, each of which is a value of one or the other block.
 * Several BRANCH entries may belong to one conditional: the blocks of a later entry can use the
 * values of the earlier blocks. A routine is a function whose form is made when first needed. There
 * are no loops: a loop becomes a routine that calls itself, and a TABULATE entry makes an array by
 * calling a routine for each element.
 *
 * programs/graph/region.h records forms instead of making graph nodes,
 * programs/graph/build_forms.c makes graph nodes of forms, and programs/gradient/differentiate.h
 * makes forms of forms. Everything is in the arena of the program.
 *
 * A param is a trainable tensor, a constant of the program. Constants and params are known by the
 * indices of their cells (isa_graph.cells). The gradient by a param is a tensor; or rows, which are
 * added up later (programs/gradient/deferred.h). */
#ifndef PROGRAMS_GRADIENT_FORM_H
#define PROGRAMS_GRADIENT_FORM_H

#include "isa/graph.h"
#include "lib/arena.h"
#include "lib/diag.h"

/* No value, no routine or no cell. */
#define FORM_NONE UINT32_MAX

/* Member `index` of an ITEM that takes an element of a vector; other ITEMs take the only element
 * of a tensor. */
#define FORM_OF_VECTOR 1

/* Value of isa_use_number, in forms only, for a MATMUL whose second operand has at most two
 * axes. */
#define FORM_FLAT 1

/* Type, in forms only, of tensors of ints or bools, which have no derivative. */
#define FORM_WHOLES ((enum isa_type)ISA_LEAF_COUNT)

static inline enum isa_type form_graph_type(enum isa_type type)
{
    return isa_type_leaf(type) == FORM_WHOLES
               ? (enum isa_type)(type - FORM_WHOLES + ISA_TENSOR)
               : type;
}

/* List of indices of values, cells or routines, allocated in the arena. */
struct form_ids {
    uint32_t *items;
    uint32_t count, capacity;
};

enum form_value_kind {
    FORM_LITERAL,
    FORM_INPUT, /* input `index` of the program */
    FORM_PARAM, /* parameter `index` of the routine */
    FORM_MADE,  /* result of an entry; `index`: opcode, if the entry is an instruction */
    /* Stands for the param of cell `index`: its adjoint is the gradient by the param, or rows. */
    FORM_CELL,
    FORM_SITE, /* stands for array read (site) `index`: its adjoint is the site's */
};

struct form_value {
    enum form_value_kind kind;
    enum isa_type type;
    uint32_t index;
    isa_value literal;
    /* for a tensor: the value with its extents, made by form_shape in block `shape_in` */
    uint32_t shape;
    struct form_block *shape_in; /* block that made `shape`; NULL: none */
};

enum form_entry_kind {
    /* Instruction `op` with `type`, `index` and one or two operands; or a COMBINE with three
     * operands. (In a graph, where instructions have two, a PAIR joins the last two of them.) */
    FORM_COMPUTE,
    FORM_READ,  /* reads the constant or param of cell `index` */
    FORM_LOAD,  /* loads tensor `index` of the graph */
    FORM_APPLY, /* calls the routine `routine` */
    /* Conditional of `branch` and `blocks`. Result k is operand 2k if the condition holds, else
     * operand 2k + 1; each is a value of its block or of an enclosing one. */
    FORM_BRANCH,
    FORM_LIST,  /* makes an array of its operands */
    FORM_FETCH, /* reads an array element; operands: array, index */
    /* Makes arrays, the results, whose length is operand 0. `routine` makes element i of all
     * arrays from i and the other operands, which may include the arrays. */
    FORM_TABULATE,
    /* Second part of a call that is paired with its gradient: takes adjoints of the results of
     * the first part, `early`; returns adjoints of the first part's operands. Likewise for array
     * elements. */
    FORM_LATE,
    FORM_SUM,       /* sums an array of numbers */
    FORM_TO_TENSOR, /* makes a tensor from an array; `index`: element type */
    /* Makes an array of the result's type from a tensor; `index`: element type. */
    FORM_TO_ARRAY,
};

/* Data shared by all BRANCH entries of one conditional. */
struct form_branch {
    uint32_t condition;
    bool is_used;             /* scratch while a form is pruned */
    struct form_branch *copy; /* scratch while a form is copied */
    void *inner;              /* scratch while derivatives or nodes are made */
};

struct form_block {
    struct form_entry **items;
    uint32_t count, capacity;
};

struct form_entry {
    enum form_entry_kind kind;
    enum isa_op op;
    enum isa_type type;
    uint32_t index, routine;
    uint32_t site; /* array read: id of its site (programs/gradient/sites.h), or 0 */
    /* The routine that computes both this entry and its gradient; FORM_NONE if no LATE entry is
     * the gradient of this one. */
    uint32_t pair;
    /* if the entry is a LATE: the call or TABULATE whose gradient it is */
    struct form_entry *early;
    /* The LATE that is the gradient of this entry was not pruned. */
    bool is_kept;
    struct form_entry *copy; /* scratch while a form is copied */
    uint32_t node;           /* scratch of paired calls while nodes are made */
    void *half;              /* scratch of paired array elements while nodes are made */
    struct form_ids operands, results;
    struct form_branch *branch;
    struct form_block *blocks[2];
    struct lib_pos pos;
};

struct form {
    struct form_value *values;
    uint32_t value_count, value_capacity;
    struct form_block top;
    struct form_ids results;
};

enum form_routine_kind {
    FORM_SOURCE, /* a function of the program */
    /* gradient of routine `of` by its parameters and by the params (trainable tensors) `wanted` */
    FORM_GRADIENT,
    FORM_PAIR,   /* routine `of` together with its gradient */
    FORM_HELPER, /* routine made for derivatives, with its form */
};

/* Empty tensors, in place of the rows of gradients that have none. */
enum form_empty {
    FORM_NO_ROWS,    /* an empty tensor, real[0] */
    FORM_NO_INDICES, /* an empty tensor, int[0] */
    FORM_NO_COLUMNS, /* an empty tensor, real[0, 0] */
    FORM_EMPTIES,
};

/* Choice of the params (trainable tensors) by which a routine returns gradients as rows instead of
 * tensors (programs/gradient/deferred.h). */
enum form_giving {
    FORM_GIVES_DENSE,  /* no param: all gradients are tensors */
    FORM_GIVES_TABLES, /* params that are read by `gather` only (FORM_ROWS) */
    FORM_GIVES_ALL,    /* all params whose uses allow rows */
};

struct form_routine {
    enum form_routine_kind kind;
    const char *name;
    struct lib_pos pos;
    enum isa_type *params, *results;
    uint32_t param_count, result_count;
    struct form *form;    /* form of the routine; NULL: not made yet */
    const void *function; /* for FORM_SOURCE: its struct programs_function */
    uint32_t of; /* for FORM_GRADIENT and FORM_PAIR: the routine that is differentiated */
    /* For FORM_GRADIENT and FORM_PAIR: the params (trainable tensors) by which derivatives are
     * taken, as indices in isa_graph.cells. */
    struct form_ids wanted;
    /* For FORM_GRADIENT: its calls are paired with their gradients; it is never differentiated. */
    bool is_paired;
    bool knows_cells; /* whether `cells` is known */
    /* Constants and params that the routine, or one that it calls, reads, as indices in
     * isa_graph.cells; for FORM_GRADIENT, those of routine `of`. */
    struct form_ids cells;
    /* For each parameter: 0 if the gradient returns its adjoint. Else its way: the id of an array
     * whose adjoints leave the gradient at array reads instead (programs/gradient/sites.h). NULL:
     * 0 for all parameters. */
    uint32_t *ways;
    /* Array reads (sites) whose adjoints the gradient returns, and the types of the adjoints. */
    struct form_ids sites, site_types;
    /* Dependence of each result on each parameter (form_flow); NULL: unknown. */
    uint8_t *flow;
    /* Dependence of each result on the constant or param of cell `flowing`; NULL: unknown. */
    uint8_t *cell_flow;
    uint32_t flowing;
    /* For FORM_GRADIENT and FORM_PAIR: the params by which gradients are returned as rows. */
    enum form_giving giving;
    enum { FORM_RECURSION_UNKNOWN, FORM_RECURSIVE, FORM_NOT_RECURSIVE } recursion;
    bool is_loop;            /* for FORM_HELPER: whether it was a loop of the program */
    uint32_t bound;          /* of such a loop, by the pragma `bound`; 0: not given */
    unsigned order;          /* 1 for a gradient, 2 for the gradient of a gradient, ... */
    bool is_reached;         /* scratch: the routines that it calls were visited */
    bool is_linked;          /* whether `graph_function` is known */
    uint32_t graph_function; /* index of the routine's function in the graph */
};

struct form_program {
    struct lib_arena *arena;
    /* graph with the types of instructions and cells; borrowed */
    const struct isa_graph *graph;
    struct form_ids cell_types;
    /* For each cell, a constant or param: max number of rows that the gradient by it may keep
     * before they become a tensor; 0: no rows. `most_products`: for the forms FORM_PRODUCTS and
     * FORM_COLUMNS; `most_rows`: for FORM_ROWS. */
    struct form_ids most_products, most_rows;
    /* Routines for sums of rows of gradients (programs/gradient/deferred.c). */
    struct form_ids row_totals;
    bool defers; /* gradients by params may be returned as rows */
    /* Calls of `grad` return gradients by tables, params that are read by `gather` only, as rows
     * (given_rows of programs_options). */
    bool hands_rows;
    struct form_routine *routines;
    uint32_t routine_count, routine_capacity;
    /* Makes the form of a FORM_SOURCE routine. */
    void (*record)(struct form_program *program, uint32_t routine);
    /* Returns the index in the graph of an empty tensor. */
    uint32_t (*nothing)(struct form_program *program, enum form_empty which);
    /* indices in the graph of the empty tensors; FORM_NONE: not made yet */
    uint32_t nothings[FORM_EMPTIES];
    /* function whose form is being recorded */
    const char *recording;
    void *context;
    /* For each type of array, routines that make: zeros in its shape; the sum of two arrays; the
     * sum of its elements; an element of an array in which all elements but one are zeros.
     * FORM_NONE: not made yet. */
    uint32_t zeros[ISA_TYPE_LIMIT], adds[ISA_TYPE_LIMIT], totals[ISA_TYPE_LIMIT],
        puts[ISA_TYPE_LIMIT];
    uint32_t way_count;      /* last id given to a way or site; ids begin at 1 */
    struct lib_pos too_deep; /* position of a gradient of gradients that would not end */
};

/* Max `order` of a gradient for which it is not checked whether gradients of gradients end. */
enum { FORM_ORDER_ASK = 6 };

/* --- routines ----------------------------------------------------------------------------- */

void form_program_init(struct form_program *program, struct lib_arena *arena,
                       const struct isa_graph *graph);

uint32_t form_add_routine(struct form_program *program, enum form_routine_kind kind,
                          const char *name, struct lib_pos pos);

/* Sets the types of a routine's parameters and results, which are copied. */
void form_set_types(struct form_program *program, uint32_t routine,
                    const enum isa_type *params, uint32_t param_count,
                    const enum isa_type *results, uint32_t result_count);

/* Returns the form of a routine, making it the first time. */
struct form *form_of(struct form_program *program, uint32_t routine);

/* --- values --------------------------------------------------------------------------------- */

struct form *form_new(struct lib_arena *arena);

/* Returns a copy of a form; values keep their indices. */
struct form *form_copy(struct form_program *program, const struct form *form);

void form_push_id(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

/* Adds an id unless the list has it. Returns true if it was added. */
bool form_push_id_once(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

uint32_t form_add_value(struct form_program *program, struct form *form,
                        struct form_value value);
uint32_t form_literal(struct form_program *program, struct form *form, enum isa_type type,
                      isa_value value);
uint32_t form_real(struct form_program *program, struct form *form, double real);
uint32_t form_param(struct form_program *program, struct form *form, enum isa_type type,
                    uint32_t index);

/* Returns the index of the value that is parameter `index`, or FORM_NONE. */
uint32_t form_find_param(const struct form *form, uint32_t index);

/* --- entries --------------------------------------------------------------------------------- */

/* Adds an entry without operands and results at the end of a block. */
struct form_entry *form_add_entry(struct form_program *program, struct form_block *block,
                                  enum form_entry_kind kind, struct lib_pos pos);
void form_add_to_block(struct form_program *program, struct form_block *block,
                       struct form_entry *entry);
void form_add_operand(struct form_program *program, struct form_entry *entry,
                      uint32_t value);
uint32_t form_add_result(struct form_program *program, struct form *form,
                         struct form_entry *entry, enum isa_type type);

/* Place where entries are added to a form. */
struct form_place {
    struct form_program *program;
    struct form *form;
    struct form_block *block;
    struct lib_pos pos;
};

uint32_t form_compute(struct form_place p, enum isa_op op, enum isa_type type,
                      uint32_t index, const uint32_t *operands, uint32_t count);
uint32_t form_compute_1(struct form_place p, enum isa_op op, uint32_t a);
uint32_t form_compute_2(struct form_place p, enum isa_op op, uint32_t a, uint32_t b);

uint32_t form_integer(struct form_place p, int64_t i);
uint32_t form_fetch(struct form_place p, uint32_t array, uint32_t index);
uint32_t form_length(struct form_place p, uint32_t array);

/* Adds the extents of a tensor, as a tensor of ints; one entry per block serves all uses. */
uint32_t form_shape(struct form_place p, uint32_t tensor);

/* Adds a call of a routine. Returns the entry; its results are the results of the routine. */
struct form_entry *form_apply(struct form_place p, uint32_t routine,
                              const uint32_t *arguments, uint32_t count);

/* Adds a conditional. */
struct form_entry *form_split(struct form_place p, uint32_t condition);
/* Adds a BRANCH entry with two further blocks to the conditional with `branch`. */
struct form_entry *form_go_on(struct form_place p, struct form_branch *branch);
/* Returns the place in a block of a conditional. `side` 0: the block for a condition that holds;
 * 1: the other one. */
struct form_place form_side(struct form_place p, const struct form_entry *branch,
                            unsigned side);
/* Adds a result to a conditional: one of two values. Returns the result. */
uint32_t form_merge(struct form_place p, struct form_entry *branch, uint32_t when_true,
                    uint32_t when_false);

/* Inlines a call: copies the entries of a routine, and adds the results to *results. */
void form_inline(struct form_place p, uint32_t routine, const uint32_t *arguments,
                 struct form_ids *results);

static inline enum isa_type form_type(const struct form *form, uint32_t value)
{
    return form->values[value].type;
}

/* Replaces all uses of value `from` by uses of `to`. */
void form_replace(struct form *form, uint32_t from, uint32_t to);

/* Resets the scratch member `inner` of all conditionals in a block to NULL. */
void form_forget(const struct form_block *block);

/* Removes entries that no result needs. */
void form_prune(struct form_program *program, struct form *form);

#endif
