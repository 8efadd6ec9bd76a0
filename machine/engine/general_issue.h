/* The general engine, which supports all settings. Compiled twice: without events
 * (machine/engine/general.c), and with them (machine/engine/general_traced.c). */
#ifndef MACHINE_ENGINE_GENERAL_ISSUE_H
#define MACHINE_ENGINE_GENERAL_ISSUE_H

#include "isa/fire/gcc.h"
#include "isa/op_columns.h"

#include "machine/engine/engine.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/counted_units.h"
#include "machine/pe/discipline.h"
#include "machine/pe/graph_copy.h"
#include "machine/pe/match.h"
#include "machine/pe/op_timing.h"

enum { EMITS = MACHINE_GENERAL_TELLS };

static __attribute__((noinline)) void count_tensors(const struct machine_issue *issue,
                                                    const struct machine_sent s,
                                                    uint32_t pe_number)
{
    struct machine *m = issue->machine;
    if (pe_number == issue->pe_number || s.how & ISA_SEND_DEAD || s.to.count == 0)
        return;
    const isa_code_dest dest = s.how & ISA_SEND_ONLY ? s.instr->only
                                                     : m->code->dests[s.to.first];
    machine_tensor_sent(m, isa_exec_dest(&m->tokens.exec, dest, s.tag), s.value,
                        isa_code_values(m->code, s.to));
}

/* Sends result tokens of a firing. `any`, here and below: a constant; false only if m->is_common,
 * to omit checks for rare features. */
ISA_FIRE_INLINE void emit_as(const struct machine_issue *from,
                             const struct machine_sent sent, const bool any)
{
    const struct isa_code_list to = sent.to;
    uint32_t pe_number = from->pe_number;
    if (!(sent.how & ISA_SEND_HOME))
        pe_number = any ? machine_pe_where(from->machine, sent.tag, sent.instr)
                        : machine_pe_of(from->machine, sent.tag);
    machine_send_to(from, sent, pe_number);
    if (any && from->machine->code->has_tensors)
        count_tensors(from, sent, pe_number);
    if (EMITS)
        machine_emit_sends(from, sent, pe_number);
    if (from->machine->has_queues)
        machine_backpressure_sent(from->machine, from->pe_number, pe_number, to.count);
}

static void emit(void *issue, const struct isa_instr *instr, isa_tag tag, isa_value value,
                 uint64_t depth, struct isa_code_list to, unsigned how)
{
    emit_as(issue, (struct machine_sent){instr, tag, value, depth, to, how}, false);
}

static void emit_any(void *issue, const struct isa_instr *instr, isa_tag tag,
                     isa_value value, uint64_t depth, struct isa_code_list to,
                     unsigned how)
{
    emit_as(issue, (struct machine_sent){instr, tag, value, depth, to, how}, true);
}

/* --- selection ----------------------------------------------------------------------- */

ISA_FIRE_INLINE void select_token(struct machine *m, const struct isa_token *t)
{
    if (__builtin_expect(machine_is_message(t), 0))
        machine_tensor_select(m, t);
    else
        machine_batches_put(&m->batches, t, m->code->instrs[isa_token_instr(t)].kind,
                            &m->batches.kinds);
}

/* Chooses the tokens that a PE with `units` function units issues in this cycle, and adds their
 * number to *selected. Constants: `finite`, whether queues are finite; `brings`, whether the queue
 * discipline has `bring`. */
ISA_FIRE_INLINE void select_of_pe(struct machine *m, uint32_t pe, uint64_t units,
                                  const bool finite, const bool brings, size_t *selected)
{
    struct machine_pe *p = &m->tokens.pes[pe];
    const bool newest = m->discipline->newest;
    const uint32_t count = machine_queue_count(&p->input);
    const uint32_t most = __builtin_expect(m->counted != NULL, 0)
                              ? machine_counted_units_turns(m, pe, count)
                          : units && units < count ? (uint32_t)units
                                                   : count;
    if (count > p->stats.peak_queue)
        p->stats.peak_queue = count;
    *selected += most;
    machine_batches_expect(&m->batches, *selected);
    /* Issue queues ask for room later in this cycle: they need what all turns have promised. */
    const bool plenty = !finite ||
                        (!m->counted && machine_backpressure_has_plenty(m, pe, most));
    for (uint32_t i = 0; i < most; i++) {
        if (brings)
            m->discipline->bring(m, &p->input);
        if (!plenty &&
            !machine_backpressure_for(m, machine_queue_next(&p->input, newest), true))
            break;
        const struct isa_token *t = machine_queue_take(&p->input, newest);
        if (EMITS)
            machine_emit_left(m, TRACES_PLACE_INPUT, pe, t);
        select_token(m, t);
        if (finite)
            machine_backpressure_taken(m, p, 1);
    }
    machine_set_remove_if(&m->tokens.with_input, pe, machine_queue_count(&p->input) == 0);
}

/* Chooses the tokens to issue now if instructions have times of their own, in ticks, which are
 * fractions of a cycle. First takes the tokens that need no issue slot, then as many
 * others as function units are free. */
static void select_paced(struct machine *m)
{
    size_t selected = 0;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct isa_token *t;
        struct machine_queue *input = &m->tokens.pes[pe].input;
        const uint32_t count = machine_queue_count(input) +
                               machine_op_timing_count(m, pe);
        if (count > m->tokens.pes[pe].stats.peak_queue)
            m->tokens.pes[pe].stats.peak_queue = count;
        machine_op_timing_sort(m, pe);
        while (machine_queue_count(input) || (t = machine_op_timing_take(m, pe))) {
            if (machine_queue_count(input))
                t = machine_queue_take(input, false);
            if (EMITS)
                machine_emit_left(m, TRACES_PLACE_INPUT, pe, t);
            machine_batches_expect(&m->batches, ++selected);
            select_token(m, t);
        }
        machine_set_remove_if(&m->tokens.with_input, pe, true);
    }
}

/* Chooses the tokens to issue now. Constants: `differ`, whether PEs do; others as above. */
ISA_FIRE_INLINE void select_of_all(struct machine *m, const bool differ,
                                   const bool finite, const bool brings)
{
    uint32_t pe;
    size_t selected = 0;
    const uint64_t units = m->settings.pe_units;
    MACHINE_SET_EACH(&m->tokens.with_input, pe)
    {
        select_of_pe(m, pe, differ ? traces_machine_units(&m->about, pe) : units, finite,
                     brings, &selected);
    }
}

static __attribute__((noinline)) void select_of_classes(struct machine *m)
{
    if (m->discipline->bring)
        select_of_all(m, true, m->has_queues, true);
    else
        select_of_all(m, true, m->has_queues, false);
}

static void select_issues(struct machine *m)
{
    if (m->about.timing)
        select_paced(m);
    else if (m->about.class_count)
        select_of_classes(m);
    else if (m->discipline->bring)
        select_of_all(m, false, m->has_queues, true);
    else if (m->has_queues)
        select_of_all(m, false, true, false);
    else
        select_of_all(m, false, false, false);
}

/* --- firing ---------------------------------------------------------------------------- */

/* Updates a finite matching store after an issue; `before` is the state of the token's slot before
 * it. Returns false if the store is full, which ends the run. */
static bool account_match(struct machine *m, const struct isa_token *t,
                          const struct isa_instr *instr, uint64_t key, uint64_t before,
                          enum isa_fired fired)
{
    const uint32_t pe = machine_pe_on(m, isa_token_tag(t), isa_token_instr(t));
    bool away;
    if (fired != ISA_FIRED_WAITING) {
        machine_match_remove(m->match, pe, key, before & ISA_SLOT_OVERFLOW);
        return true;
    }
    if (!machine_match_insert(m->match, pe, key, &away)) {
        machine_stop(m, ISA_END_STORE_FULL, "match.overflow.capacity");
        return false;
    }
    if (!away)
        return true;
    isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)->info |= ISA_SLOT_OVERFLOW;
    (void)machine_match_access(m->match, pe, key, m->run.cycle, &m->watch.counts);
    return true;
}

/* Whether a token waits in a finite matching store, or meets its partner there. */
static bool is_matched(const struct machine *m, const struct isa_token *t,
                       const struct isa_instr *instr)
{
    return m->has_match_table && machine_is_of_two(t, instr);
}

/* A token that fails counts as delivered. */
static __attribute__((noinline, cold)) void count_failed(struct machine *m,
                                                         struct machine_pe *pe)
{
    machine_count_delivered(pe, 1);
    m->tokens.exec.counts.tokens++;
}

/* Fires one token, or makes it wait or be absorbed; a firing takes `extra` more cycles. Returns
 * false if the run has ended. (Long, because its steps share a dozen variables.) */
ISA_FIRE_INLINE bool fire_as(struct machine *m, const struct isa_token *t, uint64_t extra,
                             const bool any)
{
    struct isa_exec *x = &m->tokens.exec;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const enum isa_op op = instr->op;
    const bool matched = is_matched(m, t, instr);
    uint64_t key = 0, before = 0;
    if (matched) {
        key = machine_match_key(x, isa_token_tag(t), instr);
        before = isa_exec_slot(x, isa_token_tag(t), instr)->info;
        extra += before & ISA_SLOT_OVERFLOW ? machine_match_overflow(m, t) : 0;
    }
    struct machine_issue issue = {.machine = m,
                                  .pe_number = machine_token_pe(t),
                                  .pe = &m->tokens.pes[machine_token_pe(t)],
                                  .now = m->run.cycle};
    struct isa_firing firing = {0};
    const struct isa_fire_to to = {&x->counts, &firing, any ? emit_any : emit, &issue,
                                   any && m->code->machines != 0};
    const struct isa_fire_as as = machine_fire_any(m, instr, any && m->code->expands,
                                                   EMITS);
    if (to.divided)
        x->tags.shares->at = m->code->machine_of[isa_token_instr(t)];
    if (isa_op_accesses_element(op)) {
        issue.requests = machine_requests(m, issue.pe_number);
        const enum machine_access access = machine_issue_access(&issue, t, EMITS);
        if (access == MACHINE_ACCESS_SENT)
            m->watch.tensor_network_bytes += machine_carried_bytes(m, t, true);
        if (access == MACHINE_ACCESS_SENT && m->has_queues)
            machine_backpressure_sent(m, issue.pe_number, machine_request_pe(m, t), 1);
        if (access == MACHINE_ACCESS_STOPPED)
            count_failed(m, issue.pe);
        if (access != MACHINE_ACCESS_HERE)
            return access == MACHINE_ACCESS_SENT;
    }
    const uint64_t added = any ? machine_begin_firing(m, t, instr) : 0;
    const bool is_timed = any && m->about.timing != NULL;
    const uint64_t delay = is_timed
                               ? machine_latency(m, issue.pe_number, isa_token_instr(t))
                           : any ? traces_machine_latency(&m->about, issue.pe_number, op)
                                 : m->about.latency[op];
    const uint64_t when = m->run.cycle + delay + extra + added;
    const bool is_late = added > MACHINE_GRAPH_COPY_SOON;
    struct machine_late late;
    if (is_late)
        late = (struct machine_late){.when = when};
    issue.when = when;
    issue.home = is_late ? &late.home : machine_wheel_at(&m->tokens.formed, when);
    issue.away = is_late ? &late.away : machine_network_list(&m->network, when);
    if (instr->tokens)
        machine_count_delivered(issue.pe, 1);
    else
        m->run.starts--;
    if (EMITS)
        machine_emit_begin(m, issue.pe_number, t, x->counts.waiting);
    enum isa_fired fired = isa_fire(x, t, instr, as, to);
    if (EMITS)
        machine_emit_effect(m, fired, &firing, when, x->counts.waiting);
    if (is_late)
        machine_late_keep(m, &late);
    if (!machine_account(m, &issue, instr, op, fired, &firing))
        return false;
    if (__builtin_expect(m->watch.is_observed, 0))
        machine_observe_issue(m, op, fired, firing.depth);
    if (fired <= ISA_FIRED_CARRIED && when > m->run.quiet_cycle)
        m->run.quiet_cycle = when;
    if (fired == ISA_FIRED_LIVE && isa_op_writes(op))
        machine_answer_reads(&issue, op, to, EMITS);
    if (op == ISA_OP_HOLD && fired == ISA_FIRED_LIVE)
        machine_wake(&issue, EMITS);
    if (__builtin_expect(to.divided, 0) && x->tags.shares->left.count)
        machine_releases_send(m);
    if (!machine_has_memory(m, x->counts.live) ||
        (matched && !account_match(m, t, instr, key, before, fired)))
        return false;
    if (m->run.is_match_full)
        machine_stop(m, ISA_END_STORE_FULL, "match.capacity");
    return m->run.running;
}

static __attribute__((noinline)) bool fire_any(struct machine *m,
                                               const struct isa_token *t, uint64_t extra)
{
    return fire_as(m, t, extra, true);
}

/* --- ports -------------------------------------------------------------------------------- */

/* Sends the answer of an INDEX, LENGTH or MORE that waited at a port, formed after the usual delay
 * of the instruction, without another issue. */
static bool answer_port(struct machine *m, const struct isa_port_wait *wait,
                        isa_value value)
{
    struct isa_exec *x = &m->tokens.exec;
    const uint32_t pe_number = machine_pe_on(m, wait->tag, wait->instr);
    const uint64_t delay = machine_latency(m, pe_number, wait->instr);
    struct machine_issue issue = {
        .machine = m,
        .pe_number = pe_number,
        .pe = &m->tokens.pes[pe_number],
        .when = m->run.cycle + delay,
        .now = m->run.cycle,
        .home = machine_wheel_at(&m->tokens.formed, m->run.cycle + delay),
        .away = machine_network_list(&m->network, m->run.cycle + delay)};
    const struct isa_fire_to to = {&x->counts, NULL, m->is_common ? emit : emit_any,
                                   &issue, m->code->machines != 0};
    if (to.divided)
        x->tags.shares->at = m->code->machine_of[wait->instr];
    if (EMITS && machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_of(m, TRACES_EVENT_ANSWERED, pe_number, wait->instr, wait->tag);
    isa_fire_answer_port(x, wait, value, true, to);
    if (issue.when > m->run.quiet_cycle)
        m->run.quiet_cycle = issue.when;
    return true;
}

/* --- gates --------------------------------------------------------------------------- */

static bool fire(struct machine *m, const struct isa_token *t, uint64_t extra)
{
    return m->is_common ? fire_as(m, t, extra, false) : fire_any(m, t, extra);
}

static void send_on(struct machine *m, const struct machine_passage *p)
{
    const struct isa_token *t = p->token;
    const uint32_t here = machine_token_pe(t);
    m->watch.tensor_network_bytes += machine_carried_bytes(m, t, true);
    if (EMITS)
        machine_emit_how(m, p->how);
    machine_send_request(m, machine_requests(m, here), p->to, t, EMITS);
    if (m->has_queues)
        machine_backpressure_sent(m, here, p->to, 1);
}

static void trap(struct machine *m, const struct machine_passage *p)
{
    count_failed(m, &m->tokens.pes[machine_token_pe(p->token)]);
    isa_fire_trap(&m->tokens.exec, isa_token_tag(p->token), p->instr, p->trap);
    machine_stop(m, ISA_END_TRAPPED, NULL);
}

/* Handles a token that a gate does not let continue. Returns false if the run has ended. */
static __attribute__((noinline)) bool
keep_out(struct machine *m, const struct machine_passage *p, enum machine_verdict verdict)
{
    if (verdict == MACHINE_GATE_SENDS) {
        send_on(m, p);
        return true;
    }
    if (verdict == MACHINE_GATE_TRAPS)
        trap(m, p);
    if (EMITS)
        machine_emit_how(m, p->how);
    return verdict == MACHINE_GATE_HOLDS;
}

/* Lets a token ask the gates whose bits are in `left`, at least one, then fire. Returns false if
 * the run has ended. */
static __attribute__((noinline)) bool
pass_gates(struct machine *m, const struct isa_token *t, uint64_t extra, unsigned left)
{
    struct machine_passage p; /* the rest is set by the gate that stops the token */
    p.token = t;
    p.instr = &m->code->instrs[isa_token_instr(t)];
    p.extra = extra;
    p.foresees = false;
    const enum machine_verdict verdict = machine_ask_gates(m, &p, left);
    if (verdict != MACHINE_GATE_OPENS)
        return keep_out(m, &p, verdict);
    return fire(m, p.token, p.extra);
}

/* Lets a released token continue behind the gate that held it. Returns false if the run has
 * ended. */
static bool pass(struct machine *m, const struct isa_token *t,
                 enum machine_gate_place behind, uint64_t extra)
{
    const enum isa_op op = m->code->instrs[isa_token_instr(t)].op;
    const unsigned left = m->gates_of[op] & ~((2U << behind) - 1);
    return left ? pass_gates(m, t, extra, left) : fire(m, t, extra);
}

/* --- issues -------------------------------------------------------------------------- */

static bool issue_one(struct machine *m, const struct isa_token *t)
{
    m->tokens.pes[machine_token_pe(t)].stats.turns++;
    if (EMITS)
        machine_emit_taken(m, machine_token_pe(t), t);
    if (!m->has_gates)
        return fire(m, t, 0);
    const unsigned gates = m->gates_of[m->code->instrs[isa_token_instr(t)].op];
    return gates ? pass_gates(m, t, 0, gates) : fire(m, t, 0);
}

static bool issue_all(struct machine *m, struct machine_batch *batch)
{
    for (const struct isa_token **t = batch->first; t != batch->end; t++)
        if (!issue_one(m, *t))
            return false;
    batch->end = batch->first;
    return true;
}

static void execute(struct machine *m)
{
    struct machine_batch *batch;
    /* The store has no room even for the frame of the top level. */
    if (m->run.is_match_full) {
        machine_stop(m, ISA_END_STORE_FULL, "match.capacity");
        return;
    }
    for (uint32_t i = 0; m->resume[i].call; i++)
        if (!m->resume[i].call(m, m->resume[i].state))
            return;
    select_issues(m);
    machine_backpressure_chosen(m);
    MACHINE_EACH_BATCH(&m->batches, batch)
    {
        if (!issue_all(m, batch))
            return;
    }
    m->batches.kinds = 0;
    for (uint32_t i = 0; m->finish[i].call; i++)
        if (!m->finish[i].call(m, m->finish[i].state))
            return;
    if (m->run.starts == 0 && m->run.is_plain)
        m->run.execute = EMITS ? machine_plain_traced_execute : machine_plain_execute;
}

#endif
