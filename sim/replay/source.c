#include "sim/replay/source.h"

bool sim_source_is(const char *path)
{
    return traces_chunks_is(path, &sim_recording_kind);
}

bool sim_source_open(struct sim_source *source, const char *path, struct lib_diags *diags)
{
    *source = (struct sim_source){.level = TRACES_LEVEL_QUEUES};
    return sim_recording_open(&source->recording, path, diags);
}

void sim_source_close(struct sim_source *source)
{
    sim_recording_close(&source->recording);
}

/* Brings a simulation to the cycle `from`, without sinks: from the last checkpoint before it. */
static bool go_to(struct sim_source *source, struct sim_simulation *simulation,
                  uint64_t from, struct lib_diags *diags)
{
    struct sim_recording *r = &source->recording;
    const size_t checkpoint = sim_recording_checkpoint(r, from);
    const struct sim_until until = {.cycle = from};
    if (checkpoint != SIZE_MAX &&
        !sim_recording_restore(r, checkpoint, simulation, diags))
        return false;
    return from == 0 ||
           sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
}

bool sim_source_read(struct sim_source *source, struct sim_source_window window,
                     const struct traces_event_sink *sinks, size_t sink_count,
                     const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sim_recording *r = &source->recording;
    struct sim_simulation_config config = sim_session_config(&r->session);
    const struct sim_until until = {.cycle = window.to};
    config.series = r->series; /* checkpoints have them */
    config.profile = r->profile;
    if (watch)
        config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    bool done = go_to(source, simulation, window.from, diags);
    if (done) {
        sim_simulation_listen(simulation, sinks, sink_count);
        done = sim_simulation_advance(simulation, &until) != SIM_ADVANCED_TO_STOP;
    }
    sim_simulation_close(simulation, NULL);
    return done;
}
