/* The reader of an image, as its two files see it: image_read.c reads one image, image_parts.c
 * joins the images of several machines. */
#ifndef ISA_FORMAT_IMAGE_READER_H
#define ISA_FORMAT_IMAGE_READER_H

#include "isa/format/image_layout.h"

/* The tables were checked to lie in the file; what is used up of them in order (types,
 * operands, lists, arcs, names) is checked against what is left. */
struct isa_image_reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_arena *arena; /* for what lives as long as the reading */
    uint32_t counts[ISA_IMAGE_TABLE_COUNT];
    struct lib_pack tables[ISA_IMAGE_TABLE_COUNT];
    struct lib_pack machines, numbers; /* behind the tables */
    uint32_t whole;                    /* of a part: nodes of all of them */
    struct lib_pack behind; /* these: what is not used up yet of kernels and tensors */
    bool has_kernels, has_tensors, has_placings, has_ports;
    uint32_t kernel_count, kernels[ISA_IMAGE_KERNELS]; /* uses, isa/kernel_use.h */
    uint32_t source_length, shape_length;
    enum isa_stage stage;
    enum isa_op *opcodes; /* counts[OPCODES] */
    struct isa_graph *graph;
};

/* Adds an error about the file. Returns false. */
bool isa_image_fail(struct isa_image_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the header and the payload of the file into a graph, which the caller frees also on
 * failure. Returns false and adds a diagnostic if it is not an image. The graph may be illegal. */
bool isa_image_read_file(struct isa_image_reader *r);

#endif
