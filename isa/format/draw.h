/* Figures and data of a graph, for people and for other programs.
 *
 * DOT (Graphviz). Black and grey on white, so that it prints. What the shapes say:
 *
 *   FUNCTIONS, EXPANDING
 *              as paper 1, figure 2: a frame per function, a call a box with the name of
 *              the function; several operands or results have numbered places
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
 *     "stage": "functions" | "static" | "image" | "expanding",
 *     "source": "fact.df", "shape": "(_, _)",     of the result
 *     "inputs":    [{"index", "name", "type", "value"}],
 *     "cells":     [{"index", "name", "type"}],
 *     "functions": [{"index", "name", "params": [type], "results": [type],
 *                    "loop": true,           if it is a loop, with
 *                    "bound", "held": [type]   bound 0: it does not say; null: unbounded;
 *                                            its constants
 *                    "pos"}],
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

/* Both take a graph that passes isa_check, of any stage. */
void isa_draw_dot(const struct isa_graph *graph, struct lib_text *out);
void isa_draw_json(const struct isa_graph *graph, struct lib_text *out);

#endif
