#include "config.h"

#include <string.h>

#include "sim/compare/comparison.h"
#include "sim/session/record.h"
#include "traces/results/export.h"
#include "sim/experiment/columns.h"

static const struct sim_image *image_of(const struct sim_comparison *c,
                                        enum sim_side side, struct lib_arena *arena)
{
    struct sim_config config;
    sim_settle(&c->experiment, &c->runs.list.items[side], arena, &config);
    return config.image;
}

static void write_digests(const struct sim_comparison *c, struct lib_json *json)
{
    struct lib_arena *arena = lib_arena_new();
    lib_json_open(json, "image_digest", '{');
    for (enum sim_side s = 0; s <= SIM_SIDE_EXPANDING; s++) {
        struct lib_text text = {0};
        isa_digest_write(image_of(c, s, arena)->digest, &text);
        lib_json_string(json, sim_strategy_names[s], text.bytes);
        lib_text_free(&text);
    }
    lib_json_close(json);
    lib_arena_free(arena);
}

/* The outcome of a run: its status, and every statistic. */
static void write_side(const struct sim_comparison *c, size_t row, enum sim_side side,
                       const char *key, struct lib_arena *arena, struct lib_json *json)
{
    const struct sim_outcome *outcome = sim_comparison_outcome(c, row, side);
    const struct traces_columns *columns = &c->experiment.columns;
    lib_json_open(json, key, '{');
    for (size_t i = 0; i < columns->list.count; i++) {
        const struct traces_column *column = &columns->list.items[i];
        if (column->kind != TRACES_COLUMN_STATISTIC &&
            column->kind != TRACES_COLUMN_OUTCOME)
            continue;
        if (column->fact == SIM_FACT_WINDOW_FROM || column->fact == SIM_FACT_WINDOW_TO)
            continue; /* whole runs are compared */
        struct traces_cell cell = sim_outcome_cell(outcome, column, arena);
        traces_export_cell(json, column->name, &cell);
    }
    const char *recording = sim_comparison_file(c, c->files.record.path, row, side,
                                                arena);
    const char *events = sim_comparison_file(c, c->files.trace, row, side, arena);
    if (recording)
        lib_json_string(json, "recording", recording);
    if (events)
        lib_json_string(json, "events", events);
    lib_json_close(json);
}

static void write_speedup(const struct sim_comparison *c, size_t row, enum sim_side side,
                          const char *key, struct lib_json *json)
{
    struct traces_cell speedup = traces_cell_real(sim_comparison_speedup(c, row, side));
    traces_export_cell(json, key, &speedup);
}

/* Of copy.placement: the part of a side's key behind the point. */
static const char *placement_of(const struct sim_comparison *c, enum sim_side side)
{
    return strchr(c->keys[side], '.') + 1;
}

/* Expanding with both placements: they are keys of `speedup` and of `expanding`. */
static void write_placements(const struct sim_comparison *c, size_t row,
                             struct lib_arena *arena, struct lib_json *json)
{
    lib_json_open(json, "speedup", '{');
    for (enum sim_side s = SIM_SIDE_EXPANDING; s < c->side_count; s++)
        write_speedup(c, row, s, placement_of(c, s), json);
    lib_json_close(json);
    write_side(c, row, SIM_SIDE_STATIC, c->keys[SIM_SIDE_STATIC], arena, json);
    lib_json_open(json, sim_strategy_names[SIM_SIDE_EXPANDING], '{');
    for (enum sim_side s = SIM_SIDE_EXPANDING; s < c->side_count; s++)
        write_side(c, row, s, placement_of(c, s), arena, json);
    lib_json_close(json);
}

static void write_row(const struct sim_comparison *c, size_t row, struct lib_json *json)
{
    struct lib_arena *arena = lib_arena_new();
    bool agree = sim_comparison_agrees(c, row);
    lib_json_open(json, NULL, '{');
    lib_json_open_line(json, "inputs", '{');
    for (size_t i = 0; i < c->input_count; i++) {
        struct traces_cell cell = sim_comparison_input(c, row, i, arena);
        traces_export_cell(json, c->inputs[i]->input, &cell);
    }
    lib_json_close(json);
    struct traces_cell result = traces_cell_text(
        agree ? lib_text_get(&sim_comparison_outcome(c, row, SIM_SIDE_STATIC)->result)
              : NULL);
    traces_export_cell(json, "result", &result);
    lib_json_bool(json, "agree", agree);
    if (c->side_count == SIM_SIDE_MAX) {
        write_placements(c, row, arena, json);
    } else {
        write_speedup(c, row, SIM_SIDE_EXPANDING, "speedup", json);
        for (enum sim_side s = 0; s < c->side_count; s++)
            write_side(c, row, s, c->keys[s], arena, json);
    }
    lib_json_close(json);
    lib_arena_free(arena);
}

void sim_comparison_write_json(const struct sim_comparison *comparison,
                               struct lib_text *out)
{
    const struct sim_setup *setup = &comparison->experiment.machines.items[0].setup;
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "program",
                    sim_program_stem(&comparison->experiment.programs.items[0].program));
    lib_json_string(&json, "machine", setup->machine);
    lib_json_uint(&json, "seed", comparison->seed);
    lib_json_string(&json, "version", PACKAGE_VERSION);
    sim_record_write_settings(setup, &json);
    write_digests(comparison, &json);
    lib_json_open(&json, "rows", '[');
    for (size_t row = 0; row < comparison->row_count; row++)
        write_row(comparison, row, &json);
    lib_json_close(&json);
    lib_json_close(&json);
}
