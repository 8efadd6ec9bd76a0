#include "sim/library/library_internal.h"

#include <inttypes.h>
#include <string.h>

#include "isa/parts.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "sim/library/look.h"
#include "sim/loading/divide.h"
#include "sim/loading/extents.h"
#include "sim/loading/fit.h"
#include "sim/replay/recorder.h"

static const struct lib_pos nowhere;

/* --- a new session ----------------------------------------------------------------------- */

static bool check_compiled(const struct hiaton_session *s, struct lib_diags *diags)
{
    const struct sim_settings *then = &s->program->machine->setup.settings,
                              *now = &s->session.setup.settings;
    const char *key = NULL;
    for (size_t i = 0; !key && i < sim_setting_count; i++)
        if (sim_setting_is_of_compiler(sim_setting_at(i)) &&
            !lib_setting_is_equal(then, now, sim_setting_at(i)))
            key = sim_setting_at(i)->key;
    if (s->program->program.kind != SIM_SOURCE || !key)
        return true;
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                   "%s: the program was compiled for another value; load it with the "
                   "machine that shall run it",
                   key);
    return false;
}

static bool divide_session(struct hiaton_session *s, struct lib_diags *diags)
{
    struct sim_session *session = &s->session;
    const struct machine_settings *settings = &session->setup.settings.machine;
    if (!sim_divides(session->program.graph, settings))
        return true;
    s->divided = sim_divide(session->program.graph, settings,
                            sim_program_source(&session->program), diags);
    session->program.graph = s->divided;
    return s->divided != NULL;
}

static bool prepare_session(struct hiaton_session *s, struct lib_diags *diags)
{
    struct sim_session *session = &s->session;
    if (!check_compiled(s, diags) || !divide_session(s, diags))
        return false;
    sim_inputs_read(&session->inputs, session->arena, session->program.graph, NULL, 0,
                    NULL, diags);
    session->image_digest = s->divided ? isa_image_digest(s->divided)
                                       : s->program->digest;
    if (s->engine == SIM_ENGINE_INTERPRETER) {
        if (isa_parts_are_scheduled(session->program.graph))
            session->setup.settings.machine.deadness = MACHINE_PROPAGATE;
        return sim_settings_are_in_range(&session->setup.settings.machine, diags);
    }
    sim_setup_warn(&session->setup, NULL, nowhere, diags);
    return sim_loaded_fits(&session->program, &session->setup.settings.machine, diags);
}

static bool check_arguments(const struct hiaton_program *program,
                            const struct hiaton_session_options *options,
                            const struct hiaton_reporter *reporter)
{
    if (reporter && !sim_library_has_size(reporter))
        return false;
    const char *wrong = !program ? "a session needs a program"
                        : options && !sim_library_has_size(options)
                            ? "the size of the session's options is not set"
                            : NULL;
    if (wrong)
        sim_library_complain(reporter, LIB_DIAG_USAGE, "%s", wrong);
    return !wrong;
}

static void set_limit(uint64_t *setting, uint64_t limit)
{
    if (limit)
        *setting = limit;
}

struct hiaton_session *hiaton_session_new(struct hiaton_program *program,
                                          struct hiaton_machine *machine,
                                          const struct hiaton_session_options *options,
                                          const struct hiaton_reporter *reporter)
{
    struct hiaton_session_options own;
    struct lib_diags diags = {0};
    if (!check_arguments(program, options, reporter))
        return NULL;
    struct hiaton_session *s = lib_mem_new(sizeof *s);
    SIM_TAKE(own, options);
    SIM_TAKE(s->reporter, reporter);
    s->reporter.size = sizeof s->reporter;
    s->program = sim_library_hold_program(program);
    s->machine = sim_library_hold_machine(machine ? machine : program->machine);
    s->engine = own.untimed ? SIM_ENGINE_INTERPRETER : SIM_ENGINE_MACHINE;
    s->session.arena = lib_arena_new();
    s->session.program = program->program;
    s->session.setup = s->machine->setup;
    s->session.name = program->name;
    s->session.seed = own.seed;
    struct machine_settings *settings = &s->session.setup.settings.machine;
    set_limit(&settings->limit_memory, own.limit_memory);
    set_limit(&settings->limit_cycles, own.limit_cycles);
    set_limit(&settings->limit_tokens, own.limit_tokens);
    atomic_init(&s->is_cancelled, false);
    s->look = own.look;
    s->look_context = own.context;
    sim_library_enter(s);
    const bool good = prepare_session(s, &diags);
    sim_library_leave(s);
    sim_library_report(&s->reporter, &diags);
    if (good)
        return s;
    hiaton_session_free(s);
    return NULL;
}

/* --- inputs ------------------------------------------------------------------------------ */

static const char *const type_names[] = {"int", "real", "bool", "real32", "tensor"};

static bool read_scalar(enum isa_type input, enum hiaton_type type, const void *data,
                        isa_value *value)
{
    int64_t i = 0;
    double r = 0;
    LIB_WORLD_OWN(); /* an int is rounded to a real */
    if (type == HIATON_INT)
        memcpy(&i, data, sizeof i);
    if (type == HIATON_REAL)
        memcpy(&r, data, sizeof r);
    if (type == HIATON_BOOL)
        i = *(const uint8_t *)data != 0;
    if (type == HIATON_INT && input == ISA_REAL)
        *value = isa_value_of_real((double)i);
    else if (type == HIATON_REAL && input == ISA_REAL)
        *value = isa_value_of_real(r);
    else if ((type == HIATON_INT && input == ISA_INT) ||
             (type == HIATON_BOOL && input == ISA_BOOL))
        *value = isa_value_of_int(i);
    else
        return false;
    return true;
}

static void refuse_value(const struct hiaton_session *s, const struct isa_input *input,
                         enum hiaton_type type, uint32_t rank)
{
    const bool is_known = (unsigned)type <= HIATON_TENSOR;
    sim_library_complain(
        &s->reporter, LIB_DIAG_TYPE,
        "input `%s`: expected %s, found a value of type %s and rank %" PRIu32,
        input->name, input->text, is_known ? type_names[type] : "?", rank);
}

/* Finds an input of a session whose run has not begun. */
static enum hiaton_status find_input(const struct hiaton_session *s, const char *name,
                                     uint32_t *input)
{
    *input = isa_graph_find_input(s->session.program.graph, name);
    if (s->has_begun) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             "input `%s`: the run has begun", name);
        return HIATON_MISUSE;
    }
    if (*input == UINT32_MAX) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             "the program has no input `%s`", name);
        return HIATON_ABSENT;
    }
    return HIATON_OK;
}

void sim_library_set_input(struct hiaton_session *s, uint32_t input, isa_value value)
{
    const struct isa_input *in = &s->session.program.graph->inputs[input];
    if (!s->given)
        s->given = lib_arena_new();
    if (in->part_count) {
        const struct isa_given *given = isa_value_given(value);
        value = isa_value_of_given(
            sim_given_keep(s->given, in->name, given->parts, given->part_count, given));
    }
    s->session.inputs.values[input] = value;
    s->session.inputs.given[input] = true;
    s->has_inputs = true;
}

enum hiaton_status hiaton_session_input(struct hiaton_session *s, const char *name,
                                        enum hiaton_type type, uint32_t rank,
                                        const uint64_t *extents, const void *data)
{
    isa_value value;
    uint32_t i;
    if (!s || !name || !data || (rank && !extents))
        return HIATON_MISUSE;
    const enum hiaton_status found = find_input(s, name, &i);
    if (found != HIATON_OK)
        return found;
    const struct isa_input *input = &s->session.program.graph->inputs[i];
    if (input->part_count) {
        if (sim_library_set_elements(s, i, type, rank, extents, data))
            return HIATON_OK;
        refuse_value(s, input, type, rank);
        return HIATON_REJECTED;
    }
    if (rank || !read_scalar(input->type, type, data, &value)) {
        refuse_value(s, input, type, rank);
        return HIATON_REJECTED;
    }
    sim_library_set_input(s, i, value);
    return HIATON_OK;
}

enum hiaton_status hiaton_session_input_text(struct hiaton_session *s, const char *name,
                                             const char *text)
{
    uint32_t i;
    if (!s || !name || !text)
        return HIATON_MISUSE;
    const enum hiaton_status found = find_input(s, name, &i);
    if (found != HIATON_OK)
        return found;
    struct lib_arena *arena = lib_arena_new();
    const char *argument = lib_arena_printf(arena, "%s=%s", name, text);
    const struct sim_inputs_from from = {
        .folder = "", .limit_memory = s->session.setup.settings.machine.limit_memory};
    struct sim_inputs inputs;
    struct lib_diags diags = {0};
    const bool good = sim_inputs_read(&inputs, arena, s->session.program.graph, &argument,
                                      1, &from, &diags);
    if (good)
        sim_library_set_input(s, i, inputs.values[i]);
    sim_library_report(&s->reporter, &diags);
    lib_arena_free(arena);
    return good ? HIATON_OK : HIATON_REJECTED;
}

/* --- running ----------------------------------------------------------------------------- */

static bool look_for_host(const struct sim_simulation *simulation, void *context)
{
    struct hiaton_session *s = context;
    struct hiaton_progress progress;
    bool goes_on = !atomic_exchange(&s->is_cancelled, false);
    if (s->look) {
        sim_library_progress(simulation, &progress);
        sim_library_go_out(s);
        goes_on &= s->look(s->look_context, &progress) == 0;
        sim_library_come_back();
    }
    return goes_on;
}

/* Returns the code of the session: shared code with the inputs of the program; or, if `is_own`,
 * code with given inputs. */
static const struct isa_code *code_of(struct hiaton_session *s, bool is_own)
{
    const bool propagates = machine_propagates(&s->session.setup.settings.machine);
    if (!is_own && !s->divided)
        return sim_library_code(s->program, propagates);
    isa_code_free(s->own_code);
    s->own_code = isa_code_make(s->session.program.graph, s->session.inputs.values,
                                propagates);
    return s->own_code;
}

/* Whether a run needs a new simulation, as a machine on SimGrid cannot be reset. */
static bool is_reopened(const struct hiaton_session *s)
{
    return !machine_can_be_reset(&s->session.setup.settings.machine);
}

/* Whether a new simulation is opened with the inputs of the session. Otherwise it has those of the
 * program, whose code is shared, and is reset. A listener would hear that as the end of a run. */
static bool opens_with_inputs(const struct hiaton_session *s)
{
    return is_reopened(s) || s->ear;
}

static struct sim_simulation_config own_config(struct hiaton_session *s)
{
    struct sim_simulation_config config = sim_session_config(&s->session);
    config.code = code_of(s, opens_with_inputs(s) && s->has_inputs);
    config.engine = s->engine;
    if (s->engine == SIM_ENGINE_INTERPRETER)
        config.energy = NULL;
    config.has_host = true;
    config.watch = (struct sim_watch){.look = look_for_host, .context = s};
    if (s->ear) {
        config.sinks = sim_library_ear_sink(s->ear);
        config.sink_count = 1;
    }
    return config;
}

/* Opens the simulation as the observer describes it, whose code is made already
 * (sim_library_parts), or as the session does. */
static bool open_simulation(struct hiaton_session *s)
{
    struct lib_diags diags = {0};
    if (s->observed) {
        s->simulation = sim_simulation_open(s->observed, &diags);
    } else {
        const struct sim_simulation_config config = own_config(s);
        s->simulation = sim_simulation_open(&config, &diags);
    }
    sim_library_report(&s->reporter, &diags);
    return s->simulation != NULL;
}

static void close_simulation(struct hiaton_session *s)
{
    if (s->simulation)
        sim_simulation_close(s->simulation, NULL);
    s->simulation = NULL;
    s->had_inputs = false;
}

/* Sets the seed and inputs of the session, which a new simulation of shared code lacks. */
static void reset_simulation(struct hiaton_session *s)
{
    s->had_inputs |= s->has_inputs;
    sim_simulation_reset(s->simulation, s->had_inputs ? s->session.inputs.values : NULL,
                         s->session.seed);
}

/* Checks the params of a folder against the inputs of the session. */
static bool check_extents(const struct hiaton_session *s)
{
    struct lib_diags diags = {0};
    const bool good = sim_extents_check(&s->session.program, &s->session.setup.settings,
                                        s->session.inputs.values, &diags);
    sim_library_report(&s->reporter, &diags);
    return good;
}

bool sim_library_begin(struct hiaton_session *s)
{
    if (s->has_begun)
        return true;
    if (is_reopened(s))
        close_simulation(s);
    const bool is_new = !s->simulation;
    if (!s->observed && (is_new || s->has_inputs) && !check_extents(s))
        return false;
    if (is_new && !open_simulation(s))
        return false;
    if (!s->observed && (!is_new || (s->has_inputs && !opens_with_inputs(s))))
        reset_simulation(s);
    s->has_begun = true;
    return true;
}

/* --- what the command line sees ---------------------------------------------------------- */

struct sim_session *sim_library_parts(struct hiaton_session *s)
{
    /* Shared code is not changed. */
    s->session.code = (struct isa_code *)code_of(s, s->has_inputs);
    return &s->session;
}

struct sim_simulation *sim_library_simulation(struct hiaton_session *session)
{
    return session->simulation;
}

void sim_library_observe(struct hiaton_session *session,
                         const struct sim_simulation_config *config)
{
    session->observed = config;
}

struct sim_ending sim_library_take_ending(struct hiaton_session *session)
{
    sim_library_describe(session);
    session->has_ending = false;
    return session->ending;
}

/* --- advancing --------------------------------------------------------------------------- */

static void forget_results(struct hiaton_session *s)
{
    if (s->has_stats)
        traces_stats_free(&s->stats);
    if (s->has_ending)
        sim_ending_free(&s->ending);
    s->has_stats = s->has_ending = false;
}

/* The bound of hiaton.h up to which a session advances. */
struct awaited {
    const struct hiaton_session *session;
    struct hiaton_until until;
};

static bool has_event(const struct sim_simulation *simulation, void *context)
{
    const struct awaited *a = context;
    (void)simulation;
    sim_library_go_out(a->session);
    const bool has_happened = a->until.event(a->until.context) != 0;
    sim_library_come_back();
    return has_happened;
}

static enum sim_advanced advance_session(struct hiaton_session *s,
                                         struct awaited *awaited)
{
    const uint64_t cycle = awaited->until.cycle < MACHINE_LAST_CYCLE
                               ? awaited->until.cycle
                               : MACHINE_LAST_CYCLE;
    const struct sim_until bound = {
        .cycle = cycle,
        .lapse = cycle,
        .tokens = awaited->until.tokens,
        .event = awaited->until.event ? has_event : NULL,
        .context = awaited,
    };
    sim_library_enter(s);
    const enum sim_advanced advanced = s->recorder ? sim_recorder_advance_until(
                                                         s->recorder, &bound)
                                                   : sim_simulation_advance(s->simulation,
                                                                            &bound);
    sim_library_leave(s);
    return advanced;
}

enum hiaton_status hiaton_session_advance(struct hiaton_session *s,
                                          const struct hiaton_until *until)
{
    struct awaited awaited = {.session = s};
    if (!s || (until && !sim_library_has_size(until)))
        return HIATON_MISUSE;
    SIM_TAKE(awaited.until, until);
    if (s->has_ended)
        return HIATON_ENDED;
    if (atomic_exchange(&s->is_cancelled, false))
        return HIATON_CANCELLED;
    if (!sim_library_begin(s))
        return HIATON_REJECTED;
    forget_results(s);
    s->is_waiting = false;
    switch (advance_session(s, &awaited)) {
    case SIM_ADVANCED_SO_FAR:
        return HIATON_OK;
    case SIM_ADVANCED_TO_STOP:
        return HIATON_CANCELLED;
    case SIM_ADVANCED_TO_WAIT:
        s->is_waiting = true;
        return HIATON_WAITING;
    default:
        s->has_ended = true;
        if (s->ear)
            sim_library_describe(s); /* emits the last event */
        return s->recorder && !sim_library_finish_recording(s) ? HIATON_FAILED
                                                               : HIATON_ENDED;
    }
}

void hiaton_session_cancel(struct hiaton_session *session)
{
    if (session)
        atomic_store(&session->is_cancelled, true);
}

uint64_t hiaton_session_cycle(const struct hiaton_session *s)
{
    return s && s->has_begun && !s->has_ended && s->engine == SIM_ENGINE_MACHINE
               ? sim_simulation_cycle(s->simulation)
               : 0;
}

/* --- the end ----------------------------------------------------------------------------- */

void sim_library_end_run(struct hiaton_session *s)
{
    if (s->recorder) {
        sim_library_enter(s);
        sim_recorder_leave(s->recorder);
        sim_library_leave(s);
        s->recorder = NULL;
    }
    if (s->ear || s->observed)
        sim_library_cool(s);
    s->has_begun = s->has_ended = s->is_waiting = false;
    forget_results(s);
}

void sim_library_cool(struct hiaton_session *s)
{
    sim_library_enter(s);
    close_simulation(s);
    sim_library_leave(s);
}

enum hiaton_status hiaton_session_reset(struct hiaton_session *s, uint64_t seed)
{
    if (!s)
        return HIATON_MISUSE;
    const struct isa_graph *graph = s->session.program.graph;
    sim_library_end_run(s);
    sim_library_ear_free(s->ear);
    s->ear = NULL;
    atomic_store(&s->is_cancelled, false);
    s->session.seed = seed;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        s->session.inputs.values[i] = graph->inputs[i].value;
        s->session.inputs.given[i] = false;
    }
    s->has_inputs = false;
    if (s->given)
        lib_arena_clear(s->given);
    return HIATON_OK;
}

void hiaton_session_free(struct hiaton_session *s)
{
    if (!s)
        return;
    lib_mem_keep_freed();
    sim_library_end_run(s);
    sim_library_cool(s);
    sim_library_ear_free(s->ear);
    lib_text_free(&s->saved);
    sim_library_ports_free(s);
    isa_code_free(s->own_code);
    isa_graph_free(s->divided);
    lib_arena_free(s->given);
    lib_arena_free(s->session.arena);
    hiaton_machine_free(s->machine);
    hiaton_program_free(s->program);
    lib_mem_free(s);
}
