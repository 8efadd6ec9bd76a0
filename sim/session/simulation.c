#include "sim/session/simulation_internal.h"

#include <assert.h>
#include <string.h>

#include "isa/tensor/blas.h"
#include "lib/world.h"
#include "machine/checkpoint.h"
#include "machine/describe.h"
#include "sim/loading/fit.h"
#include "sim/loading/setting.h"
#include "sim/session/feeds.h"

enum { SLICE = 1000000 }; /* tokens between calls of watch.look; about 20 ms */

static const struct lib_pos nowhere;

/* --- opening ------------------------------------------------------------------------ */

static bool refuse_config(struct lib_diags *diags, const char *text)
{
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "%s", text);
    return false;
}

static bool check_config(const struct sim_simulation_config *c, struct lib_diags *diags)
{
    const struct isa_graph *graph = c->code ? c->code->graph : c->graph;
    if (!isa_stage_is_executable(graph->stage)) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "a graph of the stage `%s` cannot run; expected `%s` or `%s`",
                       isa_stage_name(graph->stage), isa_stage_name(ISA_STAGE_IMAGE),
                       isa_stage_name(ISA_STAGE_EXPANDING));
        return false;
    }
    if (c->code && c->code->propagate != machine_propagates(c->settings))
        return refuse_config(diags, "the code was made for another value of `deadness`");
    if (!c->has_host && !c->feeds && !sim_program_runs_alone(graph, diags))
        return false;
    if (c->engine == SIM_ENGINE_INTERPRETER && (c->window || c->energy))
        return refuse_config(diags,
                             "the interpreter has no cycles and no hardware: neither a "
                             "part of a run nor its energy can be measured");
    if (c->window && c->profile)
        return refuse_config(diags, "a profile is of a whole run, not of a part");
    if (c->window && c->costs)
        return refuse_config(diags,
                             "costs of functions, lines and opcodes are of a whole run, "
                             "not of a part");
    if (c->engine == SIM_ENGINE_INTERPRETER &&
        (c->series || c->profile || c->costs || c->sink_count > 0))
        return refuse_config(
            diags, "the interpreter has no cycles: no series, profile or events "
                   "can be made");
    return true;
}

void sim_simulation_start_events(struct sim_simulation *s)
{
    const size_t count = s->config.sink_count;
    if (!s->machine || s->is_heard)
        return;
    s->is_heard = true;
    if (count == 0 && !s->config.costs)
        return;
    struct traces_event_sink *sinks = lib_mem_new((count + 1) * sizeof *sinks);
    if (count)
        memcpy(sinks, s->config.sinks, count * sizeof *sinks);
    if (s->config.costs) {
        s->costs = analysis_costs_new(s->config.costs_by, s->config.graph,
                                      machine_has_workers(&s->settings), NULL);
        sinks[count] = analysis_costs_sink(s->costs);
    }
    machine_listen(s->machine, sinks, count + s->config.costs);
    lib_mem_free(sinks);
}

void sim_simulation_mute(struct sim_simulation *s)
{
    assert(!s->is_heard);
    s->is_heard = true;
}

/* Loads OpenBLAS. If it is not available, the reference multiplies, and s->math says why. Returns
 * false and adds a diagnostic if tensor.core cannot be loaded. */
static bool find_blas(struct sim_simulation *s, struct lib_diags *diags)
{
    enum isa_blas_outcome outcome;
    LIB_TEXT_OWN why = {0};
    if (!s->config.code->has_tensors || s->settings.tensor_math != MACHINE_TENSOR_BLAS)
        return true;
    struct lib_text core = {0};
    lib_setting_write(&s->settings, sim_setting_find("tensor.core"), &core);
    s->blas = isa_blas_load(lib_text_get(&core), &outcome, &why);
    lib_text_free(&core);
    const bool good = outcome != ISA_BLAS_NO_CORE && outcome != ISA_BLAS_OTHER;
    if (!good)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "tensor.core: %s",
                       lib_text_get(&why));
    else if (s->blas)
        lib_text_printf(&s->math, "OpenBLAS %s, core %s", isa_blas_version(s->blas),
                        isa_blas_core(s->blas));
    else
        lib_text_printf(&s->math, "reference: %s", lib_text_get(&why));
    s->falls_back = good && !s->blas && outcome != ISA_BLAS_LEFT_OUT;
    return good;
}

static void observe_machine(struct sim_simulation *s)
{
    machine_set_blas(s->machine, s->blas);
    if (s->config.series) {
        s->series = lib_mem_new(sizeof *s->series);
        traces_series_start(s->series, s->settings.stats_interval);
    }
    if (s->config.profile) {
        s->profile = lib_mem_new(sizeof *s->profile);
        traces_profile_start(s->profile);
    }
    machine_observe_start(s->machine, s->series, s->profile);
    if (s->config.energy)
        machine_count_work(s->machine);
}

static void give_feeds(struct sim_simulation *s)
{
    const struct sim_feeds *feeds = s->config.feeds;
    for (size_t i = 0; feeds && i < feeds->all.count; i++) {
        const struct machine_feed *f = &feeds->all.items[i];
        (void)sim_simulation_feed(s, f->port, f->parts, f->cycle);
    }
}

static void start_machine(struct sim_simulation *s)
{
    s->machine = machine_new_timed(s->config.code, &s->settings, s->config.seed,
                                   s->config.timing);
    observe_machine(s);
    give_feeds(s);
}

static void set_up_interpreter(struct sim_simulation *s)
{
    s->interp.exec.tensor.blas = s->blas;
    s->interp.exec.tensor.seed = s->config.seed;
    if (s->settings.tensor_math == MACHINE_TENSOR_REFERENCE)
        s->interp.exec.functions = &isa_eval_own;
}

static void start_interpreter(struct sim_simulation *s)
{
    const struct isa_interp_limits limits = {
        .memory = s->settings.limit_memory,
        .tokens = s->settings.limit_tokens,
        .depth = s->settings.limit_depth,
        .loop_bound = machine_loop_bound(&s->settings)};
    isa_interp_start(&s->interp, s->config.code, &limits, !s->config.unmeasured);
    set_up_interpreter(s);
    give_feeds(s);
}

/* Partitions the program if the settings ask for it and the caller has not. Drops warnings, which
 * the command has printed. */
static bool divide_program(const struct sim_simulation_config *c,
                           struct isa_graph **divided, struct lib_diags *diags)
{
    struct lib_diags found = {0};
    *divided = NULL;
    if (c->engine != SIM_ENGINE_MACHINE)
        return sim_settings_are_in_range(c->settings, diags);
    const bool good = sim_program_fits(c->code ? c->code->graph : c->graph, c->settings,
                                       divided, &found);
    if (good)
        lib_diags_free(&found);
    else
        lib_diags_adopt(diags, &found, NULL, (struct lib_pos){0}, "", "");
    return good;
}

struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    struct isa_graph *divided;
    if (!check_config(config, diags) || !divide_program(config, &divided, diags))
        return NULL;
    struct sim_simulation *s = lib_mem_new(sizeof *s);
    s->config = *config;
    s->settings = *config->settings;
    s->config.settings = &s->settings;
    if (s->config.watch.every == 0)
        s->config.watch.every = SLICE;
    if (divided) {
        s->config.graph = s->own_graph = divided;
        s->config.code = NULL;
    }
    if (!s->config.code)
        s->config.code = s->own_code = isa_code_make(s->config.graph, config->inputs,
                                                     machine_propagates(&s->settings));
    s->config.graph = s->config.code->graph;
    if (!sim_simulation_check_tensors(s, diags) || !find_blas(s, diags)) {
        isa_code_free(s->own_code);
        isa_graph_free(s->own_graph);
        lib_mem_free(s);
        return NULL;
    }
    if (config->engine == SIM_ENGINE_MACHINE)
        start_machine(s);
    else
        start_interpreter(s);
    return s;
}

static void free_observed(struct sim_simulation *s)
{
    if (s->series)
        traces_series_free(s->series);
    if (s->profile)
        traces_profile_free(s->profile);
    LIB_MEM_FREE(s->series, s->profile);
    s->series = NULL;
    s->profile = NULL;
}

/* --- checkpoints --------------------------------------------------------------------- */

static void save_state(struct sim_simulation *s, struct lib_pack pack)
{
    assert(s->machine && !s->has_ended);
    machine_checkpoint_pack(&pack, s->machine);
}

void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes)
{
    LIB_WORLD_OWN();
    save_state(simulation, lib_pack_writer(bytes));
}

void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash)
{
    LIB_WORLD_OWN();
    save_state(simulation, lib_pack_stash_writer(stash));
    lib_stash_end(stash);
}

/* Starts the machine anew, as invalid bytes may have left any state in it. */
static void restart_machine(struct sim_simulation *s)
{
    machine_free(s->machine);
    free_observed(s);
    start_machine(s);
}

static bool restore_state(struct sim_simulation *s, struct lib_pack pack)
{
    assert(s->machine && sim_simulation_tokens(s) == 0);
    machine_checkpoint_pack(&pack, s->machine);
    if (lib_pack_is_whole(&pack))
        return true;
    restart_machine(s);
    return false;
}

bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length)
{
    LIB_WORLD_OWN();
    return restore_state(simulation, lib_pack_reader(bytes, length));
}

bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash)
{
    LIB_WORLD_OWN();
    return restore_state(simulation, lib_pack_stash_reader(stash));
}

/* --- closing ------------------------------------------------------------------------ */

void sim_simulation_finish(struct sim_simulation *s)
{
    if (s->is_finished)
        return;
    s->is_finished = true;
    sim_simulation_start_events(s);
    if (s->machine)
        machine_observe_end(s->machine);
}

static void free_left(struct sim_simulation *s)
{
    free_observed(s);
    if (s->part.state != SIM_PART_NONE)
        traces_stats_free(&s->before);
    if (s->part.state == SIM_PART_ENDED)
        traces_stats_free(&s->after);
    s->part.state = SIM_PART_NONE;
    analysis_costs_free(s->costs);
    s->costs = NULL;
}

void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending)
{
    LIB_WORLD_OWN();
    if (ending)
        sim_simulation_leave(simulation, ending);
    sim_simulation_finish(simulation);
    free_left(simulation);
    if (simulation->machine)
        machine_free(simulation->machine);
    else
        isa_interp_free(&simulation->interp);
    isa_code_free(simulation->own_code);
    isa_graph_free(simulation->own_graph);
    lib_text_free(&simulation->math);
    lib_mem_free(simulation);
}

/* --- back to the start --------------------------------------------------------------- */

/* Sets inputs of the code. Code of the caller, which may be shared, is copied first. */
static void set_inputs(struct sim_simulation *s, const isa_value *inputs)
{
    if (!s->own_code)
        s->config.code = s->own_code = isa_code_copy(s->config.code);
    isa_code_set_inputs(s->own_code, inputs);
}

void sim_simulation_reset(struct sim_simulation *s, const isa_value *inputs,
                          uint64_t seed)
{
    LIB_WORLD_OWN();
    sim_simulation_finish(s);
    free_left(s);
    if (inputs)
        set_inputs(s, inputs);
    s->config.seed = seed;
    s->has_ended = s->waits = s->is_heard = s->is_finished = false;
    s->next_look = 0;
    s->seconds = 0;
    if (!s->machine) {
        isa_interp_reset(&s->interp, s->config.code);
        set_up_interpreter(s);
        give_feeds(s);
    } else if (machine_can_be_reset(&s->settings)) {
        machine_reset(s->machine, s->config.code, seed);
        observe_machine(s);
        give_feeds(s);
    } else {
        machine_free(s->machine);
        start_machine(s);
    }
}
