#include "analysis/figure/gains_chart.h"

#include <math.h>

enum { MAX_BARS = 12 };

void analysis_gains_chart(struct analysis_chart *chart, const char *what,
                          const struct analysis_gains *gains, size_t count)
{
    static const char *const names[ANALYSIS_GAINS] = {"10 % faster", "50 % faster",
                                                      "no time at all"};
    const size_t shown = count < MAX_BARS ? count : MAX_BARS;
    analysis_chart_start(chart, 1, ANALYSIS_GAINS);
    const char **places = LIB_ARENA_ARRAY(chart->arena, const char *, shown + 1);
    chart->kind = ANALYSIS_FIGURE_BARS;
    chart->curve_names = names;
    chart->x.label = what;
    chart->x.places = places;
    chart->x.place_count = shown;
    chart->y.label = "fewer cycles (%)";
    for (size_t i = 0; i < count && i < MAX_BARS; i++) {
        places[i] = gains[i].name;
        for (size_t k = 0; k < ANALYSIS_GAINS; k++) {
            const struct analysis_point point = {.x = (double)i,
                                                 .y = 100 * gains[i].parts[k],
                                                 .low = NAN,
                                                 .high = NAN,
                                                 .runs = 1};
            if (!isnan(point.y))
                analysis_chart_add(chart, 0, k, &point);
        }
    }
}
