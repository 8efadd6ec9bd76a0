/* What there is at a place in a stream of events (traces/events.h): activations, arrays, and tokens in
 * queues. From it a stream can begin there, as one does that a machine begins. */
#ifndef TRACES_PRESENT_H
#define TRACES_PRESENT_H

#include "traces/live_tags.h"

/* What would be told of an array or of a token; `order`: 0: this place is empty; else of two that entered
 * the same queue, the first has the lower one. */
struct traces_present_item {
    uint64_t key, order;
    struct traces_event event;
};

struct traces_present_items { /* a hash table, by key */
    struct traces_present_item *places;
    size_t count, mask;
};

struct traces_present {
    struct traces_live_tags tags;
    struct traces_present_items arrays, queued;
    uint64_t order;
    bool has_queues; /* tokens in queues are kept too */
};

/* The events that a stream begins with. */
typedef LIB_VEC(struct traces_event) traces_event_vec;

void traces_present_start(struct traces_present *present, const struct isa_graph *graph,
                          bool has_queues);
void traces_present_free(struct traces_present *present);

/* How many events traces_present_tell adds. */
size_t traces_present_count(const struct traces_present *present);

/* Takes notice of an event. false: it cannot be. */
bool traces_present_note(struct traces_present *present,
                         const struct traces_event *event);

/* Adds what is there, as it is told at the beginning of a stream, in a cycle. */
void traces_present_tell(const struct traces_present *present, uint64_t cycle,
                         traces_event_vec *out);

#endif
