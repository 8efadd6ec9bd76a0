#include "sim/commands/commands.h"

#include <string.h>

#include "isa/format/asm.h"
#include "isa/format/draw.h"
#include "sim/cli/options.h"
#include "sim/session/load.h"
#include "sim/session/setup.h"

enum format { FORMAT_TEXT, FORMAT_DOT, FORMAT_JSON, FORMAT_COUNT };

static const char *const format_names[FORMAT_COUNT] = {"text", "dot", "json"};

struct choice {
    enum isa_stage stage;
    enum format format;
};

enum { KEY_STAGE = 0x200, KEY_FORMAT };

static const struct argp_option own_options[] = {
    {"stage", KEY_STAGE, "functions|static|image|expanding", 0,
     "functions (one graph per function), static (one graph), image (the instructions) "
     "or "
     "expanding (the instructions of the other strategy); default: static, or expanding "
     "with --strategy=expanding",
     0},
    {"format", KEY_FORMAT, "text|dot|json", 0,
     "text (reads back as a program), dot (for Graphviz) or json; default: text", 0},
    {0},
};

static void choose_stage(struct choice *choice, const char *text,
                         struct argp_state *state)
{
    choice->stage = isa_stage_find(text);
    if (choice->stage == ISA_STAGE_COUNT)
        sim_options_wrong(state->name,
                          "--stage: expected functions, static, image or expanding, "
                          "found `%s`",
                          text);
}

static void choose_format(struct choice *choice, const char *text,
                          struct argp_state *state)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(text, format_names[i]) == 0) {
            choice->format = (enum format)i;
            return;
        }
    sim_options_wrong(state->name, "--format: expected text, dot or json, found `%s`",
                      text);
}

static error_t parse(int key, char *text, struct argp_state *state, void *own)
{
    if (key == KEY_STAGE)
        choose_stage(own, text, state);
    else if (key == KEY_FORMAT)
        choose_format(own, text, state);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_STRATEGY | SIM_TAKES_MACHINE,
    .arguments = "PROGRAM",
    .help =
        "Print the graph of a program at a stage of its compilation."
        "\vPROGRAM is a source, an assembly text or an image (`-': standard input). Of "
        "the settings only loop.constants has an effect, on a source.",
    .least = 1,
    .most = 1,
    .missing = "PROGRAM",
    .options = own_options,
    .parse = parse,
};

static void write_graph(const struct isa_graph *graph, enum format format,
                        struct lib_text *out)
{
    switch (format) {
    case FORMAT_DOT:
        isa_draw_dot(graph, out);
        break;
    case FORMAT_JSON:
        isa_draw_json(graph, out);
        break;
    default:
        isa_asm_write(graph, out);
    }
}

/* The stage that was asked for, by itself or by a strategy. */
static enum isa_stage stage_of(const struct choice *choice,
                               const struct sim_options *options)
{
    const bool expanding = options->strategy == ISA_STAGE_EXPANDING;
    if (choice->stage == ISA_STAGE_COUNT)
        return expanding ? ISA_STAGE_EXPANDING : ISA_STAGE_STATIC;
    if (expanding && choice->stage == ISA_STAGE_IMAGE)
        return ISA_STAGE_EXPANDING;
    const bool other = expanding ? choice->stage == ISA_STAGE_STATIC
                                 : options->strategy == ISA_STAGE_IMAGE &&
                                       choice->stage == ISA_STAGE_EXPANDING;
    if (other)
        sim_options_wrong(options->voice.command, "--stage=%s is not of --strategy=%s",
                          isa_stage_name(choice->stage),
                          isa_strategy_name(options->strategy));
    return choice->stage;
}

int sim_graph(int argc, char **argv)
{
    struct choice choice = {ISA_STAGE_COUNT, FORMAT_TEXT};
    struct sim_options options = {0};
    struct sim_program program;
    struct sim_setup setup;
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    enum isa_stage stage = stage_of(&choice, &options);
    bool loaded = sim_program_open(&program, options.arguments[0], &diags) &&
                  sim_options_setup(&options, &setup, program.arena, &diags) &&
                  sim_program_bring(&program, &setup.settings, stage, &diags);
    enum sim_status status = sim_tell(&options.voice, &diags);
    if (loaded) {
        struct lib_text text = {0};
        write_graph(program.graph, choice.format, &text);
        status = sim_put(&options.voice, options.output, &text);
        lib_text_free(&text);
    }
    sim_program_free(&program);
    sim_options_free(&options);
    return status;
}
