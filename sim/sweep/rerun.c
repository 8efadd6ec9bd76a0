#include "sim/sweep/rerun_internal.h"

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/loading/energy.h"
#include "sim/loading/fit.h"
#include "sim/session/window.h"
#include "sim/sweep/measuring.h"

/* --- in the worker: a run as its row says ------------------------------------------------ */

/* Returns "KEY=VALUE"; restores a bool that was stored as a number. */
static const char *assignment(struct lib_arena *arena, const char *name,
                              struct traces_cell cell, bool is_bool)
{
    struct lib_text text = {0};
    if (is_bool && cell.type == TRACES_CELL_INT)
        cell.type = TRACES_CELL_BOOL;
    lib_text_printf(&text, "%s=", name);
    traces_cell_write(&cell, &text);
    return lib_arena_keep(arena, &text);
}

/* Lists the settings of a row, except unknown ones (compare_settings). */
static struct sim_described_pairs list_settings(const struct sim_rerun *r,
                                                const struct sim_rerun_row *row,
                                                struct lib_arena *arena)
{
    const size_t columns = r->reader.columns.list.count;
    struct sim_described_pairs sets = {LIB_ARENA_ARRAY(arena, const char *, columns), 0};
    for (size_t i = 0; i < columns; i++) {
        const struct traces_column *c = &r->reader.columns.list.items[i];
        const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, c);
        if (c->kind == TRACES_COLUMN_SETTING && cell.type != TRACES_CELL_NULL &&
            sim_setting_is_known(c->name))
            sets.items[sets.count++] = assignment(arena, c->name, cell, false);
    }
    return sets;
}

static struct traces_cell input_cell(const struct sim_rerun *r,
                                     const struct sim_rerun_row *row,
                                     const struct traces_column *column,
                                     const struct isa_input *input)
{
    const char *identity = traces_reader_cell(&r->reader, row->run, r->identity).text;
    for (size_t i = 0; i < r->exact.count; i++)
        if (strcmp(r->exact.items[i].identity, identity) == 0 &&
            strcmp(r->exact.items[i].name, input->name) == 0)
            return traces_cell_text(r->exact.items[i].value);
    return traces_reader_cell(&r->reader, row->run, column);
}

static struct sim_described_pairs list_inputs(const struct sim_rerun *r,
                                              const struct sim_rerun_row *row,
                                              struct lib_arena *arena)
{
    const struct isa_graph *graph = row->graph;
    struct sim_described_pairs given = {
        LIB_ARENA_ARRAY(arena, const char *, graph->input_count), 0};
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        const struct traces_column *c = traces_reader_column(
            &r->reader, lib_arena_printf(arena, "inputs.%s", input->name));
        if (!c)
            continue;
        const struct traces_cell cell = input_cell(r, row, c, input);
        if (cell.type != TRACES_CELL_NULL)
            given.items[given.count++] = assignment(arena, input->name, cell,
                                                    input->type == ISA_BOOL);
    }
    return given;
}

/* Returns the program's name for messages; without a source, from the stored reason. */
static const char *title_of(const struct sim_rerun *r, const struct sim_rerun_row *row,
                            struct lib_arena *arena)
{
    if (row->graph->source && *row->graph->source)
        return row->graph->source;
    const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, r->reason);
    const char *reason = cell.text ? cell.text : "";
    return lib_arena_copy(arena, reason, strcspn(reason, ":"));
}

/* Returns NULL if the database lacks the table. */
static const char *energy_text(const struct sim_rerun *r, const char *name)
{
    for (size_t i = 0; i < r->energies.count; i++)
        if (strcmp(r->energies.items[i].name, name) == 0)
            return r->energies.items[i].text;
    return NULL;
}

static struct sim_description describe_row(const struct sim_rerun *r,
                                           const struct sim_rerun_row *row,
                                           struct lib_arena *arena)
{
    struct sim_description d = {.files = {.kept = r->files.kept}};
    for (size_t i = 0; i < sim_described_field_count; i++) {
        const struct sim_described_field *f = &sim_described_fields[i];
        const struct traces_column *column = f->column ? traces_reader_column(&r->reader,
                                                                              f->column)
                                                       : NULL;
        if (!column)
            continue;
        const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, column);
        if (f->kind == SIM_DESCRIBED_NUMBER)
            sim_described_set_number(&d, f, (uint64_t)cell.integer);
        else
            sim_described_set_text(&d, f, cell.text);
    }
    if (d.energy_name)
        d.energy = energy_text(r, d.energy_name);
    d.settings = list_settings(r, row, arena);
    d.inputs = list_inputs(r, row, arena);
    return d;
}

static bool read_window(const char *text, const struct isa_graph *graph,
                        struct sim_window *window, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    *window = (struct sim_window){0};
    const bool good = !text || (sim_window_read(window, text, &why) &&
                                sim_window_check(window, graph, &why));
    if (!good)
        lib_diag_plain(diags, LIB_DIAG_FILE, "window: %s", lib_text_get(&why));
    return good;
}

/* Sets *energy; NULL: none. If the database lacks its text, reads the table that has this name now,
 * perhaps beside the database. */
static bool read_energy(const struct sim_rerun *r, const struct sim_description *d,
                        struct lib_arena *arena, const struct analysis_energy **energy,
                        struct lib_diags *diags)
{
    *energy = NULL;
    if (!d->energy_name || d->energy)
        return sim_description_energy(d, arena, energy, diags);
    *energy = sim_energy_load(arena, r->folder, d->energy_name, diags);
    return *energy != NULL;
}

bool rerun_prepare(const struct sim_rerun *r, const struct sim_rerun_row *row,
                   struct lib_arena *arena, struct rerun_prepared *p,
                   struct lib_diags *diags)
{
    p->description = describe_row(r, row, arena);
    const struct sim_description *d = &p->description;
    struct sim_setting_files files = {.arena = arena, .kept = d->files.kept};
    const struct sim_inputs_from from = {.files = &files, .folder = ""};
    return read_window(d->window, row->graph, &p->window, diags) &&
           read_energy(r, d, arena, &p->energy, diags) &&
           sim_description_setup(d, NULL, 0, arena, &p->setup, diags) &&
           sim_inputs_read(&p->inputs, arena, row->graph, d->inputs.items,
                           d->inputs.count, &from, diags);
}

static bool simulate_row(const struct sim_rerun *r, const struct sim_rerun_row *row,
                         struct lib_arena *arena, struct sim_outcome *outcome,
                         struct lib_diags *diags)
{
    struct rerun_prepared p;
    struct sim_ending ending;
    if (!rerun_prepare(r, row, arena, &p, diags))
        return false;
    if (rerun_is_training(r, row->run)) {
        rerun_train(r, row, &p.setup.settings, &p.description, outcome);
        return true;
    }
    if (!sim_program_fits(row->graph, &p.setup.settings.machine, NULL, diags))
        return false;
    struct sim_measuring measuring;
    struct sim_simulation_config config = {
        .graph = row->graph,
        .inputs = p.inputs.values,
        .settings = &p.setup.settings.machine,
        .seed = p.description.seed,
        .engine = SIM_ENGINE_MACHINE,
        .energy = p.energy,
        .window = p.window.text ? &p.window : NULL,
        .series = r->keeps[TRACES_DETAIL_SERIES],
        .profile = r->keeps[TRACES_DETAIL_PROFILE],
    };
    sim_measuring_start(&measuring, &r->measures, row->graph, &config);
    const bool done = sim_simulate(&config, &ending, diags);
    if (done)
        sim_outcome_take(outcome, &ending, title_of(r, row, arena), &p.window, r->keeps);
    sim_measuring_end(&measuring, outcome);
    if (!done)
        return false;
    sim_ending_free(&ending);
    return true;
}

static void make_row(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_rerun *r = context;
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    *outcome = (struct sim_outcome){0};
    if (!simulate_row(r, &r->rows[r->todo.items[run]], arena, outcome, &diags)) {
        outcome->crashed = true;
        lib_text_puts(&outcome->reason, diags.count ? diags.items[0].text : "");
    }
    lib_diags_free(&diags);
    lib_arena_free(arena);
}

/* --- comparing --------------------------------------------------------------------------- */

struct comparing {
    struct sim_rerun *rerun;
    struct sim_rerun_row *row;
    changes changes, reasons;
};

const char *rerun_text_of(struct sim_rerun *r, const struct traces_cell *cell)
{
    struct lib_text text = {0};
    traces_cell_write(cell, &text);
    if (!text.length)
        lib_text_puts(&text, "nothing");
    return lib_arena_keep(r->arena, &text);
}

bool rerun_is_same_cell(const struct traces_cell *a, const struct traces_cell *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case TRACES_CELL_REAL:
        return a->real == b->real;
    case TRACES_CELL_TEXT:
        return strcmp(a->text, b->text) == 0;
    case TRACES_CELL_NULL:
        return true;
    default:
        return a->integer == b->integer;
    }
}

/* Compares outcomes; another version may have measured less. */
static void compare_outcome(struct comparing *c, const struct sim_outcome *outcome)
{
    struct sim_rerun *r = c->rerun;
    const struct traces_cell version = traces_reader_cell(&r->reader, c->row->run,
                                                          r->version);
    const bool same_version = version.text && strcmp(version.text, PACKAGE_VERSION) == 0;
    for (size_t i = 0; i < r->reader.columns.list.count; i++) {
        const struct traces_column *own = r->own_of[i];
        if (!own)
            continue;
        const struct traces_cell stored = traces_reader_cell(
            &r->reader, c->row->run, &r->reader.columns.list.items[i]);
        const struct traces_cell now = sim_outcome_cell(outcome, own, r->arena);
        if (rerun_is_same_cell(&stored, &now) ||
            (stored.type == TRACES_CELL_NULL && (own->stat || own->measure) &&
             !same_version))
            continue;
        *LIB_VEC_PUSH(&c->changes) = (struct sim_replay_change){
            own->name, rerun_text_of(r, &stored), rerun_text_of(r, &now)};
    }
}

static void add_reason(struct comparing *c, const char *key, const char *stored,
                       const char *now)
{
    if (!stored || strcmp(stored, now) == 0)
        return;
    *LIB_VEC_PUSH(&c->reasons) = (struct sim_replay_change){
        key, lib_arena_copy(c->rerun->arena, stored, strlen(stored)), now};
}

/* Adds stored settings that this version does not know. */
static void compare_settings(struct comparing *c)
{
    const struct sim_rerun *r = c->rerun;
    for (size_t i = 0; i < r->reader.columns.list.count; i++) {
        const struct traces_column *column = &r->reader.columns.list.items[i];
        const struct traces_cell cell = traces_reader_cell(&r->reader, c->row->run,
                                                           column);
        if (column->kind == TRACES_COLUMN_SETTING && cell.type != TRACES_CELL_NULL &&
            !sim_setting_is_known(column->name))
            add_reason(c, column->name, rerun_text_of(c->rerun, &cell), "unknown");
    }
}

/* Adds the columns of the host to a query, NULL for those newer than `version`. */
static void list_host_columns(int64_t version, struct lib_text *sql)
{
    size_t count = 0;
    for (size_t i = 0; i < sim_described_field_count; i++) {
        const struct sim_described_field *f = &sim_described_fields[i];
        if (f->host)
            lib_text_printf(sql, "%s%s", count++ ? ", " : "SELECT ",
                            f->since > version ? "NULL" : f->host);
    }
    lib_text_puts(sql, " FROM host JOIN runs ON run = id WHERE identity = ?1");
}

/* Older databases know only the processor of the host. */
static bool compare_host(struct comparing *c)
{
    struct sim_rerun *r = c->rerun;
    struct traces_database *store = &r->reader.store;
    const struct sim_described_host here = sim_described_here(r->arena);
    const int64_t version = traces_database_ask(store, "PRAGMA user_version", 0);
    const struct traces_cell identity = traces_reader_cell(&r->reader, c->row->run,
                                                           r->identity);
    struct sim_description now = {.by = here};
    LIB_TEXT_OWN sql = {0};
    struct traces_query query;
    list_host_columns(version, &sql);
    bool good = traces_query_new(&query, store, lib_text_get(&sql)) &&
                traces_query_bind(&query, 1, identity);
    if (good && traces_query_next(&query))
        for (size_t i = 0, place = 0; i < sim_described_field_count; i++) {
            const struct sim_described_field *f = &sim_described_fields[i];
            if (!f->host)
                continue;
            const struct traces_cell cell = traces_query_cell(&query, (int)place++);
            if (cell.type != TRACES_CELL_NULL)
                add_reason(c, f->cause, rerun_text_of(r, &cell),
                           sim_described_text(&now, f));
        }
    traces_query_free(&query);
    return good;
}

static const struct sim_replay_change *keep_changes(struct sim_rerun *r, changes *list,
                                                    size_t *count)
{
    struct sim_replay_change *kept = LIB_ARENA_ARRAY(r->arena, struct sim_replay_change,
                                                     list->count);
    if (list->count)
        memcpy(kept, list->items, list->count * sizeof *kept);
    *count = list->count;
    LIB_VEC_FREE(list);
    return kept;
}

static void compare_row(struct sim_rerun *r, struct sim_rerun_row *row,
                        const struct sim_outcome *outcome)
{
    struct comparing c = {.rerun = r, .row = row};
    compare_outcome(&c, outcome);
    r->broken |= !rerun_compare_details(r, row, outcome, &c.changes);
    row->why = rerun_check_asked(r, row);
    row->verdict = c.changes.count || row->why ? SIM_RERUN_DIFFERS : SIM_RERUN_HOLDS;
    if (c.changes.count) {
        const struct traces_cell version = traces_reader_cell(&r->reader, row->run,
                                                              r->version);
        add_reason(&c, "version", version.text, PACKAGE_VERSION);
        r->broken |= !compare_host(&c);
        compare_settings(&c);
    }
    row->changes = keep_changes(r, &c.changes, &row->change_count);
    row->reasons = keep_changes(r, &c.reasons, &row->reason_count);
}

/* --- all of them ---------------------------------------------------------------------------- */

struct running {
    struct sim_rerun *rerun;
    const struct sim_runs_watch *watch;
    size_t done, failed;
};

static void take_outcome(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct running *running = context;
    struct sim_rerun *r = running->rerun;
    struct sim_rerun_row *row = &r->rows[r->todo.items[run]];
    if (outcome->crashed) {
        const char *reason = lib_text_get(&outcome->reason);
        row->verdict = SIM_RERUN_UNCHECKED;
        row->why = lib_arena_copy(r->arena, reason, strlen(reason));
    } else {
        compare_row(r, row, outcome);
    }
    running->done++;
    running->failed += row->verdict != SIM_RERUN_HOLDS;
}

static bool goes_on(void *context)
{
    const struct running *r = context;
    return !r->rerun->broken &&
           r->watch->look(r->done, r->failed, r->rerun->todo.count, r->watch->context);
}

/* Takes out of the list of rows to run those that contradict their identity: their run is not the
 * stored one, and may never end. */
static void drop_contradictions(struct sim_rerun *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->todo.count; i++) {
        struct sim_rerun_row *row = &r->rows[r->todo.items[i]];
        row->why = rerun_check_own(r, row);
        if (row->why)
            row->verdict = SIM_RERUN_DIFFERS;
        else
            r->todo.items[kept++] = r->todo.items[i];
    }
    r->todo.count = kept;
}

bool sim_rerun_run(struct sim_rerun *r, unsigned jobs, const struct sim_runs_watch *watch,
                   struct lib_diags *diags)
{
    struct running running = {.rerun = r, .watch = watch};
    const struct sim_work work = {make_row, r};
    const struct sim_work_taker taker = {take_outcome, goes_on, &running};
    r->reader.store.diags = r->fresh.diags = diags;
    drop_contradictions(r);
    if (r->todo.count == 0)
        return true;
    return sim_workers_make_all(&work, r->todo.count, jobs, &taker, diags) && !r->broken;
}
