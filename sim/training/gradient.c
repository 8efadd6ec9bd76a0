#include "sim/training/gradient.h"

#include "lib/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sim_gradient_free(struct sim_gradient *gradient)
{
    LIB_VEC_FREE(&gradient->pieces);
    lib_mem_free(gradient->values);
}

void sim_gradient_clear(struct sim_gradient *gradient)
{
    gradient->pieces.count = gradient->count = 0;
}

void sim_gradient_add(struct sim_gradient *g, size_t place, size_t count,
                      const double *values)
{
    if (count == 0)
        return;
    *LIB_VEC_PUSH(&g->pieces) = (struct sim_piece){place, count, g->count};
    if (g->capacity - g->count < count) {
        const size_t more = g->capacity + g->capacity / 2, least = g->count + count;
        g->capacity = more > least ? more : least;
        g->values = lib_mem_resize(g->values, g->capacity * sizeof *g->values);
    }
    memcpy(g->values + g->count, values, count * sizeof *values);
    g->count += count;
}

/* --- sums ------------------------------------------------------------------------------- */

struct part {
    size_t place, order, count;
    const double *values;
};

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return LIB_ORDER(x->place, y->place) ?: LIB_ORDER(x->order, y->order);
}

/* Adds a piece for each place: the sum of its parts, in order. */
static void add_parts(struct sim_gradient *g, struct part *parts, size_t count)
{
    qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i == 0 || parts[i].place != parts[first].place) {
            first = i;
            sim_gradient_add(g, parts[i].place, parts[i].count, parts[i].values);
            continue;
        }
        double *sum = g->values + g->count - parts[i].count;
        for (size_t k = 0; k < parts[i].count; k++)
            sum[k] += parts[i].values[k];
    }
}

void sim_gradient_add_rows(struct sim_gradient *g, size_t place,
                           const struct sim_given_rows *rows)
{
    const size_t all = rows->table ? rows->table_rows : 0, from = g->count;
    struct part *parts = lib_mem_new((all + rows->count + 1) * sizeof *parts);
    for (size_t i = 0; i < all; i++)
        parts[i] = (struct part){place + i * rows->width, i, rows->width,
                                 rows->table + i * rows->width};
    for (size_t i = 0; i < rows->count; i++)
        parts[all + i] = (struct part){place + (size_t)rows->places[i] * rows->width,
                                       all + i, rows->width,
                                       rows->values + i * rows->width};
    add_parts(g, parts, all + rows->count);
    for (size_t i = from; !rows->table && i < g->count; i++)
        g->values[i] += 0.0; /* as if added to zeros: -0.0 becomes 0.0 */
    lib_mem_free(parts);
}

void sim_gradient_sum(struct sim_gradient *sum, const struct sim_gradient *const *all,
                      size_t count)
{
    size_t pieces = 0, at = 0;
    for (size_t k = 0; k < count; k++)
        pieces += all[k]->pieces.count;
    struct part *parts = lib_mem_new((pieces + 1) * sizeof *parts);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < all[k]->pieces.count; i++) {
            const struct sim_piece *piece = &all[k]->pieces.items[i];
            parts[at++] = (struct part){piece->place, k, piece->count,
                                        all[k]->values + piece->from};
        }
    sim_gradient_clear(sum);
    add_parts(sum, parts, pieces);
    lib_mem_free(parts);
}

void sim_gradient_divide(struct sim_gradient *gradient, double by)
{
    for (size_t i = 0; i < gradient->count; i++)
        gradient->values[i] /= by;
}

/* --- elements ----------------------------------------------------------------------------- */

double sim_gradient_at(const struct sim_gradient *gradient, size_t place)
{
    for (size_t i = 0; i < gradient->pieces.count; i++) {
        const struct sim_piece *piece = &gradient->pieces.items[i];
        if (place >= piece->place && place - piece->place < piece->count)
            return gradient->values[piece->from + place - piece->place];
    }
    return 0;
}

size_t sim_gradient_find_not_finite(const struct sim_gradient *gradient, size_t size)
{
    for (size_t i = 0; i < gradient->pieces.count; i++) {
        const struct sim_piece *piece = &gradient->pieces.items[i];
        for (size_t k = 0; k < piece->count; k++)
            if (!isfinite(gradient->values[piece->from + k]))
                return piece->place + k;
    }
    return size;
}

double sim_gradient_clip(struct sim_gradient *gradient, double limit)
{
    /* divided by the greatest first, as the square of a finite number may be infinite or 0 */
    double *values = gradient->values, greatest = 0, sum = 0;
    for (size_t i = 0; i < gradient->count; i++)
        greatest = fabs(values[i]) > greatest ? fabs(values[i]) : greatest;
    if (greatest == 0)
        return 0;
    for (size_t i = 0; i < gradient->count; i++) {
        const double part = values[i] / greatest;
        sum += part * part;
    }
    const double root = sqrt(sum), norm = greatest * root;
    if (limit > 0 && norm > limit)
        for (size_t i = 0; i < gradient->count; i++)
            values[i] = values[i] / greatest * (limit / root);
    return norm;
}
