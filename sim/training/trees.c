#include "sim/training/trees.h"

#include "lib/memory.h"
#include "lib/order.h"
#include "lib/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- made from a seed ---------------------------------------------------------------------- */

/* Random numbers of one tree; of tree number `count`: of the sizes of all trees. */
struct draws {
    uint64_t seed, tree, count;
};

static uint64_t draw_number(struct draws *d, uint64_t below)
{
    return lib_random_draw(d->seed, LIB_RANDOM_TREE, d->tree, d->count++) % below;
}

enum { SCORES = 4, DENIES = 8 };

static int64_t score_of(uint64_t word)
{
    static const int64_t scores[SCORES] = {-2, -1, 1, 2};
    return scores[word % SCORES];
}

struct maker {
    struct draws draws;
    uint64_t words;
};

/* Writes a tree and returns its score. The label precedes the children, so they are written aside
 * first. The recursion is less deep than `leaves`, which is small. */
static int64_t make_tree(struct maker *m, uint64_t leaves, struct lib_text *out)
{
    LIB_TEXT_OWN inside = {0};
    int64_t score;
    if (leaves == 1) {
        const uint64_t word = draw_number(&m->draws, m->words);
        score = score_of(word);
        lib_text_printf(&inside, "w%" PRIu64, word);
    } else {
        const uint64_t left = 1 + draw_number(&m->draws, leaves - 1);
        if (left == 1 && draw_number(&m->draws, DENIES) == 0) {
            lib_text_puts(&inside, "(1 not) ");
            score = -make_tree(m, leaves - 1, &inside);
        } else {
            score = make_tree(m, left, &inside);
            lib_text_puts(&inside, " ");
            score += make_tree(m, leaves - left, &inside);
        }
    }
    lib_text_printf(out, "(%d %s)", score > 0 ? 3 : 1, lib_text_get(&inside));
    return score;
}

/* Draws the number of leaves of each tree: evenly from 2 to about twice the mean, then changed by
 * one in random trees until the sum agrees with the mean. n leaves are 2n - 1 nodes. */
static void draw_sizes(const struct sim_trees_plan *plan, uint64_t *sizes)
{
    struct draws d = {.seed = plan->seed, .tree = plan->count};
    const double mean = (plan->mean + 1) / 2;
    const uint64_t most = mean > 2 ? (uint64_t)(2 * mean) - 2 : 2;
    const uint64_t wanted = (uint64_t)llround(mean * (double)plan->count);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < plan->count; i++)
        sum += sizes[i] = 2 + draw_number(&d, most - 1);
    while (sum != wanted) {
        uint64_t *size = &sizes[draw_number(&d, plan->count)];
        if (sum < wanted) {
            ++*size;
            sum++;
        } else if (*size > 1) {
            --*size;
            sum--;
        }
    }
}

void sim_trees_make(const struct sim_trees_plan *plan, struct lib_text *out)
{
    uint64_t *sizes = lib_mem_new((plan->count + 1) * sizeof *sizes);
    draw_sizes(plan, sizes);
    for (uint64_t i = 0; i < plan->count; i++) {
        struct maker m = {.draws = {.seed = plan->seed, .tree = i}, .words = plan->words};
        make_tree(&m, sizes[i], out);
        lib_text_puts(out, "\n");
    }
    lib_mem_free(sizes);
}

/* --- chosen from others ---------------------------------------------------------------------- */

static void write_node(const struct isa_trees *trees, int64_t node, struct lib_text *out)
{
    lib_text_printf(out, "(%" PRId64 " ", trees->label[node]);
    if (trees->left[node] < 0) {
        lib_text_puts(out, trees->words[trees->word[node]]);
    } else {
        write_node(trees, trees->left[node], out);
        lib_text_puts(out, " ");
        write_node(trees, trees->right[node], out);
    }
    lib_text_puts(out, ")");
}

static int64_t first_of(const struct isa_trees *trees, size_t tree)
{
    return tree ? trees->roots[tree - 1] + 1 : 0;
}

struct choice {
    size_t tree;
    int64_t nodes;
};

static int compare_choices(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return LIB_ORDER(x->nodes, y->nodes) ?: LIB_ORDER(x->tree, y->tree);
}

/* Finds the trees whose root has a label, shortest first. Returns their number. */
static size_t find_shortest(const struct isa_trees *trees, int64_t label,
                            struct choice *choices)
{
    size_t count = 0;
    for (size_t t = 0; t < trees->root_count; t++)
        if (trees->label[trees->roots[t]] == label)
            choices[count++] = (struct choice){t, trees->roots[t] - first_of(trees, t)};
    qsort(choices, count, sizeof *choices, compare_choices);
    return count;
}

bool sim_trees_choose(const struct isa_trees *trees, uint64_t count, struct lib_text *out,
                      uint64_t *found)
{
    struct choice *negative = lib_mem_new((trees->root_count + 1) * sizeof *negative),
                  *positive = lib_mem_new((trees->root_count + 1) * sizeof *positive);
    const size_t most[] = {find_shortest(trees, 0, negative),
                           find_shortest(trees, 4, positive)};
    *found = most[0] < most[1] ? most[0] : most[1];
    for (uint64_t i = 0; i < count && count <= *found; i++) {
        write_node(trees, trees->roots[negative[i].tree], out);
        lib_text_puts(out, "\n");
        write_node(trees, trees->roots[positive[i].tree], out);
        lib_text_puts(out, "\n");
    }
    LIB_MEM_FREE(negative, positive);
    return count <= *found;
}

void sim_trees_shuffle(const struct isa_trees *trees, uint64_t seed, struct lib_text *out)
{
    uint64_t *order = lib_mem_new((trees->root_count + 1) * sizeof *order);
    lib_random_shuffle(seed, LIB_RANDOM_TREE, UINT64_MAX, order, trees->root_count);
    for (uint64_t i = 0; i < trees->root_count; i++) {
        write_node(trees, trees->roots[order[i]], out);
        lib_text_puts(out, "\n");
    }
    lib_mem_free(order);
}

/* --- unrolled ------------------------------------------------------------------------- */

static void write_unrolled(const struct isa_trees *trees, size_t tree,
                           struct lib_text *out)
{
    const int64_t first = first_of(trees, tree), root = trees->roots[tree];
    lib_text_printf(out, "tree%zu(x) =\n    let ", tree);
    for (int64_t n = first; n <= root; n++) {
        lib_text_printf(out, "%sr%" PRId64 " = ", n > first ? ";\n        " : "",
                        n - first);
        if (trees->left[n] < 0)
            lib_text_printf(out, "leaf(%" PRId64 ", gather(x, %" PRId64 "))", n,
                            n - first);
        else
            lib_text_printf(out, "inner(%" PRId64 ", r%" PRId64 ", r%" PRId64 ")", n,
                            trees->left[n] - first, trees->right[n] - first);
    }
    lib_text_printf(out, "\n    in r%" PRId64 "\n", root - first);
}

/* Chooses one of the trees [low, high) by halving, so that no chain of decisions is long. */
static void write_choice(const struct isa_trees *trees, size_t low, size_t high,
                         struct lib_text *out)
{
    const size_t middle = low + (high - low) / 2;
    if (high - low == 1) {
        lib_text_printf(out, "tree%zu(x)", low);
        return;
    }
    lib_text_printf(out, "(if n <= %" PRId64 " then ", trees->roots[middle - 1]);
    write_choice(trees, low, middle, out);
    lib_text_puts(out, " else ");
    write_choice(trees, middle, high, out);
    lib_text_puts(out, ")");
}

static bool starts_with(const char *line, size_t length, const char *word)
{
    return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

bool sim_trees_unroll(const struct lib_source *program, const struct isa_trees *trees,
                      struct lib_text *out)
{
    bool leaves_out = false, found = false;
    for (size_t at = 0; at < program->length;) {
        const char *line = program->bytes + at,
                   *end = memchr(line, '\n', program->length - at);
        const size_t length = end ? (size_t)(end - line) + 1 : program->length - at;
        if (*line != ' ' && *line != '\t') /* else the line continues another */
            leaves_out = starts_with(line, length, "tree(");
        found |= leaves_out;
        if (!leaves_out)
            lib_text_add(out, line, length);
        at += length;
    }
    lib_text_puts(out, "tree(n, x, base) = ");
    write_choice(trees, 0, trees->root_count, out);
    lib_text_puts(out, "\n");
    for (size_t t = 0; t < trees->root_count; t++)
        write_unrolled(trees, t, out);
    return found;
}
