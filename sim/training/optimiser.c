#include "sim/training/optimiser.h"

#include <math.h>

const char *const sim_methods[SIM_METHOD_COUNT] = {"sgd", "adam"};

static const double forgets1 = 0.9, forgets2 = 0.999, epsilon = 1e-8;

struct sim_optimiser sim_optimiser_new(enum sim_method method, double rate, size_t size)
{
    struct sim_optimiser o = {
        .method = method, .rate = rate, .size = size, .beta1 = 1.0, .beta2 = 1.0};
    if (method == SIM_METHOD_ADAM) {
        o.first = lib_mem_new(size * sizeof(double));
        o.second = lib_mem_new(size * sizeof(double));
    }
    return o;
}

void sim_optimiser_free(struct sim_optimiser *optimiser)
{
    lib_mem_free(optimiser->first);
    lib_mem_free(optimiser->second);
}

static void step_adam(struct sim_optimiser *o, double *params, const double *gradient)
{
    o->beta1 *= forgets1;
    o->beta2 *= forgets2;
    for (size_t i = 0; i < o->size; i++) {
        const double g = gradient[i];
        o->first[i] = forgets1 * o->first[i] + (1.0 - forgets1) * g;
        o->second[i] = forgets2 * o->second[i] + (1.0 - forgets2) * (g * g);
        const double first = o->first[i] / (1.0 - o->beta1);
        const double second = o->second[i] / (1.0 - o->beta2);
        params[i] -= o->rate * first / (sqrt(second) + epsilon);
    }
}

void sim_optimiser_step(struct sim_optimiser *o, double *params, const double *gradient)
{
    if (o->method == SIM_METHOD_ADAM) {
        step_adam(o, params, gradient);
        return;
    }
    for (size_t i = 0; i < o->size; i++)
        params[i] -= o->rate * gradient[i];
}

size_t sim_optimiser_find_overflow(const struct sim_optimiser *o)
{
    size_t i = 0;
    if (o->method != SIM_METHOD_ADAM)
        return o->size;
    while (i < o->size && isfinite(o->second[i] / (1.0 - o->beta2)))
        i++;
    return i;
}

void sim_optimiser_pack(struct lib_pack *pack, struct sim_optimiser *o)
{
    LIB_PACK(pack, o->beta1);
    LIB_PACK(pack, o->beta2);
    if (o->method != SIM_METHOD_ADAM)
        return;
    lib_pack_bytes(pack, o->first, o->size * sizeof(double));
    lib_pack_bytes(pack, o->second, o->size * sizeof(double));
}
