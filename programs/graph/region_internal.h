/* Functions of programs/graph/record.c, which records forms, for programs/graph/region.c, which
 * makes nodes. */
#ifndef PROGRAMS_GRAPH_REGION_INTERNAL_H
#define PROGRAMS_GRAPH_REGION_INTERNAL_H

#include "programs/graph/region.h"

struct recorded_loop;
struct record_captures;

struct region {
    struct isa_graph *graph;
    struct lib_arena *arena;
    const struct programs_options *options;
    uint32_t function;
    struct region *outer; /* enclosing region; NULL for a top region */
    /* Scratch while a value enters from an outer region: next region on the way inwards. */
    struct region *inner;
    /* the conditional of which the region is a branch, or NULL */
    struct conditional *conditional;
    /* the loop whose header the region is, or NULL */
    struct region_loop *loop;
    /* for a branch: 0 if it is entered when the condition holds, else 1 */
    uint32_t side;
    struct region_value first_param; /* first parameter of a top region or a header */
    bool has_param;

    /* The members from here on are for regions that record a form. */
    struct form_program *program;
    struct form *form; /* form being recorded; NULL: the region makes nodes */
    struct form_block *block;
    struct form_entry *branch; /* if the region is a branch: its conditional */
    /* Values that the form takes from outside, or NULL. */
    struct record_captures *captures;
};

void record_split(struct region *region, struct region_value condition,
                  struct lib_pos pos, struct region *inner[2]);
struct region_value record_merge(struct region *region, struct region *inner[2],
                                 struct region_value when_true,
                                 struct region_value when_false, struct lib_pos pos);
struct region_value record_param(struct region *top, uint32_t index);
struct region_value record_compute(struct region *region, enum isa_op op,
                                   enum isa_type type, uint32_t index,
                                   const struct region_value *operands, uint32_t count,
                                   struct lib_pos pos);
struct region_value record_read(struct region *region, uint32_t cell, struct lib_pos pos);
struct region_value record_load(struct region *region, uint32_t constant,
                                struct lib_pos pos);
void record_apply(struct region *region, uint32_t routine,
                  const struct region_value *arguments, uint32_t count,
                  struct region_value *results, struct lib_pos pos);
void record_result(struct region *region, uint32_t index, struct region_value value);

/* Begins to record a loop as a routine that calls itself. The routine's parameters are the loop
 * variables, then the values from outside that the loop uses. */
struct recorded_loop *record_loop_open(struct region *region, const char *what,
                                       uint32_t bound, struct lib_pos pos,
                                       struct region **header);
struct region_value record_loop_enter(struct recorded_loop *loop,
                                      struct region_value initial);
struct region *record_loop_test(struct recorded_loop *loop,
                                struct region_value condition);
void record_loop_next(struct recorded_loop *loop, uint32_t variable,
                      struct region_value value);
struct region_value record_loop_exit(struct recorded_loop *loop, uint32_t variable);
void record_loop_close(struct recorded_loop *loop);

#endif
