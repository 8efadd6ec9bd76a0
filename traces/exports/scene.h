/* What there is at a place in a stream of events: activations, tokens on their way, what waits, and
 * which tokens an instruction fires on. Formats draw it. */
#ifndef TRACES_EXPORTS_SCENE_H
#define TRACES_EXPORTS_SCENE_H

#include "traces/exports/exporter.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

/* COUNTER(NAME, text): how many there are at one time, since the window began. */
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

/* A token: on its way to an operand, or taken, until the instruction fires. */
struct export_token {
    struct traces_live_token name;
    uint64_t number;   /* from 1, in the order in which they were sent */
    uint64_t producer; /* what `producer` of the scene was when it was sent */
    uint64_t
        mark; /* free for the format; 0 at first, and again when the token is taken */
    bool is_drawn; /* with an arrow */
};

struct export_scene {
    const struct isa_graph *graph; /* borrowed */
    struct traces_live_tags tags;
    int64_t counts[EXPORT_COUNTER_COUNT];
    bool changed[EXPORT_COUNTER_COUNT]; /* for the format to clear */
    uint64_t every;                     /* as in traces/exports/exporter.h */
    bool has_gaps;                      /* as there */
    uint64_t firings, sent, arrows;     /* so many so far; firings: of those written */
    uint64_t drawable;                  /* tokens whose sender is written */

    /* By what the next tokens are sent: the number of the last firing, from 1; or what the format
     * puts in its place. 0: a firing before the window, or one that is not written. */
    uint64_t producer;

    /* Of this event. */
    LIB_VEC(struct export_token) consumed; /* on what it fires; from 1 token on */
    struct export_token
        *waits; /* the token that now waits, and is the first for its firing; or NULL */
    struct export_token *just_sent; /* or NULL */
    struct export_token
        taken; /* as it was on its way; number 0: none, or one that is not known */
    struct export_token
        absorbed; /* the token on which nothing fires; number 0: there is none */

    struct traces_live_tokens tokens; /* struct export_token */
};

void export_scene_start(struct export_scene *scene,
                        const struct traces_exporter_request *request);
void export_scene_free(struct export_scene *scene);

/* An event comes: nothing is said of the last one any more. */
void export_scene_next(struct export_scene *scene);

/* Takes notice of it, which is written or not: before the format does; but of GONE after it. */
void export_scene_note(struct export_scene *scene, const struct traces_event *event,
                       bool is_written);

#endif
