/* Warns of arms of conditionals whose tokens can never meet.
 *
 * For each output, the analysis computes conditions that hold whenever a token leaves it: decisions
 * of SWITCHes under one tag. A node that waits for two operands has the conditions of both; a
 * MERGEIF has those that its arms share. Where the analysis knows too little it has fewer
 * conditions, and warns less. */
#include "isa/check/rules.h"
#include "isa/op_columns.h"
#include "isa/parts.h"
#include "lib/memory.h"
#include "lib/name_table.h"

#include <stdio.h>
#include <string.h>

/* Max length of a list of conditions; the oldest are dropped. */
enum { MAX_CONDITIONS = 64, MAX_WARNINGS = 10 };

/* A condition is the number of what decides, times 2, plus 0 for true and 1 for false. The numbers
 * are those of outputs, followed by inputs and constants of the loop. */
struct conditions {
    const uint32_t *items; /* the outermost first */
    uint32_t count;
    bool is_cut; /* some conditions may be missing */
    /* no token can come: the arm is nested in the other arm of the same condition */
    bool is_never;
};

struct arc {
    struct isa_check_from from;
    uint32_t port;
};

enum state { UNSEEN, STARTED, DONE };

/* Entry of the stack of a depth-first walk: a node, and which of its arcs is next. */
struct step {
    uint32_t node, next;
};

/* A pure operation on known values; equal operations decide equal conditions. */
struct operation {
    uint32_t op, type;
    uint64_t values[2];
    uint32_t kinds[2];
};

struct arms {
    struct isa_check *c;
    const struct isa_graph *graph;
    struct lib_arena *arena;
    uint32_t *first_arc, *first_output; /* per node; after the last one the total */
    struct arc *arcs;                   /* arcs by the node that they reach */
    uint32_t *first_enter, *enters;     /* ENTERs by site */
    uint8_t *states;                    /* per node */
    const struct conditions **fires;    /* per node: when it fires */
    const struct conditions **outputs;  /* per output: when a token leaves it */
    uint32_t *values;                   /* per output: first output with an equal value */
    struct lib_name_table *operations;  /* struct operation -> output */
    const struct conditions *none, *unknown, *never;
    LIB_VEC(struct step) way;
    uint32_t warnings;
};

static bool has(const struct conditions *list, uint32_t condition)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == condition)
            return true;
    return false;
}

/* Returns the first condition of `a` whose opposite is in `b`, or ISA_CHECK_NONE. */
static uint32_t contrary(const struct conditions *a, const struct conditions *b)
{
    for (uint32_t i = 0; a != b && i < a->count; i++)
        if (has(b, a->items[i] ^ 1))
            return a->items[i];
    return ISA_CHECK_NONE;
}

static const struct conditions *keep_conditions(struct arms *s, const uint32_t *items,
                                                uint32_t count, bool is_cut)
{
    const uint32_t dropped = count > MAX_CONDITIONS ? count - MAX_CONDITIONS : 0;
    struct conditions *list = LIB_ARENA_NEW(s->arena, struct conditions);
    uint32_t *own = LIB_ARENA_ARRAY(s->arena, uint32_t, count - dropped);
    if (count)
        memcpy(own, items + dropped, (count - dropped) * sizeof *own);
    *list = (struct conditions){own, count - dropped, is_cut || dropped, false};
    return list;
}

/* Returns the union of two lists, which have no opposite conditions. */
static const struct conditions *both(struct arms *s, const struct conditions *a,
                                     const struct conditions *b)
{
    uint32_t items[2 * MAX_CONDITIONS], count = a->count;
    if (a == b || a->is_never)
        return a;
    if (b->is_never)
        return b;
    if (count)
        memcpy(items, a->items, count * sizeof *items);
    for (uint32_t i = 0; i < b->count; i++)
        if (!has(a, b->items[i]))
            items[count++] = b->items[i];
    if (count == a->count && (a->is_cut || !b->is_cut))
        return a;
    return keep_conditions(s, items, count, a->is_cut || b->is_cut);
}

/* Returns the intersection of two lists. */
static const struct conditions *shared(struct arms *s, const struct conditions *a,
                                       const struct conditions *b)
{
    uint32_t items[MAX_CONDITIONS], count = 0;
    if (a == b || b->is_never)
        return a;
    if (a->is_never)
        return b;
    for (uint32_t i = 0; i < a->count; i++)
        if (has(b, a->items[i]))
            items[count++] = a->items[i];
    return keep_conditions(s, items, count, a->is_cut || b->is_cut);
}

/* A condition in words: "where %5 lt.int is true". */
struct words {
    char text[120];
};

static struct words in_words(const struct arms *s, uint32_t condition)
{
    struct words words;
    const char *truth = condition % 2 ? "false" : "true";
    const uint32_t outputs = s->first_output[s->graph->node_count];
    uint32_t low = 0, high = s->graph->node_count; /* the node that has this output */
    if (condition / 2 >= outputs) {
        const uint32_t number = condition / 2 - outputs, inputs = s->graph->input_count;
        if (number < inputs)
            snprintf(words.text, sizeof words.text, "where input %.60s is %s",
                     s->graph->inputs[number].name, truth);
        else
            snprintf(words.text, sizeof words.text, "where held %u is %s",
                     number - inputs, truth);
        return words;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->first_output[middle] <= condition / 2)
            low = middle;
        else
            high = middle;
    }
    snprintf(words.text, sizeof words.text, "where %s is %s",
             isa_check_name(s->c, low).text, truth);
    return words;
}

#define WARN(s, node, ...)                                                               \
    ((s)->warnings++ < MAX_WARNINGS ? isa_check_warn((s)->c, node, __VA_ARGS__) : (void)0)

static const struct arc *arc_of(const struct arms *s, uint32_t node, uint32_t port)
{
    for (uint32_t i = s->first_arc[node]; i < s->first_arc[node + 1]; i++)
        if (s->arcs[i].port == port)
            return &s->arcs[i];
    return NULL;
}

static uint32_t output_of(const struct arms *s, struct isa_check_from from)
{
    return s->first_output[from.node] + from.output;
}

static uint32_t value_of(const struct arms *s, uint32_t node, uint32_t port)
{
    const struct arc *arc = arc_of(s, node, port);
    return arc ? s->values[output_of(s, arc->from)] : ISA_CHECK_NONE;
}

static uint32_t find_equal(struct arms *s, uint32_t node)
{
    const struct isa_node *n = &s->graph->nodes[node];
    const uint32_t own = s->first_output[node];
    struct operation *key = LIB_ARENA_NEW(s->arena, struct operation);
    memset(key, 0, sizeof *key);
    key->op = n->op;
    key->type = n->type;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const struct isa_operand *operand = &n->operands[port];
        key->kinds[port] = operand->kind;
        if (operand->kind == ISA_OPERAND_TOKEN)
            key->values[port] = value_of(s, node, port);
        else if (operand->kind == ISA_OPERAND_LITERAL)
            key->values[port] = operand->value;
        else if (operand->kind == ISA_OPERAND_INPUT)
            key->values[port] = operand->input;
        else
            return own;
    }
    const char *bytes = (const char *)key;
    const uint32_t found = lib_name_table_find(s->operations, bytes, sizeof *key);
    if (found != LIB_NAME_TABLE_NONE)
        return found;
    lib_name_table_add(s->operations, bytes, sizeof *key, own);
    return own;
}

static void find_values(struct arms *s, uint32_t node)
{
    const struct isa_node *n = &s->graph->nodes[node];
    const bool passes = n->op == ISA_OP_SWITCH &&
                        n->operands[0].kind == ISA_OPERAND_TOKEN;
    for (uint32_t o = 0; o < n->output_count; o++) {
        uint32_t value = s->first_output[node] + o;
        if (passes)
            value = value_of(s, node, 0);
        else if (isa_op_table[n->op].effect == ISA_EFFECT_PURE && n->operand_count <= 2)
            value = find_equal(s, node);
        s->values[s->first_output[node] + o] = value;
    }
}

/* Warns of operands that never meet under one tag. Returns when the node fires. */
static const struct conditions *meet(struct arms *s, uint32_t node)
{
    const struct conditions *when = s->none;
    uint32_t first = ISA_CHECK_NONE;
    for (uint32_t i = s->first_arc[node]; i < s->first_arc[node + 1]; i++) {
        const struct conditions *come = s->outputs[output_of(s, s->arcs[i].from)];
        const uint32_t wrong = contrary(when, come);
        if (wrong != ISA_CHECK_NONE) {
            WARN(s, node,
                 "operands %u and %u never come under one tag: one comes only %s, the "
                 "other only where it is %s",
                 first, s->arcs[i].port, in_words(s, wrong).text,
                 wrong % 2 ? "true" : "false");
            return s->unknown;
        }
        if (come->count && first == ISA_CHECK_NONE)
            first = s->arcs[i].port;
        when = both(s, when, come);
    }
    return when;
}

/* Returns a condition of `a`, other than `known`, that `b` does not have; or ISA_CHECK_NONE. */
static uint32_t another(const struct conditions *a, const struct conditions *b,
                        uint32_t known)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->items[i] != known && !has(b, a->items[i]))
            return a->items[i];
    return ISA_CHECK_NONE;
}

/* Returns false, after a warning, if two arms can both bring a token, or both none. */
static bool check_pair(struct arms *s, uint32_t node, const struct arc *arcs,
                       const struct conditions *a, const struct conditions *b)
{
    const uint32_t decisive = contrary(a, b);
    const struct isa_check_name of_a = isa_check_name(s->c, arcs[0].from.node);
    const struct isa_check_name of_b = isa_check_name(s->c, arcs[1].from.node);
    if (decisive == ISA_CHECK_NONE) {
        WARN(s, node,
             "both of its arcs can bring a token under one tag: no condition sends the "
             "one from %s, the other from %s to different arms",
             of_a.text, of_b.text);
        return false;
    }
    const uint32_t more_a = another(a, b, decisive), more_b = another(b, a, decisive ^ 1);
    const bool is_a = more_a != ISA_CHECK_NONE;
    if (!is_a && more_b == ISA_CHECK_NONE)
        return true;
    WARN(s, node, "an arm can bring no token: the one from %s comes only %s too",
         is_a ? of_a.text : of_b.text, in_words(s, is_a ? more_a : more_b).text);
    return false;
}

/* Returns the conditions under which a MERGEIF fires. */
static const struct conditions *join_arms(struct arms *s, uint32_t node)
{
    const struct arc *arcs = &s->arcs[s->first_arc[node]];
    if (s->first_arc[node + 1] - s->first_arc[node] != 2)
        return s->unknown;
    const struct conditions *a = s->outputs[output_of(s, arcs[0].from)];
    const struct conditions *b = s->outputs[output_of(s, arcs[1].from)];
    const bool is_known = !a->is_cut && !b->is_cut && !a->is_never && !b->is_never;
    if (is_known && !check_pair(s, node, arcs, a, b))
        return s->unknown;
    return shared(s, a, b);
}

/* Returns the conditions under which a loop is entered, as its results then follow. */
static const struct conditions *entered(struct arms *s, uint32_t site)
{
    const struct conditions *when = NULL;
    for (uint32_t i = s->first_enter[site]; i < s->first_enter[site + 1]; i++) {
        const struct conditions *one = s->fires[s->enters[i]];
        when = when ? shared(s, when, one) : one;
    }
    return when ? when : s->none;
}

/* Returns a number for the condition of a SWITCH, equal for equal conditions. The condition is not
 * a literal. */
static uint32_t decider(const struct arms *s, uint32_t node)
{
    const struct isa_operand *operand = &s->graph->nodes[node].operands[1];
    const uint32_t outputs = s->first_output[s->graph->node_count];
    switch (operand->kind) {
    case ISA_OPERAND_INPUT:
        return outputs + operand->input;
    case ISA_OPERAND_HELD:
        return outputs + s->graph->input_count + operand->held;
    default:
        return value_of(s, node, 1);
    }
}

static void decide(struct arms *s, uint32_t node, const struct conditions *when)
{
    const struct isa_operand *operand = &s->graph->nodes[node].operands[1];
    const uint32_t value = decider(s, node);
    for (uint32_t arm = 0; arm < 2; arm++) {
        const uint32_t condition = value * 2 + arm;
        const struct conditions **out = &s->outputs[s->first_output[node] + arm];
        if (when->is_never)
            *out = when;
        else if (operand->kind == ISA_OPERAND_LITERAL)
            *out = (operand->value != 0) == (arm == 0) ? when : s->never;
        else if (has(when, condition ^ 1))
            *out = s->never;
        else
            *out = both(s, when, keep_conditions(s, &condition, 1, false));
    }
}

/* Computes when the outputs of an APPLY send: early results need only the early arguments. */
static void apply(struct arms *s, uint32_t node, const struct conditions *when)
{
    const struct isa_node *n = &s->graph->nodes[node];
    const struct isa_function *f = &s->graph->functions[s->graph->sites[n->site].callee];
    const struct conditions *early = s->none;
    for (uint32_t i = s->first_arc[node]; i < s->first_arc[node + 1]; i++)
        if (s->arcs[i].port < f->early_params && !when->is_cut)
            early = both(s, early, s->outputs[output_of(s, s->arcs[i].from)]);
    for (uint32_t o = 0; o < n->output_count; o++)
        s->outputs[s->first_output[node] + o] = o < f->early_results ? early : when;
}

static void compute(struct arms *s, uint32_t node)
{
    const struct isa_node *n = &s->graph->nodes[node];
    const struct conditions *when, *leave;
    if (isa_op_does[n->op].takes == ISA_TAKES_MANY || isa_op_is_fed(n->op))
        when = s->none;
    else if (isa_op_does[n->op].takes == ISA_TAKES_PAIR)
        when = join_arms(s, node);
    else if (n->op == ISA_OP_RETURN) { /* the value comes under the callee's conditions */
        const struct arc *control = arc_of(s, node, 1);
        when = control ? s->outputs[output_of(s, control->from)] : s->none;
    } else
        when = meet(s, node);
    leave = n->op == ISA_OP_EXIT ? entered(s, n->site) : when;
    s->fires[node] = when;
    for (uint32_t o = 0; o < n->output_count; o++)
        s->outputs[s->first_output[node] + o] = leave;
    find_values(s, node);
    if (n->op == ISA_OP_SWITCH)
        decide(s, node, when);
    else if (n->op == ISA_OP_APPLY)
        apply(s, node, when);
}

static uint32_t needed(const struct arms *s, uint32_t node, uint32_t i)
{
    const struct isa_node *n = &s->graph->nodes[node];
    const uint32_t arcs = s->first_arc[node + 1] - s->first_arc[node];
    if (isa_op_does[n->op].takes == ISA_TAKES_MANY)
        return ISA_CHECK_NONE;
    if (i < arcs) {
        const struct arc *arc = &s->arcs[s->first_arc[node] + i];
        /* The callee may call the caller. */
        return n->op == ISA_OP_RETURN && arc->port == 0 ? node : arc->from.node;
    }
    if (n->op != ISA_OP_EXIT)
        return ISA_CHECK_NONE;
    i += s->first_enter[n->site] - arcs;
    return i < s->first_enter[n->site + 1] ? s->enters[i] : ISA_CHECK_NONE;
}

static void start(struct arms *s, uint32_t node)
{
    s->states[node] = STARTED;
    *LIB_VEC_PUSH(&s->way) = (struct step){node, 0};
}

/* Computes a node after those that it needs; stops at circles, which deadlock. */
static void visit(struct arms *s, uint32_t root)
{
    if (s->states[root] == UNSEEN)
        start(s, root);
    while (s->way.count) {
        struct step *step = &s->way.items[s->way.count - 1];
        const uint32_t next = needed(s, step->node, step->next++);
        if (next == ISA_CHECK_NONE) {
            compute(s, step->node);
            s->states[step->node] = DONE;
            s->way.count--;
        } else if (s->states[next] == UNSEEN) {
            start(s, next);
        }
    }
}

/* Warns if a result of a function comes on one arm only. */
static void check_result(struct arms *s, uint32_t node, const struct conditions *when,
                         uint32_t function, uint32_t part)
{
    if (when->is_never)
        WARN(s, node, "result %u of %.40s never comes", part,
             s->graph->functions[function].name);
    else if (when->count)
        WARN(s, node, "result %u of %.40s comes only %s: else %s for it in vain", part,
             s->graph->functions[function].name,
             in_words(s, when->items[when->count - 1]).text,
             function ? "calls wait" : "the program waits");
}

static void check_arcs(struct arms *s, uint32_t node)
{
    const struct isa_graph *g = s->graph;
    const struct isa_node *n = &g->nodes[node];
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t k = 0; k < n->outputs[o].count; k++) {
            const struct isa_dest to = n->outputs[o].items[k];
            const struct conditions *when = s->outputs[s->first_output[node] + o];
            if (to.node == ISA_TO_RETURN) {
                check_result(s, node, when, isa_node_output_frame(g, n), to.port);
            } else if (isa_graph_is_result_arc(g, to)) {
                check_result(s, node, when, isa_node_output_frame(g, n),
                             g->nodes[to.node].index);
                break; /* the RETURNs of all calls */
            }
        }
}

static void check_results(struct arms *s)
{
    for (uint32_t i = 0; i < s->graph->node_count; i++) {
        const struct isa_node *n = &s->graph->nodes[i];
        if (n->op == ISA_OP_OUTPUT || n->op == ISA_OP_RESULT)
            check_result(s, i, s->fires[i], n->function, n->index);
        else
            check_arcs(s, i);
    }
}

/* Warns that variable `node` of a loop comes only where an earlier variable does not, by its
 * condition `wrong`. Names both, as either may be wrong. */
static void report_variables(struct arms *s, uint32_t node, uint32_t wrong)
{
    const struct isa_node *nodes = s->graph->nodes;
    uint32_t other = 0;
    while (nodes[other].op != ISA_OP_NEXT || nodes[other].site != nodes[node].site ||
           !has(s->fires[other], wrong))
        other++;
    const uint32_t line = isa_check_pos(s->c, other).line;
    char place[32] = "";
    if (line)
        snprintf(place, sizeof place, ", line %u", line);
    WARN(s, node,
         "variable %u comes only %s, but variable %u (%s%s) only where it is %s: the "
         "next iteration never has both",
         nodes[node].index, in_words(s, wrong ^ 1).text, nodes[other].index,
         isa_check_name(s->c, other).text, place, wrong % 2 ? "false" : "true");
}

/* Warns of loop variables that never arrive at one iteration. */
static void check_variables(struct arms *s)
{
    const struct isa_graph *g = s->graph;
    const struct conditions **of_site = lib_mem_new(g->site_count * sizeof *of_site);
    for (uint32_t i = 0; i < g->node_count; i++) {
        const uint32_t site = g->nodes[i].site;
        if (g->nodes[i].op != ISA_OP_NEXT)
            continue;
        const struct conditions *before = of_site[site] ? of_site[site] : s->none;
        const uint32_t wrong = contrary(before, s->fires[i]);
        if (wrong != ISA_CHECK_NONE)
            report_variables(s, i, wrong);
        else
            of_site[site] = both(s, before, s->fires[i]);
    }
    lib_mem_free(of_site);
}

static void number_outputs(struct arms *s)
{
    const struct isa_graph *g = s->graph;
    s->first_output = lib_mem_new(((size_t)g->node_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < g->node_count; i++)
        s->first_output[i + 1] = s->first_output[i] + g->nodes[i].output_count;
}

static void each_arc(struct arms *s,
                     void (*see)(struct arms *s, uint32_t to, const struct arc *arc))
{
    for (uint32_t i = 0; i < s->graph->node_count; i++)
        for (uint32_t o = 0; o < s->graph->nodes[i].output_count; o++)
            for (uint32_t k = 0; k < s->graph->nodes[i].outputs[o].count; k++) {
                const struct isa_dest to = s->graph->nodes[i].outputs[o].items[k];
                if (to.node != ISA_TO_RETURN)
                    see(s, to.node, &(struct arc){{i, o}, to.port});
            }
}

static void count_arc(struct arms *s, uint32_t to, const struct arc *arc)
{
    (void)arc;
    s->first_arc[to + 1]++;
}

static void place_arc(struct arms *s, uint32_t to, const struct arc *arc)
{
    s->arcs[s->first_arc[to]++] = *arc;
}

static void note_arcs(struct arms *s)
{
    const uint32_t count = s->graph->node_count;
    s->first_arc = lib_mem_new(((size_t)count + 1) * sizeof(uint32_t));
    each_arc(s, count_arc);
    for (uint32_t i = 0; i < count; i++)
        s->first_arc[i + 1] += s->first_arc[i];
    s->arcs = lib_mem_new(s->first_arc[count] * sizeof *s->arcs);
    each_arc(s, place_arc);
    memmove(s->first_arc + 1, s->first_arc, count * sizeof *s->first_arc);
    s->first_arc[0] = 0;
}

static void note_enters(struct arms *s)
{
    const struct isa_graph *g = s->graph;
    s->first_enter = lib_mem_new(((size_t)g->site_count + 2) * sizeof(uint32_t));
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_ENTER)
            s->first_enter[g->nodes[i].site + 2]++;
    for (uint32_t i = 0; i < g->site_count; i++)
        s->first_enter[i + 2] += s->first_enter[i + 1];
    s->enters = lib_mem_new(s->first_enter[g->site_count + 1] * sizeof *s->enters);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].op == ISA_OP_ENTER)
            s->enters[s->first_enter[g->nodes[i].site + 1]++] = i;
}

static void check_arms(struct isa_check *c)
{
    struct conditions never = {.is_never = true}, none = {0}, unknown = {.is_cut = true};
    const struct isa_graph *g = c->graph;
    struct arms s = {.c = c,
                     .graph = g,
                     .arena = lib_arena_new(),
                     .operations = lib_name_table_new(),
                     .none = &none,
                     .unknown = &unknown,
                     .never = &never};
    number_outputs(&s);
    note_arcs(&s);
    note_enters(&s);
    const size_t outputs = s.first_output[g->node_count];
    s.states = lib_mem_new(g->node_count * sizeof *s.states);
    s.fires = lib_mem_new(g->node_count * sizeof *s.fires);
    s.outputs = lib_mem_new(outputs * sizeof *s.outputs);
    s.values = lib_mem_new(outputs * sizeof *s.values);
    for (size_t i = 0; i < outputs; i++) {
        s.outputs[i] = s.unknown;
        s.values[i] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        s.fires[i] = s.unknown;
    for (uint32_t i = 0; i < g->node_count; i++)
        visit(&s, i);
    check_results(&s);
    check_variables(&s);
    LIB_MEM_FREE(s.first_arc, s.first_output, s.arcs, s.first_enter, s.enters, s.states);
    LIB_MEM_FREE(s.fires, s.outputs, s.values);
    LIB_VEC_FREE(&s.way);
    lib_name_table_free(s.operations);
    lib_arena_free(s.arena);
}

void isa_check_arms(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags)
{
    const bool is_divided = graph->stage == ISA_STAGE_PARTITIONED;
    struct isa_graph *joined = is_divided ? isa_parts_join(graph) : NULL;
    struct isa_check c = {.graph = joined ? joined : graph,
                          .source = source,
                          .diags = diags,
                          .in_text = places != NULL,
                          .places = places};
    check_arms(&c);
    isa_graph_free(joined);
}
