/* The tokens alive, found by node, operand and tag; and numbers by key. */
#include "analysis/causes/inside.h"

#include "lib/hash.h"

enum { LEAST = 64 };

#define NOBODY UINT32_MAX

/* --- tokens ----------------------------------------------------------------------------------- */

static uint32_t *bucket_of(const struct causes_tokens *t, uint32_t instr, uint32_t port,
                           uint32_t tag)
{
    const uint64_t key = (uint64_t)instr << 32 | tag;
    return &t->buckets
                .items[lib_hash_mix(key ^ (uint64_t)port << 20) & (t->buckets.count - 1)];
}

static void empty(struct causes_tokens *t, size_t count)
{
    while (t->buckets.count < count)
        (void)LIB_VEC_PUSH(&t->buckets);
    for (size_t i = 0; i < count; i++)
        t->buckets.items[i] = NOBODY;
}

void causes_tokens_start(struct causes_tokens *t)
{
    *t = (struct causes_tokens){.free = NOBODY};
    empty(t, LEAST);
}

void causes_tokens_free(struct causes_tokens *t)
{
    LIB_VEC_FREE(&t->all);
    LIB_VEC_FREE(&t->buckets);
}

void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *t)
{
    LIB_PACK_VEC(pack, &t->all);
    LIB_PACK_VEC(pack, &t->buckets);
    LIB_PACK(pack, t->count);
    LIB_PACK(pack, t->queued);
    LIB_PACK(pack, t->serial);
    LIB_PACK(pack, t->free);
}

static void append(struct causes_tokens *t, uint32_t at)
{
    struct causes_token *token = &t->all.items[at];
    uint32_t *link = bucket_of(t, token->instr, token->port, token->tag);
    while (*link != NOBODY)
        link = &t->all.items[*link].next;
    *link = at;
    token->next = NOBODY;
}

static void unlink_token(struct causes_tokens *t, uint32_t at)
{
    const struct causes_token *token = &t->all.items[at];
    uint32_t *link = bucket_of(t, token->instr, token->port, token->tag);
    while (*link != at)
        link = &t->all.items[*link].next;
    *link = token->next;
}

/* Those in one list keep their order. */
static void grow(struct causes_tokens *t)
{
    LIB_VEC(uint32_t) order = {0};
    for (size_t i = 0; i < t->buckets.count; i++)
        for (uint32_t at = t->buckets.items[i]; at != NOBODY; at = t->all.items[at].next)
            *LIB_VEC_PUSH(&order) = at;
    empty(t, 2 * t->buckets.count);
    for (size_t i = 0; i < order.count; i++)
        append(t, order.items[i]);
    LIB_VEC_FREE(&order);
}

struct causes_token *causes_tokens_add(struct causes_tokens *t,
                                       const struct traces_event *event)
{
    uint32_t at = t->free;
    if (t->count >= t->buckets.count)
        grow(t);
    if (at == NOBODY) {
        at = (uint32_t)t->all.count;
        (void)LIB_VEC_PUSH(&t->all);
    } else {
        t->free = t->all.items[at].next;
    }
    t->all.items[at] = (struct causes_token){.instr = event->instr,
                                             .tag = event->tag,
                                             .port = event->port,
                                             .serial = t->serial++};
    t->count++;
    append(t, at);
    return &t->all.items[at];
}

/* `place` of what was sent is the PE from which it comes. */
static bool is_sought(const struct causes_token *t, const struct causes_sought *s)
{
    const bool stays = t->where == CAUSES_SENT && t->place == t->to;
    const bool is_open = s->links && s->links[t->place].is_open;
    if (t->where != s->where || !(s->any_place || t->place == s->place) ||
        (s->to != TRACES_NONE && t->to != s->to) || (s->stays && !stays) ||
        (s->leaves && stays) ||
        (s->links && !is_open && s->links[t->place].to != s->router))
        return false;
    return !s->has_when || is_open || t->when + (stays ? 0 : s->latency) == s->when;
}

struct causes_token *causes_tokens_find(const struct causes_tokens *t,
                                        const struct traces_event *e,
                                        const struct causes_sought *sought)
{
    struct causes_token *found = NULL;
    uint32_t at = *bucket_of(t, e->instr, e->port, e->tag);
    for (; at != NOBODY; at = t->all.items[at].next) {
        struct causes_token *token = &t->all.items[at];
        if (token->instr != e->instr || token->port != e->port || token->tag != e->tag ||
            !is_sought(token, sought))
            continue;
        if (!found || sought->newest ||
            (sought->least_place && token->place < found->place))
            found = token;
        if (!sought->newest && !sought->least_place)
            break;
    }
    return found;
}

struct causes_token *causes_tokens_move(struct causes_tokens *t,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when)
{
    const uint32_t at = (uint32_t)(token - t->all.items);
    const bool is_queued = where == CAUSES_QUEUED || where == CAUSES_BEFORE;
    const bool was_queued = token->where == CAUSES_QUEUED ||
                            token->where == CAUSES_BEFORE;
    t->queued += is_queued;
    t->queued -= was_queued;
    token->serial = t->serial++;
    token->where = where;
    token->place = place;
    token->when = when;
    if (*bucket_of(t, token->instr, token->port, token->tag) != at ||
        token->next != NOBODY) {
        unlink_token(t, at);
        append(t, at);
    }
    return token;
}

void causes_tokens_remove(struct causes_tokens *t, struct causes_token *token)
{
    const uint32_t at = (uint32_t)(token - t->all.items);
    t->queued -= token->where == CAUSES_QUEUED || token->where == CAUSES_BEFORE;
    unlink_token(t, at);
    token->next = t->free;
    token->is_free = true;
    t->free = at;
    t->count--;
}

/* --- numbers by key ----------------------------------------------------------------------------- */

void causes_map_pack(struct lib_pack *pack, struct causes_map *map)
{
    LIB_PACK_VEC(pack, &map->places);
    LIB_PACK(pack, map->count);
}

/* Where a key is, or would be; the map has places. */
static struct causes_entry *entry_of(const struct causes_map *map, uint64_t key)
{
    const size_t mask = map->places.count - 1;
    size_t at = lib_hash_mix(key) & mask;
    while (map->places.items[at].key != key && map->places.items[at].key != 0)
        at = (at + 1) & mask;
    return &map->places.items[at];
}

static void grow_map(struct causes_map *map)
{
    struct causes_map larger = {.count = map->count};
    const size_t count = map->places.count ? 2 * map->places.count : LEAST;
    while (larger.places.count < count)
        *LIB_VEC_PUSH(&larger.places) = (struct causes_entry){0};
    for (size_t i = 0; i < map->places.count; i++)
        if (map->places.items[i].key)
            *entry_of(&larger, map->places.items[i].key) = map->places.items[i];
    LIB_VEC_FREE(&map->places);
    *map = larger;
}

struct causes_stamp *causes_map_at(struct causes_map *map, uint64_t key)
{
    if (2 * (map->count + 1) > map->places.count)
        grow_map(map);
    struct causes_entry *entry = entry_of(map, key + 1);
    if (entry->key == 0) {
        *entry = (struct causes_entry){key + 1, {CAUSES_NOTHING, 0}};
        map->count++;
    }
    return &entry->value;
}

struct causes_stamp causes_map_get(const struct causes_map *map, uint64_t key)
{
    static const struct causes_stamp none = {CAUSES_NOTHING, 0};
    if (map->places.count == 0)
        return none;
    const struct causes_entry *entry = entry_of(map, key + 1);
    return entry->key ? entry->value : none;
}

/* Those behind an empty place that would be found there move up. */
void causes_map_remove(struct causes_map *map, uint64_t key)
{
    if (map->places.count == 0)
        return;
    const size_t mask = map->places.count - 1;
    struct causes_entry *items = map->places.items;
    size_t hole = (size_t)(entry_of(map, key + 1) - items);
    if (items[hole].key == 0)
        return;
    map->count--;
    for (size_t at = (hole + 1) & mask; items[at].key; at = (at + 1) & mask) {
        const size_t home = lib_hash_mix(items[at].key) & mask;
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        items[hole] = items[at];
        hole = at;
    }
    items[hole] = (struct causes_entry){0};
}
