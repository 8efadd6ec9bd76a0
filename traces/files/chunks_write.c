#include "traces/files/chunks_internal.h"

#include "lib/atomic_file.h"
#include "lib/memory.h"

#include <zstd.h>

struct traces_chunks_writer {
    struct lib_atomic_file aside;
    struct lib_text stored; /* compressed bytes of the current chunk */
    ZSTD_CCtx *zstd;
    LIB_VEC(struct traces_chunk) index;
    uint64_t at;
};

static void put_bytes(struct traces_chunks_writer *w, const void *bytes, size_t length)
{
    lib_atomic_file_put(&w->aside, bytes, length);
    w->at += length;
}

static void free_writer(struct traces_chunks_writer *w)
{
    lib_text_free(&w->stored);
    ZSTD_freeCCtx(w->zstd);
    LIB_VEC_FREE(&w->index);
    lib_mem_free(w);
}

static struct traces_chunks_writer *start_file(struct traces_chunks_writer *w,
                                               const struct traces_chunks_kind *kind)
{
    struct traces_file_header header = {CHUNKS_MAGIC, kind->letters, kind->version, 0};
    header.hash = CHUNKS_HASH(header);
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd)
        lib_mem_exhausted(0);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, CHUNKS_LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_hashLog, CHUNKS_HASH_LOG);
    put_bytes(w, &header, sizeof header);
    return w;
}

struct traces_chunks_writer *traces_chunks_create(const char *path,
                                                  const struct traces_chunks_kind *kind,
                                                  struct lib_diags *diags)
{
    struct traces_chunks_writer *w = lib_mem_new(sizeof *w);
    if (lib_atomic_file_open(&w->aside, path, diags)) {
        lib_atomic_file_keep(&w->aside);
        return start_file(w, kind);
    }
    lib_atomic_file_abandon(&w->aside);
    free_writer(w);
    return NULL;
}

struct traces_chunks_writer *
traces_chunks_create_on(FILE *stream, const char *name,
                        const struct traces_chunks_kind *kind)
{
    struct traces_chunks_writer *w = lib_mem_new(sizeof *w);
    lib_atomic_file_stream(&w->aside, stream, name);
    return start_file(w, kind);
}

static const void *compress_chunk(struct traces_chunks_writer *w, const void *bytes,
                                  struct traces_chunk_header *header)
{
    const size_t length = header->length;
    lib_text_clear(&w->stored);
    lib_text_reserve(&w->stored, ZSTD_compressBound(length));
    const size_t stored = ZSTD_compress2(w->zstd, w->stored.bytes,
                                         ZSTD_compressBound(length), bytes, length);
    header->is_zstd = !ZSTD_isError(stored) && stored < length;
    header->stored = header->is_zstd ? stored : length;
    return header->is_zstd ? w->stored.bytes : bytes;
}

bool traces_chunks_add(struct traces_chunks_writer *w, uint32_t type, uint64_t from,
                       uint64_t to, const void *bytes, size_t length)
{
    struct traces_chunk_header header = {
        .magic = CHUNKS_CHUNK, .type = type, .length = length, .from = from, .to = to};
    const void *stored = compress_chunk(w, bytes, &header);
    header.hash = traces_chunk_hash(&header, stored);
    *LIB_VEC_PUSH(&w->index) = (struct traces_chunk){
        type, w->at, header.stored, header.length, header.from, header.to};
    put_bytes(w, &header, sizeof header);
    put_bytes(w, stored, header.stored);
    /* So a process that is killed later has written this chunk. */
    lib_atomic_file_flush(&w->aside);
    return w->aside.error == 0;
}

static void write_index(struct traces_chunks_writer *w)
{
    struct traces_file_footer footer = {w->at, CHUNKS_END, 0};
    LIB_TEXT_OWN rows = {0};
    footer.hash = CHUNKS_HASH(footer);
    for (size_t i = 0; i < w->index.count; i++) {
        const struct traces_chunk *c = &w->index.items[i];
        const uint64_t row[CHUNKS_INDEX_ROW] = {c->type,   c->offset, c->stored,
                                                c->length, c->from,   c->to};
        lib_text_add(&rows, (const char *)row, sizeof row);
    }
    traces_chunks_add(w, CHUNKS_INDEX, 0, 0, lib_text_get(&rows), rows.length);
    put_bytes(w, &footer, sizeof footer);
}

bool traces_chunks_finish(struct traces_chunks_writer *w, struct lib_diags *diags)
{
    write_index(w);
    const bool is_written = lib_atomic_file_finish(&w->aside, diags);
    free_writer(w);
    return is_written;
}

void traces_chunks_leave(struct traces_chunks_writer *w)
{
    lib_atomic_file_leave(&w->aside);
    free_writer(w);
}

void traces_chunks_abandon(struct traces_chunks_writer *w)
{
    lib_atomic_file_abandon(&w->aside);
    free_writer(w);
}
