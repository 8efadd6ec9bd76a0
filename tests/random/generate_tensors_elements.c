/* Equations that compute elements one by one, products and sums. */
#include "tests/random/generate_tensors_internal.h"

#include "lib/random.h"

#include <math.h>

void trial_literal(struct trial *t, struct array *made)
{
    const int rank = trial_below(t, 4);
    int extent[4];
    for (int i = 0; i < rank; i++)
        extent[i] = 1 + trial_below(t, 3);
    const int kind = trial_below(t, 4);
    *made = trial_new_array(t, kind < 2 ? REALS : kind == 2 ? INTS : BOOLS, rank, extent);
    for (int i = 0; i < made->count; i++)
        made->at[i] = kind == 3 ? trial_below(t, 2) : trial_below(t, 11) - 5;
    lib_text_puts(&t->text, "tensor(");
    trial_write_array(made,
                      !trial_below(t, 2) ? NULL
                      : kind == 2        ? "n"
                                         : "real(n)",
                      &t->text);
    lib_text_puts(&t->text, kind == 2 ? ", int)" : ")");
}

/* The function that keeps the elements of a value small. */
const char *trial_small(const struct array *made)
{
    return made->kind == BOOLS ? "" : made->kind == INTS ? "little" : "small";
}

/* The shape to which both are broadcast; false: they are not. */
bool trial_broadcast(const struct array *a, const struct array *b, int *rank, int *extent)
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

enum operation { ADD, SUB, MUL, REM, POW, GT, EQ, LE, AND, OR, OPERATIONS };

static double operate(enum operation op, double p, double q)
{
    switch (op) {
    case ADD:
        return p + q;
    case SUB:
        return p - q;
    case MUL:
        return p * q;
    case REM: /* the divisor is written so that it is not 0 */
        q = q < 0 ? -q : q;
        return (int)p % (int)(q > 1 ? q : 1);
    case POW: /* the exponent is written so that it is 0 to 2 */
        return pow(p, (int)(q < 0 ? -q : q) % 3);
    case GT:
        return p > q;
    case EQ:
        return p == q;
    case LE:
        return p <= q;
    case AND:
        return p != 0 && q != 0;
    default:
        return p != 0 || q != 0;
    }
}

/* Whether there is such an operation on elements of a kind. */
static bool takes(enum operation op, enum kind kind)
{
    return kind == BOOLS  ? op == EQ || op == AND || op == OR
           : kind == INTS ? op != AND && op != OR
                          : true;
}

/* One element by one. */
bool trial_binary(struct trial *t, int x, int y, struct array *made)
{
    static const char *const texts[] = {"t%d + t%d",
                                        "t%d - t%d",
                                        "t%d * t%d",
                                        "t%d %% max(abs(t%d), 1)",
                                        "t%d ** (abs(t%d) %% 3)",
                                        "t%d > t%d",
                                        "t%d == t%d",
                                        "t%d <= t%d",
                                        "t%d and t%d",
                                        "t%d or t%d"};
    const struct array *a = &t->made[x], *b = &t->made[y];
    int extent[4], index[4] = {0}, rank;
    const enum operation op = (enum operation)trial_below(t, OPERATIONS);
    if (a->kind != b->kind || !takes(op, a->kind) ||
        !trial_broadcast(a, b, &rank, extent))
        return false;
    *made = trial_new_array(t, op < GT || a->kind == REALS ? a->kind : BOOLS, rank,
                            extent);
    if (made->count > MOST)
        return false;
    for (int place = 0; place < made->count; place++) {
        const double p = trial_broadcast_at(a, rank, index),
                     q = trial_broadcast_at(b, rank, index);
        made->at[place] = trial_clamp(operate(op, p, q));
        trial_step(rank, extent, index);
    }
    lib_text_printf(&t->text, "%s(", trial_small(made));
    lib_text_printf(&t->text, texts[op], x, y);
    lib_text_puts(&t->text, ")");
    return true;
}

/* Element `i` of uniform numbers of a key. */
static double uniform(int key, int i)
{
    uint64_t words[2];
    lib_random_words((uint64_t)(int64_t)key, 0, (uint64_t)i, words);
    return lib_random_real(words[0]);
}

static void write_extents(struct trial *t, const struct array *a)
{
    for (int i = 0; i < a->rank; i++)
        lib_text_printf(&t->text, "%s%d", i ? ", " : "[", a->extent[i]);
    lib_text_puts(&t->text, "]");
}

bool trial_random(struct trial *t, int x, struct array *made)
{
    const int key = trial_below(t, 2) ? trial_below(t, 7) - 3 : trial_below(t, 1 << 30);
    const struct array *a = &t->made[x];
    if (trial_below(t, 2)) { /* one half as rate: other divisions are not exact */
        if (a->kind != REALS)
            return false;
        *made = trial_new_array(t, REALS, a->rank, a->extent);
        for (int i = 0; i < a->count; i++)
            made->at[i] = trial_clamp(uniform(key, i) < 0.5 ? 0 : 2 * a->at[i]);
        lib_text_printf(&t->text, "small(dropout(t%d, 0.5, %d))", x, key);
        return true;
    }
    int extent[4];
    const int rank = 1 + trial_below(t, 3);
    for (int i = 0; i < rank; i++)
        extent[i] = 1 + trial_below(t, 4);
    *made = trial_new_array(t, REALS, rank, extent);
    if (trial_below(t, 4) == 0) { /* normal ones are not exact: their shape is */
        lib_text_printf(&t->text, "small(0.0 * normal(%d, ", key);
        write_extents(t, made);
        lib_text_puts(&t->text, "))");
        return true;
    }
    for (int i = 0; i < made->count; i++)
        made->at[i] = floor(uniform(key, i) * 11) - 5;
    lib_text_printf(&t->text, "floor(uniform(%d, ", key);
    write_extents(t, made);
    lib_text_puts(&t->text, ") * 11.0) - 5.0");
    return true;
}

bool trial_multiply(struct trial *t, int x, int y, struct array *made)
{
    const struct array *a = &t->made[x], *b = &t->made[y];
    if (a->kind == BOOLS || b->kind != a->kind || a->rank < 1 || a->rank > 2 ||
        b->rank < 1 || b->rank > 2 || a->extent[a->rank - 1] != b->extent[0])
        return false;
    const int rows = a->rank == 2 ? a->extent[0] : 1, inner = b->extent[0];
    const int columns = b->rank == 2 ? b->extent[1] : 1;
    int extent[2] = {0}, rank = 0;
    if (a->rank == 2)
        extent[rank++] = rows;
    if (b->rank == 2)
        extent[rank++] = columns;
    *made = trial_new_array(t, a->kind, rank, extent);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a->at[i * inner + k] * b->at[k * columns + j];
            made->at[i * columns + j] = trial_clamp(sum);
        }
    lib_text_printf(&t->text, "%s(matmul(t%d, t%d))", trial_small(made), x, y);
    return true;
}

bool trial_unary(struct trial *t, int x, struct array *made)
{
    static const char *const texts[] = {"-t%d",        "abs(t%d)",  "relu(t%d)",
                                        "max(t%d, 2)", "1.0 + t%d", "real64(t%d)",
                                        "both(t%d)",   "not t%d"};
    const struct array *a = &t->made[x];
    const int op = trial_below(t, 8);
    if ((a->kind == BOOLS && op != 7) || (a->kind == INTS && (op == 2 || op > 3)))
        return false;
    *made = trial_new_array(t, a->kind, a->rank, a->extent);
    for (int i = 0; i < a->count; i++) {
        const double p = a->at[i];
        made->at[i] = trial_clamp(op == 0   ? -p
                                  : op == 1 ? (p < 0    ? -p
                                               : p == 0 ? 0
                                                        : p)
                                  : op == 2 ? (p < 0 ? 0 : p)
                                  : op == 3 ? (p > 2 ? p : 2)
                                  : op == 4 ? 1 + p
                                  : op == 5 ? p
                                  : op == 6 ? p + 1
                                            : p == 0);
    }
    lib_text_printf(&t->text, "%s(", trial_small(made));
    lib_text_printf(&t->text, texts[op], x);
    lib_text_puts(&t->text, ")");
    return true;
}

/* Elements of another kind. */
bool trial_convert(struct trial *t, int x, struct array *made)
{
    static const char *const texts[] = {"real", "int", "bool"};
    const struct array *a = &t->made[x];
    const enum kind kind = (enum kind)trial_below(t, 3);
    if (kind == a->kind && kind != BOOLS) /* the one element of a tensor */
        return false;
    *made = trial_new_array(t, kind, a->rank, a->extent);
    for (int i = 0; i < a->count; i++)
        made->at[i] = kind == BOOLS ? a->at[i] != 0 : a->at[i];
    lib_text_printf(&t->text, "%s(t%d)", texts[kind], x);
    return true;
}

bool trial_choose(struct trial *t, int x, int y, struct array *made)
{
    const int c = trial_below(t, t->count);
    const struct array *a = &t->made[x], *b = &t->made[y], *condition = &t->made[c];
    double one = 1;
    const struct array number = {.kind = a->kind, .at = &one};
    struct array both = {.count = 0};
    int rank, extent[4], index[4] = {0};
    const bool is_number = trial_below(t, 3) == 0 && a->kind != BOOLS;
    if (is_number)
        b = &number;
    if (condition->kind == INTS || a->kind != b->kind ||
        !trial_broadcast(a, b, &both.rank, both.extent) ||
        !trial_broadcast(condition, &both, &rank, extent))
        return false;
    *made = trial_new_array(t, a->kind, rank, extent);
    if (made->count > MOST)
        return false;
    for (int place = 0; place < made->count; place++) {
        made->at[place] = trial_broadcast_at(condition, rank, index) != 0
                              ? trial_broadcast_at(a, rank, index)
                              : trial_broadcast_at(b, rank, index);
        trial_step(rank, extent, index);
    }
    if (is_number)
        lib_text_printf(&t->text, "select(t%d, t%d, 1)", c, x);
    else
        lib_text_printf(&t->text, "select(t%d, t%d, t%d)", c, x, y);
    return true;
}

bool trial_reduce(struct trial *t, int x, struct array *made)
{
    const struct array *a = &t->made[x];
    if (a->rank == 0 || a->kind == BOOLS)
        return false;
    static const char *const texts[] = {
        "%s(reduce_sum(t%d, %d))", "%s(reduce_max(t%d, %d))", "%s(reduce_min(t%d, %d))",
        "%s(floor(reduce_mean(t%d, %d)))"};
    const int axis = trial_below(t, a->rank),
              way = trial_below(t, 3 + (a->kind == REALS));
    const bool is_max = way == 1, is_min = way == 2;
    int extent[4], rank = 0, inner = 1, outer = 1;
    for (int i = 0; i < a->rank; i++) {
        if (i != axis)
            extent[rank++] = a->extent[i];
        outer *= i < axis ? a->extent[i] : 1;
        inner *= i > axis ? a->extent[i] : 1;
    }
    *made = trial_new_array(t, a->kind, rank, extent);
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            double all = is_max ? -100 : is_min ? 100 : 0;
            for (int k = 0; k < a->extent[axis]; k++) {
                const double p = a->at[(o * a->extent[axis] + k) * inner + i];
                all = is_max   ? (p > all ? p : all)
                      : is_min ? (p < all ? p : all)
                               : all + p;
            }
            made->at[o * inner + i] = trial_clamp(way == 3 ? floor(all / a->extent[axis])
                                                           : all);
        }
    lib_text_printf(&t->text, texts[way], trial_small(made), x, axis);
    return true;
}
