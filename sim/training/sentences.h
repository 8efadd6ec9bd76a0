/* Prints sentences to train on (isa/tensor/files/conllu.h) as a table. */
#ifndef SIM_TRAINING_SENTENCES_H
#define SIM_TRAINING_SENTENCES_H

#include "isa/tensor/files/conllu.h"
#include "lib/text.h"

/* Appends a line per sentence: its number from 0 on and its count of words; for parsers by
 * arc-hybrid and arc-eager also the stack height, and the transitions as letters of `S L R D`. A
 * line of sums follows. */
void sim_sentences_write(const struct isa_conllu *conllu, struct lib_text *out);

#endif
