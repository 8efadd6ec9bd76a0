#include "sim/session/simulation_internal.h"

#include <assert.h>

#include "lib/world.h"
#include "machine/token_values.h"
#include "sim/session/host.h"

/* --- advancing ---------------------------------------------------------------------- */

/* Bounds of an advance: a total count of tokens, and a cycle. */
struct goal {
    uint64_t tokens, cycle;
};

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct goal goal_of(const struct sim_simulation *s, const struct sim_until *until)
{
    struct goal goal = {.tokens = UINT64_MAX, .cycle = UINT64_MAX};
    if (until && until->cycle && s->machine)
        goal.cycle = until->cycle;
    if (until && until->tokens &&
        __builtin_add_overflow(sim_simulation_tokens(s), until->tokens, &goal.tokens))
        goal.tokens = UINT64_MAX;
    return goal;
}

static bool is_reached(const struct sim_simulation *s, const struct goal *goal)
{
    return sim_simulation_tokens(s) >= goal->tokens ||
           (goal->cycle != UINT64_MAX && machine_next(s->machine) >= goal->cycle);
}

static bool is_stopped(struct sim_simulation *s)
{
    const struct sim_watch *watch = &s->config.watch;
    if (!watch->look || sim_simulation_tokens(s) < s->next_look)
        return false;
    s->next_look = sim_simulation_tokens(s) + watch->every;
    return !watch->look(s, watch->context);
}

/* Runs up to the goal or the next watch.look; one cycle or token if `in_steps`. */
static void take_piece(struct sim_simulation *s, const struct goal *goal, bool in_steps)
{
    uint64_t now = sim_simulation_tokens(s), most = goal->tokens - now;
    if (s->config.watch.look && s->next_look - now < most)
        most = s->next_look - now;
    if (!s->machine) {
        s->has_ended = !isa_interp_advance(&s->interp, in_steps ? 1 : most);
        s->waits = s->has_ended && s->interp.end == ISA_END_WAITING;
        s->has_ended &= !s->waits;
        return;
    }
    uint64_t cycle = goal->cycle;
    if (in_steps && machine_due(s->machine) < cycle)
        cycle = machine_due(s->machine) + 1;
    s->has_ended = !machine_advance_to(s->machine, cycle, most);
}

/* Returns up to which cycle time passes while a run waits. If all feeds are known: to the limit of
 * cycles, which ends the run as it ended the recorded one. */
static uint64_t lapse_of(const struct sim_simulation *s, const struct sim_until *until)
{
    if (!s->config.feeds || s->config.has_host || s->settings.limit_cycles == 0)
        return until ? least_of(until->lapse, MACHINE_LAST_CYCLE) : 0;
    return least_of(until && until->cycle ? until->cycle : UINT64_MAX,
                    MACHINE_LAST_CYCLE);
}

/* Lets time pass as `until` allows. Returns whether the run still waits for its host. */
static bool waits_for_host(struct sim_simulation *s, const struct sim_until *until)
{
    if (s->has_ended || !(s->machine ? machine_waits(s->machine) : s->waits))
        return false;
    const uint64_t lapse = lapse_of(s, until);
    if (!s->machine || lapse <= machine_next(s->machine))
        return true;
    s->has_ended = !machine_lapse(s->machine, lapse);
    return false;
}

static enum sim_advanced advance_run(struct sim_simulation *s,
                                     const struct sim_until *until)
{
    const struct goal goal = goal_of(s, until);
    const bool in_steps = until && until->event;
    while (!s->has_ended) {
        if (is_reached(s, &goal))
            return SIM_ADVANCED_SO_FAR;
        if (is_stopped(s))
            return SIM_ADVANCED_TO_STOP;
        take_piece(s, &goal, in_steps);
        if (waits_for_host(s, until))
            return is_reached(s, &goal) ? SIM_ADVANCED_SO_FAR : SIM_ADVANCED_TO_WAIT;
        if (in_steps && !s->has_ended && until->event(s, until->context))
            return SIM_ADVANCED_SO_FAR;
    }
    return SIM_ADVANCED_TO_END;
}

enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until)
{
    LIB_WORLD_OWN();
    double start = sim_host_clock();
    assert(!simulation->is_finished);
    sim_simulation_start_events(simulation);
    enum sim_advanced advanced = advance_run(simulation, until);
    simulation->seconds += sim_host_clock() - start;
    return advanced;
}

void sim_simulation_again(struct sim_simulation *s, const struct isa_reexec *again)
{
    LIB_WORLD_OWN();
    assert(!s->machine && s->has_ended);
    isa_interp_again(&s->interp, again);
    s->has_ended = false;
}

void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count)
{
    LIB_WORLD_OWN();
    assert(simulation->config.sink_count == 0 && !simulation->config.costs);
    simulation->is_heard = true;
    machine_listen_from(simulation->machine, cycle, sinks, count);
}

void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count)
{
    assert(simulation->config.sink_count == 0 && !simulation->config.costs);
    simulation->is_heard = true;
    machine_listen_on(simulation->machine, sinks, count);
}

void sim_simulation_emit_token_values(struct sim_simulation *simulation)
{
    machine_emit_token_values(simulation->machine);
}

/* --- ports ---------------------------------------------------------------------------- */

static bool feed_interpreter(struct sim_simulation *s, uint32_t port,
                             const struct machine_fed *parts)
{
    const uint32_t count = s->config.graph->ports[port].part_count;
    struct isa_port_value *values = lib_mem_new((count + 1) * sizeof *values);
    bool good = machine_fed_make(&s->interp.exec, parts, count, values);
    if (good && isa_interp_feed(&s->interp, port, values) != ISA_FEED_DONE) {
        machine_fed_free(&s->interp.exec, values, count);
        good = false;
    }
    lib_mem_free(values);
    return good;
}

bool sim_simulation_feed(struct sim_simulation *s, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle)
{
    LIB_WORLD_OWN();
    if (s->machine && parts)
        machine_feed(s->machine, port, parts, cycle);
    else if (s->machine)
        machine_close(s->machine, port, cycle);
    else if (parts)
        return feed_interpreter(s, port, parts);
    else
        s->has_ended |= !isa_interp_close(&s->interp, port);
    return true;
}

uint64_t sim_simulation_now(const struct sim_simulation *s)
{
    return machine_now(s->machine);
}

struct machine_given sim_simulation_given(const struct sim_simulation *s, uint32_t port)
{
    const struct isa_port_state *state =
        &sim_simulation_exec(s)->structures.ports->all[port];
    if (s->machine)
        return machine_given(s->machine, port);
    return (struct machine_given){.elements = state->fed, .is_closed = state->is_closed};
}

uint64_t sim_simulation_room(const struct sim_simulation *s, uint32_t port)
{
    return s->machine ? machine_port_room(s->machine, port) : UINT64_MAX;
}

bool sim_simulation_takes_feed(const struct sim_simulation *s, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle)
{
    return !s->machine || machine_takes_feed(s->machine, port, parts, cycle);
}

bool sim_simulation_take(struct sim_simulation *s, uint32_t port, isa_value *values,
                         bool is_taken)
{
    const struct isa_exec *exec = sim_simulation_exec(s);
    struct isa_port_state *state = &exec->structures.ports->all[port];
    if (!isa_port_get(exec, port, state->taken, values))
        return false;
    state->taken += is_taken;
    return true;
}
