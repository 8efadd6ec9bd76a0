#include "sim/commands/cmd_sweep.h"

#include <string.h>

#include "lib/file.h"
#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"

/* --- an experiment ------------------------------------------------------------------ */

enum sim_status sim_sweep_open(struct sim_sweep *sweep, const char *path,
                               const struct sim_voice *voice)
{
    struct lib_diags diags = {0};
    *sweep = (struct sim_sweep){.arena = lib_arena_new()};
    const struct lib_source *source = lib_file_read(sweep->arena, path, &diags);
    bool good = source && sim_experiment_read(&sweep->experiment, source, &diags) &&
                sim_expand(&sweep->experiment, &sweep->runs, &diags);
    enum sim_status status = sim_tell(voice, &diags);
    return good ? SIM_DONE : status;
}

void sim_sweep_close(struct sim_sweep *sweep)
{
    sim_runs_free(&sweep->runs);
    sim_experiment_free(&sweep->experiment);
    lib_arena_free(sweep->arena);
}

/* --- shards ------------------------------------------------------------------------- */

static bool read_number(const char **p, unsigned *number)
{
    const char *start = *p;
    for (*number = 0; **p >= '0' && **p <= '9' && *number < 1000000; ++*p)
        *number = *number * 10 + (unsigned)(**p - '0');
    return *p > start;
}

struct sim_shard sim_shard_parse(const char *text, const char *command)
{
    struct sim_shard shard;
    const char *p = text;
    bool good = read_number(&p, &shard.index) && *p++ == '/' &&
                read_number(&p, &shard.count) && !*p;
    if (!good || shard.index < 1 || shard.index > shard.count)
        sim_options_wrong(command, "--shard: expected I/N with I from 1 to N, found `%s`",
                          text);
    return shard;
}

bool sim_shard_has(struct sim_shard shard, size_t number)
{
    return !shard.count || (number - 1) % shard.count == shard.index - 1;
}

/* --- the command -------------------------------------------------------------------- */

static const struct sim_command commands[] = {
    {"run", sim_sweep_run, "run an experiment; what is there already is not run again"},
    {"list", sim_sweep_list, "print the runs of an experiment"},
    {"merge", sim_sweep_merge, "put the results of shards together"},
    {"emit", sim_sweep_emit, "print the shards as work for Slurm, make or GNU parallel"},
    {"keys", sim_sweep_keys, "list the keys of experiments"},
};

/* An experiment in place of a command. */
static char *meant(const char *word)
{
    struct lib_text text = {0};
    size_t length = strlen(word);
    if (length > 5 && strcmp(word + length - 5, ".yaml") == 0)
        lib_text_printf(&text, "run %s", word);
    return text.bytes;
}

int sim_sweep(int argc, char **argv)
{
    static const struct sim_dispatch sweep = {
        .commands = commands,
        .count = sizeof commands / sizeof *commands,
        .usage = "COMMAND [OPTION...] FILE...",
        .purpose = "Run experiments: many runs, described by a YAML file.",
        .manual = "man hiaton-sweep",
        .meant = meant,
    };
    return sim_dispatch(&sweep, argc, argv);
}
