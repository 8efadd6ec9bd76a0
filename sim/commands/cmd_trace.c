/* hiaton trace: the events of runs, of recordings or files of events. */
#include "sim/commands/cmd_trace.h"

#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

static const struct sim_command commands[] = {
    {"info", sim_trace_info, "say what is in a file of events, or in a recording", NULL},
    {"text", sim_trace_text, "print events as lines", NULL},
    {"diff", sim_trace_diff, "say where two runs differ, why, and by how much", NULL},
    {"export", sim_trace_export,
     "write events for other programs: Perfetto, Konata, SQLite ...", NULL},
};

bool sim_trace_level(const struct sim_options *o, const struct sim_source *source,
                     enum traces_level *level, struct lib_diags *diags)
{
    *level = o->events.level;
    if (*level == TRACES_LEVEL_COUNT)
        *level = source->level < TRACES_LEVEL_ALL ? source->level : TRACES_LEVEL_ALL;
    if (*level <= source->level)
        return true;
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, (struct lib_pos){0},
                   "%s has the events of level `%s`, and not those of `%s`",
                   o->arguments[0], traces_level_table[source->level].text,
                   traces_level_table[*level].text);
    return false;
}

int sim_trace(int argc, char **argv)
{
    static const struct sim_dispatch trace = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE...",
        .purpose = "Look at the events of runs: of `hiaton run --trace' or `--record'.",
        .manual = "man hiaton-trace",
    };
    return sim_dispatch(&trace, argc, argv);
}
