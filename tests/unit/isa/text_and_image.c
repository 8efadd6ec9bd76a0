/* The text and the image of a graph: each row of isa/ops.def goes through both and comes
 * back the same; what is wrong is told where it is; nothing makes the readers crash. */
#include "tests/unit/isa_texts.h"

#include "isa/format/draw.h"
#include "isa/format/image_layout.h"
#include "lib/hash.h"

#include <xxhash.h>

/* --- equality ----------------------------------------------------------------------- */

static bool same_pos(struct lib_pos a, struct lib_pos b)
{
    return a.line == b.line && a.column == b.column && a.span == b.span;
}

static void check_same_constructor(const struct isa_constructor *a,
                                   const struct isa_constructor *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->type, b->type);
    ck_assert_str_eq(a->shape, b->shape);
    ck_assert_uint_eq(a->number, b->number);
    ck_assert_uint_eq(a->first, b->first);
    ck_assert_uint_eq(a->field_count, b->field_count);
    for (uint32_t i = 0; i < a->field_count; i++) {
        const char *name = a->fields[i].name, *other = b->fields[i].name;
        ck_assert(name && other ? strcmp(name, other) == 0 : name == other);
        ck_assert_int_eq(a->fields[i].type, b->fields[i].type);
    }
}

static void check_same_node(const struct isa_node *a, const struct isa_node *b)
{
    ck_assert_int_eq(a->op, b->op);
    ck_assert_int_eq(a->type, b->type);
    ck_assert_uint_eq(a->function, b->function);
    ck_assert_uint_eq(a->site, b->site);
    ck_assert_uint_eq(a->index, b->index);
    ck_assert(same_pos(a->pos, b->pos));
    ck_assert_uint_eq(a->operand_count, b->operand_count);
    ck_assert_uint_eq(a->output_count, b->output_count);
    for (uint32_t i = 0; i < a->operand_count; i++) {
        ck_assert_int_eq(a->operands[i].kind, b->operands[i].kind);
        ck_assert_uint_eq(a->operands[i].input, b->operands[i].input);
        ck_assert_uint_eq(a->operands[i].value, b->operands[i].value);
    }
    for (uint32_t o = 0; o < a->output_count; o++) {
        ck_assert_uint_eq(a->outputs[o].count, b->outputs[o].count);
        for (uint32_t i = 0; i < a->outputs[o].count; i++) {
            ck_assert_uint_eq(a->outputs[o].items[i].node, b->outputs[o].items[i].node);
            ck_assert_uint_eq(a->outputs[o].items[i].port, b->outputs[o].items[i].port);
        }
    }
}

static void check_same_types(const enum isa_type *a, const enum isa_type *b,
                             uint32_t count, uint32_t other_count)
{
    ck_assert_uint_eq(count, other_count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_eq(a[i], b[i]);
}

static void check_same(const struct isa_graph *a, const struct isa_graph *b)
{
    ck_assert_int_eq(a->stage, b->stage);
    ck_assert_str_eq(a->source, b->source);
    ck_assert_str_eq(a->shape, b->shape);
    ck_assert_uint_eq(a->input_count, b->input_count);
    for (uint32_t i = 0; i < a->input_count; i++) {
        ck_assert_str_eq(a->inputs[i].name, b->inputs[i].name);
        ck_assert_int_eq(a->inputs[i].type, b->inputs[i].type);
        ck_assert_str_eq(a->inputs[i].text, b->inputs[i].text);
        ck_assert_uint_eq(a->inputs[i].first, b->inputs[i].first);
        ck_assert_uint_eq(a->inputs[i].part_count, b->inputs[i].part_count);
        if (!a->inputs[i].part_count)
            ck_assert_uint_eq(a->inputs[i].value, b->inputs[i].value);
    }
    ck_assert_uint_eq(a->cell_count, b->cell_count);
    for (uint32_t i = 0; i < a->cell_count; i++) {
        ck_assert_str_eq(a->cells[i].name, b->cells[i].name);
        ck_assert_int_eq(a->cells[i].type, b->cells[i].type);
    }
    ck_assert_uint_eq(a->constant_count, b->constant_count);
    for (uint32_t i = 0; i < a->constant_count; i++) {
        ck_assert_str_eq(a->constants[i].name, b->constants[i].name);
        ck_assert_uint_eq(a->constants[i].tensor->word, b->constants[i].tensor->word);
    }
    ck_assert_uint_eq(a->constructor_count, b->constructor_count);
    for (uint32_t i = 0; i < a->constructor_count; i++)
        check_same_constructor(&a->constructors[i], &b->constructors[i]);
    ck_assert_uint_eq(a->function_count, b->function_count);
    for (uint32_t i = 0; i < a->function_count; i++) {
        const struct isa_function *f = &a->functions[i], *h = &b->functions[i];
        ck_assert_str_eq(f->name, h->name);
        check_same_types(f->params, h->params, f->param_count, h->param_count);
        check_same_types(f->results, h->results, f->result_count, h->result_count);
        check_same_types(f->held, h->held, f->held_count, h->held_count);
        ck_assert(f->is_loop == h->is_loop && f->bound == h->bound &&
                  f->strand == h->strand);
        ck_assert(same_pos(f->pos, h->pos));
    }
    ck_assert_uint_eq(a->site_count, b->site_count);
    for (uint32_t i = 0; i < a->site_count; i++) {
        ck_assert_uint_eq(a->sites[i].caller, b->sites[i].caller);
        ck_assert_uint_eq(a->sites[i].callee, b->sites[i].callee);
        ck_assert(same_pos(a->sites[i].pos, b->sites[i].pos));
    }
    ck_assert_uint_eq(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count; i++)
        check_same_node(&a->nodes[i], &b->nodes[i]);
}

/* --- round trips -------------------------------------------------------------------- */

static struct isa_graph *read_image(const struct lib_text *image)
{
    struct lib_source source = test_source(image->bytes, image->length);
    struct lib_diags diags = {0};
    ck_assert(isa_image_is(&source));
    struct isa_graph *graph = isa_image_read(&source, &diags);
    ck_assert_msg(graph != NULL, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    return graph;
}

/* Text -> graph -> text -> graph. */
static void round_trip_text(const struct isa_graph *graph)
{
    struct lib_text first = {0}, second = {0};
    isa_asm_write(graph, &first);
    struct lib_source source = test_source(first.bytes, first.length);
    ck_assert(isa_asm_is(&source));
    struct isa_graph *again = test_read(first.bytes);
    check_same(graph, again);
    isa_asm_write(again, &second);
    ck_assert_str_eq(first.bytes, second.bytes);
    isa_graph_free(again);
    lib_text_free(&first);
    lib_text_free(&second);
}

/* Image -> graph -> text -> graph -> image. */
static void round_trip_image(const struct isa_graph *graph)
{
    struct lib_text first = {0}, second = {0}, text = {0};
    isa_image_write(graph, &first);
    struct isa_graph *again = read_image(&first);
    check_same(graph, again);
    isa_asm_write(again, &text);
    struct isa_graph *third = test_read(text.bytes);
    isa_image_write(third, &second);
    ck_assert_uint_eq(first.length, second.length);
    ck_assert(memcmp(first.bytes, second.bytes, first.length) == 0);
    struct isa_digest digest = isa_image_digest(third);
    XXH128_hash_t hash = XXH3_128bits(first.bytes, first.length);
    ck_assert(digest.high == hash.high64 && digest.low == hash.low64);
    isa_graph_free(again);
    isa_graph_free(third);
    lib_text_free(&first);
    lib_text_free(&second);
    lib_text_free(&text);
}

/* Through everything that a graph of its stage can go; consumes it. */
static void round_trip(struct isa_graph *graph)
{
    struct lib_text drawn = {0};
    round_trip_text(graph);
    const struct isa_draw_choice one_call = {.depth = 1, .fold = ISA_DRAW_SANE};
    struct isa_draw_plan plan;
    isa_draw_choose(graph, &one_call, graph->arena, &plan);
    isa_draw_dot(graph, &plan, &drawn);
    isa_draw_dot(graph, NULL, &drawn);
    isa_draw_json(graph, &drawn);
    if (graph->stage == ISA_STAGE_STATIC) {
        isa_graph_lower(graph);
        round_trip_text(graph);
        isa_draw_dot(graph, NULL, &drawn);
    }
    if (graph->stage == ISA_STAGE_FUNCTIONS)
        graph->stage = ISA_STAGE_EXPANDING;
    if (isa_stage_is_executable(graph->stage))
        round_trip_image(graph);
    isa_graph_free(graph);
    lib_text_free(&drawn);
}

static bool has_opcode(const struct isa_graph *graph, enum isa_op op)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].op == op)
            return true;
    return false;
}

/* A program that applies a pure opcode to constants; the last of two operands may be an
 * immediate, or an input. */
static struct isa_graph *apply_pure(enum isa_op op, const char *last)
{
    static const char *const values[] = {"-9223372036854775808", "-1e-300", "true"};
    struct lib_text text = {0};
    const struct isa_op_info *info = &isa_op_table[op];
    const char *out = isa_type_name(isa_op_output_type(op, 0, ISA_INT));
    enum isa_type type = isa_op_operand_type(op, 0, ISA_INT);
    const char *name = isa_type_name(type);
    bool binary = isa_op_operands(op) == 2;
    lib_text_printf(&text, "hiaton assembly 1\nstage image\ninput i %s = %s\n", name,
                    values[type]);
    lib_text_printf(&text, "function result () -> (%s)\nin result\n", out);
    lib_text_printf(&text, "%%a const.%s %s -> %%op.0\n", name, values[type]);
    if (binary && strcmp(last, "_") == 0)
        lib_text_printf(&text, "%%b const.%s %s -> %%op.1\n", name, values[type]);
    lib_text_printf(&text, "%%op %s _%s%s -> %%o.0\n", info->text, binary ? ", " : "",
                    binary ? (strcmp(last, "1") == 0 ? values[type] : last) : "");
    lib_text_printf(&text, "%%o output.%s _, part 0\n", out);
    struct isa_graph *graph = test_read(text.bytes);
    ck_assert(has_opcode(graph, op));
    lib_text_free(&text);
    return graph;
}

/* A function on another machine than its call. */
static const char parted[] =
    "hiaton assembly 1\n"
    "stage partitioned  # the instructions of the one graph, divided among machines\n"
    "machines 2\n"
    "function 0 result () -> (int)\n"
    "function 1 f (int) -> (int)\n"
    "site 0 result -> f\n"
    "\n"
    "in result\n"
    "  %0  call.int 3, site 0, param 0, on 0      -> %5.0 | %1.1\n"
    "  %1  return.int _, _, site 0, part 0, on 0  -> %2.0\n"
    "  %2  output.int _, part 0, on 0\n"
    "\n"
    "in f\n"
    "  %3  merge.int _, on 1                      -> %4.0\n"
    "  %4  neg.int _, on 1                        -> %7.0\n"
    "  %5  send.int _, channel 0, on 0\n"
    "  %6  recv.int channel 0, on 1               -> %3.0\n"
    "  %7  send.int _, channel 1, on 1\n"
    "  %8  recv.int channel 1, on 0               -> %1.0\n";

/* result = f(2); f(n) = loop i = n while i < 9 do i * g(i) return i; g(x) = if x == 0 then 1 else
 * x; g is on machine 1, with RECVs that are scheduled. */
static const char tracked[] =
    "hiaton assembly 1\n"
    "stage partitioned\n"
    "machines 2\n"
    "function 0 result () -> (int)\n"
    "function 1 f (int) -> (int)\n"
    "function 2 g (int) -> (int)\n"
    "loop 3 f.loop (int) -> (int)\n"
    "site 0 result -> f\n"
    "site 1 f -> f.loop\n"
    "site 2 f.loop -> g\n"
    "\n"
    "in result\n"
    "  %0   call.int 2, site 0, param 0, on 0      -> %3.0 | %1.1\n"
    "  %1   return.int _, _, site 0, part 0, on 0  -> %2.0\n"
    "  %2   output.int _, part 0, on 0\n"
    "\n"
    "in f\n"
    "  %3   merge.int _, on 0                      -> %4.0\n"
    "  %4   enter.int _, site 1, param 0, on 0     -> %5.0\n"
    "\n"
    "in f.loop\n"
    "  %5   merge.int _, on 0                      -> %6.0, %7.0\n"
    "  %6   lt.int _, 9, on 0                      -> %7.1, %28.0\n"
    "  %7   switch.int _, _, on 0                  -> %8.0, %10.0 | %12.0\n"
    "  %8   call.int _, site 2, param 0, on 0      -> %30.0, %19.0 | %9.1\n"
    "  %9   return.int _, _, site 2, part 0, on 0  -> %10.1\n"
    "  %10  mul.int _, _, on 0                     -> %11.0\n"
    "  %11  next.int _, site 1, param 0, on 0      -> %5.0\n"
    "  %12  exit.int _, site 1, part 0, on 0       -> %1.0\n"
    "\n"
    "in g\n"
    "  %13  merge.int _, on 1                      -> %14.0, %16.0\n"
    "  %14  eq.int _, 0, on 1                      -> %15.1, %16.1\n"
    "  %15  switch.int 1, _, on 1                  -> %17.0 | -\n"
    "  %16  switch.int _, _, on 1                  -> - | %17.0\n"
    "  %17  mergeif.int _, on 1                    -> %32.0\n"
    "  %18  trackmerge _, on 1                     -> %31.0\n"
    "  %19  trackmerge _, on 0                     -> %33.0\n"
    "\n"
    "in result\n"
    "  %20  trackmerge on 1                        -> %21.0\n"
    "  %21  trackcall _, site 0, on 1              -> %22.0\n"
    "\n"
    "in f\n"
    "  %22  trackmerge _, on 1                     -> %23.0\n"
    "  %23  trackenter _, site 1, on 1             -> %24.0\n"
    "\n"
    "in f.loop\n"
    "  %24  trackmerge _, on 1                     -> %29.0, %25.0\n"
    "  %25  trackswitch _, _, on 1                 -> %26.0, %27.0 | -\n"
    "  %26  tracknext _, site 1, on 1              -> %24.0\n"
    "  %27  trackcall _, site 2, on 1              -> %18.0\n"
    "  %28  send.bool _, channel 0, on 0\n"
    "  %29  await.bool _, channel 0, on 1          -> %25.1\n"
    "\n"
    "in g\n"
    "  %30  send.int _, channel 1, on 0\n"
    "  %31  await.int _, channel 1, on 1           -> %13.0\n"
    "  %32  send.int _, channel 2, on 1\n"
    "  %33  await.int _, channel 2, on 0           -> %9.0\n";

/* result = (t, t.left, number of t's constructor), where t = Node(Leaf, (1.5, [])). Two
 * constructors have the name Node. */
static const char data_image[] =
    "hiaton assembly 1\n"
    "stage image\n"
    "constructor 0 Leaf of Tree 0\n"
    "constructor 1 Node of Tree 1 (data left, real, [int] \"a b\") shape \"(_, (_, "
    "[_]))\"\n"
    "constructor 2 Node of \"Tree(int)\" 1 (int)\n"
    "function 0 result () -> (data, data, int)\n"
    "\n"
    "in result\n"
    "  %0  construct constructor 1       -> %1.0, %2.0, %4.0, %5.0, %6.0, %7.0\n"
    "  %1  fill.data _, Leaf, field 1.0\n"
    "  %2  fill.real _, 1.5, field 1.1\n"
    "  %3  alloc.int 0                   -> %4.1\n"
    "  %4  fill.[int] _, _, field 1.2\n"
    "  %5  output.data _, part 0\n"
    "  %6  field.data _, field 1.0       -> %8.0\n"
    "  %7  constructor _                 -> %9.0\n"
    "  %8  output.data _, part 1\n"
    "  %9  output.int _, part 2\n";

/* Inputs that are arrays, one of tuples, and a tensor; a constant that is an array. */
static const char given_image[] = "hiaton assembly 1\n"
                                  "stage image\n"
                                  "tensor 0 a int[3] = 1, -2, 3\n"
                                  "tensor 1 e.0 int[2] = 0, 1\n"
                                  "tensor 2 e.1 real[2] = 0.5, nan\n"
                                  "tensor 3 w real32[2, 1] = 1.0, 2.0\n"
                                  "tensor 4 x bool[0] =\n"
                                  "input 0 a [int] = tensors 0 to 0\n"
                                  "input 1 n int = 7\n"
                                  "input 2 e [int] = tensors 1 to 2\n"
                                  "input 3 w tensor = tensors 3 to 3\n"
                                  "function 0 result () -> ([int], [real], [bool], int)\n"
                                  "\n"
                                  "in result\n"
                                  "  %0  given.int constant 0   -> %4.0\n"
                                  "  %1  given.real constant 2  -> %5.0\n"
                                  "  %2  given.bool constant 4  -> %6.0\n"
                                  "  %3  const.int $n           -> %7.0\n"
                                  "  %4  output.[int] _, part 0\n"
                                  "  %5  output.[real] _, part 1\n"
                                  "  %6  output.[bool] _, part 2\n"
                                  "  %7  output.int _, part 3\n";

/* Arrays that accumulate, and a total that waits for the answer of a contribution. */
static const char folds_image[] = "hiaton assembly 1\n"
                                  "stage image\n"
                                  "function 0 result () -> "
                                  "([real], [int], [real], [bool], [bool], [int])\n"
                                  "\n"
                                  "in result\n"
                                  "  %0  accumulate_add.real 1  -> %6.0, %7.0, %11.0\n"
                                  "  %1  accumulate_min.int 0   -> %12.0\n"
                                  "  %2  accumulate_max.real 0  -> %13.0\n"
                                  "  %3  accumulate_and.bool 0  -> %14.0\n"
                                  "  %4  accumulate_or.bool 0   -> %15.0\n"
                                  "  %5  accumulate_xor.int 0   -> %16.0\n"
                                  "  %6  index.real _, 0        -> %8.0\n"
                                  "  %7  index.real _, 0        -> %10.0\n"
                                  "  %8  contribute.real _, 0.5 -> %9.0\n"
                                  "  %9  real.int _             -> %10.1\n"
                                  "  %10 total.real _, _\n"
                                  "  %11 output.[real] _, part 0\n"
                                  "  %12 output.[int] _, part 1\n"
                                  "  %13 output.[real] _, part 2\n"
                                  "  %14 output.[bool] _, part 3\n"
                                  "  %15 output.[bool] _, part 4\n"
                                  "  %16 output.[int] _, part 5\n";

START_TEST(every_row_goes_around)
{
    enum isa_op op = (enum isa_op)_i;
    ck_assert_msg(!isa_op_takes_control(op) || isa_op_has_site(op),
                  "%s takes control, but names no site", isa_op_table[op].text);
    if (isa_op_table[op].effect == ISA_EFFECT_PURE) {
        round_trip(apply_pure(op, "_"));
        round_trip(apply_pure(op, "1"));
        round_trip(apply_pure(op, "$i"));
        return;
    }
    static const char *const texts[] = {
        factorial_functions, factorial_static, divmod_static, sum_functions,
        sum_static,          arrays_image,     held_static,   tensors_static,
        elements_static,     parted,           tracked,       ports_image,
        data_image,          given_image,      folds_image};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct isa_graph *graph = test_read(texts[i]);
        if (has_opcode(graph, op)) {
            found++;
            round_trip(graph);
        } else {
            isa_graph_free(graph);
        }
    }
    ck_assert_msg(found > 0, "no test of %s", isa_op_table[op].text);
}
END_TEST

START_TEST(texts_are_written_as_they_are_read)
{
    static const char *const texts[] = {
        factorial_functions, factorial_static, divmod_static, sum_functions,
        sum_static,          arrays_image,     held_static,   tensors_static,
        elements_static,     parted,           data_image};
    struct isa_graph *graph = test_read(texts[_i]);
    struct lib_text text = {0};
    isa_asm_write(graph, &text);
    ck_assert_str_eq(text.bytes, texts[_i]);
    lib_text_free(&text);
    isa_graph_free(graph);
}
END_TEST

START_TEST(freedom_of_the_text)
{
    struct isa_graph *graph = test_read(
        "hiaton assembly 1 # a comment\r\n\n   stage image\n"
        "input \"a \\\"b\\\"\\x01\\\\\\n\\t\\xff\" real = 1 # an int is a real\n"
        "input 1 _ real = nan\ninput in real = -inf\n"
        "cell same int\ncell same int\nfunction \"\" () -> (real,bool)\nin 0 #\n"
        "%second eq.int _ , 1->%out.0\t@7:1\n%first add.real _,$_ -> %0.0 # yes\n"
        "%c const.real $0 -> %first.0\n%0 output.real _, part 0\n"
        "%r read.int cell 1->%second.0\n%w write.int 5, cell 0\n%x write.int 6, cell 1\n"
        "%out output.bool part 1, _");
    ck_assert_str_eq(graph->inputs[0].name, "a \"b\"\x01\\\n\t\xff");
    ck_assert(graph->inputs[1].value == ISA_NAN);
    ck_assert_uint_eq(graph->nodes[0].outputs[0].items[0].node, 7);
    ck_assert_uint_eq(graph->nodes[1].operands[1].input, 1);
    round_trip(graph);
}
END_TEST

/* --- errors of images --------------------------------------------------------------- */

START_TEST(images_say_what_is_wrong)
{
    static const struct {
        size_t at;
        int byte; /* -1: cut off here; -2: one byte more there */
        const char *message;
    } damages[] = {
        {0, 'x', "not an image of hiaton"},
        {4, '\n', "the image is damaged: line ends were converted; copy it as binary"},
        {8, 1,
         "the image has format 1, and this version of hiaton reads format 5; compile "
         "the program again"},
        {30, -1, "the image is cut off in its header, after 30 bytes"},
        {500, -1, "the image is cut off: 500 bytes of 1331"},
        {1331, -2, "the image is damaged: 1332 bytes, but it has 1331"},
        {700, 77, "the image is damaged: its checksum is wrong"},
        {24, 77, "the image is damaged: its checksum is wrong"},
    };
    struct isa_graph *graph = test_read(factorial_static);
    struct lib_text image = {0};
    struct lib_diags diags = {0};
    isa_graph_lower(graph);
    isa_image_write(graph, &image);
    isa_graph_free(graph);
    ck_assert_uint_eq(image.length, 1331);
    lib_text_add(&image, "", 1);
    size_t length = damages[_i].byte == -1   ? damages[_i].at
                    : damages[_i].byte == -2 ? damages[_i].at + 1
                                             : 1331;
    if (damages[_i].byte >= 0)
        image.bytes[damages[_i].at] = (char)damages[_i].byte;
    struct lib_source source = test_source(image.bytes, length);
    ck_assert(isa_image_read(&source, &diags) == NULL);
    ck_assert_uint_eq(diags.count, 1);
    ck_assert_str_eq(diags.items[0].text, damages[_i].message);
    lib_diags_free(&diags);
    lib_text_free(&image);
}
END_TEST

static void put8(char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(value >> (8 * i));
}

enum { HEADER = ISA_IMAGE_HEADER_BYTES };

/* Makes length and checksum right again, or no damage would get past them. */
static void seal_image(struct lib_text *image)
{
    XXH128_hash_t hash = XXH3_128bits(image->bytes + HEADER, image->length - HEADER);
    put8(image->bytes + 16, image->length - HEADER);
    put8(image->bytes + 24, hash.low64);
    put8(image->bytes + 32, hash.high64);
}

/* An image names the kernels that it applies: their numbers may change. */
START_TEST(images_name_their_kernels)
{
    static const struct {
        char from[12], to[12];
        const char *message;
    } damages[] = {
        {"reduce_sum", "reduce_som",
         "the image needs the kernel 'reduce_som', which this version of hiaton does not "
         "have"},
        {"reduce_sum", "reduce.sum",
         "the image needs the kernel 'reduce.sum', which this version of hiaton does not "
         "have"},
        {"relu", "reul",
         "the image needs the kernel 'reul', which this version of hiaton does not have"},
    };
    struct isa_graph *graph = test_read(tensors_static);
    struct lib_text image = {0};
    struct lib_diags diags = {0};
    isa_graph_lower(graph);
    isa_image_write(graph, &image);
    isa_graph_free(graph);
    char *name = memmem(image.bytes, image.length, damages[_i].from,
                        strlen(damages[_i].from));
    ck_assert(name != NULL);
    memcpy(name, damages[_i].to, strlen(damages[_i].to));
    seal_image(&image);
    struct lib_source source = test_source(image.bytes, image.length);
    ck_assert(isa_image_read(&source, &diags) == NULL);
    ck_assert_str_eq(diags.items[0].text, damages[_i].message);
    lib_diags_free(&diags);
    lib_text_free(&image);
}
END_TEST

/* Images of before have no table of kernels, but numbers, which may be those of others. */
START_TEST(images_with_numbered_kernels_are_refused)
{
    enum { STRATEGY = HEADER + 4 * (ISA_IMAGE_TABLE_COUNT + 2) };
    struct isa_graph *graph = test_read(tensors_static);
    struct lib_text image = {0};
    struct lib_diags diags = {0};
    isa_graph_lower(graph);
    isa_image_write(graph, &image);
    isa_graph_free(graph);
    ck_assert_int_eq(image.bytes[STRATEGY],
                     ISA_IMAGE_HAS_TENSORS | ISA_IMAGE_HAS_KERNELS);
    image.bytes[STRATEGY] = ISA_IMAGE_HAS_TENSORS;
    seal_image(&image);
    struct lib_source source = test_source(image.bytes, image.length);
    ck_assert(isa_image_read(&source, &diags) == NULL);
    ck_assert_str_eq(
        diags.items[0].text,
        "the image numbers its kernels, and this version of hiaton takes them "
        "by name; compile the program again");
    lib_diags_free(&diags);
    lib_text_free(&image);
}
END_TEST

/* --- random damage ------------------------------------------------------------------ */

struct damager {
    uint64_t seed, count;
};

static size_t draw(struct damager *d, size_t below)
{
    return below ? lib_hash_mix(d->seed ^ lib_hash_mix(++d->count)) % below : 0;
}

/* The stretch of one word, for swapping. */
static size_t word_length(const char *p)
{
    return strcspn(p, " ,|\n");
}

static void swap_words(struct damager *d, struct lib_text *t)
{
    size_t a = draw(d, t->length), b = draw(d, t->length);
    if (a > b) {
        size_t swapped = a;
        a = b;
        b = swapped;
    }
    size_t la = word_length(t->bytes + a), lb = word_length(t->bytes + b);
    if (a + la > b)
        return;
    struct lib_text out = {0};
    lib_text_add(&out, t->bytes, a);
    lib_text_add(&out, t->bytes + b, lb);
    lib_text_add(&out, t->bytes + a + la, b - a - la);
    lib_text_add(&out, t->bytes + a, la);
    lib_text_add(&out, t->bytes + b + lb, t->length - b - lb);
    lib_text_free(t);
    *t = out;
}

static void damage(struct damager *d, struct lib_text *t, size_t from)
{
    static const char odd[] = "%.,|->_$@:#\"\\()0129 \n\t\xff";
    size_t at = from + draw(d, t->length - from);
    switch (draw(d, 5)) {
    case 0:
        t->bytes[at] = (char)(t->bytes[at] ^ (1 << draw(d, 8)));
        break;
    case 1:
        t->bytes[at] = odd[draw(d, sizeof odd)];
        break;
    case 2:
        if (draw(d, 8) == 0)
            t->length = at;
        t->bytes[t->length] = '\0';
        break;
    case 3:
        if (from == 0)
            swap_words(d, t);
        break;
    default:
        t->bytes[at] = (char)draw(d, 256);
    }
}

/* What was read is legal and goes around, or there is an error that says why not. */
static void check_outcome(struct isa_graph *graph, struct lib_diags *diags)
{
    if (graph) {
        ck_assert_uint_eq(diags->errors, 0);
        ck_assert(isa_check(graph, NULL, diags));
        round_trip(graph);
    } else {
        ck_assert_uint_gt(diags->errors, 0);
    }
    struct lib_text messages = {0};
    lib_diags_write(diags, &messages);
    lib_text_free(&messages);
    lib_diags_free(diags);
}

enum { SEEDS = 8 };

static int mutants(void)
{
    return test_is_quick() ? 40 : 400;
}

START_TEST(damaged_texts_do_no_harm)
{
    static const char *const texts[] = {factorial_functions, factorial_static,
                                        divmod_static};
    struct damager d = {(uint64_t)_i, 0};
    for (int i = mutants(); i > 0; i--) {
        struct lib_text text = {0};
        struct lib_diags diags = {0};
        lib_text_puts(&text, texts[draw(&d, 3)]);
        for (size_t n = draw(&d, 4) + 1; n > 0 && text.length; n--)
            damage(&d, &text, 0);
        struct lib_source source = test_source(text.bytes, text.length);
        check_outcome(isa_asm_read(&source, &diags), &diags);
        lib_text_free(&text);
    }
}
END_TEST

START_TEST(damaged_images_do_no_harm)
{
    static const char *const texts[] = {factorial_static, divmod_static, tensors_static};
    struct isa_graph *graph = test_read(texts[_i % 3]);
    struct lib_text image = {0};
    isa_graph_lower(graph);
    isa_image_write(graph, &image);
    isa_graph_free(graph);
    struct damager d = {(uint64_t)_i, 0};
    for (int i = mutants(); i > 0; i--) {
        struct lib_text text = {0};
        struct lib_diags diags = {0};
        lib_text_add(&text, image.bytes, image.length);
        for (size_t n = draw(&d, 3) + 1; n > 0 && text.length > HEADER; n--)
            damage(&d, &text, HEADER);
        seal_image(&text);
        struct lib_source source = test_source(text.bytes, text.length);
        check_outcome(isa_image_read(&source, &diags), &diags);
        lib_text_free(&text);
    }
    lib_text_free(&image);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("isa");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_row_goes_around, 0, ISA_OP_COUNT);
    tcase_add_loop_test(tcase, texts_are_written_as_they_are_read, 0, 11);
    tcase_add_test(tcase, freedom_of_the_text);
    tcase_add_loop_test(tcase, images_say_what_is_wrong, 0, 8);
    tcase_add_loop_test(tcase, images_name_their_kernels, 0, 3);
    tcase_add_test(tcase, images_with_numbered_kernels_are_refused);
    tcase_add_loop_test(tcase, damaged_texts_do_no_harm, 0, SEEDS);
    tcase_add_loop_test(tcase, damaged_images_do_no_harm, 0, SEEDS);
    return test_main("isa", tcase);
}
