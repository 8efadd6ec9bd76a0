#include "sim/explain/whatif.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/leftovers.h"
#include "machine/describe.h"
#include "sim/explain/analysed.h"
#include "sim/session/window.h"

/* --- times ---------------------------------------------------------------------------- */

static uint32_t changed_latency(const struct sim_whatif_change *c, uint64_t ticks)
{
    const double changed = c->is_free  ? 0
                           : c->is_set ? (double)(c->cycles * SIM_WHATIF_SCALE)
                                       : round((double)ticks * c->factor);
    return changed < 1 ? 1 : changed > UINT32_MAX ? UINT32_MAX : (uint32_t)changed;
}

static uint32_t changed_slot(const struct sim_whatif_change *c)
{
    if (c->is_free)
        return 0;
    return (uint32_t)(c->is_set ? SIM_WHATIF_SCALE : round(SIM_WHATIF_SCALE * c->factor));
}

/* Times of single instructions after a change. Owned arrays; free them with free_times. */
static struct traces_timing make_times(const struct sim_whatif *w,
                                       const struct sim_whatif_change *c)
{
    const struct isa_graph *g = w->run.graph;
    uint32_t *latency = lib_mem_new((g->node_count + 1) * sizeof *latency);
    uint32_t *slot = lib_mem_new((g->node_count + 1) * sizeof *slot);
    for (uint32_t n = 0; n < g->node_count; n++) {
        const uint64_t ticks = traces_machine_latency(&w->run.machine, 0,
                                                      g->nodes[n].op) *
                               SIM_WHATIF_SCALE;
        const bool concerns = sim_whatif_concerns(c, g, n);
        latency[n] = concerns ? changed_latency(c, ticks) : (uint32_t)ticks;
        slot[n] = concerns ? changed_slot(c) : SIM_WHATIF_SCALE;
    }
    return (struct traces_timing){SIM_WHATIF_SCALE, latency, slot};
}

static void free_times(const struct traces_timing *times)
{
    lib_mem_free((void *)(uintptr_t)times->latency);
    lib_mem_free((void *)(uintptr_t)times->slot);
}

/* --- predictions ---------------------------------------------------------------------- */

/* Whether dependences can be timed again with another value of the setting. */
static bool is_retimed(const struct lib_setting *setting)
{
    static const char *const keys[] = {
        "stage.match.latency",       "stage.fetch.latency",
        "stage.form.latency",        "pe.units",
        "queue.discipline",          "network.latency",
        "network.bandwidth",         "network.router.latency",
        "network.injection.latency", "network.ejection.latency",
        "network.global.latency"};
    const char *key = machine_class_key(setting->key);
    const size_t length = strlen(key);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return strncmp(key, "unit.", 5) == 0 && strcmp(key + length - 8, ".latency") == 0;
}

const char *sim_whatif_unpredicted(const struct sim_whatif *w,
                                   const struct sim_whatif_change *c)
{
    if (!w->dependences)
        return "the dependences of an executor are not timed again";
    if (w->end != ISA_END_COMPLETED || w->retimed == 0)
        return "the run did not complete";
    if (c->of != SIM_WHATIF_SETTING)
        return NULL;
    return is_retimed(c->setting)
               ? NULL
               : "what depends on what changes: only latencies, pe.units, "
                 "queue.discipline and network.bandwidth are predicted";
}

static double predict_time(const struct sim_whatif *w, const struct sim_whatif_change *c,
                           const struct traces_timing *times)
{
    if (sim_whatif_unpredicted(w, c))
        return NAN;
    const struct machine_settings *s = times ? w->config->settings : &c->settings.machine;
    const struct traces_machine machine = machine_describe(s, w->run.graph, times);
    const uint64_t ticks = analysis_retime(w->dependences, &machine);
    /* time that dependences do not explain is assumed to change in proportion */
    return (double)ticks / machine.ticks * (double)w->cycles / (double)w->retimed;
}

/* --- simulations ---------------------------------------------------------------------- */

bool sim_whatif_open(struct sim_whatif *w, const struct sim_simulation_config *config,
                     struct lib_diags *diags)
{
    const struct isa_graph *graph = config->graph ? config->graph : config->code->graph;
    struct sim_simulation_config own = *config;
    struct traces_event_sink sink;
    *w = (struct sim_whatif){.config = config};
    w->run = sim_analysed_run(graph, config->settings, NULL, 0, UINT64_MAX);
    if (!w->run.machine.has_workers) {
        w->dependences = analysis_dependences_new(&w->run);
        sink = analysis_dependences_sink(w->dependences);
        own.sinks = &sink;
        own.sink_count = 1;
    }
    struct sim_simulation *simulation = sim_simulation_open(&own, diags);
    if (!simulation)
        return false;
    const bool done = sim_simulation_advance(simulation, NULL) == SIM_ADVANCED_TO_END;
    struct sim_ending ending;
    sim_simulation_close(simulation, &ending);
    w->cycles = ending.stats.cycles;
    w->end = ending.end;
    sim_ending_free(&ending);
    if (!done || !w->dependences)
        return done;
    w->retimed = analysis_retime(w->dependences, &w->run.machine);
    return true;
}

void sim_whatif_close(struct sim_whatif *w)
{
    analysis_dependences_free(w->dependences);
}

/* Whether single instructions can have a latency: not on an executor. */
static bool has_latency(const struct sim_whatif_change *c,
                        const struct machine_settings *settings, struct lib_diags *diags)
{
    if (!machine_has_workers(settings) || !c->is_set)
        return true;
    lib_diag_plain(
        diags, LIB_DIAG_USAGE,
        "--what-if=%s: an instruction has no latency of its own on an executor "
        "(executor.workers); expected `=free`, `*NUMBER` or `/NUMBER` behind the name",
        c->text);
    return false;
}

/* Whether instructions can have times of their own on this machine. If not, the diagnostic names
 * the change, as other changes may be possible. */
static bool can_be_timed(const struct sim_whatif_change *c,
                         const struct machine_settings *settings, struct lib_diags *diags)
{
    struct lib_diags own = {0};
    LIB_TEXT_OWN name = {0};
    const bool fits = machine_timing_fits(settings, &own);
    lib_text_printf(&name, "--what-if=%s cannot be asked: ", c->text);
    lib_diags_adopt(diags, &own, NULL, (struct lib_pos){0}, lib_text_get(&name),
                    "; of this machine ask for settings alone, as KEY=VALUE");
    return fits;
}

bool sim_whatif_ask(const struct sim_whatif *w, const struct sim_whatif_change *c,
                    struct sim_whatif_result *result, struct lib_diags *diags)
{
    const bool is_setting = c->of == SIM_WHATIF_SETTING;
    struct sim_simulation_config config = *w->config;
    struct sim_ending ending;
    struct traces_timing times;
    *result = (struct sim_whatif_result){NAN, NAN, ISA_END_INTERRUPTED};
    if (!is_setting && (!can_be_timed(c, config.settings, diags) ||
                        !has_latency(c, config.settings, diags)))
        return false;
    if (is_setting) {
        config.settings = &c->settings.machine;
    } else {
        times = make_times(w, c);
        config.timing = &times;
    }
    result->predicted = predict_time(w, c, config.timing);
    const bool done = sim_simulate(&config, &ending, diags);
    if (!is_setting)
        free_times(&times);
    if (!done)
        return false;
    result->end = ending.end;
    if (ending.end == ISA_END_COMPLETED)
        result->simulated = (double)ending.stats.cycles /
                            (is_setting ? 1 : SIM_WHATIF_SCALE);
    sim_ending_free(&ending);
    return true;
}

/* --- many ----------------------------------------------------------------------------- */

/* Process j asks every `jobs`-th question. Answers are in shared memory. */
bool sim_whatif_ask_all(const struct sim_whatif *w,
                        const struct sim_whatif_change *changes, size_t count,
                        unsigned jobs, struct sim_whatif_result *results,
                        struct lib_diags *diags)
{
    bool good = true;
    if (jobs <= 1 || count <= 1) {
        for (size_t i = 0; i < count && good; i++)
            good = sim_whatif_ask(w, &changes[i], &results[i], diags);
        return good;
    }
    struct sim_whatif_result *shared = mmap(NULL, count * sizeof *shared,
                                            PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    good = shared != MAP_FAILED;
    for (unsigned j = 0; j < jobs && good; j++) {
        const pid_t child = fork();
        if (child == 0) {
            lib_leftovers_clear();
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            /* A terminal signals all processes; only the parent reacts. */
            signal(SIGINT, SIG_IGN);
            signal(SIGTERM, SIG_IGN);
            struct lib_diags own = {0};
            bool fine = true;
            for (size_t i = j; i < count && fine; i += jobs)
                fine = sim_whatif_ask(w, &changes[i], &shared[i], &own);
            _exit(fine ? 0 : 1);
        }
        good = child > 0;
    }
    for (int status; wait(&status) > 0;)
        good &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (good)
        memcpy(results, shared, count * sizeof *results);
    else /* repeats the questions, to report errors */
        for (size_t i = 0; i < count && diags->errors == 0; i++)
            (void)sim_whatif_ask(w, &changes[i], &results[i], diags);
    if (shared != MAP_FAILED)
        munmap(shared, count * sizeof *shared);
    return diags->errors == 0;
}
