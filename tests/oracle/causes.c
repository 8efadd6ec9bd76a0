/* "Why: one cause for each cycle": every place of a run is kept, and the chain is walked in the end. */
#include "tests/oracle/state.h"

enum way { START, SENT, ANSWER, HELD, REQUEST, PORT, STEP, RESOURCE };

struct place {
    enum oracle_place kind;
    uint64_t time, before, since; /* since when its token was where it waited */
    enum way way;
    const char *cause;
    uint32_t node;
    unsigned pe, link; /* of what passes a link: that */
    /* of a firing, or of one that has the lock: */
    bool fires;
    const struct instr *instr;
    uint64_t formed, slower, intern, spill, copy, lock;
};

struct server {
    struct stamp last, before;
};

struct copier {
    uint64_t until, place;
};

struct why {
    LIB_VEC(struct place) places;
    struct server *turns, *units;
    struct server *links; /* output ports, input ports, links between routers */
    struct stamp last_lock, *uncopied, *admitted, freed, *freed_of;
    LIB_VEC(struct copier) copiers;
    uint64_t step, fired, last;
    enum way way;
    bool is_turn;
    struct stamp tie;   /* an operand that had its turn in this cycle, and is lower */
    uint64_t admits;    /* an APPLY that goes on, till it is copied; */
    uint64_t kept;      /* since when it waited, */
    bool admits_lacked; /* and whether it lacked room */
    uint64_t slower, intern, spill;
    uint64_t formed, formed_by;
    unsigned formed_pe;
};

static const struct stamp never = {NOWHERE, 0};

/* --- places --------------------------------------------------------------------------------- */

static struct place *place_at(struct oracle *o, uint64_t place)
{
    return &o->why->places.items[place];
}

static uint32_t node_of(const struct oracle *o, const struct instr *instr)
{
    return instr ? (uint32_t)(instr->node - o->graph->nodes) : NONE;
}

static uint64_t new_place(struct oracle *o, enum oracle_place kind,
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

static struct stamp now(const struct oracle *o, uint64_t place)
{
    return (struct stamp){place, o->now};
}

/* What its token needed came before it did, or with it. */
static void by_token(struct oracle *o, uint64_t place, const struct token *t,
                     const char *cause)
{
    struct place *p = place_at(o, place);
    p->before = t->place;
    p->way = (enum way)t->way;
    p->since = t->since;
    p->cause = cause;
}

static void by_resource(struct oracle *o, uint64_t place, uint64_t before,
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
        by_resource(o, place, resource.place, cause);
    else
        by_token(o, place, t, cause);
}

static struct stamp before_now(const struct oracle *o, const struct server *s)
{
    return s->last.place != NOWHERE && s->last.time == o->now ? s->before : s->last;
}

static void serve(struct oracle *o, struct server *s, uint64_t place)
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

/* Room in an input queue, or before a port. */
static void by_room(struct oracle *o, uint64_t place, const struct token *t,
                    const struct server *queue, uint64_t since)
{
    if (is_later(queue->last, since))
        by_resource(o, place, queue->last.place, "back_pressure");
    else
        by_token(o, place, t, "back_pressure");
}

static const struct server *lacking(const struct oracle *o, const struct token *t)
{
    return t->lack_is_port ? &o->why->links[t->lack] : &o->why->turns[t->lack];
}

static bool lacks_last(const struct token *t, struct stamp served)
{
    return t->lacked && (served.place == NOWHERE || served.time <= t->lacked_at);
}

/* --- tokens on their way --------------------------------------------------------------------- */

static uint64_t firing_place(struct oracle *o)
{
    struct why *w = o->why;
    if (w->tie.place == NOWHERE)
        return w->fired;
    const struct place *step = place_at(o, w->step);
    w->fired = new_place(o, ORACLE_TURNS, step->instr, step->pe);
    by_resource(o, w->fired, w->tie.place, "matching");
    w->tie = never;
    return w->fired;
}

void oracle_why_sent(struct oracle *o, struct token *t, bool is_request)
{
    t->place = firing_place(o);
    t->way = is_request ? REQUEST : o->why->way;
}

void oracle_why_woken(struct oracle *o, struct token *t)
{
    t->place = firing_place(o);
    t->way = HELD;
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

void oracle_why_port(struct oracle *o, struct token *t, unsigned link, uint64_t free)
{
    const unsigned pes = (unsigned)o->s->pe_count;
    const unsigned pe = link < 2 * pes ? link % pes : NONE;
    const bool is_input = link >= pes && link < 2 * pes;
    struct server *port = &o->why->links[link];
    const uint64_t place = new_place(o, ORACLE_PORTS, t->instr, pe);
    if (t->since == o->now)
        by_token(o, place, t, "port");
    else if (port->last.place != NOWHERE && free == o->now)
        by_resource(o, place, port->last.place, "port");
    else
        by_room(o, place, t, is_input ? &o->why->turns[pe] : &o->why->links[pes + t->to],
                t->since);
    place_at(o, place)->link = link;
    serve(o, port, place);
    t->place = place;
    t->way = PORT;
}

/* --- turns ------------------------------------------------------------------------------------- */

void oracle_why_turn(struct oracle *o, struct token *t, unsigned pe)
{
    struct server *turns = &o->why->turns[pe];
    const struct stamp before = before_now(o, turns);
    const uint64_t place = new_place(o, ORACLE_TURNS, t->instr, pe);
    if (t->since == o->now)
        by_token(o, place, t, "issue_slot");
    else if (lacks_last(t, before))
        by_room(o, place, t, lacking(o, t), t->since);
    else
        by_later(o, place, t, before, "issue_slot");
    serve(o, turns, place);
    t->place = place;
    t->way = STEP;
}

/* A worker takes a token: `turns` is what workers fired. */
void oracle_why_worker(struct oracle *o, struct token *t, unsigned w)
{
    const struct stamp fired = o->why->turns[w].last;
    const uint64_t place = new_place(o, ORACLE_TURNS, t->instr, w);
    if (t->since < o->now && fired.place != NOWHERE)
        by_resource(o, place, fired.place, "worker");
    else
        by_token(o, place, t, "worker");
    t->place = place;
    t->way = STEP;
}

/* A step begins, whose place its token has. */
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

/* --- what goes on --------------------------------------------------------------------------------- */

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
    const uint64_t place = new_place(o, ORACLE_GOES_ON, t->instr,
                                     o->s->executor_workers ? NONE : pe);
    if (forced)
        by_resource(o, place, last, "loop_bound");
    else
        by_later(o, place, t, what, "loop_bound");
    t->place = place;
}

void oracle_why_served(struct oracle *o, struct token *t, unsigned unit)
{
    struct server *s = &o->why->units[unit];
    const struct stamp before = before_now(o, s);
    const uint64_t place = new_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    if (t->since + 1 == o->now)
        by_token(o, place, t, "tag_manager");
    else if (lacks_last(t, before))
        by_room(o, place, t, lacking(o, t), t->since);
    else
        by_later(o, place, t, before, "tag_manager");
    serve(o, s, place);
    t->place = place;
}

void oracle_why_numbered(struct oracle *o, struct token *t)
{
    const struct why *w = o->why;
    const uint32_t callee = o->graph->sites[t->instr->node->site].callee;
    const struct stamp freed = o->s->tag_scheme == ORACLE_POOL ? w->freed_of[callee]
                                                               : w->freed;
    const uint64_t since = is_later(freed, t->since) ? freed.time : t->since;
    const uint64_t place = new_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    if (t->lacked)
        by_room(o, place, t, lacking(o, t), since);
    else
        by_later(o, place, t, freed, "identifier");
    t->place = place;
}

void oracle_why_apply(struct oracle *o, struct token *t)
{
    struct why *w = o->why;
    const uint64_t place = new_place(o, ORACLE_GOES_ON, t->instr, pe_of(o, t));
    w->kept = t->since;
    if (t->lacked)
        by_room(o, place, t, lacking(o, t), t->since);
    else
        by_token(o, place, t, "copy_room");
    w->admits = place;
    w->admits_lacked = t->lacked;
    t->place = place;
}

/* The copy is made: room, who waited before it, and a worker. */
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
            by_resource(o, w->step, w->uncopied[pe].place, "copy_room");
            came = w->uncopied[pe].time + 1;
        }
        if (w->admitted[pe].place != NOWHERE && w->admitted[pe].time > came) {
            by_resource(o, w->step, w->admitted[pe].place, "copy_room");
            came = w->admitted[pe].time;
        }
        if (free && free->until > came)
            by_resource(o, w->step, free->place, "copy_worker");
    }
    if (went_on)
        w->admitted[pe] = now(o, w->step);
    const uint64_t place = firing_place(o);
    place_at(o, place)->copy = takes;
    if (o->s->copy_workers)
        *LIB_VEC_PUSH(&w->copiers) = (struct copier){o->now + takes, place};
}

/* --- activations ---------------------------------------------------------------------------------- */

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

/* --- firings ------------------------------------------------------------------------------------------ */

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
        serve(o, &w->turns[pe], w->fired);
    else
        note_formed(o, w->fired, formed, pe);
}

/* A worker will have ended what it fires. */
void oracle_why_ends(struct oracle *o, unsigned pe, uint64_t end)
{
    place_at(o, o->why->fired)->formed = end;
    note_formed(o, o->why->fired, end, pe);
}

void oracle_why_spills(struct oracle *o)
{
    o->why->spill = o->s->spill_latency;
}

/* A worker has the lock from a time on, for a firing, or to free frames after its last one. */
void oracle_why_lock(struct oracle *o, unsigned w, uint64_t from, uint64_t until,
                     bool fires)
{
    struct why *why = o->why;
    const uint64_t own = why->turns[w].last.place;
    const uint64_t place = new_place(o, ORACLE_LOCKS, place_at(o, own)->instr, w);
    struct place *p = place_at(o, place);
    p->time = p->since = from;
    p->formed = until;
    if (fires)
        place_at(o, own)->lock = place;
    if (from > o->now && why->last_lock.place != NOWHERE) {
        by_resource(o, place, why->last_lock.place, "lock");
    } else {
        p->before = own;
        p->way = fires ? STEP : SENT;
        p->cause = "lock";
    }
    why->last_lock = now(o, place);
    if (!fires)
        note_formed(o, place, until, w);
}

/* --- the chain ----------------------------------------------------------------------------------------- */

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

static void add(struct pieces *p, uint64_t cycles, const char *cause,
                const struct place *of)
{
    if (cycles == 0)
        return;
    p->at += cycles;
    p->items[p->count++] = (struct piece){p->at, cause, of};
}

static const char *unit_of(const struct place *f, enum way way)
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
                       enum way way)
{
    const struct oracle_settings *s = o->s;
    if (f->kind == ORACLE_LOCKS) {
        add(p, f->formed - p->at, "lock", f);
        return;
    }
    if (s->executor_workers) {
        add(p, f->formed - p->at, f->copy != NOWHERE ? "copy" : unit_of(f, way), f);
        return;
    }
    const uint64_t copy = f->copy != NOWHERE ? f->copy : 0;
    add(p, s->match_latency, "matching", f);
    add(p, f->slower, "overflow_store", f);
    add(p, s->fetch_latency, "fetching", f);
    add(p, f->intern, "tag_manager", f);
    add(p, f->spill, "identifier", f);
    add(p, copy, "copy", f);
    add(p, s->unit_latency[isa_op_table[f->instr->node->op].unit], unit_of(f, way), f);
    add(p, s->form_latency, "forming", f);
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

/* The time between a place and the one before; or the lock that the firing there has. */
static void put_between(struct oracle *o, const struct place *p,
                        const struct place *before, const struct place *lock)
{
    const struct oracle_settings *s = o->s;
    const uint64_t stages = s->match_latency + s->fetch_latency + s->form_latency;
    const uint64_t from = lock ? lock->time : before->time;
    struct pieces all = {.at = from};
    const uint64_t there = p->way == RESOURCE ? from : p->since;
    if (lock)
        add(&all, lock->formed - all.at, "lock", before);
    if (p->way == SENT || p->way == ANSWER || p->way == HELD)
        add_firing(o, &all, before, p->way);
    if (p->way == REQUEST)
        add(&all, stages ? stages : 1, "element_request", p);
    if (p->way == PORT && o->routers && !oracle_routers_ejects(o, before->link)) {
        const uint64_t router = oracle_routers_router(o, before->link);
        add(&all, there - all.at - router, "link", p);
        add(&all, router, "router", p);
    }
    if (p->way != RESOURCE)
        add(&all, there - all.at, "link", p);
    add(&all, p->time - all.at, p->cause, p);
    for (size_t i = all.count; i-- > 0;)
        put_piece(o, &all, i, i ? all.items[i - 1].to : from);
}

static void put_place(struct oracle *o, const struct place *p)
{
    *LIB_VEC_PUSH(&o->outcome->chain) = (struct oracle_piece){
        .kind = p->kind, .from = p->time, .to = p->time, .node = p->node, .pe = p->pe};
}

static void walk(struct oracle *o)
{
    struct why *w = o->why;
    struct place p = {.kind = ORACLE_ENDS,
                      .time = o->outcome->stats.cycles,
                      .since = o->outcome->stats.cycles,
                      .before = w->formed_by,
                      .way = SENT,
                      .node = NONE,
                      .pe = NONE};
    if (w->formed_by == NOWHERE || w->formed != p.time) {
        p.way = RESOURCE;
        p.cause = "cut";
        p.before = w->last;
    }
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

/* --- the run --------------------------------------------------------------------------------------------- */

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

void oracle_why_start(struct oracle *o)
{
    const uint64_t pes = o->s->pe_count, functions = o->graph->function_count;
    struct why *w = o->why = lib_mem_new(sizeof *w);
    *w = (struct why){.turns = servers(pes),
                      .units = servers(pes),
                      .links = servers(oracle_routers_links(o)),
                      .uncopied = lib_mem_new(pes * sizeof *w->uncopied),
                      .admitted = lib_mem_new(pes * sizeof *w->admitted),
                      .freed_of = lib_mem_new(functions * sizeof *w->freed_of),
                      .freed = never,
                      .last_lock = never,
                      .tie = never,
                      .admits = NOWHERE,
                      .formed_by = NOWHERE};
    forget(w->uncopied, pes);
    forget(w->admitted, pes);
    forget(w->freed_of, functions);
    new_place(o, ORACLE_STARTS, NULL, NONE);
}

void oracle_why_end(struct oracle *o)
{
    struct why *w = o->why;
    walk(o);
    lib_mem_free(w->turns);
    lib_mem_free(w->units);
    lib_mem_free(w->links);
    lib_mem_free(w->uncopied);
    lib_mem_free(w->admitted);
    lib_mem_free(w->freed_of);
    LIB_VEC_FREE(&w->places);
    LIB_VEC_FREE(&w->copiers);
    lib_mem_free(w);
}
