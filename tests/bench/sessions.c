/* What a session costs beyond the engine: fact(5), opened and closed each time, and with one
 * simulation that is reset. The engine's own time is that of the advances alone. Prints medians
 * of rounds, in nanoseconds per session.
 *
 *     sessions [ROUNDS [SESSIONS]]       one thread, machines of 1, 16 and 64 PEs
 *     sessions --batch PES RUNS          runs in batches of 1, 2 and 4 threads, and one by one from the start
 *     sessions --one PES warm|cold N     N sessions and nothing else, for callgrind */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "programs/compile.h"
#include "sim/session/batch.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct isa_graph *compile(void)
{
    static const char text[] = "input n = 5\nresult = fact(n)\n"
                               "fact(n) = if n < 2 then 1 else n * fact(n - 1)\n";
    const struct lib_source source = {"fact.df", text, strlen(text)};
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_compile(&source, &(struct programs_options){0},
                                               ISA_STAGE_IMAGE, &diags);
    if (!graph)
        exit(1);
    return graph;
}

struct bench {
    struct isa_graph *graph;
    struct isa_code *code;
    struct machine_settings settings;
    struct sim_simulation_config config;
};

static void begin(struct bench *b, uint64_t pes)
{
    machine_settings_default(&b->settings);
    b->settings.pe_count = pes;
    b->graph = compile();
    b->code = isa_code_make(b->graph, NULL, false);
    b->config = (struct sim_simulation_config){
        .code = b->code, .settings = &b->settings, .engine = SIM_ENGINE_MACHINE};
}

static void end(struct bench *b)
{
    isa_code_free(b->code);
    isa_graph_free(b->graph);
}

static struct sim_simulation *open_it(const struct bench *b)
{
    struct lib_diags diags = {0};
    struct sim_simulation *s = sim_simulation_open(&b->config, &diags);
    if (!s)
        exit(1);
    return s;
}

static void check(const struct sim_simulation *s)
{
    if (isa_value_int(sim_simulation_exec(s)->results[0]) != 120)
        exit(1);
}

static void run_cold(const struct bench *b)
{
    struct sim_simulation *s = open_it(b);
    sim_simulation_advance(s, NULL);
    check(s);
    sim_simulation_close(s, NULL);
}

static void run_warm(struct sim_simulation *s, uint64_t seed)
{
    const isa_value n = isa_value_of_int(5);
    sim_simulation_reset(s, &n, seed);
    sim_simulation_advance(s, NULL);
    check(s);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *of, unsigned count)
{
    qsort(of, count, sizeof *of, compare);
    return of[count / 2];
}

/* Of one advance, less what looking at the clock takes. */
static double time_engine(struct sim_simulation *s, unsigned sessions)
{
    const isa_value n = isa_value_of_int(5);
    double sum = 0, clock = 0;
    for (unsigned i = 0; i < sessions; i++) {
        sim_simulation_reset(s, &n, i);
        const double start = now();
        sim_simulation_advance(s, NULL);
        const double stop = now();
        sum += stop - start;
        clock += now() - stop;
    }
    return (sum - clock) / sessions;
}

static void measure(uint64_t pes, unsigned rounds, unsigned sessions)
{
    struct bench b;
    double *cold = calloc(rounds, sizeof *cold), *warm = calloc(rounds, sizeof *warm),
           *engine = calloc(rounds, sizeof *engine);
    begin(&b, pes);
    struct sim_simulation *s = open_it(&b);
    for (unsigned r = 0; r < rounds; r++) {
        double start = now();
        for (unsigned i = 0; i < sessions; i++)
            run_cold(&b);
        cold[r] = (now() - start) / sessions;
        start = now();
        for (unsigned i = 0; i < sessions; i++)
            run_warm(s, i);
        warm[r] = (now() - start) / sessions;
        engine[r] = time_engine(s, sessions);
    }
    const double of_engine = median(engine, rounds);
    const double of_cold = median(cold, rounds), of_warm = median(warm, rounds);
    printf("%4llu PEs: engine %6.0f ns; cold %6.0f ns, %6.0f beyond it; warm %6.0f ns, "
           "%6.0f beyond it\n",
           (unsigned long long)pes, of_engine, of_cold, of_cold - of_engine, of_warm,
           of_warm - of_engine);
    sim_simulation_close(s, NULL);
    end(&b);
    free(cold);
    free(warm);
    free(engine);
}

/* --- batches ---------------------------------------------------------------------------------- */

static void take(void *context, size_t number, struct sim_simulation *simulation)
{
    isa_value *results = context;
    results[number] = sim_simulation_exec(simulation)->results[0];
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void print_rate(const char *how, double start, double used, size_t runs)
{
    const double wall = now() - start;
    printf("%-10s %9.0f runs/s; %6.0f ns of a processor each\n", how,
           (double)runs * 1e9 / wall, (processor_time() - used) / (double)runs);
}

static int run_batches(uint64_t pes, size_t runs)
{
    static const unsigned threads[] = {1, 2, 4};
    struct bench b;
    begin(&b, pes);
    isa_value *inputs = calloc(runs, sizeof *inputs),
              *results = calloc(runs, sizeof *results);
    for (size_t i = 0; i < runs; i++)
        inputs[i] = isa_value_of_int((int64_t)(i % 9));
    double start = now(), used = processor_time();
    for (size_t i = 0; i < runs; i++) {
        b.config.code = NULL;
        b.config.graph = b.graph;
        b.config.inputs = inputs + i;
        struct sim_simulation *s = open_it(&b);
        sim_simulation_advance(s, NULL);
        take(results, i, s);
        sim_simulation_close(s, NULL);
    }
    print_rate("cold", start, used, runs);
    b.config.code = b.code;
    b.config.inputs = NULL;
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        isa_value *again = calloc(runs, sizeof *again);
        struct lib_diags diags = {0};
        char how[32];
        start = now();
        used = processor_time();
        if (!sim_batch_run(&(struct sim_batch){.config = b.config,
                                               .inputs = inputs,
                                               .count = runs,
                                               .threads = threads[k],
                                               .take = take,
                                               .context = again},
                           &diags) ||
            memcmp(results, again, runs * sizeof *again) != 0)
            return 1;
        snprintf(how, sizeof how, "%u thread%s", threads[k], threads[k] > 1 ? "s" : "");
        print_rate(how, start, used, runs);
        free(again);
    }
    free(inputs);
    free(results);
    end(&b);
    return 0;
}

static int run_one(uint64_t pes, const char *how, unsigned count)
{
    struct bench b;
    begin(&b, pes);
    struct sim_simulation *s = open_it(&b);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(how, "warm") == 0)
            run_warm(s, i);
        else
            run_cold(&b);
    sim_simulation_close(s, NULL);
    end(&b);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--one") == 0)
        return run_one(strtoull(argv[2], NULL, 10), argv[3],
                       (unsigned)strtoul(argv[4], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "--batch") == 0)
        return run_batches(strtoull(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 41;
    const unsigned sessions = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 300;
    static const uint64_t pes[] = {1, 16, 64};
    for (size_t i = 0; i < sizeof pes / sizeof *pes; i++)
        measure(pes[i], rounds, sessions);
    return 0;
}
