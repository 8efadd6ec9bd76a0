/* Description of a machine: its PEs, what each of them has, and how long everything takes. Engines,
 * analyses, checks of settings and reports ask it; it is made by machine/describe.h from settings
 * and a graph, or from the header of a recording, and does not change.
 *
 * Times are in ticks. A cycle has `ticks` of them: 1, unless instructions have times of their own.
 * With workers instead of PEs only the members that say so are used. */
#ifndef TRACES_MACHINE_H
#define TRACES_MACHINE_H

#include "isa/op.h"
#include "traces/links.h"

/* Times of single instructions instead of opcodes, for what-if questions. Borrowed arrays. */
struct traces_timing {
    uint32_t scale; /* ticks per cycle */

    /* For each instruction: ticks from issue to result, at least 1. */
    const uint32_t *latency;

    /* For each instruction: ticks for which it occupies an issue slot of its PE; 0: none. */
    const uint32_t *slot;
};

enum { TRACES_MAX_CLASSES = 8, TRACES_MAX_CLASS_RANGES = 128 };

/* Times and units of the PEs of a class, or of those in no class. */
struct traces_pe_class {
    const char *name; /* borrowed from the settings; NULL: of PEs in no class */
    uint64_t units;   /* issue slots of each PE; 0: unlimited; workers: 1 */
    uint64_t turns;   /* tokens that a PE takes per cycle; 0: unlimited */
    uint64_t match, fetch, form;   /* stages */
    uint64_t unit[ISA_UNIT_COUNT]; /* classes of function units */
    uint64_t request;              /* from issue to a request message: all stages */
    uint64_t overflow;             /* added if a partner is in an overflow store */
    uint32_t
        overflow_rate; /* accesses that all banks of that store begin per cycle; 0: unlimited */
    bool has_issue_queue; /* between matching and function units */
    /* Units of each class at a PE, or 0; cycles until such a unit takes its next instruction. */
    uint16_t counted[ISA_UNIT_COUNT];
    uint32_t interval[ISA_UNIT_COUNT];
    uint32_t can;   /* bit i: has units of class i of enum isa_unit */
    uint64_t frame; /* of a worker, to make a frame */
};

/* `can` of PEs that have units of all classes. */
enum { TRACES_CAN_ALL = (1 << ISA_UNIT_COUNT) - 1 };

/* PEs of one class. */
struct traces_class_range {
    uint32_t first, last;
    uint32_t class; /* index in `classes` */
};

struct traces_machine {
    uint32_t pe_count; /* number of PEs, or of workers */
    bool has_workers;
    uint32_t
        executors;  /* machines of a divided program, each with as many workers; 0: PEs */
    uint32_t nodes; /* nodes of a cluster; 0: no cluster */
    uint32_t node_pes; /* PEs per node of a cluster; 0: no cluster, or workers */
    uint32_t ticks;    /* ticks per cycle */
    const struct traces_timing
        *timing; /* borrowed; NULL: latencies depend on opcodes alone */

    /* Classes of PEs, and their PEs in ascending order; 0 classes: PEs are alike. Functions below
     * answer for a PE. */
    uint32_t class_count, range_count;
    struct traces_pe_class others; /* PEs in no class */
    struct traces_pe_class classes[TRACES_MAX_CLASSES];
    struct traces_class_range ranges[TRACES_MAX_CLASS_RANGES];

    /* --- a PE --- */
    bool has_issue_queues;   /* some PE has one */
    bool has_overflow_rates; /* overflow stores of some PEs have a bandwidth */
    bool is_issue_lifo;      /* the newest token leaves an issue queue first */
    bool is_lifo;            /* a PE takes the newest token of its input queue first */
    bool has_input_bounds;   /* input queues of some PEs are finite */
    /* From issue to result at a PE in no class: stages and function unit. */
    uint64_t latency[ISA_OP_COUNT];
    uint64_t copy_workers; /* max copies at the same time; 0: unlimited */
    bool copies_stay;      /* a copy is at the PE of its caller */
    bool copies_in_nodes;  /* what a copy calls stays in the node of the copy */

    /* --- what parts of the machine add (rows TIME of their tables) --- */
#define TIME(member, value) uint64_t member;
#include "machine/parts.def"

    /* --- tags and loops --- */
    bool has_managers,
        one_manager; /* identifiers are from tag managers; from a single one */
    bool has_pools;  /* each function has a pool of identifiers */
    uint64_t tag_bits, label_bits; /* width of an identifier; of each label of a path */
    uint64_t loop_bound; /* iterations in flight, unless the program says; 0: unlimited */
    bool has_bounds;     /* a loop of the graph can have a bound */
    bool propagates;     /* dead tokens flow down branches that are not taken */

    /* --- tensors and memory --- */
    bool has_tensors;         /* the graph has tensors */
    uint64_t flops, bytes;    /* throughput of a kernel per cycle; 0: unlimited */
    uint32_t tensor_units;    /* per PE or node; 0: unlimited */
    bool by_reference;        /* a token with a tensor carries a reference */
    bool own_math;            /* the reference code computes tensors, not a library */
    bool has_batches;         /* kernels are collected into batches */
    uint64_t memory_capacity; /* bytes of a memory for tensors; 0: unlimited */
    uint64_t swap_threshold;  /* bytes above which tensors are moved out; 0: never */
    uint64_t swap_smallest;   /* bytes of the smallest tensor that is moved */

    /* --- network --- */
    uint64_t network_latency; /* between PEs without links; of a link else */
    uint64_t bandwidth;       /* bits per cycle of a port or link; 0: a token per cycle */
    uint64_t network_capacity; /* tokens in a buffer; 0: unlimited */
    uint64_t channels;         /* virtual channels of a link of routers */
    uint64_t credit;           /* added to the way back of a credit */
    bool shares_links;         /* several tokens can be on a link at once */
    bool sends_releases;       /* releases of a divided program are messages */
    bool has_probe;            /* nodes exchange messages to detect the end of a run */
    const void *settings;      /* borrowed argument of `describe_network` */
    void (*describe_network)(const void *settings, bool has_distances,
                             struct traces_network *network);

    /* A fault stops `stopped_pes` PEs from `stopped_pe` on, until the cycle `stopped_until`. */
    uint32_t stopped_pe, stopped_pes;
    uint64_t stopped_until;

    /* --- workers --- */
    uint64_t live; /* to execute a live node */
};

/* Returns the executor of a worker. */
static inline uint32_t traces_machine_executor(const struct traces_machine *machine,
                                               uint32_t worker)
{
    return worker / (machine->pe_count / machine->executors);
}

/* Returns the class of a PE in `ranges`. */
const struct traces_pe_class *
traces_machine_find_class(const struct traces_machine *machine, uint32_t pe);

/* Returns the class of a PE; NULL: none. */
static inline const struct traces_pe_class *
traces_machine_class(const struct traces_machine *machine, uint32_t pe)
{
    return __builtin_expect(machine->class_count == 0, 1)
               ? NULL
               : traces_machine_find_class(machine, pe);
}

/* Returns the time from the issue of an instruction with opcode `op` to its result, at such PEs. */
static inline uint64_t traces_pe_latency(const struct traces_pe_class *of, enum isa_op op)
{
    return of->match + of->fetch + of->form + of->unit[isa_op_table[op].unit];
}

/* Returns the time from the issue of an instruction with opcode `op`, at a PE of a class (NULL: PEs
 * in none), to its result, if it has no time of its own. */
static inline uint64_t traces_machine_class_latency(const struct traces_machine *machine,
                                                    const struct traces_pe_class *class,
                                                    enum isa_op op)
{
    return class ? traces_pe_latency(class, op) : machine->latency[op];
}

/* Like traces_machine_class_latency, for a PE. */
static inline uint64_t traces_machine_latency(const struct traces_machine *machine,
                                              uint32_t pe, enum isa_op op)
{
    return traces_machine_class_latency(machine, traces_machine_class(machine, pe), op);
}

/* Returns the times and units of a PE. */
static inline const struct traces_pe_class *
traces_machine_pe(const struct traces_machine *machine, uint32_t pe)
{
    const struct traces_pe_class *class = traces_machine_class(machine, pe);
    return class ? class : &machine->others;
}

/* Returns the times and units of PEs in no class, and then of each class: `number` from 0 to
 * class_count. */
static inline const struct traces_pe_class *
traces_machine_kind(const struct traces_machine *machine, uint32_t number)
{
    return number ? &machine->classes[number - 1] : &machine->others;
}

/* Returns the number of PEs that traces_machine_kind(machine, number) describes. */
uint32_t traces_machine_kind_count(const struct traces_machine *machine, uint32_t number);

/* Returns the classes of function units that a PE has, as bits. */
static inline uint32_t traces_machine_can(const struct traces_machine *machine,
                                          uint32_t pe)
{
    return traces_machine_pe(machine, pe)->can;
}

/* Returns the issue slots of a PE; 0: unlimited. */
static inline uint64_t traces_machine_units(const struct traces_machine *machine,
                                            uint32_t pe)
{
    return traces_machine_pe(machine, pe)->units;
}

/* Returns the time from an issue at a PE to a request message: all stages. */
static inline uint64_t traces_machine_request(const struct traces_machine *machine,
                                              uint32_t pe)
{
    return traces_machine_pe(machine, pe)->request;
}

/* Returns the issue slots of all PEs; 0: those of some are unlimited. */
uint64_t traces_machine_all_units(const struct traces_machine *machine);

/* Returns the tokens that all PEs take per cycle; 0: those of some are unlimited. */
uint64_t traces_machine_all_turns(const struct traces_machine *machine);

/* Returns the max issue slots of the PEs that have a limited number; 0: none has. */
uint64_t traces_machine_max_units(const struct traces_machine *machine);

/* Like traces_machine_latency, for `node` of the graph, which may have a time of its own. */
static inline uint64_t traces_machine_node_latency(const struct traces_machine *machine,
                                                   uint32_t pe, enum isa_op op,
                                                   uint32_t node)
{
    return machine->timing ? machine->timing->latency[node]
                           : traces_machine_latency(machine, pe, op);
}

/* Returns the time for which `node` occupies an issue slot; 0: it needs none. */
static inline uint64_t traces_machine_slot(const struct traces_machine *machine,
                                           uint32_t node)
{
    return machine->timing ? machine->timing->slot[node] : 1;
}

/* Returns the min over all PEs of traces_machine_latency. */
uint64_t traces_machine_least_latency(const struct traces_machine *machine,
                                      enum isa_op op);

/* Return the max over all PEs of traces_machine_latency, traces_machine_request and `overflow`. */
uint64_t traces_machine_max_latency(const struct traces_machine *machine, enum isa_op op);
uint64_t traces_machine_max_request(const struct traces_machine *machine);
uint64_t traces_machine_max_overflow(const struct traces_machine *machine);

/* Returns the min latency of the opcodes on any PE. */
uint64_t traces_machine_min_latency(const struct traces_machine *machine);

/* Returns the time to copy a graph of `nodes` nodes for a call. */
static inline uint64_t traces_machine_copy_time(const struct traces_machine *machine,
                                                uint64_t nodes)
{
    return machine->copy + nodes * machine->copy_node;
}

/* Returns the time when the first cycle at or after time `from` begins. */
static inline uint64_t traces_machine_cycle(const struct traces_machine *machine,
                                            uint64_t from)
{
    return (from + machine->ticks - 1) / machine->ticks * machine->ticks;
}

/* Returns the cycles of `work` operations or bytes at `rate` per cycle; 0: unlimited. */
static inline uint64_t traces_machine_cycles(uint64_t work, uint64_t rate)
{
    return rate == 0 ? 0 : work / rate + (work % rate != 0);
}

/* Returns the time of a kernel besides its stages and unit[]: to launch it, and for its operations
 * and bytes. */
static inline uint64_t traces_machine_kernel(const struct traces_machine *machine,
                                             uint64_t flops, uint64_t bytes)
{
    const uint64_t computing = traces_machine_cycles(flops, machine->flops);
    const uint64_t moving = traces_machine_cycles(bytes, machine->bytes);
    return machine->launch + (computing > moving ? computing : moving) * machine->ticks;
}

/* Returns the bits that tell `values` values apart. */
uint64_t traces_bits_for(uint64_t values);

/* Returns the bits of a token in the network without the labels of its tag, in a program of
 * `instructions` instructions. */
uint64_t traces_machine_token_bits(const struct traces_machine *machine,
                                   uint32_t instructions);

/* Returns the links of the network, for the caller to free with traces_network_free.
 * `has_distances`: whether traces_network_min_way will be asked, which costs time and memory in
 * networks from files. Without links all PEs are network_latency apart. */
struct traces_network *traces_machine_network(const struct traces_machine *machine,
                                              bool has_distances);

/* Returns the min time that a token takes from one PE to another. */
uint64_t traces_machine_min_way(const struct traces_machine *machine,
                                const struct traces_network *network, uint32_t from,
                                uint32_t to);

#endif
