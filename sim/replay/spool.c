#include "sim/replay/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/leftovers.h"
#include "traces/files/event_file.h"

static bool simulate_to_file(const struct sim_simulation_config *wanted,
                             struct traces_chunks_writer *file, struct lib_diags *diags)
{
    struct sim_simulation_config config = *wanted;
    struct traces_event_writer *writer = traces_event_writer_new(
        file, config.code ? config.code->graph : config.graph);
    const struct traces_event_sink sink = traces_event_writer_sink(writer,
                                                                   TRACES_LEVEL_QUEUES);
    config.sinks = &sink;
    config.sink_count = 1;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    const bool done = simulation &&
                      sim_simulation_advance(simulation, NULL) == SIM_ADVANCED_TO_END;
    if (simulation)
        sim_simulation_close(simulation, NULL);
    traces_event_writer_end(writer, done);
    return done;
}

/* Removes the name of the file; the open file stays readable. */
static struct traces_chunks *spool_events(const struct sim_simulation_config *config,
                                          const char *path, struct lib_diags *diags)
{
    struct traces_chunks *chunks = NULL;
    struct traces_chunks_writer *file = traces_chunks_create(path, &sim_events_kind,
                                                             diags);
    if (!file)
        return NULL;
    if (!simulate_to_file(config, file, diags))
        traces_chunks_abandon(file);
    else if (traces_chunks_finish(file, diags))
        chunks = traces_chunks_open(path, &sim_events_kind, diags);
    unlink(path);
    return chunks;
}

struct sim_source *sim_spool_new(const struct sim_simulation_config *config,
                                 struct lib_diags *diags)
{
    const char *folder = getenv("TMPDIR");
    struct lib_text path = {0};
    struct sim_source *source = NULL;
    lib_text_printf(&path, "%s/hiaton-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!lib_leftovers_make_folder(path.bytes)) {
        lib_diag_plain(diags, lib_file_write_code(errno),
                       "%s: no folder for the events can be made: %s",
                       lib_text_get(&path), strerror(errno));
        lib_text_free(&path);
        return NULL;
    }
    const size_t length = path.length;
    lib_text_puts(&path, "/events");
    struct traces_chunks *chunks = spool_events(config, lib_text_get(&path), diags);
    path.bytes[length] = '\0';
    rmdir(path.bytes);
    lib_leftovers_forget(path.bytes);
    lib_text_free(&path);
    if (chunks) {
        source = lib_mem_new(sizeof *source);
        source->level = TRACES_LEVEL_QUEUES;
        source->recording.chunks = chunks;
        source->recording.run.has_events = true;
        source->recording.path = "the events of the run";
        source->recording.session.setup.settings.machine = *config->settings;
        source->recording.session.program.graph =
            (struct isa_graph *)(config->code ? config->code->graph : config->graph);
    }
    return source;
}

void sim_spool_free(struct sim_source *spool)
{
    if (!spool)
        return;
    traces_chunks_close(spool->recording.chunks);
    lib_mem_free(spool);
}
