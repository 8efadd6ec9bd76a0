/* Description of a run: all that its outcome depends on, and the host.
 *
 * The table sim_described_fields lists the members of struct sim_description for all that store or
 * compare runs: headers of recordings and event files, rows of databases, comparisons. Each file
 * format stores the members after `events` in its own way. Strings live in an arena of the
 * caller. */
#ifndef SIM_SESSION_DESCRIPTION_H
#define SIM_SESSION_DESCRIPTION_H

#include "sim/loading/setting.h"
#include "sim/session/feeds.h"
#include "sim/session/session.h"
#include "traces/filter.h"

/* The simulator and the computer that made a run. They can explain differences between two runs. */
struct sim_described_host {
    const char *version;   /* version of Hiaton */
    const char *model;     /* version of the model of the machine (SIM_MODEL_VERSION) */
    const char *format;    /* version of checkpoints (MACHINE_CHECKPOINT_FORMAT) */
    const char *cpu;       /* model name of the processor */
    const char *features;  /* processor features that affect arithmetic */
    const char *c_library; /* name and version of the C library */
};

/* A list of "KEY=VALUE". */
struct sim_described_pairs {
    const char **items;
    size_t count;
};

/* Selection of the events that an event file holds. */
struct sim_recorded_events {
    enum traces_level level;
    struct traces_filter_texts filter;
    uint64_t from, to; /* cycles `from` to `to` - 1; all events: 0 to UINT64_MAX */
};

struct sim_description {
    struct sim_described_host by;
    const char *machine; /* name of the preset or file with the machine's settings */
    bool is_preset;
    uint64_t seed;
    /* Whether the time series and the profile were recorded; then checkpoints have them, too. */
    bool series, profile;
    const char *window;      /* part of the run that is measured; NULL: all of it */
    const char *energy_name; /* name of the energy table; NULL: none */
    const char *energy;      /* text of the energy table */
    struct sim_described_pairs settings;
    struct sim_described_pairs inputs; /* program inputs that the user specified */
    bool has_events;                   /* the member `events` is set */
    struct sim_recorded_events events;

    const struct lib_source *image;
    /* Source text of the program; NULL: not available. */
    const struct lib_source *source;
    /* Files that settings name, with their contents at the start of the run. */
    struct sim_setting_files files;
    struct sim_feeds feeds; /* elements that were fed to input ports */
};

/* Type of a member of struct sim_description, and when it is not written. */
enum sim_described_kind {
    SIM_DESCRIBED_TEXT,   /* const char *; NULL is not written */
    SIM_DESCRIBED_FLAG,   /* bool */
    SIM_DESCRIBED_NUMBER, /* uint64_t, always written */
    SIM_DESCRIBED_BOUND,  /* uint64_t; not written if equal to `unless` */
    SIM_DESCRIBED_LEVEL,  /* enum traces_level */
    SIM_DESCRIBED_PAIRS,  /* struct sim_described_pairs */
};

struct sim_described_field {
    const char *group, *key; /* JSON object (NULL: the root), and key in it */
    size_t place;            /* offset of the member in struct sim_description */
    enum sim_described_kind kind;
    uint64_t unless;
    bool is_required;   /* a file without the field is invalid */
    const char *column; /* column of the database table `runs`; NULL: none */
    const char *host;   /* column of the database table `host`; NULL: none */
    int since;          /* version of the database format that added the field */
    /* Name of the field in comparisons of runs; NULL: not compared. */
    const char *cause;
};
extern const struct sim_described_field sim_described_fields[];
extern const size_t sim_described_field_count;

/* Returns the text of a field of kind SIM_DESCRIBED_TEXT. */
const char *sim_described_text(const struct sim_description *description,
                               const struct sim_described_field *field);

/* Set a member to a text, which is borrowed, or to a number. The kind of `field` must be TEXT or
 * NUMBER, respectively. */
void sim_described_set_text(struct sim_description *description,
                            const struct sim_described_field *field, const char *text);
void sim_described_set_number(struct sim_description *description,
                              const struct sim_described_field *field, uint64_t number);

/* Describes this computer and this version of Hiaton. */
struct sim_described_host sim_described_here(struct lib_arena *arena);

/* Describes a run of a session on this computer. Borrows from the session. Leaves the members
 * `series`, `profile`, `events`, `image`, `files` and `feeds` zero. */
struct sim_description sim_description_of(const struct sim_session *session,
                                          struct lib_arena *arena);

/* Appends a description as a JSON object, as recordings and event files begin. */
void sim_description_write(const struct sim_description *description,
                           struct lib_text *out);

/* Reads a description from a JSON object. Returns false and adds a diagnostic if a field is
 * invalid. */
bool sim_description_read(struct sim_description *description, struct lib_arena *arena,
                          const struct lib_source *source, struct lib_diags *diags);

/* Makes the machine configuration of the described run, with the changes `sets` (each KEY=VALUE).
 * Returns false and adds a diagnostic if a setting is invalid. */
bool sim_description_setup(const struct sim_description *description,
                           const char *const *sets, size_t set_count,
                           struct lib_arena *arena, struct sim_setup *setup,
                           struct lib_diags *diags);

/* Reads the energy table of the described run into `arena`. Leaves *energy unchanged if there is
 * none. Returns false and adds a diagnostic if the table is invalid. */
bool sim_description_energy(const struct sim_description *description,
                            struct lib_arena *arena,
                            const struct analysis_energy **energy,
                            struct lib_diags *diags);

/* Opens a session that makes the described run again. `program` is the path of a program to use
 * instead, or NULL. `sets` are changes of settings. Borrows the feeds of the description. Returns
 * false and adds diagnostics on errors. In either case free the session with sim_session_close. */
bool sim_description_open(const struct sim_description *description, const char *program,
                          const char *const *sets, size_t set_count,
                          struct sim_session *session, struct lib_diags *diags);

#endif
