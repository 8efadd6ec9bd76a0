/* Random settings. A setting unknown here ends the test, so that none is forgotten. */
#ifndef TESTS_RANDOM_DRAW_H
#define TESTS_RANDOM_DRAW_H

#include "isa/graph.h"
#include "sim/loading/setting.h"

struct draw {
    uint64_t seed, count;             /* count: random numbers drawn so far */
    struct programs_settings compile; /* drawn last by draw_settings */
};

uint64_t draw_below(struct draw *draw, uint64_t below);

/* Whether a setting is about platforms (tests/random/draw_platform.h). */
bool draw_is_of_platform(const struct lib_setting *row);

/* Returns how many options of a setting may be drawn: the first ones. */
uint64_t draw_options(const struct lib_setting *row);

/* Draws how arrays, in short strands, and gradients of loops are made. Independent of what else is
 * drawn. */
void draw_arrays(uint64_t seed, struct programs_settings *settings);

/* Draws which passes of the optimiser a seed has: one, some or all of them. */
void draw_passes(uint64_t seed, struct programs_settings *settings);

/* Draws a value for every setting, except limits; those of the compiler are draw->compile. */
void draw_settings(struct draw *draw, struct machine_settings *settings);

void draw_executor(struct draw *draw, struct machine_settings *settings);

/* Replaces one network of routers in ten by one from a file. */
void draw_network_file(struct draw *draw, struct machine_settings *settings);

/* Changes the machine to a network of routers with small buffers. */
void draw_buffers(struct draw *draw, struct machine_settings *settings);

/* Limits cycles, tokens or memory of one run in eight. */
void draw_limits(struct draw *draw, struct machine_settings *settings);

/* Draws the launch time of kernels and, for most machines, numbers of tensor units and batches. */
void draw_tensor_units(struct draw *draw, struct machine_settings *settings);
/* Counts units, and gives matching and overflow stores a bandwidth, where a machine can have
 * that. */
void draw_counted_units(struct draw draw, struct machine_settings *settings);
/* Whether a setting is drawn by draw_counted_units alone. */
bool draw_is_of_counted_units(const struct lib_setting *row);
/* Whether a setting is drawn by draw_tensor_units alone. */
bool draw_is_of_tensor_units(const struct lib_setting *row);

/* Changes one machine in three to one or two PEs whose memories swap most tensors. */
void draw_swaps(struct draw draw, struct machine_settings *settings);

/* Gives most machines up to four classes of PEs, if they may have some. */
void draw_classes(struct draw draw, struct machine_settings *settings);
bool draw_classes_fit(const struct machine_settings *settings);

/* Gives classes all function units, one after another, until the machine can run a program; before
 * that gives up placement.functions if the program has none of these. */
void draw_capable(struct machine_settings *settings, const struct isa_graph *graph);

/* Places some functions of a graph on classes of the machine, as `--# on` does, if it has such PEs
 * for all of them. */
void draw_on_classes(struct draw draw, const struct machine_settings *s,
                     struct isa_graph *graph);

/* Makes one cluster in four lose or duplicate messages. */
void draw_losses(struct draw *draw, struct machine_settings *settings);

/* Makes stores and queues unlimited, tags paths, and graph copies quick. */
void draw_unlimited(struct machine_settings *settings);

/* Whether PEs of some class have a value other than 0 of a setting. */
bool draw_is_of_class(const struct machine_settings *s, const char *key);

/* Whether a program that completes elsewhere may end here with `store full` or `tags exhausted`. */
bool draw_may_fill(const struct machine_settings *settings);
bool draw_may_exhaust(const struct machine_settings *settings);

/* Adds KEY=VALUE for each setting that is not the default. */
void draw_write(const struct machine_settings *settings, struct lib_text *out);

/* Like draw_write, also for settings of the compiler. */
void draw_write_all(const struct machine_settings *settings,
                    const struct programs_settings *compile, struct lib_text *out);

#endif
