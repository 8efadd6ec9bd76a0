/* Checks whether a stored row has its identity: hashes settings, inputs and seed again, and
 * compares labels with the experiment if its files are available. */
#include "config.h"

#include <string.h>

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

static bool fits(const struct sim_rerun *r, const struct sim_rerun_row *row)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct rerun_prepared p;
    const struct sim_image image = {(struct isa_graph *)row->graph,
                                    isa_image_digest(row->graph)};
    bool fits = true; /* if it cannot be read, the run itself reports why */
    if (rerun_prepare(r, row, arena, &p, &diags)) {
        const struct sim_config config = {
            .image = &image,
            .strategy = text_at(r, row, "strategy"),
            .setup = {.settings = p.setup.settings, .energy = p.energy},
            .window = p.window.text ? &p.window : NULL,
            .inputs = p.inputs,
            .seed = p.description.seed,
        };
        fits = sim_identity_fits(&config, &r->measures, text_at(r, row, "identity"));
    }
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return fits;
}

/* --- labels ----------------------------------------------------------------------------- */

/* Returns the experiment's run with the number of a row; NULL if files are missing or have
 * changed. */
static const struct sim_run *find_asked(struct sim_rerun *r,
                                        const struct sim_rerun_row *row)
{
    LIB_TEXT_OWN identity = {0};
    const struct sim_run *run = NULL;
    if (!r->has_looked)
        rerun_look_beside(r);
    if (!r->has_expanded && r->reads_beside) {
        struct lib_diags diags = {0};
        sim_expand(&r->beside, &r->asked, &diags);
        lib_diags_free(&diags);
    }
    r->has_expanded = true;
    if (row->number == 0 || row->number > r->asked.list.count)
        return NULL;
    run = &r->asked.list.items[row->number - 1];
    isa_digest_write(run->identity, &identity);
    if (strcmp(identity.bytes, text_at(r, row, "identity")) != 0)
        run = NULL;
    return run;
}

/* Returns how a label of a row differs from the experiment, or NULL. */
static const char *compare_labels(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    const struct sim_run *run = find_asked(r, row);
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    const char *why = NULL;
    if (run) {
        sim_settle(&r->beside, run, arena, &config);
        const struct label {
            const char *key, *wanted;
        } labels[] = {{"program", config.program->name},
                      {"machine", config.machine->name}};
        for (size_t i = 0; i < sizeof labels / sizeof *labels && !why; i++) {
            const char *stored = text_at(r, row, labels[i].key);
            if (strcmp(stored, labels[i].wanted) != 0)
                why = lib_arena_printf(r->arena,
                                       "its %s is `%s`, but the experiment has `%s`",
                                       labels[i].key, stored, labels[i].wanted);
        }
    }
    lib_arena_free(arena);
    return why;
}

const char *rerun_check_identity(struct sim_rerun *r, const struct sim_rerun_row *row)
{
    if (rerun_is_training(r, row->run) || !is_of_this_version(r, row))
        return NULL;
    if (!fits(r, row))
        return "its settings, inputs, seed or strategy are not those of its identity";
    return compare_labels(r, row);
}
