/* Arrays in programs: cases whose values, calls and iterations were found by hand, and what
 * stops a run. */
#include "tests/unit/cases.h"

/* --- cases ------------------------------------------------------------------------------ */

static const struct test_case cases[] = {
    {"literals", "result = ([1, 2 + 3], [0.5, 1], [true])",
     "([1, 5], [0.5, 1.0], [true])", 0, 0},
    {"an empty array, as one branch", "result = if 1 > 2 then [7] else []", "[]", 0, 0},
    {"an empty array of tuples", "result = if 1 > 2 then [(7, true)] else []", "[]", 0,
     0},
    {"an empty range", "result = [i | i <- 3 .. 2]", "[]", 0, 0},
    {"a range that is empty by far",
     "result = [i | i <- 9223372036854775807 .. -9223372036854775808]", "[]", 0, 0},
    {"one index", "result = [i | i <- 5 .. 5]", "[5]", 0, 1},
    {"negative indices", "result = [i * i | i <- -2 .. 1]", "[4, 1, 0, 1]", 0, 4},
    {"the greatest index",
     "result = [i | i <- 9223372036854775806 .. 9223372036854775807]",
     "[9223372036854775806, 9223372036854775807]", 0, 2},
    {"the least index",
     "result = [i | i <- -9223372036854775808 .. -9223372036854775807]",
     "[-9223372036854775808, -9223372036854775807]", 0, 2},
    {"an index that nobody reads", "result = [7 | _ <- 1 .. 3]", "[7, 7, 7]", 0, 3},
    {"elements count from 0 whatever the range", "result = [i | i <- 5 .. 7][2]", "7", 0,
     3},
    {"elements of an array", "result = [x * x | x <- [3, 1, 4]]", "[9, 1, 16]", 0, 3},
    {"elements and indices", "result = [10 * x + i | x <- a at i]\na = [3, 1, 4]\n",
     "[30, 11, 42]", 0, 3},
    {"elements of no array", "result = [x | x <- [i | i <- 1 .. 0]]", "[]", 0, 0},
    {"elements that are tuples, of which one part is read",
     "result = [let (a, _) = p in a | p <- [(1, true), (2, false)]]", "[1, 2]", 0, 2},
    {"elements that are arrays",
     "result = [[x * y | x <- row at y] | row <- [[1, 2], [3, 4, 5]]]",
     "[[0, 2], [0, 4, 10]]", 0, 7},
    {"elements that nobody reads", "result = [i | _ <- [7, 8] at i]", "[0, 1]", 0, 2},
    {"elements, and those of the array itself",
     "result = s\ns = [if i == 2 then x else x + s[i + 1] | x <- [1, 2, 3] at i]\n",
     "[6, 5, 3]", 0, 3},
    {"elements in a function", "result = f([1, 2], 3)\nf(a, k) = sum([k * x | x <- a])\n",
     "9", 4, 2},
    {"arrays of arrays", "result = [[i * j | j <- 0 .. i] | i <- 0 .. 2]",
     "[[0], [0, 1], [0, 2, 4]]", 0, 9},
    {"an index of an index", "result = [[1, 2], [3]][0][1]", "2", 0, 0},
    {"arrays of tuples", "result = [(i, (real(i), i > 1)) | i <- 1 .. 2]",
     "[(1, (1.0, false)), (2, (2.0, true))]", 0, 2},
    {"a tuple from an array",
     "result = let (_, p) = [(1, (2, 3)), (4, (5, 6))][1]; (_, c) = p in c", "6", 0, 0},
    {"arrays of arrays of tuples",
     "result = let t = [[(i, j) | j <- 0 .. 1] | i <- 0 .. 1]; (a, b) = t[1][0] in (t, "
     "a, b)",
     "([[(0, 0), (0, 1)], [(1, 0), (1, 1)]], 1, 0)", 0, 6},
    {"a tuple of arrays", "result = ([1], (2, [[3.5]]))", "([1], (2, [[3.5]]))", 0, 0},
    {"lengths",
     "result = (length([1, 2, 3]), length([[1], [2]]), length([(1, 2) | i <- 1 .. 4]))",
     "(3, 2, 4)", 0, 4},

    /* A condition: a loop over all, one more to find the places, and one over what is chosen. */
    {"a condition", "result = [i * i | i <- 1 .. 5, i % 2 == 1]", "[1, 9, 25]", 0, 13},
    {"a condition that nothing meets", "result = [i | i <- 1 .. 5, i > 5]", "[]", 0, 10},
    {"conditions: a later one is asked where an earlier one holds",
     "result = [i | i <- 0 .. 4, i /= 0, 4 / i == 2]", "[2]", 0, 11},
    {"a condition on elements and indices",
     "result = [(i, x) | x <- [5, 6, 7, 8] at i, x % 2 == 0, i > 1]", "[(3, 8)]", 0, 9},
    {"what is defined among qualifiers is computed once",
     "result = [(y, z) | x <- [1, 2, 3], (y, z) = f(x), y > 1]\nf(x) = (x, x * x)\n",
     "[(2, 4), (3, 9)]", 3, 8},
    {"a definition behind the last condition is only for what is chosen",
     "result = [y | i <- 0 .. 3, i > 1, y = f(i)]\nf(i) = 6 / i\n", "[3, 2]", 2, 10},
    {"a definition between conditions",
     "result = [y | i <- 0 .. 3, i > 0, y = 6 / i, y < 4]", "[3, 2]", 7, 12},
    /* Two loops over the parts, and two over all elements; a sum of their lengths. */
    {"two ranges", "result = [(i, j) | i <- 1 .. 2, j <- 7 .. 8]",
     "[(1, 7), (1, 8), (2, 7), (2, 8)]", 3, 16},
    {"a range that depends on another",
     "result = [10 * i + j | i <- 0 .. 2, j <- 1 .. i]", "[11, 21, 22]", 5, 15},
    {"an array that depends on an element",
     "result = [x + y | x <- [1, 2], y <- [x, 10], y > 1]", "[11, 4, 12]", 3, 21},
    {"no parts", "result = [j | i <- 1 .. 0, j <- 1 .. 3]", "[]", 0, 0},
    {"parts without elements", "result = [j | i <- 1 .. 2, j <- 1 .. 0]", "[]", 3, 4},
    {"steps", "result = ([i | i <- 1 .. 10 by 3], [i | i <- 1 .. 9 by 3])",
     "([1, 4, 7, 10], [1, 4, 7])", 0, 7},
    {"steps down", "result = ([i | i <- 5 .. -3 by -4], [i | i <- 1 .. 2 by -1])",
     "([5, 1, -3], [])", 0, 3},
    {"a step that is computed",
     "result = (f(2), f(-2))\nf(s) = [i | i <- 0 .. 2 * s by s]\n",
     "([0, 2, 4], [0, -2, -4])", 2, 6},
    {"qualifiers of a scatter",
     "result = scatter(3, [i - 1 -> x | i <- 0 .. 3, i > 0, x = 7 * i])", "[7, 14, 21]",
     0, 14},
    {"a comparison with what is negative", "result = [x | x <- [-3, 1], x < -1]", "[-3]",
     0, 5},
    {"joined arrays", "result = append([1], append([], [2, 3]))", "[1, 2, 3]", 0, 5},
    {"joined arrays of tuples", "result = append([(1, true)], [(2, false)])",
     "[(1, true), (2, false)]", 0, 2},
    {"a part of an array", "result = subarray([1, 2, 3, 4], 1, 2)", "[2, 3]", 0, 2},
    {"no part of an array", "result = subarray([1, 2], 2, 0)", "[]", 0, 0},
    {"names that hide `append` and `subarray`",
     "result = append(1) + subarray\nappend(x) = x + 1\nsubarray = 5", "7", 1, 0},

    {"two indices at once",
     "result = (a[1, 0], a[0, 1], a[1, 1] + a[1][1], [[[7]]][0, 0, 0])\n"
     "a = [[1, 2], [3, 4]]",
     "(3, 2, 8, 7)", 0, 0},
    {"a loop as the first of two indices",
     "result = [[1, 2]][loop k = 3 while k > 0 do k - 1, 1]", "2", 0, 3},

    {"scattered elements", "result = scatter(4, [3 - i -> i * i | i <- 0 .. 3])",
     "[9, 4, 1, 0]", 0, 4},
    {"scattered elements of an array, in a function",
     "result = f([2, 0, 1])\nf(a) = scatter(length(a), [k -> 10 * i | k <- a at i])",
     "[10, 20, 0]", 1, 3},
    {"scattered tuples", "result = scatter(2, [1 - i -> (i, real(i)) | i <- 0 .. 1])",
     "[(1, 1.0), (0, 0.0)]", 0, 2},
    {"no element is scattered, and none is there",
     "result = scatter(0, [i -> i | i <- 1 .. 0])", "[]", 0, 0},
    {"elements that nobody reads are never written",
     "result = scatter(1000000, [7 * i -> i | i <- 0 .. 9])[63]", "9", 0, 10},
    {"scattered arrays of scattered arrays",
     "result = scatter(2, [1 - i -> scatter(i + 1, [i - j -> (i * 10) + j | j <- 0 .. "
     "i]) | i <- 0 .. 1])",
     "[[11, 10], [0]]", 0, 5},

    {"contributions", "result = accumulate(+, 4, 0, [i % 3 -> i | i <- 0 .. 6])",
     "[9, 5, 7, 0]", 0, 11},
    {"contributions to an array",
     "result = f([0.5, -1.0])\nf(a) = accumulate(max, a, [i "
     "-> x * 2.0 | x <- a at i])",
     "[1.0, -1.0]", 1, 4},
    {"contributions of bools and bits",
     "result = (accumulate(and, 2, true, [i % 2 -> i < 3 | i <- 0 .. 3]),\n"
     "  accumulate(or, 2, false, [i % 2 -> i == 3 | i <- 0 .. 3]),\n"
     "  accumulate(bit_and, 1, 7, [0 -> i | i <- [3, 6]]),\n"
     "  accumulate(bit_or, 1, 0, [0 -> i | i <- [3, 6]]),\n"
     "  accumulate(bit_xor, 1, 1, [0 -> i | i <- [3, 6]]))",
     "([true, false], [false, true], [2], [7], [4])", 0, 21},
    {"no contributions, and no elements",
     "result = (accumulate(+, 2, -0.0, [i -> 1.0 | i <- 1 .. 0]), accumulate(+, 0, 1, [i "
     "-> i | i <- 1 .. 0]))",
     "([-0.0, -0.0], [])", 0, 2},
    {"contributions are added exactly",
     "result = accumulate(+, 1, 0.0, [0 -> x | x <- [1e16, 1.0, -1e16, 1e-30]])", "[1.0]",
     0, 5},
    {"accumulating arrays in contributions, under conditions, in a loop",
     "result = loop k = 0, a = [1, 2] while k < 3 do k + 1, if k % 2 == 0 then "
     "accumulate(+, a, [i -> accumulate(+, 1, 0, [0 -> x | x <- a])[0] | i <- 0 .. 1]) "
     "else a return a",
     "[13, 14]", 0, 23},

    {"earlier elements",
     "result = fibs[10]\nfibs = [if i < 2 then i else fibs[i - 1] + fibs[i - 2] | i <- 0 "
     ".. 10]",
     "55", 0, 11},
    {"later elements",
     "result = let a = [if i == 5 then 1 else 2 * a[i + 1] | i <- 0 .. 5] in a",
     "[32, 16, 8, 4, 2, 1]", 0, 6},
    {"elements in an order of their own",
     "result = let a = [if i == 3 then 0 else a[i * 3 % 7 - 1] + 1 | i <- 1 .. 6]\n"
     "         in a[0] + a[1]",
     "6", 0, 6},
    {"the result reads itself",
     "result = [if i == 0 then 1 else 3 * result[i - 1] | i <- 0 .. 4]",
     "[1, 3, 9, 27, 81]", 0, 5},
    {"the result reads itself through a function",
     "result = [f(i) | i <- 0 .. 4]\nf(i) = if i < 1 then 1 else result[i - 1] + i",
     "[1, 2, 4, 7, 11]", 5, 5},
    {"two arrays read each other",
     "result = (even, odd)\n"
     "even = [if i == 0 then true else odd[i - 1] | i <- 0 .. 3]\n"
     "odd = [if i == 0 then false else even[i - 1] | i <- 0 .. 3]",
     "([true, false, true, false], [false, true, false, true])", 0, 8},
    {"a function and an array need each other",
     "result = a[6]\na = [f(i) | i <- 0 .. 6]\nf(n) = if n < 2 then n else a[n - 1] + "
     "a[n - 2]",
     "8", 7, 7},
    {"an array in a function reads itself",
     "f(n) = let a = [if i == 0 then n else a[i - 1] * n | i <- 0 .. 2] in a[2]\n"
     "result = (f(2), f(3))",
     "(8, 27)", 2, 6},
    {"a table whose elements read three neighbours",
     "result = t[3][3]\n"
     "t = [let r = [if i == 0 or j == 0 then 1 else r[j - 1] + t[i - 1][j] + t[i - 1][j "
     "- 1]\n"
     "              | j <- 0 .. 3] in r | i <- 0 .. 3]",
     "63", 0, 20},
    {"a part reads another part of the same element",
     "result = let p = [(let (_, b) = p[i] in b + 1, 10 * i) | i <- 0 .. 2] in p",
     "[(1, 0), (11, 10), (21, 20)]", 0, 3},
    {"a variable of a loop waits for another one's last value",
     "k = 1 + 2\n"
     "result = let p = [loop x = (let (_, n) = p[i] in n), j = i while j < k do x, j + "
     "1\n"
     "                  | i <- 0 .. 1] in p",
     "[(3, 3), (3, 3)]", 0, 7},
    {"a loop in which only a token of its own goes round",
     "k = 1 + 2\nresult = loop x = 0, i = 5 while k > 3 do i, x", "(0, 5)", 0, 0},

    {"arrays as parameters and results",
     "reversed(a) = [a[length(a) - 1 - i] | i <- 0 .. length(a) - 1]\n"
     "result = reversed([1, 2, 3])",
     "[3, 2, 1]", 1, 3},
    {"an array that goes round in a loop",
     "result = loop i = 0, a = [1, 1] while i < 3 do i + 1, [a[1], a[0] + a[1]] return a",
     "[3, 5]", 0, 3},
    {"a comprehension in a loop in a comprehension",
     "result = [loop k = 0, s = 0 while k < i do k + 1, s + [j * j | j <- 0 .. k][k] "
     "return s\n"
     "          | i <- 0 .. 3]",
     "[0, 0, 1, 5]", 0, 4 + 6 + 10},
    {"an array from either branch",
     "f(b) = if b then [1, 2] else [i | i <- 7 .. 9]\nresult = (f(true), f(false))",
     "([1, 2], [7, 8, 9])", 2, 3},
    {"an array in a branch not taken", "result = if true then 1 else [1 / 0][0]", "1", 0,
     0},
    {"an array of arrays in steps",
     "result = let a = [[i, i + 1] | i <- 0 .. 2] in a[a[1][1]][0]", "2", 0, 3},
    {"the elements of an alias", "result = b[1]\nb = a\na = [i | i <- 4 .. 6]", "5", 0,
     3},
    {"parts of a constant", "(a, b) = ([1, 2], [[true]])\nresult = (b, a)",
     "([[true]], [1, 2])", 0, 0},
    {"an input as an end", "input n = 3\nresult = [n - i | i <- n .. 2 * n]",
     "[0, -1, -2, -3]", 0, 4},
    {"names that hide",
     "i = 5\nresult = [let a = [i | i <- 0 .. i] in length(a) | i <- i .. i + 1]",
     "[6, 7]", 0, 15},

    {"a sum of nothing",
     "result = (sum([i | i <- 1 .. 0]), sum([real(i) | i <- 1 .. 0]))", "(0, 0.0)", 0, 0},
    {"a sum of one", "result = (sum([-0.0]), sum([7]))", "(-0.0, 7)", 2, 0},
    {"sums", "result = (sum([i | i <- 1 .. 10]), sum([0.5, 0.25, 1]))", "(55, 1.75)",
     19 + 5, 10},
    {"a sum is a tree: 1e16 + 1 is 1e16, 1 + 1 is not 1",
     "result = (sum([1e16, 1, 1, 1]), 1e16 + 1 + 1 + 1)",
     "(1.0000000000000002e+16, 1e+16)", 7, 0},
    {"a tree need not overflow where a row would",
     "result = sum([9223372036854775807, 0, 1, -1])", "9223372036854775807", 7, 0},
    {"sums of sums", "result = sum([sum([i * j | j <- 0 .. 2]) | i <- 0 .. 2])", "9",
     4 * 5, 12},
};

START_TEST(cases_are_right)
{
    test_run_case(&cases[_i], PROGRAMS_CONSTANTS_STICKY);
    test_run_case(&cases[_i], PROGRAMS_CONSTANTS_COPIES);
}
END_TEST

/* --- what stops a run --------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum isa_end end;
    enum isa_trap trap;
} failures[] = {
    {"result = [1, 2][2]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = [1, 2][-1]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = [i | i <- 5 .. 7][5]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = [(1, 2) | i <- 1 .. 0][0]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = [1 / 0, 5][1]", ISA_END_TRAPPED, ISA_TRAP_DIVISION},
    {"result = let a = [1 / i | i <- 0 .. 3] in a[3]", ISA_END_TRAPPED,
     ISA_TRAP_DIVISION},
    {"result = length([0 | _ <- -9223372036854775808 .. 0])", ISA_END_TRAPPED,
     ISA_TRAP_OVERFLOW},
    {"result = sum([9223372036854775807, 1, -1, 0])", ISA_END_TRAPPED, ISA_TRAP_OVERFLOW},
    {"result = let a = [a[i] + 0 | i <- 0 .. 1] in 5 + length(a)", ISA_END_DEADLOCKED,
     ISA_TRAP_NONE},
    {"result = [if i == 1 then result[1] else i | i <- 0 .. 2]", ISA_END_DEADLOCKED,
     ISA_TRAP_NONE},
    {"result = sum(a)\na = [if i == 0 then b[0] else i | i <- 0 .. 2]\n"
     "b = [a[0] + 1 | i <- 0 .. 0]",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = a[1]\na = [f(i) | i <- 0 .. 3]\nf(i) = if i == 3 then a[f(2)] else i",
     ISA_END_COMPLETED, ISA_TRAP_NONE},
    {"result = a[1]\na = [f(i) | i <- 0 .. 3]\nf(i) = if i == 3 then a[f(2) + 1] else i",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = let a = [if a[i] then true else false | i <- 0 .. 0] in 1 + length(a)",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = let a = [loop k = 0 while k < a[0] do k + 1 | i <- 0 .. 0] in length(a)",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = let p = [(1, let (_, b) = p[i] in b + 0) | i <- 0 .. 0]; (a, _) = p[0] in "
     "a",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = [[1, 2], [3]][1, 1]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = [[1, 2], [3]][2, 0]", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = scatter(3, [i / 2 -> i | i <- 0 .. 2])", ISA_END_TRAPPED,
     ISA_TRAP_SECOND_STORE},
    {"result = length(scatter(3, [0 -> i | i <- 0 .. 2]))", ISA_END_TRAPPED,
     ISA_TRAP_SECOND_STORE},
    {"result = scatter(3, [i -> i | i <- 0 .. 3])", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = scatter(3, [i - 1 -> i | i <- 0 .. 2])", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"input n = -1\nresult = scatter(n, [i -> i | i <- 1 .. 0])", ISA_END_TRAPPED,
     ISA_TRAP_LENGTH},
    {"result = scatter(3, [i -> i | i <- 0 .. 1])", ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = scatter(3, [i -> i | i <- 0 .. 1])[2]", ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = subarray([1, 2, 3], 2, 2)", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = subarray([1, 2, 3], -1, 2)", ISA_END_TRAPPED, ISA_TRAP_INDEX},
    {"result = subarray([1, 2, 3], 2, -1)", ISA_END_TRAPPED, ISA_TRAP_LENGTH},
    {"input s = 0\nresult = [i | i <- 0 .. 2 by s]", ISA_END_TRAPPED, ISA_TRAP_DIVISION},
    {"result = [x | x <- [1, 2], 1 / (x - 1) > 0]", ISA_END_TRAPPED, ISA_TRAP_DIVISION},
    /* Conditions that are never decided, and a length that never comes. */
    {"result = [i | i <- 0 .. 1, b[i] > 0]\nb = scatter(2, [i -> 1 | i <- 0 .. 0])",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = [j | i <- 0 .. 1, j <- 0 .. b[i]]\n"
     "b = scatter(2, [i -> 1 | i <- 0 .. 0])",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    {"result = accumulate(+, 2, 9223372036854775807, [i -> 1 | i <- 0 .. 0])",
     ISA_END_TRAPPED, ISA_TRAP_TOTAL},
    {"result = accumulate(+, 1, 9223372036854775807, [0 -> x | x <- [1, -1]])",
     ISA_END_COMPLETED, ISA_TRAP_NONE},
    {"result = accumulate(+, 3, 0, [i -> i | i <- 0 .. 3])", ISA_END_TRAPPED,
     ISA_TRAP_INDEX},
    {"result = length(accumulate(+, 3, 0, [i - 1 -> i | i <- 0 .. 2]))", ISA_END_TRAPPED,
     ISA_TRAP_INDEX},
    {"input n = -1\nresult = accumulate(+, n, 0, [i -> i | i <- 1 .. 0])",
     ISA_END_TRAPPED, ISA_TRAP_LENGTH},
    {"result = let b = [accumulate(+, 2, 0, [k -> b[k] | k <- 0 .. 1])[i] | i <- 0 .. 1] "
     "in b",
     ISA_END_DEADLOCKED, ISA_TRAP_NONE},
    /* The reference is there before the contributions are. */
    {"result = let b = [length(accumulate(+, 2, 0, [k -> b[k] | k <- 0 .. 1])) | i <- 0 "
     ".. 1] in b",
     ISA_END_COMPLETED, ISA_TRAP_NONE},
    /* What fails ends a run, also where it waits elsewhere. */
    {"result = [if i == 0 then result[0] else 1 / 0 | i <- 0 .. 1]", ISA_END_TRAPPED,
     ISA_TRAP_DIVISION},
};

static void check_failure(int i, uint64_t strand)
{
    struct isa_graph *graph = test_compile_strands(failures[i].text, ISA_STAGE_IMAGE,
                                                   false, strand);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct test_outcome o = test_interp(graph, NULL, propagate);
        ck_assert_msg(o.end == failures[i].end, "%s", failures[i].text);
        ck_assert(o.end != ISA_END_TRAPPED || o.trap == failures[i].trap);
        struct machine_settings settings;
        machine_settings_default(&settings);
        settings.deadness = propagate;
        struct test_outcome run = test_run(graph, NULL, &settings, 1);
        ck_assert_msg(run.end == failures[i].end, "%s", failures[i].text);
        ck_assert(run.end != ISA_END_TRAPPED || run.trap == failures[i].trap);
        traces_stats_free(&run.stats);
    }
    isa_graph_free(graph);
}

START_TEST(failures_are_found)
{
    check_failure(_i, 0);
    check_failure(_i, 1);
}
END_TEST

/* --- bounds ------------------------------------------------------------------------------- */

/* No bound holds back the elements of an array, which may need later ones; the loops in them
 * are bounded as ever. */
START_TEST(comprehensions_have_no_bound)
{
    struct isa_graph *graph = test_compile(
        "result = let a = [if i == 20 then 0 else a[i + 1] + 1 | i <- 0 .. 20] in a[0]",
        ISA_STAGE_IMAGE);
    struct machine_settings settings;
    test_settings_ideal(&settings);
    struct test_outcome unbounded = test_run(graph, NULL, &settings, 1);
    test_set(&settings, "loop.bound", "1");
    struct test_outcome bounded = test_run(graph, NULL, &settings, 1);
    ck_assert_str_eq(bounded.result, "20");
    ck_assert_uint_eq(bounded.stats.cycles, unbounded.stats.cycles);
    traces_stats_free(&unbounded.stats);
    traces_stats_free(&bounded.stats);
    isa_graph_free(graph);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tests = tcase_create("array");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, cases_are_right, 0, ROWS(cases));
    tcase_add_loop_test(tests, failures_are_found, 0, ROWS(failures));
    tcase_add_test(tests, comprehensions_have_no_bound);
    return test_main("array", tests);
}
