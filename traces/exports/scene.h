/* The scene: the state at a place in a stream of events that formats draw: activations, tokens in
 * transit, waiting tokens, and the tokens that a firing consumes. */
#ifndef TRACES_EXPORTS_SCENE_H
#define TRACES_EXPORTS_SCENE_H

#include "traces/exports/exporter.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

/* COUNTER(NAME, text): a current number, counted from the start of the window. */
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

/* A token in transit to an operand, or waiting until its instruction fires. */
struct export_token {
    struct traces_live_token name;
    uint64_t number;   /* number from 1, in the order of sending */
    uint64_t producer; /* `producer` of the scene when it was sent */
    uint64_t mark;     /* free for the format; 0 at first, and again after TAKEN */
    bool is_drawn;     /* drawn with an arrow */
};

struct export_scene {
    const struct isa_graph *graph; /* borrowed */
    struct traces_live_tags tags;
    int64_t counts[EXPORT_COUNTER_COUNT];
    bool changed[EXPORT_COUNTER_COUNT]; /* in this cycle */
    uint64_t every;                     /* as in struct traces_exporter_request */
    bool has_gaps;                      /* as in struct traces_exporter_request */
    uint64_t firings, sent, arrows;     /* written, sent, drawn so far */
    uint64_t drawable;                  /* tokens whose sender is written */

    /* Sender of the next tokens: the number of the last firing, from 1 on, or another number that
     * the format sets. 0 for a firing before the window, or one that is not written. */
    uint64_t producer;

    /* State of the current event: */
    LIB_VEC(struct export_token) consumed; /* tokens that its firing consumes */
    struct export_token *waits;            /* token that starts to wait; or NULL */
    struct export_token *just_sent;        /* token that is sent; or NULL */
    struct export_token taken;    /* token that is taken; number 0 if none or unknown */
    struct export_token absorbed; /* token that is absorbed; number 0 if none */

    struct traces_live_tokens tokens; /* struct export_token */
};

void export_scene_start(struct export_scene *scene,
                        const struct traces_exporter_request *request);
void export_scene_free(struct export_scene *scene);

/* Begins an event: clears the state of the last one. */
void export_scene_next(struct export_scene *scene);

/* Updates the scene by an event: before the format gets it, except that GONE comes after the
 * format. */
void export_scene_note(struct export_scene *scene, const struct traces_event *event,
                       bool is_written);

#endif
