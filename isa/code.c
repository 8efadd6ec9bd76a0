#include "isa/code.h"

#include "lib/hash.h"

/* Slots of a frame: first those of the call that made it, the same for every site -
 * JOIN 0 to params - 2, RETURN 0 to results - 1, or a loop's own - then those of the
 * function's body. */
static uint32_t call_slots(const struct isa_function *f)
{
    if (f->is_loop)
        return ISA_LOOP_SLOT + 1;
    return f->param_count ? f->param_count - 1 + f->result_count : 0;
}

struct counters {
    uint32_t *slots;    /* per function */
    uint32_t *children; /* per function */
    uint32_t *joins;    /* per site */
    uint32_t *held;     /* per function: the slot of a loop's first constant */
};

static uint32_t choose_slot(const struct isa_graph *graph, const struct isa_node *n,
                            uint32_t tokens, bool propagate, struct counters *c)
{
    if (n->op == ISA_OP_JOIN)
        return c->joins[n->site]++;
    if (n->op == ISA_OP_HOLD)
        return c->held[graph->sites[n->site].callee] + n->index;
    if (n->op == ISA_OP_RETURN)
        return graph->functions[graph->sites[n->site].callee].param_count - 1 + n->index;
    bool needs_slot = tokens == 2 || (n->op == ISA_OP_MERGEIF && propagate);
    return needs_slot ? c->slots[n->function]++ : 0;
}

static void make_sites(struct isa_code *code, const struct isa_graph *graph,
                       struct counters *c, uint32_t *dest_count)
{
    uint32_t returns = 0;
    for (uint32_t i = 0; i < graph->site_count; i++) {
        const struct isa_site *site = &graph->sites[i];
        const struct isa_function *callee = &graph->functions[site->callee];
        bool shared = callee->param_count > 1;
        const uint32_t child = shared ? c->children[site->caller]++ : ISA_NO_CHILD;
        code->child_of_site[i] = child;
        if (callee->is_loop) {
            code->child_of_site[i] = ISA_LOOP_FLIGHT | c->slots[site->caller]++;
            code->held_of_site[i] = callee->held_count;
            c->held[site->callee] = c->slots[site->caller];
            c->slots[site->caller] += callee->held_count;
        }
        code->sites[i] = (struct isa_code_site){
            .caller = site->caller,
            .callee = site->callee,
            .child = child,
            .variables = callee->is_loop ? callee->param_count : 0,
            .dead = {*dest_count, callee->result_count},
        };
        code->first_return[i] = returns;
        returns += callee->result_count;
        *dest_count += callee->result_count;
    }
}

static void make_instr(struct isa_code *code, const struct isa_graph *graph, uint32_t i,
                       const isa_value *inputs, struct counters *c)
{
    const struct isa_node *n = &graph->nodes[i];
    struct isa_instr *instr = &code->instrs[i];
    *instr = (struct isa_instr){
        .op = (uint8_t)n->op,
        .tokens = (uint8_t)isa_node_tokens(n),
        .site = n->site,
        .index = n->index,
        .key = lib_hash_mix(UINT64_C(0xd1b54a32d192ed03) * (i + 1)),
    };
    const struct isa_operand *held = NULL;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const struct isa_operand *operand = &n->operands[port];
        if (operand->kind == ISA_OPERAND_LITERAL)
            instr->value = operand->value;
        else if (operand->kind == ISA_OPERAND_INPUT)
            instr->value = inputs ? inputs[operand->input]
                                  : graph->inputs[operand->input].value;
        else if (operand->kind == ISA_OPERAND_HELD)
            held = operand;
        else
            continue;
        if (port == 0)
            instr->form = ISA_FORM_SECOND;
    }
    if (held)
        instr->form = ISA_FORM_HELD;
    code->has_held |= held != NULL;
    if (instr->tokens == 2)
        instr->form = ISA_FORM_TWO;
    instr->kind = (uint16_t)ISA_KIND(instr->op, instr->form);
    instr->slot = held ? c->held[n->function] + held->held
                       : choose_slot(graph, n, instr->tokens, code->propagate, c);
    if (instr->tokens == 0)
        code->starts[code->start_count++] = i;
    instr->child = ISA_NO_CHILD;
    if (n->op == ISA_OP_CALL || n->op == ISA_OP_ENTER || n->op == ISA_OP_NEXT)
        instr->callee = code->sites[n->site].callee;
    if (n->op == ISA_OP_CALL || n->op == ISA_OP_ENTER)
        instr->child = code->sites[n->site].child;
    if (n->op == ISA_OP_NEXT && code->sites[n->site].child != ISA_NO_CHILD)
        instr->child = ISA_LOOP_CHILD;
    if (n->op == ISA_OP_RETURN || n->op == ISA_OP_EXIT) {
        const struct isa_code_site *site = &code->sites[n->site];
        code->returns[code->first_return[n->site] + n->index] = i;
        code->dests[site->dead.first + n->index] = i << 1 | 1;
    }
}

static void make_dests(struct isa_code *code, const struct isa_node *n,
                       struct isa_instr *instr, uint32_t *dest_count)
{
    bool to_return = false;
    for (uint32_t o = 0; o < n->output_count; o++) {
        const struct isa_dests *list = &n->outputs[o];
        instr->out[o] = (struct isa_code_list){*dest_count, list->count};
        for (uint32_t k = 0; k < list->count; k++) {
            struct isa_dest to = list->items[k];
            to_return |= to.node == ISA_TO_RETURN;
            code->dests[(*dest_count)++] = to.node == ISA_TO_RETURN
                                               ? ISA_CODE_TO_RETURN | to.port
                                               : to.node << 1 | to.port;
        }
    }
    bool one = instr->out[0].count == 1 && !to_return;
    instr->only = one ? code->dests[instr->out[0].first] : ISA_CODE_MANY;
}

/* Operands that take references are those that arcs bring them to, triggers among them. */
static void mark_references(struct isa_code *code, const struct isa_graph *graph,
                            uint32_t i)
{
    const struct isa_node *n = &graph->nodes[i];
    for (uint32_t o = 0; o < n->output_count; o++) {
        if (isa_node_output_is_control(n, o) ||
            !isa_type_is_reference(isa_node_output_type(graph, n, o)))
            continue;
        code->instrs[i].refers |= ISA_REFERS_SENT | ISA_REFERS_VALUE;
        for (uint32_t k = 0; k < n->outputs[o].count; k++) {
            const struct isa_dest to = n->outputs[o].items[k];
            if (to.node != ISA_TO_RETURN)
                code->instrs[to.node].refers |= to.port ? ISA_REFERS_SECOND
                                                        : ISA_REFERS_FIRST;
        }
    }
    if (n->op == ISA_OP_RETURN && isa_type_is_reference(n->type))
        code->instrs[i].refers |= ISA_REFERS_FIRST;
    const bool keeps = n->op == ISA_OP_WRITE || n->op == ISA_OP_OUTPUT ||
                       n->op == ISA_OP_STORE || n->op == ISA_OP_HOLD;
    if (keeps && isa_type_is_reference(n->type))
        code->instrs[i].refers |= ISA_REFERS_VALUE;
}

static uint32_t count_dests(const struct isa_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t o = 0; o < graph->nodes[i].output_count; o++)
            count += graph->nodes[i].outputs[o].count;
    return count;
}

struct isa_code *isa_code_make(const struct isa_graph *graph, const isa_value *inputs,
                               bool propagate)
{
    assert(graph->stage == ISA_STAGE_IMAGE);
    struct lib_arena *arena = lib_arena_new();
    struct isa_code *code = LIB_ARENA_NEW(arena, struct isa_code);
    uint32_t returns = 0;
    for (uint32_t i = 0; i < graph->site_count; i++)
        returns += graph->functions[graph->sites[i].callee].result_count;
    *code = (struct isa_code){
        .arena = arena,
        .graph = graph,
        .propagate = propagate,
        .instr_count = graph->node_count,
        .instrs = LIB_ARENA_ARRAY(arena, struct isa_instr, graph->node_count),
        .dests = LIB_ARENA_ARRAY(arena, isa_code_dest, returns + count_dests(graph)),
        .sites = LIB_ARENA_ARRAY(arena, struct isa_code_site, graph->site_count),
        .child_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .held_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .first_return = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .returns = LIB_ARENA_ARRAY(arena, uint32_t, returns),
        .frames = LIB_ARENA_ARRAY(arena, struct isa_frame_shape, graph->function_count),
        .starts = LIB_ARENA_ARRAY(arena, uint32_t, graph->node_count),
    };
    struct counters c = {
        .slots = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
        .children = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
        .joins = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .held = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
    };
    for (uint32_t f = 0; f < graph->function_count; f++) {
        c.slots[f] = call_slots(&graph->functions[f]);
        bool keeps_next = graph->functions[f].is_loop &&
                          graph->functions[f].param_count > 1;
        c.children[f] = keeps_next ? ISA_LOOP_CHILD + 1 : 0;
    }
    uint32_t dest_count = 0;
    make_sites(code, graph, &c, &dest_count);
    for (uint32_t i = 0; i < graph->node_count; i++)
        make_instr(code, graph, i, inputs, &c);
    for (uint32_t i = 0; i < graph->node_count; i++)
        make_dests(code, &graph->nodes[i], &code->instrs[i], &dest_count);
    for (uint32_t i = 0; i < graph->node_count; i++)
        mark_references(code, graph, i);
    for (uint32_t f = 0; f < graph->function_count; f++) {
        code->frames[f] = isa_frame_shape(c.slots[f], c.children[f]);
        code->frames[f].is_loop = graph->functions[f].is_loop;
    }
    return code;
}

void isa_code_free(struct isa_code *code)
{
    if (code)
        lib_arena_free(code->arena);
}
