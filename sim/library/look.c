#include "sim/library/look.h"

#include "isa/exec/exec.h"

void sim_library_progress(const struct sim_simulation *simulation,
                          struct hiaton_progress *progress)
{
    const struct sim_simulation_config *config = sim_simulation_config(simulation);
    const struct isa_exec *exec = sim_simulation_exec(simulation);
    const struct machine_settings *settings = config->settings;
    const bool is_timed = config->engine == SIM_ENGINE_MACHINE;
    *progress = (struct hiaton_progress){
        .size = sizeof *progress,
        .is_timed = is_timed,
        .cycle = is_timed ? sim_simulation_cycle(simulation) : 0,
        .tokens = exec->counts.tokens,
        .activations = exec->tags.count,
        .deepest = exec->tags.deepest,
        .memory = sim_simulation_state_bytes(simulation),
        .limit_cycles = settings->limit_cycles,
        .limit_tokens = settings->limit_tokens,
        .limit_depth = settings->limit_depth,
        .limit_memory = settings->limit_memory,
    };
}
