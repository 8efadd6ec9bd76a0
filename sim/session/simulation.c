#include "sim/session/simulation.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/derive.h"
#include "isa/fire/interp.h"
#include "isa/tensor/blas.h"
#include "isa/tensor/files/npy.h"
#include "lib/world.h"
#include "machine/checkpoint.h"
#include "sim/session/feeds.h"
#include "sim/session/fit.h"
#include "sim/session/host.h"
#include "sim/session/window.h"

enum { SLICE = 1000000 }; /* tokens between two looks: some 20 ms */

static const struct lib_pos nowhere;

struct sim_simulation {
    struct sim_simulation_config config; /* `settings` and `code` are those below */
    struct machine_settings settings;
    struct isa_code *own_code;   /* owned; NULL: it was given */
    struct isa_graph *own_graph; /* owned: divided here; or NULL */
    struct machine *machine;     /* owned; NULL: interpreted */
    struct isa_interp interp;
    const struct isa_blas *blas;  /* NULL: the reference multiplies matrices */
    struct lib_text math;         /* who does, where there are tensors */
    bool falls_back;              /* on the reference, which `math` says why */
    struct traces_series *series; /* owned until it is closed, like the profile */
    struct traces_profile *profile;
    struct sim_part part;
    struct traces_stats before; /* owned: measured where the part begins, */
    struct traces_stats after;  /* and where it has ended */
    struct analysis_costs *costs;
    bool has_ended;
    bool waits;         /* an interpreter: for its host */
    bool is_heard;      /* its events are told to all that want them */
    bool is_finished;   /* who observes it knows that the run does not go on */
    uint64_t next_look; /* when that many tokens were delivered */
    double seconds;     /* of the host, so far */
};

/* --- opening ------------------------------------------------------------------------ */

static bool wrong(struct lib_diags *diags, const char *text)
{
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "%s", text);
    return false;
}

static bool propagates(const struct machine_settings *settings)
{
    return settings->deadness == MACHINE_PROPAGATE;
}

static bool check(const struct sim_simulation_config *c, struct lib_diags *diags)
{
    const struct isa_graph *graph = c->code ? c->code->graph : c->graph;
    if (!isa_stage_is_executable(graph->stage)) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "a graph of the stage `%s` cannot run; expected `%s` or `%s`",
                       isa_stage_name(graph->stage), isa_stage_name(ISA_STAGE_IMAGE),
                       isa_stage_name(ISA_STAGE_EXPANDING));
        return false;
    }
    if (c->code && c->code->propagate != propagates(c->settings))
        return wrong(diags, "the code was made for another value of `deadness`");
    if (!c->has_host && !c->feeds && !sim_program_runs_alone(graph, diags))
        return false;
    if (c->engine == SIM_ENGINE_INTERPRETER && (c->window || c->energy))
        return wrong(diags, "the interpreter has no cycles and no hardware: neither a "
                            "part of a run nor its energy can be measured");
    if (c->window && c->profile)
        return wrong(diags, "a profile is of a whole run, not of a part");
    if (c->window && c->costs)
        return wrong(diags, "costs of functions, lines and opcodes are of a whole run, "
                            "not of a part");
    if (c->engine == SIM_ENGINE_INTERPRETER &&
        (c->series || c->profile || c->costs || c->sink_count > 0))
        return wrong(diags, "the interpreter has no cycles: no series, profile or events "
                            "can be made");
    return true;
}

/* Has the machine tell its events to all that want them, as soon as it is known where it begins. */
static void start_events(struct sim_simulation *s)
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
                                      s->settings.executor_workers > 0, NULL);
        sinks[count] = analysis_costs_sink(s->costs);
    }
    machine_listen(s->machine, sinks, count + s->config.costs);
    lib_mem_free(sinks);
}

/* Who multiplies matrices: where OpenBLAS cannot, the reference does, and the record says why.
 * false: what the settings ask for cannot be had. */
static bool find_blas(struct sim_simulation *s, struct lib_diags *diags)
{
    enum isa_blas_outcome outcome;
    struct lib_text why = {0};
    if (!s->config.code->has_tensors || s->settings.tensor_math != MACHINE_TENSOR_BLAS)
        return true;
    struct lib_text core = {0};
    machine_setting_write(&s->settings, machine_setting_find("tensor.core"), &core);
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
    lib_text_free(&why);
    return good;
}

/* Has a machine at its start observed as the config says. */
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

/* Gives a run at its start all that its ports are fed. */
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
    const struct isa_interp_limits limits = {.memory = s->settings.limit_memory,
                                             .tokens = s->settings.limit_tokens,
                                             .depth = s->settings.limit_depth};
    isa_interp_start(&s->interp, s->config.code, &limits, !s->config.unmeasured);
    set_up_interpreter(s);
    give_feeds(s);
}

static bool check_tensors(const struct sim_simulation *s, struct lib_diags *diags);

/* Divides the program where the settings ask for it and the caller has not, as in a sweep. */
static bool fits(const struct sim_simulation_config *c, struct isa_graph **divided,
                 struct lib_diags *diags)
{
    *divided = NULL;
    return c->engine == SIM_ENGINE_MACHINE
               ? sim_program_fits(c->code ? c->code->graph : c->graph, c->settings,
                                  divided, diags)
               : sim_settings_are_in_range(c->settings, diags);
}

struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    struct isa_graph *divided;
    if (!check(config, diags) || !fits(config, &divided, diags))
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
                                                     propagates(&s->settings));
    s->config.graph = s->config.code->graph;
    if (!check_tensors(s, diags) || !find_blas(s, diags)) {
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

/* --- advancing ---------------------------------------------------------------------- */

/* How far one call goes, in tokens delivered since the start and in cycles. */
struct goal {
    uint64_t tokens, cycle;
};

static uint64_t tokens_of(const struct sim_simulation *s)
{
    return sim_simulation_exec(s)->counts.tokens;
}

static struct goal goal_of(const struct sim_simulation *s, const struct sim_until *until)
{
    struct goal goal = {.tokens = UINT64_MAX, .cycle = UINT64_MAX};
    if (until && until->cycle && s->machine)
        goal.cycle = until->cycle;
    if (until && until->tokens &&
        __builtin_add_overflow(tokens_of(s), until->tokens, &goal.tokens))
        goal.tokens = UINT64_MAX;
    return goal;
}

static bool is_reached(const struct sim_simulation *s, const struct goal *goal)
{
    return tokens_of(s) >= goal->tokens ||
           (goal->cycle != UINT64_MAX && machine_next(s->machine) >= goal->cycle);
}

/* Whether whoever watches has seen enough. */
static bool is_stopped(struct sim_simulation *s)
{
    const struct sim_watch *watch = &s->config.watch;
    if (!watch->look || tokens_of(s) < s->next_look)
        return false;
    s->next_look = tokens_of(s) + watch->every;
    return !watch->look(s, watch->context);
}

/* The next piece: up to the goal, to the next look, or, `in_steps`, the least there is. */
static void take_piece(struct sim_simulation *s, const struct goal *goal, bool in_steps)
{
    uint64_t now = tokens_of(s), most = goal->tokens - now;
    if (s->config.watch.look && s->next_look - now < most)
        most = s->next_look - now;
    if (!s->machine) {
        s->has_ended = !isa_interp_advance(&s->interp, in_steps ? 1 : most);
        s->waits = s->has_ended && s->interp.end == ISA_END_WAITING;
        s->has_ended &= !s->waits;
        return;
    }
    uint64_t cycle = goal->cycle;
    if (in_steps && machine_due(s->machine) < cycle)
        cycle = machine_due(s->machine) + 1;
    s->has_ended = !machine_advance_to(s->machine, cycle, most);
}

/* Up to which cycle time passes while a run waits. Where all that its ports are fed is known,
 * nobody feeds more: a limit of cycles ends it, as it has ended what was recorded. */
static uint64_t lapse_of(const struct sim_simulation *s, const struct sim_until *until)
{
    if (!s->config.feeds || s->config.has_host || s->settings.limit_cycles == 0)
        return until ? until->lapse : 0;
    return until && until->cycle ? until->cycle : UINT64_MAX;
}

/* Whether a run waits for its host, also after time has passed as `until` says. */
static bool waits(struct sim_simulation *s, const struct sim_until *until)
{
    if (s->has_ended || !(s->machine ? machine_waits(s->machine) : s->waits))
        return false;
    const uint64_t lapse = lapse_of(s, until);
    if (!s->machine || lapse <= machine_next(s->machine))
        return true;
    s->has_ended = !machine_lapse(s->machine, lapse);
    return false;
}

static enum sim_advanced advance(struct sim_simulation *s, const struct sim_until *until)
{
    const struct goal goal = goal_of(s, until);
    const bool in_steps = until && until->event;
    while (!s->has_ended) {
        if (is_reached(s, &goal))
            return SIM_ADVANCED_SO_FAR;
        if (is_stopped(s))
            return SIM_ADVANCED_TO_STOP;
        take_piece(s, &goal, in_steps);
        if (waits(s, until))
            return is_reached(s, &goal) ? SIM_ADVANCED_SO_FAR : SIM_ADVANCED_TO_WAIT;
        if (in_steps && !s->has_ended && until->event(s, until->context))
            return SIM_ADVANCED_SO_FAR;
    }
    return SIM_ADVANCED_TO_END;
}

enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until)
{
    LIB_WORLD_OWN();
    double start = sim_host_clock();
    assert(!simulation->is_finished);
    start_events(simulation);
    enum sim_advanced advanced = advance(simulation, until);
    simulation->seconds += sim_host_clock() - start;
    return advanced;
}

void sim_simulation_again(struct sim_simulation *s, const struct isa_reexec *again)
{
    LIB_WORLD_OWN();
    assert(!s->machine && s->has_ended);
    isa_interp_again(&s->interp, again);
    s->has_ended = false;
}

/* Frees the series and the profile. */
static void free_observed(struct sim_simulation *s)
{
    if (s->series)
        traces_series_free(s->series);
    if (s->profile)
        traces_profile_free(s->profile);
    lib_mem_free(s->series);
    lib_mem_free(s->profile);
    s->series = NULL;
    s->profile = NULL;
}

/* --- ports ---------------------------------------------------------------------------- */

static bool feed_interpreter(struct sim_simulation *s, uint32_t port,
                             const struct machine_fed *parts)
{
    const uint32_t count = s->config.graph->ports[port].part_count;
    struct isa_port_value *values = lib_mem_new((count + 1) * sizeof *values);
    bool good = machine_fed_make(&s->interp.exec, parts, count, values);
    if (good && isa_interp_feed(&s->interp, port, values) != ISA_FEED_DONE) {
        machine_fed_free(&s->interp.exec, values, count);
        good = false;
    }
    lib_mem_free(values);
    return good;
}

bool sim_simulation_feed(struct sim_simulation *s, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle)
{
    LIB_WORLD_OWN();
    if (s->machine && parts)
        machine_feed(s->machine, port, parts, cycle);
    else if (s->machine)
        machine_close(s->machine, port, cycle);
    else if (parts)
        return feed_interpreter(s, port, parts);
    else
        s->has_ended |= !isa_interp_close(&s->interp, port);
    return true;
}

uint64_t sim_simulation_now(const struct sim_simulation *s)
{
    return machine_now(s->machine);
}

struct machine_given sim_simulation_given(const struct sim_simulation *s, uint32_t port)
{
    const struct isa_port_state *state =
        &sim_simulation_exec(s)->structures.ports->all[port];
    if (s->machine)
        return machine_given(s->machine, port);
    return (struct machine_given){.elements = state->fed, .is_closed = state->is_closed};
}

uint64_t sim_simulation_room(const struct sim_simulation *s, uint32_t port)
{
    return s->machine ? machine_port_room(s->machine, port) : UINT64_MAX;
}

bool sim_simulation_takes_feed(const struct sim_simulation *s, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle)
{
    return !s->machine || machine_takes_feed(s->machine, port, parts, cycle);
}

bool sim_simulation_take(struct sim_simulation *s, uint32_t port, isa_value *values,
                         bool is_taken)
{
    const struct isa_exec *exec = sim_simulation_exec(s);
    struct isa_port_state *state = &exec->structures.ports->all[port];
    if (!isa_port_get(exec, port, state->taken, values))
        return false;
    state->taken += is_taken;
    return true;
}

/* --- checkpoints --------------------------------------------------------------------- */

static void save(struct sim_simulation *s, struct lib_pack pack)
{
    assert(s->machine && !s->has_ended);
    machine_checkpoint_pack(&pack, s->machine);
}

void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes)
{
    LIB_WORLD_OWN();
    save(simulation, lib_pack_writer(bytes));
}

void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash)
{
    LIB_WORLD_OWN();
    save(simulation, lib_pack_stash_writer(stash));
    lib_stash_end(stash);
}

/* What was read of a state that is none may be anything: it is not looked at. */
static void start_again(struct sim_simulation *s)
{
    machine_free(s->machine);
    free_observed(s);
    start_machine(s);
}

static bool restore(struct sim_simulation *s, struct lib_pack pack)
{
    assert(s->machine && tokens_of(s) == 0);
    machine_checkpoint_pack(&pack, s->machine);
    if (lib_pack_is_whole(&pack))
        return true;
    start_again(s);
    return false;
}

bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length)
{
    LIB_WORLD_OWN();
    return restore(simulation, lib_pack_reader(bytes, length));
}

bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash)
{
    LIB_WORLD_OWN();
    return restore(simulation, lib_pack_stash_reader(stash));
}

void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count)
{
    LIB_WORLD_OWN();
    assert(simulation->config.sink_count == 0 && !simulation->config.costs);
    simulation->is_heard = true;
    machine_listen_from(simulation->machine, cycle, sinks, count);
}

void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count)
{
    assert(simulation->config.sink_count == 0 && !simulation->config.costs);
    simulation->is_heard = true;
    machine_listen_on(simulation->machine, sinks, count);
}

/* --- measuring ---------------------------------------------------------------------- */

static void derive(const struct sim_simulation *s, struct traces_stats *stats)
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
    derive(simulation, stats);
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

/* All cycles of the run; of one that goes on, all that are over. */
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

/* The statistics of the part; of the run, where no part was asked for. */
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
        derive(s, &s->after);
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

/* --- closing ------------------------------------------------------------------------ */

/* Which limit an execution of the interpreter that ended by one has reached. */
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

/* Where a tensor that is asked for will be: a part of the result, or a cell. false: nowhere. */
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

static bool check_tensors(const struct sim_simulation *s, struct lib_diags *diags)
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

/* Completes what observes the run, which does not go on. */
static void finish(struct sim_simulation *s)
{
    if (s->is_finished)
        return;
    s->is_finished = true;
    start_events(s);
    if (s->machine)
        machine_observe_end(s->machine);
}

/* Frees what was measured of a run and was not asked for. */
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

/* The series, the profile and the costs are complete, and move to it. */
void sim_simulation_leave(struct sim_simulation *s, struct sim_ending *ending)
{
    LIB_WORLD_OWN();
    finish(s);
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

void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending)
{
    LIB_WORLD_OWN();
    if (ending)
        sim_simulation_leave(simulation, ending);
    finish(simulation);
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

/* Has the code hold these inputs. Code that others may run is copied once. */
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
    finish(s);
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

/* --- in one call -------------------------------------------------------------------- */

bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags)
{
    *ending = (struct sim_ending){0};
    struct sim_simulation *simulation = sim_simulation_open(config, diags);
    if (!simulation)
        return false;
    sim_window_advance(simulation, NULL, NULL);
    sim_simulation_close(simulation, ending);
    return true;
}
