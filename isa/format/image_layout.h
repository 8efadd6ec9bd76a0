/* The layout of images for their writer and reader. isa/format/image.h describes header and
 * tables. */
#ifndef ISA_FORMAT_IMAGE_LAYOUT_H
#define ISA_FORMAT_IMAGE_LAYOUT_H

#include "isa/format/image.h"
#include "lib/pack.h"

/* Records. The writer and the reader both pack these structures, so that there is one layout. They
 * have no padding. `name` is the length of a name, which is in the table of names or after the
 * record; `zero` is 0. */
struct isa_image_header {
    char magic[8]; /* ISA_IMAGE_MAGIC */
    uint32_t format, zero;
    uint64_t length;    /* bytes of the payload */
    uint64_t low, high; /* halves of the XXH3-128 of the payload */
};

struct isa_image_opcode {
    uint32_t name, zero;
};

struct isa_image_function {
    uint32_t name, params, results, is_loop, held, bound;
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
    uint32_t kind, index; /* index of the input or loop constant */
    uint64_t value;       /* value of the literal */
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

/* A directive of the source that puts lines `first` to `last` on a machine. */
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

/* A tensor. Its extents, 8 bytes each, its name and its elements follow. */
struct isa_image_tensor {
    uint32_t name, element, rank;
};

#define ISA_IMAGE_MAGIC "\x89HIA\r\n\x1a\n"

enum {
    ISA_IMAGE_MAGIC_BYTES = 8,
    ISA_IMAGE_HEADER_BYTES = sizeof(struct isa_image_header),
};

/* TABLE(NAME, text, bytes of a record), in the order of the file. */
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

/* The payload begins with the number of records of each table, the lengths of two names, and the
 * strategy with flags, the sum of enum values below. A part follows the tables for each flag, in
 * this order; all numbers have 4 bytes unless stated:
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
 *   HAS_PORTS     number of ports, and for each one the length of its name, 1 if it is in, the
 *                 number of parts, line, column and span of its declaration, the name, and for each
 *                 part type, element and rank
 *   HAS_TENSORS   number of tensors, and for each one the length of its name, element and rank,
 *                 four extents (8 bytes each), the name and the elements */
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
};

/* Mask for the number of the kernel in the `index` of a node that applies one
 * (isa/kernel_use.h). */
enum { ISA_IMAGE_KERNELS = 256, ISA_IMAGE_KERNEL_MASK = ISA_IMAGE_KERNELS - 1 };

/* Returns how many bytes a reader has not read. */
static inline size_t isa_image_left(const struct lib_pack *pack)
{
    return pack->length - pack->at;
}

/* Packs a number of 4 bytes. Returns the number that was written or read. */
static inline uint32_t isa_image_pack_word(struct lib_pack *pack, uint32_t word)
{
    LIB_PACK(pack, word);
    return word;
}

/* Returns a position as images have it: all 0 if it is unknown. */
static inline struct lib_pos isa_image_pos(struct lib_pos pos)
{
    return pos.line ? pos : (struct lib_pos){0};
}

void isa_image_put_ports(const struct isa_graph *graph, struct lib_pack *pack);

/* Reads the ports. Returns false if the bytes that are left are not ports. */
bool isa_image_take_ports(struct isa_graph *graph, struct lib_pack *pack);

#endif
