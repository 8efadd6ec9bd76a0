#include "sim/training/grafts.h"

#include "programs/compile.h"
#include "sim/loading/file_kind.h"

#include <inttypes.h>

static const struct lib_pos nowhere;

/* Adds "w, u". */
static void add_params(const struct programs_training *says, struct lib_text *out)
{
    for (size_t p = 0; p < says->param_count; p++)
        lib_text_printf(out, "%s%s", p ? ", " : "", says->params[p]);
}

static void add_inputs(bool takes_step, struct lib_text *out)
{
    lib_text_puts(out, "input " PROGRAMS_TRAINING_EXAMPLE " = 0\n");
    if (takes_step)
        lib_text_puts(out, "input " PROGRAMS_TRAINING_STEP " = 0\n");
}

static void add_batch(uint64_t most, struct lib_text *out)
{
    lib_text_printf(out,
                    "input " PROGRAMS_TRAINING_COUNT " = 0\n"
                    "param " PROGRAMS_TRAINING_NUMBERS " : [%" PRIu64
                    "] = zeros\n" PROGRAMS_TRAINING_EXAMPLES
                    " = [int(real(gather(" PROGRAMS_TRAINING_NUMBERS ", place'))) | "
                    "place' <- 0 .. " PROGRAMS_TRAINING_COUNT " - 1]\n",
                    most);
}

/* Adds arguments of `loss`: "example'" or "example', step'"; of `losses`: an array first. */
static void add_arguments(const struct programs_training *says, bool is_batched,
                          const char *examples, struct lib_text *out)
{
    const bool takes_step = is_batched ? says->losses_take_step : says->loss_takes_step;
    lib_text_printf(out, "%s%s", is_batched ? examples : PROGRAMS_TRAINING_EXAMPLE,
                    takes_step ? ", " PROGRAMS_TRAINING_STEP : "");
}

static void add_loss(const struct programs_training *says, bool is_batched,
                     const char *examples, struct lib_text *out)
{
    lib_text_puts(out, is_batched ? "losses(" : "loss(");
    add_arguments(says, is_batched, examples, out);
    lib_text_puts(out, ")");
}

static void add_gradient(const struct programs_training *says, bool is_batched,
                         const char *examples, struct lib_text *out)
{
    lib_text_puts(out, is_batched ? "grad(losses, " : "grad(loss, ");
    add_arguments(says, is_batched, examples, out);
    lib_text_puts(out, "; ");
    add_params(says, out);
    lib_text_puts(out, ")");
}

void sim_graft_start(const struct programs_training *says, struct lib_text *out)
{
    lib_text_puts(out, "result = (examples, ");
    add_params(says, out);
    lib_text_puts(out, ")\n");
}

void sim_graft_learn(const struct programs_training *says, uint64_t batch,
                     struct lib_text *out)
{
    const bool is_batched = batch > 0;
    add_inputs(is_batched ? says->losses_take_step : says->loss_takes_step, out);
    if (is_batched)
        add_batch(batch, out);
    lib_text_puts(out, "result = (");
    add_loss(says, is_batched, PROGRAMS_TRAINING_EXAMPLES, out);
    lib_text_puts(out, ", ");
    add_gradient(says, is_batched, PROGRAMS_TRAINING_EXAMPLES, out);
    lib_text_puts(out, ")\n");
}

void sim_graft_judge(const struct programs_training *says, struct lib_text *out)
{
    const bool is_batched = !says->has_loss;
    add_inputs(is_batched ? says->losses_take_step : says->loss_takes_step, out);
    lib_text_puts(out, "result = (");
    add_loss(says, is_batched, "[" PROGRAMS_TRAINING_EXAMPLE "]", out);
    if (says->has_correct)
        lib_text_puts(out, ", correct(" PROGRAMS_TRAINING_EXAMPLE ")");
    lib_text_puts(out, ")\n");
}

static void add_all(const struct programs_training *says, struct lib_text *out)
{
    static const char one[] = "[" PROGRAMS_TRAINING_EXAMPLE "]";
    add_inputs(says->loss_takes_step || says->losses_take_step, out);
    lib_text_puts(out, "result = (examples, ");
    add_params(says, out);
    for (int is_batched = 0; is_batched < 2; is_batched++) {
        if (is_batched ? !says->has_losses : !says->has_loss)
            continue;
        lib_text_puts(out, ", ");
        add_loss(says, is_batched, one, out);
        lib_text_puts(out, ", ");
        add_gradient(says, is_batched, one, out);
    }
    if (says->has_correct)
        lib_text_puts(out, ", correct(" PROGRAMS_TRAINING_EXAMPLE ")");
    lib_text_puts(out, ")\n");
}

bool sim_training_check(const struct lib_source *source, struct lib_arena *arena,
                        const char *trees, struct programs_known *known,
                        struct programs_training *says, struct isa_digest *digest,
                        struct lib_diags *diags)
{
    struct lib_text text = {0};
    if (!sim_file_check(source, "the source of a program", SIM_FILE_SOURCE, diags) ||
        !programs_training_find(says, arena, source, diags))
        return false;
    add_all(says, &text);
    const struct programs_options options = {
        .files = arena, .known = known, .trees = trees, .result = text.bytes};
    struct isa_graph *graph = programs_compile(source, &options, ISA_STAGE_IMAGE, diags);
    lib_text_free(&text);
    if (!graph)
        return false;
    const struct isa_function *top = &graph->functions[0];
    const size_t errors = diags->errors;
    if (top->results[0] != ISA_INT)
        lib_diag_error(diags, LIB_DIAG_TYPE, source, nowhere,
                       "`examples` says how many examples there are: expected an int");
    if (says->has_correct && top->results[top->result_count - 1] != ISA_BOOL)
        lib_diag_error(diags, LIB_DIAG_TYPE, source, nowhere,
                       "`correct(i)` says whether example i is told correctly: expected "
                       "a bool");
    *digest = isa_image_digest(graph);
    isa_graph_free(graph);
    return diags->errors == errors;
}
