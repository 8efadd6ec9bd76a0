#include "programs/graph/places.h"

#include "programs/graph/folds.h"

/* A loop over the elements of an array, with its index and a place as variables. */
struct scan {
    struct region_loop *loop;
    struct region_place body;
    struct region_value index, place; /* in the body */
};

static struct scan open_scan(struct region_place p, struct region_value length,
                             const char *index, const char *place)
{
    struct scan s = {.loop = region_loop_open(p, "places", ISA_LOOP_UNBOUNDED)};
    s.index = region_loop_enter(s.loop, region_integer(0), index, p.pos);
    s.place = region_loop_enter(s.loop, region_integer(0), place, p.pos);
    s.body = region_loop_test(s.loop, region_two(region_loop_header(s.loop), ISA_OP_LT_I,
                                                 ISA_INT, s.index, length));
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

void places_sift(struct region_place p, struct region_value bools,
                 struct region_value results[2])
{
    struct region_place inner[2];
    const struct region_value length = region_op(p, ISA_OP_LENGTH, ISA_BOOL, bools);
    results[0] = region_op(p, ISA_OP_ALLOC, ISA_INT, length);
    const struct scan s = open_scan(p, length, "element", "place");
    region_split(s.body, region_get(s.body, bools, s.index), inner);
    region_put(inner[0], results[0], s.place, s.index);
    const struct region_value next = region_two(inner[0], ISA_OP_ADD_I, ISA_INT, s.place,
                                                region_integer(1));
    results[1] = close_scan(&s, region_merge(s.body, inner, next, s.place));
}

void places_expand(struct region_place p, struct region_value lengths,
                   struct region_value results[2])
{
    const uint32_t sum = folds_sum_function(p, ISA_INT);
    const struct region_value total = folds_sum(p, sum, lengths);
    for (int k = 0; k < 2; k++)
        results[k] = region_op(p, ISA_OP_ALLOC, ISA_INT, total);
    const struct region_value length = region_op(p, ISA_OP_LENGTH, ISA_INT, lengths);
    const struct scan s = open_scan(p, length, "part", "place");
    const struct region_value count = region_get(s.body, lengths, s.index);
    struct region_loop *each = region_loop_open(s.body, "places", ISA_LOOP_UNBOUNDED);
    const struct region_value index = region_loop_enter(each, region_integer(0), "index",
                                                        p.pos);
    const struct region_place at = region_loop_test(
        each, region_two(region_loop_header(each), ISA_OP_LT_I, ISA_INT, index, count));
    const struct region_value place = region_two(at, ISA_OP_ADD_I, ISA_INT, s.place,
                                                 index);
    region_put(at, results[0], place, s.index);
    region_put(at, results[1], place, index);
    region_loop_next(
        each, 0, region_two(at, ISA_OP_ADD_I, ISA_INT, index, region_integer(1)), p.pos);
    region_loop_close(each);
    close_scan(&s, region_two(s.body, ISA_OP_ADD_I, ISA_INT, s.place, count));
}
