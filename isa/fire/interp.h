/* The untimed interpreter: runs code without a machine, last token first. It is the
 * oracle: whatever a machine does, it must end like this one. */
#ifndef ISA_FIRE_INTERP_H
#define ISA_FIRE_INTERP_H

#include "isa/exec/reexec.h"

#include <signal.h>

struct isa_interp_limits {
    uint64_t memory; /* bytes of frames, structures and tokens */
    uint64_t tokens; /* delivered; 0: no limit */
    uint64_t depth;  /* labels of a tag; 0: no limit. With one it measures */
};

struct isa_interp {
    struct isa_exec exec;
    enum isa_end end; /* once isa_interp_advance has returned false */
    struct isa_interp_limits limits;
    bool measures;   /* firings, span and value digest; else they stay 0 */
    uint32_t starts; /* instructions that have yet to fire at the start */
    uint32_t batch;  /* tokens between two looks at the limits */
    int64_t
        left; /* of the batch under way; not in a register, as others need those more */
    LIB_VEC(struct isa_token) stack; /* sent and not yet looked at: the last is next */
    const struct isa_reexec *again; /* whose starts have yet to fire: borrowed; or NULL */
    struct isa_exec
        *start; /* owned: a copy of `exec` from before anything was executed */
};

/* An interpreter at its start. `digests`: sum the value digest. `code` is borrowed. What
 * `interp` holds is given back with isa_interp_free. */
void isa_interp_start(struct isa_interp *interp, const struct isa_code *code,
                      const struct isa_interp_limits *limits, bool digests);

/* Goes to the start of a run of `code`, the same code as before or a copy of it (isa_code_copy),
 * whatever the run before has done. As isa_interp_start does, without new memory; what was set
 * in `exec` since then is to be set again. */
void isa_interp_reset(struct isa_interp *interp, const struct isa_code *code);

/* Goes on for about `tokens` more tokens. Returns whether there is more to do; if not, `end`
 * says why. */
bool isa_interp_advance(struct isa_interp *interp, uint64_t tokens);

/* Feeds an element to a port in, or closes it (isa/exec/port.h), before the interpreter
 * starts, between two calls of isa_interp_advance, or when its end is ISA_END_WAITING: then
 * it can be advanced. There is no time; what is fed is there at once. A close returns false
 * if an INDEX traps: then it has ended. */
enum isa_feed isa_interp_feed(struct isa_interp *interp, uint32_t port,
                              const struct isa_port_value *values);
bool isa_interp_close(struct isa_interp *interp, uint32_t port);

/* The state that limits.memory bounds. */
uint64_t isa_interp_state_bytes(const struct isa_interp *interp);

/* Starts, and goes on to the end. `stop` (may be NULL) interrupts when it becomes
 * nonzero. */
void isa_interp_run(struct isa_interp *interp, const struct isa_code *code,
                    const struct isa_interp_limits *limits, bool digests,
                    const volatile sig_atomic_t *stop);
/* Of an execution that has completed, goes to the start of another one over the same code, whose
 * inputs or tensors were changed as `again` knows (isa/exec/reexec.h). Counts go on; `again` is
 * borrowed until it advances. */
void isa_interp_again(struct isa_interp *interp, const struct isa_reexec *again);
void isa_interp_free(struct isa_interp *interp);

#endif
