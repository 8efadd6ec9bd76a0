/* Engines: how the tokens of a cycle are issued, and what engines share, inlined into each.
 *
 * The plain engine (machine/engine/plain.c), for machines with unlimited stores, is fast; the
 * general engine (machine/engine/general.c) supports all settings. Where both can run they do the
 * same, event by event. */
#ifndef MACHINE_ENGINE_ENGINE_H
#define MACHINE_ENGINE_ENGINE_H

#include "isa/fire/fire.h"
#include "isa/op_columns.h"
#include "machine/events.h"
#include "machine/nodes.h"
#include "machine/pe/structure_memory.h"
#include "machine/result.h"
#include "machine/state.h"

void machine_plain_execute(struct machine *m);

/* Chooses, for each kind of instruction, the function that issues its tokens. */
void machine_plain_make(struct machine *m);
void machine_plain_traced_make(struct machine *m);
void machine_plain_classes_make(struct machine *m);

/* Simulates cycles by the plain engine alone, if machine_is_plainly_run, until the run ends,
 * reaches `cycle`, or has delivered `tokens` tokens. */
void machine_plain_advance(struct machine *m, uint64_t cycle, uint64_t tokens);

void machine_general_execute(struct machine *m);

/* Variants of machine_plain_execute and machine_general_execute that emit events; used if
 * m->watch.events is not NULL. */
void machine_plain_traced_execute(struct machine *m);
void machine_general_execute_traced(struct machine *m);

/* Implements `pass` of struct machine_kind for machines of PEs: lets a token that a gate has
 * released continue. */
bool machine_general_pass(struct machine *m, const struct isa_token *t,
                          enum machine_gate_place behind, uint64_t extra);

/* Sends answers to the instructions that waited for the last feed or closing of a port. May end the
 * run. */
void machine_general_answer_ports(struct machine *m);

/* Variants of machine_general_answer_ports and machine_general_pass that emit events; used if
 * m->watch.events is not NULL. */
void machine_traced_answer_ports(struct machine *m);
bool machine_traced_pass(struct machine *m, const struct isa_token *t,
                         enum machine_gate_place behind, uint64_t extra);

/* For tests: makes a machine that has not advanced yet never use the plain engine. */
static inline void machine_never_plain(struct machine *m)
{
    m->run.is_plain = false;
}

/* The issue of a token by a PE (a turn in doc/model.md and in the statistic `turns`), as
 * machine_send needs it. */
struct machine_issue {
    struct machine *machine;
    struct machine_pe *pe;
    uint32_t pe_number;
    uint64_t now;                    /* cycle of the issue */
    uint64_t when;                   /* cycle in which the result tokens are formed */
    struct machine_wheel_slot *home; /* list for result tokens that stay at `pe` */
    struct machine_wheel_slot *away; /* list for result tokens that leave `pe` */
    /* List for array accesses that are forwarded to other PEs. */
    struct machine_wheel_slot *requests;
};

/* Returns what an engine knows in advance of the firings of an opcode and form: that of machines
 * without dead tokens, copies and starts. */
ISA_FIRE_INLINE struct isa_fire_as machine_fire_plain(enum isa_op op, enum isa_form form,
                                                      bool tells)
{
    return (struct isa_fire_as){
        .op = op, .form = form, .measures = true, .digests = true, .tells = tells};
}

/* The same of an instruction on any machine. */
ISA_FIRE_INLINE struct isa_fire_as machine_fire_any(const struct machine *m,
                                                    const struct isa_instr *instr,
                                                    bool expands, bool tells)
{
    struct isa_fire_as as = machine_fire_plain(instr->op, instr->form, tells);
    as.propagate = m->code->propagate;
    as.starts = true;
    as.expands = expands;
    return as;
}

/* Counts `tokens` issued tokens as delivered by a PE: the member `turns` of its stats has the
 * issues that delivered none (machine/pe.h). */
ISA_FIRE_INLINE void machine_count_delivered(struct machine_pe *pe, uint64_t tokens)
{
    pe->stats.tokens += tokens;
    pe->stats.turns -= tokens;
}

/* Sends the answers of all instructions at ports that can continue. `answer` sends one, and returns
 * false if the run has ended. */
static inline void machine_answer_ports(struct machine *m,
                                        bool (*answer)(struct machine *m,
                                                       const struct isa_port_wait *wait,
                                                       isa_value value))
{
    struct isa_port_wait wait;
    isa_value value;
    while (isa_ports_pull(&m->tokens.exec, &wait, &value))
        if (!answer(m, &wait, value))
            return;
    (void)machine_has_memory(m, m->tokens.exec.counts.live);
}

/* Tokens that a firing sends to one list of destinations: the arguments of isa_fire_send. */
struct machine_sent {
    const struct isa_instr *instr;
    isa_tag tag;
    isa_value value;
    uint64_t depth;
    struct isa_code_list to;
    unsigned how;
};

/* Adds tokens for PE `pe_number` to a list of tokens that are formed in one cycle. */
ISA_FIRE_INLINE void machine_put(struct machine *m, struct machine_wheel_slot *slot,
                                 const struct machine_sent s, uint32_t pe_number)
{
    const uint32_t mark = s.how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
    const uint64_t depth_owner = s.depth << ISA_OWNER_BITS | pe_number;
    if (s.how & ISA_SEND_ONLY) {
        *machine_wheel_put(slot, 1) = (struct isa_token){
            s.value, isa_token_key(s.instr->only | mark, s.tag), depth_owner};
        return;
    }
    struct isa_token *t = machine_wheel_put(slot, s.to.count);
    const isa_code_dest *dests = &m->code->dests[s.to.first];
    for (uint32_t i = 0; i < s.to.count; i++) {
        uint32_t dest = isa_exec_dest(&m->tokens.exec, dests[i], s.tag);
        t[i] = (struct isa_token){s.value, isa_token_key(dest | mark, s.tag),
                                  depth_owner};
    }
}

/* Sends result tokens of a firing to PE `pe_number`. */
ISA_FIRE_INLINE void machine_send_to(const struct machine_issue *issue,
                                     const struct machine_sent s, uint32_t pe_number)
{
    struct machine *m = issue->machine;
    if (pe_number == issue->pe_number) {
        issue->pe->stats.local_tokens += s.to.count;
        machine_put(m, issue->home, s, pe_number);
        return;
    }
    issue->pe->stats.network_tokens += s.to.count;
    m->watch.network_bits += s.to.count * machine_token_bits(m, s.tag);
    machine_put(m, issue->away, s,
                machine_network_place(&m->network, issue->pe_number, pe_number));
}

/* Sends result tokens of a firing to the PE of their tag. Not for partitioned graphs. */
ISA_FIRE_INLINE void machine_send(const struct machine_issue *issue,
                                  const struct machine_sent s)
{
    machine_send_to(issue, s,
                    s.how & ISA_SEND_HOME ? issue->pe_number
                                          : machine_pe_of(issue->machine, s.tag));
}

/* Emits events for the tokens that a firing sends to PE `pe_number`. */
ISA_FIRE_INLINE void machine_emit_sends(const struct machine_issue *issue,
                                        const struct machine_sent s, uint32_t pe_number)
{
    struct machine *m = issue->machine;
    if (machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_sent(m, issue->pe_number, pe_number, issue->when, s.tag, s.value,
                          s.instr, s.to, s.how);
}

/* Answers reads that waited for a value that is now written. A read of a cell (constant) is
 * answered from the PE where the read waits; a read of an array element, from the PE of the
 * element, which issued the STORE. `tells`: a constant, true if events are emitted. */
ISA_FIRE_INLINE void machine_answer_reads(struct machine_issue *issue, enum isa_op op,
                                          const struct isa_fire_to to, const bool tells)
{
    struct machine *m = issue->machine;
    const uint32_t by = issue->pe_number;
    for (uint32_t d = m->tokens.exec.released; d != ISA_DEFERRED_END;) {
        if (!isa_op_accesses_element(op)) {
            issue->pe_number = machine_pe_on(m, m->tokens.exec.deferred.items[d].tag,
                                             m->tokens.exec.deferred.items[d].instr);
            issue->pe = &m->tokens.pes[issue->pe_number];
            if (__builtin_expect(m->nodes != NULL, 0))
                machine_nodes_wake(m->nodes, by, issue->pe_number);
        }
        if (tells)
            machine_emit_answer(m, issue->pe_number, d);
        d = isa_fire_answer(&m->tokens.exec, d, true, to);
    }
}

/* Makes the tokens that waited for the constant of a HOLD ready: each arrives at its PE when the
 * result of the HOLD is formed. `tells`: a constant, true if events are emitted. */
ISA_FIRE_INLINE void machine_wake(const struct machine_issue *issue, const bool tells)
{
    struct machine *m = issue->machine;
    struct isa_token t;
    while (isa_loop_constant_wake(&m->tokens.exec, &t)) {
        *machine_wheel_put(issue->home, 1) = t;
        if (__builtin_expect(m->nodes != NULL, 0))
            machine_nodes_wake(m->nodes, issue->pe_number, machine_token_pe(&t));
        if (tells)
            machine_emit_moved(m, TRACES_EVENT_WOKEN, machine_token_pe(&t), 0,
                               issue->when, &t);
        if (m->has_queues)
            m->tokens.pes[machine_token_pe(&t)].came++;
    }
}

/* Counts the issue of a token with outcome `fired`. Returns false if the run has ended. */
ISA_FIRE_INLINE bool machine_account(struct machine *m, const struct machine_issue *issue,
                                     const struct isa_instr *instr, enum isa_op op,
                                     enum isa_fired fired,
                                     const struct isa_firing *firing)
{
    struct traces_pe_stats *stats = &issue->pe->stats;
    if (fired == ISA_FIRED_WAITING || fired == ISA_FIRED_ABSORBED)
        return true;
    if (__builtin_expect(fired == ISA_FIRED_CARRIED, 0)) {
        issue->pe->carried++;
        return true;
    }
    if (__builtin_expect(fired == ISA_FIRED_PARKED, 0)) {
        stats->tokens--;
        stats->turns++;
        return true;
    }
    if (__builtin_expect(fired == ISA_FIRED_STOPPED, 0)) {
        machine_stop(m, m->tokens.exec.out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED,
                     "limits.memory");
        return false;
    }
    if (fired == ISA_FIRED_LIVE) {
        stats->firings++;
        const uint64_t hash = isa_fire_hash(instr, firing->path,
                                            issue->now << 16 | issue->pe_number);
        issue->pe->timing_digest += hash;
        m->watch.timing_digests[instr->function] += hash;
        if (op == ISA_OP_OUTPUT && instr->index < isa_graph_result_parts(m->code->graph))
            machine_result_write(m, &m->run.output, issue->when);
        else if (op == ISA_OP_STORE || op == ISA_OP_FILL || op == ISA_OP_TOTAL)
            machine_result_write(m, &m->run.written.items[m->tokens.exec.array],
                                 issue->when);
        else if (isa_op_allocates(op) || op == ISA_OP_OPEN || op == ISA_OP_CONSTRUCT)
            machine_result_begin(m);
        else if (op == ISA_OP_ROW || op == ISA_OP_GIVEN)
            machine_result_row(m, issue->when);
    } else {
        stats->dead_firings++;
    }
    return true;
}

/* Counts the issue of a token in the profile and for energies. Called if m->watch.is_observed,
 * which rules out the plain engine. */
__attribute__((cold)) void machine_observe_issue(struct machine *m, enum isa_op op,
                                                 enum isa_fired fired, uint64_t depth);

/* Outcome of an issued access to an array (machine/pe/structure_memory.h). */
enum machine_access {
    MACHINE_ACCESS_HERE,    /* the access fires here, or waits for its partner */
    MACHINE_ACCESS_SENT,    /* the access was forwarded to the PE of the element */
    MACHINE_ACCESS_STOPPED, /* the run has ended */
};

/* Forwards a token to PE `to`, which issues the token again. */
ISA_FIRE_INLINE void machine_send_request(struct machine *m,
                                          struct machine_wheel_slot *slot, uint32_t to,
                                          const struct isa_token *t, const bool tells)
{
    const uint32_t here = machine_token_pe(t);
    m->watch.network_bits += machine_request_bits(m, t);
    m->tokens.pes[here].stats.network_tokens++;
    struct isa_token *sent = machine_wheel_put(slot, 1);
    *sent = *t;
    machine_token_move_to(sent, machine_network_place(&m->network, here, to));
    if (tells)
        machine_emit_moved(m, TRACES_EVENT_REQUEST, here, to,
                           m->run.cycle + traces_machine_request(&m->about, here), t);
}

ISA_FIRE_INLINE enum machine_access
machine_issue_access(const struct machine_issue *issue, const struct isa_token *t,
                     const bool tells)
{
    struct machine *m = issue->machine;
    const uint32_t to = machine_access_pe(m, t);
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    if (to == issue->pe_number)
        return MACHINE_ACCESS_HERE;
    if (to == MACHINE_COLLIDES) {
        isa_fire_trap(&m->tokens.exec, isa_token_tag(t), instr, ISA_TRAP_COLLISION);
        machine_stop(m, ISA_END_TRAPPED, NULL);
        if (tells)
            machine_emit_how(m, TRACES_OUTCOME_FAILS);
        return MACHINE_ACCESS_STOPPED;
    }
    if (instr->form == ISA_FORM_TWO)
        isa_exec_slot(&m->tokens.exec, isa_token_tag(t), instr)->info |= ISA_SLOT_SENT;
    m->watch.element_requests++;
    if (tells)
        machine_emit_how(m, TRACES_OUTCOME_REQUESTS);
    machine_send_request(m, issue->requests, to, t, tells);
    return MACHINE_ACCESS_SENT;
}

/* Returns the list of requests to other PEs that a PE issues in this cycle. */
static inline struct machine_wheel_slot *machine_requests(struct machine *m, uint32_t pe)
{
    return machine_network_list(&m->network,
                                m->run.cycle + traces_machine_request(&m->about, pe));
}

#endif
