#include "traces/filter.h"

#include <stdlib.h>
#include <string.h>

bool traces_filter_is_any(const struct traces_filter_texts *texts)
{
    return texts->pe || texts->function || texts->line || texts->below;
}

static bool read_ranges(struct traces_filter_ranges *ranges, const char *text,
                        const char *prefix, struct lib_text *why)
{
    struct lib_cursor c;
    if (!text)
        return true;
    lib_cursor_on(&c, text, prefix, why);
    do {
        struct traces_filter_range *range = LIB_VEC_PUSH(ranges);
        if (!lib_cursor_number(&c, "a number, or numbers such as `0-3,7`", 0, UINT64_MAX,
                               &range->from))
            return false;
        range->to = range->from;
        if (lib_cursor_accept(&c, "-") &&
            !lib_cursor_number(&c, "a number", range->from, UINT64_MAX, &range->to))
            return false;
    } while (lib_cursor_accept(&c, ","));
    return lib_cursor_expect_end(&c);
}

static const char *function_name(size_t i, const void *context)
{
    const struct isa_graph *graph = context;
    return graph->functions[i].name;
}

/* Adds all functions called `name`: a compiler may make several from one. */
static bool add_function(struct traces_filter *f, struct lib_slice name,
                         struct lib_text *why)
{
    const struct isa_graph *graph = f->graph;
    bool found = false;
    for (uint32_t i = 0; i < graph->function_count; i++)
        if (lib_slice_is(name, graph->functions[i].name))
            found = f->functions[i] = true;
    if (found)
        return true;
    LIB_TEXT_OWN wrong = {0};
    lib_text_add(&wrong, name.bytes, name.length);
    const char *nearest = lib_text_nearest(lib_text_get(&wrong), graph->function_count,
                                           function_name, graph);
    lib_text_printf(why, "--function: unknown function `%s`", lib_text_get(&wrong));
    if (nearest)
        lib_text_printf(why, "; did you mean `%s`?", nearest);
    return false;
}

static bool read_functions(struct traces_filter *f, const char *text,
                           struct lib_text *why)
{
    struct lib_cursor c;
    if (!text)
        return true;
    f->functions = lib_mem_new((f->graph->function_count + 1) * sizeof *f->functions);
    lib_cursor_on(&c, text, NULL, why);
    do {
        if (!add_function(f, lib_cursor_until(&c, ","), why))
            return false;
    } while (lib_cursor_accept(&c, ","));
    return true;
}

bool traces_tag_read(struct traces_tag_labels *labels, struct lib_cursor *c)
{
    if (!lib_cursor_accept(c, "["))
        return lib_cursor_expected(c, "a whole tag such as `[1,0.2]`");
    while (!lib_cursor_accept(c, "]")) {
        struct traces_tag_label *label = LIB_VEC_PUSH(labels);
        *label = (struct traces_tag_label){0};
        if (!lib_cursor_number(c, "the number of a site", 0, UINT64_MAX, &label->site))
            return false;
        label->has_iteration = lib_cursor_accept(c, ".");
        if (label->has_iteration &&
            !lib_cursor_number(c, "an iteration", 0, UINT64_MAX, &label->iteration))
            return false;
        if (!lib_cursor_accept(c, ",") && (c->at == c->end || *c->at != ']'))
            return lib_cursor_expected(c, "`,` or `]`");
    }
    return lib_cursor_expect_end(c);
}

static bool read_texts(struct traces_filter *f, const struct traces_filter_texts *texts,
                       struct lib_text *why)
{
    struct lib_cursor below;
    f->has_below = texts->below != NULL;
    lib_cursor_on(&below, f->has_below ? texts->below : "", "--below: ", why);
    return read_ranges(&f->pes, texts->pe, "--pe: ", why) &&
           read_ranges(&f->lines, texts->line, "--line: ", why) &&
           read_functions(f, texts->function, why) &&
           (!f->has_below || traces_tag_read(&f->below, &below));
}

bool traces_filter_start(struct traces_filter *f, const struct isa_graph *graph,
                         const struct traces_filter_texts *texts,
                         struct traces_event_sink sink, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    *f = (struct traces_filter){.graph = graph, .sink = sink};
    traces_live_tags_start(&f->tags, graph, true);
    const bool good = read_texts(f, texts, &why);
    if (!good)
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", lib_text_get(&why));
    return good;
}

void traces_filter_free(struct traces_filter *f)
{
    LIB_VEC_FREE(&f->pes, &f->lines, &f->below, &f->passed);
    lib_mem_free(f->functions);
    traces_live_tags_free(&f->tags);
}

static const struct traces_event_field *find_field(const struct traces_event *e,
                                                   enum traces_meaning meaning,
                                                   const struct traces_event_field *last)
{
    const struct traces_event_field *f = last ? last + 1
                                              : traces_event_table[e->kind].fields;
    while (f->text && f->meaning != meaning)
        f++;
    return f->text ? f : NULL;
}

static bool is_in(uint64_t number, const struct traces_filter_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (number >= ranges[i].from && number <= ranges[i].to)
            return true;
    return false;
}

/* Whether an event is at or between PEs of the filter. A queue is at its PE, a link at the PE of
 * its port. */
static bool is_at_pe(const struct traces_filter *f, const struct traces_event *e)
{
    const struct traces_event_field *field = NULL;
    if (find_field(e, TRACES_MEANS_PLACE, NULL))
        return e->how != TRACES_PLACE_READY && e->how != TRACES_PLACE_LINK &&
               e->how != TRACES_PLACE_BUFFER && e->how != TRACES_PLACE_FAULT &&
               is_in(e->to, f->pes.items, f->pes.count);
    while ((field = find_field(e, TRACES_MEANS_PE, field)))
        if (is_in(traces_event_get(e, field), f->pes.items, f->pes.count))
            return true;
    return false;
}

static const struct isa_node *node_of(const struct traces_filter *f,
                                      const struct traces_event *e)
{
    return find_field(e, TRACES_MEANS_INSTR, NULL) && e->instr < f->graph->node_count
               ? &f->graph->nodes[e->instr]
               : NULL;
}

static bool is_below(const struct traces_filter *f, const struct traces_event *e)
{
    const struct traces_live_tag *tag = NULL;
    if (find_field(e, TRACES_MEANS_TAG, NULL))
        tag = traces_live_tags_find(&f->tags, e->tag);
    return tag && tag->mark;
}

static bool is_met(const struct traces_filter *f, const struct traces_event *e)
{
    const struct isa_node *node = node_of(f, e);
    return e->kind == TRACES_EVENT_END ||
           ((!f->pes.count || is_at_pe(f, e)) &&
            (!f->functions || (node && f->functions[node->function])) &&
            (!f->lines.count ||
             (node && is_in(node->pos.line, f->lines.items, f->lines.count))) &&
            (!f->has_below || is_below(f, e)));
}

static bool is_the_tag(const struct traces_filter *f, const struct traces_live_tag *tag)
{
    if (tag->depth != f->below.count)
        return false;
    for (size_t i = 0; i < f->below.count && tag; i++) {
        if (tag->site != f->below.items[i].site ||
            traces_live_tags_more(&f->tags, tag)->iteration !=
                f->below.items[i].iteration)
            return false;
        tag = traces_live_tags_find(&f->tags, tag->parent);
    }
    return tag;
}

static void note(struct traces_filter *f, const struct traces_event *e)
{
    if (!traces_live_tags_note(&f->tags, e) || e->kind == TRACES_EVENT_GONE)
        return;
    struct traces_live_tag *tag = traces_live_tags_find(&f->tags, e->tag);
    if (!tag || e->kind == TRACES_EVENT_COPY)
        return;
    const struct traces_live_tag *parent = traces_live_tags_find(&f->tags, tag->parent);
    tag->mark = (parent && parent->mark) || is_the_tag(f, tag);
}

static bool is_of_activation(const struct traces_event *e)
{
    return e->kind == TRACES_EVENT_PRESENT || e->kind == TRACES_EVENT_CALL ||
           e->kind == TRACES_EVENT_ITERATION || e->kind == TRACES_EVENT_GATHER ||
           e->kind == TRACES_EVENT_GONE;
}

bool traces_filter_asks_for(struct traces_filter *f, const struct traces_event *event)
{
    if (f->has_below && is_of_activation(event))
        note(f, event);
    return is_met(f, event);
}

static bool passes(struct traces_filter *f, const struct traces_event *event)
{
    return traces_filter_asks_for(f, event) || is_of_activation(event) ||
           event->kind == TRACES_EVENT_COPY;
}

static void filter_take(void *context, const struct traces_event *events, size_t count)
{
    struct traces_filter *f = context;
    f->passed.count = 0;
    for (size_t i = 0; i < count; i++)
        if (passes(f, &events[i]))
            *LIB_VEC_PUSH(&f->passed) = events[i];
    if (f->passed.count)
        f->sink.take(f->sink.context, f->passed.items, f->passed.count);
}

struct traces_event_sink traces_filter_sink(struct traces_filter *f)
{
    return (struct traces_event_sink){f->sink.level, filter_take, f};
}
