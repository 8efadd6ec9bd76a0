/* Options of training: a structure, and a table of its fields (sim/training/options.def).
 *
 * Values are read from text and written as text, the same for the command line, checkpoints and
 * experiments. A value that is refused leaves the options as they were. */
#ifndef SIM_TRAINING_OPTIONS_H
#define SIM_TRAINING_OPTIONS_H

#include "lib/text.h"
#include "sim/training/optimiser.h"

/* Function of a program that gives the loss of a batch. */
enum sim_batch_form {
    SIM_BATCH_AUTO,   /* losses, if the program has it; else loss */
    SIM_BATCH_LOSS,   /* loss(i), run for each example */
    SIM_BATCH_LOSSES, /* losses(is), run once */
    SIM_BATCH_FORMS,
};
extern const char *const sim_batch_forms[SIM_BATCH_FORMS];

struct sim_training_options {
#define CHOICE(field, standard, type, ...) type field;
#define WHOLE(field, ...) uint64_t field;
#define OPEN_WHOLE(field, ...) uint64_t field;
#define REAL(field, ...) double field;
#define PATH(field, ...) const char *field;
#include "sim/training/options.def"
#undef PATH
#undef REAL
#undef OPEN_WHOLE
#undef WHOLE
#undef CHOICE
    uint64_t seed;
};

/* Version of training, part of the identity of training runs in experiments. It must be raised by
 * any change of the params that existing trainings yield. */
enum { SIM_TRAINING_MODEL_VERSION = 1 };

/* Format of the checkpoints that a training writes. */
enum { SIM_TRAINING_FORMAT = 2 };

enum sim_training_option_kind {
    SIM_TRAINING_CHOICE,
    SIM_TRAINING_WHOLE,
    SIM_TRAINING_REAL,
    SIM_TRAINING_PATH,
};

struct sim_training_option {
    const char *name; /* name of the field, and of the option after its dashes */
    const char *help;
    const char *value; /* its value in --help: "N", "RATE", "sgd|adam" */
    enum sim_training_option_kind kind;
    bool is_open;              /* training may be resumed with another value */
    size_t offset;             /* offset of the field */
    const char *const *names;  /* names of values of a CHOICE */
    uint64_t min, max;         /* limits of a WHOLE */
    double real_min, real_end; /* limits of a REAL; real_end is excluded */
    const char *expected;      /* range of a REAL in words */
};

extern const struct sim_training_option sim_training_option_table[];
extern const size_t sim_training_option_count;

struct sim_training_options sim_training_defaults(void);

/* Sets the epochs, if neither epochs nor steps are given. */
void sim_training_options_complete(struct sim_training_options *options);

/* Reads a value. Returns false and adds the expected values to `why` if the text is invalid. The
 * text of a path is borrowed. */
bool sim_training_option_set(struct sim_training_options *options,
                             const struct sim_training_option *option, const char *text,
                             struct lib_text *why);

/* Adds the value as text, which reads back the same. */
void sim_training_option_write(const struct sim_training_options *options,
                               const struct sim_training_option *option,
                               struct lib_text *out);

/* Return the value of an option that is a CHOICE, a WHOLE, a REAL or a PATH. */
const char *sim_training_option_choice(const struct sim_training_options *options,
                                       const struct sim_training_option *option);
uint64_t sim_training_option_whole(const struct sim_training_options *options,
                                   const struct sim_training_option *option);
double sim_training_option_real(const struct sim_training_options *options,
                                const struct sim_training_option *option);
const char *sim_training_option_path(const struct sim_training_options *options,
                                     const struct sim_training_option *option);

/* Returns an option that contradicts the others, and sets `why`; or NULL if none does. */
const struct sim_training_option *
sim_training_options_clash(const struct sim_training_options *options, const char **why);

#endif
