#include "machine/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "isa/op_columns.h"
#include "machine/pe/graph_copy.h"
#include "machine/pe/match.h"
#include "machine/pe/structure_memory.h"
#include "machine/pe/tensor_memory.h"
#include "machine/pe/coordinator.h"
#include "machine/verify/verify_counts.h"

void machine_audit_broken(struct machine_audit *f, const char *what)
{
    f->broken = f->broken ? f->broken : what;
}

/* --- tokens ------------------------------------------------------------------------------- */

/* Whether an instruction has this operand, and gets it from a token. */
static bool takes_token(const struct machine_audit *f, uint32_t number, uint32_t port)
{
    const struct isa_node *n =
        &f->m->code->graph->nodes[isa_code_node(f->m->code, number)];
    if (n->op == ISA_OP_APPLY || isa_op_is_fed(n->op))
        return port <= (n->op == ISA_OP_AWAIT);
    return port < n->operand_count && n->operands[port].kind == ISA_OPERAND_TOKEN;
}

/* Whether a token is a hiaton for a RETURN or EXIT of a call or loop that is not entered; it has
 * the caller's tag. */
static bool stands_for_call(const struct machine_audit *f, const struct isa_token *t,
                            const struct isa_activation *a)
{
    const struct isa_code *code = f->m->code;
    const uint32_t number = isa_token_instr(t);
    return isa_token_is_dead(t) && isa_token_port(t) &&
           isa_op_brings_out(code->instrs[number].op) &&
           code->sites[code->instrs[number].site].caller == a->function;
}

/* Whether an APPLY has a node, by its operand bit. */
static bool is_shipped(const struct machine_audit *f, const struct isa_token *t)
{
    return f->m->coordinator && !isa_token_is_dead(t) &&
           machine_coordinator_ships(f->m, t);
}

/* Whether a token is a release, on machines that send releases as messages. */
static bool is_release(const struct machine_audit *f, const struct isa_token *t)
{
    return f->m->code->machines && f->m->tokens.exec.tags.shares->tells &&
           machine_token_mark(t) == MACHINE_MARK_RELEASE;
}

static bool found_release(struct machine_audit *f, const struct isa_token *t)
{
    const struct isa_code *code = f->m->code;
    const struct isa_activation *a = machine_audit_activation(f, isa_token_tag(t));
    if (!a || !machine_must(f,
                            a->site != ISA_SITE_NONE && machine_has_place(a) &&
                                isa_token_instr(t) == code->first_of_site[a->site] &&
                                !isa_token_port(t) && !isa_token_is_dead(t) &&
                                t->value < f->m->tokens.exec.tags.shares->releases,
                            "a release is of an activation that is placed"))
        return false;
    f->held[isa_token_tag(t)]++;
    f->moving++;
    f->releases++;
    return true;
}

/* Checks a request for a tensor, or a copy of one, for a kernel that reads it. */
static bool found_message(struct machine_audit *f, const struct isa_token *t)
{
    if (is_release(f, t))
        return found_release(f, t);
    const uint32_t number = isa_token_instr(t);
    const struct isa_activation *a = machine_audit_activation(f, isa_token_tag(t));
    const enum isa_op op = (enum isa_op)f->m->code->instrs[number].op;
    if (!a || !machine_must(f,
                            machine_tensors_are_fetched(f->m) && !isa_token_is_dead(t) &&
                                isa_op_tensors_read(op) > 0 &&
                                machine_audit_fires(f, number, a),
                            "a kernel asks for its tensors"))
        return false;
    f->held[isa_token_tag(t)]++;
    f->moving++;
    return machine_audit_value(f, ISA_TENSOR, t->value);
}

bool machine_audit_parked(struct machine_audit *f, const struct isa_token *t)
{
    const uint64_t moving = f->moving;
    const bool good = machine_audit_token(f, t);
    f->parked += f->moving - moving;
    f->moving = moving;
    return good;
}

bool machine_audit_token(struct machine_audit *f, const struct isa_token *t)
{
    const struct isa_code *code = f->m->code;
    const uint32_t number = isa_token_instr(t);
    const bool is_dead = isa_token_is_dead(t);
    if (!machine_must(f, number < code->instr_count, "a token goes to an instruction") ||
        !machine_must(f, machine_token_pe(t) < f->m->pe_count, "a token is at a PE") ||
        !machine_must(f, code->propagate || !is_dead, "no token is a hiaton") ||
        !machine_must(f,
                      machine_tensors_are_fetched(f->m) || !machine_token_mark(t) ||
                          is_release(f, t),
                      "no token is marked"))
        return false;
    if (machine_is_message(t))
        return found_message(f, t);
    const struct isa_activation *a = machine_audit_activation(f, isa_token_tag(t));
    if (!a)
        return false;
    const bool has_node = is_shipped(f, t), port = isa_token_port(t) && !has_node;
    if (has_node)
        f->rooms[machine_token_pe(t)].shipped += machine_copy_nodes(f->m, t);
    if (code->instrs[number].tokens == 0) {
        f->starts++; /* it only starts an instruction without operands */
        return machine_must(f,
                            isa_token_tag(t) == ISA_TAG_ROOT && !is_dead &&
                                machine_audit_fires(f, number, a) && t->value == 0 &&
                                !port,
                            "an instruction of the start has no operand");
    }
    if (!stands_for_call(f, t, a) &&
        !machine_must(f,
                      machine_audit_fires(f, number, a) && takes_token(f, number, port),
                      "a token is an operand of its instruction"))
        return false;
    f->held[isa_token_tag(t)]++;
    f->moving++;
    return is_dead || machine_audit_operand(f, number, port, t->value);
}

static bool has_address(const struct machine_audit *f, const struct isa_token *t)
{
    const struct isa_instr *instr = &f->m->code->instrs[isa_token_instr(t)];
    if (machine_token_mark(t) == MACHINE_MARK_REQUEST)
        return true; /* found_message has seen its tensor */
    if (!isa_op_accesses_element(instr->op) || isa_token_is_dead(t))
        return false;
    if (!isa_token_port(t))
        return true;
    const struct isa_slot *s = isa_exec_slot(&f->m->tokens.exec, isa_token_tag(t), instr);
    const struct isa_structures *structures = &f->m->tokens.exec.structures;
    const uint32_t number = isa_reference_structure(s->value);
    return isa_slot_is_waiting(s) && !isa_slot_is_dead(s) && !isa_slot_port(s) &&
           number < structures->all.count && structures->all.items[number].is_alive;
}

bool machine_audit_asks(const struct machine_audit *f, const struct isa_token *t)
{
    return f->m->coordinator && !isa_token_is_dead(t) && !isa_token_port(t) &&
           f->m->code->instrs[isa_token_instr(t)].op == ISA_OP_APPLY;
}

uint64_t machine_audit_shipped(const struct machine_audit *f, uint32_t pe)
{
    return f->rooms[pe].shipped;
}

bool machine_audit_at_its_place(struct machine_audit *f, const struct isa_token *t)
{
    const uint32_t pe = machine_token_pe(t);
    if (f->broken)
        return false;
    const bool is_home = machine_pe_of_token(f->m, t) == pe;
    return machine_must(f,
                        is_home || is_shipped(f, t) ||
                            ((machine_audit_asks(f, t) || has_address(f, t)) &&
                             machine_request_pe(f->m, t) == pe),
                        "a token goes to the PE of its activation, or of its element");
}

void machine_audit_coming(struct machine_audit *f, uint32_t pe)
{
    f->rooms[pe].held++;
}

static bool found_leaving(struct machine_audit *f, const struct isa_token *t)
{
    const uint32_t home = machine_pe_of_token(f->m, t);
    f->rooms[machine_token_pe(t)].leaving++;
    return machine_must(f,
                        home < f->m->pe_count &&
                            (home != machine_token_pe(t) || machine_audit_asks(f, t) ||
                             has_address(f, t)),
                        "what leaves a PE goes to another one");
}

bool machine_audit_visit(void *audit, const struct isa_token *t,
                         enum machine_token_place place)
{
    struct machine_audit *f = audit;
    if (!machine_audit_token(f, t))
        return false;
    if (place == MACHINE_TOKEN_LEAVING)
        return found_leaving(f, t);
    if (place == MACHINE_TOKEN_WAITS)
        return true;
    f->rooms[machine_token_pe(t)].held++;
    return machine_audit_at_its_place(f, t);
}

uint64_t machine_audit_held(const struct machine_audit *f, uint32_t pe)
{
    return f->rooms[pe].held;
}

uint64_t machine_audit_left(const struct machine_audit *f, uint32_t pe)
{
    return f->rooms[pe].leaving;
}

uint64_t machine_audit_starts(const struct machine_audit *f)
{
    return f->starts;
}

void machine_audit_named(struct machine_audit *f, uint64_t calls)
{
    f->callers += calls;
}

bool machine_audit_held_back(void *audit, const struct isa_token *next,
                             enum machine_token_place place)
{
    struct machine_audit *f = audit;
    const struct isa_code *code = f->m->code;
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    if (!machine_audit_visit(f, next, place))
        return false;
    const struct isa_instr *instr = &code->instrs[isa_token_instr(next)];
    if (!machine_must(f, isa_op_does[instr->op].tag == ISA_UNDER_NEXT,
                      "what is held back begins an iteration"))
        return false;
    const isa_tag parent = isa_activations_get(tags, isa_token_tag(next))->parent;
    const struct isa_slot *flight = isa_activations_flight(tags, parent, instr->site);
    f->nexts[((const unsigned char *)flight - tags->memory) / ISA_FRAME_UNIT]++;
    return true;
}

void machine_audit_set(struct machine_audit *f, const struct machine_set *set,
                       uint32_t size)
{
    const uint32_t last = size % 64;
    machine_must(f, last == 0 || set->words[set->word_count - 1] >> last == 0,
                 "a set has what there is");
}

/* --- what is counted ---------------------------------------------------------------------- */

static void check_counts(struct machine_audit *f)
{
    const struct machine *m = f->m;
    const struct isa_counts *c = &m->tokens.exec.counts;
    machine_must(f, c->waiting == f->waiting + f->parked, "waiting operands are counted");
    machine_must(f, m->tokens.exec.waiting_reads == f->deferred,
                 "deferred reads are counted");
    machine_must(f, m->tokens.exec.tags.count == f->alive,
                 "live activations are counted");
    machine_must(f, c->live == f->moving + f->waiting + f->parked,
                 "tokens made and not consumed are on their way or wait");
    machine_must(f,
                 m->watch.marks.count * m->tokens.exec.tags.function_count ==
                     m->watch.freed_by_marks.count,
                 "a mark has a number for each function");
}

static void check_tags(struct machine_audit *f)
{
    const struct isa_activations *tags = &f->m->tokens.exec.tags;
    for (uint32_t function = 0; function < tags->function_count; function++)
        machine_must(f, isa_activations_alive(tags, function) == f->of_function[function],
                     "live activations of a function are counted");
    machine_must(f, f->callers == f->calls_named, "a call that is named waits");
}

static void check_rooms(struct machine_audit *f)
{
    const struct machine *m = f->m;
    uint64_t copied = 0;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct machine_match_found found = {f->in_set, f->rooms[pe].away,
                                                  f->rooms[pe].slots};
        const char *broken = m->match ? machine_match_broken(m->match, pe, &found) : NULL;
        machine_must(f, !broken, broken);
        machine_must(f,
                     !m->copy || m->tokens.exec.tags.copies_at[pe] == f->rooms[pe].copied,
                     "nodes of copies are counted");
        copied += f->rooms[pe].copied;
    }
    machine_must(f, machine_copied_nodes(m) == copied,
                 "copies are freed with their activations");
}

static uint64_t releases_that_came(const struct machine_audit *f)
{
    const struct isa_shares *s = f->m->tokens.exec.tags.shares;
    return s && s->tells ? s->releases - f->releases : 0;
}

static void check_pes(struct machine_audit *f)
{
    const struct machine *m = f->m;
    const struct isa_counts *c = &m->tokens.exec.counts;
    struct traces_pe_stats sum = {0};
    for (uint32_t i = 0; i < m->pe_count; i++) {
        const struct traces_pe_stats *pe = &m->tokens.pes[i].stats;
        sum.firings += pe->firings;
        sum.dead_firings += pe->dead_firings;
        sum.tokens += pe->tokens;
        sum.local_tokens += pe->local_tokens;
        sum.network_tokens += pe->network_tokens;
    }
    machine_must(f, sum.firings == c->firings, "firings of PEs add up");
    machine_must(f, sum.dead_firings == c->dead_firings, "dead firings of PEs add up");
    machine_must(f, sum.tokens == c->tokens, "tokens delivered to PEs add up");
    machine_must(f,
                 sum.local_tokens + sum.network_tokens ==
                     c->tokens + f->moving + f->parked + m->watch.element_requests +
                         m->watch.counts.copy_messages + machine_tensor_messages(m) +
                         releases_that_came(f),
                 "tokens sent are delivered, or on their way, or wait for a constant; "
                 "accesses that went on were sent twice, and so were APPLYs by the "
                 "coordinator and tensors that were fetched; releases are not delivered");
}

void machine_audit_pes(const struct machine *m, struct machine_audit *f)
{
    machine_must(f, m->run.starts == f->starts, "instructions of the start are counted");
    check_rooms(f);
    check_pes(f);
}

/* --- what slots are for ---------------------------------------------------------------------- */

static void find_uses_of_functions(struct machine_audit *f)
{
    const struct isa_graph *graph = f->m->code->graph;
    const struct isa_frame_shape *shapes = f->m->tokens.exec.tags.shapes;
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *function = &graph->functions[i];
        struct machine_audit_use *uses = lib_mem_new((size_t)shapes[i].slots *
                                                     sizeof *uses);
        f->uses[i] = uses;
        if (function->is_loop)
            uses[ISA_LOOP_SLOT].use = MACHINE_SLOT_ITERATION;
        if (!shapes[i].gathers)
            continue;
        uses[ISA_CALL_SLOT].use = MACHINE_SLOT_CALL;
        for (uint32_t k = 0; k < function->param_count; k++)
            uses[ISA_CALL_SLOT + 1 + k] = (struct machine_audit_use){MACHINE_SLOT_ARG, k};
    }
}

static void find_uses_of_sites(struct machine_audit *f)
{
    const struct isa_code *code = f->m->code;
    const struct isa_graph *graph = code->graph;
    for (uint32_t s = 0; s < graph->site_count; s++) {
        const struct isa_function *callee = &graph->functions[graph->sites[s].callee];
        struct machine_audit_use *uses = f->uses[graph->sites[s].caller];
        const uint32_t slots = callee->param_count + callee->result_count;
        f->of_site[s] = lib_mem_new((size_t)slots * sizeof **f->of_site);
        for (uint32_t i = 0; i < slots; i++)
            f->of_site[s][i] = UINT32_MAX;
        if (!callee->is_loop)
            continue;
        const uint32_t flight = code->child_of_site[s] & ~ISA_LOOP_FLIGHT;
        uses[flight] = (struct machine_audit_use){MACHINE_SLOT_FLIGHT, s};
        for (uint32_t i = 1; i <= code->held_of_site[s]; i++)
            uses[flight + i] = (struct machine_audit_use){MACHINE_SLOT_CONSTANT,
                                                          UINT32_MAX};
    }
}

static void find_uses_of_nodes(struct machine_audit *f)
{
    const struct isa_code *code = f->m->code;
    for (uint32_t i = 0; i < code->graph->node_count; i++) {
        const struct isa_node *n = &code->graph->nodes[i];
        const struct isa_instr *instr = &code->instrs[i];
        struct machine_audit_use use = {MACHINE_SLOT_UNUSED, i};
        if (instr->form == ISA_FORM_TWO)
            use.use = MACHINE_SLOT_PAIR;
        else if (n->op == ISA_OP_HOLD)
            use.use = MACHINE_SLOT_CONSTANT;
        else if (code->propagate && isa_op_chooses(n->op))
            use.use = MACHINE_SLOT_CHOICE;
        else if (code->propagate && n->op == ISA_OP_APPLY &&
                 code->sites[n->site].expects > 1)
            use.use = MACHINE_SLOT_ABSENT;
        if (use.use == MACHINE_SLOT_PAIR && isa_op_takes_control(n->op)) {
            f->of_site[n->site][instr->slot] = i;
            use.of = UINT32_MAX;
        }
        if (use.use != MACHINE_SLOT_UNUSED)
            f->uses[isa_node_frame(code->graph, n)][instr->slot] = use;
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

static void start(struct machine_audit *f, const struct machine *m)
{
    const struct isa_exec *x = &m->tokens.exec;
    const size_t units = x->tags.used, functions = x->tags.function_count;
    *f = (struct machine_audit){
        .m = m,
        .frames = lib_mem_new(units),
        .held = lib_mem_new(units * sizeof *f->held),
        .named = lib_mem_new(units),
        .in_flight = lib_mem_new(units * sizeof *f->in_flight),
        .nexts = lib_mem_new(units * sizeof *f->nexts),
        .references = lib_mem_new(x->structures.all.count * sizeof *f->references),
        .deferred_seen = lib_mem_new(x->deferred.count),
        .parked_seen = lib_mem_new(x->parked.count),
        .uses = lib_mem_new(functions * sizeof *f->uses),
        .of_site = lib_mem_new(m->code->graph->site_count * sizeof *f->of_site),
        .in_set = lib_mem_new(machine_match_sets(m->match) * sizeof *f->in_set),
        .rooms = lib_mem_new(m->pe_count * sizeof *f->rooms),
        .of_function = lib_mem_new(functions * sizeof *f->of_function),
    };
    find_uses_of_functions(f);
    find_uses_of_sites(f);
    find_uses_of_nodes(f);
}

static void end(struct machine_audit *f)
{
    for (uint32_t i = 0; i < f->m->tokens.exec.tags.function_count; i++)
        lib_mem_free(f->uses[i]);
    for (uint32_t s = 0; s < f->m->code->graph->site_count; s++)
        lib_mem_free(f->of_site[s]);
    LIB_MEM_FREE(f->frames, f->held, f->named, f->in_flight, f->nexts, f->references);
    LIB_MEM_FREE(f->deferred_seen, f->parked_seen, f->uses, f->of_site, f->in_set);
    LIB_MEM_FREE(f->rooms, f->of_function);
}

static void find_tokens(struct machine_audit *f)
{
    for (uint32_t i = 0; i < f->m->part_count && !f->broken; i++) {
        const struct machine_part *part = f->m->parts[i];
        const void *state = machine_part_state(f->m, part);
        if (part->show)
            part->show(f->m, state, f);
        else if (part->each)
            part->each(f->m, state, machine_audit_visit, f);
    }
    if (f->m->kind->show && !f->broken)
        f->m->kind->show(f->m, f);
}

static void check_parts(struct machine_audit *f)
{
    for (uint32_t i = 0; i < f->m->part_count && !f->broken; i++)
        if (f->m->parts[i]->check)
            f->m->parts[i]->check(f->m, machine_part_state(f->m, f->m->parts[i]), f);
    if (!f->broken)
        f->m->kind->check(f->m, f);
}

/* Steps of the check. Each relies on the previous ones. */
static void (*const steps[])(struct machine_audit *f) = {
    machine_audit_frames, machine_audit_structures,
    find_tokens,          machine_audit_memory,
    machine_audit_slots,  check_parts,
    machine_audit_lives,  check_counts,
    check_tags,           machine_audit_references,
};

const char *machine_broken(const struct machine *m)
{
    struct machine_audit f;
    start(&f, m);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !f.broken; i++)
        steps[i](&f);
    end(&f);
    return f.broken;
}

void machine_verify(const struct machine *m)
{
    const char *broken = machine_broken(m);
    if (!broken)
        return;
    fprintf(stderr, "broken invariant of a machine: %s\n", broken);
    abort();
}
