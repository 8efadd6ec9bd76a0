/* Parts of a machine that hold tokens, and the two kinds of machine.
 *
 * A part answers for itself: it says when it next has something to do, and what it waits for when
 * nothing goes on any more. Time goes on to the least of these cycles (machine/machine.c), and what
 * is in between is skipped. So a new part is a file and a row in the table of its kind, whose order
 * is part of the order of events. A function that a part does not need is NULL.
 *
 * In each cycle first all parts are served, in the order of the table; then, in the same order,
 * what waited goes on; then the tokens of the cycle are issued. */
#ifndef MACHINE_PART_H
#define MACHINE_PART_H

#include "isa/exec/exec.h"
#include "traces/stats.h"

struct machine;
struct machine_audit;
struct lib_pack;

/* There is no such cycle. */
#define MACHINE_NEVER UINT64_MAX

/* What a part waits for. Of several, the first one here is why a run ends that is quiet. */
struct machine_wait {
    enum {
        MACHINE_WAITS_FOR_ROOM,   /* in a queue */
        MACHINE_WAITS_FOR_STORE,  /* room in a store */
        MACHINE_WAITS_FOR_NUMBER, /* of a tag */
        MACHINE_WAITS_FOR_NOTHING,
    } what;
    const char *setting; /* which says that there is no more */
};

#define MACHINE_WAITS_FOR(thing, setting)                                                \
    ((struct machine_wait){MACHINE_WAITS_FOR_##thing, setting})

struct machine_part {
    /* Makes it; false: this machine has none. Wheels are made when all parts are. */
    bool (*make)(struct machine *m);
    void (*free)(struct machine *m);

    /* Empties what the part holds, and hands the memory of growing arrays to `start`, the
     * machine as it was before its run, which then replaces `m` (machine_reset). What `m` merely
     * counts is thereby as it was. NULL: the part is freed and made again. */
    void (*reset)(struct machine *m, struct machine *start);

    /* What has been on its way is there, and goes as far as it can. */
    void (*serve)(struct machine *m);

    /* What waited and can go on does, by machine_general_go_on or _fire
     * (machine/engine/engine.h); false: the run has ended. Of parts that the plain
     * engine does not know. */
    bool (*resume)(struct machine *m);

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

    /* Writes what the part has counted into its own statistics (OWNER in traces/stats.def), when
     * the cycles before stats->cycles are over. The statistics of a part that a machine does not
     * have stay 0. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);

    /* Begins the measurement of a window: sets the peaks of the part to 0. What the part counts
     * otherwise continues; the counts of a window are differences. */
    void (*begin)(struct machine *m);

    /* Between two cycles: all that it holds and counts (machine/checkpoint.h). To be read, it has
     * just been made. */
    void (*pack)(struct lib_pack *pack, struct machine *m);

    /* For machine/verify/verify.h: shows all its tokens; when all parts have, checks what it
     * counts. */
    void (*show)(const struct machine *m, struct machine_audit *found);
    void (*check)(const struct machine *m, struct machine_audit *found);

    bool is_plain; /* the plain engine knows it */
};

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

    /* Cycles that PEs or workers were busy, up to a time at which nothing has begun yet. */
    uint64_t (*busy)(const struct machine *m, uint64_t time);

    /* What is not the same for all. The counts of PEs are there, but for `busy` and `turns`. */
    void (*measure)(const struct machine *m, struct traces_stats *stats);
};

extern const struct machine_part machine_tensor_part;
extern const struct machine_part machine_swap_part;

enum { MACHINE_MAX_PARTS = 16 };

#endif
