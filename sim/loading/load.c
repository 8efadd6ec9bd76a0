#include "sim/loading/load.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "lib/file.h"
#include "lib/world.h"
#include "machine/describe.h"
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

static uint64_t loop_bound_of(const struct sim_settings *settings)
{
    return machine_describe(&settings->machine, NULL, NULL).loop_bound;
}

struct programs_options sim_program_options(const struct sim_settings *settings,
                                            struct lib_arena *files)
{
    return (struct programs_options){
        .settings = settings ? &settings->compile : NULL,
        .loop_bound = settings ? loop_bound_of(settings) : 0,
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

/* Warns of loop.bound if a graph that was read has a loop that `grad` has made a function. The
 * compiler warns of those of sources. */
static void warn_of_bound(const struct sim_program *program,
                          const struct sim_settings *settings, struct lib_diags *diags)
{
    const struct isa_graph *graph = program->graph;
    if (program->kind == SIM_SOURCE || !settings || loop_bound_of(settings) == 0)
        return;
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *f = &graph->functions[i];
        if (f->is_loop || !f->name || !strstr(f->name, ".loop"))
            continue;
        lib_diag_warning(diags, LIB_DIAG_MEANING, program->file, (struct lib_pos){0},
                         "loop.bound = %" PRIu64 " has no effect on the loop of %" PRIu32
                         ":%" PRIu32 " of the source in gradients, where it becomes "
                         "a function that calls itself",
                         loop_bound_of(settings), f->pos.line, f->pos.column);
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

void sim_program_warn_of_loops(const struct isa_graph *graph,
                               const struct sim_settings *settings,
                               struct lib_diags *diags)
{
    if (loop_bound_of(settings) && !sim_graph_has_loops(graph))
        lib_diag_warning(diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
                         "loop.bound has no effect with a program that has no loop");
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

/* --- inputs ------------------------------------------------------------------------- */

static const char *input_name(size_t i, const void *context)
{
    const struct isa_graph *graph = context;
    return graph->inputs[i].name;
}

enum { SHOWN_INPUTS = 12 };

/* Whether the source defines the constant `name`: "n = ...". */
static bool is_constant(const struct lib_source *source, const char *name)
{
    const size_t length = strlen(name);
    for (const char *p = source ? source->bytes : NULL; p && *p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, name, length) != 0)
            continue;
        const char *sign = p + length + strspn(p + length, " \t");
        if (sign[0] == '=' && sign[1] != '=')
            return true;
    }
    return false;
}

static void report_unknown_input(const struct isa_graph *graph,
                                 const struct lib_source *source, const char *name,
                                 struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "the program has no input `%s`", name);
    const struct lib_setting *setting = sim_setting_find(name);
    if (setting) {
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s; it is a setting: `-s %s=VALUE`",
                       text.bytes, name);
        return;
    }
    if (is_constant(source, name)) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "%s; it is a constant, and `input %s = ...` in the program makes "
                       "an input of it",
                       text.bytes, name);
        return;
    }
    const char *nearest = lib_text_nearest(name, graph->input_count, input_name, graph);
    if (nearest)
        lib_text_printf(&text, "; did you mean `%s`?", nearest);
    if (graph->input_count == 0)
        lib_text_puts(&text, ", nor any other");
    else
        lib_text_puts(&text, nearest ? " Its inputs:" : "; its inputs:");
    for (uint32_t i = 0; i < graph->input_count && i < SHOWN_INPUTS; i++)
        lib_text_printf(&text, "%s %s (%s)", i ? "," : "", graph->inputs[i].name,
                        isa_type_name(graph->inputs[i].type));
    if (graph->input_count > SHOWN_INPUTS)
        lib_text_printf(&text, " and %u more", graph->input_count - SHOWN_INPUTS);
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text.bytes);
}

static void hint_point(const char *written, struct lib_text *hint)
{
    LIB_TEXT_OWN text = {0};
    double value;
    lib_text_puts(&text, written);
    char *comma = strchr(lib_text_get(&text), ',');
    if (comma)
        *comma = '.';
    if (comma && lib_text_to_real(text.bytes, &value))
        lib_text_printf(hint, "; did you mean `%s`?", text.bytes);
}

static void report_misspelt_value(const struct isa_input *input, const char *text,
                                  struct lib_diags *diags)
{
    LIB_TEXT_OWN hint = {0};
    if (*text == '=')
        lib_text_printf(&hint, "; write `%s%s`", input->name, text);
    else if (input->type == ISA_INT)
        lib_text_hint_whole(&hint, text, 0, INT64_MAX);
    else if (input->type == ISA_REAL)
        hint_point(text, &hint);
    else if (input->type == ISA_BOOL)
        lib_text_hint_choice(&hint, text, "true|false");
    if (!hint.length && (strchr(text, ',') || strstr(text, "..")))
        lib_text_puts(&hint, "; a run has one value of each input; `hiaton compare` and "
                             "`hiaton sweep` take several");
    lib_diag_plain(diags, LIB_DIAG_USAGE, "input `%s`: expected %s, found `%s`%s",
                   input->name, isa_type_name(input->type), text, lib_text_get(&hint));
}

static void report_wrong_value(const struct isa_input *input, const char *text,
                               struct lib_diags *diags)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool whole = *digits && digits[strspn(digits, "0123456789")] == '\0';
    if (!*text)
        lib_diag_plain(diags, LIB_DIAG_USAGE, "input `%s`: expected %s, found nothing",
                       input->name, isa_type_name(input->type));
    else if (input->type == ISA_INT && whole)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "input `%s`: `%s` does not fit into an int of 64 bits, whose "
                       "largest is 9223372036854775807",
                       input->name, text);
    else
        report_misspelt_value(input, text, diags);
}

/* Reports an argument without a name: its `=` may be another argument, or a colon. */
static void report_no_input(const struct isa_graph *graph, const char *argument,
                            struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "expected NAME=VALUE, found `%s`", argument);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const char *name = graph->inputs[i].name;
        const size_t length = strlen(name);
        if (strncmp(argument, name, length) == 0 && argument[length] == ':')
            lib_text_printf(&text, "; did you mean `%s=%s`?", name,
                            argument + length + 1);
    }
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text.bytes);
}

static void read_input(struct sim_inputs *inputs, struct lib_arena *arena,
                       const struct isa_graph *graph, const struct lib_source *source,
                       const char *argument, struct lib_diags *diags)
{
    const struct lib_pos nowhere = {0};
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument) {
        report_no_input(graph, argument, diags);
        return;
    }
    const char *name = lib_arena_copy(arena, argument, (size_t)(equals - argument));
    uint32_t i = isa_graph_find_input(graph, name);
    if (i == UINT32_MAX) {
        report_unknown_input(graph, source, name, diags);
    } else if (inputs->given[i]) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "input `%s` is given twice",
                       name);
    } else if (!isa_value_read(equals + 1, graph->inputs[i].type, &inputs->values[i])) {
        report_wrong_value(&graph->inputs[i], equals + 1, diags);
    } else {
        inputs->given[i] = true;
    }
}

/* Returns the number of arguments of an input written with blanks: `n = 5`, `n =5`, `n= 5` or `n
 * 5`; else 1. */
static size_t split_pieces(const struct isa_graph *graph, const char *const *arguments,
                           size_t count)
{
    const char *equals = strchr(arguments[0], '=');
    const bool is_name = !equals && count > 1;
    if (is_name && arguments[1][0] == '=')
        return arguments[1][1] || count == 2 ? 2 : 3;
    const bool lacks_value = equals && equals > arguments[0] && !equals[1] && count > 1;
    const bool is_input = is_name &&
                          isa_graph_find_input(graph, arguments[0]) != UINT32_MAX;
    return (lacks_value || is_input) && !strchr(arguments[1], '=') ? 2 : 1;
}

static void report_split_input(const char *const *arguments, size_t pieces,
                               struct lib_diags *diags)
{
    LIB_TEXT_OWN found = {0}, meant = {0};
    for (size_t i = 0; i < pieces; i++) {
        lib_text_printf(&found, "%s%s", i ? " " : "", arguments[i]);
        lib_text_printf(
            &meant, "%s%s",
            i == 1 && !strchr(meant.bytes, '=') && arguments[i][0] != '=' ? "=" : "",
            arguments[i]);
    }
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "expected NAME=VALUE, found `%s`; write `%s`, without blanks",
                   found.bytes, meant.bytes);
}

/* Reads inputs. `source` is for hints; or NULL. */
static bool read_inputs(struct sim_inputs *inputs, struct lib_arena *arena,
                        const struct isa_graph *graph, const struct lib_source *source,
                        const char *const *arguments, size_t count,
                        struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    size_t errors = diags->errors;
    inputs->values = LIB_ARENA_ARRAY(arena, isa_value, graph->input_count);
    inputs->given = LIB_ARENA_ARRAY(arena, bool, graph->input_count);
    for (uint32_t i = 0; i < graph->input_count; i++)
        inputs->values[i] = graph->inputs[i].value;
    for (size_t i = 0; i < count;) {
        const size_t pieces = split_pieces(graph, arguments + i, count - i);
        if (pieces > 1)
            report_split_input(arguments + i, pieces, diags);
        else
            read_input(inputs, arena, graph, source, arguments[i], diags);
        i += pieces;
    }

    return diags->errors == errors;
}

bool sim_inputs_read(struct sim_inputs *inputs, struct lib_arena *arena,
                     const struct isa_graph *graph, const char *const *arguments,
                     size_t count, struct lib_diags *diags)
{
    return read_inputs(inputs, arena, graph, NULL, arguments, count, diags);
}

bool sim_program_read_inputs(const struct sim_program *program, struct sim_inputs *inputs,
                             struct lib_arena *arena, const char *const *arguments,
                             size_t count, struct lib_diags *diags)
{
    return read_inputs(inputs, arena, program->graph, sim_program_source(program),
                       arguments, count, diags);
}
