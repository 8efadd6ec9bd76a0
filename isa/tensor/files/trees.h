/* Trees in Penn brackets, as of the Stanford Sentiment Treebank:
 *     (3 (2 It) (4 (2 's) (4 lovely)))
 * A node has a label, an integer from 0 on, and either one word or two children. Trees follow each
 * other, separated by blanks or newlines.
 *
 * The nodes of all trees are numbered in post-order: children before their parent, the left one's
 * nodes before the right one's. So the last node of a tree is its root. Words are numbered by
 * their first appearance, from 0 on. */
#ifndef ISA_TENSOR_FILES_TREES_H
#define ISA_TENSOR_FILES_TREES_H

#include "lib/arena.h"
#include "lib/diag.h"

#include <stddef.h>
#include <stdint.h>

struct isa_trees {
    size_t count;                               /* number of nodes */
    const int64_t *left, *right, *word, *label; /* per node; -1 if it has none */
    size_t root_count, word_count;
    const int64_t *roots;     /* root of each tree */
    const char *const *words; /* words by number */
};

/* Reads all trees of a text, into the arena. Returns false and adds a diagnostic if the text is not
 * a sequence of trees, or has more than `most` nodes. */
bool isa_trees_read(struct isa_trees *trees, struct lib_arena *arena,
                    const struct lib_source *source, size_t most,
                    struct lib_diags *diags);

#endif
