#include "machine/tagging.h"

#include "machine/engine.h"
#include "machine/room.h"
#include "machine/verify.h"

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
                         const struct isa_activations *tags, uint32_t function,
                         bool is_enter)
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

/* --- CALLs that have waited go on --------------------------------------------------------------- */

/* The CALL that has waited longest in a list goes on, and the others of its call. */
static bool resume_call(struct machine *m, uint32_t list)
{
    struct machine_tagging *tagging = &m->tagging;
    uint32_t entry = MACHINE_NO_CALL;
    struct isa_token t;
    while (machine_tagging_take(tagging, list, &entry, &t)) {
        const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&t)];
        isa_tag *child = isa_fire_child_place(&m->exec, isa_token_tag(&t), instr);
        if (child && *child >= ISA_TAG_LIMIT)
            *child = ISA_TAG_NONE;
        m->moved = true;
        if (!machine_general_fire(m, &t, machine_unit_latency(m)))
            return false;
    }
    return true;
}

static bool resume_calls(struct machine *m)
{
    for (uint32_t list = 0; list < m->tagging.list_count; list++) {
        const struct isa_token *t;
        while ((t = machine_tagging_first(&m->tagging, list)) != NULL) {
            if (!machine_has_number(m, t) ||
                (m->has_queues && !machine_room_for(m, t, false)))
                break;
            if (!resume_call(m, list))
                return false;
        }
    }
    return true;
}

static bool serve_tag_units(struct machine *m)
{
    const uint64_t bandwidth = m->settings.intern_bandwidth;
    for (uint32_t u = 0; u < m->tagging.unit_count; u++) {
        struct machine_queue *q = &m->tagging.units[u];
        for (uint64_t i = 0; machine_queue_count(q) && (!bandwidth || i < bandwidth);
             i++) {
            if (m->has_queues &&
                !machine_room_for(m, machine_queue_next(q, false), false))
                break;
            const struct isa_token t = *machine_queue_take(q, false);
            m->tagging.in_units--;
            m->moved = true;
            if (!machine_general_call(m, &t, machine_unit_latency(m)))
                return false;
        }
    }
    return true;
}

static bool resume(struct machine *m)
{
    if (m->tagging.waiting && !resume_calls(m))
        return false;
    return m->tagging.in_units == 0 || serve_tag_units(m);
}

/* --- the part ------------------------------------------------------------------------------------ */

static bool make(struct machine *m)
{
    machine_tagging_init(&m->tagging, &m->settings, m->pe_count,
                         m->code->graph->function_count);
    return m->tagging.is_modelled;
}

static void free_tagging(struct machine *m)
{
    machine_tagging_free(&m->tagging);
}

/* Whether a CALL waits for a number, and there is one. */
static bool has_call_to_resume(const struct machine *m)
{
    for (uint32_t list = 0; m->tagging.waiting && list < m->tagging.list_count; list++) {
        const struct isa_token *t = machine_tagging_first(&m->tagging, list);
        if (t && machine_has_number(m, t))
            return true;
    }
    return false;
}

/* Whether something is held back by nothing but room in queues. */
static bool lacks_room(const struct machine *m)
{
    return m->tagging.in_units || has_call_to_resume(m);
}

static uint64_t next(struct machine *m)
{
    return machine_can_go_on(m) && lacks_room(m) ? m->cycle + 1 : MACHINE_NEVER;
}

static struct machine_wait waits(const struct machine *m)
{
    if (lacks_room(m))
        return MACHINE_WAITS_FOR(ROOM, machine_room_setting(m));
    if (m->tagging.waiting)
        return MACHINE_WAITS_FOR(NUMBER, machine_tagging_limit(&m->tagging));
    return MACHINE_WAITS_FOR(NOTHING, NULL);
}

/* --- invariants ---------------------------------------------------------------------------------- */

/* CALLs that wait for a number. */
struct waiting {
    uint64_t calls;
    uint64_t named; /* calls that their callers should name */
};

/* Those of a list, from one on. */
static void show_calls(const struct machine *m, struct machine_found *f, uint32_t first,
                       struct waiting *waiting)
{
    const struct machine_waiting_call *calls = m->tagging.calls.items;
    const struct isa_instr *instrs = m->code->instrs;
    for (uint32_t i = first; i != MACHINE_NO_CALL; i = calls[i].next) {
        const struct isa_token *t = &calls[i].token;
        const struct isa_instr *instr = &instrs[isa_token_instr(t)];
        const isa_tag *child = isa_fire_child_place(&m->exec, isa_token_tag(t), instr);
        MACHINE_MUST(!child || *child == (ISA_TAG_LIMIT | i),
                     "a call that waits is named");
        waiting->named += child != NULL;
        for (uint32_t k = i; k != MACHINE_NO_CALL; k = calls[k].same) {
            const struct isa_token *same = &calls[k].token;
            MACHINE_MUST(isa_token_tag(same) == isa_token_tag(t) &&
                             instrs[isa_token_instr(same)].site == instr->site,
                         "CALLs of one call wait together");
            machine_found_token(f, same);
            waiting->calls++;
        }
    }
}

static void show(const struct machine *m, struct machine_found *f)
{
    const struct machine_tagging *tagging = &m->tagging;
    struct waiting waiting = {0};
    uint64_t in_units = 0;
    for (uint32_t u = 0; u < tagging->unit_count; u++)
        in_units += machine_found_tokens(f, &tagging->units[u]);
    for (uint32_t list = 0; list < tagging->list_count; list++)
        show_calls(m, f, tagging->lists[list].first, &waiting);
    MACHINE_MUST(tagging->in_units == in_units, "CALLs before tag units are counted");
    MACHINE_MUST(tagging->waiting == waiting.calls, "CALLs without a number are counted");
    machine_found_named(f, waiting.named);
}

const struct machine_part machine_tagging_part = {
    .make = make,
    .free = free_tagging,
    .resume = resume,
    .next = next,
    .waits = waits,
    .show = show,
};
