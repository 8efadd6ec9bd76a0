/* The tokens alive, found by node, operand and tag; and stamps by key. */
#include "analysis/causes/causes_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 64 };

#define NOBODY UINT32_MAX

/* --- where they are found ----------------------------------------------------------- */

static uint32_t hash_of(const struct causes_token *token)
{
    return causes_tokens_hash(token->instr, token->port, token->tag);
}

static void append(struct causes_tokens *t, uint32_t number, uint32_t hash)
{
    const size_t mask = t->slots.count - 1;
    size_t at = hash & mask;
    while (t->slots.items[at].token)
        at = (at + 1) & mask;
    t->slots.items[at] = (struct causes_slot){hash, number + 1};
}

static size_t slot_of(const struct causes_tokens *t, uint32_t number)
{
    const size_t mask = t->slots.count - 1;
    if (t->slots.items[t->found & mask].token == number + 1)
        return t->found & mask;
    size_t at = hash_of(&t->all.items[number]) & mask;
    while (t->slots.items[at].token != number + 1)
        at = (at + 1) & mask;
    return at;
}

/* Empties a slot, and moves later entries up into it so that they can still be found. */
static void take_out(struct causes_tokens *t, size_t hole)
{
    const size_t mask = t->slots.count - 1;
    struct causes_slot *slots = t->slots.items;
    for (size_t at = (hole + 1) & mask; slots[at].token; at = (at + 1) & mask) {
        if (((at - slots[at].hash) & mask) < ((at - hole) & mask))
            continue;
        slots[hole] = slots[at];
        hole = at;
    }
    slots[hole].token = 0;
}

/* Returns true if an entry with the same hash follows. */
static bool has_like_behind(const struct causes_tokens *t, size_t slot)
{
    const size_t mask = t->slots.count - 1;
    const struct causes_slot *slots = t->slots.items;
    for (size_t at = (slot + 1) & mask; slots[at].token; at = (at + 1) & mask)
        if (slots[at].hash == slots[slot].hash)
            return true;
    return false;
}

static int compare_serials(const void *a, const void *b, void *tokens)
{
    const struct causes_token *all = tokens;
    const uint64_t x = all[*(const uint32_t *)a].serial,
                   y = all[*(const uint32_t *)b].serial;
    return x < y ? -1 : x > y;
}

/* Makes room for twice as many tokens as there are, and finds all in the order in which they
 * came. */
static void find_room(struct causes_tokens *t)
{
    LIB_VEC(uint32_t) order = {0};
    size_t count = LEAST;
    for (size_t i = 0; i < t->all.count; i++)
        if (!t->all.items[i].is_free)
            *LIB_VEC_PUSH(&order) = (uint32_t)i;
    if (order.count)
        qsort_r(order.items, order.count, sizeof *order.items, compare_serials,
                t->all.items);
    while (count < 4 * order.count)
        count *= 2;
    while (t->slots.count < count)
        (void)LIB_VEC_PUSH(&t->slots);
    memset(t->slots.items, 0, count * sizeof *t->slots.items);
    for (size_t i = 0; i < order.count; i++)
        append(t, order.items[i], hash_of(&t->all.items[order.items[i]]));
    LIB_VEC_FREE(&order);
}

/* --- tokens ----------------------------------------------------------------------------------- */

void causes_tokens_start(struct causes_tokens *t)
{
    *t = (struct causes_tokens){.free = NOBODY};
    find_room(t);
}

void causes_tokens_free(struct causes_tokens *t)
{
    LIB_VEC_FREE(&t->all);
    LIB_VEC_FREE(&t->slots);
}

void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *t)
{
    LIB_PACK_VEC(pack, &t->all);
    LIB_PACK(pack, t->count);
    LIB_PACK(pack, t->serial);
    LIB_PACK(pack, t->free);
    if (t->slots.count == 0) /* it is read */
        find_room(t);
}

struct causes_token *causes_tokens_add(struct causes_tokens *t,
                                       const struct traces_event *event)
{
    uint32_t at = t->free;
    if (2 * t->count >= t->slots.count)
        find_room(t);
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
    append(t, at, hash_of(&t->all.items[at]));
    return &t->all.items[at];
}

/* `place` of what was sent is the PE from which it comes. */
static bool is_sought(const struct causes_token *t, const struct causes_sought *s)
{
    const bool stays = t->where == CAUSES_SENT && t->place == t->to;
    const bool is_open = s->links && s->links[t->place].is_open;
    if (!(s->any_place || t->place == s->place) ||
        (s->to != TRACES_NONE && t->to != s->to) || (s->stays && !stays) ||
        (s->leaves && stays) || (s->has_channel && t->channel != s->channel) ||
        (s->links && !is_open && s->links[t->place].to != s->router))
        return false;
    return !s->has_when || is_open || t->when + (stays ? 0 : s->latency) == s->when;
}

struct causes_token *causes_tokens_find(struct causes_tokens *t,
                                        const struct traces_event *e,
                                        const struct causes_sought *sought)
{
    const size_t mask = t->slots.count - 1;
    const uint32_t hash = causes_tokens_hash(e->instr, e->port, e->tag);
    const struct causes_slot *slots = t->slots.items;
    struct causes_token *found = NULL;
    for (size_t at = hash & mask; slots[at].token; at = (at + 1) & mask) {
        struct causes_token *token = &t->all.items[slots[at].token - 1];
        if (slots[at].hash != hash || token->tag != e->tag || token->port != e->port ||
            token->instr != e->instr || token->where != sought->where ||
            !is_sought(token, sought))
            continue;
        if (!found || sought->newest ||
            (sought->least_place && token->place < found->place)) {
            found = token;
            t->found = at;
        }
        if (!sought->newest && !sought->least_place)
            break;
    }
    return found;
}

struct causes_token *causes_tokens_move(struct causes_tokens *t,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when)
{
    const uint32_t number = (uint32_t)(token - t->all.items);
    const size_t slot = slot_of(t, number);
    token->serial = t->serial++;
    token->where = (uint8_t)where;
    token->place = place;
    token->when = when;
    if (has_like_behind(t, slot)) {
        take_out(t, slot);
        append(t, number, hash_of(token));
    }
    return token;
}

void causes_tokens_remove(struct causes_tokens *t, struct causes_token *token)
{
    const uint32_t number = (uint32_t)(token - t->all.items);
    take_out(t, slot_of(t, number));
    token->next = t->free;
    token->is_free = true;
    t->free = number;
    t->count--;
}

/* --- stamps by key ------------------------------------------------------------------ */

struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key)
{
    struct causes_last_event *stamp = (void *)lib_key_map_find(map, key + 1);
    if (!stamp) {
        map->words = sizeof *stamp / sizeof(uint64_t);
        stamp = (void *)lib_key_map_at(map, key + 1);
        stamp->node = CAUSES_NOTHING;
    }
    return stamp;
}

struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key)
{
    const struct causes_last_event *stamp = (const void *)lib_key_map_find(map, key + 1);
    return stamp ? *stamp : (struct causes_last_event){CAUSES_NOTHING, 0};
}

void causes_map_remove(struct lib_key_map *map, uint64_t key)
{
    lib_key_map_remove(map, key + 1);
}
