#include "analysis/diff/first.h"

#include <string.h>

struct stream {
    struct analysis_pull *pull;
    struct analysis_walk walk;
    const struct traces_event *events; /* NULL at the end */
    size_t left;    /* number of events left in the block, including the current one */
    uint32_t fired; /* node that fired last */
};

static void go_on(struct stream *s)
{
    if (s->left > 1) {
        s->events++;
        s->left--;
    } else {
        s->events = analysis_pull_next(s->pull, &s->left);
    }
}

/* Whether an event makes the activation that it names. The path of that follows from other
 * fields. */
static bool makes(const struct traces_event *e)
{
    return e->kind == TRACES_EVENT_PRESENT || e->kind == TRACES_EVENT_CALL ||
           e->kind == TRACES_EVENT_ITERATION || e->kind == TRACES_EVENT_GATHER;
}

/* Returns the value of a field, as a value that is the same in both runs. */
static uint64_t meaning_of(const struct stream *s, const struct traces_event *e,
                           const struct traces_event_field *field)
{
    const uint64_t value = traces_event_get(e, field);
    const uint64_t none = field->size == 4 ? UINT32_MAX : UINT64_MAX;
    if (value == none)
        return value;
    if (field->meaning == TRACES_MEANS_INSTR)
        return s->walk.alike->numbers[s->walk.side][value];
    if (field->meaning != TRACES_MEANS_TAG)
        return value;
    const bool is_made = makes(e) && field->offset == offsetof(struct traces_event, tag);
    return is_made ? 0 : analysis_walk_path(&s->walk, (uint32_t)value);
}

static void add_word(struct lib_text *text, const char *word)
{
    lib_text_printf(text, "%s%s", text->length ? ", " : "", word);
}

static bool is_same(const struct stream streams[2], struct lib_text *differs)
{
    const struct traces_event *a = streams[0].events, *b = streams[1].events;
    if (a->kind != b->kind)
        add_word(differs, "event");
    if (a->cycle != b->cycle)
        add_word(differs, "cycle");
    if (a->kind == b->kind)
        for (const struct traces_event_field *f = traces_event_table[a->kind].fields;
             f->text; f++)
            if (meaning_of(&streams[0], a, f) != meaning_of(&streams[1], b, f))
                add_word(differs, f->text);
    return differs->length == 0;
}

static struct analysis_first_event describe(const struct stream *s,
                                            struct lib_arena *arena)
{
    struct analysis_first_event at = {.is_there = s->events != NULL};
    if (!at.is_there)
        return at;
    at.event = *s->events;
    const bool is_sent = at.event.kind == TRACES_EVENT_SENT ||
                         at.event.kind == TRACES_EVENT_SENT_DEAD;
    at.by = is_sent ? s->fired : TRACES_NONE;
    LIB_TEXT_OWN tag = {0};
    const struct traces_event_field *f = traces_event_table[at.event.kind].fields;
    for (; f->text && !at.tag; f++)
        if (f->meaning == TRACES_MEANS_TAG) {
            const uint32_t number = makes(&at.event) ? at.event.parent : at.event.tag;
            traces_live_tags_write(&s->walk.tags, number, &tag);
            at.tag = lib_arena_copy(arena, tag.bytes, tag.length);
        }
    return at;
}

struct analysis_first analysis_first_find(const struct analysis_node_mapping *alike,
                                          const struct analysis_source sources[2],
                                          enum traces_level level,
                                          struct lib_arena *arena)
{
    struct analysis_first first = {.is_whole = true};
    struct stream streams[2] = {0};
    struct lib_text differs = {0};
    for (uint32_t side = 0; side < 2; side++) {
        streams[side].walk = analysis_walk_start(alike, side, 0);
        streams[side].pull = analysis_pull_start(&sources[side], level);
    }
    go_on(&streams[0]);
    go_on(&streams[1]);
    while (streams[0].events && streams[1].events && is_same(streams, &differs)) {
        for (uint32_t side = 0; side < 2; side++) {
            if (analysis_is_firing(streams[side].events))
                streams[side].fired = streams[side].events->instr;
            analysis_walk_note(&streams[side].walk, streams[side].events);
            go_on(&streams[side]);
        }
        first.before++;
    }
    first.is_found = streams[0].events || streams[1].events;
    for (uint32_t side = 0; side < 2; side++) {
        first.events[side] = describe(&streams[side], arena);
        first.is_whole &= analysis_pull_end(streams[side].pull);
        analysis_walk_free(&streams[side].walk);
    }
    first.differs_in = lib_arena_keep(arena, &differs);
    return first;
}
