/* Description of a run: all that its outcome is a function of, as texts, and where it was made.
 *
 * One list of fields (sim_described_fields) serves all that keep runs: the head of recordings and
 * of files of events is written and read by it, rows of databases are read by it, and differences
 * of hosts are found by it. The members behind the list are bytes that each of them keeps in its
 * own way. Texts live in the arena of whoever made the description. */
#ifndef SIM_SESSION_DESCRIPTION_H
#define SIM_SESSION_DESCRIPTION_H

#include "sim/loading/setting.h"
#include "sim/session/feeds.h"
#include "sim/session/session.h"
#include "traces/filter.h"

/* Where a run was made: what may make a difference that is nobody's fault. */
struct sim_described_host {
    const char *version;  /* of hiaton */
    const char *model;    /* SIM_MODEL_VERSION */
    const char *format;   /* MACHINE_CHECKPOINT_FORMAT */
    const char *cpu;      /* model name of the processor */
    const char *features; /* of the processor, those that arithmetic may use */
    const char *library;  /* the C library */
};

/* "KEY=VALUE" each. */
struct sim_described_pairs {
    const char **items;
    size_t count;
};

/* Which events of a run are in a file of events. */
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
    bool series, profile; /* were observed: checkpoints have them */
    const char *window;   /* NULL: all of the run is measured */
    const char *energy_name,
        *energy; /* name and text of a table of energies; NULL: none */
    struct sim_described_pairs settings; /* all of them */
    struct sim_described_pairs inputs;   /* those that were given */
    bool has_events;                     /* `events` is known */
    struct sim_recorded_events events;

    const struct lib_source *image;
    const struct lib_source
        *source;                    /* the text of the program; NULL: it is not at hand */
    struct sim_setting_files files; /* of settings, as they were */
    struct sim_feeds feeds;         /* of ports */
};

enum sim_described_kind {
    SIM_DESCRIBED_TEXT,   /* const char *; NULL is not written */
    SIM_DESCRIBED_FLAG,   /* bool */
    SIM_DESCRIBED_NUMBER, /* uint64_t */
    SIM_DESCRIBED_BOUND,  /* uint64_t; not written if it is `unless` */
    SIM_DESCRIBED_LEVEL,  /* enum traces_level */
    SIM_DESCRIBED_PAIRS,  /* struct sim_described_pairs */
};

struct sim_described_field {
    const char *group, *key; /* in a head: an object, or NULL, and the key there */
    size_t place;            /* in struct sim_description */
    enum sim_described_kind kind;
    uint64_t unless;
    bool is_required;   /* in a head */
    const char *column; /* of the rows of a database; NULL: none */
    const char *host;   /* column of the table `host` of a database; NULL: none */
    int since;          /* the version of databases that has it first */
    const char *cause;  /* what a difference of two runs is called; NULL: it makes none */
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

/* Returns what this host and this program are. */
struct sim_described_host sim_described_here(struct lib_arena *arena);

/* Returns the description of a session that runs here: all but `series`, `profile` and events,
 * which the caller knows. It borrows from the session. */
struct sim_description sim_description_of(const struct sim_session *session,
                                          struct lib_arena *arena);

/* Adds the fields as a JSON object: the head of a file. */
void sim_description_write(const struct sim_description *description,
                           struct lib_text *out);

/* Reads the fields from such an object. Returns false and adds a diagnostic if they are wrong. */
bool sim_description_read(struct sim_description *description, struct lib_arena *arena,
                          const struct lib_source *source, struct lib_diags *diags);

/* Makes the configuration of the machine, with some settings changed (KEY=VALUE). Returns false and
 * adds a diagnostic if it cannot. */
bool sim_description_setup(const struct sim_description *description,
                           const char *const *sets, size_t set_count,
                           struct lib_arena *arena, struct sim_setup *setup,
                           struct lib_diags *diags);

/* Reads the table of energies, if there is one, into the arena; else *energy stays. Returns false
 * and adds a diagnostic if it is wrong. */
bool sim_description_energy(const struct sim_description *description,
                            struct lib_arena *arena,
                            const struct analysis_energy **energy,
                            struct lib_diags *diags);

/* Opens a session of the run, or of one like it: of another program (a path; NULL: the same), with
 * some settings changed. Free with sim_session_close in either case. The session borrows the feeds.
 * Returns false and adds diagnostics on failure. */
bool sim_description_open(const struct sim_description *description, const char *program,
                          const char *const *sets, size_t set_count,
                          struct sim_session *session, struct lib_diags *diags);

#endif
