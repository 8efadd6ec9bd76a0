#include "machine/pe/swap.h"

#include "isa/op_columns.h"
#include "isa/exec/tensors.h"
#include "machine/events.h"
#include "machine/pe/match.h"
#include "machine/pe/resident.h"
#include "machine/pe/swap_room.h"
#include "machine/pe/swap_served.h"
#include "machine/pe/tensor_unit.h"
#include "machine/verify.h"

static struct machine_swapped *swapped_of(struct machine_swap *swap, uint32_t number)
{
    while (swap->of.count <= number)
        *LIB_VEC_PUSH(&swap->of) = (struct machine_swapped){0};
    return &swap->of.items[number];
}

/* --- tensors that rest ----------------------------------------------------------------------- */

/* An entry of a list is valid as long as the tensor has its stamp. */
static bool is_resting(const struct machine_swap *swap,
                       const struct machine_list_entry *e)
{
    const struct machine_swapped *s = &swap->of.items[e->number];
    return s->waiting > 0 && s->since == e->stamp && !s->moved;
}

static bool is_out(const struct machine_swap *swap, const struct machine_list_entry *e)
{
    const struct machine_swapped *s = &swap->of.items[e->number];
    return s->where == MACHINE_SWAP_OUT && s->moved == e->stamp;
}

static bool leaves(const struct machine_swap *swap, const struct machine_list_entry *e)
{
    const struct machine_swapped *s = &swap->of.items[e->number];
    return s->where == MACHINE_SWAP_LEAVES && s->moved == e->stamp;
}

static void forget_old(struct machine_swap *swap, struct machine_memory *memory)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->resting.count; i++)
        if (is_resting(swap, &memory->resting.items[i]))
            memory->resting.items[kept++] = memory->resting.items[i];
    memory->resting.count = kept;
}

/* Counts an operand that begins to wait in a slot. */
static void wait(struct machine *m, struct machine_swap *swap, uint32_t number)
{
    struct machine_swapped *s = swapped_of(swap, number);
    struct machine_memory *memory = machine_memory_of(m, swap, number);
    if (s->waiting++ > 0)
        return;
    memory->waiting++;
    s->since = ++swap->stamp;
    *LIB_VEC_PUSH(&memory->resting) = (struct machine_list_entry){number, s->since};
    if (memory->resting.count > 2 * memory->waiting + 64)
        forget_old(swap, memory);
}

static void ask(struct machine_memory *memory, uint32_t number, struct machine_swapped *s)
{
    s->asked = true;
    *LIB_VEC_PUSH(&memory->asked) = (struct machine_list_entry){number, s->moved};
}

static void keep(struct machine *m, struct machine_swap *swap, uint32_t number,
                 struct machine_swapped *s)
{
    if (s->where != MACHINE_SWAP_LEAVES)
        return;
    s->where = MACHINE_SWAP_HERE;
    s->move = 0;
    machine_memory_of(m, swap, number)->leaving -= machine_swap_bytes(m, number);
}

/* Notes that a tensor that was moved out is used. */
static void use(struct machine *m, struct machine_swap *swap, uint32_t number,
                struct machine_swapped *s)
{
    struct machine_memory *memory = machine_memory_of(m, swap, number);
    memory->ahead -= s->ahead;
    s->ahead = false;
    keep(m, swap, number, s);
    if (s->where == MACHINE_SWAP_OUT && !s->asked) {
        memory->unasked--;
        ask(memory, number, s);
    }
    memory->fetches = memory->ahead < m->settings.swap_prefetch && memory->unasked > 0;
}

/* Counts an operand that no longer waits in a slot. */
static void leave(struct machine *m, struct machine_swap *swap, uint32_t number)
{
    struct machine_swapped *s = &swap->of.items[number];
    assert(number < swap->of.count && s->waiting > 0);
    if (--s->waiting == 0)
        machine_memory_of(m, swap, number)->waiting--;
    if (s->moved)
        use(m, swap, number, s);
}

/* Called when a token is about to wait in a slot or meets its partner there. */
static void meet(struct machine *m, struct machine_swap *swap, const struct isa_token *t,
                 const struct isa_instr *instr)
{
    const struct isa_slot *slot = isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr);
    const bool port = isa_token_port(t);
    if (isa_slot_is_waiting(slot)) {
        const bool left = slot->info & ISA_SLOT_SENT &&
                          !isa_op_accesses_element(instr->op);
        if (isa_slot_port(slot) != port && !isa_slot_is_dead(slot) && !left &&
            machine_tensor_at(m, instr, !port, slot->value))
            leave(m, swap, isa_reference_structure(slot->value));
    } else if (!isa_token_is_dead(t) && machine_tensor_at(m, instr, port, t->value)) {
        wait(m, swap, isa_reference_structure(t->value));
    }
}

static void note_tensor(void *context, uint32_t number)
{
    struct machine *m = context;
    machine_resident_note(m, machine_memory_of(m, m->swap, number)->resident);
}

static void note_array(void *context, uint32_t pe_number, uint64_t first, uint64_t end)
{
    struct machine *m = context;
    const struct machine_swap *swap = m->swap;
    (void)pe_number;
    for (uint32_t i = 0; first < end && i < swap->memory_count; i++)
        machine_resident_note(m, swap->memories[i].resident);
}

/* Called when a tensor is freed, to which no waiting operand refers. */
static void forget(void *context, uint32_t number, uint64_t bytes)
{
    struct machine *m = context;
    struct machine_swap *swap = m->swap;
    struct machine_memory *memory = machine_memory_of(m, swap, number);
    struct machine_swapped *s = swapped_of(swap, number);
    assert(s->waiting == 0 && !s->ahead && s->where != MACHINE_SWAP_LEAVES);
    memory->resident -= s->where == MACHINE_SWAP_OUT ? 0 : bytes;
    *s = (struct machine_swapped){0};
}

/* --- kernels ---------------------------------------------------------------------------------- */

static bool has_tensors(const struct machine *m, const struct machine_swap *swap,
                        const struct isa_token *t, const struct isa_instr *instr)
{
    isa_value tensors[2];
    const unsigned count = machine_tensor_read(m, t, instr, tensors);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t number = isa_reference_structure(tensors[i]);
        if (number < swap->of.count &&
            (swap->of.items[number].where == MACHINE_SWAP_OUT ||
             swap->of.items[number].where == MACHINE_SWAP_COMES))
            return false;
    }
    return true;
}

/* Called when a kernel that waited fires: stops its tensors from moving out. */
static void keep_tensors(struct machine *m, struct machine_swap *swap,
                         const struct isa_token *t)
{
    isa_value tensors[2];
    const unsigned count = machine_tensor_read(m, t, &m->code->instrs[isa_token_instr(t)],
                                               tensors);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t number = isa_reference_structure(tensors[i]);
        keep(m, swap, number, swapped_of(swap, number));
    }
}

/* Whether there is room for the result of an instruction: `made` bytes, or array elements. */
static bool has_room_for(struct machine *m, struct machine_swap *swap,
                         const struct isa_token *t, const struct isa_instr *instr,
                         uint64_t made)
{
    if (isa_op_makes_array(instr->op))
        return machine_room_for_array(m, swap, machine_token_pe(t), made);
    return made == 0 || machine_room_for_bytes(
                            m, machine_memory_at(m, swap, machine_token_pe(t)), made);
}

/* Whether a kernel can fire; if so, takes the room for its result. */
static bool admit(struct machine *m, struct machine_swap *swap, const struct isa_token *t,
                  const struct isa_instr *instr, uint64_t made)
{
    if (!has_tensors(m, swap, t, instr) || !has_room_for(m, swap, t, instr, made))
        return false;
    if (isa_op_makes_array(instr->op))
        machine_room_take_array(m, swap, machine_token_pe(t), made);
    else
        machine_memory_at(m, swap, machine_token_pe(t))->resident += made;
    return true;
}

/* Returns the bytes or elements of the result of an instruction; 0 if it traps. */
static uint64_t made_of(const struct machine *m, const struct isa_instr *instr,
                        isa_value a, isa_value b)
{
    struct isa_row row;
    if (instr->op == ISA_OP_ROW) {
        (void)isa_tensors_find_row(&m->tokens.exec, instr, a, b, &row);
        return row.length;
    }
    if (instr->op == ISA_OP_CONSTRUCT)
        return sizeof(isa_value) *
               (uint64_t)m->code->graph->constructors[instr->index].field_count;
    if (instr->op == ISA_OP_GIVEN)
        return m->code->constants[instr->index]->count;
    if (instr->op == ISA_OP_OPEN)
        return isa_ports_fed(&m->tokens.exec, instr->index);
    if (!isa_op_allocates(instr->op))
        return isa_tensors_made_bytes(&m->tokens.exec, instr, a, b);
    return isa_value_int(a) < 0 ? 0 : (uint64_t)isa_value_int(a);
}

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return isa_op_is_on_tensors(op) || isa_op_allocates(op) || op == ISA_OP_OPEN ||
           op == ISA_OP_GIVEN || op == ISA_OP_CONSTRUCT;
}

static enum machine_verdict ask_memory(struct machine *m, void *state,
                                       struct machine_passage *p)
{
    struct machine_swap *swap = state;
    const struct isa_token *t = p->token;
    const struct isa_instr *instr = p->instr;
    struct isa_slot *partner = machine_tensor_partner(m, t, instr);
    isa_value a, b;
    if (partner && isa_slot_is_waiting(partner) && partner->info & ISA_SLOT_SENT)
        return machine_tensor_trap(p);
    if (!machine_tensor_operands(m, t, instr, &a, &b))
        return MACHINE_GATE_OPENS;
    const uint64_t bytes = made_of(m, instr, a, b);
    const bool is_admitted = admit(m, swap, t, instr, bytes);
    if (is_admitted && !machine_tensor_units_hold(m, instr->op))
        return MACHINE_GATE_OPENS;
    if (partner) { /* the kernel waits, here or at its bank: the operand is its own */
        meet(m, swap, t, instr);
        partner->info |= ISA_SLOT_SENT;
    }
    if (is_admitted)
        return MACHINE_GATE_OPENS;
    *LIB_VEC_PUSH(&swap->held) = (struct machine_held_kernel){*t, bytes, m->run.cycle};
    m->watch.counts.memory_stalls++;
    p->how = TRACES_OUTCOME_UNROOMED;
    return machine_has_memory(m, m->tokens.exec.counts.live) ? MACHINE_GATE_HOLDS
                                                             : MACHINE_GATE_STOPS;
}

static bool begins(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state, (void)op;
    return true;
}

static uint64_t begin_firing(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    struct machine_swap *swap = state;
    if (machine_is_of_two(t, instr))
        meet(m, swap, t, instr);
    return 0;
}

static const struct machine_gate gate = {MACHINE_GATE_MEMORY, concerns, ask_memory,
                                         false};

static bool could_go_on(struct machine *m, struct machine_swap *swap,
                        const struct machine_held_kernel *held)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(&held->token)];
    return has_tensors(m, swap, &held->token, instr) &&
           has_room_for(m, swap, &held->token, instr, machine_room_made(m, held));
}

/* --- moves ------------------------------------------------------------------------------------ */

static uint64_t move(struct machine *m, struct machine_swap *swap, uint32_t number,
                     uint64_t *free_at, bool out)
{
    const uint64_t rate = m->settings.swap_bandwidth,
                   bytes = machine_swap_bytes(m, number);
    const uint64_t occupied = rate ? bytes / rate + (bytes % rate != 0) : 0;
    const uint64_t takes = occupied + m->settings.swap_latency;
    *free_at = m->run.cycle + occupied;
    *LIB_VEC_PUSH(&swap->moves) = (struct machine_move){
        number, ++swap->stamp, m->run.cycle + (takes ? takes : 1)};
    if (out)
        m->watch.counts.swap_out_bytes += bytes;
    else
        m->watch.counts.swap_in_bytes += bytes;
    if (m->watch.events)
        machine_emit_move(
            m, machine_maker_of(machine_swap_tensor(m, number)) / m->memory_pes, !out,
            bytes, *free_at);
    return swap->stamp;
}

static void end_moves(struct machine *m, struct machine_swap *swap)
{
    size_t kept = 0;
    for (size_t i = 0; i < swap->moves.count; i++) {
        const struct machine_move ends = swap->moves.items[i];
        struct machine_swapped *s = &swap->of.items[ends.number];
        if (ends.end > m->run.cycle) {
            swap->moves.items[kept++] = ends;
            continue;
        }
        if (s->move != ends.stamp) /* the tensor stayed, or was freed */
            continue;
        s->move = 0;
        if (s->where == MACHINE_SWAP_COMES) {
            s->where = MACHINE_SWAP_HERE;
            continue;
        }
        struct machine_memory *memory = machine_memory_of(m, swap, ends.number);
        s->where = MACHINE_SWAP_OUT;
        memory->resident -= machine_swap_bytes(m, ends.number);
        memory->leaving -= machine_swap_bytes(m, ends.number);
        if (machine_swap_held(m, swap, ends.number))
            ask(memory, ends.number, s);
        else
            memory->unasked++;
    }
    swap->moves.count = kept;
}

/* Returns the tensor requested first that is still out, or NULL. */
static const struct machine_list_entry *first_asked(const struct machine_swap *swap,
                                                    struct machine_memory *memory)
{
    while (memory->asked_from < memory->asked.count) {
        const struct machine_list_entry *e = &memory->asked.items[memory->asked_from];
        if (is_out(swap, e))
            return e;
        memory->asked_from++;
    }
    memory->asked.count = memory->asked_from = 0;
    return NULL;
}

static uint32_t next_back(struct machine *m, struct machine_swap *swap,
                          struct machine_memory *memory)
{
    const struct machine_list_entry *asked = first_asked(swap, memory);
    if (swap->served)
        return machine_served_back(m, swap, memory);
    if (asked)
        return machine_room_for_bytes(m, memory, machine_swap_bytes(m, asked->number))
                   ? asked->number
                   : ISA_STRUCTURE_NONE;
    if (!memory->fetches)
        return ISA_STRUCTURE_NONE;
    while (memory->moved.count) { /* tensors that are moving out are skipped */
        size_t at = memory->moved.count;
        while (at > 0 && leaves(swap, &memory->moved.items[at - 1]))
            at--;
        const struct machine_list_entry *e = at ? &memory->moved.items[at - 1] : NULL;
        if (e && is_out(swap, e) && !swap->of.items[e->number].asked)
            return memory->resident + machine_swap_bytes(m, e->number) <=
                           m->settings.swap_threshold
                       ? e->number
                       : ISA_STRUCTURE_NONE;
        if (!e)
            return ISA_STRUCTURE_NONE;
        memmove(&memory->moved.items[at - 1], &memory->moved.items[at],
                (memory->moved.count - at) * sizeof *memory->moved.items);
        memory->moved.count--;
    }
    return ISA_STRUCTURE_NONE;
}

static void begin_back(struct machine *m, struct machine_swap *swap,
                       struct machine_memory *memory, uint32_t number)
{
    struct machine_swapped *s = &swap->of.items[number];
    memory->resident += machine_swap_bytes(m, number);
    machine_resident_note(m, memory->resident);
    s->where = MACHINE_SWAP_COMES;
    if (!s->asked) {
        s->ahead = true;
        memory->ahead++;
        memory->unasked--;
        memory->fetches = memory->ahead < m->settings.swap_prefetch &&
                          memory->unasked > 0;
    }
    s->asked = false;
    s->move = move(m, swap, number, &memory->back_free, false);
}

/* Whether a tensor or kernel has no room, and no tensor is moving out. */
static bool lacks_room(struct machine *m, struct machine_swap *swap,
                       struct machine_memory *memory)
{
    if (memory->leaving)
        return false;
    const struct machine_list_entry *asked = first_asked(swap, memory);
    if (asked && !machine_room_for_bytes(m, memory, machine_swap_bytes(m, asked->number)))
        return true;
    for (size_t i = 0; i < swap->held.count; i++) {
        const uint64_t bytes = machine_room_for_kernel(m, swap, memory,
                                                       &swap->held.items[i]);
        if (bytes && !machine_room_for_bytes(m, memory, bytes))
            return true;
    }
    return false;
}

static uint32_t next_out(struct machine *m, struct machine_swap *swap,
                         struct machine_memory *memory)
{
    const struct machine_settings *s = &m->settings;
    if (swap->served)
        return machine_served_out(m, swap, memory);
    if (s->swap_threshold == 0 ||
        (memory->resident - memory->leaving <= s->swap_threshold &&
         !lacks_room(m, swap, memory)))
        return ISA_STRUCTURE_NONE;
    for (size_t i = 0; i < memory->resting.count; i++) {
        const struct machine_list_entry *e = &memory->resting.items[i];
        if (is_resting(swap, e) &&
            machine_swap_tensor(m, e->number)->references ==
                swap->of.items[e->number].waiting &&
            machine_swap_bytes(m, e->number) >= s->swap_smallest)
            return e->number;
    }
    return ISA_STRUCTURE_NONE;
}

static void begin_out(struct machine *m, struct machine_swap *swap,
                      struct machine_memory *memory, uint32_t number)
{
    struct machine_swapped *s = swapped_of(swap, number);
    memory->ahead -= s->ahead;
    s->ahead = false;
    memory->leaving += machine_swap_bytes(m, number);
    s->where = MACHINE_SWAP_LEAVES;
    s->move = s->moved = move(m, swap, number, &memory->out_free, true);
    *LIB_VEC_PUSH(&memory->moved) = (struct machine_list_entry){number, s->moved};
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_swap *swap = state;
    if (m->settings.memory_capacity == 0 || machine_tensors_are_fetched(m) || m->nodes)
        return false;
    swap->memory_count = m->pe_count / m->memory_pes;
    swap->memories = lib_mem_new(swap->memory_count * sizeof *swap->memories);
    m->kernels_wait = true;
    m->tokens.exec.structures.tensor_made = note_tensor;
    m->tokens.exec.structures.tensor_gone = forget;
    m->tokens.exec.structures.array_made = note_array;
    m->tokens.exec.structures.array_gone = machine_room_forget_array;
    m->tokens.exec.structures.context = m;
    return true;
}

LIB_STATE(struct machine, machine_swapped, MACHINE_SWAPPED_FIELDS)
LIB_STATE(struct machine, machine_list_entry, MACHINE_LIST_ENTRY_FIELDS)
LIB_STATE(struct machine, machine_memory, MACHINE_MEMORY_FIELDS)
LIB_STATE(struct machine, machine_move, MACHINE_MOVE_FIELDS)
LIB_STATE(struct machine, machine_held_kernel, MACHINE_HELD_KERNEL_FIELDS)
LIB_STATE(struct machine, machine_swap, MACHINE_SWAP_FIELDS)

static void serve(struct machine *m, void *state)
{
    struct machine_swap *swap = state;
    end_moves(m, swap);
    for (uint32_t i = 0; i < swap->memory_count; i++) {
        struct machine_memory *memory = &swap->memories[i];
        uint32_t number;
        while (memory->back_free <= m->run.cycle &&
               (number = next_back(m, swap, memory)) != ISA_STRUCTURE_NONE)
            begin_back(m, swap, memory, number);
        while (memory->out_free <= m->run.cycle &&
               (number = next_out(m, swap, memory)) != ISA_STRUCTURE_NONE)
            begin_out(m, swap, memory, number);
    }
}

/* Releases kernels that waited for memory. A released one may free memory for later ones. */
static bool resume(struct machine *m, void *state)
{
    struct machine_swap *swap = state;
    size_t at = 0;
    while (at < swap->held.count) {
        const struct machine_held_kernel held = swap->held.items[at];
        const struct isa_token *t = &held.token;
        if (!admit(m, swap, t, &m->code->instrs[isa_token_instr(t)],
                   machine_room_made(m, &held))) {
            at++;
            continue;
        }
        keep_tensors(m, swap, t);
        swap->served = swap->served == at + 1 ? 0 : swap->served - (swap->served > at);
        swap->held.count--;
        memmove(&swap->held.items[at], &swap->held.items[at + 1],
                (swap->held.count - at) * sizeof held);
        m->watch.counts.memory_stall_cycles += m->run.cycle - held.since;
        machine_emit_released(m, TRACES_HOLDER_MEMORY, t);
        if (!m->kind->pass(m, t, MACHINE_GATE_MEMORY, 0))
            return false;
    }
    return true;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t next(struct machine *m, void *state)
{
    struct machine_swap *swap = state;
    const uint64_t soon = m->run.cycle + 1;
    uint64_t next = MACHINE_NEVER;
    for (size_t i = 0; i < swap->held.count; i++)
        if (could_go_on(m, swap, &swap->held.items[i]))
            return soon;
    for (size_t i = 0; i < swap->moves.count; i++) {
        const struct machine_move *a = &swap->moves.items[i];
        if (swap->of.items[a->number].move == a->stamp && a->end < next)
            next = a->end;
    }
    for (uint32_t i = 0; i < swap->memory_count; i++) {
        struct machine_memory *memory = &swap->memories[i];
        const uint64_t back = later(memory->back_free, soon);
        const uint64_t out = later(memory->out_free, soon);
        if (back < next && next_back(m, swap, memory) != ISA_STRUCTURE_NONE)
            next = back;
        if (out < next && next_out(m, swap, memory) != ISA_STRUCTURE_NONE)
            next = out;
    }
    return next;
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    const struct machine_swap *swap = state;
    (void)m;
    return swap->held.count ? MACHINE_WAITS_FOR(STORE, "memory.capacity")
                            : MACHINE_WAITS_FOR(NOTHING, NULL);
}

static void begin_part(struct machine *m, void *state)
{
    const struct machine_swap *swap = state;
    for (uint32_t i = 0; i < swap->memory_count; i++)
        machine_resident_note(m, swap->memories[i].resident);
}

/* --- what holds ------------------------------------------------------------------------------- */

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_swap *swap = state;
    (void)m;
    for (size_t i = 0; i < swap->held.count; i++)
        if (!visit(context, &swap->held.items[i].token, MACHINE_TOKEN_WAITS))
            return false;
    return true;
}

static bool are_tensors(const struct machine_swap *swap,
                        const struct machine_entries *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].number >= swap->of.count)
            return false;
    return true;
}

struct reserved {
    const struct machine *m;
    uint64_t bytes;
};

/* Adds the bytes of the result of a kernel that waits at a bank. */
static bool add_reserved(void *context, const struct isa_token *t,
                         enum machine_token_place place)
{
    struct reserved *r = context;
    const struct isa_instr *instr = &r->m->code->instrs[isa_token_instr(t)];
    isa_value a, b;
    (void)place;
    if (machine_tensor_operands(r->m, t, instr, &a, &b))
        r->bytes += made_of(r->m, instr, a, b);
    return true;
}

static uint64_t reserved_bytes(const struct machine *m)
{
    struct reserved r = {m, 0};
    if (m->units)
        machine_tensor_unit_part.each(m, m->units, add_reserved, &r);
    return r.bytes;
}

/* Checks that the bytes of memories are those of arrays, of tensors that are not out, and of what
 * kernels at banks will make. */
static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_swap *swap = state;
    const struct isa_structures *all = &m->tokens.exec.structures;
    uint64_t resident = reserved_bytes(m), leaving = 0, unasked = 0, ahead = 0,
             waiting = 0;
    for (uint32_t i = 0; i < all->all.count; i++) {
        const struct isa_structure *t = &all->all.items[i];
        const struct machine_swapped none = {0};
        const struct machine_swapped *s = i < swap->of.count ? &swap->of.items[i] : &none;
        if (t->is_alive && !t->is_tensor)
            resident += 8 * (uint64_t)t->length;
        if (!t->is_alive || !t->is_tensor) {
            if (!machine_must(
                    f, s->waiting == 0 && s->moved == 0 && s->where == MACHINE_SWAP_HERE,
                    "what is not there does not rest"))
                return;
            continue;
        }
        if (!machine_must(
                f, s->where <= MACHINE_SWAP_COMES && machine_maker_of(t) < m->pe_count,
                "a tensor is in a memory, or out of it"))
            return;
        resident += s->where == MACHINE_SWAP_OUT ? 0 : t->tensor->bytes;
        leaving += s->where == MACHINE_SWAP_LEAVES ? t->tensor->bytes : 0;
        unasked += s->where == MACHINE_SWAP_OUT && !s->asked;
        ahead += s->ahead;
        waiting += s->waiting > 0;
    }
    for (uint32_t i = 0; i < swap->memory_count; i++) {
        const struct machine_memory *memory = &swap->memories[i];
        resident -= memory->resident;
        leaving -= memory->leaving;
        unasked -= memory->unasked;
        ahead -= memory->ahead;
        waiting -= memory->waiting;
        if (!machine_must(f,
                          are_tensors(swap, &memory->resting) &&
                              are_tensors(swap, &memory->moved) &&
                              are_tensors(swap, &memory->asked),
                          "what rests is a tensor"))
            return;
    }
    machine_must(f, !resident && !leaving && !unasked && !ahead && !waiting,
                 "bytes in memories are counted");
    machine_must(f, swap->served <= swap->held.count, "a kernel that is served waits");
    for (size_t i = 0; i < swap->moves.count; i++)
        machine_must(f, swap->moves.items[i].number < swap->of.count,
                     "what moves is a tensor");
}

const struct machine_part machine_swap_part = {
    MACHINE_PART_STATE(swap),
    .begins = begins,
    .begin_firing = begin_firing,
    MACHINE_PART_FIELDS(machine_swap),
    .make = make,
    .gates = {&gate},
    .serve = serve,
    .resume = resume,
    .next = next,
    .insist = machine_served_choose,
    .waits = waits,
    .begin_part = begin_part,
    .each = each,
    .check = check,
};
