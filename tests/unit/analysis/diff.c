/* Comparison of two runs. In streams with planted changes, the first difference, what it reaches
 * and its causes are those that a plain walk over all events finds. In real runs the sums over
 * firings are right. Limits of memory and windows do not change what is found. */
#include "analysis/diff/diff.h"

#include "analysis/diff/rows.h"
#include "tests/unit/examples.h"

enum { MAX_CALLS = 300, MAX_QUICK = 60 };

static bool is_long(const struct test_row *row)
{
    return row->calls > (test_is_quick() ? MAX_QUICK : MAX_CALLS);
}

/* --- a run in memory ------------------------------------------------------------------------ */

struct tape {
    const struct isa_graph *graph;
    LIB_VEC(struct traces_event) events;
};

static void record(void *context, const struct traces_event *events, size_t count)
{
    struct tape *tape = context;
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&tape->events) = events[i];
}

static struct tape run(const struct test_program *p,
                       const struct machine_settings *settings, uint64_t seed)
{
    struct tape tape = {.graph = p->graph};
    const struct traces_event_sink sink = {TRACES_LEVEL_ALL, record, &tape};
    const struct sim_simulation_config config = {
        .graph = p->graph,
        .inputs = p->inputs,
        .settings = settings,
        .seed = seed,
        .engine = SIM_ENGINE_MACHINE,
        .sinks = &sink,
        .sink_count = 1,
    };
    struct sim_ending ending;
    struct lib_diags diags = {0};
    ck_assert(sim_simulate(&config, &ending, &diags));
    sim_ending_free(&ending);
    return tape;
}

static struct tape copy_of(const struct tape *tape)
{
    struct tape copy = {.graph = tape->graph};
    record(&copy, tape->events.items, tape->events.count);
    return copy;
}

static int by_depth(const void *x, const void *y)
{
    const struct traces_live_tag *const *a = x, *const *b = y;
    return ((*a)->depth > (*b)->depth) - ((*a)->depth < (*b)->depth);
}

/* What is alive, parents first. */
static void tell_present(const struct traces_live_tags *tags, uint64_t cycle,
                         const struct traces_event_sink *sink)
{
    const struct traces_live_tag **alive = lib_mem_new((tags->count + 1) *
                                                       sizeof(void *));
    size_t count = 0;
    for (size_t i = 0; i < tags->all.count; i++)
        if (tags->all.items[i].tag != TRACES_NONE)
            alive[count++] = &tags->all.items[i];
    qsort(alive, count, sizeof *alive, by_depth);
    for (size_t i = 0; i < count; i++) {
        const struct traces_live_tag_more *more = traces_live_tags_more(tags, alive[i]);
        struct traces_event e = {.kind = TRACES_EVENT_PRESENT,
                                 .cycle = cycle,
                                 .tag = alive[i]->tag,
                                 .a = more->iteration,
                                 .pe = more->pe};
        e.parent = alive[i]->parent;
        e.site = alive[i]->site;
        sink->take(sink->context, &e, 1);
    }
    lib_mem_free(alive);
}

/* Tells a part, in blocks of odd sizes. */
static bool read_tape(void *context, uint64_t from, uint64_t to,
                      const struct traces_event_sink *sink, const atomic_bool *stop)
{
    const struct tape *tape = context;
    const struct traces_event *e = tape->events.items;
    const struct traces_event *end = e + tape->events.count;
    struct traces_live_tags tags;
    traces_live_tags_start(&tags, tape->graph, true);
    for (; from && e < end && e->cycle < from; e++)
        traces_live_tags_note(&tags, e);
    if (from)
        tell_present(&tags, from, sink);
    for (size_t size = 1; e < end && e->cycle < to && !(stop && *stop);
         size = size % 37 + 1)
        for (size_t i = 0; i < size && e < end && e->cycle < to; i++, e++)
            if (traces_event_table[e->kind].level <= sink->level)
                sink->take(sink->context, e, 1);
    traces_live_tags_free(&tags);
    return !(stop && *stop);
}

static struct analysis_source source_of(struct tape *tape)
{
    return (struct analysis_source){tape->graph, TRACES_LEVEL_ALL, read_tape, tape};
}

static struct analysis_diff *compare(struct tape *a, struct tape *b,
                                     const struct analysis_diff_config *config)
{
    static const struct analysis_diff_config usual;
    const struct analysis_source sources[2] = {source_of(a), source_of(b)};
    struct analysis_diff *d = analysis_diff_find(sources, config ? config : &usual);
    ck_assert(d->is_whole);
    return d;
}

/* --- who caused whom, by a plain walk --------------------------------------------------------- */

typedef LIB_VEC(uint32_t) list;

/* Of each firing, in order: its event, and the firings whose tokens it consumed. */
struct web {
    LIB_VEC(struct firing {
        size_t event;
        list causes;
    })
    firings;
};

/* What was sent to a node under an activation, and what a read there waits for. A RETURN of a dead
 * call fires under the caller's tag, where another RETURN may wait. */
struct web_maker {
    const struct isa_graph *graph;
    struct web web;
    uint32_t tags;
    list *operands;  /* by node and tag: firings that sent to it */
    uint32_t *reads; /* by node and tag: the firing that was deferred */
};

static size_t place(const struct web_maker *m, const struct traces_event *e)
{
    const enum isa_op op = m->graph->nodes[e->instr].op;
    const bool is_dead = e->kind == TRACES_EVENT_DEAD ||
                         e->kind == TRACES_EVENT_SENT_DEAD;
    const bool is_apart = is_dead && (op == ISA_OP_RETURN || op == ISA_OP_EXIT);
    ck_assert(e->tag < m->tags);
    return ((size_t)e->instr * m->tags + e->tag) * 2 + is_apart;
}

static void add_once(list *to, uint32_t firing)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->items[i] == firing)
            return;
    *LIB_VEC_PUSH(to) = firing;
}

static uint32_t greatest_tag(const struct tape *tape)
{
    uint32_t greatest = 0;
    for (size_t i = 0; i < tape->events.count; i++) {
        const uint32_t tag = tape->events.items[i].tag;
        greatest = tag != TRACES_NONE && tag > greatest ? tag : greatest;
    }
    return greatest;
}

static struct web web_of(const struct tape *tape)
{
    struct web_maker m = {.graph = tape->graph, .tags = greatest_tag(tape) + 1};
    const size_t places = (size_t)tape->graph->node_count * m.tags * 2;
    m.operands = lib_mem_new(places * sizeof *m.operands);
    m.reads = lib_mem_new(places * sizeof *m.reads);
    uint32_t now = 0, read = UINT32_MAX;
    for (size_t i = 0; i < tape->events.count; i++) {
        const struct traces_event *e = &tape->events.items[i];
        switch (e->kind) {
        case TRACES_EVENT_FIRED:
        case TRACES_EVENT_DEAD:
            now = (uint32_t)m.web.firings.count;
            read = UINT32_MAX;
            *LIB_VEC_PUSH(&m.web.firings) = (struct firing){i, m.operands[place(&m, e)]};
            m.operands[place(&m, e)] = (list){0};
            break;
        case TRACES_EVENT_SENT:
        case TRACES_EVENT_SENT_DEAD:
        case TRACES_EVENT_WOKEN:
            add_once(&m.operands[place(&m, e)], now);
            if (read != UINT32_MAX)
                add_once(&m.operands[place(&m, e)], read);
            break;
        case TRACES_EVENT_DEFERRED:
            m.reads[place(&m, e)] = now;
            break;
        case TRACES_EVENT_ANSWERED:
            read = m.reads[place(&m, e)];
            break;
        case TRACES_EVENT_GONE: /* what was absorbed there is no operand of what comes after */
            for (size_t n = 0; n < tape->graph->node_count; n++) {
                struct traces_event there = *e;
                there.instr = (uint32_t)n;
                LIB_VEC_FREE(&m.operands[place(&m, &there)]);
            }
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < places; i++)
        LIB_VEC_FREE(&m.operands[i]);
    lib_mem_free(m.operands);
    lib_mem_free(m.reads);
    return m.web;
}

static void free_web(struct web *web)
{
    for (size_t i = 0; i < web->firings.count; i++)
        LIB_VEC_FREE(&web->firings.items[i].causes);
    LIB_VEC_FREE(&web->firings);
}

/* Marks what the tokens of a firing reach. */
static bool *reached_by(const struct web *web, size_t from)
{
    bool *reached = lib_mem_new(web->firings.count);
    reached[from] = true;
    for (size_t i = from + 1; i < web->firings.count; i++)
        for (size_t k = 0; k < web->firings.items[i].causes.count; k++)
            reached[i] |= reached[web->firings.items[i].causes.items[k]];
    return reached;
}

/* What a cone must be: of the firings that differ, back from one of them. */
struct expected {
    uint64_t causes, agreeing, since, last_agreeing;
};

static struct expected causes_of(const struct tape *tape, const struct web *web,
                                 const bool *differs, size_t from)
{
    struct expected x = {0};
    const size_t count = web->firings.count;
    bool *is_cause = lib_mem_new(count);
    is_cause[from] = true;
    for (size_t i = from + 1; i-- > 0;) {
        const struct firing *f = &web->firings.items[i];
        if (is_cause[i] && !differs[i] && x.agreeing++ == 0)
            x.last_agreeing = i;
        if (!is_cause[i] || !differs[i])
            continue;
        x.causes++;
        x.since = tape->events.items[f->event].cycle;
        for (size_t k = 0; k < f->causes.count; k++)
            is_cause[f->causes.items[k]] = true;
    }
    lib_mem_free(is_cause);
    x.causes--; /* itself */
    return x;
}

static uint64_t count_marks(const bool *marks, size_t count)
{
    uint64_t marked = 0;
    for (size_t i = 0; i < count; i++)
        marked += marks[i];
    return marked;
}

/* --- faults by hand --------------------------------------------------------------------------- */

static uint32_t drawn = 20261122;

static size_t draw(size_t below)
{
    drawn = drawn * 1103515245 + 12345;
    return (drawn >> 8) % below;
}

static void check_cone(const struct tape *tape, const struct web *web,
                       const bool *differs, const struct analysis_diff *d, size_t from)
{
    const struct expected x = causes_of(tape, web, differs, from);
    ck_assert(d->has_cone && d->cone_side == 0);
    ck_assert_uint_eq(d->cone.differing - 1, x.causes);
    ck_assert_uint_eq(d->cone.agreeing, x.agreeing);
    ck_assert_uint_eq(d->cone.since, x.since);
    if (x.agreeing)
        ck_assert_uint_eq(d->cone.last_agreeing.index, x.last_agreeing);
    ck_assert(!d->cone.is_cut);
    for (size_t i = 0; i < d->cone.chain.count; i++)
        ck_assert(differs[d->cone.chain.items[i].index]);
}

/* A firing, and all that its tokens reach, comes later: that, and nothing else, differs. */
static void check_delay(struct tape *a, const struct web *web, size_t origin)
{
    struct tape b = copy_of(a);
    bool *late = reached_by(web, origin);
    size_t last = origin, count = web->firings.count;
    for (size_t i = 0; i < count; i++)
        if (late[i]) {
            b.events.items[web->firings.items[i].event].cycle += 5;
            last = i;
        }
    const struct analysis_diff_config config = {
        .at_a_time = 30 + draw(300), .most_waiting = draw(2) * (60 + draw(100))};
    struct analysis_diff *d = compare(a, &b, &config);
    ck_assert(!d->is_same && d->first.is_found && d->has_origin);
    ck_assert_uint_eq(d->first.before, web->firings.items[origin].event);
    ck_assert_str_eq(d->first.differs_in, "cycle");
    ck_assert_uint_eq(d->details.items[d->at.origin].fired[0].index, origin);
    ck_assert_uint_eq(d->details.items[d->at.origin].fired[1].cycle,
                      d->details.items[d->at.origin].fired[0].cycle + 5);
    ck_assert_uint_eq(d->reach.reached, count_marks(late, count));
    ck_assert_uint_eq(d->reach.differing, count_marks(late, count));
    ck_assert(!d->shifts->order.is_found);
    check_cone(a, web, late, d, last);
    analysis_diff_free(d);
    lib_mem_free(late);
    LIB_VEC_FREE(&b.events);
}

/* A firing is told with another time at which its result is formed: it alone differs. */
static void check_altered(struct tape *a, const struct web *web, size_t origin)
{
    struct tape b = copy_of(a);
    bool *differs = lib_mem_new(web->firings.count), *reached = reached_by(web, origin);
    differs[origin] = true;
    b.events.items[web->firings.items[origin].event].b += 1;
    struct analysis_diff *d = compare(a, &b, NULL);
    ck_assert_uint_eq(d->first.before, web->firings.items[origin].event);
    ck_assert_str_eq(d->first.differs_in, "formed");
    ck_assert_uint_eq(d->reach.reached, count_marks(reached, web->firings.count));
    ck_assert_uint_eq(d->reach.differing, 1);
    check_cone(a, web, differs, d, origin);
    analysis_diff_free(d);
    lib_mem_free(differs);
    lib_mem_free(reached);
    LIB_VEC_FREE(&b.events);
}

/* A firing is not told: it is only in the first run. */
static void check_dropped(struct tape *a, const struct web *web, size_t origin)
{
    struct tape b = {.graph = a->graph};
    const size_t at = web->firings.items[origin].event;
    bool *differs = lib_mem_new(web->firings.count);
    differs[origin] = true;
    record(&b, a->events.items, at);
    record(&b, a->events.items + at + 1, a->events.count - at - 1);
    struct analysis_diff *d = compare(a, &b, NULL);
    ck_assert_uint_eq(d->first.before, at);
    ck_assert(d->has_origin && d->origin_side == 0);
    ck_assert(!d->details.items[d->at.origin].is_there[1]);
    ck_assert_uint_eq(d->reach.differing, 1);
    ck_assert(d->shifts->order.is_found);
    ck_assert_uint_eq(d->shifts->order.fired[0].index, origin);
    check_cone(a, web, differs, d, origin);
    analysis_diff_free(d);
    /* The other way round it is the second run that has it. */
    d = compare(&b, a, NULL);
    ck_assert(d->has_cone && d->cone_side == 1 && d->origin_side == 1);
    ck_assert_uint_eq(d->reach.differing, 1);
    analysis_diff_free(d);
    lib_mem_free(differs);
    LIB_VEC_FREE(&b.events);
}

/* Any event but the first and the last: what comes first is found. */
static void check_any(struct tape *a)
{
    struct tape b = copy_of(a);
    const size_t at = 1 + draw(a->events.count - 2);
    b.events.items[at].cycle++;
    struct analysis_diff *d = compare(a, &b, NULL);
    ck_assert(!d->is_same && d->first.is_found);
    ck_assert_uint_eq(d->first.before, at);
    analysis_diff_free(d);
    LIB_VEC_FREE(&b.events);
}

static void check_faults(const struct test_row *row, struct test_program *p)
{
    struct machine_settings settings;
    machine_settings_default(&settings);
    settings.pe_count = (int64_t)(1 + draw(8));
    if (is_long(row))
        return;
    if (draw(3) == 0)
        test_set(&settings, "deadness", "propagate");
    struct tape a = run(p, &settings, 1), again = run(p, &settings, 1);
    struct web web = web_of(&a);
    struct analysis_diff *d = compare(&a, &again, NULL);
    ck_assert_msg(d->is_same && d->first.before == a.events.count, "%s", row->program);
    analysis_diff_free(d);
    for (int i = 0; i < 4; i++) {
        check_delay(&a, &web, draw(web.firings.count));
        check_altered(&a, &web, draw(web.firings.count));
        check_dropped(&a, &web, draw(web.firings.count));
        check_any(&a);
    }
    free_web(&web);
    LIB_VEC_FREE(&a.events);
    LIB_VEC_FREE(&again.events);
}

START_TEST(faults_are_found_with_their_causes_and_effects)
{
    test_each_example(check_faults);
    test_each_example_at(ISA_STAGE_EXPANDING, check_faults);
}
END_TEST

/* --- real runs ------------------------------------------------------------------------ */

static int64_t sum_of_cycles(const struct tape *tape, uint64_t *firings)
{
    int64_t sum = 0;
    *firings = 0;
    for (size_t i = 0; i < tape->events.count; i++) {
        const struct traces_event *e = &tape->events.items[i];
        if (e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD) {
            sum += (int64_t)e->cycle;
            ++*firings;
        }
    }
    return sum;
}

static struct analysis_shift sum_of(const struct analysis_diff *d,
                                    enum analysis_cost_by by)
{
    struct analysis_shift sum = {0};
    struct analysis_diff_rows rows = analysis_diff_rows_by(d->alike, d->shifts, by);
    for (size_t i = 0; i < rows.count; i++)
        analysis_shift_add(&sum, &rows.items[i].shift);
    lib_mem_free(rows.items);
    return sum;
}

struct at {
    uint64_t path, cycle;
    uint32_t pe, instr;
};

typedef LIB_VEC(struct at) ats;

static ats firings_of(const struct tape *tape)
{
    ats fired = {0};
    struct traces_live_tags tags;
    traces_live_tags_start(&tags, tape->graph, true);
    for (size_t i = 0; i < tape->events.count; i++) {
        const struct traces_event *e = &tape->events.items[i];
        if (e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD)
            *LIB_VEC_PUSH(&fired) = (struct at){
                traces_live_tags_more(&tags, traces_live_tags_find(&tags, e->tag))->path,
                e->cycle, e->pe, e->instr};
        traces_live_tags_note(&tags, e);
    }
    traces_live_tags_free(&tags);
    return fired;
}

/* The cycle of the first firing at a PE that is not that of the other run; UINT64_MAX: none. */
static uint64_t first_in_other_order(const ats *a, const ats *b, uint32_t pe)
{
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i].pe != pe)
            continue;
        while (j < b->count && b->items[j].pe != pe)
            j++;
        if (j == b->count || a->items[i].path != b->items[j].path ||
            a->items[i].instr != b->items[j].instr)
            return a->items[i].cycle;
        j++;
    }
    return UINT64_MAX;
}

static void check_order(const struct tape *a, const struct tape *b,
                        const struct analysis_order *order)
{
    ats x = firings_of(a), y = firings_of(b);
    uint64_t first = UINT64_MAX;
    for (uint32_t pe = 0; pe < 64; pe++) {
        const uint64_t here = first_in_other_order(&x, &y, pe);
        first = here < first ? here : first;
    }
    if (first != UINT64_MAX) {
        ck_assert(order->is_found && order->is_there[0]);
        ck_assert_uint_eq(order->fired[0].cycle, first);
    }
    LIB_VEC_FREE(&x);
    LIB_VEC_FREE(&y);
}

static const char *const machines[][2] = {
    {"network.latency=3", "network.latency=4"},
    {"placement.policy=random pe.count=4",
     "placement.policy=random pe.count=4 queue.discipline=lifo"},
    {"pe.count=2", "pe.count=8 network.topology=ideal"},
};

static char *text_of(const struct analysis_diff *d)
{
    struct lib_text text = {0};
    for (int people = 0; people < 2; people++) {
        struct lib_findings f;
        lib_findings_start(&f, NULL, people);
        analysis_diff_findings(d, &f);
        lib_findings_write(&f, people ? LIB_FORM_TEXT : LIB_FORM_JSON, NULL, &text);
        lib_findings_free(&f);
    }
    return text.bytes;
}

static void check_machines(const struct test_row *row, struct test_program *p)
{
    if (is_long(row))
        return;
    const size_t i = draw(sizeof machines / sizeof *machines);
    struct machine_settings settings[2];
    for (int side = 0; side < 2; side++) {
        machine_settings_default(&settings[side]);
        test_set_all(&settings[side], machines[i][side]);
    }
    struct tape a = run(p, &settings[0], 1), b = run(p, &settings[1], 2);
    struct analysis_diff *d = compare(&a, &b, NULL);
    uint64_t firings[2];
    const int64_t cycles = sum_of_cycles(&b, &firings[1]) -
                           sum_of_cycles(&a, &firings[0]);
    if (!d->is_same) {
        for (enum analysis_cost_by by = 0; by < ANALYSIS_COST_BY_NOTHING; by++) {
            const struct analysis_shift sum = sum_of(d, by);
            ck_assert_msg(sum.matched == firings[0] && sum.fired[0] == firings[0] &&
                              sum.fired[1] == firings[1],
                          "%s %s", row->program, row->inputs);
            ck_assert_int_eq(sum.sum, cycles);
        }
        check_order(&a, &b, &d->shifts->order);
        const struct analysis_diff_config narrow = {.most_waiting = 100,
                                                    .at_a_time = 100};
        struct analysis_diff *again = compare(&a, &b, &narrow);
        char *x = text_of(d), *y = text_of(again);
        ck_assert_msg(strcmp(x, y) == 0, "%s: narrow is not the same", row->program);
        lib_mem_free(x);
        lib_mem_free(y);
        analysis_diff_free(again);
    }
    analysis_diff_free(d);
    LIB_VEC_FREE(&a.events);
    LIB_VEC_FREE(&b.events);
}

START_TEST(shifts_between_machines_add_up)
{
    test_each_example(check_machines);
    test_each_example_at(ISA_STAGE_EXPANDING, check_machines);
}
END_TEST

/* By both strategies all fires that the other has, but for CALLs that are one APPLY, and JOINs. */
static void check_strategies(const struct test_row *row, struct test_program *p)
{
    if (is_long(row))
        return;
    struct test_program q = test_example_at(row->program, ISA_STAGE_EXPANDING);
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set_inputs(&q, row->inputs);
    struct tape a = run(p, &settings, 0), b = run(&q, &settings, 0);
    struct analysis_diff *d = compare(&a, &b, NULL);
    struct analysis_diff_rows rows = analysis_diff_rows_by(d->alike, d->shifts,
                                                           ANALYSIS_COST_BY_OPCODE);
    uint64_t fired;
    sum_of_cycles(&b, &fired);
    ck_assert_uint_eq(sum_of(d, ANALYSIS_COST_BY_LINE).matched, fired);
    for (size_t i = 0; i < rows.count; i++) {
        const struct analysis_shift *s = &rows.items[i].shift;
        ck_assert_uint_eq(s->fired[1], s->matched);
        ck_assert_msg(s->fired[0] == s->matched ||
                          strcmp(rows.items[i].name, "call") == 0 ||
                          strcmp(rows.items[i].name, "join") == 0,
                      "%s %s: %s", row->program, row->inputs, rows.items[i].name);
    }
    lib_mem_free(rows.items);
    analysis_diff_free(d);
    LIB_VEC_FREE(&a.events);
    LIB_VEC_FREE(&b.events);
    test_program_free(&q);
}

START_TEST(strategies_have_the_same_firings)
{
    test_each_example(check_strategies);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("diff");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, faults_are_found_with_their_causes_and_effects);
    tcase_add_test(tcase, shifts_between_machines_add_up);
    tcase_add_test(tcase, strategies_have_the_same_firings);
    return test_main("diff", tcase);
}
