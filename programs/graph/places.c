#include "programs/graph/places.h"

#include "programs/graph/folds.h"

#include <stddef.h>

/* A loop over elements of an array, with its index and a place as variables. */
struct scan {
    struct region_loop *loop;
    struct region_place body;
    struct region_value index, place; /* in the body */
};

static struct scan open_scan(struct region_place p, struct region_value low,
                             struct region_value high, struct region_value first)
{
    struct scan s = {.loop = region_loop_open(p, "places", ISA_LOOP_UNBOUNDED)};
    s.index = region_loop_enter(s.loop, low, "element", p.pos);
    s.place = region_loop_enter(s.loop, first, "place", p.pos);
    s.body = region_loop_test(s.loop, region_two(region_loop_header(s.loop), ISA_OP_LT_I,
                                                 ISA_INT, s.index, high));
    return s;
}

/* Returns the place after the last one. */
static struct region_value close_scan(const struct scan *s, struct region_value next)
{
    const struct region_value one = region_integer(1);
    region_loop_next(s->loop, 0,
                     region_two(s->body, ISA_OP_ADD_I, ISA_INT, s->index, one),
                     s->body.pos);
    region_loop_next(s->loop, 1, next, s->body.pos);
    const struct region_value end = region_loop_exit(s->loop, 1, s->body.pos);
    region_loop_close(s->loop);
    return end;
}

/* --- conditions -------------------------------------------------------------------------- */

/* Adds a loop over elements `low` to `high` - 1 of an array of bools. The indices of those that are
 * true go to `places` from index `first` on; NULL: from 0. Returns how many there are, which does
 * not wait for `first`. */
static struct region_value sift(struct region_place p, struct region_value bools,
                                struct region_value places, struct region_value low,
                                struct region_value high,
                                const struct region_value *first)
{
    struct region_place inner[2];
    const struct scan s = open_scan(p, low, high, region_integer(0));
    region_split(s.body, region_get(s.body, bools, s.index), inner);
    const struct region_place yes = inner[0];
    region_put(yes, places,
               first ? region_two(yes, ISA_OP_ADD_I, ISA_INT, *first, s.place) : s.place,
               s.index);
    const struct region_value next = region_two(yes, ISA_OP_ADD_I, ISA_INT, s.place,
                                                region_integer(1));
    return close_scan(&s, region_merge(s.body, inner, next, s.place));
}

enum { BOOLS, PLACES, LOW, HIGH, FIRST, PARAMS };

static struct region_value call(struct region_place p, uint32_t function,
                                const struct region_value arguments[PARAMS])
{
    return region_result(p.region, region_apply(p, function, arguments, PARAMS), 0);
}

/* Makes the function that sifts elements `low` to `high` - 1, and returns how many are true. For
 * more than a strand it calls itself for both halves, whose strands run at once: places of the
 * second half wait for the count of the first, but its count does not. */
static uint32_t sift_function(struct region_place p, int64_t strand)
{
    struct isa_graph *graph = region_graph(p.region);
    const char *on = region_function(p.region)->on;
    const enum isa_type ints = isa_type_array_of(ISA_INT), result = ISA_INT;
    const enum isa_type types[PARAMS] = {isa_type_array_of(ISA_BOOL), ints, ISA_INT,
                                         ISA_INT, ISA_INT};
    const uint32_t function = isa_graph_add_function(graph, "places", types, PARAMS,
                                                     &result, 1, p.pos);
    isa_graph_set_class(graph, function, on);
    isa_graph_set_names(graph, function,
                        (const char *const[]){"bools", "places", "low", "high", "first"});
    const struct region_place top = region_of_function(p, function);
    struct region_value v[PARAMS];
    struct region_place inner[2];
    for (uint32_t i = 0; i < PARAMS; i++)
        v[i] = region_param(top, i);
    const struct region_value count = region_two(top, ISA_OP_SUB_I, ISA_INT, v[HIGH],
                                                 v[LOW]);
    region_split(
        top, region_two(top, ISA_OP_GT_I, ISA_INT, count, region_integer(strand)), inner);
    const struct region_place more = inner[0], one = inner[1];
    const struct region_value half = region_two(more, ISA_OP_DIV_I, ISA_INT, count,
                                                region_integer(2));
    const struct region_value middle = region_two(more, ISA_OP_ADD_I, ISA_INT, v[LOW],
                                                  half);
    const struct region_value lower = call(
        more, function,
        (const struct region_value[]){v[BOOLS], v[PLACES], v[LOW], middle, v[FIRST]});
    const struct region_value upper = call(
        more, function,
        (const struct region_value[]){
            v[BOOLS], v[PLACES], middle, v[HIGH],
            region_two(more, ISA_OP_ADD_I, ISA_INT, v[FIRST], lower)});
    const struct region_value found = sift(one, v[BOOLS], v[PLACES], v[LOW], v[HIGH],
                                           &v[FIRST]);
    region_consume(top, ISA_OP_RESULT, 0,
                   region_merge(top, inner,
                                region_two(more, ISA_OP_ADD_I, ISA_INT, lower, upper),
                                found));
    return function;
}

void places_sift(struct region_place p, int64_t strand, struct region_value bools,
                 struct region_value results[2])
{
    const struct region_value length = region_op(p, ISA_OP_LENGTH, ISA_BOOL, bools);
    const struct region_value zero = region_integer(0);
    results[0] = region_op(p, ISA_OP_ALLOC, ISA_INT, length);
    if (!strand) {
        results[1] = sift(p, bools, results[0], zero, length, NULL);
        return;
    }
    const uint32_t function = sift_function(p, strand);
    struct region_place inner[2];
    region_split(p, region_two(p, ISA_OP_GT_I, ISA_INT, length, region_integer(strand)),
                 inner);
    const struct region_value all = call(
        inner[0], function,
        (const struct region_value[]){bools, results[0], zero, length, zero});
    const struct region_value few = sift(inner[1], bools, results[0], zero, length, NULL);
    results[1] = region_merge(p, inner, all, few);
}

/* --- parts ------------------------------------------------------------------------------- */

void places_expand(struct region_place p, struct region_value lengths,
                   struct region_value results[2])
{
    const uint32_t sum = folds_sum_function(p, ISA_INT);
    const struct region_value total = folds_sum(p, sum, lengths);
    const struct region_value zero = region_integer(0);
    for (int k = 0; k < 2; k++)
        results[k] = region_op(p, ISA_OP_ALLOC, ISA_INT, total);
    const struct region_value count = region_op(p, ISA_OP_LENGTH, ISA_INT, lengths);
    const struct scan parts = open_scan(p, zero, count, zero);
    const struct region_value length = region_get(parts.body, lengths, parts.index);
    const struct region_value end = region_two(parts.body, ISA_OP_ADD_I, ISA_INT,
                                               parts.place, length);
    const struct scan each = open_scan(parts.body, zero, length, parts.place);
    region_put(each.body, results[0], each.place, parts.index);
    region_put(each.body, results[1], each.place, each.index);
    close_scan(&each, region_two(each.body, ISA_OP_ADD_I, ISA_INT, each.place,
                                 region_integer(1)));
    close_scan(&parts, end);
}
