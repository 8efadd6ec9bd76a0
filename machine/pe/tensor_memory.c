#include "machine/pe/tensor_memory.h"

#include "isa/exec/loop_constant.h"
#include "isa/fire/fire_apply.h"
#include "isa/op_columns.h"
#include "machine/events.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/structure_memory.h"
#include "machine/state_table.h"
#include "machine/verify.h"

/* Copy of a tensor in a memory, with the list of kernels that wait for the copy. */
#define TENSOR_COPY_FIELDS(F)                                                            \
    F(NUMBER, uint32_t, memory)                                                          \
    F(NUMBER, uint32_t, first)                                                           \
    F(NUMBER, uint32_t, last)                                                            \
    F(BOOL, is_here)
struct tensor_copy {
    TENSOR_COPY_FIELDS(LIB_STATE_MEMBER)
};

#define TENSOR_COPIES_FIELDS(F) F(EACH, tensor_copy, list)
struct tensor_copies {
    TENSOR_COPIES_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_TENSORS_FIELDS(F)                                                        \
    F(EACH, tensor_copies, of)  /* copies of each tensor, indexed by its number */       \
    F(EACH, isa_parked, parked) /* kernels that wait, and free entries */                \
    F(INITIAL, uint32_t, parked_free, ISA_PARKED_END)                                    \
    F(NUMBER, uint64_t, served)  /* requests issued so far */                            \
    F(NUMBER, uint64_t, brought) /* copies issued so far */                              \
    F(NUMBER, uint64_t, copied)  /* bytes of all current copies of tensors */            \
    /* messages (requests, copies, releases) issued in this cycle */                     \
    F(SCRATCH_VEC, const struct isa_token *, batch)
struct machine_tensors {
    MACHINE_TENSORS_FIELDS(LIB_STATE_MEMBER)
};

/* --- what is in tokens ------------------------------------------------------------------------ */

static const struct isa_structure *structure_of(const struct machine *m,
                                                isa_value reference)
{
    return isa_structures_get(&m->tokens.exec.structures, reference);
}

const struct isa_tensor *machine_tensor_at(const struct machine *m,
                                           const struct isa_instr *instr, bool port,
                                           isa_value value)
{
    if (!(instr->refers & (port ? ISA_REFERS_SECOND : ISA_REFERS_FIRST)))
        return NULL;
    const struct isa_structure *s = structure_of(m, value);
    return s->is_tensor ? s->tensor : NULL;
}

static uint64_t bytes_at(const struct machine *m, const struct isa_instr *instr,
                         bool port, isa_value value)
{
    const struct isa_tensor *tensor = machine_tensor_at(m, instr, port, value);
    return tensor ? tensor->bytes : 0;
}

/* Returns the bytes of all arguments of an APPLY, the last of which has arrived. */
static uint64_t bytes_of_arguments(const struct machine *m, const struct isa_token *t,
                                   const struct isa_instr *apply)
{
    const struct isa_code_site *site = &m->code->sites[apply->site];
    const isa_tag tag = isa_token_tag(t);
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < site->args; k++) {
        const struct isa_code_arg *arg = &m->code->args[site->first_arg + k];
        if (!arg->is_token)
            continue;
        const isa_value value = k == apply->index
                                    ? t->value
                                    : isa_fire_arg_slot(&m->tokens.exec,
                                                        *isa_fire_child_entry(
                                                            &m->tokens.exec, tag, apply),
                                                        k)
                                          ->value;
        bytes += bytes_at(m, &m->code->instrs[arg->instr], false, value);
    }
    return bytes;
}

/* (A STORE writes operand 1, which may be the waiting one.) */
uint64_t machine_tensor_bytes_of(const struct machine *m, const struct isa_token *t,
                                 bool is_request)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const bool port = isa_token_port(t);
    if (machine_token_mark(t) == MACHINE_MARK_COPY)
        return structure_of(m, t->value)->tensor->bytes;
    if (machine_token_mark(t) == MACHINE_MARK_RELEASE)
        return 0;
    if (m->about.by_reference || isa_token_is_dead(t))
        return 0;
    if (is_request && instr->op == ISA_OP_APPLY)
        return bytes_of_arguments(m, t, instr);
    if (is_request && isa_op_writes(instr->op) && instr->form == ISA_FORM_TWO && !port)
        return bytes_at(m, instr, true,
                        isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)->value);
    return bytes_at(m, instr, port, t->value);
}

void machine_tensor_sent(struct machine *m, uint32_t dest, isa_value value,
                         uint32_t count)
{
    if (m->about.by_reference)
        return;
    const uint64_t bytes = count *
                           bytes_at(m, &m->code->instrs[dest >> 1], dest & 1, value);
    m->watch.tensor_network_bytes += bytes;
    m->watch.network_bits += 8 * bytes;
}

/* --- memories --------------------------------------------------------------------------------- */

static uint32_t memory_of(const struct machine *m, uint32_t pe)
{
    return pe / m->memory_pes;
}

static struct tensor_copy *find_copy(const struct machine_tensors *s, isa_value tensor,
                                     uint32_t memory)
{
    const uint32_t number = isa_reference_structure(tensor);
    if (number >= s->of.count)
        return NULL;
    struct tensor_copies *copies = &s->of.items[number];
    for (size_t i = 0; i < copies->list.count; i++)
        if (copies->list.items[i].memory == memory)
            return &copies->list.items[i];
    return NULL;
}

static struct tensor_copy *new_copy(struct machine_tensors *s, isa_value tensor,
                                    uint32_t memory)
{
    const uint32_t number = isa_reference_structure(tensor);
    while (s->of.count <= number)
        *LIB_VEC_PUSH(&s->of) = (struct tensor_copies){0};
    struct tensor_copy *copy = LIB_VEC_PUSH(&s->of.items[number].list);
    *copy = (struct tensor_copy){memory, ISA_PARKED_END, ISA_PARKED_END, false};
    return copy;
}

static bool is_here(const struct machine *m, const struct machine_tensors *s,
                    isa_value tensor, uint32_t pe)
{
    const uint32_t memory = memory_of(m, pe);
    if (memory_of(m, machine_maker_of(structure_of(m, tensor))) == memory)
        return true;
    const struct tensor_copy *copy = find_copy(s, tensor, memory);
    return copy && copy->is_here;
}

static bool are_here(const struct machine *m, const struct machine_tensors *s,
                     const isa_value *tensors, unsigned count, uint32_t pe)
{
    while (count > 0 && is_here(m, s, tensors[count - 1], pe))
        count--;
    return count == 0;
}

/* Called when a tensor is freed: frees all its copies. */
static void forget_copies(void *context, uint32_t number, uint64_t bytes)
{
    struct machine_tensors *s = ((struct machine *)context)->tensors;
    if (number >= s->of.count)
        return;
    struct tensor_copies *copies = &s->of.items[number];
    for (size_t i = 0; i < copies->list.count; i++) {
        assert(copies->list.items[i].first == ISA_PARKED_END);
        s->copied -= copies->list.items[i].is_here ? bytes : 0;
    }
    copies->list.count = 0;
}

/* --- kernels ---------------------------------------------------------------------------------- */

bool machine_tensor_operands(const struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr, isa_value *a, isa_value *b)
{
    const struct isa_exec *x = &m->tokens.exec;
    const bool port = isa_token_port(t);
    const struct isa_slot *other;
    *a = instr->form == ISA_FORM_SECOND ? instr->value : t->value;
    *b = instr->form == ISA_FORM_SECOND ? t->value : instr->value;
    if (isa_token_is_dead(t))
        return false;
    if (instr->form == ISA_FORM_TWO) {
        other = isa_exec_slot(x, isa_token_tag(t), instr);
        if (!isa_slot_is_waiting(other) || isa_slot_is_dead(other) ||
            isa_slot_port(other) == port)
            return false;
    } else if (instr->form == ISA_FORM_HELD) {
        other = isa_loop_constant_slot(x, isa_token_tag(t), instr);
        if (!isa_slot_is_held(other))
            return false;
    } else {
        return true;
    }
    *a = port ? other->value : t->value;
    *b = port ? t->value : other->value;
    return true;
}

unsigned machine_tensor_read(const struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr, isa_value *tensors)
{
    const unsigned count = isa_op_tensors_read((enum isa_op)instr->op);
    if (!count || !machine_tensor_operands(m, t, instr, &tensors[0], &tensors[1]))
        return 0;
    return count;
}

struct isa_slot *machine_tensor_partner(const struct machine *m,
                                        const struct isa_token *t,
                                        const struct isa_instr *instr)
{
    return instr->form == ISA_FORM_TWO
               ? isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)
               : NULL;
}

bool machine_tensor_collides(const struct isa_token *t, const struct isa_slot *partner)
{
    return partner && isa_slot_is_waiting(partner) && partner->info & ISA_SLOT_SENT &&
           machine_token_mark(t) != MACHINE_MARK_PARKED;
}

/* --- messages --------------------------------------------------------------------------------- */

static uint32_t pe_of_reader(const struct machine *m, const struct isa_token *t)
{
    return machine_pe_of_token(m, t);
}

uint32_t machine_tensor_home(const struct machine *m, const struct isa_token *t)
{
    return machine_maker_of(structure_of(m, t->value));
}

static void send_message(struct machine *m, struct isa_token *t,
                         enum machine_tensor_mark mark, uint32_t from, uint32_t to,
                         uint64_t when)
{
    const enum traces_event_kind kind = mark == MACHINE_MARK_RELEASE
                                            ? TRACES_EVENT_RELEASE
                                            : TRACES_EVENT_FETCH;
    machine_token_set_mark(t, mark);
    machine_token_move_to(t, machine_network_place(&m->network, from, to));
    m->tokens.pes[from].stats.network_tokens++;
    m->watch.network_bits += machine_bits_on_way(m, t, mark == MACHINE_MARK_REQUEST);
    m->watch.tensor_network_bytes += machine_carried_bytes(m, t, false);
    *machine_wheel_put(machine_network_list(&m->network, when), 1) = *t;
    if (m->has_queues)
        machine_backpressure_sent(m, from, to, 1);
    if (m->watch.events)
        machine_emit_moved(m, kind, from, to, when, t);
}

static void send(struct machine *m, struct isa_token *t, enum machine_tensor_mark mark,
                 uint64_t delay)
{
    const bool asks = mark == MACHINE_MARK_REQUEST;
    const uint32_t home = machine_tensor_home(m, t), reader = pe_of_reader(m, t);
    send_message(m, t, mark, asks ? reader : home, asks ? home : reader,
                 m->run.cycle + delay);
}

static void ask(struct machine *m, const struct isa_token *kernel, bool port,
                isa_value tensor)
{
    struct isa_token request = {
        .value = tensor,
        .key = isa_token_key(isa_token_instr(kernel) << 1 | port, isa_token_tag(kernel)),
    };
    m->tokens.exec.counts.live++;
    isa_activations_get(&m->tokens.exec.tags, isa_token_tag(kernel))->live++;
    isa_structures_hold(&m->tokens.exec.structures, tensor, 1);
    m->watch.counts.tensor_fetches++;
    send(m, &request, MACHINE_MARK_REQUEST,
         traces_machine_request(&m->about, machine_token_pe(kernel)));
}

static void park(struct machine *m, struct machine_tensors *s,
                 const struct isa_token *kernel, struct tensor_copy *copy)
{
    uint32_t at = s->parked_free;
    if (at == ISA_PARKED_END) {
        at = (uint32_t)s->parked.count;
        (void)LIB_VEC_PUSH(&s->parked);
    } else {
        s->parked_free = s->parked.items[at].next;
    }
    s->parked.items[at] = (struct isa_parked){*kernel, ISA_PARKED_END};
    machine_token_set_mark(&s->parked.items[at].token, MACHINE_MARK_PARKED);
    if (copy->first == ISA_PARKED_END)
        copy->first = at;
    else
        s->parked.items[copy->last].next = at;
    copy->last = at;
    m->tokens.exec.counts.waiting++;
}

/* Requests operands that are not here and not requested yet, in order. If there are some, parks the
 * token until the first is here, and returns true. */
static bool wait_for(struct machine *m, struct machine_tensors *s,
                     const struct isa_token *t, const struct isa_instr *instr,
                     unsigned count, const isa_value *tensors)
{
    const uint32_t pe = machine_token_pe(t), memory = memory_of(m, pe);
    isa_value first = 0;
    bool waits = false;
    for (unsigned i = 0; i < count; i++) {
        if (is_here(m, s, tensors[i], pe))
            continue;
        if (!find_copy(s, tensors[i], memory)) {
            new_copy(s, tensors[i], memory);
            ask(m, t, i, tensors[i]);
        }
        first = waits ? first : tensors[i];
        waits = true;
    }
    struct isa_slot *partner = machine_tensor_partner(m, t, instr);
    if (waits)
        park(m, s, t, find_copy(s, first, memory));
    if (partner && count) {
        partner->info &= ~(uint64_t)ISA_SLOT_SENT;
        partner->info |= waits ? ISA_SLOT_SENT : 0;
    }
    return waits;
}

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)state;
    return machine_tensors_are_fetched(m) && isa_op_is_on_tensors(op);
}

static enum machine_verdict ask_memory(struct machine *m, void *state,
                                       struct machine_passage *p)
{
    const struct isa_token *t = p->token;
    isa_value tensors[2];
    if (machine_tensor_collides(t, machine_tensor_partner(m, t, p->instr)))
        return machine_tensor_trap(p);
    p->changed = *t;
    p->token = &p->changed;
    machine_token_set_mark(&p->changed, MACHINE_MARK_NONE);
    const unsigned count = machine_tensor_read(m, p->token, p->instr, tensors);
    if (p->foresees)
        return are_here(m, state, tensors, count, machine_token_pe(t))
                   ? MACHINE_GATE_OPENS
                   : MACHINE_GATE_HOLDS;
    if (!wait_for(m, state, p->token, p->instr, count, tensors))
        return MACHINE_GATE_OPENS;
    p->how = TRACES_OUTCOME_FETCHES;
    return machine_has_memory(m, m->tokens.exec.counts.live) ? MACHINE_GATE_HOLDS
                                                             : MACHINE_GATE_STOPS;
}

static const struct machine_gate gate = {MACHINE_GATE_MEMORY, concerns, ask_memory,
                                         .is_foreseen = true};

static void wake(struct machine *m, struct machine_tensors *s, struct tensor_copy *copy)
{
    for (uint32_t at = copy->first, next; at != ISA_PARKED_END; at = next) {
        const struct isa_token *t = &s->parked.items[at].token;
        const uint64_t when = m->run.cycle +
                              traces_machine_request(&m->about, machine_token_pe(t));
        *machine_wheel_put(machine_wheel_at(&m->tokens.formed, when), 1) = *t;
        if (m->watch.events)
            machine_emit_moved(m, TRACES_EVENT_WOKEN, machine_token_pe(t), 0, when, t);
        if (m->has_queues)
            m->tokens.pes[machine_token_pe(t)].came++;
        next = s->parked.items[at].next;
        s->parked.items[at].next = s->parked_free;
        s->parked_free = at;
        m->tokens.exec.counts.waiting--;
    }
    copy->first = copy->last = ISA_PARKED_END;
}

/* Takes a copy of a tensor that has arrived. A kernel that asked for it is parked or waits to be
 * issued, so nothing is freed here. */
static void bring(struct machine *m, struct machine_tensors *s, const struct isa_token *t)
{
    struct tensor_copy *copy = find_copy(s, t->value, memory_of(m, machine_token_pe(t)));
    copy->is_here = true;
    s->brought++;
    s->copied += structure_of(m, t->value)->tensor->bytes;
    wake(m, s, copy);
    m->tokens.exec.counts.live--;
    isa_activations_get(&m->tokens.exec.tags, isa_token_tag(t))->live--;
    assert(isa_activations_get(&m->tokens.exec.tags, isa_token_tag(t))->live > 0);
    isa_structures_drop(&m->tokens.exec.structures, t->value);
}

/* --- releases --------------------------------------------------------------------------------- */

void machine_releases_send(struct machine *m)
{
    struct isa_shares *s = m->tokens.exec.tags.shares;
    for (size_t i = 0; i < s->left.count; i++) {
        const struct isa_left *left = &s->left.items[i];
        const struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags,
                                                             left->tag);
        struct isa_token t = {
            .value = s->releases - s->left.count + i,
            .key = isa_token_key(m->code->first_of_site[a->site] << 1, left->tag)};
        m->tokens.exec.counts.live++;
        const uint32_t from = left->machine * m->machine_pes + machine_place_of(a);
        send_message(m, &t, MACHINE_MARK_RELEASE, from, machine_pe_of_token(m, &t),
                     m->run.cycle + traces_machine_request(&m->about, from));
    }
    s->left.count = 0;
}

/* Takes a release, which frees the activation if nothing else of it is alive. */
static void come(struct machine *m, const struct isa_token *t)
{
    const isa_tag tag = isa_token_tag(t);
    m->tokens.exec.counts.live--;
    if (--isa_activations_get(&m->tokens.exec.tags, tag)->live > 0)
        return;
    isa_activations_drop(&m->tokens.exec.tags, tag);
    isa_loop_constant_give_up(&m->tokens.exec);
    machine_releases_send(m);
}

static enum traces_outcome outcome_of(enum machine_tensor_mark mark)
{
    if (mark == MACHINE_MARK_RELEASE)
        return TRACES_OUTCOME_RELEASES;
    return mark == MACHINE_MARK_REQUEST ? TRACES_OUTCOME_SERVES : TRACES_OUTCOME_BRINGS;
}

void machine_tensor_select(struct machine *m, const struct isa_token *t)
{
    *LIB_VEC_PUSH(&m->tensors->batch) = t;
}

uint64_t machine_tensor_messages(const struct machine *m)
{
    return m->tensors ? m->tensors->served + m->tensors->brought : 0;
}

static bool finish(struct machine *m, void *state)
{
    struct machine_tensors *s = state;
    for (size_t i = 0; i < s->batch.count; i++) {
        struct isa_token t = *s->batch.items[i];
        const enum machine_tensor_mark mark = machine_token_mark(&t);
        m->tokens.pes[machine_token_pe(&t)].stats.turns++;
        if (m->watch.events) {
            machine_emit_taken(m, machine_token_pe(&t), &t);
            machine_emit_how(m, outcome_of(mark));
        }
        if (mark == MACHINE_MARK_RELEASE) {
            come(m, &t);
        } else if (mark == MACHINE_MARK_REQUEST) {
            s->served++;
            send(m, &t, MACHINE_MARK_COPY,
                 traces_machine_latency(&m->about, machine_token_pe(&t), ISA_OP_FETCH));
        } else {
            bring(m, s, &t);
        }
    }
    s->batch.count = 0;
    return true;
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    const bool are_fetched = machine_tensors_are_fetched(m);
    (void)state;
    m->kernels_wait |= are_fetched;
    m->tokens.exec.structures.tensor_gone = are_fetched ? forget_copies : NULL;
    m->tokens.exec.structures.context = m;
    return are_fetched ||
           (m->tokens.exec.tags.shares && m->tokens.exec.tags.shares->tells);
}

LIB_STATE(struct machine, isa_parked, ISA_PARKED_FIELDS)
LIB_STATE(struct machine, tensor_copy, TENSOR_COPY_FIELDS)
LIB_STATE(struct machine, tensor_copies, TENSOR_COPIES_FIELDS)
LIB_STATE(struct machine, machine_tensors, MACHINE_TENSORS_FIELDS)

static void free_tensors(struct machine *m, void *state)
{
    machine_tensors_fields_free(m, state);
    m->tokens.exec.structures.tensor_gone = NULL;
}

static uint64_t next(struct machine *m, void *state)
{
    (void)m, (void)state;
    return MACHINE_NEVER;
}

static bool reads_here(const struct machine *m, const struct isa_token *t,
                       uint32_t memory)
{
    const uint32_t pe = pe_of_reader(m, t);
    return pe < m->pe_count && memory_of(m, pe) == memory;
}

static void show_parked(const struct machine *m, const struct machine_tensors *s,
                        struct machine_audit *f, const struct tensor_copy *copy,
                        size_t *seen)
{
    uint32_t last = ISA_PARKED_END;
    for (uint32_t at = copy->first; at != ISA_PARKED_END; at = s->parked.items[at].next) {
        if (!machine_must(f, at < s->parked.count && ++*seen <= s->parked.count,
                          "a kernel is parked once") ||
            !machine_audit_parked(f, &s->parked.items[at].token) ||
            !machine_must(f,
                          machine_token_mark(&s->parked.items[at].token) ==
                                  MACHINE_MARK_PARKED &&
                              reads_here(m, &s->parked.items[at].token, copy->memory),
                          "a kernel is parked where its tensor comes"))
            return;
        last = at;
    }
    machine_must(f, last == copy->last && (last == ISA_PARKED_END || !copy->is_here),
                 "the last kernel that is parked is known");
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_tensors *s = state;
    size_t seen = 0;
    uint64_t copied = 0;
    for (size_t i = 0; i < s->of.count; i++)
        for (size_t k = 0; k < s->of.items[i].list.count; k++) {
            const struct tensor_copy *copy = &s->of.items[i].list.items[k];
            const struct isa_structures *all = &m->tokens.exec.structures;
            if (!machine_must(f,
                              i < all->all.count && all->all.items[i].is_alive &&
                                  all->all.items[i].is_tensor,
                              "a copy is that of a tensor"))
                return;
            copied += copy->is_here ? all->all.items[i].tensor->bytes : 0;
            show_parked(m, s, f, copy, &seen);
        }
    for (uint32_t at = s->parked_free; at != ISA_PARKED_END;
         at = s->parked.items[at].next)
        if (!machine_must(f, at < s->parked.count && ++seen <= s->parked.count,
                          "a place for kernels is free, or in use"))
            return;
    machine_must(f, seen == s->parked.count, "every place for kernels is listed");
    machine_must(f, copied == s->copied, "bytes of copies are counted");
}

static void observe(struct machine *m, void *state)
{
    const struct machine_tensors *s = state;
    const uint64_t copied = s->copied, peak = m->watch.counts.peak_tensor_copies;
    m->watch.counts.peak_tensor_copies = copied > peak ? copied : peak;
}

/* A request for a tensor is formed, or the read of its copy. */
static uint64_t delay(const struct machine *m, const void *state)
{
    const uint64_t reads = traces_machine_max_latency(&m->about, ISA_OP_FETCH);
    const uint64_t request = traces_machine_max_request(&m->about);
    (void)state;
    if (!machine_tensors_are_fetched(m))
        return 0;
    return reads > request ? reads : request;
}

const struct machine_part machine_tensor_part = {
    MACHINE_PART_STATE(tensors),
    .make = make,
    .delay = delay,
    .free = free_tensors,
    .reset = machine_tensors_fields_clear,
    .gates = {&gate},
    .finish = finish,
    .next = next,
    .observe = observe,
    .pack = machine_tensors_fields_pack,
    .show = show,
};
