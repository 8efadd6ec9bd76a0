#include "sim/commands/commands.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "lib/file.h"
#include "sim/cli/options.h"
#include "sim/training/sentences.h"
#include "sim/training/trees.h"

/* The mean is that of the trees that paper 1 measured. */
enum {
    COUNT = 700,
    WORDS = 40,
    MAX_TREES = 1000000,
    MAX_NODES = 1 << 24,
    MAX_WORDS = 1 << 24
};
static const double standard_mean = 13.45;

struct own {
    struct sim_trees_plan plan;
    uint64_t shortest;   /* 0: not given */
    const char *program; /* NULL: not given */
    bool is_planned;     /* options about the shapes were given */
    bool shuffles;
};

#define OF(member) offsetof(struct own, member)

static const struct lib_field own_options[] = {
    {"count", .kind = LIB_FIELD_U64, .at = OF(plan.count),
     .given = LIB_GIVEN(OF(is_planned)), .least = 1, .most = MAX_TREES, .value = "N",
     .help = "How many trees are made; default: 700"},
    {"mean", .kind = LIB_FIELD_REAL, .low = 1, .end = 10000 * (1 + DBL_EPSILON),
     .expected = "a number from 1 to 10000", .at = OF(plan.mean),
     .given = LIB_GIVEN(OF(is_planned)), .value = "N",
     .help = "Their nodes on average; default: 13.45"},
    {"words", .kind = LIB_FIELD_U64, .at = OF(plan.words),
     .given = LIB_GIVEN(OF(is_planned)), .least = 1, .most = MAX_TREES, .value = "N",
     .help = "Words that there are; default: 40"},
    SIM_NUMBER(
        "shortest", 0, U64, OF(shortest), 1, MAX_TREES,
        "Of the trees in FILE whose root has the label 0 or 4, write the N shortest "
        "of each"),
    SIM_FLAG("shuffle", OF(shuffles),
             "Write the trees in FILE in an order drawn from the seed"),
    SIM_OPTION("unroll", 0, TEXT, "PROGRAM", OF(program),
               "Write this program with a graph for each tree in FILE"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_SEED | SIM_TAKES_OUTPUT,
    .arguments = "[FILE]",
    .help =
        "Write trees to train on, in Penn brackets, as `trees(\"FILE\")` reads them."
        "\vWithout FILE trees are made, from the seed. Their labels, 1 and 3, follow a "
        "rule that can be learnt: words have scores, an inner node has their sum, and "
        "`not` turns the score of its sister around.\n\n"
        "With --unroll it is a program that is written: PROGRAM, but for its function "
        "`tree(n, x, base)`. That becomes a function for each tree, in which "
        "`leaf(n, x)` and `inner(n, left, right)` of PROGRAM are called node by node.\n\n"
        "If FILE ends in .conllu, its sentences are listed: how many words each has, and "
        "for "
        "arc-hybrid and arc-eager how high the stack of a parser becomes, and its "
        "transitions: S is SHIFT, L LEFT-ARC, R RIGHT-ARC, D REDUCE.",
    .least = 0,
    .most = 1,
    .options = own_options,
};

/* Whether a file has sentences in CoNLL-U instead of trees in brackets. */
static bool is_conllu(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".conllu") == 0;
}

static void check(const struct own *own, const struct sim_options *options,
                  const char *command)
{
    const size_t files = options->argument_count;
    const bool is_listed = files && is_conllu(options->arguments[0]);
    const int done = (own->shortest > 0) + own->shuffles + (own->program != NULL);
    if (done > 1)
        sim_options_wrong(command,
                          "only one of --shortest, --shuffle and --unroll can be done");
    if (is_listed && done)
        sim_options_wrong(command,
                          "--shortest, --shuffle and --unroll take trees in Penn "
                          "brackets; %s has sentences",
                          options->arguments[0]);
    if (files && !done && !is_listed)
        sim_options_wrong(command, "expected --shortest, --shuffle or --unroll for FILE");
    if (!files && done)
        sim_options_wrong(command, "--shortest, --shuffle and --unroll take trees from "
                                   "FILE: it is missing");
    if (files && own->is_planned)
        sim_options_wrong(command, "--count, --mean and --words are of trees that are "
                                   "made, and there is FILE");
}

static void missing_function(const struct lib_source *program, struct lib_diags *diags)
{
    lib_diag_error(diags, LIB_DIAG_MEANING, program, (struct lib_pos){0},
                   "expected an equation `tree(n, x, base) = ...` that starts in column "
                   "1: it is what becomes unrolled");
}

static bool list_sentences(const char *path, struct lib_arena *arena,
                           struct lib_text *out, struct lib_diags *diags)
{
    static const struct isa_conllu_options options = {.least = 1, .most = MAX_WORDS};
    struct isa_conllu conllu;
    const struct lib_source *file = lib_file_read_as(arena, path, "the trees", diags);
    if (!file || !isa_conllu_read(&conllu, arena, file, &options, diags))
        return false;
    sim_sentences_write(&conllu, out);
    return true;
}

/* Makes the output from the trees of a file. */
static bool from_file(const struct own *own, const char *path, struct lib_arena *arena,
                      struct lib_text *out, struct lib_diags *diags)
{
    struct isa_trees trees;
    uint64_t found;
    if (is_conllu(path))
        return list_sentences(path, arena, out, diags);
    const struct lib_source *file = lib_file_read_as(arena, path, "the trees", diags);
    if (!file || !isa_trees_read(&trees, arena, file, MAX_NODES, diags))
        return false;
    if (own->shortest) {
        if (sim_trees_choose(&trees, own->shortest, out, &found))
            return true;
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "--shortest: %s has only %" PRIu64
                       " trees of each of the labels 0 and 4",
                       path, found);
        return false;
    }
    if (own->shuffles) {
        sim_trees_shuffle(&trees, own->plan.seed, out);
        return true;
    }
    const struct lib_source *program = lib_file_read_as(arena, own->program,
                                                        "the program", diags);
    if (!program || trees.root_count == 0)
        return false;
    if (!sim_trees_unroll(program, &trees, out))
        missing_function(program, diags);
    return diags->errors == 0;
}

int sim_trees(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.plan = {.count = COUNT, .words = WORDS, .mean = standard_mean}};
    LIB_TEXT_OWN text = {0};
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    sim_options_parse(&options, &usage, &own, argc, argv);
    check(&own, &options, argv[0]);
    own.plan.seed = options.seed;
    bool good = true;
    if (options.argument_count)
        good = from_file(&own, options.arguments[0], arena, &text, &diags);
    else
        sim_trees_make(&own.plan, &text);
    enum sim_status status = sim_tell(&options.printer, &diags);
    if (good)
        status = sim_put(&options.printer, options.output, &text);
    lib_arena_free(arena);
    sim_options_free(&options);
    return status;
}
