/* The speedup by a number of function units, estimated from the ideal profile: a depth with `width`
 * firings takes ceil(width / units) steps (Arvind, Culler and Maa, Assessing the benefits of
 * fine-grain parallelism in dataflow programs, Supercomputing 1988).
 *
 * Up to DEPTHS depths the profile is exact. With a greater span, several depths share a bin, and
 * their firings are assumed to be evenly distributed, which never gives more steps.
 *
 * The speedup of the run has the same measure: the steps that one unit takes, divided by the steps
 * of the run. A step is a cycle, or for an executor the time of a live node. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"

enum { DEPTHS = 1 << 20 };

struct speedup {
    const struct analysis_stream_run *run;
    struct analysis_timeline ideal;
    uint64_t firings, cycles;
};

static void *speedup_make(const struct analysis_stream_run *run)
{
    struct speedup *s = lib_mem_new(sizeof *s);
    s->run = run;
    analysis_timeline_start(&s->ideal, 1, DEPTHS, false);
    return s;
}

static void release(void *state)
{
    struct speedup *s = state;
    analysis_timeline_free(&s->ideal);
    lib_mem_free(s);
}

static void speedup_take(void *state, const struct traces_event *events, size_t count)
{
    struct speedup *s = state;
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TRACES_EVENT_FIRED) {
            analysis_timeline_add(&s->ideal, events[i].a - 1, 0, 1);
            s->firings++;
        } else if (events[i].kind == TRACES_EVENT_END) {
            s->cycles = analysis_stream_end(s->run, &events[i]) - s->run->from;
        }
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

/* Returns the steps for the depths in a bin, over which firings are assumed evenly distributed. */
static uint64_t steps_of(const struct analysis_timeline *ideal,
                         const struct analysis_span *bin, uint64_t units)
{
    const uint64_t firings = analysis_timeline_sum(ideal, bin, 0);
    const uint64_t each = firings / bin->width, more = firings % bin->width;
    return more * divide_up(each + 1, units) +
           (bin->width - more) * divide_up(each, units);
}

static uint64_t steps_with(const struct analysis_timeline *ideal, uint64_t units)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < analysis_timeline_spans(ideal, DEPTHS); i++) {
        const struct analysis_span bin = analysis_timeline_span(ideal, DEPTHS, i);
        steps += steps_of(ideal, &bin, units);
    }
    return steps;
}

/* With one unit the number of steps is S1, with enough units S_inf. */
static uint64_t widest(const struct analysis_timeline *ideal)
{
    uint64_t most = 0;
    for (size_t i = 0; i < analysis_timeline_spans(ideal, DEPTHS); i++) {
        const struct analysis_span bin = analysis_timeline_span(ideal, DEPTHS, i);
        const uint64_t width = divide_up(analysis_timeline_sum(ideal, &bin, 0),
                                         bin.width);
        most = width > most ? width : most;
    }
    return most;
}

static void report_row(struct lib_table *t, const struct speedup *s, uint64_t units)
{
    const uint64_t steps = steps_with(&s->ideal, units);
    const double speedup = lib_ratio((double)s->firings, (double)steps);
    lib_table_count(t, units);
    lib_table_count(t, steps);
    lib_table_real(t, speedup);
    lib_table_real(t, speedup / (double)units);
}

static void report_reached(const struct speedup *s, uint64_t most, struct lib_findings *f)
{
    const struct analysis_stream_run *run = s->run;
    const uint64_t units = traces_machine_all_units(&run->machine);
    const uint64_t enough = most > 0 ? most : 1;
    const uint64_t steps = steps_with(&s->ideal, units > 0 ? units : enough);
    const uint64_t step = run->machine.has_workers ? run->machine.live : 1;
    const double one = (double)s->firings * (double)step;
    lib_findings_count(f, "units", units,
                       run->machine.has_workers
                           ? "workers of this machine"
                           : "function units of this machine; 0: unlimited");
    lib_findings_real(f, "ideal", lib_ratio((double)s->firings, (double)steps),
                      "speedup of so many, without latencies, matching and the network");
    lib_findings_real(f, "reached", lib_ratio(one, (double)s->cycles),
                      run->machine.has_workers
                          ? "speedup of this run, with all that: firings x "
                            "executor.live.latency / cycles"
                          : "speedup of this run, with all that: firings / cycles");
}

static void speedup_report(void *state, struct lib_findings *f)
{
    const struct speedup *s = state;
    const uint64_t most = widest(&s->ideal);
    lib_findings_count(f, "greatest_width", most,
                       "most firings of one depth: more units are of no use");
    lib_findings_count(f, "depths_per_bin", UINT64_C(1) << s->ideal.shift,
                       "1: the profile is exact");
    report_reached(s, most, f);
    struct lib_table *t = lib_findings_table(
        f, "units",
        "steps with so many function units, without latencies, matching and the network");
    LIB_TABLE_COLUMNS(t, "units", "steps", "speedup", "efficiency");
    t->bar = 2;
    for (uint64_t units = 1; units < most; units *= 2) {
        report_row(t, s, units);
        if (units > 1 && units + units / 2 < most)
            report_row(t, s, units + units / 2);
    }
    if (most)
        report_row(t, s, most);
}

extern const struct analysis_stream_kind analysis_speedup;
const struct analysis_stream_kind analysis_speedup = {
    speedup_make, speedup_take, speedup_report, release, false, NULL};
