/* The parallelism profile (traces/profile.h): the actual one, and the ideal one, in which firings
 * wait for operands only. */
#include "analysis/stream/stream.h"
#include "traces/profile.h"

struct profile {
    const struct analysis_stream_run *run;
    struct traces_profile profile;
    uint64_t span;
};

static void *profile_make(const struct analysis_stream_run *run)
{
    struct profile *p = lib_mem_new(sizeof *p);
    p->run = run;
    traces_profile_start(&p->profile);
    return p;
}

static void release(void *state)
{
    struct profile *p = state;
    traces_profile_free(&p->profile);
    lib_mem_free(p);
}

static void profile_take(void *state, const struct traces_event *events, size_t count)
{
    struct profile *p = state;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        if (e->kind == TRACES_EVENT_FIRED) {
            traces_profile_fired(&p->profile, e->cycle - p->run->from, e->a);
            p->span = e->a > p->span ? e->a : p->span;
        } else if (e->kind == TRACES_EVENT_END) {
            traces_profile_end(&p->profile, analysis_stream_end(p->run, e) - p->run->from,
                               p->span);
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
    if (is_whole)
        traces_histogram_findings(&profile->ideal, "ideal",
                                  "live firings from each depth on", "depth", 1, f);
}

extern const struct analysis_stream_kind analysis_profile;
const struct analysis_stream_kind analysis_profile = {
    profile_make, profile_take, profile_report, release, false, NULL};
