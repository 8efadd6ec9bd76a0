/* The learning rate of each step: raised evenly over the first steps, and halved where the loss of
 * the examples held out does not fall.
 *
 * The rate of step s, from 1 on, is rate * min(s / warmup, 1) / 2^halvings. An epoch is without
 * progress if its loss held out is not less than the least before it. After `halve` such epochs,
 * counted since the last progress or halving, the rate is halved. */
#ifndef SIM_TRAINING_SCHEDULE_H
#define SIM_TRAINING_SCHEDULE_H

#include "lib/pack.h"
#include "sim/training/options.h"

struct sim_schedule {
    double rate;
    uint64_t warmup, halve; /* warm-up in steps; epochs before halving, 0: never */
    double least;           /* loss held out so far; infinite before the first */
    uint64_t idle;          /* epochs without progress */
    uint64_t halvings;
};

struct sim_schedule sim_schedule_new(const struct sim_training_options *options);

double sim_schedule_rate(const struct sim_schedule *schedule, uint64_t step);

/* Takes the loss of the examples held out at the end of an epoch. */
void sim_schedule_judge(struct sim_schedule *schedule, double held_loss);

/* Writes or reads the state of a schedule (lib/pack.h). */
void sim_schedule_pack(struct lib_pack *pack, struct sim_schedule *schedule);

#endif
