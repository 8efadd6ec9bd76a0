/* What is wrong with a text of a graph is told where it is, and what was expected there. */
#include "tests/unit/isa_texts.h"

#define HEAD "hiaton assembly 1\nstage image\n"
#define FUNCTION HEAD "function 0 f () -> (int)\nin f\n"

struct wrong {
    const char *text, *message; /* the first one */
};

/* The graph above, with other lines from %5 on. */
#define PARTS                                                                            \
    "hiaton assembly 1\nstage partitioned\nmachines 2\nfunction 0 result () -> (int)\n"  \
    "function 1 f (int) -> (int)\nsite 0 result -> f\nin result\n"                       \
    "%0 call.int 3, site 0, param 0, on 0 -> %5.0 | %1.1\n"                              \
    "%1 return.int _, _, site 0, part 0, on 0 -> %2.0\n"                                 \
    "%2 output.int _, part 0, on 0\nin f\n%3 merge.int _, on 1 -> %4.0\n"                \
    "%4 neg.int _, on 1 -> %7.0\n"
#define AWAITED                                                                          \
    "%5 send.int _, channel 0, on 0\n%6 await.int _, channel 0, on 1 -> %3.0\n"          \
    "%7 send.int _, channel 1, on 1\n%8 recv.int channel 1, on 0 -> %1.0\n"

static const struct wrong errors[] = {
    {"", "1:1: expected `hiaton assembly 1`, found the end of the line"},
    {"result = 3", "1:1: expected `hiaton assembly 1`, found `result`"},
    {"hiaton assembly 2\n", "1:17: format 2 is unknown: this version of hiaton reads "
                            "format 1"},
    {"hiaton assembly 1\n\n in f", "3:2: expected `stage functions`, `stage static`, "
                                   "`stage image`, `stage expanding` or `stage "
                                   "partitioned`, found `in`"},
    {"hiaton assembly 1\nstage final", "2:7: expected `functions`, `static`, `image`, "
                                       "`expanding` or `partitioned`, found `final`"},
    {HEAD "imput n int = 3", "3:1: unknown declaration `imput`; did you mean `input`?"},
    {HEAD "\x01", "3:1: expected a node such as %3, `in`, `function`, `loop`, `site`, "
                  "`cell`, `input`, `port`, `shape`, `tensor`, `constructor` or "
                  "`source`, found byte 0x01"},
    {HEAD "input n num = 3",
     "3:9: expected a type (int, real, bool, [int], ...), found `num`"},
    {HEAD "input n int 3", "3:13: expected `=`, found `3`"},
    {HEAD "input n int = 2.5", "3:15: expected an int, found `2.5`"},
    {HEAD "input n bool = 1", "3:16: expected true or false, found `1`"},
    {HEAD "input n int = 9223372036854775808",
     "3:15: expected an int, found `9223372036854775808`"},
    {HEAD "input 1 n int = 3", "3:7: expected number 0, found 1"},
    {HEAD "input n int = 3 4", "3:17: expected the end of the line, found `4`"},
    {HEAD "input n int = 3\ninput n int = 3", "4:7: a second input of the same name"},
    {HEAD "source \"a\nb\"", "3:8: the string has no closing `\"`"},
    {HEAD "source \"a\\q\"", "3:10: expected one of \\\" \\\\ \\n \\t \\xHH"},
    {HEAD "source \"a\\x00\"", "3:10: expected one of \\\" \\\\ \\n \\t \\xHH"},
    {HEAD "source \"a\"\nsource \"b\"", "4:8: a second source"},
    {HEAD "port 1 in xs (int)", "3:6: expected number 0, found 1"},
    {HEAD "port xs (int)", "3:6: expected `in` or `out`, found `xs`"},
    {HEAD "port in xs int", "3:12: expected `(`, found `int`"},
    {HEAD "port in xs ([int])",
     "3:13: expected int, real, bool, or tensor with its element and its rank, such as "
     "tensor real 2, found `[`"},
    {HEAD "port in xs (tensor)", "3:19: expected real, real32, int or bool, found `)`"},
    {HEAD "port in xs (tensor real)", "3:24: expected a rank, found `)`"},
    {HEAD "port in xs (tensor real 5)", "3:25: a tensor has a rank of at most 4"},
    {HEAD "port in xs (int", "3:16: expected `,` or `)`, found the end of the line"},
    {HEAD "port out xs (int)",
     "3:6: a port out follows function 0, which has its results"},
    {FUNCTION "%0 port.int -> -", "5:4: port.int names an array, and this one does not"},
    {FUNCTION "%0 const.int 1, array 0 -> -", "5:4: const.int names no array"},
    {HEAD "shape \"_\"",
     "3:7: expected a text such as \"((_, _), [_])\", with a _ for each "
     "result of function 0, which comes before it, in brackets as its type is"},
    {FUNCTION "shape \"[_]\"", "5:1: declarations come before the first `in`"},
    {HEAD "function f () -> ([int], [int])\nshape \"[_, _\"",
     "4:7: expected a text such as \"((_, _), [_])\", with a _ for each "
     "result of function 0, which comes before it, in brackets as its type is"},
    {HEAD "function f () -> ([int], [int])\nshape \"([_, _)]\"",
     "4:7: expected a text such as \"((_, _), [_])\", with a _ for each "
     "result of function 0, which comes before it, in brackets as its type is"},
    {HEAD "function f () -> ([int], int)\nshape \"[(_, _)]\"",
     "4:7: expected a text such as \"((_, _), [_])\", with a _ for each "
     "result of function 0, which comes before it, in brackets as its type is"},
    {HEAD "input xs [int] = 3",
     "3:18: expected tensors such as `tensors 0 to 1`, found `3`"},
    {HEAD "tensor 0 x int[1] = 3\ninput xs [int] = tensors 0 to 8",
     "4:18: an element of an input has at most 8 parts, found 9"},
    {HEAD "tensor 0 x int[1] = 3\ninput xs [int] = tensors 0 to 4294967295",
     "4:18: an element of an input has at most 8 parts, found 4294967296"},
    {HEAD "tensor 0 x int[1] = 3\ninput xs [int] = tensors 0 to 7",
     "4:18: these are not tensors before this line whose elements, rank and extents are "
     "those of [int]"},
    {HEAD "cell c [[int]",
     "3:8: expected a type (int, real, bool, [int], ...), found `[`"},
    {FUNCTION "%a alloc.&int 3 -> -", "5:4: unknown opcode `alloc.&int`; did you mean "
                                      "`alloc.int`?"},
    {FUNCTION "%c const.[int] 3 -> -", "5:16: expected `_`, found `3`"},
    {HEAD "function f int", "3:12: expected `(`, found `int`"},
    {HEAD "function f (int", "3:16: expected `,` or `)`, found the end of the line"},
    {HEAD "function f () -> (int) @0:1", "3:24: lines and columns count from 1"},
    {HEAD "function f () -> (int) @1:4294967296",
     "3:27: expected a column from 0 to 4294967295, found `4294967296`"},
    {HEAD "loop f (int) -> () bound", "3:25: expected a number of iterations, found the "
                                      "end of the line"},
    {HEAD "loop f (int) -> () bound 0",
     "3:26: a loop has at least 1 iteration in flight"},
    {HEAD "function f () -> () bound 3", "3:21: expected the end of the line, found "
                                         "`bound`"},
    {HEAD "function f () -> () strand", "3:27: expected a number of elements, found the "
                                        "end of the line"},
    {HEAD "function f () -> () strand 0", "3:28: a strand has at least 1 element"},
    {HEAD "loop f (int) -> () strand 3", "3:20: expected the end of the line, found "
                                         "`strand`"},
    {HEAD "site f -> g",
     "3:6: unknown function `f`: names are declared before their use"},
    {HEAD "function f () -> (int)\nsite 0 0 -> 1",
     "4:13: unknown function 1: there are 1"},
    {HEAD "function f () -> (int)\nfunction f () -> (int)\nin f",
     "5:4: more than one function has this name: use the number"},
    {FUNCTION "cell c int", "5:1: declarations come before the first `in`"},
    {HEAD "function f () -> (int)\n%0 const.int 1 -> -", "4:1: a node before the first "
                                                         "`in`"},
    {FUNCTION "% const.int 1",
     "5:1: expected the label of a node, such as %3, found `%`"},
    {FUNCTION "%0", "5:3: expected an opcode, found the end of the line"},
    {FUNCTION "%0 ad.int _, _ -> -", "5:4: unknown opcode `ad.int`; did you mean "
                                     "`add.int`?"},
    {FUNCTION "%0 switch.bol _, _ -> - | -",
     "5:4: unknown opcode `switch.bol`; did you mean `switch.bool`?"},
    {FUNCTION "%0 merge _ -> -",
     "5:4: opcode `merge` needs a type: merge.int, merge.real "
     "or merge.bool"},
    {FUNCTION "%0 xyzzyx -> -", "5:4: unknown opcode `xyzzyx`"},
    {FUNCTION "%0 add.int _ -> -", "5:4: add.int has 2 operands, found 1"},
    {FUNCTION "%0 add.int _, 1, 2 -> -", "5:4: add.int has 2 operands, found 3"},
    {FUNCTION "%0 add.int _, 1", "5:4: add.int has 1 output list, found 0"},
    {FUNCTION "%0 output.int _, part 0 -> -", "5:4: output.int has 0 output lists, found "
                                              "1"},
    {FUNCTION "%0 output.int _", "5:4: output.int names a part, and this one does not"},
    {FUNCTION "%0 add.int _, _, part 1 -> -", "5:4: add.int names no part"},
    {FUNCTION "%0 output.int _, part 0, part 0", "5:26: a second `part`"},
    {FUNCTION "%0 output.int _, part x", "5:23: expected a number, found `x`"},
    {FUNCTION "%0 call.int 1, site 0, param 0 -> - | -",
     "5:21: unknown site 0: no line declares one, as `site CALLER -> CALLEE` does"},
    {FUNCTION "%0 call.int 1, site 0, param 0 -> -\n%1 call.int 1, site 0, param 0 -> -",
     "5:21: unknown site 0: no line declares one, as `site CALLER -> CALLEE` does"},
    {HEAD "input n int\nfunction f () -> (int)\nin f\n%0 neg.int $n -> -",
     "3:12: expected `=`, found the end of the line"},
    {FUNCTION "%0 read.int cell c -> -",
     "5:18: unknown cell `c`: names are declared before their use"},
    {FUNCTION "%0 neg.int $n -> -",
     "5:13: unknown input `n`: names are declared before their use"},
    {FUNCTION "%0 neg.int 2.5 -> -", "5:12: expected `_`, an int or an input such as $n, "
                                     "found `2.5`"},
    {FUNCTION "%0 neg.int & -> -", "5:12: expected `_`, a value, an input such as $n, a "
                                   "constant such as held 0, or what "
                                   "the node names (site, param, part, cell), found `&`"},
    {FUNCTION "%0 neg.int 1 2 -> -", "5:14: expected `,`, `->`, `@` or the end of the "
                                     "line, found `2`"},
    {FUNCTION "%0 neg.int 1 -> %1", "5:19: expected `.`, found the end of the line"},
    {FUNCTION "%0 neg.int 1 -> 1.0", "5:17: expected a destination such as %3.0, found "
                                     "`1.0`"},
    {FUNCTION "%0 neg.int 1 -> out", "5:17: expected a destination such as %3.0, or "
                                     "`return 0`, found `out`"},
    {FUNCTION "%0 neg.int 1 -> %1.0", "5:17: no node has the label %1"},
    {FUNCTION "%0 neg.int 1 -> %1.1\n%1 output.int _, part 0",
     "5:17: output has 1 operand; unknown operand 1"},
    {FUNCTION "%0 neg.int 1 -> -\n%0 neg.int 1 -> -", "6:1: the label is defined in line "
                                                      "5"},
    {"hiaton assembly 1\nstage functions\nfunction f () -> (int)\n"
     "function g (int, int, int, int) -> (int)\nsite f -> g\nin f\n"
     "%0 apply 1, 2, 3, site 0 -> -",
     "7:4: apply has 4 operands, found 3"},
    {"hiaton assembly 1\nstage static\nfunction f () -> (int)\nin f\n"
     "%0 neg.int 1 -> return 0",
     "5:17: `return` is a destination in stage image only"},
    {HEAD "machines 2", "3:10: only a graph of stage partitioned has machines"},
    {"hiaton assembly 1\nstage partitioned\nmachines 0",
     "3:10: there are 1 to 65536 machines, not 0"},
    {PARTS "%5 send.int _, channel 0, on 2\n", "14:30: unknown machine 2: there are 2"},
    {PARTS "%5 send.int _, channel 0\n",
     "14:4: send.int names a machine: `on 0`, and this one does not"},
    {PARTS "%5 send.int _, channel 0, on 0\n%6 recv.int channel 0, on 0 -> %3.0\n"
           "%7 send.int _, channel 1, on 1\n%8 recv.int channel 1, on 0 -> %1.0\n",
     "14:1: %5 send.int: both ends of channel 0 are on machine 0"},
    {PARTS "%5 send.int _, channel 0, on 0\n%6 recv.int channel 1, on 1 -> %3.0\n"
           "%7 send.int _, channel 2, on 1\n%8 recv.int channel 2, on 0 -> %1.0\n",
     "14:1: %5 send.int: channel 0 has no recv"},
    {PARTS "%5 send.real _, channel 0, on 0\n%6 recv.real channel 0, on 1 -> %3.0\n"
           "%7 send.int _, channel 1, on 1\n%8 recv.int channel 1, on 0 -> %1.0\n",
     "8:1: %0 call.int: sends int, but %5 send.real takes real"},
    {PARTS "%5 send.int _, channel 0, on 0\n%6 recv.int channel 0, on 1 -> %3.0, %1.0\n"
           "%7 send.int _, channel 1, on 1\n%8 recv.int channel 1, on 0 -> %1.0\n",
     "15:1: %6 recv.int: leads to operand 0 of a return, and elsewhere: each result has "
     "a "
     "channel of its own"},
    {PARTS AWAITED, "15:1: %6 await.int: operand 0 is reached by 0 arcs, not by 1"},
    {PARTS AWAITED "%9 trackmerge _, on 1 -> %6.0\n",
     "18:1: %9 trackmerge: operand 0 is reached by 0 arcs, not at least 1"},
    {PARTS AWAITED "in result\n%9 trackcall _, site 0, on 0 -> -\n",
     "19:1: %9 trackcall: is on machine 0, where site 0 is at home and makes its tags"},
    {PARTS AWAITED "in result\n%9 trackcall _, site 0, on 1 -> -\n"
                   "%10 trackcall _, site 0, on 1 -> -\n",
     "20:1: %10 trackcall: machine 1 follows the tags of site 0 twice"},
    {PARTS AWAITED "in result\n%9 trackenter _, site 0, on 1 -> -\n",
     "19:1: %9 trackenter: site 0 calls a function"},
    {PARTS AWAITED "%9 trackmerge _, on 1 -> %6.0\n"
                   "in result\n%10 trackcall _, site 0, on 1 -> %9.0, %9.0\n"
                   "%11 trackmerge on 1 -> %10.0\n",
     "18:1: %9 trackmerge: is told twice of the tags of site 0"},
    {PARTS AWAITED "%9 trackmerge _, on 1 -> %6.0, %10.0\n%10 trackmerge _, on 1 -> -\n"
                   "in result\n%11 trackcall _, site 0, on 1 -> %9.0\n"
                   "%12 trackmerge on 1 -> %11.0\n",
     "18:1: %9 trackmerge: leads to %10 trackmerge, but makes no tags: expected what "
     "call, enter or next of parameter 0 sends, or their copies"},
    {PARTS AWAITED "%9 trackmerge _, on 1 -> %6.0, %3.0\n"
                   "in result\n%10 trackcall _, site 0, on 1 -> %9.0\n"
                   "%11 trackmerge on 1 -> %10.0\n",
     "18:1: %9 trackmerge: leads to %3 merge.int, but only what tracks tags takes that"},
};

static void check_wrong(const struct wrong *wrong)
{
    struct lib_source source = test_source(wrong->text, strlen(wrong->text));
    struct lib_diags diags = {0};
    struct lib_text message = {0};
    ck_assert(isa_asm_read(&source, &diags) == NULL);
    ck_assert_uint_ge(diags.count, 1);
    const struct lib_diag *d = &diags.items[0];
    lib_text_printf(&message, "%u:%u: %s", d->pos.line, d->pos.column, d->text);
    ck_assert_str_eq(message.bytes, wrong->message);
    lib_text_free(&message);
    lib_diags_free(&diags);
}

START_TEST(errors_say_where_and_what)
{
    check_wrong(&errors[_i]);
}
END_TEST

START_TEST(many_errors_are_told_at_once)
{
    const char text[] = FUNCTION
        "%0 ad.int 1\n%1 neg.int 1.5 -> %0.0\n%2 neg.int -> %9.0\n"
        "%3 neg.int 1 -> %8.0, %8.1, %0.0\n";
    struct lib_source source = test_source(text, strlen(text));
    struct lib_diags diags = {0};
    ck_assert(isa_asm_read(&source, &diags) == NULL);
    ck_assert_uint_eq(diags.count, 4); /* of labels not defined, only %8: once */
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(diags.items[i].pos.line, 5 + i);
    lib_diags_free(&diags);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("errors of texts");
    tcase_add_loop_test(tcase, errors_say_where_and_what, 0,
                        sizeof errors / sizeof *errors);
    tcase_add_test(tcase, many_errors_are_told_at_once);
    return test_main("isa", tcase);
}
