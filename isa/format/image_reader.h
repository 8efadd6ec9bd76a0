/* State of the reader of one image (image_read.c), or of the images of several machines
 * (image_parts.c). */
#ifndef ISA_FORMAT_IMAGE_READER_H
#define ISA_FORMAT_IMAGE_READER_H

#include "isa/format/image_layout.h"

/* All tables are known to lie in the file. Records that are read in order, such as types and
 * names, are checked against what is left of their table. */
struct isa_image_reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_arena *arena; /* memory that is freed after reading */
    uint32_t counts[ISA_IMAGE_TABLE_COUNT];
    struct lib_pack tables[ISA_IMAGE_TABLE_COUNT];
    /* partitioned graph: machine of each node; index of each node */
    struct lib_pack machines, numbers;
    /* image of one machine: nodes of the whole graph */
    uint32_t whole;
    struct lib_pack behind; /* rest of the payload, not read yet */
    bool has_kernels, has_tensors, has_placings, has_ports;
    /* kernels of the file, as isa/kernel_use.h numbers them */
    uint32_t kernel_count, kernels[ISA_IMAGE_KERNELS];
    uint32_t source_length, shape_length;
    enum isa_stage stage;
    enum isa_op *opcodes; /* opcode of each row of the table of opcodes */
    struct isa_graph *graph;
};

/* Adds an error about the file. Returns false. */
bool isa_image_fail(struct isa_image_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the header and the payload of the file into a graph, which the caller frees also on
 * failure. Returns false and adds a diagnostic if it is not an image. The graph may be illegal. */
bool isa_image_read_file(struct isa_image_reader *r);

#endif
