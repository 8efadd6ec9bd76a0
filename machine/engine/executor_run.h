/* The workers of an executor. Compiled three times: for programs that are not divided, without
 * events (machine/engine/executor.c); for divided ones, without events
 * (machine/engine/executor_divided.c); for both, with events (machine/engine/executor_traced.c).
 * Such a file defines MACHINE_EXECUTOR_TELLS, whether events are emitted, and
 * MACHINE_EXECUTOR_DIVIDED(m), whether the program is divided: constants where they can be. */
#ifndef MACHINE_ENGINE_EXECUTOR_RUN_H
#define MACHINE_ENGINE_EXECUTOR_RUN_H

#include "isa/fire/gcc.h"
#include "isa/op_columns.h"
#include "machine/ports.h"

#include "machine/engine/cycle.h"
#include "machine/engine/engine.h"
#include "machine/engine/executor.h"
#include "machine/pe/discipline.h"
#include "machine/pe/op_timing.h"
#include "machine/pe/structure_memory.h"
#include "machine/verify.h"

enum { EMITS = MACHINE_EXECUTOR_TELLS };

/* --- busy workers ------------------------------------------------------------------------ */

static void sift_down(struct machine_executor *e)
{
    uint32_t at = 0;
    const uint32_t worker = e->busy[0];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= e->busy_count)
            break;
        child += child + 1 < e->busy_count &&
                 machine_worker_is_before(e, e->busy[child + 1], e->busy[child]);
        if (!machine_worker_is_before(e, e->busy[child], worker))
            break;
        e->busy[at] = e->busy[child];
        at = child;
    }
    e->busy[at] = worker;
}

static void put_busy(struct machine_executor *e, uint32_t worker)
{
    uint32_t at = e->busy_count++;
    for (; at > 0 && machine_worker_is_before(e, worker, e->busy[(at - 1) / 2]);
         at = (at - 1) / 2)
        e->busy[at] = e->busy[(at - 1) / 2];
    e->busy[at] = worker;
}

/* Whether the program is divided, so that each of its machines has an executor. */
ISA_FIRE_INLINE bool is_divided(const struct machine *m)
{
    return MACHINE_EXECUTOR_DIVIDED(m);
}

/* Returns the machine of a worker; 0 if the program is not divided. */
static inline uint32_t machine_of_worker(const struct machine *m, uint32_t worker)
{
    return is_divided(m) ? worker / m->machine_pes : 0;
}

/* Returns the machine of an instruction; 0 if the program is not divided. */
static inline uint32_t machine_of_instr(const struct machine *m, uint32_t instr)
{
    return is_divided(m) ? m->machine_of[instr] : 0;
}

/* Makes idle the busy worker whose firing ends first. */
static void take_busy(struct machine *m)
{
    struct machine_executor *e = m->executor;
    const uint32_t machine = machine_of_worker(m, e->busy[0]);
    machine_set_add(&e->idle[machine], e->busy[0] - machine * m->machine_pes);
    e->busy[0] = e->busy[--e->busy_count];
    if (e->busy_count)
        sift_down(e);
}

/* --- firing -------------------------------------------------------------------------------- */

struct issue {
    struct machine *machine;
    struct machine_worker *worker;
    struct traces_pe_stats *stats;
    uint32_t number; /* number of the worker */
    int taken;       /* output list to which a SWITCH sent its value */
};

/* Returns the machine to which an instruction sends, if its worker is of another one; else
 * TRACES_NONE. */
static uint32_t machine_beyond(const struct issue *issue, const struct isa_instr *instr)
{
    const struct machine *m = issue->machine;
    if (!is_divided(m))
        return TRACES_NONE;
    const uint32_t to =
        m->machine_of[instr->op == ISA_OP_SEND ? instr->only >> 1
                                               : (uint32_t)(instr - m->code->instrs)];
    return to == machine_of_worker(m, issue->number) ? TRACES_NONE : to;
}

/* Counts the tokens of a list that is sent to another machine. */
static void count_network(struct issue *issue, isa_tag tag, isa_value value,
                          struct isa_code_list to, bool dead)
{
    struct machine *m = issue->machine;
    issue->stats->network_tokens += to.count;
    m->watch.network_bits += to.count * machine_token_bits(m, tag);
    if (m->code->has_tensors && !dead && to.count)
        machine_tensor_sent(m,
                            isa_exec_dest(&m->tokens.exec, m->code->dests[to.first], tag),
                            value, isa_code_values(m->code, to));
}

static void emit(void *engine, const struct isa_instr *instr, isa_tag tag,
                 isa_value value, uint64_t depth, struct isa_code_list to, unsigned how)
{
    struct issue *issue = engine;
    const struct isa_exec *x = &issue->machine->tokens.exec;
    const bool dead = how & ISA_SEND_DEAD;
    if (isa_op_does[instr->op].sends == ISA_SENDS_ONE && !dead)
        issue->taken = instr->out[1].count > 0 && to.first == instr->out[1].first;
    if (machine_beyond(issue, instr) == TRACES_NONE)
        issue->stats->local_tokens += to.count;
    else
        count_network(issue, tag, value, to, dead);
    for (uint32_t i = 0; i < to.count; i++) {
        const isa_code_dest dest = isa_exec_dest(x, x->code->dests[to.first + i], tag);
        *LIB_VEC_PUSH(&issue->worker->sent) = (struct isa_token){
            value, isa_token_key(dest | (dead ? ISA_TOKEN_DEAD : 0), tag),
            depth << ISA_OWNER_BITS};
    }
}

static void emit_told(void *engine, const struct isa_instr *instr, isa_tag tag,
                      isa_value value, uint64_t depth, struct isa_code_list to,
                      unsigned how)
{
    const struct issue *issue = engine;
    struct machine *m = issue->machine;
    const uint32_t beyond = machine_beyond(issue, instr);
    emit(engine, instr, tag, value, depth, to, how);
    if (machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_sent(m, issue->number,
                          beyond == TRACES_NONE ? issue->number : beyond * m->machine_pes,
                          m->run.cycle, tag, value, instr, to, how);
}

/* Number of live frames, and number of all frames made so far. If calls copy graphs, only
 * iterations of loops have frames. */
struct frames {
    uint64_t count, made;
};

static uint64_t count_alive(const struct machine *m)
{
    const struct machine_executor *e = m->executor;
    uint64_t count = 0;
    if (!m->code->expands)
        return m->tokens.exec.tags.count;
    for (uint32_t i = 0; i < e->loop_count; i++)
        count += isa_activations_alive(&m->tokens.exec.tags, e->loops[i]);
    return count;
}

static struct frames count_frames(const struct machine *m)
{
    const struct isa_activations *tags = &m->tokens.exec.tags;
    const uint64_t calls = m->code->expands ? 0 : tags->created;
    return (struct frames){count_alive(m), calls + tags->iterations};
}

/* Lets one token take effect: it fires, waits or is absorbed. */
static enum isa_fired take_effect(struct issue *issue, const struct isa_token *t,
                                  struct isa_firing *firing)
{
    struct machine *m = issue->machine;
    struct isa_exec *x = &m->tokens.exec;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    const struct isa_fire_to to = {&x->counts, firing, EMITS ? emit_told : emit, issue,
                                   is_divided(m)};
    const struct isa_fire_as as = machine_fire_any(m, instr, m->code->expands, EMITS);
    struct isa_token woken;
    if (to.divided)
        x->tags.shares->at = m->machine_of[isa_token_instr(t)];
    issue->taken = instr->out[0].count > 0;
    if (instr->tokens)
        issue->stats->tokens++;
    else
        m->executor->starts--;
    if (EMITS) {
        machine_emit_taken(m, issue->number, t);
        machine_emit_begin(m, issue->number, t, x->counts.waiting);
    }
    const enum isa_fired fired = isa_fire(x, t, instr, as, to);
    if (EMITS)
        machine_emit_effect(m, fired, firing, m->run.cycle, x->counts.waiting);
    if (__builtin_expect(m->ports != NULL, 0) &&
        x->structures.ports->waited > m->executor->asked.count)
        *LIB_VEC_PUSH(&m->executor->asked) = issue->number;
    if (isa_op_writes(instr->op) && fired == ISA_FIRED_LIVE)
        for (uint32_t d = x->released; d != ISA_DEFERRED_END;) {
            if (EMITS)
                machine_emit_answer(m, issue->number, d);
            d = isa_fire_answer(x, d, true, to);
        }
    while (isa_loop_constant_wake(x, &woken)) {
        *LIB_VEC_PUSH(&issue->worker->sent) = woken;
        if (EMITS)
            machine_emit_moved(m, TRACES_EVENT_WOKEN, issue->number, 0, m->run.cycle,
                               &woken);
    }
    return fired;
}

/* --- cost of a firing ---------------------------------------------------------------------- */

/* Makes worker `number` wait for the lock of the frames and hold it for `cycles`. Returns the time
 * when the lock is free again. */
static uint64_t hold_lock(struct machine *m, uint32_t number, uint64_t cycles)
{
    struct machine_executor *e = m->executor;
    uint64_t *lock_free = &e->lock_free[machine_of_worker(m, number)];
    if (cycles == 0)
        return m->run.cycle;
    uint64_t from = *lock_free > m->run.cycle ? *lock_free : m->run.cycle;
    if (from - m->run.cycle > m->settings.executor_sleep) /* the worker sleeps */
        from += m->settings.executor_handoff;
    e->lock_stalls += from - m->run.cycle;
    *lock_free = from + cycles;
    if (EMITS && m->watch.tells_queues) {
        struct traces_event *event = machine_emit(m, TRACES_EVENT_LOCK);
        event->pe = number;
        event->a = from;
        event->b = *lock_free;
    }
    return *lock_free;
}

/* Use of the frames by one firing. */
struct frame_work {
    uint64_t uses; /* how often the firing takes the lock */
    uint64_t made;
};

static struct frame_work count_frame_work(const struct machine *m,
                                          const struct isa_instr *instr,
                                          enum isa_fired fired, bool under_caller,
                                          struct frames before)
{
    const struct frames now = count_frames(m);
    const bool enters = isa_op_brings_in(instr->op) ||
                        (is_divided(m) && (instr->op == ISA_OP_TRACK_CALL ||
                                           instr->op == ISA_OP_TRACK_ENTER));
    const bool leaves = isa_op_brings_out(instr->op);
    struct frame_work work = {.made = now.made - before.made};
    if (isa_op_does[instr->op].tag == ISA_UNDER_ENTERED && now.count > before.count)
        work.made++; /* frame of iteration 0, which count_frames omits */
    work.uses = work.made + (before.count + work.made - now.count);
    if (fired == ISA_FIRED_LIVE)
        work.uses += enters + 2 * leaves;
    else if (leaves)
        work.uses += under_caller ? 0 : 2;
    else if (enters && m->settings.executor_dead_frame) {
        /* A dead CALL looks for a frame. The CALL of the first argument also makes the frame and
         * frees it. */
        work.made += instr->index == 0;
        work.uses += instr->index == 0 ? 3 : 1;
    }
    return work;
}

struct task {
    struct machine_tf_cost nodes;
    bool has_frame; /* the activation of the token's tag has a frame */
};

static struct task task_of(const struct machine *m, const struct isa_token *t,
                           const struct isa_instr *instr)
{
    const struct isa_code *code = m->code;
    const struct machine_tf_costs *l = &m->executor->lowering;
    const struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags,
                                                         isa_token_tag(t));
    struct task task = {
        .nodes = l->of_instr[isa_token_instr(t)],
        .has_frame = code->expands ? code->graph->functions[a->function].is_loop
                                   : isa_token_tag(t) != ISA_TAG_ROOT,
    };
    if (isa_op_does[instr->op].sends == ISA_SENDS_RESULTS) {
        /* Adds the nodes at the call site that gets this result of the call. */
        const struct machine_tf_cost *more =
            &l->of_output[code->first_return[a->site] + instr->index];
        task.nodes.live[0] += more->live[0];
        task.nodes.dead[0] += more->dead[0];
        task.nodes.all += more->all;
    }
    return task;
}

static uint64_t time_of_nodes(struct machine *m, uint32_t number, const struct task *task,
                              enum isa_fired fired, int taken)
{
    struct machine_executor *e = m->executor;
    const struct machine_worker_times *times = e->workers[number].times;
    const struct machine_tf_cost *l = &task->nodes;
    const uint64_t live = fired == ISA_FIRED_LIVE ? l->live[taken] : 0;
    uint64_t dead = fired == ISA_FIRED_LIVE ? l->dead[taken] : l->all;
    if (!m->code->propagate)
        dead = 0;
    e->live_nodes += live;
    e->dead_nodes += dead;
    return live * (times->live + (task->has_frame ? times->tag : 0)) + dead * times->dead;
}

static uint64_t time_of_copy(const struct machine *m, const struct isa_instr *apply)
{
    const uint32_t callee = m->code->sites[apply->site].callee;
    return traces_machine_copy_time(&m->about, m->executor->lowering.of_copy[callee]);
}

static uint64_t time_of(struct machine *m, uint32_t number, const struct task *task,
                        const struct isa_instr *instr, enum isa_fired fired, int taken,
                        struct frame_work work, uint64_t kernel)
{
    const struct machine_worker_times *times = m->executor->workers[number].times;
    const bool copies = instr->op == ISA_OP_APPLY && fired == ISA_FIRED_LIVE;
    m->executor->lock_uses += work.uses + copies;
    const uint64_t locked = work.uses * times->lock +
                            (copies ? m->settings.executor_copy_lock : 0);
    const uint64_t own = work.made * times->frame +
                         time_of_nodes(m, number, task, fired, taken) + kernel +
                         (copies ? time_of_copy(m, instr) : 0);
    return hold_lock(m, number, locked) - m->run.cycle +
           machine_op_timing_share(m, (uint32_t)(instr - m->code->instrs), own);
}

static void occupy(struct machine *m, uint32_t number, uint64_t time)
{
    struct machine_worker *worker = &m->executor->workers[number];
    worker->until = m->run.cycle + time;
    m->executor->busy_cycles += time;
    m->tokens.pes[number].stats.busy += time;
    m->run.quiet_cycle = worker->until > m->run.quiet_cycle ? worker->until
                                                            : m->run.quiet_cycle;
}

/* What a firing in a divided program does besides. */
struct beyond {
    bool is_dead; /* a hiaton is passed on */
    uint64_t
        requests;   /* machine_request_bits of an access to an array of another machine */
    uint64_t bytes; /* bytes of tensors in that request */
};

/* Finds it out before the firing, which empties slots. */
static struct beyond foresee_beyond(const struct machine *m, uint32_t number,
                                    const struct isa_token *t,
                                    const struct isa_instr *instr)
{
    const struct isa_exec *x = &m->tokens.exec;
    const struct isa_slot *slot = instr->form == ISA_FORM_TWO
                                      ? isa_exec_slot(x, isa_token_tag(t), instr)
                                      : NULL;
    struct beyond b = {
        .is_dead = isa_token_is_dead(t) ||
                   (slot && isa_slot_is_waiting(slot) && isa_slot_is_dead(slot))};
    if (b.is_dead || !isa_op_accesses_element(instr->op))
        return b;
    const isa_value address = instr->form == ISA_FORM_SECOND ? instr->value
                              : slot && isa_token_port(t)    ? slot->value
                                                             : t->value;
    const struct isa_structure *array = isa_structures_get(&x->structures, address);
    if (m->machine_of[array->instr] == machine_of_worker(m, number))
        return b;
    b.requests = machine_request_bits(m, t);
    b.bytes = machine_carried_bytes(m, t, true);
    return b;
}

/* Counts the request of an access to an array of another machine. Returns its time. */
static uint64_t request_beyond(struct machine *m, uint32_t number, const struct beyond *b)
{
    if (b->requests == 0)
        return 0;
    m->watch.element_requests++;
    m->watch.network_bits += b->requests;
    m->watch.tensor_network_bytes += b->bytes;
    m->tokens.pes[number].stats.network_tokens++;
    return 2 * machine_executor_network_latency(m);
}

/* Makes worker `number` fire the instruction of a token. Returns false, with the worker idle, if
 * the token waits after all or the run has ended. */
static bool begin(struct machine *m, uint32_t number, const struct isa_token *t)
{
    struct machine_worker *worker = &m->executor->workers[number];
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    struct issue issue = {m, worker, &m->tokens.pes[number].stats, number, 0};
    struct isa_firing firing = {0};
    const struct task task = task_of(m, t, instr);
    const struct frames before = count_frames(m);
    uint64_t kernel = 0;
    if (__builtin_expect(m->begins_of[instr->op], 0))
        kernel = m->settings.latency[ISA_UNIT_TENSOR] + machine_begin_firing(m, t, instr);
    struct beyond beyond = {0};
    if (is_divided(m))
        beyond = foresee_beyond(m, number, t, instr);
    const enum isa_fired fired = take_effect(&issue, t, &firing);
    if (is_divided(m) ? fired <= ISA_FIRED_CARRIED : fired <= ISA_FIRED_DEAD) {
        const bool under_caller = isa_token_is_dead(t) && isa_token_port(t);
        const enum isa_fired cost_as = fired < ISA_FIRED_CARRIED ? fired
                                       : beyond.is_dead          ? ISA_FIRED_DEAD
                                                                 : ISA_FIRED_LIVE;
        const struct frame_work work = count_frame_work(m, instr, cost_as, under_caller,
                                                        before);
        const bool chooses = isa_op_does[instr->op].sends == ISA_SENDS_ONE;
        const int taken = chooses ? issue.taken : 0;
        occupy(m, number,
               time_of(m, number, &task, instr, cost_as, taken, work,
                       fired == ISA_FIRED_LIVE ? kernel : 0) +
                   request_beyond(m, number, &beyond));
        worker->tag = isa_token_tag(t);
        worker->instr = isa_token_instr(t);
        if (EMITS)
            machine_emit_formed(m, fired, worker->until);
        if (EMITS && fired == ISA_FIRED_CARRIED)
            machine_emit_busy(m, number, worker->instr, worker->until);
    }
    const struct machine_issue accounted = {.machine = m,
                                            .pe = &m->tokens.pes[number],
                                            .pe_number = number,
                                            .now = m->run.cycle,
                                            .when = worker->until};
    if (!machine_account(m, &accounted, instr, instr->op, fired, &firing))
        return false;
    if (__builtin_expect(m->watch.is_observed, 0))
        machine_observe_issue(m, instr->op, fired, firing.depth);
    return machine_has_memory(m, m->tokens.exec.counts.live) &&
           fired <= ISA_FIRED_CARRIED;
}

/* --- tokens that arrive -------------------------------------------------------------------- */

/* Puts a ready token in the list of the worker that made it ready, or in the queue of its machine
 * (`worker` NULL, or of another machine). */
static void put_ready(struct machine *m, struct machine_worker *worker,
                      const struct isa_token *t)
{
    struct machine_executor *e = m->executor;
    const uint32_t machine = machine_of_instr(m, isa_token_instr(t));
    const bool keeps = m->settings.executor_inline == MACHINE_INLINE_TAG && worker &&
                       isa_token_tag(t) == worker->tag &&
                       machine_of_worker(m, (uint32_t)(worker - e->workers)) == machine;
    machine_queue_put(keeps ? &worker->own : &e->ready[machine], t);
    if (EMITS && m->watch.tells_queues)
        machine_emit_entered(m, keeps ? TRACES_PLACE_OWN : TRACES_PLACE_READY,
                             keeps ? (uint32_t)(worker - e->workers) : machine, t);
}

/* Whether a ready token passes all gates; if not, a gate holds it. */
static __attribute__((noinline)) bool passes_gates(struct machine *m, uint32_t number,
                                                   const struct isa_token *t,
                                                   const struct isa_instr *instr)
{
    struct machine_passage p = {.token = t, .instr = instr};
    if (machine_ask_gates(m, &p, m->gates_of[instr->op]) == MACHINE_GATE_OPENS)
        return true;
    if (EMITS) {
        machine_emit_taken(m, number, t);
        machine_emit_how(m, p.how);
    }
    return false;
}

/* Delivers a token. Returns false if the run has ended. */
static bool deliver(struct issue *issue, const struct isa_token *t)
{
    struct machine *m = issue->machine;
    const struct isa_instr *instr = &m->code->instrs[isa_token_instr(t)];
    if (isa_outcome_fires(isa_fire_outcome_of(&m->tokens.exec, t, instr))) {
        if (m->gates_of[instr->op] == 0 || passes_gates(m, issue->number, t, instr))
            put_ready(m, issue->worker, t);
        return true;
    }
    struct isa_firing firing = {0};
    const enum isa_fired fired = take_effect(issue, t, &firing);
    const struct machine_issue accounted = {.pe = &m->tokens.pes[issue->number]};
    if (__builtin_expect(m->watch.is_observed, 0))
        machine_observe_issue(m, instr->op, fired, 0);
    return machine_account(m, &accounted, instr, instr->op, fired, &firing);
}

static bool pass(struct machine *m, const struct isa_token *t)
{
    put_ready(m, m->executor->releases, t);
    if (EMITS)
        machine_emit_how(m, TRACES_OUTCOME_READY);
    return true;
}

/* Releases tokens that gates held and that can continue now. `worker`: the worker whose firing has
 * just ended; it gets the released tokens of its tag (put_ready). NULL: none. */
static void resume(struct machine *m, struct machine_worker *worker)
{
    m->executor->releases = worker;
    for (uint32_t i = 0; m->resume[i].call; i++)
        m->resume[i].call(m, m->resume[i].state);
}

/* Delivers a token of a worker's firing, or sends it to the machine of its instruction. Returns
 * false if the run has ended. */
static bool deliver_or_send(struct issue *issue, const struct isa_token *t)
{
    struct machine *m = issue->machine;
    if (!is_divided(m))
        return deliver(issue, t);
    const uint32_t machine = machine_of_worker(m, issue->number);
    if (machine_of_instr(m, isa_token_instr(t)) == machine)
        return deliver(issue, t);
    machine_executor_network_send(m, m->executor->network, machine, issue->number, t);
    return true;
}

/* Delivers the tokens of a worker's firing. Returns false if the run has ended, or if the worker
 * stays busy freeing frames. */
static bool end(struct machine *m, uint32_t number)
{
    struct machine_executor *e = m->executor;
    struct machine_worker *worker = &e->workers[number];
    struct issue issue = {m, worker, &m->tokens.pes[number].stats, number, 0};
    const uint64_t before = count_alive(m);
    for (size_t i = 0; i < worker->sent.count; i++) {
        const struct isa_token t = worker->sent.items[i];
        if (!deliver_or_send(&issue, &t))
            return false;
    }
    worker->sent.count = 0;
    if (m->resume[0].call)
        resume(m, worker);
    const uint64_t freed = before - count_alive(m);
    e->lock_uses += freed;
    occupy(m, number, hold_lock(m, number, freed * worker->times->lock) - m->run.cycle);
    if (EMITS && worker->until > m->run.cycle)
        machine_emit_busy(m, number, worker->instr, worker->until);
    return worker->until == m->run.cycle;
}

/* In builds with --enable-checks: verifies the machine after each of the first 256 steps of a run,
 * and after some later ones. */
static void verify_event(struct machine *m)
{
#ifdef HIATON_CHECKS
    const uint64_t events = m->executor->events++;
    if (events <= 256 || (events & (events - 1)) == 0 || events % 4096 == 0)
        machine_verify(m);
#else
    (void)m;
#endif
}

/* --- the run ------------------------------------------------------------------------------- */

/* Makes a worker begin a firing. Returns false if no token is ready, or the run has ended. */
static bool go_on(struct machine *m, uint32_t number)
{
    struct machine_executor *e = m->executor;
    const uint32_t machine = machine_of_worker(m, number);
    struct machine_queue *own = &e->workers[number].own;
    while (m->run.running) {
        const uint32_t count = machine_queue_count(own);
        if (count == 0 && machine_queue_count(&e->ready[machine]) == 0)
            return false;
        const struct isa_token t = *(
            count ? machine_queue_oldest(own)
                  : machine_discipline_take(m, m->discipline, &e->ready[machine]));
        if (EMITS && m->watch.tells_queues)
            machine_emit_left(m, count ? TRACES_PLACE_OWN : TRACES_PLACE_READY,
                              count ? number : machine, &t);
        if (begin(m, number, &t))
            return true;
    }
    return false;
}

static void wake_idle_of(struct machine *m, uint32_t machine)
{
    struct machine_executor *e = m->executor;
    const uint32_t first = machine * m->machine_pes;
    uint32_t number;
    MACHINE_SET_EACH(&e->idle[machine], number)
    {
        if (!m->run.running || machine_queue_count(&e->ready[machine]) == 0)
            return;
        if (go_on(m, first + number)) {
            machine_set_remove(&e->idle[machine], number);
            put_busy(e, first + number);
        }
    }
}

static void wake_idle(struct machine *m)
{
    const uint32_t count = is_divided(m) ? m->executor->machine_count : 1;
    for (uint32_t i = 0; i < count; i++)
        if (machine_queue_count(&m->executor->ready[i]))
            wake_idle_of(m, i);
}

static void begin_run(struct machine *m)
{
    struct machine_executor *e = m->executor;
    for (uint32_t i = 0; i < m->code->start_count; i++) {
        const struct isa_token t = isa_exec_start(&m->tokens.exec, i);
        const uint32_t machine = machine_of_instr(m, isa_token_instr(&t));
        machine_queue_put(&e->ready[machine], &t);
        if (EMITS)
            machine_emit_entered(m, TRACES_PLACE_READY, machine, &t);
    }
    e->starts = m->code->start_count;
    e->started = true;
    wake_idle(m);
}

/* Returns the time when the first worker ends its firing or a token comes from another machine;
 * MACHINE_NEVER: the machine is quiet. */
static uint64_t due_of(const struct machine *m)
{
    return is_divided(m) ? machine_executor_due(m->executor)
                         : machine_executor_ends(m->executor);
}

/* Whether all workers are idle, and no token is on its way to another machine. */
static bool is_quiet(const struct machine *m)
{
    return due_of(m) == MACHINE_NEVER;
}

/* Called when is_quiet: lets a part of the machine exceed its bounds, or ends the run. */
static void go_on_quiet(struct machine *m)
{
    if (machine_insists(m)) {
        resume(m, NULL);
        wake_idle(m);
    }
    if (m->run.running && is_quiet(m))
        machine_stop_quiet(m);
}

/* Advances time. As workers are busy all the time, the series is sampled when due, not at the next
 * event. */
static void pass_to(struct machine *m, uint64_t time)
{
    if (time > m->watch.part_begins)
        machine_observe_peaks(m);
    while (m->run.running && m->watch.next_sample < time)
        machine_pass(m, m->watch.next_sample - m->run.cycle);
    if (m->run.running)
        machine_pass(m, time - m->run.cycle);
}

/* Completes the firing that ends first, and begins firings on workers that are idle then. The run
 * may end. */
static void end_first(struct machine *m)
{
    struct machine_executor *e = m->executor;
    const uint32_t number = e->busy[0];
    const uint64_t time = e->workers[number].until;
    if (time > m->run.cycle) {
        pass_to(m, time);
        if (!m->run.running)
            return;
    }
    const bool is_free = end(m, number);
    if (!m->run.running)
        return;
    if (!is_free || go_on(m, number))
        sift_down(e);
    else
        take_busy(m);
    wake_idle(m);
    if (m->run.running)
        verify_event(m);
}

/* Delivers the token that comes first from another machine. What is ready goes to the queue; what
 * waits counts for the first worker of its machine. The run may end. */
static void arrive(struct machine *m)
{
    struct machine_executor_network *network = m->executor->network;
    const uint64_t time = machine_executor_network_next(network);
    if (time > m->run.cycle)
        pass_to(m, time);
    if (!m->run.running)
        return;
    const struct isa_token t = machine_executor_network_take(network);
    const uint32_t first = machine_of_instr(m, isa_token_instr(&t)) * m->machine_pes;
    struct issue issue = {m, NULL, &m->tokens.pes[first].stats, first, 0};
    if (!deliver(&issue, &t))
        return;
    resume(m, NULL);
    wake_idle(m);
    if (m->run.running)
        verify_event(m);
}

/* Does what happens next, which must not be a feed: a token comes, or a firing ends. */
static void step(struct machine *m)
{
    const struct machine_executor *e = m->executor;
    if (is_divided(m) &&
        machine_executor_network_next(e->network) <= machine_executor_ends(e))
        arrive(m);
    else
        end_first(m);
}

/* --- ports ------------------------------------------------------------------------------- */

/* Sends the answer of an instruction that waited at a port. The tokens go to the common queue, and
 * count for the worker that fired the instruction. */
static bool answer_port(struct machine *m, const struct isa_port_wait *wait,
                        isa_value value)
{
    const uint32_t number = m->executor->asked.items[wait->order];
    struct machine_worker sent = {0};
    struct issue issue = {m, &sent, &m->tokens.pes[number].stats, number, 0};
    const struct isa_fire_to to = {&m->tokens.exec.counts, NULL, EMITS ? emit_told : emit,
                                   &issue, is_divided(m)};
    if (EMITS && machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_of(m, TRACES_EVENT_ANSWERED, number, wait->instr, wait->tag);
    isa_fire_answer_port(&m->tokens.exec, wait, value, true, to);
    issue.worker = NULL;
    bool goes_on = true;
    for (size_t i = 0; i < sent.sent.count && goes_on; i++)
        goes_on = deliver(&issue, &sent.sent.items[i]);
    LIB_VEC_FREE(&sent.sent);
    return goes_on;
}

/* Applies the feeds of `time`. Feeds precede the firings that end at the same time. */
static void take_feeds(struct machine *m, uint64_t time)
{
    if (time > m->run.cycle)
        pass_to(m, time);
    if (m->run.running)
        machine_ports_take(m);
    if (m->run.running)
        resume(m, NULL);
    if (m->run.running && m->executor->started)
        wake_idle(m);
    if (m->run.running)
        verify_event(m);
}

/* Called when is_quiet. Returns false if the machine stays so and no feed is pending. While
 * the run waits for feeds, limits.cycles can end it. */
static bool go_on_idle(struct machine *m, uint64_t cycle)
{
    const uint64_t limit = m->settings.limit_cycles;
    go_on_quiet(m);
    if (!m->run.running || !is_quiet(m))
        return m->run.running;
    const uint64_t fed = machine_ports_next(m->ports);
    m->ports->waits = fed == MACHINE_NEVER;
    if (!m->ports->waits && limit && fed >= limit && cycle > limit)
        pass_to(m, limit);
    return m->run.running && !m->ports->waits;
}

static void start_with_feeds(struct machine *m)
{
    if (machine_ports_next(m->ports) == 0)
        take_feeds(m, 0);
    if (m->run.running)
        begin_run(m);
    m->ports->now = 1;
}

static bool advance_with_ports(struct machine *m, uint64_t cycle, uint64_t until)
{
    struct machine_executor *e = m->executor;
    m->ports->waits = false;
    if (!e->started)
        start_with_feeds(m);
    while (m->run.running && m->tokens.exec.counts.tokens < until) {
        if (is_quiet(m) && !go_on_idle(m, cycle))
            break;
        const uint64_t due = due_of(m);
        const uint64_t fed = machine_ports_next(m->ports);
        if ((due < fed ? due : fed) >= cycle) {
            m->ports->now = cycle > m->ports->now ? cycle : m->ports->now;
            break;
        }
        if (fed <= due)
            take_feeds(m, fed);
        else
            step(m);
        m->ports->now = m->run.cycle + 1;
    }
    if (!m->run.running)
        machine_observe_peaks(m);
    return m->run.running;
}

static bool advance(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    struct machine_executor *e = m->executor;
    const uint64_t until = isa_counts_tokens_after(&m->tokens.exec.counts, tokens);
    if (m->ports)
        return advance_with_ports(m, cycle, until);
    if (!e->started)
        begin_run(m);
    while (m->run.running && m->tokens.exec.counts.tokens < until) {
        const uint64_t due = due_of(m);
        if ((due < MACHINE_NEVER ? due : m->run.cycle) >= cycle)
            break;
        if (due == MACHINE_NEVER)
            go_on_quiet(m);
        else
            step(m);
    }
    if (!m->run.running) /* no time passes after the end */
        machine_observe_peaks(m);
    return m->run.running;
}

/* The run of an executor, as this file was compiled. */
#define MACHINE_EXECUTOR_RUN                                                             \
    {                                                                                    \
        .advance = advance, .pass = pass, .answer_port = answer_port                     \
    }

#endif
