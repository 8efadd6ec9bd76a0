#include "isa/tag.h"

#include "lib/hash.h"
#include "lib/memory.h"

static_assert(sizeof(struct isa_activation) % ISA_FRAME_UNIT == 0, "units fit");
static_assert(sizeof(struct isa_slot) == ISA_FRAME_UNIT, "a slot is a unit");

#define ROOT_PATH UINT64_C(0x68696174f6e0001d)

enum { HEADER_UNITS = sizeof(struct isa_activation) / ISA_FRAME_UNIT };

struct isa_frame_shape isa_frame_shape(uint32_t slots, uint32_t children)
{
    const uint32_t per_unit = ISA_FRAME_UNIT / sizeof(isa_tag);
    return (struct isa_frame_shape){
        .units = HEADER_UNITS + slots + (children + per_unit - 1) / per_unit,
        .slots = slots,
        .children = children,
    };
}

void isa_tags_init(struct isa_tags *tags, const struct isa_frame_shape *shapes,
                   const uint32_t *child_of_site, uint32_t function_count,
                   uint64_t limit_bytes)
{
    uint64_t limit = limit_bytes / ISA_FRAME_UNIT;
    *tags = (struct isa_tags){
        .limit = limit < UINT32_MAX ? limit : UINT32_MAX,
        .shapes = shapes,
        .child_of_site = child_of_site,
        .free_frames = lib_mem_new(function_count * sizeof(isa_tag)),
        .function_count = function_count,
        .used = 1, /* index 0 is ISA_TAG_NONE */
    };
    uint64_t room = 1 + (uint64_t)shapes[0].units;
    if (tags->limit < room)
        tags->limit = room; /* the root always fits */
    isa_tag root = isa_tags_make(tags, ISA_TAG_NONE, ISA_SITE_NONE, 0);
    assert(root == ISA_TAG_ROOT);
    isa_tags_get(tags, root)->live = 1; /* held by the run */
    tags->created = 0;
}

void isa_tags_free(struct isa_tags *tags)
{
    lib_mem_free(tags->memory);
    lib_mem_free(tags->free_frames);
    *tags = (struct isa_tags){0};
}

/* A frame that was never used, or ISA_TAG_NONE. */
static isa_tag new_frame(struct isa_tags *tags, uint32_t units)
{
    if (tags->used + units > tags->limit)
        return ISA_TAG_NONE;
    if (tags->used + units > tags->capacity) {
        uint64_t capacity = tags->capacity ? tags->capacity * 2 : 1024;
        while (capacity < tags->used + units)
            capacity *= 2;
        tags->memory = lib_mem_resize(tags->memory, capacity * ISA_FRAME_UNIT);
        tags->capacity = capacity;
    }
    isa_tag tag = (isa_tag)tags->used;
    tags->used += units;
    return tag;
}

uint64_t isa_tag_path(uint64_t parent_path, uint32_t site)
{
    return lib_hash_mix(parent_path + UINT64_C(0x9e3779b97f4a7c15) * (site + 1));
}

isa_tag isa_tags_make(struct isa_tags *tags, isa_tag parent, uint32_t site,
                      uint32_t function)
{
    const struct isa_frame_shape *shape = &tags->shapes[function];
    isa_tag tag = tags->free_frames[function];
    if (tag != ISA_TAG_NONE)
        tags->free_frames[function] = isa_tags_get(tags, tag)->parent;
    else if ((tag = new_frame(tags, shape->units)) == ISA_TAG_NONE)
        return ISA_TAG_NONE;

    struct isa_activation *a = isa_tags_get(tags, tag);
    memset(a, 0, (size_t)shape->units * ISA_FRAME_UNIT);
    a->parent = parent;
    a->site = site;
    a->function = function;
    a->path = ROOT_PATH;
    if (parent != ISA_TAG_NONE) {
        struct isa_activation *p = isa_tags_get(tags, parent);
        p->live++;
        a->path = isa_tag_path(p->path, site);
        a->depth = p->depth + 1;
        if (a->depth > tags->deepest)
            tags->deepest = a->depth;
    }
    tags->count++;
    tags->created++;
    return tag;
}

void isa_tags_drop(struct isa_tags *tags, isa_tag tag)
{
    for (;;) {
        struct isa_activation *a = isa_tags_get(tags, tag);
        assert(a->live == 0 && tag != ISA_TAG_ROOT);
        isa_tag parent = a->parent;
        uint32_t child = tags->child_of_site[a->site];
        if (child != ISA_NO_CHILD)
            isa_tags_children(tags, isa_tags_get(tags, parent))[child] = ISA_TAG_NONE;
        a->parent = tags->free_frames[a->function];
        tags->free_frames[a->function] = tag;
        tags->count--;
        tag = parent;
        if (--isa_tags_get(tags, tag)->live > 0)
            return;
    }
}

enum { SHOWN_HEAD = 6, SHOWN_TAIL = 3 };

void isa_tag_write(const struct isa_tags *tags, isa_tag tag, struct lib_text *out)
{
    uint32_t depth = isa_tags_get(tags, tag)->depth;
    lib_text_puts(out, "[");
    for (uint32_t i = 0; i < depth; i++) {
        const struct isa_activation *a = isa_tags_get(tags, tag);
        tag = a->parent;
        if (i >= SHOWN_HEAD && i + SHOWN_TAIL < depth) {
            if (i == SHOWN_HEAD)
                lib_text_printf(out, ",...(%u more)...", depth - SHOWN_HEAD - SHOWN_TAIL);
            continue;
        }
        lib_text_printf(out, "%s%u", i ? "," : "", a->site);
    }
    lib_text_puts(out, "]");
}

void isa_tags_each(const struct isa_tags *tags,
                   void (*visit)(isa_tag tag, struct isa_activation *activation,
                                 void *context),
                   void *context)
{
    for (uint64_t at = 1; at < tags->used;) {
        struct isa_activation *a = isa_tags_get(tags, (isa_tag)at);
        if (a->live > 0)
            visit((isa_tag)at, a, context);
        at += tags->shapes[a->function].units;
    }
}
