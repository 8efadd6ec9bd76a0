#include "sim/commands/cmd_sweep.h"

#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "sim/cli/dispatch.h"
#include "sim/commands/commands.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/walk.h"

static bool read_number(const char **p, unsigned *number)
{
    const char *start = *p;
    for (*number = 0; **p >= '0' && **p <= '9' && *number < 1000000; ++*p)
        *number = *number * 10 + (unsigned)(**p - '0');
    return *p > start;
}

bool sim_shard_take(void *place, const char *text, struct lib_text *why)
{
    struct sim_shard shard;
    const char *p = text;
    const bool good = read_number(&p, &shard.index) && *p++ == '/' &&
                      read_number(&p, &shard.count) && !*p && shard.index >= 1 &&
                      shard.index <= shard.count;
    if (good)
        *(struct sim_shard *)place = shard;
    else
        lib_text_printf(why, "expected I/N with I from 1 to N, found `%s`", text);
    return good;
}

bool sim_selection_has(const struct sim_selection *selection, size_t number)
{
    const struct sim_shard shard = selection->shard;
    return (!shard.count || (number - 1) % shard.count == shard.index - 1) &&
           (!selection->wanted || selection->wanted[number - 1]);
}

void sim_sweep_choice_free(struct sim_sweep_choice *choice)
{
    LIB_VEC_FREE(&choice->sets, &choice->inputs);
    lib_text_free(&choice->optimise);
}

bool sim_sweep_take_optimise(void *place, const char *text, struct lib_text *why)
{
    struct sim_sweep_choice *choice = place;
    return sim_optimise_take(&choice->sets, &choice->optimise, text, why);
}

/* Run whose condition is evaluated. */
struct asked {
    const struct sim_config *config;
    size_t number;
    struct lib_arena *arena;
};

static struct traces_cell cell_of(const struct traces_column *column, const void *context)
{
    const struct asked *asked = context;
    if (column->fact == SIM_FACT_NUMBER)
        return traces_cell_int((int64_t)asked->number);
    return sim_config_cell(asked->config, column, asked->arena);
}

/* Marks the runs for which the condition holds. Returns their number. */
static size_t mark(struct sim_sweep *sweep, const struct analysis_condition *condition)
{
    struct sim_walk *walk = sim_walk_new(&sweep->experiment);
    struct lib_arena *arena = lib_arena_new();
    size_t count = 0;
    sweep->wanted = lib_mem_new(sweep->runs.list.count * sizeof *sweep->wanted);
    for (size_t i = 0; i < sweep->runs.list.count; i++) {
        const struct asked asked = {sim_walk_to_run(walk, &sweep->runs.list.items[i]),
                                    i + 1, arena};
        sweep->wanted[i] = analysis_condition_holds(condition, cell_of, &asked);
        count += sweep->wanted[i];
        lib_arena_clear(arena);
    }
    lib_arena_free(arena);
    sim_walk_free(walk);
    return count;
}

/* Applies --only: a condition on what is known of a run in advance. */
static bool choose(struct sim_sweep *sweep, const char *only, struct lib_diags *diags)
{
    const struct analysis_names names = {
        .columns = &sweep->experiment.columns,
        .kinds = 1 << TRACES_COLUMN_LABEL | 1 << TRACES_COLUMN_SETTING |
                 1 << TRACES_COLUMN_INPUT,
    };
    struct lib_source *source = LIB_ARENA_NEW(sweep->arena, struct lib_source);
    *source = (struct lib_source){"--only", only, strlen(only)};
    const struct analysis_condition *condition = analysis_condition_read(
        sweep->arena, &names, only, source, (struct lib_pos){1, 1, 1}, diags);
    if (condition && mark(sweep, condition) > 0)
        return true;
    if (condition)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "--only: the condition holds for none of %zu runs",
                       sweep->runs.list.count);
    return false;
}

enum sim_status sim_sweep_open(struct sim_sweep *sweep, const char *path,
                               const struct sim_sweep_choice *choice,
                               const struct sim_printer *printer)
{
    static const struct sim_sweep_choice nothing;
    const struct sim_sweep_choice *c = choice ? choice : &nothing;
    const struct sim_overrides overrides = {c->sets.items, c->sets.count, c->inputs.items,
                                            c->inputs.count};
    struct lib_diags diags = {0};
    *sweep = (struct sim_sweep){.arena = lib_arena_new(), .selection.shard = c->shard};
    const struct lib_source *source = lib_file_read_as(sweep->arena, path,
                                                       "the experiment", &diags);
    bool good = source &&
                sim_experiment_read(&sweep->experiment, source, &overrides, &diags) &&
                sim_expand(&sweep->experiment, &sweep->runs, &diags) &&
                (!c->only || choose(sweep, c->only, &diags));
    sweep->selection.wanted = sweep->wanted;
    enum sim_status status = sim_tell(printer, &diags);
    return good ? SIM_DONE : status;
}

void sim_sweep_close(struct sim_sweep *sweep)
{
    sim_runs_free(&sweep->runs);
    sim_experiment_free(&sweep->experiment);
    lib_mem_free(sweep->wanted);
    lib_arena_free(sweep->arena);
}

static const struct sim_command commands[] = {
    {"run", sim_sweep_run, "run an experiment; what is there already is not run again",
     NULL},
    {"list", sim_sweep_list, "print the runs of an experiment", NULL},
    {"merge", sim_sweep_merge, "put the results of shards together", NULL},
    {"emit", sim_sweep_emit, "print the shards as work for Slurm, make or GNU parallel",
     NULL},
    {"keys", sim_sweep_keys, "list the keys of experiments", NULL},
};

/* Suggests a command for an experiment or a program in its place. */
static char *meant(const char *word)
{
    struct lib_text text = {0};
    size_t length = strlen(word);
    if (length > 5 && strcmp(word + length - 5, ".yaml") == 0)
        lib_text_printf(&text, "; did you mean `run %s`?", word);
    else if (access(word, F_OK) == 0)
        lib_text_printf(&text,
                        "; `hiaton sweep run` takes an experiment, a YAML file with "
                        "`program: %s` and what varies, as `grid: {pe.count: [1, 4]}`",
                        word);
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
