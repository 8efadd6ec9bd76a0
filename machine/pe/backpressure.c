#include "machine/pe/backpressure.h"

#include "isa/fire/fire_foresee.h"
#include "machine/events.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"

/* --- what a token can make ------------------------------------------------------------ */

/* Notes that the slot of a token, now empty, will be filled: its partner, which may be issued in
 * the same cycle, will not wait. */
static void note_coming(struct machine *m, const struct isa_token *t,
                        const struct isa_instr *instr)
{
    struct isa_slot *slot = isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr);
    slot->info = ISA_SLOT_COMING;
    *LIB_VEC_PUSH(&m->tokens.coming) = slot;
}

void machine_backpressure_chosen(struct machine *m)
{
    for (size_t i = 0; i < m->tokens.coming.count; i++)
        m->tokens.coming.items[i]->info = ISA_SLOT_EMPTY;
    m->tokens.coming.count = 0;
}

uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t)
{
    const isa_tag tag = isa_token_tag(t);
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const isa_tag child = isa_fire_made_child(&m->tokens.exec, tag, instr);
    /* An APPLY's activation has no PE before the graph is copied. */
    const bool gathers = isa_op_does[instr->op].sends == ISA_SENDS_ARGS;
    if (!gathers && child != ISA_TAG_NONE)
        return machine_pe_where(m, child, instr);
    const uint32_t pe = machine_pe_of_call(
        m, m->code->sites[instr->site].callee, instr->site,
        isa_fire_child_path(&m->tokens.exec, tag, instr), machine_token_pe(t));
    return machine_pe_at(m, pe, (uint32_t)(instr - m->code->instrs));
}

/* Number of tokens that the issue of a token makes, and the PE to which they go. */
struct made {
    uint32_t count, pe_number;
};

/* Returns the PE to which the tokens of a firing go. */
static uint32_t pe_of_sent(struct machine *m, const struct isa_token *t,
                           const struct isa_instr *instr, enum isa_op_tag under)
{
    const isa_tag tag = isa_token_tag(t);
    if (under == ISA_UNDER_OWN)
        return instr->op == ISA_OP_SEND ? machine_pe_where(m, tag, instr)
                                        : machine_token_pe(t);
    if (under == ISA_UNDER_CALLER)
        return machine_pe_where(m, isa_activations_get(&m->tokens.exec.tags, tag)->parent,
                                instr);
    return machine_backpressure_pe_of_child(m, t);
}

/* Returns what an access sends: a request to the PE of the element, or the results to the PE of the
 * activation. */
static struct made what_an_access_makes(struct machine *m, const struct isa_token *t,
                                        const struct isa_instr *instr, uint32_t most)
{
    const uint32_t to = machine_access_pe(m, t);
    if (to != machine_token_pe(t) && to != MACHINE_COLLIDES)
        return (struct made){1, to};
    return (struct made){most, machine_pe_where(m, isa_token_tag(t), instr)};
}

/* Asks the gates that are foreseen. Returns false if one does not open for the token; then sets
 * *made to what is sent instead: a request, or nothing. What is not `queued` is behind the issue
 * queue. */
static bool gates_open(struct machine *m, const struct isa_token *t,
                       const struct isa_instr *instr, bool queued, struct made *made)
{
    struct machine_passage p = {.token = t, .instr = instr, .foresees = true};
    const unsigned passed = queued ? 0 : 1U << MACHINE_GATE_UNIT;
    const enum machine_verdict verdict = machine_ask_gates(
        m, &p, m->gates_of[instr->op] & m->foreseen_gates & ~passed);
    if (verdict == MACHINE_GATE_SENDS)
        *made = (struct made){1, p.to};
    return verdict == MACHINE_GATE_OPENS;
}

static struct made what_it_makes(struct machine *m, const struct isa_token *t,
                                 const struct isa_instr *instr, bool queued)
{
    struct made made = {0, machine_token_pe(t)};
    if (machine_is_message(t))
        return made;
    const struct isa_foreseen foreseen = isa_fire_foresee(&m->tokens.exec, t);
    if (foreseen.outcome >= ISA_OUTCOME_WAITS) {
        if (instr->form == ISA_FORM_TWO)
            note_coming(m, t, instr);
        return made;
    }
    if (m->gates_of[instr->op] && !gates_open(m, t, instr, queued, &made))
        return made;
    if (isa_op_accesses_element(instr->op))
        return what_an_access_makes(m, t, instr, foreseen.most);
    return (struct made){foreseen.most, pe_of_sent(m, t, instr, foreseen.under)};
}

/* --- promises ------------------------------------------------------------------------- */

static struct machine_pe *with_promises(struct machine *m, uint32_t pe)
{
    struct machine_pe *p = &m->tokens.pes[pe];
    if (p->promised_at != m->run.cycle) {
        p->promised = 0;
        p->promised_at = m->run.cycle;
    }
    return p;
}

/* Emits that a queue has no room. Returns false. */
static bool lacks(struct machine *m, const struct isa_token *t, enum traces_place place,
                  uint32_t number)
{
    if (m->watch.tells_queues)
        machine_emit_blocked(m, t, place, number);
    return false;
}

static bool promise(struct machine *m, const struct isa_token *t, bool queued)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const uint32_t home = machine_token_pe(t);
    const struct made made = what_it_makes(m, t, instr, queued);
    if (made.pe_number != home && m->network.has_links) {
        if (!machine_backpressure_fits(machine_backpressure_leaving(m, home), made.count,
                                       m->about.network_capacity))
            return lacks(m, t, TRACES_PLACE_LINK, home);
        machine_network_promise(m, home, made.count);
        return true;
    }
    /* Instructions of the start must not wait for themselves: they can overfill the queue. */
    const bool starts = instr->tokens == 0 && made.pe_number == home;
    struct machine_pe *p = with_promises(m, made.pe_number);
    const uint64_t there = machine_pe_held(p) + p->promised -
                           (queued && made.pe_number == home);
    if (!starts &&
        !machine_backpressure_fits(there, made.count, m->rooms[made.pe_number].capacity))
        return lacks(m, t, TRACES_PLACE_INPUT, made.pe_number);
    p->promised += made.count;
    return true;
}

bool machine_backpressure_for(struct machine *m, const struct isa_token *t, bool queued)
{
    const bool has_room = promise(m, t, queued);
    m->run.held_back |= !has_room;
    return has_room;
}
