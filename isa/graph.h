/* The dataflow graph of a program: nodes (instructions) and arcs, from the compiler to the machine.
 *
 * One structure serves five stages:
 *
 *   FUNCTIONS    one graph per function, as in paper 1, figure 2: PARAM, APPLY, RESULT
 *   STATIC       one graph: CALL_i, RETURN_i, MERGE, JOIN (paper 1, section 3); a function's
 *                result has an arc to the RETURN of every call
 *   IMAGE        the instructions: those n arcs are one, to ISA_TO_RETURN, which means "the
 *                RETURN that the head of the tag names"
 *   EXPANDING    the function graphs as instructions: each call copies one, and the copy runs
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
 * A loop has the same nodes in all stages: ENTER, MERGE, SWITCH, NEXT, EXIT (paper 1, figure 1). It
 * is declared as a function whose parameters are the loop's variables and whose results are its
 * EXITs; one site enters it. Its nodes belong to that function, except ENTERs and HOLDs, which
 * belong to the function around the loop. A HOLD keeps a constant of the loop, a value that all
 * iterations share; the loop's nodes have it as an immediate (isa/exec/loop_constant.h).
 *
 * Invariants:
 *   - Nodes, functions, sites, cells, inputs, constants, ports and constructors refer to each other
 *     by index.
 *     Pointers into a table are valid until something is added to it.
 *   - Function 0 is the top level: its nodes fire under the empty tag.
 *   - A graph owns all memory that its pointers name.
 * The functions here do not fail; isa/check/check.h checks whether a graph is legal at its stage.
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

#include "isa/given.h"
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

/* Whether graphs of a stage can be executed. */
static inline bool isa_stage_is_executable(enum isa_stage stage)
{
    return stage >= ISA_STAGE_IMAGE && stage < ISA_STAGE_COUNT;
}

/* Whether in graphs of a stage each function is a graph of its own, called by APPLY nodes. */
static inline bool isa_stage_applies(enum isa_stage stage)
{
    return stage == ISA_STAGE_FUNCTIONS || stage == ISA_STAGE_EXPANDING;
}

/* Target of an arc: operand `port` of `node`. In stage IMAGE, node ISA_TO_RETURN means: operand 0
 * of the RETURN for result `port` at the call site that is the first label of the token's tag. */
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
    ISA_OPERAND_LITERAL, /* a constant in the instruction */
    ISA_OPERAND_INPUT,   /* value of a program input, as an immediate */
    /* no token: a trigger at top level, where the node fires once, at the start */
    ISA_OPERAND_ABSENT,
    ISA_OPERAND_HELD, /* a loop-invariant value, as an immediate */
};

struct isa_operand {
    enum isa_operand_kind kind;
    union {
        uint32_t input; /* if ISA_OPERAND_INPUT: index into the graph's `inputs` */
        uint32_t held; /* if ISA_OPERAND_HELD: index into `held` of the loop's function */
    };
    isa_value value; /* if ISA_OPERAND_LITERAL: the constant */
};

/* Label and line of a node in the assembly text that it was read from. Images (binary program
 * files) do not store them. */
struct isa_written {
    const char *label; /* label with its leading % */
    uint32_t number;   /* position among the nodes of the text, from 0 on */
    uint32_t line;     /* line of the text; 0 if no user has seen the text */
};

struct isa_node {
    enum isa_op op : 16;
    /* type that the letter `t` stands for in the opcode's row of isa/ops.def */
    enum isa_type type : 16;
    /* Function that contains the node: the caller for CALL_i, JOIN and RETURN_i, the function
     * around the loop for ENTER and HOLD. */
    uint32_t function;
    uint32_t site;  /* index into the graph's `sites`, if isa_op_has_site(op) */
    uint32_t index; /* index of a parameter, result, cell, ..., depending on the opcode */
    uint32_t machine; /* machine that executes the node in stage PARTITIONED; else 0 */
    uint32_t operand_count, output_count;
    struct lib_pos pos; /* place in the source; line 0 if unknown */
    struct isa_operand *operands;
    struct isa_dests *outputs;         /* one list of arcs per output */
    const struct isa_written *written; /* NULL if the node was not read from assembly */
};

struct isa_function {
    const char *name;
    enum isa_type *params, *results;
    /* Names of the parameters, for figures only. NULL if unknown, as in a graph from assembly or an
     * image. A single name may be NULL too. */
    const char **names;
    uint32_t param_count, result_count;
    enum isa_type *held; /* types of the loop-invariant values that a loop keeps */
    uint32_t held_count;
    struct lib_pos pos;
    /* Class of PEs at which the program says that the activations of the function, and of the loops
     * in it, are (`--# on CLASS`, doc/model/pe.md); NULL: any. Not of loops. */
    const char *on;
    bool is_loop;
    /* Max iterations of a loop in flight; 0 if the program sets no bound; or ISA_LOOP_UNBOUNDED. */
    uint32_t bound;
    /* The first `early_results` results are returned as soon as the first `early_params` parameters
     * have arrived. Both are 0 for most functions, and in all stages except FUNCTIONS. In stages
     * with CALLs, control arcs have this effect. */
    uint32_t early_params, early_results;
    /* Max elements of an array that an activation makes of a function that makes arrays by strands
     * (programs/graph/strands.h); 0: another function. */
    uint32_t strand;
};

/* `bound` of a loop that no machine may bound: an iteration may need a value that a later iteration
 * makes, as in loops that compute the elements of an array. */
#define ISA_LOOP_UNBOUNDED UINT32_MAX

/* A place in the source where a function is called or a loop is entered. The index of a site is a
 * label of tags (paper 1, section 3). */
struct isa_site {
    uint32_t caller, callee;
    struct lib_pos pos;
};

/* A write-once cell: a constant of the program, or one component of a constant that is a tuple. */
struct isa_cell {
    const char *name;
    enum isa_type type;
};

/* An input of the program. Immediate operands name inputs whose types are int, real or bool. Others
 * are tensors, or arrays, whose type is that of their first part: their parts are constants. */
struct isa_input {
    const char *name;
    enum isa_type type;
    isa_value value;     /* default value; of arrays and tensors see isa/given.h */
    uint32_t first;      /* index of the first part in `constants` */
    uint32_t part_count; /* parts of an array or tensor; 0: the input is a scalar */
    const char *text;    /* type as sources write it: "int", "[(int, real)]" */
};

/* A tensor that LOAD instructions read, or GIVEN instructions make an array of. The graph owns
 * it. */
struct isa_constant {
    const char *name;
    struct isa_tensor *tensor;
};

/* A directive of the source that assigns source lines to a machine (doc/divided.md). If several
 * directives contain a line, the last one counts. */
struct isa_placing {
    uint32_t first, last; /* range of source lines, inclusive, from 1 on */
    uint32_t machine;
    struct lib_pos pos;
};

/* Type of one component of the elements that go through a port (struct isa_port). */
struct isa_port_part {
    enum isa_type type;            /* int, real, bool or tensor */
    enum isa_element_kind element; /* kind of a tensor's elements; 0 for other types */
    uint32_t rank;                 /* rank of a tensor; 0 for other types */
};

/* A port, through which a host exchanges elements with a running program (isa/exec/port.h). Each
 * component of the elements has an array. The host writes the elements of an input port, whose
 * arrays reach the program by PORT instructions. The host reads the elements of an output port,
 * whose arrays the program delivers by OUTPUT instructions, as its last results. */
struct isa_port {
    const char *name;
    bool is_input;
    struct isa_port_part *parts;
    uint32_t part_count;
    /* index of this port's first array among the arrays of all input (or all output) ports */
    uint32_t first;
    struct lib_pos pos;
};

/* A field of a constructor: its name, or NULL, and the type of its values. */
struct isa_field {
    const char *name;
    enum isa_type type;
};

/* A constructor of a type of data (ISA_DATA). Its structures have an element for each field. */
struct isa_constructor {
    const char *name;
    const char *type; /* name of the type of data, as "List(int)" */
    uint32_t number;  /* of the constructor within its type */
    /* Shape of the fields in results (`shape` of struct isa_graph), in parentheses: "((_, _), _)".
     * For isa_graph_add_constructor NULL means "(_, _, _)", in brackets as the types say. */
    const char *shape;
    struct isa_field *fields;
    uint32_t field_count;
    bool
        has_references; /* some fields are references; set by isa_graph_add_constructor */
    /* number of field 0 among the fields of all constructors of the graph */
    uint32_t first;
};

struct isa_graph {
    struct lib_arena *arena;
    enum isa_stage stage;
    const char *source;
    /* Shape of the result: "_" for one value, "((_, _), _)" for nested tuples. Each `_` is a result
     * of function 0, in order, without those of output ports. A `_` in n brackets is an array of
     * rank n; text in brackets is printed once per element. */
    const char *shape;
    struct isa_node *nodes;
    struct isa_function *functions;
    struct isa_site *sites;
    struct isa_cell *cells;
    struct isa_input *inputs;
    struct isa_constant *constants;
    struct isa_port *ports; /* in the order of declaration */
    /* Constructors of data. A value of type ISA_DATA has the index of one of them. */
    struct isa_constructor *constructors;
    /* Directives that assign source lines to machines; none in stage PARTITIONED. */
    struct isa_placing *placings;
    struct isa_tensor_memory tensors;
    uint32_t node_count, function_count, site_count, cell_count, input_count,
        constant_count, placing_count, port_count, constructor_count;
    uint32_t field_count; /* number of fields of all constructors */
    uint32_t array_count; /* number of arrays of all input ports */
    /* number of arrays of all output ports, which are the last results of function 0 */
    uint32_t taken_count;
    uint32_t machine_count; /* number of machines in stage PARTITIONED; else 0 */
    size_t node_capacity, function_capacity, site_capacity, cell_capacity, input_capacity,
        constant_capacity, placing_capacity, port_capacity, constructor_capacity;
};

/* Limits of a graph; readers of graphs report an error beyond them. */
enum {
    ISA_MAX_NODES = 1 << 22,
    ISA_MAX_PARAMS = 1 << 16, /* parameters of a function; also results of a function */
    ISA_MAX_MACHINES = 1 << 16,
    ISA_MAX_CLASS_NAME = 31,        /* bytes of the name of a class of PEs */
    ISA_MAX_FIELDS = 1 << 16,       /* fields of a constructor */
    ISA_MAX_CONSTRUCTORS = 1 << 20, /* also fields of all constructors */
};

struct isa_graph *isa_graph_new(enum isa_stage stage, const char *source);
void isa_graph_free(struct isa_graph *graph); /* `graph` may be NULL */

/* Adds a function and returns its index. This and the other isa_graph_add_ functions copy strings
 * and types. */
uint32_t isa_graph_add_function(struct isa_graph *graph, const char *name,
                                const enum isa_type *params, uint32_t param_count,
                                const enum isa_type *results, uint32_t result_count,
                                struct lib_pos pos);
/* Sets the names of a function's parameters; `names` may be NULL. isa_graph_set_types discards the
 * names. */
void isa_graph_set_names(struct isa_graph *graph, uint32_t function,
                         const char *const *names);

/* Makes a function the body of a loop with at most `bound` iterations in flight. */
void isa_graph_set_loop(struct isa_graph *graph, uint32_t function, uint32_t bound);

void isa_graph_set_strand(struct isa_graph *graph, uint32_t function, uint32_t strand);
void isa_graph_set_early(struct isa_graph *graph, uint32_t function, uint32_t params,
                         uint32_t results);

void isa_graph_set_constants(struct isa_graph *graph, uint32_t function,
                             const enum isa_type *held, uint32_t count);

/* Replaces the types of parameters and results of a function other than function 0. */
void isa_graph_set_types(struct isa_graph *graph, uint32_t function,
                         const enum isa_type *params, uint32_t param_count,
                         const enum isa_type *results, uint32_t result_count);
uint32_t isa_graph_add_site(struct isa_graph *graph, uint32_t caller, uint32_t callee,
                            struct lib_pos pos);
uint32_t isa_graph_add_cell(struct isa_graph *graph, const char *name,
                            enum isa_type type);
uint32_t isa_graph_add_input(struct isa_graph *graph, const char *name,
                             enum isa_type type, isa_value value);

/* Makes an input an array or a tensor whose default value are `count` constants from `first` on.
 * Returns false if there are no such constants, or they cannot be a value of the input's type. */
bool isa_graph_bind_input(struct isa_graph *graph, uint32_t input, uint32_t first,
                          uint32_t count);

/* Sets tensors[i] to the tensor that constant i is in a run. `inputs` has a value for each input;
 * NULL: the default values. */
void isa_graph_find_constants(const struct isa_graph *graph, const isa_value *inputs,
                              const struct isa_tensor **tensors);

/* Appends a value of an input as results are written. */
void isa_input_write(struct lib_text *out, const struct isa_input *input,
                     isa_value value);

/* Adds a tensor that was allocated from the graph's `tensors`. The graph takes ownership. */
uint32_t isa_graph_add_constant(struct isa_graph *graph, const char *name,
                                struct isa_tensor *tensor);

/* Adds a port; the name and the parts are copied. Function 0 must exist; its last results are
 * the parts of all output ports, in order. Makes the shape of the result flat
 * (isa_graph_flat_shape). */
uint32_t isa_graph_add_port(struct isa_graph *graph, const char *name, bool is_input,
                            const struct isa_port_part *parts, uint32_t part_count,
                            struct lib_pos pos);

void isa_graph_add_ports(struct isa_graph *graph, const struct isa_graph *from);

/* Returns the number of results of function 0, without the results of output ports. */
static inline uint32_t isa_graph_result_parts(const struct isa_graph *graph)
{
    const uint32_t all = graph->functions[0].result_count;
    return all > graph->taken_count ? all - graph->taken_count : 0;
}

const struct isa_port *isa_graph_port_of_array(const struct isa_graph *graph,
                                               uint32_t array);

/* Returns the output port to which result `part` of function 0 belongs, or NULL. */
const struct isa_port *isa_graph_port_of_part(const struct isa_graph *graph,
                                              uint32_t part);

/* Adds a constructor, which is copied, and returns its index. Sets `first` and
 * `has_references` of the copy. */
uint32_t isa_graph_add_constructor(struct isa_graph *graph,
                                   const struct isa_constructor *constructor);
void isa_graph_add_constructors(struct isa_graph *graph, const struct isa_graph *from);

/* Returns the constructor to which a field belongs, `field` < field_count of the graph. */
const struct isa_constructor *isa_graph_constructor_of(const struct isa_graph *graph,
                                                       uint32_t field);

/* Returns the type of a field, `field` < field_count of the graph. */
enum isa_type isa_graph_field_type(const struct isa_graph *graph, uint32_t field);

/* Whether the shape of a constructor fits its fields. */
bool isa_constructor_shape_fits(const struct isa_constructor *constructor);

/* Appends the shape that a constructor has by default. */
void isa_constructor_flat_shape(const struct isa_constructor *constructor,
                                struct lib_text *out);

/* Appends a field as diagnostics name it: "field `left` of `Node`", "field 0 of `Cons`". */
void isa_constructor_write_field(const struct isa_constructor *constructor,
                                 uint32_t field, struct lib_text *out);

/* Sets the class of PEs of a function, which is copied; NULL: any. */
void isa_graph_set_class(struct isa_graph *graph, uint32_t function, const char *on);

/* Whether the program says of some function at which class of PEs it is. */
bool isa_graph_has_classes(const struct isa_graph *graph);

void isa_graph_add_placing(struct isa_graph *graph, struct isa_placing placing);

/* Whether `first` to `last` is a range of lines, and `machine` below ISA_MAX_MACHINES. */
bool isa_placing_is_legal(const struct isa_placing *placing);

void isa_graph_add_constants(struct isa_graph *graph, const struct isa_graph *from);

/* Adds a node with the operands and output lists of its opcode; APPLY gets the operands and lists
 * of the callee of `site`. All operands start as tokens. */
uint32_t isa_graph_add_node(struct isa_graph *graph, enum isa_op op, enum isa_type type,
                            uint32_t function, uint32_t site, uint32_t index,
                            struct lib_pos pos);

/* Adds a copy of a node, which shares operands and lists with it: only one of them may change them
 * from then on. Returns its index. */
uint32_t isa_graph_move_node(struct isa_graph *graph, const struct isa_node *node);

/* Sets the label and line of a node in its assembly text. `written` is copied; it may be NULL. */
void isa_graph_set_written(struct isa_graph *graph, uint32_t node,
                           const struct isa_written *written);

void isa_graph_set_literal(struct isa_graph *graph, uint32_t node, uint32_t port,
                           isa_value value);
void isa_graph_set_input(struct isa_graph *graph, uint32_t node, uint32_t port,
                         uint32_t input);
void isa_graph_set_absent(struct isa_graph *graph, uint32_t node, uint32_t port);
void isa_graph_set_held(struct isa_graph *graph, uint32_t node, uint32_t port,
                        uint32_t held);

/* Adds an arc from output list `output` of `node` to the operand `to`. */
void isa_graph_connect(struct isa_graph *graph, uint32_t node, uint32_t output,
                       struct isa_dest to);

/* Returns the length of the name of a constructor that begins here in a shape, before the `(` of
 * its fields; 0: none does. */
size_t isa_shape_name(const char *shape);

/* Appends a shape without nested tuples: "_" for one plain result, "(_, [_])" for two results of
 * which the second is an array. */
void isa_graph_flat_shape(const enum isa_type *results, uint32_t count,
                          struct lib_text *out);

/* Sets the shape of the result (struct isa_graph). Returns false if `shape` is not a shape, or does
 * not match the number and the ranks of the results. */
bool isa_graph_set_shape(struct isa_graph *graph, const char *shape);

struct isa_graph *isa_graph_copy(const struct isa_graph *graph);

/* Whether an operand is a literal, a program input or a loop-invariant value, rather than a
 * token. */
bool isa_operand_is_immediate(const struct isa_operand *operand);

/* Appends the opcode of a node as assembly spells it: "add.int", "switch.real". */
void isa_node_write_opcode(const struct isa_node *node, struct lib_text *out);

/* Returns the number of operands to which tokens can be addressed. PARAM, RECV and AWAIT have one
 * in addition to `operand_count`, at the end, for a token that no arc brings. */
static inline uint32_t isa_node_ports(const struct isa_node *node)
{
    return node->operand_count + isa_op_is_fed(node->op);
}

/* Appends the label of a node in its assembly text, or `%` and the node's index if it has no
 * label. */
void isa_graph_write_label(const struct isa_graph *graph, uint32_t node,
                           struct lib_text *out);

/* Appends the label of a node and its opcode: "%7 add.int". */
void isa_graph_write_node(const struct isa_graph *graph, uint32_t node,
                          struct lib_text *out);

/* Appends the origin of a node: " at 4:32" in the source, else " of assembly line 7", else
 * nothing. */
void isa_node_write_place(const struct isa_node *node, struct lib_text *out);

uint32_t isa_node_tokens(const struct isa_node *node);

/* Returns the function under whose tag a node fires: the callee for JOIN and RETURN_i, else the
 * function that contains the node. */
uint32_t isa_node_frame(const struct isa_graph *graph, const struct isa_node *node);

/* Return the type of operand `port` and of output list `output`. An APPLY has the types of its
 * callee. */
enum isa_type isa_node_operand_type(const struct isa_graph *graph,
                                    const struct isa_node *node, uint32_t port);
enum isa_type isa_node_output_type(const struct isa_graph *graph,
                                   const struct isa_node *node, uint32_t output);

/* Whether tokens of an operand or output list are control tokens, which have no value. */
bool isa_node_operand_is_control(const struct isa_node *node, uint32_t port);
bool isa_node_output_is_control(const struct isa_node *node, uint32_t output);

/* Whether an operand is a trigger: it takes any token, whose value does not matter. */
bool isa_node_operand_is_trigger(const struct isa_node *node, uint32_t port);

/* Returns the index of an input, or UINT32_MAX if no input has that name. */
uint32_t isa_graph_find_input(const struct isa_graph *graph, const char *name);

/* Whether some instruction takes or makes a tensor. */
bool isa_graph_has_tensors(const struct isa_graph *graph);

const char *isa_stage_name(enum isa_stage stage);

/* Returns a description of a stage for users: "one graph for all calls". */
const char *isa_stage_about(enum isa_stage stage);

/* Returns the stage of a name, or ISA_STAGE_COUNT if no stage has that name. */
enum isa_stage isa_stage_find(const char *name);

/* Returns the strategy of an executable stage: "static" or "expanding". */
const char *isa_strategy_name(enum isa_stage stage);

/* Returns the first executable stage of a strategy, or ISA_STAGE_COUNT if no strategy has that
 * name. */
enum isa_stage isa_strategy_find(const char *name);

/* Turns a STATIC graph into one of stage IMAGE, in place. */
void isa_graph_lower(struct isa_graph *graph);

/* Whether an arc leads to operand 0 of a RETURN. */
bool isa_graph_is_result_arc(const struct isa_graph *graph, struct isa_dest to);

#endif
