/* Events of a range of cycles of a stream, as a stream of its own. Its first events describe the
 * state when the range begins; the last one is END. */
#ifndef TRACES_WINDOW_H
#define TRACES_WINDOW_H

#include "traces/present.h"

struct traces_window {
    uint64_t from, to; /* range of cycles, from `from` to `to` - 1 */
    /* member `how` (enum isa_end) of the event END if the run continues after the window */
    uint8_t goes_on;
    struct traces_event_sink sink;
    struct traces_present present; /* state of the run, updated until the window begins */
    traces_event_vec pending;      /* events that the sink has not got yet */
    uint64_t cycle;                /* cycle of the latest event of the stream */
    bool has_begun, has_ended;
    bool is_wrong; /* an event before the window is impossible: damaged stream */
};

void traces_window_start(struct traces_window *window, uint64_t from, uint64_t to,
                         uint8_t goes_on, struct traces_event_sink sink);
void traces_window_free(struct traces_window *window);

/* Returns the window as a sink, which must get the stream from its beginning to the end of the
 * window or to END. */
struct traces_event_sink traces_window_sink(struct traces_window *window);

#endif
