/* Parts: the components of a machine that can hold tokens, such as the network or the tag manager.
 * Also the two kinds of machine: PEs, or an executor (a model of TensorFlow's runtime).
 *
 * A part says when it next has something to do, and what it waits for when nothing can proceed.
 * Time advances to the earliest of these cycles (machine/machine.c). So a new part is a file
 * beside its table of rows (machine/rows.def), which machine/last_parts.def includes. A function
 * that a part does not need is NULL.
 *
 * In each cycle all parts are served, in the order of the table; then they release tokens that
 * waited, in the same order; then the tokens of the cycle are issued. */
#ifndef MACHINE_PART_H
#define MACHINE_PART_H

#include "machine/owner.h"
#include "machine/tokens/queue.h"
#include "machine/tokens/wheel.h"
#include "traces/events.h"
#include "traces/stats.h"

#include <stddef.h>
#include <string.h>

struct machine;
struct machine_audit;
struct lib_pack;

/* Resource that a part lacks when nothing can happen any more. If parts lack different ones, the
 * first in the order of this enum is the reason why the run ends. */
struct machine_wait {
    enum {
        MACHINE_WAITS_FOR_ROOM,   /* room in a queue */
        MACHINE_WAITS_FOR_STORE,  /* room in a store */
        MACHINE_WAITS_FOR_NUMBER, /* a free identifier for a tag */
        MACHINE_WAITS_FOR_NOTHING,
    } what;
    const char *setting; /* key of the setting that limits the resource */
};

#define MACHINE_WAITS_FOR(thing, setting)                                                \
    ((struct machine_wait){MACHINE_WAITS_FOR_##thing, setting})

/* --- gates ---------------------------------------------------------------------------------- */

/* Gates, from machine/gates.def, in the order in which an issued token asks them. A gate is a check
 * before a firing. A released token continues behind the gate that held it. One exception: an APPLY
 * (a call) that waited for a graph copy asks for an identifier again. */
enum machine_gate_place {
#define GATE(NAME) MACHINE_GATE_##NAME,
#include "machine/gates.def"
    MACHINE_GATE_COUNT,
};

/* Answer of a gate (a check before a firing) about an issued token. */
enum machine_verdict {
    MACHINE_GATE_OPENS, /* the token continues: to the next gate, or fires */
    MACHINE_GATE_HOLDS, /* the gate keeps the token and releases it later */
    /* The token is sent to PE `to` as a request. */
    MACHINE_GATE_SENDS,
    MACHINE_GATE_TRAPS, /* the instruction traps, for the reason `trap` */
    MACHINE_GATE_STOPS, /* the gate has ended the run */
};

/* A token that is asking the gates (checks before its firing), and their answers. */
struct machine_passage {
    const struct isa_token *token;
    const struct isa_instr *instr;
    uint64_t extra;          /* cycles that gates add to the firing of the token */
    enum traces_outcome how; /* outcome for events, if a gate stops the token */
    uint32_t to;             /* MACHINE_GATE_SENDS: PE to send the token to */
    enum isa_trap trap;      /* MACHINE_GATE_TRAPS: reason of the trap */
    /* Only the answer is asked for, with finite queues before the token is issued: nothing but this
     * struct may change. */
    bool foresees;
    /* Storage for a token that a gate changed; `token` then points here. */
    struct isa_token changed;
};

typedef enum machine_verdict machine_ask(struct machine *m, void *state,
                                         struct machine_passage *passage);

/* A gate of a part: a check that tokens of some opcodes pass before they fire. Its functions get
 * the state of the part. */
struct machine_gate {
    enum machine_gate_place place;
    /* Whether tokens of opcode `op` must pass the gate. Called once per run, after all parts are
     * made. */
    bool (*concerns)(const struct machine *m, const void *state, enum isa_op op);
    machine_ask *ask;
    /* Tokens that the gate does not open for need no room of their firing when they are issued, but
     * only for a request. So with finite queues the gate is asked before, with `foresees`. Other
     * gates count as open then. */
    bool is_foreseen;
};

enum { MACHINE_MAX_GATES = 2 };

/* --- parts ---------------------------------------------------------------------------------- */

/* Where a token is that a part holds. */
enum machine_token_place {
    MACHINE_TOKEN_WAITS,   /* in the part */
    MACHINE_TOKEN_COMING,  /* on its way to the input queue of its PE */
    MACHINE_TOKEN_LEAVING, /* on its way from its PE to the output port */
};

/* Called for a token that a part holds. Returns false if no more tokens are to be visited. */
typedef bool machine_visit(void *context, const struct isa_token *t,
                           enum machine_token_place place);

/* Visits `count` tokens. Returns false if a visit did. */
static inline bool machine_visit_all(const struct isa_token *tokens, size_t count,
                                     enum machine_token_place place, machine_visit *visit,
                                     void *context)
{
    for (size_t i = 0; i < count; i++)
        if (!visit(context, &tokens[i], place))
            return false;
    return true;
}

/* Visits the tokens of a queue, the oldest first. Returns false if a visit did. */
static inline bool machine_queue_visit(const struct machine_queue *q,
                                       machine_visit *visit, void *context)
{
    for (uint32_t i = q->head; i != q->tail; i++)
        if (!visit(context, &q->tokens[i & q->mask], MACHINE_TOKEN_WAITS))
            return false;
    return true;
}

/* Fails to compile if the size of a struct that is packed by hand has changed. Pack the new member,
 * unless it follows from code, settings and seed. Then change `bytes`, and
 * MACHINE_CHECKPOINT_FORMAT if more is packed. */
#define MACHINE_PACKS_ALL(type, bytes)                                                   \
    _Static_assert(sizeof(void *) != 8 || sizeof(struct type) == (bytes),                \
                   "pack all of struct " #type)

/* Initialises state_at and state_size of a part whose state is member `member` of struct
 * machine. */
#define MACHINE_PART_STATE(member)                                                       \
    .state_at = offsetof(struct machine, member),                                        \
    .state_size = sizeof *((struct machine *)NULL)->member

/* Initialises state_at of a part whose `make` makes its state and whose `free` frees it, or whose
 * state is that of an earlier part. */
#define MACHINE_PART_STATE_AT(member) .state_at = offsetof(struct machine, member)

/* Initialises `pack`, `reset` and `free` of a part from the table of members of its state
 * (machine/state_table.h). */
#define MACHINE_PART_FIELDS(tag)                                                         \
    .pack = tag##_fields_pack, .reset = tag##_fields_clear, .free = tag##_fields_free

/* All functions get the part's state; NULL: the part has none. */
struct machine_part {
    /* Offset in struct machine of the pointer to the part's state, and bytes of that state
     * (MACHINE_PART_STATE). The state is zeroed before `make`; the pointer is NULL in a machine
     * without the part. Size 0: MACHINE_PART_STATE_AT. Offset 0: no state. */
    size_t state_at, state_size;

    /* Makes the part in a new machine. Returns false if this machine does not have the part. Timing
     * wheels do not exist yet. A state is all zeros, after `reset`. */
    bool (*make)(struct machine *m, void *state);

    /* Frees what the part owns, except the state itself. */
    void (*free)(struct machine *m, void *state);

    /* Empties the part and its counters for another run (machine_reset). NULL: the part is freed
     * and made again. */
    void (*reset)(struct machine *m, void *state);

    /* Called in each cycle: takes tokens that have arrived, and forwards them as far as
     * possible. */
    void (*serve)(struct machine *m, void *state);

    /* Gates of the part; unused elements are NULL. */
    const struct machine_gate *gates[MACHINE_MAX_GATES];

    /* Releases tokens that a gate of the part holds and that can continue, by `pass` of struct
     * machine_kind. Returns false if the run has ended. NULL if is_plain. */
    bool (*resume)(struct machine *m, void *state);

    /* Called when a token that has passed its gates fires or begins to wait for its partner.
     * Returns the cycles that the part adds to the firing. `begins`, called once per run for each
     * opcode, says whether tokens of the opcode need this call. NULL if is_plain.
     *
     * Two parts do so by their names in machine/engine/general_issue.h instead: the matching store,
     * which acts before and after a firing (by this function, such machines would execute 7 % more
     * instructions), and op_timing, which replaces the time of an opcode. */
    uint64_t (*begin_firing)(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr);
    bool (*begins)(const struct machine *m, const void *state, enum isa_op op);

    /* Returns the most cycles that the part adds to the time from an issue to its tokens. Called
     * once all parts are made: the timing wheels are as long. */
    uint64_t (*delay)(const struct machine *m, const void *state);

    /* Called after all tokens of a cycle were issued. Returns false if the run has ended. NULL if
     * is_plain. */
    bool (*finish)(struct machine *m, void *state);

    /* Called at the end of a cycle: returns the next cycle in which the part has something to do,
     * if nothing else happens before. Tokens that wait for room can proceed only after some token
     * has moved (machine_can_go_on). */
    uint64_t (*next)(struct machine *m, void *state);

    /* Called when no token can proceed: lets the part exceed its bounds in the next cycle. Returns
     * whether the part will do so. */
    bool (*insist)(struct machine *m, void *state);

    /* Returns what the part waits for when nothing can happen any more. */
    struct machine_wait (*waits)(const struct machine *m, const void *state);

    /* Updates the peak statistics of the part at the end of a cycle. */
    void (*observe)(struct machine *m, void *state);

    /* Called when a part of a run begins: updates peak statistics that `observe` does not, because
     * they may be reached within a cycle. */
    void (*begin_part)(struct machine *m, void *state);

    /* Writes statistics that the part owns (OWNER in traces/stats.def), up to cycle stats->cycles,
     * except counters in struct traces_part_counts. Without the part they stay 0. */
    void (*measure)(const struct machine *m, const void *state,
                    struct traces_stats *stats);

    /* Packs all that the part holds and counts for a checkpoint, or reads it into a new part.
     * Called between two cycles. */
    void (*pack)(struct lib_pack *pack, struct machine *m, void *state);

    /* Visits the tokens that the part holds, except those in input queues, inside the network, and
     * parked kernels. Returns false if a visit did. */
    bool (*each)(const struct machine *m, const void *state, machine_visit *visit,
                 void *context);

    /* For machine/verify.h: `show` counts the tokens in the part, NULL: those of `each`; after all
     * parts have done so, `check` compares counters with these counts. */
    void (*show)(const struct machine *m, const void *state, struct machine_audit *found);
    void (*check)(const struct machine *m, const void *state,
                  struct machine_audit *found);

    bool is_plain; /* the plain engine, the fastest, supports the part */
};

static inline void *machine_part_state(const struct machine *m,
                                       const struct machine_part *part)
{
    void *state = NULL;
    if (part->state_at)
        memcpy(&state, (const char *)m + part->state_at, sizeof state);
    return state;
}

static inline void machine_part_set_state(struct machine *m,
                                          const struct machine_part *part, void *state)
{
    memcpy((char *)m + part->state_at, &state, sizeof state);
}

/* A kind of machine: of PEs (machine/machine.c), or of an executor's workers
 * (machine/engine/executor.c). */
struct machine_kind {
    /* Parts (components) of such machines, in order; NULL at the end. */
    const struct machine_part *const *parts;
    void (*make)(struct machine *m); /* called after the parts are made */
    /* Issues the instructions without token operands, at the start of a run; may be NULL. */
    void (*start)(struct machine *m);
    void (*free)(struct machine *m);
    void (*reset)(struct machine *m); /* resets state that belongs to no part */

    /* Implement machine_advance_to and machine_next (machine/machine.h). */
    bool (*advance)(struct machine *m, uint64_t cycle, uint64_t tokens);
    uint64_t (*next)(const struct machine *m);
    /* For state that belongs to no part; like `show` and `check` of struct machine_part. */
    void (*show)(const struct machine *m, struct machine_audit *found);
    void (*check)(const struct machine *m, struct machine_audit *found);
    /* Packs state that belongs to no part. */
    void (*pack)(struct lib_pack *pack, struct machine *m);

    /* Called for a token `t` that a gate releases: `t` passes the gates behind gate `behind`, as if
     * issued now, and fires or waits. The firing takes `extra` more cycles. Returns false if the
     * run has ended. */
    bool (*pass)(struct machine *m, const struct isa_token *t,
                 enum machine_gate_place behind, uint64_t extra);

    /* Returns how many cycles all PEs or workers together were busy before `time`. Called before
     * anything that begins at `time` is simulated. */
    uint64_t (*busy)(const struct machine *m, uint64_t time);

    /* Sets the statistics that each kind of machine computes in its own way. Those of PEs are
     * already set, except `busy` and `turns`. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);
};

#define PART(name) extern const struct machine_part machine_##name##_part;
#include "machine/parts.def"

/* Max parts of a machine, plus 1 for the NULL at the end. */
enum { MACHINE_MAX_PARTS = 20 };

/* Fails to compile if a table of parts is longer than MACHINE_MAX_PARTS. */
#define MACHINE_ASSERT_PARTS(table)                                                      \
    _Static_assert(sizeof(table) / sizeof *(table) <= MACHINE_MAX_PARTS,                 \
                   "raise MACHINE_MAX_PARTS")

#endif
