#include "traces/exports/scene.h"

#include "lib/hash.h"

#include <string.h>

enum { LEAST_BUCKETS = 256 };

/* In place of an operand: the token is taken, and its instruction has not fired yet. */
#define TAKEN (UINT32_MAX - 1)

const char *const export_counter_names[EXPORT_COUNTER_COUNT] = {
#define COUNTER(NAME, text) text,
    EXPORT_COUNTERS(COUNTER)
#undef COUNTER
};

/* --- tokens ------------------------------------------------------------------------------- */

static uint32_t *bucket_of(const struct export_scene *s, uint32_t instr, uint32_t port,
                           uint32_t tag)
{
    const uint64_t hash = lib_hash_mix(((uint64_t)instr << 32 | tag) +
                                       UINT64_C(0x9e3779b97f4a7c15) * port);
    return &s->buckets[hash & s->bucket_mask];
}

static void put_in(struct export_scene *s, uint32_t number)
{
    struct export_token *t = &s->pool.items[number];
    uint32_t *bucket = bucket_of(s, t->instr, t->port, t->tag);
    t->next = *bucket;
    *bucket = number + 1;
}

static void grow(struct export_scene *s)
{
    lib_mem_free(s->buckets);
    s->bucket_mask = 2 * s->bucket_mask + 1;
    s->buckets = lib_mem_new((s->bucket_mask + 1) * sizeof *s->buckets);
    for (size_t i = 0; i < s->pool.count; i++)
        if (s->pool.items[i].is_used)
            put_in(s, (uint32_t)i);
}

static struct export_token *add_token(struct export_scene *s,
                                      const struct export_token *token)
{
    uint32_t number = s->first_free - 1;
    if (s->first_free) {
        s->first_free = s->pool.items[number].next;
    } else {
        number = (uint32_t)s->pool.count;
        (void)LIB_VEC_PUSH(&s->pool);
    }
    s->pool.items[number] = *token;
    s->pool.items[number].is_used = true;
    put_in(s, number);
    if (++s->used > s->bucket_mask)
        grow(s);
    return &s->pool.items[number];
}

/* Returns the link to the oldest token for an operand, or NULL if there is none. */
static uint32_t *find_oldest(const struct export_scene *s, uint32_t instr, uint32_t port,
                             uint32_t tag)
{
    uint32_t *oldest = NULL;
    for (uint32_t *at = bucket_of(s, instr, port, tag); *at;
         at = &s->pool.items[*at - 1].next) {
        const struct export_token *t = &s->pool.items[*at - 1];
        if (t->instr == instr && t->port == port && t->tag == tag &&
            (!oldest || t->number < s->pool.items[*oldest - 1].number))
            oldest = at;
    }
    return oldest;
}

static void take_out(struct export_scene *s, uint32_t *link)
{
    const uint32_t number = *link - 1;
    struct export_token *token = &s->pool.items[number];
    *link = token->next;
    token->is_used = false;
    token->next = s->first_free;
    s->first_free = number + 1;
    s->used--;
}

static bool has(const struct export_scene *s, uint32_t instr, uint32_t port, uint32_t tag)
{
    for (uint32_t at = *bucket_of(s, instr, port, tag); at;
         at = s->pool.items[at - 1].next) {
        const struct export_token *t = &s->pool.items[at - 1];
        if (t->instr == instr && t->port == port && t->tag == tag)
            return true;
    }
    return false;
}

/* --- events ------------------------------------------------------------------------------- */

static void count(struct export_scene *s, enum export_counter counter, int64_t more)
{
    s->counts[counter] += more;
    s->changed[counter] = true;
}

static void note_sent(struct export_scene *s, const struct traces_event *e,
                      bool is_written)
{
    const uint64_t number = ++s->sent;
    const bool is_drawable = is_written && s->producer;
    const struct export_token token = {
        .number = number,
        .producer = s->producer,
        .instr = e->instr,
        .port = e->port,
        .tag = e->tag,
        .is_drawn = is_drawable && s->every && s->drawable % s->every == 0,
    };
    s->drawable += is_drawable;
    s->just_sent = add_token(s, &token);
    count(s, EXPORT_TOKENS, 1);
}

/* A token that is delivered waits for its firing; one that is held back stays on its way. One
 * that was sent before the window is not known. */
static void note_step(struct export_scene *s, const struct traces_event *e)
{
    struct export_token token = {.instr = e->instr, .port = e->port, .tag = e->tag};
    if (e->port == TRACES_NONE)
        return;
    uint32_t *const link = find_oldest(s, e->instr, e->port, e->tag);
    if (link) {
        s->taken = s->pool.items[*link - 1];
        s->pool.items[*link - 1].mark = 0;
        token = s->pool.items[*link - 1];
    }
    if (!traces_outcome_delivers(e->how))
        return;
    if (link) {
        take_out(s, link);
        count(s, EXPORT_TOKENS, -1);
    }
    if (e->how == TRACES_OUTCOME_WAITS)
        count(s, EXPORT_WAITING, 1);
    else if (e->how == TRACES_OUTCOME_MATCHES)
        count(s, EXPORT_WAITING, -(int64_t)e->b);
    if (e->how > TRACES_OUTCOME_WAITS) {
        s->absorbed = token;
        return;
    }
    const bool is_first = !has(s, e->instr, TAKEN, e->tag);
    token.port = TAKEN;
    struct export_token *added = add_token(s, &token);
    if (is_first && e->how == TRACES_OUTCOME_WAITS)
        s->waits = added;
}

static void note_firing(struct export_scene *s, const struct traces_event *e,
                        bool is_written)
{
    s->firings += is_written;
    s->producer = is_written && !s->has_gaps ? s->firings : 0;
    uint32_t *link;
    while ((link = find_oldest(s, e->instr, TAKEN, e->tag))) {
        const struct export_token token = s->pool.items[*link - 1];
        take_out(s, link);
        *LIB_VEC_PUSH(&s->consumed) = token;
        s->arrows += token.is_drawn && is_written;
    }
}

static bool makes_activation(const struct traces_event *e)
{
    return e->kind == TRACES_EVENT_PRESENT || e->kind == TRACES_EVENT_CALL ||
           e->kind == TRACES_EVENT_ITERATION || e->kind == TRACES_EVENT_GATHER;
}

void export_scene_next(struct export_scene *s)
{
    s->consumed.count = 0;
    s->waits = NULL;
    s->just_sent = NULL;
    s->absorbed.number = 0;
    s->taken.number = 0;
}

void export_scene_note(struct export_scene *s, const struct traces_event *e,
                       bool is_written)
{
    /* In a filtered stream, the activation may be unknown. */
    const bool is_known = traces_live_tags_note(&s->tags, e);
    if (makes_activation(e) && is_known)
        count(s, EXPORT_ACTIVATIONS, 1);
    else if (e->kind == TRACES_EVENT_GONE && is_known)
        count(s, EXPORT_ACTIVATIONS, -1);
    else if (e->kind == TRACES_EVENT_SENT || e->kind == TRACES_EVENT_SENT_DEAD)
        note_sent(s, e, is_written);
    else if (traces_event_is_step(e))
        note_step(s, e);
    else if (e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD)
        note_firing(s, e, is_written);
}

void export_scene_start(struct export_scene *s,
                        const struct traces_exporter_request *request)
{
    *s = (struct export_scene){.graph = request->graph,
                               .every = request->every,
                               .has_gaps = request->has_gaps,
                               .bucket_mask = LEAST_BUCKETS - 1};
    s->buckets = lib_mem_new(LEAST_BUCKETS * sizeof *s->buckets);
    traces_live_tags_start(&s->tags, request->graph, true);
}

void export_scene_free(struct export_scene *s)
{
    traces_live_tags_free(&s->tags);
    LIB_VEC_FREE(&s->consumed);
    LIB_VEC_FREE(&s->pool);
    lib_mem_free(s->buckets);
}
