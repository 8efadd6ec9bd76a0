#include "tests/fuzz/recorded.h"

#include "lib/file.h"
#include "traces/files/chunks_internal.h"

#include <stdio.h>

#include <string.h>
#include <unistd.h>

/* --- runs ------------------------------------------------------------------------------------ */

/* Calls, conditionals, a cell that is read before it is written; loops with constants, one in the
 * other; arrays of arrays, whose elements are read before they are written. */
static const char *const programs[] = {
    "result = fib(4) + slow\n"
    "slow = count(1, 1) * count(4, 1)\n"
    "count(n, x) = if n == 0 then x else count(n - 1, x)\n"
    "fib(n) = if n < 2 then n + slow - 1 else fib(n - 1) + fib(n - 2)\n",

    "input n = 2\n"
    "result = outer(n, n * 3)\n"
    "outer(n, k) = loop i = 0, s = 0 while i < n do i + 1, s + inner(i, k) return s\n"
    "inner(i, k) = loop j = 0, t = 0 while j < 2 do j + 1, t + i * k + j return t\n",

    "input n = 1\n"
    "result = (table, total(n), [1, 2])\n"
    "table = [[if j == 0 then i else table[i][j - 1] + 1 | j <- 0 .. i] | i <- 0 .. n]\n"
    "total(k) = if k < 0 then 0 else table[k][0] + total(k - 1)\n",
};

static const char *const machines[][4] = {
    {"pe.count=3"},
    {"pe.count=4", "network.topology=crossbar"},
    {"pe.count=4", "network.topology=crossbar", "queue.capacity=400",
     "network.capacity=100"},
    {"pe.count=3", "match.store=hash", "match.capacity=4", "match.ways=2"},
    {"pe.count=3", "match.store=frames", "match.capacity=300"},
    {"pe.count=2", "tag.scheme=pool", "tag.pool=6"},
    {"pe.count=2", "tag.scheme=interned", "tag.bits=6"},
    {"pe.count=3", "deadness=propagate", "network.topology=ideal"},
    {"pe.count=3", "loop.bound=1"},
    {"pe.count=3", "copy.workers=1", "copy.latency=20", "copy.placement=placed"},
    {"executor.workers=3"},
    {"pe.count=4", "network.topology=crossbar", "network.bandwidth=16"},
    {"pe.count=4", "structure.placement=local", "deadness=propagate"},
};

/* Nothing of a run lasts long, whatever the damage makes of it. */
static const char *const limits[] = {"limits.cycles=4000", "limits.tokens=20000",
                                     "limits.memory=16777216", "limits.depth=1000"};

enum {
    PROGRAMS = sizeof programs / sizeof *programs,
    MACHINES = sizeof machines / sizeof *machines,
    LIMITS = sizeof limits / sizeof *limits,
    RUNS = PROGRAMS * MACHINES * 2, /* and strategies */
};

static struct sim_session runs[RUNS];

static unsigned run_number(const struct sim_session *run)
{
    return (unsigned)(run - runs);
}

static struct sim_session *open_run(const char *target, unsigned number)
{
    struct sim_session *run = &runs[number];
    char name[32], path[128];
    const char *sets[LIMITS + 4];
    struct lib_diags diags = {0};
    if (run->arena)
        return run;
    const char *const *machine = machines[number / 2 / PROGRAMS];
    snprintf(name, sizeof name, "p%u.df", number / 2 % PROGRAMS);
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(target), name);
    fuzz_put(fuzz_folder(target), name, programs[number / 2 % PROGRAMS]);
    memcpy(sets, limits, sizeof limits);
    size_t count = LIMITS;
    for (size_t i = 0; i < 4 && machine[i]; i++)
        sets[count++] = machine[i];
    const struct sim_session_request request = {
        .program = path,
        .sets = sets,
        .set_count = count,
        .strategy = number % 2 ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE,
        .seed = 1,
    };
    if (!sim_session_open(run, &request, &diags))
        fuzz_fail("run %u cannot be opened: %s", number, diags.items[0].text);
    lib_diags_free(&diags);
    return run;
}

struct sim_session *fuzz_run(const char *target, unsigned number)
{
    return open_run(target, number % RUNS);
}

bool fuzz_is_run(const struct sim_session *run, const struct sim_settings *settings)
{
    struct lib_text a = {0}, b = {0};
    for (size_t i = 0; i < sim_setting_count; i++) {
        lib_setting_write(&run->setup.settings, sim_setting_at(i), &a);
        lib_setting_write(settings, sim_setting_at(i), &b);
        lib_text_puts(&a, "\n");
        lib_text_puts(&b, "\n");
    }
    const bool same = strcmp(lib_text_get(&a), lib_text_get(&b)) == 0;
    lib_text_free(&a);
    lib_text_free(&b);
    return same;
}

const char *fuzz_kept(const char *target, const struct sim_session *run, unsigned how,
                      fuzz_make *make)
{
    static char path[128];
    static bool is_made[RUNS][8];
    const unsigned number = run_number(run);
    snprintf(path, sizeof path, "%s/%ld.%u.%u", fuzz_folder(target), (long)getpid(),
             number, how);
    if (!is_made[number][how])
        make(run, path, how);
    is_made[number][how] = true;
    return path;
}

/* --- edits ----------------------------------------------------------------------------------- */

unsigned fuzz_byte(struct fuzz_bytes *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

static size_t place(struct fuzz_bytes *input)
{
    const size_t low = fuzz_byte(input), middle = fuzz_byte(input);
    return low | middle << 8 | (size_t)fuzz_byte(input) << 16;
}

/* A number of 1, 4 or 8 bytes, at one of its places, becomes another. */
static void change(struct fuzz_bytes *input, struct lib_text *bytes, size_t size,
                   unsigned how)
{
    static const uint64_t special[] = {0,         1,          UINT64_MAX,
                                       INT32_MAX, UINT32_MAX, UINT64_C(1) << 31};
    const size_t count = bytes->length / size;
    const size_t at = place(input), value = fuzz_byte(input);
    uint64_t number = 0;
    if (count == 0)
        return;
    char *to = bytes->bytes + at % count * size;
    memcpy(&number, to, size);
    if (how == 0)
        number += (uint64_t)(int64_t)(int8_t)value;
    else if (how == 1)
        number ^= UINT64_C(1) << value % (8 * size);
    else if (how == 2)
        number = special[value % (sizeof special / sizeof *special)];
    else
        memcpy(&number, bytes->bytes + place(input) % count * size, size);
    memcpy(to, &number, size);
}

/* A piece is left out, or is there twice. */
static void move(struct fuzz_bytes *input, struct lib_text *bytes, bool is_twice)
{
    const size_t at = bytes->length ? place(input) % bytes->length : 0;
    const size_t most = bytes->length - at, wanted = fuzz_byte(input) + (size_t)1;
    const size_t length = wanted < most ? wanted : most;
    struct lib_text edited = {0};
    lib_text_add(&edited, lib_text_get(bytes), at + (is_twice ? length : 0));
    lib_text_add(&edited, lib_text_get(bytes) + at + (is_twice ? 0 : length),
                 bytes->length - at - (is_twice ? 0 : length));
    lib_text_free(bytes);
    *bytes = edited;
}

void fuzz_edit(struct fuzz_bytes *input, struct lib_text *bytes)
{
    const unsigned what = fuzz_byte(input) % 16;
    static const size_t sizes[] = {1, 4, 8};
    if (what < 12)
        change(input, bytes, sizes[what % 3], what / 3);
    else if (what < 14)
        move(input, bytes, what == 13);
    else if (what == 14 && bytes->length)
        bytes->length = place(input) % bytes->length;
    else
        lib_text_puts(bytes, "x");
}

/* --- files of chunks ------------------------------------------------------------------ */

/* The hashes of a file are made right, as far as it can be walked through. */
static void seal(struct lib_text *file)
{
    struct traces_file_header header;
    struct traces_file_footer footer;
    struct traces_chunk_header chunk;
    size_t at = sizeof header;
    if (file->length < sizeof header + sizeof footer)
        return;
    memcpy(&header, file->bytes, sizeof header);
    header.hash = CHUNKS_HASH(header);
    memcpy(file->bytes, &header, sizeof header);
    while (file->length - at >= sizeof chunk) {
        memcpy(&chunk, file->bytes + at, sizeof chunk);
        if (chunk.magic != CHUNKS_CHUNK ||
            chunk.stored > file->length - at - sizeof chunk)
            break;
        chunk.hash = traces_chunk_hash(&chunk, file->bytes + at + sizeof chunk);
        memcpy(file->bytes + at, &chunk, sizeof chunk);
        at += sizeof chunk + chunk.stored;
    }
    char *end = file->bytes + file->length - sizeof footer;
    memcpy(&footer, end, sizeof footer);
    footer.hash = CHUNKS_HASH(footer);
    if (footer.magic == CHUNKS_END)
        memcpy(end, &footer, sizeof footer);
}

struct parts {
    struct part {
        struct traces_chunk chunk;
        struct lib_text bytes;
    } * items;
    size_t count, capacity;
};

static void read_parts(struct parts *parts, const char *path,
                       const struct traces_chunks_kind *kind)
{
    struct lib_diags diags = {0};
    struct traces_chunks *chunks = traces_chunks_open(path, kind, &diags);
    for (size_t i = 0; chunks && i < traces_chunks_count(chunks); i++) {
        struct part *part = LIB_VEC_PUSH(parts);
        *part = (struct part){.chunk = *traces_chunks_get(chunks, i)};
        if (!traces_chunks_read(chunks, i, &part->bytes, &diags))
            break;
    }
    traces_chunks_close(chunks);
    if (diags.errors)
        fuzz_fail("%s: %s", path, diags.items[0].text);
    lib_diags_free(&diags);
}

static void write_parts(struct parts *parts, const char *path,
                        const struct traces_chunks_kind *kind)
{
    struct lib_diags diags = {0};
    struct traces_chunks_writer *file = traces_chunks_create(path, kind, &diags);
    for (size_t i = 0; i < parts->count; i++) {
        struct part *p = &parts->items[i];
        traces_chunks_add(file, p->chunk.type, p->chunk.from, p->chunk.to,
                          lib_text_get(&p->bytes), p->bytes.length);
        lib_text_free(&p->bytes);
    }
    if (!traces_chunks_finish(file, &diags))
        fuzz_fail("%s: %s", path, diags.items[0].text);
    LIB_VEC_FREE(parts);
}

/* An edit of a chunk: of its bytes, or of what is said of it. */
static void edit_part(struct fuzz_bytes *input, struct part *part)
{
    const unsigned what = fuzz_byte(input);
    if (what < 0xf0)
        fuzz_edit(input, &part->bytes);
    else if (what < 0xf5)
        part->chunk.from = place(input);
    else if (what < 0xfa)
        part->chunk.to = place(input);
    else
        part->chunk.type = TRACES_FOUR("LIVE");
}

static void edit_raw(struct fuzz_bytes *input, const char *path, unsigned count)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_text bytes = {0};
    const struct lib_source *file = lib_file_read(arena, path, &diags);
    lib_text_add(&bytes, file->bytes, file->length);
    for (unsigned i = 0; i < count; i++)
        fuzz_edit(input, &bytes);
    seal(&bytes);
    if (!lib_file_write(path, lib_text_get(&bytes), bytes.length, &diags))
        fuzz_fail("%s: %s", path, diags.items[0].text);
    lib_text_free(&bytes);
    lib_arena_free(arena);
}

unsigned fuzz_edit_file(struct fuzz_bytes *input, const char *from, const char *path,
                        const struct traces_chunks_kind *kind)
{
    const unsigned most = 16, raw = fuzz_byte(input) % 4;
    struct parts parts = {0};
    unsigned edits = raw;
    read_parts(&parts, from, kind);
    struct fuzz_bytes rest = *input;
    for (unsigned i = 0; i < 8 * raw; i++)
        fuzz_byte(input);
    for (; input->left && edits < most; edits++)
        edit_part(input, &parts.items[fuzz_byte(input) % parts.count]);
    write_parts(&parts, path, kind);
    if (raw)
        edit_raw(&rest, path, raw);
    return edits;
}
