/* Fuzz target: images. What is accepted is legal, reads back, and can be executed. The
 * mutator knows the tables of an image, and seals what it makes with the right checksum. */
#include "tests/fuzz/fuzz.h"

#include "isa/format/image.h"
#include "isa/format/image_layout.h"
#include "lib/hash.h"

#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source *source = fuzz_source(arena, "fuzz.dfi", data, size);
    struct isa_graph *graph = isa_image_read(source, &diags);
    fuzz_diags(&diags, graph == NULL);
    if (graph) {
        struct lib_text again = {0};
        isa_image_write(graph, &again);
        if (again.length != size || memcmp(again.bytes, data, size) != 0)
            fuzz_fail("an image changed when it was written");
        lib_text_free(&again);
        fuzz_graph(graph);
        fuzz_execute(graph, false);
    }
    isa_graph_free(graph);
    lib_arena_free(arena);
    return 0;
}

/* --- mutation ------------------------------------------------------------------------- */

static const size_t record_bytes[] = {
#define TABLE(NAME, text, bytes) bytes,
    ISA_IMAGE_TABLES(TABLE)
#undef TABLE
};

/* An image whose tables lie in it. */
struct image {
    uint8_t *bytes;
    size_t size, most;
    uint64_t seed;
    size_t first[ISA_IMAGE_TABLE_COUNT]; /* where each table starts */
    uint32_t counts[ISA_IMAGE_TABLE_COUNT];
};

static uint64_t get(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void set(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static size_t draw(struct image *m, size_t below)
{
    return (size_t)(lib_hash_mix(m->seed++) % below);
}

static void seal(uint8_t *bytes, size_t size)
{
    if (size < ISA_IMAGE_HEADER_BYTES)
        return;
    size_t length = size - ISA_IMAGE_HEADER_BYTES;
    XXH128_hash_t hash = XXH3_128bits(bytes + ISA_IMAGE_HEADER_BYTES, length);
    memcpy(bytes, ISA_IMAGE_MAGIC, ISA_IMAGE_MAGIC_BYTES);
    set(bytes + 8, ISA_IMAGE_FORMAT, 4);
    set(bytes + 12, 0, 4);
    set(bytes + 16, length, 8);
    set(bytes + 24, hash.low64, 8);
    set(bytes + 32, hash.high64, 8);
}

static bool find_tables(struct image *m)
{
    size_t at = ISA_IMAGE_HEADER_BYTES + ISA_IMAGE_COUNTS_BYTES;
    if (m->size < at)
        return false;
    for (int t = 0; t < ISA_IMAGE_TABLE_COUNT; t++) {
        m->counts[t] = (uint32_t)get(m->bytes + ISA_IMAGE_HEADER_BYTES + 4 * t, 4);
        m->first[t] = at;
        if ((m->size - at) / record_bytes[t] < m->counts[t])
            return false;
        at += m->counts[t] * record_bytes[t];
    }
    return true;
}

static uint8_t *record(const struct image *m, int table, size_t i)
{
    return m->bytes + m->first[table] + i * record_bytes[table];
}

static void set_count(struct image *m, int table, uint32_t count)
{
    set(m->bytes + ISA_IMAGE_HEADER_BYTES + 4 * table, count, 4);
}

/* Gives one field of a record another value: near, small, none, or of another record. */
static void change_field(struct image *m, int table)
{
    size_t bytes = record_bytes[table] < 4 ? record_bytes[table] : 4;
    size_t field = draw(m, record_bytes[table] / bytes) * bytes;
    uint8_t *at = record(m, table, draw(m, m->counts[table])) + field;
    uint64_t old = get(at, bytes);
    uint8_t *other = record(m, table, draw(m, m->counts[table])) + field;
    const uint64_t values[] = {old + 1, old - 1, draw(m, 16), UINT32_MAX,
                               get(other, bytes)};
    set(at, values[draw(m, 8) % 5], bytes);
}

static void repeat_record(struct image *m, int table)
{
    size_t bytes = record_bytes[table];
    if (m->size + bytes > m->most)
        return;
    uint8_t *from = record(m, table, draw(m, m->counts[table]));
    uint8_t *at = record(m, table, draw(m, m->counts[table] + 1));
    uint8_t copy[64];
    memcpy(copy, from, bytes);
    memmove(at + bytes, at, (size_t)(m->bytes + m->size - at));
    memcpy(at, copy, bytes);
    m->size += bytes;
    set_count(m, table, m->counts[table] + 1);
}

static void remove_record(struct image *m, int table)
{
    size_t bytes = record_bytes[table];
    uint8_t *at = record(m, table, draw(m, m->counts[table]));
    memmove(at, at + bytes, (size_t)(m->bytes + m->size - at) - bytes);
    m->size -= bytes;
    set_count(m, table, m->counts[table] - 1);
}

static void swap_records(struct image *m, int table)
{
    uint8_t *a = record(m, table, draw(m, m->counts[table]));
    uint8_t *b = record(m, table, draw(m, m->counts[table]));
    for (size_t i = 0; i < record_bytes[table]; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

/* The other strategy, or none. */
static void change_strategy(struct image *m)
{
    uint8_t *at = m->bytes + ISA_IMAGE_HEADER_BYTES + ISA_IMAGE_COUNTS_BYTES - 4;
    set(at, draw(m, 8) ? !get(at, 4) : draw(m, 4), 4);
}

static void change_table(struct image *m)
{
    if (draw(m, 64) == 0) {
        change_strategy(m);
        return;
    }
    int table = (int)draw(m, ISA_IMAGE_TABLE_COUNT);
    if (m->counts[table] == 0)
        return;
    switch (draw(m, 8)) {
    case 0:
        repeat_record(m, table);
        break;
    case 1:
        remove_record(m, table);
        break;
    case 2:
        swap_records(m, table);
        break;
    default:
        change_field(m, table);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    struct image m = {.bytes = data, .size = size, .most = max_size, .seed = seed};
    m.seed = lib_hash_mix(m.seed);
    if (draw(&m, 8) == 0) {
        m.size = LLVMFuzzerMutate(data, size, max_size);
        if (draw(&m, 4) == 0)
            return m.size;
    } else {
        for (size_t changes = 1 + draw(&m, 4); changes > 0 && find_tables(&m); changes--)
            change_table(&m);
    }
    seal(data, m.size);
    return m.size;
}
