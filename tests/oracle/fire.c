/* What instructions do ("Calls", "Loops", "Arrays", isa/ops.def), and how it is counted ("Digests",
 * doc/metrics.md). */
#include "tests/oracle/state.h"

#include <stdlib.h>

static const struct value nothing;

/* --- accounting --------------------------------------------------------------------- */

void oracle_account(struct oracle *o, const struct firing *f, bool dead)
{
    struct oracle_stats *stats = &o->outcome->stats;
    struct oracle_pe_stats *pe = &o->pes[f->pe].stats;
    const uint64_t formed = o->now + f->delay;
    oracle_why_fires(o, f->instr, f->pe, formed);
    o->fired.instr = f->instr;
    o->fired.dead = dead;
    o->fired.has_frame = oracle_has_frame(o, f->tag);
    o->fired.site = f->tag->site;
    pe->busy += o->s->executor_workers == 0;
    /* Workers count it themselves. */
    if (formed > stats->cycles && !o->s->executor_workers)
        stats->cycles = formed;
    if (dead) {
        stats->dead_firings++;
        pe->dead_firings++;
        return;
    }
    stats->firings++;
    pe->firings++;
    o->unit_firings[isa_op_table[f->instr->node->op].unit]++;
    o->accesses += oracle_accesses(f->instr->node);
    if (f->depth > stats->span)
        stats->span = f->depth;
    o->one_operand += f->instr->tokens + (f->instr->held != NONE) == 1;
    stats->timing_digest += oracle_hash(f->instr, f->tag, (o->now << 16) + f->pe);
}

void oracle_account_value(struct oracle *o, const struct firing *f, struct value v)
{
    o->outcome->stats.value_digest += oracle_hash(f->instr, f->tag, v.word);
}

void oracle_deliver(struct oracle *o, const struct token *t, unsigned pe)
{
    o->outcome->stats.tokens++;
    o->outcome->stats.dead_tokens += t->dead;
    o->pes[pe].stats.tokens++;
}

void oracle_consume(struct oracle *o, const struct token *t)
{
    o->live_tokens--;
    oracle_unrefer(o, t->value);
    const bool comes = t->message || t->instr->node->op == ISA_OP_RECV;
    oracle_release(o, t->tag, comes ? NONE : t->instr->node->machine);
}

/* --- activations that a firing makes ------------------------------------------------ */

/* The activation i:t or i.n:t to which `count` firings under `where` send; the first makes it. */
static struct activation *enter(struct oracle *o, struct activation *where,
                                struct activation *parent, uint32_t site,
                                bool is_iteration, uint64_t n, uint32_t count,
                                uint64_t *made)
{
    struct child *c = oracle_child(where, site);
    if (c) {
        struct activation *a = c->activation;
        if (--c->to_come == 0)
            oracle_child_remove(where, site);
        return a;
    }
    struct activation *a = oracle_activation_new(o, parent, site, is_iteration, n);
    ++*made;
    if (count > 1)
        *LIB_VEC_PUSH(&where->children) = (struct child){
            .site = site, .activation = a, .to_come = count - 1};
    return a;
}

/* Whether the activation that a call or loop sends to exists, or has room; if not, ends the run. */
bool oracle_finds_room(struct oracle *o, const struct firing *f)
{
    const uint32_t site = f->instr->node->site;
    return oracle_child(f->tag, site) ||
           oracle_frame_fits(o, o->graph->sites[site].callee);
}

static uint32_t expected(const struct oracle *o, uint32_t site)
{
    return oracle_callee(o, site)->param_count + oracle_followers(o, site);
}

static void fire_call(struct oracle *o, const struct firing *f, struct value v)
{
    const uint32_t site = f->instr->node->site;
    struct activation *a = enter(o, f->tag, f->tag, site, false, 0, expected(o, site),
                                 &o->outcome->stats.calls);
    oracle_send_list(o, f, 0, a, v, false);
    if (f->instr->node->op == ISA_OP_CALL)
        oracle_send_list(o, f, 1, a, nothing, false);
}

/* A variable of an iteration: an ENTER makes the first, a NEXT the one after its own. */
static void fire_variable(struct oracle *o, const struct firing *f, struct value v)
{
    const uint32_t site = f->instr->node->site;
    const bool next = oracle_made_as(f->instr) == ISA_OP_NEXT;
    uint64_t entered = 0;
    struct activation *a = enter(o, f->tag, next ? f->tag->parent : f->tag, site, true,
                                 next ? f->tag->iteration + 1 : 0, expected(o, site),
                                 next ? &o->outcome->stats.loop_iterations : &entered);
    oracle_send_list(o, f, 0, a, v, false);
    a->variables_to_come--;
    oracle_release(o, a, f->instr->node->machine);
}

/* CALL, ENTER or NEXT, also for a copy of one; else the opcode. */
enum isa_op oracle_made_as(const struct instr *instr)
{
    switch (instr->node->op) {
    case ISA_OP_TRACK_CALL:
        return ISA_OP_CALL;
    case ISA_OP_TRACK_ENTER:
        return ISA_OP_ENTER;
    case ISA_OP_TRACK_NEXT:
        return ISA_OP_NEXT;
    default:
        return instr->node->op;
    }
}

void oracle_follow(struct oracle *o, const struct firing *f, struct value v)
{
    if (oracle_made_as(f->instr) == ISA_OP_CALL)
        fire_call(o, f, v);
    else
        fire_variable(o, f, v);
}

/* --- live firings ------------------------------------------------------------------- */

/* A turn fails, unless it has ended the run already. */
void oracle_trap(struct oracle *o)
{
    o->trapped = true;
    oracle_end(o, ORACLE_TRAPPED, NULL);
}

/* Returns false if the part has come already. */
static bool fire_output(struct oracle *o, const struct firing *f, struct value v)
{
    struct constant *part = &o->results[f->instr->node->index];
    if (part->here)
        return false;
    *part = (struct constant){true, v, f->depth};
    oracle_refer(v);
    if (f->instr->node->index < oracle_result_parts(o))
        o->wrote = &o->output;
    return true;
}

static void pass_value(struct oracle *o, const struct firing *f, unsigned list,
                       struct value v)
{
    oracle_send_list(o, f, list, f->tag, v, false);
}

static void fire_switch(struct oracle *o, const struct firing *f, struct value v,
                        bool condition)
{
    const unsigned taken = condition ? 0 : 1;
    o->fired.taken = taken;
    pass_value(o, f, taken, v);
    if (o->s->propagate)
        oracle_send_list(o, f, !taken, f->tag, nothing, true);
}

/* Whether an INDEX or MORE beyond the length, or a LENGTH, waits. */
static bool port_waits(struct oracle *o, const struct firing *f, struct value array,
                       uint64_t index)
{
    const bool waits = array.array->port > 0;
    if (waits)
        oracle_port_wait(o, f, array, index);
    return waits;
}

/* PORT, OPEN, MORE. Returns false on failure. */
static bool fire_port(struct oracle *o, const struct firing *f, struct value a,
                      struct value b)
{
    const struct isa_node *node = f->instr->node;
    struct value sent = nothing;
    if (node->op == ISA_OP_MORE) {
        if ((int64_t)b.word < 0)
            return false;
        oracle_port_ask(o, a, b.word);
        if (b.word >= a.array->length && port_waits(o, f, a, b.word))
            return true;
        sent.word = b.word < a.array->length;
    } else if (node->op == ISA_OP_PORT) {
        sent = oracle_port_value(o, node->index);
    } else if (oracle_array_fits(o, oracle_port_length(o, node->index))) {
        sent = oracle_follow_port(o, f, node->index);
    } else {
        return false;
    }
    pass_value(o, f, 0, sent);
    oracle_account_value(o, f, sent);
    oracle_unrefer(o, sent);
    return true;
}

/* CONSTRUCT, FILL, FIELD and CONSTRUCTOR. Returns false on failure. */
static bool fire_data(struct oracle *o, const struct firing *f, struct value a,
                      struct value b)
{
    const struct isa_node *node = f->instr->node;
    struct element *e;
    struct value sent = b;
    switch (node->op) {
    case ISA_OP_CONSTRUCT:
        if (!oracle_array_fits(o, o->graph->constructors[node->index].field_count))
            return false;
        sent = oracle_construct(o, f);
        pass_value(o, f, 0, sent);
        oracle_account_value(o, f, sent);
        oracle_unrefer(o, sent);
        return true;
    case ISA_OP_CONSTRUCTOR:
        sent = nothing;
        sent.word = o->graph->constructors[a.index].number;
        pass_value(o, f, 0, sent);
        break;
    case ISA_OP_FIELD:
        e = oracle_accessed(o, node, a);
        if (e)
            oracle_read(o, f, e, a);
        return e != NULL;
    default: /* FILL */
        e = oracle_accessed(o, node, a);
        if (!e || !oracle_write(o, f, e, b))
            return false;
        o->wrote = &a.array->written;
        break;
    }
    oracle_account_value(o, f, sent);
    return true;
}

static bool is_on_data(enum isa_op op)
{
    return op == ISA_OP_CONSTRUCT || op == ISA_OP_FILL || op == ISA_OP_FIELD ||
           op == ISA_OP_CONSTRUCTOR;
}

/* "Arrays that are given": the firing of GIVEN writes all elements. */
static bool fire_given(struct oracle *o, const struct firing *f)
{
    const struct isa_tensor *tensor = o->constants[f->instr->node->index];
    if (!oracle_array_fits(o, tensor->count))
        return false;
    const struct value sent = oracle_alloc(o, f, tensor->count);
    for (uint64_t i = 0; i < tensor->count; i++) {
        struct element *e = &sent.array->elements[i];
        e->written = true;
        e->depth = f->depth;
        e->value.word = tensor->shape.element == ISA_ELEMENT_REAL
                            ? isa_value_of_real(tensor->reals[i])
                        : tensor->shape.element == ISA_ELEMENT_INT
                            ? (uint64_t)tensor->ints[i]
                            : tensor->bools[i];
    }
    pass_value(o, f, 0, sent);
    if (!oracle_wrong(o, BROUGHT))
        oracle_account_value(o, f, sent);
    o->wrote = &sent.array->written;
    oracle_unrefer(o, sent);
    return true;
}

/* Instructions on arrays. Returns false on failure. */
static bool fire_memory(struct oracle *o, const struct firing *f, struct value a,
                        struct value b, struct value *sent)
{
    const struct isa_node *node = f->instr->node;
    *sent = nothing;
    if (oracle_is_on_tensors(node->op))
        return oracle_fire_tensor(o, f, a, b);
    if (is_on_data(node->op))
        return fire_data(o, f, a, b);
    switch (node->op) {
    case ISA_OP_ALLOC:
    case ISA_OP_ACCUMULATE_ADD:
    case ISA_OP_ACCUMULATE_MIN:
    case ISA_OP_ACCUMULATE_MAX:
    case ISA_OP_ACCUMULATE_AND:
    case ISA_OP_ACCUMULATE_OR:
    case ISA_OP_ACCUMULATE_XOR:
        if ((int64_t)a.word < 0 || !oracle_array_fits(o, a.word) ||
            !oracle_accumulators_fit(o, node, a.word))
            return false;
        *sent = oracle_alloc(o, f, a.word);
        oracle_accumulate(o, sent->array, node);
        pass_value(o, f, 0, *sent);
        oracle_account_value(o, f, *sent);
        oracle_unrefer(o, *sent);
        return true;
    case ISA_OP_GIVEN:
        return fire_given(o, f);
    case ISA_OP_PORT:
    case ISA_OP_OPEN:
    case ISA_OP_MORE:
        return fire_port(o, f, a, b);
    case ISA_OP_INDEX:
        if ((int64_t)b.word < 0)
            return false;
        oracle_port_ask(o, a, b.word);
        if (b.word >= a.array->length)
            return port_waits(o, f, a, b.word);
        *sent = (struct value){oracle_reference_word(a.array->name, b.word), a.array,
                               b.word};
        pass_value(o, f, 0, *sent);
        break;
    case ISA_OP_LENGTH:
        if (port_waits(o, f, a, 0))
            return true;
        sent->word = a.array->length;
        pass_value(o, f, 0, *sent);
        break;
    case ISA_OP_READ:
        oracle_read(o, f, &o->cells[node->index], nothing);
        return true;
    case ISA_OP_FETCH:
        oracle_read(o, f, &a.array->elements[a.index], a);
        return true;
    case ISA_OP_CONTRIBUTE:
        if (!oracle_contribute(a, b.word))
            return false;
        pass_value(o, f, 0, *sent);
        break;
    case ISA_OP_TOTAL:
        if (!oracle_contribute(a, b.word) || !oracle_total(o, a, &sent->word) ||
            !oracle_write(o, f, &a.array->elements[a.index], *sent))
            return false;
        o->wrote = &a.array->written;
        break;
    case ISA_OP_WRITE:
        *sent = a;
        if (!oracle_write(o, f, &o->cells[node->index], a))
            return false;
        break;
    default: /* STORE */
        *sent = b;
        if (!oracle_write(o, f, &a.array->elements[a.index], b))
            return false;
        o->wrote = &a.array->written;
        break;
    }
    oracle_account_value(o, f, *sent);
    return true;
}

/* Control, calls and loops, which send on the first operand. Returns false on failure. */
static bool fire_control(struct oracle *o, const struct firing *f, struct value a,
                         struct value b)
{
    const struct isa_node *node = f->instr->node;
    struct value sent = a;
    switch (node->op) {
    case ISA_OP_SWITCH:
        fire_switch(o, f, a, b.word);
        break;
    case ISA_OP_JOIN:
        sent = nothing;
        pass_value(o, f, 0, sent);
        break;
    case ISA_OP_CALL:
        if (!oracle_finds_room(o, f))
            return false;
        fire_call(o, f, a);
        break;
    case ISA_OP_ENTER:
    case ISA_OP_NEXT:
        if (!oracle_finds_room(o, f))
            return false;
        fire_variable(o, f, a);
        break;
    case ISA_OP_RETURN:
    case ISA_OP_EXIT:
        oracle_send_list(o, f, 0, f->tag->parent, a, false);
        break;
    case ISA_OP_HOLD:
        if (!oracle_hold(o, f, a))
            return false;
        break;
    case ISA_OP_OUTPUT:
        if (!fire_output(o, f, a))
            return false;
        break;
    case ISA_OP_RESULT:
        oracle_send_result(o, f, a, false);
        break;
    default: /* CONST, MERGE, MERGEIF, PARAM */
        pass_value(o, f, 0, a);
        break;
    }
    oracle_account_value(o, f, sent);
    return true;
}

static bool fire_pure(struct oracle *o, const struct firing *f, uint64_t a, uint64_t b)
{
    struct value v = {0};
    if (!oracle_evaluate(f->instr->node->op, a, b, o->s->reference, &v.word))
        return false;
    pass_value(o, f, 0, v);
    oracle_account_value(o, f, v);
    return true;
}

struct value oracle_operand_of(struct oracle *o, const struct firing *f, unsigned port,
                               const struct token *const operands[2])
{
    const struct isa_node *node = f->instr->node;
    if (node->op == ISA_OP_PARAM)
        return operands[0]->value;
    if (port >= node->operand_count)
        return nothing;
    const struct isa_operand *p = &node->operands[port];
    switch (p->kind) {
    case ISA_OPERAND_TOKEN:
        return operands[port]->value;
    case ISA_OPERAND_HELD:
        return oracle_constant(o, f->instr, f->tag)->value;
    case ISA_OPERAND_LITERAL:
        return oracle_literal(o, node, port);
    case ISA_OPERAND_INPUT:
        return (struct value){.word = o->inputs[p->input]};
    default:
        return nothing;
    }
}

/* 1 + max depth of the live operands. */
static uint64_t depth_of(struct oracle *o, const struct firing *f,
                         const struct token *const operands[2])
{
    uint64_t depth = 0;
    for (unsigned p = 0; p < 2; p++)
        if (operands[p] && operands[p]->depth > depth)
            depth = operands[p]->depth;
    if (f->instr->held != NONE) {
        const uint64_t held = oracle_constant(o, f->instr, f->tag)->depth;
        depth = held > depth ? held : depth;
    }
    return depth + 1;
}

/* Fires an instruction on its token operands; NULL: the operand is not a token. */
void oracle_fire(struct oracle *o, struct firing *f,
                 const struct token *const operands[2])
{
    f->depth = depth_of(o, f, operands);
    const struct value a = oracle_operand_of(o, f, 0, operands),
                       b = oracle_operand_of(o, f, 1, operands);
    const uint64_t kernel = oracle_kernel_time(o, f->instr->node, a, b);
    bool good = true;
    f->delay += kernel;
    f->late |= kernel + f->waited > 1024;
    switch (isa_op_table[f->instr->node->op].effect) {
    case ISA_EFFECT_PURE:
        good = fire_pure(o, f, a.word, b.word);
        break;
    case ISA_EFFECT_MEMORY: {
        struct value sent;
        good = fire_memory(o, f, a, b, &sent);
        break;
    }
    default:
        good = fire_control(o, f, a, b);
        break;
    }
    if (!good)
        oracle_trap(o);
    else
        oracle_account(o, f, false);
    if (o->wrote && !o->s->executor_workers)
        oracle_wrote(o, o->now + f->delay);
}

/* --- dead firings: "Deadness" ------------------------------------------------------- */

/* A dead CALL or ENTER sends a dead token to operand 1 of each RETURN or EXIT of its site. */
static void skip(struct oracle *o, const struct firing *f, enum isa_op op)
{
    const uint32_t site = f->instr->node->site;
    const uint32_t parts = oracle_callee(o, site)->result_count;
    for (uint32_t part = 0; part < parts && f->instr->node->index == 0; part++) {
        const struct instr *to = oracle_find(o, op, site, part);
        if (to)
            oracle_send(o, f, to, 1, f->tag, nothing, true);
    }
}

/* Whether a dead token is that of a call or loop that nothing entered. */
bool oracle_is_skipped(const struct token *t)
{
    const enum isa_op op = t->instr->node->op;
    return t->dead && t->port == 1 && (op == ISA_OP_RETURN || op == ISA_OP_EXIT);
}

void oracle_fire_dead(struct oracle *o, struct firing *f, bool skipped)
{
    const struct isa_node *node = f->instr->node;
    if (node->op == ISA_OP_NEXT || node->op == ISA_OP_HOLD ||
        (node->op == ISA_OP_EXIT && !skipped && !oracle_wrong(o, ABSORBED)))
        return; /* absorbed: not a firing */
    o->fired.skipped = skipped;
    oracle_account(o, f, true);
    switch (node->op) {
    case ISA_OP_CALL:
        skip(o, f, ISA_OP_RETURN);
        break;
    case ISA_OP_ENTER:
        skip(o, f, ISA_OP_EXIT);
        break;
    case ISA_OP_RESULT:
        oracle_send_result(o, f, nothing, true);
        break;
    case ISA_OP_EXIT:
        if (skipped)
            oracle_send_list(o, f, 0, f->tag, nothing, true);
        break;
    case ISA_OP_RETURN:
        oracle_send_list(o, f, 0, skipped ? f->tag : f->tag->parent, nothing, true);
        break;
    default:
        for (uint32_t l = 0; l < node->output_count; l++)
            oracle_send_list(o, f, l, f->tag, nothing, true);
        break;
    }
}

void oracle_track_fire(struct oracle *o, struct firing *f,
                       const struct token *const operands[2], bool dead)
{
    const bool decision = !dead && oracle_operand_of(o, f, 1, operands).word;
    oracle_track(o, f, dead, decision, f->instr->tokens);
}
