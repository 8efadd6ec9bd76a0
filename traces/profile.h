/* The parallelism profile: the number of instructions that fire in each cycle of a run, and the
 * number that could on an ideal machine, where each fires as soon as it can: firings of depth d
 * fire in cycle d - 1 (Arvind, Culler and Maa, Assessing the benefits of fine-grain parallelism in
 * dataflow programs, 1988).
 *
 * Both are histograms of live firings, and do not depend on the order in which these are added. */
#ifndef TRACES_PROFILE_H
#define TRACES_PROFILE_H

#include "lib/pack.h"

#include <stddef.h>
#include <stdint.h>

enum { TRACES_PROFILE_BINS = 4096 };

/* Counts at places from 0 on, in bins of equal width: the least power of two for which
 * TRACES_PROFILE_BINS bins suffice. */
struct traces_histogram {
    uint64_t *bins;  /* owned: TRACES_PROFILE_BINS */
    unsigned shift;  /* log2 of the width of a bin */
    uint64_t reach;  /* 1 + max place counted; 0 if none */
    uint64_t length; /* number of places; 0 until traces_profile_end */
};

/* HISTOGRAM(key, help). Places of `actual` are cycles, and its length is that of the run, or one
 * more. Places of `ideal` are depths less 1, and its length is the span. */
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

/* Doubles the width of the bins until one contains a place. */
void traces_histogram_widen(struct traces_histogram *histogram, uint64_t place);

static inline void traces_histogram_add(struct traces_histogram *histogram,
                                        uint64_t place)
{
    if (__builtin_expect(place >> histogram->shift >= TRACES_PROFILE_BINS, 0))
        traces_histogram_widen(histogram, place);
    histogram->reach = place < histogram->reach ? histogram->reach : place + 1;
    histogram->bins[place >> histogram->shift]++;
}

/* Counts a live firing. `depth`, from 1 on, is that of the firing itself: for a READ it does not
 * depend on whether the WRITE was earlier. */
static inline void traces_profile_fired(struct traces_profile *profile, uint64_t cycle,
                                        uint64_t depth)
{
    traces_histogram_add(&profile->actual, cycle);
    traces_histogram_add(&profile->ideal, depth - 1);
}

/* Ends the profile of a run of `cycles` cycles and a given span. A firing at the very end that took
 * no time has a place after all cycles. */
void traces_profile_end(struct traces_profile *profile, uint64_t cycles, uint64_t span);

/* Packs or reads a profile that has not ended. To read, it must have been started. */
void traces_profile_pack(struct lib_pack *pack, struct traces_profile *profile);

/* --- ranges of a histogram, after the end --------------------------------------------- */

/* A range of `width` places from `from` on. The last range of a histogram may be shorter. */
struct traces_range {
    uint64_t from, width, firings;
};

/* Returns the number of ranges of equal width, at most `most`, that a histogram is divided into:
 * ranges of 1 place if these are few enough, else of as few bins as possible. */
size_t traces_histogram_ranges(const struct traces_histogram *histogram, size_t most);
struct traces_range traces_histogram_range(const struct traces_histogram *histogram,
                                           size_t most, size_t i);

/* Return firings per place; 0 if the range or histogram has no places. */
double traces_range_mean(const struct traces_range *range);
double traces_histogram_mean(const struct traces_histogram *histogram);

/* Returns the max mean of the ranges. */
double traces_histogram_greatest(const struct traces_histogram *histogram, size_t most);

struct lib_findings;

/* Adds a table of at most `findings->most` ranges with firings and means, and bars of these.
 * `place` is what is counted, from `first` on: cycles or depths. */
void traces_histogram_findings(const struct traces_histogram *histogram, const char *key,
                               const char *help, const char *place, uint64_t first,
                               struct lib_findings *findings);

#endif
