/* Why a run stopped (sim/explain/stopped.h): 100 runs and more that were made too small for their
 * program. */
#include "sim/explain/stopped.h"

#include "tests/unit/examples.h"

#include <inttypes.h>

enum { MAX_CALLS = 400, PLANTED = 100 };

static struct lib_text what; /* for messages */
static uint64_t planted, circles;

/* A setting that is too small, and what else makes it matter. */
static const struct plant {
    const char *key;
    uint64_t value;
    const char *others;
    bool expanding;
} plants[] = {
    {"queue.capacity", 2, "pe.count=4", false},
    {"queue.capacity", 4, "pe.count=4 network.capacity=2", false},
    {"queue.capacity", 3, "pe.count=1", false},
    {"network.capacity", 1, "pe.count=4", false},
    {"tag.pool", 1, "tag.scheme=pool", false},
    {"tag.pool", 2, "tag.scheme=pool", false},
    {"tag.bits", 1, "tag.scheme=interned", false},
    {"tag.bits", 2, "tag.scheme=interned tag.exhausted=stop", false},
    {"match.capacity", 3, "match.store=frames pe.count=2", false},
    {"match.overflow.capacity", 1, "match.store=hash match.capacity=1 pe.count=1", false},
    {"copy.capacity", 20, "pe.count=2", true},
    {"queue.capacity", 2, "pe.count=4", true},
    {"network.capacity", 1,
     "pe.count=8 network.topology=torus network.routing=adaptive network.channels=3",
     false},
    {"queue.capacity", 4, "pe.count=8 network.topology=mesh network.capacity=1", false},
    {"queue.capacity", 4,
     "pe.count=8 network.topology=ring network.capacity=2 network.speedup=2", false},
    {"queue.capacity", 4, "pe.count=8 network.topology=mesh", false},
    {"memory.capacity", 90, "pe.count=1", false},
    {"memory.capacity", 150, "pe.count=2 swap.threshold=60", false},
};

static struct trial {
    enum isa_end end;
} run_with(const struct isa_code *code, const struct machine_settings *s)
{
    const struct sim_simulation_config config = {
        .code = code, .settings = s, .engine = SIM_ENGINE_MACHINE};
    struct lib_diags diags = {0};
    struct sim_ending ending;
    ck_assert(sim_simulate(&config, &ending, &diags));
    const struct trial trial = {ending.end};
    sim_ending_free(&ending);
    lib_diags_free(&diags);
    return trial;
}

static bool is_out_of_room(enum isa_end end)
{
    return end == ISA_END_STORE_FULL || end == ISA_END_TAGS_EXHAUSTED;
}

/* With the value that was found the run goes on, and with one less it does not. */
static void check_remedy(const struct isa_code *code, const struct machine_settings *s,
                         const struct sim_stopped_remedy *r)
{
    struct machine_settings changed = *s;
    test_set(&changed, r->key, r->value);
    ck_assert_msg(!is_out_of_room(run_with(code, &changed).end),
                  "%s: %s=%s does not help", lib_text_get(&what), r->key, r->value);
    if (!r->fails)
        return;
    char less[32];
    snprintf(less, sizeof less, "%llu", strtoull(r->value, NULL, 10) - 1);
    changed = *s;
    test_set(&changed, r->key, less);
    ck_assert_msg(is_out_of_room(run_with(code, &changed).end), "%s: %s=%s helps, too",
                  lib_text_get(&what), r->key, less);
}

/* Each waits for what the next one is, and the last one for where the circle begins. */
static void check_places(const struct analysis_stopped *w)
{
    for (size_t i = 0; i < w->steps.count; i++) {
        const struct analysis_stopped_step *s = &w->steps.items[i];
        const size_t next = i + 1 < w->steps.count ? i + 1 : w->cycle;
        ck_assert_msg(s->instr != TRACES_NONE && *s->tag == '[', "%s: step %zu",
                      lib_text_get(&what), i);
        if (next == SIZE_MAX)
            continue;
        ck_assert_msg(s->lacks == w->steps.items[next].where &&
                          s->lacks_number == w->steps.items[next].number &&
                          s->lacks_channel == w->steps.items[next].channel,
                      "%s: step %zu does not lead to the next", lib_text_get(&what), i);
    }
    circles += w->cycle != SIZE_MAX;
}

static void check_waits(const struct sim_stopped *found, const struct plant *plant)
{
    const struct analysis_stopped *w = &found->waits;
    const struct analysis_stopped_step *first = w->steps.items;
    if (w->steps.count == 0) { /* the frame of the top level has no room */
        ck_assert_msg(found->ending.stats.cycles == 0, "%s: nothing is said",
                      lib_text_get(&what));
        return;
    }
    if (strstr(plant->key, "queue.") || strstr(plant->key, "network."))
        check_places(w);
    else if (strstr(plant->key, "tag."))
        ck_assert_int_eq(first->lacks, ANALYSIS_STOPPED_IDENTIFIER);
    else if (strstr(plant->key, "copy."))
        ck_assert_int_eq(first->lacks, ANALYSIS_STOPPED_COPY);
    else if (strstr(plant->key, "memory."))
        ck_assert_int_eq(first->lacks, ANALYSIS_STOPPED_MEMORY);
    else
        ck_assert_int_eq(first->lacks, ANALYSIS_STOPPED_STORE);
}

static void check_plant(const char *program, const struct isa_code *code,
                        const struct plant *plant)
{
    struct machine_settings s;
    struct lib_diags diags = {0};
    struct sim_stopped found;
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, plant->value);
    machine_settings_default(&s);
    test_set_all(&s, plant->others);
    test_set(&s, plant->key, value);
    lib_text_clear(&what);
    lib_text_printf(&what, "%s, %s=%s %s", program, plant->key, value, plant->others);
    const struct sim_simulation_config config = {
        .code = code, .settings = &s, .engine = SIM_ENGINE_MACHINE};
    if (!is_out_of_room(run_with(code, &s).end))
        return;
    planted++;
    ck_assert_msg(sim_stopped_find(&config, &found, &diags), "%s", lib_text_get(&what));
    /* Of several queues that are too small the one of PEs is told. */
    const bool is_named = strcmp(found.ending.limit, plant->key) == 0;
    ck_assert_msg(is_named, "%s: it is said to be %s", lib_text_get(&what),
                  found.ending.limit);
    check_waits(&found, plant);
    bool has_own = false;
    for (size_t i = 0; i < found.remedies.count; i++) {
        has_own |= strcmp(found.remedies.items[i].key, plant->key) == 0;
        check_remedy(code, &s, &found.remedies.items[i]);
    }
    ck_assert_msg(has_own, "%s: no value of it is found", lib_text_get(&what));
    sim_stopped_free(&found);
    lib_diags_free(&diags);
}

static void check_static(const struct test_row *row, struct test_program *p)
{
    if (row->calls > (test_is_quick() ? 40 : MAX_CALLS))
        return;
    struct isa_code *code = isa_code_make(p->graph, p->inputs, false);
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        if (plants[i].expanding == code->expands)
            check_plant(row->program, code, &plants[i]);
    isa_code_free(code);
}

START_TEST(what_was_planted_is_found)
{
    planted = circles = 0;
    test_each_example_at(ISA_STAGE_IMAGE, check_static);
    test_each_example_at(ISA_STAGE_EXPANDING, check_static);
    ck_assert_msg(test_is_quick() || planted >= PLANTED, "only %" PRIu64 " were planted",
                  planted);
    ck_assert_uint_gt(circles, 0);
}
END_TEST

/* The program's own fault: what waits is said, and no setting is tried. */
START_TEST(a_deadlock)
{
    struct isa_graph *graph = test_compile(
        "result = a[0]\na = [if i < 2 then a[1 - i] else i | i <- 0 .. 4]\n",
        ISA_STAGE_IMAGE);
    struct machine_settings s;
    struct lib_diags diags = {0};
    struct sim_stopped found;
    machine_settings_default(&s);
    const struct sim_simulation_config config = {
        .graph = graph, .settings = &s, .engine = SIM_ENGINE_MACHINE};
    ck_assert(sim_stopped_find(&config, &found, &diags));
    ck_assert_int_eq(found.ending.end, ISA_END_DEADLOCKED);
    ck_assert(sim_stopped_is(found.ending.end));
    ck_assert_uint_gt(found.ending.waiting.length, 0);
    ck_assert_uint_eq(found.runs, 0);
    sim_stopped_free(&found);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("stopped");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, what_was_planted_is_found);
    tcase_add_test(tcase, a_deadlock);
    const int status = test_main("stopped", tcase);
    lib_text_free(&what);
    return status;
}
