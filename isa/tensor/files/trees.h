/* Trees in Penn brackets, as of the Stanford Sentiment Treebank:
 *     (3 (2 It) (4 (2 's) (4 lovely)))
 * A node has a label, an integer from 0 on, and either one word or two children. Trees follow each
 * other, separated by blanks or newlines.
 *
 * The nodes of all trees are numbered in post-order, left children first, so the last node of a
 * tree is its root. Words are numbered by their first appearance, from 0 on. */
#ifndef ISA_TENSOR_FILES_TREES_H
#define ISA_TENSOR_FILES_TREES_H

#include "lib/arena.h"
#include "lib/diag.h"

#include <stddef.h>
#include <stdint.h>

struct isa_trees {
    size_t count; /* number of nodes of all trees */
    /* for each node: its two children, index of its word, and label; -1 if it has none */
    const int64_t *left, *right, *word, *label;
    size_t root_count, word_count;
    const int64_t *roots;     /* root node of each tree */
    const char *const *words; /* string of each word */
};

/* Reads all trees of a text; arrays are in the arena. Returns false and adds a diagnostic if the
 * text is not a sequence of trees, or has more than `most` nodes. */
bool isa_trees_read(struct isa_trees *trees, struct lib_arena *arena,
                    const struct lib_source *source, size_t most,
                    struct lib_diags *diags);

#endif
