/* Equations on rows, and along an axis. */
#include "tests/random/generate_tensors_internal.h"

/* Rows of axis 0, chosen in four ways. */
bool trial_gather(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank == 0)
        return false;
    const int way = trial_below(t, 4), length = a->extent[0], size = a->count / length;
    const int first = trial_below(t, length), last = trial_below(t, length);
    int extent[4];
    memcpy(extent, a->extent, sizeof extent);
    extent[0] = way == 1 ? length - first : 2;
    *made = way == 0 ? trial_new_array(t, a->kind, a->rank - 1, a->extent + 1)
                     : trial_new_array(t, a->kind, a->rank, extent);
    const int from[2] = {first, last};
    for (int i = 0; i < made->count; i++)
        made->at[i] = way >= 2 ? a->at[from[i / size] * size + i % size]
                               : a->at[first * size + i];
    if (way == 0)
        lib_text_printf(&t->text, "gather(t%d, %d)", x, first);
    else if (way == 1)
        lib_text_printf(&t->text, "slice(t%d, %d, %d)", x, first, length - first);
    else
        lib_text_printf(&t->text,
                        way == 2 ? "gather(t%d, [%d, %d])"
                                 : "gather(t%d, tensor([%d, %d]))",
                        x, first, last);
    return true;
}

/* Two rows of y, which may be the same one, become or are added to rows of x; or one. */
bool trial_change_rows(struct trial *t, int x, int y, struct array *made)
{
    const struct array *a = &t->made[x], *b = &t->made[y];
    const bool adds = a->kind != BOOLS && trial_below(t, 2),
               is_one = trial_below(t, 3) == 0;
    if (a->rank == 0 || b->rank != a->rank || a->kind != b->kind)
        return false;
    for (int i = 1; i < a->rank; i++)
        if (a->extent[i] != b->extent[i])
            return false;
    const int size = a->count / a->extent[0];
    const int from[2] = {trial_below(t, b->extent[0]), trial_below(t, b->extent[0])};
    const int to[2] = {trial_below(t, a->extent[0]), trial_below(t, a->extent[0])};
    *made = trial_new_array(t, a->kind, a->rank, a->extent);
    memcpy(made->at, a->at, (size_t)a->count * sizeof *a->at);
    for (int k = 0; k < 2 - is_one; k++)
        for (int i = 0; i < size; i++) {
            double *element = &made->at[to[k] * size + i];
            const double row = b->at[from[k] * size + i];
            *element = adds ? *element + row : row;
        }
    for (int i = 0; adds && i < a->count; i++)
        made->at[i] = trial_clamp(made->at[i]);
    const char *name = adds ? "scatter_add" : "update";
    /* A sum is used once, and may be changed in place. */
    lib_text_printf(&t->text, "%s(%s(t%d%s, ", adds ? trial_small(made) : "", name, x,
                    a->kind != BOOLS && trial_below(t, 2) ? " + 0" : "");
    if (is_one)
        lib_text_printf(&t->text, "%d * n, gather(t%d, %d)))", to[0], y, from[0]);
    else
        lib_text_printf(&t->text,
                        trial_below(t, 2) ? "[%d, %d], gather(t%d, [%d, %d])))"
                                          : "tensor([%d, %d]), gather(t%d, [%d, %d])))",
                        to[0], to[1], y, from[0], from[1]);
    return true;
}

bool trial_transpose(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank != 2)
        return false;
    const int extent[2] = {a->extent[1], a->extent[0]};
    *made = trial_new_array(t, a->kind, 2, extent);
    for (int i = 0; i < extent[0]; i++)
        for (int j = 0; j < extent[1]; j++)
            made->at[i * extent[1] + j] = a->at[j * extent[0] + i];
    lib_text_printf(&t->text, "transpose(t%d)", x);
    return true;
}

/* There and back again, or joined to itself. */
bool trial_around(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const int flat[1] = {a->count};
    switch (trial_below(t, 4)) {
    case 0:
        *made = *a;
        lib_text_printf(&t->text, "tensor(array(t%d))", x);
        return true;
    case 1:
        *made = trial_new_array(t, a->kind, 1, flat);
        memcpy(made->at, a->at, (size_t)a->count * sizeof *a->at);
        lib_text_printf(&t->text, "reshape(t%d, [n * %d])", x, a->count);
        return true;
    case 2:
        *made = *a;
        lib_text_printf(&t->text, "turn(t%d, 3)", x);
        return a->rank == 1 && a->kind == REALS;
    default:
        if (a->rank != 1)
            return false;
        *made = trial_new_array(t, a->kind, 1, (const int[]){2 * a->count});
        for (int i = 0; i < made->count; i++)
            made->at[i] = a->at[i % a->count];
        lib_text_printf(&t->text, "concat(t%d, t%d)", x, x);
        return true;
    }
}

/* --- along an axis ------------------------------------------------------------------------ */

/* An axis of a value, and the places before, along and behind it. */
struct line {
    int axis, outer, length, inner;
    int written; /* as the text has it: perhaps counted from the end */
};

static struct line draw_line(struct trial *t, const struct array *a)
{
    struct line line = {.axis = trial_below(t, a->rank), .outer = 1, .inner = 1};
    for (int i = 0; i < a->rank; i++) {
        line.outer *= i < line.axis ? a->extent[i] : 1;
        line.inner *= i > line.axis ? a->extent[i] : 1;
    }
    line.length = a->extent[line.axis];
    line.written = trial_below(t, 2) ? line.axis : line.axis - a->rank;
    return line;
}

static double on_line(const struct array *a, const struct line *line, int o, int k, int i)
{
    return a->at[(o * line->length + k) * line->inner + i];
}

/* The same with another length along the axis: element (o, k, i) is that of (o, from + k, i),
 * or `around`. */
static void cut(struct trial *t, const struct array *a, const struct line *line, int from,
                int length, double around, struct array *made)
{
    int extent[4];
    memcpy(extent, a->extent, sizeof extent);
    extent[line->axis] = length;
    *made = trial_new_array(t, a->kind, a->rank, extent);
    for (int o = 0; o < line->outer; o++)
        for (int k = 0; k < length; k++)
            for (int i = 0; i < line->inner; i++)
                made->at[(o * length + k) * line->inner + i] =
                    from + k < 0 || from + k >= line->length
                        ? around
                        : on_line(a, line, o, from + k, i);
}

static bool split(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const struct line line = draw_line(t, a);
    const bool is_half = line.length % 2 == 0 && trial_below(t, 2);
    const int before = trial_below(t, 3), after = trial_below(t, 2);
    const double around = trial_below(t, 2) ? 0 : a->kind == BOOLS ? 1 : -3;
    if (trial_below(t, 2)) {
        cut(t, a, &line, -before, before + line.length + after, around, made);
        lib_text_printf(&t->text, "pad(t%d, %d, n * %d, %d", x, before, after,
                        line.written);
        if (around != 0)
            lib_text_puts(&t->text, a->kind == BOOLS  ? ", n == 1"
                                    : a->kind == INTS ? ", -3 * n"
                                                      : ", real(-3 * n)");
        lib_text_puts(&t->text, ")");
        return made->count <= MOST;
    }
    if (line.length < 2)
        return false;
    const int first = is_half ? line.length / 2 : 1 + trial_below(t, line.length - 1);
    const bool is_second = trial_below(t, 2);
    cut(t, a, &line, is_second ? first : 0, is_second ? line.length - first : first, 0,
        made);
    lib_text_printf(&t->text, "let (p, q) = split(t%d, ", x);
    if (is_half)
        lib_text_puts(&t->text, "2");
    else
        lib_text_printf(&t->text, trial_below(t, 2) ? "[%d, %d]" : "[n * %d, %d]", first,
                        line.length - first);
    lib_text_printf(&t->text, ", %d) in %s", line.written, is_second ? "q" : "p");
    return true;
}

static bool accumulate(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const struct line line = draw_line(t, a);
    if (a->kind == BOOLS)
        return false;
    cut(t, a, &line, 0, line.length, 0, made);
    for (int o = 0; o < line.outer; o++)
        for (int i = 0; i < line.inner; i++) {
            double sum = 0;
            for (int k = 0; k < line.length; k++) {
                sum += on_line(a, &line, o, k, i);
                made->at[(o * line.length + k) * line.inner + i] = trial_clamp(sum);
            }
        }
    lib_text_printf(&t->text, "%s(cumsum(t%d, %d))", trial_small(made), x, line.written);
    return true;
}

/* The greatest along an axis, or some of them along the last, or their places. */
static bool choose_greatest(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    struct line line = draw_line(t, a);
    const bool is_top = trial_below(t, 2), gives_values = is_top && trial_below(t, 2);
    if (a->kind == BOOLS)
        return false;
    if (is_top)
        line = (struct line){a->rank - 1, a->count / a->extent[a->rank - 1],
                             a->extent[a->rank - 1], 1, -1};
    const int most = is_top ? 1 + trial_below(t, line.length) : 1;
    cut(t, a, &line, 0, most, 0, made);
    for (int o = 0; o < line.outer; o++)
        for (int i = 0; i < line.inner; i++)
            for (int k = 0; k < line.length; k++) {
                const double p = on_line(a, &line, o, k, i);
                int place = 0;
                for (int j = 0; j < line.length; j++) {
                    const double q = on_line(a, &line, o, j, i);
                    place += q > p || (q == p && j < k);
                }
                if (place < most)
                    made->at[(o * most + place) * line.inner + i] = gives_values ? p : k;
            }
    made->kind = gives_values ? a->kind : INTS;
    if (is_top) {
        lib_text_printf(&t->text, "let (v, p) = top_k(t%d, %d) in %s", x, most,
                        gives_values ? "v" : "p");
        return true;
    }
    for (int i = line.axis; i + 1 < a->rank; i++)
        made->extent[i] = made->extent[i + 1];
    made->rank--;
    lib_text_printf(&t->text, "argmax(t%d, %d)", x, line.written);
    return true;
}

/* Itself several times along a new axis; one row; a number for each int; rows added to zeros. */
static bool by_index(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const int size = a->count / a->extent[0], row = trial_below(t, a->extent[0]);
    int extent[4];
    switch (trial_below(t, 4)) {
    case 0:
        if (a->rank > 2 || 3 * a->count > MOST)
            return false;
        extent[0] = 3;
        memcpy(extent + 1, a->extent, 3 * sizeof *extent);
        *made = trial_new_array(t, a->kind, a->rank + 1, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = a->at[i % a->count];
        if (trial_below(t, 4) == 0) { /* one of them, along an axis that is new */
            made->extent[0] = 1;
            made->count = a->count;
            lib_text_printf(&t->text, "expand_dims(t%d, %d)", x,
                            trial_below(t, 2) ? 0 : -1 - a->rank);
            return true;
        }
        lib_text_printf(&t->text, "stack(t%d, t%d, t%d, %d)", x, x, x,
                        trial_below(t, 2) ? 0 : -1 - a->rank);
        return true;
    case 1:
        *made = trial_new_array(t, a->kind, a->rank - 1, a->extent + 1);
        memcpy(made->at, a->at + row * size, (size_t)size * sizeof *a->at);
        lib_text_printf(&t->text,
                        a->rank > 1       ? "t%d[n * %d]"
                        : a->kind == INTS ? "tensor(t%d[n * %d], int)"
                                          : "tensor(t%d[n * %d])",
                        x, row);
        return true;
    case 2:
        if (a->kind != INTS || a->rank > 2 || 10 * a->count > MOST)
            return false;
        memcpy(extent, a->extent, sizeof extent);
        extent[a->rank] = 10;
        *made = trial_new_array(t, REALS, a->rank + 1, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = (a->at[i / 10] < 0 ? -a->at[i / 10] : a->at[i / 10]) == i % 10;
        lib_text_printf(&t->text, "one_hot(abs(t%d), 10)", x);
        return true;
    default:
        if (a->kind != REALS)
            return false;
        memcpy(extent, a->extent, sizeof extent);
        extent[0] = 2;
        *made = trial_new_array(t, REALS, a->rank, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = 0;
        for (int i = 0; i < a->count; i++)
            made->at[i / size % 2 * size + i % size] += a->at[i];
        for (int i = 0; i < made->count; i++)
            made->at[i] = trial_clamp(made->at[i]);
        lib_text_printf(&t->text, "small(scatter(t%d, iota(%d) - iota(%d) / 2 * 2, 2))",
                        x, a->extent[0], a->extent[0]);
        return true;
    }
}

bool trial_along(struct trial *t, int x, struct array *made)
{
    if (t->made[x].rank == 0)
        return false;
    switch (trial_below(t, 4)) {
    case 0:
        return split(t, x, made);
    case 1:
        return accumulate(t, x, made);
    case 2:
        return choose_greatest(t, x, made);
    default:
        return by_index(t, x, made);
    }
}
