/* Events: what happens in a run, one after the other, in the total order of doc/model.md ("The
 * events of a run"). traces/events.def says which there are, and what each of them tells.
 *
 * Who wants events gives the simulation a sink (sim/session/simulation.h). It takes them in blocks.
 * A live run, a run that is made again and a file look the same to it. A sink only looks on: with
 * it and without, a run does the same, and leaves the same statistics and digests.
 *
 * Values are never told, but for those that a host feeds. An activation is named by a number,
 * which is used again when it is gone; traces/live_tags.h keeps what there is of each.
 * Instructions are nodes of the graph. */
#ifndef TRACES_EVENTS_H
#define TRACES_EVENTS_H

#include "isa/graph.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/text.h"

#include <assert.h>

enum traces_level {
#define LEVEL(NAME, text, help) TRACES_LEVEL_##NAME,
#include "traces/events.def"
    TRACES_LEVEL_COUNT,
};

enum traces_outcome {
#define OUTCOME(NAME, text, help) TRACES_OUTCOME_##NAME,
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

/* What its rows in traces/events.def name; the rest is 0. */
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
        uint32_t from; /* enum traces_holder */
    };
    uint32_t port;
    uint8_t kind; /* enum traces_event_kind */
    uint8_t how;  /* enum traces_outcome, enum traces_place, or how a run ends */
    uint16_t unused;
};

static_assert(sizeof(struct traces_event) == 48, "an event is small");

/* There is none: no activation, no instruction; no PE of an activation that is not placed, as on an
 * executor; no operand of what fires at the start. */
#define TRACES_NONE UINT32_MAX

/* What is sent for a tensor is told with the operand which that is, and this much more: it is no
 * operand. */
enum { TRACES_PORT_TENSOR = 2 };

/* Takes events of its level, and of those below. `take` gets them in order, in blocks of any size,
 * and keeps none of the memory. */
struct traces_event_sink {
    enum traces_level level;
    void (*take)(void *context, const struct traces_event *events, size_t count);
    void *context;
};

/* --- what the table says ---------------------------------------------------------------- */

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
    const char *text; /* NULL: there are no more */
    enum traces_meaning meaning;
    uint8_t offset, size; /* in struct traces_event */
};

enum { TRACES_EVENT_MAX_FIELDS = 10 };

struct traces_event_row {
    const char *text;
    enum traces_level level;
    struct traces_event_field fields[TRACES_EVENT_MAX_FIELDS + 1];
    const char *help;
};

extern const struct traces_event_row traces_event_table[TRACES_EVENT_COUNT];

/* A name that a table of traces/events.def gives, and what it is. */
struct traces_event_word {
    const char *text, *help;
};

extern const struct traces_event_word traces_level_table[TRACES_LEVEL_COUNT];
extern const struct traces_event_word traces_outcome_table[TRACES_OUTCOME_COUNT];
extern const struct traces_event_word traces_holder_table[TRACES_HOLDER_COUNT];
extern const struct traces_event_word traces_place_table[TRACES_PLACE_COUNT];

/* The level of that name; TRACES_LEVEL_COUNT: there is none. */
enum traces_level traces_level_find(const char *name);

uint64_t traces_event_get(const struct traces_event *event,
                          const struct traces_event_field *field);

/* Whether what it says is a number, or `-` for none; else it is a word of a table. */
static inline bool traces_event_field_is_number(const struct traces_event_field *field)
{
    return field->meaning != TRACES_MEANS_OUTCOME &&
           field->meaning != TRACES_MEANS_HOLDER &&
           field->meaning != TRACES_MEANS_PLACE && field->meaning != TRACES_MEANS_END;
}

/* Type of the value that is fed by an event of kind TRACES_EVENT_FEED; ISA_TENSOR: the word of a
 * tensor. */
enum isa_type traces_event_type(const struct isa_graph *graph,
                                const struct traces_event *event);

/* Adds the value that an event feeds, as values of its type are written. */
void traces_event_write_value(const struct isa_graph *graph,
                              const struct traces_event *event, struct lib_text *out);

/* Adds the value that an event feeds to JSON: a number or a truth value. A real that is not finite is
 * a string. */
void traces_event_value_json(const struct isa_graph *graph,
                             const struct traces_event *event, const char *key,
                             struct lib_json *json);

/* Adds what a field says; how a run ends is a number (enum isa_end), and what is fed its 64 bits. */
void traces_event_write_field(const struct traces_event *event,
                              const struct traces_event_field *field,
                              struct lib_text *out);

/* Adds the event as words, "fired pe=0 node=4 activation=1 depth=2 formed=20". */
void traces_event_write(const struct traces_event *event, struct lib_text *out);

/* Whether a token that takes this step is delivered then. It counts in `tokens`, if it has an
 * operand (`port`): instructions of the start have none. */
static inline bool traces_outcome_delivers(enum traces_outcome step)
{
    return step <= TRACES_OUTCOME_ABSORBED || step == TRACES_OUTCOME_FAILS ||
           step == TRACES_OUTCOME_CARRIED;
}

/* Whether such a token is held back: it will be let go. */
static inline bool traces_outcome_holds(enum traces_outcome step)
{
    return (step >= TRACES_OUTCOME_BOUNDED && step <= TRACES_OUTCOME_ASKING) ||
           step == TRACES_OUTCOME_BATCHED || step == TRACES_OUTCOME_UNROOMED;
}

/* Whether an event says what becomes of a token (its field `how`). */
/* A message that is no operand: for a tensor, or a release. */
static inline bool traces_event_is_message(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_FETCH || event->kind == TRACES_EVENT_RELEASE;
}

static inline bool traces_event_is_step(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_TAKEN || event->kind == TRACES_EVENT_RELEASED;
}

#endif
