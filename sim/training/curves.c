#include "sim/training/training.h"

#include <string.h>

uint64_t sim_training_epochs(const struct sim_training *t)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t);
    return (t->taken + per_epoch - 1) / per_epoch;
}

struct sim_training_row sim_training_epoch(const struct sim_training *t, uint64_t epoch,
                                           uint64_t *end)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t), first = epoch * per_epoch;
    const uint64_t last = first + per_epoch < t->taken ? first + per_epoch : t->taken;
    struct sim_training_row row = t->rows.items[last - 1];
    row.loss = row.norm = 0;
    for (uint64_t i = first; i < last; i++) {
        row.loss += t->rows.items[i].loss;
        row.norm += t->rows.items[i].norm;
    }
    row.loss /= (double)(last - first);
    row.norm /= (double)(last - first);
    if (end)
        *end = last;
    return row;
}

static void set_cells(const struct sim_training_row *row, uint64_t step, uint64_t epoch,
                      struct lib_value *cells)
{
    const struct lib_value made[] = {
        lib_count(epoch),    lib_count(step),          lib_count(epoch),
        lib_real(row->loss), lib_real(row->held_loss), lib_real(row->held_right),
        lib_real(row->rate), lib_real(row->norm),
    };
    memcpy(cells, made, sizeof made);
}

static void make_step(void *training, size_t i, struct lib_value *cells)
{
    const struct sim_training *t = training;
    set_cells(&t->rows.items[i], i + 1, i / sim_training_epoch_steps(t) + 1, cells);
}

static void make_epoch(void *training, size_t i, struct lib_value *cells)
{
    uint64_t end;
    const struct sim_training_row row = sim_training_epoch(training, i, &end);
    set_cells(&row, end, i + 1, cells);
}

/* Text begins with the epoch and shows only what varies; CSV begins with the step. */
static void add_table(const struct sim_training *t, const char *key, size_t rows,
                      void (*make)(void *, size_t, struct lib_value *),
                      struct lib_findings *f)
{
    const unsigned held = t->options.held > 0 ? 0 : LIB_NOT_IN_TEXT,
                   judged = t->model->says.has_correct ? held : LIB_NOT_IN_TEXT,
                   varies = t->options.warmup || t->options.halve ? 0 : LIB_NOT_IN_TEXT;
    const unsigned hidden[] = {LIB_ONLY_TEXT,
                               LIB_NOT_IN_JSON,
                               LIB_NOT_IN_TEXT | LIB_NOT_IN_JSON,
                               0,
                               held,
                               judged,
                               varies,
                               LIB_NOT_IN_TEXT};
    struct lib_table *table = lib_findings_table(f, key, NULL);
    LIB_TABLE_COLUMNS(table, "epoch", "step", "epoch", "loss", "held_loss",
                      "held_accuracy", "rate", "gradient_norm");
    for (size_t c = 0; c < table->columns.count; c++) {
        table->columns.items[c].hidden = hidden[c];
        table->columns.items[c].style = LIB_STYLE_SHORT;
    }
    table->shows_all = true;
    lib_table_make(f, table, rows, make, (void *)t);
}

void sim_training_add_epochs(const struct sim_training *t, struct lib_findings *f)
{
    add_table(t, "epochs", sim_training_epochs(t), make_epoch, f);
}

void sim_training_add_steps(const struct sim_training *t, struct lib_findings *f)
{
    add_table(t, "steps", t->rows.count, make_step, f);
}
