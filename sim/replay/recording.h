/* Recordings: a run as a file from which all of it can be made again.
 *
 * A run is a function of its image, inputs, settings and seed. So a recording holds these,
 * digests of what happened per interval, checkpoints, and how the run ended; it holds no events.
 * The file is one of chunks (traces/files/chunks.h) of kind "HREC":
 *
 *   HEAD  a JSON object: what ran, where it was recorded, and what was observed
 *         (sim/session/description.h)
 *   IMAG  the image (isa/format/image.h)
 *   CHKP  the state of the machine between two cycles: `from` is the cycle of what happens next
 *   FEED  what the host has fed to ports before the run went on, from cycle `from` to cycle `to`
 *   DGST  digests per interval (traces/digests.h)
 *   ENDS  a JSON object: how the run ended, and what was measured
 *
 * in this order; there may be any number of CHKP and FEED, as they came. One that was interrupted
 * has no DGST and no ENDS. */
#ifndef SIM_REPLAY_RECORDING_H
#define SIM_REPLAY_RECORDING_H

#include "sim/session/description.h"
#include "traces/digests.h"
#include "traces/files/chunks.h"

/* Of the formats before this one, the oldest that is read too. */
enum {
    SIM_RECORDING_FORMAT = 2,
    SIM_RECORDING_OLDEST = 1,
    SIM_EVENTS_FORMAT = 7,
    SIM_EVENTS_OLDEST = 6
};

/* A file of events begins with HEAD, IMAG and FILEs too, and then has what
 * traces/files/event_file.h says. */
extern const struct traces_chunks_kind sim_recording_kind, sim_events_kind;

#define SIM_RECORDING_HEAD TRACES_FOUR("HEAD")
#define SIM_RECORDING_IMAGE TRACES_FOUR("IMAG")
#define SIM_RECORDING_SOURCE                                                             \
    TRACES_FOUR("TEXT") /* of the program; of an image there is none */
#define SIM_RECORDING_FILE TRACES_FOUR("FILE") /* of a setting; one chunk each */
#define SIM_RECORDING_CHECKPOINT TRACES_FOUR("CHKP")
#define SIM_RECORDING_FEED TRACES_FOUR("FEED")
#define SIM_RECORDING_DIGESTS TRACES_FOUR("DGST")
#define SIM_RECORDING_ENDING TRACES_FOUR("ENDS")

/* What a run had done when its host had fed what follows: it is the same when it is made again. */
struct sim_recorded_mark {
    uint64_t cycle, tokens, value_digest, timing_digest;
    uint64_t feeds; /* that were given before, elements and closes */
};

/* The mark of a run where it stands. */
struct sim_recorded_mark sim_recorded_mark_of(const struct sim_simulation *simulation,
                                              uint64_t feeds);

/* Whether it has all events of its level. */
static inline bool sim_recorded_events_are_all(const struct sim_recorded_events *events)
{
    return !traces_filter_is_any(&events->filter) && events->from == 0 &&
           events->to == UINT64_MAX;
}

/* What was fed and is not in the file yet: one chunk FEED. Starts as {0}. */
struct sim_recorded_feeds {
    struct lib_text bytes;
    uint64_t from, to, count; /* cycles; elements and closes */
};

void sim_recorded_feeds_add(struct sim_recorded_feeds *fed, const struct isa_graph *graph,
                            const struct machine_feed *feed);
/* Writes the chunk, before which the run had done what `mark` says, and empties it. */
void sim_recorded_feeds_write(struct sim_recorded_feeds *fed,
                              struct traces_chunks_writer *file,
                              struct sim_recorded_mark mark);
void sim_recorded_feeds_free(struct sim_recorded_feeds *fed);

/* A recording that was opened. Owns all it holds. */
struct sim_recording {
    struct lib_arena *arena;
    const char *path; /* borrowed */
    struct traces_chunks *chunks;
    struct sim_description
        run; /* what ran, and which of its events a file of events has */
    struct sim_session session; /* of that run, ready to be simulated again */
    bool energy;                /* checkpoints have what energies are of */
    LIB_VEC(struct sim_recorded_mark) marks; /* of a recording: where its run was fed */
    bool is_complete;                        /* a recording: the following are there */
    struct traces_digests digests;
    const char *ending; /* JSON */
};

/* Writes what the ports of a session will be fed, where that is known before its run begins. */
void sim_recorded_feeds_write_known(struct traces_chunks_writer *file,
                                    const struct sim_session *session);

/* Reads all that the ports were fed, of a recording whose program is known. Returns false and
 * adds a diagnostic if it is damaged. */
bool sim_recorded_feeds_read(struct sim_recording *recording, const char *path,
                             struct lib_diags *diags);

/* Whether feeds of the recorded run fit another program: its ports in are those of the recorded
 * one. Returns false and adds a diagnostic if not. */
bool sim_recorded_feeds_fit(const struct sim_recording *recording,
                            const struct isa_graph *graph, struct lib_diags *diags);

/* Opens one, and reads all but its checkpoints. false: it is none, or damaged, which is in `diags`;
 * one that was not finished is opened, with a warning. Give back with sim_recording_close in either
 * case. */
bool sim_recording_open(struct sim_recording *recording, const char *path,
                        struct lib_diags *diags);
void sim_recording_close(struct sim_recording *recording);

/* The same of a file of events: what ran, and which events of it are there. */
bool sim_recording_open_events(struct sim_recording *recording, const char *path,
                               struct lib_diags *diags);

/* Opens none, as the file at `path` is none: says what it is, in place of what is wanted. */
bool sim_recording_refuse(struct sim_recording *recording, const char *path,
                          const char *wanted, struct lib_diags *diags);

/* A session of the same run, or of one like it: of another program (a path; NULL: the same), with
 * some settings changed (KEY=VALUE). Give back with sim_session_close in either case. */
bool sim_recording_run_again(const struct sim_recording *recording, const char *program,
                             const char *const *sets, size_t set_count,
                             struct sim_session *session, struct lib_diags *diags);

/* The number of the last checkpoint at a cycle or before it, among the chunks; SIZE_MAX: none. */
size_t sim_recording_checkpoint(const struct sim_recording *recording, uint64_t cycle);

/* Has a simulation that has just been opened go on from a checkpoint. false: it is damaged. */
bool sim_recording_restore(struct sim_recording *recording, size_t checkpoint,
                           struct sim_simulation *simulation, struct lib_diags *diags);

/* Begins a file with what a session that is about to run on this host is: HEAD, IMAG, FILEs.
 * `events`: NULL for a recording. */
void sim_recording_write_run(struct traces_chunks_writer *file,
                             const struct sim_session *session, bool series, bool profile,
                             const struct sim_recorded_events *events);

#endif
