#include "config.h"

#include <argp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "isa/format/image.h"
#include "lib/quote.h"
#include "lib/stack.h"
#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"
#include "sim/loading/model.h"
#include "sim/messages/messages.h"
#include "sim/messages/stop.h"
#include "sim/replay/recording.h"
#include "sim/training/options.h"
#include "traces/exports/exporter.h"
#include "traces/results/layout.h"

static const struct sim_command commands[] = {
#define COMMAND(group, name, help) {#name, sim_##name, help, #group},
    SIM_COMMANDS(COMMAND)
#undef COMMAND
};

static const struct sim_spelling spellings[] = {{"analyze", "analyse"}, {NULL, NULL}};

/* Words of other programs for commands. */
static const struct {
    const char *word, *command;
} other_words[] = {
    {"assemble", "asm"},      {"build", "compile"},      {"cc", "compile"},
    {"diff", "compare"},      {"disassemble", "disasm"}, {"dot", "graph"},
    {"draw", "graph"},        {"exec", "run"},           {"execute", "run"},
    {"experiment", "sweep"},  {"instructions", "ops"},   {"list", "machines"},
    {"opcodes", "ops"},       {"plot", "results plot"},  {"presets", "machines"},
    {"sim", "run"},           {"simulate", "run"},       {"start", "run"},
    {"version", "--version"},
};

/* Suggests a command for a program in its place, or for another program's word. */
static char *meant(const char *word)
{
    struct lib_text text = {0};
    if (access(word, F_OK) == 0) {
        lib_text_puts(&text, "; did you mean `hiaton run ");
        lib_quote_shell(&text, word);
        lib_text_puts(&text, "`?");
        return text.bytes;
    }
    for (size_t i = 0; i < sizeof other_words / sizeof other_words[0]; i++)
        if (strcmp(other_words[i].word, word) == 0)
            lib_text_printf(&text, "; did you mean `%s`?", other_words[i].command);
    return text.bytes;
}

static const struct sim_dispatch hiaton = {
    .commands = commands,
    .count = sizeof commands / sizeof *commands,
    .usage = "COMMAND [OPTION...] [ARGUMENT...] | --help | --version",
    .purpose = "A deterministic simulator of a tagged-token dataflow machine.",
    .manual = "man hiaton-COMMAND",
    .meant = meant,
    .spellings = spellings,
};

/* Features that a build may lack. */
#ifdef HIATON_SIMGRID
#define WITH_SIMGRID "yes"
#else
#define WITH_SIMGRID "no"
#endif
#ifdef HIATON_METIS
#define WITH_METIS "yes"
#else
#define WITH_METIS "no"
#endif
#ifdef HIATON_OPENBLAS
#define WITH_OPENBLAS "yes"
#else
#define WITH_OPENBLAS "no"
#endif
#define PARTS "simgrid: " WITH_SIMGRID ", metis: " WITH_METIS ", openblas: " WITH_OPENBLAS

/* Writes the text of --version: parts, versions of the model and of files (doc/artifact.md). */
static void write_version(char *text, size_t size)
{
    snprintf(text, size,
             "hiaton " PACKAGE_VERSION "\n" PARTS ", otf2: %s\n"
             "model %d, of tensors %d, of training %d\n"
             "files: image %d, results %d, recording %d, events %d, training %d",
             traces_exporter_find("otf2")->missing ? "no" : "yes", SIM_MODEL_VERSION,
             SIM_TENSOR_MODEL_VERSION, SIM_TRAINING_MODEL_VERSION, ISA_IMAGE_FORMAT,
             TRACES_LAYOUT_VERSION, SIM_RECORDING_FORMAT, SIM_EVENTS_FORMAT,
             SIM_TRAINING_FORMAT);
}

struct command_line {
    int argc;
    char **argv;
};

static int dispatch(void *context)
{
    const struct command_line *line = context;
    return sim_dispatch(&hiaton, line->argc, line->argv);
}

int main(int argc, char **argv)
{
    char name[] = "hiaton", version[512];
    struct command_line line = {argc, argv};
    sim_guard_output();
    sim_stop_begin();
    write_version(version, sizeof version);
    argp_program_version = version;
    argp_err_exit_status = SIM_USAGE;
    argv[0] = name;
    return lib_stack_call(dispatch, &line); /* programs may nest deeply */
}
