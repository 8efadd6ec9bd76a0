#include "programs/compile.h"

#include "isa/check/check.h"
#include "programs/gradient/calls.h"
#include "programs/graph/build.h"
#include "programs/graph/static_graph.h"
#include "programs/optimise/passes.h"
#include "programs/syntax/parse.h"
#include "programs/syntax/print.h"
#include "programs/training_internal.h"
#include "programs/types/data.h"
#include "programs/types/infer.h"
#include "programs/types/match.h"
#include "programs/types/resolve.h"
#include "programs/types/shapes.h"

#include <assert.h>

#define OPTION(name) .option = 1 + PROGRAMS_PASS_##name
const struct programs_pass programs_passes[] = {
    {"inline", false, optimise_inline, OPTION(INLINE)},
    {"fold", false, optimise_fold, OPTION(FOLD)},
    {"copies", false, optimise_copies, OPTION(COPIES)},
    {"share", false, optimise_share, OPTION(SHARE)},
    {"fold", false, optimise_fold, OPTION(FOLD)},
    {"copies", false, optimise_copies, OPTION(COPIES)},
    {"hoist", false, optimise_hoist, OPTION(HOIST)},
    {"dead", false, optimise_dead, OPTION(DEAD)},
    {"calls", true, form_loops_to_calls, 0},
    {NULL, false, NULL, 0},
};
#undef OPTION

/* Checks the graph of a pass; an error is a fault of the compiler, but is reported like others.
 * Returns the graph, or NULL. */
static struct isa_graph *checked(struct isa_graph *graph, const struct lib_source *source,
                                 struct lib_diags *diags)
{
    if (isa_check(graph, source, diags))
        return graph;
    isa_graph_free(graph);
    return NULL;
}

static struct isa_graph *front_end(const struct lib_source *source,
                                   const struct programs_options *options,
                                   struct lib_arena *arena, struct lib_diags *diags)
{
    struct programs_ast *ast = programs_parse(arena, source, diags);
    struct isa_graph *graph = NULL;
    if (!ast || diags->errors)
        return NULL;
    if ((!options->result ||
         programs_training_graft(ast, options->result, options->given_rows, diags)) &&
        programs_data_take_params(ast, options->params_folder, diags) &&
        programs_data_read(ast, options->files, options->trees, options->known, diags) &&
        programs_resolve(ast, diags) && programs_infer(ast, diags) &&
        programs_match(ast, diags) && programs_shapes(ast, diags))
        graph = programs_build(ast, options, programs_passes, diags);
    programs_data_free(ast);
    return graph;
}

struct isa_graph *programs_compile(const struct lib_source *source,
                                   const struct programs_options *options,
                                   enum isa_stage stage, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    const struct programs_settings settings = programs_settings_of(options->settings,
                                                                   stage);
    struct programs_options own = *options;
    own.settings = &settings;
    struct isa_graph *graph = front_end(source, &own, arena, diags);
    lib_arena_free(arena); /* the check needs memory too */
    if (graph)
        graph = checked(graph, source, diags);
    return graph ? programs_advance(graph, stage, source, diags) : NULL;
}

bool programs_can_advance(enum isa_stage from, enum isa_stage to)
{
    return from == ISA_STAGE_FUNCTIONS
               ? to != from
               : from == ISA_STAGE_STATIC && to == ISA_STAGE_IMAGE;
}

struct isa_graph *programs_advance(struct isa_graph *graph, enum isa_stage stage,
                                   const struct lib_source *source,
                                   struct lib_diags *diags)
{
    assert(graph->stage == stage || programs_can_advance(graph->stage, stage));
    if (graph->stage == ISA_STAGE_FUNCTIONS && stage == ISA_STAGE_EXPANDING) {
        for (uint32_t f = 0; f < graph->function_count; f++)
            if (graph->functions[f].early_params) {
                lib_diag_error(
                    diags, LIB_DIAG_MEANING, source, (struct lib_pos){0},
                    "function %s is paired with its gradient, and a copy starts when all "
                    "arguments are there: it cannot be run by strategy expanding",
                    graph->functions[f].name);
                isa_graph_free(graph);
                return NULL;
            }
        graph->stage = stage; /* the same nodes and arcs, now executed */
        return checked(graph, source, diags);
    }
    if (graph->stage == ISA_STAGE_FUNCTIONS && graph->stage < stage) {
        programs_static(graph);
        graph = checked(graph, source, diags);
    }
    if (graph && graph->stage == ISA_STAGE_STATIC && graph->stage < stage) {
        isa_graph_lower(graph);
        graph = checked(graph, source, diags);
    }
    return graph;
}

bool programs_dump_forms(const struct lib_source *source,
                         const struct programs_options *options, struct lib_diags *diags)
{
    struct isa_graph *graph = programs_compile(source, options, ISA_STAGE_FUNCTIONS,
                                               diags);
    isa_graph_free(graph);
    return graph != NULL;
}

bool programs_dump_parse(const struct lib_source *source, struct lib_text *out,
                         struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    struct programs_ast *ast = programs_parse(arena, source, diags);
    bool ok = ast && !diags->errors;
    if (ok)
        programs_print(ast, out);
    lib_arena_free(arena);
    return ok;
}
