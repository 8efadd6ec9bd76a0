/* State of the reader of images: of one (image_read.c), or of several machines (image_parts.c). */
#ifndef ISA_FORMAT_IMAGE_READER_H
#define ISA_FORMAT_IMAGE_READER_H

#include "isa/format/image_layout.h"

/* State while one image is read. `tables` point into the file. Types, names and other records that
 * are consumed in order are taken from the rest of their table; too few are an error. */
struct isa_image_reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_arena *arena; /* memory that is freed after reading */
    uint32_t counts[ISA_IMAGE_TABLE_COUNT];
    struct lib_pack tables[ISA_IMAGE_TABLE_COUNT];
    /* Only if the graph is partitioned: bytes of the file with the machine of each node, and in an
     * image of one machine with the index of each node in the whole graph. */
    struct lib_pack machines, numbers;
    /* in an image of one machine: number of nodes of the whole graph */
    uint32_t whole;
    /* bytes of the payload after the tables that were not read yet */
    struct lib_pack behind;
    bool has_kernels, has_tensors, has_placings, has_classes, has_ports, has_data;
    /* kernels that the file names, in order; values of enum isa_use (isa/kernel_use.h) */
    uint32_t kernel_count, kernels[ISA_IMAGE_KERNELS];
    uint32_t source_length, shape_length;
    enum isa_stage stage;
    enum isa_op *opcodes; /* opcode of each record of the table of opcodes */
    struct isa_graph *graph;
};

/* Adds an error about the file. Always returns false. */
bool isa_image_fail(struct isa_image_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads a file into r->graph, which the caller frees, also on failure. The graph may be illegal.
 * Returns false and adds a diagnostic if the file is not an image. */
bool isa_image_read_file(struct isa_image_reader *r);

#endif
