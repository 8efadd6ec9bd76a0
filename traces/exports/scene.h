/* The scene: the state at a point of a stream of events, from which exports draw: activations,
 * tokens in transit, waiting tokens, and the tokens that a firing consumes. */
#ifndef TRACES_EXPORTS_SCENE_H
#define TRACES_EXPORTS_SCENE_H

#include "traces/exports/exporter.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

/* COUNTER(NAME, text): a current number that viewers plot; 0 at the start of the window. */
#define EXPORT_COUNTERS(COUNTER)                                                         \
    COUNTER(ACTIVATIONS, "activations")                                                  \
    COUNTER(WAITING, "waiting operands")                                                 \
    COUNTER(TOKENS, "tokens on their way")

enum export_counter {
#define COUNTER(NAME, text) EXPORT_##NAME,
    EXPORT_COUNTERS(COUNTER)
#undef COUNTER
        EXPORT_COUNTER_COUNT,
};

extern const char *const export_counter_names[EXPORT_COUNTER_COUNT];

/* A token: sent to an operand, or waiting until its instruction fires. */
struct export_token {
    struct traces_live_token name;
    uint64_t number; /* number of the token, from 1 on, in the order of sending */
    /* Number of the sending firing: `producer` of the scene at that time. */
    uint64_t producer;
    uint64_t mark; /* for use by the format; 0 at first and when the token is taken */
    bool is_drawn; /* the format draws an arrow for the token */
};

struct export_scene {
    const struct isa_graph *graph; /* borrowed */
    struct traces_live_tags tags;
    int64_t counts[EXPORT_COUNTER_COUNT];
    /* Counters that changed in this cycle. */
    bool changed[EXPORT_COUNTER_COUNT];
    uint64_t every; /* draws an arrow for every n-th token; 0: none */
    bool has_gaps;  /* firings are missing in the stream */
    /* Numbers of firings written, tokens sent, arrows drawn. */
    uint64_t firings, sent, arrows;
    uint64_t drawable; /* tokens whose sending firing is written */

    /* Sender of the next tokens: the number of the last firing, from 1 on, or a number that the
     * format sets. 0 if that firing is before the window or is not written. */
    uint64_t producer;

    /* Effect of the current event on tokens: */
    LIB_VEC(struct export_token) consumed; /* tokens that the firing consumes */
    struct export_token *waits;            /* token that begins to wait, or NULL */
    struct export_token *just_sent;        /* token that is sent, or NULL */
    struct export_token taken; /* token that is issued; number 0 if none or unknown */
    /* Token that is absorbed without a firing; number 0 if none. */
    struct export_token absorbed;

    struct traces_live_tokens tokens; /* table of struct export_token */
};

void export_scene_start(struct export_scene *scene,
                        const struct traces_exporter_request *request);
void export_scene_free(struct export_scene *scene);

/* Forgets what the last event did to tokens. Called before each event. */
void export_scene_next(struct export_scene *scene);

/* Updates the scene by an event: before the format draws it, except GONE, after it. */
void export_scene_note(struct export_scene *scene, const struct traces_event *event,
                       bool is_written);

#endif
