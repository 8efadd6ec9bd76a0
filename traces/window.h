/* A part of a stream of events, as a stream of its own: the events of some cycles. It begins with
 * what there is then, and ends with END. */
#ifndef TRACES_WINDOW_H
#define TRACES_WINDOW_H

#include "traces/present.h"

struct traces_window {
    uint64_t from, to; /* the cycles `from` to `to` - 1 */
    uint8_t goes_on;   /* how it ends if the run goes on behind it (enum isa_end) */
    struct traces_event_sink sink;
    struct traces_present present; /* until it begins */
    traces_event_vec told;
    uint64_t cycle; /* of the last event before it */
    bool has_begun, has_ended;
    bool is_wrong; /* an event before it cannot be */
};

/* The sink gets the events of its level. */
void traces_window_start(struct traces_window *window, uint64_t from, uint64_t to,
                         uint8_t goes_on, struct traces_event_sink sink);
void traces_window_free(struct traces_window *window);

/* Takes the whole stream, up to END or at least to the end of the window. */
struct traces_event_sink traces_window_sink(struct traces_window *window);

#endif
