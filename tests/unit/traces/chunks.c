/* Files of chunks: what was written is read; of what is damaged or cut off nothing wrong is. */
#include "tests/random/draw.h"
#include "tests/unit/support.h"
#include "traces/files/chunks.h"

#include <unistd.h>

enum { CHUNKS = 9, LONGEST = 3000, FLIPS = 1000 };

static const struct traces_chunks_kind kind = {TRACES_FOUR("TEST"), 3, "a test", 0};
static struct draw dice = {.seed = 15};
static char file_path[64], part_path[80];

static void make_paths(void)
{
    snprintf(file_path, sizeof file_path, "chunks-%d.tmp", (int)getpid());
    snprintf(part_path, sizeof part_path, "%s.part", file_path);
}

/* The bytes of chunk `i`: some can be compressed, some cannot. */
static struct lib_text bytes_of(size_t i)
{
    struct draw draw = {.seed = i};
    struct lib_text text = {0};
    for (size_t k = 0; k < i * LONGEST / CHUNKS; k++) {
        const char byte = (char)(i % 2 ? draw_below(&draw, 256) : k / 100);
        lib_text_add(&text, &byte, 1);
    }
    return text;
}

static struct traces_chunks_writer *begin_file(void)
{
    struct lib_diags diags = {0};
    struct traces_chunks_writer *w = traces_chunks_create(file_path, &kind, &diags);
    ck_assert(w != NULL);
    for (size_t i = 0; i < CHUNKS; i++) {
        struct lib_text bytes = bytes_of(i);
        ck_assert(traces_chunks_add(w, TRACES_FOUR("DATA"), 10 * i, 10 * i + 9,
                                    lib_text_get(&bytes), bytes.length));
        lib_text_free(&bytes);
    }
    return w;
}

static void write_file(void)
{
    struct lib_diags diags = {0};
    ck_assert(traces_chunks_finish(begin_file(), &diags));
    ck_assert(access(part_path, F_OK) != 0);
}

/* Reads chunks and compares them; returns how many there are. */
static size_t check_chunks(struct traces_chunks *c)
{
    const size_t count = traces_chunks_count(c);
    ck_assert_uint_le(count, CHUNKS);
    struct lib_text bytes = {0};
    for (size_t i = 0; i < count; i++) {
        struct lib_diags diags = {0};
        struct lib_text wanted = bytes_of(i);
        if (traces_chunks_read(c, i, &bytes, &diags)) {
            ck_assert_uint_eq(traces_chunks_get(c, i)->from, 10 * i);
            ck_assert_uint_eq(traces_chunks_get(c, i)->to, 10 * i + 9);
            ck_assert_uint_eq(bytes.length, wanted.length);
            ck_assert(
                memcmp(lib_text_get(&bytes), lib_text_get(&wanted), wanted.length) == 0);
        }
        lib_text_free(&wanted);
        lib_diags_free(&diags);
    }
    lib_text_free(&bytes);
    return count;
}

/* Whether the file is seen to be damaged; what can be read of it is right. */
static bool is_damaged(const char *file)
{
    struct lib_diags diags = {0};
    struct traces_chunks *c = traces_chunks_open(file, &kind, &diags);
    bool damaged = c == NULL;
    if (c) {
        check_chunks(c);
        damaged = !traces_chunks_verify(c, &diags);
    }
    ck_assert(damaged == (diags.errors > 0));
    traces_chunks_close(c);
    lib_diags_free(&diags);
    return damaged;
}

START_TEST(what_is_written_is_read)
{
    struct lib_diags diags = {0};
    make_paths();
    write_file();
    ck_assert(traces_chunks_is(file_path, &kind));
    struct traces_chunks *c = traces_chunks_open(file_path, &kind, &diags);
    ck_assert(c != NULL && traces_chunks_damage(c) == NULL);
    ck_assert_uint_eq(check_chunks(c), CHUNKS);
    ck_assert(traces_chunks_verify(c, &diags));
    ck_assert_uint_eq(traces_chunks_find(c, 2, TRACES_FOUR("DATA")), 2);
    ck_assert_uint_eq(traces_chunks_find(c, 0, TRACES_FOUR("NONE")), CHUNKS);
    traces_chunks_close(c);
    unlink(file_path);
}
END_TEST

/* Files of older versions are read as far back as the kind says. */
START_TEST(older_versions_are_read)
{
    const struct traces_chunks_kind kinds[] = {{TRACES_FOUR("TEST"), 5, "a test", 3},
                                               {TRACES_FOUR("TEST"), 5, "a test", 4},
                                               {TRACES_FOUR("TEST"), 5, "a test", 0}};
    make_paths();
    write_file();
    for (int i = 0; i < 3; i++) {
        struct lib_diags diags = {0};
        struct traces_chunks *chunks = traces_chunks_open(file_path, &kinds[i], &diags);
        ck_assert((chunks != NULL) == (i == 0));
        traces_chunks_close(chunks);
        lib_diags_free(&diags);
    }
    unlink(file_path);
}
END_TEST

START_TEST(another_kind_or_version_is_refused)
{
    static const struct traces_chunks_kind others[] = {
        {TRACES_FOUR("ELSE"), 3, "something", 0}, {TRACES_FOUR("TEST"), 4, "a test", 0}};
    make_paths();
    write_file();
    for (int i = 0; i < 2; i++) {
        struct lib_diags diags = {0};
        ck_assert(traces_chunks_open(file_path, &others[i], &diags) == NULL);
        ck_assert_uint_eq(diags.errors, 1);
        lib_diags_free(&diags);
    }
    unlink(file_path);
}
END_TEST

static struct lib_text read_file(void)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    const struct lib_source *source = lib_file_read(arena, file_path, &diags);
    lib_text_add(&text, source->bytes, source->length);
    lib_arena_free(arena);
    return text;
}

static void overwrite(const struct lib_text *text, size_t length)
{
    struct lib_diags diags = {0};
    ck_assert(lib_file_write(file_path, text->bytes, length, &diags));
}

START_TEST(every_flipped_bit_is_seen)
{
    make_paths();
    write_file();
    struct lib_text text = read_file();
    for (int i = 0; i < FLIPS; i++) {
        const uint64_t bit = draw_below(&dice, 8 * text.length);
        text.bytes[bit / 8] ^= (char)(1 << bit % 8);
        overwrite(&text, text.length);
        ck_assert_msg(is_damaged(file_path), "bit %llu of byte %llu",
                      (unsigned long long)bit % 8, (unsigned long long)bit / 8);
        text.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    overwrite(&text, text.length);
    ck_assert(!is_damaged(file_path));
    lib_text_free(&text);
    unlink(file_path);
}
END_TEST

START_TEST(every_truncation_is_seen)
{
    make_paths();
    write_file();
    struct lib_text text = read_file();
    for (size_t length = 0; length < text.length; length += test_is_quick() ? 37 : 1) {
        overwrite(&text, length);
        ck_assert_msg(is_damaged(file_path), "the first %zu bytes", length);
    }
    lib_text_puts(&text, "x");
    overwrite(&text, text.length);
    ck_assert_msg(is_damaged(file_path), "a byte too many");
    lib_text_free(&text);
    unlink(file_path);
}
END_TEST

START_TEST(what_was_not_finished_is_read_as_far_as_it_is_whole)
{
    struct lib_diags diags = {0};
    make_paths();
    struct traces_chunks_writer *w = begin_file();
    struct traces_chunks *c = traces_chunks_open(part_path, &kind, &diags);
    ck_assert(c != NULL && traces_chunks_damage(c) != NULL);
    ck_assert_uint_eq(check_chunks(c), CHUNKS);
    traces_chunks_close(c);
    ck_assert(access(file_path, F_OK) != 0);
    traces_chunks_abandon(w);
    ck_assert(access(part_path, F_OK) != 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("chunks");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, older_versions_are_read);
    tcase_add_test(tcase, another_kind_or_version_is_refused);
    tcase_add_test(tcase, every_flipped_bit_is_seen);
    tcase_add_test(tcase, every_truncation_is_seen);
    tcase_add_test(tcase, what_was_not_finished_is_read_as_far_as_it_is_whole);
    return test_main("chunks", tcase);
}
