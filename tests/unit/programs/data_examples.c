/* The examples with data: results and numbers of calls are computed by plain C without lists and
 * trees where there is another way. What is published is compared too: the numbers of paraffins. */
#include "tests/unit/plain_c.h"

#include <inttypes.h>
#include <math.h>

enum { SIDE_MAX = 70 };

/* --- searching, sorting, interpreting --------------------------------------------------- */

/* A search tree; node 0 is no node. */
struct tree {
    int64_t key[SIDE_MAX + 1];
    int64_t side[SIDE_MAX + 1][2];
    int64_t count;
};

static void visit_tree(const struct tree *t, int64_t node, int64_t *sum)
{
    if (!node)
        return;
    visit_tree(t, t->side[node][0], sum);
    *sum = (*sum * 31 + t->key[node]) % 1000003;
    visit_tree(t, t->side[node][1], sum);
}

static void searchtree(const int64_t *inputs, struct answer *a)
{
    struct tree t = {0};
    int64_t root = 0, sum = 0;
    for (int64_t i = 0; i < inputs[0]; i++) {
        const int64_t k = i * i * 37 % 1009;
        int64_t *at = &root;
        for (a->calls++; *at && t.key[*at] != k; a->calls++)
            at = &t.side[*at][k > t.key[*at]];
        if (!*at)
            t.key[ *at = ++t.count] = k;
    }
    visit_tree(&t, root, &sum);
    lib_text_printf(&a->text, "%" PRId64, sum);
    a->calls += (uint64_t)(2 * t.count + 1); /* of fold */
}

/* Sorts as the program does, and counts its calls of sorted, halves and merged. */
static void sort_list(int64_t *x, int64_t n, uint64_t *calls)
{
    int64_t half[2][SIDE_MAX] = {0}, length[2] = {(n + 1) / 2, n / 2}, at[2] = {0};
    ++*calls;
    if (n < 2)
        return;
    for (int64_t i = 0; i < n; i++)
        half[i % 2][i / 2] = x[i];
    *calls += (uint64_t)(n + 1);
    for (int k = 0; k < 2; k++)
        sort_list(half[k], length[k], calls);
    for (int64_t i = 0; i < n; i++) {
        const bool left = at[0] < length[0], right = at[1] < length[1];
        const int from = !left || (right && half[0][at[0]] > half[1][at[1]]);
        *calls += left && right;
        x[i] = half[from][at[from]++];
    }
    ++*calls; /* of merged, when one is empty */
}

static void listsort(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    int64_t x[SIDE_MAX] = {0};
    for (int64_t i = 0; i < n; i++)
        x[i] = i * i * 37 % 101;
    a->calls = (uint64_t)n + 1;
    sort_list(x, n, &a->calls);
    for (int64_t i = 0; i < n; i++)
        lib_text_printf(&a->text, "Cons(%" PRId64 ", ", x[i]);
    lib_text_puts(&a->text, "Nil");
    for (int64_t i = 0; i < n; i++)
        lib_text_puts(&a->text, ")");
}

/* Variable 0 is first in the list, variable 1 second: getting or setting one takes 1 or 2 calls.
 * The two commands before the loop take 9 calls with those of `Then`, the test of the loop 3, its
 * body and the next test 19, the result 2. */
static void interpreter(const int64_t *inputs, struct answer *a)
{
    int64_t product = 1;
    for (int64_t i = inputs[0]; i > 0; i--)
        product *= i;
    lib_text_printf(&a->text, "%" PRId64, product);
    a->calls = (uint64_t)(9 + 3 + 19 * inputs[0] + 2);
}

/* --- paraffins -------------------------------------------------------------------------- */

struct paraffins {
    int64_t radicals[SIDE_MAX]; /* number of radicals of each size */
    uint64_t calls;
};

/* Chooses radicals of the sizes from sizes[at] down to sizes[0]: one of the last `same`, if the
 * size is that before. Returns how many choices there are. */
static int64_t choose(struct paraffins *p, const int64_t *sizes, int64_t at,
                      int64_t before, int64_t same)
{
    int64_t made = 0;
    p->calls++;
    if (at < 0)
        return 1;
    for (int64_t left = sizes[at] == before ? same : p->radicals[sizes[at]]; left > 0;
         left--, p->calls++)
        made += choose(p, sizes, at - 1, sizes[at], left);
    p->calls++; /* of each, when no radical is left */
    return made;
}

/* Divides `total` atoms among k radicals. `count` sizes are chosen. */
static int64_t divide(struct paraffins *p, int64_t k, int64_t least, int64_t total,
                      int64_t most, int64_t *sizes, int64_t count)
{
    p->calls++;
    if (k * least > total || (k == 1 && total > most))
        return 0;
    if (k == 1) {
        sizes[count] = total;
        return choose(p, sizes, count, -1, 0);
    }
    int64_t made = divide(p, k, least + 1, total, most, sizes, count);
    sizes[count] = least;
    return made + divide(p, k - 1, least, total - least, most, sizes, count + 1);
}

/* Numbers of alkanes: A. Cayley, corrected by H. R. Henze and C. M. Blair, The number of isomeric
 * hydrocarbons of the methane series, Journal of the American Chemical Society 53, 1931. */
static void paraffins(const int64_t *inputs, struct answer *a)
{
    static const int64_t published[] = {1, 1, 1, 1, 2, 3, 5, 9, 18, 35, 75, 159, 355};
    const int64_t n = inputs[0];
    struct paraffins p = {.radicals = {1}};
    int64_t sizes[4], halves = 0;
    for (int64_t m = 1; m <= n / 2; m++)
        p.radicals[m] = divide(&p, 3, 0, m - 1, m - 1, sizes, 0);
    if (n % 2 == 0) {
        sizes[0] = sizes[1] = n / 2;
        halves = choose(&p, sizes, 1, -1, 0);
    }
    const int64_t centred = divide(&p, 4, 0, n - 1, (n - 1) / 2, sizes, 0);
    p.calls += (uint64_t)(halves + 1 + centred + 1); /* of count */
    ck_assert_int_eq(halves + centred, published[n]);
    lib_text_printf(&a->text, "%" PRId64, halves + centred);
    a->calls = p.calls;
}

/* --- regular expressions ---------------------------------------------------------------- */

/* Calls of `rests` for abb at a text of which `left` letters are left, and of `after`. */
static uint64_t abb_calls(const int *text, int64_t left)
{
    uint64_t calls = 1 + 1 + 1; /* Then; Letter; the end of after */
    if (left < 1 || text[0] != 0)
        return calls;
    calls += 1 + 1 + 1 + 1; /* after; Then; Letter; the end of after */
    if (left < 2 || text[1] != 1)
        return calls;
    return calls + 2; /* after; Letter */
}

/* (a|b)* matches each beginning, at each of which one letter comes, and then abb. */
static void regex(const int64_t *inputs, struct answer *a)
{
    const int64_t n = inputs[0];
    int text[SIDE_MAX], found = 0;
    for (int64_t i = 0; i < n; i++)
        text[i] = (int)(i * i / 3 % 2);
    for (int64_t i = 0; i + 2 < n; i++)
        found += text[i] == 0 && text[i + 1] == 1 && text[i + 2] == 1;
    a->calls = (uint64_t)n + 1;      /* of text */
    a->calls += (uint64_t)found + 1; /* of count */
    a->calls += 1;                   /* the whole */
    for (int64_t i = 0; i <= n; i++) {
        a->calls += 1 + 3 + 1; /* Star; Or and its letters; the end of after */
        a->calls += i < n;     /* after, of the Star */
        a->calls += 1 + abb_calls(text + i, n - i); /* after */
    }
    a->calls += 1; /* the end of after */
    lib_text_printf(&a->text, "%d", found);
}

/* --- bodies ----------------------------------------------------------------------------- */

struct body {
    double mass, at[3];
};

struct cell {
    struct body body; /* one, or all of the cell in its centre of mass */
    int64_t count;    /* of its bodies */
    double side;
    struct cell *parts; /* 8, unless it has one body or none */
};

/* The order of additions is that of the program: from the last body to the first. */
static struct body centre(const struct body *bodies, int64_t count, uint64_t *calls)
{
    struct body sum = {0};
    *calls += 1 + (uint64_t)count + 1; /* centre, moments */
    for (int64_t i = count; i-- > 0;) {
        for (int k = 0; k < 3; k++)
            sum.at[k] = bodies[i].mass * bodies[i].at[k] + sum.at[k];
        sum.mass = bodies[i].mass + sum.mass;
    }
    for (int k = 0; k < 3; k++)
        sum.at[k] /= sum.mass;
    return sum;
}

static struct cell *new_cell(const struct body *bodies, int64_t count,
                             const double *middle, double side, uint64_t *calls)
{
    struct cell *cell = lib_mem_new(sizeof *cell);
    ++*calls;
    cell->count = count;
    cell->side = side;
    if (count == 1)
        cell->body = bodies[0];
    if (count < 2)
        return cell;
    cell->body = centre(bodies, count, calls);
    cell->parts = lib_mem_new(8 * sizeof *cell->parts);
    for (int o = 0; o < 8; o++) {
        struct body within[SIDE_MAX];
        double at[3];
        int64_t found = 0;
        for (int64_t i = 0; i < count; i++) {
            int octant = 0;
            for (int k = 0; k < 3; k++)
                octant += bodies[i].at[k] < middle[k] ? 0 : 1 << k;
            if (octant == o)
                within[found++] = bodies[i];
        }
        *calls += 1 + 3 + (uint64_t)(2 * count + 1); /* part, towards, within, octant */
        for (int k = 0; k < 3; k++)
            at[k] = middle[k] + (o >> k & 1 ? side / 4 : -(side / 4));
        struct cell *part = new_cell(within, found, at, 2 * (side / 4), calls);
        cell->parts[o] = *part;
        lib_mem_free(part);
    }
    return cell;
}

static void free_parts(struct cell *cell)
{
    for (int o = 0; o < 8 && cell->parts; o++)
        free_parts(&cell->parts[o]);
    lib_mem_free(cell->parts);
}

static double distance(const struct body *a, const struct body *b)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = (a->at[k] - b->at[k]) * (a->at[k] - b->at[k]);
    return d[0] + d[1] + d[2];
}

static void attract(const struct body *c, const struct body *b, double *a)
{
    const double d = distance(c, b) + 0.001, f = c->mass / (d * sqrt(d));
    for (int k = 0; k < 3; k++)
        a[k] = f * (c->at[k] - b->at[k]);
}

static void pull(const struct cell *cell, const struct body *b, double *a,
                 uint64_t *calls)
{
    ++*calls;
    for (int k = 0; k < 3; k++)
        a[k] = 0;
    if (cell->count == 0)
        return;
    *calls += cell->count > 1; /* distance */
    if (cell->count == 1 || 4 * cell->side * cell->side < distance(&cell->body, b)) {
        *calls += 2; /* attraction, distance */
        attract(&cell->body, b, a);
        return;
    }
    for (int o = 0; o < 8; o++) {
        double part[3];
        pull(&cell->parts[o], b, part, calls);
        for (int k = 0; k < 3; k++)
            a[k] = a[k] + part[k];
    }
}

/* Each acceleration must be near the sum over all bodies, too. */
static void nbody(const int64_t *inputs, struct answer *answer)
{
    const int64_t n = inputs[0];
    struct body bodies[SIDE_MAX] = {0};
    for (int64_t i = 0; i < n; i++)
        bodies[i] = (struct body){(double)(1 + i % 3),
                                  {(double)(i * 37 % 101) / 101,
                                   (double)(i * i * 17 % 103) / 103,
                                   (double)(i * 29 % 107) / 107}};
    answer->calls = (uint64_t)(n + 1 + n +
                               n); /* bodies, and body for them and the result */
    struct cell *all = new_cell(bodies, n, (const double[]){0.5, 0.5, 0.5}, 1,
                                &answer->calls);
    lib_text_puts(&answer->text, "[");
    for (int64_t i = 0; i < n; i++) {
        double a[3], sum[3] = {0}, one[3], error = 0, size = 0;
        pull(all, &bodies[i], a, &answer->calls);
        for (int64_t k = 0; k < n; k++) {
            attract(&bodies[k], &bodies[i], one);
            for (int c = 0; c < 3; c++)
                sum[c] += one[c];
        }
        for (int c = 0; c < 3; c++) {
            error += (sum[c] - a[c]) * (sum[c] - a[c]);
            size += sum[c] * sum[c];
            lib_text_puts(&answer->text, c ? ", " : i ? ", (" : "(");
            lib_text_real(&answer->text, a[c]);
        }
        ck_assert_double_le(sqrt(error), 0.05 * sqrt(size));
        lib_text_puts(&answer->text, ")");
    }
    lib_text_puts(&answer->text, "]");
    free_parts(all);
    lib_mem_free(all);
}

static const struct example examples[] = {
    {"searchtree", searchtree, {"n=0", "n=1", "n=9", "n=33"}},
    {"listsort", listsort, {"n=0", "n=1", "n=2", "n=23"}},
    {"interpreter", interpreter, {"n=0", "n=1", "n=9", "n=20"}},
    {"paraffins", paraffins, {"n=0", "n=1", "n=8", "n=11"}},
    {"regex", regex, {"n=0", "n=3", "n=9", "n=40"}},
    {"nbody", nbody, {"n=0", "n=1", "n=2", "n=23"}},
};

int main(void)
{
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 120);
    plain_add(tests, examples, sizeof examples / sizeof *examples);
    return test_main("data_examples", tests);
}
