/* The engines against the second simulator: random programs by both strategies on random machines,
 * and the examples on every preset and on random machines. */
#include "isa/format/asm.h"
#include "programs/partition/partition.h"
#include "lib/file.h"
#include "lib/memory.h"
#include "machine/machine.h"
#include "machine/presets.h"
#include "programs/compile.h"
#include "sim/loading/setup.h"
#include "tests/oracle/compare.h"
#include "tests/random/draw.h"
#include "tests/random/generate.h"
#include "tests/random/generate_ports.h"
#include "tests/random/generate_tensors.h"
#include "tests/random/shrink.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHRINK_TESTS = 4000,
    TOKENS_MAX = 30000, /* max tokens that a machine delivers */
    TIMED = 4,        /* one run in so many is repeated with times of its instructions */
    LIMITS = 8,       /* one run in so many is repeated with a limit */
    WITH_TENSORS = 4, /* one program in so many is followed by one on tensors */
    WITH_PORTS = 3,   /* one program in so many is followed by one with ports */
    FILE_MACHINES = 200, /* for a program in a file */
};

struct options {
    uint64_t number, first, machines, file_machines;
    unsigned size;
    enum oracle_mistake mistake;
    const char *examples;
    uint64_t calls;       /* max calls of an example */
    const char *settings; /* of the only machine */
    bool keep_on, all, coverage, only_ports;
};

/* A program in source form, and what it is compared on. */
struct trial {
    const struct options *options;
    const char *text, *inputs;
    const struct ports_program *ports;
    struct machine_settings settings;
    struct programs_settings compile;
    enum isa_stage stage;
    uint64_t seed;
    struct oracle_coverage *seen;
    bool is_timed;
};

struct counts {
    uint64_t programs, runs, differ;
    struct oracle_coverage seen;
};

static _Noreturn void stop(const char *message, const char *what)
{
    fprintf(stderr, "oracle: %s%s\n", message, what);
    exit(2);
}

/* --- one comparison ----------------------------------------------------------------- */

static isa_value *read_inputs(const struct isa_graph *graph, const char *assignments)
{
    isa_value *values = lib_mem_new((graph->input_count + 1) * sizeof *values);
    char copy[256];
    for (uint32_t i = 0; i < graph->input_count; i++)
        values[i] = graph->inputs[i].value;
    snprintf(copy, sizeof copy, "%s", assignments ? assignments : "");
    for (char *save, *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        if (!value)
            stop("no value: ", word);
        *value++ = '\0';
        const uint32_t i = isa_graph_find_input(graph, word);
        if (i == UINT32_MAX || !isa_value_read(value, graph->inputs[i].type, &values[i]))
            stop("no input: ", word);
    }
    return values;
}

/* The graph of a program or assembly text at the wanted stage, or NULL. */
static struct isa_graph *compile(const struct trial *t);

static struct isa_graph *divide(const struct trial *t)
{
    struct trial of_image = *t;
    of_image.stage = ISA_STAGE_IMAGE;
    struct isa_graph *image = compile(&of_image), *graph = NULL;
    struct lib_diags diags = {0};
    const struct programs_partition_choice choice = {
        .by = t->settings.partition_by == MACHINE_PARTITION_RANDOM
                  ? PROGRAMS_PARTITION_RANDOM
                  : PROGRAMS_PARTITION_FUNCTION,
        .machines = (uint32_t)t->settings.partition_machines,
        .seed = t->settings.partition_seed,
        .schedules = t->settings.partition_receive == MACHINE_RECEIVE_SCHEDULED,
    };
    if (image)
        graph = programs_partition(image, &choice, &diags);
    if (image && !graph)
        stop("cannot divide it: ", diags.items[0].text);
    isa_graph_free(image);
    return graph;
}

static struct isa_graph *compile(const struct trial *t)
{
    if (t->stage == ISA_STAGE_PARTITIONED)
        return divide(t);
    const struct lib_source source = {"program.df", t->text, strlen(t->text)};
    struct programs_settings compile = t->compile;
    compile.grad_mode = PROGRAMS_GRADIENTS_NAIVE;
    compile.grad_params = PROGRAMS_GRADIENTS_DEFERRED;
    const struct programs_options options = {.settings = &compile};
    struct lib_diags diags = {0};
    struct isa_graph *graph = isa_asm_is(&source)
                                  ? isa_asm_read(&source, &diags)
                                  : programs_compile(&source, &options, t->stage, &diags);
    if (!graph && t->options->keep_on)
        printf("%s\n", diags.items[0].text);
    if (graph && graph->stage != t->stage) {
        isa_graph_free(graph);
        graph = NULL;
    }
    lib_diags_free(&diags);
    return graph;
}

/* Latencies from 1 on; issue slots shorter and longer than a cycle, or none. */
static void draw_timing(const struct trial *t, const struct isa_graph *graph,
                        struct traces_timing *timing)
{
    static const uint32_t scales[] = {1, 2, 4, 20};
    struct draw draw = {.seed = t->seed};
    const uint32_t scale = scales[draw_below(&draw, 4)];
    uint32_t *latency = lib_mem_new((graph->node_count + 1) * sizeof *latency);
    uint32_t *slot = lib_mem_new((graph->node_count + 1) * sizeof *slot);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        latency[n] = (uint32_t)(1 + draw_below(&draw, 6 * scale));
        slot[n] = (uint32_t)(draw_below(&draw, 2) ? scale : draw_below(&draw, 2 * scale));
    }
    *timing = (struct traces_timing){scale, latency, slot};
}

static void free_timing(const struct traces_timing *timing)
{
    lib_mem_free((void *)(uintptr_t)timing->latency);
    lib_mem_free((void *)(uintptr_t)timing->slot);
}

/* The reference multiplies tensors: OpenBLAS adds in another order, and a process has one core of
 * it. */
static struct machine_settings settings_for(struct isa_graph *graph,
                                            const struct trial *t)
{
    struct machine_settings settings = t->settings;
    if (isa_graph_has_tensors(graph))
        settings.tensor_math = MACHINE_TENSOR_REFERENCE;
    draw_capable(&settings, graph);
    if (!t->options->settings)
        draw_on_classes((struct draw){.seed = t->seed}, &settings, graph);
    return settings;
}

/* Whether both agree; a program that does not compile agrees. */
static bool agrees(const struct trial *t, struct lib_text *why)
{
    struct isa_graph *graph = compile(t);
    if (!graph)
        return true;
    const struct machine_settings settings = settings_for(graph, t);
    isa_value *inputs = read_inputs(graph, t->inputs);
    struct oracle_case c = {.graph = graph,
                            .inputs = inputs,
                            .settings = &settings,
                            .seed = t->seed,
                            .ports = t->ports,
                            .mistake = t->options->mistake,
                            .seen = t->seen};
    struct traces_timing timing = {0};
    if (t->is_timed)
        draw_timing(t, graph, &timing);
    c.timing = t->is_timed ? &timing : NULL;
    const bool same = oracle_compare(&c, t->options->all, why);
    if (t->is_timed)
        free_timing(&timing);
    lib_mem_free(inputs);
    isa_graph_free(graph);
    return same;
}

static bool differs(const char *text, void *context)
{
    struct lib_text why = {0};
    struct trial t = *(const struct trial *)context;
    t.text = text;
    const bool found = !agrees(&t, &why);
    lib_text_free(&why);
    return found;
}

static void print_trial(const struct trial *found)
{
    struct trial t = *found;
    struct lib_text small = {0}, why = {0}, settings = {0};
    lib_text_puts(&small, t.text);
    if (!t.inputs && !t.options->keep_on)
        shrink(&small, SHRINK_TESTS, differs, &t);
    t.text = lib_text_get(&small);
    agrees(&t, &why);
    draw_write_all(&t.settings, &t.compile, &settings);
    printf("%sseed %" PRIu64 ", strategy %s%s, inputs: %s, settings: %s\n%s\n",
           lib_text_get(&why), t.seed, isa_strategy_name(t.stage),
           t.is_timed ? ", times of its instructions" : "", t.inputs ? t.inputs : "",
           lib_text_get(&settings), t.text);
    lib_text_free(&settings);
    lib_text_free(&why);
    lib_text_free(&small);
}

static bool compare_trial(struct trial *t, struct counts *counts)
{
    struct lib_text why = {0};
    t->seen = &counts->seen;
    const bool same = agrees(t, &why);
    counts->runs++;
    if (!same) {
        counts->differ++;
        print_trial(t);
    }
    lib_text_free(&why);
    return same || t->options->keep_on;
}

/* Now and then, if times of instructions are possible. */
static bool compare_timed(const struct trial *of, struct counts *counts)
{
    struct lib_diags diags = {0};
    struct trial t = *of;
    struct draw draw = {.seed = t.seed ^ counts->runs << 8};
    t.settings.tensor_units = 0;
    t.settings.batch_until = MACHINE_BATCH_NONE;
    t.is_timed = machine_timing_fits(&t.settings, &diags) &&
                 draw_below(&draw, TIMED) == 0;
    lib_diags_free(&diags);
    t.settings.limit_cycles = t.settings.limit_depth = 0;
    const uint64_t cycles = counts->seen.cycles, bytes = counts->seen.bytes;
    const bool same = !t.is_timed || compare_trial(&t, counts);
    counts->seen.cycles = cycles;
    counts->seen.bytes = bytes;
    return same;
}

static bool compiles(struct trial t, enum isa_stage stage);

/* A run, and now and then one with a limit that it just reaches, or just misses. */
static bool compare_limits(const struct trial *of, struct counts *counts)
{
    struct trial t = *of;
    if (!compare_trial(&t, counts))
        return false;
    if (!compare_timed(&t, counts))
        return false;
    struct draw draw = {.seed = t.seed ^ counts->runs};
    const struct {
        uint64_t *limit, needs, step;
    } kinds[] = {
        {&t.settings.limit_cycles, counts->seen.cycles, 1},
        {&t.settings.limit_tokens, counts->seen.tokens, 1},
        {&t.settings.limit_depth, counts->seen.depth, 1},
        {&t.settings.limit_memory, counts->seen.bytes, 1 + counts->seen.bytes / 8},
    };
    const uint64_t kind = draw_below(&draw, sizeof kinds / sizeof kinds[0]);
    const uint64_t less = draw_below(&draw, 3) * kinds[kind].step;
    if (draw_below(&draw, LIMITS) > 0 || kinds[kind].needs <= less)
        return true;
    *kinds[kind].limit = kinds[kind].needs - less;
    return compare_trial(&t, counts);
}

/* Divides among up to four machines, by function or at random, or among the nodes of a cluster. */
static bool compare_divided(const struct trial *of, struct counts *counts)
{
    struct trial t = *of;
    struct draw draw = {.seed = t.seed ^ counts->runs << 20};
    struct machine_settings *s = &t.settings;
    uint64_t machines = s->cluster_nodes ? s->cluster_nodes : 2 + draw_below(&draw, 3);
    if (t.options->settings && s->partition_by == MACHINE_PARTITION_NONE)
        return true;
    while (!s->executor_workers && s->pe_count % machines)
        machines--;
    if (!t.options->settings) {
        s->partition_by = draw_below(&draw, 4) ? MACHINE_PARTITION_RANDOM
                                               : MACHINE_PARTITION_FUNCTION;
        s->partition_machines = machines;
        s->partition_seed = draw_below(&draw, 1000);
        s->partition_releases = draw_below(&draw, 2) ? MACHINE_RELEASES_MESSAGES
                                                     : MACHINE_RELEASES_FREE;
        if (!draw_classes_fit(s) || s->executor_workers)
            s->partition_releases = MACHINE_RELEASES_FREE;
        if (draw_below(&draw, 2)) {
            s->partition_receive = MACHINE_RECEIVE_SCHEDULED;
            s->deadness = MACHINE_PROPAGATE;
        }
    }
    t.stage = ISA_STAGE_PARTITIONED;
    return !compiles(t, ISA_STAGE_IMAGE) || compare_limits(&t, counts);
}

/* By both strategies, and divided. Returns false at the first difference. */
static bool compare_both(struct trial *t, struct counts *counts)
{
    const struct trial divided = *t;
    t->settings.partition_by = MACHINE_PARTITION_NONE;
    t->stage = ISA_STAGE_IMAGE;
    if (!compare_limits(t, counts))
        return false;
    t->stage = ISA_STAGE_EXPANDING;
    return compare_limits(t, counts) && compare_divided(&divided, counts);
}

/* --- machines ----------------------------------------------------------------------- */

/* Every second machine is unlimited; of the others one in four is an executor, one in four a
 * network of routers with finite buffers. For tensors some swap. */
static void draw_machine(struct draw *draw, uint64_t i, bool has_tensors,
                         struct machine_settings *s)
{
    draw_settings(draw, s);
    draw_network_file(draw, s);
    if (i % 2 == 0) {
        const uint64_t latency = s->copy_latency, node = s->copy_node_latency;
        draw_unlimited(s);
        s->copy_latency = latency;
        s->copy_node_latency = node;
    }
    const uint64_t kind = i % 2 ? draw_below(draw, 4) : 4;
    struct draw own = {.seed = draw->seed ^ i << 32};
    if (kind == 0)
        draw_executor(draw, s);
    else if (kind == 1)
        draw_buffers(&own, s);
    draw_losses(&own, s);
    draw_tensor_units(&own, s);
    if (i % 2 && has_tensors)
        draw_swaps(own, s);
    if (draw_below(&own, 2))
        s->tensor_math = MACHINE_TENSOR_REFERENCE;
    draw_classes(own, s);
    if (draw_below(&own, 4) == 0)
        s->match_capacity = 0; /* finite at PEs of a class alone, if at all */
    if (draw_below(&own, 4) == 0)
        s->queue_capacity = 0;
    draw_counted_units(own, s);
    draw_limits(draw, s);
    if (s->limit_tokens == 0)
        s->limit_tokens = TOKENS_MAX;
}

/* A word without '=' continues the value before it (`class.a.units=alu control`). The
 * settings keep texts and lists in the arena. */
static void read_settings(const char *words, struct lib_arena *arena, struct trial *t)
{
    struct lib_diags diags = {0};
    struct sim_setup setup;
    LIB_VEC(const char *) sets = {0};
    char *copy = lib_arena_printf(arena, "%s", words);
    for (char *save, *word = strtok_r(copy, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        if (strchr(word, '=') || !sets.count)
            *LIB_VEC_PUSH(&sets) = word;
        else
            sets.items[sets.count - 1] = lib_arena_printf(
                arena, "%s %s", sets.items[sets.count - 1], word);
    }
    if (!sim_setup_load(&setup, arena, NULL, sets.items, sets.count, &diags))
        stop("settings: ", diags.items[0].text);
    LIB_VEC_FREE(&sets);
    t->settings = setup.settings.machine;
    t->compile = setup.settings.compile;
    lib_diags_free(&diags);
}

/* --- random programs ---------------------------------------------------------------- */

static bool compiles(struct trial t, enum isa_stage stage)
{
    t.stage = stage;
    struct isa_graph *graph = compile(&t);
    isa_graph_free(graph);
    return graph != NULL;
}

/* Machines with ports do not count messages; few have a port.capacity. */
static void draw_ports(struct draw *draw, struct machine_settings *s)
{
    s->port_capacity = draw_below(draw, 8) ? 0 : 1 + draw_below(draw, 4);
    s->cluster_termination = MACHINE_TERMINATION_OMNISCIENT;
    s->fault_loss = s->fault_duplicate = 0;
    s->fault_list = "none";
}

static bool compare_text(const struct options *o, uint64_t seed, const char *text,
                         const char *inputs, bool has_tensors,
                         const struct ports_program *ports, struct counts *counts)
{
    struct draw draw = {.seed = seed};
    struct lib_arena *arena = lib_arena_new();
    bool good = true;
    for (uint64_t i = 0; i < o->machines && good; i++) {
        struct trial t = {
            .options = o, .text = text, .inputs = inputs, .ports = ports, .seed = seed};
        draw_machine(&draw, i, has_tensors, &t.settings);
        t.compile = draw.compile;
        if (o->settings)
            read_settings(o->settings, arena, &t);
        if (ports)
            draw_ports(&draw, &t.settings);
        if (!compiles(t, ISA_STAGE_IMAGE) && !compiles(t, ISA_STAGE_EXPANDING))
            stop("no program: ", text);
        good = compare_both(&t, counts);
    }
    counts->programs++;
    lib_arena_free(arena);
    return good;
}

static bool compare_ports(const struct options *o, uint64_t seed, struct counts *counts)
{
    struct ports_program p;
    generate_ports(seed, &p);
    const bool good = compare_text(o, seed, lib_text_get(&p.text), NULL, false, &p,
                                   counts);
    lib_text_free(&p.text);
    lib_text_free(&p.literal);
    return good;
}

/* Some seeds also have a program on tensors, or one with ports. */
static bool compare_seed(const struct options *o, uint64_t seed, struct counts *counts)
{
    struct lib_text text = {0};
    if (!o->only_ports)
        generate(seed, o->size, GENERATE_LOOPS | GENERATE_ARRAYS | GENERATE_DATA, &text);
    bool good = o->only_ports ||
                compare_text(o, seed, lib_text_get(&text), NULL, false, NULL, counts);
    if (good && (o->only_ports || seed % WITH_PORTS == 0))
        good = compare_ports(o, seed, counts);
    if (good && !o->only_ports && seed % WITH_TENSORS == 0) {
        struct lib_text result = {0};
        lib_text_clear(&text);
        generate_tensors(seed, &text, &result);
        good = compare_text(o, seed, lib_text_get(&text), NULL, true, NULL, counts);
        lib_text_free(&result);
    }
    lib_text_free(&text);
    return good;
}

/* --- programs in files -------------------------------------------------------------- */

static bool compare_file(const struct options *o, const char *path, struct counts *counts)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct options many = *o;
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    if (!source)
        stop("cannot read ", path);
    many.machines = o->settings ? 1 : o->file_machines;
    const bool good = compare_text(&many, o->first, source->bytes, "", false, NULL,
                                   counts);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return good;
}

/* --- examples ----------------------------------------------------------------------- */

static bool compare_example(const struct options *o, const char *text, const char *inputs,
                            uint64_t seed, struct counts *counts)
{
    struct trial t = {.options = o, .text = text, .inputs = inputs, .seed = seed};
    struct draw draw = {.seed = seed};
    struct lib_arena *arena = lib_arena_new();
    bool good = true;
    for (size_t i = 0; machine_preset_texts[i].name && good; i++) {
        struct lib_diags diags = {0};
        struct sim_setup setup;
        if (!sim_setup_load(&setup, arena, machine_preset_texts[i].name, NULL, 0, &diags))
            stop("preset: ", machine_preset_texts[i].name);
        t.settings = setup.settings.machine;
        good = compare_both(&t, counts);
    }
    draw_machine(&draw, seed, false, &t.settings);
    t.compile = draw.compile;
    t.settings.limit_tokens = 0;
    good = good && compare_both(&t, counts);
    counts->programs++;
    lib_arena_free(arena);
    return good;
}

/* The rows of tests/data/examples.tbl: program | inputs | result | calls. */
static bool compare_examples(const struct options *o, struct counts *counts)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    char line[1024];
    bool good = true;
    uint64_t row = 0;
    FILE *file = fopen(lib_arena_printf(arena, "%s/tests/data/examples.tbl", o->examples),
                       "r");
    if (!file)
        stop("cannot read the examples in ", o->examples);
    while (good && fgets(line, sizeof line, file)) {
        char *fields[4], *p = line;
        for (int i = 0; i < 4; i++)
            fields[i] = strsep(&p, "|\n");
        row++;
        if (line[0] == '#' || !fields[3] || strtoull(fields[3], NULL, 10) > o->calls)
            continue;
        const char *path = lib_arena_printf(arena, "%s/programs/examples/%s.df",
                                            o->examples, fields[0]);
        const struct lib_source *source = lib_file_read(arena, path, &diags);
        if (!source)
            stop("cannot read ", path);
        good = compare_example(o, source->bytes, fields[1], row, counts);
    }
    fclose(file);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return good;
}

/* --- options ------------------------------------------------------------------------ */

static const char usage[] =
    "usage: oracle [OPTION]... [FILE]...\n"
    "Compares the engines with a second simulator, written from doc/model.md alone, on\n"
    "random programs, each on a few random machines, and on FILEs, each on many.\n"
    "  --number N        so many random programs (1000)\n"
    "  --seed N          the seed of the first (1)\n"
    "  --size N          up to about N operations each (40)\n"
    "  --machines N      so many machines for each (4)\n"
    "  --file-machines N so many for each FILE (200)\n"
    "  --examples DIR    the examples of the source tree DIR as well\n"
    "  --calls N         those with at most N calls (600)\n"
    "  --settings 'K=V ...'  one machine, with these settings\n"
    "  --keep-on         do not stop at the first that differs, nor make it small\n"
    "  --ports           random programs with ports alone\n"
    "  --coverage        every statistic, and every way to end, must have been seen\n"
    "  --all             say everything that differs\n"
    "  --mistake NAME    the second simulator makes a mistake, so that something is "
    "found:\n"
    "                   ";

static void help(void)
{
    printf("%s", usage);
    for (int i = 0; i < ORACLE_MISTAKE_COUNT; i++)
        printf(" %s", oracle_mistake_text((enum oracle_mistake)i));
    printf("\nexit status: 0 all agree; 1 something differs; 2 bad usage\n");
    exit(0);
}

static uint64_t whole_of(const char *text)
{
    int64_t value;
    if (!lib_text_to_int(text, &value) || value < 0)
        stop("not a number: ", text);
    return (uint64_t)value;
}

static enum oracle_mistake mistake(const char *text)
{
    for (int i = 0; i < ORACLE_MISTAKE_COUNT; i++)
        if (strcmp(text, oracle_mistake_text((enum oracle_mistake)i)) == 0)
            return (enum oracle_mistake)i;
    stop("no such mistake: ", text);
}

enum {
    NUMBER = 1,
    SEED,
    SIZE,
    MACHINES,
    FILE_MACHINES_,
    EXAMPLES,
    CALLS,
    SETTINGS,
    KEEP_ON,
    COVERAGE,
    PORTS,
    ALL,
    MISTAKE_,
    HELP
};

static const struct option long_options[] = {
    {"number", required_argument, NULL, NUMBER},
    {"seed", required_argument, NULL, SEED},
    {"size", required_argument, NULL, SIZE},
    {"machines", required_argument, NULL, MACHINES},
    {"file-machines", required_argument, NULL, FILE_MACHINES_},
    {"examples", required_argument, NULL, EXAMPLES},
    {"calls", required_argument, NULL, CALLS},
    {"settings", required_argument, NULL, SETTINGS},
    {"keep-on", no_argument, NULL, KEEP_ON},
    {"coverage", no_argument, NULL, COVERAGE},
    {"ports", no_argument, NULL, PORTS},
    {"all", no_argument, NULL, ALL},
    {"mistake", required_argument, NULL, MISTAKE_},
    {"help", no_argument, NULL, HELP},
    {0},
};

static void set_option(struct options *o, int option)
{
    switch (option) {
    case NUMBER:
        o->number = whole_of(optarg);
        break;
    case SEED:
        o->first = whole_of(optarg);
        break;
    case SIZE:
        o->size = (unsigned)whole_of(optarg);
        break;
    case MACHINES:
        o->machines = whole_of(optarg);
        break;
    case FILE_MACHINES_:
        o->file_machines = whole_of(optarg);
        break;
    case EXAMPLES:
        o->examples = optarg;
        break;
    case CALLS:
        o->calls = whole_of(optarg);
        break;
    case SETTINGS:
        o->settings = optarg;
        break;
    case KEEP_ON:
        o->keep_on = true;
        break;
    case COVERAGE:
        o->coverage = true;
        break;
    case PORTS:
        o->only_ports = true;
        break;
    case ALL:
        o->all = true;
        break;
    case MISTAKE_:
        o->mistake = mistake(optarg);
        break;
    case HELP:
        help();
        break;
    default:
        exit(2);
    }
}

static bool check_coverage(const struct counts *counts)
{
    struct lib_text why = {0};
    const bool good = oracle_is_covered(&counts->seen, &why);
    fputs(lib_text_get(&why), stdout);
    lib_text_free(&why);
    return good;
}

int main(int argc, char **argv)
{
    struct options o = {.number = 1000,
                        .first = 1,
                        .machines = 4,
                        .file_machines = FILE_MACHINES,
                        .size = 40,
                        .calls = 600};
    struct counts counts = {0};
    int option;
    bool good = true;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        set_option(&o, option);
    for (int i = optind; i < argc && good; i++)
        good = compare_file(&o, argv[i], &counts);
    if (o.examples)
        good = compare_examples(&o, &counts);
    for (uint64_t i = 0; i < o.number && good; i++)
        good = compare_seed(&o, o.first + i, &counts);
    printf("%" PRIu64 " programs, %" PRIu64 " runs, %" PRIu64 " differ\n",
           counts.programs, counts.runs, counts.differ);
    return counts.differ != 0 || (o.coverage && !check_coverage(&counts));
}
