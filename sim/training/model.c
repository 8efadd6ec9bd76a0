#include "sim/loading/inputs.h"
#include "sim/training/model.h"

#include "isa/exec/reexec.h"
#include "isa/exec/tensors.h"
#include "isa/format/image.h"
#include "isa/tensor/files/npy.h"
#include "lib/file.h"
#include "lib/thread.h"
#include "machine/describe.h"
#include "sim/loading/file_kind.h"
#include "sim/session/simulation.h"
#include "sim/training/grafts.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

static const struct lib_pos nowhere;

/* Simulation in which one thread runs a graph repeatedly. */
struct sim_evaluator {
    struct isa_code *code;
    struct isa_reexec again;
    struct sim_simulation *simulation; /* NULL: failed, or not open */
    struct sim_ending ending;
    size_t at; /* index of the example that failed */
    /* Indices of the inputs for example, step and batch size; UINT32_MAX: none. */
    uint32_t input, step, count;
    bool has_run;
};

/* --- running it ---------------------------------------------------------------------------- */

static bool has_completed(const struct sim_simulation *s)
{
    return sim_simulation_end(s) == ISA_END_COMPLETED;
}

static void set_input(const struct sim_evaluator *e, uint32_t input, uint64_t value)
{
    if (input != UINT32_MAX)
        isa_code_set_input(e->code, input, isa_value_of_int((int64_t)value));
}

/* Runs the graph for one example, or `count`. Returns false if it failed. */
static bool run_graph(struct sim_evaluator *e, uint64_t step, uint64_t example, size_t at,
                      size_t count)
{
    set_input(e, e->input, example);
    set_input(e, e->step, step);
    set_input(e, e->count, count);
    if (e->has_run)
        sim_simulation_again(e->simulation, &e->again);
    e->has_run = true;
    sim_simulation_advance(e->simulation, NULL);
    if (has_completed(e->simulation))
        return true;
    e->at = at;
    sim_simulation_close(e->simulation, &e->ending);
    e->simulation = NULL;
    return false;
}

/* Reads for each param a tensor, empty if the gradient is given as rows; indices of rows; and
 * rows. */
static void take_gradient(const struct sim_model *m, const struct isa_exec *exec,
                          struct sim_gradient *gradient)
{
    size_t place = 0;
    sim_gradient_clear(gradient);
    for (size_t p = 0; p < m->says.param_count; p++) {
        const isa_value *by = &exec->results[1 + 3 * p];
        const struct isa_tensor *param = m->shapes[p],
                                *tensor = isa_tensors_get(exec, by[0]);
        if (m->given_rows[p]) {
            const struct isa_tensor *indices = isa_tensors_get(exec, by[1]);
            const size_t length = (size_t)param->shape.extents[0];
            sim_gradient_add_rows(gradient, place,
                                  &(struct sim_given_rows){
                                      .width = length ? (size_t)param->count / length : 0,
                                      .places = indices->ints,
                                      .values = isa_tensors_get(exec, by[2])->reals,
                                      .count = (size_t)indices->count,
                                      .table = tensor->count ? tensor->reals : NULL,
                                      .table_rows = length});
        } else {
            sim_gradient_add(gradient, place, (size_t)tensor->count, tensor->reals);
        }
        place += (size_t)param->count;
    }
}

static void take_sample(const struct sim_model *m, const struct sim_evaluator *e,
                        bool judges, struct sim_sample *sample)
{
    const struct isa_exec *exec = sim_simulation_exec(e->simulation);
    sample->loss = isa_value_real(exec->results[0]);
    if (judges) {
        sample->is_right = m->says.has_correct && exec->results[1];
        return;
    }
    take_gradient(m, exec, &sample->gradient);
}

/* Examples of one thread: from `first`, every `every`-th. */
struct share {
    const struct sim_model *model;
    struct sim_evaluator *evaluator;
    const uint64_t *examples;
    uint64_t step;
    size_t first, every, count;
    struct sim_sample *samples;
    bool judges, failed;
    pthread_t thread;
};

static void *evaluate_share(void *context)
{
    struct share *s = context;
    for (size_t i = s->first; i < s->count; i += s->every) {
        if (!run_graph(s->evaluator, s->step, s->examples[i], i, 1)) {
            s->failed = true;
            break;
        }
        take_sample(s->model, s->evaluator, s->judges, &s->samples[i]);
    }
    return NULL;
}

static void report_failure(struct sim_model *m, const struct sim_ending *ending,
                           const char *what, struct lib_diags *diags)
{
    m->end = ending->end;
    lib_diag_error(diags, LIB_DIAG_MEANING, m->source, ending->place, "%s, of %s",
                   lib_text_get(&ending->reason), what);
}

/* Reports the first failed example, for any number of threads. */
static void report_first_failure(struct sim_model *m, const struct share *shares,
                                 unsigned count, struct lib_diags *diags)
{
    const struct share *first = NULL;
    for (unsigned t = 0; t < count; t++)
        if (shares[t].failed &&
            (!first || shares[t].evaluator->at < first->evaluator->at))
            first = &shares[t];
    if (first)
        report_failure(m, &first->evaluator->ending,
                       lib_arena_printf(m->arena, "example %" PRIu64,
                                        first->examples[first->evaluator->at]),
                       diags);
}

static void set_tensor(struct isa_graph *graph, const char *name, const double *from,
                       size_t count)
{
    for (uint32_t c = 0; c < graph->constant_count; c++)
        if (strcmp(graph->constants[c].name, name) == 0)
            memcpy(graph->constants[c].tensor->reals, from, count * sizeof *from);
}

static void set_params(const struct sim_model *m, struct isa_graph *graph)
{
    struct lib_arena *arena = lib_arena_new();
    const double *from = m->params;
    for (size_t p = 0; p < m->says.param_count; p++) {
        set_tensor(graph, programs_training_tensor(arena, p), from, m->shapes[p]->count);
        from += m->shapes[p]->count;
    }
    lib_arena_free(arena);
}

static bool learn_batch(struct sim_model *m, uint64_t step, const uint64_t *examples,
                        size_t count, struct sim_sample *sample, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    struct isa_tensor *numbers = m->shapes[m->says.param_count];
    for (size_t i = 0; i < count; i++)
        numbers->reals[i] = (double)examples[i];
    set_params(m, m->learns);
    set_tensor(m->learns, programs_training_tensor(arena, m->says.param_count),
               numbers->reals, numbers->count);
    lib_arena_free(arena);
    if (run_graph(m->learners, step, 0, 0, count)) {
        take_sample(m, m->learners, false, sample);
        return true;
    }
    report_failure(m, &m->learners->ending, "a batch", diags);
    return false;
}

static bool evaluate(struct sim_model *m, bool judges, uint64_t step,
                     const uint64_t *examples, size_t count, struct sim_sample *samples,
                     struct lib_diags *diags)
{
    struct sim_evaluator *evaluators = judges ? m->judgers : m->learners;
    const unsigned threads = count < m->threads ? (unsigned)count : m->threads;
    struct share *shares = lib_mem_new((threads + 1) * sizeof *shares);
    bool failed = false;
    set_params(m, judges ? m->judges : m->learns);
    for (unsigned t = 0; t < threads; t++)
        shares[t] = (struct share){.model = m,
                                   .evaluator = &evaluators[t],
                                   .examples = examples,
                                   .step = step,
                                   .first = t,
                                   .every = threads,
                                   .count = count,
                                   .samples = samples,
                                   .judges = judges};
    unsigned started = 0;
    for (unsigned t = 1; t < threads; t++, started++)
        if (!lib_thread_start(&shares[t].thread, evaluate_share, &shares[t]))
            break;
    for (unsigned t = started + 1; t < threads; t++)
        evaluate_share(&shares[t]); /* in this thread, as the host starts no more */
    if (threads)
        evaluate_share(&shares[0]);
    for (unsigned t = 1; t <= started; t++)
        pthread_join(shares[t].thread, NULL);
    for (unsigned t = 0; t < threads; t++)
        failed |= shares[t].failed;
    if (failed)
        report_first_failure(m, shares, threads, diags);
    lib_mem_free(shares);
    return !failed;
}

bool sim_model_learn(struct sim_model *m, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags)
{
    return m->is_batched ? learn_batch(m, step, examples, count, samples, diags)
                         : evaluate(m, false, step, examples, count, samples, diags);
}

bool sim_model_judge(struct sim_model *m, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags)
{
    return evaluate(m, true, step, examples, count, samples, diags);
}

/* --- compiling ------------------------------------------------------------------------------- */

/* Compiles the program with a `result`, which is freed. Params have the model's values, if any. */
static struct isa_graph *compile_graph(const struct sim_model *m,
                                       const struct sim_model_request *r,
                                       struct lib_text *result, bool *given_rows,
                                       struct lib_diags *diags)
{
    struct programs_options options = sim_program_options(&m->setup.settings, m->arena);
    options.trees = r->trees;
    options.known = r->known;
    options.result = lib_text_get(result);
    options.given_rows = given_rows;
    options.params = (const struct isa_tensor *const *)m->shapes;
    struct isa_graph *graph = programs_compile(m->source, &options, ISA_STAGE_IMAGE,
                                               diags);
    lib_text_free(result);
    return graph;
}

static struct sim_simulation *simulate(const struct sim_model *m,
                                       const struct isa_code *code, uint64_t seed,
                                       struct lib_diags *diags)
{
    const struct sim_simulation_config config = {
        .code = code,
        .settings = &m->setup.settings.machine,
        .seed = seed,
        .engine = SIM_ENGINE_INTERPRETER,
        .unmeasured = true,
    };
    return sim_simulation_open(&config, diags);
}

static struct isa_code *make_code(const struct sim_model *m,
                                  const struct sim_model_request *r,
                                  const struct isa_graph *graph, struct lib_diags *diags)
{
    struct sim_inputs inputs;
    if (!sim_inputs_read(&inputs, m->arena, graph, r->inputs, r->input_count, NULL,
                         diags))
        return NULL;
    return isa_code_make(graph, inputs.values,
                         machine_propagates(&m->setup.settings.machine));
}

/* --- what params begin with ----------------------------------------------------------- */

static bool take_params(struct sim_model *m, const struct isa_exec *exec,
                        struct lib_diags *diags)
{
    const int64_t examples = isa_value_int(exec->results[0]);
    m->shapes = lib_mem_new((m->says.param_count + 1) * sizeof(struct isa_tensor *));
    for (size_t p = 0; p < m->says.param_count; p++) {
        const struct isa_tensor *begins = isa_tensors_get(exec, exec->results[1 + p]);
        m->shapes[p] = isa_tensor_new(&m->memory, &begins->shape);
        memcpy(m->shapes[p]->data, begins->data, begins->bytes);
        m->size += begins->count;
    }
    m->params = lib_mem_new((m->size + 1) * sizeof(double));
    double *to = m->params;
    for (size_t p = 0; p < m->says.param_count; p++) {
        memcpy(to, m->shapes[p]->reals, m->shapes[p]->bytes);
        to += m->shapes[p]->count;
    }
    if (examples < 1)
        lib_diag_error(diags, LIB_DIAG_MEANING, m->source, m->says.examples_pos,
                       "`examples` is %" PRId64 ": there is nothing to train on",
                       examples);
    m->examples = examples > 0 ? (uint64_t)examples : 0;
    return examples > 0;
}

static bool check_types(const struct sim_model *m, const struct isa_graph *graph,
                        struct lib_diags *diags)
{
    const struct isa_function *top = &graph->functions[0];
    if (top->results[0] == ISA_INT && top->result_count == 1 + m->says.param_count)
        return true;
    lib_diag_error(diags, LIB_DIAG_TYPE, m->source, m->says.examples_pos,
                   "`examples` says how many examples there are: expected an int");
    return false;
}

static bool compute_start(struct sim_model *m, const struct sim_model_request *r,
                          struct lib_diags *diags)
{
    struct lib_text result = {0};
    sim_graft_start(&m->says, &result);
    struct isa_graph *graph = compile_graph(m, r, &result, NULL, diags);
    struct isa_code *code = NULL;
    if (graph && check_types(m, graph, diags))
        code = make_code(m, r, graph, diags);
    struct sim_simulation *s = code ? simulate(m, code, r->seed, diags) : NULL;
    bool good = false;
    if (s) {
        struct sim_ending ending;
        sim_simulation_advance(s, NULL);
        if (has_completed(s))
            good = take_params(m, sim_simulation_exec(s), diags);
        sim_simulation_close(s, &ending);
        m->end = ending.end;
        if (ending.end != ISA_END_COMPLETED)
            lib_diag_error(diags, LIB_DIAG_MEANING, m->source, ending.place, "%s",
                           lib_text_get(&ending.reason));
        const char *math = ending.math.length ? ending.math.bytes : "reference";
        m->math = lib_arena_copy(m->arena, math, strlen(math));
        sim_ending_free(&ending);
    }
    isa_code_free(code);
    isa_graph_free(graph);
    return good;
}

/* --- opening -------------------------------------------------------------------------- */

static unsigned count_learners(const struct sim_model *m)
{
    return m->is_batched ? 1 : m->threads;
}

static struct sim_evaluator *make_evaluators(struct sim_model *m, unsigned count,
                                             const struct sim_model_request *r,
                                             const struct isa_graph *graph,
                                             struct lib_diags *diags)
{
    struct sim_evaluator *all = lib_mem_new(count * sizeof *all);
    bool *inputs = lib_mem_new(graph->input_count + 1);
    bool *tensors = lib_mem_new(graph->constant_count + 1);
    struct sim_evaluator one = {
        .input = isa_graph_find_input(graph, PROGRAMS_TRAINING_EXAMPLE),
        .step = isa_graph_find_input(graph, PROGRAMS_TRAINING_STEP),
        .count = isa_graph_find_input(graph, PROGRAMS_TRAINING_COUNT),
    };
    const uint32_t changed[] = {one.input, one.step, one.count};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
        if (changed[i] != UINT32_MAX)
            inputs[changed[i]] = true;
    for (size_t p = 0; p < m->says.param_count + m->is_batched; p++)
        for (uint32_t c = 0; c < graph->constant_count; c++)
            if (strcmp(graph->constants[c].name, programs_training_tensor(m->arena, p)) ==
                0)
                tensors[c] = true;
    for (unsigned t = 0; t < count && !diags->errors; t++) {
        all[t] = one;
        all[t].code = make_code(m, r, graph, diags);
        if (all[t].code) {
            all[t].again = isa_reexec_find(all[t].code, inputs, tensors);
            all[t].simulation = simulate(m, all[t].code, r->seed, diags);
        }
    }
    LIB_MEM_FREE(inputs, tensors);
    return all;
}

static void free_evaluators(struct sim_evaluator *all, unsigned count)
{
    for (unsigned t = 0; all && t < count; t++) {
        if (all[t].simulation)
            sim_simulation_close(all[t].simulation, NULL);
        sim_ending_free(&all[t].ending);
        isa_reexec_free(&all[t].again);
        isa_code_free(all[t].code);
    }
    lib_mem_free(all);
}

/* Checks the types of examples and steps: they would be reals if functions take reals. */
static bool check_inputs(const struct sim_model *m, bool is_batched,
                         const struct isa_graph *graph, struct lib_diags *diags)
{
    static const struct {
        const char *input, *what;
    } inputs[] = {{PROGRAMS_TRAINING_EXAMPLE, "the number of an example"},
                  {PROGRAMS_TRAINING_STEP, "the number of a step"}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const uint32_t input = isa_graph_find_input(graph, inputs[i].input);
        if (input == UINT32_MAX || graph->inputs[input].type == ISA_INT)
            continue;
        lib_diag_error(diags, LIB_DIAG_TYPE, m->source,
                       is_batched ? m->says.losses_pos : m->says.loss_pos,
                       "`%s` takes %s: expected an int, found %s",
                       is_batched ? "losses(is)" : "loss(i)", inputs[i].what,
                       isa_type_name(graph->inputs[input].type));
        return false;
    }
    return true;
}

/* Returns the length of a tensor for the numbers of a batch; 0 if examples are run one by one. */
static uint64_t make_numbers(struct sim_model *m, const struct sim_model_request *r)
{
    if (!m->is_batched)
        return 0;
    const uint64_t learnt = m->examples > r->held ? m->examples - r->held : 1;
    const uint64_t most = r->batch < learnt ? r->batch : learnt;
    const struct isa_shape shape = {.rank = 1, .extents = {(int64_t)most}};
    struct isa_tensor *numbers = isa_tensor_new(&m->memory, &shape);
    memset(numbers->data, 0, numbers->bytes); /* covered by the digest */
    m->shapes[m->says.param_count] = numbers;
    return most;
}

static bool prepare_graphs(struct sim_model *m, const struct sim_model_request *r,
                           struct lib_diags *diags)
{
    struct lib_text learns = {0}, judges = {0};
    m->given_rows = lib_mem_new(m->says.param_count * sizeof *m->given_rows);
    sim_graft_learn(&m->says, make_numbers(m, r), &learns);
    sim_graft_judge(&m->says, &judges);
    m->learns = compile_graph(m, r, &learns, m->given_rows, diags);
    m->judges = compile_graph(m, r, &judges, NULL, diags);
    if (!m->learns || !m->judges)
        return false;
    if (!check_inputs(m, m->is_batched, m->learns, diags) ||
        !check_inputs(m, !m->says.has_loss, m->judges, diags))
        return false;
    if (m->says.has_correct && m->judges->functions[0].results[1] != ISA_BOOL) {
        lib_diag_error(
            diags, LIB_DIAG_TYPE, m->source, m->says.correct_pos,
            "`correct(i)` says whether example i is told correctly: expected a bool");
        return false;
    }
    m->digest = isa_image_digest(m->learns);
    m->learners = make_evaluators(m, count_learners(m), r, m->learns, diags);
    m->judgers = make_evaluators(m, m->threads, r, m->judges, diags);
    return diags->errors == 0;
}

/* Loads the settings of -s; by default, training pairs calls with their gradients. */
static bool load_settings(struct sim_model *m, const struct sim_model_request *r,
                          struct lib_diags *diags)
{
    if (r->settings) {
        m->setup.settings = *r->settings;
        m->setup.settings.compile.grad_mode = PROGRAMS_GRADIENTS_PAIRED;
        m->setup.settings.machine.limit_tokens = 0;
        return true;
    }
    const char **sets = lib_mem_new((r->set_count + 1) * sizeof *sets);
    sets[0] = "grad.mode=paired";
    for (size_t i = 0; i < r->set_count; i++)
        sets[1 + i] = r->sets[i];
    const bool good = sim_setup_load(&m->setup, m->arena, NULL, sets, r->set_count + 1,
                                     diags);
    m->setup.settings.machine.limit_tokens = 0; /* limits of one run do not fit many */
    lib_mem_free(sets);
    return good;
}

/* Decides which function computes the loss. Returns false and adds a diagnostic if the program
 * lacks it. */
static bool choose_form(struct sim_model *m, enum sim_batch_form form,
                        struct lib_diags *diags)
{
    m->is_batched = form == SIM_BATCH_LOSSES ||
                    (form == SIM_BATCH_AUTO && m->says.has_losses);
    if (m->is_batched ? m->says.has_losses : m->says.has_loss)
        return true;
    lib_diag_error(diags, LIB_DIAG_MEANING, m->source, nowhere,
                   "the form of a batch is `%s`, and the program has no function `%s`",
                   sim_batch_forms[form], sim_batch_forms[form]);
    return false;
}

bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags)
{
    *model = (struct sim_model){.arena = lib_arena_new(), .threads = request->threads};
    bool good = load_settings(model, request, diags);
    model->source = request->source ? request->source
                                    : lib_file_read_as(model->arena, request->program,
                                                       "the program", diags);
    return model->source &&
           sim_file_check(model->source, "the source of a program", SIM_FILE_SOURCE,
                          diags) &&
           programs_training_find(&model->says, model->arena, model->source, diags) &&
           good && choose_form(model, request->form, diags) &&
           compute_start(model, request, diags) && prepare_graphs(model, request, diags);
}

void sim_model_close(struct sim_model *model)
{
    free_evaluators(model->learners, count_learners(model));
    free_evaluators(model->judgers, model->threads);
    isa_graph_free(model->learns);
    isa_graph_free(model->judges);
    for (size_t p = 0; model->shapes && p < model->says.param_count + 1; p++)
        if (model->shapes[p])
            isa_tensor_free(&model->memory, model->shapes[p]);
    isa_tensor_memory_free(&model->memory);
    LIB_MEM_FREE(model->shapes, model->given_rows, model->params);
    lib_arena_free(model->arena);
}

const char *sim_model_param_of(const struct sim_model *model, size_t place)
{
    size_t p = 0;
    for (; place >= model->shapes[p]->count; p++)
        place -= model->shapes[p]->count;
    return model->says.params[p];
}

void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out)
{
    struct isa_tensor_memory memory = {0};
    const double *from = model->params;
    for (size_t p = 0; p < param; p++)
        from += model->shapes[p]->count;
    struct isa_tensor *tensor = isa_tensor_new(&memory, &model->shapes[param]->shape);
    memcpy(tensor->reals, from, tensor->bytes);
    isa_npy_write(out, tensor);
    isa_tensor_free(&memory, tensor);
    isa_tensor_memory_free(&memory);
}
