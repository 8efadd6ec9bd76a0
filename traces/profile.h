/* Parallelism profile: the number of instructions that fire in each cycle of a run, and the number
 * that could fire on an ideal machine, where a firing of depth d fires in cycle d - 1 (Arvind,
 * Culler and Maa, Assessing the benefits of fine-grain parallelism in dataflow programs, 1988).
 *
 * Both are histograms of live firings, which can be added in any order. */
#ifndef TRACES_PROFILE_H
#define TRACES_PROFILE_H

#include "lib/pack.h"

#include <stddef.h>
#include <stdint.h>

enum { TRACES_PROFILE_BINS = 4096 };

/* Histogram of firings by cycle: a cycle of the run, or of the ideal machine. Bins have equal
 * width, the smallest power of two for which TRACES_PROFILE_BINS bins suffice. */
struct traces_histogram {
    uint64_t *bins;  /* owned array of TRACES_PROFILE_BINS counts */
    unsigned shift;  /* log2 of the number of cycles per bin */
    uint64_t reach;  /* 1 + the last cycle with a firing; 0: no firing */
    uint64_t length; /* number of cycles; 0 until traces_profile_end */
};

/* HISTOGRAM(key, help). `actual` counts firings by cycle of the run; its length is the number of
 * cycles of the run, or one more. `ideal` counts firings by cycle of the ideal machine, which is
 * their depth - 1; its length is the number of firings in the longest chain. */
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

/* Doubles the width of the bins until one contains cycle `place`. */
void traces_histogram_widen(struct traces_histogram *histogram, uint64_t place);

static inline void traces_histogram_add(struct traces_histogram *histogram,
                                        uint64_t place)
{
    if (__builtin_expect(place >> histogram->shift >= TRACES_PROFILE_BINS, 0))
        traces_histogram_widen(histogram, place);
    histogram->reach = place < histogram->reach ? histogram->reach : place + 1;
    histogram->bins[place >> histogram->shift]++;
}

/* Counts a live firing in `cycle`. Its `depth` is 1 + the greatest depth of the firings that sent
 * its operands. */
static inline void traces_profile_fired(struct traces_profile *profile, uint64_t cycle,
                                        uint64_t depth)
{
    traces_histogram_add(&profile->actual, cycle);
    traces_histogram_add(&profile->ideal, depth - 1);
}

/* Ends the profile of a run of `cycles` cycles whose longest chain has `span` firings. If an
 * instruction that takes no time fires at the very end, the profile has one cycle more. */
void traces_profile_end(struct traces_profile *profile, uint64_t cycles, uint64_t span);

/* Writes a profile to a pack, or reads it into a started one (lib/pack.h). The profile must not
 * have ended. */
void traces_profile_pack(struct lib_pack *pack, struct traces_profile *profile);

/* --- ranges of a histogram, after the end --------------------------------------------- */

/* Range of a histogram: `width` cycles from `from` on. The last range may be shorter. */
struct traces_range {
    uint64_t from, width, firings;
};

/* Returns the number of ranges, at most `most`, into which a histogram is divided. All ranges have
 * the same number of bins, as few as possible; the last range may have fewer. */
size_t traces_histogram_ranges(const struct traces_histogram *histogram, size_t most);
struct traces_range traces_histogram_range(const struct traces_histogram *histogram,
                                           size_t most, size_t i);

/* Return firings per cycle of a range or a whole histogram; 0 if it is empty. */
double traces_range_mean(const struct traces_range *range);
double traces_histogram_mean(const struct traces_histogram *histogram);

/* Divides a histogram into at most `most` ranges, and returns the greatest mean of a range, in
 * firings per cycle. */
double traces_histogram_greatest(const struct traces_histogram *histogram, size_t most);

struct lib_findings;

/* Adds a histogram to findings as a table of at most findings->most ranges, with firings, means and
 * bars. `place` names what is counted, from `first` on: "cycle", or "depth" (from 1). */
void traces_histogram_findings(const struct traces_histogram *histogram, const char *key,
                               const char *help, const char *place, uint64_t first,
                               struct lib_findings *findings);

#endif
