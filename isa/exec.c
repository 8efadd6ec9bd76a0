#include "isa/exec.h"

#include "isa/hold.h"

void isa_exec_init(struct isa_exec *exec, const struct isa_code *code,
                   uint64_t limit_bytes)
{
    const struct isa_graph *graph = code->graph;
    uint32_t parts = graph->functions[0].result_count;
    *exec = (struct isa_exec){
        .code = code,
        .cells = lib_mem_new(graph->cell_count * sizeof(struct isa_exec_cell)),
        .results = lib_mem_new(parts * sizeof(isa_value)),
        .has_result = lib_mem_new(parts * sizeof(bool)),
        .results_missing = parts,
        .released = ISA_DEFERRED_END,
        .parked_free = ISA_PARKED_END,
        .woken = ISA_PARKED_END,
    };
    for (uint32_t i = 0; i < graph->cell_count; i++)
        exec->cells[i].first = ISA_DEFERRED_END;
    isa_tags_init(&exec->tags, code->frames, code->child_of_site, code->held_of_site,
                  graph->function_count, limit_bytes);
}

void isa_exec_free(struct isa_exec *exec)
{
    isa_tags_free(&exec->tags);
    lib_mem_free(exec->cells);
    lib_mem_free(exec->results);
    lib_mem_free(exec->has_result);
    LIB_VEC_FREE(&exec->deferred);
    LIB_VEC_FREE(&exec->parked);
}

void isa_exec_trap(struct isa_exec *exec, enum isa_trap trap, uint32_t instr, isa_tag tag)
{
    exec->trap = trap;
    exec->trap_instr = instr;
    exec->trap_tag = tag;
}

enum isa_end isa_exec_end(const struct isa_exec *exec)
{
    bool quiet = exec->counts.waiting == 0 && exec->waiting_reads == 0 &&
                 exec->results_missing == 0 && exec->tags.count == 1 &&
                 isa_tags_get(&exec->tags, ISA_TAG_ROOT)->live == 1;
    return quiet ? ISA_END_COMPLETED : ISA_END_DEADLOCKED;
}

void isa_exec_check_quiet(const struct isa_exec *exec)
{
    assert(exec->counts.live == 0);
    assert(exec->counts.waiting == 0 && exec->waiting_reads == 0);
    assert(exec->tags.count == 1); /* the root */
    assert(isa_tags_get(&exec->tags, ISA_TAG_ROOT)->live == 1);
    (void)exec;
}

void isa_exec_write_result(const struct isa_exec *exec, struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    uint32_t part = 0;
    for (const char *p = graph->shape; *p; p++) {
        if (*p != '_') {
            lib_text_add(out, p, 1);
            continue;
        }
        isa_value_write(out, graph->functions[0].results[part], exec->results[part]);
        part++;
    }
}

/* "in fact, tag [1,0]": where node `i` fires under a tag. */
static void write_place(const struct isa_exec *exec, uint32_t i, isa_tag tag,
                        struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_node *n = &graph->nodes[i];
    lib_text_printf(out, "in %s, tag ", graph->functions[n->function].name);
    isa_tag_write(&exec->tags, tag, out);
}

void isa_exec_write_trap(const struct isa_exec *exec, struct lib_text *out,
                         struct lib_pos *pos)
{
    *pos = exec->code->graph->nodes[exec->trap_instr].pos;
    lib_text_printf(out, "%s ", isa_trap_text(exec->trap));
    write_place(exec, exec->trap_instr, exec->trap_tag, out);
}

/* --- what waits ------------------------------------------------------------------------ */

struct waiting_walk {
    const struct isa_exec *exec;
    struct lib_text *out;
    unsigned left;
    uint64_t incomplete; /* iterations that expect a variable, loops a constant */
};

static void write_node(const struct isa_exec *exec, uint32_t i, isa_tag tag,
                       struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_node *n = &graph->nodes[i];
    const char *text = isa_op_table[n->op].text;
    lib_text_printf(out, "%%%u %s", i, text);
    if (isa_op_is_typed(n->op))
        lib_text_printf(out, ".%s", isa_type_name(n->type));
    if (n->pos.line)
        lib_text_printf(out, " at %u:%u", n->pos.line, n->pos.column);
    lib_text_puts(out, " ");
    write_place(exec, i, tag, out);
}

/* An iteration that began and lacks a variable. */
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

/* The tokens that wait for a constant which has not come. */
static void visit_constant(const struct isa_slot *constant, uint32_t number,
                           struct waiting_walk *walk)
{
    const struct isa_exec *x = walk->exec;
    for (uint32_t i = isa_hold_first(constant); i != ISA_PARKED_END && walk->left;
         i = x->parked.items[i].next, walk->left--) {
        const struct isa_token *t = &x->parked.items[i].token;
        lib_text_puts(walk->out, "  ");
        write_node(x, isa_token_instr(t), isa_token_tag(t), walk->out);
        lib_text_printf(walk->out, ": constant %u of its loop has not come\n", number);
    }
}

/* The loops that stand in a frame; also one that has no iterations, but keeps constants, or
 * waits for them. */
static void visit_loops(isa_tag tag, struct isa_activation *a, struct waiting_walk *walk)
{
    const struct isa_code *code = walk->exec->code;
    for (uint32_t s = 0; s < code->graph->site_count; s++) {
        const uint32_t held = code->held_of_site[s];
        if (held == 0 || code->sites[s].caller != a->function)
            continue;
        const struct isa_slot *flight = isa_tags_flight(&walk->exec->tags, tag, s);
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

/* Instructions of a frame are few: those whose slot is occupied are found by a walk
 * over the code. */
static void visit_frame(isa_tag tag, struct isa_activation *a, void *context)
{
    struct waiting_walk *walk = context;
    const struct isa_code *code = walk->exec->code;
    struct isa_slot *slots = isa_activation_slots(a);
    visit_iteration(tag, a, walk);
    visit_loops(tag, a, walk);
    for (uint32_t i = 0; i < code->instr_count && walk->left; i++) {
        const struct isa_instr *instr = &code->instrs[i];
        const struct isa_node *n = &code->graph->nodes[i];
        bool of_call = n->op == ISA_OP_JOIN || n->op == ISA_OP_RETURN;
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

void isa_exec_write_waiting(const struct isa_exec *exec, struct lib_text *out,
                            unsigned most)
{
    const struct isa_graph *graph = exec->code->graph;
    struct waiting_walk walk = {exec, out, most, 0};
    isa_tags_each(&exec->tags, visit_frame, &walk);
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        if (exec->cells[c].written)
            continue;
        for (uint32_t d = exec->cells[c].first; d != ISA_DEFERRED_END && walk.left;
             d = exec->deferred.items[d].next, walk.left--) {
            lib_text_puts(out, "  ");
            write_node(exec, exec->deferred.items[d].instr, exec->deferred.items[d].tag,
                       out);
            lib_text_printf(out, ": cell %u (%s) is not written\n", c,
                            graph->cells[c].name);
        }
    }
    for (uint32_t part = 0; part < graph->functions[0].result_count && walk.left; part++)
        if (!exec->has_result[part]) {
            lib_text_printf(out, "  part %u of the result has not come\n", part);
            walk.left--;
        }
    uint64_t all = exec->counts.waiting + exec->waiting_reads + exec->results_missing +
                   walk.incomplete;
    if (all > most - walk.left)
        lib_text_printf(out, "  and %llu more\n",
                        (unsigned long long)(all - (most - walk.left)));
}
