#include "sim/sweep/result_writer.h"

#include <math.h>
#include <string.h>

#include "analysis/derive.h"
#include "sim/experiment/columns.h"
#include "sim/session/host.h"
#include "traces/results/images.h"

static const double patience = 0.5; /* seconds from the first row to the commit */

/* --- statements --------------------------------------------------------------------- */

static bool is_of_run(const struct traces_column *c)
{
    return c->kind != TRACES_COLUMN_LABEL || c->fact == SIM_FACT_SEED;
}

/* Prepares "REPLACE INTO runs (identity, seed, ...) VALUES (?, ?, ...)". */
static bool prepare_run(struct sim_result_writer *keep)
{
    const struct traces_columns *columns = &keep->experiment->columns;
    LIB_TEXT_OWN sql = {0}, values = {0};
    lib_text_puts(&sql, "REPLACE INTO runs (");
    for (size_t i = 0, n = 0; i < columns->list.count; i++) {
        if (!is_of_run(&columns->list.items[i]))
            continue;
        lib_text_puts(&sql, n ? ", " : "");
        lib_text_puts(&values, n++ ? ", ?" : "?");
        traces_database_add_name(&sql, columns->list.items[i].name);
    }
    lib_text_printf(&sql, ") VALUES (%s)", values.bytes);
    return traces_query_new(&keep->run, keep->store, sql.bytes);
}

/* Tables of PEs and links may have columns of other versions of Hiaton. */
#define NAME(key, ...) ", " #key
#define VALUE(key, ...) ", ?"
static const char *const details[TRACES_DETAIL_COUNT] = {
    [TRACES_DETAIL_SERIES] = "INSERT INTO series VALUES (?1, ?2, ?3, ?4)",
    [TRACES_DETAIL_PROFILE] = "INSERT INTO profile VALUES (?1, ?2, ?3, ?4, ?5)",
    [TRACES_DETAIL_PE] = "INSERT INTO pe (run, pe" TRACES_PE_COUNTS(NAME)
        TRACES_PE_RATIOS(NAME) ") VALUES (?, ?" TRACES_PE_COUNTS(VALUE)
            TRACES_PE_RATIOS(VALUE) ")",
    [TRACES_DETAIL_LINKS] = "INSERT INTO links (run, link, port, port_number, source, "
                            "target" TRACES_LINK_SUMS(NAME) TRACES_LINK_RATIOS(
                                NAME) ") VALUES (?, ?, ?, ?, ?, ?" TRACES_LINK_SUMS(VALUE)
                                TRACES_LINK_RATIOS(VALUE) ")",
    [TRACES_DETAIL_EPOCHS] = "INSERT INTO epochs (run, epoch, step" TRACES_EPOCH_NUMBERS(
        NAME) ") VALUES (?, ?, ?" TRACES_EPOCH_NUMBERS(VALUE) ")",
};
#undef VALUE
#undef NAME

static bool prepare_details(struct sim_result_writer *keep)
{
    bool good = true;
    for (enum traces_detail d = 0; good && d < TRACES_DETAIL_COUNT; d++)
        good = traces_query_new(&keep->details[d], keep->store, details[d]);
    return good;
}

bool sim_result_writer_begin_details(struct sim_result_writer *keep,
                                     struct traces_database *store)
{
    *keep = (struct sim_result_writer){
        .store = store, .arena = lib_arena_new(), .of_row = lib_arena_new()};
    return prepare_details(keep);
}

static bool prepare_host(struct sim_result_writer *keep)
{
    LIB_TEXT_OWN sql = {0}, values = {0};
    lib_text_puts(
        &sql, "REPLACE INTO host (run, wall_seconds, firings_per_second, peak_rss_bytes");
    for (size_t i = 0; i < sim_described_field_count; i++)
        if (sim_described_fields[i].host) {
            lib_text_printf(&sql, ", %s", sim_described_fields[i].host);
            lib_text_puts(&values, ", ?");
        }
    lib_text_printf(&sql, ") VALUES (?, ?, ?, ?%s)", lib_text_get(&values));
    return traces_query_new(&keep->host, keep->store, sql.bytes);
}

bool sim_result_writer_begin(struct sim_result_writer *keep,
                             struct traces_database *store,
                             const struct sim_experiment *experiment)
{
    *keep = (struct sim_result_writer){.store = store,
                                       .experiment = experiment,
                                       .arena = lib_arena_new(),
                                       .of_row = lib_arena_new()};
    keep->here.by = sim_described_here(keep->arena);
    keep->walk = sim_walk_new(experiment);
    return prepare_run(keep) && prepare_details(keep) &&
           traces_query_new(&keep->find, store,
                            "SELECT status FROM runs WHERE identity = ?1") &&
           prepare_host(keep) &&
           traces_query_new(&keep->exact, store,
                            "INSERT INTO exact_inputs VALUES (?1, ?2, ?3)") &&
           traces_query_new(&keep->part, store,
                            "INSERT INTO sources VALUES (?1, ?2, ?3, ?4)");
}

void sim_result_writer_end(struct sim_result_writer *keep)
{
    traces_query_free(&keep->find);
    traces_query_free(&keep->run);
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        traces_query_free(&keep->details[d]);
    traces_query_free(&keep->host);
    traces_query_free(&keep->exact);
    traces_query_free(&keep->part);
    LIB_VEC_FREE(&keep->files);
    if (keep->walk)
        sim_walk_free(keep->walk);
    lib_arena_free(keep->arena);
    lib_arena_free(keep->of_row);
}

enum sim_result_state sim_result_writer_find(struct sim_result_writer *keep,
                                             const struct sim_run *run)
{
    enum sim_result_state kept = SIM_RESULT_FOUND_ERROR;
    LIB_TEXT_OWN identity = {0};
    isa_digest_write(run->identity, &identity);
    if (traces_query_bind(&keep->find, 1, traces_cell_text(identity.bytes))) {
        const bool is_there = traces_query_next(&keep->find);
        const char *status = is_there ? traces_query_cell(&keep->find, 0).text : "";
        if (keep->find.has_ended || strcmp(status, "interrupted") == 0 ||
            strcmp(status, "crashed") == 0)
            kept = SIM_RESULT_FOUND_NOTHING;
        else if (is_there)
            kept = strcmp(status, "completed") == 0 ? SIM_RESULT_FOUND_COMPLETED
                                                    : SIM_RESULT_FOUND_FAILED;
        traces_query_reset(&keep->find);
    }
    return kept;
}

/* --- rows --------------------------------------------------------------------------- */

/* The seed is empty if the run did not use it. */
static struct traces_cell cell_of(const struct traces_column *c,
                                  const struct sim_config *config,
                                  const struct sim_outcome *outcome,
                                  struct lib_arena *arena)
{
    if (c->fact == SIM_FACT_SEED && !sim_config_draws(config))
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    return sim_column_is_of_outcome(c) ? sim_outcome_cell(outcome, c, arena)
                                       : sim_config_cell(config, c, arena);
}

/* Whether SQLite preserves a real: it loses the sign of -0. A sweep has no NaN. */
static bool is_held(isa_value value)
{
    const double real = isa_value_real(value);
    return real != 0 || !signbit(real);
}

static bool add_exact(struct sim_result_writer *keep, int64_t id,
                      const struct sim_config *config)
{
    const struct isa_graph *graph = config->image->graph;
    bool good = true;
    for (uint32_t i = 0; good && i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        LIB_TEXT_OWN text = {0};
        if (input->type != ISA_REAL || is_held(config->inputs.values[i]))
            continue;
        isa_value_write(&text, input->type, config->inputs.values[i]);
        good = traces_query_bind(&keep->exact, 1, traces_cell_int(id)) &&
               traces_query_bind(&keep->exact, 2, traces_cell_text(input->name)) &&
               traces_query_bind(&keep->exact, 3, traces_cell_text(text.bytes)) &&
               traces_query_do(&keep->exact);
    }
    return good;
}

/* Adds a file once. Returns its digest, or NULL on errors. */
static const char *add_file(struct sim_result_writer *keep,
                            const struct lib_source *source)
{
    for (size_t i = 0; i < keep->files.count; i++)
        if (keep->files.items[i].source == source)
            return keep->files.items[i].digest;
    const char *digest = isa_digest_keep(keep->arena,
                                         isa_digest_of(source->bytes, source->length));
    if (!traces_images_add_file(keep->store, digest, source->bytes, source->length))
        return NULL;
    *LIB_VEC_PUSH(&keep->files) = (struct sim_result_file){source, digest};
    return digest;
}

static bool add_part(struct sim_result_writer *keep, int64_t id, size_t part,
                     const char *name, const struct lib_source *source)
{
    const char *digest = add_file(keep, source);
    return digest && traces_query_bind(&keep->part, 1, traces_cell_int(id)) &&
           traces_query_bind(&keep->part, 2, traces_cell_int((int64_t)part)) &&
           traces_query_bind(&keep->part, 3, traces_cell_text(name)) &&
           traces_query_bind(&keep->part, 4, traces_cell_text(digest)) &&
           traces_query_do(&keep->part);
}

/* Adds what repeats a training: the source of its program as part 0, and the files that it
 * reads. */
static bool add_sources(struct sim_result_writer *keep, int64_t id,
                        const struct sim_config *config)
{
    if (!config->trained)
        return true;
    const struct sim_program *program = &config->program->program;
    const struct programs_known *known = &config->trained->known;
    bool good = add_part(keep, id, 0, sim_program_title(program), program->file);
    for (size_t i = 0; good && i < known->list.count; i++)
        good = add_part(keep, id, i + 1, known->list.items[i].path,
                        known->list.items[i].source);
    return good;
}

/* Whether the statement has the value of a column already: of rows that follow each other, few
 * settings differ. */
static bool is_bound(const struct sim_result_writer *keep, const struct traces_column *c,
                     const struct sim_config *config)
{
    return c->setting && keep->has_bound &&
           lib_setting_is_equal(&keep->bound, &config->setup.settings,
                                sim_setting_at(c->setting - 1));
}

static bool bind_run(struct sim_result_writer *keep, const struct sim_config *config,
                     const struct sim_outcome *outcome, struct lib_arena *arena)
{
    const struct traces_columns *columns = &keep->experiment->columns;
    int place = 0;
    bool good = true;
    for (size_t i = 0; good && i < columns->list.count; i++) {
        const struct traces_column *c = &columns->list.items[i];
        place += is_of_run(c);
        if (is_of_run(c) && !is_bound(keep, c, config))
            good = traces_query_bind(&keep->run, place,
                                     cell_of(c, config, outcome, arena));
    }
    keep->bound = config->setup.settings;
    keep->has_bound = good;
    return good;
}

/* Returns the id of the added row, or -1 on errors. */
static int64_t add_run(struct sim_result_writer *keep, const struct sim_run *run,
                       const struct sim_outcome *outcome)
{
    const struct sim_config *config = sim_walk_to_run(keep->walk, run);
    int64_t id = -1;
    lib_arena_clear(keep->of_row);
    bool good = bind_run(keep, config, outcome, keep->of_row) &&
                traces_query_do(&keep->run);
    if (good)
        id = traces_database_last_id(keep->store);
    good = good && add_exact(keep, id, config) && add_sources(keep, id, config);
    return good ? id : -1;
}

static bool add_sample(struct sim_result_writer *keep, int64_t id,
                       const struct traces_sample *row)
{
    struct traces_query *q = &keep->details[TRACES_DETAIL_SERIES];
    bool good = traces_query_bind(q, 1, traces_cell_int(id)) &&
                traces_query_bind(q, 3, traces_cell_int((int64_t)row->cycle));
#define COLUMN(key, unit, help)                                                          \
    good = good && traces_query_bind(q, 2, traces_cell_text(#key)) &&                    \
           traces_query_bind(q, 4, traces_cell_int((int64_t)row->key)) &&                \
           traces_query_do(q);
    TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
    return good;
}

static bool add_range(struct sim_result_writer *keep, int64_t id,
                      const struct sim_outcome_range *row)
{
    static const char *const names[] = {
#define HISTOGRAM(key, help) #key,
        TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
    };
    struct traces_query *q = &keep->details[TRACES_DETAIL_PROFILE];
    const struct traces_range *range = &row->range;
    return traces_query_bind(q, 1, traces_cell_int(id)) &&
           traces_query_bind(q, 2, traces_cell_text(names[row->histogram])) &&
           traces_query_bind(q, 3, traces_cell_int((int64_t)range->from)) &&
           traces_query_bind(q, 4, traces_cell_int((int64_t)range->width)) &&
           traces_query_bind(q, 5, traces_cell_int((int64_t)range->firings)) &&
           traces_query_do(q);
}

static bool add_pe(struct sim_result_writer *keep, int64_t id,
                   const struct traces_stats *stats, size_t pe)
{
    struct traces_query *q = &keep->details[TRACES_DETAIL_PE];
    const struct analysis_pe_ratios ratios = analysis_derive_pe(stats, pe);
    int place = 2;
    bool good = traces_query_bind(q, 1, traces_cell_int(id)) &&
                traces_query_bind(q, 2, traces_cell_int((int64_t)pe));
#define BIND(cell) good = good && traces_query_bind(q, ++place, cell);
#define COUNT(key, help) BIND(traces_cell_int((int64_t)stats->pe[pe].key))
#define RATIO(key, part, help) BIND(traces_cell_real(ratios.key))
    TRACES_PE_COUNTS(COUNT)
    TRACES_PE_RATIOS(RATIO)
#undef RATIO
#undef COUNT
#undef BIND
    return good && traces_query_do(q);
}

static struct traces_cell end_cell(uint32_t end)
{
    if (end == TRACES_NO_ROUTER)
        return (struct traces_cell){.type = TRACES_CELL_NULL};
    return traces_cell_int(end);
}

static bool add_link(struct sim_result_writer *keep, int64_t id,
                     const struct traces_stats *stats, size_t at)
{
    struct traces_query *q = &keep->details[TRACES_DETAIL_LINKS];
    const struct traces_link *link = &stats->links[at];
    const struct analysis_link_ratios ratios = analysis_derive_link(stats, at);
    int place = 6;
    bool good = traces_query_bind(q, 1, traces_cell_int(id)) &&
                traces_query_bind(q, 2, traces_cell_int((int64_t)at)) &&
                traces_query_bind(q, 3,
                                  traces_cell_text(traces_port_names[link->port])) &&
                traces_query_bind(q, 4, traces_cell_int(link->number)) &&
                traces_query_bind(q, 5, end_cell(link->from)) &&
                traces_query_bind(q, 6, end_cell(link->to));
#define BIND(cell) good = good && traces_query_bind(q, ++place, cell);
#define COUNT(key, help) BIND(traces_cell_int((int64_t)link->stats.key))
#define RATIO(key, part, whole, help) BIND(traces_cell_real(ratios.key))
    TRACES_LINK_SUMS(COUNT)
    TRACES_LINK_RATIOS(RATIO)
#undef RATIO
#undef COUNT
#undef BIND
    return good && traces_query_do(q);
}

static bool add_epoch(struct sim_result_writer *keep, int64_t id,
                      const struct traces_epoch *epoch, size_t number)
{
    struct traces_query *q = &keep->details[TRACES_DETAIL_EPOCHS];
    int place = 3;
    bool good = traces_query_bind(q, 1, traces_cell_int(id)) &&
                traces_query_bind(q, 2, traces_cell_int((int64_t)number)) &&
                traces_query_bind(q, 3, traces_cell_int((int64_t)epoch->step));
#define NUMBER(key, meaning)                                                             \
    good = good && traces_query_bind(q, ++place, traces_cell_real(epoch->key));
    TRACES_EPOCH_NUMBERS(NUMBER)
#undef NUMBER
    return good && traces_query_do(q);
}

/* Empty strings become NULL. */
static bool bind_host(struct sim_result_writer *keep, int place)
{
    bool good = true;
    for (size_t i = 0; i < sim_described_field_count; i++) {
        const struct sim_described_field *f = &sim_described_fields[i];
        if (!f->host)
            continue;
        const char *text = sim_described_text(&keep->here, f);
        good = good && traces_query_bind(&keep->host, place++,
                                         traces_cell_text(*text ? text : NULL));
    }
    return good;
}

static bool add_host(struct sim_result_writer *keep, int64_t id,
                     const struct sim_outcome *outcome)
{
    struct traces_query *q = &keep->host;
    const struct traces_cell nothing = {.type = TRACES_CELL_NULL};
    double seconds = outcome->wall_seconds;
    bool has_rate = sim_outcome_is_final(outcome) && seconds > 0 &&
                    outcome->stats.covers == TRACES_COVERS_RUN;
    double rate = has_rate ? (double)outcome->stats.firings / seconds : 0;
    return traces_query_bind(q, 1, traces_cell_int(id)) &&
           traces_query_bind(q, 2, traces_cell_real(seconds)) &&
           traces_query_bind(q, 3, has_rate ? traces_cell_real(rate) : nothing) &&
           traces_query_bind(q, 4,
                             outcome->peak_rss_bytes
                                 ? traces_cell_int((int64_t)outcome->peak_rss_bytes)
                                 : nothing) &&
           bind_host(keep, 5) && traces_query_do(q);
}

bool sim_result_writer_add_details(struct sim_result_writer *keep, int64_t id,
                                   const struct sim_outcome *outcome)
{
    bool good = true;
    for (size_t i = 0; good && i < outcome->series.count; i++)
        good = add_sample(keep, id, &outcome->series.items[i]);
    for (size_t i = 0; good && i < outcome->profile.count; i++)
        good = add_range(keep, id, &outcome->profile.items[i]);
    for (size_t i = 0; good && i < outcome->stats.pe_count; i++)
        good = add_pe(keep, id, &outcome->stats, i);
    for (size_t i = 0; good && i < outcome->stats.link_count; i++)
        good = add_link(keep, id, &outcome->stats, i);
    for (size_t i = 0; good && i < outcome->epochs.count; i++)
        good = add_epoch(keep, id, &outcome->epochs.items[i], i + 1);
    return good;
}

bool sim_result_writer_add(struct sim_result_writer *keep, const struct sim_run *run,
                           const struct sim_outcome *outcome)
{
    if (keep->since == 0)
        keep->since = sim_host_clock();
    const int64_t id = add_run(keep, run, outcome);
    return id >= 0 && add_host(keep, id, outcome) &&
           sim_result_writer_add_details(keep, id, outcome);
}

/* --- transactions ------------------------------------------------------------------- */

bool sim_result_writer_commit(struct sim_result_writer *keep)
{
    keep->since = 0;
    return traces_database_do(keep->store, "COMMIT; BEGIN IMMEDIATE");
}

bool sim_result_writer_commit_if_due(struct sim_result_writer *keep)
{
    const bool is_due = keep->since != 0 && sim_host_clock() > keep->since + patience;
    return !is_due || sim_result_writer_commit(keep);
}
