/* Shared declarations of the second simulator. It is simple, not fast: lists are arrays that are
 * searched from the front. */
#ifndef TESTS_ORACLE_STATE_H
#define TESTS_ORACLE_STATE_H

#include "lib/memory.h"
#include "tests/oracle/oracle.h"

#define NONE UINT32_MAX

/* An action in the chain of causes (causes.c), and its time. */
struct stamp {
    uint64_t place, time;
};

#define NOWHERE UINT64_MAX

/* An instruction of the executable graph. */
struct instr {
    uint32_t number;
    const struct isa_node *node;
    uint64_t key;    /* identifies the instruction in digests */
    unsigned tokens; /* number of operands that are tokens */
    unsigned held;   /* number of the operand that is a loop constant, or NONE */
};

/* Value of a token. A reference names its array; `word` is its value in digests. */
struct value {
    uint64_t word;
    struct array *array; /* array that a reference names; else NULL */
    uint64_t index;      /* index of the element that an address names */
};

struct token {
    const struct instr *instr;
    unsigned port;
    struct activation *tag;
    struct value value;
    uint64_t depth;
    unsigned from, to; /* PE that made the token, PE that it goes to */
    uint32_t sequence; /* number of a message between nodes */
    uint64_t bits;     /* bits that the token takes in the network */
    uint64_t bytes;    /* bytes of the token's tensor, which `bits` include */
    /* Networks of routers: link at whose end the token waits or arrives, and its class and channel
     * there; intermediate router of Valiant's routing; time of arrival at the injection. */
    unsigned link, cls, channel, via;
    uint64_t born;
    uint64_t came; /* time of arrival at the current link, port or buffer */
    bool dead;
    bool start; /* not a token: start of an instruction without operands */
    /* A FETCH or STORE on its way to the array element, or a kernel that was parked for a
     * tensor. */
    bool request;
    /* asks: an APPLY on its way to the coordinator, or waiting there; chosen: it has got a node. */
    bool asks, chosen;
    /* Kind of a message that is not an operand: a request for a tensor, the requested tensor, or
     * the release of a tag by a machine that has nothing left of it. */
    enum { NO_MESSAGE, ASKS, BRINGS, RELEASES } message;
    bool again;            /* NEXT that a bound blocked, and that continues now */
    bool stalled;          /* NEXT that remains blocked after it was examined */
    bool served;           /* call that a tag manager has served */
    bool starting;         /* kernel that a tensor unit starts */
    bool numbered;         /* call that waited for an identifier, and has one now */
    uint64_t later;        /* extra cycles until the results of the token are formed */
    unsigned at;           /* PE at which an APPLY waits for a copy */
    bool issued;           /* token that has left the issue queue */
    uint64_t queued;       /* cycle in which it came there */
    bool met;              /* its partner was there */
    bool roomed;           /* kernel that waited for memory, and has room now */
    uint64_t stood;        /* time when the `roomed` kernel began to wait */
    uint64_t place, since; /* action that sent the token; time of its arrival */
    unsigned way;
    /* lacked: queue `lack` had no room for the token, last in cycle `lacked_at`. */
    bool lacked, lack_is_port;
    unsigned lack;
    uint64_t lacked_at;
};

/* Counts of a link or port (doc/metrics.md, "Network"). */
struct used {
    uint64_t tokens, busy, waits;
};

struct tokens {
    struct token *items;
    size_t count, capacity;
};

/* An operand that waits for its partner. */
struct waiting {
    struct token token;
    uint64_t set; /* set of the hash table; NONE: slower store */
    unsigned pe;  /* PE whose store holds the operand */
    bool away;    /* the partner operand went to the PE of an array element */
};

/* Activation made for a call or loop, for which its other operands will look. */
struct child {
    uint32_t site;
    struct activation *activation; /* NULL: the APPLY has only got dead tokens */
    /* Number of operands that will look for the activation, or of arguments that an APPLY waits
     * for. */
    uint32_t to_come;
    uint32_t dead; /* number of dead arguments */
    /* Of the arguments that came last, the one with the lowest number. */
    struct stamp met;
    unsigned met_port;
};

struct constant {
    bool here;
    struct value value;
    uint64_t depth;
};

/* A loop in the activation that contains it. */
struct loop {
    uint32_t site;
    bool begun;
    uint64_t alive; /* number of live iterations */
    uint32_t held, come;
    struct constant *constants;
    struct tokens *parked; /* for each constant: tokens that wait for it */
    struct stamp why;      /* last action that began or freed an iteration */
};

struct activation {
    struct activation *next, **link; /* list of all live activations */
    struct activation *parent;
    uint32_t site, function;
    bool is_iteration;
    uint64_t iteration, depth, path;
    uint64_t id; /* rank among all activations ever made */
    uint64_t live;
    uint64_t nexts; /* number of NEXTs under this tag that wait for a bound */
    unsigned place; /* PE of the activation; NONE: not chosen yet */
    bool is_copy;
    LIB_VEC(struct waiting) waiting;
    LIB_VEC(struct child) children;
    LIB_VEC(struct loop) loops;
    uint32_t variables_to_come; /* variables that an iteration still waits for */
    struct stamp why;           /* last action on the activation */
    uint32_t *shares; /* for each machine: what keeps the activation there; or NULL */
};

/* A read that waits for a cell or element, and the PE where it fired. */
struct deferred {
    const struct instr *instr;
    struct activation *tag;
    uint64_t depth;
    unsigned pe;
    struct value address; /* address that a FETCH reads; it holds a reference */
};

/* An INDEX, MORE or LENGTH that waits for a port. */
struct asker {
    struct deferred d; /* the instruction and tag, with the array as address */
    uint64_t index;    /* index of the element needed; unused for a LENGTH */
    uint32_t port;
    uint64_t place; /* action that fired the instruction */
};

/* An input port of the program. */
struct port {
    uint64_t fed, asked; /* elements fed; 1 + max index that was waited for */
    bool closed;
};

struct element {
    bool written;
    struct value value;
    uint64_t depth; /* depth of the firing that wrote */
    LIB_VEC(struct deferred) reads;
    LIB_VEC(uint64_t) contributions; /* of an accumulating array, until the total */
};

/* A copy of a tensor in another memory, present or requested. */
struct copy {
    unsigned memory;
    bool here;
    struct tokens parked;
};

/* State of a tensor ("Memory"). Stamps number all steps, from 1. */
struct swapped {
    uint64_t waiting; /* number of references to the tensor that wait in slots */
    uint64_t since;   /* stamp of the time when a reference last began to wait */
    enum { IN_MEMORY, MOVES_OUT, IS_OUT, MOVES_BACK } where;
    uint64_t moved, asked; /* stamps of the last move and request; 0: never */
    bool ahead;            /* the tensor was fetched in advance and is not used yet */
    uint64_t end;          /* cycle in which the current move ends */
};

/* A memory for tensors: cycles in which its channels are free, and whether it fetches in
 * advance. */
struct memory {
    uint64_t out_free, back_free;
    bool fetches;
};

/* Write with the latest time; of several the first. */
struct written {
    uint64_t time, number; /* rank among all writes, from 1; 0: none */
    uint64_t place;        /* action (in the chain of causes) that wrote */
};

struct array {
    struct swapped swapped;
    struct written written; /* last write of an element */
    LIB_VEC(struct copy) copies;
    struct array *next, **link; /* list of all live arrays */
    uint64_t references, length, name;
    unsigned pe;             /* PE where the ALLOC fired */
    uint32_t port;           /* 1 + number of the port, for an open array; else 0 */
    bool is_data;            /* the elements are fields, all where the data is */
    enum isa_op accumulates; /* instruction that made an accumulating array; else NONE */
    uint64_t open;           /* its elements without a total */
    bool is_real;
    struct element *elements;
    struct isa_tensor *tensor; /* the tensor, if this is one; NULL: an array */
};

/* Lists of tokens for later cycles; CREDIT: of credits of routers. */
enum list { LATE, FORMED, DEPARTING, ARRIVING, CREDIT };

struct event {
    uint64_t cycle, order;
    enum list list;
    struct token token;
};

/* Bank of an overflow store: accesses that began in its last cycle. */
struct bank_of_store {
    uint64_t cycle, begun;
};

struct pe {
    struct tokens input, output, port;
    /* Numbers of tokens on their way to `input`, `output` and `port`. */
    uint64_t coming, leaving, arriving;
    uint64_t promised_input, promised_output;
    uint64_t output_free, input_free; /* times when the output and input port are free */
    struct token leaving_port; /* token whose last bits have not arrived in `input` */
    /* Cycle in which the last bits of `leaving_port` arrive; 0: no such token. */
    uint64_t leaves;
    struct used output_used, input_used;
    uint64_t *sets, overflow;       /* number of operands in sets, and in slower store */
    uint64_t slots;                 /* slots used by frames */
    uint64_t nodes;                 /* graph nodes of copies at this PE */
    struct tokens unit;             /* tokens that wait for the tag manager */
    struct tokens nexts;            /* NEXTs that wait for a bound */
    uint64_t *units;                /* times when function units are free, if in ticks */
    struct tokens issue;            /* issue queue */
    uint64_t *free[ISA_UNIT_COUNT]; /* times when counted units are free */
    struct bank_of_store *banks;    /* of the overflow store */
    struct oracle_pe_stats stats;
};

/* A firing, done or planned. */
struct firing {
    const struct instr *instr;
    struct activation *tag;
    unsigned pe;
    uint64_t delay; /* cycles until its results are formed */
    uint64_t depth;
    bool late;       /* its results come after other tokens of their cycle */
    uint64_t waited; /* part of `delay`: cycles that it waited for a bank */
};

/* A firing by a worker of an executor. */
struct fired {
    const struct instr *instr; /* NULL: nothing fired */
    /* Skipped: the instruction passed on a dead token under the caller's tag. */
    bool dead, skipped;
    bool has_frame;       /* the tag has a frame */
    uint32_t site, taken; /* call or loop of the tag; output list that a SWITCH takes */
};

struct oracle {
    const struct isa_graph *graph;
    const isa_value *inputs;
    const struct isa_tensor **constants; /* by index, with those of inputs */
    const struct oracle_settings *s;
    const struct oracle_settings *of_pes; /* for each PE its own; NULL: all have `s` */
    uint64_t *holders_before; /* see oracle_holders_before; NULL: all PEs hold elements */
    uint64_t seed;
    struct instr *instrs;
    uint32_t instr_count; /* exceeds the nodes: an APPLY is several instructions */
    uint64_t longest;     /* max destinations of an instruction */
    uint64_t now;
    struct pe *pes;
    struct routers *routers; /* NULL: a network without routers */
    /* State of nodes.c; NULL: neither faults nor counting of messages. */
    struct nodes *nodes_state;
    LIB_VEC(struct event) events; /* heap of events, by cycle */
    uint64_t event_count;
    struct activation *root, *activations;
    struct array *arrays;
    struct element *cells;
    struct constant *results;
    const struct oracle_host *host; /* the host that feeds ports, or NULL */
    size_t given;                   /* number of feeds that the host has given */
    struct port *ports;
    struct array **port_arrays;   /* arrays of input ports, for each part, or NULL */
    LIB_VEC(struct asker) askers; /* instructions that wait at ports, in order */
    uint64_t fed_at;              /* cycle of the last feed or closing; NOWHERE: none */
    /* Last write of the result; where this turn's write is recorded, or NULL. */
    struct written output, *wrote;
    uint64_t writes;
    struct tokens taken;           /* tokens that all PEs issue in this cycle */
    struct tokens waiting_calls;   /* calls that wait for identifiers, in order */
    struct tokens waiting_applies; /* APPLYs that wait for a worker or for room */
    struct tokens waiting_kernels; /* kernels that wait for memory */
    size_t served;                 /* 1 + index of the kernel that is served; 0: none */
    struct memory *memories;
    uint64_t stamps;
    uint64_t *numbers; /* for each function: identifiers in use */
    /* For each function: frames ever made; bytes of all frames. */
    uint64_t *frames, frame_bytes;
    LIB_VEC(uint64_t) workers; /* times when busy workers are free */
    struct tokens departing;   /* tokens that depart in this cycle */
    struct tokens asking;      /* APPLYs that wait for the coordinator */
    struct token asked;        /* APPLY that the coordinator serves */
    bool coordinator_busy;
    uint64_t coordinator_until, choices;
    uint64_t *coming; /* for each node: graph nodes of copies not made yet */
    uint64_t live_tokens, waiting, alive, structures, elements, nodes, deferred;
    uint64_t accumulators; /* bytes of all accumulators */
    uint64_t waiting_cycles, one_operand;
    /* Counts for the energy of a run. */
    uint64_t unit_firings[ISA_UNIT_COUNT], matches, accesses;
    /* Executor: list for tokens that a firing sends; number of the worker that fires. */
    struct tokens *sending;
    unsigned sender;
    struct fired fired;
    uint64_t frames_made, frames_freed, made;
    uint64_t kernel_time; /* executor: time of the kernel that fires */
    /* Executor: the firing is an access to an array of another machine; its request. */
    bool requested;
    uint64_t requested_bits, requested_bytes;
    struct batches *batches; /* state of batches.c; NULL: tensor units are pipelined */
    /* The firing is a batch; it takes batch_time besides its start. */
    bool batch_fires;
    uint64_t batch_time;
    struct isa_tensor_memory tensors;
    uint64_t copied; /* bytes of copied tensors */
    bool moved, held_back;
    bool trapped;
    bool no_frame; /* this turn had no room for a frame */
    bool ended;
    struct oracle_outcome *outcome;
    struct why *why;
    struct tokens left; /* releases that this turn causes */
    /* Reads that this turn answers, consumed after its operands. */
    LIB_VEC(struct deferred) answered;
    unsigned lack; /* number of a queue without room */
    bool lack_is_port;
};

/* "Classes of PEs": the settings of a PE. */
static inline const struct oracle_settings *oracle_at(const struct oracle *o, unsigned pe)
{
    return o->of_pes ? &o->of_pes[pe] : o->s;
}

/* The stages of a PE. */
static inline uint64_t oracle_stages(const struct oracle *o, unsigned pe)
{
    const struct oracle_settings *s = oracle_at(o, pe);
    return s->match_latency + s->fetch_latency + s->form_latency;
}

/* Whether this run has the planted mistake NAME. */
#define oracle_wrong(o, NAME) oracle_is_wrong((o)->s, NAME)
#define oracle_is_wrong(s, NAME) ((s)->mistake == ORACLE_MISTAKE_##NAME)

/* --- causes.c --- */
void oracle_why_start(struct oracle *o);
uint64_t oracle_why_fired(const struct oracle *o);
void oracle_why_end(struct oracle *o);
void oracle_why_lacks(struct oracle *o, struct token *t);
void oracle_why_sent(struct oracle *o, struct token *t, bool is_request);
void oracle_why_woken(struct oracle *o, struct token *t);
void oracle_why_tells(struct oracle *o, struct token *t);
void oracle_why_fetches(struct oracle *o, struct token *t, uint64_t formed);
uint64_t oracle_why_firing(struct oracle *o);
void oracle_why_hosted(struct oracle *o, const struct asker *a, uint64_t formed);
void oracle_why_answers(struct oracle *o, struct activation *tag);
void oracle_why_came(struct oracle *o, struct token *t);
/* Exchanges where two tokens come from. */
void oracle_why_swap(struct token *a, struct token *b);
void oracle_why_released(struct oracle *o, struct token *t);
void oracle_why_port(struct oracle *o, struct token *t, unsigned link, uint64_t free);
void oracle_why_turn(struct oracle *o, struct token *t, unsigned pe);
void oracle_why_worker(struct oracle *o, struct token *t, unsigned w);
void oracle_why_issued(struct oracle *o, struct token *t, unsigned pe,
                       const uint64_t *unit, uint64_t number);
void oracle_why_step(struct oracle *o, struct token *t);
void oracle_why_next(struct oracle *o, struct token *t, unsigned pe, bool forced);
void oracle_why_served(struct oracle *o, struct token *t, unsigned unit);
void oracle_why_numbered(struct oracle *o, struct token *t);
void oracle_why_apply(struct oracle *o, struct token *t);
void oracle_why_roomed(struct oracle *o, struct token *t);
void oracle_why_asks(struct oracle *o);
void oracle_why_coordinated(struct oracle *o, struct token *t);
void oracle_why_copied(struct oracle *o, unsigned pe, uint64_t takes);
void oracle_why_touch(struct oracle *o, struct activation *tag);
void oracle_why_freed(struct oracle *o, struct activation *a);
void oracle_why_begun(struct oracle *o, struct loop *loop);
struct stamp oracle_why_stamp(struct oracle *o, const struct token *t);
void oracle_why_meets(struct oracle *o, const struct token *t, struct stamp other,
                      unsigned port);
void oracle_why_slower(struct oracle *o, uint64_t cycles);
void oracle_why_spills(struct oracle *o);
void oracle_why_fires(struct oracle *o, const struct instr *instr, unsigned pe,
                      uint64_t formed);
void oracle_why_ends(struct oracle *o, unsigned pe, uint64_t end);
void oracle_why_lock(struct oracle *o, unsigned w, unsigned machine, uint64_t from,
                     uint64_t until, bool fires);

void oracle_why_batch(struct oracle *o, unsigned bank, unsigned unit, uint64_t free);
void oracle_why_started(struct oracle *o, struct token *t);

/* --- program.c: instructions --- */
void oracle_program_make(struct oracle *o);
uint64_t oracle_kind(const struct oracle *o, const struct instr *instr);
const struct isa_function *oracle_loop_of(const struct oracle *o, uint32_t site);
const struct isa_function *oracle_callee(const struct oracle *o, uint32_t site);
const struct instr *oracle_find(const struct oracle *o, enum isa_op op, uint32_t site,
                                uint32_t index);
const struct instr *oracle_find_param(const struct oracle *o, uint32_t function,
                                      uint32_t index);
uint64_t oracle_copy_nodes(const struct oracle *o, uint32_t function);
uint64_t oracle_slots(const struct oracle *o, uint32_t function);
uint64_t oracle_slots_on(const struct oracle *o, uint32_t function, uint32_t site,
                         uint32_t machine);
unsigned oracle_log2(uint64_t n); /* rounds up */

/* --- values.c: arithmetic, digests --- */
bool oracle_evaluate(enum isa_op op, uint64_t a, uint64_t b, bool reference,
                     uint64_t *result);
uint64_t oracle_hash(const struct instr *instr, const struct activation *tag,
                     uint64_t word);
uint64_t oracle_path_root(void);
uint64_t oracle_path(uint64_t parent, uint32_t site);
uint64_t oracle_path_iteration(uint64_t path, uint64_t iteration);
uint64_t oracle_key(uint32_t number);
uint64_t oracle_set_of(const struct instr *instr, const struct activation *tag,
                       uint64_t sets);
uint64_t oracle_reference_word(uint64_t name, uint64_t index);

/* --- tags.c: activations --- */
struct activation *oracle_activation_new(struct oracle *o, struct activation *parent,
                                         uint32_t site, bool is_iteration,
                                         uint64_t iteration);
struct child *oracle_child(struct activation *a, uint32_t site);
void oracle_child_remove(struct activation *a, uint32_t site);
void oracle_activations_free(struct oracle *o);
bool oracle_has_frame(const struct oracle *o, const struct activation *a);
void oracle_release(struct oracle *o, struct activation *a, uint32_t machine);

/* --- machines.c: "Machines" --- */
uint32_t oracle_home_of_site(const struct oracle *o, uint32_t site);
void oracle_share(struct oracle *o, struct activation *a, uint32_t machine, int more);
unsigned oracle_pe_on(const struct oracle *o, const struct instr *instr, unsigned place);
const struct instr *oracle_receive(const struct oracle *o, const struct instr *send);
void oracle_send_parts(struct oracle *o, const struct firing *f, unsigned list,
                       struct activation *tag, struct value value, bool dead);
uint64_t oracle_list_length(const struct oracle *o, const struct isa_node *node,
                            uint32_t list);
bool oracle_carries(const struct instr *instr);
void oracle_carry(struct oracle *o, struct firing *f, const struct token *t);
uint32_t oracle_followers(const struct oracle *o, uint32_t site);
void oracle_track(struct oracle *o, struct firing *f, bool dead, bool decision,
                  unsigned taken);
void oracle_consume_answered(struct oracle *o);
void oracle_send_releases(struct oracle *o);

/* --- loops.c: constants and bounds --- */
struct loop *oracle_loop(struct oracle *o, struct activation *where, uint32_t site);
void oracle_loop_check(struct oracle *o, struct activation *where, struct loop *loop);
const struct constant *oracle_constant(struct oracle *o, const struct instr *instr,
                                       const struct activation *tag);
void oracle_park(struct oracle *o, const struct token *t);
bool oracle_hold(struct oracle *o, const struct firing *f, struct value v);
bool oracle_next_waits(struct oracle *o, unsigned pe, const struct token *t);
void oracle_nexts_go_on(struct oracle *o);
bool oracle_next_would_wait(struct oracle *o, const struct token *t);
bool oracle_next_can_go_on(struct oracle *o, const struct token *t);
void oracle_next_stalls(struct oracle *o, struct token *t);
bool oracle_next_is_held(struct oracle *o, bool any);
void oracle_next_forced(struct oracle *o);

/* --- place.c --- */
unsigned oracle_place_by_policy(const struct oracle *o, uint32_t function, uint64_t path);
unsigned oracle_place_in_node(const struct oracle *o, unsigned node, uint32_t function,
                              uint64_t path);
unsigned oracle_place_near(const struct oracle *o, uint32_t function, unsigned pe);
unsigned oracle_place_wanted(const struct oracle *o, const struct activation *a);
unsigned oracle_would_be_at(const struct oracle *o, uint32_t function, uint32_t site,
                            unsigned pe);
void oracle_leave_frame(struct oracle *o, const struct activation *a);
void oracle_place(struct oracle *o, struct activation *a);
void oracle_place_at(struct oracle *o, struct activation *a, unsigned pe);

/* --- memory.c --- */
uint64_t oracle_frame_bytes(const struct oracle *o, uint32_t function);
uint64_t oracle_array_bytes(uint64_t arrays, uint64_t elements);
uint64_t oracle_state_bytes(const struct oracle *o);
/* Whether another frame or array fits in limits.memory. If not, ends the run. */
bool oracle_frame_fits(struct oracle *o, uint32_t function);
bool oracle_array_fits(struct oracle *o, uint64_t length);
bool oracle_accumulators_fit(struct oracle *o, const struct isa_node *maker,
                             uint64_t length);
void oracle_tokens_fit(struct oracle *o);

/* --- match.c: operands that wait --- */
struct waiting *oracle_partner(struct activation *tag, const struct instr *instr);
const struct oracle_settings *oracle_store_of(const struct oracle *o, unsigned pe);
void oracle_wait(struct oracle *o, const struct token *t, struct activation *where,
                 unsigned pe);
uint64_t oracle_unwait(struct oracle *o, struct activation *where,
                       const struct waiting *w, uint64_t *waited);

/* --- units.c: "Units that are counted" --- */
void oracle_issue_make(struct oracle *o, unsigned pe);
bool oracle_issues_wait(const struct oracle *o);
bool oracle_makes_later(const struct oracle *o, unsigned pe, const struct token *t);
void oracle_issue_free(struct pe *p);
bool oracle_queues_for_unit(struct oracle *o, unsigned pe, const struct token *t,
                            struct waiting *partner);
uint64_t oracle_turns_of(const struct oracle *o, unsigned pe, bool *none);
void oracle_units_issue(struct oracle *o);
void oracle_next_issue(const struct oracle *o, uint64_t *cycle);
uint64_t oracle_overflow_access(struct oracle *o, unsigned pe, const struct instr *instr,
                                const struct activation *tag, bool puts);

/* --- network.c: tokens on their way --- */
void oracle_put_event(struct oracle *o, enum list list, uint64_t cycle,
                      const struct token *t);
void oracle_put(struct tokens *list, const struct token *t);
void oracle_stand(struct oracle *o, struct tokens *list, const struct token *t);
void oracle_use(const struct oracle *o, struct used *used, const struct token *t,
                uint64_t occupied);
void oracle_add_links(struct oracle *o);
uint64_t oracle_bits(const struct oracle *o, const struct token *t);
struct token oracle_take(struct tokens *list, size_t at);
void oracle_send(struct oracle *o, const struct firing *f, const struct instr *to,
                 unsigned port, struct activation *tag, struct value value, bool dead);
void oracle_send_list(struct oracle *o, const struct firing *f, unsigned list,
                      struct activation *tag, struct value value, bool dead);
uint64_t oracle_bytes(const struct oracle *o, const struct token *t);
void oracle_route(struct oracle *o, struct token *t, uint64_t formed, bool late);
void oracle_form(struct oracle *o, struct token *t, uint64_t formed);
void oracle_unload(struct oracle *o);
void oracle_output_ports(struct oracle *o);
void oracle_input_ports(struct oracle *o);
void oracle_next_event(const struct oracle *o, uint64_t *cycle);
void oracle_next_port(struct oracle *o, uint64_t *cycle);

/* --- routers.c: networks of routers --- */
void oracle_routers_make(struct oracle *o);
void oracle_routers_free(struct oracle *o);
bool oracle_routers_ejects(const struct oracle *o, unsigned link);
unsigned oracle_routers_links(const struct oracle *o);
uint64_t oracle_routers_router(const struct oracle *o, unsigned link);
uint64_t oracle_routers_lone(struct oracle *o, unsigned from, unsigned to, uint64_t bits);
/* Returns the number of ticks of a cycle; 1 if time is in cycles. */
uint64_t oracle_cycle(const struct oracle *o);

void oracle_routers_depart(struct oracle *o, struct token t);
void oracle_routers_arrive(struct oracle *o, const struct token *t);
void oracle_routers_credit(struct oracle *o, const struct token *t, uint64_t cycle);
void oracle_routers_pass(struct oracle *o);
typedef void oracle_add_link(struct oracle *o, const struct used *used,
                             const struct tokens *before, uint64_t *most);
uint64_t oracle_routers_add(struct oracle *o, oracle_add_link *add_up, uint64_t *most);
bool oracle_routers_have_tokens(const struct oracle *o);
bool oracle_routers_have_bandwidth(const struct oracle *o);
void oracle_routers_next(struct oracle *o, uint64_t *cycle);

/* --- nodes.c: faults, and counted termination --- */
void oracle_nodes_make(struct oracle *o);
void oracle_nodes_free(struct oracle *o);
void oracle_nodes_send(struct oracle *o, struct token *t);
void oracle_nodes_come(struct oracle *o, struct token *t);
void oracle_nodes_release(struct oracle *o);
bool oracle_nodes_stopped(const struct oracle *o, unsigned pe);
bool oracle_nodes_was_stopped(const struct oracle *o, unsigned pe, uint64_t since);
void oracle_nodes_next(const struct oracle *o, uint64_t *cycle);
bool oracle_nodes_insist(struct oracle *o);
bool oracle_nodes_beside(struct oracle *o, bool goes_on, uint64_t *next);
void oracle_nodes_probe(struct oracle *o);
void oracle_nodes_wake(struct oracle *o, unsigned by, unsigned pe);
bool oracle_nodes_lost(const struct oracle *o);
bool oracle_nodes_count(const struct oracle *o);

/* --- arrays.c: cells, elements, references --- */
void oracle_refer(struct value v);
void oracle_unrefer(struct oracle *o, struct value v);
struct value oracle_alloc(struct oracle *o, const struct firing *f, uint64_t length);
bool oracle_allocates(enum isa_op op);
uint64_t oracle_accumulator_bytes(enum isa_op op, enum isa_type type, uint64_t length);
uint64_t oracle_accumulators(const struct array *a);
void oracle_accumulate(struct oracle *o, struct array *a, const struct isa_node *maker);
bool oracle_contribute(struct value address, uint64_t word);
bool oracle_total(struct oracle *o, struct value address, uint64_t *total);
struct value oracle_construct(struct oracle *o, const struct firing *f);
struct value oracle_literal(const struct oracle *o, const struct isa_node *node,
                            unsigned port);
bool oracle_accesses(const struct isa_node *node);
bool oracle_stores(const struct isa_node *node);
struct element *oracle_accessed(const struct oracle *o, const struct isa_node *node,
                                struct value address);

/* --- ports.c: "Ports" --- */
void oracle_ports_make(struct oracle *o);
void oracle_ports_free(struct oracle *o);
struct value oracle_port_value(const struct oracle *o, uint32_t number);
uint64_t oracle_port_length(const struct oracle *o, uint32_t number);
struct value oracle_follow_port(struct oracle *o, const struct firing *f,
                                uint32_t number);
void oracle_port_ask(struct oracle *o, struct value array, uint64_t index);
void oracle_port_wait(struct oracle *o, const struct firing *f, struct value array,
                      uint64_t index);
uint64_t oracle_next_feed(const struct oracle *o);
void oracle_take_feeds(struct oracle *o, bool waits);
bool oracle_waits_for_host(const struct oracle *o);
bool oracle_host_goes_on(struct oracle *o, uint64_t *next, bool *waits);
void oracle_write_taken(const struct oracle *o, struct lib_text *out);
uint32_t oracle_result_parts(const struct oracle *o);

/* --- tensors.c: "Tensors" --- */
bool oracle_is_on_tensors(enum isa_op op);

/* Whether live firings occupy a tensor unit: not LOAD, DIM and ROW. */
bool oracle_takes_unit(const struct oracle *o, enum isa_op op);

/* Sets *length to the length of the row that a ROW takes of tensor `a`; returns false, with 0, if
 * the ROW fails. */
bool oracle_row_length(const struct isa_node *node, struct value a, struct value b,
                       uint64_t *length);

/* Returns the extra cycles of an instruction with operands `a` and `b`. */
uint64_t oracle_kernel_time(struct oracle *o, const struct isa_node *node, struct value a,
                            struct value b);

/* Operations and bytes of a tensor instruction. */
struct oracle_cost {
    uint64_t flops, bytes;
};
struct oracle_cost oracle_kernel_cost(const struct isa_node *node, struct value a,
                                      struct value b);
uint64_t oracle_cycles_of_cost(const struct oracle *o, struct oracle_cost cost);
uint64_t oracle_cycles_of_bytes(const struct oracle *o, uint64_t bytes);
bool oracle_is_of_two(const struct isa_node *node);

/* --- batches.c: "Tensor units and batches" --- */
bool oracle_has_batches(const struct oracle *o);
void oracle_batches_make(struct oracle *o);
void oracle_batches_free(struct oracle *o);
bool oracle_kernel_gathers(struct oracle *o, unsigned pe, const struct token *t,
                           struct waiting *partner);
void oracle_batches_start(struct oracle *o);
void oracle_next_batch(const struct oracle *o, uint64_t *cycle);
bool oracle_batches_insist(struct oracle *o);
uint64_t oracle_batches_make_in(const struct oracle *o, unsigned memory);
bool oracle_batches_before(const struct oracle *o, unsigned node);

/* Whether a kernel with its operands must wait for a tensor. oracle_kernel_waits then parks it and
 * requests the tensor. */
bool oracle_kernel_would_wait(struct oracle *o, const struct token *t,
                              const struct token *partner);
bool oracle_kernel_waits(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner);
void oracle_message(struct oracle *o, struct token *t);
void oracle_forget_copies(struct oracle *o, struct array *a);

/* Return an operand of a kernel; how many tensors the kernel reads; the bytes of its result. */
struct array *oracle_operand(struct oracle *o, const struct token *t,
                             const struct token *partner, unsigned port);
unsigned oracle_read_count(const struct isa_node *node);
uint64_t oracle_made_bytes(struct oracle *o, const struct isa_node *node, struct value a,
                           struct value b);
unsigned oracle_memory_of(const struct oracle *o, unsigned pe);

/* --- swap.c: "Memory" --- */
bool oracle_has_memories(const struct oracle *o);
void oracle_memory_wait(struct oracle *o, const struct token *t);
void oracle_memory_leave(struct oracle *o, const struct token *t);
bool oracle_memory_waits(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner);
void oracle_memory_moves(struct oracle *o);
void oracle_kernels_go_on(struct oracle *o);
bool oracle_kernel_could_go_on(struct oracle *o);
void oracle_next_move(struct oracle *o, uint64_t *cycle);
bool oracle_memory_insists(struct oracle *o);
/* Whether memories have no room for what a feed adds. */
bool oracle_memory_refuses(const struct oracle *o, const struct oracle_feed *feed);
/* Called when an array has new elements or is a tensor; updates peak_resident. */
void oracle_note_room(struct oracle *o, const struct array *a, bool end);

/* Fires an instruction on tensors. Returns false if shapes do not fit. */
bool oracle_fire_tensor(struct oracle *o, const struct firing *f, struct value a,
                        struct value b);
void oracle_arrays_free(struct oracle *o);
/* Records the write of an OUTPUT or STORE, formed at `time`. */
void oracle_wrote(struct oracle *o, uint64_t time);
/* Returns the last write of the result. */
struct written oracle_result_end(const struct oracle *o);
bool oracle_holds_elements(const struct oracle *o, unsigned pe);
void oracle_holders_count(struct oracle *o);
uint64_t oracle_holders_before(const struct oracle *o, unsigned pe);
unsigned oracle_element_pe(const struct oracle *o, struct value address);
void oracle_read(struct oracle *o, const struct firing *f, struct element *e,
                 struct value address);
bool oracle_write(struct oracle *o, const struct firing *f, struct element *e,
                  struct value v);
bool oracle_result_written(const struct oracle *o, struct value v);

/* --- fire.c: what instructions do --- */
void oracle_account(struct oracle *o, const struct firing *f, bool dead);
void oracle_account_value(struct oracle *o, const struct firing *f, struct value v);
void oracle_deliver(struct oracle *o, const struct token *t, unsigned pe);
void oracle_consume(struct oracle *o, const struct token *t);
void oracle_fire(struct oracle *o, struct firing *f,
                 const struct token *const operands[2]);
void oracle_fire_dead(struct oracle *o, struct firing *f, bool skipped);
struct value oracle_operand_of(struct oracle *o, const struct firing *f, unsigned port,
                               const struct token *const operands[2]);
void oracle_track_fire(struct oracle *o, struct firing *f,
                       const struct token *const operands[2], bool dead);
bool oracle_finds_room(struct oracle *o, const struct firing *f);
void oracle_follow(struct oracle *o, const struct firing *f, struct value v);
enum isa_op oracle_made_as(const struct instr *instr);
bool oracle_is_skipped(const struct token *t);
void oracle_trap(struct oracle *o);

/* --- turn.c: a turn --- */
struct firing oracle_firing(const struct oracle *o, const struct token *t, unsigned pe);
void oracle_turn(struct oracle *o, unsigned pe, struct token t);
void oracle_end_turn(struct oracle *o);
bool oracle_mergeif_fires(struct oracle *o, const struct token *t);

/* --- numbers.c: tag managers, CALLs that wait --- */
bool oracle_stands_with(const struct oracle *o, const struct token *t);
bool oracle_tag_waits(struct oracle *o, unsigned pe, struct token *t);
void oracle_units_serve(struct oracle *o);
void oracle_calls_go_on(struct oracle *o);
bool oracle_call_could_go_on(const struct oracle *o);

/* --- copies.c: APPLY --- */
void oracle_send_result(struct oracle *o, const struct firing *f, struct value v,
                        bool dead);
uint64_t oracle_result_list(const struct oracle *o, const struct token *t);
unsigned oracle_copy_place(const struct oracle *o, unsigned pe, const struct token *t);
bool oracle_has_worker(const struct oracle *o, uint64_t cycle);
bool oracle_apply_is_last(const struct token *t);
bool oracle_apply_is_dead(const struct token *t);
void oracle_apply(struct oracle *o, unsigned pe, struct token *t);
void oracle_applies_go_on(struct oracle *o);
bool oracle_apply_could_go_on(const struct oracle *o);
void oracle_next_worker(const struct oracle *o, uint64_t *cycle);

/* --- coordinator.c: "Copies on clusters" --- */
bool oracle_has_coordinator(const struct oracle *o);
unsigned oracle_coordinator_at(const struct oracle *o);
void oracle_ask(struct oracle *o, unsigned pe, const struct token *t);
bool oracle_asks_here(struct oracle *o, const struct token *t);
uint64_t oracle_asking_bits(const struct oracle *o, const struct token *t);
void oracle_coordinator(struct oracle *o);
void oracle_next_coordinator(const struct oracle *o, uint64_t *cycle);
void oracle_coordinator_made(struct oracle *o, const struct token *t, unsigned pe);
void oracle_count_remote(struct oracle *o, const struct activation *copy);

/* --- room.c --- */
bool oracle_room_for_turn(struct oracle *o, unsigned pe, const struct token *t);
bool oracle_room_to_go_on(struct oracle *o, const struct token *t);
bool oracle_room_in_port(const struct oracle *o, unsigned pe);
bool oracle_has_input_bounds(const struct oracle *o);
bool oracle_has_bounds(const struct oracle *o);
bool oracle_room_in_queue(const struct oracle *o, unsigned pe);

/* --- executor.c --- */
void oracle_executor_settings(struct oracle_settings *s, const struct isa_graph *graph);
/* Whether a token that a worker sends goes to another machine. */
bool oracle_executor_leaves(const struct oracle *o, const struct token *t);
void oracle_executor_requests(struct oracle *o, unsigned w, const struct token *t,
                              const struct token *address);
void oracle_execute(struct oracle *o);

/* --- result.c, run.c --- */
void oracle_measure(struct oracle *o);
void oracle_check_limits(struct oracle *o);
void oracle_end_quiet(struct oracle *o, uint64_t *next, bool *waits);
bool oracle_write_result(const struct oracle *o, struct lib_text *out);
void oracle_end(struct oracle *o, enum oracle_end end, const char *limit);

#endif
