#include "sim/outputs/views.h"

#include <stddef.h>
#include <string.h>

/* Kinds of outputs that have an option. */
enum place {
    PLACE_TABLE = SIM_VIEW_TABLE,
    PLACE_FIGURE = SIM_VIEW_FIGURE,
    PLACE_COMMON = PLACE_TABLE | PLACE_FIGURE
};

/* Whether an option's value is a list of names with commas. */
enum { IS_LIST_ONE, IS_LIST_LIST, IS_LIST_CHOICES, IS_LIST_PAIR, IS_LIST_MAPPINGS };

static const struct {
    const char *name, *key;
    enum place place;
    bool is_list;
} meanings[] = {
#define ROW(place, key, option, form) {option, key, PLACE_##place, IS_LIST_##form > 0},
#define COMMON(ID, key, option, value, form, ...) ROW(COMMON, key, option, form)
#define TABLE(ID, key, option, value, form, ...) ROW(TABLE, key, option, form)
#define FIGURE(ID, key, option, value, form, ...) ROW(FIGURE, key, option, form)
#define OPTION FIGURE
#include "analysis/view/outputs.def"
#undef ROW
};

#define AT_VALUE(member) offsetof(struct sim_view_choice, member)

const struct lib_field sim_view_options[] = {
#define ROW(ID, option, value_, help_)                                                   \
    {.name = option,                                                                     \
     .kind = LIB_FIELD_TEXT,                                                             \
     .value = value_,                                                                    \
     .help = help_,                                                                      \
     .at = AT_VALUE(values) + SIM_VIEW_##ID * sizeof(char *)},
#define COMMON(ID, key, option, value, form, help, ...) ROW(ID, option, value, help)
#define TABLE(ID, key, option, value, form, help, ...)                                   \
    ROW(ID, option, value, "Table: " help)
#define FIGURE(ID, key, option, value, form, help, ...)                                  \
    ROW(ID, option, value, "Figure: " help)
#define OPTION FIGURE
#include "analysis/view/outputs.def"
#undef ROW
    {"experiment", .kind = LIB_FIELD_TEXT, .value = "FILE", .at = AT_VALUE(experiment),
     .help = "Whose tables and figures are made, instead of those that are kept; or the "
             "name of an experiment that was run into the database before"},
    {"detail", .kind = LIB_FIELD_CHOICE, .value = "series|profile|pe|links|epochs",
     .at = AT_VALUE(detail), .given = LIB_GIVEN(AT_VALUE(is_detailed)),
     .help = "csv: what is kept of each run, instead of a line per run"},
    {0},
};

bool sim_view_is_given(const struct sim_view_choice *choice)
{
    for (size_t i = 0; i < SIM_VIEW_OPTIONS; i++)
        if (choice->values[i])
            return true;
    return false;
}

/* --- of a text -------------------------------------------------------------------------- */

static void read_labels(struct lib_fields *r, struct analysis_view_specs *outputs)
{
    const struct lib_yaml *yaml = r->yaml;
    for (size_t i = 0; i < yaml->count; i = lib_yaml_behind(yaml, i))
        if (strcmp(yaml->items[i].key, "labels") == 0)
            analysis_view_specs_read_labels(r, i, outputs);
}

/* Labels are read before tables and figures, which show them. */
static void read_in_order(struct lib_fields *r, struct analysis_view_specs *outputs)
{
    const struct lib_yaml *yaml = r->yaml;
    read_labels(r, outputs);
    for (size_t i = 0; i < yaml->count; i = lib_yaml_behind(yaml, i)) {
        if (strcmp(yaml->items[i].key, "tables") == 0)
            analysis_view_specs_read_tables(r, i, outputs);
        else if (strcmp(yaml->items[i].key, "figures") == 0)
            analysis_view_specs_read_figures(r, i, outputs);
    }
}

static bool read_outputs(struct traces_reader *frame, const char *name, const char *text,
                         struct analysis_view_specs *outputs, struct lib_diags *diags)
{
    struct lib_source *source = LIB_ARENA_NEW(frame->arena, struct lib_source);
    struct lib_yaml yaml = {0};
    *source = (struct lib_source){name, text, strlen(text)};
    outputs->columns = &frame->columns;
    if (lib_yaml_read(&yaml, frame->arena, source, diags)) {
        struct lib_fields r = {
            .arena = frame->arena, .source = source, .yaml = &yaml, .diags = diags};
        read_in_order(&r, outputs);
    }
    lib_yaml_free(&yaml);
    return diags->errors == 0;
}

bool sim_views_of_frame(struct traces_reader *frame, struct analysis_view_specs *outputs,
                        struct lib_diags *diags)
{
    *outputs = (struct analysis_view_specs){0};
    return read_outputs(frame, frame->text_name, frame->text, outputs, diags);
}

/* --- of options ------------------------------------------------------------------------- */

/* Writes names with commas as ["a", "b"]. */
static void write_list(const char *names, struct lib_text *out)
{
    LIB_TEXT_OWN one = {0};
    lib_text_puts(out, "[");
    for (const char *p = names;; p++) {
        size_t length = strcspn(p, ",");
        lib_text_clear(&one);
        lib_text_add(&one, p, length);
        lib_text_json(out, lib_text_get(&one));
        p += length;
        if (!*p)
            break;
        lib_text_puts(out, ", ");
    }
    lib_text_puts(out, "]");
}

static void write_item(const struct sim_view_choice *choice, struct lib_text *out)
{
    if (!choice->values[SIM_VIEW_NAME])
        lib_text_puts(out, "  - name: results\n");
    for (size_t i = 0; i < SIM_VIEW_OPTIONS; i++) {
        if (!choice->values[i])
            continue;
        lib_text_printf(out, "  %c %s: ", i == SIM_VIEW_NAME ? '-' : ' ',
                        meanings[i].key);
        if (meanings[i].is_list)
            write_list(choice->values[i], out);
        else
            lib_text_json(out, choice->values[i]);
        lib_text_puts(out, "\n");
    }
}

static bool check_places(const struct sim_view_choice *choice, enum sim_view_kind kind,
                         struct lib_diags *diags)
{
    for (size_t i = 0; i < SIM_VIEW_OPTIONS; i++)
        if (choice->values[i] && !((unsigned)meanings[i].place & kind))
            lib_diag_plain(
                diags, LIB_DIAG_USAGE, "--%s is an option of %s", meanings[i].name,
                kind == SIM_VIEW_FIGURE ? "tables: show, csv, latex" : "figures: plot");
    return diags->errors == 0;
}

/* Labels of the experiment apply to options, too. Its other errors are reported with its own
 * tables. */
static void take_labels(struct traces_reader *frame, struct analysis_view_specs *outputs)
{
    const struct lib_source source = {frame->text_name, frame->text, strlen(frame->text)};
    struct lib_diags unsaid = {0};
    struct lib_yaml yaml = {0};
    if (lib_yaml_read(&yaml, frame->arena, &source, &unsaid)) {
        struct lib_fields r = {
            .arena = frame->arena, .source = &source, .yaml = &yaml, .diags = &unsaid};
        read_labels(&r, outputs);
    }
    lib_yaml_free(&yaml);
    lib_diags_free(&unsaid);
}

bool sim_views_of_choice(struct traces_reader *frame,
                         const struct sim_view_choice *choice, enum sim_view_kind kind,
                         struct analysis_view_specs *outputs, struct lib_diags *diags)
{
    struct lib_text text = {0};
    *outputs = (struct analysis_view_specs){0};
    if (!check_places(choice, kind, diags))
        return false;
    outputs->columns = &frame->columns;
    take_labels(frame, outputs);
    lib_text_puts(&text, kind == SIM_VIEW_FIGURE ? "figures:\n" : "tables:\n");
    write_item(choice, &text);
    const char *kept = lib_arena_keep(frame->arena, &text);
    return read_outputs(frame, "<options>", kept, outputs, diags);
}

/* --- figures as tables ------------------------------------------------------------------ */

static void append(analysis_column_list *list, const analysis_column_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        list->items[list->count++] = more->items[i];
}

struct analysis_table_spec sim_view_figure_as_table(const struct analysis_figure *figure,
                                                    struct lib_arena *arena)
{
    struct analysis_view view = analysis_view_of_figure(figure);
    const analysis_column_list *panels = view.dimensions[ANALYSIS_PANEL];
    const analysis_column_list *series = view.dimensions[ANALYSIS_SERIES];
    struct analysis_table_spec table = {
        .common = figure->common, .rows = figure->x, .digits = 4};
    table.columns.items = LIB_ARENA_ARRAY(arena, const struct traces_column *,
                                          panels->count + series->count + 1);
    append(&table.columns, panels);
    append(&table.columns, series);
    table.common.values = *view.values;
    return table;
}
