/* The parallelism profile: how many instructions fire in each cycle of a run, and how
 * many could on a machine without limits, where each fires as soon as it can: then the
 * firings of depth d fire in cycle d - 1 (Arvind, Culler and Maa, Assessing the benefits
 * of fine-grain parallelism in dataflow programs, 1988).
 *
 * Both are histograms of live firings. Sums do not depend on the order of what is
 * counted. */
#ifndef TRACES_PROFILE_H
#define TRACES_PROFILE_H

#include "lib/pack.h"

#include <stddef.h>
#include <stdint.h>

enum { TRACES_PROFILE_BINS = 4096 };

/* Counts at places from 0 on, in bins of equal width: 1, or the least power of two for
 * which there are bins enough. */
struct traces_histogram {
    uint64_t *bins;  /* owned: TRACES_PROFILE_BINS */
    unsigned shift;  /* a bin is 2^shift wide */
    uint64_t reach;  /* the greatest place counted, and 1; 0: there is none */
    uint64_t length; /* places there are; 0 until traces_profile_end */
};

/* `actual`: the place is the cycle; length: cycles, or one more. `ideal`: the place is the depth
 * less 1; length: span. */
#define TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)                                             \
    HISTOGRAM(actual, "live firings in each cycle")                                      \
    HISTOGRAM(ideal, "live firings of each depth: each as soon as it can be")

/* Start with {0}, then traces_profile_start. */
struct traces_profile {
#define HISTOGRAM(key, help) struct traces_histogram key;
    TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
};

void traces_profile_start(struct traces_profile *profile);
void traces_profile_free(struct traces_profile *profile);

/* Makes the bins wider, until there is one for this place. */
void traces_histogram_widen(struct traces_histogram *histogram, uint64_t place);

static inline void traces_histogram_add(struct traces_histogram *histogram,
                                        uint64_t place)
{
    if (__builtin_expect(place >> histogram->shift >= TRACES_PROFILE_BINS, 0))
        traces_histogram_widen(histogram, place);
    histogram->reach = place < histogram->reach ? histogram->reach : place + 1;
    histogram->bins[place >> histogram->shift]++;
}

/* A live firing. Its depth, from 1 on, is that of the firing itself: a READ's does not
 * depend on whether the WRITE came before it. */
static inline void traces_profile_fired(struct traces_profile *profile, uint64_t cycle,
                                        uint64_t depth)
{
    traces_histogram_add(&profile->actual, cycle);
    traces_histogram_add(&profile->ideal, depth - 1);
}

/* The run took so many cycles, and its span is this. What fired at the very end, and took no
 * time, has a place behind all cycles. */
void traces_profile_end(struct traces_profile *profile, uint64_t cycles, uint64_t span);

/* Of one that has not ended. To be read, it was started. */
void traces_profile_pack(struct lib_pack *pack, struct traces_profile *profile);

/* --- what is seen of a histogram, after the end --------------------------------------- */

/* Places from `from` on; the last ones may be fewer than all others have. */
struct traces_range {
    uint64_t from, width, firings;
};

/* In how many ranges of equal width it is seen, if there shall be `most` at most: of 1
 * place where that suffices, else of as few bins as possible. `i` counts them. */
size_t traces_histogram_ranges(const struct traces_histogram *histogram, size_t most);
struct traces_range traces_histogram_range(const struct traces_histogram *histogram,
                                           size_t most, size_t i);

/* Firings per place; 0 where there is none. */
double traces_range_mean(const struct traces_range *range);
double traces_histogram_mean(const struct traces_histogram *histogram);
/* The greatest mean of a range. */
double traces_histogram_greatest(const struct traces_histogram *histogram, size_t most);

#endif
