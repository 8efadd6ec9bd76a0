#include "isa/tensor/elementary.h"

#include <math.h>

double isa_real_exp(double x)
{
    return exp(x);
}

double isa_real_log(double x)
{
    return log(x);
}

double isa_real_sin(double x)
{
    return sin(x);
}

double isa_real_cos(double x)
{
    return cos(x);
}

double isa_real_tanh(double x)
{
    return tanh(x);
}

double isa_real_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
