/* hiaton: finds the sub-command and runs it. */
#include "config.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/messages.h"
#include "sim/commands/commands.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
#define COMMAND(name, help) {#name, sim_##name, help},
    SIM_COMMANDS(COMMAND)
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *command_name(size_t i, const void *context)
{
    (void)context;
    return commands[i].name;
}

static void print_help(void)
{
    printf("Usage: hiaton COMMAND [OPTION...] [ARGUMENT...]\n"
           "A deterministic simulator of a tagged-token dataflow machine.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].help);
    printf("\n"
           "  --help     print this and exit\n"
           "  --version  print the version and exit\n\n"
           "`hiaton COMMAND --help' and `man hiaton-COMMAND' explain a command.\n");
}

static const char *option_name(size_t i, const void *context)
{
    static const char *const names[] = {"--help", "--version"};
    (void)context;
    return names[i];
}

/* What other programs call what a command does. */
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

static const char *other_word(const char *wrong)
{
    for (size_t i = 0; i < sizeof other_words / sizeof other_words[0]; i++)
        if (strcmp(other_words[i].word, wrong) == 0)
            return other_words[i].command;
    return NULL;
}

/* What may have been meant by a word that is no command, or NULL. */
static const char *meant(const char *wrong)
{
    if (strcmp(wrong, "help") == 0 || strcmp(wrong, "-h") == 0 ||
        strcmp(wrong, "-?") == 0)
        return option_name(0, NULL);
    if (other_word(wrong))
        return other_word(wrong);
    return *wrong == '-' ? lib_text_nearest(wrong, 2, option_name, NULL)
                         : lib_text_nearest(wrong, COMMAND_COUNT, command_name, NULL);
}

static int bad_usage(const char *wrong)
{
    const struct sim_voice voice = {.command = "hiaton"};
    const char *nearest = meant(wrong);
    bool option = *wrong == '-', file = !option && access(wrong, F_OK) == 0;
    struct lib_text text = {0};
    lib_text_printf(&text, "there is no %s `%s`%s", option ? "option" : "command", wrong,
                    option ? " before a command" : "");
    if (file)
        lib_text_printf(&text, "; did you mean `hiaton run %s`?", wrong);
    else if (nearest)
        lib_text_printf(&text, "; did you mean `%s`?", nearest);
    sim_say(&voice, "%s", text.bytes);
    lib_text_free(&text);
    sim_point_to_help(&voice);
    return SIM_USAGE;
}

/* Runs a command under the name "hiaton CMD", which argp puts before its messages. */
static int run_command(const struct command *command, int argc, char **argv)
{
    char name[32];
    snprintf(name, sizeof name, "hiaton %s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

int main(int argc, char **argv)
{
    sim_guard_output();
    argp_program_version = "hiaton " PACKAGE_VERSION;
    argp_err_exit_status = SIM_USAGE;
    if (argc < 2) {
        fputs("hiaton: a command is missing\nTry `hiaton --help' for more information.\n",
              stderr);
        return SIM_USAGE;
    }
    const char *word = argv[1];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i].name) == 0)
            return run_command(&commands[i], argc - 1, argv + 1);
    if (strcmp(word, "--help") == 0)
        print_help();
    else if (strcmp(word, "--version") == 0)
        puts(argp_program_version);
    else
        return bad_usage(word);
    return SIM_DONE;
}
