/* "Calls that copy", "Copies": APPLY and RESULT of expanding images. */
#include "tests/oracle/state.h"

static const struct value nothing;

/* A RESULT sends to the destinations of its APPLY's output, under the caller's tag. */
void oracle_send_result(struct oracle *o, const struct firing *f, struct value v,
                        bool dead)
{
    struct firing as = *f;
    as.instr = oracle_find(o, ISA_OP_APPLY, f->tag->site, NONE);
    oracle_send_list(o, &as, f->instr->node->index, f->tag->parent, v, dead);
}

uint64_t oracle_result_list(const struct oracle *o, const struct token *t)
{
    const struct instr *apply = oracle_find(o, ISA_OP_APPLY, t->tag->site, NONE);
    return apply->node->outputs[t->instr->node->index].count;
}

/* --- what a copy needs: "Copies" ---------------------------------------------------- */

static uint32_t callee_of(const struct oracle *o, const struct token *t)
{
    return o->graph->sites[t->instr->node->site].callee;
}

static uint64_t nodes_of(const struct oracle *o, const struct token *t)
{
    return oracle_copy_nodes(o, callee_of(o, t));
}

/* PE of the copy for an APPLY that fires at `pe`. */
unsigned oracle_copy_place(const struct oracle *o, unsigned pe, const struct token *t)
{
    const uint32_t callee = callee_of(o, t);
    const uint64_t path = oracle_path(t->tag->path, t->instr->node->site);
    unsigned at = oracle_place_near(o, callee, pe);
    if (o->s->copy_placement == ORACLE_PLACED)
        at = oracle_place_by_policy(o, callee, path);
    else if (o->s->copy_placement > ORACLE_PLACED)
        at = oracle_place_in_node(o, (unsigned)(pe / o->s->node_pes), callee, path);
    return oracle_would_be_at(o, callee, t->instr->node->site, at);
}

bool oracle_has_worker(const struct oracle *o, uint64_t cycle)
{
    uint64_t busy = 0;
    for (size_t i = 0; i < o->workers.count; i++)
        busy += o->workers.items[i] > cycle;
    return o->s->copy_workers == 0 || busy < o->s->copy_workers;
}

static void busy_worker(struct oracle *o, uint64_t until)
{
    for (size_t i = 0; i < o->workers.count; i++)
        if (o->workers.items[i] <= o->now) {
            o->workers.items[i] = until;
            return;
        }
    *LIB_VEC_PUSH(&o->workers) = until;
}

static bool has_room(const struct oracle *o, unsigned place, uint64_t nodes)
{
    return o->s->copy_capacity == 0 || o->pes[place].nodes + nodes <= o->s->copy_capacity;
}

/* Whether one of the first `first` waiting APPLYs waits for this PE, where its copy would have been
 * when it began to wait. */
static bool waits_for(const struct oracle *o, size_t first, unsigned place)
{
    for (size_t i = 0; i < first; i++)
        if (o->waiting_applies.items[i].at == place)
            return true;
    return false;
}

/* --- firing ------------------------------------------------------------------------- */

static struct value argument(struct oracle *o, const struct token *last,
                             struct activation *copy, unsigned port, struct token *taken)
{
    const struct isa_operand *p = &last->instr->node->operands[port];
    uint64_t waited;
    *taken = (struct token){0};
    if (p->kind == ISA_OPERAND_LITERAL)
        return oracle_literal(o, last->instr->node, port);
    if (p->kind == ISA_OPERAND_INPUT)
        return (struct value){.word = o->inputs[p->input]};
    if (port == last->port) {
        *taken = *last;
        return last->value;
    }
    for (size_t i = 0; i < copy->waiting.count; i++) {
        struct waiting *w = &copy->waiting.items[i];
        if (w->token.instr != last->instr || w->token.port != port)
            continue;
        *taken = w->token;
        taken->tag = copy;
        oracle_unwait(o, copy, w, &waited);
        break;
    }
    return taken->value;
}

/* Counts a copy and occupies a worker. Returns how long the copying takes. */
static uint64_t make_copy(struct oracle *o, struct activation *copy, unsigned place)
{
    struct oracle_stats *stats = &o->outcome->stats;
    const uint64_t nodes = oracle_copy_nodes(o, copy->function);
    const uint64_t takes = o->s->copy_latency + o->s->copy_node_latency * nodes;
    oracle_place_at(o, copy, place);
    copy->is_copy = true;
    o->pes[copy->place].nodes += nodes;
    oracle_count_remote(o, copy);
    o->nodes += nodes;
    stats->calls++;
    stats->copies++;
    stats->copied_nodes += nodes;
    oracle_why_copied(o, copy->place, takes);
    busy_worker(o, o->now + takes);
    return takes;
}

static void fail(struct oracle *o, unsigned pe, const struct token *t)
{
    if (!t->start)
        oracle_deliver(o, t, pe);
    oracle_trap(o);
}

static void fire(struct oracle *o, unsigned pe, const struct token *last)
{
    const uint32_t site = last->instr->node->site, callee = callee_of(o, last);
    const uint32_t count = o->graph->functions[callee].param_count;
    const unsigned place = oracle_copy_place(o, pe, last);
    struct child *c = oracle_child(last->tag, site);
    if (!c && !oracle_frame_fits(o, callee)) {
        fail(o, pe, last);
        return;
    }
    struct activation *copy = c ? c->activation
                                : oracle_activation_new(o, last->tag, site, false, 0);
    struct firing f = oracle_firing(o, last, pe);
    struct value *values = lib_mem_new((count + 1) * sizeof *values);
    struct token *taken = lib_mem_new((count + 1) * sizeof *taken);
    if (c)
        oracle_child_remove(last->tag, site);
    if (!last->start)
        oracle_deliver(o, last, pe);
    for (uint32_t p = 0; p < count; p++) {
        values[p] = argument(o, last, copy, p, &taken[p]);
        f.depth = taken[p].depth > f.depth ? taken[p].depth : f.depth;
    }
    f.depth++;
    oracle_coordinator_made(o, last, pe);
    const uint64_t takes = make_copy(o, copy, place);
    f.delay += takes;
    f.late = takes > 1024;
    oracle_account(o, &f, false);
    oracle_account_value(o, &f, nothing);
    for (uint32_t p = 0; p < count; p++) {
        const struct instr *param = oracle_find_param(o, callee, p);
        if (param)
            oracle_send(o, &f, param, 0, copy, values[p], false);
    }
    for (uint32_t p = 0; p < count; p++)
        if (taken[p].instr)
            oracle_consume(o, &taken[p]);
    lib_mem_free(values);
    lib_mem_free(taken);
}

/* All arguments have come, alive: the APPLY fires, or waits for its copy. */
static void complete(struct oracle *o, unsigned pe, struct token *last)
{
    if (oracle_has_coordinator(o) && !last->chosen) {
        oracle_ask(o, pe, last);
        return;
    }
    const unsigned place = oracle_copy_place(o, pe, last);
    if (oracle_has_worker(o, o->now) && has_room(o, place, nodes_of(o, last)) &&
        !waits_for(o, o->waiting_applies.count, place)) {
        fire(o, pe, last);
        return;
    }
    last->to = pe;
    last->at = place;
    last->numbered = false;
    o->outcome->stats.copy_stalls++;
    oracle_put(&o->waiting_applies, last);
}

/* --- arguments ---------------------------------------------------------------------- */

static struct child *gathering(const struct token *t)
{
    const uint32_t site = t->instr->node->site;
    struct child *c = oracle_child(t->tag, site);
    if (c)
        return c;
    c = LIB_VEC_PUSH(&t->tag->children);
    *c = (struct child){.site = site, .to_come = t->instr->tokens, .met = {NOWHERE, 0}};
    return c;
}

static void give_up(struct oracle *o, const struct instr *apply, struct activation *where)
{
    for (size_t i = 0; where && i < where->waiting.count;) {
        struct waiting *w = &where->waiting.items[i];
        if (w->token.instr != apply) {
            i++;
            continue;
        }
        struct token t = w->token;
        const bool is_last = where->live == 1;
        uint64_t waited;
        t.tag = where;
        oracle_unwait(o, where, w, &waited);
        oracle_consume(o, &t);
        if (is_last)
            return; /* `where` is freed */
    }
}

/* "Deadness": the last argument has come, and one is dead. */
static void fire_dead(struct oracle *o, unsigned pe, const struct token *last)
{
    const uint32_t site = last->instr->node->site;
    struct activation *copy = oracle_child(last->tag, site)->activation;
    struct firing f = oracle_firing(o, last, pe);
    oracle_child_remove(last->tag, site);
    oracle_deliver(o, last, pe);
    oracle_fire_dead(o, &f, false);
    give_up(o, last->instr, copy);
    last->tag->live++; /* until all are dropped */
    give_up(o, last->instr, last->tag);
    last->tag->live--;
    oracle_consume(o, last);
}

bool oracle_apply_is_last(const struct token *t)
{
    const struct child *c = oracle_child(t->tag, t->instr->node->site);
    return t->instr->tokens < 2 || (c && c->to_come <= 1);
}

bool oracle_apply_is_dead(const struct token *t)
{
    const struct child *c = oracle_child(t->tag, t->instr->node->site);
    return t->dead || (c && c->dead);
}

/* A live argument waits under the tag of the activation, a dead one under the caller's. */
static void gather(struct oracle *o, unsigned pe, struct token *t)
{
    struct child *c = gathering(t);
    if (!t->dead && !c->activation && c->to_come > 1) {
        if (!oracle_frame_fits(o, callee_of(o, t))) {
            fail(o, pe, t);
            return;
        }
        c->activation = oracle_activation_new(o, t->tag, c->site, false, 0);
    }
    c->dead += t->dead;
    if (--c->to_come == 0) {
        oracle_why_meets(o, t, c->met, c->met_port);
        if (c->dead)
            fire_dead(o, pe, t);
        else
            complete(o, pe, t);
        return;
    }
    if (c->met.place == NOWHERE || c->met.time < o->now || t->port < c->met_port) {
        c->met = oracle_why_stamp(o, t);
        c->met_port = t->port;
    }
    struct activation *where = t->dead ? t->tag : c->activation;
    oracle_deliver(o, t, pe);
    oracle_wait(o, t, where, pe);
    where->live++;
    oracle_release(o, t->tag, NONE);
}

void oracle_apply(struct oracle *o, unsigned pe, struct token *t)
{
    if (oracle_asks_here(o, t) || oracle_queues_for_unit(o, pe, t, NULL) ||
        oracle_tag_waits(o, pe, t))
        return;
    if (t->instr->tokens > 1 && !t->chosen) {
        gather(o, pe, t);
    } else if (t->dead) {
        struct firing f = oracle_firing(o, t, pe);
        oracle_deliver(o, t, pe);
        oracle_fire_dead(o, &f, false);
        oracle_consume(o, t);
    } else {
        complete(o, pe, t);
    }
}

/* --- step 7 ------------------------------------------------------------------------- */

/* Whether there is room for the copy of one that waits, and no earlier one waits for the same
 * PE. */
static bool fits(const struct oracle *o, size_t at)
{
    const struct token *t = &o->waiting_applies.items[at];
    const unsigned place = oracle_copy_place(o, t->to, t);
    return has_room(o, place, nodes_of(o, t)) &&
           (oracle_wrong(o, OVERTAKE) || !waits_for(o, at, t->at));
}

void oracle_applies_go_on(struct oracle *o)
{
    struct tokens *list = &o->waiting_applies;
    for (size_t i = 0; i < list->count && !o->ended && oracle_has_worker(o, o->now);) {
        struct token t = list->items[i];
        if (!fits(o, i)) {
            i++;
            continue;
        }
        if (!oracle_room_to_go_on(o, &t)) {
            o->held_back = true;
            oracle_why_lacks(o, &list->items[i]);
            i++;
            continue;
        }
        oracle_take(list, i);
        o->moved = true;
        oracle_why_apply(o, &t);
        /* as if its tag manager had just served it */
        t.later = o->s->tag_scheme == ORACLE_INTERNED ? o->s->intern_latency : 0;
        oracle_why_step(o, &t);
        if (!oracle_tag_waits(o, t.to, &t))
            fire(o, t.to, &t);
        oracle_end_turn(o);
    }
}

bool oracle_apply_could_go_on(const struct oracle *o)
{
    for (size_t i = 0; i < o->waiting_applies.count; i++)
        if (oracle_has_worker(o, o->now + 1) && fits(o, i))
            return true;
    return false;
}

/* When the first worker is free, if an APPLY waits and none is free in the next cycle. */
void oracle_next_worker(const struct oracle *o, uint64_t *cycle)
{
    if (o->waiting_applies.count == 0 || oracle_has_worker(o, o->now + 1))
        return;
    for (size_t i = 0; i < o->workers.count; i++)
        if (o->workers.items[i] > o->now && o->workers.items[i] < *cycle)
            *cycle = o->workers.items[i];
}
