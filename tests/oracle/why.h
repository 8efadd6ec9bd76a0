/* Shared declarations for "Why: one cause for each cycle" (doc/model.md). */
#ifndef TESTS_ORACLE_WHY_H
#define TESTS_ORACLE_WHY_H

#include "tests/oracle/state.h"

/* Way from one action in the chain of causes to the next. */
enum came {
    START,
    SENT,
    ANSWER,
    HELD,
    REQUEST,
    GRAPH,
    FETCHES,
    LEAVES,
    PORT,
    STEP,
    RESOURCE
};

struct place {
    enum oracle_place kind;
    uint64_t time, before, since; /* `since`: when its token began to wait */
    enum came way;
    const char *cause;
    uint64_t others; /* cycles in which a router matched other tokens meanwhile */
    bool ships;      /* the token carried the graph of an APPLY */
    uint32_t node;
    unsigned pe, link; /* PE of the action; link that the token passes */
    /* Members from here on are for firings, and for workers that have a lock. */
    bool fires;
    const struct instr *instr;
    uint64_t formed, slower, intern, spill, copy, lock;
};

struct server {
    struct stamp last, before;
};

struct copier {
    uint64_t until, place;
};

/* Room at a PE for tokens from the network: last cycle without room, plus 1, and the action that
 * then made room. */
struct room {
    uint64_t lacked;
    struct stamp given;
};

struct why {
    LIB_VEC(struct place) places;
    struct server *turns, *units, *issues;
    LIB_VEC(struct stamp) counted[ISA_UNIT_COUNT]; /* last token of each counted unit */
    struct server coordinator;
    LIB_VEC(struct stamp) tensor_units; /* last kernel that each tensor unit started */
    /* Number of the tensor unit that starts a batch. */
    uint64_t unit;
    struct stamp unit_before; /* last kernel of the unit's batch before that */
    /* Queueing stations: output ports, then input ports, then links between routers. */
    struct server *links;
    struct room *rooms;
    struct stamp *last_lock; /* of each machine */
    struct stamp *uncopied, *admitted, freed, *freed_of;
    LIB_VEC(struct copier) copiers;
    uint64_t step, fired, last;
    enum came way;
    bool is_turn;
    struct stamp tie;   /* action of the partner operand issued in this cycle */
    uint64_t admits;    /* action of the APPLY that continues, until it is copied */
    uint64_t kept;      /* time when that APPLY began to wait */
    bool admits_lacked; /* that APPLY lacked room */
    uint64_t slower, intern, spill;
    uint64_t formed, formed_by;
    unsigned formed_pe;
};

static const struct stamp never = {NOWHERE, 0};

static inline struct place *place_at(struct oracle *o, uint64_t place)
{
    return &o->why->places.items[place];
}

static inline struct stamp now(const struct oracle *o, uint64_t place)
{
    return (struct stamp){place, o->now};
}

/* --- chain.c --- */
void oracle_why_walk(struct oracle *o);

/* --- causes.c --- */
uint64_t oracle_why_place(struct oracle *o, enum oracle_place kind,
                          const struct instr *instr, unsigned pe);
/* Set why an action was not earlier: it needed token `t`, or a resource that action `before`
 * used. */
void oracle_why_by_token(struct oracle *o, uint64_t place, const struct token *t,
                         const char *cause);
void oracle_why_by_resource(struct oracle *o, uint64_t place, uint64_t before,
                            const char *cause);
void oracle_why_serve(struct oracle *o, struct server *s, uint64_t place);

/* --- buffers.c: a turn takes a token from an input queue --- */
void oracle_why_gives_room(struct oracle *o, unsigned pe, uint64_t place);

#endif
