/* The layout of images for their writer and reader. isa/format/image.h describes header and
 * tables. */
#ifndef ISA_FORMAT_IMAGE_LAYOUT_H
#define ISA_FORMAT_IMAGE_LAYOUT_H

#include "isa/format/image.h"

#define ISA_IMAGE_MAGIC "\x89HIA\r\n\x1a\n"

enum {
    ISA_IMAGE_MAGIC_BYTES = 8,
    ISA_IMAGE_HEADER_BYTES = 40,
};

/* TABLE(NAME, text, bytes of a record), in the order of the file. */
#define ISA_IMAGE_TABLES(TABLE)                                                          \
    TABLE(OPCODES, "opcodes", 8)                                                         \
    TABLE(FUNCTIONS, "functions", 36)                                                    \
    TABLE(SITES, "sites", 20)                                                            \
    TABLE(CELLS, "cells", 8)                                                             \
    TABLE(INPUTS, "inputs", 16)                                                          \
    TABLE(OPERANDS, "operands", 16)                                                      \
    TABLE(ARCS, "arcs", 8)                                                               \
    TABLE(NODES, "nodes", 40)                                                            \
    TABLE(LISTS, "lists", 4)                                                             \
    TABLE(TYPES, "types", 1)                                                             \
    TABLE(NAMES, "names", 1)

enum isa_image_table {
#define TABLE(NAME, ...) ISA_IMAGE_##NAME,
    ISA_IMAGE_TABLES(TABLE)
#undef TABLE
        ISA_IMAGE_TABLE_COUNT,
};

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
enum { ISA_IMAGE_COUNTS_BYTES = (ISA_IMAGE_TABLE_COUNT + 3) * 4 };

enum {
    ISA_IMAGE_EXPANDING = 1,
    ISA_IMAGE_HAS_TENSORS = 2,
    ISA_IMAGE_HAS_KERNELS = 4,
    ISA_IMAGE_PARTITIONED = 8,
    ISA_IMAGE_PART = 16,
    ISA_IMAGE_HAS_PLACINGS = 32,
    ISA_IMAGE_HAS_PORTS = 64,
};

/* Range of the kernel in the index of a node that applies one (isa/kernel_use.h). */
enum { ISA_IMAGE_KERNELS = 256, ISA_IMAGE_KERNEL_MASK = ISA_IMAGE_KERNELS - 1 };

/* Size of the record of a directive. */
enum { ISA_IMAGE_PLACING_BYTES = 24 };

/* Size of the record of a port before its name, and of the record of a part. */
enum { ISA_IMAGE_PORT_BYTES = 24, ISA_IMAGE_PORT_PART_BYTES = 12 };

void isa_image_put_ports(const struct isa_graph *graph, struct lib_text *out);

/* Reads the ports at *at and advances it. Returns false if the *left bytes there are not ports. */
bool isa_image_take_ports(struct isa_graph *graph, const unsigned char **at,
                          size_t *left);

/* Size of the record of a tensor before its name. */
enum { ISA_IMAGE_TENSOR_BYTES = 12 + 8 * ISA_RANK_MAX };

#endif
