/* Divides the time between two steps of the causal chain by cause. */
#include "analysis/causes/causes_internal.h"

#include "isa/op.h"

#include <assert.h>

enum { MOST = 12 };

struct pieces {
    struct analysis_piece items[MOST];
    size_t count;
    uint64_t at; /* end of the last piece */
};

static void add_to(struct pieces *p, uint64_t to, enum analysis_cause cause,
                   const struct causes_node *of)
{
    if (to <= p->at)
        return;
    assert(p->count < MOST);
    p->items[p->count++] = (struct analysis_piece){.cause = cause,
                                                   .from = p->at,
                                                   .to = to,
                                                   .instr = of->instr,
                                                   .tag = of->tag,
                                                   .pe = of->pe,
                                                   .place = TRACES_NONE};
    if (cause == ANALYSIS_CAUSE_PRESSURE) {
        p->items[p->count - 1].place = of->place;
        p->items[p->count - 1].place_kind = of->place_kind;
    }
    p->at = to;
}

/* Adds a piece of at most `cycles` that ends at `end` at the latest. */
static void add_length(struct pieces *p, uint64_t cycles, uint64_t end,
                       enum analysis_cause cause, const struct causes_node *of)
{
    const uint64_t left = end > p->at ? end - p->at : 0;
    add_to(p, p->at + (cycles < left ? cycles : left), cause, of);
}

/* Returns the cause of the time in a function unit, for a token that was sent by `way`. */
static enum analysis_cause computing(enum causes_way way, enum isa_op op)
{
    if (way == CAUSES_BY_ANSWER)
        return ANALYSIS_CAUSE_STRUCTURE;
    if (way == CAUSES_BY_HELD)
        return ANALYSIS_CAUSE_CONSTANT;
    return (enum analysis_cause)(ANALYSIS_CAUSE_COMPUTING_ALU +
                                 (int)isa_op_table[op].unit);
}

static void add_work(const struct analysis_causes *c, const struct causes_node *f,
                     enum causes_way way, struct pieces *p)
{
    const enum isa_op op = c->graph->nodes[f->instr].op;
    const enum analysis_cause work = computing(way, op);
    add_to(p, f->formed, f->copies ? ANALYSIS_CAUSE_COPY : work, f);
}

/* Adds the stages of a firing at a PE, until its results are formed. Time beyond the stages belongs
 * to the overflow store, for which there is no event; or to a tensor kernel. */
static void add_stages(const struct analysis_causes *c, const struct causes_node *f,
                       enum causes_way way, struct pieces *p)
{
    const struct traces_machine *m = &c->machine;
    const struct traces_pe_class *pe = traces_machine_pe(m, f->pe);
    const enum isa_op op = c->graph->nodes[f->instr].op;
    const uint64_t intern = f->is_managed ? m->intern : 0;
    const uint64_t spill = f->is_spilled ? m->spill : 0;
    const uint64_t copy = f->copies ? traces_machine_copy_time(m, f->copied) : 0;
    const uint64_t others = pe->match + pe->fetch + intern + spill + copy + pe->form;
    const uint64_t all = f->formed - p->at;
    const bool on_tensors = isa_op_table[op].unit == ISA_UNIT_TENSOR;
    const uint64_t unit = on_tensors ? all - others : pe->unit[isa_op_table[op].unit];
    const uint64_t known = others + unit;
    add_length(p, pe->match, f->formed, ANALYSIS_CAUSE_MATCHING, f);
    add_length(p, all > known ? all - known : 0, f->formed, ANALYSIS_CAUSE_OVERFLOW, f);
    add_length(p, pe->fetch, f->formed, ANALYSIS_CAUSE_FETCHING, f);
    add_length(p, intern, f->formed, ANALYSIS_CAUSE_MANAGER, f);
    add_length(p, spill, f->formed, ANALYSIS_CAUSE_IDENTIFIER, f);
    add_length(p, copy, f->formed, ANALYSIS_CAUSE_COPY, f);
    add_length(p, unit, f->formed, computing(way, op), f);
    add_to(p, f->formed, ANALYSIS_CAUSE_FORMING, f);
}

static enum analysis_cause moving(const struct causes_node *node)
{
    return node->ships ? ANALYSIS_CAUSE_GRAPH : ANALYSIS_CAUSE_LINK;
}

/* Adds the time of a token on a link, then in the router that the link leads to. */
static void add_link(const struct analysis_causes *c, const struct causes_node *node,
                     const struct causes_node *before, struct pieces *p)
{
    const uint64_t there = node->time - node->wait;
    const size_t first = p->count;
    add_to(p, there - c->network->links[before->port_number].router, moving(node), node);
    if (p->count > first) {
        p->items[first].place = before->port_number;
        p->items[first].place_kind = TRACES_PLACE_LINK;
    }
    add_to(p, there, ANALYSIS_CAUSE_ROUTER, node);
}

static void add_flow(const struct analysis_causes *c, const struct causes_node *node,
                     const struct causes_node *before, const struct causes_node *lock,
                     struct pieces *p)
{
    if (lock)
        add_to(p, lock->formed, ANALYSIS_CAUSE_LOCK, before);
    switch ((enum causes_way)node->way) {
    case CAUSES_BY_SENT:
    case CAUSES_BY_ANSWER:
    case CAUSES_BY_HELD:
        if (before->kind == ANALYSIS_LINK_LOCK)
            add_to(p, before->formed, ANALYSIS_CAUSE_LOCK, before);
        else if (c->machine.has_workers)
            add_work(c, before, node->way, p);
        else
            add_stages(c, before, node->way, p);
        break;
    case CAUSES_BY_REQUEST:
        add_to(p, before->time + traces_machine_request(&c->machine, before->pe),
               c->graph->nodes[node->instr].op == ISA_OP_APPLY
                   ? ANALYSIS_CAUSE_COORDINATOR
                   : ANALYSIS_CAUSE_REQUEST,
               node);
        break;
    case CAUSES_BY_RELEASE:
        add_to(p, before->time + traces_machine_request(&c->machine, before->pe),
               ANALYSIS_CAUSE_RELEASE, node);
        break;
    case CAUSES_BY_FETCH:
        add_to(p, before->formed, ANALYSIS_CAUSE_TENSOR, node);
        break;
    case CAUSES_BY_PORT:
        add_link(c, node, before, p);
        break;
    default:
        break;
    }
    add_to(p, node->time - node->wait, moving(node), node);
}

void causes_between(const struct analysis_causes *c, const struct causes_node *node,
                    const struct causes_node *before, const struct causes_node *lock,
                    const struct analysis_causes_walker *walker)
{
    /* A token that waited for a resource passes a port of the network last. */
    const bool is_matched = node->way == CAUSES_BY_RESOURCE && node->wait;
    struct pieces p = {.at = lock ? lock->time : before->time};
    if (node->way != CAUSES_BY_RESOURCE)
        add_flow(c, node, before, lock, &p);
    else if (node->wait)
        add_to(&p, node->time - node->wait, node->cause, node);
    add_to(&p, node->time, is_matched ? ANALYSIS_CAUSE_PORT : node->cause, node);
    if (walker->piece)
        for (size_t i = p.count; i-- > 0;)
            walker->piece(walker->context, &p.items[i]);
}
