/* The dataflow graph of a program: nodes (instructions) and arcs, from the compiler to the machine.
 *
 * One structure serves five stages. Each stage has a text that reads back (isa/format/asm.h), a
 * checker (isa/check/check.h) and figures (isa/format/draw.h):
 *
 *   FUNCTIONS    one graph per function, as in paper 1, figure 2: PARAM, APPLY, RESULT
 *   STATIC       one graph: CALL_i, RETURN_i, MERGE, JOIN (paper 1, section 3); the node that
 *                makes a function's result has an arc to the RETURN of every call
 *   IMAGE        the instructions: those n arcs are one destination, ISA_TO_RETURN: "the RETURN
 *                that the head of the tag names"
 *   EXPANDING    the instructions of the other strategy: the function graphs themselves; each
 *                call makes a copy of one, and the copy runs
 *   PARTITIONED  the instructions of IMAGE divided among machines, followed by a SEND and a RECV
 *                for each value that goes to another machine (isa/parts.h); arcs to RETURNs are
 *                as in STATIC
 *
 * A node has operands and output lists. Tokens reach operand `port` of a node through arcs; each
 * entry of an output list is one arc:
 *
 *     operand 0: a token    -->  +---------+
 *                                | add.int |  --> list 0: {node 7, port 1}, {node 9, port 0}
 *     operand 1: literal 2  -->  +---------+
 *
 * A loop has the same nodes in all stages: ENTER, MERGE, SWITCH, NEXT, EXIT (paper 1, figure 1).
 * It is declared as a function whose parameters are the loop's variables and whose results are
 * its EXITs; one site enters it. Its nodes belong to that function, except ENTERs and HOLDs,
 * which belong to the function that contains the loop. A HOLD keeps a constant of the loop, a
 * value that all iterations see alike; the loop's nodes have it as an immediate
 * (isa/exec/loop_constant.h).
 *
 * Invariants:
 *   - Nodes, functions, sites, cells, inputs, constants and ports refer to each other by index.
 *     Pointers into a table are valid until something is added to it.
 *   - Function 0 is the top level: its nodes fire under the empty tag.
 *   - A graph owns its arena and all that its pointers name.
 * Whether a graph is legal at its stage is for isa_check to say; the functions here do not fail.
 *
 * The graph of "40 + 2", where 40 is the input x (`here` is a struct lib_pos):
 *
 *     struct isa_graph *g = isa_graph_new(ISA_STAGE_STATIC, "sum.df");
 *     isa_graph_add_function(g, "top", NULL, 0, (enum isa_type[]){ISA_INT}, 1, here);
 *     uint32_t x = isa_graph_add_input(g, "x", ISA_INT, isa_value_of_int(40));
 *     uint32_t first = isa_graph_add_node(g, ISA_OP_CONST, ISA_INT, 0, 0, 0, here);
 *     uint32_t sum = isa_graph_add_node(g, ISA_OP_ADD_I, ISA_INT, 0, 0, 0, here);
 *     uint32_t out = isa_graph_add_node(g, ISA_OP_OUTPUT, ISA_INT, 0, 0, 0, here);
 *     isa_graph_set_input(g, first, 0, x);
 *     isa_graph_set_absent(g, first, 1);                   // no trigger: fires at the start
 *     isa_graph_set_literal(g, sum, 1, isa_value_of_int(2));
 *     isa_graph_connect(g, first, 0, (struct isa_dest){sum, 0});
 *     isa_graph_connect(g, sum, 0, (struct isa_dest){out, 0});
 *     isa_graph_lower(g);                                  // now of stage IMAGE
 */
#ifndef ISA_GRAPH_H
#define ISA_GRAPH_H

#include "isa/op.h"
#include "isa/tensor/tensor.h"
#include "lib/arena.h"
#include "lib/diag.h"

enum isa_stage {
    ISA_STAGE_FUNCTIONS,
    ISA_STAGE_STATIC,
    ISA_STAGE_IMAGE,
    ISA_STAGE_EXPANDING,
    ISA_STAGE_PARTITIONED,
    ISA_STAGE_COUNT,
};

/* Whether a graph of a stage can be executed. The strategy follows from the stage
 * (isa_strategy_name). */
static inline bool isa_stage_is_executable(enum isa_stage stage)
{
    return stage >= ISA_STAGE_IMAGE && stage < ISA_STAGE_COUNT;
}

/* Whether calls are APPLYs in a stage, and each function is a graph of its own. */
static inline bool isa_stage_applies(enum isa_stage stage)
{
    return stage == ISA_STAGE_FUNCTIONS || stage == ISA_STAGE_EXPANDING;
}

/* The end of an arc: operand `port` of a node. In stage IMAGE, node ISA_TO_RETURN means operand 0
 * of the RETURN for result `port` of the call that the head of the tag names. */
struct isa_dest {
    uint32_t node, port;
};

#define ISA_TO_RETURN UINT32_MAX

struct isa_dests {
    struct isa_dest *items;
    uint32_t count, capacity;
};

enum isa_operand_kind {
    ISA_OPERAND_TOKEN,
    ISA_OPERAND_LITERAL, /* an immediate */
    ISA_OPERAND_INPUT,   /* an immediate: the value of an input */
    ISA_OPERAND_ABSENT,  /* a trigger at top level: the node fires once, at the start */
    ISA_OPERAND_HELD,    /* an immediate: a constant of the loop that the node is in */
};

struct isa_operand {
    enum isa_operand_kind kind;
    union {
        uint32_t input; /* ISA_OPERAND_INPUT: index of the input */
        uint32_t held;  /* ISA_OPERAND_HELD: number of the loop's constant */
    };
    isa_value value; /* ISA_OPERAND_LITERAL: its value */
};

/* Name and place of a node in the assembly text that it was read from. Images do not store it. */
struct isa_written {
    const char *label; /* label with its % */
    uint32_t number;   /* index of the definition in the text, from 0 on */
    uint32_t line;     /* line of the text; 0 if the user never saw the text */
};

struct isa_node {
    enum isa_op op;
    enum isa_type type; /* type that the letter `t` of the opcode's row means */
    /* Function that the node is in: the caller for CALL_i, JOIN and RETURN_i, the function that
     * contains the loop for ENTER and HOLD. */
    uint32_t function;
    uint32_t site;    /* index of its call or loop, if isa_op_has_site */
    uint32_t index;   /* param, part, constant, cell, ..., as the opcode's row says */
    uint32_t machine; /* machine in stage PARTITIONED; else 0 */
    struct isa_operand *operands;
    uint32_t operand_count;
    struct isa_dests *outputs; /* output lists */
    uint32_t output_count;
    struct lib_pos pos;                /* place in the source; line 0 if unknown */
    const struct isa_written *written; /* NULL if the node was not read from assembly */
};

struct isa_function {
    const char *name;
    enum isa_type *params, *results;
    /* Names of the parameters, for figures only; NULL if unknown, as in a graph that was read from
     * assembly or an image. A single name may be NULL too. */
    const char **names;
    uint32_t param_count, result_count;
    enum isa_type *held; /* types of the constants that a loop holds */
    uint32_t held_count;
    struct lib_pos pos;
    bool is_loop;
    /* Maximum number of iterations of a loop in flight; 0 if the program does not say, or
     * ISA_LOOP_UNBOUNDED. */
    uint32_t bound;
    /* Paired function: its first `early_results` results are returned once its first
     * `early_params` parameters have arrived. Both are 0 for other functions, and in stages with
     * CALLs, where arcs of control tokens express it. */
    uint32_t early_params, early_results;
};

/* A loop that no machine may bound: an iteration may need a value that a later one makes, as in
 * loops that compute the elements of an array. */
#define ISA_LOOP_UNBOUNDED UINT32_MAX

/* A place in the source where a function is called or a loop is entered. Its index is a label of
 * tags (paper 1, section 3). */
struct isa_site {
    uint32_t caller, callee;
    struct lib_pos pos;
};

/* A write-once cell: a constant of the program, or one part of it. */
struct isa_cell {
    const char *name;
    enum isa_type type;
};

struct isa_input {
    const char *name;
    enum isa_type type;
    isa_value value;
};

/* A tensor that instructions LOAD. The graph owns it. */
struct isa_constant {
    const char *name;
    struct isa_tensor *tensor;
};

/* A directive of the source that puts lines on a machine (doc/divided.md). If several
 * directives contain a line, the last one counts. */
struct isa_placing {
    uint32_t first, last; /* lines, from 1 on */
    uint32_t machine;
    struct lib_pos pos; /* place of the directive */
};

/* Type of one part of the elements of a port. */
struct isa_port_part {
    enum isa_type type;            /* int, real, bool or tensor */
    enum isa_element_kind element; /* tensor: kind of its elements; else 0 */
    uint32_t rank;                 /* tensor: its rank; else 0 */
};

/* A port, through which a host exchanges elements with a running program (isa/exec/port.h). A
 * port has an array for each part of its elements. The host writes the elements of an input
 * port, and a PORT sends each of its arrays. The host takes the elements of an output port;
 * OUTPUTs deliver its arrays, as further parts of the results. */
struct isa_port {
    const char *name;
    bool is_input;
    struct isa_port_part *parts;
    uint32_t part_count;
    /* index of its first part among those of all input, or output, ports */
    uint32_t first;
    struct lib_pos pos;
};

struct isa_graph {
    struct lib_arena *arena;
    enum isa_stage stage;
    const char *source; /* name of the source file */
    /* Shape of the result: its text with `_` for each part, in order, as "_" or "((_, _), _)".
     * The parts are the results of function 0 without those of output ports. Text in brackets is
     * written once per element of the arrays in it; a part in n brackets is an array of rank n,
     * as both parts of "[(_, _)]" are of rank 1. */
    const char *shape;
    struct isa_node *nodes;
    struct isa_function *functions;
    struct isa_site *sites;
    struct isa_cell *cells;
    struct isa_input *inputs;
    struct isa_constant *constants;
    struct isa_port *ports; /* in the order of their declaration */
    /* Directives that put lines on machines; none in stage PARTITIONED. */
    struct isa_placing *placings;
    struct isa_tensor_memory tensors; /* memory of the constants */
    uint32_t node_count, function_count, site_count, cell_count, input_count,
        constant_count, placing_count, port_count;
    uint32_t array_count; /* number of arrays of all input ports */
    /* number of parts of all output ports, the last results of function 0 */
    uint32_t taken_count;
    uint32_t machine_count; /* number of machines in stage PARTITIONED; else 0 */
    size_t node_capacity, function_capacity, site_capacity, cell_capacity, input_capacity,
        constant_capacity, placing_capacity, port_capacity;
};

/* Limits of a graph. Readers report an error beyond them. */
enum {
    ISA_MAX_NODES = 1 << 22,
    ISA_MAX_PARAMS = 1 << 16, /* parameters of a function; also its results */
    ISA_MAX_MACHINES = 1 << 16,
};

struct isa_graph *isa_graph_new(enum isa_stage stage, const char *source);
void isa_graph_free(struct isa_graph *graph); /* NULL is allowed */

/* The isa_graph_add_ functions add one item and return its index. Strings and types are copied. */
uint32_t isa_graph_add_function(struct isa_graph *graph, const char *name,
                                const enum isa_type *params, uint32_t param_count,
                                const enum isa_type *results, uint32_t result_count,
                                struct lib_pos pos);
/* Sets the names of the parameters of a function; `names` is NULL if they are unknown.
 * isa_graph_set_types discards them. */
void isa_graph_set_names(struct isa_graph *graph, uint32_t function,
                         const char *const *names);

/* Makes a function the body of a loop. */
void isa_graph_set_loop(struct isa_graph *graph, uint32_t function, uint32_t bound);

void isa_graph_set_early(struct isa_graph *graph, uint32_t function, uint32_t params,
                         uint32_t results);

void isa_graph_set_constants(struct isa_graph *graph, uint32_t function,
                             const enum isa_type *held, uint32_t count);

/* Changes the parameters and results of a function other than function 0. */
void isa_graph_set_types(struct isa_graph *graph, uint32_t function,
                         const enum isa_type *params, uint32_t param_count,
                         const enum isa_type *results, uint32_t result_count);
uint32_t isa_graph_add_site(struct isa_graph *graph, uint32_t caller, uint32_t callee,
                            struct lib_pos pos);
uint32_t isa_graph_add_cell(struct isa_graph *graph, const char *name,
                            enum isa_type type);
uint32_t isa_graph_add_input(struct isa_graph *graph, const char *name,
                             enum isa_type type, isa_value value);

/* Adds a tensor that was allocated from the graph's `tensors`. The graph takes it over. */
uint32_t isa_graph_add_constant(struct isa_graph *graph, const char *name,
                                struct isa_tensor *tensor);

/* Adds a port; the name and the parts are copied. The parts of all output ports, in order, are
 * the last results of function 0, which must exist. The shape of the result becomes flat again
 * (isa_graph_flat_shape). */
uint32_t isa_graph_add_port(struct isa_graph *graph, const char *name, bool is_input,
                            const struct isa_port_part *parts, uint32_t part_count,
                            struct lib_pos pos);

void isa_graph_add_ports(struct isa_graph *graph, const struct isa_graph *from);

/* Returns the number of results of function 0 without those of output ports. */
static inline uint32_t isa_graph_result_parts(const struct isa_graph *graph)
{
    const uint32_t all = graph->functions[0].result_count;
    return all > graph->taken_count ? all - graph->taken_count : 0;
}

const struct isa_port *isa_graph_port_of_array(const struct isa_graph *graph,
                                               uint32_t array);

/* Returns the output port that part `part` of the results belongs to, or NULL. */
const struct isa_port *isa_graph_port_of_part(const struct isa_graph *graph,
                                              uint32_t part);

void isa_graph_add_placing(struct isa_graph *graph, struct isa_placing placing);

/* Whether the lines are a range and the machine is below ISA_MAX_MACHINES. */
bool isa_placing_is_legal(const struct isa_placing *placing);

void isa_graph_add_constants(struct isa_graph *graph, const struct isa_graph *from);

/* Adds a node with the operands and output lists of its opcode; APPLY gets those of the
 * callee of `site`. Operands start as tokens. */
uint32_t isa_graph_add_node(struct isa_graph *graph, enum isa_op op, enum isa_type type,
                            uint32_t function, uint32_t site, uint32_t index,
                            struct lib_pos pos);

/* Sets the name and place of a node in its assembly text. `written` is copied; it may be NULL. */
void isa_graph_set_written(struct isa_graph *graph, uint32_t node,
                           const struct isa_written *written);

void isa_graph_set_literal(struct isa_graph *graph, uint32_t node, uint32_t port,
                           isa_value value);
void isa_graph_set_input(struct isa_graph *graph, uint32_t node, uint32_t port,
                         uint32_t input);
void isa_graph_set_absent(struct isa_graph *graph, uint32_t node, uint32_t port);
void isa_graph_set_held(struct isa_graph *graph, uint32_t node, uint32_t port,
                        uint32_t held);

/* Adds an arc from output list `output` of `node`. */
void isa_graph_connect(struct isa_graph *graph, uint32_t node, uint32_t output,
                       struct isa_dest to);

/* Adds the flat shape of some results to `out`: "_" for one plain part, "(_, [_])" for two parts
 * of which the second is an array. */
void isa_graph_flat_shape(const enum isa_type *results, uint32_t count,
                          struct lib_text *out);

/* Sets the shape of the result, which is flat until then. Returns false if the string is not a
 * shape (struct isa_graph), or its parts and their ranks are not those of the result. */
bool isa_graph_set_shape(struct isa_graph *graph, const char *shape);

struct isa_graph *isa_graph_copy(const struct isa_graph *graph);

/* Whether an operand is a literal, an input or a constant of the loop. */
bool isa_operand_is_immediate(const struct isa_operand *operand);

/* Adds the opcode of a node as assembly spells it: "add.int", "switch.real". */
void isa_node_write_opcode(const struct isa_node *node, struct lib_text *out);

/* Returns the number of operands that tokens can name. A PARAM, RECV or AWAIT has one more than
 * the node lists: the token that no arc brings comes after those. */
static inline uint32_t isa_node_ports(const struct isa_node *node)
{
    return node->operand_count + isa_op_is_fed(node->op);
}

/* Adds the label of a node in its assembly text, or `%` and its index if it has none. */
void isa_graph_write_label(const struct isa_graph *graph, uint32_t node,
                           struct lib_text *out);

/* Adds the label of a node and its opcode: "%7 add.int". */
void isa_graph_write_node(const struct isa_graph *graph, uint32_t node,
                          struct lib_text *out);

/* Adds the origin of a node: " at 4:32" in the source, or else " of assembly line 7". Adds
 * nothing if neither is known. */
void isa_node_write_place(const struct isa_node *node, struct lib_text *out);

uint32_t isa_node_tokens(const struct isa_node *node);

/* Returns the function under whose tag a node fires: the callee for JOIN and RETURN_i, else the
 * function that the node is in. */
uint32_t isa_node_frame(const struct isa_graph *graph, const struct isa_node *node);

/* Return the type of operand `port` and of output list `output`; also for APPLY, whose types are
 * those of its callee. */
enum isa_type isa_node_operand_type(const struct isa_graph *graph,
                                    const struct isa_node *node, uint32_t port);
enum isa_type isa_node_output_type(const struct isa_graph *graph,
                                   const struct isa_node *node, uint32_t output);

/* Whether tokens of an operand or output list are control, without a value. */
bool isa_node_operand_is_control(const struct isa_node *node, uint32_t port);
bool isa_node_output_is_control(const struct isa_node *node, uint32_t output);

/* Whether an operand is a trigger: it takes any token, whose value does not matter. */
bool isa_node_operand_is_trigger(const struct isa_node *node, uint32_t port);

/* Returns the index of an input, or UINT32_MAX if no input has that name. */
uint32_t isa_graph_find_input(const struct isa_graph *graph, const char *name);

/* Whether some instruction takes or makes a tensor. */
bool isa_graph_has_tensors(const struct isa_graph *graph);

const char *isa_stage_name(enum isa_stage stage);

/* Returns a description of a stage: "one graph for all calls". */
const char *isa_stage_about(enum isa_stage stage);

/* Returns the stage of a name, or ISA_STAGE_COUNT if no stage has that name. */
enum isa_stage isa_stage_find(const char *name);

/* Returns the strategy of an executable stage: "static" or "expanding". */
const char *isa_strategy_name(enum isa_stage stage);

/* Returns the first executable stage of a strategy, or ISA_STAGE_COUNT if the name is not that of
 * a strategy. */
enum isa_stage isa_strategy_find(const char *name);

/* Turns a STATIC graph into one of stage IMAGE, in place. */
void isa_graph_lower(struct isa_graph *graph);

/* Whether an arc leads to operand 0 of a RETURN. */
bool isa_graph_is_result_arc(const struct isa_graph *graph, struct isa_dest to);

#endif
