#include "traces/profile.h"

#include "lib/findings.h"
#include "lib/memory.h"

#include <assert.h>
#include <string.h>

static void start_histogram(struct traces_histogram *histogram)
{
    *histogram = (struct traces_histogram){
        .bins = lib_mem_new(TRACES_PROFILE_BINS * sizeof(uint64_t))};
}

void traces_profile_start(struct traces_profile *profile)
{
    start_histogram(&profile->actual);
    start_histogram(&profile->ideal);
}

void traces_profile_free(struct traces_profile *profile)
{
    LIB_MEM_FREE(profile->actual.bins, profile->ideal.bins);
    *profile = (struct traces_profile){0};
}

void traces_histogram_widen(struct traces_histogram *histogram, uint64_t place)
{
    const size_t half = TRACES_PROFILE_BINS / 2;
    uint64_t *bins = histogram->bins;
    while (place >> histogram->shift >= TRACES_PROFILE_BINS) {
        for (size_t i = 0; i < half; i++)
            bins[i] = bins[2 * i] + bins[2 * i + 1];
        memset(bins + half, 0, half * sizeof *bins);
        histogram->shift++;
    }
}

static void end_histogram(struct traces_histogram *histogram, uint64_t length)
{
    length = length < histogram->reach ? histogram->reach : length;
    if (length > 0)
        traces_histogram_widen(histogram, length - 1);
    histogram->length = length;
}

void traces_profile_end(struct traces_profile *profile, uint64_t cycles, uint64_t span)
{
    end_histogram(&profile->actual, cycles);
    end_histogram(&profile->ideal, span);
}

static void pack_histogram(struct lib_pack *pack, struct traces_histogram *histogram)
{
    LIB_PACK(pack, histogram->shift, histogram->reach);
    lib_pack_expect(pack, histogram->shift < 64);
    lib_pack_bytes(pack, histogram->bins, TRACES_PROFILE_BINS * sizeof *histogram->bins);
}

void traces_profile_pack(struct lib_pack *pack, struct traces_profile *profile)
{
    pack_histogram(pack, &profile->actual);
    pack_histogram(pack, &profile->ideal);
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

static uint64_t bin_count(const struct traces_histogram *histogram)
{
    return divide_up(histogram->length, UINT64_C(1) << histogram->shift);
}

static uint64_t joined(const struct traces_histogram *histogram, size_t most)
{
    assert(most > 0);
    uint64_t bins = bin_count(histogram);
    return bins > most ? divide_up(bins, most) : 1;
}

size_t traces_histogram_ranges(const struct traces_histogram *histogram, size_t most)
{
    return divide_up(bin_count(histogram), joined(histogram, most));
}

struct traces_range traces_histogram_range(const struct traces_histogram *histogram,
                                           size_t most, size_t i)
{
    uint64_t group = joined(histogram, most), bins = bin_count(histogram);
    struct traces_range range = {
        .from = (i * group) << histogram->shift,
        .width = group << histogram->shift,
    };
    assert(range.from < histogram->length);
    if (range.width > histogram->length - range.from)
        range.width = histogram->length - range.from;
    for (uint64_t k = i * group; k < (i + 1) * group && k < bins; k++)
        range.firings += histogram->bins[k];
    return range;
}

double traces_range_mean(const struct traces_range *range)
{
    return range->width ? (double)range->firings / (double)range->width : 0;
}

double traces_histogram_mean(const struct traces_histogram *histogram)
{
    struct traces_range all = {0};
    if (histogram->length > 0)
        all = traces_histogram_range(histogram, 1, 0);
    return traces_range_mean(&all);
}

double traces_histogram_greatest(const struct traces_histogram *histogram, size_t most)
{
    double greatest = 0;
    for (size_t i = 0; i < traces_histogram_ranges(histogram, most); i++) {
        struct traces_range range = traces_histogram_range(histogram, most, i);
        if (traces_range_mean(&range) > greatest)
            greatest = traces_range_mean(&range);
    }
    return greatest;
}

void traces_histogram_findings(const struct traces_histogram *h, const char *key,
                               const char *help, const char *place, uint64_t first,
                               struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, key, help);
    lib_table_column(t, place);
    LIB_TABLE_COLUMNS(t, "width", "firings", "mean");
    t->bar = 3;
    if (h->length == 0)
        return;
    for (size_t i = 0; i < traces_histogram_ranges(h, f->most); i++) {
        const struct traces_range range = traces_histogram_range(h, f->most, i);
        lib_table_count(t, first + range.from);
        lib_table_count(t, range.width);
        lib_table_count(t, range.firings);
        lib_table_real(t, traces_range_mean(&range));
    }
}
