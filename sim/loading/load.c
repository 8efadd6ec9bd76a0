#include "sim/loading/load.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "lib/file.h"
#include "lib/world.h"
#include "machine/describe.h"
#include "machine/needs.h"
#include "sim/loading/divide.h"
#include "sim/loading/file_kind.h"
#include "sim/loading/parts.h"

const char *sim_kind_text(enum sim_kind kind)
{
    static const char *const texts[SIM_KIND_COUNT] = {"a source", "an assembly text",
                                                      "an image"};
    return texts[kind];
}

bool sim_program_is_named(const char *argument, struct lib_diags *diags)
{
    if (!strchr(argument, '=') || access(argument, F_OK) == 0)
        return true;
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "expected PROGRAM before the inputs, found `%s`", argument);
    return false;
}

static bool take_file(struct sim_program *program, struct lib_diags *diags)
{
    if (!program->file)
        return false;
    if (isa_asm_lacks_head(program->file)) {
        lib_diag_error(
            diags, LIB_DIAG_SYNTAX, program->file, (struct lib_pos){1, 1, 0},
            "expected `hiaton assembly 1`, the first line of an assembly text");
        return false;
    }
    program->kind = isa_image_is(program->file) ? SIM_IMAGE
                    : isa_asm_is(program->file) ? SIM_ASSEMBLY
                                                : SIM_SOURCE;
    return program->kind != SIM_SOURCE ||
           sim_file_check(program->file, "a program", SIM_FILE_SOURCE, diags);
}

bool sim_program_open(struct sim_program *program, const char *path,
                      struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    *program = (struct sim_program){.arena = lib_arena_new()};
    program->file = lib_file_read_as(program->arena, path, "the program", diags);
    if (program->file && sim_parts_is(program->file))
        program->file = sim_parts_read(program->arena, program->file, diags);
    return take_file(program, diags);
}

bool sim_program_open_bytes(struct sim_program *program, const char *name,
                            const void *bytes, size_t length, struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    *program = (struct sim_program){.arena = lib_arena_new()};
    struct lib_source *file = LIB_ARENA_NEW(program->arena, struct lib_source);
    file->name = lib_arena_copy(program->arena, name, strlen(name));
    file->bytes = lib_arena_copy(program->arena, bytes, length);
    file->length = length;
    program->file = file;
    return take_file(program, diags);
}

struct programs_options sim_program_options(const struct sim_settings *settings,
                                            struct lib_arena *files)
{
    return (struct programs_options){
        .settings = settings ? &settings->compile : NULL,
        .loop_bound = settings ? machine_loop_bound(&settings->machine) : 0,
        .files = files,
    };
}

/* Compiles a source to `stage`, or reads a graph at its own stage. */
static struct isa_graph *read_graph(const struct sim_program *program,
                                    const struct sim_settings *settings,
                                    enum isa_stage stage, struct lib_diags *diags)
{
    struct programs_options options = sim_program_options(settings, program->arena);
    options.params_folder = program->params;
    options.report = program->report;
    if (program->params && program->kind != SIM_SOURCE) {
        lib_diag_error(diags, LIB_DIAG_USAGE, program->file, (struct lib_pos){0},
                       "this is %s, whose params have their values; expected a source to "
                       "take params from %s",
                       sim_kind_text(program->kind), program->params);
        return NULL;
    }
    switch (program->kind) {
    case SIM_SOURCE:
        return programs_compile(program->file, &options, stage, diags);
    case SIM_ASSEMBLY:
        return isa_asm_read(program->file, diags);
    default:
        return isa_image_read(program->file, diags);
    }
}

static bool take_graph(struct sim_program *program, struct isa_graph *graph,
                       enum isa_stage stage, struct lib_diags *diags)
{
    if (graph && graph->stage == ISA_STAGE_PARTITIONED && stage == ISA_STAGE_IMAGE)
        stage = graph->stage; /* a stage of the same strategy */
    if (graph && graph->stage != stage && isa_stage_is_executable(graph->stage) &&
        isa_stage_is_executable(stage) && stage != ISA_STAGE_PARTITIONED) {
        lib_diag_error(diags, LIB_DIAG_MEANING, program->file, (struct lib_pos){0},
                       "this was made for the strategy %s, and cannot be run by %s",
                       isa_strategy_name(graph->stage), isa_strategy_name(stage));
        isa_graph_free(graph);
        return false;
    }
    if (graph && graph->stage != stage && !programs_can_advance(graph->stage, stage)) {
        lib_diag_error(
            diags, LIB_DIAG_MEANING, program->file, (struct lib_pos){0},
            "this is at stage %s already, and cannot %s %s", isa_stage_name(graph->stage),
            stage < graph->stage ? "go back to" : "become", isa_stage_name(stage));
        isa_graph_free(graph);
        return false;
    }
    if (graph && graph->stage != stage)
        graph = programs_advance(graph, stage, NULL, diags);
    program->graph = graph;
    return graph != NULL;
}

static bool divide_program(struct sim_program *program,
                           const struct sim_settings *settings, struct lib_diags *diags)
{
    struct isa_graph *image = program->graph;
    program->graph = sim_divide(image, &settings->machine, sim_program_source(program),
                                diags);
    isa_graph_free(image);
    return program->graph != NULL;
}

bool sim_program_bring(struct sim_program *program, const struct sim_settings *settings,
                       enum isa_stage stage, struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    if (stage == ISA_STAGE_COUNT) {
        struct isa_graph *own = read_graph(program, settings, ISA_STAGE_STATIC, diags);
        stage = own && own->stage > ISA_STAGE_STATIC ? own->stage : ISA_STAGE_STATIC;
        return take_graph(program, own, stage, diags);
    }
    const bool divided = stage == ISA_STAGE_PARTITIONED;
    const enum isa_stage last = divided ? ISA_STAGE_IMAGE : stage;
    struct isa_graph *graph = read_graph(program, settings, last, diags);
    if (!take_graph(program, graph, last, diags))
        return false;
    if (!divided || program->graph->stage == stage)
        return true;
    if (!sim_divides(program->graph, &settings->machine)) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "nothing says how the program is divided among machines: expected "
                       "--set partition.by=function, random, metis, file or source");
        return false;
    }
    return divide_program(program, settings, diags);
}

/* Whether a function is a loop apart from what goes in and out: of grad.loop=loop. */
static bool has_own_loop(const struct isa_graph *graph, const struct isa_function *f)
{
    const size_t length = strlen(f->name);
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *g = &graph->functions[i];
        if (g->is_loop && g->name && strncmp(g->name, f->name, length) == 0 &&
            strcmp(g->name + length, ".loop") == 0)
            return true;
    }
    return false;
}

/* Warns of loop.bound if a graph that was read has a loop that `grad` has made a function. The
 * compiler warns of those of sources. */
static void warn_of_bound(const struct sim_program *program,
                          const struct sim_settings *settings, struct lib_diags *diags)
{
    const struct isa_graph *graph = program->graph;
    if (program->kind == SIM_SOURCE || !settings ||
        machine_loop_bound(&settings->machine) == 0)
        return;
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *f = &graph->functions[i];
        if (f->is_loop || !f->name || !strstr(f->name, ".loop") || has_own_loop(graph, f))
            continue;
        lib_diag_warning(diags, LIB_DIAG_MEANING, program->file, (struct lib_pos){0},
                         "loop.bound = %" PRIu64 " has no effect on the loop of %" PRIu32
                         ":%" PRIu32 " of the source in gradients, where it becomes "
                         "a function that calls itself",
                         machine_loop_bound(&settings->machine), f->pos.line,
                         f->pos.column);
        return;
    }
}

bool sim_graph_has_loops(const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *f = &graph->functions[i];
        if (f->is_loop || (f->name && strstr(f->name, ".loop")))
            return true;
    }
    return false;
}

/* Warns of classes of PEs that are as other PEs, and of settings of function units that the PEs of
 * a class lack. */
static void warn_of_classes(const struct isa_graph *graph,
                            const struct machine_settings *s, struct lib_diags *diags)
{
    for (const struct machine_class *of = s->classes; of->name[0]; of++) {
        LIB_TEXT_OWN idle = {0};
        if (of->has == 0 && of->units == 0 &&
            !machine_class_has_functions(s, graph, of->name))
            lib_diag_warning(diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
                             "class.%s.pes has an effect on statistics alone: the class "
                             "has no other setting, and no function is on it",
                             of->name);
        else if (machine_class_write_idle(of, &idle))
            lib_diag_warning(diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0}, "%s",
                             lib_text_get(&idle));
    }
}

void sim_program_warn_of_effects(const struct isa_graph *graph,
                                 const struct sim_settings *settings,
                                 struct lib_diags *diags)
{
    if (machine_loop_bound(&settings->machine) && !sim_graph_has_loops(graph))
        lib_diag_warning(diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
                         "loop.bound has no effect with a program that has no loop");
    warn_of_classes(graph, &settings->machine, diags);
}

bool sim_program_finish(struct sim_program *program, const struct sim_settings *settings,
                        enum isa_stage strategy, struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    const bool given = strategy != ISA_STAGE_COUNT;
    enum isa_stage stage = given ? strategy : ISA_STAGE_IMAGE;
    struct isa_graph *graph = read_graph(program, settings, stage, diags);
    if (graph && !given && isa_stage_is_executable(graph->stage))
        stage = graph->stage;
    if (!take_graph(program, graph, stage, diags))
        return false;
    warn_of_bound(program, settings, diags);
    return (!settings || !sim_divides(program->graph, &settings->machine) ||
            divide_program(program, settings, diags));
}

void sim_program_free(struct sim_program *program)
{
    isa_graph_free(program->graph);
    lib_arena_free(program->arena);
}

const struct lib_source *sim_program_source(const struct sim_program *program)
{
    return program->kind == SIM_SOURCE ? program->file : NULL;
}

const char *sim_program_name(const struct sim_program *program)
{
    const char *source = program->graph->source;
    return program->kind == SIM_SOURCE || !source || !*source ? program->file->name
                                                              : source;
}

const char *sim_program_title(const struct sim_program *program)
{
    const char *source = program->graph->source;
    return source && *source ? source : lib_file_name(program->file->name);
}

const char *sim_program_stem(const struct sim_program *program)
{
    const char *file = program->file->name;
    const bool is_file = strcmp(file, "<stdin>") != 0 && !program->is_recorded;
    return lib_file_stem(program->arena, is_file ? file : sim_program_title(program), 0);
}
