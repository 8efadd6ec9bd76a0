#include "traces/live_tags.h"

#include "isa/tag_path.h"

enum { LEAST_PLACES = 64 };

static struct traces_live_tag *empty_places(size_t count)
{
    struct traces_live_tag *places = lib_mem_new(count * sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i].tag = TRACES_NONE;
    return places;
}

void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph)
{
    *tags = (struct traces_live_tags){.graph = graph, .mask = LEAST_PLACES - 1};
    tags->places = empty_places(LEAST_PLACES);
}

void traces_live_tags_free(struct traces_live_tags *tags)
{
    lib_mem_free(tags->places);
    *tags = (struct traces_live_tags){0};
}

static size_t home_of(const struct traces_live_tags *tags, uint32_t tag)
{
    return (size_t)lib_hash_mix(tag) & tags->mask;
}

/* Where a tag is, or the empty place where it would be. */
static struct traces_live_tag *place_of(const struct traces_live_tags *tags, uint32_t tag)
{
    size_t at = home_of(tags, tag);
    while (tags->places[at].tag != tag && tags->places[at].tag != TRACES_NONE)
        at = (at + 1) & tags->mask;
    return &tags->places[at];
}

struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag)
{
    if (tag == TRACES_NONE)
        return NULL;
    struct traces_live_tag *place = place_of(tags, tag);
    return place->tag == tag ? place : NULL;
}

void traces_live_tags_write(const struct traces_live_tags *tags,
                            const struct traces_live_tag *tag, struct lib_text *out)
{
    const uint32_t depth = tag->depth;
    lib_text_puts(out, "[");
    for (uint32_t i = 0; i < depth && tag; i++) {
        isa_tag_write_label(out, i, depth, tag->site,
                            tags->graph->functions[tag->function].is_loop,
                            tag->iteration);
        tag = traces_live_tags_find(tags, tag->parent);
    }
    lib_text_puts(out, "]");
}

static void grow(struct traces_live_tags *tags)
{
    struct traces_live_tag *old = tags->places;
    const size_t count = tags->mask + 1;
    tags->mask = 2 * count - 1;
    tags->places = empty_places(2 * count);
    for (size_t i = 0; i < count; i++)
        if (old[i].tag != TRACES_NONE)
            *place_of(tags, old[i].tag) = old[i];
    lib_mem_free(old);
}

static uint64_t path_of(const struct traces_live_tags *tags,
                        const struct traces_live_tag *parent,
                        const struct traces_event *event)
{
    if (!parent)
        return ISA_ROOT_PATH;
    const uint64_t path = isa_tag_path(parent->path, event->site);
    return tags->graph->functions[tags->graph->sites[event->site].callee].is_loop
               ? isa_tag_iteration_path(path, event->a)
               : path;
}

static bool make(struct traces_live_tags *tags, const struct traces_event *event)
{
    const struct traces_live_tag *parent = traces_live_tags_find(tags, event->parent);
    const bool is_root = event->parent == TRACES_NONE;
    if (!parent && !is_root)
        return false;
    if (!is_root && event->site >= tags->graph->site_count)
        return false;
    const uint32_t depth = is_root ? 0 : parent->depth + 1;
    const uint64_t path = path_of(tags, parent, event);
    if (2 * (tags->count + 1) > tags->mask)
        grow(tags);
    struct traces_live_tag *place = place_of(tags, event->tag);
    if (place->tag == event->tag)
        return false;
    *place = (struct traces_live_tag){
        .tag = event->tag,
        .parent = event->parent,
        .site = event->site,
        .function = is_root ? 0 : tags->graph->sites[event->site].callee,
        .depth = depth,
        .pe = event->kind == TRACES_EVENT_GATHER ? TRACES_NONE : event->pe,
        .made_by = event->kind == TRACES_EVENT_PRESENT ? TRACES_NONE : event->instr,
        .path = path,
        .iteration = event->a,
        .made = event->cycle,
        .is_call = event->kind == TRACES_EVENT_CALL,
    };
    tags->count++;
    return true;
}

/* Those behind an empty place move up to it, if their home is not behind it. */
static bool forget(struct traces_live_tags *tags, uint32_t tag)
{
    struct traces_live_tag *gone = traces_live_tags_find(tags, tag);
    if (!gone)
        return false;
    size_t empty = (size_t)(gone - tags->places);
    for (size_t at = (empty + 1) & tags->mask; tags->places[at].tag != TRACES_NONE;
         at = (at + 1) & tags->mask) {
        const size_t home = home_of(tags, tags->places[at].tag);
        if (((at - home) & tags->mask) < ((at - empty) & tags->mask))
            continue;
        tags->places[empty] = tags->places[at];
        empty = at;
    }
    tags->places[empty].tag = TRACES_NONE;
    tags->count--;
    return true;
}

/* All arguments have come: it is a call, and placed. */
static bool call(const struct traces_live_tags *tags, const struct traces_event *event)
{
    struct traces_live_tag *tag = traces_live_tags_find(tags, event->tag);
    if (!tag)
        return false;
    tag->pe = event->pe;
    tag->is_call = true;
    return true;
}

bool traces_live_tags_note(struct traces_live_tags *tags,
                           const struct traces_event *event)
{
    switch (event->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        return make(tags, event);
    case TRACES_EVENT_COPY:
        return call(tags, event);
    case TRACES_EVENT_GONE:
        return forget(tags, event->tag);
    default:
        return true;
    }
}
