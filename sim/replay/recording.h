/* Recordings: a run as a file from which all its events can be reproduced.
 *
 * A run is a function of its image, inputs, settings, seed and feeds. A recording has these,
 * digests of the state per interval, checkpoints, and how the run ended; it has no events. The file
 * consists of chunks (traces/files/chunks.h); its kind is "HREC":
 *
 *   HEAD  a JSON object: what ran, where it was recorded, and what was observed
 *         (sim/session/description.h)
 *   IMAG  the image (isa/format/image.h)
 *   CHKP  the state of the machine between two cycles; `from` is the next cycle with an event
 *   FEED  elements that the host fed to ports since the last FEED, from cycle `from` to `to`
 *   DGST  digests per interval (traces/digests.h)
 *   ENDS  a JSON object: how the run ended, and what was measured
 *
 * in this order; CHKP and FEED repeat in the order of time. A recording of an interrupted run has
 * no DGST and no ENDS. */
#ifndef SIM_REPLAY_RECORDING_H
#define SIM_REPLAY_RECORDING_H

#include "sim/session/description.h"
#include "traces/digests.h"
#include "traces/files/chunks.h"

/* Versions of file formats: the one that is written, and the oldest that can be read. */
enum {
    SIM_RECORDING_FORMAT = 2,
    SIM_RECORDING_OLDEST = 1,
    SIM_EVENTS_FORMAT = 7,
    SIM_EVENTS_OLDEST = 6
};

/* Kinds of files: recordings and event files. Both begin with the chunks HEAD, IMAG, TEXT and FILE;
 * traces/files/event_file.h describes the rest of event files. */
extern const struct traces_chunks_kind sim_recording_kind, sim_events_kind;

#define SIM_RECORDING_HEAD TRACES_FOUR("HEAD")
#define SIM_RECORDING_IMAGE TRACES_FOUR("IMAG")
/* Types of chunks. TEXT: source of the program, absent for images. FILE: a file that a setting
 * names. */
#define SIM_RECORDING_SOURCE TRACES_FOUR("TEXT")
#define SIM_RECORDING_FILE TRACES_FOUR("FILE")
#define SIM_RECORDING_CHECKPOINT TRACES_FOUR("CHKP")
#define SIM_RECORDING_FEED TRACES_FOUR("FEED")
#define SIM_RECORDING_DIGESTS TRACES_FOUR("DGST")
#define SIM_RECORDING_ENDING TRACES_FOUR("ENDS")

/* State of a run when its host fed a port. A replay must reach the same values. */
struct sim_recorded_mark {
    uint64_t cycle, tokens, value_digest, timing_digest;
    uint64_t feeds; /* number of feeds and closes of ports before this state */
};

/* Returns the state of a run at its present cycle. `feeds` is stored in it. */
struct sim_recorded_mark sim_recorded_mark_of(const struct sim_simulation *simulation,
                                              uint64_t feeds);

/* Whether an event file has all events of its level of detail. */
static inline bool sim_recorded_events_are_all(const struct sim_recorded_events *events)
{
    return !traces_filter_is_any(&events->filter) && events->from == 0 &&
           events->to == UINT64_MAX;
}

/* Feeds to be written as the next chunk FEED. Start with {0}. */
struct sim_recorded_feeds {
    struct lib_text bytes;
    /* Cycles of the first and of the last of these feeds; number of feeds and closes. */
    uint64_t from, to, count;
};

void sim_recorded_feeds_add(struct sim_recorded_feeds *fed, const struct isa_graph *graph,
                            const struct machine_feed *feed);
/* Writes a chunk FEED, with the state `mark` of the run before these feeds. Empties `fed`. */
void sim_recorded_feeds_write(struct sim_recorded_feeds *fed,
                              struct traces_chunks_writer *file,
                              struct sim_recorded_mark mark);
void sim_recorded_feeds_free(struct sim_recorded_feeds *fed);

/* An open recording or event file. Owns all except `path`. */
struct sim_recording {
    struct lib_arena *arena;
    const char *path;
    struct traces_chunks *chunks;
    /* What ran; for an event file, also which events are in it. */
    struct sim_description run;
    struct sim_session session; /* the same run, ready to be simulated */
    bool energy; /* checkpoints contain the counts that the energy table needs */
    /* Recording: state of the run before each FEED. */
    LIB_VEC(struct sim_recorded_mark) marks;
    /* Recording: `digests` and `ending` are set. */
    bool is_complete;
    struct traces_digests digests;
    const char *ending; /* ending and measurements of the run, as JSON */
};

/* Writes a chunk FEED for a session whose feeds are all known in advance. */
void sim_recorded_feeds_write_known(struct traces_chunks_writer *file,
                                    const struct sim_session *session);

/* Reads all chunks FEED of a recording whose program is loaded. Returns false and adds a diagnostic
 * if one is damaged. */
bool sim_recorded_feeds_read(struct sim_recording *recording, const char *path,
                             struct lib_diags *diags);

/* Whether the recorded feeds fit a program: its input ports must equal the recorded ones. Adds a
 * diagnostic if not. */
bool sim_recorded_feeds_fit(const struct sim_recording *recording,
                            const struct isa_graph *graph, struct lib_diags *diags);

/* Opens a recording and reads all of it except checkpoints. Returns false and adds a diagnostic if
 * the file is not a recording or is damaged; warns if it is unfinished. In either case free with
 * sim_recording_close. */
bool sim_recording_open(struct sim_recording *recording, const char *path,
                        struct lib_diags *diags);
void sim_recording_close(struct sim_recording *recording);

/* Variant of sim_recording_open for event files. Reads what ran and which events the file has. */
bool sim_recording_open_events(struct sim_recording *recording, const char *path,
                               struct lib_diags *diags);

/* Reports that `path` is not a file of the `wanted` kind, and names its kind. Returns false. */
bool sim_recording_refuse(struct sim_recording *recording, const char *path,
                          const char *wanted, struct lib_diags *diags);

/* Opens a session that makes the recorded run again. `program` is the path of a program to use
 * instead, or NULL; `sets` are changes of settings (each KEY=VALUE). Returns false and adds
 * diagnostics on errors. In either case free the session with sim_session_close. */
bool sim_recording_run_again(const struct sim_recording *recording, const char *program,
                             const char *const *sets, size_t set_count,
                             struct sim_session *session, struct lib_diags *diags);

/* Returns the index of the chunk with the last checkpoint at or before `cycle`, or SIZE_MAX. */
size_t sim_recording_checkpoint(const struct sim_recording *recording, uint64_t cycle);

/* Sets a newly opened simulation to the state of a checkpoint. Returns false and adds a diagnostic
 * if the checkpoint is damaged or of another version. */
bool sim_recording_restore(struct sim_recording *recording, size_t checkpoint,
                           struct sim_simulation *simulation, struct lib_diags *diags);

/* Writes the chunks HEAD, IMAG, TEXT and FILE of a session, and its feeds if they are known.
 * `events` is NULL for a recording. */
void sim_recording_write_run(struct traces_chunks_writer *file,
                             const struct sim_session *session, bool series, bool profile,
                             const struct sim_recorded_events *events);

#endif
