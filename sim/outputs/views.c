#include "sim/outputs/views.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Of what an option may be given. */
enum place { TABLE = SIM_VIEW_TABLE, FIGURE = SIM_VIEW_FIGURE, BOTH = TABLE | FIGURE };
enum form { TEXT, LIST }; /* LIST: names with commas between */

/* The option, what it stands for in an experiment, what --help says. */
#define ROWS(ROW)                                                                        \
    ROW(NAME, "name", "name", "WORD", BOTH, TEXT, "Of its files, instead of `results'")  \
    ROW(CAPTION, "caption", "caption", "TEXT", BOTH, TEXT, "What stands over it")        \
    ROW(ROWS, "rows", "rows", "COLUMNS", TABLE, LIST,                                    \
        "Table: runs alike in these are one row")                                        \
    ROW(COLUMNS, "columns", "columns", "COLUMNS", TABLE, LIST,                           \
        "Table: a group of columns for each value")                                      \
    ROW(VALUES, "values", "values", "COLUMNS", TABLE, LIST, "Table: what is shown")      \
    ROW(DIGITS, "digits", "digits", "N", TABLE, TEXT,                                    \
        "Table: significant digits of what is not whole; 4")                             \
    ROW(BELOW, "below", "below", "mean|median|min|max|sum|geomean", TABLE, LIST,         \
        "Table: rows below the others: what those above come to")                        \
    ROW(KIND, "kind", "kind", "lines|points|bars|boxes|heat|steps|stacked", FIGURE,      \
        TEXT, "Figure: how it is drawn; lines")                                          \
    ROW(X, "x", "x", "COLUMN", FIGURE, TEXT, "Figure: the x axis")                       \
    ROW(Y, "y", "y", "COLUMNS", FIGURE, LIST,                                            \
        "Figure: what is shown; of heat, the y axis")                                    \
    ROW(Z, "z", "z", "COLUMN", FIGURE, TEXT, "Figure: what the colours of heat show")    \
    ROW(SERIES, "series", "series", "SERIES", FIGURE, LIST,                              \
        "Figure: of the series, over time: firings, live_tokens, ...")                   \
    ROW(PROFILE, "profile", "profile", "PROFILES", FIGURE, LIST,                         \
        "Figure: of the parallelism profile: actual, ideal")                             \
    ROW(PE, "pe", "pe", "PE-STATISTICS", FIGURE, LIST,                                   \
        "Figure: of the statistics of each PE: utilisation, ...")                        \
    ROW(LINKS, "links", "links", "LINK-STATISTICS", FIGURE, LIST,                        \
        "Figure: of what went through each link of the network: load, ...")              \
    ROW(EPOCHS, "epochs", "epochs", "EPOCH-NUMBERS", FIGURE, LIST,                       \
        "Figure: of the epochs of trainings: loss, held_loss, ...")                      \
    ROW(THIN, "thin", "thin", "mean|max", FIGURE, TEXT,                                  \
        "Figure: what a step of several cycles shows: mean or max")                      \
    ROW(BY, "by", "by", "COLUMNS", FIGURE, LIST,                                         \
        "Figure: a line for each of their values")                                       \
    ROW(PANELS, "panels", "panels", "COLUMNS", FIGURE, LIST,                             \
        "Figure: a panel for each of their values")                                      \
    ROW(WHOLE, "whole", "whole", "COLUMN", FIGURE, TEXT,                                 \
        "Figure: stacked bars are shares of it, and what remains")                       \
    ROW(X_LABEL, "x-label", "labels.x", "TEXT", FIGURE, TEXT,                            \
        "Figure: instead of the column's name and unit")                                 \
    ROW(Y_LABEL, "y-label", "labels.y", "TEXT", FIGURE, TEXT,                            \
        "Figure: instead of the column's name and unit")                                 \
    ROW(X_SCALE, "x-scale", "scale.x", "linear|log2|log10", FIGURE, TEXT,                \
        "Figure: of the axis; linear")                                                   \
    ROW(Y_SCALE, "y-scale", "scale.y", "linear|log2|log10", FIGURE, TEXT,                \
        "Figure: of the axis; linear")                                                   \
    ROW(Z_SCALE, "z-scale", "scale.z", "linear|log2|log10", FIGURE, TEXT,                \
        "Figure: of the colours; linear")                                                \
    ROW(WIDTH, "width", "width", "WIDTH", FIGURE, TEXT,                                  \
        "Figure: column, page, or cm; column")                                           \
    ROW(BESIDE, "beside", "beside", "N", FIGURE, TEXT, "Figure: panels side by side")    \
    ROW(OF, "of", "of", "mean|median|min|max|sum|geomean", BOTH, TEXT,                   \
        "What several runs come to; mean, of repetitions only")                          \
    ROW(SPREAD, "spread", "spread", "none|sd|ci95|range", BOTH, TEXT,                    \
        "Shown beside it; none")                                                         \
    ROW(WHERE, "where", "where", "CONDITION", BOTH, TEXT, "Which runs")                  \
    ROW(PER, "per", "per", "COLUMN", BOTH, TEXT,                                         \
        "Numbers by which the values of each run are divided")                           \
    ROW(RELATIVE, "relative", "relative.to", "CONDITION", BOTH, TEXT,                    \
        "Compare each run with those for which it holds")                                \
    ROW(X_RANGE, "x-range", "range.x", "LEAST,GREATEST", FIGURE, LIST,                   \
        "Figure: ends of the x axis, numbers or auto")                                   \
    ROW(Y_RANGE, "y-range", "range.y", "LEAST,GREATEST", FIGURE, LIST,                   \
        "Figure: ends of the y axis, numbers or auto")                                   \
    ROW(Z_RANGE, "z-range", "range.z", "LEAST,GREATEST", FIGURE, LIST,                   \
        "Figure: ends of the colours of heat, numbers or auto")                          \
    ROW(Z_LABEL, "z-label", "labels.z", "TEXT", FIGURE, TEXT,                            \
        "Figure: instead of the column's name and unit")                                 \
    ROW(AXES, "axes", "axes", "shared|own|own_x|own_xy", FIGURE, TEXT,                   \
        "Figure: whether panels have one scale")                                         \
    ROW(REFERENCES, "references", "references", "LINES", FIGURE, LIST,                   \
        "Figure: lines such as `y = x' and `y = 1'")                                     \
    ROW(LEGEND, "legend", "legend", "auto|direct|inside|right|below|none", FIGURE, TEXT, \
        "Figure: where names of lines stand")                                            \
    ROW(LATEX, "latex", "latex", "escaped|raw", TABLE, TEXT,                             \
        "Table: what labels are in LaTeX; escaped")                                      \
    ROW(CSV, "csv", "csv", "names|labels", TABLE, TEXT, "Table: heads of csv")           \
    ROW(AS, "as", "relative.as", "ratio|speedup|percent", BOTH, TEXT,                    \
        "How they are compared; ratio")

enum {
#define ROW(ID, name, key, value, place, form, help) OPTION_##ID,
    ROWS(ROW)
#undef ROW
        OPTION_COUNT
};
static_assert((int)OPTION_COUNT == (int)SIM_VIEW_OPTIONS, "as many as the header says");

static const struct {
    const char *name, *key;
    enum place place;
    enum form form;
} meanings[] = {
#define ROW(ID, name, key, value, place, form, help) {name, key, place, form},
    ROWS(ROW)
#undef ROW
};

#define AT(member) offsetof(struct sim_view_choice, member)

const struct lib_field sim_view_options[] = {
#define ROW(ID, name_, key, value_, place, form, help_)                                  \
    {.name = name_,                                                                      \
     .kind = LIB_FIELD_TEXT,                                                             \
     .value = value_,                                                                    \
     .help = help_,                                                                      \
     .at = AT(values) + OPTION_##ID * sizeof(char *)},
    ROWS(ROW)
#undef ROW
        {"experiment", .kind = LIB_FIELD_TEXT, .value = "FILE", .at = AT(experiment),
         .help =
             "Whose tables and figures are made, instead of those that are kept; or the "
             "name of an experiment that was run into the database before"},
    {"detail", .kind = LIB_FIELD_CHOICE, .value = "series|profile|pe|links|epochs",
     .at = AT(detail), .given = LIB_GIVEN(AT(is_detailed)),
     .help = "csv: what is kept of each run, instead of a line per run"},
    {0},
};

bool sim_view_is_given(const struct sim_view_choice *choice)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
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

/* Labels come before what they are shown in. */
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

/* Adds what a text asks for to what is there. */
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

/* ["a", "b"]: names with commas between. */
static void write_list(const char *names, struct lib_text *out)
{
    struct lib_text one = {0};
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
    lib_text_free(&one);
}

static void write_item(const struct sim_view_choice *choice, struct lib_text *out)
{
    if (!choice->values[OPTION_NAME])
        lib_text_puts(out, "  - name: results\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!choice->values[i])
            continue;
        lib_text_printf(out, "  %c %s: ", i == OPTION_NAME ? '-' : ' ', meanings[i].key);
        if (meanings[i].form == LIST)
            write_list(choice->values[i], out);
        else
            lib_text_json(out, choice->values[i]);
        lib_text_puts(out, "\n");
    }
}

static bool check_places(const struct sim_view_choice *choice, enum sim_view_kind kind,
                         struct lib_diags *diags)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (choice->values[i] && !((unsigned)meanings[i].place & kind))
            lib_diag_error(diags, LIB_DIAG_USAGE, NULL, (struct lib_pos){0},
                           "--%s is an option of %s", meanings[i].name,
                           kind == SIM_VIEW_FIGURE ? "tables: show, csv, latex"
                                                   : "figures: plot");
    return diags->errors == 0;
}

/* The labels of the experiment hold for options too. What it asks for was checked when it was
 * kept: what is wrong is said when its own tables are made. */
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
    const char *kept = lib_arena_copy(frame->arena, text.bytes, text.length);
    lib_text_free(&text);
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
