#include "isa/tensor/element.h"

const struct isa_element_rule *isa_kernel_elements(enum isa_kernel kernel)
{
    static const struct isa_element_rule rules[] = {
#define RULE(NAME, first, second, alike, result, given)                                  \
    [ISA_ELEMENTS_##NAME] = {ISA_OF_##first, ISA_OF_##second, alike,                     \
                             ISA_RESULT_##result, ISA_ELEMENT_##given},
        ISA_ELEMENT_RULES(RULE)
#undef RULE
    };
    static const uint8_t of[ISA_KERNEL_COUNT] = {
#define KERNEL(NAME, text, arity, elements, ...)                                         \
    [ISA_KERNEL_##NAME] = ISA_ELEMENTS_##elements,
#include "isa/tensor/kernels.def"
#undef KERNEL
    };
    return &rules[of[kernel]];
}

void isa_elements_write(struct lib_text *out, unsigned set)
{
    /* Numbers first, the widest last. */
    static const enum isa_element_kind order[] = {ISA_ELEMENT_BOOL, ISA_ELEMENT_INT,
                                                  ISA_ELEMENT_REAL, ISA_ELEMENT_REAL32};
    const char *between = "";
    for (unsigned i = 0; i < ISA_ELEMENT_COUNT; i++) {
        if (!(set & 1u << order[i]))
            continue;
        set &= ~(1u << order[i]);
        lib_text_printf(out, "%s%s", between, isa_element_name(order[i]));
        between = (set & (set - 1)) ? ", " : " or ";
    }
}

void isa_kernel_write(struct lib_text *out, enum isa_kernel kernel,
                      const struct isa_shape *const operands[])
{
    lib_text_printf(out, "`%s` of ", isa_kernels[kernel].text);
    isa_shape_write(out, operands[0]);
    for (int i = 1; i < isa_kernels[kernel].arity; i++) {
        lib_text_puts(out, i + 1 < isa_kernels[kernel].arity ? ", " : " and ");
        isa_shape_write(out, operands[i]);
    }
    lib_text_puts(out, ": ");
}

static bool refuse(enum isa_kernel kernel, const struct isa_shape *const operands[],
                   const char *what, unsigned set, struct lib_text *why)
{
    isa_kernel_write(why, kernel, operands);
    lib_text_printf(why, "%s ", what);
    isa_elements_write(why, set);
    return false;
}

bool isa_kernel_element(enum isa_kernel kernel, const struct isa_shape *const operands[],
                        enum isa_element_kind *result, struct lib_text *why)
{
    const struct isa_element_rule *rule = isa_kernel_elements(kernel);
    const bool two = isa_kernels[kernel].arity >= 2;
    const enum isa_element_kind a = operands[0]->element;
    const enum isa_element_kind b = two ? operands[1]->element : a;
    if (two && rule->alike && a != b) {
        isa_kernel_write(why, kernel, operands);
        lib_text_printf(why, "one has elements of %s, the other of %s",
                        isa_element_name(a), isa_element_name(b));
        return false;
    }
    if (!(rule->first & 1u << a))
        return refuse(kernel, operands,
                      rule->alike || !two ? "it takes elements of"
                                          : "the first takes elements of",
                      rule->first, why);
    if (two && !(rule->second & 1u << b))
        return refuse(kernel, operands, "the second takes elements of", rule->second,
                      why);
    switch ((enum isa_element_result)rule->result) {
    case ISA_RESULT_FIRST:
        *result = a;
        break;
    case ISA_RESULT_SECOND:
        *result = b;
        break;
    case ISA_RESULT_TRUTH:
        *result = isa_element_is_real(a) ? a : ISA_ELEMENT_BOOL;
        break;
    case ISA_RESULT_GIVEN:
        *result = (enum isa_element_kind)rule->given;
        break;
    }
    return true;
}
