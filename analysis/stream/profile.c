/* The parallelism profile (traces/profile.h): the actual one, also by class of PEs, and the ideal
 * one, in which firings wait for operands only. */
#include "analysis/classes.h"
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"
#include "traces/profile.h"

enum { BINS = 4096 };

struct profile {
    const struct analysis_stream_run *run;
    struct traces_profile profile;
    struct analysis_timeline classes; /* firings; a channel per class, if there are any */
    uint64_t span;
};

static void *profile_make(const struct analysis_stream_run *run)
{
    struct profile *p = lib_mem_new(sizeof *p);
    p->run = run;
    traces_profile_start(&p->profile);
    if (run->machine.class_count)
        analysis_timeline_start(&p->classes, run->machine.class_count + 1, BINS, false);
    return p;
}

static void release(void *state)
{
    struct profile *p = state;
    traces_profile_free(&p->profile);
    analysis_timeline_free(&p->classes);
    lib_mem_free(p);
}

static void note_class(struct profile *p, const struct traces_event *e)
{
    const struct traces_machine *m = &p->run->machine;
    if (m->class_count)
        analysis_timeline_add(&p->classes, e->cycle - p->run->from,
                              analysis_class_of(m, e->pe), 1);
}

static void end_run(struct profile *p, uint64_t cycles)
{
    traces_profile_end(&p->profile, cycles, p->span);
    if (p->run->machine.class_count)
        analysis_timeline_reach(&p->classes, cycles);
}

static void profile_take(void *state, const struct traces_event *events, size_t count)
{
    struct profile *p = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        if (e->kind == TRACES_EVENT_FIRED) {
            traces_profile_fired(&p->profile, e->cycle - p->run->from, e->a);
            p->span = e->a > p->span ? e->a : p->span;
            note_class(p, e);
        } else if (e->kind == TRACES_EVENT_END) {
            end_run(p, analysis_stream_end(p->run, e) - p->run->from);
        }
    }
}

static void report_classes(const struct profile *p, struct lib_findings *f)
{
    const struct traces_machine *m = &p->run->machine;
    struct lib_table *t = lib_findings_table(
        f, "classes", "live firings of each class of PEs from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "class", "firings", "mean");
    for (size_t i = 0; i < analysis_timeline_spans(&p->classes, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(&p->classes, f->most, i);
        for (uint32_t row = 0; row < analysis_classes_count(m); row++) {
            const uint64_t firings = analysis_timeline_sum(&p->classes, &span, row);
            lib_table_count(t, p->run->from + span.from);
            lib_table_count(t, span.width);
            analysis_class_name(m, row, f, t);
            lib_table_count(t, firings);
            lib_table_real(t, (double)firings / (double)span.width);
        }
    }
}

static void profile_report(void *state, struct lib_findings *f)
{
    const struct profile *p = state;
    const struct traces_profile *profile = &p->profile;
    const bool is_whole = analysis_stream_is_whole(p->run);
    lib_findings_real(f, "mean_actual", traces_histogram_mean(&profile->actual),
                      "firings per cycle");
    if (is_whole)
        lib_findings_real(f, "mean_ideal", traces_histogram_mean(&profile->ideal),
                          "firings per depth: pi");
    traces_histogram_findings(&profile->actual, "actual",
                              "live firings from each cycle on", "cycle", p->run->from,
                              f);
    if (p->run->machine.class_count && !f->for_people)
        report_classes(p, f);
    if (is_whole)
        traces_histogram_findings(&profile->ideal, "ideal",
                                  "live firings from each depth on", "depth", 1, f);
}

extern const struct analysis_stream_kind analysis_profile;
const struct analysis_stream_kind analysis_profile = {
    profile_make, profile_take, profile_report, release, false, NULL};
