#include "analysis/causes/stopped.h"

#include <string.h>

#include "analysis/causes/causes_internal.h"
#include "lib/wait_graph.h"

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
    LIB_TEXT_OWN text = {0};
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

/* Numbers the places: input queues, then queues before the links of PEs, then buffers. */
static uint32_t place_of(const struct analysis_causes *c, enum traces_place kind,
                         uint32_t number, uint32_t channel)
{
    const uint32_t pes = c->machine.pe_count;
    return kind == TRACES_PLACE_INPUT ? number
           : kind == TRACES_PLACE_LINK
               ? pes + number
               : 3 * pes + number * c->network->channels + channel;
}

static size_t count_places(const struct analysis_causes *c)
{
    return 3 * (size_t)c->machine.pe_count +
           (size_t)c->network->link_count * c->network->channels;
}

static void describe_place(const struct analysis_causes *c, uint32_t place,
                           enum analysis_stopped_where *where, uint32_t *number,
                           uint32_t *channel)
{
    const uint32_t pes = c->machine.pe_count;
    const uint32_t kind = place / pes, buffer = place - 3 * pes;
    *number = place % pes;
    *where = kind == 0 || !c->network->has_routers
                 ? (enum analysis_stopped_where)kind
                 : (enum analysis_stopped_where)(kind - 1 + ANALYSIS_STOPPED_INJECTION);
    if (kind < 3)
        return;
    *number = buffer / c->network->channels;
    *where = *number < pes ? ANALYSIS_STOPPED_BEHIND_INJECTION
                           : ANALYSIS_STOPPED_BEHIND_LINK;
    *number -= *number < pes ? 0 : 2 * pes;
    *channel = buffer % c->network->channels;
}

/* Returns the place of which a token is or can be the head; or TRACES_NONE. */
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

static uint32_t lacked_place(const struct analysis_causes *c,
                             const struct causes_token *t)
{
    const uint32_t pes = c->machine.pe_count;
    if (t->where != CAUSES_BEFORE || c->network->channels)
        return t->pressed
                   ? place_of(c, t->pressed_kind, t->pressed_place, t->pressed_channel)
                   : TRACES_NONE;
    return t->place < pes ? place_of(c, TRACES_PLACE_LINK, pes + t->to, 0) : t->to;
}

/* Returns the head of each place, or NULL. The head of an input queue is the last token that found
 * no room; the head of another place is the oldest token. */
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

struct heads {
    const struct analysis_causes *c;
    const struct causes_token **all; /* owned */
};

/* Returns the place whose lack of room blocks the head of `place`. Returns TRACES_NONE if there
 * is no head or it is not blocked. */
static uint32_t place_behind(const struct heads *heads, uint32_t place)
{
    return heads->all[place] ? lacked_place(heads->c, heads->all[place]) : TRACES_NONE;
}

static void add_behind(void *context, uint64_t place, lib_wait_places *places)
{
    const uint32_t next = place_behind(context, (uint32_t)place);
    if (next < count_places(((const struct heads *)context)->c))
        *LIB_VEC_PUSH(places) = next;
}

static void add_head(const struct heads *heads, struct analysis_stopped *s,
                     uint32_t place)
{
    const struct analysis_causes *c = heads->c;
    const uint32_t next = place_behind(heads, place);
    struct analysis_stopped_step *step = add_token(c, s, heads->all[place]);
    describe_place(c, place, &step->where, &step->number, &step->channel);
    if (next < count_places(c))
        describe_place(c, next, &step->lacks, &step->lacks_number, &step->lacks_channel);
}

/* Without a cycle of places: lists those that the last place waits for; if it has no head, those of
 * the first that has one. */
static void add_chain(const struct heads *heads, struct analysis_stopped *s,
                      uint32_t places)
{
    uint32_t place = places - 1;
    if (!heads->all[place])
        for (place = 0; place < places && !heads->all[place];)
            place++;
    while (place < places && heads->all[place]) {
        add_head(heads, s, place);
        place = place_behind(heads, place);
    }
}

static void find_full(const struct analysis_causes *c, struct analysis_stopped *s)
{
    struct heads heads = {c, heads_of(c)};
    struct lib_wait_graph waits = {.waits_for = add_behind, .context = &heads};
    const uint32_t places = (uint32_t)count_places(c);
    size_t from = SIZE_MAX;
    for (uint32_t place = 0; place < places && from == SIZE_MAX; place++)
        if (heads.all[place])
            from = lib_wait_graph_follow(&waits, place);
    if (from == SIZE_MAX)
        add_chain(&heads, s, places);
    else
        s->cycle = 0;
    for (size_t i = from; i < waits.way.count; i++)
        add_head(&heads, s, (uint32_t)waits.way.items[i].place);
    lib_wait_graph_free(&waits);
    lib_mem_free(heads.all);
}

/* --- what is held back -------------------------------------------------------------- */

/* Returns the token that has been held back longest with outcome `how`, or NULL. */
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

/* Adds the calls and iterations around a token. They cannot end before it continues, and occupy
 * what it lacks. */
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
    for (size_t i = 0; i < s->steps.count; i++)
        lib_mem_free(s->steps.items[i].tag);
    LIB_VEC_FREE(&s->steps);
}
