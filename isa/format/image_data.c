/* Images: constructors of data. */
#include "isa/format/image_layout.h"
#include "lib/memory.h"

#include <string.h>

static void put_name(struct lib_pack *pack, const char *name)
{
    lib_pack_bytes(pack, (char *)name, strlen(name));
}

void isa_image_put_constructors(const struct isa_graph *graph, struct lib_pack *pack)
{
    isa_image_pack_word(pack, graph->constructor_count);
    for (uint32_t i = 0; i < graph->constructor_count; i++) {
        const struct isa_constructor *c = &graph->constructors[i];
        struct isa_image_constructor record = {
            (uint32_t)strlen(c->name), (uint32_t)strlen(c->type), c->number,
            (uint32_t)strlen(c->shape), c->field_count};
        LIB_PACK(pack, record);
        put_name(pack, c->name);
        put_name(pack, c->type);
        put_name(pack, c->shape);
        for (uint32_t k = 0; k < c->field_count; k++) {
            const char *name = c->fields[k].name;
            struct isa_image_field field = {name ? (uint32_t)strlen(name) + 1 : 0,
                                            c->fields[k].type};
            LIB_PACK(pack, field);
            if (name)
                put_name(pack, name);
        }
    }
}

/* Reads a name into the arena. Returns NULL if the bytes cannot be a name. */
static const char *take_name(struct lib_arena *arena, struct lib_pack *pack,
                             uint32_t length)
{
    const char *at = (const char *)pack->in + pack->at;
    if (pack->failed || length > isa_image_left(pack) || memchr(at, '\0', length))
        return NULL;
    pack->at += length;
    return lib_arena_copy(arena, at, length);
}

static bool take_field(struct lib_arena *arena, struct lib_pack *pack,
                       struct isa_field *field)
{
    struct isa_image_field record;
    LIB_PACK(pack, record);
    *field = (struct isa_field){.type = (enum isa_type)record.type};
    if (pack->failed || record.name == 0)
        return !pack->failed;
    field->name = take_name(arena, pack, record.name - 1);
    return field->name != NULL;
}

static bool take_constructor(struct isa_graph *graph, struct lib_arena *arena,
                             struct lib_pack *pack)
{
    struct isa_image_constructor record;
    LIB_PACK(pack, record);
    struct isa_constructor c = {.number = record.number, .field_count = record.fields};
    c.name = take_name(arena, pack, record.name);
    c.type = c.name ? take_name(arena, pack, record.type) : NULL;
    c.shape = c.type ? take_name(arena, pack, record.shape) : NULL;
    if (!c.shape || record.fields > isa_image_left(pack) / sizeof(struct isa_image_field))
        return false;
    c.fields = LIB_ARENA_ARRAY(arena, struct isa_field, record.fields);
    for (uint32_t k = 0; k < record.fields; k++)
        if (!take_field(arena, pack, &c.fields[k]))
            return false;
    isa_graph_add_constructor(graph, &c);
    return true;
}

bool isa_image_take_constructors(struct isa_graph *graph, struct lib_pack *pack)
{
    struct lib_arena *arena = lib_arena_new();
    const uint32_t count = isa_image_pack_word(pack, 0);
    bool good = count > 0;
    for (uint32_t i = 0; i < count && good; i++)
        good = take_constructor(graph, arena, pack);
    lib_arena_free(arena);
    return good;
}
