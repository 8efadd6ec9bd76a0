/* Code: an image made ready to execute.
 *
 * Code is made from an executable graph that isa_check has accepted, for given inputs and one
 * treatment of deadness. Only isa_code_set_input changes it afterwards, so runs in different
 * threads may share it.
 *
 * Instruction i is node i of the graph. An APPLY with several token operands has an instruction for
 * each: that of its node for the first one, and others after the instructions of all nodes. The
 * instruction whose token arrives last fires. Digests take all of them for the same one (`key`).
 */
#ifndef ISA_EXEC_CODE_H
#define ISA_EXEC_CODE_H

#include "isa/exec/activation.h"
#include "isa/graph.h"

/* Target of a token: instruction << 1 | operand; or ISA_CODE_TO_RETURN | result, which means the
 * RETURN for that result at the call site that the token's tag names. */
typedef uint32_t isa_code_dest;

#define ISA_CODE_TO_RETURN UINT32_C(0x80000000)
#define ISA_CODE_MANY UINT32_MAX

/* Limit of `function` of struct isa_instr. Functions from the last index on share it, and so the
 * digests that are kept for each function. */
enum { ISA_CODE_FUNCTIONS = 1 << 16 };

struct isa_code_list {
    uint32_t first, count; /* range of elements of `dests` in struct isa_code */
};

/* Form of an instruction: which operands are tokens. */
enum isa_form {
    /* operand 0 is a token; operand 1 is absent or an immediate. Also a READ, without operands */
    ISA_FORM_FIRST,
    ISA_FORM_SECOND, /* operand 1 is a token or absent; operand 0 is an immediate */
    ISA_FORM_TWO,    /* both operands are tokens, which match in a slot */
    ISA_FORM_HELD,   /* one operand is a token; the other is a constant of the loop */
    ISA_FORM_COUNT,
};

/* Flags: which values of an instruction are references (isa/exec/structure.h). */
enum {
    ISA_REFERS_FIRST = 1,
    ISA_REFERS_SECOND = 2,
    /* the value sent to output list 0 (SWITCH: to either list) is a reference */
    ISA_REFERS_SENT = 4,
    ISA_REFERS_VALUE = 8, /* the value that goes into digests is a reference */
};

struct isa_instr {
    uint8_t op;
    uint8_t form;
    uint8_t tokens; /* number of token operands: 0 (fires at the start), 1 or 2 */
    uint8_t refers; /* ISA_REFERS_ flags */
    uint16_t kind;  /* index into `kinds` of struct isa_code */
    /* index of the function that contains the node; at most ISA_CODE_FUNCTIONS - 1 */
    uint16_t function;
    /* Slot of the tag's frame where an operand waits. With form HELD: slot of the loop constant, in
     * the frame that contains the loop. */
    uint32_t slot;
    /* index of the call site or loop; for SEND, RECV, AWAIT: 1 if the channel carries decisions of
     * SWITCHes to tag tracking (isa/parts.h), else 0 */
    uint32_t site;
    /* index of the parameter, result, cell, ... that the node names; for APPLY: of the operand */
    uint32_t index;
    /* for CALL, APPLY, ENTER, NEXT: index of the callee among the frame's children */
    uint32_t child;
    isa_value value; /* immediate operand */
    uint64_t key;    /* hash by which digests know the instruction */
    struct isa_code_list out[2];
    /* Target of output list 0 if that is a single one, the same for every tag; else
     * ISA_CODE_MANY. */
    isa_code_dest only;
    union {
        uint32_t callee; /* for CALL, ENTER, NEXT: function of the site */
        uint32_t
            constructor; /* for FILL, FIELD: constructor whose field `index` they name */
    };
};

/* Whether all tokens that a SEND, RECV or AWAIT carries go to tag tracking (isa/parts.h). */
static inline bool isa_instr_decides(const struct isa_instr *instr)
{
    return instr->site;
}

static_assert(sizeof(struct isa_instr) == 64, "an instruction is a cache line");

/* Number of kinds. A kind is an opcode with a form: all instructions of a kind act alike. Kinds of
 * form HELD come first, so that a token that needs a loop constant is issued before the HOLD of the
 * same cycle. The others follow, by opcode, then by form. */
enum { ISA_KIND_COUNT = ISA_OP_COUNT * ISA_FORM_COUNT };

#define ISA_KIND(op, form)                                                               \
    ((form) == ISA_FORM_HELD ? (uint32_t)(op)                                            \
                             : ISA_OP_COUNT + (uint32_t)(op)*ISA_FORM_HELD + (form))

/* A call site or loop in the program. If calls copy graphs, the call is made by an APPLY. */
struct isa_code_site {
    uint32_t caller, callee;
    /* index of the callee's activation among the caller's children, or ISA_NO_CHILD */
    uint32_t child;
    /* Number of tokens that each iteration of a loop waits for: one per variable of the loop; in a
     * divided program also one from each machine that tracks the loop's tags. 0 for a call. */
    uint32_t variables;
    /* Targets of dead tokens if the call is not made or the loop not entered: operand 1 of its
     * RETURNs or EXITs; for an APPLY all its outputs. */
    struct isa_code_list dead;
    uint32_t apply; /* first instruction of the APPLY */
    /* operands of the APPLY: how many, and index of the first in `args` */
    uint32_t args, first_arg;
    uint32_t expects; /* number of operands of the APPLY that are tokens */
};

/* An operand of an APPLY: a token, or an immediate. */
struct isa_code_arg {
    bool is_token;
    uint32_t instr;  /* instruction to which the token goes */
    isa_value value; /* value, if the operand is an immediate */
};

/* An immediate operand whose value is the value of program input `input`. */
struct isa_code_place {
    uint32_t input;
    uint32_t at;     /* index of the instruction, or index in `args` if `is_operand` */
    bool is_operand; /* the place is an operand of an APPLY */
};

struct isa_code {
    struct lib_arena *arena;
    const struct isa_graph *graph; /* borrowed; must live as long */
    bool propagate; /* dead tokens flow down the branch that a SWITCH does not take */
    bool expands;   /* calls are APPLYs, which copy the graph of the callee */
    struct isa_instr *instrs;
    uint32_t instr_count;
    /* node of each instruction from graph->node_count on: the further instructions of APPLYs */
    uint32_t *node_of_more;
    uint16_t *kinds; /* kinds that occur in the code, ascending (ISA_KIND) */
    uint32_t kind_count;
    bool has_held;    /* the code has instructions of form HELD */
    bool has_tensors; /* an instruction or port has tensors */
    bool has_folds;   /* an instruction makes an array that accumulates */
    isa_code_dest *dests;
    struct isa_code_site *sites;
    /* for each call site: see `child_of_site` of struct isa_activations */
    uint32_t *child_of_site;
    uint32_t *held_of_site; /* for each loop: number of loop constants */
    /* For each site, the index of its result 0 in `returns` and in `outputs`; results 1, 2, ...
     * follow. */
    uint32_t *first_return;
    /* RETURN or EXIT of each result of each site. If the graph is partitioned, as many entries
     * follow: the instruction on the callee's machine to which each result goes, the RETURN itself
     * or a SEND. */
    uint32_t *returns;
    uint32_t return_count;
    struct isa_code_list *outputs; /* output lists of APPLYs, by site and result */
    struct isa_code_arg *args;     /* operands of APPLYs, by site and parameter */
    /* For each function, if calls copy graphs; else NULL. copied_with: the function whose graph is
     * copied, which for a loop is the function around it. copy_nodes: number of nodes of a copy. */
    uint32_t *copied_with, *copy_nodes;
    struct isa_frame_shape *frames; /* shape of each function's frame */
    uint32_t machines; /* machines of a partitioned graph (isa/parts.h); else 0 */
    bool schedules;    /* some RECVs are AWAITs, which tag tracking schedules */
    /* Placement of a partitioned graph; NULL for others. machine_of: for each instruction, its
     * machine. home_of_site: for each site, the machine of the instructions that name the site.
     * first_of_site: for each site, one of these instructions. */
    uint32_t *machine_of, *home_of_site, *first_of_site;
    uint32_t *receives; /* RECV of each channel; allocated only while the code is made */
    uint32_t *starts;   /* instructions that fire at the start, in ascending order */
    uint32_t start_count;
    /* places where program inputs are immediates, ordered by node and operand */
    struct isa_code_place *places;
    uint32_t place_count;
    /* Tensors of the graph's constants: its own, or those of given inputs. Borrowed. */
    const struct isa_tensor **constants;
};

/* Makes the code of a graph, which the code borrows. `inputs` has a value for each input of the
 * graph; NULL means the graph's own values. The code borrows values that are arrays or tensors. */
struct isa_code *isa_code_make(const struct isa_graph *graph, const isa_value *inputs,
                               bool propagate);

/* Returns a copy of `code` whose inputs can be set to other values. The copy shares everything else
 * with `code`, which must live as long. */
struct isa_code *isa_code_copy(const struct isa_code *code);

/* Set one input, or all (NULL: the graph's own values), in time proportional to the number of
 * operands that are inputs, and of constants. Not allowed during a run that uses the code. */
void isa_code_set_input(struct isa_code *code, uint32_t input, isa_value value);
void isa_code_set_inputs(struct isa_code *code, const isa_value *inputs);
void isa_code_free(struct isa_code *code); /* `code` may be NULL */

/* Returns the number of targets in a list that take the value. Copies of MERGEs that only track
 * tags do not take it. */
static inline uint32_t isa_code_values(const struct isa_code *code,
                                       struct isa_code_list list)
{
    uint32_t of_value = list.count;
    if (__builtin_expect(!code->schedules, 1))
        return of_value;
    for (uint32_t i = 0; i < list.count; i++) {
        const isa_code_dest to = code->dests[list.first + i];
        of_value -= !(to & ISA_CODE_TO_RETURN) &&
                    code->instrs[to >> 1].op == ISA_OP_TRACK_MERGE;
    }
    return of_value;
}

/* Returns the index of a kind in `kinds`, or `kind_count` if no instruction is of that kind. */
uint32_t isa_code_find_kind(const struct isa_code *code, uint32_t kind);

static inline uint32_t isa_code_node(const struct isa_code *code, uint32_t instr)
{
    const uint32_t node_count = code->graph->node_count;
    return instr < node_count ? instr : code->node_of_more[instr - node_count];
}

#endif
