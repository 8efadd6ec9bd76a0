#include "sim/session/profile_write.h"

#include <inttypes.h>
#include <math.h>

/* A line is no longer than 80 characters, as long as counts have up to 12 digits. */
enum { ROWS_MAX = 40, BAR_LENGTH = 36 };

static void write_histogram(const struct traces_histogram *h, const char *key,
                            struct lib_json *json)
{
    lib_json_open(json, key, '{');
    lib_json_uint(json, "width", UINT64_C(1) << h->shift);
    lib_json_open_line(json, "firings", '[');
    for (size_t i = 0; i < traces_histogram_ranges(h, TRACES_PROFILE_BINS); i++)
        lib_json_uint(json, NULL,
                      traces_histogram_range(h, TRACES_PROFILE_BINS, i).firings);
    lib_json_close(json);
    lib_json_close(json);
}

void sim_profile_write_json(const struct traces_profile *profile, struct lib_json *json)
{
    lib_json_open(json, "profile", '{');
    write_histogram(&profile->actual, "actual", json);
    write_histogram(&profile->ideal, "ideal", json);
    lib_json_close(json);
}

/* Draws a bar, of at least one mark if anything fired. */
static void write_bar(double mean, double greatest, struct lib_text *out)
{
    static const char marks[] = "####################################";
    _Static_assert(sizeof marks == BAR_LENGTH + 1, "the longest bar");
    double length = mean > 0 ? fmax(1, round(mean / greatest * BAR_LENGTH)) : 0;
    if (length > 0)
        lib_text_printf(out, "  %.*s", (int)length, marks);
    lib_text_puts(out, "\n");
}

/* `place` names the first column, which counts from `first` on. */
static void write_table(const struct traces_histogram *h, const char *name,
                        const char *place, uint64_t first, struct lib_text *out)
{
    lib_text_printf(out, "\n  %s: %.2f firings per %s on average, %.2f at most\n", name,
                    traces_histogram_mean(h), place,
                    traces_histogram_greatest(h, TRACES_PROFILE_BINS));
    lib_text_printf(out, "  %12s %12s %12s\n", place, "firings", "average");
    double greatest = traces_histogram_greatest(h, ROWS_MAX);
    for (size_t i = 0; i < traces_histogram_ranges(h, ROWS_MAX); i++) {
        const struct traces_range row = traces_histogram_range(h, ROWS_MAX, i);
        double mean = traces_range_mean(&row);
        lib_text_printf(out, "  %12" PRIu64 " %12" PRIu64 " %12.2f", first + row.from,
                        row.firings, mean);
        write_bar(mean, greatest, out);
    }
}

void sim_profile_write_table(const struct traces_profile *profile, struct lib_text *out)
{
    write_table(&profile->actual, "actual profile", "cycle", 0, out);
    write_table(&profile->ideal, "ideal profile", "depth", 1, out);
}
