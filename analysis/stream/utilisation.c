/* The utilisation of each PE, and of each class of PEs, over time: busy function units and used
 * issue slots. For an executor, the time for which each worker is occupied. */
#include "analysis/classes.h"
#include "analysis/stream/devices.h"
#include "analysis/stream/timeline.h"

#include <math.h>

enum { STRIP = 32 };

struct utilisation {
    const struct analysis_stream_run *run;
    struct traces_pe_stats *pes;
    /* Channels 2i and 2i + 1: busy cycles and turns of PE i. */
    struct analysis_timeline over_time;
    struct analysis_devices *devices; /* owned; NULL: there are none */
    uint64_t cycles;
};

static void *utilisation_make(const struct analysis_stream_run *run)
{
    struct utilisation *u = lib_mem_new(sizeof *u);
    const uint32_t channels = 2 * run->machine.pe_count;
    u->run = run;
    u->pes = lib_mem_new(run->machine.pe_count * sizeof *u->pes);
    analysis_timeline_start(&u->over_time, channels, analysis_timeline_bins(channels),
                            false);
    u->devices = analysis_devices_new(run);
    return u;
}

static void release(void *state)
{
    struct utilisation *u = state;
    analysis_timeline_free(&u->over_time);
    analysis_devices_free(u->devices);
    LIB_MEM_FREE(u->pes, u);
}

static bool is_in_window(const struct utilisation *u, uint64_t cycle)
{
    return cycle >= u->run->from && cycle < u->run->to;
}

/* A worker is occupied until `b`, maybe beyond the analysed part; a function unit for a cycle. */
static void note_busy(struct utilisation *u, const struct traces_event *e)
{
    const uint64_t start = u->run->from;
    const uint64_t from = e->cycle > start ? e->cycle : start;
    const uint64_t to = e->b < u->run->to ? e->b : u->run->to;
    if (u->run->machine.has_workers && from < to) {
        analysis_timeline_hold(&u->over_time, from - start, to - start, 2 * e->pe, 1);
        u->pes[e->pe].busy += to - from;
    } else if (!u->run->machine.has_workers && is_in_window(u, e->cycle)) {
        analysis_timeline_add(&u->over_time, e->cycle - start, 2 * e->pe, 1);
        u->pes[e->pe].busy++;
    }
}

static void take_event(struct utilisation *u, const struct traces_event *e)
{
    const bool is_in = is_in_window(u, e->cycle);
    switch (e->kind) {
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
    case TRACES_EVENT_BUSY:
        u->pes[e->pe].firings += is_in && e->kind == TRACES_EVENT_FIRED;
        u->pes[e->pe].dead_firings += is_in && e->kind == TRACES_EVENT_DEAD;
        note_busy(u, e);
        break;
    case TRACES_EVENT_TAKEN:
        if (u->run->machine.has_workers || !is_in)
            break;
        u->pes[e->pe].turns++;
        analysis_timeline_add(&u->over_time, e->cycle - u->run->from, 2 * e->pe + 1, 1);
        break;
    case TRACES_EVENT_END:
        u->cycles = analysis_stream_end(u->run, e) - u->run->from;
        analysis_timeline_reach(&u->over_time, u->cycles);
        break;
    default:
        break;
    }
}

static void utilisation_take(void *state, const struct traces_event *events, size_t count)
{
    struct utilisation *u = state;
    for (size_t i = 0; i < count; i++) {
        take_event(u, &events[i]);
        if (u->devices)
            analysis_devices_take(u->devices, &events[i]);
    }
}

/* Returns a character per span of time, from ' ' (idle) to '@' (always busy). */
static const char *strip_of(const struct utilisation *u, uint32_t pe,
                            struct lib_arena *arena)
{
    static const char marks[] = ".:-=+*#%@";
    const size_t spans = analysis_timeline_spans(&u->over_time, STRIP);
    const uint64_t limit = traces_machine_units(&u->run->machine, pe);
    const double units = limit ? (double)limit : 1;
    char *strip = LIB_ARENA_ARRAY(arena, char, spans + 3);
    strip[0] = '|';
    for (size_t i = 0; i < spans; i++) {
        const struct analysis_span span = analysis_timeline_span(&u->over_time, STRIP, i);
        const uint64_t busy = analysis_timeline_sum(&u->over_time, &span, 2 * pe);
        const double part = (double)busy / ((double)span.width * units);
        strip[i + 1] = busy ? marks[(size_t)fmin(8, part * 9)] : ' ';
    }
    strip[spans + 1] = '|';
    strip[spans + 2] = '\0';
    return strip;
}

static void report_pes(const struct utilisation *u, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "pes",
        f->for_people ? "each PE, and how busy it is over time: from . little to @ always"
                      : "each PE");
    LIB_TABLE_COLUMNS(t, "pe", "firings", "dead_firings", "busy", "turns", "utilisation",
                      "occupancy");
    if (f->for_people)
        lib_table_column(t, "over time");
    for (uint32_t i = 0; i < u->run->machine.pe_count; i++) {
        const struct traces_pe_stats *pe = &u->pes[i];
        const struct traces_pe_class *of = traces_machine_pe(&u->run->machine, i);
        const double units = (double)of->units * (double)u->cycles;
        const double slots = (double)of->turns * (double)u->cycles;
        const uint64_t used = u->run->machine.has_workers ? pe->busy : pe->turns;
        lib_table_count(t, i);
        lib_table_count(t, pe->firings);
        lib_table_count(t, pe->dead_firings);
        lib_table_count(t, pe->busy);
        lib_table_count(t, pe->turns);
        lib_table_real(t, lib_ratio((double)pe->busy, units));
        lib_table_real(t, lib_ratio((double)used, slots));
        if (f->for_people)
            lib_table_word(t, strip_of(u, i, f->arena));
    }
}

static void report_over_time(const struct utilisation *u, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "over_time",
                                             "of each PE, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "pe", "busy", "turns");
    for (size_t i = 0; i < analysis_timeline_spans(&u->over_time, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(&u->over_time, f->most,
                                                                 i);
        for (uint32_t pe = 0; pe < u->run->machine.pe_count; pe++) {
            lib_table_count(t, u->run->from + span.from);
            lib_table_count(t, span.width);
            lib_table_count(t, pe);
            lib_table_count(t, analysis_timeline_sum(&u->over_time, &span, 2 * pe));
            lib_table_count(t, analysis_timeline_sum(&u->over_time, &span, 2 * pe + 1));
        }
    }
}

static void report_classes(const struct utilisation *u, struct lib_findings *f)
{
    const struct traces_machine *m = &u->run->machine;
    struct analysis_class_sums sums[TRACES_MAX_CLASSES + 1] = {{0}};
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        analysis_class_add(m, pe, &u->pes[pe], sums);
    analysis_classes_table(m, sums, u->cycles, f);
}

static void report_classes_over_time(const struct utilisation *u, struct lib_findings *f)
{
    const struct traces_machine *m = &u->run->machine;
    struct lib_table *t = lib_findings_table(f, "classes_over_time",
                                             "of each class, from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", "class", "busy", "turns", "utilisation",
                      "occupancy");
    for (size_t i = 0; i < analysis_timeline_spans(&u->over_time, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(&u->over_time, f->most,
                                                                 i);
        struct analysis_class_sums sums[TRACES_MAX_CLASSES + 1] = {{0}};
        for (uint32_t pe = 0; pe < m->pe_count; pe++) {
            const struct traces_pe_stats of = {
                .busy = analysis_timeline_sum(&u->over_time, &span, 2 * pe),
                .turns = analysis_timeline_sum(&u->over_time, &span, 2 * pe + 1)};
            analysis_class_add(m, pe, &of, sums);
        }
        for (uint32_t row = 0; row < analysis_classes_count(m); row++) {
            lib_table_count(t, u->run->from + span.from);
            lib_table_count(t, span.width);
            analysis_class_name(m, row, f, t);
            analysis_class_use(m, &sums[row], span.width, t);
        }
    }
}

static void utilisation_report(void *state, struct lib_findings *f)
{
    const struct utilisation *u = state;
    const double units = (double)traces_machine_all_units(&u->run->machine) *
                         (double)u->cycles;
    const double slots = (double)traces_machine_all_turns(&u->run->machine) *
                         (double)u->cycles;
    uint64_t busy = 0, turns = 0, most = 0, working = 0;
    for (uint32_t i = 0; i < u->run->machine.pe_count; i++) {
        const struct traces_pe_stats *pe = &u->pes[i];
        busy += pe->busy;
        turns += pe->turns;
        most = pe->busy > most ? pe->busy : most;
        working += pe->firings + pe->dead_firings > 0;
    }
    lib_findings_count(f, "busy", busy, "busy function-unit cycles");
    lib_findings_count(f, "turns", turns, "issue slots used");
    lib_findings_real(f, "utilisation", lib_ratio((double)busy, units),
                      "busy / (units x cycles)");
    lib_findings_real(
        f, "occupancy",
        lib_ratio((double)(u->run->machine.has_workers ? busy : turns), slots),
        "issue slots used / (units x cycles)");
    lib_findings_count(f, "working_pes", working, "PEs that executed an instruction");
    lib_findings_real(f, "imbalance",
                      lib_ratio((double)most * u->run->machine.pe_count, (double)busy),
                      "busy of the busiest PE / the mean of all");
    if (u->run->machine.class_count)
        report_classes(u, f);
    report_pes(u, f);
    if (!f->for_people)
        report_over_time(u, f);
    if (!f->for_people && u->run->machine.class_count)
        report_classes_over_time(u, f);
    analysis_devices_report(u->devices, u->cycles, f);
}

extern const struct analysis_stream_kind analysis_utilisation;
const struct analysis_stream_kind analysis_utilisation = {
    utilisation_make, utilisation_take, utilisation_report, release, false, NULL};
