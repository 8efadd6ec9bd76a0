/* Sentences with dependency trees, in CoNLL-U (universaldependencies.org/format.html):
 *     1  Dogs  dog   NOUN  NNS  _  2  nsubj  _  _
 *     2  bark  bark  VERB  VBP  _  0  root   _  _
 * Each word has a line of ten fields, separated by tabs, of which ID, FORM, UPOS, HEAD and DEPREL
 * are read. An empty line ends a sentence. Comments, ranges of words (1-2) and empty nodes (1.1)
 * are skipped. The heads of a sentence make a tree, or several trees.
 *
 * The words of all sentences are numbered in order, from 0 on. Tags and labels are numbered by
 * their first appearance, from 0 on; forms from 1 on, with 0 for rare ones.
 */
#ifndef ISA_TENSOR_FILES_CONLLU_H
#define ISA_TENSOR_FILES_CONLLU_H

#include "isa/tensor/files/transitions.h"
#include "lib/arena.h"
#include "lib/diag.h"

struct isa_conllu_options {
    /* Every held-th sentence is held out: forms that occur only there count as rare. 0: no sentence
     * is held out. */
    uint64_t held;
    /* min occurrences of a form that is not rare, in sentences that are not held out */
    uint64_t least;
    size_t most; /* max words in a file */
};

struct isa_conllu {
    size_t count; /* number of words */
    size_t sentence_count, projective_count;
    size_t form_count, tag_count, label_count;
    /* For each word, its form, tag, head and label. `head` is the index of another word, or -1 for
     * the root. */
    const int64_t *form, *tag, *head, *label;
    /* for each sentence: its first word and number of words */
    const int64_t *first, *length;

    /* Transitions that build the dependency trees (isa/tensor/files/transitions.h), 2 per word;
     * those of sentence s begin at 2 * first[s]. All are -1 if the tree is not projective. */
    const int64_t *transitions[ISA_TRANSITION_SYSTEMS];
    /* for each sentence: max height of the stack, or -1 if the tree is not projective */
    const int64_t *height[ISA_TRANSITION_SYSTEMS];
    /* forms[n] is the string of form n (NULL for n = 0), tags[n] of tag n, labels[n] of label n. */
    const char *const *forms, *const *tags, *const *labels;
};

/* Reads all sentences of a text; arrays are in the arena. Returns false and adds a diagnostic if
 * the text is not CoNLL-U, or has no word. */
bool isa_conllu_read(struct isa_conllu *conllu, struct lib_arena *arena,
                     const struct lib_source *source,
                     const struct isa_conllu_options *options, struct lib_diags *diags);

#endif
