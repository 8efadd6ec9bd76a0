#include "sim/ending/deadlock_cycle.h"

#include <stdlib.h>
#include <string.h>

#include "isa/op_columns.h"
#include "lib/order.h"
#include "lib/wait_graph.h"

/* The search goes from each waiting place to the places whose firing would release it:
 *
 *   a deferred read                  -> the store with the address of its element, or the write of
 *                                       its cell
 *   an instruction with one operand  -> the senders of its other operand
 *   an instruction without operands  -> all its senders
 *
 * No token is on the way in a deadlock. So a sender that has not fired waits itself, unless it is a
 * conditional that chose another arc. The first cycle found is reported, by its deferred reads and
 * waiting operands. */

enum { MAX_PLACES = 1 << 20 }; /* places that the search visits */

struct place {
    uint32_t instr;
    isa_tag tag;
};

/* An arc to operand `port` of `to`, from output list `list` of `from`. */
struct arc {
    uint32_t to, port, from, list;
};

/* A deferred read of a cell or element, or a store that waits for its value. */
struct waiter {
    struct place place;
    uint64_t what; /* address of the element, or number of the cell */
    bool is_cell;
};

struct child {
    isa_tag parent, tag;
    uint32_t site;
};

struct search {
    const struct isa_exec *exec;
    const struct isa_graph *graph;
    LIB_VEC(struct arc) arcs;      /* sorted by `to` */
    LIB_VEC(struct waiter) reads;  /* sorted by place */
    LIB_VEC(struct waiter) stores; /* sorted by address */
    LIB_VEC(struct child) children;
    LIB_VEC(struct place) roots;
    struct lib_wait_graph waits; /* its places are results of number_of */
    lib_wait_places *ahead;
};

static uint64_t number_of(struct place at)
{
    return (uint64_t)at.instr << 32 | at.tag;
}

static struct place place_of(uint64_t number)
{
    return (struct place){(uint32_t)(number >> 32), (isa_tag)number};
}

/* --- order ---------------------------------------------------------------------------- */

static int compare_places(struct place a, struct place b)
{
    return LIB_ORDER(a.instr, b.instr) ?: LIB_ORDER(a.tag, b.tag);
}

static int compare_reads(const void *a, const void *b)
{
    return compare_places(((const struct waiter *)a)->place,
                          ((const struct waiter *)b)->place);
}

static int compare_stores(const void *a, const void *b)
{
    const struct waiter *x = a, *y = b;
    return LIB_ORDER(x->what, y->what);
}

static int compare_arcs(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    return LIB_ORDER(x->to, y->to) ?: LIB_ORDER(x->from, y->from)
           ?: LIB_ORDER(x->list, y->list);
}

static int compare_children(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    return LIB_ORDER(x->parent, y->parent) ?: LIB_ORDER(x->site, y->site)
           ?: LIB_ORDER(x->tag, y->tag);
}

#define SORT(vec, compare)                                                               \
    do {                                                                                 \
        if ((vec)->count)                                                                \
            qsort((vec)->items, (vec)->count, sizeof *(vec)->items, compare);            \
    } while (0)

/* --- state of the execution ----------------------------------------------------------- */

static void note_arcs(struct search *s)
{
    for (uint32_t from = 0; from < s->graph->node_count; from++) {
        const struct isa_node *n = &s->graph->nodes[from];
        for (uint32_t o = 0; o < n->output_count; o++)
            for (uint32_t k = 0; k < n->outputs[o].count; k++) {
                const struct isa_dest to = n->outputs[o].items[k];
                if (to.node != ISA_TO_RETURN)
                    *LIB_VEC_PUSH(&s->arcs) = (struct arc){to.node, to.port, from, o};
            }
    }
    SORT(&s->arcs, compare_arcs);
}

static void note_reads(struct search *s, uint32_t first, uint64_t what, bool is_cell)
{
    for (uint32_t d = first; d != ISA_DEFERRED_END; d = s->exec->deferred.items[d].next) {
        const struct isa_deferred *read = &s->exec->deferred.items[d];
        *LIB_VEC_PUSH(&s->reads) = (struct waiter){
            {read->instr, read->tag}, what, is_cell};
    }
}

static void note_all_reads(struct search *s)
{
    const struct isa_structures *all = &s->exec->structures;
    for (uint32_t c = 0; c < s->graph->cell_count; c++)
        if (!isa_element_is_written(&s->exec->cells[c]))
            note_reads(s, isa_element_first(&s->exec->cells[c]), c, true);
    for (uint32_t i = 0; i < all->all.count; i++)
        for (uint32_t k = 0; k < all->all.items[i].length; k++) {
            const struct isa_element *e = &all->all.items[i].elements[k];
            if (!isa_element_is_written(e))
                note_reads(s, isa_element_first(e), isa_reference(i, k), false);
        }
    SORT(&s->reads, compare_reads);
}

/* Returns the slot in which one of two operands waits, or NULL. */
static const struct isa_slot *waiting_slot(const struct search *s, struct place at)
{
    const struct isa_instr *instr = &s->exec->code->instrs[at.instr];
    const struct isa_node *n = &s->graph->nodes[at.instr];
    struct isa_activation *a = isa_activations_get(&s->exec->tags, at.tag);
    if (instr->tokens != 2 || isa_node_frame(s->graph, n) != a->function ||
        (isa_op_takes_control(n->op) && n->site != a->site))
        return NULL;
    const struct isa_slot *slot = &isa_activation_slots(a)[instr->slot];
    return isa_slot_is_waiting(slot) ? slot : NULL;
}

static void note_frame(isa_tag tag, struct isa_activation *a, void *context)
{
    struct search *s = context;
    if (tag != ISA_TAG_ROOT)
        *LIB_VEC_PUSH(&s->children) = (struct child){a->parent, tag, a->site};
    for (uint32_t i = 0; i < s->graph->node_count; i++) {
        const struct place at = {i, tag};
        const struct isa_slot *slot = waiting_slot(s, at);
        if (!slot)
            continue;
        *LIB_VEC_PUSH(&s->roots) = at;
        if (isa_op_does[s->graph->nodes[i].op].access == ISA_ACCESS_WRITES_ELEMENT &&
            !isa_slot_port(slot))
            *LIB_VEC_PUSH(&s->stores) = (struct waiter){at, slot->value, false};
    }
}

static const struct waiter *read_at(const struct search *s, struct place at)
{
    const struct waiter key = {.place = at};
    return s->reads.count
               ? bsearch(&key, s->reads.items, s->reads.count, sizeof key, compare_reads)
               : NULL;
}

/* --- places that a place waits for ---------------------------------------------------- */

static void add_place(struct search *s, uint32_t instr, isa_tag tag)
{
    *LIB_VEC_PUSH(s->ahead) = number_of((struct place){instr, tag});
}

/* Adds the write of the cell, or the store that has the address, for a read. */
static void add_writers(struct search *s, const struct waiter *read)
{
    for (uint32_t i = 0; read->is_cell && i < s->graph->node_count; i++)
        if (isa_op_does[s->graph->nodes[i].op].access == ISA_ACCESS_WRITES_CELL &&
            s->graph->nodes[i].index == read->what)
            add_place(s, i, ISA_TAG_ROOT);
    for (size_t i = 0; !read->is_cell && i < s->stores.count; i++)
        if (s->stores.items[i].what == read->what)
            add_place(s, s->stores.items[i].place.instr, s->stores.items[i].place.tag);
}

/* Adds an instruction under each tag that a call or the iterations of a loop have at a site. */
static void add_children(struct search *s, uint32_t instr, isa_tag parent, uint32_t site)
{
    const struct child key = {parent, 0, site};
    size_t low = 0, high = s->children.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_children(&s->children.items[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->children.count && s->children.items[low].parent == parent &&
           s->children.items[low].site == site;
         low++)
        add_place(s, instr, s->children.items[low].tag);
}

static void add_before(struct search *s, uint32_t instr, struct isa_activation *a)
{
    const uint64_t number = isa_iteration_number(a);
    const size_t first = s->ahead->count;
    if (number == 0)
        return;
    add_children(s, instr, a->parent, a->site);
    size_t kept = first;
    for (size_t i = first; i < s->ahead->count; i++) {
        struct isa_activation *other = isa_activations_get(
            &s->exec->tags, place_of(s->ahead->items[i]).tag);
        if (isa_iteration_number(other) + 1 == number)
            s->ahead->items[kept++] = s->ahead->items[i];
    }
    s->ahead->count = kept;
}

/* Adds the sender of an arc to an instruction under `tag`, under the tag of the sender. */
static void add_sender(struct search *s, const struct arc *arc, isa_tag tag)
{
    const struct isa_node *from = &s->graph->nodes[arc->from];
    struct isa_activation *a = isa_activations_get(&s->exec->tags, tag);
    switch ((enum isa_op_tag)isa_op_does[from->op].tag) {
    case ISA_UNDER_OWN:
        add_place(s, arc->from, tag);
        break;
    case ISA_UNDER_CALLER:
        add_children(s, arc->from, tag, from->site);
        break;
    case ISA_UNDER_CALLEE:
        if (from->op == ISA_OP_APPLY) { /* results come from the copy of the callee */
            for (uint32_t i = 0; i < s->graph->node_count; i++)
                if (s->graph->nodes[i].op == ISA_OP_RESULT &&
                    s->graph->nodes[i].function == s->graph->sites[from->site].callee &&
                    s->graph->nodes[i].index == arc->list)
                    add_children(s, i, tag, from->site);
            break;
        }
        if (tag != ISA_TAG_ROOT && a->site == from->site)
            add_place(s, arc->from, a->parent);
        break;
    case ISA_UNDER_ENTERED:
        if (tag != ISA_TAG_ROOT && a->site == from->site && isa_iteration_number(a) == 0)
            add_place(s, arc->from, a->parent);
        break;
    case ISA_UNDER_NEXT:
        if (tag != ISA_TAG_ROOT && a->site == from->site)
            add_before(s, arc->from, a);
        break;
    }
}

/* Adds the senders of operand `port`; UINT32_MAX: of all operands. */
static void add_senders(struct search *s, struct place at, uint32_t port)
{
    const struct arc key = {.to = at.instr};
    size_t low = 0, high = s->arcs.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_arcs(&s->arcs.items[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->arcs.count && s->arcs.items[low].to == at.instr; low++)
        if (port == UINT32_MAX || s->arcs.items[low].port == port)
            add_sender(s, &s->arcs.items[low], at.tag);
}

static bool sends_to_frame(const struct isa_graph *graph, const struct isa_node *node,
                           uint32_t function)
{
    return isa_op_does[node->op].tag == ISA_UNDER_CALLER
               ? graph->sites[node->site].caller == function
               : isa_node_frame(graph, node) == function;
}

/* Adds the senders to the RETURN of a call, which no arc names. */
static void add_results(struct search *s, struct place at)
{
    const struct isa_node *n = &s->graph->nodes[at.instr];
    for (uint32_t from = 0; from < s->graph->node_count; from++) {
        const struct isa_node *f = &s->graph->nodes[from];
        if (!sends_to_frame(s->graph, f, s->graph->sites[n->site].callee))
            continue;
        for (uint32_t o = 0; o < f->output_count; o++)
            for (uint32_t k = 0; k < f->outputs[o].count; k++)
                if (f->outputs[o].items[k].node == ISA_TO_RETURN &&
                    f->outputs[o].items[k].port == n->index)
                    add_sender(s, &(struct arc){at.instr, 0, from, o}, at.tag);
    }
}

static void add_ahead(void *context, uint64_t number, lib_wait_places *ahead)
{
    struct search *s = context;
    const struct place at = place_of(number);
    const struct waiter *read = read_at(s, at);
    const struct isa_slot *slot = waiting_slot(s, at);
    const struct isa_node *n = &s->graph->nodes[at.instr];
    struct isa_activation *a = isa_activations_get(&s->exec->tags, at.tag);
    s->ahead = ahead;
    if (read) {
        add_writers(s, read);
        return;
    }
    const uint32_t port = slot ? !isa_slot_port(slot) : UINT32_MAX;
    if (n->op == ISA_OP_RETURN && port != 1)
        add_results(s, at);
    if (n->op == ISA_OP_PARAM && at.tag != ISA_TAG_ROOT) {
        const struct isa_code_site *site = &s->exec->code->sites[a->site];
        add_senders(s, (struct place){site->apply, a->parent}, n->index);
    }
    add_senders(s, at, port);
}

/* --- report --------------------------------------------------------------------------- */

static char *copied(struct lib_text *text)
{
    char *copy = lib_mem_new(text->length + 1);
    memcpy(copy, lib_text_get(text), text->length);
    lib_text_free(text);
    return copy;
}

static void report_step(const struct search *s, struct sim_deadlock_cycle *circle,
                        struct place at)
{
    const struct waiter *read = read_at(s, at);
    const struct isa_slot *slot = waiting_slot(s, at);
    struct lib_text tag = {0}, what = {0};
    if (!read && !slot)
        return;
    isa_tag_write(&s->exec->tags, at.tag, &tag);
    if (!read)
        lib_text_printf(&what, "operand %d", !isa_slot_port(slot));
    else if (read->is_cell)
        lib_text_printf(&what, "cell %u (%s)", (unsigned)read->what,
                        s->graph->cells[read->what].name);
    else
        isa_exec_write_element(s->exec, read->what, &what);
    *LIB_VEC_PUSH(&circle->steps) = (struct sim_deadlock_cycle_step){
        at.instr, copied(&tag), copied(&what)};
}

static void collect_state(struct search *s)
{
    note_arcs(s);
    note_all_reads(s);
    isa_activations_each(&s->exec->tags, note_frame, s);
    SORT(&s->stores, compare_stores);
    SORT(&s->children, compare_children);
}

void sim_deadlock_cycle_find(struct sim_deadlock_cycle *circle,
                             const struct isa_exec *exec)
{
    struct search s = {.exec = exec, .graph = exec->code->graph};
    struct lib_wait_graph *waits = &s.waits;
    size_t from = SIZE_MAX;
    *waits = (struct lib_wait_graph){add_ahead, &s, .max_places = MAX_PLACES};
    *circle = (struct sim_deadlock_cycle){0};
    collect_state(&s);
    for (size_t i = 0; i < s.reads.count && from == SIZE_MAX; i++)
        from = lib_wait_graph_follow(waits, number_of(s.reads.items[i].place));
    for (size_t i = 0; i < s.roots.count && from == SIZE_MAX; i++)
        from = lib_wait_graph_follow(waits, number_of(s.roots.items[i]));
    for (size_t i = from; i < waits->way.count; i++)
        report_step(&s, circle, place_of(waits->way.items[i].place));
    LIB_VEC_FREE(&s.arcs, &s.reads, &s.stores, &s.children, &s.roots);
    lib_wait_graph_free(waits);
}

void sim_deadlock_cycle_free(struct sim_deadlock_cycle *circle)
{
    for (size_t i = 0; i < circle->steps.count; i++)
        LIB_MEM_FREE(circle->steps.items[i].tag, circle->steps.items[i].for_what);
    LIB_VEC_FREE(&circle->steps);
}
