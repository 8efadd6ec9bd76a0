/* Layout of images, for their writer and reader. isa/format/image.h describes header and tables. */
#ifndef ISA_FORMAT_IMAGE_LAYOUT_H
#define ISA_FORMAT_IMAGE_LAYOUT_H

#include "isa/format/image.h"
#include "lib/pack.h"

/* Records of image files. Writer and reader both pack these structures, which have no padding, so
 * that there is one layout. `name` is the length of a name that is in the table of names or after
 * the record; `zero` is 0. */
struct isa_image_header {
    char magic[8];
    uint32_t format, zero;
    uint64_t length;    /* bytes of the payload, the rest of the file */
    uint64_t low, high; /* halves of the XXH3-128 of the payload */
};

struct isa_image_opcode {
    uint32_t name, zero;
};

struct isa_image_function {
    uint32_t name, params, results, is_loop, held;
    uint32_t bound; /* of a loop; of another function its `strand` */
    struct lib_pos pos;
};

struct isa_image_site {
    uint32_t caller, callee;
    struct lib_pos pos;
};

struct isa_image_cell {
    uint32_t name, type;
};

struct isa_image_input {
    uint32_t name, type;
    uint64_t value;
};

struct isa_image_operand {
    uint32_t kind, index; /* operand kind; index of the program input or loop constant */
    uint64_t value;       /* value, if the operand is a literal */
};

struct isa_image_arc {
    uint32_t node, port;
};

struct isa_image_node {
    uint32_t opcode, type, function, site, index, operands, lists;
    struct lib_pos pos;
};

struct isa_image_list {
    uint32_t arcs;
};

/* A directive that assigns source lines `first` to `last` to a machine. */
struct isa_image_placing {
    uint32_t first, last, machine;
    struct lib_pos pos;
};

struct isa_image_port {
    uint32_t name, is_input, parts;
    struct lib_pos pos;
};

struct isa_image_port_part {
    uint32_t type, element, rank;
};

/* A constructor of data. Its name, the name of its type and its shape follow, then its fields. */
struct isa_image_constructor {
    uint32_t name, type, number, shape, fields;
};

/* A field: the length of its name plus one, or 0 if it has none. */
struct isa_image_field {
    uint32_t name, type;
};

/* The value of an input that is an array or a tensor is the index of its first tensor, and in the
 * upper half the number of its tensors. */

/* A tensor. Four extents of 8 bytes each, the name and the elements follow. */
struct isa_image_tensor {
    uint32_t name, element, rank;
};

#define ISA_IMAGE_MAGIC "\x89HIA\r\n\x1a\n"

enum {
    ISA_IMAGE_MAGIC_BYTES = 8,
    ISA_IMAGE_HEADER_BYTES = sizeof(struct isa_image_header),
};

/* Tables of an image in the order of the file: TABLE(NAME, text, bytes of a record). */
#define ISA_IMAGE_TABLES(TABLE)                                                          \
    TABLE(OPCODES, "opcodes", sizeof(struct isa_image_opcode))                           \
    TABLE(FUNCTIONS, "functions", sizeof(struct isa_image_function))                     \
    TABLE(SITES, "sites", sizeof(struct isa_image_site))                                 \
    TABLE(CELLS, "cells", sizeof(struct isa_image_cell))                                 \
    TABLE(INPUTS, "inputs", sizeof(struct isa_image_input))                              \
    TABLE(OPERANDS, "operands", sizeof(struct isa_image_operand))                        \
    TABLE(ARCS, "arcs", sizeof(struct isa_image_arc))                                    \
    TABLE(NODES, "nodes", sizeof(struct isa_image_node))                                 \
    TABLE(LISTS, "lists", sizeof(struct isa_image_list))                                 \
    TABLE(TYPES, "types", 1)                                                             \
    TABLE(NAMES, "names", 1)

enum isa_image_table {
#define TABLE(NAME, ...) ISA_IMAGE_##NAME,
    ISA_IMAGE_TABLES(TABLE)
#undef TABLE
        ISA_IMAGE_TABLE_COUNT,
};

_Static_assert(
    sizeof(struct isa_image_header) == 40 && sizeof(struct isa_image_function) == 36 &&
        sizeof(struct isa_image_site) == 20 && sizeof(struct isa_image_input) == 16 &&
        sizeof(struct isa_image_operand) == 16 && sizeof(struct isa_image_node) == 40 &&
        sizeof(struct isa_image_placing) == 24 && sizeof(struct isa_image_port) == 24,
    "records have no padding");

/* Begin of the payload: the number of records of each table, the lengths of two names, and the
 * strategy plus flags (ISA_IMAGE_ values below). For each flag a part follows the tables, in this
 * order; numbers have 4 bytes unless stated:
 *
 *   PARTITIONED   number of machines, and the machine of each node. With PART, in the image of one
 *                 machine: the number of nodes of the whole graph, and for each node its index in
 *                 the whole, which arcs refer to
 *   HAS_PLACINGS  number of directives, and for each one the first and last line, the machine, and
 *                 line, column and span of the directive
 *   HAS_KERNELS   number of kernels, and for each one, in the order of first use, the length of
 *                 its name and the name. The lowest byte of the index of a node that applies a
 *                 kernel is the kernel's place in this list, so that images outlive changes of
 *                 isa/tensor/kernels.def
 *   HAS_CLASSES   for each function the length of the name of its class of PEs (0: none) and the
 *                 name
 *   HAS_PORTS     number of ports, and for each one the length of its name, 1 if it is in, the
 *                 number of parts, line, column and span of its declaration, the name, and for each
 *                 part type, element and rank
 *   HAS_DATA      number of constructors, and for each one the lengths of its name and of that of
 *                 its type, its number, the length of its shape, the number of fields, the name,
 *                 the type's name, the shape, and for each field the length of its name plus 1 (0:
 *                 none), the type and the name
 *   HAS_TENSORS   number of tensors, and for each one the length of its name, element and rank,
 *                 four extents (8 bytes each), the name and the elements
 */
struct isa_image_counts {
    uint32_t records[ISA_IMAGE_TABLE_COUNT];
    uint32_t source_name, shape_name, strategy;
};

enum { ISA_IMAGE_COUNTS_BYTES = sizeof(struct isa_image_counts) };

enum {
    ISA_IMAGE_EXPANDING = 1,
    ISA_IMAGE_HAS_TENSORS = 2,
    ISA_IMAGE_HAS_KERNELS = 4,
    ISA_IMAGE_PARTITIONED = 8,
    ISA_IMAGE_PART = 16,
    ISA_IMAGE_HAS_PLACINGS = 32,
    ISA_IMAGE_HAS_PORTS = 64,
    ISA_IMAGE_HAS_DATA = 128,
    ISA_IMAGE_HAS_CLASSES = 256,
};

/* Lowest byte of the `index` of a node that applies a kernel: the kernel's place in the image's
 * list of kernels. So an image names at most ISA_IMAGE_KERNELS kernels. */
enum { ISA_IMAGE_KERNELS = 256, ISA_IMAGE_KERNEL_MASK = ISA_IMAGE_KERNELS - 1 };

/* Returns the number of bytes that were not read yet. */
static inline size_t isa_image_left(const struct lib_pack *pack)
{
    return pack->length - pack->at;
}

/* Packs `word`, an integer of 4 bytes, and returns it; or reads one in its place. */
static inline uint32_t isa_image_pack_word(struct lib_pack *pack, uint32_t word)
{
    LIB_PACK(pack, word);
    return word;
}

/* Returns a position as images store it: all 0 if unknown. */
static inline struct lib_pos isa_image_pos(struct lib_pos pos)
{
    return pos.line ? pos : (struct lib_pos){0};
}

void isa_image_put_ports(const struct isa_graph *graph, struct lib_pack *pack);

/* Reads the ports of a graph. Returns false if the remaining bytes do not begin with valid
 * ports. */
bool isa_image_take_ports(struct isa_graph *graph, struct lib_pack *pack);

void isa_image_put_constructors(const struct isa_graph *graph, struct lib_pack *pack);

/* Reads the constructors of a graph. Returns false if the remaining bytes do not begin with
 * constructors. */
bool isa_image_take_constructors(struct isa_graph *graph, struct lib_pack *pack);

#endif
