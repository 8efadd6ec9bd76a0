/* Makes charts of findings (lib/findings.h): of the results of analyses that
 * analysis/figure/found.def lists, and of the series and profile of a run
 * (analysis/figure/run_findings.h). */
#ifndef ANALYSIS_FIGURE_FOUND_CHART_H
#define ANALYSIS_FIGURE_FOUND_CHART_H

#include "analysis/figure/chart.h"
#include "analysis/figure/run_findings.h"
#include "analysis/stream/stream.h"

enum {
#define STEPS(name, ...) ANALYSIS_FOUND_##name,
#define CLASSES STEPS
#define LINE STEPS
#define MATRIX STEPS
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
    ANALYSIS_FOUND_COUNT,
};

/* Index of the causes of cycles (analysis/causes), beyond those of the analyses of a stream of
 * events. To find causes, the caller must repeat the run. */
enum { ANALYSIS_STREAM_causes = ANALYSIS_STREAM_COUNT };

/* Sources of the results that a chart shows. */
struct analysis_found_source {
    struct analysis_streams *streams; /* analyses of the run, after the event END */
    void (*tell_causes)(void *context, struct lib_findings *findings);
    void *context;
    struct analysis_run_source over_time; /* used for panels over time only */
};

extern const char *const analysis_found_names[ANALYSIS_FOUND_COUNT];
extern const char *const analysis_found_helps[ANALYSIS_FOUND_COUNT];

/* A panel: which curves, heat map or bars it shows. */
struct analysis_found_panel {
    /* owned; what the panel shows: ANALYSIS_FOUND_...; or over time, indices of curves
     * (analysis_run_curve) */
    LIB_VEC(size_t) shown;
};

/* A list of panels, initialised with {0} or with is_over_time set. Free it with
 * analysis_found_panels_free. */
struct analysis_found_panels {
    LIB_VEC(struct analysis_found_panel) list; /* owned */
    /* whether panels show the series and profile of the run, not results of analyses */
    bool is_over_time;
};

/* Adds a panel that shows `names`, separated by commas. Returns false and sets `why` if a name is
 * unknown or cannot be combined with the others. */
bool analysis_found_panels_add(struct analysis_found_panels *panels, const char *names,
                               struct lib_text *why);

/* Adds the default panels: profiles and state. Omits the ideal profile unless `is_whole`, that is,
 * unless the whole run is shown. */
void analysis_found_panels_default(struct analysis_found_panels *panels, bool is_whole);

/* Whether all panels can show a part of the cycles of a run. If false, they need the whole run. */
bool analysis_found_panels_are_of_parts(const struct analysis_found_panels *panels);
void analysis_found_panels_free(struct analysis_found_panels *panels);

/* Sets `wanted` for each analysis that the panels need. */
void analysis_found_panels_need(const struct analysis_found_panels *panels,
                                bool wanted[ANALYSIS_STREAM_COUNT]);
/* Returns what the panels show that a machine lacks, as "classes of PEs (class.NAME.pes)"; NULL:
 * nothing. */
const char *analysis_found_panels_lack(const struct analysis_found_panels *panels,
                                       const struct traces_machine *machine);
bool analysis_found_panels_need_causes(const struct analysis_found_panels *panels);

/* Makes the chart of a run. `source->streams` may be NULL for panels over time. Free the chart with
 * analysis_chart_free. */
void analysis_found_chart(struct analysis_chart *chart,
                          const struct analysis_found_panels *panels,
                          const struct analysis_stream_run *run,
                          const struct analysis_found_source *source);

#endif
