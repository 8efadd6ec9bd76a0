#include "machine/tagging.h"

void machine_tagging_init(struct machine_tagging *tagging,
                          const struct machine_settings *s, uint32_t pe_count,
                          uint32_t function_count)
{
    const bool pool = s->tag_scheme == MACHINE_TAGS_POOL;
    const bool interned = s->tag_scheme == MACHINE_TAGS_INTERNED;
    *tagging = (struct machine_tagging){
        .is_modelled = interned || (pool && s->tag_pool),
        .scheme = s->tag_scheme,
        .exhausted = s->tag_exhausted,
        .size = pool       ? s->tag_pool
                : interned ? UINT64_C(1) << s->tag_bits
                           : 0,
        .free_call = MACHINE_NO_CALL,
    };
    if (!tagging->is_modelled)
        return;
    tagging->list_count = pool ? 2 * function_count : 1;
    tagging->lists = lib_mem_new(tagging->list_count * sizeof *tagging->lists);
    for (uint32_t i = 0; i < tagging->list_count; i++)
        tagging->lists[i] = (struct machine_tag_list){MACHINE_NO_CALL, MACHINE_NO_CALL};
    if (!interned)
        return;
    tagging->unit_count = s->intern_units == MACHINE_INTERN_SHARED ? 1 : pe_count;
    tagging->units = lib_mem_new(tagging->unit_count * sizeof *tagging->units);
    for (uint32_t i = 0; i < tagging->unit_count; i++)
        machine_queue_init(&tagging->units[i]);
}

void machine_tagging_free(struct machine_tagging *tagging)
{
    for (uint32_t i = 0; i < tagging->unit_count; i++)
        machine_queue_free(&tagging->units[i]);
    lib_mem_free(tagging->units);
    lib_mem_free(tagging->lists);
    LIB_VEC_FREE(&tagging->calls);
}

bool machine_tagging_has(const struct machine_tagging *tagging,
                         const struct isa_tags *tags, uint32_t function, bool is_enter)
{
    if (tagging->size == 0)
        return true;
    const bool pool = tagging->scheme == MACHINE_TAGS_POOL;
    /* The root has the empty tag, and needs no number. */
    const uint64_t alive = pool ? tags->alive[function] : tags->count - 1;
    const uint64_t kept = pool && is_enter && tagging->size > 1;
    return alive + kept < tagging->size;
}

static uint32_t new_call(struct machine_tagging *tagging, const struct isa_token *token)
{
    uint32_t at = tagging->free_call;
    if (at == MACHINE_NO_CALL) {
        at = (uint32_t)tagging->calls.count;
        (void)LIB_VEC_PUSH(&tagging->calls);
    } else {
        tagging->free_call = tagging->calls.items[at].next;
    }
    tagging->calls.items[at] = (struct machine_waiting_call){
        *token, MACHINE_NO_CALL, MACHINE_NO_CALL, MACHINE_NO_CALL};
    tagging->waiting++;
    tagging->stalls++;
    return at;
}

isa_tag machine_tagging_wait(struct machine_tagging *tagging, uint32_t list,
                             const struct isa_token *call)
{
    struct machine_tag_list *l = &tagging->lists[list];
    uint32_t at = new_call(tagging, call);
    if (l->first == MACHINE_NO_CALL)
        l->first = at;
    else
        tagging->calls.items[l->last].next = at;
    l->last = at;
    return ISA_TAG_LIMIT | at;
}

void machine_tagging_join(struct machine_tagging *tagging, isa_tag waiting,
                          const struct isa_token *call)
{
    uint32_t at = new_call(tagging, call);
    struct machine_waiting_call *first = &tagging->calls.items[waiting & ~ISA_TAG_LIMIT];
    if (first->same == MACHINE_NO_CALL)
        first->same = at;
    else
        tagging->calls.items[first->last_same].same = at;
    first->last_same = at;
}

const struct isa_token *machine_tagging_first(const struct machine_tagging *tagging,
                                              uint32_t list)
{
    uint32_t first = tagging->lists[list].first;
    return first == MACHINE_NO_CALL ? NULL : &tagging->calls.items[first].token;
}

bool machine_tagging_take(struct machine_tagging *tagging, uint32_t list, uint32_t *entry,
                          struct isa_token *call)
{
    struct machine_tag_list *l = &tagging->lists[list];
    uint32_t at = *entry;
    if (at == MACHINE_NO_CALL) {
        at = l->first;
        l->first = tagging->calls.items[at].next;
    } else {
        uint32_t used = at;
        at = tagging->calls.items[used].same;
        tagging->calls.items[used].next = tagging->free_call;
        tagging->free_call = used;
    }
    *entry = at;
    if (at == MACHINE_NO_CALL)
        return false;
    *call = tagging->calls.items[at].token;
    tagging->waiting--;
    return true;
}

const char *machine_tagging_limit(const struct machine_tagging *tagging)
{
    return tagging->scheme == MACHINE_TAGS_POOL ? "tag.pool" : "tag.bits";
}
