/* The examples that work on the bits of ints and draw random numbers: plain C has words of 32 and
 * 64 bits, takes one step after the other, and finds the constants of SHA-256 as the standard says.
 * What is published is compared too: a digest, and the first number of PCG. */
#include "tests/unit/plain_c.h"

#include <Random123/philox.h>
#include <inttypes.h>
#include <math.h>

/* Calls that the sum of n elements makes. */
static uint64_t sum_calls(uint64_t n)
{
    return n ? 2 * n - 1 : 0;
}

/* --- SHA-256 ------------------------------------------------------------------------------- */

static uint32_t rotate(uint32_t x, unsigned right)
{
    return x >> right | x << (32 - right);
}

static bool is_prime(unsigned n)
{
    for (unsigned i = 2; i * i <= n; i++)
        if (n % i == 0)
            return false;
    return true;
}

/* Returns the first 32 bits of the fraction of the square or cube root of n, found bit by bit. */
static uint32_t root_bits(unsigned n, bool is_cube)
{
    unsigned __int128 root = 0;
    for (int bit = 36; bit >= 0; bit--) {
        const unsigned __int128 more = root | (unsigned __int128)1 << bit;
        /* root / 2^32: its square is below n 2^64, its cube below n 2^96 */
        if (is_cube ? more * more * more <= (unsigned __int128)n << 96
                    : more * more <= (unsigned __int128)n << 64)
            root = more;
    }
    return (uint32_t)root;
}

/* The constants are roots of the first primes, as the standard says. */
static void digest_block(uint32_t w[64], uint32_t state[8])
{
    uint32_t first[8], s[8];
    for (unsigned i = 0, prime = 2; i < 8; prime++)
        if (is_prime(prime))
            first[i++] = root_bits(prime, false);
    for (int i = 0; i < 8; i++)
        s[i] = first[i];
    for (int i = 16; i < 64; i++) {
        const uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    unsigned prime = 1;
    for (int i = 0; i < 64; i++) {
        do
            prime++;
        while (!is_prime(prime));
        const uint32_t e = s[4], a = s[0];
        const uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                             ((e & s[5]) ^ (~e & s[6])) + root_bits(prime, true) + w[i];
        const uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                             ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] = first[i] + s[i];
}

static void sha256(const int64_t *inputs, struct answer *a)
{
    const uint64_t message = (uint64_t)inputs[0];
    uint32_t w[64] = {(uint32_t)(message >> 32), (uint32_t)message, UINT32_C(1) << 31};
    uint32_t state[8];
    w[15] = 64; /* the length, in bits */
    digest_block(w, state);
    for (int i = 0; i < 4; i++)
        lib_text_printf(&a->text, "%s%" PRId64, i ? ", " : "(",
                        (int64_t)((uint64_t)state[2 * i] << 32 | state[2 * i + 1]));
    lib_text_puts(&a->text, ")");
    /* digest, word; in the schedule twice, small0 and small1; in a round twice, large0, large1 */
    a->calls = 4 + 8 + 64 + 2 * 48 + 64 * (2 + 2);
}

/* --- generators ------------------------------------------------------------------------------ */

static void xorshift(const int64_t *inputs, struct answer *a)
{
    uint64_t x = (uint64_t)inputs[1], last = 0, all = 0;
    for (int64_t i = 0; i < inputs[0]; i++) {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        last = x * UINT64_C(2685821657736338717);
        all += last;
    }
    lib_text_printf(&a->text, "(%" PRId64 ", %" PRId64 ")", (int64_t)last, (int64_t)all);
    a->calls = (uint64_t)inputs[0];
}

/* One step after the other. */
static void pcg(const int64_t *inputs, struct answer *a)
{
    uint64_t state = (uint64_t)inputs[1], all = 0;
    uint32_t first = 0, last = 0;
    for (int64_t i = 0; i < inputs[0]; i++) {
        const uint32_t shifted = (uint32_t)((state >> 18 ^ state) >> 27);
        const unsigned turn = (unsigned)(state >> 59);
        last = shifted >> turn | shifted << (-turn & 31);
        first = i ? first : last;
        all += last;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(0xda3e39cb94b95bdb);
        a->calls += 4; /* state, output, rotate32, and advance, for 0 */
        for (int64_t rest = i; rest > 0; rest /= 2)
            a->calls++;
    }
    a->calls += sum_calls((uint64_t)inputs[0]);
    lib_text_printf(&a->text, "(%" PRIu32 ", %" PRIu32 ", %" PRIu64 ")", first, last,
                    all);
}

static double draw(int64_t key, int64_t number)
{
    const philox2x64_key_t of_key = {{(uint64_t)key}};
    const philox2x64_ctr_t counter = {{0, (uint64_t)number}};
    return ldexp((double)(philox2x64(counter, of_key).v[0] >> 11), -53);
}

static void montecarlo(const int64_t *inputs, struct answer *a)
{
    int64_t inside = 0;
    for (int64_t i = 0; i < inputs[0]; i++) {
        double square = 0;
        for (int64_t k = 3 * i; k < 3 * i + 3; k++) {
            const double x = 2 * draw(inputs[1], k) - 1;
            square += x * x;
        }
        inside += square < 1;
    }
    lib_text_printf(&a->text, "(%" PRId64 ", ", inside);
    lib_text_real(&a->text, 8 * (double)inside / (double)inputs[0]);
    lib_text_puts(&a->text, ")");
    a->calls = 4 * (uint64_t)inputs[0] + sum_calls((uint64_t)inputs[0]);
}

/* --- the filter ------------------------------------------------------------------------------ */

static uint64_t split_mix(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void bloom(const int64_t *inputs, struct answer *a)
{
    const uint64_t n = (uint64_t)inputs[0];
    bool bits[256] = {false};
    unsigned set = 0, found[2] = {0};
    for (uint64_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 3; k++)
            bits[split_mix(i) >> 8 * k & 255] = true;
    for (unsigned i = 0; i < 256; i++)
        set += bits[i];
    for (uint64_t i = 0; i < 5 * n; i++) {
        const uint64_t h = split_mix(i);
        found[i >= n] += bits[h & 255] && bits[h >> 8 & 255] && bits[h >> 16 & 255];
    }
    lib_text_printf(&a->text, "(%u, %u, %u)", set, found[0], found[1]);
    /* Four trees of words with a hash and three bits at each leaf; a hash and three tests for each
     * number that is looked for. */
    a->calls = 4 * (n ? 2 * n - 1 + 4 * n : 1) + sum_calls(4) + 2 + 4 * 5 * n +
               sum_calls(n) + sum_calls(4 * n);
}

static const struct example examples[] = {
    {"sha256",
     sha256,
     {"message=0", "message=-1", "message=0x8000000080000000", "message=123456789"}},
    {"xorshift", xorshift, {"n=0", "n=1", "n=9 seed=-5", "n=40"}},
    {"pcg", pcg, {"n=1", "n=2", "n=9 seed=0xffffffffffffffff", "n=33"}},
    {"montecarlo", montecarlo, {"n=1", "n=2", "n=9 key=-7", "n=60"}},
    {"bloom", bloom, {"n=0", "n=1", "n=9", "n=24"}},
};

/* Runs an example with its own inputs. */
static struct test_outcome run_example(const char *name)
{
    struct test_program p = test_example(name);
    struct test_outcome o = test_interp(p.graph, p.inputs, false);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    test_program_free(&p);
    return o;
}

/* SHA-256 of "abcdefgh" is 9c56cc51 b374c3ba 189210d5 b6d4bf57 790d351c 96c47c02 190ecf1e 430635ab.
 * The first number of PCG32 as it is initialised is 0x152ca78d. */
START_TEST(what_is_published)
{
    const struct test_outcome digest = run_example("sha256"), number = run_example("pcg");
    ck_assert_str_eq(digest.result,
                     "(-7181327904520485958, 1770496113591500631, 8722686450191334402, "
                     "1805608229502596523)");
    ck_assert_uint_le(digest.stats.firings, 10000);
    ck_assert(strncmp(number.result, "(355248013, ", 12) == 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 120);
    plain_add(tests, examples, sizeof examples / sizeof *examples);
    tcase_add_test(tests, what_is_published);
    return test_main("word_examples", tests);
}
