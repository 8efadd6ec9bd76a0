#include "sim/cli/execute_internal.h"

#include <inttypes.h>
#include <string.h>

#include "sim/ending/growth.h"
#include "sim/ending/growth_watch.h"
#include "sim/library/library_internal.h"
#include "sim/messages/progress.h"
#include "sim/messages/stop.h"
#include "sim/session/host.h"
#include "sim/session/session.h"

static enum sim_status check_outputs(const struct sim_options *o)
{
    const char *const outputs[] = {o->stats, o->series, o->record, o->trace};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        enum sim_status status = SIM_DONE;
        if (outputs[i])
            status = sim_check_writable(&o->printer, outputs[i]);
        if (status != SIM_DONE)
            return status;
    }
    return SIM_DONE;
}

static enum sim_status open_own(struct sim_execute_command *c)
{
    const bool good = sim_open(&c->opened, c->options, c->engine);
    const enum sim_status status = sim_reporter_end(&c->opened.reporter);
    c->session = c->opened.parts;
    return good ? SIM_DONE : status;
}

static enum sim_status open_recorded(struct sim_execute_command *c)
{
    const struct sim_options *o = c->options;
    struct lib_diags diags = {0};
    c->session = &c->recording.session;
    const bool good = sim_recording_open(&c->recording, o->from, &diags) &&
                      sim_session_measure(c->session, o->window, o->energy, &diags);
    const enum sim_status status = sim_tell(&o->printer, &diags);
    return good ? SIM_DONE : status;
}

static enum sim_status open_session(struct sim_execute_command *c)
{
    const struct sim_options *o = c->options;
    const enum sim_status status = o->from ? open_recorded(c) : open_own(c);
    if (status == SIM_DONE && o->printer.verbose)
        sim_say(&o->printer, "%s: %u instructions, ready in %.2f ms",
                sim_program_name(&c->session->program),
                c->session->program.graph->node_count, c->session->prepare_seconds * 1e3);
    return status;
}

static void close_session(struct sim_execute_command *c)
{
    if (c->options->from)
        sim_recording_close(&c->recording);
    else
        sim_open_close(&c->opened);
}

/* Observer of a running simulation. */
struct onlooker {
    const struct sim_execute_command *command;
    struct sim_progress progress;
    struct sim_growth_watch growth;
};

static void warn_loop(struct onlooker *o, const struct isa_function *loop,
                      uint64_t iterations)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text,
                    "in %d seconds this loop began %" PRIu64
                    " iterations, and it has not ended; does its condition ever become "
                    "false?",
                    SIM_GROWTH_SECONDS, iterations);
    sim_progress_end(&o->progress);
    sim_execute_tell_at(o->command, loop->pos, text.bytes, SIM_AS_WARNING);
}

/* Warns of calls that accumulate: where, if the function calls itself, and how deep. */
static void warn_growth(struct onlooker *o, const struct sim_simulation *simulation,
                        uint32_t function, uint64_t calls)
{
    const struct isa_exec *exec = sim_simulation_exec(simulation);
    LIB_TEXT_OWN text = {0};
    struct sim_growth growth;
    sim_growth_find(&growth, exec, NULL, SIM_GROWTH_ENOUGH);
    const bool recurs = growth.kind == SIM_GROWTH_RECURSION;
    lib_text_printf(
        &text,
        "in %d seconds `%s` was called %" PRIu64 " times, and no call of it has ended",
        SIM_GROWTH_SECONDS, exec->code->graph->functions[function].name, calls);
    if (recurs)
        lib_text_printf(&text,
                        ": depth %" PRIu64 ", %" PRIu64
                        " calls alive; is its base case ever reached?",
                        growth.depth, growth.alive);
    sim_progress_end(&o->progress);
    sim_execute_tell_at(o->command, recurs ? growth.pos : (struct lib_pos){0}, text.bytes,
                        SIM_AS_WARNING);
    sim_growth_free(&growth);
}

static void warn_endless(struct onlooker *o, const struct sim_simulation *simulation,
                         uint32_t function, uint64_t count)
{
    const struct isa_graph *graph = sim_simulation_exec(simulation)->code->graph;
    if (graph->functions[function].is_loop)
        warn_loop(o, &graph->functions[function], count);
    else
        warn_growth(o, simulation, function, count);
}

static bool look(const struct sim_simulation *simulation, void *context)
{
    struct onlooker *o = context;
    uint32_t function = 0;
    uint64_t calls = 0;
    sim_progress_show(&o->progress, simulation);
    if (!o->command->options->printer.quiet &&
        sim_growth_watch_look(&o->growth, sim_simulation_exec(simulation),
                              sim_host_clock(), &function, &calls))
        warn_endless(o, simulation, function, calls);
    return !sim_stop;
}

/* Returns what is wanted but missing in checkpoints, or NULL. */
static const char *not_recorded(const struct sim_recording *r,
                                const struct sim_simulation_config *wanted)
{
    return wanted->costs                        ? "what --by needs"
           : wanted->series && !r->run.series   ? "a series"
           : wanted->profile && !r->run.profile ? "a profile"
           : wanted->energy && !r->energy       ? "energies"
                                                : NULL;
}

/* Returns the checkpoint for --from. If none has all that is to be observed, prints why and returns
 * SIZE_MAX: the run starts at cycle 0. */
static size_t checkpoint_of(const struct sim_execute_command *c,
                            const struct sim_simulation_config *wanted)
{
    const struct sim_options *o = c->options;
    const struct sim_recording *r = &c->recording;
    const struct sim_window *window = wanted->window;
    const uint64_t latest = window ? sim_window_latest(window) : UINT64_MAX;
    const uint64_t cycle = o->from_cycle < latest ? o->from_cycle : latest;
    const size_t at = sim_recording_checkpoint(r, cycle);
    const char *lacks = not_recorded(r, wanted);
    if (window && window->function)
        sim_say(&o->printer, "--window=%s needs the start of the run: from cycle 0",
                window->text);
    else if (at == SIZE_MAX)
        sim_say(&o->printer, "%s has no checkpoint up to cycle %" PRIu64 ": from cycle 0",
                o->from, cycle);
    else if (window && r->run.profile)
        sim_say(&o->printer,
                "%s was recorded with a profile, which no window has: from cycle 0",
                o->from);
    else if (lacks)
        sim_say(&o->printer, "%s was recorded without %s: from cycle 0", o->from, lacks);
    else
        return at;
    return SIZE_MAX;
}

static bool go_on(struct sim_execute_command *c, size_t checkpoint,
                  struct sim_simulation *simulation, struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    if (checkpoint == SIZE_MAX)
        return true;
    if (o->printer.verbose)
        sim_say(&o->printer, "from the checkpoint at cycle %" PRIu64,
                traces_chunks_get(c->recording.chunks, checkpoint)->from);
    return sim_recording_restore(&c->recording, checkpoint, simulation, diags);
}

/* Advances a simulation to its end, or until it waits for its host. */
static enum sim_advanced advance_once(struct sim_execute_command *c,
                                      struct sim_simulation *simulation)
{
    if (c->recorder)
        return sim_recorder_advance(c->recorder);
    if (!c->opened.session || c->session->window.text)
        return sim_window_advance(simulation, NULL, NULL);
    switch (hiaton_session_advance(c->opened.session, NULL)) {
    case HIATON_WAITING:
        return SIM_ADVANCED_TO_WAIT;
    case HIATON_CANCELLED:
        return SIM_ADVANCED_TO_STOP;
    default:
        return SIM_ADVANCED_TO_END;
    }
}

/* Advances to the end, feeding ports from pipes when the simulation waits. Stops at an element that
 * cannot be read or written, and sets c->stopped. */
static bool advance_to_end(struct sim_execute_command *c,
                           struct sim_simulation *simulation, struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    const struct sim_ports_run run = {simulation, c->recorder, c->tracer};
    enum sim_advanced advanced;
    bool good = true;
    do {
        advanced = advance_once(c, simulation);
        if (c->session->program.graph->port_count)
            good = sim_ports_take(&c->ports, simulation, diags);
    } while (good && advanced == SIM_ADVANCED_TO_WAIT &&
             sim_ports_feed(&c->ports, &run, diags));
    c->stopped = !good || diags->errors != errors;
    return !c->stopped;
}

/* Advances a simulation to its end, and records it if requested. Returns false if it cannot begin
 * or a line of a pipe is invalid. */
static bool advance(struct sim_execute_command *c, size_t checkpoint,
                    struct sim_simulation *simulation, struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    const struct sim_recorder_config config = {
        .path = o->record, .interval = o->interval, .checkpoint = o->checkpoint};
    if (!go_on(c, checkpoint, simulation, diags))
        return false;
    if (o->record) {
        if (o->checkpoint && !machine_can_be_saved(&c->session->setup.settings.machine))
            sim_say(&o->printer,
                    "SimGrid's state cannot be saved: there are no checkpoints, and "
                    "whoever goes on from %s begins at cycle 0",
                    o->record);
        c->recorder = sim_recorder_new(&config, c->session, simulation, diags);
        if (!c->recorder)
            return false;
    }
    return advance_to_end(c, simulation, diags);
}

/* Simulates what the library opened. Returns false if it cannot begin. */
static bool simulate_opened(struct sim_execute_command *c,
                            const struct sim_simulation_config *config,
                            struct sim_ending *ending, struct lib_diags *diags)
{
    struct hiaton_session *session = c->opened.session;
    sim_library_observe(session, config);
    const bool begun = sim_library_begin(session) &&
                       advance(c, SIZE_MAX, sim_library_simulation(session), diags);
    if (begun)
        *ending = sim_library_take_ending(session);
    sim_library_end_run(session);
    sim_library_observe(session, NULL);
    return begun;
}

static bool simulate_recorded(struct sim_execute_command *c, size_t checkpoint,
                              const struct sim_simulation_config *config,
                              struct sim_ending *ending, struct lib_diags *diags)
{
    struct sim_simulation *simulation = sim_simulation_open(config, diags);
    if (!simulation)
        return false;
    const bool begun = advance(c, checkpoint, simulation, diags);
    sim_simulation_close(simulation, begun ? ending : NULL);
    return begun;
}

/* Opens the event file of --trace. Returns false on failure. */
static bool open_trace(struct sim_execute_command *c,
                       struct sim_simulation_config *config,
                       struct traces_event_sink *sink, struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    const struct sim_recorded_events events = sim_options_events(o);
    if (!o->trace)
        return true;
    c->tracer = sim_tracer_new(o->trace, &events, c->session, diags);
    if (!c->tracer)
        return false;
    *sink = sim_tracer_sink(c->tracer);
    config->sinks = sink;
    config->sink_count = 1;
    return true;
}

static enum sim_status simulate(struct sim_execute_command *c, struct sim_ending *ending)
{
    const enum sim_engine engine = c->engine;
    const struct sim_options *o = c->options;
    struct sim_simulation_config config = sim_session_config(c->session);
    struct onlooker onlooker = {.command = c};
    struct lib_diags diags = {0};
    config.engine = engine;
    config.has_host = true;
    if (engine == SIM_ENGINE_INTERPRETER)
        config.energy = NULL; /* the interpreter has no hardware */
    config.unmeasured = !o->json && !o->stats;
    config.series = o->series;
    config.profile = o->profile;
    config.costs = o->by != ANALYSIS_COST_BY_NOTHING;
    config.costs_by = o->by;
    if (c->more)
        c->more->observe(&config, c->more->own);
    const size_t checkpoint = o->from ? checkpoint_of(c, &config) : SIZE_MAX;
    config.series |= checkpoint != SIZE_MAX && c->recording.run.series;
    config.profile |= checkpoint != SIZE_MAX && c->recording.run.profile;
    config.watch = (struct sim_watch){.look = look, .context = &onlooker};
    *ending = (struct sim_ending){0};
    sim_progress_start(&onlooker.progress, &o->printer);
    struct traces_event_sink sink;
    c->opened.reporter.progress = &onlooker.progress;
    if (open_trace(c, &config, &sink, &diags)) {
        if (o->from)
            simulate_recorded(c, checkpoint, &config, ending, &diags);
        else
            simulate_opened(c, &config, ending, &diags);
    }
    sim_progress_end(&onlooker.progress);
    sim_growth_watch_end(&onlooker.growth);
    c->opened.reporter.progress = NULL;
    const enum sim_status told = sim_tell(&o->printer, &diags);
    const enum sim_status reported = o->from ? SIM_DONE
                                             : sim_reporter_end(&c->opened.reporter);
    const enum sim_status status = told != SIM_DONE ? told : reported;
    return c->stopped && status != SIM_INTERNAL ? SIM_FAILED : status;
}

static enum sim_status open_ports(struct sim_execute_command *c)
{
    const struct sim_options *o = c->options;
    struct lib_diags diags = {0};
    sim_ports_open(&c->ports, o, c->session->program.graph,
                   o->from ? SIM_PORTS_RECORDED : SIM_PORTS_RUN, &diags);
    if (!o->from)
        c->session->feeds = &c->ports.feeds;
    return sim_tell(&o->printer, &diags);
}

static enum sim_status close_ports(struct sim_execute_command *c)
{
    struct lib_diags diags = {0};
    sim_ports_close(&c->ports, &diags);
    return sim_tell(&c->options->printer, &diags);
}

/* Keeps what was recorded of a run that stopped at an element of a port. */
static void leave_files(const struct sim_execute_command *c)
{
    if (c->recorder)
        sim_recorder_leave(c->recorder);
    if (c->tracer)
        sim_tracer_abandon(c->tracer);
}

static enum sim_status execute(struct sim_execute_command *c)
{
    struct sim_ending ending;
    enum sim_status status = open_session(c);
    if (status == SIM_DONE)
        status = open_ports(c);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = simulate(c, &ending);
        if (status == SIM_DONE)
            status = sim_execute_finish(c, &ending);
        else
            leave_files(c);
        sim_ending_free(&ending);
    }
    const enum sim_status closed = close_ports(c);
    close_session(c);
    return closed == SIM_DONE ? status : closed;
}

int sim_execute(int argc, char **argv, const struct sim_usage *usage,
                enum sim_engine engine, const struct sim_execute_more *more)
{
    struct sim_options options = {0};
    sim_options_parse(&options, usage, more ? more->own : NULL, argc, argv);
    struct sim_execute_command command = {
        .options = &options, .more = more, .engine = engine};
    enum sim_status status = check_outputs(&options);
    if (status == SIM_DONE && more)
        status = more->check(&options, more->own);
    if (status == SIM_DONE)
        status = execute(&command);
    sim_options_free(&options);
    return status;
}
