/* Firing: what all parts of it (isa/fire/fire.h) stand on: how an engine fires, what it is told,
 * and how what is sent gets to it. */
#ifndef ISA_FIRE_FIRE_BASE_H
#define ISA_FIRE_FIRE_BASE_H

#include "isa/exec/exec.h"
#include "lib/hash.h"

#ifdef __OPTIMIZE__
#define ISA_FIRE_INLINE static inline __attribute__((always_inline))
#else /* without optimisation gcc knows no function that is an argument */
#define ISA_FIRE_INLINE static inline
#endif

/* Where an engine would have a piece of code for each kind of instruction, it has one for all:
 * with checks in each piece compilers need minutes and gigabytes, and without optimisation
 * nothing is gained. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define ISA_FIRE_ONE_PIECE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined HIATON_CHECKS || !defined __OPTIMIZE__
#define ISA_FIRE_ONE_PIECE
#endif

enum isa_fired {
    ISA_FIRED_LIVE,    /* fired */
    ISA_FIRED_DEAD,    /* only passed hiatons on */
    ISA_FIRED_CARRIED, /* a SEND or RECV passed on what came: no firing of the program's */
    ISA_FIRED_WAITING,  /* the token waits for its partner */
    ISA_FIRED_ABSORBED, /* the token is gone; its instruction fires on another one */
    ISA_FIRED_PARKED,   /* the token waits for a constant of its loop: it is not delivered
                           yet, and no longer counted as such */
    ISA_FIRED_STOPPED,  /* exec->trap, or exec->out_of_memory */
};

/* What is sent: one value to a list of destinations of `instr`, under a tag. */
enum {
    ISA_SEND_HOME = 1,   /* under the tag of the firing itself, to where it fires */
    ISA_SEND_DEAD = 2,   /* hiatons */
    ISA_SEND_ONLY = 4,   /* the list is one destination: instr->only */
    ISA_SEND_MORE = 8,   /* beside what the firing sends to its first list */
    ISA_SEND_FIRST = 16, /* the list is instr->out[0] */
};

typedef void isa_fire_send(void *engine, const struct isa_instr *instr, isa_tag tag,
                           isa_value value, uint64_t depth, struct isa_code_list to,
                           unsigned how);

/* How an engine fires: constants where it matters. */
struct isa_fire_as {
    enum isa_op op; /* those of the instruction */
    enum isa_form form;
    bool propagate; /* the code's; hiatons exist only under `propagate` */
    bool measures;  /* all is counted; else only what is alive */
    bool digests;   /* the value digest is summed; needs `measures` */
    bool starts;    /* it may be an instruction that fires at the start, without a token;
                       and the tokens delivered are counted */
    bool expands;   /* the code's; APPLY, PARAM and RESULT exist only there */
    bool tells;     /* the watcher (isa/exec/watcher.h) is told of activations made */
};

/* What is told of a live firing. */
struct isa_firing {
    uint64_t path;  /* of its tag; under `digests` */
    uint64_t depth; /* a READ's or FETCH's own, whatever its cell's or element's */
};

/* Where an engine wants it. */
struct isa_fire_to {
    struct isa_counts *counts; /* counted here: an engine may have several to add up */
    struct isa_firing *firing; /* told here, under `measures` */
    isa_fire_send *send;
    void *engine;
    bool
        divided; /* among machines, whose shares of activations are counted: exec->tags.shares */
};

/* An instruction that has its operands and fires, and so what its effect depends on. */
struct isa_ready {
    const struct isa_instr *instr;
    isa_tag tag;
    isa_value a, b; /* operands 0 and 1 */
    uint64_t depth; /* of the firing */
    uint32_t taken; /* tokens that have brought the operands */
};

/* What an instruction does when it fires. The effects are isa_fire_pure, which knows pure opcodes,
 * and isa_fire_operands, which knows all. */
typedef enum isa_fired isa_fire_effect(struct isa_exec *x, const struct isa_fire_as as,
                                       const struct isa_fire_to to, struct isa_ready *f);

ISA_FIRE_INLINE uint64_t isa_fire_hash(const struct isa_instr *instr, uint64_t path,
                                       uint64_t word)
{
    return isa_exec_hash(instr, path, word);
}

/* Whether what is fired can be an APPLY, PARAM or RESULT. */
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

/* The same for a number, and a length, that are wrong. */
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

/* The same to all of out[0]. Most instructions have one destination there, and a path of
 * their own. */
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
