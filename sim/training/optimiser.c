#include "sim/training/optimiser.h"

#include <math.h>

const char *const sim_methods[SIM_METHOD_COUNT] = {"sgd", "adam"};
const char *const sim_rows_names[SIM_ROWS_COUNT] = {"all", "touched"};

static const double forgets1 = 0.9, forgets2 = 0.999, epsilon = 1e-8;

struct sim_optimiser sim_optimiser_new(enum sim_method method, double momentum,
                                       double decay, size_t size)
{
    struct sim_optimiser o = {.method = method,
                              .momentum = momentum,
                              .decay = decay,
                              .size = size,
                              .beta1 = 1.0,
                              .beta2 = 1.0};
    if (method == SIM_METHOD_ADAM || momentum > 0)
        o.first = lib_mem_new(size * sizeof(double));
    if (method == SIM_METHOD_ADAM)
        o.second = lib_mem_new(size * sizeof(double));
    return o;
}

void sim_optimiser_free(struct sim_optimiser *optimiser)
{
    LIB_MEM_FREE(optimiser->first, optimiser->second);
}

/* Changes the params `from` to `end` - 1 by their gradient; NULL: zeros. */
static void step_adam(struct sim_optimiser *o, double rate, double *params,
                      const double *gradient, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        const double g = gradient ? gradient[i - from] : 0;
        o->first[i] = forgets1 * o->first[i] + (1.0 - forgets1) * g;
        o->second[i] = forgets2 * o->second[i] + (1.0 - forgets2) * (g * g);
        const double first = o->first[i] / (1.0 - o->beta1);
        const double second = o->second[i] / (1.0 - o->beta2);
        if (o->decay > 0)
            params[i] -= rate * o->decay * params[i];
        params[i] -= rate * first / (sqrt(second) + epsilon);
    }
}

static void step_sgd(struct sim_optimiser *o, double rate, double *params,
                     const double *gradient, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        double by = gradient ? gradient[i - from] : 0;
        if (o->decay > 0)
            by += o->decay * params[i];
        if (o->momentum > 0)
            by = o->first[i] = o->momentum * o->first[i] + by;
        params[i] -= rate * by;
    }
}

static void step_range(struct sim_optimiser *o, double rate, double *params,
                       const double *gradient, size_t from, size_t end)
{
    if (o->method == SIM_METHOD_ADAM)
        step_adam(o, rate, params, gradient, from, end);
    else
        step_sgd(o, rate, params, gradient, from, end);
}

static bool is_touched(const double *gradient, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (gradient[i] != 0)
            return true;
    return false;
}

static void step_piece(struct sim_optimiser *o, double rate, double *params,
                       const struct sim_gradient *g, const struct sim_piece *piece,
                       const struct sim_table *table)
{
    const double *gradient = g->values + piece->from;
    const size_t width = table->rows ? table->width : piece->count;
    for (size_t i = 0; i < piece->count; i += width)
        if (!table->rows || is_touched(gradient + i, width))
            step_range(o, rate, params, gradient + i, piece->place + i,
                       piece->place + i + width);
}

/* Changes the param at `at`; *next is the first piece not before it. */
static void step_table(struct sim_optimiser *o, double rate, double *params,
                       const struct sim_gradient *g, const struct sim_table *table,
                       size_t at, size_t *next)
{
    const bool zeros_change = table->rows == 0 && (o->method == SIM_METHOD_ADAM ||
                                                   o->momentum > 0 || o->decay > 0);
    const size_t end = at + table->width * (table->rows ? table->rows : 1);
    while (at < end) {
        const struct sim_piece *piece = *next < g->pieces.count ? &g->pieces.items[*next]
                                                                : NULL;
        const size_t stop = piece && piece->place < end ? piece->place : end;
        if (stop > at) {
            if (zeros_change)
                step_range(o, rate, params, NULL, at, stop);
            at = stop;
            continue;
        }
        step_piece(o, rate, params, g, piece, table);
        at += piece->count;
        ++*next;
    }
}

void sim_optimiser_step(struct sim_optimiser *o, double rate, double *params,
                        const struct sim_gradient *gradient,
                        const struct sim_table *tables, size_t count)
{
    const struct sim_table all = {.rows = 0, .width = o->size};
    if (o->method == SIM_METHOD_ADAM) {
        o->beta1 *= forgets1;
        o->beta2 *= forgets2;
    }
    size_t next = 0;
    if (!tables)
        step_table(o, rate, params, gradient, &all, 0, &next);
    for (size_t at = 0, k = 0; tables && k < count; k++) {
        step_table(o, rate, params, gradient, &tables[k], at, &next);
        at += tables[k].width * (tables[k].rows ? tables[k].rows : 1);
    }
}

size_t sim_optimiser_find_overflow(const struct sim_optimiser *o)
{
    size_t i = 0;
    if (o->method != SIM_METHOD_ADAM)
        return o->size;
    while (i < o->size && isfinite(o->second[i] / (1.0 - o->beta2)))
        i++;
    return i;
}

void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *o)
{
    LIB_PACK(pack, o->beta1, o->beta2);
    if (o->first)
        lib_pack_bytes(pack, o->first, o->size * sizeof(double));
    if (o->second)
        lib_pack_bytes(pack, o->second, o->size * sizeof(double));
}
