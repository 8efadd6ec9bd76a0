/* The layout of images, which isa/format/image.h describes, for its writer and its
 * reader. */
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

/* The payload starts with the count of each table, the lengths of two names, and the strategy: 1
 * if expanding; 2 more if there are tensors, 4 more if kernels are applied, 8 more if it is
 * divided among machines, 16 more if it is of one of these, 32 more if the source says of lines
 * which machine they are on, and 64 more if there are ports. These stand behind the tables. Of
 * machines: their count, and the machine of each node; then, of one machine, the number of nodes
 * of the whole, and that of each node in it, which arcs name. Of lines: how many times something
 * is said of them, and each time the first line, the last one, the machine, and line, column and
 * span of where it is said. Of kernels: their count, and of each the length of its name and the
 * name, in the order of their first use. The index of a node that applies one has its place here
 * as lowest byte, so that images outlive changes of isa/tensor/kernels.def. Of ports: their
 * count, and of each the length of its name, 1 if it is in, the number of its parts, line, column
 * and span of where it is declared, the name, and of each part type, element and rank. Of
 * tensors: their count, and of each the length of its name, element and rank, four extents, the
 * name and the elements. */
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

/* Of the index of a node that applies a kernel: which one (isa/kernel_use.h). */
enum { ISA_IMAGE_KERNELS = 256, ISA_IMAGE_KERNEL_MASK = ISA_IMAGE_KERNELS - 1 };

/* Of the record of lines. */
enum { ISA_IMAGE_PLACING_BYTES = 24 };

/* Of the record of a port: what stands before its name; and of each part. */
enum { ISA_IMAGE_PORT_BYTES = 24, ISA_IMAGE_PORT_PART_BYTES = 12 };

void isa_image_put_ports(const struct isa_graph *graph, struct lib_text *out);

/* Reads the ports at *at, and moves it on. Returns false if the *left bytes there cannot be
 * ports. */
bool isa_image_take_ports(struct isa_graph *graph, const unsigned char **at,
                          size_t *left);

/* Of the record of a tensor: what stands before its name. */
enum { ISA_IMAGE_TENSOR_BYTES = 12 + 8 * ISA_RANK_MAX };

#endif
