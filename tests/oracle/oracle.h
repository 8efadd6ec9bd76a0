/* A second simulator of the machine, plain and slow, written from doc/model.md, doc/metrics.md and
 * doc/assembly.md alone. Every run of the tests compares the engines with it
 * (tests/shell/oracle.sh): how a run ends, the result, digests, and all statistics, on machines of
 * PEs and on executors.
 *
 * Words in quotes in comments are headings of doc/model.md. It includes nothing of machine/, and of
 * isa/ only graphs, and the mathematics of kernels from isa/tensor. A change of the model changes
 * the page, then this, then the engines.
 *
 * Not covered:
 * - series and profiles;
 * - which failure is reported, and where; what is reported of a deadlock;
 * - that `limits.memory` may end a run within a cycle: it is checked between cycles only;
 * - graphs that the checker accepts, but neither the compiler nor a text in tests/oracle/ makes. */
#ifndef TESTS_ORACLE_ORACLE_H
#define TESTS_ORACLE_ORACLE_H

#include "isa/graph.h"
#include "lib/memory.h"
#include "lib/text.h"

/* Function units that are counted. */
#define ORACLE_UNITS(SETTING)                                                            \
    SETTING("unit.alu.count", unit_count[ISA_UNIT_ALU], NULL)                            \
    SETTING("unit.alu.interval", unit_interval[ISA_UNIT_ALU], NULL)                      \
    SETTING("unit.mul.count", unit_count[ISA_UNIT_MUL], NULL)                            \
    SETTING("unit.mul.interval", unit_interval[ISA_UNIT_MUL], NULL)                      \
    SETTING("unit.div.count", unit_count[ISA_UNIT_DIV], NULL)                            \
    SETTING("unit.div.interval", unit_interval[ISA_UNIT_DIV], NULL)                      \
    SETTING("unit.fpu.count", unit_count[ISA_UNIT_FPU], NULL)                            \
    SETTING("unit.fpu.interval", unit_interval[ISA_UNIT_FPU], NULL)                      \
    SETTING("unit.fdiv.count", unit_count[ISA_UNIT_FDIV], NULL)                          \
    SETTING("unit.fdiv.interval", unit_interval[ISA_UNIT_FDIV], NULL)                    \
    SETTING("unit.math.count", unit_count[ISA_UNIT_MATH], NULL)                          \
    SETTING("unit.math.interval", unit_interval[ISA_UNIT_MATH], NULL)                    \
    SETTING("unit.control.count", unit_count[ISA_UNIT_CONTROL], NULL)                    \
    SETTING("unit.control.interval", unit_interval[ISA_UNIT_CONTROL], NULL)              \
    SETTING("unit.tag.count", unit_count[ISA_UNIT_TAG], NULL)                            \
    SETTING("unit.tag.interval", unit_interval[ISA_UNIT_TAG], NULL)                      \
    SETTING("unit.memory.count", unit_count[ISA_UNIT_MEMORY], NULL)                      \
    SETTING("unit.memory.interval", unit_interval[ISA_UNIT_MEMORY], NULL)                \
    SETTING("unit.tensor.count", unit_count[ISA_UNIT_TENSOR], NULL)                      \
    SETTING("unit.tensor.interval", unit_interval[ISA_UNIT_TENSOR], NULL)

/* SETTING(key, field, options): options are "first|second|...", or NULL for a number. */
#define ORACLE_SETTINGS(SETTING)                                                         \
    SETTING("pe.count", pe_count, NULL)                                                  \
    SETTING("pe.units", pe_units, NULL)                                                  \
    SETTING("stage.match.latency", match_latency, NULL)                                  \
    SETTING("stage.fetch.latency", fetch_latency, NULL)                                  \
    SETTING("stage.form.latency", form_latency, NULL)                                    \
    SETTING("unit.alu.latency", unit_latency[ISA_UNIT_ALU], NULL)                        \
    SETTING("unit.mul.latency", unit_latency[ISA_UNIT_MUL], NULL)                        \
    SETTING("unit.div.latency", unit_latency[ISA_UNIT_DIV], NULL)                        \
    SETTING("unit.fpu.latency", unit_latency[ISA_UNIT_FPU], NULL)                        \
    SETTING("unit.fdiv.latency", unit_latency[ISA_UNIT_FDIV], NULL)                      \
    SETTING("unit.math.latency", unit_latency[ISA_UNIT_MATH], NULL)                      \
    SETTING("unit.control.latency", unit_latency[ISA_UNIT_CONTROL], NULL)                \
    SETTING("unit.tag.latency", unit_latency[ISA_UNIT_TAG], NULL)                        \
    SETTING("unit.memory.latency", unit_latency[ISA_UNIT_MEMORY], NULL)                  \
    SETTING("unit.tensor.latency", unit_latency[ISA_UNIT_TENSOR], NULL)                  \
    ORACLE_UNITS(SETTING)                                                                \
    SETTING("issue.discipline", issue_lifo, "fifo|lifo")                                 \
    SETTING("issue.capacity", issue_capacity, NULL)                                      \
    SETTING("match.bandwidth", match_bandwidth, NULL)                                    \
    SETTING("unit.tensor.launch", tensor_launch, NULL)                                   \
    SETTING("unit.tensor.flops", tensor_flops, NULL)                                     \
    SETTING("unit.tensor.bytes", tensor_bytes, NULL)                                     \
    SETTING("tensor.math", reference, "blas|reference")                                  \
    SETTING("tensor.transport", by_reference, "value|reference")                         \
    SETTING("tensor.unit.count", tensor_units, NULL)                                     \
    SETTING("tensor.unit.of", unit_of_node, "pe|node")                                   \
    SETTING("tensor.batch.until", batch_until, "none|window|idle")                       \
    SETTING("tensor.batch.window", batch_window, NULL)                                   \
    SETTING("tensor.batch.most", batch_most, NULL)                                       \
    SETTING("tensor.batch.gather", batch_gather, "off|on")                               \
    SETTING("tensor.batch.grouping", batch_grouping, NULL)                               \
    SETTING("memory.capacity", memory_capacity, NULL)                                    \
    SETTING("swap.threshold", swap_threshold, NULL)                                      \
    SETTING("swap.smallest", swap_smallest, NULL)                                        \
    SETTING("swap.latency", swap_latency, NULL)                                          \
    SETTING("swap.bandwidth", swap_bandwidth, NULL)                                      \
    SETTING("swap.prefetch", swap_prefetch, NULL)                                        \
    SETTING("queue.discipline", lifo, "fifo|lifo")                                       \
    SETTING("queue.capacity", queue_capacity, NULL)                                      \
    SETTING("match.store", frames, "hash|frames")                                        \
    SETTING("match.capacity", match_capacity, NULL)                                      \
    SETTING("match.ways", match_ways, NULL)                                              \
    SETTING("match.overflow.latency", overflow_latency, NULL)                            \
    SETTING("match.overflow.capacity", overflow_capacity, NULL)                          \
    SETTING("match.overflow.bandwidth", overflow_bandwidth, NULL)                        \
    SETTING("match.overflow.banks", overflow_banks, NULL)                                \
    SETTING("tag.scheme", tag_scheme, "path|interned|pool")                              \
    SETTING("tag.bits", tag_bits, NULL)                                                  \
    SETTING("tag.pool", tag_pool, NULL)                                                  \
    SETTING("tag.exhausted", exhausted, "stall|spill|stop")                              \
    SETTING("tag.spill.latency", spill_latency, NULL)                                    \
    SETTING("tag.intern.units", one_unit, "pe|machine")                                  \
    SETTING("tag.intern.latency", intern_latency, NULL)                                  \
    SETTING("tag.intern.bandwidth", intern_bandwidth, NULL)                              \
    SETTING("loop.bound", loop_bound, NULL)                                              \
    SETTING("partition.releases", tells_releases, "free|messages")                       \
    SETTING("copy.latency", copy_latency, NULL)                                          \
    SETTING("copy.node.latency", copy_node_latency, NULL)                                \
    SETTING("copy.workers", copy_workers, NULL)                                          \
    SETTING("copy.placement", copy_placement, "caller|placed|node|coordinator")          \
    SETTING("copy.coordinator.node", coordinator_node, NULL)                             \
    SETTING("copy.coordinator.latency", coordinator_latency, NULL)                       \
    SETTING("copy.coordinator.choice", coordinator_loaded, "round_robin|least_loaded")   \
    SETTING("copy.node.bytes", copy_node_bytes, NULL)                                    \
    SETTING("copy.capacity", copy_capacity, NULL)                                        \
    SETTING("placement.policy", random_placement, "tag|random")                          \
    SETTING("network.topology", topology,                                                \
            "ideal|crossbar|bus|ring|mesh|torus|hypercube|omega|fattree|flatfly|"        \
            "dragonfly|file")                                                            \
    SETTING("network.latency", network_latency, NULL)                                    \
    SETTING("network.bandwidth", network_bandwidth, NULL)                                \
    SETTING("network.capacity", network_capacity, NULL)                                  \
    SETTING("network.concentration", network_concentration, NULL)                        \
    SETTING("network.routing", routing, "deterministic|adaptive|valiant")                \
    SETTING("network.switching", stored, "cut_through|store_and_forward")                \
    SETTING("network.router.latency", network_router, NULL)                              \
    SETTING("network.injection.latency", network_injection, NULL)                        \
    SETTING("network.ejection.latency", network_ejection, NULL)                          \
    SETTING("network.global.latency", network_global, NULL)                              \
    SETTING("network.channels", network_channels, NULL)                                  \
    SETTING("network.arbitration", oldest, "round_robin|oldest")                         \
    SETTING("network.speedup", network_speedup, NULL)                                    \
    SETTING("network.iterations", network_iterations, NULL)                              \
    SETTING("network.credit.latency", network_credit, NULL)                              \
    SETTING("cluster.nodes", nodes, NULL)                                                \
    SETTING("cluster.pes_per_node", node_pes, NULL)                                      \
    SETTING("cluster.latency", inside_latency, NULL)                                     \
    SETTING("cluster.bandwidth", inside_bandwidth, NULL)                                 \
    SETTING("cluster.termination", counted, "omniscient|counted")                        \
    SETTING("cluster.timeout", timeout, NULL)                                            \
    SETTING("fault.seed", fault_seed, NULL)                                              \
    SETTING("fault.delay", fault_delay, NULL)                                            \
    SETTING("fault.delay_cycles", fault_delay_cycles, NULL)                              \
    SETTING("fault.reorder", fault_reorder, NULL)                                        \
    SETTING("fault.duplicate", fault_duplicate, NULL)                                    \
    SETTING("fault.loss", fault_loss, NULL)                                              \
    SETTING("fault.stop.cycles", stop_cycles, NULL)                                      \
    SETTING("fault.stop.node", stop_node, NULL)                                          \
    SETTING("fault.stop.start", stop_start, NULL)                                        \
    SETTING("structure.placement", local_structures, "interleaved|local")                \
    SETTING("executor.workers", executor_workers, NULL)                                  \
    SETTING("executor.live.latency", executor_live, NULL)                                \
    SETTING("executor.dead.latency", executor_dead, NULL)                                \
    SETTING("executor.tag.latency", executor_tag, NULL)                                  \
    SETTING("executor.frame.latency", executor_frame, NULL)                              \
    SETTING("executor.lock.latency", executor_lock, NULL)                                \
    SETTING("executor.handoff.latency", executor_handoff, NULL)                          \
    SETTING("executor.sleep.latency", executor_sleep, NULL)                              \
    SETTING("executor.copy.lock.latency", executor_copy_lock, NULL)                      \
    SETTING("executor.dead_call_frame", executor_dead_frame, "off|on")                   \
    SETTING("executor.inline", executor_inline, "none|tag")                              \
    SETTING("deadness", propagate, "suppress|propagate")                                 \
    SETTING("port.capacity", port_capacity, NULL)                                        \
    SETTING("limits.cycles", limit_cycles, NULL)                                         \
    SETTING("limits.tokens", limit_tokens, NULL)                                         \
    SETTING("limits.depth", limit_depth, NULL)                                           \
    SETTING("limits.memory", limit_memory, NULL)

/* Planted mistakes, which tests must notice: MISTAKE(NAME, text, rule that is then wrong). */
#define ORACLE_MISTAKES(MISTAKE)                                                         \
    MISTAKE(NONE, "none", "nothing")                                                     \
    MISTAKE(KINDS, "kinds", "turns are taken by form before opcode")                     \
    MISTAKE(PES, "pes", "of one kind the last PE has the first turn")                    \
    MISTAKE(PROMISES, "promises", "what a turn may make is not promised")                \
    MISTAKE(ITSELF, "itself", "a token leaves no room for what it makes in its queue")   \
    MISTAKE(PORT, "port", "an output port does not look for room at the other end")      \
    MISTAKE(OCCUPIED, "occupied", "the bits of a token are rounded down to cycles")      \
    MISTAKE(WEIGHT, "weight", "a token of a tensor is as small as any other")            \
    MISTAKE(WHOLE, "whole", "a tensor is in the input queue with its first bits")        \
    MISTAKE(EARLY, "early",                                                              \
            "a tensor that comes is there for the kernels of that cycle")                \
    MISTAKE(AGAIN, "again",                                                              \
            "each kernel asks for its tensors, whoever has asked before")                \
    MISTAKE(FORGETS, "forgets", "no copy of a tensor stays")                             \
    MISTAKE(WEIGHTS, "weights", "a batch reads a tensor once for each kernel")           \
    MISTAKE(JOINED, "joined", "a batch copies no operands together")                     \
    MISTAKE(APART, "apart", "a batch copies no results apart")                           \
    MISTAKE(GROUPS, "groups", "grouping the kernels of a batch takes no time")           \
    MISTAKE(OVER, "over", "the window of a batch is over a cycle too soon")              \
    MISTAKE(ARRAYS, "arrays", "arrays take no room in a finite memory")                  \
    MISTAKE(NEWEST, "newest", "of tensors at rest the newest is moved out")              \
    MISTAKE(ROOMS, "rooms", "what moves out takes no room any more")                     \
    MISTAKE(STUCK, "stuck", "no kernel is served when memories are full")                \
    MISTAKE(ONCE, "once", "a token occupies a link for one cycle, as is counted")        \
    MISTAKE(STANDING, "standing", "what stands before a link at the end has not waited") \
    MISTAKE(STORED, "stored", "a router forwards a token before it has all of it")       \
    MISTAKE(SHORTEST, "shortest", "of equal queues a token takes the last")              \
    MISTAKE(CREDIT, "credit", "credits do not come back")                                \
    MISTAKE(CREDITED, "credited", "a credit counts as back when its token leaves")       \
    MISTAKE(HERD, "herd", "a token does not see what others ask for")                    \
    MISTAKE(POINTERS, "pointers", "the pointers of a router stay where they are")        \
    MISTAKE(DATELINE, "dateline", "a ring has no dateline")                              \
    MISTAKE(ROOT, "root", "of equal routers of a file the last one is the root")         \
    MISTAKE(OWN, "own", "links of a file have no latency of their own")                  \
    MISTAKE(EXPRESS, "express", "in a box of a file only the sides are taken")           \
    MISTAKE(BALANCE, "balance", "the first of several ports of a file is taken")         \
    MISTAKE(BORDER, "border", "the first bits of a token leave and enter its node")      \
    MISTAKE(STOPPED, "stopped", "a node takes tokens in the last cycle of its stop")     \
    MISTAKE(BLACK, "black", "node 0 looks at sums alone, not at colours")                \
    MISTAKE(SLOWER, "slower", "a partner in the slower store costs nothing")             \
    MISTAKE(SLOTS, "slots", "a frame has no slots for the constants of its loops")       \
    MISTAKE(LAST, "last", "an ENTER takes the last number of a pool")                    \
    MISTAKE(FURTHER, "further",                                                          \
            "the further instructions of an APPLY are no instructions")                  \
    MISTAKE(FLIGHT, "flight", "an iteration with nothing but NEXTs is in flight")        \
    MISTAKE(OVERTAKE, "overtake", "an APPLY overtakes one that waits for the same PE")   \
    MISTAKE(LATE, "late", "what a long copy sends comes before the others")              \
    MISTAKE(SERVED, "served", "the coordinator serves a request a cycle too soon")       \
    MISTAKE(SHIPPED, "shipped", "a graph has its bytes in the node of the coordinator")  \
    MISTAKE(CONFINED, "confined", "an iteration may leave the node of its loop")         \
    MISTAKE(BEGUN, "begun", "constants are consumed before their loop has begun")        \
    MISTAKE(ANSWERS, "answers", "deferred reads are answered the last one first")        \
    MISTAKE(ELEMENT, "element", "the first element lies at the PE behind its ALLOC's")   \
    MISTAKE(BROUGHT, "brought", "what brings an array in is no firing")                  \
    MISTAKE(SPREAD, "spread", "data lies as far on as its constructor has a number")     \
    MISTAKE(ROUNDS, "rounds", "a real that accumulates is rounded after each addition")  \
    MISTAKE(NESTED, "nested", "a tag of limits.depth labels is beyond that limit")       \
    MISTAKE(ALONE, "alone", "limits.memory ends no run before a cycle is over")          \
    MISTAKE(SKIPPED, "skipped", "skipped cycles are no stalls")                          \
    MISTAKE(ABSORBED, "absorbed", "a hiaton at EXIT is a dead firing")                   \
    MISTAKE(PREDICATE, "predicate", "executor: a predicate has one dead node less")      \
    MISTAKE(LOCK, "lock", "executor: a RETURN or EXIT needs the lock once")              \
    MISTAKE(HANDOFF, "handoff", "executor: who slept has the lock at once")              \
    MISTAKE(AWAKE, "awake", "executor: whoever waits for the lock sleeps")               \
    MISTAKE(FREE, "free", "what needs no issue slot waits behind what does")             \
    MISTAKE(TICKS, "ticks", "a unit is free again a tick too soon")                      \
    MISTAKE(CLOCK, "clock", "links and tag units count ticks as cycles")                 \
    MISTAKE(RELEASES, "releases",                                                        \
            "the home of an activation gives its weight back, too")                      \
    MISTAKE(PARTS, "parts", "each machine has a slot more for its part of a frame")      \
    MISTAKE(KEPT, "kept", "the keeper of an identifier asks itself for it")              \
    MISTAKE(TOLD, "told", "the home of an activation knows at once that it is over")     \
    MISTAKE(CARRIED, "carried", "a SEND or RECV adds to the depth")                      \
    MISTAKE(DECIDED, "decided", "a copy of a SWITCH takes the other side")               \
    MISTAKE(MATCH, "match",                                                              \
            "an argument that waits for others of its APPLY is no match")                \
    MISTAKE(BEFORE, "before",                                                            \
            "a wait is for the first that was served in a cycle before")                 \
    MISTAKE(HANDLE, "handle", "an array of the result is there before its elements")     \
    MISTAKE(UNFETCHED, "unfetched", "a ROW reads a tensor that is not here")             \
    MISTAKE(LAUNCHED, "launched", "a LOAD takes a tensor unit")                          \
    MISTAKE(PAIRS, "pairs", "a PAIR reads a second tensor that is not here")             \
    MISTAKE(VECTORS, "vectors", "a VECTOR takes a tensor unit")                          \
    MISTAKE(ROOMLESS, "roomless", "a PAIR takes no room in a finite memory")             \
    MISTAKE(RESERVED, "reserved", "a kernel before a bank has no room for its result")   \
    MISTAKE(MOVABLE, "movable", "what a kernel before a bank reads can move out")        \
    MISTAKE(LATER, "later", "what a kernel makes counts once its operands are freed")    \
    MISTAKE(COPIES, "copies", "each kernel that changes rows copies the tensor")         \
    MISTAKE(INLINE, "inline", "executor: a worker takes the newest of its own list")     \
    MISTAKE(UNNAMED, "unnamed", "the array of a port counts with another length")        \
    MISTAKE(FOLLOWS, "follows", "an OPEN makes an array that is not open")               \
    MISTAKE(DEEPER, "deeper", "a feed adds to the depth of what it answers")             \
    MISTAKE(INSTANT, "instant", "an answer of a feed has no delay of its own")           \
    MISTAKE(RECENT, "recent", "a feed answers what waits for it the last one first")     \
    MISTAKE(FORESEES, "foresees", "a feed of a later cycle holds a quiet machine back")  \
    MISTAKE(TAKERS, "takers", "executor: a feed answers to the own list of a worker")    \
    MISTAKE(TARRIES, "tarries", "a run that waits takes its feed a cycle too late")      \
    MISTAKE(FEASTS, "feasts", "what is fed needs no room in a memory")                   \
    MISTAKE(TAKEN, "taken", "an INDEX that finds its element does not ask for it")       \
    MISTAKE(CLASSLESS, "classless", "the stages of all PEs take what the machine says")  \
    MISTAKE(CAPABLE, "capable", "an activation is placed as if each PE could do all")    \
    MISTAKE(ANYWHERE, "anywhere", "functions are at PEs of any class")                   \
    MISTAKE(UNSAID, "unsaid", "what the program says of classes of PEs is not heard")    \
    MISTAKE(STORES, "stores",                                                            \
            "matching stores of all PEs have the size of PEs in no class")               \
    MISTAKE(COUNTS, "counts",                                                            \
            "units of all PEs are counted as those of PEs in no class")                  \
    MISTAKE(ROOMY, "roomy", "what leaves an issue queue asks for no room")               \
    MISTAKE(QUEUES, "queues",                                                            \
            "input queues of all PEs have the size of PEs in no class")                  \
    MISTAKE(STRIDE, "stride", "elements lie at PEs without memory units, too")           \
    MISTAKE(INTERVAL, "interval", "a unit takes its next instruction a cycle too soon")  \
    MISTAKE(BANKS, "banks", "an operand put into the overflow store occupies no bank")   \
    MISTAKE(LINKS, "links",                                                              \
            "executors: a token does not wait for the link it leaves by")                \
    MISTAKE(TRIP, "trip", "executors: an array of another machine is half a trip away")  \
    MISTAKE(ALIKE, "alike", "executors: all workers are as fast as those of no class")   \
    MISTAKE(SHARED, "shared", "executors of a divided program have one lock")            \
    MISTAKE(                                                                             \
        LATECOMERS, "latecomers",                                                        \
        "executors: what comes from the network is behind the workers that end then")

enum oracle_mistake {
#define MISTAKE(NAME, ...) ORACLE_MISTAKE_##NAME,
    ORACLE_MISTAKES(MISTAKE)
#undef MISTAKE
        ORACLE_MISTAKE_COUNT,
};

enum { ORACLE_PATH, ORACLE_INTERNED, ORACLE_POOL };
enum {
    ORACLE_IDEAL,
    ORACLE_CROSSBAR,
    ORACLE_BUS,
    ORACLE_RING,
    ORACLE_MESH,
    ORACLE_TORUS,
    ORACLE_HYPERCUBE,
    ORACLE_OMEGA,
    ORACLE_FATTREE,
    ORACLE_FLATFLY,
    ORACLE_DRAGONFLY,
    ORACLE_FILE,
};
enum { ORACLE_DETERMINISTIC, ORACLE_ADAPTIVE, ORACLE_VALIANT };
enum { ORACLE_AT_CALLER, ORACLE_PLACED, ORACLE_IN_NODE, ORACLE_COORDINATED };
enum { ORACLE_STALL, ORACLE_SPILL, ORACLE_STOP };
enum { ORACLE_UNTIL_NONE, ORACLE_UNTIL_WINDOW, ORACLE_UNTIL_IDLE };

enum { ORACLE_CLASS_SETTINGS = 128 };

struct oracle_settings {
    uint64_t pe_count, pe_units, match_latency, fetch_latency, form_latency;
    uint64_t unit_latency[ISA_UNIT_COUNT];
    bool lacks[ISA_UNIT_COUNT]; /* of a PE: has no units of a class */
    uint64_t unit_count[ISA_UNIT_COUNT], unit_interval[ISA_UNIT_COUNT];
    uint64_t issue_lifo, issue_capacity, match_bandwidth;
    uint64_t lifo, queue_capacity;
    uint64_t tensor_flops, tensor_bytes, by_reference;
    uint64_t tensor_launch, tensor_units, unit_of_node, batch_until, batch_window,
        batch_most, batch_gather, batch_grouping;
    uint64_t memory_capacity, swap_threshold, swap_smallest, swap_latency, swap_bandwidth,
        swap_prefetch;
    /* 0: the C library computes functions of reals; 1: Hiaton's own code does */
    uint64_t reference;
    uint64_t tensor_start; /* executor: value of the setting unit.tensor.latency */
    uint64_t frames, match_capacity, match_ways, overflow_latency, overflow_capacity;
    uint64_t overflow_bandwidth, overflow_banks;
    uint64_t tag_scheme, tag_bits, tag_pool, exhausted, spill_latency;
    uint64_t one_unit, intern_latency, intern_bandwidth;
    uint64_t loop_bound;
    uint64_t tells_releases;
    uint64_t copy_latency, copy_node_latency, copy_workers, copy_placement, copy_capacity;
    uint64_t coordinator_node, coordinator_latency, coordinator_loaded, copy_node_bytes;
    uint64_t random_placement;
    uint64_t topology, network_latency, network_bandwidth, network_capacity;
    uint64_t dims[3], dim_count; /* the list of the setting network.dims */
    uint64_t network_concentration, routing, stored, network_router, network_injection,
        network_ejection, network_global, network_channels, oldest, network_speedup,
        network_iterations, network_credit;
    uint64_t nodes, node_pes, inside_latency, inside_bandwidth;
    uint64_t counted, timeout;
    uint64_t fault_seed, fault_delay, fault_delay_cycles, fault_reorder, fault_duplicate,
        fault_loss, stop_cycles, stop_node, stop_start;
    char fault_list[4100], functions[4100];
    const char *file; /* contents of network.file; NULL: none */
    size_t file_length;
    uint64_t executor_workers, executor_live, executor_dead, executor_tag, executor_frame;
    uint64_t executor_lock, executor_copy_lock, executor_dead_frame, executor_inline;
    uint64_t executor_handoff, executor_sleep;
    uint64_t port_capacity;
    uint64_t local_structures, propagate, limit_cycles, limit_tokens, limit_depth,
        limit_memory;
    /* Ticks per cycle, if instructions have times of their own; else 0. */
    uint64_t scale;
    const uint32_t *latency, *slot; /* for each node: its times, in ticks */
    /* "Classes of PEs": class.NAME.KEY=VALUE. */
    struct oracle_class_setting {
        char name[40], key[40], value[200];
    } of_classes[ORACLE_CLASS_SETTINGS];
    size_t of_class_count;
    enum oracle_mistake mistake;
};

/* Sets a setting from text; ignores settings without meaning here, as of compiling and of series.
 * Returns false if the key is unknown. */
bool oracle_set(struct oracle_settings *settings, const char *key, const char *value);

/* Whether a PE is of the class whose name begins at `name`. */
bool oracle_is_of_class(const struct oracle_settings *settings, const char *name,
                        size_t length, uint64_t pe);

/* Returns the settings of each PE, to be freed by the caller; NULL if PEs are all alike. */
struct oracle_settings *oracle_settings_of_pes(const struct oracle_settings *settings);

const char *oracle_mistake_text(enum oracle_mistake mistake);

/* STAT(key): integers and digests of doc/metrics.md. */
#define ORACLE_COUNTS(STAT)                                                              \
    STAT(value_digest)                                                                   \
    STAT(timing_digest)                                                                  \
    STAT(cycles)                                                                         \
    STAT(result_cycle)                                                                   \
    STAT(firings)                                                                        \
    STAT(dead_firings)                                                                   \
    STAT(span)                                                                           \
    STAT(calls)                                                                          \
    STAT(loop_iterations)                                                                \
    STAT(tokens)                                                                         \
    STAT(dead_tokens)                                                                    \
    STAT(sends)                                                                          \
    STAT(dead_sends)                                                                     \
    STAT(receives)                                                                       \
    STAT(dead_receives)                                                                  \
    STAT(releases)                                                                       \
    STAT(identifier_messages)                                                            \
    STAT(tag_sends)                                                                      \
    STAT(tag_receives)                                                                   \
    STAT(tag_steps)                                                                      \
    STAT(tag_tokens)                                                                     \
    STAT(tags_followed)                                                                  \
    STAT(early_receives)                                                                 \
    STAT(local_tokens)                                                                   \
    STAT(network_tokens)                                                                 \
    STAT(network_bits)                                                                   \
    STAT(hops)                                                                           \
    STAT(link_tokens)                                                                    \
    STAT(link_busy)                                                                      \
    STAT(link_waits)                                                                     \
    STAT(peak_waiting)                                                                   \
    STAT(peak_live_tokens)                                                               \
    STAT(peak_tags)                                                                      \
    STAT(peak_tag_depth)                                                                 \
    STAT(peak_structures)                                                                \
    STAT(peak_elements)                                                                  \
    STAT(tensor_flops)                                                                   \
    STAT(tensor_bytes)                                                                   \
    STAT(tensor_updates)                                                                 \
    STAT(update_copies)                                                                  \
    STAT(update_copy_bytes)                                                              \
    STAT(peak_tensor_bytes)                                                              \
    STAT(tensor_network_bytes)                                                           \
    STAT(tensor_fetches)                                                                 \
    STAT(peak_tensor_copies)                                                             \
    STAT(tensor_batches)                                                                 \
    STAT(batched_kernels)                                                                \
    STAT(batch_waits)                                                                    \
    STAT(tensor_unit_busy)                                                               \
    STAT(tensor_batch_bytes)                                                             \
    STAT(peak_resident)                                                                  \
    STAT(swap_out_bytes)                                                                 \
    STAT(swap_in_bytes)                                                                  \
    STAT(memory_stalls)                                                                  \
    STAT(memory_stall_cycles)                                                            \
    STAT(feeds)                                                                          \
    STAT(port_waits)                                                                     \
    STAT(deferred_fetches)                                                               \
    STAT(element_requests)                                                               \
    STAT(match_overflows)                                                                \
    STAT(overflow_accesses)                                                              \
    STAT(overflow_wait_cycles)                                                           \
    STAT(unit_busy_cycles)                                                               \
    STAT(unit_stall_cycles)                                                              \
    STAT(peak_issue_queue)                                                               \
    STAT(queue_stalls)                                                                   \
    STAT(tag_stalls)                                                                     \
    STAT(bound_stalls)                                                                   \
    STAT(bound_excess)                                                                   \
    STAT(copy_stalls)                                                                    \
    STAT(faults)                                                                         \
    STAT(probes)                                                                         \
    STAT(detection_cycles)                                                               \
    STAT(copy_requests)                                                                  \
    STAT(copy_messages)                                                                  \
    STAT(copy_request_waits)                                                             \
    STAT(graph_bytes)                                                                    \
    STAT(remote_copies)                                                                  \
    STAT(graph_nodes)                                                                    \
    STAT(copies)                                                                         \
    STAT(copied_nodes)                                                                   \
    STAT(peak_graph_nodes)                                                               \
    STAT(live_nodes)                                                                     \
    STAT(dead_nodes)                                                                     \
    STAT(lock_uses)                                                                      \
    STAT(lock_stalls)                                                                    \
    STAT(turns)                                                                          \
    STAT(working_pes)
#define ORACLE_RATIOS(STAT)                                                              \
    STAT(parallelism)                                                                    \
    STAT(bypass_ratio)                                                                   \
    STAT(mean_waiting)                                                                   \
    STAT(mean_batch)                                                                     \
    STAT(mean_link_wait)                                                                 \
    STAT(mean_link_load)                                                                 \
    STAT(greatest_link_load)                                                             \
    STAT(occupancy)                                                                      \
    STAT(utilisation)                                                                    \
    STAT(energy)                                                                         \
    STAT(energy_delay)

/* The n-th event of doc/metrics.md, "Energy", takes n times this energy, in pJ. */
#define ORACLE_ENERGY_STEP 0.25

struct oracle_pe_stats {
    uint64_t firings, dead_firings, tokens, local_tokens, network_tokens, busy,
        peak_queue;
    uint64_t turns;
};

struct oracle_stats {
#define STAT(key) uint64_t key;
    ORACLE_COUNTS(STAT)
#undef STAT
#define STAT(key) double key;
    ORACLE_RATIOS(STAT)
#undef STAT
    struct oracle_pe_stats *pe;
};

enum oracle_end {
    ORACLE_COMPLETED,
    ORACLE_TRAPPED,
    ORACLE_DEADLOCKED,
    ORACLE_LIMIT,
    ORACLE_STORE_FULL,
    ORACLE_TAGS_EXHAUSTED,
    ORACLE_FAULTED,
    ORACLE_WAITING, /* waiting for a host that feeds no more */
    ORACLE_END_COUNT,
};

const char *oracle_end_text(enum oracle_end end);

/* Kind of an action in the chain of causes of a run's time. */
enum oracle_place {
    ORACLE_STARTS,
    ORACLE_TURNS,
    ORACLE_GOES_ON,
    ORACLE_PORTS,
    ORACLE_LOCKS,
    ORACLE_ENDS,
};

/* An action in the chain of causes of a run's time, or a section of the time before one. */
struct oracle_piece {
    const char *cause;
    enum oracle_place kind;
    uint64_t from, to;
    uint32_t node;
    unsigned pe;
};

struct oracle_outcome {
    enum oracle_end end;
    const char *limit; /* key of the setting that ended the run, or NULL */
    /* Max bytes of the state that limits.memory bounds, at the start of a cycle. */
    uint64_t peak_state;
    struct lib_text result;
    struct lib_text taken; /* elements of output ports that the host can take */
    struct oracle_stats stats;
    /* Chain of causes from the end of the run back to its start; then from the end of a complete
     * result. */
    LIB_VEC(struct oracle_piece) chain;
};

/* One component of an element that the host feeds to a port. */
struct oracle_fed {
    uint64_t word;
    const struct isa_tensor *tensor; /* NULL: the component is a scalar */
};

/* A feed to a port, or the closing of a port. */
struct oracle_feed {
    uint32_t port;
    bool closes;
    /* Cycle of the feed, or ORACLE_WHEN_WAITING: as soon as the run waits. */
    uint64_t cycle;
    const struct oracle_fed *parts;
};

#define ORACLE_WHEN_WAITING UINT64_MAX

/* All feeds of a host, by cycle, then by port. */
struct oracle_host {
    const struct oracle_feed *items;
    size_t count;
};

/* Runs an executable graph. `inputs`, NULL: the program's own values. `host` may be NULL. */
void oracle_run(const struct isa_graph *graph, const isa_value *inputs,
                const struct oracle_settings *settings, uint64_t seed,
                const struct oracle_host *host, struct oracle_outcome *outcome);
void oracle_outcome_free(struct oracle_outcome *outcome);

#endif
