/* Template: sums, differences and products of rows, and the search for NaNs, a vector of elements
 * at a time. Included by vectors.c once for each kind of vectors and each type of elements. A lane
 * does what C does with one element, so the bits are the same.
 *
 * The file that includes it defines, and undefines again:
 *   TYPE      double or float
 *   REAL      vector of TYPE
 *   BITS      vector of ints as wide as REAL, as comparisons of it yield
 *   LANES     elements in a vector
 *   NAME(n)   name of a function made here
 *   TARGET, INLINE   attributes of functions, and of those that are inlined in them */

INLINE bool NAME(is_set)(BITS mask)
{
    uint64_t words[sizeof mask / sizeof(uint64_t)], any = 0;
    memcpy(words, &mask, sizeof mask);
    for (unsigned i = 0; i < sizeof mask / sizeof(uint64_t); i++)
        any |= words[i];
    return any != 0;
}

INLINE REAL NAME(load)(const TYPE *from)
{
    REAL x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE REAL NAME(repeat)(TYPE x)
{
    TYPE all[LANES];
    for (unsigned i = 0; i < LANES; i++)
        all[i] = x;
    return NAME(load)(all);
}

#define OPERATION(name, operator)                                                        \
    INLINE bool NAME(name##_row)(const TYPE *a, uint64_t step_a, const TYPE *b,          \
                                 uint64_t step_b, TYPE *to, uint64_t count)              \
    {                                                                                    \
        BITS nans = {0};                                                                 \
        bool has_nan = false;                                                            \
        uint64_t i = 0;                                                                  \
        REAL x = NAME(repeat)(*a), y = NAME(repeat)(*b);                                 \
        for (; i + LANES <= count; i += LANES) {                                         \
            if (step_a)                                                                  \
                x = NAME(load)(a + i);                                                   \
            if (step_b)                                                                  \
                y = NAME(load)(b + i);                                                   \
            const REAL z = x operator y;                                                 \
            nans |= (BITS)(z != z);                                                      \
            memcpy(to + i, &z, sizeof z);                                                \
        }                                                                                \
        for (; i < count; i++) {                                                         \
            const TYPE z = a[i * step_a] operator b[i * step_b];                         \
            has_nan |= z != z;                                                           \
            to[i] = z;                                                                   \
        }                                                                                \
        return has_nan || NAME(is_set)(nans);                                            \
    }                                                                                    \
                                                                                         \
    TARGET static bool NAME(name)(const TYPE *a, uint64_t step_a, const TYPE *b,         \
                                  uint64_t step_b, TYPE *to, uint64_t count)             \
    {                                                                                    \
        if (step_a && step_b)                                                            \
            return NAME(name##_row)(a, 1, b, 1, to, count);                              \
        if (step_a)                                                                      \
            return NAME(name##_row)(a, 1, b, 0, to, count);                              \
        return NAME(name##_row)(a, 0, b, step_b ? 1 : 0, to, count);                     \
    }
OPERATION(add, +)
OPERATION(sub, -)
OPERATION(mul, *)
#undef OPERATION

TARGET static bool NAME(have_nan)(const TYPE *x, uint64_t count)
{
    BITS a = {0}, b = {0};
    bool has_nan = false;
    uint64_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        const REAL y = NAME(load)(x + i), z = NAME(load)(x + i + LANES);
        a |= (BITS)(y != y);
        b |= (BITS)(z != z);
    }
    for (; i < count; i++)
        has_nan |= x[i] != x[i];
    return has_nan || NAME(is_set)(a | b);
}
