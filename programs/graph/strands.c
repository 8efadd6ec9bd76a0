#include "programs/graph/strands.h"

#include "lib/memory.h"
#include "lib/text.h"

/* --- loops ------------------------------------------------------------------------------- */

static struct strands_loop open_loop(struct region_place p, const char *name,
                                     uint32_t bound, bool joins,
                                     struct region_value first)
{
    struct strands_loop l = {.loop = region_loop_open(p, "array", bound), .joins = joins};
    l.counter = region_loop_enter(l.loop, first, name, p.pos);
    if (joins)
        l.joined = region_loop_enter(l.loop, region_integer(0), "answer", p.pos);
    return l;
}

struct strands_loop strands_chain(struct region_place p, const char *name, bool follows,
                                  bool joins, struct region_value length)
{
    struct strands_loop l = open_loop(p, name, ISA_LOOP_UNBOUNDED, joins,
                                      region_integer(0));
    const struct region_place header = region_loop_header(l.loop);
    l.at = region_loop_test(
        l.loop, follows ? region_two(header, ISA_OP_MORE, isa_type_element(length.type),
                                     length, l.counter)
                        : region_two(header, ISA_OP_LT_I, ISA_INT, l.counter, length));
    return l;
}

/* Opens the loop of elements `low` to `high` - 1. */
static struct strands_loop open_strand(const struct strands *s, struct region_place p,
                                       const char *name, bool joins,
                                       struct region_value low, struct region_value high)
{
    const uint64_t bound = s->settings->array_bound;
    struct strands_loop l = open_loop(
        p, name, bound ? (uint32_t)bound : ISA_LOOP_UNBOUNDED, joins, low);
    l.at = region_loop_test(l.loop, region_two(region_loop_header(l.loop), ISA_OP_LT_I,
                                               ISA_INT, l.counter, high));
    return l;
}

static void count_on(const struct strands_loop *loop)
{
    region_loop_next(
        loop->loop, 0,
        region_two(loop->at, ISA_OP_ADD_I, ISA_INT, loop->counter, region_integer(1)),
        loop->at.pos);
}

void strands_close(const struct strands_loop *loop)
{
    count_on(loop);
    region_loop_close(loop->loop);
}

/* Joins two answers, zeros, to one. */
static struct region_value join(struct region_place p, struct region_value a,
                                struct region_value b)
{
    return region_two(p, ISA_OP_OR_I, ISA_INT, a, b);
}

struct region_value strands_join(const struct strands_loop *loop,
                                 struct region_value answer)
{
    count_on(loop);
    region_loop_next(loop->loop, 1, join(loop->at, loop->joined, answer), loop->at.pos);
    const struct region_value all = region_loop_exit(loop->loop, 1, loop->at.pos);
    region_loop_close(loop->loop);
    return all;
}

/* --- trees ------------------------------------------------------------------------------- */

static int64_t length_of(const struct strands *s)
{
    return (int64_t)s->settings->array_strand;
}

int64_t strands_length(const struct strands *s)
{
    return s->settings->array_generator == PROGRAMS_ARRAYS_TREE ? length_of(s) : 0;
}

bool strands_are_tree(const struct strands *s, uint32_t known)
{
    return strands_length(s) && (known == 0 || known - 1 > strands_length(s));
}

static bool is_passed(const struct region_value *v)
{
    return v->kind != REGION_LITERAL && v->kind != REGION_INPUT;
}

/* Passes those of `outside` that are not immediates to a call, from argument `first` on. Returns
 * the number of its arguments then. */
static uint32_t pass(struct region_place p, uint32_t call, uint32_t first,
                     const struct region_value *outside, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_passed(&outside[i]))
            region_pass(p, call, first++, &outside[i], 1);
    return first;
}

/* Declares the function. Its parameters are the ends of its elements and values from outside. */
static void declare(const struct strands *s, struct strands_tree *t,
                    struct region_place p, const struct region_value *outside,
                    uint32_t count, const enum isa_type *late, uint32_t late_count)
{
    struct isa_graph *graph = region_graph(p.region);
    const uint32_t most = 2 + count + late_count;
    enum isa_type *types = LIB_ARENA_ARRAY(s->arena, enum isa_type, most),
                  result = ISA_INT;
    const char **names = LIB_ARENA_ARRAY(s->arena, const char *, most);
    const struct isa_function *around = region_function(p.region);
    const char *on = around->on; /* `around` moves when a function is added */
    LIB_TEXT_OWN text = {0};
    uint32_t width = 2;
    types[0] = types[1] = ISA_INT;
    names[0] = "low";
    names[1] = "high";
    for (uint32_t i = 0; i < count; i++)
        if (is_passed(&outside[i]))
            types[width++] = outside[i].type;
    for (uint32_t i = 0; i < late_count; i++)
        types[width++] = late[i];
    lib_text_printf(&text, "%s.strand", around->name);
    t->function = isa_graph_add_function(graph, lib_text_get(&text), types, width,
                                         &result, 1, p.pos);
    isa_graph_set_names(graph, t->function, names);
    isa_graph_set_class(graph, t->function, on);
    isa_graph_set_strand(graph, t->function, (uint32_t)s->settings->array_strand);
}

/* Makes the calls for the elements from `end` to `high` - 1. The first one takes half of the
 * strands: none if there is only one, and one that is not whole remains to the second call. Returns
 * their answer if the tree `joins`. */
static struct region_value
call_halves(const struct strands *s, const struct strands_tree *t, struct region_place p,
            struct region_value end, struct region_value high, uint32_t count, bool joins)
{
    const int64_t strand = length_of(s);
    const struct region_value rest = region_two(p, ISA_OP_SUB_I, ISA_INT, high, end);
    const struct region_value rounded = region_two(p, ISA_OP_ADD_I, ISA_INT, rest,
                                                   region_integer(strand));
    const struct region_value half = region_two(p, ISA_OP_DIV_I, ISA_INT, rounded,
                                                region_integer(2 * strand));
    const struct region_value elements = region_two(p, ISA_OP_MUL_I, ISA_INT, half,
                                                    region_integer(strand));
    const struct region_value ends[] = {
        end, region_two(p, ISA_OP_ADD_I, ISA_INT, end, elements), high};
    struct region_value answers[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        const uint32_t call = region_apply_paired(p, t->function);
        region_pass(p, call, 0, &ends[i], 2);
        pass(p, call, 2, t->outside, count);
        if (joins)
            answers[i] = region_result(p.region, call, 0);
    }
    return joins ? join(p, answers[0], answers[1]) : answers[0];
}

struct strands_tree *strands_tree_new(const struct strands *s, struct region_place p,
                                      const char *name, bool joins,
                                      const struct region_value *outside, uint32_t count,
                                      const enum isa_type *late, uint32_t late_count)
{
    struct strands_tree *t = LIB_ARENA_NEW(s->arena, struct strands_tree);
    const uint32_t all = count + late_count;
    struct region_place inner[2];
    declare(s, t, p, outside, count, late, late_count);
    const struct region_place top = region_of_function(p, t->function);
    const struct region_value low = region_param(top, 0), high = region_param(top, 1);
    t->outside = LIB_ARENA_ARRAY(s->arena, struct region_value, all);
    for (uint32_t i = 0, next = 2; i < all; i++)
        t->outside[i] = i >= count || is_passed(&outside[i]) ? region_param(top, next++)
                                                             : outside[i];
    const struct region_value end = region_two(top, ISA_OP_ADD_I, ISA_INT, low,
                                               region_integer(length_of(s)));
    const struct region_value limit = region_two(top, ISA_OP_MIN_I, ISA_INT, end, high);
    region_split(top, region_two(top, ISA_OP_LT_I, ISA_INT, end, high), inner);
    t->top = top;
    t->further = call_halves(s, t, inner[0], end, high, all, joins);
    if (joins)
        t->further = region_merge(top, inner, t->further, region_integer(0));
    else
        region_consume(top, ISA_OP_RESULT, 0, low);
    t->loop = open_strand(s, top, name, joins, low, limit);
    return t;
}

void strands_tree_join(const struct strands_tree *tree, struct region_value answer)
{
    region_consume(tree->top, ISA_OP_RESULT, 0,
                   join(tree->top, strands_join(&tree->loop, answer), tree->further));
}

/* The other strands begin where the first ends. Both numbers for the call are computed from the
 * array's length, so that it costs nothing where it is not made. */
struct strands_root strands_root_open(const struct strands *s, struct region_place p,
                                      const char *name, uint32_t known,
                                      struct region_value length, bool scatters,
                                      const struct strands_tree *tree,
                                      const struct region_value *outside, uint32_t count)
{
    const struct region_value strand = region_integer(length_of(s));
    struct region_value ends[2] = {strand, length}, limit = strand;
    struct strands_root root = {.more = p, .at = p, .is_guarded = !known};
    if (!known) {
        limit = region_two(p, ISA_OP_MIN_I, ISA_INT, length, strand);
        region_split(p, region_two(p, ISA_OP_GT_I, ISA_INT, length, strand), root.inner);
        root.more = root.inner[0];
        if (!scatters)
            ends[1] = region_op(root.more, ISA_OP_LENGTH,
                                isa_type_element(outside[0].type), outside[0]);
        ends[0] = region_two(root.more, ISA_OP_MIN_I, ISA_INT, ends[1], strand);
    }
    root.call = region_apply_paired(root.more, tree->function);
    region_pass(root.more, root.call, 0, ends, 2);
    root.passed = pass(root.more, root.call, 2, outside, count);
    root.loop = open_strand(s, p, name, tree->loop.joins, region_integer(0), limit);
    return root;
}

struct region_value strands_root_join(const struct strands_root *root,
                                      struct region_value answer)
{
    struct region_value more = region_result(root->more.region, root->call, 0);
    if (root->is_guarded)
        more = region_merge(root->at, root->inner, more, region_integer(0));
    return join(root->at, strands_join(&root->loop, answer), more);
}

void strands_root_add(const struct strands_root *root, const struct region_value *late,
                      uint32_t count)
{
    region_pass(root->more, root->call, root->passed, late, count);
}
