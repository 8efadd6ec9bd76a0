#include "analysis/report/gantt.h"

void analysis_gantt_start(struct analysis_gantt *g, const struct analysis_stream_run *run)
{
    const uint32_t most = ANALYSIS_GANTT_GROUPS, pes = run->machine.pe_count;
    const uint32_t each = (pes + most - 1) / most;
    *g = (struct analysis_gantt){.run = run,
                                 .groups = each ? (pes + each - 1) / each : 1,
                                 .last = lib_mem_new(pes * sizeof *g->last),
                                 .slots = lib_mem_new(pes * sizeof *g->slots),
                                 .most_slots = 1};
    analysis_timeline_start(&g->flows, g->groups * g->groups, ANALYSIS_GANTT_WINDOWS,
                            false);
}

void analysis_gantt_free(struct analysis_gantt *g)
{
    if (!g->run)
        return;
    LIB_VEC_FREE(&g->firings, &g->flights, &g->flying);
    analysis_timeline_free(&g->flows);
    LIB_MEM_FREE(g->last, g->slots);
    *g = (struct analysis_gantt){0};
}

/* A firing occupies a PE for one cycle, a worker until it is free. */
static void note_firing(struct analysis_gantt *g, const struct traces_event *e)
{
    if (g->last[e->pe] != e->cycle + 1)
        g->slots[e->pe] = 0;
    g->last[e->pe] = e->cycle + 1;
    const uint32_t slot = g->slots[e->pe]++;
    g->firing_count++;
    if (g->firing_count > ANALYSIS_GANTT_KEPT)
        return;
    g->most_slots = slot + 1 > g->most_slots ? slot + 1 : g->most_slots;
    const struct analysis_gantt_firing firing = {
        .cycle = e->cycle,
        .length = g->run->machine.has_workers && e->b > e->cycle ? e->b - e->cycle : 1,
        .pe = e->pe,
        .slot = slot,
        .instr = e->instr,
    };
    *LIB_VEC_PUSH(&g->firings) = firing;
}

static void note_sent(struct analysis_gantt *g, const struct traces_event *e)
{
    if (e->pe == e->to || e->pe == TRACES_NONE || e->to == TRACES_NONE)
        return;
    const uint32_t each = analysis_gantt_per_group(g);
    analysis_timeline_add(&g->flows, e->cycle, (e->pe / each) * g->groups + e->to / each,
                          1);
    g->token_count++;
    if (g->token_count > ANALYSIS_GANTT_KEPT)
        return;
    *LIB_VEC_PUSH(&g->flying) = (uint32_t)g->flights.count;
    *LIB_VEC_PUSH(&g->flights) = (struct analysis_gantt_flight){
        e->a, UINT64_MAX, e->pe, e->to, e->instr, e->port, e->tag};
}

/* The first token on its way to an operand has arrived. */
static void note_taken(struct analysis_gantt *g, const struct traces_event *e)
{
    if (g->token_count > ANALYSIS_GANTT_KEPT)
        return; /* tokens are not drawn one by one */
    for (size_t i = 0; i < g->flying.count; i++) {
        struct analysis_gantt_flight *f = &g->flights.items[g->flying.items[i]];
        if (f->to != e->pe || f->instr != e->instr || f->port != e->port ||
            f->tag != e->tag)
            continue;
        f->taken = e->cycle;
        for (g->flying.count--; i < g->flying.count; i++)
            g->flying.items[i] = g->flying.items[i + 1];
        return;
    }
}

static void gantt_take(void *context, const struct traces_event *events, size_t count)
{
    struct analysis_gantt *g = context;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        switch (e->kind) {
        case TRACES_EVENT_FIRED:
        case TRACES_EVENT_DEAD:
            note_firing(g, e);
            break;
        case TRACES_EVENT_SENT:
        case TRACES_EVENT_SENT_DEAD:
        case TRACES_EVENT_REQUEST:
            note_sent(g, e);
            break;
        case TRACES_EVENT_TAKEN:
            note_taken(g, e);
            break;
        case TRACES_EVENT_END:
            g->cycles = e->a;
            break;
        default:
            break;
        }
    }
}

struct traces_event_sink analysis_gantt_sink(struct analysis_gantt *g)
{
    return (struct traces_event_sink){TRACES_LEVEL_ALL, gantt_take, g};
}
