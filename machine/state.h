/* The state of a machine, for the modules that make it up.
 *
 * The states of parts, `policies` and `ports` are behind pointers to types that are declared here.
 * Embedded is what the plain engine reads or counts for each token: batches, wheels, the network,
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

/* Snapshot of how many activations of each function were freed, taken when the number of live
 * activations has doubled. machine_none_freed compares it with the current state to find since when
 * some functions have freed nothing, at no cost for calls. */
struct machine_mark {
    uint64_t cycle, activations;
};

/* The last write to a result; of several in one cycle, the first. */
struct machine_written {
    uint64_t cycle; /* cycle of the write */

    /* Number of the writing OUTPUT or STORE among those that fired, from 1; 0: nothing was
     * written. */
    uint64_t number;
};

#define STATE(type, member) struct machine_##type;
#include "machine/parts.def"

struct machine_nodes;
struct machine_policies;
struct machine_ports;

struct machine {
    /* Tokens to issue in this cycle. As the first member it saves the plain engine an addition per
     * batch; `start` does not have it. */
    struct machine_batches batches;

    struct machine_settings settings;
    const struct isa_code *code;
    uint64_t seed;
    const struct machine_kind *kind;
    /* Parts of the machine in the order of machine/parts.def. */
    const struct machine_part *parts[MACHINE_MAX_PARTS];
    uint32_t part_count;
    /* Functions of the parts that have one, then NULL. */
    void (*serve[MACHINE_MAX_PARTS])(struct machine *m);
    uint64_t (*next[MACHINE_MAX_PARTS])(struct machine *m);
    void (*observe[MACHINE_MAX_PARTS])(struct machine *m);
    bool (*resume[MACHINE_MAX_PARTS])(struct machine *m);
    bool (*finish[MACHINE_MAX_PARTS])(struct machine *m);
    /* For each opcode: which begin_firing to call, as bits. */
    uint8_t begins_of[ISA_OP_COUNT];
    uint64_t (*begin_firing[8])(struct machine *m, const struct isa_token *t,
                                const struct isa_instr *instr);
    /* Gates of this run, and for each opcode the bits of those to ask (machine/part.h). */
    machine_ask *gates[MACHINE_GATE_COUNT];
    machine_foresee *foresee[MACHINE_GATE_COUNT];
    uint16_t gates_of[ISA_OP_COUNT];
    struct isa_exec exec;
    struct machine_pe *pes;
    struct isa_token *input_rings; /* owned: memory of the input queues, at first */
    uint32_t pe_count;
    uint32_t machine_pes; /* PEs of each machine of a partitioned graph; else all PEs */
    /* Partitioned graph: machine of each instruction; else NULL. */
    const uint32_t *machine_of;
    uint32_t node_pes;
    uint64_t delay[ISA_OP_COUNT]; /* for each opcode: cycles from issue to result */
    /* Cycles from the issue of an access to its request to another PE. */
    uint64_t request_delay;

    /* Issues the tokens of a cycle: a function of one of the engines (machine/engine/engine.h). */
    void (*execute)(struct machine *m);
    bool is_plain; /* the plain engine can be used once `starts` is 0 */
    /* Number of instructions without token operands that have not fired yet. */
    uint32_t starts;

    /* Most runs: no part has begin_firing, the graph is not partitioned, instructions have no times
     * of their own. Then engines check less per firing. */
    bool is_common;
    bool has_gates; /* some opcode asks gates */

    struct machine_wheel formed;   /* tokens that will enter input queues, by cycle */
    struct machine_set with_input; /* PEs whose input queues have tokens */
    struct machine_network network;
    /* Faults and termination (machine/nodes/nodes.h), or NULL. */
    struct machine_nodes *nodes;

    uint32_t returns; /* kind of the RETURNs with two token operands */

    uint64_t cycle;
    /* While parts are asked for their next cycle: the earliest answer so far, so that no part needs
     * to look further; else MACHINE_NEVER. */
    uint64_t soonest;
    uint64_t quiet_cycle;          /* cycle in which the last firing so far is complete */
    struct machine_written output; /* last write of a part of the result */

    /* Last write to each array, by its number (machine/result.h). */
    LIB_VEC(struct machine_written) written;
    uint64_t writes; /* number of OUTPUTs and STOREs that fired */
    bool running;
    enum isa_end end;
    const char *limit;

    /* Finite matching stores, for each token of the general engine (machine/pe/match.h). */
    bool has_match_table; /* match->is_hash */
    bool is_match_full;   /* a frame had no room: the run must end */

    /* Finite queues (machine/pe/backpressure.h): */
    bool has_queues;
    bool moved;                       /* a token moved in this cycle */
    bool held_back;                   /* a full queue blocked a token in this cycle */
    uint64_t queue_stalls;            /* cycles in which a full queue blocked a token */
    uint64_t input_room, output_room; /* capacities of queues; UINT64_MAX: unlimited */
    uint64_t widest;                  /* max tokens that a firing sends to its own PE */
    uint64_t kept_room;               /* room that each input queue reserves for them */
    uint64_t most_made;               /* max tokens that a firing sends; 0: unknown */
    /* Slots whose operand was chosen for issue in this cycle. */
    LIB_VEC(struct isa_slot *) coming;

    bool has_limits; /* there are limits of cycles, tokens, depth, or waiting at ports */
    uint64_t most_live; /* max tokens by limits.memory, for a cycle that makes many */
    /* Bits of a token without tag, and of each label of a tag. */
    uint32_t token_bits, label_bits;
    /* Timing digest of each function; those of PEs are in struct machine_pe. */
    uint64_t *timing_digests;
    uint64_t network_bits;
    uint64_t tensor_network_bytes;
    uint64_t element_requests;
    uint64_t waiting_cycles;
    uint64_t peak_waiting, peak_live, peak_tags;
    uint64_t peak_structures, peak_elements, peak_tensor_bytes;
    LIB_VEC(struct machine_mark) marks;
    /* For each mark, for each function: number of activations freed before the mark. */
    LIB_VEC(uint64_t) freed_by_marks;
    uint64_t next_mark;   /* number of live activations at which the next mark is made */
    uint64_t peak_copied; /* max graph nodes of copies at a time */
    struct traces_part_counts counts; /* counters of parts */
    uint64_t part_begins;             /* cycle since which peaks are measured */

    /* machine_observe_issue is called: a profile, or work, is measured */
    bool is_observed;
    bool counts_work; /* set by machine_count_work */
    struct machine_work {
        uint64_t unit_firings[ISA_UNIT_COUNT], matches, element_accesses;
    } work;

    uint64_t next_sample; /* cycle of the next row of the series; UINT64_MAX: never */
    struct traces_series *series;   /* borrowed, or NULL */
    struct traces_profile *profile; /* borrowed, or NULL */
    struct machine_events *events;  /* events (machine/events.h); NULL: no sinks */
    bool tells_queues;              /* events have the level `queues` */

    const struct machine_discipline *discipline;
    struct machine_policies *policies; /* owned (machine/placement/policy.h) */

    /* Owned: states of parts; NULL if the machine does not have the part. */
#define STATE(type, member) struct machine_##type *member;
#include "machine/parts.def"

    const struct machine_timing *timing; /* borrowed; NULL: time is in cycles */
    uint32_t memory_pes;                 /* PEs that share a memory for tensors */
    bool kernels_wait; /* kernels may wait for tensors, memory or tensor units */

    struct machine_ports *ports; /* owned (machine/ports.h); NULL: the program has none */

    struct machine_executor
        *executor; /* replaces PEs, or NULL (machine/engine/executor.h) */

    /* Owned: copy of the machine before its run, without batches (machine_reset). */
    struct machine *start;
};

/* Called when a token fires or begins to wait. Returns the cycles that parts add to its firing. */
static inline uint64_t machine_begin_firing(struct machine *m, const struct isa_token *t,
                                            const struct isa_instr *instr)
{
    uint64_t added = 0;
    for (unsigned left = m->begins_of[instr->op]; left; left &= left - 1)
        added += m->begin_firing[__builtin_ctz(left)](m, t, instr);
    return added;
}

/* Returns the simulated time so far, at which the last firing is complete. */
static inline uint64_t machine_time(const struct machine *m)
{
    return m->quiet_cycle > m->cycle ? m->quiet_cycle : m->cycle;
}

/* Adds the rows of the series up to the current cycle, at its beginning. */
void machine_observe_now(struct machine *m);

/* Writes the statistics of operations that machine_count_work has enabled. */
void machine_observe_measure(const struct machine *m, struct traces_stats *stats);

/* Places an activation that was just made at a PE (settings: placement.policy). */
void machine_place_activation(struct machine *m, struct isa_activation *a);

/* Returns the PE within a node for the hash of a tag, `path`. */
uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint64_t path);

/* Returns the PE of a tag, placing its activation first if necessary. In a partitioned graph, it is
 * the number of the PE within each machine. */
static inline uint32_t machine_pe_of(struct machine *m, isa_tag tag)
{
    struct isa_activation *a = isa_activations_get(&m->exec.tags, tag);
    if (a->pe_number == ISA_PE_NONE)
        machine_place_activation(m, a);
    return a->pe_number;
}

/* Returns the PE where an instruction fires, for an activation placed at `place`. In a partitioned
 * graph, each machine has equally many PEs, and `place` is a number within the machine. */
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

/* Like machine_pe_on, for a token whose activation is already placed. */
static inline uint32_t machine_pe_of_token(const struct machine *m,
                                           const struct isa_token *t)
{
    return machine_pe_at(m,
                         isa_activations_get(&m->exec.tags, isa_token_tag(t))->pe_number,
                         isa_token_instr(t));
}

/* Returns the PE to which an instruction sends under a tag: of its machine, or for a SEND of that
 * of its RECV. */
static inline uint32_t machine_pe_where(struct machine *m, isa_tag tag,
                                        const struct isa_instr *from)
{
    const uint32_t to = from->op == ISA_OP_SEND ? from->only >> 1
                                                : (uint32_t)(from - m->code->instrs);
    return machine_pe_on(m, tag, to);
}

/* Returns the PE of an activation on the machine where it was called; ISA_PE_NONE: not placed
 * yet. */
static inline uint32_t machine_home_pe(const struct machine *m,
                                       const struct isa_activation *a)
{
    if (!m->machine_of || a->pe_number == ISA_PE_NONE || a->site == ISA_SITE_NONE)
        return a->pe_number;
    return m->code->home_of_site[a->site] * m->machine_pes + a->pe_number;
}

/* Returns the PE that an activation with this function and `path` would get now, by
 * placement.policy or copy.placement; if frames are limited, the next PE with room. `caller` is the
 * PE of the caller, or with a coordinator that where the copy is made. */
uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller);

/* Returns the current number of graph nodes of copies. */
static inline uint64_t machine_copied_nodes(const struct machine *m)
{
    return m->exec.tags.copied_nodes - m->exec.tags.freed_nodes;
}

/* Returns the number of nodes of the graph that runs: the static graph, or that of the top level
 * and copies. */
static inline uint64_t machine_graph_nodes(const struct machine *m, uint64_t copied)
{
    return m->code->expands ? m->code->copy_nodes[0] + copied
                            : m->code->graph->node_count;
}

/* Returns the size in bits of a token in the network: value, destination and tag (its labels or an
 * identifier). */
static inline uint64_t machine_token_bits(const struct machine *m, isa_tag tag)
{
    uint64_t labels = isa_activations_get(&m->exec.tags, tag)->depth;
    return m->token_bits + labels * m->label_bits;
}

/* Whether a token that waits for room may get it in the next cycle. False if queues are finite and
 * no token has moved in this cycle, since then no room was freed. Called between two cycles. */
static inline bool machine_can_go_on(const struct machine *m)
{
    return !m->has_queues || m->moved;
}

/* Whether an input queue has a token that may be issued in the next cycle. */
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

/* Ends the run; `limit` is the setting that ended it, or NULL. */
static inline void machine_stop(struct machine *m, enum isa_end end, const char *limit)
{
    m->running = false;
    m->end = end;
    m->limit = limit;
}

/* Copies a new machine without tokens to `start` (machine/reset.c). */
void machine_keep_start(struct machine *m);

void machine_free_states(struct machine *m);

/* Updates the peaks at the end of a cycle. */
void machine_observe_peaks(struct machine *m);

/* Advances time by `step` cycles in which nothing happens. A limit may end the run. */
void machine_pass(struct machine *m, uint64_t step);

/* Called when nothing can happen any more: ends the run, unless it waits for its host. */
void machine_stop_quiet(struct machine *m);

#endif
