#include "sim/commands/commands.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "lib/findings.h"
#include "lib/guard.h"
#include "sim/cli/options.h"
#include "sim/cli/output_options.h"
#include "sim/ending/ending.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/outputs/make_outputs.h"
#include "sim/outputs/training_figure.h"
#include "sim/session/host.h"
#include "sim/training/training.h"

enum { EVERY = 100, MAX_THREADS = 1024 };

struct own {
    struct sim_training_options training;
    uint64_t every;
    unsigned threads; /* 0: not given */
    bool resumes;
    const char *folder, *figure; /* NULL: not given */
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    SIM_OUTPUT(
        "output", 'o', TEXT, "DIR", OF(folder),
        "Write params, losses and checkpoints to this folder; else nothing is kept"),
#define CHOICE(field, standard, type, names, choices, help)                              \
    {SIM_TRAINING_FIELD(field, OF(training), CHOICE, choices, help)},
#define WHOLE(field, standard, min_, max_, help)                                         \
    {SIM_TRAINING_FIELD(field, OF(training), U64, "N", help), .least = min_,             \
     .most = max_},
#define OPEN_WHOLE WHOLE
#define REAL(field, standard, min, end_, value, expected_, help)                         \
    {SIM_TRAINING_FIELD(field, OF(training), REAL, value, help), .low = min,             \
     .end = end_, .expected = expected_},
#define PATH(field, help) {SIM_TRAINING_FIELD(field, OF(training), FILE, "FILE", help)},
#include "sim/training/options.def"
#undef PATH
#undef REAL
#undef OPEN_WHOLE
#undef WHOLE
#undef CHOICE
    SIM_NUMBER("every", 0, U64, OF(every), 1, UINT64_C(1) << 32,
               "Write a checkpoint every N steps; default: 100"),
    SIM_OUTPUT_TAKEN_BY(
        "figure", "FILE", OF(figure), sim_figure_take,
        "Draw losses, accuracy and a rate that changes, by epoch: FILE.pdf, "
        "FILE.svg or FILE.png"),
    SIM_FLAG("resume", OF(resumes), "Go on from the checkpoint in DIR, if there is one"),
    SIM_NUMBER(
        "threads", 0, UNSIGNED, OF(threads), 1, MAX_THREADS,
        "Of the host; they change nothing but the time. Default: one for each processor"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_SET | SIM_TAKES_SEED | SIM_TAKES_JSON,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help =
        "Train the params of a program, and print losses by epoch."
        "\vPROGRAM is a source with params, a function `loss(i)`, the loss of example i, "
        "or `losses(is)`, the sum of those of an array of examples, and `examples`, how "
        "many there are. If it has a function `correct(i)`, a bool, the share of "
        "examples held out for which it holds is their accuracy.\n\n"
        "Params begin as the program says, from the seed. The untimed interpreter "
        "computes losses and gradients: for params it does not matter which machine "
        "does, and it is fastest. `hiaton run` measures the same functions on a "
        "machine.\n\n"
        "In the folder of -o stand NAME.npy for each param, which `file(\"NAME.npy\")` "
        "reads, steps.csv and epochs.csv with losses, and training.checkpoint. After a "
        "kill, --resume goes on from there, to the same params to the last bit.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
};

struct command {
    const struct sim_options *options;
    const struct own *own;
    struct sim_model model;
    struct sim_training training;
    struct lib_text checkpoint;
    struct sim_progress_line line;
    double start;
    uint64_t seen; /* examples before the start */
};

static enum sim_status put(const struct command *c, const char *name,
                           struct lib_text *text)
{
    LIB_TEXT_OWN path = {0};
    lib_text_printf(&path, "%s/%s", c->own->folder, name);
    const enum sim_status status = sim_put(&c->options->printer, path.bytes, text);
    lib_text_free(text);
    return status;
}

static enum sim_status save(struct command *c)
{
    struct lib_diags diags = {0};
    if (!c->own->folder)
        return SIM_DONE;
    sim_training_save(&c->training, c->checkpoint.bytes, &diags);
    return sim_tell(&c->options->printer, &diags);
}

static enum sim_status put_table(const struct command *c, const char *name,
                                 void (*add)(const struct sim_training *training,
                                             struct lib_findings *findings))
{
    struct lib_findings f;
    struct lib_text text = {0};
    lib_findings_start(&f, NULL, false);
    f.untitled = true;
    add(&c->training, &f);
    lib_findings_write(&f, LIB_FORM_CSV, NULL, &text);
    lib_findings_free(&f);
    return put(c, name, &text);
}

static enum sim_status deliver_files(struct command *c)
{
    enum sim_status status = save(c);
    if (!c->own->folder || status != SIM_DONE)
        return status;
    status = put_table(c, "steps.csv", sim_training_add_steps);
    if (status == SIM_DONE)
        status = put_table(c, "epochs.csv", sim_training_add_epochs);
    for (size_t p = 0; p < c->model.says.param_count && status == SIM_DONE; p++) {
        struct lib_text name = {0}, npy = {0};
        lib_text_printf(&name, "%s.npy", c->model.says.params[p]);
        sim_model_write(&c->model, p, &npy);
        status = put(c, name.bytes, &npy);
        lib_text_free(&name);
    }
    return status;
}

/* Whether no file of the folder will overwrite one that the training reads, or another output. */
static bool may_write_all(const struct command *c, struct lib_diags *diags)
{
    static const char *const names[] = {"steps.csv", "epochs.csv", "training.checkpoint"};
    bool good = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LIB_TEXT_OWN path = {0};
        lib_text_printf(&path, "%s/%s", c->own->folder, names[i]);
        good &= lib_guard_may_write("-o", path.bytes, diags);
    }
    for (size_t p = 0; p < c->model.says.param_count; p++) {
        LIB_TEXT_OWN path = {0};
        lib_text_printf(&path, "%s/%s.npy", c->own->folder, c->model.says.params[p]);
        good &= lib_guard_may_write("-o", path.bytes, diags);
    }
    return good;
}

/* Continues from the checkpoint, or checks that none exists. */
static enum sim_status take_up(struct command *c)
{
    struct lib_diags diags = {0};
    if (!c->own->folder)
        return SIM_DONE;
    lib_text_printf(&c->checkpoint, "%s/training.checkpoint", c->own->folder);
    const enum sim_status status = sim_make_folder(&c->options->printer, c->own->folder);
    if (status != SIM_DONE)
        return status;
    if (!may_write_all(c, &diags))
        return sim_tell(&c->options->printer, &diags);
    if (access(c->checkpoint.bytes, F_OK) != 0)
        return SIM_DONE;
    if (!c->own->resumes) {
        sim_say(&c->options->printer,
                "%s is there: --resume goes on from it; remove it to begin anew",
                c->checkpoint.bytes);
        return SIM_USAGE;
    }
    sim_training_restore(&c->training, c->checkpoint.bytes, &diags);
    return sim_tell(&c->options->printer, &diags);
}

static double rate_of(const struct command *c)
{
    const double seconds = sim_host_clock() - c->start;
    const uint64_t seen = sim_training_seen(&c->training) - c->seen;
    return seconds > 0 ? (double)seen / seconds : 0;
}

static void show(struct command *c)
{
    const struct sim_training *t = &c->training;
    LIB_TEXT_OWN text = {0};
    if (!sim_progress_line_is_due(&c->line))
        return;
    const double rate = rate_of(c);
    lib_text_printf(&text,
                    "step %" PRIu64 " of %" PRIu64 "  loss %.4g  %.0f examples/s  ",
                    t->taken, t->last, t->rows.items[t->rows.count - 1].loss, rate);
    if (rate > 0)
        sim_progress_line_add_time(&text, (double)(t->last - t->taken) *
                                              (double)t->options.batch / rate);
    lib_text_puts(&text, " left");
    sim_progress_line_write(&c->line, &text);
}

/* Ends after a failed step, keeping what was trained. */
static enum sim_status stop_failed(struct command *c, struct lib_diags *diags)
{
    /* the program completed for all examples, so a value is not finite */
    const bool completed = c->model.end == ISA_END_COMPLETED;
    const uint64_t taken = c->training.taken;
    sim_tell(&c->options->printer, diags);
    if (c->own->folder && taken > 0 && deliver_files(c) == SIM_DONE)
        sim_say(&c->options->printer, "%s has the params after step %" PRIu64,
                c->own->folder, taken);
    return completed ? SIM_FAILED : sim_end_status(c->model.end);
}

static enum sim_status train(struct command *c)
{
    struct sim_training *t = &c->training;
    struct lib_diags diags = {0};
    enum sim_status status = SIM_DONE;
    sim_progress_line_start(&c->line, &c->options->printer);
    c->start = sim_host_clock();
    const uint64_t before = t->taken;
    c->seen = sim_training_seen(t);
    while (!sim_training_is_over(t) && status == SIM_DONE && !sim_stop) {
        if (!sim_training_step(t, &diags)) {
            sim_progress_line_end(&c->line);
            return stop_failed(c, &diags);
        }
        if (t->taken % c->own->every == 0)
            status = save(c);
        show(c);
    }
    sim_progress_line_end(&c->line);
    if (sim_training_is_over(t) && t->taken > before) {
        sim_training_warn_still(t, &diags);
        sim_tell(&c->options->printer, &diags);
    }
    if (status != SIM_DONE || sim_training_is_over(t))
        return status;
    status = save(c);
    sim_say(&c->options->printer, "interrupted after step %" PRIu64 " of %" PRIu64 "%s",
            t->taken, t->last, c->own->folder ? "; --resume goes on" : "");
    return status == SIM_DONE ? SIM_INTERRUPTED : status;
}

static void add_option(struct lib_findings *f, const struct sim_training_options *o,
                       const struct sim_training_option *option)
{
    const char *name = option->field.name;
    struct lib_text text = {0};
    if (option->is_open)
        return; /* it only repeats the number of steps */
    if (option->field.kind == LIB_FIELD_U64)
        lib_findings_count(f, name, sim_training_option_whole(o, option), NULL);
    else if (option->field.kind == LIB_FIELD_REAL)
        lib_findings_real(f, name, sim_training_option_real(o, option), NULL);
    else {
        sim_training_option_write(o, option, &text);
        lib_findings_text(f, name, &text, NULL);
    }
}

/* Adds the epochs. For programs also adds options and what the host did. */
static void add_training(const void *context, struct lib_findings *f)
{
    const struct command *c = context;
    const struct sim_training *t = &c->training;
    if (f->for_people) {
        sim_training_add_epochs(t, f);
        return;
    }
    for (size_t i = 0; i < sim_training_option_count; i++)
        add_option(f, &t->options, &sim_training_option_table[i]);
    lib_findings_count(f, "seed", t->options.seed, NULL);
    lib_findings_count(f, "examples", sim_training_examples(t), NULL);
    lib_findings_count(f, "params", t->model->size, NULL);
    lib_findings_count(f, "steps", t->taken, NULL);
    sim_training_add_epochs(t, f);
    lib_findings_open(f, "host", NULL);
    lib_findings_word(f, "matrices", t->model->math, NULL);
    lib_findings_count(f, "threads", t->model->threads, NULL);
    lib_findings_real(f, "examples_per_second", rate_of(c), NULL);
    lib_findings_close(f);
}

static enum sim_status print(const struct command *c)
{
    LIB_TEXT_OWN text = {0};
    lib_findings_write_from(c->options->json ? LIB_FORM_JSON : LIB_FORM_TEXT, NULL,
                            add_training, c, &text);
    if (!c->options->printer.quiet && !c->options->json)
        sim_say(&c->options->printer, "%.0f examples per second", rate_of(c));
    return sim_put(&c->options->printer, NULL, &text);
}

static enum sim_status open_all(struct command *c)
{
    const struct sim_options *o = c->options;
    const struct sim_model_request request = {
        .program = o->arguments[0],
        .inputs = o->arguments + 1,
        .input_count = o->argument_count - 1,
        .sets = o->sets.items,
        .set_count = o->sets.count,
        .trees = c->own->training.trees,
        .seed = o->seed,
        .batch = c->own->training.batch,
        .held = c->own->training.held,
        .form = c->own->training.form,
        .threads = c->own->threads ? c->own->threads : sim_host_processors(),
    };
    struct sim_training_options options = c->own->training;
    struct lib_diags diags = {0};
    options.seed = o->seed;
    const bool good = sim_model_open(&c->model, &request, &diags) &&
                      sim_training_start(&c->training, &c->model, &options, &diags);
    if (good && options.batch > c->training.options.batch &&
        options.batch != sim_training_defaults().batch)
        lib_diag_warning(&diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
                         "--batch: a batch has at most the %" PRIu64
                         " examples that are trained, not %" PRIu64,
                         c->training.options.batch, options.batch);
    const enum sim_status told = sim_tell(&o->printer, &diags);
    return good ? take_up(c) : c->model.end ? sim_end_status(c->model.end) : told;
}

int sim_train(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {
        .training = sim_training_defaults(),
        .every = EVERY,
    };
    sim_options_parse(&options, &usage, &own, argc, argv);
    if (own.resumes && !own.folder)
        sim_options_wrong(argv[0], "--resume goes on from what is in the folder of -o");
    const char *why;
    const struct sim_training_option *clash = sim_training_options_clash(&own.training,
                                                                         &why);
    if (clash)
        sim_options_wrong(argv[0], "--%s: %s", clash->field.name, why);
    sim_training_options_complete(&own.training);
    struct command c = {.options = &options, .own = &own};
    enum sim_status status = own.figure ? sim_check_writable(&options.printer, own.figure)
                                        : SIM_DONE;
    if (status == SIM_DONE)
        status = open_all(&c);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = train(&c);
    }
    if (status == SIM_DONE)
        status = deliver_files(&c);
    if (status == SIM_DONE && own.figure)
        status = sim_training_figure_put(&c.training, &options.printer, own.figure);
    if (status == SIM_DONE)
        status = print(&c);
    sim_training_free(&c.training);
    sim_model_close(&c.model);
    lib_text_free(&c.checkpoint);
    sim_options_free(&options);
    return status;
}
