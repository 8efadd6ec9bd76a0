/* Charts of what analyses of events find (analysis/stream/findings.h): analysis/figure/found.def
 * says which there are. */
#ifndef ANALYSIS_FIGURE_FOUND_CHART_H
#define ANALYSIS_FIGURE_FOUND_CHART_H

#include "analysis/figure/chart.h"
#include "analysis/stream/stream.h"

enum {
#define STEPS(name, ...) ANALYSIS_FOUND_##name,
#define LINE STEPS
#define MATRIX STEPS
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
    ANALYSIS_FOUND_COUNT,
};

/* The causes of cycles are no stream: who asks for them has made the run again, and tells them. */
enum { ANALYSIS_STREAM_causes = ANALYSIS_STREAM_COUNT };

struct analysis_found_source {
    struct analysis_streams *streams; /* that have come to their end */
    void (*tell_causes)(void *context, struct analysis_findings *findings);
    void *context;
};

extern const char *const analysis_found_names[ANALYSIS_FOUND_COUNT];
extern const char *const analysis_found_helps[ANALYSIS_FOUND_COUNT];

/* A panel, and the curves in it. */
struct analysis_found_panel {
    LIB_VEC(size_t) shown; /* owned */
};

/* Start with {0}; give back with analysis_found_panels_free. */
struct analysis_found_panels {
    LIB_VEC(struct analysis_found_panel) list; /* owned */
};

/* Adds a panel: names with commas between. false: a name is none, or what it names cannot stand
 * beside the others, and `why` says so. */
bool analysis_found_panels_add(struct analysis_found_panels *panels, const char *names,
                               struct lib_text *why);
/* Where nothing is said: profiles and state; of a part of a run no ideal profile. */
void analysis_found_panels_default(struct analysis_found_panels *panels, bool is_whole);
/* Whether all that they show can be of a part of a run. */
bool analysis_found_panels_are_of_parts(const struct analysis_found_panels *panels);
void analysis_found_panels_free(struct analysis_found_panels *panels);

/* The analyses that they show something of. */
void analysis_found_panels_need(const struct analysis_found_panels *panels,
                                bool wanted[ANALYSIS_STREAM_COUNT]);
bool analysis_found_panels_need_causes(const struct analysis_found_panels *panels);

/* Makes the chart of a run. Give back with analysis_chart_free. */
void analysis_found_chart(struct analysis_chart *chart,
                          const struct analysis_found_panels *panels,
                          const struct analysis_stream_run *run,
                          const struct analysis_found_source *source);

#endif
