/* Effects of opcodes on tokens, tags, references and memory: columns of isa/ops.def, which explains
 * their values. */
#ifndef ISA_OP_COLUMNS_H
#define ISA_OP_COLUMNS_H

#include "isa/op.h"

/* Where an opcode may occur. */
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
    /* For this and the following values, firing the instruction may make the activation. */
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
    ISA_ACCESS_ELEMENT = 4, /* where the element or field is */
    ISA_ACCESS_FIELD = 8,
    ISA_ACCESS_READS_CELL = ISA_ACCESS_READS,
    ISA_ACCESS_WRITES_CELL = ISA_ACCESS_WRITES,
    ISA_ACCESS_READS_ELEMENT = ISA_ACCESS_READS | ISA_ACCESS_ELEMENT,
    ISA_ACCESS_WRITES_ELEMENT = ISA_ACCESS_WRITES | ISA_ACCESS_ELEMENT,
    ISA_ACCESS_READS_FIELD = ISA_ACCESS_READS_ELEMENT | ISA_ACCESS_FIELD,
    ISA_ACCESS_WRITES_FIELD = ISA_ACCESS_WRITES_ELEMENT | ISA_ACCESS_FIELD,
};

struct isa_op_does {
    uint8_t attributes, stands, takes, tag, sends, dead, refers, access;
};

/* Columns of isa/ops.def for each opcode. The table is in this header, so that its entries are
 * compile-time constants wherever an engine knows the opcode. */
static const struct isa_op_does isa_op_does[ISA_OP_COUNT] = {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, refers, access, help)                                            \
    {ISA_ATTR_##attributes,  ISA_STANDS_##stands, ISA_TAKES_##takes,                     \
     ISA_UNDER_##tag,        ISA_SENDS_##sends,   ISA_DEAD_##dead,                       \
     ISA_REFERENCE_##refers, ISA_ACCESS_##access},
#include "isa/ops.def"
#undef OP
};

/* Whether an opcode sends to an activation that it may have to make first. */
static inline bool isa_op_makes_tag(enum isa_op op)
{
    return isa_op_does[op].tag >= ISA_UNDER_CALLEE;
}

/* Whether an opcode sends a value into a call, or into iteration 0 of a loop: CALL and ENTER. */
static inline bool isa_op_brings_in(enum isa_op op)
{
    return isa_op_does[op].attributes == ISA_ATTR_SITE_PARAM &&
           isa_op_does[op].dead == ISA_DEAD_SITE;
}

/* The following predicates are switches, as they are called for every token: compilers turn
 * switches into comparisons even if the opcode is not a constant. */

/* Whether an opcode sends a result out of its call or loop: RETURN and EXIT. If the call is not
 * made or the loop not entered, a single dead token reaches operand 1 of the instruction, under the
 * tag of the caller. */
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

/* Whether an opcode has two arcs to one operand, and fires on one of their two tokens: MERGEIF. */
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

/* Whether an opcode reads or writes an array element or a field of data, where that is. */
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

/* Whether an opcode reads or writes a field of data. */
static inline bool isa_op_accesses_field(enum isa_op op)
{
    return op == ISA_OP_FILL || op == ISA_OP_FIELD;
}

/* Whether an opcode writes a cell, an element or a field, for which reads may wait. */
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

/* Whether an opcode takes or makes a tensor. Some of these opcodes do not execute on a unit
 * TENSOR. */
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

#endif
