#include "isa/kernel_use.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Name of each use in assembly, in capitals. */
static const char *const names[ISA_USE_END] = {
#define KERNEL(NAME, ...) [ISA_KERNEL_##NAME] = #NAME,
#include "isa/tensor/kernels.def"
#undef KERNEL
#define FILL(NAME, text) [ISA_USE_##NAME] = #NAME,
    ISA_FILLS(FILL)
#undef FILL
        [ISA_USE_LIFT] = "LIFT",
    [ISA_USE_DROP] = "DROP",
};

static bool is_use(unsigned use)
{
    return use < ISA_USE_END && names[use];
}

/* Operands and axis of a use. */
struct takes {
    int least, most; /* min and max number of operands */
    bool can_have_axis, needs_axis;
};

static struct takes takes_of(unsigned use)
{
    switch (use) {
    case ISA_USE_ZEROS:
    case ISA_USE_ONES:
        return (struct takes){1, 1, false, false};
    case ISA_USE_NORMAL:
    case ISA_USE_UNIFORM:
        return (struct takes){2, 2, false, false};
    case ISA_USE_LIFT:
    case ISA_USE_DROP:
    case ISA_KERNEL_CUMSUM:
    case ISA_KERNEL_CUMSUM_BACK:
        return (struct takes){1, 1, true, true};
    case ISA_KERNEL_CONCAT:
    case ISA_KERNEL_SLICE:
    case ISA_KERNEL_TOP_VALUES:
    case ISA_KERNEL_TOP_INDICES:
    case ISA_KERNEL_STACK:
    case ISA_KERNEL_SPLIT:
    case ISA_KERNEL_PART:
    case ISA_KERNEL_PAD:
    case ISA_KERNEL_PAD_WITH:
        return (struct takes){2, 2, true, true};
    case ISA_KERNEL_GATHER:
    case ISA_KERNEL_RESHAPE:
    case ISA_KERNEL_CROSS_ENTROPY_AT:
    case ISA_KERNEL_ONE_HOT:
    case ISA_KERNEL_SCATTER:
    case ISA_KERNEL_UNTRANSPOSE:
    case ISA_KERNEL_ONE_HOTS:
    case ISA_KERNEL_SUM_TO:
    case ISA_KERNEL_SPREAD_TO:
    case ISA_KERNEL_SPREAD_LAST_TO:
    case ISA_KERNEL_RANDOM_UNIFORM:
    case ISA_KERNEL_RANDOM_NORMAL:
        return (struct takes){2, 2, false, false};
    case ISA_KERNEL_REDUCE_SUM:
    case ISA_KERNEL_REDUCE_MAX:
    case ISA_KERNEL_REDUCE_MIN:
    case ISA_KERNEL_FIRST_MAX:
    case ISA_KERNEL_ARGMAX:
    case ISA_KERNEL_REDUCE_MEAN:
        return (struct takes){1, 1, true, false};
    case ISA_KERNEL_TRANSPOSE:
        return (struct takes){1, 2, false, false};
    default: {
        /* three operands: two in a pair */
        const int arity = isa_kernels[use].arity > 1 ? 2 : 1;
        return (struct takes){arity, arity, false, false};
    }
    }
}

bool isa_use_takes(uint32_t index, int operands)
{
    const unsigned use = isa_use_of(index);
    if (!is_use(use))
        return false;
    const struct takes takes = takes_of(use);
    const int axis = isa_use_axis(index);
    const bool is_random = use == ISA_USE_NORMAL || use == ISA_USE_UNIFORM;
    return operands >= takes.least && operands <= takes.most &&
           (axis == ISA_USE_NO_AXIS ? !takes.needs_axis
                                    : takes.can_have_axis && axis < ISA_RANK_MAX) &&
           (is_random || isa_use_number(index) == 0);
}

const char *isa_use_text(uint32_t index)
{
    const unsigned use = isa_use_of(index);
    switch (use) {
#define FILL(NAME, text)                                                                 \
    case ISA_USE_##NAME:                                                                 \
        return text;
        ISA_FILLS(FILL)
#undef FILL
    case ISA_USE_LIFT:
        return "lift";
    case ISA_USE_DROP:
        return "drop";
    default:
        return isa_kernels[use].text;
    }
}

void isa_use_write(uint32_t index, struct lib_text *out)
{
    for (const char *p = names[isa_use_of(index)]; *p; p++)
        lib_text_printf(out, "%c", tolower((unsigned char)*p));
    if (isa_use_axis(index) != ISA_USE_NO_AXIS)
        lib_text_printf(out, ".%d", isa_use_axis(index));
    if (isa_use_number(index))
        lib_text_printf(out, ".%u", isa_use_number(index));
}

static bool is_name(const char *text, size_t length, unsigned use)
{
    if (!is_use(use) || strlen(names[use]) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] != tolower((unsigned char)names[use][i]))
            return false;
    return true;
}

bool isa_use_read(const char *text, uint32_t *index)
{
    const size_t length = strcspn(text, ".");
    unsigned long number = 0;
    const bool has_number = text[length] == '.';
    if (has_number) {
        const char *digits = text + length + 1;
        char *end;
        if (!isdigit((unsigned char)*digits) || strlen(digits) > 5)
            return false;
        number = strtoul(digits, &end, 10);
        if (*end || number >= 1 << 16)
            return false;
    }
    for (unsigned use = 0; use < ISA_USE_END; use++)
        if (is_name(text, length, use)) {
            const bool is_axis = has_number && takes_of(use).can_have_axis;
            if (is_axis && number >= ISA_RANK_MAX)
                return false;
            *index = isa_use(use, is_axis ? (int)number : ISA_USE_NO_AXIS,
                             is_axis ? 0 : (uint32_t)number);
            return true;
        }
    return false;
}
