#include "sim/training/options.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const sim_batch_forms[SIM_BATCH_FORMS] = {"auto", "loss", "losses"};

#define FIELD(field_, help_)                                                             \
    .name = #field_, .help = help_,                                                      \
    .offset = offsetof(struct sim_training_options, field_)

const struct sim_training_option sim_training_option_table[] = {
#define CHOICE(field, standard, type, names_, choices, help)                             \
    {FIELD(field, help), .kind = SIM_TRAINING_CHOICE, .value = choices, .names = names_},
#define WHOLE(field, standard, min_, max_, help)                                         \
    {FIELD(field, help), .kind = SIM_TRAINING_WHOLE, .value = "N", .min = min_,          \
     .max = max_},
#define OPEN_WHOLE(field, standard, min_, max_, help)                                    \
    {FIELD(field, help), .kind = SIM_TRAINING_WHOLE,                                     \
     .value = "N",       .is_open = true,                                                \
     .min = min_,        .max = max_},
#define REAL(field, standard, min_, end_, value_, expected_, help)                       \
    {FIELD(field, help), .kind = SIM_TRAINING_REAL, .value = value_,                     \
     .real_min = min_,   .real_end = end_,          .expected = expected_},
#define PATH(field, help)                                                                \
    {FIELD(field, help), .kind = SIM_TRAINING_PATH, .value = "FILE", .is_open = true},
#include "sim/training/options.def"
#undef PATH
#undef REAL
#undef OPEN_WHOLE
#undef WHOLE
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

static void *field_of(struct sim_training_options *o,
                      const struct sim_training_option *option)
{
    return (char *)o + option->offset;
}

static const void *read_field(const struct sim_training_options *o,
                              const struct sim_training_option *option)
{
    return (const char *)o + option->offset;
}

static_assert(sizeof(enum sim_method) == sizeof(unsigned) &&
                  sizeof(enum sim_batch_form) == sizeof(unsigned),
              "a choice is an unsigned");

/* Writes "a|b|c" as "a, b or c". */
static void write_choices(const char *choices, struct lib_text *out)
{
    for (const char *p = choices; *p; p++) {
        if (*p == '|')
            lib_text_puts(out, strchr(p + 1, '|') ? ", " : " or ");
        else
            lib_text_add(out, p, 1);
    }
}

static bool set_choice(struct sim_training_options *o,
                       const struct sim_training_option *option, const char *text,
                       struct lib_text *why)
{
    unsigned value = 0;
    for (const char *p = option->value; *p; value++) {
        const size_t length = strcspn(p, "|");
        if (strlen(text) == length && strncmp(p, text, length) == 0) {
            memcpy(field_of(o, option), &value, sizeof value);
            return true;
        }
        p += length + (p[length] == '|');
    }
    lib_text_puts(why, "expected ");
    write_choices(option->value, why);
    lib_text_printf(why, ", found `%s`", text);
    lib_text_hint_choice(why, text, option->value);
    return false;
}

static bool set_whole(struct sim_training_options *o,
                      const struct sim_training_option *option, const char *text,
                      struct lib_text *why)
{
    uint64_t value;
    if (lib_text_to_whole(text, &value) && value >= option->min && value <= option->max) {
        memcpy(field_of(o, option), &value, sizeof value);
        return true;
    }
    lib_text_printf(why, "expected a number from %" PRIu64 " to %" PRIu64 ", found `%s`",
                    option->min, option->max, text);
    lib_text_hint_whole(why, text, option->min, option->max);
    return false;
}

static bool set_real(struct sim_training_options *o,
                     const struct sim_training_option *option, const char *text,
                     struct lib_text *why)
{
    double value;
    int64_t whole;
    if (!lib_text_to_real(text, &value))
        value = lib_text_to_int(text, &whole) ? (double)whole : NAN;
    if (value >= option->real_min && value < option->real_end) {
        memcpy(field_of(o, option), &value, sizeof value);
        return true;
    }
    lib_text_printf(why, "expected %s, found `%s`", option->expected, text);
    return false;
}

static bool set_path(struct sim_training_options *o,
                     const struct sim_training_option *option, const char *text,
                     struct lib_text *why)
{
    if (*text && strcmp(text, "-") != 0) {
        memcpy(field_of(o, option), &text, sizeof text);
        return true;
    }
    lib_text_printf(why, "expected the path of a file, found `%s`%s", text,
                    *text ? "; standard input cannot be read again" : "");
    return false;
}

bool sim_training_option_set(struct sim_training_options *options,
                             const struct sim_training_option *option, const char *text,
                             struct lib_text *why)
{
    switch (option->kind) {
    case SIM_TRAINING_CHOICE:
        return set_choice(options, option, text, why);
    case SIM_TRAINING_WHOLE:
        return set_whole(options, option, text, why);
    case SIM_TRAINING_REAL:
        return set_real(options, option, text, why);
    default:
        return set_path(options, option, text, why);
    }
}

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
    switch (option->kind) {
    case SIM_TRAINING_CHOICE:
        lib_text_puts(out, sim_training_option_choice(options, option));
        break;
    case SIM_TRAINING_WHOLE:
        lib_text_printf(out, "%" PRIu64, sim_training_option_whole(options, option));
        break;
    case SIM_TRAINING_REAL:
        lib_text_real(out, sim_training_option_real(options, option));
        break;
    case SIM_TRAINING_PATH: {
        const char *path = sim_training_option_path(options, option);
        lib_text_puts(out, path ? path : "");
        break;
    }
    }
}

/* --- options together ------------------------------------------------------------------- */

static const struct sim_training_option *find_option(const char *name)
{
    const struct sim_training_option *option = sim_training_option_table;
    while (strcmp(option->name, name) != 0)
        option++;
    return option;
}

const struct sim_training_option *
sim_training_options_clash(const struct sim_training_options *o, const char **why)
{
    if (o->momentum > 0 && o->method != SIM_METHOD_SGD) {
        *why =
            "expected 0, as adam keeps a mean of gradients by itself; momentum is of sgd";
        return find_option("momentum");
    }
    if (o->halve > 0 && o->held == 0) {
        *why =
            "expected examples held out, whose loss decides; there are none (held is 0)";
        return find_option("halve");
    }
    return NULL;
}
