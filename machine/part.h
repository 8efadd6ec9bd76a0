/* Parts of a machine that can hold tokens, such as the network or the tag manager; and the two
 * kinds of machine, PEs or an executor.
 *
 * A part says when it next has something to do, and what it waits for when nothing can proceed.
 * Time advances to the earliest of these cycles (machine/machine.c). So a new part is a file and
 * its rows in machine/parts.def. A function that a part does not need is NULL.
 *
 * In each cycle, first all parts are served, in the order of the table; then, in the same order,
 * tokens that waited are released; then the tokens of the cycle are issued. */
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

/* The thing that a part waits for. When nothing can happen any more, the first in this order is the
 * reason for the end of the run. */
struct machine_wait {
    enum {
        MACHINE_WAITS_FOR_ROOM,   /* room in a queue */
        MACHINE_WAITS_FOR_STORE,  /* room in a store */
        MACHINE_WAITS_FOR_NUMBER, /* an identifier of a tag */
        MACHINE_WAITS_FOR_NOTHING,
    } what;
    const char *setting; /* key of the setting that limits it */
};

#define MACHINE_WAITS_FOR(thing, setting)                                                \
    ((struct machine_wait){MACHINE_WAITS_FOR_##thing, setting})

/* --- gates ---------------------------------------------------------------------------------- */

/* The gates of machine/parts.def, in the order in which an issued token asks them. A token that a
 * gate held and releases continues behind that gate, except an APPLY that waited for a copy, which
 * needs an identifier again. */
enum machine_gate_place {
#define GATE(NAME) MACHINE_GATE_##NAME,
#include "machine/parts.def"
    MACHINE_GATE_COUNT,
};

/* Answer of a gate about a token. */
enum machine_verdict {
    MACHINE_GATE_OPENS, /* the token continues: to the next gate, or fires */
    MACHINE_GATE_HOLDS, /* the part keeps the token until it releases it */
    MACHINE_GATE_SENDS, /* the token goes to PE `to` through the network, as a request */
    MACHINE_GATE_TRAPS, /* the instruction traps, for the reason in `trap` */
    MACHINE_GATE_STOPS, /* the gate has ended the run */
};

/* A token that is asking the gates. */
struct machine_passage {
    const struct isa_token *token;
    const struct isa_instr *instr;
    uint64_t extra;          /* cycles that gates add to its firing */
    enum traces_outcome how; /* outcome for events, if the token does not continue */
    uint32_t to;             /* MACHINE_GATE_SENDS: PE */
    enum isa_trap trap;      /* MACHINE_GATE_TRAPS: the trap */
    /* Copy of a token that a gate changed, to which `token` then points. */
    struct isa_token changed;
};

/* Number of tokens that an issue makes, and the PE to which they go. */
struct machine_made {
    uint32_t count, pe_number;
};

typedef enum machine_verdict machine_ask(struct machine *m,
                                         struct machine_passage *passage);

/* With finite queues, before a token is issued: returns true if its gate will not open, and sets
 * *made to what it then sends. */
typedef bool machine_foresee(struct machine *m, const struct isa_token *t,
                             struct machine_made *made);

/* A gate of a part: a question that tokens of some opcodes ask before they fire. */
struct machine_gate {
    enum machine_gate_place place;
    /* Whether tokens of an opcode must ask the gate. Called once per run, when all parts are
     * made. */
    bool (*concerns)(const struct machine *m, enum isa_op op);
    machine_ask *ask;
    machine_foresee *foresee; /* NULL: the gate is assumed to open */
};

enum { MACHINE_MAX_GATES = 2 }; /* max gates of a part */

/* --- parts ---------------------------------------------------------------------------------- */

/* Fails to compile if the size of a packed struct changes. A new member must be packed or follow
 * from code, settings and seed. Then change the size, and MACHINE_CHECKPOINT_FORMAT if more is
 * packed. */
#define MACHINE_PACKS_ALL(type, bytes)                                                   \
    _Static_assert(sizeof(void *) != 8 || sizeof(struct type) == (bytes),                \
                   "pack all of struct " #type)

/* Initialises state_at and state_size of a part whose state is a member of struct machine. */
#define MACHINE_PART_STATE(member)                                                       \
    .state_at = offsetof(struct machine, member),                                        \
    .state_size = sizeof *((struct machine *)NULL)->member

struct machine_part {
    /* Offset in struct machine of the pointer to the state of the part, and size of that state
     * (MACHINE_PART_STATE). The state is allocated and zeroed before `make`; the pointer is NULL in
     * a machine without the part. Size 0: the part has no such state. */
    size_t state_at, state_size;

    /* Makes the part. Returns false if this machine does not have it. Timing wheels are made after
     * all parts. */
    bool (*make)(struct machine *m);
    void (*free)(struct machine *m);

    /* Empties the part, and moves memory of growing arrays to `start`, a copy of the machine before
     * its run, which then replaces `m` (machine_reset) and so restores all counters. NULL: the part
     * is freed and made again. */
    void (*reset)(struct machine *m, struct machine *start);

    /* Takes tokens that have arrived, and forwards them as far as possible. */
    void (*serve)(struct machine *m);

    /* Gates of the part; NULL after the last one. */
    const struct machine_gate *gates[MACHINE_MAX_GATES];

    /* Releases tokens held by a gate that can continue now, by `pass` of struct machine_kind.
     * Returns false if the run has ended. Not for plain parts. */
    bool (*resume)(struct machine *m);

    /* Called when a token that has passed its gates fires or begins to wait for its partner.
     * Returns how many cycles its firing takes in addition to those of the opcode. `begins`, called
     * once per run, says for which opcodes. Not for plain parts.
     *
     * Two things are asked in machine/engine/general_issue.h by name instead. The overflow of a
     * matching store is found in the slot before the firing and filled after it: by a function of
     * the part on both sides such machines execute 1.07 times the instructions. Times of
     * operations (op_timing) replace the time of an opcode, to which this function only adds. */
    uint64_t (*begin_firing)(struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr);
    bool (*begins)(const struct machine *m, enum isa_op op);

    /* Called after all tokens of a cycle were issued. Returns false if the run has ended. Not for
     * plain parts. */
    bool (*finish)(struct machine *m);

    /* Called at the end of a cycle: returns the next cycle in which the part has something to do,
     * if nothing else happens before. Tokens that wait for room can proceed when something has
     * moved (machine_can_go_on). */
    uint64_t (*next)(struct machine *m);

    /* Called when nothing else can proceed: lets the part exceed its bounds in the next cycle.
     * Returns false if it does not. */
    bool (*insist)(struct machine *m);

    /* Returns what the part waits for when nothing can happen any more. */
    struct machine_wait (*waits)(const struct machine *m);

    /* Updates peaks of what the part holds, at the end of a cycle. */
    void (*observe)(struct machine *m);

    /* Writes statistics of the part (OWNER in traces/stats.def) that are not counters in struct
     * traces_part_counts, up to cycle stats->cycles. Without the part they stay 0. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);

    /* Packs all that the part holds and counts, between two cycles (machine/checkpoint.h). A part
     * that is read is new. */
    void (*pack)(struct lib_pack *pack, struct machine *m);

    /* For machine/verify/verify.h: `show` counts all tokens of the part; when all parts have done
     * so, `check` compares counters. */
    void (*show)(const struct machine *m, struct machine_audit *found);
    void (*check)(const struct machine *m, struct machine_audit *found);

    bool is_plain; /* a plain part: the plain engine supports it */
};

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
    const struct machine_part *const *parts; /* parts in order, then NULL */
    void (*make)(struct machine *m);         /* called after the parts are made */
    /* Issues instructions without token operands; or NULL. */
    void (*start)(struct machine *m);
    void (*free)(struct machine *m);
    void (*reset)(struct machine *m, struct machine *start); /* like `reset` of a part */

    /* Implement machine_advance_to and machine_next. */
    bool (*advance)(struct machine *m, uint64_t cycle, uint64_t tokens);
    uint64_t (*next)(const struct machine *m);
    /* Like `show` and `check` of a part. */
    void (*show)(const struct machine *m, struct machine_audit *found);
    void (*check)(const struct machine *m, struct machine_audit *found);
    void (*pack)(struct lib_pack *pack, struct machine *m); /* packs what no part packs */

    /* A token that a gate releases asks the gates behind it, as if issued now, and fires or waits.
     * Its firing takes `extra` additional cycles. Returns false if the run has ended. */
    bool (*pass)(struct machine *m, const struct isa_token *t,
                 enum machine_gate_place behind, uint64_t extra);

    /* Returns the cycles that PEs or workers were busy before `time`, at which nothing has begun
     * yet. */
    uint64_t (*busy)(const struct machine *m, uint64_t time);

    /* Sets the statistics that differ between kinds of machines. Counts of PEs are already set,
     * except `busy` and `turns`. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);
};

#define PART(name) extern const struct machine_part machine_##name##_part;
#include "machine/parts.def"

/* Max parts in a table, including the NULL at the end. */
enum { MACHINE_MAX_PARTS = 20 };

/* Checks at compile time that a table of parts is not longer. */
#define MACHINE_ASSERT_PARTS(table)                                                      \
    _Static_assert(sizeof(table) / sizeof *(table) <= MACHINE_MAX_PARTS,                 \
                   "raise MACHINE_MAX_PARTS")

#endif
