/* Description of a run: all that its outcome depends on, as strings, and where it was made.
 *
 * One list of fields (sim_described_fields) serves all that keep runs: the heads of recordings and
 * of files of events are written and read by it, rows of databases are read by it, and hosts are
 * compared by it. The members after `events` are bytes that each keeps in its own way. Strings live
 * in the arena of the description's maker. */
#ifndef SIM_SESSION_DESCRIPTION_H
#define SIM_SESSION_DESCRIPTION_H

#include "sim/loading/setting.h"
#include "sim/session/feeds.h"
#include "sim/session/session.h"
#include "traces/filter.h"

/* Host of a run: causes of differences that are not errors of the user. */
struct sim_described_host {
    const char *version;  /* version of hiaton */
    const char *model;    /* SIM_MODEL_VERSION */
    const char *format;   /* MACHINE_CHECKPOINT_FORMAT */
    const char *cpu;      /* model name of the processor */
    const char *features; /* features of the processor that arithmetic may use */
    const char *library;  /* the C library */
};

/* A list of "KEY=VALUE". */
struct sim_described_pairs {
    const char **items;
    size_t count;
};

/* The selection of events in a file of events. */
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
    bool series, profile;    /* the run recorded them, so its checkpoints have them */
    const char *window;      /* part that is measured; NULL: all of the run */
    const char *energy_name; /* name of the table of energies; NULL: none */
    const char *energy;      /* text of that table */
    struct sim_described_pairs settings; /* all settings */
    struct sim_described_pairs inputs;   /* inputs that the user gave */
    bool has_events;                     /* `events` is known */
    struct sim_recorded_events events;

    const struct lib_source *image;
    const struct lib_source *source; /* text of the program; NULL: not available */
    struct sim_setting_files files;  /* files that settings name, as they were */
    struct sim_feeds feeds;          /* feeds of ports */
};

enum sim_described_kind {
    SIM_DESCRIBED_TEXT,   /* const char *; NULL is not written */
    SIM_DESCRIBED_FLAG,   /* bool */
    SIM_DESCRIBED_NUMBER, /* uint64_t */
    SIM_DESCRIBED_BOUND,  /* uint64_t; not written if equal to `unless` */
    SIM_DESCRIBED_LEVEL,  /* enum traces_level */
    SIM_DESCRIBED_PAIRS,  /* struct sim_described_pairs */
};

struct sim_described_field {
    const char *group, *key; /* in a head: name of an object or NULL; key in it */
    size_t place;            /* offset in struct sim_description */
    enum sim_described_kind kind;
    uint64_t unless;
    bool is_required;   /* a head without the field is invalid */
    const char *column; /* column of the table of runs in a database; NULL: none */
    const char *host;   /* column of the table `host` of a database; NULL: none */
    int since;          /* first version of databases with the field */
    const char *cause;  /* name of a difference between two runs; NULL: not compared */
};
extern const struct sim_described_field sim_described_fields[];
extern const size_t sim_described_field_count;

/* Returns the value of a field of kind TEXT. */
const char *sim_described_text(const struct sim_description *description,
                               const struct sim_described_field *field);

/* Set a field of kind TEXT, whose text is borrowed, or NUMBER. */
void sim_described_set_text(struct sim_description *description,
                            const struct sim_described_field *field, const char *text);
void sim_described_set_number(struct sim_description *description,
                              const struct sim_described_field *field, uint64_t number);

/* Returns the description of this host and this program. */
struct sim_described_host sim_described_here(struct lib_arena *arena);

/* Returns the description of a session that runs here, except `series`, `profile` and `events`,
 * which the caller sets. Borrows from the session. */
struct sim_description sim_description_of(const struct sim_session *session,
                                          struct lib_arena *arena);

/* Adds the fields as a JSON object: the head of a file. */
void sim_description_write(const struct sim_description *description,
                           struct lib_text *out);

/* Reads the fields from such an object. Returns false and adds a diagnostic if one is invalid. */
bool sim_description_read(struct sim_description *description, struct lib_arena *arena,
                          const struct lib_source *source, struct lib_diags *diags);

/* Makes the configuration of the machine, with some settings changed (KEY=VALUE). Returns false and
 * adds a diagnostic if a setting is invalid. */
bool sim_description_setup(const struct sim_description *description,
                           const char *const *sets, size_t set_count,
                           struct lib_arena *arena, struct sim_setup *setup,
                           struct lib_diags *diags);

/* Reads the table of energies into the arena; without one, *energy is not changed. Returns false
 * and adds a diagnostic if the table is invalid. */
bool sim_description_energy(const struct sim_description *description,
                            struct lib_arena *arena,
                            const struct analysis_energy **energy,
                            struct lib_diags *diags);

/* Opens a session of the run, or of a similar one: with the program at the path `program` if that
 * is not NULL, and with some settings changed. The session borrows the feeds. Returns false and
 * adds diagnostics on failure. The caller frees it with sim_session_close in either case. */
bool sim_description_open(const struct sim_description *description, const char *program,
                          const char *const *sets, size_t set_count,
                          struct sim_session *session, struct lib_diags *diags);

#endif
