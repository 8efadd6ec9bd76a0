/* The learning rate of each step. It rises evenly over the first steps, and is halved when the loss
 * of held-out examples (those not trained on) no longer falls.
 *
 * The rate of step s, from 1 on, is rate * min(s / warmup, 1) / 2^halvings. An epoch is without
 * progress if its loss on held-out examples is not below all earlier ones. After `halve` such
 * epochs since the last progress or halving, the rate is halved. */
#ifndef SIM_TRAINING_SCHEDULE_H
#define SIM_TRAINING_SCHEDULE_H

#include "lib/pack.h"
#include "sim/training/options.h"

struct sim_schedule {
    double rate;
    /* Number of steps over which the rate rises; epochs without progress before halving, 0:
     * never. */
    uint64_t warmup, halve;
    double least;      /* lowest loss of held-out examples so far; initially infinite */
    uint64_t idle;     /* epochs since the last progress or halving */
    uint64_t halvings; /* how often the rate was halved */
};

struct sim_schedule sim_schedule_new(const struct sim_training_options *options);

double sim_schedule_rate(const struct sim_schedule *schedule, uint64_t step);

/* Called at the end of each epoch, with its mean loss of held-out examples; may halve the rate. */
void sim_schedule_judge(struct sim_schedule *schedule, double held_loss);

/* Writes or reads the state of a schedule (lib/pack.h). */
void sim_schedule_pack(struct lib_pack *pack, struct sim_schedule *schedule);

#endif
