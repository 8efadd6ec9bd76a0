/* Products of matrices by OpenBLAS, loaded at run time with one thread and a fixed core.
 *
 * A core is a set of OpenBLAS's kernels for a kind of processor, such as "haswell". Different cores
 * add in different orders. With a fixed core, all processors that can run it compute the same bits,
 * given the same version of OpenBLAS.
 *
 * For each core, hiaton loads a copy of OpenBLAS into a namespace of its own, as long as the
 * process has namespaces left, and never unloads it. An OpenBLAS that the host uses keeps its
 * threads and its core. The environment of the process is neither read nor changed. Any number of
 * threads may call these functions.
 */
#ifndef ISA_TENSOR_BLAS_H
#define ISA_TENSOR_BLAS_H

#include "lib/text.h"

#include <stdbool.h>
#include <stdint.h>

enum isa_blas_outcome {
    ISA_BLAS_LOADED,
    ISA_BLAS_ABSENT,   /* OpenBLAS is not installed; use the reference code */
    ISA_BLAS_LEFT_OUT, /* hiaton was built without OpenBLAS; use the reference code */
    ISA_BLAS_PROCESSOR, /* the processor cannot run the core; use the reference code and warn */
    ISA_BLAS_NO_CORE, /* unknown core name, or a core that this OpenBLAS does not have */
    ISA_BLAS_OTHER,   /* other cores are loaded, and the process has no namespace left */
};

/* A loaded copy of OpenBLAS; lives as long as the process. */
struct isa_blas;

/* Loads OpenBLAS with a core: "haswell", another name of isa_blas_cores, or "auto" for the fastest
 * one on this processor. Case does not matter. Returns NULL on failure, adds a message for the user
 * to `why` and sets *outcome. */
const struct isa_blas *isa_blas_load(const char *core, enum isa_blas_outcome *outcome,
                                     struct lib_text *why);

/* Whether isa_blas_load has ended with ISA_BLAS_OTHER in this process. Another process could load
 * that core. */
bool isa_blas_has_refused(void);

/* Returns the names of the cores that isa_blas_load knows: "auto|haswell|...". */
const char *isa_blas_cores(void);

/* Return the loaded core, such as "Haswell", and version, such as "0.3.21". */
const char *isa_blas_core(const struct isa_blas *blas);
const char *isa_blas_version(const struct isa_blas *blas);

/* Whether a product whose inner extent is 1 has the bits of 0 + a[m] * b[n], rounded twice, for all
 * extents of 2 and more. */
bool isa_blas_adds_to_zero(const struct isa_blas *blas);

/* Compute a product of row-major matrices: c[m, n] = a[m, k] * b[k, n], with m, n, k >= 1. */
void isa_blas_gemm(const struct isa_blas *blas, const double *a, const double *b,
                   double *c, int64_t m, int64_t n, int64_t k);
void isa_blas_gemm32(const struct isa_blas *blas, const float *a, const float *b,
                     float *c, int64_t m, int64_t n, int64_t k);

#endif
