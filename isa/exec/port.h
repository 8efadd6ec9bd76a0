/* Ports of an execution: arrays that its host writes element by element while it runs (input
 * ports), and results of which it takes elements as they are written (output ports). The graph
 * declares them (struct isa_port, isa/graph.h).
 *
 * An input port has an array per part of its elements. isa_ports_start makes these arrays before
 * anything fires. They are open: they grow with each feed, until the port is closed. The array
 * that an OPEN makes is open too: it grows with a port, and has as many elements as were fed,
 * none of them written. After the close all of them are arrays like any other.
 *
 * An INDEX, LENGTH or MORE of an open array may have to wait, at its port. A feed or a close
 * answers those that need not wait longer: the engine pulls them one by one, in the order in
 * which they came, with isa_ports_pull, and sends their values with isa_fire_answer_port
 * (isa/fire/fire_port.h).
 *
 * The host holds a reference to each array of an input port until it closes the port; the PORT
 * instruction holds another one until it fires; each instruction that waits holds one to its
 * array. An execution of a graph without ports has no struct isa_ports: exec->structures.ports
 * is NULL. */
#ifndef ISA_EXEC_PORT_H
#define ISA_EXEC_PORT_H

#include "isa/exec/structure.h"
#include "lib/key_map.h"
#include "lib/pack.h"

struct isa_exec;
struct isa_code;

/* INDEX, LENGTH or MORE that waits. It has fired, and holds its tag, but is not a token. */
struct isa_port_wait {
    uint64_t order;     /* place among all waits of the execution: 0, 1, ... */
    uint64_t depth;     /* depth of the firing and of its answer; a feed adds none */
    uint64_t index;     /* element that it needs; ISA_PORT_LENGTH for a LENGTH */
    uint32_t instr;     /* instruction of the code */
    uint32_t tag;       /* an isa_tag; ISA_TAG_NONE in a free entry */
    uint32_t structure; /* number of the array, to which it holds a reference */
    uint32_t next;      /* next entry of its list: waiting, released or free entries */
};

#define ISA_PORT_LENGTH UINT64_MAX
#define ISA_PORT_END UINT32_MAX
#define ISA_PORT_NONE UINT32_MAX

/* Array that grows with its port. */
struct isa_port_array {
    uint32_t structure;
    /* part of the elements that it holds; ISA_PORT_NONE: made by an OPEN */
    uint32_t part;
};

/* State of a port. An output port uses only `taken`. */
struct isa_port_state {
    uint64_t fed;     /* elements fed, including those that no array kept */
    uint64_t taken;   /* elements that the host has taken from an output port */
    uint64_t wanted;  /* 1 + max index that was asked for, if counted; 0: none */
    uint64_t waiting; /* instructions that wait */
    bool is_closed;
    /* open arrays: one per part, then those of OPENs */
    LIB_VEC(struct isa_port_array) arrays;
    /* Queues of waiting instructions. Key: 1 + index of the element they need, or
     * ISA_PORT_LENGTH. Value: first entry << 32 | last entry of the queue in `waits`. */
    struct lib_key_map queues;
};

struct isa_ports {
    const struct isa_graph *graph;
    uint32_t count, array_count; /* ports, and arrays of all input ports */
    /* Set by a machine with port.capacity: `wanted` is counted. Then an INDEX of an open array is
     * fast only for elements that were asked for before (isa_structure.reach). */
    bool counts_wanted;
    /* Per array of an input port: its structure until its PORT fires and takes over the
     * reference; then ISA_STRUCTURE_NONE. */
    uint32_t *pending;
    struct isa_port_state *all;
    LIB_VEC(struct isa_port_wait) waits; /* free entries included */
    uint32_t free;                       /* first free entry */
    /* first entry that can continue; ISA_PORT_END: none */
    uint32_t released;
    bool closes;      /* the released entries can continue because the port was closed */
    uint64_t waiting; /* instructions that wait and have not been pulled */
    uint64_t waited;  /* instructions that have ever waited: the statistic port_waits */
    uint64_t feeds;   /* elements fed to all ports: the statistic feeds */
};

/* One value of an element. A tensor comes from exec->structures.tensors and is sealed. A feed
 * that returns ISA_FEED_DONE takes it over. */
struct isa_port_value {
    isa_value value;
    struct isa_tensor *tensor; /* value of a part that is a tensor; else NULL */
};

enum isa_feed {
    ISA_FEED_DONE,
    ISA_FEED_NO_ROOM, /* the limit on memory would be exceeded: nothing has changed */
    ISA_FEED_CLOSED,  /* the port is closed: nothing has changed */
};

/* Makes the state of the ports of a graph. Returns NULL if the graph has no ports. */
struct isa_ports *isa_ports_new(const struct isa_code *code);
void isa_ports_free(struct isa_ports *ports); /* NULL is allowed */

/* Restores the state from before isa_ports_start. NULL is allowed. */
void isa_ports_reset(struct isa_ports *ports);

/* Makes the arrays of the input ports, with the hash and the PE number that an ALLOC in the
 * place of the PORT would give them. Called once per execution: after the root is placed, before
 * anything fires or is fed. Does nothing without ports. Returns false and sets
 * exec->out_of_memory at the limit on structures. */
bool isa_ports_start(struct isa_exec *exec);

/* Whether fed elements are added to an open array: always if an OPEN made it, else as long as
 * more than the host refers to it. */
bool isa_port_keeps(const struct isa_exec *exec, const struct isa_port_array *array);

/* Whether isa_ports_feed has room for an element. */
bool isa_ports_fit(const struct isa_exec *exec, uint32_t port,
                   const struct isa_port_value *values);

/* Feeds the next element, with a value per part, to an input port. The caller must then pull the
 * instructions that can continue (isa_ports_pull). */
enum isa_feed isa_ports_feed(struct isa_exec *exec, uint32_t port,
                             const struct isa_port_value *values);

/* Closes an input port; then the caller pulls the instructions that can continue. If an INDEX
 * waits, the earliest one traps: then none continues, exec->trap is set and false is returned.
 * Does nothing if the port is closed. */
bool isa_ports_close(struct isa_exec *exec, uint32_t port);

/* Takes the next instruction that can continue after the last feed or close, in the order in
 * which they began to wait. Sets *value to what it sends: an address, a length or a bool. Its
 * tag and its reference are held until isa_fire_answer_port. Returns false if none is left. */
bool isa_ports_pull(struct isa_exec *exec, struct isa_port_wait *wait, isa_value *value);

/* --- for instructions ------------------------------------------------------------ */

/* Returns array number `array` (the index of its PORT) with the reference that the PORT held. */
__attribute__((cold)) isa_value isa_ports_take_array(struct isa_exec *exec,
                                                     uint32_t array);

/* Returns how many elements were fed to the port of array number `array`. */
uint64_t isa_ports_fed(const struct isa_exec *exec, uint32_t array);

/* Makes an array that grows with the port of array number `array`; `made` as for
 * isa_structures_make. Returns ISA_STRUCTURE_NONE at the limit on structures. */
uint32_t isa_ports_open(struct isa_exec *exec, uint32_t array,
                        const struct isa_structure *made);

/* Notes that an INDEX or MORE asks for an element of an open array, if that is counted. */
void isa_ports_ask(struct isa_exec *exec, isa_value array, uint64_t index);

/* Adds an instruction that waits at an open array; `wait` has all but `order` and `next`. */
void isa_ports_wait(struct isa_exec *exec, const struct isa_port_wait *wait);

/* Removes an open array that is freed from the arrays of its port. */
void isa_ports_forget(struct isa_ports *ports, uint32_t port, uint32_t structure);

/* --- queries ------------------------------------------------------------------------ */

/* Returns the port with which an open array grows. */
uint32_t isa_structure_port(const struct isa_ports *ports,
                            const struct isa_structure *structure);

/* Whether ports note up to which element instructions have asked (`wanted`). */
static inline bool isa_ports_count(const struct isa_ports *ports)
{
    return ports && ports->counts_wanted;
}

/* Whether an instruction waits at an open port, or the result or an output port holds an open
 * array. Then an execution in which nothing moves waits for its host. */
bool isa_ports_wait_for_host(const struct isa_exec *exec);

/* Whether an execution waits for its host because of this port. */
bool isa_port_is_waiting(const struct isa_exec *exec, uint32_t port);

/* Whether all parts of element `index` of an output port are written. Sets values[k] to part k.
 * References among them belong to the execution. */
bool isa_port_get(const struct isa_exec *exec, uint32_t port, uint64_t index,
                  isa_value *values);

/* Returns how many elements of an output port, from number `from` on, are written one after the
 * other. */
uint64_t isa_port_written(const struct isa_exec *exec, uint32_t port, uint64_t from);

/* Whether an output port has at most `count` elements, and will not have more. */
bool isa_port_has_ended(const struct isa_exec *exec, uint32_t port, uint64_t count);

enum isa_port_fault {
    ISA_PORT_WHOLE,
    ISA_PORT_UNWRITTEN, /* an element is not written */
    ISA_PORT_UNEVEN,    /* a part is longer than another */
};

/* Returns the first fault of the output ports of an execution in which nothing moves. Sets *part to
 * its part of the results and *element to the address of its element. */
enum isa_port_fault isa_ports_out_fault(const struct isa_exec *exec, uint32_t *part,
                                        isa_value *element);

/* Counts the references that the host, PORTs and waiting instructions hold, for
 * isa_exec_count_references. */
void isa_ports_count_references(const struct isa_exec *exec, uint64_t *held);

void isa_ports_pack(struct lib_pack *pack, struct isa_exec *exec);

#endif
