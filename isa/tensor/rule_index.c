/* Rules of kernels that count, choose and place along an axis (isa/tensor/index.c). */
#include "isa/tensor/rule_internal.h"

/* The result is a vector of a given length; the shape of the operand does not matter. */
bool isa_rule_IOTA(const struct rule *rule)
{
    *rule->result = isa_shape_scalar(ISA_ELEMENT_INT);
    all_unknown(rule->result, 1);
    if (!needs_numbers(rule, rule->numbers.count == 1, "how many elements there are"))
        return false;
    rule->result->extents[0] = number(rule, 0);
    return is_extent(rule, number(rule, 0));
}

bool isa_rule_ALONG(const struct rule *rule)
{
    *rule->result = *rule->a;
    return needs_numbers(rule, rule->numbers.count == 1, "an axis") &&
           is_axis(rule, number(rule, 0));
}

bool isa_rule_TOP(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!needs_numbers(rule, rule->numbers.count == 2, "an axis and how many"))
        return false;
    const int64_t axis = number(rule, 0), count = number(rule, 1);
    if (!is_axis(rule, axis) || !is_extent(rule, count))
        return false;
    if (!is_known(axis)) {
        all_unknown(rule->result, rule->a->rank);
        return true;
    }
    const int64_t extent = rule->a->extents[axis];
    rule->result->extents[axis] = count;
    if (is_known(count) && is_known(extent) && count > extent)
        return refuse(rule,
                      "%" PRId64 " are asked for of axis %" PRId64 ", which has %" PRId64,
                      count, axis, extent);
    return true;
}

/* The result has one more axis, of extent 2. */
bool isa_rule_STACK(const struct rule *rule)
{
    const struct isa_shape *a = rule->a, *b = rule->b;
    *rule->result = *a;
    if (!needs_numbers(rule, rule->numbers.count == 1, "an axis"))
        return false;
    const int64_t axis = number(rule, 0);
    if (!isa_shape_agrees(a, b))
        return refuse(rule, "the shapes differ");
    if (a->rank == ISA_RANK_MAX)
        return refuse(rule, "the result has more than %d axes", ISA_RANK_MAX);
    if (is_known(axis) && (axis < 0 || axis > a->rank))
        return refuse(rule,
                      "unknown axis %" PRId64 "; the axes of the result are 0 to %d",
                      axis, a->rank);
    all_unknown(rule->result, a->rank + 1u);
    for (unsigned i = 0, from = 0; is_known(axis) && i <= a->rank; i++) {
        rule->result->extents[i] = i == axis ? 2
                                             : both(a->extents[from], b->extents[from]);
        from += i != axis;
    }
    return true;
}

/* Finds the axis, which may be unknown, and checks that the requested part is below `parts`. */
static bool find_part(const struct rule *rule, int64_t parts, int64_t *axis)
{
    const int64_t part = number(rule, 1);
    *rule->result = *rule->a;
    *axis = number(rule, 0);
    if (!is_axis(rule, *axis))
        return false;
    if (!is_known(*axis))
        all_unknown(rule->result, rule->a->rank);
    if (!is_known(parts))
        return true;
    if (parts < 1)
        return refuse(rule, "%" PRId64 " parts are asked for", parts);
    return !is_known(part) || (part >= 0 && part < parts) ||
           refuse(rule, "unknown part %" PRId64 " of %" PRId64, part, parts);
}

bool isa_rule_SPLIT(const struct rule *rule)
{
    int64_t axis;
    const int64_t parts = rule->numbers.count > 2 ? number(rule, 2) : 0;
    if (!needs_numbers(rule, rule->numbers.count == 3,
                       "an axis, which part, and how many there are") ||
        !find_part(rule, parts, &axis))
        return false;
    if (!is_known(axis))
        return true;
    const int64_t extent = rule->a->extents[axis];
    const bool is_open = !is_known(extent) || !is_known(parts);
    rule->result->extents[axis] = is_open ? ISA_UNKNOWN : extent / parts;
    return is_open || extent % parts == 0 ||
           refuse(rule,
                  "axis %" PRId64 " has %" PRId64 ", which is not a multiple of %" PRId64,
                  axis, extent, parts);
}

bool isa_rule_PART(const struct rule *rule)
{
    int64_t axis, sum = 0;
    const size_t count = rule->numbers.count;
    if (!needs_numbers(rule, count > 2, "an axis, which part, and the extent of each") ||
        !find_part(rule, (int64_t)count - 2, &axis))
        return false;
    for (size_t i = 2; i < count; i++) {
        if (!is_extent(rule, number(rule, i)))
            return false;
        sum = is_known(number(rule, i)) && is_known(sum) ? sum + number(rule, i)
                                                         : ISA_UNKNOWN;
    }
    if (!is_known(axis))
        return true;
    const int64_t part = number(rule, 1), extent = rule->a->extents[axis];
    rule->result->extents[axis] = is_known(part) ? number(rule, (size_t)part + 2)
                                                 : ISA_UNKNOWN;
    return can_equal(sum, extent) ||
           refuse(rule,
                  "the parts have %" PRId64 " in all, and axis %" PRId64 " has %" PRId64,
                  sum, axis, extent);
}

bool isa_rule_PAD(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!needs_numbers(rule, rule->numbers.count == 3,
                       "an axis, and how many before and after"))
        return false;
    const int64_t axis = number(rule, 0), before = number(rule, 1),
                  after = number(rule, 2);
    if (!is_axis(rule, axis) || !is_extent(rule, before) || !is_extent(rule, after))
        return false;
    if (!is_known(axis)) {
        all_unknown(rule->result, rule->a->rank);
        return true;
    }
    int64_t *extent = &rule->result->extents[axis];
    *extent = is_known(*extent) && is_known(before) && is_known(after)
                  ? before + *extent + after
                  : ISA_UNKNOWN;
    return is_extent(rule, *extent);
}

bool isa_rule_PAD_WITH(const struct rule *rule)
{
    if (rule->b->rank > 0)
        return refuse(rule, "the second has rank %d, and is one element", rule->b->rank);
    return isa_rule_PAD(rule);
}

bool isa_rule_ONE_HOTS(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!needs_numbers(rule, rule->numbers.count == 1, "how many classes there are"))
        return false;
    if (rule->a->rank == ISA_RANK_MAX)
        return refuse(rule, "the result has more than %d axes", ISA_RANK_MAX);
    const int64_t classes = number(rule, 0);
    rule->result->extents[rule->result->rank++] = classes;
    if (classes == 0)
        return refuse(rule, "expected at least one class");
    return is_extent(rule, classes);
}
