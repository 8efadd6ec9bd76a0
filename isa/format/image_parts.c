/* Reader of the images of several machines as one graph. */
#include "isa/check/check.h"
#include "isa/format/image_reader.h"
#include "lib/memory.h"

#include <inttypes.h>
#include <string.h>

/* Where a node of the whole graph is in the images of the machines. */
struct place {
    uint32_t part, node; /* image plus one, 0 if not known yet; node in that image */
};

static bool note_nodes(struct isa_image_reader *r, uint32_t part, struct place *places,
                       uint32_t whole)
{
    for (uint32_t i = 0; i < r->graph->node_count; i++) {
        const uint32_t number = isa_image_pack_word(&r->numbers, 0);
        if (number >= whole || places[number].part || r->graph->nodes[i].machine != part)
            return isa_image_fail(r, "this is not the image of machine %u of the others",
                                  part);
        places[number] = (struct place){part + 1, i};
    }
    return true;
}

static bool read_part(struct isa_image_reader *r)
{
    if (!isa_image_read_file(r))
        return false;
    if (!r->numbers.in)
        return isa_image_fail(r, "this is not an image of one machine");
    r->whole = isa_image_pack_word(&r->numbers, 0);
    return true;
}

static void add_node_of(struct isa_graph *g, const struct isa_node *n)
{
    const uint32_t node = isa_graph_add_node(g, n->op, n->type, n->function, n->site,
                                             n->index, n->pos);
    g->nodes[node].machine = n->machine;
    for (uint32_t port = 0; port < n->operand_count; port++)
        g->nodes[node].operands[port] = n->operands[port];
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t k = 0; k < n->outputs[o].count; k++)
            isa_graph_connect(g, node, o, n->outputs[o].items[k]);
}

/* Joins the images of all machines to a graph and checks it. Returns NULL after an error. */
static struct isa_graph *join_parts(struct isa_image_reader *readers, uint32_t count)
{
    const uint32_t whole = readers[0].whole;
    uint64_t nodes = 0;
    for (uint32_t p = 0; p < count; p++)
        nodes += readers[p].graph->node_count;
    if (nodes != whole) {
        isa_image_fail(&readers[0], "the machines have %" PRIu64 " of %u nodes", nodes,
                       whole);
        return NULL;
    }
    struct place *places = lib_mem_new(((size_t)whole + 1) * sizeof *places);
    struct isa_graph *g = NULL;
    bool good = true;
    for (uint32_t p = 0; p < count && good; p++)
        good = note_nodes(&readers[p], p, places, whole);
    for (uint32_t i = 0; i < whole && good; i++)
        if (!places[i].part)
            good = isa_image_fail(&readers[0], "node %u is in the image of no machine",
                                  i);
    if (good) {
        g = isa_graph_copy(readers[0].graph);
        g->node_count = 0;
        for (uint32_t i = 0; i < whole; i++)
            add_node_of(g, &readers[places[i].part - 1].graph->nodes[places[i].node]);
        good = isa_check_text(g, readers[0].source, NULL, readers[0].diags);
    }
    for (uint32_t p = 0; p < count && good; p++) {
        LIB_TEXT_OWN again = {0};
        isa_image_write_part(g, p, &again);
        if (again.length != readers[p].source->length ||
            memcmp(again.bytes, readers[p].source->bytes, again.length) != 0)
            good = isa_image_fail(
                &readers[p], "this is not of the same program as the image of machine 0");
    }
    lib_mem_free(places);
    if (good)
        return g;
    isa_graph_free(g);
    return NULL;
}

struct isa_graph *isa_image_read_parts(const struct lib_source *const *sources,
                                       uint32_t count, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    struct isa_image_reader *readers = lib_mem_new(((size_t)count + 1) * sizeof *readers);
    struct isa_graph *graph = NULL;
    bool good = count > 0;
    for (uint32_t p = 0; p < count && good; p++) {
        readers[p] = (struct isa_image_reader){
            .source = sources[p], .diags = diags, .arena = arena};
        good = read_part(&readers[p]);
    }
    for (uint32_t p = 0; p < count && good; p++)
        if (readers[p].graph->machine_count != count ||
            readers[p].whole != readers[0].whole)
            good = isa_image_fail(&readers[p],
                                  "this is of a program on %u machines, and there are %u",
                                  readers[p].graph->machine_count, count);
    if (good)
        graph = join_parts(readers, count);
    for (uint32_t p = 0; p < count; p++)
        isa_graph_free(readers[p].graph);
    lib_mem_free(readers);
    lib_arena_free(arena);
    return graph;
}
