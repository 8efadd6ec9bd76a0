#include <inttypes.h>

#include "sim/sweep/rerun_internal.h"

static const char *const verdict_names[SIM_RERUN_VERDICT_COUNT] = {
    "not run",         "holds",      "differs", "cannot be run again",
    "was interrupted", "had crashed"};

static void add_changes(const struct sim_rerun_row *row, struct lib_findings *f)
{
    sim_replay_add_changes("measured", "what was measured", row->changes,
                           row->change_count, f);
    sim_replay_add_changes("reasons", "what ran, and where", row->reasons,
                           row->reason_count, f);
}

/* For people: rows that do not hold, or all; then a line with totals. */
static void add_lines(const struct sim_rerun *r, struct lib_findings *f)
{
    static const char *const sums[SIM_RERUN_VERDICT_COUNT] = {
        [SIM_RERUN_PENDING] = "not run yet",
        [SIM_RERUN_DIFFERS] = "not the same",
        [SIM_RERUN_UNCHECKED] = "not to be run again",
        [SIM_RERUN_NOTHING] = "interrupted before",
        [SIM_RERUN_CRASHED] = "crashed before"};
    LIB_TEXT_OWN sum = {0};
    for (size_t i = 0; i < r->row_count; i++) {
        const struct sim_rerun_row *row = &r->rows[i];
        if (!r->shows_each && row->verdict != SIM_RERUN_DIFFERS &&
            row->verdict != SIM_RERUN_UNCHECKED && row->verdict != SIM_RERUN_CRASHED)
            continue;
        lib_findings_note(f, "row %" PRIu64 ", %s: %s%s%s", row->number, row->program,
                          verdict_names[row->verdict], row->why ? ": " : "",
                          row->why ? row->why : "");
        add_changes(row, f);
    }
    lib_text_printf(&sum, "%zu of %zu rows hold", sim_rerun_count(r, SIM_RERUN_HOLDS),
                    r->row_count);
    for (enum sim_rerun_verdict v = 0; v < SIM_RERUN_VERDICT_COUNT; v++)
        if (sums[v] && sim_rerun_count(r, v))
            lib_text_printf(&sum, "; %zu %s", sim_rerun_count(r, v), sums[v]);
    if (r->missing)
        lib_text_printf(&sum,
                        "; %zu of the %" PRIu64 " of the experiment have not been run",
                        r->missing, r->reader.asked);
    lib_findings_note(f, "%s", lib_text_get(&sum));
    if (r->is_altered)
        lib_findings_note(
            f, "the experiment, its columns, its points, or an image or file in "
               "the database are not those that were written");
}

static void add_row(const struct sim_rerun_row *row, struct lib_findings *f)
{
    lib_findings_open(f, NULL, NULL);
    lib_findings_count(f, "number", row->number, NULL);
    lib_findings_word(f, "program", row->program, NULL);
    lib_findings_word(f, "verdict", verdict_names[row->verdict], NULL);
    if (row->why)
        lib_findings_word(f, "why", row->why, NULL);
    add_changes(row, f);
    lib_findings_close(f);
}

void sim_rerun_findings(const void *rerun, struct lib_findings *f)
{
    const struct sim_rerun *r = rerun;
    if (f->for_people) {
        add_lines(r, f);
        return;
    }
    lib_findings_count(f, "rows", r->row_count, NULL);
    lib_findings_count(f, "hold", sim_rerun_count(r, SIM_RERUN_HOLDS), NULL);
    lib_findings_count(f, "differ", sim_rerun_count(r, SIM_RERUN_DIFFERS), NULL);
    lib_findings_count(f, "unchecked", sim_rerun_count(r, SIM_RERUN_UNCHECKED), NULL);
    lib_findings_count(f, "interrupted", sim_rerun_count(r, SIM_RERUN_NOTHING), NULL);
    if (sim_rerun_count(r, SIM_RERUN_CRASHED))
        lib_findings_count(f, "crashed", sim_rerun_count(r, SIM_RERUN_CRASHED), NULL);
    if (r->missing)
        lib_findings_count(f, "missing", r->missing, NULL);
    if (r->is_altered)
        lib_findings_flag(f, "altered", true, NULL);
    lib_findings_open_list(f, "list", NULL);
    for (size_t i = 0; i < r->row_count; i++)
        add_row(&r->rows[i], f);
    lib_findings_close(f);
}
