#include "programs/graph/region.h"

#include "lib/arena_map.h"

#include <assert.h>
#include <string.h>

struct region {
    struct isa_graph *graph;
    struct lib_arena *arena;
    const struct programs_options *options;
    uint32_t function;
    struct region *outer; /* enclosing region; NULL for a top region */
    /* Scratch while a value enters from an outer region: next region on the way inwards. */
    struct region *inner;
    /* the conditional of which the region is a branch, or NULL */
    struct conditional *conditional;
    /* the loop whose header the region is, or NULL */
    struct region_loop *loop;
    /* for a branch: 0 if it is entered when the condition holds, else 1 */
    uint32_t side;
    uint32_t first_param; /* node of the first parameter of a top region or a header */
    bool has_param;
};

struct conditional {
    struct region_value condition; /* in the outer region */
    struct lib_pos pos;
    /* The SWITCHes that let values of the outer region in, by the value there and by the value
     * where it was computed (key_of). */
    struct lib_arena_map switches;
    uint32_t pivot; /* SWITCH of an immediate, for triggers; or NO_PIVOT */
};

#define NO_PIVOT UINT32_MAX

/* A value that circulates in a loop: a variable, or a value from outside. */
struct circulating {
    struct region_value outside; /* value from outside, else {0} */
    struct region_value inside;  /* value in the header */
    struct region_value after;   /* value after the loop, if is_result */
    const char *name;            /* name of the variable, or NULL */
    bool is_result, is_variable;
};

struct region_loop {
    struct region *header;
    struct region_place sides[2]; /* branches of the header: body and end */
    uint32_t function, site;
    struct lib_pos pos;
    LIB_ARENA_LIST(struct circulating) all;
    /* values outside that became loop constants */
    LIB_ARENA_LIST(struct region_value) constants;
    uint32_t variable_count, result_count;
    struct region_value pulse; /* token that every iteration has, for triggers; or {0} */
};

struct region *region_top(struct isa_graph *graph, struct lib_arena *arena,
                          uint32_t function, const struct programs_options *options)
{
    struct region *r = LIB_ARENA_NEW(arena, struct region);
    *r = (struct region){
        .graph = graph, .arena = arena, .options = options, .function = function};
    return r;
}

struct region_place region_of_function(struct region_place p, uint32_t function)
{
    const struct region *r = p.region;
    return region_at(region_top(r->graph, r->arena, function, r->options), p.pos);
}

struct isa_graph *region_graph(const struct region *region)
{
    return region->graph;
}

const struct isa_function *region_function(const struct region *region)
{
    while (region->outer)
        region = region->outer;
    return &region->graph->functions[region->function];
}

/* Makes a region in another one. */
static struct region *new_inner(struct region *outer)
{
    struct region *r = LIB_ARENA_NEW(outer->arena, struct region);
    *r = (struct region){
        .graph = outer->graph,
        .arena = outer->arena,
        .options = outer->options,
        .function = outer->function,
        .outer = outer,
        .has_param = outer->has_param,
    };
    return r;
}

static struct region_value token(struct region *where, uint32_t node, uint32_t output)
{
    const struct isa_graph *graph = where->graph;
    return (struct region_value){
        .kind = REGION_TOKEN,
        .type = isa_node_output_type(graph, &graph->nodes[node], output),
        .where = where,
        .node = node,
        .output = output,
    };
}

static uint32_t add_node(struct region_place p, enum isa_op op, enum isa_type type,
                         uint32_t site, uint32_t index)
{
    return isa_graph_add_node(p.region->graph, op, type, p.region->function, site, index,
                              p.pos);
}

static void connect(struct region *r, struct region_value v, uint32_t node, uint32_t port)
{
    switch (v.kind) {
    case REGION_TOKEN:
        isa_graph_connect(r->graph, v.node, v.output, (struct isa_dest){node, port});
        break;
    case REGION_LITERAL:
        isa_graph_set_literal(r->graph, node, port, v.literal);
        break;
    case REGION_INPUT:
        isa_graph_set_input(r->graph, node, port, v.input);
        break;
    case REGION_HELD:
        isa_graph_set_held(r->graph, node, port, v.held);
        break;
    }
}

static struct region_value trigger(struct region_place p);

/* Lets a value of the region around a branch into the branch. */
static uint32_t add_switch(struct region_place p, struct region_value v)
{
    const uint32_t node = add_node(region_at(p.region->outer, p.pos), ISA_OP_SWITCH,
                                   v.type, 0, 0);
    connect(p.region, v, node, 0);
    connect(p.region, p.region->conditional->condition, node, 1);
    return node;
}

static struct region_value pass_value(struct region_place p, struct region_value v)
{
    return token(p.region, add_switch(p, v), p.region->side);
}

/* Makes an immediate a token of a region that is not a branch. */
static struct region_value make_token(struct region_place p, struct region_value v)
{
    uint32_t node = add_node(p, ISA_OP_CONST, v.type, 0, 0);
    connect(p.region, v, node, 0);
    if (p.region->has_param)
        connect(p.region, trigger(p), node, 1);
    else
        isa_graph_set_absent(p.region->graph, node, 1);
    return token(p.region, node, 0);
}

/* Returns an immediate as a token, for nodes that would have two immediates, or no token. A
 * SWITCH has at most one immediate: if that is the condition, the value must enter as a token. */
static struct region_value materialise(struct region_place p, struct region_value v)
{
    if (v.kind == REGION_TOKEN)
        return v;
    struct region *at = p.region;
    for (; at->conditional && at->conditional->condition.kind != REGION_TOKEN;
         at = at->outer)
        at->outer->inner = at;
    const struct region_place outermost = region_at(at, p.pos);
    v = at->conditional ? pass_value(outermost, v) : make_token(outermost, v);
    while (at != p.region) {
        at = at->inner;
        v = pass_value(region_at(at, p.pos), v);
    }
    return v;
}

static struct region_value circulate(struct region_loop *loop,
                                     struct region_value initial, struct lib_pos pos);

/* Returns a token that every iteration has. With several variables a token circulates for this
 * purpose, so that a variable that waits for later iterations of another one does not delay the
 * others. */
static struct region_value trigger_iteration(struct region_loop *loop, struct lib_pos pos)
{
    if (loop->variable_count == 1)
        return token(loop->header, loop->header->first_param, 0);
    if (!loop->pulse.where)
        loop->pulse = circulate(loop, region_literal(ISA_BOOL, true), pos);
    return loop->pulse;
}

/* Returns a token that the region always has; not at top level. Any parameter of a function will
 * do, because all arrive before results can leave. */
static struct region_value trigger(struct region_place p)
{
    struct region *r = p.region;
    struct conditional *c = r->conditional;
    if (r->loop)
        return trigger_iteration(r->loop, p.pos);
    if (!c)
        return token(r, r->first_param, 0);
    if (c->pivot == NO_PIVOT)
        c->pivot = materialise(p, region_literal(ISA_BOOL, true)).node;
    return token(r, c->pivot, r->side);
}

/* Adds a HOLD: a value from outside becomes a loop constant. */
static void hold_value(struct region_loop *loop, struct region_value v)
{
    const struct region_place p = region_at(loop->header->outer, loop->pos);
    const uint32_t number = loop->constants.count;
    *LIB_ARENA_PUSH(p.region->arena, &loop->constants) = v;
    v = materialise(p, v);
    connect(p.region, v, add_node(p, ISA_OP_HOLD, v.type, loop->site, number), 0);
}

static struct region_value constant(const struct region_loop *loop, uint32_t number)
{
    return (struct region_value){
        .kind = REGION_HELD,
        .type = loop->constants.items[number].type,
        .where = loop->header,
        .held = number,
    };
}

/* The values are neither literals nor inputs. */
static bool is_same(const struct region_value *a, const struct region_value *b)
{
    return a->kind == b->kind && a->where == b->where &&
           (a->kind == REGION_HELD ? a->held == b->held
                                   : a->node == b->node && a->output == b->output);
}

static struct region_value enter_loop(struct region_loop *loop, struct region_value v)
{
    if (loop->header->options->settings->loop_constants == PROGRAMS_CONSTANTS_STICKY) {
        for (uint32_t i = 0; i < loop->constants.count; i++)
            if (is_same(&loop->constants.items[i], &v))
                return constant(loop, i);
        hold_value(loop, v);
        return constant(loop, loop->constants.count - 1);
    }
    for (uint32_t i = 0; i < loop->all.count; i++)
        if (is_same(&loop->all.items[i].outside, &v))
            return loop->all.items[i].inside;
    struct region_value inside = circulate(loop, v, loop->pos);
    loop->all.items[loop->all.count - 1].outside = v;
    return inside;
}

/* Key of a value in `switches`: in the outer region, or where it was computed. */
static uint64_t key_of(const struct region_value *v, bool where_computed)
{
    return ((uint64_t)v->node + 1) << 33 | (uint64_t)v->output << 1 | where_computed;
}

/* `from`: the value where it was computed. */
static struct region_value enter_one(struct region *r, struct region_value v,
                                     const struct region_value *from)
{
    if (r->loop)
        return enter_loop(r->loop, v);
    if (v.kind == REGION_HELD)
        return v;
    struct conditional *c = r->conditional;
    const uint32_t *entered = lib_arena_map_find(&c->switches, key_of(&v, false));
    if (entered)
        return token(r, *entered, r->side);

    const uint32_t node = add_switch(region_at(r, c->pos), v);
    *lib_arena_map_at(r->arena, &c->switches, key_of(&v, false), 0) = node;
    *lib_arena_map_at(r->arena, &c->switches, key_of(from, true), 0) = node;
    return token(r, node, r->side);
}

/* Sets *v to the value `from` of an outer region if it has entered the branch before. Without this,
 * a value that each condition of a long chain uses would take a walk through the whole chain. */
static bool find_entered(struct region *r, const struct region_value *from,
                         struct region_value *v)
{
    const struct conditional *c = r->conditional;
    if (!c || from->kind != REGION_TOKEN)
        return false;
    const uint32_t *entered = lib_arena_map_find(&c->switches, key_of(from, true));
    if (entered)
        *v = token(r, *entered, r->side);
    return entered != NULL;
}

/* Returns a value in a region, through the SWITCHes and loops between. */
static struct region_value enter(struct region *r, struct region_value v)
{
    if (v.kind == REGION_LITERAL || v.kind == REGION_INPUT)
        return v;
    const struct region_value from = v;
    struct region *at = r;
    for (; at != from.where && !find_entered(at, &from, &v); at = at->outer) {
        assert(at->outer); /* values are used inside their region */
        at->outer->inner = at;
    }
    for (; at != r; at = at->inner)
        v = enter_one(at->inner, v, &from);
    return v;
}

/* Whether a region may have nodes without token operands, which fire once, at the start. */
static bool is_start(const struct region *r)
{
    return !r->outer && !r->has_param;
}

/* Lets a value enter as the operand of a node that has no other one, or is a call. */
static struct region_value enter_operand(struct region_place p, struct region_value v)
{
    v = enter(p.region, v);
    return is_start(p.region) ? v : materialise(p, v);
}

void region_split(struct region_place p, struct region_value condition,
                  struct region_place inner[2])
{
    struct conditional *c = LIB_ARENA_NEW(p.region->arena, struct conditional);
    *c = (struct conditional){
        .condition = enter(p.region, condition), .pos = p.pos, .pivot = NO_PIVOT};
    for (uint32_t side = 0; side < 2; side++) {
        inner[side] = region_at(new_inner(p.region), p.pos);
        inner[side].region->conditional = c;
        inner[side].region->side = side;
    }
}

struct region_value region_merge(struct region_place p,
                                 const struct region_place inner[2],
                                 struct region_value when_true,
                                 struct region_value when_false)
{
    struct region_value arms[2] = {when_true, when_false};
    for (int side = 0; side < 2; side++) {
        const struct region_place from = region_at(inner[side].region, p.pos);
        arms[side] = materialise(from, enter(from.region, arms[side]));
    }
    uint32_t node = add_node(p, ISA_OP_MERGEIF, when_true.type, 0, 0);
    for (int side = 0; side < 2; side++)
        connect(p.region, arms[side], node, 0);
    return token(p.region, node, 0);
}

struct region_value region_param(struct region_place p, uint32_t index)
{
    enum isa_type type = p.region->graph->functions[p.region->function].params[index];
    struct region_value v = token(p.region, add_node(p, ISA_OP_PARAM, type, 0, index), 0);
    if (!p.region->has_param)
        p.region->first_param = v.node;
    p.region->has_param = true;
    return v;
}

struct region_value region_compute(struct region_place p, enum isa_op op,
                                   enum isa_type type, uint32_t index,
                                   const struct region_value *operands, uint32_t count)
{
    struct region_value in[2];
    bool any_token = false;
    for (uint32_t i = 0; i < count; i++) {
        in[i] = enter(p.region, operands[i]);
        any_token |= in[i].kind == REGION_TOKEN;
    }
    if (!any_token && op == ISA_OP_CONST) /* its first operand is an immediate */
        in[1] = materialise(p, in[1]);
    else if (!any_token && (count == 2 || !is_start(p.region)))
        in[0] = materialise(p, in[0]);
    uint32_t node = add_node(p, op, type, 0, index);
    for (uint32_t i = 0; i < count; i++)
        connect(p.region, in[i], node, i);
    return token(p.region, node, 0);
}

/* Adds a STORE, FILL, CONTRIBUTE or TOTAL. Returns its node. */
static uint32_t add_store(struct region_place p, enum isa_op op, enum isa_type type,
                          uint32_t index, struct region_value where,
                          struct region_value value)
{
    struct region_value in[2] = {enter(p.region, where), enter(p.region, value)};
    if (in[1].kind == REGION_HELD) /* the value goes with the address to the element */
        in[1] = materialise(p, in[1]);
    uint32_t node = add_node(p, op, type, 0, index);
    for (uint32_t i = 0; i < 2; i++)
        connect(p.region, in[i], node, i);
    return node;
}

void region_store(struct region_place p, enum isa_type type, struct region_value address,
                  struct region_value value)
{
    add_store(p, ISA_OP_STORE, type, 0, address, value);
}

void region_fill(struct region_place p, enum isa_type type, uint32_t field,
                 struct region_value data, struct region_value value)
{
    add_store(p, ISA_OP_FILL, type, field, data, value);
}

struct region_value region_contribute(struct region_place p, bool is_last,
                                      struct region_value array,
                                      struct region_value index,
                                      struct region_value value)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value address = region_two(p, ISA_OP_INDEX, type, array, index);
    const enum isa_op op = is_last ? ISA_OP_TOTAL : ISA_OP_CONTRIBUTE;
    return token(p.region, add_store(p, op, type, 0, address, value), 0);
}

struct region_value region_source(struct region_place p, enum isa_op op,
                                  enum isa_type type, uint32_t index)
{
    const bool start = is_start(p.region), is_triggered = isa_op_operands(op) > 0;
    struct region_value when = {0};
    if (is_triggered && !start)
        when = trigger(p);
    const uint32_t node = add_node(p, op, type, 0, index);
    if (is_triggered && start)
        isa_graph_set_absent(p.region->graph, node, 0);
    else if (is_triggered)
        connect(p.region, when, node, 0);
    return token(p.region, node, 0);
}

uint32_t region_apply_paired(struct region_place p, uint32_t function)
{
    const uint32_t site = isa_graph_add_site(p.region->graph, p.region->function,
                                             function, p.pos);
    return add_node(p, ISA_OP_APPLY, ISA_INT, site, 0);
}

void region_pass(struct region_place p, uint32_t call, uint32_t first,
                 const struct region_value *arguments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        connect(p.region, materialise(p, enter(p.region, arguments[i])), call, first + i);
}

uint32_t region_apply(struct region_place p, uint32_t function,
                      const struct region_value *arguments, uint32_t count)
{
    struct region_value *in = LIB_ARENA_ARRAY(p.region->arena, struct region_value,
                                              count);
    for (uint32_t i = 0; i < count; i++)
        in[i] = enter_operand(p, arguments[i]);
    const uint32_t call = region_apply_paired(p, function);
    for (uint32_t i = 0; i < count; i++)
        connect(p.region, in[i], call, i);
    return call;
}

struct region_value region_result(struct region *region, uint32_t call, uint32_t k)
{
    return token(region, call, k);
}

void region_consume(struct region_place p, enum isa_op op, uint32_t index,
                    struct region_value value)
{
    const struct region_value v = enter_operand(p, value);
    connect(p.region, v, add_node(p, op, v.type, 0, index), 0);
}

/* --- loops ----------------------------------------------------------------------------- */

/* A loop has a label of its own, like a call site, and a pseudo-function whose parameters are its
 * variables, which circulate (paper 1, figure 1; paper 2, section 4.2). Each variable has
 *
 *   ENTER     for its initial value;
 *   MERGE     which passes it on in each iteration;
 *   SWITCHes  made as for a conditional when something first uses it: the condition decides
 *             between the body and the way out;
 *   NEXT      for its next value;
 *   EXIT      if something after the loop uses it.
 *
 * A value from outside is a constant of the loop: a HOLD keeps it, and the loop has it as the
 * immediate `held`; or it circulates like a variable that does not change, as loop.constants says.
 * A constant of the program is READ in each iteration. No node in a loop fires at the start: a
 * trigger comes from the only variable, or from a token that circulates for that purpose. The
 * operand of `return` is outside the loop. */

/* Adds the function of a loop, named after the function that contains it. */
static uint32_t add_loop_function(struct region_place p, const char *what, uint32_t bound)
{
    struct isa_graph *graph = p.region->graph;
    const char *name = lib_arena_printf(p.region->arena, "%s.%s",
                                        region_function(p.region)->name, what);
    uint32_t function = isa_graph_add_function(graph, name, NULL, 0, NULL, 0, p.pos);
    isa_graph_set_loop(graph, function, bound);
    return function;
}

struct region_loop *region_loop_open(struct region_place p, const char *what,
                                     uint32_t bound)
{
    struct region_loop *loop = LIB_ARENA_NEW(p.region->arena, struct region_loop);
    const uint32_t function = add_loop_function(p, what, bound);
    *loop = (struct region_loop){
        .header = new_inner(p.region),
        .function = function,
        .site = isa_graph_add_site(p.region->graph, p.region->function, function, p.pos),
        .pos = p.pos,
    };
    loop->header->function = function;
    loop->header->loop = loop;
    loop->header->has_param = true;
    return loop;
}

struct region_place region_loop_header(const struct region_loop *loop)
{
    return region_at(loop->header, loop->pos);
}

static struct region_value circulate(struct region_loop *loop,
                                     struct region_value initial, struct lib_pos pos)
{
    struct region *header = loop->header;
    const struct region_place outer = region_at(header->outer, pos);
    const struct region_value v = enter_operand(outer, initial);
    struct circulating *c = LIB_ARENA_PUSH(header->arena, &loop->all);
    uint32_t node = add_node(outer, ISA_OP_ENTER, v.type, loop->site,
                             loop->all.count - 1);
    uint32_t merge = add_node(region_at(header, pos), ISA_OP_MERGE, v.type, 0, 0);
    connect(outer.region, v, node, 0);
    isa_graph_connect(header->graph, node, 0, (struct isa_dest){merge, 0});
    *c = (struct circulating){.inside = token(header, merge, 0)};
    if (loop->all.count == 1)
        header->first_param = merge;
    return c->inside;
}

struct region_value region_loop_enter(struct region_loop *loop,
                                      struct region_value initial, const char *name,
                                      struct lib_pos pos)
{
    struct region_value inside = circulate(loop, initial, pos);
    loop->all.items[loop->all.count - 1].is_variable = true;
    loop->all.items[loop->all.count - 1].name = name;
    loop->variable_count++;
    return inside;
}

struct region_place region_loop_test(struct region_loop *loop,
                                     struct region_value condition)
{
    region_split(region_loop_header(loop), condition, loop->sides);
    return loop->sides[0];
}

void region_loop_next(struct region_loop *loop, uint32_t variable,
                      struct region_value value, struct lib_pos pos)
{
    const struct region_place body = region_at(loop->sides[0].region, pos);
    const struct region_value v = materialise(body, enter(body.region, value));
    uint32_t node = add_node(body, ISA_OP_NEXT, v.type, loop->site, variable);
    connect(body.region, v, node, 0);
    isa_graph_connect(body.region->graph, node, 0,
                      (struct isa_dest){loop->all.items[variable].inside.node, 0});
}

struct region_value region_loop_exit(struct region_loop *loop, uint32_t variable,
                                     struct lib_pos pos)
{
    struct circulating *c = &loop->all.items[variable];
    if (c->is_result)
        return c->after;
    const struct region_value v = enter(loop->sides[1].region, c->inside);
    uint32_t node = add_node(region_at(loop->header, pos), ISA_OP_EXIT, v.type,
                             loop->site, loop->result_count++);
    connect(loop->header, v, node, 0);
    c->after = token(loop->header->outer, node, 0);
    c->is_result = true;
    return c->after;
}

void region_loop_close(struct region_loop *loop)
{
    struct region *header = loop->header;
    struct isa_graph *graph = header->graph;
    if (loop->all.count == 0) /* something must circulate */
        trigger(region_loop_header(loop));
    enum isa_type *params = LIB_ARENA_ARRAY(header->arena, enum isa_type,
                                            loop->all.count);
    enum isa_type *results = LIB_ARENA_ARRAY(header->arena, enum isa_type,
                                             loop->result_count);
    const char **names = LIB_ARENA_ARRAY(header->arena, const char *, loop->all.count);
    for (uint32_t i = 0; i < loop->all.count; i++) {
        const struct circulating *c = &loop->all.items[i];
        params[i] = c->inside.type;
        names[i] = c->name;
        if (c->is_result)
            results[graph->nodes[c->after.node].index] = c->inside.type;
        if (!c->is_variable)
            region_loop_next(loop, i, c->inside, loop->pos);
    }
    isa_graph_set_types(graph, loop->function, params, loop->all.count, results,
                        loop->result_count);
    isa_graph_set_names(graph, loop->function, names);
    enum isa_type *held = LIB_ARENA_ARRAY(header->arena, enum isa_type,
                                          loop->constants.count);
    for (uint32_t i = 0; i < loop->constants.count; i++)
        held[i] = loop->constants.items[i].type;
    isa_graph_set_constants(graph, loop->function, held, loop->constants.count);
}
