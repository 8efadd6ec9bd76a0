#include "sim/commands/heat.h"

#include <string.h>

#include "machine/describe.h"
#include "sim/messages/progress.h"
#include "sim/messages/stop.h"
#include "sim/replay/source.h"
#include "traces/outcome.h"

struct sim_heat_run {
    enum sim_heat heat;
    bool is_file, has_workers;
    struct sim_source source;   /* the file, if `is_file` */
    struct sim_session session; /* the program, if not */
    uint64_t *counts;           /* owned */
};

static const enum traces_level levels[] = {
#define HEAT(NAME, name, LEVEL, help) TRACES_LEVEL_##LEVEL,
    SIM_HEATS(HEAT)
#undef HEAT
};

static const char *const names[] = {
#define HEAT(NAME, name, LEVEL, help) #name,
    SIM_HEATS(HEAT)
#undef HEAT
};

static uint64_t count_of(const struct sim_heat_run *run, const struct traces_event *e)
{
    const bool fires = e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD;
    switch (run->heat) {
    case SIM_HEAT_FIRINGS:
        return e->kind == TRACES_EVENT_FIRED;
    case SIM_HEAT_TOKENS:
        return traces_event_is_step(e) && e->port != TRACES_NONE &&
               traces_outcome_delivers(e->how);
    default:
        if (e->kind == TRACES_EVENT_BUSY || (fires && run->has_workers))
            return e->b - e->cycle;
        return fires;
    }
}

static void take(void *context, const struct traces_event *events, size_t count)
{
    struct sim_heat_run *run = context;
    for (size_t i = 0; i < count; i++) {
        const uint64_t more = count_of(run, &events[i]);
        if (more)
            run->counts[events[i].instr] += more;
    }
}

static bool open_file(struct sim_heat_run *run, const struct sim_options *o,
                      struct lib_diags *diags)
{
    run->is_file = true;
    if (o->argument_count > 1 || o->machine || o->sets.count || o->seed)
        sim_options_wrong(o->printer.command,
                          "a recording says what runs, and on which machine; inputs, -m, "
                          "-s and --seed cannot change it");
    if (!sim_source_open(&run->source, o->arguments[0], diags))
        return false;
    if (levels[run->heat] <= run->source.level)
        return true;
    lib_diag_plain(diags, LIB_DIAG_FILE,
                   "%s has events of the level `%s`; --heat=%s needs `%s`",
                   o->arguments[0], traces_level_table[run->source.level].text,
                   names[run->heat], traces_level_table[levels[run->heat]].text);
    return false;
}

static const struct sim_session *session_of(const struct sim_heat_run *run)
{
    return run->is_file ? &run->source.recording.session : &run->session;
}

static enum sim_status count(struct sim_heat_run *run, const struct sim_options *o)
{
    const struct sim_source_window all = {0, UINT64_MAX};
    const struct traces_event_sink sink = {levels[run->heat], take, run};
    struct sim_progress progress;
    const struct sim_watch watch = sim_progress_watch(&progress);
    struct lib_diags diags = {0};
    sim_stop_catch();
    sim_progress_start(&progress, &o->printer);
    const bool done = run->is_file
                          ? sim_source_read(&run->source, all, &sink, 1, &watch, &diags)
                          : sim_session_read(&run->session, UINT64_MAX, &sink, 1, &watch,
                                             &diags);
    sim_progress_end(&progress);
    const enum sim_status status = sim_tell(&o->printer, &diags);
    return done || status != SIM_DONE ? status : sim_interrupted(&o->printer);
}

enum sim_status sim_heat_run(const struct sim_options *o, enum sim_heat heat,
                             struct sim_heat_run **made)
{
    struct sim_heat_run *run = *made = lib_mem_new(sizeof *run);
    struct lib_diags diags = {0};
    bool opened;
    *run = (struct sim_heat_run){.heat = heat};
    if (sim_source_is(o->arguments[0])) {
        opened = open_file(run, o, &diags);
    } else {
        const struct sim_session_request request = sim_options_request(o);
        opened = sim_session_open(&run->session, &request, &diags);
    }
    const enum sim_status status = sim_tell(&o->printer, &diags);
    if (!opened)
        return status;
    const struct sim_session *session = session_of(run);
    run->has_workers = machine_has_workers(&session->setup.settings.machine);
    run->counts = lib_mem_new((session->program.graph->node_count + 1) *
                              sizeof *run->counts);
    return count(run, o);
}

void sim_heat_run_close(struct sim_heat_run *run)
{
    if (run->is_file)
        sim_source_close(&run->source);
    else
        sim_session_close(&run->session);
    LIB_MEM_FREE(run->counts, run);
}

const struct sim_program *sim_heat_run_program(const struct sim_heat_run *run)
{
    return &session_of(run)->program;
}

const uint64_t *sim_heat_run_counts(const struct sim_heat_run *run)
{
    return run->counts;
}
