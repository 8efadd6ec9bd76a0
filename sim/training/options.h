/* Options of training: a struct, and a table of its members (sim/training/options.def).
 *
 * Command line, checkpoints and experiments read and write values as the same text. An invalid
 * value leaves the options unchanged. */
#ifndef SIM_TRAINING_OPTIONS_H
#define SIM_TRAINING_OPTIONS_H

#include <stddef.h>

#include "lib/fields.h"
#include "sim/training/optimiser.h"

/* Which function of the program computes the loss of a batch. */
enum sim_batch_form {
    SIM_BATCH_AUTO,   /* `losses` if the program defines it, else `loss` */
    SIM_BATCH_LOSS,   /* `loss(i)`, run for each example */
    SIM_BATCH_LOSSES, /* `losses(is)`, run once for the batch */
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

/* Version of training, part of the identity of training runs. Must be raised by any change that
 * affects the params that existing programs learn. */
enum { SIM_TRAINING_MODEL_VERSION = 1 };

/* Version of the format of training checkpoints. */
enum { SIM_TRAINING_FORMAT = 2 };

/* Initialises a struct lib_field from a row of options.def. The value of the option is written to a
 * struct that contains a struct sim_training_options at offset `base_`. */
#define SIM_TRAINING_FIELD(field_, base_, kind_, value_, help_)                          \
    .name = #field_, .kind = LIB_FIELD_##kind_, .value = value_, .help = help_,          \
    .at = (base_) + offsetof(struct sim_training_options, field_)

struct sim_training_option {
    struct lib_field field; /* offset and type in struct sim_training_options */
    /* A resumed training may have another value. */
    bool is_open;
    const char *const *names; /* names of the values, if the option is a CHOICE */
};

extern const struct sim_training_option sim_training_option_table[];
extern const size_t sim_training_option_count;

/* Returns the option called `name`, which must exist. */
const struct sim_training_option *sim_training_option_find(const char *name);

struct sim_training_options sim_training_defaults(void);

/* Sets the number of epochs to its default if neither epochs nor steps are given. */
void sim_training_options_complete(struct sim_training_options *options);

/* Appends the value of an option as text that reads back as the same value. */
void sim_training_option_write(const struct sim_training_options *options,
                               const struct sim_training_option *option,
                               struct lib_text *out);

/* Return the value of an option of kind CHOICE, WHOLE, REAL or PATH, respectively. */
const char *sim_training_option_choice(const struct sim_training_options *options,
                                       const struct sim_training_option *option);
uint64_t sim_training_option_whole(const struct sim_training_options *options,
                                   const struct sim_training_option *option);
double sim_training_option_real(const struct sim_training_options *options,
                                const struct sim_training_option *option);
const char *sim_training_option_path(const struct sim_training_options *options,
                                     const struct sim_training_option *option);

/* Returns an option that contradicts other options, and sets `why` to the reason; NULL if none
 * does. */
const struct sim_training_option *
sim_training_options_clash(const struct sim_training_options *options, const char **why);

#endif
