#include "sim/sweep/result_layout.h"

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "traces/results/images.h"
#include "traces/results/kept.h"
#include "traces/results/seal.h"

/* Points: the runs that the experiment asks for; each sweep replaces them. */
#define POINTS                                                                           \
    "CREATE TABLE points (\n"                                                            \
    "    number     INTEGER PRIMARY KEY,\n"                                              \
    "    identity   TEXT NOT NULL,\n"                                                    \
    "    program    TEXT NOT NULL,\n"                                                    \
    "    strategy   TEXT NOT NULL,\n"                                                    \
    "    machine    TEXT NOT NULL,\n"                                                    \
    "    repetition INTEGER NOT NULL,\n"                                                 \
    "    seed       INTEGER NOT NULL,\n"                                                 \
    "    window     TEXT,\n"                                                             \
    "    energy_table TEXT\n"                                                            \
    ") STRICT;\n"

/* All tables except details (traces/results/detail.h), and the view. %s: columns of `runs`. */
static const char tables[] =
    "CREATE TABLE experiment (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE units (\n"
    "    position INTEGER PRIMARY KEY,\n"
    "    name     TEXT NOT NULL UNIQUE,\n"
    "    kind     TEXT NOT NULL,\n"
    "    type     TEXT NOT NULL,\n"
    "    unit     TEXT NOT NULL,\n"
    "    meaning  TEXT NOT NULL\n"
    ") STRICT;\n" POINTS "CREATE TABLE runs (\n"
    "    id       INTEGER PRIMARY KEY,\n"
    "    identity TEXT NOT NULL UNIQUE\n"
    "%s) STRICT;\n"
    "CREATE TABLE host (\n"
    "    run                INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,\n"
    "    wall_seconds       REAL NOT NULL,\n"
    "    firings_per_second REAL,\n"
    "    peak_rss_bytes     INTEGER,\n"
    "    cpu                TEXT\n"
    ") STRICT;\n";

static const char *sql_type(enum traces_column_type type)
{
    switch (type) {
    case TRACES_TYPE_INT:
    case TRACES_TYPE_BOOL:
        return "INTEGER";
    case TRACES_TYPE_REAL:
        return "REAL";
    case TRACES_TYPE_TEXT:
        return "TEXT";
    default:
        return "ANY";
    }
}

/* --- the columns of an experiment --------------------------------------------------- */

/* Whether a column is in `points`; others, and a used seed, are in `runs`. */
static bool is_of_point(const struct traces_column *c)
{
    return c->kind == TRACES_COLUMN_LABEL;
}

/* Sets `type` to the type of a column of `runs`, or "" if it does not exist. */
static bool find_type(struct traces_query *query, const char *name, struct lib_text *type)
{
    lib_text_clear(type);
    if (!traces_query_bind(query, 1, traces_cell_text(name)))
        return false;
    const bool is_there = traces_query_next(query);
    if (is_there)
        lib_text_puts(type, traces_query_cell(query, 0).text);
    traces_query_reset(query);
    return is_there || query->has_ended;
}

static bool add_column(struct traces_database *store, const struct traces_column *c,
                       const char *there)
{
    const char *wanted = sql_type(c->type);
    if (*there && strcmp(there, wanted) == 0)
        return true;
    if (*there) {
        lib_diag_plain(store->diags, LIB_DIAG_FILE,
                       "%s: `%s` is %s there, and %s in the experiment; keep these "
                       "results in another file with --output",
                       store->path, c->name, there, wanted);
        store->fault = LIB_FAULT_INPUT;
        return false;
    }
    LIB_TEXT_OWN name = {0};
    traces_database_add_name(&name, c->name);
    return traces_database_dof(store, "ALTER TABLE runs ADD COLUMN %s %s", name.bytes,
                               wanted);
}

static bool add_columns(struct traces_database *store,
                        const struct traces_columns *columns)
{
    struct traces_query query;
    LIB_TEXT_OWN type = {0};
    bool good = traces_query_new(&query, store,
                                 "SELECT type FROM pragma_table_info('runs') "
                                 "WHERE name = ?1 COLLATE NOCASE");
    for (size_t i = 0; good && i < columns->list.count; i++) {
        const struct traces_column *c = &columns->list.items[i];
        if (!is_of_point(c) || c->fact == SIM_FACT_SEED)
            good = find_type(&query, c->name, &type) &&
                   add_column(store, c, lib_text_get(&type));
    }
    traces_query_free(&query);
    return good;
}

/* Makes all columns of a new database at once, as adding each takes 50 ms. */
static bool make_tables(struct traces_database *store,
                        const struct traces_columns *columns)
{
    LIB_TEXT_OWN of_runs = {0}, sql = {0};
    for (size_t i = 0; i < columns->list.count; i++) {
        const struct traces_column *c = &columns->list.items[i];
        if (c->fact == SIM_FACT_IDENTITY || (is_of_point(c) && c->fact != SIM_FACT_SEED))
            continue;
        lib_text_puts(&of_runs, ", ");
        traces_database_add_name(&of_runs, c->name);
        lib_text_printf(&of_runs, " %s", sql_type(c->type));
    }
    lib_text_printf(&sql, tables, of_runs.bytes);
    return traces_database_do(store, sql.bytes);
}

static bool make_view(struct traces_database *store, const struct traces_columns *columns)
{
    LIB_TEXT_OWN sql = {0};
    lib_text_puts(&sql, "DROP VIEW IF EXISTS results; CREATE VIEW results AS SELECT ");
    for (size_t i = 0; i < columns->list.count; i++) {
        const struct traces_column *c = &columns->list.items[i];
        lib_text_printf(&sql, "%s%s", i ? ", " : "", is_of_point(c) ? "points." : "");
        traces_database_add_name(&sql, c->name);
        lib_text_puts(&sql, " AS ");
        traces_database_add_name(&sql, c->name);
    }
    lib_text_puts(&sql, " FROM points JOIN runs USING (identity) ORDER BY number;");
    return traces_database_do(store, sql.bytes);
}

static bool write_units(struct traces_database *store,
                        const struct traces_columns *columns)
{
    struct traces_query query = {0};
    bool good = traces_database_do(store, "DELETE FROM units") &&
                traces_query_new(&query, store,
                                 "INSERT INTO units VALUES (?1,?2,?3,?4,?5,?6)");
    for (size_t i = 0; good && i < columns->list.count; i++) {
        const struct traces_column *c = &columns->list.items[i];
        good = traces_query_bind(&query, 1, traces_cell_int((int64_t)i + 1)) &&
               traces_query_bind(&query, 2, traces_cell_text(c->name)) &&
               traces_query_bind(&query, 3,
                                 traces_cell_text(traces_column_kind_name(c->kind))) &&
               traces_query_bind(&query, 4,
                                 traces_cell_text(traces_column_type_name(c->type))) &&
               traces_query_bind(&query, 5, traces_cell_text(c->unit)) &&
               traces_query_bind(&query, 6, traces_cell_text(c->meaning)) &&
               traces_query_do(&query);
    }
    traces_query_free(&query);
    return good;
}

/* --- what it asks for --------------------------------------------------------------- */

static bool write_fact(struct traces_query *query, const char *key,
                       struct traces_cell value)
{
    return traces_query_bind(query, 1, traces_cell_text(key)) &&
           traces_query_bind(query, 2, value) && traces_query_do(query);
}

static bool write_experiment(struct traces_database *store,
                             const struct sim_experiment *x, size_t runs,
                             struct sim_shard shard)
{
    struct traces_query query;
    LIB_TEXT_OWN part = {0};
    if (shard.count)
        lib_text_printf(&part, "%u/%u", shard.index, shard.count);
    bool good = traces_query_new(&query, store,
                                 "REPLACE INTO experiment VALUES (?1, ?2)") &&
                write_fact(&query, "name", traces_cell_text(x->name)) &&
                write_fact(&query, "title", traces_cell_text(x->title)) &&
                write_fact(&query, "description", traces_cell_text(x->description)) &&
                write_fact(&query, "text", traces_cell_text(x->source->bytes)) &&
                write_fact(&query, "overridden", traces_cell_text(x->overridden)) &&
                write_fact(&query, "shard", traces_cell_text(lib_text_get(&part))) &&
                write_fact(&query, "version", traces_cell_text(PACKAGE_VERSION)) &&
                write_fact(&query, "runs", traces_cell_int((int64_t)runs));
    traces_query_free(&query);
    return good;
}

/* State of writing points. Images are also written for runs from before images were stored. */
struct points {
    const struct sim_experiment *experiment;
    struct lib_arena *of_point; /* cleared for each point */
    struct traces_query query;
    LIB_VEC(const struct sim_image *) images; /* written so far */
    const struct analysis_energy *energy;     /* written last */
    const struct lib_setting_file *file;      /* written last */
    const struct lib_source *input;           /* written last */
};

static bool write_image(struct points *p, const struct sim_image *image)
{
    LIB_TEXT_OWN digest = {0}, bytes = {0};
    for (size_t i = p->images.count; i-- > 0;)
        if (p->images.items[i] == image)
            return true;
    *LIB_VEC_PUSH(&p->images) = image;
    isa_digest_write(image->digest, &digest);
    isa_image_write(image->graph, &bytes);
    return traces_images_add(p->query.store, digest.bytes, bytes.bytes, bytes.length);
}

static bool write_energy(struct points *p, const struct sim_config *config)
{
    if (!config->setup.energy || config->setup.energy == p->energy)
        return true;
    p->energy = config->setup.energy;
    return traces_images_add_energy(p->query.store, config->energy_table,
                                    p->energy->text);
}

/* Writes the files of settings and inputs, each once; they are few. */
static bool write_files(struct points *p, const struct sim_config *config)
{
    const struct isa_graph *graph = config->image->graph;
    bool good = true;
    for (uint32_t i = 0; good && i < graph->input_count; i++) {
        const struct isa_given *f = sim_input_file(&graph->inputs[i],
                                                   config->inputs.values[i]);
        if (!f || f->source == p->input)
            continue;
        p->input = f->source;
        good = traces_images_add_file(p->query.store, f->digest, f->source->bytes,
                                      f->source->length);
    }
    for (size_t i = 0; good && i < sim_setting_count; i++) {
        const struct lib_setting_file *file = lib_setting_file(&config->setup.settings,
                                                               sim_setting_at(i));
        if (!file || file == p->file)
            continue;
        p->file = file;
        good = traces_images_add_file(p->query.store, file->digest, file->source.bytes,
                                      file->source.length);
    }
    return good;
}

static bool write_point(struct points *p, const struct sim_run *run, size_t number)
{
    struct traces_query *query = &p->query;
    struct sim_config config;
    LIB_TEXT_OWN identity = {0};
    lib_arena_clear(p->of_point);
    sim_settle(p->experiment, run, p->of_point, &config);
    isa_digest_write(run->identity, &identity);
    bool good = traces_query_bind(query, 1, traces_cell_int((int64_t)number)) &&
                traces_query_bind(query, 2, traces_cell_text(identity.bytes)) &&
                traces_query_bind(query, 3, traces_cell_text(config.program->name)) &&
                traces_query_bind(query, 4, traces_cell_text(config.strategy)) &&
                traces_query_bind(query, 5, traces_cell_text(config.machine->name)) &&
                traces_query_bind(query, 6, traces_cell_int(config.repetition)) &&
                traces_query_bind(query, 7, traces_cell_int((int64_t)config.seed)) &&
                traces_query_bind(
                    query, 8,
                    traces_cell_text(config.window ? config.window->text : NULL)) &&
                traces_query_bind(query, 9, traces_cell_text(config.energy_table)) &&
                traces_query_do(query) && write_image(p, config.image) &&
                write_energy(p, &config) && write_files(p, &config);
    return good;
}

static bool write_points(struct traces_database *store, const struct sim_experiment *x,
                         const struct sim_runs *runs)
{
    struct points p = {.experiment = x, .of_point = lib_arena_new()};
    bool good = traces_database_do(store, "DROP TABLE points; " POINTS) &&
                traces_query_new(
                    &p.query, store,
                    "INSERT INTO points VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    for (size_t i = 0; good && i < runs->list.count; i++)
        good = write_point(&p, &runs->list.items[i], i + 1);
    traces_query_free(&p.query);
    LIB_VEC_FREE(&p.images);
    lib_arena_free(p.of_point);
    return good;
}

bool sim_result_layout_begin(struct traces_database *store,
                             const struct sim_experiment *experiment,
                             const struct sim_runs *runs, struct sim_shard shard)
{
    /* A writer now is another sweep. Later there are only readers, for which this one waits. */
    if (!traces_database_do(store, "BEGIN IMMEDIATE") ||
        !traces_database_be_patient(store))
        return false;
    bool is_new = traces_database_ask(store, "SELECT count(*) FROM sqlite_schema", 0) ==
                  0;
    return store->fault == LIB_FAULT_NONE &&
           (is_new ? make_tables(store, &experiment->columns)
                   : traces_layout_check(store)) &&
           traces_kept_keep(store, experiment->name) && traces_layout_complete(store) &&
           (is_new || add_columns(store, &experiment->columns)) &&
           make_view(store, &experiment->columns) &&
           write_units(store, &experiment->columns) &&
           write_experiment(store, experiment, runs->list.count, shard) &&
           write_points(store, experiment, runs) && traces_seal_write(store);
}
