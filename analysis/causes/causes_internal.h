/* Data and functions shared by the files of analysis/causes. */
#ifndef ANALYSIS_CAUSES_INTERNAL_H
#define ANALYSIS_CAUSES_INTERNAL_H

#include "analysis/causes/causes.h"
#include "lib/key_map.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

#define CAUSES_NOTHING UINT64_MAX /* no node */

/* The dependence of a node on the node before. */
enum causes_way {
    CAUSES_BY_START, /* none: the node is an instruction of the start */
    CAUSES_BY_SENT,  /* the firing before sent its token */
    CAUSES_BY_ANSWER, /* the firing before sent its token as the answer to a deferred read */
    CAUSES_BY_HELD,    /* a HOLD let its parked token go */
    CAUSES_BY_REQUEST, /* the turn before sent its request */
    CAUSES_BY_GRAPH,   /* the coordinator sent it a graph */
    CAUSES_BY_FETCH,   /* the turn before sent its message for a tensor */
    CAUSES_BY_RELEASE, /* the turn before sent its release */
    CAUSES_BY_PORT,    /* its token went through the port before */
    CAUSES_BY_STEP,    /* its token was held back at the node before */

    /* A turn waited for a resource (a slot, an identifier, a worker) which the node `before`
     * used or freed. All cycles between the two belong to `cause`; if `wait` is not 0, the last
     * `wait` of them were spent at a port. */
    CAUSES_BY_RESOURCE,
};

/* A link of the chain, or a step that may become one. The time since `before` consists of the time
 * for `way`, then `wait` cycles of `cause`. An interval has a node per turn, so nodes are small. */
struct causes_node {
    uint64_t time;
    uint64_t before; /* number of a node, or CAUSES_NOTHING at the start of the run */
    uint64_t wait;
    uint64_t formed; /* cycle in which its tokens, or messages for tensors, are formed */
    union {
        /* Executor: the node in which a firing gets the lock, or CAUSES_NOTHING. */
        uint64_t lock;
        /* Machine of PEs. TRACES_NONE in both is CAUSES_NOTHING in `lock`. */
        struct {
            uint32_t place;       /* queue, link or buffer without room */
            uint32_t port_number; /* number of a port */
        };
    };
    uint32_t instr, tag, pe, port;
    uint32_t copied; /* size, in nodes, of the copy of a graph that the firing made */
    uint32_t kind : 4, way : 4, cause : 8;
    uint32_t place_kind : 3; /* enum traces_place of `place` */
    uint32_t fires : 1, is_dead : 1, is_managed : 1, is_spilled : 1;
    uint32_t copies : 1; /* the firing made a copy */
    uint32_t ships : 1;  /* the token brought the graph of its APPLY */
};
static_assert(sizeof(struct causes_node) == 64, "a line of a cache");

/* --- tokens (tokens.c) -------------------------------------------------------------------- */

/* The whereabouts of a token. */
enum causes_where {
    CAUSES_SENT,     /* sent; formed at `when` */
    CAUSES_PASSING,  /* on the link `place`, behind it at `when` */
    CAUSES_BEFORE,   /* in the queue before the link `place` */
    CAUSES_FAULTED,  /* held by a fault, behind the link `place` */
    CAUSES_BEHIND,   /* behind the link `place`, in the buffer of its channel */
    CAUSES_QUEUED,   /* in the input queue `place`, or in a queue of an executor */
    CAUSES_SELECTED, /* selected from such a queue */
    CAUSES_KEPT,     /* held back for the reason `place`, an enum traces_outcome */
};

/* The `place` of the common queue of an executor; other places are the queues of workers. */
enum { CAUSES_READY = 0x80000000 };

/* A token alive. Each event needs one, so it has 64 bytes, and the key of the search comes
 * first. */
struct causes_token {
    struct traces_live_token name;
    uint32_t place;           /* as `where` says; for SENT the PE that sent it */
    uint32_t to;              /* PE to which it goes */
    uint8_t where : 7;        /* enum causes_where */
    uint8_t ships : 1;        /* it brings the graph of its APPLY */
    uint8_t channel;          /* channel of its buffer */
    uint8_t way : 4;          /* enum causes_way, from `node` */
    uint8_t pressed_kind : 3; /* enum traces_place of the place where it lacked room */
    uint8_t pressed_channel;  /* channel of that place, if it is a buffer */
    uint32_t pressed_place;
    uint64_t when;    /* cycle in which it is formed, or came to its place */
    uint64_t node;    /* node that sent or moved it last */
    uint64_t serial;  /* order in which tokens came to their places */
    uint64_t pressed; /* 1 + last cycle in which it lacked room; 0 if never */
};
static_assert(sizeof(struct causes_token) == 64, "a line of a cache");

/* The tokens alive. Tokens with the same name are in the order in which they came to their
 * places. */
struct causes_tokens {
    struct traces_live_tokens all;
    uint64_t serial; /* next serial */
};

/* Conditions on a token. */
struct causes_sought {
    uint32_t where, place;
    bool any_place;
    uint32_t to;            /* PE to which it goes; TRACES_NONE for any */
    bool has_when;          /* it arrives in the cycle `when` */
    uint64_t when, latency; /* `latency` is added for a token to another PE */
    bool stays, leaves;     /* it goes to its own PE; to another PE */
    bool has_channel;       /* it is in the channel `channel` */
    uint32_t channel;

    /* Unless `links` is NULL: it is behind a link that leads to `router`. */
    const struct traces_network_link *links;
    uint32_t router;

    /* The choice among several: the newest, that of the lowest place, or by default the first. */
    bool newest, least_place;
};

void causes_tokens_start(struct causes_tokens *tokens);
void causes_tokens_free(struct causes_tokens *tokens);
void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *tokens);
struct causes_token *causes_tokens_add(struct causes_tokens *tokens,
                                       const struct traces_event *event);
/* Returns a token for the node, operand and tag of an event that meets the conditions, or NULL. */
struct causes_token *causes_tokens_find(struct causes_tokens *tokens,
                                        const struct traces_event *event,
                                        const struct causes_sought *sought);
/* Sets the whereabouts of a token, behind the tokens with the same key. Returns the token. */
struct causes_token *causes_tokens_move(struct causes_tokens *tokens,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when);
void causes_tokens_remove(struct causes_tokens *tokens, struct causes_token *token);

/* Returns the token of a number, or NULL. */
static inline struct causes_token *causes_tokens_get(const struct causes_tokens *tokens,
                                                     size_t number)
{
    return traces_live_tokens_get(&tokens->all, number);
}

/* --- numbers by key (tokens.c) ---------------------------------------------------------------- */

/* The last node of some kind, and its cycle. */
struct causes_last_event {
    uint64_t node, time;
};

/* Maps from keys to last events. The keys in the table are 1 greater. A new event, and one that is
 * not in the map, has the node CAUSES_NOTHING. */
struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key);
struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key);
void causes_map_remove(struct lib_key_map *map, uint64_t key);

/* --- reading (follow.c) ------------------------------------------------------------- */

/* A PE, worker, port or tag manager, which serves one node after the other. */
struct causes_server {
    struct causes_last_event last;   /* last node served */
    struct causes_last_event before; /* last node of an earlier cycle */
    uint64_t until;                  /* cycle up to which a port is occupied */
    uint64_t instr;                  /* instruction that a worker fired last */
};

/* A worker that copies graphs, or a port: the cycle from which it is free, and its last node. */
struct causes_busy {
    uint64_t until, node;
};

/* The credits of a link in a class, and the last return of one when it had none. */
struct causes_credits {
    struct causes_last_event came;
    uint64_t count;
};

/* A credit that comes back; `at` is the class of a link, among all classes. */
struct causes_return {
    uint64_t time, node, at;
};

/* An input queue without room for a token of the network: 1 + the last such cycle, and the turn
 * that made room then. */
struct causes_room {
    struct causes_last_event came;
    uint64_t lacked;
};

/* An operand that had its turn in this cycle and waits. */
struct causes_waiting {
    uint64_t key, cycle, node;
    uint64_t port;
};

struct analysis_causes {
    struct analysis_causes_machine machine;
    const struct isa_graph *graph;
    struct analysis_causes_wish wish;
    struct lib_paged nodes; /* nodes of the interval: struct causes_node */
    uint64_t first;         /* number of the first of them */
    uint64_t most;          /* number from which on nodes are not kept */
    bool is_odd;            /* an event does not fit */
    bool has_ended;
    struct traces_event end, odd;

    /* The state, which is packed. */
    struct causes_tokens tokens;
    struct lib_key_map sites;     /* activation -> parent and site */
    struct lib_key_map touched;   /* activation -> last step that affected it */
    struct lib_key_map loops;     /* parent and site -> last iteration begun or freed */
    struct lib_key_map copies;    /* activation -> PE of its copy */
    struct lib_key_map paths;     /* activation -> its path, if a tag is looked for */
    struct traces_live_tags live; /* only for ANALYSIS_CAUSES_FROM_STATE; not packed */
    struct lib_key_map units; /* bank and tensor unit -> last kernel, cycle when free */
    struct lib_key_map waits; /* node and activation -> place in `waiting` */
    struct lib_key_map asks;  /* node and activation -> firing that waits for the host */
    LIB_VEC(struct causes_server) pes; /* turns of each PE, or firings of each worker */
    LIB_VEC(struct causes_server) links;
    LIB_VEC(struct causes_server) managers;
    LIB_VEC(struct causes_last_event) freed;    /* last activation freed, per function */
    LIB_VEC(struct causes_last_event) uncopied; /* last copy freed, per PE */
    LIB_VEC(struct causes_last_event) admitted; /* last APPLY let go, per PE */
    LIB_VEC(struct causes_busy) copiers;
    LIB_VEC(struct causes_waiting) waiting;

    /* Finite buffers: */
    LIB_VEC(struct causes_last_event) firsts; /* last token that left, per buffer */
    LIB_VEC(struct causes_busy) ports;        /* ports into the router, per input link */
    LIB_VEC(struct causes_credits) credits;   /* credits per class of each link */
    LIB_VEC(struct causes_return) returns;
    LIB_VEC(struct causes_room) rooms; /* room in the input queue, per PE */

    struct causes_fixed {
        uint64_t next;                        /* number of the next node */
        struct causes_last_event last;        /* last node, except those of the lock */
        struct causes_last_event freed;       /* last activation freed */
        uint64_t lock;                        /* last node that got the lock */
        struct causes_busy copier;            /* copier that became free last */
        struct causes_last_event coordinator; /* last node that the coordinator served */
        struct causes_last_event unit_before; /* last kernel of the unit of the batch */
        uint64_t unit, unit_until;  /* its key in `units`; cycle when it is free */
        uint64_t formed, formed_by; /* latest result of a firing, and its node */
        uint64_t wished, wished_by; /* the same of the last firing asked for */
        uint64_t writes; /* firings that write the result: OUTPUTs, STOREs and ROWs */
        uint64_t formed_pe;
        uint64_t fed; /* 1 + cycle of the last feed or close; 0 if none */

        /* The current step: */
        uint64_t now;
        uint64_t step, fired; /* nodes of the step and of its firing */
        uint64_t applied;     /* node of an APPLY that is let go, or CAUSES_NOTHING */
        uint64_t kept;        /* cycle since which the token was held back */
        uint32_t instr, port;
        uint32_t is_turn, way;
        uint16_t is_spilled, ships; /* ships: the step sends the graph of its APPLY */
        uint16_t fetches;           /* the step sends messages for tensors */
        uint8_t carries;            /* the step is a SEND or RECV, which has no firing */
        uint8_t alone;              /* the step fires on its token alone */
        uint32_t tag, pe;
        uint32_t passed, channel; /* link and channel that a token enters */
        uint32_t from_channel;    /* channel of the buffer that it leaves */
    } f;
};

/* Returns a node of the interval, to be read, or NULL if it is in another interval. */
const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node);
void causes_take(void *context, const struct traces_event *events, size_t count);
void causes_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_start(struct analysis_causes *c);
void causes_release(struct analysis_causes *c);

/* --- pieces (pieces.c) -------------------------------------------------------------- */

/* Calls the walker for the pieces of the time between a node and the one before, the last piece
 * first. Unless it is NULL, `lock` is the node in which the firing `before` gets the lock; the
 * chain goes on there. */
void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker);

#endif
