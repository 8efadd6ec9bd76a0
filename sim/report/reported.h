/* A run that is reported on: what ran, what was measured, and what its events tell. The run of a
 * program, of its recording and of a file of its events tell the same. */
#ifndef SIM_REPORT_REPORTED_H
#define SIM_REPORT_REPORTED_H

#include "analysis/report/gantt.h"
#include "analysis/stream/stream.h"
#include "sim/explain/causes_summary.h"
#include "sim/replay/source.h"
#include "traces/call_tree.h"

/* Start with {0}; give back with sim_reported_free. */
struct sim_reported {
    bool is_file;
    struct sim_source source;   /* a file, */
    struct sim_session session; /* or a program */
    enum traces_level level;    /* of its events */
    struct sim_ending ending;   /* since sim_reported_measure */
    bool is_measured;

    /* Since sim_reported_read. */
    struct analysis_stream_run run;
    bool wanted[ANALYSIS_STREAM_COUNT]; /* those that its events are enough for */
    struct analysis_streams *streams;
    struct traces_call_tree tree;
    struct analysis_gantt gantt;
    uint64_t *heat; /* live firings of each node */
    bool has_causes;
    struct sim_causes_found causes;
};

/* A file (sim_source_is). */
bool sim_reported_open_file(struct sim_reported *reported, const char *path,
                            struct lib_diags *diags);
bool sim_reported_open_program(struct sim_reported *reported,
                               const struct sim_session_request *request,
                               struct lib_diags *diags);
void sim_reported_free(struct sim_reported *reported);

/* Runs it once more, to measure all of it. false: it could not, or was stopped. */
bool sim_reported_measure(struct sim_reported *reported, const struct sim_watch *watch,
                          struct lib_diags *diags);

/* Reads its events: analyses, calls, the timeline; then the causes. false: as above, or they are
 * not those of what was measured. */
bool sim_reported_read(struct sim_reported *reported, const struct sim_watch *watch,
                       struct lib_diags *diags);

static inline const struct sim_session *
sim_reported_session(const struct sim_reported *reported)
{
    return reported->is_file ? &reported->source.recording.session : &reported->session;
}

/* The text of the program; NULL: it is not at hand. */
const struct lib_source *sim_reported_text(const struct sim_reported *reported);

/* What an analysis found. Findings are given back by the caller; false: its events are not
 * enough. */
bool sim_reported_tell(const struct sim_reported *reported, size_t which, bool for_people,
                       struct analysis_findings *findings);

/* The same of causes, with the path and the lines. */
bool sim_reported_tell_causes(const struct sim_reported *reported,
                              struct analysis_findings *findings);

#endif
