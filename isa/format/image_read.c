#include "isa/check/check.h"
#include "isa/format/asm.h"
#include "isa/format/image_reader.h"
#include "isa/kernel_use.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

bool isa_image_fail(struct isa_image_reader *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_FILE, r->source, (struct lib_pos){0}, format, ap);
    va_end(ap);
    return false;
}

/* Reads a record of a table: a structure of isa/format/image_layout.h. */
#define TAKE(r, TABLE, record) LIB_PACK(&(r)->tables[ISA_IMAGE_##TABLE], record)

static size_t records_left(const struct isa_image_reader *r, enum isa_image_table table,
                           size_t size)
{
    return isa_image_left(&r->tables[table]) / size;
}

/* Splits the first `length` bytes off a pack. Returns false if it has fewer. */
static bool split_off(struct lib_pack *pack, size_t length, struct lib_pack *part)
{
    if (isa_image_left(pack) < length)
        return false;
    *part = lib_pack_reader(pack->in + pack->at, length);
    pack->at += length;
    return true;
}

/* Reads a number of 4 bytes. Returns UINT64_MAX if there are fewer bytes. */
static uint64_t take_count(struct lib_pack *pack)
{
    return isa_image_left(pack) < 4 ? UINT64_MAX : isa_image_pack_word(pack, 0);
}

/* Reads a name of known length. Returns NULL if the bytes cannot be a name. */
static const char *take_bytes(struct isa_image_reader *r, struct lib_pack *pack,
                              uint64_t length)
{
    const char *at = (const char *)pack->in + pack->at;
    if (length > isa_image_left(pack) || length > ISA_ASM_MAX_NAME ||
        memchr(at, '\0', length))
        return NULL;
    pack->at += length;
    return lib_arena_copy(r->arena, at, length);
}

bool isa_image_is(const struct lib_source *source)
{
    return source->length >= 4 && memcmp(source->bytes, ISA_IMAGE_MAGIC, 4) == 0;
}

static bool read_header(struct isa_image_reader *r, struct lib_pack *file)
{
    struct isa_image_header header;
    if (r->source->length < sizeof header)
        return isa_image_is(r->source)
                   ? isa_image_fail(r,
                                    "the image is cut off in its header, after %zu bytes",
                                    r->source->length)
                   : isa_image_fail(r, "not an image of hiaton");
    if (!isa_image_is(r->source))
        return isa_image_fail(r, "not an image of hiaton");
    LIB_PACK(file, header);
    if (memcmp(header.magic, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES) != 0)
        return isa_image_fail(
            r, "the image is damaged: line ends were converted; copy it as binary");
    if (header.format != ISA_IMAGE_FORMAT)
        return isa_image_fail(r,
                              "the image has format %u, and this version of hiaton reads "
                              "format %d; compile the program again",
                              header.format, ISA_IMAGE_FORMAT);
    const size_t left = isa_image_left(file);
    if (left < header.length)
        return isa_image_fail(r, "the image is cut off: %zu bytes of %" PRIu64,
                              r->source->length, header.length + ISA_IMAGE_HEADER_BYTES);
    if (left > header.length)
        return isa_image_fail(r, "the image is damaged: %zu bytes, but it has %" PRIu64,
                              r->source->length, header.length + ISA_IMAGE_HEADER_BYTES);
    XXH128_hash_t hash = XXH3_128bits(file->in + file->at, left);
    if (header.zero || hash.low64 != header.low || hash.high64 != header.high)
        return isa_image_fail(r, "the image is damaged: its checksum is wrong");
    return true;
}

static bool read_counts(struct isa_image_reader *r, struct lib_pack payload)
{
    static const size_t sizes[] = {
#define TABLE(NAME, text, bytes) bytes,
        ISA_IMAGE_TABLES(TABLE)
#undef TABLE
    };
    struct isa_image_counts counts;
    LIB_PACK(&payload, counts);
    if (payload.failed)
        return isa_image_fail(r, "the image is damaged: its payload is cut off");
    memcpy(r->counts, counts.records, sizeof r->counts);
    r->source_length = counts.source_name;
    r->shape_length = counts.shape_name;
    const uint32_t strategy = counts.strategy;
    const uint32_t both = ISA_IMAGE_EXPANDING | ISA_IMAGE_PARTITIONED;
    const uint32_t any = both | ISA_IMAGE_HAS_TENSORS | ISA_IMAGE_HAS_KERNELS |
                         ISA_IMAGE_PART | ISA_IMAGE_HAS_PLACINGS | ISA_IMAGE_HAS_PORTS |
                         ISA_IMAGE_HAS_DATA | ISA_IMAGE_HAS_CLASSES;
    if (strategy > any || (strategy & both) == both ||
        (strategy & ISA_IMAGE_PART && !(strategy & ISA_IMAGE_PARTITIONED)))
        return isa_image_fail(r, "the image is damaged: unknown strategy %u", strategy);
    r->stage = strategy & ISA_IMAGE_EXPANDING     ? ISA_STAGE_EXPANDING
               : strategy & ISA_IMAGE_PARTITIONED ? ISA_STAGE_PARTITIONED
                                                  : ISA_STAGE_IMAGE;
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++) {
        const size_t length = r->counts[t] * sizes[t];
        if (!split_off(&payload, length, &r->tables[t]))
            return isa_image_fail(r, "the image is damaged: its tables are cut off");
    }
    const size_t words = 4 + (size_t)4 * r->counts[ISA_IMAGE_NODES];
    if (strategy & ISA_IMAGE_PARTITIONED && !split_off(&payload, words, &r->machines))
        return isa_image_fail(r, "the image is damaged: its machines are cut off");
    if (strategy & ISA_IMAGE_PART && !split_off(&payload, words, &r->numbers))
        return isa_image_fail(
            r, "the image is damaged: the numbers of its nodes are cut off");
    r->has_placings = strategy & ISA_IMAGE_HAS_PLACINGS;
    r->has_classes = strategy & ISA_IMAGE_HAS_CLASSES;
    r->has_ports = strategy & ISA_IMAGE_HAS_PORTS;
    r->has_data = strategy & ISA_IMAGE_HAS_DATA;
    r->has_kernels = strategy & ISA_IMAGE_HAS_KERNELS;
    r->has_tensors = strategy & ISA_IMAGE_HAS_TENSORS;
    r->behind = payload;
    if (isa_image_left(&payload) && !r->has_kernels && !r->has_tensors &&
        !r->has_placings && !r->has_classes && !r->has_ports && !r->has_data)
        return isa_image_fail(r, "the image is damaged: %zu bytes after its tables",
                              isa_image_left(&payload));
    if (r->counts[ISA_IMAGE_NODES] > ISA_MAX_NODES)
        return isa_image_fail(r, "the image has %u nodes; at most %d can be read",
                              r->counts[ISA_IMAGE_NODES], ISA_MAX_NODES);
    return true;
}

static bool take_name(struct isa_image_reader *r, uint32_t length, const char **name)
{
    *name = take_bytes(r, &r->tables[ISA_IMAGE_NAMES], length);
    if (*name)
        return true;
    *name = "";
    return isa_image_fail(r, "the image is damaged: invalid name");
}

/* Returns the first opcode with a name; several rows may share it and differ by type. */
static enum isa_op find_opcode(const char *name)
{
    for (int op = 0; op < ISA_OP_COUNT; op++)
        if (strcmp(name, isa_op_table[op].text) == 0)
            return (enum isa_op)op;
    return ISA_OP_NONE;
}

static bool read_opcodes(struct isa_image_reader *r)
{
    uint32_t count = r->counts[ISA_IMAGE_OPCODES];
    bool used[ISA_OP_COUNT] = {false};
    if (count > ISA_OP_COUNT)
        return isa_image_fail(r,
                              "the image needs %u opcodes; this version of hiaton has %d",
                              count, ISA_OP_COUNT);
    r->opcodes = LIB_ARENA_ARRAY(r->arena, enum isa_op, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *name;
        struct isa_image_opcode opcode;
        TAKE(r, OPCODES, opcode);
        if (!take_name(r, opcode.name, &name))
            return false;
        r->opcodes[i] = find_opcode(name);
        if (r->opcodes[i] == ISA_OP_NONE)
            return isa_image_fail(r,
                                  "the image needs the opcode '%.40s', which this "
                                  "version of hiaton does not have",
                                  name);
        if (opcode.zero || used[r->opcodes[i]])
            return isa_image_fail(r, "the image is damaged: opcode '%s'", name);
        used[r->opcodes[i]] = true;
    }
    return true;
}

static bool read_function(struct isa_image_reader *r)
{
    const char *name;
    struct isa_image_function f;
    TAKE(r, FUNCTIONS, f);
    if (!take_name(r, f.name, &name))
        return false;
    if (f.params > ISA_MAX_PARAMS || f.results > ISA_MAX_PARAMS ||
        f.held > ISA_MAX_PARAMS ||
        records_left(r, ISA_IMAGE_TYPES, 1) < f.params + f.results + f.held)
        return isa_image_fail(
            r, "the image is damaged: function %u has %u parameters and %u results",
            r->graph->function_count, f.params, f.results);
    const uint32_t all = f.params + f.results + f.held;
    enum isa_type *types = LIB_ARENA_ARRAY(r->arena, enum isa_type, all);
    for (uint32_t i = 0; i < all; i++) {
        uint8_t type;
        TAKE(r, TYPES, type);
        types[i] = (enum isa_type)type;
    }
    const uint32_t place = isa_graph_add_function(r->graph, name, types, f.params,
                                                  types + f.params, f.results, f.pos);
    if (f.is_loop > 1)
        return isa_image_fail(
            r, "the image is damaged: function %u is a loop of an unknown kind", place);
    if (f.is_loop)
        isa_graph_set_loop(r->graph, place, f.bound);
    else
        isa_graph_set_strand(r->graph, place, f.bound);
    isa_graph_set_constants(r->graph, place, types + f.params + f.results, f.held);
    return true;
}

static bool read_declarations(struct isa_image_reader *r)
{
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_FUNCTIONS]; i++)
        if (!read_function(r))
            return false;
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_SITES]; i++) {
        struct isa_image_site site;
        TAKE(r, SITES, site);
        isa_graph_add_site(r->graph, site.caller, site.callee, site.pos);
    }
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_CELLS]; i++) {
        struct isa_image_cell cell;
        const char *name;
        TAKE(r, CELLS, cell);
        if (!take_name(r, cell.name, &name))
            return false;
        isa_graph_add_cell(r->graph, name, (enum isa_type)cell.type);
    }
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_INPUTS]; i++) {
        struct isa_image_input input;
        const char *name;
        TAKE(r, INPUTS, input);
        if (!take_name(r, input.name, &name))
            return false;
        isa_graph_add_input(r->graph, name, (enum isa_type)input.type, input.value);
    }
    return true;
}

static bool read_operands(struct isa_image_reader *r, struct isa_node *n)
{
    if (records_left(r, ISA_IMAGE_OPERANDS, sizeof(struct isa_image_operand)) <
        n->operand_count)
        return isa_image_fail(r, "the image is damaged: its operands are cut off");
    for (uint32_t port = 0; port < n->operand_count; port++) {
        struct isa_image_operand operand;
        TAKE(r, OPERANDS, operand);
        n->operands[port] = (struct isa_operand){
            .kind = (enum isa_operand_kind)operand.kind,
            .input = operand.index,
            .value = operand.value,
        };
    }
    return true;
}

static bool read_lists(struct isa_image_reader *r, uint32_t node)
{
    const uint32_t outputs = r->graph->nodes[node].output_count;
    if (records_left(r, ISA_IMAGE_LISTS, sizeof(struct isa_image_list)) < outputs)
        return isa_image_fail(r, "the image is damaged: its lists are cut off");
    for (uint32_t o = 0; o < outputs; o++) {
        struct isa_image_list list;
        TAKE(r, LISTS, list);
        if (records_left(r, ISA_IMAGE_ARCS, sizeof(struct isa_image_arc)) < list.arcs)
            return isa_image_fail(r, "the image is damaged: its arcs are cut off");
        for (uint32_t i = 0; i < list.arcs; i++) {
            struct isa_image_arc arc;
            TAKE(r, ARCS, arc);
            isa_graph_connect(r->graph, node, o, (struct isa_dest){arc.node, arc.port});
        }
    }
    return true;
}

/* Checks that the tables have room for the operands and lists of an APPLY, which are those of its
 * callee. */
static bool check_apply(struct isa_image_reader *r, uint32_t site)
{
    const struct isa_graph *g = r->graph;
    if (r->stage != ISA_STAGE_EXPANDING)
        return isa_image_fail(r, "node %u: apply is not an instruction of a static image",
                              g->node_count);
    if (site >= g->site_count || g->sites[site].callee >= g->function_count)
        return isa_image_fail(r, "the image is damaged: node %u calls no function",
                              g->node_count);
    const struct isa_function *callee = &g->functions[g->sites[site].callee];
    if (callee->param_count >
            records_left(r, ISA_IMAGE_OPERANDS, sizeof(struct isa_image_operand)) ||
        callee->result_count >
            records_left(r, ISA_IMAGE_LISTS, sizeof(struct isa_image_list)))
        return isa_image_fail(r,
                              "the image is damaged: its operands or lists are cut off");
    return true;
}

/* Reads a node's `index`, translating the number of a kernel. */
static bool read_index(struct isa_image_reader *r, uint32_t *index)
{
    const uint32_t place = *index & ISA_IMAGE_KERNEL_MASK, node = r->graph->node_count;
    if (!r->has_kernels)
        return isa_image_fail(r, "the image numbers its kernels, and this version of "
                                 "hiaton takes them by name; compile the program again");
    if (place >= r->kernel_count)
        return isa_image_fail(r, "the image is damaged: node %u applies no kernel", node);
    *index = (*index & ~(uint32_t)ISA_IMAGE_KERNEL_MASK) | r->kernels[place];
    return true;
}

static bool read_node(struct isa_image_reader *r)
{
    struct isa_image_node record;
    TAKE(r, NODES, record);
    const uint32_t node = r->graph->node_count;
    if (record.opcode >= r->counts[ISA_IMAGE_OPCODES])
        return isa_image_fail(r, "the image is damaged: node %u has no opcode", node);
    enum isa_op op = r->opcodes[record.opcode];
    if (op == ISA_OP_APPLY && !check_apply(r, record.site))
        return false;
    if (isa_op_table[op].attributes == ISA_ATTR_KERNEL && !read_index(r, &record.index))
        return false;
    isa_graph_add_node(r->graph, op, (enum isa_type)record.type, record.function,
                       record.site, record.index, record.pos);
    struct isa_node *n = &r->graph->nodes[node];
    if (n->operand_count != record.operands || n->output_count != record.lists)
        return isa_image_fail(r,
                              "node %u: %s has %u operands and %u lists in the image, "
                              "but %u and %u in this version of hiaton",
                              node, isa_op_table[op].text, record.operands, record.lists,
                              n->operand_count, n->output_count);
    return read_operands(r, n) && read_lists(r, node);
}

static void read_machines(struct isa_image_reader *r)
{
    r->graph->machine_count = isa_image_pack_word(&r->machines, 0);
    for (uint32_t i = 0; i < r->graph->node_count; i++)
        r->graph->nodes[i].machine = isa_image_pack_word(&r->machines, 0);
}

/* Checks that nothing is left over, and that writing the graph gives the same image. */
static bool check_canonical(struct isa_image_reader *r)
{
    return isa_image_is_of(r->graph, r->source) ||
           isa_image_fail(r, "the image is damaged: it says what does not apply");
}

static bool read_placings(struct isa_image_reader *r)
{
    struct lib_pack *b = &r->behind;
    if (!r->has_placings)
        return true;
    const uint64_t count = take_count(b);
    if (count > isa_image_left(b) / sizeof(struct isa_image_placing))
        return isa_image_fail(r,
                              "the image is damaged: what it says of lines is cut off");
    for (uint64_t i = 0; i < count; i++) {
        struct isa_image_placing record;
        LIB_PACK(b, record);
        const struct isa_placing placing = {record.first, record.last, record.machine,
                                            record.pos};
        if (!isa_placing_is_legal(&placing) || r->stage == ISA_STAGE_PARTITIONED)
            return isa_image_fail(r, "the image is damaged: lines %u to %u on machine %u",
                                  placing.first, placing.last, placing.machine);
        isa_graph_add_placing(r->graph, placing);
    }
    return true;
}

static bool read_kernel(struct isa_image_reader *r)
{
    struct lib_pack *b = &r->behind;
    const char *name = take_bytes(r, b, take_count(b));
    if (!name)
        return isa_image_fail(r, "the image is damaged: its kernels are cut off");
    uint32_t *use = &r->kernels[r->kernel_count++];
    if (strchr(name, '.') || !isa_use_read(name, use))
        return isa_image_fail(r,
                              "the image needs the kernel '%.40s', which this version of "
                              "hiaton does not have",
                              name);
    return true;
}

static bool read_kernels(struct isa_image_reader *r)
{
    if (!r->has_kernels)
        return true;
    const uint64_t count = take_count(&r->behind);
    if (count > ISA_IMAGE_KERNELS)
        return isa_image_fail(r, "the image is damaged: its kernels are cut off");
    while (r->kernel_count < count)
        if (!read_kernel(r))
            return false;
    return true;
}

/* Reads a tensor. Allocates only elements that the bytes have. */
static bool read_tensor(struct isa_image_reader *r)
{
    struct lib_pack *b = &r->behind;
    struct isa_image_tensor record;
    struct isa_shape shape = {0};
    bool has_more = false;
    LIB_PACK(b, record, shape.extents);
    if (b->failed)
        return isa_image_fail(r, "the image is damaged: its tensors are cut off");
    shape.element = (uint8_t)record.element;
    shape.rank = (uint8_t)record.rank;
    for (uint64_t k = record.rank; k < ISA_RANK_MAX; k++)
        has_more = has_more || shape.extents[k] != 0;
    if (record.element >= ISA_ELEMENT_COUNT || record.rank > ISA_RANK_MAX || has_more ||
        !isa_shape_is_known(&shape) || !isa_shape_is_legal(&shape))
        return isa_image_fail(r, "the image is damaged: a tensor of an invalid shape");
    const uint64_t bytes = isa_shape_bytes(&shape);
    const char *name = take_bytes(r, b, record.name);
    if (!name || bytes > isa_image_left(b))
        return isa_image_fail(r, "the image is damaged: its tensors are cut off");
    struct isa_tensor *tensor = isa_tensor_new(&r->graph->tensors, &shape);
    if (bytes)
        lib_pack_bytes(b, tensor->data, bytes);
    if (!isa_tensor_is_sound(tensor)) {
        isa_tensor_free(&r->graph->tensors, tensor);
        return isa_image_fail(
            r, "the image is damaged: a bool that is neither true nor false");
    }
    isa_tensor_seal(tensor, true);
    isa_graph_add_constant(r->graph, name, tensor);
    return true;
}

static bool read_tensors(struct isa_image_reader *r)
{
    if (!r->has_tensors)
        return true;
    const uint64_t count = take_count(&r->behind);
    if (count == UINT64_MAX)
        return isa_image_fail(r, "the image is damaged: its tensors are cut off");
    for (uint64_t i = 0; i < count; i++)
        if (!read_tensor(r))
            return false;
    return true;
}

/* Reads the classes of PEs of all functions. */
static bool read_classes(struct isa_image_reader *r)
{
    for (uint32_t f = 0; f < r->graph->function_count && r->has_classes; f++) {
        const char *on = take_bytes(r, &r->behind, take_count(&r->behind));
        if (!on)
            return isa_image_fail(r,
                                  "the image is damaged: its classes of PEs are cut off");
        isa_graph_set_class(r->graph, f, *on ? on : NULL);
    }
    return true;
}

/* Binds the inputs that are arrays or tensors to their constants. */
static bool bind_inputs(struct isa_image_reader *r)
{
    for (uint32_t i = 0; i < r->graph->input_count; i++) {
        const struct isa_input *input = &r->graph->inputs[i];
        const uint32_t count = (uint32_t)(input->value >> 32);
        if (!isa_type_is_reference(input->type))
            continue;
        if (count > ISA_PARTS_MAX)
            return isa_image_fail(r,
                                  "the image is damaged: an element of an input has at "
                                  "most %d parts, found %u",
                                  ISA_PARTS_MAX, count);
        if (!isa_graph_bind_input(r->graph, i, (uint32_t)input->value, count))
            return isa_image_fail(
                r, "the image is damaged: the tensors of an input are not of its type");
    }
    return true;
}

static bool read_payload(struct isa_image_reader *r, struct lib_pack payload)
{
    const char *name, *shape;
    if (!read_counts(r, payload) || !take_name(r, r->source_length, &name) ||
        !take_name(r, r->shape_length, &shape))
        return false;
    r->graph = isa_graph_new(r->stage, name);
    if (!read_opcodes(r) || !read_placings(r) || !read_kernels(r) ||
        !read_declarations(r) || !read_classes(r))
        return false;
    if (r->has_ports &&
        (r->graph->function_count == 0 || !isa_image_take_ports(r->graph, &r->behind)))
        return isa_image_fail(r, "the image is damaged: its ports are cut off");
    if (r->has_data && !isa_image_take_constructors(r->graph, &r->behind))
        return isa_image_fail(r, "the image is damaged: its constructors are cut off");
    if (!isa_graph_set_shape(r->graph, shape))
        return isa_image_fail(r,
                              "the image is damaged: the shape of its result is invalid");
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_NODES]; i++)
        if (!read_node(r))
            return false;
    if (r->machines.in)
        read_machines(r);
    return read_tensors(r) && bind_inputs(r);
}

/* Checks the graph of an undivided image. */
static bool check_whole(struct isa_image_reader *r)
{
    if (r->numbers.in)
        return isa_image_fail(r, "this is the image of one machine; expected the file "
                                 "that names the images of all");
    return isa_check_text(r->graph, r->source, NULL, r->diags) && check_canonical(r);
}

bool isa_image_read_file(struct isa_image_reader *r)
{
    struct lib_pack file = lib_pack_reader(r->source->bytes, r->source->length);
    return read_header(r, &file) && read_payload(r, file);
}

struct isa_graph *isa_image_read(const struct lib_source *source, struct lib_diags *diags)
{
    struct isa_image_reader r = {
        .source = source, .diags = diags, .arena = lib_arena_new()};
    bool good = isa_image_read_file(&r) && check_whole(&r);
    lib_arena_free(r.arena);
    if (good)
        return r.graph;
    isa_graph_free(r.graph);
    return NULL;
}
