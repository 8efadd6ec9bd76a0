/* Parts of a machine that hold tokens, and the two kinds of machine.
 *
 * A part answers for itself: it says when it next has something to do, and what it waits for when
 * nothing goes on any more. Time goes on to the least of these cycles (machine/machine.c), and what
 * is in between is skipped. So a new part is a file and its rows in machine/parts.def. A
 * function that a part does not need is NULL.
 *
 * In each cycle first all parts are served, in the order of the table; then, in the same order,
 * what waited goes on; then the tokens of the cycle are issued. */
#ifndef MACHINE_PART_H
#define MACHINE_PART_H

#include "isa/exec/exec.h"
#include "traces/events.h"
#include "traces/stats.h"

#include <stddef.h>
#include <string.h>

struct machine;
struct machine_audit;
struct lib_pack;

/* A cycle that never comes. */
#define MACHINE_NEVER UINT64_MAX

/* A thing that a part waits for. A run that is quiet ends because of the first one in this
 * order. */
struct machine_wait {
    enum {
        MACHINE_WAITS_FOR_ROOM,   /* in a queue */
        MACHINE_WAITS_FOR_STORE,  /* room in a store */
        MACHINE_WAITS_FOR_NUMBER, /* of a tag */
        MACHINE_WAITS_FOR_NOTHING,
    } what;
    const char *setting; /* setting that bounds it */
};

#define MACHINE_WAITS_FOR(thing, setting)                                                \
    ((struct machine_wait){MACHINE_WAITS_FOR_##thing, setting})

/* --- gates ---------------------------------------------------------------------------------- */

/* The gates of machine/parts.def, in the order in which an issued token comes to those that its run
 * has. A token that waited at a gate and is released continues behind that gate, except an APPLY
 * that waited for a copy: it needs an identifier again. */
enum machine_gate_place {
#define GATE(NAME) MACHINE_GATE_##NAME,
#include "machine/parts.def"
    MACHINE_GATE_COUNT,
};

/* The answer of a gate about a token. */
enum machine_verdict {
    MACHINE_GATE_OPENS, /* the token continues: to the next gate, or fires */
    MACHINE_GATE_HOLDS, /* the part of the gate keeps the token until it releases it */
    MACHINE_GATE_SENDS, /* the token goes to PE `to`, as a request */
    MACHINE_GATE_TRAPS, /* the instruction traps: `trap` */
    MACHINE_GATE_STOPS, /* the gate has ended the run */
};

/* A token on its way through the gates. */
struct machine_passage {
    const struct isa_token *token;
    const struct isa_instr *instr;
    uint64_t extra;           /* cycles that gates add to those of the firing */
    enum traces_outcome how;  /* for events, of a token that does not continue */
    uint32_t to;              /* PE; MACHINE_GATE_SENDS only */
    enum isa_trap trap;       /* MACHINE_GATE_TRAPS only */
    struct isa_token changed; /* a token that a gate changed; `token` points here then */
};

/* Tokens that an issue makes, and the PE to which they go. */
struct machine_made {
    uint32_t count, pe_number;
};

typedef enum machine_verdict machine_ask(struct machine *m,
                                         struct machine_passage *passage);

/* With finite queues, before a token is issued: returns true if its gate will not open, and sets
 * what is then made. */
typedef bool machine_foresee(struct machine *m, const struct isa_token *t,
                             struct machine_made *made);

/* A gate of a part: tokens of some opcodes ask it before they fire. */
struct machine_gate {
    enum machine_gate_place place;
    /* Whether tokens of an opcode must ask. Called once per run, when all parts are made. */
    bool (*concerns)(const struct machine *m, enum isa_op op);
    machine_ask *ask;
    machine_foresee *foresee; /* NULL: as if the gate opened */
};

enum { MACHINE_MAX_GATES = 2 }; /* of one part */

/* --- parts ---------------------------------------------------------------------------------- */

/* Fails to compile when a struct gets another size that is packed here: what was added must be
 * packed, or follow from code, settings and seed. Then the size here is to be changed, and
 * MACHINE_CHECKPOINT_FORMAT if more is packed. */
#define MACHINE_PACKS_ALL(type, bytes)                                                   \
    _Static_assert(sizeof(void *) != 8 || sizeof(struct type) == (bytes),                \
                   "pack all of struct " #type)

/* The state of a part: a struct that a member of struct machine points to. Part of the initialiser
 * of struct machine_part. */
#define MACHINE_PART_STATE(member)                                                       \
    .state_at = offsetof(struct machine, member),                                        \
    .state_size = sizeof *((struct machine *)NULL)->member

struct machine_part {
    /* MACHINE_PART_STATE. The state is allocated, all zeros, before the part is made, and NULL in a
     * machine that does not have the part. Size 0: the part has no such state. */
    size_t state_at, state_size;

    /* Makes it; false: this machine has none. Wheels are made when all parts are. */
    bool (*make)(struct machine *m);
    void (*free)(struct machine *m);

    /* Empties what the part holds, and hands the memory of growing arrays to `start`, the
     * machine as it was before its run, which then replaces `m` (machine_reset). What `m` merely
     * counts is thereby as it was. NULL: the part is freed and made again. */
    void (*reset)(struct machine *m, struct machine *start);

    /* Takes what has arrived, and forwards it as far as possible. */
    void (*serve)(struct machine *m);

    /* Gates of the part; NULL after the last one. */
    const struct machine_gate *gates[MACHINE_MAX_GATES];

    /* Releases the tokens that waited at a gate and can continue, by the `pass` of the machine's
     * kind. Returns false if the run has ended. Only for parts that the plain engine does not
     * know. */
    bool (*resume)(struct machine *m);

    /* A token that has passed its gates is about to fire, or to wait for its partner. Returns the
     * cycles that its firing takes more than its opcode does. Called for the opcodes that `begins`
     * names, once per run. Only for parts that the plain engine does not know. */
    uint64_t (*begin_firing)(struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr);
    bool (*begins)(const struct machine *m, enum isa_op op);

    /* Acts after all tokens of a cycle were issued. Returns false if the run has ended. Only for
     * parts that the plain engine does not know. */
    bool (*finish)(struct machine *m);

    /* A cycle has ended. The next one in which it has something to do, which is not over, if
     * nothing else happens till then. What waits for room can go on when something has moved
     * (machine_can_go_on). */
    uint64_t (*next)(struct machine *m);

    /* Nothing else can go on: it does so in the next cycle, beyond its bounds; false: it does
     * not. */
    bool (*insist)(struct machine *m);

    /* Nothing can go on any more. */
    struct machine_wait (*waits)(const struct machine *m);

    /* Updates the peaks of what the part holds, at the end of a cycle. */
    void (*observe)(struct machine *m);

    /* Writes statistics of the part (OWNER in traces/stats.def) that are more than a count in
     * struct traces_part_counts, when the cycles before stats->cycles are over. The statistics of a
     * part that a machine does not have stay 0. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);

    /* Between two cycles: all that it holds and counts (machine/checkpoint.h). To be read, it has
     * just been made. */
    void (*pack)(struct lib_pack *pack, struct machine *m);

    /* For machine/verify/verify.h: shows all its tokens; when all parts have, checks what it
     * counts. */
    void (*show)(const struct machine *m, struct machine_audit *found);
    void (*check)(const struct machine *m, struct machine_audit *found);

    bool is_plain; /* the plain engine knows it */
};

/* The state of a part of a machine, and its replacement. */
static inline void *machine_part_state(const struct machine *m,
                                       const struct machine_part *part)
{
    void *state;
    memcpy(&state, (const char *)m + part->state_at, sizeof state);
    return state;
}

static inline void machine_part_set_state(struct machine *m,
                                          const struct machine_part *part, void *state)
{
    memcpy((char *)m + part->state_at, &state, sizeof state);
}

/* A kind of machine: PEs (machine/machine.c), or an executor
 * (machine/engine/executor.c). */
struct machine_kind {
    const struct machine_part *const *parts; /* in order; NULL at the end */
    void (*make)(struct machine *m);         /* when the parts are made */
    void (*start)(struct machine *m); /* puts the tokens of the start in; or NULL */
    void (*free)(struct machine *m);
    void (*reset)(struct machine *m, struct machine *start); /* as a part does */

    /* As machine_advance_to and machine_next. */
    bool (*advance)(struct machine *m, uint64_t cycle, uint64_t tokens);
    uint64_t (*next)(const struct machine *m);
    void (*show)(const struct machine *m,
                 struct machine_audit *found); /* as a part does */
    void (*check)(const struct machine *m, struct machine_audit *found);
    void (*pack)(struct lib_pack *pack, struct machine *m); /* what no part does */

    /* A token that waited at a gate asks the gates behind that one, as if it were issued now, and
     * fires or waits. Its firing takes `extra` cycles more. Returns false if the run has ended. */
    bool (*pass)(struct machine *m, const struct isa_token *t,
                 enum machine_gate_place behind, uint64_t extra);

    /* Cycles that PEs or workers were busy, up to a time at which nothing has begun yet. */
    uint64_t (*busy)(const struct machine *m, uint64_t time);

    /* Sets the statistics in which kinds of machines differ. The counts of PEs are set already,
     * except `busy` and `turns`. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);
};

#define PART(name) extern const struct machine_part machine_##name##_part;
#include "machine/parts.def"

/* Size of the tables of parts, with the NULL at the end. */
enum { MACHINE_MAX_PARTS = 20 };

/* Checks at compile time that a table of parts is no longer than that. */
#define MACHINE_ASSERT_PARTS(table)                                                      \
    _Static_assert(sizeof(table) / sizeof *(table) <= MACHINE_MAX_PARTS,                 \
                   "raise MACHINE_MAX_PARTS")

#endif
