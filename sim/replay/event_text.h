/* Writes events as text for people, or as JSON for programs: one line per event. */
#ifndef SIM_REPLAY_EVENT_TEXT_H
#define SIM_REPLAY_EVENT_TEXT_H

#include "traces/live_tags.h"

struct sim_event_text {
    const struct isa_graph *graph;
    struct traces_live_tags tags;
    bool json;
    bool values; /* write the values of tokens, if events have them */
    /* Activation whose tag is in `tag`, as text for further events; TRACES_NONE: none. */
    uint32_t last_tag;
    struct lib_text tag;
    uint64_t wrong; /* number of events that no run can emit */
};

void sim_event_text_start(struct sim_event_text *text, const struct isa_graph *graph,
                          bool json);
void sim_event_text_free(struct sim_event_text *text);

/* Appends the line of column names. */
void sim_event_text_heading(struct lib_text *out);

/* Updates the activations known so far by the next event of a run, and appends the event as a line
 * unless `out` is NULL. */
void sim_event_text_add(struct sim_event_text *text, const struct traces_event *event,
                        struct lib_text *out);

/* Appends an event as a line, without updating the known activations. */
void sim_event_text_peek(struct sim_event_text *text, const struct traces_event *event,
                         struct lib_text *out);

#endif
