/* Figures and data of a graph, for people and for other programs.
 *
 * DOT (Graphviz). Black and grey on white, so that it prints. What the shapes say:
 *
 *   FUNCTIONS, EXPANDING
 *              as paper 1, figure 2: a frame per function, a call a box with the name of
 *              the function; several operands have places by name, several results by number
 *   STATIC     as paper 1, figure 3: one graph with CALL_i and RETURN_i, i the site; a
 *              dashed arc is control. With several parameters or results, which one it
 *              is stands after i.
 *   IMAGE      one box per instruction: its number, operands and opcode; a dotted arc
 *              goes from `return K` to each RETURN that it may name
 *
 *   A loop is drawn as paper 1, figure 1, in a frame of its own: ENTER_i above it, in it
 *   MERGE, SWITCH, NEXT_i and EXIT_i; with several variables or results, which one it is
 *   stands after i. A constant that it holds comes through HOLD_i above it, and is an
 *   immediate in it: held_k.
 *
 *   Parameters, and variables of loops, have their names where these are known: `in n`, `CALL_i n`,
 *   `MERGE n`. A double frame is a function that is not drawn: arcs to it and from it end there.
 *   The figure of stage EXPANDING has a title that says what it is.
 *
 *   A SWITCH sends from its T side where operand 1 is true, else from its F side; the
 *   arc of operand 1 has an open head. Values without a frame are immediates. A cylinder
 *   reads or writes a cell. Where the order of operands matters, the first enters at the
 *   left and the second at the right.
 *
 * JSON. One object; things refer to each other by index, which is their place in their
 * array, and is stated besides. Absent is null, or left out where it cannot be.
 *
 *   {
 *     "format": "hiaton graph", "version": 1,
 *     "stage": "functions" | *     "stage": "functions" | "static" | "image" | "expanding",
| "image" | "expanding",
 *     "about": "one graph for all calls",        what a graph of that stage is
 *     "source": "fact.df", "shape": "(_, _)",     of the result
 *     "inputs":    [{"index", "name", "type", "value"}],
 *     "cells":     [{"index", "name", "type"}],
 *     "functions": [{"index", "name", "params": [type], "results": [type],
 *                    "names": [name or null],  of the parameters, where they are known
 *                    "loop": true,           if it is a loop, with
 *                    "bound", "held": [type]   bound 0: it does not say; null: unbounded;
 *                                            its constants
 *                    "pos"}],
 *     "ports":     [{"index", "name", "direction": "in" | "out", "parts": [type], "pos"}],
 *                                                where there are any
 *     "sites":     [{"index", "caller", "callee", "pos"}],
 *     "nodes":     [{"index", "opcode": "add.int", "unit": "alu", "function",
 *                    "site", "param", "part", "cell"   what the opcode names, no others
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
 * null. Arcs stand in the order of their source node, output list and place there. */
#ifndef ISA_FORMAT_DRAW_H
#define ISA_FORMAT_DRAW_H

#include "isa/graph.h"

/* What a figure shows of a function: with the loops that stand in it. */
enum isa_draw_part {
    ISA_DRAW_NONE,
    ISA_DRAW_FOLDED, /* a box with its name and the number of its nodes */
    ISA_DRAW_WHOLE,
};

#define ISA_DRAW_SANE UINT32_MAX /* of `fold` */

/* What a figure is to show. */
struct isa_draw_choice {
    const uint32_t *roots; /* functions that are no loops; none: the top level */
    size_t root_count;
    uint32_t depth; /* ... and those reached from them by at most so many calls */
    uint32_t
        fold; /* others than roots are folded if they have more nodes than this; 0: none is;
                       ISA_DRAW_SANE: the largest, until 200 nodes are left */
};

/* What comes of it, per function of the graph. */
struct isa_draw_plan {
    enum isa_draw_part *parts;
    uint32_t *owners;   /* of a loop: the function in which it stands; else itself */
    uint32_t *bodies;   /* nodes, those of its loops included; of loops 0 */
    bool *is_too_large; /* and therefore folded */
    /* Of each node, how much it had to do in a run; NULL: not known. It stands in the node, and
     * makes it the darker the more it is, on a logarithmic scale. A box has the sum of what is in
     * it. Stages IMAGE and EXPANDING only. */
    const uint64_t *heat;
};

/* The plan lives in the arena. */
void isa_draw_choose(const struct isa_graph *graph, const struct isa_draw_choice *choice,
                     struct lib_arena *arena, struct isa_draw_plan *plan);

/* Both take a graph that passes isa_check, of any stage. No plan: all functions are drawn. */
void isa_draw_dot(const struct isa_graph *graph, const struct isa_draw_plan *plan,
                  struct lib_text *out);
void isa_draw_json(const struct isa_graph *graph, struct lib_text *out);

#endif
