#include "analysis/causes/causes_internal.h"

void causes_tokens_start(struct causes_tokens *t)
{
    t->serial = 0;
    traces_live_tokens_start(&t->all, sizeof(struct causes_token));
}

static int compare_serials(const void *a, const void *b)
{
    const uint64_t x = (*(const struct causes_token *const *)a)->serial,
                   y = (*(const struct causes_token *const *)b)->serial;
    return x < y ? -1 : x > y;
}

void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *t)
{
    if (lib_pack_reads(pack))
        causes_tokens_start(t);
    traces_live_tokens_pack(pack, &t->all, compare_serials);
    LIB_PACK(pack, t->serial);
}

struct causes_token *causes_tokens_add(struct causes_tokens *t,
                                       const struct traces_event *event)
{
    struct causes_token *token = traces_live_tokens_add(&t->all, event->instr, event->tag,
                                                        event->port);
    token->serial = t->serial++;
    return token;
}

struct causes_token *causes_tokens_move(struct causes_tokens *t,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when)
{
    token->serial = t->serial++;
    token->where = (uint8_t)where;
    token->place = place;
    token->when = when;
    traces_live_tokens_requeue(&t->all, token);
    return token;
}

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

void causes_map_pack(struct lib_pack *pack, struct lib_key_map *map)
{
    map->words = sizeof(struct causes_last_event) / sizeof(uint64_t);
    lib_key_map_pack(pack, map);
}
