#include "sim/loading/extents.h"

#include "isa/fire/interp.h"
#include "programs/compile.h"
#include "programs/param_extents.h"

#include <string.h>

/* A tuple has at most 1000 parts (PROGRAMS_TYPE_SIZE_MAX), a param two for each extent. */
enum { PARAMS_AT_ONCE = 64, TOKENS_MAX = 100000000 };

static void write_shape(const isa_value *extents, size_t rank, struct lib_text *out)
{
    lib_text_puts(out, "real[");
    for (size_t i = 0; i < rank; i++) {
        lib_text_puts(out, i ? ", " : "");
        lib_text_int(out, isa_value_int(extents[i]));
    }
    lib_text_puts(out, "]");
}

static void compare_extents(const struct sim_program *program,
                            const struct programs_param_extents *extents,
                            const isa_value *declared, const isa_value *found,
                            struct lib_diags *diags)
{
    for (size_t p = 0; p < extents->count; p++) {
        const struct programs_open_param *param = &extents->params[p];
        if (memcmp(declared, found, param->rank * sizeof *declared) != 0) {
            LIB_TEXT_OWN text = {0};
            lib_text_printf(&text, "param `%s`: ", param->name);
            write_shape(declared, param->rank, &text);
            lib_text_printf(&text, " is declared, and %s/%s.npy has ", program->params,
                            param->name);
            write_shape(found, param->rank, &text);
            lib_diag_error(diags, LIB_DIAG_MEANING, program->file, param->pos, "%s",
                           text.bytes);
        }
        declared += param->rank;
        found += param->rank;
    }
}

static size_t count_extents(const struct programs_param_extents *extents)
{
    size_t count = 0;
    for (size_t p = 0; p < extents->count; p++)
        count += extents->params[p].rank;
    return count;
}

/* Returns the inputs of a graph that has some of the inputs of the program. */
static isa_value *pick_inputs(const struct isa_graph *graph, const struct isa_graph *of,
                              const isa_value *inputs, struct lib_arena *arena)
{
    isa_value *picked = LIB_ARENA_ARRAY(arena, isa_value, graph->input_count + 1);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const uint32_t at = isa_graph_find_input(of, graph->inputs[i].name);
        picked[i] = at == UINT32_MAX ? graph->inputs[i].value : inputs[at];
    }
    return picked;
}

static void report_unknown(const struct sim_program *program,
                           const struct programs_param_extents *extents,
                           struct lib_diags *diags)
{
    lib_diag_warning(diags, LIB_DIAG_MEANING, program->file, extents->params[0].pos,
                     "the declared extents of params cannot be computed, and so not "
                     "compared with the files in %s",
                     program->params);
}

/* Ends a run that waits for its ports: extents do not depend on elements of ports. */
static void close_ports(struct isa_interp *interp, const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->port_count; i++)
        if (graph->ports[i].is_input && !isa_interp_close(interp, i))
            return;
    while (isa_interp_advance(interp, TOKENS_MAX))
        continue;
}

static void run_extents(const struct sim_program *program,
                        const struct sim_settings *settings,
                        const struct programs_param_extents *extents,
                        const struct isa_graph *graph, const struct isa_code *code,
                        struct lib_diags *diags)
{
    const struct isa_interp_limits limits = {.memory = settings->machine.limit_memory,
                                             .tokens = TOKENS_MAX};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, false, NULL);
    if (interp.end == ISA_END_WAITING)
        close_ports(&interp, graph);
    const size_t count = count_extents(extents);
    if (interp.end == ISA_END_COMPLETED)
        compare_extents(program, extents, interp.exec.results,
                        interp.exec.results + count, diags);
    else
        report_unknown(program, extents, diags);
    isa_interp_free(&interp);
}

static void check_some(const struct sim_program *program,
                       const struct sim_settings *settings,
                       const struct programs_param_extents *extents,
                       const isa_value *inputs, struct lib_arena *arena,
                       struct lib_diags *diags)
{
    struct programs_options options = sim_program_options(settings, arena);
    options.params_folder = program->params;
    options.result = extents->result;
    struct lib_diags repeated = {0}; /* its warnings have been reported */
    struct isa_graph *graph = programs_compile(program->file, &options, ISA_STAGE_IMAGE,
                                               &repeated);
    struct isa_code *code = graph ? isa_code_make(
                                        graph,
                                        pick_inputs(graph, program->graph, inputs, arena),
                                        false)
                                  : NULL;
    if (code)
        run_extents(program, settings, extents, graph, code, diags);
    else
        report_unknown(program, extents, diags);
    lib_diags_free(&repeated);
    isa_code_free(code);
    isa_graph_free(graph);
}

bool sim_extents_check(const struct sim_program *program,
                       const struct sim_settings *settings, const isa_value *inputs,
                       struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    if (!program->params || program->kind != SIM_SOURCE)
        return true;
    struct lib_arena *arena = lib_arena_new(); /* threads may share the program */
    struct programs_param_extents extents;
    size_t next = 0;
    do {
        next = programs_param_extents_find(&extents, arena, program->file, next,
                                           PARAMS_AT_ONCE);
        if (extents.count)
            check_some(program, settings, &extents, inputs, arena, diags);
    } while (extents.count && diags->errors == errors);
    lib_arena_free(arena);
    return diags->errors == errors;
}
