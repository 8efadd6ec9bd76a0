#include "sim/session/record.h"

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/classes.h"
#include "analysis/cost/cost_findings.h"
#include "analysis/derive.h"
#include "machine/describe.h"
#include "machine/machine.h"
#include "sim/loading/energy.h"
#include "sim/session/host.h"

/* --- the JSON object ---------------------------------------------------------------- */

static bool is_on_machine(const struct sim_record *record)
{
    return record->ending->engine == SIM_ENGINE_MACHINE;
}

static bool has_energy(const struct sim_record *record)
{
    const struct traces_stats *stats = &record->ending->stats;
    return record->setup->energy && stats->counts_work &&
           stats->covers != TRACES_COVERS_NOTHING;
}

static void write_result(const struct sim_ending *ending, struct lib_json *json)
{
    if (ending->end == ISA_END_COMPLETED)
        lib_json_string(json, "result", lib_text_get(&ending->result));
    else
        lib_json_null(json, "result");
}

void sim_record_write_setting(const struct sim_settings *settings,
                              const struct lib_setting *setting, struct lib_json *json)
{
    LIB_TEXT_OWN text = {0};
    if (setting->kind == LIB_SETTING_NUMBER) {
        lib_json_uint(json, setting->key, lib_setting_get(settings, setting));
        return;
    }
    lib_setting_write(settings, setting, &text);
    lib_json_string(json, setting->key, lib_text_get(&text));
}

void sim_record_write_settings(const struct sim_setup *setup, struct lib_json *json)
{
    lib_json_open(json, "settings", '{');
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&setup->settings, i, &made)); i++) {
        if (!lib_setting_is_equal(&setup->settings, &setup->preset, s))
            sim_record_write_setting(&setup->settings, s, json);
    }
    lib_json_close(json);
}

static void write_inputs(const struct sim_record *record, struct lib_json *json)
{
    lib_json_open(json, "inputs", '{');
    for (uint32_t i = 0; i < record->graph->input_count; i++)
        sim_input_write_json(json, &record->graph->inputs[i], record->inputs->values[i]);
    lib_json_close(json);
}

static void write_digest(struct isa_digest digest, struct lib_json *json)
{
    LIB_TEXT_OWN text = {0};
    isa_digest_write(digest, &text);
    lib_json_string(json, "image_digest", text.bytes);
}

static void write_stats(const struct sim_record *record, struct lib_json *json)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (!is_on_machine(record) && s->by == TRACES_BY_RUN)
            continue;
        if (!traces_stat_is_known(&record->ending->stats, s))
            lib_json_null(json, s->key);
        else if (s->kind == TRACES_STAT_COUNT)
            lib_json_uint(json, s->key, traces_stat_integer(&record->ending->stats, s));
        else if (s->kind == TRACES_STAT_RATIO)
            lib_json_real(json, s->key, traces_stat_real(&record->ending->stats, s));
        else
            lib_json_hex(json, s->key, traces_stat_integer(&record->ending->stats, s));
    }
}

static bool is_of_run(const struct sim_record *record)
{
    return record->ending->stats.covers == TRACES_COVERS_RUN;
}

static void write_window(const struct sim_record *record, struct lib_json *json)
{
    const struct sim_part *part = &record->ending->part;
    lib_json_open_line(json, "window", '{');
    lib_json_string(json, "asked", record->window->text);
    if (part->state == SIM_PART_ENDED) {
        lib_json_uint(json, "from", part->from);
        lib_json_uint(json, "to", part->to);
    } else {
        lib_json_null(json, "from");
        lib_json_null(json, "to");
    }
    lib_json_uint(json, "run_cycles", part->of);
    lib_json_close(json);
}

static void write_pes(const struct sim_record *record, struct lib_json *json)
{
    const struct traces_stats *stats = &record->ending->stats;
    lib_json_open(json, "pe", '[');
    for (size_t i = 0; i < stats->pe_count; i++) {
        const struct traces_pe_stats *pe = &stats->pe[i];
        const struct analysis_pe_ratios ratios = analysis_derive_pe(stats, i);
        lib_json_open_line(json, NULL, '{');
#define COUNT(key, help) lib_json_uint(json, #key, pe->key);
        TRACES_PE_COUNTS(COUNT)
#undef COUNT
#define RATIO(key, part, help) lib_json_real(json, #key, ratios.key);
        TRACES_PE_RATIOS(RATIO)
#undef RATIO
        lib_json_close(json);
    }
    lib_json_close(json);
}

static void write_end(struct lib_json *json, const char *key, uint32_t router)
{
    if (router == TRACES_NO_ROUTER)
        lib_json_null(json, key);
    else
        lib_json_uint(json, key, router);
}

/* Writes the links that tokens used or waited for; a network may have many more. */
static void write_links(const struct sim_record *record, struct lib_json *json)
{
    const struct traces_stats *stats = &record->ending->stats;
    struct lib_arena *arena = lib_arena_new();
    uint32_t first = 0, named = 0;
    const char *const *names = machine_link_names(&record->setup->settings.machine, arena,
                                                  &first, &named);
    lib_json_open(json, "links", '[');
    for (size_t i = 0; i < stats->link_count; i++) {
        const struct traces_link *link = &stats->links[i];
        if (link->stats.tokens == 0 && link->stats.waits == 0)
            continue;
        const struct analysis_link_ratios ratios = analysis_derive_link(stats, i);
        lib_json_open_line(json, NULL, '{');
        lib_json_string(json, "port", traces_port_names[link->port]);
        lib_json_uint(json, "number", link->number);
        if (names && i >= first && i - first < named)
            lib_json_string(json, "name", names[i - first]);
        write_end(json, "from", link->from);
        write_end(json, "to", link->to);
#define COUNT(key, help) lib_json_uint(json, #key, link->stats.key);
        TRACES_LINK_SUMS(COUNT)
#undef COUNT
#define RATIO(key, part, whole, help) lib_json_real(json, #key, ratios.key);
        TRACES_LINK_RATIOS(RATIO)
#undef RATIO
        lib_json_close(json);
    }
    lib_json_close(json);
    lib_arena_free(arena);
}

static void write_host(const struct sim_record *record, struct lib_json *json)
{
    lib_json_open(json, "host", '{');
    double seconds = record->ending->seconds, rate = NAN;
    if (seconds > 0 && is_of_run(record))
        rate = round((double)record->ending->stats.firings / seconds);
    lib_json_real(json, "wall_seconds", round(seconds * 1e9) / 1e9);
    lib_json_real(json, "firings_per_second", rate);
    lib_json_uint(json, "peak_rss_bytes", sim_host_peak_memory());
    LIB_TEXT_OWN cpu = {0};
    sim_host_processor(&cpu);
    lib_json_string(json, "cpu", lib_text_get(&cpu));
    if (record->ending->math.length)
        lib_json_string(json, "blas", lib_text_get(&record->ending->math));
    else
        lib_json_null(json, "blas");
    lib_json_close(json);
}

static void write_run(const struct sim_record *record, struct lib_json *json)
{
    lib_json_string(json, "program", record->program);
    lib_json_string(json, "strategy", isa_strategy_name(record->graph->stage));
    if (is_on_machine(record))
        lib_json_string(json, "machine", record->setup->machine);
    else
        lib_json_null(json, "machine");
    lib_json_uint(json, "seed", record->seed);
    lib_json_string(json, "version", PACKAGE_VERSION);
    sim_record_write_settings(record->setup, json);
    write_inputs(record, json);
    write_digest(record->image_digest, json);
}

static void write_ending(const struct sim_ending *ending, struct lib_json *json)
{
    write_result(ending, json);
    lib_json_string(json, "status", sim_end_name(ending->end));
}

static void add_energy(const void *context, struct lib_findings *f)
{
    const struct sim_record *record = context;
    if (has_energy(record))
        sim_energy_findings(record->setup->energy, &record->ending->stats, f);
}

static void add_classes(const void *context, struct lib_findings *f)
{
    const struct sim_record *record = context;
    if (!is_on_machine(record) || record->ending->stats.covers == TRACES_COVERS_NOTHING ||
        !record->ending->stats.pe_units)
        return;
    const struct traces_machine machine = machine_describe(
        &record->setup->settings.machine, NULL, NULL);
    analysis_classes_findings(&machine, &record->ending->stats, f);
}

static void add_histogram(const struct traces_histogram *h, const char *key,
                          const char *place, uint64_t first, struct lib_findings *f)
{
    if (f->for_people) {
        traces_histogram_findings(
            h, key,
            lib_arena_printf(f->arena,
                             "%s profile: %.2f firings per %s on average, %.2f at most",
                             key, traces_histogram_mean(h), place,
                             traces_histogram_greatest(h, TRACES_PROFILE_BINS)),
            place, first, f);
        return;
    }
    lib_findings_open(f, key, NULL);
    lib_findings_count(f, "width", UINT64_C(1) << h->shift, NULL);
    lib_findings_open_list(f, "firings", NULL);
    for (size_t i = 0; i < traces_histogram_ranges(h, TRACES_PROFILE_BINS); i++)
        lib_findings_count(
            f, NULL, traces_histogram_range(h, TRACES_PROFILE_BINS, i).firings, NULL);
    lib_findings_close(f);
    lib_findings_close(f);
}

static void add_profile(const void *context, struct lib_findings *f)
{
    const struct sim_record *record = context;
    const struct traces_profile *profile = record->ending->profile;
    if (!profile)
        return;
    enum { MAX_ROWS = 40 };
    if (f->for_people)
        f->most = MAX_ROWS;
    else
        lib_findings_open(f, "profile", NULL);
    add_histogram(&profile->actual, "actual", "cycle", 0, f);
    add_histogram(&profile->ideal, "ideal", "depth", 1, f);
    if (!f->for_people)
        lib_findings_close(f);
}

static void add_costs(const void *context, struct lib_findings *f)
{
    const struct sim_record *record = context;
    const struct sim_ending *ending = record->ending;
    if (ending->costs)
        analysis_costs_findings(ending->costs, record->source, &ending->stats, f);
}

static void put_found(const struct sim_record *record,
                      void (*add)(const void *context, struct lib_findings *f),
                      struct lib_json *json)
{
    struct lib_findings f;
    lib_findings_start(&f, NULL, false);
    add(record, &f);
    lib_findings_put_json(&f, NULL, json);
    lib_findings_free(&f);
}

static void write_measured(const struct sim_record *record, struct lib_json *json)
{
    if (record->window)
        write_window(record, json);
    write_stats(record, json);
    if (is_on_machine(record) && record->ending->stats.covers != TRACES_COVERS_NOTHING) {
        write_pes(record, json);
        write_links(record, json);
    }
    put_found(record, add_classes, json);
    put_found(record, add_energy, json);
    put_found(record, add_profile, json);
}

void sim_record_write_json(const struct sim_record *record, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    write_ending(record->ending, &json);
    write_run(record, &json);
    write_measured(record, &json);
    put_found(record, add_costs, &json);
    write_host(record, &json);
    lib_json_close(&json);
}

void sim_record_write_measured(const struct sim_record *record, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    write_ending(record->ending, &json);
    write_measured(record, &json);
    lib_json_close(&json);
}

/* --- the table ---------------------------------------------------------------------- */

enum shown_when { SHOWN_ALWAYS, SHOWN_IF_ANY, SHOWN_UNLESS_LAST };
enum shown_how { SHOWN_PLAIN, SHOWN_PERCENT, SHOWN_OF_TOKENS, SHOWN_OF_MOVED };

struct shown {
    const char *key;
    size_t offset; /* offset in struct traces_stats */
    enum shown_when when;
    enum shown_how how;
    const char *remark;
};

static const struct shown rows[] = {
#define ROW(key, when, how, remark)                                                      \
    {#key, offsetof(struct traces_stats, key), SHOWN_##when, SHOWN_##how, remark},
#include "sim/session/record.def"
#undef ROW
};

static void write_row(struct lib_text *out, const char *label, const char *value,
                      const char *remark)
{
    lib_text_printf(out, "  %-18s %16s%s%s\n", label, value, *remark ? "  " : "", remark);
}

static void write_ratio(const struct shown *row, double ratio, struct lib_text *out)
{
    char value[40];
    snprintf(value, sizeof value, "%.2f",
             row->how == SHOWN_PERCENT ? 100 * ratio : ratio);
    write_row(out, row->key, value, row->remark);
}

/* Names counted work for which the table has no energy, such as networks or leakage; the sum lacks
 * it. */
static void write_energy(const struct sim_record *record, const struct shown *row,
                         struct lib_text *out)
{
    const struct traces_stats *stats = &record->ending->stats;
    struct lib_text remark = {0};
    struct shown own = *row;
    lib_text_printf(&remark, "%s, without ", row->remark);
    const size_t length = remark.length;
    sim_energy_write_missing(record->setup->energy, stats, &remark);
    if (remark.length > length)
        own.remark = remark.bytes;
    write_ratio(&own, stats->energy, out);
    lib_text_free(&remark);
}

static bool is_shown(const struct shown *row, uint64_t count,
                     const struct traces_stats *stats)
{
    if (row->when == SHOWN_IF_ANY)
        return count != 0;
    return row->when == SHOWN_ALWAYS || count != stats->cycles;
}

static uint64_t whole_of(const struct shown *row, const struct traces_stats *stats)
{
    return row->how == SHOWN_OF_TOKENS  ? stats->tokens
           : row->how == SHOWN_OF_MOVED ? stats->local_tokens + stats->network_tokens
                                        : 0;
}

static void write_count(const struct shown *row, uint64_t count,
                        const struct traces_stats *stats, struct lib_text *out)
{
    char value[24], share[64] = "";
    bool is_part = row->how == SHOWN_OF_TOKENS || row->how == SHOWN_OF_MOVED;
    uint64_t whole = whole_of(row, stats);
    if (!is_shown(row, count, stats))
        return;
    snprintf(value, sizeof value, "%" PRIu64, count);
    if (whole)
        snprintf(share, sizeof share, "%.1f %% %s", 100 * (double)count / (double)whole,
                 row->remark);
    write_row(out, row->key, value, is_part ? share : row->remark);
}

static void write_digests(const struct sim_record *record, struct lib_text *out)
{
    lib_text_printf(out, "  %-18s ", "image_digest");
    isa_digest_write(record->image_digest, out);
    lib_text_puts(out, "\n");
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (s->kind == TRACES_STAT_DIGEST)
            lib_text_printf(out, "  %-18s %016" PRIx64 "\n", s->key,
                            traces_stat_integer(&record->ending->stats, s));
    }
}

static void write_part(const struct sim_record *record, struct lib_text *out)
{
    const struct sim_part *part = &record->ending->part;
    LIB_TEXT_OWN cycles = {0}, remark = {0};
    lib_text_printf(&cycles, "%" PRIu64 "..%" PRIu64, part->from, part->to);
    lib_text_printf(&remark, "cycles, of %" PRIu64 " in all", part->of);
    if (record->window->function)
        lib_text_printf(&remark, ": the first call of %s", record->window->function);
    write_row(out, "window", cycles.bytes, remark.bytes);
}

void sim_record_write_table(const struct sim_record *record, struct lib_text *out)
{
    const struct traces_stats *stats = &record->ending->stats;
    if (record->window)
        write_part(record, out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct traces_stat *s = traces_stat_at(rows[i].offset);
        if (!traces_stat_is_known(stats, s))
            continue;
        if (s->offset == offsetof(struct traces_stats, energy) && has_energy(record))
            write_energy(record, &rows[i], out);
        else if (s->kind == TRACES_STAT_RATIO)
            write_ratio(&rows[i], traces_stat_real(stats, s), out);
        else
            write_count(&rows[i], traces_stat_integer(stats, s), stats, out);
    }
    write_digests(record, out);
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_classes, record, out);
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_profile, record, out);
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_energy, record, out);
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add_costs, record, out);
}
