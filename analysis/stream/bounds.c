/* Lower bounds of the cycles of a run and of what is alive at once. doc/metrics.md ("Bounds") says
 * what each takes as given, and why it holds.
 *
 * The time after the last firing, in which tokens are absorbed, is not part of `cycles`. So the use
 * of a resource counts only if a firing follows. */
#include "analysis/stream/host.h"
#include "analysis/stream/flow.h"
#include "analysis/stream/state_bounds.h"
#include "analysis/stream/stream.h"
#include "isa/op_columns.h"

#include <string.h>

enum bound {
#define BOUND(key, GIVEN, help) BOUND_##key,
#include "analysis/stream/bounds.def"
    BOUND_COUNT,
};

static const struct bound_row {
    const char *key, *given, *help;
} table[BOUND_COUNT] = {
#define NOTHING "any order"
#define PLACEMENT "this placement"
#define WAYS "as it ran"
#define BOUND(key, GIVEN, help) {#key, GIVEN, help},
#include "analysis/stream/bounds.def"
#undef NOTHING
#undef PLACEMENT
#undef WAYS
};

/* The use of a resource that does one thing at a time, in cycles or turns. */
struct tally {
    uint64_t sum, most;
    uint64_t open; /* part of `sum` after the last firing */
};

/* A bank with a limited number of tensor units. */
struct bank {
    uint64_t busy;   /* cycles, summed over units */
    uint64_t *until; /* owned; per unit, the cycle until which it is busy */
};

struct bounds {
    const struct analysis_stream_run *run;
    struct traces_network *network;      /* owned; NULL: one PE, or workers */
    const struct traces_live_tags *live; /* shared by analyses, or `own` */
    struct traces_live_tags own; /* executor: live activations at the delayed event */
    struct analysis_flow flow;
    struct analysis_state_bounds state;
    LIB_VEC(struct traces_event) step; /* executor: events of the current step */
    uint64_t lock, frames; /* cycles with the lock, and frames, of that step */
    uint64_t
        latency[2]; /* minimum latency of the current firing: on any PE; on its own */
    uint64_t least; /* minimum latency of any firing */
    uint64_t spans[2];
    uint64_t firings, busy, cycles;
    LIB_VEC(uint64_t) locked; /* time with the lock, of each executor */
    uint64_t of_class[ISA_UNIT_COUNT];
    struct tally turns, up, down;
    struct tally *pes, *links;    /* owned */
    LIB_VEC(struct tally *) open; /* those with uses after the last firing */
    LIB_VEC(struct bank) banks;   /* of limited tensor units */
    uint64_t shortest; /* minimum number of cycles that a token occupies a link */
};

/* --- tallies ------------------------------------------------------------------------ */

static void note(struct bounds *b, struct tally *t, uint64_t much)
{
    if (t->open == 0)
        *LIB_VEC_PUSH(&b->open) = t;
    t->sum += much;
    t->open += much;
    t->most = much > t->most ? much : t->most;
}

static void close_tallies(struct bounds *b)
{
    for (size_t i = 0; i < b->open.count; i++)
        b->open.items[i]->open = 0;
    b->open.count = 0;
}

/* --- the longest path --------------------------------------------------------------- */

/* Finds the minimum time of a firing, on any PE and on its own. For a tensor kernel it depends on
 * shapes. */
static void find_latency(struct bounds *b, const struct traces_event *e)
{
    const struct isa_node *node = &b->run->graph->nodes[e->instr];
    const uint64_t took = e->b > e->cycle ? e->b - e->cycle : 0;
    if (b->run->machine.has_workers) {
        const struct traces_machine *m = &b->run->machine;
        const uint64_t other = b->lock + b->frames * traces_machine_pe(m, e->pe)->frame;
        const bool may_make = e->kind == TRACES_EVENT_DEAD && isa_op_brings_in(node->op);
        b->latency[0] = b->latency[1] = may_make || took < other ? 0 : took - other;
        if (m->class_count)
            b->latency[0] = 0; /* another worker may be faster */
        if (isa_op_accesses_element(node->op) && m->executors > 1) {
            /* the array may be of another machine: a round trip, which another partition saves */
            const uint64_t trip = 2 * (m->network_latency + 1);
            b->latency[0] -= trip < b->latency[0] ? trip : b->latency[0];
        }
        return;
    }
    const uint64_t latency = traces_machine_latency(&b->run->machine, e->pe, node->op);
    const uint64_t other = latency + traces_machine_pe(&b->run->machine, e->pe)->overflow;
    const bool is_kernel = isa_op_table[node->op].unit == ISA_UNIT_TENSOR;
    const uint64_t more = is_kernel && took > other ? took - other : 0;
    b->latency[0] = traces_machine_least_latency(&b->run->machine, node->op) + more;
    b->latency[1] = latency + more;
}

static void reach(struct bounds *b, const struct analysis_flow_value *at)
{
    for (size_t i = 0; i < 2; i++)
        b->spans[i] = at->at[i] > b->spans[i] ? at->at[i] : b->spans[i];
}

static bool is_upper(const struct bounds *b, uint32_t pe)
{
    return pe >= b->run->machine.pe_count / 2;
}

static void on_turn(void *context, const struct traces_event *e, uint32_t from,
                    struct analysis_flow_value *value)
{
    struct bounds *b = context;
    if (e->kind != TRACES_EVENT_TAKEN || b->run->machine.has_workers ||
        e->pe >= b->run->machine.pe_count)
        return;
    note(b, &b->turns, 1);
    note(b, &b->pes[e->pe], 1);
    if (from == e->pe || from >= b->run->machine.pe_count)
        return;
    if (b->network)
        value->at[1] += traces_machine_min_way(&b->run->machine, b->network, from, e->pe);
    if (is_upper(b, from) != is_upper(b, e->pe))
        note(b, is_upper(b, e->pe) ? &b->up : &b->down, 1);
}

static void on_fire(void *context, const struct traces_event *e,
                    const struct analysis_flow_value *operands, size_t count,
                    struct analysis_flow_value *result)
{
    struct bounds *b = context;
    *result = (struct analysis_flow_value){{0}};
    for (size_t o = 0; o < count; o++)
        for (size_t i = 0; i < 2; i++)
            if (operands[o].at[i] > result->at[i])
                result->at[i] = operands[o].at[i];
    find_latency(b, e);
    result->at[0] += b->latency[0];
    result->at[1] += b->latency[1];
    b->firings++;
    b->of_class[isa_op_table[b->run->graph->nodes[e->instr].op].unit]++;
    b->busy += b->latency[0];
    reach(b, result);
    close_tallies(b);
}

/* An answer follows the turns of both read and write, in any order. An executor reports answers
 * when the worker of the later one ends. */
static void on_answer(void *context, const struct traces_event *e,
                      const struct analysis_flow_value *write,
                      struct analysis_flow_value *answer)
{
    struct bounds *b = context;
    const struct traces_machine *m = &b->run->machine;
    const enum isa_op op = b->run->graph->nodes[e->instr].op;
    const uint64_t read_latency[2] = {
        m->has_workers ? 0 : traces_machine_least_latency(m, op),
        m->has_workers ? 0 : traces_machine_latency(m, e->pe, op)};
    if (analysis_waits_for_host(b->run->graph->nodes[e->instr].op)) {
        /* a host may feed at any time; a worker may still fire what it answers */
        if (b->run->machine.has_workers)
            *answer = (struct analysis_flow_value){{0}};
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        const uint64_t of_read = read_latency[i], of_write = b->latency[i];
        const uint64_t read = answer->at[i] - of_read, written = write->at[i] - of_write;
        if (b->run->machine.has_workers) {
            answer->at[i] = answer->at[i] < write->at[i] ? answer->at[i] : write->at[i];
            continue;
        }
        answer->at[i] = (read > written ? read : written) +
                        (of_read < of_write ? of_read : of_write);
    }
}

static void on_send(void *context, const struct traces_event *e,
                    const struct analysis_flow_value *parked,
                    struct analysis_flow_value *value)
{
    const struct bounds *b = context;
    if (e->kind == TRACES_EVENT_REQUEST &&
        e->a > e->cycle) /* shipped tokens are not formed again */
        value->at[1] += traces_machine_request(&b->run->machine, e->pe);
    /* If the constant came first, it would not be parked and need no result of the HOLD. */
    if (parked)
        *value = *parked;
}

/* A constant can be used from the turn of its HOLD on, after the uses in that cycle. Tokens that
 * came earlier wait for the result. */
static void on_hold(void *context, struct analysis_flow_value *constant)
{
    const struct bounds *b = context;
    const uint64_t soon = b->run->machine.has_workers ? 0 : 1;
    for (size_t i = 0; i < 2; i++)
        constant->at[i] -= b->latency[i] - (b->latency[i] > 0 ? soon : 0);
}

static void on_copy(void *context, const struct traces_event *e,
                    struct analysis_flow_value *result)
{
    struct bounds *b = context;
    const uint64_t copy = traces_machine_copy_time(&b->run->machine, e->a);
    for (size_t i = 0; i < 2 && !b->run->machine.has_workers; i++)
        result->at[i] += copy;
    reach(b, result);
}

/* --- resources ---------------------------------------------------------------------- */

/* Counts a token on a port or link. With finite buffers the event is PASSES, but LEFT for
 * injections. */
static void pass_link(struct bounds *b, const struct traces_event *e)
{
    const uint32_t pes = b->run->machine.pe_count;
    const bool is_port = e->to < 2 * pes;
    if (e->how != TRACES_PLACE_LINK || e->to >= b->run->link_count || e->a <= e->cycle ||
        (e->kind == TRACES_EVENT_PASSES && e->to < pes))
        return;
    if (!is_port && b->run->machine.shares_links)
        return;
    const uint64_t occupied = e->a - e->cycle;
    note(b, &b->links[e->to], occupied);
    if (b->run->link_count == 2 * pes ? e->to < pes : !is_port)
        b->shortest = occupied < b->shortest ? occupied : b->shortest;
}

static void start_batch(struct bounds *b, const struct traces_event *e)
{
    const uint32_t units = b->run->machine.tensor_units;
    if (e->to >= units || e->pe >= b->run->machine.pe_count || e->b <= e->cycle)
        return;
    while (b->banks.count <= e->pe)
        *LIB_VEC_PUSH(&b->banks) = (struct bank){0};
    struct bank *bank = &b->banks.items[e->pe];
    if (!bank->until)
        bank->until = lib_mem_new(units * sizeof *bank->until);
    bank->busy += e->b - e->cycle;
    bank->until[e->to] = e->b;
}

static void hold_lock(struct bounds *b, const struct traces_event *e)
{
    const struct traces_machine *m = &b->run->machine;
    if (e->pe >= m->pe_count || m->executors == 0)
        return;
    while (b->locked.count < m->executors)
        *LIB_VEC_PUSH(&b->locked) = 0;
    b->locked.items[traces_machine_executor(m, e->pe)] += e->b > e->a ? e->b - e->a : 0;
}

static void take_event(struct bounds *b, const struct traces_event *e)
{
    const bool ends = e->kind == TRACES_EVENT_GONE, is_late = b->live == &b->own;
    if (is_late && !ends)
        traces_live_tags_note(&b->own, e);
    analysis_flow_take(&b->flow, e);
    analysis_state_bounds_take(&b->state, b->live, e);
    if (is_late && ends)
        traces_live_tags_note(&b->own, e);
    switch (e->kind) {
    case TRACES_EVENT_LEFT:
    case TRACES_EVENT_PASSES:
        pass_link(b, e);
        break;
    case TRACES_EVENT_BATCH:
        start_batch(b, e);
        break;
    case TRACES_EVENT_LOCK:
        hold_lock(b, e);
        break;
    case TRACES_EVENT_END:
        b->cycles = e->a;
        analysis_flow_free(&b->flow); /* frees memory for other analyses */
        traces_live_tags_free(&b->own);
        break;
    default:
        break;
    }
}

/* Processes a step of an executor. Events of the lock and of frames follow the firing to which they
 * belong. */
static void end_step(struct bounds *b)
{
    const struct traces_event *first = b->step.items;
    b->lock = b->frames = 0;
    for (size_t i = 0; i < b->step.count; i++) {
        const struct traces_event *e = &first[i];
        b->lock += e->kind == TRACES_EVENT_LOCK && e->b > e->cycle ? e->b - e->cycle : 0;
        b->frames += e->kind == TRACES_EVENT_CALL || e->kind == TRACES_EVENT_ITERATION;
    }
    for (size_t i = 0; i < b->step.count; i++)
        take_event(b, &first[i]);
    b->step.count = 0;
}

static void bounds_take(void *state, const struct traces_event *events, size_t count)
{
    struct bounds *b = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        const bool begins = traces_event_is_step(e) || e->kind == TRACES_EVENT_END;
        if (b->run->machine.has_workers && begins)
            end_step(b);
        if (b->run->machine.has_workers && e->kind != TRACES_EVENT_END)
            *LIB_VEC_PUSH(&b->step) = *e;
        else
            take_event(b, e);
    }
}

static void bounds_foresee(void *state, const struct traces_event *events, size_t count)
{
    struct bounds *b = state;
    analysis_flow_foresee(&b->flow, events, count);
}

/* --- the bounds --------------------------------------------------------------------- */

static uint64_t ceiling(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

/* Returns the earliest cycle of the last result of `count` firings in `slots` issue slots. */
static uint64_t in_slots(const struct bounds *b, uint64_t count, uint64_t slots)
{
    if (slots == 0 || count == 0)
        return 0;
    return ceiling(count, slots) - 1 + b->least;
}

static uint64_t passed(const struct bounds *b, uint32_t from, uint32_t to)
{
    uint64_t most = 0;
    for (uint32_t i = from; i < to && i < b->run->link_count; i++) {
        const struct tally *t = &b->links[i];
        const uint64_t sum = t->sum - t->open;
        /* from the forming of the first token to the passing of the last; then something fires */
        const uint64_t bound = sum ? b->least + sum - (t->most < sum ? t->most : sum) +
                                         b->least
                                   : 0;
        most = bound > most ? bound : most;
    }
    return most;
}

static uint64_t between(const struct bounds *b, const struct tally *t, uint32_t links)
{
    const uint64_t tokens = t->sum - t->open;
    if (links == 0 || tokens == 0 || b->shortest == UINT64_MAX)
        return 0;
    return 2 * b->least + (ceiling(tokens, links) - 1) * b->shortest;
}

/* Returns the maximum over banks of the mean busy time of their units, until the end of the run. */
static uint64_t in_tensor_units(const struct bounds *b)
{
    const uint32_t units = b->run->machine.tensor_units;
    uint64_t most = 0;
    for (size_t i = 0; i < b->banks.count; i++) {
        const struct bank *bank = &b->banks.items[i];
        uint64_t busy = bank->busy;
        for (uint32_t u = 0; bank->until && u < units; u++)
            busy -= bank->until[u] > b->cycles ? bank->until[u] - b->cycles : 0;
        busy = ceiling(busy, units);
        most = busy > most ? busy : most;
    }
    return most;
}

/* Returns how many instructions of a class the units of all PEs take in cycles 0 to `last`;
 * UINT64_MAX: those of some PE are not counted. */
static uint64_t taken_by_units(const struct traces_machine *m, size_t unit, uint64_t last)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i <= m->class_count; i++) {
        const struct traces_pe_class *of = traces_machine_kind(m, i);
        const uint64_t pes = of->can >> unit & 1 ? traces_machine_kind_count(m, i) : 0;
        if (pes && !of->counted[unit])
            return UINT64_MAX;
        if (pes)
            taken += pes * of->counted[unit] * (last / of->interval[unit] + 1);
    }
    return taken;
}

/* Returns the min cycles of the firings of a class, whose units are counted: until they have taken
 * all firings, and then the last one takes its time. */
static uint64_t in_counted_units(const struct bounds *b, size_t unit)
{
    const struct traces_machine *m = &b->run->machine;
    const uint64_t firings = b->of_class[unit];
    uint64_t first = 0, last = b->cycles; /* by then all were taken */
    if (firings == 0 || taken_by_units(m, unit, 0) == UINT64_MAX)
        return 0;
    while (first < last) {
        const uint64_t middle = first + (last - first) / 2;
        if (taken_by_units(m, unit, middle) < firings)
            first = middle + 1;
        else
            last = middle;
    }
    return first + b->least;
}

static void find_bounds(const struct bounds *b, uint64_t bounds[BOUND_COUNT])
{
    const struct analysis_stream_run *run = b->run;
    const uint64_t slots = traces_machine_all_units(&run->machine);
    uint32_t halves = 0;
    memset(bounds, 0, BOUND_COUNT * sizeof *bounds);
    bounds[BOUND_span] = b->spans[0];
    bounds[BOUND_placed_span] = b->spans[1];
    for (size_t i = 0; i < b->locked.count; i++)
        bounds[BOUND_lock] = b->locked.items[i] > bounds[BOUND_lock] ? b->locked.items[i]
                                                                     : bounds[BOUND_lock];
    if (run->machine.has_workers) {
        bounds[BOUND_work] = ceiling(b->busy, run->machine.pe_count);
        return;
    }
    for (uint32_t i = 0; i < run->machine.pe_count; i++) {
        const uint64_t turns = b->pes[i].sum - b->pes[i].open;
        const uint64_t own = in_slots(b, turns,
                                      traces_machine_pe(&run->machine, i)->turns);
        uint64_t *most = &bounds[BOUND_busiest_pe];
        *most = own > *most ? own : *most;
    }
    if (b->network && run->link_count)
        halves = traces_network_between_halves(b->network, run->machine.pe_count);
    bounds[BOUND_work] = in_slots(b, b->firings, slots);
    bounds[BOUND_turns] = in_slots(b, b->turns.sum - b->turns.open,
                                   traces_machine_all_turns(&run->machine));
    bounds[BOUND_port] = passed(b, 0, 2 * run->machine.pe_count);
    bounds[BOUND_link] = passed(b, 2 * run->machine.pe_count, run->link_count);
    bounds[BOUND_tensor_units] = in_tensor_units(b);
    for (size_t unit = 0; unit < ISA_UNIT_COUNT; unit++) {
        const uint64_t of_class = in_counted_units(b, unit);
        bounds[BOUND_counted_units] = of_class > bounds[BOUND_counted_units]
                                          ? of_class
                                          : bounds[BOUND_counted_units];
    }
    const uint64_t up = between(b, &b->up, halves), down = between(b, &b->down, halves);
    bounds[BOUND_bisection] = up > down ? up : down;
}

/* --- telling ------------------------------------------------------------------------ */

static bool has_bound(const struct bounds *b, size_t which)
{
    const struct traces_machine *m = &b->run->machine;
    bool is_counted = false;
    for (uint32_t i = 0; i <= m->class_count; i++)
        for (size_t unit = 0; unit < ISA_UNIT_COUNT; unit++)
            is_counted |= traces_machine_kind(m, i)->counted[unit] > 0;
    return (which != BOUND_tensor_units || m->tensor_units > 0) &&
           (which != BOUND_counted_units || is_counted);
}

static void report_bounds(const struct bounds *b, const uint64_t bounds[BOUND_COUNT],
                          size_t nearest, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "cycles", "no run takes fewer cycles");
    LIB_TABLE_COLUMNS(t, "bound", "cycles", "share", "given", "nearest");
    if (f->for_people)
        lib_table_column(t, "what it is");
    t->bar = 2;
    for (size_t i = 0; i < BOUND_COUNT; i++) {
        if (!has_bound(b, i) || (f->for_people && bounds[i] == 0))
            continue;
        lib_table_word(t, table[i].key);
        lib_table_count(t, bounds[i]);
        lib_table_real(t, lib_ratio((double)bounds[i], (double)b->cycles));
        lib_table_word(t, table[i].given);
        lib_table_word(t, i == nearest && bounds[i] ? "yes" : "");
        if (f->for_people)
            lib_table_word(t, table[i].help);
    }
}

/* Returns the minimum number of cycles for the firings of a class of function unit. Tensor kernels
 * can occupy limited units for longer than an issue slot. */
static uint64_t cycles_of_class(const struct bounds *b, size_t unit,
                                const uint64_t bounds[BOUND_COUNT])
{
    const uint64_t slots = traces_machine_all_units(&b->run->machine);
    const uint64_t turns = slots && !b->run->machine.has_workers
                               ? ceiling(b->of_class[unit], slots)
                               : 0;
    const uint64_t busy = unit == ISA_UNIT_TENSOR ? bounds[BOUND_tensor_units] : 0;
    const uint64_t counted = in_counted_units(b, unit);
    const uint64_t most = busy > counted ? busy : counted;
    return most > turns ? most : turns;
}

static void report_units(const struct bounds *b, const uint64_t bounds[BOUND_COUNT],
                         struct lib_findings *f)
{
    static const char *const names[ISA_UNIT_COUNT] = {
#define UNIT(NAME, text, help) text,
        ISA_UNITS(UNIT)
#undef UNIT
    };
    struct lib_table *t = lib_findings_table(
        f, "units",
        has_bound(b, BOUND_tensor_units)
            ? "firings of each class of function unit, over all issue slots; kernels on "
              "tensors over counted tensor units"
            : "firings of each class of function unit, over all issue slots");
    LIB_TABLE_COLUMNS(t, "unit", "firings", "cycles");
    for (size_t i = 0; i < ISA_UNIT_COUNT; i++) {
        if (b->of_class[i] == 0)
            continue;
        lib_table_word(t, names[i]);
        lib_table_count(t, b->of_class[i]);
        lib_table_count(t, cycles_of_class(b, i, bounds));
    }
}

/* Adds the table `roof`, a horizontal line: firings per cycle if the run took no longer than its
 * nearest bound. */
static void report_roof(const struct bounds *b, uint64_t nearest, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "roof", "firings per cycle, if it took no more than its nearest bound");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "mean");
    for (size_t i = 0; i < 2 && nearest; i++) {
        lib_table_count(t, i && b->cycles ? b->cycles - 1 : 0);
        lib_table_count(t, 1);
        lib_table_real(t, (double)b->firings / (double)nearest);
    }
}

static void bounds_report(void *state, struct lib_findings *f)
{
    const struct bounds *b = state;
    uint64_t bounds[BOUND_COUNT];
    size_t nearest = 0;
    find_bounds(b, bounds);
    for (size_t i = 0; i < BOUND_COUNT; i++)
        nearest = bounds[i] > bounds[nearest] ? i : nearest;
    lib_findings_count(f, "cycles", b->cycles, "simulated time");
    lib_findings_count(f, "nearest", bounds[nearest],
                       "the nearest bound: no run takes fewer cycles");
    lib_findings_real(f, "ratio", lib_ratio((double)b->cycles, (double)bounds[nearest]),
                      "cycles / the nearest bound: 1 is the best that can be");
    for (size_t i = 0; i < BOUND_tensor_units; i++)
        lib_findings_count(f, table[i].key, bounds[i], table[i].help);
    analysis_state_bounds_tell(&b->state, f);
    /* last, as the columns of a measure have fixed places */
    for (size_t i = BOUND_tensor_units; i < BOUND_COUNT; i++)
        if (has_bound(b, i))
            lib_findings_count(f, table[i].key, bounds[i], table[i].help);
    report_bounds(b, bounds, nearest, f);
    report_units(b, bounds, f);
    if (!f->for_people)
        report_roof(b, bounds[nearest], f);
    analysis_state_bounds_tell_functions(&b->state, f);
}

/* --- the analysis ------------------------------------------------------------------- */

static void *bounds_make(const struct analysis_stream_run *run)
{
    struct bounds *b = lib_mem_new(sizeof *b);
    const struct analysis_flow_listener listener = {b,       on_turn, on_fire, on_answer,
                                                    on_send, on_hold, on_copy, NULL};
    const struct traces_machine *m = &run->machine;
    b->run = run;
    b->shortest = UINT64_MAX;
    b->least = traces_machine_min_latency(m);
    b->pes = lib_mem_new((run->machine.pe_count + 1) * sizeof *b->pes);
    b->links = lib_mem_new((run->link_count + 1) * sizeof *b->links);
    if (!m->has_workers && m->pe_count > 1)
        b->network = traces_machine_network(m, true);
    b->live = run->machine.has_workers ? &b->own : run->live;
    if (run->machine.has_workers)
        traces_live_tags_start(&b->own, run->graph, false);
    analysis_flow_start(&b->flow, b->live, &listener);
    analysis_state_bounds_start(&b->state, run);
    return b;
}

static void release(void *state)
{
    struct bounds *b = state;
    traces_network_free(b->network);
    analysis_flow_free(&b->flow);
    traces_live_tags_free(&b->own);
    analysis_state_bounds_free(&b->state);
    LIB_VEC_FREE(&b->step, &b->open, &b->locked);
    for (size_t i = 0; i < b->banks.count; i++)
        lib_mem_free(b->banks.items[i].until);
    LIB_VEC_FREE(&b->banks);
    LIB_MEM_FREE(b->pes, b->links, b);
}

extern const struct analysis_stream_kind analysis_bounds;
const struct analysis_stream_kind analysis_bounds = {.make = bounds_make,
                                                     .take = bounds_take,
                                                     .tell = bounds_report,
                                                     .free = release,
                                                     .shares_live = true,
                                                     .foresee = bounds_foresee};
