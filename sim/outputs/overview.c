#include "sim/outputs/overview.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "analysis/view/keys.h"
#include "sim/outputs/database_file.h"
#include "traces/results/kept.h"

enum { VALUES_WIDTH = 48 }; /* no value begins after this column */

void sim_overview_want(struct traces_reader *frame)
{
    traces_reader_want(frame, traces_reader_column(frame, "program"));
    traces_reader_want_differing(frame);
}

static void count_values(const struct traces_reader *frame,
                         const struct traces_column *column, struct analysis_keys *keys,
                         analysis_column_list *list)
{
    *LIB_VEC_PUSH(list) = column;
    analysis_keys_start(keys, frame->arena, list);
    for (size_t run = 0; run < frame->run_count; run++)
        analysis_keys_add(keys, frame, run);
}

static void write_values(const struct analysis_keys *keys, struct lib_text *out)
{
    const size_t start = out->length;
    size_t count = 0, shown = 0; /* without the empty value */
    for (size_t i = 0; i < keys->list.count; i++) {
        if (keys->list.items[i]->type == TRACES_CELL_NULL)
            continue;
        count++;
        if (shown + 1 < count || out->length - start > VALUES_WIDTH)
            continue;
        lib_text_puts(out, shown++ ? " " : "");
        traces_cell_write(keys->list.items[i], out);
    }
    if (count > shown)
        lib_text_printf(out, " ... (%zu)", count);
    lib_text_puts(out, "\n");
}

/* Whether runs differ in a column; all have a program. */
static bool is_written(const struct traces_reader *frame, size_t c)
{
    const struct traces_column *column = &frame->columns.list.items[c];
    bool is = strcmp(column->name, "program") == 0;
    for (size_t i = 0; i < frame->differing.count; i++)
        is |= frame->differing.items[i] == column;
    return is;
}

static void write_parameter(const struct traces_reader *frame,
                            const struct traces_column *column, struct lib_text *out)
{
    struct analysis_keys keys;
    analysis_column_list list = {0};
    count_values(frame, column, &keys, &list);
    lib_text_printf(out, "%-24s ", column->name);
    write_values(&keys, out);
    analysis_keys_free(&keys);
    LIB_VEC_FREE(&list);
}

/* "8 of 8 runs: 7 completed, 1 trapped". */
static void write_statuses(const struct traces_reader *frame, struct lib_text *out)
{
    struct analysis_keys keys;
    analysis_column_list list = {0};
    count_values(frame, traces_reader_column(frame, "status"), &keys, &list);
    size_t *counts = LIB_ARENA_ARRAY(frame->arena, size_t, keys.list.count + 1);
    for (size_t run = 0; run < frame->run_count; run++)
        counts[analysis_keys_find(&keys, frame, run)]++;
    lib_text_printf(out, "%zu of %" PRIu64 " runs", frame->run_count, frame->asked);
    for (size_t i = 0; i < keys.list.count; i++)
        lib_text_printf(out, "%s %zu %s", i ? "," : ":", counts[i],
                        keys.list.items[i]->text ? keys.list.items[i]->text : "");
    lib_text_puts(out, "\n\n");
    analysis_keys_free(&keys);
    LIB_VEC_FREE(&list);
}

/* Writes where files of the runs are, if any. */
static void write_folder(const char *what, const char *folder, const char *ending,
                         struct lib_text *out)
{
    if (access(folder, F_OK) == 0)
        lib_text_printf(out, "%-24s %s/IDENTITY%s\n", what, folder, ending);
}

static void write_folders(const struct traces_reader *frame, struct lib_text *out)
{
    const char *path = frame->store.path;
    write_folder("recordings", sim_database_file_recordings(path, frame->arena), ".rec",
                 out);
    write_folder("events", sim_database_file_events(path, frame->arena), ".hev", out);
}

/* Writes the earlier experiments in the database, which --experiment can name. */
static void write_kept(struct traces_reader *frame, struct lib_text *out)
{
    const char *name;
    for (size_t i = 0; (name = traces_kept_name(&frame->store, i, frame->arena)); i++)
        if (strcmp(name, frame->name) != 0)
            lib_text_printf(out, "%-24s %s\n", i ? "" : "--experiment", name);
}

static void write_output(const struct analysis_view_spec *output, const char *what,
                         struct lib_text *out)
{
    lib_text_printf(out, *output->caption ? "%-6s %-17s %s\n" : "%-6s %s\n", what,
                    output->name, output->caption);
}

enum sim_status sim_overview_put(const struct sim_printer *printer, const char *path,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs)
{
    LIB_TEXT_OWN out = {0};
    lib_text_printf(&out, "%s%s%s\n", frame->name, *frame->title ? ": " : "",
                    frame->title);
    if (*frame->overridden)
        lib_text_printf(&out, "as overridden: %s\n", frame->overridden);
    write_statuses(frame, &out);
    for (size_t i = 0; i < frame->columns.list.count; i++)
        if (is_written(frame, i))
            write_parameter(frame, &frame->columns.list.items[i], &out);
    write_folders(frame, &out);
    write_kept(frame, &out);
    if (outputs->tables.count + outputs->figures.count)
        lib_text_puts(&out, "\n");
    for (size_t i = 0; i < outputs->tables.count; i++)
        write_output(&outputs->tables.items[i].common, "table", &out);
    for (size_t i = 0; i < outputs->figures.count; i++)
        write_output(&outputs->figures.items[i].common, "figure", &out);
    return sim_put(printer, path, &out);
}
