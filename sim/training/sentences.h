/* Sentences to train on (isa/tensor/files/conllu.h), as a table that a reader looks at. */
#ifndef SIM_TRAINING_SENTENCES_H
#define SIM_TRAINING_SENTENCES_H

#include "isa/tensor/files/conllu.h"
#include "lib/text.h"

/* Adds a line for each sentence: its number from 0 on, its words, for arc-hybrid and arc-eager the
 * height of the stack and the transitions, each as a letter of `S L R D`; and a line of sums. */
void sim_sentences_write(const struct isa_conllu *conllu, struct lib_text *out);

#endif
