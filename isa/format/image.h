/* The image: a graph of an executable stage as a binary file, the program that machines run.
 *
 * All numbers are little-endian, without padding. A graph has exactly one image.
 *
 *   header, 40 bytes
 *      0   8  magic: 89 'H' 'I' 'A' 0d 0a 1a 0a; damaged by every transfer "as text"
 *      8   4  version of the format: 5
 *     12   4  0
 *     16   8  length of the payload, which is the rest of the file
 *     24  16  XXH3-128 of the payload, low half first
 *   payload: these numbers, 4 bytes each: the number of records of each of the tables below,
 *   in this order; the length of the source's name, and that of the shape of the result,
 *   both of which come first among the names; the strategy, 0 static (stage IMAGE) or 1
 *   expanding, with flags for the parts that follow the tables. Then come the tables:
 *      opcode     8  length of its name, 0; opcodes in the order of their first use, by
 *                    name, so that images outlive changes of isa/ops.def
 *      function  36  length of its name, parameters, results, 1 if it is a loop, the
 *                    loop's constants, its bound or the elements of a strand, position
 *      site      20  caller, callee, position
 *      cell       8  length of its name, type
 *      input     16  length of its name, type, value (8)
 *      operand   16  kind, input or constant, value (8)
 *      arc        8  node (ffffffff: return), port
 *      node      40  opcode (of the table above), type, function, site, index, operands,
 *                    lists, position
 *      list       4  arcs
 *      type       1  of functions: parameters, results, constants of a loop
 *      name       1  bytes of names, in the order of the tables above
 *   After the tables come the parts that the flags announce (isa/format/image_layout.h), such as
 *   names of kernels and tensors.
 *   A position takes 12 bytes: line, column, span. Types are as in isa/type.h: 0 int, 1 real,
 *   2 bool, and 8 more for an address, 16 for each pair of brackets. Operand kinds are 0 token,
 *   1 literal, 2 input, 3 absent, 4 held. Records consume the tables of their parts (types,
 *   operands, lists, arcs, names) in order. A field that does not apply is 0.
 */
#ifndef ISA_FORMAT_IMAGE_H
#define ISA_FORMAT_IMAGE_H

#include "isa/graph.h"

enum { ISA_IMAGE_FORMAT = 5 };

/* Appends the image of a graph, which must be legal (isa_check) and of an executable stage. */
void isa_image_write(const struct isa_graph *graph, struct lib_text *out);

/* Receives bytes of an image, the next ones with each call. */
typedef void isa_image_consume(void *context, const void *bytes, size_t length);

/* Passes the image of a graph to `consume`, piece by piece, so that no more than a piece of it is
 * in memory. */
void isa_image_pass(const struct isa_graph *graph, isa_image_consume *consume,
                    void *context);

/* Whether the bytes of `image` are the image of the graph. */
bool isa_image_is_of(const struct isa_graph *graph, const struct lib_source *image);

/* Reads an image and checks the graph (isa/check/check.h). The caller owns the graph. Returns NULL
 * and adds diagnostics if the file is not the image of a legal graph. */
struct isa_graph *isa_image_read(const struct lib_source *source,
                                 struct lib_diags *diags);

/* Appends the image of one machine of a PARTITIONED graph: its nodes and all declarations. */
void isa_image_write_part(const struct isa_graph *graph, uint32_t machine,
                          struct lib_text *out);

/* Reads the images of all `count` machines of a PARTITIONED graph, in order, and checks the graph.
 * The caller owns the graph. Returns NULL and adds diagnostics if a file is not such an image, or
 * the images do not belong together. */
struct isa_graph *isa_image_read_parts(const struct lib_source *const *sources,
                                       uint32_t count, struct lib_diags *diags);

/* Whether a file begins like an image, even one that a text-mode transfer has damaged. */
bool isa_image_is(const struct lib_source *source);

/* Digest of an image, XXH3-128 of all its bytes, which identifies a program. */
struct isa_digest {
    uint64_t high, low;
};

struct isa_digest isa_image_digest(const struct isa_graph *graph);

/* Returns the XXH3-128 of any bytes. */
struct isa_digest isa_digest_of(const void *bytes, size_t length);

/* Appends a digest as 32 hexadecimal digits. */
void isa_digest_write(struct isa_digest digest, struct lib_text *out);

/* Returns a digest as 32 hexadecimal digits; the string is in the arena. */
const char *isa_digest_keep(struct lib_arena *arena, struct isa_digest digest);

#endif
