/* Byte layout of files of chunks (traces/files/chunks.h), for traces/files/chunks_*.c. */
#ifndef TRACES_FILES_CHUNKS_INTERNAL_H
#define TRACES_FILES_CHUNKS_INTERNAL_H

#include "traces/files/chunks.h"

#include <assert.h>
#include <stddef.h>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are little-endian");

#define CHUNKS_MAGIC UINT64_C(0x0a1a0a0d43494889)
#define CHUNKS_END UINT64_C(0x0a0d444e45434948)
#define CHUNKS_CHUNK TRACES_FOUR("CHNK")
#define CHUNKS_INDEX TRACES_FOUR("INDX")

/* Parameters of zstd. Higher levels are much slower and save few bytes. This hash table fits in the
 * processor's cache, which gives files of the same size in 10 % less time. */
enum { CHUNKS_LEVEL = 1, CHUNKS_HASH_LOG = 12 };

/* 64-bit words per chunk in the chunk INDX: one for each member of struct traces_chunk. */
enum { CHUNKS_INDEX_ROW = 6 };

struct traces_file_header {
    uint64_t magic;
    uint32_t kind, version;
    uint64_t hash;
};

struct traces_file_footer {
    uint64_t index;
    uint64_t magic;
    uint64_t hash;
};

struct traces_chunk_header {
    uint32_t magic, type;
    uint64_t stored, length;
    uint64_t from, to;
    uint32_t is_zstd, zero;
    uint64_t hash;
};

static_assert(sizeof(struct traces_file_header) == 24, "no padding");
static_assert(sizeof(struct traces_file_footer) == 24, "no padding");
static_assert(sizeof(struct traces_chunk_header) == 56, "no padding");

/* Hash of a header or footer: of its bytes before the member `hash`. */
#define CHUNKS_HASH(thing) XXH3_64bits(&(thing), offsetof(__typeof__(thing), hash))

static inline uint64_t traces_chunk_hash(const struct traces_chunk_header *header,
                                         const void *stored)
{
    return XXH3_64bits_withSeed(header, offsetof(struct traces_chunk_header, hash),
                                XXH3_64bits(stored, header->stored));
}

#endif
