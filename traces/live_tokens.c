#include "traces/live_tokens.h"

#include "lib/pack.h"

#include <stdlib.h>
#include <string.h>

void traces_live_tokens_start(struct traces_live_tokens *tokens, size_t size)
{
    assert(size >= sizeof(struct traces_live_token));
    *tokens = (struct traces_live_tokens){.size = size, .free = TRACES_NONE};
    lib_hash_index_start(&tokens->index);
}

void traces_live_tokens_free(struct traces_live_tokens *tokens)
{
    lib_mem_free(tokens->items);
    lib_hash_index_free(&tokens->index);
    *tokens = (struct traces_live_tokens){0};
}

static uint32_t hash_of(const struct traces_live_token *token)
{
    return traces_live_tokens_hash(token->instr, token->tag, token->port);
}

/* Marks all tokens with a hash. */
__attribute__((cold)) static void mark_sharing(struct traces_live_tokens *tokens,
                                               uint32_t hash)
{
    const struct lib_hash_index *index = &tokens->index;
    for (size_t at = lib_hash_index_first(index, hash);
         index->places[at].number != LIB_HASH_INDEX_NONE;
         at = lib_hash_index_next(index, hash, at)) {
        struct traces_live_token *token = traces_live_tokens_at(tokens,
                                                                index->places[at].number);
        token->next = TRACES_TOKEN_SHARES;
    }
}

void *traces_live_tokens_add(struct traces_live_tokens *tokens, uint32_t instr,
                             uint32_t tag, uint32_t port)
{
    struct traces_live_token *token;
    uint32_t number = tokens->free;
    if (number != TRACES_NONE) {
        token = traces_live_tokens_at(tokens, number);
        tokens->free = token->next;
    } else {
        number = (uint32_t)tokens->count;
        tokens->items = lib_mem_grow(tokens->items, &tokens->capacity, tokens->count,
                                     tokens->size);
        tokens->count++;
        token = traces_live_tokens_at(tokens, number);
    }
    memset(token, 0, tokens->size);
    *token = (struct traces_live_token){instr, tag, port, TRACES_TOKEN_LIVE};
    const uint32_t hash = hash_of(token);
    if (lib_hash_index_add(&tokens->index, hash, number))
        mark_sharing(tokens, hash);
    return token;
}

/* Returns the index of a token in the hash table, usually the one found last. */
static size_t place_of(const struct traces_live_tokens *tokens,
                       const struct traces_live_token *token)
{
    const struct lib_hash_index *index = &tokens->index;
    size_t at = tokens->found & index->mask;
    const uint32_t number = index->places[at].number;
    if (number != LIB_HASH_INDEX_NONE && traces_live_tokens_at(tokens, number) == token)
        return at;
    const uint32_t hash = hash_of(token);
    at = lib_hash_index_first(index, hash);
    while (traces_live_tokens_at(tokens, index->places[at].number) != token)
        at = lib_hash_index_next(index, hash, at);
    return at;
}

void traces_live_tokens_remove(struct traces_live_tokens *tokens, void *item)
{
    struct traces_live_token *token = item;
    assert(traces_live_token_lives(token));
    const size_t at = place_of(tokens, token);
    const uint32_t number = tokens->index.places[at].number;
    lib_hash_index_remove_at(&tokens->index, at);
    token->next = tokens->free;
    tokens->free = number;
}

void traces_live_tokens_requeue_any(struct traces_live_tokens *tokens, void *token)
{
    struct lib_hash_index *index = &tokens->index;
    const size_t at = place_of(tokens, token);
    const struct lib_hash_place place = index->places[at];
    if (index->places[lib_hash_index_next(index, place.key, at)].number ==
        LIB_HASH_INDEX_NONE)
        return; /* it is the last one */
    lib_hash_index_remove_at(index, at);
    lib_hash_index_add(index, place.key, place.number);
}

static void index_all(struct traces_live_tokens *tokens,
                      int (*compare)(const void *a, const void *b))
{
    struct traces_live_token **order = lib_mem_new((tokens->count + 1) * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        struct traces_live_token *token = traces_live_tokens_get(tokens, i);
        if (token)
            order[count++] = token;
    }
    qsort(order, count, sizeof *order, compare);
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)((char *)order[i] - tokens->items) / tokens->size;
        lib_hash_index_add(&tokens->index, hash_of(order[i]), (uint32_t)at);
    }
    lib_mem_free(order);
}

void traces_live_tokens_pack(struct lib_pack *pack, struct traces_live_tokens *tokens,
                             int (*compare)(const void *a, const void *b))
{
    tokens->items = lib_pack_items(pack, tokens->items, &tokens->count, &tokens->capacity,
                                   tokens->size);
    LIB_PACK(pack, tokens->free);
    if (lib_pack_reads(pack))
        index_all(tokens, compare);
}
