#include "machine/pe/tag_manager.h"

#include "isa/op_columns.h"
#include "isa/fire/fire_call.h"
#include "machine/events.h"
#include "machine/pe/backpressure.h"
#include "machine/state_table.h"
#include "machine/verify.h"

#define NO_CALL UINT32_MAX

/* A CALL that waits for an identifier; or a free entry, with an old token. */
#define WAITING_CALL_FIELDS(F)                                                           \
    F(NUMBER, struct isa_token, token)                                                   \
    F(NUMBER, uint32_t, next) /* next CALL in the list, or next free entry */            \
    /* list of the CALLs that pass the other arguments of the call */                    \
    F(NUMBER, uint32_t, same)                                                            \
    F(NUMBER, uint32_t, last_same)
struct waiting_call {
    WAITING_CALL_FIELDS(LIB_STATE_MEMBER)
};

/* List of CALLs that wait for identifiers of one pool. ENTERs have lists of their own. */
#define TAG_LIST_FIELDS(F)                                                               \
    F(INITIAL, uint32_t, first, NO_CALL)                                                 \
    F(INITIAL, uint32_t, last, NO_CALL)
struct tag_list {
    TAG_LIST_FIELDS(LIB_STATE_MEMBER)
};

/* State of the tag managers, or of pools of identifiers. */
#define MACHINE_TAG_MANAGER_FIELDS(F)                                                    \
    F(KEPT, uint64_t, scheme)                                                            \
    F(KEPT, uint64_t, exhausted)                                                         \
    F(KEPT, uint64_t, size) /* identifiers per pool; 0: unlimited */                     \
    F(KEPT, uint32_t, unit_count)                                                        \
    F(KEPT, uint32_t, list_count)                                                        \
    F(STRUCTS, machine_queue, units, s->unit_count)                                      \
    F(NUMBER, uint64_t, in_units) /* CALLs that wait for a tag manager */                \
    F(STRUCTS, tag_list, lists, s->list_count)                                           \
    F(EACH, waiting_call, calls)                                                         \
    F(INITIAL, uint32_t, free_call, NO_CALL)                                             \
    F(NUMBER, uint64_t, waiting) /* CALLs that wait for identifiers */                   \
    /* divided programs, else NULL: machine that numbers each function */                \
    F(OWNED, uint32_t, keepers)
struct machine_tag_manager {
    MACHINE_TAG_MANAGER_FIELDS(LIB_STATE_MEMBER)
};

LIB_STATE(struct machine, waiting_call, WAITING_CALL_FIELDS)
LIB_STATE(struct machine, tag_list, TAG_LIST_FIELDS)
LIB_STATE(struct machine, machine_tag_manager, MACHINE_TAG_MANAGER_FIELDS)

/* Returns the index of the list in which CALLs of a function or NEXTs of a loop wait for an
 * identifier; is_enter: in which ENTERs of the loop wait. Without pools, all wait in list 0. */
static uint32_t list_of(const struct machine_tag_manager *tag_manager, uint32_t function,
                        bool is_enter)
{
    return tag_manager->scheme == MACHINE_TAGS_POOL ? function << 1 | is_enter : 0;
}

static void init_tagging(struct machine *m, struct machine_tag_manager *tag_manager)
{
    const struct machine_settings *s = &m->settings;
    const bool pool = s->tag_scheme == MACHINE_TAGS_POOL;
    const bool interned = s->tag_scheme == MACHINE_TAGS_INTERNED;
    tag_manager->scheme = s->tag_scheme;
    tag_manager->exhausted = s->tag_exhausted;
    tag_manager->size = pool ? s->tag_pool : interned ? UINT64_C(1) << s->tag_bits : 0;
    tag_manager->list_count = pool ? 2 * m->code->graph->function_count : 1;
    tag_manager->lists = lib_mem_new(tag_manager->list_count *
                                     sizeof *tag_manager->lists);
    LIB_STATE_ALL(tag_list_fields_clear, tag_manager->lists, tag_manager->list_count)
    if (!interned)
        return;
    tag_manager->unit_count = s->intern_units == MACHINE_INTERN_SHARED ? 1 : m->pe_count;
    tag_manager->units = lib_mem_new(tag_manager->unit_count *
                                     sizeof *tag_manager->units);
    for (uint32_t i = 0; i < tag_manager->unit_count; i++)
        machine_queue_init(&tag_manager->units[i]);
}

/* Whether an identifier is free for an activation of a function, or (is_enter) for a loop that
 * begins. */
static bool has_free(const struct machine_tag_manager *tag_manager,
                     const struct isa_activations *tags, uint32_t function, bool is_enter)
{
    if (tag_manager->size == 0)
        return true;
    const bool pool = tag_manager->scheme == MACHINE_TAGS_POOL;
    /* the root has the empty tag, and needs no identifier */
    const uint64_t alive = pool ? isa_activations_alive(tags, function) : tags->count - 1;
    const uint64_t kept = pool && is_enter && tag_manager->size > 1;
    return alive + kept < tag_manager->size;
}

static uint32_t new_call(struct machine_tag_manager *tag_manager,
                         const struct isa_token *token)
{
    uint32_t at = tag_manager->free_call;
    if (at == NO_CALL) {
        at = (uint32_t)tag_manager->calls.count;
        (void)LIB_VEC_PUSH(&tag_manager->calls);
    } else {
        tag_manager->free_call = tag_manager->calls.items[at].next;
    }
    tag_manager->calls.items[at] = (struct waiting_call){*token, NO_CALL, NO_CALL,
                                                         NO_CALL};
    tag_manager->waiting++;
    return at;
}

/* Makes the first CALL of a call wait for an identifier. Returns a value from ISA_TAG_LIMIT on.
 * Kept in place of the tag of the new activation, it makes the other CALLs of the call join the
 * first one (join_call). */
static isa_tag begin_wait(struct machine_tag_manager *tag_manager, uint32_t list,
                          const struct isa_token *call)
{
    struct tag_list *l = &tag_manager->lists[list];
    uint32_t at = new_call(tag_manager, call);
    if (l->first == NO_CALL)
        l->first = at;
    else
        tag_manager->calls.items[l->last].next = at;
    l->last = at;
    return ISA_TAG_LIMIT | at;
}

/* Makes another CALL of the same call wait together with the first one; `waiting` is what
 * begin_wait returned. */
static void join_call(struct machine_tag_manager *tag_manager, isa_tag waiting,
                      const struct isa_token *call)
{
    uint32_t at = new_call(tag_manager, call);
    struct waiting_call *first = &tag_manager->calls.items[waiting & ~ISA_TAG_LIMIT];
    if (first->same == NO_CALL)
        first->same = at;
    else
        tag_manager->calls.items[first->last_same].same = at;
    first->last_same = at;
}

/* Returns the CALL that has waited longest in list number `list`, or NULL. */
static const struct isa_token *first_call(const struct machine_tag_manager *tag_manager,
                                          uint32_t list)
{
    uint32_t first = tag_manager->lists[list].first;
    return first == NO_CALL ? NULL : &tag_manager->calls.items[first].token;
}

/* Removes the CALLs of the first call in a list one by one; `*entry` is NO_CALL at first.
 * Returns false after the last. */
static bool take_call(struct machine_tag_manager *tag_manager, uint32_t list,
                      uint32_t *entry, struct isa_token *call)
{
    struct tag_list *l = &tag_manager->lists[list];
    uint32_t at = *entry;
    if (at == NO_CALL) {
        at = l->first;
        l->first = tag_manager->calls.items[at].next;
    } else {
        uint32_t used = at;
        at = tag_manager->calls.items[used].same;
        tag_manager->calls.items[used].next = tag_manager->free_call;
        tag_manager->free_call = used;
    }
    *entry = at;
    if (at == NO_CALL)
        return false;
    *call = tag_manager->calls.items[at].token;
    tag_manager->waiting--;
    return true;
}

/* Returns the key of the setting that limits identifiers. */
static const char *limit_of(const struct machine_tag_manager *tag_manager)
{
    return tag_manager->scheme == MACHINE_TAGS_POOL ? "tag.pool" : "tag.bits";
}

static bool has_identifier(const struct machine *m,
                           const struct machine_tag_manager *tag_manager,
                           const struct isa_token *call)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(call)];
    return has_free(tag_manager, &m->tokens.exec.tags, m->code->sites[instr->site].callee,
                    isa_op_does[instr->op].tag == ISA_UNDER_ENTERED);
}

uint64_t machine_tag_manager_latency(const struct machine *m)
{
    return m->tag_manager && m->tag_manager->unit_count ? m->settings.intern_latency : 0;
}

/* --- releasing CALLs -------------------------------------------------------------------------- */

static bool resume_call(struct machine *m, struct machine_tag_manager *tag_manager,
                        uint32_t list)
{
    uint32_t entry = NO_CALL;
    struct isa_token t;
    while (take_call(tag_manager, list, &entry, &t)) {
        const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&t)];
        isa_tag *child = isa_fire_child_entry(&m->tokens.exec, isa_token_tag(&t), instr);
        if (child && *child >= ISA_TAG_LIMIT)
            *child = ISA_TAG_NONE;
        machine_emit_released(m, TRACES_HOLDER_NUMBER, &t);
        if (!m->kind->pass(m, &t, MACHINE_GATE_IDENTIFIER,
                           machine_tag_manager_latency(m)))
            return false;
    }
    return true;
}

static bool resume_calls(struct machine *m, struct machine_tag_manager *tag_manager)
{
    for (uint32_t list = 0; list < tag_manager->list_count; list++) {
        const struct isa_token *t;
        while ((t = first_call(tag_manager, list)) != NULL) {
            if (!has_identifier(m, tag_manager, t) ||
                (m->has_queues && !machine_backpressure_for(m, t, false)))
                break;
            if (!resume_call(m, tag_manager, list))
                return false;
        }
    }
    return true;
}

static bool serve_tag_units(struct machine *m, struct machine_tag_manager *tag_manager)
{
    const uint64_t bandwidth = m->settings.intern_bandwidth;
    if (traces_machine_cycle(&m->about, m->run.cycle) > m->run.cycle)
        return true;
    for (uint32_t u = 0; u < tag_manager->unit_count; u++) {
        struct machine_queue *q = &tag_manager->units[u];
        for (uint64_t i = 0; machine_queue_count(q) && (!bandwidth || i < bandwidth);
             i++) {
            if (m->has_queues &&
                !machine_backpressure_for(m, machine_queue_next(q, false), false))
                break;
            const struct isa_token t = *machine_queue_take(q, false);
            tag_manager->in_units--;
            machine_emit_released(m, TRACES_HOLDER_MANAGER, &t);
            if (!m->kind->pass(m, &t, MACHINE_GATE_TAG_MANAGER,
                               machine_tag_manager_latency(m)))
                return false;
        }
    }
    return true;
}

static bool resume(struct machine *m, void *state)
{
    struct machine_tag_manager *tag_manager = state;
    if (tag_manager->waiting && !resume_calls(m, tag_manager))
        return false;
    return tag_manager->in_units == 0 || serve_tag_units(m, tag_manager);
}

/* --- several machines ------------------------------------------------------------------------- */

/* Finds the machines that assign identifiers: machine 0, or with pools the machine of each
 * function's first instruction. */
static uint32_t *find_keepers(const struct isa_graph *graph, bool has_pools)
{
    uint32_t *keepers = lib_mem_new(graph->function_count * sizeof *keepers);
    if (has_pools)
        for (uint32_t i = graph->node_count; i-- > 0;)
            keepers[graph->nodes[i].function] = graph->nodes[i].machine;
    return keepers;
}

/* Counts the messages by which a call token of a divided program gets an identifier from another
 * machine. */
static void ask_keeper(struct machine *m, const struct machine_tag_manager *tag_manager,
                       const struct isa_token *call)
{
    /* Messages: request, answer and return; or only the first two. */
    enum { WHOLE = 3, AGAIN = 2 };
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(call)];
    const uint32_t function = m->code->sites[instr->site].callee;
    if (m->code->machine_of[isa_token_instr(call)] == tag_manager->keepers[function])
        return;
    if (isa_op_tracks(instr->op) || instr->index == 0)
        m->watch.counts.identifier_messages += WHOLE;
    else if (tag_manager->scheme == MACHINE_TAGS_INTERNED &&
             m->settings.intern_units == MACHINE_INTERN_SHARED)
        m->watch.counts.identifier_messages += AGAIN;
}

/* --- the gates -------------------------------------------------------------------------------- */

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return isa_op_makes_tag(op);
}

/* Makes a live CALL, ENTER, NEXT or APPLY wait for its tag manager, if there is one. */
static enum machine_verdict ask_manager(struct machine *m, void *state,
                                        struct machine_passage *p)
{
    struct machine_tag_manager *tag_manager = state;
    const struct isa_token *t = p->token;
    if (isa_token_is_dead(t))
        return MACHINE_GATE_OPENS;
    if (tag_manager->keepers)
        ask_keeper(m, tag_manager, t);
    if (!tag_manager->unit_count)
        return MACHINE_GATE_OPENS;
    const uint32_t unit = tag_manager->unit_count == 1 ? 0 : machine_token_pe(t);
    machine_queue_put(&tag_manager->units[unit], t);
    tag_manager->in_units++;
    p->how = TRACES_OUTCOME_QUEUED;
    return MACHINE_GATE_HOLDS;
}

/* Handles a call for which no identifier is free, or others wait. `child`: where the caller keeps
 * the activation, or NULL. */
static enum machine_verdict lack_identifier(struct machine *m,
                                            struct machine_tag_manager *tag_manager,
                                            struct machine_passage *p, uint32_t list,
                                            isa_tag *child)
{
    switch (tag_manager->exhausted) {
    case MACHINE_EXHAUSTED_SPILL:
        m->watch.counts.tag_stalls++;
        machine_emit_at(m, TRACES_EVENT_SPILLED, p->token);
        p->extra += m->settings.spill_latency;
        return MACHINE_GATE_OPENS;
    case MACHINE_EXHAUSTED_STOP:
        p->how = TRACES_OUTCOME_STOPS;
        machine_stop(m, ISA_END_TAGS_EXHAUSTED, limit_of(tag_manager));
        return MACHINE_GATE_STOPS;
    default:;
        const isa_tag waiting = begin_wait(tag_manager, list, p->token);
        m->watch.counts.tag_stalls++;
        p->how = TRACES_OUTCOME_UNNUMBERED;
        if (child)
            *child = waiting;
        return MACHINE_GATE_HOLDS;
    }
}

/* Makes a live call without identifier wait, unless it finds its activation. */
static enum machine_verdict ask_identifier(struct machine *m, void *state,
                                           struct machine_passage *p)
{
    struct machine_tag_manager *tag_manager = state;
    const struct isa_token *t = p->token;
    const struct isa_instr *instr = p->instr;
    if (isa_token_is_dead(t))
        return MACHINE_GATE_OPENS;
    isa_tag *child = isa_fire_child_entry(&m->tokens.exec, isa_token_tag(t), instr);
    if (child && *child >= ISA_TAG_LIMIT) {
        join_call(tag_manager, *child, t);
        m->watch.counts.tag_stalls++;
        p->how = TRACES_OUTCOME_JOINS;
        return MACHINE_GATE_HOLDS;
    }
    const bool found = child && *child != ISA_TAG_NONE;
    const uint32_t list = list_of(tag_manager, m->code->sites[instr->site].callee,
                                  isa_op_does[instr->op].tag == ISA_UNDER_ENTERED);
    const bool first = !first_call(tag_manager, list);
    if (found || (first && has_identifier(m, tag_manager, t)))
        return MACHINE_GATE_OPENS;
    return lack_identifier(m, tag_manager, p, list, child);
}

static const struct machine_gate manager_gate = {MACHINE_GATE_TAG_MANAGER, concerns,
                                                 ask_manager, false};
static const struct machine_gate identifier_gate = {MACHINE_GATE_IDENTIFIER, concerns,
                                                    ask_identifier, false};

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_tag_manager *tag_manager = state;
    const struct machine_settings *s = &m->settings;
    const bool interned = s->tag_scheme == MACHINE_TAGS_INTERNED;
    if (!interned && (s->tag_scheme != MACHINE_TAGS_POOL || s->tag_pool == 0))
        return false;
    init_tagging(m, tag_manager);
    if (m->code->machines)
        tag_manager->keepers = find_keepers(m->code->graph, !interned);
    return true;
}

static uint64_t delay(const struct machine *m, const void *state)
{
    (void)state;
    return m->about.spill + m->about.intern;
}

static bool has_call_to_resume(const struct machine *m,
                               const struct machine_tag_manager *tag_manager)
{
    for (uint32_t list = 0; tag_manager->waiting && list < tag_manager->list_count;
         list++) {
        const struct isa_token *t = first_call(tag_manager, list);
        if (t && has_identifier(m, tag_manager, t))
            return true;
    }
    return false;
}

/* Whether something waits only for room in queues. */
static bool lacks_room(const struct machine *m,
                       const struct machine_tag_manager *tag_manager)
{
    return tag_manager->in_units || has_call_to_resume(m, tag_manager);
}

static uint64_t next(struct machine *m, void *state)
{
    if (!machine_can_go_on(m) || !lacks_room(m, state))
        return MACHINE_NEVER;
    return has_call_to_resume(m, state)
               ? m->run.cycle + 1
               : traces_machine_cycle(&m->about, m->run.cycle + 1);
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    const struct machine_tag_manager *tag_manager = state;
    if (lacks_room(m, tag_manager))
        return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
    if (tag_manager->waiting)
        return MACHINE_WAITS_FOR(NUMBER, limit_of(tag_manager));
    return MACHINE_WAITS_FOR(NOTHING, NULL);
}

/* Assumes that the lists are sound, which `show` checks. */
static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_tag_manager *tag_manager = state;
    const struct waiting_call *calls = tag_manager->calls.items;
    (void)m;
    for (uint32_t u = 0; tag_manager->in_units && u < tag_manager->unit_count; u++)
        if (!machine_queue_visit(&tag_manager->units[u], visit, context))
            return false;
    for (uint32_t list = 0; tag_manager->waiting && list < tag_manager->list_count;
         list++)
        for (uint32_t i = tag_manager->lists[list].first; i != NO_CALL; i = calls[i].next)
            for (uint32_t k = i; k != NO_CALL; k = calls[k].same)
                if (!visit(context, &calls[k].token, MACHINE_TOKEN_WAITS))
                    return false;
    return true;
}

/* --- invariants ------------------------------------------------------------------------------- */

struct waiting {
    struct machine_audit *found;
    const struct machine_tag_manager *tag_manager;
    uint8_t *seen; /* whether each entry was found */
    uint64_t calls;
    uint64_t named; /* calls that their callers should name */
};

/* Checks that a waiting call token is in no other list. */
static bool show_call(struct waiting *w, uint32_t at)
{
    struct machine_audit *f = w->found;
    return machine_must(f, at < w->tag_manager->calls.count && !w->seen[at]++,
                        "a call waits once") &&
           machine_audit_token(f, &w->tag_manager->calls.items[at].token);
}

static const struct isa_instr *instr_of(const struct machine *m,
                                        const struct isa_token *t)
{
    return &m->code->instrs[isa_token_instr(t)];
}

static bool show_same(const struct machine *m, struct waiting *w, uint32_t first)
{
    const struct waiting_call *calls = w->tag_manager->calls.items;
    const struct isa_token *t = &calls[first].token;
    uint32_t last = NO_CALL;
    w->calls++;
    for (uint32_t k = calls[first].same; k != NO_CALL; k = calls[k].same) {
        if (!show_call(w, k) ||
            !machine_must(w->found,
                          isa_token_tag(&calls[k].token) == isa_token_tag(t) &&
                              isa_op_makes_tag(instr_of(m, &calls[k].token)->op) &&
                              instr_of(m, &calls[k].token)->site == instr_of(m, t)->site,
                          "CALLs of one call wait together"))
            return false;
        w->calls++;
        last = k;
    }
    return machine_must(w->found, last == NO_CALL || calls[first].last_same == last,
                        "the last CALL of a call is known");
}

static void show_list(const struct machine *m, struct waiting *w, uint32_t number)
{
    const struct tag_list *list = &w->tag_manager->lists[number];
    const struct waiting_call *calls = w->tag_manager->calls.items;
    uint32_t last = NO_CALL;
    for (uint32_t i = list->first; i != NO_CALL; i = calls[i].next) {
        if (!show_call(w, i))
            return;
        const struct isa_token *t = &calls[i].token;
        const struct isa_instr *instr = instr_of(m, t);
        if (!machine_must(w->found, isa_op_makes_tag(instr->op) && !isa_token_is_dead(t),
                          "what waits for a number is a call"))
            return;
        const isa_tag *child = isa_fire_child_entry(&m->tokens.exec, isa_token_tag(t),
                                                    instr);
        if (!machine_must(w->found, !child || *child == (ISA_TAG_LIMIT | i),
                          "a call that waits is named") ||
            !show_same(m, w, i))
            return;
        w->named += child != NULL;
        last = i;
    }
    machine_must(w->found, last == NO_CALL || list->last == last,
                 "the last call of a list is known");
}

static void show_free(struct waiting *w)
{
    const struct machine_tag_manager *tag_manager = w->tag_manager;
    for (uint32_t i = tag_manager->free_call; i != NO_CALL;
         i = tag_manager->calls.items[i].next)
        if (!machine_must(w->found, i < tag_manager->calls.count && !w->seen[i]++,
                          "a place for calls is free, or in use"))
            return;
}

static void show_units(const struct machine *m,
                       const struct machine_tag_manager *tag_manager,
                       struct machine_audit *f)
{
    uint64_t in_units = 0;
    for (uint32_t u = 0; u < tag_manager->unit_count; u++) {
        const struct machine_queue *q = &tag_manager->units[u];
        in_units += machine_queue_count(q);
        for (uint32_t i = q->head; i != q->tail; i++)
            if (!machine_audit_token(f, &q->tokens[i & q->mask]) ||
                !machine_must(f,
                              isa_op_makes_tag(instr_of(m, &q->tokens[i & q->mask])->op),
                              "what waits for a tag manager is a call"))
                return;
    }
    machine_must(f, tag_manager->in_units == in_units,
                 "CALLs that wait for tag managers are counted");
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_tag_manager *tag_manager = state;
    struct waiting waiting = {.found = f,
                              .tag_manager = tag_manager,
                              .seen = lib_mem_new(tag_manager->calls.count)};
    show_units(m, tag_manager, f);
    for (uint32_t list = 0; list < tag_manager->list_count; list++)
        show_list(m, &waiting, list);
    show_free(&waiting);
    machine_must(f, tag_manager->waiting == waiting.calls,
                 "CALLs without a number are counted");
    machine_audit_named(f, waiting.named);
    lib_mem_free(waiting.seen);
}

const struct machine_part machine_tag_manager_part = {
    MACHINE_PART_STATE(tag_manager),
    MACHINE_PART_FIELDS(machine_tag_manager),
    .make = make,
    .delay = delay,
    .gates = {&manager_gate, &identifier_gate},
    .resume = resume,
    .next = next,
    .waits = waits,
    .each = each,
    .show = show,
};
