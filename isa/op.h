/* Opcodes: the table isa/ops.def as C. */
#ifndef ISA_OP_H
#define ISA_OP_H

#include "isa/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum isa_op {
#define OP(NAME, ...) ISA_OP_##NAME,
#include "isa/ops.def"
#undef OP
    ISA_OP_COUNT,
    ISA_OP_NONE = ISA_OP_COUNT,
};

/* Classes of function units. UNIT(NAME, text, help); the machine has a latency setting
 * for each. */
#define ISA_UNITS(UNIT)                                                                  \
    UNIT(ALU, "alu", "int and bool arithmetic, comparisons")                             \
    UNIT(MUL, "mul", "int multiplication")                                               \
    UNIT(DIV, "div", "int division and remainder")                                       \
    UNIT(FPU, "fpu", "real addition, multiplication, comparison, conversion")            \
    UNIT(FDIV, "fdiv", "real division, remainder, square root")                          \
    UNIT(MATH, "math", "exp, log, sin, cos, tanh")                                       \
    UNIT(CONTROL, "control", "CONST, SWITCH, MERGE, JOIN, PARAM, output")                \
    UNIT(TAG, "tag", "CALL, RETURN, ENTER, NEXT, EXIT, HOLD, APPLY, RESULT")             \
    UNIT(                                                                                \
        MEMORY, "memory",                                                                \
        "reading and writing of cells and elements; ALLOC, LOAD, ROW, ITEM, PORT, OPEN") \
    UNIT(TENSOR, "tensor", "kernels on tensors")

enum isa_unit {
#define UNIT(NAME, ...) ISA_UNIT_##NAME,
    ISA_UNITS(UNIT)
#undef UNIT
        ISA_UNIT_COUNT,
};

enum isa_effect {
    ISA_EFFECT_PURE,
    ISA_EFFECT_CONTROL,
    ISA_EFFECT_TAG,
    ISA_EFFECT_MEMORY,
    ISA_EFFECT_RESULT,
    ISA_EFFECT_FUNCTION,
};

/* Attributes of an instruction besides its operands. */
enum isa_attributes {
    ISA_ATTR_NONE,
    ISA_ATTR_SITE,
    ISA_ATTR_SITE_PARAM,
    ISA_ATTR_SITE_PART,
    ISA_ATTR_SITE_HELD, /* site and number of a loop's constant; assembly says "part" */
    ISA_ATTR_CELL,
    ISA_ATTR_PARAM,
    ISA_ATTR_PART,
    ISA_ATTR_KERNEL,   /* a kernel with its axis: isa/kernel_use.h */
    ISA_ATTR_CONSTANT, /* a tensor of the graph */
    ISA_ATTR_CHANNEL,  /* the channel from a SEND to its RECV */
    ISA_ATTR_ARRAY,    /* an array of an input port */
    ISA_ATTR_COUNT
};

/* The following enums are columns of isa/ops.def, which explains their values. The checker and the
 * engines decide by them. */
enum isa_op_stands {
    ISA_STANDS_ANY,
    ISA_STANDS_TOP,
    ISA_STANDS_LOOP,
    ISA_STANDS_CALLS,
    ISA_STANDS_CALLS_LOOP,
    ISA_STANDS_COPIES,
    ISA_STANDS_BODY,
    ISA_STANDS_PARTS,
};

enum isa_op_takes {
    ISA_TAKES_ANY,
    ISA_TAKES_ORDERED,
    ISA_TAKES_UNHELD,
    ISA_TAKES_TOKEN,
    ISA_TAKES_PAIR,
    ISA_TAKES_MANY,
};

enum isa_op_tag {
    ISA_UNDER_OWN,
    ISA_UNDER_CALLER,
    /* for this one and those below, the firing may make the activation */
    ISA_UNDER_CALLEE,
    ISA_UNDER_ENTERED,
    ISA_UNDER_NEXT,
};

enum isa_op_sends {
    ISA_SENDS_ALL,
    ISA_SENDS_ONE,
    ISA_SENDS_ARGS,
    ISA_SENDS_RESULTS,
};

enum isa_op_dead {
    ISA_DEAD_PASS,
    ISA_DEAD_SITE,
    ISA_DEAD_GONE,
    ISA_DEAD_CHOOSE,
};

enum isa_op_refers {
    ISA_REFERENCE_NONE,
    ISA_REFERENCE_PASS,
    ISA_REFERENCE_KEEP,
    ISA_REFERENCE_MAKE,
    ISA_REFERENCE_USE,
};

enum isa_op_access {
    ISA_ACCESS_NONE,
    ISA_ACCESS_READS = 1,
    ISA_ACCESS_WRITES = 2,
    ISA_ACCESS_ELEMENT = 4,
    ISA_ACCESS_READS_CELL = ISA_ACCESS_READS,
    ISA_ACCESS_WRITES_CELL = ISA_ACCESS_WRITES,
    ISA_ACCESS_READS_ELEMENT = ISA_ACCESS_READS | ISA_ACCESS_ELEMENT,
    ISA_ACCESS_WRITES_ELEMENT = ISA_ACCESS_WRITES | ISA_ACCESS_ELEMENT,
};

struct isa_op_does {
    uint8_t attributes, stands, takes, tag, sends, dead, refers, access;
};

/* The columns for each opcode. The table is in this header so that, where an engine knows the
 * opcode as a constant, its columns are constants too. */
static const struct isa_op_does isa_op_does[ISA_OP_COUNT] = {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, refers, access, help)                                            \
    {ISA_ATTR_##attributes,  ISA_STANDS_##stands, ISA_TAKES_##takes,                     \
     ISA_UNDER_##tag,        ISA_SENDS_##sends,   ISA_DEAD_##dead,                       \
     ISA_REFERENCE_##refers, ISA_ACCESS_##access},
#include "isa/ops.def"
#undef OP
};

/* Whether live tokens of an opcode go to an activation that its firing may have to make. */
static inline bool isa_op_makes_tag(enum isa_op op)
{
    return isa_op_does[op].tag >= ISA_UNDER_CALLEE;
}

/* Whether an opcode brings a value into a call, or into iteration 0 of a loop: CALL and ENTER. */
static inline bool isa_op_brings_in(enum isa_op op)
{
    return isa_op_does[op].attributes == ISA_ATTR_SITE_PARAM &&
           isa_op_does[op].dead == ISA_DEAD_SITE;
}

/* The following predicates are asked for every token. They are switches, which compilers turn
 * into comparisons even where the opcode is not a constant. */

/* Whether an opcode brings a result of its site out: RETURN and EXIT. If the call is not made, or
 * the loop not entered, one hiaton reaches the instruction under the tag of the caller, addressed
 * to operand 1. */
static inline bool isa_op_brings_out(enum isa_op op)
{
    switch (op) {
#define OP(NAME, text, label, in, out, attributes, ...)                                  \
    case ISA_OP_##NAME:                                                                  \
        return ISA_ATTR_##attributes == ISA_ATTR_SITE_PART;
#include "isa/ops.def"
#undef OP
    default:
        return false;
    }
}

/* Whether an opcode takes what the SEND of its channel sends: RECV, and AWAIT, which is scheduled
 * per tag. */
static inline bool isa_op_receives(enum isa_op op)
{
    return op == ISA_OP_RECV || op == ISA_OP_AWAIT;
}

/* Returns the number of operands, from operand 0 on, that are tensors whose elements are read. */
static inline unsigned isa_op_tensors_read(enum isa_op op)
{
    return op == ISA_OP_COMBINE || op == ISA_OP_VECTOR || op == ISA_OP_PAIR
               ? 2
               : op == ISA_OP_MAP || op == ISA_OP_ITEM || op == ISA_OP_ITEM_I ||
                     op == ISA_OP_ITEM_B || op == ISA_OP_ROW;
}

/* Whether an opcode carries tokens from machine to machine: SEND, RECV and AWAIT. These do not
 * count as firings of the program. */
static inline bool isa_op_carries(enum isa_op op)
{
    return op == ISA_OP_SEND || isa_op_receives(op);
}

/* Whether an opcode is one of tag tracking, which follows on each machine which tags exist. */
static inline bool isa_op_tracks(enum isa_op op)
{
    return op >= ISA_OP_TRACK_MERGE && op <= ISA_OP_TRACK_NEXT;
}

/* Whether partitioning adds an opcode, after the instructions of the program. */
static inline bool isa_op_divides(enum isa_op op)
{
    return isa_op_carries(op) || isa_op_tracks(op);
}

/* Whether an opcode takes a token that no arc brings: from an APPLY, or from another machine. */
static inline bool isa_op_is_fed(enum isa_op op)
{
    return op == ISA_OP_PARAM || isa_op_receives(op);
}

/* Whether one of the two tokens that reach an instruction under a tag fires it: MERGEIF. */
static inline bool isa_op_chooses(enum isa_op op)
{
    switch (op) {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, ...)                                                             \
    case ISA_OP_##NAME:                                                                  \
        return ISA_DEAD_##dead == ISA_DEAD_CHOOSE;
#include "isa/ops.def"
#undef OP
    default:
        return false;
    }
}

/* Whether an opcode accesses an element of an array, at the PE where the element is. */
static inline bool isa_op_accesses_element(enum isa_op op)
{
    switch (op) {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, refers, access, ...)                                             \
    case ISA_OP_##NAME:                                                                  \
        return (ISA_ACCESS_##access & ISA_ACCESS_ELEMENT) != 0;
#include "isa/ops.def"
#undef OP
    default:
        return false;
    }
}

/* Whether an opcode writes a cell or an element, for which reads may wait. */
static inline bool isa_op_writes(enum isa_op op)
{
    switch (op) {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, refers, access, ...)                                             \
    case ISA_OP_##NAME:                                                                  \
        return (ISA_ACCESS_##access & ISA_ACCESS_WRITES) != 0;
#include "isa/ops.def"
#undef OP
    default:
        return false;
    }
}

/* Whether an opcode takes or makes a tensor. Not all of these need the unit TENSOR. */
static inline bool isa_op_is_on_tensors(enum isa_op op)
{
    switch (op) {
#define OP(NAME, text, label, in, out, ...)                                              \
    case ISA_OP_##NAME:                                                                  \
        return (in)[0] == 'T' || (out)[0] == 'T';
#include "isa/ops.def"
#undef OP
    default:
        return false;
    }
}

/* Whether an opcode makes an array: ALLOC and OPEN; ROW, which writes all of it; and PORT, whose
 * array is made at the start of the run. */
static inline bool isa_op_makes_array(enum isa_op op)
{
    return op == ISA_OP_ALLOC || op == ISA_OP_ROW || op == ISA_OP_OPEN ||
           op == ISA_OP_PORT;
}

/* One row of isa/ops.def; the letters of `in` and `out` are explained there. */
struct isa_op_info {
    const char *name; /* "ADD_I" */
    const char *text;
    const char *label;
    const char *in, *out;
    enum isa_attributes attributes;
    enum isa_unit unit;
    enum isa_effect effect;
    const char *help;
};

extern const struct isa_op_info isa_op_table[ISA_OP_COUNT];

/* Whether assembly spells the opcode with the instruction's type after a dot. */
bool isa_op_is_typed(enum isa_op op);

/* Whether an instruction of a typed opcode can have a type as its own. */
bool isa_op_takes_type(enum isa_op op, enum isa_type type);

bool isa_op_has_site(enum isa_op op);

/* Returns the word of an opcode for its attribute `index`: "param", "part", "cell", ...; or NULL if
 * it has no such attribute. */
const char *isa_op_index_word(enum isa_op op);

/* Whether an instruction takes a control token: it belongs to a call, and fires under the tag of
 * that call. */
bool isa_op_takes_control(enum isa_op op);

/* Return the number of operands and of output lists; 0 for APPLY, which has those of its callee. */
int isa_op_operands(enum isa_op op);
int isa_op_outputs(enum isa_op op);

/* Finds an opcode by its spelling. Sets *type for a typed one, as "switch.real"; returns
 * ISA_OP_NONE if no opcode is spelled so. */
enum isa_op isa_op_find(const char *text, enum isa_type *type);

/* Return the type of values that operand `port` takes, or that list `output` sends; `type` is the
 * instruction's own. Control and triggers count as bool. */
enum isa_type isa_op_operand_type(enum isa_op op, int port, enum isa_type type);
enum isa_type isa_op_output_type(enum isa_op op, int output, enum isa_type type);

const char *isa_unit_name(enum isa_unit unit);

#endif
