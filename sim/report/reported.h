/* The run that a report describes: its program, its measurements, and analyses of its events. A
 * program, its recording and its event file give the same. */
#ifndef SIM_REPORT_REPORTED_H
#define SIM_REPORT_REPORTED_H

#include "analysis/report/gantt.h"
#include "analysis/stream/stream.h"
#include "sim/explain/causes.h"
#include "sim/replay/source.h"
#include "traces/call_tree.h"

/* A run to report. Starts as {0}; free with sim_reported_free. */
struct sim_reported {
    bool is_file;
    struct sim_source source;   /* the file, if `is_file` */
    struct sim_session session; /* the program, unless `is_file` */
    enum traces_level level;    /* most detailed level of the run's events */
    struct sim_ending ending;   /* set by sim_reported_measure */
    bool is_measured;

    /* sim_reported_read sets this member and all members below: */
    struct analysis_stream_run run;
    bool wanted[ANALYSIS_STREAM_COUNT]; /* analyses for which the events suffice */
    struct analysis_streams *streams;
    struct traces_call_tree tree;
    struct analysis_gantt gantt;
    uint64_t *heat; /* number of firings of each node */
    bool has_causes;
    struct sim_causes_summary causes;
};

/* Open a run to report: a recording or event file, or a program. A file with events must have all
 * events of the run, at least of the level `firings`. Return false and add a diagnostic on errors.
 * Free in either case. */
bool sim_reported_open_file(struct sim_reported *reported, const char *path,
                            struct lib_diags *diags);
bool sim_reported_open_program(struct sim_reported *reported,
                               const struct sim_session_request *request,
                               struct lib_diags *diags);
void sim_reported_free(struct sim_reported *reported);

/* Simulates the run to measure all of it. Returns false if it failed or was stopped. */
bool sim_reported_measure(struct sim_reported *reported, const struct sim_watch *watch,
                          struct lib_diags *diags);

/* Reads the events of the run, for analyses, calls, the timeline and the causes of cycles. Returns
 * false if this fails or is stopped, or if the events contradict the measurements. */
bool sim_reported_read(struct sim_reported *reported, const struct sim_watch *watch,
                       struct lib_diags *diags);

static inline const struct sim_session *
sim_reported_session(const struct sim_reported *reported)
{
    return reported->is_file ? &reported->source.recording.session : &reported->session;
}

/* Returns the source text of the program, or NULL. */
const struct lib_source *sim_reported_text(const struct sim_reported *reported);

/* Starts `findings` with the results of analysis `which`; the caller frees them. Returns false if
 * the run's events lack the detail for it. */
bool sim_reported_findings(const struct sim_reported *reported, size_t which,
                           bool for_people, struct lib_findings *findings);

/* Starts `findings` with the causes of cycles: the critical path, and the lines of the source. The
 * caller frees them. Returns false if the run's events lack the detail for it. */
bool sim_reported_causes_findings(const struct sim_reported *reported,
                                  struct lib_findings *findings);

#endif
