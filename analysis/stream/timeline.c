#include "analysis/stream/timeline.h"

#include "lib/memory.h"

#include <string.h>

void analysis_timeline_start(struct analysis_timeline *t, uint32_t channels, size_t bins,
                             bool has_peaks)
{
    const size_t bytes = bins * channels * sizeof(uint64_t);
    *t = (struct analysis_timeline){.channels = channels, .bins = bins};
    t->sums = lib_mem_new(bytes);
    t->peaks = has_peaks ? lib_mem_new(bytes) : NULL;
}

void analysis_timeline_free(struct analysis_timeline *t)
{
    LIB_MEM_FREE(t->sums, t->peaks);
    *t = (struct analysis_timeline){0};
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

size_t analysis_timeline_bins(uint32_t channels)
{
    enum { LEAST = 16, MOST = 1024, CELLS = 1 << 20 };
    size_t bins = MOST;
    while (bins > LEAST && bins * channels > CELLS)
        bins /= 2;
    return bins;
}

static void fold(struct analysis_timeline *t)
{
    const size_t half = t->bins / 2, width = t->channels;
    for (size_t b = 0; b < half; b++)
        for (size_t c = 0; c < width; c++) {
            const size_t at = b * width + c, x = 2 * b * width + c, y = x + width;
            t->sums[at] = t->sums[x] + t->sums[y];
            if (t->peaks)
                t->peaks[at] = greater(t->peaks[x], t->peaks[y]);
        }
    memset(t->sums + half * width, 0, half * width * sizeof *t->sums);
    if (t->peaks)
        memset(t->peaks + half * width, 0, half * width * sizeof *t->peaks);
    t->shift++;
}

void analysis_timeline_widen(struct analysis_timeline *t, uint64_t place)
{
    while (place >> t->shift >= t->bins)
        fold(t);
}

void analysis_timeline_reach(struct analysis_timeline *t, uint64_t length)
{
    if (length > t->length) {
        analysis_timeline_widen(t, length - 1);
        t->length = length;
    }
}

void analysis_timeline_hold(struct analysis_timeline *t, uint64_t from, uint64_t to,
                            uint32_t channel, uint64_t value)
{
    analysis_timeline_reach(t, to);
    while (from < to) {
        const uint64_t bin = from >> t->shift, behind = (bin + 1) << t->shift;
        const uint64_t until = behind < to ? behind : to;
        const size_t at = bin * t->channels + channel;
        t->sums[at] += value * (until - from);
        if (t->peaks)
            t->peaks[at] = greater(t->peaks[at], value);
        from = until;
    }
}

static size_t divide_up(uint64_t a, uint64_t b)
{
    return (size_t)(a / b + (a % b > 0));
}

static size_t used_bins(const struct analysis_timeline *t)
{
    return divide_up(t->length, UINT64_C(1) << t->shift);
}

static size_t joined(const struct analysis_timeline *t, size_t most)
{
    const size_t bins = used_bins(t);
    return bins > most ? divide_up(bins, most) : 1;
}

size_t analysis_timeline_spans(const struct analysis_timeline *t, size_t most)
{
    return divide_up(used_bins(t), joined(t, most));
}

struct analysis_span analysis_timeline_span(const struct analysis_timeline *t,
                                            size_t most, size_t i)
{
    const size_t group = joined(t, most), bins = used_bins(t);
    struct analysis_span span = {
        .from = (uint64_t)(i * group) << t->shift,
        .width = (uint64_t)group << t->shift,
        .first = i * group,
        .last = (i + 1) * group < bins ? (i + 1) * group - 1 : bins - 1,
    };
    if (span.width > t->length - span.from)
        span.width = t->length - span.from;
    return span;
}

uint64_t analysis_timeline_sum(const struct analysis_timeline *t,
                               const struct analysis_span *span, uint32_t channel)
{
    uint64_t sum = 0;
    for (size_t b = span->first; b <= span->last; b++)
        sum += t->sums[b * t->channels + channel];
    return sum;
}

uint64_t analysis_timeline_peak(const struct analysis_timeline *t,
                                const struct analysis_span *span, uint32_t channel)
{
    uint64_t peak = 0;
    for (size_t b = span->first; b <= span->last; b++)
        peak = greater(peak, t->peaks[b * t->channels + channel]);
    return peak;
}
