/* Rules for the extents of results (column `rule` of isa/tensor/kernels.def). */
#include "isa/tensor/rule_internal.h"

#include <string.h>

static bool rule_SAME(const struct rule *rule)
{
    *rule->result = *rule->a;
    return takes_no_numbers(rule);
}

/* Finds the extent of two broadcast axes: their extents must be equal, or one of them 1. */
static bool opposite(const struct rule *rule, int64_t a, int64_t b, int64_t *extent)
{
    if (a == 1 || b == 1) {
        *extent = a == 1 ? b : a;
        return true;
    }
    /* an unknown extent is 1, or equal to the other */
    *extent = both(a, b);
    if (can_equal(a, b))
        return true;
    return refuse(rule,
                  "opposite extents, counted from the last, must be equal, or one is 1; "
                  "here %" PRId64 " and %" PRId64,
                  a, b);
}

/* Broadcasts the first `rank_a` axes of a and `rank_b` axes of b (NumPy's rule). */
static bool broadcast(const struct rule *rule, unsigned rank_a, unsigned rank_b)
{
    const unsigned rank = rank_a > rank_b ? rank_a : rank_b;
    rule->result->rank = (uint8_t)rank;
    for (unsigned i = 1; i <= rank; i++) {
        const int64_t a = i <= rank_a ? rule->a->extents[rank_a - i] : 1;
        const int64_t b = i <= rank_b ? rule->b->extents[rank_b - i] : 1;
        if (!opposite(rule, a, b, &rule->result->extents[rank - i]))
            return false;
    }
    return true;
}

static bool rule_BROADCAST(const struct rule *rule)
{
    *rule->result = isa_shape_scalar(rule->a->element);
    return takes_no_numbers(rule) && broadcast(rule, rule->a->rank, rule->b->rank);
}

/* NumPy's matmul: the last axis of a meets the last but one of b; leading axes broadcast. A vector
 * is a row on the left and a column on the right, without an axis in the result. */
static bool rule_MATMUL(const struct rule *rule)
{
    const struct isa_shape *a = rule->a, *b = rule->b;
    struct isa_shape *result = rule->result;
    *result = isa_shape_scalar(a->element);
    if (!takes_no_numbers(rule))
        return false;
    if (a->rank == 0 || b->rank == 0)
        return refuse(rule, "a product of matrices needs at least one axis of each");
    const int64_t inner_a = a->extents[a->rank - 1];
    const int64_t inner_b = b->extents[b->rank == 1 ? 0 : b->rank - 2];
    if (!can_equal(inner_a, inner_b))
        return refuse(rule, "the inner extents differ: %" PRId64 " and %" PRId64, inner_a,
                      inner_b);
    if (!broadcast(rule, a->rank < 2 ? 0 : a->rank - 2, b->rank < 2 ? 0 : b->rank - 2))
        return false;
    if (a->rank > 1)
        result->extents[result->rank++] = a->extents[a->rank - 2];
    if (b->rank > 1)
        result->extents[result->rank++] = b->extents[b->rank - 1];
    return true;
}

/* Sets *axis to the axis that vanishes; the rank of a if all do; or ISA_UNKNOWN. */
static bool reduce(const struct rule *rule, int64_t *axis)
{
    *rule->result = *rule->a;
    *axis = rule->a->rank;
    if (!needs_numbers(rule, rule->numbers.count <= 1, "an axis at most"))
        return false;
    if (rule->numbers.count == 0) {
        *rule->result = isa_shape_scalar(rule->a->element);
        return true;
    }
    *axis = number(rule, 0);
    if (!is_axis(rule, *axis))
        return false;
    if (is_known(*axis))
        drop(rule->result, (unsigned)*axis);
    else if (rule->a->rank == 0)
        return refuse(rule, "rank 0 has no axis");
    else {
        *rule->result = isa_shape_scalar(rule->a->element);
        all_unknown(rule->result, rule->a->rank - 1u);
    }
    return true;
}

static bool rule_REDUCE(const struct rule *rule)
{
    int64_t axis;
    return reduce(rule, &axis);
}

static bool rule_REDUCE_SOME(const struct rule *rule)
{
    int64_t axis;
    if (!reduce(rule, &axis))
        return false;
    if (!is_known(axis))
        return true;
    for (unsigned i = 0; i < rule->a->rank; i++)
        if ((i == axis || axis == rule->a->rank) && rule->a->extents[i] == 0)
            return refuse(rule, "axis %u has no element", i);
    return true;
}

static bool has_last(const struct rule *rule)
{
    if (rule->a->rank > 0)
        return true;
    return refuse(rule, "rank 0 has no last axis");
}

static bool rule_LAST(const struct rule *rule)
{
    *rule->result = *rule->a;
    return takes_no_numbers(rule) && has_last(rule);
}

static bool rule_CROSS_ENTROPY(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!takes_no_numbers(rule) || !has_last(rule))
        return false;
    if (!isa_shape_agrees(rule->a, rule->b))
        return refuse(rule, "the shapes differ");
    for (unsigned i = 0; i < rule->a->rank; i++)
        rule->result->extents[i] = both(rule->a->extents[i], rule->b->extents[i]);
    if (rule->result->extents[rule->a->rank - 1] == 0)
        return refuse(rule, "the last axis has no element");
    drop(rule->result, rule->a->rank - 1u);
    return true;
}

static bool rule_CROSS_ENTROPY_AT(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!has_last(rule))
        return false;
    const int64_t classes = rule->a->extents[rule->a->rank - 1];
    drop(rule->result, rule->a->rank - 1u);
    if (rule->numbers.count == ISA_NUMBERS_UNKNOWN || !isa_shape_is_known(rule->a))
        return true;
    const uint64_t rows = isa_shape_count(rule->result);
    if (rows != rule->numbers.count)
        return refuse(rule, "there are %" PRIu64 " row%s, and %zu label%s", rows,
                      rows == 1 ? "" : "s", rule->numbers.count,
                      rule->numbers.count == 1 ? "" : "s");
    for (size_t i = 0; i < rule->numbers.count; i++) {
        const int64_t label = number(rule, i);
        if (is_known(label) && (label < 0 || label >= classes))
            return refuse(rule,
                          "label %" PRId64
                          " of row %zu is out of range; there are %" PRId64
                          " classes, from 0 on",
                          label, i, classes);
    }
    return true;
}

static bool rule_CONCAT(const struct rule *rule)
{
    const struct isa_shape *a = rule->a, *b = rule->b;
    struct isa_shape *result = rule->result;
    *result = *a;
    if (!needs_numbers(rule, rule->numbers.count == 1, "an axis"))
        return false;
    const int64_t axis = number(rule, 0);
    if (a->rank != b->rank)
        return refuse(rule, "the ranks differ: %d and %d", a->rank, b->rank);
    if (a->rank == 0)
        return refuse(rule, "rank 0 has no axis");
    if (!is_axis(rule, axis))
        return false;
    if (!is_known(axis)) {
        all_unknown(result, a->rank);
        return true;
    }
    for (unsigned i = 0; i < a->rank; i++) {
        if (i == axis) {
            const bool known = is_known(a->extents[i]) && is_known(b->extents[i]);
            result->extents[i] = known ? a->extents[i] + b->extents[i] : ISA_UNKNOWN;
            if (!is_extent(rule, result->extents[i]))
                return false;
            continue;
        }
        if (!can_equal(a->extents[i], b->extents[i]))
            return refuse(rule, "along axis %" PRId64 ", the extents of axis %u differ",
                          axis, i);
        result->extents[i] = both(a->extents[i], b->extents[i]);
    }
    return true;
}

static bool rule_SLICE(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!needs_numbers(rule, rule->numbers.count == 3, "an axis, the first and how many"))
        return false;
    const int64_t axis = number(rule, 0), first = number(rule, 1),
                  count = number(rule, 2);
    if (rule->a->rank == 0)
        return refuse(rule, "rank 0 has no axis");
    if (!is_axis(rule, axis) || !is_extent(rule, count))
        return false;
    if (is_known(first) && first < 0)
        return refuse(rule, "the first is %" PRId64 "; elements are counted from 0 on",
                      first);
    if (!is_known(axis)) {
        all_unknown(rule->result, rule->a->rank);
        return true;
    }
    const int64_t extent = rule->a->extents[axis];
    rule->result->extents[axis] = count;
    if (is_known(extent) && is_known(first) &&
        (first > extent || (is_known(count) && count > extent - first)))
        return refuse(rule,
                      "%" PRId64 " from %" PRId64 " on are asked for of axis %" PRId64
                      ", which has %" PRId64,
                      is_known(count) ? count : 0, first, axis, extent);
    return true;
}

static bool rule_GATHER(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (rule->a->rank == 0)
        return refuse(rule, "rank 0 has no rows");
    if (rule->numbers.count == ISA_NUMBERS_UNKNOWN) {
        rule->result->extents[0] = ISA_UNKNOWN;
        return true;
    }
    if (rule->numbers.count > (size_t)ISA_EXTENT_MAX)
        return refuse(rule, "%zu rows are too many", rule->numbers.count);
    rule->result->extents[0] = (int64_t)rule->numbers.count;
    const int64_t rows = rule->a->extents[0];
    for (size_t i = 0; rule->numbers.items && i < rule->numbers.count; i++) {
        const int64_t row = number(rule, i);
        if (is_known(row) && (row < 0 || (is_known(rows) && row >= rows)))
            return is_known(rows)
                       ? refuse(rule,
                                "row %" PRId64 " is out of range; there are %" PRId64
                                ", from 0 on",
                                row, rows)
                       : refuse(rule, "row %" PRId64 "; rows are counted from 0 on", row);
    }
    return true;
}

static bool rule_TRANSPOSE(const struct rule *rule)
{
    const unsigned rank = rule->a->rank;
    *rule->result = *rule->a;
    if (rule->numbers.count == 0) {
        for (unsigned i = 0; i < rank; i++)
            rule->result->extents[i] = rule->a->extents[rank - 1 - i];
        return true;
    }
    if (!needs_numbers(rule, rule->numbers.count == rank, "each axis once, or nothing"))
        return false;
    unsigned seen = 0;
    for (unsigned i = 0; i < rank; i++) {
        const int64_t axis = isa_axis_from_end(number(rule, i), rank);
        if (!is_axis(rule, axis))
            return false;
        if (is_known(axis) && (seen >> axis & 1))
            return refuse(rule, "axis %" PRId64 " is named twice", axis);
        if (is_known(axis))
            seen |= 1u << axis;
        rule->result->extents[i] = is_known(axis) ? rule->a->extents[axis] : ISA_UNKNOWN;
    }
    return true;
}

/* Fills in the extent that was given as -1. */
static bool left_over(const struct rule *rule, int64_t *open, uint64_t count,
                      uint64_t product)
{
    if (product == 0 || count % product != 0)
        return refuse(rule, "%" PRIu64 " elements are not a multiple of %" PRIu64, count,
                      product);
    if (count / product > (uint64_t)ISA_EXTENT_MAX)
        return refuse(rule, "the extent that is left is too large");
    *open = (int64_t)(count / product);
    return true;
}

static bool rule_RESHAPE(const struct rule *rule)
{
    struct isa_shape *result = rule->result;
    *result = isa_shape_scalar(rule->a->element);
    if (!needs_numbers(rule, rule->numbers.count <= ISA_RANK_MAX, "4 extents at most"))
        return false;
    result->rank = (uint8_t)rule->numbers.count;
    int64_t *open = NULL;
    for (unsigned i = 0; i < result->rank; i++) {
        const int64_t extent = number(rule, i);
        result->extents[i] = extent;
        if (extent == -1 && open)
            return refuse(rule, "two extents are -1; one can be what is left");
        if (extent == -1)
            open = &result->extents[i];
        else if (!is_extent(rule, extent))
            return false;
    }
    if (open)
        *open = 1;
    if (!isa_shape_is_known(rule->a) || !isa_shape_is_known(result)) {
        if (open)
            *open = ISA_UNKNOWN;
        return true;
    }
    const uint64_t count = isa_shape_count(rule->a), product = isa_shape_count(result);
    if (open)
        return left_over(rule, open, count, product);
    if (count == product)
        return true;
    name_both(rule);
    isa_shape_write(rule->why, result);
    lib_text_printf(rule->why, " has %" PRIu64 " elements, and there are %" PRIu64,
                    product, count);
    return false;
}

/* b broadcasts to a. */
static bool rule_SUM_LIKE(const struct rule *rule)
{
    const struct isa_shape *a = rule->a, *b = rule->b;
    *rule->result = *b;
    if (!takes_no_numbers(rule))
        return false;
    bool fits = b->rank <= a->rank;
    for (unsigned i = 1; fits && i <= b->rank; i++)
        fits = b->extents[b->rank - i] == 1 ||
               can_equal(a->extents[a->rank - i], b->extents[b->rank - i]);
    return fits || refuse(rule, "the second does not broadcast to the first");
}

static bool rule_RESHAPE_LIKE(const struct rule *rule)
{
    *rule->result = *rule->b;
    if (!takes_no_numbers(rule))
        return false;
    return !isa_shape_is_known(rule->a) || !isa_shape_is_known(rule->b) ||
           isa_shape_count(rule->a) == isa_shape_count(rule->b) ||
           refuse(rule, "the numbers of elements differ");
}

/* Computes the shape of the gradient of the other operand from a product y and one operand x. */
static bool turned(const struct rule *rule, const struct isa_shape *y,
                   const struct isa_shape *x, bool is_left)
{
    struct isa_shape *result = rule->result;
    *result = isa_shape_scalar(y->element);
    if (!takes_no_numbers(rule))
        return false;
    const bool other = isa_product_has_other(y, x);
    const unsigned own = x->rank > 1, inner = own + other;
    if (x->rank == 0 || y->rank < inner)
        return refuse(rule, "these are not a product and its operand");
    const int64_t shared = own ? y->extents[y->rank - 1 - (is_left ? 0 : other)] : 1;
    const int64_t met = own ? x->extents[is_left ? x->rank - 1 : x->rank - 2] : 1;
    if (!can_equal(shared, met))
        return refuse(rule,
                      "extents of the product and its operand differ: %" PRId64
                      " and %" PRId64,
                      shared, met);
    const struct rule fronts = {rule->kernel,  is_left ? y : x, is_left ? x : y, NULL,
                                rule->numbers, result,          rule->why};
    const unsigned front_y = y->rank - inner, front_x = own ? x->rank - 2u : 0;
    if ((front_y > front_x ? front_y : front_x) + 1u + other > ISA_RANK_MAX)
        return refuse(rule, "the result has more than 4 axes");
    if (!broadcast(&fronts, is_left ? front_y : front_x, is_left ? front_x : front_y))
        return false;
    const int64_t kept = x->extents[!own ? 0 : is_left ? x->rank - 2 : x->rank - 1];
    const int64_t outer = other ? y->extents[y->rank - 1 - (is_left ? own : 0)] : 0;
    if (other && is_left)
        result->extents[result->rank++] = outer;
    result->extents[result->rank++] = kept;
    if (other && !is_left)
        result->extents[result->rank++] = outer;
    return true;
}

static bool rule_MATMUL_LEFT(const struct rule *rule)
{
    return turned(rule, rule->a, rule->b, true);
}

static bool rule_MATMUL_RIGHT(const struct rule *rule)
{
    return turned(rule, rule->b, rule->a, false);
}

static bool rule_SUM_LAST(const struct rule *rule)
{
    if (!rule_LAST(rule))
        return false;
    drop(rule->result, rule->a->rank - 1u);
    return true;
}

static bool rule_SPREAD_LAST(const struct rule *rule)
{
    struct isa_shape front = *rule->b;
    *rule->result = *rule->b;
    if (!takes_no_numbers(rule))
        return false;
    if (front.rank > 0)
        drop(&front, front.rank - 1u);
    return (rule->b->rank > 0 && isa_shape_agrees(rule->a, &front)) ||
           refuse(rule, "the second does not have one more last axis");
}

static bool rule_ONE_HOT(const struct rule *rule)
{
    if (!rule_CROSS_ENTROPY_AT(rule))
        return false;
    *rule->result = *rule->a;
    return true;
}

static bool rule_FIRST_MAX(const struct rule *rule)
{
    if (!rule_REDUCE_SOME(rule))
        return false;
    *rule->result = *rule->a;
    return true;
}

static bool rule_SCATTER(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (rule->a->rank == 0)
        return refuse(rule, "rank 0 has no rows");
    rule->result->extents[0] = ISA_UNKNOWN;
    if (rule->numbers.count == ISA_NUMBERS_UNKNOWN)
        return true;
    if (rule->numbers.count == 0)
        return refuse(rule, "it takes how many rows the result has, and rows");
    const int64_t rows = number(rule, 0), count = (int64_t)rule->numbers.count - 1;
    rule->result->extents[0] = rows;
    if (!is_extent(rule, rows))
        return false;
    if (!can_equal(count, rule->a->extents[0]))
        return refuse(rule, "%" PRId64 " rows are chosen for %" PRId64, count,
                      rule->a->extents[0]);
    for (size_t i = 1; i < rule->numbers.count; i++)
        if (is_known(number(rule, i)) &&
            (number(rule, i) < 0 || (is_known(rows) && number(rule, i) >= rows)))
            return refuse(rule, "row %" PRId64 " is out of range", number(rule, i));
    return true;
}

static bool rule_UNTRANSPOSE(const struct rule *rule)
{
    if (!needs_numbers(rule, rule->numbers.count > 0 || rule->a->rank == 0,
                       "each axis once") ||
        !rule_TRANSPOSE(rule))
        return false;
    *rule->result = *rule->a;
    all_unknown(rule->result, rule->a->rank);
    for (unsigned i = 0; i < rule->a->rank; i++)
        if (is_known(number(rule, i)))
            rule->result->extents[isa_axis_from_end(number(rule, i), rule->a->rank)] =
                rule->a->extents[i];
    return true;
}

static bool shares_element(const struct rule *rule, const struct isa_shape *other)
{
    if (rule->c->element == other->element)
        return true;
    return refuse(rule, "one has elements of %s, the other of %s",
                  isa_element_name((enum isa_element_kind)other->element),
                  isa_element_name((enum isa_element_kind)rule->c->element));
}

/* The condition is broadcast with both others. */
static bool rule_SELECT(const struct rule *rule)
{
    struct rule second = *rule;
    struct isa_shape chosen = isa_shape_scalar(rule->b->element);
    *rule->result = isa_shape_scalar(rule->b->element);
    second.a = rule->b;
    second.b = rule->c;
    second.result = &chosen;
    if (!takes_no_numbers(rule) || !shares_element(rule, rule->b) ||
        !broadcast(&second, second.a->rank, second.b->rank))
        return false;
    second = *rule;
    second.b = &chosen;
    return broadcast(&second, second.a->rank, chosen.rank);
}

/* Computes the shape of rows of a at the indices b: a row for each index if b has rank 1; one row
 * if b has rank 0. */
static bool find_rows(const struct rule *rule, struct isa_shape *rows)
{
    if (rule->a->rank == 0)
        return refuse(rule, "rank 0 has no rows");
    if (rule->b->rank > 1)
        return refuse(rule, "indices have rank 0 or 1, and these rank %d", rule->b->rank);
    *rows = *rule->a;
    if (rule->b->rank == 0)
        drop(rows, 0);
    else
        rows->extents[0] = rule->b->extents[0];
    return true;
}

static bool rule_UPDATE(const struct rule *rule)
{
    struct isa_shape rows;
    *rule->result = *rule->a;
    if (!takes_no_numbers(rule) || !shares_element(rule, rule->a) ||
        !find_rows(rule, &rows))
        return false;
    if (isa_shape_agrees(&rows, rule->c))
        return true;
    name_both(rule);
    lib_text_puts(rule->why, "the rows are of ");
    isa_shape_write(rule->why, &rows);
    return false;
}

static bool rule_TAKE(const struct rule *rule)
{
    return takes_no_numbers(rule) && find_rows(rule, rule->result);
}

#define RULE(NAME)                                                                       \
    static bool rule_##NAME(const struct rule *rule)                                     \
    {                                                                                    \
        return isa_rule_##NAME(rule);                                                    \
    }
ISA_RULES_ELSEWHERE(RULE)
#undef RULE

bool isa_kernel_shape(enum isa_kernel kernel, const struct isa_shape *const operands[],
                      struct isa_numbers numbers, struct isa_shape *result,
                      struct lib_text *why)
{
    static bool (*const rules[])(const struct rule *) = {
#define KERNEL(NAME, text, arity, elements, rule, ...) [ISA_KERNEL_##NAME] = rule_##rule,
#include "isa/tensor/kernels.def"
#undef KERNEL
    };
    const struct rule rule = {
        .kernel = kernel,
        .a = operands[0],
        .b = isa_kernels[kernel].arity >= 2 ? operands[1] : operands[0],
        .c = isa_kernels[kernel].arity == 3 ? operands[2] : operands[0],
        .numbers = numbers,
        .result = result,
        .why = why,
    };
    enum isa_element_kind element;
    if (!isa_kernel_element(kernel, operands, &element, why) || !rules[kernel](&rule))
        return false;
    result->element = (uint8_t)element;
    return true;
}
