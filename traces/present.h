/* The state at a place in a stream of events (traces/events.h): activations, arrays, and tokens in
 * queues. A stream can begin there with this state, as the stream of a machine begins. The table
 * keeps less of activations than traces/live_tags.h and is faster, because writers of event files
 * note every event. */
#ifndef TRACES_PRESENT_H
#define TRACES_PRESENT_H

#include "traces/live_tokens.h"

/* The fields of an activation in an event PRESENT. */
struct traces_present_tag {
    uint64_t iteration;
    uint32_t tag, parent, site, pe;
};

/* Activations in the order in which they were made, so that parents come before their children.
 * Entries of freed activations remain among them; those are the entries that `index` does not
 * name. */
struct traces_present_tags {
    LIB_VEC(struct traces_present_tag) made;
    struct lib_hash_index index;
};

/* An array, whose number is its name, or a token in a queue. There may be many. */
struct traces_present_item {
    struct traces_live_token name;
    uint64_t order; /* of two that entered the same queue, the first has the lower one */
    union {
        uint64_t length; /* of an array */
        struct {
            uint32_t to, how; /* of a token: the queue, and enum traces_place */
        };
    };
};
static_assert(sizeof(struct traces_present_item) == 32, "two in a line of a cache");

struct traces_present {
    struct traces_present_tags tags;
    struct traces_live_tokens arrays, queued; /* struct traces_present_item */
    uint64_t order;
    bool has_queues; /* tokens in queues are kept too */
    bool is_lifo; /* the newest of equal tokens leaves an input queue, not the oldest */
};

/* Events at the beginning of a stream. */
typedef LIB_VEC(struct traces_event) traces_event_vec;

void traces_present_start(struct traces_present *present, bool has_queues);
void traces_present_free(struct traces_present *present);

/* Returns the number of events that traces_present_emit adds. */
size_t traces_present_count(const struct traces_present *present);

/* Updates the state by an event. Returns false if the event is impossible, for example if the
 * parent of a new activation is not alive. */
bool traces_present_note(struct traces_present *present,
                         const struct traces_event *event);

/* Adds the state as the first events of a stream that begins in a cycle. Activations are in the
 * order of the length of their tags, then of their numbers. */
void traces_present_emit(struct traces_present *present, uint64_t cycle,
                         traces_event_vec *out);

/* As traces_present_emit, with activations in the order in which they were made, which is faster.
 * Parents come before their children too. */
void traces_present_emit_as_made(struct traces_present *present, uint64_t cycle,
                                 traces_event_vec *out);

#endif
