/* State at a point of a stream of events (traces/events.h): live activations, arrays, and tokens in
 * queues. It can be emitted as the first events of a stream that begins there. It keeps less of
 * each activation than traces/live_tags.h and is faster, which writers of event files need. */
#ifndef TRACES_PRESENT_H
#define TRACES_PRESENT_H

#include "traces/live_tokens.h"

/* Live activation: the fields of the event PRESENT that describes it. */
struct traces_present_tag {
    uint64_t iteration;
    uint32_t tag, parent, site, pe;
};

/* Activations in the order in which they were made, parents first. Freed ones stay in `made` but
 * not in `index`. */
struct traces_present_tags {
    LIB_VEC(struct traces_present_tag) made;
    struct lib_hash_index index;
};

/* Live array, or token in a queue. `name` has the halves of the identifier of an array (field `b`
 * of its events), or the name of a token. */
struct traces_present_item {
    struct traces_live_token name;
    uint64_t order; /* rank in the order in which arrays and tokens were added */
    union {
        uint64_t length;
        struct {
            /* index of the queue that has the token, and its kind (enum traces_place) */
            uint32_t to, how;
        };
    };
};
static_assert(sizeof(struct traces_present_item) == 32, "two in a line of a cache");

struct traces_present {
    struct traces_present_tags tags;
    struct traces_live_tokens arrays, queued; /* tables of struct traces_present_item */
    uint64_t order;
    bool has_queues; /* tokens in queues are recorded */
    /* Of equal tokens in an input queue, the newest leaves first, not the oldest. */
    bool is_lifo;
};

typedef LIB_VEC(struct traces_event) traces_event_vec;

void traces_present_start(struct traces_present *present, bool has_queues);
void traces_present_free(struct traces_present *present);

/* Returns the number of events that traces_present_emit would add. */
size_t traces_present_count(const struct traces_present *present);

/* Updates the state by an event. Returns false if the event is impossible, for example if the
 * parent of a new activation is not alive. */
bool traces_present_note(struct traces_present *present,
                         const struct traces_event *event);

/* Adds the state as the first events of a stream that begins in `cycle`. Activations are sorted by
 * the length of their tags, then by identifier. */
void traces_present_emit(struct traces_present *present, uint64_t cycle,
                         traces_event_vec *out);

/* Like traces_present_emit, but faster: activations are in the order in which they were made. */
void traces_present_emit_as_made(struct traces_present *present, uint64_t cycle,
                                 traces_event_vec *out);

#endif
