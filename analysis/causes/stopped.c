#include "analysis/causes/stopped.h"

#include <string.h>

#include "analysis/causes/causes_internal.h"

const char *analysis_stopped_text(enum analysis_stopped_where where)
{
    static const char *const texts[] = {"input queue",
                                        "output port",
                                        "input port",
                                        "injection",
                                        "ejection",
                                        "buffer behind the injection",
                                        "buffer behind link",
                                        "held back",
                                        "turn",
                                        "identifier",
                                        "room for a copy",
                                        "store",
                                        "memory",
                                        "call"};
    return texts[where];
}

/* --- steps -------------------------------------------------------------------------- */

static struct analysis_stopped_step *add_step(const struct analysis_causes *c,
                                              struct analysis_stopped *s, uint32_t tag)
{
    struct lib_text text = {0};
    struct analysis_stopped_step *step = LIB_VEC_PUSH(&s->steps);
    *step = (struct analysis_stopped_step){.number = TRACES_NONE,
                                           .lacks_number = TRACES_NONE,
                                           .lacks_channel = TRACES_NONE,
                                           .channel = TRACES_NONE,
                                           .instr = TRACES_NONE,
                                           .port = TRACES_NONE,
                                           .function = TRACES_NONE};
    if (traces_live_tags_find(&c->live, tag))
        traces_live_tags_write(&c->live, tag, &text);
    step->tag = lib_mem_new(text.length + 1);
    memcpy(step->tag, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return step;
}

static struct analysis_stopped_step *add_token(const struct analysis_causes *c,
                                               struct analysis_stopped *s,
                                               const struct causes_token *t)
{
    struct analysis_stopped_step *step = add_step(c, s, t->name.tag);
    step->instr = t->name.instr;
    step->port = t->name.port;
    step->function = c->graph->nodes[t->name.instr].function;
    step->where = ANALYSIS_STOPPED_HELD;
    step->number = t->to;
    return step;
}

/* --- queues that wait for each other ------------------------------------------------ */

/* Places are input queues, then what is before the links of PEs, then buffers, as they are
 * numbered. */
static uint32_t place_of(const struct analysis_causes *c, enum traces_place kind,
                         uint32_t number, uint32_t channel)
{
    const uint32_t pes = c->machine.pe_count;
    return kind == TRACES_PLACE_INPUT  ? number
           : kind == TRACES_PLACE_LINK ? pes + number
                                       : 3 * pes + number * c->machine.channels + channel;
}

static size_t count_places(const struct analysis_causes *c)
{
    return 3 * (size_t)c->machine.pe_count +
           (size_t)c->machine.link_count * c->machine.channels;
}

static void tell_place(const struct analysis_causes *c, uint32_t place,
                       enum analysis_stopped_where *where, uint32_t *number,
                       uint32_t *channel)
{
    const uint32_t pes = c->machine.pe_count;
    const uint32_t kind = place / pes, buffer = place - 3 * pes;
    *number = place % pes;
    *where = kind == 0 || !c->machine.has_routers
                 ? (enum analysis_stopped_where)kind
                 : (enum analysis_stopped_where)(kind - 1 + ANALYSIS_STOPPED_INJECTION);
    if (kind < 3)
        return;
    *number = buffer / c->machine.channels;
    *where = *number < pes ? ANALYSIS_STOPPED_BEHIND_INJECTION
                           : ANALYSIS_STOPPED_BEHIND_LINK;
    *number -= *number < pes ? 0 : 2 * pes;
    *channel = buffer % c->machine.channels;
}

/* Where a token stands at the head of others, or may; TRACES_NONE: nowhere. */
static uint32_t stands_in(const struct analysis_causes *c, const struct causes_token *t)
{
    if (t->where == CAUSES_BEHIND)
        return place_of(c, TRACES_PLACE_BUFFER, t->place, t->channel);
    if (t->where == CAUSES_BEFORE && t->place < 2 * c->machine.pe_count)
        return place_of(c, TRACES_PLACE_LINK, t->place, 0);
    return t->where == CAUSES_QUEUED && t->pressed && t->place < c->machine.pe_count
               ? t->place
               : TRACES_NONE;
}

/* The place that a token lacks room in, where it stands at the head of another. */
static uint32_t lacks_of(const struct analysis_causes *c, const struct causes_token *t)
{
    const uint32_t pes = c->machine.pe_count;
    if (t->where != CAUSES_BEFORE || c->machine.channels)
        return t->pressed
                   ? place_of(c, t->pressed_kind, t->pressed_place, t->pressed_channel)
                   : TRACES_NONE;
    return t->place < pes ? place_of(c, TRACES_PLACE_LINK, pes + t->to, 0) : t->to;
}

/* The head of each place, or NULL: of an input queue the token that lacked room last, of others the
 * oldest. */
static const struct causes_token **heads_of(const struct analysis_causes *c)
{
    const struct causes_token **heads = lib_mem_new(count_places(c) * sizeof *heads);
    for (size_t i = 0; i < c->tokens.all.count; i++) {
        const struct causes_token *t = causes_tokens_get(&c->tokens, i);
        const uint32_t place = t ? stands_in(c, t) : TRACES_NONE;
        if (place == TRACES_NONE)
            continue;
        const struct causes_token **head = &heads[place];
        if (!*head || (t->where == CAUSES_QUEUED ? t->pressed > (*head)->pressed
                                                 : t->serial < (*head)->serial))
            *head = t;
    }
    return heads;
}

/* Follows who waits for whom from a place, until there is nobody, or one comes again. */
static void follow_places(const struct analysis_causes *c, struct analysis_stopped *s,
                          const struct causes_token *const *heads, uint32_t place)
{
    const size_t places = count_places(c);
    size_t *seen = lib_mem_new(places * sizeof *seen);
    while (place < places && heads[place] && !seen[place]) {
        struct analysis_stopped_step *step = add_token(c, s, heads[place]);
        tell_place(c, place, &step->where, &step->number, &step->channel);
        seen[place] = s->steps.count;
        place = lacks_of(c, heads[place]);
        if (place < places)
            tell_place(c, place, &step->lacks, &step->lacks_number, &step->lacks_channel);
    }
    s->cycle = place < places && seen[place] ? seen[place] - 1 : SIZE_MAX;
    lib_mem_free(seen);
}

static void drop_steps(struct analysis_stopped *s, size_t count)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        lib_mem_free(s->steps.items[i].tag);
    memmove(s->steps.items, s->steps.items + count,
            (s->steps.count - count) * sizeof *s->steps.items);
    s->steps.count -= count;
}

/* A circle of places if there is one, else the chain of the first. */
static void find_full(const struct analysis_causes *c, struct analysis_stopped *s)
{
    const struct causes_token **heads = heads_of(c);
    const uint32_t places = (uint32_t)count_places(c);
    for (uint32_t place = 0; place < places && s->steps.count == 0; place++) {
        if (!heads[place])
            continue;
        follow_places(c, s, heads, place);
        if (s->cycle == SIZE_MAX && place + 1 < places)
            drop_steps(s, s->steps.count);
    }
    for (uint32_t place = 0; place < places && s->steps.count == 0; place++)
        if (heads[place])
            follow_places(c, s, heads, place);
    if (s->cycle != SIZE_MAX) {
        drop_steps(s, s->cycle);
        s->cycle = 0;
    }
    lib_mem_free(heads);
}

/* --- what is held back -------------------------------------------------------------- */

/* The token that has been held back longest for such a reason; NULL. */
static const struct causes_token *first_kept(const struct analysis_causes *c,
                                             enum traces_outcome how)
{
    const struct causes_token *first = NULL;
    for (size_t i = 0; i < c->tokens.all.count; i++) {
        const struct causes_token *t = causes_tokens_get(&c->tokens, i);
        if (t && t->where == CAUSES_KEPT && t->place == (uint32_t)how &&
            (!first || t->serial < first->serial))
            first = t;
    }
    return first;
}

static uint32_t callee_of(const struct analysis_causes *c, uint32_t instr)
{
    return c->graph->sites[c->graph->nodes[instr].site].callee;
}

/* The calls and iterations around a token, which cannot end before it goes on, and have what it
 * lacks. */
static void add_calls(const struct analysis_causes *c, struct analysis_stopped *s,
                      uint32_t tag, enum analysis_stopped_where lacks)
{
    const struct traces_live_tag *live = traces_live_tags_find(&c->live, tag);
    for (; live && live->parent != TRACES_NONE;
         live = traces_live_tags_find(&c->live, live->parent)) {
        struct analysis_stopped_step *step = add_step(c, s, live->tag);
        step->where = ANALYSIS_STOPPED_CALL;
        step->number = traces_live_tags_more(&c->live, live)->pe;
        step->function = traces_live_tags_function(&c->live, live);
        step->lacks = lacks;
    }
}

static void find_kept(const struct analysis_causes *c, struct analysis_stopped *s,
                      const struct causes_token *t, enum analysis_stopped_where lacks)
{
    struct analysis_stopped_step *step = add_token(c, s, t);
    step->lacks = lacks;
    if (lacks == ANALYSIS_STOPPED_MEMORY)
        step->lacks_number = t->to;
    else if (lacks == ANALYSIS_STOPPED_COPY || c->machine.has_pools)
        step->lacks_number = callee_of(c, t->name.instr);
    add_calls(c, s, t->name.tag, ANALYSIS_STOPPED_CALL);
}

/* The turn that ended the run. */
static void find_last(const struct analysis_causes *c, struct analysis_stopped *s,
                      enum analysis_stopped_where lacks)
{
    if (c->f.instr >= c->graph->node_count)
        return;
    struct analysis_stopped_step *step = add_step(c, s, c->f.tag);
    step->instr = c->f.instr;
    step->port = c->f.port;
    step->function = c->graph->nodes[c->f.instr].function;
    step->where = ANALYSIS_STOPPED_TURN;
    step->number = c->f.pe;
    step->lacks = lacks;
    step->lacks_number = lacks == ANALYSIS_STOPPED_STORE ? c->f.pe
                         : c->machine.has_pools          ? callee_of(c, c->f.instr)
                                                         : TRACES_NONE;
    add_calls(c, s, c->f.tag, ANALYSIS_STOPPED_CALL);
}

void analysis_stopped_find(const struct analysis_causes *c, enum analysis_stopped_by by,
                           struct analysis_stopped *s)
{
    const struct causes_token *copy = first_kept(c, TRACES_OUTCOME_UNCOPIED);
    const struct causes_token *number = first_kept(c, TRACES_OUTCOME_UNNUMBERED);
    const struct causes_token *kernel = first_kept(c, TRACES_OUTCOME_UNROOMED);
    *s = (struct analysis_stopped){.cycle = SIZE_MAX};
    for (size_t i = 0; i < c->tokens.all.count; i++) {
        const struct causes_token *t = causes_tokens_get(&c->tokens, i);
        s->blocked += t && (t->where == CAUSES_KEPT || t->where == CAUSES_BEFORE ||
                            t->where == CAUSES_BEHIND || t->where == CAUSES_QUEUED);
    }
    if (by == ANALYSIS_STOPPED_BY_QUEUES && !c->machine.has_workers)
        find_full(c, s);
    else if (by == ANALYSIS_STOPPED_BY_COPIES && copy)
        find_kept(c, s, copy, ANALYSIS_STOPPED_COPY);
    else if (by == ANALYSIS_STOPPED_BY_IDENTIFIERS && number)
        find_kept(c, s, number, ANALYSIS_STOPPED_IDENTIFIER);
    else if (by == ANALYSIS_STOPPED_BY_MEMORIES && kernel)
        find_kept(c, s, kernel, ANALYSIS_STOPPED_MEMORY);
    else
        find_last(c, s,
                  by == ANALYSIS_STOPPED_BY_IDENTIFIERS ? ANALYSIS_STOPPED_IDENTIFIER
                                                        : ANALYSIS_STOPPED_STORE);
}

void analysis_stopped_free(struct analysis_stopped *s)
{
    drop_steps(s, s->steps.count);
    LIB_VEC_FREE(&s->steps);
}
