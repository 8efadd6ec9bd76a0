/* Files of chunks: what recordings and event files are made of. A chunk is bytes of one type,
 * about a range of cycles; it is compressed, and no bit of it can change unseen.
 *
 *   header, 24 bytes
 *      0   8  magic: 89 'H' 'I' 'C' 0d 0a 1a 0a; broken by every transfer "as text"
 *      8   4  kind of file: four letters
 *     12   4  version of the format of that kind
 *     16   8  XXH3-64 of what stands before
 *   chunks, one behind the other; the last one is of type INDX and lists the others
 *      0   4  'CHNK'
 *      4   4  type: four letters
 *      8   8  bytes stored
 *     16   8  bytes when decompressed
 *     24   8  from cycle,
 *     32   8  to cycle: what these say is the type's affair
 *     40   4  1: stored with zstd; 0: as they are
 *     44   4  0
 *     48   8  XXH3-64 of these 48 bytes, with that of the stored bytes as its seed
 *     56      the stored bytes
 *   footer, 24 bytes
 *      0   8  where the chunk INDX stands
 *      8   8  magic: 'H' 'I' 'C' 'E' 'N' 'D' 0d 0a
 *     16   8  XXH3-64 of what stands before in the footer
 *
 * All numbers are little-endian. A file is written aside, as PATH.part, and gets its name when it
 * is whole; what a link leads to is written, and what is no regular file as it is
 * (lib/atomic_file.h). Of one that was not finished all whole chunks can be read. */
#ifndef TRACES_FILES_CHUNKS_H
#define TRACES_FILES_CHUNKS_H

#include "lib/diag.h"

#include <stdio.h>

/* Four letters: a kind of file, or a type of chunk. */
#define TRACES_FOUR(text)                                                                \
    ((uint32_t)(text)[0] | (uint32_t)(text)[1] << 8 | (uint32_t)(text)[2] << 16 |        \
     (uint32_t)(text)[3] << 24)

/* A kind of file: "REC1", the version of its format, and what users call it: "a recording". */
struct traces_chunks_kind {
    uint32_t letters, version;
    const char *name;
    uint32_t oldest; /* version that can be read too; 0: none but this one */
};

struct traces_chunk {
    uint32_t type;
    uint64_t offset;         /* in the file */
    uint64_t stored, length; /* bytes: compressed, and not */
    uint64_t from, to;       /* cycles */
};

/* --- writing --------------------------------------------------------------------------- */

struct traces_chunks_writer;

/* A new file. NULL: it cannot be made, and why is in `diags`. To be ended by _finish or
 * _abandon. */
struct traces_chunks_writer *traces_chunks_create(const char *path,
                                                  const struct traces_chunks_kind *kind,
                                                  struct lib_diags *diags);

/* The same of an open stream, which is taken; `name` is what messages call it. */
struct traces_chunks_writer *
traces_chunks_create_on(FILE *stream, const char *name,
                        const struct traces_chunks_kind *kind);

/* Adds a chunk. What goes wrong is kept until the end; returns whether anything has. */
bool traces_chunks_add(struct traces_chunks_writer *writer, uint32_t type, uint64_t from,
                       uint64_t to, const void *bytes, size_t length);

/* The file is whole, and has its name. false: it could not be written, and why is in `diags`. */
bool traces_chunks_finish(struct traces_chunks_writer *writer, struct lib_diags *diags);

/* There will be no more: what is there stays, as PATH.part. */
void traces_chunks_leave(struct traces_chunks_writer *writer);

/* Nobody wants the file. */
void traces_chunks_abandon(struct traces_chunks_writer *writer);

/* --- reading --------------------------------------------------------------------------- */

struct traces_chunks;

/* Opens a file of a kind. NULL: there is none, or it is something else or damaged, and why is in
 * `diags`. One that was not finished is opened, as far as it is whole. */
struct traces_chunks *traces_chunks_open(const char *path,
                                         const struct traces_chunks_kind *kind,
                                         struct lib_diags *diags);
void traces_chunks_close(struct traces_chunks *chunks); /* NULL is allowed */

/* Whether the file at `path` starts like one of this kind. */
bool traces_chunks_is(const char *path, const struct traces_chunks_kind *kind);

/* What is wrong with it: "it ends at byte 4711, in the middle of a chunk"; NULL: it is whole.
 * Borrowed. */
const char *traces_chunks_damage(const struct traces_chunks *chunks);

/* Bytes of the file. */
uint64_t traces_chunks_bytes(const struct traces_chunks *chunks);

/* Its chunks, in the order in which they were written. */
size_t traces_chunks_count(const struct traces_chunks *chunks);
const struct traces_chunk *traces_chunks_get(const struct traces_chunks *chunks,
                                             size_t i);

/* The first of a type from number `i` on; the count: there is none. */
size_t traces_chunks_find(const struct traces_chunks *chunks, size_t i, uint32_t type);

/* The bytes of a chunk replace what `bytes` holds. false: they are damaged, which is in `diags`. */
bool traces_chunks_read(struct traces_chunks *chunks, size_t i, struct lib_text *bytes,
                        struct lib_diags *diags);

/* Whether the file is whole, all of it: reads it. false: why not is in `diags`. */
bool traces_chunks_verify(struct traces_chunks *chunks, struct lib_diags *diags);

#endif
