#include "sim/commands/listing.h"

#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/experiment/walk.h"

enum { PIECE_BYTES = 1 << 16 };

struct shown {
    const struct traces_column *column;
    size_t width; /* of the widest cell */
};

struct listing {
    const struct sim_experiment *experiment;
    const struct sim_runs *runs;
    const struct sim_selection *selection;
    LIB_VEC(struct shown) shown;
    struct lib_arena *arena; /* for the cells of one run */
};

static bool differs(const struct sim_experiment *x, const struct traces_column *c,
                    enum sim_listing_detail detail)
{
    if (c->fact == SIM_FACT_NUMBER)
        return true;
    if (c->fact == SIM_FACT_REPETITION)
        return x->repetitions > 1;
    if (detail == SIM_LISTING_LONG &&
        (c->fact == SIM_FACT_SEED || c->fact == SIM_FACT_IDENTITY))
        return true;
    for (size_t i = 0; i < x->params.count; i++)
        if (strcmp(x->params.items[i].name, c->name) == 0 &&
            (x->params.items[i].values.list.count > 1 ||
             x->params.items[i].kind == SIM_PARAM_PROGRAM))
            return true;
    for (size_t i = 0; i < x->own.count; i++)
        if (strcmp(x->own.items[i].name, c->name) == 0)
            return true;
    return false;
}

static void write_column(const struct listing *l, const struct traces_column *column,
                         size_t number, const struct sim_config *config,
                         struct lib_text *out)
{
    struct traces_cell cell = column->fact == SIM_FACT_NUMBER
                                  ? traces_cell_int((int64_t)number)
                                  : sim_config_cell(config, column, l->arena);
    if (cell.type == TRACES_CELL_NULL)
        lib_text_puts(out, "-");
    traces_cell_write(&cell, out);
}

/* Two passes over the runs avoid a table in memory. */
static void measure(struct listing *l)
{
    struct sim_walk *walk = sim_walk_new(l->experiment);
    LIB_TEXT_OWN text = {0};
    for (size_t i = 0; i < l->shown.count; i++)
        l->shown.items[i].width = strlen(l->shown.items[i].column->name);
    for (size_t i = 0; i < l->runs->list.count; i++) {
        if (!sim_selection_has(l->selection, i + 1))
            continue;
        const struct sim_config *config = sim_walk_to_run(walk, &l->runs->list.items[i]);
        for (size_t c = 0; c < l->shown.count; c++) {
            lib_text_clear(&text);
            write_column(l, l->shown.items[c].column, i + 1, config, &text);
            if (text.length > l->shown.items[c].width)
                l->shown.items[c].width = text.length;
        }
        lib_arena_clear(l->arena);
    }
    sim_walk_free(walk);
}

/* Adds a cell, aligned at the right. */
static void add(const struct listing *l, size_t c, const struct lib_text *text,
                struct lib_text *out)
{
    for (size_t i = text->length; i < l->shown.items[c].width; i++)
        lib_text_add(out, " ", 1);
    lib_text_add(out, text->bytes, text->length);
    lib_text_puts(out, c + 1 == l->shown.count ? "\n" : "  ");
}

static void write_table(const struct listing *l,
                        void (*put)(const struct lib_text *piece, void *context),
                        void *context)
{
    struct sim_walk *walk = sim_walk_new(l->experiment);
    LIB_TEXT_OWN text = {0}, piece = {0};
    for (size_t c = 0; c < l->shown.count; c++) {
        lib_text_clear(&text);
        lib_text_puts(&text, l->shown.items[c].column->name);
        add(l, c, &text, &piece);
    }
    for (size_t i = 0; i < l->runs->list.count; i++) {
        if (!sim_selection_has(l->selection, i + 1))
            continue;
        const struct sim_config *config = sim_walk_to_run(walk, &l->runs->list.items[i]);
        for (size_t c = 0; c < l->shown.count; c++) {
            lib_text_clear(&text);
            write_column(l, l->shown.items[c].column, i + 1, config, &text);
            add(l, c, &text, &piece);
        }
        lib_arena_clear(l->arena);
        if (piece.length >= PIECE_BYTES) {
            put(&piece, context);
            lib_text_clear(&piece);
        }
    }
    put(&piece, context);
    sim_walk_free(walk);
}

void sim_listing_write(const struct sim_experiment *experiment,
                       const struct sim_runs *runs, const struct sim_selection *selection,
                       enum sim_listing_detail detail,
                       void (*put)(const struct lib_text *piece, void *context),
                       void *context)
{
    struct listing l = {experiment, runs, selection, {0}, lib_arena_new()};
    for (size_t c = 0; c < experiment->columns.list.count; c++)
        if (differs(experiment, &experiment->columns.list.items[c], detail))
            *LIB_VEC_PUSH(&l.shown) = (struct shown){
                .column = &experiment->columns.list.items[c]};
    measure(&l);
    write_table(&l, put, context);
    LIB_VEC_FREE(&l.shown);
    lib_arena_free(l.arena);
}
