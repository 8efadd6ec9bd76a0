/* No run is better than its bounds (analysis/stream/bounds.c); and on an ideal machine, where
 * nothing else limits a run, it is as good as the longest path of its dependences. */
#include "tests/random/compare_internal.h"

#include "isa/exec/exec.h"
#include "sim/explain/analysed.h"

#include <inttypes.h>
#include <string.h>

struct compare_bounds *compare_bounds_start(const struct isa_graph *image,
                                            const struct machine_settings *s,
                                            struct traces_event_sink *sink)
{
    const struct analysis_stream_run run = sim_analysed_run(image, s, NULL, 0,
                                                            UINT64_MAX);
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    bool wanted[ANALYSIS_STREAM_COUNT] = {false};
    wanted[ANALYSIS_STREAM_bounds] = true;
    struct analysis_streams *streams = analysis_streams_new(&run, wanted);
    (void)analysis_streams_sinks(streams, sinks);
    *sink = sinks[0];
    return (struct compare_bounds *)streams;
}

static uint64_t number_of(const struct lib_findings *f, const char *key)
{
    const struct lib_value *value = lib_findings_value(f, key);
    return value ? value->count : UINT64_MAX;
}

static void check(struct compare_report *report, const char *who,
                  const struct lib_findings *f, const char *least, const char *most)
{
    if (number_of(f, least) > number_of(f, most))
        compare_found(report, COMPARE_BOUND, "%s: %s = %" PRIu64 ", %s = %" PRIu64, who,
                      least, number_of(f, least), most, number_of(f, most));
}

static uint64_t cell_of(const struct lib_table *t, size_t row, const char *column)
{
    for (size_t c = 0; c < t->columns.count; c++)
        if (strcmp(t->columns.items[c].key, column) == 0)
            return lib_table_cell(t, row, c)->count;
    return UINT64_MAX;
}

/* Of each function: what is proved is not above what there was, and what is estimated not below
 * what is proved. */
static void check_functions(struct compare_report *report, const char *who,
                            const struct lib_findings *f)
{
    const struct lib_table *t = lib_findings_find(f, "state");
    for (size_t r = 0; r < lib_table_rows(t); r++) {
        const uint64_t nested = cell_of(t, r, "least_tags"),
                       sent = cell_of(t, r, "least_live_tokens"),
                       guess = cell_of(t, r, "estimated_live_tokens");
        if (nested > cell_of(t, r, "peak_tags") ||
            nested + 1 > number_of(f, "least_tags") ||
            sent > number_of(f, "least_live_tokens") || guess < sent ||
            guess > number_of(f, "estimated_live_tokens"))
            compare_found(report, COMPARE_BOUND,
                          "%s: function %zu: %" PRIu64 " tags, %" PRIu64
                          " tokens, estimated %" PRIu64,
                          who, r, nested, sent, guess);
    }
}

void compare_bounds_end(struct compare_bounds *bounds, bool is_ideal,
                        struct compare_report *report, const char *who)
{
    static const char *const cycles[] = {
#define BOUND(key, GIVEN, help) #key,
#include "analysis/stream/bounds.def"
    };
    struct analysis_streams *streams = (struct analysis_streams *)bounds;
    struct lib_findings f;
    lib_findings_start(&f, "bounds", false);
    analysis_streams_tell(streams, ANALYSIS_STREAM_bounds, &f);
    if (analysis_streams_end(streams)->how == ISA_END_COMPLETED) {
        for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
            if (lib_findings_value(&f,
                                   cycles[i])) /* tensor_units is not of every machine */
                check(report, who, &f, cycles[i], "cycles");
        check(report, who, &f, "least_tags", "peak_tags");
        check(report, who, &f, "least_live_tokens", "peak_live_tokens");
        check_functions(report, who, &f);
        if (is_ideal)
            check(report, who, &f, "cycles", "span");
    }
    lib_findings_free(&f);
    analysis_streams_free(streams);
}
