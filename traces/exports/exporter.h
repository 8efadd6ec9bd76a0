/* Exports: the events of a run as files for other programs (doc/replay.md). The writer of a format
 * consumes a stream of events (traces/events.h), so its memory is bounded by the state of the run
 * at one time, not by its length.
 *
 * The same events give the same bytes. A file appears only when it is complete. */
#ifndef TRACES_EXPORTS_EXPORTER_H
#define TRACES_EXPORTS_EXPORTER_H

#include "lib/diag.h"
#include "traces/events.h"
#include "traces/filter.h"

/* FIRST(name, help), EXPORT(name, help): the formats. Format `name` is export_`name` of its file
 * (traces/exports/exports_internal.h). */
#define TRACES_EXPORTS(FIRST, EXPORT)                                                    \
    FIRST(perfetto, "a trace for ui.perfetto.dev: PEs, activations, counters, arrows")   \
    EXPORT(konata, "  a log of a pipeline, for Konata")                                  \
    EXPORT(paje, "    for ViTE and pj_dump")                                             \
    EXPORT(otf2, "    a folder, for Vampir and otf2-print: firings and messages")        \
    EXPORT(vcd, "     signals over time, for GTKWave")                                   \
    EXPORT(chakra, "  an execution trace of MLCommons: firings and what they wait for")  \
    EXPORT(sqlite, "  a database: events, activations, instructions")                    \
    EXPORT(csv, "     a row for each event")                                             \
    EXPORT(collapsed, "the tree of calls with its firings as collapsed stacks, for "     \
                      "flame graphs")                                                    \
    EXPORT(speedscope, "the same for speedscope.app")

struct traces_exporter_format {
    const char *name;
    /* Draws an arrow for a token, from its sending to its consuming firing. */
    bool draws_arrows;
    /* Why this build cannot write the format, and what to do; or NULL. */
    const char *missing;
};

const struct traces_exporter_format *traces_exporter_find(const char *name);

struct traces_exporter_request {
    const struct traces_exporter_format *format;
    const char *path;
    const struct isa_graph *graph; /* graph of the run */
    enum traces_level level;
    uint64_t from;                     /* first cycle of the window */
    struct traces_filter_texts filter; /* conditions on the events to write */
    /* Firings are missing in the stream, so senders of tokens are unknown. */
    bool has_gaps;
    uint32_t place_count; /* number of PEs, or of workers of an executor */
    bool has_workers;
    uint64_t every; /* draws an arrow for every n-th token; 0: none */
    /* Returns the text of an end of a run (enum isa_end). */
    const char *(*end_name)(unsigned how);
};

/* Counts of what an export wrote. `tokens` counts those that could be drawn as arrows. */
struct traces_exporter_counts {
    uint64_t events, firings, tokens, arrows;
};

struct traces_exporter;

/* Opens an export. The request and `diags` are borrowed until its end. Returns NULL and adds a
 * diagnostic if the file cannot be written. */
struct traces_exporter *
traces_exporter_open(const struct traces_exporter_request *request,
                     struct lib_diags *diags);

/* Returns the sink of an export. The caller passes all events of the window, also those that the
 * filter rejects. */
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
