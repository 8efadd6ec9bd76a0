#include "isa/op.h"

#include <string.h>

const struct isa_op_info isa_op_table[ISA_OP_COUNT] = {
#define OP(NAME, text, label, in, out, attributes, unit, effect, stands, takes, tag,     \
           sends, dead, refers, access, help)                                            \
    {#NAME,                                                                              \
     text,                                                                               \
     label,                                                                              \
     in,                                                                                 \
     out,                                                                                \
     ISA_ATTR_##attributes,                                                              \
     ISA_UNIT_##unit,                                                                    \
     ISA_EFFECT_##effect,                                                                \
     help},
#include "isa/ops.def"
#undef OP
};

bool isa_op_is_typed(enum isa_op op)
{
    const struct isa_op_info *info = &isa_op_table[op];
    return strpbrk(info->in, "ta&") || strpbrk(info->out, "ta&");
}

bool isa_op_takes_type(enum isa_op op, enum isa_type type)
{
    const struct isa_op_info *info = &isa_op_table[op];
    const bool of_elements = strpbrk(info->in, "a&") || strpbrk(info->out, "a&");
    switch (op) {
    case ISA_OP_ROW: /* the elements of tensors are scalars */
    case ISA_OP_GIVEN:
    case ISA_OP_CONTRIBUTE:
    case ISA_OP_TOTAL:
        return type == ISA_INT || type == ISA_REAL || type == ISA_BOOL;
    case ISA_OP_ACCUMULATE_ADD:
    case ISA_OP_ACCUMULATE_MIN:
    case ISA_OP_ACCUMULATE_MAX:
        return type == ISA_INT || type == ISA_REAL;
    case ISA_OP_ACCUMULATE_AND:
    case ISA_OP_ACCUMULATE_OR:
    case ISA_OP_ACCUMULATE_XOR:
        return type == ISA_INT || type == ISA_BOOL;
    default:
        break;
    }
    return isa_type_is_good(type) && (!of_elements || isa_type_can_be_element(type));
}

bool isa_op_has_site(enum isa_op op)
{
    enum isa_attributes a = isa_op_table[op].attributes;
    return a == ISA_ATTR_SITE || a == ISA_ATTR_SITE_PARAM || a == ISA_ATTR_SITE_PART ||
           a == ISA_ATTR_SITE_HELD;
}

const char *isa_op_index_word(enum isa_op op)
{
    switch (isa_op_table[op].attributes) {
    case ISA_ATTR_NONE:
    case ISA_ATTR_SITE:
        return NULL;
    case ISA_ATTR_PARAM:
    case ISA_ATTR_SITE_PARAM:
        return "param";
    case ISA_ATTR_CELL:
        return "cell";
    case ISA_ATTR_KERNEL:
        return "kernel";
    case ISA_ATTR_CONSTANT:
        return "constant";
    case ISA_ATTR_CHANNEL:
        return "channel";
    case ISA_ATTR_ARRAY:
        return "array";
    case ISA_ATTR_CONSTRUCTOR:
        return "constructor";
    case ISA_ATTR_FIELD:
        return "field";
    default:
        return "part";
    }
}

bool isa_op_takes_control(enum isa_op op)
{
    return strchr(isa_op_table[op].in, 'c') != NULL;
}

int isa_op_operands(enum isa_op op)
{
    const char *in = isa_op_table[op].in;
    return *in == '*' ? 0 : (int)strlen(in);
}

int isa_op_outputs(enum isa_op op)
{
    const char *out = isa_op_table[op].out;
    return *out == '*' || *out == '-' ? 0 : (int)strlen(out);
}

enum isa_op isa_op_find(const char *text, enum isa_type *type)
{
    for (int op = 0; op < ISA_OP_COUNT; op++) {
        const char *name = isa_op_table[op].text;
        if (!isa_op_is_typed((enum isa_op)op)) {
            if (strcmp(text, name) == 0)
                return (enum isa_op)op;
            continue;
        }
        size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && text[length] == '.' &&
            isa_type_find(text + length + 1, type) &&
            isa_op_takes_type((enum isa_op)op, *type))
            return (enum isa_op)op;
    }
    return ISA_OP_NONE;
}

static enum isa_type letter_type(char letter, enum isa_type type)
{
    switch (letter) {
    case 'i':
        return ISA_INT;
    case 'r':
        return ISA_REAL;
    case 'T':
        return ISA_TENSOR;
    case 'D':
        return ISA_DATA;
    case 't':
    case 'v':
        return type;
    case 'a':
        return isa_type_array_of(type);
    case '&':
        return isa_type_address_of(type);
    default:
        return ISA_BOOL;
    }
}

enum isa_type isa_op_operand_type(enum isa_op op, int port, enum isa_type type)
{
    return letter_type(isa_op_table[op].in[port], type);
}

enum isa_type isa_op_output_type(enum isa_op op, int output, enum isa_type type)
{
    return letter_type(isa_op_table[op].out[output], type);
}

const char *isa_unit_name(enum isa_unit unit)
{
    static const char *const names[ISA_UNIT_COUNT] = {
#define UNIT(NAME, text, help) text,
        ISA_UNITS(UNIT)
#undef UNIT
    };
    return names[unit];
}
