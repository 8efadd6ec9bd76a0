/* Inside of a compute session; the functions are those of dragnn.h. */
#ifndef PROGRAMS_DRAGNN_SESSION_H
#define PROGRAMS_DRAGNN_SESSION_H

#include "programs/dragnn/beam.h"
#include "programs/dragnn/spec.h"

#include <stdatomic.h>

enum dragnn_stage { DRAGNN_EMPTY, DRAGNN_INITIALIZED, DRAGNN_FINALIZED };

struct dragnn_component {
    enum dragnn_stage stage;
    int max_beam;
    struct dragnn_beam *beams; /* [batch] */
};

struct dragnn_session {
    const struct dragnn_spec *spec;
    int batch; /* sentences; 0: no input yet */
    struct dragnn_sentence **sentences;
    struct dragnn_component *components; /* [spec->count] */
    bool is_done;                        /* predictions were serialized */
    atomic_int *users; /* calls at this time; -1: one that changes the session */
    struct dragnn_session *next; /* in the list of its pool */

    /* Runs of the networks `runs_of`, one for each component or NULL, which keep their memory. */
    const void *runs_of;
    void **runs;
    void (*free_run)(void *run);
};

struct dragnn_session *dragnn_session_new(const struct dragnn_spec *spec);
void dragnn_session_reset(struct dragnn_session *session);
void dragnn_session_free_runs(struct dragnn_session *session);
void dragnn_session_free(struct dragnn_session *session);

#endif
