/* The parallelism profile: the number of instructions that fire in each cycle of a run, and the
 * number that could fire on an ideal machine, where a firing of depth d fires in cycle d - 1
 * (Arvind, Culler and Maa, Assessing the benefits of fine-grain parallelism in dataflow programs,
 * 1988).
 *
 * Both are histograms of live firings, which can be added in any order. */
#ifndef TRACES_PROFILE_H
#define TRACES_PROFILE_H

#include "lib/pack.h"

#include <stddef.h>
#include <stdint.h>

enum { TRACES_PROFILE_BINS = 4096 };

/* Histogram: counts at places 0, 1, ... (cycles or depths), in bins of equal width, the smallest
 * power of two for which TRACES_PROFILE_BINS bins suffice. */
struct traces_histogram {
    uint64_t *bins;  /* owned array of TRACES_PROFILE_BINS counts */
    unsigned shift;  /* log2 of the width of a bin */
    uint64_t reach;  /* 1 + the last place counted; 0 if none */
    uint64_t length; /* number of places; 0 until traces_profile_end sets it */
};

/* HISTOGRAM(key, help). Places of `actual` are cycles; its length is that of the run, or one more.
 * Places of `ideal` are depths minus 1; its length is the longest chain of firings. */
#define TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)                                             \
    HISTOGRAM(actual, "live firings in each cycle")                                      \
    HISTOGRAM(ideal, "live firings of each depth: each as soon as it can be")

struct traces_profile {
#define HISTOGRAM(key, help) struct traces_histogram key;
    TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
};

void traces_profile_start(struct traces_profile *profile);
void traces_profile_free(struct traces_profile *profile);

/* Doubles the width of the bins until a bin contains `place`. */
void traces_histogram_widen(struct traces_histogram *histogram, uint64_t place);

static inline void traces_histogram_add(struct traces_histogram *histogram,
                                        uint64_t place)
{
    if (__builtin_expect(place >> histogram->shift >= TRACES_PROFILE_BINS, 0))
        traces_histogram_widen(histogram, place);
    histogram->reach = place < histogram->reach ? histogram->reach : place + 1;
    histogram->bins[place >> histogram->shift]++;
}

/* Counts a live firing. `depth` is 1 + the greatest depth of the firings that sent its operands. */
static inline void traces_profile_fired(struct traces_profile *profile, uint64_t cycle,
                                        uint64_t depth)
{
    traces_histogram_add(&profile->actual, cycle);
    traces_histogram_add(&profile->ideal, depth - 1);
}

/* Ends the profile of a run of `cycles` cycles whose longest chain of firings is `span`. A firing
 * at the very end that took no time has a place after all cycles. */
void traces_profile_end(struct traces_profile *profile, uint64_t cycles, uint64_t span);

/* Packs or reads a profile that has not ended. A profile to read into must have been started. */
void traces_profile_pack(struct lib_pack *pack, struct traces_profile *profile);

/* --- ranges of a histogram, after the end --------------------------------------------- */

/* A range of a histogram: `width` places from `from` on; the last range may be shorter. */
struct traces_range {
    uint64_t from, width, firings;
};

/* Returns into how many equal ranges a histogram is divided, at most `most`: one place each if
 * possible, else as few bins as possible. */
size_t traces_histogram_ranges(const struct traces_histogram *histogram, size_t most);
struct traces_range traces_histogram_range(const struct traces_histogram *histogram,
                                           size_t most, size_t i);

/* Return firings per place, of a range or a whole histogram; 0 if it has no places. */
double traces_range_mean(const struct traces_range *range);
double traces_histogram_mean(const struct traces_histogram *histogram);

/* Returns the greatest mean of the ranges of a histogram. */
double traces_histogram_greatest(const struct traces_histogram *histogram, size_t most);

struct lib_findings;

/* Adds a histogram to findings as a table of at most findings->most ranges, with firings, means and
 * bars. `place` names what is counted, from number `first` on: cycles or depths. */
void traces_histogram_findings(const struct traces_histogram *histogram, const char *key,
                               const char *help, const char *place, uint64_t first,
                               struct lib_findings *findings);

#endif
