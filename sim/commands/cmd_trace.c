#include "sim/commands/cmd_trace.h"

#include <unistd.h>

#include "lib/file.h"
#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"
#include "sim/loading/file_kind.h"

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
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "%s has the events of level `%s`, and not those of `%s`",
                   o->arguments[0], traces_level_table[source->level].text,
                   traces_level_table[*level].text);
    return false;
}

bool sim_trace_show_values(const struct sim_options *o, struct sim_source *source,
                           struct lib_diags *diags)
{
    if (source->recording.run.has_events)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "--values: %s is a file of events, which has no values of tokens; "
                       "expected a recording (`hiaton run --record FILE`)",
                       o->arguments[0]);
    source->has_values = !source->recording.run.has_events;
    return source->has_values;
}

/* Suggests a command for a file in its place: events, or a program to record first. */
static char *meant(const char *word)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags ignored = {0};
    struct lib_text text = {0};
    const struct lib_source *file = access(word, F_OK) == 0
                                        ? lib_file_read(arena, word, &ignored)
                                        : NULL;
    const enum sim_file_kind kind = file ? sim_file_kind(file) : SIM_FILE_OTHER;
    if (kind == SIM_FILE_EVENTS || kind == SIM_FILE_RECORDING)
        lib_text_printf(&text, "; did you mean `text %s`?", word);
    else if (file)
        lib_text_printf(&text,
                        "; `hiaton run %s --record run.rec` records a run, and `hiaton "
                        "trace text run.rec` prints its events; `hiaton analyse %s` says "
                        "what they show",
                        word, word);
    lib_diags_free(&ignored);
    lib_arena_free(arena);
    return text.bytes;
}

int sim_trace(int argc, char **argv)
{
    static const struct sim_dispatch trace = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE...",
        .purpose = "Look at the events of runs: of `hiaton run --trace' or `--record'.",
        .manual = "man hiaton-trace",
        .meant = meant,
    };
    return sim_dispatch(&trace, argc, argv);
}
