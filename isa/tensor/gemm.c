/* Reference product of matrices. Each element is a sum that starts at 0.0 and takes the products in
 * order, so that neither blocks nor vectors change a bit. 4 rows by two vectors of columns are in
 * registers (Goto, van de Geijn, Anatomy of high-performance matrix multiplication, TOMS 2008). */
#include "isa/tensor/kernel_internal.h"
#include "lib/memory.h"

#include <string.h>

/* DEPTH: products added before the sums are stored, so that the columns in use fit in the first
 * cache. */
enum { DEPTH = 512, VECTOR_BYTES = 16 };

#define GEMM(T)                                                                          \
    typedef T vector_##T                                                                 \
        __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));       \
    enum { LANES_##T = VECTOR_BYTES / sizeof(T), WIDTH_##T = 2 * LANES_##T };            \
                                                                                         \
    /* Adds `depth` products to `rows` rows of two vectors of c, which are `n` apart. */ \
    static inline __attribute__((always_inline)) void tile_##T(                          \
        const T *a, int64_t stride_a, const T *b, T *c, int64_t stride_c, int64_t depth, \
        const int rows)                                                                  \
    {                                                                                    \
        vector_##T s[4][2];                                                              \
        for (int r = 0; r < rows; r++) {                                                 \
            s[r][0] = *(const vector_##T *)(c + r * stride_c);                           \
            s[r][1] = *(const vector_##T *)(c + r * stride_c + LANES_##T);               \
        }                                                                                \
        for (int64_t k = 0; k < depth; k++, b += WIDTH_##T) {                            \
            const vector_##T b0 = *(const vector_##T *)b;                                \
            const vector_##T b1 = *(const vector_##T *)(b + LANES_##T);                  \
            for (int r = 0; r < rows; r++) {                                             \
                const T x = a[r * stride_a + k];                                         \
                s[r][0] += x * b0;                                                       \
                s[r][1] += x * b1;                                                       \
            }                                                                            \
        }                                                                                \
        for (int r = 0; r < rows; r++) {                                                 \
            *(vector_##T *)(c + r * stride_c) = s[r][0];                                 \
            *(vector_##T *)(c + r * stride_c + LANES_##T) = s[r][1];                     \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    /* Adds `depth` products to one row of at most two vectors, `columns` wide. */       \
    static void narrow_##T(const T *a, int64_t stride_a, const T *b, T *c,               \
                           int64_t stride_c, int64_t depth, int64_t columns)             \
    {                                                                                    \
        T sums[WIDTH_##T] = {0};                                                         \
        memcpy(sums, c, (size_t)columns * sizeof *c);                                    \
        tile_##T(a, stride_a, b, sums, stride_c, depth, 1);                              \
        memcpy(c, sums, (size_t)columns * sizeof *c);                                    \
    }                                                                                    \
                                                                                         \
    /* Some columns of `depth` rows of b, side by side, with zeros for those beyond. */  \
    static void pack_##T(const T *b, int64_t stride, int64_t depth, int64_t columns,     \
                         T *packed)                                                      \
    {                                                                                    \
        for (int64_t k = 0; k < depth; k++, b += stride, packed += WIDTH_##T)            \
            for (int64_t j = 0; j < WIDTH_##T; j++)                                      \
                packed[j] = j < columns ? b[j] : 0;                                      \
    }                                                                                    \
                                                                                         \
    static void panel_##T(const T *a, const T *packed, T *c, int64_t m, int64_t n,       \
                          int64_t k, int64_t depth, int64_t columns)                     \
    {                                                                                    \
        int64_t i = 0;                                                                   \
        if (columns == WIDTH_##T)                                                        \
            for (; i + 4 <= m; i += 4)                                                   \
                tile_##T(a + i * k, k, packed, c + i * n, n, depth, 4);                  \
        for (; i < m; i++)                                                               \
            narrow_##T(a + i * k, k, packed, c + i * n, n, depth, columns);              \
    }                                                                                    \
                                                                                         \
    static void gemm_##T(const T *a, const T *b, T *c, int64_t m, int64_t n, int64_t k)  \
    {                                                                                    \
        T *packed = lib_mem_resize(NULL, sizeof(T) * DEPTH * WIDTH_##T);                 \
        memset(c, 0, (size_t)m *(size_t)n * sizeof *c);                                  \
        for (int64_t p = 0; p < k; p += DEPTH)                                           \
            for (int64_t j = 0; j < n; j += WIDTH_##T) {                                 \
                const int64_t depth = k - p < DEPTH ? k - p : DEPTH;                     \
                const int64_t columns = n - j < WIDTH_##T ? n - j : WIDTH_##T;           \
                pack_##T(b + p * n + j, n, depth, columns, packed);                      \
                panel_##T(a + p, packed, c + j, m, n, k, depth, columns);                \
            }                                                                            \
        lib_mem_free(packed);                                                            \
    }
GEMM(double)
GEMM(float)

void isa_reference_gemm(const double *a, const double *b, double *c, int64_t m, int64_t n,
                        int64_t k)
{
    gemm_double(a, b, c, m, n, k);
}

void isa_reference_gemm32(const float *a, const float *b, float *c, int64_t m, int64_t n,
                          int64_t k)
{
    gemm_float(a, b, c, m, n, k);
}
