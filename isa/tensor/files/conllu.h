/* Sentences with dependency trees, in CoNLL-U (universaldependencies.org/format.html):
 *     1  Dogs  dog   NOUN  NNS  _  2  nsubj  _  _
 *     2  bark  bark  VERB  VBP  _  0  root   _  _
 * A line for each word has ten fields, separated by tabs, of which ID, FORM, UPOS, HEAD and DEPREL
 * are read. An empty line ends a sentence. Comments, ranges of words (1-2) and empty nodes (1.1)
 * are skipped. The heads of a sentence are a tree, or several side by side.
 *
 * The words of all sentences are numbered in a row, from 0 on. Tags and labels get numbers from 0
 * on by their first appearance, forms from 1 on; 0 is every form that is too rare. */
#ifndef ISA_TENSOR_FILES_CONLLU_H
#define ISA_TENSOR_FILES_CONLLU_H

#include "isa/tensor/files/transitions.h"
#include "lib/arena.h"
#include "lib/diag.h"

struct isa_conllu_options {
    uint64_t
        held; /* every held-th sentence gives no form a number; 0: none is held out */
    uint64_t
        least;   /* appearances in the others that a form needs for a number of its own */
    size_t most; /* words of a file; one with more is refused */
};

struct isa_conllu {
    size_t count; /* of words */
    size_t sentence_count, projective_count;
    size_t form_count, tag_count, label_count;
    const int64_t *form, *tag, *head,
        *label;                    /* [count]; head: the number of a word; -1: the root */
    const int64_t *first, *length; /* [sentence_count] */

    /* [2 * count]: the oracle's (isa/tensor/files/transitions.h) of sentence s are those from
     * 2 * first[s] on; all -1 if its tree is not projective. */
    const int64_t *transitions[ISA_TRANSITION_SYSTEMS];
    const int64_t
        *height[ISA_TRANSITION_SYSTEMS]; /* [sentence_count]; of the stack, or -1 */
    const char *const *forms, *const *tags,
                                  *const *labels; /* [..._count]; forms[0] is NULL */
};

/* Reads all sentences of a text; what is made lives in the arena. Returns false and adds a
 * diagnostic if the text is not CoNLL-U, or has no word. */
bool isa_conllu_read(struct isa_conllu *conllu, struct lib_arena *arena,
                     const struct lib_source *source,
                     const struct isa_conllu_options *options, struct lib_diags *diags);

#endif
