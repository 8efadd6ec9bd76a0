#include "tests/fuzz/fuzz.h"

#include "isa/check/check.h"
#include "isa/format/asm.h"
#include "isa/format/draw.h"
#include "isa/format/image.h"
#include "lib/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libfyaml 0.7.12 loses its buffer of a quoted scalar when the text goes wrong after it;
 * that is its own, once per file, and nothing that a reader of it can give back. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

void fuzz_fail(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fputs("fuzz: ", stderr);
    vfprintf(stderr, format, ap);
    fputs("\n", stderr);
    va_end(ap);
    abort();
}

const struct lib_source *fuzz_source(struct lib_arena *arena, const char *name,
                                     const void *data, size_t size)
{
    struct lib_source *source = LIB_ARENA_NEW(arena, struct lib_source);
    source->name = name;
    source->bytes = lib_arena_copy(arena, data, size);
    source->length = size;
    return source;
}

/* --- files ---------------------------------------------------------------------------- */

const char *fuzz_folder(const char *target)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-%s.%ld", target, (long)getuid());
    if (mkdir(path, 0700) != 0 && access(path, W_OK) != 0)
        fuzz_fail("cannot make %s", path);
    return path;
}

void fuzz_put(const char *folder, const char *name, const char *text)
{
    char path[256];
    struct lib_diags diags = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!lib_file_write(path, text, strlen(text), &diags))
        fuzz_fail("cannot write %s", path);
}

char *fuzz_line(char **text)
{
    char *line = *text;
    if (!line)
        return NULL;
    *text = strchr(line, '\n');
    if (*text)
        *(*text)++ = '\0';
    return line;
}

/* --- diagnostics ---------------------------------------------------------------------- */

/* The length of a line, from 1; -1: the text has no such line. An empty line follows the
 * last newline. */
static long line_length(const struct lib_source *source, uint32_t line)
{
    const char *p = source->bytes, *end = p + source->length;
    for (; line > 1; line--) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            return -1;
        p = newline + 1;
    }
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return (newline ? newline : end) - p;
}

static void check_place(const struct lib_diag *d)
{
    if (!d->source || d->pos.line == 0)
        return;
    long length = line_length(d->source, d->pos.line);
    if (length < 0 || d->pos.column == 0 || d->pos.column > (unsigned long)length + 1)
        fuzz_fail("%u:%u is not in the text: %s", d->pos.line, d->pos.column, d->text);
}

void fuzz_diags(struct lib_diags *diags, bool failed)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < diags->count; i++)
        check_place(&diags->items[i]);
    lib_diags_write(diags, &text);
    if (failed != (diags->errors > 0))
        fuzz_fail("%s, but %zu errors:\n%s", failed ? "failed" : "accepted",
                  diags->errors, lib_text_get(&text));
    lib_text_free(&text);
    lib_diags_free(diags);
}

bool fuzz_is_limit(const struct lib_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        if (!diags->items[i].warning && diags->items[i].code != LIB_DIAG_LIMIT)
            return false;
    return diags->errors > 0;
}

/* --- graphs --------------------------------------------------------------------------- */

void fuzz_same(const char *what, const struct lib_text *a, const struct lib_text *b)
{
    if (a->length != b->length ||
        memcmp(lib_text_get(a), lib_text_get(b), a->length) != 0)
        fuzz_fail("%s differs:\n%s\n--- and\n%s", what, lib_text_get(a), lib_text_get(b));
}

typedef struct isa_graph *read_graph(const struct lib_source *, struct lib_diags *);
typedef void write_graph(const struct isa_graph *, struct lib_text *);

static void round_trip(const char *what, const struct isa_graph *graph,
                       write_graph *write, read_graph *read)
{
    struct lib_text text = {0}, again = {0};
    struct lib_diags diags = {0};
    write(graph, &text);
    struct lib_source source = {what, lib_text_get(&text), text.length};
    struct isa_graph *back = read(&source, &diags);
    fuzz_diags(&diags, back == NULL);
    if (!back)
        fuzz_fail("%s does not read back", what);
    write(back, &again);
    fuzz_same(what, &text, &again);
    isa_graph_free(back);
    lib_text_free(&text);
    lib_text_free(&again);
}

void fuzz_graph(const struct isa_graph *graph)
{
    struct lib_diags diags = {0};
    fuzz_diags(&diags, !isa_check(graph, NULL, &diags));
    round_trip("assembly", graph, isa_asm_write, isa_asm_read);
    if (isa_stage_is_executable(graph->stage))
        round_trip("image", graph, isa_image_write, isa_image_read);

    struct lib_text drawing = {0};
    const struct isa_draw_choice one_call = {.depth = 1, .fold = ISA_DRAW_SANE};
    struct isa_draw_plan plan;
    isa_draw_choose(graph, &one_call, graph->arena, &plan);
    isa_draw_dot(graph, &plan, &drawing);
    isa_draw_dot(graph, NULL, &drawing);
    isa_draw_json(graph, &drawing);
    if (strlen(drawing.bytes) != drawing.length)
        fuzz_fail("a NUL in a drawing");
    lib_text_free(&drawing);
}
