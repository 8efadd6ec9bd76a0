/* What depends on what in a run, from its events of the level `all`: which tokens make an
 * instruction fire, and which tokens a firing sends. Each token has a value, which is the
 * listener's: a time, or the number of something. It goes from a firing to the tokens that it
 * sends, and from these to the firing that takes them.
 *
 * What is followed: tokens; operands that wait; tokens that are held back and go on; requests;
 * deferred reads and the writes that answer them; constants of loops, also for tokens that were
 * parked. A read of what is written already does not say who wrote it. */
#ifndef ANALYSIS_STREAM_FLOW_H
#define ANALYSIS_STREAM_FLOW_H

#include "isa/graph.h"
#include "lib/memory.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

struct analysis_flow_value {
    uint64_t at[2];
};

/* What is NULL is not asked: a value then goes on as it is. */
struct analysis_flow_listener {
    void *context;
    /* A token has its turn, or goes on: its value from now on. */
    void (*turn)(void *context, const struct traces_event *event, uint32_t from_pe,
                 struct analysis_flow_value *value);
    /* FIRED or DEAD, with the values of its operands, which may be none. What it sends has
     * `result`. */
    void (*fire)(void *context, const struct traces_event *event,
                 const struct analysis_flow_value *operands, size_t count,
                 struct analysis_flow_value *result);
    /* The read `event` is answered by the firing of `result`: what it sends has `answer`, which
     * is that of the read at first. */
    void (*answer)(void *context, const struct traces_event *event,
                   const struct analysis_flow_value *result,
                   struct analysis_flow_value *answer);
    /* A token, a request or a parked token that is formed again: its value, which is that of what
     * sends it at first. Of WOKEN `parked` is that which it had; else NULL. */
    void (*send)(void *context, const struct traces_event *event,
                 const struct analysis_flow_value *parked,
                 struct analysis_flow_value *value);
    /* A HOLD has fired: what its constant has, which is the result at first. */
    void (*hold)(void *context, struct analysis_flow_value *constant);
    /* COPY, in a firing: its result changes. */
    void (*copy)(void *context, const struct traces_event *event,
                 struct analysis_flow_value *result);
    /* A token that was formed in cycle `formed` comes into the input queue of its PE: of the
     * level `queues`. */
    void (*enter)(void *context, const struct traces_event *event, uint64_t formed,
                  struct analysis_flow_value *value);
};

struct analysis_flow_token; /* flow.c */

struct analysis_flow {
    struct analysis_flow_listener listener;
    const struct isa_graph *graph;                /* borrowed */
    struct traces_live_tokens tokens;             /* struct analysis_flow_token */
    const struct traces_live_tags *live;          /* borrowed */
    LIB_VEC(struct analysis_flow_value) operands; /* of the firing at hand */
    struct analysis_flow_value result;            /* what is sent has it */
    struct analysis_flow_value fired;             /* the firing at hand */
};

/* `live`: the activations alive. Who has them notes an event before the flow takes it, but GONE
 * behind. */
void analysis_flow_start(struct analysis_flow *flow, const struct traces_live_tags *live,
                         const struct analysis_flow_listener *listener);
void analysis_flow_free(struct analysis_flow *flow);

/* Events, in order. */
void analysis_flow_take(struct analysis_flow *flow, const struct traces_event *event);

#endif
