/* Timelines: sums over time in bounded memory. A timeline has bins of equal width. Each bin has a
 * sum, and optionally a peak, for each of several channels. Values are added at places (cycles or
 * depths). If a place is beyond the last bin, the width of the bins, a power of two, is doubled.
 *
 *     width 1   | 3 | 0 | 1 | 2 |                place 4 comes
 *     width 2   |   3   |   3   |   ...  |       */
#ifndef ANALYSIS_STREAM_TIMELINE_H
#define ANALYSIS_STREAM_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis_timeline {
    uint32_t channels;
    size_t bins;            /* number of bins, a power of two */
    unsigned shift;         /* binary logarithm of the width of a bin */
    uint64_t length;        /* 1 + the last place (cycle) so far */
    uint64_t *sums, *peaks; /* owned arrays of bins * channels; `peaks` may be NULL */
};

/* A span of a timeline: the places (cycles) `from` to `from` + `width` - 1. */
struct analysis_span {
    uint64_t from, width;
    size_t first, last; /* indices of the first and last bin in the span */
};

void analysis_timeline_start(struct analysis_timeline *timeline, uint32_t channels,
                             size_t bins, bool has_peaks);
void analysis_timeline_free(struct analysis_timeline *timeline);

/* Returns a suitable number of bins, 16 to 1024: fewer for more channels, to bound memory. */
size_t analysis_timeline_bins(uint32_t channels);

/* Doubles the width of the bins until they reach a place (cycle). */
void analysis_timeline_widen(struct analysis_timeline *timeline, uint64_t place);

static inline void analysis_timeline_add(struct analysis_timeline *t, uint64_t place,
                                         uint32_t channel, uint64_t value)
{
    if (__builtin_expect(place >> t->shift >= t->bins, 0))
        analysis_timeline_widen(t, place);
    t->length = place < t->length ? t->length : place + 1;
    t->sums[(place >> t->shift) * t->channels + channel] += value;
}

/* Adds `value` at each place (cycle) from `from` to `to` - 1. */
void analysis_timeline_hold(struct analysis_timeline *timeline, uint64_t from,
                            uint64_t to, uint32_t channel, uint64_t value);

void analysis_timeline_reach(struct analysis_timeline *timeline, uint64_t length);

/* --- reading ------------------------------------------------------------------------------ */

/* Returns the number of spans of equally many bins into which a timeline is divided, at most
 * `most`. */
size_t analysis_timeline_spans(const struct analysis_timeline *timeline, size_t most);

/* Returns the span with index `i` if a timeline is divided into at most `most` spans. */
struct analysis_span analysis_timeline_span(const struct analysis_timeline *timeline,
                                            size_t most, size_t i);
uint64_t analysis_timeline_sum(const struct analysis_timeline *timeline,
                               const struct analysis_span *span, uint32_t channel);
uint64_t analysis_timeline_peak(const struct analysis_timeline *timeline,
                                const struct analysis_span *span, uint32_t channel);

#endif
