#include "sim/library/library_internal.h"

#include <string.h>

struct hiaton_program *sim_library_hold_program(struct hiaton_program *program)
{
    atomic_fetch_add(&program->holders, 1);
    return program;
}

struct load {
    struct hiaton_program_options options;
    const struct hiaton_reporter *reporter;
    enum isa_stage strategy;
    struct hiaton_machine *machine;
};

static bool read_options(struct load *load, const struct hiaton_program_options *options,
                         const struct hiaton_reporter *reporter)
{
    *load = (struct load){0};
    SIM_TAKE(load->options, options);
    load->reporter = reporter;
    load->strategy = ISA_STAGE_COUNT;
    const char *strategy = load->options.strategy;
    if (strategy && (load->strategy = isa_strategy_find(strategy)) == ISA_STAGE_COUNT) {
        sim_library_complain(reporter, LIB_DIAG_USAGE,
                             "strategy: expected `static` or `expanding`, found `%s`",
                             strategy);
        return false;
    }
    load->machine = load->options.machine;
    if (load->machine)
        sim_library_hold_machine(load->machine);
    else
        load->machine = hiaton_machine_new(NULL, reporter);
    if (load->machine)
        atomic_store(&load->machine->is_used, true);
    return load->machine != NULL;
}

/* Makes a program of an opened file, or reports why it was not opened. `teller` may be NULL. */
static struct hiaton_program *finish_program(struct load *load,
                                             struct sim_program *opened, bool is_open,
                                             const struct sim_library_diag_sink *teller,
                                             struct lib_diags *diags)
{
    struct hiaton_program *program = NULL;
    opened->params = is_open && load->options.params
                         ? lib_arena_printf(opened->arena, "%s", load->options.params)
                         : NULL;
    if (is_open && sim_program_finish(opened, &load->machine->setup.settings,
                                      load->strategy, diags)) {
        program = lib_mem_new(sizeof *program);
        atomic_init(&program->holders, 1);
        program->program = *opened;
        program->digest = isa_image_digest(opened->graph);
        program->name = sim_program_stem(&program->program);
        program->machine = load->machine;
        pthread_mutex_init(&program->lock, NULL);
    }
    if (teller)
        teller->tell(teller->context, diags);
    else
        sim_library_report(load->reporter, diags);
    if (!program) {
        sim_program_free(opened);
        hiaton_machine_free(load->machine);
    }
    return program;
}

struct hiaton_program *hiaton_program_load(const char *path,
                                           const struct hiaton_program_options *options,
                                           const struct hiaton_reporter *reporter)
{
    struct load load;
    struct lib_diags diags = {0};
    struct sim_program opened;
    if (!path || !read_options(&load, options, reporter))
        return NULL;
    const bool is_open = sim_program_open(&opened, path, &diags);
    return finish_program(&load, &opened, is_open, NULL, &diags);
}

struct hiaton_program *hiaton_program_read(const void *bytes, size_t length,
                                           const struct hiaton_program_options *options,
                                           const struct hiaton_reporter *reporter)
{
    return sim_library_read_program(bytes, length, options, reporter, NULL);
}

struct hiaton_program *sim_library_read_program(
    const void *bytes, size_t length, const struct hiaton_program_options *options,
    const struct hiaton_reporter *reporter, const struct sim_library_diag_sink *teller)
{
    struct load load;
    struct lib_diags diags = {0};
    LIB_TEXT_OWN name = {0};
    struct sim_program opened;
    if (!read_options(&load, options, reporter))
        return NULL;
    const char *folder = load.options.folder ? load.options.folder : "";
    const size_t end = strlen(folder);
    lib_text_printf(&name, "%s%s%s", folder, end && folder[end - 1] != '/' ? "/" : "",
                    load.options.name ? load.options.name : "program");
    const bool is_open = sim_program_open_bytes(&opened, name.bytes, bytes, length,
                                                &diags);
    return finish_program(&load, &opened, is_open, teller, &diags);
}

void hiaton_program_free(struct hiaton_program *program)
{
    if (!program || atomic_fetch_sub(&program->holders, 1) > 1)
        return;
    for (size_t i = 0; i < 2; i++)
        isa_code_free(program->code[i]);
    lib_text_free(&program->image);
    pthread_mutex_destroy(&program->lock);
    sim_program_free(&program->program);
    hiaton_machine_free(program->machine);
    lib_mem_free(program);
}

const struct isa_code *sim_library_code(struct hiaton_program *program, bool propagates)
{
    pthread_mutex_lock(&program->lock);
    struct isa_code **code = &program->code[propagates];
    if (!*code)
        *code = isa_code_make(program->program.graph, NULL, propagates);
    pthread_mutex_unlock(&program->lock);
    return *code;
}

const void *hiaton_program_image(const struct hiaton_program *program, size_t *length)
{
    struct hiaton_program *p = (struct hiaton_program *)program; /* only fills a cache */
    if (!p || !length)
        return NULL;
    pthread_mutex_lock(&p->lock);
    if (!p->image.length)
        isa_image_write(p->program.graph, &p->image);
    pthread_mutex_unlock(&p->lock);
    *length = p->image.length;
    return p->image.bytes;
}

enum hiaton_status hiaton_program_symbol(const struct hiaton_program *program,
                                         enum hiaton_symbol_kind kind, size_t number,
                                         struct hiaton_symbol *symbol)
{
    if (!program || !sim_library_has_size(symbol))
        return HIATON_MISUSE;
    const struct isa_graph *graph = program->program.graph;
    const struct isa_function *top = &graph->functions[0];
    const bool is_input = kind == HIATON_SYMBOL_INPUT;
    if (number >= (is_input ? graph->input_count : isa_graph_result_parts(graph)))
        return HIATON_ABSENT;
    const enum isa_type type = is_input ? graph->inputs[number].type
                                        : top->results[number];
    const struct hiaton_symbol own = {
        .name = is_input ? graph->inputs[number].name : "result",
        .type = is_input ? graph->inputs[number].text : isa_type_name(type),
        .element = sim_library_type(type),
        .rank = isa_type_rank(type),
    };
    SIM_GIVE(symbol, own);
    return HIATON_OK;
}
