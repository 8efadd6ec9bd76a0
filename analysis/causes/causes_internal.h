/* Data shared by the files of analysis/causes. A "node" is a step of the run (struct causes_node),
 * not of the graph. */
#ifndef ANALYSIS_CAUSES_INTERNAL_H
#define ANALYSIS_CAUSES_INTERNAL_H

#include "analysis/causes/causes.h"
#include "lib/key_map.h"
#include "lib/pack.h"
#include "lib/paged.h"
#include "lib/state_table.h"
#include "traces/live_tags.h"
#include "traces/live_tokens.h"

/* stored instead of the number of a step if there is no step */
#define CAUSES_NOTHING UINT64_MAX

/* Kind of dependence of a step of the run on an earlier step, `before`. */
enum causes_way {
    CAUSES_BY_START, /* no dependence: the instruction starts the run */
    CAUSES_BY_SENT,  /* step `before`, a firing, sent the token */
    /* step `before`, a firing, answered a deferred read with the token */
    CAUSES_BY_ANSWER,
    /* step `before`, a HOLD, released the token, which had waited for the constant of the HOLD */
    CAUSES_BY_HELD,
    CAUSES_BY_REQUEST, /* step `before` sent the request */
    /* in step `before`, the coordinator (machine/pe/coordinator.h) sent the APPLY and its
     * graph to a PE */
    CAUSES_BY_GRAPH,
    /* step `before` sent the message for a tensor, or a kernel that waited for one */
    CAUSES_BY_FETCH,
    CAUSES_BY_RELEASE, /* step `before` sent the release message */
    CAUSES_BY_PORT,    /* the token passed a port or link in step `before` */
    CAUSES_BY_STEP,    /* the token was queued or held since step `before` */

    /* The step waited for a resource (slot, identifier, worker) that step `before` used or freed.
     * Member `cause` is the cause of all cycles since then, except the last `wait` cycles: the
     * cause of these is that a port was occupied. */
    CAUSES_BY_RESOURCE,
};

/* A step of the run, which may become a link of the causal chain. The cycles since step `before`
 * are those that the dependence `way` takes, then `wait` cycles with the cause `cause`. Kept small,
 * as memory holds a node for each token taken between two snapshots. */
struct causes_node {
    uint64_t time;
    /* number of the step that this one depends on; CAUSES_NOTHING: start of the run */
    uint64_t before;
    uint64_t wait;
    uint64_t formed; /* cycle in which the tokens or messages of the step are formed */
    union {
        /* With an executor's workers: number of the step in which the firing gets the lock, or
         * CAUSES_NOTHING. */
        uint64_t lock;
        /* With PEs. Shares its bytes with `lock`: if both members are TRACES_NONE, `lock` is
         * CAUSES_NOTHING. */
        struct {
            /* index of the queue, link or buffer that was full; TRACES_NONE: none */
            uint32_t place;
            /* index of the network port or link that the token enters; TRACES_NONE: none */
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
    CAUSES_SENT, /* sent; it is formed in cycle `when` */
    /* on link `place` until cycle `when`; on its way to another executor, `place` is the worker
     * that sent it */
    CAUSES_PASSING,
    CAUSES_BEFORE,   /* in the queue before link `place` */
    CAUSES_FAULTED,  /* held by a fault after link `place` */
    CAUSES_BEHIND,   /* in a buffer after link `place` */
    CAUSES_QUEUED,   /* in input queue `place`, or in a queue of an executor */
    CAUSES_SELECTED, /* taken out of an input queue or an executor's queue */
    /* held back by the machine; `place` is the reason, an enum traces_outcome */
    CAUSES_KEPT,
};

/* Plus the number of an executor: value of `place` in struct causes_token that means its common
 * queue. Other values are indices of workers, each of which has a queue. */
enum { CAUSES_READY = 0x80000000 };

/* A live token. Events look tokens up often, so that a token fills a cache line and begins with its
 * key. */
struct causes_token {
    struct traces_live_token name;
    /* for CAUSES_SENT, the PE that sent the token; else see enum causes_where */
    uint32_t place;
    uint32_t to;       /* destination PE */
    uint8_t where : 7; /* enum causes_where */
    uint8_t ships : 1; /* whether the token carries a graph for an APPLY */
    uint8_t channel;   /* network channel of the buffer that the token goes to or is in */
    uint8_t way : 4;   /* enum causes_way: how the token's next step depends on `node` */
    /* kind of the full place `pressed_place`: enum traces_place */
    uint8_t pressed_kind : 3;
    uint8_t pressed_channel; /* network channel, if `pressed_place` is a buffer */
    uint32_t pressed_place;  /* index of the full place that blocked the token */
    uint64_t when;           /* cycle in which the token was formed or arrived */
    uint64_t node;           /* number of the step that last sent or moved the token */
    /* increases with each arrival of a token anywhere: gives their order */
    uint64_t serial;
    union {
        uint64_t pressed; /* 1 + last cycle in which `pressed_place` was full; 0: never */
        /* for CAUSES_FAULTED, the cycle until which the fault holds the token; UINT64_MAX: until
         * others have arrived, or nothing else can proceed */
        uint64_t held_until;
    };
};
static_assert(sizeof(struct causes_token) == 64, "a line of a cache");

/* The live tokens. Those of equal key (instruction, operand and tag) are in the order of
 * arrival. */
struct causes_tokens {
    struct traces_live_tokens all;
    uint64_t serial; /* `serial` of the next token that arrives somewhere */
};

/* Conditions of a search for a token. */
struct causes_sought {
    uint32_t where, place;
    bool any_place;
    uint32_t to;   /* destination PE of the token; TRACES_NONE: any */
    bool has_when; /* whether the token must arrive in cycle `when` */
    /* tokens to another PE arrive `latency` cycles after they were formed */
    uint64_t when, latency;
    /* whether the token must stay at the PE that sent it; must go to another PE */
    bool stays, leaves;
    bool has_channel; /* whether the token must be in network channel `channel` */
    uint32_t channel;
    uint64_t held_until; /* of the token, if a fault holds it; 0: any */

    /* links of the network; if not NULL, the token must have passed one that leads to `router` */
    const struct traces_network_link *links;
    uint32_t router;

    /* which of several matching tokens to find: the newest; the one with the lowest `place`; if
     * neither is set, the first */
    bool newest, least_place;
};

void causes_tokens_start(struct causes_tokens *tokens);
void causes_tokens_pack(struct lib_pack *pack, struct causes_tokens *tokens);
struct causes_token *causes_tokens_add(struct causes_tokens *tokens,
                                       const struct traces_event *event);
/* Moves a token to `place` (its kind is `where`), from cycle `when`. There the token is behind
 * others of equal key. Returns the token. */
struct causes_token *causes_tokens_move(struct causes_tokens *tokens,
                                        struct causes_token *token, uint32_t where,
                                        uint32_t place, uint64_t when);

/* Returns the token with index `number`, or NULL. */
static inline struct causes_token *causes_tokens_get(const struct causes_tokens *tokens,
                                                     size_t number)
{
    return traces_live_tokens_get(&tokens->all, number);
}

/* For a sent token, `place` is the PE that sent it. */
static inline bool causes_is_sought(const struct causes_token *t,
                                    const struct causes_sought *s)
{
    const bool stays = t->where == CAUSES_SENT && t->place == t->to;
    const bool is_open = s->links && s->links[t->place].is_open;
    if (!(s->any_place || t->place == s->place) ||
        (s->held_until && t->held_until != s->held_until) ||
        (s->to != TRACES_NONE && t->to != s->to) || (s->stays && !stays) ||
        (s->leaves && stays) || (s->has_channel && t->channel != s->channel) ||
        (s->links && !is_open && s->links[t->place].to != s->router))
        return false;
    return !s->has_when || is_open || t->when + (stays ? 0 : s->latency) == s->when;
}

/* Returns a token that meets the conditions and has the instruction, operand and tag of an event;
 * NULL if there is none. Inlined, as most conditions are constant where it is called. */
__attribute__((always_inline)) static inline struct causes_token *
causes_tokens_find(struct causes_tokens *t, const struct traces_event *e,
                   const struct causes_sought *sought)
{
    struct traces_token_search search = traces_live_tokens_search(&t->all, e->instr,
                                                                  e->tag, e->port);
    struct causes_token *found = NULL, *token;
    while ((token = traces_live_tokens_next(&t->all, &search))) {
        if (token->where != sought->where || !causes_is_sought(token, sought))
            continue;
        if (!found || sought->newest ||
            (sought->least_place && token->place < found->place))
            found = token;
        if (!sought->newest && !sought->least_place)
            break;
    }
    return found;
}

/* --- last steps by key (tokens.c) ------------------------------------------------------------- */

/* The last step that did some thing, such as freeing an activation: `node` is its number, or
 * CAUSES_NOTHING if there was none; `time` is its cycle. */
struct causes_last_event {
    uint64_t node, time;
};

/* Return the last step stored for a key. If the key is missing, its `node` is CAUSES_NOTHING, and
 * causes_map_at also adds the key. The map stores key + 1, as it uses 0 for a free entry. */
struct causes_last_event *causes_map_at(struct lib_key_map *map, uint64_t key);
struct causes_last_event causes_map_get(const struct lib_key_map *map, uint64_t key);
void causes_map_remove(struct lib_key_map *map, uint64_t key);
void causes_map_pack(struct lib_pack *pack, struct lib_key_map *map);

/* --- reading (follow.c) ------------------------------------------------------------- */

/* A server handles one step after another: a PE, a worker of an executor, a network port or link,
 * or a tag manager. */
struct causes_server {
    struct causes_last_event last;   /* last step served */
    struct causes_last_event before; /* last step served in an earlier cycle */
    uint64_t until;                  /* cycle until which a port or link is occupied */
    uint64_t instr;                  /* instruction that a worker fired last */
};

/* A worker that copies graphs for calls, or a router port: `until` is the cycle in which it becomes
 * free, and `node` the last step that it served. */
struct causes_busy {
    uint64_t until, node;
};

/* The credits of a link for a traffic class: `count` are left. `came` is the last step that
 * returned a credit when none was left. */
struct causes_credits {
    struct causes_last_event came;
    uint64_t count;
};

/* A credit on its way back to its link: step `node` returned it, it arrives in cycle `time`, and
 * `at` is its index into `credits`. */
struct causes_return {
    uint64_t time, node, at;
};

/* Room in the input queue of a PE. `lacked` is 1 + the last cycle in which the queue was full for a
 * token from the network. `came` is the step that made room in such a cycle. */
struct causes_room {
    struct causes_last_event came;
    uint64_t lacked;
};

/* An operand that was taken in this cycle and waits for its partner. */
struct causes_waiting {
    uint64_t key, cycle, node;
    uint64_t port;
};

/* Numbers of an analysis that are in its snapshots. */
struct causes_fixed {
    uint64_t next; /* number of the next step */
    /* last step, except those in which a worker gets the executor's lock */
    struct causes_last_event last;
    struct causes_last_event freed; /* step that last freed an activation */
    uint64_t lock;                  /* last step in which a worker got a lock of frames */
    /* of the workers that copy graphs for calls, the one that became free last */
    struct causes_busy copier;
    /* last step that the coordinator (machine/pe/coordinator.h) served */
    struct causes_last_event coordinator;
    /* for the tensor unit that last started a batch of kernels (event BATCH): the last kernel
     * that it executed before that batch */
    struct causes_last_event unit_before;
    /* tensor unit that last started a batch of kernels, as a key of `units`; cycle in which the
     * batch ends */
    uint64_t unit, unit_until;
    /* latest cycle in which a result was formed; the step that formed it */
    uint64_t formed, formed_by;
    /* like formed and formed_by, but of the last firing that satisfies `wish` */
    uint64_t wished, wished_by;
    /* number of firings of OUTPUTs, STOREs and ROWs, which write the result */
    uint64_t writes;
    uint64_t formed_pe;
    /* 1 + cycle in which the host last fed or closed a port; 0: never */
    uint64_t fed;

    /* The members from here on are of the current event and its step. */
    uint64_t now;
    /* number of the current step; number of the step that fires */
    uint64_t step, fired;
    /* number of the step, if it releases an APPLY; else CAUSES_NOTHING */
    uint64_t applied;
    uint64_t kept; /* cycle since which the token was held back */
    uint32_t instr, port;
    uint32_t is_turn, way;
    uint16_t is_spilled;
    uint16_t ships;   /* whether the step sends a graph for an APPLY */
    uint16_t fetches; /* whether the step sends messages for tensors */
    /* whether the step is a SEND or RECV, which emit no event FIRED */
    uint8_t carries;
    /* whether the instruction fires on this token alone, without matching */
    uint8_t alone;
    uint32_t tag, pe;
    /* index of the link, and channel, that the token enters */
    uint32_t passed, channel;
    uint32_t from_channel; /* channel of the buffer that the token leaves */
    uint32_t released; /* whether a fault has just released the token that enters next */
    uint64_t held_until; /* like that of a token; of the last message with a fault */
};

/* Members of an analysis that are in its snapshots (lib/state_table.h). */
#define CAUSES_FIELDS(F)                                                                  \
    F(CAUSES_TOKENS, tokens)                                                              \
    /* an activation: its parent activation and call site, as one number */               \
    F(CAUSES_MAP, sites)                                                                  \
    /* an activation: the last step that affected it */                                   \
    F(CAUSES_MAP, touched)                                                                \
    /* (parent activation, site of a loop): last step that began or freed an iteration */ \
    F(CAUSES_MAP, loops)                                                                  \
    /* an activation: the PE that has its copy of the graph */                            \
    F(CAUSES_MAP, copies)                                                                 \
    /* an activation: the hash of its tag's labels; with ANALYSIS_CAUSES_FROM_TAG only */ \
    F(CAUSES_MAP, paths)                                                                  \
    /* (bank, tensor unit): step of its last kernel, and the cycle in which that ends */  \
    F(CAUSES_MAP, units)                                                                  \
    /* a counted function unit of a PE: step of its last instruction, and the cycle in */ \
    /* which it takes the next one */                                                     \
    F(CAUSES_MAP, counted)                                                                \
    /* (instruction, activation): index into `waiting` of the operand that waits */       \
    F(CAUSES_MAP, waits)                                                                  \
    /* (instruction, activation): its firing that waits for the host to feed a port */    \
    F(CAUSES_MAP, asks)                                                                   \
    F(VEC, struct causes_server, pes) /* one per PE, or per worker of an executor */      \
    /* per executor of a divided program: last step in which a worker got its lock */     \
    F(VEC, uint64_t, locks)                                                               \
    F(VEC, struct causes_server, links)                                                   \
    F(VEC, struct causes_server, managers)                                                \
    F(VEC, struct causes_server, issues) /* per PE with an issue queue */                 \
    /* per function: step that last freed an activation */                                \
    F(VEC, struct causes_last_event, freed)                                               \
    /* per PE: step that last freed a copy of a graph */                                  \
    F(VEC, struct causes_last_event, uncopied)                                            \
    /* per PE: last APPLY that was released to copy its graph */                          \
    F(VEC, struct causes_last_event, admitted)                                            \
    F(VEC, struct causes_busy, copiers)                                                   \
    F(VEC, struct causes_waiting, waiting)                                                \
    /* The next five are for networks with finite buffers. */                             \
    /* per buffer: step in which a token last left it */                                  \
    F(VEC, struct causes_last_event, firsts)                                              \
    F(VEC, struct causes_busy, ports)      /* per link: ports of the router behind it */  \
    F(VEC, struct causes_credits, credits) /* per link and traffic class */               \
    F(VEC, struct causes_return, returns)                                                 \
    F(VEC, struct causes_room, rooms) /* per PE: room in its input queue */               \
    F(NUMBER, struct causes_fixed, f)

#define LIB_STATE_CAUSES_TOKENS(DO, name)                                                \
    DO(struct causes_tokens name;, causes_tokens_pack(pack, &s->name);                   \
       , , traces_live_tokens_free(&s->name.all);)
#define LIB_STATE_CAUSES_MAP(DO, name)                                                   \
    DO(struct lib_key_map name;, causes_map_pack(pack, &s->name);                        \
       , , lib_key_map_free(&s->name);)

struct analysis_causes {
    struct traces_machine machine;
    struct traces_network *network; /* owned */
    const struct isa_graph *graph;
    struct analysis_causes_wish wish;
    struct lib_paged nodes; /* steps since the current snapshot: struct causes_node */
    uint64_t first;         /* number of the first step that `nodes` contains */
    uint64_t most;          /* number of the step from which on steps are not kept */
    /* whether an event was invalid (no machine can emit it); `odd` is the event */
    bool is_odd;
    bool has_ended;
    struct traces_event end, odd;
    /* live activations; used with ANALYSIS_CAUSES_FROM_STATE only */
    struct traces_live_tags live;
    CAUSES_FIELDS(LIB_STATE_MEMBER)
};

/* Returns the step with number `node`, to read it; NULL if it is not in memory. */
const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node);
void causes_take(void *context, const struct traces_event *events, size_t count);
void causes_pack(struct lib_pack *pack, struct analysis_causes *c);
void causes_start(struct analysis_causes *c);
void causes_release(struct analysis_causes *c); /* leaves the state empty */

/* --- queues.c ------------------------------------------------------------------------------ */

struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind);

/* Records that `node` depends on the last step of its token `t`, and that `cause` is the cause of
 * the time since `t` arrived. */
void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause);

/* Records that `node` depends on the step `before`, and that `cause` is the cause of the time since
 * then. */
void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause);

/* Returns the cause of a wait for an issue slot of a PE, until `cycle`: the slot, or a fault that
 * stopped the PE. `before`: what was served before. */
enum analysis_cause causes_of_slot(const struct analysis_causes *c, uint32_t pe,
                                   uint64_t cycle, const struct causes_token *t,
                                   struct causes_last_event before);

/* Records which was later: the arrival of token `t` (causes_came) or the step `before`
 * (causes_waited). */
void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause);
void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node);
struct causes_last_event causes_served_before(const struct causes_server *s,
                                              uint64_t now);
bool causes_lacked(const struct causes_token *t, struct causes_last_event served);

/* Records that `node` waited for room in `place`, whose kind is `kind`. `node` then depends on the
 * step that made room, if that was in cycle `since` or later; else on the last step of token
 * `t`. */
void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since);
struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place);
struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where);

/* Returns a token that was sent to PE `pe` and arrives in the cycle of event `e`; or NULL. */
struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe);

/* Notes when a token that a worker sent comes to another executor. */
void causes_travel(struct analysis_causes *c, const struct traces_event *e);
void causes_enter(struct analysis_causes *c, const struct traces_event *e);
void causes_leave(struct analysis_causes *c, const struct traces_event *e);
void causes_lack(struct analysis_causes *c, const struct traces_event *e);

/* Returns the cycle in which token `t` will leave link `at`, which it enters by event `e`. */
uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t);

/* --- routers.c: networks of finite buffers ------------------------------------------------- */

void causes_pass(struct analysis_causes *c, const struct traces_event *e);
void causes_fault(struct analysis_causes *c, const struct traces_event *e);

/* Handles that a token leaves the buffer of a router, or the queue before a PE's link into the
 * network. */
void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e);
void causes_blocked(struct analysis_causes *c, const struct traces_event *e);

/* Notes that step `number` took a token out of the input queue of PE `pe`. If a token from the
 * network was blocked by the full queue in this cycle, this step made room for it. */
void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number);
void causes_routers_start(struct analysis_causes *c);

/* --- release.c: tokens that are released --------------------------------------------------- */

struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t);

/* Notes that a tensor unit starts a batch of kernels. The events after `e` release these
 * kernels. */
void causes_batch(struct analysis_causes *c, const struct traces_event *e);
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe);
void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until,
                   uint64_t node);

/* --- follow.c ------------------------------------------------------------------------------ */

/* Returns the step with number `node`, to change it; NULL if it is not in memory. */
struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node);

/* Notes that event `e` is one that the machine cannot emit. */
void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e);

/* Whether step `stamp` is in cycle `when` or later. The same cycle counts, as a resource freed in a
 * cycle is usable from the next one on. */
static inline bool causes_is_after(struct causes_last_event stamp, uint64_t when)
{
    return stamp.node != CAUSES_NOTHING && stamp.time >= when;
}

/* --- pieces (pieces.c) -------------------------------------------------------------- */

/* Divides the time between the steps `before` and `node` into pieces, and passes them to the
 * walker, the last piece first. If the firing `before` needed the lock of the executor, `lock` is
 * the step in which it got the lock, and with which the chain continues; else NULL. */
void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker);

#endif
