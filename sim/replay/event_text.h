/* Events as people and programs read them: a line for each, or a JSON object on a line. */
#ifndef SIM_REPLAY_EVENT_TEXT_H
#define SIM_REPLAY_EVENT_TEXT_H

#include "traces/live_tags.h"

struct sim_event_text {
    const struct isa_graph *graph;
    struct traces_live_tags tags;
    bool json;
    uint32_t last_tag; /* whose text `tag` is; TRACES_NONE: of none */
    struct lib_text tag;
    uint64_t wrong; /* events that cannot be */
};

void sim_event_text_start(struct sim_event_text *text, const struct isa_graph *graph,
                          bool json);
void sim_event_text_free(struct sim_event_text *text);

/* Adds the names of what stands in a line. */
void sim_event_text_heading(struct lib_text *out);

/* Takes notice of the next event of a stream, and adds it as a line; `out` NULL: takes notice
 * only. */
void sim_event_text_add(struct sim_event_text *text, const struct traces_event *event,
                        struct lib_text *out);

/* Adds an event that is not noticed, without what makes activations known. */
void sim_event_text_peek(struct sim_event_text *text, const struct traces_event *event,
                         struct lib_text *out);

#endif
