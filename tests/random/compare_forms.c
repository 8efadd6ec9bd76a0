#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "programs/compile.h"
#include "tests/random/compare_internal.h"
#include "tests/random/placeless.h"

#include <string.h>

static struct lib_source source_of(const char *name, const struct lib_text *text)
{
    return (struct lib_source){name, lib_text_get(text), text->length};
}

static bool same_text(const struct lib_text *a, const struct lib_text *b)
{
    return a->length == b->length &&
           memcmp(lib_text_get(a), lib_text_get(b), a->length) == 0;
}

static bool same_digest(struct isa_digest a, struct isa_digest b)
{
    return a.high == b.high && a.low == b.low;
}

/* Adds what was found, with the messages that come with it. */
static bool found(struct compare_report *report, const char *what,
                  const struct lib_diags *diags)
{
    struct lib_text messages = {0};
    lib_diags_write(diags, &messages);
    compare_found(report, COMPARE_FORM, "%s\n%s", what, lib_text_get(&messages));
    lib_text_free(&messages);
    return false;
}

/* The text of a graph reads back to a graph with the same text. Returns that graph. */
static struct isa_graph *check_assembly(const struct isa_graph *graph,
                                        struct compare_report *report)
{
    struct lib_diags diags = {0};
    struct lib_text text = {0}, again = {0};
    isa_asm_write(graph, &text);
    struct lib_source source = source_of("assembly", &text);
    struct isa_graph *copy = isa_asm_read(&source, &diags);
    if (copy)
        isa_asm_write(copy, &again);
    const bool is_warned = diags.count > 0;
    if (!copy || is_warned || !same_text(&text, &again)) {
        found(report, is_warned ? "assembly is warned of" : "assembly does not read back",
              &diags);
        isa_graph_free(copy);
        copy = NULL;
    }
    lib_text_free(&text);
    lib_text_free(&again);
    lib_diags_free(&diags);
    return copy;
}

/* The assembly of an early stage goes on to the same image, which is of stage `last`. */
static bool check_stage(const struct lib_source *source,
                        const struct programs_options *options, enum isa_stage stage,
                        enum isa_stage last, struct isa_digest digest,
                        struct compare_report *report)
{
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_compile(source, options, stage, &diags);
    struct isa_graph *copy = NULL;
    bool good = graph != NULL;
    if (graph)
        copy = check_assembly(graph, report);
    if (copy) {
        copy = programs_advance(copy, last, NULL, &diags);
        if (!copy || !same_digest(isa_image_digest(copy), digest))
            good = found(report, "assembly goes on to another image", &diags);
    } else {
        good = false;
    }
    isa_graph_free(graph);
    isa_graph_free(copy);
    lib_diags_free(&diags);
    return good;
}

static bool check_image(const struct isa_graph *image, struct compare_report *report)
{
    struct lib_diags diags = {0};
    struct lib_text bytes = {0}, again = {0};
    isa_image_write(image, &bytes);
    struct lib_source source = source_of("image", &bytes);
    struct isa_graph *copy = isa_image_read(&source, &diags);
    if (copy)
        isa_image_write(copy, &again);
    bool good = copy && same_text(&bytes, &again);
    if (!good)
        found(report, "an image does not read back", &diags);
    isa_graph_free(copy);
    lib_text_free(&bytes);
    lib_text_free(&again);
    lib_diags_free(&diags);
    return good;
}

/* The image without places in the source. */
static struct isa_digest placeless(const struct isa_graph *image)
{
    struct isa_graph *copy = placeless_copy(image);
    struct isa_digest digest = isa_image_digest(copy);
    isa_graph_free(copy);
    return digest;
}

/* The printed program is the same program, and prints the same. */
static bool check_printed(const struct isa_graph *image,
                          const struct programs_options *options, const char *printed,
                          const char *name, struct compare_report *report)
{
    struct lib_diags diags = {0};
    struct lib_text again = {0};
    struct lib_source source = {name, printed, strlen(printed)};
    struct isa_graph *copy = programs_compile(&source, options, image->stage, &diags);
    bool good = true;
    if (!copy || !same_digest(placeless(copy), placeless(image)))
        good = found(report, "the printed program is another one", &diags);
    else if (!programs_dump_parse(&source, &again, &diags) ||
             strcmp(lib_text_get(&again), printed) != 0)
        good = found(report, "the printed program prints differently", &diags);
    isa_graph_free(copy);
    lib_text_free(&again);
    lib_diags_free(&diags);
    return good;
}

bool compare_forms(const struct lib_source *source,
                   const struct programs_options *options, const struct isa_graph *image,
                   const char *printed, struct compare_report *report)
{
    struct isa_digest digest = isa_image_digest(image);
    bool good = true;
    for (enum isa_stage stage = 0; stage < ISA_STAGE_COUNT && good; stage++)
        if (stage == image->stage || programs_can_advance(stage, image->stage))
            good = check_stage(source, options, stage, image->stage, digest, report);
    return good && check_image(image, report) &&
           check_printed(image, options, printed, source->name, report);
}
