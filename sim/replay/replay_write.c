#include "sim/replay/replay.h"

#include <inttypes.h>

enum { SHOWN_PES = 16, SHOWN_CHANGES = 12 };

/* --- text ----------------------------------------------------------------------------------- */

static void write_place(const struct sim_replay_report *report,
                        const struct sim_recording *recording, struct lib_text *out)
{
    const bool workers = recording->session.setup.settings.executor_workers > 0;
    if (report->to - report->from > 1)
        lib_text_printf(out,
                        "first difference: in the cycles %" PRIu64 " to %" PRIu64 "\n",
                        report->from, report->to - 1);
    else
        lib_text_printf(out, "first difference: in cycle %" PRIu64 "\n", report->from);
    lib_text_printf(out, "  %-18s", workers ? "workers" : "PEs");
    for (size_t i = 0; i < report->pe_count && i < SHOWN_PES; i++)
        lib_text_printf(out, " %" PRIu32, report->pes[i]);
    if (report->pe_count > SHOWN_PES)
        lib_text_printf(out, " and %zu more", report->pe_count - SHOWN_PES);
    lib_text_printf(out, "\n  %-18s", "functions");
    for (size_t i = 0; i < report->function_count; i++)
        lib_text_printf(out, " %s", report->functions[i]);
    lib_text_puts(out, "\n");
}

void sim_replay_write_changes(const char *title, const struct sim_replay_change *changes,
                              size_t count, struct lib_text *out)
{
    if (count == 0)
        return;
    lib_text_printf(out, "%s\n", title);
    for (size_t i = 0; i < count && i < SHOWN_CHANGES; i++)
        lib_text_printf(out, "  %-18s %s; now %s\n", changes[i].key, changes[i].recorded,
                        changes[i].now);
    if (count > SHOWN_CHANGES)
        lib_text_printf(out, "  and %zu more\n", count - SHOWN_CHANGES);
}

void sim_replay_write(const struct sim_replay_report *report,
                      const struct sim_recording *recording, struct lib_text *out)
{
    const char *name = sim_program_title(&recording->session.program);
    if (report->is_same && report->is_unfinished) {
        lib_text_printf(out,
                        "%s: the same run, up to cycle %" PRIu64 ": %" PRIu64
                        " feeds, compared in %" PRIu64
                        " places; the recorded run was interrupted behind the last one\n",
                        name, report->cycles, report->feeds, report->marks);
        return;
    }
    if (report->is_same) {
        lib_text_printf(out,
                        "%s: the same run: %" PRIu64 " cycles, %" PRIu64
                        " digests, %" PRIu64 " cycle%s apart\n",
                        name, report->cycles, report->rows, report->interval,
                        report->interval == 1 ? "" : "s");
        return;
    }
    lib_text_printf(out, "%s: not the same run\n", name);
    if (report->has_place)
        write_place(report, recording, out);
    else if (report->from)
        lib_text_printf(out, "no difference up to cycle %" PRIu64 "\n", report->from);
    sim_replay_write_changes("what was measured:", report->changes, report->change_count,
                             out);
    sim_replay_write_changes("what ran, and where:", report->reasons,
                             report->reason_count, out);
}

/* --- JSON ----------------------------------------------------------------------------------- */

void sim_replay_write_change_list(const char *key,
                                  const struct sim_replay_change *changes, size_t count,
                                  struct lib_json *json)
{
    lib_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        lib_json_open_line(json, NULL, '{');
        lib_json_string(json, "key", changes[i].key);
        lib_json_string(json, "recorded", changes[i].recorded);
        lib_json_string(json, "now", changes[i].now);
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void write_first(const struct sim_replay_report *report, struct lib_json *json)
{
    if (!report->has_place) {
        lib_json_null(json, "first_difference");
        return;
    }
    lib_json_open(json, "first_difference", '{');
    lib_json_uint(json, "from_cycle", report->from);
    lib_json_uint(json, "to_cycle", report->to - 1);
    lib_json_open_line(json, "pes", '[');
    for (size_t i = 0; i < report->pe_count; i++)
        lib_json_uint(json, NULL, report->pes[i]);
    lib_json_close(json);
    lib_json_open_line(json, "functions", '[');
    for (size_t i = 0; i < report->function_count; i++)
        lib_json_string(json, NULL, report->functions[i]);
    lib_json_close(json);
    lib_json_close(json);
}

void sim_replay_write_json(const struct sim_replay_report *report,
                           const struct sim_recording *recording, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "program", sim_program_title(&recording->session.program));
    lib_json_bool(&json, "same", report->is_same);
    lib_json_uint(&json, "cycles", report->cycles);
    if (report->is_unfinished)
        lib_json_uint(&json, "feeds", report->feeds);
    lib_json_uint(&json, "digests", report->rows);
    lib_json_uint(&json, "interval", report->interval);
    write_first(report, &json);
    sim_replay_write_change_list("measured", report->changes, report->change_count,
                                 &json);
    sim_replay_write_change_list("reasons", report->reasons, report->reason_count, &json);
    lib_json_close(&json);
}
