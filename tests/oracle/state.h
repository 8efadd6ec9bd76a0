/* What the modules of the second simulator share. Nothing here is clever: lists are
 * arrays that are searched from the front, and what the page calls a list is one. */
#ifndef TESTS_ORACLE_STATE_H
#define TESTS_ORACLE_STATE_H

#include "lib/memory.h"
#include "tests/oracle/oracle.h"

#define NONE UINT32_MAX

/* A place of the chain (causes.c), and when it was. */
struct stamp {
    uint64_t place, time;
};

#define NOWHERE UINT64_MAX

/* An instruction of the image ("Tokens and kinds"). */
struct instr {
    uint32_t number;
    const struct isa_node *node;
    uint64_t key;    /* in digests */
    unsigned tokens; /* operands that are tokens */
    unsigned held;   /* the operand that is a constant of the loop, or NONE */
};

/* What a token carries. A reference names its array; its word is what digests have. */
struct value {
    uint64_t word;
    struct array *array; /* NULL: a plain value */
    uint64_t index;      /* of an address */
};

struct token {
    const struct instr *instr;
    unsigned port;
    struct activation *tag;
    struct value value;
    uint64_t depth;
    unsigned from, to; /* PEs: that made it, that it goes to */
    uint32_t sequence; /* its number, of a message for another node */
    uint64_t bits;     /* in the network, */
    uint64_t bytes;    /* and those of a tensor among them */
    /* in one of routers: the link that it is, or comes, behind; its class and channel there;
     * Valiant's router; when it came before its injection */
    unsigned link, cls, channel, via;
    uint64_t born;
    uint64_t came; /* before its link or port, or into its buffer */
    bool dead;
    bool start; /* no token, but an instruction without token operands */
    /* A FETCH or STORE on its way to its element; a kernel that was parked for a tensor. */
    bool request;
    /* An APPLY on its way to the coordinator, or before it; and with a node. */
    bool asks, chosen;
    /* A token without operand: for the tensor that is its value; or for a machine that has nothing
     * left of its tag. */
    enum { NO_MESSAGE, ASKS, BRINGS, RELEASES } message;
    /* of call tokens ("Numbers for tags") and NEXTs: */
    bool again;     /* a bound held it, and it goes on */
    bool stalled;   /* it was looked at, and did not go on */
    bool served;    /* by a tag unit */
    bool starting;  /* a kernel: a tensor unit starts it */
    bool numbered;  /* it waited for a number, and has one */
    uint64_t later; /* what it sends is formed */
    unsigned at;    /* the PE for which an APPLY waits */
    bool roomed;    /* a kernel that waited for memory, and goes on; */
    uint64_t stood; /* since when it waits */
    /* why it is where it is (causes.c): */
    uint64_t place, since; /* from where it comes; since when it is there */
    unsigned way;
    bool lacked, lack_is_port; /* room, in this queue, last in this cycle */
    unsigned lack;
    uint64_t lacked_at;
};

/* What "Network" in doc/metrics.md counts of a link or port. */
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
    uint64_t set; /* of a hash table: where it lies; NONE: in the slower store */
    unsigned pe;  /* in whose store */
    bool away;    /* its partner has gone to the element of an array */
};

/* An activation that others will look for, by the site that makes it. */
struct child {
    uint32_t site;
    struct activation *activation; /* NULL: only dead arguments of an APPLY have come */
    uint32_t to_come; /* of those that look for it, or arguments of an APPLY */
    uint32_t dead;    /* arguments that were */
    struct stamp met; /* the lowest argument of the cycle in which one came last */
    unsigned met_port;
};

struct constant {
    bool here;
    struct value value;
    uint64_t depth;
};

/* A loop, in the activation where it stands. */
struct loop {
    uint32_t site;
    bool begun;
    uint64_t alive; /* iterations */
    uint32_t held, come;
    struct constant *constants;
    struct tokens *parked; /* for each constant */
    struct stamp why;      /* an iteration was begun or freed last */
};

struct activation {
    struct activation *next, **link; /* all that are alive */
    struct activation *parent;
    uint32_t site, function;
    bool is_iteration;
    uint64_t iteration, depth, path;
    uint64_t id; /* of all that were ever made */
    uint64_t live;
    uint64_t nexts; /* NEXTs under its tag that wait for a bound */
    unsigned place; /* NONE: not placed yet */
    bool is_copy;
    LIB_VEC(struct waiting) waiting;
    LIB_VEC(struct child) children;
    LIB_VEC(struct loop) loops;
    uint32_t variables_to_come; /* of an iteration */
    struct stamp why;           /* something happened to it last */
    uint32_t *shares;           /* per machine, of a graph that has some; else NULL */
};

/* A read that waits for a cell or an element, and where it fired. */
struct deferred {
    const struct instr *instr;
    struct activation *tag;
    uint64_t depth;
    unsigned pe;
    struct value address; /* FETCH: its reference, which it still has */
};

/* An INDEX, MORE or LENGTH that waits for a port. */
struct asker {
    struct deferred d; /* whose address is the array */
    uint64_t index;    /* not of a LENGTH */
    uint32_t port;
    uint64_t place; /* of its firing */
};

/* A port in. */
struct port {
    uint64_t fed,
        asked; /* elements; the greatest index that was waited for, and 1 more */
    bool closed;
};

struct element {
    bool written;
    struct value value;
    uint64_t depth; /* of the write */
    LIB_VEC(struct deferred) reads;
};

/* A copy of a tensor in the memory of a PE or node, or one that was asked for. */
struct copy {
    unsigned memory;
    bool here;
    struct tokens parked;
};

/* "Memory": where a tensor is. Stamps rise with each thing that happens, from 1. */
struct swapped {
    uint64_t waiting; /* its references that wait in slots, */
    uint64_t since;   /* and when there were some last */
    enum { IN_MEMORY, MOVES_OUT, IS_OUT, MOVES_BACK } where;
    uint64_t moved, asked; /* when; 0: never */
    bool ahead;            /* fetched ahead, and not used */
    uint64_t end;          /* of its move */
};

/* A memory: when its channels are free, and whether tensors are fetched ahead. */
struct memory {
    uint64_t out_free, back_free;
    bool fetches;
};

/* The write that is formed last, of several the first. */
struct written {
    uint64_t time, number; /* number: of all writes, from 1; 0: there is none */
    uint64_t place;        /* of the chain */
};

struct array {
    struct swapped swapped;
    struct written written; /* of its elements */
    LIB_VEC(struct copy) copies;
    struct array *next, **link; /* all that are alive */
    uint64_t references, length, name;
    unsigned pe;   /* of its ALLOC */
    uint32_t port; /* of an open one: its port, and 1 more; else 0 */
    struct element *elements;
    struct isa_tensor *tensor; /* a tensor is an array without elements; else NULL */
};

/* A list of a wheel, or a token of one. */
enum list { LATE, FORMED, DEPARTING, ARRIVING, CREDIT };

struct event {
    uint64_t cycle, order;
    enum list list;
    struct token token;
};

struct pe {
    struct tokens input, output, port;
    uint64_t coming, leaving, arriving; /* on their way to these three */
    uint64_t promised_input, promised_output;
    uint64_t output_free, input_free; /* when the ports are */
    struct token leaving_port;        /* its last bits are still to come, */
    uint64_t leaves;                  /* in this cycle; 0: there is none */
    struct used output_used, input_used;
    uint64_t *sets, overflow; /* operands in the matching store */
    uint64_t slots;           /* in use, of frames */
    uint64_t nodes;           /* of copies */
    struct tokens unit;       /* before its tag unit */
    struct tokens nexts;      /* that wait for a bound */
    uint64_t *units;          /* where time is in ticks: when each is free again */
    struct oracle_pe_stats stats;
};

/* A firing, or what is about to be one. */
struct firing {
    const struct instr *instr;
    struct activation *tag;
    unsigned pe;
    uint64_t delay; /* after which its results are formed */
    uint64_t depth;
    bool late; /* it sends so much later that others are before it */
};

/* What an executor has to know of a firing. */
struct fired {
    const struct instr *instr; /* NULL: nothing has fired */
    bool dead, skipped;        /* skipped: a hiaton under the caller's tag */
    bool has_frame;            /* its tag */
    uint32_t site, taken;      /* of its tag; the list that a SWITCH takes */
};

struct oracle {
    const struct isa_graph *graph;
    const isa_value *inputs;
    const struct oracle_settings *s;
    uint64_t seed;
    struct instr *instrs;
    uint32_t instr_count; /* with the further ones of APPLYs */
    uint64_t longest;     /* lists of an instruction */
    uint64_t now;
    struct pe *pes;
    struct routers *routers;      /* NULL: another network */
    struct nodes *nodes_state;    /* nodes.c; NULL: no faults, and nothing is counted */
    LIB_VEC(struct event) events; /* a heap */
    uint64_t event_count;
    struct activation *root, *activations;
    struct array *arrays;
    struct element *cells;
    struct constant *results;
    const struct oracle_host *host; /* "Ports" */
    size_t given;                   /* that the host gave so far */
    struct port *ports;
    struct array **port_arrays;    /* of ports in, part by part; NULL: there is none */
    LIB_VEC(struct asker) askers;  /* in the order in which they came to wait */
    uint64_t fed_at;               /* the cycle of the last feed or close; NOWHERE */
    struct written output, *wrote; /* of the parts; what this turn has written, or NULL */
    uint64_t writes;
    struct tokens taken;         /* by all PEs, in this cycle */
    struct tokens waiting_calls; /* for a number: all, in the order in which they came */
    struct tokens waiting_applies; /* for a worker, or room */
    struct tokens waiting_kernels; /* for memory */
    size_t served;                 /* the place of one among them, from 1; 0: none is */
    struct memory *memories;
    uint64_t stamps;
    uint64_t *numbers;             /* in use, of each function */
    uint64_t *frames, frame_bytes; /* ever made, of each function; what they take */
    LIB_VEC(uint64_t) workers;     /* when those that are busy are free */
    struct tokens departing;       /* in this cycle */
    struct tokens asking;          /* before the coordinator, */
    struct token asked;            /* and served by it, */
    bool coordinator_busy;
    uint64_t coordinator_until, choices;
    uint64_t *coming; /* of each node: nodes of copies that are not made */
    uint64_t live_tokens, waiting, alive, structures, elements, nodes, deferred;
    uint64_t waiting_cycles, one_operand;
    uint64_t unit_firings[ISA_UNIT_COUNT], matches, accesses; /* for energies */
    struct tokens *sending; /* executor: where what is sent goes, and who sends */
    unsigned sender;
    struct fired fired;
    uint64_t frames_made, frames_freed, made;
    uint64_t kernel_time;    /* executor: of the firing */
    struct batches *batches; /* batches.c; NULL: tensor units are pipelined */
    bool batch_fires;        /* a batch does, which takes so long, besides its start */
    uint64_t batch_time;
    struct isa_tensor_memory tensors;
    uint64_t copied; /* bytes of copies of tensors */
    bool moved, held_back;
    bool trapped;
    bool no_frame; /* there was no room for one, in this turn */
    bool ended;
    struct oracle_outcome *outcome;
    struct why *why;
    struct tokens left;                /* releases of this turn */
    LIB_VEC(struct deferred) answered; /* by this turn: consumed behind its operands */
    unsigned lack;                     /* the queue that had no room */
    bool lack_is_port;
};

/* Whether this run breaks a rule on purpose. */
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
void oracle_why_released(struct oracle *o, struct token *t);
void oracle_why_port(struct oracle *o, struct token *t, unsigned link, uint64_t free);
void oracle_why_turn(struct oracle *o, struct token *t, unsigned pe);
void oracle_why_worker(struct oracle *o, struct token *t, unsigned w);
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
void oracle_why_lock(struct oracle *o, unsigned w, uint64_t from, uint64_t until,
                     bool fires);

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
unsigned oracle_log2(uint64_t n); /* rounded up */

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
unsigned oracle_place_by_policy(const struct oracle *o, const struct activation *a);
unsigned oracle_place_in_node(const struct oracle *o, unsigned node, uint64_t path);
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
/* Whether another frame, or array, fits in `limits.memory`; else the run ends. */
bool oracle_frame_fits(struct oracle *o, uint32_t function);
bool oracle_array_fits(struct oracle *o, uint64_t length);
void oracle_tokens_fit(struct oracle *o);

/* --- match.c: operands that wait --- */
struct waiting *oracle_partner(struct activation *tag, const struct instr *instr);
void oracle_wait(struct oracle *o, const struct token *t, struct activation *where,
                 unsigned pe);
uint64_t oracle_unwait(struct oracle *o, struct activation *where,
                       const struct waiting *w);

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
/* "Instructions with times of their own": the ticks of a cycle. */
uint64_t oracle_cycle(const struct oracle *o);

void oracle_routers_depart(struct oracle *o, struct token t);
void oracle_routers_arrive(struct oracle *o, const struct token *t);
void oracle_routers_credit(struct oracle *o, const struct token *t, uint64_t cycle);
void oracle_routers_pass(struct oracle *o);
typedef void oracle_add_link(struct oracle *o, const struct used *used,
                             const struct tokens *before, uint64_t *most);
uint64_t oracle_routers_add(struct oracle *o, oracle_add_link *add_up, uint64_t *most);
bool oracle_routers_have_tokens(const struct oracle *o);
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

/* "Tensors". */
bool oracle_is_on_tensors(enum isa_op op);

/* Whether a live firing takes a tensor unit: LOAD, DIM and ROW take none. */
bool oracle_takes_unit(const struct oracle *o, enum isa_op op);

/* The length of the row that a ROW takes of tensor `a`; false: it fails, and *length is 0. */
bool oracle_row_length(const struct isa_node *node, struct value a, struct value b,
                       uint64_t *length);

/* More cycles that an instruction takes with these operands. */
uint64_t oracle_kernel_time(struct oracle *o, const struct isa_node *node, struct value a,
                            struct value b);

/* Operations and bytes of an instruction that takes a tensor unit. */
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
bool oracle_batches_before(const struct oracle *o, unsigned node);

/* Whether a kernel whose operands are there must wait for a tensor; parks it if so, and asks. */
bool oracle_kernel_would_wait(struct oracle *o, const struct token *t,
                              const struct token *partner);
bool oracle_kernel_waits(struct oracle *o, unsigned pe, const struct token *t,
                         struct waiting *partner);
void oracle_message(struct oracle *o, struct token *t);
void oracle_forget_copies(struct oracle *o, struct array *a);

/* Operands of a kernel; `count` of them are tensors that it reads. The bytes of what it makes. */
struct array *oracle_operand(struct oracle *o, const struct token *t,
                             const struct token *partner, unsigned port);
unsigned oracle_read_count(const struct isa_node *node);
uint64_t oracle_made_bytes(struct oracle *o, const struct isa_node *node, struct value a,
                           struct value b);
unsigned oracle_memory_of(const struct oracle *o, unsigned pe);

/* swap.c: "Memory". */
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
/* Whether memories have no room for the element of a feed. */
bool oracle_memory_refuses(const struct oracle *o, const struct oracle_feed *feed);
uint64_t oracle_resident(const struct oracle *o);

/* false: shapes do not fit. */
bool oracle_fire_tensor(struct oracle *o, const struct firing *f, struct value a,
                        struct value b);
void oracle_arrays_free(struct oracle *o);
/* An OUTPUT or STORE has fired, which is formed at a time. */
void oracle_wrote(struct oracle *o, uint64_t time);
/* The last write of the result. */
struct written oracle_result_end(const struct oracle *o);
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

/* --- numbers.c: tag units, CALLs that wait --- */
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
bool oracle_room_in_queue(const struct oracle *o, unsigned pe);

/* --- executor.c --- */
void oracle_executor_settings(struct oracle_settings *s);
void oracle_execute(struct oracle *o);

/* --- result.c, run.c --- */
void oracle_measure(struct oracle *o);
void oracle_check_limits(struct oracle *o);
void oracle_end_quiet(struct oracle *o, uint64_t *next, bool *waits);
bool oracle_write_result(const struct oracle *o, struct lib_text *out);
void oracle_end(struct oracle *o, enum oracle_end end, const char *limit);

#endif
