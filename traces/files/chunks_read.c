#include "traces/files/chunks_internal.h"

#include "lib/guard.h"
#include "lib/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

struct traces_chunks {
    FILE *file;
    struct lib_text path, damage;
    struct lib_text stored; /* stored bytes of the current chunk */
    uint64_t size;          /* bytes of the file */
    bool is_damaged;        /* damaged, not only cut off */
    LIB_VEC(struct traces_chunk) all;
};

static bool get(struct traces_chunks *c, uint64_t at, void *bytes, size_t length)
{
    return at <= c->size && length <= c->size - at &&
           fseeko(c->file, (off_t)at, SEEK_SET) == 0 &&
           fread(bytes, 1, length, c->file) == length;
}

/* Whether the sizes are possible: zstd cannot compress more. */
static bool is_plausible(const struct traces_chunk_header *h)
{
    const uint64_t most = UINT64_C(1) << 17;
    return h->is_zstd ? h->length / most <= h->stored : h->length == h->stored;
}

/* Reads the chunk header at `at` and the stored bytes after it. Returns false if the chunk is
 * incomplete. */
static bool get_chunk(struct traces_chunks *c, uint64_t at, struct traces_chunk_header *h)
{
    if (!get(c, at, h, sizeof *h) || h->magic != CHUNKS_CHUNK || h->is_zstd > 1 ||
        h->stored > c->size - at - sizeof *h || !is_plausible(h))
        return false;
    lib_text_clear(&c->stored);
    lib_text_reserve(&c->stored, h->stored);
    return get(c, at + sizeof *h, c->stored.bytes, h->stored) &&
           h->hash == traces_chunk_hash(h, c->stored.bytes);
}

/* Decompresses the bytes that get_chunk has read. */
static bool unpack(const struct traces_chunks *c, const struct traces_chunk_header *h,
                   struct lib_text *bytes)
{
    lib_text_clear(bytes);
    if (!h->is_zstd) {
        lib_text_add(bytes, c->stored.bytes, h->length);
        return true;
    }
    lib_text_reserve(bytes, h->length);
    const size_t length = ZSTD_decompress(bytes->bytes, h->length, c->stored.bytes,
                                          h->stored);
    bytes->length = h->length;
    bytes->bytes[bytes->length] = '\0';
    return length == h->length;
}

static struct traces_chunk chunk_of(const struct traces_chunk_header *h, uint64_t at)
{
    return (struct traces_chunk){h->type, at, h->stored, h->length, h->from, h->to};
}

static bool read_index(struct traces_chunks *c)
{
    struct traces_file_footer footer;
    struct traces_chunk_header h;
    LIB_TEXT_OWN rows = {0};
    const uint64_t end = c->size - sizeof footer;
    if (c->size < sizeof footer || !get(c, end, &footer, sizeof footer) ||
        footer.magic != CHUNKS_END || footer.hash != CHUNKS_HASH(footer) ||
        !get_chunk(c, footer.index, &h) || h.type != CHUNKS_INDEX ||
        footer.index + sizeof h + h.stored != end || !unpack(c, &h, &rows)) {
        return false;
    }
    uint64_t at = sizeof(struct traces_file_header);
    uint64_t row[CHUNKS_INDEX_ROW];
    for (size_t i = 0; i + sizeof row <= rows.length; i += sizeof row) {
        memcpy(row, rows.bytes + i, sizeof row);
        *LIB_VEC_PUSH(&c->all) = (struct traces_chunk){(uint32_t)row[0], row[1], row[2],
                                                       row[3],           row[4], row[5]};
        if (row[1] != at || row[2] > c->size)
            break;
        at += sizeof h + row[2];
    }
    return at == footer.index;
}

/* Whether the file ends like a finished one, so that it is damaged. */
static bool has_end(struct traces_chunks *c)
{
    struct traces_file_footer f = {0};
    return c->size >= sizeof f && get(c, c->size - sizeof f, &f, sizeof f) &&
           (f.magic == CHUNKS_END || f.hash == CHUNKS_HASH(f));
}

/* Finds all complete chunks without the index. */
static void find_chunks(struct traces_chunks *c)
{
    uint64_t at = sizeof(struct traces_file_header);
    struct traces_chunk_header h;
    c->all.count = 0;
    while (get_chunk(c, at, &h) && h.type != CHUNKS_INDEX) {
        *LIB_VEC_PUSH(&c->all) = chunk_of(&h, at);
        at += sizeof h + h.stored;
    }
    const bool was_finished = has_end(c) || (get_chunk(c, at, &h) && at < c->size);
    lib_text_printf(&c->damage, "it is whole up to byte %llu of %llu: it %s",
                    (unsigned long long)at, (unsigned long long)c->size,
                    was_finished ? "is damaged" : "was not finished");
    c->is_damaged = was_finished;
}

static void report_damage(const struct traces_chunks *c, struct lib_diags *diags,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

static void report_damage(const struct traces_chunks *c, struct lib_diags *diags,
                          const char *format, ...)
{
    LIB_TEXT_OWN text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    lib_diag_plain(diags, LIB_DIAG_FILE, "%s: %s", lib_text_get(&c->path),
                   lib_text_get(&text));
}

static bool check_header(struct traces_chunks *c, const struct traces_chunks_kind *kind,
                         struct lib_diags *diags)
{
    struct traces_file_header h;
    if (!get(c, 0, &h, sizeof h) || h.magic != CHUNKS_MAGIC || h.kind != kind->letters)
        report_damage(c, diags, "expected %s, found something else", kind->name);
    else if (h.hash != CHUNKS_HASH(h))
        report_damage(c, diags, "its first bytes are damaged");
    else if (h.version > kind->version ||
             h.version < (kind->oldest ? kind->oldest : kind->version))
        report_damage(c, diags,
                      "%s of version %u of the format; this hiaton reads version %u",
                      kind->name, h.version, kind->version);
    else
        return true;
    return false;
}

struct traces_chunks *traces_chunks_open(const char *path,
                                         const struct traces_chunks_kind *kind,
                                         struct lib_diags *diags)
{
    struct traces_chunks *c = lib_mem_new(sizeof *c);
    lib_text_puts(&c->path, path);
    if (!lib_guard_read(path, "the recording", diags)) {
        traces_chunks_close(c);
        return NULL;
    }
    c->file = fopen(path, "rbe");
    if (!c->file || fseeko(c->file, 0, SEEK_END) != 0) {
        lib_diag_plain(diags, LIB_DIAG_FILE, "cannot read %s: %s", path, strerror(errno));
        traces_chunks_close(c);
        return NULL;
    }
    c->size = (uint64_t)ftello(c->file);
    if (!check_header(c, kind, diags)) {
        traces_chunks_close(c);
        return NULL;
    }
    if (!read_index(c))
        find_chunks(c);
    if (c->is_damaged) {
        report_damage(c, diags, "%s", lib_text_get(&c->damage));
        traces_chunks_close(c);
        return NULL;
    }
    return c;
}

void traces_chunks_close(struct traces_chunks *c)
{
    if (!c)
        return;
    if (c->file)
        fclose(c->file);
    LIB_TEXT_FREE(&c->path, &c->damage, &c->stored);
    LIB_VEC_FREE(&c->all);
    lib_mem_free(c);
}

bool traces_chunks_is(const char *path, const struct traces_chunks_kind *kind)
{
    struct traces_file_header h = {0};
    FILE *file = fopen(path, "rbe");
    const bool is_read = file && fread(&h, 1, sizeof h, file) >= 12;
    if (file)
        fclose(file);
    return is_read && h.magic == CHUNKS_MAGIC && h.kind == kind->letters;
}

const char *traces_chunks_damage(const struct traces_chunks *c)
{
    return c->damage.length ? lib_text_get(&c->damage) : NULL;
}

uint64_t traces_chunks_bytes(const struct traces_chunks *c)
{
    return c->size;
}

size_t traces_chunks_count(const struct traces_chunks *c)
{
    return c->all.count;
}

const struct traces_chunk *traces_chunks_get(const struct traces_chunks *c, size_t i)
{
    assert(i < c->all.count);
    return &c->all.items[i];
}

size_t traces_chunks_find(const struct traces_chunks *c, size_t i, uint32_t type)
{
    while (i < c->all.count && c->all.items[i].type != type)
        i++;
    return i;
}

bool traces_chunks_read(struct traces_chunks *c, size_t i, struct lib_text *bytes,
                        struct lib_diags *diags)
{
    const struct traces_chunk *chunk = traces_chunks_get(c, i);
    struct traces_chunk_header h;
    if (get_chunk(c, chunk->offset, &h) && h.type == chunk->type &&
        h.length == chunk->length && unpack(c, &h, bytes))
        return true;
    report_damage(c, diags, "the file is damaged from byte %llu on",
                  (unsigned long long)chunk->offset);
    return false;
}

bool traces_chunks_verify(struct traces_chunks *c, struct lib_diags *diags)
{
    struct traces_chunk_header h;
    if (c->damage.length) {
        report_damage(c, diags, "%s", lib_text_get(&c->damage));
        return false;
    }
    for (size_t i = 0; i < c->all.count; i++) {
        const struct traces_chunk *chunk = &c->all.items[i];
        if (get_chunk(c, chunk->offset, &h))
            continue;
        report_damage(c, diags, "the file is damaged from byte %llu on",
                      (unsigned long long)chunk->offset);
        return false;
    }
    return true;
}
