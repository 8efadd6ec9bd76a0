#include "sim/explain/causes_summary.h"

#include <string.h>

#include "machine/describe.h"
#include "machine/machine.h"

/* Reports if the causal chain could not be stored; most of a long one is in a file. */
static bool is_kept(const struct sim_causes_summary *causes, struct lib_diags *diags)
{
    const int error = causes->found.chain.error;
    if (error)
        lib_diag_plain(diags, LIB_DIAG_HOST,
                       "the critical path cannot be kept in a file of the folder TMPDIR, "
                       "or /tmp: %s",
                       strerror(error));
    return error == 0;
}

/* Workers of an executor have no stages, so their kernels are not divided. Kernels of PEs whose
 * launches differ are not divided either. */
static struct analysis_causes_kernel kernel_of(const struct traces_machine *m)
{
    const uint64_t launch = m->unit[ISA_UNIT_TENSOR] + m->launch;
    bool is_divided = !m->has_workers;
    for (uint32_t i = 0; i < m->class_count; i++)
        is_divided &= m->classes[i].unit[ISA_UNIT_TENSOR] == m->unit[ISA_UNIT_TENSOR];
    return (struct analysis_causes_kernel){.launch = is_divided ? launch : 0,
                                           .limit = m->bytes == 0 ? "operations"
                                                    : m->flops == 0
                                                        ? "bytes"
                                                        : "operations or bytes"};
}

bool sim_causes_find(struct sim_causes_summary *causes, const struct sim_session *session,
                     struct sim_source *file, const struct sim_causes_request *wish,
                     const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(session);
    config.energy = NULL;
    config.window = NULL;
    config.watch = *watch;
    analysis_causes_summary_start(&causes->found, session->program.graph, wish->chain,
                                  wish->is_brief);
    causes->is_found = true;
    const struct traces_machine machine = machine_describe(config.settings,
                                                           session->program.graph, NULL);
    causes->found.kernel = kernel_of(&machine);
    causes->found.from = wish->from;
    causes->found.to = wish->to ? wish->to : UINT64_MAX;
    causes->arena = lib_arena_new();
    causes->links = machine_link_names(config.settings, causes->arena,
                                       &causes->first_link, &causes->link_count);
    const struct analysis_causes_walker walker = analysis_causes_summary_walker(
        &causes->found);
    return sim_causes_run(&config, file, &wish->of, &walker, &causes->run, diags) &&
           is_kept(causes, diags);
}

void sim_causes_summary_free(struct sim_causes_summary *causes)
{
    if (causes->is_found)
        analysis_causes_summary_free(&causes->found);
    lib_arena_free(causes->arena);
    *causes = (struct sim_causes_summary){0};
}

void sim_causes_summary_write(struct sim_causes_summary *causes,
                              const struct analysis_causes_tables *tables,
                              struct lib_findings *findings)
{
    struct analysis_causes_tables all = *tables;
    all.links = causes->links;
    all.first_link = causes->first_link;
    all.link_count = causes->link_count;
    analysis_causes_summary_tell(&causes->found, &causes->run, &all, findings);
}
