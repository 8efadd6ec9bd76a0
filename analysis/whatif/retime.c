/* Events have the order of doc/model.md, "The total order of events", for PEs, a crossbar and the
 * ideal network. */
#include "analysis/whatif/dependences.h"
#include "lib/heap.h"
#include "lib/order.h"

#include <stdlib.h>

enum phase {
    INTO_QUEUE,    /* a token enters the input queue of a PE */
    INTO_OUTPUT,   /* a token reaches the output port of its PE */
    INTO_INPUT,    /* a token reaches the input port of its destination */
    THROUGH_INPUT, /* a token leaves that port and enters the input queue */
    WAKE,          /* a function unit is free again */
};

struct soon {
    uint64_t time, order;
    uint32_t turn; /* a turn; a PE for WAKE */
    uint8_t phase;
};

/* `order` is that of insertion, or of PEs. */
static bool is_before(const struct soon *a, const struct soon *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->phase != b->phase ? a->phase < b->phase : a->order < b->order;
}

struct pe {
    LIB_VEC(uint32_t) queue; /* turns, from index `first` */
    size_t first;
    uint64_t units;    /* issue slots; 0: unlimited */
    uint64_t *free_at; /* for each unit of the PE; points into retiming.units */
    uint64_t out_free, in_free;
    bool is_listed;
};

struct selected {
    uint32_t kind, pe, order, turn;
};

struct retiming {
    const struct analysis_dependences *d;
    const struct traces_machine *m;
    struct traces_network *network;
    bool has_ports; /* tokens between PEs pass output and input ports */
    uint64_t token_bits;
    LIB_VEC(struct soon) soon;
    LIB_VEC(uint32_t) ready; /* PEs to examine in this tick, with tokens in the queue */
    LIB_VEC(struct selected) selected;
    struct pe *pes;
    uint64_t *units;
    uint32_t *missing; /* for each firing, the number of its turns still to come */
    bool *fired;
    /* lists of turns that wait for the constant of a HOLD: head per firing, next per turn */
    uint32_t *parked, *next_parked;
    uint64_t coordinator_free;
    uint64_t now, end, order;
};

static void put_event(struct retiming *r, uint64_t time, enum phase phase, uint64_t order,
                      uint32_t turn)
{
    const struct soon soon = {time, order, turn, (uint8_t)phase};
    LIB_HEAP_PUT(&r->soon, &soon, is_before);
}

static uint64_t occupied(const struct retiming *r, const struct whatif_turn *t)
{
    const struct traces_machine *m = r->m;
    if (m->bandwidth == 0)
        return m->ticks;
    const uint64_t bits = r->token_bits + t->labels * m->label_bits;
    return (bits + m->bandwidth - 1) / m->bandwidth * m->ticks;
}

static uint64_t way(const struct retiming *r, const struct whatif_turn *t)
{
    if (r->has_ports && !r->network->is_flat)
        return traces_machine_min_way(r->m, r->network, t->from, t->pe);
    return r->has_ports && r->m->network_latency == 0 ? r->m->ticks
                                                      : r->m->network_latency;
}

static void form(struct retiming *r, uint32_t turn, uint64_t time)
{
    const struct whatif_turn *t = &r->d->turns.items[turn];
    const bool leaves = t->from != t->pe;
    if (leaves && r->m->shares_links)
        put_event(r, time + t->way * r->m->ticks, INTO_QUEUE, r->order++, turn);
    else if (leaves && r->has_ports)
        put_event(r, time, INTO_OUTPUT, r->order++, turn);
    else
        put_event(r, time + (leaves ? way(r, t) : 0), INTO_QUEUE, r->order++, turn);
}

static void list(struct retiming *r, uint32_t pe)
{
    if (!r->pes[pe].is_listed)
        *LIB_VEC_PUSH(&r->ready) = pe;
    r->pes[pe].is_listed = true;
}

static void arrive(struct retiming *r, const struct soon *s)
{
    const struct whatif_turn *t = &r->d->turns.items[s->turn];
    uint64_t *const out = &r->pes[t->from].out_free, *const in = &r->pes[t->pe].in_free;
    uint64_t passes;
    switch ((enum phase)s->phase) {
    case INTO_OUTPUT:
        passes = s->time > *out ? s->time : *out;
        *out = passes + occupied(r, t);
        put_event(r, passes + way(r, t), INTO_INPUT, t->from, s->turn);
        break;
    case INTO_INPUT:
        passes = s->time > *in ? s->time : *in;
        *in = passes + occupied(r, t);
        put_event(r, passes, THROUGH_INPUT, r->order++, s->turn);
        break;
    case INTO_QUEUE:
    case THROUGH_INPUT:
        *LIB_VEC_PUSH(&r->pes[t->pe].queue) = s->turn;
        list(r, t->pe);
        break;
    case WAKE:
        break;
    }
}

static uint32_t kind_of(const struct isa_node *node)
{
    uint32_t tokens = 0, held = 0;
    for (uint32_t p = 0; p < node->operand_count; p++) {
        tokens += node->operands[p].kind == ISA_OPERAND_TOKEN;
        held += node->operands[p].kind == ISA_OPERAND_HELD;
    }
    const bool first = node->op == ISA_OP_MERGE || node->op == ISA_OP_MERGEIF ||
                       node->op == ISA_OP_PARAM || node->op == ISA_OP_APPLY;
    const bool second = node->operand_count &&
                        isa_operand_is_immediate(&node->operands[0]);
    if (held)
        return node->op;
    return ISA_OP_COUNT + 3 * node->op + (first ? 0 : tokens >= 2 ? 2 : second ? 1 : 0);
}

static uint32_t take_from(const struct retiming *r, struct pe *pe)
{
    if (r->m->is_lifo)
        return pe->queue.items[--pe->queue.count];
    const uint32_t turn = pe->queue.items[pe->first++];
    if (pe->first == pe->queue.count)
        pe->first = pe->queue.count = 0;
    return turn;
}

/* Returns a free unit; or NULL, with `when` the time when one will be free. */
static uint64_t *find_unit(const struct retiming *r, struct pe *pe, uint64_t *when)
{
    uint64_t *first = NULL;
    for (uint64_t u = 0; u < pe->units; u++)
        if (!first || pe->free_at[u] < *first)
            first = &pe->free_at[u];
    *when = first ? *first : 0;
    return first && *first <= r->now ? first : NULL;
}

static void select_turn(struct retiming *r, uint32_t pe, uint32_t turn)
{
    const struct isa_graph *g = r->d->run.graph;
    const uint32_t node = r->d->turns.items[turn].node;
    *LIB_VEC_PUSH(&r->selected) = (struct selected){kind_of(&g->nodes[node]), pe,
                                                    (uint32_t)r->selected.count, turn};
}

/* Selects the turns that need no issue slot. They overtake those that need one. */
static void select_free(struct retiming *r, uint32_t number)
{
    struct pe *pe = &r->pes[number];
    size_t kept = pe->first;
    for (size_t i = pe->first; i < pe->queue.count; i++) {
        const uint32_t turn = pe->queue.items[i];
        if (traces_machine_slot(r->m, r->d->turns.items[turn].node) == 0)
            select_turn(r, number, turn);
        else
            pe->queue.items[kept++] = turn;
    }
    pe->queue.count = kept;
    if (pe->first == kept)
        pe->first = pe->queue.count = 0;
}

static void select_of(struct retiming *r, uint32_t number)
{
    struct pe *pe = &r->pes[number];
    uint64_t when = 0;
    pe->is_listed = false;
    select_free(r, number);
    while (pe->queue.count > pe->first) {
        uint64_t *unit = pe->units ? find_unit(r, pe, &when) : NULL;
        if (pe->units && !unit) {
            put_event(r, when, WAKE, number, number);
            return;
        }
        const uint32_t turn = take_from(r, pe);
        if (unit)
            *unit = r->now + traces_machine_slot(r->m, r->d->turns.items[turn].node);
        select_turn(r, number, turn);
    }
}

static int compare_selected(const void *a, const void *b)
{
    const struct selected *x = a, *y = b;
    return LIB_ORDER(x->kind, y->kind) ?: LIB_ORDER(x->pe, y->pe)
           ?: LIB_ORDER(x->order, y->order);
}

static void send_all(struct retiming *r, const struct whatif_firing *f, uint64_t time)
{
    for (uint32_t i = 0; i < f->outs; i++)
        form(r, f->first_out + i, time);
}

/* Returns the time when the coordinator has served a request, beginning in the next cycle. */
static uint64_t ask_coordinator(struct retiming *r)
{
    const uint64_t soon = (r->now / r->m->ticks + 1) * r->m->ticks;
    if (r->coordinator_free < soon)
        r->coordinator_free = soon;
    return r->coordinator_free += r->m->coordinator;
}

/* Returns the time when the tokens of a firing are formed. A feed or close of a port keeps its
 * cycle, whatever else changes, and answers only firings before it. */
static uint64_t formed_at(struct retiming *r, const struct whatif_firing *f,
                          const struct whatif_turn *turn, uint64_t latency)
{
    const uint64_t fed = f->fed ? (f->fed - 1) * r->m->ticks : 0;
    if (turn->asks)
        return ask_coordinator(r);
    if (fed > r->now)
        return fed + latency;
    return r->now + latency + (f->extra + turn->held) * r->m->ticks;
}

static void fire(struct retiming *r, uint32_t number, const struct whatif_turn *turn)
{
    const struct whatif_firing *f = &r->d->firings.items[number];
    const struct whatif_firing *all = r->d->firings.items;
    const bool is_request = f->outs && r->d->turns.items[f->first_out].is_request;
    const enum isa_op op = r->d->run.graph->nodes[f->node].op;
    const uint64_t latency = is_request ? traces_machine_request(r->m, turn->pe)
                                        : traces_machine_node_latency(r->m, turn->pe, op,
                                                                      f->node);
    const uint64_t time = formed_at(r, f, turn, latency);
    r->fired[number] = true;
    r->end = !is_request && time > r->end ? time : r->end;
    send_all(r, f, time);
    /* a read after its write; a write, which answers earlier reads */
    if (f->answer != WHATIF_NONE && all[f->answer].write != number) {
        if (r->fired[all[f->answer].write])
            send_all(r, &all[f->answer], time);
        else
            r->fired[f->answer] = true;
    }
    for (uint32_t a = f->answer; a != WHATIF_NONE && all[a].write == number;
         a = all[a].answer)
        if (r->fired[a])
            send_all(r, &all[a], time);
    for (uint32_t t = r->parked[number]; t != WHATIF_NONE; t = r->next_parked[t])
        put_event(r, time, INTO_QUEUE, r->order++, t);
    r->parked[number] = WHATIF_NONE;
}

static void execute(struct retiming *r, uint32_t turn)
{
    const struct whatif_turn *t = &r->d->turns.items[turn];
    if (t->firing == WHATIF_NONE)
        return;
    const uint32_t constant = r->d->firings.items[t->firing].constant;
    if (constant != WHATIF_NONE && !r->fired[constant]) {
        r->next_parked[turn] = r->parked[constant];
        r->parked[constant] = turn;
        return;
    }
    if (--r->missing[t->firing] == 0)
        fire(r, t->firing, t);
}

static void run_tick(struct retiming *r)
{
    for (size_t i = 0; i < r->ready.count; i++)
        select_of(r, r->ready.items[i]);
    r->ready.count = 0;
    if (r->selected.count > 1)
        qsort(r->selected.items, r->selected.count, sizeof *r->selected.items,
              compare_selected);
    for (size_t i = 0; i < r->selected.count; i++)
        execute(r, r->selected.items[i].turn);
    r->selected.count = 0;
}

static void run(struct retiming *r)
{
    while (r->soon.count) {
        r->now = r->soon.items[0].time;
        while (r->soon.count && r->soon.items[0].time == r->now) {
            struct soon first;
            LIB_HEAP_TAKE(&r->soon, &first, is_before);
            if (first.phase == WAKE)
                list(r, first.turn);
            else
                arrive(r, &first);
        }
        run_tick(r);
    }
}

static void start(struct retiming *r)
{
    const struct analysis_dependences *d = r->d;
    const uint32_t pes = d->run.machine.pe_count;
    r->pes = lib_mem_new(pes * sizeof *r->pes);
    const uint64_t most_units = traces_machine_max_units(r->m);
    r->units = lib_mem_new((pes * most_units + 1) * sizeof *r->units);
    r->missing = lib_mem_new((d->firings.count + 1) * sizeof *r->missing);
    r->fired = lib_mem_new((d->firings.count + 1) * sizeof *r->fired);
    r->parked = lib_mem_new((d->firings.count + 1) * sizeof *r->parked);
    r->next_parked = lib_mem_new((d->turns.count + 1) * sizeof *r->next_parked);
    for (uint32_t i = 0; i < pes; i++) {
        r->pes[i].units = traces_machine_units(r->m, i);
        r->pes[i].free_at = r->units + i * most_units;
    }
    for (size_t i = 0; i < d->firings.count; i++) {
        r->missing[i] = d->firings.items[i].turns;
        r->parked[i] = WHATIF_NONE;
    }
    r->network = traces_machine_network(r->m, true);
    r->has_ports = r->network->link_count > 0;
    r->token_bits = traces_machine_token_bits(r->m, d->run.graph->node_count);
    for (size_t i = 0; i < d->starts.count; i++)
        put_event(r, 0, INTO_QUEUE, r->order++, d->starts.items[i]);
}

static void finish(struct retiming *r)
{
    for (uint32_t i = 0; i < r->d->run.machine.pe_count; i++)
        LIB_VEC_FREE(&r->pes[i].queue);
    traces_network_free(r->network);
    LIB_VEC_FREE(&r->soon, &r->ready, &r->selected);
    LIB_MEM_FREE(r->pes, r->units, r->missing, r->fired, r->parked, r->next_parked);
}

uint64_t analysis_retime(const struct analysis_dependences *d,
                         const struct traces_machine *machine)
{
    struct retiming r = {.d = d, .m = machine, .end = d->fed * machine->ticks};
    start(&r);
    run(&r);
    finish(&r);
    return r.end;
}
