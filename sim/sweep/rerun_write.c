#include <inttypes.h>

#include "sim/sweep/rerun_internal.h"

static const char *const verdict_names[SIM_RERUN_VERDICT_COUNT] = {
    "not run", "holds", "differs", "cannot be run again", "was interrupted"};

/* --- text ----------------------------------------------------------------------------------- */

static void write_row(const struct sim_rerun_row *row, struct lib_text *out)
{
    lib_text_printf(out, "row %" PRIu64 ", %s: %s", row->number, row->program,
                    verdict_names[row->verdict]);
    if (row->why)
        lib_text_printf(out, ": %s", row->why);
    lib_text_puts(out, "\n");
    sim_replay_write_changes("what was measured:", row->changes, row->change_count, out);
    sim_replay_write_changes("what ran, and where:", row->reasons, row->reason_count,
                             out);
}

void sim_rerun_write(const struct sim_rerun *r, bool each, struct lib_text *out)
{
    static const char *const sums[SIM_RERUN_VERDICT_COUNT] = {
        [SIM_RERUN_PENDING] = "not run yet",
        [SIM_RERUN_DIFFERS] = "not the same",
        [SIM_RERUN_UNCHECKED] = "not to be run again",
        [SIM_RERUN_NOTHING] = "interrupted before"};
    for (size_t i = 0; i < r->row_count; i++)
        if (each || r->rows[i].verdict == SIM_RERUN_DIFFERS ||
            r->rows[i].verdict == SIM_RERUN_UNCHECKED)
            write_row(&r->rows[i], out);
    lib_text_printf(out, "%zu of %zu rows hold", sim_rerun_count(r, SIM_RERUN_HOLDS),
                    r->row_count);
    for (enum sim_rerun_verdict v = 0; v < SIM_RERUN_VERDICT_COUNT; v++)
        if (sums[v] && sim_rerun_count(r, v))
            lib_text_printf(out, "; %zu %s", sim_rerun_count(r, v), sums[v]);
    lib_text_puts(out, "\n");
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void write_row_json(const struct sim_rerun_row *row, struct lib_json *json)
{
    lib_json_open(json, NULL, '{');
    lib_json_uint(json, "number", row->number);
    lib_json_string(json, "program", row->program);
    lib_json_string(json, "verdict", verdict_names[row->verdict]);
    if (row->why)
        lib_json_string(json, "why", row->why);
    sim_replay_write_change_list("measured", row->changes, row->change_count, json);
    sim_replay_write_change_list("reasons", row->reasons, row->reason_count, json);
    lib_json_close(json);
}

void sim_rerun_write_json(const struct sim_rerun *r, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_uint(&json, "rows", r->row_count);
    lib_json_uint(&json, "hold", sim_rerun_count(r, SIM_RERUN_HOLDS));
    lib_json_uint(&json, "differ", sim_rerun_count(r, SIM_RERUN_DIFFERS));
    lib_json_uint(&json, "unchecked", sim_rerun_count(r, SIM_RERUN_UNCHECKED));
    lib_json_uint(&json, "interrupted", sim_rerun_count(r, SIM_RERUN_NOTHING));
    lib_json_open(&json, "list", '[');
    for (size_t i = 0; i < r->row_count; i++)
        write_row_json(&r->rows[i], &json);
    lib_json_close(&json);
    lib_json_close(&json);
}
