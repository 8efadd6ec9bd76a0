/* Causes: what its files share. */
#ifndef ANALYSIS_CAUSES_INTERNAL_H
#define ANALYSIS_CAUSES_INTERNAL_H

#include "analysis/causes/causes.h"
#include "lib/key_map.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

#define CAUSES_NOTHING UINT64_MAX /* no node */

/* How what a node needed came to it from the node before. */
enum causes_way {
    CAUSES_BY_START,   /* an instruction of the start */
    CAUSES_BY_SENT,    /* a token that the firing before sent, */
    CAUSES_BY_ANSWER,  /* as an answer to a deferred read, */
    CAUSES_BY_HELD,    /* or by a HOLD: a parked token goes on */
    CAUSES_BY_REQUEST, /* a request that the turn before sent */
    CAUSES_BY_GRAPH,   /* a graph that the coordinator sends */
    CAUSES_BY_FETCH,   /* or what the turn before sent for a tensor */
    CAUSES_BY_RELEASE, /* or a release that the turn before sent */
    CAUSES_BY_PORT,    /* a token that went through the port before */
    CAUSES_BY_STEP,    /* the token itself was there before, and was held back */
    CAUSES_BY_RESOURCE, /* what was served before, or gave something back: all is `cause`, but `wait` of a port */
};

/* A place of the chain. `time` - time of `before` is: what `way` says, then `wait` cycles of
 * `cause`. There are as many as turns of an interval: small. */
struct causes_node {
    uint64_t time;
    uint64_t before; /* a node; CAUSES_NOTHING: the run starts here */
    uint64_t wait;
    uint64_t
        formed; /* of a firing, or a turn for a tensor: when what it sends is formed */
    union {
        /* Executor, of a firing: the node in which it has the lock, or nothing. */
        uint64_t lock;
        /* PEs; TRACES_NONE are the bits of no lock. */
        struct {
            uint32_t place;       /* with back-pressure: where there was no room */
            uint32_t port_number; /* of a port */
        };
    };
    uint32_t instr, tag, pe, port;
    uint32_t copied; /* of a firing: nodes of the copy that it made */
    uint32_t kind : 4, way : 4, cause : 8;
    uint32_t place_kind : 3; /* of `place`, with back-pressure: enum traces_place */
    uint32_t fires : 1, is_dead : 1, is_managed : 1, is_spilled : 1;
    uint32_t copies : 1; /* it made a copy */
    uint32_t ships : 1;  /* its token brought the graph of its APPLY */
};
static_assert(sizeof(struct causes_node) == 64, "a line of a cache");

/* --- tokens (tokens.c) -------------------------------------------------------------------- */

enum causes_where {
    CAUSES_SENT,     /* or on its way: it will be somewhere at `when` */
    CAUSES_PASSING,  /* it went through the link `place`, and is behind it at `when` */
    CAUSES_BEFORE,   /* it stands before the link `place` */
    CAUSES_FAULTED,  /* a fault holds it, behind the link `place` */
    CAUSES_BEHIND,   /* it stands behind it, in the buffer of its channel */
    CAUSES_QUEUED,   /* it is in the input queue `place`; or in one of an executor */
    CAUSES_SELECTED, /* it has left that */
    CAUSES_KEPT,     /* it is held back, as `place` says: enum traces_outcome */
};

enum {
    CAUSES_READY = 0x80000000
}; /* executor, `place`: the queue of all; else a worker's own */

/* There are many, and each event needs one: 64 bytes, what it is found by first. */
struct causes_token {
    struct traces_live_token name;
    uint32_t place, to; /* of SENT the PE from which it comes; the PE to which it goes */
    uint8_t where : 7;  /* enum causes_where */
    uint8_t ships : 1;  /* it brings the graph of its APPLY */
    uint8_t channel;    /* in a buffer */
    uint8_t way : 4;    /* enum causes_way, from `node` */
    uint8_t pressed_kind : 3; /* of the place where it lacked room: enum traces_place, */
    uint8_t pressed_channel;  /* of a buffer, */
    uint32_t pressed_place;
    uint64_t when, node; /* when it is formed, or came there */
    uint64_t serial;     /* in the order in which they came where they are */
    uint64_t pressed;    /* the last cycle in which it lacked room, + 1; 0: never */
};
static_assert(sizeof(struct causes_token) == 64, "a line of a cache");

/* The tokens alive. Those of a name are in the order in which they came where they are. */
struct causes_tokens {
    struct traces_live_tokens all;
    uint64_t serial;
};

/* What is looked for. */
struct causes_sought {
    uint32_t where, place;
    bool any_place;
    uint32_t to;            /* TRACES_NONE: wherever it goes; else only what goes there */
    bool has_when;          /* only what is there at `when`: */
    uint64_t when, latency; /* what goes to another PE takes so much longer */
    bool stays, leaves;     /* only what goes to its own PE; to another one */
    bool has_channel;       /* only what is in this channel */
    uint32_t channel;
    const struct analysis_causes_link
        *links;      /* not NULL: only what is behind one of these, */
    uint32_t router; /* at this router */
    bool newest,
        least_place; /* of several the newest, or that of the lowest place; else the first */
};

void causes_tokens_start(struct causes_tokens *tokens);
void causes_tokens_free(struct causes_tokens *tokens);
void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *tokens);
struct causes_token *causes_tokens_add(struct causes_tokens *tokens,
                                       const struct traces_event *event);
/* The first, or newest, of an event's node, operand and tag that is so; NULL. */
struct causes_token *causes_tokens_find(struct causes_tokens *tokens,
                                        const struct traces_event *event,
                                        const struct causes_sought *sought);
/* It stands somewhere now: behind those that are alike. Returns it. */
struct causes_token *causes_tokens_move(struct causes_tokens *tokens,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when);
void causes_tokens_remove(struct causes_tokens *tokens, struct causes_token *token);

/* Token `number`, or NULL if there is none of that number. */
static inline struct causes_token *causes_tokens_get(const struct causes_tokens *tokens,
                                                     size_t number)
{
    return traces_live_tokens_get(&tokens->all, number);
}

/* --- numbers by key (tokens.c) ---------------------------------------------------------------- */

/* When a node was last so. */
struct causes_last_event {
    uint64_t node, time;
};

/* Stamps by key: a table of pairs of words, each key one more. */
/* A new one has the node CAUSES_NOTHING, as one that is not there. */
struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key);
struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key);
void causes_map_remove(struct lib_key_map *map, uint64_t key);

/* --- reading (follow.c) ------------------------------------------------------------- */

/* Who serves one after the other: the last served, and the last of a cycle before. */
struct causes_server {
    struct causes_last_event last, before;
    uint64_t until; /* a port is occupied */
    uint64_t instr; /* what a worker fired last */
};

/* A worker that copies, or did. */
struct causes_busy {
    uint64_t until, node;
};

/* The credits that a link has in a class; when it got one and had none. */
struct causes_credits {
    struct causes_last_event came;
    uint64_t count;
};

/* A credit that comes back, of this class of a link. */
struct causes_return {
    uint64_t time, node, at;
};

/* The last cycle in which the network lacked room in an input queue, + 1, and what gave some
 * then. */
struct causes_room {
    struct causes_last_event came;
    uint64_t lacked;
};

/* An operand that has had its turn in this cycle, and waits. */
struct causes_waiting {
    uint64_t key, cycle, node;
    uint64_t port;
};

struct analysis_causes {
    struct analysis_causes_machine machine;
    const struct isa_graph *graph;
    struct analysis_causes_wish wish;
    struct lib_paged nodes; /* causes_node, of the interval */
    uint64_t first;         /* the number of the first of these */
    uint64_t most;          /* from this number on nothing is remembered */
    bool is_odd;            /* an event cannot be */
    bool has_ended;
    struct traces_event end, odd;

    /* The state, which is packed. */
    struct causes_tokens tokens;
    struct lib_key_map sites;     /* activation: parent and site */
    struct lib_key_map touched;   /* activation: the last step that did something to it */
    struct lib_key_map loops;     /* parent and site: the last iteration begun or freed */
    struct lib_key_map copies;    /* activation: the PE of its copy */
    struct lib_key_map paths;     /* activation: its path, if a tag is looked for */
    struct traces_live_tags live; /* only for ANALYSIS_CAUSES_FROM_STATE; not packed */
    struct lib_key_map
        units; /* bank and tensor unit: the last kernel it started; when it is free */
    struct lib_key_map waits; /* node and activation: a place in `waiting`, + 1 */
    struct lib_key_map asks;  /* node and activation: the firing that waits for a port */
    LIB_VEC(struct causes_server) pes; /* turns; of an executor what a worker did */
    LIB_VEC(struct causes_server) links;
    LIB_VEC(struct causes_server) managers;
    LIB_VEC(struct causes_last_event)
    freed; /* of each function: the last activation freed */
    LIB_VEC(struct causes_last_event) uncopied; /* of each PE: the last copy freed, */
    LIB_VEC(struct causes_last_event) admitted; /* or APPLY let go */
    LIB_VEC(struct causes_busy) copiers;
    LIB_VEC(struct causes_waiting) waiting;
    /* Of finite buffers. */
    LIB_VEC(struct causes_last_event) firsts; /* of each buffer: what left it last */
    LIB_VEC(struct causes_busy) ports;        /* of each input link, into its router */
    LIB_VEC(struct causes_credits) credits;   /* of each class of each link */
    LIB_VEC(struct causes_return) returns;
    LIB_VEC(struct causes_room) rooms; /* of each PE */
    struct causes_fixed {
        uint64_t next;                        /* number of the next node */
        struct causes_last_event last;        /* node, but those of the lock */
        struct causes_last_event freed;       /* the last activation freed */
        uint64_t lock;                        /* the last node of one that has the lock */
        struct causes_busy copier;            /* that was free last */
        struct causes_last_event coordinator; /* the last that it served */
        struct causes_last_event
            unit_before; /* of the unit that starts a batch: what it ran before */
        uint64_t unit, unit_until;  /* its key in `units`; and when it is free again */
        uint64_t formed, formed_by; /* the latest result of a firing */
        uint64_t wished, wished_by; /* the last firing that is wished for */
        uint64_t writes;            /* OUTPUTs and STOREs that have fired */
        uint64_t formed_pe;
        uint64_t fed; /* the cycle of the last feed or close, and 1 more; 0: none */
        /* Of the step at hand. */
        uint64_t now;
        uint64_t step, fired; /* nodes; */
        uint64_t applied; /* an APPLY that was let go, and since when it was held back */
        uint64_t kept;
        uint32_t instr, port;
        uint32_t is_turn, way;
        uint16_t is_spilled, ships; /* the step sends the graph of its APPLY */
        uint16_t fetches;
        uint8_t carries; /* the step is a SEND or RECV */
        uint8_t alone;   /* it fires on its token alone */
        uint32_t tag, pe;
        uint32_t passed, channel; /* a token leaves its place for this link, */
        uint32_t from_channel;    /* out of this one */
    } f;
};

/* A node of the interval, to be read; NULL: it is in none. */
const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node);
void causes_take(void *context, const struct traces_event *events, size_t count);
void causes_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_start(struct analysis_causes *c);
void causes_release(struct analysis_causes *c);

/* --- pieces (pieces.c) -------------------------------------------------------------- */

/* Tells the time between a node and the one before, the last piece first. `lock`, or NULL: the
 * chain goes on with it, which is where the firing `before` has the lock. */
void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker);

#endif
