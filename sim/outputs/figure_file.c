#include "sim/outputs/figure_file.h"

#include <string.h>

#include "analysis/figure/gnuplot.h"
#include "analysis/figure/plot.h"
#include "lib/file.h"

static const char *const forms[] = {"pdf", "svg", "png"};
enum { FORMS = sizeof forms / sizeof *forms };

const char *sim_figure_form(const char *path)
{
    const char *name = lib_file_name(path), *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot > name && i < FORMS; i++)
        if (strcmp(dot + 1, forms[i]) == 0)
            return forms[i];
    return NULL;
}

enum sim_status sim_figure_draw(struct analysis_chart *chart, const char *path,
                                const char *caption, const struct sim_printer *printer)
{
    LIB_TEXT_OWN data = {0}, script = {0};
    struct lib_diags diags = {0};
    chart->name = "figure";
    chart->data = "figure.dat";
    chart->caption = caption;
    analysis_chart_write_data(chart, &data);
    analysis_plot_write_script(chart, sim_figure_form(path), &script);
    const enum sim_status status = sim_status_of(analysis_gnuplot_draw_file(
        path, sim_figure_form(path), chart->name, &script, &data, &diags));
    sim_tell(printer, &diags);
    return status;
}
