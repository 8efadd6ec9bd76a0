#include "analysis/stream/devices.h"

#include "analysis/stream/timeline.h"

enum { COMPUTE, OUT, IN, TRACKS };

static const char *const names[TRACKS] = {"compute", "out", "in"};

/* Cycles in which something is occupied by pieces, which begin in the order of time. */
struct occupied {
    uint64_t cycles;
    uint64_t until; /* it is occupied until then, without a break since the last piece */
};

/* A track of the bank of tensor units, or of the memory, with a number. */
struct track {
    uint64_t pieces; /* batches or moves that began in the analysed part */
    uint64_t bytes;  /* of these moves */
    struct occupied busy;
};

struct analysis_devices {
    const struct analysis_stream_run *run;
    struct track *tracks; /* owned; track i of number n: n * TRACKS + i */
    size_t count;
    struct occupied computing, copying; /* any bank; any channel */
    uint64_t overlap;                   /* cycles of both */
    struct analysis_timeline over_time; /* a channel per track */
};

struct analysis_devices *analysis_devices_new(const struct analysis_stream_run *run)
{
    const struct traces_machine *m = &run->machine;
    if (m->has_workers || (!m->tensor_units && !m->has_batches && !m->memory_capacity))
        return NULL;
    struct analysis_devices *d = lib_mem_new(sizeof *d);
    d->run = run;
    d->count = (size_t)m->pe_count * TRACKS;
    d->tracks = lib_mem_new(d->count * sizeof *d->tracks);
    analysis_timeline_start(&d->over_time, (uint32_t)d->count,
                            analysis_timeline_bins((uint32_t)d->count), false);
    return d;
}

void analysis_devices_free(struct analysis_devices *d)
{
    if (!d)
        return;
    analysis_timeline_free(&d->over_time);
    LIB_MEM_FREE(d->tracks, d);
}

/* Adds a piece. Returns from when on it is new: until then it was occupied before. */
static uint64_t occupy(struct occupied *o, uint64_t from, uint64_t to)
{
    const uint64_t new_from = from > o->until ? from : o->until;
    if (new_from >= to)
        return to;
    o->cycles += to - new_from;
    o->until = to;
    return new_from;
}

static void take_piece(struct analysis_devices *d, uint32_t number, unsigned kind,
                       const struct traces_event *e, uint64_t bytes)
{
    const struct analysis_stream_run *run = d->run;
    const uint64_t from = e->cycle > run->from ? e->cycle : run->from;
    const uint64_t to = e->b < run->to ? e->b : run->to;
    const size_t at = (size_t)number * TRACKS + kind;
    struct occupied *own = kind == COMPUTE ? &d->computing : &d->copying;
    const struct occupied *other = kind == COMPUTE ? &d->copying : &d->computing;
    if (at >= d->count)
        return;
    if (e->cycle >= run->from && e->cycle < run->to) {
        d->tracks[at].pieces++;
        d->tracks[at].bytes += bytes;
    }
    if (from >= to)
        return;
    const uint64_t new_from = occupy(&d->tracks[at].busy, from, to);
    if (new_from < to)
        analysis_timeline_hold(&d->over_time, new_from - run->from, to - run->from,
                               (uint32_t)at, 1);
    const uint64_t both_from = occupy(own, from, to);
    const uint64_t both_to = other->until < to ? other->until : to;
    d->overlap += both_to > both_from ? both_to - both_from : 0;
}

void analysis_devices_take(struct analysis_devices *d, const struct traces_event *e)
{
    if (!d)
        return;
    if (e->kind == TRACES_EVENT_BATCH)
        take_piece(d, e->pe, COMPUTE, e, 0);
    else if (e->kind == TRACES_EVENT_MOVE)
        take_piece(d, e->pe, e->to ? IN : OUT, e, e->a);
    else if (e->kind == TRACES_EVENT_END)
        analysis_timeline_reach(&d->over_time,
                                analysis_stream_end(d->run, e) - d->run->from);
}

/* Whether a track is shown: all of a number of which one has pieces, if the machine has them. */
static bool is_shown(const struct analysis_devices *d, size_t i)
{
    const struct traces_machine *m = &d->run->machine;
    const struct track *of_number = &d->tracks[i - i % TRACKS];
    return (i % TRACKS == COMPUTE ? m->tensor_units || m->has_batches
                                  : m->memory_capacity && m->swap_threshold) &&
           of_number[COMPUTE].pieces + of_number[OUT].pieces + of_number[IN].pieces > 0;
}

static void report_tracks(const struct analysis_devices *d, uint64_t cycles,
                          struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "devices",
        "tensor units that compute, and channels out of memories and back into them");
    LIB_TABLE_COLUMNS(t, "track", "number", "pieces", "bytes", "busy", "load");
    t->bar = 5;
    for (size_t i = 0; i < d->count; i++) {
        const struct track *track = &d->tracks[i];
        if (!is_shown(d, i))
            continue;
        lib_table_word(t, names[i % TRACKS]);
        lib_table_count(t, i / TRACKS);
        lib_table_count(t, track->pieces);
        lib_table_count(t, track->bytes);
        lib_table_count(t, track->busy.cycles);
        lib_table_real(t, lib_ratio((double)track->busy.cycles, (double)cycles));
    }
}

static void report_over_time(const struct analysis_devices *d, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "devices_over_time", "cycles that each was occupied, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "track", "number", "busy");
    for (size_t s = 0; s < analysis_timeline_spans(&d->over_time, f->most); s++) {
        const struct analysis_span span = analysis_timeline_span(&d->over_time, f->most,
                                                                 s);
        for (size_t i = 0; i < d->count; i++) {
            if (!is_shown(d, i))
                continue;
            lib_table_count(t, d->run->from + span.from);
            lib_table_count(t, span.width);
            lib_table_word(t, names[i % TRACKS]);
            lib_table_count(t, i / TRACKS);
            lib_table_count(t, analysis_timeline_sum(&d->over_time, &span, (uint32_t)i));
        }
    }
}

void analysis_devices_report(const struct analysis_devices *d, uint64_t cycles,
                             struct lib_findings *f)
{
    if (!d)
        return;
    lib_findings_count(f, "computing", d->computing.cycles,
                       "cycles in which a tensor unit computed");
    lib_findings_count(f, "copying", d->copying.cycles,
                       "cycles in which tensors moved out of a memory, or back");
    lib_findings_count(f, "overlap", d->overlap, "cycles of both");
    report_tracks(d, cycles, f);
    if (!f->for_people)
        report_over_time(d, f);
}
