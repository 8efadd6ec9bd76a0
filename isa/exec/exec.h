/* The state of one execution, shared by the interpreter and the machine: tags, cells,
 * structures, results, counts. isa/fire/fire.h changes it, one token at a time. */
#ifndef ISA_EXEC_EXEC_H
#define ISA_EXEC_EXEC_H

#include "isa/exec/code.h"
#include "isa/exec/eval.h"
#include "isa/exec/port.h"
#include "isa/exec/structure.h"
#include "lib/hash.h"
#include "lib/memory.h"

/* A token: a value for one operand of one instruction, under one tag. A dead one is a
 * hiaton. Its depth is that of the firing that made it (doc/metrics.md, span); the
 * number of a PE is the machine's. */
struct isa_token {
    isa_value value;
    uint64_t key;      /* destination << 32 | tag */
    uint64_t depth_pe; /* depth << 16 | number of a PE */
};

/* A destination is instruction << 1 | operand; of a hiaton with this mark. */
#define ISA_TOKEN_DEAD UINT32_C(0x80000000)

enum { ISA_PE_BITS = 16 };

static_assert(sizeof(struct isa_token) == 24, "tokens are small: speed depends on it");
static_assert(ISA_MAX_NODES <= 1 << 30, "a token can name every instruction");

static inline uint64_t isa_token_key(uint32_t dest, isa_tag tag)
{
    return (uint64_t)dest << 32 | tag;
}

static inline isa_tag isa_token_tag(const struct isa_token *t)
{
    return (isa_tag)t->key;
}

static inline uint32_t isa_token_dest(const struct isa_token *t)
{
    return (uint32_t)(t->key >> 32);
}

static inline uint32_t isa_token_instr(const struct isa_token *t)
{
    return (isa_token_dest(t) & ~ISA_TOKEN_DEAD) >> 1;
}

/* The same for one that cannot be a hiaton. */
static inline uint32_t isa_token_live_instr(const struct isa_token *t)
{
    return isa_token_dest(t) >> 1;
}

static inline bool isa_token_port(const struct isa_token *t)
{
    return isa_token_dest(t) & 1;
}

static inline bool isa_token_is_dead(const struct isa_token *t)
{
    return isa_token_dest(t) & ISA_TOKEN_DEAD;
}

static inline uint64_t isa_token_depth(const struct isa_token *t)
{
    return t->depth_pe >> ISA_PE_BITS;
}

static inline uint32_t isa_token_pe(const struct isa_token *t)
{
    return t->depth_pe & ((1 << ISA_PE_BITS) - 1);
}

static inline void isa_token_move_to(struct isa_token *t, uint32_t pe_number)
{
    t->depth_pe = (t->depth_pe >> ISA_PE_BITS << ISA_PE_BITS) | pe_number;
}

/* What a waiting token leaves in its slot. */
static inline struct isa_slot isa_slot_with(isa_value value, uint64_t depth, bool port,
                                            bool dead)
{
    uint64_t marks = port * ISA_SLOT_PORT | dead * ISA_SLOT_DEAD | ISA_SLOT_WAITING;
    return (struct isa_slot){value, depth << ISA_SLOT_DEPTH_SHIFT | marks};
}

static inline struct isa_slot isa_slot_of(const struct isa_token *t, uint64_t depth,
                                          bool dead)
{
    return isa_slot_with(t->value, depth, isa_token_port(t), dead);
}

/* A READ that waits for its cell, or a FETCH that waits for its element. */
struct isa_deferred {
    uint32_t instr;
    isa_tag tag;
    uint64_t depth;
    uint32_t next;      /* in the order of arrival, or in the list of free ones;
                            ISA_DEFERRED_END */
    uint32_t structure; /* of a FETCH: it has a reference to it; ISA_STRUCTURE_NONE */
};

/* A token that waits for a constant of its loop (isa/exec/loop_constant.h). */
struct isa_parked {
    struct isa_token token;
    uint32_t next; /* in the order of arrival, or free; ISA_PARKED_END */
};

#define ISA_PARKED_END UINT32_MAX

/* What is counted, under the names of doc/metrics.md where it is a statistic; sums, but
 * for the span. COUNT(name)
 *   one_operand  live firings of instructions with one token operand
 *   live         tokens sent and not yet consumed by a firing, or absorbed
 *   waiting      operands in slots now, and tokens that wait for a constant */
#define ISA_COUNTS(COUNT)                                                                \
    COUNT(firings)                                                                       \
    COUNT(dead_firings)                                                                  \
    COUNT(one_operand)                                                                   \
    COUNT(tokens)                                                                        \
    COUNT(dead_tokens)                                                                   \
    COUNT(live)                                                                          \
    COUNT(waiting)                                                                       \
    COUNT(value_digest)

struct isa_counts {
#define COUNT(name) uint64_t name;
    ISA_COUNTS(COUNT)
#undef COUNT
    uint64_t span;
};

/* `tokens` when so many more were delivered; more than can be counted never are. */
static inline uint64_t isa_counts_tokens_after(const struct isa_counts *counts,
                                               uint64_t more)
{
    uint64_t sum;
    return __builtin_add_overflow(counts->tokens, more, &sum) ? UINT64_MAX : sum;
}

/* What SENDs and RECVs did, live and dead, and what tag tracking took (isa/parts.h). */
struct isa_carried {
    uint64_t sends, dead_sends, receives, dead_receives;
    uint64_t tag_sends, tag_receives; /* of channels that only tag tracking takes from */
    uint64_t tag_steps;               /* of tag tracking, live and dead */
    uint64_t tag_tokens;              /* that it consumed, and that scheduled RECVs */
    uint64_t tags_followed;           /* by machines that are not their home */
    uint64_t early_receives; /* tokens that came before their RECV was scheduled */
};

/* How often something was passed on that is no firing. */
static inline uint64_t isa_carried_count(const struct isa_carried *c)
{
    return c->sends + c->dead_sends + c->receives + c->dead_receives + c->tag_sends +
           c->tag_receives + c->tag_steps;
}

/* Tensors of an execution. */
struct isa_exec_tensors {
    const struct isa_blas
        *blas;     /* who multiplies matrices: borrowed; NULL: the reference */
    uint64_t seed; /* of params that are drawn */
    uint64_t firings, flops, bytes; /* of instructions on tensors, and what they cost */
    uint64_t updates;               /* kernels that changed rows, */
    uint64_t copies, copied; /* those that copied the tensor first, and its bytes */
};

struct isa_exec {
    const struct isa_code *code;
    const struct isa_eval_functions
        *functions; /* of reals: the C library's, if not set */
    struct isa_activations tags;
    struct isa_element *cells;
    struct isa_structures structures;
    LIB_VEC(struct isa_deferred) deferred; /* of what is not written yet, and free ones */
    uint32_t free_deferred;
    uint32_t newest_deferred; /* for the machine: the one made last */
    isa_value *results;       /* a value per part */
    bool *has_result;
    uint32_t results_missing;
    uint64_t waiting_reads;    /* deferred, and not answered yet */
    uint64_t deferred_fetches; /* FETCHes that ever were */
    struct isa_counts counts;

    struct isa_element written; /* by the last WRITE or STORE, */
    uint32_t released;          /* and the first of the reads that it answers;
                                   ISA_DEFERRED_END */
    uint32_t array; /* that the last ALLOC or ROW made, or the last STORE wrote */
    LIB_VEC(struct isa_parked) parked;
    uint32_t parked_free; /* the first place of those that are free, or ISA_PARKED_END */
    uint32_t woken;       /* by the last HOLD: the first of the tokens that go on, or
                             ISA_PARKED_END */

    enum isa_trap trap; /* why the program failed, and where */
    uint32_t trap_instr;
    isa_tag trap_tag;
    int64_t trap_number;       /* the index or length that was wrong, or the element, */
    int64_t trap_length;       /* and the length that the array has */
    bool out_of_memory;        /* the limit on frames or structures was reached */
    struct lib_text trap_note; /* ISA_TRAP_TENSOR: what does not fit, with the shapes */

    struct isa_exec_tensors tensor;
    struct isa_carried carried;
};

/* `limit_bytes` bounds the memory of frames, and that of structures. */
void isa_exec_init(struct isa_exec *exec, const struct isa_code *code,
                   uint64_t limit_bytes);
void isa_exec_free(struct isa_exec *exec);

/* Restores `start`, a copy of `exec` from before anything was executed, whatever `exec` has
 * executed since. Keeps the memory that its arrays have, and puts it into `start` too, so that
 * `start` can be restored again. Costs what the cells, results and functions of the program
 * cost, and the structures that were ever alive at once. */
void isa_exec_reset(struct isa_exec *exec, struct isa_exec *start);

/* Accounts for the references of a firing: it gives up those of its operands `a` and `b`, and
 * sends `value` so often; 0: it has none yet. */
void isa_exec_refer(struct isa_exec *exec, const struct isa_instr *instr, isa_value a,
                    isa_value b, isa_value value, uint32_t sent);

/* The 64-bit hash that the digests sum (doc/metrics.md): of instruction and tag path
 * mixed with one more word. */
static inline __attribute__((always_inline)) uint64_t
isa_exec_hash(const struct isa_instr *instr, uint64_t path, uint64_t word)
{
    return lib_hash_fold(path ^ instr->key, word ^ UINT64_C(0xa0761d6478bd642f));
}

/* What digests take for a reference. */
uint64_t isa_exec_word(const struct isa_exec *exec, isa_value reference);

/* The instruction and operand that a destination means under a tag. */
static inline uint32_t isa_exec_dest(const struct isa_exec *exec, isa_code_dest dest,
                                     isa_tag tag)
{
    if (!(dest & ISA_CODE_TO_RETURN))
        return dest;
    const struct isa_code *code = exec->code;
    uint32_t part = dest & ~ISA_CODE_TO_RETURN;
    uint32_t site = isa_activations_get(&exec->tags, tag)->site;
    return code->returns[code->first_return[site] + part] << 1;
}

/* The slot of a two-operand instruction, and of MERGEIF, in the frame of a tag. */
static inline struct isa_slot *isa_exec_slot(const struct isa_exec *exec, isa_tag tag,
                                             const struct isa_instr *instr)
{
    return &isa_activation_slots(isa_activations_get(&exec->tags, tag))[instr->slot];
}

/* The token that makes instruction number `i` of the starts fire. */
static inline struct isa_token isa_exec_start(const struct isa_exec *exec, uint32_t i)
{
    return (struct isa_token){
        .key = isa_token_key(exec->code->starts[i] << 1, ISA_TAG_ROOT)};
}

/* The program failed at an instruction, under a tag. */
__attribute__((cold)) void isa_exec_trap(struct isa_exec *exec, enum isa_trap trap,
                                         uint32_t instr, isa_tag tag);

/* How an execution ended, when nothing moves any more. */
enum isa_end {
    ISA_END_COMPLETED,
    ISA_END_TRAPPED,
    ISA_END_DEADLOCKED,
    ISA_END_LIMIT,
    ISA_END_STORE_FULL,     /* a machine's queues or matching stores */
    ISA_END_TAGS_EXHAUSTED, /* a machine's numbers for tags */
    ISA_END_FAULTED,        /* a message between nodes was lost, or came twice */
    ISA_END_INTERRUPTED,
    ISA_END_WAITING, /* for its host: on open ports (isa/exec/port.h) */
};

/* Completed, waiting for the host or deadlocked, of an execution in which no token moves and
 * nothing failed; or trapped, where the result has no text. */
enum isa_end isa_exec_end(struct isa_exec *exec);

/* The result as text (doc/language.md, Output). */
void isa_exec_write_result(const struct isa_exec *exec, struct lib_text *out);

/* A sentence on why it trapped, with function and tag; `pos` is the place in the
 * source. */
void isa_exec_write_trap(const struct isa_exec *exec, struct lib_text *out,
                         struct lib_pos *pos);

/* "element 5 of the array made at 3:8". */
void isa_exec_write_element(const struct isa_exec *exec, isa_value address,
                            struct lib_text *out);

/* Lines on what waits for what: of each waiting instruction its place, tag and missing
 * operand; at most `most` of them. */
void isa_exec_write_waiting(const struct isa_exec *exec, struct lib_text *out,
                            unsigned most);

/* Adds to `held`, one for each number of a structure, the references that cells, the result,
 * deferred reads and other structures have. */
void isa_exec_count_references(const struct isa_exec *exec, uint64_t *held);

/* Verifies what must hold when nothing moves after a completed execution (tokens made =
 * consumed, nothing waits, all tags gone, structures held by cells and the result alone) by
 * assertions. */
void isa_exec_check_quiet(const struct isa_exec *exec);

#endif
