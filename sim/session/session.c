#include "sim/session/session.h"

#include "isa/parts.h"
#include "machine/describe.h"
#include "sim/loading/energy.h"
#include "sim/loading/extents.h"
#include "sim/loading/fit.h"
#include "sim/session/host.h"

static const struct lib_pos nowhere;

/* Reads a window; check_window checks its function later. */
static bool read_window(struct sim_session *s, const char *text, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    const bool good = !text || sim_window_read(&s->window, text, &why);
    if (!good)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "--window: %s", why.bytes);
    return good;
}

static bool check_window(const struct sim_session *s, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    const bool good = !s->window.text ||
                      sim_window_check(&s->window, s->program.graph, &why);
    if (!good)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "--window: %s", why.bytes);
    return good;
}

static bool load_energy(struct sim_session *s, const char *name, struct lib_diags *diags)
{
    struct lib_diags found = {0};
    if (!name)
        return true;
    s->setup.energy = sim_energy_load(s->arena, "", name, &found);
    lib_diags_adopt(diags, &found, NULL, nowhere, "--energy: ", "");
    return s->setup.energy != NULL;
}

static bool load_request(struct sim_session *s, const struct sim_session_request *r,
                         struct lib_diags *diags)
{
    /* Both are read before either fails, to report the errors of both. */
    bool configured = sim_setup_load(&s->setup, s->arena, r->machine, r->sets,
                                     r->set_count, diags);
    configured &= load_energy(s, r->energy, diags);
    configured &= read_window(s, r->window, diags);
    bool loaded = sim_program_is_named(r->program, diags) &&
                  sim_program_open(&s->program, r->program, diags) &&
                  sim_program_finish(&s->program, &s->setup.settings, r->strategy, diags);
    const struct sim_inputs_from from = {
        .folder = "", .limit_memory = s->setup.settings.machine.limit_memory};
    if (!loaded ||
        !sim_program_read_inputs(&s->program, &s->inputs, s->arena, r->inputs,
                                 r->input_count, &from, diags) ||
        !sim_extents_check(&s->program, &s->setup.settings, s->inputs.values, diags))
        return false;
    if (r->untimed && isa_parts_are_scheduled(s->program.graph))
        s->setup.settings.machine.deadness = MACHINE_PROPAGATE;
    if (configured && !r->untimed)
        sim_setup_warn(&s->setup, NULL, nowhere, diags);
    if (configured && !r->untimed)
        sim_setup_warn_needs(&s->setup, s->program.graph->stage == ISA_STAGE_EXPANDING,
                             diags);
    if (configured && !r->untimed)
        sim_program_warn_of_effects(s->program.graph, &s->setup.settings, diags);
    if (configured && r->has_seed)
        sim_setup_warn_seed(r->untimed ? NULL : &s->setup, s->program.graph, diags);
    /* Checked before a machine exists, as analyses read its settings first. */
    return configured && check_window(s, diags) &&
           (r->untimed ||
            sim_loaded_fits(&s->program, &s->setup.settings.machine, diags));
}

bool sim_session_open(struct sim_session *session,
                      const struct sim_session_request *request, struct lib_diags *diags)
{
    double start = sim_host_clock();
    *session = (struct sim_session){.arena = lib_arena_new(), .seed = request->seed};
    if (!load_request(session, request, diags))
        return false;
    sim_session_prepare(session);
    session->prepare_seconds = sim_host_clock() - start;
    return true;
}

bool sim_session_measure(struct sim_session *session, const char *window,
                         const char *energy, struct lib_diags *diags)
{
    bool good = load_energy(session, energy, diags);
    good &= read_window(session, window, diags) && check_window(session, diags);
    return good;
}

void sim_session_prepare(struct sim_session *session)
{
    const bool propagate = machine_propagates(&session->setup.settings.machine);
    session->code = isa_code_make(session->program.graph, session->inputs.values,
                                  propagate);
    session->image_digest = isa_image_digest(session->program.graph);
    session->name = sim_program_stem(&session->program);
}

void sim_session_close(struct sim_session *session)
{
    isa_code_free(session->code);
    sim_program_free(&session->program);
    lib_arena_free(session->arena);
}

struct sim_simulation_config sim_session_config(const struct sim_session *session)
{
    return (struct sim_simulation_config){
        .code = session->code,
        .settings = &session->setup.settings.machine,
        .seed = session->seed,
        .engine = SIM_ENGINE_MACHINE,
        .energy = session->setup.energy,
        .feeds = session->feeds,
        .window = session->window.text ? &session->window : NULL,
    };
}

bool sim_session_read(const struct sim_session *session, uint64_t to,
                      const struct traces_event_sink *sinks, size_t count,
                      const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(session);
    const struct sim_until until = {.cycle = to};
    config.energy = NULL;
    config.window = NULL;
    config.sinks = sinks;
    config.sink_count = count;
    config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    const bool done = sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
    sim_simulation_close(simulation, NULL);
    return done;
}

struct sim_record sim_session_record(const struct sim_session *session,
                                     const struct sim_ending *ending)
{
    return (struct sim_record){
        .program = session->name,
        .graph = session->program.graph,
        .source = sim_program_source(&session->program),
        .inputs = &session->inputs,
        .setup = &session->setup,
        .seed = session->seed,
        .image_digest = session->image_digest,
        .window = session->window.text ? &session->window : NULL,
        .ending = ending,
    };
}
