#include "isa/check/check.h"
#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "isa/format/image_layout.h"
#include "isa/kernel_use.h"
#include "lib/memory.h"

#include <inttypes.h>
#include <xxhash.h>

/* A stretch of bytes that is used up from the front. */
struct bytes {
    const unsigned char *at;
    size_t left;
};

/* The tables were checked to lie in the file; what is used up of them in order (types,
 * operands, lists, arcs, names) is checked against what is left. */
struct reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_arena *arena; /* for what lives as long as the reading */
    uint32_t counts[ISA_IMAGE_TABLE_COUNT];
    struct bytes tables[ISA_IMAGE_TABLE_COUNT];
    struct bytes machines, numbers; /* behind the tables */
    uint32_t whole;                 /* of a part: nodes of all of them */
    struct bytes behind; /* these: what is not used up yet of kernels and tensors */
    bool has_kernels, has_tensors, has_placings, has_ports;
    uint32_t kernel_count, kernels[ISA_IMAGE_KERNELS]; /* uses, isa/kernel_use.h */
    uint32_t source_length, shape_length;
    enum isa_stage stage;
    enum isa_op *opcodes; /* counts[OPCODES] */
    struct isa_graph *graph;
};

static bool fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct reader *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_FILE, r->source, (struct lib_pos){0}, format, ap);
    va_end(ap);
    return false;
}

static uint64_t take_number(struct bytes *b, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)b->at[i] << (8 * i);
    b->at += bytes;
    b->left -= bytes;
    return value;
}

/* Reads the next field of a record of a table, which has enough bytes. */
static uint32_t take4(struct reader *r, enum isa_image_table table)
{
    return (uint32_t)take_number(&r->tables[table], 4);
}

static struct lib_pos take_pos(struct reader *r, enum isa_image_table table)
{
    struct lib_pos pos = {take4(r, table), 0, 0};
    pos.column = take4(r, table);
    pos.span = take4(r, table);
    return pos;
}

/* --- the header --------------------------------------------------------------------- */

bool isa_image_is(const struct lib_source *source)
{
    return source->length >= 4 && memcmp(source->bytes, ISA_IMAGE_MAGIC, 4) == 0;
}

static bool read_header(struct reader *r, struct bytes *file)
{
    if (file->left < ISA_IMAGE_HEADER_BYTES)
        return isa_image_is(r->source)
                   ? fail(r, "the image is cut off in its header, after %zu bytes",
                          file->left)
                   : fail(r, "not an image of hiaton");
    if (!isa_image_is(r->source))
        return fail(r, "not an image of hiaton");
    if (memcmp(file->at, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES) != 0)
        return fail(r,
                    "the image is damaged: line ends were converted; copy it as binary");
    take_number(file, ISA_IMAGE_MAGIC_BYTES);
    uint32_t format = (uint32_t)take_number(file, 4),
             zero = (uint32_t)take_number(file, 4);
    if (format != ISA_IMAGE_FORMAT)
        return fail(
            r,
            "the image has format %u, and this version of hiaton reads format %d; "
            "compile the program again",
            format, ISA_IMAGE_FORMAT);
    uint64_t length = take_number(file, 8), low = take_number(file, 8),
             high = take_number(file, 8);
    if (file->left < length)
        return fail(r, "the image is cut off: %zu bytes of %" PRIu64, r->source->length,
                    length + ISA_IMAGE_HEADER_BYTES);
    if (file->left > length)
        return fail(r, "the image is damaged: %zu bytes, but it has %" PRIu64,
                    r->source->length, length + ISA_IMAGE_HEADER_BYTES);
    XXH128_hash_t hash = XXH3_128bits(file->at, file->left);
    if (zero || hash.low64 != low || hash.high64 != high)
        return fail(r, "the image is damaged: its checksum is wrong");
    return true;
}

/* Finds the tables in the payload. */
static bool read_counts(struct reader *r, struct bytes payload)
{
    static const size_t sizes[] = {
#define TABLE(NAME, text, bytes) bytes,
        ISA_IMAGE_TABLES(TABLE)
#undef TABLE
    };
    if (payload.left < ISA_IMAGE_COUNTS_BYTES)
        return fail(r, "the image is damaged: its payload is cut off");
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++)
        r->counts[t] = (uint32_t)take_number(&payload, 4);
    r->source_length = (uint32_t)take_number(&payload, 4);
    r->shape_length = (uint32_t)take_number(&payload, 4);
    const uint32_t strategy = (uint32_t)take_number(&payload, 4);
    const uint32_t both = ISA_IMAGE_EXPANDING | ISA_IMAGE_PARTITIONED;
    const uint32_t any = both | ISA_IMAGE_HAS_TENSORS | ISA_IMAGE_HAS_KERNELS |
                         ISA_IMAGE_PART | ISA_IMAGE_HAS_PLACINGS | ISA_IMAGE_HAS_PORTS;
    if (strategy > any || (strategy & both) == both ||
        (strategy & ISA_IMAGE_PART && !(strategy & ISA_IMAGE_PARTITIONED)))
        return fail(r, "the image is damaged: there is no strategy %u", strategy);
    r->stage = strategy & ISA_IMAGE_EXPANDING     ? ISA_STAGE_EXPANDING
               : strategy & ISA_IMAGE_PARTITIONED ? ISA_STAGE_PARTITIONED
                                                  : ISA_STAGE_IMAGE;
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++) {
        size_t length = r->counts[t] * sizes[t];
        if (payload.left < length)
            return fail(r, "the image is damaged: its tables are cut off");
        r->tables[t] = (struct bytes){payload.at, length};
        payload.at += length;
        payload.left -= length;
    }
    if (strategy & ISA_IMAGE_PARTITIONED) {
        const size_t length = 4 + (size_t)4 * r->counts[ISA_IMAGE_NODES];
        if (payload.left < length)
            return fail(r, "the image is damaged: its machines are cut off");
        r->machines = (struct bytes){payload.at, length};
        payload.at += length;
        payload.left -= length;
    }
    if (strategy & ISA_IMAGE_PART) {
        const size_t length = 4 + (size_t)4 * r->counts[ISA_IMAGE_NODES];
        if (payload.left < length)
            return fail(r, "the image is damaged: the numbers of its nodes are cut off");
        r->numbers = (struct bytes){payload.at, length};
        payload.at += length;
        payload.left -= length;
    }
    r->has_placings = strategy & ISA_IMAGE_HAS_PLACINGS;
    r->has_ports = strategy & ISA_IMAGE_HAS_PORTS;
    r->has_kernels = strategy & ISA_IMAGE_HAS_KERNELS;
    r->has_tensors = strategy & ISA_IMAGE_HAS_TENSORS;
    r->behind = payload;
    if (payload.left && !r->has_kernels && !r->has_tensors && !r->has_placings &&
        !r->has_ports)
        return fail(r, "the image is damaged: %zu bytes after its tables", payload.left);
    if (r->counts[ISA_IMAGE_NODES] > ISA_MAX_NODES)
        return fail(r, "the image has %u nodes; at most %d can be read",
                    r->counts[ISA_IMAGE_NODES], ISA_MAX_NODES);
    return true;
}

/* --- names, opcodes ----------------------------------------------------------------- */

static bool take_name(struct reader *r, uint32_t length, const char **name)
{
    struct bytes *names = &r->tables[ISA_IMAGE_NAMES];
    *name = "";
    if (length > names->left || length > ISA_ASM_MAX_NAME ||
        memchr(names->at, '\0', length))
        return fail(r, "the image is damaged: a name that cannot be");
    *name = lib_arena_copy(r->arena, (const char *)names->at, length);
    names->at += length;
    names->left -= length;
    return true;
}

/* The opcode of a name; rows of one text are told apart by type only in assembly. */
static enum isa_op find_opcode(const char *name)
{
    for (int op = 0; op < ISA_OP_COUNT; op++)
        if (strcmp(name, isa_op_table[op].text) == 0)
            return (enum isa_op)op;
    return ISA_OP_NONE;
}

static bool read_opcodes(struct reader *r)
{
    uint32_t count = r->counts[ISA_IMAGE_OPCODES];
    bool used[ISA_OP_COUNT] = {false};
    if (count > ISA_OP_COUNT)
        return fail(r, "the image needs %u opcodes; this version of hiaton has %d", count,
                    ISA_OP_COUNT);
    r->opcodes = LIB_ARENA_ARRAY(r->arena, enum isa_op, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *name;
        uint32_t length = take4(r, ISA_IMAGE_OPCODES);
        uint32_t zero = take4(r, ISA_IMAGE_OPCODES);
        if (!take_name(r, length, &name))
            return false;
        r->opcodes[i] = find_opcode(name);
        if (r->opcodes[i] == ISA_OP_NONE)
            return fail(r,
                        "the image needs the opcode '%.40s', which this version of "
                        "hiaton does not have",
                        name);
        if (zero || used[r->opcodes[i]])
            return fail(r, "the image is damaged: opcode '%s'", name);
        used[r->opcodes[i]] = true;
    }
    return true;
}

/* --- declarations ------------------------------------------------------------------- */

static bool read_function(struct reader *r)
{
    const char *name;
    uint32_t length = take4(r, ISA_IMAGE_FUNCTIONS);
    uint32_t params = take4(r, ISA_IMAGE_FUNCTIONS);
    uint32_t results = take4(r, ISA_IMAGE_FUNCTIONS);
    uint32_t is_loop = take4(r, ISA_IMAGE_FUNCTIONS);
    uint32_t held = take4(r, ISA_IMAGE_FUNCTIONS);
    uint32_t bound = take4(r, ISA_IMAGE_FUNCTIONS);
    struct lib_pos pos = take_pos(r, ISA_IMAGE_FUNCTIONS);
    struct bytes *bytes = &r->tables[ISA_IMAGE_TYPES];
    if (!take_name(r, length, &name))
        return false;
    if (params > ISA_MAX_PARAMS || results > ISA_MAX_PARAMS || held > ISA_MAX_PARAMS ||
        bytes->left < params + results + held)
        return fail(r,
                    "the image is damaged: function %u has %u parameters and %u results",
                    r->graph->function_count, params, results);
    const uint32_t all = params + results + held;
    enum isa_type *types = LIB_ARENA_ARRAY(r->arena, enum isa_type, all);
    for (uint32_t i = 0; i < all; i++)
        types[i] = (enum isa_type)take_number(bytes, 1);
    uint32_t f = isa_graph_add_function(r->graph, name, types, params, types + params,
                                        results, pos);
    if (is_loop > 1 || (bound && !is_loop))
        return fail(r, "the image is damaged: function %u is a loop of no kind", f);
    if (is_loop)
        isa_graph_set_loop(r->graph, f, bound);
    isa_graph_set_constants(r->graph, f, types + params + results, held);
    return true;
}

static bool read_declarations(struct reader *r)
{
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_FUNCTIONS]; i++)
        if (!read_function(r))
            return false;
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_SITES]; i++) {
        uint32_t caller = take4(r, ISA_IMAGE_SITES), callee = take4(r, ISA_IMAGE_SITES);
        isa_graph_add_site(r->graph, caller, callee, take_pos(r, ISA_IMAGE_SITES));
    }
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_CELLS]; i++) {
        const char *name;
        if (!take_name(r, take4(r, ISA_IMAGE_CELLS), &name))
            return false;
        isa_graph_add_cell(r->graph, name, (enum isa_type)take4(r, ISA_IMAGE_CELLS));
    }
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_INPUTS]; i++) {
        const char *name;
        if (!take_name(r, take4(r, ISA_IMAGE_INPUTS), &name))
            return false;
        enum isa_type type = (enum isa_type)take4(r, ISA_IMAGE_INPUTS);
        isa_graph_add_input(r->graph, name, type,
                            take_number(&r->tables[ISA_IMAGE_INPUTS], 8));
    }
    return true;
}

/* --- nodes -------------------------------------------------------------------------- */

static bool read_operands(struct reader *r, struct isa_node *n)
{
    struct bytes *operands = &r->tables[ISA_IMAGE_OPERANDS];
    if (operands->left / 16 < n->operand_count)
        return fail(r, "the image is damaged: its operands are cut off");
    for (uint32_t port = 0; port < n->operand_count; port++) {
        enum isa_operand_kind kind = (enum isa_operand_kind)take_number(operands, 4);
        uint32_t index = (uint32_t)take_number(operands, 4);
        n->operands[port] = (struct isa_operand){
            .kind = kind, .input = index, .value = take_number(operands, 8)};
    }
    return true;
}

static bool read_lists(struct reader *r, uint32_t node)
{
    struct bytes *lists = &r->tables[ISA_IMAGE_LISTS], *arcs = &r->tables[ISA_IMAGE_ARCS];
    uint32_t outputs = r->graph->nodes[node].output_count;
    if (lists->left / 4 < outputs)
        return fail(r, "the image is damaged: its lists are cut off");
    for (uint32_t o = 0; o < outputs; o++) {
        uint32_t count = (uint32_t)take_number(lists, 4);
        if (arcs->left / 8 < count)
            return fail(r, "the image is damaged: its arcs are cut off");
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = (uint32_t)take_number(arcs, 4);
            struct isa_dest dest = {to, (uint32_t)take_number(arcs, 4)};
            isa_graph_connect(r->graph, node, o, dest);
        }
    }
    return true;
}

/* An APPLY has the operands and lists of the function that its site calls, which must be
 * known, and no more of them than the tables hold. */
static bool check_apply(struct reader *r, const uint32_t fields[7])
{
    const struct isa_graph *g = r->graph;
    const uint32_t site = fields[3];
    if (r->stage != ISA_STAGE_EXPANDING)
        return fail(r, "node %u: apply is no instruction of a static image",
                    g->node_count);
    if (site >= g->site_count || g->sites[site].callee >= g->function_count)
        return fail(r, "the image is damaged: node %u calls no function", g->node_count);
    const struct isa_function *callee = &g->functions[g->sites[site].callee];
    if (callee->param_count > r->tables[ISA_IMAGE_OPERANDS].left / 16 ||
        callee->result_count > r->tables[ISA_IMAGE_LISTS].left / 4)
        return fail(r, "the image is damaged: its operands or lists are cut off");
    return true;
}

/* The kernel that a node applies is named by the table of kernels. */
static bool read_index(struct reader *r, uint32_t *index)
{
    const uint32_t place = *index & ISA_IMAGE_KERNEL_MASK, node = r->graph->node_count;
    if (!r->has_kernels)
        return fail(
            r, "the image numbers its kernels, and this version of hiaton takes them "
               "by name; compile the program again");
    if (place >= r->kernel_count)
        return fail(r, "the image is damaged: node %u applies no kernel", node);
    *index = (*index & ~(uint32_t)ISA_IMAGE_KERNEL_MASK) | r->kernels[place];
    return true;
}

static bool read_node(struct reader *r)
{
    uint32_t fields[7];
    for (int i = 0; i < 7; i++)
        fields[i] = take4(r, ISA_IMAGE_NODES);
    struct lib_pos pos = take_pos(r, ISA_IMAGE_NODES);
    uint32_t node = r->graph->node_count;
    if (fields[0] >= r->counts[ISA_IMAGE_OPCODES])
        return fail(r, "the image is damaged: node %u has no opcode", node);
    enum isa_op op = r->opcodes[fields[0]];
    if (op == ISA_OP_APPLY && !check_apply(r, fields))
        return false;
    if (isa_op_table[op].attributes == ISA_ATTR_KERNEL && !read_index(r, &fields[4]))
        return false;
    isa_graph_add_node(r->graph, op, (enum isa_type)fields[1], fields[2], fields[3],
                       fields[4], pos);
    struct isa_node *n = &r->graph->nodes[node];
    if (n->operand_count != fields[5] || n->output_count != fields[6])
        return fail(
            r,
            "node %u: %s has %u operands and %u lists in the image, but %u and %u "
            "in this version of hiaton",
            node, isa_op_table[op].text, fields[5], fields[6], n->operand_count,
            n->output_count);
    return read_operands(r, n) && read_lists(r, node);
}

static void read_machines(struct reader *r)
{
    r->graph->machine_count = (uint32_t)take_number(&r->machines, 4);
    for (uint32_t i = 0; i < r->graph->node_count; i++)
        r->graph->nodes[i].machine = (uint32_t)take_number(&r->machines, 4);
}

/* One graph has one image: nothing is left over, and it is written as it was read. */
static bool check_canonical(struct reader *r)
{
    struct lib_text again = {0};
    isa_image_write(r->graph, &again);
    bool same = again.length == r->source->length &&
                memcmp(again.bytes, r->source->bytes, again.length) == 0;
    lib_text_free(&again);
    return same || fail(r, "the image is damaged: it says what does not apply");
}

/* --- what is said of lines ----------------------------------------------------------- */

static bool read_placings(struct reader *r)
{
    struct bytes *b = &r->behind;
    if (!r->has_placings)
        return true;
    const uint64_t count = b->left < 4 ? UINT64_MAX : take_number(b, 4);
    if (count > b->left / ISA_IMAGE_PLACING_BYTES)
        return fail(r, "the image is damaged: what it says of lines is cut off");
    for (uint64_t i = 0; i < count; i++) {
        uint32_t words[6];
        for (int k = 0; k < 6; k++)
            words[k] = (uint32_t)take_number(b, 4);
        const struct isa_placing placing = {
            words[0], words[1], words[2], {words[3], words[4], words[5]}};
        if (!isa_placing_is_legal(&placing) || r->stage == ISA_STAGE_PARTITIONED)
            return fail(r, "the image is damaged: lines %u to %u on machine %u",
                        placing.first, placing.last, placing.machine);
        isa_graph_add_placing(r->graph, placing);
    }
    return true;
}

/* --- kernels, tensors ---------------------------------------------------------------- */

static bool read_kernel(struct reader *r)
{
    struct bytes *b = &r->behind;
    const uint64_t length = b->left < 4 ? UINT64_MAX : take_number(b, 4);
    if (length > b->left || length > ISA_ASM_MAX_NAME || memchr(b->at, '\0', length))
        return fail(r, "the image is damaged: its kernels are cut off");
    const char *name = lib_arena_copy(r->arena, (const char *)b->at, length);
    b->at += length;
    b->left -= length;
    uint32_t *use = &r->kernels[r->kernel_count++];
    if (strchr(name, '.') || !isa_use_read(name, use))
        return fail(r,
                    "the image needs the kernel '%.40s', which this version of hiaton "
                    "does not have",
                    name);
    return true;
}

static bool read_kernels(struct reader *r)
{
    if (!r->has_kernels)
        return true;
    const uint64_t count = r->behind.left < 4 ? UINT64_MAX : take_number(&r->behind, 4);
    if (count > ISA_IMAGE_KERNELS)
        return fail(r, "the image is damaged: its kernels are cut off");
    while (r->kernel_count < count)
        if (!read_kernel(r))
            return false;
    return true;
}

/* Nothing is made that the bytes do not hold. */
static bool read_tensor(struct reader *r)
{
    struct bytes *b = &r->behind;
    if (b->left < ISA_IMAGE_TENSOR_BYTES)
        return fail(r, "the image is damaged: its tensors are cut off");
    const uint64_t length = take_number(b, 4);
    const uint64_t element = take_number(b, 4), rank = take_number(b, 4);
    struct isa_shape shape = {.element = (uint8_t)element, .rank = (uint8_t)rank};
    bool has_more = false;
    for (uint64_t k = 0; k < ISA_RANK_MAX; k++) {
        shape.extents[k] = (int64_t)take_number(b, 8);
        has_more = has_more || (k >= rank && shape.extents[k] != 0);
    }
    if (element >= ISA_ELEMENT_COUNT || rank > ISA_RANK_MAX || has_more ||
        !isa_shape_is_known(&shape) || !isa_shape_is_legal(&shape))
        return fail(r, "the image is damaged: a tensor of a shape that cannot be");
    const uint64_t bytes = isa_shape_bytes(&shape);
    if (length > ISA_ASM_MAX_NAME || length > b->left || bytes > b->left - length ||
        memchr(b->at, '\0', length))
        return fail(r, "the image is damaged: its tensors are cut off");
    const char *name = lib_arena_copy(r->arena, (const char *)b->at, length);
    struct isa_tensor *tensor = isa_tensor_new(&r->graph->tensors, &shape);
    if (bytes)
        memcpy(tensor->data, b->at + length, bytes);
    if (!isa_tensor_is_sound(tensor)) {
        isa_tensor_free(&r->graph->tensors, tensor);
        return fail(r, "the image is damaged: a bool that is neither true nor false");
    }
    b->at += length + bytes;
    b->left -= length + bytes;
    isa_tensor_seal(tensor, true);
    isa_graph_add_constant(r->graph, name, tensor);
    return true;
}

static bool read_tensors(struct reader *r)
{
    if (!r->has_tensors)
        return true;
    if (r->behind.left < 4)
        return fail(r, "the image is damaged: its tensors are cut off");
    const uint64_t count = take_number(&r->behind, 4);
    for (uint64_t i = 0; i < count; i++)
        if (!read_tensor(r))
            return false;
    return true;
}

static bool read_payload(struct reader *r, struct bytes payload)
{
    const char *name, *shape;
    if (!read_counts(r, payload) || !take_name(r, r->source_length, &name) ||
        !take_name(r, r->shape_length, &shape))
        return false;
    r->graph = isa_graph_new(r->stage, name);
    if (!read_opcodes(r) || !read_placings(r) || !read_kernels(r) ||
        !read_declarations(r))
        return false;
    if (r->has_ports && (r->graph->function_count == 0 ||
                         !isa_image_take_ports(r->graph, &r->behind.at, &r->behind.left)))
        return fail(r, "the image is damaged: its ports are cut off");
    if (!isa_graph_set_shape(r->graph, shape))
        return fail(r, "the image is damaged: the shape of its result cannot be");
    for (uint32_t i = 0; i < r->counts[ISA_IMAGE_NODES]; i++)
        if (!read_node(r))
            return false;
    if (r->machines.at)
        read_machines(r);
    return read_tensors(r);
}

/* Checks the graph of a whole image. Returns false if it is not legal, or the image is that of one
 * machine. */
static bool check_whole(struct reader *r)
{
    if (r->numbers.at)
        return fail(r,
                    "this is the image of one machine; expected the file that names the "
                    "images of all");
    return isa_check_text(r->graph, r->source, NULL, r->diags) && check_canonical(r);
}

struct isa_graph *isa_image_read(const struct lib_source *source, struct lib_diags *diags)
{
    struct reader r = {.source = source, .diags = diags, .arena = lib_arena_new()};
    struct bytes file = {(const unsigned char *)source->bytes, source->length};
    bool good = read_header(&r, &file) && read_payload(&r, file) && check_whole(&r);
    lib_arena_free(r.arena);
    if (good)
        return r.graph;
    isa_graph_free(r.graph);
    return NULL;
}

/* --- the images of several machines ----------------------------------------------------- */

/* Place of a node of the whole graph in the images of machines. */
struct place {
    uint32_t part, node; /* part plus one; 0: not known yet */
};

/* Notes the places of the nodes of a part. */
static bool note_nodes(struct reader *r, uint32_t part, struct place *places,
                       uint32_t whole)
{
    for (uint32_t i = 0; i < r->graph->node_count; i++) {
        const uint32_t number = (uint32_t)take_number(&r->numbers, 4);
        if (number >= whole || places[number].part || r->graph->nodes[i].machine != part)
            return fail(r, "this is not the image of machine %u of the others", part);
        places[number] = (struct place){part + 1, i};
    }
    return true;
}

static bool read_part(struct reader *r)
{
    struct bytes file = {(const unsigned char *)r->source->bytes, r->source->length};
    if (!read_header(r, &file) || !read_payload(r, file))
        return false;
    if (!r->numbers.at)
        return fail(r, "this is no image of one machine");
    r->whole = (uint32_t)take_number(&r->numbers, 4);
    return true;
}

/* Adds a node of a part to the whole. */
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

/* The whole, which is legal, and has these parts. */
static struct isa_graph *join(struct reader *readers, uint32_t count)
{
    const uint32_t whole = readers[0].whole;
    uint64_t nodes = 0;
    for (uint32_t p = 0; p < count; p++)
        nodes += readers[p].graph->node_count;
    if (nodes != whole) {
        fail(&readers[0], "the machines have %" PRIu64 " of %u nodes", nodes, whole);
        return NULL;
    }
    struct place *places = lib_mem_new(((size_t)whole + 1) * sizeof *places);
    struct isa_graph *g = NULL;
    bool good = true;
    for (uint32_t p = 0; p < count && good; p++)
        good = note_nodes(&readers[p], p, places, whole);
    for (uint32_t i = 0; i < whole && good; i++)
        if (!places[i].part)
            good = fail(&readers[0], "node %u is in the image of no machine", i);
    if (good) {
        g = isa_graph_copy(readers[0].graph);
        g->node_count = 0;
        for (uint32_t i = 0; i < whole; i++)
            add_node_of(g, &readers[places[i].part - 1].graph->nodes[places[i].node]);
        good = isa_check_text(g, readers[0].source, NULL, readers[0].diags);
    }
    for (uint32_t p = 0; p < count && good; p++) {
        struct lib_text again = {0};
        isa_image_write_part(g, p, &again);
        if (again.length != readers[p].source->length ||
            memcmp(again.bytes, readers[p].source->bytes, again.length) != 0)
            good = fail(&readers[p], "this is not of the same program as the image of "
                                     "machine 0");
        lib_text_free(&again);
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
    struct reader *readers = lib_mem_new(((size_t)count + 1) * sizeof *readers);
    struct isa_graph *graph = NULL;
    bool good = count > 0;
    for (uint32_t p = 0; p < count && good; p++) {
        readers[p] = (struct reader){
            .source = sources[p], .diags = diags, .arena = arena};
        good = read_part(&readers[p]);
    }
    for (uint32_t p = 0; p < count && good; p++)
        if (readers[p].graph->machine_count != count ||
            readers[p].whole != readers[0].whole)
            good = fail(&readers[p],
                        "this is of a program on %u machines, and there are %u",
                        readers[p].graph->machine_count, count);
    if (good)
        graph = join(readers, count);
    for (uint32_t p = 0; p < count; p++)
        isa_graph_free(readers[p].graph);
    lib_mem_free(readers);
    lib_arena_free(arena);
    return graph;
}
