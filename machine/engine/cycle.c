#include "machine/engine/cycle.h"

#include "machine/engine/engine.h"
#include "machine/events.h"
#include "machine/nodes.h"
#include "machine/ports.h"

/* --- one cycle --------------------------------------------------------------------------- */

static __attribute__((noinline)) void unload_traced(struct machine *m)
{
    const struct machine_wheel_slot *slot = machine_wheel_at(&m->tokens.formed,
                                                             m->run.cycle);
    for (size_t i = 0; i < slot->count; i++)
        machine_emit_entered(m, TRACES_PLACE_INPUT, machine_token_pe(&slot->tokens[i]),
                             &slot->tokens[i]);
    machine_unload(m);
}

static void simulate_cycle(struct machine *m)
{
    m->run.moved = m->run.held_back = false;
    if (m->watch.tells_queues)
        unload_traced(m);
    else
        machine_unload(m);
    machine_serve(m);
    if (__builtin_expect(m->run.running, 1))
        m->run.execute(m);
}

void machine_note_doubling(struct machine *m)
{
    const uint32_t functions = m->tokens.exec.tags.function_count;
    m->watch.next_mark = 2 * m->watch.peak_tags;
    *LIB_VEC_PUSH(&m->watch.marks) = (struct machine_mark){m->run.cycle,
                                                           m->watch.peak_tags};
    for (uint32_t f = 0; f < functions; f++)
        *LIB_VEC_PUSH(&m->watch.freed_by_marks) = m->tokens.exec.tags.freed[f];
}

void machine_observe_rare_peaks(struct machine *m)
{
    const struct isa_structures *s = &m->tokens.exec.structures;
    if (m->code->expands && machine_copied_nodes(m) > m->watch.peak_copied)
        m->watch.peak_copied = machine_copied_nodes(m);
    if (s->tensors.used > m->watch.peak_tensor_bytes)
        m->watch.peak_tensor_bytes = s->tensors.used;
    for (uint32_t i = 0; m->observe[i].call; i++)
        m->observe[i].call(m, m->observe[i].state);
}

void machine_observe_peaks(struct machine *m)
{
    machine_observe_peaks_as(m, false);
}

/* --- the next one ------------------------------------------------------------------------- */

bool machine_insists(struct machine *m)
{
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->insist &&
            m->parts[i]->insist(m, machine_part_state(m, m->parts[i])))
            return true;
    return false;
}

uint64_t machine_next_of_parts(struct machine *m)
{
    for (uint32_t i = 0; m->next[i].call; i++) {
        const uint64_t of_part = m->next[i].call(m, m->next[i].state);
        if (of_part >= m->run.soonest)
            continue;
        m->run.soonest = of_part;
        if (of_part <= m->run.cycle + 1)
            break;
    }
    const uint64_t next = m->run.soonest;
    m->run.soonest = MACHINE_NEVER;
    return next == MACHINE_NEVER && machine_insists(m) ? m->run.cycle + 1 : next;
}

static struct machine_wait waits(const struct machine *m)
{
    struct machine_wait first = MACHINE_WAITS_FOR(NOTHING, NULL);
    for (uint32_t i = 0; i < m->part_count; i++) {
        if (!m->parts[i]->waits)
            continue;
        const struct machine_wait of_part = m->parts[i]->waits(
            m, machine_part_state(m, m->parts[i]));
        first = of_part.what < first.what ? of_part : first;
    }
    return first;
}

const char *machine_limit_passed(const struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    if (s->limit_tokens && m->tokens.exec.counts.tokens > s->limit_tokens)
        return "limits.tokens";
    if (s->limit_depth && m->tokens.exec.tags.deepest > s->limit_depth)
        return "limits.depth";
    return NULL;
}

void machine_stop_quiet(struct machine *m)
{
    const uint64_t limit = m->settings.limit_cycles;
    if (limit && machine_time(m) > limit) {
        machine_stop(m, ISA_END_LIMIT, "limits.cycles");
        return;
    }
    const char *const passed = machine_limit_passed(m);
    if (passed) {
        machine_stop(m, ISA_END_LIMIT, passed);
        return;
    }
    if (m->nodes && machine_nodes_miss(m->nodes))
        return;
    if (m->ports && isa_ports_wait_for_host(&m->tokens.exec))
        return;
    const struct machine_wait wait = waits(m);
    switch (wait.what) {
    case MACHINE_WAITS_FOR_ROOM:
    case MACHINE_WAITS_FOR_STORE:
        machine_stop(m, ISA_END_STORE_FULL, wait.setting);
        break;
    case MACHINE_WAITS_FOR_NUMBER:
        machine_stop(m, ISA_END_TAGS_EXHAUSTED, wait.setting);
        break;
    case MACHINE_WAITS_FOR_NOTHING:
        machine_stop(m, isa_exec_end(&m->tokens.exec), NULL);
        break;
    }
}

uint64_t machine_state_bytes(const struct machine *m)
{
    const struct isa_ports *ports = m->tokens.exec.structures.ports;
    return machine_bytes_now(m) +
           (ports ? ports->waiting * sizeof(struct isa_deferred) : 0);
}

static const char *limit_reached(const struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    if (__builtin_expect(m->has_limits, 0)) {
        if (s->limit_cycles && m->run.cycle >= s->limit_cycles)
            return "limits.cycles";
        const char *const passed = machine_limit_passed(m);
        if (passed)
            return passed;
    }
    return machine_state_bytes(m) > s->limit_memory ? "limits.memory" : NULL;
}

void machine_look_for_limit(struct machine *m)
{
    const char *const limit = limit_reached(m);
    if (limit)
        machine_stop(m, ISA_END_LIMIT, limit);
}

/* Like machine_pass, without looking for limits. */
static void pass_unseen(struct machine *m, uint64_t step)
{
    m->watch.waiting_cycles += m->tokens.exec.counts.waiting * step;
    m->watch.queue_stalls += m->run.held_back ? step : 0;
    m->run.cycle += step;
}

void machine_pass(struct machine *m, uint64_t step)
{
    pass_unseen(m, step);
    machine_look(m);
}

/* Returns the next cycle in which something happens. Usually a PE has tokens, and no part is
 * asked. */
static uint64_t next_cycle(struct machine *m)
{
    uint64_t next = machine_has_input(m) ? m->run.cycle + 1 : machine_next_of_parts(m);
    if (__builtin_expect(m->nodes != NULL, 0))
        next = machine_nodes_next(m, next);
    return next;
}

/* Ends a cycle and advances to the next one. Returns false if the run has ended. */
static bool end_cycle(struct machine *m)
{
    machine_observe_peaks(m);
    if (!m->run.running)
        return false;
    machine_verify_cycle(m);
    const uint64_t next = next_cycle(m);
    if (next == MACHINE_NEVER) {
        machine_stop_quiet(m);
        return false;
    }
    machine_pass(m, next - m->run.cycle);
    return true;
}

bool machine_is_plainly_run(const struct machine *m)
{
    return m->run.execute == machine_plain_execute &&
           !(m->has_queues && m->tokens.with_input.tops) && !m->nodes;
}

/* --- runs with ports -------------------------------------------------------------------------- */

/* Returns the cycle in which a skip of cycles that begins now ends: limits.cycles if the run waits
 * for its host, else that of the next event, except feeds after the limit. */
static uint64_t end_of_skip(const struct machine *m)
{
    const uint64_t limit = m->settings.limit_cycles, next = machine_due(m);
    if (limit == 0 || next < limit)
        return next;
    if (m->ports->due != MACHINE_NEVER)
        return m->ports->due;
    return limit > m->run.cycle ? limit : m->run.cycle;
}

/* Skips cycles in which nothing happens, but not beyond `cycle`, where the caller stops. Such a
 * stop checks no limits, so it does not change where the run ends. */
static void skip_with_ports(struct machine *m, uint64_t cycle)
{
    const uint64_t limit = m->settings.limit_cycles, end = end_of_skip(m);
    if (cycle >= end || (limit && cycle >= limit))
        machine_pass(m, end - m->run.cycle);
    else
        pass_unseen(m, cycle - m->run.cycle);
}

/* Applies feeds, then simulates the current cycle. Returns false if the run has ended. */
static bool simulate_with_feeds(struct machine *m)
{
    if (machine_ports_next(m->ports) == m->run.cycle)
        machine_ports_take(m);
    if (m->run.running)
        simulate_cycle(m);
    machine_observe_peaks(m);
    if (!m->run.running)
        return false;
    machine_verify_cycle(m);
    m->ports->due = next_cycle(m);
    return true;
}

/* Advances a run with ports. A cycle at which the caller stops is not simulated yet. A machine that
 * waits for its host is in the cycle after the last simulated one. */
static bool advance_with_ports(struct machine *m, uint64_t cycle, uint64_t until)
{
    m->ports->waits = false;
    while (machine_goes_on(m, cycle, until)) {
        const bool is_due = machine_due(m) == m->run.cycle;
        if (is_due && !simulate_with_feeds(m))
            break;
        if (m->ports->due == MACHINE_NEVER)
            machine_stop_quiet(m);
        if (!m->run.running)
            break;
        if (m->ports->due == MACHINE_NEVER && is_due)
            machine_pass(m, 1);
        m->ports->waits = m->run.running && machine_due(m) == MACHINE_NEVER;
        if (!m->run.running || m->ports->waits)
            break;
        skip_with_ports(m, cycle);
    }
    return m->run.running;
}

bool machine_pes_advance(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    const uint64_t until = isa_counts_tokens_after(&m->tokens.exec.counts, tokens);
    if (m->ports)
        return advance_with_ports(m, cycle, until);
    machine_network_open(m, cycle);
    while (machine_goes_on(m, cycle, until)) {
        if (machine_is_plainly_run(m)) {
            machine_plain_advance(m, cycle, until);
            break;
        }
        simulate_cycle(m);
        if (!end_cycle(m))
            break;
    }
    machine_network_close(m);
    return m->run.running;
}
