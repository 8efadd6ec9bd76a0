/* Command line of a command, parsed by glibc's argp.
 *
 * A command says which common options it takes, and can add its own table. Errors of usage end the
 * process with a message and SIM_USAGE; --help and SIM_COMPLETE (sim/cli/dispatch.h) end it with
 * SIM_DONE. */
#ifndef SIM_CLI_OPTIONS_H
#define SIM_CLI_OPTIONS_H

#include "analysis/cost/cost.h"
#include "isa/graph.h"
#include "lib/fields.h"
#include "sim/experiment/site.h"
#include "sim/loading/setup.h"
#include "sim/messages/messages.h"
#include "sim/replay/recording.h"

#include <argp.h>

/* Common options that a command can take, besides -q, -v and --help. */
enum {
    SIM_TAKES_MACHINE = 1 << 0, /* options -m and -s */
    SIM_TAKES_SEED = 1 << 1,
    SIM_TAKES_STRATEGY = 1 << 2,
    SIM_TAKES_JSON = 1 << 3,
    SIM_TAKES_STATS = 1 << 4,
    SIM_TAKES_OUTPUT = 1 << 5, /* option -o */
    /* options --series, --profile, --window, --energy, --by */
    SIM_TAKES_OBSERVE = 1 << 6,
    SIM_TAKES_SET = 1 << 7,    /* option -s without -m */
    SIM_TAKES_RECORD = 1 << 8, /* options --record, --interval, --checkpoint */
    SIM_TAKES_TRACE = 1 << 9,
    /* options --level, --cycles, --pe, --function, --line, --below */
    SIM_TAKES_EVENTS = 1 << 10,
    /* options --interval and --checkpoint without --record */
    SIM_TAKES_INTERVAL = 1 << 11,
    SIM_TAKES_FROM = 1 << 12,
    SIM_TAKES_PORT = 1 << 13,
    SIM_TAKES_PARAMS = 1 << 14,
    SIM_TAKES_OPTIMISE = 1 << 15,
};

/* Value of --cycles, "FROM..TO": cycles `from` to `to` - 1. */
struct sim_options_cycles {
    const char *text;  /* NULL: --cycles was not given */
    uint64_t from, to; /* `to` UINT64_MAX: to the end of the run */
};
bool sim_options_take_cycles(void *cycles, const char *text, struct lib_text *why);

/* Options that the user gave. Strings point into argv. */
struct sim_options {
    struct sim_printer printer;
    const char *machine;      /* value of -m; NULL: not given */
    struct lib_texts sets;    /* KEY=VALUE of each -s, and of --optimise, in order */
    struct lib_text optimise; /* owns what --optimise adds to `sets` */
    uint64_t seed;
    bool has_seed;           /* a seed was given */
    enum isa_stage strategy; /* ISA_STAGE_COUNT: not given */
    bool json, profile;
    enum analysis_cost_by by; /* ANALYSIS_COST_BY_NOTHING: --by was not given */
    const char *stats, *series, *output;
    const char *window, *energy;   /* NULL: not given */
    const char *record;            /* path of a recording to write; NULL: not given */
    uint64_t interval, checkpoint; /* in cycles; 0: not given */
    const char *from;              /* path of a recording to continue; NULL: not given */
    struct lib_text from_name;     /* owns the string `from` */
    uint64_t from_cycle;
    struct sim_options_cycles cycles; /* value of --cycles, also stored in `events` */
    const char *trace;                /* path for an event file; NULL: not given */
    /* events that --level, --pe and others select; level TRACES_LEVEL_COUNT: no --level */
    struct sim_recorded_events events;
    struct lib_texts ports; /* values of --port: NAME=FILE */
    const char *params;     /* path of a folder with values of params; NULL: not given */
    const char **arguments; /* owned */
    size_t argument_count;
    void *own; /* values of the command's own options */
};

/* Returns the events for --trace to write: by default all levels except queues. */
struct sim_recorded_events sim_options_events(const struct sim_options *options);

/* Whether options select events (--level, --pe and others). */
bool sim_options_says_events(const struct sim_options *options);

/* Rows of a table of options. `at_` is the offset of the value in a command's structure. */
#define SIM_FLAG(name_, at_, help_)                                                      \
    {                                                                                    \
        .name = name_, .kind = LIB_FIELD_FLAG, .at = at_, .help = help_                  \
    }
#define SIM_OPTION(name_, letter_, kind_, value_, at_, help_)                            \
    {                                                                                    \
        .name = name_, .letter = letter_, .kind = LIB_FIELD_##kind_, .value = value_,    \
        .at = at_, .help = help_                                                         \
    }
/* Option whose value names a file or folder that the command writes (lib/guard.h). */
#define SIM_OUTPUT(name_, letter_, kind_, value_, at_, help_)                            \
    {                                                                                    \
        .name = name_, .letter = letter_, .kind = LIB_FIELD_##kind_, .value = value_,    \
        .at = at_, .is_output = true, .help = help_                                      \
    }
#define SIM_NUMBER(name_, letter_, kind_, at_, least_, most_, help_)                     \
    {                                                                                    \
        .name = name_, .letter = letter_, .kind = LIB_FIELD_##kind_, .value = "N",       \
        .at = at_, .least = least_, .most = most_, .help = help_                         \
    }
#define SIM_TAKEN_BY(name_, value_, at_, take_, help_)                                   \
    {                                                                                    \
        .name = name_, .value = value_, .at = at_, .take = take_, .help = help_          \
    }
/* The same, for an output: FILE, or NAME=FILE. */
#define SIM_OUTPUT_TAKEN_BY(name_, value_, at_, take_, help_)                            \
    {                                                                                    \
        .name = name_, .value = value_, .at = at_, .take = take_, .is_output = true,     \
        .help = help_                                                                    \
    }
/* Option -j N: an unsigned integer, 0 if not given. */
#define SIM_JOBS(at_, help_)                                                             \
    SIM_NUMBER("jobs", 'j', UNSIGNED, at_, 1, SIM_MAX_JOBS, help_)

/* Option --optimise=PASS,...: short for a setting. `take` calls sim_optimise_take, which adds
 * KEY=VALUE, kept in `own`, to `sets`; or returns false and sets `why`. */
#define SIM_OPTIMISE(at_, take_)                                                         \
    SIM_TAKEN_BY("optimise", "PASS,...", at_, take_,                                     \
                 "Make these passes of the optimiser; `all': all of them")
bool sim_optimise_take(struct lib_texts *sets, struct lib_text *own, const char *list,
                       struct lib_text *why);

struct sim_complete_value;

struct sim_usage {
    unsigned takes;
    const char *arguments; /* arguments as in --help: "PROGRAM [NAME=VALUE]..." */
    const char *help;   /* help of argp: text before the options, \v, text after them */
    size_t least, most; /* min and max number of arguments */
    /* name of the first argument, for a message if it is missing: "PROGRAM" */
    const char *missing;
    /* the command's own options, ended by one without a name; or NULL */
    const struct lib_field *options;
    /* Prints completions of a value of the command's own. Returns false if it has none for this
     * value. May be NULL. */
    bool (*complete)(const struct sim_complete_value *value);
};

/* Parses a command line, whose argv[0] is "hiaton CMD". Free with sim_options_free. */
void sim_options_parse(struct sim_options *options, const struct sim_usage *usage,
                       void *own, int argc, char **argv);
/* Prints an error about the command line and ends the process with SIM_USAGE. Functions called by
 * argp pass state->name as `command`. */
_Noreturn void sim_options_wrong(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints that the value `text` of an option is none of `choices`, "a|b|c", and ends the process. */
_Noreturn void sim_options_no_choice(const char *option, const char *text,
                                     const char *choices, const char *command);

/* Returns the number of jobs to run at once: `jobs`, or if that is 0 one per processor, at most
 * SIM_MAX_JOBS. */
unsigned sim_options_all_jobs(unsigned jobs);

/* Loads the configuration of the machine from -m and -s. Returns false and adds diagnostics on
 * errors. */
static inline bool sim_options_setup(const struct sim_options *options,
                                     struct sim_setup *setup, struct lib_arena *arena,
                                     struct lib_diags *diags)
{
    return sim_setup_load(setup, arena, options->machine, options->sets.items,
                          options->sets.count, diags);
}

/* Returns what to run: PROGRAM [NAME=VALUE]... on the machine of the options. */
static inline struct sim_session_request
sim_options_request(const struct sim_options *options)
{
    return (struct sim_session_request){
        .program = options->arguments[0],
        .inputs = options->arguments + 1,
        .input_count = options->argument_count - 1,
        .machine = options->machine,
        .sets = options->sets.items,
        .set_count = options->sets.count,
        .strategy = options->strategy,
        .seed = options->seed,
        .has_seed = options->has_seed,
        .energy = options->energy,
        .window = options->window,
    };
}

void sim_options_free(struct sim_options *options);

#endif
