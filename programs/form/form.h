/* Forms: the functions of a program between the syntax tree and the graph.
 *
 * A form has values, and entries, each of which computes values from earlier ones. A conditional is
 * a BRANCH: two blocks of entries, and results, each of which is a value of one or the other block.
 * Several BRANCH entries may belong to one conditional: the blocks of a later entry can use the
 * values of the earlier blocks. A routine is a function, with a form that is made when first
 * needed.
 *
 * Forms are of two kinds. A form of the source (programs/graph/builder.h) has all that the language
 * has: loops, comprehensions, ports. A form for gradients (programs/gradient/calls.h) has no loops:
 * a loop is a routine that calls itself, and a TABULATE makes an array by calling a routine for
 * each element. Loops of forms that are not differentiated any more can be made of such routines
 * (programs/gradient/loops.h). Entries are in the order in which programs/graph/emit.c makes graph
 * nodes of them, which decides the image: some entries only mark a place in that order.
 *
 * Passes go from form to form; programs/compile.c lists them, and form_check
 * (programs/form/check.h) checks what each of them makes. What a pass remembers of entries,
 * conditionals and values is in tables of its own, by their ids. A form is in an arena: one of its
 * own that is freed when its graph is made, or that of the program if it is differentiated.
 *
 * A param is a trainable tensor, a constant of the program. Constants and params are known by the
 * indices of their cells (isa_graph.cells). The gradient by a param is a tensor; or rows, which are
 * added up later (programs/gradient/deferred.h). */
#ifndef PROGRAMS_FORM_FORM_H
#define PROGRAMS_FORM_FORM_H

#include "isa/graph.h"
#include "isa/kernel_use.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/memory.h"

/* No value, no routine or no cell. */
#define FORM_NONE UINT32_MAX

/* Member `index` of an ITEM that takes an element of a vector; other ITEMs take the only element
 * of a tensor. */
#define FORM_OF_VECTOR 1

/* Member `index` of a TO_TENSOR is the element type, plus this for each axis of elements that are
 * tensors. */
#define FORM_AXIS 256

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

/* List of indices of values, cells or routines, allocated in an arena. */
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
    enum form_value_kind kind : 8;
    enum isa_type type : 16;
    uint32_t index;
    isa_value literal;
};

enum form_entry_kind {
#define KIND(NAME, ...) FORM_##NAME,
#include "programs/form/kinds.def"
#undef KIND
    FORM_ENTRY_KINDS,
};

/* Member `index` of a DECLARE for a SUM. */
#define FORM_OF_SUM 1

/* Data shared by all BRANCH entries of one conditional. */
struct form_branch {
    uint32_t condition;
    uint32_t id; /* below branch_count of the form */
};

struct form_block {
    struct form *form;
    struct form_entry **items;
    uint32_t count, capacity;
};

/* Name, for drawings, and position of a parameter or of a variable of a loop; or name of the index
 * of a comprehension. NULL: no name. */
struct form_name {
    const char *text;
    struct lib_pos pos;
};

/* Call of a gradient before it is known which routine it calls. */
struct form_derive {
    struct form_ids wanted; /* cells of the params by which it derives */
    bool gives_rows;        /* three values for each of these params */
    const void *source;     /* the call, for diagnostics; NULL: unknown */
};

struct form_entry {
    enum form_entry_kind kind : 8;
    enum isa_op op : 16;
    enum isa_type type : 16;
    /* The LATE that is the gradient of this entry was not pruned. */
    bool is_kept;
    /* TABULATE: its elements may read elements of its arrays, other than as operands. */
    bool reads_itself;
    bool scatters; /* TABULATE: its elements have indices of their own */
    uint32_t id;   /* below entry_count of the form */
    uint32_t index, routine;
    /* Value: condition of a LOOP, index of the elements of a TABULATE, FOLLOW or EVERY. Bound of a
     * DECLARE. */
    uint32_t inner;
    uint32_t site; /* array read: id of its site (programs/gradient/elements.c), or 0 */
    /* The routine that computes both this entry and its gradient; FORM_NONE if no LATE entry is
     * the gradient of this one. */
    uint32_t pair;
    struct lib_pos pos;
    struct form_ids operands, results;
    struct form_entry *early; /* entry that this one continues */
    union {
        struct form_branch *branch;       /* of a BRANCH */
        const struct form_name *names;    /* of a LOOP, TABULATE, FOLLOW, EVERY */
        const struct form_derive *derive; /* of a DERIVE */
        const struct lib_pos *places;     /* of a STORE: of each operand; NULL: no run */
    };
    struct form_block *blocks; /* two; NULL for entries without */
};

/* A tensor that a form of the source loads. */
struct form_tensor {
    const char *name;
    struct isa_tensor *tensor; /* in the graph */
};

/* Value with the extents of a tensor, made by form_shape in block `in`. */
struct form_extents {
    uint32_t value;
    const struct form_block *in; /* NULL: none */
};

struct form {
    struct form_program *program;
    struct lib_arena *arena;
    const char *name; /* of the function or constant; NULL: made for gradients */
    uint32_t routine; /* FORM_NONE: a constant */
    struct form_value *values;
    struct form_tensor *tensors;
    struct form_extents *extents; /* for each value below extents_count */
    uint32_t value_count, value_capacity, entry_count, branch_count;
    uint32_t tensor_count, tensor_capacity, extents_count;
    bool has_loops; /* a form for gradients in which a LOOP was made of a routine */
    struct form_block top;
    struct form_ids results;
    /* Names and positions of the parameters; NULL: not known. */
    const struct form_name *params;
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

/* How a gradient is computed, as flags. One with flags is never differentiated. */
enum form_manner {
    FORM_PAIRED = 1,  /* calls are paired with their gradients */
    FORM_LOOPING = 2, /* loops are differentiated as loops (programs/gradient/loops.h) */
};

/* A loop of the program as a routine that calls itself. Its first parameters are the variables. */
struct form_loop {
    struct form_entry *test; /* conditional whose first block is the body */
    const struct form_entry
        *again; /* the routine's call of itself, the last entry of the body */
    uint32_t variable_count;
    struct form_ids exits; /* for each result: the variable whose last value it is */
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
    unsigned manner; /* for FORM_GRADIENT and FORM_PAIR: flags of enum form_manner */
    struct form_ids gradients; /* the routines whose `of` is this one */
    /* For each parameter: 0 if the gradient returns its adjoint. Else its way: the id of an array
     * whose adjoints leave the gradient at array reads instead (programs/gradient/elements.c).
     * NULL: 0 for all parameters. */
    uint32_t *ways;
    /* Array reads (sites) whose adjoints the gradient returns, and the types of the adjoints. */
    struct form_ids sites, site_types;
    /* Dependence of each result on each parameter (programs/graph/check_gradient.c); NULL: unknown.
     * */
    uint8_t *flow;
    /* Dependence of each result on the constant or param of cell `flowing`; NULL: unknown. */
    uint8_t *cell_flow;
    uint32_t flowing;
    /* For FORM_GRADIENT and FORM_PAIR: the params by which gradients are returned as rows. */
    enum form_giving giving;
    enum { FORM_RECURSION_UNKNOWN, FORM_RECURSIVE, FORM_NOT_RECURSIVE } recursion;
    bool is_loop;   /* for FORM_HELPER: whether it was a loop of the program */
    uint32_t bound; /* of such a loop, by the pragma `bound`; 0: not given */
    const struct form_loop *loop; /* of such a loop, unless the routine is a copy */
    /* For the gradient of such a loop: the two loops that it can be; NULL: not known yet. */
    const struct form_two_loops *two_loops;
    unsigned order;          /* 1 for a gradient, 2 for the gradient of a gradient, ... */
    bool is_linked;          /* whether `graph_function` is known */
    uint32_t graph_function; /* index of the routine's function in the graph */
};

/* What is known of a cell: that a literal is written to it. */
struct form_known {
    bool is_literal;
    isa_value value;
};

/* A function of the source, for calls that it may replace (programs/optimise/inline.c). */
struct form_callee {
    bool is_known, is_copied, calls_itself;
    uint32_t size;     /* entries */
    struct form *form; /* NULL: its calls stay */
    const uint64_t
        *needs; /* for each result: a bit for each parameter for which it always waits */
};

struct form_program {
    struct lib_arena *arena;
    /* graph with the types of instructions and cells, and the tensors; borrowed */
    struct isa_graph *graph;
    struct form_ids cell_types;
    /* For each cell, a constant or param: max number of rows that the gradient by it may keep
     * before they become a tensor; 0: no rows. `most_products`: for the forms FORM_PRODUCTS and
     * FORM_COLUMNS; `most_rows`: for FORM_ROWS. */
    struct form_ids most_products, most_rows;
    /* What calls what (programs/gradient/components.h), and the forms of gradients that follow from
     * it (programs/gradient/deferred.c); NULL: nothing known yet. */
    struct form_components *components[2];
    struct form_deferrals *deferrals;
    /* Routines for sums of rows of gradients (programs/gradient/deferred.c). */
    struct form_ids row_totals;
    bool defers; /* gradients by params may be returned as rows */
    struct form_routine *routines;
    uint32_t routine_count, routine_capacity;
    /* Makes the form of a routine, for gradients. */
    void (*make)(struct form_program *program, uint32_t routine);
    /* Called for each DERIVE that has become a call, with its `source`. */
    void (*derived)(struct form_program *program, const void *source);
    unsigned manner; /* of gradients that are not differentiated */
    /* For each param, whether the last DERIVE that gives rows gave some; or NULL. */
    bool *given_rows;
    /* indices in the graph of the empty tensors; FORM_NONE: not made yet */
    uint32_t nothings[FORM_EMPTIES];
    void *context;
    /* For each type of array, routines that make: zeros in its shape; the sum of two arrays; the
     * sum of its elements; an element of an array in which all elements but one are zeros.
     * FORM_NONE: not made yet. */
    uint32_t zeros[ISA_TYPE_LIMIT], adds[ISA_TYPE_LIMIT], totals[ISA_TYPE_LIMIT],
        puts[ISA_TYPE_LIMIT];
    uint32_t way_count; /* last id given to a way or site; ids begin at 1 */
    /* For the optimiser: what is known of cells, those beyond the end unknown; and the text to
     * which it appends what it did, or NULL. */
    LIB_ARENA_LIST(struct form_known) known;
    LIB_ARENA_LIST(struct form_callee) callees;
    /* Builds the form of a function of the source in an arena, as it is before all passes. Returns
     * NULL if calls of the function must stay. NULL: forms cannot be built again. */
    struct form *(*source)(struct form_program *program, struct lib_arena *arena,
                           uint32_t routine);
    struct lib_text *report;
    struct lib_pos scattered; /* position of an array without a gradient; line 0: none */
    struct lib_pos too_deep;  /* position of a gradient of gradients that would not end */
};

/* Max `order` of a gradient for which it is not checked whether gradients of gradients end. */
enum { FORM_ORDER_ASK = 6 };

/* --- routines ----------------------------------------------------------------------------- */

void form_program_init(struct form_program *program, struct lib_arena *arena,
                       struct isa_graph *graph);

uint32_t form_add_routine(struct form_program *program, enum form_routine_kind kind,
                          const char *name, struct lib_pos pos);

/* Sets the types of a routine's parameters and results, which are copied. */
void form_set_types(struct form_program *program, uint32_t routine,
                    const enum isa_type *params, uint32_t param_count,
                    const enum isa_type *results, uint32_t result_count);

/* Returns the form of a routine, making it the first time. */
struct form *form_of(struct form_program *program, uint32_t routine);

/* --- places and values ---------------------------------------------------------------------- */

/* Place where entries are added to a form. */
struct form_place {
    struct form_program *program;
    struct form *form;
    struct form_block *block;
    struct lib_pos pos;
};

static inline struct form_place form_at(struct form_block *block, struct lib_pos pos)
{
    return (struct form_place){block->form->program, block->form, block, pos};
}

struct form *form_new(struct form_program *program, struct lib_arena *arena);

/* Returns a copy of a form in the arena of the program; values, entries and conditionals keep
 * their ids. */
struct form *form_copy(struct form_program *program, const struct form *form);
/* Copies the entries of a block, which continue none outside it. map[v]: value in the copy for
 * value v. */
void form_copy_block(struct form_block *to, const struct form_block *from,
                     const uint32_t *map);

void form_push_id(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

/* Adds an id unless the list has it. Returns true if it was added. */
bool form_push_id_once(struct lib_arena *arena, struct form_ids *ids, uint32_t id);

/* Returns the index of an id in a list, or FORM_NONE. */
uint32_t form_find_id(const struct form_ids *ids, uint32_t id);

static inline bool form_has_id(const struct form_ids *ids, uint32_t id)
{
    return form_find_id(ids, id) != FORM_NONE;
}

uint32_t form_add_value(struct form *form, struct form_value value);
uint32_t form_literal(struct form *form, enum isa_type type, isa_value value);
uint32_t form_real(struct form *form, double real);
uint32_t form_param(struct form *form, enum isa_type type, uint32_t index);

/* Returns the index of the value that is parameter `index`, or FORM_NONE. */
uint32_t form_find_param(const struct form *form, uint32_t index);

/* Adds a tensor to those that the form loads. Returns its index there. */
uint32_t form_add_tensor(struct form *form, const char *name, struct isa_tensor *tensor);

/* --- entries --------------------------------------------------------------------------------- */

/* Adds an entry without operands and results at the end of a block. */
struct form_entry *form_add_entry(struct form_place p, enum form_entry_kind kind);
void form_add_to_block(struct form_block *block, struct form_entry *entry);
void form_add_operand(struct form_place p, struct form_entry *entry, uint32_t value);
uint32_t form_add_result(struct form_place p, struct form_entry *entry,
                         enum isa_type type);

/* Gives an entry its two blocks. */
void form_add_blocks(struct form_place p, struct form_entry *entry);

uint32_t form_compute(struct form_place p, enum isa_op op, enum isa_type type,
                      uint32_t index, const uint32_t *operands, uint32_t count);
uint32_t form_compute_1(struct form_place p, enum isa_op op, uint32_t a);
uint32_t form_compute_2(struct form_place p, enum isa_op op, uint32_t a, uint32_t b);

uint32_t form_integer(struct form_place p, int64_t i);
uint32_t form_fetch(struct form_place p, uint32_t array, uint32_t index);
uint32_t form_length(struct form_place p, uint32_t array);
uint32_t form_read(struct form_place p, uint32_t cell, enum isa_type type);
/* Adds a constructor of data, which is copied, to the graph of the program, unless an equal one is
 * there. Returns its index. */
uint32_t form_constructor(struct form_program *program,
                          const struct isa_constructor *constructor);
/* Adds an entry that makes data of a constructor, with values for all its fields; for a constructor
 * without fields the result is a literal. */
uint32_t form_construct(struct form_place p, uint32_t constructor,
                        const uint32_t *fields);
/* Adds an instruction that reads a field of data. The run fails if the data is not of the
 * constructor. */
uint32_t form_field(struct form_place p, uint32_t constructor, uint32_t field,
                    uint32_t data);
/* Adds an instruction that returns the number of the constructor of data within its type. */
uint32_t form_constructor_number(struct form_place p, uint32_t data);

/* Adds an entry of one operand, or none if `operand` is FORM_NONE, and one result. */
uint32_t form_convert(struct form_place p, enum form_entry_kind kind, uint32_t operand,
                      uint32_t index, enum isa_type type);

/* Adds an instruction that applies `kernel` to tensor `a` along an axis. Returns its result. */
static inline uint32_t form_map_at(struct form_place p, unsigned kernel, int axis,
                                   uint32_t a)
{
    return form_compute(p, ISA_OP_MAP, ISA_INT, isa_use(kernel, axis, 0), &a, 1);
}

static inline uint32_t form_map(struct form_place p, unsigned kernel, uint32_t a)
{
    return form_map_at(p, kernel, ISA_USE_NO_AXIS, a);
}

/* Adds an instruction that applies `kernel` to two tensors along an axis. Returns its result. */
static inline uint32_t form_join_at(struct form_place p, unsigned kernel, int axis,
                                    uint32_t a, uint32_t b)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, axis, 0),
                        (const uint32_t[]){a, b}, 2);
}

static inline uint32_t form_join(struct form_place p, unsigned kernel, uint32_t a,
                                 uint32_t b)
{
    return form_join_at(p, kernel, ISA_USE_NO_AXIS, a, b);
}

static inline uint32_t form_join_three(struct form_place p, unsigned kernel, uint32_t a,
                                       uint32_t b, uint32_t c)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT, isa_use(kernel, ISA_USE_NO_AXIS, 0),
                        (const uint32_t[]){a, b, c}, 3);
}

/* Returns the opcode that makes a tensor of rank 0 of a value of type `type`. `element`: if that is
 * a real, element type of the tensor, real or real32. */
static inline enum isa_op form_scalar_op(enum isa_type type,
                                         enum isa_element_kind element)
{
    return type == ISA_INT                 ? ISA_OP_SCALAR_I
           : type == ISA_BOOL              ? ISA_OP_SCALAR_B
           : element == ISA_ELEMENT_REAL32 ? ISA_OP_SCALAR_F
                                           : ISA_OP_SCALAR;
}

/* Adds an instruction that makes a tensor, an argument of kernels, of an int. */
static inline uint32_t form_number(struct form_place p, uint32_t i)
{
    return form_compute_1(p, ISA_OP_NUMBER, i);
}

/* Adds an instruction that joins vectors or tensors of rank 0. */
static inline uint32_t form_vector(struct form_place p, uint32_t a, uint32_t b)
{
    return form_compute_2(p, ISA_OP_VECTOR, a, b);
}

/* Adds an instruction that returns the length of an axis of a tensor, an int. */
static inline uint32_t form_extent(struct form_place p, uint32_t tensor, int axis)
{
    return form_compute_2(p, ISA_OP_DIM, tensor, form_integer(p, axis));
}

/* Adds the extents of a tensor, as a tensor of ints; one entry per block serves all uses. */
uint32_t form_shape(struct form_place p, uint32_t tensor);

/* Adds a call of a routine. Returns the entry; its results are the results of the routine. */
struct form_entry *form_apply(struct form_place p, uint32_t routine,
                              const uint32_t *arguments, uint32_t count);

/* Returns STORE `k` of a run; of any other entry, which has only number 0, the entry itself. */
struct form_entry form_store_of(const struct form_entry *entry, uint32_t k);
/* Returns the number of entries that an entry stands for: 1 unless it is a run. */
static inline uint32_t form_run_length(const struct form_entry *entry)
{
    return entry->kind == FORM_STORE && entry->places ? entry->operands.count : 1;
}

/* Whether an entry has a block for each of its elements, which have the index `inner`. */
static inline bool form_has_elements(const struct form_entry *e)
{
    return e->blocks &&
           (e->kind == FORM_TABULATE || e->kind == FORM_FOLLOW || e->kind == FORM_EVERY);
}

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

/* A walk through the entries of a block, and of the blocks within it. Chains of conditionals take
 * no stack. form_walk_next returns the entries, those in the blocks of an entry before it:
 *
 *     struct form_walk walk = form_walk_of(block);
 *     for (struct form_entry *e; (e = form_walk_next(&walk));)
 *         ...
 *
 * form_walk_step goes step by step, to walk.entry in the block walk.at; `while
 * (form_walk_step(&walk))` goes to the end. A walk that does not reach the end is ended by
 * form_walk_end. */
enum form_step {
    FORM_STEP_NONE,  /* the end */
    FORM_STEP_ENTRY, /* an entry, whose blocks, if it has any, are left out */
    FORM_STEP_BEGIN, /* an entry, before its blocks */
    FORM_STEP_END,   /* an entry, after its blocks */
};
struct form_walk_frame {
    const struct form_block *block;
    uint32_t next; /* backwards: the index after the next entry */
    const struct form_entry
        *of; /* entry whose block `side` it is; NULL: the outermost block */
    uint32_t side;
};
struct form_walk {
    struct form_walk_frame at;
    struct form_entry *entry;
    enum form_step step;
    bool is_back;       /* from the last entry of each block to the first */
    bool only_branches; /* leaves out the blocks of all entries but BRANCHes */
    LIB_VEC(struct form_walk_frame) outer;
};

static inline struct form_walk form_walk_of(const struct form_block *block)
{
    return (struct form_walk){.at = {.block = block}};
}

static inline struct form_walk form_walk_branches(const struct form_block *block)
{
    return (struct form_walk){.at = {.block = block}, .only_branches = true};
}

/* Returns a walk through the blocks of BRANCHes from the end on; entries that are added to a block
 * during the walk are no part of it. The first block of a BRANCH comes first nevertheless. */
static inline struct form_walk form_walk_back(const struct form_block *block)
{
    return (struct form_walk){.at = {.block = block, .next = block->count},
                              .is_back = true,
                              .only_branches = true};
}

enum form_step form_walk_step(struct form_walk *walk);
struct form_entry *form_walk_next(struct form_walk *walk);
void form_walk_end(struct form_walk *walk);

/* A walk through the entries of a routine and of the routines that it calls, each once. Makes their
 * forms in the order of calls, in which tensors come to the graph. The caller enters callees:
 *
 *     struct form_calls_walk walk = {.program = program};
 *     form_calls_enter(&walk, routine);
 *     while ((e = form_calls_next(&walk)))
 *         if (e->routine != FORM_NONE)
 *             form_calls_enter(&walk, e->routine);
 *     form_calls_end(&walk);
 *
 * After the end further routines can be entered. */
struct form_calls_walk {
    struct form_program *program;
    LIB_VEC(bool) is_seen; /* for each routine; those beyond the end were not seen */
    LIB_VEC(struct form_walk) stack;
};

void form_calls_enter(struct form_calls_walk *walk, uint32_t routine);
const struct form_entry *form_calls_next(struct form_calls_walk *walk);
void form_calls_end(struct form_calls_walk *walk);

/* Returns the entry that makes a value, or NULL. */
const struct form_entry *form_find_maker(const struct form *form, uint32_t value);

/* Replaces all uses of value `from` by uses of `to`. */
void form_replace(struct form *form, uint32_t from, uint32_t to);

/* Removes entries that no result needs from a form for gradients. */
void form_prune(struct form *form);

#endif
