/* A window: the events of some cycles of a stream, as a stream of its own. It begins with the state
 * at its first cycle, and ends with END. */
#ifndef TRACES_WINDOW_H
#define TRACES_WINDOW_H

#include "traces/present.h"

struct traces_window {
    uint64_t from, to; /* cycles `from` to `to` - 1 */
    /* End that END reports if the run continues after the window (enum isa_end). */
    uint8_t goes_on;
    struct traces_event_sink sink;
    struct traces_present present; /* state until it begins */
    traces_event_vec pending;      /* events that were not passed to the sink yet */
    uint64_t cycle;                /* cycle of the last event before it */
    bool has_begun, has_ended;
    bool is_wrong; /* an event before it is impossible */
};

/* Starts a window whose events go to `sink`. */
void traces_window_start(struct traces_window *window, uint64_t from, uint64_t to,
                         uint8_t goes_on, struct traces_event_sink sink);
void traces_window_free(struct traces_window *window);

/* Returns a sink for the whole stream, up to END, or at least up to the end of the window. */
struct traces_event_sink traces_window_sink(struct traces_window *window);

#endif
