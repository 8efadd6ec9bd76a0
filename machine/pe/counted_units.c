#include "machine/pe/counted_units.h"

#include "isa/fire/fire_foresee.h"
#include "isa/op_columns.h"
#include "machine/describe.h"
#include "machine/events.h"
#include "machine/nodes.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/match.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state_table.h"
#include "machine/verify.h"

/* A token in an issue queue. */
#define MACHINE_UNISSUED_FIELDS(F)                                                       \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)   /* cycle of its turn */                                  \
    F(NUMBER, uint64_t, number) /* rank among all tokens that came to issue queues */    \
    F(BOOL, marks)              /* its partner is marked ISA_SLOT_SENT for it alone */
struct machine_unissued {
    MACHINE_UNISSUED_FIELDS(LIB_STATE_MEMBER)
};

/* Tokens for the units of a class, oldest first, from index `first` on. */
#define MACHINE_UNISSUED_LIST_FIELDS(F)                                                  \
    F(CALL, forget_issued(s))                                                            \
    F(EACH, machine_unissued, tokens)                                                    \
    F(SCRATCH, size_t, first)
struct machine_unissued_list {
    MACHINE_UNISSUED_LIST_FIELDS(LIB_STATE_MEMBER)
};

/* List of the classes that are not counted; and number of lists of a PE. */
enum { MACHINE_UNCOUNTED = ISA_UNIT_COUNT, MACHINE_ISSUE_LISTS };

#define MACHINE_COUNTED_UNITS_FIELDS(F)                                                  \
    F(KEPT, uint32_t, units) /* max counted units of a PE */                             \
    /* first of the units of each class among those of a PE */                           \
    F(OWNED, uint32_t, first_of)                                                         \
    F(STRUCTS, machine_unissued_list, lists, (size_t)m->pe_count *MACHINE_ISSUE_LISTS)   \
    /* for each unit of each PE: cycle when it is free */                                \
    F(ARRAY, uint64_t, free_at, (size_t)m->pe_count * s->units)                          \
    /* for each PE: tokens in its issue queue */                                         \
    F(ARRAY, uint64_t, held, m->pe_count)                                                \
    F(STRUCT, machine_set, waiting) /* PEs whose issue queue has tokens */               \
    F(NUMBER, uint64_t, came)       /* tokens that ever came to issue queues */
struct machine_counted_units {
    MACHINE_COUNTED_UNITS_FIELDS(LIB_STATE_MEMBER)
};

bool machine_has_issue_queue(const struct machine_settings *own)
{
    bool has = own->match_bandwidth > 0;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        has |= own->unit_count[unit] > 0;
    return has;
}

bool machine_has_issue_queues(const struct machine_settings *s)
{
    bool has = machine_has_issue_queue(s);
    for (const struct machine_class *of = s->classes; of->name[0] && !has; of++) {
        struct machine_settings own = *s;
        machine_class_apply(of, &own);
        has = machine_has_issue_queue(&own);
    }
    return has;
}

/* Whether tokens of opcode `op` go to the issue queue of a PE with these settings. */
static bool is_queued(const struct machine_settings *own, enum isa_op op)
{
    return own->match_bandwidth || own->unit_count[isa_op_table[op].unit] > 0;
}

/* --- the issue queue ------------------------------------------------------------------------ */

/* Returns the list for tokens of an instruction at a PE with these settings. */
static unsigned list_of(const struct machine_settings *own, const struct isa_instr *instr)
{
    const unsigned unit = isa_op_table[instr->op].unit;
    return own->unit_count[unit] ? unit : MACHINE_UNCOUNTED;
}

static struct machine_unissued_list *list_at(const struct machine_counted_units *units,
                                             uint32_t pe, unsigned list)
{
    return &units->lists[(size_t)pe * MACHINE_ISSUE_LISTS + list];
}

static size_t count_of(const struct machine_unissued_list *list)
{
    return list->tokens.count - list->first;
}

/* Removes the tokens before `first`, which have left. */
static void forget_issued(struct machine_unissued_list *list)
{
    list->tokens.count -= list->first;
    if (list->first)
        memmove(list->tokens.items, list->tokens.items + list->first,
                list->tokens.count * sizeof *list->tokens.items);
    list->first = 0;
}

static bool is_newest_first(const struct machine *m)
{
    return m->settings.issue_discipline == MACHINE_ISSUE_LIFO;
}

/* Returns the token of a list that leaves next. */
static const struct machine_unissued *next_of(const struct machine *m,
                                              const struct machine_unissued_list *list)
{
    return &list->tokens.items[is_newest_first(m) ? list->tokens.count - 1 : list->first];
}

static struct machine_unissued take(const struct machine *m,
                                    struct machine_counted_units *units, uint32_t pe,
                                    unsigned number)
{
    struct machine_unissued_list *list = list_at(units, pe, number);
    const struct machine_unissued taken = *next_of(m, list);
    if (is_newest_first(m))
        list->tokens.count--;
    else if (++list->first * 2 >
             list->tokens.count) /* so that a token is moved few times */
        forget_issued(list);
    machine_set_remove_if(&units->waiting, pe, --units->held[pe] == 0);
    return taken;
}

/* --- the gate: before the queue -------------------------------------------------------------- */

/* Returns the slot of a token that has or meets a partner; NULL: it has none. */
static struct isa_slot *slot_of(const struct machine *m, const struct isa_token *t,
                                const struct isa_instr *instr)
{
    return machine_is_of_two(t, instr)
               ? isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)
               : NULL;
}

/* Whether a token meets an operand that has left its slot already, with another token. */
static bool collides(struct machine *m, const struct isa_token *t,
                     const struct isa_instr *instr)
{
    if (isa_op_accesses_element(instr->op) &&
        machine_pe_of_token(m, t) != machine_token_pe(t))
        return false; /* it is the request with which the operand left */
    return machine_tensor_collides(t, slot_of(m, t, instr));
}

/* Whether a token has all operands of its instruction, which then fires or sends a request. An
 * argument of an APPLY counts as the last one. */
static bool is_complete(const struct machine *m, const struct isa_token *t,
                        const struct isa_instr *instr)
{
    return instr->op == ISA_OP_APPLY ||
           isa_outcome_fires(isa_fire_outcome_of(&m->tokens.exec, t, instr));
}

/* Whether the operand that waits is the one that a token brings. This is a trap at its turn. */
static bool meets_itself(struct machine *m, const struct isa_token *t,
                         const struct isa_instr *instr)
{
    const struct isa_slot *slot = slot_of(m, t, instr);
    return slot && isa_slot_is_waiting(slot) && isa_slot_port(slot) == isa_token_port(t);
}

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)state;
    bool is = false;
    for (uint32_t i = 0; i <= m->about.class_count; i++)
        is |= is_queued(machine_settings_of(m, i), op);
    return is;
}

static void put(struct machine *m, struct machine_counted_units *units,
                const struct machine_settings *own, const struct isa_token *t,
                const struct isa_instr *instr)
{
    const uint32_t pe = machine_token_pe(t);
    struct machine_unissued item = {*t, m->run.cycle, units->came++, false};
    struct isa_slot *slot = slot_of(m, t, instr);
    if (slot) {
        item.marks = !(slot->info & ISA_SLOT_SENT);
        slot->info |= ISA_SLOT_SENT;
    }
    *LIB_VEC_PUSH(&list_at(units, pe, list_of(own, instr))->tokens) = item;
    units->held[pe]++;
    machine_set_add(&units->waiting, pe);
}

static enum machine_verdict ask(struct machine *m, void *state, struct machine_passage *p)
{
    const struct machine_settings *own = machine_settings_at(m,
                                                             machine_token_pe(p->token));
    if (m->of_class && !is_queued(own, p->instr->op))
        return MACHINE_GATE_OPENS; /* of PEs that are alike the gate knows the opcodes */
    if (p->foresees)
        return MACHINE_GATE_HOLDS; /* room is asked for when the token leaves the issue queue */
    if (collides(m, p->token, p->instr))
        return machine_tensor_trap(p);
    if (!is_complete(m, p->token, p->instr) || meets_itself(m, p->token, p->instr))
        return MACHINE_GATE_OPENS;
    put(m, state, own, p->token, p->instr);
    p->how = TRACES_OUTCOME_UNISSUED;
    return MACHINE_GATE_HOLDS;
}

static const struct machine_gate gate = {MACHINE_GATE_UNIT, concerns, ask, true};

uint32_t machine_counted_units_turns(const struct machine *m, uint32_t pe, uint32_t count)
{
    const struct machine_settings *own = machine_settings_at(m, pe);
    const uint64_t bandwidth = own->match_bandwidth ? own->match_bandwidth
                                                    : machine_units_of(m, pe);
    const bool has_queue = !m->of_class || machine_has_issue_queue(own);
    const uint64_t capacity = has_queue ? own->issue_capacity : 0;
    uint64_t most = bandwidth && bandwidth < count ? bandwidth : count;
    if (capacity) {
        const uint64_t held = m->counted->held[pe];
        const uint64_t room = held < capacity ? capacity - held : 0;
        most = room < most ? room : most;
    }
    return (uint32_t)most;
}

/* --- issue ---------------------------------------------------------------------------------- */

/* Returns the unit of a class at a PE that is free first. */
static uint64_t *first_free(const struct machine_counted_units *units,
                            const struct machine_settings *own, uint32_t pe,
                            unsigned unit)
{
    uint64_t *const free_at = units->free_at + (size_t)pe * units->units +
                              units->first_of[unit];
    uint64_t *first = free_at;
    for (uint64_t u = 1; u < own->unit_count[unit]; u++)
        first = free_at[u] < *first ? &free_at[u] : first;
    return first;
}

static uint64_t free_from(const struct machine_counted_units *units,
                          const struct machine_settings *own, uint32_t pe, unsigned list)
{
    return list == MACHINE_UNCOUNTED ? 0 : *first_free(units, own, pe, list);
}

/* Returns the list whose next token leaves the issue queue of a PE now, or MACHINE_ISSUE_LISTS. */
static unsigned choose(const struct machine *m, const struct machine_counted_units *units,
                       const struct machine_settings *own, uint32_t pe)
{
    unsigned chosen = MACHINE_ISSUE_LISTS;
    uint64_t number = 0;
    for (unsigned i = 0; i < MACHINE_ISSUE_LISTS; i++) {
        const struct machine_unissued_list *list = list_at(units, pe, i);
        if (count_of(list) == 0 || free_from(units, own, pe, i) > m->run.cycle)
            continue;
        const uint64_t of_list = next_of(m, list)->number;
        if (chosen == MACHINE_ISSUE_LISTS ||
            (is_newest_first(m) ? of_list > number : of_list < number)) {
            chosen = i;
            number = of_list;
        }
    }
    return chosen;
}

/* Whether what the next token of a list makes has room, which is then reserved. */
static bool has_room(struct machine *m, const struct machine_counted_units *units,
                     uint32_t pe, unsigned list)
{
    const struct machine_unissued *item = next_of(m, list_at(units, pe, list));
    const struct isa_token *t = &item->token;
    struct isa_slot *slot = item->marks
                                ? slot_of(m, t, &m->code->instrs[isa_token_instr(t)])
                                : NULL;
    if (slot) /* its partner is there for it */
        slot->info &= ~(uint64_t)ISA_SLOT_SENT;
    const bool has = machine_backpressure_for(m, t, false);
    if (slot)
        slot->info |= ISA_SLOT_SENT;
    return has;
}

static bool issue(struct machine *m, struct machine_counted_units *units,
                  const struct machine_settings *own, uint32_t pe, unsigned list)
{
    const struct machine_unissued item = take(m, units, pe, list);
    const struct isa_token *t = &item.token;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    if (list != MACHINE_UNCOUNTED) {
        const uint64_t interval = own->unit_interval[list];
        *first_free(units, own, pe, list) = m->run.cycle + interval;
        m->watch.counts.unit_busy_cycles += interval;
    }
    m->run.moved = true;
    m->watch.counts.unit_stall_cycles += m->run.cycle - item.came;
    if (item.marks)
        slot_of(m, t, instr)->info &= ~(uint64_t)ISA_SLOT_SENT;
    machine_emit_released(m, TRACES_HOLDER_ISSUE, t);
    return m->kind->pass(m, t, MACHINE_GATE_UNIT, 0);
}

static void note_peak(struct machine *m, const struct machine_counted_units *units,
                      uint32_t pe)
{
    if (units->held[pe] > m->watch.counts.peak_issue_queue)
        m->watch.counts.peak_issue_queue = units->held[pe];
}

static bool finish(struct machine *m, void *state)
{
    struct machine_counted_units *units = state;
    uint32_t pe;
    unsigned list;
    MACHINE_SET_EACH(&units->waiting, pe)
    {
        if (m->nodes && machine_nodes_stop(m, pe))
            continue;
        const struct machine_settings *own = machine_settings_at(m, pe);
        const uint64_t most = own->match_bandwidth ? machine_units_of(m, pe) : 0;
        note_peak(m, units, pe);
        for (uint64_t i = 0; most == 0 || i < most; i++) {
            if ((list = choose(m, units, own, pe)) == MACHINE_ISSUE_LISTS ||
                (m->has_queues && !has_room(m, units, pe, list)))
                break;
            if (!issue(m, units, own, pe, list))
                return false;
        }
    }
    if (m->has_queues)
        machine_backpressure_chosen(m);
    return true;
}

/* --- the part --------------------------------------------------------------------------------- */

static bool counts_tensor_units(const struct traces_machine *about)
{
    bool is = false;
    for (uint32_t i = 0; i <= about->class_count; i++)
        is |= traces_machine_kind(about, i)->counted[ISA_UNIT_TENSOR] > 0;
    return is;
}

bool machine_counted_units_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    if (!machine_has_issue_queues(s) || machine_has_workers(s))
        return true;
    const struct traces_machine about = machine_describe(s, NULL, NULL);
    const char *why = NULL;
    if (about.memory_capacity)
        why = "finite memory (memory.capacity)";
    else if (counts_tensor_units(&about) && (about.tensor_units || about.has_batches))
        why = "counted or batching tensor units, if unit.tensor.count is set "
              "(tensor.unit.count, tensor.batch.until)";
    if (why)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "PEs with issue queues (unit.CLASS.count, match.bandwidth) cannot "
                       "have %s",
                       why);
    return !why;
}

static bool make(struct machine *m, void *state)
{
    struct machine_counted_units *units = state;
    if (!m->about.has_issue_queues)
        return false;
    assert(!m->about.timing); /* machine_timing_fits */
    units->first_of = lib_mem_new(ISA_UNIT_COUNT * sizeof *units->first_of);
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++) {
        units->first_of[unit] = units->units;
        uint32_t most = 0;
        for (uint32_t i = 0; i <= m->about.class_count; i++) {
            const uint64_t count = machine_settings_of(m, i)->unit_count[unit];
            most = count > most ? (uint32_t)count : most;
        }
        units->units += most;
    }
    units->lists = lib_mem_new((size_t)m->pe_count * MACHINE_ISSUE_LISTS *
                               sizeof *units->lists);
    units->free_at = lib_mem_new(((size_t)m->pe_count * units->units + 1) *
                                 sizeof *units->free_at);
    units->held = lib_mem_new(m->pe_count * sizeof *units->held);
    units->waiting = machine_set_new(m->pe_count);
    return true;
}

LIB_STATE(struct machine, machine_unissued, MACHINE_UNISSUED_FIELDS)
LIB_STATE(struct machine, machine_unissued_list, MACHINE_UNISSUED_LIST_FIELDS)
LIB_STATE(struct machine, machine_counted_units, MACHINE_COUNTED_UNITS_FIELDS)

/* Returns the cycle in which the next token of a PE can leave, if nothing else happens. */
static uint64_t next_at(const struct machine *m,
                        const struct machine_counted_units *units, uint32_t pe)
{
    const struct machine_settings *own = machine_settings_at(m, pe);
    uint64_t next = MACHINE_NEVER;
    if (m->nodes && machine_nodes_stop(m, pe))
        return m->about.stopped_until;
    for (unsigned i = 0; i < MACHINE_ISSUE_LISTS; i++) {
        if (count_of(list_at(units, pe, i)) == 0)
            continue;
        const uint64_t of_list = free_from(units, own, pe, i);
        if (of_list <= m->run.cycle && !machine_can_go_on(m))
            continue; /* it waits for room */
        next = of_list < next ? of_list : next;
    }
    return next > m->run.cycle ? next : m->run.cycle + 1;
}

static uint64_t next(struct machine *m, void *state)
{
    const struct machine_counted_units *units = state;
    uint64_t next = MACHINE_NEVER;
    uint32_t pe;
    MACHINE_SET_EACH(&units->waiting, pe)
    {
        const uint64_t of_pe = next_at(m, units, pe);
        next = of_pe < next ? of_pe : next;
    }
    return next;
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_counted_units *units = state;
    uint32_t pe;
    (void)m;
    MACHINE_SET_EACH(&units->waiting, pe)
    {
        for (unsigned i = 0; i < MACHINE_ISSUE_LISTS; i++) {
            const struct machine_unissued_list *list = list_at(units, pe, i);
            for (size_t k = list->first; k < list->tokens.count; k++)
                if (!visit(context, &list->tokens.items[k].token, MACHINE_TOKEN_WAITS))
                    return false;
        }
    }
    return true;
}

/* Whoever is left when nothing can happen any more has no room. */
static struct machine_wait waits(const struct machine *m, const void *state)
{
    const struct machine_counted_units *units = state;
    if (machine_set_is_empty(&units->waiting))
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static void begin_part(struct machine *m, void *state)
{
    const struct machine_counted_units *units = state;
    uint32_t pe;
    MACHINE_SET_EACH(&units->waiting, pe)
    {
        note_peak(m, units, pe);
    }
}

/* Whether a token in an issue queue has all its operands. */
static bool is_before_units(const struct machine *m,
                            const struct machine_counted_units *units,
                            struct machine_audit *f, uint32_t pe, unsigned list,
                            const struct machine_unissued *item)
{
    const struct isa_token *t = &item->token;
    if (!machine_audit_token(f, t) || !machine_audit_at_its_place(f, t))
        return false;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const struct isa_slot *slot = slot_of(m, t, instr);
    return machine_must(f,
                        machine_token_pe(t) == pe && item->came <= m->run.cycle &&
                            item->number < units->came &&
                            is_queued(machine_settings_at(m, pe), instr->op) &&
                            list == list_of(machine_settings_at(m, pe), instr) &&
                            (slot
                                 ? isa_slot_is_waiting(slot) && slot->info & ISA_SLOT_SENT
                                 : !item->marks),
                        "a token before a function unit has its operands");
}

static void show_pe(const struct machine *m, const struct machine_counted_units *units,
                    struct machine_audit *f, uint32_t pe)
{
    uint64_t held = 0;
    for (unsigned i = 0; i < MACHINE_ISSUE_LISTS; i++) {
        const struct machine_unissued_list *list = list_at(units, pe, i);
        held += count_of(list);
        for (size_t k = list->first; k < list->tokens.count; k++)
            if (!is_before_units(m, units, f, pe, i, &list->tokens.items[k]) ||
                !machine_must(f,
                              k == list->first || list->tokens.items[k - 1].number <
                                                      list->tokens.items[k].number,
                              "tokens of a class stand in their order"))
                return;
    }
    machine_must(f, held == units->held[pe], "issue queues are counted");
    machine_must(f, machine_set_has(&units->waiting, pe) == (held > 0),
                 "PEs with tokens before units are known");
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_counted_units *units = state;
    machine_audit_set(f, &units->waiting, m->pe_count);
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        show_pe(m, units, f, pe);
}

const struct machine_part machine_counted_units_part = {
    MACHINE_PART_STATE(counted),
    MACHINE_PART_FIELDS(machine_counted_units),
    .make = make,
    .gates = {&gate},
    .finish = finish,
    .next = next,
    .waits = waits,
    .each = each,
    .begin_part = begin_part,
    .show = show,
};
