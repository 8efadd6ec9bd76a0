/* Events for people and programs: a line of text, or a JSON object on a line, for each. */
#ifndef SIM_REPLAY_EVENT_TEXT_H
#define SIM_REPLAY_EVENT_TEXT_H

#include "traces/live_tags.h"

struct sim_event_text {
    const struct isa_graph *graph;
    struct traces_live_tags tags;
    bool json;
    bool values;       /* with the values of tokens, of events that have them */
    uint32_t last_tag; /* number of the activation whose tag `tag` is; or TRACES_NONE */
    struct lib_text tag;
    uint64_t wrong; /* count of impossible events */
};

void sim_event_text_start(struct sim_event_text *text, const struct isa_graph *graph,
                          bool json);
void sim_event_text_free(struct sim_event_text *text);

/* Adds the headings of the columns. */
void sim_event_text_heading(struct lib_text *out);

/* Notes the next event of a stream, and adds it as a line unless `out` is NULL. */
void sim_event_text_add(struct sim_event_text *text, const struct traces_event *event,
                        struct lib_text *out);

/* Adds an event without noting it; it does not change which activations are known. */
void sim_event_text_peek(struct sim_event_text *text, const struct traces_event *event,
                         struct lib_text *out);

#endif
