#include "isa/format/image.h"

#include "isa/format/image_layout.h"
#include "isa/kernel_use.h"
#include "lib/memory.h"

#include <string.h>
#include <xxhash.h>

enum { WHOLE = -1 };

/* Bytes that are passed on at once; a table is not kept as a whole. */
enum { PIECE = 64 * 1024 };

struct writer {
    const struct isa_graph *graph;
    int64_t machine; /* machine whose nodes are written, or WHOLE */
    /* receives the pieces */
    isa_image_consume *consume;
    void *context;
    struct lib_text piece;             /* bytes that were not passed on yet */
    struct lib_pack pack;              /* writes to `piece` */
    enum isa_op opcodes[ISA_OP_COUNT]; /* in the order of their first use */
    /* index in the table plus one, or 0 if not used */
    uint32_t opcode_index[ISA_OP_COUNT];
    unsigned kernels[ISA_IMAGE_KERNELS]; /* in the order of their first use */
    uint32_t kernel_count;
    /* index in the list plus one; 0: not used */
    uint32_t kernel_index[ISA_IMAGE_KERNELS];
    uint32_t records[ISA_IMAGE_TABLE_COUNT]; /* number of records of each table */
};

/* Packs a record of a table: a structure of isa/format/image_layout.h. */
#define PUT(w, type, ...)                                                                \
    do {                                                                                 \
        struct isa_image_##type record_ = {__VA_ARGS__};                                 \
        LIB_PACK(&(w)->pack, record_);                                                   \
    } while (0)

static void flush_piece(struct writer *w)
{
    if (w->piece.length)
        w->consume(w->context, w->piece.bytes, w->piece.length);
    lib_text_clear(&w->piece);
}

/* Passes a full piece on. Called where a node, or something of which there are fewer, ends. */
static void end_record(struct writer *w)
{
    if (w->piece.length >= PIECE)
        flush_piece(w);
}

static void put_bytes(struct writer *w, const void *bytes, size_t length)
{
    if (length < PIECE) {
        lib_pack_bytes(&w->pack, (void *)bytes, length);
        end_record(w);
        return;
    }
    flush_piece(w);
    w->consume(w->context, bytes, length);
}

static void put_text(struct writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static uint32_t length_of(const char *name)
{
    return (uint32_t)strlen(name);
}

static bool is_written(const struct writer *w, uint32_t node)
{
    return w->machine == WHOLE || w->graph->nodes[node].machine == w->machine;
}

/* --- what is used, and how much ------------------------------------------------------ */

static bool applies_kernel(const struct isa_node *n)
{
    return isa_op_table[n->op].attributes == ISA_ATTR_KERNEL;
}

static void count_node(struct writer *w, const struct isa_node *n)
{
    uint32_t *const records = w->records;
    if (w->opcode_index[n->op] == 0) {
        w->opcodes[records[ISA_IMAGE_OPCODES]++] = n->op;
        w->opcode_index[n->op] = records[ISA_IMAGE_OPCODES];
        records[ISA_IMAGE_NAMES] += length_of(isa_op_table[n->op].text);
    }
    const unsigned use = applies_kernel(n) ? isa_use_of(n->index) : 0;
    if (applies_kernel(n) && w->kernel_index[use] == 0) {
        w->kernels[w->kernel_count] = use;
        w->kernel_index[use] = ++w->kernel_count;
    }
    records[ISA_IMAGE_NODES]++;
    records[ISA_IMAGE_OPERANDS] += n->operand_count;
    records[ISA_IMAGE_LISTS] += n->output_count;
    for (uint32_t o = 0; o < n->output_count; o++)
        records[ISA_IMAGE_ARCS] += n->outputs[o].count;
}

static void count_records(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    uint32_t *const records = w->records;
    for (uint32_t i = 0; i < g->node_count; i++)
        if (is_written(w, i))
            count_node(w, &g->nodes[i]);
    records[ISA_IMAGE_FUNCTIONS] = g->function_count;
    records[ISA_IMAGE_SITES] = g->site_count;
    records[ISA_IMAGE_CELLS] = g->cell_count;
    records[ISA_IMAGE_INPUTS] = g->input_count;
    records[ISA_IMAGE_NAMES] += length_of(g->source) + length_of(g->shape);
    for (uint32_t i = 0; i < g->function_count; i++) {
        const struct isa_function *f = &g->functions[i];
        records[ISA_IMAGE_NAMES] += length_of(f->name);
        records[ISA_IMAGE_TYPES] += f->param_count + f->result_count + f->held_count;
    }
    for (uint32_t i = 0; i < g->cell_count; i++)
        records[ISA_IMAGE_NAMES] += length_of(g->cells[i].name);
    for (uint32_t i = 0; i < g->input_count; i++)
        records[ISA_IMAGE_NAMES] += length_of(g->inputs[i].name);
}

/* --- tables of declarations ---------------------------------------------------------- */

static void put_declarations(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    for (uint32_t i = 0; i < w->records[ISA_IMAGE_OPCODES]; i++)
        PUT(w, opcode, .name = length_of(isa_op_table[w->opcodes[i]].text));
    for (uint32_t i = 0; i < g->function_count; i++, end_record(w)) {
        const struct isa_function *f = &g->functions[i];
        PUT(w, function, .name = length_of(f->name), .params = f->param_count,
            .results = f->result_count, .is_loop = f->is_loop, .held = f->held_count,
            .bound = f->is_loop ? f->bound : f->strand, .pos = isa_image_pos(f->pos));
    }
    for (uint32_t i = 0; i < g->site_count; i++, end_record(w))
        PUT(w, site, g->sites[i].caller, g->sites[i].callee,
            isa_image_pos(g->sites[i].pos));
    for (uint32_t i = 0; i < g->cell_count; i++, end_record(w))
        PUT(w, cell, length_of(g->cells[i].name), g->cells[i].type);
    for (uint32_t i = 0; i < g->input_count; i++, end_record(w))
        PUT(w, input, length_of(g->inputs[i].name), g->inputs[i].type,
            g->inputs[i].part_count
                ? g->inputs[i].first | (uint64_t)g->inputs[i].part_count << 32
                : g->inputs[i].value);
}

static void put_types(struct writer *w, const enum isa_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, end_record(w)) {
        uint8_t type = (uint8_t)types[i];
        LIB_PACK(&w->pack, type);
    }
}

static void put_all_types(struct writer *w)
{
    for (uint32_t i = 0; i < w->graph->function_count; i++) {
        const struct isa_function *f = &w->graph->functions[i];
        put_types(w, f->params, f->param_count);
        put_types(w, f->results, f->result_count);
        put_types(w, f->held, f->held_count);
    }
}

static void put_names(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    put_text(w, g->source);
    put_text(w, g->shape);
    for (uint32_t i = 0; i < w->records[ISA_IMAGE_OPCODES]; i++)
        put_text(w, isa_op_table[w->opcodes[i]].text);
    for (uint32_t i = 0; i < g->function_count; i++)
        put_text(w, g->functions[i].name);
    for (uint32_t i = 0; i < g->cell_count; i++)
        put_text(w, g->cells[i].name);
    for (uint32_t i = 0; i < g->input_count; i++)
        put_text(w, g->inputs[i].name);
}

/* --- tables of nodes ----------------------------------------------------------------- */

static void put_operands(struct writer *w, const struct isa_node *n)
{
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const struct isa_operand *operand = &n->operands[port];
        const bool literal = operand->kind == ISA_OPERAND_LITERAL;
        const uint32_t index = operand->kind == ISA_OPERAND_INPUT  ? operand->input
                               : operand->kind == ISA_OPERAND_HELD ? operand->held
                                                                   : 0;
        PUT(w, operand, operand->kind, index, literal ? operand->value : 0);
    }
}

static void put_arcs(struct writer *w, const struct isa_node *n)
{
    for (uint32_t o = 0; o < n->output_count; o++)
        for (uint32_t i = 0; i < n->outputs[o].count; i++, end_record(w))
            PUT(w, arc, n->outputs[o].items[i].node, n->outputs[o].items[i].port);
}

static void put_lists(struct writer *w, const struct isa_node *n)
{
    for (uint32_t o = 0; o < n->output_count; o++)
        PUT(w, list, n->outputs[o].count);
}

/* Returns a node's `index` for the image, which has its own numbers of kernels. */
static uint32_t index_of(const struct writer *w, const struct isa_node *n)
{
    if (!isa_op_index_word(n->op))
        return 0;
    if (!applies_kernel(n))
        return n->index;
    return (n->index & ~(uint32_t)ISA_IMAGE_KERNEL_MASK) |
           (w->kernel_index[isa_use_of(n->index)] - 1);
}

static void put_node(struct writer *w, const struct isa_node *n)
{
    PUT(w, node, .opcode = w->opcode_index[n->op] - 1,
        .type = isa_op_is_typed(n->op) ? n->type : 0, .function = n->function,
        .site = isa_op_has_site(n->op) ? n->site : 0, .index = index_of(w, n),
        .operands = n->operand_count, .lists = n->output_count,
        .pos = isa_image_pos(n->pos));
}

static void put_each(struct writer *w,
                     void (*put)(struct writer *w, const struct isa_node *n))
{
    for (uint32_t i = 0; i < w->graph->node_count; i++)
        if (is_written(w, i)) {
            put(w, &w->graph->nodes[i]);
            end_record(w);
        }
}

/* --- parts after the tables ---------------------------------------------------------- */

static void put_tensors(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    isa_image_pack_word(&w->pack, g->constant_count);
    for (uint32_t i = 0; i < g->constant_count; i++) {
        const struct isa_tensor *t = g->constants[i].tensor;
        PUT(w, tensor, length_of(g->constants[i].name), t->shape.element, t->shape.rank);
        put_bytes(w, t->shape.extents, sizeof t->shape.extents);
        put_text(w, g->constants[i].name);
        put_bytes(w, t->data, t->bytes);
    }
}

static void put_placings(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    isa_image_pack_word(&w->pack, g->placing_count);
    for (uint32_t i = 0; i < g->placing_count; i++, end_record(w)) {
        const struct isa_placing *p = &g->placings[i];
        PUT(w, placing, p->first, p->last, p->machine, p->pos);
    }
}

static void put_classes(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    for (uint32_t f = 0; f < g->function_count; f++) {
        const char *on = g->functions[f].on ? g->functions[f].on : "";
        isa_image_pack_word(&w->pack, length_of(on));
        put_text(w, on);
    }
}

static void put_machines(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    isa_image_pack_word(&w->pack, g->machine_count);
    for (uint32_t i = 0; i < g->node_count; i++, end_record(w))
        if (is_written(w, i))
            isa_image_pack_word(&w->pack, g->nodes[i].machine);
    if (w->machine == WHOLE)
        return;
    isa_image_pack_word(&w->pack, g->node_count);
    for (uint32_t i = 0; i < g->node_count; i++, end_record(w))
        if (is_written(w, i))
            isa_image_pack_word(&w->pack, i);
}

static void put_kernels(struct writer *w)
{
    isa_image_pack_word(&w->pack, w->kernel_count);
    for (uint32_t i = 0; i < w->kernel_count; i++) {
        LIB_TEXT_OWN name = {0};
        isa_use_write(w->kernels[i], &name);
        isa_image_pack_word(&w->pack, (uint32_t)name.length);
        put_text(w, lib_text_get(&name));
    }
}

static void put_counts(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    struct isa_image_counts counts = {
        .source_name = length_of(g->source),
        .shape_name = length_of(g->shape),
        .strategy = (g->stage == ISA_STAGE_EXPANDING ? ISA_IMAGE_EXPANDING : 0) |
                    (g->constant_count ? ISA_IMAGE_HAS_TENSORS : 0) |
                    (w->kernel_count ? ISA_IMAGE_HAS_KERNELS : 0) |
                    (g->stage == ISA_STAGE_PARTITIONED ? ISA_IMAGE_PARTITIONED : 0) |
                    (w->machine == WHOLE ? 0 : ISA_IMAGE_PART) |
                    (g->placing_count ? ISA_IMAGE_HAS_PLACINGS : 0) |
                    (isa_graph_has_classes(g) ? ISA_IMAGE_HAS_CLASSES : 0) |
                    (g->port_count ? ISA_IMAGE_HAS_PORTS : 0) |
                    (g->constructor_count ? ISA_IMAGE_HAS_DATA : 0),
    };
    memcpy(counts.records, w->records, sizeof counts.records);
    LIB_PACK(&w->pack, counts);
}

/* Passes the payload on. The tables are in the order of ISA_IMAGE_TABLES. */
static void put_payload(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    put_counts(w);
    put_declarations(w);
    put_each(w, put_operands);
    put_each(w, put_arcs);
    put_each(w, put_node);
    put_each(w, put_lists);
    put_all_types(w);
    put_names(w);
    if (g->stage == ISA_STAGE_PARTITIONED)
        put_machines(w);
    if (g->placing_count)
        put_placings(w);
    if (w->kernel_count)
        put_kernels(w);
    if (isa_graph_has_classes(g))
        put_classes(w);
    if (g->port_count)
        isa_image_put_ports(g, &w->pack);
    if (g->constructor_count)
        isa_image_put_constructors(g, &w->pack);
    if (g->constant_count)
        put_tensors(w);
    flush_piece(w);
}

/* --- images -------------------------------------------------------------------------- */

/* State of a hash of pieces. */
struct hash {
    XXH3_state_t *state;
    uint64_t length;
};

static void start_hash(struct hash *h)
{
    h->state = XXH3_createState();
    if (!h->state)
        lib_mem_exhausted(0);
    XXH3_128bits_reset(h->state);
    h->length = 0;
}

static void hash_consume(void *context, const void *bytes, size_t length)
{
    struct hash *h = context;
    XXH3_128bits_update(h->state, bytes, length);
    h->length += length;
}

static XXH128_hash_t end_hash(struct hash *h)
{
    const XXH128_hash_t hash = XXH3_128bits_digest(h->state);
    XXH3_freeState(h->state);
    return hash;
}

/* Passes an image on, `begin` first with its length if it is not NULL. The header has the hash of
 * the payload, which is therefore made twice. */
static void pass_image(const struct isa_graph *graph, int64_t machine,
                       void (*begin)(void *context, size_t length),
                       isa_image_consume *consume, void *context)
{
    struct hash of_payload;
    struct writer w = {.graph = graph, .machine = machine};
    w.pack = lib_pack_writer(&w.piece);
    w.consume = hash_consume;
    w.context = &of_payload;
    start_hash(&of_payload);
    count_records(&w);
    put_payload(&w);
    const XXH128_hash_t hash = end_hash(&of_payload);
    struct isa_image_header header = {.format = ISA_IMAGE_FORMAT,
                                      .length = of_payload.length,
                                      .low = hash.low64,
                                      .high = hash.high64};
    memcpy(header.magic, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES);
    if (begin)
        begin(context, sizeof header + of_payload.length);
    w.consume = consume;
    w.context = context;
    LIB_PACK(&w.pack, header);
    put_payload(&w);
    lib_text_free(&w.piece);
}

static void text_begin(void *context, size_t length)
{
    lib_text_reserve(context, length);
}

static void text_consume(void *context, const void *bytes, size_t length)
{
    lib_text_add(context, bytes, length);
}

void isa_image_write(const struct isa_graph *graph, struct lib_text *out)
{
    pass_image(graph, WHOLE, text_begin, text_consume, out);
}

void isa_image_write_part(const struct isa_graph *graph, uint32_t machine,
                          struct lib_text *out)
{
    pass_image(graph, machine, text_begin, text_consume, out);
}

void isa_image_pass(const struct isa_graph *graph, isa_image_consume *consume,
                    void *context)
{
    pass_image(graph, WHOLE, NULL, consume, context);
}

/* State of a comparison: the rest of the bytes, while they are the same. */
struct comparison {
    const char *bytes;
    size_t length;
    bool is_same;
};

static void comparison_consume(void *context, const void *bytes, size_t length)
{
    struct comparison *c = context;
    c->is_same = c->is_same && length <= c->length &&
                 memcmp(bytes, c->bytes, length) == 0;
    c->bytes += c->is_same ? length : 0;
    c->length -= c->is_same ? length : 0;
}

bool isa_image_is_of(const struct isa_graph *graph, const struct lib_source *image)
{
    struct comparison c = {image->bytes, image->length, true};
    pass_image(graph, WHOLE, NULL, comparison_consume, &c);
    return c.is_same && c.length == 0;
}

struct isa_digest isa_image_digest(const struct isa_graph *graph)
{
    struct hash of_image;
    start_hash(&of_image);
    pass_image(graph, WHOLE, NULL, hash_consume, &of_image);
    const XXH128_hash_t hash = end_hash(&of_image);
    return (struct isa_digest){hash.high64, hash.low64};
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
    lib_text_hex(out, digest.high);
    lib_text_hex(out, digest.low);
}
