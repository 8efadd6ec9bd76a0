/* Exports: the events of a run as files that others read. A format is a writer that takes the
 * stream of events (traces/events.h), event by event, so that its memory is bounded by what is
 * alive at one time in the run, and not by how long that is.
 *
 *     open  ->  the sink takes the events of a window  ->  finish
 *
 * The same events make the same bytes. A file appears whole or not at all. doc/exports.md says
 * what each format shows. */
#ifndef TRACES_EXPORTS_EXPORTER_H
#define TRACES_EXPORTS_EXPORTER_H

#include "lib/diag.h"
#include "traces/events.h"
#include "traces/filter.h"

/* What there is to choose from. */
struct traces_exporter_format {
    const char *name;
    bool
        draws_arrows; /* one for a token, from the firing that sent it to the one that took it */
    const char *missing; /* NULL; else why this program cannot write it, and what to do */
};

/* NULL: there is none of that name. */
const struct traces_exporter_format *traces_exporter_find(const char *name);

struct traces_exporter_request {
    const struct traces_exporter_format *format;
    const char *path;
    const struct isa_graph *graph; /* to which the events refer */
    enum traces_level level;
    uint64_t from;                     /* the first cycle of the window */
    struct traces_filter_texts filter; /* what is written of what is taken */
    bool
        has_gaps; /* firings are missing from what is taken: who sent a token is not known */
    uint32_t place_count; /* PEs; of an executor its workers */
    bool has_workers;
    uint64_t every; /* draws an arrow for one of so many tokens; 0: for none */
    const char *(*end_name)(unsigned how); /* how a run ends, in words */
};

/* What was written; `tokens` are those that could be drawn. */
struct traces_exporter_counts {
    uint64_t events, firings, tokens, arrows;
};

struct traces_exporter;

/* NULL: it cannot be written, and why is in `diags`. Request and `diags` are borrowed to
 * the end. */
struct traces_exporter *
traces_exporter_open(const struct traces_exporter_request *request,
                     struct lib_diags *diags);

/* What takes the events, all of the window: which of them are written says the filter. Valid
 * until the end. */
struct traces_event_sink traces_exporter_sink(struct traces_exporter *exporter);

/* Whether it can no more be written, so that no more events need come; traces_exporter_finish
 * says why. */
bool traces_exporter_has_failed(const struct traces_exporter *exporter);

/* Ends it. false: it could not be written, and why is in the diagnostics. */
bool traces_exporter_finish(struct traces_exporter *exporter,
                            struct traces_exporter_counts *counts);

/* Nobody wants it. */
void traces_exporter_abandon(struct traces_exporter *exporter);

#endif
