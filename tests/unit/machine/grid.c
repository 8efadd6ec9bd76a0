/* Machines on platforms: results do not depend on the network, SimGrid and the native model agree
 * about the time of many messages, and all is reproducible. Each run has its own process, as
 * SimGrid has one platform per process. */
#include "lib/hash.h"
#include "machine/simgrid/carrier.h"
#include "machine/simgrid/grid.h"
#include "tests/random/draw_platform.h"
#include "tests/random/generate.h"
#include "tests/unit/support.h"

#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t below(uint64_t *state, uint64_t most)
{
    *state = lib_hash_mix(*state + 1);
    return *state % most;
}

/* --- programs ------------------------------------------------------------------------- */

/* What another process has found. */
struct found {
    enum isa_end end;
    char result[1024];
    uint64_t firings, calls, span, value_digest, timing_digest, cycles;
};

static struct found of_outcome(struct test_outcome *o)
{
    struct found f = {o->end,
                      "",
                      o->stats.firings,
                      o->stats.calls,
                      o->stats.span,
                      o->stats.value_digest,
                      o->stats.timing_digest,
                      o->stats.cycles};
    memcpy(f.result, o->result, sizeof f.result);
    traces_stats_free(&o->stats);
    return f;
}

static void run_there(void *context, void *found)
{
    const struct sim_simulation_config *config = context;
    struct test_outcome o = test_simulate(config);
    *(struct found *)found = of_outcome(&o);
}

static struct found run_timed(const struct isa_graph *graph,
                              const struct machine_settings *settings,
                              const struct traces_timing *timing)
{
    struct sim_simulation_config config = {.graph = graph,
                                           .settings = settings,
                                           .engine = SIM_ENGINE_MACHINE,
                                           .timing = timing};
    struct found found;
    ck_assert(draw_apart(run_there, &config, &found, sizeof found));
    return found;
}

static struct found run_apart(const struct isa_graph *graph,
                              const struct machine_settings *settings)
{
    return run_timed(graph, settings, NULL);
}

/* doc/model.md, "Instructions with times of their own": with the times of the settings all is as
 * long as it was. */
static void check_ticks(const struct isa_graph *graph, const struct machine_settings *s,
                        const struct found *expected, uint64_t seed)
{
    enum { TICKS = 20 };
    struct lib_diags diags = {0};
    uint32_t *latency = lib_mem_new((graph->node_count + 1) * sizeof *latency);
    uint32_t *slot = lib_mem_new((graph->node_count + 1) * sizeof *slot);
    const struct traces_timing timing = {TICKS, latency, slot};
    const uint64_t stages = s->match_latency + s->fetch_latency + s->form_latency;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const enum isa_unit unit = isa_op_table[graph->nodes[n].op].unit;
        latency[n] = TICKS * (uint32_t)(stages + s->latency[unit]);
        slot[n] = TICKS;
    }
    if (machine_timing_fits(s, &diags) && s->limit_cycles == 0) {
        const struct found found = run_timed(graph, s, &timing);
        ck_assert_msg(found.end == expected->end &&
                          found.value_digest == expected->value_digest &&
                          found.cycles == TICKS * expected->cycles,
                      "seed %u: %u ticks, and %u cycles", (unsigned)seed,
                      (unsigned)found.cycles, (unsigned)expected->cycles);
    }
    lib_diags_free(&diags);
    lib_mem_free(latency);
    lib_mem_free(slot);
}

START_TEST(random_programs_do_the_same_on_random_platforms)
{
    enum { SIZE = 40 };
    const uint64_t programs = test_is_quick() ? 40 : 500;
    uint64_t completed = 0;
    for (uint64_t seed = 1; seed <= programs; seed++) {
        struct lib_text text = {0};
        struct machine_settings s;
        struct draw_platform platform;
        generate(seed, SIZE, GENERATE_LOOPS | GENERATE_ARRAYS, &text);
        draw_platform(seed, 0, &s, &platform);
        struct isa_graph *graph = test_compile(lib_text_get(&text), ISA_STAGE_IMAGE);
        struct test_outcome o = test_interp(graph, NULL, s.deadness == MACHINE_PROPAGATE);
        const struct found expected = of_outcome(&o), found = run_apart(graph, &s);
        ck_assert_msg(found.end == expected.end, "seed %u: ended otherwise",
                      (unsigned)seed);
        if (found.end == ISA_END_COMPLETED) {
            ck_assert_msg(strcmp(found.result, expected.result) == 0 &&
                              found.firings == expected.firings &&
                              found.calls == expected.calls &&
                              found.span == expected.span &&
                              found.value_digest == expected.value_digest,
                          "seed %u: not as the interpreter", (unsigned)seed);
            completed++;
            if (seed % 4 == 0)
                check_ticks(graph, &s, &found, seed);
        }
        if (seed % 8 == 0) {
            const struct found again = run_apart(graph, &s);
            ck_assert_msg(again.timing_digest == found.timing_digest &&
                              again.cycles == found.cycles,
                          "seed %u: not the same again", (unsigned)seed);
        }
        isa_graph_free(graph);
        lib_text_free(&text);
        lib_text_free(&platform.text);
    }
    ck_assert_uint_gt(completed, programs / 2);
}
END_TEST

/* --- checkpoints ---------------------------------------------------------------------- */

/* A machine of the native model goes on from any checkpoint as if there had been none. */
static pthread_barrier_t both_are_there;

struct loading {
    const struct lib_source *source;
    struct lib_text wrong;
    bool is_loaded;
};

static void *load_a_platform(void *context)
{
    struct loading *l = context;
    pthread_barrier_wait(&both_are_there);
    struct machine_carrier *c = machine_carrier_simgrid(l->source, &l->wrong);
    l->is_loaded = c != NULL;
    if (c)
        c->free(c);
    return NULL;
}

/* As where two recordings are compared, each by a thread. */
START_TEST(two_threads_have_a_platform_each)
{
    struct draw_platform platform;
    int status = 0;
    draw_ready_platform(MACHINE_READY_STAR, 4, "1Gbps", "10ns", &platform);
    const pid_t child = fork(); /* a process has room for few of them */
    if (child == 0) {
        pthread_t threads[2];
        struct loading loading[2] = {{&platform.file.source, {0}, false},
                                     {&platform.file.source, {0}, false}};
        pthread_barrier_init(&both_are_there, NULL, 2);
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, load_a_platform, &loading[i]);
        for (int i = 0; i < 2; i++) {
            pthread_join(threads[i], NULL);
            if (!loading[i].is_loaded)
                fprintf(stderr, "thread %d: %s\n", i, lib_text_get(&loading[i].wrong));
        }
        _exit(loading[0].is_loaded && loading[1].is_loaded ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    lib_text_free(&platform.text);
}
END_TEST

START_TEST(the_native_model_can_be_saved)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct test_program p = test_example("fib");
        struct lib_text bytes = {0};
        struct machine_settings s;
        struct draw_platform platform;
        struct lib_diags diags = {0};
        test_set_inputs(&p, "n=12");
        draw_platform(seed, 0, &s, &platform);
        s.network_model = MACHINE_MODEL_NATIVE;
        ck_assert(machine_can_be_saved(&s));
        struct sim_simulation_config config = {.graph = p.graph,
                                               .inputs = p.inputs,
                                               .settings = &s,
                                               .engine = SIM_ENGINE_MACHINE};
        struct sim_simulation *whole = sim_simulation_open(&config, &diags);
        const struct sim_until until = {.cycle = 40 * seed};
        ck_assert_int_eq(sim_simulation_advance(whole, &until), SIM_ADVANCED_SO_FAR);
        sim_simulation_save(whole, &bytes);
        struct sim_simulation *rest = sim_simulation_open(&config, &diags);
        ck_assert(sim_simulation_restore(rest, lib_text_get(&bytes), bytes.length));
        struct sim_ending a, b;
        sim_simulation_advance(whole, NULL);
        sim_simulation_advance(rest, NULL);
        sim_simulation_close(whole, &a);
        sim_simulation_close(rest, &b);
        ck_assert_uint_eq(a.stats.timing_digest, b.stats.timing_digest);
        ck_assert_uint_eq(a.stats.cycles, b.stats.cycles);
        ck_assert_uint_eq(a.stats.hops, b.stats.hops);
        ck_assert_uint_eq(a.stats.link_waits, b.stats.link_waits);
        sim_ending_free(&a);
        sim_ending_free(&b);
        lib_text_free(&bytes);
        lib_text_free(&platform.text);
        test_program_free(&p);
    }
}
END_TEST

/* --- two models ----------------------------------------------------------------------- */

typedef LIB_VEC(struct machine_simgrid_done) dones;

/* A closed loop of so many messages: for each that comes another one is sent, between hosts drawn
 * at random. Returns the date of the last. */
static double loop(struct machine_carrier *c, uint32_t nodes, uint32_t at_once,
                   uint64_t messages, uint64_t bytes)
{
    dones waiting = {0};
    uint64_t number = 0, state = 7;
    double last = 0;
    for (uint32_t starts = at_once;;) {
        while (starts > 0 && number < messages) {
            const uint32_t from = (uint32_t)below(&state, nodes);
            const uint32_t other = (uint32_t)below(&state, nodes - 1);
            c->send(c, number++, from, other + (other >= from), bytes);
            starts--;
        }
        size_t first = 0, count;
        for (size_t i = 1; i < waiting.count; i++)
            if (waiting.items[i].date < waiting.items[first].date)
                first = i;
        const double next = c->next(c);
        const bool comes = waiting.count && waiting.items[first].date <= next;
        const double date = comes ? waiting.items[first].date : next;
        if (isinf(date))
            break;
        const struct machine_simgrid_done *done = c->advance(c, date, &count);
        for (size_t i = 0; i < count; i++)
            *LIB_VEC_PUSH(&waiting) = done[i];
        for (size_t i = waiting.count; i-- > 0;)
            if (waiting.items[i].date <= date) {
                waiting.items[i] = waiting.items[--waiting.count];
                starts++;
            }
        last = date;
    }
    LIB_VEC_FREE(&waiting);
    return last;
}

static double loop_of_simgrid(const struct lib_source *source, uint32_t nodes,
                              uint32_t at_once, uint64_t messages, uint64_t bytes)
{
    double *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    ck_assert(shared != MAP_FAILED);
    const pid_t child = fork();
    if (child == 0) {
        struct lib_text why = {0};
        struct machine_carrier *c = machine_carrier_simgrid(source, &why);
        *shared = c ? loop(c, nodes, at_once, messages, bytes) : 0;
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    const double last = *shared;
    munmap(shared, sizeof *shared);
    return last;
}

/* At once, bytes, messages, and how far the total times may be apart; with 1000 at once SimGrid
 * takes long. */
static const struct {
    uint32_t at_once;
    uint64_t bytes, messages;
    double apart;
    bool takes_long;
} loops[] = {
    {1, 64, 2000, 1e-9, false},    {1, 1024, 2000, 1e-9, false},
    {100, 64, 20000, 0.05, false}, {100, 1024, 20000, 0.15, false},
    {1000, 64, 30000, 0.05, true}, {1000, 1024, 6000, 0.15, true},
};

START_TEST(many_messages_take_as_long_natively)
{
    enum { NODES = 64, LOOPS = sizeof loops / sizeof *loops };
    const enum machine_ready_kind kind = (enum machine_ready_kind)(_i / LOOPS);
    const size_t i = (size_t)_i % LOOPS;
    struct draw_platform platform;
    struct lib_diags diags = {0};
    if (loops[i].takes_long && test_is_quick())
        return;
    draw_ready_platform(kind, NODES, "10GBps", "100ns", &platform);
    struct machine_platform *p = machine_platform_read(&platform.file, NODES, &diags);
    ck_assert_ptr_nonnull(p);
    struct machine_carrier *native = machine_carrier_native(p);
    const double found = loop(native, NODES, loops[i].at_once, loops[i].messages,
                              loops[i].bytes);
    const double expected = loop_of_simgrid(&platform.file.source, NODES,
                                            loops[i].at_once, loops[i].messages,
                                            loops[i].bytes);
    ck_assert_msg(fabs(found / expected - 1) <= loops[i].apart,
                  "platform %d, loop %u: %g s, SimGrid %g s", (int)kind, (unsigned)i,
                  found, expected);
    native->free(native);
    machine_platform_free(p);
    lib_text_free(&platform.text);
}
END_TEST

/* --- dates ---------------------------------------------------------------------------- */

/* The first cycle whose date is not before it. */
START_TEST(dates_become_cycles)
{
    struct machine_grid g = {.clock = 1e9, .pace = 1};
    for (uint64_t cycle = 0; cycle < 2000000000; cycle = 3 * cycle + 1) {
        const double date = (double)cycle / g.clock;
        ck_assert_uint_eq(grid_cycle_of(&g, date), cycle);
        ck_assert_uint_eq(grid_cycle_of(&g, nextafter(date, INFINITY)), cycle + 1);
        ck_assert_uint_eq(grid_cycle_of(&g, date + 0.5e-9), cycle + 1);
    }
    ck_assert_uint_eq(grid_cycle_of(&g, INFINITY), MACHINE_NEVER);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("grid");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, dates_become_cycles);
    if (draw_has_platforms()) {
        tcase_add_test(tcase, random_programs_do_the_same_on_random_platforms);
        tcase_add_test(tcase, two_threads_have_a_platform_each);
        tcase_add_test(tcase, the_native_model_can_be_saved);
        tcase_add_loop_test(tcase, many_messages_take_as_long_natively, 0,
                            MACHINE_READY_GRIFFON * (int)(sizeof loops / sizeof *loops));
    } else {
        printf("SKIPPED: machines on platforms, as this hiaton was built without SimGrid "
               "(Debian package libsimgrid-dev)\n");
    }
    return test_main("grid", tcase);
}
