/* For many unit tests: programs compiled and run inside the test. */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include "analysis/derive.h"
#include "isa/fire/interp.h"
#include "lib/file.h"
#include "machine/machine.h"
#include "programs/compile.h"
#include "sim/loading/setup.h"
#include "sim/session/window.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <stdlib.h>

/* A compiled program with its sources. */
struct test_program {
    struct lib_arena *arena;
    struct isa_graph *graph;
    isa_value *inputs;
};

/* How an execution ended. */
struct test_outcome {
    enum isa_end end;
    enum isa_trap trap;
    char result[16384];
    struct traces_stats stats; /* statistics; of a run by the interpreter, only counts */
};

static inline const char *test_source_directory(void)
{
    const char *directory = getenv("SRCDIR");
    return directory ? directory : ".";
}

static inline struct isa_graph *
test_compile_source(const struct lib_source *source,
                    const struct programs_options *options, enum isa_stage stage)
{
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_compile(source, options, stage, &diags);
    struct lib_text text = {0};
    lib_diags_write(&diags, &text);
    ck_assert_msg(graph != NULL, "%s", lib_text_get(&text));
    lib_text_free(&text);
    lib_diags_free(&diags);
    return graph;
}

static inline struct isa_graph *test_compile(const char *text, enum isa_stage stage)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    return test_compile_source(&source, &(struct programs_options){0}, stage);
}

/* Compiles to an image, with the given treatment of loop constants. */
static inline struct isa_graph *test_compile_loops(const char *text, uint64_t constants)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    const struct programs_settings settings = {.loop_constants = constants};
    const struct programs_options options = {.settings = &settings};
    return test_compile_source(&source, &options, ISA_STAGE_IMAGE);
}

/* Compiles with arrays made in strands of at most `strand` elements, or by chains if that is 0; and
 * with gradients paired or naive. */
static inline struct isa_graph *
test_compile_strands(const char *text, enum isa_stage stage, bool pairs, uint64_t strand)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    const struct programs_settings settings = {
        .grad_mode = pairs,
        .array_generator = strand ? PROGRAMS_ARRAYS_TREE : PROGRAMS_ARRAYS_CHAIN,
        .array_strand = strand};
    const struct programs_options options = {.settings = &settings};
    return test_compile_source(&source, &options, stage);
}

/* Compiles programs/examples/NAME.df. */
static inline struct test_program test_example_at(const char *name, enum isa_stage stage)
{
    struct test_program p = {.arena = lib_arena_new()};
    struct lib_diags diags = {0};
    const char *path = lib_arena_printf(p.arena, "%s/programs/examples/%s.df",
                                        test_source_directory(), name);
    const struct lib_source *source = lib_file_read(p.arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    p.graph = test_compile_source(source, &(struct programs_options){0}, stage);
    p.inputs = LIB_ARENA_ARRAY(p.arena, isa_value, p.graph->input_count + 1);
    for (uint32_t i = 0; i < p.graph->input_count; i++)
        p.inputs[i] = p.graph->inputs[i].value;
    return p;
}

static inline struct test_program test_example(const char *name)
{
    return test_example_at(name, ISA_STAGE_IMAGE);
}

/* Sets inputs of a program from text: "n=3 m=4". */
static inline void test_set_inputs(struct test_program *p, const char *assignments)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", assignments);
    for (char *save, *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        ck_assert(value != NULL);
        *value++ = '\0';
        uint32_t i = isa_graph_find_input(p->graph, word);
        ck_assert_msg(i != UINT32_MAX, "no input %s", word);
        ck_assert(isa_value_read(value, p->graph->inputs[i].type, &p->inputs[i]));
    }
}

static inline void test_program_free(struct test_program *p)
{
    isa_graph_free(p->graph);
    lib_arena_free(p->arena);
}

static inline void test_keep_result(const struct isa_exec *exec, enum isa_end end,
                                    struct test_outcome *outcome)
{
    struct lib_text text = {0};
    if (end == ISA_END_COMPLETED) {
        isa_exec_check_quiet(exec);
        isa_exec_write_result(exec, &text);
    }
    ck_assert(text.length < sizeof outcome->result);
    snprintf(outcome->result, sizeof outcome->result, "%s", lib_text_get(&text));
    lib_text_free(&text);
    outcome->end = end;
    outcome->trap = exec->trap;
}

static inline struct test_outcome
test_simulate(const struct sim_simulation_config *config)
{
    /* The reference code multiplies, as in other machines of tests. */
    struct machine_settings settings = *config->settings;
    struct sim_simulation_config own = *config;
    own.settings = &settings;
    if (isa_graph_has_tensors(config->graph ? config->graph : config->code->graph))
        settings.tensor_math = MACHINE_TENSOR_REFERENCE;
    struct test_outcome outcome = {0};
    struct lib_diags diags = {0};
    struct sim_ending ending;
    struct sim_simulation *s = sim_simulation_open(&own, &diags);
    ck_assert(s != NULL);
    sim_simulation_advance(s, NULL);
    test_keep_result(sim_simulation_exec(s), sim_simulation_end(s), &outcome);
    sim_simulation_close(s, &ending);
    outcome.stats = ending.stats; /* they are now owned by `outcome` */
    ending.stats = (struct traces_stats){0};
    sim_ending_free(&ending);
    return outcome;
}

static inline struct test_outcome test_interp(const struct isa_graph *graph,
                                              const isa_value *inputs, bool propagate)
{
    struct machine_settings settings;
    machine_settings_default(&settings);
    settings.limit_memory = UINT64_C(1) << 32;
    settings.limit_tokens = 0;
    settings.deadness = propagate ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
    return test_simulate(&(struct sim_simulation_config){
        .graph = graph,
        .inputs = inputs,
        .settings = &settings,
        .engine = SIM_ENGINE_INTERPRETER,
    });
}

/* Runs a graph on a machine. The caller frees the statistics with traces_stats_free. */
static inline struct test_outcome test_run(const struct isa_graph *graph,
                                           const isa_value *inputs,
                                           const struct machine_settings *settings,
                                           uint64_t seed)
{
    return test_simulate(&(struct sim_simulation_config){
        .graph = graph,
        .inputs = inputs,
        .settings = settings,
        .seed = seed,
        .engine = SIM_ENGINE_MACHINE,
    });
}

static inline void test_set(struct machine_settings *settings, const char *key,
                            const char *value)
{
    struct lib_text why = {0};
    const struct lib_setting *setting = machine_setting_find(key);
    ck_assert_msg(setting != NULL, "no setting %s", key);
    ck_assert_msg(lib_setting_set(settings, setting, value, &why), "%s",
                  lib_text_get(&why));
    lib_text_free(&why);
}

/* Sets several settings, from text: "pe.count=4 deadness=propagate". */
static inline void test_set_all(struct machine_settings *settings,
                                const char *assignments)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", assignments);
    for (char *save, *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        ck_assert(value != NULL);
        *value++ = '\0';
        test_set(settings, word, value);
    }
}

/* Sets the settings of a preset, and `deadness`. */
static inline void test_set_preset(struct machine_settings *settings, const char *name,
                                   const char *deadness)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_setup setup;
    ck_assert(sim_setup_load(&setup, arena, name, NULL, 0, &diags));
    *settings = setup.settings.machine;
    test_set(settings, "deadness", deadness);
    lib_arena_free(arena);
    lib_diags_free(&diags);
}

static inline void test_settings_ideal(struct machine_settings *settings)
{
    machine_settings_default(settings);
    for (size_t i = 0; i < machine_setting_count; i++) {
        const char *key = machine_setting_table[i].key;
        if (strncmp(key, "stage.", 6) == 0)
            test_set(settings, key, "0");
        if (strncmp(key, "unit.", 5) == 0 && strstr(key, ".latency"))
            test_set(settings, key, "1");
    }
    test_set(settings, "unit.tensor.launch", "0");
    test_set(settings, "unit.tensor.flops", "0");
    test_set(settings, "unit.tensor.bytes", "0");
    test_set(settings, "pe.count", "1");
    test_set(settings, "pe.units", "0");
    test_set(settings, "network.topology", "ideal");
    test_set(settings, "network.latency", "0");
    test_set(settings, "copy.latency", "0");
    test_set(settings, "copy.node.latency", "0");
}

/* Checks the result of a program without inputs in the interpreter that measures nothing, where
 * tokens meet in another order. */
static inline void test_check_lean(const struct isa_graph *graph, const char *result)
{
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    struct lib_text text = {0};
    isa_interp_run(&interp, code, &limits, false, NULL);
    ck_assert_int_eq(interp.end, ISA_END_COMPLETED);
    isa_exec_check_quiet(&interp.exec);
    ck_assert_uint_eq(interp.exec.tags.copied_nodes, interp.exec.tags.freed_nodes);
    isa_exec_write_result(&interp.exec, &text);
    ck_assert_str_eq(lib_text_get(&text), result);
    lib_text_free(&text);
    isa_interp_free(&interp);
    isa_code_free(code);
}

#endif
