#include "sim/training/training.h"

#include <inttypes.h>
#include <math.h>

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

static void add_number(struct lib_text *out, double number)
{
    lib_text_puts(out, ",");
    if (!isnan(number))
        lib_text_real(out, number);
}

static void add_row(struct lib_text *out, uint64_t step, uint64_t epoch,
                    const struct sim_training_row *row)
{
    lib_text_printf(out, "%" PRIu64 ",%" PRIu64, step, epoch);
    add_number(out, row->loss);
    add_number(out, row->held_loss);
    add_number(out, row->held_right);
    add_number(out, row->rate);
    add_number(out, row->norm);
    lib_text_puts(out, "\n");
}

static void add_head(struct lib_text *out)
{
    lib_text_puts(out, "step,epoch,loss,held_loss,held_accuracy,rate,gradient_norm\n");
}

void sim_training_write_steps(const struct sim_training *t, struct lib_text *out)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t);
    add_head(out);
    for (size_t i = 0; i < t->rows.count; i++)
        add_row(out, i + 1, i / per_epoch + 1, &t->rows.items[i]);
}

void sim_training_write_epochs(const struct sim_training *t, struct lib_text *out)
{
    add_head(out);
    for (uint64_t e = 0; e < sim_training_epochs(t); e++) {
        uint64_t end;
        const struct sim_training_row row = sim_training_epoch(t, e, &end);
        add_row(out, end, e + 1, &row);
    }
}
