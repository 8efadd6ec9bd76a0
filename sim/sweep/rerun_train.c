#include <string.h>

#include "sim/sweep/rerun_internal.h"
#include "sim/sweep/trained.h"

bool rerun_is_training(const struct sim_rerun *r, size_t run)
{
    const struct traces_column *method = traces_reader_column(&r->reader, "train.method");
    return method && traces_reader_cell(&r->reader, run, method).type != TRACES_CELL_NULL;
}

/* --- what they were made of ------------------------------------------------------------ */

static const char *copy_of(const struct sim_rerun *r, const struct traces_query *query,
                           int place)
{
    const struct traces_cell cell = traces_query_cell(query, place);
    return lib_arena_copy(r->arena, cell.text, strlen(cell.text));
}

/* Returns NULL if the database lacks the file. */
static const struct lib_source *find_file(const struct sim_rerun *r, const char *digest,
                                          const char *name)
{
    for (size_t i = 0; i < r->files.kept.count; i++) {
        const struct lib_setting_file *file = r->files.kept.items[i];
        if (strcmp(file->digest, digest) != 0)
            continue;
        struct lib_source *source = LIB_ARENA_NEW(r->arena, struct lib_source);
        *source = file->source;
        source->name = name;
        return source;
    }
    return NULL;
}

bool rerun_read_parts(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    struct traces_query query;
    if (traces_database_ask(
            store, "SELECT count(*) FROM sqlite_schema WHERE name = 'sources'", 0) == 0)
        return store->fault == LIB_FAULT_NONE;
    if (traces_query_new(&query, store,
                         "SELECT identity, name, file FROM sources "
                         "JOIN runs ON run = id ORDER BY run, part"))
        while (traces_query_next(&query)) {
            const char *name = copy_of(r, &query, 1);
            *LIB_VEC_PUSH(&r->parts) = (struct rerun_part){
                copy_of(r, &query, 0), name,
                find_file(r, traces_query_cell(&query, 2).text, name)};
        }
    return traces_query_end(&query);
}

static const struct rerun_part *find_parts(const struct sim_rerun *r, size_t run,
                                           size_t *count)
{
    const char *identity = traces_reader_cell(&r->reader, run, r->identity).text;
    size_t first = 0;
    while (first < r->parts.count &&
           strcmp(r->parts.items[first].identity, identity) != 0)
        first++;
    size_t end = first;
    while (end < r->parts.count && strcmp(r->parts.items[end].identity, identity) == 0)
        end++;
    *count = end - first;
    return *count ? &r->parts.items[first] : NULL;
}

const char *rerun_check_training(const struct sim_rerun *r, size_t run)
{
    size_t count;
    const struct rerun_part *parts = find_parts(r, run, &count);
    if (!parts)
        return "it is a training, and the database does not keep the source of its "
               "program";
    for (size_t i = 0; i < count; i++)
        if (!parts[i].source)
            return lib_arena_printf(r->arena,
                                    "its file %s is damaged in the database, or missing",
                                    parts[i].name);
    return NULL;
}

/* --- making them ----------------------------------------------------------------------- */

void rerun_read_options(const struct sim_rerun *r, const struct sim_rerun_row *row,
                        struct lib_arena *arena, struct sim_training_options *options)
{
    LIB_TEXT_OWN text = {0}, why = {0};
    *options = sim_training_defaults();
    for (size_t i = 0; i < sim_training_option_count; i++) {
        const struct sim_training_option *option = &sim_training_option_table[i];
        const struct traces_column *column = traces_reader_column(
            &r->reader, lib_arena_printf(arena, "train.%s", option->field.name));
        if (!column || option->field.kind == LIB_FIELD_FILE)
            continue; /* stored under the names that the program uses */
        const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, column);
        lib_text_clear(&text);
        traces_cell_write(&cell, &text);
        if (cell.type != TRACES_CELL_NULL)
            lib_field_set(&option->field, options, lib_text_get(&text), &why);
    }
    sim_training_options_complete(options);
}

void rerun_train(const struct sim_rerun *r, const struct sim_rerun_row *row,
                 const struct sim_settings *settings,
                 const struct sim_description *description, struct sim_outcome *outcome)
{
    struct lib_arena *arena = lib_arena_new();
    struct programs_known known = {0};
    size_t count;
    const struct rerun_part *parts = find_parts(r, row->run, &count);
    struct sim_trained_request request = {
        .source = parts[0].source,
        .known = &known,
        .title = parts[0].name,
        .settings = settings,
        .inputs = description->inputs.items,
        .input_count = description->inputs.count,
        .seed = description->seed,
        .keeps_epochs = r->keeps[TRACES_DETAIL_EPOCHS],
    };
    for (size_t i = 1; i < count; i++)
        *LIB_VEC_PUSH(&known.list) = (struct programs_known_file){parts[i].name,
                                                                  parts[i].source};
    rerun_read_options(r, row, arena, &request.options);
    sim_trained_make(outcome, &request);
    LIB_VEC_FREE(&known.list);
    lib_arena_free(arena);
}
