/* Ports of an execution (struct isa_port, isa/graph.h): arrays that a host writes element by
 * element while the program runs (input ports), and results of which it takes elements as they are
 * written (output ports).
 *
 * An input port has an array for each part of its elements, made before anything fires. It is open:
 * it grows with each feed, until the host closes the port. An array made by an OPEN instruction is
 * open too: it grows with a port, but its elements are unwritten.
 *
 * INDEX, LENGTH and MORE may have to wait at the port of an open array. A feed or close releases
 * those that can continue. The engine pulls these one by one, in the order in which they began to
 * wait (isa_ports_pull), and sends their values (isa_fire_answer_port of isa/fire/fire_port.h).
 *
 * The host holds a reference to each array of an input port until it closes the port, the PORT
 * instruction one until it fires, and each waiting instruction one to its array. If the graph has
 * no ports, exec->structures.ports is NULL.
 */
#ifndef ISA_EXEC_PORT_H
#define ISA_EXEC_PORT_H

#include "isa/exec/structure.h"
#include "lib/key_map.h"

struct isa_exec;
struct isa_code;

/* An INDEX, LENGTH or MORE that waits for the host. It has fired and keeps its activation alive,
 * but is not a token. */
struct isa_port_wait {
    uint64_t order; /* rank in the order in which instructions began to wait: 0, 1, ... */
    uint64_t depth; /* depth of the firing, and of the tokens that it sends later */
    uint64_t index; /* element that the instruction needs; ISA_PORT_LENGTH for a LENGTH */
    uint32_t instr;
    uint32_t tag;       /* isa_tag of the firing; ISA_TAG_NONE in a free entry */
    uint32_t structure; /* index of the array's structure; the entry holds a reference */
    uint32_t next;      /* index of the next waiting, released or free entry */
};

#define ISA_PORT_LENGTH UINT64_MAX
#define ISA_PORT_END UINT32_MAX
#define ISA_PORT_NONE UINT32_MAX

/* An array that grows with a port. */
struct isa_port_array {
    uint32_t structure;
    /* part of the port's elements that the array holds; ISA_PORT_NONE: made by an OPEN */
    uint32_t part;
};

/* State of a port. An output port uses only `taken`. The members of this struct and the next one
 * are rows of tables (lib/state_table.h). */
#define ISA_PORT_STATE_FIELDS(F)                                                         \
    /* number of elements fed, including those that no array kept */                     \
    F(NUMBER, uint64_t, fed)                                                             \
    /* number of elements that the host has taken from an output port */                 \
    F(NUMBER, uint64_t, taken)                                                           \
    /* 1 + max index that instructions asked for; 0: none, or not counted */             \
    F(NUMBER, uint64_t, wanted)                                                          \
    F(BOOL, is_closed)                                                                   \
    /* open arrays: one for each part, then those that OPENs made */                     \
    F(VEC, struct isa_port_array, arrays)                                                \
    F(CHECK, !lib_pack_reads(pack) || arrays_are_sound(m, s))                            \
    F(SCRATCH, uint64_t, waiting) /* length of `queues`, which follow from `waits` */    \
    /* Queues of waiting instructions. Key: 1 + index of the element that they need, */  \
    /* or ISA_PORT_LENGTH. Value: index in `waits` of the first entry << 32 | index */   \
    /* of the last entry. */                                                             \
    F(OTHER, struct lib_key_map queues, , lib_key_map_free(&s->queues),                  \
      lib_key_map_free(&s->queues))
struct isa_port_state {
    ISA_PORT_STATE_FIELDS(LIB_STATE_MEMBER)
};

#define ISA_PORTS_FIELDS(F)                                                                \
    F(KEPT, const struct isa_graph *, graph)                                               \
    /* number of ports, and of the arrays of input ports */                                \
    F(KEPT, uint32_t, count)                                                               \
    F(KEPT, uint32_t, array_count)                                                         \
    /* Whether `wanted` is counted; set by a machine with port.capacity. An INDEX of an */ \
    /* open array is then fast only for elements that were asked for before (`reach` of */ \
    /* struct isa_structure). */                                                           \
    F(KEPT, bool, counts_wanted)                                                           \
    F(STRUCTS, isa_port_state, all, s->count)                                              \
    /* For each array of an input port: index of its structure, until the PORT */          \
    /* instruction fires and takes over the reference; then ISA_STRUCTURE_NONE. */         \
    F(OTHER, uint32_t *pending, pack_pending(pack, m, s), clear_pending(s),                \
      lib_mem_free(s->pending))                                                            \
    F(VEC, struct isa_port_wait, waits)      /* free entries included */                   \
    F(INITIAL, uint32_t, free, ISA_PORT_END) /* first free entry of `waits` */             \
    /* instructions that wait and were not pulled yet */                                   \
    F(NUMBER, uint64_t, waiting)                                                           \
    /* instructions that have waited so far: the statistic port_waits */                   \
    F(NUMBER, uint64_t, waited)                                                            \
    F(NUMBER, uint64_t,                                                                    \
      feeds) /* elements fed to all ports so far: the statistic feeds */                   \
    /* first released entry of `waits`; ISA_PORT_END: none */                              \
    F(FRESH, uint32_t, released, ISA_PORT_END)                                             \
    /* entries were released because the port was closed */                                \
    F(SCRATCH, bool, closes)
struct isa_ports {
    ISA_PORTS_FIELDS(LIB_STATE_MEMBER)
};

/* One part of an element. A tensor comes from exec->structures.tensors and is sealed; a feed takes
 * ownership of it if it returns ISA_FEED_DONE. */
struct isa_port_value {
    isa_value value;
    struct isa_tensor *tensor; /* if the part is a tensor; else NULL */
};

enum isa_feed {
    ISA_FEED_DONE,
    ISA_FEED_NO_ROOM, /* the memory limit would be exceeded: nothing has changed */
    ISA_FEED_CLOSED,  /* the port is closed: nothing has changed */
};

/* Allocates the state of a graph's ports. Returns NULL if the graph has no ports. */
struct isa_ports *isa_ports_new(const struct isa_code *code);
void isa_ports_free(struct isa_ports *ports); /* `ports` may be NULL */

/* Restores the state from before isa_ports_start. `ports` may be NULL. */
void isa_ports_reset(struct isa_ports *ports);

/* Makes the arrays of the input ports, as if each PORT instruction were an ALLOC (for digests and
 * owners). Call once, after the root activation has an owner and before anything fires or is fed.
 * Returns false and sets exec->out_of_memory at the memory limit. */
bool isa_ports_start(struct isa_exec *exec);

/* Whether an element that is fed is added to `array`. An array that an OPEN made gets every
 * element; another array gets it only while someone other than the host holds a reference. */
bool isa_port_keeps(const struct isa_exec *exec, const struct isa_port_array *array);

/* Whether the memory limit leaves room for an element in the arrays of an input port. */
bool isa_ports_fit(const struct isa_exec *exec, uint32_t port,
                   const struct isa_port_value *values);

/* Feeds the next element to an input port; `values` has one value per part. The caller must then
 * pull the instructions that can continue (isa_ports_pull). */
enum isa_feed isa_ports_feed(struct isa_exec *exec, uint32_t port,
                             const struct isa_port_value *values);

/* Closes an input port, if it is open. The caller must then pull the instructions that can
 * continue. If an INDEX waits, it never gets its element: the earliest one traps, exec->trap is set
 * and false returned. */
bool isa_ports_close(struct isa_exec *exec, uint32_t port);

/* Returns the next instruction that can continue after the last feed or close, and in *value what
 * it sends: an address, a length or a bool. Its tag and reference are held until
 * isa_fire_answer_port. Returns false if none is left. */
bool isa_ports_pull(struct isa_exec *exec, struct isa_port_wait *wait, isa_value *value);

/* Returns, for a PORT that fires, the array with index `array` among the arrays of all input ports.
 * The reference that the PORT held becomes the caller's. */
__attribute__((cold)) isa_value isa_ports_take_array(struct isa_exec *exec,
                                                     uint32_t array);

/* Returns how many elements were fed to the port of array `array`. */
uint64_t isa_ports_fed(const struct isa_exec *exec, uint32_t array);

/* Makes an array that grows with the port of array `array`. `made`: see isa_structures_make.
 * Returns ISA_STRUCTURE_NONE at the memory limit. */
uint32_t isa_ports_open(struct isa_exec *exec, uint32_t array,
                        const struct isa_structure *made);

/* Records that an INDEX or MORE asks for an element of an open array, if that is counted. */
void isa_ports_ask(struct isa_exec *exec, isa_value array, uint64_t index);

/* Adds an instruction that waits at an open array. `wait` need not have `order` and `next`. */
void isa_ports_wait(struct isa_exec *exec, const struct isa_port_wait *wait);

/* Removes an open array, which is being freed, from the arrays of its port. */
void isa_ports_forget(struct isa_ports *ports, uint32_t port, uint32_t structure);

/* Returns the port with which an open array grows. */
uint32_t isa_structure_port(const struct isa_ports *ports,
                            const struct isa_structure *structure);

/* Whether ports record which elements instructions have asked for (`wanted`). */
static inline bool isa_ports_count(const struct isa_ports *ports)
{
    return ports && ports->counts_wanted;
}

/* Whether an instruction waits at an open port, or the result or an output port holds an open
 * array. If so, and nothing moves, the execution waits for its host. */
bool isa_ports_wait_for_host(const struct isa_exec *exec);

/* Whether an execution waits for its host because of this port. */
bool isa_port_is_waiting(const struct isa_exec *exec, uint32_t port);

/* Whether element `index` of an output port is completely written. Sets values[k] to part k;
 * references among the parts belong to the execution. */
bool isa_port_get(const struct isa_exec *exec, uint32_t port, uint64_t index,
                  isa_value *values);

/* Returns how many consecutive elements of an output port are written, from element `from` on. */
uint64_t isa_port_written(const struct isa_exec *exec, uint32_t port, uint64_t from);

/* Whether an output port has at most `count` elements, and will not get more. */
bool isa_port_has_ended(const struct isa_exec *exec, uint32_t port, uint64_t count);

enum isa_port_fault {
    ISA_PORT_WHOLE,
    ISA_PORT_UNWRITTEN, /* an element was never written */
    ISA_PORT_UNEVEN,    /* the arrays of a port differ in length */
};

/* Returns the first fault of the output ports of an execution in which no token can move. Sets
 * *part to the result of function 0 that is at fault, and *element to the element's address. */
enum isa_port_fault isa_ports_out_fault(const struct isa_exec *exec, uint32_t *part,
                                        isa_value *element);

/* Adds to held[s] the references to structure s that the host, PORTs and waiting instructions
 * hold. */
void isa_ports_count_references(const struct isa_exec *exec, uint64_t *held);

void isa_ports_pack(struct lib_pack *pack, struct isa_exec *exec);

#endif
