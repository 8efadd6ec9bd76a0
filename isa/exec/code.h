/* Code: an image made ready to execute.
 *
 * It is made from a graph of an executable stage that isa_check accepted, for given values of
 * the inputs and one treatment of deadness. It never changes afterwards, but by
 * isa_code_set_input. Many runs, also in
 * different threads, may share it.
 *
 * Instruction i is node i. An APPLY of several token operands has an instruction for each of
 * them. That of the first is its node; the others stand behind those of the nodes. All have the
 * key of the APPLY, and the last whose token comes fires it. */
#ifndef ISA_EXEC_CODE_H
#define ISA_EXEC_CODE_H

#include "isa/exec/activation.h"
#include "isa/graph.h"

/* A destination: instruction << 1 | operand, or ISA_CODE_TO_RETURN | part. */
typedef uint32_t isa_code_dest;

#define ISA_CODE_TO_RETURN UINT32_C(0x80000000)
#define ISA_CODE_MANY UINT32_MAX

/* Functions that have digests of their own (struct isa_instr). */
enum { ISA_CODE_FUNCTIONS = 1 << 16 };

struct isa_code_list {
    uint32_t first, count; /* in the code's `dests` */
};

/* Which operands come as tokens: what an engine must know before it looks at them. */
enum isa_form {
    ISA_FORM_FIRST,  /* operand 0, alone or beside an immediate; or of a READ nothing */
    ISA_FORM_SECOND, /* operand 1, or nothing; operand 0 is an immediate */
    ISA_FORM_TWO,    /* both: they match in a slot */
    ISA_FORM_HELD,   /* one; the other is a constant that the loop holds, and sticks */
    ISA_FORM_COUNT,
};

/* Which values of an instruction are references (isa/exec/structure.h). */
enum {
    ISA_REFERS_FIRST = 1,  /* operand 0 */
    ISA_REFERS_SECOND = 2, /* operand 1 */
    ISA_REFERS_SENT = 4,   /* what the first list sends; SWITCH: either list */
    ISA_REFERS_VALUE = 8,  /* what its firing has as its value in digests */
};

struct isa_instr {
    uint8_t op;
    uint8_t form;
    uint8_t tokens; /* operands that are tokens: 0 (fires at the start), 1 or 2 */
    uint8_t refers; /* ISA_REFERS_: which of its values are references */
    uint16_t kind;  /* its place in the code's `kinds` */
    uint16_t
        function;  /* where it stands; ISA_CODE_FUNCTIONS - 1 is that, or one behind */
    uint32_t slot; /* where its operand waits, in the frame of its tag; of a constant of a
                       loop, in the frame where the loop stands */
    uint32_t
        site; /* what names a site; SEND, RECV, AWAIT: 1 if the channel carries decisions */
    uint32_t index;  /* param, part or cell */
    uint32_t child;  /* CALL, APPLY, ENTER, NEXT: its place among the frame's children */
    isa_value value; /* the immediate */
    uint64_t key;    /* of this instruction in digests */
    struct isa_code_list out[2];
    /* The destination of out[0] where that is always one and the same. */
    isa_code_dest only; /* else ISA_CODE_MANY */
    uint32_t callee;    /* CALL, ENTER, NEXT: the function of the site */
};

/* Whether only tag tracking takes what a SEND, RECV or AWAIT carries (isa/parts.h). */
static inline bool isa_instr_decides(const struct isa_instr *instr)
{
    return instr->site;
}

static_assert(sizeof(struct isa_instr) == 64, "an instruction is a cache line");

/* Instructions of one opcode and form do the same: a kind. First come those of form HELD, by
 * the rows of isa/ops.def: what needs a constant is issued before the HOLD of the same
 * cycle. Then the others, by row and form. */
enum { ISA_KIND_COUNT = ISA_OP_COUNT * ISA_FORM_COUNT };

#define ISA_KIND(op, form)                                                               \
    ((form) == ISA_FORM_HELD ? (uint32_t)(op)                                            \
                             : ISA_OP_COUNT + (uint32_t)(op)*ISA_FORM_HELD + (form))

struct isa_code_site {
    uint32_t caller, callee;
    uint32_t child; /* where a frame of the caller keeps what the CALLs or ENTERs
                           share; or ISA_NO_CHILD */
    uint32_t
        variables; /* of a loop; machines that follow its tags count as further ones */
    struct isa_code_list dead; /* operand 1 of its RETURNs, or so called of its EXITs; all
                                  that its APPLY sends */
    uint32_t apply;            /* the instruction of its APPLY, */
    uint32_t args, first_arg;  /* its operands, in `args`, */
    uint32_t expects;          /* and how many of them are tokens */
};

/* An operand of an APPLY: a token, or an immediate. */
struct isa_code_arg {
    bool is_token;
    uint32_t instr; /* where that token goes */
    isa_value value;
};

/* Where the value of an input is an immediate. */
struct isa_code_place {
    uint32_t input;
    uint32_t at;     /* an instruction; of an APPLY its operand, in `args` */
    bool is_operand; /* of an APPLY */
};

struct isa_code {
    struct lib_arena *arena;
    const struct isa_graph *graph; /* borrowed; must live as long */
    bool propagate;                /* hiatons flow down the branch not taken */
    bool expands;                  /* calls are APPLYs, which copy the callee's graph */
    struct isa_instr *instrs;
    uint32_t instr_count;
    uint32_t *node_of_more; /* of the instructions behind those of the nodes */
    uint16_t *kinds;        /* those of its instructions, as ISA_KIND; they ascend */
    uint32_t kind_count;
    bool has_held;    /* an instruction is of form HELD */
    bool has_tensors; /* or takes or makes a tensor */
    isa_code_dest *dests;
    struct isa_code_site *sites;
    uint32_t *child_of_site; /* see struct isa_activations */
    uint32_t *held_of_site;
    uint32_t *first_return; /* per site, in `returns`: RETURN of part 0, then 1, ...; in
                               `outputs`: the lists of an APPLY */
    uint32_t *returns; /* and, of a partitioned graph, as many SENDs or RETURNs again */
    uint32_t return_count;
    struct isa_code_list *outputs; /* where expanding: of APPLYs, by site and part */
    struct isa_code_arg *args;     /* and by site and parameter */
    uint32_t *copied_with;         /* where expanding: per function, that with whose graph
                                      it is copied: itself, or where its loop stands */
    uint32_t *copy_nodes;          /* per function: nodes of its graph, loops' among them;
                                      NULL where no graph is copied */
    struct isa_frame_shape *frames; /* per function */
    uint32_t machines;       /* of a partitioned graph (isa/parts.h); else 0, and: */
    uint32_t *machine_of;    /* per instruction */
    uint32_t *home_of_site;  /* per site: the machine of all that names it */
    bool schedules;          /* RECVs are scheduled per tag */
    uint32_t *first_of_site; /* per site: the first instruction that names it */
    uint32_t *receives;      /* per channel its RECV, while it is made */
    uint32_t *starts;        /* instructions that fire at the start, in order */
    uint32_t start_count;
    struct isa_code_place *places; /* of inputs, by node and operand */
    uint32_t place_count;
};

/* `inputs` holds a value per input of the graph; NULL: the graph's own. */
struct isa_code *isa_code_make(const struct isa_graph *graph, const isa_value *inputs,
                               bool propagate);
/* A copy that can have inputs of its own. It shares with `code`, which must live as long, all
 * but what has values of inputs. */
struct isa_code *isa_code_copy(const struct isa_code *code);
/* Gives inputs other values, between two runs of who owns the code: one, or all; `inputs` is as
 * above. Costs what the operands that are inputs cost. */
void isa_code_set_input(struct isa_code *code, uint32_t input, isa_value value);
void isa_code_set_inputs(struct isa_code *code, const isa_value *inputs);
void isa_code_free(struct isa_code *code); /* NULL is allowed */

/* How many tokens of a list have the value: tag tracking is told without it. */
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

/* The place of a kind among those of the code; `kind_count`: it has none such. */
uint32_t isa_code_find_kind(const struct isa_code *code, uint32_t kind);

/* The node of which an instruction is. */
static inline uint32_t isa_code_node(const struct isa_code *code, uint32_t instr)
{
    const uint32_t nodes = code->graph->node_count;
    return instr < nodes ? instr : code->node_of_more[instr - nodes];
}

#endif
