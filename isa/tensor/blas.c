#include "config.h"

#include "isa/tensor/blas.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Cores of OpenBLAS, the oldest first, with the processor features that they need. OpenBLAS itself
 * dies of an illegal instruction if they are missing. The last column says whether the core adds a
 * sum of products to 0 after it is rounded (isa_blas_adds_to_zero): those for AVX-512 do not, for
 * real32s or small matrices. */
#if defined(__x86_64__)
#define HAS(feature) __builtin_cpu_supports(feature)
#else
#define HAS(feature) 0
#endif
#define HAS_AVX2 (HAS("avx2") && HAS("fma"))
#define HAS_AVX512                                                                       \
    (HAS_AVX2 && HAS("avx512f") && HAS("avx512vl") && HAS("avx512bw") && HAS("avx512dq"))

#define CORES(CORE)                                                                      \
    CORE("prescott", HAS("sse3"), "SSE3", true)                                          \
    CORE("core2", HAS("ssse3"), "SSSE3", true)                                           \
    CORE("penryn", HAS("sse4.1"), "SSE4.1", true)                                        \
    CORE("nehalem", HAS("sse4.2"), "SSE4.2", true)                                       \
    CORE("sandybridge", HAS("avx"), "AVX", true)                                         \
    CORE("haswell", HAS_AVX2, "AVX2 and FMA", true)                                      \
    CORE("zen", HAS_AVX2, "AVX2 and FMA", true)                                          \
    CORE("skylakex", HAS_AVX512, "AVX-512", false)                                       \
    CORE("cooperlake", HAS_AVX512 &&HAS("avx512bf16"), "AVX-512 with BF16", false)       \
    CORE("sapphirerapids", HAS_AVX512 &&HAS("avx512bf16"), "AVX-512 with BF16", false)

struct core {
    const char *name, *needs;
    bool adds_to_zero;
};

static const struct core cores[] = {
#define CORE(name, condition, needs, adds) {name, needs, adds},
    CORES(CORE)
#undef CORE
};
enum { CORE_COUNT = sizeof cores / sizeof *cores };

const char *isa_blas_cores(void)
{
#define CORE(name, condition, needs, adds) "|" name
    return "auto" CORES(CORE);
#undef CORE
}

#ifdef HIATON_OPENBLAS

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static bool processor_has(size_t core)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    const bool has[] = {
#define CORE(name, condition, needs, adds) condition,
        CORES(CORE)
#undef CORE
    };
    return has[core];
}

/* Declarations of cblas.h and OpenBLAS's headers, with ints of 32 bits. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };
typedef void dgemm_function(int order, int transposes_a, int transposes_b, int m, int n,
                            int k, double alpha, const double *a, int lda,
                            const double *b, int ldb, double beta, double *c, int ldc);
typedef void sgemm_function(int order, int transposes_a, int transposes_b, int m, int n,
                            int k, float alpha, const float *a, int lda, const float *b,
                            int ldb, float beta, float *c, int ldc);
typedef void dgemv_function(int order, int transposes, int m, int n, double alpha,
                            const double *a, int lda, const double *x, int step_x,
                            double beta, double *y, int step_y);
typedef void sgemv_function(int order, int transposes, int m, int n, float alpha,
                            const float *a, int lda, const float *x, int step_x,
                            float beta, float *y, int step_y);

struct isa_blas {
    dgemm_function *dgemm;
    sgemm_function *sgemm;
    dgemv_function *dgemv;
    sgemv_function *sgemv;
    char core[32], version[32];
    bool adds_to_zero; /* isa_blas_adds_to_zero */
};

static const char library[] = "libopenblas.so.0";

struct copy {
    char asked
        [32]; /* the core that it was loaded for, in small letters; "": as OpenBLAS chooses */
    struct isa_blas blas;
};

static struct {
    pthread_mutex_t lock;
    bool has_refused;
    size_t count;
    struct copy items[CORE_COUNT + 1];
} copies = {.lock = PTHREAD_MUTEX_INITIALIZER};

#ifdef LM_ID_NEWLM

/* Loads OpenBLAS into a namespace with its own C library, in whose environment the constructor of
 * OpenBLAS finds the number of threads and the core. Returns NULL on failure, with the reason in
 * dlerror. */
static void *open_copy(const char *core)
{
    static char one_thread[] = "OPENBLAS_NUM_THREADS=1";
    static char texts[CORE_COUNT + 1][64];
    static char *environments[CORE_COUNT + 1][3];
    char *text = texts[copies.count], **environment = environments[copies.count];
    snprintf(text, sizeof texts[0], "OPENBLAS_CORETYPE=%s", core);
    environment[0] = one_thread;
    environment[1] = *core ? text : NULL;
    void *libc = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!libc)
        return NULL;
    Lmid_t space;
    char ***theirs = dlsym(libc, "environ");
    void *handle = NULL;
    if (theirs && dlinfo(libc, RTLD_DI_LMID, &space) == 0) {
        *theirs = environment;
        handle = dlmopen(space, library, RTLD_NOW | RTLD_LOCAL);
    }
    if (!handle)
        dlclose(libc);
    return handle;
}

static const char *load_error(void)
{
    const char *error = dlerror();
    return error ? error : "no reason was given";
}

#else

static void *open_copy(const char *core)
{
    (void)core;
    return NULL;
}

static const char *load_error(void)
{
    return "this C library has no dlmopen, which makes copies that hosts do not share";
}

#endif

static bool find_symbol(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol); /* a function's address, as POSIX has it */
    return symbol != NULL;
}

/* Reads the version from "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...". */
static void read_version(const char *config, char *version, size_t size)
{
    const char *from = strpbrk(config, "0123456789");
    const size_t length = from ? strcspn(from, " ") : 0;
    snprintf(version, size, "%.*s", (int)length, from ? from : "");
}

/* Finds the functions of a loaded library. Returns false and adds the reason to `why` if it is not
 * a usable OpenBLAS. */
static bool describe_blas(void *handle, struct isa_blas *blas, struct lib_text *why)
{
    const char *(*config)(void);
    const char *(*core)(void);
    void (*set_threads)(int);
    if (!find_symbol(handle, "cblas_dgemm", &blas->dgemm) ||
        !find_symbol(handle, "cblas_sgemm", &blas->sgemm) ||
        !find_symbol(handle, "cblas_dgemv", &blas->dgemv) ||
        !find_symbol(handle, "cblas_sgemv", &blas->sgemv) ||
        !find_symbol(handle, "openblas_get_config", &config) ||
        !find_symbol(handle, "openblas_get_corename", &core) ||
        !find_symbol(handle, "openblas_set_num_threads", &set_threads)) {
        lib_text_printf(why, "%s is no OpenBLAS: %s", library, dlerror());
        return false;
    }
    if (strstr(config(), "USE64BITINT")) {
        lib_text_printf(why, "%s takes integers of 64 bits; one of 32 bits was expected",
                        library);
        return false;
    }
    set_threads(1);
    snprintf(blas->core, sizeof blas->core, "%s", core());
    read_version(config(), blas->version, sizeof blas->version);
    for (size_t i = 0; i < CORE_COUNT; i++)
        if (strcasecmp(blas->core, cores[i].name) == 0)
            blas->adds_to_zero = cores[i].adds_to_zero;
    return true;
}

/* Returns a copy that was loaded for a core, or that turned out to have it; or NULL. */
static const struct copy *find_copy(const char *core)
{
    for (size_t i = 0; i < copies.count; i++)
        if (strcmp(copies.items[i].asked, core) == 0 ||
            strcasecmp(copies.items[i].blas.core, core) == 0)
            return &copies.items[i];
    return NULL;
}

static enum isa_blas_outcome load_copy(const char *core, struct lib_text *why)
{
    struct copy *copy = &copies.items[copies.count];
    const bool has_room = copies.count < sizeof copies.items / sizeof *copies.items;
    void *handle = has_room ? open_copy(core) : NULL;
    if (handle && describe_blas(handle, &copy->blas, why)) {
        snprintf(copy->asked, sizeof copy->asked, "%s", core);
        copies.count++;
        return ISA_BLAS_LOADED;
    }
    if (handle) {
        dlclose(handle);
        return ISA_BLAS_ABSENT;
    }
    if (copies.count == 0) {
        lib_text_printf(
            why, "OpenBLAS cannot be loaded: %s; on Debian, install libopenblas0-pthread",
            load_error());
        return ISA_BLAS_ABSENT;
    }
    lib_text_printf(why,
                    "this process has OpenBLAS with the core %s, and cannot load it with "
                    "%s as well: %s",
                    copies.items[0].blas.core, *core ? core : "another core",
                    has_room ? load_error() : "it has a copy for each core");
    copies.has_refused = true;
    return ISA_BLAS_OTHER;
}

/* Finds the number of a core (CORE_COUNT: "auto"). Returns false if the name is unknown. */
static bool find_core(const char *name, size_t *core)
{
    for (*core = 0; *core < CORE_COUNT; ++*core)
        if (strcasecmp(name, cores[*core].name) == 0)
            return true;
    return strcasecmp(name, "auto") == 0;
}

bool isa_blas_has_refused(void)
{
    return copies.has_refused;
}

const struct isa_blas *isa_blas_load(const char *core, enum isa_blas_outcome *outcome,
                                     struct lib_text *why)
{
    size_t number;
    if (!find_core(core, &number)) {
        lib_text_printf(why, "OpenBLAS has no core `%s`; expected %s", core,
                        isa_blas_cores());
        lib_text_hint_choice(why, core, isa_blas_cores());
        *outcome = ISA_BLAS_NO_CORE;
        return NULL;
    }
    const bool is_fixed = number < CORE_COUNT;
    if (is_fixed && !processor_has(number)) {
        lib_text_printf(why,
                        "this processor lacks %s, which the core %s of OpenBLAS needs",
                        cores[number].needs, cores[number].name);
        *outcome = ISA_BLAS_PROCESSOR;
        return NULL;
    }
    const char *name = is_fixed ? cores[number].name : "";
    pthread_mutex_lock(&copies.lock);
    const struct copy *copy = find_copy(name);
    *outcome = copy ? ISA_BLAS_LOADED : load_copy(name, why);
    if (!copy && *outcome == ISA_BLAS_LOADED)
        copy = find_copy(name);
    pthread_mutex_unlock(&copies.lock);
    if (!copy)
        return NULL;
    if (is_fixed && strcasecmp(copy->blas.core, name) != 0) {
        lib_text_printf(why, "OpenBLAS %s has no core `%s`, and took %s",
                        copy->blas.version, name, copy->blas.core);
        *outcome = ISA_BLAS_NO_CORE;
        return NULL;
    }
    return &copy->blas;
}

const char *isa_blas_core(const struct isa_blas *blas)
{
    return blas->core;
}

const char *isa_blas_version(const struct isa_blas *blas)
{
    return blas->version;
}

bool isa_blas_adds_to_zero(const struct isa_blas *blas)
{
    return blas->adds_to_zero;
}

/* A product with a vector uses a faster routine. Some versions of it add to the old result even
 * with factor 0, so the result is cleared first. */
#define PRODUCT(NAME, T, gemm, gemv)                                                     \
    void NAME(const struct isa_blas *blas, const T *a, const T *b, T *c, int64_t m,      \
              int64_t n, int64_t k)                                                      \
    {                                                                                    \
        assert(m > 0 && n > 0 && k > 0);                                                 \
        if (m > 1 && n > 1) {                                                            \
            blas->gemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, (int)m, (int)n,        \
                       (int)k, 1, a, (int)k, b, (int)n, 0, c, (int)n);                   \
            return;                                                                      \
        }                                                                                \
        memset(c, 0, (size_t)(m * n) * sizeof *c);                                       \
        if (n == 1)                                                                      \
            blas->gemv(ROW_MAJOR, NOT_TRANSPOSED, (int)m, (int)k, 1, a, (int)k, b, 1, 0, \
                       c, 1);                                                            \
        else                                                                             \
            blas->gemv(ROW_MAJOR, TRANSPOSED, (int)k, (int)n, 1, b, (int)n, a, 1, 0, c,  \
                       1);                                                               \
    }
PRODUCT(isa_blas_gemm, double, dgemm, dgemv)
PRODUCT(isa_blas_gemm32, float, sgemm, sgemv)

#else

const struct isa_blas *isa_blas_load(const char *core, enum isa_blas_outcome *outcome,
                                     struct lib_text *why)
{
    (void)core;
    (void)cores;
    lib_text_puts(
        why, "this hiaton was built without OpenBLAS (configure --without-openblas)");
    *outcome = ISA_BLAS_LEFT_OUT;
    return NULL;
}

bool isa_blas_has_refused(void)
{
    return false;
}

const char *isa_blas_core(const struct isa_blas *blas)
{
    (void)blas;
    return "";
}

const char *isa_blas_version(const struct isa_blas *blas)
{
    (void)blas;
    return "";
}

bool isa_blas_adds_to_zero(const struct isa_blas *blas)
{
    (void)blas;
    return false;
}

void isa_blas_gemm(const struct isa_blas *blas, const double *a, const double *b,
                   double *c, int64_t m, int64_t n, int64_t k)
{
    (void)blas, (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
    assert(false);
}

void isa_blas_gemm32(const struct isa_blas *blas, const float *a, const float *b,
                     float *c, int64_t m, int64_t n, int64_t k)
{
    (void)blas, (void)a, (void)b, (void)c, (void)m, (void)n, (void)k;
    assert(false);
}

#endif
