#include "config.h"

#include <string.h>

#include "lib/findings.h"
#include "machine/describe.h"
#include "sim/compare/comparison.h"
#include "sim/session/record.h"
#include "traces/results/export.h"

/* --- what is shown ------------------------------------------------------------------ */

static const char standard[] = "cycles,speedup,calls,firings,span,tokens,network_tokens,"
                               "peak_live_tokens,peak_tags,peak_graph_nodes";
static const char speedup_name[] = "speedup";

/* SQLite allows no more columns for all sides. */
enum { MAX_SHOWN = 500 };

static bool read_name(struct sim_shown *shown, const struct traces_columns *columns,
                      const char *name, struct lib_diags *diags)
{
    const struct traces_column *column = traces_columns_find(columns, name);
    bool is_speedup = strcmp(name, speedup_name) == 0;
    if (is_speedup || (column && column->stat)) {
        shown->columns[shown->count++] = is_speedup ? NULL : column;
        return true;
    }
    const char *nearest = traces_columns_nearest(columns, name,
                                                 1 << TRACES_COLUMN_STATISTIC);
    lib_diag_plain(diags, LIB_DIAG_USAGE, "--columns: there is no statistic `%s`%s%s%s",
                   name, nearest ? "; did you mean `" : "", nearest ? nearest : "",
                   nearest ? "`?" : "; see hiaton settings --statistics");
    return false;
}

bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags)
{
    struct lib_arena *arena = comparison->experiment.arena;
    size_t most = 1;
    names = names ? names : standard;
    for (const char *p = names; *p; p++)
        most += *p == ',';
    *shown = (struct sim_shown){
        .columns = LIB_ARENA_ARRAY(arena, const struct traces_column *, most)};
    for (const char *end; names; names = *end ? end + 1 : NULL) {
        end = names + strcspn(names, ",");
        const char *name = lib_arena_copy(arena, names, (size_t)(end - names));
        if (!read_name(shown, &comparison->experiment.columns, name, diags))
            return false;
    }
    if (shown->count <= MAX_SHOWN)
        return true;
    lib_diag_plain(diags, LIB_DIAG_LIMIT,
                   "--columns: expected %d names at most, found %zu", MAX_SHOWN,
                   shown->count);
    return false;
}

/* Whether all sides have one value in a column if they agree, or a single speedup. */
static bool is_common(const struct sim_comparison *c, const struct traces_column *column)
{
    if (!column)
        return c->side_count == 2;
    return strcmp(column->name, "calls") == 0 ||
           strcmp(column->name, "loop_iterations") == 0;
}

/* --- queries of the view `comparison` ----------------------------------------------- */

struct select {
    struct sim_comparison *c;
    struct lib_text sql;
};

__attribute__((format(printf, 3, 4))) static void add(struct select *s, const char *head,
                                                      const char *format, ...)
{
    va_list ap;
    lib_text_puts(&s->sql, s->sql.length ? ", " : "SELECT ");
    va_start(ap, format);
    lib_text_vprintf(&s->sql, format, ap);
    va_end(ap);
    lib_text_puts(&s->sql, " AS ");
    traces_database_add_name(&s->sql, head);
}

static void add_column(struct select *s, const char *head, const char *name)
{
    LIB_TEXT_OWN column = {0};
    traces_database_add_name(&column, name);
    add(s, head, "%s", lib_text_get(&column));
}

static bool open_rows(struct select *s, struct traces_rows *rows)
{
    lib_text_puts(&s->sql, " FROM comparison");
    const bool good = traces_rows_open(rows, &s->c->store, &s->c->experiment.columns,
                                       s->sql.bytes);
    for (size_t i = 0; good && i < s->c->input_count; i++) /* inputs come first */
        rows->columns[i] = s->c->inputs[i];
    lib_text_free(&s->sql);
    return good;
}

/* Adds a column of a side; empty unless the side has completed. Static has no speedup. */
static void add_of_side(struct select *s, const char *head, enum sim_side side,
                        const struct traces_column *column)
{
    const char *key = s->c->keys[side], *which = strchr(key, '.');
    if (column)
        add(s, head, "iif(\"%s.status\" = 'completed', \"%s.%s\", NULL)", key, key,
            column->name);
    else if (side == SIM_SIDE_STATIC)
        add(s, head, "''");
    else
        add(s, head, "\"speedup%s\"", which ? which : "");
}

static void add_common(struct select *s, const char *head,
                       const struct traces_column *column)
{
    if (column)
        add(s, head, "iif(agree, \"static.%s\", NULL)", column->name);
    else
        add_of_side(s, head, SIM_SIDE_EXPANDING, NULL);
}

/* --- tables for people --------------------------------------------------------------- */

enum { MAX_RESULT = 60, KEPT_OF_RESULT = 48 };

struct filling {
    const struct sim_comparison *c;
    struct lib_findings findings;
    struct lib_table *table;
    size_t height;
    bool cuts, is_cut; /* long results are cut, after a comma */
};

static void open_filling(struct filling *f, const struct sim_comparison *c, size_t height)
{
    *f = (struct filling){.c = c, .height = height};
    lib_findings_start(&f->findings, NULL, true);
    f->table = lib_findings_table(&f->findings, "comparison", NULL);
    f->table->shows_all = true;
}

static const char *cut(struct filling *f, const char *text)
{
    const size_t length = strlen(text);
    size_t kept = KEPT_OF_RESULT;
    if (!f->cuts || length <= MAX_RESULT)
        return lib_arena_copy(f->findings.arena, text, length);
    while (kept > 0 && text[kept] != ',')
        kept--;
    f->is_cut = true;
    return lib_arena_printf(f->findings.arena, "%.*s, ... (%zu bytes)",
                            (int)(kept ? kept : KEPT_OF_RESULT), text, length);
}

/* Inputs have all their digits, percentages two decimals. */
static const char *text_of(struct filling *f, const struct traces_rows *rows, int place)
{
    const struct traces_cell cell = traces_rows_cell(rows, place);
    const char *head = traces_query_head(&rows->query, place);
    struct lib_text text = {0};
    if (cell.type == TRACES_CELL_NULL)
        return NULL;
    if (cell.type == TRACES_CELL_TEXT)
        return cut(f, cell.text);
    if (cell.type == TRACES_CELL_REAL && (size_t)place >= f->c->input_count)
        return lib_arena_printf(f->findings.arena, strchr(head, '%') ? "%.2f" : "%.4g",
                                cell.real);
    traces_cell_write(&cell, &text);
    return lib_arena_keep(f->findings.arena, &text);
}

static void add_columns(struct filling *f, const struct traces_rows *rows)
{
    for (int i = 0; i < rows->width; i++) {
        const char *head = traces_query_head(&rows->query, i);
        lib_table_column(f->table, lib_arena_copy(f->findings.arena, head, strlen(head)))
            ->side = LIB_SIDE_RIGHT;
    }
    for (size_t i = 0; i < f->height * (size_t)rows->width; i++)
        lib_table_word(f->table, NULL);
}

/* Fills each `step`-th row from `first` on. A column with a text that is not a number has texts. */
static bool fill(struct filling *f, struct select *s, size_t first, size_t step)
{
    struct traces_rows rows;
    if (open_rows(s, &rows) && !f->table->columns.count)
        add_columns(f, &rows);
    for (size_t row = first; traces_rows_next(&rows); row += step)
        for (int i = 0; i < rows.width; i++) {
            double number;
            const char *text = text_of(f, &rows, i);
            f->table->cells.items[row * (size_t)rows.width + (size_t)i] = lib_word(text);
            if (text && *text && !lib_text_to_real(text, &number))
                f->table->columns.items[i].side = LIB_SIDE_LEFT;
        }
    return traces_rows_end(&rows);
}

static const char *head_of(const struct traces_column *column)
{
    return column ? column->name : "speedup %";
}

static void add_inputs(struct select *s)
{
    for (size_t i = 0; i < s->c->input_count; i++)
        add_column(s, s->c->inputs[i]->input, s->c->inputs[i]->name);
}

#define RESULT "iif(\"%s.status\" = 'completed', \"%s.result\", \"%s.status\")"

/* Writes the strategies below each other: side by side they would be wider than a terminal. */
static bool write_text(struct sim_comparison *c, const struct sim_shown *shown,
                       struct lib_text *out, bool *is_cut)
{
    struct filling f;
    bool good = true;
    open_filling(&f, c, c->row_count * c->side_count);
    f.cuts = true;
    for (enum sim_side side = 0; good && side < c->side_count; side++) {
        struct select s = {.c = c};
        const char *key = c->keys[side];
        add_inputs(&s);
        add(&s, "strategy", "'%s'", c->names[side]);
        add(&s, "result", RESULT, key, key, key);
        /* the one speedup of two sides comes first */
        for (size_t i = 0; i < shown->count; i++) {
            const bool is_other = !shown->columns[i] && c->side_count == 2;
            add_of_side(&s, head_of(shown->columns[i]), is_other ? 1 - side : side,
                        shown->columns[i]);
        }
        good = fill(&f, &s, side, c->side_count);
    }
    if (good)
        lib_table_write_text(f.table, 0, out);
    *is_cut = f.is_cut;
    lib_findings_free(&f.findings);
    return good;
}

static bool copies_freely(const struct sim_comparison *c)
{
    const struct traces_machine s = machine_describe(
        &c->experiment.machines.items[0].setup.settings.machine, NULL, NULL);
    return s.copy_workers == 0 && !s.has_workers;
}

/* Adds the result, if all sides have the same; else one column for each side. */
static void add_results(struct select *s)
{
    LIB_TEXT_OWN same = {0}, all = {0};
    for (enum sim_side side = 0; side < s->c->side_count; side++) {
        const char *key = s->c->keys[side];
        lib_text_printf(&same, "%s" RESULT, side ? ", " : "", key, key, key);
        lib_text_printf(&all, "%s" RESULT, side ? " || ' / ' || " : "", key, key, key);
    }
    add(s, "result", "iif(min(%s) = max(%s), min(%s), %s)", same.bytes, same.bytes,
        same.bytes, all.bytes);
}

/* Common columns come first, then a group for each other statistic, with a column per side. */
static bool write_latex(struct sim_comparison *c, const struct sim_shown *shown,
                        struct lib_text *out)
{
    struct filling f;
    struct select s = {.c = c};
    size_t width = c->input_count + 1;
    open_filling(&f, c, c->row_count);
    const char **over = LIB_ARENA_ARRAY(f.findings.arena, const char *,
                                        width + shown->count * c->side_count);
    add_inputs(&s);
    add_results(&s);
    for (size_t i = 0; i < shown->count; i++)
        if (is_common(c, shown->columns[i])) {
            add_common(&s, head_of(shown->columns[i]), shown->columns[i]);
            width++;
        }
    const size_t keys = width;
    for (size_t i = 0; i < shown->count; i++) {
        const struct traces_column *column = shown->columns[i];
        for (enum sim_side side = 0; side < c->side_count && !is_common(c, column);
             side++) {
            add_of_side(&s, head_of(column), side, column);
            over[width++] = side ? "" : head_of(column);
        }
    }
    const bool good = fill(&f, &s, 0, 1);
    for (size_t i = keys; good && i < width; i++)
        f.table->columns.items[i].key = c->names[(i - keys) % c->side_count];
    f.table->level_count = width > keys;
    f.table->levels = over;
    if (good)
        lib_table_write_latex(f.table, out);
    if (good && copies_freely(c))
        lib_text_puts(out, "% copy.workers=0: copying keeps no worker busy\n");
    lib_findings_free(&f.findings);
    return good;
}

/* --- comma-separated values --------------------------------------------------------- */

/* Adds "calls", "static.cycles", "expanding.placed.cycles", "speedup.placed". */
static void add_values(struct select *s, const struct traces_column *column)
{
    const struct sim_comparison *c = s->c;
    if (is_common(c, column)) {
        add_common(s, column ? column->name : speedup_name, column);
        return;
    }
    for (enum sim_side side = !column; side < c->side_count; side++) {
        LIB_TEXT_OWN head = {0};
        lib_text_printf(&head, "%s%s%s", column ? c->keys[side] : speedup_name,
                        column ? "." : strchr(c->keys[side], '.'),
                        column ? column->name : "");
        add_of_side(s, head.bytes, side, column);
    }
}

static bool write_csv(struct sim_comparison *c, const struct sim_shown *shown,
                      struct lib_text *out)
{
    struct traces_rows rows;
    struct select s = {.c = c};
    for (size_t i = 0; i < c->input_count; i++)
        add_column(&s, c->inputs[i]->name, c->inputs[i]->name);
    add(&s, "result", "result");
    for (enum sim_side side = 0; side < c->side_count; side++) {
        const char *head = lib_arena_printf(c->experiment.arena, "%s.status",
                                            c->keys[side]);
        add(&s, head, "\"%s\"", head);
    }
    for (size_t i = 0; i < shown->count; i++)
        add_values(&s, shown->columns[i]);
    if (open_rows(&s, &rows))
        traces_export_rows(&rows, &(struct traces_export){.text = out});
    return traces_rows_end(&rows);
}

/* --- JSON --------------------------------------------------------------------------- */

static void write_digests(const struct sim_comparison *c, struct lib_json *json)
{
    struct lib_arena *arena = lib_arena_new();
    lib_json_open(json, "image_digest", '{');
    for (enum sim_side s = 0; s <= SIM_SIDE_EXPANDING; s++) {
        struct sim_config config;
        sim_settle(&c->experiment, &c->runs.list.items[s], arena, &config);
        lib_json_string(json, sim_strategy_names[s],
                        isa_digest_keep(arena, config.image->digest));
    }
    lib_json_close(json);
    lib_arena_free(arena);
}

static bool write_rows(struct sim_comparison *c, struct lib_json *json)
{
    static const struct traces_column agree = {.type = TRACES_TYPE_BOOL};
    struct traces_rows rows;
    struct select s = {.c = c};
    lib_text_puts(&s.sql, "SELECT *");
    lib_json_open(json, "rows", '[');
    if (open_rows(&s, &rows))
        rows.columns[c->input_count + 1] = &agree;
    while (traces_rows_next(&rows)) {
        lib_json_open(json, NULL, '{');
        if (c->input_count == 0) {
            lib_json_open_line(json, "inputs", '{');
            lib_json_close(json);
        }
        traces_export_nested(json, &rows);
        lib_json_close(json);
    }
    lib_json_close(json);
    return traces_rows_end(&rows);
}

static bool write_json(struct sim_comparison *c, struct lib_text *out)
{
    const struct sim_setup *setup = &c->experiment.machines.items[0].setup;
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "program",
                    sim_program_stem(&c->experiment.programs.items[0].program));
    lib_json_string(&json, "machine", setup->machine);
    lib_json_uint(&json, "seed", c->seed);
    lib_json_string(&json, "version", PACKAGE_VERSION);
    sim_record_write_settings(setup, &json);
    lib_json_uint(&json, "copy_workers",
                  machine_describe(&setup->settings.machine, NULL, NULL).copy_workers);
    write_digests(c, &json);
    const bool good = write_rows(c, &json);
    lib_json_close(&json);
    return good;
}

bool sim_comparison_write(struct sim_comparison *comparison,
                          const struct sim_shown *shown, enum lib_form form,
                          struct lib_text *out, bool *is_cut)
{
    *is_cut = false;
    return form == LIB_FORM_CSV     ? write_csv(comparison, shown, out)
           : form == LIB_FORM_JSON  ? write_json(comparison, out)
           : form == LIB_FORM_LATEX ? write_latex(comparison, shown, out)
                                    : write_text(comparison, shown, out, is_cut);
}
