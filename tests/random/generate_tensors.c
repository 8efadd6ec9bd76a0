#include "tests/random/generate_tensors.h"

#include "lib/arena.h"
#include "tests/random/draw.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096, EQUATIONS = 9 };

/* --- values ----------------------------------------------------------------------------- */

enum kind { REALS, INTS, BOOLS };

struct array {
    enum kind kind;
    int rank, extent[4], count;
    double *at;
};

struct trial {
    struct draw draw;
    struct lib_arena *arena;
    struct lib_text text;
    struct array made[EQUATIONS + 1]; /* t0, t1, ... */
    int count;
};

static int below(struct trial *t, int n)
{
    return (int)draw_below(&t->draw, (uint64_t)n);
}

static struct array new_array(struct trial *t, enum kind kind, int rank,
                              const int *extent)
{
    struct array a = {.kind = kind, .rank = rank, .count = 1};
    for (int i = 0; i < rank; i++) {
        a.extent[i] = extent[i];
        a.count *= extent[i];
    }
    a.at = LIB_ARENA_ARRAY(t->arena, double, (size_t)a.count + 1);
    return a;
}

/* The place of an element by its indices, 0 where an extent is 1: broadcasting. */
static double broadcast_at(const struct array *a, int rank, const int *index)
{
    int place = 0;
    for (int i = 0; i < a->rank; i++) {
        const int own = a->extent[i] == 1 ? 0 : index[rank - a->rank + i];
        place = place * a->extent[i] + own;
    }
    return a->at[place];
}

/* The indices of the next element; false: there is none. */
static bool step(int rank, const int *extent, int *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < extent[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static double clamp(double x)
{
    return (x > 9 ? 9 : x < -9 ? -9 : x) + 0.0; /* there is no -0.0 */
}

/* --- the text of a value ------------------------------------------------------------------ */

/* `one`, unless NULL, stands for 1.0. */
static void write_axis(const struct array *a, int axis, int *place, const char *one,
                       struct lib_text *out)
{
    if (axis == a->rank) {
        const double element = a->at[(*place)++];
        if (a->kind == BOOLS)
            lib_text_puts(out, element != 0 ? "true" : "false");
        else if (one && element == 1)
            lib_text_puts(out, one);
        else if (a->kind == INTS)
            lib_text_printf(out, "%d", (int)element);
        else
            lib_text_real(out, element);
        return;
    }
    lib_text_puts(out, "[");
    for (int i = 0; i < a->extent[axis]; i++) {
        lib_text_puts(out, i ? ", " : "");
        write_axis(a, axis + 1, place, one, out);
    }
    lib_text_puts(out, "]");
}

static void write_array(const struct array *a, const char *one, struct lib_text *out)
{
    int place = 0;
    write_axis(a, 0, &place, one, out);
}

/* --- equations -------------------------------------------------------------------------------- */

static void literal(struct trial *t, struct array *made)
{
    const int rank = below(t, 4);
    int extent[4];
    for (int i = 0; i < rank; i++)
        extent[i] = 1 + below(t, 3);
    const int kind = below(t, 4);
    *made = new_array(t, kind < 2 ? REALS : kind == 2 ? INTS : BOOLS, rank, extent);
    for (int i = 0; i < made->count; i++)
        made->at[i] = kind == 3 ? below(t, 2) : below(t, 11) - 5;
    lib_text_puts(&t->text, "tensor(");
    write_array(made, !below(t, 2) ? NULL : kind == 2 ? "n" : "real(n)", &t->text);
    lib_text_puts(&t->text, kind == 2 ? ", int)" : ")");
}

/* The function that keeps the elements of a value small. */
static const char *small(const struct array *made)
{
    return made->kind == BOOLS ? "" : made->kind == INTS ? "little" : "small";
}

/* The shape to which both are broadcast; false: they are not. */
static bool broadcast(const struct array *a, const struct array *b, int *rank,
                      int *extent)
{
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; i < *rank; i++) {
        const int of_a = i < *rank - a->rank ? 1 : a->extent[i - (*rank - a->rank)];
        const int of_b = i < *rank - b->rank ? 1 : b->extent[i - (*rank - b->rank)];
        if (of_a != of_b && of_a != 1 && of_b != 1)
            return false;
        extent[i] = of_a == 1 ? of_b : of_a;
    }
    return true;
}

/* One element by one; the text is already begun with the names of both. */
static bool binary(struct trial *t, int x, int y, struct array *made)
{
    static const char *const ops[] = {"+", "-", "*", ">", "==", "<="};
    const struct array *a = &t->made[x], *b = &t->made[y];
    int extent[4], index[4] = {0}, rank;
    const int op = below(t, 6);
    if (a->kind != b->kind || (a->kind == BOOLS && op != 4) ||
        !broadcast(a, b, &rank, extent))
        return false;
    *made = new_array(t, op < 3 || a->kind == REALS ? a->kind : BOOLS, rank, extent);
    if (made->count > MOST)
        return false;
    for (int place = 0; place < made->count; place++) {
        const double p = broadcast_at(a, rank, index), q = broadcast_at(b, rank, index);
        made->at[place] = clamp(op == 0   ? p + q
                                : op == 1 ? p - q
                                : op == 2 ? p * q
                                : op == 3 ? p > q
                                : op == 4 ? p == q
                                          : p <= q);
        step(rank, extent, index);
    }
    lib_text_printf(&t->text, "%s(t%d %s t%d)", small(made), x, ops[op], y);
    return true;
}

static bool multiply(struct trial *t, int x, int y, struct array *made)
{
    const struct array *a = &t->made[x], *b = &t->made[y];
    if (a->kind != REALS || b->kind != REALS || a->rank < 1 || a->rank > 2 ||
        b->rank < 1 || b->rank > 2 || a->extent[a->rank - 1] != b->extent[0])
        return false;
    const int rows = a->rank == 2 ? a->extent[0] : 1, inner = b->extent[0];
    const int columns = b->rank == 2 ? b->extent[1] : 1;
    int extent[2], rank = 0;
    if (a->rank == 2)
        extent[rank++] = rows;
    if (b->rank == 2)
        extent[rank++] = columns;
    *made = new_array(t, REALS, rank, extent);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a->at[i * inner + k] * b->at[k * columns + j];
            made->at[i * columns + j] = clamp(sum);
        }
    lib_text_printf(&t->text, "small(matmul(t%d, t%d))", x, y);
    return true;
}

static bool unary(struct trial *t, int x, struct array *made)
{
    static const char *const texts[] = {"-t%d",        "abs(t%d)",  "relu(t%d)",
                                        "max(t%d, 2)", "1.0 + t%d", "real64(t%d)",
                                        "both(t%d)"};
    const struct array *a = &t->made[x];
    const int op = below(t, 7);
    if (a->kind == BOOLS || (a->kind == INTS && (op == 2 || op > 3)))
        return false;
    *made = new_array(t, a->kind, a->rank, a->extent);
    for (int i = 0; i < a->count; i++) {
        const double p = a->at[i];
        made->at[i] = clamp(op == 0   ? -p
                            : op == 1 ? (p < 0    ? -p
                                         : p == 0 ? 0
                                                  : p)
                            : op == 2 ? (p < 0 ? 0 : p)
                            : op == 3 ? (p > 2 ? p : 2)
                            : op == 4 ? 1 + p
                            : op == 5 ? p
                                      : p + 1);
    }
    lib_text_printf(&t->text, "%s(", small(made));
    lib_text_printf(&t->text, texts[op], x);
    lib_text_puts(&t->text, ")");
    return true;
}

/* Elements of another kind. */
static bool convert(struct trial *t, int x, struct array *made)
{
    static const char *const texts[] = {"real", "int", "bool"};
    const struct array *a = &t->made[x];
    const enum kind kind = (enum kind)below(t, 3);
    if (kind == a->kind && kind != BOOLS) /* the one element of a tensor */
        return false;
    *made = new_array(t, kind, a->rank, a->extent);
    for (int i = 0; i < a->count; i++)
        made->at[i] = kind == BOOLS ? a->at[i] != 0 : a->at[i];
    lib_text_printf(&t->text, "%s(t%d)", texts[kind], x);
    return true;
}

static bool choose(struct trial *t, int x, int y, struct array *made)
{
    const int c = below(t, t->count);
    const struct array *a = &t->made[x], *b = &t->made[y], *condition = &t->made[c];
    double one = 1;
    const struct array number = {.kind = a->kind, .at = &one};
    struct array both = {.count = 0};
    int rank, extent[4], index[4] = {0};
    const bool is_number = below(t, 3) == 0 && a->kind != BOOLS;
    if (is_number)
        b = &number;
    if (condition->kind == INTS || a->kind != b->kind ||
        !broadcast(a, b, &both.rank, both.extent) ||
        !broadcast(condition, &both, &rank, extent))
        return false;
    *made = new_array(t, a->kind, rank, extent);
    if (made->count > MOST)
        return false;
    for (int place = 0; place < made->count; place++) {
        made->at[place] = broadcast_at(condition, rank, index) != 0
                              ? broadcast_at(a, rank, index)
                              : broadcast_at(b, rank, index);
        step(rank, extent, index);
    }
    if (is_number)
        lib_text_printf(&t->text, "select(t%d, t%d, 1)", c, x);
    else
        lib_text_printf(&t->text, "select(t%d, t%d, t%d)", c, x, y);
    return true;
}

static bool reduce(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank == 0 || a->kind == BOOLS)
        return false;
    const int axis = below(t, a->rank);
    const bool is_max = below(t, 2);
    int extent[4], rank = 0, inner = 1, outer = 1;
    for (int i = 0; i < a->rank; i++) {
        if (i != axis)
            extent[rank++] = a->extent[i];
        outer *= i < axis ? a->extent[i] : 1;
        inner *= i > axis ? a->extent[i] : 1;
    }
    *made = new_array(t, a->kind, rank, extent);
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            double all = is_max ? -100 : 0;
            for (int k = 0; k < a->extent[axis]; k++) {
                const double p = a->at[(o * a->extent[axis] + k) * inner + i];
                all = is_max ? (p > all ? p : all) : all + p;
            }
            made->at[o * inner + i] = clamp(all);
        }
    lib_text_printf(&t->text, "%s(reduce_%s(t%d, %d))", small(made),
                    is_max ? "max" : "sum", x, axis);
    return true;
}

/* Rows of axis 0, chosen in four ways. */
static bool gather(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank == 0)
        return false;
    const int way = below(t, 4), length = a->extent[0], size = a->count / length;
    const int first = below(t, length), last = below(t, length);
    int extent[4];
    memcpy(extent, a->extent, sizeof extent);
    extent[0] = way == 1 ? length - first : 2;
    *made = way == 0 ? new_array(t, a->kind, a->rank - 1, a->extent + 1)
                     : new_array(t, a->kind, a->rank, extent);
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
static bool change_rows(struct trial *t, int x, int y, struct array *made)
{
    const struct array *a = &t->made[x], *b = &t->made[y];
    const bool adds = a->kind != BOOLS && below(t, 2), is_one = below(t, 3) == 0;
    if (a->rank == 0 || b->rank != a->rank || a->kind != b->kind)
        return false;
    for (int i = 1; i < a->rank; i++)
        if (a->extent[i] != b->extent[i])
            return false;
    const int size = a->count / a->extent[0];
    const int from[2] = {below(t, b->extent[0]), below(t, b->extent[0])};
    const int to[2] = {below(t, a->extent[0]), below(t, a->extent[0])};
    *made = new_array(t, a->kind, a->rank, a->extent);
    memcpy(made->at, a->at, (size_t)a->count * sizeof *a->at);
    for (int k = 0; k < 2 - is_one; k++)
        for (int i = 0; i < size; i++) {
            double *element = &made->at[to[k] * size + i];
            const double row = b->at[from[k] * size + i];
            *element = adds ? *element + row : row;
        }
    for (int i = 0; adds && i < a->count; i++)
        made->at[i] = clamp(made->at[i]);
    const char *name = adds ? "scatter_add" : "update";
    /* A sum is used once, and may be changed in place. */
    lib_text_printf(&t->text, "%s(%s(t%d%s, ", adds ? small(made) : "", name, x,
                    a->kind != BOOLS && below(t, 2) ? " + 0" : "");
    if (is_one)
        lib_text_printf(&t->text, "%d * n, gather(t%d, %d)))", to[0], y, from[0]);
    else
        lib_text_printf(&t->text,
                        below(t, 2) ? "[%d, %d], gather(t%d, [%d, %d])))"
                                    : "tensor([%d, %d]), gather(t%d, [%d, %d])))",
                        to[0], to[1], y, from[0], from[1]);
    return true;
}

static bool transpose(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank != 2)
        return false;
    const int extent[2] = {a->extent[1], a->extent[0]};
    *made = new_array(t, a->kind, 2, extent);
    for (int i = 0; i < extent[0]; i++)
        for (int j = 0; j < extent[1]; j++)
            made->at[i * extent[1] + j] = a->at[j * extent[0] + i];
    lib_text_printf(&t->text, "transpose(t%d)", x);
    return true;
}

/* There and back again, or joined to itself. */
static bool around(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const int flat[1] = {a->count};
    switch (below(t, 4)) {
    case 0:
        *made = *a;
        lib_text_printf(&t->text, "tensor(array(t%d))", x);
        return true;
    case 1:
        *made = new_array(t, a->kind, 1, flat);
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
        *made = new_array(t, a->kind, 1, (const int[]){2 * a->count});
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
    struct line line = {.axis = below(t, a->rank), .outer = 1, .inner = 1};
    for (int i = 0; i < a->rank; i++) {
        line.outer *= i < line.axis ? a->extent[i] : 1;
        line.inner *= i > line.axis ? a->extent[i] : 1;
    }
    line.length = a->extent[line.axis];
    line.written = below(t, 2) ? line.axis : line.axis - a->rank;
    return line;
}

static double on_line(const struct array *a, const struct line *line, int o, int k, int i)
{
    return a->at[(o * line->length + k) * line->inner + i];
}

/* The same with another length along the axis: element (o, k, i) is that of (o, from + k, i),
 * or 0. */
static void cut(struct trial *t, const struct array *a, const struct line *line, int from,
                int length, struct array *made)
{
    int extent[4];
    memcpy(extent, a->extent, sizeof extent);
    extent[line->axis] = length;
    *made = new_array(t, a->kind, a->rank, extent);
    for (int o = 0; o < line->outer; o++)
        for (int k = 0; k < length; k++)
            for (int i = 0; i < line->inner; i++)
                made->at[(o * length + k) * line->inner + i] =
                    from + k < 0 || from + k >= line->length
                        ? 0
                        : on_line(a, line, o, from + k, i);
}

static bool split(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    const struct line line = draw_line(t, a);
    const bool is_half = line.length % 2 == 0 && below(t, 2);
    const int before = below(t, 3), after = below(t, 2);
    if (below(t, 2)) {
        cut(t, a, &line, -before, before + line.length + after, made);
        lib_text_printf(&t->text, "pad(t%d, %d, n * %d, %d)", x, before, after,
                        line.written);
        return made->count <= MOST;
    }
    if (line.length < 2)
        return false;
    const int first = is_half ? line.length / 2 : 1 + below(t, line.length - 1);
    const bool is_second = below(t, 2);
    cut(t, a, &line, is_second ? first : 0, is_second ? line.length - first : first,
        made);
    lib_text_printf(&t->text, "let (p, q) = split(t%d, ", x);
    if (is_half)
        lib_text_puts(&t->text, "2");
    else
        lib_text_printf(&t->text, below(t, 2) ? "[%d, %d]" : "[n * %d, %d]", first,
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
    cut(t, a, &line, 0, line.length, made);
    for (int o = 0; o < line.outer; o++)
        for (int i = 0; i < line.inner; i++) {
            double sum = 0;
            for (int k = 0; k < line.length; k++) {
                sum += on_line(a, &line, o, k, i);
                made->at[(o * line.length + k) * line.inner + i] = clamp(sum);
            }
        }
    lib_text_printf(&t->text, "%s(cumsum(t%d, %d))", small(made), x, line.written);
    return true;
}

/* The greatest along an axis, or some of them along the last, or their places. */
static bool choose_greatest(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    struct line line = draw_line(t, a);
    const bool is_top = below(t, 2), gives_values = is_top && below(t, 2);
    if (a->kind == BOOLS)
        return false;
    if (is_top)
        line = (struct line){a->rank - 1, a->count / a->extent[a->rank - 1],
                             a->extent[a->rank - 1], 1, -1};
    const int most = is_top ? 1 + below(t, line.length) : 1;
    cut(t, a, &line, 0, most, made);
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
    const int size = a->count / a->extent[0], row = below(t, a->extent[0]);
    int extent[4];
    switch (below(t, 4)) {
    case 0:
        if (a->rank > 2 || 3 * a->count > MOST)
            return false;
        extent[0] = 3;
        memcpy(extent + 1, a->extent, 3 * sizeof *extent);
        *made = new_array(t, a->kind, a->rank + 1, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = a->at[i % a->count];
        lib_text_printf(&t->text, "stack(t%d, t%d, t%d, %d)", x, x, x,
                        below(t, 2) ? 0 : -1 - a->rank);
        return true;
    case 1:
        *made = new_array(t, a->kind, a->rank - 1, a->extent + 1);
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
        *made = new_array(t, REALS, a->rank + 1, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = (a->at[i / 10] < 0 ? -a->at[i / 10] : a->at[i / 10]) == i % 10;
        lib_text_printf(&t->text, "one_hot(abs(t%d), 10)", x);
        return true;
    default:
        if (a->kind != REALS)
            return false;
        memcpy(extent, a->extent, sizeof extent);
        extent[0] = 2;
        *made = new_array(t, REALS, a->rank, extent);
        for (int i = 0; i < made->count; i++)
            made->at[i] = 0;
        for (int i = 0; i < a->count; i++)
            made->at[i / size % 2 * size + i % size] += a->at[i];
        for (int i = 0; i < made->count; i++)
            made->at[i] = clamp(made->at[i]);
        lib_text_printf(&t->text, "small(scatter(t%d, iota(%d) - iota(%d) / 2 * 2, 2))",
                        x, a->extent[0], a->extent[0]);
        return true;
    }
}

static bool along(struct trial *t, int x, struct array *made)
{
    if (t->made[x].rank == 0)
        return false;
    switch (below(t, 4)) {
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

static bool equation(struct trial *t, struct array *made)
{
    const int x = below(t, t->count), y = below(t, t->count);
    switch (below(t, 15)) {
    case 0:
        literal(t, made);
        return true;
    case 1:
    case 2:
        return binary(t, x, y, made);
    case 3:
        return multiply(t, x, y, made);
    case 4:
        return unary(t, x, made);
    case 5:
        return reduce(t, x, made);
    case 6:
        return gather(t, x, made);
    case 7:
        return transpose(t, x, made);
    case 8:
        return convert(t, x, made);
    case 9:
        return choose(t, x, y, made);
    case 10:
    case 11:
    case 12:
        return along(t, x, made);
    case 13:
        return change_rows(t, x, y, made);
    default:
        return around(t, x, made);
    }
}

/* A function has one type: there is a small and a both for each rank. */
static const char *const turn =
    "turn(v, k) = loop i = 0, u = v while i < k do i + 1, -u\n"
    "  return if k % 2 == 0 then u else -u\n";

/* Replaces `small(`, `little(` and `both(` by the names of their rank. */
static void name_rank(struct lib_text *out, const char *text, int rank)
{
    for (const char *p = text; *p;) {
        if (strncmp(p, "small(", 6) == 0 || strncmp(p, "both(", 5) == 0 ||
            strncmp(p, "little(", 7) == 0) {
            const size_t length = *p == 's' ? 5 : *p == 'l' ? 6 : 4;
            lib_text_add(out, p, length);
            lib_text_printf(out, "%d", rank);
            p += length;
        } else {
            lib_text_add(out, p++, 1);
        }
    }
}

/* For each rank with which it is called. */
static void define(struct lib_text *program, const char *name, const char *body)
{
    for (int rank = 0; rank <= 4; rank++) {
        char call[16];
        snprintf(call, sizeof call, "%s%d(", name, rank);
        if (strstr(lib_text_get(program), call))
            lib_text_printf(program, "%st) = %s\n", call, body);
    }
}

static void make_program(struct trial *t, struct lib_text *program,
                         struct lib_text *result)
{
    lib_text_puts(program, "input n = 1\n");
    while (t->count <= EQUATIONS) {
        struct array made;
        lib_text_clear(&t->text);
        const bool good = t->count == 0 ? (literal(t, &made), true) : equation(t, &made);
        if (!good)
            continue;
        lib_text_printf(program, "t%d = ", t->count);
        name_rank(program, lib_text_get(&t->text), made.rank);
        lib_text_puts(program, "\n");
        t->made[t->count++] = made;
    }
    define(program, "small", "min(max(t, -9.0), 9.0) + 0.0");
    define(program, "little", "min(max(t, -9), 9)");
    define(program, "both", "if reduce_sum(t) > 0.0 then t + 1.0 else 1.0 + t");
    if (strstr(lib_text_get(program), "turn("))
        lib_text_puts(program, turn);
    lib_text_puts(program, "result = (");
    lib_text_puts(result, "(");
    for (int i = 0; i < t->count; i++) {
        lib_text_printf(program, "%st%d", i ? ", " : "", i);
        lib_text_puts(result, i ? ", " : "");
        write_array(&t->made[i], NULL, result);
    }
    lib_text_puts(program, ")\n");
    lib_text_puts(result, ")");
}

void generate_tensors(uint64_t seed, struct lib_text *program, struct lib_text *result)
{
    struct trial t = {.draw = {.seed = seed}, .arena = lib_arena_new()};
    make_program(&t, program, result);
    lib_text_free(&t.text);
    lib_arena_free(t.arena);
}
