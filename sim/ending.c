#include "sim/ending.h"

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

/* `what` has ended it: a setting. */
static void write_limit(const struct sim_record *record, const char *what,
                        struct lib_text *out)
{
    const struct isa_exec *exec = record->exec;
    const struct machine_setting *setting = machine_setting_find(record->limit);
    lib_text_printf(out, "%s: %s", what, record->limit);
    if (setting) {
        lib_text_puts(out, " = ");
        machine_setting_write(&record->setup->settings, setting, out);
    }
    lib_text_printf(out,
                    ", after %" PRIu64 " tokens delivered, with %" PRIu64
                    " tokens and %" PRIu64 " activations alive; allow more with -s %s=N",
                    exec->counts.tokens, exec->counts.live, exec->tags.count,
                    record->limit);
    if (setting && setting->least == 0)
        lib_text_puts(out, " (0 = unlimited)");
}

void sim_ending_write(const struct sim_record *record, struct lib_text *out,
                      struct lib_pos *pos)
{
    *pos = (struct lib_pos){0};
    switch (record->end) {
    case ISA_END_COMPLETED:
        break;
    case ISA_END_TRAPPED:
        isa_exec_write_trap(record->exec, out, pos);
        break;
    case ISA_END_DEADLOCKED:
        write_deadlock(record->exec, out);
        break;
    case ISA_END_LIMIT:
        write_limit(record, "limit reached", out);
        break;
    case ISA_END_STORE_FULL:
        write_limit(record, "store full", out);
        break;
    case ISA_END_TAGS_EXHAUSTED:
        write_limit(record, "tags exhausted", out);
        break;
    default:
        lib_text_printf(out, "interrupted after %" PRIu64 " tokens delivered",
                        record->exec->counts.tokens);
    }
}

enum { SHOWN_WAITING = 10 };

void sim_ending_write_waiting(const struct sim_record *record, struct lib_text *out)
{
    isa_exec_write_waiting(record->exec, out, SHOWN_WAITING);
}
