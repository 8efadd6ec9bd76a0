/* What a session costs beyond the engine: fact(5), opened and closed each time, and with one
 * simulation that is reset. The engine's own time is that of the advances alone. Prints medians
 * of rounds, in nanoseconds per session.
 *
 *     sessions [ROUNDS [SESSIONS]]       one thread, machines of 1, 16 and 64 PEs
 *     sessions --one PES warm|cold N     N sessions and nothing else, for callgrind */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/memory.h"
#include "programs/compile.h"
#include "sim/session/simulation.h"

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

static void begin_bench(struct bench *b, uint64_t pes)
{
    machine_settings_default(&b->settings);
    b->settings.pe_count = pes;
    b->graph = compile();
    b->code = isa_code_make(b->graph, NULL, false);
    b->config = (struct sim_simulation_config){
        .code = b->code, .settings = &b->settings, .engine = SIM_ENGINE_MACHINE};
}

static void end_bench(struct bench *b)
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
    begin_bench(&b, pes);
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
    end_bench(&b);
    free(cold);
    free(warm);
    free(engine);
}

/* --- one kind alone ------------------------------------------------------------------------ */

static int run_one(uint64_t pes, const char *how, unsigned count)
{
    struct bench b;
    begin_bench(&b, pes);
    struct sim_simulation *s = open_it(&b);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(how, "warm") == 0)
            run_warm(s, i);
        else
            run_cold(&b);
    sim_simulation_close(s, NULL);
    end_bench(&b);
    return 0;
}

int main(int argc, char **argv)
{
    lib_mem_keep_freed(); /* as the library does */
    if (argc == 5 && strcmp(argv[1], "--one") == 0)
        return run_one(strtoull(argv[2], NULL, 10), argv[3],
                       (unsigned)strtoul(argv[4], NULL, 10));
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 41;
    const unsigned sessions = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 300;
    static const uint64_t pes[] = {1, 16, 64};
    for (size_t i = 0; i < sizeof pes / sizeof *pes; i++)
        measure(pes[i], rounds, sessions);
    return 0;
}
