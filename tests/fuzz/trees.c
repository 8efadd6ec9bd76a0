/* Fuzz target: trees in Penn brackets. Of what is accepted every node but a root has one parent,
 * which comes behind it in post-order; and what is written of the arrays reads back to the
 * same. */
#include "tests/fuzz/fuzz.h"

#include "isa/tensor/files/trees.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 1000 };

static void write_node(struct lib_text *out, const struct isa_trees *trees, int64_t node)
{
    lib_text_printf(out, "(%" PRId64 " ", trees->label[node]);
    if (trees->word[node] >= 0)
        lib_text_puts(out, trees->words[trees->word[node]]);
    else {
        write_node(out, trees, trees->left[node]);
        write_node(out, trees, trees->right[node]);
    }
    lib_text_puts(out, ")");
}

/* The nodes of a tree are numbered in a row: returns the first of those below `node`. */
static int64_t check_node(const struct isa_trees *trees, int64_t node)
{
    if (node < 0 || (size_t)node >= trees->count || trees->label[node] < 0)
        fuzz_fail("node %" PRId64 " is none, or has no label", node);
    const int64_t left = trees->left[node], right = trees->right[node],
                  word = trees->word[node];
    if (word >= 0) {
        if (left != -1 || right != -1 || (size_t)word >= trees->word_count)
            fuzz_fail("node %" PRId64 " is no leaf", node);
        return node;
    }
    if (right != node - 1 || left >= right || check_node(trees, right) != left + 1)
        fuzz_fail("the children of node %" PRId64 " do not come before it", node);
    return check_node(trees, left);
}

static bool same(const int64_t *a, const int64_t *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0}, none = {0};
    struct isa_trees trees, again;
    const bool good = isa_trees_read(
        &trees, arena, fuzz_source(arena, "fuzz.txt", data, size), MOST, &diags);
    fuzz_diags(&diags, !good);
    if (good) {
        struct lib_text text = {0};
        int64_t next = 0;
        for (size_t i = 0; i < trees.root_count; i++) {
            if (check_node(&trees, trees.roots[i]) != next)
                fuzz_fail("tree %zu does not begin where the last one ended", i);
            next = trees.roots[i] + 1;
            write_node(&text, &trees, trees.roots[i]);
        }
        if (trees.count == 0 || trees.count > MOST || (size_t)next != trees.count)
            fuzz_fail("%zu nodes, and %" PRId64 " in trees", trees.count, next);
        if (!isa_trees_read(&again, arena,
                            fuzz_source(arena, "again.txt", text.bytes, text.length),
                            trees.count, &none) ||
            again.count != trees.count || again.word_count != trees.word_count ||
            !same(again.left, trees.left, trees.count) ||
            !same(again.word, trees.word, trees.count) ||
            !same(again.label, trees.label, trees.count))
            fuzz_fail("what was written is another forest:\n%s", lib_text_get(&text));
        lib_text_free(&text);
    }
    lib_arena_free(arena);
    return 0;
}
