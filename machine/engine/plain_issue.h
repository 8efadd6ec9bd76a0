/* Issue of tokens in the plain engine (machine/engine/plain.c), by one function for each kind of
 * instruction. For a parallel build, plain_pure.c has the functions of pure instructions, plain.c
 * the others. If MACHINE_PLAIN_EMITS, the functions emit events; if MACHINE_PLAIN_CLASSES, PEs may
 * differ. */
#ifndef MACHINE_ENGINE_PLAIN_ISSUE_H
#define MACHINE_ENGINE_PLAIN_ISSUE_H

#include "isa/fire/gcc.h"
#include "isa/op_columns.h"

#include "machine/engine/engine.h"

#ifndef MACHINE_PLAIN_CLASSES
#define MACHINE_PLAIN_CLASSES 0
#endif

/* Each function exists under three names: with events, for PEs that may differ, and without both.
 * Those with events look whether PEs differ. */
enum { EMITS = MACHINE_PLAIN_EMITS, CLASSES = MACHINE_PLAIN_CLASSES };
#if MACHINE_PLAIN_EMITS
#define MACHINE_PLAIN(name) machine_plain_traced_##name
#elif MACHINE_PLAIN_CLASSES
#define MACHINE_PLAIN(name) machine_plain_classes_##name
#else
#define MACHINE_PLAIN(name) machine_plain_##name
#endif

ISA_FIRE_INLINE void machine_plain_send(void *issue, const struct isa_instr *instr,
                                        isa_tag tag, isa_value value, uint64_t depth,
                                        struct isa_code_list to, unsigned how)
{
    machine_send(issue, (struct machine_sent){instr, tag, value, depth, to, how});
}

ISA_FIRE_INLINE void machine_plain_send_traced(void *issue, const struct isa_instr *instr,
                                               isa_tag tag, isa_value value,
                                               uint64_t depth, struct isa_code_list to,
                                               unsigned how)
{
    const struct machine_sent sent = {instr, tag, value, depth, to, how};
    machine_send(issue, sent);
    const struct machine_issue *from = issue;
    machine_emit_sends(issue, sent,
                       how & ISA_SEND_HOME ? from->pe_number
                                           : machine_pe_of(from->machine, tag));
}

/* Called when the run has ended: takes back the counts of the tokens from `next` to `end`, which
 * were not issued. */
__attribute__((cold)) static inline void
machine_plain_give_back(struct machine *m, const struct isa_token *const *next,
                        const struct isa_token *const *end)
{
    m->tokens.exec.counts.tokens -= (size_t)(end - next);
    for (; next != end; next++)
        m->tokens.pes[machine_token_pe(*next)].stats.tokens--;
}

/* Sets the times of an issue, and the lists of its tokens, to those of its PE. */
ISA_FIRE_INLINE void machine_plain_time(struct machine_issue *issue, enum isa_op op)
{
    struct machine *m = issue->machine;
    const struct traces_pe_class *class = machine_class_of(m, issue->pe_number);
    const uint64_t request = class ? class->request : m->about.others.request;
    issue->when = issue->now + traces_machine_class_latency(&m->about, class, op);
    issue->home = machine_wheel_at(&m->tokens.formed, issue->when);
    issue->away = machine_network_list(&m->network, issue->when);
    if (isa_op_accesses_element(op))
        issue->requests = machine_network_list(&m->network, issue->now + request);
}

/* Issues the tokens of a batch, from `next` to `end`, at least one. Opcode, form and effect are
 * constants: the function is inlined for each kind of instruction. Counters are updated token by
 * token, as most batches are short. (Long, because its steps share a dozen variables.) */
ISA_FIRE_INLINE void machine_plain_issue(struct machine *m,
                                         const struct isa_token *const *next,
                                         const struct isa_token *const *end,
                                         enum isa_op op, enum isa_form form,
                                         isa_fire_effect *const effect)
{
    struct isa_exec *x = &m->tokens.exec;
    const struct isa_fire_as as = machine_fire_plain(op, form, EMITS);
    const struct isa_instr *instrs = m->code->instrs;
    struct machine_pe *pes = m->tokens.pes;
    uint64_t when = m->run.cycle + m->about.latency[op];
    struct machine_issue issue = {
        .machine = m,
        .now = m->run.cycle,
        .when = when,
        .home = machine_wheel_at(&m->tokens.formed, when),
        .away = machine_network_list(&m->network, when),
    };
    if (isa_op_accesses_element(op))
        issue.requests = machine_network_list(&m->network,
                                              m->run.cycle + m->about.others.request);
    struct isa_firing firing = {0};
    const struct isa_fire_to to = {&x->counts, &firing,
                                   EMITS ? machine_plain_send_traced : machine_plain_send,
                                   &issue, false};
    do {
        const struct isa_token t = **next++;
        const struct isa_instr *instr = &instrs[isa_token_live_instr(&t)];
        issue.pe_number = machine_token_pe(&t);
        issue.pe = &pes[issue.pe_number];
        if (CLASSES || (EMITS && m->class_of)) {
            machine_plain_time(&issue, op);
            when = issue.when;
        }
        if (EMITS)
            machine_emit_taken(m, issue.pe_number, &t);
        if (isa_op_accesses_element(op)) {
            const enum machine_access access = machine_issue_access(&issue, &t, EMITS);
            if (access == MACHINE_ACCESS_SENT) {
                /* Takes back the count of the token as delivered: the PE where the access fires
                 * counts it. */
                x->counts.tokens--;
                machine_count_delivered(issue.pe, (uint64_t)-1);
                continue;
            }
            if (access == MACHINE_ACCESS_STOPPED) {
                machine_plain_give_back(m, next, end);
                return;
            }
        }
        if (EMITS)
            machine_emit_begin(m, issue.pe_number, &t, x->counts.waiting);
        enum isa_fired fired = isa_fire_with(x, &t, instr, as, to, effect);
        if (EMITS)
            machine_emit_effect(m, fired, &firing, when, x->counts.waiting);
        bool goes_on = machine_account(m, &issue, instr, op, fired, &firing);
        if (fired == ISA_FIRED_LIVE && when > m->run.quiet_cycle)
            m->run.quiet_cycle = when;
        if (isa_op_writes(op) && goes_on && fired == ISA_FIRED_LIVE)
            machine_answer_reads(&issue, op, to, EMITS);
        if (op == ISA_OP_HOLD && goes_on)
            machine_wake(&issue, EMITS);
        /* A token that makes at most one token needs no check: memory does not grow. */
        const bool two_lists = op == ISA_OP_CALL || op == ISA_OP_SWITCH;
        if (two_lists || instr->only == ISA_CODE_MANY)
            goes_on = goes_on && machine_has_memory(m, x->counts.live);
        if (__builtin_expect(!goes_on, 0)) {
            machine_plain_give_back(m, next, end);
            return;
        }
    } while (next != end);
}

/* --- one function for each instruction kind --------------------------------------------- */

#ifndef ISA_FIRE_ONE_PIECE

#define OP(NAME, ...)                                                                    \
    machine_take MACHINE_PLAIN(NAME##_FIRST), MACHINE_PLAIN(NAME##_SECOND),              \
        MACHINE_PLAIN(NAME##_TWO), MACHINE_PLAIN(NAME##_HELD);
#include "isa/ops.def"
#undef OP

/* Defines the function that issues the tokens of one instruction kind. If `exists` is false, no
 * instruction is of this kind, and the function is never called. */
#define MACHINE_PLAIN_KIND(NAME, form, exists, effect)                                   \
    void MACHINE_PLAIN(NAME##_##form)(struct machine * m,                                \
                                      const struct isa_token *const *next,               \
                                      const struct isa_token *const *end)                \
    {                                                                                    \
        if (!(exists))                                                                   \
            __builtin_unreachable();                                                     \
        else                                                                             \
            machine_plain_issue(m, next, end, ISA_OP_##NAME, ISA_FORM_##form, effect);   \
    }

#endif

#endif
