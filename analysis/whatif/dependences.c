#include "analysis/whatif/dependences.h"

#include "analysis/stream/host.h"

/* Values of the analysis flow: 2 * turn + 2, 2 * firing + 3, or 0 for neither. */
static struct analysis_flow_value of_turn(uint32_t turn)
{
    return (struct analysis_flow_value){{2 * (uint64_t)turn + 2}};
}

static struct analysis_flow_value of_firing(uint32_t firing)
{
    return (struct analysis_flow_value){{2 * (uint64_t)firing + 3}};
}

static uint32_t turn_of(const struct analysis_flow_value *value)
{
    const uint64_t at = value->at[0];
    return at && at % 2 == 0 ? (uint32_t)(at / 2 - 1) : WHATIF_NONE;
}

static uint32_t firing_of(const struct analysis_flow_value *value)
{
    const uint64_t at = value->at[0];
    return at > 2 && at % 2 ? (uint32_t)((at - 3) / 2) : WHATIF_NONE;
}

static uint32_t add_turn(struct analysis_dependences *d, const struct traces_event *e)
{
    const uint32_t number = (uint32_t)d->turns.count;
    const struct traces_live_tag *tag = traces_live_tags_find(&d->live, e->tag);
    *LIB_VEC_PUSH(&d->turns) = (struct whatif_turn){
        .firing = WHATIF_NONE,
        .node = e->instr,
        .from = e->pe,
        .pe = e->pe,
        .labels = (uint16_t)(tag ? tag->depth : 0),
        .is_request = e->kind == TRACES_EVENT_REQUEST};
    *LIB_VEC_PUSH(&d->taken) = 0;
    return number;
}

static uint32_t add_firing(struct analysis_dependences *d, uint32_t node)
{
    const uint32_t number = (uint32_t)d->firings.count;
    *LIB_VEC_PUSH(&d->firings) = (struct whatif_firing){.node = node,
                                                        .first_out = WHATIF_NONE,
                                                        .constant = WHATIF_NONE,
                                                        .write = WHATIF_NONE,
                                                        .answer = WHATIF_NONE};
    return number;
}

static uint32_t cycles_between(uint64_t from, uint64_t to)
{
    const uint64_t cycles = to > from ? to - from : 0;
    return cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

static void on_turn(void *context, const struct traces_event *e, uint32_t from,
                    struct analysis_flow_value *value)
{
    struct analysis_dependences *d = context;
    uint32_t turn = turn_of(value);
    (void)from;
    if (turn == WHATIF_NONE && e->kind == TRACES_EVENT_TAKEN) {
        turn = add_turn(d, e);
        *LIB_VEC_PUSH(&d->starts) = turn;
        *value = of_turn(turn);
    }
    if (turn == WHATIF_NONE)
        return;
    if (e->kind == TRACES_EVENT_TAKEN) {
        d->turns.items[turn].pe = e->pe;
        d->taken.items[turn] = e->cycle;
    } else if (e->how == TRACES_OUTCOME_SHIPPED) {
        d->turns.items[turn].asks = true;
    } else {
        d->turns.items[turn].held = cycles_between(d->taken.items[turn], e->cycle);
    }
}

static void on_enter(void *context, const struct traces_event *e, uint64_t formed,
                     struct analysis_flow_value *value)
{
    struct analysis_dependences *d = context;
    const uint32_t turn = turn_of(value);
    if (turn != WHATIF_NONE)
        d->turns.items[turn].way = cycles_between(formed, e->cycle);
}

static void on_fire(void *context, const struct traces_event *e,
                    const struct analysis_flow_value *operands, size_t count,
                    struct analysis_flow_value *result)
{
    struct analysis_dependences *d = context;
    const uint32_t number = add_firing(d, e->instr);
    struct whatif_firing *f = &d->firings.items[number];
    f->extra = cycles_between(
        e->cycle + traces_machine_latency(&d->run.machine, e->pe,
                                          d->run.graph->nodes[e->instr].op),
        e->b);
    for (size_t i = 0; i < count; i++) {
        const uint32_t turn = turn_of(&operands[i]);
        if (turn != WHATIF_NONE) {
            d->turns.items[turn].firing = number;
            f->turns++;
        } else {
            f->constant = firing_of(&operands[i]);
        }
    }
    *result = of_firing(number);
}

static void on_answer(void *context, const struct traces_event *e,
                      const struct analysis_flow_value *write,
                      struct analysis_flow_value *answer)
{
    struct analysis_dependences *d = context;
    const uint32_t reader = firing_of(answer), writer = firing_of(write);
    if (reader != WHATIF_NONE &&
        analysis_waits_for_host(d->run.graph->nodes[e->instr].op))
        d->firings.items[reader].fed = e->cycle + 1;
    if (reader == WHATIF_NONE || writer == WHATIF_NONE)
        return;
    const uint32_t number = add_firing(d, e->instr);
    struct whatif_firing *f = &d->firings.items[number];
    f->write = writer;
    f->answer = d->firings.items[writer].answer;
    d->firings.items[writer].answer = number;
    d->firings.items[reader].answer = number;
    *answer = of_firing(number);
}

/* Adds a token that is sent; a woken token keeps the value with which it was parked. Makes a firing
 * for a turn that sends but did not fire: a request, SEND or RECV. */
static void on_send(void *context, const struct traces_event *e,
                    const struct analysis_flow_value *parked,
                    struct analysis_flow_value *value)
{
    struct analysis_dependences *d = context;
    if (parked) {
        *value = *parked;
        return;
    }
    uint32_t from = firing_of(value);
    const uint32_t by = turn_of(value);
    if (by != WHATIF_NONE && d->turns.items[by].firing == WHATIF_NONE) {
        from = add_firing(d, d->turns.items[by].node);
        d->turns.items[by].firing = from;
        d->firings.items[from].turns = 1;
    } else if (by != WHATIF_NONE) {
        from = d->turns.items[by].firing;
    }
    const uint32_t turn = add_turn(d, e);
    d->turns.items[turn].pe = e->kind == TRACES_EVENT_WOKEN ? e->pe : e->to;
    *value = of_turn(turn);
    if (from == WHATIF_NONE)
        return;
    struct whatif_firing *f = &d->firings.items[from];
    if (f->outs == 0)
        f->first_out = turn;
    f->outs++;
}

static void dependences_take(void *context, const struct traces_event *events,
                             size_t count)
{
    struct analysis_dependences *d = context;
    for (size_t i = 0; i < count; i++) {
        const bool ends = events[i].kind == TRACES_EVENT_GONE;
        if (!ends)
            traces_live_tags_note(&d->live, &events[i]);
        analysis_flow_take(&d->flow, &events[i]);
        if (ends)
            traces_live_tags_note(&d->live, &events[i]);
        if (events[i].kind == TRACES_EVENT_END)
            d->end = events[i];
        if (events[i].kind == TRACES_EVENT_FEED || events[i].kind == TRACES_EVENT_CLOSE)
            d->fed = events[i].cycle;
    }
}

struct analysis_dependences *
analysis_dependences_new(const struct analysis_stream_run *run)
{
    struct analysis_dependences *d = lib_mem_new(sizeof *d);
    const struct analysis_flow_listener listener = {.context = d,
                                                    .turn = on_turn,
                                                    .fire = on_fire,
                                                    .answer = on_answer,
                                                    .send = on_send,
                                                    .enter = on_enter};
    d->run = *run;
    traces_live_tags_start(&d->live, run->graph, false);
    analysis_flow_start(&d->flow, &d->live, &listener);
    return d;
}

void analysis_dependences_free(struct analysis_dependences *d)
{
    if (!d)
        return;
    analysis_flow_free(&d->flow);
    traces_live_tags_free(&d->live);
    LIB_VEC_FREE(&d->turns, &d->taken, &d->firings, &d->starts);
    lib_mem_free(d);
}

struct traces_event_sink analysis_dependences_sink(struct analysis_dependences *d)
{
    const bool is_measured = d->run.machine.shares_links;
    return (struct traces_event_sink){
        is_measured ? TRACES_LEVEL_QUEUES : TRACES_LEVEL_ALL, dependences_take, d};
}
