#include "traces/exports/columns.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool is_word(enum traces_meaning meaning)
{
    return meaning == TRACES_MEANS_OUTCOME || meaning == TRACES_MEANS_HOLDER ||
           meaning == TRACES_MEANS_END || meaning == TRACES_MEANS_PLACE;
}

static size_t find_column(const struct export_columns *c, const char *name)
{
    size_t i = 0;
    while (i < c->count && strcmp(c->items[i].name, name) != 0)
        i++;
    return i;
}

static size_t add_column(struct export_columns *c, const struct traces_event_field *field)
{
    char name[EXPORT_COLUMN_NAME];
    const bool is_text = is_word(field->meaning);
    snprintf(name, sizeof name, "%s",
             field->meaning == TRACES_MEANS_INSTR ? "node" : field->text);
    size_t i = find_column(c, name);
    if (i < c->count && c->items[i].is_text != is_text) {
        snprintf(name, sizeof name, "%.8s_%s", field->text, is_text ? "word" : "cycle");
        i = find_column(c, name);
    }
    if (i < c->count)
        return i;
    assert(c->count < EXPORT_MAX_COLUMNS);
    memcpy(c->items[i].name, name, sizeof name);
    c->items[i].is_text = is_text;
    return c->count++;
}

void export_columns_make(struct export_columns *c)
{
    *c = (struct export_columns){0};
    for (size_t kind = 0; kind < TRACES_EVENT_COUNT; kind++)
        for (size_t i = 0; traces_event_table[kind].fields[i].text; i++)
            c->of[kind][i] = (uint8_t)add_column(c, &traces_event_table[kind].fields[i]);
}

static const char *word_of(const struct traces_exporter *x, enum traces_meaning meaning,
                           uint64_t value)
{
    switch (meaning) {
    case TRACES_MEANS_OUTCOME:
        return traces_outcome_table[value].text;
    case TRACES_MEANS_HOLDER:
        return traces_holder_table[value].text;
    case TRACES_MEANS_PLACE:
        return traces_place_table[value].text;
    case TRACES_MEANS_END:
        return x->request->end_name((unsigned)value);
    default:
        return NULL;
    }
}

void export_columns_get(const struct export_columns *c, const struct traces_exporter *x,
                        const struct traces_event *event, struct export_cell *cells)
{
    const struct traces_event_field *fields = traces_event_table[event->kind].fields;
    memset(cells, 0, c->count * sizeof *cells);
    for (size_t i = 0; fields[i].text; i++) {
        const uint64_t value = traces_event_get(event, &fields[i]);
        const bool is_none = fields[i].size == sizeof event->tag && value == TRACES_NONE;
        const bool is_fed = fields[i].meaning == TRACES_MEANS_VALUE;
        cells[c->of[event->kind][i]] = (struct export_cell){
            !is_none, value, word_of(x, fields[i].meaning, value), is_fed,
            is_fed ? traces_event_type(x->request->graph, event) : ISA_INT};
    }
}

static uint32_t field_of(const struct traces_event *event, enum traces_meaning meaning)
{
    for (const struct traces_event_field *f = traces_event_table[event->kind].fields;
         f->text; f++)
        if (f->meaning == meaning)
            return (uint32_t)traces_event_get(event, f);
    return TRACES_NONE;
}

uint32_t export_node_of(const struct traces_event *event)
{
    return field_of(event, TRACES_MEANS_INSTR);
}

const struct traces_live_tag *export_tag_of(const struct traces_exporter *x,
                                            const struct traces_event *event)
{
    return traces_live_tags_find(&x->scene.tags, field_of(event, TRACES_MEANS_TAG));
}
