#include "sim/replay/replay.h"
#include "machine/describe.h"

#include <inttypes.h>
#include <string.h>

static void add_place(const struct sim_replay_report *report, bool has_workers,
                      struct lib_findings *f)
{
    lib_findings_open(f, "first_difference", NULL);
    lib_findings_count(f, "from_cycle", report->from, "first cycle in which it can be");
    lib_findings_count(f, "to_cycle", report->to - 1, "last cycle in which it can be");
    lib_findings_open_list(f, f->for_people && has_workers ? "workers" : "pes",
                           "whose events differ");
    for (size_t i = 0; i < report->pe_count; i++)
        lib_findings_count(f, NULL, report->pes[i], NULL);
    lib_findings_close(f);
    lib_findings_open_list(f, "functions", "whose events differ");
    for (size_t i = 0; i < report->function_count; i++)
        lib_findings_word(f, NULL, report->functions[i], NULL);
    lib_findings_close(f);
    lib_findings_close(f);
}

/* Returns a text for people: six digits of a real, if these differ from `other`. */
static struct lib_value short_text(const char *text, const char *other,
                                   struct lib_findings *f)
{
    double a, b;
    if (!f->for_people || !strchr(text, '.') || !lib_text_to_real(text, &a) ||
        !lib_text_to_real(other, &b))
        return lib_word(text);
    const char *digits = lib_arena_printf(f->arena, "%.6g", a);
    return lib_word(strcmp(digits, lib_arena_printf(f->arena, "%.6g", b)) == 0 ? text
                                                                               : digits);
}

void sim_replay_add_changes(const char *key, const char *help,
                            const struct sim_replay_change *changes, size_t count,
                            struct lib_findings *f)
{
    if (f->for_people && count == 0)
        return;
    struct lib_table *t = lib_findings_table(f, key, help);
    for (size_t i = 0; i < count; i++) {
        const char *recorded = changes[i].recorded, *now = changes[i].now;
        lib_row(t, "key", lib_word(changes[i].key));
        lib_row(t, "recorded", short_text(recorded, now, f));
        lib_row(t, "now", short_text(now, recorded, f));
    }
}

/* Adds what people read first. */
static void add_verdict(const struct sim_replay_report *report, const char *name,
                        struct lib_findings *f)
{
    const char *s = report->interval == 1 ? "" : "s";
    if (!report->is_same)
        lib_findings_note(f, "%s: not the same run", name);
    else if (report->is_unfinished)
        lib_findings_note(f,
                          "%s: the same run, up to cycle %" PRIu64 ": %" PRIu64
                          " feeds, compared in %" PRIu64
                          " places; the recorded run was interrupted behind the last one",
                          name, report->cycles, report->feeds, report->marks);
    else
        lib_findings_note(f,
                          "%s: the same run: %" PRIu64 " cycles, %" PRIu64
                          " digests, %" PRIu64 " cycle%s apart",
                          name, report->cycles, report->rows, report->interval, s);
    if (!report->is_same && !report->has_place && report->from)
        lib_findings_note(f, "no difference up to cycle %" PRIu64, report->from);
}

static void add_numbers(const struct sim_replay_report *report, const char *name,
                        struct lib_findings *f)
{
    lib_findings_word(f, "program", name, NULL);
    lib_findings_flag(f, "same", report->is_same, NULL);
    lib_findings_count(f, "cycles", report->cycles, NULL);
    if (report->is_unfinished)
        lib_findings_count(f, "feeds", report->feeds, NULL);
    lib_findings_count(f, "digests", report->rows, NULL);
    lib_findings_count(f, "interval", report->interval, NULL);
    if (!report->has_place)
        lib_findings_word(f, "first_difference", NULL, NULL);
}

void sim_replay_findings(const void *found, struct lib_findings *f)
{
    const struct sim_replay_report *report = found;
    const struct sim_session *session = &report->recording->session;
    const char *name = sim_program_title(&session->program);
    (f->for_people ? add_verdict : add_numbers)(report, name, f);
    if (f->for_people && report->is_same)
        return;
    if (report->has_place)
        add_place(report, machine_has_workers(&session->setup.settings.machine), f);
    sim_replay_add_changes("measured", "what was measured", report->changes,
                           report->change_count, f);
    sim_replay_add_changes("reasons", "what ran, and where", report->reasons,
                           report->reason_count, f);
}
