#include "sim/sweep/trained.h"

#include "isa/tensor/blas.h"
#include "sim/experiment/trained.h"
#include "sim/session/host.h"
#include "sim/training/training.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char **list_inputs(const struct sim_config *config, struct lib_arena *arena,
                                size_t *count)
{
    const struct isa_graph *graph = config->image->graph;
    const char **list = LIB_ARENA_ARRAY(arena, const char *, graph->input_count + 1);
    *count = 0;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        struct lib_text text = {0};
        if (!config->inputs.given[i])
            continue;
        lib_text_printf(&text, "%s=", graph->inputs[i].name);
        sim_input_write(&text, &graph->inputs[i], config->inputs.values[i]);
        list[(*count)++] = lib_arena_keep(arena, &text);
    }
    return list;
}

/* Takes "line.df:3:1: division by zero in ..." as one line without folders. */
static void take_reason(struct sim_outcome *outcome, const char *program,
                        struct lib_diags *diags)
{
    if (diags->count) {
        const struct lib_diag *diag = &diags->items[0];
        lib_text_printf(&outcome->reason, "%s:", program);
        if (diag->pos.line)
            lib_text_printf(&outcome->reason, "%" PRIu32 ":%" PRIu32 ":", diag->pos.line,
                            diag->pos.column);
        const bool is_option = strncmp(diag->text, "--", 2) == 0;
        lib_text_printf(&outcome->reason, " %s%s", is_option ? "train." : "",
                        diag->text + (is_option ? 2 : 0));
        for (size_t i = 0; i < outcome->reason.length; i++)
            if (outcome->reason.bytes[i] == '\n')
                outcome->reason.bytes[i] = ' ';
    }
    lib_diags_free(diags);
}

/* --- numbers -------------------------------------------------------------------------- */

static struct sim_outcome_number *add_number(struct sim_outcome *outcome,
                                             enum sim_trained which)
{
    struct sim_outcome_number *number = LIB_VEC_PUSH(&outcome->measured);
    memset(number, 0, sizeof *number); /* padding goes through a pipe, too */
    number->measure = sim_trained_measure(which);
    return number;
}

static void add_count(struct sim_outcome *outcome, enum sim_trained which, uint64_t count)
{
    add_number(outcome, which)->count = count;
}

static void add_real(struct sim_outcome *outcome, enum sim_trained which, double real)
{
    struct sim_outcome_number *number = add_number(outcome, which);
    number->is_real = true;
    number->real = real;
}

static void take_epochs(struct sim_outcome *outcome, const struct sim_training *t)
{
    for (uint64_t e = 0; e < sim_training_epochs(t); e++) {
        struct traces_epoch *epoch = LIB_VEC_PUSH(&outcome->epochs);
        const struct sim_training_row row = sim_training_epoch(t, e, &epoch->step);
        epoch->loss = row.loss;
        epoch->held_loss = row.held_loss;
        epoch->held_accuracy = row.held_right;
        epoch->rate = row.rate;
        epoch->gradient_norm = row.norm;
    }
}

static void take_numbers(struct sim_outcome *outcome, const struct sim_training *t)
{
    const uint64_t epochs = sim_training_epochs(t);
    const struct sim_training_row last = sim_training_epoch(t, epochs - 1, NULL);
    double least = NAN;
    uint64_t least_epoch = 0;
    for (uint64_t e = 0; e < epochs; e++) {
        const double loss = sim_training_epoch(t, e, NULL).held_loss;
        if (!isnan(loss) && (isnan(least) || loss < least)) {
            least = loss;
            least_epoch = e + 1;
        }
    }
    add_count(outcome, SIM_TRAINED_steps, t->taken);
    add_count(outcome, SIM_TRAINED_epochs, epochs);
    add_real(outcome, SIM_TRAINED_loss, last.loss);
    add_real(outcome, SIM_TRAINED_held_loss, last.held_loss);
    add_real(outcome, SIM_TRAINED_held_accuracy, last.held_right);
    add_real(outcome, SIM_TRAINED_least_held_loss, least);
    if (least_epoch)
        add_count(outcome, SIM_TRAINED_least_epoch, least_epoch);
    add_real(outcome, SIM_TRAINED_rate, last.rate);
}

/* --- training ------------------------------------------------------------------------- */

static bool train_model(struct sim_training *t, double wall_limit,
                        struct sim_outcome *outcome, struct lib_diags *diags)
{
    const double end = sim_host_clock() + wall_limit;
    while (!sim_training_is_over(t)) {
        if (!sim_training_step(t, diags))
            return false;
        if (wall_limit > 0 && !sim_training_is_over(t) && sim_host_clock() >= end) {
            outcome->end = ISA_END_INTERRUPTED;
            lib_text_puts(&outcome->reason, "limit reached: limits.wall = ");
            lib_text_real(&outcome->reason, wall_limit);
            lib_text_printf(&outcome->reason, ", after step %" PRIu64 " of %" PRIu64,
                            t->taken, t->last);
            break;
        }
    }
    return true;
}

void sim_trained_make(struct sim_outcome *outcome,
                      const struct sim_trained_request *request)
{
    struct sim_training_options options = request->options;
    const struct sim_model_request of_model = {
        .source = request->source,
        .known = request->known,
        .settings = request->settings,
        .inputs = request->inputs,
        .input_count = request->input_count,
        .seed = request->seed,
        .batch = options.batch,
        .held = options.held,
        .form = options.form,
        .threads = 1,
    };
    struct sim_model model;
    struct sim_training training = {0};
    struct lib_diags diags = {0};
    options.seed = request->seed;
    outcome->stats.covers = TRACES_COVERS_NOTHING;
    const bool good = sim_model_open(&model, &of_model, &diags) &&
                      sim_training_start(&training, &model, &options, &diags) &&
                      train_model(&training, request->wall_limit, outcome, &diags);
    if (!good) {
        outcome->crashed = isa_blas_has_refused(); /* another process can train */
        outcome->end = model.end == ISA_END_COMPLETED ? ISA_END_TRAPPED : model.end;
        take_reason(outcome, request->title, &diags);
    }
    const bool is_known = training.taken && outcome->end != ISA_END_INTERRUPTED;
    if (is_known)
        take_numbers(outcome, &training);
    if (is_known && request->keeps_epochs)
        take_epochs(outcome, &training);
    sim_training_free(&training);
    sim_model_close(&model);
}

void sim_trained_make_run(struct sim_outcome *outcome,
                          const struct sim_experiment *experiment,
                          const struct sim_config *config)
{
    struct lib_arena *arena = lib_arena_new();
    struct programs_known known = config->trained->known; /* borrows the list */
    struct sim_trained_request request = {
        .source = config->program->program.file,
        .known = &known,
        .title = sim_program_title(&config->program->program),
        .settings = &config->setup.settings,
        .options = config->training,
        .seed = config->seed,
        .wall_limit = experiment->wall_limit,
        .keeps_epochs = experiment->keeps[TRACES_DETAIL_EPOCHS],
    };
    request.inputs = list_inputs(config, arena, &request.input_count);
    sim_trained_make(outcome, &request);
    lib_arena_free(arena);
}
