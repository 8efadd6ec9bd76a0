/* hiaton sweep list: the runs of an experiment, without running them. */
#include "sim/sweep.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_SHARD = 0x300 };

static const struct argp_option own_options[] = {
    SIM_SHARD_OPTION(KEY_SHARD),
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    if (key != KEY_SHARD)
        return ARGP_ERR_UNKNOWN;
    *(struct sim_shard *)context = sim_shard_parse(text, state->name);
    return 0;
}

static const struct sim_usage usage = {
    .takes = 0,
    .arguments = "EXPERIMENT.yaml",
    .help = "Check an experiment and print its runs: their numbers, and what differs."
            "\vWith --verbose also their seeds and identities.",
    .least = 1,
    .most = 1,
    .missing = "EXPERIMENT.yaml",
    .options = own_options,
    .parse = parse,
};

/* A table: cells row by row, the names of columns first. */
struct table {
    size_t width;
    LIB_VEC(char *) cells; /* owned */
};

static void add_cell(struct table *table, const struct sim_cell *cell)
{
    struct lib_text text = {0};
    if (cell->type == SIM_CELL_INT)
        lib_text_printf(&text, "%" PRId64, cell->integer);
    else if (cell->type == SIM_CELL_REAL)
        lib_text_real(&text, cell->real);
    else if (cell->type == SIM_CELL_BOOL)
        lib_text_puts(&text, cell->integer ? "true" : "false");
    else
        lib_text_puts(&text, cell->type == SIM_CELL_TEXT ? cell->text : "-");
    *LIB_VEC_PUSH(&table->cells) = text.bytes;
}

static void write_table(const struct table *table, struct lib_text *out)
{
    size_t *widths = lib_mem_new(table->width * sizeof *widths);
    for (size_t i = 0; i < table->cells.count; i++) {
        size_t length = strlen(table->cells.items[i]);
        if (length > widths[i % table->width])
            widths[i % table->width] = length;
    }
    for (size_t i = 0; i < table->cells.count; i++) {
        bool last = i % table->width == table->width - 1;
        lib_text_printf(out, "%*s%s", (int)widths[i % table->width],
                        table->cells.items[i], last ? "\n" : "  ");
    }
    lib_mem_free(widths);
}

static void free_table(struct table *table)
{
    for (size_t i = 0; i < table->cells.count; i++)
        lib_mem_free(table->cells.items[i]);
    LIB_VEC_FREE(&table->cells);
}

/* Whether a column tells runs of the experiment apart. */
static bool differs(const struct sim_experiment *x, const struct sim_column *c,
                    bool verbose)
{
    if (c->fact == SIM_FACT_REPETITION)
        return x->repetitions > 1;
    if (verbose && (c->fact == SIM_FACT_SEED || c->fact == SIM_FACT_IDENTITY))
        return true;
    for (size_t i = 0; i < x->params.count; i++)
        if (strcmp(x->params.items[i].name, c->name) == 0)
            return x->params.items[i].values.list.count > 1 ||
                   x->params.items[i].kind == SIM_PARAM_PROGRAM;
    return false;
}

static void fill(struct table *table, const struct sim_sweep *sweep,
                 struct sim_shard shard, bool verbose)
{
    const struct sim_experiment *x = &sweep->experiment;
    const struct sim_column *columns = x->columns.list.items;
    struct sim_cell name = sim_cell_text("number");
    add_cell(table, &name);
    for (size_t c = 0; c < x->columns.list.count; c++) {
        name.text = columns[c].name;
        if (differs(x, &columns[c], verbose))
            add_cell(table, &name);
    }
    table->width = table->cells.count;
    for (size_t i = 0; i < sweep->runs.list.count; i++) {
        if (!sim_shard_has(shard, i + 1))
            continue;
        struct lib_arena *arena = lib_arena_new();
        struct sim_config config;
        struct sim_cell cell = sim_cell_int((int64_t)i + 1);
        add_cell(table, &cell);
        sim_settle(x, &sweep->runs.list.items[i], arena, &config);
        for (size_t c = 0; c < x->columns.list.count; c++) {
            if (!differs(x, &columns[c], verbose))
                continue;
            cell = sim_config_cell(&config, &columns[c], arena);
            add_cell(table, &cell);
        }
        lib_arena_free(arena);
    }
}

int sim_sweep_list(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_shard shard = {0};
    struct sim_sweep sweep;
    sim_options_parse(&options, &usage, &shard, argc, argv);
    enum sim_status status = sim_sweep_open(&sweep, options.arguments[0], &options.voice);
    if (status == SIM_DONE) {
        struct table table = {0};
        struct lib_text text = {0};
        fill(&table, &sweep, shard, options.voice.verbose);
        write_table(&table, &text);
        status = sim_put(&options.voice, NULL, &text);
        lib_text_free(&text);
        free_table(&table);
    }
    sim_sweep_close(&sweep);
    sim_options_free(&options);
    return status;
}
