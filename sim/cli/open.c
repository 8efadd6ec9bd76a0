#include "sim/cli/open.h"

#include <string.h>

#include "sim/library/library_internal.h"
#include "sim/loading/extents.h"
#include "sim/session/host.h"

/* Reports diagnostics that do not come from the library. */
static bool report(struct sim_opened *opened, struct lib_diags *diags)
{
    const struct hiaton_reporter reports = sim_reporter_of(&opened->reporter);
    const bool good = diags->errors == 0;
    sim_library_report(&reports, diags);
    return good;
}

/* Applies KEY=VALUE of -s. */
static bool set(struct sim_opened *opened, const char *text,
                const struct hiaton_reporter *reports)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const char *value;
    const struct lib_setting *setting = sim_setup_find(arena, text, &value, &diags);
    bool good = report(opened, &diags);
    opened->reporter.option = "--set";
    if (good)
        good = hiaton_machine_set(opened->machine, setting->key, value, reports) ==
               HIATON_OK;
    opened->reporter.option = NULL;
    lib_arena_free(arena);
    return good;
}

static bool open_machine(struct sim_opened *opened, const struct sim_options *o,
                         const struct hiaton_reporter *reports)
{
    opened->machine = hiaton_machine_new(o->machine, reports);
    bool good = opened->machine != NULL;
    for (size_t i = 0; opened->machine && i < o->sets.count; i++)
        good &= set(opened, o->sets.items[i], reports);
    return good;
}

static bool open_program(struct sim_opened *opened, const struct sim_options *o,
                         const struct hiaton_reporter *reports)
{
    const bool is_given = o->strategy != ISA_STAGE_COUNT;
    const struct hiaton_program_options options = {
        .size = sizeof options,
        .strategy = is_given ? isa_strategy_name(o->strategy) : NULL,
        .machine = opened->machine,
        .params = o->params,
    };
    struct lib_diags diags = {0};
    sim_program_is_named(o->arguments[0], &diags);
    if (!report(opened, &diags))
        return false;
    opened->program = hiaton_program_load(o->arguments[0], &options, reports);
    return opened->program != NULL;
}

static void put_inputs(struct sim_opened *opened, const struct isa_graph *graph,
                       const struct sim_inputs *inputs)
{
    for (uint32_t i = 0; i < graph->input_count; i++)
        if (inputs->given[i])
            sim_library_set_input(opened->session, i, inputs->values[i]);
}

static bool open_session(struct sim_opened *opened, const struct sim_options *o,
                         enum sim_engine engine, const struct hiaton_reporter *reports)
{
    const struct isa_graph *graph = opened->program->program.graph;
    const struct hiaton_session_options options = {
        .size = sizeof options,
        .seed = o->seed,
        .untimed = engine == SIM_ENGINE_INTERPRETER,
    };
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_inputs inputs;
    const struct sim_inputs_from from = {
        .folder = "",
        .limit_memory = opened->machine->setup.settings.machine.limit_memory,
    };
    if (sim_program_read_inputs(&opened->program->program, &inputs, arena,
                                o->arguments + 1, o->argument_count - 1, &from, &diags))
        sim_extents_check(&opened->program->program, &opened->machine->setup.settings,
                          inputs.values, &diags);
    if (report(opened, &diags))
        opened->session = hiaton_session_new(opened->program, opened->machine, &options,
                                             reports);
    if (opened->session)
        put_inputs(opened, graph, &inputs);
    lib_arena_free(arena);
    return opened->session != NULL;
}

/* Warns of settings and of a seed that have no effect. */
static bool warn(struct sim_opened *opened, const struct sim_options *o,
                 enum sim_engine engine)
{
    const struct sim_setup *setup = &opened->parts->setup;
    const struct isa_graph *graph = opened->program->program.graph;
    const bool is_untimed = engine == SIM_ENGINE_INTERPRETER;
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_setting **given = LIB_ARENA_ARRAY(arena, const struct lib_setting *,
                                                       o->sets.count);
    const char *value;
    for (size_t i = 0; i < o->sets.count; i++)
        given[i] = sim_setup_find(arena, o->sets.items[i], &value, &diags);
    if (!is_untimed) {
        sim_setup_warn_idle(setup, &diags);
        sim_settings_warn_needs(&setup->settings, given, o->sets.count,
                                graph->stage == ISA_STAGE_EXPANDING, &diags);
        sim_program_warn_of_effects(graph, &setup->settings, &diags);
    }
    if (o->has_seed)
        sim_setup_warn_seed(is_untimed ? NULL : setup, graph, &diags);
    const bool good = report(opened, &diags);
    lib_arena_free(arena);
    return good;
}

bool sim_open(struct sim_opened *opened, const struct sim_options *o,
              enum sim_engine engine)
{
    const double start = sim_host_clock();
    *opened = (struct sim_opened){.reporter = {.printer = &o->printer}};
    const struct hiaton_reporter reports = sim_reporter_of(&opened->reporter);
    struct lib_diags diags = {0};
    /* Open both, to report the errors of both. */
    const bool is_configured = open_machine(opened, o, &reports);
    if (!open_program(opened, o, &reports) || !is_configured ||
        !open_session(opened, o, engine, &reports))
        return false;
    opened->parts = sim_library_parts(opened->session);
    if (!warn(opened, o, engine))
        return false;
    const bool measured = sim_session_measure(opened->parts, o->window, o->energy,
                                              &diags);
    opened->parts->prepare_seconds = sim_host_clock() - start;
    return report(opened, &diags) && measured;
}

void sim_open_close(struct sim_opened *opened)
{
    hiaton_session_free(opened->session);
    hiaton_program_free(opened->program);
    hiaton_machine_free(opened->machine);
}
