#include "sim/commands/commands.h"

#include <string.h>

#include "isa/format/asm.h"
#include "isa/format/draw.h"
#include "lib/memory.h"
#include "programs/compile.h"
#include "sim/cli/options.h"
#include "sim/commands/heat.h"
#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/outputs/graphviz.h"

enum format {
    FORMAT_TEXT,
    FORMAT_DOT,
    FORMAT_JSON,
    FORMAT_SVG,
    FORMAT_PDF,
    FORMAT_PNG,
    FORMAT_COUNT,
};

#define FORMATS "text|dot|json|svg|pdf|png"

static const char *const format_names[FORMAT_COUNT] = {"text", "dot", "json",
                                                       "svg",  "pdf", "png"};

/* Suffixes of other pictures, for messages. */
static const char *const other_pictures[] = {"jpg", "jpeg", "gif", "eps",
                                             "ps",  "tiff", "bmp", "webp"};

struct choice {
    enum isa_stage stage;   /* ISA_STAGE_COUNT if not given, or if `is_parsed` */
    bool is_parsed;         /* --stage=parse: the syntax tree; --stage=forms: forms */
    bool is_forms;          /* --stage=forms */
    enum format format;     /* FORMAT_COUNT: not given */
    struct lib_texts words; /* of --function: names separated by commas */
    unsigned depth, fold;
    bool has_depth, has_fold;
    enum sim_heat heat;
};

#define STAGES "parse|forms|functions|static|image|expanding|partitioned"
#define HEATS "firings|tokens|busy"

#define OF(member) offsetof(struct choice, member)

static bool take_stage(void *place, const char *text, struct lib_text *why)
{
    static const struct lib_field choice = {.kind = LIB_FIELD_CHOICE, .value = STAGES};
    struct choice *c = place;
    unsigned which;
    if (!lib_field_set(&choice, &which, text, why))
        return false;
    c->is_forms = which == 1;
    c->is_parsed = which <= 1;
    c->stage = isa_stage_find(text);
    return true;
}

static const struct lib_field own_options[] = {
    SIM_TAKEN_BY(
        "stage", STAGES, 0, take_stage,
        "parse (the source as it was read), forms (the operations of each function, for "
        "work on "
        "the compiler), functions (one graph per function), static (one graph), image "
        "(the instructions), expanding (the instructions of the other "
        "strategy) or partitioned (those of the one graph, divided among machines as "
        "partition.by says); default: static, or expanding with --strategy=expanding"),
    SIM_OPTION("format", 0, CHOICE, FORMATS, OF(format),
               "text (reads back as a program), json, dot (for Graphviz), svg, pdf or "
               "png (drawn by the program dot); default: what FILE ends in, else text"),
    SIM_OPTION("function", 0, TEXTS, "NAME[,NAME]...", OF(words),
               "Draw these functions alone, with their loops; repeatable"),
    {"depth", .kind = LIB_FIELD_UNSIGNED, .at = OF(depth),
     .given = LIB_GIVEN(OF(has_depth)), .most = ISA_DRAW_SANE - 1, .value = "N",
     .help = "Draw the functions reached by at most N calls, from the top level or from "
             "those of --function"},
    {"fold", .kind = LIB_FIELD_UNSIGNED, .at = OF(fold), .given = LIB_GIVEN(OF(has_fold)),
     .most = ISA_DRAW_SANE - 1, .value = "N",
     .help = "Draw functions of more than N nodes as a box; 0: none; default: the "
             "largest, until 200 nodes are left"},
    SIM_OPTION("heat", 0, CHOICE, HEATS, OF(heat),
               "Draw how much each instruction has to do in a run: of PROGRAM with the "
               "inputs that NAME=VALUE gives, or of a recording or a file of events"),
    {0},
};

static enum format find_format(const char *name)
{
    int format = 0;
    while (format < FORMAT_COUNT && strcmp(name, format_names[format]) != 0)
        format++;
    return (enum format)format;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_STRATEGY | SIM_TAKES_OPTIMISE |
             SIM_TAKES_MACHINE | SIM_TAKES_SEED,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help = "Print the graph of a program at a stage of its compilation."
            "\vPROGRAM is a source, an assembly text or an image (`-': standard input). "
            "--function, --depth, --fold and --heat are of figures: dot, svg, pdf and "
            "png. NAME=VALUE and --seed are of the run of --heat, as most settings are; "
            "else only those that are used when a source is compiled have an effect, and "
            "partition.* on the stage partitioned.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
};

static void check_ending(const char *ending, const struct sim_options *options)
{
    for (size_t i = 0; i < sizeof other_pictures / sizeof *other_pictures; i++)
        if (strcmp(ending, other_pictures[i]) == 0)
            sim_options_wrong(
                options->printer.command,
                "-o: expected a name that ends with .svg, .pdf or .png, found `%s`",
                options->output);
}

/* Returns the format by the suffix of FILE, if none is given. */
static enum format format_of(const struct choice *choice,
                             const struct sim_options *options)
{
    const char *point = options->output ? strrchr(options->output, '.') : NULL;
    enum format format = choice->format;
    if (format == FORMAT_COUNT && point) {
        format = find_format(point + 1);
        check_ending(point + 1, options);
    }
    if (format == FORMAT_COUNT)
        format = FORMAT_TEXT;
    const char *narrowing = choice->heat != SIM_HEAT_NONE ? "--heat"
                            : choice->has_fold            ? "--fold"
                            : choice->has_depth           ? "--depth"
                            : choice->words.count         ? "--function"
                                                          : NULL;
    const bool draws = format != FORMAT_TEXT && format != FORMAT_JSON;
    if (choice->is_parsed && format != FORMAT_TEXT)
        sim_options_wrong(options->printer.command, "--stage=%s is a text, and no %s",
                          choice->is_forms ? "forms" : "parse", format_names[format]);
    if (narrowing && !draws)
        sim_options_wrong(options->printer.command,
                          "%s is for figures, and %s is the whole program: add "
                          "--format=svg, pdf, png or dot",
                          narrowing, format_names[format]);
    return format;
}

/* --- which functions --------------------------------------------------------------------- */

enum { SHOWN_FUNCTIONS = 12 };

/* Loops have no names given by the user. */
static const char *function_name(size_t i, const void *context)
{
    const struct isa_graph *graph = context;
    return graph->functions[i].is_loop ? "" : graph->functions[i].name;
}

static void unknown_function(const struct isa_graph *graph, const char *name,
                             struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    uint32_t shown = 0, others = 0;
    lib_text_printf(&text, "--function: the graph has no function `%s`", name);
    const char *nearest = lib_text_nearest(name, graph->function_count, function_name,
                                           graph);
    if (nearest && *nearest)
        lib_text_printf(&text, "; did you mean `%s`? Its functions:", nearest);
    else
        lib_text_puts(&text, "; its functions:");
    for (uint32_t f = 0; f < graph->function_count; f++) {
        if (graph->functions[f].is_loop)
            continue;
        if (shown < SHOWN_FUNCTIONS)
            lib_text_printf(&text, "%s %s", shown++ ? "," : "", graph->functions[f].name);
        else
            others++;
    }
    if (others)
        lib_text_printf(&text, " and %u more", others);
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text.bytes);
}

struct roots {
    uint32_t *items;
    size_t count, capacity;
};

/* Finds all functions with a name: the compiler can make several. */
static void find_function(struct roots *roots, const struct isa_graph *graph,
                          const char *name, struct lib_diags *diags)
{
    const size_t before = roots->count;
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (!graph->functions[f].is_loop && strcmp(graph->functions[f].name, name) == 0)
            *LIB_VEC_PUSH(roots) = f;
    if (roots->count == before)
        unknown_function(graph, name, diags);
}

static void find_functions(struct roots *roots, const struct isa_graph *graph,
                           const struct choice *choice, struct lib_arena *arena,
                           struct lib_diags *diags)
{
    for (size_t i = 0; i < choice->words.count; i++) {
        const char *word = choice->words.items[i];
        for (;; word++) {
            const size_t length = strcspn(word, ",");
            find_function(roots, graph, lib_arena_copy(arena, word, length), diags);
            word += length;
            if (!*word)
                break;
        }
    }
}

/* --- writing ----------------------------------------------------------------------------- */

static void tell_folded(const struct sim_printer *printer, const struct isa_graph *graph,
                        const struct isa_draw_plan *plan)
{
    LIB_TEXT_OWN text = {0};
    uint32_t count = 0;
    for (uint32_t f = 0; f < graph->function_count; f++) {
        if (!plan->is_too_large[f])
            continue;
        if (count++ < SHOWN_FUNCTIONS)
            lib_text_printf(&text, "%s%s (%u nodes)", count > 1 ? ", " : "",
                            graph->functions[f].name, plan->bodies[f]);
    }
    if (count > SHOWN_FUNCTIONS)
        lib_text_printf(&text, " and %u more", count - SHOWN_FUNCTIONS);
    if (count && !printer->quiet)
        sim_say(
            printer,
            "too large, and folded: %s; --function=NAME draws one of them, --fold=0 all",
            text.bytes);
}

/* Draws a figure as DOT, or with the program dot. */
static enum sim_status draw(const struct sim_options *options,
                            const struct choice *choice, enum format format,
                            const struct sim_program *program, const uint64_t *heat,
                            struct lib_text *out)
{
    struct lib_diags diags = {0};
    struct roots roots = {0};
    struct isa_draw_plan plan;
    find_functions(&roots, program->graph, choice, program->arena, &diags);
    const struct isa_draw_choice wanted = {
        .roots = roots.items,
        .root_count = roots.count,
        .depth = choice->depth == UINT32_MAX && roots.count ? 0 : choice->depth,
        .fold = choice->fold,
    };
    enum lib_fault fault = diags.errors ? LIB_FAULT_INPUT : LIB_FAULT_NONE;
    if (fault == LIB_FAULT_NONE) {
        LIB_TEXT_OWN dot = {0};
        isa_draw_choose(program->graph, &wanted, program->arena, &plan);
        plan.heat = heat;
        tell_folded(&options->printer, program->graph, &plan);
        isa_draw_dot(program->graph, &plan, format == FORMAT_DOT ? out : &dot);
        if (format != FORMAT_DOT)
            fault = sim_graphviz_draw(&dot,
                                      format == FORMAT_SVG   ? SIM_DRAWING_SVG
                                      : format == FORMAT_PDF ? SIM_DRAWING_PDF
                                                             : SIM_DRAWING_PNG,
                                      out, &diags);
    }
    sim_tell(&options->printer, &diags);
    lib_mem_free(roots.items);
    return sim_status_of(fault);
}

static enum sim_status write_graph(const struct sim_options *options,
                                   const struct choice *choice, enum format format,
                                   const struct sim_program *program,
                                   const uint64_t *heat)
{
    LIB_TEXT_OWN text = {0};
    enum sim_status status = SIM_DONE;
    if (format == FORMAT_TEXT)
        isa_asm_write(program->graph, &text);
    else if (format == FORMAT_JSON)
        isa_draw_json(program->graph, &text);
    else
        status = draw(options, choice, format, program, heat, &text);
    if (status == SIM_DONE)
        status = sim_put(&options->printer, options->output, &text);
    return status;
}

/* Returns the stage by --stage or --strategy, else ISA_STAGE_COUNT. */
static enum isa_stage stage_of(const struct choice *choice,
                               const struct sim_options *options)
{
    const bool expanding = options->strategy == ISA_STAGE_EXPANDING;
    if (choice->stage == ISA_STAGE_COUNT)
        return expanding                              ? ISA_STAGE_EXPANDING
               : options->strategy == ISA_STAGE_IMAGE ? ISA_STAGE_STATIC
                                                      : ISA_STAGE_COUNT;
    if (expanding && choice->stage == ISA_STAGE_IMAGE)
        return ISA_STAGE_EXPANDING;
    const bool other = expanding ? choice->stage == ISA_STAGE_STATIC
                                 : options->strategy == ISA_STAGE_IMAGE &&
                                       choice->stage == ISA_STAGE_EXPANDING;
    if (other)
        sim_options_wrong(options->printer.command, "--stage=%s is not of --strategy=%s",
                          isa_stage_name(choice->stage),
                          isa_strategy_name(options->strategy));
    return choice->stage;
}

/* Draws the graph of a run: instructions of an image. */
static enum sim_status graph_of_run(const struct sim_options *options,
                                    const struct choice *choice, enum format format)
{
    struct sim_heat_run *run;
    struct sim_options of_run = *options;
    const enum isa_stage stage = choice->stage;
    if (stage != ISA_STAGE_COUNT && !isa_stage_is_executable(stage))
        sim_options_wrong(
            options->printer.command,
            "--heat is of what is executed: the stages image and expanding");
    if (stage != ISA_STAGE_COUNT)
        of_run.strategy = stage;
    enum sim_status status = sim_heat_run(&of_run, choice->heat, &run);
    if (status == SIM_DONE && stage != ISA_STAGE_COUNT &&
        sim_heat_run_program(run)->graph->stage != stage)
        sim_options_wrong(options->printer.command, "%s is of --strategy=%s",
                          options->arguments[0],
                          isa_strategy_name(sim_heat_run_program(run)->graph->stage));
    if (status == SIM_DONE)
        status = write_graph(options, choice, format, sim_heat_run_program(run),
                             sim_heat_run_counts(run));
    sim_heat_run_close(run);
    return status;
}

static bool write_parsed(const struct sim_program *program, bool is_forms,
                         struct lib_text *text, struct lib_diags *diags)
{
    const struct programs_options options = {.files = program->arena, .forms = text};
    if (program->kind == SIM_SOURCE)
        return is_forms ? programs_dump_forms(program->file, &options, diags)
                        : programs_dump_parse(program->file, text, diags);
    lib_diag_error(diags, LIB_DIAG_FILE, program->file, (struct lib_pos){0},
                   "this is %s; only a source is parsed", sim_kind_text(program->kind));
    return false;
}

static enum sim_status graph_of_source(const struct sim_options *options, bool is_forms)
{
    struct sim_program program;
    struct lib_diags diags = {0};
    LIB_TEXT_OWN text = {0};
    const bool good = sim_program_open(&program, options->arguments[0], &diags) &&
                      write_parsed(&program, is_forms, &text, &diags);
    enum sim_status status = sim_tell(&options->printer, &diags);
    if (good)
        status = sim_put(&options->printer, options->output, &text);
    sim_program_free(&program);
    return status;
}

static enum sim_status graph_of_program(const struct sim_options *options,
                                        const struct choice *choice, enum format format)
{
    const enum isa_stage stage = stage_of(choice, options);
    struct sim_program program;
    struct sim_setup setup;
    struct lib_diags diags = {0};
    if (options->argument_count > 1)
        sim_options_wrong(options->printer.command,
                          "unexpected argument `%s`: inputs are of a run, for --heat",
                          options->arguments[1]);
    if (choice->is_parsed)
        return graph_of_source(options, choice->is_forms);
    const bool loaded = sim_program_open(&program, options->arguments[0], &diags) &&
                        sim_options_setup(options, &setup, program.arena, &diags) &&
                        sim_program_bring(&program, &setup.settings, stage, &diags);
    enum sim_status status = sim_tell(&options->printer, &diags);
    if (loaded)
        status = write_graph(options, choice, format, &program, NULL);
    sim_program_free(&program);
    return status;
}

int sim_graph(int argc, char **argv)
{
    struct choice choice = {
        .stage = ISA_STAGE_COUNT,
        .format = FORMAT_COUNT,
        .depth = UINT32_MAX,
        .fold = ISA_DRAW_SANE,
        .heat = SIM_HEAT_NONE,
    };
    struct sim_options options = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    if (choice.heat == SIM_HEAT_NONE)
        stage_of(&choice, &options); /* checks that --strategy agrees */
    const enum format format = format_of(&choice, &options);
    const enum sim_status status = choice.heat == SIM_HEAT_NONE
                                       ? graph_of_program(&options, &choice, format)
                                       : graph_of_run(&options, &choice, format);
    LIB_VEC_FREE(&choice.words);
    sim_options_free(&options);
    return status;
}
