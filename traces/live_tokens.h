/* Tokens alive at a point of a stream of events (traces/events.h): a hash table by instruction,
 * operand and tag, the name of a token. A reader of the stream chooses the structure for what it
 * remembers of a token, which begins with struct traces_live_token. Tokens with the same name are
 * found in the order in which they were added. The table owns the structures and moves them when
 * one is added. */
#ifndef TRACES_LIVE_TOKENS_H
#define TRACES_LIVE_TOKENS_H

#include "lib/hash.h"
#include "lib/hash_index.h"
#include "traces/events.h"

struct lib_pack;

/* Name of a token: instruction, tag and operand (port). Readers may store other values in `port`
 * and `instr`, for example to keep arrays in such a table. */
struct traces_live_token {
    uint32_t instr, tag, port;
    /* TRACES_TOKEN_LIVE or TRACES_TOKEN_SHARES; if the structure is free, index of the next free
     * one */
    uint32_t next;
};

/* Values of `next` of a live token. SHARES: another token with its hash was or is alive, so that
 * their order matters. */
#define TRACES_TOKEN_LIVE (UINT32_MAX - 1)
#define TRACES_TOKEN_SHARES (UINT32_MAX - 2)

static inline bool traces_live_token_lives(const struct traces_live_token *token)
{
    return token->next == TRACES_TOKEN_LIVE || token->next == TRACES_TOKEN_SHARES;
}

struct traces_live_tokens {
    char *items;  /* owned: `count` structures of `size` bytes */
    size_t size;  /* bytes per structure */
    size_t count; /* number of structures, live and free */
    size_t capacity;
    uint32_t free; /* index of a free structure; TRACES_NONE: none */
    struct lib_hash_index index;
    size_t found; /* index in the hash table of the token found last */
};

/* Search for the live tokens with one name (instruction, tag, operand). */
struct traces_token_search {
    struct traces_live_token name;
    uint32_t hash;
    size_t at; /* index in the hash table to look at next */
};

void traces_live_tokens_start(struct traces_live_tokens *tokens, size_t size);
void traces_live_tokens_free(struct traces_live_tokens *tokens);

static inline size_t traces_live_tokens_alive(const struct traces_live_tokens *tokens)
{
    return tokens->index.count;
}

static inline void *traces_live_tokens_at(const struct traces_live_tokens *tokens,
                                          size_t number)
{
    return tokens->items + number * tokens->size;
}

/* Returns the structure with index `number` in the table, or NULL if it is free. */
static inline void *traces_live_tokens_get(const struct traces_live_tokens *tokens,
                                           size_t number)
{
    struct traces_live_token *token = traces_live_tokens_at(tokens, number);
    return traces_live_token_lives(token) ? token : NULL;
}

static inline uint32_t traces_live_tokens_hash(uint32_t instr, uint32_t tag,
                                               uint32_t port)
{
    const uint64_t key = (uint64_t)instr << 32 | tag;
    return (uint32_t)lib_hash_fold(key ^ UINT64_C(0x9e3779b97f4a7c15),
                                   UINT64_C(0xbf58476d1ce4e5b9) ^ (uint64_t)port << 20);
}

/* Adds a token; the rest of its structure is zeroed. The pointer is valid until the next token is
 * added. */
void *traces_live_tokens_add(struct traces_live_tokens *tokens, uint32_t instr,
                             uint32_t tag, uint32_t port);

static inline struct traces_token_search
traces_live_tokens_search(const struct traces_live_tokens *tokens, uint32_t instr,
                          uint32_t tag, uint32_t port)
{
    const uint32_t hash = traces_live_tokens_hash(instr, tag, port);
    return (struct traces_token_search){
        {instr, tag, port, 0}, hash, lib_hash_index_home(&tokens->index, hash)};
}

static inline void *traces_live_tokens_next(struct traces_live_tokens *tokens,
                                            struct traces_token_search *search)
{
    for (;;) {
        const size_t at = lib_hash_index_seek(&tokens->index, search->hash, search->at);
        const uint32_t here = tokens->index.places[at].number;
        if (here == LIB_HASH_INDEX_NONE)
            return NULL;
        struct traces_live_token *token = traces_live_tokens_at(tokens, here);
        search->at = (at + 1) & tokens->index.mask;
        tokens->found = at;
        if (token->tag == search->name.tag && token->port == search->name.port &&
            token->instr == search->name.instr)
            return token;
    }
}

/* Returns the first token with an instruction, tag and operand, or NULL. */
static inline void *traces_live_tokens_first(struct traces_live_tokens *tokens,
                                             uint32_t instr, uint32_t tag, uint32_t port)
{
    struct traces_token_search search = traces_live_tokens_search(tokens, instr, tag,
                                                                  port);
    return traces_live_tokens_next(tokens, &search);
}

/* Removes a live token. Its structure remains readable, except `next`, until another token is
 * added. */
void traces_live_tokens_remove(struct traces_live_tokens *tokens, void *token);

/* Slow path of the next function; not for other callers. */
void traces_live_tokens_requeue_any(struct traces_live_tokens *tokens, void *token);

/* Moves a live token after all others with the same instruction, tag and operand. Fast for a token
 * that shares its hash with none, and for the token found last, if it is the last of them. */
static inline void traces_live_tokens_requeue(struct traces_live_tokens *tokens,
                                              void *item)
{
    const struct traces_live_token *token = item;
    if (__builtin_expect(token->next == TRACES_TOKEN_LIVE, 1))
        return;
    const struct lib_hash_index *index = &tokens->index;
    const size_t at = tokens->found & index->mask;
    const struct lib_hash_place place = index->places[at];
    if ((size_t)((char *)item - tokens->items) != place.number * tokens->size ||
        index->places[lib_hash_index_next(index, place.key, at)].number !=
            LIB_HASH_INDEX_NONE)
        traces_live_tokens_requeue_any(tokens, item);
}

/* Writes the table to a pack, or reads it into an empty one (lib/pack.h). The structures must not
 * have padding or pointers. `compare` orders tokens as they were added; like a qsort function for
 * an array of pointers, it gets pointers to pointers to structures. */
void traces_live_tokens_pack(struct lib_pack *pack, struct traces_live_tokens *tokens,
                             int (*compare)(const void *a, const void *b));

/* Prefetches the hash-table entry where the search for `hash` begins. */
static inline void traces_live_tokens_prefetch(const struct traces_live_tokens *tokens,
                                               uint32_t hash)
{
    __builtin_prefetch(&tokens->index.places[lib_hash_index_home(&tokens->index, hash)]);
}

/* Returns the first token with a hash, or NULL, so that the caller can prefetch it before
 * traces_live_tokens_first. */
static inline const void *
traces_live_tokens_foresee(const struct traces_live_tokens *tokens, uint32_t hash)
{
    const uint32_t first = lib_hash_index_find(&tokens->index, hash);
    return first == LIB_HASH_INDEX_NONE ? NULL : traces_live_tokens_at(tokens, first);
}

#endif
