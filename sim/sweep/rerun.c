#include "sim/sweep/rerun_internal.h"

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "sim/experiment/columns.h"
#include "sim/loading/energy.h"
#include "sim/loading/fit.h"
#include "sim/loading/model.h"
#include "sim/session/simulate.h"
#include "sim/session/window.h"
#include "sim/sweep/measuring.h"

/* --- in the worker: a run as its row says ------------------------------------------------ */

/* "KEY=VALUE" of a cell; a bool that came as a number is one again. */
static const char *assignment(struct lib_arena *arena, const char *name,
                              struct traces_cell cell, bool is_bool)
{
    struct lib_text text = {0};
    if (is_bool && cell.type == TRACES_CELL_INT)
        cell.type = TRACES_CELL_BOOL;
    lib_text_printf(&text, "%s=", name);
    traces_cell_write(&cell, &text);
    const char *kept = lib_arena_copy(arena, text.bytes, text.length);
    lib_text_free(&text);
    return kept;
}

/* Settings that this program does not know are told as a reason (compare_settings). */
static bool read_setup(const struct sim_rerun *r, const struct sim_rerun_row *row,
                       struct lib_arena *arena, struct sim_setup *setup,
                       struct lib_diags *diags)
{
    const size_t columns = r->reader.columns.list.count;
    const char **sets = LIB_ARENA_ARRAY(arena, const char *, columns);
    size_t count = 0;
    for (size_t i = 0; i < columns; i++) {
        const struct traces_column *c = &r->reader.columns.list.items[i];
        const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, c);
        if (c->kind == TRACES_COLUMN_SETTING && cell.type != TRACES_CELL_NULL &&
            machine_setting_find(c->name))
            sets[count++] = assignment(arena, c->name, cell, false);
    }
    struct sim_setting_files files = {.arena = arena, .kept = r->files.kept};
    bool good = sim_setup_load_with(setup, &files, NULL, sets, count, diags);
    LIB_VEC_FREE(&files.read);
    return good;
}

/* An input as it was. */
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

/* The inputs of a row, as arguments NAME=VALUE. */
static const char **list_inputs(const struct sim_rerun *r,
                                const struct sim_rerun_row *row, struct lib_arena *arena,
                                size_t *count)
{
    const struct isa_graph *graph = row->graph;
    const char **given = LIB_ARENA_ARRAY(arena, const char *, graph->input_count);
    *count = 0;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        const struct traces_column *c = traces_reader_column(
            &r->reader, lib_arena_printf(arena, "inputs.%s", input->name));
        if (!c)
            continue;
        const struct traces_cell cell = input_cell(r, row, c, input);
        if (cell.type != TRACES_CELL_NULL)
            given[(*count)++] = assignment(arena, input->name, cell,
                                           input->type == ISA_BOOL);
    }
    return given;
}

static uint64_t seed_of(const struct sim_rerun *r, const struct sim_rerun_row *row)
{
    return (uint64_t)traces_reader_cell(&r->reader, row->run, r->seed).integer;
}

/* The name before a reason. An image made of no source has the name that its file had then. */
static const char *title_of(const struct sim_rerun *r, const struct sim_rerun_row *row,
                            struct lib_arena *arena)
{
    if (row->graph->source && *row->graph->source)
        return row->graph->source;
    const struct traces_cell cell = traces_reader_cell(&r->reader, row->run, r->reason);
    const char *reason = cell.text ? cell.text : "";
    return lib_arena_copy(arena, reason, strcspn(reason, ":"));
}

static const char *text_at(const struct sim_rerun *r, const struct sim_rerun_row *row,
                           const struct traces_column *column)
{
    return column ? traces_reader_cell(&r->reader, row->run, column).text : NULL;
}

/* What is measured: the window of a row; without a text: all of the run. */
static bool read_window(const struct sim_rerun *r, const struct sim_rerun_row *row,
                        struct sim_window *window, struct lib_diags *diags)
{
    const char *text = text_at(r, row, r->window);
    struct lib_text why = {0};
    *window = (struct sim_window){0};
    const bool good = !text || (sim_window_read(window, text, &why) &&
                                sim_window_check(window, row->graph, &why));
    if (!good)
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "window: %s",
                       lib_text_get(&why));
    lib_text_free(&why);
    return good;
}

/* Its table of energies; NULL: none. Where the database does not keep it, it is what has its name
 * now, also beside the database. */
static bool read_energy(const struct sim_rerun *r, const struct sim_rerun_row *row,
                        struct lib_arena *arena, const struct analysis_energy **energy,
                        struct lib_diags *diags)
{
    const char *name = text_at(r, row, r->energy_table);
    *energy = NULL;
    if (!name)
        return true;
    for (size_t i = 0; i < r->energies.count; i++) {
        const struct rerun_energy *e = &r->energies.items[i];
        if (strcmp(e->name, name) != 0)
            continue;
        const struct lib_source source = {name, e->text, strlen(e->text)};
        struct analysis_energy *table = LIB_ARENA_NEW(arena, struct analysis_energy);
        *energy = table;
        return analysis_energy_read(table, name, arena, &source, diags);
    }
    *energy = sim_energy_load(arena, r->folder, name, diags);
    return *energy != NULL;
}

static bool simulate(const struct sim_rerun *r, const struct sim_rerun_row *row,
                     struct lib_arena *arena, struct sim_outcome *outcome,
                     struct lib_diags *diags)
{
    struct sim_setup setup;
    struct sim_inputs inputs;
    struct sim_ending ending;
    struct sim_window window;
    const struct analysis_energy *energy;
    size_t count;
    const char **given = list_inputs(r, row, arena, &count);
    if (!read_window(r, row, &window, diags) ||
        !read_energy(r, row, arena, &energy, diags) ||
        !read_setup(r, row, arena, &setup, diags) ||
        !sim_inputs_read(&inputs, arena, row->graph, given, count, diags))
        return false;
    if (rerun_is_training(r, row->run)) {
        rerun_train(r, row, &setup.settings, given, count, outcome);
        return true;
    }
    if (!sim_program_fits(row->graph, &setup.settings, NULL, diags))
        return false;
    struct sim_measuring measuring;
    struct sim_simulation_config config = {
        .graph = row->graph,
        .inputs = inputs.values,
        .settings = &setup.settings,
        .seed = seed_of(r, row),
        .engine = SIM_ENGINE_MACHINE,
        .energy = energy,
        .window = window.text ? &window : NULL,
    };
    sim_measuring_start(&measuring, &r->measures, row->graph, &config);
    const bool done = sim_simulate(&config, &ending, diags);
    if (done)
        sim_outcome_take(outcome, &ending, title_of(r, row, arena), &window,
                         (const bool[TRACES_DETAIL_COUNT]){false});
    sim_measuring_end(&measuring, outcome);
    if (!done)
        return false;
    sim_ending_free(&ending);
    return true;
}

/* What cannot be run is told as a crash is. */
static void make(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_rerun *r = context;
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    *outcome = (struct sim_outcome){0};
    if (!simulate(r, &r->rows[r->todo.items[run]], arena, outcome, &diags)) {
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

static const char *text_of(struct sim_rerun *r, const struct traces_cell *cell)
{
    struct lib_text text = {0};
    traces_cell_write(cell, &text);
    if (!text.length)
        lib_text_puts(&text, "nothing");
    const char *kept = lib_arena_copy(r->arena, text.bytes, text.length);
    lib_text_free(&text);
    return kept;
}

static bool is_same_cell(const struct traces_cell *a, const struct traces_cell *b)
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

/* Another version may have measured less. */
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
        if (is_same_cell(&stored, &now) || (stored.type == TRACES_CELL_NULL &&
                                            (own->stat || own->measure) && !same_version))
            continue;
        *LIB_VEC_PUSH(&c->changes) = (struct sim_replay_change){
            own->name, text_of(r, &stored), text_of(r, &now)};
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

/* Those of a newer program, which knew more of them. */
static void compare_settings(struct comparing *c)
{
    const struct sim_rerun *r = c->rerun;
    for (size_t i = 0; i < r->reader.columns.list.count; i++) {
        const struct traces_column *column = &r->reader.columns.list.items[i];
        const struct traces_cell cell = traces_reader_cell(&r->reader, c->row->run,
                                                           column);
        if (column->kind == TRACES_COLUMN_SETTING && cell.type != TRACES_CELL_NULL &&
            !machine_setting_find(column->name))
            add_reason(c, column->name, text_of(c->rerun, &cell), "unknown");
    }
}

/* Where it was run; of databases of before, only the processor is known. */
static bool compare_host(struct comparing *c)
{
    struct sim_rerun *r = c->rerun;
    struct traces_database *store = &r->reader.store;
    const struct sim_recorded_by here = sim_recorded_here(r->arena);
    const bool is_old = traces_database_ask(store, "PRAGMA user_version", 0) < 3;
    const struct traces_cell identity = traces_reader_cell(&r->reader, c->row->run,
                                                           r->identity);
    const char *const keys[] = {"model", "processor", "its features", "library"};
    const char *const now[] = {here.model, here.cpu, here.features, here.library};
    struct traces_query query;
    bool good = traces_query_new(&query, store,
                                 is_old
                                     ? "SELECT NULL, cpu, NULL, NULL FROM host "
                                       "JOIN runs ON run = id WHERE identity = ?1"
                                     : "SELECT model, cpu, features, library FROM host "
                                       "JOIN runs ON run = id WHERE identity = ?1") &&
                traces_query_bind(&query, 1, identity);
    if (good && traces_query_step(&query) == TRACES_STEP_ROW)
        for (int i = 0; i < 4; i++) {
            const struct traces_cell cell = traces_query_cell(&query, i);
            if (cell.type != TRACES_CELL_NULL)
                add_reason(c, keys[i], text_of(r, &cell), now[i]);
        }
    traces_query_free(&query);
    return good;
}

static const struct sim_replay_change *keep(struct sim_rerun *r, changes *list,
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

static void compare(struct sim_rerun *r, struct sim_rerun_row *row,
                    const struct sim_outcome *outcome)
{
    struct comparing c = {.rerun = r, .row = row};
    compare_outcome(&c, outcome);
    row->verdict = c.changes.count ? SIM_RERUN_DIFFERS : SIM_RERUN_HOLDS;
    if (c.changes.count) {
        const struct traces_cell version = traces_reader_cell(&r->reader, row->run,
                                                              r->version);
        add_reason(&c, "version", version.text, PACKAGE_VERSION);
        r->broken |= !compare_host(&c);
        compare_settings(&c);
    }
    row->changes = keep(r, &c.changes, &row->change_count);
    row->reasons = keep(r, &c.reasons, &row->reason_count);
}

/* --- all of them ---------------------------------------------------------------------------- */

struct running {
    struct sim_rerun *rerun;
    const struct sim_runs_watch *watch;
    size_t done, failed;
};

static void take(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct running *running = context;
    struct sim_rerun *r = running->rerun;
    struct sim_rerun_row *row = &r->rows[r->todo.items[run]];
    if (outcome->crashed) {
        const char *reason = lib_text_get(&outcome->reason);
        row->verdict = SIM_RERUN_UNCHECKED;
        row->why = lib_arena_copy(r->arena, reason, strlen(reason));
    } else {
        compare(r, row, outcome);
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

bool sim_rerun_run(struct sim_rerun *r, unsigned jobs, const struct sim_runs_watch *watch,
                   struct lib_diags *diags)
{
    struct running running = {.rerun = r, .watch = watch};
    const struct sim_work work = {make, r};
    const struct sim_work_taker taker = {take, goes_on, &running};
    if (r->todo.count == 0)
        return true;
    return sim_workers_make_all(&work, r->todo.count, jobs, &taker, diags) && !r->broken;
}
