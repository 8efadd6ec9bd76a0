/* Opcodes: what isa/ops.def says, as C. */
#ifndef ISA_OP_H
#define ISA_OP_H

#include "isa/value.h"

#include <stdbool.h>
#include <stddef.h>

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
    UNIT(MEMORY, "memory", "reading and writing of cells and elements")

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

/* What an instruction names besides its operands. */
enum isa_attributes {
    ISA_ATTR_NONE,
    ISA_ATTR_SITE,
    ISA_ATTR_SITE_PARAM,
    ISA_ATTR_SITE_PART,
    ISA_ATTR_SITE_HELD, /* the number of a constant; written as a part */
    ISA_ATTR_CELL,
    ISA_ATTR_PARAM,
    ISA_ATTR_PART,
};

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

/* Whether an instruction of a typed opcode can have that type of its own. */
bool isa_op_takes_type(enum isa_op op, enum isa_type type);

/* Whether an instruction names a site. */
bool isa_op_has_site(enum isa_op op);

/* What it calls the number that it names besides, or of a cell: "param", "part", "cell";
 * NULL: none. */
const char *isa_op_index_word(enum isa_op op);

/* Number of operands and of output lists; APPLY, which has as many as its function,
 * gives 0. */
int isa_op_operands(enum isa_op op);
int isa_op_outputs(enum isa_op op);

/* Finds "add.int", or "switch.real" with its type. ISA_OP_NONE: no such opcode. */
enum isa_op isa_op_find(const char *text, enum isa_type *type);

/* The type of values that operand `port` takes, or that list `output` sends; `type` is
 * the instruction's own. Control and triggers count as bool. */
enum isa_type isa_op_operand_type(enum isa_op op, int port, enum isa_type type);
enum isa_type isa_op_output_type(enum isa_op op, int output, enum isa_type type);

const char *isa_unit_name(enum isa_unit unit);

#endif
