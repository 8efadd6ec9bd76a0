/* Shared by the files of analysis/causes. A "node" is a step of the run (struct causes_node), not
 * of the graph. */
#ifndef ANALYSIS_CAUSES_INTERNAL_H
#define ANALYSIS_CAUSES_INTERNAL_H

#include "analysis/causes/causes.h"
#include "lib/key_map.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

#define CAUSES_NOTHING UINT64_MAX /* no step */

/* How a step of the run depends on the step `before` it. */
enum causes_way {
    CAUSES_BY_START, /* no dependence: an instruction of the start */
    CAUSES_BY_SENT,  /* the firing `before` sent its token */
    CAUSES_BY_ANSWER, /* the firing `before` sent its token as the answer to a deferred read */
    CAUSES_BY_HELD,    /* the HOLD `before` released its parked token */
    CAUSES_BY_REQUEST, /* the turn `before` sent its request */
    CAUSES_BY_GRAPH,   /* the coordinator sent it a graph */
    CAUSES_BY_FETCH,   /* the turn `before` sent its message for a tensor */
    CAUSES_BY_RELEASE, /* the turn `before` sent its release message */
    CAUSES_BY_PORT,    /* its token passed the port at the step `before` */
    CAUSES_BY_STEP, /* the token of this step was queued or held since its step `before` */

    /* The step waited for a resource (a slot, an identifier, a worker) that the step `before` used
     * or freed. All cycles between the two belong to `cause`, but the last `wait` ones, if any, to
     * a port. */
    CAUSES_BY_RESOURCE,
};

/* A step of the run, which may become a link of the chain. The time since the step `before`
 * consists of the time for `way`, then `wait` cycles of `cause`. Steps are small, as memory has one
 * per turn of an interval. */
struct causes_node {
    uint64_t time;
    uint64_t before; /* number of a step; CAUSES_NOTHING: start of the run */
    uint64_t wait;
    uint64_t formed; /* cycle in which its tokens or messages are formed */
    union {
        /* Executor: step in which a firing gets the lock, or CAUSES_NOTHING. */
        uint64_t lock;
        /* Machine of PEs. If both are TRACES_NONE, `lock` reads as CAUSES_NOTHING. */
        struct {
            uint32_t place;       /* queue, link or buffer that was full */
            uint32_t port_number; /* number of the network port or link */
        };
    };
    uint32_t instr, tag, pe, port;
    uint32_t copied; /* size, in nodes, of the graph that the firing copied */
    uint32_t kind : 4, way : 4, cause : 8;
    uint32_t place_kind : 3; /* what `place` is: an enum traces_place */
    uint32_t fires : 1, is_dead : 1, is_managed : 1, is_spilled : 1;
    uint32_t copies : 1; /* the firing copied a graph */
    uint32_t ships : 1;  /* the token carried the graph of its APPLY */
};
static_assert(sizeof(struct causes_node) == 64, "a line of a cache");

/* --- tokens (tokens.c) -------------------------------------------------------------------- */

/* Where a token is. */
enum causes_where {
    CAUSES_SENT,     /* sent, and formed in the cycle `when` */
    CAUSES_PASSING,  /* token is on the link `place`, which it passes at `when` */
    CAUSES_BEFORE,   /* token is in the queue before the link `place` */
    CAUSES_FAULTED,  /* token is held by a fault after the link `place` */
    CAUSES_BEHIND,   /* token is in a buffer of its channel after the link `place` */
    CAUSES_QUEUED,   /* token is in input queue `place`, or a queue of an executor */
    CAUSES_SELECTED, /* selected from an input queue, or from a queue of an executor */
    CAUSES_KEPT,     /* token is held back; `place` is why, an enum traces_outcome */
};

/* The `place` of an executor's common queue; other places are queues of workers. */
enum { CAUSES_READY = 0x80000000 };

/* A live token. Events look tokens up often: it fills a cache line and begins with the key. */
struct causes_token {
    struct traces_live_token name;
    uint32_t place;           /* depends on `where`; for SENT the PE that sent it */
    uint32_t to;              /* PE to which the token goes */
    uint8_t where : 7;        /* enum causes_where */
    uint8_t ships : 1;        /* the token carries the graph of its APPLY */
    uint8_t channel;          /* channel of the buffer that has it */
    uint8_t way : 4;          /* enum causes_way: its dependence on `node` */
    uint8_t pressed_kind : 3; /* enum traces_place */
    uint8_t pressed_channel;  /* channel of `pressed_place`, if that is a buffer */
    uint32_t pressed_place;
    uint64_t when;    /* cycle in which it was formed or arrived */
    uint64_t node;    /* number of the step that last sent or moved it */
    uint64_t serial;  /* order in which tokens arrived at their places */
    uint64_t pressed; /* 1 + last cycle without room in `pressed_place`; 0: none */
};
static_assert(sizeof(struct causes_token) == 64, "a line of a cache");

/* The live tokens; those of equal key in their order of arrival. */
struct causes_tokens {
    struct traces_live_tokens all;
    uint64_t serial; /* next value of causes_token.serial */
};

/* Conditions that a token must meet. */
struct causes_sought {
    uint32_t where, place;
    bool any_place;
    uint32_t to;            /* PE to which it goes; TRACES_NONE: any */
    bool has_when;          /* it must arrive in the cycle `when` */
    uint64_t when, latency; /* `latency` is added to `when` of a token to another PE */
    bool stays, leaves;     /* it must go to its own PE; to another PE */
    bool has_channel;       /* it must be in the channel `channel` */
    uint32_t channel;

    /* Unless `links` is NULL: it has passed a link to `router`. */
    const struct traces_network_link *links;
    uint32_t router;

    /* Choice among several: the newest, that of the lowest `place`, or else the first. */
    bool newest, least_place;
};

void causes_tokens_start(struct causes_tokens *tokens);
void causes_tokens_free(struct causes_tokens *tokens);
void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *tokens);
struct causes_token *causes_tokens_add(struct causes_tokens *tokens,
                                       const struct traces_event *event);
/* Returns a token that meets the conditions, for the node, operand and tag of an event; or NULL. */
struct causes_token *causes_tokens_find(struct causes_tokens *tokens,
                                        const struct traces_event *event,
                                        const struct causes_sought *sought);
/* Moves a token to a place, behind tokens of equal key. Returns it. */
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

/* Last step of some kind and its cycle; CAUSES_NOTHING if there was none. */
struct causes_last_event {
    uint64_t node, time;
};

/* Maps from a key to the last step that concerned it; of a new or missing key that is
 * CAUSES_NOTHING. Stored keys are 1 greater, as 0 marks a free entry. */
struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key);
struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key);
void causes_map_remove(struct lib_key_map *map, uint64_t key);

/* --- reading (follow.c) ------------------------------------------------------------- */

/* A PE, worker, port or link of the network, or tag manager: it serves one step after another. */
struct causes_server {
    struct causes_last_event last;   /* last step served */
    struct causes_last_event before; /* last step served in an earlier cycle */
    uint64_t until;                  /* cycle up to which a port or link is occupied */
    uint64_t instr;                  /* instruction that the worker fired last */
};

/* A worker that copies graphs, or a port: when it is free, and the last step that used it. */
struct causes_busy {
    uint64_t until, node;
};

/* The credits of a link for a traffic class, and the step that last returned one when none was
 * left. */
struct causes_credits {
    struct causes_last_event came;
    uint64_t count;
};

/* A credit on its way back to its link; `at` is an index in `credits`. */
struct causes_return {
    uint64_t time, node, at;
};

/* A full input queue: 1 + the last cycle without room for a token of the network, and the turn that
 * then made room. */
struct causes_room {
    struct causes_last_event came;
    uint64_t lacked;
};

/* An operand taken in this cycle that waits for its partner. */
struct causes_waiting {
    uint64_t key, cycle, node;
    uint64_t port;
};

struct analysis_causes {
    struct analysis_causes_machine machine;
    const struct isa_graph *graph;
    struct analysis_causes_wish wish;
    struct lib_paged nodes; /* steps of the interval: struct causes_node */
    uint64_t first;         /* number of the first step in `nodes` */
    uint64_t most;          /* steps after this number are not kept */
    bool is_odd;            /* `odd` is an event that the machine cannot emit */
    bool has_ended;
    struct traces_event end, odd;

    /* The state, which snapshots contain. */
    struct causes_tokens tokens;
    struct lib_key_map sites;   /* activation -> parent and site of its call */
    struct lib_key_map touched; /* activation -> last step that affected it */
    /* parent and site -> last step that began or freed an iteration */
    struct lib_key_map loops;
    struct lib_key_map copies; /* activation -> PE that has its copy of the graph */
    /* activation -> its path, if the causes of a tag are wanted */
    struct lib_key_map paths;
    /* only for ANALYSIS_CAUSES_FROM_STATE; not in snapshots */
    struct traces_live_tags live;
    /* bank and tensor unit -> its last kernel, and when it is free */
    struct lib_key_map units;
    struct lib_key_map waits; /* node and activation -> index in `waiting` */
    struct lib_key_map asks;  /* node and activation -> firing that waits at a port */
    LIB_VEC(struct causes_server) pes; /* one per PE, or per worker of an executor */
    LIB_VEC(struct causes_server) links;
    LIB_VEC(struct causes_server) managers;
    LIB_VEC(struct causes_last_event) freed;    /* per function: last activation freed */
    LIB_VEC(struct causes_last_event) uncopied; /* per PE: last copy of a graph freed */
    /* per PE: last APPLY released to make its copy */
    LIB_VEC(struct causes_last_event) admitted;
    LIB_VEC(struct causes_busy) copiers;
    LIB_VEC(struct causes_waiting) waiting;

    /* For networks with finite buffers. */
    LIB_VEC(struct causes_last_event) firsts; /* per buffer: last token that left it */
    LIB_VEC(struct causes_busy) ports;        /* per input link: port into the router */
    LIB_VEC(struct causes_credits) credits;   /* credits per traffic class of each link */
    LIB_VEC(struct causes_return) returns;
    LIB_VEC(struct causes_room) rooms; /* per PE: room in its input queue */

    struct causes_fixed {
        uint64_t next;                  /* number of the next step */
        struct causes_last_event last;  /* last step, except steps that get the lock */
        struct causes_last_event freed; /* last activation freed */
        uint64_t lock;                  /* last step that got the lock */
        struct causes_busy copier;      /* copy worker that became free last */
        struct causes_last_event coordinator; /* last step that the coordinator served */
        /* last kernel of an earlier batch on the unit that runs the current batch */
        struct causes_last_event unit_before;
        uint64_t unit,
            unit_until; /* key in `units` of the unit that runs the batch; when it is free */
        uint64_t formed,
            formed_by; /* cycle of the latest result of a firing, and its step */
        uint64_t wished,
            wished_by; /* like formed, formed_by: last firing whose causes are wanted */
        /* firings that write the result: OUTPUTs, STOREs and ROWs */
        uint64_t writes;
        uint64_t formed_pe;
        uint64_t fed; /* 1 + cycle of the last feed or close of a port; 0: none */

        /* The current event and its step: */
        uint64_t now;
        uint64_t step, fired; /* numbers of the step and of its firing */
        uint64_t applied;     /* step of an APPLY that is released, or CAUSES_NOTHING */
        uint64_t kept;        /* cycle since which the token was held back */
        uint32_t instr, port;
        uint32_t is_turn, way;
        uint16_t is_spilled, ships; /* `ships`: the step sends the graph of its APPLY */
        uint16_t fetches;           /* the step sends messages for tensors */
        uint8_t carries;            /* the step is a SEND or RECV, which has no firing */
        uint8_t alone;              /* the step fires with one token */
        uint32_t tag, pe;
        uint32_t passed, channel; /* link and channel that the token enters */
        uint32_t from_channel;    /* channel of the buffer that the token leaves */
    } f;
};

/* Returns a step of the interval for reading, or NULL. */
const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node);
void causes_take(void *context, const struct traces_event *events, size_t count);
void causes_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_start(struct analysis_causes *c);
void causes_release(struct analysis_causes *c);

/* --- pieces (pieces.c) -------------------------------------------------------------- */

/* Passes the pieces between two steps to the walker, last one first. Unless NULL, `lock` is the
 * step in which the firing `before` got the lock; the chain continues there. */
void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker);

#endif
