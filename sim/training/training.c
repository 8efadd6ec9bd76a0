#include "sim/training/training.h"

#include "lib/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

static const struct lib_pos nowhere;

uint64_t sim_training_examples(const struct sim_training *t)
{
    return t->model->examples - t->options.held;
}

uint64_t sim_training_epoch_steps(const struct sim_training *t)
{
    return (sim_training_examples(t) - 1) / t->options.batch + 1;
}

static uint64_t count_samples(const struct sim_training *t, uint64_t count)
{
    return t->model->is_batched ? 1 : count;
}

static bool check_options(const struct sim_model *model,
                          const struct sim_training_options *o, struct lib_diags *diags)
{
    if (o->held >= model->examples) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--held: expected fewer than the %" PRIu64
                       " examples that there are, found %" PRIu64,
                       model->examples, o->held);
        return false;
    }
    return true;
}

static struct sim_table *new_tables(const struct sim_model *model)
{
    const size_t count = model->says.param_count;
    struct sim_table *tables = lib_mem_new((count + 1) * sizeof *tables);
    for (size_t i = 0; i < count; i++) {
        const struct isa_tensor *param = model->shapes[i];
        const bool has_rows = param->shape.rank > 1 && param->count > 0;
        tables[i].rows = has_rows ? (size_t)param->shape.extents[0] : 0;
        tables[i].width = (size_t)param->count / (has_rows ? tables[i].rows : 1);
    }
    return tables;
}

bool sim_training_start(struct sim_training *t, struct sim_model *model,
                        const struct sim_training_options *options,
                        struct lib_diags *diags)
{
    *t = (struct sim_training){.model = model, .options = *options};
    if (!check_options(model, options, diags))
        return false;
    t->options.form = model->is_batched ? SIM_BATCH_LOSSES : SIM_BATCH_LOSS;
    const uint64_t examples = sim_training_examples(t);
    if (t->options.batch > examples)
        t->options.batch = examples;
    t->optimiser = sim_optimiser_new(options->method, options->momentum, options->decay,
                                     model->size);
    t->schedule = sim_schedule_new(options);
    t->last = options->epochs * sim_training_epoch_steps(t);
    if (options->steps && (!options->epochs || options->steps < t->last))
        t->last = options->steps;
    const uint64_t most = t->options.batch > options->held ? t->options.batch
                                                           : options->held;
    t->order = lib_mem_new((model->examples + 1) * sizeof *t->order);
    t->sample_count = (size_t)most;
    t->samples = lib_mem_new((most + 1) * sizeof *t->samples);
    t->moved = lib_mem_new((model->says.param_count + 1) * sizeof *t->moved);
    if (options->rows == SIM_ROWS_TOUCHED)
        t->tables = new_tables(model);
    return true;
}

void sim_training_free(struct sim_training *t)
{
    sim_optimiser_free(&t->optimiser);
    LIB_VEC_FREE(&t->rows);
    lib_mem_free(t->order);
    for (size_t k = 0; k < t->sample_count; k++)
        sim_gradient_free(&t->samples[k].gradient);
    lib_mem_free(t->samples);
    sim_gradient_free(&t->sum);
    LIB_MEM_FREE(t->tables, t->moved);
    lib_text_free(&t->before);
}

/* --- values that are not finite ----------------------------------------------------- */

/* Adds an error: `what` is NaN or infinite. */
static bool __attribute__((format(printf, 4, 5)))
reject(const struct sim_training *t, double value, struct lib_diags *diags,
       const char *what, ...)
{
    LIB_TEXT_OWN text = {0};
    va_list arguments;
    va_start(arguments, what);
    lib_text_vprintf(&text, what, arguments);
    va_end(arguments);
    lib_text_puts(&text, " is ");
    lib_text_real(&text, value);
    lib_diag_error(diags, LIB_DIAG_MEANING, t->model->source, nowhere,
                   "step %" PRIu64 ": %s", t->taken + 1, lib_text_get(&text));
    return false;
}

static size_t find_not_finite(const double *values, size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(values[i]))
        i++;
    return i;
}

static void put_owner(struct lib_text *text, const struct sim_training *t,
                      const uint64_t *examples, uint64_t k)
{
    if (t->model->is_batched)
        lib_text_puts(text, "its batch");
    else
        lib_text_printf(text, "example %" PRIu64, examples[k]);
}

static bool check_samples(const struct sim_training *t, const uint64_t *examples,
                          uint64_t count, struct lib_diags *diags)
{
    const size_t size = t->model->size;
    for (uint64_t k = 0; k < count_samples(t, count); k++) {
        const struct sim_sample *sample = &t->samples[k];
        const size_t at = sim_gradient_find_not_finite(&sample->gradient, size);
        if (isfinite(sample->loss) && at == size)
            continue;
        const bool is_loss = !isfinite(sample->loss);
        const char *what = is_loss ? "loss" : "gradient";
        LIB_TEXT_OWN whose = {0}, by = {0};
        put_owner(&whose, t, examples, k);
        if (!is_loss)
            lib_text_printf(&by, " by `%s`", sim_model_param_of(t->model, at));
        reject(t, is_loss ? sample->loss : sim_gradient_at(&sample->gradient, at), diags,
               "the %s of %s%s", what, whose.bytes, lib_text_get(&by));
        return false;
    }
    return true;
}

/* Adam's second moments may overflow although gradients and params are finite. Names the example
 * with the greatest gradient. */
static bool check_moments(const struct sim_training *t, const uint64_t *examples,
                          uint64_t count, struct lib_diags *diags)
{
    const size_t at = sim_optimiser_find_overflow(&t->optimiser);
    uint64_t greatest = 0;
    double by = 0;
    if (at == t->model->size)
        return true;
    for (uint64_t k = 0; k < count_samples(t, count); k++) {
        const double own = sim_gradient_at(&t->samples[k].gradient, at);
        if (k == 0 || fabs(own) > fabs(by)) {
            greatest = k;
            by = own;
        }
    }
    LIB_TEXT_OWN text = {0}, whose = {0};
    lib_text_real(&text, by);
    put_owner(&whose, t, examples, greatest);
    reject(t, t->optimiser.second[at] / (1.0 - t->optimiser.beta2), diags,
           "the second moment of `%s` after the gradient %s of %s",
           sim_model_param_of(t->model, at), lib_text_get(&text), lib_text_get(&whose));
    return false;
}

static bool check_params(const struct sim_training *t, struct lib_diags *diags)
{
    const double *params = t->model->params;
    const size_t at = find_not_finite(params, t->model->size);
    return at == t->model->size || reject(t, params[at], diags, "`%s` after it",
                                          sim_model_param_of(t->model, at));
}

static void shuffle_examples(struct sim_training *t, uint64_t epoch)
{
    const uint64_t count = sim_training_examples(t);
    lib_random_shuffle(t->options.seed, LIB_RANDOM_EXAMPLE, epoch, t->order, count);
    t->ordered = epoch;
}

static bool judge_held(const struct sim_training *t, struct sim_training_row *row,
                       struct lib_diags *diags)
{
    const uint64_t held = t->options.held, from = sim_training_examples(t);
    uint64_t *examples = lib_mem_new(held * sizeof *examples), right = 0;
    double loss = 0;
    for (uint64_t i = 0; i < held; i++)
        examples[i] = from + i;
    bool good = sim_model_judge(t->model, t->taken + 1, examples, held, t->samples,
                                diags);
    for (uint64_t i = 0; i < held && good; i++) {
        if (!isfinite(t->samples[i].loss))
            good = reject(t, t->samples[i].loss, diags,
                          "the loss of example %" PRIu64 ", held out,", examples[i]);
        loss += t->samples[i].loss;
        right += t->samples[i].is_right;
    }
    row->held_loss = loss / (double)held;
    if (good && !isfinite(row->held_loss))
        good = reject(t, row->held_loss, diags, "the mean loss of examples held out");
    if (t->model->says.has_correct)
        row->held_right = (double)right / (double)held;
    lib_mem_free(examples);
    return good;
}

/* --- params that stay as they are --------------------------------------------------- */

static bool is_zero(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0)
            return false;
    return true;
}

static void note_moved(struct sim_training *t)
{
    const struct sim_gradient *g = &t->sum;
    size_t param = 0,
           end = 0; /* pieces before element `end` are of `param` or earlier ones */
    for (size_t i = 0; i < g->pieces.count; i++) {
        const struct sim_piece *piece = &g->pieces.items[i];
        while (piece->place >= end)
            end += (size_t)t->model->shapes[param++]->count;
        if (!t->moved[param - 1])
            t->moved[param - 1] = !is_zero(&g->values[piece->from], piece->count);
    }
}

void sim_training_warn_still(const struct sim_training *t, struct lib_diags *diags)
{
    for (size_t p = 0; p < t->model->says.param_count && t->taken > 0; p++)
        if (!t->moved[p] && t->model->shapes[p]->count > 0)
            lib_diag_warning(
                diags, LIB_DIAG_MEANING, t->model->source, t->model->says.loss_pos,
                "the gradient by `%s` was 0 in all steps, so training left it "
                "as it was: the loss does not use it, or only in conditions and "
                "where the slope is 0",
                t->model->says.params[p]);
}

/* --- steps -------------------------------------------------------------------------- */

static void descend_gradient(struct sim_training *t, uint64_t count,
                             struct sim_training_row *row)
{
    const uint64_t samples = count_samples(t, count);
    const struct sim_gradient **all = lib_mem_new(samples * sizeof *all);
    for (uint64_t k = 0; k < samples; k++)
        all[k] = &t->samples[k].gradient;
    sim_gradient_sum(&t->sum, all, samples);
    lib_mem_free(all);
    sim_gradient_divide(&t->sum, (double)count);
    row->rate = sim_schedule_rate(&t->schedule, t->taken + 1);
    note_moved(t);
    row->norm = sim_gradient_clip(&t->sum, t->options.clip);
    sim_optimiser_step(&t->optimiser, row->rate, t->model->params, &t->sum, t->tables,
                       t->model->says.param_count);
}

/* Writes or reads what a step changes, except rows. */
static void pack_step(struct lib_pack *p, struct sim_training *t)
{
    lib_pack_bytes(p, t->model->params, t->model->size * sizeof(double));
    sim_optimiser_pack(p, &t->optimiser);
    sim_schedule_pack(p, &t->schedule);
}

static bool take_step(struct sim_training *t, struct sim_training_row *row,
                      struct lib_diags *diags)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t),
                   examples = sim_training_examples(t);
    const uint64_t epoch = t->taken / per_epoch + 1,
                   first = t->taken % per_epoch * t->options.batch;
    const uint64_t count = examples - first < t->options.batch ? examples - first
                                                               : t->options.batch;
    if (t->ordered != epoch)
        shuffle_examples(t, epoch);
    if (!sim_model_learn(t->model, t->taken + 1, t->order + first, count, t->samples,
                         diags) ||
        !check_samples(t, t->order + first, count, diags))
        return false;
    for (uint64_t k = 0; k < count_samples(t, count); k++)
        row->loss += t->samples[k].loss;
    row->loss /= (double)count;
    if (!isfinite(row->loss))
        return reject(t, row->loss, diags, "the mean loss of its examples");
    descend_gradient(t, count, row);
    if (!check_moments(t, t->order + first, count, diags) || !check_params(t, diags))
        return false;
    const uint64_t taken = t->taken + 1;
    const bool ends = taken % per_epoch == 0;
    if (t->options.held == 0 || (!ends && taken < t->last))
        return true;
    if (!judge_held(t, row, diags))
        return false;
    if (ends)
        sim_schedule_judge(&t->schedule, row->held_loss);
    return true;
}

bool sim_training_step(struct sim_training *t, struct lib_diags *diags)
{
    struct sim_training_row row = {.held_loss = NAN, .held_right = NAN};
    struct lib_pack before = lib_pack_writer(&t->before);
    lib_text_clear(&t->before);
    pack_step(&before, t);
    if (!take_step(t, &row, diags)) {
        before = lib_pack_reader(t->before.bytes, t->before.length);
        pack_step(&before, t);
        return false;
    }
    t->taken++;
    *LIB_VEC_PUSH(&t->rows) = row;
    return true;
}

uint64_t sim_training_seen(const struct sim_training *t)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t);
    const uint64_t rest = t->taken % per_epoch * t->options.batch;
    return t->taken / per_epoch * sim_training_examples(t) + rest;
}
