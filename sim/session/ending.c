#include "sim/session/ending.h"

#include <inttypes.h>

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

/* `what` has ended it: the setting `limit`. */
static void write_limit(const char *what, const char *limit, const struct isa_exec *exec,
                        const struct machine_settings *settings, struct lib_text *out)
{
    const struct machine_setting *setting = machine_setting_find(limit);
    lib_text_printf(out, "%s: %s", what, limit);
    if (setting) {
        lib_text_puts(out, " = ");
        machine_setting_write(settings, setting, out);
    }
    lib_text_printf(out,
                    ", after %" PRIu64 " tokens delivered, with %" PRIu64
                    " tokens and %" PRIu64 " activations alive; allow more with -s %s=N",
                    exec->counts.tokens, exec->counts.live, exec->tags.count, limit);
    if (setting && setting->least == 0)
        lib_text_puts(out, " (0 = unlimited)");
}

enum { SHOWN_WAITING = 10 };

void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine_settings *settings)
{
    struct lib_text *reason = &ending->reason;
    switch (ending->end) {
    case ISA_END_COMPLETED:
        isa_exec_write_result(exec, &ending->result);
        break;
    case ISA_END_TRAPPED:
        isa_exec_write_trap(exec, reason, &ending->place);
        break;
    case ISA_END_DEADLOCKED:
        write_deadlock(exec, reason);
        isa_exec_write_waiting(exec, &ending->waiting, SHOWN_WAITING);
        break;
    case ISA_END_LIMIT:
        write_limit("limit reached", ending->limit, exec, settings, reason);
        break;
    case ISA_END_STORE_FULL:
        write_limit("store full", ending->limit, exec, settings, reason);
        break;
    case ISA_END_TAGS_EXHAUSTED:
        write_limit("tags exhausted", ending->limit, exec, settings, reason);
        break;
    default:
        lib_text_printf(reason, "interrupted after %" PRIu64 " tokens delivered",
                        exec->counts.tokens);
    }
}

void sim_ending_free(struct sim_ending *ending)
{
    lib_text_free(&ending->result);
    lib_text_free(&ending->reason);
    lib_text_free(&ending->waiting);
    traces_stats_free(&ending->stats);
    if (ending->series)
        traces_series_free(ending->series);
    if (ending->profile)
        traces_profile_free(ending->profile);
    lib_mem_free(ending->series);
    lib_mem_free(ending->profile);
    analysis_costs_free(ending->costs);
}
