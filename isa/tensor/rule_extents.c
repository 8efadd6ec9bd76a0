/* Rules of kernels whose integer arguments are the extents of the result, and of random numbers. */
#include "isa/tensor/rule_internal.h"

static bool takes_extents(const struct rule *rule)
{
    *rule->result = isa_shape_scalar(rule->a->element);
    if (!needs_numbers(rule, rule->numbers.count <= ISA_RANK_MAX, "4 extents at most"))
        return false;
    rule->result->rank = (uint8_t)rule->numbers.count;
    for (unsigned i = 0; i < rule->result->rank; i++) {
        rule->result->extents[i] = number(rule, i);
        if (!is_extent(rule, number(rule, i)))
            return false;
    }
    return true;
}

static bool refuse_shapes(const struct rule *rule, const char *fault)
{
    name_both(rule);
    isa_shape_write(rule->why, rule->result);
    lib_text_printf(rule->why, " %s", fault);
    return false;
}

/* Whether a tensor of shape a can be broadcast to b. */
static bool broadcasts(const struct isa_shape *a, const struct isa_shape *b)
{
    bool fits = a->rank <= b->rank;
    for (unsigned i = 1; fits && i <= a->rank; i++)
        fits = a->extents[a->rank - i] == 1 ||
               can_equal(a->extents[a->rank - i], b->extents[b->rank - i]);
    return fits;
}

bool isa_rule_SUM_TO(const struct rule *rule)
{
    return takes_extents(rule) && (broadcasts(rule->result, rule->a) ||
                                   refuse_shapes(rule, "does not broadcast to it"));
}

bool isa_rule_SPREAD_TO(const struct rule *rule)
{
    return takes_extents(rule) && (broadcasts(rule->a, rule->result) ||
                                   refuse_shapes(rule, "is not what it broadcasts to"));
}

bool isa_rule_SPREAD_LAST_TO(const struct rule *rule)
{
    if (!takes_extents(rule))
        return false;
    struct isa_shape front = *rule->result;
    if (front.rank > 0)
        drop(&front, front.rank - 1u);
    return (rule->result->rank > 0 && isa_shape_agrees(rule->a, &front)) ||
           refuse_shapes(rule, "does not have one more last axis");
}

static bool is_key(const struct rule *rule, const struct isa_shape *key)
{
    return key->rank == 0 || refuse(rule, "a key has rank 0");
}

bool isa_rule_RANDOM_BITS(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!takes_no_numbers(rule) || !is_key(rule, rule->b))
        return false;
    return (rule->a->rank == 1 && can_equal(rule->a->extents[0], 2)) ||
           refuse(rule, "a counter has two ints");
}

bool isa_rule_RANDOM(const struct rule *rule)
{
    return is_key(rule, rule->a) && takes_extents(rule);
}

bool isa_rule_DROPOUT(const struct rule *rule)
{
    *rule->result = *rule->a;
    if (!takes_no_numbers(rule) || !is_key(rule, rule->c))
        return false;
    if (rule->b->rank > 0)
        return refuse(rule, "a rate has rank 0");
    return rule->c->element == ISA_ELEMENT_INT || refuse(rule, "a key is an int");
}
