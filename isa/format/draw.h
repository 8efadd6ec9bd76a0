/* Figures and data of a graph, for people and for other programs.
 *
 * DOT (Graphviz), in black and grey on white, for print (doc/assembly.md, "Figures and JSON"):
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
 *   A loop is drawn as in paper 1, figure 1, in a frame with MERGE, SWITCH, NEXT_i and EXIT_i,
 *   below its ENTER_i. The number of the variable or result follows i if there are several. A loop
 *   constant enters through HOLD_i above the frame, and is an immediate in it: held_k.
 *
 *   A cylinder reads or writes a cell. If the order of operands matters, the first enters at the
 *   left.
 *
 * JSON: one object. Items refer to each other by "index". Absent values are null, or left out if
 * they do not apply.
 *
 *   {
 *     "format": "hiaton graph", "version": 1,
 *     "stage": "functions" | "static" | "image" | "expanding" | "partitioned",
 *     "about": "one graph for all calls",        description of the stage
 *     "source": "fact.df", "shape": "(_, _)",     of the result
 *     "inputs":    [{"index", "name", "type", "value"}], "tensors" instead of "value" for others
 *                  than scalars
 *     "cells":     [{"index", "name", "type"}],
 *     "functions": [{"index", "name", "params": [type], "results": [type],
 *                    "names": [name or null],  of the parameters, if they are known
 *                    "loop": true,           if it is a loop, with
 *                    "bound", "held": [type]   bound (0: not given; null: unbounded), and types
 *                                            of its constants
 *                    "strand": 32,           if it makes an array by strands: their elements
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
 * null. Arcs are in the order of their source node, output list and place there.
 */
#ifndef ISA_FORMAT_DRAW_H
#define ISA_FORMAT_DRAW_H

#include "isa/graph.h"

/* Form in which a figure shows a function and its loops. */
enum isa_draw_part {
    ISA_DRAW_NONE,
    ISA_DRAW_FOLDED, /* one box with the function's name and number of nodes */
    ISA_DRAW_WHOLE,
};

/* value of `fold` in struct isa_draw_choice: fold functions until the figure is readable */
#define ISA_DRAW_SANE UINT32_MAX

/* Choice of the functions that a figure shows. */
struct isa_draw_choice {
    /* functions to begin with, none of them a loop; if root_count is 0: the top level */
    const uint32_t *roots;
    size_t root_count;
    uint32_t depth; /* max number of calls from a root to a function that is shown */
    /* Functions with more nodes than this are shown as one box (folded), except roots. 0: none is.
     * ISA_DRAW_SANE: the largest ones are, until at most 200 nodes are left. */
    uint32_t fold;
};

/* Plan of a figure; arrays have an element per function. */
struct isa_draw_plan {
    enum isa_draw_part *parts;
    /* for a loop the function that contains it; for others the function itself */
    uint32_t *owners;
    uint32_t *bodies;   /* number of nodes of a function and its loops; 0 for a loop */
    bool *is_too_large; /* function is folded because of its size */
    /* Work of each node in a run, or NULL; for stages IMAGE and EXPANDING. Nodes show their work
     * and are the darker the more it is, on a logarithmic scale. A folded function shows the
     * sum. */
    const uint64_t *heat;
};

void isa_draw_choose(const struct isa_graph *graph, const struct isa_draw_choice *choice,
                     struct lib_arena *arena, struct isa_draw_plan *plan);

/* Append the DOT and the JSON of a legal graph (isa_check) of any stage. All functions are drawn if
 * `plan` is NULL. */
void isa_draw_dot(const struct isa_graph *graph, const struct isa_draw_plan *plan,
                  struct lib_text *out);
void isa_draw_json(const struct isa_graph *graph, struct lib_text *out);

#endif
