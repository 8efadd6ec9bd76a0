#include "sim/commands/commands.h"

#include <string.h>
#include <unistd.h>

#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "lib/file.h"
#include "sim/cli/options.h"
#include "sim/loading/load.h"
#include "sim/loading/parts.h"
#include "sim/loading/setup.h"

struct compile_choice {
    bool parts;
    const char *report; /* path; NULL: not given */
};

static const struct lib_field compile_options[] = {
    SIM_OUTPUT("optimise-report", 0, FILE, "FILE",
               offsetof(struct compile_choice, report),
               "Write what the optimiser did, line by line of the program, to FILE"),
    SIM_FLAG("parts", offsetof(struct compile_choice, parts),
             "Write an image for each machine, IMAGE.0, IMAGE.1, ..., of a program that "
             "is divided (partition.by); IMAGE names them, and is the whole program"),
    {0},
};

static const struct sim_usage compile_usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_STRATEGY | SIM_TAKES_OPTIMISE |
             SIM_TAKES_MACHINE | SIM_TAKES_PARAMS,
    .arguments = "PROGRAM -o IMAGE",
    .help =
        "Compile a program to an image."
        "\vOf the settings only those that are used when a source is compiled have an "
        "effect, and partition.*, which divides the program. `hiaton graph --stage' "
        "prints what each pass makes.",
    .least = 1,
    .most = 1,
    .missing = "PROGRAM",
    .options = compile_options,
};

static const struct sim_usage asm_usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_STRATEGY,
    .arguments = "TEXT -o IMAGE",
    .help = "Assemble a text, of any stage, to an image.",
    .least = 1,
    .most = 1,
    .missing = "TEXT",
};

static const struct sim_usage disasm_usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments = "IMAGE",
    .help = "Print the assembly text of an image; `hiaton asm' turns it back.",
    .least = 1,
    .most = 1,
    .missing = "IMAGE",
};

/* Advises what to do with a file of the wrong kind. */
static const char *advice_on(enum sim_kind kind)
{
    static const char *const advices[SIM_KIND_COUNT] = {
        [SIM_ASSEMBLY] = "; `hiaton asm` makes an image of it",
        [SIM_IMAGE] = "; `hiaton disasm` prints its text",
    };
    return advices[kind];
}

static bool open_kind(struct sim_program *program, const char *path, enum sim_kind kind,
                      const char *advice, struct lib_diags *diags)
{
    if (!sim_program_open(program, path, diags))
        return false;
    if (program->kind == kind)
        return true;
    lib_diag_error(diags, LIB_DIAG_FILE, program->file, (struct lib_pos){0},
                   "this is %s, not %s%s", sim_kind_text(program->kind),
                   sim_kind_text(kind),
                   program->kind == SIM_SOURCE ? advice : advice_on(program->kind));
    return false;
}

static bool has_output(const struct sim_options *options, struct lib_diags *diags)
{
    if (options->output)
        return true;
    lib_diag_plain(diags, LIB_DIAG_USAGE, "-o IMAGE is missing: where to write to");
    return false;
}

/* Reports the diagnostics, writes the text if any, and cleans up. */
static int finish(struct sim_options *options, struct sim_program *program,
                  struct lib_diags *diags, bool good, struct lib_text *text)
{
    enum sim_status status = sim_tell(&options->printer, diags);
    if (good)
        status = sim_put(&options->printer, options->output, text);
    lib_text_free(text);
    sim_program_free(program);
    sim_options_free(options);
    return status;
}

static bool finish_program(const struct sim_options *options, struct sim_program *program,
                           struct lib_diags *diags)
{
    struct sim_setup setup;
    if (!sim_options_setup(options, &setup, program->arena, diags))
        return false;
    program->params = options->params;
    return sim_program_finish(program, &setup.settings, options->strategy, diags);
}

static void pieces_consume(void *context, const void *bytes, size_t length)
{
    sim_pieces_add(context, bytes, length);
}

/* Writes the image of a program to the output, if there are no errors, and cleans up. */
static int finish_image(struct sim_options *options, struct sim_program *program,
                        struct lib_diags *diags, bool good)
{
    struct sim_pieces pieces;
    good = good && finish_program(options, program, diags);
    enum sim_status status = sim_tell(&options->printer, diags);
    if (good)
        status = sim_pieces_open(&pieces, &options->printer, options->output);
    if (good && status == SIM_DONE) {
        isa_image_pass(program->graph, pieces_consume, &pieces);
        status = sim_pieces_close(&pieces);
    }
    sim_program_free(program);
    sim_options_free(options);
    return status;
}

static const char *part_path(const struct sim_options *options,
                             struct sim_program *program, uint32_t machine)
{
    return lib_arena_printf(program->arena, "%s.%u", options->output, machine);
}

/* Writes an image for each machine; `index` names them. Removes them again if one fails. */
static bool make_parts(const struct sim_options *options, struct sim_program *program,
                       struct lib_text *index, struct lib_diags *diags)
{
    if (!finish_program(options, program, diags))
        return false;
    if (program->graph->stage != ISA_STAGE_PARTITIONED ||
        strcmp(options->output, "-") == 0) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "--parts: expected a program that is divided among machines "
                       "(--set partition.by=...), and the name of a file after -o");
        return false;
    }
    sim_parts_begin(index);
    bool good = true;
    for (uint32_t m = 0; m < program->graph->machine_count && good; m++) {
        LIB_TEXT_OWN image = {0};
        sim_parts_write(program->graph, m, options->output, &image, index);
        good = lib_file_write(part_path(options, program, m), lib_text_get(&image),
                              image.length, diags);
        for (uint32_t made = 0; made < m && !good; made++)
            unlink(part_path(options, program, made));
    }
    return good;
}

int sim_compile(int argc, char **argv)
{
    struct compile_choice choice = {0};
    struct lib_text report = {0};
    struct sim_options options = {0};
    struct sim_program program = {0};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    sim_options_parse(&options, &compile_usage, &choice, argc, argv);
    bool good = has_output(&options, &diags) &&
                sim_program_open(&program, options.arguments[0], &diags);
    program.report = choice.report ? &report : NULL;
    if (choice.parts)
        good = good && make_parts(&options, &program, &text, &diags);
    int status = choice.parts ? finish(&options, &program, &diags, good, &text)
                              : finish_image(&options, &program, &diags, good);
    if (status == SIM_DONE && choice.report)
        status = sim_put(&options.printer, choice.report, &report);
    lib_text_free(&report);
    return status;
}

int sim_asm(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_program program = {0};
    struct lib_diags diags = {0};
    sim_options_parse(&options, &asm_usage, NULL, argc, argv);
    bool good = has_output(&options, &diags) &&
                open_kind(&program, options.arguments[0], SIM_ASSEMBLY,
                          "; `hiaton compile` makes images of sources", &diags);
    return finish_image(&options, &program, &diags, good);
}

int sim_disasm(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_program program = {0};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    sim_options_parse(&options, &disasm_usage, NULL, argc, argv);
    bool good = open_kind(&program, options.arguments[0], SIM_IMAGE,
                          "; `hiaton graph --stage image` prints the assembly of sources",
                          &diags) &&
                sim_program_finish(&program, NULL, ISA_STAGE_COUNT, &diags);
    if (good)
        isa_asm_write(program.graph, &text);
    return finish(&options, &program, &diags, good, &text);
}
