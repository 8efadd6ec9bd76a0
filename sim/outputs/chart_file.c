#include "sim/outputs/chart_file.h"

#include <string.h>

#include "analysis/figure/gnuplot.h"
#include "analysis/figure/plot.h"

static const char *const forms[] = {"pdf", "svg", "png"};
enum { FORMS = sizeof forms / sizeof *forms };

/* The form of a file by its name's ending; NULL: none. */
static const char *form_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot > name && i < FORMS; i++)
        if (strcmp(dot + 1, forms[i]) == 0)
            return forms[i];
    return NULL;
}

const char *sim_chart_file(const char *path, const char *command)
{
    if (!form_of(path))
        sim_options_wrong(command,
                          "--figure: expected a name that ends with .pdf, .svg or "
                          ".png, found `%s`",
                          path);
    return path;
}

enum sim_status sim_chart_put(const struct sim_voice *voice, const char *path,
                              const char *caption, struct analysis_chart *chart)
{
    struct lib_text data = {0}, script = {0};
    struct lib_diags diags = {0};
    chart->name = "figure";
    chart->data = "figure.dat";
    chart->caption = caption;
    analysis_chart_write_data(chart, &data);
    analysis_plot_write_script(chart, form_of(path), &script);
    enum sim_status status = sim_status_of(analysis_gnuplot_draw_file(
        path, form_of(path), chart->name, &script, &data, &diags));
    sim_tell(voice, &diags);
    lib_text_free(&data);
    lib_text_free(&script);
    analysis_chart_free(chart);
    return status;
}
