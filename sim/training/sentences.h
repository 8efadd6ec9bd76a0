/* Prints sentences to train on (isa/tensor/files/conllu.h) as a table. */
#ifndef SIM_TRAINING_SENTENCES_H
#define SIM_TRAINING_SENTENCES_H

#include "isa/tensor/files/conllu.h"
#include "lib/text.h"

/* Appends a heading and a line per sentence: its number, from 0; how many words it has; then for
 * each kind of parser, arc-hybrid and arc-eager, the stack height and the transitions as letters of
 * `S L R D`, or that the sentence is not projective. A line with totals follows. */
void sim_sentences_write(const struct isa_conllu *conllu, struct lib_text *out);

#endif
