#include "traces/exports/scene.h"

#include "traces/outcome.h"

/* `port` of a token that was taken but whose instruction has not fired yet. */
#define TAKEN (UINT32_MAX - 1)

const char *const export_counter_names[EXPORT_COUNTER_COUNT] = {
#define COUNTER(NAME, text) text,
    EXPORT_COUNTERS(COUNTER)
#undef COUNTER
};

/* Returns the oldest token for an operand, or NULL. Tokens from before the window have number 0;
 * the last one added is returned. */
static struct export_token *find_oldest(struct export_scene *s, uint32_t instr,
                                        uint32_t port, uint32_t tag)
{
    struct export_token *oldest = NULL, *t;
    struct traces_token_search search = traces_live_tokens_search(&s->tokens, instr, tag,
                                                                  port);
    while ((t = traces_live_tokens_next(&s->tokens, &search)))
        if (!oldest || t->number <= oldest->number)
            oldest = t;
    return oldest;
}

static struct export_token *add_token(struct export_scene *s,
                                      const struct export_token *token, uint32_t port)
{
    struct export_token *added = traces_live_tokens_add(&s->tokens, token->name.instr,
                                                        token->name.tag, port);
    const struct traces_live_token name = added->name;
    *added = *token;
    added->name = name;
    return added;
}

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
        .name = {e->instr, e->tag, e->port, 0},
        .is_drawn = is_drawable && s->every && s->drawable % s->every == 0,
    };
    s->drawable += is_drawable;
    s->just_sent = add_token(s, &token, e->port);
    count(s, EXPORT_TOKENS, 1);
}

/* Notes the outcome of a token: delivered, it waits for its firing; held, it stays in transit.
 * Tokens from before the window are unknown. */
static void note_step(struct export_scene *s, const struct traces_event *e)
{
    struct export_token token = {.name = {e->instr, e->tag, e->port, 0}};
    if (e->port == TRACES_NONE)
        return;
    struct export_token *const sent = find_oldest(s, e->instr, e->port, e->tag);
    if (sent) {
        s->taken = *sent;
        sent->mark = 0;
        token = *sent;
    }
    if (!traces_outcome_delivers(e->how))
        return;
    if (sent) {
        traces_live_tokens_remove(&s->tokens, sent);
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
    const bool is_first = !traces_live_tokens_first(&s->tokens, e->instr, e->tag, TAKEN);
    struct export_token *added = add_token(s, &token, TAKEN);
    if (is_first && e->how == TRACES_OUTCOME_WAITS)
        s->waits = added;
}

static void note_firing(struct export_scene *s, const struct traces_event *e,
                        bool is_written)
{
    s->firings += is_written;
    s->producer = is_written && !s->has_gaps ? s->firings : 0;
    struct export_token *token;
    while ((token = find_oldest(s, e->instr, TAKEN, e->tag))) {
        *LIB_VEC_PUSH(&s->consumed) = *token;
        s->arrows += token->is_drawn && is_written;
        traces_live_tokens_remove(&s->tokens, token);
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
    *s = (struct export_scene){
        .graph = request->graph, .every = request->every, .has_gaps = request->has_gaps};
    traces_live_tokens_start(&s->tokens, sizeof(struct export_token));
    traces_live_tags_start(&s->tags, request->graph, true);
}

void export_scene_free(struct export_scene *s)
{
    traces_live_tags_free(&s->tags);
    LIB_VEC_FREE(&s->consumed);
    traces_live_tokens_free(&s->tokens);
}
