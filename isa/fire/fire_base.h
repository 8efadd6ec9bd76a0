/* Firing (isa/fire/fire.h): types shared by its parts. They say in which mode an engine fires, and
 * which functions and data of the engine a firing uses. */
#ifndef ISA_FIRE_FIRE_BASE_H
#define ISA_FIRE_FIRE_BASE_H

#include "isa/exec/exec.h"
#include "lib/hash.h"

#ifdef __OPTIMIZE__
#define ISA_FIRE_INLINE static inline __attribute__((always_inline))
#else /* without optimisation gcc cannot inline a function that is an argument */
#define ISA_FIRE_INLINE static inline
#endif

/* Defined if engines have one piece of code for all kinds of instructions, instead of one for
 * each: with checks, compilers would need minutes and gigabytes; without optimisation, nothing
 * is gained. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define ISA_FIRE_ONE_PIECE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined HIATON_CHECKS || !defined __OPTIMIZE__
#define ISA_FIRE_ONE_PIECE
#endif

enum isa_fired {
    ISA_FIRED_LIVE,
    ISA_FIRED_DEAD, /* the instruction passed dead tokens on */
    /* a SEND, RECV or tag tracking fired, which is not a firing of the program */
    ISA_FIRED_CARRIED,
    ISA_FIRED_WAITING,
    ISA_FIRED_ABSORBED, /* the token was consumed, and nothing fired */
    /* the token waits for a loop constant; it will be delivered again */
    ISA_FIRED_PARKED,
    ISA_FIRED_STOPPED, /* the run has ended: exec->trap, or exec->out_of_memory */
};

/* Flags of isa_fire_send. */
enum {
    ISA_SEND_HOME =
        1, /* the tokens have the tag of the firing, and stay with its owner */
    ISA_SEND_DEAD = 2,
    ISA_SEND_ONLY = 4,   /* the list has a single destination, instr->only */
    ISA_SEND_MORE = 8,   /* the same firing has already sent to output list 0 */
    ISA_SEND_FIRST = 16, /* the list is instr->out[0] */
};

/* Callback of an engine: sends a value to the destinations `to` of `instr`, under a tag. `how` is a
 * set of ISA_SEND_ flags. */
typedef void isa_fire_send(void *engine, const struct isa_instr *instr, isa_tag tag,
                           isa_value value, uint64_t depth, struct isa_code_list to,
                           unsigned how);

/* Facts about a firing that an engine knows in advance. Members are compile-time constants where
 * speed matters. */
struct isa_fire_as {
    enum isa_op op;
    enum isa_form form;
    bool propagate; /* dead tokens exist */
    bool measures;  /* count firings, span and depths */
    bool digests;   /* sum the value digest; requires `measures` */
    /* instructions may have no token operands (at the start of a run); delivered tokens are
     * counted */
    bool starts;
    bool expands; /* APPLY, PARAM and RESULT exist */
    /* report each activation that is made to the watcher (isa/exec/watcher.h) */
    bool tells;
};

/* Data of a live firing, for the engine. */
struct isa_firing {
    uint64_t path;  /* hash of the labels of the firing's tag; only if `digests` is set */
    uint64_t depth; /* depth of the firing itself, not of a deeper value that it reads */
};

/* Parts of its engine that a firing uses: counters, and a callback that sends tokens. */
struct isa_fire_to {
    /* counters of the engine; it may have several, and add them up */
    struct isa_counts *counts;
    struct isa_firing *firing; /* set by the firing if `measures` is set */
    isa_fire_send *send;
    void *engine; /* first argument of `send` */
    bool divided; /* the program is divided among machines (exec->tags.shares) */
};

/* An instruction with its operands, ready to fire. */
struct isa_ready {
    const struct isa_instr *instr;
    isa_tag tag;
    isa_value a, b;
    uint64_t depth;
    uint32_t taken; /* number of tokens consumed */
};

/* Function that fires an instruction with its operands: isa_fire_pure for pure opcodes,
 * isa_fire_operands for any. */
typedef enum isa_fired isa_fire_effect(struct isa_exec *x, const struct isa_fire_as as,
                                       const struct isa_fire_to to, struct isa_ready *f);

ISA_FIRE_INLINE uint64_t isa_fire_hash(const struct isa_instr *instr, uint64_t path,
                                       uint64_t word)
{
    return isa_exec_hash(instr, path, word);
}

/* Whether the instruction may be an APPLY, PARAM or RESULT. */
ISA_FIRE_INLINE bool isa_fire_can_copy(const struct isa_fire_as as)
{
    return as.expands && as.form == ISA_FORM_FIRST;
}

ISA_FIRE_INLINE uint32_t isa_fire_number(const struct isa_exec *x,
                                         const struct isa_instr *instr)
{
    return (uint32_t)(instr - x->code->instrs);
}

ISA_FIRE_INLINE enum isa_fired isa_fire_trap(struct isa_exec *x, isa_tag tag,
                                             const struct isa_instr *instr,
                                             enum isa_trap trap)
{
    isa_exec_trap(x, trap, isa_fire_number(x, instr), tag);
    return ISA_FIRED_STOPPED;
}

/* Traps at an instruction because `number`, an index, length, element or result, is invalid. */
static inline enum isa_fired isa_fire_trap_of(struct isa_exec *x, isa_tag tag,
                                              const struct isa_instr *instr,
                                              enum isa_trap trap, int64_t number,
                                              int64_t length)
{
    x->trap_number = number;
    x->trap_length = length;
    return isa_fire_trap(x, tag, instr, trap);
}

ISA_FIRE_INLINE void isa_fire_put(const struct isa_fire_to to,
                                  const struct isa_instr *instr, isa_tag tag,
                                  isa_value value, uint64_t depth,
                                  struct isa_code_list list, unsigned how)
{
    if (list.count)
        to.send(to.engine, instr, tag, value, depth, list, how);
}

/* Sends a value to output list 0, faster if that is a single destination. */
ISA_FIRE_INLINE void isa_fire_put_first(const struct isa_fire_to to,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value value, uint64_t depth, unsigned how)
{
    const struct isa_code_list list = {instr->out[0].first, 1};
    if (instr->only != ISA_CODE_MANY)
        to.send(to.engine, instr, tag, value, depth, list, how | ISA_SEND_ONLY);
    else
        isa_fire_put(to, instr, tag, value, depth, instr->out[0], how | ISA_SEND_FIRST);
}

#endif
