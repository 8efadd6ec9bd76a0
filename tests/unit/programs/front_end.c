/* The front end, by examples: tokens, precedence, positions, names and inferred types. Messages are
 * in tests/unit/programs/messages.c, tests without examples in front_end_random.c. */
#include "lib/memory.h"
#include "programs/syntax/lex.h"
#include "tests/unit/front_end.h"

/* --- tokens --------------------------------------------------------------------------- */

static const char *token_text(const struct programs_token *t, struct lib_text *out)
{
    static const char *const fixed[] = {
#define TOKEN(NAME, text) [PROGRAMS_TOKEN_##NAME] = text,
        PROGRAMS_KEYWORDS(TOKEN) PROGRAMS_SYMBOLS(TOKEN)
#undef TOKEN
    };
    lib_text_clear(out);
    if (t->kind < PROGRAMS_TOKEN_NAME)
        lib_text_puts(out, fixed[t->kind]);
    else if (t->kind == PROGRAMS_TOKEN_INT)
        lib_text_printf(out, "%llu", (unsigned long long)t->integer);
    else if (t->kind == PROGRAMS_TOKEN_REAL)
        lib_text_real(out, t->real);
    else if (t->kind == PROGRAMS_TOKEN_END)
        lib_text_puts(out, "END");
    else if (t->kind == PROGRAMS_TOKEN_EOF)
        lib_text_puts(out, "EOF");
    else
        lib_text_puts(out, t->text);
    return lib_text_get(out);
}

/* Tokens as LINE:COLUMN+SPAN TEXT. */
static void check_tokens(const char *bytes, size_t length, const char *expected)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_source source = {"test.df", bytes, length};
    struct programs_tokens tokens = {0};
    struct lib_text found = {0}, text = {0};
    programs_lex(arena, &source, &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct programs_token *t = &tokens.items[i];
        lib_text_printf(&found, "%s%u:%u+%u %s", i ? ", " : "", t->pos.line,
                        t->pos.column, t->pos.span, token_text(t, &text));
    }
    ck_assert_str_eq(lib_text_get(&found), expected);
    lib_text_free(&found);
    lib_text_free(&text);
    LIB_VEC_FREE(&tokens);
    lib_arena_free(arena);
}

#define CHECK_TOKENS(text, expected) check_tokens((text), sizeof(text) - 1, (expected))

START_TEST(tokens)
{
    CHECK_TOKENS("", "1:1+0 EOF");
    CHECK_TOKENS("-- x\n\n", "3:1+0 EOF");
    CHECK_TOKENS("a=1", "1:1+1 a, 1:2+1 =, 1:3+1 1, 1:4+1 END, 1:4+0 EOF");
    CHECK_TOKENS("a\n b--c\n\n\tc' d_1\nE",
                 "1:1+1 a, 2:2+1 b, 4:2+2 c', 4:5+3 d_1, 4:8+1 END, 5:1+1 E, 5:2+1 END, "
                 "5:2+0 EOF");
    CHECK_TOKENS("a;\r\n b\r\n", "1:1+1 a, 1:2+1 ;, 2:2+1 b, 2:3+1 END, 3:1+0 EOF");
    CHECK_TOKENS("1.5e10 1e-3 1E+2 007 2..3", "1:1+6 15000000000.0, 1:8+4 0.001, 1:13+4 "
                                              "100.0, 1:18+3 7, 1:22+1 2, 1:23+2 .., "
                                              "1:25+1 3, 1:26+1 END, 1:26+0 EOF");
    CHECK_TOKENS(
        "a<-b!=c&&d||e/=f<=g>=h==i",
        "1:1+1 a, 1:2+1 <, 1:3+1 -, 1:4+1 b, 1:5+2 /=, 1:7+1 c, 1:8+2 and, 1:10+1 "
        "d, 1:11+2 or, 1:13+1 e, 1:14+2 /=, 1:16+1 f, 1:17+2 <=, 1:19+1 g, 1:20+2 "
        ">=, 1:22+1 h, 1:23+2 ==, 1:25+1 i, 1:26+1 END, 1:26+0 EOF");
    CHECK_TOKENS("iff if \"a -- b\" Ab",
                 "1:1+3 iff, 1:5+2 if, 1:8+8 a -- b, 1:17+2 Ab, 1:19+1 END, 1:19+0 EOF");
    CHECK_TOKENS("9223372036854775808 9223372036854775809",
                 "1:1+19 9223372036854775808, 1:21+19 this literal is out of range; the "
                 "largest int is 9223372036854775807, 1:40+1 END, 1:40+0 EOF");
    CHECK_TOKENS("\xef\xbb\xbfx", "1:4+1 x, 1:5+1 END, 1:5+0 EOF");
    CHECK_TOKENS(
        "\0\xff\xc3\xa9\xe2\x82",
        "1:1+1 unexpected byte 0x00, 1:2+1 unexpected byte 0xff, 1:3+2 unexpected "
        "character `\xc3\xa9`, 1:5+1 unexpected byte 0xe2, 1:6+1 unexpected byte "
        "0x82, 1:7+1 END, 1:7+0 EOF");
    CHECK_TOKENS("a\rb",
                 "1:1+1 a, 1:2+1 unexpected byte 0x0d, 1:3+1 b, 1:4+1 END, 1:4+0 EOF");
}
END_TEST

static const char *const expressions[][2] = {
    {"1 + 2 * 3 - 4", "[- [+ 1 [* 2 3]] 4]"},
    {"(1 + 2) * 3", "[* [+ 1 2] 3]"},
    {"1 - (2 - 3)", "[- 1 [- 2 3]]"},
    {"8 / 4 / 2 % 3", "[% [/ [/ 8 4] 2] 3]"},
    {"2 - 3", "[- 2 3]"},
    {"2 -3", "[- 2 3]"},
    {"2 - -3", "[- 2 -3]"},
    {"- 3", "-3"},
    {"-x * y", "[* [neg x] y]"},
    {"x * -y", "[* x [neg y]]"},
    {"-f(x)", "[neg [f x]]"},
    {"-(1)", "[neg 1]"},
    {"- - 1", "[neg -1]"},
    {"-1.5e3", "-1500.0"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"a or b and not c == d + 1", "[or a [and b [not [== c [+ d 1]]]]]"},
    {"a && b || c", "[or [and a b] c]"},
    {"a or b or c", "[or [or a b] c]"},
    {"not not a and b", "[and [not [not a]] b]"},
    {"(a < b) == c", "[== [< a b] c]"},
    {"a != b", "[/= a b]"},
    {"1 + if a then b else c + d", "[+ 1 [if a b [+ c d]]]"},
    {"(if a then b else c) + d", "[+ [if a b c] d]"},
    {"not if a then b else c or d", "[not [if a b [or c d]]]"},
    {"-let a = 1 in a + 2", "[neg [let a=1 [+ a 2]]]"},
    {"if a then b else if c then d else e", "[if a b [if c d e]]"},
    {"if if a then b else c then d else e", "[if [if a b c] d e]"},
    {"let a = 1; (b, c) = f(a); in a + b", "[let a=1 b,c=[f a] [+ a b]]"},
    {"let a = let b = 1; c = 2 in b; d = 3 in a", "[let a=[let b=1 c=2 b] d=3 a]"},
    {"((1), (2, 3))", "[tuple 1 [tuple 2 3]]"},
    {"f (x, (y, z))", "[f x [tuple y z]]"},
    {"true == false", "[== true false]"},
    /* arrays */
    {"[]", "[array]"},
    {"[1, [x], (2, 3)]", "[array 1 [array x] [tuple 2 3]]"},
    {"a[i][j]", "[index [index a i] j]"},
    {"f(x)[i] + -a[1] * 2", "[+ [index [f x] i] [* [neg [index a 1]] 2]]"},
    {"-2 ** 2", "[neg [** 2 2]]"},
    {"(-2) ** 2", "[** -2 2]"},
    {"2 ** 3 ** 2", "[** 2 [** 3 2]]"},
    {"(2 ** 3) ** 2", "[** [** 2 3] 2]"},
    {"2 ** -x ** -2", "[** 2 [neg [** x -2]]]"},
    {"2 ** -3 ** 2 * 5", "[* [** 2 [neg [** 3 2]]] 5]"},
    {"-x ** 2 * 3", "[* [neg [** x 2]] 3]"},
    {"(-x) ** 2", "[** [neg x] 2]"},
    {"-3[0] ** 2", "[** [index -3 0] 2]"},
    {"-(3[0] ** 2)", "[neg [** [index 3 0] 2]]"},
    {"- -3[0] ** 2", "[neg [** [index -3 0] 2]]"},
    {"-(-3) ** 2", "[neg [** -3 2]]"},
    {"(2 ** 3)[0]", "[index [** 2 3] 0]"},
    {"(if x then 2 else 3) ** y", "[** [if x 2 3] y]"},
    {"2 ** (if x then 2 else 3) ** y", "[** 2 [** [if x 2 3] y]]"},
    {"-3[0] - -(3[0])", "[- [index -3 0] [neg [index 3 0]]]"},
    {"- -3[0]", "[neg [index -3 0]]"},
    {"(-x)[i]", "[index [neg x] i]"},
    {"(a, b)[0]", "[index [tuple a b] 0]"},
    {"(if a then b else c)[0]", "[index [if a b c] 0]"},
    {"if a then b else c[0]", "[if a b [index c 0]]"},
    {"a [if b then c else d]", "[index a [if b c d]]"},
    {"[1, 2][0]", "[index [array 1 2] 0]"},
    {"[a || b | i <- 0 .. 3]", "[each i [or a b] 0 3]"},
    {"[i|i<-0..n]", "[each i i 0 n]"},
    {"[i<-1 | i <- -1 .. -n]", "[each i [< i -1] -1 [neg n]]"},
    {"[[i * j | j <- 0 .. i] | i <- if a then 1 else 2 .. 3][1]",
     "[index [each i [each j [* i j] 0 i] [if a 1 2] 3] 1]"},
    {"[x + i | x <- xs at i]", "[over x i [+ x i] xs]"},
    {"[x|x<-f(a)[1]]", "[over x x [index [f a] 1]]"},
    {"[at | at <- at at at]", "[over at at at at]"},
    {"[[x | x <- a] | i <- 0 .. x]", "[each i [over x x a] 0 x]"},
    {"port + out(port)", "[+ port [out port]]"},
    {"not sum(a)[0]", "[not [index [sum a] 0]]"},
    /* loops */
    {"loop i = 0 while i < 3 do i + 1", "[values i 0 [< i 3] [+ i 1]]"},
    {"loop i = 0, s = 0 while i < 10 do i + 1, s + i return s",
     "[loop i,s 0 0 [< i 10] [+ i 1] [+ s i] s]"},
    {"1 + loop i = 0 while a do b + c", "[+ 1 [values i 0 a [+ b c]]]"},
    {"(loop i = 0 while a do b) + c", "[+ [values i 0 a b] c]"},
    {"(loop i = 0 while a do b, c)", "[tuple [values i 0 a b] c]"},
    {"[loop i = 0 while a do b, c]", "[array [values i 0 a b] c]"},
    {"f(loop i = 0, j = 1 while a do b, c, d)", "[f [values i,j 0 1 a b c] d]"},
    {"loop i = loop j = 0 while a do b, k = 1 while c do d, e",
     "[values i,k [values j 0 a b] 1 c d e]"},
    {"loop i = 0 while loop j = 0 while a do b do c", "[values i 0 [values j 0 a b] c]"},
    {"loop i = 0 while a do loop j = 0 while b do c return d",
     "[values i 0 a [loop j 0 b c d]]"},
    {"loop i = 0 while a do (loop j = 0 while b do c) return d",
     "[loop i 0 a [values j 0 b c] d]"},
    {"loop i = 0 while a do if b then c else (loop j = 0 while b do c) return d",
     "[loop i 0 a [if b c [values j 0 b c]] d]"},
    {"loop i = 0 while a do let x = (1) in 2 + (loop j = 0 while b do c) return d",
     "[loop i 0 a [let x=1 [+ 2 [values j 0 b c]]] d]"},
    {"loop i = 0 while a do loop j = 0 while b do c return d return e",
     "[loop i 0 a [loop j 0 b c d] e]"},
    {"loop i = 0 while a do b return loop j = 0 while c do d",
     "[loop i 0 a b [values j 0 c d]]"},
    {"loop i = 0 while a do b return c + loop j = 0 while c do d return e",
     "[loop i 0 a b [+ c [loop j 0 c d e]]]"},
    {"(loop i = 0 while a do b)[0]", "[index [values i 0 a b] 0]"},
    /* pragmas */
    {"loop i = 0 while a do b --# bound 4", "[values i <= 4 0 a b]"},
    {"1 +\n  --#bound 4  \n  loop i = 0 while a do b", "[+ 1 [values i <= 4 0 a b]]"},
    {"loop i = 0 --# bound 1000000000\n while a do\n --# bound 2\n loop j = 0 while b do "
     "c\n",
     "[values i <= 1000000000 0 a [values j <= 2 0 b c]]"},
    {"loop i = 0 while a do loop j = 0 while b do c --# bound 3",
     "[values i 0 a [values j <= 3 0 b c]]"},
    {"\n --# bound 3\n loop i = 0 while a do loop j = 0 while b do c",
     "[values i <= 3 0 a [values j 0 b c]]"},
    {"\n --# bound 3\n -(loop i = 0 while a do b)", "[neg [values i <= 3 0 a b]]"},
    {"loop i = 0 --## bound 3\n while a do b -- # bound 3", "[values i 0 a b]"},
};

START_TEST(precedence)
{
    struct lib_text text = {0}, found = {0};
    lib_text_printf(&text, "result = %s\n", expressions[_i][0]);
    struct program p = load_good(lib_text_get(&text), PARSED);
    show(p.ast->constants[0]->value, &found);
    ck_assert_str_eq(lib_text_get(&found), expressions[_i][1]);
    lib_text_free(&text);
    lib_text_free(&found);
    unload(&p);
}
END_TEST

/* Positions: of the token for carets, and of the whole expression. */
START_TEST(positions)
{
    struct program p = load_good(
        "x = (a + b) * f(c,\n  d) - 1\ny = (if a then b else -2)\n", PARSED);
    const struct programs_expr *minus = p.ast->constants[0]->value;
    const struct programs_expr *times = minus->operands[0], *sum = times->operands[0];
    const struct programs_expr *call = times->operands[1];
    const struct programs_expr *cond = p.ast->constants[1]->value;
    const struct {
        struct lib_pos found, expected;
    } rows[] = {
        {minus->pos, {2, 6, 1}},   {minus->start, {1, 5, 7}},
        {times->pos, {1, 13, 1}},  {sum->pos, {1, 8, 1}},
        {sum->start, {1, 5, 7}},   {call->pos, {1, 15, 1}},
        {call->start, {1, 15, 1}}, {cond->pos, {3, 6, 2}},
        {cond->start, {3, 5, 21}}, {cond->operands[2]->start, {3, 23, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_uint_eq(rows[i].found.line, rows[i].expected.line);
        ck_assert_uint_eq(rows[i].found.column, rows[i].expected.column);
        ck_assert_uint_eq(rows[i].found.span, rows[i].expected.span);
    }
    unload(&p);
}
END_TEST

START_TEST(print_examples)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "input k = -1\nf(x, y) = %s\n(q, r) = f(1, 2); result = q\n",
                    expressions[_i][0]);
    struct program p = load_good(lib_text_get(&text), PARSED);
    check_print(p.ast);
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* Checks what is printed of the program that a text is. */
static void check_printed(const char *text, const char *expected)
{
    struct program p = load_good(text, PARSED);
    struct lib_text printed = {0};
    programs_print(p.ast, &printed);
    ck_assert_str_eq(printed.bytes, expected);
    lib_text_free(&printed);
    unload(&p);
}

START_TEST(print_ports)
{
    static const char printed[] =
        "port in xs : [int]\nport in ps : [((int, bool), (real, tensor(real32, 2)))]\n"
        "port in ts : [tensor(int, 0)]\nport out ys = [x | x <- xs at i]\n"
        "result = port + out\nport = 3\nout = 1\n";
    const char *const texts[] = {
        "port in xs : [int]\nport in ps : [((int, bool), (real, tensor(real32, 2)))]\n"
        "port in ts : [(tensor(int, 0))]; port out ys = [x | x <- xs at i]\n"
        "result = port + out; port = 3\nout = 1\n",
        printed};
    for (int i = 0; i < 2; i++)
        check_printed(texts[i], printed);
}
END_TEST

START_TEST(print_patterns)
{
    static const char text[] =
        "f((a, (b, _)), d) = let ((x, y), z) = ((a, b), d) in x + y + z\n"
        "g((a, b)) = loop i = a, s = b while i < 9 do let t = s + i in (i + 1, t) return "
        "s\n"
        "h((_, _), (_, _)) = 1\n(p, (q, r)) = (1, (2, 3))\n"
        "result = f((p, (q, r)), g((r, 1))) + h((1, 2), (3, 4))\n";
    /* what follows the comma would be a second new value */
    static const char comma[] =
        "result = [(loop a = 0, b = 1 while a < 3 do (a + b, b)), loop a = 0, b = 1 "
        "while a "
        "< 3 do (a + b, b) return (b, a), loop a = 0, b = 1 while a < 3 do (a + 1, b)]\n";
    check_printed(text, text);
    check_printed(comma, comma);
}
END_TEST

START_TEST(print_data)
{
    static const char text[] =
        "data Tree = Leaf | Node(key: int, left: Tree, right: Tree)\n"
        "data Pair(a, b) = Pair(a, [(b, List(a))])\n"
        "f(t, (a, b)) = case t of Leaf -> a | Node(k, _, r) if k > 0 -> r.left.key + b | "
        "Node(0, "
        "Node(_, _, _), Leaf) -> (case b of -1 -> 1 | _ -> 2) | _ -> case t.key of 1 -> "
        "3 | x -> "
        "x\n"
        "g(Pair(x, _)) = [(case x of Nil -> i | Cons(y, _) -> y) | i <- 0 .. 3]\n"
        "result = (f(Node(1, Leaf, Leaf), (1, 2)), g(Pair(Cons(1, Nil), [])) == 1)\n";
    check_printed(text, text);
}
END_TEST

/* --- names ------------------------------------------------------------------------------ */

/* What the text reaches from `result`: functions, constants, inputs, parameters, names of
 * lets, in the order of the text. */
static void list_lets(const struct programs_expr *e, struct lib_text *out)
{
    for (size_t i = 0; i < e->operand_count; i++)
        list_lets(e->operands[i], out);
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_LOOP && i < e->loop->count; i++)
        if (e->loop->names[i]->used)
            lib_text_printf(out, " %s", e->loop->names[i]->name);
    if (e->kind == PROGRAMS_EXPR_COMPREHENSION && e->element && e->element->used)
        lib_text_printf(out, " %s", e->element->name);
    if (e->kind == PROGRAMS_EXPR_COMPREHENSION && e->index && e->index->used)
        lib_text_printf(out, " %s", e->index->name);
    if (e->kind != PROGRAMS_EXPR_LET)
        return;
    for (size_t i = 0; i < e->let->count; i++) {
        const struct programs_equation *q = e->let->equations[i];
        for (size_t k = 0; k < q->name_count; k++)
            if (q->names[k]->used)
                lib_text_printf(out, " %s", q->names[k]->name);
        list_lets(q->value, out);
    }
    list_lets(e->let->body, out);
}

static void list_used(const struct programs_ast *ast, struct lib_text *out)
{
    struct programs_walk walk = {0};
    struct programs_item item;
    while (programs_ast_next(ast, &walk, &item)) {
        if (item.input && item.input->binding->used)
            lib_text_printf(out, " %s", item.input->binding->name);
        for (size_t i = 0; item.constant && i < item.constant->name_count; i++)
            if (item.constant->names[i]->used)
                lib_text_printf(out, " %s", item.constant->names[i]->name);
        if (item.constant)
            list_lets(item.constant->value, out);
        if (!item.function)
            continue;
        if (item.function->used)
            lib_text_printf(out, " %s", item.function->name);
        for (size_t i = 0; i < item.function->param_count; i++)
            if (item.function->params[i]->used)
                lib_text_printf(out, " %s", item.function->params[i]->name);
        list_lets(item.function->body, out);
    }
}

static const char *const used[][2] = {
    {"result = 1\nx = y\ny = 2\n", " result"},
    {"result = x\nx = y\ny = 2\ninput z = 1\n", " result x y"},
    {"result = q\n(q, r) = (a, b)\na = 1\nb = 2\n", " result q a b"},
    {"result = f(k)\ninput k = 1\ninput l = 2\nf(x, y) = x\n", NULL},
    {"result = f(k, 1)\ninput k = 1\nf(x, y) = x\ng(x) = f(x, x)\n", " result k f x"},
    {"result = if true then f(1) else g(2)\nf(x) = 1\ng(x) = h(x)\nh(x) = x\n",
     " result f g x h x"},
    {"result = let a = x; b = y; c = a in a + 1\nx = 1\ny = 2\n", " result a x"},
    {"result = let a = 1; a' = let a = a in a in a'\n", " result a a' a"},
    {"f(x) = let f = x in f\nresult = f(f(1))\n", " f x f result"},
    {"x = 1\nresult = f(2)\nf(x) = let y = x in x\n", " result f x"},
    {"e(n) = if n == 0 then true else o(n - 1)\no(n) = not e(n)\nresult = o(3)\n",
     " e n o n result"},
    {"min' = 1\nresult = let min = 2; abs = min in abs(1)\n", NULL},
    {"result = let real = 2.0 in real\n", " result real"},
    {"port in xs : [int]\nport in ps : [int]\nresult = [x | x <- xs at i]\n",
     " xs result x"},
    {"port in xs : [int]\nport out ys = [i | x <- xs at i]\nresult = 1\n",
     " xs i result"},
    {"port out ys = [ys[0]]\nresult = ys[1]\n", NULL},
    {"port out ys = [i | i <- 0 .. n]\nn = 1\nresult = ys[1]\n", " ys i n result"},
    {"_ = 1\n_ = 2\nresult = let (_, _, c) = (1, 2, 3); _ = 4 in c\n", " result c"},
    /* A variable of a loop is used if something besides itself leads to it. */
    {"result = loop i = 0, s = x while i < n do i + 1, s + y return i\nx = 1\ny = 2\nn = "
     "3\n",
     " result i n"},
    {"result = loop i = 0, s = x while i < n do i + 1, s + y\nx = 1\ny = 2\nn = 3\n",
     " result i s x y n"},
    {"result = loop a = x, b = y, c = z while true do b, a, c return a\n"
     "x = 1\ny = 2\nz = 3\n",
     " result a b x y"},
    {"result = loop i = 0, a = 1 while i < 3 do i + let k = a in x, a return 5\nx = 1\n",
     " result i x"},
    {"result = loop i = 0, a = 1 while i < 3 do i + let k = a in k, a return 5\n",
     " result k i a"},
    {"result = let s = loop i = 0, s = x while i < 3 do i + 1, s + 1 return s in 1\nx = "
     "2\n",
     " result"},
    {"result = loop i = f(x) while false do g(x) return 3\nf(x) = x\ng(x) = x\nx = 1\n",
     " result"},
    {"result = loop i = 1 while i > 2 do loop j = i, k = y while j > 0 do j - 1, k\n"
     "  return j return 3\ny = 1\n",
     " result j i"},
    /* A comprehension that only feeds itself is unused. */
    {"result = a\na = [b[i] | i <- 0 .. 3]\nb = [a[0] | i <- 0 .. n]\n"
     "c = [c[i] | i <- 0 .. m]\nn = 1\nm = 2\n",
     " result a i b n"},
    {"result = let a = [a[i - 1] | i <- 0 .. n]; b = [b[i] | i <- 0 .. m] in a\nn = 1\n"
     "m = 2\n",
     " result a i n"},
    {"result = [f(3) | i <- 0 .. 1]\nf(i) = a[i]\na = [f(i - 1) | i <- 0 .. 3]\n",
     " result f i a i"},
};

START_TEST(what_is_used)
{
    struct program p = load(used[_i][0], NAMED);
    struct lib_text text = {0};
    ck_assert(!p.ast == !used[_i][1]);
    if (p.ast) {
        list_used(p.ast, &text);
        ck_assert_str_eq(lib_text_get(&text), used[_i][1]);
    }
    lib_text_free(&text);
    unload(&p);
}
END_TEST

static const char *const orders[][2] = {
    {"result = a\na = f(b)\nf(x) = g(x) + c\nb = 1\nc = 2\ng(x) = f(x - 1)\n",
     " c f g b a result"},
    {"result = 1\nf(x) = let y = c in 1\nc = g(1)\ng(x) = x\n", " f g result c"},
};

START_TEST(order)
{
    struct program p = load_good(orders[_i][0], NAMED);
    struct lib_text text = {0};
    for (size_t i = 0; i < p.ast->order_count; i++)
        lib_text_printf(&text, " %s",
                        p.ast->order[i].function
                            ? p.ast->order[i].function->name
                            : p.ast->order[i].constant->names[0]->name);
    ck_assert_str_eq(lib_text_get(&text), orders[_i][1]);
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* --- types ------------------------------------------------------------------------------ */

static void list_types(const struct programs_ast *ast, struct lib_text *out)
{
    struct programs_walk walk = {0};
    struct programs_item item;
    while (programs_ast_next(ast, &walk, &item)) {
        lib_text_puts(out, out->length ? "; " : "");
        if (item.function) {
            for (size_t i = 0; i < item.function->param_count; i++) {
                lib_text_puts(out, i ? ", " : "");
                programs_type_write(item.function->params[i]->type, out);
            }
            lib_text_puts(out, " -> ");
            programs_type_write(item.function->result_type, out);
        } else {
            programs_type_write(
                item.input ? item.input->binding->type : item.constant->value->type, out);
        }
    }
}

static const char *const typings[][2] = {
    {"result = fact(3) + 5\nfact(n) = if n == 1 then n else n * fact(n - 1)\n",
     "int; int -> int"},
    {"result = f(3) + 0.5\nf(n) = n * n\n", "real; real -> real"},
    {"input n = 24\nresult = sqrt(n)\n", "real; real"},
    {"input n = -1\ninput b = true\nresult = if b then n else 2\n", "int; bool; int"},
    {"(q, r) = f(7, 2)\nf(a, b) = (a / b, a % b)\nresult = q + r\n",
     "(int, int); int, int -> (int, int); int"},
    {"f(a, b) = a == b\nresult = f(true, false) and f(false, 1 < 2)\n",
     "bool, bool -> bool; bool"},
    {"result = real(3) + real(int(2.5))\n", "real"},
    {"result = min(1, 2.5) + abs(-3)\n", "real"},
    {"result = 1 < 2.5 or 1 == 2\n", "bool"},
    {"result = f(1)\nf(x) = if x == 0 then (x, (true, 1.5)) else f(x - 1)\n",
     "(int, (bool, real)); int -> (int, (bool, real))"},
    {"f(x) = let (a, b) = x in a\nresult = f((1, true))\n", "(int, bool) -> int; int"},
    {"f(x) = g(x)\ng(x) = f(x)\nresult = 1\nk = g(1) and f(2)\n",
     "int -> bool; int -> bool; int; bool"},
    {"x = 1\ny = x\nz = y + 0.5\nresult = x\n", "real; real; real; real"},
    {"result = let _ = true; x = 7 % 2.5 in -x\n", "real"},
    {"result = [1, 2.5]\n", "[real]"},
    {"result = [[], [1]]\n", "[[int]]"},
    {"result = f([])\nf(a) = if length(a) == 0 then a else [(1, true)]\n",
     "[(int, bool)]; [(int, bool)] -> [(int, bool)]"},
    {"result = a[1] + 0.5\na = [if i == 0 then 1 else a[i - 1] | i <- 0 .. 3]\n",
     "real; [real]"},
    {"result = sum([1]) + length([2.5])\nf(a) = sum(a) + 0.5\n", "int; [real] -> real"},
    {"result = loop i = 0, s = 0 while i < 3 do i + 1, s + 0.5\n", "(int, real)"},
    {"result = loop t = (1, [true]), n = 3 while n > 0 do t, n - 1 return t\n",
     "(int, [bool])"},
    {"result = loop a = [] while length(a) < 3 do [2.5] return 1\n", "int"},
    {"f(a, i) = a[i]\nresult = f([[1.5]], 0)\n", "[[real]], int -> [real]; [real]"},
    {"a = [b[i] | i <- 0 .. 3]\nb = [g(i) | i <- 0 .. 3]\ng(i) = if i == 0 then 1.5 else "
     "a[i]\n"
     "result = 1\n",
     "[real]; [real]; int -> real; int"},
};

START_TEST(inferred)
{
    struct program p = load_good(typings[_i][0], TYPED);
    struct lib_text text = {0};
    list_types(p.ast, &text);
    ck_assert_str_eq(lib_text_get(&text), typings[_i][1]);
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* --- limits ----------------------------------------------------------------------------- */

/* "before" `count` times "piece" and "after". */
static void check_large(const char *before, const char *piece, size_t count,
                        const char *middle, const char *closing, const char *message)
{
    struct lib_text text = {0};
    lib_text_puts(&text, before);
    for (size_t i = 0; i < count; i++)
        lib_text_puts(&text, piece);
    lib_text_puts(&text, middle);
    for (size_t i = 0; i < count; i++)
        lib_text_puts(&text, closing);
    lib_text_puts(&text, "\n");
    struct program p = load(lib_text_get(&text), TYPED);
    if (p.ast)
        ck_assert_ptr_null(message);
    else
        ck_assert_str_eq(p.diags.items[0].text, message ? message : "none");
    ck_assert_uint_eq(p.diags.count, message ? 1 : 0);
    if (message)
        ck_assert_int_eq(p.diags.items[0].code, LIB_DIAG_LIMIT);
    lib_text_free(&text);
    unload(&p);
}

START_TEST(large)
{
    const size_t beyond = test_is_quick() ? 30000 : 300000;
    const char *deep = "expressions are nested more than 250 deep; name parts "
                       "of them";
    const char *wide = "the type of this has more than 1000 parts";
    const char *nested = "the type of this has more than 15 arrays within one another";
    check_large("result = 1", " + 1", beyond, "", "", NULL);
    check_large("result = true", " or true and 1 < 2 * 3", beyond, "", "", NULL);
    check_large("result = ", "if true then 1 else ", beyond, "1", "", NULL);
    check_large("a = [0]\nresult = ", "if a[0] == 0 then 1 + ", 1, "1", " else 1", NULL);
    check_large("result = ", "(", 249, "1", ")", NULL);
    check_large("result = ", "(", 250, "1", ")", deep);
    check_large("result = ", "1 + (", 124, "1", ")", NULL);
    check_large("result = ", "1 + (", 125, "1", ")", deep);
    check_large("result = ", "(", beyond, "1", ")", deep);
    check_large("result = ", "f(1 * -", beyond, "1", ")", deep);
    check_large("result = ", "- ", beyond, "(1)", "", deep);
    check_large("result = ", "not ", beyond, "1", "", deep);
    check_large("result = ", "if true then ", 249, "1", " else 1", NULL);
    check_large("result = ", "if true then ", beyond, "1", " else 1", deep);
    check_large("result = ", "if ", beyond, "true", " then true else true", deep);
    check_large("result = ", "let a = ", beyond, "1", " in a", deep);
    check_large("result = let ", "a = 1;", 1, " in a", "", NULL);
    check_large("result = (1", ", 1", 998, ")", "", NULL);
    check_large("result = (1", ", 1", 999, ")", "", wide);
    check_large("result = ", "[", 15, "1", "]", NULL);
    check_large("result = ", "[", 16, "1", "]", nested);
    check_large("result = ", "[", 249, "1", "]", nested);
    check_large("result = ", "[", beyond, "1", "]", deep);
    check_large("result = ", "[i | i <- 0 .. ", 248, "1", "][0]", NULL);
    check_large("result = ", "[", beyond, "1", " | i <- 0 .. 3]", deep);
    check_large("a = [0]\nresult = ", "a[", 249, "0", "]", NULL);
    check_large("a = [0]\nresult = ", "a[", beyond, "0", "]", deep);
    check_large("result = ", "loop i = 0 while false do ", 249, "1", "", NULL);
    check_large("result = ", "loop i = ", beyond, "0", " while false do 1", deep);
    check_large("result = ", "loop i = 0 while false do ", beyond, "1", "", deep);
    check_large("result = ", "loop i = 0 while false do 1 return ", beyond, "1", "",
                deep);
    check_large("result = [1", ", 1", 100000, "]", "", NULL);
}
END_TEST

/* Types that share parts have sizes far beyond their texts. */
START_TEST(exponential)
{
    struct lib_text text = {0};
    lib_text_puts(&text, "a0 = (1, 1)\nresult = 1\n");
    for (int i = 1; i < 64; i++)
        lib_text_printf(&text, "a%d = f%d(a%d)\nf%d(x) = (x, x)\n", i, i, i - 1, i);
    for (int i = 1; i < 64; i++)
        lib_text_printf(&text, "b%d = g%d(a%d)\ng%d(x) = if i then f%d(x) else (x, x)\n",
                        i, i, i - 1, i, i);
    lib_text_puts(&text, "input i = true\n");
    struct program p = load(lib_text_get(&text), TYPED);
    ck_assert_uint_eq(p.diags.errors, 1);
    ck_assert_str_eq(p.diags.items[0].text, "the type of this has more than 1000 parts");
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* A program may be a chain of many equations: no pass recurses over them. */
START_TEST(long_chain)
{
    struct lib_text text = {0};
    lib_text_puts(&text, "result = f0(c0)\n");
    for (int i = 0; i < 50000; i++)
        lib_text_printf(&text, "f%d(x) = f%d(x)\nc%d = c%d\n", i, i + 1, i, i + 1);
    lib_text_puts(&text, "f50000(x) = x\nc50000 = true\n");
    struct program p = load_good(lib_text_get(&text), TYPED);
    ck_assert_uint_eq(p.ast->order_count, 100003);
    ck_assert(p.ast->functions[50000]->used && p.ast->constants[50001]->used);
    lib_text_free(&text);
    unload(&p);
}
END_TEST

/* --- all of it ----------------------------------------------------------------------------- */

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, tokens);
    tcase_add_loop_test(tests, precedence, 0, ROWS(expressions));
    tcase_add_test(tests, positions);
    tcase_add_loop_test(tests, print_examples, 0, ROWS(expressions));
    tcase_add_test(tests, print_ports);
    tcase_add_test(tests, print_patterns);
    tcase_add_test(tests, print_data);
    tcase_add_loop_test(tests, what_is_used, 0, ROWS(used));
    tcase_add_loop_test(tests, order, 0, ROWS(orders));
    tcase_add_loop_test(tests, inferred, 0, ROWS(typings));
    tcase_add_test(tests, large);
    tcase_add_test(tests, exponential);
    tcase_add_test(tests, long_chain);
    return test_main("lang", tests);
}
