#include "analysis/stream/alive.h"

void analysis_alive_start(struct analysis_alive *a, const struct isa_graph *graph)
{
    *a = (struct analysis_alive){.graph = graph, .free = TRACES_NONE};
    traces_tag_index_start(&a->index);
}

void analysis_alive_free(struct analysis_alive *a)
{
    traces_tag_index_free(&a->index);
    LIB_VEC_FREE(&a->all);
}

struct analysis_alive_tag *analysis_alive_find(const struct analysis_alive *a,
                                               uint32_t tag)
{
    const uint32_t at = traces_tag_index_find(&a->index, tag);
    return at == TRACES_NONE ? NULL : &a->all.items[at];
}

/* A free place first, or else one behind all. */
static struct analysis_alive_tag *new_place(struct analysis_alive *a, uint32_t tag)
{
    uint32_t at = a->free;
    if (at == TRACES_NONE) {
        at = (uint32_t)a->all.count;
        (void)LIB_VEC_PUSH(&a->all);
    } else {
        a->free = a->all.items[at].parent;
    }
    traces_tag_index_put(&a->index, tag, at);
    return &a->all.items[at];
}

static void make(struct analysis_alive *a, const struct traces_event *e)
{
    const bool is_root = e->parent == TRACES_NONE;
    const struct analysis_alive_tag *parent = analysis_alive_find(a, e->parent);
    if (e->tag == TRACES_NONE || analysis_alive_find(a, e->tag) ||
        (!is_root && (!parent || e->site >= a->graph->site_count)))
        return;
    const struct analysis_alive_tag tag = {
        .tag = e->tag,
        .parent = e->parent,
        .site = e->site,
        .function = is_root ? 0 : a->graph->sites[e->site].callee,
        .depth = is_root ? 0 : parent->depth + 1,
        .made = e->cycle,
    };
    *new_place(a, e->tag) = tag;
}

static void forget(struct analysis_alive *a, uint32_t tag)
{
    const uint32_t at = traces_tag_index_remove(&a->index, tag);
    if (at == TRACES_NONE)
        return;
    a->all.items[at].parent = a->free;
    a->free = at;
}

void analysis_alive_note(struct analysis_alive *a, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        make(a, e);
        break;
    case TRACES_EVENT_GONE:
        forget(a, e->tag);
        break;
    default:
        break;
    }
}
