/* hiaton train: params of a program from examples. */
#include "sim/commands/commands.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/json.h"
#include "sim/cli/options.h"
#include "sim/cli/progress_line.h"
#include "sim/cli/stop.h"
#include "sim/outputs/make_outputs.h"
#include "sim/session/ending.h"
#include "sim/session/host.h"
#include "sim/training/training.h"

enum {
    KEY_METHOD = 0x400,
    KEY_RATE,
    KEY_BATCH,
    KEY_EPOCHS,
    KEY_STEPS,
    KEY_HELD,
    KEY_EVERY,
    KEY_RESUME,
    KEY_THREADS,
    KEY_TREES,
};

enum { EPOCHS = 5, BATCH = 10, EVERY = 100, MOST_THREADS = 1024 };

#define METHODS "sgd|adam"

struct own {
    struct sim_training_options training;
    uint64_t every;
    unsigned threads; /* 0: not given */
    bool resumes;
    const char *folder, *trees; /* NULL: not given */
};

static const struct argp_option own_options[] = {
    {"output", 'o', "DIR", 0,
     "Write params, losses and checkpoints to this folder; else nothing is kept", 0},
    {"method", KEY_METHOD, METHODS, 0, "The optimiser; default: adam", 0},
    {"rate", KEY_RATE, "RATE", 0, "Its learning rate; default: 0.01", 0},
    {"batch", KEY_BATCH, "N", 0, "Examples of a step; default: 10", 0},
    {"epochs", KEY_EPOCHS, "N", 0, "How often each example comes; default: 5", 0},
    {"steps", KEY_STEPS, "N", 0, "End after so many steps", 0},
    {"held", KEY_HELD, "N", 0,
     "Hold out the last N examples, and judge by them after each epoch; default: 0", 0},
    {"every", KEY_EVERY, "N", 0, "Write a checkpoint every N steps; default: 100", 0},
    {"resume", KEY_RESUME, NULL, 0, "Go on from the checkpoint in DIR, if there is one",
     0},
    {"threads", KEY_THREADS, "N", 0,
     "Of the host; they change nothing but the time. Default: one for each processor", 0},
    {"trees", KEY_TREES, "FILE", 0,
     "Read these trees or sentences in place of those of the program", 0},
    {0},
};

static double read_rate(const char *text, const char *command)
{
    double rate;
    int64_t whole;
    if (!lib_text_to_real(text, &rate))
        rate = lib_text_to_int(text, &whole) ? (double)whole : -1;
    if (!(rate > 0) || isinf(rate))
        sim_options_wrong(command, "--rate: expected a number above 0, found `%s`", text);
    return rate;
}

static error_t parse_training(int key, const char *text, const char *command,
                              struct sim_training_options *t)
{
    const uint64_t most = UINT64_C(1) << 32;
    switch (key) {
    case KEY_METHOD:
        for (unsigned i = 0; i < SIM_METHOD_COUNT; i++)
            if (strcmp(text, sim_methods[i]) == 0) {
                t->method = (enum sim_method)i;
                return 0;
            }
        sim_options_no_choice("--method", text, METHODS, command);
    case KEY_RATE:
        t->rate = read_rate(text, command);
        return 0;
    case KEY_BATCH:
        t->batch = sim_options_whole("--batch", text, 1, 1 << 20, command);
        return 0;
    case KEY_EPOCHS:
        t->epochs = sim_options_whole("--epochs", text, 1, most, command);
        return 0;
    case KEY_STEPS:
        t->steps = sim_options_whole("--steps", text, 1, most, command);
        return 0;
    case KEY_HELD:
        t->held = sim_options_whole("--held", text, 0, most, command);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    struct own *own = context;
    switch (key) {
    case 'o':
        own->folder = text;
        return 0;
    case KEY_EVERY:
        own->every = sim_options_whole("--every", text, 1, UINT64_C(1) << 32,
                                       state->name);
        return 0;
    case KEY_RESUME:
        own->resumes = true;
        return 0;
    case KEY_THREADS:
        own->threads = (unsigned)sim_options_whole("--threads", text, 1, MOST_THREADS,
                                                   state->name);
        return 0;
    case KEY_TREES:
        own->trees = text;
        return 0;
    default:
        return parse_training(key, text, state->name, &own->training);
    }
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_SET | SIM_TAKES_SEED | SIM_TAKES_JSON,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help =
        "Train the params of a program, and print losses by epoch."
        "\vPROGRAM is a source with params, a function `loss(i)`, the loss of example i, "
        "and `examples`, how many there are. If it has a function `correct(i)`, a bool, "
        "the "
        "share of examples held out for which it holds is their accuracy.\n\n"
        "Params begin as the program says, from the seed. The untimed interpreter "
        "computes losses and gradients: for params it does not matter which machine "
        "does, "
        "and it is fastest. `hiaton run` measures the same functions on a machine.\n\n"
        "In the folder of -o stand NAME.npy for each param, which `file(\"NAME.npy\")` "
        "reads, steps.csv with the loss of each step, and training.checkpoint. After a "
        "kill, "
        "--resume goes on from there, to the same params to the last bit.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
    .parse = parse,
};

/* --- files ------------------------------------------------------------------------------------- */

struct command {
    const struct sim_options *options;
    const struct own *own;
    struct sim_model model;
    struct sim_training training;
    struct lib_text checkpoint; /* its path */
    struct sim_progress_line line;
    double start;
    uint64_t seen; /* examples, before the start */
};

static enum sim_status put(const struct command *c, const char *name,
                           struct lib_text *text)
{
    struct lib_text path = {0};
    lib_text_printf(&path, "%s/%s", c->own->folder, name);
    const enum sim_status status = sim_put(&c->options->voice, path.bytes, text);
    lib_text_free(&path);
    lib_text_free(text);
    return status;
}

static enum sim_status save(struct command *c)
{
    struct lib_diags diags = {0};
    if (!c->own->folder)
        return SIM_DONE;
    sim_training_save(&c->training, c->checkpoint.bytes, &diags);
    return sim_tell(&c->options->voice, &diags);
}

static enum sim_status deliver_files(struct command *c)
{
    struct lib_text text = {0};
    enum sim_status status = save(c);
    if (!c->own->folder || status != SIM_DONE)
        return status;
    sim_training_write(&c->training, &text);
    status = put(c, "steps.csv", &text);
    for (size_t p = 0; p < c->model.says.param_count && status == SIM_DONE; p++) {
        struct lib_text name = {0}, npy = {0};
        lib_text_printf(&name, "%s.npy", c->model.says.params[p]);
        sim_model_write(&c->model, p, &npy);
        status = put(c, name.bytes, &npy);
        lib_text_free(&name);
    }
    return status;
}

/* Goes on from the checkpoint, or sees that there is none. */
static enum sim_status take_up(struct command *c)
{
    struct lib_diags diags = {0};
    if (!c->own->folder)
        return SIM_DONE;
    lib_text_printf(&c->checkpoint, "%s/training.checkpoint", c->own->folder);
    if (access(c->checkpoint.bytes, F_OK) != 0)
        return sim_make_folder(&c->options->voice, c->own->folder);
    if (!c->own->resumes) {
        sim_say(&c->options->voice,
                "%s is there: --resume goes on from it; remove it to begin anew",
                c->checkpoint.bytes);
        return SIM_USAGE;
    }
    sim_training_restore(&c->training, c->checkpoint.bytes, &diags);
    return sim_tell(&c->options->voice, &diags);
}

/* --- training ---------------------------------------------------------------------------------- */

static double rate_of(const struct command *c)
{
    const double seconds = sim_host_clock() - c->start;
    const uint64_t seen = sim_training_seen(&c->training) - c->seen;
    return seconds > 0 ? (double)seen / seconds : 0;
}

static void show(struct command *c)
{
    const struct sim_training *t = &c->training;
    struct lib_text text = {0};
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
    lib_text_free(&text);
}

/* A step failed. What was trained until then is kept. */
static enum sim_status stop_failed(struct command *c, struct lib_diags *diags)
{
    /* the program completed for all examples: then a value is not finite */
    const bool completed = c->model.end == ISA_END_COMPLETED;
    const uint64_t taken = c->training.taken;
    sim_tell(&c->options->voice, diags);
    if (c->own->folder && taken > 0 && deliver_files(c) == SIM_DONE)
        sim_say(&c->options->voice, "%s has the params after step %" PRIu64,
                c->own->folder, taken);
    return completed ? SIM_FAILED : sim_end_status(c->model.end);
}

static enum sim_status train(struct command *c)
{
    struct sim_training *t = &c->training;
    struct lib_diags diags = {0};
    enum sim_status status = SIM_DONE;
    sim_progress_line_start(&c->line, &c->options->voice);
    c->start = sim_host_clock();
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
    if (status != SIM_DONE || sim_training_is_over(t))
        return status;
    status = save(c);
    sim_say(&c->options->voice, "interrupted after step %" PRIu64 " of %" PRIu64 "%s",
            t->taken, t->last, c->own->folder ? "; --resume goes on" : "");
    return status == SIM_DONE ? SIM_INTERRUPTED : status;
}

/* --- what is printed ------------------------------------------------------------------------------ */

/* Of an epoch, from 0 on: the mean loss of its steps, and what was judged at its end. */
static struct sim_training_row epoch_row(const struct sim_training *t, uint64_t epoch)
{
    const uint64_t per_epoch = sim_training_epoch_steps(t);
    uint64_t end = (epoch + 1) * per_epoch;
    end = end < t->taken ? end : t->taken;
    struct sim_training_row row = t->rows.items[end - 1];
    row.loss = 0;
    for (uint64_t i = epoch * per_epoch; i < end; i++)
        row.loss += t->rows.items[i].loss;
    row.loss /= (double)(end - epoch * per_epoch);
    return row;
}

static uint64_t epochs_of(const struct sim_training *t)
{
    return (t->taken + sim_training_epoch_steps(t) - 1) / sim_training_epoch_steps(t);
}

static void write_table(const struct sim_training *t, struct lib_text *out)
{
    const bool held = t->options.held > 0, judges = held && t->model->says.has_correct;
    lib_text_printf(out, "%5s %9s %12s%s%s\n", "epoch", "step", "loss",
                    held ? "   held loss" : "", judges ? "  held accuracy" : "");
    for (uint64_t e = 0; e < epochs_of(t); e++) {
        const uint64_t end = (e + 1) * sim_training_epoch_steps(t);
        const struct sim_training_row row = epoch_row(t, e);
        lib_text_printf(out, "%5" PRIu64 " %9" PRIu64 " %12.6g", e + 1,
                        end < t->taken ? end : t->taken, row.loss);
        if (held)
            lib_text_printf(out, " %11.6g", row.held_loss);
        if (judges)
            lib_text_printf(out, " %14.4f", row.held_right);
        lib_text_puts(out, "\n");
    }
}

static void write_json(const struct command *c, struct lib_text *out)
{
    const struct sim_training *t = &c->training;
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "method", sim_methods[t->options.method]);
    lib_json_real(&json, "rate", t->options.rate);
    lib_json_uint(&json, "batch", t->options.batch);
    lib_json_uint(&json, "seed", t->options.seed);
    lib_json_uint(&json, "examples", sim_training_examples(t));
    lib_json_uint(&json, "held", t->options.held);
    lib_json_uint(&json, "params", t->model->size);
    lib_json_uint(&json, "steps", t->taken);
    lib_json_open(&json, "epochs", '[');
    for (uint64_t e = 0; e < epochs_of(t); e++) {
        const struct sim_training_row row = epoch_row(t, e);
        lib_json_open_line(&json, NULL, '{');
        lib_json_real(&json, "loss", row.loss);
        lib_json_real(&json, "held_loss", row.held_loss);
        lib_json_real(&json, "held_accuracy", row.held_right);
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_open(&json, "host", '{');
    lib_json_string(&json, "matrices", t->model->math);
    lib_json_uint(&json, "threads", t->model->threads);
    lib_json_real(&json, "examples_per_second", rate_of(c));
    lib_json_close(&json);
    lib_json_close(&json);
}

static enum sim_status print(const struct command *c)
{
    struct lib_text text = {0};
    if (c->options->json)
        write_json(c, &text);
    else
        write_table(&c->training, &text);
    if (!c->options->voice.quiet && !c->options->json)
        sim_say(&c->options->voice, "%.0f examples per second", rate_of(c));
    const enum sim_status status = sim_put(&c->options->voice, NULL, &text);
    lib_text_free(&text);
    return status;
}

/* --- the command ---------------------------------------------------------------------------------- */

static enum sim_status open_all(struct command *c)
{
    const struct sim_options *o = c->options;
    const struct sim_model_request request = {
        .program = o->arguments[0],
        .inputs = o->arguments + 1,
        .input_count = o->argument_count - 1,
        .sets = o->sets,
        .set_count = o->set_count,
        .trees = c->own->trees,
        .seed = o->seed,
        .threads = c->own->threads ? c->own->threads : sim_host_processors(),
    };
    struct sim_training_options options = c->own->training;
    struct lib_diags diags = {0};
    options.seed = o->seed;
    const bool good = sim_model_open(&c->model, &request, &diags) &&
                      sim_training_start(&c->training, &c->model, &options, &diags);
    const enum sim_status told = sim_tell(&o->voice, &diags);
    return good ? take_up(c) : c->model.end ? sim_end_status(c->model.end) : told;
}

int sim_train(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {
        .training = {.method = SIM_METHOD_ADAM, .rate = 0.01, .batch = BATCH},
        .every = EVERY,
    };
    sim_options_parse(&options, &usage, &own, argc, argv);
    if (own.resumes && !own.folder)
        sim_options_wrong(argv[0], "--resume goes on from what is in the folder of -o");
    if (!own.training.epochs && !own.training.steps)
        own.training.epochs = EPOCHS;
    struct command c = {.options = &options, .own = &own};
    enum sim_status status = open_all(&c);
    if (status == SIM_DONE) {
        sim_stop_catch();
        status = train(&c);
    }
    if (status == SIM_DONE)
        status = deliver_files(&c);
    if (status == SIM_DONE)
        status = print(&c);
    sim_training_free(&c.training);
    sim_model_close(&c.model);
    lib_text_free(&c.checkpoint);
    sim_options_free(&options);
    return status;
}
