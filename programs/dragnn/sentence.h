/* Sentences in CoNLL-U (universaldependencies.org/format.html), with ids for forms and tags.
 *
 * The fields ID, FORM, UPOS and HEAD of a word are read. Comments, ranges (1-2) and empty nodes
 * (1.1) are printed again, and otherwise ignored. Tokens are numbered from 0. */
#ifndef PROGRAMS_DRAGNN_SENTENCE_H
#define PROGRAMS_DRAGNN_SENTENCE_H

#include "programs/dragnn/base.h"

enum {
    DRAGNN_ROOT = -1,   /* head of the root word */
    DRAGNN_UNKNOWN = -2 /* head or tag is unknown */
};

struct dragnn_token {
    int word; /* id of the word form; 0: unknown */
    /* Id of the tag, and token of the head, that the file gives. */
    int gold_tag, gold_head;
    /* Predicted tag and head; DRAGNN_UNKNOWN before the prediction. */
    int tag, head;
    /* Text to add to the field MISC, such as "Chunk=B", or NULL. */
    const char *note;
};

struct dragnn_sentence {
    int length;
    struct dragnn_token *tokens;
    char *text; /* text that was read */
};

struct dragnn_lexicon;

/* Gives ids to the tags and word forms of a file, the same as `conllu(FILE, held, least)` in a
 * program. Forms get ids that occur at least `least` times, where every held-th sentence is not
 * counted (0: all are). Returns NULL with an error if the file is not CoNLL-U or has no word. */
struct dragnn_lexicon *dragnn_lexicon_read(const char *path, int held, int least,
                                           struct dragnn_error *error);
void dragnn_lexicon_free(struct dragnn_lexicon *lexicon);

/* Returns the greatest id of a word form. */
int dragnn_lexicon_words(const struct dragnn_lexicon *lexicon);
int dragnn_lexicon_tags(const struct dragnn_lexicon *lexicon);
const char *dragnn_lexicon_tag(const struct dragnn_lexicon *lexicon, int tag);

/* Reads one sentence, whose fields UPOS and HEAD may be `_`. Returns NULL with an error, with its
 * line in `text`, if the text is not a sentence. */
struct dragnn_sentence *dragnn_sentence_read(const char *text,
                                             const struct dragnn_lexicon *lexicon,
                                             struct dragnn_error *error);

/* Returns the sentence as text, with the predicted tags and heads in place of those of the file.
 * Where heads were predicted, DEPREL is `root` or `dep`, and DEPS is `_`. The caller frees the
 * text. */
char *dragnn_sentence_write(const struct dragnn_sentence *sentence,
                            const struct dragnn_lexicon *lexicon);
void dragnn_sentence_free(struct dragnn_sentence *sentence);

/* Sentences of a file, as texts that each end with an empty line. */
struct dragnn_file {
    int count;
    char **texts;
    int *lines; /* for each text: its first line in the file */
};

bool dragnn_file_read(struct dragnn_file *file, const char *path,
                      struct dragnn_error *error);
void dragnn_file_free(struct dragnn_file *file);

#endif
