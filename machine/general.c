/* The engine that knows every setting. */
#include "machine/engine.h"
#include "machine/reverse.h"

static struct isa_token *room(struct machine *m, struct machine_wheel_slot *slot,
                              uint32_t count)
{
    if (m->reverse)
        return machine_reverse_put(m, slot, count);
    return machine_wheel_put(slot, count);
}

static void emit(void *turn, const struct isa_instr *instr, isa_tag tag, isa_value value,
                 uint64_t depth, struct isa_code_list to, unsigned how)
{
    machine_emit(turn, (struct machine_sent){instr, tag, value, depth, to, how}, room);
}

/* --- selection ----------------------------------------------------------------------- */

static void select_of_pe(struct machine *m, uint32_t pe)
{
    struct machine_pe *p = &m->pes[pe];
    const uint64_t units = m->settings.pe_units;
    uint32_t count = machine_queue_count(&p->input);
    if (count > p->stats.peak_queue)
        p->stats.peak_queue = count;
    uint32_t turns = units && units < count ? (uint32_t)units : count;
    if (turns == count)
        machine_set_remove(&m->with_input, pe);
    for (; turns > 0; turns--)
        machine_select(m, m->code->instrs,
                       m->settings.queue_discipline == MACHINE_LIFO
                           ? machine_queue_newest(&p->input)
                           : machine_queue_oldest(&p->input));
}

static void select_turns(struct machine *m)
{
    uint32_t pe;
    if (m->reverse) {
        MACHINE_SET_EACH_DOWN(&m->with_input, pe)
        {
            select_of_pe(m, pe);
        }
        return;
    }
    MACHINE_SET_EACH(&m->with_input, pe)
    {
        select_of_pe(m, pe);
    }
}

/* --- turns --------------------------------------------------------------------------- */

/* Reads that waited for a cell are answered from the PE where they wait. */
static void answer_reads(struct machine_turn *turn, const struct isa_fire_to to)
{
    struct machine *m = turn->machine;
    for (uint32_t d = m->exec.released; d != ISA_DEFERRED_END;) {
        turn->place = machine_place(m, m->exec.deferred.items[d].tag);
        turn->pe = &m->pes[turn->place];
        if (m->reverse)
            machine_reverse_answer(m, d);
        d = isa_fire_answer(&m->exec, d, true, to);
    }
}

/* One token's turn; false: the run has ended. */
static bool take_turn(struct machine *m, const struct isa_token *t)
{
    struct isa_exec *x = &m->exec;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const enum isa_op op = instr->op;
    const uint64_t when = m->cycle + m->delay[op];
    struct machine_turn turn = {.machine = m,
                                .place = isa_token_place(t),
                                .pe = &m->pes[isa_token_place(t)],
                                .when = when,
                                .home = machine_wheel_at(&m->formed, when)};
    struct isa_firing firing = {0};
    const struct isa_fire_to to = {&x->counts, &firing, emit, &turn};
    const struct isa_fire_as as = {op, instr->form, m->code->propagate, true, true, true};
    if (m->reverse)
        machine_reverse_turn(m, turn.place);
    turn.pe->stats.tokens += instr->tokens > 0;
    m->starts -= instr->tokens == 0;
    enum isa_fired fired = isa_fire(x, t, instr, as, to);
    if (!machine_account(m, &turn, instr, op, fired, &firing) ||
        !machine_has_memory(m, x->counts.live))
        return false;
    if (fired == ISA_FIRED_LIVE && m->profile)
        traces_profile_fired(m->profile, m->cycle, firing.depth);
    if (fired <= ISA_FIRED_DEAD && when > m->quiet_cycle)
        m->quiet_cycle = when;
    if (m->reverse)
        machine_reverse_fired(m);
    if (op == ISA_OP_WRITE && fired == ISA_FIRED_LIVE)
        answer_reads(&turn, to);
    return true;
}

static bool take_turns(struct machine *m, struct machine_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        if (!take_turn(m, batch->items[i]))
            return false;
    batch->count = 0;
    if (m->reverse)
        machine_reverse_flush(m);
    return true;
}

void machine_general_execute(struct machine *m)
{
    uint32_t kind;
    select_turns(m);
    MACHINE_EACH_KIND(m, kind)
    {
        if (!take_turns(m, &m->batches[kind]))
            return;
    }
    if (m->starts == 0 && m->is_plain)
        m->execute = machine_plain_execute;
}
