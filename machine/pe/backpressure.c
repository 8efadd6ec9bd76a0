#include "machine/pe/backpressure.h"

#include "isa/fire/fire.h"
#include "isa/op_columns.h"
#include "machine/events.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"

/* --- what a token can make ------------------------------------------------------------ */

/* Whether the token will wait in its slot. If so its partner, which may be issued in the same
 * cycle, will not. */
static bool will_wait(struct machine *m, const struct isa_token *t,
                      const struct isa_instr *instr)
{
    if (instr->form != ISA_FORM_TWO)
        return false;
    struct isa_slot *slot = isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr);
    if (!isa_slot_is_empty(slot))
        return false;
    slot->info = ISA_SLOT_COMING;
    *LIB_VEC_PUSH(&m->tokens.coming) = slot;
    return true;
}

/* Whether the token will wait for a constant of its loop. No HOLD is issued before it is. */
static bool will_park(const struct machine *m, const struct isa_token *t,
                      const struct isa_instr *instr)
{
    return instr->form == ISA_FORM_HELD && !isa_slot_is_held(isa_loop_constant_slot(
                                               &m->tokens.exec, isa_token_tag(t), instr));
}

void machine_backpressure_chosen(struct machine *m)
{
    for (size_t i = 0; i < m->tokens.coming.count; i++)
        m->tokens.coming.items[i]->info = ISA_SLOT_EMPTY;
    m->tokens.coming.count = 0;
}

static uint64_t path_of_child(const struct machine *m, isa_tag tag,
                              const struct isa_instr *instr)
{
    struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags, tag);
    if (isa_op_does[instr->op].tag == ISA_UNDER_CALLEE)
        return isa_tag_path(a->path, instr->site);
    if (isa_op_does[instr->op].tag == ISA_UNDER_ENTERED)
        return isa_tag_iteration_path(isa_tag_path(a->path, instr->site), 0);
    uint64_t parent = isa_activations_get(&m->tokens.exec.tags, a->parent)->path;
    return isa_tag_iteration_path(isa_tag_path(parent, instr->site),
                                  isa_iteration_number(a) + 1);
}

uint32_t machine_backpressure_pe_of_child(struct machine *m, const struct isa_token *t)
{
    const isa_tag tag = isa_token_tag(t);
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const isa_tag *child = isa_fire_child_entry(&m->tokens.exec, tag, instr);
    /* An APPLY's activation has no PE before the graph is copied. */
    const bool gathers = isa_op_does[instr->op].sends == ISA_SENDS_ARGS;
    if (!gathers && child && *child != ISA_TAG_NONE && *child < ISA_TAG_LIMIT)
        return machine_pe_where(m, *child, instr);
    const uint32_t pe = machine_pe_of_call(m, m->code->sites[instr->site].callee,
                                           instr->site, path_of_child(m, tag, instr),
                                           isa_token_pe(t));
    return machine_pe_at(m, pe, (uint32_t)(instr - m->code->instrs));
}

static struct machine_made what_an_apply_makes(struct machine *m,
                                               const struct isa_token *t,
                                               const struct isa_instr *instr)
{
    const isa_tag tag = isa_token_tag(t);
    const uint32_t home = isa_token_pe(t);
    if (!isa_fire_completes(&m->tokens.exec, tag, instr))
        return (struct machine_made){0, home};
    if (isa_token_is_dead(t) || isa_fire_absent(&m->tokens.exec, tag, instr))
        return (struct machine_made){m->code->sites[instr->site].dead.count, home};
    return (struct machine_made){instr->out[0].count,
                                 machine_backpressure_pe_of_child(m, t)};
}

static struct machine_made what_a_result_makes(struct machine *m,
                                               const struct isa_token *t,
                                               const struct isa_instr *instr)
{
    const isa_tag tag = isa_token_tag(t);
    const isa_tag parent = isa_activations_get(&m->tokens.exec.tags, tag)->parent;
    const bool applied = isa_op_does[instr->op].sends == ISA_SENDS_RESULTS;
    const struct isa_code_list list = applied
                                          ? isa_fire_outputs(&m->tokens.exec, tag, instr)
                                          : instr->out[0];
    return (struct machine_made){list.count, machine_pe_where(m, parent, instr)};
}

/* Returns a request to the PE of the element, or the results for the PE of the activation. */
static struct machine_made what_an_access_makes(struct machine *m,
                                                const struct isa_token *t,
                                                const struct isa_instr *instr)
{
    const uint32_t home = isa_token_pe(t), to = machine_access_pe(m, t);
    if (to != home && to != MACHINE_COLLIDES)
        return (struct machine_made){1, to};
    return (struct machine_made){instr->out[0].count,
                                 machine_pe_where(m, isa_token_tag(t), instr)};
}

static struct machine_made what_it_makes(struct machine *m, const struct isa_token *t,
                                         const struct isa_instr *instr)
{
    const uint32_t first = instr->out[0].count, second = instr->out[1].count;
    const uint32_t home = isa_token_pe(t);
    struct machine_made made = {0, home};
    const bool dead = isa_token_is_dead(t);
    const struct isa_op_does *does = &isa_op_does[instr->op];
    if (machine_is_message(t))
        return (struct machine_made){0, home};
    if (isa_op_brings_out(instr->op) && dead && isa_token_port(t))
        return (struct machine_made){first, home}; /* of a call that was never made */
    if (does->dead == ISA_DEAD_GONE && dead)
        return (struct machine_made){0, home};
    if (will_wait(m, t, instr) || (!dead && will_park(m, t, instr)))
        return (struct machine_made){0, home};
    for (unsigned left = m->gates_of[instr->op]; left; left &= left - 1) {
        machine_foresee *const foresee = m->foresee[__builtin_ctz(left)];
        if (foresee && foresee(m, t, &made))
            return made;
    }
    if (isa_op_accesses_element(instr->op))
        return what_an_access_makes(m, t, instr);
    if (instr->op == ISA_OP_SEND)
        return (struct machine_made){1, machine_pe_where(m, isa_token_tag(t), instr)};
    if (does->sends == ISA_SENDS_ARGS)
        return what_an_apply_makes(m, t, instr);
    if (does->tag == ISA_UNDER_CALLER)
        return what_a_result_makes(m, t, instr);
    if (does->dead == ISA_DEAD_SITE && dead)
        return (struct machine_made){m->code->sites[instr->site].dead.count, home};
    if (isa_op_makes_tag(instr->op))
        return (struct machine_made){first + second,
                                     machine_backpressure_pe_of_child(m, t)};
    if (does->sends == ISA_SENDS_ONE && !m->code->propagate)
        return (struct machine_made){first > second ? first : second, home};
    return (struct machine_made){first + second, home};
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
    const uint32_t home = isa_token_pe(t);
    const struct machine_made made = what_it_makes(m, t, instr);
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
    if (!starts && !machine_backpressure_fits(there, made.count, m->about.queue_capacity))
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
