/* Executing graphs of any kind, and comparing how they end. */
#include "tests/fuzz/fuzz.h"

#include "isa/exec/loop_constant.h"
#include "isa/fire/fire.h"
#include "isa/fire/interp.h"
#include "isa/format/image.h"
#include "machine/machine.h"
#include "machine/ports.h"

#ifdef HIATON_CHECKS /* each cycle takes as long as there are tokens */
enum { MAX_TOKENS = 1000 };
#else
enum { MAX_TOKENS = 3000 };
#endif
enum { MAX_MEMORY = 1 << 18 };

/* How one execution ended. */
struct outcome {
    const char *who;
    enum isa_end end;
    struct lib_text result; /* of a completed one */
    uint64_t digest;
};

/* Writes all that a user would be told about the end of an execution. */
static struct outcome conclude(const char *who, const struct isa_exec *exec,
                               enum isa_end end)
{
    struct outcome o = {.who = who, .end = end, .digest = exec->counts.value_digest};
    struct lib_text told = {0};
    struct lib_pos pos;
    if (end == ISA_END_COMPLETED) {
        isa_exec_check_quiet(exec);
        isa_exec_write_result(exec, &o.result);
    } else if (end == ISA_END_TRAPPED) {
        isa_exec_write_trap(exec, &told, &pos);
    } else {
        isa_exec_write_waiting(exec, &told, 10);
    }
    lib_text_free(&told);
    return o;
}

static struct outcome interpret(const struct isa_code *code)
{
    const struct isa_interp_limits limits = {.memory = MAX_MEMORY, .tokens = MAX_TOKENS};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, true, NULL);
    struct outcome o = conclude("interpreter", &interp.exec, interp.end);
    isa_interp_free(&interp);
    return o;
}

/* --- a machine ------------------------------------------------------------------------ */

/* Settings that differ from program to program; none that could end a run otherwise than
 * the interpreter ends it. */
static struct machine_settings choose_settings(const struct isa_code *code)
{
    struct machine_settings s;
    machine_settings_default(&s);
    uint64_t draw = isa_image_digest(code->graph).low;
    s.pe_count = 1 + draw % 5;
    s.pe_units = draw >> 8 & 3;
    s.queue_discipline = draw >> 12 & 1;
    s.placement_policy = draw >> 13 & 1;
    s.structure_placement = draw >> 15 & 1;
    s.network_topology = draw >> 14 & 1;
    s.network_latency = draw >> 16 & 7;
    s.network_bandwidth = draw >> 20 & 1 ? 1 + (draw >> 24 & 255) : 0;
    s.match_latency = draw >> 32 & 1;
    s.fetch_latency = draw >> 33 & 1;
    s.form_latency = draw >> 34 & 1;
    s.match_store = draw >> 35 & 1;
    s.match_capacity = s.match_store == MACHINE_MATCH_HASH ? draw >> 36 & 15 : 0;
    s.match_ways = 1 + (draw >> 40 & 3);
    s.overflow_latency = draw >> 42 & 7;
    s.tag_scheme = (draw >> 45 & 3) % 3;
    s.tag_pool = draw >> 47 & 7;
    s.tag_exhausted = MACHINE_EXHAUSTED_SPILL;
    s.spill_latency = draw >> 50 & 7;
    s.intern_units = draw >> 53 & 1;
    s.intern_latency = draw >> 54 & 3;
    s.intern_bandwidth = draw >> 56 & 3;
    s.queue_capacity = draw >> 58 & 1 ? UINT32_MAX : 0;
    s.network_capacity = draw >> 59 & 1 ? UINT32_MAX : 0;
    s.copy_latency = draw >> 60 & 3;
    s.copy_node_latency = draw >> 61 & 1;
    s.copy_workers = draw >> 62 & 1 ? 1 + (draw & 3) : 0;
    s.copy_placement = draw >> 63;
    s.deadness = code->propagate ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
    s.limit_tokens = MAX_TOKENS;
    s.limit_memory = MAX_MEMORY;
    return s;
}

static struct outcome simulate(const struct isa_code *code)
{
    struct machine_settings settings = choose_settings(code);
    /* The seed of the other executions, as params are drawn by it. */
    struct machine *machine = machine_new(code, &settings, 0);
    while (machine_advance(machine, 1000) && !machine_waits(machine))
        ;
    const bool waits = machine_waits(machine); /* for a host, which feeds its ports */
    struct outcome o = conclude("machine", machine_exec(machine),
                                waits ? ISA_END_WAITING : machine_end(machine));
    struct traces_stats stats;
    machine_measure(machine, &stats);
    if (stats.value_digest != o.digest)
        fuzz_fail("the machine measured another digest");
    traces_stats_free(&stats);
    machine_free(machine);
    return o;
}

/* --- a walk --------------------------------------------------------------------------- */

/* A token on its way; `again`: a constant let it go that it waited for, so it was noted. */
struct walked {
    struct isa_token token;
    bool again;
};

/* An execution in random order that notes whether any operand is reached twice under one
 * tag. Where none is, the graph is determinate: by induction every other order makes the
 * same tokens. (A legal graph need not be: nothing forbids, say, a MERGE that two live
 * arcs of one activation reach, and then OUTPUT keeps what came last.) */
struct walk {
    struct isa_exec exec;
    LIB_VEC(struct walked) tokens;
    uint64_t draws;
    bool once;
    uint64_t *seen; /* open addressing; 0: free */
};

enum { SEEN = 1 << 14 };
static_assert(SEEN > 2 * MAX_TOKENS, "it never fills");

/* How many tokens with this key came before. */
static unsigned count_seen(struct walk *w, uint64_t key)
{
    unsigned found = 0;
    uint64_t at = key % SEEN;
    for (; w->seen[at]; at = (at + 1) % SEEN)
        found += w->seen[at] == (key | 1);
    w->seen[at] = key | 1;
    return found;
}

static void note(struct walk *w, const struct isa_token *t)
{
    const struct isa_instr *instr = &w->exec.code->instrs[isa_token_instr(t)];
    if (instr->tokens == 0)
        return;
    uint64_t path = isa_activations_get(&w->exec.tags, isa_token_tag(t))->path;
    /* RETURN_i may get the control token of the call that made this activation, and the
     * hiaton of the call that this activation does not make; EXIT_i that of a loop. */
    bool dead_call = (instr->op == ISA_OP_RETURN || instr->op == ISA_OP_EXIT) &&
                     isa_token_port(t) && isa_token_is_dead(t);
    uint64_t place = 4 * (uint64_t)isa_token_instr(t) + 2 * dead_call + isa_token_port(t);
    uint64_t key = lib_hash_mix(path ^ lib_hash_mix(place));
    bool two = instr->op == ISA_OP_MERGEIF && w->exec.code->propagate;
    if (count_seen(w, key) > (two ? 1 : 0))
        w->once = false;
}

static void send_token(void *engine, const struct isa_instr *instr, isa_tag tag,
                       isa_value value, uint64_t depth, struct isa_code_list to,
                       unsigned how)
{
    struct walk *w = engine;
    (void)instr;
    for (uint32_t i = 0; i < to.count; i++) {
        isa_code_dest dest = w->exec.code->dests[to.first + i];
        uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
        *LIB_VEC_PUSH(&w->tokens) = (struct walked){
            .token = {value,
                      isa_token_key(isa_exec_dest(&w->exec, dest, tag) | mark, tag),
                      depth << ISA_OWNER_BITS}};
    }
}

static enum isa_end walk_on(struct walk *w)
{
    struct isa_exec *x = &w->exec;
    struct isa_firing firing;
    const struct isa_fire_to to = {&x->counts, &firing, send_token, w, false};
    while (w->tokens.count > 0) {
        size_t at = lib_hash_mix(w->draws++) % w->tokens.count;
        struct walked taken = w->tokens.items[at];
        w->tokens.items[at] = w->tokens.items[--w->tokens.count];
        if (!taken.again)
            note(w, &taken.token);
        if (isa_fire_any(x, &taken.token, true, to) == ISA_FIRED_STOPPED)
            return x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
        for (taken.again = true; isa_loop_constant_wake(x, &taken.token);)
            *LIB_VEC_PUSH(&w->tokens) = taken;
        if (x->counts.tokens >= MAX_TOKENS)
            return ISA_END_LIMIT;
    }
    return isa_exec_end(x);
}

static struct outcome walk(const struct isa_code *code, bool *once)
{
    struct walk w = {.once = true, .seen = lib_mem_new(SEEN * sizeof *w.seen)};
    isa_exec_init(&w.exec, code, MAX_MEMORY);
    isa_ports_start(&w.exec);
    for (uint32_t i = 0; i < code->start_count; i++)
        *LIB_VEC_PUSH(&w.tokens) = (struct walked){.token = isa_exec_start(&w.exec, i)};
    enum isa_end end = walk_on(&w);
    struct outcome o = conclude("walk", &w.exec, end);
    *once = w.once;
    isa_exec_free(&w.exec);
    LIB_VEC_FREE(&w.tokens);
    lib_mem_free(w.seen);
    return o;
}

/* --- comparison ----------------------------------------------------------------------- */

/* Which limit is reached, and whether before a trap, depends on the order. */
static void agree(const struct outcome *a, const struct outcome *b)
{
    if (a->end == ISA_END_LIMIT || b->end == ISA_END_LIMIT)
        return;
    if (a->end != b->end)
        fuzz_fail("%s and %s ended differently: %d, %d", a->who, b->who, a->end, b->end);
    if (a->end == ISA_END_TRAPPED)
        return;
    fuzz_same("the result", &a->result, &b->result);
    if (a->digest != b->digest)
        fuzz_fail("%s and %s have different value digests", a->who, b->who);
}

/* How the interpreter ended; its text is the caller's. */
static struct outcome execute(const struct isa_graph *graph, bool propagate,
                              bool compiled)
{
    struct isa_code *code = isa_code_make(graph, NULL, propagate);
    bool once;
    struct outcome walked = walk(code, &once);
    struct outcome interpreted = interpret(code), simulated = simulate(code);
    bool quiet = walked.end == ISA_END_COMPLETED || walked.end == ISA_END_DEADLOCKED;
    if (compiled && !once)
        fuzz_fail("the walk reached an operand twice");
    if (compiled || (once && quiet)) {
        agree(&walked, &interpreted);
        agree(&walked, &simulated);
        agree(&interpreted, &simulated);
    }
    lib_text_free(&walked.result);
    lib_text_free(&simulated.result);
    isa_code_free(code);
    return interpreted;
}

void fuzz_execute(const struct isa_graph *graph, bool compiled)
{
    struct outcome suppressed = execute(graph, false, compiled);
    struct outcome propagated = execute(graph, true, compiled);
    suppressed.who = "suppress";
    propagated.who = "propagate";
    if (compiled)
        agree(&suppressed, &propagated);
    lib_text_free(&suppressed.result);
    lib_text_free(&propagated.result);
}
