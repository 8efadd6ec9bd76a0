/* Files of chunks: the format of recordings, event files and checkpoints of training. A chunk has
 * bytes of one type for a range of cycles; it is compressed, and hashes detect every change.
 *
 *   header, 24 bytes
 *      0   8  magic: 89 'H' 'I' 'C' 0d 0a 1a 0a; broken by every transfer "as text"
 *      8   4  kind of file: four letters
 *     12   4  version of the format of that kind
 *     16   8  XXH3-64 of the bytes before
 *   chunks; the last one is of type INDX and lists the others
 *      0   4  'CHNK'
 *      4   4  type: four letters
 *      8   8  bytes stored
 *     16   8  bytes when decompressed
 *     24   8  first cycle; its meaning depends on the type
 *     32   8  last cycle, likewise
 *     40   4  1 if compressed with zstd, else 0
 *     44   4  0
 *     48   8  XXH3-64 of these 48 bytes, with that of the stored bytes as its seed
 *     56      the stored bytes
 *   footer, 24 bytes
 *      0   8  offset of the chunk INDX
 *      8   8  magic: 'H' 'I' 'C' 'E' 'N' 'D' 0d 0a
 *     16   8  XXH3-64 of the bytes before in the footer
 *
 * All numbers are little-endian. A file is written as PATH.part and renamed when it is complete
 * (lib/atomic_file.h). All complete chunks of a file that was not finished can be read. */
#ifndef TRACES_FILES_CHUNKS_H
#define TRACES_FILES_CHUNKS_H

#include "lib/diag.h"

#include <stdio.h>

/* Four letters as a number: a kind of file or a type of chunk. */
#define TRACES_FOUR(text)                                                                \
    ((uint32_t)(text)[0] | (uint32_t)(text)[1] << 8 | (uint32_t)(text)[2] << 16 |        \
     (uint32_t)(text)[3] << 24)

/* Kind of file with chunks, such as recordings. */
struct traces_chunks_kind {
    /* Four letters that identify the kind, such as TRACES_FOUR("REC1"), and version of its
     * format. */
    uint32_t letters, version;
    const char *name; /* what messages call such a file: "a recording" */
    uint32_t oldest;  /* oldest version that can be read; 0: only `version` */
};

struct traces_chunk {
    uint32_t type;
    uint64_t offset; /* offset of the chunk in the file */
    /* bytes in the file (compressed), and bytes when decompressed */
    uint64_t stored, length;
    uint64_t from, to; /* first and last cycle; their meaning depends on the type */
};

/* --- writing --------------------------------------------------------------------------- */

struct traces_chunks_writer;

/* Creates a file of chunks, to be ended by traces_chunks_finish, _leave or _abandon. Returns NULL
 * and adds a diagnostic if it cannot be created. */
struct traces_chunks_writer *traces_chunks_create(const char *path,
                                                  const struct traces_chunks_kind *kind,
                                                  struct lib_diags *diags);

/* Like traces_chunks_create, but writes to an open stream, which the writer then owns. Messages
 * call it `name`. */
struct traces_chunks_writer *
traces_chunks_create_on(FILE *stream, const char *name,
                        const struct traces_chunks_kind *kind);

/* Adds a chunk. Returns false if a chunk could not be written; traces_chunks_finish reports why. */
bool traces_chunks_add(struct traces_chunks_writer *writer, uint32_t type, uint64_t from,
                       uint64_t to, const void *bytes, size_t length);

/* Completes the file and renames PATH.part to PATH. Returns false and adds a diagnostic on
 * failure. */
bool traces_chunks_finish(struct traces_chunks_writer *writer, struct lib_diags *diags);

/* Ends the writer and keeps the incomplete file as PATH.part. */
void traces_chunks_leave(struct traces_chunks_writer *writer);

/* Ends the writer and removes the file. */
void traces_chunks_abandon(struct traces_chunks_writer *writer);

/* --- reading --------------------------------------------------------------------------- */

struct traces_chunks;

/* Opens a file of chunks for reading, even an unfinished one. Returns NULL and adds a diagnostic if
 * it does not exist, is of another kind or is damaged. */
struct traces_chunks *traces_chunks_open(const char *path,
                                         const struct traces_chunks_kind *kind,
                                         struct lib_diags *diags);
void traces_chunks_close(struct traces_chunks *chunks); /* `chunks` may be NULL */

/* Whether the file at `path` begins like a file of this kind. */
bool traces_chunks_is(const char *path, const struct traces_chunks_kind *kind);

/* Returns how the file is damaged ("it ends at byte 4711, in the middle of a chunk"), borrowed;
 * NULL if it is complete. */
const char *traces_chunks_damage(const struct traces_chunks *chunks);

uint64_t traces_chunks_bytes(const struct traces_chunks *chunks);

/* Return the number of chunks in a file, and chunk `i` in the order of writing. */
size_t traces_chunks_count(const struct traces_chunks *chunks);
const struct traces_chunk *traces_chunks_get(const struct traces_chunks *chunks,
                                             size_t i);

/* Returns the index of the first chunk of a type, from index `i` on. Returns the number of chunks
 * if there is none. */
size_t traces_chunks_find(const struct traces_chunks *chunks, size_t i, uint32_t type);

/* Decompresses chunk `i` into `bytes`. Returns false and adds a diagnostic if it is damaged. */
bool traces_chunks_read(struct traces_chunks *chunks, size_t i, struct lib_text *bytes,
                        struct lib_diags *diags);

/* Checks the whole file. Returns false and adds a diagnostic if it is incomplete or damaged. */
bool traces_chunks_verify(struct traces_chunks *chunks, struct lib_diags *diags);

#endif
