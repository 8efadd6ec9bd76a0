/* Values of tokens in events. If a run records them (machine/token_values.h), an event SENT has the
 * value of its token in the member `b`, which is not a field in traces/events.def. Event files do
 * not store it. */
#ifndef TRACES_TOKEN_VALUE_H
#define TRACES_TOKEN_VALUE_H

#include "traces/events.h"

/* Give the value of the token in an event SENT, as text or for findings. Empty for other events,
 * arrays, tensors and tokens without a value. */
void traces_token_value_write(const struct isa_graph *graph,
                              const struct traces_event *event, struct lib_text *out);
struct lib_value traces_token_value(const struct isa_graph *graph,
                                    const struct traces_event *event);

#endif
