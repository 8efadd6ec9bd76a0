/* Programs on tensors: those that are wrong, where, and both shapes; how many kernels they have;
 * rows; what traps. What random ones compute: tests/unit/programs/tensors_random.c. */
#include "machine/machine.h"
#include "machine/state.h"
#include "tests/unit/isa_texts.h"
#include "tests/unit/main.h"
#include "tests/unit/tensor_runs.h"

/* --- mistakes ------------------------------------------------------------------------- */

static const struct {
    const char *text, *message;
    uint32_t line, column;
} wrong[] = {
    {"a = tensor([[1.0, 2.0]])\nresult = matmul(a, a)",
     "`matmul` of real[1, 2] and real[1, 2]: the inner extents differ: 2 and 1", 2, 10},
    {"f(x) = x + zeros([3])\nresult = f(ones([2]))",
     "`+` of real[2] and real[3]: opposite extents, counted from the last, must be "
     "equal, or one is 1; here 2 and 3",
     1, 10},
    {"result = tensor([[1.0, 2.0], [3.0]])",
     "the rows of a tensor are equally long: this has 1 elements, and another one 2", 1,
     30},
    {"result = tensor([ones([2])], int)",
     "argument 1 of `tensor`: expected tensors of ints, found [a tensor of rank 1]", 1,
     17},
    {"result = relu(2.0)",
     "argument 1 of `relu`: expected a tensor, found real; `tensor(...)` makes "
     "one of rank 0, as rows of rank 1 are",
     1, 15},
    {"result = if zeros([2]) > 0.0 then 1 else 2",
     "expected bool, found a tensor of rank 1", 1, 13},
    {"result = zeros([2]) and tensor([1, 2], int)",
     "one is a tensor of rank 1, the other a tensor of int of rank 1 "
     "(`real(...)` and `int(...)` convert)",
     1, 21},
    {"result = not tensor([1, 2], int)",
     "`not` takes a tensor of bool, real or real32, found a tensor of int of rank 1", 1,
     10},
    {"result = tensor([1, 2], int) % tensor([1.5])",
     "one is a tensor of int of rank 1, the other a tensor of rank 1 (`real(...)` and "
     "`int(...)` convert)",
     1, 30},
    {"result = zeros([2]) or zeros([3])",
     "`or` of real[2] and real[3]: opposite extents, counted from the last, must be "
     "equal, or one is 1; here 2 and 3",
     1, 21},
    {"result = reshape(zeros([2]), [n]); input n = 3; x = reshape(zeros([4]), [3])", NULL,
     0, 0},
    {"result = reduce_sum(zeros([2, 2]), 7)",
     "argument 2 of `reduce_sum` is an axis: a literal from -4 to 3", 1, 36},
    {"result = zeros(3)",
     "argument 1 of `zeros` is written with brackets, `[n, m]`: at most 4 ints, which "
     "say the "
     "rank",
     1, 16},
    {"f(t) = transpose(t)\nresult = (f(zeros([2])), f(zeros([2, 2])))",
     "argument 1 of `f`: expected a tensor of rank 1, found a tensor of rank 2; a "
     "function has "
     "one type, and `f` is used with a tensor of rank 1 in 2:13",
     2, 28},
    {"x = file(\"a.npy\")\nresult = x", "no files are read here", 1, 10},
    {"result = pad(tensor([1, 2], int), 1, 1, 0, 0.5)",
     "expected int, found real (`int(...)` truncates)", 1, 44},
    {"(a, b) = split(zeros([7, 2]), 2)\nresult = a",
     "`split` of real[7, 2]: axis 0 has 7, which is not a multiple of 2", 1, 10},
    {"(a, b) = split(zeros([7, 2]), [1, 2], -1)\nresult = a",
     "`part` of real[7, 2]: the parts have 3 in all, and axis 1 has 2", 1, 10},
    {"result = split(zeros([2]), 1)",
     "argument 2 of `split`: expected how many parts there are, a literal from 2 to 16, "
     "or their extents in brackets, `[n, m]`",
     1, 28},
    {"(v, i) = top_k(zeros([2, 3]), 4)\nresult = i",
     "`top_values` of real[2, 3]: 4 are asked for of axis 1, which has 3", 1, 10},
    {"result = reduce_sum(zeros([2, 2]), -3)",
     "`reduce_sum` of real[_, _]: unknown axis -3; the axes are 0 to 1", 1, 10},
    {"result = cumsum(zeros([2, 2]), -3)",
     "`cumsum` of real[2, 2]: unknown axis -3; the axes are 0 to 1", 1, 10},
    {"result = stack(zeros([2]), zeros([3]))",
     "`stack` of real[2] and real[3]: the shapes differ", 1, 10},
    {"result = zeros([3, 2])[3]",
     "`gather` of real[3, 2]: row 3 is out of range; there are 3, from 0 on", 1, 23},
    {"result = tensor(1.0)[0]", "rank 0 has no rows", 1, 21},
    {"result = one_hot(zeros([2]), 3)",
     "argument 1 of `one_hot`: expected a tensor of int of rank 1, found a tensor of "
     "rank "
     "1",
     1, 18},
    {"result = argmax(tensor([true]))",
     "`argmax` takes a tensor of int, real or real32, found a tensor of bool of rank 1",
     1, 10},
    {"result = sqrt(tensor([1], int))",
     "`sqrt` takes a tensor of real or real32, found a tensor of int of rank 1", 1, 10},
    {"result = tensor([true]) + tensor([false])",
     "`+` takes a tensor of int, real or real32, found a tensor of bool of rank 1", 1,
     25},
    {"result = tensor([1], int) + tensor([1.0])",
     "one is a tensor of int of rank 1, the other a tensor of rank 1 (`real(...)` and "
     "`int(...)` convert)",
     1, 27},
    {"result = tensor([1], int) * 1.5", "expected int, found real (`int(...)` truncates)",
     1, 29},
    {"result = scatter(ones([3, 1], int), [0, 1, 0], 2)",
     "`scatter` takes a tensor of real or real32, found a tensor of int of rank 2; "
     "`scatter_add(zeros(...), i, rows)` takes ints too",
     1, 10},
    {"result = scatter_add(zeros([3], int), 0, 1)",
     "argument 3 of `scatter_add`: expected a tensor, found int; `tensor(1)` is one of "
     "rank "
     "0, `tensor(1, int)` one of ints",
     1, 42},
    {"result = select(true, 1, 2)",
     "argument 1 of `select`: expected a tensor, found bool; `tensor(...)` makes "
     "one of rank 0, as rows of rank 1 are",
     1, 17},
    {"result = select(tensor([1], int), 1, 2)",
     "`select` takes a tensor of bool, real or real32, found a tensor of int of rank 1",
     1, 10},
    {"result = select(ones([2]), tensor([1], int), 2.0)",
     "expected int, found real (`int(...)` truncates)", 1, 46},
    {"result = gather(ones([2]), tensor([0.5]))",
     "argument 2 of `gather`: expected a tensor of int of rank 1, found a tensor of rank "
     "1",
     1, 28},
    {"result = tensor(1.5, int)",
     "argument 1 of `tensor`: expected an int, or arrays of ints, found real", 1, 17},
    {"result = zeros([2], text)",
     "argument 2 of `zeros` is what the elements are: `int`, `bool` or `real`", 1, 21},
    {"result = int(tensor([1], int))",
     "argument 1 of `int`: expected a tensor of int of rank 0, found a tensor of int of "
     "rank 1",
     1, 14},
    /* In a branch that is never taken too. */
    {"f(t) = if reduce_sum(t) > 3 then exp(t) else t\nresult = f(tensor([1], int))",
     "argument 1 of `f`: expected a tensor, found a tensor of int of rank 1", 2, 12},
    {"param w : [2] = normal\nresult = w", "expected `(`, found the end of the equation",
     1, 23},
};

START_TEST(mistakes_have_a_place)
{
    struct lib_source source = {"test.df", wrong[_i].text, strlen(wrong[_i].text)};
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_compile(&source, &(struct programs_options){0},
                                               ISA_STAGE_IMAGE, &diags);
    ck_assert((graph != NULL) == (wrong[_i].message == NULL));
    if (!graph) {
        ck_assert_str_eq(diags.items[0].text, wrong[_i].message);
        ck_assert_uint_eq(diags.items[0].pos.line, wrong[_i].line);
        ck_assert_uint_eq(diags.items[0].pos.column, wrong[_i].column);
    }
    isa_graph_free(graph);
    lib_diags_free(&diags);
}
END_TEST

/* What is known only when it runs. */
START_TEST(shapes_that_do_not_fit_trap)
{
    struct isa_graph *graph = test_compile("input n = 3\nf(x, m) = x + ones([m])\n"
                                           "result = f(zeros([2]), n)",
                                           ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 30};
    struct isa_interp interp;
    struct lib_text why = {0};
    struct lib_pos pos;
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_TRAPPED);
    isa_exec_write_trap(&interp.exec, &why, &pos);
    ck_assert_str_eq(lib_text_get(&why),
                     "no such tensor: `+` of real[2] and real[3]: opposite extents, "
                     "counted from the last, must be "
                     "equal, or one is 1; here 2 and 3 "
                     "in f, tag [0]");
    ck_assert_uint_eq(pos.line, 2);
    ck_assert_uint_eq(pos.column, 13);
    lib_text_free(&why);
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* --- rows ----------------------------------------------------------------------------- */

static uint32_t count_ops(const struct isa_graph *graph, enum isa_op op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i].op == op;
    return count;
}

/* Constant data as arrays: an instruction for each row, and nothing for a tensor unit. */
START_TEST(constants_are_read_without_kernels)
{
    struct isa_graph *graph = test_compile(
        "t = tensor([[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]])\n"
        "result = (array(tensor([1.0, 2.0, 3.0])), array(t)[2][1])",
        ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings s;
    machine_settings_default(&s);
    s.tensor_units = 1;
    s.tensor_launch = 100000;
    ck_assert_uint_eq(count_ops(graph, ISA_OP_ROW), 2);
    for (uint32_t i = 0; i < graph->node_count; i++)
        ck_assert(isa_op_table[graph->nodes[i].op].unit != ISA_UNIT_TENSOR);
    struct machine *m = machine_new(code, &s, 1);
    while (machine_advance(m, UINT64_MAX))
        ;
    test_tensor_end(machine_exec(m), machine_end(m), "rows", "([1.0, 2.0, 3.0], 6.5)");
    ck_assert_uint_lt(m->run.cycle, 1000);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* How many kernels a graph has: scalars, ints and extents are none. */
static const struct {
    const char *program;
    unsigned kernels;
} launched[] = {
    {"input s = 0.5\nresult = s * tensor([1.0, 2.0])", 1},
    {"input s = 0.5\nresult = real32(tensor([1.0, 2.0])) * s", 2},
    {"input i = 0\nresult = slice(tensor([1, 2, 3]), i * 2, i + 1)", 1},
    {"input n = 3\nresult = ones([n, n, 2])", 1},
    {"input n = 2\nresult = reshape(tensor([1, 2, 3, 4]), [n, n])", 1},
    {"input s = 0.5\nresult = tensor([s])", 0},
    {"input s = 0.5\nresult = tensor([s, 1.0, s + s])", 0},
    {"input s = true\nresult = tensor([[s, true], [false, s]])", 1},
    {"input n = 5\nresult = tensor([i | i <- 1 .. n])", 0},
    {"input n = 5\nresult = tensor([1.5 | i <- 1 .. n])", 0},
    {"result = reduce_sum(tensor([1, 2, 3]))", 1},
    {"a = tensor([1, 2]) > 1.0\nresult = a and not a or a", 4},
    {"result = tensor([1, 2], int) % 2", 1},
    {"input v = 0.5\nresult = pad(tensor([1, 2]), 1, 1, 0, v)", 1},
    {"param w : [3] = normal(0.1)\nresult = w", 1},
    {"input i = 1\nresult = gather(tensor([1, 2, 3]), i)", 2},
};

START_TEST(scalars_launch_nothing)
{
    struct isa_graph *graph = test_compile(launched[_i].program, ISA_STAGE_IMAGE);
    unsigned kernels = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        kernels += isa_op_table[graph->nodes[i].op].unit == ISA_UNIT_TENSOR;
    ck_assert_msg(kernels == launched[_i].kernels, "%s: %u kernels", launched[_i].program,
                  kernels);
    isa_graph_free(graph);
}
END_TEST

/* What an instruction of two tensors makes of constants 0 and 1. */
#define VECTOR_OF(first, second)                                                         \
    "hiaton assembly 1\nstage image\ntensor 0 a " first "\ntensor 1 b " second           \
    "\nfunction 0 result () -> (tensor)\nin result\n  %a load constant 0 -> %v.0\n"      \
    "  %b load constant 1 -> %v.1\n  %v vector _, _ -> %o.0\n  %o output.tensor _, "     \
    "part 0\n"

#define ROW_OF(type, tensor, row)                                                        \
    "hiaton assembly 1\nstage image\ntensor 0 t real" tensor                             \
    "\nfunction 0 result () -> ([" type "])\nin result\n"                                \
    "  %0 load constant 0 -> %1.0\n  %1 row." type " _, " row                            \
    " -> %2.0\n  %2 output.[" type "] _, part 0\n"

static const struct {
    const char *text, *result, *trap;
} rows[] = {
    {ROW_OF("real", "[2, 2] = 1.5, 2.0, 3.0, 4.0", "1"), "[3.0, 4.0]", NULL},
    {ROW_OF("int", "[2, 2] = 1.5, -2.5, 3.0, 4.0", "0"), "[1, -2]", NULL},
    {ROW_OF("int", "[0] =", "0"), "[]", NULL},
    {ROW_OF("real", "[2, 0] =", "1"), "[]", NULL},
    {ROW_OF("real", "[2, 0] =", "2"), NULL,
     "no such tensor: row 2 of a tensor of real[2, 0]: %1 row.real of assembly line 7"
     " in result, tag []"},
    {ROW_OF("real", "[2, 2] = 1.0, 2.0, 3.0, 4.0", "-1"), NULL,
     "no such tensor: row -1 of a tensor of real[2, 2]: %1 row.real of assembly line 7"
     " in result, tag []"},
    {"hiaton assembly 1\nstage image\nfunction 0 result () -> ([real])\nin result\n"
     "  %0 scalar 1.0 -> %1.0\n  %1 row.real _, 0 -> %2.0\n  %2 output.[real] _, part "
     "0\n",
     NULL,
     "no such tensor: row 0 of a tensor of real: %1 row.real of assembly line 6"
     " in result, tag []"},
    {VECTOR_OF("real = 1.5", "real[2] = 2.5, 3.5"), "[1.5, 2.5, 3.5]", NULL},
    {VECTOR_OF("real32[1] = 1.5", "real32 = 2.5"), "[1.5, 2.5]", NULL},
    {VECTOR_OF("int = 1", "int = 2"), "[1, 2]", NULL},
    {VECTOR_OF("bool[0] =", "bool = true"), "[true]", NULL},
    {VECTOR_OF("real = 1.5", "real32 = 2.5"), NULL,
     "no such tensor: `vector` of real and real32: the elements differ: %v vector of "
     "assembly line 9"
     " in result, tag []"},
    {VECTOR_OF("real[1, 1] = 1.5", "real = 2.5"), NULL,
     "no such tensor: `vector` of real[1, 1] and real: expected rank 0 or 1: %v vector "
     "of assembly line 9"
     " in result, tag []"},
    {ROW_OF("int", "[2] = 1.0, 1e19", "0"), NULL,
     "the real is out of the range of int: %1 row.int of assembly line 7"
     " in result, tag []"},
    {ROW_OF("bool", "[2] = 1.0, 0.0", "0"), NULL,
     "no such tensor: bools in row 0 of a tensor of real[2]: %1 row.bool of assembly "
     "line 7"
     " in result, tag []"},
};

START_TEST(rows_are_what_they_say)
{
    struct isa_graph *graph = test_read(rows[_i].text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 30};
    struct isa_interp interp;
    struct lib_text why = {0};
    struct lib_pos pos;
    if (rows[_i].result) {
        test_interpret_tensors(code, rows[_i].text, rows[_i].result, true);
    } else {
        isa_interp_run(&interp, code, &limits, true, NULL);
        ck_assert_int_eq(interp.end, ISA_END_TRAPPED);
        isa_exec_write_trap(&interp.exec, &why, &pos);
        ck_assert_str_eq(lib_text_get(&why), rows[_i].trap);
        isa_interp_free(&interp);
    }
    lib_text_free(&why);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* Elements of ints without a value: by the interpreter, and by a machine. */
static const struct {
    const char *text, *message;
} faults[] = {
    {"input z = 0\nresult = tensor([4, 5], int) / z",
     "`/` of int[2] and int: division by zero in element [0]"},
    {"a = tensor([[1, 2], [9223372036854775807, 4]], int)\nresult = a + 1",
     "`+` of int[2, 2] and int: integer overflow in element [1, 0]"},
    {"result = -tensor([0, -9223372036854775808], int)",
     "`neg` of int[2]: integer overflow in element [1]"},
    {"result = reduce_sum(tensor([9223372036854775807, 1], int))",
     "`reduce_sum` of int[2]: integer overflow"},
    {"result = int(tensor([1.0, 1e19]))",
     "`int` of real[2]: out of the range of int in element [1]"},
    {"result = gather(ones([2]), tensor([0, 2]))",
     "`gather` of real[2]: row 2 is out of range; there are 2, from 0 on"},
};

START_TEST(ints_without_a_value_trap)
{
    struct isa_graph *graph = test_compile(faults[_i].text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 30};
    struct machine_settings settings;
    struct lib_text expected = {0}, why = {0};
    struct isa_interp interp;
    struct lib_pos pos;
    lib_text_printf(&expected, "no such tensor: %s in result, tag []",
                    faults[_i].message);
    isa_interp_run(&interp, code, &limits, true, NULL);
    ck_assert_int_eq(interp.end, ISA_END_TRAPPED);
    isa_exec_write_trap(&interp.exec, &why, &pos);
    ck_assert_str_eq(lib_text_get(&why), lib_text_get(&expected));
    machine_settings_default(&settings);
    struct machine *m = machine_new(code, &settings, 1);
    while (machine_advance(m, UINT64_MAX))
        ;
    ck_assert_int_eq(machine_end(m), ISA_END_TRAPPED);
    lib_text_clear(&why);
    isa_exec_write_trap(machine_exec(m), &why, &pos);
    ck_assert_str_eq(lib_text_get(&why), lib_text_get(&expected));
    machine_free(m);
    lib_text_free(&why);
    lib_text_free(&expected);
    isa_interp_free(&interp);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* What stands beside a literal says whether it is of ints or reals, wherever that stands. */
START_TEST(literals_follow_their_use)
{
    static const char text[] =
        "a = tensor([1, 2]) + b\nb = tensor([i | i <- 0 .. 1])\n"
        "f(t) = t * 2\nc = f(tensor([3, 4]))\nd = c + tensor([n])\ninput n = 5\n"
        "length_of(k) = length([i | i <- 1 .. k])\ne = length_of(n)\n"
        "result = (a, c, d, tensor([1, 2]), tensor([1, 2], int), select(a > 1, 1, 2), "
        "select(a > 1, a, 2), zeros([1], int) + e)";
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    test_interpret_tensors(
        code, text,
        "([1, 3], [6, 8], [11, 13], [1.0, 2.0], [1, 2], [2.0, 1.0], [2, 3], [5])", true);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* One name for several arguments, whose type nothing tells before the first is taken. */
START_TEST(arguments_may_be_the_same)
{
    static const char text[] =
        "f(t) = gather(t, t)\ng(t) = update(t, t, t)\nh(t) = scatter_add(t, t, t)\n"
        "c(t) = cross_entropy(t, t)\ni = tensor([2, 0, 1], int)\n"
        "result = (f(i), g(i), h(i), c(tensor([0.0, 0.0])))";
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    test_interpret_tensors(code, text, "([1, 2, 0], [0, 1, 2], [2, 1, 3], 0.0)", true);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* A definition of the program hides a built-in function on tensors, and a name may be one. */
/* Rows that are tensors, in arrays of any nesting. */
START_TEST(rows_are_stacked)
{
    struct isa_graph *graph = test_compile(
        "row(i) = tensor([real(i), 0.5])\n"
        "input n = 0\n"
        "result = (tensor([row(i) | i <- 1 .. 3]), shape(tensor([row(i) | i <- 1 .. "
        "n])),\n"
        "          tensor([[row(1), row(2)]]), tensor([[row(k) | k <- 0 .. i] | i <- 1 "
        ".. 1]),\n"
        "          tensor([tensor(real(i)) | i <- [1]]), tensor([iota(i) | i <- [2, 2]], "
        "int))",
        ISA_STAGE_IMAGE);
    struct test_outcome o = test_interp(graph, NULL, false);
    ck_assert_str_eq(o.result,
                     "([[1.0, 0.5], [2.0, 0.5], [3.0, 0.5]], [0, 0], "
                     "[[[1.0, 0.5], [2.0, 0.5]]], [[[0.0, 0.5], [1.0, 0.5]]], [1.0], "
                     "[[0, 1], [0, 1]])");
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

START_TEST(definitions_hide_them)
{
    static const char text[] = "shape(x) = x + 1\nzeros = 3\nslice(array) = array * 2\n"
                               "result = shape(zeros) + slice(2)";
    struct isa_graph *graph = test_compile(text, ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    test_interpret_tensors(code, text, "8", true);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* `reduce_sum` of a vector is `sum` of the array, to the bit. */
START_TEST(sums_have_the_bits_of_arrays)
{
    struct isa_graph *graph = test_compile(
        "v(n) = [exp(real(i * 7 % 11) * 4.0) / 3.0 | i <- 0 .. n - 1]\n"
        "rows(n) = let a = v(n) in reduce_sum(tensor([[a[i], a[i]] | i <- 0 .. n - 1]), "
        "0)\n"
        "differs(n) = let s = sum(v(n)) in "
        "if s == reduce_sum(tensor(v(n))) and s == array(rows(n))[1] then 0 else 1\n"
        "result = sum([differs(n) | n <- 1 .. 66])",
        ISA_STAGE_IMAGE);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    test_interpret_tensors(code, "sums", "0", true);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensors");
    tcase_set_timeout(tcase, 240);
    tcase_add_loop_test(tcase, mistakes_have_a_place, 0,
                        (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tcase, shapes_that_do_not_fit_trap);
    tcase_add_test(tcase, constants_are_read_without_kernels);
    tcase_add_loop_test(tcase, scalars_launch_nothing, 0,
                        sizeof launched / sizeof *launched);
    tcase_add_loop_test(tcase, rows_are_what_they_say, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_loop_test(tcase, ints_without_a_value_trap, 0,
                        (int)(sizeof faults / sizeof *faults));
    tcase_add_test(tcase, literals_follow_their_use);
    tcase_add_test(tcase, arguments_may_be_the_same);
    tcase_add_test(tcase, rows_are_stacked);
    tcase_add_test(tcase, definitions_hide_them);
    tcase_add_test(tcase, sums_have_the_bits_of_arrays);
    return test_main("tensors", tcase);
}
