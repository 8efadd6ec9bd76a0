#include "traces/events.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const struct traces_event_row traces_event_table[TRACES_EVENT_COUNT] = {
#define FIELD(member, MEANING, text)                                                     \
    {text, TRACES_MEANS_##MEANING, offsetof(struct traces_event, member),                \
     sizeof((struct traces_event *)NULL)->member},
#define EVENT(NAME, text, LEVEL, fields, help)                                           \
    [TRACES_EVENT_##NAME] = {text, TRACES_LEVEL_##LEVEL, {fields}, help},
#include "traces/events.def"
#undef FIELD
};

const struct traces_event_word traces_level_table[TRACES_LEVEL_COUNT] = {
#define LEVEL(NAME, text, help) [TRACES_LEVEL_##NAME] = {text, help},
#include "traces/events.def"
};

const struct traces_event_word traces_outcome_table[TRACES_OUTCOME_COUNT] = {
#define OUTCOME(NAME, FATE, text, help) [TRACES_OUTCOME_##NAME] = {text, help},
#include "traces/events.def"
};

const struct traces_event_word traces_holder_table[TRACES_HOLDER_COUNT] = {
#define HOLDER(NAME, text, help) [TRACES_HOLDER_##NAME] = {text, help},
#include "traces/events.def"
};

const struct traces_event_word traces_place_table[TRACES_PLACE_COUNT] = {
#define PLACE(NAME, text, help) [TRACES_PLACE_##NAME] = {text, help},
#include "traces/events.def"
};

enum traces_level traces_level_find(const char *name)
{
    enum traces_level level = 0;
    while (level < TRACES_LEVEL_COUNT &&
           strcmp(traces_level_table[level].text, name) != 0)
        level++;
    return level;
}

uint64_t traces_event_get(const struct traces_event *event,
                          const struct traces_event_field *field)
{
    const char *at = (const char *)event + field->offset;
    uint64_t value;
    uint32_t half;
    if (field->size == sizeof event->kind)
        return *(const uint8_t *)at;
    if (field->size == sizeof half) {
        memcpy(&half, at, sizeof half);
        return half;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

enum isa_type traces_event_type(const struct isa_graph *graph,
                                const struct traces_event *event)
{
    const bool is_known = event->port < graph->port_count &&
                          event->to < graph->ports[event->port].part_count;
    return is_known ? graph->ports[event->port].parts[event->to].type : ISA_INT;
}

void traces_event_write_value(const struct isa_graph *graph,
                              const struct traces_event *event, struct lib_text *out)
{
    const enum isa_type type = traces_event_type(graph, event);
    if (type == ISA_TENSOR)
        lib_text_printf(out, "%" PRIu64, event->a);
    else
        isa_value_write(out, type, event->a);
}

struct lib_value traces_value(enum isa_type type, isa_value value)
{
    const double real = isa_value_real(value);
    if (type == ISA_BOOL)
        return lib_flag(value != 0);
    if (type == ISA_INT)
        return lib_int(isa_value_int(value));
    return isfinite(real) ? lib_real(real)
                          : lib_word(isnan(real)     ? "nan"
                                     : signbit(real) ? "-inf"
                                                     : "inf");
}

struct lib_value traces_event_value(const struct isa_graph *graph,
                                    const struct traces_event *event)
{
    const enum isa_type type = traces_event_type(graph, event);
    return type == ISA_TENSOR ? lib_count(event->a) : traces_value(type, event->a);
}

void traces_event_write_field(const struct traces_event *event,
                              const struct traces_event_field *f, struct lib_text *out)
{
    const uint64_t value = traces_event_get(event, f);
    if (f->meaning == TRACES_MEANS_OUTCOME)
        lib_text_puts(out, traces_outcome_table[value].text);
    else if (f->meaning == TRACES_MEANS_PLACE)
        lib_text_puts(out, traces_place_table[value].text);
    else if (f->meaning == TRACES_MEANS_HOLDER)
        lib_text_puts(out, traces_holder_table[value].text);
    else if (f->size == sizeof event->tag && value == TRACES_NONE)
        lib_text_puts(out, "-");
    else
        lib_text_printf(out, "%" PRIu64, value);
}

void traces_event_write(const struct traces_event *event, struct lib_text *out)
{
    const struct traces_event_row *row = &traces_event_table[event->kind];
    lib_text_puts(out, row->text);
    for (const struct traces_event_field *f = row->fields; f->text; f++) {
        lib_text_printf(out, " %s=", f->text);
        traces_event_write_field(event, f, out);
    }
}
