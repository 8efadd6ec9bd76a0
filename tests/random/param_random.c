#include "tests/random/param_random.h"

#include "tests/random/draw.h"

enum { FUNCTIONS = 3, FUEL = 4, DEPTH = 3, CALLS_MAX = 2 };

struct generator {
    struct draw draw;
    struct lib_text *text;
    bool whole;
    unsigned calls; /* that the function may still make */
};

static unsigned below(struct generator *g, unsigned limit)
{
    return (unsigned)draw_below(&g->draw, limit);
}

static void vector(struct generator *g, unsigned depth);

static void put_index(struct generator *g)
{
    lib_text_printf(g->text, "(i * %u + %u) %% 40", 1 + below(g, 7), below(g, 40));
}

/* A product with w behind, or l before it. */
static void product(struct generator *g, unsigned depth)
{
    switch (below(g, 6)) {
    case 0:
        lib_text_puts(g->text, "matmul(");
        vector(g, depth);
        lib_text_puts(g->text, ", w)");
        break;
    case 1:
        lib_text_puts(g->text, "reduce_sum(matmul(stack(");
        vector(g, depth);
        lib_text_puts(g->text, ", x), w), 0)");
        break;
    case 2:
        lib_text_printf(g->text, "matmul(%s, ", below(g, 4) ? "l" : "w");
        vector(g, depth);
        lib_text_puts(g->text, ")");
        break;
    case 3:
        lib_text_puts(g->text, "reduce_sum(matmul(l, stack(");
        vector(g, depth);
        lib_text_puts(g->text, ", x, 1)), 1)");
        break;
    case 4:
        lib_text_puts(g->text, "reshape(matmul(l, reshape(");
        vector(g, depth);
        lib_text_puts(g->text, ", [1, -1, 1])), [-1])");
        break;
    default:
        lib_text_puts(g->text, "reshape(matmul(reshape(");
        vector(g, depth);
        lib_text_puts(g->text, ", [1, 1, -1]), w), [-1])");
    }
}

static void rows(struct generator *g)
{
    const char *table = below(g, 4) ? "t" : "w"; /* w is multiplied too */
    switch (below(g, 4)) {
    case 0:
        lib_text_printf(g->text, "reduce_sum(gather(%s, [", table);
        put_index(g);
        lib_text_printf(g->text, ", %u]), 0)", below(g, 40));
        break;
    case 1:
        lib_text_printf(g->text, "reduce_sum(gather(%s, tensor([i, 3, i], int)), 0)",
                        table);
        break;
    default:
        lib_text_printf(g->text, "gather(%s, ", table);
        put_index(g);
        lib_text_puts(g->text, ")");
    }
}

static void call(struct generator *g, unsigned depth)
{
    g->calls--;
    lib_text_printf(g->text, "f%u(i - 1, ", below(g, FUNCTIONS));
    vector(g, depth);
    lib_text_puts(g->text, ")");
}

static void around(struct generator *g, unsigned depth)
{
    switch (below(g, 6)) {
    case 0:
        lib_text_printf(g->text, "(if i %% %u == 0 then ", 2 + below(g, 2));
        vector(g, depth);
        lib_text_puts(g->text, " else ");
        vector(g, depth);
        lib_text_puts(g->text, ")");
        break;
    case 1:
        lib_text_puts(g->text, "(loop k = 0, y = ");
        vector(g, depth);
        lib_text_printf(g->text, " while k < %u do k + 1, y + %s return y)", below(g, 4),
                        below(g, 2)   ? "matmul(y, w)"
                        : below(g, 2) ? "gather(t, k + i) - matmul(x, w)"
                                      : "matmul(l, y)");
        break;
    case 2:
        lib_text_printf(g->text, "(x + sum([reduce_sum(%s) | k <- 0 .. %u]))",
                        below(g, 2) ? "matmul(x, w) * real(k)" : "gather(t, k) * x",
                        below(g, 4));
        break;
    case 3:
        lib_text_puts(g->text, "(x * (reduce_sum(b) - 2.0) + b)");
        break;
    case 4:
        lib_text_puts(g->text, "(x + reduce_sum(w * w, 0))");
        break;
    default:
        lib_text_puts(g->text, g->whole ? "abs(" : "tanh(");
        vector(g, depth);
        lib_text_puts(g->text, ")");
    }
}

/* A vector of as many elements as x. */
static void vector(struct generator *g, unsigned depth)
{
    const unsigned what = depth ? below(g, 8) : 7;
    if (what < 2 && g->calls) {
        call(g, depth - 1);
    } else if (what < 4) {
        product(g, depth - 1);
    } else if (what == 4) {
        rows(g);
    } else if (what == 5) {
        around(g, depth - 1);
    } else if (what == 6) {
        lib_text_puts(g->text, "(");
        vector(g, depth - 1);
        lib_text_puts(g->text, below(g, 2) ? " + " : " - ");
        vector(g, depth - 1);
        lib_text_puts(g->text, ")");
    } else {
        lib_text_puts(g->text, "x");
    }
}

/* With zeros as w the numbers stay small. */
void param_random(unsigned seed, bool whole, struct lib_text *text)
{
    struct generator g = {{.seed = seed}, text, whole, 0};
    lib_text_printf(
        text,
        "param w : [80, 80] = %s\nparam l : [80, 80] = %s\nparam t : [40, 80] = %s\n"
        "param b : [80] = %s\nx = 0.0 + real(iota(80) %s)\n"
        "p = reshape(real(iota(6400)), [80, 80])\n",
        whole ? "zeros" : "uniform(-0.2, 0.2)", whole ? "zeros" : "uniform(-0.2, 0.2)",
        whole ? "ones" : "uniform(-1.0, 1.0)", whole ? "ones" : "zeros",
        whole ? "- 40" : "* 0 + 1");
    lib_text_printf(text,
                    "result = let (gw, gl, gt, gb) = grad(loss, %u; w, l, t, b) in "
                    "(reduce_sum(gw * p), reduce_sum(gw), reduce_sum(gl * p), "
                    "reduce_sum(gt * slice(p, 0, 40)), reduce_sum(gb * b + gb))\n"
                    "loss(n) = reduce_sum(f0(n, x)%s)\n",
                    1 + below(&g, FUEL), whole ? "" : " * x");
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        g.calls = CALLS_MAX;
        lib_text_printf(text, "f%u(i, x) = if i <= 0 then %s else ", f,
                        f == 1 ? "x" : "x + gather(t, 1)");
        vector(&g, DEPTH);
        lib_text_printf(text, " + f%u(i - 1, matmul(x, w) + x)\n", (f + 1) % FUNCTIONS);
    }
}
