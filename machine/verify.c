/* Whoever asks for this wants the assertions. */
#undef NDEBUG

#include "machine/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "isa/fire/fire.h"
#include "machine/pe/structure_memory.h"

/* Tokens on their way to the input queue of a PE, or to its output port, those of starts among
 * them; and what is in its store: operands, those that found their set full, slots of frames. */
struct rooms {
    uint64_t held, leaving;
    uint64_t matched, away, slots;
    uint64_t copied; /* nodes of copies of graphs */
};

/* What was found, to be compared with what is counted. */
struct machine_found {
    const struct machine *m;
    uint32_t *held;       /* per index of an activation: what keeps it alive */
    uint64_t *references; /* per number of a structure */
    uint8_t *
        *refers; /* per function and slot: what waits there may refer (ISA_REFERS_) */
    uint64_t moving, waiting, deferred, parked, alive, freed;
    struct rooms *rooms;           /* per PE */
    uint64_t *of_function;         /* activations alive */
    uint64_t callers, calls_named; /* calls that their callers should name, and do */
};

static const struct isa_activation *activation(const struct machine *m, isa_tag tag)
{
    assert(tag != ISA_TAG_NONE && tag < m->exec.tags.used && "the tag is one");
    const struct isa_activation *a = isa_activations_get(&m->exec.tags, tag);
    assert(a->live > 0 && "a token or child belongs to an activation that was freed");
    return a;
}

/* --- references ----------------------------------------------------------------------- */

/* A value of an operand of an instruction is there. */
static void find_reference(struct machine_found *f, uint8_t refers, bool port,
                           isa_value value)
{
    if (refers & (port ? ISA_REFERS_SECOND : ISA_REFERS_FIRST))
        f->references[isa_reference_structure(value)]++;
}

static void find_what_slots_refer(struct machine_found *f)
{
    const struct isa_code *code = f->m->code;
    const struct isa_activations *tags = &f->m->exec.tags;
    for (uint32_t function = 0; function < tags->function_count; function++)
        f->refers[function] = lib_mem_new(tags->shapes[function].slots);
    for (uint32_t i = 0; i < code->graph->node_count; i++)
        if (code->instrs[i].form == ISA_FORM_TWO)
            f->refers[isa_node_frame(code->graph, &code->graph->nodes[i])]
                     [code->instrs[i].slot] = code->instrs[i].refers;
}

static void check_structures(struct machine_found *f)
{
    const struct isa_structures *s = &f->m->exec.structures;
    uint64_t alive = 0, elements = 0;
    isa_exec_count_references(&f->m->exec, f->references);
    for (size_t i = 0; i < s->all.count; i++) {
        const struct isa_structure *structure = &s->all.items[i];
        alive += structure->is_alive;
        elements += structure->length;
        assert(structure->references == f->references[i] &&
               structure->is_alive == (structure->references > 0) &&
               "a structure counts its references, and lives while there are any");
    }
    assert(s->count == alive && s->elements == elements && "structures are counted");
    (void)alive, (void)elements;
}

/* --- tokens --------------------------------------------------------------------------- */

void machine_found_token(struct machine_found *f, const struct isa_token *t)
{
    assert(isa_token_instr(t) < f->m->code->instr_count &&
           "a token goes to an instruction");
    activation(f->m, isa_token_tag(t));
    if (f->m->code->instrs[isa_token_instr(t)].tokens == 0)
        return; /* it only starts an instruction without operands */
    f->held[isa_token_tag(t)]++;
    f->moving++;
    if (!isa_token_is_dead(t))
        find_reference(f, f->m->code->instrs[isa_token_instr(t)].refers,
                       isa_token_port(t), t->value);
}

void machine_found_at_its_place(const struct machine_found *f, const struct isa_token *t)
{
    const uint32_t pe = isa_token_pe(t);
    const enum isa_op op = f->m->code->instrs[isa_token_instr(t)].op;
    assert((activation(f->m, isa_token_tag(t))->pe_number == pe ||
            (isa_op_accesses_element(op) && machine_request_pe(f->m, t) == pe)) &&
           "a token goes to the PE of its activation, or of its element");
    (void)pe, (void)op;
}

uint32_t machine_found_tokens(struct machine_found *f, const struct machine_queue *q)
{
    for (uint32_t i = q->head; i != q->tail; i++)
        machine_found_token(f, &q->tokens[i & q->mask]);
    return machine_queue_count(q);
}

void machine_found_formed(struct machine_found *f, const struct machine_wheel_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        machine_found_token(f, &slot->tokens[i]);
        f->rooms[isa_token_pe(&slot->tokens[i])].held++;
    }
}

void machine_found_coming(struct machine_found *f, uint32_t pe)
{
    f->rooms[pe].held++;
}

void machine_found_leaving(struct machine_found *f, const struct machine_wheel_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        machine_found_token(f, &slot->tokens[i]);
        f->rooms[isa_token_pe(&slot->tokens[i])].leaving++;
    }
}

uint64_t machine_found_held(const struct machine_found *f, uint32_t pe)
{
    return f->rooms[pe].held;
}

uint64_t machine_found_left(const struct machine_found *f, uint32_t pe)
{
    return f->rooms[pe].leaving;
}

void machine_found_named(struct machine_found *f, uint64_t calls)
{
    f->callers += calls;
}

static void find_deferred_at(struct machine_found *f, const struct isa_element *e)
{
    const struct isa_exec *x = &f->m->exec;
    if (isa_element_is_written(e))
        return;
    for (uint32_t d = isa_element_first(e); d != ISA_DEFERRED_END;
         d = x->deferred.items[d].next) {
        activation(f->m, x->deferred.items[d].tag);
        f->held[x->deferred.items[d].tag]++;
        f->deferred++;
    }
}

static void find_deferred(struct machine_found *f)
{
    const struct isa_exec *x = &f->m->exec;
    for (uint32_t c = 0; c < x->code->graph->cell_count; c++)
        find_deferred_at(f, &x->cells[c]);
    for (size_t i = 0; i < x->structures.all.count; i++)
        for (uint32_t k = 0; k < x->structures.all.items[i].length; k++)
            find_deferred_at(f, &x->structures.all.items[i].elements[k]);
}

/* --- activations ---------------------------------------------------------------------- */

/* Tokens that wait for a constant of a loop, which stands in a frame. */
static void find_parked(struct machine_found *f, const struct isa_activation *a,
                        const struct isa_slot *constant)
{
    const struct isa_exec *x = &f->m->exec;
    for (uint32_t i = isa_loop_constant_first(constant); i != ISA_PARKED_END;
         i = x->parked.items[i].next) {
        const struct isa_token *t = &x->parked.items[i].token;
        assert(isa_activations_get(&x->tags,
                                   activation(f->m, isa_token_tag(t))->parent) == a &&
               isa_loop_constant_slot(x, isa_token_tag(t),
                                      &x->code->instrs[isa_token_instr(t)]) == constant &&
               "a token is parked for a constant of its loop");
        f->held[isa_token_tag(t)]++;
        f->parked++;
        find_reference(f, x->code->instrs[isa_token_instr(t)].refers, isa_token_port(t),
                       t->value);
    }
    (void)a;
}

/* Arguments that can gather in the frame of an activation. */
static uint32_t count_args(const struct machine_found *f, const struct isa_activation *a)
{
    const struct machine *m = f->m;
    if (!m->exec.tags.shapes[a->function].gathers)
        return 0;
    return m->code->graph->functions[a->function].param_count;
}

static void find_slots(struct machine_found *f, isa_tag tag, struct isa_activation *a)
{
    const struct isa_slot *slots = isa_activation_slots(a);
    const uint32_t args = count_args(f, a);
    for (uint32_t i = 0; i < f->m->exec.tags.shapes[a->function].slots; i++) {
        const bool is_arg = i > ISA_CALL_SLOT && i <= ISA_CALL_SLOT + args;
        if (i == ISA_CALL_SLOT && args)
            continue; /* it counts arguments */
        /* A hand-written MERGEIF may have SEEN one token and never get another. */
        const bool keeps = isa_slot_is_waiting(&slots[i]) || isa_slot_is_held(&slots[i]);
        assert((a->live > 0 || !keeps) &&
               "nothing waits in the frame of a freed activation");
        (void)keeps;
        f->held[tag] += isa_slot_is_held(&slots[i]);
        find_parked(f, a, &slots[i]);
        if (isa_slot_is_held(&slots[i]) && slots[i].info & ISA_SLOT_REFERS)
            find_reference(f, ISA_REFERS_FIRST, false, slots[i].value);
        if (slots[i].info & ISA_SLOT_ABSENT) {
            f->held[tag] += (uint32_t)slots[i].value;
            f->waiting += slots[i].value;
        }
        if (!isa_slot_is_waiting(&slots[i]))
            continue;
        f->held[tag]++;
        f->waiting++;
        if (is_arg) { /* it takes no room in a matching store */
            const struct isa_code_site *site = &f->m->code->sites[a->site];
            const uint32_t arg = site->first_arg + i - ISA_CALL_SLOT - 1;
            const uint32_t instr = f->m->code->args[arg].instr;
            find_reference(f, f->m->code->instrs[instr].refers, false, slots[i].value);
            continue;
        }
        if (!isa_slot_is_dead(&slots[i]))
            find_reference(f, f->refers[a->function][i], isa_slot_port(&slots[i]),
                           slots[i].value);
        if (slots[i].info & ISA_SLOT_AWAY)
            f->rooms[a->pe_number].away++;
        else
            f->rooms[a->pe_number].matched++;
    }
}

static void find_children(struct machine_found *f, isa_tag tag, struct isa_activation *a)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    const isa_tag *children = isa_activations_children(tags, a);
    for (uint32_t i = 0; i < tags->shapes[a->function].children; i++) {
        if (children[i] == ISA_TAG_NONE)
            continue;
        if (children[i] >= ISA_TAG_LIMIT) { /* a call that waits for a number */
            f->calls_named++;
            continue;
        }
        assert(a->live > 0 && "a freed activation has no children");
        const struct isa_function *function = &f->m->code->graph->functions[a->function];
        const bool next = function->is_loop && function->param_count > 1 &&
                          i == ISA_LOOP_CHILD;
        assert(activation(f->m, children[i])->parent == (next ? a->parent : tag) &&
               "a child has its parent, the next iteration that of this one");
        (void)next;
    }
    (void)tag;
}

static void find_activation(struct machine_found *f, isa_tag tag)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    struct isa_activation *a = isa_activations_get(tags, tag);
    assert(a->function < tags->function_count && "an activation is of a function");
    find_slots(f, tag, a);
    const bool is_loop = tags->shapes[a->function].is_loop;
    if (is_loop)
        f->held[tag] += isa_iteration_expects(a);
    find_children(f, tag, a);
    f->alive += a->live > 0;
    f->freed += a->live == 0;
    if (a->live > 0) {
        f->of_function[a->function]++;
        if (a->pe_number != ISA_PE_NONE)
            f->rooms[a->pe_number].slots += tags->shapes[a->function].slots;
        if (isa_activations_is_copy(tags, tag))
            f->rooms[a->pe_number].copied += tags->copy_nodes[a->function];
    }
    if (a->live == 0 || tag == ISA_TAG_ROOT)
        return;
    const struct isa_activation *parent = activation(f->m, a->parent);
    assert(a->depth == parent->depth + 1 && "a tag is one longer than its parent's");
    uint64_t path = isa_tag_path(parent->path, a->site);
    if (is_loop)
        path = isa_tag_iteration_path(path, isa_iteration_number(a));
    assert(a->path == path && "the path is that of the tag");
    (void)path;
    assert((!is_loop ||
            isa_loop_alive(isa_activations_flight(tags, a->parent, a->site)) > 0) &&
           "the iterations of a loop are counted");
    f->held[a->parent]++;
    (void)parent;
}

static void find_activations(struct machine_found *f)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    f->held[ISA_TAG_ROOT]++; /* by the run */
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        find_activation(f, (isa_tag)at);
        at += tags->shapes[isa_activations_get(tags, (isa_tag)at)->function].units;
    }
}

/* --- what is counted ------------------------------------------------------------------ */

static void check_live(const struct machine_found *f)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
        assert(
            a->live == f->held[at] &&
            "`live` counts the tokens, deferred reads and children of an activation, the "
            "variables that an iteration expects, and the constants that are held");
        at += tags->shapes[a->function].units;
    }
}

static void check_free_frames(const struct machine_found *f)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    uint64_t listed = 0;
    for (uint32_t function = 0; function < tags->function_count; function++)
        for (isa_tag tag = tags->free_frames[function]; tag != ISA_TAG_NONE;
             tag = isa_activations_get(tags, tag)->parent) {
            assert(isa_activations_get(tags, tag)->live == 0 &&
                   "a free frame is not in use");
            assert(isa_activations_get(tags, tag)->function == function &&
                   "a free frame is listed under its function");
            listed++;
        }
    assert(listed == f->freed && "every free frame is listed, once");
    (void)listed;
}

static void check_counts(const struct machine_found *f)
{
    const struct isa_counts *c = &f->m->exec.counts;
    assert(c->waiting == f->waiting + f->parked && "waiting operands are counted");
    assert(f->m->exec.waiting_reads == f->deferred && "deferred reads are counted");
    assert(f->m->exec.tags.count == f->alive && "live activations are counted");
    assert(c->live == f->moving + f->waiting + f->parked &&
           "tokens made and not consumed are on their way or wait");
    (void)c;
}

static void check_tags(const struct machine_found *f)
{
    const struct isa_activations *tags = &f->m->exec.tags;
    for (uint32_t function = 0; function < tags->function_count; function++)
        assert(isa_activations_alive(tags, function) == f->of_function[function] &&
               "live activations of a function are counted");
    assert(f->callers == f->calls_named && "a call that is named waits");
    (void)tags;
}

static void check_table_of(const struct machine_match *match, uint32_t pe,
                           const struct rooms *rooms)
{
    uint64_t in_sets = 0;
    for (uint32_t set = 0; set < match->set_count; set++) {
        uint32_t in_set = match->in_set[(size_t)pe * match->set_count + set];
        assert(in_set <= match->ways && "no more lie in a set than fit");
        in_sets += in_set;
    }
    assert(in_sets == rooms->matched && match->in_overflow[pe] == rooms->away &&
           "operands that wait are in the table or the slower store");
    (void)rooms;
    (void)in_sets;
}

static void check_rooms(const struct machine_found *f)
{
    const struct machine *m = f->m;
    uint64_t copied = 0;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        if (m->match.is_hash)
            check_table_of(&m->match, pe, &f->rooms[pe]);
        assert((!m->match.is_frames || m->match.slots[pe] == f->rooms[pe].slots) &&
               "slots of frames are counted");
        assert((!m->copy.nodes || m->copy.nodes[pe] == f->rooms[pe].copied) &&
               "nodes of copies are counted");
        copied += f->rooms[pe].copied;
    }
    assert(machine_copied_nodes(m) == copied &&
           "copies are freed with their activations");
    (void)copied;
}

static void check_pes(const struct machine_found *f)
{
    const struct machine *m = f->m;
    const struct isa_counts *c = &m->exec.counts;
    struct traces_pe_stats sum = {0};
    for (uint32_t i = 0; i < m->pe_count; i++) {
        const struct traces_pe_stats *pe = &m->pes[i].stats;
        sum.firings += pe->firings;
        sum.dead_firings += pe->dead_firings;
        sum.tokens += pe->tokens;
        sum.local_tokens += pe->local_tokens;
        sum.network_tokens += pe->network_tokens;
    }
    assert(sum.firings == c->firings && "firings of PEs add up");
    assert(sum.dead_firings == c->dead_firings && "dead firings of PEs add up");
    assert(sum.tokens == c->tokens && "tokens delivered to PEs add up");
    assert(sum.local_tokens + sum.network_tokens ==
               c->tokens + f->moving + f->parked + m->element_requests &&
           "tokens sent are delivered, or on their way, or wait for a constant; accesses "
           "that went on were sent twice");
    (void)c;
}

void machine_verify_pes(const struct machine *m)
{
    struct machine_found f = {
        .m = m,
        .held = lib_mem_new(m->exec.tags.used * sizeof *f.held),
        .references = lib_mem_new(m->exec.structures.all.count * sizeof *f.references),
        .refers = lib_mem_new(m->exec.tags.function_count * sizeof *f.refers),
        .rooms = lib_mem_new(m->pe_count * sizeof *f.rooms),
        .of_function = lib_mem_new(m->exec.tags.function_count * sizeof *f.of_function),
    };
    find_what_slots_refer(&f);
    for (uint32_t i = 0; i < m->part_count; i++)
        m->parts[i]->show(m, &f);
    find_deferred(&f);
    find_activations(&f);
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->check)
            m->parts[i]->check(m, &f);
    check_live(&f);
    check_free_frames(&f);
    check_counts(&f);
    check_tags(&f);
    check_rooms(&f);
    check_pes(&f);
    check_structures(&f);
    for (uint32_t function = 0; function < m->exec.tags.function_count; function++)
        lib_mem_free(f.refers[function]);
    lib_mem_free(f.refers);
    lib_mem_free(f.references);
    lib_mem_free(f.held);
    lib_mem_free(f.rooms);
    lib_mem_free(f.of_function);
}

void machine_verify(const struct machine *m)
{
    m->kind->verify(m);
}

void machine_verify_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, what);
    abort();
}
