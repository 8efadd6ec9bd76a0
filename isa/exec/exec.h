/* State of one execution of a program: tags, cells, structures, results, counts. The interpreter
 * and the machine share it; isa/fire/fire.h changes it, one token at a time. */
#ifndef ISA_EXEC_EXEC_H
#define ISA_EXEC_EXEC_H

#include "isa/exec/code.h"
#include "isa/exec/eval.h"
#include "isa/exec/port.h"
#include "isa/exec/structure.h"
#include "lib/hash.h"
#include "lib/memory.h"

/* A token: a value for one operand of one instruction, under one tag. Dead tokens have no value.
 * Its depth is the depth of the firing that made the token (doc/metrics.md, span). Only machines
 * use its owner (isa/exec/activation.h). */
struct isa_token {
    isa_value value;
    uint64_t key; /* target << 32 | tag; the target is instruction << 1 | operand */
    uint64_t depth_owner; /* depth << ISA_OWNER_BITS | owner */
};

/* Flag in a token's target, instruction << 1 | operand: the token is dead. */
#define ISA_TOKEN_DEAD UINT32_C(0x80000000)

enum { ISA_OWNER_BITS = 16 };

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

/* Returns the instruction of a token that cannot be dead. */
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
    return t->depth_owner >> ISA_OWNER_BITS;
}

static inline uint32_t isa_token_owner(const struct isa_token *t)
{
    return t->depth_owner & ((1 << ISA_OWNER_BITS) - 1);
}

static inline void isa_token_set_owner(struct isa_token *t, uint32_t owner)
{
    t->depth_owner = (t->depth_owner >> ISA_OWNER_BITS << ISA_OWNER_BITS) | owner;
}

/* Return the contents of a slot in which an operand waits. isa_slot_of takes the operand from a
 * token. */
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

/* A deferred read: a READ that waits for its cell, or a FETCH that waits for its array element. */
struct isa_deferred {
    uint32_t instr;
    isa_tag tag;
    uint64_t depth;
    /* next read that waits for the same cell or element, or next free entry; or ISA_DEFERRED_END */
    uint32_t next;
    uint32_t structure; /* array that a FETCH reads; for a READ, ISA_STRUCTURE_NONE */
};

/* A parked token: it waits for a loop constant (isa/exec/loop_constant.h). */
#define ISA_PARKED_FIELDS(F)                                                             \
    F(NUMBER, struct isa_token, token)                                                   \
    /* next token that waits for the constant, or next free entry; or ISA_PARKED_END */  \
    F(NUMBER, uint32_t, next)
struct isa_parked {
    ISA_PARKED_FIELDS(LIB_STATE_MEMBER)
};

#define ISA_PARKED_END UINT32_MAX

/* Counters of an execution, as COUNT(name). Those that are statistics have the names of
 * doc/metrics.md. Others:
 *   one_operand  firings of instructions with one token operand, without dead ones
 *   live         tokens that were sent and not yet consumed by a firing, or absorbed
 *   waiting      operands in slots, and tokens that wait for a loop constant */
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

/* Returns counts->tokens + more, or UINT64_MAX on overflow. */
static inline uint64_t isa_counts_tokens_after(const struct isa_counts *counts,
                                               uint64_t more)
{
    uint64_t sum;
    return __builtin_add_overflow(counts->tokens, more, &sum) ? UINT64_MAX : sum;
}

/* Counters of the instructions that partitioning adds: SENDs, RECVs and tag tracking
 * (isa/parts.h). */
struct isa_carried {
    /* firings that carried a value, or a dead token, between machines */
    uint64_t sends, dead_sends, receives, dead_receives;
    /* firings that carried decisions of SWITCHes to tag tracking */
    uint64_t tag_sends, tag_receives;
    uint64_t tag_steps; /* firings of tag tracking, dead ones included */
    /* tokens that instructions of tag tracking consumed, and tokens that scheduled AWAITs */
    uint64_t tag_tokens;
    uint64_t tags_followed;  /* activations tracked on machines other than their home */
    uint64_t early_receives; /* tokens that arrived before their RECV was scheduled */
};

/* Returns the number of firings of SENDs, RECVs and tag tracking. */
static inline uint64_t isa_carried_count(const struct isa_carried *c)
{
    return c->sends + c->dead_sends + c->receives + c->dead_receives + c->tag_sends +
           c->tag_receives + c->tag_steps;
}

#define ISA_EXEC_TENSORS_FIELDS(F)                                                       \
    /* library for products of matrices; NULL: the reference code */                     \
    F(KEPT, const struct isa_blas *, blas)                                               \
    F(KEPT, uint64_t, seed) /* seed of random elements */                                \
    /* firings of tensor instructions, and their total cost */                           \
    F(NUMBER, uint64_t, firings)                                                         \
    F(NUMBER, uint64_t, flops)                                                           \
    F(NUMBER, uint64_t, bytes)                                                           \
    F(NUMBER, uint64_t, updates) /* kernels that changed rows of a tensor */             \
    /* updates that copied the tensor first, and bytes that they copied */               \
    F(NUMBER, uint64_t, copies)                                                          \
    F(NUMBER, uint64_t, copied)
struct isa_exec_tensors {
    ISA_EXEC_TENSORS_FIELDS(LIB_STATE_MEMBER)
};

/* The members of the next struct, in the order of their bytes in a checkpoint
 * (lib/state_table.h). `m` is the execution, as `s`. */
#define ISA_EXEC_FIELDS(F)                                                               \
    F(KEPT, const struct isa_code *, code)                                               \
    /* exp, log, ... of reals; by default the functions of the C library */              \
    F(KEPT, const struct isa_eval_functions *, functions)                                \
    F(STRUCT, isa_activations, tags)                                                     \
    F(ARRAY, struct isa_element, cells, s->code->graph->cell_count)                      \
    F(STRUCT, isa_structures, structures)                                                \
    /* without tensors all of it is zeros */                                             \
    F(OTHER, struct isa_exec_tensors tensor,                                             \
      if (s->code->has_tensors) isa_exec_tensors_fields_pack(pack, m, &s->tensor),       \
      isa_exec_tensors_fields_clear(m, &s->tensor), )                                    \
    F(CALL, if (s->tags.shares) isa_shares_pack(pack, &s->tags))                         \
    F(OTHER, struct isa_carried carried, if (s->tags.shares) LIB_PACK(pack, s->carried), \
      s->carried = (struct isa_carried){0}, )                                            \
    /* the same as in `structures`; NULL if the graph has no ports */                    \
    F(OTHER, struct isa_ports *ports, isa_ports_pack(pack, s),                           \
      isa_ports_reset(s->ports), isa_ports_free(s->ports))                               \
    F(VEC, struct isa_deferred, deferred) /* deferred reads, and free entries */         \
    /* first free entry of `deferred`, or ISA_DEFERRED_END */                            \
    F(INITIAL, uint32_t, free_deferred, ISA_DEFERRED_END)                                \
    F(ARRAY, isa_value, results, isa_exec_parts(s)) /* each part of the result */        \
    /* for each part of the result, whether it has arrived */                            \
    F(OTHER, bool *has_result, pack_has_result(pack, s),                                 \
      memset(s->has_result, 0, isa_exec_parts(s) * sizeof *s->has_result),               \
      lib_mem_free(s->has_result))                                                       \
    F(INITIAL, uint32_t, results_missing, isa_exec_parts(s))                             \
    F(NUMBER, uint64_t, waiting_reads) /* deferred reads that wait for a value */        \
    /* number of FETCHes that had to wait, so far */                                     \
    F(NUMBER, uint64_t, deferred_fetches)                                                \
    F(NUMBER, struct isa_counts, counts)                                                 \
    /* cell or element that the last WRITE or STORE wrote */                             \
    F(NUMBER, struct isa_element, written)                                               \
    /* first deferred read that the last write answers, or ISA_DEFERRED_END */           \
    F(INITIAL, uint32_t, released, ISA_DEFERRED_END)                                     \
    /* index of the structure (isa/exec/structure.h) of the array last made or */        \
    /* written by a STORE, or of the data by a FILL */                                   \
    F(SCRATCH, uint32_t, array)                                                          \
    F(EACH, isa_parked, parked)                                                          \
    /* first free entry of `parked`, or ISA_PARKED_END */                                \
    F(INITIAL, uint32_t, parked_free, ISA_PARKED_END)                                    \
    /* first parked token that the last HOLD has woken, or ISA_PARKED_END */             \
    F(INITIAL, uint32_t, woken, ISA_PARKED_END)                                          \
    /* why the program failed, or ISA_TRAP_NONE; such a run has no further checkpoint */ \
    F(SCRATCH, enum isa_trap, trap)                                                      \
    F(SCRATCH, uint32_t, trap_instr)                                                     \
    F(SCRATCH, isa_tag, trap_tag)                                                        \
    /* index, length, element, result or constructor that caused the trap */             \
    F(SCRATCH, int64_t, trap_number)                                                     \
    F(SCRATCH, int64_t, trap_length) /* of TRAP_INDEX: length; of elements: address */   \
    /* the memory limit of frames or structures was reached */                           \
    F(SCRATCH, bool, out_of_memory)                                                      \
    /* if ISA_TRAP_TENSOR: reason, with the shapes */                                    \
    F(OTHER, struct lib_text trap_note, , lib_text_free(&s->trap_note),                  \
      lib_text_free(&s->trap_note))
struct isa_exec {
    ISA_EXEC_FIELDS(LIB_STATE_MEMBER)
};

/* Returns the number of parts of the result. */
static inline uint32_t isa_exec_parts(const struct isa_exec *exec)
{
    return exec->code->graph->functions[0].result_count;
}

/* Initialises an execution in which nothing has fired. `limit_bytes` bounds the memory of frames,
 * and separately the memory of structures. */
void isa_exec_init(struct isa_exec *exec, const struct isa_code *code,
                   uint64_t limit_bytes);
void isa_exec_free(struct isa_exec *exec);

/* Makes `exec` an execution of `code` in which nothing has fired, with the settings and callbacks
 * that it has. `code` is that of the same graph, with other inputs. Takes time proportional to
 * cells, results, functions, and the peak number of live structures. */
void isa_exec_reset(struct isa_exec *exec, const struct isa_code *code);

/* Packs or reads an execution between two deliveries of tokens. For reading, `exec` must come
 * straight from isa_exec_init with the same code and limit. Damaged bytes may pass unnoticed
 * without checksums, but what was read can be walked and freed safely. */
void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec);

/* Whether a tag that was read names a live activation, as the tag of every token must. */
bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag);

/* Packs or reads tokens. Reading fails unless they name instructions of the code and live
 * activations. */
void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count);

/* Updates reference counts at a firing that consumes the references in its operands `a` and `b`,
 * and sends `value` to `sent` destinations. `sent` is 0 if the value is not known yet. */
void isa_exec_refer(struct isa_exec *exec, const struct isa_instr *instr, isa_value a,
                    isa_value b, isa_value value, uint32_t sent);

/* Returns the hash of a firing, which digests add up (doc/metrics.md): of the instruction, the path
 * of its tag (isa/tag_path.h), and `word`, such as the value. */
static inline __attribute__((always_inline)) uint64_t
isa_exec_hash(const struct isa_instr *instr, uint64_t path, uint64_t word)
{
    return lib_hash_fold(path ^ instr->key, word ^ UINT64_C(0xa0761d6478bd642f));
}

/* Returns 64 bits that stand for a reference in digests (isa_structures_word). */
uint64_t isa_exec_word(const struct isa_exec *exec, isa_value reference);

/* Returns the target of tokens to `dest`, as instruction << 1 | operand. If `dest` names only the
 * result of a call (ISA_CODE_TO_RETURN), `tag` decides which RETURN it is. */
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

/* Returns the slot of an instruction in the frame of a tag. These have a slot: an instruction with
 * two token operands; a HOLD; and if hiatons are propagated, a MERGEIF, and an APPLY of several
 * tokens. An operand that is a loop constant is in the frame of the parent
 * (isa_loop_constant_slot). */
static inline struct isa_slot *isa_exec_slot(const struct isa_exec *exec, isa_tag tag,
                                             const struct isa_instr *instr)
{
    return &isa_activation_slots(isa_activations_get(&exec->tags, tag))[instr->slot];
}

/* Returns the token that fires instruction `starts[i]` of the code, at the start. */
static inline struct isa_token isa_exec_start(const struct isa_exec *exec, uint32_t i)
{
    return (struct isa_token){
        .key = isa_token_key(exec->code->starts[i] << 1, ISA_TAG_ROOT)};
}

/* Records that the program failed at an instruction, under a tag. */
__attribute__((cold)) void isa_exec_trap(struct isa_exec *exec, enum isa_trap trap,
                                         uint32_t instr, isa_tag tag);

enum isa_end {
    ISA_END_COMPLETED,
    ISA_END_TRAPPED,
    ISA_END_DEADLOCKED,
    ISA_END_LIMIT,
    /* a full queue or matching store of the machine ended the run */
    ISA_END_STORE_FULL,
    ISA_END_TAGS_EXHAUSTED, /* no identifier was left for another tag */
    ISA_END_FAULTED,        /* a message between nodes was lost or arrived twice */
    ISA_END_INTERRUPTED,
    /* nothing can move until the host feeds or closes a port (isa/exec/port.h) */
    ISA_END_WAITING,
};

/* Returns how an execution ended in which no token moves and nothing failed: completed, waiting
 * for its host or deadlocked. Or trapped, if arrays that the result prints together differ in
 * length. */
enum isa_end isa_exec_end(struct isa_exec *exec);

/* Appends the result as text (doc/language.md, Output). */
void isa_exec_write_result(const struct isa_exec *exec, struct lib_text *out);

/* Appends the reason of a trap, with function and tag. Sets *pos to the place in the source. */
void isa_exec_write_trap(const struct isa_exec *exec, struct lib_text *out,
                         struct lib_pos *pos);

/* Appends a description of an element: "element 5 of the array made at 3:8", or "field `left` of
 * `Node` made at 3:8". */
void isa_exec_write_element(const struct isa_exec *exec, isa_value address,
                            struct lib_text *out);

/* Appends a line for each instruction that waits, at most `most` lines: its place, tag and missing
 * operand. */
void isa_exec_write_waiting(const struct isa_exec *exec, struct lib_text *out,
                            unsigned most);

/* Adds to held[s] the number of references to structure s that cells, results, deferred reads,
 * ports and other structures hold. */
void isa_exec_count_references(const struct isa_exec *exec, uint64_t *held);

/* Asserts the invariants of a completed execution: no tokens, nothing waits, only the root is
 * alive, and only cells, the result and ports hold references. */
void isa_exec_check_quiet(const struct isa_exec *exec);

#endif
