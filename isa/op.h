/* Opcodes: the table isa/ops.def as C. isa/op_columns.h has the columns on tokens, tags and
 * memory. */
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

/* Classes of function units: UNIT(NAME, text, help). The machine has a latency setting for each. */
#define ISA_UNITS(UNIT)                                                                  \
    UNIT(ALU, "alu", "int and bool arithmetic, comparisons")                             \
    UNIT(MUL, "mul", "int multiplication")                                               \
    UNIT(DIV, "div", "int division and remainder")                                       \
    UNIT(FPU, "fpu", "real addition, multiplication, comparison, conversion")            \
    UNIT(FDIV, "fdiv", "real division, remainder, square root")                          \
    UNIT(MATH, "math",                                                                   \
         "exp, log, sin, cos, tanh, atan, atan2, hypot, erf, powers, random numbers")    \
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

/* Things that an instruction names besides its operands; the explanation of `attributes` in
 * isa/ops.def lists them. */
enum isa_attributes {
    ISA_ATTR_NONE,
    ISA_ATTR_SITE,
    ISA_ATTR_SITE_PARAM,
    ISA_ATTR_SITE_PART,
    /* a loop, and the index of one of its loop-invariant values */
    ISA_ATTR_SITE_HELD,
    ISA_ATTR_CELL,
    ISA_ATTR_PARAM,
    ISA_ATTR_PART,
    ISA_ATTR_KERNEL,      /* kernel on tensors with its axis: isa/kernel_use.h */
    ISA_ATTR_CONSTANT,    /* constant tensor of the graph */
    ISA_ATTR_CHANNEL,     /* channel from a SEND to the RECV on another machine */
    ISA_ATTR_ARRAY,       /* array of an input port (struct isa_port) */
    ISA_ATTR_CONSTRUCTOR, /* constructor of the graph */
    ISA_ATTR_FIELD,       /* field of a constructor, counted over all constructors */
    ISA_ATTR_COUNT
};

/* Whether an opcode receives the value of a SEND on another machine: RECV, and AWAIT, a RECV that
 * must first be scheduled for each tag. */
static inline bool isa_op_receives(enum isa_op op)
{
    return op == ISA_OP_RECV || op == ISA_OP_AWAIT;
}

/* Returns the number of leading operands that are tensors whose elements the instruction reads. */
static inline unsigned isa_op_tensors_read(enum isa_op op)
{
    return op == ISA_OP_COMBINE || op == ISA_OP_VECTOR || op == ISA_OP_PAIR
               ? 2
               : op == ISA_OP_MAP || op == ISA_OP_ITEM || op == ISA_OP_ITEM_I ||
                     op == ISA_OP_ITEM_B || op == ISA_OP_ROW;
}

/* Whether an opcode carries tokens between machines: SEND, RECV and AWAIT. They do not count as
 * firings of the program. */
static inline bool isa_op_carries(enum isa_op op)
{
    return op == ISA_OP_SEND || isa_op_receives(op);
}

/* Whether an opcode belongs to tag tracking, which finds on each machine which tags exist. */
static inline bool isa_op_tracks(enum isa_op op)
{
    return op >= ISA_OP_TRACK_MERGE && op <= ISA_OP_TRACK_NEXT;
}

/* Whether an opcode is one that partitioning adds to a program. */
static inline bool isa_op_divides(enum isa_op op)
{
    return isa_op_carries(op) || isa_op_tracks(op);
}

/* Whether an opcode takes a token that no arc brings, but an APPLY or another machine. */
static inline bool isa_op_is_fed(enum isa_op op)
{
    return op == ISA_OP_PARAM || isa_op_receives(op);
}

/* Whether an opcode makes an array that accumulates (isa/exec/accumulator.h). */
static inline bool isa_op_accumulates(enum isa_op op)
{
    return op >= ISA_OP_ACCUMULATE_ADD && op <= ISA_OP_ACCUMULATE_XOR;
}

/* Whether an opcode makes an array of unwritten elements, as many as its operand says. */
static inline bool isa_op_allocates(enum isa_op op)
{
    return op == ISA_OP_ALLOC || isa_op_accumulates(op);
}

/* Whether an opcode makes an array. The array of a PORT is made when the run starts. */
static inline bool isa_op_makes_array(enum isa_op op)
{
    return isa_op_allocates(op) || op == ISA_OP_ROW || op == ISA_OP_OPEN ||
           op == ISA_OP_PORT || op == ISA_OP_GIVEN;
}

/* One row of isa/ops.def, which explains the letters of `in` and `out`. */
struct isa_op_info {
    const char *name; /* name in C without its prefix: "ADD_I" */
    const char *text;
    const char *label;
    const char *in, *out;
    enum isa_attributes attributes;
    enum isa_unit unit;
    enum isa_effect effect;
    const char *help;
};

extern const struct isa_op_info isa_op_table[ISA_OP_COUNT];

/* Whether assembly spells an opcode with a type after a dot, as "switch.real". */
bool isa_op_is_typed(enum isa_op op);

/* Whether instructions of an opcode with a type (isa_op_is_typed) can have the type `type`. */
bool isa_op_takes_type(enum isa_op op, enum isa_type type);

bool isa_op_has_site(enum isa_op op);

/* Returns the word that assembly writes before an instruction's index: "param", "part", "cell",
 * ...; or NULL if instructions of the opcode have no index. */
const char *isa_op_index_word(enum isa_op op);

/* Whether an instruction takes a control token. Such an instruction is part of a call, and fires
 * under the tag of the called activation. */
bool isa_op_takes_control(enum isa_op op);

/* Return the number of operands and of output lists. For APPLY both are 0: it has the operands and
 * output lists of its callee. */
int isa_op_operands(enum isa_op op);
int isa_op_outputs(enum isa_op op);

/* Returns the opcode that assembly spells `text`, or ISA_OP_NONE. Sets *type if `text` contains a
 * type, as "switch.real". */
enum isa_op isa_op_find(const char *text, enum isa_type *type);

/* Return the type of values that operand `port` takes and that list `output` sends. `type` is the
 * type of the instruction. Control tokens and triggers count as bool. */
enum isa_type isa_op_operand_type(enum isa_op op, int port, enum isa_type type);
enum isa_type isa_op_output_type(enum isa_op op, int output, enum isa_type type);

const char *isa_unit_name(enum isa_unit unit);

#endif
