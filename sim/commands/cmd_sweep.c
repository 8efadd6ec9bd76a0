#include "sim/commands/cmd_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
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

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"run", sim_sweep_run, "run an experiment; what is there already is not run again"},
    {"list", sim_sweep_list, "print the runs of an experiment"},
    {"merge", sim_sweep_merge, "put the results of shards together"},
    {"emit", sim_sweep_emit, "print the shards as work for Slurm, make or GNU parallel"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *command_name(size_t i, const void *context)
{
    (void)context;
    return commands[i].name;
}

static void print_help(void)
{
    printf("Usage: hiaton sweep COMMAND [OPTION...] FILE...\n"
           "Run experiments: many runs, described by a YAML file.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].help);
    printf("\n`hiaton sweep COMMAND --help' and `man hiaton-sweep' explain a command.\n");
}

int sim_sweep(int argc, char **argv)
{
    if (argc < 2)
        sim_options_wrong(argv[0], "a command is missing: run, list, merge or emit");
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0) {
        print_help();
        return SIM_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        puts(argp_program_version);
        return SIM_DONE;
    }
    if (*word == '-')
        sim_options_wrong(argv[0], "there is no option `%s` before a command", word);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) != 0)
            continue;
        char name[32];
        snprintf(name, sizeof name, "hiaton sweep %s", word);
        argv[1] = name;
        return commands[i].run(argc - 1, argv + 1);
    }
    const char *near = lib_text_nearest(word, COMMAND_COUNT, command_name, NULL);
    size_t length = strlen(word);
    bool is_file = length > 5 && strcmp(word + length - 5, ".yaml") == 0;
    if (is_file)
        sim_options_wrong(argv[0], "there is no command `%s`; did you mean `run %s`?",
                          word, word);
    sim_options_wrong(argv[0], "there is no command `%s`%s%s%s", word,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}
