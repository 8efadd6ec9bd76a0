#include "tests/random/gradient_tensors.h"

#include "lib/hash.h"

#include <stdbool.h>

enum { VALUES_MAX = 24, RANK_MAX = 3 };

struct shape {
    int rank, extent[RANK_MAX];
};

struct generator {
    uint64_t state;
    struct lib_text *out;
    struct shape made[VALUES_MAX]; /* of t0, t1, ... */
    bool is_deep[VALUES_MAX];      /* t%d calls a function of its own */
    int count;
};

static int below(struct generator *g, int n)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (int)(lib_hash_mix(g->state) % (uint64_t)n);
}

/* --- literals ------------------------------------------------------------------------- */

static void write_axis(struct generator *g, const struct shape *shape, int axis)
{
    if (axis == shape->rank) {
        lib_text_printf(g->out, "%.2f", (double)(below(g, 199) - 99) / 100);
        return;
    }
    lib_text_puts(g->out, "[");
    for (int i = 0; i < shape->extent[axis]; i++) {
        lib_text_puts(g->out, i ? ", " : "");
        write_axis(g, shape, axis + 1);
    }
    lib_text_puts(g->out, "]");
}

static void write_literal(struct generator *g, const char *name,
                          const struct shape *shape)
{
    lib_text_printf(g->out, "%s = tensor(", name);
    write_axis(g, shape, 0);
    lib_text_puts(g->out, ")\n");
}

/* --- shapes --------------------------------------------------------------------------- */

static bool broadcast(const struct shape *a, const struct shape *b, struct shape *both)
{
    both->rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 1; i <= both->rank; i++) {
        const int of_a = i <= a->rank ? a->extent[a->rank - i] : 1;
        const int of_b = i <= b->rank ? b->extent[b->rank - i] : 1;
        if (of_a != of_b && of_a != 1 && of_b != 1)
            return false;
        both->extent[both->rank - i] = of_a == 1 ? of_b : of_a;
    }
    return true;
}

static bool is_equal(const struct shape *a, const struct shape *b)
{
    bool equal = a->rank == b->rank;
    for (int i = 0; equal && i < a->rank; i++)
        equal = a->extent[i] == b->extent[i];
    return equal;
}

static int size_of(const struct shape *shape)
{
    int size = 1;
    for (int i = 0; i < shape->rank; i++)
        size *= shape->extent[i];
    return size;
}

static void drop(struct shape *shape, int axis)
{
    shape->rank--;
    for (int i = axis; i < shape->rank; i++)
        shape->extent[i] = shape->extent[i + 1];
}

/* --- equations ------------------------------------------------------------------------
 *
 * Each writes the right side of one and finds its shape; or returns false, and has written
 * nothing. */

/* Element by element. */
static bool of_one(struct generator *g, int a, struct shape *made)
{
    static const char *const functions[] = {"tanh(t%d)",
                                            "sigmoid(t%d)",
                                            "sin(t%d)",
                                            "-t%d",
                                            "exp(0.2 * t%d)",
                                            "cos(t%d)",
                                            "sqrt(t%d * t%d + 1.5)",
                                            "atan(t%d)",
                                            "erf(t%d)",
                                            "(t%d * t%d + 0.5) ** 1.5"};
    const int which = below(g, 10);
    *made = g->made[a];
    lib_text_printf(g->out, functions[which], a, a);
    return true;
}

static bool of_two(struct generator *g, int a, int b, struct shape *made)
{
    struct shape both;
    if (!broadcast(&g->made[a], &g->made[b], &both))
        return false;
    *made = both;
    switch (below(g, 8)) {
    case 0:
        lib_text_printf(g->out, "t%d + t%d", a, b);
        break;
    case 1:
        lib_text_printf(g->out, "0.5 * t%d - t%d", a, b);
        break;
    case 2:
        lib_text_printf(g->out, "t%d / (t%d * t%d + 1.5)", a, b, b);
        break;
    case 3:
        if (!broadcast(&g->made[0], &both, made))
            return false;
        lib_text_printf(g->out, "select(floor(3.0 * t0) > 0.0, t%d, t%d)", a, b);
        return true;
    case 4:
        lib_text_printf(g->out, "(t%d * t%d + 0.5) ** sin(t%d)", a, a, b);
        break;
    case 5:
        lib_text_printf(g->out, "atan2(t%d, t%d * t%d + 0.5)", a, b, b);
        break;
    case 6:
        lib_text_printf(g->out, "hypot(t%d, t%d * t%d + 0.5)", a, b, b);
        break;
    default:
        lib_text_printf(g->out, "tanh(t%d) * t%d", a, b);
    }
    return true;
}

static bool summed(struct generator *g, int a, struct shape *made)
{
    *made = g->made[a];
    if (made->rank == 0)
        return false;
    const int axis = below(g, made->rank);
    switch (below(g, 6)) {
    case 0:
        lib_text_printf(g->out, "0.4 * reduce_sum(t%d, %d)", a, axis);
        break;
    case 1:
        lib_text_printf(g->out, "reduce_mean(t%d, %d)", a, axis);
        break;
    case 2:
        lib_text_printf(g->out, "softmax(t%d)", a);
        return true;
    case 4:
        lib_text_printf(
            g->out, below(g, 2) ? "0.3 * log_softmax(t%d)" : "dropout(t%d, 0.4, 5)", a);
        return true;
    case 3:
        if (made->rank > 2 || made->extent[made->rank - 1] < 2)
            return false;
        if (made->rank == 2) {
            lib_text_printf(g->out, "cross_entropy(t%d, [", a);
            for (int i = 0; i < made->extent[0]; i++)
                lib_text_printf(g->out, "%s%d", i ? ", " : "", below(g, made->extent[1]));
            lib_text_puts(g->out, "])");
        } else {
            lib_text_printf(g->out, "cross_entropy(t%d, softmax(t%d * t%d))", a, a, a);
        }
        made->rank--;
        return true;
    default:
        lib_text_printf(g->out, "t%d * reduce_mean(t%d)", a, a);
        return true;
    }
    drop(made, axis);
    return true;
}

static bool cut(struct generator *g, int a, struct shape *made)
{
    *made = g->made[a];
    if (made->rank == 0)
        return false;
    const int axis = below(g, made->rank), extent = made->extent[axis];
    int *const left = &made->extent[axis];
    const int first = below(g, extent);
    switch (below(g, 6)) {
    case 0:
        *left = 1 + below(g, extent - first);
        lib_text_printf(g->out, "slice(t%d, %d, %d, %d)", a, first, *left, axis);
        break;
    case 1:
        *left += 3;
        lib_text_printf(g->out, "pad(t%d, 1, 2, %d)", a, axis);
        break;
    case 2:
        lib_text_printf(g->out, "cumsum(0.5 * t%d, %d)", a, axis);
        break;
    case 3:
        made->extent[0] = 2;
        lib_text_printf(g->out, "gather(t%d, [%d, %d])", a,
                        below(g, g->made[a].extent[0]), below(g, g->made[a].extent[0]));
        break;
    case 4:
        if (extent < 2)
            return false;
        *left = extent - 1;
        lib_text_printf(g->out, "(let (_, rest) = split(t%d, [1, %d], %d) in rest)", a,
                        extent - 1, axis);
        break;
    default:
        if (made->rank < 2)
            return false;
        for (int i = 0; i < made->rank; i++)
            made->extent[i] = g->made[a].extent[made->rank - 1 - i];
        lib_text_printf(g->out, "transpose(t%d)", a);
    }
    return true;
}

static bool moved(struct generator *g, int a, int b, struct shape *made)
{
    const struct shape *x = &g->made[a], *y = &g->made[b];
    *made = *x;
    switch (below(g, 5)) {
    case 0:
        if (x->rank == 0 || !is_equal(x, y))
            return false;
        made->extent[0] *= 2;
        lib_text_printf(g->out, "concat(t%d, t%d)", a, b);
        return true;
    case 1:
        if (x->rank == RANK_MAX || !is_equal(x, y))
            return false;
        for (int i = made->rank++; i > 0; i--)
            made->extent[i] = made->extent[i - 1];
        made->extent[0] = 2;
        lib_text_printf(g->out, "stack(t%d, t%d)", a, b);
        return true;
    case 2:
        *made = (struct shape){2, {size_of(x), 1}};
        lib_text_printf(g->out, "reshape(t%d, [-1, 1])", a);
        return true;
    case 3:
        if (x->rank == 0 || y->rank == 0 || x->rank != y->rank)
            return false;
        for (int i = 1; i < x->rank; i++)
            if (x->extent[i] != y->extent[i])
                return false;
        lib_text_printf(g->out, "%s(t%d, [%d], slice(t%d, 0, 1))",
                        below(g, 2) ? "update" : "scatter_add", a, below(g, x->extent[0]),
                        b);
        return true;
    default:
        if (x->rank != 2 || y->rank != 2 || x->extent[1] != y->extent[0])
            return false;
        made->extent[1] = y->extent[1];
        lib_text_printf(g->out, "matmul(t%d, 0.5 * t%d)", a, b);
        return true;
    }
}

/* A loop or a recursion whose variable keeps its shape. */
static bool repeated(struct generator *g, int a, int b, struct shape *made)
{
    if (!broadcast(&g->made[a], &g->made[b], made) || !is_equal(made, &g->made[a]))
        return false;
    static const char *const bodies[] = {"y + 0.1 * t%d", "tanh(y * t%d)",
                                         "0.5 * y - 0.2 * sin(t%d)"};
    switch (below(g, 3)) {
    case 0:
        lib_text_printf(g->out, "(loop i = 0, y = t%d while i < n do i + 1, ", a);
        lib_text_printf(g->out, bodies[below(g, 3)], b);
        lib_text_puts(g->out, " return y)");
        break;
    case 1:
        lib_text_printf(g->out, "deep%d(t%d, t%d, n)", g->count, a, b);
        g->is_deep[g->count] = true;
        break;
    default:
        lib_text_printf(g->out,
                        "(if reduce_sum(t%d) > 0.0 then t%d + 0.3 * t%d else t%d * t%d)",
                        b, a, b, a, b);
    }
    return true;
}

static bool equation(struct generator *g, struct shape *made)
{
    const int a = below(g, g->count), b = below(g, g->count);
    switch (below(g, 6)) {
    case 0:
        return of_one(g, a, made);
    case 1:
        return of_two(g, a, b, made);
    case 2:
        return summed(g, a, made);
    case 3:
        return cut(g, a, made);
    case 4:
        return moved(g, a, b, made);
    default:
        return repeated(g, a, b, made);
    }
}

void gradient_tensors(uint64_t seed, struct lib_text *program)
{
    struct generator g = {.state = seed * 1000003, .out = program};
    const struct shape matrix = {2, {1 + below(&g, 3), 1 + below(&g, 3)}},
                       row = {1, {below(&g, 2) ? matrix.extent[1] : 1}};
    const int most = 4 + below(&g, VALUES_MAX - 4);
    write_literal(&g, "x0", &matrix);
    write_literal(&g, "dx", &matrix);
    write_literal(&g, "v0", &row);
    write_literal(&g, "dv", &row);
    lib_text_puts(program, "f(x, v, n) = let t0 = x; t1 = v");
    g.made[0] = matrix;
    g.made[1] = row;
    g.count = 2;
    while (g.count < most) {
        struct shape made = {0};
        struct lib_text text = {0};
        g.out = &text;
        g.is_deep[g.count] = false;
        if (equation(&g, &made) && size_of(&made) <= 64) {
            lib_text_printf(program, ";\n    t%d = %s", g.count, lib_text_get(&text));
            g.made[g.count++] = made;
        }
        lib_text_free(&text);
    }
    lib_text_puts(program, "\n    in reduce_sum(0.1 * t0 * t0) + reduce_sum(t1)");
    for (int i = 2; i < g.count; i++)
        if (i + 3 >= g.count || !below(&g, 3))
            lib_text_printf(program, " + reduce_sum(sin(t%d))", i);
    lib_text_puts(program, "\n");
    for (int i = 2; i < g.count; i++)
        if (g.is_deep[i])
            lib_text_printf(program,
                            "deep%d(y, z, n) = if n == 0 then y * z else "
                            "tanh(z + deep%d(0.5 * y, z, n - 1))\n",
                            i, i);
}
