/* Firing (isa/fire/fire.h): types that all its parts use: the mode in which an engine fires, and
 * the functions and data of the engine that a firing uses. */
#ifndef ISA_FIRE_FIRE_BASE_H
#define ISA_FIRE_FIRE_BASE_H

#include "isa/exec/exec.h"
#include "lib/hash.h"

#ifdef __OPTIMIZE__
#define ISA_FIRE_INLINE static inline __attribute__((always_inline))
#else /* without optimisation gcc cannot inline a function that is an argument */
#define ISA_FIRE_INLINE static inline
#endif

/* Defined if engines have one piece of code for all kinds of instructions instead of one for each:
 * with checks in each piece compilers need minutes and gigabytes, and without optimisation nothing
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
    ISA_FIRED_LIVE, /* the instruction fired */
    ISA_FIRED_DEAD, /* the instruction passed hiatons on */
    /* a SEND, RECV or tag tracking fired; not a firing of the program */
    ISA_FIRED_CARRIED,
    ISA_FIRED_WAITING,  /* the token waits for its partner */
    ISA_FIRED_ABSORBED, /* the token is consumed and nothing fired */
    ISA_FIRED_PARKED,  /* the token waits for a constant of its loop, not delivered yet */
    ISA_FIRED_STOPPED, /* the run has ended: exec->trap, or exec->out_of_memory */
};

/* Flags of isa_fire_send. */
enum {
    ISA_SEND_HOME = 1,   /* the tokens have the tag of the firing, and stay at its PE */
    ISA_SEND_DEAD = 2,   /* the tokens are hiatons */
    ISA_SEND_ONLY = 4,   /* the list is one destination, instr->only */
    ISA_SEND_MORE = 8,   /* the firing sends to its first list too */
    ISA_SEND_FIRST = 16, /* the list is instr->out[0] */
};

/* Function of an engine that sends a value to a list of destinations of `instr`, under a tag. `how`
 * has ISA_SEND_ flags. */
typedef void isa_fire_send(void *engine, const struct isa_instr *instr, isa_tag tag,
                           isa_value value, uint64_t depth, struct isa_code_list to,
                           unsigned how);

/* Mode in which an engine fires an instruction. Members are constants where speed matters. */
struct isa_fire_as {
    enum isa_op op;     /* opcode of the instruction */
    enum isa_form form; /* form of the instruction */
    bool propagate;     /* hiatons exist, as isa_code.propagate says */
    bool measures;      /* firings, span and depths are counted */
    bool digests;       /* the value digest is summed; needs `measures` */
    /* instructions may have no token operands; delivered tokens are counted */
    bool starts;
    bool expands; /* APPLY, PARAM and RESULT exist, as isa_code.expands says */
    bool tells;   /* the watcher (isa/exec/watcher.h) learns of each activation made */
};

/* Description of a live firing, for the engine. */
struct isa_firing {
    uint64_t path;  /* hash of the labels of its tag; only if `digests` is set */
    uint64_t depth; /* depth of the firing, not of a deeper value that it reads */
};

/* Where firings send their tokens and count. */
struct isa_fire_to {
    /* counters to change; an engine may have several, and add them up */
    struct isa_counts *counts;
    struct isa_firing *firing; /* filled in if `measures` is set */
    isa_fire_send *send;
    void *engine; /* first argument of `send` */
    bool divided; /* the program is divided among machines (exec->tags.shares) */
};

/* An instruction that has its operands and fires. */
struct isa_ready {
    const struct isa_instr *instr;
    isa_tag tag;
    isa_value a, b; /* operands 0 and 1 */
    uint64_t depth; /* depth of the firing */
    uint32_t taken; /* tokens that brought the operands */
};

/* Effect of an instruction that fires. The effects are isa_fire_pure, which knows pure opcodes, and
 * isa_fire_operands, which knows all. */
typedef enum isa_fired isa_fire_effect(struct isa_exec *x, const struct isa_fire_as as,
                                       const struct isa_fire_to to, struct isa_ready *f);

ISA_FIRE_INLINE uint64_t isa_fire_hash(const struct isa_instr *instr, uint64_t path,
                                       uint64_t word)
{
    return isa_exec_hash(instr, path, word);
}

/* Whether the instruction can be an APPLY, PARAM or RESULT. */
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

/* Traps because of a wrong number: an index, a length, an element or a part. */
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

/* Sends a value to output list 0, by a faster path if that is one destination, as in most
 * instructions. */
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
