#include "sim/loading/inputs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "isa/format/image.h"
#include "isa/tensor/files/parts.h"
#include "lib/world.h"

/* --- keeping values ------------------------------------------------------------------- */

static const struct isa_tensor *keep_tensor(struct lib_arena *arena,
                                            const struct isa_tensor *tensor)
{
    enum { ALIGNMENT = 64 };
    struct isa_tensor *copy = LIB_ARENA_NEW(arena, struct isa_tensor);
    const uintptr_t at = (uintptr_t)lib_arena_alloc(arena, tensor->bytes + ALIGNMENT);
    *copy = *tensor;
    copy->data = (void *)((at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (tensor->bytes)
        memcpy(copy->data, tensor->data, tensor->bytes);
    return copy;
}

static const struct lib_source *keep_source(struct lib_arena *arena, const char *name,
                                            const char *bytes, size_t length)
{
    struct lib_source *source = LIB_ARENA_NEW(arena, struct lib_source);
    *source = (struct lib_source){name, lib_arena_copy(arena, bytes, length), length};
    return source;
}

/* Makes a file of a value that has none. */
static void make_file(struct lib_arena *arena, const char *name, struct isa_given *given)
{
    LIB_TEXT_OWN text = {0};
    isa_given_write(&text, given);
    lib_text_puts(&text, "\n");
    given->file = lib_arena_printf(arena, "%s.txt", name);
    given->source = keep_source(arena, given->file, lib_text_get(&text), text.length);
    given->digest = isa_digest_keep(arena, isa_digest_of(text.bytes, text.length));
}

const struct isa_given *sim_given_keep(struct lib_arena *arena, const char *name,
                                       const struct isa_tensor *const *parts,
                                       uint32_t part_count, const struct isa_given *like)
{
    struct isa_given *given = LIB_ARENA_NEW(arena, struct isa_given);
    const struct isa_tensor **kept = LIB_ARENA_ARRAY(arena, const struct isa_tensor *,
                                                     part_count);
    for (uint32_t i = 0; i < part_count; i++)
        kept[i] = keep_tensor(arena, parts[i]);
    *given = (struct isa_given){.part_count = part_count, .parts = kept};
    if (like && like->file) {
        given->file = lib_arena_copy(arena, like->file, strlen(like->file));
        given->digest = lib_arena_copy(arena, like->digest, strlen(like->digest));
        given->source = keep_source(
            arena, lib_arena_copy(arena, like->source->name, strlen(like->source->name)),
            like->source->bytes, like->source->length);
    } else if (isa_given_count(given) > SIM_INPUT_SHORT) {
        make_file(arena, name, given);
    }
    return given;
}

/* --- writing ------------------------------------------------------------------------- */

const struct isa_given *sim_input_file(const struct isa_input *input, isa_value value)
{
    const struct isa_given *given = input->part_count ? isa_value_given(value) : NULL;
    return given && given->file && given->source->length <= SIM_INPUT_KEEP_MAX ? given
                                                                               : NULL;
}

void sim_input_write(struct lib_text *out, const struct isa_input *input, isa_value value)
{
    const struct isa_given *given = input->part_count ? isa_value_given(value) : NULL;
    if (given && given->file) {
        const bool is_kept = sim_input_file(input, value) != NULL;
        lib_text_printf(out, "@%s@%s", is_kept ? given->file : given->source->name,
                        given->digest);
    } else if (given && isa_given_count(given) > SIM_INPUT_SHORT) {
        isa_given_write_type(out, input->type, given);
        lib_text_puts(out, " of ");
        isa_given_write_extents(out, given);
    } else {
        isa_input_write(out, input, value);
    }
}

void sim_input_identify(struct lib_text *out, const struct isa_input *input,
                        isa_value value)
{
    if (!input->part_count) {
        isa_value_write(out, input->type, value);
        return;
    }
    const struct isa_given *given = isa_value_given(value);
    for (uint32_t i = 0; i < given->part_count; i++)
        lib_text_printf(out, "%s%016" PRIx64, i ? " " : "", given->parts[i]->word);
}

static void write_real(struct lib_json *json, const char *name, double real)
{
    if (isfinite(real))
        lib_json_real(json, name, real);
    else /* JSON has no such number */
        lib_json_string(json, name, isnan(real) ? "nan" : signbit(real) ? "-inf" : "inf");
}

/* Adds a scalar, element `at` of a tensor. */
static void write_element(struct lib_json *json, const struct isa_tensor *tensor,
                          uint64_t at)
{
    if (tensor->shape.element == ISA_ELEMENT_INT)
        lib_json_int(json, NULL, tensor->ints[at]);
    else if (tensor->shape.element == ISA_ELEMENT_BOOL)
        lib_json_bool(json, NULL, tensor->bools[at]);
    else
        write_real(json, NULL, isa_tensor_get(tensor, at));
}

/* Adds the elements of axes `axis` and later, from element `at` on; a tuple is an array. */
static void write_axis(struct lib_json *json, const char *name,
                       const struct isa_given *given, int axis, uint64_t at)
{
    const struct isa_shape *shape = &given->parts[0]->shape;
    if (axis == shape->rank && given->part_count == 1) {
        write_element(json, given->parts[0], at);
        return;
    }
    lib_json_open_line(json, name, '[');
    if (axis == shape->rank) {
        for (uint32_t i = 0; i < given->part_count; i++)
            write_element(json, given->parts[i], at);
    } else {
        const uint64_t step = (uint64_t)isa_shape_product(shape, (unsigned)axis + 1,
                                                          shape->rank);
        for (int64_t i = 0; i < shape->extents[axis]; i++)
            write_axis(json, NULL, given, axis + 1, at + (uint64_t)i * step);
    }
    lib_json_close(json);
}

/* Adds what tells a long value from others. */
static void write_summary(struct lib_json *json, const struct isa_input *input,
                          const struct isa_given *given)
{
    LIB_TEXT_OWN text = {0};
    lib_json_open_line(json, input->name, '{');
    isa_given_write_type(&text, input->type, given);
    lib_json_string(json, "type", text.bytes);
    lib_json_open_line(json, "extents", '[');
    for (int axis = 0; axis < given->parts[0]->shape.rank; axis++)
        lib_json_int(json, NULL, given->parts[0]->shape.extents[axis]);
    lib_json_close(json);
    if (given->file) {
        lib_json_string(json, "file", given->file);
        lib_json_string(json, "digest", given->digest);
    }
    lib_text_clear(&text);
    sim_input_identify(&text, input, isa_value_of_given(given));
    lib_json_string(json, "elements", text.bytes);
    lib_json_close(json);
}

void sim_input_write_json(struct lib_json *json, const struct isa_input *input,
                          isa_value value)
{
    const struct isa_given *given = input->part_count ? isa_value_given(value) : NULL;
    if (given && (given->file || isa_given_count(given) > SIM_INPUT_SHORT))
        write_summary(json, input, given);
    else if (given)
        write_axis(json, input->name, given, 0, 0);
    else if (input->type == ISA_INT)
        lib_json_int(json, input->name, isa_value_int(value));
    else if (input->type == ISA_BOOL)
        lib_json_bool(json, input->name, value != 0);
    else
        write_real(json, input->name, isa_value_real(value));
}

/* --- messages ------------------------------------------------------------------------ */

static const char *input_name(size_t i, const void *context)
{
    const struct isa_graph *graph = context;
    return graph->inputs[i].name;
}

enum { SHOWN_INPUTS = 12 };

/* Whether the source defines the constant `name`: "n = ...". */
static bool is_constant(const struct lib_source *source, const char *name)
{
    const size_t length = strlen(name);
    for (const char *p = source ? source->bytes : NULL; p && *p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, name, length) != 0)
            continue;
        const char *sign = p + length + strspn(p + length, " \t");
        if (sign[0] == '=' && sign[1] != '=')
            return true;
    }
    return false;
}

static void report_unknown_input(const struct isa_graph *graph,
                                 const struct lib_source *source, const char *name,
                                 struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "the program has no input `%s`", name);
    const struct lib_setting *setting = sim_setting_find(name);
    if (setting) {
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s; it is a setting: `-s %s=VALUE`",
                       text.bytes, name);
        return;
    }
    if (is_constant(source, name)) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "%s; it is a constant, and `input %s = ...` in the program makes "
                       "an input of it",
                       text.bytes, name);
        return;
    }
    const char *nearest = lib_text_nearest(name, graph->input_count, input_name, graph);
    if (nearest)
        lib_text_printf(&text, "; did you mean `%s`?", nearest);
    if (graph->input_count == 0)
        lib_text_puts(&text, ", nor any other");
    else
        lib_text_puts(&text, nearest ? " Its inputs:" : "; its inputs:");
    for (uint32_t i = 0; i < graph->input_count && i < SHOWN_INPUTS; i++)
        lib_text_printf(&text, "%s %s (%s)", i ? "," : "", graph->inputs[i].name,
                        graph->inputs[i].text);
    if (graph->input_count > SHOWN_INPUTS)
        lib_text_printf(&text, " and %u more", graph->input_count - SHOWN_INPUTS);
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text.bytes);
}

static void hint_point(const char *written, struct lib_text *hint)
{
    LIB_TEXT_OWN text = {0};
    double value;
    lib_text_puts(&text, written);
    char *comma = strchr(lib_text_get(&text), ',');
    if (comma)
        *comma = '.';
    if (comma && lib_text_to_real(text.bytes, &value))
        lib_text_printf(hint, "; did you mean `%s`?", text.bytes);
}

static void report_misspelt_value(const struct isa_input *input, const char *text,
                                  struct lib_diags *diags)
{
    LIB_TEXT_OWN hint = {0};
    if (*text == '=')
        lib_text_printf(&hint, "; write `%s%s`", input->name, text);
    else if (input->type == ISA_INT)
        lib_text_hint_whole(&hint, text, 0, INT64_MAX);
    else if (input->type == ISA_REAL)
        hint_point(text, &hint);
    else if (input->type == ISA_BOOL)
        lib_text_hint_choice(&hint, text, "true|false");
    if (!hint.length && (strchr(text, ',') || strstr(text, "..")))
        lib_text_puts(&hint, "; a run has one value of each input; `hiaton compare` and "
                             "`hiaton sweep` take several");
    lib_diag_plain(diags, LIB_DIAG_USAGE, "input `%s`: expected %s, found `%s`%s",
                   input->name, isa_type_name(input->type), text, lib_text_get(&hint));
}

static void report_wrong_value(const struct isa_input *input, const char *text,
                               struct lib_diags *diags)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool whole = *digits && digits[strspn(digits, "0123456789")] == '\0';
    if (!*text)
        lib_diag_plain(diags, LIB_DIAG_USAGE, "input `%s`: expected %s, found nothing",
                       input->name, isa_type_name(input->type));
    else if (input->type == ISA_INT && whole)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "input `%s`: `%s` does not fit into an int of 64 bits, whose "
                       "largest is 9223372036854775807",
                       input->name, text);
    else
        report_misspelt_value(input, text, diags);
}

/* Reports an argument without a name: its `=` may be another argument, or a colon. */
static void report_no_input(const struct isa_graph *graph, const char *argument,
                            struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "expected NAME=VALUE, found `%s`", argument);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const char *name = graph->inputs[i].name;
        const size_t length = strlen(name);
        if (strncmp(argument, name, length) == 0 && argument[length] == ':')
            lib_text_printf(&text, "; did you mean `%s=%s`?", name,
                            argument + length + 1);
    }
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text.bytes);
}

/* --- arrays and tensors --------------------------------------------------------------- */

/* Sets what a value of an input has to be. */
static struct isa_parts parts_of(const struct isa_input *input)
{
    const struct isa_given *like = isa_value_given(input->value);
    struct isa_parts parts = {.count = like->part_count,
                              .rank = like->parts[0]->shape.rank,
                              .is_tensor = input->type == ISA_TENSOR};
    for (uint32_t i = 0; i < like->part_count; i++)
        parts.elements[i] = like->parts[i]->shape.element;
    return parts;
}

/* Finds the source of a value: the file of `@PATH`, or the text itself. Sets what a value of a file
 * has of it in `like`. */
static const struct lib_source *find_source(const struct isa_input *input,
                                            struct lib_arena *arena, const char *text,
                                            const struct sim_inputs_from *from,
                                            struct isa_given *like,
                                            struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    struct sim_setting_files own = {.arena = arena};
    struct sim_setting_files *files = from && from->files ? from->files : &own;
    if (*text != '@')
        return keep_source(files->arena,
                           lib_arena_printf(files->arena, "input %s", input->name), text,
                           strlen(text));
    const struct lib_setting_file *file = sim_setting_files_find(
        files, text + 1, from ? from->folder : "", from ? from->limit_memory : 0, &why);
    sim_setting_files_free(&own);
    if (!file) {
        lib_diag_plain(diags, LIB_DIAG_FILE, "input `%s`: %s", input->name,
                       lib_text_get(&why));
        return NULL;
    }
    like->file = file->name;
    like->digest = file->digest;
    like->source = &file->source;
    return &file->source;
}

/* Whether a value looks like the path of a file of values. */
static bool names_file(const char *text)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt", ".npy", ".mtx"};
    const char *ending = strrchr(text, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending, endings[i]) == 0)
            return true;
    return false;
}

static bool read_given(const struct isa_input *input, struct lib_arena *arena,
                       const char *text, const struct sim_inputs_from *from,
                       isa_value *value, struct lib_diags *diags)
{
    struct isa_given like = {0};
    struct isa_tensor_memory memory = {.limit = from ? from->limit_memory : 0};
    struct isa_parts parts = parts_of(input);
    if (!strchr("[@", *text) || !*text) {
        lib_diag_plain(
            diags, LIB_DIAG_USAGE,
            "input `%s`: expected %s, as `[...]` or from a file as `@PATH`, found "
            "%s%s%s%s%s%s",
            input->name, input->text, *text ? "`" : "", *text ? text : "nothing",
            *text ? "`" : "", names_file(text) ? "; did you mean `@" : "",
            names_file(text) ? text : "", names_file(text) ? "`?" : "");
        return false;
    }
    const struct lib_source *source = find_source(input, arena, text, from, &like, diags);
    const bool good = source && isa_parts_read(&parts, &memory, source, diags);
    if (good)
        *value = isa_value_of_given(sim_given_keep(
            arena, input->name, (const struct isa_tensor *const *)parts.tensors,
            parts.count, &like));
    isa_parts_free(&parts, &memory);
    isa_tensor_memory_free(&memory);
    return good;
}

/* --- arguments ------------------------------------------------------------------------ */

static void read_input(struct sim_inputs *inputs, struct lib_arena *arena,
                       const struct isa_graph *graph, const struct lib_source *source,
                       const char *argument, const struct sim_inputs_from *from,
                       struct lib_diags *diags)
{
    const struct lib_pos nowhere = {0};
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument) {
        report_no_input(graph, argument, diags);
        return;
    }
    const char *name = lib_arena_copy(arena, argument, (size_t)(equals - argument));
    uint32_t i = isa_graph_find_input(graph, name);
    if (i == UINT32_MAX) {
        report_unknown_input(graph, source, name, diags);
    } else if (inputs->given[i]) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "input `%s` is given twice",
                       name);
    } else if (graph->inputs[i].part_count) {
        inputs->given[i] = read_given(&graph->inputs[i], arena, equals + 1, from,
                                      &inputs->values[i], diags);
    } else if (!isa_value_read(equals + 1, graph->inputs[i].type, &inputs->values[i])) {
        report_wrong_value(&graph->inputs[i], equals + 1, diags);
    } else {
        inputs->given[i] = true;
    }
}

/* Returns the number of arguments of an input written with blanks: `n = 5`, `n =5`, `n= 5` or `n
 * 5`; else 1. */
static size_t split_pieces(const struct isa_graph *graph, const char *const *arguments,
                           size_t count)
{
    const char *equals = strchr(arguments[0], '=');
    const bool is_name = !equals && count > 1;
    if (is_name && arguments[1][0] == '=')
        return arguments[1][1] || count == 2 ? 2 : 3;
    const bool lacks_value = equals && equals > arguments[0] && !equals[1] && count > 1;
    const bool is_input = is_name &&
                          isa_graph_find_input(graph, arguments[0]) != UINT32_MAX;
    return (lacks_value || is_input) && !strchr(arguments[1], '=') ? 2 : 1;
}

static void report_split_input(const char *const *arguments, size_t pieces,
                               struct lib_diags *diags)
{
    LIB_TEXT_OWN found = {0}, meant = {0};
    for (size_t i = 0; i < pieces; i++) {
        lib_text_printf(&found, "%s%s", i ? " " : "", arguments[i]);
        lib_text_printf(
            &meant, "%s%s",
            i == 1 && !strchr(meant.bytes, '=') && arguments[i][0] != '=' ? "=" : "",
            arguments[i]);
    }
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "expected NAME=VALUE, found `%s`; write `%s`, without blanks",
                   found.bytes, meant.bytes);
}

/* Reads inputs. `source` is for hints; or NULL. */
static bool read_inputs(struct sim_inputs *inputs, struct lib_arena *arena,
                        const struct isa_graph *graph, const struct lib_source *source,
                        const char *const *arguments, size_t count,
                        const struct sim_inputs_from *from, struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    size_t errors = diags->errors;
    inputs->values = LIB_ARENA_ARRAY(arena, isa_value, graph->input_count);
    inputs->given = LIB_ARENA_ARRAY(arena, bool, graph->input_count);
    for (uint32_t i = 0; i < graph->input_count; i++)
        inputs->values[i] = graph->inputs[i].value;
    for (size_t i = 0; i < count;) {
        const size_t pieces = split_pieces(graph, arguments + i, count - i);
        if (pieces > 1)
            report_split_input(arguments + i, pieces, diags);
        else
            read_input(inputs, arena, graph, source, arguments[i], from, diags);
        i += pieces;
    }

    return diags->errors == errors;
}

bool sim_inputs_read(struct sim_inputs *inputs, struct lib_arena *arena,
                     const struct isa_graph *graph, const char *const *arguments,
                     size_t count, const struct sim_inputs_from *from,
                     struct lib_diags *diags)
{
    return read_inputs(inputs, arena, graph, NULL, arguments, count, from, diags);
}

bool sim_program_read_inputs(const struct sim_program *program, struct sim_inputs *inputs,
                             struct lib_arena *arena, const char *const *arguments,
                             size_t count, const struct sim_inputs_from *from,
                             struct lib_diags *diags)
{
    return read_inputs(inputs, arena, program->graph, sim_program_source(program),
                       arguments, count, from, diags);
}
