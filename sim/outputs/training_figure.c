#include "sim/outputs/training_figure.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "sim/outputs/figure_file.h"

enum { EPOCHS_MIN = 3, POINTS_MAX = 256, PANELS_MAX = 3 };

struct curve {
    const char *name;
    size_t offset; /* of a double in struct sim_training_row; NaN: unknown */
};

struct work {
    const struct sim_training *training;
    struct analysis_chart chart;
    bool by_epoch;
    uint64_t places, width; /* number of epochs or steps; number of them per point */
};

static struct sim_training_row row_at(const struct work *w, uint64_t place)
{
    return w->by_epoch ? sim_training_epoch(w->training, place, NULL)
                       : w->training->rows.items[place];
}

/* Adds means over groups of places, at the last place of each. Unknown values do not count. */
static void add_curve(struct work *w, size_t panel, size_t index,
                      const struct curve *curve)
{
    for (uint64_t first = 0; first < w->places; first += w->width) {
        struct analysis_point point = {.low = NAN, .high = NAN, .runs = 1};
        uint64_t known = 0, last = first;
        for (uint64_t i = first; i < w->places && i < first + w->width; i++) {
            const struct sim_training_row row = row_at(w, i);
            const double value = *(const double *)(const void *)((const char *)&row +
                                                                 curve->offset);
            if (!isfinite(value))
                continue;
            known++;
            last = i;
            point.y += (value - point.y) / (double)known;
        }
        point.x = (double)(last + 1);
        if (known)
            analysis_chart_add(&w->chart, panel, index, &point);
    }
}

static void add_panel(struct work *w, size_t panel, const char *label,
                      const struct curve *curves, size_t count)
{
    struct analysis_panel *to = &w->chart.panels[panel];
    const char **names = LIB_ARENA_ARRAY(w->chart.arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = curves[i].name;
        add_curve(w, panel, i, &curves[i]);
    }
    to->x_label = w->by_epoch ? "epoch" : "step";
    to->x_note = w->width > 1
                     ? lib_arena_printf(w->chart.arena, ", means of %" PRIu64, w->width)
                     : "";
    to->y_label = label;
    to->curve_names = names;
    to->curve_count = count;
}

static const char *caption_of(const struct work *w)
{
    const struct sim_training_options *o = &w->training->options;
    struct lib_text text = {0};
    lib_text_printf(&text, "%s, %s, rate ", w->training->model->learns->source,
                    sim_methods[o->method]);
    lib_text_real(&text, o->rate);
    lib_text_printf(&text, ", batches of %" PRIu64, o->batch);
    return lib_arena_keep(w->chart.arena, &text);
}

enum sim_status sim_training_figure_put(const struct sim_training *t,
                                        const struct sim_printer *printer,
                                        const char *path)
{
#define OF(member) offsetof(struct sim_training_row, member)
    static const struct curve losses[] = {{"trained on", OF(loss)},
                                          {"held out", OF(held_loss)}},
                              accuracy = {"", OF(held_right)}, rate = {"", OF(rate)};
#undef OF
    const bool held = t->options.held > 0, judges = held && t->model->says.has_correct,
               varies = t->options.warmup || t->options.halve;
    struct work w = {.training = t, .by_epoch = sim_training_epochs(t) >= EPOCHS_MIN};
    w.places = w.by_epoch ? sim_training_epochs(t) : t->taken;
    w.width = (w.places - 1) / POINTS_MAX + 1;
    size_t panel = 0;
    analysis_chart_start(&w.chart, 1U + judges + varies, 2);
    w.chart.kind = ANALYSIS_FIGURE_LINES;
    w.chart.axes = ANALYSIS_AXES_OWN;
    w.chart.has_own_x = true;
    add_panel(&w, panel++, "loss", losses, held ? 2 : 1);
    if (judges)
        add_panel(&w, panel++, "accuracy, held out", &accuracy, 1);
    if (varies)
        add_panel(&w, panel++, "learning rate", &rate, 1);
    const enum sim_status status = sim_figure_draw(&w.chart, path, caption_of(&w),
                                                   printer);
    analysis_chart_free(&w.chart);
    return status;
}
