#include "sim/training/options.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const sim_batch_forms[SIM_BATCH_FORMS] = {"auto", "loss", "losses"};

const struct sim_training_option sim_training_option_table[] = {
#define CHOICE(field_, standard, type, names_, choices, help)                            \
    {.field = {SIM_TRAINING_FIELD(field_, 0, CHOICE, choices, help)}, .names = names_},
#define NUMBER(field_, min_, max_, is_open_, help)                                       \
    {.field = {SIM_TRAINING_FIELD(field_, 0, U64, "N", help), .least = min_,             \
               .most = max_},                                                            \
     .is_open = is_open_},
#define WHOLE(field, standard, min, max, help) NUMBER(field, min, max, false, help)
#define OPEN_WHOLE(field, standard, min, max, help) NUMBER(field, min, max, true, help)
#define REAL(field_, standard, min, end_, value, expected_, help)                        \
    {.field = {SIM_TRAINING_FIELD(field_, 0, REAL, value, help), .low = min,             \
               .end = end_, .expected = expected_}},
#define PATH(field_, help)                                                               \
    {.field = {SIM_TRAINING_FIELD(field_, 0, FILE, "FILE", help)}, .is_open = true},
#include "sim/training/options.def"
#undef PATH
#undef REAL
#undef OPEN_WHOLE
#undef WHOLE
#undef NUMBER
#undef CHOICE
};

const size_t sim_training_option_count = sizeof sim_training_option_table /
                                         sizeof *sim_training_option_table;

struct sim_training_options sim_training_defaults(void)
{
    return (struct sim_training_options){
#define CHOICE(field, standard, ...) .field = standard,
#define WHOLE(field, standard, ...) .field = standard,
#define OPEN_WHOLE(field, standard, ...) .field = standard,
#define REAL(field, standard, ...) .field = standard,
#define PATH(field, ...) .field = NULL,
#include "sim/training/options.def"
#undef PATH
#undef REAL
#undef OPEN_WHOLE
#undef WHOLE
#undef CHOICE
    };
}

enum { EPOCHS = 5 };

void sim_training_options_complete(struct sim_training_options *options)
{
    if (!options->epochs && !options->steps)
        options->epochs = EPOCHS;
}

/* --- values as text ------------------------------------------------------------------- */

static const void *read_field(const struct sim_training_options *o,
                              const struct sim_training_option *option)
{
    return (const char *)o + option->field.at;
}

static_assert(sizeof(enum sim_method) == sizeof(unsigned) &&
                  sizeof(enum sim_batch_form) == sizeof(unsigned),
              "a choice is an unsigned");

const char *sim_training_option_choice(const struct sim_training_options *options,
                                       const struct sim_training_option *option)
{
    unsigned choice;
    memcpy(&choice, read_field(options, option), sizeof choice);
    return option->names[choice];
}

uint64_t sim_training_option_whole(const struct sim_training_options *options,
                                   const struct sim_training_option *option)
{
    uint64_t value;
    memcpy(&value, read_field(options, option), sizeof value);
    return value;
}

double sim_training_option_real(const struct sim_training_options *options,
                                const struct sim_training_option *option)
{
    double value;
    memcpy(&value, read_field(options, option), sizeof value);
    return value;
}

const char *sim_training_option_path(const struct sim_training_options *options,
                                     const struct sim_training_option *option)
{
    const char *path;
    memcpy(&path, read_field(options, option), sizeof path);
    return path;
}

void sim_training_option_write(const struct sim_training_options *options,
                               const struct sim_training_option *option,
                               struct lib_text *out)
{
    switch (option->field.kind) {
    case LIB_FIELD_CHOICE:
        lib_text_puts(out, sim_training_option_choice(options, option));
        break;
    case LIB_FIELD_U64:
        lib_text_printf(out, "%" PRIu64, sim_training_option_whole(options, option));
        break;
    case LIB_FIELD_REAL:
        lib_text_real(out, sim_training_option_real(options, option));
        break;
    default: {
        const char *path = sim_training_option_path(options, option);
        lib_text_puts(out, path ? path : "");
        break;
    }
    }
}

/* --- options together ------------------------------------------------------------------- */

const struct sim_training_option *sim_training_option_find(const char *name)
{
    const struct sim_training_option *option = sim_training_option_table;
    while (strcmp(option->field.name, name) != 0)
        option++;
    return option;
}

const struct sim_training_option *
sim_training_options_clash(const struct sim_training_options *o, const char **why)
{
    if (o->momentum > 0 && o->method != SIM_METHOD_SGD) {
        *why =
            "expected 0, as adam keeps a mean of gradients by itself; momentum is of sgd";
        return sim_training_option_find("momentum");
    }
    if (o->halve > 0 && o->held == 0) {
        *why =
            "expected examples held out, whose loss decides; there are none (held is 0)";
        return sim_training_option_find("halve");
    }
    return NULL;
}
