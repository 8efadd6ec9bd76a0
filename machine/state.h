/* The inside of a machine, for the modules that make it up.
 *
 * The states of parts, `policies` and `ports` are behind pointers to types that are declared here.
 * Embedded is what the plain engine reads or counts for each token: batches, wheels, the network and
 * `work`; and `settings`, `exec` and `counts`, which all parts read or count. */
#ifndef MACHINE_STATE_H
#define MACHINE_STATE_H

#include "machine/engine/batches.h"
#include "machine/engine/discipline.h"
#include "machine/machine.h"
#include "machine/network/network.h"
#include "machine/part.h"
#include "machine/pe/pe.h"
#include "machine/pe/wheel.h"
#include "traces/part_counts.h"

/* A snapshot, taken each time the live activations double, with the number of freed activations of
 * each function. machine_none_freed compares it with now to find since when a set of functions has
 * freed nothing; no call pays for it. */
struct machine_mark {
    uint64_t cycle, activations;
};

/* The write that was formed last; of several in one cycle, the first. */
struct machine_written {
    uint64_t cycle; /* cycle in which it was formed */

    /* Number among the OUTPUTs and STOREs that fired, from 1; 0 if nothing was written. */
    uint64_t number;
};

#define STATE(type, member) struct machine_##type;
#include "machine/parts.def"

struct machine_nodes;
struct machine_policies;
struct machine_ports;

struct machine {
    /* The tokens to issue in this cycle. First member: this saves the plain engine an addition for
     * each batch, and `start` needs no copy of it. */
    struct machine_batches batches;

    struct machine_settings settings;
    const struct isa_code *code;
    uint64_t seed;
    const struct machine_kind *kind;
    const struct machine_part *parts[MACHINE_MAX_PARTS]; /* in their order */
    uint32_t part_count;
    /* Functions of the parts that have one; NULL at the end. */
    void (*serve[MACHINE_MAX_PARTS])(struct machine *m);
    uint64_t (*next[MACHINE_MAX_PARTS])(struct machine *m);
    void (*observe[MACHINE_MAX_PARTS])(struct machine *m);
    bool (*resume[MACHINE_MAX_PARTS])(struct machine *m);
    bool (*finish[MACHINE_MAX_PARTS])(struct machine *m);
    /* For each opcode, the parts that begin its firings: a bit for each place in begin_firing. */
    uint8_t begins_of[ISA_OP_COUNT];
    uint64_t (*begin_firing[8])(struct machine *m, const struct isa_token *t,
                                const struct isa_instr *instr);
    /* Gates of this run, by place, and the bits of those places where an opcode must ask. */
    machine_ask *gates[MACHINE_GATE_COUNT];
    machine_foresee *foresee[MACHINE_GATE_COUNT];
    uint16_t gates_of[ISA_OP_COUNT];
    struct isa_exec exec;
    struct machine_pe *pes;
    struct isa_token *input_rings; /* owned: the first tokens of their input queues */
    uint32_t pe_count;
    uint32_t machine_pes;         /* of each machine of a partitioned graph; else all */
    const uint32_t *machine_of;   /* per instruction, of a partitioned graph; else NULL */
    uint32_t node_pes;            /* PEs of each node; 0: there are no nodes */
    uint64_t delay[ISA_OP_COUNT]; /* cycles from the issue of a token to its result */
    uint64_t request_delay;       /* cycles from the issue of an access to its request */

    /* Issues the tokens of a cycle: one of the engines (machine/engine/engine.h). */
    void (*execute)(struct machine *m);
    bool is_plain;   /* the plain engine takes over after the start */
    uint32_t starts; /* instructions of the start that have not fired yet */

    /* No part begins firings, the graph is not divided, and instructions have no times of their
     * own: there are fewer questions for each firing. */
    bool is_common;
    bool has_gates; /* some gates_of[] is not 0 */

    struct machine_wheel formed;   /* tokens on their way to input queues */
    struct machine_set with_input; /* PEs with tokens there */
    struct machine_network network;
    struct machine_nodes *nodes; /* machine/nodes/nodes.h; NULL: nothing is asked of it */

    uint32_t returns; /* the kind of those that take two tokens */

    uint64_t cycle;
    /* While parts are asked for their next cycle: the earliest answer so far, so that no part looks
     * further; else MACHINE_NEVER. */
    uint64_t soonest;
    uint64_t quiet_cycle;          /* when the last firing so far is complete */
    struct machine_written output; /* last part of the result */

    /* Last element of each array, by the number of the array (machine/result.h). */
    LIB_VEC(struct machine_written) written;
    uint64_t writes; /* OUTPUTs and STOREs that fired */
    bool running;
    enum isa_end end;
    const char *limit;

    /* Finite matching stores, for each token of the general engine (machine/pe/match.h). */
    bool has_match_table; /* match->is_hash */
    bool is_match_full;   /* a frame had no room: the run must end */

    /* Finite queues (machine/pe/backpressure.h). */
    bool has_queues;
    bool moved;                        /* a token moved in this cycle */
    bool held_back;                    /* a full queue blocked a token in this cycle */
    uint64_t queue_stalls;             /* cycles in which a full queue blocked a token */
    uint64_t input_room, output_room;  /* capacities; UINT64_MAX: unlimited */
    uint64_t widest;                   /* most tokens of a firing for its own PE */
    uint64_t kept_room;                /* room that an input queue keeps for them */
    uint64_t most_made;                /* most tokens of a firing; 0: unknown */
    LIB_VEC(struct isa_slot *) coming; /* slots with an operand chosen in this cycle */

    bool has_limits;    /* of cycles, tokens or depth; or of what waits at ports */
    uint64_t most_live; /* tokens that fit in limits.memory: one cycle may make many */
    uint32_t token_bits, label_bits; /* of a token without labels; of a label */
    uint64_t *timing_digests; /* per function of the code; see also struct machine_pe */
    uint64_t network_bits;
    uint64_t tensor_network_bytes; /* bytes of tensors among them */
    uint64_t element_requests;
    uint64_t waiting_cycles;
    uint64_t peak_waiting, peak_live, peak_tags;
    uint64_t peak_structures, peak_elements, peak_tensor_bytes;
    LIB_VEC(struct machine_mark) marks;
    LIB_VEC(uint64_t) freed_by_marks; /* a number per function for each mark */
    uint64_t next_mark;   /* live activations at which the next mark is made */
    uint64_t peak_copied; /* greatest number of nodes of copies at once */
    struct traces_part_counts counts; /* of parts */
    uint64_t part_begins;             /* peaks are those since this cycle */

    bool is_observed; /* machine_observe_issue: there is a profile, or */
    bool counts_work; /* machine_count_work */
    struct machine_work {
        uint64_t unit_firings[ISA_UNIT_COUNT], matches, element_accesses;
    } work;

    uint64_t next_sample; /* when the series takes its next row; UINT64_MAX: never */
    struct traces_series *series;   /* borrowed, or NULL */
    struct traces_profile *profile; /* borrowed, or NULL */
    struct machine_events *events;  /* machine/events.h; NULL: nobody listens */
    bool tells_queues;              /* they have the level `queues` */

    const struct machine_discipline *discipline; /* machine/engine/discipline.h */
    struct machine_policies *policies;           /* owned (machine/placement/policy.h) */

    /* Owned: the states of parts; NULL: the machine does not have the part. */
#define STATE(type, member) struct machine_##type *member;
#include "machine/parts.def"

    const struct machine_timing *timing; /* borrowed; NULL: time is in cycles */
    uint32_t memory_pes;                 /* PEs that share a memory for tensors */
    bool kernels_wait;                   /* for tensors, memory, or tensor units */

    struct machine_ports *ports; /* owned (machine/ports.h); NULL: the program has none */

    struct machine_executor
        *executor; /* in place of all PEs, or NULL (machine/engine/executor.h) */

    struct machine
        *start; /* owned: the machine before its run, without batches (machine_reset) */
};

/* A token is about to fire, or to wait. Returns the cycles that parts add to its firing. */
static inline uint64_t machine_begin_firing(struct machine *m, const struct isa_token *t,
                                            const struct isa_instr *instr)
{
    uint64_t added = 0;
    for (unsigned left = m->begins_of[instr->op]; left; left &= left - 1)
        added += m->begin_firing[__builtin_ctz(left)](m, t, instr);
    return added;
}

/* Simulated time so far: the last firing may complete after the last issue. */
static inline uint64_t machine_time(const struct machine *m)
{
    return m->quiet_cycle > m->cycle ? m->quiet_cycle : m->cycle;
}

/* The series takes its rows up to the present cycle, in which nothing has happened yet. */
void machine_observe_now(struct machine *m);

/* Writes the statistics that machine_count_work asked for. */
void machine_observe_measure(const struct machine *m, struct traces_stats *stats);

/* Places an activation that was just made (settings: placement.policy). */
void machine_place_activation(struct machine *m, struct isa_activation *a);

/* The PE of a path in a node. */
uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint64_t path);

/* The PE of a tag, which is placed when it is first asked for; of a partitioned graph, its number
 * within each machine. */
static inline uint32_t machine_pe_of(struct machine *m, isa_tag tag)
{
    struct isa_activation *a = isa_activations_get(&m->exec.tags, tag);
    if (a->pe_number == ISA_PE_NONE)
        machine_place_activation(m, a);
    return a->pe_number;
}

/* Returns the PE where an instruction fires under a tag. The machines of a partitioned graph have
 * equally many PEs, and an activation has the same place in each of them. */
static inline uint32_t machine_pe_at(const struct machine *m, uint32_t place,
                                     uint32_t instr)
{
    return __builtin_expect(m->machine_of != NULL, 0)
               ? m->machine_of[instr] * m->machine_pes + place
               : place;
}

static inline uint32_t machine_pe_on(struct machine *m, isa_tag tag, uint32_t instr)
{
    return machine_pe_at(m, machine_pe_of(m, tag), instr);
}

/* Like machine_pe_on, for a token, whose activation has a place already. */
static inline uint32_t machine_pe_of_token(const struct machine *m,
                                           const struct isa_token *t)
{
    return machine_pe_at(m,
                         isa_activations_get(&m->exec.tags, isa_token_tag(t))->pe_number,
                         isa_token_instr(t));
}

/* The PE to which an instruction sends under a tag: of its machine, or of that of a SEND's RECV. */
static inline uint32_t machine_pe_where(struct machine *m, isa_tag tag,
                                        const struct isa_instr *from)
{
    const uint32_t to = from->op == ISA_OP_SEND ? from->only >> 1
                                                : (uint32_t)(from - m->code->instrs);
    return machine_pe_on(m, tag, to);
}

/* The PE of an activation at its home; ISA_PE_NONE: it has none yet. */
static inline uint32_t machine_home_pe(const struct machine *m,
                                       const struct isa_activation *a)
{
    if (!m->machine_of || a->pe_number == ISA_PE_NONE || a->site == ISA_SITE_NONE)
        return a->pe_number;
    return m->code->home_of_site[a->site] * m->machine_pes + a->pe_number;
}

/* The PE of an activation of this function and path, if it were made now, by one at `caller`:
 * that of placement.policy, or of copy.placement; or the next one with room for its frame.
 * `caller` is the PE where a copy with a coordinator is fired. */
uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller);

/* Nodes of copies now. */
static inline uint64_t machine_copied_nodes(const struct machine *m)
{
    return m->exec.tags.copied_nodes - m->exec.tags.freed_nodes;
}

/* Nodes of the graph that runs: the static one; or that of the top level, and copies. */
static inline uint64_t machine_graph_nodes(const struct machine *m, uint64_t copied)
{
    return m->code->expands ? m->code->copy_nodes[0] + copied
                            : m->code->graph->node_count;
}

/* Bits of a token on its way: its value, its destination, and its tag, which is the path
 * of its labels or a number. */
static inline uint64_t machine_token_bits(const struct machine *m, isa_tag tag)
{
    uint64_t labels = isa_activations_get(&m->exec.tags, tag)->depth;
    return m->token_bits + labels * m->label_bits;
}

/* Whether a token that waits for room may find it in the next cycle. Called between two cycles.
 * Finite queues have new room only if a token has moved. */
static inline bool machine_can_go_on(const struct machine *m)
{
    return !m->has_queues || m->moved;
}

/* Whether an input queue has a token that may be issued in the next one. */
static inline bool machine_has_input(const struct machine *m)
{
    return machine_can_go_on(m) && !machine_set_is_empty(&m->with_input);
}

static inline void machine_put_input(struct machine *m, uint32_t pe,
                                     const struct isa_token *t)
{
    machine_queue_put(&m->pes[pe].input, t);
    machine_set_add(&m->with_input, pe);
}

/* Ends the run. `limit`: the setting that ended it, or NULL. */
static inline void machine_stop(struct machine *m, enum isa_end end, const char *limit)
{
    m->running = false;
    m->end = end;
    m->limit = limit;
}

/* Keeps the machine, which is made and has no tokens yet, in `start` (machine/reset.c). */
void machine_keep_start(struct machine *m);

/* Frees the states of the parts of a machine, or of its `start`. */
void machine_free_states(struct machine *m);

/* Updates the peaks at the end of a cycle. */
void machine_observe_peaks(struct machine *m);

/* Advances time by `step` cycles in which nothing happened; a limit may end the run. */
void machine_pass(struct machine *m, uint64_t step);

/* Nothing moves any more: ends the run, unless it waits for its host. */
void machine_stop_quiet(struct machine *m);

#endif
