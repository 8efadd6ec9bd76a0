/* Regions: where in a function a value is there.
 *
 * The top region of a function is entered once per activation; a conditional splits a
 * region into one for each branch. A value of an outer region enters a branch through a
 * SWITCH, one per value and conditional, made when the branch first uses it; an
 * immediate is there everywhere. What a branch computes leaves it through a MERGE.
 *
 * A loop stands in a region and has two: its header, entered once per iteration and once
 * more at the end, in which the condition is; and its body, a branch of the header. A value
 * from outside that either uses is a constant of the loop: it is held, and there everywhere
 * in the loop, like an immediate; or it goes round like a variable that does not change. What
 * a loop in a loop takes of the outer one's constants it holds itself.
 * Everything lives in the arena that region_top was given. */
#ifndef PROGRAMS_GRAPH_REGION_H
#define PROGRAMS_GRAPH_REGION_H

#include "isa/graph.h"
#include "programs/gradient/form.h"
#include "programs/graph/build_options.h"

struct region;
struct region_loop;

enum region_value_kind {
    REGION_TOKEN,   /* output list `output` of `node`, in the region `where` */
    REGION_LITERAL, /* an immediate */
    REGION_INPUT,   /* an immediate: the value of an input */
    REGION_HELD, /* an immediate: constant `held` of the loop whose header is `where` */
};

struct region_value {
    enum region_value_kind kind;
    enum isa_type type;
    struct region *where;
    uint32_t node, output;
    isa_value literal;
    uint32_t input, held;
};

struct region *region_top(struct isa_graph *graph, struct lib_arena *arena,
                          uint32_t function, const struct programs_options *options);

/* The branches of a conditional: inner[0] if the condition holds, inner[1] if not. */
void region_split(struct region *region, struct region_value condition,
                  struct lib_pos pos, struct region *inner[2]);

/* The value of the conditional, in the region that was split. */
struct region_value region_merge(struct region *region, struct region *inner[2],
                                 struct region_value when_true,
                                 struct region_value when_false, struct lib_pos pos);

static inline struct region_value region_literal(enum isa_type type, isa_value value)
{
    return (struct region_value){.kind = REGION_LITERAL, .type = type, .literal = value};
}

/* Nodes in a region. Operands may come from any region around it. */
struct region_value region_param(struct region *top, uint32_t index, struct lib_pos pos);

/* An instruction of one or two operands that makes one value; `type` where its row in
 * isa/ops.def says `t`. */
struct region_value region_compute(struct region *region, enum isa_op op,
                                   enum isa_type type,
                                   const struct region_value *operands, uint32_t count,
                                   struct lib_pos pos);
/* The same of an instruction that names something: a kernel. */
struct region_value region_compute_with(struct region *region, enum isa_op op,
                                        enum isa_type type, uint32_t index,
                                        const struct region_value *operands,
                                        uint32_t count, struct lib_pos pos);

/* A tensor that the graph holds. */
struct region_value region_load(struct region *region, uint32_t constant,
                                struct lib_pos pos);
/* An array of the ports in, with elements of that type, at top level; and one of such
 * elements that follows it. Neither is recorded. */
struct region_value region_port(struct region *region, enum isa_type type, uint32_t array,
                                struct lib_pos pos);
struct region_value region_open(struct region *region, enum isa_type type, uint32_t array,
                                struct lib_pos pos);
struct region_value region_read(struct region *region, uint32_t cell, struct lib_pos pos);
void region_apply(struct region *region, uint32_t function,
                  const struct region_value *arguments, uint32_t count,
                  struct region_value *results, struct lib_pos pos);

/* The same of a paired function: its early arguments, and early results; then, in the same
 * region, what is left of both. Returns what the second call of both is given. */
uint32_t region_apply_early(struct region *region, uint32_t function,
                            const struct region_value *arguments,
                            struct region_value *results, struct lib_pos pos);
void region_apply_late(struct region *region, uint32_t call,
                       const struct region_value *arguments, struct region_value *results,
                       struct lib_pos pos);

/* STORE of an element of that type; the address is a token. */
void region_store(struct region *region, enum isa_type type, struct region_value address,
                  struct region_value value, struct lib_pos pos);

/* OUTPUT, WRITE or RESULT, with its part or cell as `index`. */
void region_consume(struct region *region, enum isa_op op, uint32_t index,
                    struct region_value value, struct lib_pos pos);

/* --- loops ----------------------------------------------------------------------------- */

/* A loop that stands in a region; `bound` as in struct isa_function, `what` for its name. What
 * follows is to be done in this order. */
struct region_loop *region_loop_open(struct region *region, const char *what,
                                     uint32_t bound, struct lib_pos pos);

/* Gives it a variable (numbered 0, 1, ...), which is there in the header. `initial` comes
 * from the region of the loop; `name` is for figures, or NULL. */
struct region_value region_loop_enter(struct region_loop *loop,
                                      struct region_value initial, const char *name,
                                      struct lib_pos pos);

struct region *region_loop_header(const struct region_loop *loop);

/* The body: what happens while the condition, a value of the header, holds. */
struct region *region_loop_test(struct region_loop *loop, struct region_value condition);

/* What a variable becomes: a value of the body. Once for each. */
void region_loop_next(struct region_loop *loop, uint32_t variable,
                      struct region_value value, struct lib_pos pos);

/* A variable at the end, in the region of the loop. As often as wanted. */
struct region_value region_loop_exit(struct region_loop *loop, uint32_t variable,
                                     struct lib_pos pos);

void region_loop_close(struct region_loop *loop);

/* --- forms ----------------------------------------------------------------------------- */

/* A top region whose contents become a form, that of a routine, instead of nodes. Functions are
 * routines there, and what is made of regions below stands for what makes nodes of it
 * elsewhere. */
struct region *region_recording(struct form_program *program, uint32_t routine);
bool region_is_recording(const struct region *region);

/* An array of values of that type. */
struct region_value region_list(struct region *region, enum isa_type element,
                                const struct region_value *items, uint32_t count,
                                struct lib_pos pos);
struct region_value region_fetch(struct region *region, struct region_value array,
                                 struct region_value index, struct lib_pos pos);
struct region_value region_sum(struct region *region, struct region_value array,
                               struct lib_pos pos);

/* An array as a tensor; a tensor as an array of that type. */
struct region_value region_to_tensor(struct region *region, struct region_value array,
                                     enum isa_element_kind element, struct lib_pos pos);
struct region_value region_to_array(struct region *region, struct region_value tensor,
                                    enum isa_element_kind element, enum isa_type type,
                                    struct lib_pos pos);

/* Arrays of elements of these types, which are there before their elements. The region of an
 * element, of which *counter is the index; closed with what the element is. */
struct region_table;
struct region_table *region_table_open(struct region *region, struct region_value length,
                                       const enum isa_type *types, uint32_t count,
                                       struct region_value *arrays, struct lib_pos pos);
struct region *region_table_element(struct region_table *table,
                                    struct region_value *counter);
void region_table_close(struct region_table *table, const struct region_value *elements);

#endif
