/* Queues that share the memory of their rings, and sets of PEs, against plain models of them. */
#include "lib/random.h"
#include "machine/tokens/queue.h"
#include "machine/tokens/set.h"
#include "tests/unit/support.h"

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

static void put(struct machine_queue *queue, uint64_t value)
{
    const struct isa_token t = {.value = value, .key = ~value, .depth_owner = value * 3};
    machine_queue_put(queue, &t);
}

static void expect(const struct isa_token *t, uint64_t value)
{
    if (t->value != value || t->key != ~value || t->depth_owner != value * 3)
        ck_abort_msg("found token %llu, expected %llu", (unsigned long long)t->value,
                     (unsigned long long)value);
}

/* Token number n of queue q has the value n * 1000 + q. */
START_TEST(queues_keep_tokens_wherever_their_rings_are)
{
    enum { MOST = 300 };
    const uint32_t counts[] = {1, 2, 50, MOST};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const uint32_t count = counts[k];
        struct machine_rings *rings = machine_rings_new(count);
        struct machine_queue queues[MOST];
        uint64_t made[MOST] = {0}, gone[MOST] = {0}, state = k;
        for (uint32_t q = 0; q < count; q++)
            machine_queue_init_in(&queues[q], rings, q);
        /* in turn more come than go, and more go than come; one queue becomes far longer */
        for (uint32_t step = 0; step < 400 * count + 2000; step++) {
            const uint32_t q = draw(&state, 8) ? draw(&state, count) : 0;
            const bool grows = step / (100 * count + 500) % 2 == 0;
            const uint32_t room = draw(&state, q == 0 ? 4000 : 400);
            for (uint32_t i = 0; i < room / (grows ? 1 : 4); i++)
                put(&queues[q], made[q]++ * 1000 + q);
            for (uint32_t i = 0; i < room / (grows ? 4 : 1) && gone[q] < made[q]; i++)
                expect(machine_queue_oldest(&queues[q]), gone[q]++ * 1000 + q);
            ck_assert_uint_eq(machine_queue_count(&queues[q]), made[q] - gone[q]);
        }
        for (uint32_t q = 0; q < count; q++) {
            while (gone[q] < made[q])
                expect(machine_queue_oldest(&queues[q]), gone[q]++ * 1000 + q);
            machine_queue_free(&queues[q]);
        }
        machine_rings_free(rings);
    }
}
END_TEST

START_TEST(a_queue_alone_grows)
{
    struct machine_queue queue;
    machine_queue_init(&queue);
    for (uint64_t i = 0; i < 200000; i++)
        put(&queue, i);
    for (uint64_t i = 0; i < 200000; i++)
        expect(machine_queue_oldest(&queue), i);
    machine_queue_free(&queue);
}
END_TEST

/* --- sets ------------------------------------------------------------------------------------ */

static void compare(const struct machine_set *set, const bool *has, uint32_t size)
{
    uint32_t at, count = 0, only = MACHINE_SET_EMPTY, from = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (machine_set_has(set, i) != has[i])
            ck_abort_msg("%u of %u is wrong", i, size);
        if (has[i])
            only = i;
        count += has[i];
    }
    MACHINE_SET_EACH(set, at)
    {
        while (from < size && !has[from])
            from++;
        if (at != from++)
            ck_abort_msg("found %u of %u, expected %u", at, size, from - 1);
    }
    while (from < size && !has[from])
        from++;
    ck_assert_uint_eq(from, size);
    MACHINE_SET_EACH_DOWN(set, at)
    {
        while (from > 0 && !has[from - 1])
            from--;
        if (at != --from)
            ck_abort_msg("found %u of %u, expected %u", at, size, from);
    }
    while (from > 0 && !has[from - 1])
        from--;
    ck_assert_uint_eq(from, 0);
    ck_assert_int_eq(machine_set_is_empty(set), count == 0);
    ck_assert_uint_eq(machine_set_only(set), count > 1 ? MACHINE_SET_SEVERAL : only);
}

START_TEST(sets_of_all_sizes_are_sets)
{
    static bool has[65536];
    const uint32_t sizes[] = {1, 63, 64, 65, 512, 513, 4096, 4097, 30000, 65536};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t size = sizes[k];
        struct machine_set set = machine_set_new(size);
        uint64_t state = k;
        memset(has, 0, sizeof has);
        compare(&set, has, size);
        for (int step = 0; step < 20; step++) {
            const uint32_t members = draw(&state, step % 3 ? 3 : 200);
            for (uint32_t i = 0; i < members; i++) {
                const uint32_t at = draw(&state, size);
                machine_set_add(&set, at);
                has[at] = true;
            }
            compare(&set, has, size);
            for (uint32_t at = 0; at < size; at++)
                if (has[at] && draw(&state, 4)) {
                    machine_set_remove_if(&set, at, true);
                    has[at] = false;
                }
            compare(&set, has, size);
        }
        machine_set_clear(&set);
        memset(has, 0, sizeof has);
        compare(&set, has, size);
        machine_set_free(&set);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("queue");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, queues_keep_tokens_wherever_their_rings_are);
    tcase_add_test(tcase, a_queue_alone_grows);
    tcase_add_test(tcase, sets_of_all_sizes_are_sets);
    return test_main("queue", tcase);
}
