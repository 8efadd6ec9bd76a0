/* Opcodes: the table isa/ops.def as C. What an opcode does to tokens, tags and memory is in
 * isa/op_columns.h. */
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
