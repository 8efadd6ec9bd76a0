/* What happens over time in bounded memory: for each of some channels, a sum and, where wanted, a
 * peak in each of a number of bins. They are equally wide: 1, or the least power of two with
 * which there are bins enough. */
#ifndef ANALYSIS_STREAM_TIMELINE_H
#define ANALYSIS_STREAM_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis_timeline {
    uint32_t channels;
    size_t bins; /* a power of two */
    unsigned shift;
    uint64_t length;        /* places there are: one behind the last */
    uint64_t *sums, *peaks; /* owned: [bins * channels]; no peaks: NULL */
};

/* Places `from` to `from` + `width` - 1. */
struct analysis_span {
    uint64_t from, width;
    size_t first, last; /* bins */
};

void analysis_timeline_start(struct analysis_timeline *timeline, uint32_t channels,
                             size_t bins, bool has_peaks);
void analysis_timeline_free(struct analysis_timeline *timeline);

/* So many bins that what is kept of many channels stays small: 16 to 1024. */
size_t analysis_timeline_bins(uint32_t channels);

/* Makes the bins wider, until there is one for this place. */
void analysis_timeline_widen(struct analysis_timeline *timeline, uint64_t place);

static inline void analysis_timeline_add(struct analysis_timeline *t, uint64_t place,
                                         uint32_t channel, uint64_t value)
{
    if (__builtin_expect(place >> t->shift >= t->bins, 0))
        analysis_timeline_widen(t, place);
    t->length = place < t->length ? t->length : place + 1;
    t->sums[(place >> t->shift) * t->channels + channel] += value;
}

/* The value is the same at all places from `from` up to `to` - 1: it is added for each of them. */
void analysis_timeline_hold(struct analysis_timeline *timeline, uint64_t from,
                            uint64_t to, uint32_t channel, uint64_t value);

/* There are at least so many places. */
void analysis_timeline_reach(struct analysis_timeline *timeline, uint64_t length);

/* --- what is seen of it ------------------------------------------------------------------ */

/* It is seen in spans of as many bins each, `most` at most; `i` counts them. */
size_t analysis_timeline_spans(const struct analysis_timeline *timeline, size_t most);
struct analysis_span analysis_timeline_span(const struct analysis_timeline *timeline,
                                            size_t most, size_t i);
uint64_t analysis_timeline_sum(const struct analysis_timeline *timeline,
                               const struct analysis_span *span, uint32_t channel);
uint64_t analysis_timeline_peak(const struct analysis_timeline *timeline,
                                const struct analysis_span *span, uint32_t channel);

#endif
