/* Why PEs are idle: in each cycle, a PE has a turn or is idle for one cause. If several apply, the
 * first of this list counts, as it is nearest to a turn:
 *
 *   queue      tokens are in its input queue, and none of them can have its turn
 *   forming    a token that it sends to itself is not formed yet
 *   port       a token is before its input port
 *   network    a token is on its way from another PE, or is being formed there
 *   held       a token waits at it for a bound, a tag manager, a number or a copy
 *   matching   tokens wait at it for their partners, or reads for their writes
 *   nothing    no token is at it, nor on the way to it
 *
 * The state at the end of a cycle decides what a PE without a turn waits for. The workers of an
 * executor work, wait for the lock, or have nothing. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"
#include "traces/event_counts.h"
#include "traces/outcome.h"

#define CAUSES(CAUSE)                                                                    \
    CAUSE(queue, "tokens stand in the input queue, and cannot have their turn")          \
    CAUSE(forming, "a token of its own is not formed yet")                               \
    CAUSE(port, "a token stands before its input port")                                  \
    CAUSE(network, "a token is on its way from another PE")                              \
    CAUSE(held, "a token waits for a bound, a tag manager, a number or a copy")          \
    CAUSE(matching, "tokens wait for partners, or reads for writes")                     \
    CAUSE(lock, "of a worker: it waits for the lock")                                    \
    CAUSE(nothing, "there is nothing to do, and nothing comes")

enum cause {
    WORKING,
#define CAUSE(name, help) CAUSE_##name,
    CAUSES(CAUSE)
#undef CAUSE
        CAUSE_COUNT,
};

enum { BINS = 4096 };

struct pe {
    uint64_t since;  /* all earlier cycles are accounted for */
    uint64_t turn;   /* 1 + cycle of its last turn */
    uint64_t formed; /* cycle in which the last token that it sends to itself is formed */
    uint64_t coming, queued, port, held, matching;
    uint64_t cycles[CAUSE_COUNT];
};

struct idleness {
    const struct analysis_stream_run *run;
    struct pe *pes;
    struct analysis_timeline over_time; /* of all PEs; a channel per cause */
    uint64_t end;
};

static void *idleness_make(const struct analysis_stream_run *run)
{
    struct idleness *s = lib_mem_new(sizeof *s);
    s->run = run;
    s->pes = lib_mem_new(run->machine.pe_count * sizeof *s->pes);
    analysis_timeline_start(&s->over_time, CAUSE_COUNT, BINS, false);
    return s;
}

static void release(void *state)
{
    struct idleness *s = state;
    analysis_timeline_free(&s->over_time);
    LIB_MEM_FREE(s->pes, s);
}

/* Adds (`more` 1) or removes (-1) the cycles `from` to `to` - 1 of a cause that are in the analysed
 * part. */
static void account(struct idleness *s, struct pe *pe, uint64_t from, uint64_t to,
                    enum cause cause, uint64_t more)
{
    const struct analysis_stream_run *run = s->run;
    from = from > run->from ? from : run->from;
    to = to < run->to ? to : run->to;
    if (from >= to)
        return;
    pe->cycles[cause] += more * (to - from);
    analysis_timeline_hold(&s->over_time, from - run->from, to - run->from, cause, more);
}

/* Returns what a PE waits for while no token that it sends to itself is being formed. */
static enum cause cause_of(const struct pe *pe)
{
    return pe->port                  ? CAUSE_port
           : pe->coming > pe->queued ? CAUSE_network
           : pe->held                ? CAUSE_held
           : pe->matching            ? CAUSE_matching
                                     : CAUSE_nothing;
}

static void pass_cycles(struct idleness *s, struct pe *pe, uint64_t cycle)
{
    if (pe->since < cycle && pe->turn == pe->since + 1) {
        account(s, pe, pe->since, pe->since + 1, WORKING, 1);
        pe->since++;
    }
    if (pe->since >= cycle)
        return;
    if (pe->queued) {
        account(s, pe, pe->since, cycle, CAUSE_queue, 1);
    } else {
        uint64_t formed = pe->formed < cycle ? pe->formed : cycle;
        formed = formed > pe->since ? formed : pe->since;
        account(s, pe, pe->since, formed, CAUSE_forming, 1);
        account(s, pe, formed, cycle, cause_of(pe), 1);
    }
    pe->since = cycle;
}

static struct pe *at(struct idleness *s, uint32_t i, uint64_t cycle)
{
    pass_cycles(s, &s->pes[i], cycle);
    return &s->pes[i];
}

static void take_step(struct idleness *s, const struct traces_event *e)
{
    struct pe *pe = at(s, e->pe, e->cycle);
    if (e->kind == TRACES_EVENT_RELEASED) {
        pe->held--;
    } else {
        pe->turn = e->cycle + 1;
        pe->coming -= e->from == TRACES_HOLDER_QUEUE;
    }
    pe->held += traces_outcome_holds(e->how);
    pe->matching += traces_event_waiting(e);
}

static void take_sent(struct idleness *s, const struct traces_event *e, uint32_t to)
{
    struct pe *pe = at(s, to, e->cycle);
    pe->coming++;
    if (e->pe == to && e->a > pe->formed)
        pe->formed = e->a;
    if (e->kind == TRACES_EVENT_WOKEN)
        pe->matching += traces_event_waiting(e);
}

static void take_place(struct idleness *s, const struct traces_event *e)
{
    const uint64_t more = e->kind == TRACES_EVENT_ENTERED ? 1 : UINT64_MAX;
    const uint32_t pes = s->run->machine.pe_count;
    if (e->how == TRACES_PLACE_INPUT)
        at(s, e->to, e->cycle)->queued += more;
    else if (e->how == TRACES_PLACE_LINK && e->to >= pes && e->to < 2 * pes)
        at(s, e->to - pes, e->cycle)->port += more;
}

/* An arriving token can pass its input port without having entered it. */
static void take_event(struct idleness *s, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
        take_step(s, e);
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
    case TRACES_EVENT_REQUEST:
    case TRACES_EVENT_FETCH:
    case TRACES_EVENT_RELEASE:
        take_sent(s, e, e->to);
        break;
    case TRACES_EVENT_WOKEN:
        take_sent(s, e, e->pe);
        break;
    case TRACES_EVENT_DEFERRED:
        at(s, e->pe, e->cycle)->matching++;
        break;
    case TRACES_EVENT_ANSWERED:
        at(s, e->pe, e->cycle)->matching--;
        break;
    case TRACES_EVENT_ENTERED:
    case TRACES_EVENT_LEFT:
        take_place(s, e);
        break;
    default:
        break;
    }
}

/* Accounts a worker as idle until an event, then as occupied. It is occupied while it waits for the
 * lock. */
static void take_of_worker(struct idleness *s, const struct traces_event *e)
{
    struct pe *pe = &s->pes[e->pe];
    if (e->kind == TRACES_EVENT_LOCK) {
        account(s, pe, e->cycle, e->a, WORKING, UINT64_MAX);
        account(s, pe, e->cycle, e->a, CAUSE_lock, 1);
    } else if (e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD ||
               e->kind == TRACES_EVENT_BUSY) {
        account(s, pe, pe->since, e->cycle, CAUSE_nothing, 1);
        account(s, pe, e->cycle, e->b, WORKING, 1);
        pe->since = e->b;
    }
}

static void finish(struct idleness *s, const struct traces_event *e)
{
    s->end = analysis_stream_end(s->run, e);
    for (uint32_t i = 0; i < s->run->machine.pe_count; i++) {
        if (s->run->machine.has_workers)
            account(s, &s->pes[i], s->pes[i].since, s->end, CAUSE_nothing, 1);
        else
            pass_cycles(s, &s->pes[i], s->end);
    }
    analysis_timeline_reach(&s->over_time, s->end - s->run->from);
}

static void idleness_take(void *state, const struct traces_event *events, size_t count)
{
    struct idleness *s = state;
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TRACES_EVENT_END)
            finish(s, &events[i]);
        else if (s->run->machine.has_workers)
            take_of_worker(s, &events[i]);
        else
            take_event(s, &events[i]);
}

static void report_pes(const struct idleness *s, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "pes", "cycles of each PE: of work, and idle for each cause");
    LIB_TABLE_COLUMNS(t, "pe", "working");
#define CAUSE(name, help) lib_table_column(t, #name);
    CAUSES(CAUSE)
#undef CAUSE
    for (uint32_t i = 0; i < s->run->machine.pe_count; i++) {
        lib_table_count(t, i);
        for (uint32_t c = 0; c < CAUSE_COUNT; c++)
            lib_table_count(t, s->pes[i].cycles[c]);
    }
}

static void report_over_time(const struct idleness *s, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "over_time", "PEs that work, or are idle for each cause, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "working");
#define CAUSE(name, help) lib_table_column(t, #name);
    CAUSES(CAUSE)
#undef CAUSE
    for (size_t i = 0; i < analysis_timeline_spans(&s->over_time, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(&s->over_time, f->most,
                                                                 i);
        lib_table_count(t, s->run->from + span.from);
        lib_table_count(t, span.width);
        for (uint32_t c = 0; c < CAUSE_COUNT; c++)
            lib_table_real(t, (double)analysis_timeline_sum(&s->over_time, &span, c) /
                                  (double)span.width);
    }
}

static void idleness_report(void *state, struct lib_findings *f)
{
    static const char *const keys[] = {"working",
#define CAUSE(name, help) #name,
                                       CAUSES(CAUSE)
#undef CAUSE
    };
    static const char *const helps[] = {
        "cycles in which a PE had a turn, or a worker worked",
#define CAUSE(name, help) help,
        CAUSES(CAUSE)
#undef CAUSE
    };
    const struct idleness *s = state;
    for (uint32_t c = 0; c < CAUSE_COUNT; c++) {
        uint64_t cycles = 0;
        for (uint32_t i = 0; i < s->run->machine.pe_count; i++)
            cycles += s->pes[i].cycles[c];
        lib_findings_count(f, keys[c], cycles, helps[c]);
    }
    report_pes(s, f);
    if (!f->for_people)
        report_over_time(s, f);
}

extern const struct analysis_stream_kind analysis_idleness;
const struct analysis_stream_kind analysis_idleness = {
    idleness_make, idleness_take, idleness_report, release, false, NULL};
