#include "analysis/causes/causes_internal.h"

static struct causes_last_event later(struct causes_last_event a,
                                      struct causes_last_event b)
{
    if (a.node == CAUSES_NOTHING || (b.node != CAUSES_NOTHING && b.time > a.time))
        return b;
    return a;
}

/* The last step of the loop or iteration that releases a NEXT. */
static struct causes_last_event by_bound(const struct analysis_causes *c,
                                         const struct traces_event *e)
{
    const struct causes_last_event site = causes_map_get(&c->sites, e->tag);
    return later(causes_map_get(&c->loops, site.node),
                 causes_map_get(&c->touched, e->tag));
}

/* The last activation that freed an identifier for a call token. */
static struct causes_last_event by_number(const struct analysis_causes *c,
                                          const struct traces_event *e)
{
    if (!c->machine.has_pools)
        return c->f.freed;
    const uint32_t site = c->graph->nodes[e->instr].site;
    return c->freed.items[c->graph->sites[site].callee];
}

/* A tag manager serves a token from the cycle after its arrival, in order. */
static void by_manager(struct analysis_causes *c, const struct traces_event *e,
                       struct causes_node *node, const struct causes_token *t,
                       uint64_t number)
{
    const uint32_t at = c->machine.one_manager ? 0 : e->pe;
    if (at >= c->managers.count) {
        causes_invalid_event(c, e);
        return;
    }
    struct causes_server *manager = &c->managers.items[at];
    const struct causes_last_event before = causes_served_before(manager, e->cycle);
    if (t->when + 1 == e->cycle)
        causes_came(node, t, ANALYSIS_CAUSE_MANAGER);
    else if (causes_lacked(t, before))
        causes_lacked_room(c, node, t, t->pressed_place, t->pressed_kind, t->when);
    else
        causes_wait_for(node, t, before, ANALYSIS_CAUSE_MANAGER);
    causes_served(manager, e->cycle, number);
}

static void by_coordinator(struct analysis_causes *c, struct causes_node *node,
                           const struct causes_token *t, uint64_t number)
{
    causes_wait_for(node, t, c->f.coordinator, ANALYSIS_CAUSE_COORDINATOR);
    c->f.coordinator = (struct causes_last_event){number, node->time};
}

void causes_batch(struct analysis_causes *c, const struct traces_event *e)
{
    c->f.unit = (uint64_t)e->pe << 32 | e->to;
    c->f.unit_before = causes_map_get(&c->units, c->f.unit);
    c->f.unit_until = e->b;
}

/* A kernel whose batch starts waited for the unit if that became free in this cycle, else for the
 * window of the batch. */
static void by_unit(struct analysis_causes *c, const struct traces_event *e,
                    struct causes_node *node, const struct causes_token *t,
                    uint64_t number)
{
    const struct causes_last_event before = c->f.unit_before;
    if (t->when < e->cycle && before.node != CAUSES_NOTHING && before.time == e->cycle)
        causes_waited(node, before.node, ANALYSIS_CAUSE_TENSOR_UNIT);
    else
        causes_came(node, t, ANALYSIS_CAUSE_WINDOW);
    if (c->machine.tensor_units)
        *causes_map_at(&c->units,
                       c->f.unit) = (struct causes_last_event){number, c->f.unit_until};
}

/* Returns the function unit of a PE, among `count` of a class, that is free first. */
static uint64_t first_unit(const struct analysis_causes *c, uint32_t pe, unsigned unit,
                           uint64_t count)
{
    const uint64_t all = (uint64_t)pe * ISA_UNIT_COUNT + unit;
    uint64_t first = all << 16;
    for (uint64_t i = 1; i < count; i++)
        if (causes_map_get(&c->counted, all << 16 | i).time <
            causes_map_get(&c->counted, first).time)
            first = all << 16 | i;
    return first;
}

/* A token leaves the issue queue. It waited for a function unit if all of its class were occupied
 * until this cycle, else for an issue slot; or for room, if none has left since it last lacked
 * it. */
static void by_issue(struct analysis_causes *c, const struct traces_event *e,
                     struct causes_node *node, const struct causes_token *t,
                     uint64_t number)
{
    const unsigned unit = isa_op_table[c->graph->nodes[e->instr].op].unit;
    const struct traces_pe_class *pe = traces_machine_pe(&c->machine, e->pe);
    const uint64_t count = pe->counted[unit];
    const uint64_t key = first_unit(c, e->pe, unit, count);
    const struct causes_last_event of_unit = causes_map_get(&c->counted, key);
    if (e->pe >= c->issues.count) {
        causes_invalid_event(c, e);
        return;
    }
    struct causes_server *issues = &c->issues.items[e->pe];
    const struct causes_last_event before = causes_served_before(issues, e->cycle);
    if (t->when == e->cycle)
        causes_came(node, t, ANALYSIS_CAUSE_SLOT);
    else if (causes_lacked(t, before))
        causes_lacked_room(c, node, t, t->pressed_place, t->pressed_kind, t->when);
    else if (of_unit.node != CAUSES_NOTHING && of_unit.time == e->cycle)
        causes_waited(node, of_unit.node, ANALYSIS_CAUSE_UNIT);
    else
        causes_wait_for(node, t, before, causes_of_slot(c, e->pe, e->cycle, t, before));
    causes_served(issues, e->cycle, number);
    if (count)
        *causes_map_at(&c->counted, key) = (struct causes_last_event){
            number, e->cycle + pe->interval[unit]};
}

static void by_other(const struct analysis_causes *c, const struct traces_event *e,
                     struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event last)
{
    const bool is_bound = e->from != TRACES_HOLDER_NUMBER;
    const struct causes_last_event before = e->from == TRACES_HOLDER_EXCESS ? last
                                            : is_bound ? by_bound(c, e)
                                                       : by_number(c, e);
    const uint64_t since = causes_is_after(before, t->when) ? before.time : t->when;
    if (t->pressed)
        causes_lacked_room(c, node, t, t->pressed_place, t->pressed_kind, since);
    else
        causes_wait_for(node, t, before,
                        is_bound ? ANALYSIS_CAUSE_BOUND : ANALYSIS_CAUSE_IDENTIFIER);
}

/* Removes copy workers that are free by now, and notes the last one. */
static void free_copiers(struct analysis_causes *c, uint64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->copiers.count; i++) {
        const struct causes_busy *b = &c->copiers.items[i];
        if (b->until > now)
            c->copiers.items[kept++] = *b;
        else if (c->f.copier.node == CAUSES_NOTHING || b->until > c->f.copier.until)
            c->f.copier = *b;
    }
    c->copiers.count = kept;
}

void causes_copier(struct analysis_causes *c, uint64_t now, uint64_t until, uint64_t node)
{
    free_copiers(c, now);
    *LIB_VEC_PUSH(&c->copiers) = (struct causes_busy){until, node};
}

/* Finds what an APPLY waited for last, once the PE of its copy is known: a free worker, room, or
 * the APPLY before it. */
void causes_admit(struct analysis_causes *c, uint64_t now, uint32_t pe)
{
    struct causes_node *node = causes_edit(c, c->f.applied);
    if (pe >= c->admitted.count)
        return;
    const struct causes_last_event freed = c->uncopied.items[pe];
    const struct causes_last_event other = c->admitted.items[pe];
    uint64_t since = c->f.kept;
    free_copiers(c, now);
    if (node && node->cause == ANALYSIS_CAUSE_COPY_ROOM) {
        if (causes_is_after(freed, since)) {
            causes_waited(node, freed.node, ANALYSIS_CAUSE_COPY_ROOM);
            since = freed.time + 1;
        }
        if (other.node != CAUSES_NOTHING && other.time > since) {
            causes_waited(node, other.node, ANALYSIS_CAUSE_COPY_ROOM);
            since = other.time;
        }
        if (c->f.copier.node != CAUSES_NOTHING && c->f.copier.until > since)
            causes_waited(node, c->f.copier.node, ANALYSIS_CAUSE_COPY_WORKER);
    }
    c->admitted.items[pe] = (struct causes_last_event){c->f.applied, now};
}

/* The cause of a wait for each holder; 0: found otherwise. */
static const enum analysis_cause of_holder[TRACES_HOLDER_COUNT] = {
#define HELD(HOLDER, CAUSE) [TRACES_HOLDER_##HOLDER] = ANALYSIS_CAUSE_##CAUSE,
#include "analysis/causes/causes.def"
};

struct causes_node *causes_released(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    const struct causes_token *t)
{
    const uint64_t number = c->f.next;
    const struct causes_last_event last = c->f.last;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_GO_ON);
    node->is_managed = c->machine.has_managers && e->from != TRACES_HOLDER_BOUND &&
                       e->from != TRACES_HOLDER_EXCESS &&
                       e->from != TRACES_HOLDER_COORDINATOR &&
                       e->from != TRACES_HOLDER_UNIT && e->from != TRACES_HOLDER_ISSUE &&
                       !of_holder[e->from];
    if (e->from == TRACES_HOLDER_MANAGER)
        by_manager(c, e, node, t, number);
    else if (e->from == TRACES_HOLDER_COORDINATOR)
        by_coordinator(c, node, t, number);
    else if (e->from == TRACES_HOLDER_UNIT)
        by_unit(c, e, node, t, number);
    else if (e->from == TRACES_HOLDER_ISSUE)
        by_issue(c, e, node, t, number);
    else if (of_holder[e->from])
        causes_came(node, t, of_holder[e->from]);
    else if (e->from != TRACES_HOLDER_COPY)
        by_other(c, e, node, t, last);
    else if (t->pressed)
        causes_lacked_room(c, node, t, t->pressed_place, t->pressed_kind, t->when);
    else
        causes_came(node, t, ANALYSIS_CAUSE_COPY_ROOM);
    return node;
}
