/* Fuzz target: the language. What is accepted compiles at every stage, means one thing
 * whatever executes it, and means the same after it was printed. */
#include "tests/fuzz/fuzz.h"
#include "tests/random/placeless.h"

#include "isa/format/image.h"
#include "programs/compile.h"
#include "programs/graph/build.h"
#include "programs/syntax/parse.h"
#include "programs/types/data.h"
#include "programs/types/infer.h"
#include "programs/types/match.h"
#include "programs/types/resolve.h"

/* All that holds for the program by the other strategy. */
static void check_expanding(struct isa_graph *functions)
{
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_advance(functions, ISA_STAGE_EXPANDING, NULL,
                                               &diags);
    if (!graph)
        fuzz_fail("a compiled graph cannot expand: %s", diags.items[0].text);
    fuzz_diags(&diags, false);
    fuzz_graph(graph);
    fuzz_execute(graph, true);
    isa_graph_free(graph);
}

/* The image of a program. After a front end without errors no pass may refuse but for a
 * limit. `thorough`: all that holds for the graphs of all stages is checked. */
static struct isa_graph *compile(const struct lib_source *source,
                                 const struct programs_options *options, bool thorough)
{
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    struct programs_ast *ast = programs_parse(arena, source, &diags);
    /* No files are read: a program that names one ends here. */
    bool good = ast && programs_data_read(ast, NULL, NULL, NULL, &diags) &&
                programs_resolve(ast, &diags) && programs_infer(ast, &diags) &&
                programs_match(ast, &diags);
    fuzz_diags(&diags, !good);
    diags = (struct lib_diags){0};
    struct isa_graph *graph = good ? programs_build(ast, options, programs_passes, &diags)
                                   : NULL;
    fuzz_diags(&diags, good && !graph);
    if (ast)
        programs_data_free(ast);
    lib_arena_free(arena);
    for (int stage = ISA_STAGE_FUNCTIONS; graph && stage <= ISA_STAGE_IMAGE; stage++) {
        diags = (struct lib_diags){0};
        graph = programs_advance(graph, (enum isa_stage)stage, source, &diags);
        if (!graph && !fuzz_is_limit(&diags))
            fuzz_fail("a compiled graph is refused: %s", diags.items[0].text);
        fuzz_diags(&diags, graph == NULL);
        if (graph && thorough)
            fuzz_graph(graph);
        if (graph && thorough && stage == ISA_STAGE_FUNCTIONS)
            check_expanding(isa_graph_copy(graph));
    }
    return graph;
}

/* The image without the places in the source. */
static void write_placeless(const struct isa_graph *graph, struct lib_text *out)
{
    struct isa_graph *copy = placeless_copy(graph);
    isa_image_write(copy, out);
    isa_graph_free(copy);
}

/* Whether `source` parses; its tree as text. */
static bool print(const struct lib_source *source, struct lib_text *out, bool *limit)
{
    struct lib_diags diags = {0};
    bool parsed = programs_dump_parse(source, out, &diags);
    *limit = fuzz_is_limit(&diags);
    fuzz_diags(&diags, !parsed);
    return parsed;
}

/* What was printed parses, prints the same, and compiles to the same as `graph`. */
static void check_print(const struct lib_text *text,
                        const struct programs_options *options,
                        const struct isa_graph *graph)
{
    struct lib_source source = {"fuzz.df", lib_text_get(text), text->length};
    struct lib_text again = {0}, image = {0}, image_again = {0};
    bool limit, parsed = print(&source, &again, &limit);
    if (!parsed && !limit)
        fuzz_fail("what was printed does not parse:\n%s", lib_text_get(text));
    if (parsed)
        fuzz_same("the printed program", text, &again);
    struct isa_graph *back = parsed ? compile(&source, options, false) : NULL;
    if (parsed && !back != !graph)
        fuzz_fail("only one of two equal programs compiles:\n%s", lib_text_get(text));
    if (back) {
        write_placeless(graph, &image);
        write_placeless(back, &image_again);
        fuzz_same("the image of the printed program", &image, &image_again);
    }
    isa_graph_free(back);
    lib_text_free(&again);
    lib_text_free(&image);
    lib_text_free(&image_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    const struct lib_source *source = fuzz_source(arena, "fuzz.df", data, size);
    /* Half of the inputs are compiled in the other way, and a third has trees. */
    const struct programs_settings settings = {
        .loop_constants = size % 2 ? PROGRAMS_CONSTANTS_COPIES
                                   : PROGRAMS_CONSTANTS_STICKY,
        .array_generator = size % 3 ? PROGRAMS_ARRAYS_CHAIN : PROGRAMS_ARRAYS_TREE,
        .array_strand = 1 + size % 4,
        .array_bound = size % 5 ? 0 : 1};
    const struct programs_options options = {.settings = &settings};
    struct lib_text text = {0};
    bool limit;
    struct isa_graph *graph = compile(source, &options, true);
    if (print(source, &text, &limit))
        check_print(&text, &options, graph);
    if (graph)
        fuzz_execute(graph, true);
    isa_graph_free(graph);
    lib_text_free(&text);
    lib_arena_free(arena);
    return 0;
}
