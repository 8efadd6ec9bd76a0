/* State at a point of a stream of events that exports draw: live activations, tokens in transit,
 * waiting tokens, and the tokens that a firing consumes. */
#ifndef TRACES_EXPORTS_SCENE_H
#define TRACES_EXPORTS_SCENE_H

#include "traces/exports/exporter.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

/* COUNTER(NAME, text): a count that viewers plot over time. It is 0 when the exported cycles begin.
 */
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

/* Token that was sent to an operand, or waits until its instruction fires. */
struct export_token {
    struct traces_live_token name;
    uint64_t number; /* rank of the token in the order of sending, from 1 */
    /* value of export_scene.producer when the token was sent: the firing that sent it */
    uint64_t producer;
    /* for use by the format; 0 when the token is sent, and again when it is issued */
    uint64_t mark;
    bool is_drawn; /* the format draws an arrow for the token */
};

struct export_scene {
    const struct isa_graph *graph; /* borrowed */
    struct traces_live_tags tags;
    int64_t counts[EXPORT_COUNTER_COUNT];
    /* Whether each counter changed in this cycle. */
    bool changed[EXPORT_COUNTER_COUNT];
    uint64_t every; /* draw an arrow for every n-th token; 0: no arrows */
    bool has_gaps;  /* the stream omits some firings */
    uint64_t firings, sent, arrows;
    uint64_t drawable; /* number of sent tokens that could have an arrow */

    /* Firing that is taken as the sender of new tokens: the rank of the latest firing among all
     * written ones, from 1, unless the format sets another value. 0: not written or unknown. */
    uint64_t producer;

    /* Tokens that the current event, a firing, consumes. */
    LIB_VEC(struct export_token) consumed;
    /* token that begins to wait by the current event, or NULL */
    struct export_token *waits;
    struct export_token *just_sent; /* token that the current event sends, or NULL */
    /* token that the current event issues; its `number` is 0 if unknown */
    struct export_token taken;
    /* Token that the current event absorbs, without a firing; its `number` is 0 if none. */
    struct export_token absorbed;

    struct traces_live_tokens tokens;
};

void export_scene_start(struct export_scene *scene,
                        const struct traces_exporter_request *request);
void export_scene_free(struct export_scene *scene);

/* Forgets what the last event did to tokens. Call it before each event. */
void export_scene_next(struct export_scene *scene);

/* Updates the state by an event. Call it before the event is drawn; if the event is GONE, after it
 * is drawn, so that its activation can be found. */
void export_scene_note(struct export_scene *scene, const struct traces_event *event,
                       bool is_written);

#endif
