/* Data shared by the files of analysis/causes. A "node" is a step of the run (struct causes_node),
 * not of the graph. */
#ifndef ANALYSIS_CAUSES_INTERNAL_H
#define ANALYSIS_CAUSES_INTERNAL_H

#include "analysis/causes/causes.h"
#include "lib/key_map.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

#define CAUSES_NOTHING UINT64_MAX /* instead of a step number: no step */

/* How a step of the run depends on an earlier step, `before`. */
enum causes_way {
    CAUSES_BY_START, /* no dependence: the instruction starts the run */
    CAUSES_BY_SENT,  /* step `before`, a firing, sent the token */
    /* step `before`, a firing, answered a deferred read with the token */
    CAUSES_BY_ANSWER,
    CAUSES_BY_HELD,    /* step `before`, a HOLD, released the parked token */
    CAUSES_BY_REQUEST, /* step `before` sent the request */
    CAUSES_BY_GRAPH,   /* step `before` of the coordinator of copies sent a graph */
    /* step `before` sent the message for a tensor, or a kernel that waited for one */
    CAUSES_BY_FETCH,
    CAUSES_BY_RELEASE, /* step `before` sent the release message */
    CAUSES_BY_PORT,    /* the token passed a port or link in step `before` */
    CAUSES_BY_STEP,    /* the token was queued or held since step `before` */

    /* The step waited for a resource (slot, identifier, worker) that step `before` used or freed.
     * Its cause holds for all cycles since then, except the last `wait` ones, whose cause is a
     * port. */
    CAUSES_BY_RESOURCE,
};

/* A step of the run, which may become a link of the causal chain. The time since step `before` is
 * the time for `way`, then `wait` cycles of `cause`. Kept small, as memory holds one per token
 * taken in an interval. */
struct causes_node {
    uint64_t time;
    /* number of the step that this one depends on; CAUSES_NOTHING: start of the run */
    uint64_t before;
    uint64_t wait;
    uint64_t formed; /* cycle in which the tokens or messages of the step are formed */
    union {
        /* With workers: the step in which the firing gets the lock, or CAUSES_NOTHING. */
        uint64_t lock;
        /* With PEs: if both members are TRACES_NONE, `lock` reads as CAUSES_NOTHING. */
        struct {
            /* number of the queue, link or buffer that was full; TRACES_NONE: none */
            uint32_t place;
            /* number of the network port or link; TRACES_NONE: none */
            uint32_t port_number;
        };
    };
    uint32_t instr, tag, pe, port;
    uint32_t copied; /* number of nodes of the graph that the firing copied */
    uint32_t kind : 4, way : 4, cause : 8;
    uint32_t place_kind : 3; /* kind of `place`: an enum traces_place */
    uint32_t fires : 1, is_dead : 1, is_managed : 1, is_spilled : 1;
    uint32_t copies : 1; /* whether the firing copied a graph */
    uint32_t ships : 1;  /* whether the token carried a graph for an APPLY */
};
static_assert(sizeof(struct causes_node) == 64, "a line of a cache");

/* --- tokens (tokens.c) -------------------------------------------------------------------- */

/* Where a token is. `place` and `when` are members of struct causes_token. */
enum causes_where {
    CAUSES_SENT,     /* sent; it is formed in cycle `when` */
    CAUSES_PASSING,  /* on link `place` until cycle `when` */
    CAUSES_BEFORE,   /* in the queue before link `place` */
    CAUSES_FAULTED,  /* held by a fault after link `place` */
    CAUSES_BEHIND,   /* in a buffer after link `place` */
    CAUSES_QUEUED,   /* in input queue `place`, or in a queue of an executor */
    CAUSES_SELECTED, /* taken out of an input queue or an executor's queue */
    CAUSES_KEPT,     /* held back, for the reason `place`: an enum traces_outcome */
};

/* `place` of the common queue of an executor; other places are queues of workers. */
enum { CAUSES_READY = 0x80000000 };

/* A live token. Events look tokens up often, so that a token fills a cache line and begins with its
 * key. */
struct causes_token {
    struct traces_live_token name;
    uint32_t place;    /* PE that sent it, for CAUSES_SENT; else depends on `where` */
    uint32_t to;       /* destination PE */
    uint8_t where : 7; /* enum causes_where */
    uint8_t ships : 1; /* whether the token carries a graph for an APPLY */
    uint8_t channel;   /* network channel of the buffer that the token goes to or is in */
    uint8_t way : 4;   /* enum causes_way: how the token's next step depends on `node` */
    uint8_t pressed_kind : 3; /* kind of `pressed_place`: enum traces_place */
    uint8_t pressed_channel; /* network channel of `pressed_place`, if that is a buffer */
    uint32_t pressed_place;
    uint64_t when;    /* cycle in which the token was formed or arrived */
    uint64_t node;    /* number of the step that last sent or moved the token */
    uint64_t serial;  /* order in which tokens arrived where they are */
    uint64_t pressed; /* 1 + last cycle without room in `pressed_place`; 0: none */
};
static_assert(sizeof(struct causes_token) == 64, "a line of a cache");

/* The live tokens. Those of equal key are in the order of arrival. */
struct causes_tokens {
    struct traces_live_tokens all;
    uint64_t serial; /* `serial` of the next token that arrives somewhere */
};

/* Conditions of a search for a token. */
struct causes_sought {
    uint32_t where, place;
    bool any_place;
    uint32_t to;            /* destination PE of the token; TRACES_NONE: any */
    bool has_when;          /* whether the token must arrive in cycle `when` */
    uint64_t when, latency; /* `latency` is added for tokens to another PE */
    bool stays, leaves;     /* the token must stay at its PE; must go to another PE */
    bool has_channel;       /* whether the token must be in network channel `channel` */
    uint32_t channel;

    /* If not NULL, the token must have passed a link to `router`. */
    const struct traces_network_link *links;
    uint32_t router;

    /* Which one if several match: the newest, the one of lowest `place`, or else the first. */
    bool newest, least_place;
};

void causes_tokens_start(struct causes_tokens *tokens);
void causes_tokens_free(struct causes_tokens *tokens);
void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *tokens);
struct causes_token *causes_tokens_add(struct causes_tokens *tokens,
                                       const struct traces_event *event);
/* Returns a token for the node, operand and tag of an event that meets the conditions; or NULL. */
struct causes_token *causes_tokens_find(struct causes_tokens *tokens,
                                        const struct traces_event *event,
                                        const struct causes_sought *sought);
/* Moves a token to a place, where it follows tokens of equal key. Returns the token. */
struct causes_token *causes_tokens_move(struct causes_tokens *tokens,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when);
void causes_tokens_remove(struct causes_tokens *tokens, struct causes_token *token);

/* Returns the token with index `number`, or NULL. */
static inline struct causes_token *causes_tokens_get(const struct causes_tokens *tokens,
                                                     size_t number)
{
    return traces_live_tokens_get(&tokens->all, number);
}

/* --- numbers by key (tokens.c) ---------------------------------------------------------------- */

/* Number and cycle of the last step of some kind; `node` is CAUSES_NOTHING if there was none. */
struct causes_last_event {
    uint64_t node, time;
};

/* Returns the last step noted for a key; CAUSES_NOTHING if the key is new or missing. Stored keys
 * are greater by 1, as 0 marks a free entry. */
struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key);
struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key);
void causes_map_remove(struct lib_key_map *map, uint64_t key);

/* --- reading (follow.c) ------------------------------------------------------------- */

/* A server handles one step after another: a PE, a worker, a network port or link, or a tag
 * manager. */
struct causes_server {
    struct causes_last_event last;   /* last step served */
    struct causes_last_event before; /* last step served in an earlier cycle */
    uint64_t until;                  /* cycle until which a port or link is occupied */
    uint64_t instr;                  /* instruction that a worker fired last */
};

/* A worker that copies graphs, or a router port: when it becomes free, and its last step. */
struct causes_busy {
    uint64_t until, node;
};

/* The credits of a link for a traffic class. `came`: the step that last returned a credit when none
 * was left. */
struct causes_credits {
    struct causes_last_event came;
    uint64_t count;
};

/* A credit on its way back to its link. `at` is an index into `credits`. */
struct causes_return {
    uint64_t time, node, at;
};

/* Room in the input queue of a PE. `lacked` is 1 + the last cycle without room for a token of the
 * network, `came` the step that then made room. */
struct causes_room {
    struct causes_last_event came;
    uint64_t lacked;
};

/* An operand that was taken in this cycle and waits for its partner. */
struct causes_waiting {
    uint64_t key, cycle, node;
    uint64_t port;
};

struct analysis_causes {
    struct analysis_causes_machine machine;
    const struct isa_graph *graph;
    struct analysis_causes_wish wish;
    struct lib_paged nodes; /* steps since the current snapshot: struct causes_node */
    uint64_t first;         /* number of the first step that `nodes` contains */
    uint64_t most;          /* steps after this number are not kept in memory */
    bool is_odd;            /* whether `odd` is an event that the machine cannot emit */
    bool has_ended;
    struct traces_event end, odd;

    /* The members from here on are in snapshots. */
    struct causes_tokens tokens;
    struct lib_key_map sites;   /* maps an activation to (parent, site of the call) */
    struct lib_key_map touched; /* maps an activation to the last step that affected it */
    /* maps (parent, site) to the last step that began or freed an iteration */
    struct lib_key_map loops;
    /* maps an activation to the PE that has its copy of the graph */
    struct lib_key_map copies;
    /* maps an activation to its path, if the causes of a tag are wanted */
    struct lib_key_map paths;
    /* not in snapshots; only for ANALYSIS_CAUSES_FROM_STATE */
    struct traces_live_tags live;
    /* maps (bank, tensor unit) to its last kernel, and when the unit is free */
    struct lib_key_map units;
    struct lib_key_map waits; /* maps (node, activation) to an index into `waiting` */
    /* maps (node, activation) to the firing that waits for the host */
    struct lib_key_map asks;
    LIB_VEC(struct causes_server) pes; /* one per PE or worker */
    LIB_VEC(struct causes_server) links;
    LIB_VEC(struct causes_server) managers;
    LIB_VEC(struct causes_last_event) freed;    /* per function: last activation freed */
    LIB_VEC(struct causes_last_event) uncopied; /* per PE: last copy of a graph freed */
    /* per PE: last APPLY that was released to copy its graph */
    LIB_VEC(struct causes_last_event) admitted;
    LIB_VEC(struct causes_busy) copiers;
    LIB_VEC(struct causes_waiting) waiting;

    /* The next five members are for networks with finite buffers. */
    LIB_VEC(struct causes_last_event) firsts; /* per buffer: last token that left it */
    LIB_VEC(struct causes_busy) ports;      /* per link into a router: its router ports */
    LIB_VEC(struct causes_credits) credits; /* per link: one per traffic class */
    LIB_VEC(struct causes_return) returns;
    LIB_VEC(struct causes_room) rooms; /* per PE: room in its input queue */

    struct causes_fixed {
        uint64_t next; /* number of the next step */
        /* last step, except those in which a worker gets the lock */
        struct causes_last_event last;
        struct causes_last_event freed; /* last activation freed */
        uint64_t lock;                  /* last step in which a worker got the lock */
        struct causes_busy copier;      /* copy worker that became free last */
        /* last step that the coordinator of copies served */
        struct causes_last_event coordinator;
        /* last kernel of an earlier batch, on the unit of the current batch */
        struct causes_last_event unit_before;
        /* tensor unit of the current batch, as a key in `units`; cycle in which it becomes free */
        uint64_t unit, unit_until;
        uint64_t formed, formed_by; /* cycle of the latest result of a firing; its step */
        /* like formed and formed_by, for the last firing whose causes are wanted */
        uint64_t wished, wished_by;
        /* number of firings of OUTPUTs, STOREs and ROWs, which write the result */
        uint64_t writes;
        uint64_t formed_pe;
        uint64_t fed; /* 1 + cycle of the last feed or close of a port; 0: none */

        /* The members from here on are of the current event and its step. */
        uint64_t now;
        uint64_t step, fired; /* number of the step; number of the step that fires */
        uint64_t applied;     /* step that releases an APPLY, or CAUSES_NOTHING */
        uint64_t kept;        /* cycle since which the token was held back */
        uint32_t instr, port;
        uint32_t is_turn, way;
        uint16_t is_spilled,
            ships;        /* `ships`: whether the step sends a graph for an APPLY */
        uint16_t fetches; /* whether the step sends messages for tensors */
        uint8_t carries;  /* whether the step is a SEND or RECV, which has no firing */
        uint8_t alone;    /* whether the step fires on one token */
        uint32_t tag, pe;
        uint32_t passed, channel; /* link and channel that the token enters */
        uint32_t from_channel;    /* channel of the buffer that the token leaves */
    } f;
};

/* Returns a step of the current interval to be read, or NULL. */
const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node);
void causes_take(void *context, const struct traces_event *events, size_t count);
void causes_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_start(struct analysis_causes *c);
void causes_release(struct analysis_causes *c);

/* --- pieces (pieces.c) -------------------------------------------------------------- */

/* Passes the pieces of time between two steps to the walker, the last one first. `lock`, unless
 * NULL, is the step in which the firing `before` got the lock, and at which the chain continues. */
void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker);

#endif
