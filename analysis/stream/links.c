/* The load of each link over time: cycles in which it is occupied, and tokens that wait before it.
 * With n PEs, links 0 to n - 1 are output ports, n to 2n - 1 input ports, others are between
 * routers. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

struct link {
    uint64_t tokens, busy, standing, most, waited;
};

struct links {
    const struct analysis_stream_run *run;
    uint32_t count;
    struct link *links;
    struct analysis_timeline over_time; /* channel i: cycles in which link i is busy */
    uint64_t cycles;
};

static void *links_make(const struct analysis_stream_run *run)
{
    struct links *l = lib_mem_new(sizeof *l);
    l->run = run;
    l->count = run->link_count;
    l->links = lib_mem_new((l->count + 1) * sizeof *l->links);
    analysis_timeline_start(&l->over_time, l->count + 1,
                            analysis_timeline_bins(l->count + 1), false);
    return l;
}

static void release(void *state)
{
    struct links *l = state;
    analysis_timeline_free(&l->over_time);
    LIB_MEM_FREE(l->links, l);
}

static void hold_link(struct links *l, uint32_t i, uint64_t from, uint64_t to)
{
    const struct analysis_stream_run *run = l->run;
    from = from > run->from ? from : run->from;
    to = to < run->to ? to : run->to;
    if (from >= to)
        return;
    analysis_timeline_hold(&l->over_time, from - run->from, to - run->from, i, 1);
    l->links[i].busy += to - from;
}

/* Each token adds its wait to `waited`: minus the cycle of entering, plus that of leaving. */
static void take_event(struct links *l, const struct traces_event *e)
{
    const struct analysis_stream_run *run = l->run;
    const bool is_in = e->cycle >= run->from && e->cycle < run->to;
    struct link *link = &l->links[e->to < l->count ? e->to : 0];
    if (e->kind == TRACES_EVENT_END) {
        l->cycles = analysis_stream_end(run, e) - run->from;
        analysis_timeline_reach(&l->over_time, l->cycles);
    } else if (e->how != TRACES_PLACE_LINK || e->to >= l->count) {
        return;
    } else if (e->kind == TRACES_EVENT_PASSES) {
        /* out of a buffer; an injection has a queue, and the event LEFT */
        const bool is_out = e->to >= l->run->machine.pe_count;
        link->tokens += is_out && is_in;
        if (is_out)
            hold_link(l, e->to, e->cycle, e->a);
    } else if (e->kind == TRACES_EVENT_ENTERED) {
        link->standing++;
        link->waited -= e->cycle;
        link->most = is_in && link->standing > link->most ? link->standing : link->most;
    } else if (e->kind == TRACES_EVENT_LEFT) {
        /* a token that passes its input port at once has not entered */
        link->tokens += is_in;
        link->waited += link->standing ? e->cycle : 0;
        link->standing -= link->standing > 0;
        hold_link(l, e->to, e->cycle, e->a);
    }
}

static void links_take(void *state, const struct traces_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (events[i].kind >= TRACES_EVENT_ENTERED || events[i].kind == TRACES_EVENT_END)
            take_event(state, &events[i]);
}

enum { PORTS = 2 }; /* per PE */

static bool is_port(const struct links *l, uint32_t link)
{
    return link < PORTS * l->run->machine.pe_count;
}

static uint64_t number_of(const struct links *l, uint32_t link)
{
    const uint32_t pes = l->run->machine.pe_count;
    return !is_port(l, link) ? link - PORTS * pes : link < pes ? link : link - pes;
}

static const char *kind_of(const struct links *l, uint32_t link)
{
    return !is_port(l, link)                 ? "link"
           : link < l->run->machine.pe_count ? "output"
                                             : "input";
}

/* Returns how often tokens crossed links between routers. In a crossbar, each token crosses one. */
static uint64_t hops_of(const struct links *l)
{
    const uint32_t pes = l->run->machine.pe_count, ports = PORTS * pes;
    uint64_t hops = 0;
    for (uint32_t i = l->count > ports ? ports : 0; i < l->count; i++)
        hops += l->count > ports || i < pes ? l->links[i].tokens : 0;
    return hops;
}

static void report_links(const struct links *l, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "ports", "each port and link of the network that a token went through");
    LIB_TABLE_COLUMNS(t, "port", "number", "tokens", "busy", "load", "peak_queue");
    t->bar = 4;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct link *link = &l->links[i];
        if (!link->tokens)
            continue;
        lib_table_word(t, kind_of(l, i));
        lib_table_count(t, number_of(l, i));
        lib_table_count(t, link->tokens);
        lib_table_count(t, link->busy);
        lib_table_real(t, lib_ratio((double)link->busy, (double)l->cycles));
        lib_table_count(t, link->most);
    }
}

static void report_over_time(const struct links *l, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "over_time", "cycles that each was occupied, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "port", "number", "busy");
    for (size_t s = 0; s < analysis_timeline_spans(&l->over_time, f->most); s++) {
        const struct analysis_span span = analysis_timeline_span(&l->over_time, f->most,
                                                                 s);
        for (uint32_t i = 0; i < l->count; i++) {
            if (!l->links[i].tokens)
                continue;
            lib_table_count(t, l->run->from + span.from);
            lib_table_count(t, span.width);
            lib_table_word(t, kind_of(l, i));
            lib_table_count(t, number_of(l, i));
            lib_table_count(t, analysis_timeline_sum(&l->over_time, &span, i));
        }
    }
}

static void links_report(void *state, struct lib_findings *f)
{
    const struct links *l = state;
    uint64_t tokens = 0, busy = 0, most = 0, queue = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct link *link = &l->links[i];
        tokens += link->tokens;
        busy += link->busy;
        most = link->busy > most ? link->busy : most;
        queue = link->most > queue ? link->most : queue;
    }
    lib_findings_count(f, "hops", hops_of(l), "links that tokens crossed");
    lib_findings_count(f, "passed", tokens, "tokens that went through a port or link");
    lib_findings_real(f, "mean_load",
                      lib_ratio((double)busy, (double)l->cycles * (double)l->count),
                      "how long a port or link is occupied: 1 is always");
    lib_findings_real(f, "greatest_load", lib_ratio((double)most, (double)l->cycles),
                      "the same of the busiest");
    lib_findings_count(f, "peak_queue", queue, "most tokens before one of them");
    report_links(l, f);
    if (!f->for_people)
        report_over_time(l, f);
}

extern const struct analysis_stream_kind analysis_links;
const struct analysis_stream_kind analysis_links = {links_make, links_take, links_report,
                                                    release,    false,      NULL};
