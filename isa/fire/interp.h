/* The untimed interpreter: runs code without a machine, newest token first. It is the reference for
 * machines: each that completes a program must come to the same result, value digest, span, and
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
    uint64_t tokens; /* max tokens delivered; 0: no limit */
    uint64_t depth;  /* max labels of a tag; 0: no limit; else needs `measures` */
};

struct isa_interp {
    struct isa_exec exec;
    enum isa_end end; /* valid once isa_interp_advance has returned false */
    struct isa_interp_limits limits;
    bool measures;   /* firings, span and value digest are counted; else they stay 0 */
    uint32_t starts; /* instructions without token operands that have not fired yet */
    uint32_t batch;  /* tokens between two checks of the limits */
    int64_t left;    /* tokens left in the current batch; in memory to save a register */
    LIB_VEC(struct isa_token) stack; /* tokens to deliver, the last one next */
    /* what the next run fires at its start; borrowed; NULL if that is past */
    const struct isa_reexec *again;
    struct isa_exec *start; /* copy of `exec` from before anything was executed; owned */
};

/* Makes an interpreter in which nothing has fired. `digests`: whether to sum the value digest.
 * `code` is borrowed. The caller frees the interpreter with isa_interp_free. */
void isa_interp_start(struct isa_interp *interp, const struct isa_code *code,
                      const struct isa_interp_limits *limits, bool digests);

/* Returns to the start of a run of `code`, which is the same code as before or a copy of it
 * (isa_code_copy). Acts as isa_interp_start, but keeps the memory. The caller has to set again what
 * it has set in `exec` since the start. */
void isa_interp_reset(struct isa_interp *interp, const struct isa_code *code);

/* Delivers about `tokens` more tokens. Returns whether tokens are left; if not, `end` is set. */
bool isa_interp_advance(struct isa_interp *interp, uint64_t tokens);

/* Feed an element to an input port, or close it (isa/exec/port.h): before the first token,
 * between two calls of isa_interp_advance, or when the end is ISA_END_WAITING; then the
 * interpreter can be advanced again. An element is available at once. isa_interp_close returns
 * false if an INDEX traps; then the run has ended. */
enum isa_feed isa_interp_feed(struct isa_interp *interp, uint32_t port,
                              const struct isa_port_value *values);
bool isa_interp_close(struct isa_interp *interp, uint32_t port);

/* Returns the bytes that limits.memory bounds. */
uint64_t isa_interp_state_bytes(const struct isa_interp *interp);

/* Starts a run and advances it to its end. `stop`, which may be NULL, interrupts it when it becomes
 * nonzero. */
void isa_interp_run(struct isa_interp *interp, const struct isa_code *code,
                    const struct isa_interp_limits *limits, bool digests,
                    const volatile sig_atomic_t *stop);

/* Prepares a completed interpreter for another run of the same code after inputs or tensors have
 * changed; `again` says what is computed again (isa/exec/reexec.h). The counters continue.
 * `again` is borrowed until the next isa_interp_advance. */
void isa_interp_again(struct isa_interp *interp, const struct isa_reexec *again);
void isa_interp_free(struct isa_interp *interp);

#endif
