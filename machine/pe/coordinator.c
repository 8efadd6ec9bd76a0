#include "machine/pe/coordinator.h"

#include <inttypes.h>

#include "isa/tag_path.h"
#include "machine/describe.h"
#include "machine/events.h"
#include "machine/pe/graph_copy.h"
#include "machine/placement/policy.h"
#include "machine/state_table.h"
#include "machine/verify.h"

/* A token, of an APPLY, that came to the coordinator in cycle `came`, to have it choose the cluster
 * node where the call is made. */
#define MACHINE_ASKING_FIELDS(F)                                                         \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)                                                            \
    F(CHECK, s->came < m->run.cycle)
struct machine_asking {
    MACHINE_ASKING_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_COORDINATOR_FIELDS(F)                                                    \
    F(KEPT, uint32_t, pe)    /* PE of the coordinator */                                 \
    F(KEPT, uint32_t, nodes) /* number of cluster nodes */                               \
    F(CALL, forget_served(s))                                                            \
    F(EACH, machine_asking, asking)                                                      \
    F(SCRATCH, size_t, first) /* index in `asking` of the first waiting token */         \
    /* while is_busy: it chooses a node for `served`, until cycle `until` */             \
    F(BOOL, is_busy)                                                                     \
    F(SOME_TOKEN, served, s->is_busy)                                                    \
    F(NUMBER, uint64_t, until)                                                           \
    F(CHECK, !s->is_busy || s->until >= m->run.cycle)                                    \
    F(NUMBER, uint64_t, choices) /* number of cluster nodes chosen so far */             \
    /* for each node: instructions of the copies that were sent to it, not made yet */   \
    F(ARRAY, uint64_t, coming, s->nodes)                                                 \
    F(SCRATCH, uint32_t, fires_at) /* PE at which the last APPLY that made a copy fired */
struct machine_coordinator {
    MACHINE_COORDINATOR_FIELDS(LIB_STATE_MEMBER)
};

enum { VALUE_BITS = 64 };

/* Operand bit of the token of an APPLY for which a node was chosen. */
#define CHOSEN (UINT64_C(1) << 32)

/* --- which machines have nodes ---------------------------------------------------------------- */

bool machine_copies_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    const uint64_t node_pes = machine_node_pes(s);
    const uint64_t nodes = node_pes ? s->pe_count / node_pes : 0;
    if (machine_has_workers(s) || s->copy_placement <= MACHINE_COPY_PLACED)
        return true;
    if (nodes == 0) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "copy.placement: `%s` is of machines with nodes; give "
                       "cluster.nodes, or network.topology=simgrid",
                       s->copy_placement == MACHINE_COPY_IN_NODE ? "node"
                                                                 : "coordinator");
        return false;
    }
    if (s->copy_placement == MACHINE_COPY_COORDINATED && s->coordinator_node >= nodes) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "copy.coordinator.node: expected a node from 0 to %" PRIu64
                       ", found %" PRIu64,
                       nodes - 1, s->coordinator_node);
        return false;
    }
    return true;
}

/* --- what is asked of it ---------------------------------------------------------------------- */

static const struct isa_instr *instr_of(const struct machine *m,
                                        const struct isa_token *t)
{
    return &m->code->instrs[isa_token_instr(t)];
}

uint32_t machine_coordinator_pe(const struct machine *m)
{
    return m->coordinator->pe;
}

uint32_t machine_coordinator_fires_at(const struct machine *m)
{
    return m->coordinator->fires_at;
}

bool machine_coordinator_ships(const struct machine *m, const struct isa_token *t)
{
    return instr_of(m, t)->op == ISA_OP_APPLY && machine_coordinator_chose(t);
}

/* Returns the bytes of the graph that goes with an APPLY; 0 inside the coordinator's node. */
static uint64_t graph_bytes(const struct machine *m, const struct machine_coordinator *c,
                            const struct isa_token *apply)
{
    if (machine_token_pe(apply) / m->node_pes == c->pe / m->node_pes)
        return 0;
    return m->settings.copy_node_bytes * machine_copy_nodes(m, apply);
}

uint64_t machine_coordinator_bits(const struct machine *m, const struct isa_token *apply)
{
    const uint32_t args = m->code->sites[instr_of(m, apply)->site].expects;
    return machine_token_bits(m, isa_token_tag(apply)) +
           VALUE_BITS * (uint64_t)(args > 1 ? args - 1 : 0) +
           (machine_coordinator_chose(apply) ? 8 * graph_bytes(m, m->coordinator, apply)
                                             : 0) +
           8 * machine_carried_bytes(m, apply, true);
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* Returns the number of instructions in the copies of graphs at a node or in transit to it. */
static uint64_t load_of(const struct machine *m, uint32_t node)
{
    uint64_t load = m->coordinator->coming[node];
    for (uint32_t i = 0; i < m->node_pes; i++)
        load += m->tokens.exec.tags.copies_at[node * m->node_pes + i];
    return load;
}

static void ship(struct machine *m, const struct machine_coordinator *c,
                 struct isa_token t, uint32_t to)
{
    const uint32_t here = c->pe;
    t.key |= CHOSEN;
    machine_token_move_to(&t, to);
    m->watch.counts.graph_bytes += graph_bytes(m, c, &t);
    m->watch.counts.copy_messages++;
    if (m->watch.events) {
        machine_emit_how(m, TRACES_OUTCOME_SHIPPED);
        machine_emit_moved(m, TRACES_EVENT_REQUEST, here, to, m->run.cycle, &t);
    }
    if (to == here) {
        machine_put_input(m, here, &t);
        m->tokens.pes[here].stats.local_tokens++;
        machine_emit_entered(m, TRACES_PLACE_INPUT, here, &t);
        return;
    }
    const uint64_t bits = machine_coordinator_bits(m, &t);
    m->tokens.pes[here].stats.network_tokens++;
    m->watch.network_bits += bits;
    m->watch.tensor_network_bytes += machine_carried_bytes(m, &t, true);
    m->network.kind->inject(m, here, &t, bits);
}

static void serve_one(struct machine *m, struct machine_coordinator *c)
{
    const struct isa_token t = c->served;
    const uint32_t site = instr_of(m, &t)->site;
    const uint64_t path =
        isa_activations_get(&m->tokens.exec.tags, isa_token_tag(&t))->path;
    const struct machine_placing what = {.path = path,
                                         .caller = c->pe,
                                         .count = c->nodes,
                                         .choices = c->choices,
                                         .load = load_of};
    const uint32_t node = m->policies->nodes->choose(m, &what);
    c->is_busy = false;
    c->choices++;
    c->coming[node] += machine_copy_nodes(m, &t);
    m->run.moved = true;
    machine_emit_released(m, TRACES_HOLDER_COORDINATOR, &t);
    ship(m, c, t,
         machine_pe_in_node(m, node, m->code->sites[site].callee,
                            isa_tag_path(path, site)));
}

static void forget_served(struct machine_coordinator *c)
{
    c->asking.count -= c->first;
    if (c->first)
        memmove(c->asking.items, c->asking.items + c->first,
                c->asking.count * sizeof *c->asking.items);
    c->first = 0;
}

static void begin_one(struct machine *m, struct machine_coordinator *c)
{
    const struct machine_asking *oldest = &c->asking.items[c->first++];
    c->is_busy = true;
    c->served = oldest->token;
    c->until = m->run.cycle + m->settings.coordinator_latency;
    if (m->run.cycle > oldest->came + traces_machine_cycle(&m->about, 1))
        m->watch.counts.copy_request_waits += m->run.cycle - oldest->came -
                                              traces_machine_cycle(&m->about, 1);
    if (2 * c->first >= c->asking.count) /* so each is moved at most once */
        forget_served(c);
}

static void serve(struct machine *m, void *state)
{
    struct machine_coordinator *c = state;
    if (traces_machine_cycle(&m->about, m->run.cycle) > m->run.cycle)
        return;
    if (c->is_busy && c->until <= m->run.cycle)
        serve_one(m, c);
    if (!c->is_busy && c->asking.count)
        begin_one(m, c);
}

static uint64_t next(struct machine *m, void *state)
{
    const struct machine_coordinator *c = state;
    const uint64_t soon = traces_machine_cycle(&m->about, m->run.cycle + 1);
    if (c->is_busy)
        return c->until > soon ? c->until : soon;
    return c->asking.count ? soon : MACHINE_NEVER;
}

/* --- the gates -------------------------------------------------------------------------------- */

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return op == ISA_OP_APPLY;
}

static enum machine_verdict hold(struct machine *m, struct machine_coordinator *c,
                                 struct machine_passage *p)
{
    *LIB_VEC_PUSH(&c->asking) = (struct machine_asking){*p->token, m->run.cycle};
    m->watch.counts.copy_requests++;
    p->how = TRACES_OUTCOME_ASKING;
    return MACHINE_GATE_HOLDS;
}

/* Whether the token of an APPLY came to the coordinator from another PE. */
static bool has_come(const struct machine *m, const struct machine_coordinator *c,
                     const struct isa_token *apply)
{
    return !machine_coordinator_chose(apply) && machine_token_pe(apply) == c->pe &&
           machine_place_of_tag(&m->tokens.exec.tags, isa_token_tag(apply)) != c->pe;
}

static enum machine_verdict ask_arrived(struct machine *m, void *state,
                                        struct machine_passage *p)
{
    return has_come(m, state, p->token) ? hold(m, state, p) : MACHINE_GATE_OPENS;
}

static enum machine_verdict ask_node(struct machine *m, void *state,
                                     struct machine_passage *p)
{
    struct machine_coordinator *c = state;
    if (machine_coordinator_chose(p->token) || !machine_makes_copy(m, p->token, p->instr))
        return MACHINE_GATE_OPENS;
    if (machine_token_pe(p->token) == c->pe)
        return p->foresees ? MACHINE_GATE_HOLDS : hold(m, c, p);
    m->watch.counts.copy_messages += !p->foresees;
    p->how = TRACES_OUTCOME_ASKS;
    p->to = c->pe;
    return MACHINE_GATE_SENDS;
}

static const struct machine_gate coordinator_gate = {MACHINE_GATE_COORDINATOR, concerns,
                                                     ask_arrived, false};
static const struct machine_gate node_gate = {MACHINE_GATE_NODE, concerns, ask_node,
                                              .is_foreseen = true};

static uint64_t begin_firing(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    struct machine_coordinator *c = state;
    if (machine_makes_copy(m, t, instr)) {
        c->fires_at = machine_token_pe(t);
        c->coming[c->fires_at / m->node_pes] -= machine_copy_nodes(m, t);
    }
    return 0;
}

/* --- the part --------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_coordinator *c = state;
    const struct machine_settings *s = &m->settings;
    if (!m->code->expands || s->copy_placement != MACHINE_COPY_COORDINATED)
        return false;
    c->nodes = m->pe_count / m->node_pes;
    c->pe = (uint32_t)s->coordinator_node * m->node_pes;
    c->coming = lib_mem_new(c->nodes * sizeof *c->coming);
    return true;
}

LIB_STATE(struct machine, machine_asking, MACHINE_ASKING_FIELDS)
LIB_STATE(struct machine, machine_coordinator, MACHINE_COORDINATOR_FIELDS)

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_coordinator *c = state;
    (void)m;
    for (size_t i = c->first; i < c->asking.count; i++)
        if (!visit(context, &c->asking.items[i].token, MACHINE_TOKEN_WAITS))
            return false;
    return !c->is_busy || visit(context, &c->served, MACHINE_TOKEN_WAITS);
}

static bool check_asking(void *context, const struct isa_token *t,
                         enum machine_token_place place)
{
    struct machine_audit *f = context;
    (void)place;
    return machine_must(f, machine_audit_asks(f, t),
                        "what asks the coordinator is an APPLY");
}

static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_coordinator *c = state;
    each(m, state, check_asking, f);
    for (uint32_t node = 0; node < c->nodes; node++) {
        uint64_t coming = 0;
        for (uint32_t i = 0; i < m->node_pes; i++)
            coming += machine_audit_shipped(f, node * m->node_pes + i);
        machine_must(f, c->coming[node] == coming,
                     "copies that are not made yet are counted");
    }
}

const struct machine_part machine_coordinator_part = {
    MACHINE_PART_STATE(coordinator),
    MACHINE_PART_FIELDS(machine_coordinator),
    .make = make,
    .gates = {&coordinator_gate, &node_gate},
    .begins = concerns,
    .begin_firing = begin_firing,
    .serve = serve,
    .next = next,
    .each = each,
    .check = check,
};
