/* Declarations shared by rule.c, rule_index.c and rule_extents.c, which have the rules for shapes.
 * A rule is a function that checks the extents of the operands and the integer arguments of a
 * kernel, and sets the extents of the result. It returns false and adds the reason to `why` if an
 * extent or argument is invalid. */
#ifndef ISA_TENSOR_RULE_INTERNAL_H
#define ISA_TENSOR_RULE_INTERNAL_H

#include "isa/tensor/element.h"
#include "isa/tensor/kernel_internal.h"

#include <inttypes.h>

struct rule {
    enum isa_kernel kernel;
    const struct isa_shape *a, *b, *c;
    struct isa_numbers numbers;
    struct isa_shape *result;
    struct lib_text *why;
};

/* Appends the start of a message: "`matmul` of real[2, 3] and real[4, 5]: ". */
static inline void name_both(const struct rule *rule)
{
    const struct isa_shape *const operands[] = {rule->a, rule->b, rule->c};
    isa_kernel_write(rule->why, rule->kernel, operands);
}

/* Adds the operands and a formatted reason to the message `why`. Always returns false. */
static inline bool __attribute__((format(printf, 2, 3)))
refuse(const struct rule *rule, const char *format, ...)
{
    name_both(rule);
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(rule->why, format, ap);
    va_end(ap);
    return false;
}

/* Returns `holds`, whether the integer arguments are what the kernel takes. If false, adds a
 * message with what it takes, `expected`, such as "one axis". */
static inline bool needs_numbers(const struct rule *rule, bool holds,
                                 const char *expected)
{
    if (holds)
        return true;
    return refuse(rule, "it takes %s, and %zu whole number%s given", expected,
                  rule->numbers.count, rule->numbers.count == 1 ? " is" : "s are");
}

static inline bool takes_no_numbers(const struct rule *rule)
{
    return needs_numbers(rule, rule->numbers.count == 0, "no whole number");
}

/* Returns integer argument `i` of the kernel, or ISA_UNKNOWN. */
static inline int64_t number(const struct rule *rule, size_t i)
{
    return rule->numbers.items ? rule->numbers.items[i] : ISA_UNKNOWN;
}

static inline bool is_known(int64_t number)
{
    return number != ISA_UNKNOWN;
}

/* Whether two extents, which may be unknown, can be equal. */
static inline bool can_equal(int64_t a, int64_t b)
{
    return a == b || !is_known(a) || !is_known(b);
}

/* Returns the extent of two axes that are equal; one of them may be unknown. */
static inline int64_t both(int64_t a, int64_t b)
{
    return is_known(a) ? a : b;
}

/* Whether an extent is in range or unknown. If not, adds the reason to the message. */
static inline bool is_extent(const struct rule *rule, int64_t extent)
{
    if (!is_known(extent) || (extent >= 0 && extent <= ISA_EXTENT_MAX))
        return true;
    return refuse(rule, "%" PRId64 " is not an extent: expected 0 to %" PRId64, extent,
                  ISA_EXTENT_MAX);
}

/* Whether an axis is one of operand `a` or unknown. If not, adds the reason to the message. */
static inline bool is_axis(const struct rule *rule, int64_t axis)
{
    if (!is_known(axis) || (axis >= 0 && axis < rule->a->rank))
        return true;
    if (rule->a->rank == 0)
        return refuse(rule, "unknown axis %" PRId64 "; rank 0 has none", axis);
    return refuse(rule, "unknown axis %" PRId64 "; the axes are 0 to %d", axis,
                  rule->a->rank - 1);
}

/* Gives a shape `rank` axes with unknown extents. */
static inline void all_unknown(struct isa_shape *shape, unsigned rank)
{
    shape->rank = (uint8_t)rank;
    for (unsigned i = 0; i < rank; i++)
        shape->extents[i] = ISA_UNKNOWN;
}

static inline void drop(struct isa_shape *shape, unsigned axis)
{
    shape->rank--;
    for (unsigned i = axis; i < shape->rank; i++)
        shape->extents[i] = shape->extents[i + 1];
    shape->extents[shape->rank] = 0;
}

/* Rules defined in rule_index.c and rule_extents.c. */
#define ISA_RULES_ELSEWHERE(RULE)                                                        \
    RULE(IOTA)                                                                           \
    RULE(ALONG)                                                                          \
    RULE(TOP)                                                                            \
    RULE(STACK)                                                                          \
    RULE(SPLIT)                                                                          \
    RULE(PART)                                                                           \
    RULE(PAD)                                                                            \
    RULE(PAD_WITH)                                                                       \
    RULE(ONE_HOTS)                                                                       \
    RULE(SUM_TO)                                                                         \
    RULE(SPREAD_TO)                                                                      \
    RULE(SPREAD_LAST_TO)                                                                 \
    RULE(RANDOM_BITS)                                                                    \
    RULE(RANDOM)                                                                         \
    RULE(DROPOUT)

#define RULE(NAME) bool isa_rule_##NAME(const struct rule *rule);
ISA_RULES_ELSEWHERE(RULE)
#undef RULE

#endif
