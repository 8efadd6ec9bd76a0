/* Sentences to train on (isa/tensor/files/conllu.h), written as a table for people. */
#ifndef SIM_TRAINING_SENTENCES_H
#define SIM_TRAINING_SENTENCES_H

#include "isa/tensor/files/conllu.h"
#include "lib/text.h"

/* Adds a line for each sentence: number from 0 on, words; for arc-hybrid and arc-eager the stack
 * height and the transitions, as letters of `S L R D`. A line of sums follows. */
void sim_sentences_write(const struct isa_conllu *conllu, struct lib_text *out);

#endif
