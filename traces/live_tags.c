#include "traces/live_tags.h"

#include "isa/tag_path.h"
#include "isa/tag_text.h"

void traces_live_tags_start(struct traces_live_tags *tags, const struct isa_graph *graph,
                            bool has_more)
{
    *tags = (struct traces_live_tags){
        .graph = graph, .has_more = has_more, .free = TRACES_NONE};
    lib_hash_index_start(&tags->index);
}

void traces_live_tags_free(struct traces_live_tags *tags)
{
    lib_hash_index_free(&tags->index);
    LIB_VEC_FREE(&tags->all, &tags->more);
    *tags = (struct traces_live_tags){0};
}

struct traces_live_tag *traces_live_tags_find(const struct traces_live_tags *tags,
                                              uint32_t tag)
{
    const uint32_t at = lib_hash_index_find(&tags->index, tag);
    return at == TRACES_NONE ? NULL : &tags->all.items[at];
}

static struct traces_live_tag *new_place(struct traces_live_tags *tags, uint32_t tag)
{
    uint32_t at = tags->free;
    if (at == TRACES_NONE) {
        at = (uint32_t)tags->all.count;
        LIB_VEC_PUSH(&tags->all)->tag = TRACES_NONE;
        if (tags->has_more)
            (void)LIB_VEC_PUSH(&tags->more);
    } else {
        tags->free = tags->all.items[at].parent;
    }
    lib_hash_index_put(&tags->index, tag, at);
    tags->count++;
    return &tags->all.items[at];
}

static uint64_t path_of(const struct traces_live_tags *tags,
                        const struct traces_live_tag *parent,
                        const struct traces_event *event)
{
    if (!parent)
        return ISA_ROOT_PATH;
    const uint64_t path = isa_tag_path(traces_live_tags_more(tags, parent)->path,
                                       event->site);
    return tags->graph->functions[tags->graph->sites[event->site].callee].is_loop
               ? isa_tag_iteration_path(path, event->a)
               : path;
}

static bool make_tag(struct traces_live_tags *tags, const struct traces_event *event)
{
    const struct traces_live_tag *parent = traces_live_tags_find(tags, event->parent);
    const bool is_root = event->parent == TRACES_NONE;
    if (!parent && !is_root)
        return false;
    if (!is_root && event->site >= tags->graph->site_count)
        return false;
    if (event->tag == TRACES_NONE ||
        lib_hash_index_find(&tags->index, event->tag) != TRACES_NONE)
        return false;
    const uint32_t depth = is_root ? 0 : parent->depth + 1;
    const uint64_t path = tags->has_more ? path_of(tags, parent, event) : 0;
    struct traces_live_tag *tag = new_place(tags, event->tag);
    *tag = (struct traces_live_tag){
        .tag = event->tag,
        .parent = event->parent,
        .site = event->site,
        .depth = depth,
        .is_call = event->kind == TRACES_EVENT_CALL,
        .made_by = event->kind == TRACES_EVENT_PRESENT ? TRACES_NONE : event->instr,
        .made = event->cycle,
    };
    if (tags->has_more)
        tags->more.items[traces_live_tags_place(tags, tag)] =
            (struct traces_live_tag_more){
                .path = path,
                .iteration = event->a,
                .serial = tags->made,
                .pe = event->kind == TRACES_EVENT_GATHER ? TRACES_NONE : event->pe,
            };
    tags->made++;
    return true;
}

static bool forget_tag(struct traces_live_tags *tags, uint32_t tag)
{
    const uint32_t at = lib_hash_index_remove(&tags->index, tag);
    if (at == TRACES_NONE)
        return false;
    tags->all.items[at].tag = TRACES_NONE;
    tags->all.items[at].parent = tags->free;
    tags->free = at;
    tags->count--;
    return true;
}

/* Turns a gathering activation into a placed call, as all arguments have arrived. */
static bool call(struct traces_live_tags *tags, const struct traces_event *event)
{
    struct traces_live_tag *tag = traces_live_tags_find(tags, event->tag);
    if (!tag)
        return false;
    if (tags->has_more)
        tags->more.items[traces_live_tags_place(tags, tag)].pe = event->pe;
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
        return make_tag(tags, event);
    case TRACES_EVENT_COPY:
        return call(tags, event);
    case TRACES_EVENT_GONE:
        return forget_tag(tags, event->tag);
    default:
        return true;
    }
}

void traces_live_tags_write(const struct traces_live_tags *tags, uint32_t tag,
                            struct lib_text *out)
{
    const struct traces_live_tag *at = traces_live_tags_find(tags, tag);
    const uint32_t depth = at ? at->depth : 0;
    lib_text_puts(out, "[");
    for (uint32_t i = 0; at && i < depth; i++) {
        const uint32_t function = traces_live_tags_function(tags, at);
        const bool is_loop = tags->graph->functions[function].is_loop;
        const uint64_t *iteration = &traces_live_tags_more(tags, at)->iteration;
        isa_tag_text_label(out, i, depth, at->site, is_loop ? iteration : NULL);
        at = traces_live_tags_find(tags, at->parent);
    }
    lib_text_puts(out, "]");
}
