#include "machine/verify.h"

/* What was found, to be compared with what is counted. */
struct found {
    const struct machine *m;
    uint32_t *held; /* per index of an activation: what keeps it alive */
    uint64_t moving, waiting, deferred, alive, freed;
};

static const struct isa_activation *activation(const struct machine *m, isa_tag tag)
{
    assert(tag != ISA_TAG_NONE && tag < m->exec.tags.used && "the tag is one");
    const struct isa_activation *a = isa_tags_get(&m->exec.tags, tag);
    assert(a->live > 0 && "a token or child belongs to an activation that was freed");
    return a;
}

/* --- tokens --------------------------------------------------------------------------- */

static void find_token(struct found *f, const struct isa_token *t)
{
    assert(isa_token_instr(t) < f->m->code->instr_count &&
           "a token goes to an instruction");
    activation(f->m, isa_token_tag(t));
    if (f->m->code->instrs[isa_token_instr(t)].tokens == 0)
        return; /* it only starts an instruction without operands */
    f->held[isa_token_tag(t)]++;
    f->moving++;
}

static void find_queue(struct found *f, const struct machine_queue *q, uint32_t pe,
                       bool is_at_its_pe, const struct machine_set *set)
{
    bool listed = set->words[pe / 64] >> pe % 64 & 1;
    assert(listed == (machine_queue_count(q) > 0) && "a PE is listed if it has tokens");
    for (uint32_t i = q->head; i != q->tail; i++) {
        const struct isa_token *t = &q->tokens[i & q->mask];
        find_token(f, t);
        if (is_at_its_pe)
            assert(activation(f->m, isa_token_tag(t))->place == pe &&
                   isa_token_place(t) == pe && "a token is at the PE of its activation");
    }
    (void)listed;
}

static void find_wheel(struct found *f, const struct machine_wheel *wheel)
{
    for (uint64_t s = 0; s <= wheel->mask; s++)
        for (size_t i = 0; i < wheel->slots[s].count; i++)
            find_token(f, &wheel->slots[s].tokens[i]);
}

static void find_tokens(struct found *f, const struct machine_queue *q)
{
    for (uint32_t i = q->head; i != q->tail; i++)
        find_token(f, &q->tokens[i & q->mask]);
}

/* CALLs that wait for a number, from one on. */
static void find_calls(struct found *f, const struct machine_tagging *tagging,
                       uint32_t first)
{
    for (uint32_t i = first; i != MACHINE_NO_CALL; i = tagging->calls.items[i].next)
        for (uint32_t k = i; k != MACHINE_NO_CALL; k = tagging->calls.items[k].same)
            find_token(f, &tagging->calls.items[k].token);
}

static void find_moving(struct found *f)
{
    const struct machine *m = f->m;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        find_queue(f, &m->pes[pe].input, pe, true, &m->with_input);
        find_queue(f, &m->pes[pe].output, pe, false, &m->with_output);
        find_queue(f, &m->pes[pe].ingress, pe, true, &m->with_ingress);
    }
    for (size_t i = 0; i < m->bound.waiting.count; i++)
        find_token(f, &m->bound.waiting.items[i]);
    for (uint32_t u = 0; u < m->tagging.unit_count; u++)
        find_tokens(f, &m->tagging.units[u]);
    for (uint32_t space = 0; space < m->tagging.space_count; space++)
        find_calls(f, &m->tagging, m->tagging.spaces[space].first);
    find_wheel(f, &m->formed);
    find_wheel(f, &m->departing);
    find_wheel(f, &m->arriving);
}

static void find_deferred(struct found *f)
{
    const struct isa_exec *x = &f->m->exec;
    for (uint32_t c = 0; c < x->code->graph->cell_count; c++) {
        if (x->cells[c].written)
            continue;
        for (uint32_t d = x->cells[c].first; d != ISA_DEFERRED_END;
             d = x->deferred.items[d].next) {
            activation(f->m, x->deferred.items[d].tag);
            f->held[x->deferred.items[d].tag]++;
            f->deferred++;
        }
    }
}

/* --- activations ---------------------------------------------------------------------- */

static void find_slots(struct found *f, isa_tag tag, struct isa_activation *a)
{
    const struct isa_slot *slots = isa_activation_slots(a);
    for (uint32_t i = 0; i < f->m->exec.tags.shapes[a->function].slots; i++) {
        /* A hand-written MERGEIF may have SEEN one token and never get another. */
        assert((a->live > 0 || !isa_slot_is_waiting(&slots[i])) &&
               "nothing waits in the frame of a freed activation");
        if (!isa_slot_is_waiting(&slots[i]))
            continue;
        f->held[tag]++;
        f->waiting++;
    }
}

static void find_children(struct found *f, isa_tag tag, struct isa_activation *a)
{
    const struct isa_tags *tags = &f->m->exec.tags;
    const isa_tag *children = isa_tags_children(tags, a);
    for (uint32_t i = 0; i < tags->shapes[a->function].children; i++) {
        if (children[i] == ISA_TAG_NONE || children[i] >= ISA_TAG_LIMIT)
            continue; /* none, or a call that waits for a number */
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

static void find_activation(struct found *f, isa_tag tag)
{
    const struct isa_tags *tags = &f->m->exec.tags;
    struct isa_activation *a = isa_tags_get(tags, tag);
    assert(a->function < tags->function_count && "an activation is of a function");
    find_slots(f, tag, a);
    const bool is_loop = tags->shapes[a->function].is_loop;
    if (is_loop)
        f->held[tag] += isa_iteration_expects(a);
    find_children(f, tag, a);
    f->alive += a->live > 0;
    f->freed += a->live == 0;
    if (a->live == 0 || tag == ISA_TAG_ROOT)
        return;
    const struct isa_activation *parent = activation(f->m, a->parent);
    assert(a->depth == parent->depth + 1 && "a tag is one longer than its parent's");
    uint64_t path = isa_tag_path(parent->path, a->site);
    if (is_loop)
        path = isa_tag_iteration_path(path, isa_iteration_number(a));
    assert(a->path == path && "the path is that of the tag");
    (void)path;
    assert((!is_loop || isa_tags_flight(tags, a->parent, a->site)->value > 0) &&
           "the iterations of a loop are counted");
    f->held[a->parent]++;
    (void)parent;
}

static void find_activations(struct found *f)
{
    const struct isa_tags *tags = &f->m->exec.tags;
    f->held[ISA_TAG_ROOT]++; /* by the run */
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        find_activation(f, (isa_tag)at);
        at += tags->shapes[isa_tags_get(tags, (isa_tag)at)->function].units;
    }
}

/* --- what is counted ------------------------------------------------------------------ */

static void check_live(const struct found *f)
{
    const struct isa_tags *tags = &f->m->exec.tags;
    for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
        const struct isa_activation *a = isa_tags_get(tags, (isa_tag)at);
        assert(
            a->live == f->held[at] &&
            "`live` counts the tokens, deferred reads and children of an activation, and "
            "the variables that an iteration expects");
        at += tags->shapes[a->function].units;
    }
}

static void check_free_frames(const struct found *f)
{
    const struct isa_tags *tags = &f->m->exec.tags;
    uint64_t listed = 0;
    for (uint32_t function = 0; function < tags->function_count; function++)
        for (isa_tag tag = tags->free_frames[function]; tag != ISA_TAG_NONE;
             tag = isa_tags_get(tags, tag)->parent) {
            assert(isa_tags_get(tags, tag)->live == 0 && "a free frame is not in use");
            assert(isa_tags_get(tags, tag)->function == function &&
                   "a free frame is listed under its function");
            listed++;
        }
    assert(listed == f->freed && "every free frame is listed, once");
    (void)listed;
}

static void check_counts(const struct found *f)
{
    const struct isa_counts *c = &f->m->exec.counts;
    assert(c->waiting == f->waiting && "waiting operands are counted");
    assert(f->m->exec.waiting_reads == f->deferred && "deferred reads are counted");
    assert(f->m->exec.tags.count == f->alive && "live activations are counted");
    assert(c->live == f->moving + f->waiting &&
           "tokens made and not consumed are on their way or wait");
    (void)c;
}

static void check_pes(const struct found *f)
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
    assert(sum.local_tokens + sum.network_tokens == c->tokens + f->moving &&
           "tokens sent are delivered or on their way");
    (void)c;
}

void machine_verify(const struct machine *m)
{
    struct found f = {.m = m, .held = lib_mem_new(m->exec.tags.used * sizeof *f.held)};
    find_moving(&f);
    find_deferred(&f);
    find_activations(&f);
    check_live(&f);
    check_free_frames(&f);
    check_counts(&f);
    check_pes(&f);
    lib_mem_free(f.held);
}
