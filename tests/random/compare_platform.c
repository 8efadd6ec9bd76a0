/* Programs on platforms of SimGrid, each run in a process of its own. */
#include "tests/random/compare_internal.h"
#include "tests/random/draw_platform.h"

#include <stdio.h>

struct there {
    compare_run *run;
    void *context;
    const struct machine_settings *settings;
    const struct compare_report *report;
};

/* What the other process has found. */
struct finding {
    enum compare_verdict verdict;
    char why[2048];
};

static void run_there(void *context, void *found)
{
    struct there *there = context;
    struct finding *finding = found;
    there->run(there->context, there->settings);
    finding->verdict = there->report->verdict;
    snprintf(finding->why, sizeof finding->why, "%s", lib_text_get(&there->report->why));
}

bool compare_on_platform(const struct compare_case *c, uint32_t nodes, compare_run *run,
                         void *context, struct compare_report *report)
{
    struct draw_platform platform;
    struct machine_settings s;
    struct there there = {run, context, &s, report};
    struct finding found;
    if (c->platforms == 0 || c->seed % c->platforms || nodes == 1)
        return true;
    draw_platform(c->seed, nodes, &s, &platform);
    const bool ended = draw_apart(run_there, &there, &found, sizeof found);
    if (!ended)
        compare_found(report, COMPARE_CRASH, "on a platform");
    else if (found.verdict != COMPARE_SAME)
        compare_found(report, found.verdict, "on a platform: %s", found.why);
    lib_text_free(&platform.text);
    return report->verdict == COMPARE_SAME;
}
