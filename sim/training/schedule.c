#include "sim/training/schedule.h"

#include <math.h>

struct sim_schedule sim_schedule_new(const struct sim_training_options *options)
{
    return (struct sim_schedule){.rate = options->rate,
                                 .warmup = options->warmup,
                                 .halve = options->halve,
                                 .least = INFINITY};
}

double sim_schedule_rate(const struct sim_schedule *s, uint64_t step)
{
    double rate = s->rate;
    if (step < s->warmup)
        rate *= (double)step / (double)s->warmup;
    for (uint64_t i = 0; i < s->halvings && rate > 0; i++)
        rate *= 0.5;
    return rate;
}

void sim_schedule_judge(struct sim_schedule *s, double held_loss)
{
    if (held_loss < s->least) {
        s->least = held_loss;
        s->idle = 0;
        return;
    }
    if (s->halve && ++s->idle == s->halve) {
        s->halvings++;
        s->idle = 0;
    }
}

void sim_schedule_pack(struct lib_pack *pack, struct sim_schedule *s)
{
    LIB_PACK(pack, s->least, s->idle, s->halvings);
}
