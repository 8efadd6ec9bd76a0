#include "isa/exec/exec.h"

#include "isa/exec/loop_constant.h"
#include "isa/exec/result.h"
#include "isa/op_columns.h"

/* --- the state ------------------------------------------------------------------------------ */

static void pack_has_result(struct lib_pack *pack, struct isa_exec *exec)
{
    for (uint32_t part = 0; part < isa_exec_parts(exec); part++)
        lib_pack_bool(pack, &exec->has_result[part]);
}

#define isa_activations_fields_pack(pack, m, tags) isa_activations_pack(pack, tags)
#define isa_activations_fields_clear(m, tags) isa_activations_reset(tags)
#define isa_activations_fields_free(m, tags) isa_activations_free(tags)
#define isa_structures_fields_pack(pack, m, s)                                           \
    isa_structures_pack(pack, s, (m)->code->graph)
#define isa_structures_fields_clear(m, s)                                                \
    isa_structures_reset(s, (m)->code->graph->constructors)
#define isa_structures_fields_free(m, s) isa_structures_free(s)

LIB_STATE(struct isa_exec, isa_parked, ISA_PARKED_FIELDS)
LIB_STATE(struct isa_exec, isa_exec_tensors, ISA_EXEC_TENSORS_FIELDS)
LIB_STATE(struct isa_exec, isa_exec, ISA_EXEC_FIELDS)

void isa_exec_init(struct isa_exec *exec, const struct isa_code *code,
                   uint64_t limit_bytes)
{
    const struct isa_graph *graph = code->graph;
    *exec = (struct isa_exec){.code = code, .functions = &isa_eval_library};
    exec->cells = lib_mem_new(graph->cell_count * sizeof *exec->cells);
    exec->results = lib_mem_new(isa_exec_parts(exec) * sizeof *exec->results);
    exec->has_result = lib_mem_new(isa_exec_parts(exec) * sizeof *exec->has_result);
    exec->ports = isa_ports_new(code);
    isa_structures_init(&exec->structures, limit_bytes);
    exec->structures.has_tensors = code->has_tensors;
    exec->structures.has_folds = code->has_folds;
    exec->structures.ports = exec->ports;
    isa_activations_init(&exec->tags, code->frames, code->child_of_site,
                         code->held_of_site, graph->function_count, limit_bytes);
    exec->tags.copy_nodes = code->copy_nodes;
    isa_exec_reset(exec, code);
}

void isa_exec_free(struct isa_exec *exec)
{
    isa_exec_fields_free(exec, exec);
}

void isa_exec_reset(struct isa_exec *exec, const struct isa_code *code)
{
    exec->code = code;
    isa_exec_fields_clear(exec, exec);
}

bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag)
{
    return tag != ISA_TAG_NONE &&
           tag + sizeof(struct isa_activation) / ISA_FRAME_UNIT <= exec->tags.used &&
           isa_activations_get(&exec->tags, tag)->live > 0 &&
           isa_activations_get(&exec->tags, tag)->function < exec->tags.function_count;
}

void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count)
{
    if (count)
        lib_pack_bytes(pack, tokens, count * sizeof *tokens);
    for (size_t i = 0; lib_pack_reads(pack) && i < count; i++)
        lib_pack_expect(pack, isa_token_instr(&tokens[i]) < exec->code->instr_count &&
                                  isa_exec_has_tag(exec, isa_token_tag(&tokens[i])));
}

void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec)
{
    isa_exec_fields_pack(pack, exec, exec);
}

/* --- how it ends ---------------------------------------------------------------------------- */

/* Traps at the OUTPUT of part `part`, because the result cannot be printed. */
static enum isa_end fail_output(struct isa_exec *exec, enum isa_trap trap, uint32_t part)
{
    const struct isa_code *code = exec->code;
    for (uint32_t i = 0; i < code->instr_count; i++)
        if (code->instrs[i].op == ISA_OP_OUTPUT && code->instrs[i].index == part)
            isa_exec_trap(exec, trap, i, ISA_TAG_ROOT);
    return ISA_END_TRAPPED;
}

void isa_exec_trap(struct isa_exec *exec, enum isa_trap trap, uint32_t instr, isa_tag tag)
{
    exec->trap = trap;
    exec->trap_instr = instr;
    exec->trap_tag = tag;
}

/* Returns the end of an execution whose result is whole, which depends on its output ports. */
static enum isa_end end_ports(struct isa_exec *exec)
{
    uint32_t part;
    isa_value element;
    switch (isa_ports_out_fault(exec, &part, &element)) {
    case ISA_PORT_UNEVEN:
        return fail_output(exec, ISA_TRAP_UNEVEN, part);
    case ISA_PORT_UNWRITTEN:
        return ISA_END_DEADLOCKED;
    default:
        return ISA_END_COMPLETED;
    }
}

enum isa_end isa_exec_end(struct isa_exec *exec)
{
    if (isa_ports_wait_for_host(exec))
        return ISA_END_WAITING;
    bool quiet = exec->counts.waiting == 0 && exec->waiting_reads == 0 &&
                 exec->results_missing == 0 && exec->tags.count == 1 &&
                 isa_activations_get(&exec->tags, ISA_TAG_ROOT)->live == 1;
    if (!quiet)
        return ISA_END_DEADLOCKED;
    const struct isa_result_fault fault = isa_result_walk(exec, NULL);
    if (fault.what == ISA_RESULT_UNEVEN)
        return fail_output(exec, ISA_TRAP_UNEVEN, fault.part);
    if (fault.what == ISA_RESULT_CIRCULAR)
        return fail_output(exec, ISA_TRAP_CIRCULAR, fault.part);
    return fault.what == ISA_RESULT_WHOLE ? end_ports(exec) : ISA_END_DEADLOCKED;
}

void isa_exec_refer(struct isa_exec *exec, const struct isa_instr *instr, isa_value a,
                    isa_value b, isa_value value, uint32_t sent)
{
    struct isa_structures *s = &exec->structures;
    if (sent && instr->refers & ISA_REFERS_SENT)
        isa_structures_hold(s, value, sent);
    if (instr->refers & ISA_REFERS_FIRST)
        isa_structures_drop(s, a);
    if (instr->refers & ISA_REFERS_SECOND)
        isa_structures_drop(s, b);
    if (isa_op_does[instr->op].refers ==
        ISA_REFERENCE_MAKE) /* the maker's own reference */
        isa_structures_drop(s, value);
}

uint64_t isa_exec_word(const struct isa_exec *exec, isa_value reference)
{
    return isa_structures_word(&exec->structures, reference);
}

static void count_elements(const struct isa_structures *all,
                           const struct isa_structure *s, uint64_t *held)
{
    for (uint32_t i = 0; s->holds_references && i < s->length; i++)
        if (isa_element_is_written(&s->elements[i]) && isa_structures_refers(all, s, i))
            held[isa_reference_structure(s->elements[i].value)]++;
}

static void count_deferred(const struct isa_exec *exec, const struct isa_structure *s,
                           uint64_t *held)
{
    for (uint32_t i = 0; i < s->length; i++) {
        const struct isa_element *e = &s->elements[i];
        uint32_t d = isa_element_is_written(e) ? ISA_DEFERRED_END : isa_element_first(e);
        for (; d != ISA_DEFERRED_END; d = exec->deferred.items[d].next)
            held[exec->deferred.items[d].structure]++;
    }
}

void isa_exec_count_references(const struct isa_exec *exec, uint64_t *held)
{
    const struct isa_graph *g = exec->code->graph;
    isa_ports_count_references(exec, held);
    for (size_t i = 0; i < exec->structures.all.count; i++) {
        count_elements(&exec->structures, &exec->structures.all.items[i], held);
        count_deferred(exec, &exec->structures.all.items[i], held);
    }
    for (uint32_t c = 0; c < g->cell_count; c++)
        if (isa_type_is_reference(g->cells[c].type) &&
            isa_element_is_written(&exec->cells[c]))
            held[isa_reference_structure(exec->cells[c].value)]++;
    for (uint32_t part = 0; part < g->functions[0].result_count; part++)
        if (isa_type_is_reference(g->functions[0].results[part]) &&
            exec->has_result[part])
            held[isa_reference_structure(exec->results[part])]++;
}

static void check_references(const struct isa_exec *exec)
{
    const struct isa_structures *s = &exec->structures;
    uint64_t *held = lib_mem_new(s->all.count * sizeof *held);
    isa_exec_count_references(exec, held);
    for (size_t i = 0; i < s->all.count; i++)
        assert(s->all.items[i].references == held[i] ||
               isa_structures_is_fieldless(s, i));
    lib_mem_free(held);
}

void isa_exec_check_quiet(const struct isa_exec *exec)
{
    assert(exec->counts.live == 0);
    assert(exec->counts.waiting == 0 && exec->waiting_reads == 0);
    assert(exec->tags.count == 1); /* the root */
    assert(isa_activations_get(&exec->tags, ISA_TAG_ROOT)->live == 1);
    check_references(exec);
}

void isa_exec_write_result(const struct isa_exec *exec, struct lib_text *out)
{
    isa_result_walk(exec, out);
}

/* Appends the place where an instruction fires: "in fact, tag [1,0]". */
static void write_place(const struct isa_exec *exec, uint32_t i, isa_tag tag,
                        struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_node *n = &graph->nodes[isa_code_node(exec->code, i)];
    lib_text_printf(out, "in %s, tag ", graph->functions[n->function].name);
    isa_tag_write(&exec->tags, tag, out);
}

/* Appends an instruction and its place: "%7 add.int at 2:5 in fact, tag [1,0]". */
static void write_node(const struct isa_exec *exec, uint32_t i, isa_tag tag,
                       struct lib_text *out)
{
    const uint32_t node = isa_code_node(exec->code, i);
    isa_graph_write_node(exec->code->graph, node, out);
    isa_node_write_place(&exec->code->graph->nodes[node], out);
    lib_text_puts(out, " ");
    write_place(exec, i, tag, out);
}

/* Appends the field that an instruction names, and if `found` is a constructor, that. */
static void write_field(const struct isa_exec *exec, const struct isa_node *n,
                        int64_t found, struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_constructor *c = isa_graph_constructor_of(graph, n->index);
    lib_text_puts(out, " (");
    isa_constructor_write_field(c, n->index - c->first, out);
    if (found >= 0)
        lib_text_printf(out, ", found `%s`", graph->constructors[found].name);
    lib_text_puts(out, ")");
}

void isa_exec_write_trap(const struct isa_exec *exec, struct lib_text *out,
                         struct lib_pos *pos)
{
    const uint32_t node = isa_code_node(exec->code, exec->trap_instr);
    const struct isa_node *n = &exec->code->graph->nodes[node];
    *pos = n->pos;
    lib_text_puts(out, isa_trap_text(exec->trap));
    if (exec->trap == ISA_TRAP_CONSTRUCTOR || exec->trap == ISA_TRAP_SECOND_FILL)
        write_field(exec, n, exec->trap_number, out);
    if (exec->trap == ISA_TRAP_TENSOR)
        lib_text_printf(out, ": %s", lib_text_get(&exec->trap_note));
    if (exec->trap == ISA_TRAP_INDEX)
        lib_text_printf(out, " (%lld, of %lld elements)", (long long)exec->trap_number,
                        (long long)exec->trap_length);
    else if (exec->trap == ISA_TRAP_SECOND_STORE || exec->trap == ISA_TRAP_TOTAL ||
             exec->trap == ISA_TRAP_CONTRIBUTION) {
        lib_text_puts(out, " (");
        isa_exec_write_element(exec, (isa_value)exec->trap_length, out);
        lib_text_puts(out, ")");
    } else if (exec->trap == ISA_TRAP_LENGTH)
        lib_text_printf(out, " (%lld)", (long long)exec->trap_number);
    else if (exec->trap == ISA_TRAP_SECOND_OUTPUT)
        lib_text_printf(out, " (part %lld)", (long long)exec->trap_number);
    lib_text_puts(out, n->written ? ": " : " ");
    if (n->written)
        write_node(exec, exec->trap_instr, exec->trap_tag, out);
    else
        write_place(exec, exec->trap_instr, exec->trap_tag, out);
}

struct waiting_walk {
    const struct isa_exec *exec;
    struct lib_text *out;
    unsigned left;
    uint64_t incomplete; /* iterations that wait for a variable, loops for a constant */
    uint64_t unwritten;  /* elements of the result that are not written, if found */
};

static void visit_iteration(isa_tag tag, struct isa_activation *a,
                            struct waiting_walk *walk)
{
    const struct isa_function *f = &walk->exec->code->graph->functions[a->function];
    if (!f->is_loop || isa_iteration_expects(a) == 0)
        return;
    walk->incomplete++;
    if (walk->left == 0)
        return;
    lib_text_puts(walk->out, "  the iteration with tag ");
    isa_tag_write(&walk->exec->tags, tag, walk->out);
    if (f->pos.line)
        lib_text_printf(walk->out, " of the loop at %u:%u", f->pos.line, f->pos.column);
    lib_text_printf(walk->out, ", in %s: %u of %u variables have not come\n", f->name,
                    isa_iteration_expects(a), f->param_count);
    walk->left--;
}

static void visit_constant(const struct isa_slot *constant, uint32_t number,
                           struct waiting_walk *walk)
{
    const struct isa_exec *x = walk->exec;
    for (uint32_t i = isa_loop_constant_first(constant);
         i != ISA_PARKED_END && walk->left; i = x->parked.items[i].next, walk->left--) {
        const struct isa_token *t = &x->parked.items[i].token;
        lib_text_puts(walk->out, "  ");
        write_node(x, isa_token_instr(t), isa_token_tag(t), walk->out);
        lib_text_printf(walk->out, ": constant %u of its loop has not come\n", number);
    }
}

static void visit_loops(isa_tag tag, struct isa_activation *a, struct waiting_walk *walk)
{
    const struct isa_code *code = walk->exec->code;
    for (uint32_t s = 0; s < code->graph->site_count; s++) {
        const uint32_t held = code->held_of_site[s];
        if (held == 0 || code->sites[s].caller != a->function)
            continue;
        const struct isa_slot *flight = isa_activations_flight(&walk->exec->tags, tag, s);
        const uint64_t come = flight->value >> ISA_LOOP_HELD_SHIFT;
        for (uint32_t i = 0; i < held; i++)
            visit_constant(&flight[1 + i], i, walk);
        if (isa_loop_alive(flight) > 0 || (come == 0 && !isa_slot_is_held(flight)))
            continue;
        walk->incomplete++;
        if (walk->left == 0)
            continue;
        const struct isa_function *f = &code->graph->functions[code->sites[s].callee];
        lib_text_puts(walk->out, "  the loop");
        if (f->pos.line)
            lib_text_printf(walk->out, " at %u:%u", f->pos.line, f->pos.column);
        lib_text_printf(walk->out, ", %s, under tag ", f->name);
        isa_tag_write(&walk->exec->tags, tag, walk->out);
        lib_text_printf(walk->out, ": %llu of %u constants have come%s\n",
                        (unsigned long long)come, held,
                        isa_slot_is_held(flight) ? "" : ", and no variable");
        walk->left--;
    }
}

static void visit_call(isa_tag tag, struct isa_activation *a, struct waiting_walk *walk)
{
    const struct isa_exec *x = walk->exec;
    if (!x->tags.shapes[a->function].gathers || isa_activations_is_copy(&x->tags, tag))
        return;
    const struct isa_code_site *site = &x->code->sites[a->site];
    const struct isa_slot *own = &isa_activation_slots(a)[ISA_CALL_SLOT];
    for (uint32_t k = 0; k < site->args && walk->left; k++) {
        if (!x->code->args[site->first_arg + k].is_token ||
            isa_slot_is_waiting(&own[1 + k]))
            continue;
        lib_text_puts(walk->out, "  ");
        write_node(x, site->apply, a->parent, walk->out);
        lib_text_printf(walk->out, ": operand %u has not come\n", k);
        walk->left--;
    }
}

/* Writes the instructions that wait in a frame. Searches the code, as slots do not name their
 * instruction. */
static void visit_frame(isa_tag tag, struct isa_activation *a, void *context)
{
    struct waiting_walk *walk = context;
    const struct isa_code *code = walk->exec->code;
    struct isa_slot *slots = isa_activation_slots(a);
    visit_iteration(tag, a, walk);
    visit_call(tag, a, walk);
    visit_loops(tag, a, walk);
    for (uint32_t i = 0; i < code->graph->node_count && walk->left; i++) {
        const struct isa_instr *instr = &code->instrs[i];
        const struct isa_node *n = &code->graph->nodes[i];
        bool of_call = isa_op_takes_control(n->op);
        bool here = isa_node_frame(code->graph, n) == a->function &&
                    (!of_call || n->site == a->site);
        if (!here || instr->tokens != 2 || !isa_slot_is_waiting(&slots[instr->slot]))
            continue;
        lib_text_puts(walk->out, "  ");
        write_node(walk->exec, i, tag, walk->out);
        lib_text_printf(walk->out, ": operand %u has come, operand %u has not\n",
                        isa_slot_port(&slots[instr->slot]),
                        !isa_slot_port(&slots[instr->slot]));
        walk->left--;
    }
}

void isa_exec_write_element(const struct isa_exec *exec, isa_value address,
                            struct lib_text *out)
{
    const struct isa_structure *s = isa_structures_get(&exec->structures, address);
    const uint32_t alloc = s->instr;
    const struct isa_node *n = &exec->code->graph->nodes[alloc];
    if (s->is_data) {
        isa_constructor_write_field(&exec->structures.constructors[s->constructor],
                                    isa_reference_element(address), out);
        lib_text_puts(out, " made ");
    } else {
        lib_text_printf(out, "element %u of the array made ",
                        isa_reference_element(address));
    }
    if (n->pos.line)
        lib_text_printf(out, "at %u:%u", n->pos.line, n->pos.column);
    else if (n->written)
        lib_text_printf(out, "by %s", n->written->label);
    else
        lib_text_printf(out, "by %%%u", alloc);
}

/* Writes the reads that wait for a cell, or for the element at `address`, from `first` on. */
static void visit_reads(struct waiting_walk *walk, uint32_t first, uint32_t cell,
                        isa_value address)
{
    const struct isa_exec *exec = walk->exec;
    for (uint32_t d = first; d != ISA_DEFERRED_END && walk->left;
         d = exec->deferred.items[d].next, walk->left--) {
        const struct isa_deferred *read = &exec->deferred.items[d];
        lib_text_puts(walk->out, "  ");
        write_node(exec, read->instr, read->tag, walk->out);
        lib_text_puts(walk->out, ": ");
        if (read->structure == ISA_STRUCTURE_NONE)
            lib_text_printf(walk->out, "cell %u (%s)", cell,
                            exec->code->graph->cells[cell].name);
        else
            isa_exec_write_element(exec, address, walk->out);
        lib_text_puts(walk->out, " is not written\n");
    }
}

static void visit_structures(struct waiting_walk *walk)
{
    const struct isa_structures *s = &walk->exec->structures;
    for (uint32_t i = 0; i < s->all.count && walk->left; i++)
        for (uint32_t k = 0; k < s->all.items[i].length && walk->left; k++) {
            const struct isa_element *e = &s->all.items[i].elements[k];
            if (!isa_element_is_written(e))
                visit_reads(walk, isa_element_first(e), 0, isa_reference(i, k));
        }
}

static void visit_ports(struct waiting_walk *walk)
{
    const struct isa_exec *x = walk->exec;
    const struct isa_ports *ports = x->structures.ports;
    for (size_t i = 0; ports && i < ports->waits.count && walk->left; i++) {
        const struct isa_port_wait *wait = &ports->waits.items[i];
        if (wait->tag == ISA_TAG_NONE)
            continue;
        const struct isa_structure *s = &x->structures.all.items[wait->structure];
        const char *name = x->code->graph->ports[isa_structure_port(ports, s)].name;
        lib_text_puts(walk->out, "  ");
        write_node(x, wait->instr, wait->tag, walk->out);
        if (wait->index == ISA_PORT_LENGTH)
            lib_text_printf(walk->out, ": port `%s` is not closed\n", name);
        else
            lib_text_printf(walk->out, ": element %llu of port `%s` has not come\n",
                            (unsigned long long)wait->index, name);
        walk->left--;
    }
}

/* Appends "part 1 of the result" or "part 0 of port `ys`". */
static void write_part(const struct isa_exec *exec, uint32_t part, struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_port *port = isa_graph_port_of_part(graph, part);
    if (port)
        lib_text_printf(out, "part %u of port `%s`",
                        part - isa_graph_result_parts(graph) - port->first, port->name);
    else
        lib_text_printf(out, "part %u of the result", part);
}

/* Finds an element of the results that is not written. Returns false if all are. */
static bool find_unwritten(const struct isa_exec *exec, uint32_t *part,
                           isa_value *element)
{
    const struct isa_result_fault fault = isa_result_walk(exec, NULL);
    *part = fault.part;
    *element = fault.element;
    if (fault.what != ISA_RESULT_WHOLE)
        return fault.what == ISA_RESULT_UNWRITTEN;
    return isa_ports_out_fault(exec, part, element) == ISA_PORT_UNWRITTEN;
}

/* Writes the parts of the results that have not arrived, or else an element that is not written. */
static void visit_result(struct waiting_walk *walk)
{
    const struct isa_exec *exec = walk->exec;
    const uint32_t parts = exec->code->graph->functions[0].result_count;
    uint32_t wrong;
    isa_value element;
    for (uint32_t part = 0; part < parts && walk->left; part++)
        if (!exec->has_result[part]) {
            lib_text_puts(walk->out, "  ");
            write_part(exec, part, walk->out);
            lib_text_puts(walk->out, " has not come\n");
            walk->left--;
        }
    if (exec->results_missing || !walk->left || !find_unwritten(exec, &wrong, &element))
        return;
    lib_text_puts(walk->out, "  ");
    write_part(exec, wrong, walk->out);
    lib_text_puts(walk->out, ": ");
    isa_exec_write_element(exec, element, walk->out);
    lib_text_puts(walk->out, " is not written\n");
    walk->unwritten = 1;
    walk->left--;
}

void isa_exec_write_waiting(const struct isa_exec *exec, struct lib_text *out,
                            unsigned most)
{
    const struct isa_graph *graph = exec->code->graph;
    struct waiting_walk walk = {.exec = exec, .out = out, .left = most};
    isa_activations_each(&exec->tags, visit_frame, &walk);
    for (uint32_t c = 0; c < graph->cell_count; c++)
        if (!isa_element_is_written(&exec->cells[c]))
            visit_reads(&walk, isa_element_first(&exec->cells[c]), c, 0);
    visit_ports(&walk);
    visit_structures(&walk);
    visit_result(&walk);
    const struct isa_ports *ports = exec->structures.ports;
    uint64_t all = exec->counts.waiting + exec->waiting_reads + exec->results_missing +
                   walk.incomplete + walk.unwritten + (ports ? ports->waiting : 0);
    if (all > most - walk.left)
        lib_text_printf(out, "  and %llu more\n",
                        (unsigned long long)(all - (most - walk.left)));
}
