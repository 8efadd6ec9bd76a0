/* The state of one execution, shared by the interpreter and the machine: tags, cells,
 * results, counts. isa/fire.h changes it, one token at a time. */
#ifndef ISA_EXEC_H
#define ISA_EXEC_H

#include "isa/code.h"
#include "isa/eval.h"
#include "lib/memory.h"

/* A token: a value for one operand of one instruction, under one tag. A dead one is a
 * hiaton. `depth` is that of the firing that made it (doc/metrics.md, span). */
struct isa_token {
    isa_value value;
    uint64_t depth : 40, instr : 22, port : 1, dead : 1;
    isa_tag tag;
    uint32_t pe; /* of the machine: where it is, or goes */
};

static_assert(sizeof(struct isa_token) == 24, "tokens are small: speed depends on it");
static_assert(ISA_MAX_NODES <= 1 << 22, "a token can name every instruction");

/* What a firing sends: one value to a list of destinations. */
struct isa_send {
    isa_value value;
    uint64_t depth;
    isa_tag tag;
    bool dead;
    struct isa_code_list to;
};

/* A READ that waits for its cell. */
struct isa_deferred {
    uint32_t instr;
    isa_tag tag;
    uint64_t depth;
    uint32_t next; /* in the order of arrival; ISA_DEFERRED_END */
};

#define ISA_DEFERRED_END UINT32_MAX

struct isa_exec_cell {
    isa_value value;
    uint64_t depth;
    bool written;
    uint32_t first, last; /* deferred reads */
};

/* What was counted, under the names of doc/metrics.md. */
struct isa_counts {
    uint64_t firings, dead_firings;
    uint64_t one_operand; /* live firings of instructions with one token operand */
    uint64_t tokens, dead_tokens;
    uint64_t made;     /* tokens sent; at the end of a completed run all were delivered
                          and consumed */
    uint64_t consumed; /* by a firing, or absorbed */
    uint64_t waiting;  /* operands in slots now */
    uint64_t deferred; /* reads that wait now */
    uint64_t span;
    uint64_t value_digest;
};

struct isa_exec {
    const struct isa_code *code;
    struct isa_tags tags;
    struct isa_exec_cell *cells;
    LIB_VEC(struct isa_deferred) deferred; /* those of cells not yet written */
    isa_value *results;                    /* a value per part */
    bool *has_result;
    uint32_t results_missing;
    struct isa_counts counts;

    struct isa_send sends[2]; /* of the last firing */
    unsigned send_count;
    uint64_t fired_path;  /* of the tag that the last live firing had */
    uint64_t fired_depth; /* of the last firing; a READ's own, whatever its cell's */
    uint32_t released;    /* by the last firing, a WRITE: the first of the reads that it
                          answers; ISA_DEFERRED_END */

    enum isa_trap trap; /* why the program failed, and where */
    uint32_t trap_instr;
    isa_tag trap_tag;
    bool out_of_memory; /* the limit on frames was reached */
};

/* `limit_bytes` bounds the memory of frames. */
void isa_exec_init(struct isa_exec *exec, const struct isa_code *code,
                   uint64_t limit_bytes);
void isa_exec_free(struct isa_exec *exec);

/* The instruction and operand that a destination means under a tag. */
static inline uint32_t isa_exec_dest(const struct isa_exec *exec, isa_code_dest dest,
                                     isa_tag tag)
{
    if (__builtin_expect(!(dest & ISA_CODE_TO_RETURN), 1))
        return dest;
    const struct isa_code *code = exec->code;
    uint32_t part = dest & ~ISA_CODE_TO_RETURN;
    uint32_t site = isa_tags_get(&exec->tags, tag)->site;
    return code->returns[code->sites[site].first_return + part] << 1;
}

/* The token that a send makes for its `k`-th destination; its `pe` is 0. */
static inline struct isa_token isa_exec_token(const struct isa_exec *exec,
                                              const struct isa_send *send, uint32_t k)
{
    uint32_t dest = isa_exec_dest(exec, exec->code->dests[send->to.first + k], send->tag);
    return (struct isa_token){
        .value = send->value,
        .depth = send->depth,
        .instr = dest >> 1,
        .port = dest & 1,
        .dead = send->dead,
        .tag = send->tag,
    };
}

/* How an execution ended, when nothing moves any more. */
enum isa_end {
    ISA_END_COMPLETED,
    ISA_END_TRAPPED,
    ISA_END_DEADLOCKED,
    ISA_END_LIMIT,
    ISA_END_INTERRUPTED,
};

/* Completed or deadlocked, of an execution in which no token moves and nothing failed. */
enum isa_end isa_exec_end(const struct isa_exec *exec);

/* The result as text (doc/language.md, Output). */
void isa_exec_write_result(const struct isa_exec *exec, struct lib_text *out);

/* A sentence on why it trapped, with function and tag; `pos` is the place in the
 * source. */
void isa_exec_write_trap(const struct isa_exec *exec, struct lib_text *out,
                         struct lib_pos *pos);

/* Lines on what waits for what: of each waiting instruction its place, tag and missing
 * operand; at most `most` of them. */
void isa_exec_write_waiting(const struct isa_exec *exec, struct lib_text *out,
                            unsigned most);

/* Verifies what must hold when nothing moves after a completed execution (tokens made =
 * consumed, nothing waits, all tags gone) by assertions. */
void isa_exec_check_quiet(const struct isa_exec *exec);

#endif
