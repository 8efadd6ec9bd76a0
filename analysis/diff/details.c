#include "analysis/diff/details.h"

#include "lib/key_map.h"

struct finding {
    struct analysis_walk walk;
    struct lib_key_map keys;
    struct analysis_detail *details;
    size_t count, left; /* `left`: not found yet */
    struct lib_arena *arena;
    atomic_bool stop;
};

static void note_firing(struct finding *f, struct analysis_detail *detail,
                        const struct traces_event *e)
{
    const uint32_t side = f->walk.side;
    f->left -= !detail->is_there[side];
    detail->is_there[side] = true;
    detail->fired[side] = (struct analysis_fired){detail->key, e->cycle, f->walk.fired,
                                                  detail->number, e->pe};
    if (!detail->tag) {
        struct lib_text tag = {0};
        traces_live_tags_write(&f->walk.tags, e->tag, &tag);
        detail->tag = lib_arena_keep(f->arena, &tag);
    }
}

/* If several CALLs correspond to one APPLY, the last one counts. So the whole run is read if the
 * strategies differ. */
static void details_take(void *context, const struct traces_event *e, size_t count)
{
    struct finding *f = context;
    for (; count && !f->stop; e++, count--) {
        if (analysis_is_firing(e)) {
            const uint64_t key = analysis_walk_key(&f->walk, e);
            const uint64_t *at = lib_key_map_find(&f->keys, key);
            if (at)
                note_firing(f, &f->details[*at], e);
        }
        analysis_walk_note(&f->walk, e);
        f->stop = f->left == 0 && !f->walk.alike->strategies_differ;
    }
}

static void copy_equals(const struct finding *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->details[i] = f->details[*lib_key_map_find(&f->keys, f->details[i].key)];
}

bool analysis_details_find(const struct analysis_node_mapping *alike,
                           const struct analysis_source sources[2],
                           struct analysis_detail *details, size_t count,
                           struct lib_arena *arena)
{
    struct finding f = {.details = details, .count = count, .arena = arena};
    bool is_good = true;
    for (size_t i = 0; i < count; i++)
        if (!lib_key_map_find(&f.keys, details[i].key))
            lib_key_map_put(&f.keys, details[i].key, i);
    for (uint32_t side = 0; side < 2 && count && is_good; side++) {
        const struct traces_event_sink sink = {TRACES_LEVEL_FIRINGS, details_take, &f};
        f.walk = analysis_walk_start(alike, side, 0);
        f.left = f.keys.count;
        f.stop = false;
        is_good = sources[side].read(sources[side].context, 0, UINT64_MAX, &sink,
                                     &f.stop) ||
                  f.stop;
        analysis_walk_free(&f.walk);
    }
    copy_equals(&f);
    lib_key_map_free(&f.keys);
    return is_good;
}
