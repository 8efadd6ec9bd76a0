#include "isa/format/image.h"

#include "isa/format/image_layout.h"
#include "isa/kernel_use.h"
#include "lib/memory.h"

#include <inttypes.h>
#include <xxhash.h>

/* --- writing ------------------------------------------------------------------------ */

enum { WHOLE = -1 };

struct writer {
    const struct isa_graph *graph;
    int64_t machine; /* machine whose nodes are written; or WHOLE */
    struct lib_text tables[ISA_IMAGE_TABLE_COUNT];
    uint32_t opcodes;                    /* different opcodes so far */
    uint32_t opcode_index[ISA_OP_COUNT]; /* plus one; 0: not used yet */
    struct lib_text kernels;             /* records of the kernels applied so far */
    uint32_t kernel_count;
    uint32_t kernel_index[ISA_IMAGE_KERNELS]; /* plus one; 0: not used yet */
};

static void put_number(struct lib_text *out, uint64_t value, int bytes)
{
    char text[8];
    for (int i = 0; i < bytes; i++)
        text[i] = (char)(value >> (8 * i));
    lib_text_add(out, text, (size_t)bytes);
}

static void put4(struct writer *w, enum isa_image_table table, uint32_t value)
{
    put_number(&w->tables[table], value, 4);
}

static void put_pos(struct writer *w, enum isa_image_table table, struct lib_pos pos)
{
    if (pos.line == 0)
        pos = (struct lib_pos){0};
    put4(w, table, pos.line);
    put4(w, table, pos.column);
    put4(w, table, pos.span);
}

/* The name goes to the table of names, its length to the record. */
static void put_name(struct writer *w, enum isa_image_table table, const char *name)
{
    size_t length = strlen(name);
    put4(w, table, (uint32_t)length);
    lib_text_add(&w->tables[ISA_IMAGE_NAMES], name, length);
}

static void put_types(struct writer *w, const enum isa_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_number(&w->tables[ISA_IMAGE_TYPES], types[i], 1);
}

static void put_declarations(struct writer *w)
{
    const struct isa_graph *g = w->graph;
    for (uint32_t i = 0; i < g->function_count; i++) {
        const struct isa_function *f = &g->functions[i];
        put_name(w, ISA_IMAGE_FUNCTIONS, f->name);
        put4(w, ISA_IMAGE_FUNCTIONS, f->param_count);
        put4(w, ISA_IMAGE_FUNCTIONS, f->result_count);
        put4(w, ISA_IMAGE_FUNCTIONS, f->is_loop);
        put4(w, ISA_IMAGE_FUNCTIONS, f->held_count);
        put4(w, ISA_IMAGE_FUNCTIONS, f->bound);
        put_pos(w, ISA_IMAGE_FUNCTIONS, f->pos);
        put_types(w, f->params, f->param_count);
        put_types(w, f->results, f->result_count);
        put_types(w, f->held, f->held_count);
    }
    for (uint32_t i = 0; i < g->site_count; i++) {
        put4(w, ISA_IMAGE_SITES, g->sites[i].caller);
        put4(w, ISA_IMAGE_SITES, g->sites[i].callee);
        put_pos(w, ISA_IMAGE_SITES, g->sites[i].pos);
    }
    for (uint32_t i = 0; i < g->cell_count; i++) {
        put_name(w, ISA_IMAGE_CELLS, g->cells[i].name);
        put4(w, ISA_IMAGE_CELLS, g->cells[i].type);
    }
    for (uint32_t i = 0; i < g->input_count; i++) {
        put_name(w, ISA_IMAGE_INPUTS, g->inputs[i].name);
        put4(w, ISA_IMAGE_INPUTS, g->inputs[i].type);
        put_number(&w->tables[ISA_IMAGE_INPUTS], g->inputs[i].value, 8);
    }
}

static void put_operand(struct writer *w, const struct isa_operand *operand)
{
    bool literal = operand->kind == ISA_OPERAND_LITERAL;
    uint32_t index = operand->kind == ISA_OPERAND_INPUT  ? operand->input
                     : operand->kind == ISA_OPERAND_HELD ? operand->held
                                                         : 0;
    put4(w, ISA_IMAGE_OPERANDS, operand->kind);
    put4(w, ISA_IMAGE_OPERANDS, index);
    put_number(&w->tables[ISA_IMAGE_OPERANDS], literal ? operand->value : 0, 8);
}

static void put_lists(struct writer *w, const struct isa_node *n)
{
    for (uint32_t o = 0; o < n->output_count; o++) {
        put4(w, ISA_IMAGE_LISTS, n->outputs[o].count);
        for (uint32_t i = 0; i < n->outputs[o].count; i++) {
            put4(w, ISA_IMAGE_ARCS, n->outputs[o].items[i].node);
            put4(w, ISA_IMAGE_ARCS, n->outputs[o].items[i].port);
        }
    }
}

/* Returns the index of a node in the image, where kernels have other numbers. */
static uint32_t index_of(struct writer *w, const struct isa_node *n)
{
    if (!isa_op_index_word(n->op))
        return 0;
    if (isa_op_table[n->op].attributes != ISA_ATTR_KERNEL)
        return n->index;
    const unsigned use = isa_use_of(n->index);
    if (w->kernel_index[use] == 0) {
        struct lib_text name = {0};
        isa_use_write(use, &name);
        put_number(&w->kernels, name.length, 4);
        lib_text_add(&w->kernels, name.bytes, name.length);
        lib_text_free(&name);
        w->kernel_index[use] = ++w->kernel_count;
    }
    return (n->index & ~(uint32_t)ISA_IMAGE_KERNEL_MASK) | (w->kernel_index[use] - 1);
}

static void put_node(struct writer *w, const struct isa_node *n)
{
    if (w->opcode_index[n->op] == 0) {
        put_name(w, ISA_IMAGE_OPCODES, isa_op_table[n->op].text);
        put4(w, ISA_IMAGE_OPCODES, 0);
        w->opcode_index[n->op] = ++w->opcodes;
    }
    put4(w, ISA_IMAGE_NODES, w->opcode_index[n->op] - 1);
    put4(w, ISA_IMAGE_NODES, isa_op_is_typed(n->op) ? n->type : 0);
    put4(w, ISA_IMAGE_NODES, n->function);
    put4(w, ISA_IMAGE_NODES, isa_op_has_site(n->op) ? n->site : 0);
    put4(w, ISA_IMAGE_NODES, index_of(w, n));
    put4(w, ISA_IMAGE_NODES, n->operand_count);
    put4(w, ISA_IMAGE_NODES, n->output_count);
    put_pos(w, ISA_IMAGE_NODES, n->pos);
    for (uint32_t port = 0; port < n->operand_count; port++)
        put_operand(w, &n->operands[port]);
    put_lists(w, n);
}

static void put_tensors(const struct isa_graph *g, struct lib_text *out)
{
    put_number(out, g->constant_count, 4);
    for (uint32_t i = 0; i < g->constant_count; i++) {
        const struct isa_tensor *t = g->constants[i].tensor;
        const size_t length = strlen(g->constants[i].name);
        put_number(out, length, 4);
        put_number(out, t->shape.element, 4);
        put_number(out, t->shape.rank, 4);
        for (int k = 0; k < ISA_RANK_MAX; k++)
            put_number(out, (uint64_t)t->shape.extents[k], 8);
        lib_text_add(out, g->constants[i].name, length);
        lib_text_add(out, t->data, t->bytes);
    }
}

static void put_placings(const struct isa_graph *g, struct lib_text *out)
{
    put_number(out, g->placing_count, 4);
    for (uint32_t i = 0; i < g->placing_count; i++) {
        const struct isa_placing *p = &g->placings[i];
        const uint32_t words[] = {p->first,    p->last,       p->machine,
                                  p->pos.line, p->pos.column, p->pos.span};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            put_number(out, words[k], 4);
    }
}

static bool is_written(const struct writer *w, uint32_t node)
{
    return w->machine == WHOLE || w->graph->nodes[node].machine == w->machine;
}

static void put_machines(const struct writer *w, struct lib_text *out)
{
    const struct isa_graph *g = w->graph;
    put_number(out, g->machine_count, 4);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (is_written(w, i))
            put_number(out, g->nodes[i].machine, 4);
    if (w->machine == WHOLE)
        return;
    put_number(out, g->node_count, 4);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (is_written(w, i))
            put_number(out, i, 4);
}

/* Adds the payload: the counts, the tables, and the parts that flags announce. */
static void put_payload(struct writer *w, struct lib_text *out)
{
    static const uint32_t sizes[] = {
#define TABLE(NAME, text, bytes) bytes,
        ISA_IMAGE_TABLES(TABLE)
#undef TABLE
    };
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        put_number(out, w->tables[t].length / sizes[t], 4);
    put_number(out, strlen(w->graph->source), 4);
    put_number(out, strlen(w->graph->shape), 4);
    const bool partitioned = w->graph->stage == ISA_STAGE_PARTITIONED;
    const unsigned expanding = w->graph->stage == ISA_STAGE_EXPANDING;
    const unsigned tensors = w->graph->constant_count ? ISA_IMAGE_HAS_TENSORS : 0;
    const unsigned kernels = w->kernel_count ? ISA_IMAGE_HAS_KERNELS : 0;
    put_number(out,
               expanding | tensors | kernels | (partitioned ? ISA_IMAGE_PARTITIONED : 0) |
                   (w->machine == WHOLE ? 0 : ISA_IMAGE_PART) |
                   (w->graph->placing_count ? ISA_IMAGE_HAS_PLACINGS : 0) |
                   (w->graph->port_count ? ISA_IMAGE_HAS_PORTS : 0),
               4);
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        lib_text_add(out, lib_text_get(&w->tables[t]), w->tables[t].length);
    if (partitioned)
        put_machines(w, out);
    if (w->graph->placing_count)
        put_placings(w->graph, out);
    if (kernels) {
        put_number(out, w->kernel_count, 4);
        lib_text_add(out, w->kernels.bytes, w->kernels.length);
    }
    if (w->graph->port_count)
        isa_image_put_ports(w->graph, out);
    if (w->graph->constant_count)
        put_tensors(w->graph, out);
}

static void write(const struct isa_graph *graph, int64_t machine, struct lib_text *out)
{
    struct writer w = {.graph = graph, .machine = machine};
    struct lib_text payload = {0};
    /* Names are in the order of the tables, so that nodes, which add opcodes, come before
     * declarations. */
    lib_text_puts(&w.tables[ISA_IMAGE_NAMES], graph->source);
    lib_text_puts(&w.tables[ISA_IMAGE_NAMES], graph->shape);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (is_written(&w, i))
            put_node(&w, &graph->nodes[i]);
    put_declarations(&w);
    put_payload(&w, &payload);
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        lib_text_free(&w.tables[t]);
    lib_text_free(&w.kernels);

    XXH128_hash_t hash = XXH3_128bits(lib_text_get(&payload), payload.length);
    lib_text_add(out, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES);
    put_number(out, ISA_IMAGE_FORMAT, 4);
    put_number(out, 0, 4);
    put_number(out, payload.length, 8);
    put_number(out, hash.low64, 8);
    put_number(out, hash.high64, 8);
    lib_text_add(out, payload.bytes, payload.length);
    lib_text_free(&payload);
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

/* --- digests ------------------------------------------------------------------------ */

struct isa_digest isa_image_digest(const struct isa_graph *graph)
{
    struct lib_text image = {0};
    isa_image_write(graph, &image);
    struct isa_digest digest = isa_digest_of(image.bytes, image.length);
    lib_text_free(&image);
    return digest;
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
    const char *kept = lib_arena_copy(arena, text.bytes, text.length);
    lib_text_free(&text);
    return kept;
}

void isa_digest_write(struct isa_digest digest, struct lib_text *out)
{
    lib_text_printf(out, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
