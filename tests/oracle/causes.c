/* "Why: one cause for each cycle": every action of a run is kept; chain.c walks the chain in the
 * end. */
#include "tests/oracle/why.h"

/* --- places --------------------------------------------------------------------------------- */

static uint32_t node_of(const struct oracle *o, const struct instr *instr)
{
    return instr ? (uint32_t)(instr->node - o->graph->nodes) : NONE;
}

uint64_t oracle_why_place(struct oracle *o, enum oracle_place kind,
                          const struct instr *instr, unsigned pe)
{
    struct why *w = o->why;
    *LIB_VEC_PUSH(&w->places) = (struct place){.kind = kind,
                                               .time = o->now,
                                               .before = NOWHERE,
                                               .since = o->now,
                                               .lock = NOWHERE,
                                               .copy = NOWHERE,
                                               .node = node_of(o, instr),
                                               .instr = instr,
                                               .pe = pe};
    const uint64_t number = w->places.count - 1;
    if (kind != ORACLE_LOCKS)
        w->last = number;
    return number;
}

/* The token did not come before what it needed. */
void oracle_why_by_token(struct oracle *o, uint64_t place, const struct token *t,
                         const char *cause)
{
    struct place *p = place_at(o, place);
    p->before = t->place;
    p->way = (enum came)t->way;
    p->since = t->since;
    p->cause = cause;
    p->ships = t->chosen;
}

void oracle_why_by_resource(struct oracle *o, uint64_t place, uint64_t before,
                            const char *cause)
{
    struct place *p = place_at(o, place);
    p->before = before;
    p->way = RESOURCE;
    p->cause = cause;
}

/* "What is given back in a cycle counts as coming in the next one". */
static bool is_later(struct stamp resource, uint64_t than)
{
    return resource.place != NOWHERE && resource.time + 1 > than;
}

static void by_later(struct oracle *o, uint64_t place, const struct token *t,
                     struct stamp resource, const char *cause)
{
    if (is_later(resource, t->since))
        oracle_why_by_resource(o, place, resource.place, cause);
    else
        oracle_why_by_token(o, place, t, cause);
}

static struct stamp before_now(const struct oracle *o, const struct server *s)
{
    return s->last.place != NOWHERE && s->last.time == o->now ? s->before : s->last;
}

void oracle_why_serve(struct oracle *o, struct server *s, uint64_t place)
{
    if (s->last.place != NOWHERE && s->last.time < o->now)
        s->before = s->last;
    if (!oracle_wrong(o, BEFORE) || s->last.place == NOWHERE || s->last.time < o->now)
        s->last = now(o, place);
}

/* --- room ---------------------------------------------------------------------------------- */

void oracle_why_lacks(struct oracle *o, struct token *t)
{
    t->lacked = true;
    t->lacked_at = o->now;
    t->lack = o->lack;
    t->lack_is_port = o->lack_is_port;
}

/* Room in an input queue, or behind a port. */
static void by_room(struct oracle *o, uint64_t place, const struct token *t,
                    const struct server *queue, uint64_t since)
{
    if (is_later(queue->last, since))
        oracle_why_by_resource(o, place, queue->last.place, "back_pressure");
    else
        oracle_why_by_token(o, place, t, "back_pressure");
}

static const struct server *lacking(const struct oracle *o, const struct token *t)
{
    return t->lack_is_port ? &o->why->links[t->lack] : &o->why->turns[t->lack];
}

static bool lacks_last(const struct token *t, struct stamp served)
{
    return t->lacked && (served.place == NOWHERE || served.time <= t->lacked_at);
}

/* Issue slot, or stop of the node. */
static const char *slot_cause(const struct oracle *o, const struct token *t,
                              struct stamp before, unsigned pe)
{
    const uint64_t came = is_later(before, t->since) ? before.time : t->since;
    return oracle_nodes_was_stopped(o, pe, came) ? "stopped" : "issue_slot";
}

static void note_formed(struct oracle *o, uint64_t place, uint64_t formed, unsigned pe);

/* --- tokens on their way --------------------------------------------------------------------- */

static uint64_t firing_place(struct oracle *o)
{
    struct why *w = o->why;
    if (w->tie.place == NOWHERE)
        return w->fired;
    const struct place *step = place_at(o, w->step);
    w->fired = oracle_why_place(o, ORACLE_TURNS, step->instr, step->pe);
    oracle_why_by_resource(o, w->fired, w->tie.place, "matching");
    w->tie = never;
    return w->fired;
}

void oracle_why_sent(struct oracle *o, struct token *t, bool is_request)
{
    t->place = firing_place(o);
    t->way = is_request ? REQUEST : o->why->way;
}

/* A request for a tensor, a copy, or a kernel that waited for one. */
void oracle_why_fetches(struct oracle *o, struct token *t, uint64_t formed)
{
    t->place = o->why->step;
    t->way = FETCHES;
    place_at(o, t->place)->formed = formed;
}

void oracle_why_tells(struct oracle *o, struct token *t)
{
    t->place = firing_place(o);
    t->way = LEAVES;
}

void oracle_why_woken(struct oracle *o, struct token *t)
{
    t->place = firing_place(o);
    t->way = HELD;
}

uint64_t oracle_why_firing(struct oracle *o)
{
    return firing_place(o);
}

/* A feed or closing answers what waited, as an action of its own. */
void oracle_why_hosted(struct oracle *o, const struct asker *a, uint64_t formed)
{
    struct why *w = o->why;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, a->d.instr, a->d.pe);
    oracle_why_by_resource(o, place, a->place, "host");
    place_at(o, place)->fires = true;
    place_at(o, place)->formed = formed;
    w->step = w->fired = place;
    w->is_turn = false;
    w->way = SENT;
    w->tie = never;
    note_formed(o, place, formed, a->d.pe);
    oracle_why_touch(o, a->d.tag);
}

void oracle_why_answers(struct oracle *o, struct activation *tag)
{
    firing_place(o);
    o->why->way = ANSWER;
    oracle_why_touch(o, tag);
}

void oracle_why_came(struct oracle *o, struct token *t)
{
    t->since = o->now;
}

void oracle_why_swap(struct token *a, struct token *b)
{
    const struct token t = *a;
    a->place = b->place;
    a->way = b->way;
    a->since = b->since;
    b->place = t.place;
    b->way = t.way;
    b->since = t.since;
}

void oracle_why_released(struct oracle *o, struct token *t)
{
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, t->to);
    oracle_why_by_token(o, place, t, "fault");
    t->place = place;
    t->way = STEP;
}

void oracle_why_port(struct oracle *o, struct token *t, unsigned link, uint64_t free)
{
    const unsigned pes = (unsigned)o->s->pe_count;
    const unsigned pe = link < 2 * pes ? link % pes : NONE;
    const bool is_input = link >= pes && link < 2 * pes;
    struct server *port = &o->why->links[link];
    const uint64_t place = oracle_why_place(o, ORACLE_PORTS, t->instr, pe);
    if (t->since == o->now)
        oracle_why_by_token(o, place, t, "port");
    else if (port->last.place != NOWHERE && free == o->now)
        oracle_why_by_resource(o, place, port->last.place, "port");
    else
        by_room(o, place, t, is_input ? &o->why->turns[pe] : &o->why->links[pes + t->to],
                t->since);
    place_at(o, place)->link = link;
    oracle_why_serve(o, port, place);
    t->place = place;
    t->way = PORT;
}

/* --- turns ---------------------------------------------------------------------------- */

void oracle_why_turn(struct oracle *o, struct token *t, unsigned pe)
{
    struct server *turns = &o->why->turns[pe];
    const struct stamp before = before_now(o, turns);
    const uint64_t place = oracle_why_place(o, ORACLE_TURNS, t->instr, pe);
    if (t->since == o->now)
        oracle_why_by_token(o, place, t, "issue_slot");
    else if (lacks_last(t, before))
        by_room(o, place, t, lacking(o, t), t->since);
    else
        by_later(o, place, t, before, slot_cause(o, t, before, pe));
    oracle_why_serve(o, turns, place);
    oracle_why_gives_room(o, pe, place);
    t->place = place;
    t->way = STEP;
}

/* A worker takes a token; `turns` is what workers fired. */
void oracle_why_worker(struct oracle *o, struct token *t, unsigned w)
{
    const struct stamp fired = o->why->turns[w].last;
    const uint64_t place = oracle_why_place(o, ORACLE_TURNS, t->instr, w);
    if (t->since < o->now && fired.place != NOWHERE)
        oracle_why_by_resource(o, place, fired.place, "worker");
    else
        oracle_why_by_token(o, place, t, "worker");
    t->place = place;
    t->way = STEP;
}

void oracle_why_step(struct oracle *o, struct token *t)
{
    struct why *w = o->why;
    w->step = w->fired = t->place;
    w->is_turn = place_at(o, t->place)->kind == ORACLE_TURNS;
    w->way = SENT;
    w->tie = never;
    w->slower = 0;
    w->spill = 0;
    w->intern = t->later;
    t->since = o->now;
    t->way = STEP;
    t->lacked = false;
    oracle_why_touch(o, t->tag);
}

/* --- what goes on --------------------------------------------------------------------- */

static unsigned pe_of(const struct oracle *o, const struct token *t)
{
    return o->s->executor_workers ? NONE : t->to;
}

void oracle_why_next(struct oracle *o, struct token *t, unsigned pe, bool forced)
{
    const struct loop *loop = oracle_loop(o, t->tag->parent, t->tag->site);
    struct stamp what = loop->why;
    const uint64_t last = o->why->last;
    if (t->tag->why.place != NOWHERE &&
        (what.place == NOWHERE || t->tag->why.time > what.time))
        what = t->tag->why;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr,
                                            o->s->executor_workers ? NONE : pe);
    if (forced)
        oracle_why_by_resource(o, place, last, "loop_bound");
    else
        by_later(o, place, t, what, "loop_bound");
    t->place = place;
}

void oracle_why_served(struct oracle *o, struct token *t, unsigned unit)
{
    struct server *s = &o->why->units[unit];
    const struct stamp before = before_now(o, s);
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    if (t->since + 1 == o->now)
        oracle_why_by_token(o, place, t, "tag_manager");
    else if (lacks_last(t, before))
        by_room(o, place, t, lacking(o, t), t->since);
    else
        by_later(o, place, t, before, "tag_manager");
    oracle_why_serve(o, s, place);
    t->place = place;
}

/* An APPLY that asks has not fired: it has not met its operands. */
void oracle_why_asks(struct oracle *o)
{
    o->why->tie = never;
}

void oracle_why_coordinated(struct oracle *o, struct token *t)
{
    struct server *s = &o->why->coordinator;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr,
                                            oracle_coordinator_at(o));
    by_later(o, place, t, s->last, "coordinator");
    oracle_why_serve(o, s, place);
    t->place = place;
    t->way = GRAPH;
    t->lacked = false;
}

void oracle_why_batch(struct oracle *o, unsigned bank, unsigned unit, uint64_t free)
{
    struct why *w = o->why;
    w->unit = (uint64_t)bank * o->s->tensor_units + unit;
    while (w->tensor_units.count <= w->unit)
        *LIB_VEC_PUSH(&w->tensor_units) = never;
    w->unit_before = free == o->now ? w->tensor_units.items[w->unit] : never;
}

void oracle_why_started(struct oracle *o, struct token *t)
{
    struct why *w = o->why;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    if (t->since < o->now && w->unit_before.place != NOWHERE)
        oracle_why_by_resource(o, place, w->unit_before.place, "tensor_unit");
    else
        oracle_why_by_token(o, place, t, "batch_window");
    if (o->s->tensor_units)
        w->tensor_units.items[w->unit] = now(o, place);
    t->place = place;
}

/* A token leaves the issue queue. `number` of a unit of its class, which was free first; NULL: the
 * class is not counted. */
void oracle_why_issued(struct oracle *o, struct token *t, unsigned pe,
                       const uint64_t *unit, uint64_t number)
{
    struct why *w = o->why;
    const enum isa_unit class = isa_op_table[t->instr->node->op].unit;
    struct server *issues = &w->issues[pe];
    const struct stamp before = before_now(o, issues);
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe);
    struct stamp *last = NULL;
    if (unit) {
        const uint64_t at = number * o->s->pe_count + pe;
        while (w->counted[class].count <= at)
            *LIB_VEC_PUSH(&w->counted[class]) = never;
        last = &w->counted[class].items[at];
    }
    if (t->queued == o->now)
        oracle_why_by_token(o, place, t, "issue_slot");
    else if (lacks_last(t, before))
        by_room(o, place, t, lacking(o, t), t->since);
    else if (unit && *unit == o->now)
        oracle_why_by_resource(o, place, last->place, "unit");
    else
        by_later(o, place, t, before, slot_cause(o, t, before, pe));
    oracle_why_serve(o, issues, place);
    if (last)
        *last = now(o, place);
    t->place = place;
}

void oracle_why_numbered(struct oracle *o, struct token *t)
{
    const struct why *w = o->why;
    const uint32_t callee = o->graph->sites[t->instr->node->site].callee;
    const struct stamp freed = o->s->tag_scheme == ORACLE_POOL ? w->freed_of[callee]
                                                               : w->freed;
    const uint64_t since = is_later(freed, t->since) ? freed.time : t->since;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    if (t->lacked)
        by_room(o, place, t, lacking(o, t), since);
    else
        by_later(o, place, t, freed, "identifier");
    t->place = place;
}

void oracle_why_apply(struct oracle *o, struct token *t)
{
    struct why *w = o->why;
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    w->kept = t->since;
    if (t->lacked)
        by_room(o, place, t, lacking(o, t), t->since);
    else
        oracle_why_by_token(o, place, t, "copy_room");
    w->admits = place;
    w->admits_lacked = t->lacked;
    t->place = place;
}

void oracle_why_roomed(struct oracle *o, struct token *t)
{
    const uint64_t place = oracle_why_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    oracle_why_by_token(o, place, t, "memory");
    t->place = place;
}

/* The copy is made: it needed room, earlier APPLYs, and a worker. */
void oracle_why_copied(struct oracle *o, unsigned pe, uint64_t takes)
{
    struct why *w = o->why;
    const bool went_on = w->admits == w->step;
    uint64_t came = w->kept;
    const struct copier *free = NULL;
    for (size_t i = 0; i < w->copiers.count; i++)
        if (w->copiers.items[i].until <= o->now &&
            (!free || w->copiers.items[i].until > free->until))
            free = &w->copiers.items[i];
    if (went_on && !w->admits_lacked) {
        if (is_later(w->uncopied[pe], came)) {
            oracle_why_by_resource(o, w->step, w->uncopied[pe].place, "copy_room");
            came = w->uncopied[pe].time + 1;
        }
        if (w->admitted[pe].place != NOWHERE && w->admitted[pe].time > came) {
            oracle_why_by_resource(o, w->step, w->admitted[pe].place, "copy_room");
            came = w->admitted[pe].time;
        }
        if (free && free->until > came)
            oracle_why_by_resource(o, w->step, free->place, "copy_worker");
    }
    if (went_on)
        w->admitted[pe] = now(o, w->step);
    const uint64_t place = firing_place(o);
    place_at(o, place)->copy = takes;
    if (o->s->copy_workers)
        *LIB_VEC_PUSH(&w->copiers) = (struct copier){o->now + takes, place};
}

/* --- activations ---------------------------------------------------------------------- */

void oracle_why_touch(struct oracle *o, struct activation *tag)
{
    tag->why = now(o, o->why->step);
}

void oracle_why_freed(struct oracle *o, struct activation *a)
{
    struct why *w = o->why;
    w->freed = w->freed_of[a->function] = now(o, w->step);
    if (a->is_copy && a->place < o->s->pe_count)
        w->uncopied[a->place] = now(o, w->step);
    if (a->is_iteration)
        oracle_loop(o, a->parent, a->site)->why = now(o, w->step);
    oracle_why_touch(o, a->parent);
}

void oracle_why_begun(struct oracle *o, struct loop *loop)
{
    loop->why = now(o, o->why->step);
}

/* --- firings -------------------------------------------------------------------------- */

struct stamp oracle_why_stamp(struct oracle *o, const struct token *t)
{
    return (struct stamp){t->place, place_at(o, t->place)->time};
}

void oracle_why_meets(struct oracle *o, const struct token *t, struct stamp other,
                      unsigned port)
{
    if (o->why->is_turn && other.place != NOWHERE && other.time == o->now &&
        port < t->port)
        o->why->tie = other;
}

void oracle_why_slower(struct oracle *o, uint64_t cycles)
{
    o->why->slower = cycles;
}

static void note_formed(struct oracle *o, uint64_t place, uint64_t formed, unsigned pe)
{
    struct why *w = o->why;
    if (w->formed_by != NOWHERE &&
        (formed < w->formed || (formed == w->formed && pe >= w->formed_pe)))
        return;
    w->formed = formed;
    w->formed_by = place;
    w->formed_pe = pe;
}

void oracle_why_fires(struct oracle *o, const struct instr *instr, unsigned pe,
                      uint64_t formed)
{
    struct why *w = o->why;
    struct place *p = place_at(o, firing_place(o));
    p->fires = true;
    p->instr = instr;
    p->node = node_of(o, instr);
    p->formed = formed;
    p->slower = w->slower;
    p->intern = w->intern;
    p->spill = w->spill;
    if (o->s->executor_workers)
        oracle_why_serve(o, &w->turns[pe], w->fired);
    else
        note_formed(o, w->fired, formed, pe);
}

void oracle_why_ends(struct oracle *o, unsigned pe, uint64_t end)
{
    place_at(o, o->why->fired)->formed = end;
    note_formed(o, o->why->fired, end, pe);
}

void oracle_why_spills(struct oracle *o)
{
    o->why->spill = o->s->spill_latency;
}

/* A worker has the lock, for a firing or to free frames after the last one. */
void oracle_why_lock(struct oracle *o, unsigned w, unsigned machine, uint64_t from,
                     uint64_t until, bool fires)
{
    struct why *why = o->why;
    const uint64_t own = why->turns[w].last.place;
    const uint64_t place = oracle_why_place(o, ORACLE_LOCKS, place_at(o, own)->instr, w);
    struct place *p = place_at(o, place);
    p->time = p->since = from;
    p->formed = until;
    if (fires)
        place_at(o, own)->lock = place;
    if (from > o->now && why->last_lock[machine].place != NOWHERE) {
        oracle_why_by_resource(o, place, why->last_lock[machine].place, "lock");
    } else {
        p->before = own;
        p->way = fires ? STEP : SENT;
        p->cause = "lock";
    }
    why->last_lock[machine] = now(o, place);
    if (!fires)
        note_formed(o, place, until, w);
}

/* --- the run -------------------------------------------------------------------------- */

static void forget(struct stamp *stamps, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        stamps[i] = never;
}

static struct server *servers(uint64_t count)
{
    struct server *s = lib_mem_new(count * sizeof *s);
    for (uint64_t i = 0; i < count; i++)
        s[i] = (struct server){never, never};
    return s;
}

uint64_t oracle_why_fired(const struct oracle *o)
{
    return o->why->fired;
}

void oracle_why_start(struct oracle *o)
{
    const uint64_t pes = o->s->pe_count, functions = o->graph->function_count;
    struct why *w = o->why = lib_mem_new(sizeof *w);
    *w = (struct why){.turns = servers(pes),
                      .units = servers(pes),
                      .issues = servers(pes),
                      .links = servers(oracle_routers_links(o)),
                      .rooms = lib_mem_new(pes * sizeof *w->rooms),
                      .uncopied = lib_mem_new(pes * sizeof *w->uncopied),
                      .admitted = lib_mem_new(pes * sizeof *w->admitted),
                      .freed_of = lib_mem_new(functions * sizeof *w->freed_of),
                      .freed = never,
                      .last_lock = lib_mem_new(pes * sizeof *w->last_lock),
                      .coordinator = {never, never},
                      .tie = never,
                      .admits = NOWHERE,
                      .formed_by = NOWHERE};
    for (uint64_t i = 0; i < pes; i++)
        w->rooms[i] = (struct room){0, never};
    forget(w->last_lock, pes);
    forget(w->uncopied, pes);
    forget(w->admitted, pes);
    forget(w->freed_of, functions);
    oracle_why_place(o, ORACLE_STARTS, NULL, NONE);
}

void oracle_why_end(struct oracle *o)
{
    struct why *w = o->why;
    oracle_why_walk(o);
    lib_mem_free(w->turns);
    lib_mem_free(w->units);
    lib_mem_free(w->links);
    lib_mem_free(w->rooms);
    lib_mem_free(w->last_lock);
    lib_mem_free(w->uncopied);
    lib_mem_free(w->admitted);
    lib_mem_free(w->freed_of);
    LIB_VEC_FREE(&w->places);
    lib_mem_free(w->issues);
    for (int u = 0; u < ISA_UNIT_COUNT; u++)
        LIB_VEC_FREE(&w->counted[u]);
    LIB_VEC_FREE(&w->tensor_units);
    LIB_VEC_FREE(&w->copiers);
    lib_mem_free(w);
}
