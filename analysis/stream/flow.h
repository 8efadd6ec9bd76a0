/* Carries values along the dependences of a run, using its events of level `all`. A listener gives
 * each token a value, such as a time or a number. Values flow from a firing to the tokens that it
 * sends, and from these to the firing that takes them.
 *
 *     firing --result--> token --turn--> operand --+
 *                        token --turn--> operand --+--> firing --result--> ...
 *
 * The flow follows tokens; operands that wait; tokens that are held back and released; requests;
 * deferred reads and the writes that answer them; constants of loops, and tokens that wait for
 * these ("parked"). It lacks one dependence: events do not name the write of an element that is
 * read later. */
#ifndef ANALYSIS_STREAM_FLOW_H
#define ANALYSIS_STREAM_FLOW_H

#include "isa/graph.h"
#include "lib/memory.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

struct analysis_flow_value {
    uint64_t at[2];
};

/* Callbacks that may change a value where it flows on. If a callback is NULL, the value stays the
 * same there. */
struct analysis_flow_listener {
    void *context;
    /* A PE takes a token that PE `from_pe` sent, or a PE releases a token that it held back. */
    void (*turn)(void *context, const struct traces_event *event, uint32_t from_pe,
                 struct analysis_flow_value *value);

    /* An instruction fires (event FIRED or DEAD). `operands` are the values of its `count`
     * operands. The callback may set `result`, the value of the tokens that the firing sends. */
    void (*fire)(void *context, const struct traces_event *event,
                 const struct analysis_flow_value *operands, size_t count,
                 struct analysis_flow_value *result);

    /* A firing whose value is `result` answers a deferred read. `*answer` is the value of the read;
     * the callback may set it to the value of the tokens of the answer. */
    void (*answer)(void *context, const struct traces_event *event,
                   const struct analysis_flow_value *result,
                   struct analysis_flow_value *answer);

    /* A token or request is sent, or a token that waited for the constant of a loop is sent again
     * (event WOKEN). `*value` is the value of the sender; the callback may set it to the value of
     * the token. `parked` is the value of the token that waited; else NULL. */
    void (*send)(void *context, const struct traces_event *event,
                 const struct analysis_flow_value *parked,
                 struct analysis_flow_value *value);

    /* A HOLD has fired: it stores a constant of a loop, whose value is `constant`. */
    void (*hold)(void *context, struct analysis_flow_value *constant);

    /* A firing, whose value is `result`, copies a graph (event COPY). */
    void (*copy)(void *context, const struct traces_event *event,
                 struct analysis_flow_value *result);

    /* A token, formed in cycle `formed`, enters the input queue of its PE. Called only for events
     * of level `queues`. */
    void (*enter)(void *context, const struct traces_event *event, uint64_t formed,
                  struct analysis_flow_value *value);
};

struct analysis_flow_token; /* defined in flow.c */

struct analysis_flow {
    struct analysis_flow_listener listener;
    const struct isa_graph *graph;       /* borrowed */
    struct traces_live_tokens tokens;    /* items are struct analysis_flow_token */
    const struct traces_live_tags *live; /* borrowed */
    /* values of the operands that the current firing has got */
    LIB_VEC(struct analysis_flow_value) operands;
    /* value that the next sent tokens get */
    struct analysis_flow_value result;
    struct analysis_flow_value fired; /* value of the last turn or firing */
    /* ring of the hashes of tokens to prefetch, the last at index `foreseen` - 1 */
    uint32_t soon[16], foreseen;
};

/* Starts a flow. `live` are the live activations. The caller must update them with each event:
 * before analysis_flow_take processes it, but after that if the event is GONE. */
void analysis_flow_start(struct analysis_flow *flow, const struct traces_live_tags *live,
                         const struct analysis_flow_listener *listener);
void analysis_flow_free(struct analysis_flow *flow);

/* Prefetches what analysis_flow_take will look up for some of the next events. Each event may be
 * passed once, some 64 events before it is taken. */
void analysis_flow_foresee(struct analysis_flow *flow, const struct traces_event *events,
                           size_t count);

/* Processes the next event. */
void analysis_flow_take(struct analysis_flow *flow, const struct traces_event *event);

#endif
