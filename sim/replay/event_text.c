#include "sim/replay/event_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "isa/op.h"
#include "lib/json.h"
#include "sim/ending/ending.h"
#include "traces/token_value.h"

void sim_event_text_start(struct sim_event_text *t, const struct isa_graph *graph,
                          bool json)
{
    *t = (struct sim_event_text){.graph = graph, .json = json, .last_tag = TRACES_NONE};
    traces_live_tags_start(&t->tags, graph, true);
}

void sim_event_text_free(struct sim_event_text *t)
{
    traces_live_tags_free(&t->tags);
    lib_text_free(&t->tag);
}

/* --- fields of an event --------------------------------------------------------------------- */

struct about {
    const struct isa_node *node; /* NULL: none */
    uint32_t instr;
    const char *function; /* NULL: none */
    const char *tag;      /* NULL: none */
    uint32_t pe;
    bool has_pe;
};

static const struct traces_event_field *find_field(const struct traces_event *e,
                                                   enum traces_meaning meaning)
{
    const struct traces_event_field *f = traces_event_table[e->kind].fields;
    while (f->text && f->meaning != meaning)
        f++;
    return f->text ? f : NULL;
}

/* Returns the tag of an activation as text, or NULL if it is unknown. */
static const char *tag_of(struct sim_event_text *t, uint32_t number)
{
    const struct traces_live_tag *tag = traces_live_tags_find(&t->tags, number);
    if (!tag)
        return NULL;
    if (t->last_tag != number) {
        lib_text_clear(&t->tag);
        traces_live_tags_write(&t->tags, tag->tag, &t->tag);
        t->last_tag = number;
    }
    return lib_text_get(&t->tag);
}

static struct about about(struct sim_event_text *t, const struct traces_event *e)
{
    struct about a = {.has_pe = find_field(e, TRACES_MEANS_PE), .pe = e->pe};
    const struct traces_live_tag *tag = NULL;
    if (find_field(e, TRACES_MEANS_INSTR) && e->instr < t->graph->node_count) {
        a.instr = e->instr;
        a.node = &t->graph->nodes[e->instr];
        a.function = t->graph->functions[a.node->function].name;
    }
    if (find_field(e, TRACES_MEANS_TAG) && (e->kind != TRACES_EVENT_END || a.node)) {
        tag = traces_live_tags_find(&t->tags, e->tag);
        a.tag = tag_of(t, e->tag);
    }
    /* Tag of the activation that the event creates. */
    if (tag && (!a.node || find_field(e, TRACES_MEANS_SITE)))
        a.function = t->graph->functions[traces_live_tags_function(&t->tags, tag)].name;
    return a;
}

/* --- writing -------------------------------------------------------------------------------- */

static void write_value(const struct isa_graph *graph, const struct traces_event *e,
                        const struct traces_event_field *f, struct lib_text *out)
{
    if (f->meaning == TRACES_MEANS_END)
        lib_text_puts(out, sim_end_name(e->how));
    else if (f->meaning == TRACES_MEANS_VALUE)
        traces_event_write_value(graph, e, out);
    else
        traces_event_write_field(e, f, out);
}

static void write_json(const struct isa_graph *graph, const struct about *a, bool values,
                       const struct traces_event *e, struct lib_text *out)
{
    const struct lib_value token = values ? traces_token_value(graph, e) : lib_none();
    const struct traces_event_row *row = &traces_event_table[e->kind];
    struct lib_json json = {.out = out};
    LIB_TEXT_OWN value = {0};
    lib_json_open_line(&json, NULL, '{');
    lib_json_uint(&json, "cycle", e->cycle);
    lib_json_string(&json, "event", row->text);
    for (const struct traces_event_field *f = row->fields; f->text; f++) {
        const struct lib_value own = traces_event_value(graph, e);
        lib_text_clear(&value);
        write_value(graph, e, f, &value);
        if (f->meaning == TRACES_MEANS_VALUE)
            lib_value_put_json(&own, f->text, &json);
        else if (!traces_event_field_is_number(f))
            lib_json_string(&json, f->text, lib_text_get(&value));
        else if (lib_text_get(&value)[0] == '-')
            lib_json_null(&json, f->text);
        else
            lib_json_uint(&json, f->text, traces_event_get(e, f));
    }
    if (a->node) {
        lib_json_string(&json, "opcode", isa_op_table[a->node->op].text);
        lib_json_uint(&json, "line", a->node->pos.line);
        lib_json_uint(&json, "column", a->node->pos.column);
    }
    if (a->function)
        lib_json_string(&json, "function", a->function);
    if (a->tag)
        lib_json_string(&json, "tag", a->tag);
    if (token.kind != LIB_VALUE_NONE)
        lib_value_put_json(&token, "value", &json);
    lib_json_close(&json);
}

#define COLUMNS "%10s %4s  %-13s %6s %-9s %7s  %-12s %s"

void sim_event_text_heading(struct lib_text *out)
{
    lib_text_printf(out, COLUMNS "\n", "cycle", "pe", "event", "node", "opcode", "place",
                    "function", "tag, and more");
}

/* Whether a field is not shown in a column. */
static bool is_more(const struct traces_event *e, const struct traces_event_field *f)
{
    return f->meaning != TRACES_MEANS_INSTR && f != find_field(e, TRACES_MEANS_PE) &&
           !(f->meaning == TRACES_MEANS_TAG && f == find_field(e, TRACES_MEANS_TAG));
}

static void write_line(const struct isa_graph *graph, const struct about *a, bool values,
                       const struct traces_event *e, struct lib_text *out)
{
    const struct traces_event_row *row = &traces_event_table[e->kind];
    char cycle[24], pe[16] = "-", node[16] = "-", place[32] = "-";
    snprintf(cycle, sizeof cycle, "%" PRIu64, e->cycle);
    if (a->has_pe && a->pe != TRACES_NONE)
        snprintf(pe, sizeof pe, "%" PRIu32, a->pe);
    if (a->node)
        snprintf(node, sizeof node, "%%%" PRIu32, a->instr);
    if (a->node && a->node->pos.line)
        snprintf(place, sizeof place, "%" PRIu32 ":%" PRIu32, a->node->pos.line,
                 a->node->pos.column);
    lib_text_printf(out, COLUMNS, cycle, pe, row->text, node,
                    a->node ? isa_op_table[a->node->op].text : "-", place,
                    a->function ? a->function : "-", a->tag ? a->tag : "-");
    for (const struct traces_event_field *f = row->fields; f->text; f++) {
        if (!is_more(e, f))
            continue;
        lib_text_printf(out, "  %s=", f->text);
        write_value(graph, e, f, out);
    }
    if (values && traces_token_value(graph, e).kind != LIB_VALUE_NONE) {
        lib_text_puts(out, "  value=");
        traces_token_value_write(graph, e, out);
    }
    lib_text_puts(out, "\n");
}

void sim_event_text_peek(struct sim_event_text *t, const struct traces_event *e,
                         struct lib_text *out)
{
    const struct about a = about(t, e);
    (t->json ? write_json : write_line)(t->graph, &a, t->values, e, out);
}

void sim_event_text_add(struct sim_event_text *t, const struct traces_event *e,
                        struct lib_text *out)
{
    const bool is_gone = e->kind == TRACES_EVENT_GONE;
    if (!is_gone)
        t->wrong += !traces_live_tags_note(&t->tags, e);
    if (out)
        sim_event_text_peek(t, e, out);
    if (is_gone) {
        t->wrong += !traces_live_tags_note(&t->tags, e);
        t->last_tag = TRACES_NONE;
    }
}
