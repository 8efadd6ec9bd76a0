/* BLAS: OpenBLAS, loaded when it is first asked for, with one thread and fixed kernels.
 *
 * OpenBLAS chooses its kernels when it is loaded, by the processor: other kernels add in another order. So
 * the core is fixed before, and what the environment says of OpenBLAS is not seen.
 * Then all processors that have what the core needs compute the same bits, with one version of the library.
 *
 * It is a copy of its own, apart from an OpenBLAS that the host may use, whose threads and core stay as they
 * are. The environment of the process is neither read nor changed. There is a copy for each core that is asked
 * for, as long as the process has room for namespaces; it is never unloaded. May be called by several threads. */
#ifndef ISA_TENSOR_BLAS_H
#define ISA_TENSOR_BLAS_H

#include "lib/text.h"

#include <stdbool.h>
#include <stdint.h>

enum isa_blas_outcome {
    ISA_BLAS_LOADED,
    ISA_BLAS_ABSENT,   /* it is not installed, */
    ISA_BLAS_LEFT_OUT, /* or hiaton was built without it: use the reference */
    ISA_BLAS_PROCESSOR, /* the processor lacks what the core needs: use the reference, and say so */
    ISA_BLAS_NO_CORE, /* there is no core of that name, or this OpenBLAS has none */
    ISA_BLAS_OTHER, /* this process has it with other cores, and no room for a copy more */
};

struct isa_blas; /* lives as long as the process; may be used by several threads */

/* Loads OpenBLAS with a core: "haswell", another name of isa_blas_cores, or "auto" for the one that is
 * fastest on this processor. Large and small letters are alike. NULL: `why` says why, as a user is told. */
const struct isa_blas *isa_blas_load(const char *core, enum isa_blas_outcome *outcome,
                                     struct lib_text *why);

/* Whether this process has said ISA_BLAS_OTHER: what was asked for then may run in another one. */
bool isa_blas_has_refused(void);

/* The names that `core` may have: "auto|haswell|...". */
const char *isa_blas_cores(void);

/* What was loaded: "Haswell" and "0.3.21". Borrowed. */
const char *isa_blas_core(const struct isa_blas *blas);
const char *isa_blas_version(const struct isa_blas *blas);

/* Products of matrices, row-major: c[m, n] = a[m, k] * b[k, n], all of them at least 1. */
void isa_blas_gemm(const struct isa_blas *blas, const double *a, const double *b,
                   double *c, int64_t m, int64_t n, int64_t k);
void isa_blas_gemm32(const struct isa_blas *blas, const float *a, const float *b,
                     float *c, int64_t m, int64_t n, int64_t k);

#endif
