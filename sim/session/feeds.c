#include "sim/session/feeds.h"

#include "isa/graph.h"

void sim_feeds_free(struct sim_feeds *feeds)
{
    LIB_VEC_FREE(&feeds->all);
}

/* The elements of a tensor, whose shape is packed. */
static void pack_data(struct lib_pack *pack, struct machine_fed *part,
                      struct lib_arena *arena)
{
    const bool is_legal = part->shape.element < ISA_ELEMENT_COUNT &&
                          part->shape.rank <= ISA_RANK_MAX &&
                          isa_shape_is_known(&part->shape) &&
                          isa_shape_is_legal(&part->shape);
    const uint64_t bytes = is_legal ? isa_shape_bytes(&part->shape) : 0;
    if (!lib_pack_expect(pack, is_legal && (!lib_pack_reads(pack) ||
                                            bytes <= pack->length - pack->at)))
        return;
    if (lib_pack_reads(pack))
        part->data = LIB_ARENA_ARRAY(arena, uint64_t, bytes / 8 + 1);
    if (bytes)
        lib_pack_bytes(pack, (void *)part->data, bytes);
    const uint8_t *bools = part->data;
    for (uint64_t i = 0; part->shape.element == ISA_ELEMENT_BOOL && i < bytes; i++)
        lib_pack_expect(pack, bools[i] <= 1);
}

static void pack_part(struct lib_pack *pack, const struct isa_port_part *of,
                      struct machine_fed *part, struct lib_arena *arena)
{
    lib_pack_bool(pack, &part->is_tensor);
    if (!lib_pack_expect(pack, part->is_tensor == (of->type == ISA_TENSOR)))
        return;
    if (!part->is_tensor) {
        LIB_PACK(pack, part->value);
        lib_pack_expect(pack, of->type != ISA_BOOL || part->value <= 1);
        return;
    }
    LIB_PACK(pack, part->shape.element);
    LIB_PACK(pack, part->shape.rank);
    LIB_PACK(pack, part->shape.extents);
    if (lib_pack_expect(pack, part->shape.element == of->element &&
                                  part->shape.rank == of->rank))
        pack_data(pack, part, arena);
}

void sim_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                   struct sim_feed *feed, struct lib_arena *arena)
{
    bool closes = feed->parts == NULL;
    LIB_PACK(pack, feed->cycle);
    LIB_PACK(pack, feed->port);
    lib_pack_bool(pack, &closes);
    if (!lib_pack_expect(pack, feed->port < graph->port_count &&
                                   graph->ports[feed->port].is_input) ||
        closes)
        return;
    const struct isa_port *port = &graph->ports[feed->port];
    if (lib_pack_reads(pack))
        feed->parts = LIB_ARENA_ARRAY(arena, struct machine_fed, port->part_count);
    for (uint32_t i = 0; i < port->part_count && !pack->failed; i++)
        pack_part(pack, &port->parts[i], &feed->parts[i], arena);
}

bool sim_feeds_fit(const struct sim_feeds *feeds, const struct sim_feed *feed)
{
    for (size_t i = feeds->all.count; i-- > 0;) {
        const struct sim_feed *f = &feeds->all.items[i];
        if (f->port == feed->port)
            return f->parts && f->cycle <= feed->cycle;
    }
    return true;
}
