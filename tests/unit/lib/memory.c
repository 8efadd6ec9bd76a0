/* Growing and scattered blocks of memory: bytes keep their values wherever a block is, large blocks
 * begin with zeros, and a block that cannot double takes what is needed. */
#include "lib/memory.h"
#include "lib/pages.h"
#include "tests/unit/support.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char byte_at(size_t at)
{
    return (unsigned char)(at * 31 + at / 4093 + 1);
}

static void fill(unsigned char *block, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        block[i] = byte_at(i);
}

static void expect_filled(const unsigned char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != byte_at(i))
            ck_abort_msg("byte %zu of %zu has changed", i, bytes);
}

static void expect_zeros(const unsigned char *block, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (block[i])
            ck_abort_msg("byte %zu of %zu is not 0", i, to);
}

START_TEST(extending_keeps_bytes)
{
    unsigned char *block = NULL, *other = NULL;
    size_t bytes = 0, others = 0;
    for (size_t needed = 16; needed < (size_t)40 << 20; needed = bytes + 1) {
        const size_t before = bytes;
        block = lib_mem_extend(block, &bytes, needed);
        ck_assert_uint_ge(bytes, needed);
        ck_assert_uint_ge(bytes, 2 * before);
        expect_filled(block, before);
        if (bytes >= LIB_MEM_LARGE)
            expect_zeros(block, before, bytes);
        fill(block, before, bytes);
        /* what lies between keeps blocks from growing in place */
        other = lib_mem_extend(other, &others, needed);
    }
    expect_filled(block, bytes);
    LIB_MEM_FREE(block, other);
}
END_TEST

START_TEST(large_blocks_can_be_resized)
{
    size_t bytes = 0;
    unsigned char *block = lib_mem_extend(NULL, &bytes, LIB_MEM_LARGE);
    fill(block, 0, bytes);
    const size_t sizes[] = {(size_t)5 << 20, 100, (size_t)3 << 20, (size_t)9 << 20};
    size_t filled = bytes;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = lib_mem_resize(block, sizes[i]);
        filled = sizes[i] < filled ? sizes[i] : filled;
        expect_filled(block, filled);
        fill(block, filled, sizes[i]);
        filled = sizes[i];
    }
    lib_mem_free(block);
}
END_TEST

START_TEST(scattered_blocks_are_zero)
{
    const size_t sizes[] = {0, 100, LIB_MEM_LARGE - 1, LIB_MEM_LARGE, (size_t)7 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int again = 0; again < 2; again++) {
            unsigned char *block = lib_mem_new_scattered(sizes[i]);
            expect_zeros(block, 0, sizes[i]);
            fill(block, 0, sizes[i]);
            lib_mem_free(block);
        }
}
END_TEST

START_TEST(vectors_grow)
{
    LIB_VEC(struct { uint64_t of[3]; }) all = {0};
    for (uint64_t i = 0; i < 500000; i++)
        LIB_VEC_PUSH(&all)->of[i % 3] = i;
    for (uint64_t i = 0; i < 500000; i++)
        ck_assert_uint_eq(all.items[i].of[i % 3], i);
    ck_assert_uint_ge(all.capacity, all.count);
    LIB_VEC_FREE(&all);
}
END_TEST

START_TEST(blocks_in_pages_begin_at_pages)
{
    void *page = lib_mem_new_page();
    if (!page)
        return; /* a host without mappings, or a sanitizer */
    ck_assert(lib_pages_is_block(page));
    ck_assert_uint_eq(lib_pages_bytes(page), LIB_MEM_LARGE_PAGE);
    size_t bytes = 0;
    unsigned char *block = lib_mem_extend(NULL, &bytes, LIB_MEM_LARGE);
    ck_assert(lib_pages_is_block(block));
    while (bytes < (size_t)64 << 20) {
        block = lib_mem_extend(block, &bytes, bytes + 1);
        ck_assert(lib_pages_is_block(block));
    }
    LIB_MEM_FREE(page, block);
}
END_TEST

static size_t addresses_in_use(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file)
        return 0;
    const int found = fscanf(file, "%lu", &pages);
    fclose(file);
    return found == 1 ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Doubling 64 MB needs 128 MB, moved even 192 MB. */
START_TEST(a_block_takes_what_is_needed_if_it_cannot_double)
{
    const size_t used = addresses_in_use(), before = (size_t)64 << 20;
    if (used == 0 || used > (size_t)1 << 32)
        return; /* unknown, or a sanitizer */
    const pid_t child = fork();
    if (child == 0) {
        size_t bytes = 0;
        unsigned char *block = lib_mem_extend(NULL, &bytes, before);
        const struct rlimit most = {used + ((size_t)144 << 20), RLIM_INFINITY};
        fill(block, 0, before);
        setrlimit(RLIMIT_AS, &most);
        void *wall = lib_mem_new((size_t)8 << 20);
        block = lib_mem_extend(block, &bytes, before + 1);
        expect_filled(block, before);
        block[before] = 1;
        LIB_MEM_FREE(wall, block);
        _exit(bytes < 2 * before ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("memory");
    tcase_add_test(tcase, extending_keeps_bytes);
    tcase_add_test(tcase, large_blocks_can_be_resized);
    tcase_add_test(tcase, scattered_blocks_are_zero);
    tcase_add_test(tcase, vectors_grow);
    tcase_add_test(tcase, blocks_in_pages_begin_at_pages);
    tcase_add_test(tcase, a_block_takes_what_is_needed_if_it_cannot_double);
    return test_main("memory", tcase);
}
