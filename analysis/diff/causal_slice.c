#include "analysis/diff/causal_slice.h"

#include "lib/key_map.h"

enum { AT_A_TIME = 1 << 18 };

#define NONE UINT32_MAX

struct locating {
    const struct analysis_causal_slice_of *of;
    struct analysis_walk walk;
    uint64_t index, cycle;
    struct analysis_fired *found;
    bool is_found;
    atomic_bool stop;
};

static struct analysis_fired fired_of(const struct analysis_walk *walk,
                                      const struct traces_event *e)
{
    return (struct analysis_fired){
        .key = analysis_walk_key(walk, e),
        .cycle = e->cycle,
        .index = walk->fired,
        .number = walk->alike->numbers[walk->side][e->instr],
        .pe = e->pe,
    };
}

static void locate(void *context, const struct traces_event *e, size_t count)
{
    struct locating *l = context;
    for (; count && !l->is_found; e++, count--) {
        if (analysis_is_firing(e) && e->cycle >= l->cycle && l->walk.fired >= l->index &&
            !analysis_agrees(l->of->run, l->walk.fired)) {
            *l->found = fired_of(&l->walk, e);
            l->is_found = true;
            l->stop = true;
        }
        analysis_walk_note(&l->walk, e);
    }
}

/* Returns the later of the last mark up to `cycle` and the last mark up to firing `index`. */
static size_t mark_of(const struct analysis_shifts_run *run, uint64_t index,
                      uint64_t cycle)
{
    size_t i = analysis_mark_before(run, index);
    while (i + 1 < run->marks.count && run->marks.items[i + 1].cycle <= cycle)
        i++;
    return i;
}

bool analysis_locate(const struct analysis_causal_slice_of *of, uint64_t index,
                     uint64_t cycle, struct analysis_fired *found)
{
    if (index >= of->run->fired)
        return false;
    const struct analysis_mark *mark =
        &of->run->marks.items[mark_of(of->run, index, cycle)];
    struct locating l = {.of = of, .index = index, .cycle = cycle, .found = found};
    const struct traces_event_sink sink = {TRACES_LEVEL_FIRINGS, locate, &l};
    l.walk = analysis_walk_start(of->alike, of->side, mark->index);
    const bool is_read = of->source->read(of->source->context, mark->cycle, UINT64_MAX,
                                          &sink, &l.stop);
    (void)is_read; /* false if stopped */
    analysis_walk_free(&l.walk);
    return l.is_found;
}

/* Keys reached so far: of firings whose operands were sent, and of reads that wait. */
struct reaching {
    const struct analysis_causal_slice_of *of;
    struct analysis_walk walk;
    uint64_t from;
    struct lib_key_map operands, deferred;
    /* in this turn the firing is reached; the tokens sent are reached */
    bool fires, sends;
    struct analysis_reach *reach;
};

static void reach_firing(struct reaching *r, uint64_t key)
{
    const uint64_t index = r->walk.fired;
    r->fires = r->sends = lib_key_map_remove(&r->operands, key) || index == r->from;
    if (!r->fires)
        return;
    r->reach->reached++;
    r->reach->differing += !analysis_agrees(r->of->run, index);
}

static void reach_event(struct reaching *r, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
        r->fires = r->sends = false;
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        reach_firing(r, analysis_walk_key(&r->walk, e));
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
    case TRACES_EVENT_WOKEN:
        if (r->sends)
            lib_key_map_put(&r->operands, analysis_walk_key(&r->walk, e), 1);
        break;
    case TRACES_EVENT_DEFERRED:
        if (r->fires)
            lib_key_map_put(&r->deferred, analysis_walk_key(&r->walk, e), 1);
        break;
    case TRACES_EVENT_ANSWERED:
        r->sends = lib_key_map_remove(&r->deferred, analysis_walk_key(&r->walk, e)) ||
                   r->fires;
        break;
    default:
        break;
    }
}

static void reach_events(void *context, const struct traces_event *e, size_t count)
{
    struct reaching *r = context;
    for (; count; e++, count--) {
        reach_event(r, e);
        analysis_walk_note(&r->walk, e);
    }
}

bool analysis_reach_find(const struct analysis_causal_slice_of *of,
                         const struct analysis_fired *from, struct analysis_reach *reach)
{
    const struct analysis_mark *mark =
        &of->run->marks.items[analysis_mark_before(of->run, from->index)];
    struct reaching r = {.of = of, .from = from->index, .reach = reach};
    const struct traces_event_sink sink = {TRACES_LEVEL_ALL, reach_events, &r};
    *reach = (struct analysis_reach){0};
    r.walk = analysis_walk_start(of->alike, of->side, mark->index);
    const bool is_read = of->source->read(of->source->context, mark->cycle, UINT64_MAX,
                                          &sink, NULL);
    analysis_walk_free(&r.walk);
    lib_key_map_free(&r.operands);
    lib_key_map_free(&r.deferred);
    return is_read;
}

enum what { FIRING, SENT, WOKEN, ANSWERED };

struct step {
    enum what what;

    /* For a token, only the key of the firing to which it goes; for an answer, the key of the
     * read. */
    struct analysis_fired fired;
    uint32_t tokens; /* number of tokens that a firing consumes */
};

struct member {
    struct analysis_fired fired;
    uint32_t cause; /* index of its last differing cause, or NONE */
};

struct coning {
    const struct analysis_causal_slice_of *of;
    struct analysis_walk walk;
    struct analysis_causal_slice *cone;
    uint64_t from;
    LIB_VEC(struct step) steps; /* of the part of the run in memory */
    LIB_VEC(struct member) members;
    struct lib_key_map member_of; /* maps the key of a firing to its member */
    /* Maps the key of an answered read to 1 + the member that got the answer. */
    struct lib_key_map reads;
    uint64_t missing; /* tokens of members whose senders are not found yet */
    bool has_begun;

    /* Members that got a token in this turn; that got a token of an answer in it. */
    LIB_VEC(uint32_t) sent, answers;
};

/* Returns the maximum number of tokens that a firing consumes. A PARAM gets its argument; with
 * hiatons, a MERGEIF gets one from either side. */
static uint32_t tokens_of(const struct coning *c, const struct traces_event *e)
{
    const struct isa_node *node = &c->of->alike->graphs[c->of->side]->nodes[e->instr];
    return isa_node_tokens(node) + (node->op == ISA_OP_PARAM) +
           (c->of->run->has_dead && node->op == ISA_OP_MERGEIF);
}

static void keep_step(struct coning *c, const struct traces_event *e, enum what what)
{
    *LIB_VEC_PUSH(&c->steps) = (struct step){.what = what,
                                             .fired = fired_of(&c->walk, e),
                                             .tokens = what == FIRING ? tokens_of(c, e)
                                                                      : 0};
}

static void keep_steps(void *context, const struct traces_event *e, size_t count)
{
    struct coning *c = context;
    for (; count; e++, count--) {
        switch (e->kind) {
        case TRACES_EVENT_FIRED:
        case TRACES_EVENT_DEAD:
            keep_step(c, e, FIRING);
            break;
        case TRACES_EVENT_SENT:
        case TRACES_EVENT_SENT_DEAD:
            keep_step(c, e, SENT);
            break;
        case TRACES_EVENT_WOKEN: /* another firing sent it before */
            keep_step(c, e, WOKEN);
            break;
        case TRACES_EVENT_ANSWERED:
            keep_step(c, e, ANSWERED);
            break;
        default:
            break;
        }
        analysis_walk_note(&c->walk, e);
    }
}

static void add_member(struct coning *c, const struct step *step)
{
    const uint32_t number = (uint32_t)c->members.count;
    if (c->members.count == ANALYSIS_CAUSAL_SLICE_MAX) {
        c->cone->is_cut = true;
        return;
    }
    *LIB_VEC_PUSH(&c->members) = (struct member){step->fired, NONE};
    lib_key_map_put(&c->member_of, step->fired.key, number);
    c->cone->since = step->fired.cycle;
    c->missing += step->tokens;
}

static void note_cause(struct coning *c, const struct step *step)
{
    const uint64_t *read = lib_key_map_find(&c->reads, step->fired.key);
    if (read)
        *LIB_VEC_PUSH(&c->answers) = (uint32_t)(*read - 1);
    const bool is_cause = c->sent.count + c->answers.count > 0;
    const uint32_t number = (uint32_t)c->members.count;
    if (is_cause && analysis_agrees(c->of->run, step->fired.index)) {
        if (c->cone->agreeing++ == 0)
            c->cone->last_agreeing = step->fired;
    } else if (is_cause) {
        add_member(c, step);
        for (size_t i = 0; i < c->sent.count + c->answers.count; i++) {
            const uint32_t member = i < c->sent.count
                                        ? c->sent.items[i]
                                        : c->answers.items[i - c->sent.count];
            if (c->members.items[member].cause == NONE && c->members.count > number)
                c->members.items[member].cause = number;
        }
    }
    if (read)
        lib_key_map_remove(&c->reads, step->fired.key);
    c->sent.count = c->answers.count = 0;
}

/* Goes back over an event. At an answer, tokens sent since have two causes: the firing that
 * answered, and the read. */
static void step_back(struct coning *c, const struct step *step)
{
    const uint64_t *member;
    switch (step->what) {
    case SENT:
    case WOKEN:
        member = lib_key_map_find(&c->member_of, step->fired.key);
        if (!member)
            return;
        *LIB_VEC_PUSH(&c->sent) = (uint32_t)*member;
        c->missing -= c->missing > 0 && step->what == SENT;
        return;
    case ANSWERED:
        for (size_t i = 0; i < c->sent.count; i++) {
            lib_key_map_put(&c->reads, step->fired.key, c->sent.items[i] + 1);
            *LIB_VEC_PUSH(&c->answers) = c->sent.items[i];
        }
        c->sent.count = 0;
        return;
    case FIRING:
        note_cause(c, step);
        return;
    }
}

static void walk_back(struct coning *c)
{
    for (size_t i = c->steps.count; i-- > 0 && !c->cone->is_cut;) {
        const struct step *step = &c->steps.items[i];
        if (c->has_begun) {
            step_back(c, step);
        } else if (step->what == FIRING && step->fired.index == c->from) {
            c->has_begun = true;
            add_member(c, step);
        }
    }
}

static bool read_window(struct coning *c, size_t from, size_t to)
{
    const struct analysis_shifts_run *run = c->of->run;
    const struct traces_event_sink sink = {TRACES_LEVEL_ALL, keep_steps, c};
    const uint64_t end = to < run->marks.count ? run->marks.items[to].cycle : UINT64_MAX;
    c->steps.count = 0;
    c->walk = analysis_walk_start(c->of->alike, c->of->side,
                                  run->marks.items[from].index);
    const bool is_read = c->of->source->read(
        c->of->source->context, run->marks.items[from].cycle, end, &sink, NULL);
    analysis_walk_free(&c->walk);
    return is_read;
}

static void end_cone(struct coning *c)
{
    c->cone->differing = c->members.count;
    for (uint32_t i = 0; c->members.count && i != NONE; i = c->members.items[i].cause)
        *LIB_VEC_PUSH(&c->cone->chain) = c->members.items[i].fired;
    lib_key_map_free(&c->member_of);
    lib_key_map_free(&c->reads);
    LIB_VEC_FREE(&c->steps, &c->members, &c->sent, &c->answers);
}

bool analysis_causal_slice_find(const struct analysis_causal_slice_of *of,
                                const struct analysis_fired *from, uint64_t at_a_time,
                                struct analysis_causal_slice *cone)
{
    struct coning c = {.of = of, .cone = cone, .from = from->index};
    const struct analysis_mark *marks = of->run->marks.items;
    const uint64_t firings = at_a_time ? at_a_time : AT_A_TIME;
    size_t to = analysis_mark_before(of->run, from->index) + 1;
    bool is_read = true;
    *cone = (struct analysis_causal_slice){0};
    do {
        size_t first = to - 1;
        while (first > 0 && marks[to - 1].index - marks[first - 1].index < firings)
            first--;
        is_read = read_window(&c, first, to);
        walk_back(&c);
        to = first;
    } while (is_read && to > 0 && !cone->is_cut && (c.missing > 0 || c.reads.count > 0));
    end_cone(&c);
    return is_read;
}

void analysis_causal_slice_free(struct analysis_causal_slice *cone)
{
    LIB_VEC_FREE(&cone->chain);
}
