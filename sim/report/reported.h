/* A run for a report: its program, its measurements, and the findings from its events. They are the
 * same for a program, for its recording and for a file of its events. */
#ifndef SIM_REPORT_REPORTED_H
#define SIM_REPORT_REPORTED_H

#include "analysis/report/gantt.h"
#include "analysis/stream/stream.h"
#include "sim/explain/causes_summary.h"
#include "sim/replay/source.h"
#include "traces/call_tree.h"

/* A run. Start it with {0}; free it with sim_reported_free. */
struct sim_reported {
    bool is_file;
    struct sim_source source;   /* for a file */
    struct sim_session session; /* for a program */
    enum traces_level level;    /* level of its events */
    struct sim_ending ending;   /* set by sim_reported_measure */
    bool is_measured;

    /* Set by sim_reported_read: */
    struct analysis_stream_run run;
    bool wanted[ANALYSIS_STREAM_COUNT]; /* analyses for which its events suffice */
    struct analysis_streams *streams;
    struct traces_call_tree tree;
    struct analysis_gantt gantt;
    uint64_t *heat; /* live firings of each node */
    bool has_causes;
    struct sim_causes_summary causes;
};

/* Open a file (sim_source_is), or a program. */
bool sim_reported_open_file(struct sim_reported *reported, const char *path,
                            struct lib_diags *diags);
bool sim_reported_open_program(struct sim_reported *reported,
                               const struct sim_session_request *request,
                               struct lib_diags *diags);
void sim_reported_free(struct sim_reported *reported);

/* Repeats the run to measure all of it. Returns false if that failed or was stopped. */
bool sim_reported_measure(struct sim_reported *reported, const struct sim_watch *watch,
                          struct lib_diags *diags);

/* Reads its events for analyses, calls and the timeline, then for the causes. Returns false if that
 * failed or was stopped, or if they differ from the measurements. */
bool sim_reported_read(struct sim_reported *reported, const struct sim_watch *watch,
                       struct lib_diags *diags);

static inline const struct sim_session *
sim_reported_session(const struct sim_reported *reported)
{
    return reported->is_file ? &reported->source.recording.session : &reported->session;
}

/* Returns the text of the program, or NULL. */
const struct lib_source *sim_reported_text(const struct sim_reported *reported);

/* Starts the findings of an analysis, which the caller frees. Returns false if the events do not
 * suffice for it. */
bool sim_reported_findings(const struct sim_reported *reported, size_t which,
                           bool for_people, struct lib_findings *findings);

/* Starts the findings of causes, with the path and the lines. */
bool sim_reported_causes_findings(const struct sim_reported *reported,
                                  struct lib_findings *findings);

#endif
