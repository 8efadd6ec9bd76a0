/* The chain of causes, walked from the last action back. */
#include "tests/oracle/why.h"

struct piece {
    uint64_t to;
    const char *cause;
    const struct place *of;
};

struct pieces {
    struct piece items[16];
    size_t count;
    uint64_t at;
};

static void add_piece(struct pieces *p, uint64_t cycles, const char *cause,
                      const struct place *of)
{
    if (cycles == 0)
        return;
    p->at += cycles;
    p->items[p->count++] = (struct piece){p->at, cause, of};
}

static const char *unit_of(const struct place *f, enum came way)
{
    static const char *const units[ISA_UNIT_COUNT] = {
#define UNIT(NAME, name, help) "computing_" name,
        ISA_UNITS(UNIT)
#undef UNIT
    };
    if (way == ANSWER)
        return "structure_read";
    return way == HELD ? "held_constant" : units[isa_op_table[f->instr->node->op].unit];
}

static void add_firing(const struct oracle *o, struct pieces *p, const struct place *f,
                       enum came way)
{
    const struct oracle_settings *s = oracle_at(o, f->pe);
    if (f->kind == ORACLE_LOCKS) {
        add_piece(p, f->formed - p->at, "lock", f);
        return;
    }
    if (s->executor_workers) {
        add_piece(p, f->formed - p->at, f->copy != NOWHERE ? "copy" : unit_of(f, way), f);
        return;
    }
    const uint64_t copy = f->copy != NOWHERE ? f->copy : 0;
    const enum isa_unit unit = isa_op_table[f->instr->node->op].unit;
    const bool on_tensors = unit == ISA_UNIT_TENSOR;
    add_piece(p, s->match_latency, "matching", f);
    add_piece(p, on_tensors ? 0 : f->slower, "overflow_store", f);
    add_piece(p, s->fetch_latency, "fetching", f);
    add_piece(p, f->intern, "tag_manager", f);
    add_piece(p, f->spill, "identifier", f);
    add_piece(p, copy, "copy", f);
    add_piece(p, on_tensors ? f->formed - s->form_latency - p->at : s->unit_latency[unit],
              unit_of(f, way), f);
    add_piece(p, s->form_latency, "forming", f);
}

static void put_piece(struct oracle *o, const struct pieces *p, size_t i, uint64_t from)
{
    const struct piece *piece = &p->items[i];
    *LIB_VEC_PUSH(&o->outcome->chain) = (struct oracle_piece){
        .cause = piece->cause,
        .from = from,
        .to = piece->to,
        .node = piece->of->node,
        .pe = piece->of->pe,
    };
}

/* The time from a turn to what it sends without a firing. */
static uint64_t request_time(const struct oracle *o, const struct place *turn)
{
    const uint64_t stages = oracle_stages(o, turn->pe);
    return stages ? stages : 1;
}

/* The time between two actions, or the lock of the firing at `p`. */
static void put_between(struct oracle *o, const struct place *p,
                        const struct place *before, const struct place *lock)
{
    const uint64_t from = lock ? lock->time : before->time;
    struct pieces all = {.at = from};
    const uint64_t there = p->way == RESOURCE ? from : p->since;
    const char *link = p->ships ? "graph" : "link";
    if (lock)
        add_piece(&all, lock->formed - all.at, "lock", before);
    if (p->way == SENT || p->way == ANSWER || p->way == HELD)
        add_firing(o, &all, before, p->way);
    if (p->way == REQUEST)
        add_piece(&all, request_time(o, before),
                  p->instr->node->op == ISA_OP_APPLY ? "coordinator" : "element_request",
                  p);
    if (p->way == LEAVES)
        add_piece(&all, request_time(o, before), "release", p);
    if (p->way == FETCHES)
        add_piece(&all, before->formed - all.at, "tensor_fetch", p);
    if (p->way == PORT && o->routers && !oracle_routers_ejects(o, before->link)) {
        const uint64_t router = oracle_routers_router(o, before->link);
        add_piece(&all, there - all.at - router, link, p);
        add_piece(&all, router, "router", p);
    }
    if (p->way != RESOURCE)
        add_piece(&all, there - all.at, link, p);
    add_piece(&all, p->time - all.at - p->others, p->cause, p);
    add_piece(&all, p->others, "port", p);
    for (size_t i = all.count; i-- > 0;)
        put_piece(o, &all, i, i ? all.items[i - 1].to : from);
}

static void put_place(struct oracle *o, const struct place *p)
{
    *LIB_VEC_PUSH(&o->outcome->chain) = (struct oracle_piece){
        .kind = p->kind, .from = p->time, .to = p->time, .node = p->node, .pe = p->pe};
}

static void walk(struct oracle *o, struct place p)
{
    put_place(o, &p);
    while (p.before != NOWHERE) {
        const struct place *before = place_at(o, p.before);
        const bool flows = p.way == SENT || p.way == ANSWER || p.way == HELD;
        const struct place *lock = flows && before->lock != NOWHERE
                                       ? place_at(o, before->lock)
                                       : NULL;
        put_between(o, &p, before, lock);
        p = lock ? *lock : *before;
        put_place(o, &p);
    }
}

void oracle_why_walk(struct oracle *o)
{
    struct why *w = o->why;
    const struct written result = oracle_result_end(o);
    struct place p = {.kind = ORACLE_ENDS,
                      .time = o->outcome->stats.cycles,
                      .since = o->outcome->stats.cycles,
                      .before = w->formed_by,
                      .way = SENT,
                      .node = NONE,
                      .pe = NONE};
    if (w->formed_by == NOWHERE || w->formed != p.time) {
        p.way = RESOURCE;
        p.cause = oracle_nodes_count(o)                   ? "termination"
                  : o->fed_at == o->outcome->stats.cycles ? "host"
                                                          : "cut";
        p.before = w->last;
    }
    walk(o, p);
    p.time = p.since = result.time;
    p.before = result.place;
    p.way = SENT;
    if (result.number && result.number != UINT64_MAX) /* UINT64_MAX: a feed wrote it */
        walk(o, p);
}
