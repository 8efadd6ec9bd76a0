/* hiaton: finds the sub-command and runs it. */
#include "config.h"

#include <argp.h>
#include <stddef.h>
#include <unistd.h>

#include "sim/cli/dispatch.h"
#include "sim/cli/messages.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
#define COMMAND(name, help) {#name, sim_##name, help},
    SIM_COMMANDS(COMMAND)
#undef COMMAND
};

/* A program in place of a command. */
static char *meant(const char *word)
{
    struct lib_text text = {0};
    if (access(word, F_OK) == 0)
        lib_text_printf(&text, "hiaton run %s", word);
    return text.bytes;
}

static const struct sim_dispatch hiaton = {
    .commands = commands,
    .count = sizeof commands / sizeof *commands,
    .usage = "COMMAND [OPTION...] [ARGUMENT...]",
    .purpose = "A deterministic simulator of a tagged-token dataflow machine.",
    .manual = "man hiaton-COMMAND",
    .meant = meant,
};

int main(int argc, char **argv)
{
    char name[] = "hiaton";
    sim_guard_output();
    argp_program_version = "hiaton " PACKAGE_VERSION;
    argp_err_exit_status = SIM_USAGE;
    argv[0] = name;
    return sim_dispatch(&hiaton, argc, argv);
}
