/* Prints a word of every kernel and initialiser, computed of fixed operands: the same lines,
 * whatever the compiler, its options and the processor (tests/shell/tensor_bits.sh). With an
 * argument, a core of OpenBLAS, it prints words of products by that core instead, behind its name
 * and version.
 *
 * It needs isa/tensor/ and lib/ alone, so that it is quickly compiled in many ways. */
#include "isa/tensor/blas.h"
#include "isa/tensor/element.h"
#include "isa/tensor/initialise.h"
#include "tests/tensor/kernels.h"
#include "lib/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct isa_tensor_memory memory;

static struct isa_tensor *make_tensor(struct isa_shape shape)
{
    struct isa_tensor *tensor = isa_tensor_new(&memory, &shape);
    if (!tensor)
        exit(1);
    return tensor;
}

/* Of all sizes, and now and then something special. */
static struct isa_tensor *drawn(struct isa_shape shape, uint64_t stream, bool is_special)
{
    static const double special[] = {
        0.0,     -0.0,   1.0,    -1.0,       __builtin_inf(),
        5e-324,  1e-310, 1e-300, 1e300,      -__builtin_inf(),
        709.781, -745.1, 1e22,   2147483648, 0x1.5d58a0cc3b2cap+9};
    enum { SPECIAL = sizeof special / sizeof *special };
    struct isa_tensor *tensor = make_tensor(shape);
    const double sigma = 3;
    isa_tensor_initialise(tensor, ISA_INITIALISER_NORMAL, &sigma, 7, stream);
    for (uint64_t i = 0; is_special && i < tensor->count; i++)
        if (lib_hash_mix(stream * 1000 + i) % 5 == 0)
            isa_tensor_set(tensor, i, special[lib_hash_mix(i) % SPECIAL]);
    isa_tensor_seal(tensor, true);
    return tensor;
}

/* Folds the word of a result into `word`. */
static void apply(const struct isa_blas *blas, enum isa_kernel kernel,
                  const struct isa_tensor *a, const struct isa_tensor *b,
                  struct isa_numbers numbers, uint64_t *word)
{
    const struct isa_tensor *const operands[] = {a, b};
    struct lib_text why = {0};
    struct isa_tensor *result = test_kernel_apply(&memory, blas, kernel, operands,
                                                  numbers, true, NULL, &why);
    if (!result) {
        fprintf(stderr, "%s\n", lib_text_get(&why));
        exit(1);
    }
    *word = lib_hash_mix(*word + result->word);
    isa_tensor_free(&memory, result);
    lib_text_free(&why);
}

/* Numbers that fit operands of real[6, 5, 7]. */
static struct isa_numbers numbers_of(enum isa_kernel kernel)
{
    static const int64_t axis[] = {1}, slice[] = {2, 1, 4}, rows[] = {5, 0, 5, 2};
    static const int64_t top[] = {2, 3}, split[] = {0, 1, 2}, part[] = {1, 2, 1, 0, 4},
                         pad[] = {1, 2, 3};
    static const int64_t scatter[] = {4, 3, 0, 3, 1, 2, 0};
    static const int64_t order[] = {2, 0, 1}, extents[] = {-1, 14},
                         labels[30] = {6, 0, 3, 1};
    static const int64_t column[] = {5, 1}, more[] = {2, 6, 5, 7},
                         longer[] = {6, 5, 7, 2};
    switch (kernel) {
    case ISA_KERNEL_CONCAT:
    case ISA_KERNEL_REDUCE_SUM:
    case ISA_KERNEL_REDUCE_MAX:
    case ISA_KERNEL_REDUCE_MIN:
    case ISA_KERNEL_FIRST_MAX:
    case ISA_KERNEL_ARGMAX:
    case ISA_KERNEL_REDUCE_MEAN:
    case ISA_KERNEL_CUMSUM:
    case ISA_KERNEL_CUMSUM_BACK:
    case ISA_KERNEL_STACK:
        return (struct isa_numbers){axis, 1};
    case ISA_KERNEL_SLICE:
        return (struct isa_numbers){slice, 3};
    case ISA_KERNEL_TOP_VALUES:
    case ISA_KERNEL_TOP_INDICES:
        return (struct isa_numbers){top, 2};
    case ISA_KERNEL_SPLIT:
        return (struct isa_numbers){split, 3};
    case ISA_KERNEL_PART:
        return (struct isa_numbers){part, 5};
    case ISA_KERNEL_PAD:
    case ISA_KERNEL_PAD_WITH:
        return (struct isa_numbers){pad, 3};
    case ISA_KERNEL_IOTA:
    case ISA_KERNEL_ONE_HOTS:
        return (struct isa_numbers){rows, 1};
    case ISA_KERNEL_GATHER:
        return (struct isa_numbers){rows, 4};
    case ISA_KERNEL_SCATTER:
        return (struct isa_numbers){scatter, 7};
    case ISA_KERNEL_TRANSPOSE:
    case ISA_KERNEL_UNTRANSPOSE:
        return (struct isa_numbers){order, 3};
    case ISA_KERNEL_RESHAPE:
        return (struct isa_numbers){extents, 2};
    case ISA_KERNEL_SUM_TO:
        return (struct isa_numbers){column, 2};
    case ISA_KERNEL_SPREAD_TO:
        return (struct isa_numbers){more, 4};
    case ISA_KERNEL_SPREAD_LAST_TO:
        return (struct isa_numbers){longer, 4};
    case ISA_KERNEL_CROSS_ENTROPY_AT:
    case ISA_KERNEL_ONE_HOT:
        return (struct isa_numbers){labels, 30};
    default:
        return (struct isa_numbers){0};
    }
}

/* Kernels whose second operand has the shape of the first. */
static bool takes_equals(enum isa_kernel kernel)
{
    return kernel == ISA_KERNEL_CONCAT || kernel == ISA_KERNEL_CROSS_ENTROPY ||
           kernel == ISA_KERNEL_RESHAPE_LIKE || kernel == ISA_KERNEL_STACK ||
           kernel == ISA_KERNEL_MATMUL_LEFT || kernel == ISA_KERNEL_MATMUL_RIGHT;
}

static struct isa_tensor *drawn_of(struct isa_shape shape, enum isa_element_kind element,
                                   uint64_t stream);

/* Kernels of three tensors, and those of rows at indices. */
static bool is_of_rows(enum isa_kernel kernel)
{
    return isa_kernels[kernel].arity == 3 ||
           (isa_kernels[kernel].arity == 2 &&
            isa_kernel_elements(kernel)->second == ISA_OF_INTS);
}

static void print_rows(enum isa_kernel kernel, enum isa_element_kind element)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 3, {6, 5, 7}},
                           rows = {ISA_ELEMENT_REAL, 3, {4, 5, 7}},
                           four = {ISA_ELEMENT_INT, 1, {4}};
    const bool chooses = kernel == ISA_KERNEL_SELECT;
    uint64_t word = 0;
    for (unsigned round = 0; round < 20; round++) {
        struct isa_tensor *a = drawn_of(shape, chooses ? ISA_ELEMENT_BOOL : element,
                                        10 * round);
        struct isa_tensor *b = chooses ? drawn_of(shape, element, 10 * round + 1)
                                       : make_tensor(four);
        struct isa_tensor *c = drawn_of(chooses ? shape : rows, element, 10 * round + 2);
        for (uint64_t i = 0; !chooses && i < 4; i++)
            b->ints[i] = (int64_t)(5 * i + 3 * round) % 6 *
                         (int64_t)(i != 2 || round % 3);
        isa_tensor_seal(b, true);
        const struct isa_tensor *const operands[] = {a, b, c};
        struct lib_text why = {0};
        struct isa_tensor *made = test_kernel_apply(
            &memory, NULL, kernel, operands, (struct isa_numbers){0}, true, NULL, &why);
        word = lib_hash_mix(word + made->word);
        isa_tensor_free(&memory, made);
        isa_tensor_free(&memory, a);
        isa_tensor_free(&memory, b);
        isa_tensor_free(&memory, c);
    }
    printf("%s %s %016" PRIx64 "\n", isa_kernels[kernel].text, isa_element_name(element),
           word);
}

static void print_kernel(enum isa_kernel kernel, uint8_t element)
{
    if (is_of_rows(kernel)) {
        print_rows(kernel, (enum isa_element_kind)element);
        return;
    }
    const struct isa_shape shape = {element, 3, {6, 5, 7}}, column = {element, 2, {5, 1}};
    const struct isa_shape longer = {element, 4, {6, 5, 7, 3}};
    const struct isa_shape square = {element, 3, {6, 7, 4}}, row = {element, 1, {7}};
    uint64_t word = 0;
    for (unsigned round = 0; round < 20; round++) {
        const bool is_special = round % 2 &&
                                kernel != ISA_KERNEL_TO_INT; /* else it is refused */
        struct isa_tensor *a = drawn(shape, 10 * round, is_special), *b = NULL;
        if (kernel == ISA_KERNEL_MATMUL)
            b = drawn(round % 4 < 2 ? square : row, 10 * round + 1, round % 2);
        else if (kernel == ISA_KERNEL_PAD_WITH)
            b = drawn((struct isa_shape){element, 0, {0}}, 10 * round + 1, round % 2);
        else if (kernel == ISA_KERNEL_SPREAD_LAST)
            b = drawn(longer, 10 * round + 1, round % 2);
        else if (isa_kernels[kernel].arity == 2)
            b = drawn(takes_equals(kernel) || round % 4 < 2 ? shape : column,
                      10 * round + 1, round % 2);
        apply(NULL, kernel, a, b, numbers_of(kernel), &word);
        isa_tensor_free(&memory, a);
        isa_tensor_free(&memory, b);
    }
    printf("%s %s %016" PRIx64 "\n", isa_kernels[kernel].text, isa_element_name(element),
           word);
}

/* Of ints: those that are drawn, as whole numbers, of which some are equal. */
static struct isa_tensor *drawn_ints(struct isa_shape shape, uint64_t stream)
{
    struct isa_tensor *reals = drawn(shape, stream, false);
    shape.element = ISA_ELEMENT_INT;
    struct isa_tensor *ints = make_tensor(shape);
    for (uint64_t i = 0; i < ints->count; i++) {
        ints->ints[i] = (int64_t)(10 * isa_tensor_get(reals, i));
        ints->ints[i] += ints->ints[i] == 0; /* divisors are none */
    }
    isa_tensor_seal(ints, true);
    isa_tensor_free(&memory, reals);
    return ints;
}

/* Of any element; bools are true for about half of the ints. */
static struct isa_tensor *drawn_of(struct isa_shape shape, enum isa_element_kind element,
                                   uint64_t stream)
{
    shape.element = (uint8_t)element;
    if (isa_element_is_real(element))
        return drawn(shape, stream, stream % 20 == 0);
    struct isa_shape reals = shape;
    reals.element = ISA_ELEMENT_REAL;
    struct isa_tensor *ints = drawn_ints(reals, stream);
    if (element == ISA_ELEMENT_INT)
        return ints;
    struct isa_tensor *bools = make_tensor(shape);
    for (uint64_t i = 0; i < bools->count; i++)
        bools->bools[i] = ints->ints[i] > 3;
    isa_tensor_seal(bools, true);
    isa_tensor_free(&memory, ints);
    return bools;
}

/* The same kernels of ints, or of bools. */
static void print_kernel_of(enum isa_kernel kernel, enum isa_element_kind element)
{
    if (is_of_rows(kernel)) {
        print_rows(kernel, element);
        return;
    }
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 3, {6, 5, 7}},
                           column = {ISA_ELEMENT_REAL, 2, {5, 1}},
                           square = {ISA_ELEMENT_REAL, 3, {6, 7, 4}},
                           one = {ISA_ELEMENT_REAL, 0, {0}};
    uint64_t word = 0;
    for (unsigned round = 0; round < 20; round++) {
        const struct isa_shape second = kernel == ISA_KERNEL_MATMUL             ? square
                                        : kernel == ISA_KERNEL_PAD_WITH         ? one
                                        : takes_equals(kernel) || round % 4 < 2 ? shape
                                                                                : column;
        struct isa_tensor *operands[2] = {drawn_ints(shape, 10 * round),
                                          drawn_ints(second, 10 * round + 1)};
        for (int i = 0; i < 2; i++) {
            const struct isa_element_rule *rule = isa_kernel_elements(kernel);
            const bool is_condition = i == 0 && !rule->alike &&
                                      rule->first == ISA_OF_TRUTHS;
            struct isa_tensor *bools = make_tensor((struct isa_shape){
                ISA_ELEMENT_BOOL,
                operands[i]->shape.rank,
                {operands[i]->shape.extents[0], operands[i]->shape.extents[1],
                 operands[i]->shape.extents[2]}});
            for (uint64_t k = 0; k < bools->count; k++)
                bools->bools[k] = operands[i]->ints[k] > 3;
            isa_tensor_seal(bools, true);
            const bool wants = element == ISA_ELEMENT_BOOL || is_condition;
            isa_tensor_free(&memory, wants ? operands[i] : bools);
            operands[i] = wants ? bools : operands[i];
        }
        for (uint64_t i = 0; kernel == ISA_KERNEL_ONE_HOTS && i < operands[0]->count; i++)
            operands[0]->ints[i] = labs(operands[0]->ints[i] % 5);
        for (uint64_t i = 0; kernel == ISA_KERNEL_POW && i < operands[1]->count; i++)
            operands[1]->ints[i] = labs(operands[1]->ints[i] % 5);
        apply(NULL, kernel, operands[0], operands[1], numbers_of(kernel), &word);
        isa_tensor_free(&memory, operands[0]);
        isa_tensor_free(&memory, operands[1]);
    }
    printf("%s %s %016" PRIx64 "\n", isa_kernels[kernel].text, isa_element_name(element),
           word);
}

static bool is_random(enum isa_kernel kernel)
{
    return kernel >= ISA_KERNEL_RANDOM_BITS && kernel <= ISA_KERNEL_DROPOUT;
}

/* Whether a kernel takes operands of an element. */
static bool takes(enum isa_kernel kernel, enum isa_element_kind element)
{
    const struct isa_element_rule *rule = isa_kernel_elements(kernel);
    if (is_of_rows(kernel) && kernel != ISA_KERNEL_SELECT)
        return rule->first & 1u << element;
    return isa_kernels[kernel].arity >= 2 ? rule->second & 1u << element
                                          : rule->first & 1u << element;
}

static void print_initialiser(enum isa_initialiser initialiser, uint8_t element)
{
    const double arguments[] = {0.5, 2.25};
    struct isa_tensor *tensor = make_tensor((struct isa_shape){element, 2, {31, 17}});
    uint64_t word = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        isa_tensor_initialise(tensor, initialiser, arguments, seed, 3);
        isa_tensor_seal(tensor, true);
        word = lib_hash_mix(word + tensor->word);
    }
    isa_tensor_free(&memory, tensor);
    printf("%s %s %016" PRIx64 "\n", isa_initialisers[initialiser].text,
           isa_element_name(element), word);
}

/* Random numbers, of ints; masks of dropout, of reals and of real32s. */
static void print_random(void)
{
    static const int64_t extents[] = {6, 5, 7};
    for (enum isa_kernel kernel = ISA_KERNEL_RANDOM_BITS; kernel <= ISA_KERNEL_DROPOUT;
         kernel++) {
        uint64_t word = 0;
        for (unsigned round = 0; round < 20; round++) {
            const bool is_drop = kernel == ISA_KERNEL_DROPOUT;
            const uint8_t element = round % 2 ? ISA_ELEMENT_REAL : ISA_ELEMENT_REAL32;
            struct isa_tensor *key = make_tensor(
                (struct isa_shape){ISA_ELEMENT_INT, 0, {0}});
            struct isa_tensor *counter = make_tensor(
                (struct isa_shape){ISA_ELEMENT_INT, 1, {2}});
            struct isa_tensor *rate = make_tensor((struct isa_shape){element, 0, {0}});
            struct isa_tensor *x = drawn((struct isa_shape){element, 3, {6, 5, 7}}, round,
                                         true);
            key->ints[0] = (int64_t)lib_hash_mix(round);
            counter->ints[0] = round;
            counter->ints[1] = -(int64_t)round;
            isa_tensor_set(rate, 0, 0.04 * round);
            isa_tensor_seal(key, true);
            isa_tensor_seal(counter, true);
            isa_tensor_seal(rate, true);
            const bool is_bits = kernel == ISA_KERNEL_RANDOM_BITS;
            const struct isa_tensor *const operands[] = {is_drop   ? x
                                                         : is_bits ? counter
                                                                   : key,
                                                         is_drop ? rate : key, key};
            struct lib_text why = {0};
            struct isa_tensor *made = test_kernel_apply(
                &memory, NULL, kernel, operands,
                (struct isa_numbers){extents, is_drop || is_bits ? 0 : 3}, true, NULL,
                &why);
            word = lib_hash_mix(word + made->word);
            struct isa_tensor *all[] = {key, counter, rate, x, made};
            for (unsigned i = 0; i < 5; i++)
                isa_tensor_free(&memory, all[i]);
        }
        printf("%s %016" PRIx64 "\n", isa_kernels[kernel].text, word);
    }
}

/* Products of many sizes; the reference where there is no `blas`. */
static void print_products(const struct isa_blas *blas, uint8_t element)
{
    static const int64_t sizes[][3] = {{1, 1, 1},     {1, 9, 300},    {9, 1, 300},
                                       {4, 8, 16},    {5, 7, 3},      {33, 65, 17},
                                       {64, 64, 600}, {100, 1, 1000}, {1, 50, 513}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t m = sizes[i][0], n = sizes[i][1], k = sizes[i][2];
        struct isa_tensor *a = drawn((struct isa_shape){element, 2, {m, k}}, i, false);
        struct isa_tensor *b = drawn((struct isa_shape){element, 2, {k, n}}, i + 100,
                                     false);
        uint64_t word = 0;
        apply(blas, ISA_KERNEL_MATMUL, a, b, (struct isa_numbers){0}, &word);
        isa_tensor_free(&memory, a);
        isa_tensor_free(&memory, b);
        printf("matmul %s %lldx%lldx%lld %016" PRIx64 "\n", isa_element_name(element),
               (long long)m, (long long)k, (long long)n, word);
    }
}

int main(int argc, char **argv)
{
    const struct isa_blas *blas = NULL;
    if (argc > 1) {
        struct lib_text why = {0};
        enum isa_blas_outcome outcome;
        blas = isa_blas_load(argv[1], &outcome, &why);
        if (!blas) {
            fprintf(stderr, "%s\n", lib_text_get(&why));
            lib_text_free(&why);
            return 2 + (int)outcome;
        }
        printf("%s %s\n", isa_blas_core(blas), isa_blas_version(blas));
    }
    for (uint8_t element = ISA_ELEMENT_REAL; element <= ISA_ELEMENT_REAL32; element++) {
        for (enum isa_kernel kernel = 0; !blas && kernel < ISA_KERNEL_COUNT; kernel++)
            if (kernel != ISA_KERNEL_ONE_HOTS && !is_random(kernel))
                print_kernel(kernel, element);
        for (enum isa_initialiser i = 0; !blas && i < ISA_INITIALISER_COUNT; i++)
            print_initialiser(i, element);
        print_products(blas, element);
    }
    for (enum isa_element_kind element = ISA_ELEMENT_INT;
         !blas && element <= ISA_ELEMENT_BOOL; element++)
        for (enum isa_kernel kernel = 0; kernel < ISA_KERNEL_COUNT; kernel++)
            if (takes(kernel, element) && !is_random(kernel))
                print_kernel_of(kernel, element);
    if (!blas)
        print_random();
    isa_tensor_memory_free(&memory);
    return 0;
}
