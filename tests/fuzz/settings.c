/* Fuzz target: machine files. What is accepted is in range, reads back from what is
 * written of it, and a small machine of that kind executes a program correctly. */
#include "tests/fuzz/fuzz.h"

#include "machine/describe.h"
#include "machine/machine.h"
#include "programs/compile.h"
#include "sim/loading/setup.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Loads a machine from bytes by way of a file in memory. */
/* Texts of the settings live in the arena. */
static bool load(struct sim_setup *setup, struct lib_arena *arena, const void *bytes,
                 size_t length)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length)
        fuzz_fail("no file in memory");
    struct lib_diags diags = {0};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool good = sim_setup_load(setup, arena, path, NULL, 0, &diags);
    fuzz_diags(&diags, !good);
    close(fd);
    return good;
}

static void check_written(const struct sim_settings *settings)
{
    struct lib_text text = {0};
    struct lib_arena *arena = lib_arena_new();
    struct sim_setup again;
    for (size_t i = 0; i < sim_setting_count; i++) {
        const struct lib_setting *s = sim_setting_at(i);
        uint64_t value = lib_setting_has_number(s) ? lib_setting_get(settings, s) : 0;
        if (s->kind == LIB_SETTING_NUMBER && (value < s->least || value > s->greatest))
            fuzz_fail("%s is out of range", s->key);
        lib_text_printf(&text, "%s: ", s->key);
        lib_setting_write(settings, s, &text);
        lib_text_puts(&text, "\n");
    }
    if (!load(&again, arena, text.bytes, text.length))
        fuzz_fail("what was written of a machine is refused:\n%s", text.bytes);
    for (size_t i = 0; i < sim_setting_count; i++)
        if (!lib_setting_is_equal(&again.settings, settings, sim_setting_at(i)))
            fuzz_fail("a machine changed when it was written:\n%s", text.bytes);
    lib_arena_free(arena);
    lib_text_free(&text);
}

/* Whether settings fit together, as is asked before each run. */
static bool fit(const struct machine_settings *settings)
{
    struct lib_diags diags = {0};
    const bool good = machine_settings_fit(settings, &diags);
    fuzz_diags(&diags, !good);
    return good;
}

static bool is_of_class(const struct machine_settings *s, const char *key)
{
    bool is = false;
    for (const struct machine_class *of = s->classes; of->name[0]; of++)
        is |= machine_class_value(of, key) && *machine_class_value(of, key) > 0;
    return is;
}

static bool is_small(const struct machine_settings *s)
{
    return s->pe_count <= 64 && s->network_latency <= 1000 && s->network_bandwidth != 1 &&
           s->cluster_latency <= 1000 && s->cluster_bandwidth != 1 &&
           s->message_timeout <= 100000 && s->fault_delay_cycles <= 100000 &&
           s->fault_stop_cycles <= 100000 && s->network_credit <= 100 &&
           !strstr(s->fault_list, "delay") &&
           (s->match_store != MACHINE_MATCH_HASH ||
            (s->match_capacity < 1 << 16 && !is_of_class(s, "match.capacity")));
}

/* Whether a run of a program that completes may end so on such a machine. */
static bool may_end(enum isa_end end, const struct machine_settings *s)
{
    const bool hash = s->match_store == MACHINE_MATCH_HASH;
    switch (end) {
    case ISA_END_COMPLETED:
    case ISA_END_LIMIT:
        return true;
    case ISA_END_STORE_FULL:
        return machine_has_queues(s) || s->copy_capacity ||
               ((s->match_capacity || is_of_class(s, "match.capacity")) &&
                (!hash || s->overflow_capacity ||
                 is_of_class(s, "match.overflow.capacity")));
    case ISA_END_FAULTED: /* a short time-out takes for lost what is late */
        return machine_counts_messages(s);
    case ISA_END_TAGS_EXHAUSTED:
        return s->tag_exhausted != MACHINE_EXHAUSTED_SPILL &&
               (s->tag_scheme == MACHINE_TAGS_INTERNED ||
                (s->tag_scheme == MACHINE_TAGS_POOL && s->tag_pool));
    default:
        return false;
    }
}

/* Runs Fibonacci's recursion, by the strategy of a stage. */
static void run(const struct machine_settings *settings, enum isa_stage stage)
{
    static const char program[] =
        "result = fib(7)\nfib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n";
    const struct lib_source source = {"fib.df", program, sizeof program - 1};
    struct lib_diags diags = {0};
    const struct programs_options options = {0};
    struct isa_graph *graph = programs_compile(&source, &options, stage, &diags);
    fuzz_diags(&diags, graph == NULL);
    struct isa_code *code = isa_code_make(graph, NULL,
                                          settings->deadness == MACHINE_PROPAGATE);
    struct machine *machine = machine_new(code, settings, 1);
    while (machine_advance(machine, 1000))
        ;
    struct lib_text result = {0}, expected = {0};
    enum isa_end end = machine_end(machine);
    if (end == ISA_END_COMPLETED) {
        lib_text_puts(&expected, "13");
        isa_exec_write_result(machine_exec(machine), &result);
        fuzz_same("fib(7)", &expected, &result);
    } else if (!may_end(end, settings)) {
        fuzz_fail("fib(7) ended as %d", end);
    }
    lib_text_free(&result);
    lib_text_free(&expected);
    machine_free(machine);
    isa_code_free(code);
    isa_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_setup setup;
    /* No other files are to be read. */
    if (size && memmem(data, size, "energy", 6) &&
        !memmem(data, size, "energy: horowitz", 16))
        return 0;
    if (size && memmem(data, size, "file", 4) && !memmem(data, size, "file: none", 10))
        return 0;
    struct lib_arena *arena = lib_arena_new();
    const bool loads = load(&setup, arena, data, size);
    if (loads)
        check_written(&setup.settings);
    if (loads && is_small(&setup.settings.machine) && fit(&setup.settings.machine)) {
        run(&setup.settings.machine, ISA_STAGE_IMAGE);
        run(&setup.settings.machine, ISA_STAGE_EXPANDING);
    }
    lib_arena_free(arena);
    return 0;
}
