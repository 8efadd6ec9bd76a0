/* Forms: functions as what can be differentiated.
 *
 * A form is a function graph before arcs are drawn: values, and entries that make values of
 * others, in an order in which each comes behind what it uses. A conditional is a BRANCH: two
 * blocks of entries, and results, each of which is a value of one block or of the other. Further
 * BRANCH entries may go on with the same conditional: their blocks use what its earlier blocks
 * made. There are no loops. A loop is a routine that calls itself, and the elements of an array
 * are made by a routine that is called for each of them: TABULATE.
 *
 * programs/graph/region.h records a form where it would else make nodes, and
 * programs/graph/build_gradient.c makes nodes of a form. programs/gradient/differentiate.h makes
 * forms of forms. A routine is a function that has a form, or will have one when it is wanted.
 * All of them live in the arena of their program. */
#ifndef PROGRAMS_GRADIENT_FORM_H
#define PROGRAMS_GRADIENT_FORM_H

#include "isa/graph.h"
#include "lib/arena.h"
#include "lib/diag.h"

/* No value, no routine, no cell. */
#define FORM_NONE UINT32_MAX

/* `index` of an ITEM of a vector. Other ITEMs are of tensors of one element. */
#define FORM_OF_VECTOR 1

/* The number of a use of MATMUL whose second operand has at most two axes. Graphs have no such
 * number. */
#define FORM_FLAT 1

/* The leaf of a tensor of ints or bools, which has no derivative. Forms tell it apart; in a graph
 * it is a tensor like others. */
#define FORM_WHOLES ((enum isa_type)ISA_LEAF_COUNT)

/* A type of forms as graphs have it. */
static inline enum isa_type form_graph_type(enum isa_type type)
{
    return isa_type_leaf(type) == FORM_WHOLES
               ? (enum isa_type)(type - FORM_WHOLES + ISA_TENSOR)
               : type;
}

/* Numbers in the arena, of values or of cells. */
struct form_ids {
    uint32_t *items;
    uint32_t count, capacity;
};

enum form_value_kind {
    FORM_LITERAL,
    FORM_INPUT, /* index: which */
    FORM_PARAM, /* index: which */
    FORM_MADE,  /* a result of an entry; index: the opcode of a COMPUTE */
    FORM_CELL,  /* no value: stands for the cell `index` where derivatives are added up */
    FORM_SITE,  /* no value: stands for the site `index` whose adjoint leaves */
};

struct form_value {
    enum form_value_kind kind;
    enum isa_type type;
    uint32_t index;
    isa_value literal;
    uint32_t
        shape; /* of a tensor: the value that form_shape made last, in the block `shape_in` */
    struct form_block *shape_in; /* NULL: it made none */
};

enum form_entry_kind {
    FORM_COMPUTE, /* op, type, index: an instruction of one or two operands; a COMBINE of three is to
                      have the second and the third as a PAIR */
    FORM_READ,     /* index: a cell */
    FORM_LOAD,     /* index: a tensor that the graph holds */
    FORM_APPLY,    /* a call of `routine` */
    FORM_BRANCH,   /* branch, blocks; result k is operand 2k if the condition holds, else
                      2k + 1; each is a value of its block, or of one around it */
    FORM_LIST,     /* an array of its operands */
    FORM_FETCH,    /* of an array, the element of an index */
    FORM_TABULATE, /* operand 0: a length; results: arrays of that length. `routine` makes
                      element i of each of i and the other operands, among which may be
                      the arrays themselves */
    FORM_LATE, /* of a call of a paired routine, or of paired elements: the adjoints that they are given and give */
    FORM_SUM,  /* of an array of numbers */
    FORM_TO_TENSOR, /* of an array; index: the element */
    FORM_TO_ARRAY, /* of a tensor; index: its element; the result's type says of which rank */
};

/* What the BRANCH entries of one conditional share. */
struct form_branch {
    uint32_t condition;
    bool is_used;             /* while the form is pruned */
    struct form_branch *copy; /* while it is copied */
    void *
        inner; /* while it is differentiated: adjoints of both sides; while nodes are made: regions */
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
    uint32_t
        site; /* FETCH: the site that its adjoint goes to (programs/gradient/sites.h); 0: none */
    uint32_t
        pair; /* APPLY, TABULATE: what does this and its gradient, if a LATE gives it the rest; else FORM_NONE */
    struct form_entry *early; /* LATE: the APPLY or TABULATE that it belongs to */
    bool is_kept;             /* APPLY, TABULATE: its LATE is */
    struct form_entry *copy;  /* while it is copied */
    uint32_t node;            /* APPLY of a pair: while nodes are made */
    void *half;               /* TABULATE of a pair: the same */
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
    FORM_SOURCE,   /* a function of the program: `function` */
    FORM_GRADIENT, /* of the routine `of`, also by the cells `wanted` */
    FORM_PAIR,     /* the routine `of` and its gradient: the early parameters and results
                      are those of the routine */
    FORM_HELPER,   /* it has its form from the beginning */
};

/* Empty tensors that stand for parts of gradients in deferred form. */
enum form_empty {
    FORM_NO_ROWS,    /* reals: [0] */
    FORM_NO_INDICES, /* ints: [0] */
    FORM_NO_COLUMNS, /* reals: [0, 0] */
    FORM_EMPTIES,
};

/* Which params a gradient gives in deferred form (programs/gradient/deferred.h). */
enum form_giving {
    FORM_GIVES_DENSE,  /* none: each is one tensor */
    FORM_GIVES_TABLES, /* those whose gradient is FORM_ROWS */
    FORM_GIVES_ALL,    /* all that have such a form */
};

struct form_routine {
    enum form_routine_kind kind;
    const char *name;
    struct lib_pos pos;
    enum isa_type *params, *results;
    uint32_t param_count, result_count;
    struct form *form;    /* NULL: not yet */
    const void *function; /* SOURCE */
    uint32_t of;          /* GRADIENT */
    struct form_ids wanted;
    bool
        is_paired; /* GRADIENT: what it calls is paired. Such ones are not differentiated */
    bool knows_cells;
    struct form_ids
        cells; /* that it reads, itself or in what it calls, once that is known */
    uint32_t *
        ways; /* of each parameter, how its adjoint leaves (programs/gradient/sites.h); 0 or NULL: as a result */
    struct form_ids sites, site_types; /* whose adjoints its gradient gives */
    uint8_t *flow; /* of each parameter, how it reaches each result; NULL: not known */
    uint8_t *cell_flow; /* the same of the cell `flowing`; NULL: not known */
    uint32_t flowing;
    enum form_giving giving; /* GRADIENT, PAIR: in what form it gives params */
    enum {
        FORM_RECURSION_UNKNOWN,
        FORM_RECURSIVE,
        FORM_NOT_RECURSIVE
    } recursion;     /* whether it calls itself */
    unsigned order;  /* how often it was differentiated */
    bool is_reached; /* what it calls is known to have forms, or will */
    bool is_linked;  /* it has a function of the graph: */
    uint32_t graph_function;
};

struct form_program {
    struct lib_arena *arena;
    const struct isa_graph
        *graph; /* for types of instructions, and of cells that are wanted */
    struct form_ids cell_types; /* per cell */
    /* Per cell: how many rows its gradient in deferred form may have, as products and as rows
     * (programs/gradient/deferred.h); 0: it has no such form. */
    struct form_ids most_products, most_rows;
    struct form_ids row_totals; /* helpers of programs/gradient/deferred.c */
    bool defers;                /* gradients of params may be in deferred form */
    bool
        hands_rows; /* what asks for a gradient takes tables as rows (programs/graph/build_options.h) */
    struct form_routine *routines;
    uint32_t routine_count, routine_capacity;
    void (*record)(struct form_program *program, uint32_t routine); /* of a SOURCE */
    uint32_t (*nothing)(struct form_program *program,
                        enum form_empty which); /* a constant of the graph */
    uint32_t nothings[FORM_EMPTIES];            /* these; FORM_NONE: not yet */
    const char *recording; /* the name of the function that is recorded */
    void *context;
    uint32_t zeros[ISA_TYPE_LIMIT], adds[ISA_TYPE_LIMIT], totals[ISA_TYPE_LIMIT],
        puts[ISA_TYPE_LIMIT]; /* helpers, by the type of the array */
    uint32_t way_count;       /* ways and sites have numbers from 1 on */
    struct lib_pos too_deep;  /* where gradients of gradients go on without end */
};

/* Gradients of gradients of ...: of more than these it is asked whether they have an end. */
enum { FORM_ORDER_ASK = 6 };

/* --- routines ----------------------------------------------------------------------------- */

void form_program_init(struct form_program *program, struct lib_arena *arena,
                       const struct isa_graph *graph);

uint32_t form_add_routine(struct form_program *program, enum form_routine_kind kind,
                          const char *name, struct lib_pos pos);

/* Says what a routine takes and gives. The types are copied. */
void form_set_types(struct form_program *program, uint32_t routine,
                    const enum isa_type *params, uint32_t param_count,
                    const enum isa_type *results, uint32_t result_count);

/* The form of a routine; it is made where there is none yet. */
struct form *form_of(struct form_program *program, uint32_t routine);

/* --- values --------------------------------------------------------------------------------- */

struct form *form_new(struct lib_arena *arena);

/* A copy, in which values have the same numbers. */
struct form *form_copy(struct form_program *program, const struct form *form);

void form_push_id(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

/* Adds an id unless the list has it. Returns whether it was added. */
bool form_push_id_once(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

uint32_t form_add_value(struct form_program *program, struct form *form,
                        struct form_value value);
uint32_t form_literal(struct form_program *program, struct form *form, enum isa_type type,
                      isa_value value);
uint32_t form_real(struct form_program *program, struct form *form, double real);
uint32_t form_param(struct form_program *program, struct form *form, enum isa_type type,
                    uint32_t index);

/* The value that is a parameter; FORM_NONE: it is not used. */
uint32_t form_find_param(const struct form *form, uint32_t index);

/* --- entries --------------------------------------------------------------------------------- */

/* An entry without operands and results, at the end of a block. */
struct form_entry *form_add_entry(struct form_program *program, struct form_block *block,
                                  enum form_entry_kind kind, struct lib_pos pos);
void form_add_to_block(struct form_program *program, struct form_block *block,
                       struct form_entry *entry);
void form_add_operand(struct form_program *program, struct form_entry *entry,
                      uint32_t value);
uint32_t form_add_result(struct form_program *program, struct form *form,
                         struct form_entry *entry, enum isa_type type);

/* Where entries are added, for those that add many. */
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

/* Returns an int as a literal. */
uint32_t form_integer(struct form_place p, int64_t i);
uint32_t form_fetch(struct form_place p, uint32_t array, uint32_t index);
uint32_t form_length(struct form_place p, uint32_t array);

/* The extents of a tensor, as a tensor of ints; one entry per block for all that need them. */
uint32_t form_shape(struct form_place p, uint32_t tensor);

/* A call; the entry, whose results are those of the routine. */
struct form_entry *form_apply(struct form_place p, uint32_t routine,
                              const uint32_t *arguments, uint32_t count);

/* A conditional. The first one makes it, others go on with it: `branch` is what the first one
 * has. */
struct form_entry *form_split(struct form_place p, uint32_t condition);
struct form_entry *form_go_on(struct form_place p, struct form_branch *branch);
struct form_place form_side(struct form_place p, const struct form_entry *branch,
                            unsigned side);
uint32_t form_merge(struct form_place p, struct form_entry *branch, uint32_t when_true,
                    uint32_t when_false);

/* What a routine does, done here: its entries are copied, and its results are added to *results. */
void form_inline(struct form_place p, uint32_t routine, const uint32_t *arguments,
                 struct form_ids *results);

static inline enum isa_type form_type(const struct form *form, uint32_t value)
{
    return form->values[value].type;
}

/* Uses of a value become those of another one. */
void form_replace(struct form *form, uint32_t from, uint32_t to);

/* Sets what the conditionals of a block had in `inner` back. */
void form_forget(const struct form_block *block);

/* Takes away what no result needs. */
void form_prune(struct form_program *program, struct form *form);

#endif
