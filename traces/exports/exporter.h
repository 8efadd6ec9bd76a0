/* Exports: the events of a run as files for other programs. A format is a writer that consumes a
 * stream of events (traces/events.h), so that its memory is bounded by the state of the run at one
 * time, not by its length.
 *
 *     open  ->  the sink consumes the events of a window  ->  finish
 *
 * The same events give the same bytes. A file appears only when it is complete. doc/replay.md
 * describes the formats. */
#ifndef TRACES_EXPORTS_EXPORTER_H
#define TRACES_EXPORTS_EXPORTER_H

#include "lib/diag.h"
#include "traces/events.h"
#include "traces/filter.h"

struct traces_exporter_format {
    const char *name;
    bool draws_arrows;   /* for tokens, from the sending firing to the consuming one */
    const char *missing; /* why this build cannot write it, and what to do; or NULL */
};

/* Returns the format of a name, or NULL if the name is unknown. */
const struct traces_exporter_format *traces_exporter_find(const char *name);

struct traces_exporter_request {
    const struct traces_exporter_format *format;
    const char *path;
    const struct isa_graph *graph; /* graph of the run */
    enum traces_level level;
    uint64_t from;                     /* first cycle of the window */
    struct traces_filter_texts filter; /* events to write */
    bool has_values;      /* of tokens (traces/token_value.h); the format has them */
    bool has_gaps;        /* the stream lacks firings: senders of tokens are unknown */
    uint32_t place_count; /* PEs, or workers of an executor */
    bool has_workers;
    uint64_t every; /* draws an arrow for every n-th token; 0: none */
    const char *(*end_name)(unsigned how); /* text for enum isa_end */
};

/* Counts of what was written. `tokens` counts those that could be drawn. */
struct traces_exporter_counts {
    uint64_t events, firings, tokens, arrows;
};

struct traces_exporter;

/* Opens an export. The request and `diags` are borrowed until its end. Returns NULL and adds a
 * diagnostic if it cannot be written. */
struct traces_exporter *
traces_exporter_open(const struct traces_exporter_request *request,
                     struct lib_diags *diags);

/* Returns the sink for all events of the window, also those that the filter leaves out. */
struct traces_event_sink traces_exporter_sink(struct traces_exporter *exporter);

/* Whether writing has failed, so that further events are ignored. traces_exporter_finish reports
 * the reason. */
bool traces_exporter_has_failed(const struct traces_exporter *exporter);

/* Completes and frees an export. Returns false and adds a diagnostic if it could not be written. */
bool traces_exporter_finish(struct traces_exporter *exporter,
                            struct traces_exporter_counts *counts);

/* Frees an export without writing its file. */
void traces_exporter_abandon(struct traces_exporter *exporter);

#endif
