/* Settings drawn at random, over the whole table: a row that this module does not know
 * ends the test, so that none is forgotten. */
#ifndef TESTS_RANDOM_DRAW_H
#define TESTS_RANDOM_DRAW_H

#include "machine/settings.h"

struct draw {
    uint64_t seed, count; /* of numbers drawn so far */
};

/* A number from 0 to below - 1. */
uint64_t draw_below(struct draw *draw, uint64_t below);

/* Whether a setting is of platforms alone, which are drawn elsewhere
 * (tests/random/draw_platform.h). */
bool draw_is_of_platform(const struct machine_setting *row);

/* How many options of a choice are drawn: the first ones. */
uint64_t draw_options(const struct machine_setting *row);

/* Of every row a value; the limits are those of the machine `default`. */
void draw_settings(struct draw *draw, struct machine_settings *settings);

/* The same of an executor. */
void draw_executor(struct draw *draw, struct machine_settings *settings);

/* One network of routers in ten is from a file. */
void draw_network_file(struct draw *draw, struct machine_settings *settings);

/* Makes it a network of routers with finite buffers, of which much can be in use. */
void draw_buffers(struct draw *draw, struct machine_settings *settings);

/* One run in eight is limited: by cycles, tokens or memory. */
void draw_limits(struct draw *draw, struct machine_settings *settings);

/* What starting a kernel takes; tensor units that are counted, and batches, on most machines. */
void draw_tensor_units(struct draw *draw, struct machine_settings *settings);
/* Whether a setting is drawn there alone. */
bool draw_is_of_tensor_units(const struct machine_setting *row);

/* Makes one machine in three one or two PEs whose memories swap most of their tensors. */
void draw_swaps(struct draw draw, struct machine_settings *settings);

/* Has one cluster in four lose messages, or get them twice. */
void draw_losses(struct draw *draw, struct machine_settings *settings);

/* Makes every store and queue unlimited that is drawn, and tags paths; copies are soon done. */
void draw_unlimited(struct machine_settings *settings);

/* Whether a program that completes may end so on this machine: `store full`, `tags
 * exhausted`. */
bool draw_may_fill(const struct machine_settings *settings);
bool draw_may_exhaust(const struct machine_settings *settings);

/* Adds KEY=VALUE for each setting that is not the default. */
void draw_write(const struct machine_settings *settings, struct lib_text *out);

#endif
