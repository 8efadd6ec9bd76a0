/* The state of a machine, for the modules in machine/. Most parts keep their state behind a
 * pointer. Embedded directly is what the plain engine reads or counts for each token (batches,
 * wheels, the network, `work`), and what all parts use (`settings`, `exec`, `counts`). */
#ifndef MACHINE_STATE_H
#define MACHINE_STATE_H

#include "machine/machine.h"
#include "machine/network/network.h"
#include "machine/owner.h"
#include "machine/part.h"
#include "machine/pe.h"
#include "machine/state_table.h"
#include "machine/tokens/batches.h"
#include "traces/machine.h"
#include "traces/part_counts.h"

/* Snapshot taken whenever the peak of live activations has doubled. freed_by_marks has the number
 * of activations of each function freed by then. machine_none_freed compares it with the present
 * number, to find since when functions have freed nothing; so calls need not record this. */
struct machine_mark {
    uint64_t cycle, activations;
};

/* Last write to an array or to the result of a run; of several in one cycle, the first. */
struct machine_written {
    uint64_t cycle; /* cycle of the write */

    /* Rank of the write among all firings of OUTPUT, STORE and ROW, from 1; 0: nothing was
     * written. */
    uint64_t number;
};

#define STATE(type, member) struct machine_##type;
#include "machine/parts.def"

struct machine_discipline;
struct machine_policies;
struct machine_ports;

/* The tables of members below (lib/state_table.h) pack, reset and free what a machine has besides
 * its parts, its execution and what it is (machine/state.c). */

typedef void machine_execute(struct machine *m);

/* The run: time, and how it ends. */
#define MACHINE_RUN_FIELDS(F)                                                            \
    F(NUMBER, uint64_t, cycle)                                                           \
    /* cycle in which all firings so far are complete */                                 \
    F(NUMBER, uint64_t, quiet_cycle)                                                     \
    /* last writes of the result and, by number, of each array (machine/result.h) */     \
    F(NUMBER, struct machine_written, output)                                            \
    F(VEC, struct machine_written, written)                                              \
    /* number of firings of OUTPUT, STORE and ROW */                                     \
    F(NUMBER, uint64_t, writes)                                                          \
    /* finite queues: in this cycle a token moved; a full queue blocked a token */       \
    F(BOOL, moved)                                                                       \
    F(BOOL, held_back)                                                                   \
    /* a matching store had no room for a frame: the run must end */                     \
    F(SCRATCH, bool, is_match_full)                                                      \
    /* the earliest answer so far, while parts are asked for their next cycle */         \
    F(FRESH, uint64_t, soonest, MACHINE_NEVER)                                           \
    F(FRESH, bool, running, true)                                                        \
    F(SCRATCH, enum isa_end, end)                                                        \
    /* key of the setting that ended the run, or NULL */                                 \
    F(SCRATCH, const char *, limit)                                                      \
    /* number of instructions without token operands that have not fired yet */          \
    F(SCRATCH, uint32_t, starts)                                                         \
    /* the plain engine, the fastest, can be used once `starts` is 0 */                  \
    F(SCRATCH, bool, is_plain)                                                           \
    /* function of an engine that issues the tokens of a cycle (engine/engine.h) */      \
    F(SCRATCH, machine_execute *, execute)
struct machine_run {
    MACHINE_RUN_FIELDS(LIB_STATE_MEMBER)
};

/* The tokens of the run: where they are on their way between instructions, and in `exec` the
 * activations and arrays in which operands wait. Parts hold further tokens in their states. The
 * part machine_pe_part packs input queues, `formed` and `with_input`. */
#define MACHINE_TOKENS_FIELDS(F)                                                         \
    F(KEPT, struct isa_exec, exec) /* packed, reset and freed by isa/exec */             \
    F(STRUCTS, machine_pe, pes, m->pe_count)                                             \
    /* memory of all input queues */                                                     \
    F(MADE, struct machine_rings *, input_rings, machine_rings_free)                     \
    /* tokens by the cycle in which they enter input queues */                           \
    F(APART, machine_wheel, formed)                                                      \
    /* PEs whose input queues have tokens */                                             \
    F(APART, machine_set, with_input)                                                    \
    /* finite queues: operand slots, empty now, that tokens issued in this cycle */      \
    /* will fill; so what their partners will do can be predicted */                     \
    F(SCRATCH_VEC, struct isa_slot *, coming)
struct machine_tokens {
    MACHINE_TOKENS_FIELDS(LIB_STATE_MEMBER)
};

/* Counts of operations that have energies (machine_count_work). */
struct machine_work {
    uint64_t unit_firings[ISA_UNIT_COUNT], matches, element_accesses;
};

enum { MACHINE_FIRST_MARK = 64 };

/* What watches the run: statistics, digests, events. Nothing that happens depends on it. */
#define MACHINE_WATCH_FIELDS(F)                                                          \
    /* cycles in which a full queue blocked a token */                                   \
    F(NUMBER, uint64_t, queue_stalls)                                                    \
    /* timing digest (hash of what fired when) of each function; PEs have theirs */      \
    F(ARRAY, uint64_t, timing_digests, m->code->graph->function_count)                   \
    F(VEC, struct machine_mark, marks)                                                   \
    /* number of activations that each function had freed at each of `marks`: first */   \
    /* all functions for marks[0], then for marks[1] */                                  \
    F(VEC, uint64_t, freed_by_marks)                                                     \
    /* number of live activations at which the next of `marks` is taken */               \
    F(INITIAL, uint64_t, next_mark, MACHINE_FIRST_MARK)                                  \
    F(NUMBER, uint64_t, network_bits)                                                    \
    F(NUMBER, uint64_t, element_requests)                                                \
    F(NUMBER, uint64_t, tensor_network_bytes)                                            \
    F(NUMBER, uint64_t, waiting_cycles)                                                  \
    F(NUMBER, uint64_t, peak_waiting)                                                    \
    F(NUMBER, uint64_t, peak_live)                                                       \
    F(NUMBER, uint64_t, peak_tags)                                                       \
    F(NUMBER, uint64_t, peak_structures)                                                 \
    F(NUMBER, uint64_t, peak_elements)                                                   \
    F(NUMBER, uint64_t, peak_tensor_bytes)                                               \
    F(NUMBER, uint64_t, peak_copied) /* max graph nodes of copies at the same time */    \
    F(NUMBER, struct traces_part_counts, counts) /* event counters of the parts */       \
    F(NUMBER, struct machine_work, work)                                                 \
    /* cycle since which peak statistics are measured; does not outlive a checkpoint */  \
    F(SCRATCH, uint64_t, part_begins)                                                    \
    /* engines must call machine_observe_issue, for a profile or `work` */               \
    F(SCRATCH, bool, is_observed)                                                        \
    F(SCRATCH, bool, counts_work)  /* operations are counted in `work` */                \
    F(SCRATCH, bool, tells_queues) /* events about queues are emitted */                 \
    /* cycle of the next sample of `series`; UINT64_MAX: never */                        \
    F(FRESH, uint64_t, next_sample, UINT64_MAX)                                          \
    F(SCRATCH, struct traces_series *, series)   /* borrowed, or NULL */                 \
    F(SCRATCH, struct traces_profile *, profile) /* borrowed, or NULL */                 \
    /* event stream (machine/events.h); NULL: no event sinks */                          \
    F(SCRATCH, struct machine_events *, events)
struct machine_watch {
    MACHINE_WATCH_FIELDS(LIB_STATE_MEMBER)
};

struct machine {
    /* Tokens to issue in this cycle. The first member, as this saves the plain engine an addition
     * per batch. */
    struct machine_batches batches;

    struct machine_run run;
    struct machine_tokens tokens;
    struct machine_watch watch;

    /* What the machine is: made once, and the same in every run, except `code` and `seed`. */
    struct machine_settings settings;
    const struct isa_code *code;
    uint64_t seed;
    const struct machine_kind *kind;
    /* Parts (components) of the machine, in the order of machine/parts.def. */
    const struct machine_part *parts[MACHINE_MAX_PARTS];
    uint32_t part_count;
    /* Functions `serve` of the parts that have one, in the order of `parts`, each with the state of
     * its part; after the last, `call` is NULL. The next four arrays are alike. */
    struct {
        void (*call)(struct machine *m, void *state);
        void *state;
    } serve[MACHINE_MAX_PARTS], observe[MACHINE_MAX_PARTS];
    struct {
        uint64_t (*call)(struct machine *m, void *state);
        void *state;
    } next[MACHINE_MAX_PARTS];
    struct {
        bool (*call)(struct machine *m, void *state);
        void *state;
    } resume[MACHINE_MAX_PARTS], finish[MACHINE_MAX_PARTS];
    /* For each opcode: bit i is set if begin_firing[i] is called before a firing. */
    uint8_t begins_of[ISA_OP_COUNT];
    struct {
        uint64_t (*call)(struct machine *m, void *state, const struct isa_token *t,
                         const struct isa_instr *instr);
        void *state;
    } begin_firing[8];
    /* For each gate (check before a firing) of this run: its function, or NULL, and the state of
     * its part; and for each opcode, the bits of its gates. */
    struct {
        machine_ask *ask;
        void *state;
    } gates[MACHINE_GATE_COUNT];
    uint16_t gates_of[ISA_OP_COUNT];
    uint16_t foreseen_gates; /* bits of the gates that are foreseen */
    uint32_t pe_count;
    /* Issue slots of each PE; MACHINE_UNITS_DIFFER: see machine_units_of. */
    uint64_t pe_units;
    /* Owned: for each PE or worker 1 + its class, or 0; NULL: they are alike. */
    uint8_t *class_of;
    /* Owned: the settings of those in no class, and then of each class; NULL: they are alike. */
    struct machine_settings *of_class;
    /* PEs of one machine if the graph is partitioned among machines; else all PEs */
    uint32_t machine_pes;
    /* For each instruction of a partitioned graph: index of its machine. NULL: not partitioned. */
    const uint32_t *machine_of;
    uint32_t node_pes;
    struct traces_machine about; /* how long everything takes (machine/describe.h) */

    /* True in most runs: no part has begin_firing, the graph is not partitioned, PEs do not differ
     * (no classes), and instructions have no times of their own. Engines then check less per
     * firing. */
    bool is_common;
    bool has_gates; /* some opcode must pass gates before it fires */

    struct machine_network network;
    /* Instruction kind of RETURNs with two token operands, as numbered in `code`. */
    uint32_t returns;

    /* Copy of match->is_hash (matching stores are finite hash tables), read for each token. */
    bool has_match_table;

    /* Queues are finite (machine/pe/backpressure.h). The members down to `most_made` are for
     * them. */
    bool has_queues;
    struct machine_room *rooms; /* owned: of the input queue of each PE */
    uint64_t
        output_room;    /* capacity of an output queue in tokens; UINT64_MAX: unlimited */
    uint64_t widest;    /* max tokens that one firing sends to its own PE */
    uint64_t most_made; /* max tokens that one issue sends; 0: unknown */

    /* Limits of cycles, tokens or depth are set, or data may wait at ports. */
    bool has_limits;
    /* Max live tokens by limits.memory; checked within cycles that make many. */
    uint64_t most_live;
    /* Size in bits of a token without its tag, and of each label (call or loop) of a tag. */
    uint32_t token_bits, label_bits;

    const struct machine_discipline *discipline;
    /* Owned; choose PEs (machine/placement/policy.h). */
    struct machine_policies *policies;
    /* Owned (machine/placement/capability.h); NULL: each PE can do everything. */
    struct machine_capability *capability;

    /* Owned states of parts, as in machine/parts.def; NULL: the machine does not have the part. */
#define STATE(type, member) struct machine_##type *member;
#include "machine/parts.def"

    uint32_t memory_pes; /* number of PEs that share one memory for tensors */
    bool kernels_wait;   /* kernels may wait for tensors, memory or tensor units */

    /* Owned ports (machine/ports.h); NULL: the program has none. */
    struct machine_ports *ports;

    /* Workers instead of PEs (machine/engine/executor.h); NULL: PEs. */
    struct machine_executor *executor;
};

enum { MACHINE_UNITS_DIFFER = INT32_MAX };

/* Returns the class of a PE of a machine with classes; NULL: none. */
static inline const struct traces_pe_class *machine_class_of(const struct machine *m,
                                                             uint32_t pe)
{
    return m->class_of[pe] ? &m->about.classes[m->class_of[pe] - 1] : NULL;
}

/* Returns the settings of PEs in no class, or with `number` > 0 of the class before that. */
static inline const struct machine_settings *machine_settings_of(const struct machine *m,
                                                                 uint32_t number)
{
    return m->of_class ? &m->of_class[number] : &m->settings;
}

/* Returns the settings of a PE or worker: where PEs of a class may differ in a setting, its owner
 * reads this. */
static inline const struct machine_settings *machine_settings_at(const struct machine *m,
                                                                 uint32_t pe)
{
    return machine_settings_of(m, m->of_class ? m->class_of[pe] : 0);
}

/* Returns the issue slots of a PE; 0: unlimited. */
static inline uint64_t machine_units_of(const struct machine *m, uint32_t pe)
{
    if (__builtin_expect(m->pe_units != MACHINE_UNITS_DIFFER, 1))
        return m->pe_units;
    const struct traces_pe_class *class = machine_class_of(m, pe);
    return class ? class->units : m->about.others.units;
}

/* Returns the time from the issue of an instruction at a PE to its result. */
static inline uint64_t machine_latency(const struct machine *m, uint32_t pe,
                                       uint32_t instr)
{
    return traces_machine_node_latency(&m->about, pe,
                                       (enum isa_op)m->code->instrs[instr].op,
                                       isa_code_node(m->code, instr));
}

/* Called when token `t` fires or begins to wait for its partner. Returns the cycles that parts of
 * the machine add to the firing. */
static inline uint64_t machine_begin_firing(struct machine *m, const struct isa_token *t,
                                            const struct isa_instr *instr)
{
    uint64_t added = 0;
    for (unsigned left = m->begins_of[instr->op]; left; left &= left - 1)
        added += m->begin_firing[__builtin_ctz(left)].call(
            m, m->begin_firing[__builtin_ctz(left)].state, t, instr);
    return added;
}

/* Asks the gates of the run whose bits are in `left` about a token, in their order. Returns the
 * verdict of the first that does not open; MACHINE_GATE_OPENS if all do. */
static inline __attribute__((always_inline)) enum machine_verdict
machine_ask_gates(struct machine *m, struct machine_passage *p, unsigned left)
{
    for (; left; left &= left - 1) {
        const unsigned gate = (unsigned)__builtin_ctz(left);
        const enum machine_verdict verdict = m->gates[gate].ask(m, m->gates[gate].state,
                                                                p);
        if (verdict != MACHINE_GATE_OPENS)
            return verdict;
    }
    return MACHINE_GATE_OPENS;
}

/* Returns the simulated time at which all firings so far are complete. */
static inline uint64_t machine_time(const struct machine *m)
{
    return m->run.quiet_cycle > m->run.cycle ? m->run.quiet_cycle : m->run.cycle;
}

/* Adds the samples of the series up to the current cycle, at the beginning of that cycle. */
void machine_observe_now(struct machine *m);

/* Writes the statistics of operations that machine_count_work counts. */
void machine_observe_measure(const struct machine *m, struct traces_stats *stats);

/* Chooses a PE for a new activation (setting placement.policy). */
void machine_place_activation(struct machine *m, struct isa_activation *a);

/* Returns the PE in cluster node `node` for a copy of `function` whose tag has hash `path`. */
uint32_t machine_pe_in_node(const struct machine *m, uint32_t node, uint32_t function,
                            uint64_t path);

/* Returns the PE of the activation of a tag, choosing one first if necessary. In a partitioned
 * graph, the result counts PEs within a machine, from 0. */
static inline uint32_t machine_pe_of(struct machine *m, isa_tag tag)
{
    struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags, tag);
    if (!machine_has_place(a))
        machine_place_activation(m, a);
    return machine_place_of(a);
}

/* Returns the PE where instruction `instr` fires, for an activation placed at `place`. In a
 * partitioned graph, `place` is a number within the machine; each machine has equally many PEs. */
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

/* Like machine_pe_on, for a token whose activation surely has a PE. */
static inline uint32_t machine_pe_of_token(const struct machine *m,
                                           const struct isa_token *t)
{
    return machine_pe_at(m, machine_place_of_tag(&m->tokens.exec.tags, isa_token_tag(t)),
                         isa_token_instr(t));
}

/* Returns the PE to which instruction `from` sends under a tag: a PE of the machine of `from`, or
 * for a SEND of the machine of the matching RECV. */
static inline uint32_t machine_pe_where(struct machine *m, isa_tag tag,
                                        const struct isa_instr *from)
{
    const uint32_t to = from->op == ISA_OP_SEND ? from->only >> 1
                                                : (uint32_t)(from - m->code->instrs);
    return machine_pe_on(m, tag, to);
}

/* Returns the PE of an activation on the machine where it was called; ISA_OWNER_NONE: it has no PE
 * yet. */
static inline uint32_t machine_home_pe(const struct machine *m,
                                       const struct isa_activation *a)
{
    if (!m->machine_of || !machine_has_place(a) || a->site == ISA_SITE_NONE)
        return machine_place_of(a);
    return m->code->home_of_site[a->site] * m->machine_pes + machine_place_of(a);
}

/* Returns the PE that a new activation of `function`, whose tag has hash `path`, would get now, by
 * placement.policy or copy.placement; if frames are limited, the next PE with room. `caller` is the
 * PE of the caller, or with a coordinator the PE where the copy is made. */
uint32_t machine_pe_of_call(const struct machine *m, uint32_t function, uint32_t site,
                            uint64_t path, uint32_t caller);

/* Returns how many graph nodes the current copies of graphs have. */
static inline uint64_t machine_copied_nodes(const struct machine *m)
{
    return m->tokens.exec.tags.copied_nodes - m->tokens.exec.tags.freed_nodes;
}

/* Returns the number of nodes of the running graph: of the static graph, or of the top level plus
 * the `copied` nodes. */
static inline uint64_t machine_graph_nodes(const struct machine *m, uint64_t copied)
{
    return m->code->expands ? m->code->copy_nodes[0] + copied
                            : m->code->graph->node_count;
}

/* Returns the size in bits of a token in the network: value, destination and tag (its labels or an
 * identifier). */
static inline uint64_t machine_token_bits(const struct machine *m, isa_tag tag)
{
    uint64_t labels = isa_activations_get(&m->tokens.exec.tags, tag)->depth;
    return m->token_bits + labels * m->label_bits;
}

/* Whether a token that waits for room may get it in the next cycle. Called between two cycles. With
 * finite queues, no room is freed in a cycle in which no token moves. */
static inline bool machine_can_go_on(const struct machine *m)
{
    return !m->has_queues || m->run.moved;
}

/* Whether an input queue has a token that may be issued in the next cycle. */
static inline bool machine_has_input(const struct machine *m)
{
    return machine_can_go_on(m) && !machine_set_is_empty(&m->tokens.with_input);
}

static inline void machine_put_input(struct machine *m, uint32_t pe,
                                     const struct isa_token *t)
{
    machine_queue_put(&m->tokens.pes[pe].input, t);
    machine_set_add(&m->tokens.with_input, pe);
}

/* Like machine_put_input. `many`: a constant, whether m->tokens.with_input has a second level. */
static inline __attribute__((always_inline)) void
machine_put_input_as(struct machine *m, uint32_t pe, const struct isa_token *t,
                     const bool many)
{
    machine_queue_put(&m->tokens.pes[pe].input, t);
    if (many)
        machine_set_add(&m->tokens.with_input, pe);
    else
        machine_set_add_flat(&m->tokens.with_input, pe);
}

/* Ends the run; `limit` is the key of the setting that ended it, or NULL. */
static inline void machine_stop(struct machine *m, enum isa_end end, const char *limit)
{
    m->run.running = false;
    m->run.end = end;
    m->run.limit = limit;
}

/* Whether `live` tokens fit in limits.memory; if not, ends the run. */
static inline __attribute__((always_inline)) bool machine_has_memory(struct machine *m,
                                                                     uint64_t live)
{
    if (__builtin_expect(live <= m->most_live, 1))
        return true;
    machine_stop(m, ISA_END_LIMIT, "limits.memory");
    return false;
}

/* Starts the run of a machine that has no tokens. */
void machine_start(struct machine *m);

/* Empties the run, its tokens without the execution, and what watches it. */
void machine_clear(struct machine *m);

void machine_observe_peaks(struct machine *m);

/* Advances time by `step` cycles in which nothing happens. A limit may end the run. */
void machine_pass(struct machine *m, uint64_t step);

/* Called when nothing can happen any more: ends the run, unless it waits for input from its
 * host. */
void machine_stop_quiet(struct machine *m);

#endif
