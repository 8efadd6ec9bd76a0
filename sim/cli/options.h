/* The command line of a sub-command, on glibc's argp.
 *
 * A command says which of the common options it takes and, where it has options of its
 * own, adds a parser for them. Bad usage never returns: what is wrong is said, and the
 * process ends with SIM_USAGE; --help ends it with SIM_DONE, and so does SIM_COMPLETE
 * (sim/cli/dispatch.h). */
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

/* Which common options a command takes; -q, -v and --help are always taken. */
enum {
    SIM_TAKES_MACHINE = 1 << 0,  /* -m, -s */
    SIM_TAKES_SEED = 1 << 1,     /* --seed */
    SIM_TAKES_STRATEGY = 1 << 2, /* --strategy */
    SIM_TAKES_JSON = 1 << 3,     /* --json */
    SIM_TAKES_STATS = 1 << 4,    /* --stats */
    SIM_TAKES_OUTPUT = 1 << 5,   /* -o */
    SIM_TAKES_OBSERVE = 1 << 6,  /* --series, --profile, --window, --energy, --by */
    SIM_TAKES_SET = 1 << 7,      /* -s alone */
    SIM_TAKES_RECORD = 1 << 8,   /* --record, --interval, --checkpoint */
    SIM_TAKES_TRACE = 1 << 9,    /* --trace */
    SIM_TAKES_EVENTS = 1 << 10, /* --level, --cycles, --pe, --function, --line, --below */
    SIM_TAKES_INTERVAL = 1 << 11, /* --interval, --checkpoint alone */
    SIM_TAKES_FROM = 1 << 12,     /* --from */
    SIM_TAKES_PORT = 1 << 13,     /* --port */
    SIM_TAKES_PARAMS = 1 << 14,   /* --params */
};

/* A value of --cycles, "FROM..TO": the cycles `from` to `to` - 1. */
struct sim_options_cycles {
    const char *text;  /* NULL: not given */
    uint64_t from, to; /* UINT64_MAX: to the end */
};
bool sim_options_take_cycles(void *cycles, const char *text, struct lib_text *why);

/* What was asked for. Text points into argv. */
struct sim_options {
    struct sim_voice voice;
    const char *machine;   /* NULL: not given */
    struct lib_texts sets; /* KEY=VALUE, in order */
    uint64_t seed;
    bool has_seed;           /* it was given */
    enum isa_stage strategy; /* of what is executed; ISA_STAGE_COUNT: not given */
    bool json, profile;
    enum analysis_cost_by by; /* whose costs; ANALYSIS_COST_BY_NOTHING: not given */
    const char *stats, *series, *output;
    const char *window, *energy;   /* NULL: not given */
    const char *record;            /* NULL: not given */
    uint64_t interval, checkpoint; /* in cycles; 0: not given */
    const char *from;              /* a recording; NULL: not given */
    struct lib_text from_name;     /* its owner */
    uint64_t from_cycle;
    struct sim_options_cycles cycles;  /* also in `events' */
    const char *trace;                 /* a file for events; NULL: not given */
    struct sim_recorded_events events; /* which; level TRACES_LEVEL_COUNT: not given */
    struct lib_texts ports;            /* NAME=FILE */
    const char *params;                /* a folder; NULL: not given */
    const char **arguments;            /* owned */
    size_t argument_count;
    void *own; /* for the command's own parser */
};

/* Which events --trace is to write: all levels but queues, if nothing else was said. */
struct sim_recorded_events sim_options_events(const struct sim_options *options);
bool sim_options_says_events(const struct sim_options *options); /* something was said */

/* Rows of tables of options: `at` is the place in the structure of a command. */
#define SIM_FLAG(name_, at_, help_)                                                      \
    {                                                                                    \
        .name = name_, .kind = LIB_FIELD_FLAG, .at = at_, .help = help_                  \
    }
#define SIM_OPTION(name_, letter_, kind_, value_, at_, help_)                            \
    {                                                                                    \
        .name = name_, .letter = letter_, .kind = LIB_FIELD_##kind_, .value = value_,    \
        .at = at_, .help = help_                                                         \
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
/* -j N: an unsigned, 0 if it is not given. */
#define SIM_JOBS(at_, help_)                                                             \
    SIM_NUMBER("jobs", 'j', UNSIGNED, at_, 1, SIM_MAX_JOBS, help_)

struct sim_complete_value; /* sim/cli/complete.h */

struct sim_usage {
    unsigned takes;
    const char *arguments; /* as --help shows them: "PROGRAM [NAME=VALUE]..." */
    const char *help;      /* argp's: what stands before the options, \v, after them */
    size_t least, most;    /* number of arguments */
    const char *missing;   /* what the first one is: "PROGRAM" */
    const struct lib_field
        *options; /* the command's own, up to one without a name; or NULL */
    /* Prints what a value of the command may be, where it knows; or NULL. */
    bool (*complete)(const struct sim_complete_value *value);
};

/* Parses. argv[0] is "hiaton CMD". Give back with sim_options_free. */
void sim_options_parse(struct sim_options *options, const struct sim_usage *usage,
                       void *own, int argc, char **argv);
/* Says what is wrong with the command line and ends the process with SIM_USAGE: for
 * parsers, which know the command as state->name. */
_Noreturn void sim_options_wrong(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says that the value of an option is none of "a|b|c", and ends the process. */
_Noreturn void sim_options_no_choice(const char *option, const char *text,
                                     const char *choices, const char *command);

/* Jobs: where they were not given, which is 0, one for each processor, as far as may be. */
unsigned sim_options_all_jobs(unsigned jobs);

/* The configuration of the machine that -m and -s ask for. false after errors. */
static inline bool sim_options_setup(const struct sim_options *options,
                                     struct sim_setup *setup, struct lib_arena *arena,
                                     struct lib_diags *diags)
{
    return sim_setup_load(setup, arena, options->machine, options->sets.items,
                          options->sets.count, diags);
}

/* What shall run: PROGRAM [NAME=VALUE]... on the machine that the options ask for. */
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
