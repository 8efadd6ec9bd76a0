/* How long a chain of products of matrices takes: a plain C loop over cblas_dgemm, against kernels
 * with the same OpenBLAS, without and with words, and against the reference.
 *
 *     chain [N [LENGTH [ROUNDS]]]      products of N x N: 512, 20 of them in a chain, 15 rounds
 *     chain N LENGTH plain             one such chain by the plain loop alone: timed from outside
 *
 * All take turns in a round, so that all meet the same machine. For each, a line: its name, the
 * median and the least of the milliseconds of a product, and the median of its ratio to the plain
 * loop in a round. Exit status 77: there is no OpenBLAS. */
#include "isa/tensor/blas.h"
#include "isa/tensor/initialise.h"
#include "tests/tensor/kernels.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void dgemm_function(int, int, int, int, int, int, double, const double *, int,
                            const double *, int, double, double *, int);

enum { PLAIN, WITHOUT_WORDS, WITH_WORDS, REFERENCE, WAYS, ROUNDS_MAX = 1000 };
static const char *const names[WAYS] = {"plain", "blas", "blas-words", "reference"};

static struct isa_tensor_memory memory;
static double times[WAYS][ROUNDS_MAX], ratios[WAYS][ROUNDS_MAX];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The last element, so that nothing is left out. */
static double plain(dgemm_function *dgemm, const struct isa_tensor *w, int n, int length)
{
    static double *buffers[2];
    for (int i = 0; i < 2; i++)
        if (!buffers[i])
            buffers[i] = aligned_alloc(64, w->bytes);
    memcpy(buffers[0], w->data, w->bytes);
    for (int i = 0; i < length; i++)
        dgemm(101, 111, 111, n, n, n, 1, buffers[i % 2], n, w->reals, n, 0,
              buffers[1 - i % 2], n);
    return buffers[length % 2][w->count - 1];
}

static double kernels(const struct isa_blas *blas, const struct isa_tensor *w, int length,
                      bool with_word)
{
    struct isa_tensor *x = NULL;
    double last = 0;
    for (int i = 0; i < length; i++) {
        const struct isa_tensor *const operands[] = {x ? x : w, w};
        struct isa_tensor *next = test_kernel_apply(
            &memory, blas, ISA_KERNEL_MATMUL, operands, (struct isa_numbers){0},
            with_word, NULL, &(struct lib_text){0});
        isa_tensor_free(&memory, x);
        x = next;
        last = x->reals[x->count - 1];
    }
    isa_tensor_free(&memory, x);
    return last;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 512, length = argc > 2 ? atoi(argv[2]) : 20;
    const int rounds = argc > 3 && atoi(argv[3]) < ROUNDS_MAX ? atoi(argv[3]) : 15;
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    const struct isa_blas *blas = isa_blas_load("haswell", &outcome, &why);
    /* The plain loop has a copy of its own, set as that of the kernels. */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_CORETYPE", "haswell", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "cblas_dgemm") : NULL;
    if (!blas || !symbol) {
        fprintf(stderr, "chain: %s\n", lib_text_get(&why));
        if (library)
            dlclose(library);
        return 77;
    }
    dgemm_function *dgemm;
    memcpy(&dgemm, &symbol, sizeof dgemm);
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 2, {n, n}};
    struct isa_tensor *w = isa_tensor_new(&memory, &shape);
    isa_tensor_initialise(w, ISA_INITIALISER_NORMAL, (double[]){1 / sqrt(n)}, 1, 1);
    isa_tensor_seal(w, true);
    if (argc > 3 && strcmp(argv[3], "plain") == 0) {
        printf("%a\n", plain(dgemm, w, n, length));
        isa_tensor_free(&memory, w);
        isa_tensor_memory_free(&memory);
        dlclose(library);
        return 0;
    }
    for (int round = -1; round < rounds; round++) {
        double last[WAYS];
        for (int way = 0; way < WAYS; way++) {
            /* Fewer of what takes long. */
            const int products = way == REFERENCE ? (length + 9) / 10 : length;
            const double begun = now();
            if (way == PLAIN)
                last[way] = plain(dgemm, w, n, products);
            else
                last[way] = kernels(way == REFERENCE ? NULL : blas, w, products,
                                    way == WITH_WORDS);
            if (round >= 0)
                times[way][round] = (now() - begun) / products;
        }
        if (last[PLAIN] != last[WITH_WORDS] || last[PLAIN] != last[WITHOUT_WORDS]) {
            fprintf(stderr, "chain: %a, %a and %a\n", last[0], last[1], last[2]);
            return 1;
        }
        for (int way = 0; way < WAYS && round >= 0; way++)
            ratios[way][round] = times[way][round] / times[PLAIN][round];
    }
    for (int way = 0; way < WAYS; way++) {
        const double middle = median(times[way], rounds);
        printf("%s %.3f %.3f %.3f\n", names[way], middle, times[way][0],
               median(ratios[way], rounds));
    }
    isa_tensor_free(&memory, w);
    isa_tensor_memory_free(&memory);
    return 0;
}
