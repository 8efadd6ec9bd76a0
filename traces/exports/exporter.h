/* Exports: the events of a run as files for other programs (doc/replay.md). The writer of a format
 * consumes a stream of events (traces/events.h), so its memory does not depend on the length of the
 * run.
 *
 * The same events give the same bytes. A file appears only when it is complete. */
#ifndef TRACES_EXPORTS_EXPORTER_H
#define TRACES_EXPORTS_EXPORTER_H

#include "lib/diag.h"
#include "traces/events.h"
#include "traces/filter.h"

/* FIRST(name, help), EXPORT(name, help): a file format. Its writer is export_NAME, declared in
 * traces/exports/exports_internal.h. FIRST is the first row, for tables that need separators. */
#define TRACES_EXPORTS(FIRST, EXPORT)                                                    \
    FIRST(perfetto, "  a trace for ui.perfetto.dev: PEs, activations, counters, arrows") \
    EXPORT(konata, "    a log of a pipeline, for Konata")                                \
    EXPORT(paje, "      for ViTE and pj_dump")                                           \
    EXPORT(otf2, "      a folder, for Vampir and otf2-print: firings and messages")      \
    EXPORT(vcd, "       signals over time, for GTKWave")                                 \
    EXPORT(chakra,                                                                       \
           "    an execution trace of MLCommons: firings and what they wait for")        \
    EXPORT(sqlite, "    a database: events, activations, instructions")                  \
    EXPORT(csv, "       a row for each event")                                           \
    EXPORT(collapsed, " the tree of calls with its firings, as stacks for flame graphs") \
    EXPORT(speedscope, "the same for speedscope.app")

struct traces_exporter_format {
    const char *name;
    /* The format draws an arrow for each token, from the firing that sends it to the firing that
     * consumes it. */
    bool draws_arrows;
    /* message why this build cannot write the format, and what to do; NULL: it can write it */
    const char *missing;
};

const struct traces_exporter_format *traces_exporter_find(const char *name);

struct traces_exporter_request {
    const struct traces_exporter_format *format;
    const char *path;
    const struct isa_graph *graph; /* graph of the program that runs; borrowed */
    enum traces_level level;
    uint64_t from; /* first cycle to export */
    /* only events that meet these conditions are written (traces/filter.h) */
    struct traces_filter_texts filter;
    /* the last column of CSV has the values of tokens (traces/token_value.h) */
    bool has_values;
    /* The stream lacks some firings, so the firing that sent a token is unknown. */
    bool has_gaps;
    uint32_t place_count; /* number of PEs, or of workers of an executor */
    bool has_workers;
    uint64_t every; /* draw an arrow for every n-th token; 0: no arrows */
    /* Returns how a run ended (enum isa_end) in words. */
    const char *(*end_name)(unsigned how);
};

/* Counts of what an export wrote. `tokens` counts the tokens that could have an arrow, `arrows` the
 * tokens that have one. */
struct traces_exporter_counts {
    uint64_t events, firings, tokens, arrows;
};

struct traces_exporter;

/* Opens an export. The request and `diags` are borrowed until it is finished or abandoned. Returns
 * NULL and adds a diagnostic if the file cannot be written. */
struct traces_exporter *
traces_exporter_open(const struct traces_exporter_request *request,
                     struct lib_diags *diags);

/* Returns the sink of an export. It must get all events of the exported cycles, even those that the
 * filter rejects. */
struct traces_event_sink traces_exporter_sink(struct traces_exporter *exporter);

/* Whether writing has failed, so that further events are ignored. traces_exporter_finish reports
 * why. */
bool traces_exporter_has_failed(const struct traces_exporter *exporter);

/* Completes the file and frees the export. Returns false and adds a diagnostic on failure. */
bool traces_exporter_finish(struct traces_exporter *exporter,
                            struct traces_exporter_counts *counts);

/* Frees an export without making its file. */
void traces_exporter_abandon(struct traces_exporter *exporter);

#endif
