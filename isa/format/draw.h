/* Figures and data of a graph, for people and for other programs.
 *
 * DOT (Graphviz), in black and grey on white, for print. The meaning of the shapes:
 *
 *   FUNCTIONS, EXPANDING
 *              as in paper 1, figure 2: a frame per function; a call is a box with the name of
 *              the function, its operands at places with their names, its results with numbers
 *   STATIC     as in paper 1, figure 3: one graph with CALL_i and RETURN_i, where i is the site,
 *              followed by the number of the parameter or result if it has several; a dashed arc
 *              is control
 *   IMAGE      one box per instruction, with its number, operands and opcode; a dotted arc goes
 *              from `return K` to each RETURN that it may name
 *
 *   A loop is drawn as in paper 1, figure 1, in a frame of its own with MERGE, SWITCH, NEXT_i and
 *   EXIT_i, and with ENTER_i above it. The number of the variable or result follows i if there are
 *   several. A constant that the loop holds enters through HOLD_i above it, and is an immediate in
 *   the loop: held_k.
 *
 *   Parameters, and variables of loops, have their names if these are known: `in n`, `CALL_i n`,
 *   `MERGE n`. A double frame is a function that is not drawn: arcs to it and from it end there.
 *   Figures of stages EXPANDING and PARTITIONED have a title with the description of the stage.
 *
 *   A SWITCH sends from its T side if operand 1 is true, else from its F side; the arc of operand
 *   1 has an open head. Values without a frame are immediates. A cylinder reads or writes a cell.
 *   If the order of operands matters, the first enters at the left and the second at the right.
 *
 * JSON: one object. Items refer to each other by index, which is their place in their array, and
 * is a member "index" too. Absent values are null, or left out if they do not apply.
 *
 *   {
 *     "format": "hiaton graph", "version": 1,
 *     "stage": "functions" | "static" | "image" | "expanding" | "partitioned",
 *     "about": "one graph for all calls",        description of the stage
 *     "source": "fact.df", "shape": "(_, _)",     of the result
 *     "inputs":    [{"index", "name", "type", "value"}],
 *     "cells":     [{"index", "name", "type"}],
 *     "functions": [{"index", "name", "params": [type], "results": [type],
 *                    "names": [name or null],  of the parameters, if they are known
 *                    "loop": true,           if it is a loop, with
 *                    "bound", "held": [type]   bound (0: not given; null: unbounded), and types
 *                                            of its constants
 *                    "pos"}],
 *     "ports":     [{"index", "name", "direction": "in" | "out", "parts": [type], "pos"}],
 *                                                if the graph has ports
 *     "sites":     [{"index", "caller", "callee", "pos"}],
 *     "nodes":     [{"index", "opcode": "add.int", "unit": "alu", "function",
 *                    "site", "param", "part", "cell"   attributes of the opcode, no others
 *                    "operands": [{"token": type}         type, "control" or "trigger"
 *                               | {"value": 5, "type"}    an immediate
 *                               | {"input": 0, "type"}    the value of an input
 *                               | {"held": 0, "type"}     a constant of the loop
 *                               | {"absent": "trigger"}],
 *                    "pos"}],
 *     "arcs":      [{"from": node, "output": list, "type": type or "control",
 *                    "to": node, "port": operand  |  "return": result}]
 *   }
 *
 * A type is "int", "real" or "bool"; an int is a number of up to 64 bits; a real that is
 * not finite is a string: "inf", "-inf", "nan". A "pos" is {"line", "column", "span"} or
 * null. Arcs are in the order of their source node, output list and place there. */
#ifndef ISA_FORMAT_DRAW_H
#define ISA_FORMAT_DRAW_H

#include "isa/graph.h"

/* Form in which a figure shows a function with its loops. */
enum isa_draw_part {
    ISA_DRAW_NONE,
    ISA_DRAW_FOLDED, /* a box with its name and the number of its nodes */
    ISA_DRAW_WHOLE,
};

#define ISA_DRAW_SANE UINT32_MAX /* a value of `fold` in struct isa_draw_choice */

/* Functions that a figure is to show. */
struct isa_draw_choice {
    const uint32_t *roots; /* functions to begin with, no loops; none: the top level */
    size_t root_count;
    uint32_t depth; /* max number of calls from a root to a function that is drawn */
    /* Max nodes of a function, other than a root, that is not folded. If it is 0, no function is
     * folded. If it is ISA_DRAW_SANE, the largest are folded, until at most 200 nodes are left. */
    uint32_t fold;
};

/* Plan of a figure, per function of the graph. */
struct isa_draw_plan {
    enum isa_draw_part *parts;
    /* for a loop the function that contains it, else the function itself */
    uint32_t *owners;
    uint32_t *bodies;   /* number of nodes, with those of its loops; 0 for a loop */
    bool *is_too_large; /* folded because of its size */
    /* Work of each node in a run, or NULL. It is written in the node, which is darker the more it
     * is, on a logarithmic scale. A folded function has the sum. Stages IMAGE and EXPANDING
     * only. */
    const uint64_t *heat;
};

void isa_draw_choose(const struct isa_graph *graph, const struct isa_draw_choice *choice,
                     struct lib_arena *arena, struct isa_draw_plan *plan);

/* Add the DOT and the JSON of a graph of any stage that isa_check accepts. Without a plan all
 * functions are drawn. */
void isa_draw_dot(const struct isa_graph *graph, const struct isa_draw_plan *plan,
                  struct lib_text *out);
void isa_draw_json(const struct isa_graph *graph, struct lib_text *out);

#endif
