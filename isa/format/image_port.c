/* Ports in images. */
#include "isa/format/image_layout.h"
#include "lib/memory.h"

#include <string.h>

void isa_image_put_ports(const struct isa_graph *graph, struct lib_pack *pack)
{
    isa_image_pack_word(pack, graph->port_count);
    for (uint32_t i = 0; i < graph->port_count; i++) {
        const struct isa_port *port = &graph->ports[i];
        struct isa_image_port record = {(uint32_t)strlen(port->name), port->is_input,
                                        port->part_count, isa_image_pos(port->pos)};
        LIB_PACK(pack, record);
        lib_pack_bytes(pack, (char *)port->name, record.name);
        for (uint32_t k = 0; k < port->part_count; k++) {
            struct isa_image_port_part part = {
                port->parts[k].type, port->parts[k].element, port->parts[k].rank};
            LIB_PACK(pack, part);
        }
    }
}

/* Reads the parts of a port. The caller has checked that there are enough bytes. */
static struct isa_port_part *take_parts(struct lib_pack *pack, uint32_t count)
{
    struct isa_port_part *parts = lib_mem_new(count * sizeof *parts);
    for (uint32_t k = 0; k < count; k++) {
        struct isa_image_port_part part;
        LIB_PACK(pack, part);
        parts[k] = (struct isa_port_part){(enum isa_type)part.type,
                                          (enum isa_element_kind)part.element, part.rank};
    }
    return parts;
}

static bool take_port(struct isa_graph *graph, struct lib_pack *pack)
{
    struct isa_image_port record;
    LIB_PACK(pack, record);
    const size_t left = isa_image_left(pack);
    if (pack->failed || record.name > left ||
        memchr(pack->in + pack->at, '\0', record.name) || record.is_input > 1 ||
        record.parts > (left - record.name) / sizeof(struct isa_image_port_part))
        return false;
    char *name = lib_mem_new((size_t)record.name + 1);
    lib_pack_bytes(pack, name, record.name);
    struct isa_port_part *parts = take_parts(pack, record.parts);
    isa_graph_add_port(graph, name, record.is_input, parts, record.parts, record.pos);
    LIB_MEM_FREE(parts, name);
    return true;
}

bool isa_image_take_ports(struct isa_graph *graph, struct lib_pack *pack)
{
    const uint32_t count = isa_image_pack_word(pack, 0);
    for (uint32_t i = 0; i < count; i++)
        if (!take_port(graph, pack))
            return false;
    return count > 0;
}
