/* Opens a database to repeat runs: finds rows and images. */
#include <inttypes.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/experiment/files.h"
#include "sim/sweep/rerun_internal.h"
#include "traces/results/images.h"
#include "traces/results/seal.h"

static const struct lib_pos nowhere;

static const char *text_at(const struct sim_rerun *r, size_t run,
                           const struct traces_column *column)
{
    const struct traces_cell cell = traces_reader_cell(&r->reader, run, column);
    return cell.type == TRACES_CELL_TEXT ? cell.text : "";
}

/* --- images -------------------------------------------------------------------------------- */

static bool has_digest(struct isa_digest digest, const char *wanted)
{
    LIB_TEXT_OWN text = {0};
    isa_digest_write(digest, &text);
    return strcmp(text.bytes, wanted) == 0;
}

/* Returns the settings of the compiler that a stored run has. */
static struct programs_settings settings_of(const struct sim_rerun *r, size_t run)
{
    struct sim_settings settings;
    sim_settings_default(&settings);
    for (size_t i = 0; i < sim_setting_count; i++) {
        const struct lib_setting *setting = sim_setting_at(i);
        const struct traces_column *column = traces_reader_column(&r->reader,
                                                                  setting->key);
        LIB_TEXT_OWN value = {0}, why = {0};
        if (!sim_setting_is_of_compiler(setting) || !column)
            continue;
        const struct traces_cell cell = traces_reader_cell(&r->reader, run, column);
        traces_cell_write(&cell, &value);
        lib_setting_set(&settings, setting, lib_text_get(&value), &why);
    }
    return settings.compile;
}

/* Returns the index in sim_strategy_names of the strategy of a stored run. */
static size_t strategy_of(const struct sim_rerun *r, size_t run)
{
    const struct traces_column *column = traces_reader_column(&r->reader, "strategy");
    size_t i = 0;
    while (column && i < sim_strategy_count &&
           strcmp(sim_strategy_names[i], text_at(r, run, column)) != 0)
        i++;
    return i;
}

static const struct isa_graph *
find_made_before(const struct sim_experiment_program *program, const char *digest)
{
    for (size_t i = 0; i < program->images.count; i++)
        if (has_digest(program->images.items[i]->digest, digest))
            return program->images.items[i]->graph;
    return NULL;
}

/* Returns the image with a digest, if a program of an experiment becomes it for a stored run; else
 * NULL. */
static const struct isa_graph *find_made(const struct sim_rerun *r,
                                         struct sim_experiment *x, size_t run,
                                         const char *digest)
{
    const struct programs_settings settings = settings_of(r, run);
    const size_t strategy = strategy_of(r, run);
    const struct isa_graph *graph = NULL;
    for (size_t p = 0; !graph && p < x->programs.count; p++) {
        struct sim_experiment_program *program = &x->programs.items[p];
        struct lib_diags ignored = {0};
        if (program->program.file && program->program.kind == SIM_SOURCE)
            sim_files_load_image(program, strategy, &settings, 0, &ignored);
        lib_diags_free(&ignored);
        graph = find_made_before(program, digest);
    }
    return graph;
}

/* Loads a program of the command line; a source for each strategy, which finds its errors. */
static bool load_given(struct sim_rerun *r, const char *path, struct lib_diags *diags)
{
    struct sim_experiment_program *p = LIB_VEC_PUSH(&r->given.programs);
    *p = (struct sim_experiment_program){.path = path};
    if (!sim_program_open(&p->program, path, diags))
        return false;
    if (p->program.kind == SIM_SOURCE)
        return sim_files_load_image(p, 0, NULL, 0, diags) &&
               sim_files_load_image(p, 1, NULL, 0, diags);
    return sim_files_load_image(p, SIM_STRATEGY_OWN, NULL, 0, diags);
}

void rerun_look_beside(struct sim_rerun *r)
{
    const struct traces_reader *f = &r->reader;
    const char *path = f->store.path, *slash = strrchr(path, '/');
    struct lib_source *source = LIB_ARENA_NEW(r->arena, struct lib_source);
    struct lib_diags diags = {0};
    *source = (struct lib_source){lib_arena_printf(r->arena, "%.*s%s.yaml",
                                                   slash ? (int)(slash - path) + 1 : 0,
                                                   path, f->name),
                                  f->text, strlen(f->text)};
    r->has_looked = true;
    sim_experiment_read(&r->beside, source, NULL, &diags);
    r->reads_beside = diags.errors == 0;
    lib_diags_free(&diags);
}

/* Returns NULL if the image is missing, or damaged, which sets `why`. */
static const struct isa_graph *read_kept(struct sim_rerun *r, const char *digest,
                                         const char **why)
{
    LIB_TEXT_OWN bytes = {0};
    struct lib_diags diags = {0};
    struct isa_graph *graph = NULL;
    if (traces_images_find(&r->reader.store, digest, &bytes)) {
        const struct lib_source source = {"image", lib_text_get(&bytes), bytes.length};
        graph = isa_image_read(&source, &diags);
        if (graph)
            *LIB_VEC_PUSH(&r->graphs) = graph;
        if (!graph || !has_digest(isa_image_digest(graph), digest))
            *why = "its image is damaged in the database";
    }
    lib_diags_free(&diags);
    return *why ? NULL : graph;
}

static struct rerun_image find_image(struct sim_rerun *r, size_t run, const char *digest)
{
    struct rerun_image image = {.digest = digest};
    image.graph = read_kept(r, digest, &image.why);
    if (!image.graph)
        image.graph = find_made(r, &r->given, run, digest);
    if (!image.graph && !r->has_looked && !r->given.programs.count)
        rerun_look_beside(r);
    if (!image.graph)
        image.graph = find_made(r, &r->beside, run, digest);
    if (!image.graph && !image.why)
        image.why =
            r->given.programs.count
                ? "the database does not keep its image, and --program makes another one"
                : "the database does not keep its image, and the experiment's program is "
                  "not at hand, or makes another one; give it with --program";
    return image;
}

static const struct rerun_image *image_of(struct sim_rerun *r, size_t run,
                                          const char *digest)
{
    for (size_t i = r->images.count; i-- > 0;)
        if (strcmp(r->images.items[i].digest, digest) == 0)
            return &r->images.items[i];
    const struct rerun_image found = find_image(r, run, digest);
    *LIB_VEC_PUSH(&r->images) = found;
    return &r->images.items[r->images.count - 1];
}

/* --- rows ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct sim_rerun_request *request, uint64_t number)
{
    for (size_t i = 0; i < request->range_count; i++)
        if (request->ranges[i].from <= number && number <= request->ranges[i].to)
            return true;
    return request->range_count == 0;
}

static void add_row(struct sim_rerun *r, size_t run, uint64_t number)
{
    struct sim_rerun_row *row = &r->rows[r->row_count++];
    const char *status = text_at(r, run, r->status);
    *row = (struct sim_rerun_row){
        .run = run, .number = number, .program = text_at(r, run, r->program)};
    const bool has_crashed = strcmp(status, "crashed") == 0;
    if (has_crashed || strcmp(status, "interrupted") == 0) {
        row->verdict = has_crashed ? SIM_RERUN_CRASHED : SIM_RERUN_NOTHING;
        return;
    }
    const struct rerun_image *image = image_of(r, run, text_at(r, run, r->image_digest));
    row->graph = image->graph;
    row->why = !image->graph               ? image->why
               : rerun_is_training(r, run) ? rerun_check_training(r, run)
                                           : NULL;
    row->verdict = row->why ? SIM_RERUN_UNCHECKED : SIM_RERUN_PENDING;
    if (!row->why)
        *LIB_VEC_PUSH(&r->todo) = r->row_count - 1;
}

static bool has_row(const struct sim_rerun *r, const struct sim_rerun_range *range)
{
    for (size_t i = 0; i < r->row_count; i++)
        if (range->from <= r->rows[i].number && r->rows[i].number <= range->to)
            return true;
    return false;
}

/* Returns 0 for a shard. */
static size_t count_missing(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    if (traces_database_ask(
            store, "SELECT count(*) FROM experiment WHERE key = 'shard' AND value <> ''",
            0))
        return 0;
    return r->reader.asked > r->row_count ? (size_t)r->reader.asked - r->row_count : 0;
}

/* Reports that no run of a range was made, or that the experiment has none. */
static void report_no_row(const struct sim_rerun *r, const char *database,
                          const struct sim_rerun_range *range, struct lib_diags *diags)
{
    if (range->from > r->reader.asked)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "%s: unknown row %" PRIu64
                       "; its rows are numbers of 1 to %" PRIu64,
                       database, range->from, r->reader.asked);
    else
        lib_diag_error(
            diags, LIB_DIAG_USAGE, NULL, nowhere,
            "%s: row %" PRIu64
            " has not been run; `hiaton sweep run` runs the rows that are missing",
            database, range->from);
}

/* Whether a file or an image has the digest under which it is stored. */
static bool is_stored(const char *table, const char *digest, const char *bytes,
                      size_t length)
{
    if (strcmp(table, "files") == 0)
        return has_digest(isa_digest_of(bytes, length), digest);
    const struct lib_source source = {"image", bytes, length};
    struct lib_diags diags = {0};
    struct isa_graph *graph = isa_image_read(&source, &diags);
    const bool is = graph && has_digest(isa_image_digest(graph), digest);
    isa_graph_free(graph);
    lib_diags_free(&diags);
    return is;
}

/* Finds images or files that are damaged, even if no row needs them or another one replaces them.
 */
static bool check_stored(struct sim_rerun *r, const char *table)
{
    struct traces_database *store = &r->reader.store;
    struct traces_query query;
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", table);
    if (traces_database_ask(store, sql.bytes, 0) == 0)
        return store->fault == LIB_FAULT_NONE;
    lib_text_clear(&sql);
    lib_text_printf(&sql, "SELECT digest, bytes FROM %s", table);
    if (traces_query_new(&query, store, sql.bytes))
        while (traces_query_next(&query)) {
            const struct traces_cell digest = traces_query_cell(&query, 0);
            LIB_TEXT_OWN copy = {0};
            size_t length;
            const char *bytes = traces_query_bytes(&query, 1, &length);
            lib_text_add(&copy, bytes ? bytes : "", length);
            r->is_altered |= !is_stored(table, digest.text ? digest.text : "",
                                        lib_text_get(&copy), length);
        }
    return traces_query_end(&query);
}

/* Finds whether the experiment, its columns or its points are not as they were written. Databases
 * of older versions have no seal, but numbers of points from 1 on. */
static bool find_alteration(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    const int64_t count = traces_database_ask(store, "SELECT count(*) FROM points", 0),
                  last = traces_database_ask(store, "SELECT max(number) FROM points", 0);
    r->is_altered = !traces_seal_holds(store) || (uint64_t)count != r->reader.asked ||
                    last != count;
    return store->fault == LIB_FAULT_NONE;
}

static bool find_rows(struct sim_rerun *r, const struct sim_rerun_request *request,
                      struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    r->rows = LIB_ARENA_ARRAY(r->arena, struct sim_rerun_row, r->reader.run_count);
    for (size_t run = 0; run < r->reader.run_count; run++) {
        const struct traces_cell cell = traces_reader_cell(&r->reader, run, r->number);
        if (is_wanted(request, (uint64_t)cell.integer))
            add_row(r, run, (uint64_t)cell.integer);
    }
    for (size_t i = 0; i < request->range_count; i++)
        if (!has_row(r, &request->ranges[i]))
            report_no_row(r, request->database, &request->ranges[i], diags);
    r->missing = request->range_count ? 0 : count_missing(r);
    return diags->errors == errors;
}

/* --- inputs --------------------------------------------------------------------------------- */

static const char *copy_of(struct sim_rerun *r, const struct traces_query *query,
                           int place)
{
    const struct traces_cell cell = traces_query_cell(query, place);
    return lib_arena_copy(r->arena, cell.text, strlen(cell.text));
}

static bool read_exact(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    struct traces_query query;
    if (traces_database_ask(store, "PRAGMA user_version", 0) < 3)
        return store->fault == LIB_FAULT_NONE;
    if (traces_query_new(
            &query, store,
            "SELECT identity, name, value FROM exact_inputs JOIN runs ON run = id"))
        while (traces_query_next(&query))
            *LIB_VEC_PUSH(&r->exact) = (struct rerun_exact){
                copy_of(r, &query, 0), copy_of(r, &query, 1), copy_of(r, &query, 2)};
    return traces_query_end(&query);
}

static bool read_energies(struct sim_rerun *r)
{
    struct traces_database *store = &r->reader.store;
    struct traces_query query;
    if (traces_database_ask(
            store, "SELECT count(*) FROM sqlite_schema WHERE name = 'energies'", 0) == 0)
        return store->fault == LIB_FAULT_NONE;
    if (traces_query_new(&query, store, "SELECT name, text FROM energies"))
        while (traces_query_next(&query))
            *LIB_VEC_PUSH(&r->energies) = (struct rerun_energy){copy_of(r, &query, 0),
                                                                copy_of(r, &query, 1)};
    return traces_query_end(&query);
}

static void keep_file(const void *bytes, size_t length, void *context)
{
    struct sim_rerun *r = context;
    sim_setting_files_keep(&r->files, bytes, length);
}

/* --- columns ------------------------------------------------------------------------------- */

static const struct traces_column *want(struct sim_rerun *r, const char *name,
                                        struct lib_diags *diags)
{
    const struct traces_column *column = traces_reader_column(&r->reader, name);
    if (!column)
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, nowhere,
                       "%s: the column `%s` is missing", r->reader.store.path, name);
    return column;
}

/* Finds the analyses of the stored runs: those with columns for all their numbers. */
static void read_measures(struct sim_rerun *r)
{
    struct sim_measures all;
    struct traces_columns columns = {0};
    memset(&all, true, sizeof all);
    sim_measures_add_columns(&all, &columns, r->arena);
    for (size_t i = 0; i < columns.list.count; i++)
        if (traces_reader_column(&r->reader, columns.list.items[i].name))
            r->measures.wanted[sim_measure_which(columns.list.items[i].measure)] = true;
    traces_columns_free(&columns);
}

static bool read_columns(struct sim_rerun *r, struct lib_diags *diags)
{
    const size_t errors = diags->errors, count = r->reader.columns.list.count;
    r->number = want(r, "number", diags);
    r->program = want(r, "program", diags);
    r->status = want(r, "status", diags);
    want(r, "seed", diags);
    r->reason = want(r, "reason", diags);
    r->image_digest = want(r, "image_digest", diags);
    r->identity = want(r, "identity", diags);
    r->version = want(r, "version", diags);
    if (diags->errors != errors)
        return false;
    read_measures(r);
    sim_columns_make(&r->own, r->arena, NULL, 0, &r->measures,
                     traces_reader_column(&r->reader, "train.method") != NULL);
    r->own_of = LIB_ARENA_ARRAY(r->arena, const struct traces_column *, count);
    for (size_t i = 0; i < count; i++) {
        const struct traces_column *column = &r->reader.columns.list.items[i];
        const struct traces_column *own = traces_columns_find(&r->own, column->name);
        const bool is_compared = own && sim_column_is_of_outcome(own) &&
                                 own->fact != SIM_FACT_VERSION;
        r->own_of[i] = is_compared ? own : NULL;
        traces_reader_want(&r->reader, column);
    }
    return traces_reader_load(&r->reader);
}

/* --- all of it ----------------------------------------------------------------------------- */

static bool read_all(struct sim_rerun *r, const struct sim_rerun_request *request,
                     struct lib_diags *diags)
{
    r->given.arena = lib_arena_new();
    for (size_t i = 0; i < request->program_count; i++)
        if (!load_given(r, request->programs[i], diags))
            return false;
    return traces_reader_open_of(&r->reader, request->database, request->experiment,
                                 diags) &&
           find_alteration(r) && check_stored(r, "images") && check_stored(r, "files") &&
           read_columns(r, diags) && read_exact(r) && read_energies(r) &&
           traces_images_each_file(&r->reader.store, keep_file, r) &&
           rerun_read_parts(r) && rerun_details_open(r, diags) &&
           find_rows(r, request, diags) && r->reader.store.fault == LIB_FAULT_NONE;
}

bool sim_rerun_open(struct sim_rerun **rerun, const struct sim_rerun_request *request,
                    struct lib_diags *diags)
{
    *rerun = lib_mem_new(sizeof **rerun);
    **rerun = (struct sim_rerun){.arena = lib_arena_new(),
                                 .shows_each = request->shows_each};
    const char *slash = strrchr(request->database, '/');
    (*rerun)->files.arena = (*rerun)->arena;
    (*rerun)->folder = lib_arena_copy((*rerun)->arena, request->database,
                                      slash ? (size_t)(slash + 1 - request->database)
                                            : 0);
    return read_all(*rerun, request, diags);
}

void sim_rerun_close(struct sim_rerun *r)
{
    rerun_details_close(r);
    if (r->reader.arena)
        traces_reader_close(&r->reader);
    for (size_t i = 0; i < r->graphs.count; i++)
        isa_graph_free(r->graphs.items[i]);
    if (r->has_looked)
        sim_experiment_free(&r->beside);
    sim_experiment_free(&r->given);
    sim_runs_free(&r->asked);
    LIB_VEC_FREE(&r->graphs, &r->images, &r->exact, &r->parts, &r->energies);
    sim_setting_files_free(&r->files);
    LIB_VEC_FREE(&r->todo);
    traces_columns_free(&r->own);
    lib_arena_free(r->arena);
    lib_mem_free(r);
}

/* --- what came of it ----------------------------------------------------------------------- */

size_t sim_rerun_count(const struct sim_rerun *r, enum sim_rerun_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; i++)
        count += r->rows[i].verdict == verdict;
    return count;
}

bool sim_rerun_is_altered(const struct sim_rerun *r)
{
    return r->is_altered;
}

size_t sim_rerun_missing(const struct sim_rerun *r)
{
    return r->missing;
}
