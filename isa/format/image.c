#include "isa/format/image.h"

#include "isa/format/image_layout.h"
#include "isa/kernel_use.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

enum { WHOLE = -1 };

struct writer {
    const struct isa_graph *graph;
    int64_t machine; /* machine whose nodes are written, or WHOLE */
    struct lib_text texts[ISA_IMAGE_TABLE_COUNT];
    struct lib_pack tables[ISA_IMAGE_TABLE_COUNT]; /* packs that write to the texts */
    uint32_t opcodes;
    /* index in the table plus one, or 0 if not used yet */
    uint32_t opcode_index[ISA_OP_COUNT];
    struct lib_text kernels; /* records of the kernels applied so far */
    uint32_t kernel_count;
    /* index in the list plus one; 0: not used yet */
    uint32_t kernel_index[ISA_IMAGE_KERNELS];
};

/* Packs a record of a table: a structure of isa/format/image_layout.h. */
#define PUT(w, TABLE, type, ...)                                                         \
    do {                                                                                 \
        struct isa_image_##type record_ = {__VA_ARGS__};                                 \
        LIB_PACK(&(w)->tables[ISA_IMAGE_##TABLE], record_);                              \
    } while (0)

static void put_text(struct lib_pack *pack, const char *text)
{
    lib_pack_bytes(pack, (char *)text, strlen(text));
}

/* Adds a name to the table of names, and returns its length. */
static uint32_t put_name(struct writer *w, const char *name)
{
    put_text(&w->tables[ISA_IMAGE_NAMES], name);
    return (uint32_t)strlen(name);
}

static void put_types(struct writer *w, const enum isa_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type = (uint8_t)types[i];
        LIB_PACK(&w->tables[ISA_IMAGE_TYPES], type);
    }
}

static void put_function(struct writer *w, const struct isa_function *f)
{
    PUT(w, FUNCTIONS, function, .name = put_name(w, f->name), .params = f->param_count,
        .results = f->result_count, .is_loop = f->is_loop, .held = f->held_count,
        .bound = f->bound, .pos = isa_image_pos(f->pos));
    put_types(w, f->params, f->param_count);
    put_types(w, f->results, f->result_count);
    put_types(w, f->held, f->held_count);
}

static void put_declarations(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    for (uint32_t i = 0; i < g->function_count; i++)
        put_function(w, &g->functions[i]);
    for (uint32_t i = 0; i < g->site_count; i++)
        PUT(w, SITES, site, g->sites[i].caller, g->sites[i].callee,
            isa_image_pos(g->sites[i].pos));
    for (uint32_t i = 0; i < g->cell_count; i++)
        PUT(w, CELLS, cell, put_name(w, g->cells[i].name), g->cells[i].type);
    for (uint32_t i = 0; i < g->input_count; i++)
        PUT(w, INPUTS, input, put_name(w, g->inputs[i].name), g->inputs[i].type,
            g->inputs[i].value);
}

static void put_operand(struct writer *w, const struct isa_operand *operand)
{
    bool literal = operand->kind == ISA_OPERAND_LITERAL;
    uint32_t index = operand->kind == ISA_OPERAND_INPUT  ? operand->input
                     : operand->kind == ISA_OPERAND_HELD ? operand->held
                                                         : 0;
    PUT(w, OPERANDS, operand, operand->kind, index, literal ? operand->value : 0);
}

static void put_lists(struct writer *w, const struct isa_node *n)
{
    for (uint32_t o = 0; o < n->output_count; o++) {
        PUT(w, LISTS, list, n->outputs[o].count);
        for (uint32_t i = 0; i < n->outputs[o].count; i++)
            PUT(w, ARCS, arc, n->outputs[o].items[i].node, n->outputs[o].items[i].port);
    }
}

/* Returns a node's `index` for the image, which has its own numbers of kernels. */
static uint32_t index_of(struct writer *w, const struct isa_node *n)
{
    if (!isa_op_index_word(n->op))
        return 0;
    if (isa_op_table[n->op].attributes != ISA_ATTR_KERNEL)
        return n->index;
    const unsigned use = isa_use_of(n->index);
    if (w->kernel_index[use] == 0) {
        struct lib_pack pack = lib_pack_writer(&w->kernels);
        LIB_TEXT_OWN name = {0};
        isa_use_write(use, &name);
        isa_image_pack_word(&pack, (uint32_t)name.length);
        put_text(&pack, lib_text_get(&name));
        w->kernel_index[use] = ++w->kernel_count;
    }
    return (n->index & ~(uint32_t)ISA_IMAGE_KERNEL_MASK) | (w->kernel_index[use] - 1);
}

static void put_node(struct writer *w, const struct isa_node *n)
{
    if (w->opcode_index[n->op] == 0) {
        PUT(w, OPCODES, opcode, .name = put_name(w, isa_op_table[n->op].text));
        w->opcode_index[n->op] = ++w->opcodes;
    }
    PUT(w, NODES, node, .opcode = w->opcode_index[n->op] - 1,
        .type = isa_op_is_typed(n->op) ? n->type : 0, .function = n->function,
        .site = isa_op_has_site(n->op) ? n->site : 0, .index = index_of(w, n),
        .operands = n->operand_count, .lists = n->output_count,
        .pos = isa_image_pos(n->pos));
    for (uint32_t port = 0; port < n->operand_count; port++)
        put_operand(w, &n->operands[port]);
    put_lists(w, n);
}

static void put_tensors(const struct isa_graph *g, struct lib_pack *pack)
{
    isa_image_pack_word(pack, g->constant_count);
    for (uint32_t i = 0; i < g->constant_count; i++) {
        const struct isa_tensor *t = g->constants[i].tensor;
        struct isa_image_tensor record = {(uint32_t)strlen(g->constants[i].name),
                                          t->shape.element, t->shape.rank};
        LIB_PACK(pack, record);
        lib_pack_bytes(pack, (void *)t->shape.extents, sizeof t->shape.extents);
        put_text(pack, g->constants[i].name);
        lib_pack_bytes(pack, t->data, t->bytes);
    }
}

static void put_placings(const struct isa_graph *g, struct lib_pack *pack)
{
    isa_image_pack_word(pack, g->placing_count);
    for (uint32_t i = 0; i < g->placing_count; i++) {
        const struct isa_placing *p = &g->placings[i];
        struct isa_image_placing record = {p->first, p->last, p->machine, p->pos};
        LIB_PACK(pack, record);
    }
}

static bool is_written(const struct writer *w, uint32_t node)
{
    return w->machine == WHOLE || w->graph->nodes[node].machine == w->machine;
}

static void put_machines(const struct writer *w, struct lib_pack *pack)
{
    const struct isa_graph *g = w->graph;
    isa_image_pack_word(pack, g->machine_count);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (is_written(w, i))
            isa_image_pack_word(pack, g->nodes[i].machine);
    if (w->machine == WHOLE)
        return;
    isa_image_pack_word(pack, g->node_count);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (is_written(w, i))
            isa_image_pack_word(pack, i);
}

static void put_counts(const struct writer *w, struct lib_pack *pack)
{
    static const uint32_t sizes[] = {
#define TABLE(NAME, text, bytes) bytes,
        ISA_IMAGE_TABLES(TABLE)
#undef TABLE
    };
    const struct isa_graph *g = w->graph;
    struct isa_image_counts counts = {
        .source_name = (uint32_t)strlen(g->source),
        .shape_name = (uint32_t)strlen(g->shape),
        .strategy = (g->stage == ISA_STAGE_EXPANDING ? ISA_IMAGE_EXPANDING : 0) |
                    (g->constant_count ? ISA_IMAGE_HAS_TENSORS : 0) |
                    (w->kernel_count ? ISA_IMAGE_HAS_KERNELS : 0) |
                    (g->stage == ISA_STAGE_PARTITIONED ? ISA_IMAGE_PARTITIONED : 0) |
                    (w->machine == WHOLE ? 0 : ISA_IMAGE_PART) |
                    (g->placing_count ? ISA_IMAGE_HAS_PLACINGS : 0) |
                    (g->port_count ? ISA_IMAGE_HAS_PORTS : 0),
    };
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        counts.records[t] = (uint32_t)(w->texts[t].length / sizes[t]);
    LIB_PACK(pack, counts);
}

static void put_payload(struct writer *w, struct lib_text *out)
{
    const struct isa_graph *g = w->graph;
    struct lib_pack pack = lib_pack_writer(out);
    put_counts(w, &pack);
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        lib_text_add(out, lib_text_get(&w->texts[t]), w->texts[t].length);
    if (g->stage == ISA_STAGE_PARTITIONED)
        put_machines(w, &pack);
    if (g->placing_count)
        put_placings(g, &pack);
    if (w->kernel_count) {
        isa_image_pack_word(&pack, w->kernel_count);
        lib_text_add(out, w->kernels.bytes, w->kernels.length);
    }
    if (g->port_count)
        isa_image_put_ports(g, &pack);
    if (g->constant_count)
        put_tensors(g, &pack);
}

static void write(const struct isa_graph *graph, int64_t machine, struct lib_text *out)
{
    struct writer w = {.graph = graph, .machine = machine};
    LIB_TEXT_OWN payload = {0};
    struct lib_pack pack = lib_pack_writer(out);
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        w.tables[t] = lib_pack_writer(&w.texts[t]);
    /* Names are in the order of the tables: nodes, which add opcodes, come before declarations. */
    put_name(&w, graph->source);
    put_name(&w, graph->shape);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (is_written(&w, i))
            put_node(&w, &graph->nodes[i]);
    put_declarations(&w);
    put_payload(&w, &payload);
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        lib_text_free(&w.texts[t]);
    lib_text_free(&w.kernels);

    XXH128_hash_t hash = XXH3_128bits(lib_text_get(&payload), payload.length);
    struct isa_image_header header = {.format = ISA_IMAGE_FORMAT,
                                      .length = payload.length,
                                      .low = hash.low64,
                                      .high = hash.high64};
    memcpy(header.magic, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES);
    LIB_PACK(&pack, header);
    lib_text_add(out, payload.bytes, payload.length);
}

void isa_image_write(const struct isa_graph *graph, struct lib_text *out)
{
    write(graph, WHOLE, out);
}

void isa_image_write_part(const struct isa_graph *graph, uint32_t machine,
                          struct lib_text *out)
{
    write(graph, machine, out);
}

struct isa_digest isa_image_digest(const struct isa_graph *graph)
{
    LIB_TEXT_OWN image = {0};
    isa_image_write(graph, &image);
    return isa_digest_of(image.bytes, image.length);
}

struct isa_digest isa_digest_of(const void *bytes, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    return (struct isa_digest){hash.high64, hash.low64};
}

const char *isa_digest_keep(struct lib_arena *arena, struct isa_digest digest)
{
    struct lib_text text = {0};
    isa_digest_write(digest, &text);
    return lib_arena_keep(arena, &text);
}

void isa_digest_write(struct isa_digest digest, struct lib_text *out)
{
    lib_text_printf(out, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
