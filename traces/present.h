/* What there is at a place in a stream of events (traces/events.h): activations, arrays, and
 * tokens in queues. From it a stream can begin there, as one does that a machine begins. It keeps
 * less of activations than traces/live_tags.h, and is faster: who writes a file of events notes
 * all of them. */
#ifndef TRACES_PRESENT_H
#define TRACES_PRESENT_H

#include "traces/live_tokens.h"

/* What would be told of an activation. */
struct traces_present_tag {
    uint64_t iteration;
    uint32_t tag, parent, site, pe;
};

/* Those alive stand in `made` in the order in which they were made, so that parents come before
 * their children. Others stand among them: those at whose number another one stands, or none. */
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
    bool
        is_lifo; /* of equal tokens in an input queue the newest one leaves, not the oldest */
};

/* The events that a stream begins with. */
typedef LIB_VEC(struct traces_event) traces_event_vec;

void traces_present_start(struct traces_present *present, bool has_queues);
void traces_present_free(struct traces_present *present);

/* How many events traces_present_tell adds. */
size_t traces_present_count(const struct traces_present *present);

/* Takes notice of an event. false: it cannot be, as when an activation is made whose parent is not
 * alive. */
bool traces_present_note(struct traces_present *present,
                         const struct traces_event *event);

/* Adds what is there, as it is told at the beginning of a stream, in a cycle: activations by the
 * length of their tag, and then by number; */
void traces_present_tell(struct traces_present *present, uint64_t cycle,
                         traces_event_vec *out);

/* or as they were made, which is faster; parents come before their children too. */
void traces_present_tell_as_made(struct traces_present *present, uint64_t cycle,
                                 traces_event_vec *out);

#endif
