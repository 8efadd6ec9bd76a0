/* Tokens are found in the order in which they were added, whatever came and went between. */
#include "traces/live_tokens.h"

#include "lib/pack.h"
#include "tests/unit/main.h"

struct token {
    struct traces_live_token name;
    uint64_t serial;
};

/* The tokens in a list, which is searched from its begin. */
struct list {
    LIB_VEC(struct token) all;
};

static size_t find_in_list(const struct list *list, uint32_t instr, uint32_t tag,
                           uint32_t port, size_t from)
{
    for (; from < list->all.count; from++) {
        const struct traces_live_token *name = &list->all.items[from].name;
        if (name->instr == instr && name->tag == tag && name->port == port)
            break;
    }
    return from;
}

static void remove_from_list(struct list *list, size_t at)
{
    list->all.count--;
    for (; at < list->all.count; at++)
        list->all.items[at] = list->all.items[at + 1];
}

/* Every token of a name, in order. */
static void compare_name(struct traces_live_tokens *tokens, const struct list *list,
                         uint32_t instr, uint32_t tag, uint32_t port)
{
    struct traces_token_search search = traces_live_tokens_search(tokens, instr, tag,
                                                                  port);
    const struct token *token;
    size_t at = find_in_list(list, instr, tag, port, 0);
    while ((token = traces_live_tokens_next(tokens, &search))) {
        ck_assert_uint_lt(at, list->all.count);
        ck_assert_uint_eq(token->serial, list->all.items[at].serial);
        at = find_in_list(list, instr, tag, port, at + 1);
    }
    ck_assert_uint_eq(at, list->all.count);
}

static int compare_serials(const void *a, const void *b)
{
    const struct token *x = *(const struct token *const *)a,
                       *y = *(const struct token *const *)b;
    return x->serial < y->serial ? -1 : x->serial > y->serial;
}

static void pack_and_read(struct traces_live_tokens *tokens)
{
    struct lib_text text = {0};
    struct lib_pack pack = lib_pack_writer(&text);
    traces_live_tokens_pack(&pack, tokens, compare_serials);
    traces_live_tokens_free(tokens);
    pack = lib_pack_reader(lib_text_get(&text), text.length);
    traces_live_tokens_start(tokens, sizeof(struct token));
    traces_live_tokens_pack(&pack, tokens, compare_serials);
    ck_assert(!pack.failed);
    lib_text_free(&text);
}

START_TEST(tokens_are_found_in_order)
{
    enum { STEPS = 1500, PACKED_EVERY = 300 };
    struct traces_live_tokens tokens;
    struct list list = {0};
    traces_live_tokens_start(&tokens, sizeof(struct token));
    for (uint64_t i = 0; i < STEPS; i++) {
        const uint64_t draw = lib_hash_mix(i + 1);
        const uint32_t instr = draw % 5, tag = draw / 5 % 7, port = draw / 35 % 2;
        const bool grows = draw >> 40 & 1 || i % 500 < 100;
        const size_t at = find_in_list(&list, instr, tag, port, 0);
        struct token *first = traces_live_tokens_first(&tokens, instr, tag, port);
        ck_assert_int_eq(first != NULL, at < list.all.count);
        if (grows || !first) {
            struct token *added = traces_live_tokens_add(&tokens, instr, tag, port);
            added->serial = i;
            *LIB_VEC_PUSH(&list.all) = *added;
        } else if (draw >> 41 & 1) {
            traces_live_tokens_remove(&tokens, first);
            remove_from_list(&list, at);
        } else {
            struct token moved = list.all.items[at];
            first->serial = moved.serial = i;
            traces_live_tokens_requeue(&tokens, first);
            remove_from_list(&list, at);
            *LIB_VEC_PUSH(&list.all) = moved;
        }
        if (i % PACKED_EVERY == 0)
            pack_and_read(&tokens);
        compare_name(&tokens, &list, instr, tag, port);
        ck_assert_uint_eq(traces_live_tokens_alive(&tokens), list.all.count);
    }
    traces_live_tokens_free(&tokens);
    LIB_VEC_FREE(&list.all);
}
END_TEST

/* The table against an array that keys are the places of. */
START_TEST(keys_have_their_number)
{
    enum { STEPS = 10000, KEYS = 300 };
    uint32_t numbers[KEYS];
    struct lib_hash_index index;
    lib_hash_index_start(&index);
    for (int k = 0; k < KEYS; k++)
        numbers[k] = LIB_HASH_INDEX_NONE;
    for (uint64_t i = 0; i < STEPS; i++) {
        const uint64_t draw = lib_hash_mix(~i);
        const uint32_t key = draw % KEYS;
        ck_assert_uint_eq(lib_hash_index_find(&index, key), numbers[key]);
        if (draw >> 40 & 1) {
            numbers[key] = (uint32_t)i;
            lib_hash_index_put(&index, key, (uint32_t)i);
        } else {
            ck_assert_uint_eq(lib_hash_index_remove(&index, key), numbers[key]);
            numbers[key] = LIB_HASH_INDEX_NONE;
        }
    }
    ck_assert_uint_eq(lib_hash_index_find(&index, UINT32_MAX), LIB_HASH_INDEX_NONE);
    lib_hash_index_free(&index);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("live tokens");
    tcase_add_test(tcase, tokens_are_found_in_order);
    tcase_add_test(tcase, keys_have_their_number);
    return test_main("live tokens", tcase);
}
