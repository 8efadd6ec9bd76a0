#include "sim/ending/ending.h"

#include <inttypes.h>
#include <string.h>

#include "isa/fire/arguments.h"
#include "machine/describe.h"
#include "machine/ports.h"
#include "sim/ending/growth.h"

/* A recursion is wide if it has more than WIDE live calls per call of its deepest chain. */
enum { WIDE = 64 };

const char *sim_end_name(enum isa_end end)
{
    switch (end) {
    case ISA_END_COMPLETED:
        return "completed";
    case ISA_END_TRAPPED:
        return "trapped";
    case ISA_END_DEADLOCKED:
        return "deadlocked";
    case ISA_END_LIMIT:
        return "limit";
    case ISA_END_STORE_FULL:
        return "store_full";
    case ISA_END_TAGS_EXHAUSTED:
        return "tags_exhausted";
    case ISA_END_FAULTED:
        return "faulted";
    default:
        return "interrupted";
    }
}

enum sim_status sim_end_status(enum isa_end end)
{
    switch (end) {
    case ISA_END_COMPLETED:
        return SIM_DONE;
    case ISA_END_TRAPPED:
    case ISA_END_DEADLOCKED:
        return SIM_FAILED;
    case ISA_END_FAULTED:
        return SIM_DIFFERS;
    case ISA_END_INTERRUPTED:
        return SIM_INTERRUPTED;
    default:
        return SIM_LIMIT;
    }
}

/* --- in words ----------------------------------------------------------------------- */

static void write_deadlock(const struct isa_exec *exec, struct lib_text *out)
{
    uint64_t waiting = exec->counts.waiting + exec->waiting_reads;
    if (waiting)
        lib_text_printf(out,
                        "deadlock: nothing moves any more, and %" PRIu64
                        " token%s for what never comes:",
                        waiting, waiting == 1 ? " waits" : "s wait");
    else
        lib_text_puts(out, "deadlock: nothing moves any more, without a result:");
}

static bool is_key(const char *limit, const char *key)
{
    return limit && strcmp(limit, key) == 0;
}

/* Names settings with which fewer calls or iterations would be alive at once. */
static void write_fewer(const struct sim_growth *g, const struct machine *machine,
                        const struct traces_machine *about, struct lib_text *out)
{
    const bool is_wide = g->alive / WIDE > g->depth;
    if (!machine)
        return;
    if (g->kind == SIM_GROWTH_RECURSION && is_wide && !about->is_lifo)
        lib_text_puts(out, "fewer are alive at once with -s queue.discipline=lifo; or ");
    if (g->kind == SIM_GROWTH_LOOP && !g->is_bounded && about->loop_bound == 0)
        lib_text_puts(out, "fewer are alive at once with -s loop.bound=K; or ");
}

/* Names what grew and asks whether it ever ends; not if a store was full, which may happen long
 * before the first call can end. */
static void write_growth(const struct sim_growth *g, bool is_full, struct lib_text *out)
{
    lib_text_puts(out, ": ");
    sim_growth_write_name(g, out);
    sim_growth_write_facts(g, out);
    lib_text_puts(out, "; ");
    if (is_full)
        return;
    if (g->kind == SIM_GROWTH_RECURSION && g->none_ended)
        lib_text_puts(out, "is its base case ever reached? If so, ");
    else if (g->kind == SIM_GROWTH_LOOP)
        lib_text_puts(out, "does its condition ever become false? If so, ");
}

/* Whether growth explains that a run was ended by the setting `limit`. */
static bool explains(const struct sim_growth *g, const char *limit,
                     const struct isa_exec *exec)
{
    if (g->kind == SIM_GROWTH_RECURSION &&
        (g->none_ended || is_key(limit, "limits.depth")))
        return true;
    if (is_key(limit, "limits.memory"))
        return g->kind != SIM_GROWTH_NONE && sim_growth_is_most(g, exec);
    return g->kind == SIM_GROWTH_LOOP;
}

/* Writes which settings of the compiler need less room, if strands that make arrays were
 * alive: those of a tree run at once. */
static void write_strands(const struct isa_exec *exec, struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    uint64_t alive = 0;
    uint32_t strand = 0;
    for (uint32_t f = 0; f < graph->function_count; f++) {
        const uint32_t own = graph->functions[f].strand;
        alive += own ? isa_activations_alive(&exec->tags, f) : 0;
        strand = own > strand ? own : strand;
    }
    if (alive > 0)
        lib_text_printf(
            out,
            ", or have fewer strands of arrays at once (%" PRIu64
            " are alive): with -s array.strand=N, more than %u elements each, "
            "or with -s array.generator=chain",
            alive, strand);
}

/* Appends what PEs of classes have instead of the setting `key`. */
static void write_classes(const char *key, const struct machine_settings *settings,
                          struct lib_text *out)
{
    for (const struct machine_class *of = settings->classes; of->name[0]; of++)
        if (machine_class_value(of, key))
            lib_text_printf(out, ", class.%s.%s = %" PRIu64, of->name, key,
                            *machine_class_value(of, key));
}

/* Appends which settings allow more: that of all PEs, if it limits them, and those of classes. */
static void write_more(const char *limit, const struct lib_setting *setting,
                       const struct machine_settings *settings, struct lib_text *out)
{
    const char *between = "";
    lib_text_puts(out, "allow more with ");
    if (!setting || setting->least > 0 || lib_setting_get(settings, setting) > 0) {
        lib_text_printf(out, "-s %s=N", limit ? limit : "");
        between = " or ";
    }
    for (const struct machine_class *of = settings->classes; setting && of->name[0]; of++)
        if (machine_class_value(of, limit) && *machine_class_value(of, limit) > 0) {
            lib_text_printf(out, "%s-s class.%s.%s=N", between, of->name, limit);
            between = " or ";
        }
}

static void write_limit(const char *what, struct sim_ending *ending,
                        const struct isa_exec *exec, const struct machine *machine,
                        const struct machine_settings *settings)
{
    struct lib_text *out = &ending->reason;
    const struct traces_machine about = machine_describe(settings, NULL, NULL);
    const char *limit = ending->limit;
    const bool is_full = ending->end == ISA_END_STORE_FULL;
    const struct lib_setting *setting = machine_setting_find(limit);
    struct sim_growth growth;
    sim_growth_find(&growth, exec, machine,
                    is_key(limit, "limits.depth") ? 1 : SIM_GROWTH_ENOUGH);
    lib_text_printf(out, "%s: %s", what, limit);
    if (setting) {
        lib_text_puts(out, " = ");
        lib_setting_write(settings, setting, out);
        write_classes(limit, settings, out);
    }
    lib_text_printf(out, ", after %" PRIu64 " tokens delivered", exec->counts.tokens);
    if (explains(&growth, limit, exec)) {
        ending->place = growth.pos;
        write_growth(&growth, is_full, out);
        if (is_key(limit, "limits.memory"))
            write_fewer(&growth, machine, &about, out);
    } else {
        lib_text_printf(out,
                        ", with %" PRIu64 " tokens and %" PRIu64 " activations alive; ",
                        exec->counts.live, exec->tags.count);
    }
    const bool is_memory = is_key(limit, "memory.capacity");
    if (is_full)
        lib_text_printf(out,
                        "`hiaton analyse --why-stopped` says what waits for what%s; ",
                        is_memory ? ", and how much suffices" : "");
    write_more(limit, setting, settings, out);
    if (is_memory)
        lib_text_printf(out, ", at least %" PRIu64, machine_least_memory(machine));
    if (setting && setting->least == 0)
        lib_text_puts(out, " (0 = unlimited)");
    if (is_full || ending->end == ISA_END_TAGS_EXHAUSTED)
        write_strands(exec, out);
    const bool is_feed = is_memory && ending->end == ISA_END_LIMIT;
    if (is_feed)
        lib_text_puts(out, ", or feed a port later");
    else if (is_memory && about.swap_threshold == 0)
        lib_text_puts(out, ", or move tensors out with -s swap.threshold=N");
    else if (is_memory && about.swap_smallest > 0)
        lib_text_puts(out, ", or move smaller tensors out with -s swap.smallest=0");
    sim_growth_free(&growth);
}

static void write_host_wait(const struct isa_exec *exec, struct lib_text *out)
{
    const struct isa_graph *graph = exec->code->graph;
    const char *between = "";
    lib_text_printf(out, "interrupted after %" PRIu64 " tokens delivered: it waits for ",
                    exec->counts.tokens);
    for (uint32_t i = 0; i < graph->port_count; i++)
        if (graph->ports[i].is_input && isa_port_is_waiting(exec, i)) {
            lib_text_printf(out, "%sport `%s`", between, graph->ports[i].name);
            between = " and ";
        }
    lib_text_puts(out, " to be fed or closed");
}

/* Writes the reason of an interrupted run; and in `about` what it was doing, if known. */
static void write_interrupted(struct sim_ending *ending, const struct isa_exec *exec,
                              const struct machine *machine)
{
    struct sim_growth growth;
    if (machine && machine_waits(machine)) {
        write_host_wait(exec, &ending->reason);
        return;
    }
    sim_growth_find(&growth, exec, machine, SIM_GROWTH_ENOUGH);
    lib_text_printf(&ending->reason, "interrupted after %" PRIu64 " tokens delivered",
                    exec->counts.tokens);
    if (explains(&growth, NULL, exec)) {
        sim_growth_write_name(&growth, &ending->about);
        sim_growth_write_place(&growth, &ending->about);
        lib_text_printf(&ending->reason, ", in %s", lib_text_get(&ending->about));
        sim_growth_write_facts(&growth, &ending->reason);
    }
    sim_growth_free(&growth);
}

static void write_arguments(const struct isa_exec *exec, struct lib_text *out)
{
    LIB_TEXT_OWN arguments = {0};
    isa_arguments_write(exec, exec->trap_tag, &arguments);
    if (arguments.length)
        lib_text_printf(out, ", with %s", arguments.bytes);
}

enum { SHOWN_WAITING = 10 };

/* Writes some of what waits; if that is not all, the command that shows all. */
static void write_waiting(const struct isa_exec *exec, struct lib_text *out)
{
    isa_exec_write_waiting(exec, out, SHOWN_WAITING);
    const char *rest = out->length ? strstr(out->bytes, "\n  and ") : NULL;
    if (!rest)
        return;
    out->length--;
    lib_text_puts(out, "; `hiaton analyse --why-stopped` says what waits for what\n");
}

void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine *machine,
                         const struct machine_settings *settings)
{
    struct lib_text *reason = &ending->reason;
    if (machine && ending->end != ISA_END_INTERRUPTED)
        machine_write_unused_faults(machine, &ending->unused);
    switch (ending->end) {
    case ISA_END_COMPLETED:
        isa_exec_write_result(exec, &ending->result);
        break;
    case ISA_END_TRAPPED:
        isa_exec_write_trap(exec, reason, &ending->place);
        write_arguments(exec, reason);
        break;
    case ISA_END_DEADLOCKED:
        write_deadlock(exec, reason);
        write_waiting(exec, &ending->waiting);
        sim_deadlock_cycle_find(&ending->circle, exec);
        break;
    case ISA_END_LIMIT:
        write_limit("limit reached", ending, exec, machine, settings);
        break;
    case ISA_END_STORE_FULL:
        write_limit("store full", ending, exec, machine, settings);
        break;
    case ISA_END_TAGS_EXHAUSTED:
        write_limit("tags exhausted", ending, exec, machine, settings);
        break;
    case ISA_END_FAULTED:
        lib_text_puts(reason, "faulted: ");
        machine_write_fault(machine, reason, &ending->place);
        break;
    default:
        write_interrupted(ending, exec, machine);
    }
}

void sim_ending_free(struct sim_ending *ending)
{
    LIB_TEXT_FREE(&ending->result, &ending->reason, &ending->about, &ending->waiting);
    LIB_TEXT_FREE(&ending->unused, &ending->math);
    for (size_t i = 0; i < ending->tensor_count; i++)
        lib_text_free(&ending->tensors[i]);
    lib_mem_free(ending->tensors);
    sim_deadlock_cycle_free(&ending->circle);
    traces_stats_free(&ending->stats);
    if (ending->series)
        traces_series_free(ending->series);
    if (ending->profile)
        traces_profile_free(ending->profile);
    LIB_MEM_FREE(ending->series, ending->profile);
    analysis_costs_free(ending->costs);
}
