#include "analysis/causes/causes_internal.h"

void causes_tokens_start(struct causes_tokens *t)
{
    t->serial = 0;
    traces_live_tokens_start(&t->all, sizeof(struct causes_token));
}

void causes_tokens_free(struct causes_tokens *t)
{
    traces_live_tokens_free(&t->all);
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

/* For a sent token, `place` is the PE that sent it. */
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
    struct traces_token_search search = traces_live_tokens_search(&t->all, e->instr,
                                                                  e->tag, e->port);
    struct causes_token *found = NULL, *token;
    while ((token = traces_live_tokens_next(&t->all, &search))) {
        if (token->where != sought->where || !is_sought(token, sought))
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
    token->serial = t->serial++;
    token->where = (uint8_t)where;
    token->place = place;
    token->when = when;
    traces_live_tokens_requeue(&t->all, token);
    return token;
}

void causes_tokens_remove(struct causes_tokens *t, struct causes_token *token)
{
    traces_live_tokens_remove(&t->all, token);
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
