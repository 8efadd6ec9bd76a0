#include "sim/record.h"

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/derive.h"
#include "sim/ending.h"
#include "sim/host.h"
#include "sim/json.h"
#include "sim/profile.h"

void sim_record_measure(struct sim_record *record)
{
    const struct isa_exec *exec = record->exec;
    const struct isa_counts *counts = &exec->counts;
    record->stats = (struct traces_stats){
        .value_digest = counts->value_digest,
        .firings = counts->firings,
        .dead_firings = counts->dead_firings,
        .span = counts->span,
        .calls = exec->tags.created,
        .loop_iterations = exec->tags.iterations,
        .tokens = counts->tokens,
        .dead_tokens = counts->dead_tokens,
        .peak_tag_depth = exec->tags.deepest,
        .graph_nodes = record->graph->node_count,
        .copies = exec->code->expands ? exec->tags.created : 0,
        .copied_nodes = exec->tags.copied_nodes,
        .one_operand = counts->one_operand,
    };
    analysis_derive(&record->stats);
}

void sim_record_free(struct sim_record *record)
{
    traces_stats_free(&record->stats);
}

/* --- the JSON object ---------------------------------------------------------------- */

static void write_result(const struct sim_record *record, struct sim_json *json)
{
    if (record->end != ISA_END_COMPLETED) {
        sim_json_null(json, "result");
        return;
    }
    struct lib_text text = {0};
    isa_exec_write_result(record->exec, &text);
    sim_json_string(json, "result", lib_text_get(&text));
    lib_text_free(&text);
}

void sim_record_write_settings(const struct sim_setup *setup, struct sim_json *json)
{
    sim_json_open(json, "settings", '{', false);
    struct lib_text text = {0};
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *s = &machine_setting_table[i];
        uint64_t value = machine_setting_get(&setup->settings, s);
        if (value == machine_setting_get(&setup->preset, s))
            continue;
        lib_text_clear(&text);
        machine_setting_write(&setup->settings, s, &text);
        if (s->choices)
            sim_json_string(json, s->key, lib_text_get(&text));
        else
            sim_json_uint(json, s->key, value);
    }
    lib_text_free(&text);
    sim_json_close(json);
}

/* The inputs that were given. */
static void write_inputs(const struct sim_record *record, struct sim_json *json)
{
    sim_json_open(json, "inputs", '{', false);
    for (uint32_t i = 0; i < record->graph->input_count; i++) {
        const struct isa_input *input = &record->graph->inputs[i];
        isa_value value = record->inputs->values[i];
        if (!record->inputs->given[i])
            continue;
        if (input->type == ISA_INT)
            sim_json_int(json, input->name, isa_value_int(value));
        else if (input->type == ISA_BOOL)
            sim_json_bool(json, input->name, value != 0);
        else if (isfinite(isa_value_real(value)))
            sim_json_real(json, input->name, isa_value_real(value));
        else /* JSON has no such number */
            sim_json_string(json, input->name,
                            isnan(isa_value_real(value))     ? "nan"
                            : signbit(isa_value_real(value)) ? "-inf"
                                                             : "inf");
    }
    sim_json_close(json);
}

static void write_digest(struct isa_digest digest, struct sim_json *json)
{
    struct lib_text text = {0};
    isa_digest_write(digest, &text);
    sim_json_string(json, "image_digest", text.bytes);
    lib_text_free(&text);
}

static void write_stats(const struct sim_record *record, struct sim_json *json)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (!record->on_machine && s->by == TRACES_BY_RUN)
            continue;
        if (s->kind == TRACES_STAT_COUNT)
            sim_json_uint(json, s->key, traces_stat_integer(&record->stats, s));
        else if (s->kind == TRACES_STAT_RATIO)
            sim_json_real(json, s->key, traces_stat_real(&record->stats, s));
        else
            sim_json_hex(json, s->key, traces_stat_integer(&record->stats, s));
    }
}

static void write_pes(const struct sim_record *record, struct sim_json *json)
{
    const struct traces_stats *stats = &record->stats;
    uint64_t unit_cycles = stats->pe_count ? stats->unit_cycles / stats->pe_count : 0;
    sim_json_open(json, "pe", '[', false);
    for (size_t i = 0; i < stats->pe_count; i++) {
        const struct traces_pe_stats *pe = &stats->pe[i];
        sim_json_open(json, NULL, '{', true);
#define COUNT(key, help) sim_json_uint(json, #key, pe->key);
        TRACES_PE_COUNTS(COUNT)
#undef COUNT
        const uint64_t used = stats->has_workers ? pe->busy : pe->turns;
        sim_json_real(json, "occupancy",
                      unit_cycles ? (double)used / (double)unit_cycles : NAN);
        sim_json_real(json, "utilisation",
                      unit_cycles ? (double)pe->busy / (double)unit_cycles : NAN);
        sim_json_close(json);
    }
    sim_json_close(json);
}

static void write_host(const struct sim_record *record, struct sim_json *json)
{
    sim_json_open(json, "host", '{', false);
    double seconds = record->wall_seconds, rate = NAN;
    if (seconds > 0)
        rate = round((double)record->stats.firings / seconds);
    sim_json_real(json, "wall_seconds", round(seconds * 1e9) / 1e9);
    sim_json_real(json, "firings_per_second", rate);
    sim_json_uint(json, "peak_rss_bytes", sim_host_peak_memory());
    struct lib_text cpu = {0};
    sim_host_processor(&cpu);
    sim_json_string(json, "cpu", lib_text_get(&cpu));
    lib_text_free(&cpu);
    sim_json_null(json, "blas");
    sim_json_close(json);
}

void sim_record_write_json(const struct sim_record *record, struct lib_text *out)
{
    struct sim_json json = {.out = out};
    sim_json_open(&json, NULL, '{', false);
    write_result(record, &json);
    sim_json_string(&json, "status", sim_end_name(record->end));
    sim_json_string(&json, "program", record->program);
    sim_json_string(&json, "strategy", isa_strategy_name(record->graph->stage));
    if (record->on_machine)
        sim_json_string(&json, "machine", record->setup->machine);
    else
        sim_json_null(&json, "machine");
    sim_json_uint(&json, "seed", record->seed);
    sim_json_string(&json, "version", PACKAGE_VERSION);
    sim_record_write_settings(record->setup, &json);
    write_inputs(record, &json);
    write_digest(record->image_digest, &json);
    write_stats(record, &json);
    if (record->on_machine)
        write_pes(record, &json);
    if (record->profile)
        sim_profile_write_json(record->profile, &json);
    write_host(record, &json);
    sim_json_close(&json);
}

/* --- the table ---------------------------------------------------------------------- */

/* Label, right-aligned value, remark. */
static void write_row(struct lib_text *out, const char *label, const char *value,
                      const char *remark)
{
    lib_text_printf(out, "  %-18s %16s%s%s\n", label, value, *remark ? "  " : "", remark);
}

static void write_count(struct lib_text *out, const char *label, uint64_t count,
                        const char *remark)
{
    char value[24];
    snprintf(value, sizeof value, "%" PRIu64, count);
    write_row(out, label, value, remark);
}

static void write_ratio(struct lib_text *out, const char *label, double ratio,
                        const char *remark)
{
    char value[40];
    if (isnan(ratio))
        return; /* without meaning here */
    snprintf(value, sizeof value, "%.2f", ratio);
    write_row(out, label, value, remark);
}

/* A count that is a part of `whole`. */
static void write_part(struct lib_text *out, const char *label, uint64_t part,
                       uint64_t whole, const char *of)
{
    char remark[64] = "";
    if (whole)
        snprintf(remark, sizeof remark, "%.1f %% %s", 100 * (double)part / (double)whole,
                 of);
    write_count(out, label, part, remark);
}

static void write_digests(const struct sim_record *record, struct lib_text *out)
{
    lib_text_printf(out, "  %-18s ", "image_digest");
    isa_digest_write(record->image_digest, out);
    lib_text_printf(out, "\n  %-18s %016" PRIx64 "\n  %-18s %016" PRIx64 "\n",
                    "value_digest", record->stats.value_digest, "timing_digest",
                    record->stats.timing_digest);
}

void sim_record_write_table(const struct sim_record *record, struct lib_text *out)
{
    const struct traces_stats *s = &record->stats;
    uint64_t moved = s->local_tokens + s->network_tokens;
    write_count(out, "cycles", s->cycles, "");
    if (s->result_cycle != s->cycles)
        write_count(out, "result_cycle", s->result_cycle, "");
    write_count(out, "firings", s->firings, "");
    if (s->dead_firings)
        write_count(out, "dead_firings", s->dead_firings, "hiatons passed on");
    write_count(out, "span", s->span, "firings, the critical path");
    write_ratio(out, "parallelism", s->parallelism, "firings / span");
    write_count(out, "calls", s->calls, "");
    if (s->loop_iterations)
        write_count(out, "loop_iterations", s->loop_iterations, "");
    write_count(out, "tokens", s->tokens, "");
    if (s->dead_tokens)
        write_part(out, "dead_tokens", s->dead_tokens, s->tokens, "of tokens");
    write_part(out, "local_tokens", s->local_tokens, moved, "stayed in their PE");
    write_part(out, "network_tokens", s->network_tokens, moved, "went to another PE");
    write_count(out, "network_bits", s->network_bits, "bits");
    write_ratio(out, "occupancy", 100 * s->occupancy,
                "% of issue slots; 100 is saturation");
    write_ratio(out, "utilisation", 100 * s->utilisation, "% of function-unit cycles");
    write_count(out, "peak_waiting", s->peak_waiting, "tokens in matching stores");
    write_count(out, "peak_live_tokens", s->peak_live_tokens, "tokens");
    write_count(out, "peak_tags", s->peak_tags, "activations");
    write_count(out, "peak_tag_depth", s->peak_tag_depth, "labels");
    if (s->match_overflows)
        write_count(out, "match_overflows", s->match_overflows,
                    "operands in the slower store");
    if (s->queue_stalls)
        write_count(out, "queue_stalls", s->queue_stalls,
                    "cycles in which something waited for room");
    if (s->tag_stalls)
        write_count(out, "tag_stalls", s->tag_stalls, "CALLs that waited for a number");
    write_digests(record, out);
    if (record->profile)
        sim_profile_write_table(record->profile, out);
}
