#include "programs/syntax/syntax_hints.h"

#include "programs/syntax/lex.h"

#include <ctype.h>
#include <string.h>

#define NO_CHANGE                                                                        \
    "names do not change: a new value has a name of its own, or goes round in a `loop`"
#define JOIN "arrays are joined by `append(a, b)`, tensors by `concat(a, b)`"
#define CHOICE "choose with `if ... then ... else ...`, or `case ... of P -> E | P -> E`"
#define COMMENT "a comment begins with `--` and ends with its line"
#define POWER "a power is written `x ** y`"
#define RANDOM                                                                           \
    "write `random(key, i)`: the same key and number give the same real, from 0.0 to "   \
    "less than 1.0"
#define SHIFT "bits are moved by `shift_left(a, n)`, `shift_right(a, n)`"
#define BLOCK "group with parentheses or `let ... in`; an array is written `[1, 2]`"
#define FUNCTION "a function is written `f(x) = ...`"
#define TYPE "types are not written: they are inferred"
#define MODULE "there are no modules: the built-in functions are always there"
#define OUTPUT "what a program computes is `result = ...`"
#define NOTHING "there is no empty value"
#define LOOP "a loop is written `loop i = 0 while i < n do i + 1`"
#define FOLD "write a function that calls itself, or a `loop`"
#define FAULT "there are no exceptions: choose with `if ... then ... else ...`"

/* Signs of other languages; of those with the same beginning, the longest first. */
static const struct programs_syntax_hints signs[] = {
    {"...", "write `..`, as in `[i | i <- 0 .. 9]`"},
    {"===", "write `==`"},
    {"!==", "write `/=`"},
    {"=/=", "write `/=`"},
    {"<>", "write `/=`"},
    {"~=", "write `/=`"},
    {"=<", "write `<=`"},
    {"=>", "write `>=` to compare, `=` to define"},
    {":=", "write `=`"},
    {"//", COMMENT "; `/` divides"},
    {"**=", NO_CHANGE},
    {"/*", COMMENT},
    {"*/", COMMENT},
    {"%%", "write `%`"},
    {"<<", SHIFT},
    {">>", SHIFT},
    {"++", NO_CHANGE},
    {"+=", NO_CHANGE},
    {"-=", NO_CHANGE},
    {"*=", NO_CHANGE},
    {"%=", NO_CHANGE},
    {"^", POWER "; of the bits of ints, write `bit_xor(a, b)`"},
    {"#", COMMENT},
    {":", TYPE "; `then`, `else` and `do` stand where other languages have a colon"},
    {"?", "write `if c then a else b`"},
    {"{", BLOCK},
    {"}", BLOCK},
    {"\\", FUNCTION},
    {"'", "there are no characters and strings"},
    {"\xe2\x80\x9c",
     "there are no characters and strings"}, /* left double quotation mark */
    {"!", "write `not`"},
    {"~", "write `not`; of the bits of an int, `bit_not(a)`"},
    {"&", "write `and`; of the bits of ints, `bit_and(a, b)`"},
    {"\xe2\x88\x92", "write `-`"},  /* minus sign */
    {"\xe2\x80\x93", "write `-`"},  /* en dash */
    {"\xc3\x97", "write `*`"},      /* multiplication sign */
    {"\xc3\xb7", "write `/`"},      /* division sign */
    {"\xe2\x89\xa4", "write `<=`"}, /* less than or equal to */
    {"\xe2\x89\xa5", "write `>=`"}, /* greater than or equal to */
    {"\xe2\x89\xa0", "write `/=`"}, /* not equal to */
    {"\xe2\x88\xa7", "write `and`"},
    {"\xe2\x88\xa8", "write `or`"},
    {"\xc2\xac", "write `not`"},
};

const struct programs_syntax_hints *programs_syntax_hints_sign(const char *at,
                                                               size_t left)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!left || *at != *signs[i].text)
            continue; /* most of them: no call */
        const size_t length = strlen(signs[i].text);
        if (length <= left && memcmp(at, signs[i].text, length) == 0)
            return &signs[i];
    }
    return NULL;
}

const char *programs_syntax_hints_between(const struct programs_syntax_hints *sign)
{
    if (strcmp(sign->text, "++") == 0)
        return JOIN;
    if (strcmp(sign->text, "!") == 0)
        return "an element of an array is written `a[0]`";
    return sign->advice;
}

static const struct programs_syntax_hints words[] = {
    {"def", FUNCTION},
    {"fn", FUNCTION},
    {"fun", FUNCTION},
    {"func", FUNCTION},
    {"function", FUNCTION},
    {"define", FUNCTION},
    {"lambda", FUNCTION},
    {"int", TYPE},
    {"real", TYPE},
    {"bool", TYPE},
    {"float", TYPE "; `real(x)` converts"},
    {"double", TYPE "; `real(x)` converts"},
    {"long", TYPE},
    {"auto", TYPE},
    {"var", "a name is defined by `x = ...`"},
    {"val", "a name is defined by `x = ...`"},
    {"const", "a name is defined by `x = ...`"},
    {"elif", "write `else if`"},
    {"elseif", "write `else if`"},
    {"elsif", "write `else if`"},
    {"mod", "write `%`"},
    {"rem", "write `%`"},
    {"div", "write `/`"},
    {"is", "write `==`"},
    {"xor", "of bools write `/=`; of the bits of ints, `bit_xor(a, b)`"},
    {"popcount", "write `count_ones(a)`"},
    {"popcnt", "write `count_ones(a)`"},
    {"band", "write `bit_and(a, b)`"},
    {"bor", "write `bit_or(a, b)`"},
    {"bnot", "write `bit_not(a)`"},
    {"rotr", "write `rotate_left(a, 64 - n)`"},
    {"ror", "write `rotate_left(a, 64 - n)`"},
    {"rol", "write `rotate_left(a, n)`"},
    {"sar", "write `shift_right_signed(a, n)`"},
    {"shl", SHIFT},
    {"shr", SHIFT},
    {"rotl", "write `rotate_left(a, n)`"},
    {"where", "write `let ... in`"},
    {"for", LOOP ", an array `[i | i <- 0 .. n]` or `[f(x) | x <- a]`"},
    {"while", LOOP},
    {"until", LOOP},
    {"repeat", LOOP},
    {"return", "write the value alone: `f(x) = x + 1`"},
    {"input", "an input is declared at top level: `input n = 3`"},
    {"range", "a range is part of a comprehension: `[i | i <- 0 .. 9]`"},
    {"map", "an array is made by `[f(x) | x <- a]`"},
    {"filter", "write `[x | x <- a, x > 0]`"},
    {"reduce", FOLD},
    {"fold", FOLD},
    {"foldl", FOLD},
    {"foldr", FOLD},
    {"head", "the first element of an array is `a[0]`"},
    {"tail", "an array without its first element is `subarray(a, 1, length(a) - 1)`"},
    {"take", "the first n elements of an array are `subarray(a, 0, n)`"},
    {"drop", "an array without its first n elements is `subarray(a, n, length(a) - n)`"},
    {"push", JOIN},
    {"try", FAULT},
    {"throw", FAULT},
    {"raise", FAULT},
    {"assert", FAULT},
    {"rand", RANDOM},
    {"rnd", RANDOM},
    {"seed", RANDOM},
    {"srand", RANDOM},
    {"gauss", "write `normal(key, [n])`"},
    {"randint", "write `int(random(key, i) * real(n))`"},
    {"randn", "write `normal(key, [n])`"},
    {"foreach", "an array is written `[f(i) | i <- 0 .. n]`"},
    {"match", CHOICE},
    {"switch", CHOICE},
    {"type", "a type of data is written `data Tree = Leaf(real) | Node(Tree, Tree)`"},
    {"when", CHOICE},
    {"unless", CHOICE},
    {"import", MODULE},
    {"open", MODULE},
    {"require", MODULE},
    {"include", MODULE},
    {"from", MODULE},
    {"module", MODULE},
    {"using", MODULE},
    {"print", OUTPUT},
    {"printf", OUTPUT},
    {"echo", OUTPUT},
    {"null", NOTHING},
    {"nil", NOTHING},
    {"none", NOTHING},
    {"len", "write `length`"},
    {"size", "write `length`"},
    {"fabs", "write `abs`"},
    {"ln", "write `log`"},
    {"pow", POWER},
    {"power", POWER},
    {"square", "write `x ** 2`"},
    {"sqr", "write `x ** 2`"},
    {"cbrt", "write `x ** (1.0 / 3.0)`"},
    {"log2", "write `log(x) / log(2.0)`"},
    {"log10", "write `log(x) / log(10.0)`"},
    {"tan", "write `sin(x) / cos(x)`"},
    {"asin", "write `atan2(x, sqrt(1.0 - x ** 2))`"},
    {"acos", "write `atan2(sqrt(1.0 - x ** 2), x)`"},
    {"erfc", "write `1.0 - erf(x)`"},
    {"norm", "write `sqrt(reduce_sum(t ** 2))`, of two numbers `hypot(x, y)`"},
    {"mean", "of a tensor, write `reduce_mean(t)`"},
    {"argmin", "write `argmax(-t)`"},
    {"unsqueeze", "write `expand_dims(t, axis)`"},
    {"logsoftmax", "write `log_softmax(t)`"},
    {"gelu", "write `0.5 * x * (1.0 + erf(x / sqrt(2.0)))`"},
    {"ceil", "write `-floor(-x)`"},
    {"round", "write `floor(x + 0.5)`"},
    {"pi", "write 3.141592653589793"},
};

const char *programs_syntax_hints_word(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].text, word) == 0)
            return words[i].advice;
    return NULL;
}

const char *programs_syntax_hints_empty(const char *word)
{
    const char *advice = strcmp(word, "random") == 0 ? RANDOM
                                                     : programs_syntax_hints_word(word);
    return advice ? advice : "a constant is written without `()`";
}

static bool is_keyword(const char *word)
{
    static const char *const keywords[] = {
#define WORD(NAME, text) text,
        PROGRAMS_KEYWORDS(WORD)
#undef WORD
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(word, keywords[i]) == 0)
            return true;
    return false;
}

const char *programs_syntax_hints_small(struct lib_arena *arena, const char *word)
{
    char *all = lib_arena_copy(arena, word, strlen(word));
    char *first = lib_arena_copy(arena, word, strlen(word));
    for (char *p = all; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    first[0] = all[0];
    return is_keyword(all) || strcmp(all, "result") == 0 ? all : first;
}

bool programs_syntax_hints_has(const char *word)
{
    static const char *const others[] = {
        "result", "bool", "grad", "file", "trees", "conllu",
#define BUILTIN(NAME, text, ...) text,
#include "programs/syntax/builtins.def"
#undef BUILTIN
#define TENSOR_BUILTIN(NAME, text, ...) text,
#include "programs/syntax/tensors.def"
#undef TENSOR_BUILTIN
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i]) == 0)
            return true;
    return is_keyword(word);
}
