#include "isa/exec/code.h"

#include "isa/op_columns.h"
#include "isa/parts.h"
#include "lib/hash.h"
#include "lib/memory.h"

/* Whether the arguments of calls of a function wait for each other in its frame. */
static bool gathers(const struct isa_function *f, bool expands)
{
    return expands && !f->is_loop && f->param_count > 1;
}

/* Returns the number of slots at the start of a frame, before those of the body. For a call: JOINs
 * and RETURNs; or, if arguments gather, one for the call and one for each argument. For a loop: its
 * own. */
static uint32_t call_slots(const struct isa_function *f, bool expands)
{
    if (f->is_loop)
        return ISA_LOOP_SLOT + 1;
    if (expands)
        return gathers(f, expands) ? ISA_CALL_SLOT + 1 + f->param_count : 0;
    return f->param_count ? f->param_count - 1 + f->result_count : 0;
}

struct counters {
    uint32_t *slots;     /* by function */
    uint32_t *children;  /* by function */
    uint32_t *joins;     /* by site */
    uint32_t *held;      /* by function: slot of the loop's first constant */
    uint32_t *expects;   /* by site: operands of its APPLY that are tokens */
    uint32_t *followers; /* by site: machines that track its tags */
    uint32_t more;       /* instructions after those of the nodes */
};

static uint64_t key_of(uint32_t node)
{
    return lib_hash_mix(UINT64_C(0xd1b54a32d192ed03) * (node + 1));
}

static isa_value immediate(const struct isa_graph *graph, const isa_value *inputs,
                           const struct isa_operand *operand)
{
    if (operand->kind == ISA_OPERAND_INPUT)
        return inputs ? inputs[operand->input] : graph->inputs[operand->input].value;
    return operand->value;
}

static uint32_t choose_slot(const struct isa_graph *graph, const struct isa_node *n,
                            uint32_t tokens, bool propagate, struct counters *c)
{
    if (n->op == ISA_OP_JOIN)
        return c->joins[n->site]++;
    if (n->op == ISA_OP_HOLD)
        return c->held[graph->sites[n->site].callee] + n->index;
    if (n->op == ISA_OP_RETURN)
        return graph->functions[graph->sites[n->site].callee].param_count - 1 + n->index;
    bool needs_slot = tokens == 2 || (propagate && isa_op_chooses(n->op));
    return needs_slot ? c->slots[isa_node_frame(graph, n)]++ : 0;
}

static void make_sites(struct isa_code *code, const struct isa_graph *graph,
                       struct counters *c, uint32_t *dest_count)
{
    uint32_t returns = 0, args = 0;
    for (uint32_t i = 0; i < graph->site_count; i++) {
        const struct isa_site *site = &graph->sites[i];
        const struct isa_function *callee = &graph->functions[site->callee];
        const bool applies = code->expands && !callee->is_loop;
        const bool shared = (applies ? c->expects[i] : callee->param_count) +
                                c->followers[i] >
                            1;
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
            .variables = callee->is_loop ? callee->param_count + c->followers[i] : 0,
            .dead = {*dest_count, callee->result_count},
            .args = applies ? callee->param_count : 0,
            .first_arg = args,
            .expects = c->expects[i],
        };
        code->first_return[i] = returns;
        returns += callee->result_count;
        args += code->sites[i].args;
        *dest_count += applies ? 0 : callee->result_count;
    }
}

static uint16_t function_of(const struct isa_node *n)
{
    const uint32_t last = ISA_CODE_FUNCTIONS - 1;
    return (uint16_t)(n->function < last ? n->function : last);
}

/* Makes an instruction for each token operand of an APPLY, or a single one that fires at the
 * start. */
static void make_apply(struct isa_code *code, const struct isa_graph *graph, uint32_t i,
                       const isa_value *inputs, struct counters *c)
{
    const struct isa_node *n = &graph->nodes[i];
    struct isa_code_site *site = &code->sites[n->site];
    struct isa_instr instr = {
        .op = ISA_OP_APPLY,
        .tokens = site->expects > 0,
        .function = function_of(n),
        .site = n->site,
        .child = site->child,
        .key = key_of(i),
    };
    if (site->expects > 1 && code->propagate)
        instr.slot = c->slots[n->function]++;
    site->apply = i;
    bool first = true;
    for (uint32_t k = 0; k < n->operand_count; k++) {
        struct isa_code_arg *arg = &code->args[site->first_arg + k];
        arg->is_token = n->operands[k].kind == ISA_OPERAND_TOKEN;
        arg->value = immediate(graph, inputs, &n->operands[k]);
        if (!arg->is_token)
            continue;
        if (!first)
            code->node_of_more[c->more] = i;
        arg->instr = first ? i : graph->node_count + c->more++;
        first = false;
        instr.index = k;
        code->instrs[arg->instr] = instr;
    }
    if (site->expects == 0) {
        code->instrs[i] = instr;
        code->starts[code->start_count++] = i;
    }
}

static void make_instr(struct isa_code *code, const struct isa_graph *graph, uint32_t i,
                       const isa_value *inputs, struct counters *c)
{
    const struct isa_node *n = &graph->nodes[i];
    if (n->op == ISA_OP_APPLY) {
        make_apply(code, graph, i, inputs, c);
        return;
    }
    struct isa_instr *instr = &code->instrs[i];
    *instr = (struct isa_instr){
        .op = (uint8_t)n->op,
        .tokens = (uint8_t)(isa_op_is_fed(n->op) + isa_node_tokens(n)),
        .function = function_of(n),
        .site = n->site,
        .index = n->index,
        .key = key_of(i),
    };
    const struct isa_operand *held = NULL;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const struct isa_operand *operand = &n->operands[port];
        if (!isa_operand_is_immediate(operand))
            continue;
        if (operand->kind == ISA_OPERAND_HELD)
            held = operand;
        else
            instr->value = immediate(graph, inputs, operand);
        if (port == 0)
            instr->form = ISA_FORM_SECOND;
    }
    if (held)
        instr->form = ISA_FORM_HELD;
    code->has_held |= held != NULL;
    code->has_tensors |= isa_op_is_on_tensors(n->op);
    code->has_folds |= isa_op_accumulates(n->op);
    if (instr->tokens == 2)
        instr->form = ISA_FORM_TWO;
    instr->slot = held ? c->held[n->function] + held->held
                       : choose_slot(graph, n, instr->tokens, code->propagate, c);
    if (instr->tokens == 0)
        code->starts[code->start_count++] = i;
    instr->child = ISA_NO_CHILD;
    if (isa_op_accesses_field(n->op)) {
        const struct isa_constructor *of = isa_graph_constructor_of(graph, n->index);
        instr->constructor = (uint32_t)(of - graph->constructors);
        instr->index = n->index - of->first;
    }
    if (isa_op_makes_tag(n->op))
        instr->callee = code->sites[n->site].callee;
    if (isa_op_brings_in(n->op) || isa_op_makes_tag(n->op))
        instr->child = code->sites[n->site].child;
    if (isa_op_does[n->op].tag == ISA_UNDER_NEXT &&
        code->sites[n->site].child != ISA_NO_CHILD)
        instr->child = ISA_LOOP_CHILD;
    if (isa_op_brings_out(n->op)) {
        const struct isa_code_site *site = &code->sites[n->site];
        code->returns[code->first_return[n->site] + n->index] = i;
        code->dests[site->dead.first + n->index] = i << 1 | 1;
    }
}

static isa_code_dest dest_of(const struct isa_code *code, const struct isa_graph *graph,
                             struct isa_dest to)
{
    if (to.node == ISA_TO_RETURN)
        return ISA_CODE_TO_RETURN | to.port;
    const struct isa_node *n = &graph->nodes[to.node];
    if (n->op == ISA_OP_APPLY)
        return code->args[code->sites[n->site].first_arg + to.port].instr << 1;
    return to.node << 1 | to.port;
}

static struct isa_code_list make_list(struct isa_code *code,
                                      const struct isa_graph *graph,
                                      const struct isa_dests *list, uint32_t *dest_count)
{
    const uint32_t first = *dest_count;
    for (uint32_t k = 0; k < list->count; k++)
        code->dests[(*dest_count)++] = dest_of(code, graph, list->items[k]);
    return (struct isa_code_list){first, list->count};
}

/* Makes the destinations of an APPLY. `params` are the PARAMs of the callee, to which the arguments
 * go. */
static void make_apply_dests(struct isa_code *code, const struct isa_graph *graph,
                             const struct isa_node *n, const uint32_t *params,
                             uint32_t *dest_count)
{
    struct isa_code_site *site = &code->sites[n->site];
    site->dead = (struct isa_code_list){*dest_count, 0};
    for (uint32_t o = 0; o < n->output_count; o++)
        code->outputs[code->first_return[n->site] + o] = make_list(
            code, graph, &n->outputs[o], dest_count);
    site->dead.count = *dest_count - site->dead.first;
    const struct isa_code_list to = {*dest_count, site->args};
    for (uint32_t k = 0; k < site->args; k++)
        code->dests[(*dest_count)++] = params[k] << 1;
    code->instrs[site->apply].out[0] = to;
    code->instrs[site->apply].only = ISA_CODE_MANY;
    for (uint32_t k = 0; k < site->args; k++) {
        const struct isa_code_arg *arg = &code->args[site->first_arg + k];
        if (!arg->is_token)
            continue;
        code->instrs[arg->instr].out[0] = to;
        code->instrs[arg->instr].only = ISA_CODE_MANY;
    }
}

/* Whether an arc of a partitioned graph leads a result to RETURNs, here or on another machine. */
static bool leads_result(const struct isa_code *code, struct isa_dest to)
{
    const struct isa_node *n = &code->graph->nodes[to.node];
    return n->op == ISA_OP_SEND
               ? isa_parts_is_result(code->graph, code->receives[n->index])
               : isa_graph_is_result_arc(code->graph, to);
}

/* Makes an output list of a partitioned graph. All arcs that lead a result to RETURNs, directly or
 * by SENDs, become one destination, which the tag resolves. Returns whether there is one. */
static bool make_part_list(struct isa_code *code, const struct isa_node *n,
                           const struct isa_dests *list, struct isa_code_list *made,
                           uint32_t *dest_count)
{
    const struct isa_graph *g = code->graph;
    bool leads = false;
    made->first = *dest_count;
    for (uint32_t k = 0; k < list->count; k++) {
        struct isa_dest to = list->items[k];
        if (!leads_result(code, to)) {
            code->dests[(*dest_count)++] = to.node << 1 | to.port;
            continue;
        }
        if (g->nodes[to.node].op == ISA_OP_SEND)
            to = g->nodes[code->receives[g->nodes[to.node].index]].outputs[0].items[0];
        const uint32_t from = isa_op_receives(n->op) ? 0 : code->return_count;
        const isa_code_dest dest = ISA_CODE_TO_RETURN | (g->nodes[to.node].index + from);
        bool known = false;
        for (uint32_t d = made->first; d < *dest_count; d++)
            known |= code->dests[d] == dest;
        if (!known)
            code->dests[(*dest_count)++] = dest;
        leads = true;
    }
    made->count = *dest_count - made->first;
    return leads;
}

/* Makes the destination of a SEND, which is its RECV. */
static void make_send(struct isa_code *code, const struct isa_node *n,
                      struct isa_instr *instr, uint32_t *dest_count)
{
    const uint32_t receive = code->receives[n->index];
    instr->only = receive << 1 | (code->graph->nodes[receive].op == ISA_OP_AWAIT);
    instr->out[0] = (struct isa_code_list){*dest_count, 1};
    code->dests[(*dest_count)++] = instr->only;
}

static void make_dests(struct isa_code *code, const struct isa_graph *graph,
                       const struct isa_node *n, struct isa_instr *instr,
                       uint32_t *dest_count)
{
    bool to_return = false;
    if (n->op == ISA_OP_SEND) {
        make_send(code, n, instr, dest_count);
        return;
    }
    for (uint32_t o = 0; o < n->output_count; o++) {
        const struct isa_dests *list = &n->outputs[o];
        if (code->machines) {
            to_return |= make_part_list(code, n, list, &instr->out[o], dest_count);
            continue;
        }
        instr->out[o] = make_list(code, graph, list, dest_count);
        for (uint32_t k = 0; k < list->count; k++)
            to_return |= list->items[k].node == ISA_TO_RETURN;
    }
    bool one = instr->out[0].count == 1 && !to_return;
    instr->only = one ? code->dests[instr->out[0].first] : ISA_CODE_MANY;
}

static void make_all_dests(struct isa_code *code, const struct isa_graph *graph,
                           uint32_t dest_count)
{
    /* `params` has the PARAMs of function f from first[f] on. */
    uint32_t *first = lib_mem_new((graph->function_count + (size_t)1) * sizeof *first);
    for (uint32_t f = 0; f < graph->function_count; f++)
        first[f + 1] = first[f] + graph->functions[f].param_count;
    uint32_t *params = lib_mem_new(first[graph->function_count] * sizeof *params);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_PARAM)
            params[first[graph->nodes[i].function] + graph->nodes[i].index] = i;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        if (n->op == ISA_OP_APPLY)
            make_apply_dests(code, graph, n, &params[first[graph->sites[n->site].callee]],
                             &dest_count);
        else
            make_dests(code, graph, n, &code->instrs[i], &dest_count);
    }
    LIB_MEM_FREE(first, params);
}

/* Sets the ISA_REFERS_ flags for the outputs of a node and for the operands that its arcs reach;
 * triggers may get references too. */
static void mark_references(struct isa_code *code, const struct isa_graph *graph,
                            uint32_t i)
{
    const struct isa_node *n = &graph->nodes[i];
    for (uint32_t o = 0; o < n->output_count; o++) {
        if (isa_node_output_is_control(n, o) ||
            !isa_type_is_reference(isa_node_output_type(graph, n, o)))
            continue;
        if (n->op != ISA_OP_APPLY)
            code->instrs[i].refers |= ISA_REFERS_SENT | ISA_REFERS_VALUE;
        for (uint32_t k = 0; k < n->outputs[o].count; k++) {
            const struct isa_dest to = n->outputs[o].items[k];
            if (to.node == ISA_TO_RETURN ||
                graph->nodes[to.node].op == ISA_OP_TRACK_MERGE)
                continue;
            const isa_code_dest dest = code->machines ? to.node << 1 | to.port
                                                      : dest_of(code, graph, to);
            code->instrs[dest >> 1].refers |= dest & 1 ? ISA_REFERS_SECOND
                                                       : ISA_REFERS_FIRST;
        }
    }
    const bool passes = n->op == ISA_OP_RETURN || n->op == ISA_OP_PARAM ||
                        isa_op_carries(n->op);
    if (passes && isa_type_is_reference(n->type))
        code->instrs[i].refers |= n->op == ISA_OP_AWAIT ? ISA_REFERS_SECOND
                                                        : ISA_REFERS_FIRST;
    if (n->op == ISA_OP_SEND && isa_type_is_reference(n->type))
        code->instrs[i].refers |= ISA_REFERS_SENT;
    if (n->op == ISA_OP_RESULT && isa_type_is_reference(n->type))
        code->instrs[i].refers |= ISA_REFERS_SENT | ISA_REFERS_VALUE;
    const bool keeps = isa_op_does[n->op].refers == ISA_REFERENCE_KEEP;
    if (keeps && isa_type_is_reference(n->type))
        code->instrs[i].refers |= ISA_REFERS_VALUE;
}

static uint32_t count_dests(const struct isa_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t o = 0; o < graph->nodes[i].output_count; o++)
            count += graph->nodes[i].outputs[o].count;
    for (uint32_t i = isa_parts_whole(graph); i < graph->node_count; i++)
        count += graph->nodes[i].op == ISA_OP_SEND;
    return count;
}

/* Returns the function whose copies contain function f: for a loop the function around it, else f
 * itself. */
static uint32_t copied_with(const struct isa_graph *graph, const uint32_t *site_of,
                            uint32_t f)
{
    /* Ends also if a loop contains itself, which is so only if nothing enters it. */
    for (uint32_t i = 0; i < graph->function_count && graph->functions[f].is_loop; i++)
        f = graph->sites[site_of[f]].caller;
    return f;
}

static void count_copied_nodes(struct isa_code *code, const struct isa_graph *graph)
{
    uint32_t *site_of = lib_mem_new(graph->function_count * sizeof *site_of);
    code->copy_nodes = LIB_ARENA_ARRAY(code->arena, uint32_t, graph->function_count);
    for (uint32_t i = 0; i < graph->site_count; i++)
        site_of[graph->sites[i].callee] = i;
    code->copied_with = LIB_ARENA_ARRAY(code->arena, uint32_t, graph->function_count);
    for (uint32_t f = 0; f < graph->function_count; f++)
        code->copied_with[f] = copied_with(graph, site_of, f);
    for (uint32_t i = 0; i < graph->node_count; i++)
        code->copy_nodes[code->copied_with[graph->nodes[i].function]]++;
    lib_mem_free(site_of);
}

/* Sizes of tables that an expanding image needs. */
struct applies {
    uint32_t args; /* operands of APPLYs */
    uint32_t more; /* instructions after those of the nodes */
};

static struct applies count_applies(const struct isa_graph *graph, uint32_t *expects)
{
    struct applies all = {0};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        if (n->op != ISA_OP_APPLY)
            continue;
        const uint32_t tokens = isa_node_tokens(n);
        expects[n->site] = tokens;
        all.args += n->operand_count;
        all.more += tokens > 1 ? tokens - 1 : 0;
    }
    return all;
}

/* Makes the tables of machines of a partitioned graph, and the second half of `returns`. */
static void make_machines(struct isa_code *code, const struct isa_graph *graph)
{
    for (uint32_t i = graph->node_count; i-- > 0;) {
        const struct isa_node *n = &graph->nodes[i];
        code->machine_of[i] = n->machine;
        if (isa_op_carries(n->op))
            code->instrs[i].site = isa_parts_decides(graph, code->receives[n->index]);
        if (!isa_op_has_site(n->op) || isa_op_tracks(n->op))
            continue;
        code->home_of_site[n->site] = n->machine;
        code->first_of_site[n->site] = i;
    }
    code->schedules = isa_parts_are_scheduled(graph);
    for (uint32_t r = 0; r < code->return_count; r++)
        code->returns[code->return_count + r] = code->returns[r];
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        if (n->op != ISA_OP_SEND || !isa_parts_is_result(graph, code->receives[n->index]))
            continue;
        const struct isa_dests *to = &graph->nodes[code->receives[n->index]].outputs[0];
        for (uint32_t k = 0; k < to->count; k++) {
            const struct isa_node *back = &graph->nodes[to->items[k].node];
            code->returns[code->return_count + code->first_return[back->site] +
                          back->index] = i;
        }
    }
}

static void number_kinds(struct isa_code *code)
{
    uint16_t place[ISA_KIND_COUNT] = {0};
    for (uint32_t i = 0; i < code->instr_count; i++)
        place[ISA_KIND(code->instrs[i].op, code->instrs[i].form)] = 1;
    for (uint32_t kind = 0; kind < ISA_KIND_COUNT; kind++)
        if (place[kind]) {
            place[kind] = (uint16_t)code->kind_count;
            code->kinds[code->kind_count++] = (uint16_t)kind;
        }
    for (uint32_t i = 0; i < code->instr_count; i++) {
        struct isa_instr *instr = &code->instrs[i];
        instr->kind = place[ISA_KIND(instr->op, instr->form)];
    }
}

uint32_t isa_code_find_kind(const struct isa_code *code, uint32_t kind)
{
    uint32_t place = 0;
    while (place < code->kind_count && code->kinds[place] != kind)
        place++;
    return place;
}

static void find_places(struct isa_code *code, const struct isa_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].operand_count; k++)
            count += graph->nodes[i].operands[k].kind == ISA_OPERAND_INPUT;
    code->places = LIB_ARENA_ARRAY(code->arena, struct isa_code_place, count);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        const bool applies = n->op == ISA_OP_APPLY;
        for (uint32_t k = 0; k < n->operand_count; k++)
            if (n->operands[k].kind == ISA_OPERAND_INPUT)
                code->places[code->place_count++] = (struct isa_code_place){
                    .input = n->operands[k].input,
                    .at = applies ? code->sites[n->site].first_arg + k : i,
                    .is_operand = applies,
                };
    }
}

struct isa_code *isa_code_make(const struct isa_graph *graph, const isa_value *inputs,
                               bool propagate)
{
    assert(isa_stage_is_executable(graph->stage));
    struct lib_arena *arena = lib_arena_new();
    struct isa_code *code = LIB_ARENA_NEW(arena, struct isa_code);
    uint32_t *expects = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count);
    const struct applies applies = count_applies(graph, expects);
    uint32_t returns = 0;
    for (uint32_t i = 0; i < graph->site_count; i++)
        returns += graph->functions[graph->sites[i].callee].result_count;
    *code = (struct isa_code){
        .arena = arena,
        .graph = graph,
        .propagate = propagate,
        .expands = graph->stage == ISA_STAGE_EXPANDING,
        .instr_count = graph->node_count + applies.more,
        .instrs = LIB_ARENA_ARRAY(arena, struct isa_instr,
                                  graph->node_count + applies.more),
        .node_of_more = LIB_ARENA_ARRAY(arena, uint32_t, applies.more),
        .outputs = LIB_ARENA_ARRAY(arena, struct isa_code_list, returns),
        .args = LIB_ARENA_ARRAY(arena, struct isa_code_arg, applies.args),
        .dests = LIB_ARENA_ARRAY(arena, isa_code_dest,
                                 returns + applies.args + count_dests(graph)),
        .sites = LIB_ARENA_ARRAY(arena, struct isa_code_site, graph->site_count),
        .child_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .held_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .first_return = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .returns = LIB_ARENA_ARRAY(arena, uint32_t, (size_t)returns * 2),
        .return_count = returns,
        .machines = graph->machine_count,
        .kinds = LIB_ARENA_ARRAY(arena, uint16_t, ISA_KIND_COUNT),
        .frames = LIB_ARENA_ARRAY(arena, struct isa_frame_shape, graph->function_count),
        .starts = LIB_ARENA_ARRAY(arena, uint32_t, graph->node_count),
        .constants = LIB_ARENA_ARRAY(arena, const struct isa_tensor *,
                                     graph->constant_count),
    };
    isa_graph_find_constants(graph, inputs, code->constants);
    struct counters c = {
        .slots = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
        .children = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
        .joins = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .held = LIB_ARENA_ARRAY(arena, uint32_t, graph->function_count),
        .followers = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count),
        .expects = expects,
    };
    for (uint32_t i = isa_parts_whole(graph); i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_TRACK_CALL ||
            graph->nodes[i].op == ISA_OP_TRACK_ENTER)
            c.followers[graph->nodes[i].site]++;
    for (uint32_t f = 0; f < graph->function_count; f++) {
        c.slots[f] = call_slots(&graph->functions[f], code->expands);
        bool keeps_next = graph->functions[f].is_loop &&
                          graph->functions[f].param_count > 1;
        c.children[f] = keeps_next ? ISA_LOOP_CHILD + 1 : 0;
    }
    for (uint32_t i = 0; i < graph->site_count; i++)
        if (c.followers[i] && graph->functions[graph->sites[i].callee].is_loop)
            c.children[graph->sites[i].callee] = ISA_LOOP_CHILD + 1;
    uint32_t *sends = NULL;
    if (code->machines) {
        isa_parts_channels(graph, &sends, &code->receives);
        code->machine_of = LIB_ARENA_ARRAY(arena, uint32_t, graph->node_count);
        code->home_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count);
        code->first_of_site = LIB_ARENA_ARRAY(arena, uint32_t, graph->site_count);
    }
    uint32_t dest_count = 0;
    make_sites(code, graph, &c, &dest_count);
    for (uint32_t i = 0; i < graph->node_count; i++)
        make_instr(code, graph, i, inputs, &c);
    for (uint32_t i = 0; i < graph->port_count; i++)
        for (uint32_t k = 0; k < graph->ports[i].part_count; k++)
            code->has_tensors |= graph->ports[i].parts[k].type == ISA_TENSOR;
    find_places(code, graph);
    number_kinds(code);
    if (code->machines)
        make_machines(code, graph);
    make_all_dests(code, graph, dest_count);
    for (uint32_t i = 0; i < graph->node_count; i++)
        mark_references(code, graph, i);
    for (uint32_t f = 0; f < graph->function_count; f++) {
        code->frames[f] = isa_frame_shape(c.slots[f], c.children[f]);
        code->frames[f].is_loop = graph->functions[f].is_loop;
        code->frames[f].gathers = gathers(&graph->functions[f], code->expands);
    }
    if (code->expands)
        count_copied_nodes(code, graph);
    LIB_MEM_FREE(sends, code->receives);
    code->receives = NULL;
    return code;
}

struct isa_code *isa_code_copy(const struct isa_code *code)
{
    struct lib_arena *arena = lib_arena_new();
    struct isa_code *copy = LIB_ARENA_NEW(arena, struct isa_code);
    size_t args = 0;
    for (uint32_t i = 0; i < code->graph->site_count; i++)
        args += code->sites[i].args;
    *copy = *code;
    copy->arena = arena;
    copy->instrs = LIB_ARENA_ARRAY(arena, struct isa_instr, code->instr_count);
    copy->args = LIB_ARENA_ARRAY(arena, struct isa_code_arg, args);
    memcpy(copy->instrs, code->instrs, code->instr_count * sizeof *copy->instrs);
    memcpy(copy->args, code->args, args * sizeof *copy->args);
    copy->constants = LIB_ARENA_ARRAY(arena, const struct isa_tensor *,
                                      code->graph->constant_count);
    if (code->graph->constant_count)
        memcpy(copy->constants, code->constants,
               code->graph->constant_count * sizeof *copy->constants);
    return copy;
}

static void set_place(struct isa_code *code, const struct isa_code_place *place,
                      isa_value value)
{
    if (place->is_operand)
        code->args[place->at].value = value;
    else
        code->instrs[place->at].value = value;
}

void isa_code_set_input(struct isa_code *code, uint32_t input, isa_value value)
{
    for (uint32_t i = 0; i < code->place_count; i++)
        if (code->places[i].input == input)
            set_place(code, &code->places[i], value);
}

void isa_code_set_inputs(struct isa_code *code, const isa_value *inputs)
{
    for (uint32_t i = 0; i < code->place_count; i++) {
        const uint32_t input = code->places[i].input;
        set_place(code, &code->places[i],
                  inputs ? inputs[input] : code->graph->inputs[input].value);
    }
    isa_graph_find_constants(code->graph, inputs, code->constants);
}

void isa_code_free(struct isa_code *code)
{
    if (code)
        lib_arena_free(code->arena);
}
