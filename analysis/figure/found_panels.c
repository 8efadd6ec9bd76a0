/* The panels that figures can show, and those that a user requests. */
#include "analysis/figure/found_chart.h"

#include <string.h>

static const struct {
    bool is_steps; /* whether curves can be combined */
    size_t analysis;
} kinds[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, analysis, ...) {true, ANALYSIS_STREAM_##analysis},
#define LINE(name, analysis, ...) {false, ANALYSIS_STREAM_##analysis},
#define CLASSES LINE
#define MATRIX LINE
#define TIMES LINE
#define PARTS LINE
#include "analysis/figure/found.def"
};

const char *const analysis_found_names[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, ...) #name,
#define CLASSES STEPS
#define LINE STEPS
#define MATRIX STEPS
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
};

const char *const analysis_found_helps[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, analysis, table, x, y, x_label, y_label, help) help,
#define CLASSES STEPS
#define LINE STEPS
#define MATRIX(name, analysis, table, x, y, z, x_label, y_label, z_label, help) help,
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
};

static size_t name_count(const struct analysis_found_panels *panels)
{
    return panels->is_over_time ? analysis_run_curve_count() : ANALYSIS_FOUND_COUNT;
}

static const char *name_at(size_t i, const void *panels)
{
    return ((const struct analysis_found_panels *)panels)->is_over_time
               ? analysis_run_curve(i).name
               : analysis_found_names[i];
}

static bool find_name(const struct analysis_found_panels *panels, const char *name,
                      size_t *shown, struct lib_text *why)
{
    const size_t count = name_count(panels);
    for (*shown = 0; *shown < count; ++*shown)
        if (strcmp(name_at(*shown, panels), name) == 0)
            return true;
    const char *nearest = lib_text_nearest(name, count, name_at, panels);
    lib_text_printf(why,
                    panels->is_over_time ? "there is no `%s` over time"
                                         : "there is no figure of `%s`",
                    name);
    if (nearest)
        lib_text_printf(why, "; did you mean `%s`?", nearest);
    for (size_t i = 0; !nearest && i < count; i++)
        lib_text_printf(why, "%s %s", i ? "," : "; there are", name_at(i, panels));
    return false;
}

/* Returns what the first panel shows; ANALYSIS_FOUND_COUNT if there is none, or for panels over
 * time. */
static size_t first_of(const struct analysis_found_panels *panels)
{
    for (size_t i = 0; i < panels->list.count && !panels->is_over_time; i++)
        if (panels->list.items[i].shown.count)
            return panels->list.items[i].shown.items[0];
    return ANALYSIS_FOUND_COUNT;
}

static bool may_join(const struct analysis_found_panels *panels, size_t shown,
                     struct lib_text *why)
{
    const size_t first = first_of(panels);
    if (first == ANALYSIS_FOUND_COUNT || (kinds[first].is_steps && kinds[shown].is_steps))
        return true;
    const size_t alone = kinds[first].is_steps ? shown : first;
    lib_text_printf(why, "`%s` stands alone in a figure: draw two figures",
                    analysis_found_names[alone]);
    return false;
}

static bool has_shown(const struct analysis_found_panel *panel, size_t shown)
{
    for (size_t i = 0; i < panel->shown.count; i++)
        if (panel->shown.items[i] == shown)
            return true;
    return false;
}

bool analysis_found_panels_add(struct analysis_found_panels *panels, const char *names,
                               struct lib_text *why)
{
    LIB_TEXT_OWN name = {0};
    bool good = true;
    const size_t at = panels->list.count;
    *LIB_VEC_PUSH(&panels->list) = (struct analysis_found_panel){0};
    for (const char *p = names; good; p++) {
        const size_t length = strcspn(p, ",");
        lib_text_clear(&name);
        lib_text_add(&name, p, length);
        size_t shown;
        good = find_name(panels, lib_text_get(&name), &shown, why) &&
               may_join(panels, shown, why);
        if (good && !has_shown(&panels->list.items[at], shown))
            *LIB_VEC_PUSH(&panels->list.items[at].shown) = shown;
        p += length;
        if (!*p)
            break;
    }
    return good;
}

bool analysis_found_panels_are_of_parts(const struct analysis_found_panels *panels)
{
    bool are = !panels->is_over_time;
    for (size_t i = 0; are && i < panels->list.count; i++)
        for (size_t k = 0; k < panels->list.items[i].shown.count; k++) {
            const size_t at = panels->list.items[i].shown.items[k];
            are &= at != ANALYSIS_FOUND_ideal && at != ANALYSIS_FOUND_causes &&
                   analysis_stream_table[kinds[at].analysis].window !=
                       ANALYSIS_STREAM_WHOLE;
        }
    return are;
}

void analysis_found_panels_default(struct analysis_found_panels *panels, bool is_whole)
{
    static const char *const shown[] = {"ideal", "actual", "live_tokens,waiting", "tags"};
    LIB_TEXT_OWN why = {0};
    for (size_t i = !is_whole; i < sizeof shown / sizeof *shown; i++)
        analysis_found_panels_add(panels, shown[i], &why);
}

void analysis_found_panels_free(struct analysis_found_panels *panels)
{
    for (size_t i = 0; i < panels->list.count; i++)
        LIB_VEC_FREE(&panels->list.items[i].shown);
    LIB_VEC_FREE(&panels->list);
}

void analysis_found_panels_need(const struct analysis_found_panels *panels,
                                bool wanted[ANALYSIS_STREAM_COUNT])
{
    for (size_t i = 0; i < panels->list.count && !panels->is_over_time; i++)
        for (size_t k = 0; k < panels->list.items[i].shown.count; k++) {
            const size_t analysis = kinds[panels->list.items[i].shown.items[k]].analysis;
            if (analysis < ANALYSIS_STREAM_COUNT)
                wanted[analysis] = true;
        }
}

/* What depends on the machine is always alone in a figure. */
const char *analysis_found_panels_lack(const struct analysis_found_panels *panels,
                                       const struct traces_machine *m)
{
    switch (first_of(panels)) {
    case ANALYSIS_FOUND_class_firings:
    case ANALYSIS_FOUND_class_utilisation:
        return m->class_count ? NULL : "classes of PEs (class.NAME.pes)";
    case ANALYSIS_FOUND_devices:
        return m->tensor_units || m->has_batches || m->memory_capacity
                   ? NULL
                   : "counted tensor units or a finite memory (tensor.unit.count, "
                     "memory.capacity)";
    default:
        return NULL;
    }
}

/* Causes are always alone in a figure. */
bool analysis_found_panels_need_causes(const struct analysis_found_panels *panels)
{
    return first_of(panels) == ANALYSIS_FOUND_causes;
}
