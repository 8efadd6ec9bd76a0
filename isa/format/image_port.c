/* Images: ports. */
#include "isa/format/image_layout.h"
#include "lib/memory.h"

#include <string.h>

static void put4(struct lib_text *out, uint32_t value)
{
    const char bytes[] = {(char)value, (char)(value >> 8), (char)(value >> 16),
                          (char)(value >> 24)};
    lib_text_add(out, bytes, sizeof bytes);
}

void isa_image_put_ports(const struct isa_graph *graph, struct lib_text *out)
{
    put4(out, graph->port_count);
    for (uint32_t i = 0; i < graph->port_count; i++) {
        const struct isa_port *port = &graph->ports[i];
        const size_t length = strlen(port->name);
        const bool has_pos = port->pos.line != 0;
        put4(out, (uint32_t)length);
        put4(out, port->is_input);
        put4(out, port->part_count);
        put4(out, port->pos.line);
        put4(out, has_pos ? port->pos.column : 0);
        put4(out, has_pos ? port->pos.span : 0);
        lib_text_add(out, port->name, length);
        for (uint32_t k = 0; k < port->part_count; k++) {
            put4(out, port->parts[k].type);
            put4(out, port->parts[k].element);
            put4(out, port->parts[k].rank);
        }
    }
}

static uint32_t take4(const unsigned char **at, size_t *left)
{
    const unsigned char *b = *at;
    *at += 4;
    *left -= 4;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The parts of a port, which the bytes are known to hold. */
static struct isa_port_part *take_parts(const unsigned char **at, size_t *left,
                                        uint32_t count)
{
    struct isa_port_part *parts = lib_mem_new(count * sizeof *parts);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t type = take4(at, left), element = take4(at, left);
        parts[k] = (struct isa_port_part){
            (enum isa_type)type, (enum isa_element_kind)element, take4(at, left)};
    }
    return parts;
}

static bool take_port(struct isa_graph *graph, const unsigned char **at, size_t *left)
{
    if (*left < ISA_IMAGE_PORT_BYTES)
        return false;
    const uint32_t length = take4(at, left), is_input = take4(at, left),
                   count = take4(at, left);
    struct lib_pos pos = {take4(at, left), 0, 0};
    pos.column = take4(at, left);
    pos.span = take4(at, left);
    if (length > *left || memchr(*at, '\0', length) || is_input > 1 ||
        count > (*left - length) / ISA_IMAGE_PORT_PART_BYTES)
        return false;
    char *name = lib_mem_new((size_t)length + 1);
    memcpy(name, *at, length);
    *at += length;
    *left -= length;
    struct isa_port_part *parts = take_parts(at, left, count);
    isa_graph_add_port(graph, name, is_input, parts, count, pos);
    lib_mem_free(parts);
    lib_mem_free(name);
    return true;
}

bool isa_image_take_ports(struct isa_graph *graph, const unsigned char **at, size_t *left)
{
    if (*left < 4)
        return false;
    const uint32_t count = take4(at, left);
    for (uint32_t i = 0; i < count; i++)
        if (!take_port(graph, at, left))
            return false;
    return count > 0;
}
