/* The graph: what a program is between the language and the machine.
 *
 * One structure serves five stages, each of which has a text that reads back
 * (isa/format/asm.h), a checker (isa/check/check.h) and figures (isa/format/draw.h):
 *
 *   FUNCTIONS  one graph per function, as in paper 1, figure 2: PARAM, APPLY, RESULT
 *   STATIC     one graph: CALL_i, RETURN_i, MERGE, JOIN (paper 1, section 3); the node
 *              that makes a function's result has an arc to the RETURN of every call
 *   IMAGE      the instructions: those n arcs have become one destination, "the RETURN
 *              that the head of the tag names"
 *   EXPANDING  the instructions of the other strategy: the function graphs themselves;
 *              every call makes a copy of one, and the copy runs
 *   PARTITIONED  the instructions of IMAGE, divided among machines, and behind them a SEND and a
 *              RECV for each value that goes to another machine (paper 1, section 5.2). Arcs to
 *              RETURNs are as in STATIC
 *
 * A loop is the same in all of them: ENTER, MERGE, SWITCH, NEXT, EXIT (paper 1, figure 1). It is
 * declared like a function. Its parameters are its variables, with what it uses from outside;
 * its results are its EXITs. One site enters it. Its nodes stand in it, but for the ENTERs, which
 * stand where it is entered. A constant of the loop, which every iteration sees alike, need not
 * go round. A HOLD, which stands where the loop is entered, keeps it, and the loop's nodes have
 * it as an immediate.
 *
 * Nodes, functions, sites, cells and inputs refer to each other by index. Function 0 is
 * the top level: its nodes fire under the empty tag. A graph owns its arena. */
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

/* Whether a graph of a stage can be executed; then the stage says its strategy. */
static inline bool isa_stage_is_executable(enum isa_stage stage)
{
    return stage >= ISA_STAGE_IMAGE && stage < ISA_STAGE_COUNT;
}

/* Whether a call is an APPLY there, and each function a graph of its own. */
static inline bool isa_stage_applies(enum isa_stage stage)
{
    return stage == ISA_STAGE_FUNCTIONS || stage == ISA_STAGE_EXPANDING;
}

/* An arc's end: an operand of a node; or, in stage IMAGE with node ISA_TO_RETURN, the
 * operand 0 of the RETURN for result `port` of the call that the head of the tag names. */
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
    ISA_OPERAND_HELD, /* an immediate: a constant of the loop in which the node stands */
};

struct isa_operand {
    enum isa_operand_kind kind;
    union {
        uint32_t input;
        uint32_t held; /* the number of the constant */
    };
    isa_value value;
};

/* What the assembly text that a node was read from calls it. The graph owns it. Images do not hold
 * it. */
struct isa_written {
    const char *label; /* with its % */
    uint32_t number;   /* order of its definition in the text, from 0 on */
    uint32_t line;     /* line of the text; 0: the user never saw the text */
};

struct isa_node {
    enum isa_op op;
    enum isa_type type; /* where the opcode's row says `t` */
    uint32_t function;  /* the function it stands in; CALL_i, JOIN, RETURN_i: the
                                caller; ENTER, HOLD: where the loop stands */
    uint32_t site;      /* CALL, RETURN, JOIN, APPLY, ENTER, NEXT, EXIT, HOLD */
    uint32_t index;     /* param, part, constant or cell, as the opcode's row says */
    uint32_t machine;   /* in stage PARTITIONED; else 0 */
    struct isa_operand *operands;
    uint32_t operand_count;
    struct isa_dests *outputs; /* the output lists */
    uint32_t output_count;
    struct lib_pos pos;                /* in the source; line 0: none */
    const struct isa_written *written; /* NULL: the node was not read from assembly */
};

struct isa_function {
    const char *name;
    enum isa_type *params, *results;
    const char *
        *names; /* of the parameters; NULL: not known, as where a graph was read from
                           assembly or an image. For figures alone. */
    uint32_t param_count, result_count;
    enum isa_type *held; /* of a loop: the constants that it holds */
    uint32_t held_count;
    struct lib_pos pos;
    bool is_loop;
    uint32_t bound; /* of a loop: how many of its iterations may be in flight; 0: it does
                       not say; or ISA_LOOP_UNBOUNDED */
    uint32_t early_params, early_results; /* of a paired function: its first results are
                       returned when its first parameters are there; 0, 0: it is none. Where calls have
                       become tags, their control network says it */
};

/* No machine bounds the loop: an iteration may need what a later one makes, as where they
 * compute the elements of an array. */
#define ISA_LOOP_UNBOUNDED UINT32_MAX

/* A place in the text where a function is called, or a loop: a label (paper 1, section 3). */
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

/* What the source says of lines: which machine they are on (doc/distributed.md). Of several that
 * hold a line the last one counts. */
struct isa_placing {
    uint32_t first, last; /* lines, from 1 on */
    uint32_t machine;
    struct lib_pos pos; /* where it is said */
};

/* A part of the elements of a port. */
struct isa_port_part {
    enum isa_type type;            /* int, real, bool or tensor */
    enum isa_element_kind element; /* of a tensor, */
    uint32_t rank;                 /* and its rank; else 0 */
};

/* A port. In: an array per part, whose elements the host writes; a PORT sends it. Out: an
 * array per part, whose elements the host takes; an OUTPUT delivers it, as a further part of
 * the results. */
struct isa_port {
    const char *name;
    bool is_input;
    struct isa_port_part *parts;
    uint32_t part_count;
    uint32_t
        first; /* In: number of the first array among those of all ports in. Out: the first
                       part among those of all ports out */
    struct lib_pos pos;
};

struct isa_graph {
    struct lib_arena *arena;
    enum isa_stage stage;
    const char *source; /* name of the source file */
    const char *shape;  /* of the result: its text, with `_` for each part of function
                           0's results but those of ports out, in order: "_", "((_, _), _)"; what is in brackets is
                           said once per element, by a part of as many dimensions as there
                           are brackets around it: "[(_, _)]" */
    struct isa_node *nodes;
    struct isa_function *functions;
    struct isa_site *sites;
    struct isa_cell *cells;
    struct isa_input *inputs;
    struct isa_constant *constants;
    struct isa_port *ports;           /* in the order of their declaration */
    struct isa_placing *placings;     /* not in stage PARTITIONED, where nodes say it */
    struct isa_tensor_memory tensors; /* of the constants */
    uint32_t node_count, function_count, site_count, cell_count, input_count,
        constant_count, placing_count, port_count;
    uint32_t array_count; /* arrays of all ports in */
    uint32_t
        taken_count; /* parts of all ports out: the last ones of function 0's results */
    uint32_t machine_count; /* in stage PARTITIONED; else 0 */
    size_t node_capacity, function_capacity, site_capacity, cell_capacity, input_capacity,
        constant_capacity, placing_capacity, port_capacity;
};

/* What a graph can hold; readers report more as an error. */
enum {
    ISA_MAX_NODES = 1 << 22,
    ISA_MAX_PARAMS = 1 << 16, /* and results of a function */
    ISA_MAX_MACHINES = 1 << 16,
};

struct isa_graph *isa_graph_new(enum isa_stage stage, const char *source);
void isa_graph_free(struct isa_graph *graph); /* NULL is allowed */

/* Each adds one thing and returns its index. Text is copied. */
uint32_t isa_graph_add_function(struct isa_graph *graph, const char *name,
                                const enum isa_type *params, uint32_t param_count,
                                const enum isa_type *results, uint32_t result_count,
                                struct lib_pos pos);
/* Says what the parameters of a function are called; NULL: it is not known. Behind what sets
 * their types. */
void isa_graph_set_names(struct isa_graph *graph, uint32_t function,
                         const char *const *names);
/* Makes a function the body of a loop. */
void isa_graph_set_loop(struct isa_graph *graph, uint32_t function, uint32_t bound);

/* Makes a function a paired one: with fewer early parameters and results than it has. */
void isa_graph_set_early(struct isa_graph *graph, uint32_t function, uint32_t params,
                         uint32_t results);

/* Says which constants a loop holds. */
void isa_graph_set_constants(struct isa_graph *graph, uint32_t function,
                             const enum isa_type *held, uint32_t count);

/* Gives a function, not the first, other parameters and results. */
void isa_graph_set_types(struct isa_graph *graph, uint32_t function,
                         const enum isa_type *params, uint32_t param_count,
                         const enum isa_type *results, uint32_t result_count);
uint32_t isa_graph_add_site(struct isa_graph *graph, uint32_t caller, uint32_t callee,
                            struct lib_pos pos);
uint32_t isa_graph_add_cell(struct isa_graph *graph, const char *name,
                            enum isa_type type);
uint32_t isa_graph_add_input(struct isa_graph *graph, const char *name,
                             enum isa_type type, isa_value value);

/* The tensor comes from the graph's `tensors`, and is its own from now on. */
uint32_t isa_graph_add_constant(struct isa_graph *graph, const char *name,
                                struct isa_tensor *tensor);

/* Adds a port, and takes copies of the name and of the parts. The parts of a port out are the
 * last results of function 0, which exists; the shape of the result becomes a flat one again. */
uint32_t isa_graph_add_port(struct isa_graph *graph, const char *name, bool is_input,
                            const struct isa_port_part *parts, uint32_t part_count,
                            struct lib_pos pos);

/* Adds copies of all ports that another graph has. */
void isa_graph_add_ports(struct isa_graph *graph, const struct isa_graph *from);

/* Number of parts of the result itself: the results of function 0 without those of ports out. */
static inline uint32_t isa_graph_result_parts(const struct isa_graph *graph)
{
    const uint32_t all = graph->functions[0].result_count;
    return all > graph->taken_count ? all - graph->taken_count : 0;
}

/* The port in that array number `array` belongs to. */
const struct isa_port *isa_graph_port_of_array(const struct isa_graph *graph,
                                               uint32_t array);

/* The port out that part `part` of the results belongs to; NULL if it is one of the result
 * itself. */
const struct isa_port *isa_graph_port_of_part(const struct isa_graph *graph,
                                              uint32_t part);

void isa_graph_add_placing(struct isa_graph *graph, struct isa_placing placing);

/* Whether it says of some lines what can be. */
bool isa_placing_is_legal(const struct isa_placing *placing);

/* Adds copies of all that another graph has. */
void isa_graph_add_constants(struct isa_graph *graph, const struct isa_graph *from);

/* Adds a node with the operands and output lists of its opcode; APPLY gets those of the
 * callee of `site`. Operands start as tokens. */
uint32_t isa_graph_add_node(struct isa_graph *graph, enum isa_op op, enum isa_type type,
                            uint32_t function, uint32_t site, uint32_t index,
                            struct lib_pos pos);

/* Says what the text that a node comes from calls it; `written` is copied. NULL: nothing. */
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

/* Adds the shape that the result of a function has where nothing else is said: "_" for one
 * plain part, "(_, [_])" for two. */
void isa_graph_flat_shape(const enum isa_type *results, uint32_t count,
                          struct lib_text *out);

/* Sets the shape of the result, which is flat at first. false: not of the form above, or not
 * `_` for each of function 0's results, in brackets as its type is. */
bool isa_graph_set_shape(struct isa_graph *graph, const char *shape);

/* A copy with its own arena. */
struct isa_graph *isa_graph_copy(const struct isa_graph *graph);

/* Whether an operand is a literal, an input or a constant of the loop. */
bool isa_operand_is_immediate(const struct isa_operand *operand);

/* Adds what the text calls the opcode of a node: "add.int", "switch.real". */
void isa_node_write_opcode(const struct isa_node *node, struct lib_text *out);

/* Numbers of operands that tokens may have: what a PARAM, RECV or AWAIT is fed comes behind those
 * that it names. */
static inline uint32_t isa_node_ports(const struct isa_node *node)
{
    return node->operand_count + isa_op_is_fed(node->op);
}

/* Adds the label that the assembly text of a node has, or `%` and its number. */
void isa_graph_write_label(const struct isa_graph *graph, uint32_t node,
                           struct lib_text *out);

/* Adds the label of a node and its opcode: "%7 add.int". */
void isa_graph_write_node(const struct isa_graph *graph, uint32_t node,
                          struct lib_text *out);

/* Adds where a node comes from: " at 4:32" in the source, or else " of assembly line 7". Adds
 * nothing if neither is known. */
void isa_node_write_place(const struct isa_node *node, struct lib_text *out);

/* Number of operands that are tokens. */
uint32_t isa_node_tokens(const struct isa_node *node);

/* The function whose activation a node fires in, which is that of its tag: for JOIN and
 * RETURN_i the callee, else the function it stands in. */
uint32_t isa_node_frame(const struct isa_graph *graph, const struct isa_node *node);

/* The types of operand `port` and output list `output`, also of APPLY. */
enum isa_type isa_node_operand_type(const struct isa_graph *graph,
                                    const struct isa_node *node, uint32_t port);
enum isa_type isa_node_output_type(const struct isa_graph *graph,
                                   const struct isa_node *node, uint32_t output);
/* Whether they are control, without a value. */
bool isa_node_operand_is_control(const struct isa_node *node, uint32_t port);
bool isa_node_output_is_control(const struct isa_node *node, uint32_t output);
/* Whether an operand takes any token, whose value does not matter. */
bool isa_node_operand_is_trigger(const struct isa_node *node, uint32_t port);

/* UINT32_MAX if there is none of that name. */
uint32_t isa_graph_find_input(const struct isa_graph *graph, const char *name);

/* Whether an instruction takes or makes a tensor. */
bool isa_graph_has_tensors(const struct isa_graph *graph);

const char *isa_stage_name(enum isa_stage stage);

/* What a graph of that stage is, in words: "one graph for all calls". */
const char *isa_stage_about(enum isa_stage stage);

/* The stage of that name; ISA_STAGE_COUNT: there is none. */
enum isa_stage isa_stage_find(const char *name);

/* How functions become what is executed: "static" or "expanding"; of executable stages. */
const char *isa_strategy_name(enum isa_stage stage);

/* The stage that a strategy of that name makes; ISA_STAGE_COUNT: there is no such one. */
enum isa_stage isa_strategy_find(const char *name);

/* Turns a STATIC graph into stage IMAGE, in place. */
void isa_graph_lower(struct isa_graph *graph);

/* Whether an arc leads to operand 0 of a RETURN. */
bool isa_graph_is_result_arc(const struct isa_graph *graph, struct isa_dest to);

#endif
