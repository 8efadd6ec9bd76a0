/* "Why: one cause for each cycle": what its modules share. */
#ifndef TESTS_ORACLE_WHY_H
#define TESTS_ORACLE_WHY_H

#include "tests/oracle/state.h"

/* How what a place needed came from the place before. */
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
    uint64_t time, before, since; /* since when its token was where it waited */
    enum came way;
    const char *cause;
    uint64_t others; /* cycles in which a router matched others, after `cause` */
    bool ships;      /* the token brought the graph of its APPLY */
    uint32_t node;
    unsigned pe, link; /* of what passes a link: that */
    /* of a firing, or of one that has the lock: */
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

/* Room at a PE for the network: the last cycle in which it lacked it, + 1; the turn that gave it
 * then. */
struct room {
    uint64_t lacked;
    struct stamp given;
};

struct why {
    LIB_VEC(struct place) places;
    struct server *turns, *units;
    struct server coordinator;
    LIB_VEC(struct stamp) tensor_units; /* by number: the last kernel that it started */
    uint64_t unit;                      /* the one that starts a batch, by number; */
    struct stamp unit_before; /* the last kernel of the batch that occupied it till now */
    struct server *links;     /* output ports, input ports, links between routers */
    struct room *rooms;
    struct stamp last_lock, *uncopied, *admitted, freed, *freed_of;
    LIB_VEC(struct copier) copiers;
    uint64_t step, fired, last;
    enum came way;
    bool is_turn;
    struct stamp tie;   /* an operand that had its turn in this cycle, and is lower */
    uint64_t admits;    /* an APPLY that goes on, till it is copied; */
    uint64_t kept;      /* since when it waited, */
    bool admits_lacked; /* and whether it lacked room */
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

/* chain.c */
void oracle_why_walk(struct oracle *o);

/* causes.c */
uint64_t oracle_why_place(struct oracle *o, enum oracle_place kind,
                          const struct instr *instr, unsigned pe);
/* The token came last; or it was a resource, with another place. */
void oracle_why_by_token(struct oracle *o, uint64_t place, const struct token *t,
                         const char *cause);
void oracle_why_by_resource(struct oracle *o, uint64_t place, uint64_t before,
                            const char *cause);
void oracle_why_serve(struct oracle *o, struct server *s, uint64_t place);

/* buffers.c: a turn takes a token from an input queue */
void oracle_why_gives_room(struct oracle *o, unsigned pe, uint64_t place);

#endif
