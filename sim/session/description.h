/* Description of a run: all that its outcome depends on, and the host.
 *
 * The table sim_described_fields lists its members for all that keep or compare runs: headers of
 * recordings and of event files, rows of databases, comparisons of hosts. The members after
 * `events` are bytes that each file format stores in its own way. Strings live in the arena of
 * the description's maker. */
#ifndef SIM_SESSION_DESCRIPTION_H
#define SIM_SESSION_DESCRIPTION_H

#include "sim/loading/setting.h"
#include "sim/session/feeds.h"
#include "sim/session/session.h"
#include "traces/filter.h"

/* The computer and the simulator of a run: causes of differences that are not errors of the
 * user. */
struct sim_described_host {
    const char *version;   /* version of Hiaton */
    const char *model;     /* SIM_MODEL_VERSION */
    const char *format;    /* MACHINE_CHECKPOINT_FORMAT */
    const char *cpu;       /* model name of the processor */
    const char *features;  /* processor features that affect arithmetic */
    const char *c_library; /* name and version of the C library */
};

/* A list of "KEY=VALUE". */
struct sim_described_pairs {
    const char **items;
    size_t count;
};

/* The selection of events that an event file holds. */
struct sim_recorded_events {
    enum traces_level level;
    struct traces_filter_texts filter;
    uint64_t from, to; /* cycles `from` to `to` - 1; 0 and UINT64_MAX: all */
};

struct sim_description {
    struct sim_described_host by;
    const char *machine; /* name of the preset or of the file */
    bool is_preset;
    uint64_t seed;
    bool series, profile;    /* the run recorded series, profile; checkpoints have them */
    const char *window;      /* part of the run that is measured; NULL: all of it */
    const char *energy_name; /* name of the energy table; NULL: none */
    const char *energy;      /* text of the energy table */
    struct sim_described_pairs settings; /* all machine settings */
    struct sim_described_pairs inputs;   /* inputs that the user specified */
    bool has_events;                     /* `events` is known */
    struct sim_recorded_events events;

    const struct lib_source *image;
    const struct lib_source *source; /* text of the program; NULL: not available */
    /* files that settings name, as they were when the run began */
    struct sim_setting_files files;
    struct sim_feeds feeds; /* elements fed to input ports */
};

/* Type of a described member, and when it is not written. */
enum sim_described_kind {
    SIM_DESCRIBED_TEXT,   /* const char *; NULL is not written */
    SIM_DESCRIBED_FLAG,   /* bool */
    SIM_DESCRIBED_NUMBER, /* uint64_t */
    SIM_DESCRIBED_BOUND,  /* uint64_t; not written if equal to `unless` */
    SIM_DESCRIBED_LEVEL,  /* enum traces_level */
    SIM_DESCRIBED_PAIRS,  /* the member is a struct sim_described_pairs */
};

struct sim_described_field {
    const char *group, *key; /* JSON: object (NULL: the root) and key in it */
    size_t place;            /* offset in struct sim_description */
    enum sim_described_kind kind;
    uint64_t unless;
    bool is_required;   /* a file that lacks the field is invalid */
    const char *column; /* column of the database table of runs; NULL: none */
    const char *host;   /* column of the database table `host`; NULL: none */
    int since;          /* first version of databases that has the field */
    /* name of the difference in a comparison of runs; NULL: not compared */
    const char *cause;
};
extern const struct sim_described_field sim_described_fields[];
extern const size_t sim_described_field_count;

/* Returns the value of a field of kind TEXT. */
const char *sim_described_text(const struct sim_description *description,
                               const struct sim_described_field *field);

/* Set a field of kind TEXT, which borrows `text`, or of kind NUMBER. */
void sim_described_set_text(struct sim_description *description,
                            const struct sim_described_field *field, const char *text);
void sim_described_set_number(struct sim_description *description,
                              const struct sim_described_field *field, uint64_t number);

/* Returns a description of this computer and this version of Hiaton. */
struct sim_described_host sim_described_here(struct lib_arena *arena);

/* Returns a description of a session that runs on this computer. It borrows from the session. The
 * members `series`, `profile`, `events`, `image`, `files` and `feeds` are left zero. */
struct sim_description sim_description_of(const struct sim_session *session,
                                          struct lib_arena *arena);

/* Adds the description as a JSON object, which begins the files of recordings and of events. */
void sim_description_write(const struct sim_description *description,
                           struct lib_text *out);

/* Reads a description from such a JSON object. Returns false and adds a diagnostic if a field is
 * invalid. */
bool sim_description_read(struct sim_description *description, struct lib_arena *arena,
                          const struct lib_source *source, struct lib_diags *diags);

/* Makes the machine configuration, with the changes `sets` (KEY=VALUE). Returns false and adds a
 * diagnostic if a setting is invalid. */
bool sim_description_setup(const struct sim_description *description,
                           const char *const *sets, size_t set_count,
                           struct lib_arena *arena, struct sim_setup *setup,
                           struct lib_diags *diags);

/* Reads the energy table into the arena; does not change *energy if there is none. Returns false
 * and adds a diagnostic if the table is invalid. */
bool sim_description_energy(const struct sim_description *description,
                            struct lib_arena *arena,
                            const struct analysis_energy **energy,
                            struct lib_diags *diags);

/* Opens a session of the run, or of a similar one: with another `program` (a path; or NULL), and
 * with the changes `sets` of settings. Borrows the feeds. Returns false and adds diagnostics on
 * failure. The caller frees it with sim_session_close in either case. */
bool sim_description_open(const struct sim_description *description, const char *program,
                          const char *const *sets, size_t set_count,
                          struct sim_session *session, struct lib_diags *diags);

#endif
