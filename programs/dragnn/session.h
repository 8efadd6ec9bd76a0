#ifndef PROGRAMS_DRAGNN_SESSION_H
#define PROGRAMS_DRAGNN_SESSION_H

#include "programs/dragnn/beam.h"
#include "programs/dragnn/spec.h"

#include <stdatomic.h>

enum dragnn_stage { DRAGNN_EMPTY, DRAGNN_INITIALIZED, DRAGNN_FINALIZED };

struct dragnn_component {
    enum dragnn_stage stage;
    int max_beam;
    struct dragnn_beam *beams; /* for each sentence: its beam */
};

struct dragnn_session {
    const struct dragnn_spec *spec;
    int batch; /* number of sentences; 0: no input yet */
    struct dragnn_sentence **sentences;
    struct dragnn_component *components; /* for each component: its state */
    /* The predictions were serialized, so the session has ended. */
    bool is_done;
    /* Number of calls that are reading the session; -1: a call is changing it. */
    atomic_int *users;
    struct dragnn_session *next; /* next unused session of the pool */

    /* For each component: a run of the network, kept for its memory, or NULL. `runs_of` points
     * at the networks of these runs. */
    const void *runs_of;
    void **runs;
    void (*free_run)(void *run);
};

struct dragnn_session *dragnn_session_new(const struct dragnn_spec *spec);
void dragnn_session_reset(struct dragnn_session *session);
void dragnn_session_free_runs(struct dragnn_session *session);
void dragnn_session_free(struct dragnn_session *session);

#endif
