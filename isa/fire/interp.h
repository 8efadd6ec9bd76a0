/* The untimed interpreter: runs code without a machine, newest token first. It is the reference for
 * machines: a machine that completes a program must have the same result, value digest, span, and
 * numbers of firings and calls.
 *
 *     struct isa_interp interp;
 *     isa_interp_run(&interp, code, &limits, true, NULL);
 *     if (interp.end == ISA_END_COMPLETED)
 *         isa_exec_write_result(&interp.exec, &text);
 *     isa_interp_free(&interp);
 */
#ifndef ISA_FIRE_INTERP_H
#define ISA_FIRE_INTERP_H

#include "isa/exec/reexec.h"

#include <signal.h>

struct isa_interp_limits {
    uint64_t memory; /* max bytes of frames, structures and tokens */
    uint64_t tokens; /* max number of tokens delivered; 0: no limit */
    /* max number of labels of a tag, or 0; a limit requires `measures` */
    uint64_t depth;
    uint64_t loop_bound; /* bound of loops without one of their own; 0: a standard one */
};

struct isa_interp {
    struct isa_exec exec;
    /* how the run ended; valid once isa_interp_advance has returned false */
    enum isa_end end;
    struct isa_interp_limits limits;
    bool measures; /* count firings, span and value digest; if false, they stay 0 */
    /* number of instructions without token operands that have not fired yet */
    uint32_t starts;
    uint32_t batch; /* max tokens between two checks of the limits */
    /* tokens left in the current batch; kept in memory, which saves a register */
    int64_t left;
    LIB_VEC(struct isa_token) stack; /* tokens to deliver, the last one first */
    uint32_t *bounds; /* for each site of a loop: its bound; NULL: none; owned */
    /* NEXTs may wait in iterations whose number has these bits; 0 if a bound is small */
    uint64_t next_mask;
    /* NEXTs that wait for the end of an iteration, in a list for each loop (next: 1 + index), and
     * free entries, whose tag is ISA_TAG_NONE */
    LIB_VEC(struct isa_parked) nexts;
    uint32_t free_next;  /* 1 + index of the first free entry of `nexts`, or 0 */
    uint32_t next_count; /* number of NEXTs that wait */
    /* what the next run fires at its start; borrowed; NULL after the start */
    const struct isa_reexec *again;
};

/* Initialises an interpreter for `code`, which is borrowed. `digests`: whether to sum the value
 * digest. The caller frees the interpreter with isa_interp_free. */
void isa_interp_start(struct isa_interp *interp, const struct isa_code *code,
                      const struct isa_interp_limits *limits, bool digests);

/* Prepares another run of the same code, or of a copy of it (isa_code_copy). Acts as
 * isa_interp_start, but keeps the memory, and the library, seed and functions that the caller has
 * set in `exec`. */
void isa_interp_reset(struct isa_interp *interp, const struct isa_code *code);

/* Delivers about `tokens` more tokens. Returns whether tokens are left; if not, `end` is set. */
bool isa_interp_advance(struct isa_interp *interp, uint64_t tokens);

/* Feed an element to an input port, and close the port (isa/exec/port.h). Call before the first
 * token, between calls of isa_interp_advance, or when the end is ISA_END_WAITING: then the
 * interpreter can be advanced again. isa_interp_close returns false if an INDEX traps, which ends
 * the run. */
enum isa_feed isa_interp_feed(struct isa_interp *interp, uint32_t port,
                              const struct isa_port_value *values);
bool isa_interp_close(struct isa_interp *interp, uint32_t port);

/* Returns the bytes in use, which limits.memory bounds. */
uint64_t isa_interp_state_bytes(const struct isa_interp *interp);

/* Starts a run and advances it to its end. A nonzero *stop interrupts it; `stop` may be NULL. */
void isa_interp_run(struct isa_interp *interp, const struct isa_code *code,
                    const struct isa_interp_limits *limits, bool digests,
                    const volatile sig_atomic_t *stop);

/* Prepares a completed interpreter to run the same code again after inputs or tensors have changed.
 * `again` says what is computed again (isa/exec/reexec.h); it is borrowed until the next
 * isa_interp_advance has returned. Counters keep their values. */
void isa_interp_again(struct isa_interp *interp, const struct isa_reexec *again);
void isa_interp_free(struct isa_interp *interp);

#endif
