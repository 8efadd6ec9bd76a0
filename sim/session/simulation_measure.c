#include "sim/session/simulation_internal.h"

#include <assert.h>
#include <string.h>

#include "analysis/derive.h"
#include "isa/tensor/files/npy.h"
#include "lib/world.h"

static const struct lib_pos nowhere;

/* --- measuring ---------------------------------------------------------------------- */

static void derive_stats(const struct sim_simulation *s, struct traces_stats *stats)
{
    analysis_derive(stats);
    analysis_energy_derive(s->config.energy, stats);
}

void sim_simulation_measure(const struct sim_simulation *simulation,
                            struct traces_stats *stats)
{
    LIB_WORLD_OWN();
    if (simulation->machine)
        machine_measure(simulation->machine, stats);
    else
        machine_measure_execution(&simulation->interp.exec, stats);
    derive_stats(simulation, stats);
}

enum isa_end sim_simulation_end(const struct sim_simulation *simulation)
{
    if (!simulation->has_ended)
        return ISA_END_INTERRUPTED;
    return simulation->machine ? machine_end(simulation->machine)
                               : simulation->interp.end;
}

const struct sim_simulation_config *
sim_simulation_config(const struct sim_simulation *simulation)
{
    return &simulation->config;
}

const struct isa_exec *sim_simulation_exec(const struct sim_simulation *simulation)
{
    return simulation->machine ? machine_exec(simulation->machine)
                               : &simulation->interp.exec;
}

uint64_t sim_simulation_cycle(const struct sim_simulation *simulation)
{
    assert(simulation->machine && "an interpreter has no cycles");
    return machine_next(simulation->machine);
}

/* --- a part ------------------------------------------------------------------------- */

/* Returns the cycles of the run that are over. */
static uint64_t cycles_of(const struct sim_simulation *s)
{
    struct traces_stats stats;
    machine_measure(s->machine, &stats);
    traces_stats_free(&stats);
    return stats.cycles;
}

void sim_simulation_begin_part(struct sim_simulation *simulation, uint64_t cycle)
{
    LIB_WORLD_OWN();
    struct sim_simulation *s = simulation;
    assert(s->machine && s->part.state == SIM_PART_NONE);
    if (s->has_ended && cycle >= cycles_of(s))
        return;
    s->part = (struct sim_part){.state = SIM_PART_BEGUN, .from = cycle};
    machine_measure_to(s->machine, cycle, &s->before);
    machine_begin_part(s->machine, cycle);
}

void sim_simulation_end_part(struct sim_simulation *simulation, uint64_t cycle)
{
    LIB_WORLD_OWN();
    struct sim_simulation *s = simulation;
    assert(s->part.state != SIM_PART_ENDED && cycle >= s->part.from);
    if (s->part.state == SIM_PART_NONE)
        return;
    machine_measure_to(s->machine, cycle, &s->after);
    s->part.state = SIM_PART_ENDED;
    s->part.to = s->after.cycles;
}

void sim_simulation_follow(struct sim_simulation *simulation, uint32_t function)
{
    machine_follow(simulation->machine, function);
}

static void measure_part(struct sim_simulation *s, struct sim_ending *ending)
{
    struct traces_stats *stats = &ending->stats;
    sim_simulation_measure(s, stats);
    s->part.of = stats->cycles;
    if (s->part.state == SIM_PART_BEGUN)
        sim_simulation_end_part(s, s->part.of);
    if (s->part.state == SIM_PART_ENDED) {
        traces_stats_free(stats);
        traces_stats_take_part(&s->after, &s->before);
        derive_stats(s, &s->after);
        *stats = s->after;
        traces_stats_free(&s->before);
    } else if (s->config.window) {
        stats->covers = TRACES_COVERS_NOTHING;
    }
    ending->part = s->part;
}

/* --- digests ------------------------------------------------------------------------ */

uint32_t sim_simulation_digest_count(const struct sim_simulation *simulation)
{
    return machine_digest_count(simulation->machine);
}

void sim_simulation_digests(const struct sim_simulation *simulation, uint64_t *of_parts)
{
    machine_timing_digests(simulation->machine, of_parts);
}

uint64_t sim_simulation_state_bytes(const struct sim_simulation *simulation)
{
    return simulation->machine ? machine_state_bytes(simulation->machine)
                               : isa_interp_state_bytes(&simulation->interp);
}

/* --- what it leaves behind ---------------------------------------------------------- */

static const char *limit_of(const struct isa_interp *interp)
{
    const struct isa_exec *exec = &interp->exec;
    const struct isa_interp_limits *most = &interp->limits;
    if (!exec->out_of_memory && most->tokens && exec->counts.tokens > most->tokens)
        return "limits.tokens";
    if (!exec->out_of_memory && most->depth && exec->tags.deepest > most->depth)
        return "limits.depth";
    return "limits.memory";
}

static const char *find_limit(const struct sim_simulation *s)
{
    if (s->has_ended && s->machine)
        return machine_limit(s->machine);
    return sim_simulation_end(s) == ISA_END_LIMIT ? limit_of(&s->interp) : NULL;
}

/* Sets `cell`, to UINT32_MAX for the result. Returns false if the program has no such tensor. */
static bool find_tensor(const struct isa_graph *graph, const char *name, uint32_t *cell)
{
    *cell = UINT32_MAX;
    if (strcmp(name, "result") == 0)
        return graph->functions[0].result_count == 1 &&
               graph->functions[0].results[0] == ISA_TENSOR;
    for (uint32_t i = 0; i < graph->cell_count; i++)
        if (strcmp(graph->cells[i].name, name) == 0 && graph->cells[i].type == ISA_TENSOR)
            *cell = i;
    return *cell != UINT32_MAX;
}

bool sim_simulation_check_tensors(const struct sim_simulation *s, struct lib_diags *diags)
{
    for (size_t i = 0; i < s->config.tensor_count; i++) {
        uint32_t cell;
        if (find_tensor(s->config.graph, s->config.tensors[i], &cell))
            continue;
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "the program computes no tensor `%s`; expected `result`, or a "
                       "constant that is used and is one",
                       s->config.tensors[i]);
        return false;
    }
    return true;
}

static void leave_tensors(struct sim_simulation *s, struct sim_ending *ending)
{
    const struct isa_exec *exec = sim_simulation_exec(s);
    if (ending->end != ISA_END_COMPLETED || s->config.tensor_count == 0)
        return;
    ending->tensor_count = s->config.tensor_count;
    ending->tensors = lib_mem_new(ending->tensor_count * sizeof *ending->tensors);
    for (size_t i = 0; i < ending->tensor_count; i++) {
        uint32_t cell;
        find_tensor(s->config.graph, s->config.tensors[i], &cell);
        const isa_value value = cell == UINT32_MAX ? exec->results[0]
                                                   : exec->cells[cell].value;
        isa_npy_write(&ending->tensors[i],
                      isa_structures_get(&exec->structures, value)->tensor);
    }
}

void sim_simulation_leave(struct sim_simulation *s, struct sim_ending *ending)
{
    LIB_WORLD_OWN();
    sim_simulation_finish(s);
    *ending = (struct sim_ending){
        .engine = s->config.engine,
        .end = sim_simulation_end(s),
        .limit = find_limit(s),
        .series = s->series,
        .profile = s->profile,
        .costs = s->costs,
        .seconds = s->seconds,
        .falls_back = s->falls_back,
    };
    lib_text_puts(&ending->math, lib_text_get(&s->math));
    measure_part(s, ending);
    leave_tensors(s, ending);
    sim_ending_describe(ending, sim_simulation_exec(s), s->machine, &s->settings);
    s->part.state = SIM_PART_NONE;
    s->series = NULL;
    s->profile = NULL;
    s->costs = NULL;
}
