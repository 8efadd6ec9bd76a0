/* Regions: the parts of a function in which values are available as tokens. They make the nodes of
 * a graph for programs/graph/emit.c.
 *
 *     top region              one set of tokens per activation
 *       |-- branch (true)     entered if the condition of a conditional holds
 *       |-- branch (false)    entered if not
 *       `-- loop header       entered per iteration and once more at the end; has the condition
 *             `-- loop body   a branch of the header
 *
 * A value of an outer region enters a branch through a SWITCH, one for each value and conditional,
 * made when the branch first uses it. Immediates are available everywhere. A value that a branch
 * computes leaves it through a MERGEIF.
 *
 * A value from outside that a loop uses is a constant of the loop. Either a HOLD keeps it, and it
 * is available everywhere in the loop like an immediate; or it circulates like a variable that does
 * not change. A nested loop holds those constants of the outer loop that it uses itself.
 *
 * Everything is allocated in the arena passed to region_top. */
#ifndef PROGRAMS_GRAPH_REGION_H
#define PROGRAMS_GRAPH_REGION_H

#include "isa/graph.h"
#include "programs/graph/build.h"

struct region;
struct region_loop;

enum region_value_kind {
    REGION_TOKEN,   /* token from output list `output` of `node`, in region `where` */
    REGION_LITERAL, /* an immediate: a literal */
    REGION_INPUT,   /* an immediate: value of input `input` */
    REGION_HELD,    /* an immediate: constant `held` of the loop with header `where` */
};

/* Place where nodes are added. */
struct region_place {
    struct region *region;
    struct lib_pos pos; /* of the nodes */
};

static inline struct region_place region_at(struct region *region, struct lib_pos pos)
{
    return (struct region_place){region, pos};
}

struct region_value {
    enum region_value_kind kind;
    enum isa_type type;
    struct region *where;
    union {
        struct {
            uint32_t node, output;
        };
        isa_value literal;
        uint32_t input, held;
    };
};

struct region *region_top(struct isa_graph *graph, struct lib_arena *arena,
                          uint32_t function, const struct programs_options *options);

/* Returns the top region of another function of the graph. */
struct region_place region_of_function(struct region_place p, uint32_t function);

struct isa_graph *region_graph(const struct region *region);

/* Returns the function of the program that contains a region: for one in a loop, not the loop. */
const struct isa_function *region_function(const struct region *region);

/* Makes the branches of a conditional: inner[0] if the condition holds, inner[1] if not. */
void region_split(struct region_place p, struct region_value condition,
                  struct region_place inner[2]);

/* Returns the value of a conditional, in the region that was split, from its values in the
 * branches. */
struct region_value region_merge(struct region_place p,
                                 const struct region_place inner[2],
                                 struct region_value when_true,
                                 struct region_value when_false);

static inline struct region_value region_literal(enum isa_type type, isa_value value)
{
    return (struct region_value){.kind = REGION_LITERAL, .type = type, .literal = value};
}

/* The functions from here on add nodes to a region; operands may come from any enclosing region.
 * This one adds the node of parameter `index`. */
struct region_value region_param(struct region_place p, uint32_t index);

/* Adds an instruction with one or two operands, and returns its result. `type` is the type for
 * which the letter `t` stands in the instruction's row of isa/ops.def; `index`: its use of a kernel
 * (isa/kernel_use.h), or 0. */
struct region_value region_compute(struct region_place p, enum isa_op op,
                                   enum isa_type type, uint32_t index,
                                   const struct region_value *operands, uint32_t count);

/* Adds an instruction whose only operand is a trigger, if it has any: the READ of cell `index`, the
 * LOAD of constant `index`, the CONSTRUCT of constructor `index`; or, in a top region, a PORT,
 * which sends array `index` of all input ports, or an OPEN, which makes an array that grows with
 * the port whose first array that is, of elements of `type`. */
struct region_value region_source(struct region_place p, enum isa_op op,
                                  enum isa_type type, uint32_t index);

/* Adds a call of a function. Returns its id. */
uint32_t region_apply(struct region_place p, uint32_t function,
                      const struct region_value *arguments, uint32_t count);

/* Adds a call of a paired function (struct isa_function). Returns its id. It gets its arguments by
 * region_pass in the same region, first the early ones, then the others: those for the parameters
 * from `first` on. */
uint32_t region_apply_paired(struct region_place p, uint32_t function);
void region_pass(struct region_place p, uint32_t call, uint32_t first,
                 const struct region_value *arguments, uint32_t count);

/* Returns result `k` of a call in the region. */
struct region_value region_result(struct region *region, uint32_t call, uint32_t k);

/* Adds a FILL of field `field` (isa_graph_constructor_of), of type `type`. The data is a token. */
void region_fill(struct region_place p, enum isa_type type, uint32_t field,
                 struct region_value data, struct region_value value);

/* Adds a STORE of an element of type `type`. The address is a token. */
void region_store(struct region_place p, enum isa_type type, struct region_value address,
                  struct region_value value);

/* Adds the nodes that contribute `value` to an element of an accumulating array: an INDEX, and a
 * TOTAL if `is_last`, else a CONTRIBUTE, whose answer is returned. */
struct region_value region_contribute(struct region_place p, bool is_last,
                                      struct region_value array,
                                      struct region_value index,
                                      struct region_value value);

/* Adds an OUTPUT, WRITE or RESULT of `value`; `index` is the index of the part of the run's result,
 * of the cell, or of the function's result. */
void region_consume(struct region_place p, enum isa_op op, uint32_t index,
                    struct region_value value);

/* --- what is made of these ---------------------------------------------------------------- */

static inline struct region_value region_integer(int64_t i)
{
    return region_literal(ISA_INT, isa_value_of_int(i));
}

static inline struct region_value region_op(struct region_place p, enum isa_op op,
                                            enum isa_type type, struct region_value a)
{
    return region_compute(p, op, type, 0, &a, 1);
}

static inline struct region_value region_two(struct region_place p, enum isa_op op,
                                             enum isa_type type, struct region_value a,
                                             struct region_value b)
{
    const struct region_value operands[] = {a, b};
    return region_compute(p, op, type, 0, operands, 2);
}

/* Adds the nodes that store, or fetch, an element of an array. */
static inline void region_put(struct region_place p, struct region_value array,
                              struct region_value index, struct region_value element)
{
    const enum isa_type type = isa_type_element(array.type);
    region_store(p, type, region_two(p, ISA_OP_INDEX, type, array, index), element);
}

static inline struct region_value
region_get(struct region_place p, struct region_value array, struct region_value index)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value address = region_two(p, ISA_OP_INDEX, type, array, index);
    return region_op(p, ISA_OP_FETCH, type, address);
}

/* --- loops ----------------------------------------------------------------------------- */

/* Begins a loop in a region. `bound` is the max number of iterations in flight, or 0 (struct
 * isa_function); `what` becomes part of the loop's name. The functions below are called in this
 * order: enter for each variable, header, test, next for each variable, exit, close. */
struct region_loop *region_loop_open(struct region_place p, const char *what,
                                     uint32_t bound);

/* Adds a loop variable; variables have the indices 0, 1, ... Returns its value in the header.
 * `initial` is a value of the region around the loop; `name`, for drawings, may be NULL. */
struct region_value region_loop_enter(struct region_loop *loop,
                                      struct region_value initial, const char *name,
                                      struct lib_pos pos);

struct region_place region_loop_header(const struct region_loop *loop);

/* Returns the body of a loop, which is entered while the condition, a value of the header,
 * holds. */
struct region_place region_loop_test(struct region_loop *loop,
                                     struct region_value condition);

/* Sets the next value of a loop variable, a value of the body. Called once for each variable. */
void region_loop_next(struct region_loop *loop, uint32_t variable,
                      struct region_value value, struct lib_pos pos);

/* Returns the final value of a loop variable, in the region around the loop. May be called
 * again. */
struct region_value region_loop_exit(struct region_loop *loop, uint32_t variable,
                                     struct lib_pos pos);

void region_loop_close(struct region_loop *loop);

#endif
