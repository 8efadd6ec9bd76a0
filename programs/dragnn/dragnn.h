/* The interface of DRAGNN in C. Components keep their discrete state in the host; networks, which
 * are dataflow programs, compute scores. A compute session carries a batch of sentences through all
 * components of a specification: the caller extracts features, has scores computed from them, and
 * advances the component by the scores, until the component is terminal.
 *
 *     for each component c, in the order of the specification:
 *         dragnn_initialize_component_data(session, c, beam, &error);
 *         while (!dragnn_is_terminal(session, c, &error)) {
 *             dragnn_get_input_features(...); dragnn_get_translated_link_features(...);
 *             ... compute scores ...
 *             dragnn_advance_from_prediction(session, c, scores, count, &error);
 *         }
 *         dragnn_finalize_data(session, c, &error);
 *     dragnn_get_serialized_predictions(session, texts, &error);
 *
 * Rows. A component computes batch x beam rows in each step: row number `item * max_beam + slot`
 * belongs to the state in that slot of the beam of that item of the batch. Rows without a state, or
 * with a final one, have no features, and their scores are not read.
 *
 * Errors. A function that is called out of order, or with a wrong argument, returns false or -1,
 * sets `error`, which may be NULL, and changes nothing.
 *
 * Threads. Any number of threads may use one pool. Functions whose session is const may be
 * called by several threads at once. A call that changes a session must be the only one that
 * uses it: of two such calls the later one is refused with an error. */
#ifndef PROGRAMS_DRAGNN_DRAGNN_H
#define PROGRAMS_DRAGNN_DRAGNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dragnn_error {
    int line, column; /* position of the error in the text or file, from 1; 0: none */
    char text[480];
};

/* The master specification: components, links and features; immutable. */
struct dragnn_spec;
/* Pool of sessions for reuse; DRAGNN's ComputeSessionPool. */
struct dragnn_pool;
/* States of all components for one batch of sentences; DRAGNN's ComputeSession. */
struct dragnn_session;

/* Reads and checks a master specification in YAML, with its lexicon. Returns NULL and sets
 * `error` to the first fault. The caller frees the specification after its pools. */
struct dragnn_spec *dragnn_spec_read(const char *path, struct dragnn_error *error);
void dragnn_spec_free(struct dragnn_spec *spec);

/* Returns the name of component `number`, from 0; NULL if there are fewer. */
const char *dragnn_spec_component(const struct dragnn_spec *spec, int number);

/* Makes a pool of sessions, which makes a session when all others are in use. */
struct dragnn_pool *dragnn_pool_new(const struct dragnn_spec *spec);
/* Frees a pool, to which all sessions must have been returned. */
void dragnn_pool_free(struct dragnn_pool *pool);
int dragnn_pool_made(struct dragnn_pool *pool);
struct dragnn_session *dragnn_get_session(struct dragnn_pool *pool);

/* Returns a session in any state to its pool, which resets it. */
void dragnn_return_session(struct dragnn_pool *pool, struct dragnn_session *session);

/* Sets the batch: one text of CoNLL-U for each sentence. Must be called once, before all
 * components. */
bool dragnn_set_input_data(struct dragnn_session *session, const char *const *texts,
                           int count, struct dragnn_error *error);

/* Begins a component with beams of up to max_beam states. Its first states follow the final
 * states of the previous component, which must be finalized. */
bool dragnn_initialize_component_data(struct dragnn_session *session,
                                      const char *component, int max_beam,
                                      struct dragnn_error *error);

/* Returns the number of sentences in the batch; -1: not set. */
int dragnn_batch_size(const struct dragnn_session *session);
/* Returns the number of actions of a component; -1: no such component. */
int dragnn_action_count(const struct dragnn_session *session, const char *component);

/* Functions of the caller that return memory for the `count` indices, ids or weights of features.
 * A function is NULL if the caller does not want what it is for. */
struct dragnn_allocators {
    int32_t *(*indices)(void *context, int count);
    int64_t *(*ids)(void *context, int count);
    double *(*weights)(void *context, int count);
    void *context;
};

/* Extracts the fixed features of a channel (group of features) for all states that are not final.
 * Returns their count, or -1. Feature f of row r has the index r * (features of the channel) + f,
 * and the weight 1. */
int dragnn_get_input_features(const struct dragnn_session *session, const char *component,
                              const struct dragnn_allocators *allocators, int channel,
                              struct dragnn_error *error);

/* Functions of the caller that receive features. The allocators return memory, which is then
 * filled. `take`, unless NULL, gets the number of features; if it returns false, the extraction
 * ends with an error. */
struct dragnn_extractor {
    /* Functions that return memory for features; called in each step for each channel (group of
     * features). */
    struct dragnn_allocators allocators;
    bool (*take)(void *context, int step, int channel, int count);
};

/* Extracts all fixed features and advances by the oracle (the known tree or tags), until the
 * component is terminal. Returns the number of steps, or -1. */
int dragnn_bulk_get_input_features(struct dragnn_session *session, const char *component,
                                   const struct dragnn_extractor *extractor,
                                   struct dragnn_error *error);

/* A linked feature: it reads what the source component of its channel, maybe its own, has computed
 * in step `step` for item `batch` of the batch, in slot `beam` of its beam. */
struct dragnn_link {
    int index;             /* index of the feature, as in dragnn_get_input_features */
    int value;             /* token, or the like, that was translated to `step` */
    int batch, beam, step; /* `step` is -1 if the feature has nothing to read */
};

/* Extracts and translates the linked features of a channel (group of features) for all states that
 * are not final. Writes at most `room` of them to `links`. Returns their count, or -1. */
int dragnn_get_translated_link_features(const struct dragnn_session *session,
                                        const char *component, int channel,
                                        struct dragnn_link *links, int room,
                                        struct dragnn_error *error);

/* Advances each state by the action that leads to the tree or tags of its sentence. */
bool dragnn_advance_from_oracle(struct dragnn_session *session, const char *component,
                                struct dragnn_error *error);

/* Advances by scores: batch x max_beam rows with a score for each action. The beam keeps the
 * states with the greatest sums of scores; of equal ones, those from an earlier slot, then of a
 * smaller action. */
bool dragnn_advance_from_prediction(struct dragnn_session *session, const char *component,
                                    const double *scores, int count,
                                    struct dragnn_error *error);

/* Returns 1 if all states of a component are final, 0 if one is not, -1 after an error. */
int dragnn_is_terminal(const struct dragnn_session *session, const char *component,
                       struct dragnn_error *error);

/* Writes the best prediction of a terminal component to the batch, for later components. */
bool dragnn_finalize_data(struct dragnn_session *session, const char *component,
                          struct dragnn_error *error);

/* Copies to `actions` the actions of the best state of sentence `item`, at most `room`, and to
 * `score` its score in this component. Returns the number of its actions so far, or -1 after an
 * error. `actions` and `score` may be NULL. */
int dragnn_get_best(const struct dragnn_session *session, const char *component, int item,
                    int *actions, int room, double *score, struct dragnn_error *error);

/* Ends a session whose components are all finalized. Sets texts[0], ... to the sentences in
 * CoNLL-U, which the caller frees. The session can then only be returned to its pool. */
bool dragnn_get_serialized_predictions(struct dragnn_session *session, char **texts,
                                       struct dragnn_error *error);

#endif
