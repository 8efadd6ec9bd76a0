/* Sentences with dependency trees, in CoNLL-U (universaldependencies.org/format.html):
 *     1  Dogs  dog   NOUN  NNS  _  2  nsubj  _  _
 *     2  bark  bark  VERB  VBP  _  0  root   _  _
 * Each word has a line of ten fields, separated by tabs, of which ID, FORM, UPOS, HEAD and DEPREL
 * are read. An empty line ends a sentence. Comments, ranges of words (1-2) and empty nodes (1.1)
 * are skipped. The heads of a sentence make a tree, or several trees.
 *
 * The words of all sentences are numbered in order, from 0 on. Tags and labels are numbered from 0
 * on by their first appearance, forms from 1 on; 0 means a form that is too rare. */
#ifndef ISA_TENSOR_FILES_CONLLU_H
#define ISA_TENSOR_FILES_CONLLU_H

#include "isa/tensor/files/transitions.h"
#include "lib/arena.h"
#include "lib/diag.h"

struct isa_conllu_options {
    /* every held-th sentence is held out: its forms get no new numbers; 0: none is */
    uint64_t held;
    /* min appearances, in sentences not held out, of a form with a number */
    uint64_t least;
    size_t most; /* max words of a file */
};

struct isa_conllu {
    size_t count; /* number of words */
    size_t sentence_count, projective_count;
    size_t form_count, tag_count, label_count;
    /* Per word; its head is the number of a word, or -1 for the root. */
    const int64_t *form, *tag, *head, *label;
    const int64_t *first, *length; /* first word and number of words, per sentence */

    /* Transitions that build each tree (isa/tensor/files/transitions.h), 2 per word; those of
     * sentence s begin at 2 * first[s]. All are -1 if the tree is not projective. */
    const int64_t *transitions[ISA_TRANSITION_SYSTEMS];
    /* max height of the stack per sentence, or -1 */
    const int64_t *height[ISA_TRANSITION_SYSTEMS];
    /* Strings by number; forms[0] is NULL. */
    const char *const *forms, *const *tags, *const *labels;
};

/* Reads all sentences of a text, into the arena. Returns false and adds a diagnostic if the text is
 * not CoNLL-U, or has no word. */
bool isa_conllu_read(struct isa_conllu *conllu, struct lib_arena *arena,
                     const struct lib_source *source,
                     const struct isa_conllu_options *options, struct lib_diags *diags);

#endif
