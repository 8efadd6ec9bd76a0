#include "sim/session/series_csv.h"

#include <inttypes.h>

void sim_series_write_csv(const struct traces_series *series, struct lib_text *out)
{
#define COLUMN(key, unit, help) "," #key
    lib_text_puts(out, "cycle" TRACES_SERIES_COLUMNS(COLUMN, COLUMN) "\n");
#undef COLUMN
    for (size_t i = 0; i < series->rows.count; i++) {
        const struct traces_sample row = traces_series_row(series, i);
        lib_text_printf(out, "%" PRIu64, row.cycle);
#define COLUMN(key, unit, help) lib_text_printf(out, ",%" PRIu64, row.key);
        TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
        lib_text_puts(out, "\n");
    }
}
