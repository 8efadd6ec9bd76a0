/* Checks whether a stored row has its identity: hashes settings, inputs and seed again. If the
 * files of the experiment are available, expands it, and compares the row with the run that it asks
 * for at the row's number. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/experiment/identity.h"
#include "sim/loading/model.h"
#include "sim/sweep/rerun_internal.h"

static const char *text_at(const struct sim_rerun *r, const struct sim_rerun_row *row,
                           const char *name)
{
    const struct traces_column *column = traces_reader_column(&r->reader, name);
    const struct traces_cell cell = column
                                        ? traces_reader_cell(&r->reader, row->run, column)
                                        : traces_cell_text(NULL);
    return cell.type == TRACES_CELL_TEXT && cell.text ? cell.text : "";
}

/* --- what was hashed -------------------------------------------------------------------- */

/* Whether this version made a row's identity: others may describe runs differently. */
static bool is_of_this_version(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    struct traces_database *store = &r->reader.store;
    struct traces_query query;
    bool same = strcmp(text_at(r, row, "version"), PACKAGE_VERSION) == 0;
    if (!same || traces_database_ask(store, "PRAGMA user_version", 0) < 3)
        return false;
    if (traces_query_new(&query, store,
                         "SELECT model FROM host JOIN runs ON run = id "
                         "WHERE identity = ?1") &&
        traces_query_bind(&query, 1, traces_cell_text(text_at(r, row, "identity"))) &&
        traces_query_next(&query)) {
        const struct traces_cell cell = traces_query_cell(&query, 0);
        same = cell.type == TRACES_CELL_INT && cell.integer == SIM_MODEL_VERSION;
    }
    traces_query_free(&query);
    return same;
}

/* Whether two cells have the same value. A bool of a column whose type depends on the program reads
 * back as an integer. */
static bool is_same(const struct traces_cell *a, const struct traces_cell *b)
{
    const bool both = a->type <= TRACES_CELL_BOOL && b->type <= TRACES_CELL_BOOL;
    if (both && (a->type == TRACES_CELL_BOOL || b->type == TRACES_CELL_BOOL))
        return a->integer == b->integer && a->type && b->type;
    return rerun_is_same_cell(a, b);
}

/* Returns how the stored cell of a column differs from that of a configuration, or NULL. */
static const char *compare_cell(struct sim_rerun *r, const struct sim_rerun_row *row,
                                const struct sim_config *config,
                                const struct traces_column *stored_column,
                                const struct traces_column *column, const char *source)
{
    const struct traces_cell stored = traces_reader_cell(&r->reader, row->run,
                                                         stored_column);
    const struct traces_cell wanted = sim_config_cell(config, column, r->arena);
    if (is_same(&stored, &wanted))
        return NULL;
    return lib_arena_printf(r->arena, "its %s is `%s`, but %s `%s`", column->name,
                            rerun_text_of(r, &stored), source, rerun_text_of(r, &wanted));
}

/* Returns the first setting or input of a row that is not what a run of the row has: one that is
 * empty, or that another name of the same value replaces. Returns NULL if there is none. */
static const char *compare_settings(struct sim_rerun *r, const struct sim_rerun_row *row,
                                    const struct sim_config *config)
{
    static const char inputs[] = "inputs.", options[] = "train.";
    const char *why = NULL;
    for (size_t i = 0; !why && i < r->reader.columns.list.count; i++) {
        const struct traces_column *stored = &r->reader.columns.list.items[i];
        struct traces_column column = *stored;
        const bool is_option = strncmp(stored->name, options, strlen(options)) == 0;
        if (stored->kind == TRACES_COLUMN_INPUT && !is_option)
            column.input = stored->name + strlen(inputs);
        else if (stored->kind != TRACES_COLUMN_SETTING ||
                 !sim_setting_is_known(stored->name))
            continue; /* options name files that only the experiment has */
        why = compare_cell(r, row, config, stored, &column, "its run has");
    }
    return why;
}

static const char *check_own(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct rerun_prepared p;
    const struct sim_image image = {.graph = (struct isa_graph *)row->graph,
                                    .digest = isa_image_digest(row->graph)};
    const char *why = NULL; /* if it cannot be read, the run itself reports why */
    if (rerun_prepare(r, row, arena, &p, &diags)) {
        const struct sim_config config = {
            .image = &image,
            .strategy = text_at(r, row, "strategy"),
            .setup = {.settings = p.setup.settings, .energy = p.energy},
            .window = p.window.text ? &p.window : NULL,
            .inputs = p.inputs,
            .seed = p.description.seed,
        };
        if (!rerun_is_training(r, row->run) &&
            !sim_identity_fits(&config, &r->measures, text_at(r, row, "identity")))
            why = "its settings, inputs, seed or strategy are not those of its identity";
        if (!why)
            why = compare_settings(r, row, &config);
    }
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return why;
}

/* --- the run that is asked for ----------------------------------------------------------- */

/* Expands the experiment once, if its files are at hand. Runs that were overridden on the command
 * line are not those of the experiment's file. */
static void expand(struct sim_rerun *r)
{
    if (!r->has_looked)
        rerun_look_beside(r);
    if (!r->has_expanded && r->reads_beside && !*r->reader.overridden) {
        struct lib_diags diags = {0};
        sim_expand(&r->beside, &r->asked, &diags);
        lib_diags_free(&diags);
    }
    r->has_expanded = true;
}

/* Reads 32 hexadecimal digits; others give the digest of no run. */
static struct isa_digest read_digest(const char *text)
{
    struct isa_digest digest = {0};
    if (sscanf(text, "%16" SCNx64 "%16" SCNx64, &digest.high, &digest.low) != 2)
        digest = (struct isa_digest){0};
    return digest;
}

static bool has_identity(const struct sim_run *run, struct isa_digest identity)
{
    return run->identity.high == identity.high && run->identity.low == identity.low;
}

/* Whether the database has results of a run. */
static bool has_results(struct sim_rerun *r, const struct sim_run *run)
{
    LIB_TEXT_OWN identity = {0};
    struct traces_query query;
    isa_digest_write(run->identity, &identity);
    const bool has = traces_query_new(&query, &r->reader.store,
                                      "SELECT 1 FROM runs WHERE identity = ?1") &&
                     traces_query_bind(&query, 1, traces_cell_text(identity.bytes)) &&
                     traces_query_next(&query);
    traces_query_free(&query);
    return has;
}

/* Returns why a row is certainly not the run `asked`, whose identity it has not. Returns NULL if
 * the program or a file of a machine may have changed since the sweep: then no row has the identity
 * that the experiment gives now. */
static const char *explain_other(struct sim_rerun *r, const struct sim_rerun_row *row,
                                 const struct sim_run *asked)
{
    const struct isa_digest identity = read_digest(text_at(r, row, "identity"));
    for (size_t i = 0; i < r->asked.list.count; i++)
        if (has_identity(&r->asked.list.items[i], identity))
            return lib_arena_printf(
                r->arena,
                "it is the run that the experiment asks for at number "
                "%zu, not at this number",
                i + 1);
    if (has_results(r, asked))
        return "it is not the run that the experiment asks for at this number, of which "
               "the database has results too";
    return NULL;
}

/* Returns how a row differs from the run that the experiment asks for at its number, or NULL. */
static const char *check_asked(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    expand(r);
    if (r->asked.list.count == 0)
        return NULL;
    if (row->number == 0 || row->number > r->asked.list.count)
        return lib_arena_printf(r->arena, "the experiment asks for %zu runs",
                                r->asked.list.count);
    const struct sim_run *run = &r->asked.list.items[row->number - 1];
    if (!has_identity(run, read_digest(text_at(r, row, "identity"))))
        return explain_other(r, row, run);
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    const char *why = NULL;
    sim_settle(&r->beside, run, arena, &config);
    for (size_t i = 0; !why && i < r->beside.columns.list.count; i++) {
        const struct traces_column *column = &r->beside.columns.list.items[i];
        const struct traces_column *stored = traces_reader_column(&r->reader,
                                                                  column->name);
        if (stored && column->fact != SIM_FACT_NUMBER &&
            !sim_column_is_of_outcome(column))
            why = compare_cell(r, row, &config, stored, column, "the experiment has");
    }
    lib_arena_free(arena);
    return why;
}

const char *rerun_check_own(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    return is_of_this_version(r, row) ? check_own(r, row) : NULL;
}

const char *rerun_check_asked(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    return is_of_this_version(r, row) ? check_asked(r, row) : NULL;
}
