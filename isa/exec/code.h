/* Code: an image made ready to execute.
 *
 * It is made from a graph of an executable stage that isa_check has accepted, for given values of
 * the inputs and one treatment of deadness. Only isa_code_set_input changes it afterwards. Many
 * runs, also in different threads, may share it.
 *
 * Instruction i is node i. An APPLY with several token operands has an instruction for each of
 * them: its node for the first one, and further ones after those of all nodes. All have the key of
 * the APPLY; the one whose token arrives last fires. */
#ifndef ISA_EXEC_CODE_H
#define ISA_EXEC_CODE_H

#include "isa/exec/activation.h"
#include "isa/graph.h"

/* A destination: instruction << 1 | operand, or ISA_CODE_TO_RETURN | part. */
typedef uint32_t isa_code_dest;

#define ISA_CODE_TO_RETURN UINT32_C(0x80000000)
#define ISA_CODE_MANY UINT32_MAX

/* Number of functions that have digests of their own (`function` in struct isa_instr). */
enum { ISA_CODE_FUNCTIONS = 1 << 16 };

struct isa_code_list {
    uint32_t first, count; /* range of the code's `dests` */
};

/* Form of an instruction: which of its operands are tokens. */
enum isa_form {
    /* operand 0; operand 1 is absent or an immediate. Also a READ without operands */
    ISA_FORM_FIRST,
    ISA_FORM_SECOND, /* operand 1, or none; operand 0 is an immediate */
    ISA_FORM_TWO,    /* both operands, which match in a slot */
    ISA_FORM_HELD,   /* one operand; the other is a constant of the loop */
    ISA_FORM_COUNT,
};

/* Flags for the values of an instruction that are references (isa/exec/structure.h). */
enum {
    ISA_REFERS_FIRST = 1,  /* operand 0 is a reference */
    ISA_REFERS_SECOND = 2, /* operand 1 is a reference */
    /* the value sent to the first list, for a SWITCH to either list, is a reference */
    ISA_REFERS_SENT = 4,
    ISA_REFERS_VALUE = 8, /* the value in digests is a reference */
};

struct isa_instr {
    uint8_t op;
    uint8_t form;
    uint8_t tokens;    /* operands that are tokens: 0 (fires at the start), 1 or 2 */
    uint8_t refers;    /* ISA_REFERS_ flags */
    uint16_t kind;     /* index in the code's `kinds` */
    uint16_t function; /* function of its node, at most ISA_CODE_FUNCTIONS - 1 */
    /* Slot where its operand waits, in the frame of its tag; form HELD: slot of the constant, in
     * the frame that contains the loop. */
    uint32_t slot;
    /* index of the call or loop; SEND, RECV, AWAIT: 1 if the channel carries decisions */
    uint32_t site;
    uint32_t index; /* parameter, part, cell, ... that the node names; APPLY: operand */
    /* CALL, APPLY, ENTER, NEXT: where the frame notes the activation made */
    uint32_t child;
    isa_value value; /* immediate */
    uint64_t key;    /* key of the instruction in digests */
    struct isa_code_list out[2];
    /* Destination of out[0] if it is always the same one; else ISA_CODE_MANY. */
    isa_code_dest only;
    uint32_t callee; /* CALL, ENTER, NEXT: function of the site */
};

/* Whether only tag tracking takes the tokens that a SEND, RECV or AWAIT carries (isa/parts.h). */
static inline bool isa_instr_decides(const struct isa_instr *instr)
{
    return instr->site;
}

static_assert(sizeof(struct isa_instr) == 64, "an instruction is a cache line");

/* Kinds: a kind is an opcode with a form; all instructions of a kind do the same. Kinds of form
 * HELD come first, in the order of isa/ops.def, so that a token that needs a constant is issued
 * before the HOLD of the same cycle. The others follow, by opcode, then by form. */
enum { ISA_KIND_COUNT = ISA_OP_COUNT * ISA_FORM_COUNT };

#define ISA_KIND(op, form)                                                               \
    ((form) == ISA_FORM_HELD ? (uint32_t)(op)                                            \
                             : ISA_OP_COUNT + (uint32_t)(op)*ISA_FORM_HELD + (form))

/* A site: a call or loop in the program. If the strategy is expanding, an APPLY makes its call. */
struct isa_code_site {
    uint32_t caller, callee;
    /* place in the caller's frame for the activation of the callee, or ISA_NO_CHILD */
    uint32_t child;
    /* loop: tokens that each iteration waits for: one per variable, and one from each copy of an
     * instruction that tracks its tags on another machine; else 0 */
    uint32_t variables;
    /* Destinations of hiatons if the call is not made, or the loop not entered: operand 1 of its
     * RETURNs or EXITs; for an APPLY all of its outputs. */
    struct isa_code_list dead;
    uint32_t apply;           /* first instruction of that APPLY */
    uint32_t args, first_arg; /* operands of that APPLY: count, and index in `args` */
    uint32_t expects;         /* number of operands of that APPLY that are tokens */
};

/* An operand of an APPLY: a token, or an immediate. */
struct isa_code_arg {
    bool is_token;
    uint32_t instr;  /* destination of the token */
    isa_value value; /* immediate */
};

/* A place where the value of an input is an immediate. */
struct isa_code_place {
    uint32_t input;
    uint32_t at;     /* instruction, or index in `args` */
    bool is_operand; /* `at` is an operand of an APPLY */
};

struct isa_code {
    struct lib_arena *arena;
    const struct isa_graph *graph; /* borrowed; must live as long */
    bool propagate;                /* hiatons flow down the branch not taken */
    bool expands;                  /* calls are APPLYs, which copy the callee's graph */
    struct isa_instr *instrs;
    uint32_t instr_count;
    /* nodes of the instructions of APPLYs other than their first ones */
    uint32_t *node_of_more;
    uint16_t *kinds; /* kinds of its instructions, ascending (ISA_KIND) */
    uint32_t kind_count;
    bool has_held;    /* some instruction is of form HELD */
    bool has_tensors; /* some instruction or port has tensors */
    isa_code_dest *dests;
    struct isa_code_site *sites;
    uint32_t *child_of_site; /* per site, as in struct isa_activations */
    uint32_t *held_of_site;  /* per site, as in struct isa_activations */
    /* Per site: index in `returns` of its RETURN or EXIT of part 0, followed by those of part 1,
     * 2, ...; also the index in `outputs`. */
    uint32_t *first_return;
    /* RETURNs and EXITs by site and part. A partitioned graph has a second half: the RETURN or
     * SEND to which the machine of the callee sends each result. */
    uint32_t *returns;
    uint32_t return_count;
    struct isa_code_list *outputs; /* output lists of APPLYs, by site and part */
    struct isa_code_arg *args;     /* operands of APPLYs, by site and parameter */
    /* Both per function; NULL unless the strategy is expanding. copied_with: the function whose
     * copies contain the nodes of this one: of a loop the function around it, else this function
     * itself. copy_nodes: number of nodes of a copy. */
    uint32_t *copied_with, *copy_nodes;
    struct isa_frame_shape *frames; /* shape of each function's frame */
    uint32_t machines; /* machines of a partitioned graph (isa/parts.h); else 0 */
    bool schedules;    /* some RECVs are AWAITs, scheduled by tag tracking */
    /* Partitioned graphs, else NULL: machine of each instruction; for each site the machine of the
     * instructions that name it, and the first of these instructions. */
    uint32_t *machine_of, *home_of_site, *first_of_site;
    uint32_t *receives; /* RECV per channel, only while the code is made */
    uint32_t *starts;   /* instructions that fire at the start, in order */
    uint32_t start_count;
    /* places where inputs are immediates, by node and operand */
    struct isa_code_place *places;
    uint32_t place_count;
};

/* Makes the code of a graph, which it borrows. `inputs` holds a value for each input of the graph;
 * NULL means the graph's own values. */
struct isa_code *isa_code_make(const struct isa_graph *graph, const isa_value *inputs,
                               bool propagate);

/* Returns a copy that can have other values of inputs. It shares everything else with `code`,
 * which must live as long. */
struct isa_code *isa_code_copy(const struct isa_code *code);

/* Change the value of one input, or of all, as in isa_code_make. Not during a run that uses the
 * code. The time is proportional to the number of operands that are inputs. */
void isa_code_set_input(struct isa_code *code, uint32_t input, isa_value value);
void isa_code_set_inputs(struct isa_code *code, const isa_value *inputs);
void isa_code_free(struct isa_code *code); /* NULL is allowed */

/* Returns the number of destinations of a list that take the value, as those in tag tracking do
 * not. */
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

/* Returns the index of a kind in `kinds`, or `kind_count` if the code has no such instruction. */
uint32_t isa_code_find_kind(const struct isa_code *code, uint32_t kind);

static inline uint32_t isa_code_node(const struct isa_code *code, uint32_t instr)
{
    const uint32_t node_count = code->graph->node_count;
    return instr < node_count ? instr : code->node_of_more[instr - node_count];
}

#endif
