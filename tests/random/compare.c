#include "tests/random/compare_engine.h"

#include "analysis/derive.h"
#include "isa/fire/interp.h"
#include "programs/partition/partition.h"
#include "lib/hash.h"
#include "machine/state.h"
#include "programs/compile.h"
#include "programs/syntax/parse.h"
#include "programs/syntax/print.h"
#include "programs/types/infer.h"
#include "programs/types/resolve.h"
#include "tests/random/shuffle.h"
#include "tests/unit/recount.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
    STEPS_MAX = 4000000,   /* of the evaluator */
    TOKENS_MAX = 20000000, /* of an engine */
};

const char *compare_verdict_text(enum compare_verdict verdict)
{
    static const char *const texts[] = {
#define VERDICT(NAME, text) text,
        COMPARE_VERDICTS(VERDICT)
#undef VERDICT
    };
    return texts[verdict];
}

bool compare_found(struct compare_report *report, enum compare_verdict verdict,
                   const char *format, ...)
{
    va_list ap;
    if (report->verdict != COMPARE_SAME)
        return false;
    report->verdict = verdict;
    va_start(ap, format);
    lib_text_vprintf(&report->why, format, ap);
    va_end(ap);
    return false;
}

/* --- settings ------------------------------------------------------------------------- */

/* Of preset `ideal`: one cycle per instruction, a free network. */
static void ideal_settings(struct machine_settings *s)
{
    machine_settings_default(s);
    s->pe_count = 1;
    s->pe_units = 0;
    s->match_latency = s->fetch_latency = s->form_latency = 0;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        s->latency[unit] = 1;
    s->network_topology = MACHINE_NETWORK_IDEAL;
    s->network_latency = 0;
    s->copy_latency = s->copy_node_latency = 0;
}

/* --- engines -------------------------------------------------------------------------- */

static void keep_outcome(struct compare_outcome *o, const struct isa_exec *exec,
                         enum isa_end end)
{
    const struct isa_counts *c = &exec->counts;
    o->end = end;
    o->live = c->live;
    o->stats.value_digest = c->value_digest;
    o->stats.firings = c->firings;
    o->stats.dead_firings = c->dead_firings;
    o->stats.span = c->span;
    o->stats.calls = exec->tags.created;
    o->stats.loop_iterations = exec->tags.iterations;
    o->stats.tokens = c->tokens;
    o->stats.dead_tokens = c->dead_tokens;
    o->stats.one_operand = c->one_operand;
    o->stats.peak_tag_depth = exec->tags.deepest;
    o->stats.copied_nodes = exec->tags.copied_nodes;
    o->stats.sends = exec->carried.sends;
    o->stats.dead_sends = exec->carried.dead_sends;
    o->stats.receives = exec->carried.receives;
    o->stats.dead_receives = exec->carried.dead_receives;
    o->stats.tag_sends = exec->carried.tag_sends;
    o->stats.tag_receives = exec->carried.tag_receives;
    o->stats.tag_tokens = exec->carried.tag_tokens;
    if (end == ISA_END_COMPLETED) {
        isa_exec_check_quiet(exec);
        isa_exec_write_result(exec, &o->result);
    }
}

/* A NaN is always the same one. */
static bool check_nans(struct comparison *cmp, const struct isa_exec *exec)
{
    const struct isa_function *top = &cmp->image->functions[0];
    for (uint32_t i = 0; i < top->result_count; i++) {
        isa_value v = exec->results[i];
        if (top->results[i] == ISA_REAL && isnan(isa_value_real(v)) && v != ISA_NAN)
            return compare_found(cmp->report, COMPARE_RESULT, "another NaN");
    }
    return true;
}

static void run_interpreter(struct comparison *cmp, bool propagate, bool measures,
                            struct compare_outcome *o)
{
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32,
                                             .tokens = TOKENS_MAX};
    struct isa_interp interp;
    *o = (struct compare_outcome){.who = measures ? "interp" : "interp, not measuring",
                                  .propagate = propagate};
    isa_interp_run(&interp, cmp->code[propagate], &limits, measures, NULL);
    keep_outcome(o, &interp.exec, interp.end);
    if (interp.end == ISA_END_COMPLETED)
        check_nans(cmp, &interp.exec);
    isa_interp_free(&interp);
}

static void run_shuffled(struct comparison *cmp, bool propagate,
                         struct compare_outcome *o)
{
    struct isa_exec exec;
    const char *wrong;
    *o = (struct compare_outcome){.who = "any order", .propagate = propagate};
    enum isa_end end = shuffle_run(&exec, cmp->code[propagate],
                                   draw_below(&cmp->draw, UINT64_MAX), TOKENS_MAX,
                                   cmp->report->fired, &wrong);
    if (wrong)
        compare_found(cmp->report, COMPARE_ENGINES, "%s: %s", o->who, wrong);
    keep_outcome(o, &exec, end);
    isa_exec_free(&exec);
}

/* How a machine is run. */
enum how { PLAIN, PROFILED }; /* PLAIN: by the plain engine, if it is able to */

static void keep_profile(struct compare_outcome *o, const struct traces_profile *profile)
{
    const struct traces_histogram *h = &profile->ideal;
    o->ideal_hash = 1;
    for (size_t i = 0; i < traces_histogram_ranges(h, TRACES_PROFILE_BINS); i++) {
        const struct traces_range r = traces_histogram_range(h, TRACES_PROFILE_BINS, i);
        o->ideal += r.firings;
        o->ideal_hash = lib_hash_mix(o->ideal_hash + r.firings) + r.width;
    }
    const size_t bins = traces_histogram_ranges(&profile->actual, TRACES_PROFILE_BINS);
    for (size_t i = 0; i < bins; i++)
        o->actual +=
            traces_histogram_range(&profile->actual, TRACES_PROFILE_BINS, i).firings;
}

/* All firings are in both profiles, however the run ended; the ideal one is that of every
 * machine. */
static void check_profile(struct comparison *cmp, const struct compare_outcome *o)
{
    if (o->actual != o->stats.firings || o->ideal != o->stats.firings)
        compare_found(cmp->report, COMPARE_COUNTS,
                      "%s: profiles of %" PRIu64 " and %" PRIu64 " firings, of %" PRIu64,
                      o->who, o->actual, o->ideal, o->stats.firings);
    if (o->end != ISA_END_COMPLETED)
        return;
    if (cmp->ideal_hash && o->ideal_hash != cmp->ideal_hash)
        compare_found(cmp->report, COMPARE_COUNTS, "%s: another ideal profile", o->who);
    cmp->ideal_hash = o->ideal_hash;
}

/* What the events of a run say is what its statistics say. */
static void check_events(struct comparison *cmp, struct recount *events,
                         const struct compare_outcome *o)
{
    recount_compare(events, &o->stats);
    if (*events->wrong)
        compare_found(cmp->report, COMPARE_COUNTS, "%s: events: %s", o->who,
                      events->wrong);
    recount_free(events);
}

/* One machine in three has run before and was reset. Where the plain engine would not run
 * anyway, the run is always profiled. Every second program tells its events. */
static void run_machine(struct comparison *cmp, struct machine_settings s, enum how how,
                        struct compare_outcome *o)
{
    struct traces_profile profile = {0};
    const bool propagate = s.deadness == MACHINE_PROPAGATE;
    lib_text_clear(&cmp->who);
    draw_write_all(&s, &cmp->compile, &cmp->who);
    cmp->report->settings = s;
    cmp->report->compile = cmp->compile;
    s.limit_tokens = TOKENS_MAX;
    struct machine *m = machine_new(cmp->code[propagate], &s, cmp->c->seed);
    if (cmp->c->seed % 3 == 1 && machine_can_be_reset(&s)) {
        machine_advance_to(m, 1 + cmp->c->seed % 997, 1 + cmp->c->seed % 4999);
        machine_reset(m, cmp->code[propagate], cmp->c->seed);
    }
    const bool is_plain = m->run.is_plain, profiled = how != PLAIN || !is_plain;
    const bool told = cmp->c->seed % 2;
    struct recount events;
    struct traces_event_sink sinks[2];
    struct compare_bounds *bounds = compare_bounds_start(cmp->image, &s, &sinks[0]);
    sinks[1] = (struct traces_event_sink){TRACES_LEVEL_QUEUES, recount_take, &events};
    if (told) {
        recount_start(&events, cmp->image, &s);
        recount_queues(&events);
    }
    if (profiled)
        traces_profile_start(&profile);
    machine_observe_start(m, NULL, profiled ? &profile : NULL);
    machine_listen(m, sinks, (size_t)(bounds != NULL) + told);
    while (machine_advance(m, UINT64_MAX / 2))
        ;
    machine_observe_end(m);
    *o = (struct compare_outcome){.who = lib_text_get(&cmp->who), .propagate = propagate};
    o->executes = s.executor_workers > 0;
    o->is_plain = is_plain;
    machine_measure(m, &o->stats);
    if (s.partition_releases == MACHINE_RELEASES_MESSAGES)
        o->told = o->stats.releases;
    analysis_derive(&o->stats);
    keep_outcome(o, machine_exec(m), machine_end(m));
    if (bounds)
        compare_bounds_end(bounds, cmp->is_ideal, cmp->report, o->who);
    if (told)
        check_events(cmp, &events, o);
    if (profiled) {
        keep_profile(o, &profile);
        check_profile(cmp, o);
        traces_profile_free(&profile);
    }
    machine_free(m);
}

static void forget(struct compare_outcome *o)
{
    lib_text_free(&o->result);
    traces_stats_free(&o->stats);
}

/* Compares an engine with the interpreter, and forgets it. */
static bool check_engine(struct comparison *cmp, struct compare_outcome *o)
{
    const bool good = compare_engine(cmp, o);
    forget(o);
    return good;
}

/* --- the comparison ------------------------------------------------------------------- */

/* The interpreter where it measures nothing has code of its own. */
static bool check_not_measuring(struct comparison *cmp)
{
    const struct compare_outcome *r = &cmp->reference[0];
    struct compare_outcome o;
    run_interpreter(cmp, false, false, &o);
    bool good = true;
    if (o.end != r->end)
        good = compare_found(cmp->report, COMPARE_END, "%s: %s, interp: %s", o.who,
                             compare_end_text(o.end), compare_end_text(r->end));
    else if (strcmp(lib_text_get(&o.result), lib_text_get(&r->result)) != 0)
        good = compare_found(cmp->report, COMPARE_RESULT, "%s: %s, interp: %s", o.who,
                             lib_text_get(&o.result), lib_text_get(&r->result));
    else if (o.end != ISA_END_TRAPPED)
        good = compare_count(cmp, &o, "tokens", o.stats.tokens, r->stats.tokens) &&
               compare_count(cmp, &o, "tokens not consumed", o.live, r->live);
    forget(&o);
    return good;
}

/* The interpreter against the evaluator; then it is the reference for all others. */
static bool compare_interpreter(struct comparison *cmp,
                                const struct evaluate_outcome *expected)
{
    enum isa_end end = expected->end == EVALUATE_COMPLETED    ? ISA_END_COMPLETED
                       : expected->end == EVALUATE_DEADLOCKED ? ISA_END_DEADLOCKED
                                                              : ISA_END_TRAPPED;
    const struct compare_outcome *o = &cmp->reference[0];
    for (int propagate = 0; propagate < 2; propagate++)
        run_interpreter(cmp, propagate, true, &cmp->reference[propagate]);
    /* What fails may stand behind what waits forever, as the trigger of an instruction. */
    if (o->end == ISA_END_DEADLOCKED && expected->deadlocks)
        end = ISA_END_DEADLOCKED;
    const bool as_written = cmp->compile.optimise == 0;
    if (!as_written && end != ISA_END_COMPLETED &&
        (o->end == ISA_END_DEADLOCKED || o->end == ISA_END_TRAPPED))
        end = o->end;
    if (o->end != end)
        return compare_found(cmp->report, COMPARE_END, "interp: %s, evaluator: %s",
                             compare_end_text(o->end), compare_end_text(end));
    if (end == ISA_END_COMPLETED &&
        strcmp(lib_text_get(&o->result), lib_text_get(&expected->result)) != 0)
        return compare_found(cmp->report, COMPARE_RESULT, "interp: %s, evaluator: %s",
                             lib_text_get(&o->result), lib_text_get(&expected->result));
    if (as_written && end == ISA_END_COMPLETED && o->stats.calls != expected->calls)
        return compare_found(cmp->report, COMPARE_CALLS,
                             "interp: %" PRIu64 " calls, evaluator: %" PRIu64,
                             o->stats.calls, expected->calls);
    if (as_written && end == ISA_END_COMPLETED &&
        o->stats.loop_iterations != expected->iterations)
        return compare_found(cmp->report, COMPARE_ITERATIONS,
                             "interp: %" PRIu64 " iterations, evaluator: %" PRIu64,
                             o->stats.loop_iterations, expected->iterations);
    if (!check_not_measuring(cmp))
        return false;
    struct compare_outcome other = cmp->reference[1];
    other.who = "interp, deadness=propagate";
    other.result = (struct lib_text){0};
    lib_text_puts(&other.result, lib_text_get(&cmp->reference[1].result));
    return check_engine(cmp, &other);
}

/* Whether a run shows nothing of its engine. */
static bool check_same(struct comparison *cmp, const struct compare_outcome *o,
                       const struct compare_outcome *other)
{
    const struct traces_stats *a = &o->stats, *b = &other->stats;
    if (o->end != other->end)
        return compare_found(cmp->report, COMPARE_ENGINES, "%s: %s, general: %s", o->who,
                             compare_end_text(o->end), compare_end_text(other->end));
    if (o->end != ISA_END_COMPLETED)
        return true; /* a failure ends the run in the middle of a cycle */
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *row = &traces_stat_table[i];
        uint64_t x = traces_stat_integer(a, row), y = traces_stat_integer(b, row);
        if (x != y)
            return compare_found(cmp->report, COMPARE_ENGINES,
                                 "%s: %s %" PRIx64 ", general: %" PRIx64, o->who,
                                 row->key, x, y);
    }
    if (memcmp(a->pe, b->pe, a->pe_count * sizeof *a->pe) != 0)
        return compare_found(cmp->report, COMPARE_ENGINES, "%s: statistics of PEs",
                             o->who);
    return true;
}

static bool compare_machine(struct comparison *cmp, const struct machine_settings *s)
{
    struct compare_outcome o, general;
    run_machine(cmp, *s, PLAIN, &o);
    if ((o.end == ISA_END_STORE_FULL && draw_may_fill(s)) ||
        (o.end == ISA_END_TAGS_EXHAUSTED && draw_may_exhaust(s))) {
        forget(&o);
        return true;
    }
    if (!o.is_plain)
        return check_engine(cmp, &o);
    run_machine(cmp, *s, PROFILED, &general);
    const bool good = check_same(cmp, &o, &general);
    forget(&general);
    if (!good)
        forget(&o);
    return good && check_engine(cmp, &o);
}

static void run_on_platform(void *context, const struct machine_settings *s)
{
    struct comparison *cmp = context;
    struct machine_settings fit = *s;
    struct compare_outcome o;
    if (cmp->code[0]->schedules)
        fit.deadness = MACHINE_PROPAGATE; /* RECVs that are scheduled need hiatons */
    run_machine(cmp, fit, PLAIN, &o);
    check_engine(cmp, &o);
}

/* Whether a loop of the program bounds its iterations, which takes time. */
static bool has_bound(const struct isa_graph *graph)
{
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (graph->functions[f].bound && graph->functions[f].bound != ISA_LOOP_UNBOUNDED)
            return true;
    return false;
}

static bool compare_ideal(struct comparison *cmp, bool propagate)
{
    struct machine_settings s;
    struct compare_outcome o, profiled;
    ideal_settings(&s);
    s.deadness = propagate;
    cmp->is_ideal = !propagate && !has_bound(cmp->image);
    run_machine(cmp, s, PLAIN, &o);
    run_machine(cmp, s, PROFILED, &profiled);
    cmp->is_ideal = false;
    bool good = check_same(cmp, &o, &profiled);
    forget(&profiled);
    if (good && o.end == ISA_END_COMPLETED && !propagate && !has_bound(cmp->image))
        good = compare_count(cmp, &o, "cycles", o.stats.cycles, o.stats.span);
    if (!good)
        forget(&o);
    return good && check_engine(cmp, &o);
}

/* The same program divided among machines at random, function by function or by METIS; each third
 * one is also run by the interpreter, and in any order, which know no machines. */
static bool compare_divided(struct comparison *cmp)
{
    static const enum programs_partition_by ways[] = {
        PROGRAMS_PARTITION_RANDOM, PROGRAMS_PARTITION_RANDOM, PROGRAMS_PARTITION_RANDOM,
        PROGRAMS_PARTITION_FUNCTION, PROGRAMS_PARTITION_METIS};
    struct isa_graph *const image = cmp->image;
    struct isa_code *const code[] = {cmp->code[0], cmp->code[1]};
    struct machine_settings s;
    struct lib_diags diags = {0};
    struct compare_outcome o;
    bool good = true;
    draw_settings(&cmp->draw, &s);
    const uint64_t way = draw_below(&cmp->draw, programs_partition_has_metis() ? 5 : 4);
    if (cmp->c->seed % 2)
        s.partition_releases = MACHINE_RELEASES_MESSAGES;
    struct programs_partition_choice choice = {
        .by = ways[way],
        .machines = 2 + (uint32_t)draw_below(&cmp->draw, 3),
        .seed = draw_below(&cmp->draw, 1000),
        .schedules = cmp->c->seed % 2 == 0,
    };
    if (choice.schedules)
        s.deadness = MACHINE_PROPAGATE;
    if (s.cluster_nodes)
        choice.machines = (uint32_t)s.cluster_nodes;
    else
        while (s.pe_count % choice.machines)
            choice.machines--;
    cmp->image = programs_partition(image, &choice, &diags);
    if (!cmp->image) {
        cmp->image = image;
        return compare_found(cmp->report, COMPARE_COMPILER, "partition: %s",
                             diags.items[0].text);
    }
    for (int propagate = 0; propagate < 2; propagate++)
        cmp->code[propagate] = isa_code_make(cmp->image, NULL, propagate);
    if (cmp->c->seed % 3 == 0) {
        run_interpreter(cmp, s.deadness == MACHINE_PROPAGATE, true, &o);
        good = check_engine(cmp, &o);
        run_shuffled(cmp, s.deadness == MACHINE_PROPAGATE, &o);
        good = check_engine(cmp, &o) && good;
    }
    good = good && compare_machine(cmp, &s);
    good = good && compare_on_platform(cmp->c, choice.machines, run_on_platform, cmp,
                                       cmp->report);
    for (int propagate = 0; propagate < 2; propagate++) {
        isa_code_free(cmp->code[propagate]);
        cmp->code[propagate] = code[propagate];
    }
    isa_graph_free(cmp->image);
    cmp->image = image;
    lib_diags_free(&diags);
    return good;
}

/* Says so if what was found was found by a machine. */
static bool on_machine(struct comparison *cmp, bool good)
{
    good &= cmp->report->verdict == COMPARE_SAME; /* profiles are looked at on the way */
    cmp->report->on_machine = !good;
    return good;
}

static bool compare_engines(struct comparison *cmp)
{
    struct compare_outcome o;
    struct machine_settings s;
    for (int propagate = 0; propagate < 2; propagate++) {
        run_shuffled(cmp, propagate, &o);
        if (!check_engine(cmp, &o) || cmp->report->verdict != COMPARE_SAME)
            return false;
    }
    bool good = compare_ideal(cmp, false) && compare_ideal(cmp, true);
    for (int i = 0; i < 2 && good; i++) {
        draw_settings(&cmp->draw, &s);
        if (i == 0)
            draw_unlimited(&s);
        draw_classes(cmp->draw, &s);
        draw_capable(&s, cmp->image);
        good = compare_machine(cmp, &s);
    }
    if (good) {
        draw_executor(&cmp->draw, &s);
        good = compare_machine(cmp, &s);
    }
    if (good && cmp->c->settings)
        good = compare_machine(cmp, cmp->c->settings);
    if (good && cmp->image->stage == ISA_STAGE_IMAGE)
        good = compare_divided(cmp);
    else if (good)
        good = compare_on_platform(cmp->c, 0, run_on_platform, cmp, cmp->report);
    return on_machine(cmp, good);
}

static void compare_images(struct comparison *cmp,
                           const struct evaluate_outcome *expected)
{
    for (int propagate = 0; propagate < 2; propagate++)
        cmp->code[propagate] = isa_code_make(cmp->image, NULL, propagate);
    if (compare_interpreter(cmp, expected) && compare_engines(cmp))
        compare_forms(&cmp->source, &cmp->options, cmp->image,
                      lib_text_get(&cmp->printed), cmp->report);
    for (int propagate = 0; propagate < 2; propagate++) {
        isa_code_free(cmp->code[propagate]);
        forget(&cmp->reference[propagate]);
    }
}

/* The compiler refuses a program. Only when its types are known does it find that a `case` has no
 * arm for some value. */
static void found_error(struct comparison *cmp, const struct lib_diags *diags)
{
    const struct lib_diag *d = diags->items;
    while (d->warning && d + 1 < diags->items + diags->count)
        d++;
    compare_found(cmp->report,
                  d->code == LIB_DIAG_TYPE ? COMPARE_INVALID : COMPARE_COMPILER, "%s",
                  d->text);
}

/* The program by one strategy. As the interpreter is compared with the evaluator, result,
 * calls and iterations are the same by both. */
static void compare_strategy(struct comparison *cmp, enum isa_stage stage,
                             const struct evaluate_outcome *expected)
{
    struct lib_diags diags = {0};
    cmp->ideal_hash = 0;
    cmp->image = programs_compile(&cmp->source, &cmp->options, stage, &diags);
    if (cmp->image)
        compare_images(cmp, expected);
    else
        found_error(cmp, &diags);
    isa_graph_free(cmp->image);
    lib_diags_free(&diags);
}

static void compare_tree(struct comparison *cmp, const struct programs_ast *ast)
{
    struct evaluate_outcome expected;
    const struct programs_settings *own = &cmp->compile;
    evaluate(ast, STEPS_MAX, cmp->c->mistake,
             own->array_generator == PROGRAMS_ARRAYS_TREE ? own->array_strand : 0,
             &expected);
    cmp->report->failed = expected.end == EVALUATE_FAILED ||
                          expected.end == EVALUATE_DEADLOCKED;
    cmp->report->calls = expected.calls;
    if (expected.end == EVALUATE_LIMIT) {
        compare_found(cmp->report, COMPARE_UNBOUNDED, "the evaluator gave up");
    } else {
        compare_strategy(cmp, ISA_STAGE_IMAGE, &expected);
        if (cmp->report->verdict == COMPARE_SAME)
            compare_strategy(cmp, ISA_STAGE_EXPANDING, &expected);
    }
    lib_text_free(&expected.result);
}

void compare(const struct compare_case *c, struct compare_report *report)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    *report = (struct compare_report){0};
    struct comparison cmp = {
        .c = c,
        .report = report,
        .draw = {.seed = c->seed},
        .source = {"program.df", c->text, strlen(c->text)},
    };
    cmp.compile = c->compile;
    if (!c->settings) {
        cmp.compile.loop_constants = draw_below(&cmp.draw, 2);
        draw_arrays(c->seed, &cmp.compile);
        if (c->optimises)
            draw_passes(c->seed, &cmp.compile);
    }
    cmp.options.settings = &cmp.compile;
    struct programs_ast *ast = programs_parse(arena, &cmp.source, &diags);
    if (ast)
        programs_print(ast, &cmp.printed); /* inference changes functions of data */
    if (ast && programs_resolve(ast, &diags) && programs_infer(ast, &diags)) {
        compare_tree(&cmp, ast);
    } else {
        report->verdict = COMPARE_INVALID;
        lib_diags_write(&diags, &report->why);
    }
    lib_text_free(&cmp.who);
    lib_text_free(&cmp.printed);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}
