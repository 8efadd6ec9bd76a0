/* Events: the steps of a run, in the total order of doc/model.md ("The events of a run"). The table
 * traces/events.def lists their kinds and fields. Everything that explains or draws a run (traces,
 * analyses, exports, reports) reads a stream of events.
 *
 *     machine, replayed recording, event file  -->  filter, window  -->  sink
 *
 * A sink gets a stream in blocks, and cannot know which of these sources it comes from. A sink only
 * observes: a run does the same with it and without, and ends with the same statistics and digests.
 *
 * A stream has a level, and contains the events of all levels up to it. The first events of
 * programs/examples/factorial.df, as `hiaton trace text` prints them (some fields are left out):
 *
 *     cycle  pe  event  node opcode   tag
 *         0   6  taken  %0 call       []   operand=-  from=the start  how=fires  (a token, issued)
 *         0   6  fired  %0 call       []   depth=1  formed=5                     (its firing)
 *         0   3  call   %0 call       [0]  parent=1  site=0        (the activation it makes)
 *         0   6  sent   %4 merge      [0]  to=3  operand=0  formed=5      (a token it sends)
 *         0   6  sent   %1 return     [0]  to=3  operand=1  formed=5
 *         9   3  taken  %4 merge      [0]  operand=0  from=the queue  how=fires
 *
 * Invariants:
 *   - Cycles never decrease, except in END if a run ends before the window of the stream begins.
 *   - A stream begins with the activations and arrays alive, and ends with END.
 *   - An activation is named by its isa_tag, which another one can get after GONE. The event that
 *     makes it (PRESENT, CALL, ITERATION, GATHER) comes before all others that name it.
 *     traces/live_tags.h keeps the activations alive at a place in a stream.
 *   - Instructions are nodes of the image. Values do not appear, except those that a host feeds.
 *
 * A sink that counts firings:
 *
 *     static void count_firings(void *context, const struct traces_event *events, size_t count)
 *     {
 *         for (size_t i = 0; i < count; i++)
 *             *(uint64_t *)context += events[i].kind == TRACES_EVENT_FIRED;
 *     }
 *     struct traces_event_sink sink = {TRACES_LEVEL_FIRINGS, count_firings, &firings};
 */
#ifndef TRACES_EVENTS_H
#define TRACES_EVENTS_H

#include "isa/graph.h"
#include "lib/findings.h"
#include "lib/memory.h"
#include "lib/text.h"

#include <assert.h>

enum traces_level {
#define LEVEL(NAME, text, help) TRACES_LEVEL_##NAME,
#include "traces/events.def"
    TRACES_LEVEL_COUNT,
};

enum traces_outcome {
#define OUTCOME(NAME, FATE, text, help) TRACES_OUTCOME_##NAME,
#include "traces/events.def"
    TRACES_OUTCOME_COUNT,
};

enum traces_holder {
#define HOLDER(NAME, text, help) TRACES_HOLDER_##NAME,
#include "traces/events.def"
    TRACES_HOLDER_COUNT,
};

enum traces_place {
#define PLACE(NAME, text, help) TRACES_PLACE_##NAME,
#include "traces/events.def"
    TRACES_PLACE_COUNT,
};

enum traces_event_kind {
#define EVENT(NAME, text, LEVEL, fields, help) TRACES_EVENT_##NAME,
#include "traces/events.def"
    TRACES_EVENT_COUNT,
};

/* An event of a run. Its row in traces/events.def names the members that it uses; the others are
 * 0. */
struct traces_event {
    uint64_t cycle;
    uint64_t a;
    union {
        uint64_t b;
        struct {
            uint32_t parent, site;
        };
    };
    uint32_t instr, tag, pe;
    union {
        uint32_t to;
        uint32_t from; /* where a token came from: enum traces_holder */
    };
    uint32_t port;
    uint8_t kind; /* enum traces_event_kind */
    uint8_t how;  /* enum traces_outcome, enum traces_place or enum isa_end */
    uint16_t unused;
};

static_assert(sizeof(struct traces_event) == 48, "an event is small");

/* Value of a member that has no activation, instruction, operand or PE. */
#define TRACES_NONE UINT32_MAX

/* Added to `port` in events of messages that are not tokens, so that it differs from the `port` of
 * any token: to the operand index of a message for a tensor, or to the number of a release. */
enum { TRACES_PORT_TENSOR = 2 };

/* Consumer of the events of `level` and lower levels. `take` gets them in order, in blocks of any
 * size. A block is only valid during the call. */
struct traces_event_sink {
    enum traces_level level;
    void (*take)(void *context, const struct traces_event *events, size_t count);
    void *context;
};

/* --- the tables of traces/events.def ---------------------------------------------------- */

enum traces_meaning {
    TRACES_MEANS_PE,
    TRACES_MEANS_INSTR,
    TRACES_MEANS_PORT,
    TRACES_MEANS_TAG,
    TRACES_MEANS_SITE,
    TRACES_MEANS_CYCLE,
    TRACES_MEANS_COUNT,
    TRACES_MEANS_STRUCTURE,
    TRACES_MEANS_OUTCOME,
    TRACES_MEANS_HOLDER,
    TRACES_MEANS_END,
    TRACES_MEANS_PLACE,
    TRACES_MEANS_NUMBER,
    TRACES_MEANS_VALUE,
};

struct traces_event_field {
    const char *text; /* name of the field; NULL: end of the array */
    enum traces_meaning meaning;
    /* offset and size of the member of struct traces_event, in bytes */
    uint8_t offset, size;
};

enum { TRACES_EVENT_MAX_FIELDS = 10 };

struct traces_event_row {
    const char *text;
    enum traces_level level;
    struct traces_event_field fields[TRACES_EVENT_MAX_FIELDS + 1];
    const char *help;
};

extern const struct traces_event_row traces_event_table[TRACES_EVENT_COUNT];

/* Name and help of a level, outcome, holder or place: row of one of the tables below. */
struct traces_event_word {
    const char *text, *help;
};

extern const struct traces_event_word traces_level_table[TRACES_LEVEL_COUNT];
extern const struct traces_event_word traces_outcome_table[TRACES_OUTCOME_COUNT];
extern const struct traces_event_word traces_holder_table[TRACES_HOLDER_COUNT];
extern const struct traces_event_word traces_place_table[TRACES_PLACE_COUNT];

enum traces_level traces_level_find(const char *name);

uint64_t traces_event_get(const struct traces_event *event,
                          const struct traces_event_field *field);

/* Whether the value of a field is shown as a number (or `-` for none), not as a word of a table. */
static inline bool traces_event_field_is_number(const struct traces_event_field *field)
{
    return field->meaning != TRACES_MEANS_OUTCOME &&
           field->meaning != TRACES_MEANS_HOLDER &&
           field->meaning != TRACES_MEANS_PLACE && field->meaning != TRACES_MEANS_END;
}

/* Returns the type of the value that a host feeds by an event FEED. A tensor's value is its
 * hash. */
enum isa_type traces_event_type(const struct isa_graph *graph,
                                const struct traces_event *event);

void traces_event_write_value(const struct isa_graph *graph,
                              const struct traces_event *event, struct lib_text *out);

/* Returns an int, real or bool as findings show it: as a word if it is not finite. */
struct lib_value traces_value(enum isa_type type, isa_value value);

/* Returns the value of an event FEED for findings: a number or bool, a word if not finite, or the
 * hash of a tensor. */
struct lib_value traces_event_value(const struct isa_graph *graph,
                                    const struct traces_event *event);

/* Adds the value of a field as text. How a run ended is written as an integer, its enum isa_end; a
 * value that a host fed as the unsigned integer with the same 64 bits. */
void traces_event_write_field(const struct traces_event *event,
                              const struct traces_event_field *field,
                              struct lib_text *out);

/* Adds an event as text: "fired pe=0 node=4 activation=1 depth=2 formed=20". */
void traces_event_write(const struct traces_event *event, struct lib_text *out);

/* Whether an event is about a message that is not a token: for a tensor, or a release. */
static inline bool traces_event_is_message(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_FETCH || event->kind == TRACES_EVENT_RELEASE;
}

/* Whether an event (TAKEN or RELEASED) has in `how` the outcome of a token. */
static inline bool traces_event_is_step(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_TAKEN || event->kind == TRACES_EVENT_RELEASED;
}

#endif
