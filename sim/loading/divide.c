#include "sim/loading/divide.h"

#include "machine/describe.h"
#include "machine/machine.h"
#include "programs/partition/partition.h"
#include "isa/parts.h"

#include <inttypes.h>

static const struct lib_pos nowhere = {0};

bool sim_divide_is_asked(const struct machine_settings *s)
{
    return s->partition_by != MACHINE_PARTITION_NONE;
}

bool sim_divide_schedules(const struct machine_settings *s)
{
    return s->partition_receive == MACHINE_RECEIVE_SCHEDULED;
}

const struct lib_source *sim_divide_map(const struct machine_settings *s)
{
    return s->partition_file ? &s->partition_file->source : NULL;
}

const struct lib_source *sim_divide_weights(const struct machine_settings *s)
{
    return s->partition_profile ? &s->partition_profile->source : NULL;
}

bool sim_divides(const struct isa_graph *graph, const struct machine_settings *settings)
{
    return sim_divide_is_asked(settings) && graph->stage != ISA_STAGE_PARTITIONED;
}

uint64_t sim_divide_machines(const struct machine_settings *s)
{
    return s->partition_machines ? s->partition_machines : machine_nodes(s);
}

static bool refuse_division(struct lib_diags *diags, const char *text)
{
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "%s", text);
    return false;
}

bool sim_divide_is_said(const struct machine_settings *s, struct lib_diags *diags)
{
    if (!sim_divide_is_asked(s))
        return true;
    if (sim_divide_machines(s) == 0)
        return refuse_division(
            diags, "partition.by says how to divide the program, and nothing says among "
                   "how many machines: expected partition.machines or cluster.nodes");
    if (s->partition_by == MACHINE_PARTITION_FILE && !s->partition_file)
        return refuse_division(
            diags, "partition.by=file: expected a map of machines in partition.file");
    return true;
}

struct isa_graph *sim_divide(const struct isa_graph *image,
                             const struct machine_settings *s,
                             const struct lib_source *source, struct lib_diags *diags)
{
    static const enum programs_partition_by ways[] = {
        [MACHINE_PARTITION_NONE] = PROGRAMS_PARTITION_NONE,
        [MACHINE_PARTITION_FUNCTION] = PROGRAMS_PARTITION_FUNCTION,
        [MACHINE_PARTITION_RANDOM] = PROGRAMS_PARTITION_RANDOM,
        [MACHINE_PARTITION_METIS] = PROGRAMS_PARTITION_METIS,
        [MACHINE_PARTITION_FILE] = PROGRAMS_PARTITION_FILE,
        [MACHINE_PARTITION_SOURCE] = PROGRAMS_PARTITION_SOURCE,
    };
    if (image->stage != ISA_STAGE_IMAGE) {
        refuse_division(
            diags,
            "a partition is of the one graph of the strategy static; by expanding, each "
            "call copies the graph of its callee while the program runs, so that there "
            "is nothing to divide before (where copies go: copy.placement)");
        return NULL;
    }
    if (!sim_divide_is_said(s, diags))
        return NULL;
    const struct programs_partition_choice choice = {
        .by = ways[s->partition_by],
        .machines = (uint32_t)sim_divide_machines(s),
        .seed = s->partition_seed,
        .schedules = sim_divide_schedules(s),
        .source = source,
        .map = sim_divide_map(s),
        .weights = sim_divide_weights(s),
    };
    return programs_partition(image, &choice, diags);
}

bool sim_divided_fits(const struct isa_graph *graph, const struct machine_settings *s,
                      struct lib_diags *diags)
{
    const uint64_t said = sim_divide_machines(s);
    const struct traces_machine machine = machine_describe(s, graph, NULL);
    if (machine.has_workers && machine.sends_releases)
        return refuse_division(
            diags, "partition.releases: executors free an activation at once; expected "
                   "`free`, found `messages`");
    if (machine.has_workers && machine.pe_count > MACHINE_MAX_PES) {
        lib_diag_plain(
            diags, LIB_DIAG_USAGE,
            "executor.workers: expected up to %u workers in all, found %" PRIu32
            " on each of %" PRIu32 " machines",
            MACHINE_MAX_PES, machine.pe_count / machine.executors, machine.executors);
        return false;
    }
    if (isa_parts_are_scheduled(graph) && !machine.propagates)
        return refuse_division(
            diags, "RECVs that are scheduled for each tag (partition.receive=scheduled) "
                   "wait for hiatons where nothing comes: expected deadness=propagate");
    if ((said && said != graph->machine_count) ||
        (machine.nodes && machine.nodes != graph->machine_count)) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "the program is divided among %u machines, and there are %" PRIu64
                       " (partition.machines or cluster.nodes)",
                       graph->machine_count, machine.nodes ? machine.nodes : said);
        return false;
    }
    if (machine.pe_count % graph->machine_count == 0)
        return true;
    lib_diag_error(
        diags, LIB_DIAG_USAGE, NULL, nowhere,
        "%" PRIu32
        " PEs cannot be divided among %u machines: expected pe.count to be a multiple",
        machine.pe_count, graph->machine_count);
    return false;
}
